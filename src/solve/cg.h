/* SPDX-License-Identifier: MIT */
/* Conjugate gradients on 3×3 blocks with filtered degrees of freedom, preconditioned by a multilevel cycle or by block
 * Jacobi. */
#ifndef WEFT_SOLVE_CG_H
#define WEFT_SOLVE_CG_H

#include <stdatomic.h>

#include "solve/blockmat.h"
#include "solve/filter.h"
#include "solve/multigrid.h"

typedef struct cg_sums {
    double one, two;
} cg_sums;

typedef struct cg_work {
    int32_t n, n_pieces;
    vec3 *r, *z, *p, *ap;
    float *inverse;       /* of the diagonal blocks, nine numbers each: its own, or the finest level's of multigrid */
    bool borrows;         /* the latter */
    cg_sums *part;        /* per piece */
    multigrid *multigrid; /* the caller's; NULL: block Jacobi */
    const vec3 *position; /* the caller's: where the rows are, for multigrid; may be NULL */
} cg_work;

/* borrows: the caller sets `inverse`. */
bool cg_create(cg_work *w, mem *m, int32_t n, bool borrows);
void cg_destroy(cg_work *w, mem *m);

typedef struct cg_result {
    int32_t iterations;
    double error; /* estimate of ‖d − A⁻¹b‖_A over ‖A⁻¹b‖_A, some iterations before the end */
    bool cancelled;
} cg_result;

/* d ≈ A⁻¹ b on the free directions, from d = 0, until the error in the energy norm is `tolerance` of the solution. b
 * may be w->r. */
cg_result cg_solve(cg_work *w, pool *p, const blockmat *a, const filter *f, const vec3 *b, vec3 *d, double tolerance,
                   int32_t limit, atomic_bool *cancel);

#endif
