/* SPDX-License-Identifier: MIT */
#include "args.h"
#include "disk.h"
#include "interrupt.h"
#include "pattern_body.h"
#include "plausible.h"
#include "progress.h"
#include "player/wear_clip.h"
#include "report/sew_report.h"
#include "say.h"
#include "verbs.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char examples[] =
    "  weft sew shirt.json --body body.obj                    pictures and a report in out/shirt\n"
    "  weft sew shirt.json skirt.json --body body.obj -o out/both    one over the other: the inner first\n"
    "  weft sew shirt.json --body body.obj --motion walk.pc2  and then the body walks\n"
    "  weft sew trousers.json --body body.obj --elastic waistband.top=0.75\n"
    "  weft form -o body.obj && weft form --draft skirt -o skirt.json && weft sew skirt.json --body body.obj\n";

static const char notes[] =
    "Files in DIR: NAME.svg the pattern, placed.png, drape.png and stretch.png from the front, the left and the back,\n"
    "NAME.obj the worn mesh, report.html; with a motion also motion.weft for 'weft export', walk.png and, where the "
    "body\n"
    "left cloth no room, squeezed.csv.\n"
    "Exit code 1: a seam is open by more than 1 mm, something intersects, a garment is inside of the body as a whole, "
    "or "
    "the\n"
    "last step left cloth no room.\n";

typedef struct sew_options {
    wear_def wear;
    const char *out, *fabric, *rib;
    double size, clearance;
    args_list elastic;
    int32_t frames;
    bool force, quiet;
} sew_options;

typedef struct sew_watch {
    progress p;
    const sew_options *o;
    weft_sew_phase phase;
    int32_t stage;
    double said_at;
} sew_watch;

/* ---- progress ---------------------------------------------------------------------------------------------------- */

static bool watch(void *user, const wear *w, const weft_step_stats *stats, double seconds)
{
    sew_watch *t = user;
    static const char *const names[] = {"pulling seams", "relaxing", "settling", "done"};
    const wear_garment *g = &w->garments[w->n_garments - 1];
    const weft_sew_state *s = &g->state;
    bool turn = s->phase != t->phase || s->stage != t->stage;
    double now = progress_now();
    t->phase = s->phase;
    t->stage = s->stage;
    if (t->p.style != PROGRESS_QUIET && (turn || now - t->said_at >= 2)) {
        t->said_at = now;
        progress_say(&t->p, "%s: %s%s: step %d, %d of %d seams shut, gap %.1f mm, %.2f m/s, %.0f ms a step%s", g->name,
                     names[s->phase], s->phase == WEFT_SEW_PULL && s->n_stages > 1 ? " in turn" : "", s->n_steps,
                     s->n_welded, s->n_seams, 1e3 * s->gap, s->speed, 1e3 * seconds,
                     stats->tangled > 0 ? ", something intersects" : "");
    }
    return interrupt_signal() == 0;
}

/* ---- elastics ---------------------------------------------------------------------------------------------------- */

/* "waistband.top=0.75" for the pattern that has such an edge. */
static weft_result set_elastic(weft_pattern *p, const char *text, bool *found, weft_error *error)
{
    char panel[128];
    const char *equals = strrchr(text, '=');
    double ratio = 0;
    *error = (weft_error){.code = WEFT_ERROR_ARGUMENT, .element = -1};
    snprintf(error->text, sizeof error->text, "'--elastic %.200s': expected PANEL.EDGE=RATIO, a ratio in (0, 4]", text);
    if (!equals || !args_read_number(equals + 1, &ratio) || !(ratio > 0 && ratio <= 4) ||
        (size_t)(equals - text) >= sizeof panel)
        return WEFT_ERROR_ARGUMENT;
    memcpy(panel, text, (size_t)(equals - text));
    panel[equals - text] = '\0';
    char *dot = strrchr(panel, '.');
    if (!dot)
        return WEFT_ERROR_ARGUMENT;
    *dot = '\0';
    int32_t pi = weft_pattern_find_panel(p, panel), ei = pi < 0 ? -1 : weft_pattern_find_edge(p, pi, dot + 1);
    if (ei < 0)
        return WEFT_OK;
    *found = true;
    return weft_pattern_set_elastic(p, pi, ei, ratio, error);
}

