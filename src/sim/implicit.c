/* SPDX-License-Identifier: MIT */
/* An implicit substep: Newton's method on the incremental potential of predict.c's formula, with contacts inside, and
 * what its solution makes of velocities and of the contacts' memory.
 *
 * Velocities come from the solution before it is snapped to the grid: were they taken from snapped positions, rounding
 * would drive them like noise. */
#include <string.h>

#include "base/ranges.h"
#include "base/clock.h"
#include "sim/params.h"
#include "sim/phases.h"

static double acceptable(const model *m)
{
    return max_of(NEWTON_ACCEPTABLE_EDGES * m->mean_edge, NEWTON_ACCEPTABLE_WAY * m->way);
}

static bool contact_is_fine(const model *m)
{
    return m->def->contact == WEFT_CONTACT_FINE;
}

/* Where much of the cloth's weight lies on meshes, or with fine contact any of it on anything, it may slide there: what
 * is left of friction, or of the way along the surface, is a brake. */
static bool wants_accuracy(void *context)
{
    const model *m = context;
    double lies = m->cloth_contact.pairs.firm;
    if (!m->cloth_contact.bvh || m->violent)
        return false;
    if (contact_is_fine(m))
        return lies + m->collider_contacts.force > FINE_LYING_WEIGHT * m->weight;
    return lies > LYING_WEIGHT * m->weight;
}

/* Whether what the last update has changed of friction moves the cloth by no more than the solve may be off by. */
static bool friction_is_accurate(const model *m)
{
    const pair_set *p = &m->cloth_contact.pairs;
    const collider_contacts *c = &m->collider_contacts;
    double normal =
        fabs(p->force - p->force_was) + (m->n_analytic > 0 ? c->switched + fabs(c->force - c->force_was) : 0);
    double change = fabs(p->firm_sliding - p->firm_was) + FINE_FRICTION * normal;
    return change * m->gamma[0] * m->gamma[0] <= m->accuracy * m->free_mass;
}

static bool is_settled(model *m, bool pairs)
{
    if (contact_is_fine(m) && wants_accuracy(m))
        return friction_is_accurate(m);
    return (m->n_analytic == 0 || collider_contact_is_settled(&m->collider_contacts)) && pairs;
}

static bool refresh_contacts(void *context, const vec3 *q, newton_moment moment)
{
    static const collider_contact_mode modes[] = {COLLIDER_CONTACT_KEEP, COLLIDER_CONTACT_NOTE, COLLIDER_CONTACT_UPDATE,
                                                  COLLIDER_CONTACT_UPDATE};
    model *m = context;
    bool settled = cloth_contact_refresh(m, q, moment);
    if (m->n_analytic == 0)
        return is_settled(m, settled);
    m->n_placed += assembly_expand(&m->assembly, q, m->x);
    collider_contact_find(&m->collider_contacts, modes[moment], m->n_placed);
    return is_settled(m, settled);
}

/* Whether hardly anything touches anything. */
static bool is_free(const model *m)
{
    return (double)m->cloth_contact.pairs.n + m->collider_contacts.n_contacts <= FREE_CONTACTS * m->n;
}

/* The way that weight goes in the step, m; of what has little weight, as much as 1 m/s² leads. */
static double way_of_weight(const model *m, double h)
{
    return gravity_or_one(m->def) * h * h;
}

/* Whether nothing holds or touches the cloth from outside. What the inner solve leaves of its momentum is then taken
 * out by a translation, so that Newton's method starts each step from the right place. */
static bool flies(const model *m)
{
    bool held = m->collider_contacts.n_contacts > 0 || m->mesh.n_nodes > 0 || m->forces.list[FORCE_SOFT].n > 0;
    for (int32_t i = 0; i < m->n && !held; i++)
        held = m->filters[i].kind != FREEDOM_ALL && m->rows[i].dof[0] == i && m->rows[i].dof[1] < 0;
    return !held;
}

