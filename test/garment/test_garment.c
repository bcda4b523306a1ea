/* SPDX-License-Identifier: MIT */
/* ctest: labels=determinism */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/hash.h"
#include "garment/pattern_kit.h"

#include <weft/form.h>
#include <weft/weft.h>

static uint64_t next(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return *state >> 33;
}

static double uniform(uint64_t *state)
{
    return (double)next(state) * 0x1p-31;
}

static void rectangles_are_quads_inside_and_triangles_around(void **unused)
{
    (void)unused;
    weft_pattern *p = kit_pattern();
    kit_add_rectangle(p, "sheet", 1, 0.6);
    weft_garment *g = kit_garment(p, 0.05);
    const weft_garment_data *d = weft_garment_get(g);
    kit_check_mesh(d);
    assert_true(fabs(d->panels[0].area - 0.6) < 1e-12);
    assert_true(d->quality.quad_share > 0.74);
    assert_true(d->quality.least_angle > 0.5);
    for (int32_t i = 0; i < d->n_quads; i++) { /* squares along warp and weft */
        const int32_t *v = d->quads + 4 * (int64_t)i;
        assert_true(fabs(d->uv[v[1]].u - d->uv[v[0]].u - 0.05) < 1e-11 && fabs(d->uv[v[1]].v - d->uv[v[0]].v) < 1e-11);
        assert_true(fabs(d->uv[v[3]].v - d->uv[v[0]].v - 0.05) < 1e-11 && fabs(d->uv[v[3]].u - d->uv[v[0]].u) < 1e-11);
    }
    weft_garment_destroy(g);
    weft_pattern_destroy(p);
}

/* u is along the grain, and uv is the drawing turned. */
/* Two such triangles, of panels sewn together round a corner, would lie on each other. */
static void no_triangle_of_a_rectangle_has_all_corners_on_the_outline(void **unused)
{
    (void)unused;
    for (int k = 0; k < 12; k++) {
        weft_pattern *p = kit_pattern();
        kit_add_rectangle(p, "bag", 0.2 + 0.003 * k, 0.3);
        weft_garment *g = kit_garment(p, 0.025);
        const weft_garment_data *d = weft_garment_get(g);
        bool *rim = calloc((size_t)d->n_nodes, sizeof *rim);
        assert_non_null(rim);
        for (int32_t i = 0; i < d->edge_start[d->n_edges]; i++)
            rim[d->edge_nodes[i]] = true;
        for (int32_t t = 0; t < d->n_triangles; t++)
            assert_false(rim[d->triangles[3 * t]] && rim[d->triangles[3 * t + 1]] && rim[d->triangles[3 * t + 2]]);
        free(rim);
        weft_garment_destroy(g);
        weft_pattern_destroy(p);
    }
}

static void material_coordinates_follow_the_grain(void **unused)
{
    (void)unused;
    weft_pattern *p = kit_pattern();
    kit_add_rectangle(p, "sheet", 1, 0.6);
    weft_panel panel = *weft_pattern_panel(p, 0);
    panel.name = "bias";
    panel.grain = (weft_vec2){3, 4};
    weft_error e = {0};
    assert_int_equal(weft_pattern_add_panel(p, &panel, NULL, &e), WEFT_OK);
    weft_garment *g = kit_garment(p, 0.04);
    const weft_garment_data *d = weft_garment_get(g);
    kit_check_mesh(d);
    for (int32_t i = 0; i < d->n_nodes; i++) {
        bool bias = i >= d->panels[1].first_node;
        double gu = bias ? 0.6 : 0, gv = bias ? 0.8 : 1;
        weft_vec2 q = d->drawn[i];
        /* Snapped to 2⁻⁴⁰ m. */
        assert_true(fabs(d->uv[i].u - (gu * q.u + gv * q.v)) < 2e-12);
        assert_true(fabs(d->uv[i].v - (gu * q.v - gv * q.u)) < 2e-12);
    }
    weft_garment_destroy(g);
    weft_pattern_destroy(p);
}

static const int32_t *edge_of(const weft_garment_data *d, int32_t panel, int32_t edge, int32_t *n)
{
    int32_t e = d->panels[panel].first_edge + edge;
    *n = d->edge_start[e + 1] - d->edge_start[e];
    return d->edge_nodes + d->edge_start[e];
}

