/* SPDX-License-Identifier: MIT */
/* Plain bisection for continuous collision detection, which bench_ccd.c measures ours beside.
 *
 * The difference of the two points is linear in time and in each parameter, so over a box it stays within the hull of
 * its values at the eight corners (Snyder 1992; Redon 2002; as used by Wang 2021 with the same tolerance). The
 * rounding of those values is added. Depth first, earlier half first: the first box that is small enough has the
 * first contact within the tolerance; memory is a short stack. */
#include "inclusion.h"

#include <float.h>
#include <math.h>

/* Sides: time, first and second parameter. Halving keeps the ends exact. */
typedef struct cell {
    double low[3], high[3];
} cell;

enum { MOST_CELLS = 1000000, DEPTH = 192 };

static double mix(double a, double b, double t)
{
    return (1 - t) * a + t * b;
}

/* One coordinate of the difference; k picks it. */
static double at(bool edges, const double *c0, const double *c1, double t, double u, double v)
{
    double p[4];
    for (int i = 0; i < 4; i++)
        p[i] = mix(c0[i], c1[i], t);
    return edges ? mix(p[0], p[1], u) - mix(p[2], p[3], v) : p[0] - ((1 - u - v) * p[1] + u * p[2] + v * p[3]);
}

static double pick(weft_vec3 x, int k)
{
    return k == 0 ? x.x : k == 1 ? x.y : x.z;
}

typedef struct query {
    bool edges;
    double c0[3][4], c1[3][4];
    double noise[3], tolerance;
    double scale[3]; /* how far a side of length 1 reaches */
} query;

static query make_query(bool edges, const weft_vec3 x0[4], const weft_vec3 x1[4], double tolerance)
{
    query q = {.edges = edges, .tolerance = tolerance};
    for (int k = 0; k < 3; k++) {
        double most = 0;
        for (int i = 0; i < 4; i++) {
            q.c0[k][i] = pick(x0[i], k);
            q.c1[k][i] = pick(x1[i], k);
            most = fmax(most, fmax(fabs(q.c0[k][i]), fabs(q.c1[k][i])));
            q.scale[0] = fmax(q.scale[0], fabs(q.c1[k][i] - q.c0[k][i]));
        }
        q.noise[k] = 32 * DBL_EPSILON * most;
        for (int end = 0; end < 2; end++) {
            const double *c = end ? q.c1[k] : q.c0[k];
            q.scale[1] = fmax(q.scale[1], fabs(edges ? c[1] - c[0] : c[2] - c[1]));
            q.scale[2] = fmax(q.scale[2], fabs(edges ? c[3] - c[2] : c[3] - c[1]));
        }
    }
    return q;
}

/* 0: the origin is not in the box of values; 1: it is; 2: it is, and the box is within the tolerance. */
static int look(const query *q, const cell *c)
{
    bool small = true;
    for (int k = 0; k < 3; k++) {
        double low = DBL_MAX, high = -DBL_MAX;
        for (int corner = 0; corner < 8; corner++) {
            double f = at(q->edges, q->c0[k], q->c1[k], corner & 1 ? c->high[0] : c->low[0],
                          corner & 2 ? c->high[1] : c->low[1], corner & 4 ? c->high[2] : c->low[2]);
            low = f < low ? f : low;
            high = f > high ? f : high;
        }
        if (low > q->noise[k] || high < -q->noise[k])
            return 0;
        small = small && high - low <= q->tolerance;
    }
    return small ? 2 : 1;
}

static int longest(const query *q, const cell *c)
{
    int best = 0;
    double most = -1;
    for (int i = 0; i < 3; i++) {
        double length = (c->high[i] - c->low[i]) * q->scale[i];
        if (length > most) {
            most = length;
            best = i;
        }
    }
    return best;
}

bool inclusion_meet(bool edges, const weft_vec3 x0[4], const weft_vec3 x1[4], double tolerance, double *time)
{
    query q = make_query(edges, x0, x1, tolerance);
    cell stack[DEPTH] = {{{0, 0, 0}, {1, 1, 1}}};
    int n = 1;
    for (int i = 0; n > 0; i++) {
        cell c = stack[--n];
        int seen = !edges && c.low[1] + c.low[2] > 1 ? 0 : look(&q, &c);
        if (seen == 0)
            continue;
        if (seen == 2 || i >= MOST_CELLS || n + 2 > DEPTH) {
            *time = c.low[0];
            return true;
        }
        int side = longest(&q, &c);
        double middle = 0.5 * (c.low[side] + c.high[side]);
        stack[n] = stack[n + 1] = c;
        stack[n].low[side] = middle;
        stack[n + 1].high[side] = middle;
        n += 2;
    }
    return false;
}
