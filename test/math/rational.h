/* SPDX-License-Identifier: MIT */
/* Exact arithmetic by GMP for tests: orientation, and intersection of triangles by an algorithm of its own: the
 * corners of what two triangles have in common, as rational points. Slow and plain on purpose. */
#ifndef TEST_MATH_RATIONAL_H
#define TEST_MATH_RATIONAL_H

#include <gmp.h>
#include <stdbool.h>

#include "math/vec.h"

typedef struct rational3 {
    mpq_t c[3];
} rational3;

static inline void r3_init(rational3 *a)
{
    for (int k = 0; k < 3; k++)
        mpq_init(a->c[k]);
}

static inline void r3_clear(rational3 *a)
{
    for (int k = 0; k < 3; k++)
        mpq_clear(a->c[k]);
}

static inline void r3_copy(rational3 *out, const rational3 *a)
{
    for (int k = 0; k < 3; k++)
        mpq_set(out->c[k], a->c[k]);
}

static inline void r3_set(rational3 *a, vec3 x)
{
    mpq_set_d(a->c[0], x.x);
    mpq_set_d(a->c[1], x.y);
    mpq_set_d(a->c[2], x.z);
}

static inline void r3_sub(rational3 *out, const rational3 *a, const rational3 *b)
{
    for (int k = 0; k < 3; k++)
        mpq_sub(out->c[k], a->c[k], b->c[k]);
}

/* out is neither a nor b */
static inline void r3_cross(rational3 *out, const rational3 *a, const rational3 *b)
{
    mpq_t t;
    mpq_init(t);
    for (int k = 0; k < 3; k++) {
        int i = (k + 1) % 3, j = (k + 2) % 3;
        mpq_mul(out->c[k], a->c[i], b->c[j]);
        mpq_mul(t, a->c[j], b->c[i]);
        mpq_sub(out->c[k], out->c[k], t);
    }
    mpq_clear(t);
}

static inline void r3_dot(mpq_t out, const rational3 *a, const rational3 *b)
{
    mpq_t t;
    mpq_init(t);
    mpq_mul(out, a->c[0], b->c[0]);
    for (int k = 1; k < 3; k++) {
        mpq_mul(t, a->c[k], b->c[k]);
        mpq_add(out, out, t);
    }
    mpq_clear(t);
}

static inline bool r3_is_zero(const rational3 *a)
{
    return mpq_sgn(a->c[0]) == 0 && mpq_sgn(a->c[1]) == 0 && mpq_sgn(a->c[2]) == 0;
}

static inline bool r3_equal(const rational3 *a, const rational3 *b)
{
    return mpq_equal(a->c[0], b->c[0]) && mpq_equal(a->c[1], b->c[1]) && mpq_equal(a->c[2], b->c[2]);
}

/* a + t (b − a) */
static inline void r3_between(rational3 *out, const rational3 *a, const rational3 *b, const mpq_t t)
{
    rational3 d;
    r3_init(&d);
    r3_sub(&d, b, a);
    for (int k = 0; k < 3; k++) {
        mpq_mul(d.c[k], d.c[k], t);
        mpq_add(out->c[k], a->c[k], d.c[k]);
    }
    r3_clear(&d);
}

static inline int r3_sign_dot(const rational3 *a, const rational3 *b)
{
    mpq_t t;
    mpq_init(t);
    r3_dot(t, a, b);
    int sign = mpq_sgn(t);
    mpq_clear(t);
    return sign;
}

/* sign of (b − a) × (c − a) · (d − a) */
static inline int r3_orient(const rational3 *a, const rational3 *b, const rational3 *c, const rational3 *d)
{
    rational3 u, v, w, n;
    r3_init(&u), r3_init(&v), r3_init(&w), r3_init(&n);
    r3_sub(&u, b, a), r3_sub(&v, c, a), r3_sub(&w, d, a);
    r3_cross(&n, &u, &v);
    int sign = r3_sign_dot(&n, &w);
    r3_clear(&u), r3_clear(&v), r3_clear(&w), r3_clear(&n);
    return sign;
}

