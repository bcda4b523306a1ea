/* SPDX-License-Identifier: MIT */
/* Readers of patterns: what they make of small files, and of the seventeen real ones beside the repository. */
/* ctest: timeout=300 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "data_file.h"
#include "real_patterns.h"

#include "garment/pattern_kit.h"

#include <unistd.h>
#include <weft/io/pattern.h>

static weft_pattern *parse(weft_pattern_format format, const char *text)
{
    weft_pattern *p = NULL;
    weft_error e = {0};
    if (weft_pattern_parse(format, "in", text, strlen(text), &p, &e) != WEFT_OK)
        fail_msg("%s", e.text);
    return p;
}

static void wrong(weft_pattern_format format, const char *text, const char *message)
{
    weft_pattern *p = NULL;
    weft_error e = {0};
    weft_result r = weft_pattern_parse(format, "in", text, strlen(text), &p, &e);
    if (r >= 0 || strstr(e.text, message) != e.text)
        fail_msg("got %d: %s\nexpected: %s", (int)r, e.text, message);
    assert_null(p);
}

static weft_pattern *read_well(const char *path)
{
    weft_pattern *p = NULL;
    weft_error e = {0};
    if (weft_pattern_read(path, &p, &e) != WEFT_OK)
        fail_msg("%s", e.text);
    return p;
}

static weft_pattern *read_root(const char *path)
{
    char full[PATH_ROOM];
    return read_well(project_path(path, full));
}

/* ---- panel-outline/1 --------------------------------------------------------------------------------------------- */

static void outlines_are_read_with_all_they_have(void **unused)
{
    (void)unused;
    weft_pattern *p = read_root("fuzz/seeds/pattern_outline/skirt.json");
    weft_error e = {0};
    assert_int_equal(weft_pattern_panel_count(p), 4);
    const weft_panel *front = weft_pattern_panel(p, 0);
    assert_int_equal(front->n_loops, 2);
    assert_int_equal(front->n_edges, 8);
    assert_true(front->edges[2].elastic == 0.9 && front->edges[0].elastic == 1);
    assert_int_equal(front->lines[0].kind, WEFT_LINE_FOLD);
    assert_true(front->lines[0].value == 1.5);
    assert_true(front->grain.u == 0 && front->grain.v == 1);
    assert_int_equal(weft_pattern_panel(p, 1)->placement.kind, WEFT_PLACEMENT_CYLINDER);
    assert_true(fabs(weft_pattern_panel(p, 1)->placement.rate * 0.6 - 6.283185307179586) < 1e-12);
    assert_string_equal(weft_pattern_panel(p, 2)->placement.joint, "LeftHand");
    assert_int_equal(weft_pattern_panel(p, 3)->placement.kind, WEFT_PLACEMENT_CONE);
    assert_int_equal(weft_pattern_seam(p, 0)->kind, WEFT_SEAM_DART);
    assert_true(weft_pattern_seam(p, 1)->a[0].from == 0.1 && weft_pattern_seam(p, 1)->n_b == 2);
    assert_true(weft_pattern_seam(p, 2)->same_direction && !weft_pattern_seam(p, 1)->same_direction);
    if (weft_pattern_check(p, 2, &e) != WEFT_OK)
        fail_msg("%s", e.text);
    weft_garment *g = kit_garment(p, 0.02);
    kit_check_mesh(weft_garment_get(g));
    weft_garment_destroy(g);
    weft_pattern_destroy(p);
}

