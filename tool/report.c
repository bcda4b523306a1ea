/* SPDX-License-Identifier: MIT */
#include "report.h"

#include "progress.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char style[] =
    ":root{color-scheme:light dark;--bg:#f7f7f5;--card:#fff;--ink:#1c1d1f;--soft:#63666b;--rule:#e2e2de;--code:#f1f1ee;"
    "--accent:#2468b4;--c1:#2a73c8;--c2:#d9692b;--c3:#17917a;--c4:#8a5cc4;--c5:#b8860b;--c6:#9a9da3;--hover:#0000000f}"
    "\n"
    "@media(prefers-color-scheme:dark){:root{--bg:#151617;--card:#1d1f21;--ink:#e8e8e6;--soft:#a0a3a8;--rule:#34373a;"
    "--code:#26292b;--accent:#7db4ef;--c1:#5a9fe8;--c2:#ec8f57;--c3:#3fb89f;--c4:#ab86dc;--c5:#d6a93c;--c6:#80848a;"
    "--hover:#ffffff17}}\n"
    "*{box-sizing:border-box}body{margin:0;background:var(--bg);color:var(--ink);"
    "font:16px/1.5 system-ui,-apple-system,'Segoe UI',Roboto,'Helvetica Neue',Arial,sans-serif}\n"
    "main{max-width:1180px;margin:0 auto;padding:28px 20px 60px}h1{font-size:30px;line-height:1.2;margin:0}"
    "h2{font-size:20px;margin:44px 0 14px}.lead{color:var(--soft);margin:4px 0 24px}\n"
    ".hero{display:grid;grid-template-columns:minmax(0,3fr) minmax(270px,2fr);gap:20px;align-items:start}"
    ".card,figure{background:var(--card);border:1px solid var(--rule);border-radius:10px;overflow:hidden}"
    "img{display:block;width:100%;height:auto}\n"
    "table{border-collapse:collapse;width:100%}td,th{padding:7px 16px;border-top:1px solid var(--rule);text-align:left;"
    "vertical-align:top}tr:first-child>*{border-top:0}th{font-weight:400;color:var(--soft);white-space:nowrap}"
    "td{font-variant-numeric:tabular-nums;overflow-wrap:anywhere}\n"
    ".plots{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,430px),1fr));gap:16px}"
    "figure{margin:0;padding:14px 14px 8px}figcaption{font-size:15px;margin:0 0 8px 4px;color:var(--soft)}"
    "figcaption b{color:var(--ink)}.key{margin-left:12px;white-space:nowrap}"
    ".key i{display:inline-block;width:11px;height:11px;border-radius:3px;margin-right:5px}\n"
    "svg{display:block;width:100%;height:auto}.tick{font-size:12px;fill:var(--soft)}.grid{stroke:var(--rule)}"
    ".axis{stroke:var(--soft)}.mark{stroke:var(--c2);stroke-dasharray:5 4}"
    ".line{fill:none;stroke-width:1.8;stroke-linejoin:round}.strip{fill:transparent}.strip:hover{fill:var(--hover)}\n"
    ".line.c1{stroke:var(--c1)}.line.c2{stroke:var(--c2)}.line.c3{stroke:var(--c3)}.line.c4{stroke:var(--c4)}"
    ".line.c5{stroke:var(--c5)}.line.c6{stroke:var(--c6)}.area.c1,.k1{fill:var(--c1);background:var(--c1)}"
    ".area.c2,.k2{fill:var(--c2);background:var(--c2)}.area.c3,.k3{fill:var(--c3);background:var(--c3)}"
    ".area.c4,.k4{fill:var(--c4);background:var(--c4)}.area.c5,.k5{fill:var(--c5);background:var(--c5)}"
    ".area.c6,.k6{fill:var(--c6);background:var(--c6)}\n"
    "code,pre{font:13.5px/1.5 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace}"
    "td code{display:block;background:var(--code);border-radius:6px;padding:5px 10px;margin-top:4px;overflow-x:auto;"
    "white-space:pre}.open th{color:var(--ink);font-weight:600}.open td span{color:var(--soft)}\n"
    "details{padding:12px 16px}summary{cursor:pointer;color:var(--accent)}pre{overflow-x:auto;margin:12px 0 0}"
    "footer{color:var(--soft);margin-top:40px;font-size:14px}\n"
    "@media(max-width:760px){main{padding:20px 12px 40px}.hero{grid-template-columns:minmax(0,1fr)}h1{font-size:25px}"
    "td,th{padding:6px 10px}.open th,.open td{display:block}.open td{border-top:0;padding-top:0}"
    ".key{margin-left:8px}}\n";