/* Whether p is on the closed segment a b, which may be a point. */
static inline bool r3_on_segment(const rational3 *p, const rational3 *a, const rational3 *b)
{
    rational3 u, v, n;
    r3_init(&u), r3_init(&v), r3_init(&n);
    r3_sub(&u, a, p), r3_sub(&v, b, p);
    r3_cross(&n, &u, &v);
    bool on = r3_is_zero(&n) && r3_sign_dot(&u, &v) <= 0;
    r3_clear(&u), r3_clear(&v), r3_clear(&n);
    return on;
}

/* Whether p is in the closed triangle t, which may be a segment or a point. */
static inline bool r3_in_triangle(const rational3 *p, const rational3 t[3])
{
    if (r3_on_segment(p, &t[0], &t[1]) || r3_on_segment(p, &t[1], &t[2]) || r3_on_segment(p, &t[2], &t[0]))
        return true;
    if (r3_orient(&t[0], &t[1], &t[2], p) != 0)
        return false;
    rational3 u, v, n, m;
    r3_init(&u), r3_init(&v), r3_init(&n), r3_init(&m);
    r3_sub(&u, &t[1], &t[0]), r3_sub(&v, &t[2], &t[0]);
    r3_cross(&n, &u, &v);
    bool in = !r3_is_zero(&n);
    for (int i = 0; i < 3 && in; i++) {
        r3_sub(&u, &t[(i + 1) % 3], &t[i]), r3_sub(&v, p, &t[i]);
        r3_cross(&m, &u, &v);
        in = r3_sign_dot(&m, &n) > 0;
    }
    r3_clear(&u), r3_clear(&v), r3_clear(&n), r3_clear(&m);
    return in;
}

/* The point where the line a b meets the plane of t; false: parallel, or no plane. */
static inline bool r3_line_plane(rational3 *out, const rational3 *a, const rational3 *b, const rational3 t[3])
{
    rational3 u, v, n;
    mpq_t above, way;
    r3_init(&u), r3_init(&v), r3_init(&n), mpq_init(above), mpq_init(way);
    r3_sub(&u, &t[1], &t[0]), r3_sub(&v, &t[2], &t[0]);
    r3_cross(&n, &u, &v);
    r3_sub(&u, &t[0], a), r3_sub(&v, b, a);
    r3_dot(above, &n, &u), r3_dot(way, &n, &v);
    bool meets = mpq_sgn(way) != 0;
    if (meets) {
        mpq_div(above, above, way);
        r3_between(out, a, b, above);
    }
    r3_clear(&u), r3_clear(&v), r3_clear(&n), mpq_clear(above), mpq_clear(way);
    return meets;
}

/* The point of the line a b nearest to the line c d; false: parallel. */
static inline bool r3_line_line(rational3 *out, const rational3 *a, const rational3 *b, const rational3 *c,
                                const rational3 *d)
{
    rational3 u, v, n, w, m;
    mpq_t s, nn;
    r3_init(&u), r3_init(&v), r3_init(&n), r3_init(&w), r3_init(&m), mpq_init(s), mpq_init(nn);
    r3_sub(&u, b, a), r3_sub(&v, d, c), r3_sub(&w, c, a);
    r3_cross(&n, &u, &v);
    bool meets = !r3_is_zero(&n);
    if (meets) {
        r3_cross(&m, &w, &v);
        r3_dot(s, &m, &n), r3_dot(nn, &n, &n);
        mpq_div(s, s, nn);
        r3_between(out, a, b, s);
    }
    r3_clear(&u), r3_clear(&v), r3_clear(&n), r3_clear(&w), r3_clear(&m), mpq_clear(s), mpq_clear(nn);
    return meets;
}

enum { RATIONAL_CORNERS = 3 + 3 + 3 + 3 + 9 };

