/* SPDX-License-Identifier: MIT */
/* What a repair has done to the cloth: the bounds that "repaired" means. */
#ifndef BENCH_REPAIR_MEASURE_H
#define BENCH_REPAIR_MEASURE_H

#include "tangle_cases.h"

typedef struct repair_measure {
    int64_t pairs, pairs_single; /* by the exact audit; and after rounding to single precision */
    int32_t contours;
    double area;                 /* over the input's */
    double edge[4];              /* length over the input's: least, 5th and 95th percentile, greatest */
    double bent;                 /* fraction of dihedral angles within 20° of the input's */
    double moved, bound;         /* mean of all vertices of cloth, m; and how far that may be */
    double original;             /* mean distance to the untangled original; NaN: not known */
    bool clean, shaped, near_by; /* what of it is within bounds */
} repair_measure;

/* Of a case whose vertices have gone to x. False: out of memory. */
bool repair_measure_take(repair_measure *m, const tangle_case *c, const weft_vec3 *x);
/* Of the input alone. */
int64_t repair_pairs(const tangle_case *c, const weft_vec3 *x, int32_t *contours);

#endif
