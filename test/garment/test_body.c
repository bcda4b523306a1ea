/* SPDX-License-Identifier: MIT */
/* Bodies, the dress form, drafts, and panels put round them. With WEFT_LONG=1 the form has its 26,000 triangles. */
/* ctest: labels=slow timeout=300 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "garment/isosurface.h"
#include "math/closest.h"
#include "math/intersect.h"
#include "math/vec.h"

#include <weft/form.h>

static const double pi = 3.14159265358979323846;

/* ---- the surface of a function ----------------------------------------------------------------------------------- */

static double ball(const void *shape, vec3 p)
{
    (void)shape;
    return v3_len(p) - 1;
}

static double ring(const void *shape, vec3 p)
{
    (void)shape;
    double r = sqrt(p.x * p.x + p.z * p.z) - 1;
    return sqrt(r * r + p.y * p.y) - 0.4;
}

static int compare_edges(const void *p, const void *q)
{
    const int32_t *a = p, *b = q;
    return a[0] != b[0] ? (a[0] < b[0] ? -1 : 1) : a[1] < b[1] ? -1 : a[1] > b[1];
}

/* Every edge once in each direction; returns the Euler characteristic. */
static int check_closed(const vec3 *x, int32_t n_vertices, const int32_t *t, int32_t n_triangles)
{
    (void)x;
    int32_t(*edges)[2] = malloc(3 * (size_t)n_triangles * sizeof *edges);
    assert_non_null(edges);
    for (int32_t i = 0; i < n_triangles; i++)
        for (int k = 0; k < 3; k++) {
            edges[3 * i + k][0] = t[3 * i + k];
            edges[3 * i + k][1] = t[3 * i + (k + 1) % 3];
        }
    qsort(edges, 3 * (size_t)n_triangles, sizeof *edges, compare_edges);
    for (int32_t i = 0; i < 3 * n_triangles; i++) {
        int32_t back[2] = {edges[i][1], edges[i][0]};
        assert_true(i == 0 || compare_edges(edges[i - 1], edges[i]) != 0);
        assert_non_null(bsearch(back, edges, 3 * (size_t)n_triangles, sizeof *edges, compare_edges));
    }
    free(edges);
    return n_vertices - 3 * n_triangles / 2 + n_triangles;
}

static double least_angle(const vec3 *x, const int32_t *t, int32_t n)
{
    double least = pi;
    for (int32_t i = 0; i < n; i++)
        for (int k = 0; k < 3; k++) {
            vec3 a = v3_sub(x[t[3 * i + (k + 1) % 3]], x[t[3 * i + k]]),
                 b = v3_sub(x[t[3 * i + (k + 2) % 3]], x[t[3 * i + k]]);
            least = fmin(least, acos(v3_dot(a, b) / (v3_len(a) * v3_len(b))));
        }
    return least;
}

static double volume_of(const vec3 *x, const int32_t *t, int32_t n)
{
    double sum = 0;
    for (int32_t i = 0; i < n; i++)
        sum += v3_dot(x[t[3 * i]], v3_cross(x[t[3 * i + 1]], x[t[3 * i + 2]])) / 6;
    return sum;
}

/* The volume's error goes with the square of the size: chords of length s lie s²/8R deep on average of two thirds. */
static void surfaces_of_functions_are_closed_and_near(void **unused)
{
    (void)unused;
    const double sizes[] = {0.3, 0.13, 0.061};
    for (int k = 0; k < 3; k++)
        for (int shape = 0; shape < 2; shape++) {
            mem m;
            isosurface s;
            mem_init(&m, NULL, NULL);
            assert_true(
                isosurface_create(&s, &m, shape ? ring : ball, NULL, v3(-1.4, -1, -1.4), v3(1.4, 1, 1.4), sizes[k]));
            assert_int_equal(check_closed(s.vertices, s.n_vertices, s.triangles[0], s.n_triangles), shape ? 0 : 2);
            double exact = shape ? 2 * pi * pi * 0.16 : 4 * pi / 3,
                   got = volume_of(s.vertices, s.triangles[0], s.n_triangles);
            assert_true(got < exact && got > exact * (1 - (shape ? 3 : 0.5) * sizes[k] * sizes[k]));
            for (int32_t i = 0; i < s.n_vertices; i++)
                assert_true(fabs(shape ? ring(NULL, s.vertices[i]) : ball(NULL, s.vertices[i])) < 1e-6);
            assert_true(least_angle(s.vertices, s.triangles[0], s.n_triangles) > 12 * pi / 180);
            isosurface_destroy(&s);
            assert_int_equal(m.in_use, 0);
        }
}

