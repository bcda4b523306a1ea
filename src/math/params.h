/* SPDX-License-Identifier: MIT */
/* The numbers of math/ that somebody chose for speed, in one place. None of them changes a result. */
#ifndef WEFT_MATH_PARAMS_H
#define WEFT_MATH_PARAMS_H

enum {
    /* Sweeps of Jacobi's rotations over a symmetric 3×3 matrix (eigen.c). They converge quadratically: 6 reach the last
     * bit of doubles, and as many again cost little where eigenvalues are asked for (test math/eigen). */
    EIGEN_SWEEPS = 12,

    /* Rings of more points are thinned before dents are filled one by one (planar_ring.h), at most so many times, and
     * again as long as one of PLANAR_RING_WORTH points was left out. Tried: rings of more than 24 and 8 points, 2 and
     * 10 % slower finding (docs/lab/collisions.md, `weft-bench volino --only cost`). */
    PLANAR_RING_LONG = 48,
    PLANAR_RING_ROUNDS = 8,
    PLANAR_RING_WORTH = 16,

    /* Points ahead of the present one that are fetched into the cache: nodes of a contour lie far apart in memory, and
     * a long one is read once. */
    PLANAR_RING_AHEAD = 32,

    /* Pairs of leaves whose cells are looked up together, and pairs ahead whose nodes are fetched: these lie in memory
     * in the user's order, which a processor cannot guess. 6 to 24 ahead are alike; none costs 35 to 38 in place of
     * 20 to 21 ns a leaf (docs/lab/collisions.md). */
    NORMAL_PAIR_ROW = 16,
    NORMAL_PAIR_AHEAD = 12,
};

#endif
