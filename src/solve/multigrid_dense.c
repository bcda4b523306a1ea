/* SPDX-License-Identifier: MIT */
/* The last level, solved directly: A = L Lᵀ, in double precision. */
#include <math.h>
#include <string.h>

#include "solve/multigrid_inside.h"

/* A pivot below this share of its diagonal entry is rounding, or a held direction: it is left out. */
#define PIVOT 1e-6

static const multigrid_level *last_level(const multigrid *g)
{
    return &g->levels[g->n_levels - 1];
}

static void spread_block(const multigrid_level *l, int32_t i, int32_t j, const float *block, double *a)
{
    int32_t n = l->dim * l->n;
    for (int c = 0; c < l->dim * l->dim; c++)
        a[(l->dim * i + c % l->dim) * n + l->dim * j + c / l->dim] = (double)block[c];
}

static void spread(const multigrid_level *l, double *a)
{
    int64_t n = l->dim * l->n, size = l->dim * l->dim;
    memset(a, 0, (size_t)(n * n) * sizeof *a);
    for (int32_t i = 0; i < l->n; i++) {
        spread_block(l, i, i, l->diagonal + size * i, a);
        for (int32_t k = l->before[i]; k < l->before[i + 1]; k++)
            spread_block(l, i, l->col[k], l->val + size * k, a);
        for (int32_t k = l->after[i]; k < l->after[i + 1]; k++)
            spread_block(l, i, l->col[k], l->val + size * k, a);
    }
}

/* By rows; the diagonal holds 1/L_ii, or 0 where a direction is left out. */
void dense_factor(multigrid *g)
{
    const multigrid_level *l = last_level(g);
    int32_t n = l->dim * l->n;
    double *a = g->dense;
    spread(l, a);
    for (int32_t i = 0; i < n; i++) {
        double *ri = a + i * n, before = ri[i];
        for (int32_t j = 0; j < i; j++) {
            const double *rj = a + j * n;
            double s = ri[j];
            for (int32_t k = 0; k < j; k++)
                s -= ri[k] * rj[k];
            ri[j] = s * rj[j];
            ri[i] -= ri[j] * ri[j];
        }
        ri[i] = before > 0 && ri[i] > PIVOT * before ? 1.0 / sqrt(ri[i]) : 0;
    }
}

void dense_solve(const multigrid *g, const float *b, float *x)
{
    int32_t n = last_level(g)->dim * last_level(g)->n;
    const double *a = g->dense;
    double *y = g->dense + n * n;
    for (int32_t i = 0; i < n; i++) {
        y[i] = (double)b[i];
        for (int32_t k = 0; k < i; k++)
            y[i] -= a[i * n + k] * y[k];
        y[i] *= a[i * n + i];
    }
    for (int32_t i = n - 1; i >= 0; i--) {
        y[i] *= a[i * n + i];
        for (int32_t k = 0; k < i; k++)
            y[k] -= a[i * n + k] * y[i];
        x[i] = (float)y[i];
    }
}
