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

#include "math/intersect.h"
#include "sim/sim.h"

#define RINGS 2

/* Sides of a seam that is not shut yet. */
static bool are_tied(const cloth_contact *m, const int32_t *a, const int32_t *b)
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            if (m->same[a[i]] == m->same[b[j]] && a[i] != b[j])
                return true;
    return false;
}

static bool do_intersect(const cloth_contact *m, const vec3 *x, bvh_triangle_pair p)
{
    const int32_t *a = m->triangles[p.ti], *b = m->triangles[p.tj];
    vec3 xa[3] = {x[a[0]], x[a[1]], x[a[2]]}, xb[3] = {x[b[0]], x[b[1]], x[b[2]]};
    return !are_tied(m, a, b) && intersect_triangles(xa, xb) != INTERSECT_NONE;
}

static uint64_t patches_of(const cloth_contact *m, int32_t ti)
{
    const int32_t *t = m->triangles[ti];
    return m->tangled[t[0]] | m->tangled[t[1]] | m->tangled[t[2]];
}

/* Pairs that intersect but are on no contour: they only touch. */
static void mark_touching(cloth_contact *m)
{
    const untangling *u = &m->untangling;
    for (int64_t i = 0; i < u->n_pairs; i++) {
        if (patches_may_pass(patches_of(m, u->pairs[i][0]), patches_of(m, u->pairs[i][1])))
            continue;
        for (int k = 0; k < 6; k++)
            m->tangled[m->triangles[u->pairs[i][k / 3]][k % 3]] |= TANGLED_TOUCH << k / 3;
    }
}

/* One ring more: a node of a triangle is on the patches of the other two. */
static void grow_patches(cloth_contact *m)
{
    uint64_t *grown = m->untangling.grown;
    memcpy(grown, m->tangled, (size_t)m->n_nodes * sizeof *grown);
    for (int32_t ti = 0; ti < m->n_triangles; ti++) {
        uint64_t all = patches_of(m, ti);
        for (int k = 0; all != 0 && k < 3; k++)
            grown[m->triangles[ti][k]] |= all;
    }
    memcpy(m->tangled, grown, (size_t)m->n_nodes * sizeof *grown);
}

static bool list(weft_sim *s, untangling *u, bvh_triangle_pair p)
{
    if (u->n_pairs == u->room) {
        int64_t more = 2 * u->room + 64;
        void *grown = mem_resized(&s->mem, u->pairs, u->room, more, sizeof *u->pairs);
        if (!grown)
            return false;
        u->pairs = grown;
        u->room = more;
    }
    u->pairs[u->n_pairs][0] = p.ti;
    u->pairs[u->n_pairs++][1] = p.tj;
    return true;
}

/* Once, when it begins and when it is over. */
static void tell(const weft_sim *s, int32_t n)
{
    if (n > 0 && s->stats.tangled == 0)
        sim_log(s, WEFT_LOG_WARNING, "%g s: %d pairs of triangles intersect, and are pulled apart", s->state.time, n);
    if (n == 0 && s->stats.tangled > 0)
        sim_log(s, WEFT_LOG_INFO, "%g s: nothing intersects any more", s->state.time);
}

/* A cloth that is in a closed mesh and meets its surface nowhere is left there, which is said once: it may have been
 * put there (cloth in a drum), or not. A cloth that meets nothing is in it as a whole or not at all. */
static void tell_enclosed(weft_sim *s, const vec3 *x)
{
    const model *m = &s->model;
    int32_t n = 0, which[2] = {0, 0};
    for (int32_t k = 0; k < s->cloths.n; k++) {
        const cloth *c = s->cloths.items[k].item;
        for (int32_t i = m->n_analytic; c && c->surface->n_nodes > 0 && i < m->n_colliders; i++) {
            collider_mesh *mesh = m->collider_owner[i]->mesh;
            if (!mesh->info.closed || !collider_mesh_nearest(mesh, x[c->offset]).behind)
                continue;
            n++;
            which[0] = k;
            which[1] = sim_collider_index(s, m->collider_owner[i]);
        }
    }
    if (n > s->n_enclosed)
        sim_log(s, WEFT_LOG_WARNING,
                "%g s: cloth %d is wholly inside of collider %d, a closed mesh, and is left there (%d such)",
                s->state.time, which[0], which[1], n);
    s->n_enclosed = n;
}

static weft_result find_pairs(weft_sim *s, const vec3 *x, bvh_triangles *out, weft_error *e)
{
    bvh *t = s->model.cloth_contact.bvh;
    bvh_query query = {.mode = BVH_PROVEN};
    cloth_contact_lend(s);
    weft_result r = bvh_refit(t, s->pool, x, NULL, 0, e);
    if (r >= 0)
        r = bvh_triangle_pairs(t, s->pool, &query, out, e);
    cloth_contact_take_back(s);
    return r;
}

weft_result tangled_find(weft_sim *s, const vec3 *x, weft_error *e)
{
    cloth_contact *m = &s->model.cloth_contact;
    bvh_triangles near_pairs;
    weft_result r = find_pairs(s, x, &near_pairs, e);
    if (r < 0)
        return r;
    if (m->tangled)
        memset(m->tangled, 0, (size_t)m->n_nodes * sizeof *m->tangled);
    m->n_tangled = 0;
    m->untangling.n_pairs = 0;
    for (int64_t i = 0; i < near_pairs.n; i++) {
        if (!do_intersect(m, x, near_pairs.pairs[i]))
            continue;
        if (!list(s, &m->untangling, near_pairs.pairs[i]))
            return error_memory(e);
    }
    m->n_tangled = (int32_t)min_of((double)m->untangling.n_pairs, INT32_MAX);
    if (m->n_tangled > 0 && !m->tangled && !MEM_MAKE(&s->mem, m->tangled, m->n_nodes))
        return error_memory(e);
    if (m->n_tangled > 0 && !untangling_look(s, x))
        return error_memory(e);
    mark_touching(m);
    for (int ring = 0; m->n_tangled > 0 && ring < RINGS; ring++)
        grow_patches(m);
    tell(s, m->n_tangled);
    if (m->n_tangled == 0)
        tell_enclosed(s, x);
    return WEFT_OK;
}

void tangled_suspect(weft_sim *s)
{
    s->model.cloth_contact.n_tangled += s->model.cloth_contact.n_tangled == 0;
    s->model.collider_contacts.suspect = true;
}

bool tangled_exempts(void *context, const int32_t node[4], bool edges)
{
    const uint64_t *on = ((const weft_sim *)context)->model.cloth_contact.tangled;
    if (!on)
        return false;
    uint64_t first = edges ? on[node[0]] | on[node[1]] : on[node[0]];
    uint64_t second = on[node[2]] | on[node[3]] | (edges ? 0 : on[node[1]]);
    return patches_may_pass(first, second);
}
