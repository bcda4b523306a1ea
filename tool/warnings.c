/* SPDX-License-Identifier: MIT */
#include "warnings.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- gathering --------------------------------------------------------------------------------------------------- */

/* "12 pairs have 0.5 mm" → "# pairs have # mm". Names in quotes stay. */
static void kind_of(const char *text, char *out, size_t room)
{
    size_t n = 0;
    bool in_quotes = false;
    while (*text && n + 1 < room) {
        size_t digits = strspn(text, "0123456789.e+-");
        in_quotes = in_quotes != (*text == '\'');
        bool is_number = !in_quotes && *text >= '0' && *text <= '9';
        out[n++] = is_number ? '#' : *text;
        text += is_number ? digits : 1;
    }
    out[n] = '\0';
}

static warning *find_kind(warnings *w, const char *text)
{
    char kind[sizeof w->items[0].kind];
    kind_of(text, kind, sizeof kind);
    for (int32_t i = 0; i < w->n; i++)
        if (strcmp(w->items[i].kind, kind) == 0)
            return &w->items[i];
    if (w->n == WARNINGS_MOST) {
        w->n_more++;
        return NULL;
    }
    warning *item = &w->items[w->n++];
    *item = (warning){.unit = ""};
    memcpy(item->kind, kind, sizeof kind);
    snprintf(item->text, sizeof item->text, "%s", text);
    return item;
}

static void add(warnings *w, const char *text, const char *unit, double time, bool is_wrong)
{
    warning *item = find_kind(w, text);
    if (!item)
        return;
    item->unit = unit;
    item->first = item->n == 0 ? time : item->first;
    item->last = time;
    item->is_wrong = is_wrong;
    item->n++;
}

void warnings_add_plain(warnings *w, const char *format, ...)
{
    page text = {0};
    va_list args;
    va_start(args, format);
    page_add_list(&text, format, args);
    va_end(args);
    find_kind(w, page_text(&text));
    page_free(&text);
}

void warnings_take(warnings *w, const warnings *from)
{
    for (int32_t i = 0; i < from->n && w->n < WARNINGS_MOST; i++)
        w->items[w->n++] = from->items[i];
}

/* ---- the log ----------------------------------------------------------------------------------------------------- */

/* What the numbers of a frame tell, too. */
static bool is_in_table(const char *text)
{
    static const char *const parts[] = {"have no room", "the step was done in", "intersect, and are pulled apart"};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (strstr(text, parts[i]))
            return true;
    return false;
}

void warnings_add_enclosed(warnings *w, const char *cloth, const char *collider, double time)
{
    page p = {0};
    page_add(&p, "cloth '%s' is wholly inside of collider '%s', a closed mesh, and is left there", cloth, collider);
    warning *item = find_kind(w, page_text(&p));
    if (item && item->n == 0)
        add(w, page_text(&p), "time", time, true);
    page_free(&p);
}

/* Nothing intersects, and yet nobody wears cloth in the body. The log tells of one and how many there are. */
static bool take_enclosed(warnings *w, const char *text, double time)
{
    int cloth = -1, collider = -1;
    const weft_scene *s = w->scene;
    if (sscanf(text, "cloth %d is wholly inside of collider %d", &cloth, &collider) != 2)
        return false;
    if (s && cloth >= 0 && cloth < s->n_cloths && collider >= 0 && collider < s->n_colliders)
        warnings_add_enclosed(w, s->cloths[cloth].name, s->colliders[collider].name, time);
    else
        add(w, text, "time", time, true);
    return true;
}

static const char overstretched[] = "as its stretch limit allows";

static bool has_text(const warnings *w, const char *part)
{
    for (int32_t i = 0; i < w->n; i++)
        if (strstr(w->items[i].text, part))
            return true;
    return false;
}

void warnings_log(void *user, weft_log_level level, const char *text)
{
    warnings *w = user;
    if (level != WEFT_LOG_WARNING)
        return;
    char *end;
    double time = strtod(text, &end);
    if (end != text && strncmp(end, " s: ", 4) == 0)
        text = end + 4;
    else
        time = (double)NAN;
    if (!take_enclosed(w, text, time) && !(w->by_frames && is_in_table(text)))
        add(w, text, "time", time, strstr(text, overstretched) != NULL);
}

static const char not_converged[] = "the solver stopped at its limit of iterations";
static const char stretched[] = "cloth was stretched by far more than its limit";
static const char node_limit[] = "a cloth would have split further, had it not reached its limit of nodes";

void warnings_add_result(warnings *w, weft_result result, double time)
{
    if (result == WEFT_WARNING_NOT_CONVERGED)
        add(w, not_converged, "step", time, false);
    if (result == WEFT_WARNING_NODE_LIMIT)
        add(w, node_limit, "step", time, false);
}

/* ---- frames ------------------------------------------------------------------------------------------------------ */

