/* SPDX-License-Identifier: MIT */
/* The scenes in scenes/torture are those of the kit, to the number of digits that they are written with: at the start,
 * and what moves, throughout. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "data_file.h"
#include "sim/kit.h"
#include "sim/torture.h"

#include <weft/io/scene.h>

#define DIGITS 2e-9

static bool is_near(weft_vec3 a, weft_vec3 b)
{
    return fabs(a.x - b.x) < DIGITS && fabs(a.y - b.y) < DIGITS && fabs(a.z - b.z) < DIGITS;
}

static weft_scene *load(const char *name)
{
    char path[PATH_ROOM];
    weft_error e = {.text = ""};
    weft_scene *s = NULL;
    snprintf(path, sizeof path, "%s/scenes/torture/%s.yaml", project_root(), name);
    kit_must(weft_scene_load(path, NULL, 0, &s, &e), &e);
    return s;
}

static void expect_same_cloths(const weft_stage *st, const torture *t)
{
    enum { MOST = 4096 };
    static weft_vec3 x[MOST], y[MOST];
    assert_int_equal(st->scene->n_cloths, t->n_cloths);
    for (int32_t k = 0; k < t->n_cloths; k++) {
        int32_t n = t->n_warp * t->n_weft;
        assert_true(n <= MOST);
        kit_must(weft_cloth_get_positions(st->sim, st->cloths[k], x, n, 0, NULL), NULL);
        kit_must(weft_cloth_get_positions(t->sim, t->cloths[k], y, n, 0, NULL), NULL);
        for (int32_t i = 0; i < n; i++)
            assert_true(is_near(x[i], y[i]));
    }
}

static void expect_same_vertices(const weft_stage *st, const torture *t, int32_t k, int32_t n)
{
    weft_vec3 *x = malloc(2 * sizeof *x * (size_t)n);
    assert_non_null(x);
    kit_must(weft_collider_get_vertices(st->sim, st->colliders[k], x, n, NULL), NULL);
    kit_must(weft_collider_get_vertices(t->sim, t->colliders[k], x + n, n, NULL), NULL);
    for (int32_t i = 0; i < n; i++)
        assert_true(is_near(x[i], x[n + i]));
    free(x);
}

static void expect_same_colliders(const weft_stage *st, const torture *t)
{
    assert_int_equal(st->scene->n_colliders, t->n_colliders);
    for (int32_t k = 0; k < t->n_colliders; k++) {
        weft_collider_info a, b;
        kit_must(weft_collider_get_info(st->sim, st->colliders[k], &a, NULL), NULL);
        kit_must(weft_collider_get_info(t->sim, t->colliders[k], &b, NULL), NULL);
        assert_int_equal(a.kind, b.kind);
        assert_int_equal(a.n_triangles, b.n_triangles);
        if (a.n_vertices > 0)
            expect_same_vertices(st, t, k, a.n_vertices);
    }
}

static void expect_same_poses(const weft_stage *st, const torture *t)
{
    for (int32_t k = 0; k < t->n_colliders; k++) {
        weft_vec3 a, b;
        double r[9], s[9];
        kit_must(weft_collider_get_pose(st->sim, st->colliders[k], &a, r, NULL), NULL);
        kit_must(weft_collider_get_pose(t->sim, t->colliders[k], &b, s, NULL), NULL);
        assert_true(is_near(a, b));
    }
}

static void the_scenes_are_those_of_the_kit(void **state)
{
    (void)state;
    for (int k = 1; k < TORTURE_SCENES; k++) { /* the ribbon is one of the other scenes */
        weft_error e = {.text = ""};
        torture t;
        weft_scene *s = load(torture_names[k]);
        weft_stage *st = NULL;
        kit_must(torture_create(&t, torture_names[k], &(torture_options){.thickness = -1}, &e), &e);
        kit_must(weft_stage_create(s, NULL, &st, &e), &e);
        assert_true(fabs(s->output.frames / s->output.fps - t.seconds) < 1e-12);
        assert_int_equal(s->output.steps_per_frame, 1);
        expect_same_cloths(st, &t);
        expect_same_colliders(st, &t);
        weft_stage_destroy(st);
        weft_scene_free(s);
        torture_destroy(&t);
    }
}

/* Colliders over the whole time, without cloth. */
static void what_moves_moves_alike(void **state)
{
    (void)state;
    for (int k = 1; k < TORTURE_SCENES; k++) {
        weft_error e = {.text = ""};
        torture t;
        weft_scene *s = load(torture_names[k]);
        kit_must(torture_create(&t, torture_names[k], &(torture_options){.thickness = -1, .size = 0.3}, &e), &e);
        s->n_cloths = s->n_attachments = 0;
        weft_stage *st = NULL;
        kit_must(weft_stage_create(s, NULL, &st, &e), &e);
        for (int32_t i = 0; i < t.n_cloths; i++)
            kit_must(weft_cloth_remove(t.sim, t.cloths[i], &e), &e);
        for (int32_t i = 0; i < torture_n_steps(&t); i++) {
            kit_must(weft_stage_advance(st, NULL, &e), &e);
            kit_must(torture_step(&t, NULL, &e), &e);
            expect_same_poses(st, &t);
        }
        weft_stage_destroy(st);
        weft_scene_free(s);
        torture_destroy(&t);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_scenes_are_those_of_the_kit),
        cmocka_unit_test(what_moves_moves_alike),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
