/* SPDX-License-Identifier: MIT */
/* Plots as inline SVG: a frame with round numbers at its sides, lines or stacked areas, and a strip a frame that shows
 * the frame's numbers when pointed at. Here are coordinates, in units of the viewBox; the markup is plot.html. */
#include "report/plot.h"

#include <math.h>

enum { WIDTH = 560, HEIGHT = 250, LEFT = 62, RIGHT = 14, TOP = 10, BOTTOM = 36, MOST_POINTS = 700, MOST_STRIPS = 150 };

typedef struct axes {
    double x0, x1, y0, y1; /* what the frame spans; logarithms if logarithmic */
    bool logarithmic;
} axes;

double plot_step(double length, int n)
{
    if (!(length > 0) || n < 1)
        return 1;
    double rough = length / n, power = pow(10, floor(log10(rough)));
    double share = rough / power;
    return power * (share <= 1 ? 1 : share <= 2 ? 2 : share <= 5 ? 5 : 10);
}

static double x_of(const axes *a, double time)
{
    return LEFT + (time - a->x0) / (a->x1 - a->x0) * (WIDTH - LEFT - RIGHT);
}

static double y_of(const axes *a, double value)
{
    double v = a->logarithmic ? log10(fmax(value, 1e-300)) : value;
    double share = (v - a->y0) / (a->y1 - a->y0);
    share = share < 0 ? 0 : share > 1 ? 1 : share;
    return HEIGHT - BOTTOM - share * (HEIGHT - TOP - BOTTOM);
}

/* The value of a series, on top of those below it if they are stacked. */
static double height_of(const plot *p, int32_t series, int32_t i)
{
    double v = p->series[series].values[i];
    for (int32_t k = 0; p->stacked && k < series; k++)
        v += p->series[k].values[i];
    return v;
}

static axes find_axes(const plot *p)
{
    double low = p->logarithmic ? HUGE_VAL : 0, high = -HUGE_VAL;
    for (int32_t s = 0; s < p->n_series; s++)
        for (int32_t i = 0; i < p->n; i++) {
            double v = height_of(p, s, i);
            if (!isfinite(v) || (p->logarithmic && v <= 0))
                continue;
            low = fmin(low, v);
            high = fmax(high, v);
        }
    high = isfinite(p->mark) ? fmax(high, p->mark) : high;
    axes a = {.x0 = fmin(0, p->times[0]), .x1 = p->times[p->n - 1], .logarithmic = p->logarithmic};
    a.x1 = a.x1 > a.x0 ? a.x1 : a.x0 + 1;
    if (p->logarithmic) {
        a.y1 = high > 0 ? ceil(log10(high) - 1e-9) : 0;
        a.y0 = low < HUGE_VAL ? fmax(floor(log10(low) + 1e-9), a.y1 - 6) : a.y1 - 6;
        a.y0 = a.y0 < a.y1 ? a.y0 : a.y1 - 1;
        return a;
    }
    high = high > low ? high : low + 1;
    double step = plot_step(high - low, 4);
    step = p->whole && step < 1 ? 1 : step;
    a.y0 = floor(low / step + 1e-9) * step;
    a.y1 = ceil(high / step - 1e-9) * step;
    return a;
}

/* ---- parts ------------------------------------------------------------------------------------------------------- */

static record *add_y_tick(record *to, const axes *a, double value)
{
    record *tick = record_add(to, "y_tick");
    record_set(tick, "y", "%.1f", y_of(a, value));
    record_set_empty(tick, "power");
    return tick;
}

/* A tick at a power of ten, written as one where it is very large or small. */
static void add_power_tick(record *to, const axes *a, double exponent)
{
    record *tick = add_y_tick(to, a, pow(10, exponent));
    if (fabs(exponent) > 3)
        record_set(tick, "power", "%g", exponent);
    record_set(tick, "number", "%g", pow(10, exponent));
}

static void add_y_axis(record *to, const axes *a)
{
    record_set_list(to, "y_tick");
    if (a->logarithmic) {
        int every = a->y1 - a->y0 > 4 ? 2 : 1;
        for (int k = 0; k <= (int)(a->y1 - a->y0 + 0.5); k += every)
            add_power_tick(to, a, a->y0 + k);
        return;
    }
    double step = plot_step(a->y1 - a->y0, 4);
    for (int k = 0; k <= 8 && a->y0 + k * step <= a->y1 + 0.01 * step; k++) {
        double value = a->y0 + k * step;
        record_set(add_y_tick(to, a, value), "number", "%.6g", fabs(value) < 1e-9 * step ? 0 : value);
    }
}

static void add_x_axis(record *to, const axes *a)
{
    double step = plot_step(a->x1 - a->x0, 8);
    record_set_list(to, "x_tick");
    for (double k = ceil(a->x0 / step - 1e-9) + 0.0; k * step <= a->x1 + 1e-9 * step; k++) {
        record *tick = record_add(to, "x_tick");
        record_set(tick, "x", "%.1f", x_of(a, k * step));
        record_set(tick, "seconds", "%.6g", k * step);
    }
}

/* Of a long run, the highest frame of each group is drawn: peaks are what people look for. */
static int32_t highest_of(const plot *p, int32_t series, int32_t from, int32_t to)
{
    int32_t best = from;
    for (int32_t i = from; i < to; i++)
        if (!(height_of(p, series, i) <= height_of(p, series, best)))
            best = i;
    return best;
}

