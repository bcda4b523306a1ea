/* SPDX-License-Identifier: MIT */
/* A few passes over the vectors an iteration, each cut into pieces of a fixed number of rows: sums are made per piece
 * and then added in order, so the result does not depend on the number of threads.
 *
 * β = −z₊·Ap/p·Ap makes directions conjugate whatever rounding does, and α = r·p/p·Ap is the best length along each:
 * equal to the usual formulas where the preconditioner is exactly symmetric, and indifferent to one that works in
 * single precision. (With α = r·z/p·Ap, a direction of which only rounding is left would be taken with any length.) */
#include "solve/cg.h"
#include "solve/params.h"

typedef struct cg_sums {
    double one, two;
} cg_sums;

typedef struct cg_run {
    const cg_problem *problem;
    pool *pool;
    const blockmat *a;
    const filter *f;
    int32_t n, n_pieces;
    vec3 *d, *r, *z, *p, *ap;
    cg_sums *part;  /* per piece */
    float *inverse; /* of the diagonal blocks, nine numbers each: where there is no multigrid, or that has failed */
    arena *scratch;
    arena_mark before; /* what the preconditioner took */
    bool multigrid;
    double scale; /* 1/|b| */
    double alpha, beta;
} cg_run;

/* ---- memory ------------------------------------------------------------------------------------------------------ */

static int32_t pieces_of(int32_t n)
{
    return (n + CG_PIECE - 1) / CG_PIECE;
}

static int64_t inverse_bytes(int32_t n)
{
    return 9 * (int64_t)n * (int64_t)sizeof(float);
}

int64_t cg_bytes(int32_t n, const multigrid *g)
{
    return 3 * arena_rounded((int64_t)n * (int64_t)sizeof(vec3)) +
           arena_rounded(pieces_of(n) * (int64_t)sizeof(cg_sums)) +
           arena_rounded(g ? multigrid_bytes(g) : inverse_bytes(n));
}

static bool take_vectors(cg_run *c)
{
    bool ok = ARENA_TAKE(c->scratch, c->z, c->n) && ARENA_TAKE(c->scratch, c->p, c->n) &&
              ARENA_TAKE(c->scratch, c->ap, c->n) && ARENA_TAKE(c->scratch, c->part, c->n_pieces);
    c->before = arena_mark_of(c->scratch);
    return ok;
}

/* In place of multigrid, which has more. */
static bool take_inverse(cg_run *c)
{
    arena_release(c->scratch, c->before);
    c->inverse = arena_take(c->scratch, inverse_bytes(c->n));
    return c->inverse || c->n == 0;
}

/* ---- passes over the vectors ------------------------------------------------------------------------------------- */

static int32_t cg_piece_end(const cg_run *c, int32_t i)
{
    return (i + 1) * CG_PIECE < c->n ? (i + 1) * CG_PIECE : c->n;
}

/* Inverse of S A_ii S + (I − S), S the free directions, so that M⁻¹ keeps to them. */
static mat3 inverse_block(const mat3 *a, const filter *f)
{
    if (f->kind == FREEDOM_NONE)
        return m3_zero();
    if (f->kind == FREEDOM_LINE)
        return m3_scale(1.0 / v3_dot(*f->axis, m3_mul_v(*a, *f->axis)), m3_outer(*f->axis, *f->axis));
    return m3_inverse(*a);
}

static void invert_blocks(void *context, int32_t i)
{
    cg_run *c = context;
    for (int32_t k = i * CG_PIECE; k < cg_piece_end(c, i); k++) {
        mat3 b = inverse_block(&c->a->diagonal[k], &c->f[k]);
        for (int j = 0; j < 9; j++)
            c->inverse[9 * (int64_t)k + j] = (float)b.m[j];
    }
}

/* r = S b, d = p = ap = 0, and r·r */
static void start_piece(void *context, int32_t i)
{
    cg_run *c = context;
    double rr = 0;
    for (int32_t k = i * CG_PIECE; k < cg_piece_end(c, i); k++) {
        c->d[k] = v3_zero();
        c->p[k] = v3_zero();
        c->ap[k] = v3_zero();
        c->r[k] = filter_apply(&c->f[k], c->r[k]);
        rr += v3_len_sq(c->r[k]);
    }
    c->part[i].one = rr;
}

/* ap = S A p; p·ap and r·p */
static void multiply_piece(void *context, int32_t i)
{
    cg_run *c = context;
    double pap = 0, rp = 0;
    blockmat_multiply_rows(c->a, c->p, c->ap, i * CG_PIECE, cg_piece_end(c, i));
    for (int32_t k = i * CG_PIECE; k < cg_piece_end(c, i); k++) {
        c->ap[k] = filter_apply(&c->f[k], c->ap[k]);
        pap += v3_dot(c->p[k], c->ap[k]);
        rp += v3_dot(c->r[k], c->p[k]);
    }
    c->part[i] = (cg_sums){pap, rp};
}

