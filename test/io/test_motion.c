/* SPDX-License-Identifier: MIT */
/* Points that move: PC2, MDD and sequences. */
#define _XOPEN_SOURCE 700
#include <math.h>
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

enum { FILES_MAX = 16 };

/* A folder, and the files a test put into it. */
typedef struct motion_kit {
    char folder[256], path[300];
    char files[FILES_MAX][300];
    int n_files;
    uint8_t bytes[1024];
    size_t n;
    bool is_big;
} motion_kit;

static int set_up(void **state)
{
    motion_kit *k = calloc(1, sizeof *k);
    assert_non_null(k);
    kit_make_folder(k->folder);
    *state = k;
    return 0;
}

static int tear_down(void **state)
{
    motion_kit *k = *state;
    for (int i = 0; i < k->n_files; i++)
        remove(k->files[i]);
    int gone = rmdir(k->folder);
    free(k);
    return gone;
}

static const char *in_folder(motion_kit *k, const char *name)
{
    snprintf(k->path, sizeof k->path, "%s/%s", k->folder, name);
    return k->path;
}

static void save(motion_kit *k, const char *name, const void *bytes, size_t n)
{
    kit_write(in_folder(k, name), bytes, n);
    assert_true(k->n_files < FILES_MAX);
    snprintf(k->files[k->n_files++], sizeof k->files[0], "%s", k->path);
}

static void put_int(motion_kit *k, int32_t value)
{
    for (int i = 0; i < 4; i++)
        k->bytes[k->n++] = (uint8_t)((uint32_t)value >> 8 * (k->is_big ? 3 - i : i));
}

static void put_float(motion_kit *k, float value)
{
    int32_t bits;
    memcpy(&bits, &value, sizeof bits);
    put_int(k, bits);
}

/* Point i of frame f. */
static weft_vec3 point_of(int f, int i)
{
    return (weft_vec3){f + 0.25, i - 2.0 * f, f * f};
}

static void put_frames(motion_kit *k, int n_frames, int n_points)
{
    for (int i = 0; i < n_frames * n_points; i++) {
        weft_vec3 p = point_of(i / n_points, i % n_points);
        put_float(k, (float)p.x);
        put_float(k, (float)p.y);
        put_float(k, (float)p.z);
    }
}

static void put_pc2(motion_kit *k, float start, float rate, int n_frames, int n_points)
{
    k->n = 12;
    k->is_big = false;
    memcpy(k->bytes, "POINTCACHE2", 12);
    put_int(k, 1);
    put_int(k, n_points);
    put_float(k, start);
    put_float(k, rate);
    put_int(k, n_frames);
    put_frames(k, n_frames, n_points);
}

static void put_mdd(motion_kit *k, const float *times, int n_frames, int n_points)
{
    k->n = 0;
    k->is_big = true;
    put_int(k, n_frames);
    put_int(k, n_points);
    for (int i = 0; i < n_frames; i++)
        put_float(k, times[i]);
    put_frames(k, n_frames, n_points);
}

static weft_motion *open_well(motion_kit *k, const char *name, double fps)
{
    weft_motion *m;
    weft_error e = {0};
    if (weft_motion_open(in_folder(k, name), fps, &m, &e) != WEFT_OK)
        fail_msg("%s", e.text);
    return m;
}

/* `message` is what follows the folder's name. */
static void open_wrong(motion_kit *k, const char *name, double fps, weft_result code, const char *message)
{
    weft_motion *m = (weft_motion *)k;
    weft_error e = {0};
    weft_result r = weft_motion_open(in_folder(k, name), fps, &m, &e);
    if (r != code || strncmp(e.text, k->folder, strlen(k->folder)) != 0 ||
        strcmp(e.text + strlen(k->folder) + 1, message) != 0)
        fail_msg("got %d: %s\nexpected %s", (int)r, e.text, message);
    assert_null(m);
}

/* The points at a time lie between those of two frames. */
static void sample_is(weft_motion *m, double time, int f, double between)
{
    weft_vec3 got[3];
    weft_error e = {0};
    int n = weft_motion_get_info(m).n_points;
    if (weft_motion_sample(m, time, got, n, &e) != WEFT_OK)
        fail_msg("%s", e.text);
    for (int i = 0; i < n; i++) {
        weft_vec3 a = point_of(f, i), b = point_of(f + 1, i);
        kit_same_point(got[i], a.x + between * (b.x - a.x), a.y + between * (b.y - a.y), a.z + between * (b.z - a.z));
    }
}

