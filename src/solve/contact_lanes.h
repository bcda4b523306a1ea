/* SPDX-License-Identifier: MIT */
/* Four contact terms at a time, member by member; for kernels (math/kernel.h). */
#ifndef WEFT_SOLVE_CONTACT_LANES_H
#define WEFT_SOLVE_CONTACT_LANES_H

#include <assert.h>
#include <stddef.h>

#include "math/lanes.h"
#include "solve/contact_term.h"

/* Members are read and written by fours. */
static_assert(offsetof(contact_term, reach) == offsetof(contact_term, normal) + 24 &&
                  offsetof(contact_term, past) == offsetof(contact_term, radius) + 24 &&
                  offsetof(contact_term, slack) == offsetof(contact_term, idle) + 24 &&
                  offsetof(contact_term, force) == offsetof(contact_term, anchor) + 24,
              "members lie side by side");

LANE_INLINE void load_members(const contact_term *t, size_t offset, lanes out[4])
{
    lanes row[4];
    for (int k = 0; k < 4; k++)
        memcpy(&row[k], (const char *)(t + k) + offset, sizeof row[k]);
    lane_transpose(row[0], row[1], row[2], row[3], out);
}

LANE_INLINE void store_members(contact_term *t, size_t offset, lanes a, lanes b, lanes c, lanes d)
{
    lanes row[4];
    lane_transpose(a, b, c, d, row);
    for (int k = 0; k < 4; k++)
        memcpy((char *)(t + k) + offset, &row[k], sizeof row[k]);
}

LANE_INLINE lanes3 points_of(const contact_term *t, const vec3 *x)
{
    lanes w[4];
    lanes3 p = {lane_all(0), lane_all(0), lane_all(0)};
    load_members(t, offsetof(contact_term, w), w);
    for (int i = 0; i < 4; i++)
        p = l3_add(p, l3_scale(w[i], l3_of(&x[t[0].node[i]], &x[t[1].node[i]], &x[t[2].node[i]], &x[t[3].node[i]])));
    return p;
}

/* What a contact is made of, by its own names. */
typedef struct simd4_terms {
    lanes3 n, anchor;
    lanes reach, radius, k, drag, past, idle, base, friction, slack, force;
} simd4_terms;

LANE_INLINE simd4_terms terms_of(const contact_term *t)
{
    lanes a[4], b[4], c[4], d[4];
    load_members(t, offsetof(contact_term, normal), a);
    load_members(t, offsetof(contact_term, radius), b);
    load_members(t, offsetof(contact_term, idle), c);
    load_members(t, offsetof(contact_term, anchor), d);
    return (simd4_terms){.n = {a[0], a[1], a[2]},
                         .anchor = {d[0], d[1], d[2]},
                         .reach = a[3],
                         .radius = b[0],
                         .k = b[1],
                         .drag = b[2],
                         .past = b[3],
                         .idle = c[0],
                         .base = c[1],
                         .friction = c[2],
                         .slack = c[3],
                         .force = d[3]};
}

LANE_INLINE lanes primitive_of(const simd4_terms *c, lanes s)
{
    lanes w = c->radius, over = s - w, d = s - c->past;
    lanes soft = c->k * s * s * s / (lane_all(3) * w);
    lanes stiff = c->k * (w * w / lane_all(3) + w * over + over * over);
    return lane_select((lane_mask)(s < w), soft, stiff) + lane_all(0.5) * c->drag * d * d;
}

/* Of a depth above 0. */
LANE_INLINE lanes force_of(const simd4_terms *c, lanes s)
{
    lanes soft = c->k * s * s / c->radius, stiff = c->k * (lane_all(2) * s - c->radius);
    lanes f = lane_select((lane_mask)(s < c->radius), soft, stiff) + c->drag * (s - c->past);
    return lane_select((lane_mask)(lane_all(0) > f), lane_all(0), f);
}

#endif
