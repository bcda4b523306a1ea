/* SPDX-License-Identifier: MIT */
#include "contact/friction.h"

bool friction_renew(const contact_term *c, const vec3 *x, double force, friction_state *f, vec3 *last)
{
    vec3 way = contact_way(c, x);
    bool slid = f->slides;
    f->force = force;
    double cone = c->friction * force;
    bool beyond = contact_stick(c, cone) * v3_len(way) > cone;
    bool back = c->slack == 0 && v3_dot(way, *last) < 0 && v3_len_sq(way) < v3_len_sq(*last);
    f->slides = beyond && !(slid && back);
    if (last)
        *last = way;
    return c->friction > 0 && c->slack == 0 && f->slides != slid;
}
