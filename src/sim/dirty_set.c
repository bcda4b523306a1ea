/* SPDX-License-Identifier: MIT */
/* Which parts of the list of edges are dirty (dirty_set.h): made from the mesh, marked by sweeps. */
#include "sim/dirty_set.h"

#include <string.h>

/* The groups of a part, each once; meanwhile `moved` has the last part, counted from 1, that has had one. Returns how
 * many there are; out: where they go, or NULL. */
static int32_t list_part(dirty_set *d, int32_t part, const force_array *edges, const node_row *rows, int32_t *out)
{
    int32_t n = 0, end = (part + 1) * DIRTY_SET_PART;
    for (int32_t i = part * DIRTY_SET_PART; i < end && i < edges->n; i++)
        for (int k = 0; k < 4; k++) {
            const edge_element *e = (const edge_element *)edges->items + i;
            int32_t dof = rows[e->node[k / 2]].dof[k % 2], group = dof / DIRTY_SET_GROUP;
            if (dof < 0 || d->moved[group] == part + 1)
                continue;
            d->moved[group] = part + 1;
            if (out)
                out[n] = group;
            n++;
        }
    return n;
}

bool dirty_set_make(dirty_set *d, mem *m, const force_array *edges, const node_row *rows, int32_t n_dofs)
{
    d->n_parts = (edges->n + DIRTY_SET_PART - 1) / DIRTY_SET_PART;
    d->n_groups = (n_dofs + DIRTY_SET_GROUP - 1) / DIRTY_SET_GROUP;
    if (!MEM_MAKE(m, d->start, d->n_parts + 1) || !MEM_MAKE(m, d->moved, d->n_groups))
        return false;
    dirty_set_begin(d);
    d->start[0] = 0;
    for (int32_t part = 0; part < d->n_parts; part++)
        d->start[part + 1] = d->start[part] + list_part(d, part, edges, rows, NULL);
    d->n_listed = d->start[d->n_parts];
    if (!MEM_MAKE(m, d->listed, d->n_listed))
        return false;
    dirty_set_begin(d);
    for (int32_t part = 0; part < d->n_parts; part++)
        list_part(d, part, edges, rows, d->listed + d->start[part]);
    return true;
}

void dirty_set_free(dirty_set *d, mem *m)
{
    MEM_FREE(m, d->start, d->n_parts + 1);
    MEM_FREE(m, d->listed, d->n_listed);
    MEM_FREE(m, d->moved, d->n_groups);
    *d = (dirty_set){0};
}

void dirty_set_begin(dirty_set *d)
{
    if (d->moved)
        memset(d->moved, 0, (size_t)d->n_groups * sizeof *d->moved);
}
