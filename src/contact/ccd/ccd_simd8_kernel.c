/* SPDX-License-Identifier: MIT */
/* The kernel of ccd_simd8.h: a pair is a lane.
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
#include "contact/ccd/ccd_simd8.h"

#include "contact/params.h"
#include "math/kernel.h"
#include "math/lanes8.h"

static const float plane_error = 32 * 0x1p-24f, side_error = 256 * 0x1p-24f, volume_error = 512 * 0x1p-24f;
static const float least = 0x1p-120f;
/* Room for spans: those of a block, and eight for each time that one is cut, and some. More are left open. */
enum { SPANS = CCD_BLOCK + 128 };

/* ---- eight pairs ------------------------------------------------------------------------------------------------- */

typedef struct eight {
    lanes8_3 w0[4], w1[4]; /* corners of polygons at both ends */
    lanes8 margin;         /* that a product with a unit vector is to exceed: thickness and errors */
} eight;

/* One corner of eight pairs at both ends. */
LANE_INLINE void load_corner(const ccd_block *b, const int16_t pair[8], int k, lanes8_3 *x0, lanes8_3 *x1)
{
    lanes8 row[8];
    LANE_UNROLL
    for (int i = 0; i < 8; i++)
        row[i] = lane8_load(b->list->places[b->node[pair[i]][k]].at);
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
    /* |n| of a unit vector is at most √3; it may be longer by 5u, and this rounded by as much. */
    out->margin = lane8_all((1.7321f * plane_error + b->list->thickness) * (1 + 0x1p-20f) + least);
}

/* ---- views ------------------------------------------------------------------------------------------------------- */

typedef struct simd8_view {
    lanes8_3 w[4], n;
} simd8_view;