/* ---- summary ----------------------------------------------------------------------------------------------------- */

enum { MOST_LEVELS = 13 }; /* faces split twelve times at most */

static void add_row(page *html, const char *name, const char *format, ...) PAGE_FORMAT(3, 4);

static void add_row(page *html, const char *name, const char *format, ...)
{
    char text[256];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    page_add(html, "<tr><th>%s</th><td>", name);
    page_add_html(html, text);
    page_add(html, "</td></tr>\n");
}

static void count_results(const stats_table *t, int32_t counts[4])
{
    for (int32_t i = 1; i < t->n_frames; i++) {
        double result = stats_at(t, i, STATS_RESULT);
        if (result >= 1 && result <= 3)
            counts[(int)result]++;
    }
}

/* The range of threads that were at work, as "2" or "1 to 4". */
static void add_threads(page *html, const stats_table *t)
{
    double low = HUGE_VAL, high = 0;
    for (int32_t i = t->n_frames > 1 ? 1 : 0; i < t->n_frames; i++) {
        low = fmin(low, stats_at(t, i, STATS_THREADS));
        high = fmax(high, stats_at(t, i, STATS_THREADS));
    }
    if (low < high)
        add_row(html, "threads", "%.0f to %.0f", low, high);
    else if (isfinite(low))
        add_row(html, "threads", "%.0f", high);
}

static void add_sizes(page *html, const report_def *d)
{
    weft_cache_info info = weft_cache_get_info(d->cache);
    double nodes = stats_at(d->table, d->table->n_frames - 1, STATS_NODES);
    double raw = 0;
    for (int32_t i = 0; i < d->table->n_frames; i++)
        raw += 24 * stats_at(d->table, i, STATS_NODES);
    add_row(html, "nodes", "%.0f, in %d cloth%s", nodes, info.n_cloths, info.n_cloths == 1 ? "" : "s");
    add_row(html, "cache", "%.1f MB; frames take %.0f %% of the size of doubles", 1e-6 * (double)info.size,
            raw > 0 ? 100 * (double)info.frame_bytes / raw : 0);
}

/* Of all cloths, at a frame: how many triangles lie in faces that have split so often. */
static void count_levels(weft_cache *cache, int32_t frame, int32_t counts[MOST_LEVELS])
{
    weft_error ignored;
    for (int32_t i = 0; frame >= 0 && i < weft_cache_get_info(cache).n_cloths; i++) {
        const weft_topology *t = NULL;
        if (weft_cache_get_topology(cache, frame, i, &t, &ignored) < 0)
            continue;
        for (int32_t k = 0; k < t->n_triangles; k++)
            counts[t->levels && t->levels[k] < MOST_LEVELS ? t->levels[k] : 0]++;
    }
}

/* The finest level of the last frame. */
static int32_t finest_level(const report_def *d, int32_t counts[MOST_LEVELS])
{
    int32_t last = MOST_LEVELS - 1;
    count_levels(d->cache, d->table->n_frames - 1, counts);
    while (last > 0 && counts[last] == 0)
        last--;
    return last;
}

/* Where a mesh has adapted; "not split: 24, 1: 96, 2: 52". */
static void add_levels(page *html, const report_def *d)
{
    int32_t counts[MOST_LEVELS] = {0}, last = finest_level(d, counts);
    char text[256];
    if (last == 0)
        return;
    int n = snprintf(text, sizeof text, "not split: %d", counts[0]);
    for (int32_t k = 1; k <= last && n < (int)sizeof text; k++)
        n += snprintf(text + n, sizeof text - (size_t)n, ", %d: %d", k, counts[k]);
    add_row(html, "triangles by level", "%s", text);
}

/* What the audit found, if there was one. */
static void add_audit(page *html, const stats_table *t)
{
    int32_t n = 0, n_bad = 0, worst = 0;
    double most = 0;
    for (int32_t i = 0; i < t->n_frames; i++) {
        double faults = stats_at(t, i, STATS_PAIRS) + stats_at(t, i, STATS_TOO_NEAR);
        n += faults >= 0;
        n_bad += faults > 0;
        if (faults > most) {
            most = faults;
            worst = i;
        }
    }
    if (n_bad > 0)
        add_row(html, "intersections",
                "in %d of %d frames that were audited, most in frame %d: %.0f pairs of triangles, "
                "%.0f triangles too near a collider",
                n_bad, n, worst, stats_at(t, worst, STATS_PAIRS), stats_at(t, worst, STATS_TOO_NEAR));
    else if (n > 0)
        add_row(html, "intersections", "none, exactly, in all %d frames that were audited", n);
}