/* Whether cloth that touches nothing, or in empty space nothing but cloth, still moves in the solve. */
static bool is_restless(const model *m, const vec3 *last)
{
    bool free = is_free(m), any = false;
    if (!free && !(is_vacuum(m) && flies(m)))
        return false;
    double far = (free ? FREE_ACCURACY : FLIGHT_ACCURACY) * way_of_weight(m, m->gamma[1]);
    far = max_of(m->def->newton_tolerance, far);
    for (int32_t i = 0; i < m->n && !any; i++)
        any = v3_max_abs(last[i]) > far;
    return any;
}

static int32_t patience(void *context, const vec3 *q, const vec3 *last)
{
    model *m = context;
    if (m->violent)
        return 1;
    if (is_restless(m, last))
        return NEWTON_PATIENCE;
    return edges_are_taut(m, q, last) ? NEWTON_PATIENCE : cloth_contact_slides(m) ? NEWTON_PATIENCE_SLIDING : 1;
}

static bool moves_freely(const model *m, int32_t i)
{
    return m->filters[i].kind == FREEDOM_ALL;
}

/* What forces have done in the last step, m/s², in the mean over the parts that Newton's method looks at together:
 * noise of single nodes cancels. Also the mass of all that is free. */
static double common_acceleration(const model *m, const state *st, double *mass)
{
    double sum = 0;
    *mass = 0;
    for (int32_t i = 0; i < m->n;) {
        vec3 together = v3_zero();
        for (int32_t end = i + NEWTON_PIECE; i < m->n && i < end; i++) {
            double kg = moves_freely(m, i) ? m->mass[i] : 0;
            together = v3_madd(together, kg, st->accel[i]);
            *mass += kg;
        }
        sum += v3_len(together);
    }
    return *mass > 0 ? sum / *mass : 0;
}

/* What a solve may be off by, m: a part of the way that weight goes in the step; with fine contact of what all forces
 * do in it. */
static double solve_accuracy(model *m, const state *st, double h)
{
    double weight = m->def->newton_tolerance * way_of_weight(m, h);
    m->accuracy = SOLVE_ACCURACY * weight;
    if (contact_is_fine(m)) {
        double accel = common_acceleration(m, st, &m->free_mass);
        m->accuracy = max_of(FINE_LEAST_ACCURACY * weight, FINE_ACCURACY * accel * h * h);
    }
    return m->accuracy;
}

typedef struct node_run {
    model *m;
    const state *st;
    const ranges *ranges;
    double h;
    vec3 *start; /* start_range: where all of it began */
    bool moved[RANGES_MOST];
} node_run;

/* Where all of it began, but for what is held; whether that is elsewhere. */
static void start_range(void *context, int32_t range)
{
    node_run *r = context;
    const model *m = r->m;
    vec3 *start = r->start;
    for (int32_t i = ranges_begin(r->ranges, range); i < ranges_end(r->ranges, range); i++) {
        start[i] = m->filters[i].kind == FREEDOM_ALL ? r->st->q[i] : m->q1[i];
        r->moved[range] = r->moved[range] || v3_max_abs(v3_sub(start[i], r->st->q[i])) > 0;
    }
}

/* Whether Φ at q1 is at most `most`. Where elements alone have more, as those of torn folds have, pairs keep their
 * closest points; where stretch alone has, elements their angles. */
static bool guess_has_less(model *m, const newton_problem *p, const vec3 *start, double most)
{
    if (assembly_least(p->assembly, m->q1) > most)
        return false;
    double least = newton_least(&m->newton, p, m->q1);
    if (!(least <= most))
        return false;
    cloth_contact_measure(m, m->q1);
    bool less = newton_rest(&m->newton, p, m->q1, least) <= most;
    if (!less)
        cloth_contact_measure(m, start);
    return less;
}

/* The guess by the acceleration that free nodes felt, in place of gravity's share of it, into q1; what was there into
 * `other`. */
