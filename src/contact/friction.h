/* SPDX-License-Identifier: MIT */
/* Of a contact's friction, from Newton step to Newton step. */
#ifndef WEFT_CONTACT_FRICTION_H
#define WEFT_CONTACT_FRICTION_H

#include "solve/contact_term.h"

typedef struct friction_state {
    double force; /* normal, lagged, N */
    bool slides;
    bool gives; /* of a collider, for the whole step: with a slack */
} friction_state;

/* The normal force, as it is given, and whether the contact sticks or slides, at x; both are kept while one Newton step
 * looks for its length, and renewed between steps. last: the way when it was renewed last, in and out; may be NULL with
 * a slack. Returns whether it changed between sticking and sliding; with a slack that is no decision, and never
 * returned. */
bool friction_renew(const contact_term *c, const vec3 *x, double force, friction_state *f, vec3 *last);

#endif
