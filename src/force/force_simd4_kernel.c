/* SPDX-License-Identifier: MIT */
/* The kernel of force_simd4.h: an element is a lane. The formulas are those of spring.c, limit.c, membrane.c, beam.c,
 * bend.c and air.c. */
#include "force/force_simd4.h"

#include "math/kernel.h"
#include "math/lanes8.h"
#include "math/lanes_trig.h"
#include "math/trig.h"
#include "force/limit.h"
#include "force/params.h"

#define OF_FOUR(member) ((lanes){e[0]->member, e[1]->member, e[2]->member, e[3]->member})
#define COMMON_OF_FOUR(member)                                                                                         \
    ((lanes){c[e[0]->common].member, c[e[1]->common].member, c[e[2]->common].member, c[e[3]->common].member})
#define NODE_OF_FOUR(x, k) l3_of(&(x)[e[0]->node[k]], &(x)[e[1]->node[k]], &(x)[e[2]->node[k]], &(x)[e[3]->node[k]])

/* A symmetric block, from its upper half. */
typedef struct half {
    lanes xx, xy, xz, yy, yz, zz;
} half;

LANE_INLINE void put_matrix(const lanes m[9], mat3 *out, int stride)
{
    lanes first[4], second[4], last = m[8];
    lane_transpose(m[0], m[1], m[2], m[3], first);
    lane_transpose(m[4], m[5], m[6], m[7], second);
    LANE_UNROLL
    for (int i = 0; i < 4; i++) {
        double *to = out[i * stride].m;
        lane_store(to, first[i]);
        lane_store(to + 4, second[i]);
        to[8] = last[i];
    }
}

LANE_INLINE void put_half(half h, mat3 *out, int stride)
{
    const lanes m[9] = {h.xx, h.xy, h.xz, h.xy, h.yy, h.yz, h.xz, h.yz, h.zz};
    put_matrix(m, out, stride);
}

/* Rows to columns. */
LANE_INLINE void transpose_rounded(const lanes m[4], lanes4 out[4])
{
    lane4_transpose(__builtin_convertvector(m[0], lanes4), __builtin_convertvector(m[1], lanes4),
                    __builtin_convertvector(m[2], lanes4), __builtin_convertvector(m[3], lanes4), out);
}

/* Rounded, to block i of four elements. */
LANE_INLINE void put_rounded(const lanes m[9], three_blocks *out, int i)
{
    lanes4 first[4], second[4], last = __builtin_convertvector(m[8], lanes4);
    transpose_rounded(m, first);
    transpose_rounded(m + 4, second);
    LANE_UNROLL
    for (int k = 0; k < 4; k++) {
        lane8_store(out[k].b[i], __builtin_shufflevector(first[k], second[k], 0, 1, 2, 3, 4, 5, 6, 7));
        out[k].b[i][8] = last[k];
    }
}

/* Eight numbers and a last one, to a block or to its transpose. */
LANE_INLINE void add_at(float *values, int32_t place, lanes8 b, float last)
{
    static const int32_t order[2][8] = {{0, 1, 2, 3, 4, 5, 6, 7}, {0, 3, 6, 1, 4, 7, 2, 5}};
    uint32_t turned = (uint32_t)place >> 31; /* no branch: which it is hangs on the order of nodes, that is on chance */
    float *v = values + 9 * (int64_t)(place ^ -(int32_t)turned);
    lane8_store(v, lane8_load(v) + lane8_pick(b, order[turned]));
    v[8] += last;
}

static void add_three(const three_blocks *t, const int32_t *place, float *values)
{
    LANE_UNROLL
    for (int i = 0; i < 3; i++)
        add_at(values, place[i], lane8_load(t->b[i]), t->b[i][8]);
}

/* across I + twice u uᵀ + thrice t tᵀ */
LANE_INLINE half block(lanes across, lanes twice, lanes3 u, lanes thrice, lanes3 t)
{
    lanes3 a = l3_scale(twice, u), b = l3_scale(thrice, t);
    return (half){across + a.x * u.x + b.x * t.x, a.x * u.y + b.x * t.y, a.x * u.z + b.x * t.z,
                  across + a.y * u.y + b.y * t.y, a.y * u.z + b.y * t.z, across + a.z * u.z + b.z * t.z};
}

/* ---- springs ----------------------------------------------------------------------------------------------------- */

typedef struct stiffening {
    lanes value, slope, curvature;
} stiffening;