static void add_summary(page *html, const report_def *d)
{
    const stats_table *t = d->table;
    weft_cache_info info = weft_cache_get_info(d->cache);
    char wall[32], mean[32];
    int32_t last = t->n_frames - 1, counts[4] = {0};
    double seconds = stats_sum(t, STATS_TOTAL) + stats_sum(t, STATS_STORE);
    progress_format_time(seconds, wall, sizeof wall);
    progress_format_short(last > 0 ? seconds / last : 0, mean, sizeof mean);
    page_add(html, "<div class=\"card\"><table>\n");
    add_row(html, "frames", "%d, %g a second", last, info.fps);
    add_row(html, "simulated", "%.4g s", last >= 0 ? t->times[last] : 0);
    add_row(html, "computed in", "%s; %s a frame", wall, mean);
    if (last > 0 && seconds > 0)
        add_row(html, "speed", "%.3g frames a second, %.3g × real time", last / seconds, t->times[last] / seconds);
    add_threads(html, t);
    add_sizes(html, d);
    add_levels(html, d);
    if (last > 0)
        add_row(html, "largest stretch", "%.2f %%", 100 * (stats_max(t, STATS_STRETCH) - 1));
    add_audit(html, t);
    count_results(t, counts);
    if (counts[WEFT_WARNING_NOT_CONVERGED])
        add_row(html, "at the iteration limit", "%d frames", counts[WEFT_WARNING_NOT_CONVERGED]);
    if (counts[WEFT_WARNING_HALVED])
        add_row(html, "done in parts", "%d frames", counts[WEFT_WARNING_HALVED]);
    if (counts[WEFT_WARNING_SQUEEZED])
        add_row(html, "squeezed", "%d frames", counts[WEFT_WARNING_SQUEEZED]);
    if (last >= 0)
        add_row(html, "final hash", "%016" PRIx64, t->hashes[last]);
    add_row(html, "Weft", "%s", weft_version());
    page_add(html, "</table></div>\n");
}

/* ---- pictures ---------------------------------------------------------------------------------------------------- */

static void add_picture(page *html, const page *png, const char *text)
{
    if (!png || png->n == 0)
        return;
    page_add(html, "<div class=\"card\"><img alt=\"%s\" src=\"data:image/png;base64,", text);
    page_add_base64(html, png->bytes, png->n);
    page_add(html, "\"></div>\n");
}

/* ---- plots ------------------------------------------------------------------------------------------------------- */

/* A column of frames 1 …: scale · value + shift. malloc'ed; NULL: out of memory. */
static double *column_of(const stats_table *t, int32_t column, double scale, double shift)
{
    double *out = calloc((size_t)t->n_frames + 1, sizeof *out);
    for (int32_t i = 1; out && i < t->n_frames; i++)
        out[i - 1] = scale * stats_at(t, i, column) + shift;
    return out;
}

static void add_plot_of(page *html, const stats_table *t, const plot *p)
{
    bool complete = true;
    for (int32_t i = 0; i < p->n_series; i++)
        complete = complete && p->series[i].values;
    plot whole = *p;
    whole.n = t->n_frames - 1;
    whole.times = t->times + 1;
    if (complete)
        plot_add(html, &whole);
    for (int32_t i = 0; i < p->n_series; i++)
        free(p->series[i].values);
}

static void add_simple(page *html, const stats_table *t, const char *title, const char *unit, int32_t column, int color)
{
    plot_series s = {title, column_of(t, column, 1, 0), color};
    plot p = {.title = title, .unit = unit, .series = &s, .n_series = 1, .mark = (double)NAN};
    p.whole = !*unit;
    add_plot_of(html, t, &p);
}

/* With colliders, and of cloth with cloth and meshes. */
static double *contact_times(const stats_table *t)
{
    static const int32_t columns[] = {STATS_MEET, STATS_WALK, STATS_TEST, STATS_RESPOND};
    double *sum = column_of(t, STATS_TOUCH, 1e3, 0);
    for (size_t k = 0; sum && k < sizeof columns / sizeof *columns; k++) {
        double *more = column_of(t, columns[k], 1e3, 0);
        for (int32_t i = 0; more && i < t->n_frames - 1; i++)
            sum[i] += isfinite(more[i]) ? more[i] : 0;
        free(more);
    }
    return sum;
}