/* Sides of 1 m and 1.3 m: equally many nodes, pairs in opposite directions, gathered evenly. */
static void sides_of_different_length_get_equal_divisions(void **unused)
{
    (void)unused;
    weft_pattern *p = kit_pattern();
    kit_add_rectangle(p, "band", 1, 0.1);
    kit_add_rectangle(p, "skirt", 1.3, 0.5);
    kit_add_seam(p, 0, 0, 1, 2);
    weft_garment *g = kit_garment(p, 0.03);
    const weft_garment_data *d = weft_garment_get(g);
    int32_t n, m;
    const int32_t *a = edge_of(d, 0, 0, &n), *b = edge_of(d, 1, 2, &m);
    kit_check_mesh(d);
    assert_int_equal(n, m);
    assert_int_equal(n, 44); /* 1.3 / 0.03 = 43.3 parts */
    assert_int_equal(d->n_pairs, n);
    for (int32_t i = 0; i < n; i++) {
        assert_int_equal(d->pairs[i].a, a[i]);
        assert_int_equal(d->pairs[i].b, b[n - 1 - i]);
        assert_true(fabs(d->drawn[a[i]].u - i / 43.0) < 1e-11 && fabs(d->drawn[b[i]].u - 1.3 * (1 - i / 43.0)) < 1e-11);
    }
    weft_garment_destroy(g);
    weft_pattern_destroy(p);
}

/* A band sewn to two panels gets a break where they meet, and these a partner each for it. */
static void breaks_are_carried_over_seams(void **unused)
{
    (void)unused;
    weft_pattern *p = kit_pattern();
    kit_add_rectangle(p, "band", 1, 0.1);
    kit_add_rectangle(p, "left", 0.37, 0.5);
    kit_add_rectangle(p, "right", 0.63, 0.5);
    weft_seam_part a = {0, 0, 0, 1}, b[2] = {{2, 2, 0, 1}, {1, 2, 0, 1}};
    weft_seam seam = weft_seam_default();
    seam.a = &a;
    seam.n_a = 1;
    seam.b = b;
    seam.n_b = 2;
    assert_int_equal(weft_pattern_add_seam(p, &seam, NULL, NULL), WEFT_OK);
    kit_add_seam(p, 1, 1, 2, 3);
    weft_garment *g = kit_garment(p, 0.05);
    const weft_garment_data *d = weft_garment_get(g);
    kit_check_mesh(d);
    bool met[2] = {false, false};
    for (int32_t i = 0; i < d->n_pairs; i++) {
        if (d->pairs[i].seam != 0)
            continue;
        /* Band and panels are of the same length: pairs have the same place along the seam. */
        bool left = d->pairs[i].b < d->panels[2].first_node;
        assert_true(fabs(d->drawn[d->pairs[i].a].u - d->drawn[d->pairs[i].b].u - (left ? 0 : 0.37)) < 1e-9);
        met[left] = met[left] || fabs(d->drawn[d->pairs[i].a].u - 0.37) < 1e-9;
    }
    assert_true(met[0] && met[1]);
    weft_garment_destroy(g);
    weft_pattern_destroy(p);
}

/* Three layers: a is sewn to b, b to c; all three get the divisions of the longest. */
static void chains_of_seams_share_their_divisions(void **unused)
{
    (void)unused;
    weft_pattern *p = kit_pattern();
    kit_add_rectangle(p, "a", 1, 0.2);
    kit_add_rectangle(p, "b", 1.2, 0.2);
    kit_add_rectangle(p, "c", 1.4, 0.2);
    kit_add_seam(p, 0, 0, 1, 0);
    kit_add_seam(p, 1, 0, 2, 0);
    weft_garment *g = kit_garment(p, 0.1);
    const weft_garment_data *d = weft_garment_get(g);
    for (int32_t panel = 0; panel < 3; panel++) {
        int32_t n;
        edge_of(d, panel, 0, &n);
        assert_int_equal(n, 15);
    }
    assert_int_equal(d->n_pairs, 30);
    kit_check_mesh(d);
    weft_garment_destroy(g);
    weft_pattern_destroy(p);
}

/* Legs of a dart are paired from the outline to the tip, which is one node. */
static void darts_close_on_their_tip(void **unused)
{
    (void)unused;
    weft_pattern *p = kit_pattern();
    const weft_vec2 points[] = {{0, 0}, {1, 0}, {1, 1}, {0.55, 1}, {0.5, 0.6}, {0.45, 1}, {0, 1}};
    kit_add_polygon(p, (kit_polygon){"dart", points, 7});
    kit_add_seam(p, 0, 3, 0, 4);
    weft_garment *g = kit_garment(p, 0.05);
    const weft_garment_data *d = weft_garment_get(g);
    kit_check_mesh(d);
    int32_t n, m;
    const int32_t *a = edge_of(d, 0, 3, &n), *b = edge_of(d, 0, 4, &m);
    assert_int_equal(n, m);
    assert_int_equal(a[n - 1], b[0]);
    assert_int_equal(d->n_pairs, n - 1);
    for (int32_t i = 0; i < d->n_pairs; i++)
        assert_true(fabs(d->drawn[d->pairs[i].a].v - d->drawn[d->pairs[i].b].v) < 1e-11);
    weft_garment_destroy(g);
    weft_pattern_destroy(p);
}

