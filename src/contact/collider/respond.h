/* SPDX-License-Identifier: MIT */
/* The velocity of a point after it strikes a surface (provot1997 §3.3, eq. 4). */
#ifndef WEFT_CONTACT_COLLIDER_RESPOND_H
#define WEFT_CONTACT_COLLIDER_RESPOND_H

#include "math/vec.h"

/* v, v_collider: velocities of the point and of the surface where they meet, m/s. normal: of unit length, out of the
 * surface. k_f ≥ 0: friction. k_d in [0, 1]: 0 leaves nothing of the approach, 1 sends all of it back. A point that
 * does not approach keeps its velocity. */
vec3 respond_velocity(vec3 v, vec3 v_collider, vec3 normal, double k_f, double k_d);

#endif
