/* SPDX-License-Identifier: MIT */
/* Makes the simulation of a repair: every object a cloth at rest as it is, or a collider; without weight, in thick air.
 * Nodes at one vertex are sewn together; those without mobility are pinned. */
#include "repair/repair.h"

#include <string.h>

#include "base/error.h"
#include "repair/params.h"

static vec3 into_sim(const repair *k, vec3 x)
{
    return v3_scale(k->scale, v3_sub(x, k->centre));
}

static weft_fabric repair_fabric(const repair *k)
{
    weft_fabric f = weft_fabric_default();
    double edge = k->scale * k->edge, gap = max_of(k->def->gap, k->def->thickness);
    f.stretch_warp = f.stretch_weft = REPAIR_STRETCH;
    f.shear = REPAIR_SHEAR * REPAIR_STRETCH;
    f.bending_warp = f.bending_weft = REPAIR_BENDING * REPAIR_STRETCH * edge * edge;
    f.thickness = min_of(0.1, gap > 0 ? k->scale * gap : 0.02 * edge);
    f.friction = 0;
    f.stretch_limit = 0;
    return f;
}

static weft_result add_piece(repair *k, const piece *p, weft_error *e)
{
    weft_mesh_def d = weft_mesh_def_default();
    weft_fabric fabric = repair_fabric(k);
    for (int32_t i = 0; i < p->n_nodes; i++)
        k->node[i] = into_sim(k, k->x[p->vertex[i]]);
    d.n_nodes = p->n_nodes;
    d.positions = k->node;
    d.n_triangles = p->n_triangles;
    d.triangles = (const int32_t *)p->triangle;
    d.model.fabrics = &fabric;
    d.model.n_fabrics = 1;
    d.model.limit = WEFT_LIMIT_NONE;
    weft_untangle_side side = k->def->object_side ? k->def->object_side[p->object] : WEFT_SIDE_DYNAMIC;
    weft_result r = weft_cloth_create_mesh(k->sim, &d, &k->cloths[p->object], e);
    return r < 0 ? r : weft_cloth_set_side(k->sim, k->cloths[p->object], side, e);
}

/* Those between two objects that are cloth. */
static weft_result add_layers(repair *k, weft_error *e)
{
    const weft_untangle_def *d = k->def;
    weft_layer *layers = NULL;
    int32_t n = 0;
    if (!MEM_MAKE(&k->m, layers, d->n_layers))
        return error_memory(e);
    for (int32_t i = 0; i < d->n_layers; i++) {
        weft_layer l = {k->cloths[d->layers[i].inner], k->cloths[d->layers[i].outer]};
        if (l.inner.generation > 0 && l.outer.generation > 0)
            layers[n++] = l;
    }
    weft_result r = weft_sim_set_layers(k->sim, layers, n, e);
    MEM_FREE(&k->m, layers, d->n_layers);
    return r;
}

/* A node is far if its vertex is, and nothing else holds it. */
static bool is_pinned(const repair *k, const piece *p, int32_t i, bool far)
{
    bool fixed = k->def->masses && k->def->masses[p->vertex[i]] == 0;
    return far ? k->far[p->vertex[i]] && !fixed : fixed;
}

/* Of the vertices that do not move; or of those that are far. */
static weft_result pin_piece(repair *k, const piece *p, int32_t *nodes, bool far, weft_error *e)
{
    int32_t n = 0;
    for (int32_t i = 0; i < p->n_nodes; i++)
        if (is_pinned(k, p, i, far))
            nodes[n++] = i;
    weft_attachment_def d = weft_attachment_def_default();
    weft_attachment_id id;
    d.cloth = k->cloths[p->object];
    d.nodes = nodes;
    d.n_nodes = n;
    return n > 0 ? weft_attachment_create(k->sim, &d, far ? &k->far_pin[p->object] : &id, e) : WEFT_OK;
}

static weft_result remove_all(repair *k, weft_attachment_id *ids, weft_error *e)
{
    weft_result r = WEFT_OK;
    for (int32_t i = 0; i < k->def->n_objects && r >= 0; i++) {
        if (ids[i].generation > 0)
            r = weft_attachment_remove(k->sim, ids[i], e);
        ids[i] = (weft_attachment_id){0};
    }
    return r;
}

weft_result repair_free_far(repair *k, weft_error *e)
{
    k->holds_far = false;
    return remove_all(k, k->far_pin, e);
}

weft_result repair_weigh_anchor(repair *k, weft_error *e)
{
    return remove_all(k, k->anchors, e);
}

