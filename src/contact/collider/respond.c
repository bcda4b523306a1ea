/* SPDX-License-Identifier: MIT */
/* provot1997 §3: Coulomb's law with velocities in place of forces, and a bounce. In the frame of the surface, with
 * v = v_T + v_N before the impact:
 *
 *     v' = v_T − k_f |v_N| v_T / |v_T| − k_d v_N   if |v_T| ≥ k_f |v_N|   (slides)
 *     v' = −k_d v_N                                 if not                 (sticks)
 *
 * The paper takes the velocity of a triangle's centre of mass for the surface's; here the caller gives it at the point
 * of contact, so that spinning surfaces drag along. */
#include "contact/collider/respond.h"

vec3 respond_velocity(vec3 v, vec3 v_collider, vec3 normal, double k_f, double k_d)
{
    vec3 relative = v3_sub(v, v_collider);
    double approach = v3_dot(relative, normal);
    if (!(approach < 0))
        return v;
    vec3 v_n = v3_scale(approach, normal), v_t = v3_sub(relative, v_n);
    double slide = v3_len(v_t), loss = k_f * -approach;
    vec3 kept = slide > loss ? v3_scale(1 - loss / slide, v_t) : v3_zero(); /* eq. 4; zero at equality in both cases */
    return v3_add(v_collider, v3_madd(kept, -k_d, v_n));
}
