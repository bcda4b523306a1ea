/* SPDX-License-Identifier: MIT */
/* Boxes and masks of small leaves, two leaves at a time: all that fitting has to know of them in two cache lines.
 *
 * Normals are made of floats, from the first node of the leaf on, so that eight or sixteen triangles go at a time.
 * Where floats are not exact enough the leaf is left to normal_leaf_fit. A kernel
 * (math/kernel.h), of which there is a third version for AVX-512; all give the same bits. */
#ifndef WEFT_MATH_NORMAL_PAIR_H
#define WEFT_MATH_NORMAL_PAIR_H

#include "math/normal_cell.h"

enum {
    NORMAL_NODES = 9,     /* of a leaf, at most: the first and as many as a register has lanes … */
    NORMAL_TRIANGLES = 8, /* … and triangles */
};

typedef struct normal_pair {
    int32_t zone[2];                /* the places of their boxes and masks */
    int32_t place[2][NORMAL_NODES]; /* three times the numbers of their nodes; the first fills up */
    uint8_t corner[3]
                  [2 * NORMAL_TRIANGLES]; /* first, second and third ones of both; the first triangle fills up. 0: the
                                              * first node; else 128, 8 for the second leaf, and the node's number in
                                              * the list − 1 */
} normal_pair;

/* One of the two. `corners` are n first ones, n second ones and n third ones by their places in the list of nodes. */
void normal_pair_set(normal_pair *p, int half, int32_t zone, const int32_t *nodes, int n_nodes, const uint8_t *corners,
                     int n);

/* Leaves at x0 or, with x1, on the straight way there. Those that floats are not exact enough for, as twice the number
 * of the pair and their half, go to `left`, which has room for all; returns how many. 8 bytes behind each node are
 * read, so none may be the last of x0. */
typedef int32_t normal_pairs_fit_fn(const vec3 *x0, const vec3 *x1, const normal_pair *pairs, int32_t n,
                                    const normal_table table, double inflate, box *boxes, uint64_t *masks,
                                    int32_t *left);
normal_pairs_fit_fn normal_pairs_fit, normal_pairs_fit_plain, normal_pairs_fit_avx2, normal_pairs_fit_avx512;

/* For tests: the ways to do it, from the slowest on; false: this processor lacks it. */
typedef enum normal_way { NORMAL_PLAIN, NORMAL_AVX2, NORMAL_AVX512, NORMAL_WAYS } normal_way;
bool normal_way_works(normal_way way);
int32_t normal_pairs_fit_by(normal_way way, const vec3 *x0, const vec3 *x1, const normal_pair *pairs, int32_t n,
                            const normal_table table, double inflate, box *boxes, uint64_t *masks, int32_t *left);

#endif
