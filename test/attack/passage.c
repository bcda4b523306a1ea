/* SPDX-License-Identifier: MIT */
/* Does a vertex go through a triangle, or an edge through an edge, when all go straight? The four points span a volume
 * that is a cubic of time; where it changes sign they are in one plane, and the place there decides. Numbers are long
 * doubles and nothing is told that is not clear by a margin: this judge may miss, but not accuse. */
#include <math.h>

#include "attack/judge.h"

typedef long double real;
enum { PARTS = 16, HALVINGS = 60 };
/* Least barycentric coordinate, or share of an edge, of a place that counts as inside; and least sine of the angle
 * between edges, or of a triangle's corner. */
static const real inside_margin = 1e-6L, least_sine = 1e-5L;

typedef struct moving {
    double (*from)[3], (*to)[3];
} moving;

static void at_time(const moving *m, real t, real x[4][3])
{
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 3; k++)
            x[i][k] = (real)m->from[i][k] + t * ((real)m->to[i][k] - (real)m->from[i][k]);
}

static void less(real out[3], const real a[3], const real b[3])
{
    for (int k = 0; k < 3; k++)
        out[k] = a[k] - b[k];
}

static void across(real out[3], const real a[3], const real b[3])
{
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

static real inner(const real a[3], const real b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static real volume_at(const moving *m, real t)
{
    real x[4][3], u[3], v[3], w[3], n[3];
    at_time(m, t, x);
    less(u, x[1], x[0]);
    less(v, x[2], x[0]);
    less(w, x[3], x[0]);
    across(n, u, v);
    return inner(n, w);
}

static double triple(const double a[3], const double b[3], const double c[3])
{
    return a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) + a[2] * (b[0] * c[1] - b[1] * c[0]);
}

/* Most pairs never get near to one plane: then the cubic's four Bernstein coefficients have one sign. */
static bool stays_on_a_side(const moving *m)
{
    double e[2][3][3], b[4] = {0, 0, 0, 0};
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) {
            e[0][i][k] = m->from[i + 1][k] - m->from[0][k];
            e[1][i][k] = m->to[i + 1][k] - m->to[0][k];
        }
    for (int i = 0; i < 8; i++)
        b[(i & 1) + (i >> 1 & 1) + (i >> 2)] += triple(e[i & 1][0], e[i >> 1 & 1][1], e[i >> 2][2]);
    return (b[0] > 0 && b[1] > 0 && b[2] > 0 && b[3] > 0) || (b[0] < 0 && b[1] < 0 && b[2] < 0 && b[3] < 0);
}

/* Point 0 within the triangle 1 2 3, which it is in the plane of. */
static bool vertex_is_inside(real x[4][3])
{
    real e[3][3], n[3], c[3], d[3];
    for (int k = 0; k < 3; k++)
        less(e[k], x[1 + (k + 1) % 3], x[1 + k]);
    across(n, e[0], e[1]);
    real area = inner(n, n);
    for (int k = 0; k < 3; k++) {
        less(d, x[0], x[1 + k]);
        across(c, e[k], d);
        if (inner(c, n) < inside_margin * area)
            return false;
    }
    real longest = fmaxl(inner(e[0], e[0]), fmaxl(inner(e[1], e[1]), inner(e[2], e[2])));
    return area > least_sine * least_sine * longest * longest;
}

/* Edges 0 1 and 2 3, which are in one plane, cross inside of both. */
static bool edges_cross(real x[4][3])
{
    real u[3], v[3], w[3], n[3], c[3];
    less(u, x[1], x[0]);
    less(v, x[3], x[2]);
    less(w, x[2], x[0]);
    across(n, u, v);
    real square = inner(n, n);
    if (square < least_sine * least_sine * inner(u, u) * inner(v, v))
        return false;
    across(c, w, v);
    real s = inner(c, n) / square;
    across(c, w, u);
    real t = inner(c, n) / square;
    return fminl(fminl(s, 1 - s), fminl(t, 1 - t)) > inside_margin;
}

/* The volume's sign is clear: rounding is some 1e-19 of the product of three edges. */
static bool is_clear(const moving *m, real volume)
{
    real size = 0;
    for (int i = 1; i < 4; i++)
        for (int k = 0; k < 3; k++) {
            real before = (real)m->from[i][k] - (real)m->from[0][k], after = (real)m->to[i][k] - (real)m->to[0][k];
            size = fmaxl(size, fmaxl(fabsl(before), fabsl(after)));
        }
    return fabsl(volume) > 1e-17L * size * size * size;
}

static real root_between(const moving *m, real low, real high, real at_low)
{
    for (int i = 0; i < HALVINGS; i++) {
        real middle = (low + high) / 2, v = volume_at(m, middle);
        if ((v < 0) == (at_low < 0))
            low = middle;
        else
            high = middle;
    }
    return (low + high) / 2;
}

static bool passes(const moving *m, bool (*is_inside)(real x[4][3]))
{
    if (stays_on_a_side(m))
        return false;
    real before = 0, since = 0; /* the last volume that was clear */
    for (int i = 0; i <= PARTS; i++) {
        real t = (real)i / PARTS, after = volume_at(m, t);
        if (!is_clear(m, after))
            continue;
        if ((before < 0 && after > 0) || (before > 0 && after < 0)) {
            real x[4][3];
            at_time(m, root_between(m, since, t, before), x);
            if (is_inside(x))
                return true;
        }
        before = after;
        since = t;
    }
    return false;
}

bool attack_vertex_passes(double from[4][3], double to[4][3])
{
    moving m = {from, to};
    return passes(&m, vertex_is_inside);
}

bool attack_edges_pass(double from[4][3], double to[4][3])
{
    moving m = {from, to};
    return passes(&m, edges_cross);
}
