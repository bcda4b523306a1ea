/* SPDX-License-Identifier: MIT */
/* ctest: labels=determinism */
/* Scenes that run: the same bits every time and after a restart; gusts; topologies; meshes as cloth and colliders. */
#define _POSIX_C_SOURCE 200809L
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "io/scene/schema.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <weft/io/scene.h>

static const char flag[] =
    "cloths:\n  flag:\n    grid: {size: [0.6, 0.4], nodes: [13, 9], corner: [0, 1, 0], weft: [0, -1, 0]}\n"
    "    fabric: silk\n"
    "colliders:\n  ball: {shape: sphere, radius: 0.1, keys: [{time: 0, position: [0.3, 0.5, 0.05]}, {time: 1, "
    "position: "
    "[0.3, 1, 0.05]}]}\n"
    "  ground: {shape: plane}\n"
    "attachments:\n  - {cloth: flag, select: warp_start}\n"
    "forces: {wind: [3, 0, 2], gust: {strength: 0.8, period: 0.1}}\n"
    "output: {fps: 50, steps_per_frame: 2}\n";

/* ---- a folder with meshes ---------------------------------------------------------------------------------------- */

static char folder[256];

static const char *const files[][2] = {
    /* a triangle, a quad and a hexagon in a row, in this order: quad, hexagon, triangle */
    {"mixed.obj", "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 2 0 0\nv 3 0 0\nv 3 1 0\nv 2 1 0\nv 1.5 1.2 0\nv -1 0 0\n"
                  "g a\nf 1 2 3 4\ng b\nf 2 5 6 7 8 9 3\ng c\nf 1 4 10\n"},
    {"uv.obj", "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nvt 0 0\nvt 100 0\nvt 100 100\nvt 0 100\nf 1/1 2/2 3/3 4/4\n"},
    {"tube.obj", "v 1 0 0\nv 0 0 1\nv 0 0 0\nf 1 2 3\n"},
    {"tube_1.obj", "v 1 0 0\nv 0 0 1\nv 0 0 0\nf 1 2 3\n"},
    {"tube_2.obj", "v 2 0 0\nv 0 0 1\nv 0 1 0\nf 1 2 3\n"},
    {"far_1.obj", "v 1 0 0\nv 0 0 1\nv 0 0 0\nf 1 2 3\n"},
    {"far_2.obj", "v 1 0 0\nv 0 900 1\nv 0 0 0\nf 1 2 3\n"},
    {"dot.obj", "v 1 0 0\nv 0 0 1\nv 0 0 0\nf 1 1 2\n"},
};

static int make_files(void **state)
{
    (void)state;
    const char *tmp = getenv("TMPDIR");
    snprintf(folder, sizeof folder, "%s/weft_stage_XXXXXX", tmp ? tmp : "/tmp");
    if (!mkdtemp(folder))
        return -1;
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        char path[512];
        snprintf(path, sizeof path, "%s/%s", folder, files[i][0]);
        FILE *f = fopen(path, "wb");
        if (!f)
            return -1;
        fputs(files[i][1], f);
        fclose(f);
    }
    return 0;
}

static int remove_files(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        char path[512];
        snprintf(path, sizeof path, "%s/%s", folder, files[i][0]);
        unlink(path);
    }
    return rmdir(folder);
}

static weft_scene *parse(const char *scene)
{
    weft_error e = {.text = ""};
    weft_scene *s = NULL;
    if (weft_scene_parse("s.yaml", folder, scene, strlen(scene), NULL, 0, &s, &e) < 0)
        fail_msg("%s", e.text);
    return s;
}

static weft_stage *build(const weft_scene *s, int32_t threads)
{
    weft_error e = {.text = ""};
    weft_stage *st = NULL;
    weft_sim_def def = weft_sim_def_default();
    def.n_threads = threads;
    if (weft_stage_create(s, &def, &st, &e) < 0)
        fail_msg("%s", e.text);
    return st;
}

static void advance(weft_stage *st, int n)
{
    weft_error e = {.text = ""};
    for (int i = 0; i < n; i++)
        if (weft_stage_advance(st, NULL, &e) < 0)
            fail_msg("%s", e.text);
}

