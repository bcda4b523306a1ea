/* SPDX-License-Identifier: MIT */
/* Which parts of the list of edges a sweep over them has to look at.
 *
 * Sweeps go on for up to 200 times, the later ones for the sake of a few places where edges are still moved. An
 * edge is due if an end has moved in the last sweep or the present one. So that a fine mesh need not ask each of its
 * edges, they are asked for 256 in a row at once: a part is due if one of the groups of 64 degrees of freedom that its
 * ends belong to has moved. A part that is not due has no edge that is. */
#ifndef WEFT_SIM_DIRTY_SET_H
#define WEFT_SIM_DIRTY_SET_H

#include "base/mem.h"
#include "force/forces.h"
#include "mesh/surface.h"

enum { DIRTY_SET_PART = 256, DIRTY_SET_GROUP = 64 };

typedef struct dirty_set {
    int32_t n_parts, n_groups, n_listed;
    int32_t *start;  /* n_parts + 1: where a part's groups begin … */
    int32_t *listed; /* … in here */
    int32_t *moved;  /* sweep that has last moved one of the group */
} dirty_set;

/* rows: of the nodes that edges name. False: no memory. */
bool dirty_set_make(dirty_set *d, mem *m, const force_array *edges, const node_row *rows, int32_t n_dofs);
void dirty_set_free(dirty_set *d, mem *m);

/* Before sweep 1, in which all parts are due. */
void dirty_set_begin(dirty_set *d);

static inline void dirty_set_mark(dirty_set *d, int32_t dof, int32_t sweep)
{
    d->moved[dof / DIRTY_SET_GROUP] = sweep;
}

static inline bool dirty_set_is(const dirty_set *d, int32_t part, int32_t sweep)
{
    bool is = false;
    for (int32_t i = d->start[part]; !is && i < d->start[part + 1]; i++)
        is = d->moved[d->listed[i]] >= sweep - 1;
    return is;
}

#endif
