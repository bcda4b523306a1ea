/* SPDX-License-Identifier: MIT */
#include "contact/friction.h"

bool friction_renew(const contact_term *c, const vec3 *x, friction_state *f)
{
    vec3 way = contact_way(c, x);
    bool slid = f->slides;
    f->force = contact_force(c, x);
    bool beyond = c->k * v3_len(way) > c->friction * f->force;
    f->slides = beyond && (!slid || v3_dot(way, f->way) >= 0);
    f->way = way;
    return c->friction > 0 && f->slides != slid;
}
