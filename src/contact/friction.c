/* SPDX-License-Identifier: MIT */
#include "contact/friction.h"

bool friction_renew(const contact_term *c, const vec3 *x, friction_state *f, vec3 *last)
{
    vec3 way = contact_way(c, x);
    bool slid = f->slides;
    f->force = contact_force(c, x);
    double cone = c->friction * f->force;
    bool beyond = contact_stick(c, cone) * v3_len(way) > cone;
    f->slides = beyond && (c->slack > 0 || !slid || v3_dot(way, *last) >= 0);
    if (last)
        *last = way;
    return c->friction > 0 && c->slack == 0 && f->slides != slid;
}
