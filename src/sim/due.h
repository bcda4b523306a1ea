/* SPDX-License-Identifier: MIT */
/* Which parts of the list of edges a sweep over them has to look at.
 *
 * Sweeps go on for up to 200 times, the later ones for the sake of a few places where edges are still moved. An
 * edge is due if an end has moved in the last sweep or the present one. So that a fine mesh need not ask each of its
 * edges, they are asked for 256 in a row at once: a part is due if one of the groups of 64 degrees of freedom that its
 * ends belong to has moved. A part that is not due has no edge that is. */
#ifndef WEFT_SIM_DUE_H
#define WEFT_SIM_DUE_H

#include "base/mem.h"
#include "mechanics/forces.h"
#include "surface/surface.h"

enum { DUE_PART = 256, DUE_GROUP = 64 };

typedef struct due {
    int32_t n_parts, n_groups, n_listed;
    int32_t *start;  /* n_parts + 1: where a part's groups begin … */
    int32_t *listed; /* … in here */
    int32_t *moved;  /* sweep that has last moved one of the group */
} due;

/* rows: of the nodes that edges name. False: no memory. */
bool due_make(due *d, mem *m, const force_array *edges, const node_row *rows, int32_t n_dofs);
void due_free(due *d, mem *m);

/* Before sweep 1, in which all parts are due. */
void due_begin(due *d);

static inline void due_mark(due *d, int32_t dof, int32_t sweep)
{
    d->moved[dof / DUE_GROUP] = sweep;
}

static inline bool due_is(const due *d, int32_t part, int32_t sweep)
{
    bool is = false;
    for (int32_t i = d->start[part]; !is && i < d->start[part + 1]; i++)
        is = d->moved[d->listed[i]] >= sweep - 1;
    return is;
}

#endif