static void pc2_times_are_frames_over_fps(void **state)
{
    motion_kit *k = *state;
    put_pc2(k, 10, 2, 6, 3);
    save(k, "a.pc2", k->bytes, k->n);
    weft_motion *m = open_well(k, "a.pc2", 4);
    weft_motion_info info = weft_motion_get_info(m);
    assert_int_equal(info.n_points, 3);
    assert_int_equal(info.n_frames, 6);
    assert_true(info.start == 2.5 && info.duration == 2.5);
    sample_is(m, 2.5, 0, 0);
    sample_is(m, 3.5, 2, 0);
    sample_is(m, 3.625, 2, 0.25);
    sample_is(m, 4.875, 4, 0.75);
    weft_motion_close(m);
}

static void motion_stands_still_before_and_after(void **state)
{
    motion_kit *k = *state;
    put_pc2(k, 0, 1, 3, 2);
    save(k, "a.PC2", k->bytes, k->n);
    weft_motion *m = open_well(k, "a.PC2", 1);
    sample_is(m, -7, 0, 0);
    sample_is(m, 2, 2, 0);
    sample_is(m, 1e9, 2, 0);
    weft_motion_close(m);
    weft_motion_close(NULL);
}

/* More frames than are kept, in an order that reads each anew. */
static void frames_may_be_asked_for_in_any_order(void **state)
{
    motion_kit *k = *state;
    put_pc2(k, 0, 1, 12, 3);
    save(k, "a.pc2", k->bytes, k->n);
    weft_motion *m = open_well(k, "a.pc2", 1);
    for (int i = 0; i < 200; i++)
        sample_is(m, i * 7 % 12 + (i % 2 && i * 7 % 12 < 11 ? 0.5 : 0), i * 7 % 12, i % 2 && i * 7 % 12 < 11 ? 0.5 : 0);
    weft_motion_close(m);
}

static void mdd_has_times_of_its_own(void **state)
{
    motion_kit *k = *state;
    const float times[] = {0.5f, 0.75f, 0.75f, 2.75f};
    put_mdd(k, times, 4, 3);
    save(k, "a.mdd", k->bytes, k->n);
    weft_motion *m = open_well(k, "a.mdd", 0);
    weft_motion_info info = weft_motion_get_info(m);
    assert_int_equal(info.n_points, 3);
    assert_int_equal(info.n_frames, 4);
    assert_true(info.start == 0.5 && info.duration == 2.25);
    sample_is(m, 0, 0, 0);
    sample_is(m, 0.625, 0, 0.5);
    sample_is(m, 0.75, 2, 0); /* two frames at one time: a jump to the later */
    sample_is(m, 1.25, 2, 0.25);
    sample_is(m, 3, 3, 0);
    weft_motion_close(m);
}

static void wrong_pc2_is_refused(void **state)
{
    motion_kit *k = *state;
    put_pc2(k, 0, 1, 2, 3);
    save(k, "short.pc2", k->bytes, k->n - 1);
    open_wrong(k, "short.pc2", 25, WEFT_ERROR_FORMAT,
               "short.pc2: found 103 bytes, expected 32 and 12 for each of 3 points in each of 2 frames");
    save(k, "head.pc2", k->bytes, 31);
    open_wrong(k, "head.pc2", 25, WEFT_ERROR_FORMAT, "head.pc2: found 31 bytes, expected a head of 32");
    k->bytes[12] = 2;
    save(k, "version.pc2", k->bytes, k->n);
    open_wrong(k, "version.pc2", 25, WEFT_ERROR_FORMAT, "version.pc2: byte 12: found version 2, expected 1");
    k->bytes[0] = 'Q';
    save(k, "magic.pc2", k->bytes, k->n);
    open_wrong(k, "magic.pc2", 25, WEFT_ERROR_FORMAT,
               "magic.pc2: byte 0: found something else, expected \"POINTCACHE2\"");
    put_pc2(k, 0, 0, 2, 3);
    save(k, "rate.pc2", k->bytes, k->n);
    open_wrong(k, "rate.pc2", 25, WEFT_ERROR_FORMAT,
               "rate.pc2: byte 24: found 0 frames a sample, expected more than 0");
    open_wrong(k, "rate.pc2", 0, WEFT_ERROR_ARGUMENT, "rate.pc2: found 0 frames a second, expected more than 0");
    put_pc2(k, 0, 1, 0, 3);
    save(k, "none.pc2", k->bytes, k->n);
    open_wrong(k, "none.pc2", 25, WEFT_ERROR_FORMAT, "none.pc2: byte 28: found 0 frames, expected at least 1");
    put_pc2(k, 0, 1, 0, 0);
    k->n = 16;
    put_int(k, INT32_MAX);
    k->n = 28;
    put_int(k, INT32_MAX);
    save(k, "huge.pc2", k->bytes, k->n);
    open_wrong(
        k, "huge.pc2", 25, WEFT_ERROR_FORMAT,
        "huge.pc2: found 32 bytes, expected 32 and 12 for each of 2147483647 points in each of 2147483647 frames");
    open_wrong(k, "absent.pc2", 25, WEFT_ERROR_FILE, "absent.pc2: No such file or directory");
}

