/* SPDX-License-Identifier: MIT */
/* An implicit substep: BDF2, or implicit Euler where there is no history.
 *
 *     Euler   q1 = q0 + h v1                      v1 = v0 + h a1
 *     BDF2    q1 = (4q0 − q₋₁)/3 + (2h/3) v1       v1 = (4v0 − v₋₁)/3 + (2h/3) a1
 *
 * In both q1 = base + γ v1. A node whose velocity has just jumped (an impact) takes one Euler step while the others go
 * on with BDF2: the formulas couple nodes only through forces at the end of the step, so that is sound.
 *
 * Velocities come from the solution before it is snapped to the grid: were they taken from snapped positions, rounding
 * would drive them like noise. */
#include <string.h>

#include "base/ranges.h"
#include "contact/collider/respond.h"
#include "sim/sim.h"

/* Newton's method stopped at its limit: taken all the same, unless the last step still moved a node by this share of
 * the mean edge length, or of the way that cloth goes in the step if that is more: cloth that lands moves by
 * centimetres in a step on any mesh, and half of a small edge would be an accuracy that nothing else has. Or by
 * BEARABLE of the edge, if the substep cannot be halved any more: the run goes on. */
#define ACCEPTABLE 0.5
#define ACCEPTABLE_WAY 0.125
#define BEARABLE 10.0

static double acceptable(const model *m)
{
    return max_of(ACCEPTABLE * m->mean_edge, ACCEPTABLE_WAY * m->way);
}

static bool has_past(const weft_sim *s, double h)
{
    return s->def.integrator == WEFT_INTEGRATOR_BDF2 && s->state.last_h == h;
}

/* Base of a node's own formula: that of the step, `motion`, unless it starts anew. */
static vec3 base_of(const weft_sim *s, int32_t i)
{
    return s->state.restart[i] ? s->state.q[i] : motion_base(&s->model.motion, i);
}

static double gamma_of(const weft_sim *s, int32_t i)
{
    return s->model.gamma[s->state.restart[i] != 0];
}

/* As much of the outside acceleration as the node felt in the last step; in touch with something, its whole
 * acceleration, which leads along it, unless that came from an impact. A node at rest then starts at rest, not pushed
 * into what holds it. */
static vec3 expected_acceleration(const weft_sim *s, int32_t i)
{
    vec3 felt = s->state.accel[i], outside = external_at(s, i);
    double g = v3_len_sq(outside);
    if (s->state.memory[i].owner != OWNER_NONE)
        return v3_len_sq(felt) <= g ? felt : v3_zero();
    return v3_scale(g > 0 ? min_of(1.0, max_of(0.0, v3_dot(felt, outside) / g)) : 0, outside);
}

/* A node that the last step left pressed in comes out a little, and would leave its contact for a step in which nothing
 * but the line search stops it. Less than the contact's reach does not count as leaving. */
static vec3 stay_in_touch(const weft_sim *s, int32_t i, vec3 guess)
{
    int32_t owner = s->state.memory[i].owner;
    if (owner < 0 || owner >= s->model.n_analytic) /* snapshots may say anything */
        return guess;
    const collider *c = &s->model.colliders[owner];
    vec3 x0 = s->state.q[i], n = shape_distance(&c->shape, pose_unapply(&c->from, x0)).normal;
    n = m3_mul_v(c->to.r, n);
    double away = v3_dot(n, v3_sub(guess, collider_carry(c, x0)));
    return away > 0 && away < collider_contact_radius(&s->model.collider_contacts, i) ? v3_madd(guess, -away, n)
                                                                                      : guess;
}

typedef struct node_run {
    weft_sim *s;
    const ranges *ranges;
    double h;
    bool two;    /* BDF2 */
    vec3 *start; /* start_range: where all of it began */
    double way[RANGES_MOST];
    bool moved[RANGES_MOST];
} node_run;

/* γ and q̃. */
static void predict_node(node_run *r, int32_t i)
{
    model *m = &r->s->model;
    const state *st = &r->s->state;
    bool own = r->two && !st->restart[i];
    vec3 v = own ? v3_scale(1.0 / 3, v3_sub(v3_scale(4, st->v[i]), st->v_past[i])) : st->v[i];
    double gamma = gamma_of(r->s, i);
    m->target[i] = v3_madd(v3_madd(base_of(r->s, i), gamma, v), gamma * gamma, external_at(r->s, i));
}