/* ---- running ----------------------------------------------------------------------------------------------------- */

static void a_run_is_the_same_for_any_number_of_threads(void **state)
{
    (void)state;
    weft_scene *s = parse(flag);
    weft_stage *a = build(s, 1), *b = build(s, 3);
    advance(a, 12);
    advance(b, 12);
    assert_true(weft_sim_hash(a->sim) == weft_sim_hash(b->sim));
    assert_true(fabs(weft_sim_time(a->sim) - 12 / 50.0) < 1e-12);
    weft_stage_destroy(a);
    weft_stage_destroy(b);
    weft_scene_free(s);
}

static void a_resolved_scene_runs_to_the_same_bits(void **state)
{
    (void)state;
    weft_error e;
    char *resolved;
    weft_scene *s = parse(flag);
    assert_int_equal(weft_scene_resolve(s, &resolved, &e), WEFT_OK);
    weft_scene *t = parse(resolved);
    weft_stage *a = build(s, 1), *b = build(t, 1);
    advance(a, 6);
    advance(b, 6);
    assert_true(weft_sim_hash(a->sim) == weft_sim_hash(b->sim));
    weft_text_free(resolved);
    weft_stage_destroy(a);
    weft_stage_destroy(b);
    weft_scene_free(s);
    weft_scene_free(t);
}

static void a_restored_run_goes_on_bit_for_bit(void **state)
{
    (void)state;
    weft_error e;
    weft_scene *s = parse(flag), *t = parse(flag);
    weft_stage *a = build(s, 1), *b = build(t, 1);
    advance(a, 5);
    size_t size;
    assert_int_equal(weft_sim_snapshot(a->sim, NULL, &size, &e), WEFT_OK);
    void *bytes = malloc(size);
    assert_int_equal(weft_sim_snapshot(a->sim, bytes, &size, &e), WEFT_OK);
    assert_int_equal(weft_sim_restore(b->sim, bytes, size, &e), WEFT_OK);
    free(bytes);
    advance(a, 7);
    advance(b, 7);
    assert_true(weft_sim_hash(a->sim) == weft_sim_hash(b->sim));
    weft_stage_destroy(a);
    weft_stage_destroy(b);
    weft_scene_free(s);
    weft_scene_free(t);
}

static void gusts_change_the_run(void **state)
{
    (void)state;
    static const char *const calm = "forces.gust.strength=0";
    weft_error e;
    weft_scene *s = parse(flag), *t = NULL;
    assert_int_equal(weft_scene_parse("s", folder, flag, strlen(flag), &calm, 1, &t, &e), WEFT_OK);
    weft_stage *a = build(s, 1), *b = build(t, 1);
    advance(a, 3);
    advance(b, 3);
    assert_false(weft_sim_hash(a->sim) == weft_sim_hash(b->sim));
    weft_stage_destroy(a);
    weft_stage_destroy(b);
    weft_scene_free(s);
    weft_scene_free(t);
}

static void stats_of_a_frame_are_those_of_its_steps(void **state)
{
    (void)state;
    weft_error e;
    weft_scene *s = parse(flag);
    weft_stage *st = build(s, 1);
    weft_step_stats stats;
    assert_true(weft_stage_advance(st, &stats, &e) >= 0);
    assert_true(stats.n_steps >= 2);
    assert_true(stats.newton_iterations >= 2);
    assert_true(stats.time == weft_sim_time(st->sim));
    assert_int_equal(stats.n_nodes, 13 * 9);
    weft_stage_destroy(st);
    weft_scene_free(s);
}

/* Two sheets, one falling onto the other, which lies on the ground: pairs come and go. */
#define HEAP                                                                                                           \
    "cloths:\n"                                                                                                        \
    "  low: {grid: {size: [0.3, 0.3], nodes: [7, 7], corner: [0, 0.004, 0]}}\n"                                        \
    "  high: {grid: {size: [0.3, 0.3], nodes: [8, 8], corner: [0.05, 0.03, 0.05]}, velocity: [0, -1, 0]}\n"            \
    "colliders: {ground: {shape: plane}}\n"

