/* SPDX-License-Identifier: MIT */
/* One call of each function of the API. */
#include "sim/callback_calls.h"

#include <stdlib.h>

#include "sim/kit.h"

enum { SHEET = 24, PATCH = 3 };

/* ---- changing ---------------------------------------------------------------------------------------------------- */

static weft_result call_step(call_world *w, weft_error *e)
{
    return weft_sim_step(w->sim, 0.01, NULL, e);
}

static weft_result call_restore(call_world *w, weft_error *e)
{
    return weft_sim_restore(w->sim, w->snapshot, w->snapshot_size, e);
}

static weft_result call_restore_cloths(call_world *w, weft_error *e)
{
    return weft_sim_restore_cloths(w->sim, w->snapshot, w->snapshot_size, e);
}

static weft_result call_set_wind(call_world *w, weft_error *e)
{
    return weft_sim_set_wind(w->sim, (weft_vec3){1, 0, 0}, e);
}

static weft_result call_set_gravity(call_world *w, weft_error *e)
{
    return weft_sim_set_gravity(w->sim, (weft_vec3){1, 0, 0}, e);
}

static weft_result call_set_air_viscosity(call_world *w, weft_error *e)
{
    return weft_sim_set_air_viscosity(w->sim, 1, e);
}

static weft_result call_create_grid(call_world *w, weft_error *e)
{
    weft_grid_def d = kit_grid_def(3, 0.1, 3, 3);
    weft_cloth_id id;
    return weft_cloth_create_grid(w->sim, &d, &id, e);
}

static weft_result call_create_mesh(call_world *w, weft_error *e)
{
    kit_mesh m = kit_patch(3, 3, 0.1, 0.1, 1, 0, 1);
    weft_mesh_def d = kit_mesh_def(&m);
    weft_cloth_id id;
    weft_result r = weft_cloth_create_mesh(w->sim, &d, &id, e);
    kit_mesh_free(&m);
    return r;
}

static weft_result call_remove_cloth(call_world *w, weft_error *e)
{
    return weft_cloth_remove(w->sim, w->patch, e);
}

static weft_result call_set_adapt(call_world *w, weft_error *e)
{
    weft_adapt a = weft_adapt_default();
    return weft_cloth_set_adapt(w->sim, w->sheet, &a, e);
}

static weft_result call_set_shape(call_world *w, weft_error *e)
{
    return weft_cloth_set_shape(w->sim, w->sheet, w->shape, w->shape_size, e);
}

static weft_result call_set_positions(call_world *w, weft_error *e)
{
    weft_vec3 x[PATCH * PATCH] = {{0, 0, 0}};
    return weft_cloth_set_positions(w->sim, w->patch, x, PATCH * PATCH, e);
}

static weft_result call_set_velocities(call_world *w, weft_error *e)
{
    weft_vec3 v[PATCH * PATCH] = {{1, 0, 0}};
    return weft_cloth_set_velocities(w->sim, w->patch, v, PATCH * PATCH, e);
}

static weft_result call_create_collider(call_world *w, weft_error *e)
{
    weft_collider_def d = weft_collider_def_default();
    weft_collider_id id;
    d.position = (weft_vec3){0, -5, 0};
    return weft_collider_create(w->sim, &d, &id, e);
}

static weft_result call_remove_collider(call_world *w, weft_error *e)
{
    return weft_collider_remove(w->sim, w->ball, e);
}

static weft_result call_set_pose(call_world *w, weft_error *e)
{
    return weft_collider_set_pose(w->sim, w->ball, (weft_vec3){0, -3, 0}, (weft_quat){0, 0, 0, 1}, e);
}

static weft_result call_set_fabric(call_world *w, weft_error *e)
{
    weft_fabric fabric = weft_fabric_default();
    return weft_cloth_set_fabric(w->sim, w->sheet, 0, &fabric, e);
}

static weft_result call_add_nodes(call_world *w, weft_error *e)
{
    const int32_t node = 3;
    return weft_attachment_add_nodes(w->sim, w->pin, &node, NULL, 1, e);
}

static weft_result call_drop_nodes(call_world *w, weft_error *e)
{
    const int32_t node = 0;
    return weft_attachment_drop_nodes(w->sim, w->pin, &node, 1, e);
}

static weft_result call_set_keys(call_world *w, weft_error *e)
{
    const weft_key key = {0, {0, -3, 0}, {0, 0, 0, 1}};
    return weft_collider_set_keys(w->sim, w->ball, &key, 1, e);
}

