/* SPDX-License-Identifier: MIT */
/* What a run has to tell: the record that run.html shows. The words are in the template. */
#include "report/run_report.h"

#include "progress.h"
#include "report/plot.h"
#include "report/report.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

/* ---- summary ----------------------------------------------------------------------------------------------------- */

enum { MOST_LEVELS = 13 }; /* faces split twelve times at most */

static void set_times(record *to, const run_report_def *d)
{
    const stats_table *t = d->table;
    int32_t last = t->n_frames - 1;
    double seconds = stats_sum(t, STATS_TOTAL) + stats_sum(t, STATS_STORE);
    char wall[32], mean[32];
    progress_format_time(seconds, wall, sizeof wall);
    progress_format_short(last > 0 ? seconds / last : 0, mean, sizeof mean);
    record_set(to, "frames", "%d", last);
    record_set(to, "fps", "%g", weft_cache_get_info(d->cache).fps);
    record_set(to, "simulated", "%.4g", last >= 0 ? t->times[last] : 0);
    record_set(to, "computed", "%s", wall);
    record_set(to, "computed_a_frame", "%s", mean);
    record_set_empty(to, "speed");
    record_set_empty(to, "real_time");
    if (last > 0 && seconds > 0) {
        record_set(to, "speed", "%.3g", last / seconds);
        record_set(to, "real_time", "%.3g", t->times[last] / seconds);
    }
}

/* How many threads were at work; the fewest too, if not always as many. */
static void set_threads(record *to, const stats_table *t)
{
    double low = HUGE_VAL, high = 0;
    for (int32_t i = t->n_frames > 1 ? 1 : 0; i < t->n_frames; i++) {
        low = fmin(low, stats_at(t, i, STATS_THREADS));
        high = fmax(high, stats_at(t, i, STATS_THREADS));
    }
    record_set_empty(to, "threads");
    record_set_empty(to, "fewest_threads");
    if (isfinite(low))
        record_set(to, "threads", "%.0f", high);
    if (low < high)
        record_set(to, "fewest_threads", "%.0f", low);
}

static void set_sizes(record *to, const run_report_def *d)
{
    weft_cache_info info = weft_cache_get_info(d->cache);
    int32_t last = d->table->n_frames - 1;
    double raw = 0;
    for (int32_t i = 0; i < d->table->n_frames; i++)
        raw += 24 * stats_at(d->table, i, STATS_NODES);
    record_set(to, "nodes", "%.0f", last >= 0 ? stats_at(d->table, last, STATS_NODES) : 0);
    record_set(to, "cloths", "%d", info.n_cloths);
    record_set_flag(to, "several_cloths", info.n_cloths != 1);
    record_set(to, "cache", "%.1f", 1e-6 * (double)info.size);
    record_set(to, "cache_share", "%.0f", raw > 0 ? 100 * (double)info.frame_bytes / raw : 0);
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
static int32_t finest_level(const run_report_def *d, int32_t counts[MOST_LEVELS])
{
    int32_t last = MOST_LEVELS - 1;
    count_levels(d->cache, d->table->n_frames - 1, counts);
    while (last > 0 && counts[last] == 0)
        last--;
    return last;
}

/* Where a mesh has adapted: triangles by how often their faces have split. None of a mesh that never split. */
static void set_levels(record *to, const run_report_def *d)
{
    int32_t counts[MOST_LEVELS] = {0}, last = finest_level(d, counts);
    record_set_list(to, "level");
    record_set(to, "unsplit", "%d", counts[0]);
    for (int32_t k = 1; k <= last; k++) {
        record *level = record_add(to, "level");
        record_set(level, "depth", "%d", k);
        record_set(level, "triangles", "%d", counts[k]);
    }
}

/* What the audit found, if there was one. */
static void set_audit(record *to, const stats_table *t)
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
    record_set(to, "audited", "%d", n);
    record_set(to, "faulty", "%d", n_bad);
    record_set(to, "worst", "%d", worst);
    record_set(to, "worst_pairs", "%.0f", n_bad > 0 ? stats_at(t, worst, STATS_PAIRS) : 0);
    record_set(to, "worst_near", "%.0f", n_bad > 0 ? stats_at(t, worst, STATS_TOO_NEAR) : 0);
}