static void add_times(page *html, const stats_table *t)
{
    plot_series s[] = {{"solve", column_of(t, STATS_SOLVE, 1e3, 0), 1},
                       {"assemble", column_of(t, STATS_ASSEMBLE, 1e3, 0), 3},
                       {"contact", contact_times(t), 2},
                       {"adapting", column_of(t, STATS_ADAPT, 1e3, 0), 5},
                       {"other", column_of(t, STATS_TOTAL, 1e3, 0), 6},
                       {"storing", column_of(t, STATS_STORE, 1e3, 0), 4}};
    bool known = s[0].values && s[1].values && s[2].values && s[3].values && s[4].values;
    for (int32_t i = 0; known && i < t->n_frames - 1; i++) {
        double *other = &s[4].values[i];
        *other = fmax(0, *other - s[0].values[i] - s[1].values[i] - s[2].values[i] - s[3].values[i]);
    }
    plot p = {.title = "Time a frame", .unit = "ms", .series = s, .n_series = 6, .stacked = true, .mark = (double)NAN};
    add_plot_of(html, t, &p);
}

static void add_stretch(page *html, const report_def *d)
{
    plot_series s = {"largest stretch", column_of(d->table, STATS_STRETCH, 100, -100), 2};
    plot p = {.title = "Largest stretch of a side", .unit = "%", .series = &s, .n_series = 1, .mark = (double)NAN};
    double limit = 0;
    for (int32_t i = 0; d->scene && i < d->scene->n_cloths; i++)
        for (int32_t j = 0; j < d->scene->cloths[i].model.n_fabrics; j++)
            limit = fmax(limit, d->scene->cloths[i].model.fabrics[j].stretch_limit);
    if (limit > 1) {
        p.mark = 100 * (limit - 1);
        p.mark_name = "the fabric's limit";
    }
    add_plot_of(html, d->table, &p);
}

static void add_energies(page *html, const stats_table *t)
{
    double lowest = HUGE_VAL;
    for (int32_t i = 1; i < t->n_frames; i++)
        lowest = fmin(lowest, stats_at(t, i, STATS_GRAVITY));
    plot_series s[] = {{"kinetic", column_of(t, STATS_KINETIC, 1, 0), 1},
                       {"stretch", column_of(t, STATS_STRETCHING, 1, 0), 2},
                       {"bending", column_of(t, STATS_BENDING, 1, 0), 3},
                       {"gravity, above its least", column_of(t, STATS_GRAVITY, 1, -lowest), 4}};
    plot p = {.title = "Energies", .unit = "J", .series = s, .n_series = 4, .logarithmic = true, .mark = (double)NAN};
    add_plot_of(html, t, &p);
}

static void add_nodes(page *html, const stats_table *t)
{
    plot_series s[] = {{"all", column_of(t, STATS_NODES, 1, 0), 6}, {"active", column_of(t, STATS_ACTIVE, 1, 0), 1}};
    plot p = {.title = "Nodes", .unit = "", .series = s, .n_series = 2, .whole = true, .mark = (double)NAN};
    add_plot_of(html, t, &p);
}

static void add_plots(page *html, const report_def *d)
{
    if (d->table->n_frames < 3)
        return;
    page_add(html, "<h2>Frame by frame</h2>\n<div class=\"plots\">\n");
    add_times(html, d->table);
    add_energies(html, d->table);
    add_stretch(html, d);
    add_simple(html, d->table, "Contacts", "", STATS_CONTACTS, 3);
    add_simple(html, d->table, "Pairs of cloth with cloth and meshes", "", STATS_NEAR_PAIRS, 2);
    add_simple(html, d->table, "Collisions within a step", "", STATS_HITS, 5);
    add_simple(html, d->table, "Iterations of conjugate gradients", "", STATS_LINEAR, 1);
    add_simple(html, d->table, "Newton steps", "", STATS_NEWTON, 4);
    add_simple(html, d->table, "Largest speed", "m/s", STATS_SPEED, 5);
    add_nodes(html, d->table);
    if (stats_max(d->table, STATS_PAIRS) > 0)
        add_simple(html, d->table, "Intersecting pairs of triangles", "", STATS_PAIRS, 2);
    page_add(html, "</div>\n");
}

