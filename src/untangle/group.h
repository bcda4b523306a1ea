/* SPDX-License-Identifier: MIT */
/* The global look at contours: which way the two surfaces around one part with the least displacement. */
#ifndef WEFT_UNTANGLE_GROUP_H
#define WEFT_UNTANGLE_GROUP_H

#include "untangle/intruder.h"
#include "untangle/minimise.h"
#include "untangle/overlap_depth.h"

/* Directions that a group may have failed along; then all are tried again. */
enum { GROUP_WAYS_FAILED = 6 };

/* Contours, or a part of a long one, that are parted along one direction: patches A and B of the surfaces around. */
typedef struct line_group {
    int32_t first_vertex, n_vertices[2]; /* A's, then B's, from the contour outwards … */
    int32_t n_core[2];                   /* … the first of which go all the way */
    int32_t first_triangle, n_triangles[2], n_lines;
    vec3 axis;      /* unit, where it is a straight contour from border to border within one piece; else zero */
    vec3 way;       /* of A against B */
    double depth;   /* how far it is, m … */
    double least;   /* … and the least since it was chosen, */
    int32_t waited; /* … and since then, steps */
    int32_t n_failed;
    vec3 failed[GROUP_WAYS_FAILED]; /* ways along which it got stuck */
    bool split;                     /* parted by its windows, which follow in the list */
    bool local;                     /* a part of a contour, with a way of its own that is short beside the patch */
} line_group;

typedef struct group_list {
    line_group *items;
    int32_t n;
    int64_t room;
    int32_t *vertices;
    int32_t n_vertices;
    int64_t vertex_room;
    int32_t (*triangles)[3];
    int32_t n_triangles;
    int64_t triangle_room;
} group_list;

typedef struct groups {
    mem *m;
    int32_t rings;        /* size of patches, in edges; GROUP_RINGS */
    group_list now, past; /* ways are remembered from step to step */
    overlap_depth depth;
    int8_t *side;   /* scratch per vertex: 1 of A, 2 of B, 0 of neither */
    int32_t *queue; /* scratch per vertex */
    int32_t *used;  /* scratch per line: 1 + the group that it is of; 0: none yet */
    int64_t used_room;
    int32_t *chain; /* scratch: crossings along a line */
    int64_t chain_room;
    int32_t n_vertices;
} groups;

bool groups_make(groups *g, mem *m, int32_t n_vertices);
void groups_free(groups *g);
/* For the contours at x, with crossings named by intruders_find. False: out of memory. */
bool groups_find(groups *g, const mesh_adjacency *w, const contours *c, const intruders *s, const vec3 *x, double edge);
/* Before that: room for the marks of lines, all 0; those of lines set to anything else are left out. NULL: out of
 * memory. */
int32_t *groups_begin(groups *g, const contours *c);
/* Patches, as intruders.patch. */
void groups_mark(const groups *g, uint64_t *patch);
/* Asks that the patches of every group part. */
void groups_ask(const groups *g, minimise *k, double edge);
/* Directions are chosen anew. */
void groups_forget(groups *g);

#endif
