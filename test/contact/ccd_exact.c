/* SPDX-License-Identifier: MIT */
/* links: gmp */
/* As in the kernel, the question is whether a flat polygon w_0, w_1, … whose corners move on straight lines reaches
 * the origin. Nothing else is shared with it: here times are roots of polynomials with integer coefficients, held by
 * isolating intervals, and conditions are signs of polynomials at roots.
 *
 * With u, v two edges at w_0, N = u × v and f = w_0 · N (a cubic), a contact needs f = 0.
 *  - f not identically zero: the times are the roots of f in [0, 1]. Where N ≠ 0 the origin is in the polygon iff N ·
 *    (w_i × w_j) ≥ 0 for all edges (i, j). Where N = 0 the polygon is the union of its edges, and the origin is on an
 *    edge iff w_i × w_j = 0 and w_i · w_j ≤ 0.
 *  - f identically zero: contact at 0, or else the first contact is on an edge: were the origin inside a polygon with
 *    area, it would have been so shortly before. Edges meet the origin at common roots of w_i × w_j with w_i · w_j ≤
 *    0; where that product vanishes identically, from the first root of w_i · w_j on. */
#include "contact/ccd_exact.h"

#include "contact/exact_poly.h"

#include <math.h>
#include <stdint.h>

typedef struct poly3 {
    poly c[3];
} poly3;

typedef struct moving {
    int n;
    poly3 w[4];
    poly3 normal;
    poly3 cross[4]; /* w_i × w_(i+1) */
    poly inside[4]; /* N · that */
    poly dot[4];    /* w_i · w_(i+1) */
    poly f, area;   /* w_0 · N and N · N */
} moving;

static void poly3_init(poly3 *a)
{
    for (int k = 0; k < 3; k++)
        poly_init(&a->c[k]);
}

static void poly3_clear(poly3 *a)
{
    for (int k = 0; k < 3; k++)
        poly_clear(&a->c[k]);
}

static void poly3_sub(poly3 *out, const poly3 *a, const poly3 *b)
{
    for (int k = 0; k < 3; k++)
        poly_sub(&out->c[k], &a->c[k], &b->c[k]);
}

static void poly3_dot(poly *out, const poly3 *a, const poly3 *b)
{
    poly sum, product;
    poly_init(&sum);
    poly_init(&product);
    for (int k = 0; k < 3; k++) {
        poly_mul(&product, &a->c[k], &b->c[k]);
        poly_add(&sum, &sum, &product);
    }
    poly_set(out, &sum);
    poly_clear(&sum);
    poly_clear(&product);
}

static void poly3_cross(poly3 *out, const poly3 *a, const poly3 *b)
{
    poly p, q;
    poly_init(&p);
    poly_init(&q);
    for (int k = 0; k < 3; k++) {
        int i = (k + 1) % 3, j = (k + 2) % 3;
        poly_mul(&p, &a->c[i], &b->c[j]);
        poly_mul(&q, &a->c[j], &b->c[i]);
        poly_sub(&out->c[k], &p, &q);
    }
    poly_clear(&p);
    poly_clear(&q);
}

/* ---- the polygon ------------------------------------------------------------------------------------------------- */

static double coordinate(vec3 x, int k)
{
    return k == 0 ? x.x : k == 1 ? x.y : x.z;
}

/* All coordinates are whole multiples of 2^result. */
static int finest_bit(const vec3 x0[4], const vec3 x1[4])
{
    int finest = 0;
    for (int i = 0; i < 8; i++)
        for (int k = 0; k < 3; k++) {
            int e;
            double x = coordinate(i < 4 ? x0[i] : x1[i - 4], k);
            frexp(x, &e);
            finest = x != 0 && e - 53 < finest ? e - 53 : finest;
        }
    return finest;
}

static void whole(mpz_t out, double x, int finest)
{
    int e;
    double m = frexp(x, &e);
    mpz_set_d(out, ldexp(m, 53));
    if (x != 0)
        mpz_mul_2exp(out, out, (unsigned long)(e - 53 - finest));
}

/* a − b as a polynomial in time. */
static void difference(poly3 *out, const vec3 x0[4], const vec3 x1[4], int a, int b, int finest)
{
    mpz_t p;
    mpz_init(p);
    for (int k = 0; k < 3; k++) {
        mpz_t *c = out->c[k].c;
        whole(c[0], coordinate(x0[a], k), finest);
        whole(p, coordinate(x0[b], k), finest);
        mpz_sub(c[0], c[0], p);
        whole(c[1], coordinate(x1[a], k), finest);
        whole(p, coordinate(x1[b], k), finest);
        mpz_sub(c[1], c[1], p);
        mpz_sub(c[1], c[1], c[0]);
        out->c[k].degree = mpz_sgn(c[1]) != 0 ? 1 : mpz_sgn(c[0]) != 0 ? 0 : -1;
    }
    mpz_clear(p);
}