static void guess_by_felt(model *m, const state *st, vec3 *other)
{
    memcpy(other, m->q1, (size_t)m->n * sizeof *other);
    for (int32_t i = 0; i < m->n; i++) {
        double gamma = gamma_of(m, st, i);
        if (m->filters[i].kind == FREEDOM_ALL && st->memory[i].owner == CONTACT_OWNER_NONE)
            m->q1[i] = v3_madd(m->target[i], gamma * gamma, v3_sub(st->accel[i], external_at(m, i)));
    }
    keep_edges(m, st->q, m->q1);
    follow_parents(m, m->q1);
}

/* Free flight can tear folds apart that the last step had laid down; then the start is the better guess: the one with
 * the less Φ. (Points on the way between them have not saved a Newton step.) */
static void choose_guess(model *m, const state *st, const newton_problem *p)
{
    arena_mark before = arena_mark_of(m->scratch);
    vec3 *start, *other;
    if (!ARENA_TAKE(m->scratch, start, m->n) || !ARENA_TAKE(m->scratch, other, m->n))
        return;                       /* implicit_propose notices */
    bool moved = m->mesh.n_nodes > 0; /* meshes, or what is held: pairs have been measured where all of it began */
    ranges of_nodes = ranges_of(m->n);
    node_run r = {.m = m, .st = st, .ranges = &of_nodes, .start = start};
    pool_for(m->pool, of_nodes.n, start_range, &r);
    for (int32_t i = 0; i < of_nodes.n; i++)
        moved = moved || r.moved[i];
    if (moved)
        cloth_contact_measure(m, start);
    double at_start = newton_energy(&m->newton, p, start, HUGE_VAL);
    bool less = false;
    if (is_free(m)) {
        guess_by_felt(m, st, other);
        less = guess_has_less(m, p, start, at_start);
        if (!less)
            memcpy(m->q1, other, (size_t)m->n * sizeof *other);
    }
    if (!less && !guess_has_less(m, p, start, at_start))
        memcpy(m->q1, start, (size_t)m->n * sizeof *start);
    arena_release(m->scratch, before);
}

/* Somebody may ask for the forces that hold nodes. */
static bool holds_nodes(const definitions *d)
{
    bool any = false;
    for (int32_t i = 0; i < d->attachments.n; i++)
        any = any || d->attachments.items[i].item;
    return any;
}

static newton_end solve(model *m, const state *st, double h, bool first, newton_stats *stats)
{
    newton_problem p = {
        .assembly = &m->assembly,
        .pool = m->pool,
        .n = m->n,
        .mass = m->mass,
        .target = m->target,
        .restart = st->restart,
        .gamma = {m->gamma[0], m->gamma[1]},
        .filters = m->filters,
        .motion = m->motion,
        .contacts = (const contact_term *const *)&m->collider_contacts.contacts,
        .n_contacts = &m->collider_contacts.n_contacts,
        .pairs = m->cloth_contact.pairs.terms,
        .n_pairs = m->cloth_contact.pairs.n,
        .rods = m->rods,
        .n_rods = m->n_rods,
        .refresh = refresh_contacts,
        .patience = patience,
        .wants_accuracy = wants_accuracy,
        .accuracy = solve_accuracy(m, st, h),
        .in_parts = contact_is_fine(m),
        .retract = retract_trial,
        .context = m,
        .wants_gradient = holds_nodes(m->defs),
        .flies = flies(m),
        .tolerance = m->def->newton_tolerance,
        .acceptable = acceptable(m),
        .linear_tolerance = m->def->linear_tolerance,
        .limit = m->def->newton_limit,
        .linear_limit = m->def->linear_limit,
        .scratch = m->scratch,
        .cancel = m->cancel,
        .watch = m->watch,
        .watcher = m->watcher,
    };
    if (!arena_reserve(m->scratch, newton_bytes(&m->newton, &m->assembly.hessian)) ||
        !untangling_drag(m, st, h, &p.mass, &p.target))
        return NEWTON_BROKEN;
    if (first)
        choose_guess(m, st, &p);
    return newton_solve(&m->newton, &p, m->q1, stats);
}