/* One frame, and its steps, each a frame of its own in another stage. Adds the frame to *all. */
static void expect_sums(weft_stage *frames, weft_stage *steps, int32_t n_steps, weft_step_stats *all)
{
    weft_error e;
    weft_step_stats frame, step, total = weft_step_stats_none();
    int32_t n;
    const weft_stat *list = weft_step_stats_list(&n);
    assert_true(weft_stage_advance(frames, &frame, &e) >= 0);
    for (int32_t i = 0; i < n_steps; i++) {
        assert_true(weft_stage_advance(steps, &step, &e) >= 0);
        weft_step_stats_add(&total, &step);
    }
    assert_true(weft_sim_hash(frames->sim) == weft_sim_hash(steps->sim));
    for (int32_t i = 0; i < n; i++) {
        bool seconds = strncmp(list[i].name, "seconds_", 8) == 0;
        if (!seconds && weft_step_stats_get(&frame, i) != weft_step_stats_get(&total, i))
            fail_msg("%s of a frame is %g, of its steps %g", list[i].name, weft_step_stats_get(&frame, i),
                     weft_step_stats_get(&total, i));
    }
    weft_step_stats_add(all, &frame);
}

static void every_statistic_of_a_frame_adds_up_over_its_steps(void **state)
{
    (void)state;
    weft_scene *s = parse(HEAP "output: {fps: 60, steps_per_frame: 4}\n"), *t = parse(HEAP "output: {fps: 240}\n");
    weft_stage *frames = build(s, 1), *steps = build(t, 1);
    weft_step_stats all = weft_step_stats_none();
    for (int i = 0; i < 8; i++)
        expect_sums(frames, steps, 4, &all);
    assert_true(all.n_steps >= 32 && all.recouplings > 1 && all.neighbours > 0 && isfinite(all.smallest_gap));
    weft_stage_destroy(frames);
    weft_stage_destroy(steps);
    weft_scene_free(s);
    weft_scene_free(t);
}

/* A face that has split and may merge, its middle lifted over a patch: each step refuses to merge through that. */
static void merges_refused_are_summed_over_the_steps_of_a_frame(void **state)
{
    (void)state;
    weft_scene *s =
        parse("cloths:\n"
              "  sheet:\n"
              "    grid: {size: [0.1, 0.1], nodes: [2, 2], corner: [-0.05, 0, 0.05]}\n"
              "    adapt: {max_level: 1, refine_angle: 3, coarsen_angle: 1.5, coarsen_way: 0.02, interval: 0}\n"
              "  patch: {grid: {size: [0.004, 0.004], nodes: [2, 2], corner: [-0.002, 0.004, 0.002]}}\n"
              "forces: {gravity: [0, 0, 0]}\n"
              "solver: {integrator: explicit}\n"
              "output: {fps: 100000, steps_per_frame: 3}\n");
    weft_stage *st = build(s, 1);
    const unsigned char split_once = 1;
    weft_vec3 x[9];
    weft_error e;
    weft_step_stats stats;
    assert_int_equal(weft_cloth_set_shape(st->sim, st->cloths[0], &split_once, 1, &e), WEFT_OK);
    assert_int_equal(weft_cloth_get_positions(st->sim, st->cloths[0], x, 9, 0, &e), WEFT_OK);
    for (int i = 0; i < 9; i++)
        x[i].y += fabs(x[i].x) + fabs(x[i].z) < 1e-6 ? 0.01 : 0;
    assert_int_equal(weft_cloth_set_positions(st->sim, st->cloths[0], x, 9, &e), WEFT_OK);
    assert_true(weft_stage_advance(st, &stats, &e) >= 0);
    assert_int_equal(stats.merged, 0);
    assert_int_equal(stats.refused, 3);
    weft_stage_destroy(st);
    weft_scene_free(s);
}

/* ---- topology ---------------------------------------------------------------------------------------------------- */

