/* SPDX-License-Identifier: MIT */
/* A few passes over the vectors an iteration, each cut into pieces of a fixed number of rows: sums are made per piece
 * and then added in order, so the result does not depend on the number of threads.
 *
 * β = −z₊·Ap/p·Ap makes directions conjugate whatever rounding does, and α = r·p/p·Ap is the best length along each:
 * equal to the usual formulas where the preconditioner is exactly symmetric, and indifferent to one that works in
 * single precision. (With α = r·z/p·Ap, a direction of which only rounding is left would be taken with any length.) */
#include "solve/cg.h"

#define PIECE 256

/* To this error or less iterations are many enough to pay for better ones. */
#define FAR 0.02

/* How firm levels are made (multigrid_build.c): at first not at all, then by this share, then by so many times that,
 * up to the last. */
#define FIRST_SHIFT 4e-6
#define SHIFT_FACTOR 4
#define LARGEST_SHIFT 1e-2

bool cg_create(cg_work *w, mem *m, int32_t n, bool borrows)
{
    *w = (cg_work){.n = n, .n_pieces = (n + PIECE - 1) / PIECE, .borrows = borrows};
    return MEM_MAKE(m, w->r, n) && MEM_MAKE(m, w->z, n) && MEM_MAKE(m, w->p, n) && MEM_MAKE(m, w->ap, n) &&
           (borrows || MEM_MAKE(m, w->inverse, 9 * (int64_t)n)) && MEM_MAKE(m, w->part, w->n_pieces);
}

void cg_destroy(cg_work *w, mem *m)
{
    MEM_FREE(m, w->r, w->n);
    MEM_FREE(m, w->z, w->n);
    MEM_FREE(m, w->p, w->n);
    MEM_FREE(m, w->ap, w->n);
    if (!w->borrows)
        MEM_FREE(m, w->inverse, 9 * (int64_t)w->n);
    MEM_FREE(m, w->part, w->n_pieces);
    *w = (cg_work){0};
}

typedef struct cg_run {
    cg_work *w;
    pool *pool;
    const blockmat *a;
    const filter *f;
    const vec3 *b;
    vec3 *d;
    bool multigrid;
    double scale; /* 1/|b| */
    double alpha, beta;
} cg_run;

