/* SPDX-License-Identifier: MIT */
/* What weft_export promises for every format, and the formats that the library reads back itself. */
#define _XOPEN_SOURCE 700
#include <math.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include <cmocka.h>

#include "io/export_kit.h"
#include "io/file.h"

#include <weft/io/mesh.h>

static const char *const names[] = {"out.obj", "out.ply", "out.pc2", "out.mdd", "out.glb", "out.usda", "out.npz"};

static bool is_sequence(int32_t format)
{
    return format == WEFT_EXPORT_OBJ || format == WEFT_EXPORT_PLY;
}

static bool has_obj_beside(int32_t format)
{
    return format == WEFT_EXPORT_PC2 || format == WEFT_EXPORT_MDD;
}

static void export_well(export_kit *kit, const weft_export_def *d, weft_export_result *r)
{
    weft_error e = {0};
    weft_export_result own;
    if (weft_export(kit->cache, d, r ? r : &own, &e) != WEFT_OK)
        fail_msg("%s", e.text);
}

static void expect_fault(export_kit *kit, const weft_export_def *d, weft_result code, const char *part)
{
    weft_error e = {0};
    weft_result r = weft_export(kit->cache, d, NULL, &e);
    if (r != code || e.code != code || !strstr(e.text, part))
        fail_msg("expected %d and \"%s\", got %d: %s", (int)code, part, (int)r, e.text);
}

static uint32_t bits(float x)
{
    uint32_t b;
    memcpy(&b, &x, sizeof b);
    return b;
}

static void assert_same_point(weft_vec3 a, weft_vec3 b)
{
    assert_memory_equal(&a, &b, sizeof a);
}

/* ---- every format ------------------------------------------------------------------------------------------------ */

static void formats_have_names(void **state)
{
    (void)state;
    assert_int_equal(weft_export_format_count(), 7);
    for (int32_t i = 0; i < 7; i++) {
        assert_string_equal(weft_export_format_name(i), names[i] + 4);
        assert_true(strlen(weft_export_format_about(i)) > 20);
    }
    assert_null(weft_export_format_name(7));
    assert_null(weft_export_format_name(-1));
    assert_null(weft_export_format_about(7));
}

static void every_format_writes_its_files_and_no_others(void **state)
{
    (void)state;
    for (int32_t format = 0; format < 7; format++) {
        export_kit kit;
        export_kit_make(&kit, false);
        weft_export_result r;
        weft_export_def d = export_kit_def(&kit, (weft_export_format)format, names[format]);
        export_well(&kit, &d, &r);
        int n = is_sequence(format) ? KIT_FRAMES : has_obj_beside(format) ? 2 : 1;
        assert_int_equal(r.n_files, n);
        assert_int_equal(r.n_frames, KIT_FRAMES);
        assert_int_equal(export_kit_count_files(&kit), n);
        FILE *f = fopen(r.last, "rb");
        assert_non_null(f);
        fclose(f);
        export_kit_free(&kit);
    }
}

static void the_same_run_gives_the_same_bytes(void **state)
{
    (void)state;
    export_kit kit;
    export_kit_make(&kit, false);
    for (int32_t format = 0; format < 7; format++) {
        char *a, *b;
        size_t n_a, n_b;
        weft_export_result r;
        weft_export_def d = export_kit_def(&kit, (weft_export_format)format, names[format]);
        d.force = true;
        export_well(&kit, &d, &r);
        assert_int_equal(file_read(r.last, &a, &n_a, NULL), WEFT_OK);
        export_well(&kit, &d, &r);
        assert_int_equal(file_read(r.last, &b, &n_b, NULL), WEFT_OK);
        assert_int_equal(n_a, n_b);
        assert_memory_equal(a, b, n_a);
        free(a);
        free(b);
    }
    export_kit_free(&kit);
}

