/* SPDX-License-Identifier: MIT */
/* Wrong grids and meshes, and wrong ways to read and set cloth. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include "sim/wrong.h"

#include <cmocka.h>

/* ---- grids ------------------------------------------------------------------------------------------------------- */

#define GRID(name, change)                                                                                             \
    static weft_result name(world *w, weft_error *e)                                                                   \
    {                                                                                                                  \
        weft_grid_def d = kit_grid_def(4, 0.3, 0, 0);                                                                  \
        weft_fabric f = weft_fabric_default();                                                                         \
        int32_t table[9] = {0};                                                                                        \
        (void)f;                                                                                                       \
        (void)table;                                                                                                   \
        change;                                                                                                        \
        return weft_cloth_create_grid(w->sim, &d, &w->new_cloth, e);                                                   \
    }
#define ONE_FABRIC (d.model.fabrics = &f, d.model.n_fabrics = 1)

GRID(grid_size_wrong, d.struct_size--)
GRID(grid_one_row, d.n_warp = 1)
GRID(grid_many_rows, d.n_weft = 8193)
GRID(grid_negative_rows, d.n_weft = INT32_MIN)
GRID(grid_axis_zero, (d.axis_warp = (weft_vec3){0, 0, 0}))
GRID(grid_axis_nan, d.axis_weft.y = KIT_NAN)
GRID(grid_axes_parallel, (d.axis_weft = (weft_vec3){-3, 0, 0}))
GRID(grid_beyond_world, (d.corner.x = 240, d.size_warp = 20))
GRID(grid_stretch_2, d.model.stretch = (weft_stretch_model)2)
GRID(grid_law_2, d.model.law = (weft_spring_law)2)
GRID(grid_bending_4, d.model.bending = (weft_bending_model)4)
GRID(grid_limit_3, d.model.limit = (weft_limit_method)3)
GRID(grid_pressure, d.model.pressure = 100)
GRID(grid_no_fabrics, d.model.n_fabrics = 1)
GRID(grid_fabrics_uncounted, d.model.fabrics = &f)
GRID(grid_fabrics_minus, (d.model.fabrics = &f, d.model.n_fabrics = -1))
GRID(grid_fabric_size, (f.struct_size = 8, ONE_FABRIC))
GRID(grid_face_fabric, (table[7] = 1, d.model.face_fabric = table))
GRID(grid_face_fabric_minus, (table[2] = -1, d.model.face_fabric = table, ONE_FABRIC))
GRID(grid_face_panel, (table[8] = 2, d.model.face_panel = table, d.model.n_panels = 2))
GRID(grid_panel_fabric, (table[1] = 1, d.model.panel_fabric = table, d.model.n_panels = 2, ONE_FABRIC))
GRID(grid_panel_fabric_uncounted, (table[0] = 1 << 20, d.model.panel_fabric = table, ONE_FABRIC))
GRID(grid_panels_minus, (d.model.n_panels = -1, d.model.panel_fabric = table))

static weft_result grid_no_def(world *w, weft_error *e)
{
    return weft_cloth_create_grid(w->sim, NULL, &w->new_cloth, e);
}

static weft_result grid_no_out(world *w, weft_error *e)
{
    weft_grid_def d = kit_grid_def(3, 1, 0, 0);
    return weft_cloth_create_grid(w->sim, &d, NULL, e);
}

