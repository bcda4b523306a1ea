/* SPDX-License-Identifier: MIT */
/* Central differences D(h) of the energy (for the gradient) and of the gradient (for the Hessian), at steps
 * length · 10⁻², …, 10⁻⁶. Their error falls as h² until rounding takes over, which rises as 1/h: the smallest error
 * over the steps judges the derivative, and the order of convergence is read off the finest pair of steps that rounding
 * has not reached. A wrong derivative has an error that stays (order 0).
 *
 * Scales. An error is relative to the largest entry, but at rest the gradient is rounding noise; so the gradient's
 * scale is at least that of a strain of 1 %, 0.01 · length · (largest entry of the Hessian). Energies are measured
 * against |E| or gradient · length, whichever is larger, since an error eps · |x| in x changes E by eps · |x| · |g|. */
#include "force/check_energy.h"

#include <float.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define MAX_NODES 6
#define MAX_DOFS (3 * MAX_NODES)
#define STEPS 5
#define ROTATIONS 16

/* How far above rounding an error must be for its order to mean something. Noise of 1/30 changes the order, log10 of a
 * ratio, by 0.015. */
#define RESOLVED 30.0

typedef struct element {
    energy_fn fn;
    const void *par;
    int n;
    double length;
    vec3 x[MAX_NODES];
    double energy;
    vec3 g[MAX_NODES];
    double h[MAX_DOFS * MAX_DOFS]; /* exact, full */
    double x_scale, g_scale, h_scale, e_scale;
} element;

/* As fmax, but a NAN stays, so that it fails the check. */
static double worse(double a, double b)
{
    return isnan(a) || a >= b ? a : b;
}

static double *coordinate(vec3 *x, int dof)
{
    vec3 *v = &x[dof / 3];
    return dof % 3 == 0 ? &v->x : dof % 3 == 1 ? &v->y : &v->z;
}

static double largest(const vec3 *v, int n)
{
    double m = 0.0;
    for (int i = 0; i < n; i++)
        m = fmax(m, v3_max_abs(v[i]));
    return m;
}

/* Packed upper blocks to a full matrix of 3n rows. Diagonal blocks must be symmetric on their own. */
static void unpack(const mat3 *h, int n, double *full)
{
    int m = 3 * n;
    for (int i = 0; i < n; i++) {
        for (int j = i; j < n; j++) {
            const double *b = h[block_of(n, i, j)].m;
            for (int k = 0; k < 9; k++) {
                int row = 3 * i + k / 3, column = 3 * j + k % 3;
                full[column * m + row] = full[row * m + column] = b[k];
            }
        }
    }
}

static double largest_entry(const double *a, int m)
{
    double largest_yet = 0.0;
    for (int i = 0; i < m * m; i++)
        largest_yet = fmax(largest_yet, fabs(a[i]));
    return largest_yet;
}

/* The two halves of a diagonal block come from the same products, in an order that may differ: a few eps. */
static void assert_diagonal_blocks_symmetric(const mat3 *h, int n, double scale)
{
    for (int i = 0; i < n; i++) {
        const double *b = h[block_of(n, i, i)].m;
        double skew = worse(fabs(b[1] - b[3]), worse(fabs(b[2] - b[6]), fabs(b[5] - b[7])));
        assert_true(skew <= 1e-13 * scale);
    }
}

/* What is asked for does not change the answer: same value and gradient whatever is NULL, and for either Hessian. */
static void assert_same_answers(const element *e)
{
    vec3 g[MAX_NODES];
    mat3 h[BLOCKS(MAX_NODES)];
    size_t size = (size_t)e->n * sizeof *g;
    double values[] = {e->fn(e->x, e->par, false, NULL, NULL), e->fn(e->x, e->par, true, NULL, NULL),
                       e->fn(e->x, e->par, false, NULL, h)};
    for (int i = 0; i < 3; i++)
        assert_true(values[i] == e->energy);
    assert_true(e->fn(e->x, e->par, false, g, NULL) == e->energy);
    assert_memory_equal(g, e->g, size);
    assert_true(e->fn(e->x, e->par, true, g, h) == e->energy);
    assert_memory_equal(g, e->g, size);
}

static element element_at(energy_fn fn, const void *par, const vec3 *x, int n, double length)
{
    element e = {.fn = fn, .par = par, .n = n, .length = length};
    mat3 h[BLOCKS(MAX_NODES)];
    assert_in_range(n, 1, MAX_NODES);
    memcpy(e.x, x, (size_t)n * sizeof *x);
    e.energy = fn(x, par, false, e.g, h);
    unpack(h, n, e.h);
    e.x_scale = largest(x, n);
    e.h_scale = fmax(largest_entry(e.h, 3 * n), DBL_MIN);
    e.g_scale = fmax(fmax(largest(e.g, n), 0.01 * length * e.h_scale), DBL_MIN);
    e.e_scale = fmax(fabs(e.energy), e.g_scale * length);
    assert_diagonal_blocks_symmetric(h, n, e.h_scale);
    assert_same_answers(&e);
    return e;
}

