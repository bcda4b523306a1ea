/* SPDX-License-Identifier: MIT */
/* Membranes four at a time: a part of force_simd4_kernel.c. The formulas are those of membrane.c. */

typedef struct stretched {
    lanes3 fu, fv;
    lanes lu, lv, s[3];
} stretched;

LANE_INLINE stretched stretched_of(const vec3 *x, const membrane_element *const e[4])
{
    stretched f;
    lanes3 x0 = NODE_OF_FOUR(x, 0), d1 = l3_sub(NODE_OF_FOUR(x, 1), x0), d2 = l3_sub(NODE_OF_FOUR(x, 2), x0);
    f.fu = l3_add(l3_scale(OF_FOUR(par.bu[1]), d1), l3_scale(OF_FOUR(par.bu[2]), d2));
    f.fv = l3_add(l3_scale(OF_FOUR(par.bv[1]), d1), l3_scale(OF_FOUR(par.bv[2]), d2));
    f.lu = lane_sqrt(l3_dot(f.fu, f.fu));
    f.lv = lane_sqrt(l3_dot(f.fv, f.fv));
    f.s[0] = f.lu - 1.0;
    f.s[1] = f.lv - 1.0;
    f.s[2] = l3_dot(f.fu, f.fv);
    return f;
}

/* What it does per area. */
typedef struct reaction {
    lanes energy, stress[3], k11, k12, k22, k33;
} reaction;

LANE_INLINE lanes quadratic_of(const membrane_element *const e[4], const lanes s[3])
{
    return 0.5 * (OF_FOUR(par.c11) * s[0] * s[0] + 2.0 * OF_FOUR(par.c12) * s[0] * s[1] +
                  OF_FOUR(par.c22) * s[1] * s[1] + OF_FOUR(par.c33) * s[2] * s[2]);
}

LANE_INLINE reaction reaction_of(const stretched *f, const membrane_element *const e[4])
{
    reaction r;
    lanes limit = OF_FOUR(par.limit), drag = OF_FOUR(par.drag), rise = 1.0 + drag, moved[3], t[3];
    lanes c11 = OF_FOUR(par.c11), c12 = OF_FOUR(par.c12), c22 = OF_FOUR(par.c22), c33 = OF_FOUR(par.c33);
    stiffening warp = stiffening_of(f->lu, limit), weft = stiffening_of(f->lv, limit); /* limit 0: nothing acts */
    LANE_UNROLL
    for (int i = 0; i < 3; i++) {
        moved[i] = f->s[i] - OF_FOUR(par.past[i]);
        t[i] = f->s[i] + drag * moved[i];
    }
    r.energy = quadratic_of(e, f->s) + drag * quadratic_of(e, moved) + c11 * warp.value + c22 * weft.value;
    r.stress[0] = c11 * (t[0] + warp.slope) + c12 * t[1];
    r.stress[1] = c22 * (t[1] + weft.slope) + c12 * t[0];
    r.stress[2] = c33 * t[2];
    r.k11 = c11 * (rise + warp.curvature);
    r.k12 = c12 * rise;
    r.k22 = c22 * (rise + weft.curvature);
    r.k33 = c33 * rise;
    return r;
}

/* û, and its stress over the length where that pulls. */
typedef struct thread {
    lanes3 along;
    lanes across;
} thread;

LANE_INLINE thread thread_of(lanes3 f, lanes length, lanes stress, lanes modulus)
{
    lane_mask has_length = (lane_mask)(length > FORCE_SHORTEST);
    lanes per = lane_select(has_length, 1.0 / lane_select(has_length, length, lane_all(1.0)), lane_all(0.0));
    return (thread){l3_scale(per, f), lane_max(lane_select(has_length, stress * per, modulus), lane_all(0.0))};
}

/* a · u vᵀ + b · f gᵀ + c I */
LANE_INLINE void cross_of(lanes a, lanes3 u, lanes3 v, lanes b, lanes3 f, lanes3 g, lanes c, lanes m[9])
{
    lanes3 s = l3_scale(a, u), t = l3_scale(b, f);
    m[0] = s.x * v.x + t.x * g.x + c;
    m[1] = s.x * v.y + t.x * g.y;
    m[2] = s.x * v.z + t.x * g.z;
    m[3] = s.y * v.x + t.y * g.x;
    m[4] = s.y * v.y + t.y * g.y + c;
    m[5] = s.y * v.z + t.y * g.z;
    m[6] = s.z * v.x + t.z * g.x;
    m[7] = s.z * v.y + t.z * g.y;
    m[8] = s.z * v.z + t.z * g.z + c;
}

