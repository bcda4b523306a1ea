/* SPDX-License-Identifier: MIT */
/* What intersects at the start of a step cannot be kept apart: it would be held where it is. So patches that intersect
 * are found by exact predicates, and pairs of primitives between two of them are let alone, by the solve and by
 * prevention, until nothing of them intersects any more; then they are kept apart like all others.
 *
 * A patch is the triangles along one contour on one of its two sheets, with the part that intrudes and two rings round
 * all that: were only what intersects left out, its neighbours would block the way out. Pairs of the two patches of one
 * contour are let alone, no others (patches_may_pass). Patches are looked for when the model is made, when things were
 * put elsewhere or squeezed, and while there are any; untangling.c pulls them apart. */
#include <string.h>

#include "base/array.h"
#include "math/intersect.h"
#include "sim/params.h"
#include "sim/phases.h"
#include "sim/sim.h"

/* Sides of a seam that is not shut yet. */
static bool are_tied(const cloth_contact *cc, const int32_t *a, const int32_t *b)
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            if (cc->same[a[i]] == cc->same[b[j]] && a[i] != b[j])
                return true;
    return false;
}

static bool do_intersect(const cloth_contact *cc, const vec3 *x, bvh_triangle_pair p)
{
    const int32_t *a = cc->triangles[p.ti], *b = cc->triangles[p.tj];
    vec3 xa[3] = {x[a[0]], x[a[1]], x[a[2]]}, xb[3] = {x[b[0]], x[b[1]], x[b[2]]};
    return !are_tied(cc, a, b) && intersect_triangles(xa, xb) != INTERSECT_NONE;
}

static uint64_t patches_of(const cloth_contact *cc, int32_t ti)
{
    const int32_t *t = cc->triangles[ti];
    return cc->tangled[t[0]] | cc->tangled[t[1]] | cc->tangled[t[2]];
}

/* Pairs that intersect but are on no contour: they only touch. */
static void mark_touching(cloth_contact *cc)
{
    const untangling *u = &cc->untangling;
    for (int64_t i = 0; i < u->n_pairs; i++) {
        if (patches_may_pass(patches_of(cc, u->pairs[i][0]), patches_of(cc, u->pairs[i][1])))
            continue;
        for (int k = 0; k < 6; k++)
            cc->tangled[cc->triangles[u->pairs[i][k / 3]][k % 3]] |= TANGLED_TOUCH << k / 3;
    }
}

/* One ring more: a node of a triangle is on the patches of the other two. */
static void grow_patches(cloth_contact *cc)
{
    uint64_t *grown = cc->untangling.grown;
    memcpy(grown, cc->tangled, (size_t)cc->n_nodes * sizeof *grown);
    for (int32_t ti = 0; ti < cc->n_triangles; ti++) {
        uint64_t all = patches_of(cc, ti);
        for (int k = 0; all != 0 && k < 3; k++)
            grown[cc->triangles[ti][k]] |= all;
    }
    memcpy(cc->tangled, grown, (size_t)cc->n_nodes * sizeof *grown);
}

static bool list_pair(mem *m, untangling *u, bvh_triangle_pair p)
{
    if (!ARRAY_RESERVE_MORE(m, u->pairs, u->n_pairs, u->room, 1))
        return false;
    u->pairs[u->n_pairs][0] = p.ti;
    u->pairs[u->n_pairs++][1] = p.tj;
    return true;
}

/* Once, when it begins and when it is over. */
static void tell_tangled(model *m, const state *st, int32_t n)
{
    if (n > 0 && m->told.n_tangled == 0)
        sim_log(m, WEFT_LOG_WARNING, "%g s: %d pairs of triangles intersect, and are pulled apart", st->time, n);
    if (n == 0 && m->told.n_tangled > 0)
        sim_log(m, WEFT_LOG_INFO, "%g s: nothing intersects any more", st->time);
    m->told.n_tangled = n;
}