/* Writing and reading again gives the same panels: lengths of edges to twice the tolerance of thinning. */
static void what_is_written_is_read_again(void **unused)
{
    (void)unused;
    const char *const files[] = {"fuzz/seeds/pattern_outline/skirt.json", "fuzz/seeds/pattern_garmentcode/two.json",
                                 "fuzz/seeds/pattern_dxf/front.dxf"};
    char path[64];
    snprintf(path, sizeof path, "/tmp/weft_pattern_%d.json", (int)getpid());
    for (int f = 0; f < 3; f++) {
        weft_pattern *p = read_root(files[f]), *q = NULL;
        weft_error e = {0};
        if (weft_pattern_write(path, p, true, &e) != WEFT_OK || weft_pattern_read(path, &q, &e) != WEFT_OK)
            fail_msg("%s", e.text);
        assert_int_equal(weft_pattern_panel_count(q), weft_pattern_panel_count(p));
        assert_int_equal(weft_pattern_seam_count(q), weft_pattern_seam_count(p));
        for (int32_t i = 0; i < weft_pattern_panel_count(p); i++) {
            const weft_panel *a = weft_pattern_panel(p, i), *b = weft_pattern_panel(q, i);
            assert_string_equal(a->name, b->name);
            assert_int_equal(a->n_edges, b->n_edges);
            assert_int_equal(a->placement.kind, b->placement.kind);
            assert_int_equal(a->n_lines, b->n_lines);
            assert_int_equal(a->n_notches, b->n_notches);
            for (int32_t k = 0; k < a->n_edges; k++)
                assert_true(fabs(weft_pattern_edge_length(p, i, k) - weft_pattern_edge_length(q, i, k)) < 1e-4);
            weft_vec3 x = weft_placement_at(&a->placement, (weft_vec2){0.1, 0.2});
            weft_vec3 y = weft_placement_at(&b->placement, (weft_vec2){0.1, 0.2});
            if (!a->placement.joint)
                assert_true(fabs(x.x - y.x) + fabs(x.y - y.y) + fabs(x.z - y.z) < 1e-7);
        }
        weft_pattern_destroy(p);
        weft_pattern_destroy(q);
    }
    remove(path);
}

#define PANEL                                                                                                          \
    "{\"name\": \"a\", \"outline\": [[0,0],[1,0],[0,1]], \"edges\": [{\"name\": \"e\", \"first\": 0, \"segments\": "   \
    "3}]}"

static void faults_in_outlines_are_told_with_line_and_name(void **unused)
{
    (void)unused;
    wrong(WEFT_PATTERN_OUTLINE, "[1]", "in:1: found no JSON object");
    wrong(WEFT_PATTERN_OUTLINE, "{\n\"panels\": 3}", "in:2:11: 'panels' is 3, expected a list");
    wrong(WEFT_PATTERN_OUTLINE, "{\"units\": \"mm\", \"panels\": []}", "in:1:11: units are expected to be \"m\"");
    wrong(WEFT_PATTERN_OUTLINE, "{\"panels\": []}", "in: there is no panel in it");
    wrong(WEFT_PATTERN_OUTLINE, "{\"panels\": [\n" PANEL ",\n" PANEL "]}", "in:3:1: two panels are called 'a'");
    wrong(WEFT_PATTERN_OUTLINE, "{\"panels\": [{\"name\": \"a\",\n\"outline\": [[0,0],[1,x],[0,1]]}]}",
          "in:2:22: found 'x', expected a number");
    wrong(WEFT_PATTERN_OUTLINE,
          "{\"panels\": [" PANEL "], \"stitches\": [\n{\"a\": [{\"panel\": \"a\", \"edge\": \"f\"}]}]}",
          "in:2:8: panel 'a' has no edge 'f'");
    wrong(WEFT_PATTERN_OUTLINE,
          "{\"panels\": [\n{\"name\": \"a\", \"outline\": [[0,0],[1,0],[0,1]], \"edges\": [{\"name\": \"e\", "
          "\"first\": 0, "
          "\"segments\": 2}]}]}",
          "in:2:1: panel 'a': no edge has curve 2 of 3");
}

/* ---- GarmentCode ------------------------------------------------------------------------------------------------- */

static void specifications_are_turned_to_face_outwards(void **unused)
{
    (void)unused;
    weft_pattern *p = read_root("fuzz/seeds/pattern_garmentcode/two.json");
    weft_error e = {0};
    assert_int_equal(weft_pattern_panel_count(p), 2);
    const weft_panel *front = weft_pattern_panel(p, 0), *back = weft_pattern_panel(p, 1);
    assert_int_equal(front->curves[1].kind, WEFT_CURVE_QUADRATIC);
    assert_int_equal(front->curves[2].kind, WEFT_CURVE_CUBIC);
    assert_int_equal(front->curves[3].kind, WEFT_CURVE_ARC);
    assert_true(front->curves[3].radius == 0.5 && front->curves[3].is_left && !front->curves[3].is_large);
    /* Half along the edge up, and a tenth of its length to the left. */
    assert_true(fabs(front->curves[1].control[0].u - 0.26) < 1e-15 &&
                fabs(front->curves[1].control[0].v - 0.2) < 1e-15);
    assert_true(weft_curves_turn(back->curves, back->n_curves) > 0);
    /* Rz(−5°) Ry(180°) Rx(10°) (30, 0, 0) cm + t for the corner (30, 0), whose u is now −0.3. */
    weft_vec3 x = weft_placement_at(&back->placement, (weft_vec2){-0.3, 0});
    assert_true(fabs(x.x + 0.3 * cos(5 * 0.017453292519943295)) < 1e-12);
    assert_true(fabs(x.y - 1 - 0.3 * sin(5 * 0.017453292519943295)) < 1e-12 && fabs(x.z + 0.2) < 1e-12);
    assert_true(weft_pattern_seam(p, 1)->same_direction);
    if (weft_pattern_check(p, 2, &e) != WEFT_OK)
        fail_msg("%s", e.text);
    weft_pattern_destroy(p);
}

