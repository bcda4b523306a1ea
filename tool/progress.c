/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L
#include "progress.h"

#include "say.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

double progress_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

progress_style progress_choose(bool json, bool quiet)
{
    return json ? PROGRESS_JSON : quiet ? PROGRESS_QUIET : isatty(STDERR_FILENO) ? PROGRESS_TERMINAL : PROGRESS_LINES;
}

progress progress_begin(progress_style style, int32_t last)
{
    return (progress){.style = style, .last = last, .said_at = -HUGE_VAL};
}

/* ---- texts ------------------------------------------------------------------------------------------------------- */

void progress_format_time(double seconds, char *out, size_t room)
{
    if (!(seconds >= 0) || seconds > 1e9) {
        snprintf(out, room, "?");
        return;
    }
    long long s = (long long)(seconds + 0.5);
    if (s < 60)
        snprintf(out, room, "%lld s", s);
    else if (s < 3600)
        snprintf(out, room, "%lld:%02lld", s / 60, s % 60);
    else if (s < 86400)
        snprintf(out, room, "%lld:%02lld:%02lld", s / 3600, s / 60 % 60, s % 60);
    else
        snprintf(out, room, "%lld d %lld h", s / 86400, s / 3600 % 24);
}

void progress_format_short(double seconds, char *out, size_t room)
{
    if (seconds < 0.0995)
        snprintf(out, room, "%.1f ms", 1e3 * seconds);
    else if (seconds < 0.9995)
        snprintf(out, room, "%.0f ms", 1e3 * seconds);
    else
        snprintf(out, room, "%.2f s", seconds);
}

static int terminal_width(void)
{
    struct winsize size;
    if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col >= 20)
        return size.ws_col;
    return 80;
}

static bool is_utf8(void)
{
    const char *names[] = {"LC_ALL", "LC_CTYPE", "LANG"};
    for (int i = 0; i < 3; i++) {
        const char *value = getenv(names[i]);
        if (value && *value)
            return strstr(value, "UTF-8") || strstr(value, "utf8") || strstr(value, "UTF8");
    }
    return false;
}

static void add_bar(page *line, double share, int width)
{
    bool utf8 = is_utf8();
    int full = (int)(share * width + 0.5);
    page_add(line, utf8 ? "" : "[");
    for (int i = 0; i < width; i++)
        page_add(line, "%s", i < full ? (utf8 ? "\xE2\x94\x81" : "=") : (utf8 ? "\xE2\x95\x8C" : " "));
    page_add(line, utf8 ? " " : "] ");
}

/* Writes over the line before, and no more than the terminal has columns. */
static void show_line(progress *p, double share, const char *text)
{
    page line = {0};
    int width = terminal_width() - 1;
    int bar = width - (int)strlen(text) - 8;
    bar = bar > 24 ? 24 : bar;
    page_add(&line, "\r");
    if (bar >= 6)
        add_bar(&line, share, bar);
    page_add(&line, "%3.0f%% %.*s\x1b[K", 100 * share, width - 5, text);
    fputs(page_text(&line), stderr);
    fflush(stderr);
    p->line_is_open = true;
    page_free(&line);
}

void progress_end_line(progress *p)
{
    if (p->line_is_open)
        fputc('\n', stderr);
    p->line_is_open = false;
}

/* ---- events ------------------------------------------------------------------------------------------------------ */

void progress_event(const progress *p, const char *event, const page *fields)
{
    if (p->style != PROGRESS_JSON)
        return;
    printf("{\"event\":\"%s\"%s%s}\n", event, fields->n ? "," : "", page_text(fields));
    fflush(stdout);
}

static void text_event(const progress *p, const char *event, const char *text)
{
    page fields = {0};
    page_add(&fields, "\"text\":");
    page_add_json(&fields, text);
    progress_event(p, event, &fields);
    page_free(&fields);
}

void progress_say(progress *p, const char *format, ...)
{
    if (p->style == PROGRESS_JSON || p->style == PROGRESS_QUIET)
        return;
    progress_end_line(p);
    va_list args;
    va_start(args, format);
    vfprintf(stderr, format, args);
    va_end(args);
    fputc('\n', stderr);
}

