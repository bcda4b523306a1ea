/* SPDX-License-Identifier: MIT */
/* Hessians are clamped to positive semi-definite in the kernels, so the direction always descends and the line search
 * ends. Friction's normal force lags by one Newton step: the potential that the line search sees has it fixed, and it
 * is right where Newton has converged. */
#include "solve/newton.h"

#include <string.h>

#include "base/clock.h"

static bool has_levels(const newton_work *w)
{
    return w->n >= MULTIGRID_LEAST_ROWS;
}

bool newton_renew(newton_work *w, mem *m, pool *p, const blockmat *hessian, const sparsity *extra)
{
    return !has_levels(w) || multigrid_renew(&w->multigrid, m, p, hessian, extra);
}

bool newton_create(newton_work *w, mem *m, const blockmat *hessian, const vec3 *rest)
{
    *w = (newton_work){.n = hessian->n};
    return MEM_MAKE(m, w->gradient, w->n) && MEM_MAKE(m, w->direction, w->n) &&
           (!has_levels(w) || multigrid_create(&w->multigrid, m, hessian, rest));
}

void newton_destroy(newton_work *w, mem *m)
{
    MEM_FREE(m, w->gradient, w->n);
    MEM_FREE(m, w->direction, w->n);
    multigrid_destroy(&w->multigrid, m);
    contact_sum_destroy(&w->pairs, m);
    w->n = 0;
}

int64_t newton_bytes(const newton_work *w, const blockmat *hessian)
{
    return arena_rounded(w->n * (int64_t)sizeof *w->trial) + arena_rounded(blockmat_bytes(hessian)) +
           cg_bytes(w->n, has_levels(w) ? &w->multigrid : NULL);
}

/* ---- loops over all rows ----------------------------------------------------------------------------------------- */

typedef struct row_run {
    newton_work *w;
    const newton_problem *p;
    const vec3 *q;
    vec3 *gradient;    /* or NULL */
    blockmat *hessian; /* or NULL */
    double step;
    int32_t piece;
    double part[NEWTON_MOST_PIECES], moves[NEWTON_MOST_PIECES], mass[NEWTON_MOST_PIECES];
    double free[NEWTON_MOST_PIECES], free_moves[NEWTON_MOST_PIECES];
    double together[NEWTON_MOST_PIECES];
} row_run;

/* Runs body over pieces of rows. Returns how many there were. */
static int32_t for_row_pieces(row_run *r, pool_fn body)
{
    int32_t n = r->p->n;
    r->piece =
        n <= NEWTON_PIECE * NEWTON_MOST_PIECES ? NEWTON_PIECE : (n + NEWTON_MOST_PIECES - 1) / NEWTON_MOST_PIECES;
    int32_t n_pieces = (n + r->piece - 1) / r->piece;
    pool_for(r->p->pool, n_pieces, body, r);
    return n_pieces;
}

static double sum_over_rows(row_run *r, pool_fn body)
{
    double sum = 0;
    int32_t n = for_row_pieces(r, body);
    for (int32_t i = 0; i < n; i++)
        sum += r->part[i];
    return sum;
}

static int32_t row_piece_end(const row_run *r, int32_t piece)
{
    int32_t end = (piece + 1) * r->piece;
    return end < r->p->n ? end : r->p->n;
}

static void inertia_piece(void *context, int32_t piece)
{
    row_run *r = context;
    const newton_problem *p = r->p;
    double e = 0;
    for (int32_t i = piece * r->piece; i < row_piece_end(r, piece); i++) {
        double gamma = p->gamma[p->restart[i] != 0], k = p->mass[i] / (gamma * gamma);
        vec3 d = v3_sub(r->q[i], p->target[i]);
        e += 0.5 * k * v3_len_sq(d);
        if (r->gradient)
            r->gradient[i] = v3_madd(r->gradient[i], k, d);
        if (r->hessian) {
            double *m = r->hessian->diagonal[i].m;
            m[0] += k;
            m[4] += k;
            m[8] += k;
        }
    }
    r->part[piece] = e;
}