/* First guess: what the integrator makes of the expected acceleration, in free flight its solution. Held nodes have
 * their end already. */
static void predict_range(void *context, int32_t range)
{
    node_run *r = context;
    model *m = &r->s->model;
    r->way[range] = 0;
    for (int32_t i = ranges_begin(r->ranges, range); i < ranges_end(r->ranges, range); i++) {
        predict_node(r, i);
        r->way[range] = max_of(r->way[range], v3_max_abs(v3_sub(m->target[i], r->s->state.q[i])));
        double gamma = gamma_of(r->s, i);
        if (m->filters[i].kind == FREEDOM_ALL)
            m->q1[i] = stay_in_touch(
                r->s, i,
                v3_madd(m->target[i], gamma * gamma, v3_sub(expected_acceleration(r->s, i), external_at(r->s, i))));
    }
}

/* γ, q̃ and first guess of each node. */
static void predict(weft_sim *s, double h)
{
    model *m = &s->model;
    ranges p = ranges_of(m->n);
    node_run r = {.s = s, .ranges = &p, .h = h, .two = has_past(s, h)};
    m->gamma[0] = r.two ? 2 * h / 3 : h;
    m->gamma[1] = h;
    m->motion = (assembly_motion){s->state.q, r.two ? s->state.q_past : NULL, m->gamma[0]};
    pool_for(s->pool, p.n, predict_range, &r);
    m->way = 0;
    for (int32_t i = 0; i < p.n; i++)
        m->way = max_of(m->way, r.way[i]);
}

static bool prepare_damping(weft_sim *s, double h)
{
    bool two = has_past(s, h);
    const vec3 *q[2] = {s->state.q, two ? s->state.q_past : NULL};
    const double weight[2] = {two ? 4.0 / 3 : 1.0, two ? -1.0 / 3 : 0.0};
    air_par air = air_now(s);
    return assembly_prepare(&s->model.assembly, q, weight, two ? 1.5 / h : 1.0 / h, &air, s->model.x0);
}

static bool refresh_contacts(void *context, const vec3 *q, newton_moment moment)
{
    static const collider_contact_mode modes[] = {COLLIDER_CONTACT_KEEP, COLLIDER_CONTACT_NOTE, COLLIDER_CONTACT_UPDATE,
                                                  COLLIDER_CONTACT_UPDATE};
    weft_sim *s = context;
    model *m = &s->model;
    bool settled = cloth_contact_refresh(s, q, moment);
    if (m->n_analytic == 0)
        return settled;
    m->n_placed += assembly_expand(&m->assembly, q, m->x);
    collider_contact_find(&m->collider_contacts, modes[moment], m->n_placed);
    return collider_contact_is_settled(&m->collider_contacts) && settled;
}

/* Friction between cloths goes by forces that lag by a Newton step, and steps begin where the cloth was: a sheet that
 * should slide down another goes a third of its way in steps of two, nine tenths in steps of four. */
#define SLIDING 2

static int32_t patience(void *context, const vec3 *q, const vec3 *last)
{
    weft_sim *s = context;
    return edges_are_taut(s, q, last) ? NEWTON_PATIENCE : cloth_contact_slides(s) ? SLIDING : 1;
}

/* Where all of it began, but for what is held; whether that is elsewhere. */
static void start_range(void *context, int32_t range)
{
    node_run *r = context;
    const model *m = &r->s->model;
    vec3 *start = r->start;
    for (int32_t i = ranges_begin(r->ranges, range); i < ranges_end(r->ranges, range); i++) {
        start[i] = m->filters[i].kind == FREEDOM_ALL ? r->s->state.q[i] : m->q1[i];
        r->moved[range] = r->moved[range] || v3_max_abs(v3_sub(start[i], r->s->state.q[i])) > 0;
    }
}

/* Whether Φ at q1 is at most `most`. Where elements alone have more, as those of torn folds have, pairs keep their
 * closest points; where stretch alone has, elements their angles. */
