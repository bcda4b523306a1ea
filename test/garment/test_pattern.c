/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "garment/pattern_kit.h"

static const double pi = 3.14159265358979323846;

static void expect(weft_result got, const weft_error *e, weft_result code, const char *text)
{
    if (got != code || !strstr(e->text, text))
        fail_msg("got %d: %s\nexpected %d: %s", (int)got, e->text, (int)code, text);
}

/* A panel of two curves from (−1, 0) to (1, 0) and back. */
static weft_pattern *lens(weft_curve low, weft_curve high)
{
    weft_pattern *p = kit_pattern();
    weft_curve curves[2] = {low, high};
    curves[0].from = (weft_vec2){-1, 0};
    curves[1].from = (weft_vec2){1, 0};
    weft_edge edges[2] = {{"low", 0, 1, 1}, {"high", 1, 1, 1}};
    int32_t size = 2;
    weft_panel panel = weft_panel_default();
    panel.name = "lens";
    panel.n_loops = 1;
    panel.loop_sizes = &size;
    panel.n_curves = panel.n_edges = 2;
    panel.curves = curves;
    panel.edges = edges;
    weft_error e = {0};
    if (weft_pattern_add_panel(p, &panel, NULL, &e) != WEFT_OK)
        fail_msg("%s", e.text);
    return p;
}

/* Chords are within 1 µm of the curve, so an area errs by less than that times the length of the curve, and a length of
 * chords by the share (8/3) (sagitta / chord)² of it. */
static void lengths_and_areas_are_those_of_the_curves(void **unused)
{
    (void)unused;
    weft_panel_info info;
    weft_curve arc = {.kind = WEFT_CURVE_ARC, .radius = 1, .is_left = true};
    weft_pattern *p = lens(arc, arc);
    assert_int_equal(weft_pattern_panel_info(p, 0, &info, NULL), WEFT_OK);
    assert_true(fabs(info.area - pi) < 2 * pi * 1e-6);
    assert_true(fabs(weft_pattern_edge_length(p, 0, 0) - pi) < 1e-5);
    assert_true(fabs(info.perimeter - 2 * pi) < 1e-5);
    weft_pattern_destroy(p);

    /* A parabola y = −(1 − x²): area 4/3 below; length by the closed form. */
    weft_curve parabola = {.kind = WEFT_CURVE_QUADRATIC, .control = {{0, -2}}};
    p = lens(parabola, (weft_curve){.kind = WEFT_CURVE_LINE});
    assert_int_equal(weft_pattern_panel_info(p, 0, &info, NULL), WEFT_OK);
    assert_true(fabs(info.area - 4.0 / 3) < 4e-6);
    assert_true(fabs(weft_pattern_edge_length(p, 0, 0) - (sqrt(5.0) + 0.5 * asinh(2.0))) < 1e-5);
    assert_true(fabs(weft_pattern_edge_length(p, 0, 1) - 2) < 1e-12);
    weft_pattern_destroy(p);

    /* The same parabola as a cubic. */
    weft_curve cubic = {.kind = WEFT_CURVE_CUBIC, .control = {{-1 + 2.0 / 3, -4.0 / 3}, {1 - 2.0 / 3, -4.0 / 3}}};
    p = lens(cubic, (weft_curve){.kind = WEFT_CURVE_LINE});
    assert_int_equal(weft_pattern_panel_info(p, 0, &info, NULL), WEFT_OK);
    assert_true(fabs(info.area - 4.0 / 3) < 4e-6);
    weft_pattern_destroy(p);
}

