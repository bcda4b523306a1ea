/* SPDX-License-Identifier: MIT */
/* PLY and STL in: text, and binary in both orders. */
#define _XOPEN_SOURCE 700
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "io/mesh_kit.h"

/* Bytes of a binary file; numbers are put in either order. */
typedef struct file_kit {
    uint8_t bytes[1024];
    size_t n;
    bool is_big;
} file_kit;

static void put(file_kit *k, const void *value, size_t size)
{
    const uint16_t one = 1;
    bool machine_is_big = *(const uint8_t *)&one == 0;
    assert_true(k->n + size <= sizeof k->bytes);
    for (size_t i = 0; i < size; i++)
        k->bytes[k->n + i] = ((const uint8_t *)value)[k->is_big == machine_is_big ? i : size - 1 - i];
    k->n += size;
}

static void put_text(file_kit *k, const char *text)
{
    assert_true(k->n + strlen(text) <= sizeof k->bytes);
    memcpy(k->bytes + k->n, text, strlen(text));
    k->n += strlen(text);
}

#define PUT(kit, type, value) put(kit, &(type){value}, sizeof(type))

/* ---- PLY ---- */

#define XYZ "property float x\nproperty float y\nproperty float z\n"
#define CORNERS "property list uchar int vertex_indices\n"

static void ply_reads_text(void **unused)
{
    (void)unused;
    weft_mesh m =
        kit_text(WEFT_MESH_PLY, "ply\nformat ascii 1.0\ncomment made by hand\nobj_info 7\nelement vertex 4\n"
                                "property uchar red\n" XYZ "element face 2\n" CORNERS
                                "property list int float weights\nelement edge 1\nproperty int a\nend_header\n"
                                "255 0 0.1 0\n0 1 0 0\n\n0 1 1 0\n0 0 1e-3 -0\n4 0 1 2 3 0\n3 2 1 0 2 nan 0.5\n9\n");
    assert_int_equal(m.n_nodes, 4);
    kit_same_point(m.positions[0], 0, 0.1, 0);
    kit_same_point(m.positions[3], 0, 1e-3, 0);
    kit_same_ints(m.face_start, (int32_t[]){0, 4, 7}, 3);
    kit_same_ints(m.corners, (int32_t[]){0, 1, 2, 3, 2, 1, 0}, 7);
    kit_same_ints(m.face_line, (int32_t[]){21, 22}, 2);
    weft_mesh_free(&m);
}

static void put_every_type(file_kit *k, const char *line_end)
{
    const char *const lines[] = {"ply",
                                 k->is_big ? "format binary_big_endian 1.0" : "format binary_little_endian 1.0",
                                 "element face 1",
                                 "property list ushort uint vertex_index",
                                 "property int8 mark",
                                 "element vertex 3",
                                 "property float64 x",
                                 "property list int16 float64 skipped",
                                 "property short y",
                                 "property uint z",
                                 "property float u",
                                 "property uint16 v",
                                 "end_header"};
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        put_text(k, lines[i]);
        put_text(k, line_end);
    }
    PUT(k, uint16_t, 3);
    for (uint32_t i = 0; i < 3; i++)
        PUT(k, uint32_t, 2 - i);
    PUT(k, int8_t, -1);
    for (int i = 0; i < 3; i++) {
        PUT(k, double, 0.1 * i);
        PUT(k, int16_t, 1);
        PUT(k, double, 7);
        PUT(k, int16_t, (int16_t)(-300 * i));
        PUT(k, uint32_t, 4000000000u);
        PUT(k, float, 0.5f);
        PUT(k, uint16_t, 65535);
    }
}

static void ply_reads_binary_of_both_orders_and_all_line_ends(void **unused)
{
    (void)unused;
    static const char *const ends[] = {"\n", "\r\n", "\r"};
    for (int i = 0; i < 6; i++) {
        file_kit k = {.is_big = i % 2};
        put_every_type(&k, ends[i / 2]);
        weft_mesh m = kit_bytes(WEFT_MESH_PLY, k.bytes, k.n);
        assert_int_equal(m.n_nodes, 3);
        kit_same_point(m.positions[2], 0.1 * 2, -600, 4e9);
        kit_same_ints(m.corners, (int32_t[]){2, 1, 0}, 3);
        kit_same_ints(m.corner_uv, (int32_t[]){2, 1, 0}, 3);
        assert_true(m.uv[1].u == 0.5 && m.uv[1].v == 65535);
        assert_null(m.face_line);
        weft_mesh_free(&m);
    }
}

/* The first byte of a binary body may look like the end of a line. */
static void ply_body_begins_right_after_the_head(void **unused)
{
    (void)unused;
    file_kit k = {.n = 0};
    put_text(&k, "ply\nformat binary_little_endian 1.0\nelement vertex 1\nproperty char x\nproperty char y\n"
                 "property char z\nend_header\n\n\r\n");
    weft_mesh m = kit_bytes(WEFT_MESH_PLY, k.bytes, k.n);
    kit_same_point(m.positions[0], 10, 13, 10);
    weft_mesh_free(&m);
}

