/* SPDX-License-Identifier: MIT */
/* ctest: labels=slow timeout=300 */
/* `weft run --resume` of caches that are damaged, or of another build, by the verbs themselves: damage is said and
 * repaired, every frame comes out as it was; what is refused is left as it is, and can be read. */
#define _POSIX_C_SOURCE 200809L
#include "base/hash.h"
#include "disk.h"
#include "io/cache/cache_chunk.h"
#include "verbs.h"

#include <weft/io/cache.h>

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

enum { N_FRAMES = 15, MOST_WORDS = 24, MOST_CHUNKS = 200 };

static const char scene[] = "name: fold\n"
                            "cloths:\n"
                            "  sheet:\n"
                            "    grid: {size: [0.4, 0.4], nodes: [5, 5], centre: [0, 0.22, 0]}\n"
                            "    fabric: cotton\n"
                            "    adapt: {max_level: 2}\n"
                            "colliders:\n"
                            "  ball: {shape: sphere, radius: 0.1, position: [0, 0.1, 0]}\n"
                            "output: {fps: 30, frames: 14, restart_every: 4}\n"
                            "picture: {width: 32, height: 32, samples: 1}\n";

static char folder[64];
static page whole, whole_scene; /* the cache of a run that nobody harmed, and its resolved scene */
static uint64_t hashes[N_FRAMES];

static void must(weft_result r, const weft_error *e)
{
    if (r < 0)
        fail_msg("%s: %s", weft_result_name(r), e->text);
}

/* ---- commands ---------------------------------------------------------------------------------------------------- */

static page said;

/* Runs a verb with the words of a line; what it says is in `said`. */
static int command(int (*verb)(int, char **), const char *line)
{
    char *words = disk_copy(line), *argv[MOST_WORDS + 1] = {NULL}, *rest = NULL;
    int argc = 0;
    for (char *word = strtok_r(words, " ", &rest); word && argc < MOST_WORDS; word = strtok_r(NULL, " ", &rest))
        argv[argc++] = word;
    fflush(stdout);
    int out = dup(1), err = dup(2), file = open("said.txt", O_RDWR | O_CREAT | O_TRUNC, 0666);
    assert_true(out >= 0 && err >= 0 && dup2(file, 1) >= 0 && dup2(file, 2) >= 0);
    int code = verb(argc, argv);
    fflush(stdout);
    assert_true(dup2(out, 1) >= 0 && dup2(err, 2) >= 0);
    close(out);
    close(err);
    close(file);
    free(words);
    weft_error e;
    page_free(&said);
    must(disk_read("said.txt", &said, &e), &e);
    return code;
}

static void expect(int code, int wanted, const char *part, const char *what)
{
    if (code != wanted)
        fail_msg("%s: exit code %d, not %d: %s", what, code, wanted, page_text(&said));
    if (!strstr(page_text(&said), part))
        fail_msg("%s: '%s' was not said: %s", what, part, page_text(&said));
}

static void read_hashes(const char *path, uint64_t out[N_FRAMES])
{
    weft_error e;
    weft_cache *c = NULL;
    must(weft_cache_open(path, &c, &e), &e);
    assert_int_equal(weft_cache_get_info(c).n_frames, N_FRAMES);
    for (int32_t i = 0; i < N_FRAMES; i++)
        must(weft_cache_read_head(c, i, NULL, &out[i], NULL, &e), &e);
    weft_cache_free(c);
}

/* ---- the sample -------------------------------------------------------------------------------------------------- */

