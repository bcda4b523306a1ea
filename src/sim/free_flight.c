/* SPDX-License-Identifier: MIT */
/* Cloth that nothing holds or touches from outside keeps its momentum and its angular momentum, but for what gravity
 * and the user's forces give it. Both are known, while a solve of a few Newton steps leaves some of them, and BDF2's
 * formula keeps the latter to second order only. So what each flock of such cloths lacks after the solve is made up by
 * a translation and a turn of the whole of it (a projection onto invariants: Hairer, Lubich and Wanner, Geometric
 * Numerical Integration, §IV.4): velocities by as much as is lacking, places by what the integrator's formula makes of
 * that.
 *
 * A flock are cloths that touch each other in the step, are tied or welded. It is left alone where anything of it is
 * held, or touches a collider; all are where there is air, which takes a share that is not known here, and while
 * something tangled is parted. */
#include "base/union_find.h"
#include "sim/params.h"
#include "sim/phases.h"

typedef struct flock {
    bool is_held;
    double mass;
    vec3 middle0, middle1; /* of mass, at the substep's start and end: at first sums */
    vec3 momentum, spin;   /* that it lacks, the latter about its middle */
    mat3 inertia;          /* about middle1 */
    vec3 spin1;            /* that it ends with */
    double gained;         /* kinetic energy in the step, beyond the work of outside forces, J */
    double past_mass;      /* of what has a past, with … */
    vec3 past_middle;
    vec3 pushed;      /* … what others than known forces have given it in the step before, kg m/s, beside … */
    double sizes;     /* … Σ m |v| */
    vec3 speed, turn; /* what makes up for that */
} flock;

typedef struct flight {
    model *m;
    const state *st;
    double h;
    int32_t n;         /* cloths' slots */
    int32_t *cloth_of; /* per node */
    int32_t *lead;     /* per slot: the first of its flock, which … */
    flock *flocks;     /* … has its numbers */
} flight;

static const cloth *cloth_in(const flight *f, int32_t i)
{
    return f->m->defs->cloths.items[i].item;
}

static void number_nodes(flight *f)
{
    for (int32_t k = 0; k < f->n; k++) {
        const cloth *c = cloth_in(f, k);
        for (int32_t i = 0; c && i < c->surface->n_nodes; i++)
            f->cloth_of[c->offset + i] = k;
    }
}

/* ---- what belongs together, what is held ------------------------------------------------------------------------- */

/* What a pair's nodes are on, two and two or one and three; a mesh, whose nodes come after those of cloth, holds. Pairs
 * that have parted count too: friction goes by a force that lags. */
static void join_pair(flight *f, const contact_pair *p)
{
    const int32_t a = p->node[0], b = p->node[3], n = f->m->n;
    if (a < n && b < n)
        union_find_join(f->lead, f->cloth_of[a], f->cloth_of[b]);
    else
        f->flocks[f->cloth_of[a < n ? a : b]].is_held = true;
}

static void join_cloths(flight *f)
{
    const model *m = f->m;
    const definitions *d = m->defs;
    union_find_begin(f->lead, f->n);
    for (int32_t i = 0; i < m->cloth_contact.pairs.n; i++)
        join_pair(f, &m->cloth_contact.pairs.states[i].pair);
    for (int32_t i = 0; i < d->ties.n; i++) {
        const tie *t = d->ties.items[i].item;
        if (t)
            union_find_join(f->lead, f->cloth_of[definitions_cloth(d, t->cloth_a)->offset],
                            f->cloth_of[definitions_cloth(d, t->cloth_b)->offset]);
    }
    union_find_end(f->lead, f->n);
}

static void hold_cloths(flight *f)
{
    const model *m = f->m;
    const soft_element *soft = m->forces.list[FORCE_SOFT].items;
    for (int32_t i = 0; i < m->forces.list[FORCE_SOFT].n; i++)
        f->flocks[f->cloth_of[soft[i].node]].is_held = true;
    for (int32_t i = 0; i < m->collider_contacts.n_contacts; i++)
        f->flocks[f->cloth_of[m->collider_contacts.contacts[i].node[0]]].is_held = true;
    for (int32_t i = 0; i < m->n; i++)
        if (m->filters[i].kind != FREEDOM_ALL && m->rows[i].dof[0] == i && m->rows[i].dof[1] < 0)
            f->flocks[f->cloth_of[i]].is_held = true;
}

