/* SPDX-License-Identifier: MIT */
/* Making pairs of leaves, and choosing how they are fitted. */
#include "math/normal_pair_inside.h"

#include "math/cpu.h"

void normal_pair_set(normal_pair *p, int half, int32_t zone, const int32_t *nodes, int n_nodes, const uint8_t *corners,
                     int n)
{
    p->zone[half] = zone;
    for (int i = 0; i < NORMAL_NODES; i++)
        p->place[half][i] = 3 * nodes[i < n_nodes ? i : 0];
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < NORMAL_TRIANGLES; i++) {
            int at = corners[k * n + (i < n ? i : 0)];
            p->corner[k][half * NORMAL_TRIANGLES + i] =
                (uint8_t)(at == 0 ? 0 : NORMAL_OTHER | (half * NORMAL_TRIANGLES + at - 1));
        }
}

bool normal_way_works(normal_way way)
{
#if CPU_MAY_HAVE_AVX2
    if (way == NORMAL_AVX512)
        return cpu_has_avx512();
    if (way == NORMAL_AVX2)
        return cpu_has_avx2();
#endif
    return way == NORMAL_PLAIN;
}

static normal_pairs_fit_fn *function_of(normal_way way)
{
#if CPU_MAY_HAVE_AVX2
    if (way == NORMAL_AVX512)
        return normal_pairs_fit_avx512;
    if (way == NORMAL_AVX2)
        return normal_pairs_fit_avx2;
#endif
    (void)way;
    return normal_pairs_fit_plain;
}

int32_t normal_pairs_fit_by(normal_way way, const vec3 *x0, const vec3 *x1, const normal_pair *pairs, int32_t n,
                            const normal_table table, double inflate, box *boxes, uint64_t *masks, int32_t *left)
{
    return function_of(way)(x0, x1, pairs, n, table, inflate, boxes, masks, left);
}

int32_t normal_pairs_fit(const vec3 *x0, const vec3 *x1, const normal_pair *pairs, int32_t n, const normal_table table,
                         double inflate, box *boxes, uint64_t *masks, int32_t *left)
{
    normal_way way = NORMAL_WAYS - 1;
    while (!normal_way_works(way))
        way--;
    return normal_pairs_fit_by(way, x0, x1, pairs, n, table, inflate, boxes, masks, left);
}
