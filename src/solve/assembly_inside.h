/* SPDX-License-Identifier: MIT */
/* What the parts of the assembly share: the plan (assembly_plan.c), evaluation (assembly.c), damping and elastic
 * energies (assembly_past.c), sharing of angles (assembly_tilt.c). */
#ifndef WEFT_SOLVE_ASSEMBLY_INSIDE_H
#define WEFT_SOLVE_ASSEMBLY_INSIDE_H

#include "solve/assembly.h"

/* Places (blockmat_place) are of the pairs of an element's nodes: (0, 1), (0, 2) … An element whose first place is
 * PLACE_NONE is not plain: one of its nodes follows others, or occurs twice. */
#define PLACE_NONE INT32_MIN
#define ELEMENT_PAIRS(n) ((n) * ((n)-1) / 2)

/* How many a->places has of an element: of faces only the diagonal counts (assembly.c), springs have their own. */
static inline int places_of(force_kind kind)
{
    return kind == FORCE_FACE || kind == FORCE_SPRING ? 0 : ELEMENT_PAIRS(force_n_nodes(kind));
}

/* Batches, tasks, colours, and room for the places. The pattern is not needed yet. False without memory. */
bool assembly_plan(assembly *a);
void assembly_forget_plan(assembly *a);

/* a->x = T q. Returns whether a node is elsewhere than it was. */
bool assembly_move(assembly *a, const vec3 *q);

/* a->speed, of the scratch arena; false without memory. Then back to the mark from before. */
bool assembly_take_speed(assembly *a, arena_mark *before);
void assembly_release_speed(assembly *a, arena_mark before);

/* Angles of bend elements at a->x, which they keep (has_angles, once all have). */
void assembly_find_angles(assembly *a, const int32_t *items, int32_t n);

/* Clamps and the bends beside them, with the angles that bends keep. */
void assembly_couple_clamps(assembly *a);

/* The places for the matrix's present pattern. */
void assembly_place(assembly *a);

typedef void (*batch_fn)(void *run, const batch *b, double energy[FORCE_KINDS]);

/* Runs the body over all batches; by colour if batches write to shared degrees of freedom. Returns the sum of the
 * energies, which are zero before. */
double assembly_run(assembly *a, bool by_colour, batch_fn body, void *run);

/* The same, in any order, where energies are those of a run before. */
double assembly_run_on(assembly *a, batch_fn body, void *run);

static inline void *force_item(const forces *f, force_kind kind, int32_t i)
{
    return (char *)f->list[kind].items + (size_t)i * force_size(kind);
}

/* The next four of n items, the last one again where there are fewer; returns how many there are. */
static inline int pack_of(const int32_t *items, int32_t n, int32_t out[4])
{
    int m = n < 4 ? (int)n : 4;
    for (int k = 0; k < 4; k++)
        out[k] = items[k < m ? k : m - 1];
    return m;
}

static inline void gather_nodes(const vec3 *x, const int32_t *node, int n, vec3 *out)
{
    for (int j = 0; j < n; j++)
        out[j] = x[node[j]];
}

#endif
