/* SPDX-License-Identifier: MIT */
/* Placements: a panel flat in space, rolled round a cylinder, or round a cone. Flat ones and cones keep all lengths; a
 * cylinder does if rate · radius is 1, and else stretches the panel along u by that factor. Tubes round limbs may
 * be shorter than the panel, and wider. */
#include "garment/place.h"

#include "garment/curve.h"
#include "math/trig.h"

static vec3 point_on_cylinder(const weft_placement *p, vec2 at)
{
    double angle = p->angle + p->rate * (at.u - p->centre.u);
    return v3(p->radius * weft_sin(angle), at.v - p->centre.v, p->radius * weft_cos(angle));
}

/* A point of the limb's axis and its direction there. The corner is rounded by a parabola over a third of the shorter
 * part on either side; along it the parameter stands for the way, right to some per cent for bends below 60°. */
static vec3 point_on_limb_axis(const weft_limb *l, double s, vec3 *direction)
{
    vec3 a = v3_sub(l->joint[1], l->joint[0]), b = v3_sub(l->joint[2], l->joint[1]);
    double length = v3_len(a), cut = min_of(length, v3_len(b)) / 3;
    a = v3_unit_or(a, v3(0, -1, 0));
    b = v3_unit_or(b, a);
    if (s <= length - cut) {
        *direction = a;
        return v3_madd(l->joint[0], s, a);
    }
    if (s >= length + cut) {
        *direction = b;
        return v3_madd(l->joint[1], s - length, b);
    }
    double t = (s - length + cut) / (2 * cut);
    *direction = v3_unit_or(v3_madd(v3_scale(1 - t, a), t, b), a);
    return v3_madd(v3_madd(l->joint[1], -cut * (1 - t) * (1 - t), a), cut * t * t, b);
}

static vec3 point_on_limb(const weft_limb *l, vec2 at)
{
    double t = l->top > l->hem ? min_of(max_of((l->top - at.v) / (l->top - l->hem), 0.0), 1.0) : 0;
    double middle = (1 - t) * l->middle[0] + t * l->middle[1], width = (1 - t) * l->width[0] + t * l->width[1];
    double radius = (1 - t) * l->radius[0] + t * l->radius[1], angle = l->span * (at.u - middle) / width;
    double below = l->top - at.v;
    vec3 down, p = point_on_limb_axis(l, l->start + (below > 0 ? l->length * below : below), &down);
    vec3 z = v3_unit_or(v3_madd(l->outside, -v3_dot(l->outside, down), down), v3(0, 0, 1)), x = v3_cross(z, down);
    return v3_madd(v3_madd(p, radius * weft_sin(angle), x), radius * weft_cos(angle), z);
}

static vec3 point_on_cone(const weft_placement *p, vec2 at)
{
    vec2 d = v2_sub(at, p->centre);
    double rho = v2_len(d), phi = weft_atan2(d.v, d.u) - p->angle;
    while (phi > WEFT_PI)
        phi -= 2 * WEFT_PI;
    while (phi < -WEFT_PI)
        phi += 2 * WEFT_PI;
    double angle = phi / p->k, r = p->k * rho;
    return v3(r * weft_sin(angle), -(rho - p->rho) * sqrt(1 - p->k * p->k), r * weft_cos(angle));
}

weft_vec3 weft_placement_at(const weft_placement *placement, weft_vec2 drawn)
{
    if (!placement || placement->kind == WEFT_PLACEMENT_NONE)
        return v3(drawn.u, drawn.v, 0);
    if (placement->kind == WEFT_PLACEMENT_LIMB)
        return point_on_limb(&placement->limb, drawn);
    vec3 p = placement->kind == WEFT_PLACEMENT_CYLINDER ? point_on_cylinder(placement, drawn)
             : placement->kind == WEFT_PLACEMENT_CONE   ? point_on_cone(placement, drawn)
                                                        : v3(drawn.u, drawn.v, 0);
    mat3 r;
    for (int i = 0; i < 9; i++)
        r.m[i] = placement->rotation[i];
    return v3_add(m3_mul_v(r, p), placement->translation);
}

void garment_place(weft_garment *g, int32_t panel, const weft_placement *placement)
{
    const weft_garment_panel *p = &g->panels[panel];
    for (int32_t i = p->first_node; i < p->first_node + p->n_nodes; i++)
        g->positions[i] = weft_placement_at(placement, g->drawn[i]);
}

weft_result weft_garment_set_placement(weft_garment *garment, int32_t panel, const weft_placement *placement,
                                       weft_error *error)
{
    if (!garment || !placement || panel < 0 || panel >= garment->n_panels)
        return error_set(error, WEFT_ERROR_ARGUMENT, panel, "there is no panel %d, or an argument is NULL", panel);
    garment_place(garment, panel, placement);
    return WEFT_OK;
}