static double gradient_difference_error(const element *e, double step)
{
    double error = 0.0;
    vec3 g[MAX_NODES];
    memcpy(g, e->g, sizeof g);
    for (int d = 0; d < 3 * e->n; d++) {
        vec3 lo[MAX_NODES], hi[MAX_NODES];
        memcpy(lo, e->x, sizeof lo);
        memcpy(hi, e->x, sizeof hi);
        *coordinate(lo, d) -= step;
        *coordinate(hi, d) += step;
        double taken = *coordinate(hi, d) - *coordinate(lo, d);
        double slope = (e->fn(hi, e->par, false, NULL, NULL) - e->fn(lo, e->par, false, NULL, NULL)) / taken;
        error = worse(error, fabs(slope - *coordinate(g, d)));
    }
    return error / e->g_scale;
}

static double hessian_difference_error(const element *e, double step)
{
    double error = 0.0;
    int m = 3 * e->n;
    for (int d = 0; d < m; d++) {
        vec3 lo[MAX_NODES], hi[MAX_NODES], g_lo[MAX_NODES], g_hi[MAX_NODES];
        memcpy(lo, e->x, sizeof lo);
        memcpy(hi, e->x, sizeof hi);
        *coordinate(lo, d) -= step;
        *coordinate(hi, d) += step;
        double taken = *coordinate(hi, d) - *coordinate(lo, d);
        e->fn(lo, e->par, false, g_lo, NULL);
        e->fn(hi, e->par, false, g_hi, NULL);
        for (int i = 0; i < m; i++) {
            double slope = (*coordinate(g_hi, i) - *coordinate(g_lo, i)) / taken;
            error = worse(error, fabs(slope - e->h[i * m + d]));
        }
    }
    return error / e->h_scale;
}

/* Order of convergence on the finest pair of steps whose errors stand clear of rounding, else NAN. Rounding at
 * step h is noise / h: estimated from the sizes of the numbers subtracted, and seen where the last error rises. */
static double order_of(const double error[STEPS], const double step[STEPS], double noise)
{
    if (error[STEPS - 1] >= error[STEPS - 2])
        noise = fmax(noise, error[STEPS - 1] * step[STEPS - 1]);
    for (int i = STEPS - 1; i > 0; i--)
        if (error[i] > RESOLVED * noise / step[i])
            return log10(error[i - 1] / error[i]) / log10(step[i - 1] / step[i]);
    return (double)NAN;
}

static double smallest(const double *a, int n)
{
    double s = a[0];
    for (int i = 1; i < n; i++)
        s = isnan(a[i]) || a[i] < s ? a[i] : s; /* a NAN stays and fails */
    return s;
}

static void check_derivatives(const element *e, energy_report *r)
{
    double step[STEPS], error_g[STEPS], error_h[STEPS], size = 1e-2 * e->length;
    for (int i = 0; i < STEPS; i++, size *= 0.1) {
        step[i] = size;
        error_g[i] = gradient_difference_error(e, size);
        error_h[i] = hessian_difference_error(e, size);
    }
    double noise_g = DBL_EPSILON * (fabs(e->energy) + e->g_scale * e->x_scale) / e->g_scale;
    double noise_h = DBL_EPSILON * (e->g_scale + e->h_scale * e->x_scale) / e->h_scale;
    r->gradient_error = smallest(error_g, STEPS);
    r->hessian_error = smallest(error_h, STEPS);
    r->gradient_slope = order_of(error_g, step, noise_g);
    r->hessian_slope = order_of(error_h, step, noise_h);
}

/* In [−1, 1], the same on every machine (Knuth's 64-bit linear congruence, upper bits). */
static double random_unit(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (double)(*state >> 11) * 0x1p-52 - 1.0;
}

/* From a quaternion drawn at random, so about any axis and mostly by large angles. */
static mat3 random_rotation(uint64_t *state)
{
    double w, len_sq;
    vec3 q;
    do {
        w = random_unit(state);
        q = v3(random_unit(state), random_unit(state), random_unit(state));
        len_sq = w * w + v3_len_sq(q);
    } while (len_sq > 1.0 || len_sq < 0.01);
    mat3 r = m3_scale((w * w - v3_len_sq(q)) / len_sq, m3_scaled_identity(1.0));
    r = m3_madd(r, 2.0 / len_sq, m3_outer(q, q));
    return m3_madd(r, 2.0 * w / len_sq, m3_skew(q));
}

static vec3 mean_of(const vec3 *x, int n)
{
    vec3 sum = v3_zero();
    for (int i = 0; i < n; i++)
        sum = v3_add(sum, x[i]);
    return v3_scale(1.0 / n, sum);
}