/* In two legs, so that there is a second scene, which is longer. */
static int make_sample(void **state)
{
    (void)state;
    weft_error e;
    const char *tmp = getenv("TMPDIR");
    snprintf(folder, sizeof folder, "%.40s/weft_resume_XXXXXX", tmp ? tmp : "/tmp");
    if (!mkdtemp(folder) || chdir(folder) != 0)
        return -1;
    must(disk_write("scene.yaml", scene, strlen(scene), true, &e), &e);
    expect(command(verb_run, "scene.yaml -o whole --no-pictures --frames 9"), 0, "final hash", "first leg");
    expect(command(verb_run, "scene.yaml -o whole --no-pictures --resume"), 0, "final hash", "second leg");
    must(disk_read("whole/cache.weft", &whole, &e), &e);
    must(disk_read("whole/scene.yaml", &whole_scene, &e), &e);
    read_hashes("whole/cache.weft", hashes);
    return 0;
}

static int remove_sample(void **state)
{
    (void)state;
    char line[128];
    page_free(&whole);
    page_free(&whole_scene);
    page_free(&said);
    snprintf(line, sizeof line, "rm -rf '%s'", folder);
    return chdir("/") != 0 || system(line) != 0;
}

/* A run whose cache has these bytes. */
static void put_run(const char *bytes, size_t n)
{
    weft_error e;
    must(disk_make_folder("hurt", &e), &e);
    must(disk_write("hurt/cache.weft", bytes, n, true, &e), &e);
    must(disk_write("hurt/scene.yaml", whole_scene.bytes, whole_scene.n, true, &e), &e);
}

static void assert_unchanged(const char *bytes, size_t n, const char *what)
{
    weft_error e;
    page now = {0};
    must(disk_read("hurt/cache.weft", &now, &e), &e);
    if (now.n != n || (n > 0 && memcmp(now.bytes, bytes, n) != 0))
        fail_msg("%s: the cache has changed", what);
    page_free(&now);
}

static int list_chunks(cache_chunk *out)
{
    int n = 0;
    uint64_t at = CACHE_SIGNATURE_SIZE;
    do {
        cache_in in = {(const uint8_t *)whole.bytes + at, CACHE_CHUNK_HEAD_SIZE, false};
        assert_true(n < MOST_CHUNKS && cache_take_chunk_head(&in, &out[n]));
        out[n].offset = at;
        at += CACHE_CHUNK_HEAD_SIZE + out[n].size;
    } while (out[n++].kind != CACHE_INDEX);
    assert_int_equal(at + CACHE_FOOTER_SIZE, whole.n);
    return n;
}

/* ---- damage ------------------------------------------------------------------------------------------------------ */

/* It is said, and repaired. */
static void assert_repaired(const char *bytes, size_t n, const char *what)
{
    uint64_t now[N_FRAMES];
    put_run(bytes, n);
    expect(command(verb_info, "hurt --check"), 2, "damaged", what);
    expect(command(verb_run, "--resume -o hurt --no-pictures"), 0, "damaged", what);
    expect(command(verb_info, "hurt --check"), 0, "every frame reads", what);
    read_hashes("hurt/cache.weft", now);
    for (int i = 0; i < N_FRAMES; i++)
        if (now[i] != hashes[i])
            fail_msg("%s: frame %d is another one", what, i);
    expect(command(verb_run, "--resume -o hurt --no-pictures"), 0, "complete already", what);
}

static void flip(uint64_t at, const char *what)
{
    char *bytes = malloc(whole.n);
    assert_non_null(bytes);
    memcpy(bytes, whole.bytes, whole.n);
    bytes[at] = (char)(bytes[at] ^ 0x10);
    assert_repaired(bytes, whole.n, what);
    free(bytes);
}

