/* SPDX-License-Identifier: MIT */
#include "math/normal_pair_inside.h"

void normal_pair_set(normal_pair *p, int half, int32_t zone, const int32_t *nodes, int n_nodes, const uint8_t *corners,
                     int n)
{
    p->zone[half] = zone;
    for (int i = 0; i < NORMAL_NODES; i++)
        p->place[half][i] = 3 * nodes[i < n_nodes ? i : 0];
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < LANES; i++) {
            int at = corners[k * n + (i < n ? i : 0)];
            p->corner[k][half * LANES + i] = (uint8_t)(at == 0 ? 0 : OTHER | (half * LANES + at - 1));
        }
}

typedef struct float3 {
    float x, y, z;
} float3;

static inline float3 f3_sub(float3 a, float3 b)
{
    return (float3){a.x - b.x, a.y - b.y, a.z - b.z};
}

static inline float3 f3_add(float3 a, float3 b)
{
    return (float3){a.x + b.x, a.y + b.y, a.z + b.z};
}

static inline float3 f3_cross(float3 a, float3 b)
{
    return (float3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static inline float f3_length(float3 a)
{
    return (fabsf(a.x) + fabsf(a.y)) + fabsf(a.z);
}

/* Two sides of a triangle, their lengths, and that of the corner which they begin at. */
typedef struct sides {
    float3 e, f;
    float a, l, m;
} sides;

/* The cell of a normal, if it is long enough beside `scale`. */
static uint32_t cell_of(float3 n, float scale)
{
    float sum = f3_length(n);
    if (!(sum > scale * LEAST + 1e-30f))
        return NORMAL_NONE;
    float to_cells = NORMAL_HALF / sum;
    int32_t i = (int32_t)(n.x * to_cells + NORMAL_HALF), j = (int32_t)(n.y * to_cells + NORMAL_HALF);
    i = i < NORMAL_CELLS ? i : NORMAL_CELLS - 1;
    j = j < NORMAL_CELLS ? j : NORMAL_CELLS - 1;
    return (uint32_t)(((n.z < 0 ? NORMAL_CELLS : 0) + i) * NORMAL_CELLS + j);
}

static uint32_t cell_at(const sides *s)
{
    return cell_of(f3_cross(s->e, s->f), s->a * (s->l + s->m) + (4 * s->l) * s->m);
}

static uint32_t cell_between(const sides *s, const sides *t)
{
    float3 n = f3_add(f3_cross(s->e, t->f), f3_cross(t->e, s->f));
    float ends = (s->a + t->a) * ((s->l + s->m) + (t->l + t->m));
    return cell_of(n, ends + ((4 * s->l) * t->m + (4 * t->l) * s->m));
}

/* Places of a leaf's nodes from the first on. */
typedef struct float_places {
    float3 at[NORMAL_NODES];
} float_places;

static inline void extend(vec3 *lo, vec3 *hi, vec3 x)
{
    *lo = v3(min_of(x.x, lo->x), min_of(x.y, lo->y), min_of(x.z, lo->z));
    *hi = v3(max_of(x.x, hi->x), max_of(x.y, hi->y), max_of(x.z, hi->z));
}

static float_places load_leaf(const vec3 *x, const int32_t *place, vec3 *lo, vec3 *hi)
{
    float_places p;
    for (int i = 0; i < NORMAL_NODES; i++) {
        vec3 at = x[place[i] / 3], q = v3_sub(at, x[place[0] / 3]);
        extend(lo, hi, at);
        p.at[i] = (float3){(float)q.x, (float)q.y, (float)q.z};
    }
    return p;
}

static float3 corner_of(const float_places *p, uint8_t corner)
{
    return corner & OTHER ? p->at[1 + corner % LANES] : (float3){0, 0, 0};
}

static sides sides_of(const float_places *p, const normal_pair *l, int i)
{
    float3 a = corner_of(p, l->corner[0][i]);
    float3 e = f3_sub(corner_of(p, l->corner[1][i]), a), f = f3_sub(corner_of(p, l->corner[2][i]), a);
    return (sides){e, f, f3_length(a) + FAINT, f3_length(e), f3_length(f)};
}

static void fit_leaf_plain(const vec3 *x0, const vec3 *x1, const normal_pair *l, int half, double inflate, box *boxes,
                           uint32_t (*cells)[2 * LANES])
{
    vec3 lo = x0[l->place[half][0] / 3], hi = lo, d = v3(inflate, inflate, inflate);
    float_places p = load_leaf(x0, l->place[half], &lo, &hi), q = p;
    if (x1)
        q = load_leaf(x1, l->place[half], &lo, &hi);
    boxes[l->zone[half]] = box_of(v3_sub(lo, d), v3_add(hi, d));
    for (int i = half * LANES; i < (half + 1) * LANES; i++) {
        sides s = sides_of(&p, l, i), t;
        cells[0][i] = cell_at(&s);
        if (!x1)
            continue;
        t = sides_of(&q, l, i);
        cells[1][i] = cell_at(&t);
        cells[2][i] = cell_between(&s, &t);
    }
}

static int32_t fit_plain(const vec3 *x0, const vec3 *x1, const normal_pair *pairs, int32_t n, const normal_table table,
                         double inflate, box *boxes, uint64_t *masks, int32_t *left)
{
    cell_row row;
    int32_t n_left = 0;
    for (int32_t i = 0; i < n; i++) {
        for (int half = 0; half < 2; half++)
            fit_leaf_plain(x0, x1, &pairs[i], half, inflate, boxes, row.cell[0]);
        n_left = fill_masks(pairs, i, 1, &row, x1 ? TIMES : 1, table, masks, left, n_left);
    }
    return n_left;
}

bool normal_way_works(normal_way way)
{
#if PAIRS_WITH_AVX
    if (way == NORMAL_AVX512)
        return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
               __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw");
    if (way == NORMAL_AVX2)
        return __builtin_cpu_supports("avx2");
#endif
    return way == NORMAL_PLAIN;
}

int32_t normal_pairs_fit_by(normal_way way, const vec3 *x0, const vec3 *x1, const normal_pair *pairs, int32_t n,
                            const normal_table table, double inflate, box *boxes, uint64_t *masks, int32_t *left)
{
#if PAIRS_WITH_AVX
    if (way == NORMAL_AVX512)
        return normal_pairs_fit_avx512(x0, x1, pairs, n, table, inflate, boxes, masks, left);
    if (way == NORMAL_AVX2)
        return normal_pairs_fit_avx2(x0, x1, pairs, n, table, inflate, boxes, masks, left);
#endif
    (void)way;
    return fit_plain(x0, x1, pairs, n, table, inflate, boxes, masks, left);
}

int32_t normal_pairs_fit(const vec3 *x0, const vec3 *x1, const normal_pair *pairs, int32_t n, const normal_table table,
                         double inflate, box *boxes, uint64_t *masks, int32_t *left)
{
    normal_way way = NORMAL_WAYS - 1;
    while (!normal_way_works(way))
        way--;
    return normal_pairs_fit_by(way, x0, x1, pairs, n, table, inflate, boxes, masks, left);
}
