/* SPDX-License-Identifier: MIT */
/* Wrong colliders, keys, attachments and ties. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include "sim/wrong.h"

#include <cmocka.h>

/* ---- colliders and keys ------------------------------------------------------------------------------------------ */

static const weft_quat upright = {0, 0, 0, 1};

#define COLLIDER(name, change)                                                                                         \
    static weft_result name(world *w, weft_error *e)                                                                   \
    {                                                                                                                  \
        weft_collider_def d = weft_collider_def_default();                                                             \
        weft_key k[3] = {{0, {0, 0, 0}, upright}, {1, {0, 0, 0}, upright}, {2, {0, 0, 0}, upright}};                   \
        d.keys = k;                                                                                                    \
        d.n_keys = 3;                                                                                                  \
        change;                                                                                                        \
        return weft_collider_create(w->sim, &d, &w->new_collider, e);                                                  \
    }

COLLIDER(collider_size_wrong, d.struct_size *= 2)
COLLIDER(collider_kind_6, d.kind = (weft_collider_kind)6)
COLLIDER(collider_kind_minus, d.kind = (weft_collider_kind)-1)
COLLIDER(collider_position_nan, d.position.x = KIT_NAN)
COLLIDER(collider_rotation_zero, (d.rotation = (weft_quat){0, 0, 0, 0}))
COLLIDER(collider_rotation_nan, d.rotation.w = KIT_NAN)
COLLIDER(collider_no_keys, d.keys = NULL)
COLLIDER(collider_keys_uncounted, d.n_keys = 0)
COLLIDER(collider_keys_minus, d.n_keys = -3)
COLLIDER(key_time_nan, k[1].time = KIT_NAN)
COLLIDER(key_time_inf, k[2].time = KIT_INFINITE)
COLLIDER(key_times_equal, k[2].time = 1)
COLLIDER(key_times_fall, k[1].time = -1)
COLLIDER(key_position_inf, k[2].position.z = KIT_INFINITE)
COLLIDER(key_rotation_zero, (k[1].rotation = (weft_quat){0, 0, 0, 0}))
COLLIDER(key_rotation_nan, k[0].rotation.x = KIT_NAN)

static weft_result collider_no_def(world *w, weft_error *e)
{
    return weft_collider_create(w->sim, NULL, &w->new_collider, e);
}

static weft_result collider_no_out(world *w, weft_error *e)
{
    weft_collider_def d = weft_collider_def_default();
    return weft_collider_create(w->sim, &d, NULL, e);
}

static weft_result set_keys_none(world *w, weft_error *e)
{
    weft_key k = {0, {0, 0, 0}, upright};
    return weft_collider_set_keys(w->sim, w->ball, &k, 0, e);
}

static weft_result set_keys_null(world *w, weft_error *e)
{
    return weft_collider_set_keys(w->sim, w->ball, NULL, 2, e);
}

static weft_result set_keys_falling(world *w, weft_error *e)
{
    weft_key k[2] = {{1, {0, 0, 0}, upright}, {0, {0, 0, 0}, upright}};
    return weft_collider_set_keys(w->sim, w->ball, k, 2, e);
}

static weft_result clearance_to_nowhere(world *w, weft_error *e)
{
    return weft_collider_get_clearance(w->sim, w->ball, w->sheet, NULL, e);
}

