/* SPDX-License-Identifier: MIT */
/* Of a contact's friction, from Newton step to Newton step. */
#ifndef WEFT_CONTACT_FRICTION_H
#define WEFT_CONTACT_FRICTION_H

#include "solve/contact_term.h"

typedef struct friction_state {
    double force; /* normal, lagged, N */
    bool slides;
} friction_state;

/* At x; kept while one Newton step looks for its length, and renewed between steps. */
friction_state friction_at(const contact_term *c, const vec3 *x);

#endif