/* In the heads and in the contents of the first, one in the middle and the last chunk of each kind. */
static void a_flipped_bit_in_any_kind_of_chunk_is_said_and_repaired(void **state)
{
    (void)state;
    static const uint32_t kinds[] = {CACHE_HEAD, CACHE_SCENE, CACHE_TOPOLOGY, CACHE_FRAME, CACHE_RESTART, CACHE_INDEX};
    cache_chunk all[MOST_CHUNKS];
    int n = list_chunks(all);
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        int which[MOST_CHUNKS], m = 0;
        for (int i = 0; i < n; i++)
            if (all[i].kind == kinds[k])
                which[m++] = i;
        assert_true(m > (kinds[k] == CACHE_TOPOLOGY ? 3 : 0)); /* faces have split again and again */
        for (int i = 0; i < 3 && i < m; i++) {
            const cache_chunk *c = &all[which[i == 0 ? 0 : i == 1 ? m - 1 : m / 2]];
            char what[64];
            snprintf(what, sizeof what, "head of %.4s %u", (const char *)&c->kind, (unsigned)c->number);
            flip(c->offset + 5, what);
            snprintf(what, sizeof what, "content of %.4s %u", (const char *)&c->kind, (unsigned)c->number);
            flip(c->offset + CACHE_CHUNK_HEAD_SIZE + c->size / 2, what);
        }
    }
    flip(whole.n - 10, "footer");
}

static void bytes_torn_out_are_said_and_what_is_lost_computed_again(void **state)
{
    (void)state;
    const size_t gaps[] = {1, 100, whole.n / 7, whole.n / 3};
    char *bytes = malloc(whole.n);
    assert_non_null(bytes);
    for (size_t g = 0; g < sizeof gaps / sizeof *gaps; g++)
        for (size_t at = whole.n / 11; at + gaps[g] + CACHE_FOOTER_SIZE < whole.n; at += whole.n / 5) {
            char what[64];
            snprintf(what, sizeof what, "%u bytes at %u of %u", (unsigned)gaps[g], (unsigned)at, (unsigned)whole.n);
            memcpy(bytes, whole.bytes, at);
            memcpy(bytes + at, whole.bytes + at + gaps[g], whole.n - at - gaps[g]);
            assert_repaired(bytes, whole.n - gaps[g], what);
        }
    free(bytes);
}

/* Where frames are read, nothing else would tell that there are too few; and there is no all-clear for what is lost. */
static void verbs_that_read_a_torn_run_say_what_is_lost(void **state)
{
    (void)state;
    size_t third = whole.n / 3;
    page hurt = {0};
    page_add_bytes(&hurt, whole.bytes, third);
    page_add_bytes(&hurt, whole.bytes + 2 * third, whole.n - 2 * third);
    put_run(hurt.bytes, hurt.n);
    const char *lost = "hurt/cache.weft is damaged: what came after frame ", *cure = "weft run --resume -o hurt\n";
    expect(command(verb_export, "hurt --out torn.usda --force"), 0, lost, "export");
    expect(0, 0, cure, "export");
    expect(command(verb_render, "hurt --out torn.png --force"), 0, lost, "render");
    expect(command(verb_check, "hurt"), 1, lost, "check");
    expect(0, 0, "no intersections in ", "check");
    expect(command(verb_check, "hurt --json"), 1, "\"torn\":true", "check --json");
    expect(command(verb_check, "hurt --frames 0:1"), 0, "no intersections in 2 frames", "frames that are there");
    assert_unchanged(hurt.bytes, hurt.n, "reading");
    expect(command(verb_run, "--resume -o hurt --no-pictures"), 0, "damaged", "repair");
    expect(command(verb_check, "hurt"), 0, "no intersections in 15 frames", "repaired");
    if (strstr(page_text(&said), lost))
        fail_msg("a warning of a run that is whole: %s", page_text(&said));
    page_free(&hurt);
}

/* By another scene the frames that are lost would come out differently; behind the damage there is nothing to go on
 * from. Frames before it are as good as ever. */
