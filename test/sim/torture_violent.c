/* SPDX-License-Identifier: MIT */
/* Hard scenes in which held nodes are moved fast: pins through a ring, a spinning blade. */
#include "sim/torture_parts.h"

#include <stdlib.h>
#include <string.h>

#include "math/trig.h"

const char *const torture_violent[TORTURE_VIOLENT] = {"ring", "propeller"};

static double speed_of(const torture_options *o)
{
    return o->speed > 0 ? o->speed : 3;
}

/* ---- the ring ---------------------------------------------------------------------------------------------------- */

enum { RING_ROUND = 48, RING_TUBE = 12 };

/* A torus about the y axis, through which a circle of radius middle − tube fits. */
static weft_result add_torus(torture *t, double middle, double tube, weft_error *e)
{
    weft_vec3 x[RING_ROUND * RING_TUBE];
    int32_t triangles[2 * RING_ROUND * RING_TUBE][3], n = 0;
    for (int32_t i = 0; i < RING_ROUND; i++)
        for (int32_t k = 0; k < RING_TUBE; k++) {
            double a = 2 * WEFT_PI * i / RING_ROUND, b = 2 * WEFT_PI * k / RING_TUBE;
            double r = middle + tube * weft_cos(b);
            int32_t j = (i + 1) % RING_ROUND, l = (k + 1) % RING_TUBE;
            int32_t corner[4] = {i * RING_TUBE + k, j * RING_TUBE + k, j * RING_TUBE + l, i * RING_TUBE + l};
            x[corner[0]] = (weft_vec3){r * weft_cos(a), tube * weft_sin(b), r * weft_sin(a)};
            memcpy(triangles[n++], (int32_t[3]){corner[0], corner[2], corner[1]}, sizeof *triangles);
            memcpy(triangles[n++], (int32_t[3]){corner[0], corner[3], corner[2]}, sizeof *triangles);
        }
    weft_collider_def d = weft_collider_def_default();
    d.kind = WEFT_COLLIDER_MESH;
    d.friction = 0.5;
    d.vertices = x;
    d.n_vertices = RING_ROUND * RING_TUBE;
    d.triangles = triangles[0];
    d.n_triangles = n;
    return torture_add_collider(t, &d, e);
}

/* Of 0.6 m through 0.14 m, by five nodes, 0.9 m down; then it is held there. */
static weft_result make_ring(torture *t, const torture_options *o, weft_error *e)
{
    double y = 0.03, way = 0.9, seconds = way / speed_of(o);
    const weft_key keys[2] = {{0.1, {0, y, 0}, {0, 0, 0, 1}}, {0.1 + seconds, {0, y - way, 0}, {0, 0, 0, 1}}};
    weft_result r = add_torus(t, 0.08, 0.01, e);
    r = r < 0 ? r : torture_add_level(t, o, 41, 0.6, (weft_vec3){0, y, 0}, 0.2, e);
    int32_t i = t->n_warp / 2, j = t->n_weft / 2, middle = i + t->n_warp * j;
    const int32_t nodes[5] = {middle, middle - 1, middle + 1, middle - t->n_warp, middle + t->n_warp};
    weft_attachment_def d = weft_attachment_def_default();
    weft_attachment_id id;
    d.cloth = t->cloths[0];
    d.nodes = nodes;
    d.n_nodes = 5;
    d.keys = keys;
    d.n_keys = 2;
    t->seconds = 0.1 + seconds + 0.3;
    return r < 0 ? r : weft_attachment_create(t->sim, &d, &id, e);
}

/* ---- the propeller ----------------------------------------------------------------------------------------------- */

enum { PROPELLER_QUARTERS = 64 };

/* A box from the axis outwards, which turns about it by keys a quarter of a turn apart. */
static weft_result add_blade(torture *t, double length, double turns_a_second, double seconds, weft_error *e)
{
    static const double half = 0.70710678118654752440;
    static const weft_quat quarters[4] = {{0, 0, 0, 1}, {0, half, 0, half}, {0, 1, 0, 0}, {0, half, 0, -half}};
    weft_key keys[PROPELLER_QUARTERS + 1];
    int32_t n = (int32_t)(4 * turns_a_second * seconds + 0.5);
    n = n < PROPELLER_QUARTERS ? n : PROPELLER_QUARTERS;
    for (int32_t k = 0; k <= n; k++)
        keys[k] = (weft_key){0.25 * k / turns_a_second, {0, 0, 0}, quarters[k % 4]};
    weft_collider_def d = weft_collider_def_default();
    d.kind = WEFT_COLLIDER_BOX;
    d.size = (weft_vec3){2 * length, 0.02, 0.02};
    d.keys = keys;
    d.n_keys = n + 1;
    return torture_add_collider(t, &d, e);
}

/* The sheet's upper side is held along one half of the blade, 1 mm below it, from 5 cm beside the axis outwards. */
static weft_result make_propeller(torture *t, const torture_options *o, weft_error *e)
{
    int32_t nodes[256], n = 0;
    double side = 0.4;
    weft_grid_def g = weft_grid_def_default();
    g.n_warp = g.n_weft = 31;
    g.size_warp = g.size_weft = side;
    g.corner = (weft_vec3){0.05, -0.0115, 0};
    g.axis_warp = (weft_vec3){1, 0, 0};
    g.axis_weft = (weft_vec3){0, -1, 0};
    t->seconds = 0.8;
    weft_result r = add_blade(t, side + 0.06, speed_of(o), t->seconds, e);
    r = r < 0 ? r : torture_add_cloth(t, o, g, e);
    for (; n < t->n_warp && n < 256; n++)
        nodes[n] = n;
    weft_attachment_def d = weft_attachment_def_default();
    weft_attachment_id id;
    d.kind = WEFT_ATTACH_COLLIDER;
    d.cloth = t->cloths[0];
    d.collider = t->colliders[0];
    d.nodes = nodes;
    d.n_nodes = n;
    return r < 0 ? r : weft_attachment_create(t->sim, &d, &id, e);
}

const torture_make torture_violent_makers[TORTURE_VIOLENT] = {make_ring, make_propeller};
