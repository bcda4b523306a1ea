/* SPDX-License-Identifier: MIT */
/* Normals of triangles, told apart by cells on the octahedron |x| + |y| + |z| = 1: a square of cells for either sign
 * of z.
 *
 * In a motion the normal of a triangle is a quadratic in time, a mean of its three Bernstein points e1 × e2, (e1 × f2 +
 * f1 × e2) / 2 and f1 × f2, where e and f are its sides before and after. Places are read once, for normals and for
 * bounds. A kernel (math/kernel.h). */
#ifndef WEFT_MATH_NORMAL_CELL_H
#define WEFT_MATH_NORMAL_CELL_H

#include "math/box.h"

#include <stdint.h>

enum {
    NORMAL_CELLS = 64,                             /* along a side of a square */
    NORMAL_HALF = NORMAL_CELLS / 2,                /* from its middle to a side */
    NORMAL_NONE = 2 * NORMAL_CELLS * NORMAL_CELLS, /* behind all cells: no normal … */
    NORMAL_ANY = NORMAL_NONE + 1,                  /* … and any */
};

/* The cell of a normal, given that each coordinate of it may be wrong by up to 2⁻⁵⁰ `size`; -1: it is too small to
 * tell. */
static inline int32_t normal_cell(vec3 n, double size)
{
    double sum = fabs(n.x) + fabs(n.y) + fabs(n.z);
    if (!(sum > 0x1p-28 * size) || !(sum > 1e-290))
        return -1;
    double scale = NORMAL_HALF / sum;
    int32_t i = (int32_t)(n.x * scale + NORMAL_HALF), j = (int32_t)(n.y * scale + NORMAL_HALF);
    i = i < NORMAL_CELLS ? i : NORMAL_CELLS - 1;
    j = j < NORMAL_CELLS ? j : NORMAL_CELLS - 1;
    return ((n.z < 0 ? NORMAL_CELLS : 0) + i) * NORMAL_CELLS + j;
}

/* Something for each cell, and behind them 0 for what is in none, and all bits for what does not count. Normals may be
 * wrong by NORMAL_ERROR of |x| + |y| + |z| in each coordinate, which whoever fills a table has to see to. */
typedef uint64_t normal_table[NORMAL_NONE + 2];

#define NORMAL_ERROR 0x1p-11

/* Of some triangles. */
typedef struct normal_leaf {
    box bounds;    /* enlarged, rounded outward */
    uint64_t mask; /* what the table has for all their normals; 0 if one has none */
    int n_unknown; /* triangles without a normal at x0 */
} normal_leaf;

/* n triangles of three nodes each, at x0 or, with x1, on the straight way there: then all three Bernstein points
 * count. */
typedef void normal_leaf_fit_fn(const vec3 *x0, const vec3 *x1, const int32_t *nodes, int n, const normal_table table,
                                double inflate, normal_leaf *out);
normal_leaf_fit_fn normal_leaf_fit, normal_leaf_fit_plain, normal_leaf_fit_avx2;

#endif