static void nothing_is_overwritten_without_force(void **state)
{
    (void)state;
    for (int32_t format = 0; format < 7; format++) {
        export_kit kit;
        export_kit_make(&kit, false);
        const char *there =
            is_sequence(format) ? (format == WEFT_EXPORT_OBJ ? "out_0003.obj" : "out_0003.ply") : names[format];
        assert_int_equal(file_write(export_kit_path(&kit, there), "mine", 4, false, NULL), WEFT_OK);
        weft_export_def d = export_kit_def(&kit, (weft_export_format)format, names[format]);
        expect_fault(&kit, &d, WEFT_ERROR_EXISTS, there);
        assert_int_equal(export_kit_count_files(&kit), 1); /* not even the frames before it */
        d.force = true;
        export_well(&kit, &d, NULL);
        char *bytes;
        size_t n;
        assert_int_equal(file_read(export_kit_path(&kit, there), &bytes, &n, NULL), WEFT_OK);
        assert_true(n > 4);
        free(bytes);
        export_kit_free(&kit);
    }
}

static bool stop_at_two(void *user, int32_t done, int32_t n)
{
    assert_int_equal(n, KIT_FRAMES);
    *(int32_t *)user = done;
    return done < 2;
}

static void a_stopped_export_leaves_no_half_file(void **state)
{
    (void)state;
    for (int32_t format = 0; format < 7; format++) {
        export_kit kit;
        export_kit_make(&kit, false);
        int32_t done = 0;
        weft_export_def d = export_kit_def(&kit, (weft_export_format)format, names[format]);
        d.progress = stop_at_two;
        d.progress_user = &done;
        expect_fault(&kit, &d, WEFT_ERROR_CANCELLED, "2 of 5 frames");
        assert_int_equal(done, 2);
        assert_int_equal(export_kit_count_files(&kit), is_sequence(format) ? 2 : 0);
        export_kit_free(&kit);
    }
}

/* A limit on the size of files is as good as a full disk. */
static void a_full_disk_leaves_no_half_file(void **state)
{
    (void)state;
    struct rlimit before, small;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    signal(SIGXFSZ, SIG_IGN);
    small = (struct rlimit){.rlim_cur = 300, .rlim_max = before.rlim_max};
    for (int32_t format = 0; format < 7; format++) {
        export_kit kit;
        export_kit_make(&kit, false);
        weft_export_def d = export_kit_def(&kit, (weft_export_format)format, names[format]);
        weft_error e = {0};
        assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
        weft_result r = weft_export(kit.cache, &d, NULL, &e);
        assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
        assert_int_equal(r, WEFT_ERROR_FILE);
        assert_non_null(strstr(e.text, "/out"));
        assert_int_equal(export_kit_count_files(&kit), 0);
        export_kit_free(&kit);
    }
}

static void a_changing_mesh_needs_a_format_that_holds_it(void **state)
{
    (void)state;
    for (int32_t format = 0; format < 7; format++) {
        export_kit kit;
        export_kit_make(&kit, true);
        weft_export_def d = export_kit_def(&kit, (weft_export_format)format, names[format]);
        bool fits = is_sequence(format) || format == WEFT_EXPORT_USDA;
        if (fits) {
            export_well(&kit, &d, NULL);
        } else {
            expect_fault(&kit, &d, WEFT_ERROR_ARGUMENT, "changes at frame 2");
            expect_fault(&kit, &d, WEFT_ERROR_ARGUMENT, "obj, ply or usda");
            assert_int_equal(export_kit_count_files(&kit), 0);
            d.from = KIT_CHANGE;
            export_well(&kit, &d, NULL);
        }
        export_kit_free(&kit);
    }
}