static void wrong_mdd_is_refused(void **state)
{
    motion_kit *k = *state;
    const float back[] = {0, 2, 1};
    put_mdd(k, back, 3, 2);
    save(k, "back.mdd", k->bytes, k->n);
    open_wrong(k, "back.mdd", 25, WEFT_ERROR_FORMAT,
               "back.mdd: byte 16: frame 2: found time 1, expected one not before that of the last frame");
    save(k, "short.mdd", k->bytes, 40);
    open_wrong(k, "short.mdd", 25, WEFT_ERROR_FORMAT,
               "short.mdd: found 40 bytes, expected 20 and 12 for each of 2 points in each of 3 frames");
    put_mdd(k, back, 0, 2);
    save(k, "none.mdd", k->bytes, k->n);
    open_wrong(k, "none.mdd", 25, WEFT_ERROR_FORMAT,
               "none.mdd: byte 0: found 0 frames of 2 points, expected at least 1 of each");
}

static void wrong_frames_are_told_when_read(void **state)
{
    motion_kit *k = *state;
    put_pc2(k, 0, 1, 3, 2);
    k->n = 32 + 24 + 12 + 4;
    put_float(k, NAN);
    save(k, "a.pc2", k->bytes, 32 + 72);
    weft_motion *m = open_well(k, "a.pc2", 1);
    weft_vec3 got[2];
    weft_error e = {0};
    sample_is(m, 0, 0, 0);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(weft_motion_sample(m, 0.5, got, 2, &e), WEFT_ERROR_FORMAT);
        assert_string_equal(e.text + strlen(k->path),
                            ": byte 68: frame 1: point 1: found (1.25, nan, 1), expected finite numbers");
    }
    sample_is(m, 2, 2, 0);
    assert_int_equal(weft_motion_sample(m, 0, got, 1, &e), WEFT_ERROR_ARGUMENT);
    assert_string_equal(e.text + strlen(k->path), ": found 2 points, expected 1");
    assert_int_equal(weft_motion_sample(m, (double)NAN, got, 2, &e), WEFT_ERROR_ARGUMENT);
    weft_motion_close(m);
}

/* ---- sequences ---- */

static void save_obj(motion_kit *k, const char *name, int frame, int n_points)
{
    char text[512];
    int n = 0;
    for (int i = 0; i < n_points; i++) {
        weft_vec3 p = point_of(frame, i);
        n += snprintf(text + n, sizeof text - (size_t)n, "v %g %g %g\n", p.x, p.y, p.z);
    }
    save(k, name, text, (size_t)n);
}

static void sequence_takes_the_numbers_there_are(void **state)
{
    motion_kit *k = *state;
    const char *const names[] = {"a_0100.obj", "a_0098.obj", "a_0099.obj"};
    save_obj(k, names[0], 2, 3);
    save_obj(k, names[1], 0, 3);
    save_obj(k, names[2], 1, 3);
    save_obj(k, "b_0001.obj", 5, 3);
    save_obj(k, "a_12.obj", 5, 3);
    save_obj(k, "a_0x12.obj", 5, 3);
    save_obj(k, "a_0000.obj.old", 5, 3);
    weft_motion *m = open_well(k, "a_####.obj", 2);
    weft_motion_info info = weft_motion_get_info(m);
    assert_int_equal(info.n_points, 3);
    assert_int_equal(info.n_frames, 3);
    assert_true(info.start == 49 && info.duration == 1);
    sample_is(m, 0, 0, 0);
    sample_is(m, 49.125, 0, 0.25);
    sample_is(m, 49.5, 1, 0);
    sample_is(m, 60, 2, 0);
    weft_motion_close(m);
}

static void sequence_numbers_may_be_longer_than_the_marks(void **state)
{
    motion_kit *k = *state;
    save_obj(k, "9a.obj", 0, 2);
    save_obj(k, "10a.obj", 1, 2);
    save_obj(k, "011a.obj", 2, 2);
    weft_motion *m = open_well(k, "#a.obj", 1);
    assert_int_equal(weft_motion_get_info(m).n_frames, 3);
    sample_is(m, 10.5, 1, 0.5);
    weft_motion_close(m);
}