static void a_repair_that_would_change_frames_is_refused(void **state)
{
    (void)state;
    cache_chunk all[MOST_CHUNKS];
    int n = list_chunks(all);
    page hurt = {0};
    page_add_bytes(&hurt, whole.bytes, whole.n);
    for (int i = 0; i < n; i++)
        if (all[i].kind == CACHE_FRAME && all[i].number == 6)
            hurt.bytes[all[i].offset + 100] ^= 1;
    put_run(hurt.bytes, hurt.n);
    expect(command(verb_run, "--resume -o hurt --no-pictures --set forces.wind=[3,0,0]"), 2, "another scene", "edited");
    assert_unchanged(hurt.bytes, hurt.n, "edited");
    expect(command(verb_run, "--resume --from 8 -o hurt --no-pictures"), 2, "repair the run first", "behind");
    assert_unchanged(hurt.bytes, hurt.n, "behind");
    expect(command(verb_run, "--resume -o hurt --no-pictures --frames 3"), 0, "damaged", "shorter");
    uint64_t now[N_FRAMES];
    read_hashes("hurt/cache.weft", now);
    assert_memory_equal(now, hashes, sizeof now);
    put_run(hurt.bytes, hurt.n);
    expect(command(verb_run, "--resume --from 5 -o hurt --no-pictures"), 0, "final hash", "before");
    read_hashes("hurt/cache.weft", now);
    assert_memory_equal(now, hashes, sizeof now);
    page_free(&hurt);
}

/* A cache with one bit of a chunk flipped: of the first one of a kind, or of that of a frame. For page_free. */
static page harm(uint32_t kind, uint64_t number)
{
    cache_chunk all[MOST_CHUNKS];
    int n = list_chunks(all), which = -1;
    page hurt = {0};
    page_add_bytes(&hurt, whole.bytes, whole.n);
    for (int i = n - 1; i >= 0; i--)
        if (all[i].kind == kind && (kind != CACHE_FRAME || all[i].number == number))
            which = i;
    assert_true(which >= 0);
    hurt.bytes[all[which].offset + CACHE_CHUNK_HEAD_SIZE + all[which].size / 2] ^= 1;
    return hurt;
}

/* Where nobody can tell what scene made the run, another one must not take its place. */
static void a_damaged_run_whose_scene_is_gone_is_left_as_it_is(void **state)
{
    (void)state;
    page hurt = harm(CACHE_HEAD, 0);
    put_run(hurt.bytes, hurt.n);
    assert_int_equal(remove("hurt/scene.yaml"), 0);
    const char *other = "scene.yaml --resume -o hurt --no-pictures --set forces.wind=[3,0,0]";
    expect(command(verb_run, other), 2, "hurt/scene.yaml cannot be read", "no scene");
    expect(2, 2, "--force", "no scene");
    assert_unchanged(hurt.bytes, hurt.n, "no scene");
    page_free(&hurt);
}

/* Every command that a message proposes does what it says. */
static void advice_on_damage_leads_on(void **state)
{
    (void)state;
    page hurt = harm(CACHE_FRAME, 0);
    put_run(hurt.bytes, hurt.n);
    expect(command(verb_run, "--resume -o hurt --no-pictures --set forces.wind=[3,0,0]"), 2, "another scene",
           "frame 0");
    expect(2, 2, "give that one, or start over with --force", "frame 0");
    assert_unchanged(hurt.bytes, hurt.n, "frame 0");
    expect(command(verb_info, "hurt"), 2, "'weft run --resume -o hurt' computes again what is lost", "info");
    expect(command(verb_run, "--resume -o hurt --no-pictures"), 0, "damaged", "frame 0");
    page_free(&hurt);

    hurt = harm(CACHE_FRAME, 6);
    put_run(hurt.bytes, hurt.n);
    expect(command(verb_run, "--resume -o hurt --no-pictures --set forces.wind=[3,0,0]"), 2, "with --from 4",
           "frame 6");
    const char *from = "--resume --from 4 -o hurt --no-pictures --set forces.wind=[3,0,0]";
    expect(command(verb_run, from), 0, "that is behind frame 4, and is dropped", "--from");
    page_free(&hurt);
}

