/* SPDX-License-Identifier: MIT */
/* Landmarks: files of them, and those found from real bodies beside what their files say. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "data_file.h"
#include "real_patterns.h"

#include <unistd.h>
#include <weft/io/body.h>
#include <weft/io/mesh.h>
#include <weft/io/pattern.h>

static bool data_is_there(void)
{
    char path[PATH_ROOM];
    return data_file("bodies/mh_female_apose.obj", path) != NULL;
}

static const char *must_be_there(const char *name, char path[PATH_ROOM])
{
    if (!data_file(name, path))
        fail_msg("no file %s", name);
    return path;
}

static weft_body *read_body(const char *name)
{
    char path[PATH_ROOM];
    weft_mesh m;
    weft_body *body = NULL;
    weft_error e = {0};
    if (weft_mesh_read(must_be_there(name, path), &m, &e) != WEFT_OK)
        fail_msg("%s", e.text);
    int32_t *triangles = malloc(3 * sizeof *triangles * (size_t)(m.face_start[m.n_faces] - 2 * m.n_faces));
    weft_body_def def = weft_body_def_default();
    def.n_vertices = m.n_nodes;
    def.vertices = m.positions;
    def.n_triangles = weft_mesh_triangulate(&m, triangles, NULL);
    def.triangles = triangles;
    if (weft_body_create(&def, &body, &e) != WEFT_OK)
        fail_msg("%s", e.text);
    free(triangles);
    weft_mesh_free(&m);
    return body;
}

static double apart(weft_vec3 a, weft_vec3 b)
{
    return sqrt((a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y) + (a.z - b.z) * (a.z - b.z));
}

/* Levels are 5 mm apart, girths of a level next to the extreme differ by less than 1 %. Joints lie inside, where slices
 * only guess: 5 cm. */
static void landmarks_from_slices_are_those_of_the_files(void **unused)
{
    (void)unused;
    if (!data_is_there())
        skip();
    const char *const names[2] = {"female", "male"};
    for (int i = 0; i < 2; i++) {
        char name[100], path[PATH_ROOM];
        weft_error e = {0};
        snprintf(name, sizeof name, "bodies/mh_%s_apose.obj", names[i]);
        weft_body *body = read_body(name);
        weft_landmarks found = *weft_body_landmarks(body), told = found;
        snprintf(name, sizeof name, "bodies/mh_%s_landmarks.json", names[i]);
        if (weft_landmarks_read(must_be_there(name, path), &told, &e) != WEFT_OK)
            fail_msg("%s", e.text);
        printf("%-6s found (told): chest %.3f (%.3f) waist %.3f (%.3f) seat %.3f (%.3f) m; off by: waist %.0f mm, seat "
               "%.0f "
               "mm, neck %.0f mm, shoulder %.0f mm, elbow %.0f mm, wrist %.0f mm\n",
               names[i], found.bust.girth, told.bust.girth, found.waist.girth, told.waist.girth, found.hip.girth,
               told.hip.girth, 1e3 * fabs(found.waist.y - told.waist.y), 1e3 * fabs(found.hip.y - told.hip.y),
               1e3 * fabs(found.neck_base - told.neck_base), 1e3 * apart(found.shoulder[0], told.shoulder[0]),
               1e3 * apart(found.elbow[0], told.elbow[0]), 1e3 * apart(found.wrist[0], told.wrist[0]));
        assert_true(fabs(found.bust.girth / told.bust.girth - 1) < 0.01);
        assert_true(fabs(found.waist.girth / told.waist.girth - 1) < 0.01);
        assert_true(fabs(found.hip.girth / told.hip.girth - 1) < 0.01);
        assert_true(fabs(found.waist.y - told.waist.y) < 0.011 && fabs(found.hip.y - told.hip.y) < 0.011);
        for (int side = 0; side < 2; side++)
            assert_true(apart(found.shoulder[side], told.shoulder[side]) < 0.05 &&
                        apart(found.elbow[side], told.elbow[side]) < 0.05 &&
                        apart(found.wrist[side], told.wrist[side]) < 0.05);
        assert_int_equal(weft_body_set_landmarks(body, &told, &e), WEFT_OK);
        weft_body_destroy(body);
    }
}

