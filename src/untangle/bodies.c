/* SPDX-License-Identifier: MIT */
/* Rigid objects: one vector for all of it.
 *
 * Idea: let an object move by D against another. Then each crossing makes its contour shorter by G·D (ye2012 eq. 2), so
 * all of them together by ΣG·D: the sum is the steepest descent of length under translations, and an object goes by
 * step ΣG. With repulsive normals (eq. 3) parts of the sum that lead into the other are left out; without, they may
 * cancel those that lead out, and the object stays where it is (ye2012 figure 3: 53 steps that oscillate, and 8).
 *
 * Where we differ: the paper does not say how long its steps are, nor whether its bodies turn. Ours do not turn. What
 * has no contour, but is inside, goes the longest of the ways that its vertices have to the surface.
 *
 * Invariant: all vertices of an object move by the same vector. */
#include "untangle/bodies.h"

#include <string.h>

#include "untangle/params.h"

static bool is_flagged(const bool *flags, int32_t object)
{
    return flags && flags[object];
}

static double size_of_all(const bodies *r, const weft_untangle_def *d)
{
    vec3 low = v3(HUGE_VAL, HUGE_VAL, HUGE_VAL), high = v3_neg(low);
    for (int32_t vi = 0; vi < r->n_vertices; vi++)
        if (r->of[vi] >= 0) {
            vec3 x = d->positions[vi];
            low = v3(min_of(low.x, x.x), min_of(low.y, x.y), min_of(low.z, x.z));
            high = v3(max_of(high.x, x.x), max_of(high.y, x.y), max_of(high.z, x.z));
        }
    return high.x >= low.x ? v3_len(v3_sub(high, low)) : 0;
}

bool bodies_make(bodies *r, mem *m, const weft_untangle_def *d, const mesh_adjacency *w)
{
    *r = (bodies){.m = m, .n_objects = d->n_objects, .n_vertices = w->n_vertices};
    r->moves = d->object_is_rigid;
    r->stands = d->object_is_collider;
    bool good = MEM_MAKE(m, r->of, w->n_vertices);
    good = MEM_MAKE(m, r->push, d->n_objects) && good;
    good = MEM_MAKE(m, r->lift, d->n_objects) && good;
    good = MEM_MAKE(m, r->met, d->n_objects) && good;
    if (!good)
        return false;
    for (int32_t vi = 0; vi < w->n_vertices; vi++)
        r->of[vi] = -1;
    for (int32_t ti = 0; ti < w->n_triangles; ti++) {
        int32_t object = d->objects ? d->objects[ti] : 0;
        for (int i = 0; i < 3 && is_flagged(r->moves, object) && !is_flagged(r->stands, object); i++)
            r->of[w->tri[ti][i]] = object;
    }
    r->step = d->rigid_step > 0 ? d->rigid_step : UNTANGLE_RIGID_STEP * size_of_all(r, d);
    return true;
}

void bodies_free(bodies *r)
{
    if (!r->m)
        return;
    MEM_FREE(r->m, r->of, r->n_vertices);
    MEM_FREE(r->m, r->push, r->n_objects);
    MEM_FREE(r->m, r->lift, r->n_objects);
    MEM_FREE(r->m, r->met, r->n_objects);
}

void bodies_begin(bodies *r)
{
    size_t n = (size_t)r->n_objects;
    memset(r->push, 0, n * sizeof *r->push);
    memset(r->lift, 0, n * sizeof *r->lift);
    memset(r->met, 0, n * sizeof *r->met);
}

bool bodies_push(bodies *r, int32_t a, int32_t b, vec3 g)
{
    bool a_moves = is_flagged(r->moves, a) && !is_flagged(r->stands, a),
         b_moves = is_flagged(r->moves, b) && !is_flagged(r->stands, b);
    if (a == b || (!a_moves && !is_flagged(r->stands, a)) || (!b_moves && !is_flagged(r->stands, b)))
        return false;
    double part = a_moves && b_moves ? 0.5 : 1;
    r->push[a] = v3_madd(r->push[a], a_moves ? part : 0, g);
    r->push[b] = v3_madd(r->push[b], b_moves ? -part : 0, g);
    r->met[a] = r->met[b] = true;
    return true;
}

bool bodies_lift(bodies *r, int32_t vi, vec3 way)
{
    if (r->of[vi] < 0)
        return false;
    vec3 *longest = &r->lift[r->of[vi]];
    *longest = v3_len_sq(way) > v3_len_sq(*longest) ? way : *longest;
    return true;
}

vec3 bodies_move(const bodies *r, int32_t object)
{
    return r->met[object] ? v3_scale(r->step, r->push[object]) : r->lift[object];
}