static void wrong_requests_get_clear_answers(void **state)
{
    (void)state;
    export_kit kit;
    export_kit_make(&kit, false);
    const weft_export_def good = export_kit_def(&kit, WEFT_EXPORT_PC2, "out.pc2");
#define WRONG(change, code, text)                                                                                      \
    do {                                                                                                               \
        weft_export_def d = good;                                                                                      \
        d.change;                                                                                                      \
        expect_fault(&kit, &d, code, text);                                                                            \
    } while (0)
    WRONG(struct_size = 4, WEFT_ERROR_STRUCT_SIZE, "struct_size");
    WRONG(format = (weft_export_format)7, WEFT_ERROR_RANGE, "format 7");
    WRONG(path = NULL, WEFT_ERROR_ARGUMENT, "no path");
    WRONG(path = "", WEFT_ERROR_ARGUMENT, "no path");
    WRONG(path = "out.obj", WEFT_ERROR_ARGUMENT, "ends in .pc2");
    WRONG(path = "a.pc2/out", WEFT_ERROR_ARGUMENT, "ends in .pc2");
    WRONG(path = "/nowhere/at/all/out.pc2", WEFT_ERROR_FILE, "/nowhere/at/all/out.pc2: No such file");
    WRONG(cloth = 2, WEFT_ERROR_INDEX, "the run has 2");
    WRONG(cloth = -2, WEFT_ERROR_INDEX, "cloth -2");
    WRONG(from = 5, WEFT_ERROR_RANGE, "frames 0 to 4");
    WRONG(from = -1, WEFT_ERROR_RANGE, "frame -1");
    WRONG(to = 5, WEFT_ERROR_RANGE, "expected 0 to 4");
    WRONG(every = 0, WEFT_ERROR_RANGE, "every 0");
    WRONG(axes = (weft_axes)2, WEFT_ERROR_RANGE, "axes 2");
    WRONG(scale = 0, WEFT_ERROR_RANGE, "scale 0");
    WRONG(scale = 1.0 / 0.0, WEFT_ERROR_RANGE, "scale inf");
    WRONG(fps = -1, WEFT_ERROR_RANGE, "fps -1");
    WRONG(fps = 0.0 / 0.0, WEFT_ERROR_RANGE, "nan");
#undef WRONG
    assert_int_equal(export_kit_count_files(&kit), 0);
    assert_int_equal(weft_export(NULL, &good, NULL, NULL), WEFT_ERROR_ARGUMENT);
    assert_int_equal(weft_export(kit.cache, NULL, NULL, NULL), WEFT_ERROR_ARGUMENT);
    export_kit_free(&kit);
}

/* ---- OBJ and PLY ------------------------------------------------------------------------------------------------- */

static void read_mesh(export_kit *kit, const char *name, weft_mesh *m)
{
    weft_error e = {0};
    if (weft_mesh_read(export_kit_path(kit, name), m, &e) < 0)
        fail_msg("%s", e.text);
}

/* Cloths in order, nodes of each in order, all bits. */
static void assert_points_of_frame(const weft_mesh *m, int32_t frame)
{
    assert_int_equal(m->n_nodes, KIT_NODES);
    for (int32_t vi = 0; vi < KIT_NODES; vi++) {
        int32_t cloth = vi < KIT_SHEET_NODES ? KIT_SHEET : KIT_PATCH;
        assert_same_point(m->positions[vi],
                          export_kit_point(frame, cloth, vi - (cloth == KIT_PATCH ? KIT_SHEET_NODES : 0)));
    }
}

static void assert_faces_joined(const weft_mesh *m)
{
    static const int32_t patch[12] = {0, 1, 2, 3, 4, 0, 4, 5, 6, 4, 3, 5};
    assert_int_equal(m->n_faces, 15);
    assert_int_equal(m->face_start[15], 60);
    assert_int_equal(m->corners[0], 0);
    assert_int_equal(m->corners[2], 6);
    for (int32_t c = 0; c < 12; c++)
        assert_int_equal(m->corners[48 + c], KIT_SHEET_NODES + patch[c]);
}

static void obj_keeps_order_bits_uv_and_names(void **state)
{
    (void)state;
    export_kit kit;
    export_kit_make(&kit, false);
    weft_export_def d = export_kit_def(&kit, WEFT_EXPORT_OBJ, "out.obj");
    weft_export_result r;
    weft_mesh m;
    export_well(&kit, &d, &r);
    assert_non_null(strstr(r.first, "/out_0000.obj"));
    assert_non_null(strstr(r.last, "/out_0004.obj"));
    read_mesh(&kit, "out_0003.obj", &m);
    assert_points_of_frame(&m, 3);
    assert_faces_joined(&m);
    assert_int_equal(m.n_uv, KIT_SHEET_NODES + 12);
    assert_int_equal(m.corner_uv[2], 6);
    for (int32_t c = 0; c < 12; c++)
        assert_int_equal(m.corner_uv[48 + c], KIT_SHEET_NODES + 11 - c);
    assert_true(m.uv[KIT_SHEET_NODES + 5].u == 5 / 11.0);
    assert_int_equal(m.n_groups, 2);
    assert_string_equal(m.group_names[0], "sheet");
    assert_string_equal(m.group_names[1], "patch_\"2\"");
    assert_int_equal(m.face_group[11], 0);
    assert_int_equal(m.face_group[12], 1);
    weft_mesh_free(&m);
    export_kit_free(&kit);
}

