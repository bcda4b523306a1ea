/* SPDX-License-Identifier: MIT */
/* Conjugate gradients on 3×3 blocks with filtered degrees of freedom, preconditioned by a multilevel cycle or by block
 * Jacobi. */
#ifndef WEFT_SOLVE_CG_H
#define WEFT_SOLVE_CG_H

#include <stdatomic.h>

#include "solve/blockmat.h"
#include "solve/filter.h"
#include "solve/multigrid.h"

typedef struct cg_problem {
    const blockmat *a;
    const filter *filters;
    pool *pool;
    multigrid *multigrid; /* NULL: block Jacobi */
    const vec3 *position; /* where the rows are, for multigrid; may be NULL */
    double tolerance;     /* of the error in the energy norm, relative to the solution */
    double goal;          /* and of it by itself, √J; 0: any will do */
    bool translates;      /* in the end what is free is moved as a whole until the forces on it add up to nothing */
    int32_t limit;        /* of iterations */
    atomic_bool *cancel;  /* or NULL */
} cg_problem;

typedef struct cg_result {
    int32_t iterations;
    double error;  /* estimate of ‖d − A⁻¹b‖_A over ‖A⁻¹b‖_A, some iterations before the end */
    double energy; /* of the error: the same norm by itself, √J */
    bool cancelled;
    bool lacking; /* there was no memory: d is nothing */
} cg_result;

/* d ≈ A⁻¹ b on the free directions, from d = 0. r is b, and in the end the residual, filtered. Takes cg_bytes of
 * scratch, three vectors and the preconditioner, and leaves nothing taken. */
cg_result cg_solve(const cg_problem *p, arena *scratch, vec3 *r, vec3 *d);
int64_t cg_bytes(int32_t n, const multigrid *g);

#endif
