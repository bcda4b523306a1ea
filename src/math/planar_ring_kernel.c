/* SPDX-License-Identifier: MIT */
/* The kernel of planar_ring.h. A turn is a matter of four lanes, the coordinates at both times; of long rings four
 * points are taken at a time. */
#include "math/planar_ring.h"

#include "math/kernel.h"
#include "math/lanes.h"
#include "math/params.h"

/* Whether from the way p0 p1 to the way q0 q1 is a left turn by more than `least`, all through the motion. */
LANE_INLINE bool is_left_turn(const planar_point p0, const planar_point p1, const planar_point q0,
                              const planar_point q1, double least)
{
    lanes v = lane_load(p1) - lane_load(p0), w = lane_load(q1) - lane_load(q0);
    /* y, x of the same time, and of the other: differences are the products of times 00, 01, 11, 10. */
    lanes same = __builtin_shufflevector(w, w, 1, 0, 3, 2), other = __builtin_shufflevector(same, same, 2, 3, 0, 1);
    lanes a = v * same, b = v * other;
    lanes cross = __builtin_shufflevector(a, b, 0, 4, 2, 6) - __builtin_shufflevector(a, b, 1, 5, 3, 7);
    lanes mixed = cross + __builtin_shufflevector(cross, cross, 2, 3, 0, 1);
    const lanes limit = {least, least + least, least, least + least};
    return lane_bits((lane_mask)(__builtin_shufflevector(cross, mixed, 0, 5, 2, 7) > limit)) == 15;
}

/* ---- dents ------------------------------------------------------------------------------------------------------- */

LANE_INLINE bool edge_goes_left(const planar_ring *r, int a, int b, double least)
{
    return is_left_turn(r->middle, r->at[a], r->middle, r->at[b], least);
}

/* The ring turns right at b. */
LANE_INLINE bool is_dent(const planar_ring *r, int a, int b, int c, double least)
{
    return is_left_turn(r->at[b], r->at[c], r->at[a], r->at[b], least);
}

static inline int goes_up(const planar_ring *r, int a, int b)
{
    return (r->at[a][1] < r->middle[1]) & !(r->at[b][1] < r->middle[1]);
}

static inline void leave_out(planar_ring *r, int i)
{
    int a = r->past[i], b = r->next[i];
    r->n_up += goes_up(r, a, b) - goes_up(r, a, i) - goes_up(r, i, b);
    r->next[a] = (int16_t)b;
    r->past[b] = (int16_t)a;
    r->next[i] = -1;
}

/* Leaves out points at either end of an edge until it turns left about the middle. */
LANE_INLINE bool straighten_edge(planar_ring *r, int a, int b, double least)
{
    do {
        int before = r->past[a], after = r->next[b];
        if (before == after)
            return false;
        if (is_dent(r, before, a, b, least)) {
            leave_out(r, a);
            a = before;
        } else if (is_dent(r, a, b, after, least)) {
            leave_out(r, b);
            b = after;
        } else
            return false;
    } while (!edge_goes_left(r, a, b, least));
    return true;
}

static void link_all(planar_ring *r)
{
    for (int i = 0; i < r->n; i++) {
        r->next[i] = (int16_t)(i + 1);
        r->past[i] = (int16_t)(i - 1);
    }
    r->next[r->n - 1] = 0;
    r->past[0] = (int16_t)(r->n - 1);
}

/* Dents where edges do not turn left about the middle. */
LANE_INLINE bool fill_some(planar_ring *r, double least)
{
    for (int k = 0; k < r->n_bent; k++) {
        int a = r->bent[k], b = a + 1 < r->n ? a + 1 : 0;
        if (r->next[a] == b && !straighten_edge(r, a, b, least))
            return false;
    }
    return r->n_up == 1;
}

/* Dents wherever they are; a point of what is left. */
LANE_INLINE int fill_all(planar_ring *r, double least)
{
    int i = r->n - 1;
    while (r->next[i] < 0)
        i--;
    for (int to_go = r->n; to_go > 0;) {
        int before = r->past[i], after = r->next[i];
        if (before == after)
            return i;
        if (is_dent(r, before, i, after, least)) {
            leave_out(r, i);
            i = before;
            to_go += to_go < r->n;
        } else {
            i = after;
            to_go--;
        }
    }
    return i;
}

