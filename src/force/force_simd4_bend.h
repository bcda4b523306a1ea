/* SPDX-License-Identifier: MIT */
/* Bends four at a time: a part of force_simd4_kernel.c. The formulas are those of bend.c and dihedral.c. */

/* ---- angles ------------------------------------------------------------------------------------------------------ */

LANE_INLINE lane_mask is_present(const bend_element *const e[4], int i)
{
    const lane_mask present = {e[0]->par.present, e[1]->par.present, e[2]->par.present, e[3]->par.present};
    return -(present >> i & 1);
}

LANE_INLINE void nodes_of_bends(const vec3 *x, const bend_element *const e[4], lanes3 y[6])
{
    LANE_UNROLL
    for (int i = 0; i < 6; i++)
        y[i] = NODE_OF_FOUR(x, i);
}

/* dihedral_eval's, operation by operation. */
LANE_INLINE lanes angle_of(const lanes3 y[6], int i, lane_mask here)
{
    lanes3 from = y[(i + 1) % 3], e = l3_sub(y[(i + 2) % 3], from), b = l3_sub(y[3 + i], from);
    lanes3 normal_a = l3_cross(e, l3_sub(y[i], from)), normal_b = l3_cross(b, e);
    lanes theta = lane_atan2(-lane_sqrt(l3_dot(e, e)) * l3_dot(normal_a, b), l3_dot(normal_a, normal_b));
    return lane_select(here, theta, lane_all(0.0));
}

LANE_INLINE void put_angles(const lanes theta[3], double out[4][3])
{
    LANE_UNROLL
    for (int k = 0; k < 4; k++) {
        out[k][0] = theta[0][k];
        out[k][1] = theta[1][k];
        out[k][2] = theta[2][k];
    }
}

static void bend_angles_of(const vec3 *x, const bend_element *const e[4], double out[4][3])
{
    lanes3 y[6];
    nodes_of_bends(x, e, y);
    const lanes theta[3] = {angle_of(y, 0, is_present(e, 0)), angle_of(y, 1, is_present(e, 1)),
                            angle_of(y, 2, is_present(e, 2))};
    put_angles(theta, out);
}

/* ---- energy ------------------------------------------------------------------------------------------------------ */

/* θ − from, in (−π, π]. */
LANE_INLINE lanes turned_by(lanes theta, lanes from)
{
    lanes d = theta - from;
    lanes up = lane_select((lane_mask)(d <= -WEFT_PI), d + 2.0 * WEFT_PI, d);
    return lane_select((lane_mask)(d > WEFT_PI), d - 2.0 * WEFT_PI, up);
}

/* Moments and, for the Hessian, (1 + drag) q; returns the energy. */
LANE_INLINE lanes moments_of(const bend_element *const e[4], const lane_mask here[3], const lanes theta[3],
                             lanes moment[3], lanes stiff[3][3])
{
    const lanes drag = OF_FOUR(par.drag);
    lanes bent[3], turned[3], energy = lane_all(0.0);
    LANE_UNROLL
    for (int i = 0; i < 3; i++) {
        lanes d = turned_by(theta[i], OF_FOUR(par.rest[i])) - OF_FOUR(par.tilt[i]);
        bent[i] = lane_select(here[i], d, lane_all(0.0));
        turned[i] = lane_select(here[i], turned_by(theta[i], OF_FOUR(par.past[i])), lane_all(0.0));
    }
    LANE_UNROLL
    for (int i = 0; i < 3; i++) {
        const lanes q[3] = {OF_FOUR(par.q[i][0]), OF_FOUR(par.q[i][1]), OF_FOUR(par.q[i][2])};
        lanes qb = q[0] * bent[0] + q[1] * bent[1] + q[2] * bent[2];
        lanes qt = q[0] * turned[0] + q[1] * turned[1] + q[2] * turned[2];
        moment[i] = qb + drag * qt;
        energy += 0.5 * (bent[i] * qb + drag * turned[i] * qt);
        LANE_UNROLL
        for (int j = 0; j < 3; j++)
            stiff[i][j] = (1.0 + drag) * q[j];
    }
    return energy;
}

/* ---- derivatives ------------------------------------------------------------------------------------------------- */

/* ∇θ_i by the triangle's nodes and the one across. normal: of the triangle, unscaled; area_sq its square. */
LANE_INLINE void bend_slopes_of(const lanes3 y[6], int i, lane_mask here, lanes3 normal, lanes area_sq, lanes3 d[4])
{
    const lanes one = lane_all(1.0);
    int first = (i + 1) % 3, second = (i + 2) % 3;
    lanes3 e = l3_sub(y[second], y[first]), a = l3_sub(y[i], y[first]), b = l3_sub(y[3 + i], y[first]);
    lanes3 across = l3_cross(b, e);
    lanes len_sq = l3_dot(e, e), across_sq = l3_dot(across, across),
          thin = DIHEDRAL_FLAT_SINE * DIHEDRAL_FLAT_SINE * len_sq;
    lane_mask fits = here & (lane_mask)(area_sq > thin * l3_dot(a, a)) & (lane_mask)(across_sq > thin * l3_dot(b, b));
    lanes len = lane_select(fits, lane_sqrt(len_sq), lane_all(0.0)), per = 1.0 / lane_select(fits, len_sq, one);
    d[i] = l3_scale(-len / lane_select(fits, area_sq, one), normal);
    d[3] = l3_scale(-len / lane_select(fits, across_sq, one), across);
    d[second] = l3_neg(l3_add(l3_scale(l3_dot(a, e) * per, d[i]), l3_scale(l3_dot(b, e) * per, d[3])));
    d[first] = l3_neg(l3_add(d[second], l3_add(d[i], d[3])));
}

