/* SPDX-License-Identifier: MIT */
/* Compiled plain and for AVX2; not a header in the usual sense.
 *
 * Proofs are those of ccd.c: planes that part two primitives, still or turning, through intervals that cover [0, 1].
 * And one of contact: seen along a direction m the polygon of differences w (ccd_view.h) holds the origin all the
 * time, since m · (w_i × w_j) has one sign for all its sides, by the Bernstein coefficients of these quadratics; and
 * the origin is in front of its plane at one end and behind at the other. Then it went through the polygon. Any two
 * times between 0 and 1 will do as ends.
 *
 * Errors, with u = 2^-24. All that is scaled is of magnitude up to 1.
 *  1. A place is off by u, a difference of two by 2u and its own rounding, 2u as it is up to 2: by 4u. At a time t
 *     between, roundings of w1 - w0, of t times that and of the sum add 4u, 4u and 2u: 14u.
 *  2. A product n · w then is off by 14u |n|, |n| being |x| + |y| + |z|, and by 3 roundings of terms that sum up to
 *     2 |n|: 20.1u |n|; a sum of two products by 2u more of both: 22.1u (|a| + |b|). 32u is asked for, so a distance of
 *     9u is left, where ccd.c finds a proof as well. `least` covers what underflows.
 *  3. Coordinates of a cross product of two w, the largest of all coordinates being W ≤ 2: two terms off by 28uW, three
 *     roundings of at most 2uW, 2uW and 4uW: 64.1uW. Of the sum of two: 2 · 64.1uW + 8uW < 137uW. m · that: 137uW |m|
 *     and 3 roundings of terms that sum up to 8W |m|: 162uW |m|. 256u is asked for.
 *  4. w_a · (w_b × w_c): 3W · 64.1uW, 14u · 6W² and 3 roundings of 6W³ ≤ 12W²: 313uW². 512u is asked for.
 * These are for times in [0, 1] as they are in floats, whatever made them. */
#include "contact/ccd_eight.h"
#include "math/lanes8.h"

static const float plane_error = 32 * 0x1p-24f, side_error = 256 * 0x1p-24f, volume_error = 512 * 0x1p-24f;
/* Tuned on a cloth on a ball: contacts that are proven, and what is not, cost least with these. */
enum { PARTS = 8, ROOT_STEPS = 6 };
static const float short_time[3] = {1.0f / 8, 1.0f / 24, 1.0f / 96};
static const float least = 0x1p-120f;

/* ---- eight pairs ------------------------------------------------------------------------------------------------- */

typedef struct eight {
    lanes8_3 w0[4], w1[4]; /* corners of polygons at both ends */
    lanes8 thickness;
} eight;

/* One corner of eight pairs at both ends. */
LANE_INLINE void load_corner(const ccd_block *b, const int16_t pair[8], int k, lanes8_3 *x0, lanes8_3 *x1)
{
    lanes8 row[8];
    LANE_UNROLL
    for (int i = 0; i < 8; i++)
        row[i] = lane8_load(b->places[b->node[pair[i]][k]].at);
    lanes8_3 low = lane8_columns(row[0], row[1], row[2], row[3]), high = lane8_columns(row[4], row[5], row[6], row[7]);
    lane8_halves(low.x, high.x, &x0->x, &x1->x);
    lane8_halves(low.y, high.y, &x0->y, &x1->y);
    lane8_halves(low.z, high.z, &x0->z, &x1->z);
}

LANE_INLINE void load(const ccd_block *b, const int16_t pair[8], int n, eight *out)
{
    static const int first[4] = {0, 1, 1, 0}, second[4] = {2, 2, 3, 3};
    lanes8_3 x0[4], x1[4];
    LANE_UNROLL
    for (int k = 0; k < 4; k++)
        load_corner(b, pair, k, &x0[k], &x1[k]);
    LANE_UNROLL
    for (int i = 0; i < n; i++) {
        int p = n == 3 ? 0 : first[i], q = n == 3 ? 1 + i : second[i];
        out->w0[i] = l83_sub(x0[p], x0[q]);
        out->w1[i] = l83_sub(x1[p], x1[q]);
    }
    out->thickness = lane8_all(b->thickness);
}

/* ---- views ------------------------------------------------------------------------------------------------------- */

typedef struct eight_view {
    lanes8_3 w[4], n;
    lanes8 margin;
} eight_view;

LANE_INLINE lanes8 clamp01(lanes8 a)
{
    lanes8 none = lane8_all(0), one = lane8_all(1);
    return lane8_select((lane8_mask)(a > none), lane8_select((lane8_mask)(a < one), a, one), none);
}

