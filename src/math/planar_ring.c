/* SPDX-License-Identifier: MIT */
#include "math/planar_ring.h"

#include <string.h>

#if defined(__GNUC__) && defined(__x86_64__)
#define WITH_AVX2 1
#include <immintrin.h>
#else
#define WITH_AVX2 0
#endif

#if defined(__GNUC__)
#define TEMPLATE static inline __attribute__((always_inline))
#else
#define TEMPLATE static inline
#endif

enum {
    LONG = 48,  /* rings of more points are thinned … */
    ROUNDS = 8, /* … so often at most, and as long as … */
    WORTH = 16, /* … one of so many points is left out */
    AHEAD = 32, /* points: nodes of a contour lie far apart in memory, and a long one is read once */
};

/* Whether from the way p0 p1 to the way q0 q1 is a left turn by more than `least`, all through the motion. */
typedef bool left_fn(const planar_point p0, const planar_point p1, const planar_point q0, const planar_point q1,
                     double least);
/* Points, thinned if there are many, and their middle. */
typedef void place_fn(planar_ring *r, const vec3 *x0, const vec3 *x1, vec3 a, vec3 b, double least);

/* ---- dents ------------------------------------------------------------------------------------------------------- */

TEMPLATE bool edge_goes_left(left_fn *left, const planar_ring *r, int a, int b, double least)
{
    return left(r->middle, r->at[a], r->middle, r->at[b], least);
}

