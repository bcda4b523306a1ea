/* SPDX-License-Identifier: MIT */
/* provot1997 §3.3 and §4.4 as they stand, for comparison. Each hit is answered once, as if it were at the step's start:
 * the velocity of each of its nodes, in the frame of their centre of mass (of the collider, where there is one), is
 * split along the normal at the start and changed by eq. 4. Then impact zones, each moving as one, grow until
 * nothing hits.
 *
 * Where it had to be filled in: what an obstacle in a zone does, and what happens if a rigid motion is not safe after
 * rounding, is Weft's fail-safe. With friction eq. 4, node by node, does not keep momentum. */
#include "contact/prevent/provot.h"

#include "contact/prevent/failsafe.h"
#include "contact/gap.h"
#include "contact/collider/respond.h"

/* The triangle's normal, or the product of the edges' directions. */
static vec3 start_normal(const prevent_job *j, const impact *c)
{
    vec3 x[4];
    for (int i = 0; i < 4; i++)
        x[i] = j->x0[c->node[i]];
    vec3 a = c->edges ? v3_sub(x[1], x[0]) : v3_sub(x[2], x[1]), b = c->edges ? v3_sub(x[3], x[2]) : v3_sub(x[3], x[1]);
    return v3_unit_or(v3_cross(a, b), c->normal);
}

static vec3 mean_velocity(const prevent_job *j, int32_t node)
{
    return v3_scale(1 / j->world->h, v3_sub(j->x1[node], j->x0[node]));
}

static vec3 frame_velocity(const prevent_job *j, const impact *c, const impact_reach *r)
{
    double mass = 0;
    vec3 momentum = v3_zero(), fixed = v3_zero();
    int32_t n_fixed = 0;
    impact_world w = {j->world, j->work->obstacle, j->x0, j->x1, j->v1};
    for (int i = 0; i < 4; i++) {
        int32_t vi = c->node[i];
        const node_row *row = vi < j->world->n_dofs ? &j->world->rows[vi] : NULL;
        if (row && (row->dof[1] >= 0 || impact_dof_is_free(&w, row->dof[0])))
            continue;
        fixed = v3_add(fixed, mean_velocity(j, vi));
        n_fixed++;
    }
    for (int32_t i = 0; i < r->n; i++) {
        double m = j->world->mass[r->dof[i]];
        mass += m;
        momentum = v3_madd(momentum, m, mean_velocity(j, r->dof[i]));
    }
    return n_fixed > 0 ? v3_scale(1.0 / n_fixed, fixed) : v3_scale(mass > 0 ? 1 / mass : 0, momentum);
}

/* Eq. 4 for one node, whichever side of the triangle it is on. */
static vec3 after_impact(vec3 v, vec3 frame, vec3 normal, double k_f, double k_d)
{
    bool away = v3_dot(v3_sub(v, frame), normal) > 0;
    return respond_velocity(v, frame, away ? v3_neg(normal) : normal, k_f, k_d);
}

static void respond_to_hit(prevent_job *j, const impact *c)
{
    impact_world w = {j->world, j->work->obstacle, j->x0, j->x1, j->v1};
    impact_reach r;
    impact_reach_along(&w, c, c->normal, &r);
    vec3 normal = start_normal(j, c), centre = frame_velocity(j, c, &r);
    double k_f = impact_coefficient(&w, c, j->world->friction), k_d = impact_coefficient(&w, c, j->world->dissipation);
    for (int32_t i = 0; i < r.n; i++) {
        vec3 v = mean_velocity(j, r.dof[i]), after = after_impact(v, centre, normal, k_f, k_d);
        vec3 change = filter_apply(&j->world->filters[r.dof[i]], v3_sub(after, v));
        j->x1[r.dof[i]] = v3_madd(j->x1[r.dof[i]], j->world->h, change);
        j->v1[r.dof[i]] = v3_add(j->v1[r.dof[i]], change);
    }
}

prevent_end provot_respond(prevent_job *j)
{
    for (int32_t i = 0; i < j->n_hits; i++)
        respond_to_hit(j, &j->work->hits[j->work->order[i]]);
    j->stats->sweeps++;
    if (!prevent_test_again(j))
        return PREVENT_FAILED;
    return j->n_hits > 0 ? failsafe(j) : PREVENT_FREE;
}
