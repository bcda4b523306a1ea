/* SPDX-License-Identifier: MIT */
/* The cache: everything comes back bit for bit, and whatever happens to the file, what is read is right or refused. */
#define _POSIX_C_SOURCE 200809L
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
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "io/cache/cache_chunk.h"
#include "io/file.h"

#include <weft/io/cache.h>

/* ---- a small run: a grid, and a strip that gets finer at frame 3 ------------------------------------------------ */

enum { N_FRAMES = 7, FINER = 3, N_GRID = 20, N_STRIP = 4, N_STRIP_FINE = 5, SNAPSHOT = 203 };

static const int32_t grid_triangles[] = {0, 1, 6, 0, 6, 5, 1, 2, 7, 1, 7, 6, 5, 6, 11, 5, 11, 10};
static const int32_t grid_starts[] = {0, 4, 8, 11}, grid_corners[] = {0, 1, 6, 5, 1, 2, 7, 6, 5, 6, 11};
static const int32_t grid_corner_uv[] = {0, 1, 2, 0, 1, 2, -1, -1, 2, 1, 0};
static const weft_vec2 grid_uv[] = {{0, 0}, {0.1, 0}, {1.0 / 3, 1}};
static const double grid_rest[] = {0.1, 0.1, 0, 0, 0.1, 0.1, 0.1, 0.1, 0, 0, 0.1, 0.1, 0.1, 0.1, 0, 0, 0.1, 0.1};
static const uint8_t strip_levels[] = {0, 1, 1};
static const int32_t strip_triangles[] = {0, 1, 2, 1, 3, 2, 3, 4, 2};
static const char *const cloth_names[] = {"sheet", "strip"}, *const column_names[] = {"nodes", "stretch"};

static weft_topology topology_at(int32_t frame, int32_t cloth)
{
    if (cloth == 0)
        return (weft_topology){.revision = 1,
                               .n_nodes = N_GRID,
                               .n_triangles = 6,
                               .triangles = grid_triangles,
                               .rest_lengths = grid_rest,
                               .n_faces = 3,
                               .face_start = grid_starts,
                               .corners = grid_corners,
                               .n_uv = 3,
                               .uv = grid_uv,
                               .corner_uv = grid_corner_uv};
    bool fine = frame >= FINER;
    return (weft_topology){.cloth = 1,
                           .revision = fine ? 5 : 1,
                           .n_nodes = fine ? N_STRIP_FINE : N_STRIP,
                           .n_triangles = fine ? 3 : 2,
                           .triangles = strip_triangles,
                           .levels = fine ? strip_levels : NULL};
}

static double coordinate(int32_t frame, int32_t cloth, int32_t node, int axis)
{
    static const double odd[] = {-0.0, 1.0 / 3, 1e300, 5e-324}, nan = (double)NAN, infinite = (double)INFINITY;
    if (frame == 5 && cloth == 1)
        return axis == 0 ? nan : axis == 1 ? -infinite : odd[node % 4];
    return floor(sin(frame + 7.0 * cloth + 0.1 * node + axis) * 0x1p31) * 0x1p-32;
}

static void positions_at(int32_t frame, int32_t cloth, weft_vec3 *out)
{
    int32_t n = topology_at(frame, cloth).n_nodes;
    for (int32_t i = 0; i < n; i++)
        out[i] =
            (weft_vec3){coordinate(frame, cloth, i, 0), coordinate(frame, cloth, i, 1), coordinate(frame, cloth, i, 2)};
}

static void snapshot_at(int32_t frame, uint8_t out[SNAPSHOT])
{
    for (int i = 0; i < SNAPSHOT; i++)
        out[i] = (uint8_t)((i * i * 31 + frame * 7) >> 2);
}

static bool has_restart(int32_t frame)
{
    return frame % 3 == 0;
}

static weft_cache_def sample_def(void)
{
    weft_cache_def def = weft_cache_def_default();
    def.fps = 30;
    def.n_cloths = 2;
    def.cloth_names = cloth_names;
    def.n_columns = 2;
    def.column_names = column_names;
    def.scene = "cloths: [sheet, strip]\n";
    return def;
}

/* ---- writing it and looking at it ------------------------------------------------------------------------------- */

static char folder[64], path[128], other[128];

static int make_folder(void **state)
{
    (void)state;
    const char *tmp = getenv("TMPDIR");
    snprintf(folder, sizeof folder, "%.40s/weft_cache_XXXXXX", tmp ? tmp : "/tmp");
    if (!mkdtemp(folder))
        return -1;
    snprintf(path, sizeof path, "%s/cache.weft", folder);
    snprintf(other, sizeof other, "%s/other.weft", folder);
    return 0;
}

static int remove_files(void **state)
{
    (void)state;
    remove(path);
    remove(other);
    return 0;
}

static int remove_folder(void **state)
{
    (void)state;
    return rmdir(folder);
}

