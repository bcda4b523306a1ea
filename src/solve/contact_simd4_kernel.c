/* SPDX-License-Identifier: MIT */
/* The kernel of contact_simd4.h: a contact is a lane. */
#include "solve/contact_simd4.h"

#include "math/kernel.h"
#include "solve/contact_lanes.h"

static_assert(offsetof(contact_share, h) == 24 && sizeof(vec3) == 24, "gradient and Hessian are twelve numbers");

LANE_INLINE void store_shares(contact_share *out, size_t at, lanes a, lanes b, lanes c, lanes d)
{
    lanes row[4];
    lane_transpose(a, b, c, d, row);
    for (int k = 0; k < 4; k++)
        memcpy((char *)(out + k) + at, &row[k], sizeof row[k]);
}

typedef struct simd4_frictions {
    lane_mask any, slides;
    lanes secant, back; /* back: on u uᵀ */
    lanes3 u;
    lanes energy;
} simd4_frictions;

LANE_INLINE simd4_frictions frictions_of(const simd4_terms *c, lanes3 p)
{
    simd4_frictions f;
    lanes cone = c->friction * c->force;
    lanes3 u = l3_sub(p, c->anchor);
    f.u = l3_add(u, l3_scale(-l3_dot(u, c->n), c->n));
    lanes l = lane_sqrt(l3_dot(f.u, f.u));
    f.any = (lane_mask)(cone > lane_all(0));
    f.slides = (lane_mask)(l > c->slack);
    f.secant = cone / lane_select(f.slides, l, c->slack);
    f.back = lane_all(-CONTACT_SECANT) * f.secant / (l * l);
    lanes still = lane_all(0.5) * f.secant * l * l, going = cone * (l - lane_all(0.5) * c->slack);
    f.energy = lane_select(f.any, lane_select(f.slides, going, still), lane_all(0));
    return f;
}

/* One entry of the Hessian: nn that of n nᵀ, uu of u uᵀ, one that of the identity. */
LANE_INLINE lanes entry(const simd4_frictions *f, lane_mask acts, lanes stiff, lanes nn, lanes uu, double one)
{
    lanes h = lane_select(acts, stiff * nn, lane_all(0));
    lanes stuck = h + f->secant * (lane_all(one) - nn);
    return lane_select(f->any, lane_select(f->slides, stuck + f->back * uu, stuck), h);
}

void KERNEL(contact_simd4)(const contact_term *terms, const vec3 *x, double energy[4], contact_share *out,
                           bool with_hessian)
{
    simd4_terms c = terms_of(terms);
    lanes3 p = points_of(terms, x), n = c.n;
    lanes s = c.reach + c.radius - l3_dot(n, p), none = lane_all(0);
    lane_mask acts = (lane_mask)(s > c.idle);
    simd4_frictions f = frictions_of(&c, p);
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
    store_shares(out, 0, g.x, g.y, g.z, xx);
    store_shares(out, 32, xy, xz, xy, yy);
    store_shares(out, 64, yz, xz, yz, zz);
}

#if KERNEL_ONCE
contact_simd4_fn *contact_simd4_best(void)
{
    return KERNEL_BEST(contact_simd4);
}
#endif
