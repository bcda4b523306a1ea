/* SPDX-License-Identifier: MIT */
/* Eigenvalues of symmetric 3×3 matrices, by Jacobi's rotations. */
#ifndef WEFT_MATH_EIGEN_H
#define WEFT_MATH_EIGEN_H

#include "math/vec.h"

/* m = Σ value[k] vector[k] vector[k]ᵀ, with orthonormal vectors, in no particular order. */
typedef struct eigen3 {
    double value[3];
    vec3 vector[3];
} eigen3;

eigen3 eigen3_symmetric(mat3 m);

/* a⁺ v: eigenvalues below `cut` times the largest count as zero. */
vec3 eigen3_pseudo_solve(mat3 a, vec3 v, double cut);

#endif