static void must(weft_result r, const weft_error *e)
{
    if (r < 0)
        fail_msg("%s: %s", weft_result_name(r), e->text);
}

/* Of frames from 2 on, and those of the strip are all 0. Numbers that are stored as they are. */
static bool has_contacts(int32_t frame)
{
    return frame >= 2;
}

static double pressure_at(int32_t frame, int32_t cloth, int32_t node)
{
    return cloth == 0 && node % 3 == 1 ? ldexp(1 + node / 32.0, frame - 4) : 0;
}

static uint8_t squeezed_at(int32_t frame, int32_t node)
{
    return node % 5 == frame % 5;
}

static weft_result add_frame(weft_cache_writer *w, int32_t frame, weft_error *e)
{
    double pressures[N_GRID];
    uint8_t squeezed[N_GRID];
    for (int32_t i = 0; i < N_GRID; i++) {
        pressures[i] = pressure_at(frame, 0, i);
        squeezed[i] = squeezed_at(frame, i);
    }
    const weft_cache_contacts contacts[] = {{pressures, squeezed}, {0}};
    weft_vec3 grid[N_GRID], strip[N_STRIP_FINE];
    for (int32_t cloth = 0; cloth < 2; cloth++) {
        weft_topology t = topology_at(frame, cloth);
        weft_result r = weft_cache_add_topology(w, &t, e);
        if (r < 0)
            return r;
        positions_at(frame, cloth, cloth == 0 ? grid : strip);
    }
    const double columns[] = {25 + frame, 1 + 0.01 * frame};
    const weft_vec3 *const positions[] = {grid, strip};
    weft_cache_frame f = {frame / 30.0, 1000u + (uint64_t)frame, columns, positions,
                          has_contacts(frame) ? contacts : NULL};
    return weft_cache_add_frame(w, &f, e);
}

static weft_result add_restart(weft_cache_writer *w, int32_t frame, weft_error *e)
{
    uint8_t bytes[SNAPSHOT];
    snapshot_at(frame, bytes);
    return has_restart(frame) ? weft_cache_add_restart(w, bytes, sizeof bytes, e) : WEFT_OK;
}

static size_t size_of(const char *name)
{
    struct stat info;
    assert_int_equal(stat(name, &info), 0);
    return (size_t)info.st_size;
}

/* The frames from `first` on; ends[i], if not NULL, becomes the size of the file once frame i is in it. */
static void add_frames(weft_cache_writer *w, int32_t first, size_t *ends)
{
    weft_error e;
    for (int32_t i = first; i < N_FRAMES; i++) {
        must(add_frame(w, i, &e), &e);
        if (ends)
            ends[i] = size_of(path);
        must(add_restart(w, i, &e), &e);
    }
}

static weft_cache_writer *create(void)
{
    weft_error e;
    weft_cache_writer *w = NULL;
    weft_cache_def def = sample_def();
    must(weft_cache_create(path, &def, &w, &e), &e);
    return w;
}

static void write_sample(void)
{
    weft_error e;
    weft_cache_writer *w = create();
    add_frames(w, 0, NULL);
    must(weft_cache_close(w, &e), &e);
}

static void assert_same_array(const void *a, const void *b, size_t n)
{
    assert_int_equal(!a, !b);
    if (a)
        assert_memory_equal(a, b, n);
}

static void assert_topology(const weft_topology *t, int32_t frame, int32_t cloth)
{
    weft_topology s = topology_at(frame, cloth);
    assert_true(t->cloth == cloth && t->revision == s.revision && t->n_nodes == s.n_nodes);
    assert_true(t->n_triangles == s.n_triangles && t->n_faces == s.n_faces && t->n_uv == s.n_uv);
    size_t n = (size_t)s.n_triangles, n_corners = s.n_faces ? (size_t)s.face_start[s.n_faces] : 0;
    assert_same_array(t->triangles, s.triangles, 12 * n);
    assert_same_array(t->rest_lengths, s.rest_lengths, 24 * n);
    assert_same_array(t->levels, s.levels, n);
    assert_same_array(t->face_start, s.face_start, 4 * ((size_t)s.n_faces + 1));
    assert_same_array(t->corners, s.corners, 4 * n_corners);
    assert_same_array(t->uv, s.uv, 16 * (size_t)s.n_uv);
    assert_same_array(t->corner_uv, s.corner_uv, 4 * n_corners);
}

static weft_result check_contacts(weft_cache *c, int32_t frame, int32_t cloth, int32_t n, weft_error *e)
{
    double pressures[N_GRID];
    uint8_t squeezed[N_GRID];
    weft_result r = weft_cache_read_contacts(c, frame, cloth, pressures, squeezed, n, e);
    for (int32_t i = 0; r >= 0 && i < n; i++) {
        assert_int_equal(squeezed[i], has_contacts(frame) && cloth == 0 && squeezed_at(frame, i));
        if (has_contacts(frame))
            assert_true(!(pressures[i] < pressure_at(frame, cloth, i)) &&
                        !(pressures[i] > pressure_at(frame, cloth, i)));
        else
            assert_true(isnan(pressures[i]));
    }
    return r;
}