static void faults_in_specifications_are_told_with_line(void **unused)
{
    (void)unused;
    wrong(WEFT_PATTERN_GARMENTCODE,
          "{\"pattern\": {\"panels\": {\n\"a\": {\"vertices\": [[0,0],[1,0],[0,1]], \"edges\": "
          "[{\"endpoints\": [0,1]}, {\"endpoints\": [2,0]}]}}}}",
          "in:2:72: edge 1 begins at vertex 2, but the one before it ends at 1");
    wrong(WEFT_PATTERN_GARMENTCODE,
          "{\"pattern\": {\"panels\": {\n\"a\": {\"vertices\": [[0,0],[1,0],[0,1]], \"edges\": "
          "[{\"endpoints\": [0,1]}, {\"endpoints\": [1,3]}]}}}}",
          "in:2:86: there is no vertex 3, there are 3");
    wrong(WEFT_PATTERN_GARMENTCODE,
          "{\"pattern\": {\"panels\": {\n\"a\": {\"vertices\": [[0,0],[1,0],[0,1]], \"edges\": "
          "[{\"endpoints\": [0,1], \"curvature\": {\"type\": \"spiral\", \"params\": []}}, "
          "{\"endpoints\": [1,0]}]}}}}",
          "in:2:84: the type of a curve is 'spiral', expected quadratic, cubic or circle");
}

/* ---- DXF --------------------------------------------------------------------------------------------------------- */

static void dxf_pieces_become_panels(void **unused)
{
    (void)unused;
    weft_pattern *p = read_root("fuzz/seeds/pattern_dxf/front.dxf");
    weft_panel_info info;
    assert_int_equal(weft_pattern_panel_count(p), 2);
    const weft_panel *front = weft_pattern_panel(p, weft_pattern_find_panel(p, "front"));
    const weft_panel *pocket = weft_pattern_panel(p, weft_pattern_find_panel(p, "POCKET"));
    assert_non_null(front);
    assert_non_null(pocket);
    /* Half the front is 0.1314 m² by the shoelace formula; its mirror line adds the other half. */
    assert_int_equal(weft_pattern_panel_info(p, 0, &info, NULL), WEFT_OK);
    assert_true(fabs(info.area - 2 * 0.1314) < 1e-12);
    assert_true(fabs(info.low.u + 0.25) < 1e-12 && fabs(info.high.u - 0.25) < 1e-12);
    assert_int_equal(front->n_edges, 10); /* six turn points, four of them twice */
    assert_true(front->grain.u == 0 && fabs(front->grain.v - 0.3) < 1e-12);
    assert_int_equal(front->n_notches, 1);
    /* The sew line of the pocket is its outline, less the hole. */
    assert_int_equal(weft_pattern_panel_info(p, 1, &info, NULL), WEFT_OK);
    assert_true(fabs(info.area - (0.1 * 0.13 - 0.04 * 0.04)) < 1e-12);
    assert_int_equal(pocket->n_loops, 2);
    assert_true(fabs(pocket->notches[0].at.u - 0.01) < 1e-12); /* moved from the boundary to the sew line */
    weft_error e = {0};
    if (weft_pattern_check(p, 2, &e) != WEFT_OK)
        fail_msg("%s", e.text);
    weft_pattern_destroy(p);
}

#define SQUARE                                                                                                         \
    "0\nPOLYLINE\n8\n1\n70\n1\n0\nVERTEX\n10\n0\n20\n0\n0\nVERTEX\n10\n10\n20\n0\n0\nVERTEX\n10\n10\n20\n10\n0\nSEQEN" \
    "D\n"