static void ply_names_its_uv_in_three_ways(void **unused)
{
    (void)unused;
    static const char *const names[3][2] = {{"s", "t"}, {"u", "v"}, {"texture_u", "texture_v"}};
    for (int i = 0; i < 3; i++) {
        char text[512];
        snprintf(text, sizeof text,
                 "ply\nformat ascii 1.0\nelement vertex 3\n" XYZ "property float %s\nproperty float %s\n"
                 "element face 1\n" CORNERS "end_header\n0 0 0 0.1 0.2\n1 0 0 0.3 0.4\n0 1 0 0.5 0.6\n3 0 2 1\n",
                 names[i][0], names[i][1]);
        weft_mesh m = kit_text(WEFT_MESH_PLY, text);
        assert_int_equal(m.n_uv, 3);
        assert_true(m.uv[m.corner_uv[1]].u == 0.5 && m.uv[m.corner_uv[1]].v == 0.6);
        weft_mesh_free(&m);
    }
}

static void ply_of_points_alone_is_fine(void **unused)
{
    (void)unused;
    weft_mesh m = kit_text(WEFT_MESH_PLY, "ply\nformat ascii 1.0\nelement vertex 1\n" XYZ "end_header\n1 2 3\n");
    assert_int_equal(m.n_nodes, 1);
    assert_int_equal(m.n_faces, 0);
    weft_mesh_free(&m);
}