/* All seventeen patterns, as their placements say: every panel clear of the body and of the others. */
static void panels_of_real_patterns_start_clear_of_a_real_body(void **unused)
{
    (void)unused;
    if (!data_is_there())
        skip();
    weft_body *body = read_body("bodies/mh_female_apose.obj");
    for (size_t i = 0; i < N_REAL; i++)
        for (int by_name = 0; by_name < 2; by_name++) {
            char name[100], path[PATH_ROOM];
            weft_pattern *p = NULL;
            weft_garment *g = NULL;
            weft_error e = {0};
            weft_panel_fit fits[16];
            weft_garment_def def = weft_garment_def_default();
            weft_fit_def fit = weft_fit_def_default();
            /* By their names alone: FreeSewing's all, and those of GarmentCode without gores and halved sleeves. */
            if (by_name && (i == 8 || i == 11 || i == 12 || i == 13 || i > 14))
                continue;
            def.size = 0.03;
            fit.ignore_hints = by_name;
            snprintf(name, sizeof name, "%s.json", real_files[i]);
            if (weft_pattern_read(must_be_there(name, path), &p, &e) != WEFT_OK ||
                weft_garment_create(p, &def, &g, &e) != WEFT_OK ||
                weft_garment_fit(g, p, body, &fit, fits, &e) != WEFT_OK)
                fail_msg("%s: %s", real_files[i], e.text);
            double clearance = 1, between = 1, moved = 0;
            for (int32_t k = 0; k < weft_pattern_panel_count(p); k++) {
                clearance = fmin(clearance, fits[k].clearance);
                between = fmin(between, fits[k].apart);
                moved = fmax(moved, fits[k].moved);
            }
            printf("%-48s %s: clearance %5.1f mm, apart %5.1f mm, moved %3.0f mm\n", real_files[i],
                   by_name ? "by names" : "as told ", 1e3 * clearance, 1e3 * between, 1e3 * moved);
            assert_true(clearance >= fit.clearance && between >= 1e-3);
            weft_garment_destroy(g);
            weft_pattern_destroy(p);
        }
    weft_body_destroy(body);
}

static void landmarks_are_read_as_written(void **unused)
{
    (void)unused;
    char path[64];
    weft_error e = {0};
    snprintf(path, sizeof path, "/tmp/weft_landmarks_%d.json", (int)getpid());
    weft_landmarks a = {.high = 1.5,
                        .waist = {.y = 1.08, .girth = 0.75},
                        .hip = {.y = 0.8, .girth = 1},
                        .bust = {.y = 1.2, .girth = 0.9},
                        .neck_base = 1.4,
                        .has_arms = true};
    for (int side = 0; side < 2; side++) {
        a.shoulder[side] = (weft_vec3){0.17 - 0.34 * side, 1.3, 0.01};
        a.wrist[side] = (weft_vec3){0.5 - side, 1, 0.02};
    }
    weft_landmarks b = {.has_arms = true};
    if (weft_landmarks_write(path, &a, false, &e) != WEFT_OK || weft_landmarks_read(path, &b, &e) != WEFT_OK)
        fail_msg("%s", e.text);
    assert_int_equal(weft_landmarks_write(path, &a, false, &e), WEFT_ERROR_EXISTS);
    assert_true(fabs(b.waist.y - 1.08) < 1e-9 && fabs(b.hip.girth - 1) < 1e-9 && fabs(b.neck_base - 1.4) < 1e-9);
    assert_true(apart(a.shoulder[1], b.shoulder[1]) < 1e-9 && apart(a.wrist[0], b.wrist[0]) < 1e-9);
    remove(path);
    const char *wrong = "{\"measured_m\":\n {\"waist_y\": \"high\"}}";
    assert_int_equal(weft_landmarks_parse("in", wrong, strlen(wrong), &b, &e), WEFT_ERROR_FORMAT);
    assert_non_null(strstr(e.text, "in:2:14: found 'high', expected a number"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(landmarks_are_read_as_written),
        cmocka_unit_test(landmarks_from_slices_are_those_of_the_files),
        cmocka_unit_test(panels_of_real_patterns_start_clear_of_a_real_body),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