LANE_INLINE lanes3 weighted_sum(const lanes k[3], lanes3 a, lanes3 b, lanes3 c)
{
    return l3_add(l3_add(l3_scale(k[0], a), l3_scale(k[1], b)), l3_scale(k[2], c));
}

/* Rounded, as four floats each of which the last is 0, to the factors of four elements in a row. */
LANE_INLINE void put_factor(lanes3 a, float *out)
{
    enum { STRIDE = sizeof(bend_factors) / sizeof(float) };
    const lanes m[4] = {a.x, a.y, a.z, lane_all(0.0)};
    lanes4 rows[4];
    transpose_rounded(m, rows);
    for (int k = 0; k < 4; k++)
        memcpy(out + (ptrdiff_t)k * STRIDE, &rows[k], sizeof rows[k]);
}

LANE_INLINE void put_factors(lanes3 d[3][4], lanes q[3][3], bend_factors *out)
{
    LANE_UNROLL
    for (int n = 0; n < 3; n++) {
        LANE_UNROLL
        for (int j = 0; j < 3; j++)
            put_factor(weighted_sum(q[j], d[0][n], d[1][n], d[2][n]), out->left[n][j]);
    }
    LANE_UNROLL
    for (int n = 1; n < 3; n++) {
        LANE_UNROLL
        for (int j = 0; j < 3; j++)
            put_factor(d[j][n], out->right[n - 1][j]);
    }
    LANE_UNROLL
    for (int j = 0; j < 3; j++)
        put_factor(d[j][3], out->outer[j]);
    put_factor(l3_scale(q[0][1], d[0][3]), out->between[0]);
    put_factor(l3_scale(q[0][2], d[0][3]), out->between[1]);
    put_factor(l3_scale(q[1][2], d[1][3]), out->between[2]);
}

static void bends(const vec3 *x, const bend_element *const e[4], bool known, force_part part, bend_simd4 *out)
{
    const lane_mask here[3] = {is_present(e, 0), is_present(e, 1), is_present(e, 2)};
    lanes3 y[6], d[3][4];
    lanes theta[3], moment[3], stiff[3][3];
    nodes_of_bends(x, e, y);
    LANE_UNROLL
    for (int i = 0; i < 3; i++)
        theta[i] = known ? OF_FOUR(theta[i]) : angle_of(y, i, here[i]);
    lane_store(out->energy, moments_of(e, here, theta, moment, stiff));
    put_angles(theta, out->theta);
    if (part == FORCE_PART_ENERGY)
        return;
    lanes3 normal = l3_cross(l3_sub(y[1], y[0]), l3_sub(y[2], y[0]));
    lanes area_sq = l3_dot(normal, normal);
    LANE_UNROLL
    for (int i = 0; i < 3; i++)
        bend_slopes_of(y, i, here[i], normal, area_sq, d[i]);
    LANE_UNROLL
    for (int n = 0; n < 3; n++) {
        l3_store(weighted_sum(moment, d[0][n], d[1][n], d[2][n]), &out->g[0][n], 6);
        l3_store(l3_scale(moment[n], d[n][3]), &out->g[0][3 + n], 6);
    }
    if (part == FORCE_PART_HESSIAN)
        put_factors(d, stiff, out->h);
}

/* ---- blocks ------------------------------------------------------------------------------------------------------ */

/* The first eight numbers of a bᵀ are those of rows_of(a) times those of columns_of(b). */
LANE_INLINE lanes8 rows_of(const float v[4])
{
    lanes8 a = lane8_twice(v);
    return __builtin_shufflevector(a, a, 0, 0, 0, 1, 5, 5, 6, 6);
}

LANE_INLINE lanes8 columns_of(const float v[4])
{
    lanes8 a = lane8_twice(v);
    return __builtin_shufflevector(a, a, 0, 1, 2, 0, 5, 6, 4, 5);
}

static void add_bend(const bend_factors *f, const int32_t *place, float *values)
{
    lanes8 outer[3] = {columns_of(f->outer[0]), columns_of(f->outer[1]), columns_of(f->outer[2])};
    LANE_UNROLL
    for (int n = 0; n < 3; n++) {
        const float(*l)[4] = f->left[n];
        lanes8 left[3] = {rows_of(l[0]), rows_of(l[1]), rows_of(l[2])};
        LANE_UNROLL
        for (int m = n; m < 2; m++) { /* with the triangle's node m + 1 */
            const float(*r)[4] = f->right[m];
            lanes8 sum = left[0] * columns_of(r[0]) + left[1] * columns_of(r[1]) + left[2] * columns_of(r[2]);
            add_at(values, *place++, sum, l[0][2] * r[0][2] + l[1][2] * r[1][2] + l[2][2] * r[2][2]);
        }
        LANE_UNROLL
        for (int j = 0; j < 3; j++)
            add_at(values, *place++, left[j] * outer[j], l[j][2] * f->outer[j][2]);
    }
    LANE_UNROLL
    for (int i = 0; i < 3; i++) { /* outer nodes 0 and 1, 0 and 2, 1 and 2 */
        int j = i == 0 ? 1 : 2;
        add_at(values, *place++, rows_of(f->between[i]) * outer[j], f->between[i][2] * f->outer[j][2]);
    }
}