static void moving_init(moving *m, bool edges, const vec3 x0[4], const vec3 x1[4])
{
    static const int first[2][4] = {{0, 0, 0, 0}, {0, 1, 1, 0}}, second[2][4] = {{1, 2, 3, 0}, {2, 2, 3, 3}};
    int finest = finest_bit(x0, x1);
    m->n = edges ? 4 : 3;
    for (int i = 0; i < m->n; i++) {
        poly3_init(&m->w[i]);
        difference(&m->w[i], x0, x1, first[edges][i], second[edges][i], finest);
    }
    poly3 u, v;
    poly3_init(&u);
    poly3_init(&v);
    poly3_init(&m->normal);
    poly_init(&m->f);
    poly_init(&m->area);
    poly3_sub(&u, &m->w[1], &m->w[0]);
    poly3_sub(&v, &m->w[m->n - 1], &m->w[0]);
    poly3_cross(&m->normal, &u, &v);
    poly3_dot(&m->f, &m->w[0], &m->normal);
    poly3_clear(&u);
    poly3_clear(&v);
    for (int i = 0; i < m->n; i++) {
        poly3_init(&m->cross[i]);
        poly_init(&m->inside[i]);
        poly_init(&m->dot[i]);
    }
}

/* What is needed only where the plane goes through the origin. */
static void add_conditions(moving *m)
{
    poly3_dot(&m->area, &m->normal, &m->normal);
    for (int i = 0; i < m->n; i++) {
        const poly3 *next = &m->w[(i + 1) % m->n];
        poly3_cross(&m->cross[i], &m->w[i], next);
        poly3_dot(&m->inside[i], &m->normal, &m->cross[i]);
        poly3_dot(&m->dot[i], &m->w[i], next);
    }
}

static void moving_clear(moving *m)
{
    for (int i = 0; i < m->n; i++) {
        poly3_clear(&m->w[i]);
        poly3_clear(&m->cross[i]);
        poly_clear(&m->inside[i]);
        poly_clear(&m->dot[i]);
    }
    poly3_clear(&m->normal);
    poly_clear(&m->f);
    poly_clear(&m->area);
}

/* ---- contact at a root ------------------------------------------------------------------------------------------- */

static bool is_on_edge(const moving *m, int i, poly_root *r)
{
    for (int k = 0; k < 3; k++)
        if (poly_sign_at(&m->cross[i].c[k], r) != 0)
            return false;
    return poly_sign_at(&m->dot[i], r) <= 0;
}

/* The plane goes through the origin at this time. */
static bool is_in_polygon(const moving *m, poly_root *r)
{
    bool flat = poly_sign_at(&m->area, r) == 0, inside = !flat;
    for (int i = 0; i < m->n; i++) {
        if (flat)
            inside |= is_on_edge(m, i, r);
        else
            inside &= poly_sign_at(&m->inside[i], r) >= 0;
    }
    return inside;
}

static void note(ccd_exact_answer *a, poly_root *r, double lower)
{
    a->meet = true;
    a->before |= poly_root_minus(r, lower) < 0;
}

/* The roots of p in [0, 1] that are contacts: of the whole polygon (edge −1) or of an edge. */
static void visit(ccd_exact_answer *a, moving *m, const poly *p, int edge, double lower)
{
    poly simple;
    poly_root roots[POLY_MOST];
    poly_init(&simple);
    poly_simple(&simple, p);
    int n = poly_roots(&simple, roots);
    if (n > 0 && edge < 0)
        add_conditions(m);
    for (int i = 0; i < n; i++) {
        if (edge < 0 ? is_in_polygon(m, &roots[i]) : is_on_edge(m, edge, &roots[i]))
            note(a, &roots[i], lower);
        poly_root_clear(&roots[i]);
    }
    poly_clear(&simple);
}

static void visit_edge(ccd_exact_answer *a, moving *m, int i, double lower)
{
    poly common;
    poly_init(&common);
    for (int k = 0; k < 3; k++)
        poly_gcd(&common, &common, &m->cross[i].c[k]);
    visit(a, m, common.degree < 0 ? &m->dot[i] : &common, i, lower);
    poly_clear(&common);
}

static void visit_start(ccd_exact_answer *a, const moving *m, double lower)
{
    poly x;
    poly_init(&x);
    mpz_set_ui(x.c[1], 1);
    x.degree = 1;
    poly_root start = {.p = &x, .is_zero = true};
    mpz_init(start.k);
    if (is_in_polygon(m, &start))
        note(a, &start, lower);
    poly_root_clear(&start);
    poly_clear(&x);
}