/* And nothing is remembered yet. */
static void velocity_range(void *context, int32_t range)
{
    const node_run *r = context;
    model *m = r->m;
    const state *st = r->st;
    for (int32_t i = ranges_begin(r->ranges, range); i < ranges_end(r->ranges, range); i++) {
        bool free = m->filters[i].kind == FREEDOM_ALL;
        m->v1[i] = free ? v3_scale(1.0 / gamma_of(m, st, i), v3_sub(m->q1[i], base_of(m, st, i)))
                        : v3_scale(1.0 / r->h, v3_sub(m->q1[i], st->q[i]));
        m->next_memory[i] = (contact_memory){.owner = CONTACT_OWNER_NONE};
        m->next_restart[i] = 0;
        m->next_radius[i] = st->pair_radius[i];
    }
}

static void find_velocities(model *m, const state *st, double h)
{
    ranges p = ranges_of(m->n);
    node_run r = {.m = m, .st = st, .ranges = &p, .h = h};
    pool_for(m->pool, p.n, velocity_range, &r);
}

static vec3 surface_velocity(const collider *c, vec3 x0, double h)
{
    return v3_scale(1.0 / h, v3_sub(collider_carry(c, x0), x0));
}

/* A node that meets a collider in this step ends the step with k_d times its speed of approach (provot1997 eq. 4). The
 * solve has stopped it already if it is light beside the contact's stiffness; what a heavy node lacks is made up here,
 * with the friction that goes with it: all that is left of the cone. Returns what friction it ends with over that cone:
 * 1, the way that it goes on, where it slides. */
static vec3 strike_collider(model *m, const state *st, const contact_term *c, int32_t vi, double h)
{
    const collider *co = &m->colliders[c->owner];
    if (m->rows[vi].dof[1] >= 0) /* it follows others, which have contacts of their own */
        return v3_zero();
    vec3 ground = surface_velocity(co, m->x0[vi], h), v0 = v3_sub(st->v[vi], ground);
    /* Of the way gone in this step: BDF2's velocity has the motion before the impact in it. */
    vec3 v = v3_sub(v3_scale(1.0 / h, v3_sub(m->q1[vi], st->q[vi])), ground);
    double before = v3_dot(c->normal, v0), after = v3_dot(c->normal, v);
    if (before >= 0)
        return v3_zero();
    vec3 along = v3_madd(v, -after, c->normal);
    double speed = v3_len(along), speed0 = v3_len(v3_madd(v0, -before, c->normal));
    double left = max_of(0.0, -c->friction * before - max_of(0.0, speed0 - speed));
    double kept = speed > left ? 1 - left / speed : 0;
    double k_d = forces_node(&m->forces, vi)->dissipation * co->dissipation;
    m->v1[vi] = v3_add(ground, v3_madd(v3_scale(kept, along), -k_d * before, c->normal));
    return kept > 0 ? v3_scale(1 / speed, along) : v3_zero();
}

/* A node in touch remembers its own contact, or else its face's. */
static void remember_contact(model *m, const state *st, const contact_term *c, int32_t vi, double h,
                             contact_memory *memory, int32_t *restart)
{
    const vec3 *x = m->assembly.x;
    bool known = st->memory[vi].owner == c->owner;
    vec3 friction_ratio = known ? contact_friction_ratio(c, c->force, x) : memory[vi].friction_ratio;
    if (!known && memory[vi].owner != c->owner) {
        restart[vi] = 1;
        friction_ratio = strike_collider(m, st, c, vi, h);
    }
    double force = contact_force(c, x);
    if (c->n == 1 || memory[vi].owner == CONTACT_OWNER_NONE)
        memory[vi] = (contact_memory){
            .friction_ratio = friction_ratio, .force = force > 0 ? c->force / force : 0, .owner = c->owner};
}

/* Impacts, and what nodes remember of their contact. */
static void finish_contacts(model *m, const state *st, double h)
{
    const vec3 *x = m->assembly.x; /* of the last evaluation: the solution */
    for (int32_t i = 0; i < m->collider_contacts.n_contacts; i++) {
        const contact_term *c = &m->collider_contacts.contacts[i];
        for (int k = 0; k < c->n && contact_depth(c, x) > 0; k++)
            remember_contact(m, st, c, c->node[k], h, m->next_memory, m->next_restart);
    }
}