static void wrong_grids_are_refused(void **state)
{
    (void)state;
    static const wrong_row rows[] = {
        {"struct_size", WEFT_ERROR_STRUCT_SIZE, "weft_grid_def", grid_size_wrong},
        {"n_warp 1", WEFT_ERROR_RANGE, "n_warp", grid_one_row},
        {"n_weft 8193", WEFT_ERROR_RANGE, "n_weft", grid_many_rows},
        {"n_weft least", WEFT_ERROR_RANGE, "n_weft", grid_negative_rows},
        {"axis zero", WEFT_ERROR_RANGE, "axis_warp", grid_axis_zero},
        {"axis NaN", WEFT_ERROR_NOT_FINITE, "axis_weft", grid_axis_nan},
        {"axes parallel", WEFT_ERROR_DEGENERATE, "axis_weft", grid_axes_parallel},
        {"beyond the world", WEFT_ERROR_RANGE, "node 2", grid_beyond_world},
        {"stretch model 2", WEFT_ERROR_RANGE, "model.stretch", grid_stretch_2},
        {"law 2", WEFT_ERROR_RANGE, "model.law", grid_law_2},
        {"bending 4", WEFT_ERROR_RANGE, "model.bending", grid_bending_4},
        {"limit 3", WEFT_ERROR_RANGE, "model.limit", grid_limit_3},
        {"pressure on open cloth", WEFT_ERROR_ARGUMENT, "closed", grid_pressure},
        {"no fabrics", WEFT_ERROR_ARGUMENT, "model.fabrics", grid_no_fabrics},
        {"fabrics not counted", WEFT_ERROR_ARGUMENT, "n_fabrics", grid_fabrics_uncounted},
        {"n_fabrics -1", WEFT_ERROR_ARGUMENT, "n_fabrics", grid_fabrics_minus},
        {"struct_size of a fabric", WEFT_ERROR_STRUCT_SIZE, "fabric", grid_fabric_size},
        {"face_fabric too large", WEFT_ERROR_INDEX, "model.face_fabric[7]", grid_face_fabric},
        {"face_fabric negative", WEFT_ERROR_INDEX, "model.face_fabric[2]", grid_face_fabric_minus},
        {"face_panel too large", WEFT_ERROR_INDEX, "model.face_panel[8]", grid_face_panel},
        {"panel_fabric too large", WEFT_ERROR_INDEX, "model.panel_fabric[1]", grid_panel_fabric},
        {"panel_fabric without n_panels", WEFT_ERROR_ARGUMENT, "n_panels", grid_panel_fabric_uncounted},
        {"n_panels -1", WEFT_ERROR_ARGUMENT, "n_panels", grid_panels_minus},
        {"no definition", WEFT_ERROR_ARGUMENT, "definition", grid_no_def},
        {"no place", WEFT_ERROR_ARGUMENT, "place", grid_no_out},
    };
    check_rows(rows, COUNT(rows));
}

/* ---- meshes ------------------------------------------------------------------------------------------------------ */

/* A square of 2 × 1 m: nodes 0–5, two rows of three. The face lists are the caller's. */
typedef struct sample_mesh {
    weft_vec3 x[7], v[7], rest[7];
    weft_vec2 uv[7];
    double mass[7];
    int32_t triangles[12], quads[8];
} sample_mesh;

static weft_mesh_def sample(sample_mesh *s)
{
    static const int32_t triangles[6] = {0, 1, 4, 0, 4, 3}, quads[4] = {1, 2, 5, 4};
    *s = (sample_mesh){0};
    for (int i = 0; i < 7; i++) {
        s->uv[i] = (weft_vec2){i % 3, i / 3};
        s->x[i] = s->rest[i] = (weft_vec3){i % 3, 2, -(i / 3)};
    }
    memcpy(s->triangles, triangles, sizeof triangles);
    memcpy(s->quads, quads, sizeof quads);
    weft_mesh_def d = weft_mesh_def_default();
    d.n_nodes = 6;
    d.positions = s->x;
    d.uv = s->uv;
    d.n_triangles = 2;
    d.triangles = s->triangles;
    d.n_quads = 1;
    d.quads = s->quads;
    return d;
}

static void set_triangle(sample_mesh *s, int32_t t, int32_t a, int32_t b, int32_t c)
{
    memcpy(s->triangles + 3 * t, (int32_t[3]){a, b, c}, 3 * sizeof a);
}

static void set_quad(sample_mesh *s, int32_t a, int32_t b, int32_t c, int32_t d)
{
    memcpy(s->quads, (int32_t[4]){a, b, c, d}, 4 * sizeof a);
}

#define MESH(name, change)                                                                                             \
    static weft_result name(world *w, weft_error *e)                                                                   \
    {                                                                                                                  \
        sample_mesh s;                                                                                                 \
        weft_mesh_def d = sample(&s);                                                                                  \
        change;                                                                                                        \
        return weft_cloth_create_mesh(w->sim, &d, &w->new_cloth, e);                                                   \
    }
#define BY_REST (d.uv = NULL, d.rest_positions = s.rest)