/* Radius 2 over a chord of 2: a small arc of 60° and a large one of 300°; to the right they bulge up. */
static void arcs_go_the_way_that_their_flags_say(void **unused)
{
    (void)unused;
    const struct {
        bool large, left;
        double angle, depth;
    } cases[] = {{false, true, pi / 3, -(2 - sqrt(3.0))},
                 {true, true, 5 * pi / 3, -(2 + sqrt(3.0))},
                 {false, false, pi / 3, 2 - sqrt(3.0)},
                 {true, false, 5 * pi / 3, 2 + sqrt(3.0)}};
    for (int i = 0; i < 4; i++) {
        weft_curve arc = {.kind = WEFT_CURVE_ARC, .radius = 2, .is_large = cases[i].large, .is_left = cases[i].left};
        weft_curve back = {.kind = WEFT_CURVE_QUADRATIC, .control = {{0, 20}}};
        weft_pattern *p = lens(arc, back);
        int32_t n = 0;
        assert_int_equal(weft_pattern_edge_points(p, 0, 0, NULL, &n, NULL), WEFT_OK);
        weft_vec2 *points = calloc((size_t)n, sizeof *points);
        assert_int_equal(weft_pattern_edge_points(p, 0, 0, points, &n, NULL), WEFT_OK);
        assert_true(fabs(weft_pattern_edge_length(p, 0, 0) - 2 * cases[i].angle) < 1e-5);
        double depth = 0;
        for (int32_t k = 0; k < n; k++)
            depth = fabs(points[k].v) > fabs(depth) && points[k].v * cases[i].depth > 0 ? points[k].v : depth;
        assert_true(fabs(depth - cases[i].depth) < 2e-6);
        free(points);
        weft_pattern_destroy(p);
    }
}

static void outlines_that_cross_are_refused_by_panel_and_edge(void **unused)
{
    (void)unused;
    weft_error e = {0};
    weft_pattern *p = kit_pattern();
    kit_add_rectangle(p, "good", 1, 1);
    const weft_vec2 bow[] = {{0, 0}, {3, 0}, {3, 2}, {1, -1}, {0, 2}};
    kit_add_polygon(p, (kit_polygon){"bow", bow, 5});
    expect(weft_pattern_check(p, 2, &e), &e, WEFT_ERROR_DEGENERATE,
           "panel 'bow': edges '0' and '3' cross or touch near (0.6667, 0) m");
    assert_int_equal(e.element, 1);
    weft_pattern_destroy(p);

    p = kit_pattern(); /* a corner that touches another edge from inside */
    const weft_vec2 touch[] = {{0, 0}, {2, 0}, {2, 2}, {1, 0}, {0, 2}};
    kit_add_polygon(p, (kit_polygon){"touch", touch, 5});
    expect(weft_pattern_check(p, 2, &e), &e, WEFT_ERROR_DEGENERATE, "panel 'touch': edges '0' and '3' cross or touch");
    weft_pattern_destroy(p);

    p = kit_pattern(); /* an edge that goes back over the one before it */
    const weft_vec2 back[] = {{0, 0}, {2, 0}, {2, 2}, {2, 1}, {0, 1}};
    kit_add_polygon(p, (kit_polygon){"back", back, 5});
    expect(weft_pattern_check(p, 2, &e), &e, WEFT_ERROR_DEGENERATE, "panel 'back': edges '1' and '3' cross or touch");
    weft_pattern_destroy(p);

    p = kit_pattern();
    const weft_vec2 clockwise[] = {{0, 0}, {0, 1}, {1, 0}};
    expect(kit_try_polygon(p, (kit_polygon){"turned", clockwise, 3}, &e), &e, WEFT_ERROR_DEGENERATE, "clockwise");
    weft_pattern_destroy(p);
}

