/* SPDX-License-Identifier: MIT */
/* What a repair has done to the cloth: the bounds that "repaired" means. */
#ifndef BENCH_REPAIR_MEASURE_H
#define BENCH_REPAIR_MEASURE_H

#include "tangle_cases.h"

typedef struct repair_measure {
    int64_t pairs, pairs_single; /* by the exact audit; and after rounding to single precision */
    int32_t contours;
    double area;         /* over the input's */
    double edge[4];      /* length over the input's: least, 5th and 95th percentile, greatest */
    double bent;         /* fraction of dihedral angles within 20° of the input's */
    double moved, bound; /* mean of all vertices of cloth, m; and how far that may be */
    double input;        /* mean distance of the input from the untangled original; NaN: not known */
    double original;     /* the same of the result */
    double far_moved;    /* of vertices far from all that intersected, the most; NaN: there is nothing worn, m */
    bool round;          /* every ring goes round its limb as before */
    bool clean, shaped, near_by; /* what of it is within bounds … */
    bool original_again;         /* … and, of what is worn, rings, far vertices and the original */
} repair_measure;

/* Of a case whose vertices have gone to x. False: out of memory. */
bool repair_measure_take(repair_measure *m, const tangle_case *c, const weft_vec3 *x);
/* Mean distance to the original of cloth that is in shape, let go from there (repair_reference.c); NaN: not known. */
double repair_reference(const tangle_case *c);
/* Of what is worn (repair_worn.c); far_move: NaN without memory. */
bool repair_rings_are_round(const tangle_case *c, const weft_vec3 *x);
double repair_far_move(const tangle_case *c, const weft_vec3 *x);
/* The exact audit of the input. */
weft_audit_def repair_audit_def(const tangle_case *c);
/* Of all cloth, over the input's. */
double repair_area(const tangle_case *c, const weft_vec3 *x);
/* The range of seeds that was asked for (bench_repair.c); false: it is none, which is said. */
bool repair_seeds(const bench_options *o, int *from, int *to);
/* Of the input alone. */
int64_t repair_pairs(const tangle_case *c, const weft_vec3 *x, int32_t *contours);

#endif
