/* SPDX-License-Identifier: MIT */
/* Seams bend as the cloth beside them does: where welded nodes make two borders one, a hinge joins the triangles on
 * both sides. Half of its way lies on each side, so the two compliances, each of a hinge between a triangle and its
 * mirror image, are halved and added. At rest a seam is flat.
 *
 * Borders are those of the triangles for bending, between active nodes, so that sides of different levels meet, too.
 * Seams of three layers have no hinges: which two of them bend together is not told. */
#include <assert.h>

#include "sim/phases.h"
#include "sim/sim.h"
#include "mesh/sides.h"

typedef struct seam_border {
    const cloth *cloth;
    int32_t ti; /* of its triangles for bending */
    int side;
} seam_border;

static bool any_welded(const definitions *d)
{
    for (int32_t i = 0; i < d->ties.n; i++) {
        const tie *t = d->ties.items[i].item;
        if (t && t->welded)
            return true;
    }
    return false;
}

static int32_t count_borders(const definitions *d)
{
    int32_t n = 0;
    for (int32_t i = 0; i < d->cloths.n; i++) {
        const cloth *c = d->cloths.items[i].item;
        for (int32_t ti = 0; c && ti < c->surface->n_bent; ti++)
            for (int k = 0; k < 3; k++)
                n += c->surface->bent[ti].neighbour[k] < 0;
    }
    return n;
}

static void add_seam_borders(const definitions *d, const model *m, seam_border *borders, sides *all)
{
    int32_t n = 0;
    for (int32_t i = 0; i < d->cloths.n; i++) {
        const cloth *c = d->cloths.items[i].item;
        for (int32_t ti = 0; c && ti < c->surface->n_bent; ti++)
            for (int k = 0; k < 3; k++) {
                const triangle *t = &c->surface->bent[ti];
                int32_t from = m->rows[c->offset + t->node[(k + 1) % 3]].dof[0];
                int32_t to = m->rows[c->offset + t->node[(k + 2) % 3]].dof[0];
                if (t->neighbour[k] >= 0 || from == to)
                    continue;
                assert(borders); /* count_borders has counted this one */
                borders[n] = (seam_border){c, ti, k};
                sides_add(all, from, to, n++, 0);
            }
    }
}

/* Orders nodes as dihedral.h does, by the first border. */
static bool add_hinge(model *m, const seam_border *a, const seam_border *b)
{
    const triangle *t = &a->cloth->surface->bent[a->ti], *u = &b->cloth->surface->bent[b->ti];
    double ka = forces_border_hinge(a->cloth->surface, &a->cloth->material, a->ti, a->side);
    double kb = forces_border_hinge(b->cloth->surface, &b->cloth->material, b->ti, b->side);
    const weft_fabric *fa = &a->cloth->fabrics[a->cloth->surface->elements[t->element].fabric];
    const weft_fabric *fb = &b->cloth->fabrics[b->cloth->surface->elements[u->element].fabric];
    if (!(ka > 0) || !(kb > 0))
        return true;
    hinge_element *h = forces_push(&m->forces, FORCE_HINGE);
    if (!h)
        return false;
    *h = (hinge_element){.node = {a->cloth->offset + t->node[(a->side + 1) % 3],
                                  a->cloth->offset + t->node[(a->side + 2) % 3], a->cloth->offset + t->node[a->side],
                                  b->cloth->offset + u->node[b->side]},
                         .par = {.k = 2 / (1 / ka + 1 / kb)},
                         .time = 0.5 * (fa->damping_bending + fb->damping_bending)};
    return true;
}

bool seam_bending(model *m)
{
    if (!any_welded(m->defs))
        return true;
    int32_t n = count_borders(m->defs), n_group = 0;
    seam_border *borders = mem_array(m->mem, n, sizeof *borders);
    sides all = {0};
    bool ok = (borders || n == 0) && sides_create(&all, m->mem, m->n, n);
    if (ok) {
        add_seam_borders(m->defs, m, borders, &all);
        sides_sort(&all);
    }
    for (const side *g = NULL; ok && (g = sides_next(&all, g, &n_group));)
        if (n_group == 2) {
            assert(borders);
            ok = add_hinge(m, &borders[g[0].owner], &borders[g[1].owner]);
        }
    sides_destroy(&all);
    mem_free(m->mem, borders, n, sizeof *borders);
    return ok;
}
