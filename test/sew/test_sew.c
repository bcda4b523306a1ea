/* SPDX-License-Identifier: MIT */
/* Sewing: ties that are pulled with bounds, seams that become one, garments on the project's own form. With WEFT_LONG=1
 * all drafts, in the size that people would use. */
/* ctest: labels=slow timeout=600 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "garment/pattern_kit.h"
#include "sim/kit.h"

#include <weft/form.h>
#include <weft/sew.h>

enum { SIDE = 5, N = SIDE * SIDE };

static weft_sim *still_sim(void)
{
    weft_sim_def d = weft_sim_def_default();
    d.gravity = (weft_vec3){0, 0, 0};
    d.integrator = WEFT_INTEGRATOR_IMPLICIT;
    return kit_sim(&d);
}

/* A square of 0.1 m with its corner at x. */
static weft_cloth_id square_at(weft_sim *sim, double x)
{
    weft_error e = {0};
    weft_cloth_id id;
    weft_grid_def d = weft_grid_def_default();
    d.n_warp = d.n_weft = SIDE;
    d.size_warp = d.size_weft = 0.1;
    d.corner = (weft_vec3){x, 0, 0};
    kit_must(weft_cloth_create_grid(sim, &d, &id, &e), &e);
    return id;
}

/* The right side of the first and the left side of the second. */
static weft_tie_id join(weft_sim *sim, weft_cloth_id a, weft_cloth_id b)
{
    int32_t right[SIDE], left[SIDE];
    for (int32_t i = 0; i < SIDE; i++) {
        right[i] = SIDE * i + SIDE - 1;
        left[i] = SIDE * i;
    }
    weft_error e = {0};
    weft_tie_id id;
    weft_tie_def d = weft_tie_def_default();
    d.cloth_a = a;
    d.cloth_b = b;
    d.nodes_a = right;
    d.nodes_b = left;
    d.n_pairs = SIDE;
    kit_must(weft_tie_create(sim, &d, &id, &e), &e);
    return id;
}

static void positions_of(const weft_sim *sim, weft_cloth_id id, weft_vec3 *x)
{
    weft_error e = {0};
    kit_must(weft_cloth_get_positions(sim, id, x, N, 0, &e), &e);
}

static double gap_of(const weft_sim *sim, weft_cloth_id a, weft_cloth_id b, int32_t i)
{
    weft_vec3 x[N], y[N];
    positions_of(sim, a, x);
    positions_of(sim, b, y);
    weft_vec3 p = x[SIDE * i + SIDE - 1], q = y[SIDE * i];
    return sqrt((p.x - q.x) * (p.x - q.x) + (p.y - q.y) * (p.y - q.y) + (p.z - q.z) * (p.z - q.z));
}

static void a_tie_that_is_set_anew_comes_nearer_by_no_more_than_its_springs_are_shorter(void **state)
{
    (void)state;
    weft_error e = {0};
    weft_sim *sim = still_sim();
    weft_cloth_id a = square_at(sim, 0), b = square_at(sim, 0.2);
    weft_tie_id tie = join(sim, a, b);
    const double way = 0.004;
    for (int step = 0; step < 80; step++) {
        double before[SIDE], stiffness[SIDE], length[SIDE];
        for (int32_t i = 0; i < SIDE; i++) {
            before[i] = gap_of(sim, a, b, i);
            length[i] = fmax(0, before[i] - way);
            stiffness[i] = 1e5;
        }
        kit_must(weft_tie_set_pull(sim, tie, stiffness, length, SIDE, &e), &e);
        kit_must(weft_sim_step(sim, 1.0 / 60, NULL, &e), &e);
        /* A stiff spring between free sheets gives all of it at once; the sheets keep the speed they got, which adds at
         * most as much again in the next step, and their weight beside 1e5 N/m is nothing. */
        for (int32_t i = 0; i < SIDE; i++)
            assert_true(gap_of(sim, a, b, i) >= before[i] - way - 1e-3 && gap_of(sim, a, b, i) <= before[i] + 1e-4);
    }
    assert_true(gap_of(sim, a, b, 0) < 1e-3);
    weft_sim_destroy(sim);
}