static bool guess_has_less(weft_sim *s, const newton_problem *p, const vec3 *start, double most)
{
    model *m = &s->model;
    if (assembly_least(p->assembly, m->q1) > most)
        return false;
    double least = newton_least(&m->newton, p, m->q1);
    if (!(least <= most))
        return false;
    cloth_contact_measure(s, m->q1);
    bool less = newton_rest(&m->newton, p, m->q1, least) <= most;
    if (!less)
        cloth_contact_measure(s, start);
    return less;
}

/* Free flight can tear folds apart that the last step had laid down; then the start is the better guess: the one with
 * the less Φ. (Points on the way between them have not saved a Newton step.) */
static void choose_guess(weft_sim *s, const newton_problem *p)
{
    model *m = &s->model;
    arena_mark before = arena_mark_of(&s->scratch);
    vec3 *start;
    if (!ARENA_TAKE(&s->scratch, start, m->n))
        return;                       /* solve_once notices */
    bool moved = m->mesh.n_nodes > 0; /* meshes, or what is held: pairs have been measured where all of it began */
    ranges of_nodes = ranges_of(m->n);
    node_run r = {.s = s, .ranges = &of_nodes, .start = start};
    pool_for(s->pool, of_nodes.n, start_range, &r);
    for (int32_t i = 0; i < of_nodes.n; i++)
        moved = moved || r.moved[i];
    if (moved)
        cloth_contact_measure(s, start);
    if (!guess_has_less(s, p, start, newton_energy(&m->newton, p, start, HUGE_VAL)))
        memcpy(m->q1, start, (size_t)m->n * sizeof *start);
    arena_release(&s->scratch, before);
}

/* Somebody may ask for the forces that hold nodes. */
static bool holds_nodes(const weft_sim *s)
{
    bool any = false;
    for (int32_t i = 0; i < s->attachments.n; i++)
        any = any || s->attachments.items[i].item;
    return any;
}

static newton_end solve(weft_sim *s, bool first, newton_stats *stats)
{
    model *m = &s->model;
    newton_problem p = {
        .assembly = &m->assembly,
        .pool = s->pool,
        .n = m->n,
        .mass = m->mass,
        .target = m->target,
        .restart = s->state.restart,
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
        .retract = retract_trial,
        .context = s,
        .wants_gradient = holds_nodes(s),
        .tolerance = s->def.newton_tolerance,
        .acceptable = acceptable(m),
        .linear_tolerance = s->def.linear_tolerance,
        .limit = s->def.newton_limit,
        .linear_limit = s->def.linear_limit,
        .scratch = &s->scratch,
        .cancel = &s->cancel,
        .watch = s->watch,
        .watcher = s->watcher,
    };
    if (!arena_reserve(&s->scratch, newton_bytes(&m->newton, &m->assembly.hessian)))
        return NEWTON_BROKEN;
    if (first)
        choose_guess(s, &p);
    return newton_solve(&m->newton, &p, m->q1, stats);
}

/* And nothing is remembered yet. */
static void velocity_range(void *context, int32_t range)
{
    const node_run *r = context;
    weft_sim *s = r->s;
    model *m = &s->model;
    for (int32_t i = ranges_begin(r->ranges, range); i < ranges_end(r->ranges, range); i++) {
        bool free = m->filters[i].kind == FREEDOM_ALL;
        m->v1[i] = free ? v3_scale(1.0 / gamma_of(s, i), v3_sub(m->q1[i], base_of(s, i)))
                        : v3_scale(1.0 / r->h, v3_sub(m->q1[i], s->state.q[i]));
        m->next_memory[i] = (contact_memory){.owner = OWNER_NONE};
        m->next_restart[i] = 0;
    }
}

static void find_velocities(weft_sim *s, double h)
{
    ranges p = ranges_of(s->model.n);
    node_run r = {.s = s, .ranges = &p, .h = h};
    pool_for(s->pool, p.n, velocity_range, &r);
}

static vec3 surface_velocity(const collider *c, vec3 x0, double h)
{
    return v3_scale(1.0 / h, v3_sub(collider_carry(c, x0), x0));
}

