/* SPDX-License-Identifier: MIT */
/* The sign of the in-circle determinant.
 *
 * Idea: with differences to d, the determinant of the rows (x, y, x² + y²) of a, b, c is positive if d is inside. A
 * floating-point filter decides almost always; the rest is computed without rounding, with expansions (Shewchuk
 * 1997).
 *
 * The filter, u = 2⁻⁵³: differences have one rounding each, a minor three more on top of its two differences, the
 * square sum four with its differences, their product one and the sum of three two more: (1 + u)¹² − 1 times the sum
 * of absolute values; that sum has such errors itself, so 15 u is a bound. Underflow adds less than 2⁻⁹⁰⁰ in the
 * range given.
 *
 * Invariants:
 * 1. Swapping two of a, b, c changes the sign and nothing else.
 * 2. The filter never says what the exact path would not. */
#include "math/incircle.h"

#include "math/expansion.h"

typedef struct pair {
    double e[2];
    int n;
} pair;

typedef struct corner {
    pair u, v;
} corner;

static corner corner_from(vec2 p, vec2 d)
{
    corner c;
    c.u.n = expansion_difference(p.u, d.u, c.u.e);
    c.v.n = expansion_difference(p.v, d.v, c.v.e);
    return c;
}

/* out[16] = p.u q.v − p.v q.u */
static int incircle_minor(const corner *p, const corner *q, double out[16])
{
    double work[8], left[8], right[8];
    int n_left = expansion_times_pair(p->u.e, p->u.n, q->v.e, q->v.n, work, left);
    int n_right = expansion_times_pair(p->v.e, p->v.n, q->u.e, q->u.n, work, right);
    return expansion_add(left, n_left, right, n_right, -1.0, out);
}

/* out[256] = e·s², e of 16 at most */
static int times_square(const double *e, int n, const pair *s, double out[256])
{
    double work[256], once[64];
    int n_once = expansion_times_pair(e, n, s->e, s->n, work, once);
    return expansion_times_pair(once, n_once, s->e, s->n, work, out);
}

/* out[512] = (p × q) · |r|² */
static int term_of(const corner *p, const corner *q, const corner *r, double out[512])
{
    double minor[16], u[256], v[256];
    int n = incircle_minor(p, q, minor);
    int n_u = times_square(minor, n, &r->u, u), n_v = times_square(minor, n, &r->v, v);
    return expansion_add(u, n_u, v, n_v, 1.0, out);
}

int predicate_incircle_exact(vec2 a, vec2 b, vec2 c, vec2 d)
{
    corner ca = corner_from(a, d), cb = corner_from(b, d), cc = corner_from(c, d);
    double x[512], y[512], z[512], xy[1024], det[1536];
    int n_x = term_of(&cb, &cc, &ca, x), n_y = term_of(&cc, &ca, &cb, y), n_z = term_of(&ca, &cb, &cc, z);
    int n_xy = expansion_add(x, n_x, y, n_y, 1.0, xy);
    return expansion_sign(det, expansion_add(xy, n_xy, z, n_z, 1.0, det));
}

int predicate_incircle(vec2 a, vec2 b, vec2 c, vec2 d)
{
    double au = a.u - d.u, av = a.v - d.v, bu = b.u - d.u, bv = b.v - d.v, cu = c.u - d.u, cv = c.v - d.v;
    double bc = bu * cv, cb = bv * cu, ca = cu * av, ac = cv * au, ab = au * bv, ba = av * bu;
    double aa = au * au + av * av, bb = bu * bu + bv * bv, cc = cu * cu + cv * cv;
    double det = aa * (bc - cb) + bb * (ca - ac) + cc * (ab - ba);
    double size = aa * (fabs(bc) + fabs(cb)) + bb * (fabs(ca) + fabs(ac)) + cc * (fabs(ab) + fabs(ba));
    double bound = 15 * 0x1p-53 * size + 0x1p-900;
    return det > bound ? 1 : det < -bound ? -1 : predicate_incircle_exact(a, b, c, d);
}