LANE_INLINE lanes8_3 along(lanes8_3 w, lanes8 s, lanes8_3 u)
{
    return l83_add(w, l83_scale(s, u));
}

/* The nearest point of w + s u + r v; where it is inside, the normal, which is more exact. */
LANE_INLINE lanes8_3 toward_square(lanes8_3 w, lanes8_3 u, lanes8_3 v, lanes8_3 normal)
{
    lanes8 a = l83_dot(u, u), b = l83_dot(u, v), e = l83_dot(v, v), c = l83_dot(u, w), f = l83_dot(v, w);
    lanes8 none = lane8_all(0), one = lane8_all(1);
    lanes8 s = clamp01((b * f - c * e) / (a * e - b * b)), r = clamp01(-(b * s + f) / e);
    s = clamp01(-(b * r + c) / a);
    lane8_mask inside = (lane8_mask)(s > none) & (lane8_mask)(s < one) & (lane8_mask)(r > none) & (lane8_mask)(r < one);
    return l83_select(inside, normal, along(along(w, s, u), r, v));
}

LANE_INLINE lanes8_3 nearer(lanes8_3 p, lanes8_3 q)
{
    return l83_select((lane8_mask)(l83_dot(p, p) < l83_dot(q, q)), p, q);
}

LANE_INLINE lanes8_3 toward_triangle(lanes8_3 w, lanes8_3 u, lanes8_3 v, lanes8_3 normal)
{
    lanes8 none = lane8_all(0), d1 = -l83_dot(u, w), d2 = -l83_dot(v, w);
    lanes8 a = l83_dot(u, u), b = l83_dot(u, v), e = l83_dot(v, v);
    lanes8 d3 = d1 - a, d4 = d2 - b, d5 = d1 - b, d6 = d2 - e;
    lanes8 along_u = d1 * d4 - d3 * d2, along_v = d5 * d2 - d1 * d6, across = d3 * d6 - d5 * d4;
    lanes8_3 third = along(along(w, lane8_all(1), u), clamp01((d4 - d3) / ((d4 - d3) + (d5 - d6))), l83_sub(v, u));
    lanes8_3 side = nearer(third, nearer(along(w, clamp01(d1 / a), u), along(w, clamp01(d2 / e), v)));
    lane8_mask inside = (lane8_mask)(along_u > none) & (lane8_mask)(along_v > none) & (lane8_mask)(across > none);
    return l83_select(inside, normal, side);
}

LANE_INLINE void look(const eight *e, int n, float t, eight_view *out)
{
    LANE_UNROLL
    for (int i = 0; i < n; i++)
        out->w[i] = along(e->w0[i], lane8_all(t), l83_sub(e->w1[i], e->w0[i]));
    lanes8_3 w = out->w[0], u = l83_sub(out->w[1], w), v = l83_sub(out->w[n - 1], w), normal = l83_cross(u, v);
    lanes8 none = lane8_all(0), one = lane8_all(1);
    normal = l83_scale(lane8_select((lane8_mask)(l83_dot(normal, w) < none), -one, one), normal);
    lanes8_3 d = n == 3 ? toward_triangle(w, u, v, normal) : toward_square(w, u, v, normal);
    out->n = l83_scale(one / lane8_sqrt(l83_dot(d, d)), d);
    /* Of length 1 but for a few u, unless squares underflow: then it is longer, or not a number. */
    lanes8 length = lane8_all(1 + 0x1p-20f) * lane8_sqrt(l83_dot(out->n, out->n));
    out->margin = lane8_all(plane_error) * l83_sum(out->n) + e->thickness * length + lane8_all(least);
}

/* ---- proofs ------------------------------------------------------------------------------------------------------ */

/* All corners are in front. */
LANE_INLINE lane8_mask in_front(const lanes8_3 w[4], int n, const eight_view *a)
{
    lane8_mask all = (lane8_mask)(l83_dot(a->n, w[0]) > a->margin);
    LANE_UNROLL
    for (int i = 1; i < n; i++)
        all &= (lane8_mask)(l83_dot(a->n, w[i]) > a->margin);
    return all;
}

LANE_INLINE lane8_mask is_apart_throughout(const eight *e, int n, const eight_view *a)
{
    return in_front(e->w0, n, a) & in_front(e->w1, n, a);
}