static void welded_nodes_are_at_one_place_to_the_last_bit(void **state)
{
    (void)state;
    weft_error e = {0};
    weft_sim *sim = still_sim();
    weft_cloth_id a = square_at(sim, 0), b = square_at(sim, 0.1003);
    weft_tie_id tie = join(sim, a, b);
    weft_vec3 x[N], y[N], v[N];
    double mass_a[N], mass_b[N];
    for (int i = 0; i < N; i++)
        v[i] = (weft_vec3){0, 0.5, 0};
    kit_must(weft_cloth_set_velocities(sim, a, v, N, &e), &e);
    kit_must(weft_sim_step(sim, 1e-6, NULL, &e), &e); /* makes the masses */
    kit_must(weft_cloth_get_masses(sim, a, mass_a, N, &e), &e);
    kit_must(weft_cloth_get_masses(sim, b, mass_b, N, &e), &e);
    kit_must(weft_tie_weld(sim, tie, 1e-3, &e), &e);
    positions_of(sim, a, x);
    positions_of(sim, b, y);
    kit_must(weft_cloth_get_velocities(sim, a, v, N, 0, &e), &e);
    for (int i = 0; i < SIDE; i++) {
        double m = mass_a[SIDE * i + SIDE - 1], n = mass_b[SIDE * i];
        assert_memory_equal(&x[SIDE * i + SIDE - 1], &y[SIDE * i], sizeof *x);
        assert_true(fabs(v[SIDE * i + SIDE - 1].y - 0.5 * m / (m + n)) < 1e-4);
    }
    kit_must(weft_sim_set_gravity(sim, (weft_vec3){0, -9.81, 0}, &e), &e);
    weft_attachment_def pin = weft_attachment_def_default();
    const int32_t corner[2] = {0, 1};
    weft_attachment_id held;
    pin.cloth = a;
    pin.nodes = corner;
    pin.n_nodes = 2;
    kit_must(weft_attachment_create(sim, &pin, &held, &e), &e);
    for (int step = 0; step < 20; step++) {
        kit_must(weft_sim_step(sim, 1.0 / 60, NULL, &e), &e);
        positions_of(sim, a, x);
        positions_of(sim, b, y);
        for (int i = 0; i < SIDE; i++)
            assert_memory_equal(&x[SIDE * i + SIDE - 1], &y[SIDE * i], sizeof *x);
    }
    assert_true(y[N - 1].y < -0.01); /* the second hangs from the first */
    assert_int_equal(weft_tie_weld(sim, tie, 1, &e), WEFT_ERROR_ARGUMENT);
    weft_sim_destroy(sim);
}

static void pairs_that_are_far_apart_are_not_welded(void **state)
{
    (void)state;
    weft_error e = {0};
    weft_sim *sim = still_sim();
    weft_cloth_id a = square_at(sim, 0), b = square_at(sim, 0.11);
    weft_tie_id tie = join(sim, a, b);
    assert_int_equal(weft_tie_weld(sim, tie, 1e-3, &e), WEFT_ERROR_RANGE);
    assert_non_null(strstr(e.text, "pair 0"));
    assert_true(fabs(gap_of(sim, a, b, 0) - 0.01) < 1e-8);
    double one[SIDE] = {0}, bad[SIDE] = {-1};
    assert_int_equal(weft_tie_set_pull(sim, tie, bad, one, SIDE, &e), WEFT_ERROR_RANGE);
    assert_int_equal(weft_tie_set_pull(sim, tie, one, one, SIDE - 1, &e), WEFT_ERROR_ARGUMENT);
    weft_sim_destroy(sim);
}

/* ---- whole garments ---------------------------------------------------------------------------------------------- */

