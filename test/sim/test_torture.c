/* SPDX-License-Identifier: MIT */
/* ctest: timeout=300 */
/* The scenes that are hard on collisions: that each is what it says, in every form. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>

#include "sim/kit.h"
#include "sim/torture.h"

#include <cmocka.h>

static torture make(const char *name, const torture_options *o)
{
    weft_error e = {0};
    torture t;
    kit_must(torture_create(&t, name, o, &e), &e);
    return t;
}

static int32_t n_triangles(const torture *t)
{
    int32_t n = 0;
    for (int32_t k = 0; k < t->n_cloths; k++)
        n += kit_info(t->sim, t->cloths[k]).n_triangles;
    return n;
}

static void every_scene_starts_with_room_for_its_thickness(void **state)
{
    (void)state;
    static const double thicknesses[] = {-1, 0, 1e-3};
    for (int k = 0; k < TORTURE_SCENES; k++)
        for (int form = 0; form < 12; form++) {
            torture_options o = {.adaptive = form & 1, .meshes = form & 2, .thickness = thicknesses[form / 4]};
            torture t = make(torture_names[k], &o);
            weft_fabric cotton;
            kit_must(weft_fabric_find("cotton", &cotton, NULL), NULL);
            double d = o.thickness < 0 ? cotton.thickness : o.thickness, least = KIT_INFINITE;
            for (int32_t c = 0; c < t.n_cloths * t.n_colliders; c++) {
                double clear;
                kit_must(weft_collider_get_clearance(t.sim, t.colliders[c % t.n_colliders], t.cloths[c / t.n_colliders],
                                                     &clear, NULL),
                         NULL);
                least = fmin(least, clear);
            }
            if (form == 0)
                print_message("%-7s %5d triangles in %2d cloths, %4.1f s, clear by %g m\n", t.name, n_triangles(&t),
                              t.n_cloths, t.seconds, least);
            assert_true(least > d + 5e-4);
            torture_found found = {0};
            if (form < 4) /* where cloths are does not depend on their thickness, but in the stack */
                kit_must(torture_audit(&t, &found, NULL), NULL);
            assert_true(found.n_pairs == 0 && found.n_near == 0);
            torture_destroy(&t);
        }
}

static void the_ribbon_has_four_thousand_triangles(void **state)
{
    (void)state;
    torture t = make("ribbon", &(torture_options){.thickness = -1});
    assert_int_equal(n_triangles(&t), 4000);
    torture_destroy(&t);
}

/* Spheres given as meshes are closed, the right way round, and nearly as large. */
static void spheres_as_meshes_are_balls(void **state)
{
    (void)state;
    torture t = make("pinch", &(torture_options){.meshes = true, .thickness = -1});
    for (int k = 0; k < 2; k++) {
        weft_collider_info info;
        kit_must(weft_collider_get_info(t.sim, t.colliders[k], &info, NULL), NULL);
        double full = 4.0 / 3 * 3.14159265358979 * 1e-3;
        assert_true(info.closed && info.n_degenerate == 0);
        assert_true(info.volume < full && info.volume > 0.98 * full);
    }
    torture_destroy(&t);
}

static void the_funnel_is_open_and_wide_enough(void **state)
{
    (void)state;
    torture t = make("funnel", &(torture_options){.thickness = -1});
    weft_collider_info info;
    kit_must(weft_collider_get_info(t.sim, t.colliders[0], &info, NULL), NULL);
    assert_false(info.closed);
    assert_int_equal(info.n_border_edges, 96);
    assert_int_equal(info.n_non_manifold_edges + info.n_flipped_edges + info.n_degenerate, 0);
    torture_destroy(&t);
}

static const double PI = 3.14159265358979324;

/* To the angle that is nearest to it by whole turns. */
static double unwound(double angle, double near)
{
    return angle - 2 * PI * floor((angle - near) / (2 * PI) + 0.5);
}

/* After two turns the ends' rows are where they began, but for the way inward. */
static void the_mat_is_twisted_by_two_turns(void **state)
{
    (void)state;
    enum { MOST = 1024 };
    static weft_vec3 x[MOST], y[MOST];
    torture t = make("mat", &(torture_options){.thickness = -1, .size = 0.3, .h = 1.0 / 30});
    int32_t n = t.n_warp * t.n_weft, last = n - t.n_warp;
    assert_true(n <= MOST);
    kit_must(weft_cloth_get_positions(t.sim, t.cloths[0], x, n, 0, NULL), NULL);
    double angle[2] = {atan2(x[0].y, x[0].z), atan2(x[last].y, x[last].z)}, start = angle[1] - angle[0];
    for (int32_t k = 0; k < torture_n_steps(&t); k++) {
        kit_must(torture_step(&t, NULL, NULL), NULL);
        kit_must(weft_cloth_get_positions(t.sim, t.cloths[0], y, n, 0, NULL), NULL);
        angle[0] = unwound(atan2(y[0].y, y[0].z), angle[0]);
        angle[1] = unwound(atan2(y[last].y, y[last].z), angle[1]);
    }
    assert_true(fabs(fabs(angle[1] - angle[0] - start) - 4 * PI) < 1e-6);
    for (int32_t i = 0; i < t.n_warp; i++)
        for (int32_t end = 0; end <= last; end += last) {
            weft_vec3 was = x[end + i], is = y[end + i];
            assert_true(fabs(is.z - was.z) < 1e-9 && fabs(is.y - was.y) < 1e-9);
            assert_true(fabs(fabs(is.x) - (fabs(was.x) - 0.12)) < 1e-9);
        }
    torture_destroy(&t);
}