static void wrong_colliders_are_refused(void **state)
{
    (void)state;
    static const wrong_row rows[] = {
        {"struct_size", WEFT_ERROR_STRUCT_SIZE, "weft_collider_def", collider_size_wrong},
        {"kind 6", WEFT_ERROR_RANGE, "kind", collider_kind_6},
        {"kind -1", WEFT_ERROR_RANGE, "kind", collider_kind_minus},
        {"NaN position", WEFT_ERROR_NOT_FINITE, "position", collider_position_nan},
        {"zero rotation", WEFT_ERROR_RANGE, "rotation", collider_rotation_zero},
        {"NaN rotation", WEFT_ERROR_NOT_FINITE, "rotation", collider_rotation_nan},
        {"no keys", WEFT_ERROR_ARGUMENT, "n_keys", collider_no_keys},
        {"keys not counted", WEFT_ERROR_ARGUMENT, "n_keys", collider_keys_uncounted},
        {"-3 keys", WEFT_ERROR_ARGUMENT, "n_keys", collider_keys_minus},
        {"key at NaN", WEFT_ERROR_NOT_FINITE, "key 1", key_time_nan},
        {"key at infinity", WEFT_ERROR_NOT_FINITE, "key 2", key_time_inf},
        {"keys at the same time", WEFT_ERROR_RANGE, "key 2", key_times_equal},
        {"keys back in time", WEFT_ERROR_RANGE, "key 1", key_times_fall},
        {"key far away", WEFT_ERROR_NOT_FINITE, "key 2", key_position_inf},
        {"key without rotation", WEFT_ERROR_RANGE, "key 1", key_rotation_zero},
        {"key with NaN rotation", WEFT_ERROR_NOT_FINITE, "key 0", key_rotation_nan},
        {"no definition", WEFT_ERROR_ARGUMENT, "definition", collider_no_def},
        {"no place", WEFT_ERROR_ARGUMENT, "place", collider_no_out},
        {"set no keys", WEFT_ERROR_ARGUMENT, "key", set_keys_none},
        {"set keys NULL", WEFT_ERROR_ARGUMENT, "n_keys", set_keys_null},
        {"set keys back in time", WEFT_ERROR_RANGE, "key 1", set_keys_falling},
        {"clearance to nowhere", WEFT_ERROR_ARGUMENT, "nowhere", clearance_to_nowhere},
    };
    check_rows(rows, COUNT(rows));
}

#define MESH(name, change)                                                                                             \
    static weft_result name(world *w, weft_error *e)                                                                   \
    {                                                                                                                  \
        weft_collider_def d = weft_collider_def_default();                                                             \
        weft_vec3 x[4] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};                                                 \
        int32_t t[12] = {0, 2, 1, 0, 1, 3, 1, 2, 3, 2, 0, 3};                                                          \
        d.kind = WEFT_COLLIDER_MESH;                                                                                   \
        d.vertices = x;                                                                                                \
        d.n_vertices = 4;                                                                                              \
        d.triangles = t;                                                                                               \
        d.n_triangles = 4;                                                                                             \
        change;                                                                                                        \
        return weft_collider_create(w->sim, &d, &w->new_collider, e);                                                  \
    }

MESH(mesh_without_vertices, d.vertices = NULL)
MESH(mesh_of_two_vertices, d.n_vertices = 2)
MESH(mesh_of_minus_vertices, d.n_vertices = -4)
MESH(mesh_without_triangles, d.triangles = NULL)
MESH(mesh_of_no_triangles, d.n_triangles = 0)
MESH(mesh_of_minus_triangles, d.n_triangles = -1)
MESH(mesh_index_4, t[10] = 4)
MESH(mesh_index_minus, t[0] = -1)
MESH(mesh_vertex_nan, x[2].y = KIT_NAN)
MESH(mesh_vertex_inf, x[3].z = -KIT_INFINITE)
MESH(mesh_vertex_far, x[1].x = 251)
MESH(mesh_of_lines, (d.n_triangles = 1, t[1] = 0))
MESH(mesh_position_nan, d.position.x = KIT_NAN)

#define VERTICES(name, function, change)                                                                               \
    static weft_result name(world *w, weft_error *e)                                                                   \
    {                                                                                                                  \
        weft_vec3 x[12] = {{0, 0, 0}}, *array = x;                                                                     \
        weft_collider_id id = w->stone;                                                                                \
        int32_t n = 12;                                                                                                \
        change;                                                                                                        \
        return function(w->sim, id, array, n, e);                                                                      \
    }