static weft_result read_pattern(const sew_options *o, const char *path, bool *found, weft_pattern **out,
                                weft_error *error)
{
    weft_result r = weft_pattern_read(path, out, error);
    for (int32_t i = 0; r >= 0 && i < o->elastic.n; i++)
        r = set_elastic(*out, o->elastic.items[i], &found[i], error);
    return r;
}

/* ---- files ------------------------------------------------------------------------------------------------------- */

static weft_result write_mesh(const wear *w, int32_t i, const char *path, weft_error *error)
{
    wear_mesh m;
    weft_result r = wear_mesh_get(w, &m, error);
    if (r < 0)
        return r;
    int32_t t = m.first_triangle[i], n = m.first_triangle[i + 1] - t, node = m.first_node[i];
    weft_mesh out = {.n_nodes = m.first_node[i + 1] - node, .positions = m.positions + node, .n_faces = n};
    out.face_start = malloc(((size_t)n + 1) * sizeof *out.face_start);
    out.corners = malloc(3 * (size_t)n * sizeof *out.corners + 1);
    if (out.face_start && out.corners) {
        for (int32_t k = 0; k <= n; k++)
            out.face_start[k] = 3 * k;
        for (int32_t k = 0; k < 3 * n; k++)
            out.corners[k] = m.triangles[3 * (size_t)t + (size_t)k] - node;
        r = weft_mesh_write(path, WEFT_MESH_OBJ, &out, error);
    } else {
        *error = (weft_error){.code = WEFT_ERROR_MEMORY, .element = -1, .text = "out of memory"};
        r = WEFT_ERROR_MEMORY;
    }
    free(out.face_start);
    free(out.corners);
    wear_mesh_free(&m);
    return r;
}

static char *file_in(const char *folder, const char *name, const char *ending)
{
    page text = {0};
    page_add(&text, "%s%s", name, ending);
    char *path = disk_join(folder, page_text(&text));
    page_free(&text);
    return path;
}

static weft_result write_pattern(const sew_options *o, const wear_garment *g, weft_error *error)
{
    weft_svg_def svg = weft_svg_def_default();
    svg.garment = g->garment;
    svg.force = true;
    char *path = file_in(o->out, g->name, ".svg");
    weft_result r = weft_pattern_write_svg(path, g->pattern, &svg, error);
    free(path);
    return r;
}

static weft_result write_picture(const sew_options *o, const wear *w, const char *name, bool stretch, weft_error *error)
{
    char *path = disk_join(o->out, name);
    weft_result r = wear_picture(w, path, stretch, error);
    free(path);
    return r;
}

/* The report; a motion has it written again, and only that one is told. */
static weft_result report_worn(const sew_options *o, const wear *w, const wear_audit *audit, weft_error *error)
{
    clip_summary s = {0};
    weft_result r = sew_report_write(w, audit, o->out, &s, error);
    if (r < 0 || s.n_frames == 0 || (w->motion && s.n_given < 2))
        return r;
    printf("player             %d of %d frames, %.2f MB, positions to %.3f mm\n", s.n_frames, s.n_given,
           1e-6 * (double)s.size, 1e3 * s.worst_error);
    return r;
}

static weft_result write_worn(const sew_options *o, wear *w, const wear_audit *audit, weft_error *error)
{
    weft_result r = write_picture(o, w, "drape.png", false, error);
    r = r < 0 ? r : write_picture(o, w, "stretch.png", true, error);
    for (int32_t i = 0; r >= 0 && i < w->n_garments; i++) {
        char *path = file_in(o->out, w->garments[i].name, ".obj");
        r = write_mesh(w, i, path, error);
        free(path);
    }
    r = r < 0 ? r : wear_clip_frame(w, audit, error);
    return r < 0 ? r : report_worn(o, w, audit, error);
}

/* ---- the work ---------------------------------------------------------------------------------------------------- */

/* --quiet is about progress. */
static void tell_aloud(warnings *w)
{
    progress p = progress_begin(PROGRESS_LINES, 0);
    warnings_tell(w, &p);
}