static void dxf_units_are_those_that_the_file_names(void **unused)
{
    (void)unused;
    const struct {
        const char *head;
        double area;
    } cases[] = {{"0\nTEXT\n1\nUNITS: ENGLISH\n", 50 * 0.0254 * 0.0254},
                 {"0\nTEXT\n1\nUnits: metric\n", 50e-6},
                 {"9\n$INSUNITS\n70\n5\n", 50e-4},
                 {"9\n$MEASUREMENT\n70\n0\n", 50 * 0.0254 * 0.0254},
                 {"", 50e-6}};
    for (int i = 0; i < 5; i++) {
        char text[1000];
        snprintf(text, sizeof text, "%s0\nBLOCK\n2\nP\n%s0\nENDBLK\n0\nEOF\n", cases[i].head, SQUARE);
        weft_pattern *p = parse(WEFT_PATTERN_DXF, text);
        weft_panel_info info;
        assert_int_equal(weft_pattern_panel_info(p, 0, &info, NULL), WEFT_OK);
        assert_true(fabs(info.area - cases[i].area) < 1e-12);
        weft_pattern_destroy(p);
    }
}

static void faults_in_dxf_are_told_with_line(void **unused)
{
    (void)unused;
    wrong(WEFT_PATTERN_DXF, "", "in: no block has a boundary (layer 1) or a sew line (layer 14)");
    wrong(WEFT_PATTERN_DXF, "0\nBLOCK\nx\n", "in:3: found 'x', expected the number of a group");
    wrong(WEFT_PATTERN_DXF, "0\nBLOCK\n0\n", "in:3: the file ends behind the group code 0");
    wrong(WEFT_PATTERN_DXF, "0\nBLOCK\n0\nPOINT\n10\nfar\n", "in:5: found 'far', expected a number");
    wrong(WEFT_PATTERN_DXF, "0\nBLOCK\n2\nP\n" SQUARE, "in:31: the file ends within the block 'P'");
    wrong(WEFT_PATTERN_DXF, "0\nBLOCK\n2\nP\n0\nLINE\n8\n1\n10\n0\n20\n0\n11\n1\n21\n1\n0\nENDBLK\n0\nEOF\n",
          "in:5: piece 'P': its outline has fewer than 3 points");
}

/* ---- the real ones ----------------------------------------------------------------------------------------------- */

/* What an edge's nodes leave out of its length and area: exact for the polyline the edge is. */
static double chain_length(const weft_garment_data *d, int32_t edge)
{
    double sum = 0;
    for (int32_t i = d->edge_start[edge]; i + 1 < d->edge_start[edge + 1]; i++) {
        weft_vec2 a = d->drawn[d->edge_nodes[i]], b = d->drawn[d->edge_nodes[i + 1]];
        sum += hypot(b.u - a.u, b.v - a.v);
    }
    return sum;
}

/* Chords of length c ≤ 1.5 sizes over an arc that turns by τ are shorter by the share τ²/24 and enclose c² τ/12 less
 * area each. A piece turns by at most 0.6 a chord (or the chord is a third of the size), so by 1.5 % in length; where
 * an edge is drawn into a node, its ends move by up to a quarter of the size. */
static void check_measures(const weft_pattern *p, const weft_garment_data *d, double size, double *area_error,
                           double *length_error)
{
    for (int32_t i = 0; i < d->n_panels; i++) {
        weft_panel_info info;
        assert_int_equal(weft_pattern_panel_info(p, i, &info, NULL), WEFT_OK);
        double off = fabs(d->panels[i].area - info.area) / info.area;
        *area_error = fmax(*area_error, off);
        assert_true(fabs(d->panels[i].area - info.area) < 0.08 * size * info.perimeter);
        for (int32_t e = 0; e < d->panels[i].n_edges; e++) {
            double length = weft_pattern_edge_length(p, i, e), chain = chain_length(d, d->panels[i].first_edge + e);
            assert_true(chain <= length + 0.5 * size && chain >= 0.985 * length - 0.5 * size);
            if (length > 4 * size)
                *length_error = fmax(*length_error, fabs(chain - length) / length);
        }
    }
}