/* ---- the form ---------------------------------------------------------------------------------------------------- */

static weft_form *make_form(const weft_measures *measures)
{
    weft_form_def def = weft_form_def_default();
    weft_error e = {0};
    weft_form *form = NULL;
    def.n_triangles = getenv("WEFT_LONG") ? 26000 : 6000;
    if (measures)
        def.measures = *measures;
    if (weft_form_create(&def, &form, &e) != WEFT_OK)
        fail_msg("%s", e.text);
    return form;
}

/* The form of the default measures, made once for all tests. */
static weft_form *shared_form;

static weft_body *body_of(const weft_form_data *d)
{
    weft_body_def def = weft_body_def_default();
    weft_body *body = NULL;
    weft_error e = {0};
    def.n_vertices = d->n_vertices;
    def.vertices = d->vertices;
    def.n_triangles = d->n_triangles;
    def.triangles = d->triangles;
    if (weft_body_create(&def, &body, &e) != WEFT_OK)
        fail_msg("%s", e.text);
    return body;
}

typedef struct span {
    double low, high;
    int32_t ti;
} span;

static int compare_spans(const void *p, const void *q)
{
    const span *a = p, *b = q;
    return a->low != b->low ? (a->low < b->low ? -1 : 1) : a->ti < b->ti ? -1 : a->ti > b->ti;
}

/* All pairs whose extents along y overlap, by exact arithmetic. */
static int32_t count_intersections(const weft_form_data *d)
{
    span *spans = malloc((size_t)d->n_triangles * sizeof *spans);
    assert_non_null(spans);
    for (int32_t i = 0; i < d->n_triangles; i++) {
        spans[i] = (span){HUGE_VAL, -HUGE_VAL, i};
        for (int k = 0; k < 3; k++) {
            double y = d->vertices[d->triangles[3 * i + k]].y;
            spans[i].low = fmin(spans[i].low, y);
            spans[i].high = fmax(spans[i].high, y);
        }
    }
    qsort(spans, (size_t)d->n_triangles, sizeof *spans, compare_spans);
    int32_t found = 0;
    for (int32_t i = 0; i < d->n_triangles; i++)
        for (int32_t j = i + 1; j < d->n_triangles && spans[j].low <= spans[i].high; j++) {
            const int32_t *s = d->triangles + 3 * spans[i].ti, *t = d->triangles + 3 * spans[j].ti;
            vec3 a[3], b[3];
            for (int k = 0; k < 3; k++) {
                a[k] = d->vertices[s[k]];
                b[k] = d->vertices[t[k]];
            }
            if (fmax(fmax(a[0].x, a[1].x), a[2].x) < fmin(fmin(b[0].x, b[1].x), b[2].x) ||
                fmax(fmax(b[0].x, b[1].x), b[2].x) < fmin(fmin(a[0].x, a[1].x), a[2].x))
                continue;
            found += intersect_triangles(a, b) != INTERSECT_NONE;
        }
    free(spans);
    return found;
}

static void the_form_is_closed_and_to_measure(void **unused)
{
    (void)unused;
    weft_measures big = weft_measures_default();
    big.height = 1.82;
    big.chest = 1.04;
    big.waist = 0.9;
    big.hips = 1.06;
    big.inseam = 0.84;
    big.shoulder = 0.45;
    big.neck = 0.4;
    big.arm = 0.62;
    for (int k = 0; k < 2; k++) {
        weft_measures m = k ? big : weft_measures_default();
        weft_form *form = k ? make_form(&m) : shared_form;
        const weft_form_data *d = weft_form_get(form);
        assert_int_equal(check_closed(d->vertices, d->n_vertices, d->triangles, d->n_triangles), 2);
        assert_true(volume_of(d->vertices, d->triangles, d->n_triangles) > 0.03);
        assert_true(abs(d->n_triangles - (getenv("WEFT_LONG") ? 26000 : 6000)) < 0.05 * d->n_triangles);
        assert_int_equal(count_intersections(d), 0);
        assert_true(least_angle(d->vertices, d->triangles, d->n_triangles) > 12 * pi / 180);
        const weft_landmarks *l = d->landmarks;
        printf("form %d: %d triangles, chest %.1f waist %.1f hips %.1f neck %.1f crotch %.1f cm, least angle %.1f\n", k,
               d->n_triangles, 100 * l->bust.girth, 100 * l->waist.girth, 100 * l->hip.girth, 100 * l->neck.girth,
               100 * l->crotch, 57.29578 * least_angle(d->vertices, d->triangles, d->n_triangles));
        /* 3 mm of the tuned mesh, 2 mm more of a coarser one's chords (12 mm long on a radius of 0.12 m). */
        assert_true(fabs(l->bust.girth - m.chest) < 0.006 && fabs(l->waist.girth - m.waist) < 0.005);
        assert_true(fabs(l->hip.girth - m.hips) < 0.006 && fabs(l->neck.girth - m.neck) < 0.006);
        assert_true(fabs(l->crotch - m.inseam) < 0.012);
        assert_true(l->has_arms && fabs(l->shoulder[0].x + l->shoulder[1].x) < 0.004);
        if (k)
            weft_form_destroy(form);
    }
}