/* Every part of a frame is right, or refused if `may_refuse`. Returns how many parts were refused. */
static int check_frame(weft_cache *c, int32_t frame, bool may_refuse)
{
    weft_error e = {0};
    double time, columns[2];
    uint64_t hash;
    int refused = weft_cache_read_head(c, frame, &time, &hash, columns, &e) < 0;
    if (!refused) {
        assert_true(time == frame / 30.0 && hash == 1000u + (uint64_t)frame);
        assert_true(columns[0] == 25 + frame && columns[1] == 1 + 0.01 * frame);
    }
    for (int32_t cloth = 0; cloth < 2; cloth++) {
        weft_vec3 got[N_GRID], wanted[N_GRID];
        const weft_topology *t;
        if (weft_cache_get_topology(c, frame, cloth, &t, &e) < 0) {
            refused++;
            continue;
        }
        assert_topology(t, frame, cloth);
        positions_at(frame, cloth, wanted);
        if (weft_cache_read_positions(c, frame, cloth, got, t->n_nodes, &e) < 0)
            refused++;
        else
            assert_memory_equal(got, wanted, (size_t)t->n_nodes * sizeof *got);
        refused += check_contacts(c, frame, cloth, t->n_nodes, &e) < 0;
    }
    if (refused && !may_refuse)
        fail_msg("frame %d: %s", (int)frame, e.text);
    return refused;
}

static int check_restart(weft_cache *c, int32_t frame, bool may_refuse)
{
    weft_error e = {0};
    uint8_t got[SNAPSHOT], wanted[SNAPSHOT];
    int32_t at;
    size_t size = sizeof got;
    weft_result r = weft_cache_read_restart(c, frame, &at, got, &size, &e);
    if (r < 0 && may_refuse)
        return 1;
    must(r, &e);
    if (at >= 0) {
        assert_true(has_restart(at) && size == SNAPSHOT);
        snapshot_at(at, wanted);
        assert_memory_equal(got, wanted, SNAPSHOT);
    }
    /* That of the last frame may not be there yet. */
    int32_t wanted_at = frame - frame % 3, before = wanted_at > 0 ? wanted_at - 3 : -1;
    bool is_last = wanted_at == weft_cache_get_info(c).n_frames - 1;
    assert_true(may_refuse || at == wanted_at || (is_last && at == before));
    return 0;
}

static weft_cache *open_cache(const char *name)
{
    weft_error e;
    weft_cache *c = NULL;
    must(weft_cache_open(name, &c, &e), &e);
    return c;
}

static void assert_sample(const char *name, int32_t n_frames)
{
    weft_cache *c = open_cache(name);
    assert_int_equal(weft_cache_get_info(c).n_frames, n_frames);
    for (int32_t i = 0; i < n_frames; i++) {
        check_frame(c, i, false);
        check_restart(c, i, false);
    }
    weft_cache_free(c);
}

static void read_file(const char *name, char **bytes, size_t *size)
{
    weft_error e;
    must(file_read(name, bytes, size, &e), &e);
}

static void write_file(const char *name, const void *bytes, size_t size)
{
    weft_error e;
    must(file_write(name, bytes, size, true, &e), &e);
}

static void put_byte(const char *name, size_t at, char byte)
{
    FILE *f = fopen(name, "r+b");
    assert_non_null(f);
    assert_int_equal(fseek(f, (long)at, SEEK_SET), 0);
    assert_int_equal(fwrite(&byte, 1, 1, f), 1);
    assert_int_equal(fclose(f), 0);
}

static void assert_open_fails(const char *name, weft_result code, const char *part)
{
    weft_error e;
    weft_cache *c = NULL;
    assert_int_equal(weft_cache_open(name, &c, &e), code);
    assert_non_null(strstr(e.text, name));
    assert_non_null(strstr(e.text, part));
}

/* ---- tests ------------------------------------------------------------------------------------------------------ */

static void cache_reads_back_every_bit(void **state)
{
    (void)state;
    write_sample();
    assert_sample(path, N_FRAMES);
    weft_cache *c = open_cache(path);
    weft_cache_info info = weft_cache_get_info(c);
    assert_true(info.was_closed && info.fps == 30 && info.n_cloths == 2 && info.n_columns == 2);
    assert_true(info.n_restarts == 3 && info.lost_bytes == 0 && info.size == size_of(path));
    assert_true(info.frame_bytes > 0 && info.restart_bytes > 0 && info.frame_bytes + info.restart_bytes < info.size);
    assert_string_equal(info.scene, sample_def().scene);
    assert_string_equal(weft_cache_cloth_name(c, 1), "strip");
    assert_string_equal(weft_cache_column_name(c, 0), "nodes");
    assert_null(weft_cache_cloth_name(c, 2));
    assert_null(weft_cache_column_name(c, -1));
    weft_cache_free(c);
}

