/* SPDX-License-Identifier: MIT */
/* Closed polylines of nodes that move along straight lines, seen in a plane: what tells quickly that one does not cross
 * itself.
 *
 * Edges are taken in blocks of two or three. A window, a block and the next one, does not cross itself if all its edges
 * go forward along some line, at both ends of the motion: forward is linear in time. Blocks have boxes in the plane at
 * both times. Lanes are blocks: the k-th points of all blocks stand in a row, so that four windows or boxes are made
 * at a time. A kernel (math/kernel.h). */
#ifndef WEFT_MATH_PLANAR_LOOP_H
#define WEFT_MATH_PLANAR_LOOP_H

#include "math/planar_row.h"

enum {
    PLANAR_EDGES = 3,       /* of a block at most */
    PLANAR_LOOP = 512,      /* edges of a loop at most, in … */
    PLANAR_BLOCKS = 176,    /* … so many blocks */
    PLANAR_STRIDE = 184,    /* lanes: one more block, the first again, and whole fours */
    PLANAR_COORDINATES = 4, /* x, y at the first time, x, y at the second */
};

typedef struct planar_loop {
    int n;        /* edges, and points: edge i runs from point i to the next */
    int size;     /* edges of a block; the last one may have fewer */
    int n_blocks; /* at least 1 */
    int n_times;  /* 1: no motion; then there are no second coordinates */
    int32_t node[PLANAR_LOOP + 16];
    double point[PLANAR_EDGES][PLANAR_COORDINATES][PLANAR_STRIDE]; /* by place in the block, then by block */
    double edge[PLANAR_EDGES][PLANAR_COORDINATES][PLANAR_STRIDE];
    planar_row rows[PLANAR_BLOCKS / PLANAR_ROW]; /* boxes of blocks */
    uint32_t bent[(PLANAR_BLOCKS + 31) / 32];    /* bits of windows that may not go forward, by their first block */
} planar_loop;

typedef void planar_loop_project_fn(planar_loop *l, const vec3 *x0, const vec3 *x1, vec3 a, vec3 b);
typedef void planar_loop_bound_fn(planar_loop *l, double least);

/* Points of n nodes, as seen along the axes a and b. x1 NULL: there is no motion. `node` holds n of them, n and size
 * are set. */
planar_loop_project_fn planar_loop_project, planar_loop_project_plain, planar_loop_project_avx2;
/* Windows and boxes. Going forward by less than `least` times |x| + |y| of the line is not enough. */
planar_loop_bound_fn planar_loop_bound, planar_loop_bound_plain, planar_loop_bound_avx2;

/* Two blocks, i < j, that do not follow each other. */
typedef struct planar_near {
    int16_t i, j;
} planar_near;

/* Those whose boxes are not apart by more than `least` as box_planar_apart has it; more than `room`: that many are
 * there, but not all were looked for. After planar_loop_bound. */
typedef int planar_loop_near_fn(const planar_loop *l, float least, planar_near *out, int room);
planar_loop_near_fn planar_loop_near, planar_loop_near_plain, planar_loop_near_avx2;

#endif