static weft_vec3 cross_of(const weft_vec3 *x, const int32_t *t)
{
    weft_vec3 a = x[t[0]], b = x[t[1]], c = x[t[2]];
    double ux = b.x - a.x, uy = b.y - a.y, uz = b.z - a.z, vx = c.x - a.x, vy = c.y - a.y, vz = c.z - a.z;
    return (weft_vec3){uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx};
}

static void a_grid_s_faces_are_its_quads(void **state)
{
    (void)state;
    weft_error e;
    weft_scene *s = parse(flag);
    weft_stage *st = build(s, 1);
    weft_topology t;
    weft_vec3 x[13 * 9];
    assert_int_equal(weft_stage_topology(st, 0, &t, &e), WEFT_OK);
    assert_int_equal(weft_cloth_get_positions(st->sim, st->cloths[0], x, 13 * 9, 0, &e), WEFT_OK);
    assert_int_equal(t.n_nodes, 13 * 9);
    assert_int_equal(t.n_faces, 12 * 8);
    assert_int_equal(t.n_triangles, 2 * 12 * 8);
    assert_int_equal(t.face_start[t.n_faces], 4 * t.n_faces);
    assert_true(fabs(t.uv[12].u - 0.6) < 1e-15 && t.uv[12].v == 0 && t.corner_uv[5] == t.corners[5]);
    int diagonals = 0;
    for (int32_t i = 0; i < 3 * t.n_triangles; i++)
        diagonals += t.rest_lengths[i] == 0;
    assert_int_equal(diagonals, 2 * t.n_faces);
    for (int32_t i = 0; i < t.n_faces; i++) /* all face to the same side as the triangles drawn */
        assert_true(cross_of(x, t.corners + 4 * i).z * cross_of(x, t.triangles).z > 0);
    weft_stage_topology_free(&t);
    assert_null(t.triangles);
    weft_stage_destroy(st);
    weft_scene_free(s);
}

static void a_mesh_s_faces_are_the_file_s(void **state)
{
    (void)state;
    weft_error e;
    weft_scene *s =
        parse("cloths:\n  m:\n    mesh: {file: mixed.obj}\n    fabric: silk\n    group_fabrics: {b: denim, c: "
              "wool}\n    velocity: [0, 0, 1]\n");
    weft_stage *st = build(s, 1);
    weft_topology t;
    weft_cloth_info info;
    weft_fabric silk, denim, wool;
    weft_fabric_find("silk", &silk, NULL);
    weft_fabric_find("denim", &denim, NULL);
    weft_fabric_find("wool", &wool, NULL);
    assert_int_equal(weft_stage_topology(st, 0, &t, &e), WEFT_OK);
    assert_int_equal(t.n_faces, 3);
    assert_int_equal(t.n_triangles, 2 + 5 + 1);
    assert_int_equal(t.face_start[2] - t.face_start[1], 7);
    assert_null(t.uv);
    /* areas: 1, 2 + 0.2 · 1 / 2 + … of the polygon by the shoelace, ½ */
    const double x[7] = {1, 2, 3, 3, 2, 1.5, 1}, y[7] = {0, 0, 0, 1, 1, 1.2, 1};
    double polygon = 0;
    for (int i = 0; i < 7; i++)
        polygon += 0.5 * (x[i] * y[(i + 1) % 7] - x[(i + 1) % 7] * y[i]);
    weft_cloth_get_info(st->sim, st->cloths[0], &info, &e);
    assert_true(fabs(info.mass - (silk.density + denim.density * polygon + wool.density * 0.5)) < 1e-12);
    weft_vec3 v[10];
    weft_cloth_get_velocities(st->sim, st->cloths[0], v, 10, 0, &e);
    assert_true(v[9].z == 1);
    weft_stage_topology_free(&t);
    weft_stage_destroy(st);
    weft_scene_free(s);
}