MESH(mesh_size_wrong, d.struct_size = sizeof(weft_grid_def))
MESH(mesh_no_nodes, d.n_nodes = 0)
MESH(mesh_nodes_minus, d.n_nodes = -6)
MESH(mesh_no_positions, d.positions = NULL)
MESH(mesh_no_triangles, d.triangles = NULL)
MESH(mesh_no_quads, d.quads = NULL)
MESH(mesh_triangles_minus, d.n_triangles = -1)
MESH(mesh_quads_minus, d.n_quads = -1)
MESH(mesh_faces_too_many, d.n_triangles = d.n_quads = INT32_MAX)
MESH(mesh_triangles_too_many, d.n_triangles = INT32_MAX)
MESH(mesh_two_rests, d.rest_positions = s.rest)
MESH(mesh_x_nan, s.x[4].y = KIT_NAN)
MESH(mesh_x_inf, s.x[5].z = -KIT_INFINITE)
MESH(mesh_x_far, s.x[3].x = 251)
MESH(mesh_v_nan, (s.v[2].x = KIT_NAN, d.velocities = s.v))
MESH(mesh_v_fast, (s.v[1].x = 1e5, d.velocities = s.v))
MESH(mesh_uv_nan, s.uv[3].v = KIT_NAN)
MESH(mesh_uv_far, s.uv[3].u = 1e7)
MESH(mesh_rest_inf, (s.rest[5].y = KIT_INFINITE, BY_REST))
MESH(mesh_rest_far, (s.rest[5].y = 1e7, BY_REST))
MESH(mesh_mass_nan, (s.mass[2] = KIT_NAN, d.node_mass = s.mass))
MESH(mesh_mass_minus, (s.mass[2] = -1, d.node_mass = s.mass))
MESH(mesh_mass_much, (s.mass[2] = 1e7, d.node_mass = s.mass))
MESH(mesh_node_loose, d.n_nodes = 7)
MESH(mesh_node_loose_massless, (d.n_nodes = 7, s.mass[0] = 1, d.node_mass = s.mass))
MESH(mesh_index_high, set_triangle(&s, 1, 0, 4, 6))
MESH(mesh_index_minus, set_quad(&s, 1, 2, -5, 4))
MESH(mesh_node_twice, set_triangle(&s, 0, 0, 1, 1))
MESH(mesh_quad_node_twice, set_quad(&s, 1, 2, 1, 4))
MESH(mesh_flat_triangle, set_triangle(&s, 0, 0, 1, 2))
MESH(mesh_triangle_of_one_point, (s.rest[4] = s.rest[1], BY_REST))
MESH(mesh_quad_not_convex, (s.uv[2] = (weft_vec2){1.2, 0.8}))
MESH(mesh_duplicate, (set_triangle(&s, 2, 4, 0, 1), d.n_triangles = 3))
MESH(mesh_three_faces, (set_triangle(&s, 2, 4, 1, 3), d.n_triangles = 3))
MESH(mesh_turned, set_triangle(&s, 1, 0, 3, 4))
MESH(mesh_beams_on_triangles, d.model.bending = WEFT_BENDING_BEAMS)
MESH(mesh_beams_on_a_fold, (d.n_triangles = 0, d.n_quads = 2, memcpy(s.quads + 4, (int32_t[4]){0, 1, 4, 3}, 16),
                            s.rest[0].y = s.rest[3].y = 3, BY_REST, d.model.bending = WEFT_BENDING_BEAMS))
MESH(mesh_pressure_open, d.model.pressure = -5)

static weft_result mesh_no_def(world *w, weft_error *e)
{
    return weft_cloth_create_mesh(w->sim, NULL, &w->new_cloth, e);
}

static weft_result mesh_no_out(world *w, weft_error *e)
{
    sample_mesh s;
    weft_mesh_def d = sample(&s);
    return weft_cloth_create_mesh(w->sim, &d, NULL, e);
}