VERTICES(set_vertices_null, weft_collider_set_vertices, array = NULL)
VERTICES(set_vertices_11, weft_collider_set_vertices, n = 11)
VERTICES(set_vertices_minus, weft_collider_set_vertices, n = -1)
VERTICES(set_vertices_nan, weft_collider_set_vertices, x[7].z = KIT_NAN)
VERTICES(set_vertices_far, weft_collider_set_vertices, x[11].y = -300)
VERTICES(set_vertices_of_ball, weft_collider_set_vertices, id = w->ball)
VERTICES(place_vertices_null, weft_collider_place_vertices, array = NULL)
VERTICES(place_vertices_13, weft_collider_place_vertices, n = 13)
VERTICES(place_vertices_inf, weft_collider_place_vertices, x[0].x = KIT_INFINITE)
VERTICES(place_vertices_of_ball, weft_collider_place_vertices, id = w->ball)
VERTICES(get_vertices_null, weft_collider_get_vertices, array = NULL)
VERTICES(get_vertices_3, weft_collider_get_vertices, n = 3)
VERTICES(get_vertices_of_ball, weft_collider_get_vertices, id = w->ball)

static weft_result get_triangles_null(world *w, weft_error *e)
{
    return weft_collider_get_triangles(w->sim, w->stone, NULL, 20, e);
}

static weft_result get_triangles_19(world *w, weft_error *e)
{
    int32_t t[60];
    return weft_collider_get_triangles(w->sim, w->stone, t, 19, e);
}

static weft_result get_triangles_of_ball(world *w, weft_error *e)
{
    int32_t t[60];
    return weft_collider_get_triangles(w->sim, w->ball, t, 20, e);
}

static weft_result info_to_nowhere(world *w, weft_error *e)
{
    return weft_collider_get_info(w->sim, w->stone, NULL, e);
}

static void wrong_meshes_are_refused(void **state)
{
    (void)state;
    static const wrong_row rows[] = {
        {"no vertices", WEFT_ERROR_ARGUMENT, "vertices", mesh_without_vertices},
        {"two vertices", WEFT_ERROR_ARGUMENT, "3 vertices", mesh_of_two_vertices},
        {"-4 vertices", WEFT_ERROR_ARGUMENT, "3 vertices", mesh_of_minus_vertices},
        {"triangles NULL", WEFT_ERROR_ARGUMENT, "a triangle", mesh_without_triangles},
        {"no triangles", WEFT_ERROR_ARGUMENT, "a triangle", mesh_of_no_triangles},
        {"-1 triangles", WEFT_ERROR_ARGUMENT, "a triangle", mesh_of_minus_triangles},
        {"index 4", WEFT_ERROR_INDEX, "triangle 3 names vertex 4", mesh_index_4},
        {"index -1", WEFT_ERROR_INDEX, "triangle 0 names vertex -1", mesh_index_minus},
        {"NaN vertex", WEFT_ERROR_NOT_FINITE, "vertex 2", mesh_vertex_nan},
        {"vertex at infinity", WEFT_ERROR_NOT_FINITE, "vertex 3", mesh_vertex_inf},
        {"vertex out of the world", WEFT_ERROR_RANGE, "vertex 1", mesh_vertex_far},
        {"nothing but a line", WEFT_ERROR_DEGENERATE, "three different", mesh_of_lines},
        {"mesh at NaN", WEFT_ERROR_NOT_FINITE, "position", mesh_position_nan},
        {"set NULL", WEFT_ERROR_ARGUMENT, "12 vertices", set_vertices_null},
        {"set 11", WEFT_ERROR_ARGUMENT, "array of 11", set_vertices_11},
        {"set -1", WEFT_ERROR_ARGUMENT, "array of -1", set_vertices_minus},
        {"set to NaN", WEFT_ERROR_NOT_FINITE, "vertex 7", set_vertices_nan},
        {"set out of the world", WEFT_ERROR_RANGE, "vertex 11", set_vertices_far},
        {"set those of a ball", WEFT_ERROR_ARGUMENT, "no mesh", set_vertices_of_ball},
        {"place NULL", WEFT_ERROR_ARGUMENT, "12 vertices", place_vertices_null},
        {"place 13", WEFT_ERROR_ARGUMENT, "array of 13", place_vertices_13},
        {"place at infinity", WEFT_ERROR_NOT_FINITE, "vertex 0", place_vertices_inf},
        {"place those of a ball", WEFT_ERROR_ARGUMENT, "no mesh", place_vertices_of_ball},
        {"get NULL", WEFT_ERROR_ARGUMENT, "12 vertices", get_vertices_null},
        {"get 3", WEFT_ERROR_ARGUMENT, "array of 3", get_vertices_3},
        {"get those of a ball", WEFT_ERROR_ARGUMENT, "no mesh", get_vertices_of_ball},
        {"get triangles NULL", WEFT_ERROR_ARGUMENT, "20 triangles", get_triangles_null},
        {"get 19 triangles", WEFT_ERROR_ARGUMENT, "array of 19", get_triangles_19},
        {"get triangles of a ball", WEFT_ERROR_ARGUMENT, "no mesh", get_triangles_of_ball},
        {"info to nowhere", WEFT_ERROR_ARGUMENT, "nowhere", info_to_nowhere},
    };
    check_rows(rows, COUNT(rows));
}