LANE_INLINE stiffening stiffening_of(lanes s, lanes limit)
{
    const lanes zero = lane_all(0.0), knee = lane_all(LIMIT_KNEE);
    lanes delta = (1.0 - LIMIT_ONSET) * (limit - 1.0);
    lanes t = s - (1.0 + LIMIT_ONSET * (limit - 1.0));
    lane_mask acts = (lane_mask)(delta > 0.0) & (lane_mask)(t > 0.0);
    if (!lane_any(acts))
        return (stiffening){zero, zero, zero};
    delta = lane_select(acts, delta, lane_all(1.0));
    t = lane_select(acts, t, zero) / delta;
    lane_mask over = (lane_mask)(t > knee);
    lanes beyond = lane_select(over, t - knee, zero);
    t = lane_select(over, knee, t);
    lanes r = 1.0 / (1.0 - t);
    const double third = 1.0 / 3.0;
    lanes value = third * t * t * t * r;
    lanes slope = third * t * t * (3.0 - 2.0 * t) * r * r;
    lanes curvature = third * 2.0 * t * (3.0 - 3.0 * t + t * t) * r * r * r;
    return (stiffening){delta * delta * (value + beyond * (slope + 0.5 * beyond * curvature)),
                        delta * (slope + beyond * curvature), curvature};
}

LANE_INLINE stiffening stiffening_at(const spring_element *const e[4], const common_par *c, lanes l, lanes rest)
{
    const lanes zero = lane_all(0.0), one = lane_all(1.0);
    lane_mask limited = (lane_mask)(rest > 0.0);
    lanes limit = lane_select(limited, COMMON_OF_FOUR(limit), zero); /* 0: Δ is below 0, and nothing acts */
    return stiffening_of(l / lane_select(limited, rest, one), limit);
}

static void lengths(const vec3 *x, const spring_element *const e[4], double out[4])
{
    lanes3 d = l3_sub(NODE_OF_FOUR(x, 1), NODE_OF_FOUR(x, 0));
    lane_store(out, lane_sqrt(l3_dot(d, d)));
}

static void stored(const vec3 *x, const spring_element *const e[4], const common_par *c, double out[4])
{
    lanes3 d = l3_sub(NODE_OF_FOUR(x, 1), NODE_OF_FOUR(x, 0));
    lanes l = lane_sqrt(l3_dot(d, d)), rest = COMMON_OF_FOUR(length), strain = l - rest;
    stiffening s = stiffening_at(e, c, l, rest);
    lane_store(out, COMMON_OF_FOUR(k) * (0.5 * strain * strain + rest * rest * s.value));
}

static void springs(const vec3 *x, const spring_element *const e[4], const common_par *c, force_part part,
                    spring_simd4 *out)
{
    const lanes zero = lane_all(0.0), one = lane_all(1.0);
    lanes3 d = l3_sub(NODE_OF_FOUR(x, 1), NODE_OF_FOUR(x, 0));
    lanes k = COMMON_OF_FOUR(k), rest = COMMON_OF_FOUR(length), drag = COMMON_OF_FOUR(drag);
    lanes l = lane_sqrt(l3_dot(d, d));
    stiffening s = stiffening_at(e, c, l, rest);
    lanes strain = l - rest, moved = l - OF_FOUR(past);
    lane_store(out->energy, k * (0.5 * (strain * strain + drag * moved * moved) + rest * rest * s.value));
    if (part == FORCE_PART_ENERGY)
        return;
    lane_mask has_length = (lane_mask)(l > FORCE_SHORTEST);
    lanes per_length = lane_select(has_length, 1.0 / lane_select(has_length, l, one), zero);
    lanes along = 1.0 + drag + s.curvature;
    lanes across = lane_select(has_length, (strain + drag * moved + rest * s.slope) * per_length, along);
    l3_store(l3_scale(k * across, d), out->g, 1);
    if (part == FORCE_PART_GRADIENT)
        return;
    across = lane_max(across, zero);
    lanes3 u = l3_scale(per_length, d);
    put_half(block(k * across, k * (along - across), u, zero, u), out->b, 1);
}

/* ---- membranes -------------------------------------------------------------------------------------------------- */

#include "force/force_simd4_membrane.h"

/* ---- beams ------------------------------------------------------------------------------------------------------- */

typedef struct beam_bend {
    lane_mask is_bent; /* has segments with a length, and so an angle */
    lanes per1, per2;  /* over the lengths of the segments; 0 without */
    lanes3 u1, u2, cross;
    lanes sine, cosine, theta;
} beam_bend;