/* A square with a round hole, a fold across and an elastic line that ends inside. */
static weft_pattern *pattern_with_lines(void)
{
    weft_curve curves[6] = {{.from = {0, 0}}, {.from = {1, 0}}, {.from = {1, 1}}, {.from = {0, 1}}};
    for (int i = 4; i < 6; i++)
        curves[i] = (weft_curve){.kind = WEFT_CURVE_ARC, .from = {i == 4 ? 0.6 : 0.8, 0.7}, .radius = 0.1};
    weft_edge edges[6] = {{"s", 0, 1, 1}, {"e", 1, 1, 1},  {"n", 2, 1, 1},
                          {"w", 3, 1, 1}, {"h1", 4, 1, 1}, {"h2", 5, 1, 1}};
    weft_vec2 fold[2] = {{0, 0.33}, {1, 0.41}}, elastic[3] = {{0.1, 0.5}, {0.3, 0.9}, {0.45, 0.6}};
    weft_line lines[3] = {{WEFT_LINE_FOLD, "fold", 2, fold, 1},
                          {WEFT_LINE_MARK, "mark", 2, fold, 0},
                          {WEFT_LINE_ELASTIC, "band", 3, elastic, 0.8}};
    weft_notch notch = {"notch", {0.437, 0}};
    int32_t sizes[2] = {4, 2};
    weft_panel panel = weft_panel_default();
    panel.name = "square";
    panel.n_loops = 2;
    panel.loop_sizes = sizes;
    panel.n_curves = panel.n_edges = 6;
    panel.curves = curves;
    panel.edges = edges;
    panel.n_lines = 3;
    panel.lines = lines;
    panel.n_notches = 1;
    panel.notches = &notch;
    weft_pattern *p = kit_pattern();
    weft_error e = {0};
    if (weft_pattern_add_panel(p, &panel, NULL, &e) != WEFT_OK)
        fail_msg("%s", e.text);
    return p;
}

static bool has_side(const weft_garment_data *d, int32_t a, int32_t b)
{
    for (int32_t i = 0; i < d->n_triangles; i++)
        for (int k = 0; k < 3; k++)
            if (d->triangles[3 * i + k] == a && d->triangles[3 * i + (k + 1) % 3] == b)
                return true;
    return false;
}

static void lines_holes_and_notches_are_in_the_mesh(void **unused)
{
    (void)unused;
    weft_pattern *p = pattern_with_lines();
    weft_garment *g = kit_garment(p, 0.04);
    const weft_garment_data *d = weft_garment_get(g);
    kit_check_mesh(d);
    assert_int_equal(d->n_lines, 2);
    assert_int_equal(d->lines[0].line, 0);
    assert_int_equal(d->lines[1].line, 2);
    for (int32_t i = 0; i < 2; i++)
        for (int32_t k = 0; k + 1 < d->lines[i].n; k++) {
            const int32_t *v = d->line_nodes + d->lines[i].first + k;
            assert_true(has_side(d, v[0], v[1]) && has_side(d, v[1], v[0]));
        }
    int32_t n;
    const int32_t *west = edge_of(d, 0, 3, &n);
    bool joined = false; /* the fold begins at a node of the outline */
    for (int32_t i = 0; i < n; i++)
        joined = joined || west[i] == d->line_nodes[d->lines[0].first];
    assert_true(joined);
    const int32_t *south = edge_of(d, 0, 0, &n);
    double nearest = 1;
    for (int32_t i = 0; i < n; i++)
        nearest = fmin(nearest, fabs(d->drawn[south[i]].u - 0.437));
    assert_true(nearest < 1e-11);
    assert_true(fabs(d->panels[0].area - (1 - 3.14159265358979 * 0.01)) < 0.002); /* the hole's chords */
    weft_garment_destroy(g);
    weft_pattern_destroy(p);
}

/* Stars of random radii at random sizes: all invariants, and no element's angle below what its corner forces. */
static void random_outlines_are_tiled(void **unused)
{
    (void)unused;
    uint64_t state = 11;
    int rounds = getenv("WEFT_LONG") ? 2000 : 150, meshed = 0;
    for (int round = 0; round < rounds; round++) {
        weft_vec2 points[16];
        int n = 3 + (int)(next(&state) % 14);
        for (int i = 0; i < n; i++) {
            double angle = 6.283185307179586 * (i + 0.7 * uniform(&state)) / n, r = 0.1 + 0.4 * uniform(&state);
            points[i] = (weft_vec2){r * cos(angle), r * sin(angle)};
        }
        weft_pattern *p = kit_pattern();
        weft_error e = {0};
        if (kit_try_polygon(p, (kit_polygon){"star", points, n}, &e) == WEFT_OK &&
            weft_pattern_check(p, 2, &e) == WEFT_OK) {
            weft_garment *g = kit_garment(p, 0.005 + 0.1 * uniform(&state));
            kit_check_mesh(weft_garment_get(g));
            weft_garment_destroy(g);
            meshed++;
        }
        weft_pattern_destroy(p);
    }
    assert_true(meshed > rounds / 2);
}

