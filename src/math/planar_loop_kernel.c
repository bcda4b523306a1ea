/* SPDX-License-Identifier: MIT */
/* The kernel of planar_loop.h: a block is a lane. */
#include "math/planar_loop.h"

#include "math/box_lanes.h"
#include "math/kernel.h"
#include "math/planar_row_lanes.h"

/* ---- points ------------------------------------------------------------------------------------------------------ */

/* Where four points are seen. */
LANE_INLINE void project_simd4(const vec3 *x, const int32_t *node, int size, vec3 a, vec3 b, double *out_x,
                               double *out_y)
{
    const int32_t v[4] = {node[0], node[size], node[2 * size], node[3 * size]};
    lanes3 p = l3_load(x, v);
    lane_store(out_x, a.x * p.x + a.y * p.y + a.z * p.z);
    lane_store(out_y, b.x * p.x + b.y * p.y + b.z * p.z);
}

void KERNEL(planar_loop_project)(planar_loop *l, const vec3 *x0, const vec3 *x1, vec3 a, vec3 b)
{
    l->n_times = x1 ? 2 : 1;
    l->n_blocks = (l->n + l->size - 1) / l->size;
    for (int i = 0; i < 16; i++)
        l->node[l->n + i] = l->node[0];
    for (int j = 0; j < l->n_blocks; j += 4)
        for (int k = 0; k < l->size; k++) {
            const int32_t *node = l->node + j * l->size + k;
            project_simd4(x0, node, l->size, a, b, &l->point[k][0][j], &l->point[k][1][j]);
            if (x1)
                project_simd4(x1, node, l->size, a, b, &l->point[k][2][j], &l->point[k][3][j]);
        }
    for (int c = 0; c < 2 * l->n_times; c++)
        for (int i = 0; i < 4; i++)
            l->point[0][c][l->n_blocks + i] = l->point[0][c][0];
}

/* ---- windows and boxes ------------------------------------------------------------------------------------------- */

/* Edges and boxes of four blocks, in one coordinate. */
LANE_INLINE void bound_simd4(planar_loop *l, int size, int c, int j)
{
    planar_row *r = &l->rows[j / PLANAR_ROW];
    lanes past = lane_load(&l->point[0][c][j]), lo = past, hi = past;
    for (int k = 0; k < size; k++) {
        lanes now = lane_load(k + 1 == size ? &l->point[0][c][j + 1] : &l->point[k + 1][c][j]);
        lane_store(&l->edge[k][c][j], now - past);
        lo = lane_min(now, lo);
        hi = lane_max(now, hi);
        past = now;
    }
    lanes4 below = box_below_simd4(lo), top = box_below_simd4(-hi);
    memcpy(&r->lo[c][j % PLANAR_ROW], &below, sizeof below);
    memcpy(&r->top[c][j % PLANAR_ROW], &top, sizeof top);
}

/* What the last block lacks is a copy of its first edge; behind it stands the first block again. */
LANE_INLINE void close_edges(planar_loop *l, int size, int c)
{
    int last = l->n_blocks - 1;
    for (int k = l->n - last * size; k < size; k++)
        l->edge[k][c][last] = l->edge[0][c][last];
    for (int k = 0; k < size; k++)
        for (int i = 1; i <= 4; i++)
            l->edge[k][c][last + i] = l->edge[k][c][0];
}

LANE_INLINE lanes cross_planar(lanes x, lanes y, lanes u, lanes v)
{
    return x * v - y * u;
}

/* Bits of four windows that go forward along the middle of the sector of their edges' directions, of both times. The
 * sector is found without regard to rounding, and if it is a half turn or more it is none; the line is then looked at
 * with all edges. */
LANE_INLINE unsigned go_forward(const planar_loop *l, int size, int n_times, int j, double least)
{
    lanes right_x = lane_load(&l->edge[0][0][j]), right_y = lane_load(&l->edge[0][1][j]);
    lanes left_x = right_x, left_y = right_y, zero = lane_all(0);
    for (int s = 0; s < 2; s++)
        for (int k = 0; k < size; k++)
            for (int t = 0; t < n_times; t++) {
                lanes x = lane_load(&l->edge[k][2 * t][j + s]), y = lane_load(&l->edge[k][2 * t + 1][j + s]);
                lanes to_right = cross_planar(x, y, right_x, right_y);
                lanes to_left = cross_planar(left_x, left_y, x, y);
                right_x = lane_select((lane_mask)(to_right > zero), x, right_x);
                right_y = lane_select((lane_mask)(to_right > zero), y, right_y);
                left_x = lane_select((lane_mask)(to_left > zero), x, left_x);
                left_y = lane_select((lane_mask)(to_left > zero), y, left_y);
            }
    lane_mask acute = (lane_mask)(right_x * left_x + right_y * left_y > zero);
    lanes x = lane_select(acute, right_x + left_x, left_y - right_y);
    lanes y = lane_select(acute, right_y + left_y, right_x - left_x);
    lanes limit = least * (lane_abs(x) + lane_abs(y)), way = lane_all(1e300);
    for (int s = 0; s < 2; s++)
        for (int k = 0; k < size; k++)
            for (int t = 0; t < n_times; t++)
                way = lane_min(x * lane_load(&l->edge[k][2 * t][j + s]) + y * lane_load(&l->edge[k][2 * t + 1][j + s]),
                               way);
    return lane_bits((lane_mask)(way > limit));
}