/* No contact between the times of the two, both of which are clear. */
LANE_INLINE lane8_mask is_between(int n, const eight_view *a, const eight_view *b)
{
    lanes8 margin = a->margin + b->margin;
    lane8_mask still_a = ~(lane8_mask){0}, still_b = still_a, turning = still_a;
    LANE_UNROLL
    for (int i = 0; i < n; i++) {
        lanes8 p = l83_dot(a->n, b->w[i]), q = l83_dot(b->n, a->w[i]);
        still_a &= (lane8_mask)(p > a->margin);
        still_b &= (lane8_mask)(q > b->margin);
        turning &= (lane8_mask)(p + q > margin);
    }
    return still_a | still_b | turning;
}

/* Planes at so many times and between. */
LANE_INLINE unsigned is_covered(const eight *e, int n, int n_parts)
{
    eight_view view[2];
    look(e, n, 0, &view[0]);
    lane8_mask all = in_front(view[0].w, n, &view[0]);
    for (int i = 1; i <= n_parts && lane8_bits(all); i++) {
        eight_view *to = &view[i % 2];
        look(e, n, (float)i / (float)n_parts, to);
        all &= in_front(to->w, n, to) & is_between(n, &view[(i - 1) % 2], to);
    }
    return lane8_bits(all);
}

LANE_INLINE unsigned covered_by_one(const eight *e, int n)
{
    eight_view half;
    look(e, n, 0.5f, &half);
    return lane8_bits(is_apart_throughout(e, n, &half));
}

LANE_INLINE unsigned covered_by_2(const eight *e, int n)
{
    return is_covered(e, n, 2);
}

LANE_INLINE unsigned covered_by_many(const eight *e, int n)
{
    return is_covered(e, n, PARTS);
}

LANE_INLINE lanes8 largest(const eight *e, int n)
{
    lanes8 most = lane8_all(0);
    LANE_UNROLL
    for (int i = 0; i < n; i++) {
        most = lane8_max(most, lane8_max(lane8_abs(e->w0[i].x), lane8_abs(e->w1[i].x)));
        most = lane8_max(most, lane8_max(lane8_abs(e->w0[i].y), lane8_abs(e->w1[i].y)));
        most = lane8_max(most, lane8_max(lane8_abs(e->w0[i].z), lane8_abs(e->w1[i].z)));
    }
    return most;
}

/* Seen along m the polygon goes round the origin all the time, one way. */
LANE_INLINE lane8_mask goes_round(const eight *e, int n, lanes8_3 m, lanes8 size)
{
    lanes8 margin = lane8_all(side_error) * size * l83_sum(m) + lane8_all(least);
    lane8_mask left = ~(lane8_mask){0}, right = left;
    LANE_UNROLL
    for (int i = 0; i < n; i++) {
        int j = i + 1 < n ? i + 1 : 0;
        lanes8 p0 = l83_dot(m, l83_cross(e->w0[i], e->w0[j])), p2 = l83_dot(m, l83_cross(e->w1[i], e->w1[j]));
        lanes8 p1 = l83_dot(m, l83_add(l83_cross(e->w0[i], e->w1[j]), l83_cross(e->w1[i], e->w0[j])));
        left &= (lane8_mask)(lane8_min(p0, lane8_min(p1, p2)) > margin);
        right &= (lane8_mask)(lane8_max(p0, lane8_max(p1, p2)) < -margin);
    }
    return left | right;
}

/* w_0 · (w_1 × w_last): which side of the polygon's plane the origin is on. */
LANE_INLINE lanes8 volume(const lanes8_3 w[4], int n)
{
    return l83_dot(w[0], l83_cross(w[1], w[n - 1]));
}

LANE_INLINE void place_at(const eight *e, int n, lanes8 t, lanes8_3 w[4])
{
    LANE_UNROLL
    for (int i = 0; i < n; i++)
        w[i] = along(e->w0[i], t, l83_sub(e->w1[i], e->w0[i]));
}

/* A time when they are coplanar, between two with opposite signs: by secants, or anything. */
LANE_INLINE lanes8 coplanar_time(const eight *e, int n, lanes8 before, lanes8 after)
{
    lanes8 from = lane8_all(0), to = lane8_all(1), t = from, half = lane8_all(0.5f);
    for (int i = 0; i < ROOT_STEPS; i++) {
        lanes8_3 w[4];
        t = from + (to - from) * (before / (before - after));
        place_at(e, n, t, w);
        lanes8 here = volume(w, n);
        /* Illinois: what stays counts half. */
        lane8_mask first = (lane8_mask)(here * before > lane8_all(0));
        from = lane8_select(first, t, from);
        to = lane8_select(first, to, t);
        lanes8 b = lane8_select(first, here, before * half);
        after = lane8_select(first, after * half, here);
        before = b;
    }
    return t;
}