static void rest_by_uv_is_flat_and_scaled(void **state)
{
    (void)state;
    weft_error e;
    weft_scene *s = parse("cloths: {m: {mesh: {file: uv.obj, rest: uv, uv_scale: 0.02}}}\n");
    weft_stage *st = build(s, 1);
    weft_cloth_info info;
    weft_cloth_get_info(st->sim, st->cloths[0], &info, &e);
    assert_true(fabs(info.area - 4) < 1e-12); /* 100 · 0.02 m a side, though it is 1 m now */
    weft_topology t;
    assert_int_equal(weft_stage_topology(st, 0, &t, &e), WEFT_OK);
    assert_true(t.n_uv == 4 && t.uv[2].u == 100);
    weft_stage_topology_free(&t);
    weft_stage_destroy(st);
    weft_scene_free(s);
}

static void groups_of_a_mesh_can_be_attached(void **state)
{
    (void)state;
    weft_scene *s = parse("cloths: {m: {mesh: {file: mixed.obj}}}\nattachments: [{cloth: m, group: c}]\n");
    const weft_attachment_def *d = &s->attachments[0].def;
    assert_int_equal(d->n_nodes, 3);
    assert_true(d->nodes[0] == 0 && d->nodes[1] == 3 && d->nodes[2] == 9);
    weft_stage_destroy(build(s, 1));
    weft_scene_free(s);
}

/* ---- mesh colliders ---------------------------------------------------------------------------------------------- */

#define CLOTH "cloths: {m: {mesh: {file: uv.obj, position: [0, 9, 0]}}}\noutput: {fps: 50, steps_per_frame: 2}\n"

static void mesh_colliders_are_in_the_simulation(void **state)
{
    (void)state;
    weft_error e;
    weft_scene *s =
        parse("cloths: {m: {mesh: {file: uv.obj}}}\n"
              "colliders: {t: {shape: mesh, file: tube.obj, scale: 2, keys: [{time: 0}, {time: 1, position: [0, 4, "
              "0]}]}}\n");
    weft_stage *st = build(s, 1);
    weft_collider_info info;
    assert_int_equal(weft_collider_get_info(st->sim, st->colliders[0], &info, &e), WEFT_OK);
    assert_int_equal(info.kind, WEFT_COLLIDER_MESH);
    assert_true(info.n_vertices == 3 && info.n_triangles == 1 && !info.closed && !info.moved_by_vertices);
    weft_vec3 x[3];
    assert_int_equal(weft_scene_collider_points(s, 0, 0.5, x, 3, &e), WEFT_OK);
    assert_true(x[0].x == 2 && x[0].y == 2 && x[1].z == 2);
    assert_int_equal(weft_scene_collider_points(s, 0, 0.5, x, 2, &e), WEFT_ERROR_ARGUMENT);
    weft_stage_destroy(st);
    weft_scene_free(s);
}

/* Both by keys and by points: at the end of each frame the simulation has them where pictures do. */
static const char *const moving[] = {
    CLOTH "colliders: {t: {shape: mesh, file: tube.obj, scale: 0.5, z_up: true, keys: [{time: 0}, {time: 0.1, "
          "position: [0, 1, 2], rotation: {axis: [1, 2, 0], angle: 80}}]}}\n",
    CLOTH "colliders: {t: {shape: mesh, file: tube.obj, scale: 0.5, motion: {file: tube_#.obj, fps: 8}, keys: "
          "[{time: 0, position: [0, 0, 3]}, {time: 0.1, position: [0, 1, 2], rotation: {axis: [1, 2, 0], angle: "
          "80}}]}}\n",
};

static void expect_points(const weft_stage *st)
{
    weft_vec3 x[3], y[3];
    weft_error e;
    assert_int_equal(weft_scene_collider_points(st->scene, 0, weft_sim_time(st->sim), x, 3, &e), WEFT_OK);
    assert_int_equal(weft_collider_get_vertices(st->sim, st->colliders[0], y, 3, &e), WEFT_OK);
    for (int i = 0; i < 3; i++) /* half a cell of the grid; the first state of a motion within a millionth */
        assert_true(fabs(x[i].x - y[i].x) + fabs(x[i].y - y[i].y) + fabs(x[i].z - y[i].z) < 4e-10);
}