static void wrong_seams_are_refused_by_panel_and_edge(void **unused)
{
    (void)unused;
    weft_error e = {0};
    weft_pattern *p = kit_pattern();
    kit_add_rectangle(p, "front", 1, 2);
    kit_add_rectangle(p, "back", 1, 2);
    weft_seam_part a = {0, 0, 0, 1}, b = {1, 1, 0, 1};
    weft_seam seam = weft_seam_default();
    seam.a = &a;
    seam.b = &b;
    seam.n_a = seam.n_b = 1;
    b.edge = 7;
    expect(weft_pattern_add_seam(p, &seam, NULL, &e), &e, WEFT_ERROR_INDEX, "panel 'back' has no edge 7, it has 4");
    b = (weft_seam_part){5, 0, 0, 1};
    expect(weft_pattern_add_seam(p, &seam, NULL, &e), &e, WEFT_ERROR_INDEX, "no panel 5");
    b = (weft_seam_part){1, 0, 0.5, 0.25};
    expect(weft_pattern_add_seam(p, &seam, NULL, &e), &e, WEFT_ERROR_RANGE, "the part 0.5 to 0.25 of edge '0'");
    assert_int_equal(weft_pattern_seam_count(p), 0);
    b = (weft_seam_part){1, 1, 0, 1};
    assert_int_equal(weft_pattern_add_seam(p, &seam, NULL, &e), WEFT_OK);
    assert_int_equal(weft_pattern_check(p, 2, &e), WEFT_OK);
    expect(weft_pattern_check(p, 1.9, &e), &e, WEFT_ERROR_RANGE,
           "edge '0' of panel 'front' is 1000.0 mm long, edge '1' of panel 'back' 2000.0 mm: more than the factor 1.9");
    b = (weft_seam_part){0, 0, 0.5, 1};
    assert_int_equal(weft_pattern_add_seam(p, &seam, NULL, &e), WEFT_OK);
    expect(weft_pattern_check(p, 2, &e), &e, WEFT_ERROR_DUPLICATE, "edge '0' of panel 'front' twice");
    weft_pattern_destroy(p);
}