/* What was warned of before may be the reason. */
static int fail_sewing(wear *w, const weft_error *error)
{
    tell_aloud(&w->warnings);
    return say_wrong("%s", error->text);
}

/* Panels that the pattern puts into the body, or too near to it. */
static void warn_of_moves(const wear_garment *g)
{
    for (int32_t i = 0; i < weft_pattern_panel_count(g->pattern); i++)
        if (g->fits[i].from_hint && g->fits[i].moved > 1e-3)
            say_warning("%s: panel '%s' starts in the body or nearer than the clearance: moved by %.0f mm", g->path,
                        weft_pattern_panel(g->pattern, i)->name, 1e3 * g->fits[i].moved);
}

static weft_result sew_one(const sew_options *o, wear *w, const char *path, bool *found, weft_error *error)
{
    weft_pattern *pattern = NULL;
    weft_result r = read_pattern(o, path, found, &pattern, error);
    if (r < 0) {
        weft_pattern_destroy(pattern);
        return r;
    }
    const weft_landmarks *marks = weft_body_landmarks(w->body);
    warnings odd = {0};
    if (!w->body_is_odd)
        plausible_pattern(path, pattern, marks->high - marks->low, &odd);
    tell_aloud(&odd);
    warnings_take(&w->warnings, &odd);
    r = wear_add(w, path, pattern, error);
    r = r < 0 ? r : disk_make_folder(o->out, error); /* not before: nothing is written for what is refused */
    if (r >= 0)
        warn_of_moves(&w->garments[w->n_garments - 1]);
    r = r < 0 ? r : write_pattern(o, &w->garments[w->n_garments - 1], error);
    if (r >= 0) {
        char *placed = disk_join(o->out, "placed.png");
        r = pattern_body_picture(placed, &w->skin, w->garments[w->n_garments - 1].garment, error);
        free(placed);
    }
    return r < 0 ? r : wear_sew(w, error);
}

/* What the frames of a motion add up to. */
typedef struct walk_sums {
    wear_audit audit;
    int64_t squeezed;
    int32_t n_frames, n_touched; /* frames in which something intersects */
    double seconds, slowest;
} walk_sums;

/* "skirt 12" or "body 7". */
static void add_squeezed_node(page *out, const wear *w, weft_squeezed_node n)
{
    const char *name = "body";
    for (int32_t i = 0; i < w->n_garments && !n.of_collider; i++)
        if (w->garments[i].cloth.index == n.index)
            name = w->garments[i].name;
    page_add(out, ",%s %d", name, n.node);
}

static weft_result list_squeezed(const wear *w, int32_t frame, page *out, int64_t *sum, weft_error *error)
{
    int32_t n = 0;
    weft_result r = weft_sim_get_squeezed(w->sim, NULL, 0, &n, error);
    weft_squeezed *pairs = r >= 0 && n > 0 ? malloc((size_t)n * sizeof *pairs) : NULL;
    if (!pairs && r >= 0 && n > 0) {
        snprintf(error->text, sizeof error->text, "out of memory");
        return WEFT_ERROR_MEMORY;
    }
    if (!pairs)
        return r;
    r = weft_sim_get_squeezed(w->sim, pairs, n, &n, error);
    for (int32_t i = 0; r >= 0 && i < n; i++) {
        page_add(out, "%d,%s", frame, pairs[i].edges ? "edges" : "vertex and triangle");
        for (int k = 0; k < 4; k++)
            add_squeezed_node(out, w, pairs[i].node[k]);
        page_add(out, "\n");
    }
    *sum += n;
    free(pairs);
    return r;
}

static weft_result walk_frame(wear *w, int32_t i, walk_sums *sums, page *squeezed, weft_error *error)
{
    weft_step_stats stats;
    wear_audit now;
    double from = progress_now();
    weft_result r = wear_follow(w, i, &stats, error);
    double seconds = progress_now() - from;
    r = r < 0 ? r : wear_check(w, &now, error);
    r = r < 0 ? r : list_squeezed(w, i, squeezed, &sums->squeezed, error);
    r = r < 0 ? r : wear_record_frame(w, error);
    r = r < 0 ? r : wear_clip_frame(w, &now, error);
    if (r < 0)
        return r;
    sums->audit.n_cloth += now.n_cloth;
    sums->audit.n_body += now.n_body;
    sums->n_touched += now.n_cloth + now.n_body > 0;
    sums->n_frames++;
    sums->seconds += seconds;
    sums->slowest = fmax(sums->slowest, seconds);
    return r;
}