/* A cloth that is in a closed mesh and meets its surface nowhere is left there, which is said once: it may have been
 * put there (cloth in a drum), or not. A cloth that meets nothing is in it as a whole or not at all. */
static void tell_enclosed(model *m, const state *st, const vec3 *x)
{
    int32_t n = 0, which[2] = {0, 0};
    for (int32_t k = 0; k < m->defs->cloths.n; k++) {
        const cloth *c = m->defs->cloths.items[k].item;
        for (int32_t i = m->n_analytic; c && c->surface->n_nodes > 0 && i < m->n_colliders; i++) {
            collider_mesh *mesh = m->collider_owner[i]->mesh;
            if (!collides_with(c, m->collider_owner[i]) || !mesh->info.closed ||
                !collider_mesh_nearest(mesh, x[c->offset]).behind)
                continue;
            n++;
            which[0] = k;
            which[1] = definitions_collider_index(m->defs, m->collider_owner[i]);
        }
    }
    if (n > m->told.n_enclosed)
        sim_log(m, WEFT_LOG_WARNING,
                "%g s: cloth %d is wholly inside of collider %d, a closed mesh, and is left there (%d such)", st->time,
                which[0], which[1], n);
    m->told.n_enclosed = n;
}

static weft_result find_pairs(model *m, const vec3 *x, bvh_triangles *out, weft_error *e)
{
    bvh *t = m->cloth_contact.bvh;
    bvh_query query = {.mode = BVH_PROVEN};
    weft_result r = bvh_refit(t, m->pool, x, NULL, 0, e);
    return r < 0 ? r : bvh_triangle_pairs(t, m->pool, &query, out, e);
}

/* Pairs of triangles that intersect at x, into untangling.pairs. */
static weft_result list_pairs(model *m, const vec3 *x, weft_error *e)
{
    cloth_contact *cc = &m->cloth_contact;
    arena_mark before = arena_mark_of(m->scratch);
    bvh_triangles near_pairs;
    weft_result r = find_pairs(m, x, &near_pairs, e);
    cc->untangling.n_pairs = 0;
    for (int64_t i = 0; r >= 0 && i < near_pairs.n; i++)
        if (do_intersect(cc, x, near_pairs.pairs[i]) && !list_pair(m->mem, &cc->untangling, near_pairs.pairs[i]))
            r = error_memory(e);
    arena_release(m->scratch, before);
    return r;
}

weft_result tangled_find(model *m, const state *st, const vec3 *x, weft_error *e)
{
    cloth_contact *cc = &m->cloth_contact;
    weft_result r = list_pairs(m, x, e);
    if (r < 0)
        return r;
    if (cc->tangled)
        memset(cc->tangled, 0, (size_t)cc->n_nodes * sizeof *cc->tangled);
    cc->n_tangled = (int32_t)min_of((double)cc->untangling.n_pairs, INT32_MAX);
    if (cc->n_tangled > 0 && !cc->tangled && !MEM_MAKE(m->mem, cc->tangled, cc->n_nodes))
        return error_memory(e);
    if (cc->n_tangled > 0 && !untangling_look(m, st, x))
        return error_memory(e);
    mark_touching(cc);
    for (int ring = 0; cc->n_tangled > 0 && ring < TANGLED_RINGS; ring++)
        grow_patches(cc);
    tell_tangled(m, st, cc->n_tangled);
    if (cc->n_tangled == 0)
        tell_enclosed(m, st, x);
    return WEFT_OK;
}

void tangled_suspect(model *m)
{
    m->cloth_contact.n_tangled += m->cloth_contact.n_tangled == 0;
    m->collider_contacts.suspect = true;
}

bool tangled_exempts(void *context, const int32_t node[4], bool edges)
{
    const uint64_t *on = ((const model *)context)->cloth_contact.tangled;
    if (!on)
        return false;
    uint64_t first = edges ? on[node[0]] | on[node[1]] : on[node[0]];
    uint64_t second = on[node[2]] | on[node[3]] | (edges ? 0 : on[node[1]]);
    return patches_may_pass(first, second);
}