static void ply_keeps_order_and_bits(void **state)
{
    (void)state;
    export_kit kit;
    export_kit_make(&kit, false);
    weft_export_def d = export_kit_def(&kit, WEFT_EXPORT_PLY, "out.ply");
    weft_mesh m;
    export_well(&kit, &d, NULL);
    read_mesh(&kit, "out_0004.ply", &m);
    assert_points_of_frame(&m, 4);
    assert_faces_joined(&m);
    weft_mesh_free(&m);
    export_kit_free(&kit);
}

static void triangles_carry_the_uv_of_their_polygons(void **state)
{
    (void)state;
    export_kit kit;
    export_kit_make(&kit, false);
    weft_export_def d = export_kit_def(&kit, WEFT_EXPORT_OBJ, "out.obj");
    weft_mesh m;
    d.as_triangles = true;
    d.cloth = KIT_PATCH;
    d.to = 0;
    export_well(&kit, &d, NULL);
    read_mesh(&kit, "out_0000.obj", &m);
    /* Pentagon 0 1 2 3 4, quad 0 4 5 6 and triangle 4 3 5, each cut from its first corner. */
    static const int32_t nodes[18] = {0, 1, 2, 0, 2, 3, 0, 3, 4, 0, 4, 5, 0, 5, 6, 4, 3, 5};
    static const int32_t uv[18] = {11, 10, 9, 11, 9, 8, 11, 8, 7, 6, 5, 4, 6, 4, 3, 2, 1, 0};
    assert_int_equal(m.n_nodes, KIT_PATCH_NODES);
    assert_int_equal(m.n_faces, 6);
    for (int32_t c = 0; c < 18; c++) {
        assert_int_equal(m.corners[c], nodes[c]);
        assert_int_equal(m.corner_uv[c], uv[c]);
    }
    weft_mesh_free(&m);
    export_kit_free(&kit);
}

static void a_changing_mesh_goes_out_frame_by_frame(void **state)
{
    (void)state;
    export_kit kit;
    export_kit_make(&kit, true);
    weft_export_def d = export_kit_def(&kit, WEFT_EXPORT_OBJ, "out.obj");
    d.cloth = KIT_SHEET;
    export_well(&kit, &d, NULL);
    for (int32_t frame = 0; frame < KIT_FRAMES; frame++) {
        char name[32];
        weft_mesh m;
        snprintf(name, sizeof name, "out_%04d.obj", frame);
        read_mesh(&kit, name, &m);
        assert_int_equal(m.n_nodes, export_kit_nodes(&kit, frame, KIT_SHEET));
        assert_int_equal(m.n_faces, frame < KIT_CHANGE ? 12 : 4);
        assert_same_point(m.positions[8], export_kit_point(frame, KIT_SHEET, 8));
        weft_mesh_free(&m);
    }
    export_kit_free(&kit);
}

static void axes_scale_and_frames_are_as_asked_for(void **state)
{
    (void)state;
    export_kit kit;
    export_kit_make(&kit, false);
    weft_export_def d = export_kit_def(&kit, WEFT_EXPORT_OBJ, "out.obj");
    weft_export_result r;
    weft_mesh m;
    d.axes = WEFT_AXES_Z_UP;
    d.scale = 100;
    d.from = 1;
    d.every = 3;
    d.cloth = KIT_PATCH;
    export_well(&kit, &d, &r);
    assert_int_equal(r.n_frames, 2);
    assert_int_equal(export_kit_count_files(&kit), 2);
    read_mesh(&kit, "out_0004.obj", &m);
    for (int32_t vi = 0; vi < KIT_PATCH_NODES; vi++) {
        weft_vec3 x = export_kit_point(4, KIT_PATCH, vi);
        assert_same_point(m.positions[vi], (weft_vec3){100 * x.x, 0 - 100 * x.z, 100 * x.y});
    }
    weft_mesh_free(&m);
    export_kit_free(&kit);
}