/* Whether the points that are left, `first` among them, are a star about their middle. */
LANE_INLINE bool ring_is_star(planar_ring *r, int first, double least)
{
    planar_point sum = {0, 0, 0, 0};
    int n = 0, i = first;
    do {
        for (int c = 0; c < 4; c++)
            sum[c] += r->at[i][c];
        n++;
        i = r->next[i];
    } while (i != first);
    for (int c = 0; c < 4; c++)
        r->middle[c] = sum[c] / n;
    r->n_up = 0;
    do {
        r->n_up += goes_up(r, i, r->next[i]);
        if (!edge_goes_left(r, i, r->next[i], least))
            return false;
        i = r->next[i];
    } while (i != first);
    return n >= 3 && r->n_up == 1;
}

/* ---- points ------------------------------------------------------------------------------------------------------ */

static void close_ring(planar_ring *r)
{
    memcpy(r->at + r->n, r->at, 2 * sizeof *r->at);
}

static void find_middle(planar_ring *r)
{
    planar_point sum = {0, 0, 0, 0};
    for (int i = 0; i < r->n; i++)
        for (int c = 0; c < 4; c++)
            sum[c] += r->at[i][c];
    for (int c = 0; c < 4; c++)
        r->middle[c] = sum[c] / r->n;
}

LANE_INLINE void place_short(planar_ring *r, const vec3 *x0, const vec3 *x1, vec3 a, vec3 b)
{
    const lanes u = {a.x, b.x, a.x, b.x}, v = {a.y, b.y, a.y, b.y}, w = {a.z, b.z, a.z, b.z};
    const vec3 *second = x1 ? x1 : x0;
    for (int i = 0; i < r->n; i++) {
        vec3 p = x0[r->node[i]], q = second[r->node[i]];
        lane_store(r->at[i],
                   u * (lanes){p.x, p.x, q.x, q.x} + v * (lanes){p.y, p.y, q.y, q.y} + w * (lanes){p.z, p.z, q.z, q.z});
    }
    close_ring(r);
    find_middle(r);
}

/* ---- points of long rings: coordinates in rows, four points at a time -------------------------------------------- */

typedef struct ring_rows {
    int n;
    double at[4][PLANAR_RING + 128]; /* behind the last point stand the first eight again; no row begins where a page
                                        of another does */
} ring_rows;

/* x, y, z and any. Not by a masked load: those that miss the caches wait for each other. */
LANE_INLINE lanes load_place(const vec3 *x)
{
    return (lanes){x->x, x->y, x->z, 0};
}

LANE_INLINE void project_rows(ring_rows *p, const int32_t *node, const vec3 *x, vec3 a, vec3 b, int c)
{
    for (int i = 0; i < p->n; i += 4) {
        lanes at[4], column[4];
        for (int k = 0; k < 4; k++) {
            at[k] = load_place(&x[node[i + k < p->n ? i + k : 0]]);
            lane_fetch(&x[node[i + k + PLANAR_RING_AHEAD < p->n ? i + k + PLANAR_RING_AHEAD : 0]]);
        }
        lane_transpose(at[0], at[1], at[2], at[3], column);
        lane_store(&p->at[c][i], a.x * column[0] + a.y * column[1] + a.z * column[2]);
        lane_store(&p->at[c + 1][i], b.x * column[0] + b.y * column[1] + b.z * column[2]);
    }
}

LANE_INLINE void close_rows(ring_rows *p, int n_times)
{
    for (int c = 0; c < 2 * n_times; c++) {
        lane_store(&p->at[c][p->n], lane_load(&p->at[c][0]));
        lane_store(&p->at[c][p->n + 4], lane_load(&p->at[c][4]));
    }
}

LANE_INLINE lanes cross_simd4(const lanes *v, const lanes *w)
{
    return v[0] * w[1] - v[1] * w[0];
}