static void set_end(record *to, const stats_table *t)
{
    int32_t last = t->n_frames - 1;
    record_set_empty(to, "stretch");
    record_set_empty(to, "hash");
    if (last > 0)
        record_set(to, "stretch", "%.2f", 100 * (stats_max(t, STATS_STRETCH) - 1));
    if (last >= 0)
        record_set(to, "hash", "%016" PRIx64, t->hashes[last]);
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

static void add_plot_of(record *to, const stats_table *t, const plot *p)
{
    bool complete = true;
    for (int32_t i = 0; i < p->n_series; i++)
        complete = complete && p->series[i].values;
    plot whole = *p;
    whole.n = t->n_frames - 1;
    whole.times = t->times + 1;
    if (complete)
        plot_add(to, &whole);
    for (int32_t i = 0; i < p->n_series; i++)
        free(p->series[i].values);
}

static void add_simple(record *to, const stats_table *t, const char *title, const char *unit, int32_t column, int color)
{
    plot_series s = {title, column_of(t, column, 1, 0), color};
    plot p = {.title = title, .unit = unit, .series = &s, .n_series = 1, .mark = (double)NAN};
    p.whole = !*unit;
    add_plot_of(to, t, &p);
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

static void add_times(record *to, const stats_table *t)
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
    add_plot_of(to, t, &p);
}

static void add_stretch(record *to, const run_report_def *d)
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
    add_plot_of(to, d->table, &p);
}

static void add_energies(record *to, const stats_table *t)
{
    double lowest = HUGE_VAL;
    for (int32_t i = 1; i < t->n_frames; i++)
        lowest = fmin(lowest, stats_at(t, i, STATS_GRAVITY));
    plot_series s[] = {{"kinetic", column_of(t, STATS_KINETIC, 1, 0), 1},
                       {"stretch", column_of(t, STATS_STRETCHING, 1, 0), 2},
                       {"bending", column_of(t, STATS_BENDING, 1, 0), 3},
                       {"gravity, above its least", column_of(t, STATS_GRAVITY, 1, -lowest), 4}};
    plot p = {.title = "Energies", .unit = "J", .series = s, .n_series = 4, .logarithmic = true, .mark = (double)NAN};
    add_plot_of(to, t, &p);
}

static void add_nodes(record *to, const stats_table *t)
{
    plot_series s[] = {{"all", column_of(t, STATS_NODES, 1, 0), 6}, {"active", column_of(t, STATS_ACTIVE, 1, 0), 1}};
    plot p = {.title = "Nodes", .unit = "", .series = s, .n_series = 2, .whole = true, .mark = (double)NAN};
    add_plot_of(to, t, &p);
}

static void add_plots(record *to, const run_report_def *d)
{
    record_set_list(to, "plot");
    if (d->table->n_frames < 3)
        return;
    add_times(to, d->table);
    add_energies(to, d->table);
    add_stretch(to, d);
    add_simple(to, d->table, "Contacts with planes, spheres and other solids", "", STATS_CONTACTS, 3);
    add_simple(to, d->table, "Contacts with meshes, and of cloth with cloth", "", STATS_NEAR_PAIRS, 2);
    add_simple(to, d->table, "Collisions within a step", "", STATS_HITS, 5);
    add_simple(to, d->table, "Iterations of conjugate gradients", "", STATS_LINEAR, 1);
    add_simple(to, d->table, "Newton steps", "", STATS_NEWTON, 4);
    add_simple(to, d->table, "Largest speed", "m/s", STATS_SPEED, 5);
    add_nodes(to, d->table);
    if (stats_max(d->table, STATS_PAIRS) > 0)
        add_simple(to, d->table, "Intersecting pairs of triangles", "", STATS_PAIRS, 2);
}

/* ---- the page ---------------------------------------------------------------------------------------------------- */

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

/* What the commands to open the result elsewhere have in common. */
static void set_commands(record *to, const run_report_def *d)
{
    char name[64];
    page folder = {0};
    file_name(*d->name ? d->name : "cloth", name, sizeof name);
    page_add_shell(&folder, d->folder);
    record_set(to, "file", "%s", name);
    record_move(to, "shell_folder", &folder);
}

weft_result run_report_make(const run_report_def *d, page *html, weft_error *error)
{
    record *to = record_new();
    const char *scene = weft_cache_get_info(d->cache).scene;
    record_set(to, "name", "%s", d->name);
    record_set(to, "folder", "%s", d->folder);
    report_set_picture(to, "preview", d->preview);
    report_set_picture(to, "sheet", d->sheet);
    set_times(to, d);
    set_threads(to, d->table);
    set_sizes(to, d);
    set_levels(to, d);
    set_audit(to, d->table);
    warnings_set(d->warnings, to);
    set_end(to, d->table);
    add_plots(to, d);
    set_commands(to, d);
    record_set(to, "scene", "%s", scene ? scene : "");
    clip_summary ignored, *summary = d->clip_summary ? d->clip_summary : &ignored;
    weft_result r = report_set_clip(to, d->clip, d->clip_budget, summary, error);
    r = r < 0 ? r : report_fill("run", to, html, error);
    record_free(to);
    return r;
}
