/* SPDX-License-Identifier: MIT */
/* Placements: a panel flat in space, rolled round a cylinder, or round a cone. Flat ones and cones keep all lengths; a
 * cylinder does if rate · radius is 1, and else stretches the panel along u by that factor. */
#include "garment/place.h"

#include "garment/curve.h"
#include "math/trig.h"

static vec3 on_cylinder(const weft_placement *p, vec2 at)
{
    double angle = p->angle + p->rate * (at.u - p->centre.u);
    return v3(p->radius * weft_sin(angle), at.v - p->centre.v, p->radius * weft_cos(angle));
}

static vec3 on_cone(const weft_placement *p, vec2 at)
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
    vec3 p = placement->kind == WEFT_PLACEMENT_CYLINDER ? on_cylinder(placement, drawn)
             : placement->kind == WEFT_PLACEMENT_CONE   ? on_cone(placement, drawn)
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