static void negate_piece(void *context, int32_t piece)
{
    row_run *r = context;
    for (int32_t i = piece * r->piece; i < row_piece_end(r, piece); i++)
        r->w->trial[i] = v3_neg(r->w->gradient[i]);
}

/* The largest move, and the sum of all by mass. */
static void moves_piece(void *context, int32_t piece)
{
    row_run *r = context;
    double most = 0, sum = 0, mass = 0, free = 0, free_sum = 0;
    vec3 together = v3_zero();
    for (int32_t i = piece * r->piece; i < row_piece_end(r, piece); i++) {
        vec3 d = r->w->direction[i];
        double move = r->p->mass[i] * v3_max_abs(d);
        bool is_free = r->p->filters[i].kind == FREEDOM_ALL;
        most = v3_is_finite(d) ? max_of(most, v3_max_abs(d)) : HUGE_VAL;
        sum += move;
        mass += r->p->mass[i];
        free_sum += is_free ? move : 0;
        free += is_free ? r->p->mass[i] : 0;
        together = is_free ? v3_madd(together, r->p->mass[i], d) : together;
    }
    r->together[piece] = v3_len(together);
    r->free[piece] = free;
    r->free_moves[piece] = free_sum;
    r->part[piece] = most;
    r->moves[piece] = sum;
    r->mass[piece] = mass;
}

static void slope_piece(void *context, int32_t piece)
{
    row_run *r = context;
    double slope = 0;
    for (int32_t i = piece * r->piece; i < row_piece_end(r, piece); i++)
        slope += v3_dot(r->w->gradient[i], r->w->direction[i]);
    r->part[piece] = slope;
}

static void trial_piece(void *context, int32_t piece)
{
    row_run *r = context;
    for (int32_t i = piece * r->piece; i < row_piece_end(r, piece); i++)
        r->w->trial[i] = v3_madd(r->q[i], r->step, r->w->direction[i]);
}

/* ---- Φ ----------------------------------------------------------------------------------------------------------- */

/* The same friction law as contact_term.h, along one axis, with the same secant. */
static double rod_secant(const rod_term *r, double u)
{
    double cone = r->friction * r->force;
    return r->k * fabs(u) <= cone ? r->k : cone / fabs(u);
}

static double rod_way(const rod_term *r, const vec3 *q)
{
    return v3_dot(r->axis, v3_sub(q[r->dof], r->anchor));
}

double rod_friction(const rod_term *r, const vec3 *q)
{
    double u = rod_way(r, q);
    return rod_secant(r, u) * u;
}

static double rod_energy(const rod_term *r, const vec3 *q, vec3 *gradient, blockmat *hessian)
{
    double cone = r->friction * r->force, u = rod_way(r, q), secant = rod_secant(r, u);
    if (gradient)
        gradient[r->dof] = v3_madd(gradient[r->dof], secant * u, r->axis);
    if (hessian) {
        mat3 *m = &hessian->diagonal[r->dof];
        *m = m3_madd(*m, secant, m3_outer(r->axis, r->axis));
    }
    return r->k * fabs(u) <= cone ? 0.5 * r->k * u * u : cone * fabs(u) - 0.5 * cone * cone / r->k;
}

/* Elements and inertia; gradient and Hessian are added to. */
static double evaluate_cloth(newton_work *w, const newton_problem *p, const vec3 *q, vec3 *gradient, blockmat *h)
{
    double e = assembly_eval(p->assembly, q, &p->motion, gradient, h != NULL);
    row_run rows = {.w = w, .p = p, .q = q, .gradient = gradient, .hessian = h};
    return e + sum_over_rows(&rows, inertia_piece);
}

/* e, and all the rest of Φ where elements have been evaluated last. */
static double add_contact_energies(newton_work *w, const newton_problem *p, const vec3 *q, double e, vec3 *gradient,
                                   blockmat *h)
{
    e += contact_sum_eval(&w->contacts, p->assembly, *p->contacts, *p->n_contacts, gradient, h != NULL, p->scratch);
    e += contact_sum_eval(&w->pairs, p->assembly, p->pairs, p->n_pairs, gradient, h != NULL, p->scratch);
    for (int32_t i = 0; i < p->n_rods; i++)
        e += rod_energy(&p->rods[i], q, gradient, h);
    return e;
}

