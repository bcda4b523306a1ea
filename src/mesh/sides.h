/* SPDX-License-Identifier: MIT */
/* Sides of polygons, grouped by the pair of nodes they join: bucket sort by the lower node, insertion sort within. */
#ifndef WEFT_MESH_SIDES_H
#define WEFT_MESH_SIDES_H

#include "base/mem.h"

typedef struct side {
    int32_t from, to; /* nodes */
    int32_t owner;    /* element or triangle */
    int32_t index;    /* which of its sides */
} side;

typedef struct sides {
    mem *mem;
    int32_t n, capacity, n_nodes;
    side *unsorted, *sorted;
    int32_t *start; /* per lower node, n_nodes + 1 */
} sides;

bool sides_create(sides *s, mem *m, int32_t n_nodes, int32_t capacity);
void sides_destroy(sides *s);
void sides_clear(sides *s);
void sides_add(sides *s, int32_t from, int32_t to, int32_t owner, int32_t index);

/* Groups the sides; within a group they stand in the order they were added. */
void sides_sort(sides *s);

/* The group after `group` (NULL: the first), its size in *n; NULL at the end. *n must hold the size of `group`. */
const side *sides_next(const sides *s, const side *group, int32_t *n);

#endif
