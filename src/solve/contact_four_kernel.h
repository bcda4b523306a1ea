/* SPDX-License-Identifier: MIT */
/* Compiled plain and for AVX2; not a header in the usual sense. */
#include <assert.h>
#include <stddef.h>

#include "math/lanes.h"
#include "solve/contact_four.h"

#define HALF_WAY 0.5 /* as in contact_term.c */

/* Members are read by fours. */
static_assert(offsetof(contact_term, reach) == offsetof(contact_term, normal) + 24 &&
                  offsetof(contact_term, past) == offsetof(contact_term, radius) + 24 &&
                  offsetof(contact_term, slack) == offsetof(contact_term, idle) + 24 &&
                  offsetof(contact_term, force) == offsetof(contact_term, anchor) + 24,
              "members lie side by side");
static_assert(offsetof(contact_share, h) == 24 && sizeof(vec3) == 24, "gradient and Hessian are twelve numbers");

LANE_INLINE void load_members(const contact_term *t, size_t offset, lanes out[4])
{
    lanes row[4];
    for (int k = 0; k < 4; k++)
        memcpy(&row[k], (const char *)(t + k) + offset, sizeof row[k]);
    lane_transpose(row[0], row[1], row[2], row[3], out);
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

LANE_INLINE void store_four(contact_share *out, size_t at, lanes a, lanes b, lanes c, lanes d)
{
    lanes row[4];
    lane_transpose(a, b, c, d, row);
    for (int k = 0; k < 4; k++)
        memcpy((char *)(out + k) + at, &row[k], sizeof row[k]);
}

/* What a contact is made of, by its own names. */
typedef struct four_terms {
    lanes3 n, anchor;
    lanes reach, radius, k, drag, past, idle, base, friction, slack, force;
} four_terms;

LANE_INLINE four_terms terms_of(const contact_term *t)
{
    lanes a[4], b[4], c[4], d[4];
    load_members(t, offsetof(contact_term, normal), a);
    load_members(t, offsetof(contact_term, radius), b);
    load_members(t, offsetof(contact_term, idle), c);
    load_members(t, offsetof(contact_term, anchor), d);
    return (four_terms){.n = {a[0], a[1], a[2]},
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

LANE_INLINE lanes primitive_of(const four_terms *c, lanes s)
{
    lanes w = c->radius, over = s - w, d = s - c->past;
    lanes soft = c->k * s * s * s / (lane_all(3) * w);
    lanes stiff = c->k * (w * w / lane_all(3) + w * over + over * over);
    return lane_select((lane_mask)(s < w), soft, stiff) + lane_all(0.5) * c->drag * d * d;
}

/* Of a depth above 0. */
LANE_INLINE lanes force_of(const four_terms *c, lanes s)
{
    lanes soft = c->k * s * s / c->radius, stiff = c->k * (lane_all(2) * s - c->radius);
    lanes f = lane_select((lane_mask)(s < c->radius), soft, stiff) + c->drag * (s - c->past);
    return lane_select((lane_mask)(lane_all(0) > f), lane_all(0), f);
}

typedef struct four_frictions {
    lane_mask any, slides;
    lanes secant, back; /* back: on u uᵀ */
    lanes3 u;
    lanes energy;
} four_frictions;

LANE_INLINE four_frictions frictions_of(const four_terms *c, lanes3 p)
{
    four_frictions f;
    lanes cone = c->friction * c->force;
    lanes3 u = l3_sub(p, c->anchor);
    f.u = l3_add(u, l3_scale(-l3_dot(u, c->n), c->n));
    lanes l = lane_sqrt(l3_dot(f.u, f.u));
    f.any = (lane_mask)(cone > lane_all(0));
    f.slides = (lane_mask)(l > c->slack);
    f.secant = cone / lane_select(f.slides, l, c->slack);
    f.back = lane_all(-HALF_WAY) * f.secant / (l * l);
    lanes still = lane_all(0.5) * f.secant * l * l, going = cone * (l - lane_all(0.5) * c->slack);
    f.energy = lane_select(f.any, lane_select(f.slides, going, still), lane_all(0));
    return f;
}

/* One entry of the Hessian: nn that of n nᵀ, uu of u uᵀ, one that of the identity. */
LANE_INLINE lanes entry(const four_frictions *f, lane_mask acts, lanes stiff, lanes nn, lanes uu, double one)
{
    lanes h = lane_select(acts, stiff * nn, lane_all(0));
    lanes stuck = h + f->secant * (lane_all(one) - nn);
    return lane_select(f->any, lane_select(f->slides, stuck + f->back * uu, stuck), h);
}

static void eval_four(const contact_term *terms, const vec3 *x, double energy[4], contact_share *out, bool with_hessian)
{
    four_terms c = terms_of(terms);
    lanes3 p = points_of(terms, x), n = c.n;
    lanes s = c.reach + c.radius - l3_dot(n, p), none = lane_all(0);
    lane_mask acts = (lane_mask)(s > c.idle);
    four_frictions f = frictions_of(&c, p);
    lanes e = lane_select(acts, primitive_of(&c, s) - c.base, none) + f.energy;
    lane_store(energy, e);
    if (!out)
        return;
    lanes push = -lane_select((lane_mask)(s <= none), none, force_of(&c, s));
    lanes3 g = l3_select(acts, l3_scale(push, n)), with = l3_add(g, l3_scale(f.secant, f.u)), u = f.u;
    g = (lanes3){lane_select(f.any, with.x, g.x), lane_select(f.any, with.y, g.y), lane_select(f.any, with.z, g.z)};
    lane_mask some = (lane_mask)(e != none) | f.any;
    for (int k = 0; k < 4; k++)
        out[k].acts = some[k] != 0;
    if (!with_hessian) {
        for (int k = 0; k < 4; k++)
            out[k].g = v3(g.x[k], g.y[k], g.z[k]);
        return;
    }
    lanes share = s / c.radius;
    lanes stiff = lane_all(2) * c.k * lane_select((lane_mask)(lane_all(1) < share), lane_all(1), share) + c.drag;
    lanes xx = entry(&f, acts, stiff, n.x * n.x, u.x * u.x, 1), xy = entry(&f, acts, stiff, n.x * n.y, u.x * u.y, 0);
    lanes xz = entry(&f, acts, stiff, n.x * n.z, u.x * u.z, 0), yy = entry(&f, acts, stiff, n.y * n.y, u.y * u.y, 1);
    lanes yz = entry(&f, acts, stiff, n.y * n.z, u.y * u.z, 0), zz = entry(&f, acts, stiff, n.z * n.z, u.z * u.z, 1);
    store_four(out, 0, g.x, g.y, g.z, xx);
    store_four(out, 32, xy, xz, xy, yy);
    store_four(out, 64, yz, xz, yz, zz);
}
