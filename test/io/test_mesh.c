/* SPDX-License-Identifier: MIT */
/* OBJ in and out, PLY out, and what holds for files of every format. */
#define _XOPEN_SOURCE 700
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "io/mesh_kit.h"

/* ---- OBJ in ---- */

static void obj_keeps_the_order_of_vertices_faces_and_corners(void **unused)
{
    (void)unused;
    weft_mesh m = kit_text(WEFT_MESH_OBJ, "v 3 0 0\nv 1 0 0\nv 2 0.1 0\nv 0 -1e-3 5\nf 4 2 3\nf 1 2 3 4\n");
    assert_int_equal(m.n_nodes, 4);
    kit_same_point(m.positions[0], 3, 0, 0);
    kit_same_point(m.positions[2], 2, 0.1, 0);
    kit_same_point(m.positions[3], 0, -1e-3, 5);
    assert_int_equal(m.n_faces, 2);
    kit_same_ints(m.face_start, (int32_t[]){0, 3, 7}, 3);
    kit_same_ints(m.corners, (int32_t[]){3, 1, 2, 0, 1, 2, 3}, 7);
    kit_same_ints(m.face_line, (int32_t[]){5, 6}, 2);
    assert_null(m.corner_uv);
    assert_null(m.face_group);
    assert_false(m.was_stl);
    weft_mesh_free(&m);
}

static void obj_reads_every_form_of_corner(void **unused)
{
    (void)unused;
    weft_mesh m = kit_text(WEFT_MESH_OBJ, "v 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0.5\nvt 0.25 0.75 0\nvn 0 0 1\n"
                                          "f 1 2/1 3//1\nf 1/2/1 -2/-1/-1 -1/1\nf 1// 2/ 3/2/\n");
    kit_same_ints(m.corners, (int32_t[]){0, 1, 2, 0, 1, 2, 0, 1, 2}, 9);
    kit_same_ints(m.corner_uv, (int32_t[]){-1, 0, -1, 1, 1, 0, -1, -1, 1}, 9);
    assert_int_equal(m.n_uv, 2);
    assert_true(m.uv[0].u == 0.5 && m.uv[0].v == 0 && m.uv[1].u == 0.25 && m.uv[1].v == 0.75);
    weft_mesh_free(&m);
}

static void obj_joins_lines_and_takes_any_line_end(void **unused)
{
    (void)unused;
    weft_mesh m =
        kit_text(WEFT_MESH_OBJ, "\xEF\xBB\xBFv 0 0 0\r\nv 1 \\\r\n 0 0\r\nv 0 1\\\n 0\nv 0 0 1 # w\\\nf 1 2\\\n"
                                "3\rf \\\n 2 3 4 # all\n\n# f 1 \\\nf 1 2 4");
    assert_int_equal(m.n_nodes, 4);
    kit_same_point(m.positions[1], 1, 0, 0);
    assert_int_equal(m.n_faces, 3);
    kit_same_ints(m.corners, (int32_t[]){0, 1, 2, 1, 2, 3, 0, 1, 3}, 9);
    kit_same_ints(m.face_line, (int32_t[]){7, 9, 13}, 3);
    weft_mesh_free(&m);
}

static void obj_passes_over_what_it_does_not_know(void **unused)
{
    (void)unused;
    weft_mesh m =
        kit_text(WEFT_MESH_OBJ, "mtllib a.mtl\nusemtl red\ns off\nv 0 0 0 1 0.5 0.5 0.5\nv 1 0 0 1.0\nv 0 1 0\n"
                                "l 1 2\np 3\nvp 1 2\ncurv 0 1 \\\n1 2\nxyz\nvn nonsense\nf 1 2 3\n");
    assert_int_equal(m.n_nodes, 3);
    assert_int_equal(m.n_faces, 1);
    weft_mesh_free(&m);
}

static void obj_vertices_may_come_after_their_faces(void **unused)
{
    (void)unused;
    weft_mesh m = kit_text(WEFT_MESH_OBJ, "f 1 2 3\nv 0 0 0\nv 1 0 0\nv 0 1 0\n");
    kit_same_ints(m.corners, (int32_t[]){0, 1, 2}, 3);
    weft_mesh_free(&m);
}

