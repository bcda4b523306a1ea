/* SPDX-License-Identifier: MIT */
#include "mechanics/four.h"

#include <string.h>

#include "mechanics/four_kernel.h"

const four_kernel four_plain = {springs, membranes, beams,  bends,  add_bend,
                                air_on,  lengths,   stored, angles, bend_angles_of};

const four_kernel *four_best(void)
{
#if LANES_HAVE_AVX2
    if (__builtin_cpu_supports("avx2"))
        return &four_avx2;
#endif
    return &four_plain;
}

/* h += a bᵀ */
static void add_product(const float a[4], const float b[4], mat3 *h)
{
    for (int k = 0; k < 9; k++)
        h->m[k] += (double)a[k / 3] * (double)b[k % 3];
}

void bend_blocks(const bend_factors *f, mat3 h[BLOCKS(6)])
{
    memset(h, 0, BLOCKS(6) * sizeof *h);
    for (int n = 0; n < 3; n++)
        for (int j = 0; j < 3; j++) {
            for (int m = n + 1; m < 3; m++)
                add_product(f->left[n][j], f->right[m - 1][j], &h[block_of(6, n, m)]);
            add_product(f->left[n][j], f->outer[j], &h[block_of(6, n, 3 + j)]);
        }
    add_product(f->between[0], f->outer[1], &h[block_of(6, 3, 4)]);
    add_product(f->between[1], f->outer[2], &h[block_of(6, 3, 5)]);
    add_product(f->between[2], f->outer[2], &h[block_of(6, 4, 5)]);
    for (int n = 0; n < 6; n++)
        for (int m = n + 1; m < 6; m++) {
            const mat3 *b = &h[block_of(6, n, m)];
            h[block_of(6, n, n)] = m3_madd(h[block_of(6, n, n)], -1.0, *b);
            h[block_of(6, m, m)] = m3_madd(h[block_of(6, m, m)], -1.0, m3_transpose(*b));
        }
}
