/* SPDX-License-Identifier: MIT */
/* The kernel of blockmat.h: the product with the matrix, and what is done for every block. */
#include "solve/blockmat.h"

#include "math/kernel.h"
#include "math/lanes.h"

/* Column c of a block, which is read past its end. */
LANE_INLINE lanes block_column(const float *v)
{
    lanes4 t;
    memcpy(&t, v, sizeof t);
    return __builtin_convertvector(t, lanes);
}

/* s + A x for the blocks [begin, end). */
LANE_INLINE lanes plus(const blockmat *a, const vec3 *x, lanes s, int32_t begin, int32_t end)
{
    const float *v = a->val + 9 * (int64_t)begin;
    for (int32_t k = begin; k < end; k++, v += 9) {
        const vec3 *y = &x[a->col[k]];
        s += (block_column(v) * y->x + block_column(v + 3) * y->y) + block_column(v + 6) * y->z;
    }
    return s;
}

static void multiply_rows(const blockmat *a, const vec3 *x, vec3 *y, int32_t begin, int32_t end)
{
    for (int32_t i = begin; i < end; i++) {
        const double *d = a->diagonal[i].m; /* symmetric */
        lanes s = (lane_load(d) * x[i].x + lane_load(d + 3) * x[i].y) + lane_load(d + 6) * x[i].z;
        s = plus(a, x, s, a->before[i], a->before[i + 1]);
        s = plus(a, x, s, a->after[i], a->after[i + 1]);
        y[i] = v3(s[0], s[1], s[2]);
    }
}

typedef struct three {
    lanes x, y, z; /* columns */
} three;

LANE_INLINE three take_half(const blockmat *a, three s, int32_t begin, int32_t end)
{
    const float *v = a->val + 9 * (int64_t)begin;
    for (int32_t k = begin; k < end; k++, v += 9) {
        s.x -= block_column(v);
        s.y -= block_column(v + 3);
        s.z -= block_column(v + 6);
    }
    return s;
}

/* Row sums without what is off the diagonal. They are symmetric, as what is left is but for rounding. */
static void balance(blockmat *a, int32_t begin, int32_t end)
{
    for (int32_t i = begin; i < end; i++) {
        double *d = a->diagonal[i].m;
        three s = {lane_load(d), lane_load(d + 3), {d[6], d[7], d[8], 0}}; /* the next row may be another thread's */
        s = take_half(a, s, a->before[i], a->before[i + 1]);
        s = take_half(a, s, a->after[i], a->after[i + 1]);
        d[0] = s.x[0];
        d[4] = s.y[1];
        d[8] = s.z[2];
        d[1] = d[3] = 0.5 * (s.x[1] + s.y[0]);
        d[2] = d[6] = 0.5 * (s.x[2] + s.z[0]);
        d[5] = d[7] = 0.5 * (s.y[2] + s.z[1]);
    }
}

const blockmat_kernel KERNEL(blockmat) = {multiply_rows, balance};

#if KERNEL_ONCE
const blockmat_kernel *blockmat_best(void)
{
    return KERNEL_BEST(blockmat);
}
#endif