LANE_INLINE void bound_all(planar_loop *l, int size, int n_times, double least)
{
    for (int i = 0; i < (PLANAR_BLOCKS + 31) / 32; i++)
        l->bent[i] = 0;
    for (int c = 0; c < 2 * n_times; c++) {
        for (int j = 0; j < l->n_blocks; j += 4)
            bound_simd4(l, size, c, j);
        close_edges(l, size, c);
    }
    for (int j = 0; j < l->n_blocks; j += 4) {
        unsigned used = l->n_blocks - j < 4 ? (1u << (l->n_blocks - j)) - 1 : 15;
        l->bent[j / 32] |= (used & ~go_forward(l, size, n_times, j, least)) << j % 32;
    }
}

/* With numbers that the compiler knows, loops are unrolled. */
void KERNEL(planar_loop_bound)(planar_loop *l, double least)
{
    if (l->size == 2 && l->n_times == 1)
        bound_all(l, 2, 1, least);
    else if (l->size == 2)
        bound_all(l, 2, 2, least);
    else if (l->n_times == 1)
        bound_all(l, 3, 1, least);
    else
        bound_all(l, 3, 2, least);
}

/* ---- blocks that are near each other ----------------------------------------------------------------------------- */

/* Of up to eight numbers. */
LANE_INLINE float least_of_eight(const float *p, int n)
{
    float least = p[0];
    for (int i = 1; i < n && i < 8; i++)
        least = p[i] < least ? p[i] : least;
    return least;
}

/* The box of eight blocks of a row. */
LANE_INLINE box whole_simd8(const planar_loop *l, int eight)
{
    const planar_row *r = &l->rows[eight / 2];
    int first = eight % 2 * 8, n = l->n_blocks - 8 * eight;
    box b = {{0, 0, 0, 0}, {0, 0, 0, 0}};
    for (int c = 0; c < 2 * l->n_times; c++) {
        b.lo[c] = least_of_eight(&r->lo[c][first], n);
        b.top[c] = least_of_eight(&r->top[c][first], n);
    }
    return b;
}

LANE_INLINE bool eights_are_apart(const box *a, const box *b, float least, int n_times)
{
    int second = n_times == 1 ? 0 : 2;
    for (int k = 0; k < 2; k++)
        if ((a->lo[k] + b->top[k] > least && a->lo[k + second] + b->top[k + second] > least) ||
            (b->lo[k] + a->top[k] > least && b->lo[k + second] + a->top[k + second] > least))
            return true;
    return false;
}

/* Block i with eight others: bits of those that are near it. */
LANE_INLINE uint32_t near_one(const planar_loop *l, int i, int eight, float least)
{
    box b = planar_row_get(&l->rows[i / PLANAR_ROW], i % PLANAR_ROW);
    return planar_near_simd8(&l->rows[eight / 2], eight % 2 * 8, &b, lane8_all(least), l->n_times);
}

LANE_INLINE int pair_eights(const planar_loop *l, int p, int q, float least, planar_near *out, int room)
{
    int n = 0, n_q = l->n_blocks - 8 * q, end = 8 * p + 8 < l->n_blocks ? 8 * p + 8 : l->n_blocks;
    uint32_t used = n_q < 8 ? (1u << n_q) - 1 : 255;
    for (int i = 8 * p; i < end; i++) {
        int next = i + 2 - 8 * q;
        uint32_t bits = near_one(l, i, q, least) & used;
        if (next > 0)
            bits &= next < 8 ? ~0u << next : 0;
        if (i == 0 && n_q <= 8)
            bits &= ~(1u << (n_q - 1));
        for (; bits != 0; bits &= bits - 1, n++)
            if (n < room)
                out[n] = (planar_near){(int16_t)i, (int16_t)(8 * q + box_lowest_bit(bits))};
    }
    return n;
}

int KERNEL(planar_loop_near)(const planar_loop *l, float least, planar_near *out, int room)
{
    box whole[PLANAR_BLOCKS / 8];
    int n_eights = (l->n_blocks + 7) / 8, n = 0;
    for (int p = 0; n_eights > 3 && p < n_eights; p++)
        whole[p] = whole_simd8(l, p);
    for (int p = 0; p < n_eights; p++)
        for (int q = p; q < n_eights; q++)
            if (n_eights <= 3 || q <= p + 1 || !eights_are_apart(&whole[p], &whole[q], least, l->n_times)) {
                n += pair_eights(l, p, q, least, out + n, room - n);
                if (n > room)
                    return n;
            }
    return n;
}

#if KERNEL_ONCE

void planar_loop_project(planar_loop *l, const vec3 *x0, const vec3 *x1, vec3 a, vec3 b)
{
    KERNEL_BEST(planar_loop_project)(l, x0, x1, a, b);
}

void planar_loop_bound(planar_loop *l, double least)
{
    KERNEL_BEST(planar_loop_bound)(l, least);
}

int planar_loop_near(const planar_loop *l, float least, planar_near *out, int room)
{
    return KERNEL_BEST(planar_loop_near)(l, least, out, room);
}

#endif
