/* SPDX-License-Identifier: MIT */
/* Five sheets that come to rest on each other on a plane: each should be its thickness above the one below. */
#include "contact_scenes.h"
#include "contact_vec.h"

static const double layer_size = 0.1, layer_gap = 2e-3, layer_turn = 0.12217; /* m, m, 7° */

static weft_result add_layer(weft_sim *sim, const contact_layers_def *def, int i, weft_cloth_id *out, weft_error *e)
{
    contact_mesh m;
    weft_fabric cotton;
    double c = cos(i * layer_turn), s = sin(i * layer_turn), half = 0.5 * layer_size;
    weft_vec3 axis_u = {c, 0, -s}, axis_v = {-s, 0, -c};
    weft_vec3 corner = cv_scale(-half, cv_add(axis_u, axis_v));
    corner.y = (i + 1) * (def->thickness + layer_gap);
    weft_result r = weft_fabric_find("cotton", &cotton, e);
    cotton.thickness = def->thickness;
    r = r < 0 ? r : contact_mesh_rectangle(&m, CONTACT_QUADS, layer_size, layer_size, def->edge);
    if (r < 0)
        return r;
    contact_mesh_place(&m, corner, axis_u, axis_v);
    r = contact_mesh_weave(sim, &m, &cotton, (weft_vec3){0, 0, 0}, out, e);
    contact_mesh_free(&m);
    return r;
}

/* How high the surface is straight below or above p; NaN: it is not there. */
static double height_at(const contact_nodes *n, weft_vec3 p)
{
    for (int32_t t = 0; t < n->n_triangles; t++) {
        weft_vec3 a = n->x[n->triangles[3 * t]], b = n->x[n->triangles[3 * t + 1]], c = n->x[n->triangles[3 * t + 2]];
        double area = (b.x - a.x) * (c.z - a.z) - (c.x - a.x) * (b.z - a.z);
        double u = ((p.x - a.x) * (c.z - a.z) - (c.x - a.x) * (p.z - a.z)) / area;
        double v = ((b.x - a.x) * (p.z - a.z) - (p.x - a.x) * (b.z - a.z)) / area;
        if (u >= 0 && v >= 0 && u + v <= 1)
            return a.y + u * (b.y - a.y) + v * (c.y - a.y);
    }
    return (double)NAN;
}

static bool is_amid(weft_vec2 uv)
{
    double far = fmax(fabs(uv.u - 0.5 * layer_size), fabs(uv.v - 0.5 * layer_size));
    return far <= 0.4 * layer_size + 1e-9;
}

/* Layer i above what is below it, in thicknesses. */
static void space_layer(const contact_nodes *n, const contact_nodes *below, int i, double thickness,
                        contact_layers *out)
{
    double sum = 0, least = HUGE_VAL;
    int32_t found = 0;
    for (int32_t k = 0; k < n->n; k++) {
        double floor = below ? height_at(below, n->x[k]) : 0;
        out->speed = fmax(out->speed, cv_length(n->v[k]));
        if (!is_amid(n->uv[k]) || isnan(floor))
            continue;
        sum += n->x[k].y - floor;
        least = fmin(least, n->x[k].y - floor);
        found++;
    }
    out->mean[i] = sum / found / thickness;
    out->least[i] = least / thickness;
}

static weft_result space_layers(const weft_sim *sim, const weft_cloth_id *cloths, double thickness, contact_layers *out,
                                weft_error *e)
{
    contact_nodes n[CONTACT_LAYERS] = {0};
    weft_result r = WEFT_OK;
    for (int i = 0; i < CONTACT_LAYERS && r >= 0; i++) {
        r = contact_nodes_read(&n[i], sim, cloths[i], e);
        if (r >= 0)
            space_layer(&n[i], i > 0 ? &n[i - 1] : NULL, i, thickness, out);
    }
    for (int i = 0; i < CONTACT_LAYERS; i++)
        contact_nodes_free(&n[i]);
    return r;
}

weft_result contact_layers_run(const contact_layers_def *def, contact_layers *out, weft_error *e)
{
    weft_sim *sim = NULL;
    weft_sim_def d = contact_sim_def();
    weft_cloth_id cloths[CONTACT_LAYERS];
    weft_collider_id id;
    weft_collider_def plane = weft_collider_def_default();
    *out = (contact_layers){0};
    *e = (weft_error){.text = "out of memory"};
    d.n_threads = def->n_threads;
    weft_result r = weft_sim_create(&d, &sim, e);
    r = r < 0 ? r : weft_collider_create(sim, &plane, &id, e);
    for (int i = 0; i < CONTACT_LAYERS && r >= 0; i++)
        r = add_layer(sim, def, i, &cloths[i], e);
    for (int k = 0; k < lround(def->seconds / def->h) && r >= 0; k++)
        r = weft_sim_step(sim, def->h, NULL, e);
    r = r < 0 ? r : space_layers(sim, cloths, def->thickness, out, e);
    weft_sim_destroy(sim);
    return r;
}