/* d += α p, r −= α ap */
static void advance_piece(void *context, int32_t i)
{
    cg_run *c = context;
    for (int32_t k = i * CG_PIECE; k < cg_piece_end(c, i); k++) {
        c->d[k] = v3_madd(c->d[k], c->alpha, c->p[k]);
        c->r[k] = v3_madd(c->r[k], -c->alpha, c->ap[k]);
    }
}

static vec3 times_inverse(const float *b, vec3 v)
{
    return v3((double)b[0] * v.x + (double)b[1] * v.y + (double)b[2] * v.z,
              (double)b[3] * v.x + (double)b[4] * v.y + (double)b[5] * v.z,
              (double)b[6] * v.x + (double)b[7] * v.y + (double)b[8] * v.z);
}

/* z = M⁻¹ r by blocks, if there is nothing better; r·z and ap·z */
static void precondition_piece(void *context, int32_t i)
{
    cg_run *c = context;
    double rz = 0, apz = 0;
    for (int32_t k = i * CG_PIECE; k < cg_piece_end(c, i); k++) {
        if (!c->multigrid)
            c->z[k] = filter_apply(&c->f[k], times_inverse(c->inverse + 9 * (int64_t)k, c->r[k]));
        rz += v3_dot(c->r[k], c->z[k]);
        apz += v3_dot(c->ap[k], c->z[k]);
    }
    c->part[i] = (cg_sums){rz, apz};
}

/* p = z + β p */
static void turn_piece(void *context, int32_t i)
{
    cg_run *c = context;
    for (int32_t k = i * CG_PIECE; k < cg_piece_end(c, i); k++)
        c->p[k] = v3_madd(c->z[k], c->beta, c->p[k]);
}

static cg_sums total(const cg_run *c)
{
    cg_sums s = {0, 0};
    for (int32_t i = 0; i < c->n_pieces; i++) {
        s.one += c->part[i].one;
        s.two += c->part[i].two;
    }
    return s;
}

/* ---- the preconditioner ------------------------------------------------------------------------------------------ */

/* What the next solve begins with: what one needed the next one may, but the firmer the levels the less they do. */
static double lower_shift(double shift)
{
    return shift > CG_SHIFT_FIRST ? shift / CG_SHIFT_FACTOR : shift;
}

/* Blocks take over, for good. False without memory. */
static bool use_blocks(cg_run *c)
{
    c->multigrid = false;
    if (!take_inverse(c))
        return false;
    pool_for(c->pool, c->n_pieces, invert_blocks, c);
    return true;
}

/* A multilevel cycle that has failed to be positive is made anew with firmer levels; in the end blocks take over. */
static bool raise_shift(cg_run *c)
{
    multigrid *g = c->problem->multigrid;
    g->shift = g->shift > 0 ? CG_SHIFT_FACTOR * g->shift : CG_SHIFT_FIRST;
    if (g->shift > CG_SHIFT_MOST)
        return use_blocks(c);
    multigrid_build(g, c->pool, c->a, c->f, c->problem->position);
    return true;
}

/* Levels for this matrix, or blocks. */
static bool make_preconditioner(cg_run *c)
{
    multigrid *g = c->problem->multigrid;
    if (!c->multigrid)
        return use_blocks(c);
    if (!multigrid_take(g, c->scratch))
        return false;
    g->thorough = c->problem->tolerance <= CG_THOROUGH;
    g->shift = lower_shift(g->shift);
    multigrid_build(g, c->pool, c->a, c->f, c->problem->position);
    return true;
}

/* z = M⁻¹ r; r·z and ap·z, which are not numbers without memory. */
static cg_sums precondition(cg_run *c)
{
    if (c->multigrid)
        multigrid_apply(c->problem->multigrid, c->pool, c->f, c->scale, c->r, c->z);
    pool_for(c->pool, c->n_pieces, precondition_piece, c);
    cg_sums s = total(c);
    if (c->multigrid && !(s.one > 0 && isfinite(s.one)))
        return raise_shift(c) ? precondition(c) : (cg_sums){(double)NAN, (double)NAN};
    return s;
}

/* ---- when to stop ------------------------------------------------------------------------------------------------ */

static bool is_cancelled(atomic_bool *cancel)
{
    return cancel && atomic_load_explicit(cancel, memory_order_relaxed);
}

/* The error of an iteration is what the later ones gain, Σ α r·p in the square of the energy norm (Hestenes, Stiefel
 * 1952, theorem 6:1; Strakoš, Tichý 2002). With block Jacobi gains rise and fall, and the sum over a window is taken
 * for the error at its beginning. With multigrid they fall steadily: the slowest fall in the window, q, gives those to
 * come, gain · q/(1 − q). */
typedef struct gains {
    double recent[CG_WINDOW]; /* of iteration n at n % CG_WINDOW */
    double all;
    int32_t n;
} gains;

