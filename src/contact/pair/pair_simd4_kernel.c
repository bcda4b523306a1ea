/* SPDX-License-Identifier: MIT */
/* The kernel of pair_simd4.h. A pair is a lane. */
#include "contact/pair/pair_simd4.h"

#include "math/kernel.h"
#include "math/lanes.h"

LANE_INLINE lanes3 corner_of(const vec3 *x, const contact_pair p[4], int k)
{
    return l3_of(&x[p[0].node[k]], &x[p[1].node[k]], &x[p[2].node[k]], &x[p[3].node[k]]);
}

static unsigned edges(const vec3 *x, const contact_pair p[4], double far)
{
    lanes3 from = corner_of(x, p, 0), to = corner_of(x, p, 2);
    lanes3 d1 = l3_sub(corner_of(x, p, 1), from), d2 = l3_sub(corner_of(x, p, 3), to), r = l3_sub(from, to);
    lanes a = l3_dot(d1, d1), e = l3_dot(d2, d2), f = l3_dot(d2, r), b = l3_dot(d1, d2), c = l3_dot(d1, r);
    lanes det = a * e - b * b, s = b * f - c * e, t = a * f - b * c, off = l3_dot(l3_cross(d1, d2), r);
    lanes none = lane_all(0);
    lane_mask inside = (lane_mask)(s > none) & (lane_mask)(s < det) & (lane_mask)(t > none) & (lane_mask)(t < det);
    return lane_bits(inside & (lane_mask)(off * off <= lane_all(far * far) * det));
}

/* Squared sines of angles below which a normal is too inexact to tell anything far: it is off by 1e-9 at most above. */
#define PAIR_NEEDLE 1e-12

LANE_INLINE unsigned triangles_within(const vec3 *x, const contact_pair p[4], double far, double needle)
{
    lanes3 v = corner_of(x, p, 0);
    lanes3 a = l3_sub(v, corner_of(x, p, 1)), b = l3_sub(v, corner_of(x, p, 2)), c = l3_sub(v, corner_of(x, p, 3));
    lanes3 ab = l3_sub(b, a), ac = l3_sub(c, a), n = l3_cross(ab, ac), away = l3_add(a, l3_add(b, c));
    lanes far_sq = lane_all(far * far), off = l3_dot(n, a), none = lane_all(0), n_sq = l3_dot(n, n);
    lanes least = -lane_max(-l3_dot(away, a), lane_max(-l3_dot(away, b), -l3_dot(away, c)));
    lane_mask level = (lane_mask)(off * off <= far_sq * n_sq) |
                      (lane_mask)(n_sq <= lane_all(needle) * l3_dot(ab, ab) * l3_dot(ac, ac));
    return lane_bits(level & ((lane_mask)(least <= none) | (lane_mask)(least * least <= far_sq * l3_dot(away, away))));
}

static unsigned triangles(const vec3 *x, const contact_pair p[4], double far)
{
    return triangles_within(x, p, far, 0);
}

static unsigned planes(const vec3 *x, const contact_pair p[4], double far)
{
    return triangles_within(x, p, far, PAIR_NEEDLE);
}

static unsigned lines(const vec3 *x, const contact_pair p[4], double far)
{
    lanes3 from = corner_of(x, p, 0), to = corner_of(x, p, 2);
    lanes3 d1 = l3_sub(corner_of(x, p, 1), from), d2 = l3_sub(corner_of(x, p, 3), to), r = l3_sub(from, to);
    lanes3 n = l3_cross(d1, d2), middle = l3_add(l3_add(r, r), l3_sub(d1, d2)); /* twice from middle to middle */
    lanes off = l3_dot(n, r), far_sq = lane_all(far * far);
    lanes a = l3_dot(d1, d1), e = l3_dot(d2, d2), n_sq = l3_dot(n, n);
    lanes size = lane_all(2 * far) + lane_sqrt(a) + lane_sqrt(e);
    lane_mask level = (lane_mask)(off * off <= far_sq * n_sq) | (lane_mask)(n_sq <= lane_all(PAIR_NEEDLE) * a * e);
    return lane_bits(level & (lane_mask)(l3_dot(middle, middle) <= size * size));
}

/* ---- closest points ---------------------------------------------------------------------------------------------- */