static weft_result write_squeezed(const sew_options *o, page *squeezed, weft_error *error)
{
    page text = {0};
    page_add(&text, "frame,kind,node,node,node,node\n%s", page_text(squeezed));
    char *path = disk_join(o->out, "squeezed.csv");
    weft_result r = disk_write(path, text.bytes, text.n, true, error);
    free(path);
    page_free(&text);
    return r;
}

static weft_result walk(const sew_options *o, wear *w, sew_watch *t, walk_sums *sums, weft_error *error)
{
    int32_t n = w->motion_info.n_frames, last = o->frames > 0 && o->frames < n ? o->frames : n;
    page squeezed = {0};
    weft_result r = wear_record_begin(w, o->out, error);
    r = r < 0 ? r : wear_record_frame(w, error);
    for (int32_t i = 1; r >= 0 && i < last && interrupt_signal() == 0; i++) {
        r = walk_frame(w, i, sums, &squeezed, error);
        if (r >= 0 && progress_now() - t->said_at >= 2) {
            t->said_at = progress_now();
            progress_say(&t->p, "frame %d of %d: %lld intersections and %lld squeezed pairs so far, %.2f s a frame", i,
                         last - 1, (long long)sums->audit.n_cloth + sums->audit.n_body, (long long)sums->squeezed,
                         sums->seconds / sums->n_frames);
        }
    }
    weft_error ignored;
    weft_result closed = wear_record_end(w, r < 0 ? &ignored : error);
    r = r < 0 ? r : closed;
    if (r >= 0 && sums->squeezed > 0)
        r = write_squeezed(o, &squeezed, error);
    page_free(&squeezed);
    return r < 0 ? r : write_picture(o, w, "walk.png", false, error);
}

static void tell_walk(const walk_sums *s)
{
    if (s->n_frames == 0)
        return;
    printf("with the motion    %d frames, %.2f s each, %.2f s at most\n", s->n_frames, s->seconds / s->n_frames,
           s->slowest);
    printf("                   %lld intersections of cloth with cloth and %lld with the body, in %d frames\n",
           (long long)s->audit.n_cloth, (long long)s->audit.n_body, s->n_touched);
    if (s->squeezed > 0)
        printf("                   %lld pairs that the body left no room: squeezed.csv\n", (long long)s->squeezed);
}

static int end_of(const wear *w, const wear_audit *audit)
{
    bool fine = audit->n_cloth + audit->n_body == 0 && w->n_squeezed == 0 && !warnings_are_wrong(&w->warnings);
    for (int32_t i = 0; i < w->n_garments; i++)
        fine = fine && w->garments[i].figures.widest_gap <= WEAR_WIDEST_GAP;
    return fine ? EXIT_FINE : EXIT_NO;
}