static double gain_ago(const gains *g, int32_t i)
{
    return g->recent[(g->n - i) % CG_WINDOW];
}

static void add_gain(gains *g, double gain)
{
    g->recent[++g->n % CG_WINDOW] = gain;
    g->all += gain;
}

/* Of the error relative to the solution, both in the energy norm; 1 while too little is known. */
static double estimate(const gains *g, bool steady)
{
    double sum = 0, q = 0;
    if (g->n < (steady ? CG_WINDOW_MULTIGRID : CG_WINDOW))
        return 1;
    for (int32_t i = 0; i < CG_WINDOW && !steady; i++)
        sum += gain_ago(g, i);
    for (int32_t i = 0; i + 1 < CG_WINDOW_MULTIGRID && steady; i++)
        q = max_of(q, gain_ago(g, i) / gain_ago(g, i + 1));
    if (steady)
        sum = q < 1 ? gain_ago(g, 0) * q / (1 - q) : g->all;
    return min_of(1.0, sqrt(sum / g->all));
}

/* ---- the whole of it ------------------------------------------------------------------------------------------- */

/* p = what is free, moved by one vector */
static void set_translation(cg_run *c, vec3 way)
{
    for (int32_t k = 0; k < c->n; k++)
        c->p[k] = c->f[k].kind == FREEDOM_ALL ? way : v3_zero();
}

static vec3 sum_of_free(const cg_run *c, const vec3 *v)
{
    vec3 sum = v3_zero();
    for (int32_t k = 0; k < c->n; k++)
        if (c->f[k].kind == FREEDOM_ALL)
            sum = v3_add(sum, v[k]);
    return sum;
}

/* Cloth that slides moves as a whole, against inertia alone: beside what is stiff that is so little energy that an
 * estimate of the error does not see it, and all of its acceleration. */
static void translate(cg_run *c)
{
    const vec3 axis[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    mat3 m;
    for (int k = 0; k < 3; k++) {
        set_translation(c, axis[k]);
        pool_for(c->pool, c->n_pieces, multiply_piece, c);
        vec3 column = sum_of_free(c, c->ap);
        m.m[k] = column.x;
        m.m[3 + k] = column.y;
        m.m[6 + k] = column.z;
    }
    vec3 way = m3_mul_v(m3_inverse(m), sum_of_free(c, c->r));
    if (!v3_is_finite(way))
        return;
    c->alpha = 1;
    set_translation(c, way);
    pool_for(c->pool, c->n_pieces, multiply_piece, c);
    pool_for(c->pool, c->n_pieces, advance_piece, c);
}

/* ---- the method -------------------------------------------------------------------------------------------------- */

static void iterate(cg_run *c, cg_result *res)
{
    const cg_problem *p = c->problem;
    gains g = {{0}, 0, 0};
    pool_for(c->pool, c->n_pieces, start_piece, c);
    c->scale = 1 / sqrt(total(c).one);
    c->multigrid = p->multigrid && isfinite(c->scale) && c->scale > 0;
    res->lacking = !make_preconditioner(c);
    if (res->lacking)
        return;
    double rz = precondition(c).one;
    while (res->iterations < p->limit && rz > 0 && isfinite(rz)) {
        res->cancelled = is_cancelled(p->cancel);
        if (res->cancelled)
            break;
        pool_for(c->pool, c->n_pieces, turn_piece, c);
        pool_for(c->pool, c->n_pieces, multiply_piece, c);
        cg_sums along = total(c);
        double pap = along.one;
        if (!(pap > 0)) /* p is zero, or the matrix is not what it should be */
            break;
        c->alpha = along.two / pap;
        pool_for(c->pool, c->n_pieces, advance_piece, c);
        res->iterations++;
        add_gain(&g, c->alpha * along.two);
        res->error = estimate(&g, c->multigrid);
        res->energy = res->error * sqrt(g.all);
        if (res->error <= p->tolerance && (p->goal == 0 || res->energy <= p->goal))
            break;
        cg_sums s = precondition(c);
        c->beta = -s.two / pap;
        rz = s.one;
    }
    res->lacking = !c->multigrid && !c->inverse && c->n > 0;
    if (p->translates && !res->lacking && !res->cancelled)
        translate(c);
}

cg_result cg_solve(const cg_problem *p, arena *scratch, vec3 *r, vec3 *d)
{
    int32_t n = p->a->n;
    cg_run c = {.problem = p,
                .pool = p->pool,
                .a = p->a,
                .f = p->filters,
                .n = n,
                .n_pieces = pieces_of(n),
                .d = d,
                .r = r,
                .scratch = scratch};
    cg_result res = {.error = 1, .energy = HUGE_VAL};
    arena_mark before = arena_mark_of(scratch);
    res.lacking = !take_vectors(&c);
    if (!res.lacking)
        iterate(&c, &res);
    arena_release(scratch, before);
    return res;
}