static void a_cache_too_short_for_its_signature_is_computed_again(void **state)
{
    (void)state;
    for (size_t n = 0; n <= CACHE_SIGNATURE_SIZE; n += n < 10 ? 10 : n < 15 ? 5 : 1) {
        put_run(whole.bytes, n);
        expect(command(verb_info, "hurt"), 2, "computes again what is lost", "info");
        const char *other = "--resume -o hurt --no-pictures --set forces.wind=[3,0,0]";
        expect(command(verb_run, other), 2, "another scene", "other scene");
        assert_unchanged(whole.bytes, n, "short");
        expect(command(verb_run, "--resume -o hurt --no-pictures"), 0, "damaged", "short");
        uint64_t now[N_FRAMES];
        read_hashes("hurt/cache.weft", now);
        assert_memory_equal(now, hashes, sizeof now);
    }
}

/* It may be anything. */
static void a_cache_that_begins_with_other_bytes_is_left_as_it_is(void **state)
{
    (void)state;
    page hurt = {0};
    page_add_bytes(&hurt, whole.bytes, whole.n);
    hurt.bytes[0] ^= 1;
    put_run(hurt.bytes, hurt.n);
    expect(command(verb_run, "--resume -o hurt --no-pictures"), 2, "start over with --force", "run");
    expect(command(verb_run, "--resume --from 3 -o hurt --no-pictures"), 2, "start over with --force", "--from");
    assert_unchanged(hurt.bytes, hurt.n, "first byte");
    page_free(&hurt);
}

/* ---- other builds ------------------------------------------------------------------------------------------------ */

typedef struct patch {
    size_t at; /* in the snapshot */
    const char *bytes;
    size_t n;
    const char *part; /* of what is said */
} patch;

static void copy_restart(weft_cache *from, weft_cache_writer *to, int32_t frame, const patch *p)
{
    weft_error e;
    int32_t at;
    size_t size = 0;
    must(weft_cache_read_restart(from, frame, &at, NULL, &size, &e), &e);
    if (at != frame)
        return;
    char *bytes = malloc(size);
    assert_non_null(bytes);
    must(weft_cache_read_restart(from, frame, &at, bytes, &size, &e), &e);
    memcpy(bytes + p->at, p->bytes, p->n);
    uint64_t sum = hash_bytes(HASH_START, bytes, size - sizeof sum);
    memcpy(bytes + size - sizeof sum, &sum, sizeof sum);
    must(weft_cache_add_restart(to, bytes, size, &e), &e);
    free(bytes);
}

static void copy_frame(weft_cache *from, weft_cache_writer *to, int32_t frame, double *columns)
{
    weft_error e;
    const weft_topology *t;
    weft_cache_frame f = {.columns = columns};
    must(weft_cache_get_topology(from, frame, 0, &t, &e), &e);
    must(weft_cache_add_topology(to, t, &e), &e);
    weft_vec3 *positions = malloc((size_t)t->n_nodes * sizeof *positions);
    assert_non_null(positions);
    must(weft_cache_read_positions(from, frame, 0, positions, t->n_nodes, &e), &e);
    must(weft_cache_read_head(from, frame, &f.time, &f.hash, columns, &e), &e);
    const weft_vec3 *all[] = {positions};
    f.positions = all;
    must(weft_cache_add_frame(to, &f, &e), &e);
    free(positions);
}

/* The run, with restart points as another build would have written them. All check sums are right. */
static void write_other_build(const patch *p, page *out)
{
    weft_error e;
    weft_cache *from = NULL;
    weft_cache_writer *to = NULL;
    put_run(whole.bytes, whole.n);
    must(weft_cache_open("whole/cache.weft", &from, &e), &e);
    weft_cache_info info = weft_cache_get_info(from);
    const char **names = calloc((size_t)info.n_columns + 2, sizeof *names);
    double *columns = calloc((size_t)info.n_columns + 1, sizeof *columns);
    assert_true(names && columns);
    names[info.n_columns] = weft_cache_cloth_name(from, 0);
    for (int32_t i = 0; i < info.n_columns; i++)
        names[i] = weft_cache_column_name(from, i);
    weft_cache_def def = weft_cache_def_default();
    def.fps = info.fps;
    def.n_cloths = 1;
    def.cloth_names = names + info.n_columns;
    def.n_columns = info.n_columns;
    def.column_names = names;
    def.scene = info.scene;
    remove("hurt/cache.weft");
    must(weft_cache_create("hurt/cache.weft", &def, &to, &e), &e);
    for (int32_t i = 0; i < info.n_frames; i++) {
        copy_frame(from, to, i, columns);
        copy_restart(from, to, i, p);
    }
    must(weft_cache_close(to, &e), &e);
    weft_cache_free(from);
    free(names);
    free(columns);
    page_free(out);
    must(disk_read("hurt/cache.weft", out, &e), &e);
}