static weft_result call_set_cloth_filter(call_world *w, weft_error *e)
{
    return weft_cloth_set_filter(w->sim, w->sheet, weft_filter_default(), e);
}

static weft_result call_set_collider_filter(call_world *w, weft_error *e)
{
    return weft_collider_set_filter(w->sim, w->ball, weft_filter_default(), e);
}

static weft_result call_set_cloth_side(call_world *w, weft_error *e)
{
    return weft_cloth_set_side(w->sim, w->sheet, WEFT_SIDE_OUT, e);
}

static weft_result call_set_collider_side(call_world *w, weft_error *e)
{
    return weft_collider_set_side(w->sim, w->ball, WEFT_SIDE_OUT, e);
}

static weft_result call_set_layers(call_world *w, weft_error *e)
{
    return weft_sim_set_layers(w->sim, NULL, 0, e);
}

static weft_result call_set_friction(call_world *w, weft_error *e)
{
    return weft_collider_set_friction(w->sim, w->ball, 0.5, 0.5, e);
}

static weft_result call_set_vertices(call_world *w, weft_error *e)
{
    weft_vec3 x[12] = {{0, 9, 0}};
    return weft_collider_set_vertices(w->sim, w->body, x, 12, e);
}

static weft_result call_place_vertices(call_world *w, weft_error *e)
{
    weft_vec3 x[12] = {{0, 9, 0}};
    return weft_collider_place_vertices(w->sim, w->body, x, 12, e);
}

static weft_result call_create_attachment(call_world *w, weft_error *e)
{
    const int32_t node = PATCH;
    weft_attachment_def d = weft_attachment_def_default();
    weft_attachment_id id;
    d.cloth = w->patch;
    d.nodes = &node;
    d.n_nodes = 1;
    return weft_attachment_create(w->sim, &d, &id, e);
}

static weft_result call_remove_attachment(call_world *w, weft_error *e)
{
    return weft_attachment_remove(w->sim, w->pin, e);
}

static weft_result call_set_targets(call_world *w, weft_error *e)
{
    const weft_vec3 target = {0, 1, 0};
    return weft_attachment_set_targets(w->sim, w->pin, &target, 1, e);
}

static weft_result call_create_tie(call_world *w, weft_error *e)
{
    const int32_t a = 1, b = 5;
    weft_tie_def d = weft_tie_def_default();
    weft_tie_id id;
    d.cloth_a = d.cloth_b = w->patch;
    d.nodes_a = &a;
    d.nodes_b = &b;
    d.n_pairs = 1;
    return weft_tie_create(w->sim, &d, &id, e);
}

static weft_result call_remove_tie(call_world *w, weft_error *e)
{
    return weft_tie_remove(w->sim, w->tie, e);
}

static weft_result call_set_pull(call_world *w, weft_error *e)
{
    const double stiffness = 5, length = 0.01;
    return weft_tie_set_pull(w->sim, w->tie, &stiffness, &length, 1, e);
}

static weft_result call_weld(call_world *w, weft_error *e)
{
    return weft_tie_weld(w->sim, w->tie, 10, e);
}

const api_call changing_calls[] = {
    {"weft_sim_step", call_step},
    {"weft_sim_restore", call_restore},
    {"weft_sim_restore_cloths", call_restore_cloths},
    {"weft_sim_set_wind", call_set_wind},
    {"weft_sim_set_gravity", call_set_gravity},
    {"weft_sim_set_air_viscosity", call_set_air_viscosity},
    {"weft_cloth_create_grid", call_create_grid},
    {"weft_cloth_create_mesh", call_create_mesh},
    {"weft_cloth_remove", call_remove_cloth},
    {"weft_cloth_set_adapt", call_set_adapt},
    {"weft_cloth_set_shape", call_set_shape},
    {"weft_cloth_set_positions", call_set_positions},
    {"weft_cloth_set_velocities", call_set_velocities},
    {"weft_collider_create", call_create_collider},
    {"weft_collider_remove", call_remove_collider},
    {"weft_collider_set_keys", call_set_keys},
    {"weft_collider_set_pose", call_set_pose},
    {"weft_cloth_set_fabric", call_set_fabric},
    {"weft_attachment_add_nodes", call_add_nodes},
    {"weft_attachment_drop_nodes", call_drop_nodes},
    {"weft_cloth_set_filter", call_set_cloth_filter},
    {"weft_collider_set_filter", call_set_collider_filter},
    {"weft_cloth_set_side", call_set_cloth_side},
    {"weft_collider_set_side", call_set_collider_side},
    {"weft_sim_set_layers", call_set_layers},
    {"weft_collider_set_friction", call_set_friction},
    {"weft_collider_set_vertices", call_set_vertices},
    {"weft_collider_place_vertices", call_place_vertices},
    {"weft_attachment_create", call_create_attachment},
    {"weft_attachment_remove", call_remove_attachment},
    {"weft_attachment_set_targets", call_set_targets},
    {"weft_tie_create", call_create_tie},
    {"weft_tie_remove", call_remove_tie},
    {"weft_tie_set_pull", call_set_pull},
    {"weft_tie_weld", call_weld},
};
const int n_changing_calls = sizeof changing_calls / sizeof *changing_calls;

