/* SPDX-License-Identifier: MIT */
/* The nine numbers of a block, as they go into the matrix (blockmat.h): four, four and one at a time. */
#ifndef WEFT_SOLVE_BLOCK3_H
#define WEFT_SOLVE_BLOCK3_H

#include "math/lanes.h"

typedef struct block3 {
    lanes4 first, second;
    float last;
} block3;

static inline block3 block3_of(const double *m)
{
    return (block3){__builtin_convertvector(lane_load(m), lanes4), __builtin_convertvector(lane_load(m + 4), lanes4),
                    (float)m[8]};
}

/* s·m */
static inline block3 block3_scaled(double s, const double *m)
{
    lanes all = lane_all(s);
    return (block3){__builtin_convertvector(all * lane_load(m), lanes4),
                    __builtin_convertvector(all * lane_load(m + 4), lanes4), (float)(s * m[8])};
}

static inline block3 block3_transpose(block3 b)
{
    return (block3){__builtin_shufflevector(b.first, b.second, 0, 3, 6, 1),
                    __builtin_shufflevector(b.first, b.second, 4, 7, 2, 5), b.last};
}

static inline void block3_add(float *v, block3 b)
{
    lanes4 p, q;
    memcpy(&p, v, sizeof p);
    memcpy(&q, v + 4, sizeof q);
    p += b.first;
    q += b.second;
    memcpy(v, &p, sizeof p);
    memcpy(v + 4, &q, sizeof q);
    v[8] += b.last;
}

#endif