/* The ring turns right at b. */
TEMPLATE bool is_dent(left_fn *left, const planar_ring *r, int a, int b, int c, double least)
{
    return left(r->at[b], r->at[c], r->at[a], r->at[b], least);
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
TEMPLATE bool straighten(left_fn *left, planar_ring *r, int a, int b, double least)
{
    do {
        int before = r->past[a], after = r->next[b];
        if (before == after)
            return false;
        if (is_dent(left, r, before, a, b, least)) {
            leave_out(r, a);
            a = before;
        } else if (is_dent(left, r, a, b, after, least)) {
            leave_out(r, b);
            b = after;
        } else
            return false;
    } while (!edge_goes_left(left, r, a, b, least));
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
TEMPLATE bool fill_some(left_fn *left, planar_ring *r, double least)
{
    for (int k = 0; k < r->n_bent; k++) {
        int a = r->bent[k], b = a + 1 < r->n ? a + 1 : 0;
        if (r->next[a] == b && !straighten(left, r, a, b, least))
            return false;
    }
    return r->n_up == 1;
}

/* Dents wherever they are; a point of what is left. */
TEMPLATE int fill_all(left_fn *left, planar_ring *r, double least)
{
    int i = r->n - 1;
    while (r->next[i] < 0)
        i--;
    for (int to_go = r->n; to_go > 0;) {
        int before = r->past[i], after = r->next[i];
        if (before == after)
            return i;
        if (is_dent(left, r, before, i, after, least)) {
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
TEMPLATE bool is_star(left_fn *left, planar_ring *r, int first, double least)
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
        if (!edge_goes_left(left, r, i, r->next[i], least))
            return false;
        i = r->next[i];
    } while (i != first);
    return n >= 3 && r->n_up == 1;
}

/* ---- points in a row --------------------------------------------------------------------------------------------- */

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

TEMPLATE void look_round(left_fn *left, planar_ring *r, double least)
{
    r->n_up = r->n_bent = 0;
    for (int i = 0; i < r->n; i++) {
        r->n_up += goes_up(r, i, i + 1);
        r->bent[r->n_bent] = (int16_t)i;
        r->n_bent += !edge_goes_left(left, r, i, i + 1, least) & (r->n_bent < PLANAR_BENT);
    }
}

TEMPLATE bool is_simple(left_fn *left, place_fn *place, planar_ring *r, const vec3 *x0, const vec3 *x1, vec3 a, vec3 b,
                        double least)
{
    place(r, x0, x1, a, b, least);
    look_round(left, r, least);
    if (r->n_bent == 0)
        return r->n_up == 1;
    if (r->n < 3 || r->n_bent == PLANAR_BENT)
        return false;
    link_all(r);
    return fill_some(left, r, least) || is_star(left, r, fill_all(left, r, least), least);
}

/* ---- plain ------------------------------------------------------------------------------------------------------- */

static inline double cross_at(const double v[2], const double w[2])
{
    return v[0] * w[1] - v[1] * w[0];
}

TEMPLATE bool left_plain(const planar_point p0, const planar_point p1, const planar_point q0, const planar_point q1,
                         double least)
{
    planar_point v, w;
    for (int c = 0; c < 4; c++) {
        v[c] = p1[c] - p0[c];
        w[c] = q1[c] - q0[c];
    }
    return cross_at(v, w) > least && cross_at(v + 2, w + 2) > least &&
           cross_at(v, w + 2) + cross_at(v + 2, w) > least + least;
}

static inline double along(vec3 a, vec3 x)
{
    return a.x * x.x + a.y * x.y + a.z * x.z;
}

/* Leaves out dents, of several in a row the first; how many. The ring begins with its second point then, which stays.
 * Points are moved to places that have been read. */
static int thin_plain(planar_ring *r, double least)
{
    int n = 0, n_before = r->n;
    bool past = true;
    for (int i = 0; i < n_before; i++) {
        bool dent = is_dent(left_plain, r, i, i + 1, i + 2, least);
        memmove(r->at[n], r->at[i + 1], sizeof *r->at);
        n += !dent | past;
        past = dent;
    }
    r->n = n;
    close_ring(r);
    return n_before - n;
}

TEMPLATE void place_plain(planar_ring *r, const vec3 *x0, const vec3 *x1, vec3 a, vec3 b, double least)
{
    const vec3 *second = x1 ? x1 : x0;
    for (int i = 0; i < r->n; i++) {
        vec3 p = x0[r->node[i]], q = second[r->node[i]];
        planar_point at = {along(a, p), along(b, p), along(a, q), along(b, q)};
        memcpy(r->at[i], at, sizeof at);
    }
    close_ring(r);
    bool is_long = r->n > LONG;
    for (int k = 0; is_long && k < ROUNDS && WORTH * thin_plain(r, least) > r->n; k++)
        ;
    find_middle(r);
}

bool planar_ring_is_simple_plain(planar_ring *r, const vec3 *x0, const vec3 *x1, vec3 a, vec3 b, double least)
{
    return is_simple(left_plain, place_plain, r, x0, x1, a, b, least);
}

/* ---- AVX2 -------------------------------------------------------------------------------------------------------- */

#if WITH_AVX2

#define AVX2 __attribute__((target("avx2")))

AVX2 static inline bool left_avx2(const planar_point p0, const planar_point p1, const planar_point q0,
                                  const planar_point q1, double least)
{
    __m256d v = _mm256_sub_pd(_mm256_loadu_pd(p1), _mm256_loadu_pd(p0));
    __m256d w = _mm256_sub_pd(_mm256_loadu_pd(q1), _mm256_loadu_pd(q0));
    /* y, x of the same time, and of the other: differences are the products of times 00, 01, 11, 10. */
    __m256d same = _mm256_permute_pd(w, 5), other = _mm256_permute2f128_pd(same, same, 1);
    __m256d cross = _mm256_hsub_pd(_mm256_mul_pd(v, same), _mm256_mul_pd(v, other));
    __m256d mixed = _mm256_add_pd(cross, _mm256_permute2f128_pd(cross, cross, 1));
    __m256d limit = _mm256_setr_pd(least, least + least, least, least + least);
    return _mm256_movemask_pd(_mm256_cmp_pd(_mm256_blend_pd(cross, mixed, 10), limit, _CMP_GT_OQ)) == 15;
}

/* A coordinate at both times, each twice. */
AVX2 static inline __m256d both_times(const double *first, const double *second)
{
    return _mm256_blend_pd(_mm256_broadcast_sd(first), _mm256_broadcast_sd(second), 12);
}

AVX2 static inline void project_avx2(planar_ring *r, const vec3 *x0, const vec3 *x1, vec3 a, vec3 b)
{
    const __m256d u = _mm256_setr_pd(a.x, b.x, a.x, b.x), v = _mm256_setr_pd(a.y, b.y, a.y, b.y),
                  w = _mm256_setr_pd(a.z, b.z, a.z, b.z);
    const vec3 *second = x1 ? x1 : x0;
    __m256d sum = _mm256_setzero_pd();
    for (int i = 0; i < r->n; i++) {
        const vec3 *p = &x0[r->node[i]], *q = &second[r->node[i]];
        __m256d at = _mm256_add_pd(
            _mm256_add_pd(_mm256_mul_pd(u, both_times(&p->x, &q->x)), _mm256_mul_pd(v, both_times(&p->y, &q->y))),
            _mm256_mul_pd(w, both_times(&p->z, &q->z)));
        _mm256_storeu_pd(r->at[i], at);
        sum = _mm256_add_pd(sum, at);
    }
    close_ring(r);
    _mm256_storeu_pd(r->middle, _mm256_div_pd(sum, _mm256_set1_pd(r->n)));
}

/* ---- long rings: coordinates in rows, four points at a time ---- */

typedef struct rows {
    int n;
    double at[4][PLANAR_RING + 128]; /* behind the last point stand the first eight again; no row begins where a page
                                        of another does */
} rows;

/* x, y, z and any. Not by a masked load: those that miss the caches wait for each other. */
AVX2 static inline __m256d load_place(const vec3 *x)
{
    return _mm256_insertf128_pd(_mm256_castpd128_pd256(_mm_loadu_pd(&x->x)), _mm_load_sd(&x->z), 1);
}

AVX2 static inline void project_rows(rows *p, const int32_t *node, const vec3 *x, vec3 a, vec3 b, int c)
{
    for (int i = 0; i < p->n; i += 4) {
        __m256d at[4];
        for (int k = 0; k < 4; k++) {
            at[k] = load_place(&x[node[i + k < p->n ? i + k : 0]]);
            _mm_prefetch((const char *)&x[node[i + k + AHEAD < p->n ? i + k + AHEAD : 0]], _MM_HINT_T0);
        }
        __m256d even = _mm256_unpacklo_pd(at[0], at[1]), odd = _mm256_unpackhi_pd(at[0], at[1]);
        __m256d more_even = _mm256_unpacklo_pd(at[2], at[3]), more_odd = _mm256_unpackhi_pd(at[2], at[3]);
        __m256d px = _mm256_permute2f128_pd(even, more_even, 0x20), py = _mm256_permute2f128_pd(odd, more_odd, 0x20);
        __m256d pz = _mm256_permute2f128_pd(even, more_even, 0x31);
        _mm256_storeu_pd(&p->at[c][i], _mm256_add_pd(_mm256_add_pd(_mm256_mul_pd(_mm256_set1_pd(a.x), px),
                                                                   _mm256_mul_pd(_mm256_set1_pd(a.y), py)),
                                                     _mm256_mul_pd(_mm256_set1_pd(a.z), pz)));
        _mm256_storeu_pd(&p->at[c + 1][i], _mm256_add_pd(_mm256_add_pd(_mm256_mul_pd(_mm256_set1_pd(b.x), px),
                                                                       _mm256_mul_pd(_mm256_set1_pd(b.y), py)),
                                                         _mm256_mul_pd(_mm256_set1_pd(b.z), pz)));
    }
}

AVX2 TEMPLATE void close_rows(rows *p, int n_times)
{
    for (int c = 0; c < 2 * n_times; c++) {
        _mm256_storeu_pd(&p->at[c][p->n], _mm256_loadu_pd(&p->at[c][0]));
        _mm256_storeu_pd(&p->at[c][p->n + 4], _mm256_loadu_pd(&p->at[c][4]));
    }
}

AVX2 TEMPLATE __m256d cross_simd4(const __m256d *v, const __m256d *w)
{
    return _mm256_sub_pd(_mm256_mul_pd(v[0], w[1]), _mm256_mul_pd(v[1], w[0]));
}

AVX2 TEMPLATE int bits_above(__m256d a, __m256d b)
{
    return _mm256_movemask_pd(_mm256_cmp_pd(a, b, _CMP_GT_OQ));
}

AVX2 TEMPLATE int left_turns(const __m256d *v, const __m256d *w, int n_times, __m256d least)
{
    int left = bits_above(cross_simd4(v, w), least);
    if (n_times == 1)
        return left;
    __m256d mixed = _mm256_add_pd(cross_simd4(v, w + 2), cross_simd4(v + 2, w));
    return left & bits_above(cross_simd4(v + 2, w + 2), least) & bits_above(mixed, _mm256_add_pd(least, least));
}

/* The lanes whose bits are set, in a row. */
AVX2 static inline void pack_simd4(double *out, __m256d a, int bits)
{
    static const int32_t places[16][8] = {
        {0, 1, 0, 1, 0, 1, 0, 1}, {0, 1, 0, 1, 0, 1, 0, 1}, {2, 3, 0, 1, 0, 1, 0, 1}, {0, 1, 2, 3, 0, 1, 0, 1},
        {4, 5, 0, 1, 0, 1, 0, 1}, {0, 1, 4, 5, 0, 1, 0, 1}, {2, 3, 4, 5, 0, 1, 0, 1}, {0, 1, 2, 3, 4, 5, 0, 1},
        {6, 7, 0, 1, 0, 1, 0, 1}, {0, 1, 6, 7, 0, 1, 0, 1}, {2, 3, 6, 7, 0, 1, 0, 1}, {0, 1, 2, 3, 6, 7, 0, 1},
        {4, 5, 6, 7, 0, 1, 0, 1}, {0, 1, 4, 5, 6, 7, 0, 1}, {2, 3, 4, 5, 6, 7, 0, 1}, {0, 1, 2, 3, 4, 5, 6, 7},
    };
    __m256i at = _mm256_loadu_si256((const __m256i *)places[bits]);
    _mm256_storeu_pd(out, _mm256_castsi256_pd(_mm256_permutevar8x32_epi32(_mm256_castpd_si256(a), at)));
}

/* thin_plain, four points at a time. */
AVX2 TEMPLATE int thin_rows(rows *p, int n_times, double margin)
{
    const __m256d least = _mm256_set1_pd(margin);
    int n = 0, past = 1, n_before = p->n;
    for (int i = 0; i < n_before; i += 4) {
        int used = n_before - i < 4 ? (1 << (n_before - i)) - 1 : 15;
        __m256d at[4], to[4], on[4];
        for (int c = 0; c < 2 * n_times; c++) {
            at[c] = _mm256_loadu_pd(&p->at[c][i + 1]);
            to[c] = _mm256_sub_pd(at[c], _mm256_loadu_pd(&p->at[c][i]));
            on[c] = _mm256_sub_pd(_mm256_loadu_pd(&p->at[c][i + 2]), at[c]);
        }
        int dents = left_turns(on, to, n_times, least), kept = used & ~(dents & ~(dents << 1 | past));
        past = dents >> 3;
        for (int c = 0; c < 2 * n_times; c++)
            pack_simd4(&p->at[c][n], at[c], kept);
        n += (int)(0x4332322132212110 >> 4 * kept & 15);
    }
    p->n = n;
    close_rows(p, n_times);
    return n_before - n;
}

AVX2 TEMPLATE void thin_long(rows *p, int n_times, double least)
{
    close_rows(p, n_times);
    for (int k = 0; k < ROUNDS && WORTH * thin_rows(p, n_times, least) > p->n; k++)
        ;
}

AVX2 static void place_long(planar_ring *r, const vec3 *x0, const vec3 *x1, vec3 a, vec3 b, double least)
{
    rows p;
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
        _mm256_storeu_pd(r->at[i], _mm256_setr_pd(p.at[0][i], p.at[1][i], p.at[second][i], p.at[second + 1][i]));
    close_ring(r);
    find_middle(r);
}

AVX2 static inline void place_avx2(planar_ring *r, const vec3 *x0, const vec3 *x1, vec3 a, vec3 b, double least)
{
    if (r->n > LONG)
        place_long(r, x0, x1, a, b, least);
    else
        project_avx2(r, x0, x1, a, b);
}

AVX2 static bool is_simple_avx2(planar_ring *r, const vec3 *x0, const vec3 *x1, vec3 a, vec3 b, double least)
{
    return is_simple(left_avx2, place_avx2, r, x0, x1, a, b, least);
}

#endif

bool planar_ring_is_simple(planar_ring *r, const vec3 *x0, const vec3 *x1, vec3 a, vec3 b, double least)
{
#if WITH_AVX2
    if (__builtin_cpu_supports("avx2"))
        return is_simple_avx2(r, x0, x1, a, b, least);
#endif
    return planar_ring_is_simple_plain(r, x0, x1, a, b, least);
}