/* ---- point caches ------------------------------------------------------------------------------------------------ */

static uint32_t take_u32(const char *bytes, size_t at, bool is_big)
{
    const unsigned char *b = (const unsigned char *)bytes + at;
    return is_big ? (uint32_t)b[0] << 24 | (uint32_t)b[1] << 16 | (uint32_t)b[2] << 8 | b[3]
                  : (uint32_t)b[3] << 24 | (uint32_t)b[2] << 16 | (uint32_t)b[1] << 8 | b[0];
}

static void assert_floats(const char *bytes, size_t at, bool is_big)
{
    for (int32_t frame = 0; frame < KIT_FRAMES; frame++)
        for (int32_t vi = 0; vi < KIT_NODES; vi++) {
            bool in_patch = vi >= KIT_SHEET_NODES;
            weft_vec3 x = export_kit_point(frame, in_patch, in_patch ? vi - KIT_SHEET_NODES : vi);
            assert_int_equal(take_u32(bytes, at, is_big), bits((float)x.x));
            assert_int_equal(take_u32(bytes, at + 4, is_big), bits((float)x.y));
            assert_int_equal(take_u32(bytes, at + 8, is_big), bits((float)x.z));
            at += 12;
        }
}

static void pc2_is_written_to_the_byte(void **state)
{
    (void)state;
    export_kit kit;
    export_kit_make(&kit, false);
    weft_export_def d = export_kit_def(&kit, WEFT_EXPORT_PC2, "out.pc2");
    char *b;
    size_t n;
    export_well(&kit, &d, NULL);
    assert_int_equal(file_read(export_kit_path(&kit, "out.pc2"), &b, &n, NULL), WEFT_OK);
    assert_int_equal(n, 32 + 12 * KIT_NODES * KIT_FRAMES);
    assert_memory_equal(b, "POINTCACHE2", 12);
    assert_int_equal(take_u32(b, 12, false), 1);
    assert_int_equal(take_u32(b, 16, false), KIT_NODES);
    assert_int_equal(take_u32(b, 20, false), bits(0));
    assert_int_equal(take_u32(b, 24, false), bits(1));
    assert_int_equal(take_u32(b, 28, false), KIT_FRAMES);
    assert_floats(b, 32, false);
    free(b);
    export_kit_free(&kit);
}

static void mdd_is_written_to_the_byte(void **state)
{
    (void)state;
    export_kit kit;
    export_kit_make(&kit, false);
    weft_export_def d = export_kit_def(&kit, WEFT_EXPORT_MDD, "out.mdd");
    char *b;
    size_t n;
    d.fps = 24;
    export_well(&kit, &d, NULL);
    assert_int_equal(file_read(export_kit_path(&kit, "out.mdd"), &b, &n, NULL), WEFT_OK);
    assert_int_equal(n, 8 + 4 * KIT_FRAMES + 12 * KIT_NODES * KIT_FRAMES);
    assert_int_equal(take_u32(b, 0, true), KIT_FRAMES);
    assert_int_equal(take_u32(b, 4, true), KIT_NODES);
    for (int32_t i = 0; i < KIT_FRAMES; i++)
        assert_int_equal(take_u32(b, 8 + 4 * (size_t)i, true), bits((float)(i / 24.0)));
    assert_floats(b, 8 + 4 * KIT_FRAMES, true);
    free(b);
    export_kit_free(&kit);
}

/* As a float. By way of memory: gcc 12 at -O2 drops both conversions where it finds them side by side in a struct. */
static double rounded(double x)
{
    volatile float f = (float)x;
    return (double)f;
}