/* ---- clamps ------------------------------------------------------------------------------------------------------ */

static weft_attachment_id clamp_right_border(weft_sim *sim, weft_cloth_id sheet, const int32_t nodes[4])
{
    weft_attachment_def d = attachment_def(sheet, nodes, 4);
    weft_attachment_id id;
    weft_error e = {0};
    d.kind = WEFT_ATTACH_CLAMP;
    kit_must(weft_attachment_create(sim, &d, &id, &e), &e);
    return id;
}

/* Two sheets of 4 × 4 nodes with 0.1 mm between them. */
static weft_tie_id two_sheets(weft_sim **sim, weft_cloth_id sheet[2])
{
    static const int32_t right[4] = {3, 7, 11, 15}, left[4] = {0, 4, 8, 12};
    weft_sim_def d = weft_sim_def_default();
    weft_tie_def t = weft_tie_def_default();
    weft_tie_id id;
    weft_error e = {0};
    *sim = kit_sim(&d);
    sheet[0] = kit_grid(*sim, 4, 0.3, 0, 0);
    sheet[1] = kit_grid(*sim, 4, 0.3, 0.3001, 0);
    t.cloth_a = sheet[0];
    t.cloth_b = sheet[1];
    t.nodes_a = right;
    t.nodes_b = left;
    t.n_pairs = 4;
    kit_must(weft_tie_create(*sim, &t, &id, &e), &e);
    return id;
}

static void what_is_sewn_is_not_clamped_and_what_is_clamped_not_sewn(void **state)
{
    (void)state;
    static const int32_t right[4] = {3, 7, 11, 15};
    for (int order = 0; order < 2; order++) {
        weft_sim *sim;
        weft_cloth_id sheet[2];
        weft_error e = {0};
        weft_tie_id tie = two_sheets(&sim, sheet);
        if (order == 0) {
            weft_attachment_id clamp = clamp_right_border(sim, sheet[0], right);
            assert_int_equal(weft_tie_weld(sim, tie, 1e-3, &e), WEFT_ERROR_ARGUMENT);
            assert_non_null(strstr(e.text, "node 3 is clamped"));
            kit_must(weft_attachment_remove(sim, clamp, &e), &e);
            kit_must(weft_tie_weld(sim, tie, 1e-3, &e), &e);
        } else {
            weft_attachment_def d = attachment_def(sheet[0], right, 4);
            weft_attachment_id id;
            d.kind = WEFT_ATTACH_CLAMP;
            kit_must(weft_tie_weld(sim, tie, 1e-3, &e), &e);
            assert_int_equal(weft_attachment_create(sim, &d, &id, &e), WEFT_ERROR_ARGUMENT);
            assert_non_null(strstr(e.text, "node 3 is sewn"));
        }
        kit_steps(sim, 2, 0.01);
        weft_sim_destroy(sim);
    }
}

