/* SPDX-License-Identifier: MIT */
/* Meshes and movements of the real world, where they are at hand. The counts were taken by other tools. */
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

static const struct {
    const char *name;
    int32_t n_nodes, n_faces, n_corners;
} meshes[] = {
    {"bodies/mh_female_apose.obj", 13380, 26756, 80268},
    {"bodies/mh_female_tpose.obj", 13380, 26756, 80268},
    {"bodies/mh_male_apose.obj", 13380, 26756, 80268},
    {"bodies/mh_male_tpose.obj", 13380, 26756, 80268},
    {"colliders/saucer.obj", 5770, 11536, 34608},
    {"colliders/spot.obj", 2930, 5856, 17568},
    {"colliders/teacup.obj", 8324, 16648, 49944},
    {"colliders/teapot_open_newell.obj", 3644, 6320, 18960},
    {"colliders/teapot_solid.obj", 19088, 38176, 114528},
    {"ccd/cloth_ball92.ply", 46598, 92230, 276690},
    {"ccd/cloth_ball93.ply", 46598, 92230, 276690},
    {"untangle/unit_BBII.obj", 6, 4, 12},
    {"untangle/unit_BIBI.obj", 6, 4, 12},
    {"untangle/unit_BLI.obj", 5, 3, 9},
    {"untangle/unit_Closed.obj", 7, 4, 12},
    {"untangle/unit_Cross.obj", 7, 5, 15},
    {"untangle/unit_Eight.obj", 6, 5, 15},
    {"untangle/unit_LL.obj", 5, 4, 12},
};

static weft_mesh read_well(const char *path)
{
    weft_mesh m;
    weft_error e = {0};
    if (weft_mesh_read(path, &m, &e) != WEFT_OK)
        fail_msg("%s", e.text);
    return m;
}

static void meshes_have_the_known_counts(void **unused)
{
    (void)unused;
    for (size_t i = 0; i < sizeof meshes / sizeof *meshes; i++) {
        char path[PATH_ROOM];
        if (!data_file(meshes[i].name, path))
            continue;
        weft_mesh m = read_well(path);
        assert_int_equal(m.n_nodes, meshes[i].n_nodes);
        assert_int_equal(m.n_faces, meshes[i].n_faces);
        assert_int_equal(m.face_start[m.n_faces], meshes[i].n_corners);
        weft_mesh_free(&m);
    }
}

/* The text of each vertex line, read by the C library. */
static void coordinates_are_those_of_the_text(void **unused)
{
    (void)unused;
    char path[PATH_ROOM], line[256];
    if (!data_file("colliders/teapot_solid.obj", path))
        return;
    weft_mesh m = read_well(path);
    FILE *f = fopen(path, "r");
    assert_non_null(f);
    int32_t n = 0;
    while (fgets(line, sizeof line, f)) {
        if (line[0] != 'v' || line[1] != ' ')
            continue;
        char *at = line + 2;
        double x = strtod(at, &at), y = strtod(at, &at), z = strtod(at, &at);
        kit_same_point(m.positions[n++], x, y, z);
    }
    assert_int_equal(n, m.n_nodes);
    fclose(f);
    weft_mesh_free(&m);
}

static void motion_fits(const char *name, int32_t n_points, int32_t n_frames)
{
    char path[PATH_ROOM], pc2[64], obj[64];
    snprintf(pc2, sizeof pc2, "motion/%s.pc2", name);
    snprintf(obj, sizeof obj, "motion/%s_topology.obj", name);
    if (!data_file(obj, path))
        return;
    weft_mesh mesh = read_well(path);
    weft_motion *motion;
    weft_error e = {0};
    if (weft_motion_open(data_file(pc2, path), 25, &motion, &e) != WEFT_OK)
        fail_msg("%s", e.text);
    weft_motion_info info = weft_motion_get_info(motion);
    assert_int_equal(info.n_points, n_points);
    assert_int_equal(info.n_frames, n_frames);
    assert_int_equal(mesh.n_nodes, n_points);
    assert_true(info.start == 0 && fabs(info.duration - (n_frames - 1) / 25.0) < 1e-12);
    weft_vec3 *points = malloc((size_t)n_points * sizeof *points);
    assert_non_null(points);
    for (int i = 0; i <= 10; i++)
        assert_int_equal(weft_motion_sample(motion, info.duration * i / 10, points, n_points, &e), WEFT_OK);
    /* The mesh is the first frame, in text of 6 digits or more. */
    assert_int_equal(weft_motion_sample(motion, 0, points, n_points, &e), WEFT_OK);
    double most = 0;
    for (int32_t i = 0; i < n_points; i++)
        most = fmax(most, fmax(fabs(points[i].x - mesh.positions[i].x), fabs(points[i].y - mesh.positions[i].y)));
    if (!(most < 2e-6))
        fail_msg("%s: the first frame is %g from the mesh", name, most);
    free(points);
    weft_motion_close(motion);
    weft_mesh_free(&mesh);
}

static void motions_have_the_known_counts(void **unused)
{
    (void)unused;
    motion_fits("cesiumman_walk", 2338, 60);
    motion_fits("mh_female_pirouette_cmu05_11", 13380, 237);
    motion_fits("mh_female_walk_cmu07_01", 13380, 200);
    motion_fits("riggedfigure", 130, 60);
}

/* A million vertices and two million triangles of 9 digits (WEFT_LONG: 17); the time is printed. */
static void large_text_is_read_in_seconds(void **unused)
{
    (void)unused;
    int n = getenv("WEFT_LONG") ? 1000 : 300, digits = getenv("WEFT_LONG") ? 17 : 9;
    size_t room = (size_t)n * (size_t)n * 140, size = 0;
    char *text = malloc(room);
    assert_non_null(text);
    for (int i = 0; i < n * n; i++)
        size += (size_t)snprintf(text + size, room - size, "v %.*g %.*g %.*g\n", digits, i % n / 7.0, digits,
                                 i / n / 7.0, digits, i / 3e5);
    for (int i = 0; i + n + 1 < n * n; i++)
        size += (size_t)snprintf(text + size, room - size, "f %d %d %d\nf %d %d %d\n", i + 1, i + 2, i + n + 2, i + 1,
                                 i + n + 2, i + n + 1);
    clock_t start = clock();
    weft_mesh m = kit_bytes(WEFT_MESH_OBJ, text, size);
    print_message("%d vertices and %d faces in %.2f s\n", m.n_nodes, m.n_faces,
                  (double)(clock() - start) / CLOCKS_PER_SEC);
    assert_int_equal(m.n_nodes, n * n);
    weft_mesh_free(&m);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(meshes_have_the_known_counts),
        cmocka_unit_test(coordinates_are_those_of_the_text),
        cmocka_unit_test(motions_have_the_known_counts),
        cmocka_unit_test(large_text_is_read_in_seconds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