static void a_garment_is_ready_to_be_a_cloth(void **unused)
{
    (void)unused;
    weft_pattern *p = pattern_with_lines();
    weft_garment *g = kit_garment(p, 0.05);
    const weft_garment_data *d = weft_garment_get(g);
    weft_sim *sim = NULL;
    weft_error e = {0};
    weft_sim_def sim_def = weft_sim_def_default();
    assert_int_equal(weft_sim_create(&sim_def, &sim, &e), WEFT_OK);
    weft_mesh_def mesh = weft_mesh_def_default();
    mesh.n_nodes = d->n_nodes;
    mesh.positions = d->positions;
    mesh.uv = d->uv;
    mesh.n_triangles = d->n_triangles;
    mesh.triangles = d->triangles;
    mesh.n_quads = d->n_quads;
    mesh.quads = d->quads;
    mesh.model.face_panel = d->face_panel;
    mesh.model.n_panels = d->n_panels;
    weft_cloth_id cloth;
    if (weft_cloth_create_mesh(sim, &mesh, &cloth, &e) != WEFT_OK)
        fail_msg("%s", e.text);
    weft_cloth_info info;
    assert_int_equal(weft_cloth_get_info(sim, cloth, &info, &e), WEFT_OK);
    assert_true(fabs(info.area - d->panels[0].area) < 1e-10);
    weft_step_stats stats;
    assert_true(weft_sim_step(sim, 1.0 / 60, &stats, &e) >= 0);
    weft_sim_destroy(sim);
    weft_garment_destroy(g);
    weft_pattern_destroy(p);
}

/* A draft with curves, cut at two sizes: the same bits from every compiler, optimised or not. */
static void meshes_are_the_same_everywhere(void **unused)
{
    (void)unused;
    uint64_t h = HASH_START;
    weft_measures m = weft_measures_default();
    for (int32_t k = 0; k < weft_draft_count(); k++)
        for (int size = 0; size < 2; size++) {
            weft_pattern *p = NULL;
            assert_int_equal(weft_draft(weft_draft_name(k), &m, &p, NULL), WEFT_OK);
            weft_garment *g = kit_garment(p, size ? 0.011 : 0.03);
            const weft_garment_data *d = weft_garment_get(g);
            kit_check_mesh(d);
            h = hash_bytes(h, d->uv, (size_t)d->n_nodes * sizeof *d->uv);
            h = hash_bytes(h, d->triangles, 3 * (size_t)d->n_triangles * sizeof *d->triangles);
            h = hash_bytes(h, d->quads, 4 * (size_t)d->n_quads * sizeof *d->quads);
            h = hash_bytes(h, d->pairs, (size_t)d->n_pairs * sizeof *d->pairs);
            weft_garment_destroy(g);
            weft_pattern_destroy(p);
        }
    if (h != UINT64_C(0x7560a465cc1e1006))
        fail_msg("hash %016llx", (unsigned long long)h);
}

static void sizes_out_of_range_are_refused(void **unused)
{
    (void)unused;
    weft_pattern *p = kit_pattern();
    kit_add_rectangle(p, "sheet", 1, 1);
    weft_garment_def def = weft_garment_def_default();
    weft_garment *g = NULL;
    weft_error e = {0};
    def.size = 0;
    assert_int_equal(weft_garment_create(p, &def, &g, &e), WEFT_ERROR_RANGE);
    assert_null(g);
    def.size = (double)NAN;
    assert_int_equal(weft_garment_create(p, &def, &g, &e), WEFT_ERROR_RANGE);
    def = (weft_garment_def){0};
    assert_int_equal(weft_garment_create(p, &def, &g, &e), WEFT_ERROR_STRUCT_SIZE);
    weft_pattern_destroy(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rectangles_are_quads_inside_and_triangles_around),
        cmocka_unit_test(no_triangle_of_a_rectangle_has_all_corners_on_the_outline),
        cmocka_unit_test(material_coordinates_follow_the_grain),
        cmocka_unit_test(sides_of_different_length_get_equal_divisions),
        cmocka_unit_test(breaks_are_carried_over_seams),
        cmocka_unit_test(chains_of_seams_share_their_divisions),
        cmocka_unit_test(darts_close_on_their_tip),
        cmocka_unit_test(lines_holes_and_notches_are_in_the_mesh),
        cmocka_unit_test(random_outlines_are_tiled),
        cmocka_unit_test(a_garment_is_ready_to_be_a_cloth),
        cmocka_unit_test(meshes_are_the_same_everywhere),
        cmocka_unit_test(sizes_out_of_range_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
