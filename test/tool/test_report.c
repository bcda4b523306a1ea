/* SPDX-License-Identifier: MIT */
/* The report of a run that has something to tell of everything a report may tell of: so it also finds names in the
 * templates that the program does not know. */
#define _POSIX_C_SOURCE 200809L
#include "render/picture.h"
#include "report/run_report.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

enum { N_FRAMES = 5, N_NODES = 5 };

static void must(weft_result r, const weft_error *e)
{
    if (r < 0)
        fail_msg("%s: %s", weft_result_name(r), e->text);
}

/* A strip with a part that is finer; the audit found something in frame 3, the solver gave up in 4. */
static void add_frames(weft_cache_writer *w)
{
    static const int32_t triangles[] = {0, 1, 2, 1, 3, 2, 3, 4, 2};
    static const uint8_t levels[] = {0, 1, 1};
    weft_topology t = {.revision = 1, .n_nodes = N_NODES, .n_triangles = 3, .triangles = triangles, .levels = levels};
    weft_vec3 nodes[N_NODES] = {{0}};
    const weft_vec3 *positions[] = {nodes};
    weft_error e;
    must(weft_cache_add_topology(w, &t, &e), &e);
    for (int i = 0; i < N_FRAMES; i++) {
        double columns[STATS_COUNT];
        for (int k = 0; k < STATS_COUNT; k++)
            columns[k] = 1e-6 * i * k;
        columns[STATS_NODES] = N_NODES;
        columns[STATS_STRETCH] = 1.02;
        columns[STATS_PAIRS] = i == 3 ? 7 : 0;
        columns[STATS_TOO_NEAR] = 0;
        columns[STATS_RESULT] = i == 4 ? WEFT_WARNING_NOT_CONVERGED : WEFT_OK;
        columns[STATS_THREADS] = 1 + i % 2;
        weft_cache_frame frame = {.time = 0.1 * i, .hash = 0xabc, .columns = columns, .positions = positions};
        must(weft_cache_add_frame(w, &frame, &e), &e);
    }
}

static weft_cache *make_cache(const char *path)
{
    static const char *const cloths[] = {"strip"};
    weft_cache_def def = weft_cache_def_default();
    def.fps = 10;
    def.n_cloths = 1;
    def.cloth_names = cloths;
    def.n_columns = STATS_COUNT;
    def.column_names = stats_names;
    def.scene = "cloths: <none> & so on\n";
    weft_cache_writer *w = NULL;
    weft_cache *cache = NULL;
    weft_error e;
    must(weft_cache_create(path, &def, &w, &e), &e);
    add_frames(w);
    must(weft_cache_close(w, &e), &e);
    must(weft_cache_open(path, &cache, &e), &e);
    return cache;
}

/* A PNG of two by two pixels. */
static void add_picture(page *png)
{
    uint8_t pixels[12] = {255, 0, 0, 0, 255, 0, 0, 0, 255, 9, 9, 9}, *bytes;
    picture_bytes picture = {.width = 2, .height = 2, .rgb = pixels};
    size_t n;
    assert_null(picture_encode_png(&picture, &bytes, &n));
    page_add_bytes(png, bytes, n);
    free(bytes);
}

static void make_report(page *html)
{
    char path[64];
    snprintf(path, sizeof path, "/tmp/weft_report_%d.weft", (int)getpid());
    weft_cache *cache = make_cache(path);
    weft_fabric fabric = {.stretch_limit = 1.1};
    weft_scene_cloth cloth = {.model = {.n_fabrics = 1, .fabrics = &fabric}};
    weft_scene scene = {.n_cloths = 1, .cloths = &cloth};
    page png = {0};
    add_picture(&png);
    stats_table table;
    weft_error e;
    must(stats_read(cache, &table, &e), &e);
    run_report_def def = {.name = "a <b>", .folder = "my run", .scene = &scene, .cache = cache, .table = &table};
    def.preview = def.sheet = &png;
    warnings told = {0};
    warnings_add_table(&told, &table);
    def.warnings = &told;
    must(run_report_make(&def, html, &e), &e);
    stats_free(&table);
    weft_cache_free(cache);
    page_free(&png);
    remove(path);
}

static void assert_has(const page *html, const char *text)
{
    if (!strstr(page_text(html), text))
        fail_msg("not in the report: %s", text);
}

/* What there is to read, whatever the markup: tags and runs of blanks become one blank. */
static void read_text(const page *html, page *text)
{
    bool in_tag = false;
    for (const char *s = page_text(html); *s; s++) {
        bool is_blank = in_tag || *s == '<' || *s == ' ' || *s == '\n';
        in_tag = *s == '<' || (in_tag && *s != '>');
        if (!is_blank)
            page_add_bytes(text, s, 1);
        else if (text->n > 0 && text->bytes[text->n - 1] != ' ')
            page_add_bytes(text, " ", 1);
    }
}

static void a_run_is_told_in_full(void **state)
{
    (void)state;
    page html = {0}, text = {0};
    make_report(&html);
    read_text(&html, &text);
    assert_has(&text, "a &lt;b&gt; – Weft");
    assert_has(&text, "frames 4, 10 a second simulated 0.4 s");
    assert_has(&text, "threads 1 to 2 nodes 5, in 1 cloth cache");
    assert_has(&text, "triangles by level not split: 1, 1: 2 largest stretch 2.00 % intersections");
    assert_has(&text,
               "in 1 of 5 frames that were audited, most in frame 3: 7 pairs of triangles, 0 triangles too near");
    assert_has(&text, "final hash 0000000000000abc Weft");
    assert_has(&text, "intersections, or cloth too near a collider, which &#39;weft check&#39; shows in one "
                      "frame, at 0.3 s");
    assert_has(&text, "the solver stopped at its limit of iterations in one frame, at ");
    assert_has(&text, "Time a frame , ms solve assemble contact adapting other storing");
    assert_has(&text, "the fabric&#39;s limit");
    assert_has(&text, "weft export &#39;my run&#39; --out a__b_.pc2 --uniform ");
    assert_has(&text, "cloths: &lt;none&gt; &amp; so on ");
    assert_has(&html, "src=\"data:image/jpeg;base64,/9j/");
    assert_null(strstr(page_text(&html), "{{"));
    assert_null(strstr(page_text(&html), "<!--"));
    page_free(&html);
    page_free(&text);
}

static void a_report_is_one_file_with_its_style(void **state)
{
    (void)state;
    page html = {0};
    make_report(&html);
    assert_memory_equal(page_text(&html), "<!doctype html>", 15);
    assert_has(&html, "--bg:");
    assert_has(&html, ".strip:hover");
    assert_null(strstr(page_text(&html), "http:"));
    assert_null(strstr(page_text(&html), "https:"));
    assert_has(&html, "default-src 'none'"); /* what the page must not do, the browser sees to */
    assert_null(strstr(page_text(&html), "<link"));
    page_free(&html);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_run_is_told_in_full),
        cmocka_unit_test(a_report_is_one_file_with_its_style),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
