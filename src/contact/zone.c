/* SPDX-License-Identifier: MIT */
/* Inelastic zones: where impulses one by one do not settle it, all constraints that turned up are kept, and the ends of
 * the step are changed by the least, in the sense of kinetic energy, such that all hold: a quadratic program whose
 * dual, one impulse ≥ 0 a constraint, projected Gauss–Seidel solves. Unlike a rigid zone it slides and comes apart.
 * (Harmon, Vouga, Tamstorf and Grinspun 2008, Robust Treatment of Simultaneous Collisions; there velocities at the
 * contact's time, here ends of the step, see impact.h.)
 *
 * The unknown is x1 itself: x1 = x1(given) + Σ push_c step_c at any moment, so an impulse that is not needed any more
 * is taken back. Velocities have a program of their own: n·Σ w v ≥ 0.
 *
 * Invariants: every impulse conserves momentum (impact.h), so does the sum; no impulse pulls. */
#include "contact/zone.h"

#include <string.h>

#include "base/clock.h"
#include "contact/detect.h"

#define ROUNDS 10
#define ITERATIONS 200

/* ---- union-find -------------------------------------------------------------------------------------------------- */

void zone_reset(prevent_job *j)
{
    for (int32_t i = 0; i < j->world->n_dofs; i++)
        j->work->parent[i] = -1;
}

int32_t zone_find(prevent_work *k, int32_t dof)
{
    if (k->parent[dof] < 0)
        return -1;
    while (k->parent[dof] != dof) {
        k->parent[dof] = k->parent[k->parent[dof]];
        dof = k->parent[dof];
    }
    return dof;
}

/* The smaller number becomes the root: the same zones have the same roots, however they came about. */
static int32_t unite(prevent_work *k, int32_t a, int32_t b, bool *grew)
{
    if (a == b)
        return a;
    *grew = true;
    int32_t root = a < b ? a : b;
    k->parent[a < b ? b : a] = root;
    return root;
}

int32_t zone_link(prevent_job *j, const impact *c, bool *grew)
{
    impact_world w = {j->world, j->work->obstacle, j->x0, j->x1, j->v1};
    int32_t root = -1;
    for (int i = 0; i < 4; i++) {
        if (c->node[i] >= j->world->n_dofs)
            continue;
        const node_row *r = &j->world->rows[c->node[i]];
        for (int d = 0; d < 2 && r->dof[d] >= 0; d++) {
            if (!impact_dof_is_free(&w, r->dof[d]))
                continue;
            int32_t own = zone_find(j->work, r->dof[d]);
            if (own < 0) {
                own = j->work->parent[r->dof[d]] = r->dof[d];
                *grew = true;
            }
            root = root < 0 ? own : unite(j->work, root, own, grew);
        }
    }
    return root;
}

int32_t zone_count(prevent_job *j)
{
    prevent_work *k = j->work;
    int32_t n = 0, largest = 0;
    for (int32_t i = 0; i < j->world->n_dofs; i++)
        k->zone_size[i] = 0;
    for (int32_t i = 0; i < j->world->n_dofs; i++) {
        int32_t root = zone_find(k, i);
        if (root < 0)
            continue;
        if (root == i)
            k->zone_of[i] = n++;
        k->zone_size[root]++;
        largest = k->zone_size[root] > largest ? k->zone_size[root] : largest;
    }
    j->stats->largest_zone = largest > j->stats->largest_zone ? largest : j->stats->largest_zone;
    return n;
}

/* ---- the inelastic solve ----------------------------------------------------------------------------------------- */

bool zone_gather(prevent_job *j)
{
    prevent_work *k = j->work;
    bool grew;
    if (!WORK_ROOM(j->world->mem, k->constraints, k->constraint_room, k->n_constraints + j->n_hits))
        return false;
    for (int32_t i = 0; i < j->n_hits; i++) {
        impact *c = &k->hits[k->order[i]];
        zone_link(j, c, &grew);
        k->constraints[k->n_constraints++] = *c;
    }
    return true;
}

/* One step of projected Gauss–Seidel on a constraint that lacks `missing`; what it changed, as a gap. */
static double relax(const impact_reach *r, double missing, double *push, vec3 *a)
{
    double change = max_of(-*push, missing / r->yield);
    if (change == 0)
        return 0;
    *push += change;
    impact_push(r, change, a);
    return fabs(change) * r->yield;
}

/* A sweep over all constraints; whether something moved by more than a small part of what it has room for. */
static bool relax_all(const impact_world *w, impact *constraints, int64_t n)
{
    bool moving = false;
    for (int64_t i = 0; i < n; i++) {
        impact *c = &constraints[i];
        impact_reach r;
        impact_reach_along(w, c, c->normal, &r);
        if (!(r.yield > 0))
            continue;
        double changed = relax(&r, impact_missing(w, c), &c->push, w->x1);
        double approach = -v3_dot(c->normal, impact_velocity(w, c));
        double changed_v = relax(&r, approach, &c->push_v, w->v1);
        double room = c->aim_end - c->floor;
        moving |= changed > 0.05 * room || changed_v * w->world->h > 0.05 * room;
    }
    return moving;
}

void zone_solve(prevent_job *j)
{
    impact_world w = {j->world, j->work->obstacle, j->x0, j->x1, j->v1};
    for (int it = 0; it < ITERATIONS; it++)
        if (!relax_all(&w, j->work->constraints, j->work->n_constraints))
            return;
}

bool zone_inelastic(prevent_job *j)
{
    prevent_work *k = j->work;
    double t0 = clock_seconds();
    zone_reset(j);
    k->n_constraints = 0;
    for (int round = 0; round < ROUNDS && j->n_hits > 0; round++) {
        if (!zone_gather(j))
            return false;
        zone_solve(j);
        j->stats->inelastic_rounds++;
        j->stats->seconds_respond += clock_seconds() - t0;
        if (!prevent_look_again(j))
            return false;
        t0 = clock_seconds();
    }
    j->stats->zones += zone_count(j);
    return true;
}