/* Bits of those of four turns that are left, at one time or all through the motion. */
LANE_INLINE unsigned left_turns(const lanes *v, const lanes *w, int n_times, lanes least)
{
    lane_mask left = (lane_mask)(cross_simd4(v, w) > least);
    if (n_times == 2) {
        left &= (lane_mask)(cross_simd4(v + 2, w + 2) > least);
        left &= (lane_mask)(cross_simd4(v, w + 2) + cross_simd4(v + 2, w) > least + least);
    }
    return lane_bits(left);
}

/* Leaves out dents, of several in a row the first; how many. The ring begins with its second point then, which stays.
 * Points are moved to places that have been read. */
LANE_INLINE int thin_rows(ring_rows *p, int n_times, double margin)
{
    const lanes least = lane_all(margin);
    int n = 0, n_before = p->n;
    unsigned past = 1;
    for (int i = 0; i < n_before; i += 4) {
        unsigned used = n_before - i < 4 ? (1u << (n_before - i)) - 1 : 15;
        lanes at[4], to[4], on[4];
        for (int c = 0; c < 2 * n_times; c++) {
            at[c] = lane_load(&p->at[c][i + 1]);
            to[c] = at[c] - lane_load(&p->at[c][i]);
            on[c] = lane_load(&p->at[c][i + 2]) - at[c];
        }
        unsigned dents = left_turns(on, to, n_times, least), kept = used & ~(dents & ~(dents << 1 | past));
        past = dents >> 3;
        for (int c = 0; c < 2 * n_times; c++)
            lane_pack(&p->at[c][n], at[c], kept);
        n += lane_count(kept);
    }
    p->n = n;
    close_rows(p, n_times);
    return n_before - n;
}

LANE_INLINE void thin_long(ring_rows *p, int n_times, double least)
{
    close_rows(p, n_times);
    for (int k = 0; k < PLANAR_RING_ROUNDS && PLANAR_RING_WORTH * thin_rows(p, n_times, least) > p->n; k++)
        ;
}

static void place_long(planar_ring *r, const vec3 *x0, const vec3 *x1, vec3 a, vec3 b, double least)
{
    ring_rows p;
    int second = x1 ? 2 : 0;
    p.n = r->n;
    project_rows(&p, r->node, x0, a, b, 0);
    if (x1) {
        project_rows(&p, r->node, x1, a, b, 2);
        thin_long(&p, 2, least);
    } else
        thin_long(&p, 1, least);
    r->n = p.n;
    for (int i = 0; i < r->n; i++)
        lane_store(r->at[i], (lanes){p.at[0][i], p.at[1][i], p.at[second][i], p.at[second + 1][i]});
    close_ring(r);
    find_middle(r);
}

/* Points, thinned if there are many, and their middle. */
LANE_INLINE void place_points(planar_ring *r, const vec3 *x0, const vec3 *x1, vec3 a, vec3 b, double least)
{
    if (r->n > PLANAR_RING_LONG)
        place_long(r, x0, x1, a, b, least);
    else
        place_short(r, x0, x1, a, b);
}

/* ---- all of it --------------------------------------------------------------------------------------------------- */

LANE_INLINE void look_round(planar_ring *r, double least)
{
    r->n_up = r->n_bent = 0;
    for (int i = 0; i < r->n; i++) {
        r->n_up += goes_up(r, i, i + 1);
        r->bent[r->n_bent] = (int16_t)i;
        r->n_bent += !edge_goes_left(r, i, i + 1, least) & (r->n_bent < PLANAR_BENT);
    }
}

bool KERNEL(planar_ring_is_simple)(planar_ring *r, const vec3 *x0, const vec3 *x1, vec3 a, vec3 b, double least)
{
    place_points(r, x0, x1, a, b, least);
    look_round(r, least);
    if (r->n_bent == 0)
        return r->n_up == 1;
    if (r->n < 3 || r->n_bent == PLANAR_BENT)
        return false;
    link_all(r);
    return fill_some(r, least) || ring_is_star(r, fill_all(r, least), least);
}

#if KERNEL_ONCE
bool planar_ring_is_simple(planar_ring *r, const vec3 *x0, const vec3 *x1, vec3 a, vec3 b, double least)
{
    return KERNEL_BEST(planar_ring_is_simple)(r, x0, x1, a, b, least);
}
#endif