static void obj_groups_are_names_of_faces(void **unused)
{
    (void)unused;
    weft_mesh m =
        kit_text(WEFT_MESH_OBJ, "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\no body\nf 1 2 3\ng  left sleeve \r\nf 1 2 3\n"
                                "g body\nf 1 2 3\ng\nf 1 2 3\ng unused\n");
    assert_int_equal(m.n_groups, 3);
    assert_string_equal(m.group_names[0], "body");
    assert_string_equal(m.group_names[1], "left sleeve");
    assert_string_equal(m.group_names[2], "unused");
    kit_same_ints(m.face_group, (int32_t[]){-1, 0, 1, 0, -1}, 5);
    weft_mesh_free(&m);
}

static void obj_of_nothing_is_an_empty_mesh(void **unused)
{
    (void)unused;
    weft_mesh m = kit_text(WEFT_MESH_OBJ, "");
    assert_int_equal(m.n_nodes, 0);
    assert_int_equal(m.n_faces, 0);
    assert_non_null(m.positions);
    assert_int_equal(m.face_start[0], 0);
    assert_int_equal(weft_mesh_triangulate(&m, NULL, NULL), 0);
    weft_mesh_free(&m);
    weft_mesh_free(&m);
    weft_mesh_free(NULL);
}

static void obj_mistakes_are_named(void **unused)
{
    (void)unused;
    static const char three[] = "v 0 0 0\nv 1 0 0\nv 0 1 0\n";
    static const struct {
        const char *line, *message;
    } wrong[] = {
        {"v 1 2", "in:4: found the end of the file, expected the z of a vertex"},
        {"v 1 2\n", "in:4: found the end of the line, expected the z of a vertex"},
        {"v 1 2x 3", "in:4: found \"2x\", expected the y of a vertex"},
        {"v 1,5 2 3", "in:4: found \"1,5\", expected the x of a vertex"},
        {"v nan 2 3", "in:4: found \"nan\", expected the x of a vertex"},
        {"v 1e999 2 3", "in:4: found \"1e999\", expected the x of a vertex"},
        {"\nv 1 0x2 3", "in:5: found \"0x2\", expected the y of a vertex"},
        {"vt", "in:4: found the end of the file, expected the u of a texture vertex"},
        {"vt 0 \xC3\xA4\x01", "in:4: found \"???\", expected the v of a texture vertex"},
        {"f 1 2", "in:4: found a face of 2 corners, expected at least 3"},
        {"f 1", "in:4: found a face of 1 corner, expected at least 3"},
        {"f 1 2 4", "in:4: found vertex 4, expected 1 to 3"},
        {"f 1 2 0", "in:4: found vertex 0, expected an index from 1, or a negative one"},
        {"f 1 2 -4", "in:4: found vertex -4, but there are only 3 before it"},
        {"f 1 2 3/1", "in:4: found texture vertex 1, expected none, for the file has none"},
        {"vt 0 0\nf 1/1 2/1 3/2", "in:5: found texture vertex 2, expected 1 to 1"},
        {"f 1//0 2 3", "in:4: found normal 0, expected an index from 1, or a negative one"},
        {"f 1 2 3.0", "in:4: found \"3.0\", expected a corner: v, v/t, v//n or v/t/n"},
        {"f 1 2 3/1/1/1", "in:4: found \"3/1/1/1\", expected a corner: v, v/t, v//n or v/t/n"},
        {"f 1 2 99999999999999999999",
         "in:4: found \"99999999999999999999\", expected a corner: v, v/t, v//n or v/t/n"},
        {"v abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz 2 3",
         "in:4: found \"abcdefghijklmnopqrstuvwxyzabc...\", expected the x of a vertex"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        char text[256];
        snprintf(text, sizeof text, "%s%s", three, wrong[i].line);
        kit_wrong(WEFT_MESH_OBJ, text, wrong[i].message);
    }
}

/* Linear time: quadratic search for equal names would take minutes. */
static void obj_may_have_many_groups(void **unused)
{
    (void)unused;
    enum { N = 100000 };
    char *text = malloc(20 * N + 64), *at = text;
    assert_non_null(text);
    at += snprintf(at, 64, "v 0 0 0\nv 1 0 0\nv 0 1 0\n");
    for (int i = 0; i < N; i++)
        at += snprintf(at, 20, "g part%d\n", i % (N / 2));
    weft_mesh m = kit_text(WEFT_MESH_OBJ, text);
    assert_int_equal(m.n_groups, N / 2);
    assert_string_equal(m.group_names[N / 2 - 1], "part49999");
    weft_mesh_free(&m);
    free(text);
}

/* ---- out ---- */

typedef struct folder_kit {
    char folder[256], path[300];
} folder_kit;

static int make_folder(void **state)
{
    folder_kit *kit = calloc(1, sizeof *kit);
    assert_non_null(kit);
    kit_make_folder(kit->folder);
    *state = kit;
    return 0;
}

static int remove_folder(void **state)
{
    folder_kit *kit = *state;
    remove(kit->path);
    int gone = rmdir(kit->folder); /* fails if something was left beside */
    free(kit);
    return gone;
}

static const char *in_folder(folder_kit *kit, const char *name)
{
    snprintf(kit->path, sizeof kit->path, "%s/%s", kit->folder, name);
    return kit->path;
}

static weft_mesh write_and_read(folder_kit *kit, const char *name, weft_mesh_format format, const weft_mesh *mesh)
{
    weft_error e = {0};
    weft_mesh back = {0};
    const char *path = in_folder(kit, name);
    if (weft_mesh_write(path, format, mesh, &e) != WEFT_OK || weft_mesh_read(path, &back, &e) != WEFT_OK)
        fail_msg("%s", e.text);
    return back;
}

static const char odd[] = "v 0.1 -0 1e-310\nv 1e300 3.3333333333333335 2\nv 123456.789 5e-324 0.30000000000000004\n"
                          "v 1 2 3\nvt 0.1 0.7\nvt 1e-9 2\ng a\nf 1/1 2/2 3\ng b c\nf 4/2 3 2 1/1\ng\nf 1 2 4\n";

static void same_shape(const weft_mesh *a, const weft_mesh *b)
{
    assert_int_equal(a->n_nodes, b->n_nodes);
    assert_memory_equal(a->positions, b->positions, (size_t)a->n_nodes * sizeof *a->positions);
    assert_int_equal(a->n_faces, b->n_faces);
    kit_same_ints(b->face_start, a->face_start, a->n_faces + 1);
    kit_same_ints(b->corners, a->corners, a->face_start[a->n_faces]);
}

static void obj_written_is_read_back_bit_for_bit(void **state)
{
    weft_mesh m = kit_text(WEFT_MESH_OBJ, odd);
    weft_mesh back = write_and_read(*state, "a.OBJ", WEFT_MESH_OBJ, &m);
    same_shape(&m, &back);
    assert_int_equal(back.n_uv, m.n_uv);
    assert_memory_equal(back.uv, m.uv, (size_t)m.n_uv * sizeof *m.uv);
    kit_same_ints(back.corner_uv, m.corner_uv, 10);
    assert_int_equal(back.n_groups, 2);
    assert_string_equal(back.group_names[1], "b c");
    kit_same_ints(back.face_group, m.face_group, 3);
    weft_mesh_free(&m);
    weft_mesh_free(&back);
}

static void names_that_would_break_a_line_are_mended(void **state)
{
    weft_mesh m = kit_text(WEFT_MESH_OBJ, odd);
    memcpy(m.group_names[1], "b\n\\", 4);
    weft_mesh back = write_and_read(*state, "a.obj", WEFT_MESH_OBJ, &m);
    same_shape(&m, &back);
    assert_string_equal(back.group_names[1], "b__");
    weft_mesh_free(&m);
    weft_mesh_free(&back);
}

static void ply_written_is_read_back_bit_for_bit(void **state)
{
    weft_mesh m = kit_text(WEFT_MESH_OBJ, odd);
    weft_mesh back = write_and_read(*state, "a.ply", WEFT_MESH_PLY, &m);
    same_shape(&m, &back);
    assert_null(back.corner_uv); /* corners without */
    weft_mesh_free(&m);
    weft_mesh_free(&back);
}

static void ply_keeps_the_uv_of_vertices(void **state)
{
    weft_mesh m =
        kit_text(WEFT_MESH_OBJ, "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 9 9 9\nv 1 1 0\nvt 0.1 0.2\nvt 0.3 0.4\nvt 0.5 0.6\n"
                                "vt 0.3 0.4\nf 1/1 2/2 3/3\nf 2/4 5/1 3/3\n");
    weft_mesh back = write_and_read(*state, "a.ply", WEFT_MESH_PLY, &m);
    same_shape(&m, &back);
    assert_int_equal(back.n_uv, 5);
    for (int i = 0; i < 6; i++)
        assert_memory_equal(&back.uv[back.corner_uv[i]], &m.uv[m.corner_uv[i]], sizeof *m.uv);
    weft_mesh_free(&m);
    weft_mesh_free(&back);
}

static void ply_leaves_out_uv_with_a_seam(void **state)
{
    weft_mesh m =
        kit_text(WEFT_MESH_OBJ, "v 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0.1 0.2\nvt 0.3 0.4\nf 1/1 2/2 3/1\nf 1/2 3/1 2/2\n");
    weft_mesh back = write_and_read(*state, "a.ply", WEFT_MESH_PLY, &m);
    same_shape(&m, &back);
    assert_int_equal(back.n_uv, 0);
    weft_mesh_free(&m);
    weft_mesh_free(&back);
}

static void ply_faces_may_have_more_than_255_corners(void **state)
{
    enum { N = 300 };
    weft_vec3 positions[N] = {{0, 0, 0}};
    int32_t corners[N], start[2] = {0, N};
    for (int i = 0; i < N; i++) {
        positions[i] = (weft_vec3){i, i % 7, 0};
        corners[i] = N - 1 - i;
    }
    weft_mesh m = {.n_nodes = N, .positions = positions, .n_faces = 1, .face_start = start, .corners = corners};
    weft_mesh back = write_and_read(*state, "a.ply", WEFT_MESH_PLY, &m);
    same_shape(&m, &back);
    weft_mesh_free(&back);
}

static void writing_fails_with_a_reason(void **state)
{
    folder_kit *kit = *state;
    weft_mesh m = kit_text(WEFT_MESH_OBJ, odd);
    weft_error e = {0};
    assert_int_equal(weft_mesh_write("/nowhere/at/all.obj", WEFT_MESH_OBJ, &m, &e), WEFT_ERROR_FILE);
    assert_string_equal(e.text, "/nowhere/at/all.obj: No such file or directory");
    assert_int_equal(weft_mesh_write(in_folder(kit, "a.stl"), WEFT_MESH_STL, &m, &e), WEFT_ERROR_ARGUMENT);
    assert_non_null(strstr(e.text, "a.stl: meshes are written as OBJ or PLY, not as STL"));
    assert_int_equal(access(kit->path, F_OK), -1);
    weft_mesh_free(&m);
}

/* ---- files ---- */

static void reading_fails_with_a_reason(void **state)
{
    folder_kit *kit = *state;
    weft_mesh m = {.n_nodes = 7};
    weft_error e = {0};
    assert_int_equal(weft_mesh_read("/nowhere/at/all.obj", &m, &e), WEFT_ERROR_FILE);
    assert_string_equal(e.text, "/nowhere/at/all.obj: No such file or directory");
    assert_int_equal(m.n_nodes, 0);
    assert_int_equal(weft_mesh_read("a.fbx", &m, &e), WEFT_ERROR_ARGUMENT);
    assert_string_equal(e.text, "a.fbx: found the ending \"fbx\", expected obj, ply or stl");
    assert_int_equal(weft_mesh_read(kit->folder, &m, NULL), WEFT_ERROR_ARGUMENT);
    const char *path = in_folder(kit, "a.obj");
    kit_write(path, "v 0 0\n", 6);
    assert_int_equal(weft_mesh_read(path, &m, &e), WEFT_ERROR_FORMAT);
    assert_memory_equal(e.text, path, strlen(path));
    assert_string_equal(e.text + strlen(path), ":1: found the end of the line, expected the z of a vertex");
    assert_int_equal(weft_mesh_read(NULL, &m, &e), WEFT_ERROR_ARGUMENT);
    assert_int_equal(weft_mesh_parse((weft_mesh_format)7, "x", "", 0, &m, &e), WEFT_ERROR_ARGUMENT);
}

int main(void)
{
#define IN_FOLDER(test) cmocka_unit_test_setup_teardown(test, make_folder, remove_folder)
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(obj_keeps_the_order_of_vertices_faces_and_corners),
        cmocka_unit_test(obj_reads_every_form_of_corner),
        cmocka_unit_test(obj_joins_lines_and_takes_any_line_end),
        cmocka_unit_test(obj_passes_over_what_it_does_not_know),
        cmocka_unit_test(obj_vertices_may_come_after_their_faces),
        cmocka_unit_test(obj_groups_are_names_of_faces),
        cmocka_unit_test(obj_of_nothing_is_an_empty_mesh),
        cmocka_unit_test(obj_mistakes_are_named),
        cmocka_unit_test(obj_may_have_many_groups),
        IN_FOLDER(obj_written_is_read_back_bit_for_bit),
        IN_FOLDER(names_that_would_break_a_line_are_mended),
        IN_FOLDER(ply_written_is_read_back_bit_for_bit),
        IN_FOLDER(ply_keeps_the_uv_of_vertices),
        IN_FOLDER(ply_leaves_out_uv_with_a_seam),
        IN_FOLDER(ply_faces_may_have_more_than_255_corners),
        IN_FOLDER(writing_fails_with_a_reason),
        IN_FOLDER(reading_fails_with_a_reason),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
