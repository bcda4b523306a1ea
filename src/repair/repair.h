/* SPDX-License-Identifier: MIT */
/* A mesh as a simulation of cloth without weight, that ends when nothing crosses and nothing is stretched. */
#ifndef WEFT_REPAIR_REPAIR_H
#define WEFT_REPAIR_REPAIR_H

#include <weft/sim.h>
#include <weft/untangle.h>

#include "repair/pieces.h"

typedef struct repair {
    const weft_untangle_def *def;
    weft_untangle_report *report;
    mem m;
    mesh_adjacency w;
    pieces pieces;
    uint8_t *wanted; /* per triangle: it is part of a cloth */
    weft_sim *sim;
    weft_cloth_id *cloths;       /* per object, where it has any triangles that are wanted */
    vec3 centre;                 /* in the mesh; of the simulation 0 … */
    double scale;                /* … where lengths are so many times those of the mesh */
    double edge;                 /* mean, in the mesh, m */
    vec3 *x, *best, *start;      /* per vertex, in the mesh: now; what crosses least so far; as the simulation began */
    uint8_t *at;                 /* per vertex: UNTANGLE_MARK_…, of the input */
    bool sided;                  /* it is known of all that is tangled where it belongs */
    bool shallow;                /* contours cut off little, and have not been tried in vain */
    uint8_t *far;                /* per vertex: so far from what is tangled that it stays where it is … */
    weft_attachment_id *far_pin; /* … per object; generation 0: none */
    bool holds_far;              /* some are, and are held */
    weft_attachment_id *anchors; /* per object, as far_pin: draw it back */
    vec3 *shown;                 /* x of every vertex, for whoever watches; NULL: nobody does */
    vec3 *node;                  /* scratch: per node of a piece */
    double *ratio;               /* scratch: per edge */
    int32_t most_nodes;          /* of a piece */
    int64_t best_pairs;
    bool clean;               /* nothing of what is cloth crosses any more */
    int32_t first;            /* of the iterations of these attempts … */
    int32_t attempt, started; /* … which one this is, and its first iteration */
    int64_t least;            /* pairs that crossed, at its last progress … */
    int32_t progressed;       /* … which was at this iteration */
} repair;

/* Finds `at`, `far`, and what is known of the tangle (repair_marks.c). */
weft_result repair_look(repair *k, weft_error *e);
/* Area, lengths and angles at x over those of the input, into the report (repair_shape.c). */
void repair_measure_cloth(repair *k, const vec3 *x, double *scratch);
/* By these: it is the same cloth; nothing is left to relax. */
bool repair_is_same(const weft_untangle_report *p);
bool repair_is_relaxed(const weft_untangle_report *p);
double repair_triangle_area(const mesh_adjacency *w, const vec3 *x, int32_t ti);

/* The cloths, colliders and pins of the simulation. Anything but WEFT_OK: it cannot be cloth, or there is no memory. */
weft_result repair_stage(repair *k, weft_error *e);
/* What was far is free. */
weft_result repair_free_far(repair *k, weft_error *e);
/* Everything to where it began, at rest. */
weft_result repair_return(repair *k, weft_error *e);
/* From now on nodes are drawn back to where they began, by so weak springs that the air lets them come in some
 * REPAIR_RETURN seconds; or, if strength is not 0, by so much of the stretch stiffness, those that do not intrude. */
weft_result repair_anchor(repair *k, double strength, weft_error *e);
/* No longer. */
weft_result repair_weigh_anchor(repair *k, weft_error *e);
/* x from the simulation; and shows it. */
weft_result repair_take_positions(repair *k, weft_error *e);

#endif