static int sew_all(const sew_options *o, const args_words *words, wear *w, sew_watch *t)
{
    weft_error error;
    bool found[64] = {false};
    wear_audit audit = {0};
    weft_result r = o->elastic.n <= 64 ? wear_begin(w, &o->wear, &error) : WEFT_ERROR_RANGE;
    if (o->elastic.n > 64)
        return say_wrong("at most 64 '--elastic'");
    tell_aloud(&w->warnings);
    w->watch = watch;
    w->watch_user = t;
    interrupt_set_sim(w->sim);
    for (int32_t i = 0; r >= 0 && i < words->n && !w->stopped; i++)
        r = sew_one(o, w, words->items[i], found, &error);
    if (interrupt_signal() != 0) {
        tell_aloud(&w->warnings);
        return 128 + interrupt_signal();
    }
    for (int32_t i = 0; r >= 0 && i < o->elastic.n; i++)
        if (!found[i])
            say_warning("'--elastic %s': no pattern has such an edge", o->elastic.items[i]);
    for (int32_t i = 0; r >= 0 && i < w->n_garments; i++)
        r = wear_measure(w, i, &error);
    r = r < 0 ? r : wear_check(w, &audit, &error);
    r = r < 0 ? r : write_worn(o, w, &audit, &error);
    if (r < 0)
        return fail_sewing(w, &error);
    wear_tell(w, &audit);
    for (int32_t i = 1; i < w->n_garments; i++) {
        double share = 0;
        int32_t n = 0;
        if (wear_layers(w, i - 1, i, &share, &n, &error) >= 0 && n > 0)
            printf("layers             %s inside %s: %.1f %% of %d rays\n", w->garments[i - 1].name,
                   w->garments[i].name, 100 * share, n);
    }
    walk_sums sums = {.audit = audit};
    if (w->motion && walk(o, w, t, &sums, &error) < 0)
        return fail_sewing(w, &error);
    tell_walk(&sums);
    if (sums.n_touched > 0)
        warnings_add_plain(&w->warnings, "%lld intersections in %d of the %d frames of the motion",
                           (long long)(sums.audit.n_cloth + sums.audit.n_body - audit.n_cloth - audit.n_body),
                           sums.n_touched, sums.n_frames);
    tell_aloud(&w->warnings);
    if (w->motion && report_worn(o, w, &audit, &error) < 0) /* again, with what the motion added */
        return say_wrong("%s", error.text);
    audit = sums.audit;
    if (interrupt_signal() != 0)
        return 128 + interrupt_signal();
    printf("wrote %s\n", o->out);
    return end_of(w, &audit);
}

static int no_fabric(const char *option, const char *name)
{
    enum { MOST = 64 };
    const char *names[MOST];
    page list = {0};
    int32_t n = weft_fabric_count() < MOST ? weft_fabric_count() : MOST;
    for (int32_t i = 0; i < n; i++) {
        names[i] = weft_fabric_name(i);
        page_add(&list, "%s%s", i > 0 ? ", " : "", names[i]);
    }
    const char *near = args_nearest(name, names, n);
    if (near)
        say_wrong("'--%s %s': there is none named \"%s\": did you mean '%s'?", option, name, name, near);
    else
        say_wrong("'--%s %s': there is none named \"%s\": there are %s", option, name, name, page_text(&list));
    page_free(&list);
    return EXIT_WRONG;
}

static int with_fabric(const sew_options *given, const args_words *words)
{
    sew_options own = *given, *o = &own; /* what it points to goes at the end */
    weft_fabric fabric = weft_fabric_default(), rib = fabric;
    weft_error error;
    if (weft_fabric_find(o->fabric, &fabric, &error) < 0)
        return no_fabric("fabric", o->fabric);
    if (weft_fabric_find(o->rib, &rib, &error) < 0)
        return no_fabric("rib", o->rib);
    o->wear.fabric = &fabric;
    o->wear.rib = &rib;
    o->wear.size = 1e-3 * o->size;
    o->wear.clearance = 1e-3 * o->clearance;
    char *folder = NULL;
    if (!o->out) {
        char *name = wear_name_of(words->items[0]);
        folder = disk_join("out", name ? name : "sewn");
        free(name);
        o->out = folder;
    }
    char *report = disk_join(o->out, "report.html");
    int code = EXIT_WRONG;
    if (disk_exists(report) && !o->force)
        say_wrong("%s exists already; replace what is there with --force", report);
    else {
        wear w = {0};
        sew_watch t = {.p = progress_begin(progress_choose(false, o->quiet), 1), .o = o, .stage = -1};
        interrupt_watch();
        code = sew_all(o, words, &w, &t);
        interrupt_ignore_no_more();
        wear_end(&w);
    }
    free(report);
    free(folder);
    return code;
}

