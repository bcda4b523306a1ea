/* SPDX-License-Identifier: MIT */
/* The kernel of normal_cell.h: a triangle is a lane. What normal_cell does with one normal is done step by step. */
#include "math/normal_cell.h"

#include "math/box_lanes.h"
#include "math/kernel.h"

/* Cells of four normals; NORMAL_NONE: it is too small to tell. */
LANE_INLINE lanes4_int cells_of(lanes3 n, lanes size)
{
    const double half = NORMAL_HALF;
    const lanes4_int last = {NORMAL_CELLS - 1, NORMAL_CELLS - 1, NORMAL_CELLS - 1, NORMAL_CELLS - 1};
    lanes sum = l3_sum(n), scale = half / sum, zero = lane_all(0);
    lane_mask known = (lane_mask)(sum > 0x1p-28 * size) & (lane_mask)(sum > 1e-290);
    lanes4_int i = lane_truncate(lane_select(known, n.x * scale + half, zero));
    lanes4_int j = lane_truncate(lane_select(known, n.y * scale + half, zero));
    lanes4_int below = __builtin_convertvector((lane_mask)(n.z < zero), lanes4_int);
    lanes4_int found = __builtin_convertvector(known, lanes4_int);
    lanes4_int at = lane4_int_min(i, last) * NORMAL_CELLS + lane4_int_min(j, last);
    at += below & (NORMAL_CELLS * NORMAL_CELLS);
    return (at & found) | (NORMAL_NONE & ~found);
}

LANE_INLINE uint64_t mask_of_cells(const normal_table table, lanes4_int cells)
{
    return (table[cells[0]] & table[cells[1]]) & (table[cells[2]] & table[cells[3]]);
}

/* Two sides of four triangles from their first corners on, and the lengths of these sides. */
typedef struct simd4_sides {
    lanes3 e1, e2;
    lanes l1, l2;
} simd4_sides;

/* Of triangles v[0 .. 2], v[3 .. 5] …; their corners extend the bounds. */
LANE_INLINE simd4_sides load_sides(const vec3 *x, const int32_t v[12], lanes3 *lo, lanes3 *hi)
{
    const int32_t first[4] = {v[0], v[3], v[6], v[9]}, second[4] = {v[1], v[4], v[7], v[10]};
    const int32_t third[4] = {v[2], v[5], v[8], v[11]};
    lanes3 a = l3_load(x, first), b = l3_load(x, second), c = l3_load(x, third);
    *lo = l3_min(c, l3_min(b, l3_min(a, *lo)));
    *hi = l3_max(c, l3_max(b, l3_max(a, *hi)));
    lanes3 e1 = l3_sub(b, a), e2 = l3_sub(c, a);
    return (simd4_sides){e1, e2, l3_sum(e1), l3_sum(e2)};
}

/* What the table has for the normals of four triangles; *cells: those at x0. */
LANE_INLINE uint64_t mask_of_simd4(const vec3 *x0, const vec3 *x1, const int32_t v[12], const normal_table table,
                                   lanes3 *lo, lanes3 *hi, lanes4_int *cells)
{
    simd4_sides s = load_sides(x0, v, lo, hi);
    *cells = cells_of(l3_cross(s.e1, s.e2), s.l1 * s.l2);
    uint64_t mask = mask_of_cells(table, *cells);
    if (!x1)
        return mask;
    simd4_sides t = load_sides(x1, v, lo, hi);
    lanes3 mixed = l3_add(l3_cross(s.e1, t.e2), l3_cross(t.e1, s.e2));
    mask &= mask_of_cells(table, cells_of(l3_cross(t.e1, t.e2), t.l1 * t.l2));
    return mask & mask_of_cells(table, cells_of(mixed, s.l1 * t.l2 + t.l1 * s.l2));
}

/* From x, y and z of four to the least x, y and z of all; the fourth is any. */
LANE_INLINE lanes least_of_simd4(lanes3 a)
{
    lanes xy = lane_min(__builtin_shufflevector(a.x, a.y, 0, 4, 2, 6), __builtin_shufflevector(a.x, a.y, 1, 5, 3, 7));
    lanes z = lane_min(a.z, __builtin_shufflevector(a.z, a.z, 1, 0, 3, 2));
    return lane_min(__builtin_shufflevector(xy, z, 0, 1, 4, 5), __builtin_shufflevector(xy, z, 2, 3, 6, 7));
}

LANE_INLINE int n_unknown(lanes4_int cells, int n)
{
    int found = 0;
    for (int i = 0; i < 4; i++)
        found += i < n && cells[i] == NORMAL_NONE;
    return found;
}

LANE_INLINE void fit_one_leaf(const vec3 *x0, const vec3 *x1, const int32_t *nodes, int n, const normal_table table,
                              double inflate, normal_leaf *out)
{
    const lanes far = lane_all(1e300);
    lanes3 lo = {far, far, far}, hi = l3_neg(lo);
    out->mask = ~UINT64_C(0);
    out->n_unknown = 0;
    for (int i = 0; i < n; i += 4) {
        int32_t last[12];
        const int32_t *v = nodes + 3 * i;
        lanes4_int cells;
        for (int k = 0; n - i < 4 && k < 12; k++)
            last[k] = v[k < 3 * (n - i) ? k : k % 3];
        out->mask &= mask_of_simd4(x0, x1, n - i < 4 ? last : v, table, &lo, &hi, &cells);
        out->n_unknown += n_unknown(cells, n - i);
    }
    box_store(&out->bounds, least_of_simd4(lo), -least_of_simd4(l3_neg(hi)), inflate);
}

/* Two versions, so that what does not move is not asked whether it does. */
void KERNEL(normal_leaf_fit)(const vec3 *x0, const vec3 *x1, const int32_t *nodes, int n, const normal_table table,
                             double inflate, normal_leaf *out)
{
    if (x1)
        fit_one_leaf(x0, x1, nodes, n, table, inflate, out);
    else
        fit_one_leaf(x0, NULL, nodes, n, table, inflate, out);
}

#if KERNEL_ONCE
void normal_leaf_fit(const vec3 *x0, const vec3 *x1, const int32_t *nodes, int n, const normal_table table,
                     double inflate, normal_leaf *out)
{
    KERNEL_BEST(normal_leaf_fit)(x0, x1, nodes, n, table, inflate, out);
}
#endif
