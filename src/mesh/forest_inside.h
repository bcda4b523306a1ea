/* SPDX-License-Identifier: MIT */
/* What the files of the forest share and nobody else uses: slots, rings, one split without balance. */
#ifndef WEFT_MESH_FOREST_INSIDE_H
#define WEFT_MESH_FOREST_INSIDE_H

#include "mesh/forest.h"

/* Makes sure that so many slots can be taken. False: out of memory; nothing but room has changed. */
bool forest_reserve(forest *f, int32_t nodes, int32_t edge_twos, int32_t element_fours);
/* These need room reserved. Edges come as two in a row, elements as four; all fields are to be set by the caller, but
 * that the second edge of a pair may stay free. */
int32_t forest_take_node(forest *f, int32_t parent_0, int32_t parent_1, int32_t middle_of);
int32_t forest_take_edges(forest *f);
int32_t forest_take_elements(forest *f);
void forest_give_node(forest *f, int32_t vi);
void forest_give_edges(forest *f, int32_t first);
void forest_give_elements(forest *f, int32_t first);

/* Puts a leaf's corners into the lists of their nodes, and out of them again. */
void forest_link_leaf(forest *f, int32_t ei);
void forest_unlink_leaf(forest *f, int32_t ei);

/* Splits one leaf; the balance is the caller's care. False: out of memory. */
bool forest_split(forest *f, int32_t ei);

bool forest_in_ring(const forest *f, int32_t vi, int32_t vj);

static inline bool forest_is_split(const forest *f, int32_t ei)
{
    return ei >= 0 && f->elements[ei].child >= 0;
}

/* Which of an edge's two elements ei is. */
static inline int forest_side_of(const forest_edge *ed, int32_t ei)
{
    return ed->element[0] == ei ? 0 : 1;
}

#endif