/* ---- reading ----------------------------------------------------------------------------------------------------- */

/* Room for any answer about any of it. */
enum { ROOM = 4096 };

typedef union answer {
    weft_vec3 vectors[ROOM];
    weft_vec2 pairs[ROOM];
    double numbers[3 * ROOM];
    int32_t indices[3 * ROOM];
    uint8_t bytes[ROOM];
} answer;

static weft_result call_get_squeezed(call_world *w, weft_error *e)
{
    int32_t n;
    return weft_sim_get_squeezed(w->sim, NULL, 0, &n, e);
}

static weft_result call_snapshot(call_world *w, weft_error *e)
{
    size_t size;
    weft_result r = weft_sim_snapshot(w->sim, NULL, &size, e);
    if (r < 0)
        return r;
    void *bytes = malloc(size);
    r = bytes ? weft_sim_snapshot(w->sim, bytes, &size, e) : WEFT_ERROR_MEMORY;
    free(bytes);
    return r;
}

static weft_result call_get_info(call_world *w, weft_error *e)
{
    weft_cloth_info info;
    return weft_cloth_get_info(w->sim, w->sheet, &info, e);
}

static weft_result call_get_positions(call_world *w, weft_error *e)
{
    answer a;
    return weft_cloth_get_positions(w->sim, w->sheet, a.vectors, ROOM, 0, e);
}

static weft_result call_get_velocities(call_world *w, weft_error *e)
{
    answer a;
    return weft_cloth_get_velocities(w->sim, w->sheet, a.vectors, ROOM, 0, e);
}

static weft_result call_get_positions_float(call_world *w, weft_error *e)
{
    answer a;
    return weft_cloth_get_positions_float(w->sim, w->sheet, (float *)a.vectors, ROOM, 0, e);
}

static weft_result call_get_velocities_float(call_world *w, weft_error *e)
{
    answer a;
    return weft_cloth_get_velocities_float(w->sim, w->sheet, (float *)a.vectors, ROOM, 0, e);
}

static weft_result call_get_normals_float(call_world *w, weft_error *e)
{
    answer a;
    return weft_cloth_get_normals_float(w->sim, w->sheet, (float *)a.vectors, ROOM, 0, e);
}

static weft_result call_get_fabric(call_world *w, weft_error *e)
{
    weft_fabric fabric;
    return weft_cloth_get_fabric(w->sim, w->sheet, 0, &fabric, e);
}

static weft_result call_get_nodes(call_world *w, weft_error *e)
{
    int32_t n;
    return weft_attachment_get_nodes(w->sim, w->pin, NULL, &n, e);
}

static weft_result call_get_normals(call_world *w, weft_error *e)
{
    answer a;
    return weft_cloth_get_normals(w->sim, w->sheet, a.vectors, ROOM, 0, e);
}

static weft_result call_get_masses(call_world *w, weft_error *e)
{
    answer a;
    return weft_cloth_get_masses(w->sim, w->sheet, a.numbers, ROOM, e);
}

static weft_result call_get_pressures(call_world *w, weft_error *e)
{
    answer a;
    return weft_cloth_get_pressures(w->sim, w->sheet, a.numbers, ROOM, e);
}

static weft_result call_get_uv(call_world *w, weft_error *e)
{
    answer a;
    return weft_cloth_get_uv(w->sim, w->sheet, a.pairs, ROOM, e);
}

