/* SPDX-License-Identifier: MIT */
/* The kernel of box_row.h: a box of a row is a lane, and is compared with one of the other row. */
#include "math/box_row.h"

#include "math/kernel.h"
#include "math/lanes8.h"

/* A box, at the start and at the end of a way; the latter is not read where rows have no ends. */
typedef struct box_way {
    float lo[2][3], top[2][3];
} box_way;

/* How far eight boxes of a row, from i on, are beyond another along an axis, in the direction where they are so
 * farther; on a way, at the end where they are so less. */
LANE_INLINE lanes8 gap_along(const box_row *r, const box_row *end, int axis, int i, const box_way *b)
{
    lanes8 up = b->lo[0][axis] + lane8_load(&r->top[axis][i]);
    lanes8 down = b->top[0][axis] + lane8_load(&r->lo[axis][i]);
    if (end) {
        up = lane8_min(up, b->lo[1][axis] + lane8_load(&end->top[axis][i]));
        down = lane8_min(down, b->top[1][axis] + lane8_load(&end->lo[axis][i]));
    }
    return lane8_max(up, down);
}

/* How far eight boxes of a row are from one: > 0 apart, else by how much they overlap. */
LANE_INLINE lanes8 gaps_of(const box_row *r, const box_row *end, int i, const box_way *b)
{
    lanes8 x = gap_along(r, end, 0, i, b), y = gap_along(r, end, 1, i, b);
    return lane8_max(lane8_max(x, y), gap_along(r, end, 2, i, b));
}

/* Bits of the boxes first to first + n of a row that overlap a box; of those that do so by `slack`. */
LANE_INLINE uint32_t overlap_one(const box_row *r, const box_row *end, int first, int n, const box_way *b, float slack,
                                 uint32_t *sure)
{
    const lanes8 zero = lane8_all(0), least = lane8_all(-slack);
    uint32_t bits = 0, certain = 0;
    for (int i = 0; i < n; i += 8) {
        lanes8 gap = gaps_of(r, end, first + i, b);
        bits |= lane8_bits(lane8_not_above(gap, zero)) << i;
        certain |= lane8_bits(lane8_not_above(gap, least)) << i;
    }
    *sure = certain;
    return bits;
}

/* Box i of a row. */
LANE_INLINE box_way box_way_of(const box_row *r, const box_row *end, int i)
{
    box_way w;
    for (int k = 0; k < 3; k++) {
        w.lo[0][k] = r->lo[k][i];
        w.top[0][k] = r->top[k][i];
        w.lo[1][k] = end ? end->lo[k][i] : 0;
        w.top[1][k] = end ? end->top[k][i] : 0;
    }
    return w;
}

LANE_INLINE box_way box_way_of_whole(const box_side *s, const box_row *end)
{
    box_way w;
    for (int k = 0; k < 3; k++) {
        w.lo[0][k] = s->whole->lo[k];
        w.top[0][k] = s->whole->top[k];
        w.lo[1][k] = end ? s->whole_end->lo[k] : 0;
        w.top[1][k] = end ? s->whole_end->top[k] : 0;
    }
    return w;
}

LANE_INLINE void find_near_whole(const box_row *r, const box_row *end, const box_way *whole, uint32_t near[3])
{
    uint32_t sure;
    for (int kind = 0; kind < 3; kind++)
        near[kind] = overlap_one(r, end, r->start[kind], r->n[kind], whole, 0, &sure) & ((1u << r->n[kind]) - 1);
}

/* Those of p_bits of a kind of p with q_bits of a kind of q. */
LANE_INLINE void overlap_kinds(const box_row *p, const box_row *p_end, int p_kind, uint32_t p_bits, const box_row *q,
                               const box_row *q_end, int q_kind, uint32_t q_bits, float slack, uint32_t *hits,
                               uint32_t *sure)
{
    for (; p_bits != 0; p_bits &= p_bits - 1) {
        int i = box_lowest_bit(p_bits);
        const box_way b = box_way_of(p, p_end, p->start[p_kind] + i);
        hits[i] = overlap_one(q, q_end, q->start[q_kind], q->n[q_kind], &b, slack, &sure[i]) & q_bits;
    }
}

/* The ends are given apart, so that they are known to be NULL where they are. */
LANE_INLINE void overlap_rows(const box_side *s, const box_row *p_end, const box_side *t, const box_row *q_end,
                              float slack, box_overlaps *o)
{
    const box_row *p = s->row, *q = t->row;
    const box_way p_whole = box_way_of_whole(s, p_end), q_whole = box_way_of_whole(t, q_end);
    uint32_t faces[BOX_FACES], sure[BOX_FACES];
    find_near_whole(p, p_end, &q_whole, o->near_p);
    find_near_whole(q, q_end, &p_whole, o->near_q);
    o->faces = 0;
    overlap_kinds(p, p_end, 0, o->near_p[0], q, q_end, 0, o->near_q[0], 0, faces, sure);
    for (uint32_t left = o->near_p[0]; left != 0; left &= left - 1) {
        int i = box_lowest_bit(left);
        o->faces |= (uint64_t)faces[i] << BOX_FACES * i;
    }
    if (o->faces == 0)
        return;
    overlap_kinds(p, p_end, 1, o->near_p[1], q, q_end, 0, o->near_q[0], slack, o->hits[0], o->sure[0]);
    overlap_kinds(q, q_end, 1, o->near_q[1], p, p_end, 0, o->near_p[0], slack, o->hits[1], o->sure[1]);
    overlap_kinds(p, p_end, 2, o->near_p[2], q, q_end, 2, o->near_q[2], slack, o->hits[2], o->sure[2]);
}

void KERNEL(box_rows_overlap)(const box_side *p, const box_side *q, float slack, box_overlaps *o)
{
    if (p->end)
        overlap_rows(p, p->end, q, q->end, slack, o);
    else
        overlap_rows(p, NULL, q, NULL, slack, o);
}

#if KERNEL_ONCE
void box_rows_overlap(const box_side *p, const box_side *q, float slack, box_overlaps *o)
{
    KERNEL_BEST(box_rows_overlap)(p, q, slack, o);
}
#endif