static void topology_is_stored_once_per_revision(void **state)
{
    (void)state;
    write_sample(); /* gives the topologies anew with each frame */
    weft_error e;
    weft_cache *c = open_cache(path);
    const weft_topology *t[N_FRAMES];
    for (int32_t i = N_FRAMES - 1; i >= 0; i--)
        must(weft_cache_get_topology(c, i, 1, &t[i], &e), &e);
    assert_ptr_equal(t[0], t[FINER - 1]);
    assert_ptr_not_equal(t[0], t[FINER]);
    assert_ptr_equal(t[FINER], t[N_FRAMES - 1]);
    weft_cache_free(c);
}

/* One cloth of points, each kind of number in a frame of its own. */
static void any_doubles_come_back(void **state)
{
    (void)state;
    enum { N = 999, KINDS = 9 };
    static weft_vec3 frames[KINDS][N];
    uint64_t seed = 1;
    for (int kind = 0; kind < KINDS; kind++) {
        for (int i = 0; i < 3 * N; i++) {
            seed = seed * 6364136223846793005u + 1442695040888963407u;
            uint64_t bits = seed ^ seed >> 29;
            double x, whole = (double)((int64_t)bits >> 20);
            memcpy(&x, &bits, sizeof x);
            const double kinds[KINDS] = {
                x,  whole * 0x1p-36, whole * 0x1p-44,      whole * 0x1p-50,      i % 997 ? whole * 0x1p-32 : -0.0,
                42, whole * 0x1p18,  (double)(bits >> 12), whole * 0x1p-1074 * 2};
            ((double *)frames[kind])[i] = kinds[kind];
        }
    }
    weft_error e;
    weft_cache_writer *w = NULL;
    weft_cache_def def = weft_cache_def_default();
    def.n_cloths = 1;
    def.cloth_names = cloth_names;
    must(weft_cache_create(path, &def, &w, &e), &e);
    weft_topology points = {.n_nodes = N};
    must(weft_cache_add_topology(w, &points, &e), &e);
    for (int kind = 0; kind < KINDS; kind++) {
        const weft_vec3 *const positions[] = {frames[kind]};
        must(weft_cache_add_frame(w, &(weft_cache_frame){.positions = positions}, &e), &e);
    }
    must(weft_cache_close(w, &e), &e);
    weft_cache *c = open_cache(path);
    static weft_vec3 got[N];
    for (int kind = KINDS - 1; kind >= 0; kind--) {
        must(weft_cache_read_positions(c, kind, 0, got, N, &e), &e);
        assert_memory_equal(got, frames[kind], sizeof got);
    }
    weft_cache_free(c);
}

static int frames_within(const size_t ends[N_FRAMES], size_t size)
{
    int n = 0;
    while (n < N_FRAMES && ends[n] <= size)
        n++;
    return n;
}

/* How many frames come before the first damage; all if there is none, and only then `damaged` is false. */
static int32_t frames_before_damage(weft_cache *c, bool *damaged)
{
    weft_error e;
    weft_cache_damage d;
    must(weft_cache_check(c, &d, &e), &e);
    *damaged = d.found;
    if (d.found)
        assert_true(d.what.code < 0 && strstr(d.what.text, "damaged") && d.n_frames <= weft_cache_get_info(c).n_frames);
    return d.n_frames;
}

static int32_t whole_frames(weft_cache *c)
{
    bool damaged;
    int32_t n = frames_before_damage(c, &damaged);
    assert_false(damaged || weft_cache_get_info(c).torn);
    return n;
}

/* What a killed program leaves: any number of bytes of the file. */
static void cut_at_any_byte_every_complete_frame_is_right(void **state)
{
    (void)state;
    weft_error e;
    size_t ends[N_FRAMES], size;
    weft_cache_writer *w = create();
    size_t head = size_of(path);
    add_frames(w, 0, ends);
    size_t open_size = size_of(path);
    must(weft_cache_close(w, &e), &e);
    char *bytes;
    read_file(path, &bytes, &size);
    write_file(other, bytes, size);
    free(bytes);
    for (size_t n = size + 1; n-- > 0;) {
        assert_int_equal(truncate(other, (off_t)n), 0);
        if (n < head) {
            assert_open_fails(other, n < 16 ? WEFT_ERROR_FORMAT : WEFT_ERROR_CHECKSUM,
                              n < 16 ? "not a Weft cache" : "damaged or cut off");
            continue;
        }
        int n_frames = frames_within(ends, n);
        assert_sample(other, n_frames);
        weft_cache *c = open_cache(other);
        weft_cache_info info = weft_cache_get_info(c);
        assert_int_equal(info.was_closed, n == size);
        bool is_whole = n == head || n == open_size || n == size || (n_frames > 0 && n == ends[n_frames - 1]);
        assert_true(is_whole ? info.lost_bytes == 0 : info.lost_bytes < size - head);
        assert_int_equal(whole_frames(c), n_frames);
        weft_cache_free(c);
    }
}