/* Every seam: pairs from one end of each side to the other, as many on both. */
static void check_seams(const weft_pattern *p, const weft_garment_data *d)
{
    int32_t at = 0;
    for (int32_t s = 0; s < weft_pattern_seam_count(p); s++) {
        const weft_seam *seam = weft_pattern_seam(p, s);
        int32_t n_a = 0, n_b = 0, first = at;
        for (int32_t i = 0; i < seam->n_a; i++) {
            int32_t e = d->panels[seam->a[i].panel].first_edge + seam->a[i].edge;
            n_a += d->edge_start[e + 1] - d->edge_start[e] - 1;
        }
        for (int32_t i = 0; i < seam->n_b; i++) {
            int32_t e = d->panels[seam->b[i].panel].first_edge + seam->b[i].edge;
            n_b += d->edge_start[e + 1] - d->edge_start[e] - 1;
        }
        assert_int_equal(n_a, n_b);
        while (at < d->n_pairs && d->pairs[at].seam == s)
            at++;
        /* One more than parts, one less at the tip of a dart, one more where panels meet on one side. */
        assert_true(at - first >= n_a && at - first <= n_a + seam->n_a + seam->n_b - 1);
    }
    assert_int_equal(at, d->n_pairs);
}

static void all_seventeen_patterns_are_read_and_meshed(void **state)
{
    (void)state;
    char path[PATH_ROOM];
    if (!data_file("patterns_freesewing", path) || !data_file("patterns_garmentcode", path))
        skip();
    const double sizes[] = {0.025, 0.02, 0.015, 0.01, 0.005};
    printf("%-44s %5s %6s %6s %6s %5s %6s %6s %7s %7s\n", "pattern", "mm", "nodes", "tri", "quads", "pairs", "angle",
           "aspect", "area %", "edge %");
    for (int f = 0; f < N_REAL; f++) {
        char name[200];
        snprintf(name, sizeof name, "%s.json", real_files[f]);
        weft_pattern *p = read_well(data_file(name, path));
        for (int k = 0; k < 5; k++) {
            weft_garment *g = kit_garment(p, sizes[k]);
            const weft_garment_data *d = weft_garment_get(g);
            double area = 0, length = 0;
            kit_check_mesh(d);
            check_measures(p, d, sizes[k], &area, &length);
            check_seams(p, d);
            printf("%-44s %5.0f %6d %6d %6d %5d %6.1f %6.2f %7.3f %7.3f\n", real_files[f], 1e3 * sizes[k], d->n_nodes,
                   d->n_triangles, d->n_quads, d->n_pairs, d->quality.least_angle * 57.29578, d->quality.largest_aspect,
                   100 * area, 100 * length);
            /* Ten degrees for the worst corner of the worst pattern; without short edges it is 23. */
            assert_true(d->quality.least_angle > 10 / 57.29578);
            assert_true(d->quality.shortest > 0.2 * sizes[k] && d->quality.longest < 2 * sizes[k]);
            weft_garment_destroy(g);
        }
        weft_pattern_destroy(p);
    }
}

static void drawings_are_written(void **unused)
{
    (void)unused;
    char path[64];
    snprintf(path, sizeof path, "/tmp/weft_pattern_%d.svg", (int)getpid());
    weft_pattern *p = read_root("fuzz/seeds/pattern_outline/skirt.json");
    weft_garment *g = kit_garment(p, 0.02);
    weft_svg_def def = weft_svg_def_default();
    weft_error e = {0};
    def.garment = g;
    if (weft_pattern_write_svg(path, p, &def, &e) != WEFT_OK)
        fail_msg("%s", e.text);
    assert_int_equal(weft_pattern_write_svg(path, p, &def, &e), WEFT_ERROR_EXISTS);
    remove(path);
    weft_garment_destroy(g);
    weft_pattern_destroy(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(outlines_are_read_with_all_they_have),
        cmocka_unit_test(what_is_written_is_read_again),
        cmocka_unit_test(faults_in_outlines_are_told_with_line_and_name),
        cmocka_unit_test(specifications_are_turned_to_face_outwards),
        cmocka_unit_test(faults_in_specifications_are_told_with_line),
        cmocka_unit_test(dxf_pieces_become_panels),
        cmocka_unit_test(dxf_units_are_those_that_the_file_names),
        cmocka_unit_test(faults_in_dxf_are_told_with_line),
        cmocka_unit_test(drawings_are_written),
        cmocka_unit_test(all_seventeen_patterns_are_read_and_meshed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