static weft_result call_get_triangles(call_world *w, weft_error *e)
{
    answer a;
    return weft_cloth_get_triangles(w->sim, w->sheet, a.indices, ROOM, e);
}

static weft_result call_get_rest_lengths(call_world *w, weft_error *e)
{
    answer a;
    return weft_cloth_get_rest_lengths(w->sim, w->sheet, a.numbers, ROOM, e);
}

static weft_result call_get_levels(call_world *w, weft_error *e)
{
    answer a;
    return weft_cloth_get_levels(w->sim, w->sheet, a.bytes, ROOM, e);
}

static weft_result call_get_panels(call_world *w, weft_error *e)
{
    answer a;
    return weft_cloth_get_panels(w->sim, w->sheet, a.indices, ROOM, e);
}

static weft_result call_get_shape(call_world *w, weft_error *e)
{
    size_t size;
    return weft_cloth_get_shape(w->sim, w->sheet, NULL, &size, e);
}

static weft_result call_get_uniform(call_world *w, weft_error *e)
{
    weft_uniform u = {0};
    return weft_cloth_get_uniform(w->sim, w->patch, 1, &u, e);
}

static weft_result call_get_cloth_filter(call_world *w, weft_error *e)
{
    weft_filter filter;
    return weft_cloth_get_filter(w->sim, w->sheet, &filter, e);
}

static weft_result call_get_collider_filter(call_world *w, weft_error *e)
{
    weft_filter filter;
    return weft_collider_get_filter(w->sim, w->ball, &filter, e);
}

static weft_result call_get_cloth_side(call_world *w, weft_error *e)
{
    weft_untangle_side side;
    return weft_cloth_get_side(w->sim, w->sheet, &side, e);
}

static weft_result call_get_collider_side(call_world *w, weft_error *e)
{
    weft_untangle_side side;
    return weft_collider_get_side(w->sim, w->ball, &side, e);
}

static weft_result call_get_layers(call_world *w, weft_error *e)
{
    int32_t n;
    return weft_sim_get_layers(w->sim, NULL, 0, &n, e);
}

static weft_result call_get_friction(call_world *w, weft_error *e)
{
    double friction;
    return weft_collider_get_friction(w->sim, w->ball, &friction, NULL, e);
}

static weft_result call_get_pose(call_world *w, weft_error *e)
{
    weft_vec3 p;
    return weft_collider_get_pose(w->sim, w->ball, &p, NULL, e);
}

static weft_result call_get_vertices(call_world *w, weft_error *e)
{
    weft_vec3 x[12];
    return weft_collider_get_vertices(w->sim, w->body, x, 12, e);
}

static weft_result call_get_mesh_triangles(call_world *w, weft_error *e)
{
    int32_t t[60];
    return weft_collider_get_triangles(w->sim, w->body, t, 20, e);
}

static weft_result call_get_mesh_info(call_world *w, weft_error *e)
{
    weft_collider_info info;
    return weft_collider_get_info(w->sim, w->body, &info, e);
}

static weft_result call_get_force(call_world *w, weft_error *e)
{
    weft_vec3 f;
    return weft_collider_get_force(w->sim, w->ball, &f, NULL, e);
}

static weft_result call_get_clearance(call_world *w, weft_error *e)
{
    double d;
    weft_result r = weft_collider_get_clearance(w->sim, w->ball, w->sheet, &d, e);
    return r < 0 ? r : weft_collider_get_clearance(w->sim, w->body, w->patch, &d, e);
}

static weft_result call_get_pin_force(call_world *w, weft_error *e)
{
    weft_vec3 f;
    return weft_attachment_get_force(w->sim, w->pin, &f, NULL, 0, e);
}