static void wrong_meshes_are_refused(void **state)
{
    (void)state;
    static const wrong_row rows[] = {
        {"struct_size", WEFT_ERROR_STRUCT_SIZE, "weft_mesh_def", mesh_size_wrong},
        {"no nodes", WEFT_ERROR_ARGUMENT, "nodes", mesh_no_nodes},
        {"-6 nodes", WEFT_ERROR_ARGUMENT, "nodes", mesh_nodes_minus},
        {"no positions", WEFT_ERROR_ARGUMENT, "positions", mesh_no_positions},
        {"no triangle array", WEFT_ERROR_ARGUMENT, "triangles", mesh_no_triangles},
        {"no quad array", WEFT_ERROR_ARGUMENT, "quads", mesh_no_quads},
        {"-1 triangles", WEFT_ERROR_ARGUMENT, "triangles", mesh_triangles_minus},
        {"-1 quads", WEFT_ERROR_ARGUMENT, "quads", mesh_quads_minus},
        {"2^32 faces", WEFT_ERROR_RANGE, "triangles", mesh_faces_too_many},
        {"2^31 triangles", WEFT_ERROR_RANGE, "triangles", mesh_triangles_too_many},
        {"uv and rest", WEFT_ERROR_ARGUMENT, "rest_positions", mesh_two_rests},
        {"NaN position", WEFT_ERROR_NOT_FINITE, "position of node 4", mesh_x_nan},
        {"infinite position", WEFT_ERROR_NOT_FINITE, "position of node 5", mesh_x_inf},
        {"beyond the world", WEFT_ERROR_RANGE, "position of node 3", mesh_x_far},
        {"NaN velocity", WEFT_ERROR_NOT_FINITE, "velocity of node 2", mesh_v_nan},
        {"too fast", WEFT_ERROR_RANGE, "velocity of node 1", mesh_v_fast},
        {"NaN uv", WEFT_ERROR_NOT_FINITE, "node 3", mesh_uv_nan},
        {"uv too far", WEFT_ERROR_RANGE, "node 3", mesh_uv_far},
        {"infinite rest", WEFT_ERROR_NOT_FINITE, "rest position of node 5", mesh_rest_inf},
        {"rest too far", WEFT_ERROR_RANGE, "rest position of node 5", mesh_rest_far},
        {"NaN mass", WEFT_ERROR_MASS, "node 2", mesh_mass_nan},
        {"negative mass", WEFT_ERROR_MASS, "node 2", mesh_mass_minus},
        {"too much mass", WEFT_ERROR_MASS, "node 2", mesh_mass_much},
        {"loose node", WEFT_ERROR_MASS, "node 6", mesh_node_loose},
        {"loose node without mass", WEFT_ERROR_MASS, "node 6", mesh_node_loose_massless},
        {"index too high", WEFT_ERROR_INDEX, "triangle 1 names node 6", mesh_index_high},
        {"index negative", WEFT_ERROR_INDEX, "quad 0 names node -5", mesh_index_minus},
        {"node twice", WEFT_ERROR_DEGENERATE, "triangle 0 names node 1 twice", mesh_node_twice},
        {"quad with a node twice", WEFT_ERROR_DEGENERATE, "quad 0 names node 1 twice", mesh_quad_node_twice},
        {"triangle without area", WEFT_ERROR_DEGENERATE, "triangle 0", mesh_flat_triangle},
        {"triangle of one point", WEFT_ERROR_DEGENERATE, "triangle 0", mesh_triangle_of_one_point},
        {"quad not convex", WEFT_ERROR_DEGENERATE, "quad 0", mesh_quad_not_convex},
        {"duplicate", WEFT_ERROR_DUPLICATE, "triangle 2", mesh_duplicate},
        {"three faces", WEFT_ERROR_NON_MANIFOLD, "nodes 1 and 4 has 3 faces", mesh_three_faces},
        {"turned over", WEFT_ERROR_NON_MANIFOLD, "triangle 1", mesh_turned},
        {"beams on triangles", WEFT_ERROR_ARGUMENT, "beam", mesh_beams_on_triangles},
        {"beams on a fold", WEFT_ERROR_ARGUMENT, "flat", mesh_beams_on_a_fold},
        {"pressure on open cloth", WEFT_ERROR_ARGUMENT, "closed", mesh_pressure_open},
        {"no definition", WEFT_ERROR_ARGUMENT, "definition", mesh_no_def},
        {"no place", WEFT_ERROR_ARGUMENT, "place", mesh_no_out},
    };
    check_rows(rows, COUNT(rows));
}

/* ---- reading and setting cloth ----------------------------------------------------------------------------------- */

#define CLOTH(name, call)                                                                                              \
    static weft_result name(world *w, weft_error *e)                                                                   \
    {                                                                                                                  \
        weft_vec3 v[32] = {{0, 0, 0}};                                                                                 \
        weft_vec2 uv[16];                                                                                              \
        int32_t t[3 * 18];                                                                                             \
        double m[16];                                                                                                  \
        (void)v;                                                                                                       \
        (void)uv;                                                                                                      \
        (void)t;                                                                                                       \
        (void)m;                                                                                                       \
        return call;                                                                                                   \
    }