/* Of a closed file only what was hit is lost; nothing that is wrong is ever handed out. */
static void flipped_bits_are_noticed(void **state)
{
    (void)state;
    write_sample();
    char *bytes;
    size_t size;
    read_file(path, &bytes, &size);
    int n_opened = 0, n_refused = 0;
    for (size_t i = 0; i < size; i++) {
        if (i > 0)
            put_byte(path, i - 1, bytes[i - 1]);
        put_byte(path, i, (char)(bytes[i] ^ 1 << i % 8));
        weft_cache *c = NULL;
        weft_error e;
        if (weft_cache_open(path, &c, &e) < 0)
            continue;
        n_opened++;
        assert_int_equal(weft_cache_get_info(c).n_frames, N_FRAMES);
        const char *scene = weft_cache_get_info(c).scene;
        assert_true(strcmp(scene, sample_def().scene) == 0 || strcmp(scene, "") == 0);
        int parts = 0, restarts = 0;
        for (int32_t k = 0; k < N_FRAMES; k++) {
            parts += check_frame(c, k, true);
            restarts += check_restart(c, k, true);
        }
        assert_true(restarts <= 3 && parts <= 2 * N_FRAMES);
        n_refused += parts + restarts > 0;
        weft_cache_free(c);
    }
    assert_true(n_opened > (int)size / 2 && n_refused > (int)size / 4);
    free(bytes);
}

/* In heads, contents, index and footer, of a closed file and of one that is not. */
static void any_flipped_bit_is_found_by_a_check(void **state)
{
    (void)state;
    weft_error e;
    size_t size[2];
    char *bytes[2];
    weft_cache_writer *w = create();
    add_frames(w, 0, NULL);
    read_file(path, &bytes[0], &size[0]);
    must(weft_cache_close(w, &e), &e);
    read_file(path, &bytes[1], &size[1]);
    for (int closed = 0; closed < 2; closed++) {
        write_file(path, bytes[closed], size[closed]);
        for (size_t i = 0; i < size[closed]; i++) {
            put_byte(path, i, (char)(bytes[closed][i] ^ 1 << i % 8));
            weft_cache *c = NULL;
            bool damaged = true;
            if (weft_cache_open(path, &c, &e) >= 0)
                frames_before_damage(c, &damaged);
            if (!damaged)
                fail_msg("bit %d of byte %d of %d, closed %d", (int)i % 8, (int)i, (int)size[closed], closed);
            weft_cache_free(c);
            put_byte(path, i, bytes[closed][i]);
        }
        free(bytes[closed]);
    }
}

/* Removes `gap` bytes at `at`. Where they reach into the last part of a file that was not closed, it may look as if the
 * writer had been stopped in it, and so it may of a closed one without its footer (from `unknown` on). Frames that are
 * there are right even then. */
static void tear(const char *bytes, size_t size, size_t unknown, size_t at, size_t gap, int *n_found)
{
    weft_error e;
    weft_cache *c = NULL;
    bool damaged = true;
    char *torn = malloc(size);
    assert_non_null(torn);
    memcpy(torn, bytes, at);
    memcpy(torn + at, bytes + at + gap, size - at - gap);
    write_file(other, torn, size - gap);
    free(torn);
    if (weft_cache_open(other, &c, &e) >= 0) {
        int32_t n = frames_before_damage(c, &damaged);
        for (int32_t i = 0; i < n; i++)
            assert_int_equal(check_frame(c, i, false), 0);
    }
    weft_cache_free(c);
    *n_found += damaged;
    if (!damaged && at + gap <= unknown)
        fail_msg("%d bytes torn out at %d of %d", (int)gap, (int)at, (int)size);
}

static void bytes_torn_out_anywhere_are_found_by_a_check(void **state)
{
    (void)state;
    static const size_t gaps[] = {1, 7, 40, 333, 1000, 2500};
    weft_error e;
    size_t ends[N_FRAMES], size[2];
    char *bytes[2];
    weft_cache_writer *w = create();
    add_frames(w, 0, ends);
    read_file(path, &bytes[0], &size[0]);
    must(weft_cache_close(w, &e), &e);
    read_file(path, &bytes[1], &size[1]);
    int n_found = 0;
    for (int closed = 0; closed < 2; closed++) {
        size_t unknown = closed ? size[1] - 24 : ends[N_FRAMES - 2];
        for (size_t g = 0; g < sizeof gaps / sizeof *gaps; g++)
            for (size_t at = 16; at + gaps[g] < size[closed]; at += 29)
                tear(bytes[closed], size[closed], unknown, at, gaps[g], &n_found);
        for (int i = 0; i + 2 < N_FRAMES; i++) /* whole frames with what goes with them */
            tear(bytes[closed], size[closed], unknown, ends[i], ends[N_FRAMES - 2] - ends[i], &n_found);
        free(bytes[closed]);
    }
    assert_true(n_found > 1000);
}