LANE_INLINE void store_gaps(const lanes3 at[4], const lanes w[4], lane_mask inside, gap out[4])
{
    lanes3 v = l3_scale(w[0], at[0]);
    lanes weights[4], ends[4];
    for (int i = 1; i < 4; i++)
        v = l3_add(v, l3_scale(w[i], at[i]));
    lane_transpose(w[0], w[1], w[2], w[3], weights);
    lane_transpose(v.x, v.y, v.z, lane_sqrt(l3_dot(v, v)), ends);
    for (int i = 0; i < 4; i++) {
        lane_store(out[i].w, weights[i]);
        out[i].vector = v3(ends[i][0], ends[i][1], ends[i][2]);
        out[i].distance = ends[i][3];
        out[i].inside = inside[i] != 0;
    }
}

LANE_INLINE lanes clamp_lanes(lanes a)
{
    lanes none = lane_all(0), one = lane_all(1);
    return lane_select((lane_mask)(a < none), none, lane_select((lane_mask)(a > one), one, a));
}

static unsigned edge_gaps(const vec3 *x, const contact_pair p[4], gap out[4])
{
    lanes3 at[4] = {corner_of(x, p, 0), corner_of(x, p, 1), corner_of(x, p, 2), corner_of(x, p, 3)};
    lanes3 d1 = l3_sub(at[1], at[0]), d2 = l3_sub(at[3], at[2]), r = l3_sub(at[0], at[2]);
    lanes a = l3_dot(d1, d1), e = l3_dot(d2, d2), f = l3_dot(d2, r), b = l3_dot(d1, d2), c = l3_dot(d1, r);
    lanes det = a * e - b * b, none = lane_all(0), one = lane_all(1);
    lanes s = lane_select((lane_mask)(det > none), clamp_lanes((b * f - c * e) / det), none), t = (b * s + f) / e;
    lane_mask beyond = (lane_mask)(t < none) | (lane_mask)(t > one);
    t = clamp_lanes(t);
    s = lane_select(beyond, clamp_lanes((b * t - c) / a), s);
    lane_mask inside = (lane_mask)(s > none) & (lane_mask)(s < one) & (lane_mask)(t > none) & (lane_mask)(t < one);
    lanes w[4] = {one - s, s, -(one - t), -t};
    store_gaps(at, w, inside, out);
    return lane_bits(~((lane_mask)(a > none) & (lane_mask)(e > none)));
}

static unsigned triangle_gaps(const vec3 *x, const contact_pair p[4], gap out[4])
{
    lanes3 at[4] = {corner_of(x, p, 0), corner_of(x, p, 1), corner_of(x, p, 2), corner_of(x, p, 3)};
    lanes3 ab = l3_sub(at[2], at[1]), ac = l3_sub(at[3], at[1]), n = l3_cross(ab, ac);
    lanes3 ap = l3_sub(at[0], at[1]), bp = l3_sub(at[0], at[2]), cp = l3_sub(at[0], at[3]);
    lanes d1 = l3_dot(ab, ap), d2 = l3_dot(ac, ap), d3 = l3_dot(ab, bp), d4 = l3_dot(ac, bp);
    lanes d5 = l3_dot(ab, cp), d6 = l3_dot(ac, cp), none = lane_all(0), one = lane_all(1);
    lanes va = d3 * d6 - d5 * d4, vb = d5 * d2 - d1 * d6, vc = d1 * d4 - d3 * d2, sum = va + vb + vc;
    lanes e3 = d4 - d3, e6 = d5 - d6;
    /* Of the regions the first that holds it, as there. */
    lane_mask in_a = (lane_mask)(d1 <= none) & (lane_mask)(d2 <= none);
    lane_mask in_b = (lane_mask)(d3 >= none) & (lane_mask)(d4 <= d3) & ~in_a, past = in_a | in_b;
    lane_mask in_c = (lane_mask)(d6 >= none) & (lane_mask)(d5 <= d6) & ~past;
    past |= in_c;
    lane_mask in_ab = (lane_mask)(vc <= none) & (lane_mask)(d1 >= none) & (lane_mask)(d3 <= none) & ~past;
    past |= in_ab;
    lane_mask in_ac = (lane_mask)(vb <= none) & (lane_mask)(d2 >= none) & (lane_mask)(d6 <= none) & ~past;
    past |= in_ac;
    lane_mask in_bc = (lane_mask)(va <= none) & (lane_mask)(e3 >= none) & (lane_mask)(e6 >= none) & ~past;
    past |= in_bc;
    lane_mask odd =
        ~((lane_mask)(sum > none) & (lane_mask)(va >= none) & (lane_mask)(vb >= none) & (lane_mask)(vc >= none)) &
        ~past;
    odd |= ~(lane_mask)(l3_dot(n, n) > none);
    lanes t = lane_select(in_ab, d1, lane_select(in_ac, d2, e3)) /
              lane_select(in_ab, d1 - d3, lane_select(in_ac, d2 - d6, e3 + e6));
    lanes u = -(one - t), v = -t;
    lanes wa = lane_select(in_a, -one, lane_select(in_ab | in_ac, u, -va / sum));
    lanes wb = lane_select(in_b, -one, lane_select(in_ab, v, lane_select(in_bc, u, -vb / sum)));
    lanes wc = lane_select(in_c, -one, lane_select(in_ac | in_bc, v, -vc / sum));
    lanes w[4] = {one, lane_select(in_b | in_c | in_bc, none, wa), lane_select(in_a | in_c | in_ac, none, wb),
                  lane_select(in_a | in_b | in_ab, none, wc)};
    store_gaps(at, w, ~past, out);
    return lane_bits(odd);
}