/* Sews the nodes of piece b to the first node at the same vertex, if that is of piece a. */
static weft_result sew_pieces(repair *k, int32_t a, int32_t b, const int32_t (*first)[2], int32_t *nodes, weft_error *e)
{
    const piece *p = &k->pieces.items[b];
    int32_t n = 0;
    for (int32_t i = 0; i < p->n_nodes; i++) {
        const int32_t *to = first[p->vertex[i]];
        if (to[0] != a || (a == b && to[1] == i))
            continue;
        nodes[n] = to[1];
        nodes[k->most_nodes + n++] = i;
    }
    if (n == 0)
        return WEFT_OK;
    weft_tie_def d = weft_tie_def_default();
    weft_tie_id id;
    d.cloth_a = k->cloths[k->pieces.items[a].object];
    d.cloth_b = k->cloths[p->object];
    d.nodes_a = nodes;
    d.nodes_b = nodes + k->most_nodes;
    d.n_pairs = n;
    weft_result r = weft_tie_create(k->sim, &d, &id, e);
    return r < 0 ? r : weft_tie_weld(k->sim, id, 1e-6, e);
}

static weft_result sew_all(repair *k, int32_t (*first)[2], int32_t *nodes, weft_error *e)
{
    weft_result r = WEFT_OK;
    memset(first, 0xff, (size_t)k->w.n_vertices * sizeof *first);
    for (int32_t a = 0; a < k->pieces.n; a++)
        for (int32_t i = 0; i < k->pieces.items[a].n_nodes; i++) {
            int32_t *to = first[k->pieces.items[a].vertex[i]];
            if (to[0] < 0)
                to[0] = a, to[1] = i;
        }
    for (int32_t b = 0; b < k->pieces.n; b++)
        for (int32_t a = 0; a <= b && r >= 0; a++)
            r = sew_pieces(k, a, b, (const int32_t(*)[2])first, nodes, e);
    return r;
}

static weft_result stage_collider(repair *k, int32_t object, int32_t *triangles, vec3 *x, weft_error *e)
{
    int32_t n = 0;
    for (int32_t ti = 0; ti < k->w.n_triangles; ti++)
        if ((k->def->objects ? k->def->objects[ti] : 0) == object && k->w.tri_edge[ti][0] >= 0)
            memcpy(triangles + 3 * (size_t)n++, k->w.tri[ti], sizeof k->w.tri[ti]);
    weft_collider_def d = weft_collider_def_default();
    weft_collider_id id;
    for (int32_t vi = 0; vi < k->w.n_vertices; vi++)
        x[vi] = into_sim(k, k->x[vi]);
    d.kind = WEFT_COLLIDER_MESH;
    d.vertices = x;
    d.n_vertices = k->w.n_vertices;
    d.triangles = triangles;
    d.n_triangles = n;
    if (n == 0)
        return WEFT_OK;
    weft_result r = weft_collider_create(k->sim, &d, &id, e);
    return r < 0 || !k->def->object_side ? r : weft_collider_set_side(k->sim, id, k->def->object_side[object], e);
}

static weft_result stage_solid(repair *k, const weft_collider_def *of, weft_error *e)
{
    weft_collider_def d = *of;
    weft_collider_id id;
    d.radius *= k->scale;
    d.height *= k->scale;
    d.size = v3_scale(k->scale, d.size);
    d.position = into_sim(k, d.position);
    d.keys = NULL;
    d.n_keys = 0;
    return weft_collider_create(k->sim, &d, &id, e);
}

static weft_result add_all(repair *k, int32_t *nodes, int32_t (*first)[2], int32_t *triangles, vec3 *x, weft_error *e)
{
    weft_result r = WEFT_OK;
    for (int32_t i = 0; i < k->pieces.n && r >= 0; i++)
        if (k->pieces.items[i].n_triangles > 0) {
            r = add_piece(k, &k->pieces.items[i], e);
            r = r < 0 ? r : pin_piece(k, &k->pieces.items[i], nodes, false, e);
            r = r < 0 ? r : pin_piece(k, &k->pieces.items[i], nodes, true, e);
        }
    r = r < 0 ? r : sew_all(k, first, nodes, e);
    r = r < 0 ? r : add_layers(k, e);
    for (int32_t i = 0; i < k->def->n_objects && r >= 0; i++)
        if (k->def->object_is_collider && k->def->object_is_collider[i])
            r = stage_collider(k, i, triangles, x, e);
    for (int32_t i = 0; i < k->def->n_colliders && r >= 0; i++)
        r = stage_solid(k, &k->def->colliders[i], e);
    return r;
}

