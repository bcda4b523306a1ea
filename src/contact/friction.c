/* SPDX-License-Identifier: MIT */
#include "contact/friction.h"

friction_state friction_at(const contact_term *c, const vec3 *x)
{
    double force = contact_force(c, x);
    return (friction_state){force, c->friction * force > 0 && v3_len(contact_way(c, x)) > c->slack};
}
