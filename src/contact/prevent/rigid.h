/* SPDX-License-Identifier: MIT */
/* The motion as one body that has the momentum and the angular momentum of some points' motions. */
#ifndef WEFT_CONTACT_PREVENT_RIGID_H
#define WEFT_CONTACT_PREVENT_RIGID_H

#include "math/vec.h"

/* Filled in two passes: rigid_add_mass for all points, rigid_add_spin for all points, then rigid_finish. */
typedef struct rigid {
    double mass;
    vec3 centre;   /* first sums, then the centre of mass */
    vec3 velocity; /* first momentum */
    mat3 inertia;  /* about the centre */
    vec3 angular;  /* momentum, about the centre */
    vec3 spin;
    int32_t pass;
} rigid;

void rigid_add_mass(rigid *r, double mass, vec3 x, vec3 v);
void rigid_add_spin(rigid *r, double mass, vec3 x, vec3 v);
void rigid_finish(rigid *r);

/* V + Ω × (x − centre). As a displacement it is linear in x, and I + t [Ω]× has the determinant 1 + t²|Ω|² > 0 and
 * shortens nothing: on the way, too, points that all move so stay as far apart as they were. */
vec3 rigid_velocity(const rigid *r, vec3 x);

#endif