static void a_gap_in_a_sequence_is_named(void **state)
{
    motion_kit *k = *state;
    save_obj(k, "a_001.obj", 0, 2);
    save_obj(k, "a_002.obj", 1, 2);
    save_obj(k, "a_005.obj", 2, 2);
    char message[400];
    snprintf(message, sizeof message, "a_003.obj: missing; the sequence goes on with %s/a_005.obj", k->folder);
    open_wrong(k, "a_###.obj", 25, WEFT_ERROR_FILE, message);
}

static void wrong_sequences_are_refused(void **state)
{
    motion_kit *k = *state;
    open_wrong(k, "a.obj", 25, WEFT_ERROR_ARGUMENT, "a.obj: found no #, expected a sequence as name_####.obj");
    open_wrong(k, "a.abc", 25, WEFT_ERROR_ARGUMENT,
               "a.abc: found the ending \"abc\", expected pc2, mdd, or name_####.obj");
    open_wrong(k, "a_##.obj", 25, WEFT_ERROR_FILE, "a_##.obj: found no file of this pattern, expected at least one");
    save_obj(k, "a_01.obj", 0, 2);
    save_obj(k, "a_001.obj", 0, 2);
    char message[400];
    snprintf(message, sizeof message, "a_001.obj: found number 1 again in %s/a_01.obj, expected one file a number",
             k->folder);
    open_wrong(k, "a_##.obj", 25, WEFT_ERROR_FILE, message);
    save(k, "b_1.obj", "f 1 2 3\n", 8);
    open_wrong(k, "b_#.obj", 25, WEFT_ERROR_FORMAT, "b_1.obj:1: found vertex 1, expected none, for the file has none");
    open_wrong(k, "no/such/folder_#.obj", 25, WEFT_ERROR_FILE, "no/such/: No such file or directory");
}

static void a_frame_of_another_size_is_named(void **state)
{
    motion_kit *k = *state;
    save_obj(k, "a_1.obj", 0, 3);
    save_obj(k, "a_2.obj", 1, 2);
    weft_motion *m = open_well(k, "a_#.obj", 1);
    weft_vec3 got[3];
    weft_error e = {0};
    assert_int_equal(weft_motion_sample(m, 2, got, 3, &e), WEFT_ERROR_FORMAT);
    char message[700];
    snprintf(message, sizeof message, "%s/a_2.obj: found 2 vertices, expected 3 as in %s/a_1.obj", k->folder,
             k->folder);
    assert_string_equal(e.text, message);
    sample_is(m, 1, 0, 0);
    weft_motion_close(m);
}

/* Times of a MDD need not be even, so a frame is asked for by its number. */
static void frames_are_read_as_they_are_in_the_file(void **state)
{
    motion_kit *k = *state;
    const float times[] = {0.5f, 0.5625f, 2.0f};
    weft_vec3 x[2];
    weft_error e = {0};
    put_mdd(k, times, 3, 2);
    save(k, "a.mdd", k->bytes, k->n);
    weft_motion *m = open_well(k, "a.mdd", 24);
    for (int f = 2; f >= 0; f--) {
        double time = 0;
        assert_int_equal(weft_motion_read_frame(m, f, &time, x, 2, &e), WEFT_OK);
        assert_true(time == (double)times[f]);
        for (int i = 0; i < 2; i++)
            kit_same_point(x[i], point_of(f, i).x, point_of(f, i).y, point_of(f, i).z);
    }
    assert_int_equal(weft_motion_read_frame(m, 3, NULL, x, 2, &e), WEFT_ERROR_ARGUMENT);
    assert_int_equal(weft_motion_read_frame(m, 0, NULL, x, 1, &e), WEFT_ERROR_ARGUMENT);
    assert_null(weft_motion_file(m, 0));
    weft_motion_close(m);
}

int main(void)
{
#define TEST(claim) cmocka_unit_test_setup_teardown(claim, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(pc2_times_are_frames_over_fps),
        TEST(motion_stands_still_before_and_after),
        TEST(frames_may_be_asked_for_in_any_order),
        TEST(mdd_has_times_of_its_own),
        TEST(frames_are_read_as_they_are_in_the_file),
        TEST(wrong_pc2_is_refused),
        TEST(wrong_mdd_is_refused),
        TEST(wrong_frames_are_told_when_read),
        TEST(sequence_takes_the_numbers_there_are),
        TEST(sequence_numbers_may_be_longer_than_the_marks),
        TEST(a_gap_in_a_sequence_is_named),
        TEST(wrong_sequences_are_refused),
        TEST(a_frame_of_another_size_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