static void a_clamp_keeps_its_nodes_and_takes_targets(void **state)
{
    (void)state;
    static const int32_t right[4] = {3, 7, 11, 15}, more = 2;
    weft_sim *sim;
    weft_cloth_id sheet[2];
    weft_error e = {0};
    two_sheets(&sim, sheet);
    weft_attachment_id clamp = clamp_right_border(sim, sheet[0], right);
    assert_int_equal(weft_attachment_add_nodes(sim, clamp, &more, NULL, 1, &e), WEFT_ERROR_ARGUMENT);
    assert_non_null(strstr(e.text, "clamp"));
    assert_int_equal(weft_attachment_drop_nodes(sim, clamp, right, 1, &e), WEFT_ERROR_ARGUMENT);
    weft_vec3 to[4], x[16];
    kit_positions(sim, sheet[0], x, 16);
    for (int i = 0; i < 4; i++) {
        to[i] = x[right[i]];
        to[i].y += 0.01;
    }
    kit_must(weft_attachment_set_targets(sim, clamp, to, 4, &e), &e);
    kit_steps(sim, 1, 0.01);
    kit_positions(sim, sheet[0], x, 16);
    for (int i = 0; i < 4; i++)
        assert_true(fabs(x[right[i]].y - to[i].y) < 1e-9);
    weft_sim_destroy(sim);
}

/* As a pin does: where it is held goes before the collider. */
static void a_clamp_holds_within_a_collider(void **state)
{
    (void)state;
    static const int32_t right[4] = {3, 7, 11, 15};
    weft_sim_def d = weft_sim_def_default();
    weft_sim *sim = kit_sim(&d);
    weft_cloth_id sheet = kit_grid(sim, 4, 0.3, 0, 0);
    kit_sphere(sim, 0.1, (weft_vec3){0.3, 0, -0.15});
    clamp_right_border(sim, sheet, right);
    weft_vec3 before[16], x[16];
    kit_positions(sim, sheet, before, 16);
    kit_steps(sim, 5, 0.01);
    kit_positions(sim, sheet, x, 16);
    for (int i = 0; i < 4; i++)
        assert_memory_equal(&x[right[i]], &before[right[i]], sizeof *x);
    weft_sim_destroy(sim);
}

/* ---- attachments and ties ---------------------------------------------------------------------------------------- */

#define ATTACH(name, change)                                                                                           \
    static weft_result name(world *w, weft_error *e)                                                                   \
    {                                                                                                                  \
        int32_t nodes[3] = {7, 8, 9};                                                                                  \
        weft_vec3 targets[3] = {{0, 0, 0}, {0, 1, 0}, {0, 2, 0}};                                                      \
        double weights[3] = {1, 1, 1};                                                                                 \
        weft_key k[2] = {{0, {0, 0, 0}, upright}, {1, {0, 0, 0}, upright}};                                            \
        weft_attachment_def d = attachment_def(w->sheet, nodes, 3);                                                    \
        (void)weights;                                                                                                 \
        d.targets = targets;                                                                                           \
        d.keys = k;                                                                                                    \
        d.n_keys = 2;                                                                                                  \
        change;                                                                                                        \
        return weft_attachment_create(w->sim, &d, &w->new_attachment, e);                                              \
    }
#define SOFT (d.kind = WEFT_ATTACH_SOFT, d.weights = weights)
#define ROD (d.kind = WEFT_ATTACH_ROD)
#define CLAMP (d.kind = WEFT_ATTACH_CLAMP)
#define ON_BALL (d.kind = WEFT_ATTACH_COLLIDER, d.collider = w->ball)

