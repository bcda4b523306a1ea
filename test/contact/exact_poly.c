/* SPDX-License-Identifier: MIT */
/* Sturm's theorem: for p without repeated roots, the chain p, p', and so on by negated remainders changes sign V(x)
 * times at x (zeros left out), and p has V(a) − V(b) roots in (a, b]. Remainders are kept whole by multiplying with
 * positive numbers only. */
/* links: gmp */
#include "contact/exact_poly.h"

#include <math.h>

void poly_init(poly *p)
{
    p->degree = -1;
    for (int i = 0; i <= POLY_MOST; i++)
        mpz_init(p->c[i]);
}

void poly_clear(poly *p)
{
    for (int i = 0; i <= POLY_MOST; i++)
        mpz_clear(p->c[i]);
}

static void trim(poly *p)
{
    p->degree = POLY_MOST;
    while (p->degree >= 0 && mpz_sgn(p->c[p->degree]) == 0)
        p->degree--;
}

void poly_set(poly *out, const poly *a)
{
    if (out == a)
        return;
    out->degree = a->degree;
    for (int i = 0; i <= POLY_MOST; i++)
        mpz_set(out->c[i], a->c[i]);
}

void poly_add(poly *out, const poly *a, const poly *b)
{
    for (int i = 0; i <= POLY_MOST; i++)
        mpz_add(out->c[i], a->c[i], b->c[i]);
    trim(out);
}

void poly_sub(poly *out, const poly *a, const poly *b)
{
    for (int i = 0; i <= POLY_MOST; i++)
        mpz_sub(out->c[i], a->c[i], b->c[i]);
    trim(out);
}

void poly_mul(poly *out, const poly *a, const poly *b)
{
    poly r;
    poly_init(&r);
    for (int i = 0; i <= a->degree; i++)
        for (int j = 0; j <= b->degree; j++)
            mpz_addmul(r.c[i + j], a->c[i], b->c[j]);
    trim(&r);
    poly_set(out, &r);
    poly_clear(&r);
}

/* Divides by the common factor of the coefficients; signs stay. */
static void reduce(poly *p)
{
    mpz_t g;
    mpz_init(g);
    for (int i = 0; i <= p->degree; i++)
        mpz_gcd(g, g, p->c[i]);
    for (int i = 0; i <= p->degree && mpz_cmp_ui(g, 1) > 0; i++)
        mpz_divexact(p->c[i], p->c[i], g);
    mpz_clear(g);
}

/* A positive multiple of a modulo b; b is not zero. */
static void remainder_of(poly *out, const poly *a, const poly *b)
{
    mpz_t top, lead;
    mpz_inits(top, lead, NULL);
    poly_set(out, a);
    mpz_abs(lead, b->c[b->degree]);
    while (out->degree >= b->degree) {
        int shift = out->degree - b->degree;
        mpz_set(top, out->c[out->degree]);
        if (mpz_sgn(b->c[b->degree]) < 0)
            mpz_neg(top, top);
        for (int i = 0; i <= out->degree; i++)
            mpz_mul(out->c[i], out->c[i], lead);
        for (int i = 0; i <= b->degree; i++)
            mpz_submul(out->c[i + shift], top, b->c[i]);
        trim(out);
    }
    reduce(out);
    mpz_clears(top, lead, NULL);
}

void poly_gcd(poly *out, const poly *a, const poly *b)
{
    poly p, q, r;
    poly_init(&p);
    poly_init(&q);
    poly_init(&r);
    poly_set(&p, a);
    poly_set(&q, b);
    while (q.degree >= 0) {
        remainder_of(&r, &p, &q);
        poly_set(&p, &q);
        poly_set(&q, &r);
    }
    reduce(&p);
    poly_set(out, &p);
    poly_clear(&p);
    poly_clear(&q);
    poly_clear(&r);
}

static void derive(poly *out, const poly *a)
{
    for (int i = 0; i < POLY_MOST; i++)
        mpz_mul_ui(out->c[i], a->c[i + 1], (unsigned long)(i + 1));
    mpz_set_ui(out->c[POLY_MOST], 0);
    trim(out);
}

/* a / b, where b divides a up to a number. */
static void divide(poly *out, const poly *a, const poly *b)
{
    poly rest, quotient;
    mpz_t factor;
    poly_init(&rest);
    poly_init(&quotient);
    mpz_init(factor);
    poly_set(&rest, a);
    while (rest.degree >= b->degree) {
        int shift = rest.degree - b->degree;
        mpz_set(factor, rest.c[rest.degree]);
        for (int i = 0; i <= POLY_MOST; i++) {
            mpz_mul(rest.c[i], rest.c[i], b->c[b->degree]);
            mpz_mul(quotient.c[i], quotient.c[i], b->c[b->degree]);
        }
        mpz_add(quotient.c[shift], quotient.c[shift], factor);
        for (int i = 0; i <= b->degree; i++)
            mpz_submul(rest.c[i + shift], factor, b->c[i]);
        trim(&rest);
    }
    trim(&quotient);
    reduce(&quotient);
    poly_set(out, &quotient);
    poly_clear(&rest);
    poly_clear(&quotient);
    mpz_clear(factor);
}

void poly_simple(poly *out, const poly *a)
{
    poly d;
    poly_init(&d);
    derive(&d, a);
    poly_gcd(&d, a, &d);
    if (d.degree > 0)
        divide(out, a, &d);
    else
        poly_set(out, a);
    reduce(out);
    poly_clear(&d);
}