/* A node that meets a collider in this step ends the step with k_d times its speed of approach (provot1997 eq. 4). The
 * solve has stopped it already if it is light beside the contact's stiffness; what a heavy node lacks is made up here,
 * with the friction that goes with it: all that is left of the cone. Returns what friction it ends with over that cone:
 * 1, the way that it goes on, where it slides. */
static vec3 strike(weft_sim *s, const contact_term *c, int32_t vi, double h)
{
    model *m = &s->model;
    const collider *co = &m->colliders[c->owner];
    if (m->rows[vi].dof[1] >= 0) /* it follows others, which have contacts of their own */
        return v3_zero();
    vec3 ground = surface_velocity(co, m->x0[vi], h), v0 = v3_sub(s->state.v[vi], ground);
    /* Of the way gone in this step: BDF2's velocity has the motion before the impact in it. */
    vec3 v = v3_sub(v3_scale(1.0 / h, v3_sub(m->q1[vi], s->state.q[vi])), ground);
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
static void collider_contact_node(weft_sim *s, const contact_term *c, int32_t vi, double h, contact_memory *memory,
                                  int32_t *restart)
{
    const vec3 *x = s->model.assembly.x;
    bool known = s->state.memory[vi].owner == c->owner;
    vec3 friction_ratio = known ? contact_friction_ratio(c, c->force, x) : memory[vi].friction_ratio;
    if (!known && memory[vi].owner != c->owner) {
        restart[vi] = 1;
        friction_ratio = strike(s, c, vi, h);
    }
    double force = contact_force(c, x);
    if (c->n == 1 || memory[vi].owner == OWNER_NONE)
        memory[vi] = (contact_memory){
            .friction_ratio = friction_ratio, .force = force > 0 ? c->force / force : 0, .owner = c->owner};
}

/* Impacts, and what nodes remember of their contact. */
static void finish_contacts(weft_sim *s, double h)
{
    model *m = &s->model;
    const vec3 *x = m->assembly.x; /* of the last evaluation: the solution */
    for (int32_t i = 0; i < m->collider_contacts.n_contacts; i++) {
        const contact_term *c = &m->collider_contacts.contacts[i];
        for (int k = 0; k < c->n && contact_depth(c, x) > 0; k++)
            collider_contact_node(s, c, c->node[k], h, m->next_memory, m->next_restart);
    }
}

/* A pair that has stopped what inertia would have pressed in by this share of its radius was an impact. */
#define IMPACT 0.5

/* Nodes of such pairs begin anew, with the velocity of the way gone in this step: BDF2's has the motion before the
 * impact in it, so that half of it came back, across the contact and along it. */
static void finish_pairs(weft_sim *s, double h)
{
    model *m = &s->model;
    for (int32_t pair = 0; pair < m->cloth_contact.pairs.n; pair++) {
        const contact_term *c = &m->cloth_contact.pairs.terms[pair];
        if (contact_depth(c, m->assembly.x) <= 0 || contact_depth(c, m->target) - c->past <= IMPACT * c->radius)
            continue;
        for (int k = 0; k < c->n; k++) {
            const node_row *row = &m->rows[c->node[k]];
            int32_t i = row->dof[0];
            if (row->dof[1] >= 0 || m->filters[i].kind != FREEDOM_ALL || m->next_restart[i] || c->w[k] == 0)
                continue;
            m->next_restart[i] = 1;
            m->v1[i] = v3_scale(1.0 / h, v3_sub(m->q1[i], s->state.q[i]));
        }
    }
}

static void finish_rods(weft_sim *s, contact_memory *memory)
{
    model *m = &s->model;
    for (int32_t i = 0; i < m->n_rods; i++) {
        const rod_term *r = &m->rods[i];
        double cone = r->friction * r->force, pull = rod_friction(r, m->q1);
        memory[r->dof] = (contact_memory){
            .friction_ratio = v3_scale(cone > 0 ? pull / cone : 0, r->axis), .force = r->force, .owner = OWNER_ROD};
    }
}

/* Forces on colliders and attachments, of a substep that counts. */
static void record_forces(weft_sim *s, double share)
{
    model *m = &s->model;
    const vec3 *x = m->assembly.x;
    /* ∇Φ has the friction of rods in it; what they exert is the whole. */
    for (int32_t i = 0; i < m->n_rods; i++) {
        vec3 *g = &m->newton.gradient[m->rods[i].dof];
        *g = v3_madd(*g, -rod_friction(&m->rods[i], x), m->rods[i].axis);
    }
    record_reactions(s, m->newton.gradient, x, share);
    for (int32_t i = 0; i < m->collider_contacts.n_contacts; i++) {
        const contact_term *c = &m->collider_contacts.contacts[i];
        vec3 force, point = v3_zero();
        contact_eval(c, x, &force, NULL);
        for (int k = 0; k < c->n; k++)
            point = v3_madd(point, c->w[k], x[c->node[k]]);
        record_contact(s, c->owner, point, force, share);
    }
    cloth_contact_record(s, m->q1, share);
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

static bool begin_substep(weft_sim *s, const substep *sub)
{
    model *m = &s->model;
    arena_mark before = arena_mark_of(&s->scratch);
    hold_nodes(s, sub);
    external_accelerations(s);
    predict(s, sub->h);
    if (!prepare_damping(s, sub->h))
        return false;
    m->collider_contacts.memory = s->state.memory;
    m->collider_contacts.h = sub->h;
    m->n_placed += assembly_expand(&m->assembly, m->q1, m->x);
    collider_contact_find(&m->collider_contacts, COLLIDER_CONTACT_START, m->n_placed);
    arena_release(&s->scratch, before); /* the solve finds them again */
    return true;
}

/* Solves, and makes the result the state, or tells why not. */
static step_end solve_once(weft_sim *s, const substep *sub, bool first, weft_step_stats *stats)
{
    model *m = &s->model;
    newton_stats ns = {0};
    int64_t n_failed = s->mem.n_failed;
    newton_end end = solve(s, first, &ns);
    add_newton(stats, &ns);
    stats->contacts = m->collider_contacts.n_contacts;
    if (end == NEWTON_CANCELLED)
        return STEP_CANCELLED;
    if (end == NEWTON_BROKEN || ns.residual > (sub->last ? BEARABLE * m->mean_edge : acceptable(m)))
        return STEP_FAILED;
    if (!model_take_next(s))
        return STEP_FAILED;
    find_velocities(s, sub->h);
    finish_contacts(s, sub->h);
    finish_pairs(s, sub->h);
    finish_rods(s, m->next_memory);
    if (!cloth_contact_remember(s))
        return STEP_FAILED;
    loosen_edges(s, m->newton.direction);
    limit_edges(s, sub->h);
    if (s->mem.n_failed > n_failed)
        return STEP_FAILED;
    return commit_step(s, sub, stats);
}

/* What would pass through something is felt by the next solve, so that its neighbours give way too: impulses alone,
 * after the solve, stretch the cloth about the nodes that they stop. */
#define ROUNDS 3

step_end implicit_step(weft_sim *s, const substep *sub, weft_step_stats *stats)
{
    step_end end = STEP_AGAIN;
    if (!begin_substep(s, sub) || !cloth_contact_begin(s, sub->h, stats))
        return STEP_FAILED;
    if (cloth_contact_hurry(s) > 0 && sub->level < MOST_HURRY && !sub->last)
        return STEP_SHORTER;
    if (cloth_contact_hurry(s) < 0 && sub->guessed && sub->level > 0)
        return STEP_LONGER;
    if (!cloth_contact_couple(s, stats))
        return STEP_FAILED;
    arena_mark before = arena_mark_of(&s->scratch);
    for (int round = 0; end == STEP_AGAIN && round < ROUNDS; round++) {
        substep now = *sub;
        arena_release(&s->scratch, before); /* what the last one left */
        now.ask = s->def.response == WEFT_RESPONSE_WEFT && round + 1 < ROUNDS;
        if (round > 0 && !cloth_contact_again(s, stats))
            return STEP_FAILED;
        end = solve_once(s, &now, round == 0, stats);
    }
    if (end == STEP_DONE)
        record_forces(s, sub->h / sub->whole);
    return end;
}
