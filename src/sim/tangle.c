/* SPDX-License-Identifier: MIT */
/* What intersects at the start of a step cannot be kept apart: it would be held where it is. So patches that intersect
 * are found by exact predicates, and pairs of primitives between two of them are let alone, by the solve and by
 * prevention, until nothing of them intersects any more; then they are kept apart like all others.
 *
 * A patch is the triangles that intersect others, with two rings round them: were only these left out, their
 * neighbours would block the way out. It is looked for when the model is made, and while there are any. */
#include <string.h>

#include "math/intersect.h"
#include "sim/sim.h"

#define RINGS 2

/* Sides of a seam that is not shut yet. */
static bool are_tied(const meeting *m, const int32_t *a, const int32_t *b)
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            if (m->same[a[i]] == m->same[b[j]] && a[i] != b[j])
                return true;
    return false;
}

static bool do_intersect(const meeting *m, const vec3 *x, tree_triangle_pair p)
{
    const int32_t *a = m->triangles[p.ti], *b = m->triangles[p.tj];
    vec3 xa[3] = {x[a[0]], x[a[1]], x[a[2]]}, xb[3] = {x[b[0]], x[b[1]], x[b[2]]};
    return !are_tied(m, a, b) && intersect_triangles(xa, xb) != MEET_NONE;
}

static void mark(meeting *m, int32_t ti)
{
    for (int k = 0; k < 3; k++)
        m->tangled[m->triangles[ti][k]] = 1;
}

/* One ring more: the nodes of triangles that have a marked one; 2 until the ring is complete. */
static void grow_patches(meeting *m)
{
    uint8_t *flag = m->tangled;
    for (int32_t ti = 0; ti < m->n_triangles; ti++) {
        const int32_t *t = m->triangles[ti];
        if (flag[t[0]] != 1 && flag[t[1]] != 1 && flag[t[2]] != 1)
            continue;
        for (int k = 0; k < 3; k++)
            flag[t[k]] = flag[t[k]] == 1 ? 1 : 2;
    }
    for (int32_t vi = 0; vi < m->n_nodes; vi++)
        flag[vi] = flag[vi] != 0;
}

weft_result tangle_find(weft_sim *s, const vec3 *x, weft_error *e)
{
    meeting *m = &s->model.meet;
    tree_query query = {.mode = TREE_PROVEN};
    tree_triangles near_pairs;
    weft_result r = tree_refit(m->tree, s->pool, x, NULL, 0, e);
    if (r >= 0)
        r = tree_triangle_pairs(m->tree, s->pool, &query, &near_pairs, e);
    if (r < 0)
        return r;
    memset(m->tangled, 0, (size_t)m->n_nodes);
    m->n_tangled = 0;
    for (int64_t i = 0; i < near_pairs.n; i++) {
        if (!do_intersect(m, x, near_pairs.pairs[i]))
            continue;
        m->n_tangled += m->n_tangled < INT32_MAX;
        mark(m, near_pairs.pairs[i].ti);
        mark(m, near_pairs.pairs[i].tj);
    }
    for (int ring = 0; m->n_tangled > 0 && ring < RINGS; ring++)
        grow_patches(m);
    if (m->n_tangled > 0)
        sim_log(s, WEFT_LOG_WARNING, "%g s: %d pairs of triangles intersect, and are let alone", s->state.time,
                m->n_tangled);
    return WEFT_OK;
}

bool tangle_exempts(void *context, const int32_t node[4], bool edges)
{
    const uint8_t *tangled = ((const weft_sim *)context)->model.meet.tangled;
    bool first = edges ? tangled[node[0]] || tangled[node[1]] : tangled[node[0]];
    bool second = tangled[node[2]] || tangled[node[3]] || (!edges && tangled[node[1]]);
    return first && second;
}