static bool is_squeezed(const stats_table *t, int32_t i)
{
    return stats_at(t, i, STATS_SQUEEZED) > 0 || stats_at(t, i, STATS_SQUEEZED_PAIRS) > 0;
}

static void add_frame(warnings *w, const stats_table *t, int32_t i)
{
    double time = t->times[i], result = stats_at(t, i, STATS_RESULT);
    bool is_faulty = stats_at(t, i, STATS_PAIRS) > 0 || stats_at(t, i, STATS_TOO_NEAR) > 0;
    w->n_audited += stats_at(t, i, STATS_PAIRS) >= 0;
    w->n_faulty += is_faulty;
    if (is_faulty)
        add(w, "intersections, or cloth too near a collider, which 'weft check' shows", "frame", time, true);
    if (stats_at(t, i, STATS_TANGLED) > 0)
        add(w, "triangles intersected, and were pulled apart", "frame", time, false);
    if (is_squeezed(t, i))
        add(w, "colliders left no room for the cloth", "frame", time, is_squeezed(t, t->n_frames - 1));
    if (stats_at(t, i, STATS_HALVINGS) > 0)
        add(w, "steps were done in parts", "frame", time, false);
    if (result == WEFT_WARNING_NOT_CONVERGED)
        add(w, not_converged, "frame", time, false);
    if (result == WEFT_WARNING_NODE_LIMIT)
        add(w, node_limit, "frame", time, false);
    w->n_stretched += result == WEFT_WARNING_STRETCHED;
    if (result == WEFT_WARNING_STRETCHED && !has_text(w, overstretched))
        add(w, stretched, "frame", time, true);
}

void warnings_add_table(warnings *w, const stats_table *table)
{
    w->n_frames += table->n_frames;
    for (int32_t i = 0; i < table->n_frames; i++)
        add_frame(w, table, i);
}

void warnings_add_unaudited(warnings *w, const char *folder)
{
    page p = {0};
    if (w->n_audited == w->n_frames)
        return;
    page_add(&p, "%d of %d frames were audited; 'weft check %s' looks at all", w->n_audited, w->n_frames, folder);
    warning *item = find_kind(w, page_text(&p));
    if (item)
        item->is_wrong = true;
    page_free(&p);
}

bool warnings_are_wrong(const warnings *w)
{
    for (int32_t i = 0; i < w->n; i++)
        if (w->items[i].is_wrong)
            return true;
    return false;
}

/* ---- telling ----------------------------------------------------------------------------------------------------- */

/* "once, at 0.5 s", "in 12 frames, from 0.5 s to 0.7 s", "3 times, …" */
static void times_of(const warning *item, page *out)
{
    bool is_time = strcmp(item->unit, "time") == 0;
    if (item->n == 1)
        page_add(out, is_time ? "once" : "in one %s", item->unit);
    else
        page_add(out, is_time ? "%d %ss" : "in %d %ss", item->n, item->unit);
    if (!isfinite(item->first))
        return;
    if (item->n == 1)
        page_add(out, ", at %.4g s", item->first);
    else
        page_add(out, ", from %.4g s to %.4g s", item->first, item->last);
}

static void tell_one(const warning *item, progress *p)
{
    page times = {0}, e = {0};
    times_of(item, &times);
    if (p->style != PROGRESS_JSON)
        progress_warn(p, "%s%s%s", item->text, item->n > 0 ? ": " : "", item->n > 0 ? page_text(&times) : "");
    page_add(&e, "\"text\":");
    page_add_json(&e, item->text);
    if (item->n > 0) {
        page_add(&e, ",\"count\":%d,\"counted\":\"%ss\",\"first\":", item->n, item->unit);
        page_add_number(&e, item->first);
        page_add(&e, ",\"last\":");
        page_add_number(&e, item->last);
    }
    page_add(&e, ",\"wrong\":%s", item->is_wrong ? "true" : "false");
    progress_event(p, "warning", &e);
    page_free(&times);
    page_free(&e);
}

void warnings_tell(warnings *w, progress *p)
{
    for (int32_t i = 0; i < w->n; i++) {
        if (!w->items[i].is_told)
            tell_one(&w->items[i], p);
        w->items[i].is_told = true;
    }
    if (w->n_more > 0)
        progress_warn(p, "and %d more warnings", w->n_more);
}

void warnings_set(const warnings *w, record *to)
{
    record_set_list(to, "warning");
    for (int32_t i = 0; w && i < w->n; i++) {
        page times = {0};
        if (w->items[i].n > 0)
            times_of(&w->items[i], &times);
        record *item = record_add(to, "warning");
        record_set(item, "warning_text", "%s", w->items[i].text);
        record_move(item, "warning_times", &times);
        record_set_flag(item, "wrong", w->items[i].is_wrong);
    }
}