/* Φ and, where asked for, its gradient (overwritten) and Hessian; not a number without memory. */
static double evaluate(newton_work *w, const newton_problem *p, const vec3 *q, vec3 *gradient, bool with_hessian)
{
    blockmat *h = with_hessian ? &p->assembly->hessian : NULL;
    arena_mark before = arena_mark_of(p->scratch);
    if (gradient)
        memset(gradient, 0, (size_t)p->n * sizeof *gradient);
    if (h)
        blockmat_clear(h, p->pool);
    double e = evaluate_cloth(w, p, q, gradient, h);
    bool planned = !gradient || contact_sum_plan(&w->contacts, p->assembly, *p->contacts, *p->n_contacts, p->scratch);
    e = planned ? add_contact_energies(w, p, q, e, gradient, h) : (double)NAN;
    if (h)
        blockmat_finish(h, p->pool);
    arena_release(p->scratch, before);
    return e;
}

/* What holds a node on its rod is the gradient across it. */
static void update_rods(const newton_problem *p, const vec3 *gradient)
{
    for (int32_t i = 0; i < p->n_rods; i++) {
        rod_term *r = &p->rods[i];
        vec3 g = gradient[r->dof];
        r->force = v3_len(v3_madd(g, -v3_dot(g, r->axis), r->axis));
    }
}

/* Into residual, grows, still, mean and ratio. */
static void find_moves(newton_work *w, const newton_problem *p, newton_stats *stats)
{
    double most = 0, sum = 0, mass = 0, free = 0, free_sum = 0;
    row_run r = {.w = w, .p = p};
    int32_t n = for_row_pieces(&r, moves_piece);
    for (int32_t i = 0; i < n; i++) {
        most = max_of(most, r.part[i]);
        sum += r.moves[i];
        mass += r.mass[i];
        free += r.free[i];
        free_sum += p->in_parts ? r.together[i] : r.free_moves[i];
    }
    double mean = free > 0 ? free_sum / free : 0;
    stats->ratio = stats->iterations > 1 && stats->mean > 0 ? mean / stats->mean : NEWTON_FIRST_RATIO;
    stats->mean = mean;
    stats->near = mean <= p->accuracy ? stats->near + 1 : 0;
    stats->grows = stats->iterations > 1 && most > stats->residual && sum > NEWTON_GROWING_SUM * stats->moves &&
                   sum > NEWTON_GROWING_MEAN * p->tolerance * mass;
    stats->still = most <= p->tolerance ? stats->still + 1 : 0;
    stats->residual = most;
    stats->moves = sum;
}

static void mass_piece(void *context, int32_t piece)
{
    row_run *r = context;
    r->part[piece] = 0;
    for (int32_t i = piece * r->piece; i < row_piece_end(r, piece); i++)
        r->part[piece] += r->p->filters[i].kind == FREEDOM_ALL ? r->p->mass[i] : 0;
}

static double free_mass(newton_work *w, const newton_problem *p)
{
    return sum_over_rows(&(row_run){.w = w, .p = p}, mass_piece);
}

static double inertia(newton_work *w, const newton_problem *p, const vec3 *q)
{
    row_run rows = {.w = w, .p = p, .q = q};
    return sum_over_rows(&rows, inertia_piece);
}

double newton_energy(newton_work *w, const newton_problem *p, const vec3 *q, double most)
{
    p->refresh(p->context, q, NEWTON_TRIAL);
    double e = assembly_energy(p->assembly, q, &p->motion, most);
    return isfinite(e) ? add_contact_energies(w, p, q, e + inertia(w, p, q), NULL, NULL) : e;
}

double newton_least(newton_work *w, const newton_problem *p, const vec3 *q)
{
    return evaluate_cloth(w, p, q, NULL, NULL);
}

double newton_rest(newton_work *w, const newton_problem *p, const vec3 *q, double least)
{
    p->refresh(p->context, q, NEWTON_TRIAL);
    return add_contact_energies(w, p, q, least, NULL, NULL);
}

