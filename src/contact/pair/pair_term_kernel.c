/* SPDX-License-Identifier: MIT */
/* The kernel of pair_term.h: a pair is a lane, in the order of operations of pair_term_set and friction_renew. */
#include "contact/pair/pair_term.h"

#include "math/kernel.h"
#include "solve/contact_lanes.h"

/* A number of each of four pairs, `stride` bytes apart. */
LANE_INLINE lanes lane_of(const double *at, size_t stride)
{
    const char *p = (const char *)at;
    return (lanes){*(const double *)(const void *)p, *(const double *)(const void *)(p + stride),
                   *(const double *)(const void *)(p + 2 * stride), *(const double *)(const void *)(p + 3 * stride)};
}

/* A number of node i of each: not lane by lane, which goes through memory. */
#define NODE_LANES(s, st, i, field)                                                                                    \
    ((lanes){pair_par_of(s, (st)[0].pair.node[i])->field, pair_par_of(s, (st)[1].pair.node[i])->field,                 \
             pair_par_of(s, (st)[2].pair.node[i])->field, pair_par_of(s, (st)[3].pair.node[i])->field})

LANE_INLINE void load_gaps(const gap *g, size_t offset, lanes out[4])
{
    lanes row[4];
    for (int k = 0; k < 4; k++)
        memcpy(&row[k], (const char *)(g + k) + offset, sizeof row[k]);
    lane_transpose(row[0], row[1], row[2], row[3], out);
}

static_assert(offsetof(gap, distance) == offsetof(gap, vector) + 24, "a vector and its length lie side by side");

/* As idle_depth in contact_term.c. */
LANE_INLINE lanes idle_of(const simd4_terms *c)
{
    lanes w = c->radius, d = c->drag, k = c->k, none = lane_all(0);
    lanes s = lane_all(2) * d * c->past / (d + lane_sqrt(d * d + lane_all(4) * k * d * c->past / w));
    s = lane_select((lane_mask)(s < w), s, (k * w + d * c->past) / (lane_all(2) * k + d));
    return lane_select((lane_mask)(c->past <= none) | (lane_mask)(d <= none), none, s);
}

/* Sums over the four nodes: where the points were at the start, Σ w²/m, and the mean of friction. */
LANE_INLINE void sum_nodes(const pair_set *s, const pair_state *st, const lanes w[4], lanes3 *start, lanes *weight,
                           lanes *friction)
{
    lanes none = lane_all(0), sum = none, all = none;
    *start = (lanes3){none, none, none};
    *weight = none;
    for (int i = 0; i < 4; i++) {
        *start = l3_add(*start, l3_scale(w[i], l3_of(&s->x0[st[0].pair.node[i]], &s->x0[st[1].pair.node[i]],
                                                     &s->x0[st[2].pair.node[i]], &s->x0[st[3].pair.node[i]])));
        *weight += w[i] * w[i] * NODE_LANES(s, st, i, lightness);
        sum += lane_abs(w[i]) * NODE_LANES(s, st, i, friction);
        all += lane_abs(w[i]);
    }
    *friction = lane_select((lane_mask)(all > none), sum / all, none);
}

static void set_simd4(const pair_set *s, const pair_state *st, const gap *g, contact_term *t)
{
    simd4_terms c;
    lanes w[4], b[4], way[4], weight, none = lane_all(0), slack = lane_all(PAIR_SLACK);
    lanes3 start;
    load_gaps(g, offsetof(gap, w), w);
    load_gaps(g, offsetof(gap, vector), way);
    load_members(t, offsetof(contact_term, radius), b);
    c.radius = b[0];
    c.k = b[1];
    c.n = l3_scale(lane_all(1) / way[3], (lanes3){way[0], way[1], way[2]});
    sum_nodes(s, st, w, &start, &weight, &c.friction);
    c.reach = lane_of(&st->thickness, sizeof *st);
    c.past = c.reach + lane_of(&st->radius, sizeof *st) - l3_dot(c.n, start);
    c.past = lane_select((lane_mask)(none > c.past), none, c.past);
    lane_mask border =
        (lane_mask)(w[0] == none) | (lane_mask)(w[1] == none) | (lane_mask)(w[2] == none) | (lane_mask)(w[3] == none);
    c.drag = lane_all(CONTACT_DAMPER) / (weight * lane_all(s->h) * lane_all(s->h));
    c.drag = lane_select((lane_mask)(weight > none) & ~border, c.drag, none);
    c.idle = idle_of(&c);
    c.base = primitive_of(&c, c.idle);
    lanes3 friction_ratio = {lane_of(&st->friction_ratio.x, sizeof *st), lane_of(&st->friction_ratio.y, sizeof *st),
                             lane_of(&st->friction_ratio.z, sizeof *st)};
    c.anchor = l3_sub(start, l3_scale(slack, friction_ratio));
    for (int k = 0; k < 4; k++) {
        t[k].n = 4;
        memcpy(t[k].node, st[k].pair.node, sizeof t[k].node);
        t[k].slides = st[k].friction.slides;
        memcpy(t[k].w, g[k].w, sizeof t[k].w);
    }
    store_members(t, offsetof(contact_term, normal), c.n.x, c.n.y, c.n.z, c.reach);
    store_members(t, offsetof(contact_term, radius), c.radius, c.k, c.drag, c.past);
    store_members(t, offsetof(contact_term, idle), c.idle, c.base, c.friction, slack);
    store_members(t, offsetof(contact_term, anchor), c.anchor.x, c.anchor.y, c.anchor.z,
                  lane_of(&st->friction.force, sizeof *st));
}

static void renew_simd4(const contact_term *t, const vec3 *x, const double force[4], friction_state f[4])
{
    simd4_terms c = terms_of(t);
    lanes3 p = points_of(t, x), u = l3_sub(p, c.anchor), way = l3_add(u, l3_scale(-l3_dot(u, c.n), c.n));
    lanes cone = c.friction * (lanes){force[0], force[1], force[2], force[3]};
    lane_mask slides = (lane_mask)(cone / c.slack * lane_sqrt(l3_dot(way, way)) > cone);
    for (int k = 0; k < 4; k++)
        f[k] = (friction_state){.force = force[k], .slides = slides[k] != 0};
}

const pair_term_kernel KERNEL(pair_term) = {set_simd4, renew_simd4};

#if KERNEL_ONCE
const pair_term_kernel *pair_term_best(void)
{
    return KERNEL_BEST(pair_term);
}
#endif