/* By names, and by 5 to 30 %: a cuff of 0.85 of the hem, not one that is eased in, gathered, or no band. */
static void bands_shorter_than_what_they_are_sewn_to_are_ribs(void **unused)
{
    (void)unused;
    static const struct {
        const char *name;
        double length;
        bool rib;
    } cases[] = {{"cuff_l", 0.17, true},  {"waistband", 0.15, true}, {"cuff_l", 0.198, false},
                 {"cuff_l", 0.12, false}, {"cuff_l", 0.23, false},   {"yoke", 0.17, false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        weft_pattern *p = kit_pattern();
        kit_add_rectangle(p, "sleeve_l", 0.2, 0.4);
        kit_add_rectangle(p, cases[i].name, cases[i].length, 0.04);
        kit_add_seam(p, 1, 1, 1, 3);
        kit_add_seam(p, i % 2, 0, 1 - (int)(i % 2), 0);
        assert_true(weft_pattern_is_rib(p, 1) == cases[i].rib);
        assert_false(weft_pattern_is_rib(p, 0) || weft_pattern_is_rib(p, 2));
        weft_pattern_destroy(p);
    }
}

static void marks_outside_are_refused(void **unused)
{
    (void)unused;
    weft_error e = {0};
    weft_curve curves[4] = {{.from = {0, 0}}, {.from = {1, 0}}, {.from = {1, 1}}, {.from = {0, 1}}};
    weft_edge edges[1] = {{"all", 0, 4, 1}};
    weft_vec2 points[2] = {{0.5, 0.5}, {0.5, 1.5}};
    weft_line line = {WEFT_LINE_FOLD, "crease", 2, points, 0};
    weft_notch notch = {"n1", {0.5, 0.1}};
    int32_t size = 4;
    weft_panel panel = weft_panel_default();
    panel.name = "square";
    panel.n_loops = 1;
    panel.loop_sizes = &size;
    panel.n_curves = 4;
    panel.curves = curves;
    panel.n_edges = 1;
    panel.edges = edges;
    panel.n_lines = 1;
    panel.lines = &line;
    weft_pattern *p = kit_pattern();
    assert_int_equal(weft_pattern_add_panel(p, &panel, NULL, &e), WEFT_OK);
    expect(weft_pattern_check(p, 2, &e), &e, WEFT_ERROR_RANGE, "panel 'square': line 'crease' leaves the panel");
    weft_pattern_destroy(p);
    panel.n_lines = 0;
    panel.n_notches = 1;
    panel.notches = &notch;
    p = kit_pattern();
    assert_int_equal(weft_pattern_add_panel(p, &panel, NULL, &e), WEFT_OK);
    expect(weft_pattern_check(p, 2, &e), &e, WEFT_ERROR_RANGE,
           "notch 'n1' is 100.0 mm away from the outline (edge 'all')");
    weft_pattern_destroy(p);
}

/* Turning a panel round changes neither where its points are in space nor the lengths of edges. */
static void a_turned_panel_stays_where_it_is(void **unused)
{
    (void)unused;
    weft_curve curves[3] = {{.from = {0, 0}},
                            {.kind = WEFT_CURVE_QUADRATIC, .from = {0, 1}, .control = {{0.8, 0.9}}},
                            {.kind = WEFT_CURVE_ARC, .from = {1, 0}, .radius = 0.7, .is_left = false}};
    weft_curve turned[3];
    memcpy(turned, curves, sizeof turned);
    assert_true(weft_curves_turn(curves, 3) < 0);
    weft_panel panel = weft_panel_default();
    panel.n_curves = 3;
    panel.placement.kind = WEFT_PLACEMENT_FLAT;
    const double rotation[9] = {0.36, 0.48, -0.8, -0.8, 0.6, 0, 0.48, 0.64, 0.6};
    memcpy(panel.placement.rotation, rotation, sizeof rotation);
    panel.placement.translation = (weft_vec3){1, 2, 3};
    weft_placement before = panel.placement;
    weft_panel_turn(&panel, turned, NULL, 0, NULL);
    assert_true(weft_curves_turn(turned, 3) > 0);
    for (int i = 0; i < 3; i++) {
        weft_vec3 x = weft_placement_at(&before, curves[i].from),
                  y = weft_placement_at(&panel.placement, turned[i].from);
        assert_true(fabs(x.x - y.x) + fabs(x.y - y.y) + fabs(x.z - y.z) < 1e-15);
    }
}

static void *failing(void *user, void *ptr, size_t old_size, size_t new_size)
{
    int *left = user;
    (void)old_size;
    if (new_size == 0) {
        free(ptr);
        return NULL;
    }
    return --*left < 0 ? NULL : realloc(ptr, new_size);
}

/* The n-th allocation fails, for every n, from the pattern to the mesh. */
static void every_failed_allocation_is_survived(void **unused)
{
    (void)unused;
    for (int k = 0, done = 0; !done; k++) {
        int left = k;
        weft_pattern *p = NULL;
        weft_garment *g = NULL;
        weft_error e = {0};
        weft_garment_def def = weft_garment_def_default();
        def.size = 0.25;
        const weft_vec2 points[] = {{0, 0}, {1, 0}, {1, 2}, {0, 2}};
        weft_result r = weft_pattern_create(failing, &left, &p, &e);
        r = r < 0 ? r : kit_try_polygon(p, (kit_polygon){"a", points, 4}, &e);
        r = r < 0 ? r : kit_try_polygon(p, (kit_polygon){"b", points, 4}, &e);
        if (r == WEFT_OK) {
            weft_seam_part a = {0, 0, 0, 1}, b = {1, 1, 0, 1};
            weft_seam seam = weft_seam_default();
            seam.a = &a;
            seam.b = &b;
            seam.n_a = seam.n_b = 1;
            r = weft_pattern_add_seam(p, &seam, NULL, &e);
        }
        r = r < 0 ? r : weft_garment_create(p, &def, &g, &e);
        assert_true(r == WEFT_OK || (r == WEFT_ERROR_MEMORY && !g));
        done = r == WEFT_OK;
        weft_garment_destroy(g);
        weft_pattern_destroy(p);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lengths_and_areas_are_those_of_the_curves),
        cmocka_unit_test(arcs_go_the_way_that_their_flags_say),
        cmocka_unit_test(outlines_that_cross_are_refused_by_panel_and_edge),
        cmocka_unit_test(wrong_seams_are_refused_by_panel_and_edge),
        cmocka_unit_test(bands_shorter_than_what_they_are_sewn_to_are_ribs),
        cmocka_unit_test(marks_outside_are_refused),
        cmocka_unit_test(a_turned_panel_stays_where_it_is),
        cmocka_unit_test(every_failed_allocation_is_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
