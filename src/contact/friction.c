/* SPDX-License-Identifier: MIT */
/* Coulomb's law with a lagged normal force: between Newton steps the force is renewed, and the contact slides if the
 * spring that would hold it pulls by more than the cone. A contact without a slack that slid, and whose way now turns
 * back and is shorter than it was, sticks again: else it would swing to and fro across its anchor. */
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
