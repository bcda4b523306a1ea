/* SPDX-License-Identifier: MIT */
/* What near.c and near_find.c share. */
#ifndef WEFT_CONTACT_NEAR_INSIDE_H
#define WEFT_CONTACT_NEAR_INSIDE_H

#include "contact/near.h"
#include "contact/near_four.h"

/* Thickness and radius of a pair with these closest points; returns its distance at rest, HUGE_VAL: it is far then. */
double near_reach_of(const near_set *s, const near_pair *p, const gap *g, double *thickness, double *radius);

/* Of a pair whose sides are of one piece. */
double near_rest_distance(const near_set *s, const near_pair *p);

/* How one of the closest points moves past the other on the way to x1. */
vec3 near_relative_way(const near_set *s, const near_pair *p, const gap *g, const vec3 *x1);

/* The numbers in the list of pairs that are near, in the order of their primitives' numbers: s->chosen, *n of them. */
bool near_choose(near_set *s, const near_list *list, const vec3 *x1, int32_t *n);

#endif
