/* SPDX-License-Identifier: MIT */
/* Along a fixed direction n the gap min n·x_A − max n·x_B is a minimum of functions that are linear in time, so it is
 * concave: if it exceeds a value at both ends of the step, it does so throughout, wherever the plane between the two
 * would have to be. No roots are looked for.
 *
 * Rounding:
 *  1. Axes: a difference of two doubles rounds monotonely: if a − b ≤ beyond, so is the rounded difference. Exact.
 *  2. Plane: corners are taken relative to one of them (one rounding each, u = 2⁻⁵³; none for positions on the grid),
 *     then three products and two sums: each n·d is off by at most 4.01 u Σ|n_k d_k| ≤ 4.01 u · 1.01 · Σ|d_k|, the gap
 *     by twice that of the largest plus its own rounding. A length of n off by a few u changes the gap by as many u of
 *     itself, which is at most Σ|d_k|, too. 16 u of the largest Σ|d_k| covers all of it.
 *  3. Together: positions are on the grid and within the world, so that differences of two of them are exact. */
#include "contact/ccd/certificate.h"

static double smallest_of(const double *a, int from, int to)
{
    double least = a[from];
    for (int i = from + 1; i < to; i++)
        least = min_of(least, a[i]);
    return least;
}

static double largest_of(const double *a, int from, int to)
{
    double most = a[from];
    for (int i = from + 1; i < to; i++)
        most = max_of(most, a[i]);
    return most;
}

static bool apart_on_axis(const double a0[4], const double a1[4], int n_first, double beyond)
{
    if (smallest_of(a0, 0, n_first) - largest_of(a0, n_first, 4) > beyond)
        return smallest_of(a1, 0, n_first) - largest_of(a1, n_first, 4) > beyond;
    if (smallest_of(a0, n_first, 4) - largest_of(a0, 0, n_first) > beyond)
        return smallest_of(a1, n_first, 4) - largest_of(a1, 0, n_first) > beyond;
    return false;
}

bool certificate_axes(const vec3 x0[4], const vec3 x1[4], int n_first, double beyond)
{
    double a0[3][4], a1[3][4];
    for (int i = 0; i < 4; i++) {
        a0[0][i] = x0[i].x, a0[1][i] = x0[i].y, a0[2][i] = x0[i].z;
        a1[0][i] = x1[i].x, a1[1][i] = x1[i].y, a1[2][i] = x1[i].z;
    }
    for (int k = 0; k < 3; k++)
        if (apart_on_axis(a0[k], a1[k], n_first, beyond))
            return true;
    return false;
}

double certificate_gap(const vec3 x[4], int n_first, vec3 n)
{
    double along[4], size = 0;
    for (int i = 0; i < 4; i++) {
        vec3 d = v3_sub(x[i], x[3]);
        along[i] = v3_dot(n, d);
        size = max_of(size, fabs(d.x) + fabs(d.y) + fabs(d.z));
    }
    return smallest_of(along, 0, n_first) - largest_of(along, n_first, 4) - 16 * 0x1p-53 * size;
}

bool certificate_plane(const vec3 x0[4], const vec3 x1[4], int n_first, vec3 normal, double beyond)
{
    return certificate_gap(x0, n_first, normal) > beyond && certificate_gap(x1, n_first, normal) > beyond;
}

bool certificate_together(const vec3 x0[4], const vec3 x1[4])
{
    vec3 d = v3_sub(x1[0], x0[0]);
    for (int i = 1; i < 4; i++) {
        vec3 e = v3_sub(x1[i], x0[i]);
        if (e.x != d.x || e.y != d.y || e.z != d.z)
            return false;
    }
    return true;
}