static void mesh_colliders_are_where_they_are_drawn(void **state)
{
    (void)state;
    for (int k = 0; k < 2; k++) {
        weft_scene *s = parse(moving[k]);
        weft_stage *st = build(s, 1);
        expect_points(st);
        for (int i = 0; i < 8; i++) {
            advance(st, 1);
            expect_points(st);
        }
        weft_stage_destroy(st);
        weft_scene_free(s);
    }
}

static void read_points(const weft_stage *st, weft_vec3 x[3])
{
    weft_error e;
    assert_int_equal(weft_collider_get_vertices(st->sim, st->colliders[0], x, 3, &e), WEFT_OK);
}

/* Into the same scene bit for bit; into one whose collider is elsewhere, without a sweep from where it started. */
static void a_restored_run_has_its_meshes_in_place(void **state)
{
    (void)state;
    weft_error e;
    for (int k = 0; k < 2; k++) {
        weft_scene *s = parse(moving[k]), *t = parse(moving[!k]);
        weft_stage *a = build(s, 1), *b = build(s, 1), *c = build(t, 1);
        advance(a, 3);
        size_t size;
        assert_int_equal(weft_sim_snapshot(a->sim, NULL, &size, &e), WEFT_OK);
        void *bytes = malloc(size);
        assert_int_equal(weft_sim_snapshot(a->sim, bytes, &size, &e), WEFT_OK);
        assert_int_equal(weft_sim_restore(b->sim, bytes, size, &e), WEFT_OK);
        assert_int_equal(weft_sim_restore(c->sim, bytes, size, &e), WEFT_OK);
        free(bytes);
        weft_vec3 x[3], y[3];
        for (int i = 0; i < 3; i++) {
            advance(a, 1);
            advance(b, 1);
            read_points(a, x);
            read_points(b, y);
            assert_memory_equal(x, y, sizeof x);
            assert_true(weft_sim_hash(a->sim) == weft_sim_hash(b->sim));
        }
        if (k == 0) { /* c has a motion, the snapshot has not */
            advance(c, 1);
            expect_points(c);
        }
        weft_stage_destroy(a);
        weft_stage_destroy(b);
        weft_stage_destroy(c);
        weft_scene_free(s);
        weft_scene_free(t);
    }
}

static void cloth_is_carried_by_a_mesh_with_keys(void **state)
{
    (void)state;
    weft_scene *s = parse("cloths: {m: {mesh: {file: uv.obj}}}\noutput: {fps: 50}\n"
                          "colliders: {t: {shape: mesh, file: tube.obj, keys: [{time: 0, "
                          "position: [0, 3, 0]}, {time: 1, position: [0, 3, 5]}]}}\n"
                          "attachments: [{cloth: m, nodes: [0, 1], kind: collider, collider: t}]\n");
    weft_stage *st = build(s, 1);
    weft_vec3 x[4];
    weft_error e;
    advance(st, 5);
    assert_int_equal(weft_cloth_get_positions(st->sim, st->cloths[0], x, 4, 0, &e), WEFT_OK);
    assert_true(fabs(x[0].z - 0.5) < 1e-9 && fabs(x[1].z - 0.5) < 1e-9 && fabs(x[1].x - 1) < 1e-9);
    weft_stage_destroy(st);
    weft_scene_free(s);
}