/* Intersecting pairs of triangles of the cloth and the form. */
static int64_t audit(const weft_sim *sim, weft_cloth_id cloth, const weft_form_data *body)
{
    weft_error e = {0};
    weft_cloth_info info;
    kit_must(weft_cloth_get_info(sim, cloth, &info, &e), &e);
    int32_t n_nodes = info.n_nodes + (body ? body->n_vertices : 0);
    int32_t n_triangles = info.n_triangles + (body ? body->n_triangles : 0);
    weft_vec3 *x = malloc((size_t)n_nodes * sizeof *x);
    int32_t *t = malloc(3 * (size_t)n_triangles * sizeof *t), *object = calloc((size_t)n_triangles, sizeof *object);
    assert_true(x && t && object);
    kit_must(weft_cloth_get_positions(sim, cloth, x, info.n_nodes, 0, &e), &e);
    kit_must(weft_cloth_get_triangles(sim, cloth, t, info.n_triangles, &e), &e);
    for (int32_t i = 0; body && i < body->n_vertices; i++)
        x[info.n_nodes + i] = body->vertices[i];
    for (int32_t i = 0; body && i < 3 * body->n_triangles; i++)
        t[3 * info.n_triangles + i] = info.n_nodes + body->triangles[i];
    for (int32_t i = info.n_triangles; i < n_triangles; i++)
        object[i] = 1;
    const bool is_collider[2] = {false, true};
    weft_audit_def d = weft_audit_def_default();
    d.n_nodes = n_nodes;
    d.positions = x;
    d.n_triangles = n_triangles;
    d.triangles = t;
    d.objects = object;
    d.n_objects = 2;
    d.object_is_collider = is_collider;
    weft_audit *a = NULL;
    kit_must(weft_audit_create(&d, &a, &e), &e);
    kit_must(weft_audit_run(a, NULL, 0, &e), &e);
    int64_t n = weft_audit_get(a).n_pairs;
    weft_audit_destroy(a);
    free(x);
    free(t);
    free(object);
    return n;
}

static weft_sew_state sew_to_the_end(weft_sew *sew)
{
    weft_error e = {0};
    weft_sew_state s = {0};
    while (s.phase != WEFT_SEW_DONE)
        kit_must(weft_sew_step(sew, NULL, &s, &e), &e);
    return s;
}