static void reopen_after_any_frame_ends_in_the_same_file(void **state)
{
    (void)state;
    char *bytes, *again;
    size_t size, size_again;
    write_sample();
    read_file(path, &bytes, &size);
    weft_error e;
    weft_cache_def def = sample_def();
    for (int32_t frame = -1; frame < N_FRAMES; frame++) {
        for (size_t lost = 0; lost < 2; lost++) { /* closed, and not */
            weft_cache_writer *w = NULL;
            write_file(path, bytes, size - lost);
            must(weft_cache_reopen(path, &def, frame, &w, &e), &e);
            assert_sample(path, frame + 1);
            add_frames(w, frame + 1, NULL);
            must(weft_cache_close(w, &e), &e);
            read_file(path, &again, &size_again);
            assert_int_equal(size, size_again);
            assert_memory_equal(bytes, again, size);
            free(again);
        }
    }
    free(bytes);
}

static void reopen_with_another_scene_keeps_the_frames(void **state)
{
    (void)state;
    write_sample();
    weft_error e;
    weft_cache_writer *w = NULL;
    weft_cache_def def = sample_def();
    def.scene = "edited";
    must(weft_cache_reopen(path, &def, 4, &w, &e), &e);
    add_frames(w, 5, NULL);
    must(weft_cache_close(w, &e), &e);
    assert_sample(path, N_FRAMES);
    weft_cache *c = open_cache(path);
    assert_string_equal(weft_cache_get_info(c).scene, "edited");
    weft_cache_free(c);
    def.scene = sample_def().scene;
    must(weft_cache_reopen(path, &def, 2, &w, &e), &e); /* before the edit */
    must(weft_cache_close(w, &e), &e);
    c = open_cache(path);
    assert_string_equal(weft_cache_get_info(c).scene, def.scene);
    weft_cache_free(c);
}

static void assert_reopen_fails(const weft_cache_def *def, int32_t frame, weft_result code, const char *part)
{
    weft_error e;
    weft_cache_writer *w = NULL;
    assert_int_equal(weft_cache_reopen(path, def, frame, &w, &e), code);
    assert_non_null(strstr(e.text, path));
    assert_non_null(strstr(e.text, part));
}

static void refused_reopen_changes_nothing(void **state)
{
    (void)state;
    write_sample();
    char *bytes, *after;
    size_t size, size_after;
    read_file(path, &bytes, &size);
    weft_cache_def def = sample_def();
    assert_reopen_fails(&def, N_FRAMES, WEFT_ERROR_RANGE, "it has 7 frames");
    def.fps = 25;
    assert_reopen_fails(&def, 1, WEFT_ERROR_ARGUMENT, "30 frames per second, the run has 25");
    def = sample_def();
    def.n_columns = 1;
    assert_reopen_fails(&def, 1, WEFT_ERROR_ARGUMENT, "has 2 columns, the run has 1");
    const char *const renamed[] = {"sheet", "flag"};
    def = sample_def();
    def.cloth_names = renamed;
    assert_reopen_fails(&def, 1, WEFT_ERROR_ARGUMENT, "cloth 1 is \"strip\", that of the run \"flag\"");
    read_file(path, &after, &size_after);
    assert_int_equal(size, size_after);
    assert_memory_equal(bytes, after, size);
    free(bytes);
    free(after);
}

static void reader_sees_what_is_complete_while_the_writer_goes_on(void **state)
{
    (void)state;
    weft_error e;
    weft_cache_writer *w = create();
    weft_cache *early = NULL;
    for (int32_t i = 0; i < N_FRAMES; i++) {
        must(add_frame(w, i, &e), &e);
        if (i == 2)
            early = open_cache(path);
        must(add_restart(w, i, &e), &e);
        assert_sample(path, i + 1);
    }
    must(weft_cache_close(w, &e), &e);
    assert_int_equal(weft_cache_get_info(early).n_frames, 3);
    assert_false(weft_cache_get_info(early).was_closed);
    for (int32_t i = 0; i < 3; i++)
        check_frame(early, i, false);
    weft_cache_free(early);
}

