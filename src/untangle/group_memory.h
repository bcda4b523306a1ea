/* SPDX-License-Identifier: MIT */
/* What untangling remembers from step to step, as numbers that a state can hold: groups of contours, and which nodes
 * were tangled of late. */
#ifndef WEFT_UNTANGLE_GROUP_MEMORY_H
#define WEFT_UNTANGLE_GROUP_MEMORY_H

#include "untangle/group.h"

/* items: substeps since something was first found to intersect; how many nodes were tangled of late, and of each its
 * number and its age, in substeps; then the groups, one after the other. n 0: nothing is or was. */
typedef struct group_memory {
    double *items;
    int64_t n, room;
} group_memory;

bool group_memory_reserve(group_memory *g, mem *m, int64_t n);
bool group_memory_copy(group_memory *to, mem *m, const group_memory *from);
void group_memory_free(group_memory *g, mem *m);

/* Of the groups now (NULL: none), and of n_nodes nodes' ages (0: not tangled of late). False: out of memory. */
bool group_memory_take(group_memory *to, mem *m, const groups *g, double substeps, const uint8_t *age, int32_t n_nodes);
/* The groups are those that were taken; what is no such memory is none. False: out of memory. */
bool group_memory_give(const group_memory *from, groups *g);
/* The ages that were taken. */
void group_memory_ages(const group_memory *from, uint8_t *age, int32_t n_nodes);

#endif
