/* SPDX-License-Identifier: MIT */
/* Seams of cloths that adapt: which borders of the roots welded ties join.
 *
 * Nodes that ties have welded are of one group. Two borders whose ends are of the same two groups are the two sides of
 * a seam: they become partners in the forest, which then split and merge together, and their middles are one node, as
 * their ends are. Nodes of a group without such a border are one point for the balance alone.
 *
 * Invariants: 1. the rings of the forest's root nodes are the groups; 2. a border has one partner at most, so along a
 * seam of three layers nothing can split: such cloths do not adapt. */
#include <assert.h>

#include "base/union_find.h"
#include "sim/adapt.h"
#include "sim/phases.h"
#include "sim/sim.h"
#include "mesh/sides.h"

static bool is_of(const weft_sim *s, weft_cloth_id id, const cloth *c)
{
    return sim_get_cloth(s, id, NULL) == c;
}

/* Welded ties have been made while the cloth had its roots only, whose nodes keep their numbers. */
static weft_result group_nodes(const weft_sim *s, const cloth *c, int32_t *group, bool *any, weft_error *e)
{
    union_find_begin(group, c->roots->n_nodes);
    for (int32_t i = 0; i < s->defs.ties.n; i++) {
        const tie *t = s->defs.ties.items[i].item;
        bool a = t && t->welded && is_of(s, t->cloth_a, c), b = t && t->welded && is_of(s, t->cloth_b, c);
        if (a != b)
            return error_set(e, WEFT_ERROR_ARGUMENT, i, "a cloth that is welded to another one cannot adapt");
        for (int32_t k = 0; a && k < t->n; k++) {
            union_find_join(group, t->a[k], t->b[k]);
            *any = true;
        }
    }
    union_find_end(group, c->roots->n_nodes);
    return WEFT_OK;
}

static void add_stitched_borders(sides *all, const surface *roots, const int32_t *group)
{
    for (int32_t i = 0; i < roots->n_edges; i++) {
        const edge *ed = &roots->edges[i];
        int32_t from = group[ed->node[0]], to = group[ed->node[1]];
        if (surface_is_border(roots, i) && from != to)
            sides_add(all, from, to, i, 0);
    }
}

static weft_result stitch_borders(forest *f, const sides *all, const surface *roots, weft_error *e)
{
    int32_t n = 0;
    for (const side *g = NULL; (g = sides_next(all, g, &n));) {
        if (n > 2)
            return error_set(e, WEFT_ERROR_NON_MANIFOLD, roots->edges[g->owner].node[0],
                             "%d borders are sewn together between nodes %d and %d: elements there cannot split", n,
                             roots->edges[g->owner].node[0], roots->edges[g->owner].node[1]);
        if (n == 2)
            forest_stitch(f, g[0].owner, g[1].owner, g[0].from != g[1].from);
    }
    return WEFT_OK;
}

static weft_result stitch(weft_sim *s, const cloth *c, forest *f, int32_t *group, sides *all, weft_error *e)
{
    bool any = false;
    weft_result r = group_nodes(s, c, group, &any, e);
    if (r != WEFT_OK || !any)
        return r;
    add_stitched_borders(all, c->roots, group);
    sides_sort(all);
    r = stitch_borders(f, all, c->roots, e);
    for (int32_t vi = 0; r == WEFT_OK && vi < c->roots->n_nodes; vi++)
        forest_join(f, vi, group[vi]);
    f->closed = true;
    return r;
}

weft_result stitch_forest(weft_sim *s, const cloth *c, forest *out, weft_error *e)
{
    sides all = {0};
    int32_t *group = mem_array(&s->mem, c->roots->n_nodes, sizeof *group);
    *out = (forest){0};
    weft_result r = WEFT_OK;
    if ((!group && c->roots->n_nodes > 0) || !sides_create(&all, &s->mem, c->roots->n_nodes, c->roots->n_edges) ||
        !forest_create(out, &s->mem, c->roots))
        r = error_memory(e);
    assert(r < 0 || group); /* a cloth has nodes */
    r = r < 0 ? r : stitch(s, c, out, group, &all, e);
    if (r < 0 && out->mem)
        forest_destroy(out);
    sides_destroy(&all);
    mem_free(&s->mem, group, c->roots->n_nodes, sizeof *group);
    return r;
}

weft_result stitch_again(weft_sim *s, cloth *c, weft_error *e)
{
    forest made;
    if (!c->forest.mem)
        return WEFT_OK;
    if (c->surface != c->roots)
        return error_set(e, WEFT_ERROR_ARGUMENT, -1, "elements of the cloth have split: its seams stay as they are");
    weft_result r = stitch_forest(s, c, &made, e);
    if (r != WEFT_OK)
        return r;
    forest_destroy(&c->forest);
    c->forest = made;
    return WEFT_OK;
}

static weft_result set_cloth_adapt(weft_sim *s, weft_cloth_id id, const weft_adapt *adapt, weft_error *e)
{
    cloth *c = sim_get_cloth(s, id, e);
    if (!c)
        return sim_missing(s, NULL);
    if (!adapt)
        return error_set(e, WEFT_ERROR_ARGUMENT, -1, "adapt is NULL");
    weft_result r = adapt_check(adapt, e);
    if (r == WEFT_OK && adapt->max_level > 0 && !c->forest.mem)
        r = stitch_forest(s, c, &c->forest, e);
    if (r != WEFT_OK)
        return r;
    look_space_destroy(&c->look, &s->mem); /* with or without room for sizes */
    c->adapt = *adapt;
    c->next_look = c->few_from = s->state.time;
    return WEFT_OK;
}

weft_result weft_cloth_set_adapt(weft_sim *s, weft_cloth_id id, const weft_adapt *adapt, weft_error *e)
{
    weft_result r = sim_enter(s, __func__, e);
    return r < 0 ? r : sim_leave(s, set_cloth_adapt(s, id, adapt, e));
}
