/* SPDX-License-Identifier: MIT */
/* Tangles made at random, by seed: what `weft-bench repair` repairs. About 2000 vertices each, edges of about 1 cm.
 *
 * strip       a strip whose cross-section crosses itself one to six times; beyond one crossing at least there are 20 %
 *             of it on either side
 * sheets      two to five sheets in random poses
 * knot        a closed tube along a knot, so thick that its strands overlap, and half as long again as a knot that is
 *             pulled tight: (2,3), (2,5), (2,7), the figure-eight, 8_18
 * one-sided   a Möbius strip, or a Klein bottle with a disc cut out, both through themselves
 * layers      two tubes, one worn over the other, the inner one bulging through; the order is said
 * body        a tube of cloth round a closed mesh, pushed 10 to 60 mm into it
 * capsule     the same round an analytic capsule
 * arm         a closed limb right through a sheet
 * sleeve      a tube turned half inside out, whose turned part goes through its wall: through one side, or all round
 * hopeless    a closed Klein bottle, or a knot shorter than it needs at its radius: "not repairable" is right */
#ifndef BENCH_TANGLE_CASES_H
#define BENCH_TANGLE_CASES_H

#include "papers/ye/ye.h"

typedef enum tangle_kind {
    TANGLE_STRIP,
    TANGLE_SHEETS,
    TANGLE_KNOT,
    TANGLE_ONE_SIDED,
    TANGLE_LAYERS,
    TANGLE_BODY,
    TANGLE_CAPSULE,
    TANGLE_ARM,
    TANGLE_HOPELESS,
    TANGLE_SLEEVE, /* behind it: seeds of a kind depend on its number */
    TANGLE_KINDS
} tangle_kind;

/* Rings of nodes about the y axis, one after the other. */
typedef struct tangle_tube {
    int32_t first, n_around, n_along;
} tangle_tube;

typedef struct tangle_case {
    heap h;
    tangle_tube tube[2];
    int n_tubes;
    double limb;         /* radius of the limb about the y axis that the tubes are worn on; 0: there is none, m */
    bool is_collider[8]; /* per object */
    weft_untangle_layer layer;
    int32_t n_layers;
    weft_collider_def solid;
    int32_t n_solids;
    weft_vec3 *original; /* before it was tangled, where the generator knows it; NULL */
} tangle_case;

extern const char *const tangle_kind_names[TANGLE_KINDS];

/* False: out of memory. To be freed in any case. */
bool tangle_case_make(tangle_case *c, tangle_kind kind, uint64_t seed);
void tangle_case_free(tangle_case *c);
/* Repair of it, by default. */
weft_untangle_def tangle_case_def(const tangle_case *c, const bench_options *o);

#endif