static bool is_drawn(const plot *p, double v)
{
    return isfinite(v) && !(p->logarithmic && v <= 0);
}

static void add_path(record *to, const char *list, int color, page *path)
{
    record *curve = record_add(to, list);
    record_set(curve, "color", "%d", color);
    record_move(curve, "path", path);
}

static void add_line(record *to, const plot *p, const axes *a, int32_t series)
{
    int32_t group = 1 + (p->n - 1) / MOST_POINTS;
    bool pen_down = false;
    page path = {0};
    for (int32_t from = 0; from < p->n; from += group) {
        int32_t i = highest_of(p, series, from, from + group < p->n ? from + group : p->n);
        double height = height_of(p, series, i);
        if (is_drawn(p, height))
            page_add(&path, "%s%.1f %.1f", pen_down ? " " : "M", x_of(a, p->times[i]), y_of(a, height));
        pen_down = is_drawn(p, height);
    }
    add_path(to, "line", p->series[series].color, &path);
}

static double zero_if_unknown(double v)
{
    return isfinite(v) ? v : 0;
}

/* Between a series and the one below it. Groups are those of the topmost series, so areas do not overlap. */
static void add_area(record *to, const plot *p, const axes *a, int32_t series)
{
    int32_t group = 1 + (p->n - 1) / MOST_POINTS, n_groups = (p->n + group - 1) / group;
    page path = {0};
    page_add(&path, "M");
    for (int32_t g = 0; g < 2 * n_groups; g++) {
        bool is_top = g < n_groups;
        int32_t from = (is_top ? g : 2 * n_groups - 1 - g) * group;
        int32_t i = highest_of(p, p->n_series - 1, from, from + group < p->n ? from + group : p->n);
        double height = is_top ? height_of(p, series, i) : series > 0 ? height_of(p, series - 1, i) : 0;
        page_add(&path, "%.1f %.1f ", x_of(a, p->times[i]), y_of(a, zero_if_unknown(height)));
    }
    page_add(&path, "Z");
    add_path(to, "area", p->series[series].color, &path);
}

static void add_curves(record *to, const plot *p, const axes *a)
{
    record_set_list(to, "line");
    record_set_list(to, "area");
    for (int32_t s = 0; s < p->n_series; s++)
        if (p->stacked)
            add_area(to, p, a, s);
        else
            add_line(to, p, a, s);
}

static void add_mark(record *to, const plot *p, const axes *a)
{
    record_set_list(to, "mark");
    if (!isfinite(p->mark))
        return;
    record *mark = record_add(to, "mark");
    record_set(mark, "y", "%.1f", y_of(a, p->mark));
    record_set(mark, "meaning", "%s", p->mark_name);
}

static void add_strip(record *to, const plot *p, const axes *a, int32_t first, int32_t next)
{
    int32_t i = next < p->n ? next : p->n - 1;
    double x = x_of(a, p->times[first]), end = x_of(a, p->times[i]);
    record *strip = record_add(to, "strip");
    record_set(strip, "x", "%.1f", x);
    record_set(strip, "strip_width", "%.1f", fmax(end - x, 1));
    record_set(strip, "frame", "%d", i);
    record_set(strip, "seconds", "%.4g", p->times[i]);
    for (int32_t s = 0; s < p->n_series; s++) {
        record *reading = record_add(strip, "reading");
        record_set(reading, "curve", "%s", p->series[s].name);
        record_set(reading, "number", p->whole ? "%.10g" : "%.4g", p->series[s].values[i]);
    }
}

static void add_strips(record *to, const plot *p, const axes *a)
{
    int32_t group = 1 + (p->n - 1) / MOST_STRIPS;
    for (int32_t i = 0; i < p->n; i += group)
        add_strip(to, p, a, i, i + group);
}

/* A single curve needs no key: it is the title's. */
static void add_keys(record *to, const plot *p)
{
    record_set_list(to, "key");
    for (int32_t s = 0; s < p->n_series && p->n_series > 1; s++) {
        record *key = record_add(to, "key");
        record_set(key, "color", "%d", p->series[s].color);
        record_set(key, "curve", "%s", p->series[s].name);
    }
}

static void add_frame(record *to)
{
    record_set(to, "width", "%d", WIDTH);
    record_set(to, "height", "%d", HEIGHT);
    record_set(to, "left", "%d", LEFT);
    record_set(to, "right", "%d", WIDTH - RIGHT);
    record_set(to, "top", "%d", TOP);
    record_set(to, "bottom", "%d", HEIGHT - BOTTOM);
    record_set(to, "strip_height", "%d", HEIGHT - TOP - BOTTOM);
}

void plot_add(record *to, const plot *p)
{
    if (p->n < 1)
        return;
    axes a = find_axes(p);
    record *drawn = record_add(to, "plot");
    record_set(drawn, "title", "%s", p->title);
    record_set(drawn, "unit", "%s", p->unit);
    add_keys(drawn, p);
    add_frame(drawn);
    add_y_axis(drawn, &a);
    add_x_axis(drawn, &a);
    add_curves(drawn, p, &a);
    add_mark(drawn, p, &a);
    add_strips(drawn, p, &a);
}