ATTACH(attach_size_wrong, d.struct_size = 1)
ATTACH(attach_kind_5, d.kind = (weft_attachment_kind)5)
ATTACH(attach_kind_minus, d.kind = (weft_attachment_kind)-1)
ATTACH(attach_no_nodes, d.n_nodes = 0)
ATTACH(attach_nodes_minus, d.n_nodes = -1)
ATTACH(attach_nodes_null, d.nodes = NULL)
ATTACH(attach_node_high, nodes[2] = 16)
ATTACH(attach_node_minus, nodes[0] = -1)
ATTACH(attach_node_twice, nodes[2] = 8)
ATTACH(attach_soft_node_twice, (nodes[2] = 8, SOFT))
ATTACH(attach_pinned, nodes[1] = 0)
ATTACH(attach_pinned_to_rod, (nodes[1] = 0, ROD))
ATTACH(attach_pinned_to_ball, (nodes[1] = 0, ON_BALL))
ATTACH(clamp_alone, CLAMP)
ATTACH(clamp_one, (CLAMP, d.n_nodes = 1))
ATTACH(clamp_within, (CLAMP, nodes[0] = 13, nodes[1] = 14))
ATTACH(clamp_pinned, (CLAMP, nodes[0] = 0, nodes[1] = 1, nodes[2] = 2))
ATTACH(clamp_target_nan, (CLAMP, targets[1].x = KIT_NAN))
ATTACH(clamp_no_keys, (CLAMP, d.keys = NULL))
ATTACH(attach_rod_again, (nodes[0] = 3, ROD))
ATTACH(attach_target_nan, targets[2].x = KIT_NAN)
ATTACH(attach_target_far, targets[1].x = 1e6)
ATTACH(attach_soft_target_inf, (targets[0].z = KIT_INFINITE, SOFT))
ATTACH(attach_no_keys, d.keys = NULL)
ATTACH(attach_keys_uncounted, d.n_keys = 0)
ATTACH(attach_key_times, k[1].time = 0)
ATTACH(attach_key_rotation, (k[0].rotation = (weft_quat){0, 0, 0, 0}))
ATTACH(attach_soft_key_nan, (k[1].position.y = KIT_NAN, SOFT))
ATTACH(attach_weight_nan, (weights[1] = KIT_NAN, SOFT))
ATTACH(attach_weight_minus, (weights[2] = -1, SOFT))
ATTACH(attach_weight_much, (weights[0] = 1001, SOFT))
ATTACH(attach_rod_direction, (ROD, d.rod_direction = (weft_vec3){0, 0, 0}))
ATTACH(attach_rod_direction_nan, (ROD, d.rod_direction.y = KIT_NAN))
ATTACH(attach_stale_cloth, d.cloth = w->gone)
ATTACH(attach_stale_ball, (ON_BALL, d.collider = w->gone_ball))
ATTACH(attach_no_ball, (ON_BALL, d.collider = (weft_collider_id){0, 0}))

static weft_result attach_no_def(world *w, weft_error *e)
{
    return weft_attachment_create(w->sim, NULL, &w->new_attachment, e);
}

static weft_result attach_no_out(world *w, weft_error *e)
{
    int32_t node = 9;
    weft_attachment_def d = attachment_def(w->sheet, &node, 1);
    return weft_attachment_create(w->sim, &d, NULL, e);
}

static weft_result targets_many(world *w, weft_error *e)
{
    weft_vec3 t[2] = {{0, 0, 0}, {0, 0, 0}};
    return weft_attachment_set_targets(w->sim, w->pin, t, 2, e);
}

static weft_result targets_null(world *w, weft_error *e)
{
    return weft_attachment_set_targets(w->sim, w->pin, NULL, 1, e);
}

static weft_result targets_nan(world *w, weft_error *e)
{
    weft_vec3 t = {0, KIT_NAN, 0};
    return weft_attachment_set_targets(w->sim, w->soft, &t, 1, e);
}

static weft_result targets_far(world *w, weft_error *e)
{
    weft_vec3 t = {0, 1e4, 0};
    return weft_attachment_set_targets(w->sim, w->pin, &t, 1, e);
}

static weft_result targets_of_rod(world *w, weft_error *e)
{
    weft_vec3 t = {0, 0, 0};
    return weft_attachment_set_targets(w->sim, w->rod, &t, 1, e);
}

static weft_result forces_few(world *w, weft_error *e)
{
    weft_vec3 f;
    return weft_attachment_get_force(w->sim, w->pin, NULL, &f, 0, e);
}