CLOTH(info_no_out, weft_cloth_get_info(w->sim, w->sheet, NULL, e))
CLOTH(positions_few, weft_cloth_get_positions(w->sim, w->sheet, v, 15, 0, e))
CLOTH(positions_null, weft_cloth_get_positions(w->sim, w->sheet, NULL, 16, 0, e))
CLOTH(positions_overlap, weft_cloth_get_positions(w->sim, w->sheet, v, 16, sizeof v[0] - 8, e))
CLOTH(velocities_few, weft_cloth_get_velocities(w->sim, w->sheet, v, 0, 0, e))
CLOTH(velocities_minus, weft_cloth_get_velocities(w->sim, w->sheet, v, -16, 0, e))
CLOTH(normals_few, weft_cloth_get_normals(w->sim, w->sheet, v, 15, 0, e))
CLOTH(normals_overlap, weft_cloth_get_normals(w->sim, w->sheet, v, 16, 8, e))
CLOTH(masses_few, weft_cloth_get_masses(w->sim, w->sheet, m, 15, e))
CLOTH(pressures_few, weft_cloth_get_pressures(w->sim, w->sheet, m, 15, e))
CLOTH(uv_few, weft_cloth_get_uv(w->sim, w->sheet, uv, 15, e))
CLOTH(uv_none, weft_cloth_get_uv(w->sim, w->bag, uv, 16, e))
CLOTH(triangles_few, weft_cloth_get_triangles(w->sim, w->sheet, t, 17, e))
CLOTH(triangles_null, weft_cloth_get_triangles(w->sim, w->sheet, NULL, 18, e))
CLOTH(set_positions_few, weft_cloth_set_positions(w->sim, w->sheet, v, 15, e))
CLOTH(set_positions_many, weft_cloth_set_positions(w->sim, w->sheet, v, 17, e))
CLOTH(set_positions_null, weft_cloth_set_positions(w->sim, w->sheet, NULL, 16, e))
CLOTH(set_positions_nan, (v[15].z = KIT_NAN, weft_cloth_set_positions(w->sim, w->sheet, v, 16, e)))
CLOTH(set_positions_far, (v[9].y = -300, weft_cloth_set_positions(w->sim, w->sheet, v, 16, e)))
CLOTH(set_velocities_few, weft_cloth_set_velocities(w->sim, w->sheet, v, 12, e))
CLOTH(set_velocities_inf, (v[8].x = KIT_INFINITE, weft_cloth_set_velocities(w->sim, w->sheet, v, 16, e)))
CLOTH(set_velocities_fast, (v[3].x = 2e4, weft_cloth_set_velocities(w->sim, w->sheet, v, 16, e)))

static void wrong_reading_and_setting_is_refused(void **state)
{
    (void)state;
    static const wrong_row rows[] = {
        {"info to nowhere", WEFT_ERROR_ARGUMENT, "nowhere", info_no_out},
        {"too little room for positions", WEFT_ERROR_ARGUMENT, "room for 16", positions_few},
        {"no room for positions", WEFT_ERROR_ARGUMENT, "room for 16", positions_null},
        {"stride less than a position", WEFT_ERROR_ARGUMENT, "stride", positions_overlap},
        {"no room for velocities", WEFT_ERROR_ARGUMENT, "room for 16", velocities_few},
        {"room for -16 velocities", WEFT_ERROR_ARGUMENT, "room for 16", velocities_minus},
        {"too little room for normals", WEFT_ERROR_ARGUMENT, "room for 16", normals_few},
        {"stride less than a normal", WEFT_ERROR_ARGUMENT, "stride", normals_overlap},
        {"too little room for masses", WEFT_ERROR_ARGUMENT, "room for 16", masses_few},
        {"too little room for pressures", WEFT_ERROR_ARGUMENT, "room for 16", pressures_few},
        {"too little room for uv", WEFT_ERROR_ARGUMENT, "room for 16", uv_few},
        {"uv of a 3D rest shape", WEFT_ERROR_NOT_FOUND, "material coordinates", uv_none},
        {"too little room for triangles", WEFT_ERROR_ARGUMENT, "room for 18", triangles_few},
        {"no room for triangles", WEFT_ERROR_ARGUMENT, "room for 18", triangles_null},
        {"15 positions", WEFT_ERROR_ARGUMENT, "16 items", set_positions_few},
        {"17 positions", WEFT_ERROR_ARGUMENT, "16 items", set_positions_many},
        {"no positions", WEFT_ERROR_ARGUMENT, "16 items", set_positions_null},
        {"NaN position", WEFT_ERROR_NOT_FINITE, "position of node 15", set_positions_nan},
        {"position beyond the world", WEFT_ERROR_RANGE, "position of node 9", set_positions_far},
        {"12 velocities", WEFT_ERROR_ARGUMENT, "16 items", set_velocities_few},
        {"infinite velocity", WEFT_ERROR_NOT_FINITE, "velocity of node 8", set_velocities_inf},
        {"too fast", WEFT_ERROR_RANGE, "velocity of node 3", set_velocities_fast},
    };
    check_rows(rows, COUNT(rows));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wrong_grids_are_refused),
        cmocka_unit_test(wrong_meshes_are_refused),
        cmocka_unit_test(wrong_reading_and_setting_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