/* A file size limit fails writes as a full disk does: the first part goes in, then comes an error. */
static void full_disk_loses_nothing_before(void **state)
{
    (void)state;
    size_t ends[N_FRAMES];
    weft_error e;
    weft_cache_writer *w = create();
    size_t head = size_of(path);
    add_frames(w, 0, ends);
    must(weft_cache_close(w, &e), &e);
    size_t size = size_of(path);
    struct rlimit old;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
    signal(SIGXFSZ, SIG_IGN);
    for (size_t limit = head; limit < size; limit += 13) {
        remove(path);
        w = create();
        struct rlimit low = {limit, old.rlim_max};
        assert_int_equal(setrlimit(RLIMIT_FSIZE, &low), 0);
        weft_result r = WEFT_OK;
        for (int32_t i = 0; i < N_FRAMES && r >= 0; i++) {
            r = add_frame(w, i, &e);
            if (r >= 0)
                r = add_restart(w, i, &e);
        }
        bool failed_before = r < 0;
        if (failed_before)
            assert_int_equal(add_frame(w, 0, NULL), WEFT_ERROR_FILE);
        weft_result closed = weft_cache_close(w, failed_before ? NULL : &e);
        assert_int_equal(setrlimit(RLIMIT_FSIZE, &old), 0);
        assert_int_equal(failed_before ? r : closed, WEFT_ERROR_FILE);
        assert_non_null(strstr(e.text, path));
        assert_sample(path, frames_within(ends, limit));
        weft_cache *c = open_cache(path);
        assert_int_equal(weft_cache_get_info(c).lost_bytes, 0);
        weft_cache_free(c);
    }
    signal(SIGXFSZ, SIG_DFL);
}

static void last_part_with_other_content_is_dropped(void **state)
{
    (void)state;
    weft_error e;
    size_t ends[N_FRAMES], size;
    weft_cache_writer *w = create();
    add_frames(w, 0, ends);
    must(weft_cache_close(w, &e), &e);
    char *bytes;
    read_file(path, &bytes, &size);
    memset(bytes + ends[4] - 30, 0, 30);
    write_file(path, bytes, ends[4]);
    assert_sample(path, 4);
    free(bytes);
}

static void other_versions_are_named(void **state)
{
    (void)state;
    write_sample();
    char *bytes;
    size_t size;
    read_file(path, &bytes, &size);
    bytes[8] = 77;
    write_file(path, bytes, size);
    assert_open_fails(path, WEFT_ERROR_CHECKSUM, "damaged");
    bytes[12] = ~77;
    write_file(path, bytes, size);
    assert_open_fails(path, WEFT_ERROR_VERSION, "a cache of version 77; this program reads and writes version 1");
    free(bytes);
}

static void other_files_are_refused(void **state)
{
    (void)state;
    assert_open_fails(path, WEFT_ERROR_FILE, "No such file");
    assert_open_fails(folder, WEFT_ERROR_FILE, "not a file");
    write_file(path, "", 0);
    assert_open_fails(path, WEFT_ERROR_FORMAT, "it is empty");
    write_file(path, "v 0 0 0\nv 1 0 0\nv 0 1 0\n", 24);
    assert_open_fails(path, WEFT_ERROR_FORMAT, "not a Weft cache");
    weft_error e;
    weft_cache_writer *w = NULL;
    weft_cache_def def = sample_def();
    assert_int_equal(weft_cache_create(path, &def, &w, &e), WEFT_ERROR_EXISTS);
    def.level = 20;
    assert_int_equal(weft_cache_create(other, &def, &w, &e), WEFT_ERROR_RANGE);
    assert_int_equal(access(other, F_OK), -1);
}

/* Sums are no protection from those who can compute them: 2^31 triangles are refused by the size of the file. */
static void counts_beyond_the_file_are_refused(void **state)
{
    (void)state;
    weft_error e;
    weft_cache_writer *w = create();
    size_t start = size_of(path), size;
    must(add_frame(w, 0, &e), &e);
    must(weft_cache_close(w, &e), &e);
    char *file;
    read_file(path, &file, &size);
    uint8_t *head = (uint8_t *)file + start, *content = head + CACHE_CHUNK_HEAD_SIZE;
    size_t n = (size_t)cache_load_u64(head + 16);
    for (int count = 2; count < 7; count++) {
        uint8_t kept[4];
        memcpy(kept, content + 4 * count, 4);
        memcpy(content + 4 * count, "\xFF\xFF\xFF\x7F", 4);
        text sealed = {0};
        text_add_bytes(&sealed, head, CACHE_CHUNK_HEAD_SIZE + n);
        cache_chunk c = {.kind = CACHE_TOPOLOGY};
        cache_seal_chunk(&sealed, &c);
        memcpy(head, sealed.bytes, CACHE_CHUNK_HEAD_SIZE);
        text_free(&sealed);
        write_file(path, file, size - 1);
        weft_cache *cache = open_cache(path);
        const weft_topology *t;
        assert_int_equal(weft_cache_get_topology(cache, 0, 0, &t, &e), WEFT_ERROR_FORMAT);
        weft_cache_free(cache);
        memcpy(content + 4 * count, kept, 4);
    }
    free(file);
}