static void the_bullet_flies_at_two_hundred_metres_a_second_and_stops(void **state)
{
    (void)state;
    torture t = make("bullet", &(torture_options){.thickness = -1, .size = 0.3});
    weft_vec3 before, after, end;
    kit_steps(t.sim, 6, t.h);
    kit_must(weft_collider_get_pose(t.sim, t.colliders[0], &before, NULL, NULL), NULL);
    kit_steps(t.sim, 1, t.h);
    kit_must(weft_collider_get_pose(t.sim, t.colliders[0], &after, NULL, NULL), NULL);
    kit_steps(t.sim, 3, t.h);
    kit_must(weft_collider_get_pose(t.sim, t.colliders[0], &end, NULL, NULL), NULL);
    assert_true(fabs(after.x - before.x - 200.0 / 60) < 1e-9 && fabs(end.x - after.x) < 1e-9);
    torture_destroy(&t);
}

/* A sheet moved into another, into a mesh and into a solid is found. */
static void the_audit_sees_what_is_amiss(void **state)
{
    (void)state;
    static const struct {
        const char *scene;
        bool meshes, crosses, near;
        double down;
    } rows[] = {{"sheets", false, true, false, 0.03},
                {"sheets", true, true, false, 0.03},
                {"funnel", false, true, false, 0.1},
                {"stack", false, false, true, 0.0049},
                {"ribbon", false, false, true, 0.03}};
    enum { MOST = 4096 };
    static weft_vec3 x[MOST];
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        torture t = make(rows[k].scene, &(torture_options){.meshes = rows[k].meshes, .thickness = -1});
        int32_t which = rows[k].crosses && t.n_cloths > 1 ? 1 : 0, n = t.n_warp * t.n_weft;
        assert_true(n <= MOST);
        kit_must(weft_cloth_get_positions(t.sim, t.cloths[which], x, n, 0, NULL), NULL);
        for (int32_t i = 0; i < n; i++)
            x[i].y -= rows[k].down + (t.n_cloths > 1 && rows[k].crosses ? 0.05 * x[i].x : 0);
        kit_must(weft_cloth_set_positions(t.sim, t.cloths[which], x, n, NULL), NULL);
        torture_found found;
        kit_must(torture_audit(&t, &found, NULL), NULL);
        print_message("%s: %lld pairs, %lld too near\n", t.name, (long long)found.n_pairs, (long long)found.n_near);
        assert_int_equal(found.n_pairs > 0, rows[k].crosses);
        assert_true(found.n_near > 0 || !rows[k].near);
        torture_destroy(&t);
    }
}

/* A few steps of each, small, in every form; and the ribbon is taken hold of when its time has come. */
static void every_scene_steps_in_every_form(void **state)
{
    (void)state;
    for (int k = 0; k < TORTURE_SCENES; k++)
        for (int form = 0; form < 4; form++) {
            torture t =
                make(torture_names[k], &(torture_options){.adaptive = form & 1, .meshes = form & 2, .size = 0.3});
            t.pull = t.pull > 0 ? 2 * t.h : t.pull;
            for (int i = 0; i < 4; i++) {
                weft_error e = {0};
                weft_step_stats stats;
                kit_must(torture_step(&t, &stats, &e), &e);
            }
            assert_true(t.pull < 0);
            assert_true(fabs(weft_sim_time(t.sim) - 4 * t.h) < 1e-12);
            torture_destroy(&t);
        }
    torture t;
    assert_int_equal(torture_create(&t, "picnic", &(torture_options){0}, NULL), WEFT_ERROR_NOT_FOUND);
    assert_null(t.sim);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_scene_starts_with_room_for_its_thickness),
        cmocka_unit_test(the_ribbon_has_four_thousand_triangles),
        cmocka_unit_test(spheres_as_meshes_are_balls),
        cmocka_unit_test(the_funnel_is_open_and_wide_enough),
        cmocka_unit_test(the_mat_is_twisted_by_two_turns),
        cmocka_unit_test(the_bullet_flies_at_two_hundred_metres_a_second_and_stops),
        cmocka_unit_test(the_audit_sees_what_is_amiss),
        cmocka_unit_test(every_scene_steps_in_every_form),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