/* Between two times, seen along m. */
LANE_INLINE lane8_mask passes_between(const eight *e, int n, lanes8 from, lanes8 to, lanes8_3 m)
{
    eight part;
    place_at(e, n, from, part.w0);
    place_at(e, n, to, part.w1);
    lanes8 size = largest(&part, n), margin = lane8_all(volume_error) * size * size + lane8_all(least);
    lanes8 before = volume(part.w0, n), after = volume(part.w1, n);
    lane8_mask in = (lane8_mask)(before > margin) & (lane8_mask)(after < -margin);
    lane8_mask out = (lane8_mask)(before < -margin) & (lane8_mask)(after > margin);
    return (in | out) & goes_round(&part, n, m, size);
}

/* In a short time about the one when they are coplanar, seen along the normal at that time; what moves slowly needs a
 * longer one, and what passes near its outline a shorter. */
LANE_INLINE unsigned passes_through(const eight *e, int n)
{
    lanes8 none = lane8_all(0), one = lane8_all(1);
    lanes8 t = clamp01(coplanar_time(e, n, volume(e->w0, n), volume(e->w1, n)));
    lanes8_3 w[4];
    place_at(e, n, t, w);
    lanes8_3 normal = l83_cross(l83_sub(w[1], w[0]), l83_sub(w[n - 1], w[0]));
    lane8_mask any = {0};
    for (int i = 0; i < 3; i++) {
        lanes8 around = lane8_all(short_time[i]);
        any |= passes_between(e, n, lane8_max(t - around, none), lane8_min(t + around, one), normal);
    }
    return lane8_bits(any);
}

/* ---- a block ----------------------------------------------------------------------------------------------------- */

typedef unsigned proof_fn(const eight *e, int n);

/* Gives the pairs of a list for which there is a proof their verdict, and leaves the others in it. */
LANE_INLINE int try_proof(ccd_block *b, int16_t *list, int n_list, int n, proof_fn *proof, ccd_verdict verdict)
{
    int kept = 0;
    for (int i = 0; i < n_list; i += 8) {
        int16_t pair[8];
        eight e;
        int m = n_list - i < 8 ? n_list - i : 8;
        LANE_UNROLL
        for (int k = 0; k < 8; k++)
            pair[k] = list[i + (k < m ? k : 0)];
        load(b, pair, n, &e);
        unsigned proven = proof(&e, n);
        for (int k = 0; k < m; k++) {
            b->verdict[pair[k]] = (uint8_t)(proven >> k & 1 ? verdict : CCD_OPEN);
            list[kept] = pair[k];
            kept += !(proven >> k & 1);
        }
    }
    return kept;
}

/* Bits of coordinates that are set at both ends. */
LANE_INLINE unsigned at_both_ends(lane8_mask m)
{
    unsigned bits = lane8_bits(m);
    return bits & bits >> 4;
}

/* By coordinates, one pair at a time but with both ends side by side. */
LANE_INLINE bool boxes_apart(const ccd_block *b, const int32_t node[4], int n, lanes8 beyond)
{
    lanes8 x[4];
    LANE_UNROLL
    for (int k = 0; k < 4; k++)
        x[k] = lane8_load(b->places[node[k]].at);
    lanes8 lo = n == 3 ? x[0] : lane8_min(x[0], x[1]), hi = n == 3 ? x[0] : lane8_max(x[0], x[1]);
    lanes8 other_lo = lane8_min(x[2], x[3]), other_hi = lane8_max(x[2], x[3]);
    other_lo = n == 3 ? lane8_min(x[1], other_lo) : other_lo;
    other_hi = n == 3 ? lane8_max(x[1], other_hi) : other_hi;
    return (at_both_ends((lane8_mask)(lo - other_hi > beyond)) | at_both_ends((lane8_mask)(other_lo - hi > beyond))) !=
           0;
}

LANE_INLINE void judge(ccd_block *b, int n)
{
    int16_t list[CCD_BLOCK];
    int left = 0;
    lanes8 beyond = lane8_all(b->thickness + plane_error);
    for (int i = 0; i < b->n; i++) {
        bool apart = boxes_apart(b, b->node[i], n, beyond);
        b->verdict[i] = CCD_APART;
        list[left] = (int16_t)i;
        left += !apart;
    }
    left = try_proof(b, list, left, n, covered_by_one, CCD_APART);
    left = try_proof(b, list, left, n, covered_by_2, CCD_APART);
    left = try_proof(b, list, left, n, passes_through, CCD_MEET);
    try_proof(b, list, left, n, covered_by_many, CCD_APART);
}

static void triangles(ccd_block *b)
{
    judge(b, 3);
}

static void edges(ccd_block *b)
{
    judge(b, 4);
}
