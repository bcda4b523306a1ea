/* SPDX-License-Identifier: MIT */
/* Simulations out of tangles: vertices of each object become nodes of its cloth in their order. */
#include "tangle_scene.h"

#include <stdlib.h>
#include <string.h>

/* Vertices of an object, in their order; and its triangles by them. */
static int32_t take_object(tangle_scene *s, int32_t object, int32_t *n_triangles)
{
    const heap *h = &s->c->h;
    int32_t n = 0;
    *n_triangles = 0;
    for (int32_t i = 0; i < h->n_nodes; i++)
        s->first[i] = -1;
    for (int32_t ti = 0; ti < h->n_triangles; ti++)
        for (int k = 0; k < 3 && h->objects[ti] == object; k++)
            s->first[h->triangles[3 * (size_t)ti + (size_t)k]] = 0;
    for (int32_t i = 0; i < h->n_nodes; i++)
        if (s->first[i] == 0) {
            s->node[n] = s->x[i];
            s->still[n] = s->rest ? s->rest[i] : s->x[i];
            s->of[n] = i;
            s->first[i] = n++;
        }
    for (int32_t ti = 0; ti < h->n_triangles; ti++)
        for (int k = 0; k < 3 && h->objects[ti] == object; k++)
            s->triangles[(*n_triangles)++] = s->first[h->triangles[3 * (size_t)ti + (size_t)k]];
    *n_triangles /= 3;
    return n;
}

static weft_result add_object(tangle_scene *s, int32_t object, weft_error *e)
{
    int32_t n_triangles, n = take_object(s, object, &n_triangles);
    if (s->c->is_collider[object]) {
        weft_collider_def d = weft_collider_def_default();
        weft_collider_id id;
        d.kind = WEFT_COLLIDER_MESH;
        d.vertices = s->node;
        d.n_vertices = n;
        d.triangles = s->triangles;
        d.n_triangles = n_triangles;
        return weft_collider_create(s->sim, &d, &id, e);
    }
    weft_mesh_def d = weft_mesh_def_default();
    d.positions = s->node;
    d.rest_positions = s->rest ? s->still : NULL;
    d.n_nodes = n;
    d.triangles = s->triangles;
    d.n_triangles = n_triangles;
    d.model.fabrics = s->fabric;
    d.model.n_fabrics = s->fabric != NULL;
    return weft_cloth_create_mesh(s->sim, &d, &s->cloth[object], e);
}

static weft_result add_tangle_objects(tangle_scene *s, weft_error *e)
{
    const tangle_case *c = s->c;
    weft_result r = WEFT_OK;
    for (int32_t i = 0; i < c->h.n_objects && r >= 0; i++)
        r = add_object(s, i, e);
    for (int32_t i = 0; i < c->n_solids && r >= 0; i++) {
        weft_collider_id id;
        r = weft_collider_create(s->sim, &c->solid, &id, e);
    }
    weft_layer layer = {s->cloth[c->layer.inner], s->cloth[c->layer.outer]};
    return r < 0 || c->n_layers == 0 ? r : weft_sim_set_layers(s->sim, &layer, 1, e);
}

bool tangle_scene_make(tangle_scene *s, const tangle_case *c, const weft_sim_def *def, const weft_fabric *fabric,
                       const weft_vec3 *x, const weft_vec3 *rest, weft_error *e)
{
    size_t n = (size_t)c->h.n_nodes;
    *s = (tangle_scene){.c = c, .fabric = fabric, .rest = rest};
    s->x = malloc(n * sizeof *s->x);
    s->node = malloc(n * sizeof *s->node);
    s->still = malloc(n * sizeof *s->still);
    s->first = malloc(n * sizeof *s->first);
    s->of = malloc(n * sizeof *s->of);
    s->triangles = malloc(3 * (size_t)c->h.n_triangles * sizeof *s->triangles);
    if (!s->x || !s->node || !s->still || !s->first || !s->of || !s->triangles)
        return false;
    memcpy(s->x, x ? x : c->h.x, n * sizeof *s->x);
    return weft_sim_create(def, &s->sim, e) >= 0 && add_tangle_objects(s, e) >= 0;
}

void tangle_scene_free(tangle_scene *s)
{
    weft_sim_destroy(s->sim);
    free(s->x);
    free(s->node);
    free(s->still);
    free(s->first);
    free(s->of);
    free(s->triangles);
}

bool tangle_scene_take(tangle_scene *s, weft_error *e)
{
    const tangle_case *c = s->c;
    bool good = true;
    for (int32_t k = 0; k < c->h.n_objects && good; k++) {
        int32_t unused, n = take_object(s, k, &unused);
        if (c->is_collider[k])
            continue;
        good = weft_cloth_get_positions(s->sim, s->cloth[k], s->node, n, 0, e) >= 0;
        for (int32_t i = 0; i < n && good; i++)
            s->x[s->of[i]] = s->node[i];
    }
    return good;
}

bool tangle_scene_anchor(tangle_scene *s, const weft_vec3 *to, double stiffness, weft_attachment_id ids[8],
                         weft_error *e)
{
    bool good = true;
    for (int32_t k = 0; k < s->c->h.n_objects && good; k++) {
        int32_t unused, n = take_object(s, k, &unused);
        weft_attachment_def d = weft_attachment_def_default();
        if (s->c->is_collider[k])
            continue;
        for (int32_t i = 0; i < n; i++) {
            s->still[i] = to[s->of[i]];
            s->triangles[i] = i;
        }
        d.kind = WEFT_ATTACH_SOFT;
        d.cloth = s->cloth[k];
        d.nodes = s->triangles;
        d.targets = s->still;
        d.n_nodes = n;
        d.stiffness = stiffness;
        good = weft_attachment_create(s->sim, &d, &ids[k], e) >= 0;
    }
    return good;
}