static void finish_rods(model *m, contact_memory *memory)
{
    for (int32_t i = 0; i < m->n_rods; i++) {
        const rod_term *r = &m->rods[i];
        double cone = r->friction * r->force, pull = rod_friction(r, m->q1);
        memory[r->dof] = (contact_memory){.friction_ratio = v3_scale(cone > 0 ? pull / cone : 0, r->axis),
                                          .force = r->force,
                                          .owner = CONTACT_OWNER_ROD};
    }
}

/* Forces on colliders and attachments, of a substep that counts. */
void implicit_record_forces(model *m, double fraction)
{
    const vec3 *x = m->assembly.x;
    /* ∇Φ has the friction of rods in it; what they exert is the whole. */
    for (int32_t i = 0; i < m->n_rods; i++) {
        vec3 *g = &m->newton.gradient[m->rods[i].dof];
        *g = v3_madd(*g, -rod_friction(&m->rods[i], x), m->rods[i].axis);
    }
    record_reactions(m, m->newton.gradient, x, fraction);
    for (int32_t i = 0; i < m->collider_contacts.n_contacts; i++) {
        const contact_term *c = &m->collider_contacts.contacts[i];
        vec3 force, point = v3_zero();
        contact_eval(c, x, &force, NULL);
        for (int k = 0; k < c->n; k++)
            point = v3_madd(point, c->w[k], x[c->node[k]]);
        record_contact(m, c->owner, point, force, fraction);
    }
    cloth_contact_record(m, m->q1, fraction);
    pressure_record(m, fraction);
}

static void add_newton(weft_step_stats *stats, const newton_stats *ns)
{
    stats->newton_iterations += ns->iterations;
    stats->linear_iterations += ns->linear_iterations;
    stats->residual = ns->residual;
    stats->seconds_touch += ns->seconds_touch;
    stats->seconds_assemble += ns->seconds_assemble;
    stats->seconds_solve += ns->seconds_solve;
}

bool touch(model *m, const state *st, double h, weft_step_stats *stats)
{
    arena_mark before = arena_mark_of(m->scratch);
    m->collider_contacts.memory = st->memory;
    m->collider_contacts.h = h;
    m->n_placed += assembly_expand(&m->assembly, m->q1, m->x);
    collider_contact_find(&m->collider_contacts, COLLIDER_CONTACT_START, m->n_placed);
    arena_release(m->scratch, before); /* the solve finds them again */
    return cloth_contact_begin(m, st, h, stats);
}

/* Velocities and what contacts remember, of the solution. False without memory. */
static bool finish(model *m, const state *st, double h)
{
    if (!model_take_next(m))
        return false;
    find_velocities(m, st, h);
    finish_contacts(m, st, h);
    impacts_between_cloths(m, st, h);
    finish_rods(m, m->next_memory);
    if (!cloth_contact_remember(m))
        return false;
    loosen_edges(m, st, m->newton.direction);
    limit_edges(m, h);
    if (!keep_flight(m, st, h))
        return false;
    follow_parents(m, m->q1);
    return true;
}

solve_end implicit_propose(model *m, const state *st, const substep *sub, int round, weft_step_stats *stats)
{
    newton_stats ns = {0};
    int64_t n_failed = m->mem->n_failed;
    if (!(round == 0 ? cloth_contact_couple(m, stats) : cloth_contact_again(m, stats)))
        return SOLVE_FAILED;
    newton_end end = solve(m, st, sub->h, round == 0, &ns);
    add_newton(stats, &ns);
    stats->contacts = m->collider_contacts.n_contacts;
    if (end == NEWTON_CANCELLED)
        return SOLVE_CANCELLED;
    bool good = end != NEWTON_BROKEN && ns.residual <= (sub->last ? NEWTON_BEARABLE * m->mean_edge : acceptable(m));
    good = good && finish(m, st, sub->h) && m->mem->n_failed == n_failed; /* trials have no way to tell */
    return good ? SOLVE_DONE : SOLVE_FAILED;
}
