/* SPDX-License-Identifier: MIT */
/* Three passes over the vectors an iteration, each cut into pieces of a fixed number of rows: sums are made per piece
 * and then added in order, so the result does not depend on the number of threads. */
#include "solve/cg.h"

#define PIECE 256

bool cg_create(cg_work *w, mem *m, int32_t n)
{
    *w = (cg_work){.n = n, .n_pieces = (n + PIECE - 1) / PIECE};
    return MEM_MAKE(m, w->r, n) && MEM_MAKE(m, w->z, n) && MEM_MAKE(m, w->p, n) && MEM_MAKE(m, w->ap, n) &&
           MEM_MAKE(m, w->inverse, n) && MEM_MAKE(m, w->part, w->n_pieces);
}

void cg_destroy(cg_work *w, mem *m)
{
    MEM_FREE(m, w->r, w->n);
    MEM_FREE(m, w->z, w->n);
    MEM_FREE(m, w->p, w->n);
    MEM_FREE(m, w->ap, w->n);
    MEM_FREE(m, w->inverse, w->n);
    MEM_FREE(m, w->part, w->n_pieces);
    *w = (cg_work){0};
}

typedef struct cg_run {
    cg_work *w;
    const blockmat *a;
    const filter *f;
    const vec3 *b;
    vec3 *d;
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
        return m3_scale(1.0 / v3_dot(f->axis, m3_mul_v(*a, f->axis)), m3_outer(f->axis, f->axis));
    return m3_inverse(*a);
}

/* r = S b, z = M⁻¹ r, p = z, d = 0 */
static void start_piece(void *context, int32_t i)
{
    cg_run *c = context;
    cg_work *w = c->w;
    double rz = 0;
    for (int32_t k = i * PIECE; k < piece_end(w, i); k++) {
        w->inverse[k] = inverse_block(&c->a->val[c->a->diagonal[k]], &c->f[k]);
        c->d[k] = v3_zero();
        w->r[k] = filter_apply(&c->f[k], c->b[k]);
        w->z[k] = m3_mul_v(w->inverse[k], w->r[k]);
        w->p[k] = w->z[k];
        rz += v3_dot(w->r[k], w->z[k]);
    }
    w->part[i] = rz;
}

/* ap = S A p, and p·ap */
static void multiply_piece(void *context, int32_t i)
{
    cg_run *c = context;
    cg_work *w = c->w;
    double pap = 0;
    blockmat_multiply_rows(c->a, w->p, w->ap, i * PIECE, piece_end(w, i));
    for (int32_t k = i * PIECE; k < piece_end(w, i); k++) {
        w->ap[k] = filter_apply(&c->f[k], w->ap[k]);
        pap += v3_dot(w->p[k], w->ap[k]);
    }
    w->part[i] = pap;
}

/* d += α p, r −= α ap, z = M⁻¹ r, and r·z */
static void advance_piece(void *context, int32_t i)
{
    cg_run *c = context;
    cg_work *w = c->w;
    double rz = 0;
    for (int32_t k = i * PIECE; k < piece_end(w, i); k++) {
        c->d[k] = v3_madd(c->d[k], c->alpha, w->p[k]);
        w->r[k] = v3_madd(w->r[k], -c->alpha, w->ap[k]);
        w->z[k] = m3_mul_v(w->inverse[k], w->r[k]);
        rz += v3_dot(w->r[k], w->z[k]);
    }
    w->part[i] = rz;
}

/* p = z + β p */
static void turn_piece(void *context, int32_t i)
{
    cg_run *c = context;
    cg_work *w = c->w;
    for (int32_t k = i * PIECE; k < piece_end(w, i); k++)
        w->p[k] = v3_madd(w->z[k], c->beta, w->p[k]);
}

static double total(const cg_work *w)
{
    double s = 0;
    for (int32_t i = 0; i < w->n_pieces; i++)
        s += w->part[i];
    return s;
}

#define WINDOW 8

cg_result cg_solve(cg_work *w, pool *p, const blockmat *a, const filter *f, const vec3 *b, vec3 *d, double tolerance,
                   int32_t limit, atomic_bool *cancel)
{
    cg_run c = {.w = w, .a = a, .f = f, .b = b, .d = d};
    cg_result res = {.error = 1};
    double gained[WINDOW] = {0}, recent = 0, all = 0;
    pool_for(p, w->n_pieces, start_piece, &c);
    double rz = total(w);
    while (res.iterations < limit && rz > 0 && isfinite(rz)) {
        if (cancel && atomic_load_explicit(cancel, memory_order_relaxed)) {
            res.cancelled = true;
            break;
        }
        pool_for(p, w->n_pieces, multiply_piece, &c);
        double pap = total(w);
        if (!(pap > 0)) /* p is zero, or the matrix is not what it should be */
            break;
        c.alpha = rz / pap;
        gained[res.iterations % WINDOW] = c.alpha * rz;
        all += c.alpha * rz;
        pool_for(p, w->n_pieces, advance_piece, &c);
        double next = total(w);
        c.beta = next / rz;
        rz = next;
        res.iterations++;
        recent = 0;
        for (int i = 0; i < WINDOW; i++)
            recent += gained[i];
        res.error = sqrt(recent / all);
        if (res.iterations >= WINDOW && res.error <= tolerance)
            break;
        pool_for(p, w->n_pieces, turn_piece, &c);
    }
    return res;
}