/* x ↦ R (x − mean) + shift: energy must stay, the gradient turn along. */
static double rotation_error(const element *e)
{
    uint64_t state = 7;
    double error = 0.0;
    vec3 mean = mean_of(e->x, e->n);
    for (int k = 0; k < ROTATIONS; k++) {
        mat3 r = random_rotation(&state);
        vec3 shift = v3(random_unit(&state), random_unit(&state), random_unit(&state));
        vec3 x[MAX_NODES], g[MAX_NODES];
        for (int i = 0; i < e->n; i++)
            x[i] = v3_madd(m3_mul_v(r, v3_sub(e->x[i], mean)), e->length, shift);
        double energy = e->fn(x, e->par, false, g, NULL);
        error = worse(error, fabs(energy - e->energy) / e->e_scale);
        for (int i = 0; i < e->n; i++)
            error = worse(error, v3_len(v3_sub(g[i], m3_mul_v(r, e->g[i]))) / e->g_scale);
    }
    return error;
}

static void check_balance(const element *e, energy_report *r)
{
    vec3 force = v3_zero(), torque = v3_zero(), mean = mean_of(e->x, e->n);
    double force_sum = e->g_scale, torque_sum = e->g_scale * e->length;
    for (int i = 0; i < e->n; i++) {
        vec3 arm = v3_sub(e->x[i], mean);
        force = v3_add(force, e->g[i]);
        torque = v3_add(torque, v3_cross(arm, e->g[i]));
        force_sum += v3_len(e->g[i]);
        torque_sum += v3_len(e->g[i]) * v3_len(arm);
    }
    r->net_force = v3_len(force) / force_sum;
    r->net_torque = v3_len(torque) / torque_sum;
}

/* Rotates rows and columns p, q of the symmetric a (m rows) so that a[p][q] vanishes. */
static void jacobi_rotate(double *a, int m, int p, int q)
{
    if (a[p * m + q] == 0.0)
        return;
    double theta = (a[q * m + q] - a[p * m + p]) / (2.0 * a[p * m + q]);
    double t = (theta < 0.0 ? -1.0 : 1.0) / (fabs(theta) + sqrt(theta * theta + 1.0));
    double c = 1.0 / sqrt(t * t + 1.0), s = t * c;
    for (int i = 0; i < m; i++) {
        double ip = a[i * m + p], iq = a[i * m + q];
        a[i * m + p] = c * ip - s * iq;
        a[i * m + q] = s * ip + c * iq;
    }
    for (int i = 0; i < m; i++) {
        double pi = a[p * m + i], qi = a[q * m + i];
        a[p * m + i] = c * pi - s * qi;
        a[q * m + i] = s * pi + c * qi;
    }
}

/* Cyclic Jacobi sweeps converge quadratically; twelve are plenty for 18 rows. */
static void eigenvalues(double *a, int m, double *values)
{
    for (int sweep = 0; sweep < 12; sweep++)
        for (int p = 0; p < m; p++)
            for (int q = p + 1; q < m; q++)
                jacobi_rotate(a, m, p, q);
    for (int i = 0; i < m; i++)
        values[i] = a[i * m + i];
}

static double psd_lowest(const element *e)
{
    mat3 h[BLOCKS(MAX_NODES)];
    double a[MAX_DOFS * MAX_DOFS], value[MAX_DOFS], low = DBL_MAX, size = 0.0;
    int m = 3 * e->n;
    e->fn(e->x, e->par, true, NULL, h);
    unpack(h, e->n, a);
    assert_diagonal_blocks_symmetric(h, e->n, fmax(largest_entry(a, m), e->h_scale));
    eigenvalues(a, m, value);
    for (int i = 0; i < m; i++) {
        low = isnan(value[i]) || value[i] < low ? value[i] : low;
        size = fmax(size, fabs(value[i]));
    }
    return size > 0.0 ? low / size : low;
}

energy_report energy_check(energy_fn fn, const void *par, const vec3 *x, int n, double length)
{
    energy_report r;
    element e = element_at(fn, par, x, n, length);
    check_derivatives(&e, &r);
    r.rotation_error = rotation_error(&e);
    check_balance(&e, &r);
    r.psd_lowest = psd_lowest(&e);
    return r;
}

static void assert_order_two(double slope)
{
    if (!isnan(slope))
        assert_true(slope >= 1.8 && slope <= 2.2);
}

void energy_assert(const char *name, const energy_report *r, bool internal)
{
    printf("    %-44s g %.1e ^%.2f  H %.1e ^%.2f  rot %.1e  force %.1e  torque %.1e  psd %+.1e\n", name,
           r->gradient_error, r->gradient_slope, r->hessian_error, r->hessian_slope, r->rotation_error, r->net_force,
           r->net_torque, r->psd_lowest);
    assert_true(r->gradient_error <= 1e-7);
    assert_true(r->hessian_error <= 1e-7);
    assert_order_two(r->gradient_slope);
    assert_order_two(r->hessian_slope);
    assert_true(r->psd_lowest >= -1e-12);
    if (internal) {
        assert_true(r->rotation_error <= 1e-12);
        assert_true(r->net_force <= 1e-12);
        assert_true(r->net_torque <= 1e-12);
    }
}