static void wrong_attachments_are_refused(void **state)
{
    (void)state;
    static const wrong_row rows[] = {
        {"struct_size", WEFT_ERROR_STRUCT_SIZE, "weft_attachment_def", attach_size_wrong},
        {"kind 5", WEFT_ERROR_RANGE, "kind", attach_kind_5},
        {"kind -1", WEFT_ERROR_RANGE, "kind", attach_kind_minus},
        {"no nodes", WEFT_ERROR_ARGUMENT, "node", attach_no_nodes},
        {"-1 nodes", WEFT_ERROR_ARGUMENT, "node", attach_nodes_minus},
        {"nodes NULL", WEFT_ERROR_ARGUMENT, "node", attach_nodes_null},
        {"node too high", WEFT_ERROR_INDEX, "node 16", attach_node_high},
        {"node negative", WEFT_ERROR_INDEX, "node -1", attach_node_minus},
        {"node twice", WEFT_ERROR_DUPLICATE, "node 8", attach_node_twice},
        {"soft node twice", WEFT_ERROR_DUPLICATE, "node 8", attach_soft_node_twice},
        {"pinned already", WEFT_ERROR_DUPLICATE, "node 0", attach_pinned},
        {"pinned already, on a rod", WEFT_ERROR_DUPLICATE, "node 0", attach_pinned_to_rod},
        {"pinned already, on a ball", WEFT_ERROR_DUPLICATE, "node 0", attach_pinned_to_ball},
        {"clamp of a node without its neighbours", WEFT_ERROR_ARGUMENT, "node 7 is alone", clamp_alone},
        {"clamp of one node", WEFT_ERROR_ARGUMENT, "node 7 is alone", clamp_one},
        {"clamp within the cloth", WEFT_ERROR_ARGUMENT, "node 9 is not on the cloth's border", clamp_within},
        {"clamp of what is pinned", WEFT_ERROR_DUPLICATE, "node 0", clamp_pinned},
        {"clamp's NaN target", WEFT_ERROR_NOT_FINITE, "target 1", clamp_target_nan},
        {"clamp without keys", WEFT_ERROR_ARGUMENT, "n_keys", clamp_no_keys},
        {"on a rod already", WEFT_ERROR_DUPLICATE, "node 3", attach_rod_again},
        {"NaN target", WEFT_ERROR_NOT_FINITE, "target 2", attach_target_nan},
        {"target beyond the world", WEFT_ERROR_RANGE, "target 1", attach_target_far},
        {"infinite soft target", WEFT_ERROR_NOT_FINITE, "target 0", attach_soft_target_inf},
        {"no keys", WEFT_ERROR_ARGUMENT, "n_keys", attach_no_keys},
        {"keys not counted", WEFT_ERROR_ARGUMENT, "n_keys", attach_keys_uncounted},
        {"keys at the same time", WEFT_ERROR_RANGE, "key 1", attach_key_times},
        {"key without rotation", WEFT_ERROR_RANGE, "key 0", attach_key_rotation},
        {"soft key NaN", WEFT_ERROR_NOT_FINITE, "key 1", attach_soft_key_nan},
        {"NaN weight", WEFT_ERROR_NOT_FINITE, "weights[1]", attach_weight_nan},
        {"negative weight", WEFT_ERROR_RANGE, "weights[2]", attach_weight_minus},
        {"large weight", WEFT_ERROR_RANGE, "weights[0]", attach_weight_much},
        {"rod without direction", WEFT_ERROR_RANGE, "rod_direction", attach_rod_direction},
        {"NaN rod", WEFT_ERROR_NOT_FINITE, "rod_direction", attach_rod_direction_nan},
        {"removed cloth", WEFT_ERROR_STALE_ID, "no cloth", attach_stale_cloth},
        {"removed collider", WEFT_ERROR_STALE_ID, "no collider", attach_stale_ball},
        {"no collider", WEFT_ERROR_STALE_ID, "no collider", attach_no_ball},
        {"no definition", WEFT_ERROR_ARGUMENT, "definition", attach_no_def},
        {"no place", WEFT_ERROR_ARGUMENT, "place", attach_no_out},
        {"2 targets for 1 node", WEFT_ERROR_ARGUMENT, "1 targets", targets_many},
        {"targets NULL", WEFT_ERROR_ARGUMENT, "1 targets", targets_null},
        {"set target to NaN", WEFT_ERROR_NOT_FINITE, "target 0", targets_nan},
        {"set target beyond the world", WEFT_ERROR_RANGE, "target 0", targets_far},
        {"target of a rod", WEFT_ERROR_ARGUMENT, "pins", targets_of_rod},
        {"no room for forces", WEFT_ERROR_ARGUMENT, "room for 1", forces_few},
    };
    check_rows(rows, COUNT(rows));
}

