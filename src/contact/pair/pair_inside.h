/* SPDX-License-Identifier: MIT */
/* What pair_set.c and pair_find.c share. */
#ifndef WEFT_CONTACT_PAIR_PAIR_INSIDE_H
#define WEFT_CONTACT_PAIR_PAIR_INSIDE_H

#include "contact/pair/pair_set.h"
#include "contact/pair/pair_simd4.h"

/* Thickness and radius of a pair with these closest points; returns its distance at rest, HUGE_VAL: it is far then. */
double pair_reach_of(const pair_set *s, const contact_pair *p, const gap *g, double *thickness, double *radius);

/* Of a pair whose sides are of one piece. */
double pair_rest_distance(const pair_set *s, const contact_pair *p);

/* Whether contact of cloth with cloth is fine (WEFT_CONTACT_FINE). */
static inline bool pair_set_is_fine(const pair_set *s)
{
    return s->slow > 0;
}

/* From how far beyond its thickness a pair of cloth with weights w of its closest points may be felt at least, m
 * (pair_rest.c). */
double pair_rest_radius(const pair_set *s, const contact_pair *p, const double w[4]);

/* Whether a pair of cloth with closest points g of x0 comes nearer, or parts, slowly on the way to x1
 * (pair_lying.c). */
bool pair_lies(const pair_set *s, const contact_pair *p, const int32_t beside[4], const gap *g, const vec3 *x1);

/* The corners beside pair `at` of a list (pair_sides). */
void pair_beside(const pair_set *s, const verlet_list *list, int64_t at, int32_t beside[4]);

/* How one of the closest points moves past the other on the way to x1. */
vec3 pair_relative_way(const pair_set *s, const contact_pair *p, const gap *g, const vec3 *x1);

/* The numbers in the list of pairs that are near, in the order of their primitives' numbers: s->chosen, *n of them. */
bool pair_choose(pair_set *s, const verlet_list *list, const vec3 *x1, int32_t *n);

/* ---- pairs with meshes of colliders (pair_firm.c) ---------------------------------------------------------------- */

/* Whether there may be pairs that touch by their rules. */
static inline bool pair_set_has_firm(const pair_set *s)
{
    return s->n_nodes > s->n_cloth || pair_set_is_fine(s);
}

/* What is theirs, g of x0, but for where they touch. */
void firm_begin(pair_set *s, pair_state *st, const gap *g);
/* Friction of a pair that was none in the last step. */
void firm_recall(const pair_set *s, pair_state *st);
/* Before pairs begin. False without memory. */
bool firm_sum_memories(pair_set *s);
/* Once all have begun. */
void firm_find_sides(pair_set *s);
/* The term of pair i, closest points g of x, if it is one; whether it has begun to touch, or ended. */
bool firm_set(pair_set *s, int32_t i, const vec3 *x, const vec3 *x1, const gap *g);
/* It touches there, whatever lies beside. */
void firm_hit(pair_set *s, int32_t i, const pair_hit *hit, const vec3 *x1);
/* After terms have been set: corners belong to all triangles there. */
void firm_share_corners(pair_set *s);
/* Forces go to where vertices touch now; of_memory: those of the last step. */
void firm_share_forces(pair_set *s, bool of_memory);
/* All terms, at x. */
void firm_measure(pair_set *s, const vec3 *x, const vec3 *x1);
/* What friction f of its present place means for the next Newton step. */
void firm_renew(pair_state *st, contact_term *c, const friction_state *f, pair_piece *sums);

#endif
