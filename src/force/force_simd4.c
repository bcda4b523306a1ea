/* SPDX-License-Identifier: MIT */
/* Hessians of four elements, as matrices again. */
#include "force/force_simd4.h"

#include <string.h>

/* h += a bᵀ */
static void add_product(const float a[4], const float b[4], mat3 *h)
{
    for (int k = 0; k < 9; k++)
        h->m[k] += (double)a[k / 3] * (double)b[k % 3];
}

/* Blocks (i, i) from the others: zero before. */
static void add_diagonals(int n, mat3 *h)
{
    for (int i = 0; i < n; i++)
        for (int j = i + 1; j < n; j++) {
            const mat3 *b = &h[block_of(n, i, j)];
            h[block_of(n, i, i)] = m3_madd(h[block_of(n, i, i)], -1.0, *b);
            h[block_of(n, j, j)] = m3_madd(h[block_of(n, j, j)], -1.0, m3_transpose(*b));
        }
}

void bend_all_blocks(const bend_factors *f, mat3 h[BLOCKS(6)])
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
    add_diagonals(6, h);
}

void three_all_blocks(const three_blocks *t, mat3 h[BLOCKS(3)])
{
    memset(h, 0, BLOCKS(3) * sizeof *h);
    for (int k = 0; k < 9; k++) {
        h[block_of(3, 0, 1)].m[k] = (double)t->b[0][k];
        h[block_of(3, 0, 2)].m[k] = (double)t->b[1][k];
        h[block_of(3, 1, 2)].m[k] = (double)t->b[2][k];
    }
    add_diagonals(3, h);
}