#define TIE(name, change)                                                                                              \
    static weft_result name(world *w, weft_error *e)                                                                   \
    {                                                                                                                  \
        int32_t a[2] = {4, 5}, b[2] = {6, 7};                                                                          \
        weft_tie_def d = tie_def(w, a, b, 2);                                                                          \
        change;                                                                                                        \
        return weft_tie_create(w->sim, &d, &w->new_tie, e);                                                            \
    }

TIE(tie_size_wrong, d.struct_size += 1)
TIE(tie_no_pairs, d.n_pairs = 0)
TIE(tie_pairs_minus, d.n_pairs = -2)
TIE(tie_a_null, d.nodes_a = NULL)
TIE(tie_b_null, d.nodes_b = NULL)
TIE(tie_a_high, a[1] = 16)
TIE(tie_b_high, b[1] = 12)
TIE(tie_a_minus, a[0] = -1)
TIE(tie_to_itself, (d.cloth_b = w->sheet, b[1] = 5))
TIE(tie_stale_a, d.cloth_a = w->gone)
TIE(tie_stale_b, d.cloth_b = w->gone)
TIE(tie_none_b, (d.cloth_b = (weft_cloth_id){0, 0}))

static weft_result tie_no_def(world *w, weft_error *e)
{
    return weft_tie_create(w->sim, NULL, &w->new_tie, e);
}

static weft_result tie_no_out(world *w, weft_error *e)
{
    int32_t a = 1;
    weft_tie_def d = tie_def(w, &a, &a, 1);
    return weft_tie_create(w->sim, &d, NULL, e);
}

static void wrong_ties_are_refused(void **state)
{
    (void)state;
    static const wrong_row rows[] = {
        {"struct_size", WEFT_ERROR_STRUCT_SIZE, "weft_tie_def", tie_size_wrong},
        {"no pairs", WEFT_ERROR_ARGUMENT, "node", tie_no_pairs},
        {"-2 pairs", WEFT_ERROR_ARGUMENT, "node", tie_pairs_minus},
        {"nodes_a NULL", WEFT_ERROR_ARGUMENT, "node", tie_a_null},
        {"nodes_b NULL", WEFT_ERROR_ARGUMENT, "node", tie_b_null},
        {"node of a too high", WEFT_ERROR_INDEX, "node 16", tie_a_high},
        {"node of b too high", WEFT_ERROR_INDEX, "node 12", tie_b_high},
        {"node negative", WEFT_ERROR_INDEX, "node -1", tie_a_minus},
        {"node to itself", WEFT_ERROR_DEGENERATE, "node 5", tie_to_itself},
        {"removed cloth a", WEFT_ERROR_STALE_ID, "no cloth", tie_stale_a},
        {"removed cloth b", WEFT_ERROR_STALE_ID, "no cloth", tie_stale_b},
        {"no cloth b", WEFT_ERROR_STALE_ID, "no cloth", tie_none_b},
        {"no definition", WEFT_ERROR_ARGUMENT, "definition", tie_no_def},
        {"no place", WEFT_ERROR_ARGUMENT, "place", tie_no_out},
    };
    check_rows(rows, COUNT(rows));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wrong_colliders_are_refused),
        cmocka_unit_test(wrong_meshes_are_refused),
        cmocka_unit_test(wrong_attachments_are_refused),
        cmocka_unit_test(wrong_ties_are_refused),
        cmocka_unit_test(what_is_sewn_is_not_clamped_and_what_is_clamped_not_sewn),
        cmocka_unit_test(a_clamp_keeps_its_nodes_and_takes_targets),
        cmocka_unit_test(a_clamp_holds_within_a_collider),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
