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

/* How one of the closest points moves past the other on the way to x1. */
vec3 pair_relative_way(const pair_set *s, const contact_pair *p, const gap *g, const vec3 *x1);

/* The numbers in the list of pairs that are near, in the order of their primitives' numbers: s->chosen, *n of them. */
bool pair_choose(pair_set *s, const verlet_list *list, const vec3 *x1, int32_t *n);

#endif