LANE_INLINE lanes8 clamp01(lanes8 a)
{
    return lane8_max(lane8_min(a, lane8_all(1)), lane8_all(0));
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

LANE_INLINE void place_at(const eight *e, int n, lanes8 t, lanes8_3 w[4])
{
    LANE_UNROLL
    for (int i = 0; i < n; i++)
        w[i] = along(e->w0[i], t, l83_sub(e->w1[i], e->w0[i]));
}

/* Of length 1 but for 5u, or 0: where its square might have lost digits. */
LANE_INLINE lanes8_3 unit_or_none(lanes8_3 d)
{
    lanes8 square = l83_dot(d, d), scale = lane8_all(1) / lane8_sqrt(square);
    lane8_mask is_fine = (lane8_mask)(square > lane8_all(0x1p-100f));
    return l83_scale((lanes8)(is_fine & (lane8_mask)scale), d);
}

LANE_INLINE void look(const eight *e, int n, lanes8 t, simd8_view *out)
{
    place_at(e, n, t, out->w);
    lanes8_3 w = out->w[0], u = l83_sub(out->w[1], w), v = l83_sub(out->w[n - 1], w), normal = l83_cross(u, v);
    normal = l83_turn(normal, l83_dot(normal, w));
    lanes8_3 d = n == 3 ? toward_triangle(w, u, v, normal) : toward_square(w, u, v, normal);
    out->n = unit_or_none(d);
}

/* ---- proofs ------------------------------------------------------------------------------------------------------ */

/* All corners are in front. */
LANE_INLINE lane8_mask in_front(const lanes8_3 w[4], int n, lanes8_3 normal, lanes8 margin)
{
    lanes8 nearest = l83_dot(normal, w[0]);
    LANE_UNROLL
    for (int i = 1; i < n; i++)
        nearest = lane8_min(nearest, l83_dot(normal, w[i]));
    return (lane8_mask)(nearest > margin);
}

/* No contact between the times of the two, both of which are clear. */
LANE_INLINE lane8_mask is_between(const eight *e, int n, const simd8_view *a, const simd8_view *b)
{
    lanes8 p = l83_dot(a->n, b->w[0]), q = l83_dot(b->n, a->w[0]), both = p + q;
    LANE_UNROLL
    for (int i = 1; i < n; i++) {
        lanes8 pi = l83_dot(a->n, b->w[i]), qi = l83_dot(b->n, a->w[i]);
        p = lane8_min(p, pi);
        q = lane8_min(q, qi);
        both = lane8_min(both, pi + qi);
    }
    return (lane8_mask)(lane8_max(p, q) > e->margin) | (lane8_mask)(both > e->margin + e->margin);
}

LANE_INLINE unsigned covered_by_one(const eight *e, int n)
{
    simd8_view half;
    look(e, n, lane8_all(0.5f), &half);
    return lane8_bits(in_front(e->w0, n, half.n, e->margin) & in_front(e->w1, n, half.n, e->margin));
}

LANE_INLINE lanes8 largest(const lanes8_3 w[4], int n)
{
    lanes8 most = lane8_all(0);
    LANE_UNROLL
    for (int i = 0; i < n; i++)
        most = lane8_max(most, lane8_max(lane8_abs(w[i].x), lane8_max(lane8_abs(w[i].y), lane8_abs(w[i].z))));
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

/* A time when they are coplanar, between two with opposite signs: by secants, or anything. */
LANE_INLINE lanes8 coplanar_time(const eight *e, int n, lanes8 from, lanes8 to)
{
    lanes8_3 w[4];
    lanes8 t = from, half = lane8_all(0.5f), none = lane8_all(0);
    place_at(e, n, from, w);
    lanes8 before = volume(w, n);
    place_at(e, n, to, w);
    lanes8 after = volume(w, n);
    for (int i = 0; i < CCD_ROOT_STEPS; i++) {
        t = from + (to - from) * (before / (before - after));
        place_at(e, n, t, w);
        lanes8 here = volume(w, n);
        /* Illinois: what stays counts half. */
        lane8_mask first = (lane8_mask)(here * before > none);
        from = lane8_select(first, t, from);
        to = lane8_select(first, to, t);
        lanes8 b = lane8_select(first, here, before * half);
        after = lane8_select(first, after * half, here);
        before = b;
    }
    return clamp01(t);
}

/* Between two times, seen along m. */
LANE_INLINE lane8_mask passes_between(const eight *e, int n, lanes8 from, lanes8 to, lanes8_3 m)
{
    eight part;
    place_at(e, n, from, part.w0);
    place_at(e, n, to, part.w1);
    lanes8 size = lane8_max(largest(part.w0, n), largest(part.w1, n));
    lanes8 margin = lane8_all(volume_error) * size * size + lane8_all(least);
    lanes8 before = volume(part.w0, n), after = volume(part.w1, n);
    lane8_mask in = (lane8_mask)(before > margin) & (lane8_mask)(after < -margin);
    lane8_mask out = (lane8_mask)(before < -margin) & (lane8_mask)(after > margin);
    return (in | out) & goes_round(&part, n, m, size);
}

/* How fast the volume changes. */
LANE_INLINE lanes8 volume_rate(const eight *e, int n, const lanes8_3 w[4])
{
    lanes8_3 d0 = l83_sub(e->w1[0], e->w0[0]), d1 = l83_sub(e->w1[1], e->w0[1]);
    lanes8_3 d2 = l83_sub(e->w1[n - 1], e->w0[n - 1]);
    return l83_dot(d0, l83_cross(w[1], w[n - 1])) +
           l83_dot(w[0], l83_add(l83_cross(d1, w[n - 1]), l83_cross(w[1], d2)));
}

/* In a short time about one between those given when they are coplanar, seen along the normal at that time: as short as
 * the side of the plane can be told at both ends, for the outline is not to come near. */
LANE_INLINE unsigned passes_through(const eight *e, int n, lanes8 from, lanes8 to)
{
    lanes8 none = lane8_all(0), one = lane8_all(1), t = coplanar_time(e, n, from, to);
    lanes8_3 w[4];
    place_at(e, n, t, w);
    lanes8_3 normal = l83_cross(l83_sub(w[1], w[0]), l83_sub(w[n - 1], w[0]));
    lanes8 size = largest(w, n), rate = volume_rate(e, n, w);
    lanes8 around = lane8_all(CCD_WINDOW * volume_error) * size * size / lane8_abs(rate);
    t = clamp01(t - volume(w, n) / rate);
    around = lane8_max(lane8_min(around, lane8_all(CCD_WINDOW_MOST)), lane8_all(CCD_WINDOW_LEAST));
    return lane8_bits(passes_between(e, n, lane8_max(t - around, none), lane8_min(t + around, one), normal));
}

/* ---- spans of time ----------------------------------------------------------------------------------------------- */

/* What is left to prove, of pairs and spans of time: that there is no contact, or that there is one. The newest go
 * first, so that there are few. */
typedef struct spans {
    int n;
    int32_t tag[SPANS]; /* 2 · pair, + 1 if there is nothing left but to look for a contact */
    float from[SPANS], to[SPANS];
} spans;

typedef struct simd8_spans {
    eight e;
    lane8_mask tag;
    lanes8 from, to;
    unsigned live; /* bits of lanes that count: of pairs that are not told yet */
} simd8_spans;

/* A contact stays one, whatever else is open. */
LANE_INLINE void tell(ccd_block *b, lane8_mask tag, unsigned which, ccd_verdict verdict)
{
    for (int k = 0; k < 8; k++)
        if (which >> k & 1 && b->verdict[tag[k] / 2] != CCD_MEET)
            b->verdict[tag[k] / 2] = (uint8_t)verdict;
}

/* None; a first take of fewer than eight has lanes that hold a pair all the same. */
LANE_INLINE void clear(spans *l)
{
    l->n = 0;
    for (int k = 0; k < 8; k++) {
        l->tag[k] = 0;
        l->from[k] = l->to[k] = 0;
    }
}

/* Adds some of eight. */
LANE_INLINE void put(ccd_block *b, spans *l, unsigned which, lane8_mask tag, lanes8 from, lanes8 to)
{
    if (l->n + 8 > SPANS) {
        tell(b, tag, which, CCD_OPEN);
        return;
    }
    lane8_pack((float *)(l->tag + l->n), (lanes8)tag, which);
    lane8_pack(l->from + l->n, from, which);
    lane8_pack(l->to + l->n, to, which);
    l->n += lane8_count(which);
}

/* Takes the last eight; where there are fewer, the other lanes hold what was there before and do not count. */
LANE_INLINE void take(const ccd_block *b, spans *l, int n, simd8_spans *out)
{
    int32_t tag[8];
    int16_t pair[8];
    int first = l->n < 8 ? 0 : l->n - 8;
    unsigned told = 0;
    memcpy(tag, l->tag + first, sizeof tag);
    LANE_UNROLL
    for (int k = 0; k < 8; k++) {
        pair[k] = (int16_t)(tag[k] / 2);
        told |= (unsigned)(b->verdict[pair[k]] != CCD_APART) << k;
    }
    memcpy(&out->tag, l->tag + first, sizeof out->tag);
    out->from = lane8_load(l->from + first);
    out->to = lane8_load(l->to + first);
    out->live = ((1u << (l->n - first)) - 1) & ~told;
    l->n = first;
    load(b, pair, n, &out->e);
}

/* What a cut of spans tells, by bits: which halves are not covered; of these, at the ends of which the origin is not on
 * one side of the polygon's plane; and what is too near to be covered. */
typedef struct cuts {
    unsigned open[2], crossed[2], near;
} cuts;

LANE_INLINE void cut_simd8(const simd8_spans *s, int n, cuts *out)
{
    simd8_view a, m, b;
    lanes8 middle = lane8_all(0.5f) * (s->from + s->to), none = lane8_all(0);
    look(&s->e, n, s->from, &a);
    look(&s->e, n, middle, &m);
    look(&s->e, n, s->to, &b);
    lanes8 margin = s->e.margin;
    lane8_mask clear = in_front(a.w, n, a.n, margin) & in_front(m.w, n, m.n, margin) & in_front(b.w, n, b.n, margin);
    out->near = ~lane8_bits(clear);
    out->open[0] = ~lane8_bits(is_between(&s->e, n, &a, &m));
    out->open[1] = ~lane8_bits(is_between(&s->e, n, &m, &b));
    lanes8 va = volume(a.w, n), vm = volume(m.w, n), vb = volume(b.w, n);
    out->crossed[0] = lane8_bits((lane8_mask)(va * vm <= none));
    out->crossed[1] = lane8_bits((lane8_mask)(vm * vb <= none));
}

LANE_INLINE void cut_some(ccd_block *b, int n, spans *cut, spans *meet)
{
    simd8_spans s;
    cuts c;
    take(b, cut, n, &s);
    cut_simd8(&s, n, &c);
    lanes8 middle = lane8_all(0.5f) * (s.from + s.to);
    lane8_mask is_last = (lane8_mask)(middle - s.from <= lane8_all(b->list->shortest));
    unsigned near = s.live & c.near, last = lane8_bits(is_last);
    for (int h = 0; h < 2; h++) {
        unsigned open = s.live & ~near & c.open[h], seek = open & (last | c.crossed[h]);
        lanes8 from = h ? middle : s.from, to = h ? s.to : middle;
        put(b, cut, open & ~seek, s.tag, from, to);
        put(b, meet, seek, s.tag | (is_last & 1), from, to);
    }
    put(b, meet, near, s.tag | 1, s.from, s.to);
}

LANE_INLINE void meet_some(ccd_block *b, int n, spans *cut, spans *meet)
{
    simd8_spans s;
    take(b, meet, n, &s);
    unsigned proven = s.live & passes_through(&s.e, n, s.from, s.to), left = s.live & ~proven;
    unsigned last = lane8_bits((s.tag & 1) == 1);
    tell(b, s.tag, proven, CCD_MEET);
    tell(b, s.tag, left & last, CCD_OPEN);
    put(b, cut, left & ~last, s.tag, s.from, s.to);
}

/* ---- a block ----------------------------------------------------------------------------------------------------- */

/* Calls all pairs apart, and lists those that one plane does not part. */
LANE_INLINE void part_by_one(ccd_block *b, int n, spans *left)
{
    memset(b->verdict, CCD_APART, sizeof b->verdict);
    for (int i = 0; i < b->n; i += 8) {
        int16_t pair[8];
        int32_t tag[8]; /* of lanes beyond the last pair, too, one that there is: what take finds there is loaded */
        lane8_mask tags;
        eight e;
        int m = b->n - i < 8 ? b->n - i : 8;
        LANE_UNROLL
        for (int k = 0; k < 8; k++) {
            pair[k] = (int16_t)(i + (k < m ? k : 0));
            tag[k] = 2 * pair[k];
        }
        memcpy(&tags, tag, sizeof tags);
        load(b, pair, n, &e);
        unsigned open = ~covered_by_one(&e, n) & ((1u << m) - 1);
        put(b, left, open, tags, lane8_all(0), lane8_all(1));
    }
}

LANE_INLINE void judge(ccd_block *b, int n)
{
    spans cut, meet;
    clear(&cut);
    clear(&meet);
    part_by_one(b, n, &cut);
    while (cut.n > 0 || meet.n > 0)
        if (meet.n >= 8 || cut.n == 0)
            meet_some(b, n, &cut, &meet);
        else
            cut_some(b, n, &cut, &meet);
}

/* Of a primitive the least and largest coordinates, at both ends side by side. */
typedef struct bounds {
    lanes8 lo, hi;
} bounds;

LANE_INLINE bounds bounds_of(const weft_ccd_place *places, const int32_t *node, int n)
{
    lanes8 a = lane8_load(places[node[0]].at);
    bounds b = {a, a};
    LANE_UNROLL
    for (int k = 1; k < n; k++) {
        a = lane8_load(places[node[k]].at);
        b = (bounds){lane8_min(b.lo, a), lane8_max(b.hi, a)};
    }
    return b;
}

/* Along an axis, on one side at both ends. */
LANE_INLINE bool are_apart(bounds p, bounds q, lanes8 beyond)
{
    lanes8 start, end;
    lane8_halves(p.lo - q.hi, q.lo - p.hi, &start, &end);
    return lane8_bits((lane8_mask)(lane8_min(start, end) > beyond)) != 0;
}

/* Fills a block with pairs from `from` on that coordinates do not tell apart. Where it ends. */
LANE_INLINE int64_t sift(ccd_block *b, int64_t from, int n)
{
    const ccd_list l = *b->list;
    const int n_first = n == 3 ? 1 : 2, n_other = 4 - n_first;
    lanes8 beyond = lane8_all(l.thickness + plane_error);
    int left = 0;
    int64_t i = from;
    for (; i < l.n && left < CCD_BLOCK; i++) {
        const int32_t *pair = l.pairs + 2 * i;
        const int32_t *of_p = n == 3 ? pair : l.primitives + 2 * (int64_t)pair[0];
        const int32_t *of_q = l.primitives + n_other * (int64_t)pair[1];
        bounds p = bounds_of(l.places, of_p, n_first), q = bounds_of(l.places, of_q, n_other);
        memcpy(b->node[left], of_p, (size_t)n_first * sizeof *of_p);
        memcpy(b->node[left] + n_first, of_q, (size_t)n_other * sizeof *of_q);
        b->pair[left] = i;
        left += !are_apart(p, q, beyond);
    }
    b->n = left;
    return i;
}

static int64_t sift_triangles(ccd_block *b, int64_t from)
{
    return sift(b, from, 3);
}

static int64_t sift_edges(ccd_block *b, int64_t from)
{
    return sift(b, from, 4);
}

static void judge_triangles(ccd_block *b)
{
    judge(b, 3);
}

static void judge_edges(ccd_block *b)
{
    judge(b, 4);
}

const ccd_simd8 KERNEL(ccd_simd8) = {{sift_triangles, sift_edges}, {judge_triangles, judge_edges}};

#if KERNEL_ONCE
const ccd_simd8 *ccd_simd8_best(void)
{
    return KERNEL_BEST(ccd_simd8);
}
#endif