static int32_t piece_end(const cg_work *w, int32_t i)
{
    return (i + 1) * PIECE < w->n ? (i + 1) * PIECE : w->n;
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

static void invert_piece(void *context, int32_t i)
{
    cg_run *c = context;
    cg_work *w = c->w;
    for (int32_t k = i * PIECE; k < piece_end(w, i); k++) {
        mat3 b = inverse_block(&c->a->diagonal[k], &c->f[k]);
        for (int j = 0; j < 9; j++)
            w->inverse[9 * (int64_t)k + j] = (float)b.m[j];
    }
}

/* r = S b, d = p = ap = 0, and r·r */
static void start_piece(void *context, int32_t i)
{
    cg_run *c = context;
    cg_work *w = c->w;
    double rr = 0;
    for (int32_t k = i * PIECE; k < piece_end(w, i); k++) {
        c->d[k] = v3_zero();
        w->p[k] = v3_zero();
        w->ap[k] = v3_zero();
        w->r[k] = filter_apply(&c->f[k], c->b[k]);
        rr += v3_len_sq(w->r[k]);
    }
    w->part[i].one = rr;
}

/* ap = S A p; p·ap and r·p */
static void multiply_piece(void *context, int32_t i)
{
    cg_run *c = context;
    cg_work *w = c->w;
    double pap = 0, rp = 0;
    blockmat_multiply_rows(c->a, w->p, w->ap, i * PIECE, piece_end(w, i));
    for (int32_t k = i * PIECE; k < piece_end(w, i); k++) {
        w->ap[k] = filter_apply(&c->f[k], w->ap[k]);
        pap += v3_dot(w->p[k], w->ap[k]);
        rp += v3_dot(w->r[k], w->p[k]);
    }
    w->part[i] = (cg_sums){pap, rp};
}

/* d += α p, r −= α ap */
static void advance_piece(void *context, int32_t i)
{
    cg_run *c = context;
    cg_work *w = c->w;
    for (int32_t k = i * PIECE; k < piece_end(w, i); k++) {
        c->d[k] = v3_madd(c->d[k], c->alpha, w->p[k]);
        w->r[k] = v3_madd(w->r[k], -c->alpha, w->ap[k]);
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
    cg_work *w = c->w;
    double rz = 0, apz = 0;
    for (int32_t k = i * PIECE; k < piece_end(w, i); k++) {
        if (!c->multigrid)
            w->z[k] = filter_apply(&c->f[k], times_inverse(w->inverse + 9 * (int64_t)k, w->r[k]));
        rz += v3_dot(w->r[k], w->z[k]);
        apz += v3_dot(w->ap[k], w->z[k]);
    }
    w->part[i] = (cg_sums){rz, apz};
}

/* p = z + β p */
static void turn_piece(void *context, int32_t i)
{
    cg_run *c = context;
    cg_work *w = c->w;
    for (int32_t k = i * PIECE; k < piece_end(w, i); k++)
        w->p[k] = v3_madd(w->z[k], c->beta, w->p[k]);
}

static cg_sums total(const cg_work *w)
{
    cg_sums s = {0, 0};
    for (int32_t i = 0; i < w->n_pieces; i++) {
        s.one += w->part[i].one;
        s.two += w->part[i].two;
    }
    return s;
}

/* What the next solve begins with: what one needed the next one may, but the firmer the levels the less they do. */
static double lower_shift(double shift)
{
    return shift > FIRST_SHIFT ? shift / SHIFT_FACTOR : shift;
}

/* A multilevel cycle that has failed to be positive is made anew with firmer levels; in the end blocks take over. */
static void raise_shift(cg_run *c)
{
    multigrid *g = c->w->multigrid;
    g->shift = g->shift > 0 ? SHIFT_FACTOR * g->shift : FIRST_SHIFT;
    c->multigrid = g->shift <= LARGEST_SHIFT;
    if (c->multigrid)
        multigrid_build(g, c->pool, c->a, c->f, c->w->position);
    else
        pool_for(c->pool, c->w->n_pieces, invert_piece, c);
}

/* z = M⁻¹ r; r·z and ap·z. */
static cg_sums precondition(cg_run *c)
{
    if (c->multigrid)
        multigrid_apply(c->w->multigrid, c->pool, c->f, c->scale, c->w->r, c->w->z);
    pool_for(c->pool, c->w->n_pieces, precondition_piece, c);
    cg_sums s = total(c->w);
    if (c->multigrid && !(s.one > 0 && isfinite(s.one))) {
        raise_shift(c);
        return precondition(c);
    }
    return s;
}

static bool is_cancelled(atomic_bool *cancel)
{
    return cancel && atomic_load_explicit(cancel, memory_order_relaxed);
}

/* The error of an iteration is what the later ones gain, Σ α r·p in the square of the energy norm (Hestenes, Stiefel
 * 1952, theorem 6:1; Strakoš, Tichý 2002). With block Jacobi gains rise and fall, and the sum over a window is taken
 * for the error at its beginning. With multigrid they fall steadily: the slowest fall in the window, q, gives those to
 * come, gain · q/(1 − q). */
#define WINDOW 8
#define WINDOW_MULTIGRID 3

typedef struct gains {
    double recent[WINDOW]; /* of iteration n at n % WINDOW */
    double all;
    int32_t n;
} gains;

static double gain_ago(const gains *g, int32_t i)
{
    return g->recent[(g->n - i) % WINDOW];
}

static void add_gain(gains *g, double gain)
{
    g->recent[++g->n % WINDOW] = gain;
    g->all += gain;
}

/* Of the error relative to the solution, both in the energy norm; 1 while too little is known. */
static double estimate(const gains *g, bool steady)
{
    double sum = 0, q = 0;
    if (g->n < (steady ? WINDOW_MULTIGRID : WINDOW))
        return 1;
    for (int32_t i = 0; i < WINDOW && !steady; i++)
        sum += gain_ago(g, i);
    for (int32_t i = 0; i + 1 < WINDOW_MULTIGRID && steady; i++)
        q = max_of(q, gain_ago(g, i) / gain_ago(g, i + 1));
    if (steady)
        sum = q < 1 ? gain_ago(g, 0) * q / (1 - q) : g->all;
    return min_of(1.0, sqrt(sum / g->all));
}

cg_result cg_solve(cg_work *w, pool *p, const blockmat *a, const filter *f, const vec3 *b, vec3 *d, double tolerance,
                   int32_t limit, atomic_bool *cancel)
{
    cg_run c = {.w = w, .pool = p, .a = a, .f = f, .b = b, .d = d, .multigrid = w->multigrid != NULL};
    cg_result res = {.error = 1};
    gains g = {{0}, 0, 0};
    pool_for(p, w->n_pieces, start_piece, &c);
    double rr = total(w).one;
    c.scale = 1 / sqrt(rr);
    c.multigrid = c.multigrid && isfinite(c.scale) && c.scale > 0;
    if (c.multigrid) {
        w->multigrid->thorough = tolerance <= FAR;
        w->multigrid->shift = lower_shift(w->multigrid->shift);
        multigrid_build(w->multigrid, p, a, f, w->position);
    } else {
        pool_for(p, w->n_pieces, invert_piece, &c);
    }
    double rz = precondition(&c).one;
    while (res.iterations < limit && rz > 0 && isfinite(rz)) {
        if (is_cancelled(cancel)) {
            res.cancelled = true;
            break;
        }
        pool_for(p, w->n_pieces, turn_piece, &c);
        pool_for(p, w->n_pieces, multiply_piece, &c);
        cg_sums along = total(w);
        double pap = along.one;
        if (!(pap > 0)) /* p is zero, or the matrix is not what it should be */
            break;
        c.alpha = along.two / pap;
        pool_for(p, w->n_pieces, advance_piece, &c);
        res.iterations++;
        add_gain(&g, c.alpha * along.two);
        res.error = estimate(&g, c.multigrid);
        if (res.error <= tolerance)
            break;
        cg_sums s = precondition(&c);
        c.beta = -s.two / pap;
        rz = s.one;
    }
    return res;
}