static void point_caches_are_read_back_as_motion(void **state)
{
    (void)state;
    static const char *const files[] = {"out.pc2", "out.mdd", "out_####.obj"};
    static const weft_export_format format[] = {WEFT_EXPORT_PC2, WEFT_EXPORT_MDD, WEFT_EXPORT_OBJ};
    export_kit kit;
    export_kit_make(&kit, false);
    for (int k = 0; k < 3; k++) {
        weft_export_def d = export_kit_def(&kit, format[k], k == 2 ? "out.obj" : files[k]);
        weft_motion *motion;
        weft_error e = {0};
        weft_vec3 x[KIT_NODES];
        export_well(&kit, &d, NULL);
        if (weft_motion_open(export_kit_path(&kit, files[k]), 30, &motion, &e) < 0)
            fail_msg("%s", e.text);
        weft_motion_info info = weft_motion_get_info(motion);
        assert_int_equal(info.n_frames, KIT_FRAMES);
        assert_int_equal(info.n_points, KIT_NODES);
        assert_true(fabs(info.duration - 4 / 30.0) < 1e-8); /* a float's rounding: 0.13 · 2⁻²⁴ */
        assert_int_equal(weft_motion_sample(motion, 100, x, KIT_NODES, &e), WEFT_OK);
        weft_vec3 last = export_kit_point(4, KIT_PATCH, 6);
        if (k < 2)
            last = (weft_vec3){rounded(last.x), rounded(last.y), rounded(last.z)};
        assert_same_point(x[KIT_NODES - 1], last);
        weft_motion_close(motion);
    }
    export_kit_free(&kit);
}

/* PC2 and MDD of one run share it; another file of that name is not touched. */
static void the_obj_beside_has_the_order_of_the_cache(void **state)
{
    (void)state;
    export_kit kit;
    export_kit_make(&kit, false);
    weft_export_def d = export_kit_def(&kit, WEFT_EXPORT_PC2, "out.pc2");
    weft_export_result r;
    weft_mesh m;
    d.from = 1;
    export_well(&kit, &d, &r);
    assert_int_equal(r.n_files, 2);
    read_mesh(&kit, "out.obj", &m);
    assert_points_of_frame(&m, 1);
    assert_faces_joined(&m);
    assert_int_equal(m.n_groups, 1); /* one object: programs would split it else */
    weft_mesh_free(&m);

    d = export_kit_def(&kit, WEFT_EXPORT_MDD, "out.mdd");
    d.from = 1;
    export_well(&kit, &d, &r);
    assert_int_equal(r.n_files, 1);
    remove(export_kit_path(&kit, "out.mdd"));
    d.from = 2;
    expect_fault(&kit, &d, WEFT_ERROR_EXISTS, "out.obj");
    assert_int_equal(export_kit_count_files(&kit), 2);
    export_kit_free(&kit);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(formats_have_names),
        cmocka_unit_test(every_format_writes_its_files_and_no_others),
        cmocka_unit_test(the_same_run_gives_the_same_bytes),
        cmocka_unit_test(nothing_is_overwritten_without_force),
        cmocka_unit_test(a_stopped_export_leaves_no_half_file),
        cmocka_unit_test(a_full_disk_leaves_no_half_file),
        cmocka_unit_test(a_changing_mesh_needs_a_format_that_holds_it),
        cmocka_unit_test(wrong_requests_get_clear_answers),
        cmocka_unit_test(obj_keeps_order_bits_uv_and_names),
        cmocka_unit_test(ply_keeps_order_and_bits),
        cmocka_unit_test(triangles_carry_the_uv_of_their_polygons),
        cmocka_unit_test(a_changing_mesh_goes_out_frame_by_frame),
        cmocka_unit_test(axes_scale_and_frames_are_as_asked_for),
        cmocka_unit_test(pc2_is_written_to_the_byte),
        cmocka_unit_test(mdd_is_written_to_the_byte),
        cmocka_unit_test(point_caches_are_read_back_as_motion),
        cmocka_unit_test(the_obj_beside_has_the_order_of_the_cache),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
