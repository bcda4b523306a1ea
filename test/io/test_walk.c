/* SPDX-License-Identifier: MIT */
/* A body that walks, as a collider: moved by a file, step by step, where the data is at hand. */
#define _XOPEN_SOURCE 700
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "io/mesh_kit.h"

#include <weft/io/scene.h>

enum { VERTICES = 13380, TRIANGLES = 26756, FRAMES = 12 };

/* Two steps a frame of the motion, of which it is the 60th part of a second but for 4 millionths. */
static weft_scene *load(void)
{
    char body[PATH_ROOM], walk[PATH_ROOM], text[4096];
    weft_error e = {.text = ""};
    weft_scene *s = NULL;
    if (!data_file("motion/mh_female_walk_cmu07_01_topology.obj", body) ||
        !data_file("motion/mh_female_walk_cmu07_01.pc2", walk))
        skip();
    snprintf(text, sizeof text,
             "cloths: {shawl: {grid: {size: [0.5, 0.5], nodes: [9, 9], corner: [-0.25, 3, 0]}}}\n"
             "colliders: {body: {shape: mesh, file: %s, friction: 0.5, motion: {file: %s, fps: 60.00024}}}\n"
             "output: {fps: 60, steps_per_frame: 2}\n",
             body, walk);
    if (weft_scene_parse("walk", ".", text, strlen(text), NULL, 0, &s, &e) < 0)
        fail_msg("%s", e.text);
    return s;
}

static weft_stage *build(const weft_scene *s)
{
    weft_error e = {.text = ""};
    weft_stage *st = NULL;
    if (weft_stage_create(s, NULL, &st, &e) < 0)
        fail_msg("%s", e.text);
    return st;
}

static void advance(weft_stage *st)
{
    weft_error e = {.text = ""};
    if (weft_stage_advance(st, NULL, &e) < 0)
        fail_msg("%s", e.text);
}

static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void a_walking_body_is_closed_and_where_it_is_drawn(void **unused)
{
    (void)unused;
    weft_scene *s = load();
    weft_stage *st = build(s);
    weft_error e = {.text = ""};
    weft_collider_info info;
    assert_int_equal(weft_collider_get_info(st->sim, st->colliders[0], &info, &e), WEFT_OK);
    assert_int_equal(info.n_vertices, VERTICES);
    assert_int_equal(info.n_triangles, TRIANGLES);
    assert_true(info.closed && info.moved_by_vertices);
    assert_true(info.volume > 0.04 && info.volume < 0.1); /* of a woman of some 60 kg, counter-clockwise */
    weft_vec3 *x = malloc(VERTICES * sizeof *x), *y = malloc(VERTICES * sizeof *y),
              *start = malloc(sizeof *x * VERTICES);
    assert_true(x && y && start);
    assert_int_equal(weft_collider_get_vertices(st->sim, st->colliders[0], start, VERTICES, &e), WEFT_OK);
    double t0 = seconds(), most = 0, way = 0;
    for (int k = 0; k < FRAMES; k++) {
        advance(st);
        assert_int_equal(weft_scene_collider_points(s, 0, weft_sim_time(st->sim), x, VERTICES, &e), WEFT_OK);
        assert_int_equal(weft_collider_get_vertices(st->sim, st->colliders[0], y, VERTICES, &e), WEFT_OK);
        for (int i = 0; i < VERTICES; i++) {
            most = fmax(most, fmax(fabs(x[i].x - y[i].x), fmax(fabs(x[i].y - y[i].y), fabs(x[i].z - y[i].z))));
            way = fmax(way, fabs(y[i].z - start[i].z));
        }
    }
    print_message("%d frames, 2 steps each: %.1f ms a step; off by %.2g m at most, moved by up to %.2f m\n", FRAMES,
                  500 * (seconds() - t0) / FRAMES, most, way);
    assert_true(most <= 0x1p-33);
    assert_true(way > 0.05);
    double clear;
    assert_int_equal(weft_collider_get_clearance(st->sim, st->colliders[0], st->cloths[0], &clear, &e), WEFT_OK);
    assert_true(clear > 0.5 && clear < 2);
    free(x);
    free(y);
    free(start);
    weft_stage_destroy(st);
    weft_scene_free(s);
}

static void a_walk_goes_on_after_a_restart_bit_for_bit(void **unused)
{
    (void)unused;
    weft_scene *s = load();
    weft_stage *a = build(s), *b = build(s);
    weft_error e = {.text = ""};
    for (int k = 0; k < 3; k++)
        advance(a);
    size_t size;
    assert_int_equal(weft_sim_snapshot(a->sim, NULL, &size, &e), WEFT_OK);
    void *bytes = malloc(size);
    assert_non_null(bytes);
    assert_int_equal(weft_sim_snapshot(a->sim, bytes, &size, &e), WEFT_OK);
    assert_int_equal(weft_sim_restore(b->sim, bytes, size, &e), WEFT_OK);
    free(bytes);
    weft_vec3 *x = malloc(VERTICES * sizeof *x), *y = malloc(VERTICES * sizeof *y);
    assert_true(x && y);
    for (int k = 0; k < 2; k++) {
        advance(a);
        advance(b);
        weft_collider_get_vertices(a->sim, a->colliders[0], x, VERTICES, &e);
        weft_collider_get_vertices(b->sim, b->colliders[0], y, VERTICES, &e);
        assert_memory_equal(x, y, VERTICES * sizeof *x);
        assert_true(weft_sim_hash(a->sim) == weft_sim_hash(b->sim));
    }
    free(x);
    free(y);
    weft_stage_destroy(a);
    weft_stage_destroy(b);
    weft_scene_free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_walking_body_is_closed_and_where_it_is_drawn),
        cmocka_unit_test(a_walk_goes_on_after_a_restart_bit_for_bit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