static inline int r3_add_corner(rational3 *out, int n, const rational3 *p, const rational3 a[3], const rational3 b[3])
{
    if (!r3_in_triangle(p, a) || !r3_in_triangle(p, b))
        return n;
    r3_copy(&out[n], p);
    return n + 1;
}

/* Points whose hull is a ∩ b: vertices in the other, edges through planes, edges on edges. */
static inline int r3_corners(const rational3 a[3], const rational3 b[3], rational3 out[RATIONAL_CORNERS])
{
    int n = 0;
    rational3 p;
    r3_init(&p);
    for (int i = 0; i < 3; i++) {
        int i1 = (i + 1) % 3;
        n = r3_add_corner(out, n, &a[i], a, b);
        n = r3_add_corner(out, n, &b[i], a, b);
        if (r3_line_plane(&p, &a[i], &a[i1], b))
            n = r3_add_corner(out, n, &p, a, b);
        if (r3_line_plane(&p, &b[i], &b[i1], a))
            n = r3_add_corner(out, n, &p, a, b);
        for (int j = 0; j < 3; j++)
            if (r3_line_line(&p, &a[i], &a[i1], &b[j], &b[(j + 1) % 3]))
                n = r3_add_corner(out, n, &p, a, b);
    }
    r3_clear(&p);
    return n;
}

/* Whether p is on a common vertex or edge. */
static inline bool r3_is_allowed(const rational3 *p, const rational3 a[3], const rational3 b[3])
{
    bool common[3];
    for (int i = 0; i < 3; i++) {
        common[i] = r3_equal(&a[i], &b[0]) || r3_equal(&a[i], &b[1]) || r3_equal(&a[i], &b[2]);
        if (common[i] && r3_equal(p, &a[i]))
            return true;
    }
    for (int i = 0; i < 3; i++)
        if (common[i] && common[(i + 1) % 3] && r3_on_segment(p, &a[i], &a[(i + 1) % 3]))
            return true;
    return false;
}

/* Whether the hull of the corners has a point that is not allowed: a corner, or the mean of all of them (which is
 * inside a triangle where the edges alone are allowed). */
static inline bool r3_any_not_allowed(const rational3 *corners, int n, const rational3 a[3], const rational3 b[3])
{
    rational3 mean;
    mpq_t share;
    bool found = false;
    r3_init(&mean), mpq_init(share);
    for (int i = 0; i < n && !found; i++) {
        found = !r3_is_allowed(&corners[i], a, b);
        for (int k = 0; k < 3; k++)
            mpq_add(mean.c[k], mean.c[k], corners[i].c[k]);
    }
    if (n > 0 && !found) {
        mpq_set_ui(share, 1, (unsigned)n);
        for (int k = 0; k < 3; k++)
            mpq_mul(mean.c[k], mean.c[k], share);
        found = !r3_is_allowed(&mean, a, b);
    }
    r3_clear(&mean), mpq_clear(share);
    return found;
}

/* By the definition: do they share a point outside common vertices and edges? */
static inline bool rational_triangles_meet(const vec3 a[3], const vec3 b[3])
{
    rational3 ra[3], rb[3], corners[RATIONAL_CORNERS];
    for (int i = 0; i < 3; i++) {
        r3_init(&ra[i]), r3_init(&rb[i]);
        r3_set(&ra[i], a[i]), r3_set(&rb[i], b[i]);
    }
    for (int i = 0; i < RATIONAL_CORNERS; i++)
        r3_init(&corners[i]);
    int n = r3_corners(ra, rb, corners);
    bool meet = r3_any_not_allowed(corners, n, ra, rb);
    for (int i = 0; i < RATIONAL_CORNERS; i++)
        r3_clear(&corners[i]);
    for (int i = 0; i < 3; i++)
        r3_clear(&ra[i]), r3_clear(&rb[i]);
    return meet;
}

#endif