int verb_sew(int argc, char **argv)
{
    sew_options o = {.wear = wear_def_default(), .size = 20, .clearance = 5, .fabric = "cotton", .rib = "rib"};
    const char **elastic = calloc((size_t)argc + 1, sizeof *elastic);
    if (!elastic)
        return say_wrong("out of memory");
    o.elastic.items = elastic;
    wear_def *d = &o.wear;
    const args_option options[] = {
        {"body", 0, ARGS_TEXT, &d->body, "MESH", "a closed body: y up, metres, facing +z", 0, 0},
        {"landmarks", 0, ARGS_TEXT, &d->landmarks, "FILE", "its landmarks; found from the mesh", 0, 0},
        {"body-scale", 0, ARGS_NUMBER, &d->body_scale, "S", "metres a unit of the body's file; 1", 1e-4, 1e4},
        {"fabric", 0, ARGS_TEXT, &o.fabric, "NAME", "one of the library's; cotton", 0, 0},
        {"rib", 0, ARGS_TEXT, &o.rib, "NAME", "that of bands which are shorter than what they are sewn to; rib", 0, 0},
        {"size", 0, ARGS_NUMBER, &o.size, "MM", "length of the mesh's edges; 20", 2, 200},
        {"adapt", 0, ARGS_INT, &d->adapt, "N", "split edges N times where the cloth bends; 0", 0, 6},
        {"motion", 0, ARGS_TEXT, &d->motion, "FILE", "moves the body after sewing: PC2, MDD, OBJ sequence", 0, 0},
        {"fps", 0, ARGS_NUMBER, &d->motion_fps, "N", "frames a second of the motion; 30", 1, 1000},
        {"frames", 0, ARGS_INT, &o.frames, "N", "of the motion; all", 1, 1e9},
        {"elastic", 0, ARGS_LIST, &o.elastic, "P.E=R", "edge E of panel P has an elastic of R times its length", 0, 0},
        {"ratio", 0, ARGS_NUMBER, &d->ratio, "R", "most that the sides of a seam may differ in length; 2", 1, 1000},
        {"clearance", 0, ARGS_NUMBER, &o.clearance, "MM", "least distance of panels from the body at first; 5", 0, 500},
        {"friction", 0, ARGS_NUMBER, &d->friction, "F", "of the body, times the fabric's; 1", 0, 100},
        {"step", 0, ARGS_NUMBER, &d->step, "S", "time step, s; 1/60", 1e-4, 0.1},
        {"speed", 0, ARGS_NUMBER, &d->speed, "V", "at which seams are pulled shut at most, m/s; 1", 0.01, 100},
        {"sew-time", 0, ARGS_NUMBER, &d->sew_time, "S", "for pulling seams at most, s; 3", 0, 1000},
        {"settle-time", 0, ARGS_NUMBER, &d->settle_time, "S", "for settling at most, s; 2", 0, 1000},
        {"ignore-hints", 0, ARGS_FLAG, &d->ignore_hints, NULL, "place panels by their names alone", 0, 0},
        {"threads", 0, ARGS_INT, &d->n_threads, "N", "0: one a core; 0", 0, 256},
        {"player-mb", 0, ARGS_NUMBER, &d->player_mb, "MB", "size of the report's 3D player, at most; 0: none; 8", 0,
         1000},
        {"out", 'o', ARGS_TEXT, &o.out, "DIR", "folder for the results; out/NAME", 0, 0},
        {"quiet", 'q', ARGS_FLAG, &o.quiet, NULL, "no progress", 0, 0},
        {"force", 0, ARGS_FLAG, &o.force, NULL, "replace what exists", 0, 0},
    };
    const args_spec spec = {.verb = "sew",
                            .usage = "PATTERN ... --body MESH [options]",
                            .about = "Cuts a sewing pattern, places its panels round a body, pulls the seams shut,\n"
                                     "lets it settle, and measures what came out.",
                            .examples = examples,
                            .notes = notes,
                            .options = options,
                            .n_options = sizeof options / sizeof *options,
                            .least_words = 1,
                            .most_words = WEAR_MOST,
                            .words_shown = "a pattern file"};
    args_words words;
    int code;
    if (args_begin(&spec, argc, argv, &words, &code))
        code = d->body ? with_fabric(&o, &words)
                       : say_wrong("a body is needed: --body MESH ('weft form -o body.obj' makes one)");
    free(elastic);
    return code;
}