/* Refused with who wrote it and what to do, and left as it is; all else of it can be used. */
static void restart_points_of_another_build_are_refused_and_frames_are_read(void **state)
{
    (void)state;
    static const patch patches[] = {
        {8, "\x63\0\0\0", 4, "version 99 of snapshots"},
        {16, "98.7.6", 7, "Weft 98.7.6"},
        {12, "\x19\0\0\0", 4, "an older Weft"},
        {12, "\xF1\xE2\xD3\xC4", 4, "byte order"},
        {40, "\1\2\3\4", 4, "other sizes"},
    };
    page bytes = {0};
    for (size_t i = 0; i < sizeof patches / sizeof *patches; i++) {
        const patch *p = &patches[i];
        write_other_build(p, &bytes);
        expect(command(verb_run, "--resume -o hurt --no-pictures --frames 20"), 2, p->part, p->part);
        expect(2, 2, "--force", p->part);
        expect(command(verb_run, "--resume -o hurt --no-pictures --from 6"), 2, p->part, p->part);
        assert_unchanged(bytes.bytes, bytes.n, p->part);
        expect(command(verb_info, "hurt"), 0, p->part, "info");
        expect(command(verb_info, "hurt --check"), 0, "every frame reads", "info --check");
        expect(command(verb_export, "hurt --out hurt.usda --force"), 0, "", "export");
        expect(command(verb_render, "hurt --frame 3 --out hurt.png --force"), 0, "", "render");
        expect(command(verb_run, "--resume -o hurt --no-pictures"), 0, "complete already", "complete");
        assert_unchanged(bytes.bytes, bytes.n, p->part);
    }
    page_free(&bytes);
    expect(command(verb_run, "scene.yaml --force -o hurt --no-pictures"), 0, "final hash", "--force");
}

/* The container itself. */
static void a_cache_of_another_version_is_refused_and_left_as_it_is(void **state)
{
    (void)state;
    char *bytes = malloc(whole.n);
    assert_non_null(bytes);
    memcpy(bytes, whole.bytes, whole.n);
    bytes[8] = 2;
    bytes[12] = (char)~2;
    put_run(bytes, whole.n);
    expect(command(verb_run, "--resume -o hurt --no-pictures"), 2, "a cache of version 2; this program", "run");
    expect(command(verb_info, "hurt"), 2, "use the one that wrote it", "info");
    assert_unchanged(bytes, whole.n, "version");
    free(bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_flipped_bit_in_any_kind_of_chunk_is_said_and_repaired),
        cmocka_unit_test(bytes_torn_out_are_said_and_what_is_lost_computed_again),
        cmocka_unit_test(verbs_that_read_a_torn_run_say_what_is_lost),
        cmocka_unit_test(a_repair_that_would_change_frames_is_refused),
        cmocka_unit_test(a_damaged_run_whose_scene_is_gone_is_left_as_it_is),
        cmocka_unit_test(advice_on_damage_leads_on),
        cmocka_unit_test(a_cache_too_short_for_its_signature_is_computed_again),
        cmocka_unit_test(a_cache_that_begins_with_other_bytes_is_left_as_it_is),
        cmocka_unit_test(restart_points_of_another_build_are_refused_and_frames_are_read),
        cmocka_unit_test(a_cache_of_another_version_is_refused_and_left_as_it_is),
    };
    return cmocka_run_group_tests(tests, make_sample, remove_sample);
}