static void measures_out_of_range_are_refused(void **unused)
{
    (void)unused;
    weft_form_def def = weft_form_def_default();
    weft_form *form = NULL;
    weft_error e = {0};
    def.measures.chest = 9.2;
    assert_int_equal(weft_form_create(&def, &form, &e), WEFT_ERROR_RANGE);
    assert_non_null(strstr(e.text, "chest is 9.2 m"));
    def.measures.chest = 0.92;
    def.measures.inseam = 1.2;
    assert_int_equal(weft_form_create(&def, &form, &e), WEFT_ERROR_RANGE);
    assert_null(form);
}

static void bodies_with_holes_are_refused(void **unused)
{
    (void)unused;
    weft_form *form = shared_form;
    const weft_form_data *d = weft_form_get(form);
    weft_body_def def = weft_body_def_default();
    weft_body *body = NULL;
    weft_error e = {0};
    def.n_vertices = d->n_vertices;
    def.vertices = d->vertices;
    def.n_triangles = d->n_triangles - 1;
    def.triangles = d->triangles;
    assert_int_equal(weft_body_create(&def, &body, &e), WEFT_ERROR_NON_MANIFOLD);
    assert_non_null(strstr(e.text, "the body is not closed: 3 edges have one triangle"));
    assert_null(body);
}

/* ---- drafts and panels round the form ---------------------------------------------------------------------------- */

static weft_garment *cut(const weft_pattern *p, double size)
{
    weft_garment_def def = weft_garment_def_default();
    weft_garment *g = NULL;
    weft_error e = {0};
    def.size = size;
    if (weft_garment_create(p, &def, &g, &e) != WEFT_OK)
        fail_msg("%s", e.text);
    return g;
}

/* Every triangle of a panel against every one of the body. */
static double brute_clearance(const weft_garment_data *d, int32_t panel, const weft_form_data *f)
{
    double least = HUGE_VAL;
    const weft_garment_panel *p = &d->panels[panel];
    for (int32_t i = 0; i < p->n_triangles + p->n_quads; i++) {
        bool quad = i >= p->n_triangles;
        const int32_t *v =
            quad ? d->quads + 4 * (p->first_quad + i - p->n_triangles) : d->triangles + 3 * (p->first_triangle + i);
        for (int half = 0; half <= quad; half++)
            for (int32_t t = 0; t < f->n_triangles; t++) {
                vec3 a[3] = {d->positions[v[0]], d->positions[v[1 + half]], d->positions[v[2 + half]]}, b[3];
                for (int k = 0; k < 3; k++)
                    b[k] = f->vertices[f->triangles[3 * t + k]];
                if (fabs(a[0].y - b[0].y) < 0.25 && fabs(a[0].x - b[0].x) < 0.25)
                    least = fmin(least, closest_triangles(a, b));
            }
    }
    return least;
}

static void drafts_fit_the_form_and_start_clear_of_it(void **unused)
{
    (void)unused;
    weft_form *form = shared_form;
    weft_body *body = body_of(weft_form_get(form));
    weft_measures m = weft_measures_default();
    weft_fit_def def = weft_fit_def_default();
    weft_error e = {0};
    for (int32_t i = 0; i < weft_draft_count(); i++) {
        weft_pattern *p = NULL;
        weft_panel_fit fits[8];
        if (weft_draft(weft_draft_name(i), &m, &p, &e) != WEFT_OK)
            fail_msg("%s", e.text);
        for (int32_t s = 0; s < weft_pattern_seam_count(p); s++) { /* what is sewn is of a length, but for ease */
            double a, b;
            assert_int_equal(weft_pattern_seam_lengths(p, s, &a, &b, &e), WEFT_OK);
            assert_true(fabs(a / b - 1) < 0.03);
        }
        weft_garment *g = cut(p, 0.06);
        assert_true(weft_pattern_panel_count(p) <= 8);
        if (weft_garment_fit(g, p, body, &def, fits, &e) != WEFT_OK)
            fail_msg("%s", e.text);
        for (int32_t k = 0; k < weft_pattern_panel_count(p); k++) {
            double brute = fmin(0.1, brute_clearance(weft_garment_get(g), k, weft_form_get(form)));
            printf("%-9s %-10s clearance %5.1f mm, apart %5.1f mm, moved %4.1f mm, stretch %.3f\n", weft_draft_name(i),
                   weft_pattern_panel(p, k)->name, 1e3 * fits[k].clearance, 1e3 * fits[k].apart, 1e3 * fits[k].moved,
                   fits[k].stretch);
            assert_true(fits[k].clearance >= def.clearance && fabs(fits[k].clearance - brute) < 1e-9);
            assert_true(fits[k].apart >= 1e-3 && !fits[k].from_hint);
        }
        weft_garment_destroy(g);
        weft_pattern_destroy(p);
    }
    weft_body_destroy(body);
}