/* ---- a step ------------------------------------------------------------------------------------------------------ */

/* Contacts at q, in place of those that there were. */
static bool renew(newton_work *w, const newton_problem *p, const vec3 *q, newton_moment moment)
{
    arena_release(p->scratch, w->before);
    return p->refresh(p->context, q, moment);
}

static double energy_at_trial(newton_work *w, const newton_problem *p, double most)
{
    arena_release(p->scratch, w->before);
    return newton_energy(w, p, w->trial, most);
}

/* Moves q along the direction by the first of 1, ½, ¼ … that lowers Φ enough; the whole step is retracted before it is
 * shortened. Returns the factor, 0 if none does. */
static double line_search(newton_work *w, const newton_problem *p, vec3 *q, double phi)
{
    row_run r = {.w = w, .p = p, .q = q, .step = 1};
    double slope = sum_over_rows(&r, slope_piece);
    bool resolved = fabs(slope) > NEWTON_ENERGY_NOISE * fabs(phi);
    w->is_known = false;
    for (int k = 0; k <= NEWTON_HALVINGS; k++, r.step *= 0.5) {
        for_row_pieces(&r, trial_piece);
        double enough = phi + NEWTON_ARMIJO * r.step * slope + NEWTON_ENERGY_NOISE * fabs(phi);
        double there = resolved ? energy_at_trial(w, p, enough) : phi;
        if (k == 0 && there > enough && p->retract && p->retract(p->context, w->trial))
            there = energy_at_trial(w, p, enough);
        if (there <= enough) {
            memcpy(q, w->trial, (size_t)p->n * sizeof *q);
            w->is_known = resolved;
            return r.step;
        }
    }
    return 0;
}

/* How far it is from the solution after a step that led by `move`, if moves go on to shrink as they did. */
static double error_left(const newton_stats *stats, double move)
{
    double ratio = min_of(stats->ratio, NEWTON_MOST_RATIO);
    return move * ratio / (1 - ratio);
}

/* A step that was cut short by one fold has stopped the rest of the cloth in its flight: its error is unknown. */
static bool is_accurate(const newton_problem *p, const newton_stats *stats)
{
    bool near = error_left(stats, stats->mean) <= p->accuracy || (p->in_parts && stats->near > 1);
    return stats->iterations > 1 && near && stats->unsolved <= p->accuracy &&
           error_left(stats, stats->residual) <= p->acceptable && stats->way >= NEWTON_LEAST_WAY;
}

/* The direction, from the gradient; contacts are lost. */
static cg_result find_direction(newton_work *w, const newton_problem *p, const vec3 *q, double goal, bool translates)
{
    cg_problem c = {.a = &p->assembly->hessian,
                    .filters = p->filters,
                    .pool = p->pool,
                    .multigrid = has_levels(w) ? &w->multigrid : NULL,
                    .position = q,
                    .tolerance = p->linear_tolerance,
                    .goal = goal,
                    .translates = translates,
                    .limit = p->linear_limit,
                    .cancel = p->cancel};
    for_row_pieces(&(row_run){.w = w, .p = p}, negate_piece);
    arena_release(p->scratch, w->before);
    return cg_solve(&c, p->scratch, w->trial, w->direction);
}