ccd_exact_answer ccd_exact(bool edges, const vec3 x0[4], const vec3 x1[4], double lower)
{
    ccd_exact_answer a = {false, false};
    moving m;
    moving_init(&m, edges, x0, x1);
    if (m.f.degree >= 0) {
        visit(&a, &m, &m.f, -1, lower);
    } else {
        add_conditions(&m);
        visit_start(&a, &m, lower);
        for (int i = 0; i < m.n; i++)
            visit_edge(&a, &m, i, lower);
    }
    moving_clear(&m);
    return a;
}

/* ---- the quick way ----------------------------------------------------------------------------------------------- */

typedef struct whole3 {
    int64_t x, y, z;
} whole3;

static whole3 whole_sub(vec3 a, vec3 b)
{
    return (whole3){(int64_t)a.x - (int64_t)b.x, (int64_t)a.y - (int64_t)b.y, (int64_t)a.z - (int64_t)b.z};
}

/* Differences are below 2^17.01 each, so this is below 6 · 2^51.03. */
static int64_t det(whole3 a, whole3 b, whole3 c)
{
    return a.x * (b.y * c.z - b.z * c.y) + a.y * (b.z * c.x - b.x * c.z) + a.z * (b.x * c.y - b.y * c.x);
}

bool ccd_exact_is_apart(bool edges, const vec3 x0[4], const vec3 x1[4])
{
    int split = edges ? 2 : 1;
    for (int k = 0; k < 3; k++) {
        bool above = true, under = true;
        for (int i = 0; i < split; i++)
            for (int j = split; j < 4; j++) {
                double a0 = coordinate(x0[i], k), b0 = coordinate(x0[j], k);
                double a1 = coordinate(x1[i], k), b1 = coordinate(x1[j], k);
                above &= a0 > b0 && a1 > b1;
                under &= a0 < b0 && a1 < b1;
            }
        if (above || under)
            return true;
    }
    return false;
}

static int64_t dot(whole3 a, whole3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static whole3 whole_add(whole3 a, whole3 b)
{
    return (whole3){a.x + b.x, a.y + b.y, a.z + b.z};
}

static whole3 whole_cross(whole3 a, whole3 b)
{
    return (whole3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

/* One plane is between them at both ends, and so all the time: its distances are linear in time. Normals are below
 * 2^37.1, which keeps the sums of products below 2^56. */
static bool is_parted_by(whole3 n, bool edges, const vec3 x0[4], const vec3 x1[4])
{
    int split = edges ? 2 : 1;
    bool above = true, under = true;
    for (int i = 0; i < split; i++)
        for (int j = split; j < 4; j++) {
            int64_t a = dot(n, whole_sub(x0[i], x0[j])), b = dot(n, whole_sub(x1[i], x1[j]));
            above &= a > 0 && b > 0;
            under &= a < 0 && b < 0;
        }
    return above || under;
}

/* Directions (i, j, k) with −2 … 2 each. */
static bool is_parted_by_some(bool edges, const vec3 x0[4], const vec3 x1[4])
{
    for (int d = 0; d < 62; d++) /* the other half are their negatives */
        if (is_parted_by((whole3){d / 25 - 2, d / 5 % 5 - 2, d % 5 - 2}, edges, x0, x1))
            return true;
    return false;
}

bool ccd_exact_is_plainly_apart(bool edges, const vec3 x0[4], const vec3 x1[4])
{
    if (ccd_exact_is_apart(edges, x0, x1))
        return true;
    whole3 w[2], u[2], v[2];
    for (int end = 0; end < 2; end++) {
        const vec3 *x = end ? x1 : x0;
        w[end] = whole_sub(x[0], x[edges ? 2 : 1]);
        u[end] = edges ? whole_sub(x[1], x[0]) : whole_sub(x[2], x[1]);
        v[end] = edges ? whole_sub(x[3], x[2]) : whole_sub(x[3], x[1]);
    }
    int64_t c[4] = {det(w[0], u[0], v[0]), det(w[1], u[0], v[0]) + det(w[0], u[1], v[0]) + det(w[0], u[0], v[1]),
                    det(w[0], u[1], v[1]) + det(w[1], u[0], v[1]) + det(w[1], u[1], v[0]), det(w[1], u[1], v[1])};
    return (c[0] > 0 && c[1] > 0 && c[2] > 0 && c[3] > 0) || (c[0] < 0 && c[1] < 0 && c[2] < 0 && c[3] < 0) ||
           is_parted_by(whole_cross(u[0], v[0]), edges, x0, x1) ||
           is_parted_by(whole_cross(u[1], v[1]), edges, x0, x1) ||
           is_parted_by(whole_cross(whole_add(u[0], u[1]), whole_add(v[0], v[1])), edges, x0, x1) ||
           is_parted_by_some(edges, x0, x1);
}