static void wrong_calls_are_refused_and_do_no_harm(void **state)
{
    (void)state;
    weft_error e;
    weft_cache_writer *w = create();
    weft_cache_frame empty = {0};
    assert_int_equal(weft_cache_add_frame(w, &empty, &e), WEFT_ERROR_ARGUMENT);
    assert_int_equal(weft_cache_add_restart(w, "abc", 3, &e), WEFT_ERROR_ARGUMENT);
    weft_topology t = topology_at(0, 1);
    t.cloth = 2;
    assert_int_equal(weft_cache_add_topology(w, &t, &e), WEFT_ERROR_INDEX);
    t.cloth = 1;
    t.n_nodes = 2;
    assert_int_equal(weft_cache_add_topology(w, &t, &e), WEFT_ERROR_ARGUMENT);
    assert_non_null(strstr(e.text, "has a triangle of a node that is not there"));
    add_frames(w, 0, NULL);
    must(weft_cache_close(w, &e), &e);
    must(weft_cache_close(NULL, &e), &e);
    assert_sample(path, N_FRAMES);
    weft_cache *c = open_cache(path);
    weft_vec3 few[3];
    assert_int_equal(weft_cache_read_positions(c, 0, 0, few, 3, &e), WEFT_ERROR_ARGUMENT);
    assert_int_equal(weft_cache_read_positions(c, N_FRAMES, 0, few, 3, &e), WEFT_ERROR_INDEX);
    int32_t at;
    size_t size = 0;
    must(weft_cache_read_restart(c, 1, &at, NULL, &size, &e), &e);
    assert_true(at == 0 && size == SNAPSHOT);
    size = 10;
    assert_int_equal(weft_cache_read_restart(c, 1, &at, few, &size, &e), WEFT_ERROR_ARGUMENT);
    must(weft_cache_read_restart(c, -1, &at, NULL, &size, &e), &e);
    assert_int_equal(at, -1);
    weft_cache_free(c);
}

#define CACHE_TEST(name) cmocka_unit_test_teardown(name, remove_files)

/* Any pressure comes back to 0.4 %; what is no pressure is none, and what is too large for a float the largest. */
static void pressures_are_stored_to_four_thousandths(void **state)
{
    (void)state;
    enum { N = 2000 };
    static double given[N], got[N];
    static weft_vec3 x[N];
    weft_error e;
    weft_cache_def def = weft_cache_def_default();
    def.n_cloths = 1;
    def.cloth_names = cloth_names;
    weft_cache_writer *w = NULL;
    weft_cache *c = NULL;
    for (int i = 0; i < N; i++)
        given[i] = pow(10, -30 + 0.03 * i);
    given[0] = -1;
    given[1] = (double)NAN;
    given[2] = (double)INFINITY;
    weft_topology t = {.n_nodes = N};
    const weft_vec3 *positions[] = {x};
    const weft_cache_contacts contacts = {.pressures = given};
    must(weft_cache_create(path, &def, &w, &e), &e);
    must(weft_cache_add_topology(w, &t, &e), &e);
    must(weft_cache_add_frame(w, &(weft_cache_frame){.positions = positions, .contacts = &contacts}, &e), &e);
    must(weft_cache_close(w, &e), &e);
    must(weft_cache_open(path, &c, &e), &e);
    must(weft_cache_read_contacts(c, 0, 0, got, NULL, N, &e), &e);
    assert_int_equal(weft_cache_read_contacts(c, 0, 0, got, NULL, N - 1, &e), WEFT_ERROR_ARGUMENT);
    assert_true(got[0] <= 0 && got[1] <= 0 && got[2] > 1e38 && got[2] < 4e38);
    for (int i = 3; i < N; i++)
        assert_true(given[i] > 3e38 ? got[i] > 3e38 : fabs(got[i] / given[i] - 1) <= 0.004);
    weft_cache_free(c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CACHE_TEST(cache_reads_back_every_bit),
        CACHE_TEST(topology_is_stored_once_per_revision),
        CACHE_TEST(any_doubles_come_back),
        CACHE_TEST(cut_at_any_byte_every_complete_frame_is_right),
        CACHE_TEST(flipped_bits_are_noticed),
        CACHE_TEST(any_flipped_bit_is_found_by_a_check),
        CACHE_TEST(bytes_torn_out_anywhere_are_found_by_a_check),
        CACHE_TEST(reopen_after_any_frame_ends_in_the_same_file),
        CACHE_TEST(reopen_with_another_scene_keeps_the_frames),
        CACHE_TEST(refused_reopen_changes_nothing),
        CACHE_TEST(reader_sees_what_is_complete_while_the_writer_goes_on),
        CACHE_TEST(full_disk_loses_nothing_before),
        CACHE_TEST(last_part_with_other_content_is_dropped),
        CACHE_TEST(pressures_are_stored_to_four_thousandths),
        CACHE_TEST(other_versions_are_named),
        CACHE_TEST(other_files_are_refused),
        CACHE_TEST(counts_beyond_the_file_are_refused),
        CACHE_TEST(wrong_calls_are_refused_and_do_no_harm),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