/* Two squares that face each other, to be sewn along two sides. */
static weft_sew *make_tube(weft_sim *sim, weft_pattern **pattern, weft_garment **garment)
{
    weft_error e = {0};
    weft_pattern *p = *pattern = kit_pattern();
    kit_add_rectangle(p, "front", 0.2, 0.2);
    kit_add_rectangle(p, "back", 0.2, 0.2);
    kit_add_seam(p, 0, 1, 1, 3);
    kit_add_seam(p, 0, 3, 1, 1);
    weft_garment *g = *garment = kit_garment(p, 0.025);
    /* The back is seen from behind. */
    weft_placement front = {.kind = WEFT_PLACEMENT_FLAT, .rotation = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
    weft_placement back = {.kind = WEFT_PLACEMENT_FLAT, .rotation = {-1, 0, 0, 0, 1, 0, 0, 0, -1}};
    front.translation = (weft_vec3){0, 0, 0.05};
    back.translation = (weft_vec3){0.2, 0, -0.05};
    kit_must(weft_garment_set_placement(g, 0, &front, &e), &e);
    kit_must(weft_garment_set_placement(g, 1, &back, &e), &e);
    weft_sew_def d = weft_sew_def_default();
    d.garment = g;
    d.pattern = p;
    d.gravity = (weft_vec3){0, 0, 0};
    weft_sew *sew = NULL;
    kit_must(weft_sew_create(sim, &d, &sew, &e), &e);
    return sew;
}

static void a_tube_is_sewn_shut_without_a_body(void **state)
{
    (void)state;
    weft_error e = {0};
    weft_pattern *p;
    weft_garment *g;
    weft_sim *sim = still_sim();
    weft_sew *sew = make_tube(sim, &p, &g);
    weft_sew_state end = sew_to_the_end(sew);
    assert_int_equal(end.n_welded, 2);
    assert_true(end.gap_mean == 0);
    for (int32_t i = 0; i < 2; i++) {
        weft_sew_seam s;
        kit_must(weft_sew_get_seam(sew, i, &s, &e), &e);
        assert_true(s.welded && s.gap == 0 && fabs(s.length_a - 0.2) < 1e-9 && fabs(s.length_b - 0.2) < 1e-9);
    }
    assert_int_equal(weft_sew_get_seam(sew, 2, &(weft_sew_seam){0}, &e), WEFT_ERROR_INDEX);
    assert_true(audit(sim, weft_sew_cloth(sew), NULL) == 0);
    weft_sew_destroy(sew);
    weft_sim_destroy(sim);
    weft_garment_destroy(g);
    weft_pattern_destroy(p);
}

static void destroy_sewing(void *user, weft_cloth_id cloth, double time, int32_t n, const weft_vec3 *x,
                           const weft_vec3 *v, const double *masses, weft_vec3 *forces)
{
    (void)cloth, (void)time, (void)n, (void)x, (void)v, (void)masses, (void)forces;
    weft_sew_destroy(*(weft_sew **)user);
}

static void count_warnings(void *user, weft_log_level level, const char *text)
{
    *(int *)user += level == WEFT_LOG_WARNING && strstr(text, "weft_sew_destroy") != NULL;
}

/* Else the step goes on with memory that is not there. */
static void sewing_is_not_destroyed_from_within_a_callback(void **state)
{
    (void)state;
    weft_error e = {0};
    weft_pattern *p;
    weft_garment *g;
    weft_sew *sew = NULL;
    int n_warnings = 0;
    weft_sim_def d = weft_sim_def_default();
    d.force = destroy_sewing;
    d.force_user = &sew;
    d.log = count_warnings;
    d.log_user = &n_warnings;
    weft_sim *sim = kit_sim(&d);
    sew = make_tube(sim, &p, &g);
    kit_must(weft_sew_step(sew, NULL, NULL, &e), &e);
    assert_true(n_warnings > 0);
    weft_sew_destroy(sew);
    weft_sim_destroy(sim);
    weft_garment_destroy(g);
    weft_pattern_destroy(p);
}

/* A band that starts as an open ring, below a tube in two parts: its ends meet before it is sewn on. Were they pulled
 * in the last stage only, the ring would first spring open. */
static void rings_are_closed_before_they_are_sewn_to_others(void **state)
{
    (void)state;
    weft_error e = {0};
    weft_pattern *p = kit_pattern();
    kit_add_rectangle(p, "front", 0.2, 0.1);
    kit_add_rectangle(p, "back", 0.2, 0.1);
    kit_add_rectangle(p, "waistband", 0.4, 0.04);
    kit_add_seam(p, 0, 1, 1, 3);
    kit_add_seam(p, 2, 1, 2, 3);
    weft_garment *g = kit_garment(p, 0.02);
    weft_placement front = {.kind = WEFT_PLACEMENT_FLAT, .rotation = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
    weft_placement ring = {.kind = WEFT_PLACEMENT_CYLINDER,
                           .rotation = {1, 0, 0, 0, 1, 0, 0, 0, 1},
                           .radius = 0.08,
                           .rate = 1 / 0.08,
                           .translation = {0, -0.2, 0}};
    weft_placement back = front;
    back.translation = (weft_vec3){0.25, 0, 0};
    kit_must(weft_garment_set_placement(g, 0, &front, &e), &e);
    kit_must(weft_garment_set_placement(g, 1, &back, &e), &e);
    kit_must(weft_garment_set_placement(g, 2, &ring, &e), &e);
    weft_sim *sim = still_sim();
    weft_sew_def d = weft_sew_def_default();
    weft_sew *sew = NULL;
    weft_sew_seam seam;
    d.garment = g;
    d.pattern = p;
    kit_must(weft_sew_create(sim, &d, &sew, &e), &e);
    double gap = 1;
    for (int i = 0; i < 6; i++) {
        kit_must(weft_sew_step(sew, NULL, NULL, &e), &e);
        kit_must(weft_sew_get_seam(sew, 1, &seam, &e), &e);
        assert_true(seam.gap < gap);
        gap = seam.gap;
    }
    weft_sew_destroy(sew);
    weft_sim_destroy(sim);
    weft_garment_destroy(g);
    weft_pattern_destroy(p);
}

static weft_sim *sim_with_form(const weft_form_data *body, weft_collider_id *id)
{
    weft_error e = {0};
    weft_sim_def d = weft_sim_def_default();
    d.integrator = WEFT_INTEGRATOR_IMPLICIT;
    d.pair_radius = 2e-3;
    weft_sim *sim = kit_sim(&d);
    weft_collider_def c = weft_collider_def_default();
    c.kind = WEFT_COLLIDER_MESH;
    c.vertices = body->vertices;
    c.n_vertices = body->n_vertices;
    c.triangles = body->triangles;
    c.n_triangles = body->n_triangles;
    kit_must(weft_collider_create(sim, &c, id, &e), &e);
    return sim;
}

/* levels > 0: elements split where it folds. */
static void wear(const char *name, const weft_form_data *form, double size, int32_t levels)
{
    weft_error e = {0};
    weft_measures m = weft_measures_default();
    weft_pattern *p = NULL;
    weft_body *body = NULL;
    weft_body_def b = weft_body_def_default();
    b.vertices = form->vertices;
    b.n_vertices = form->n_vertices;
    b.triangles = form->triangles;
    b.n_triangles = form->n_triangles;
    kit_must(weft_draft(name, &m, &p, &e), &e);
    kit_must(weft_body_create(&b, &body, &e), &e);
    weft_garment *g = kit_garment(p, size);
    weft_fit_def fit = weft_fit_def_default();
    kit_must(weft_garment_fit(g, p, body, &fit, NULL, &e), &e);
    weft_sew_def d = weft_sew_def_default();
    weft_sim *sim = sim_with_form(form, &d.body);
    weft_sew *sew = NULL;
    d.has_body = true;
    d.garment = g;
    d.pattern = p;
    d.model.adapt = weft_adapt_default();
    d.model.adapt.max_level = levels;
    d.model.adapt.interval = 0.1;
    if (levels > 0 && !getenv("WEFT_LONG"))
        d.settle_time = 0.5;
    kit_must(weft_sew_create(sim, &d, &sew, &e), &e);
    weft_sew_state end = sew_to_the_end(sew);
    assert_int_equal(kit_info(sim, weft_sew_cloth(sew)).level, levels);
    print_message("%s: %d steps, %d of %d seams welded, %d pairs mended\n", name, end.n_steps, end.n_welded,
                  end.n_seams, end.n_mended);
    assert_int_equal(end.n_welded, end.n_seams);
    assert_true(audit(sim, weft_sew_cloth(sew), form) == 0);
    double friction = 0;
    kit_must(weft_collider_get_friction(sim, d.body, &friction, NULL, &e), &e);
    assert_true(friction == 1);
    weft_sew_destroy(sew);
    weft_sim_destroy(sim);
    weft_garment_destroy(g);
    weft_body_destroy(body);
    weft_pattern_destroy(p);
}

static void drafts_are_sewn_on_the_form_with_seams_shut_and_nothing_intersecting(void **state)
{
    (void)state;
    weft_error e = {0};
    const char *all = getenv("WEFT_LONG");
    weft_form_def d = weft_form_def_default();
    d.n_triangles = all ? 26000 : 3000;
    weft_form *form = NULL;
    kit_must(weft_form_create(&d, &form, &e), &e);
    for (int32_t i = 0; i < weft_draft_count(); i++)
        if (all || strcmp(weft_draft_name(i), "skirt") == 0)
            for (int32_t levels = 0; levels < 2; levels++)
                wear(weft_draft_name(i), weft_form_get(form), (all ? 0.025 : 0.05) * (1 + levels), levels);
    weft_form_destroy(form);
}

/* Largest stretch of a square that hangs by two corners, with hems of some width. */
static double hung_stretch(double hem)
{
    weft_error e = {0};
    weft_pattern *p = kit_pattern();
    kit_add_rectangle(p, "flag", 0.2, 0.2);
    weft_garment *g = kit_garment(p, 0.025);
    weft_sim *sim = still_sim();
    weft_sew_def d = weft_sew_def_default();
    weft_sew *sew = NULL;
    d.garment = g;
    d.pattern = p;
    d.hem = hem;
    d.gravity = (weft_vec3){0, -50, 0};
    kit_must(weft_sew_create(sim, &d, &sew, &e), &e);
    const weft_garment_data *data = weft_garment_get(g);
    int32_t corners[2] = {0, 0};
    for (int32_t i = 0; i < data->n_nodes; i++) {
        weft_vec3 x = data->positions[i], l = data->positions[corners[0]], r = data->positions[corners[1]];
        corners[0] = x.y - x.x > l.y - l.x ? i : corners[0];
        corners[1] = x.y + x.x > r.y + r.x ? i : corners[1];
    }
    kit_pin(sim, weft_sew_cloth(sew), 2, corners);
    weft_step_stats stats = {0};
    weft_sew_state at = {0};
    while (at.phase != WEFT_SEW_DONE)
        kit_must(weft_sew_step(sew, &stats, &at, &e), &e);
    weft_sew_destroy(sew);
    weft_sim_destroy(sim);
    weft_garment_destroy(g);
    weft_pattern_destroy(p);
    return stats.stretch - 1;
}

static void hems_keep_borders_from_stretching(void **state)
{
    (void)state;
    double plain = hung_stretch(0), hemmed = hung_stretch(0.01);
    print_message("hung by two corners: stretched by %.1f %%, with hems by %.1f %%\n", 100 * plain, 100 * hemmed);
    assert_true(plain > 0.01 && hemmed < 0.8 * plain);
}

static void what_is_wrong_with_a_definition_is_told(void **state)
{
    (void)state;
    weft_error e = {0};
    weft_pattern *p = kit_pattern();
    kit_add_rectangle(p, "one", 0.2, 0.2);
    weft_garment *g = kit_garment(p, 0.05);
    weft_sim *sim = still_sim();
    weft_sew *sew = NULL;
    weft_sew_def d = weft_sew_def_default();
    assert_int_equal(weft_sew_create(sim, &d, &sew, &e), WEFT_ERROR_ARGUMENT);
    d.garment = g;
    d.pattern = p;
    d.speed = 0;
    assert_int_equal(weft_sew_create(sim, &d, &sew, &e), WEFT_ERROR_RANGE);
    assert_non_null(strstr(e.text, "speed"));
    d = weft_sew_def_default();
    d.struct_size = 3;
    assert_int_equal(weft_sew_create(sim, &d, &sew, &e), WEFT_ERROR_STRUCT_SIZE);
    assert_null(sew);
    weft_collider_def ball = weft_collider_def_default();
    ball.kind = WEFT_COLLIDER_SPHERE;
    ball.position = (weft_vec3){0, -2, 0};
    ball.friction = 0.7;
    d = weft_sew_def_default();
    d.garment = g;
    d.pattern = p;
    d.has_body = true;
    kit_must(weft_collider_create(sim, &ball, &d.body, &e), &e);
    kit_must(weft_sew_create(sim, &d, &sew, &e), &e);
    double friction = 1;
    kit_must(weft_collider_get_friction(sim, d.body, &friction, NULL, &e), &e);
    assert_true(friction == 0);
    weft_sew_destroy(sew); /* before it is done */
    kit_must(weft_collider_get_friction(sim, d.body, &friction, NULL, &e), &e);
    assert_true(friction == 0.7);
    weft_sew_destroy(NULL);
    weft_sim_destroy(sim);
    weft_garment_destroy(g);
    weft_pattern_destroy(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_tie_that_is_set_anew_comes_nearer_by_no_more_than_its_springs_are_shorter),
        cmocka_unit_test(welded_nodes_are_at_one_place_to_the_last_bit),
        cmocka_unit_test(pairs_that_are_far_apart_are_not_welded),
        cmocka_unit_test(a_tube_is_sewn_shut_without_a_body),
        cmocka_unit_test(sewing_is_not_destroyed_from_within_a_callback),
        cmocka_unit_test(rings_are_closed_before_they_are_sewn_to_others),
        cmocka_unit_test(drafts_are_sewn_on_the_form_with_seams_shut_and_nothing_intersecting),
        cmocka_unit_test(hems_keep_borders_from_stretching),
        cmocka_unit_test(what_is_wrong_with_a_definition_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