/* ---- on the way -------------------------------------------------------------------------------------------------- */

/* By how much the boxes of a pair's primitives are apart along an axis: the second beyond the first, and the first
 * beyond the second. */
LANE_INLINE void gaps_along(const lanes a[4], bool edges, lanes *up, lanes *down)
{
    lanes lo = edges ? lane_min(a[0], a[1]) : a[0], hi = edges ? lane_max(a[0], a[1]) : a[0];
    lanes lo2 = lane_min(a[2], a[3]), hi2 = lane_max(a[2], a[3]);
    *up = (edges ? lo2 : lane_min(a[1], lo2)) - hi;
    *down = lo - (edges ? hi2 : lane_max(a[1], hi2));
}

/* Whether they are not beyond `far` of each other along an axis, in one direction, at both ends of the way. */
LANE_INLINE lane_mask meet_along(const lanes a[4], const lanes b[4], bool edges, lanes far)
{
    lanes up0, down0, up1, down1;
    gaps_along(a, edges, &up0, &down0);
    gaps_along(b, edges, &up1, &down1);
    return (lane_mask)(lane_min(up0, up1) <= far) & (lane_mask)(lane_min(down0, down1) <= far);
}

static unsigned come_near(const pair_motion *m, const contact_pair p[4], const gap g[4], double nearer[4])
{
    lanes x[3][2][4], none = lane_all(0), way_sq = none, far = lane_all(m->most * (1 - 1e-9));
    lanes3 passed = {none, none, none};
    for (int i = 0; i < 4; i++) {
        lanes3 a = corner_of(m->x0, p, i), b = corner_of(m->x1, p, i), way = l3_sub(b, a);
        lanes w = {g[0].w[i], g[1].w[i], g[2].w[i], g[3].w[i]};
        x[0][0][i] = a.x, x[1][0][i] = a.y, x[2][0][i] = a.z;
        x[0][1][i] = b.x, x[1][1][i] = b.y, x[2][1][i] = b.z;
        way_sq = lane_max(way_sq, l3_dot(way, way));
        passed = i == 0 ? l3_scale(w, way) : l3_add(passed, l3_scale(w, way));
    }
    lanes distance = {g[0].distance, g[1].distance, g[2].distance, g[3].distance}, over = distance - lane_all(m->most);
    lanes3 v = l3_of(&g[0].vector, &g[1].vector, &g[2].vector, &g[3].vector);
    lane_store(nearer, lane_max(none, -l3_dot(passed, v) / distance));
    lane_mask may = (lane_mask)(over <= none) | (lane_mask)(over * over <= lane_all(4) * way_sq);
    for (int k = 0; k < 3; k++)
        may &= meet_along(x[k][0], x[k][1], p[0].edges, far);
    return lane_bits(may);
}

const pair_kernel KERNEL(pair_kernel) = {edges, triangles, planes, lines, edge_gaps, triangle_gaps, come_near};

#if KERNEL_ONCE
const pair_kernel *pair_kernel_best(void)
{
    return KERNEL_BEST(pair_kernel);
}
#endif