LANE_INLINE beam_bend beam_bend_of(const vec3 *x, const beam_element *const e[4])
{
    const lanes zero = lane_all(0.0), one = lane_all(1.0);
    beam_bend b;
    lanes3 p = NODE_OF_FOUR(x, 1), e1 = l3_sub(p, NODE_OF_FOUR(x, 0)), e2 = l3_sub(NODE_OF_FOUR(x, 2), p);
    lanes len1 = lane_sqrt(l3_dot(e1, e1)), len2 = lane_sqrt(l3_dot(e2, e2));
    b.is_bent = (lane_mask)(len1 > FORCE_SHORTEST) & (lane_mask)(len2 > FORCE_SHORTEST);
    b.per1 = lane_select(b.is_bent, 1.0 / lane_select(b.is_bent, len1, one), zero);
    b.per2 = lane_select(b.is_bent, 1.0 / lane_select(b.is_bent, len2, one), zero);
    b.u1 = l3_scale(b.per1, e1);
    b.u2 = l3_scale(b.per2, e2);
    b.cross = l3_cross(b.u1, b.u2);
    b.sine = lane_sqrt(l3_dot(b.cross, b.cross));
    b.cosine = l3_dot(b.u1, b.u2);
    b.theta = lane_select(b.is_bent, lane_atan2(b.sine, b.cosine), zero);
    return b;
}

/* W'/θ and W''; returns W. */
LANE_INLINE lanes profile_of(const beam_element *const e[4], const common_par *c, lanes theta, lanes *ratio,
                             lanes *second)
{
    const lanes one = lane_all(1.0);
    lanes k = COMMON_OF_FOUR(k), drag = COMMON_OF_FOUR(drag), past = OF_FOUR(past);
    lanes square = 0.5 * theta * theta, turned = theta - past;
    lane_mask beyond = (lane_mask)(theta >= past), some = (lane_mask)(theta > 0.0);
    lanes of_turn = lane_select(some, turned / lane_select(some, theta, one), one);
    lanes part = theta / lane_select(beyond, one, past);
    lanes loss = past * past / 6.0 + square * (part * (2.0 / 3.0) - 1.0);
    *ratio = k * (1.0 + drag * lane_select(beyond, of_turn, part - 1.0));
    *second = k * (1.0 + drag * lane_select(beyond, one, 2.0 * part - 1.0));
    return k * (square + drag * lane_select(beyond, 0.5 * turned * turned, loss));
}

/* −(all P1 P2 + plane t1 t2ᵀ) per, P1 P2 = I − u1 u1ᵀ − u2 u2ᵀ + c u1 u2ᵀ. */
LANE_INLINE void mixed_block(const beam_bend *b, lanes all, lanes plane, lanes3 t1, lanes3 t2, lanes m[9])
{
    const lanes *u = &b->u1.x, *v = &b->u2.x, *s = &t1.x, *t = &t2.x;
    lanes per = -(b->per1 * b->per2);
    all *= per;
    plane *= per;
    LANE_UNROLL
    for (int i = 0; i < 3; i++) {
        LANE_UNROLL
        for (int j = 0; j < 3; j++) {
            lanes own = b->cosine * u[i] * v[j] - u[i] * u[j] - v[i] * v[j];
            m[3 * i + j] = all * (i == j ? 1.0 + own : own) + plane * s[i] * t[j];
        }
    }
}

LANE_INLINE void beam_hessian(const beam_bend *b, lanes ratio, lanes second, lanes3 t1, lanes3 t2, three_blocks *out)
{
    const lanes zero = lane_all(0.0);
    lanes all = lane_max(ratio, zero), plane = lane_max(second - all, zero);
    lanes a1 = all * b->per1 * b->per1, a2 = all * b->per2 * b->per2;
    half k1 = block(a1, -a1, b->u1, plane * b->per1 * b->per1, t1);
    half k2 = block(a2, -a2, b->u2, plane * b->per2 * b->per2, t2);
    const lanes k11[9] = {k1.xx, k1.xy, k1.xz, k1.xy, k1.yy, k1.yz, k1.xz, k1.yz, k1.zz};
    const lanes k22[9] = {k2.xx, k2.xy, k2.xz, k2.xy, k2.yy, k2.yz, k2.xz, k2.yz, k2.zz};
    lanes k12[9], m[9];
    mixed_block(b, all, plane, t1, t2, k12);
    LANE_UNROLL
    for (int i = 0; i < 9; i++)
        m[i] = k12[i] - k11[i];
    put_rounded(m, out, 0);
    LANE_UNROLL
    for (int i = 0; i < 9; i++)
        m[i] = -k12[i];
    put_rounded(m, out, 1);
    LANE_UNROLL
    for (int i = 0; i < 9; i++)
        m[i] = k12[i] - k22[i];
    put_rounded(m, out, 2);
}