/* The waist of the drafts is that of the body; the drafts' names are all there are. */
static void drafts_go_with_the_measures(void **unused)
{
    (void)unused;
    weft_error e = {0};
    const double waists[] = {0.6, 0.75, 0.9, 1.1};
    for (int i = 0; i < 4; i++)
        for (int32_t k = 0; k < weft_draft_count(); k++) {
            weft_measures m = weft_measures_default();
            m.waist = waists[i];
            m.hips = waists[i] + 0.2;
            m.chest = waists[i] + 0.15;
            weft_pattern *p = NULL;
            if (weft_draft(weft_draft_name(k), &m, &p, &e) != WEFT_OK)
                fail_msg("%s", e.text);
            int32_t band = weft_pattern_find_panel(p, "waistband");
            if (band >= 0)
                assert_true(fabs(weft_pattern_edge_length(p, band, 0) - m.waist - 0.02) < 0.01);
            weft_pattern_destroy(p);
        }
    weft_measures m = weft_measures_default();
    weft_pattern *p = NULL;
    assert_int_equal(weft_draft("toga", &m, &p, &e), WEFT_ERROR_NOT_FOUND);
}

static void panels_in_the_body_are_moved_out_or_refused(void **unused)
{
    (void)unused;
    weft_form *form = shared_form;
    weft_body *body = body_of(weft_form_get(form));
    weft_measures m = weft_measures_default();
    weft_pattern *p = NULL;
    weft_panel_fit fits[8];
    weft_error e = {0};
    assert_int_equal(weft_draft("tshirt", &m, &p, &e), WEFT_OK);
    weft_placement inside = {
        .kind = WEFT_PLACEMENT_FLAT, .rotation = {1, 0, 0, 0, 1, 0, 0, 0, 1}, .translation = {0, 1.4, 0.03}};
    assert_int_equal(weft_pattern_set_placement(p, 0, &inside, &e), WEFT_OK);
    weft_garment *g = cut(p, 0.04);
    weft_fit_def def = weft_fit_def_default();
    if (weft_garment_fit(g, p, body, &def, fits, &e) != WEFT_OK)
        fail_msg("%s", e.text);
    assert_true(fits[0].from_hint && fits[0].moved > 0.05 && fits[0].clearance >= def.clearance);
    vec3 before = weft_garment_get(g)->positions[0];
    inside.rotation[8] = -1; /* outside is now where the body is: it never gets out within reach */
    inside.rotation[0] = -1;
    inside.translation.z = 0.65;
    def.clearance = 0.5;
    assert_int_equal(weft_pattern_set_placement(p, 0, &inside, &e), WEFT_OK);
    assert_int_equal(weft_garment_fit(g, p, body, &def, fits, &e), WEFT_ERROR_DEGENERATE);
    assert_non_null(strstr(e.text, "panel 'front' starts"));
    vec3 after = weft_garment_get(g)->positions[0];
    assert_true(memcmp(&before, &after, sizeof before) == 0);
    weft_garment_destroy(g);
    weft_pattern_destroy(p);
    weft_body_destroy(body);
}

static int begin(void **unused)
{
    (void)unused;
    shared_form = make_form(NULL);
    return 0;
}

static int end(void **unused)
{
    (void)unused;
    weft_form_destroy(shared_form);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(surfaces_of_functions_are_closed_and_near),
        cmocka_unit_test(the_form_is_closed_and_to_measure),
        cmocka_unit_test(measures_out_of_range_are_refused),
        cmocka_unit_test(bodies_with_holes_are_refused),
        cmocka_unit_test(drafts_fit_the_form_and_start_clear_of_it),
        cmocka_unit_test(drafts_go_with_the_measures),
        cmocka_unit_test(panels_in_the_body_are_moved_out_or_refused),
    };
    return cmocka_run_group_tests(tests, begin, end);
}