/* Node 0 by the zero sums. */
LANE_INLINE void membrane_by_nodes(const membrane_element *const e[4], half uu, half vv, const lanes uv[9],
                                   three_blocks *out)
{
    lanes a = OF_FOUR(par.area);
    lanes u1 = OF_FOUR(par.bu[1]), u2 = OF_FOUR(par.bu[2]), v1 = OF_FOUR(par.bv[1]), v2 = OF_FOUR(par.bv[2]);
    const lanes m[9] = {uu.xx, uu.xy, uu.xz, uu.xy, uu.yy, uu.yz, uu.xz, uu.yz, uu.zz};
    const lanes o[9] = {vv.xx, vv.xy, vv.xz, vv.xy, vv.yy, vv.yz, vv.xz, vv.yz, vv.zz};
    lanes h[3][9];
    LANE_UNROLL
    for (int k = 0; k < 9; k++) {
        lanes n = uv[k], nt = uv[3 * (k % 3) + k / 3];
        lanes h11 = a * u1 * u1 * m[k] + a * u1 * v1 * (n + nt) + a * v1 * v1 * o[k];
        lanes h22 = a * u2 * u2 * m[k] + a * u2 * v2 * (n + nt) + a * v2 * v2 * o[k];
        lanes even = a * u1 * u2 * m[k] + a * v1 * v2 * o[k], left = a * u1 * v2, right = a * u2 * v1;
        lanes h12 = even + (left * n + right * nt), h21 = even + (left * nt + right * n);
        h[0][k] = -(h11 + h21);
        h[1][k] = -(h12 + h22);
        h[2][k] = h12;
    }
    LANE_UNROLL
    for (int i = 0; i < 3; i++)
        put_rounded(h[i], out, i);
}

static void membranes(const vec3 *x, const membrane_element *const e[4], force_part part, membrane_simd4 *out)
{
    stretched f = stretched_of(x, e);
    reaction r = reaction_of(&f, e);
    lanes area = OF_FOUR(par.area);
    lane_store(out->energy, area * r.energy);
    if (part == FORCE_PART_ENERGY)
        return;
    thread u = thread_of(f.fu, f.lu, r.stress[0], r.k11), v = thread_of(f.fv, f.lv, r.stress[1], r.k22);
    lanes3 by_u = l3_scale(area, l3_add(l3_scale(r.stress[0], u.along), l3_scale(r.stress[2], f.fv)));
    lanes3 by_v = l3_scale(area, l3_add(l3_scale(r.stress[1], v.along), l3_scale(r.stress[2], f.fu)));
    lanes3 g1 = l3_add(l3_scale(OF_FOUR(par.bu[1]), by_u), l3_scale(OF_FOUR(par.bv[1]), by_v));
    lanes3 g2 = l3_add(l3_scale(OF_FOUR(par.bu[2]), by_u), l3_scale(OF_FOUR(par.bv[2]), by_v));
    l3_store(l3_neg(l3_add(g1, g2)), &out->g[0][0], 3);
    l3_store(g1, &out->g[0][1], 3);
    l3_store(g2, &out->g[0][2], 3);
    if (part == FORCE_PART_GRADIENT)
        return;
    lanes cross = 0.5 * r.stress[2], twist = lane_abs(cross), uv[9];
    cross_of(r.k12, u.along, v.along, r.k33, f.fv, f.fu, cross, uv);
    half uu = block(u.across + twist, r.k11 - u.across, u.along, r.k33, f.fv);
    half vv = block(v.across + twist, r.k22 - v.across, v.along, r.k33, f.fu);
    membrane_by_nodes(e, uu, vv, uv, out->h);
}

static void strains(const vec3 *x, const membrane_element *const e[4], double out[4][3])
{
    stretched f = stretched_of(x, e);
    LANE_UNROLL
    for (int i = 0; i < 3; i++) {
        LANE_UNROLL
        for (int k = 0; k < 4; k++)
            out[k][i] = f.s[i][k];
    }
}

static void membranes_stored(const vec3 *x, const membrane_element *const e[4], double out[4])
{
    stretched f = stretched_of(x, e);
    lanes limit = OF_FOUR(par.limit), c11 = OF_FOUR(par.c11), c22 = OF_FOUR(par.c22);
    stiffening warp = stiffening_of(f.lu, limit), weft = stiffening_of(f.lv, limit);
    lane_store(out, OF_FOUR(par.area) * (quadratic_of(e, f.s) + c11 * warp.value + c22 * weft.value));
}