const api_call reading_calls[] = {
    {"weft_sim_get_squeezed", call_get_squeezed},
    {"weft_sim_snapshot", call_snapshot},
    {"weft_cloth_get_info", call_get_info},
    {"weft_cloth_get_positions", call_get_positions},
    {"weft_cloth_get_velocities", call_get_velocities},
    {"weft_cloth_get_normals", call_get_normals},
    {"weft_cloth_get_positions_float", call_get_positions_float},
    {"weft_cloth_get_velocities_float", call_get_velocities_float},
    {"weft_cloth_get_normals_float", call_get_normals_float},
    {"weft_cloth_get_fabric", call_get_fabric},
    {"weft_attachment_get_nodes", call_get_nodes},
    {"weft_cloth_get_masses", call_get_masses},
    {"weft_cloth_get_pressures", call_get_pressures},
    {"weft_cloth_get_uv", call_get_uv},
    {"weft_cloth_get_triangles", call_get_triangles},
    {"weft_cloth_get_rest_lengths", call_get_rest_lengths},
    {"weft_cloth_get_levels", call_get_levels},
    {"weft_cloth_get_panels", call_get_panels},
    {"weft_cloth_get_shape", call_get_shape},
    {"weft_cloth_get_uniform", call_get_uniform},
    {"weft_cloth_get_filter", call_get_cloth_filter},
    {"weft_collider_get_filter", call_get_collider_filter},
    {"weft_cloth_get_side", call_get_cloth_side},
    {"weft_collider_get_side", call_get_collider_side},
    {"weft_sim_get_layers", call_get_layers},
    {"weft_collider_get_friction", call_get_friction},
    {"weft_collider_get_pose", call_get_pose},
    {"weft_collider_get_vertices", call_get_vertices},
    {"weft_collider_get_triangles", call_get_mesh_triangles},
    {"weft_collider_get_info", call_get_mesh_info},
    {"weft_collider_get_force", call_get_force},
    {"weft_collider_get_clearance", call_get_clearance},
    {"weft_attachment_get_force", call_get_pin_force},
};
const int n_reading_calls = sizeof reading_calls / sizeof *reading_calls;

/* ---- where they are made ----------------------------------------------------------------------------------------- */

static weft_collider_id add_body(weft_sim *sim)
{
    kit_mesh m = kit_icosphere(0, 0.1);
    weft_collider_def d = weft_collider_def_default();
    weft_collider_id id;
    d.kind = WEFT_COLLIDER_MESH;
    d.position = (weft_vec3){2, 2, 2};
    d.vertices = m.x;
    d.n_vertices = m.n_nodes;
    d.triangles = m.triangles;
    d.n_triangles = m.n_triangles;
    kit_must(weft_collider_create(sim, &d, &id, NULL), NULL);
    kit_mesh_free(&m);
    return id;
}

static weft_tie_id add_tie(const call_world *w)
{
    const int32_t a = 0, b = PATCH * PATCH - 1;
    weft_tie_def d = weft_tie_def_default();
    weft_tie_id id;
    d.cloth_a = d.cloth_b = w->patch;
    d.nodes_a = &a;
    d.nodes_b = &b;
    d.n_pairs = 1;
    kit_must(weft_tie_create(w->sim, &d, &id, NULL), NULL);
    return id;
}

void call_world_fill(call_world *w, const weft_sim_def *def, weft_size_fn size, void *size_user)
{
    const int32_t corner = 0;
    weft_error e = {0};
    weft_grid_def sheet = kit_grid_def(SHEET, 0.5, 0, 0);
    sheet.model.adapt = weft_adapt_default();
    sheet.model.adapt.max_level = 1;
    sheet.model.adapt.interval = 0;
    sheet.model.adapt.size = size;
    sheet.model.adapt.size_user = size_user;
    kit_must(weft_sim_create(def, &w->sim, &e), &e);
    kit_must(weft_cloth_create_grid(w->sim, &sheet, &w->sheet, &e), &e);
    w->patch = kit_grid(w->sim, PATCH, 0.1, 1, 0);
    w->ball = kit_sphere(w->sim, 0.1, (weft_vec3){0.25, -0.12, 0.25});
    w->body = add_body(w->sim);
    w->pin = kit_pin(w->sim, w->sheet, 1, &corner);
    w->tie = add_tie(w);
}

void call_world_take(call_world *w)
{
    kit_must(weft_sim_snapshot(w->sim, NULL, &w->snapshot_size, NULL), NULL);
    kit_must(weft_cloth_get_shape(w->sim, w->sheet, NULL, &w->shape_size, NULL), NULL);
    w->snapshot = malloc(w->snapshot_size);
    w->shape = malloc(w->shape_size + 1);
    kit_must(weft_sim_snapshot(w->sim, w->snapshot, &w->snapshot_size, NULL), NULL);
    kit_must(weft_cloth_get_shape(w->sim, w->sheet, w->shape, &w->shape_size, NULL), NULL);
}

void call_world_empty(call_world *w)
{
    free(w->snapshot);
    free(w->shape);
    weft_sim_destroy(w->sim);
    *w = (call_world){0};
}