/* The sign at k / 2^level. */
static int sign_at(const poly *p, const mpz_t k, unsigned long level)
{
    mpz_t value, term;
    mpz_inits(value, term, NULL);
    for (int i = p->degree; i >= 0; i--) {
        mpz_mul(value, value, k);
        mpz_mul_2exp(term, p->c[i], level * (unsigned long)(p->degree - i));
        mpz_add(value, value, term);
    }
    int sign = mpz_sgn(value);
    mpz_clears(value, term, NULL);
    return sign;
}

/* ---- Sturm ------------------------------------------------------------------------------------------------------- */

typedef struct chain {
    int n;
    poly p[POLY_MOST + 2];
} chain;

static void chain_make(chain *s, const poly *p)
{
    for (int i = 0; i < POLY_MOST + 2; i++)
        poly_init(&s->p[i]);
    poly_set(&s->p[0], p);
    derive(&s->p[1], p);
    s->n = s->p[1].degree < 0 ? 1 : 2;
    while (s->n >= 2) {
        poly *next = &s->p[s->n];
        remainder_of(next, &s->p[s->n - 2], &s->p[s->n - 1]);
        if (next->degree < 0)
            break;
        for (int i = 0; i <= next->degree; i++)
            mpz_neg(next->c[i], next->c[i]);
        s->n++;
    }
}

static void chain_clear(chain *s)
{
    for (int i = 0; i < POLY_MOST + 2; i++)
        poly_clear(&s->p[i]);
}

static int changes(const chain *s, const mpz_t k, unsigned long level)
{
    int n = 0, last = 0;
    for (int i = 0; i < s->n; i++) {
        int sign = sign_at(&s->p[i], k, level);
        n += sign * last < 0;
        last = sign != 0 ? sign : last;
    }
    return n;
}

/* Roots in (k / 2^level, (k + 1) / 2^level]. */
static int count(const chain *s, const mpz_t k, unsigned long level)
{
    mpz_t next;
    mpz_init(next);
    mpz_add_ui(next, k, 1);
    int n = changes(s, k, level) - changes(s, next, level);
    mpz_clear(next);
    return n;
}

/* ---- roots ------------------------------------------------------------------------------------------------------- */

static void isolate(const chain *s, poly *p, const mpz_t k, unsigned long level, poly_root *out, int *n)
{
    int inside = count(s, k, level);
    if (inside == 0)
        return;
    if (inside == 1) {
        poly_root *r = &out[(*n)++];
        *r = (poly_root){.p = p, .level = level};
        mpz_init_set(r->k, k);
        return;
    }
    mpz_t half;
    mpz_init(half);
    mpz_mul_2exp(half, k, 1);
    isolate(s, p, half, level + 1, out, n);
    mpz_add_ui(half, half, 1);
    isolate(s, p, half, level + 1, out, n);
    mpz_clear(half);
}

int poly_roots(poly *p, poly_root out[POLY_MOST])
{
    int n = 0;
    if (p->degree < 1)
        return 0;
    chain s;
    mpz_t k;
    chain_make(&s, p);
    mpz_init(k);
    if (mpz_sgn(p->c[0]) == 0) {
        out[n] = (poly_root){.p = p, .is_zero = true};
        mpz_init(out[n++].k);
    }
    isolate(&s, p, k, 0, out, &n);
    mpz_clear(k);
    chain_clear(&s);
    return n;
}

void poly_root_clear(poly_root *r)
{
    mpz_clear(r->k);
}

/* The half of the interval that has the root. p changes sign at it, once, and may be zero at the upper end only. */
static void narrow(poly_root *r)
{
    mpz_mul_2exp(r->k, r->k, 1);
    r->level++;
    mpz_t middle, end;
    mpz_inits(middle, end, NULL);
    mpz_add_ui(middle, r->k, 1);
    mpz_add_ui(end, r->k, 2);
    int at_middle = sign_at(r->p, middle, r->level), at_end = sign_at(r->p, end, r->level);
    bool upper = at_middle != 0 && (at_end == 0 || at_middle != at_end);
    if (upper)
        mpz_add_ui(r->k, r->k, 1);
    mpz_clears(middle, end, NULL);
}

int poly_sign_at(const poly *g, poly_root *r)
{
    if (g->degree < 1 || r->is_zero)
        return g->degree < 0 ? 0 : mpz_sgn(g->c[0]);
    poly common;
    chain s;
    poly_init(&common);
    poly_gcd(&common, r->p, g);
    chain_make(&s, &common);
    bool shared = common.degree > 0 && count(&s, r->k, r->level) > 0;
    chain_clear(&s);
    poly_simple(&common, g);
    chain_make(&s, &common);
    while (!shared && count(&s, r->k, r->level) > 0)
        narrow(r);
    int sign = 0;
    if (!shared) {
        mpz_t end;
        mpz_init(end);
        mpz_add_ui(end, r->k, 1);
        sign = sign_at(g, end, r->level);
        mpz_clear(end);
    }
    chain_clear(&s);
    poly_clear(&common);
    return sign;
}

int poly_root_minus(poly_root *r, double x)
{
    poly line;
    int exponent;
    poly_init(&line);
    double m = frexp(x, &exponent);
    mpz_set_d(line.c[0], -ldexp(m, 53));
    mpz_set_ui(line.c[1], 1);
    if (exponent <= 53)
        mpz_mul_2exp(line.c[1], line.c[1], (unsigned long)(53 - exponent));
    trim(&line);
    int sign = poly_sign_at(&line, r);
    poly_clear(&line);
    return sign;
}