/* Whether any flock flies. */
static bool find_flocks(flight *f)
{
    bool any = false;
    for (int32_t k = 0; k < f->n; k++)
        f->flocks[k] = (flock){0};
    number_nodes(f);
    join_cloths(f);
    hold_cloths(f);
    for (int32_t k = 0; k < f->n; k++)
        f->flocks[f->lead[k]].is_held = f->flocks[f->lead[k]].is_held || f->flocks[k].is_held;
    for (int32_t k = 0; k < f->n; k++)
        any = any || (cloth_in(f, k) && !f->flocks[f->lead[k]].is_held);
    return any;
}

/* ---- what it lacks ----------------------------------------------------------------------------------------------- */

static flock *flock_of(const flight *f, int32_t node)
{
    return &f->flocks[f->lead[f->cloth_of[node]]];
}

/* Whether a node goes on by BDF2, which has a past. */
static bool has_own_past(const flight *f, int32_t i)
{
    return f->m->motion.past && !f->st->restart[i];
}

/* What the formula makes of velocities, forces of others left out. */
static vec3 carried_velocity(const flight *f, int32_t i)
{
    const state *st = f->st;
    vec3 v = has_own_past(f, i) ? v3_scale(1.0 / 3, v3_sub(v3_scale(4, st->v[i]), st->v_past[i])) : st->v[i];
    return v3_madd(v, gamma_of(f->m, st, i), external_at(f->m, i));
}

static void add_momentum(const flight *f, int32_t i)
{
    const model *m = f->m;
    const state *st = f->st;
    flock *k = flock_of(f, i);
    double kg = m->mass[i];
    vec3 by_others = v3_scale(f->h, external_at(m, i)), mean = v3_scale(0.5, v3_add(st->v[i], m->v1[i]));
    k->mass += kg;
    k->middle0 = v3_madd(k->middle0, kg, st->q[i]);
    k->middle1 = v3_madd(k->middle1, kg, m->q1[i]);
    k->momentum = v3_madd(k->momentum, kg, v3_sub(carried_velocity(f, i), m->v1[i]));
    k->gained += kg * v3_dot(v3_sub(v3_sub(m->v1[i], st->v[i]), by_others), mean);
    if (!has_own_past(f, i))
        return;
    k->past_mass += kg;
    k->past_middle = v3_madd(k->past_middle, kg, st->q_past[i]);
    k->pushed = v3_madd(k->pushed, kg, v3_sub(v3_sub(st->v[i], st->v_past[i]), by_others));
    k->sizes += kg * v3_len(st->v[i]);
}

/* Angular momentum at the start, as the formula carries it on where something outside has just given some. */
static vec3 carried_spin(const flight *f, const flock *k, int32_t i)
{
    const state *st = f->st;
    vec3 now = v3_cross(v3_sub(st->q[i], k->middle0), st->v[i]);
    if (!has_own_past(f, i) || v3_len(k->pushed) <= FLIGHT_PUSHED * k->sizes)
        return now;
    vec3 past = v3_cross(v3_sub(st->q_past[i], k->past_middle), st->v_past[i]);
    return v3_scale(1.0 / 3, v3_sub(v3_scale(4, now), past));
}

static void add_spin(const flight *f, int32_t i)
{
    const model *m = f->m;
    flock *k = flock_of(f, i);
    vec3 r0 = v3_sub(f->st->q[i], k->middle0), r1 = v3_sub(m->q1[i], k->middle1);
    vec3 spin1 = v3_cross(r1, m->v1[i]), spin = v3_sub(carried_spin(f, k, i), spin1);
    vec3 torque = v3_cross(v3_scale(0.5, v3_add(r0, r1)), external_at(m, i));
    k->spin1 = v3_madd(k->spin1, m->mass[i], spin1);
    k->spin = v3_madd(k->spin, m->mass[i], v3_madd(spin, f->h, torque));
    mat3 about = m3_madd(m3_scaled_identity(v3_len_sq(r1)), -1.0, m3_outer(r1, r1));
    k->inertia = m3_madd(k->inertia, m->mass[i], about);
}