static void faults_of_mesh_colliders_name_the_scene_the_file_and_the_time(void **state)
{
    (void)state;
    weft_error e = {.text = ""};
    weft_scene *s = parse(CLOTH "colliders:\n  dot: {shape: mesh, file: dot.obj}\n");
    weft_stage *st = NULL;
    assert_int_equal(weft_stage_create(s, NULL, &st, &e), WEFT_ERROR_DEGENERATE);
    assert_null(st);
    assert_non_null(strstr(e.text, "s.yaml:4:3: collider 'dot': "));
    assert_non_null(strstr(e.text, "/dot.obj: no triangle names three"));
    weft_scene_free(s);
    s = parse(CLOTH "colliders:\n  far: {shape: mesh, file: tube.obj, motion: {file: far_#.obj, fps: 10}}\n");
    st = build(s, 1);
    weft_result r = WEFT_OK;
    for (int i = 0; i < 20 && r >= 0; i++)
        r = weft_stage_advance(st, NULL, &e);
    assert_int_equal(r, WEFT_ERROR_RANGE);
    assert_non_null(strstr(e.text, "s.yaml:4:3: collider 'far' at 0.13 s: vertex 1 is (0, 270, 1)"));
    assert_true(fabs(weft_sim_time(st->sim) - 0.12) < 1e-12);
    weft_stage_destroy(st);
    weft_scene_free(s);
    s = NULL;
    static const char unread[] = "cloths: {c: {grid: {size: [1, 1], nodes: [3, 3]}}}\ncolliders: {b: {shape: mesh, "
                                 "file: b.obj}}\n";
    assert_int_equal(weft_scene_parse("s", NULL, unread, strlen(unread), NULL, 0, &s, &e), WEFT_OK);
    assert_int_equal(weft_stage_create(s, NULL, &st, &e), WEFT_ERROR_ARGUMENT);
    assert_non_null(strstr(e.text, "the mesh of collider 'b' was not read"));
    weft_scene_free(s);
}

/* ---- the table against the library ------------------------------------------------------------------------------- */

static bool sim_takes(const schema_field *f, double value)
{
    draft_scene d;
    schema_scene.defaults(&d);
    int32_t whole = (int32_t)value;
    if (f->kind == SCHEMA_INTEGER)
        memcpy((char *)&d + f->offset, &whole, sizeof whole);
    else
        memcpy((char *)&d + f->offset, &value, sizeof value);
    weft_sim *sim = NULL;
    bool taken = weft_sim_create(&d.sim, &sim, NULL) == WEFT_OK;
    weft_sim_destroy(sim);
    return taken;
}

static void ranges_of_the_solver_are_the_library_s(void **state)
{
    (void)state;
    static const char *const objects[] = {"solver", "forces"};
    for (int k = 0; k < 2; k++)
        for (const schema_field *f = schema_find(&schema_scene, objects[k])->object->fields; f->key; f++) {
            if ((f->kind != SCHEMA_NUMBER && f->kind != SCHEMA_INTEGER) || strcmp(f->key, "threads") == 0)
                continue;
            double beyond = f->kind == SCHEMA_INTEGER ? 1 : 1e-13;
            assert_true(sim_takes(f, f->min) && sim_takes(f, f->max));
            assert_false(sim_takes(f, f->min - beyond) || sim_takes(f, f->max * (1 + 1e-12) + (beyond >= 1)));
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_run_is_the_same_for_any_number_of_threads),
        cmocka_unit_test(a_resolved_scene_runs_to_the_same_bits),
        cmocka_unit_test(a_restored_run_goes_on_bit_for_bit),
        cmocka_unit_test(gusts_change_the_run),
        cmocka_unit_test(stats_of_a_frame_are_those_of_its_steps),
        cmocka_unit_test(every_statistic_of_a_frame_adds_up_over_its_steps),
        cmocka_unit_test(merges_refused_are_summed_over_the_steps_of_a_frame),
        cmocka_unit_test(a_grid_s_faces_are_its_quads),
        cmocka_unit_test(a_mesh_s_faces_are_the_file_s),
        cmocka_unit_test(rest_by_uv_is_flat_and_scaled),
        cmocka_unit_test(groups_of_a_mesh_can_be_attached),
        cmocka_unit_test(mesh_colliders_are_in_the_simulation),
        cmocka_unit_test(mesh_colliders_are_where_they_are_drawn),
        cmocka_unit_test(a_restored_run_has_its_meshes_in_place),
        cmocka_unit_test(cloth_is_carried_by_a_mesh_with_keys),
        cmocka_unit_test(faults_of_mesh_colliders_name_the_scene_the_file_and_the_time),
        cmocka_unit_test(ranges_of_the_solver_are_the_library_s),
    };
    return cmocka_run_group_tests(tests, make_files, remove_files);
}