void progress_warn(progress *p, const char *format, ...)
{
    char text[1024];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    progress_end_line(p);
    if (p->style == PROGRESS_JSON)
        text_event(p, "warning", text);
    else if (p->style != PROGRESS_QUIET)
        say_warning("%s", text);
}

int progress_fail(progress *p, const char *format, ...)
{
    char text[2048];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    progress_end_line(p);
    text_event(p, "error", text);
    return say_wrong("%s", text);
}

/* ---- frames ------------------------------------------------------------------------------------------------------ */

static double seconds_left(const progress *p, int32_t frame)
{
    return p->frame_seconds * (p->last - frame);
}

static void frame_event(const progress *p, const progress_frame *f)
{
    const weft_step_stats *s = f->stats;
    page e = {0};
    page_add(&e, "\"frame\":%d,\"frames\":%d,\"time\":", f->frame, p->last);
    page_add_number(&e, s->time);
    page_add(&e, ",\"nodes\":%d,\"newton\":%d,\"linear\":%d,\"contacts\":%d,\"pairs\":%d,\"stretch\":", s->n_nodes,
             s->newton_iterations, s->linear_iterations, s->contacts, s->pairs);
    page_add_number(&e, s->stretch);
    page_add(&e, ",\"max_speed\":");
    page_add_number(&e, s->max_speed);
    page_add(&e, ",\"seconds\":");
    page_add_number(&e, f->seconds);
    page_add(&e, ",\"seconds_left\":");
    page_add_number(&e, seconds_left(p, f->frame));
    page_add(&e, ",\"hash\":\"%016" PRIx64 "\",\"result\":", f->hash);
    page_add_json(&e, weft_result_name(f->result));
    if (f->pairs >= 0) {
        page_add(&e, ",\"intersecting_pairs\":");
        page_add_number(&e, f->pairs);
        page_add(&e, ",\"too_near\":");
        page_add_number(&e, f->too_near);
    }
    progress_event(p, "frame", &e);
    page_free(&e);
}

static void frame_line(const progress *p, const progress_frame *f, page *line)
{
    char left[32], took[32];
    const weft_step_stats *s = f->stats;
    progress_format_time(seconds_left(p, f->frame), left, sizeof left);
    progress_format_short(f->seconds, took, sizeof took);
    page_add(line, "frame %d/%d, %s left, %d nodes, Newton %d, CG %d, touching %d, %s", f->frame, p->last, left,
             s->n_nodes, s->newton_iterations, s->linear_iterations, s->contacts + s->pairs, took);
    if (f->pairs > 0)
        page_add(line, ", %.0f pairs intersect", f->pairs);
    if (f->too_near > 0)
        page_add(line, ", %.0f triangles too near", f->too_near);
}

void progress_show_frame(progress *p, const progress_frame *f)
{
    /* A mean over about ten frames: cloth that lands is slower than cloth that falls. */
    p->frame_seconds = p->frame_seconds > 0 ? 0.9 * p->frame_seconds + 0.1 * f->seconds : f->seconds;
    double now = progress_now(), since = now - p->said_at;
    bool is_last = f->frame == p->last;
    if (p->style == PROGRESS_JSON)
        frame_event(p, f);
    if (p->style == PROGRESS_JSON || p->style == PROGRESS_QUIET)
        return;
    if (!is_last && since < (p->style == PROGRESS_TERMINAL ? 0.05 : 1.0))
        return;
    page line = {0};
    frame_line(p, f, &line);
    if (p->style == PROGRESS_TERMINAL)
        show_line(p, p->last > 0 ? (double)f->frame / p->last : 1, page_text(&line));
    else
        fprintf(stderr, "%s\n", page_text(&line));
    page_free(&line);
    p->said_at = now;
}

void progress_show_count(progress *p, const char *what, int32_t done, int32_t n)
{
    double now = progress_now();
    if (p->style != PROGRESS_TERMINAL || (done < n && now - p->said_at < 0.05))
        return;
    char text[80];
    snprintf(text, sizeof text, "%s %d/%d", what, done, n);
    show_line(p, n > 0 ? (double)done / n : 1, text);
    p->said_at = now;
}