static void divide_by_mass(flock *k)
{
    k->middle0 = v3_scale(1 / k->mass, k->middle0);
    k->middle1 = v3_scale(1 / k->mass, k->middle1);
    k->speed = v3_scale(1 / k->mass, k->momentum);
    if (k->past_mass > 0)
        k->past_middle = v3_scale(1 / k->past_mass, k->past_middle);
}

/* How much of a turn is made: all of it, unless that would bring more kinetic energy than the step has taken. A step
 * that is far from solved can crumple cloth, which would spin like a skater. */
static double share_of_turn(const flock *k)
{
    double slope = v3_dot(k->turn, k->spin1), bend = 0.5 * v3_dot(k->turn, m3_mul_v(k->inertia, k->turn));
    double room = max_of(0.0, -k->gained), root = sqrt(slope * slope + 4 * bend * room);
    if (slope + bend <= room)
        return 1;
    return slope > 0 ? 2 * room / (slope + root) : (root - slope) / (2 * bend);
}

/* A single node has no inertia, a line of nodes none about itself: beside what is added here neither turns. */
static void divide_by_inertia(const flight *f, flock *k)
{
    double a = f->m->mean_edge, least = FLIGHT_LEAST_INERTIA * k->mass * a * a;
    mat3 firm = m3_madd(m3_scaled_identity(least), 1.0, k->inertia);
    vec3 turn = m3_mul_v(m3_inverse(firm), k->spin);
    k->turn = v3_is_finite(turn) ? turn : v3_zero();
    k->turn = v3_scale(share_of_turn(k), k->turn);
}

static void make_up(const flight *f, int32_t i)
{
    model *m = f->m;
    const flock *k = flock_of(f, i);
    if (k->is_held || !(k->mass > 0))
        return;
    vec3 by = v3_add(k->speed, v3_cross(k->turn, v3_sub(m->q1[i], k->middle1)));
    m->v1[i] = v3_add(m->v1[i], by);
    m->q1[i] = v3_madd(m->q1[i], gamma_of(m, f->st, i), by);
}

static void make_up_all(const flight *f)
{
    const int32_t n = f->m->n;
    for (int32_t k = 0; k < f->n; k++)
        f->flocks[k] = (flock){.is_held = f->flocks[k].is_held};
    for (int32_t i = 0; i < n; i++)
        add_momentum(f, i);
    for (int32_t k = 0; k < f->n; k++)
        if (f->flocks[k].mass > 0)
            divide_by_mass(&f->flocks[k]);
    for (int32_t i = 0; i < n; i++)
        add_spin(f, i);
    for (int32_t k = 0; k < f->n; k++)
        divide_by_inertia(f, &f->flocks[k]);
    for (int32_t i = 0; i < n; i++)
        make_up(f, i);
}

bool is_vacuum(const model *m)
{
    air_par air = air_now(m->def);
    return air.drag == 0 && air.skin == 0 && air.viscosity == 0;
}

bool keep_flight(model *m, const state *st, double h)
{
    flight f = {.m = m, .st = st, .h = h, .n = m->defs->cloths.n};
    if (!is_vacuum(m) || m->cloth_contact.parting || st->groups.n > 0)
        return true;
    arena_mark before = arena_mark_of(m->scratch);
    if (!ARENA_TAKE(m->scratch, f.cloth_of, m->n) || !ARENA_TAKE(m->scratch, f.lead, f.n) ||
        !ARENA_TAKE(m->scratch, f.flocks, f.n))
        return false;
    bool any = find_flocks(&f);
    for (int round = 0; any && round < FLIGHT_ROUNDS; round++)
        make_up_all(&f);
    arena_release(m->scratch, before);
    return true;
}
