/* SPDX-License-Identifier: MIT */
/* A convex function over a triangle seen from below: the largest of a few linear functions, and its least value. */
#ifndef WEFT_CONTACT_COLLIDER_ENVELOPE_H
#define WEFT_CONTACT_COLLIDER_ENVELOPE_H

enum { ENVELOPE_MAX = 96 };

typedef struct envelope {
    double row[ENVELOPE_MAX][3]; /* a linear function by its values at the corners */
    int n;
    int basis[3];   /* what holds at the least point: i < 3: weight i is zero; 3 + j: row j */
    double b[3], t; /* the least point's weights (up to rounding) and its value */
    double lower;   /* proven: some mixture of rows is nowhere lower on the triangle */
    double slack;   /* rows exceeded by less are left alone, m */
} envelope;

/* slack: see above; lower: a bound known beforehand. */
void envelope_init(envelope *e, const double row[3], double slack, double lower);

/* Adds a row and finds the new least point. A full envelope takes no more. */
void envelope_add(envelope *e, const double row[3]);

#endif
