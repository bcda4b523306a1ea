/* SPDX-License-Identifier: MIT */
/* The kernel of normal_pair.h: a triangle is a lane, a leaf is taken at a time. (normal_pair_avx512.c takes two.) */
#include "math/normal_pair_inside.h"

#include "math/box_lanes.h"
#include "math/kernel.h"

/* Two sides of triangles, their lengths, and that of the corner which they begin at. */
typedef struct simd8_sides {
    lanes8_3 e, f;
    lanes8 a, l, m;
} simd8_sides;

/* Places of a leaf's other nodes from the first on. */
LANE_INLINE lanes8_3 load_places(const double *x, const int32_t *place, lanes *lo, lanes *hi)
{
    lanes origin = lane_load(x + place[0]);
    lanes4 at[NORMAL_TRIANGLES];
    lanes8 row[4];
    *lo = lane_min(origin, *lo);
    *hi = lane_max(origin, *hi);
    LANE_UNROLL
    for (int i = 0; i < NORMAL_TRIANGLES; i++) {
        lanes p = lane_load(x + place[i + 1]);
        *lo = lane_min(p, *lo);
        *hi = lane_max(p, *hi);
        at[i] = __builtin_convertvector(p - origin, lanes4);
    }
    LANE_UNROLL
    for (int k = 0; k < 4; k++)
        row[k] = __builtin_shufflevector(at[k], at[k + 4], 0, 1, 2, 3, 4, 5, 6, 7);
    return lane8_columns(row[0], row[1], row[2], row[3]);
}

/* The first node is the origin. */
LANE_INLINE lanes8_3 pick_corners(lanes8_3 p, const uint8_t *corners)
{
    lane8_mask at = lane8_of_bytes(corners), other = at << 24 >> 31;
    return (lanes8_3){(lanes8)(other & (lane8_mask)lane8_permute(p.x, at)),
                      (lanes8)(other & (lane8_mask)lane8_permute(p.y, at)),
                      (lanes8)(other & (lane8_mask)lane8_permute(p.z, at))};
}

LANE_INLINE simd8_sides sides_of(lanes8_3 p, const normal_pair *l, int half)
{
    lanes8_3 a = pick_corners(p, l->corner[0] + half * NORMAL_TRIANGLES);
    lanes8_3 e = l83_sub(pick_corners(p, l->corner[1] + half * NORMAL_TRIANGLES), a);
    lanes8_3 f = l83_sub(pick_corners(p, l->corner[2] + half * NORMAL_TRIANGLES), a);
    return (simd8_sides){e, f, l83_sum(a) + NORMAL_FAINT, l83_sum(e), l83_sum(f)};
}

/* The cells of normals that are long enough beside `scale`. */
LANE_INLINE void put_cells(lanes8_3 n, lanes8 scale, uint32_t *out)
{
    const float half = NORMAL_HALF;
    const lane8_mask last = (lane8_mask){0} + (NORMAL_CELLS - 1);
    lanes8 sum = l83_sum(n), to_cells = half / sum;
    lane8_mask known = (lane8_mask)(sum > scale * NORMAL_LEAST + 1e-30f);
    lane8_mask i = lane8_truncate((lanes8)(known & (lane8_mask)(n.x * to_cells + half)));
    lane8_mask j = lane8_truncate((lanes8)(known & (lane8_mask)(n.y * to_cells + half)));
    lane8_mask at = lane8_int_min(i, last) * NORMAL_CELLS + lane8_int_min(j, last);
    at += (lane8_mask)(n.z < 0.0f) & (NORMAL_CELLS * NORMAL_CELLS);
    at = (at & known) | (NORMAL_NONE & ~known);
    memcpy(out, &at, sizeof at);
}

LANE_INLINE void put_cells_at(const simd8_sides *s, uint32_t *out)
{
    put_cells(l83_cross(s->e, s->f), s->a * (s->l + s->m) + (4 * s->l) * s->m, out);
}

LANE_INLINE void put_cells_between(const simd8_sides *s, const simd8_sides *t, uint32_t *out)
{
    lanes8 ends = (s->a + t->a) * ((s->l + s->m) + (t->l + t->m));
    put_cells(l83_add(l83_cross(s->e, t->f), l83_cross(t->e, s->f)), ends + ((4 * s->l) * t->m + (4 * t->l) * s->m),
              out);
}

LANE_INLINE void fit_half_pair(const double *x0, const double *x1, const normal_pair *l, int half, double inflate,
                               box *boxes, uint32_t (*cells)[2 * NORMAL_TRIANGLES])
{
    lanes lo = lane_all(1e300), hi = -lo;
    simd8_sides s = sides_of(load_places(x0, l->place[half], &lo, &hi), l, half);
    put_cells_at(&s, cells[0] + half * NORMAL_TRIANGLES);
    if (x1) {
        simd8_sides t = sides_of(load_places(x1, l->place[half], &lo, &hi), l, half);
        put_cells_at(&t, cells[1] + half * NORMAL_TRIANGLES);
        put_cells_between(&s, &t, cells[2] + half * NORMAL_TRIANGLES);
    }
    box_store(&boxes[l->zone[half]], lo, hi, inflate);
}

LANE_INLINE int32_t fit_pairs_in_rows(const double *x0, const double *x1, const normal_pair *pairs, int32_t n,
                                      const normal_table table, double inflate, box *boxes, uint64_t *masks,
                                      int32_t *left)
{
    cell_row row;
    int32_t n_left = 0;
    for (int32_t first = 0; first < n; first += NORMAL_PAIR_ROW) {
        int m = n - first < NORMAL_PAIR_ROW ? n - first : NORMAL_PAIR_ROW;
        for (int i = 0; i < m; i++) {
            fetch_pair(x0, x1, &pairs[first + i + NORMAL_PAIR_AHEAD < n ? first + i + NORMAL_PAIR_AHEAD : n - 1]);
            for (int half = 0; half < 2; half++)
                fit_half_pair(x0, x1, &pairs[first + i], half, inflate, boxes, row.cell[i]);
        }
        n_left = fill_masks(pairs, first, m, &row, x1 ? NORMAL_TIMES : 1, table, masks, left, n_left);
    }
    return n_left;
}

/* Two versions, so that what does not move is not asked whether it does. */
int32_t KERNEL(normal_pairs_fit)(const vec3 *x0, const vec3 *x1, const normal_pair *pairs, int32_t n,
                                 const normal_table table, double inflate, box *boxes, uint64_t *masks, int32_t *left)
{
    if (x1)
        return fit_pairs_in_rows(&x0->x, &x1->x, pairs, n, table, inflate, boxes, masks, left);
    return fit_pairs_in_rows(&x0->x, NULL, pairs, n, table, inflate, boxes, masks, left);
}
