/* SPDX-License-Identifier: MIT */
/* Inelastic impact zones: where impulses one by one do not settle it, all constraints that turned up are kept, and the
 * ends of the step are changed by the least, in the sense of kinetic energy, such that all hold: a quadratic program
 * whose dual, one impulse ≥ 0 a constraint, projected Gauss–Seidel solves. Unlike a rigid zone it slides and comes
 * apart. (Harmon, Vouga, Tamstorf and Grinspun 2008, Robust Treatment of Simultaneous Collisions; there velocities at
 * the contact's time, here ends of the step, see impact.h.)
 *
 * The unknown is x1 itself: x1 = x1(given) + Σ push_c step_c at any moment, so an impulse that is not needed any more
 * is taken back. Velocities have a program of their own: n·Σ w v ≥ 0.
 *
 * Invariants: every impulse conserves momentum (impact.h), so does the sum; no impulse pulls. */
#include "contact/prevent/impact_zone.h"

#include <string.h>

#include "base/clock.h"
#include "base/union_find.h"
#include "contact/params.h"
#include "contact/prevent/detect.h"

/* ---- impact zones that grow together ----------------------------------------------------------------------------- */

void impact_zone_reset(prevent_job *j)
{
    for (int32_t i = 0; i < j->world->n_dofs; i++)
        j->work->parent[i] = -1;
}

int32_t impact_zone_find(prevent_work *k, int32_t dof)
{
    return k->parent[dof] < 0 ? -1 : union_find_root(k->parent, dof);
}

int32_t impact_zone_link(prevent_job *j, const impact *c, bool *grew)
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
            int32_t own = impact_zone_find(j->work, r->dof[d]);
            if (own < 0) {
                own = j->work->parent[r->dof[d]] = r->dof[d];
                *grew = true;
            }
            if (root >= 0 && root != own)
                *grew = true;
            root = root < 0 ? own : union_find_join(j->work->parent, root, own);
        }
    }
    return root;
}

int32_t impact_zone_count(prevent_job *j)
{
    prevent_work *k = j->work;
    int32_t n = 0, largest = 0;
    for (int32_t i = 0; i < j->world->n_dofs; i++)
        k->impact_zone_size[i] = 0;
    for (int32_t i = 0; i < j->world->n_dofs; i++) {
        int32_t root = impact_zone_find(k, i);
        if (root < 0)
            continue;
        if (root == i)
            k->impact_zone_of[i] = n++;
        k->impact_zone_size[root]++;
        largest = k->impact_zone_size[root] > largest ? k->impact_zone_size[root] : largest;
    }
    j->stats->largest_zone = largest > j->stats->largest_zone ? largest : j->stats->largest_zone;
    return n;
}

/* ---- the inelastic solve ----------------------------------------------------------------------------------------- */

static bool is_much_the_same(const impact *a, const impact *b)
{
    double w = 0;
    for (int i = 0; i < 4; i++)
        w = max_of(w, fabs(a->w[i] - b->w[i]));
    return w < IMPACT_ZONE_SAME_PLACE && v3_dot(a->normal, b->normal) > IMPACT_ZONE_SAME_NORMAL;
}

static bool gather_hit(prevent_job *j, const impact *c)
{
    prevent_work *k = j->work;
    bool grew;
    ledger_entry *entry = ledger_find(&k->ledger, j->world->mem, c);
    if (!entry || !k->constraints)
        return false;
    impact_zone_link(j, c, &grew);
    impact *last = entry->constraint > 0 ? &k->constraints[entry->constraint - 1] : NULL;
    if (last && is_much_the_same(last, c)) {
        double push = last->push, push_v = last->push_v;
        *last = *c;
        last->push = push;
        last->push_v = push_v;
    } else {
        k->constraints[k->n_constraints++] = *c;
        entry->constraint = (int32_t)k->n_constraints;
    }
    return true;
}

bool impact_zone_gather(prevent_job *j)
{
    prevent_work *k = j->work;
    if (k->n_constraints + j->n_hits > INT32_MAX / 2 ||
        !WORK_ROOM(j->world->mem, k->constraints, k->constraint_room, k->n_constraints + j->n_hits))
        return false;
    for (int32_t i = 0; i < j->n_hits; i++)
        if (!gather_hit(j, &k->hits[k->order[i]]))
            return false;
    return true;
}

/* One step of projected Gauss–Seidel on a constraint that lacks `missing`; what it changed, as a gap. */
static double relax_constraint(const impact_reach *r, double missing, double *push, vec3 *a)
{
    double change = max_of(-*push, missing / r->yield);
    if (change == 0)
        return 0;
    *push += change;
    impact_push(r, change, a);
    return fabs(change) * r->yield;
}

/* A sweep over all constraints; whether something moved by more than a small part of what it has room for. */
static bool relax_all(const impact_world *w, impact *constraints, const impact_reach *reaches, int64_t n)
{
    bool moving = false;
    for (int64_t i = 0; i < n; i++) {
        impact *c = &constraints[i];
        const impact_reach *r = &reaches[i];
        if (!(r->yield > 0))
            continue;
        double changed = relax_constraint(r, impact_missing(w, c), &c->push, w->x1);
        double changed_v = relax_constraint(r, -v3_dot(c->normal, impact_velocity(w, c)), &c->push_v, w->v1);
        double room = IMPACT_ZONE_CONVERGED * (c->aim_end - c->floor);
        moving |= changed > room || changed_v * w->world->h > room;
    }
    return moving;
}

bool impact_zone_solve(prevent_job *j)
{
    prevent_work *k = j->work;
    impact_world w = {j->world, k->obstacle, j->x0, j->x1, j->v1};
    if (!WORK_ROOM(j->world->mem, k->reaches, k->reach_room, k->n_constraints))
        return false;
    for (int64_t i = 0; i < k->n_constraints; i++)
        impact_reach_along(&w, &k->constraints[i], k->constraints[i].normal, &k->reaches[i]);
    for (int it = 0; it < IMPACT_ZONE_ITERATIONS; it++)
        if (!relax_all(&w, k->constraints, k->reaches, k->n_constraints))
            break;
    return true;
}

bool impact_zone_respond(prevent_job *j)
{
    prevent_work *k = j->work;
    int32_t fewest = j->n_hits, since = 0;
    impact_zone_reset(j);
    k->n_constraints = 0;
    for (int round = 0; round < IMPACT_ZONE_ROUNDS && j->n_hits > 0 && since < IMPACT_ZONE_PATIENCE; round++) {
        double t0 = clock_seconds();
        if (!impact_zone_gather(j) || !impact_zone_solve(j))
            return false;
        j->stats->inelastic++;
        j->stats->seconds_respond += clock_seconds() - t0;
        if (!prevent_test_again(j))
            return false;
        since = j->n_hits < fewest ? 0 : since + 1;
        fewest = j->n_hits < fewest ? j->n_hits : fewest;
    }
    j->stats->zones += impact_zone_count(j);
    return true;
}