static void beams(const vec3 *x, const beam_element *const e[4], const common_par *c, force_part part, beam_simd4 *out)
{
    const lanes zero = lane_all(0.0);
    beam_bend b = beam_bend_of(x, e);
    lanes ratio, second, w = profile_of(e, c, b.theta, &ratio, &second);
    lane_store(out->energy, lane_select(b.is_bent, w, zero));
    if (part == FORCE_PART_ENERGY)
        return;
    lane_mask has_plane = (lane_mask)(b.sine > FORCE_SHORTEST);
    lanes per_sine = lane_select(has_plane, 1.0 / lane_select(has_plane, b.sine, lane_all(1.0)), zero);
    lanes3 n = l3_scale(per_sine, b.cross), t1 = l3_cross(n, b.u1), t2 = l3_cross(n, b.u2);
    lanes slope = ratio * b.theta;
    lanes3 g1 = l3_scale(slope * b.per1, t1), g2 = l3_scale(slope * b.per2, t2);
    l3_store(g1, &out->g[0][0], 3);
    l3_store(l3_neg(l3_add(g1, g2)), &out->g[0][1], 3);
    l3_store(g2, &out->g[0][2], 3);
    if (part == FORCE_PART_HESSIAN)
        beam_hessian(&b, ratio, second, t1, t2, out->h);
}

static void angles(const vec3 *x, const beam_element *const e[4], double out[4])
{
    lane_store(out, beam_bend_of(x, e).theta);
}

/* ---- bends ------------------------------------------------------------------------------------------------------- */

#include "force/force_simd4_bend.h"

/* ---- air --------------------------------------------------------------------------------------------------------- */

/* Normals times areas. */
LANE_INLINE lanes3 areas_of(const vec3 *x, const face_element *const e[4])
{
    lanes3 p = NODE_OF_FOUR(x, 0);
    return l3_scale(lane_all(0.5), l3_cross(l3_sub(NODE_OF_FOUR(x, 1), p), l3_sub(NODE_OF_FOUR(x, 2), p)));
}

static void air_on(const vec3 *x, const vec3 *v, const face_element *const e[4], const air_par *air, force_part part,
                   air_simd4 *out)
{
    const lanes zero = lane_all(0.0), one = lane_all(1.0);
    lanes3 way = areas_of(x, e);
    lanes area = lane_sqrt(l3_dot(way, way));
    lane_mask has_area = (lane_mask)(area > FORCE_SHORTEST);
    lanes3 n = l3_scale(lane_select(has_area, 1.0 / lane_select(has_area, area, one), zero), way);
    lanes3 mean =
        l3_scale(lane_all(1.0 / 3.0), l3_add(l3_add(NODE_OF_FOUR(v, 0), NODE_OF_FOUR(v, 1)), NODE_OF_FOUR(v, 2)));
    lanes3 w = {mean.x - air->wind.x, mean.y - air->wind.y, mean.z - air->wind.z};
    lanes wn = l3_dot(w, n), speed_n = lane_abs(wn);
    lanes3 wt = l3_sub(w, l3_scale(wn, n));
    lanes speed_t = lane_sqrt(l3_dot(wt, wt));
    lane_store(out->energy,
               area * ((air->drag * speed_n * speed_n * speed_n + air->skin * speed_t * speed_t * speed_t) / 3.0 +
                       0.5 * air->viscosity * l3_dot(w, w)));
    if (part == FORCE_PART_ENERGY)
        return;
    lanes flow = air->skin * speed_t;
    lanes3 by_w = l3_add(l3_scale(air->drag * speed_n * wn, n), l3_scale(flow, wt));
    l3_store(l3_scale(area / 3.0, l3_add(by_w, l3_scale(lane_all(air->viscosity), w))), out->g, 1);
    if (part == FORCE_PART_GRADIENT)
        return;
    lane_mask flows = (lane_mask)(speed_t > FORCE_SHORTEST);
    lanes turn = lane_select(flows, air->skin / lane_select(flows, speed_t, one), zero), a = area / 9.0;
    put_half(block(a * (flow + air->viscosity), a * (2.0 * air->drag * speed_n - flow), n, a * turn, wt), out->b, 1);
}

static void add_air(vec3 g, const mat3 *b, double times, const int32_t row[3], vec3 *gradient, mat3 *diagonal)
{
    lanes first = times * lane_load(b->m), second = times * lane_load(b->m + 4);
    double last = times * b->m[8];
    LANE_UNROLL
    for (int i = 0; i < 3; i++)
        gradient[row[i]] = v3_add(gradient[row[i]], g);
    for (int i = 0; diagonal && i < 3; i++) {
        double *to = diagonal[row[i]].m;
        lane_store(to, lane_load(to) + first);
        lane_store(to + 4, lane_load(to + 4) + second);
        to[8] += last;
    }
}

const force_kernel KERNEL(force_kernel) = {
    .springs = springs,
    .membranes = membranes,
    .beams = beams,
    .bends = bends,
    .add_three = add_three,
    .add_bend = add_bend,
    .air = air_on,
    .add_air = add_air,
    .lengths = lengths,
    .stored = stored,
    .strains = strains,
    .membranes_stored = membranes_stored,
    .angles = angles,
    .bend_angles = bend_angles_of,
};

#if KERNEL_ONCE
const force_kernel *force_kernel_best(void)
{
    return KERNEL_BEST(force_kernel);
}
#endif