/* ---- elsewhere --------------------------------------------------------------------------------------------------- */

/* The name is shortened to letters that are the same for every shell and file system. */
static void file_name(const char *name, char *out, size_t room)
{
    size_t n = 0;
    for (; *name && n + 1 < room; name++) {
        bool plain = (*name >= 'a' && *name <= 'z') || (*name >= 'A' && *name <= 'Z') || (*name >= '0' && *name <= '9');
        out[n++] = plain || *name == '-' ? *name : '_';
    }
    out[n] = '\0';
}

static void add_command(page *html, const report_def *d, const char *verb, const char *rest)
{
    page command = {0};
    page_add(&command, "weft %s ", verb);
    page_add_shell(&command, d->folder);
    page_add(&command, " %s", rest);
    page_add(html, "<code>");
    page_add_html(html, page_text(&command));
    page_add(html, "</code>");
    page_free(&command);
}

static void add_export(page *html, const report_def *d, const char *where, const char *how, const char *ending,
                       const char *options)
{
    char name[64], rest[160];
    file_name(*d->name ? d->name : "cloth", name, sizeof name);
    snprintf(rest, sizeof rest, "--out %s.%s%s", name, ending, options);
    page_add(html, "<tr><th>%s</th><td><span>%s</span>", where, how);
    add_command(html, d, "export", rest);
    page_add(html, "</td></tr>\n");
}

/* An adaptive mesh has to be made uniform for formats of one topology. */
static void add_elsewhere(page *html, const report_def *d)
{
    int32_t counts[MOST_LEVELS] = {0};
    bool adapted = finest_level(d, counts) > 0;
    const char *one = adapted ? " --uniform" : "";
    page_add(html, "<h2>Open the result elsewhere</h2>\n<div class=\"card\"><table class=\"open\">\n");
    add_export(html, d, "Blender", "PC2 with the mesh beside it: import the OBJ, then add a Mesh Cache modifier", "pc2",
               one);
    add_export(html, d, "Viewers, web", "GLB, the motion as morph targets", "glb", one);
    add_export(html, d, "Houdini, USD", "USDA with a time sample a frame", "usda", "");
    add_export(html, d, "Modo, LightWave", "MDD point cache with the mesh beside it, in centimetres", "mdd",
               adapted ? " --scale 100 --uniform" : " --scale 100");
    add_export(html, d, "Python", "numpy.load gives vertices_seq, faces, vertices_uv, faces_uv, fps", "npz", one);
    add_export(html, d, "Everything else", "a numbered OBJ file a frame; PLY likewise", "obj", " --every 10");
    page_add(html, "<tr><th>More pictures</th><td><span>stretch as colours, the mesh's lines, all frames, a video"
                   "</span>");
    add_command(html, d, "render", "--color stretch --wire --all --mp4");
    page_add(html, "</td></tr>\n</table></div>\n");
}

/* ---- the page ---------------------------------------------------------------------------------------------------- */

static void add_scene(page *html, const report_def *d)
{
    const char *text = weft_cache_get_info(d->cache).scene;
    page_add(html, "<h2>The scene</h2>\n<div class=\"card\"><details><summary>with every default written out</summary>"
                   "<pre>");
    page_add_html(html, text ? text : "");
    page_add(html, "</pre></details></div>\n");
}

void report_make(const report_def *d, page *html)
{
    page_add(html, "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n<meta name=\"viewport\" "
                   "content=\"width=device-width,initial-scale=1\">\n<title>");
    page_add_html(html, d->name);
    page_add(html, " – Weft</title>\n<style>\n%s</style></head>\n<body><main>\n<h1>", style);
    page_add_html(html, d->name);
    page_add(html, "</h1>\n<p class=\"lead\">A cloth simulation by Weft, in ");
    page_add_html(html, d->folder);
    page_add(html, "</p>\n<div class=\"hero\">\n");
    add_picture(html, d->preview, "The last frame");
    add_summary(html, d);
    page_add(html, "</div>\n");
    if (d->sheet && d->sheet->n > 0) {
        page_add(html, "<h2>From the first frame to the last</h2>\n");
        add_picture(html, d->sheet, "Frames of the run");
    }
    add_plots(html, d);
    add_elsewhere(html, d);
    add_scene(html, d);
    page_add(html, "<footer>stats.csv beside this file has all the numbers; <code>weft help</code> tells what else can "
                   "be done.</footer>\n</main></body></html>\n");
}