weft_result repair_stage(repair *k, weft_error *e)
{
    weft_sim_def d = weft_sim_def_default();
    d.gravity = v3_zero();
    d.integrator = WEFT_INTEGRATOR_IMPLICIT;
    d.air_density = 0;
    d.air_viscosity = REPAIR_THICK_AIR;
    d.n_threads = k->def->n_threads;
    d.alloc = k->def->alloc;
    d.alloc_user = k->def->alloc_user;
    weft_result r = weft_sim_create(&d, &k->sim, e);
    int32_t *nodes = NULL, (*first)[2] = NULL, *triangles = NULL;
    vec3 *x = NULL;
    bool good = MEM_MAKE(&k->m, nodes, 2 * (int64_t)k->most_nodes);
    good = MEM_MAKE(&k->m, first, k->w.n_vertices) && good;
    good = MEM_MAKE(&k->m, triangles, 3 * (int64_t)k->w.n_triangles) && good;
    good = MEM_MAKE(&k->m, x, k->w.n_vertices) && good;
    r = r < 0 ? r : good ? add_all(k, nodes, first, triangles, x, e) : error_memory(e);
    MEM_FREE(&k->m, nodes, 2 * (int64_t)k->most_nodes);
    MEM_FREE(&k->m, first, k->w.n_vertices);
    MEM_FREE(&k->m, triangles, 3 * (int64_t)k->w.n_triangles);
    MEM_FREE(&k->m, x, k->w.n_vertices);
    return r;
}

/* Vertices at the same place stay together. */
static void show_positions(repair *k)
{
    for (int32_t vi = 0; vi < k->w.n_vertices; vi++)
        k->shown[vi] = k->x[k->w.same[vi]];
    k->def->watch(k->def->watch_user, k->report->n_iterations, k->shown);
}

weft_result repair_take_positions(repair *k, weft_error *e)
{
    weft_result r = WEFT_OK;
    for (int32_t i = 0; i < k->pieces.n && r >= 0; i++) {
        const piece *p = &k->pieces.items[i];
        if (p->n_triangles == 0)
            continue;
        r = weft_cloth_get_positions(k->sim, k->cloths[p->object], k->node, p->n_nodes, 0, e);
        for (int32_t vi = 0; vi < p->n_nodes && r >= 0; vi++)
            k->x[p->vertex[vi]] = v3_madd(k->centre, 1 / k->scale, k->node[vi]);
    }
    if (r >= 0 && k->shown)
        show_positions(k);
    return r;
}

/* Springs from the nodes of a piece to where they began. */
static weft_result anchor_piece(repair *k, const piece *p, double strength, int32_t *nodes, weft_error *e)
{
    double edge = k->scale * k->edge;
    int32_t n = 0;
    weft_attachment_def d = weft_attachment_def_default();
    for (int32_t i = 0; i < p->n_nodes; i++) {
        int32_t vi = k->w.same[p->vertex[i]];
        if (strength > 0 && k->at[vi] != 0)
            continue;
        nodes[n] = i;
        k->node[n++] = into_sim(k, k->start[vi]);
    }
    d.kind = WEFT_ATTACH_SOFT;
    d.cloth = k->cloths[p->object];
    d.nodes = nodes;
    d.targets = k->node;
    d.n_nodes = n;
    d.stiffness = strength > 0 ? strength * REPAIR_STRETCH : REPAIR_AIR * edge * edge / REPAIR_RETURN;
    return n > 0 ? weft_attachment_create(k->sim, &d, &k->anchors[p->object], e) : WEFT_OK;
}

weft_result repair_anchor(repair *k, double strength, weft_error *e)
{
    int32_t *nodes = NULL;
    weft_result r = MEM_MAKE(&k->m, nodes, k->most_nodes) ? WEFT_OK : error_memory(e);
    for (int32_t i = 0; i < k->pieces.n && r >= 0; i++)
        if (k->pieces.items[i].n_triangles > 0)
            r = anchor_piece(k, &k->pieces.items[i], strength, nodes, e);
    MEM_FREE(&k->m, nodes, k->most_nodes);
    return r;
}

weft_result repair_return(repair *k, weft_error *e)
{
    vec3 *still = NULL;
    weft_result r = MEM_MAKE(&k->m, still, k->most_nodes) ? WEFT_OK : error_memory(e);
    for (int32_t i = 0; i < k->pieces.n && r >= 0; i++) {
        const piece *p = &k->pieces.items[i];
        for (int32_t j = 0; j < p->n_nodes; j++)
            k->node[j] = into_sim(k, k->start[p->vertex[j]]);
        if (p->n_triangles == 0)
            continue;
        r = weft_cloth_set_positions(k->sim, k->cloths[p->object], k->node, p->n_nodes, e);
        r = r < 0 ? r : weft_cloth_set_velocities(k->sim, k->cloths[p->object], still, p->n_nodes, e);
    }
    MEM_FREE(&k->m, still, k->most_nodes);
    return r;
}