static newton_end newton_step(newton_work *w, const newton_problem *p, vec3 *q, newton_stats *stats)
{
    double t0 = clock_seconds();
    if (!w->is_renewed)
        renew(w, p, q, stats->iterations > 0 ? NEWTON_NEXT : NEWTON_FIRST);
    w->is_renewed = false;
    double t1 = clock_seconds();
    assembly_sweep_tilts(p->assembly, q);
    double phi = evaluate(w, p, q, w->gradient, true);
    double t2 = clock_seconds();
    double per_way = sqrt(free_mass(w, p)) / p->gamma[0]; /* inertia alone has so much energy in a way */
    bool strict = p->wants_accuracy && p->wants_accuracy(p->context);
    bool near = strict && error_left(stats, stats->mean) <= NEWTON_NEAR * p->accuracy;
    cg_result cg = find_direction(w, p, q, near ? NEWTON_GOAL * p->accuracy * per_way : 0, strict || p->flies);
    stats->unsolved = cg.energy / per_way;
    if (p->watch)
        p->watch(p->watcher);
    double t3 = clock_seconds();
    stats->linear_iterations += cg.iterations;
    stats->iterations++;
    stats->seconds_touch += t1 - t0;
    stats->seconds_assemble += t2 - t1;
    stats->seconds_solve += t3 - t2;
    if (cg.cancelled)
        return NEWTON_CANCELLED;
    if (cg.lacking)
        return NEWTON_BROKEN;
    find_moves(w, p, stats);
    if (!isfinite(phi) || !isfinite(stats->residual))
        return NEWTON_BROKEN;
    double factor = line_search(w, p, q, phi);
    update_rods(p, w->gradient);
    stats->way += (1 - stats->way) * factor;
    stats->seconds_assemble += clock_seconds() - t3;
    bool asks = p->wants_accuracy && p->wants_accuracy(p->context);
    /* It went no further than that. But a slide is less than that in a step, and one node may have cut it short. */
    if (factor == 0 || (factor < 1 && !asks && factor * stats->residual <= p->tolerance))
        return NEWTON_STALLED;
    if (asks) {
        w->is_renewed = is_accurate(p, stats);
        return w->is_renewed && renew(w, p, q, NEWTON_NEXT) ? NEWTON_CONVERGED : NEWTON_LIMIT;
    }
    /* Where friction goes on and off without moving anything it need not settle. */
    w->is_renewed = stats->still == 1;
    bool done = stats->still > 1 || (w->is_renewed && renew(w, p, q, NEWTON_NEXT));
    return done ? NEWTON_CONVERGED : NEWTON_LIMIT;
}

/* A step that still moves nodes farther than is acceptable would be thrown away, and done again in halves: a few more
 * steps cost less. Nor is one good enough whose line searches have taken no more than a part of the way: where one fold
 * has shortened them, the rest of the cloth would stop in its flight. Steps that grow are those of cloth that begins to
 * slide: at first each node may do so along its own way only, which is noise. */
static int32_t most_steps(const newton_work *w, const newton_problem *p, const vec3 *q, const newton_stats *stats)
{
    if (p->wants_accuracy && p->wants_accuracy(p->context))
        return NEWTON_ACCURATE * p->limit;
    if (stats->residual > p->acceptable || stats->way < NEWTON_LEAST_WAY || stats->grows)
        return NEWTON_PATIENCE * p->limit;
    return p->patience ? p->patience(p->context, q, w->direction) * p->limit : p->limit;
}

static newton_end take_steps(newton_work *w, const newton_problem *p, vec3 *q, newton_stats *stats)
{
    newton_end end = NEWTON_LIMIT;
    if (!ARENA_TAKE(p->scratch, w->trial, w->n) || !blockmat_take(&p->assembly->hessian, p->scratch))
        return NEWTON_BROKEN;
    w->before = arena_mark_of(p->scratch);
    w->is_renewed = false;
    w->multigrid.shift = 0; /* what a step does must not depend on the last one but by its state */
    for (int32_t k = 0; end == NEWTON_LIMIT && (k < p->limit || k < most_steps(w, p, q, stats)); k++)
        end = newton_step(w, p, q, stats);
    return end;
}

newton_end newton_solve(newton_work *w, const newton_problem *p, vec3 *q, newton_stats *stats)
{
    arena_mark before = arena_mark_of(p->scratch);
    newton_end end = take_steps(w, p, q, stats);
    arena_release(p->scratch, before);
    if (end == NEWTON_BROKEN || end == NEWTON_CANCELLED)
        return end;
    p->refresh(p->context, q, w->is_renewed ? NEWTON_TRIAL : NEWTON_LAST);
    bool known = w->is_known && !p->wants_gradient;
    return known || isfinite(evaluate(w, p, q, w->gradient, false)) ? end : NEWTON_BROKEN;
}