static void ply_mistakes_in_the_head_are_named(void **unused)
{
    (void)unused;
#define HEAD "ply\nformat ascii 1.0\n"
    static const char *const wrong[][2] = {
        {"", "in:1: found the end of the file, expected \"ply\""},
        {"plyx\n", "in:1: found \"plyx\", expected \"ply\""},
        {"ply\nelement", "in:2: found \"element\", expected \"format\""},
        {"ply\nformat binary 1.0", "in:2: found \"binary\", expected ascii, binary_little_endian or binary_big_endian"},
        {"ply\nformat ascii 2.0", "in:2: found \"2.0\", expected \"1.0\""},
        {HEAD "element vertex -1\n", "in:3: found \"-1\", expected a number of elements"},
        {HEAD "element vertex\n", "in:3: found the end of the line, expected a number of elements"},
        {HEAD "property int x\n", "in:3: found a property, expected an element before it"},
        {HEAD "element vertex 1\nproperty int64 x\n",
         "in:4: found \"int64\", expected a type (char, uchar, short, ushort, int, uint, float, double)"},
        {HEAD "element face 1\nproperty list float int vertex_indices\n",
         "in:4: found \"float\", expected an integer type (char, uchar, short, ushort, int, uint)"},
        {HEAD "element face 1\nproperty list uchar float vertex_indices\n",
         "in:4: found indices of a floating type, expected an integer type"},
        {HEAD "element vertex 1\nproperty float x\nproperty int x\n",
         "in:5: found property \"x\" again, expected it once"},
        {HEAD "element vertex 1\nelement vertex 1\n", "in:4: found a second element vertex, expected one"},
        {HEAD "elements 1\n", "in:3: found \"elements\", expected element, property, comment, obj_info or end_header"},
        {HEAD "element vertex 1\n", "in:4: found the end of the file, expected \"end_header\""},
        {HEAD "end_header\n", "in:4: found the end of the head, expected an element vertex"},
        {HEAD "element vertex 1\nproperty float x\nproperty float y\nend_header\n",
         "in:7: found an element vertex without property z, expected x, y and z"},
        {HEAD "element vertex 0\n" XYZ "element face 1\nend_header\n",
         "in:9: found an element face without a list vertex_indices, expected one"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        kit_wrong(WEFT_MESH_PLY, wrong[i][0], wrong[i][1]);
}

static void ply_mistakes_in_text_are_named(void **unused)
{
    (void)unused;
#define BODY HEAD "element vertex 3\n" XYZ "element face 1\n" CORNERS "end_header\n"
    static const char *const wrong[][2] = {
        {BODY "0 0 0\n", "in:11: found the end of the file, expected vertex 1 of 3"},
        {BODY "0 0\n0 0 0\n", "in:10: found the end of the line, expected the z of a vertex"},
        {BODY "0 0 0 0\n", "in:10: found \"0\", expected the end of the line"},
        {BODY "0 inf 0\n", "in:10: found \"inf\", expected the y of a vertex"},
        {BODY "0 0 0\n1 0 0\n0 1 0\n3 0 1\n",
         "in:13: found the end of the line, expected the index of a vertex, from 0"},
        {BODY "0 0 0\n1 0 0\n0 1 0\n2 0 1\n", "in:13: found a face of 2 corners, expected at least 3"},
        {BODY "0 0 0\n1 0 0\n0 1 0\n3 0 1 3\n", "in:13: found vertex 3, expected 0 to 2"},
        {BODY "0 0 0\n1 0 0\n0 1 0\n3 0 1 -1\n", "in:13: found -1, expected the index of a vertex, from 0"},
        {BODY "0 0 0\n1 0 0\n0 1 0\n3 0 1 1.5\n", "in:13: found 1.5, expected the index of a vertex, from 0"},
        {BODY "0 0 0\n1 0 0\n0 1 0\n-3 0 1 2\n", "in:13: found -3, expected the length of a list"},
        {BODY "0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n3 0 1 2\n", "in:14: found \"3\", expected the end of the file"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        kit_wrong(WEFT_MESH_PLY, wrong[i][0], wrong[i][1]);
}

static void put_triangle(file_kit *k, const char *n_vertices, float z, uint8_t n, int32_t last)
{
    put_text(k, "ply\nformat binary_little_endian 1.0\nelement vertex ");
    put_text(k, n_vertices);
    put_text(k, "\n" XYZ "element face 1\n" CORNERS "end_header\n"); /* 164 bytes with a count of one digit */
    for (int i = 0; i < 9; i++)
        PUT(k, float, i == 8 ? z : (float)i);
    PUT(k, uint8_t, n);
    PUT(k, int32_t, 0);
    PUT(k, int32_t, 1);
    PUT(k, int32_t, last);
}

static void ply_mistakes_in_binary_are_named(void **unused)
{
    (void)unused;
    file_kit k = {.n = 0};
    put_triangle(&k, "3", 1, 3, 2);
    size_t body = k.n - 49;
    weft_mesh m = kit_bytes(WEFT_MESH_PLY, k.bytes, k.n);
    weft_mesh_free(&m);
    char message[256];
    snprintf(message, sizeof message, "in: byte %zu: face 0: found the end of the file after 3 bytes, expected 4",
             body + 45);
    kit_wrong_bytes(WEFT_MESH_PLY, k.bytes, k.n - 1, message);
    snprintf(message, sizeof message,
             "in: byte %zu: found 20 bytes, expected at least 12 for each of 3 items of element vertex", body);
    kit_wrong_bytes(WEFT_MESH_PLY, k.bytes, body + 20, message);
    k.n = 0;
    put_triangle(&k, "3", 1, 3, 3);
    kit_wrong_bytes(WEFT_MESH_PLY, k.bytes, k.n, "in: face 0: found vertex 3, expected 0 to 2");
    k.n = 0;
    put_triangle(&k, "3", 1, 3, -7);
    snprintf(message, sizeof message, "in: byte %zu: face 0: found -7, expected the index of a vertex, from 0",
             body + 49);
    kit_wrong_bytes(WEFT_MESH_PLY, k.bytes, k.n, message);
    k.n = 0;
    put_triangle(&k, "3", 1, 3, 2);
    put_text(&k, "more");
    snprintf(message, sizeof message, "in: byte %zu: found 4 more bytes, expected the end of the file", body + 49);
    kit_wrong_bytes(WEFT_MESH_PLY, k.bytes, k.n, message);
    k.n = 0;
    put_triangle(&k, "3", (float)(1e300 * 1e300), 3, 2);
    snprintf(message, sizeof message, "in: byte %zu: vertex 2: found inf, expected a finite number", body + 32);
    kit_wrong_bytes(WEFT_MESH_PLY, k.bytes, k.n, message);
}

/* Counts of a thousand billion in a few bytes are refused at once, without memory for them. */
static void ply_counts_beyond_the_file_are_refused(void **unused)
{
    (void)unused;
    file_kit k = {.n = 0};
    put_triangle(&k, "1000000000000", 1, 3, 2);
    char message[256];
    snprintf(message, sizeof message,
             "in: byte %zu: found 49 bytes, expected at least 12 for each of 1000000000000 items of element vertex",
             k.n - 49);
    kit_wrong_bytes(WEFT_MESH_PLY, k.bytes, k.n, message);
    kit_wrong(WEFT_MESH_PLY, HEAD "element nothing 999999999999999999\nelement vertex 5\n" XYZ "end_header\n",
              "in:9: found the end of the file, expected vertex 0 of 5");
}

/* ---- STL ---- */

static void stl_text_merges_equal_vertices(void **unused)
{
    (void)unused;
    weft_mesh m = kit_text(WEFT_MESH_STL, "solid two triangles\n facet normal 0 0 nan\n  outer loop\n   vertex 1 0 0\n"
                                          "   vertex 0 1 0\n   vertex 0 0 0\n  endloop\n endfacet\n"
                                          "FACET NORMAL 0 0 1 OUTER LOOP VERTEX 1 0 -0 VERTEX 1 1e0 0\nVERTEX -0 1 0\n"
                                          "ENDLOOP ENDFACET\nendsolid two triangles\nsolid\nendsolid\n");
    assert_true(m.was_stl);
    assert_int_equal(m.n_nodes, 4);
    kit_same_point(m.positions[0], 1, 0, 0);
    kit_same_point(m.positions[3], 1, 1, 0);
    kit_same_ints(m.corners, (int32_t[]){0, 1, 2, 0, 3, 1}, 6);
    kit_same_ints(m.face_line, (int32_t[]){2, 9}, 2);
    weft_mesh_free(&m);
}

static void put_stl(file_kit *k, const char *head, uint32_t n_says, uint32_t n, float z)
{
    put_text(k, head);
    while (k->n < 80)
        k->bytes[k->n++] = ' ';
    PUT(k, uint32_t, n_says);
    for (uint32_t t = 0; t < n; t++) {
        for (int i = 0; i < 3; i++)
            PUT(k, float, 0.0f);
        const float at[9] = {0, 0, z, 1, (float)t, 0, t ? -0.0f : 0.0f, 1, 0};
        for (int i = 0; i < 9; i++)
            put(k, &at[i], 4);
        PUT(k, uint16_t, 0xFFFF);
    }
}

static void stl_binary_may_begin_with_solid(void **unused)
{
    (void)unused;
    static const char *const heads[] = {"solid made by a program", "\x01\x02", ""};
    for (size_t i = 0; i < 3; i++) {
        file_kit k = {.n = 0};
        put_stl(&k, heads[i], 2, 2, 0.1f);
        weft_mesh m = kit_bytes(WEFT_MESH_STL, k.bytes, k.n);
        assert_int_equal(m.n_nodes, 4);
        kit_same_point(m.positions[0], 0, 0, (double)0.1f);
        kit_same_ints(m.corners, (int32_t[]){0, 1, 2, 0, 3, 2}, 6);
        assert_null(m.face_line);
        weft_mesh_free(&m);
    }
}

static void stl_mistakes_are_named(void **unused)
{
    (void)unused;
#define FACET "solid\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\n"
    static const char *const wrong[][2] = {
        {"", "in: found 0 bytes, expected \"solid\" or at least 84 bytes"},
        {"hello", "in: found 5 bytes, expected \"solid\" or at least 84 bytes"},
        {"solid\n", "in:2: found the end of the file, expected \"facet\" or \"endsolid\""},
        {"solid\nfoo\n", "in:2: found \"foo\", expected \"facet\" or \"endsolid\""},
        {"solid\nfacet 1 0 0\n", "in:2: found \"1\", expected \"normal\""},
        {"solid\nfacet normal 0 0", "in:2: found the end of the file, expected a component of a normal"},
        {FACET "vertex 1 nan 0\n", "in:5: found \"nan\", expected a coordinate of a vertex"},
        {FACET "vertex 1 0 0\nendloop\n", "in:6: found \"endloop\", expected \"vertex\""},
        {FACET "vertex 1 0 0\nvertex 0 1 0\nvertex 0 1 0\n", "in:7: found \"vertex\", expected \"endloop\""},
        {"solid\nendsolid\nfacet\n", "in:3: found \"facet\", expected \"solid\""},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        kit_wrong(WEFT_MESH_STL, wrong[i][0], wrong[i][1]);
    file_kit k = {.n = 0};
    put_stl(&k, "binary", 3, 2, 0);
    kit_wrong_bytes(WEFT_MESH_STL, k.bytes, k.n, "in: byte 80: found 3 triangles, which take 234 bytes, expected 184");
    k.n = 0;
    put_stl(&k, "binary", 2, 2, (float)(1e300 * 1e300));
    kit_wrong_bytes(WEFT_MESH_STL, k.bytes, k.n, "in: byte 96: face 0: found (0, 0, inf), expected finite numbers");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ply_reads_text),
        cmocka_unit_test(ply_reads_binary_of_both_orders_and_all_line_ends),
        cmocka_unit_test(ply_body_begins_right_after_the_head),
        cmocka_unit_test(ply_names_its_uv_in_three_ways),
        cmocka_unit_test(ply_of_points_alone_is_fine),
        cmocka_unit_test(ply_mistakes_in_the_head_are_named),
        cmocka_unit_test(ply_mistakes_in_text_are_named),
        cmocka_unit_test(ply_mistakes_in_binary_are_named),
        cmocka_unit_test(ply_counts_beyond_the_file_are_refused),
        cmocka_unit_test(stl_text_merges_equal_vertices),
        cmocka_unit_test(stl_binary_may_begin_with_solid),
        cmocka_unit_test(stl_mistakes_are_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
