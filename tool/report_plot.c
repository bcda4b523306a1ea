/* SPDX-License-Identifier: MIT */
/* Plots as inline SVG: a frame with round numbers at its sides, lines or stacked areas, and a strip a frame that shows
 * the frame's numbers when pointed at. Colours come from the style of the page, so they follow light and dark. */
#include "report.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

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

static void add_y_line(page *html, const axes *a, double value, const char *text)
{
    double y = y_of(a, value);
    page_add(html, "<line class=\"grid\" x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\"/>", LEFT, WIDTH - RIGHT, y, y);
    page_add(html, "<text class=\"tick\" text-anchor=\"end\" x=\"%d\" y=\"%.1f\">%s</text>\n", LEFT - 8, y + 4, text);
}

static void add_y_axis(page *html, const axes *a)
{
    char text[96];
    if (a->logarithmic) {
        int every = a->y1 - a->y0 > 4 ? 2 : 1;
        for (int k = 0; k <= (int)(a->y1 - a->y0 + 0.5); k += every) {
            double exponent = a->y0 + k;
            bool plain = fabs(exponent) <= 3;
            snprintf(text, sizeof text, plain ? "%g" : "10<tspan dy=\"-5\" font-size=\"9\">%g</tspan>",
                     plain ? pow(10, exponent) : exponent);
            add_y_line(html, a, pow(10, exponent), text);
        }
        return;
    }
    double step = plot_step(a->y1 - a->y0, 4);
    for (int k = 0; k <= 8 && a->y0 + k * step <= a->y1 + 0.01 * step; k++) {
        double value = a->y0 + k * step;
        snprintf(text, sizeof text, "%.6g", fabs(value) < 1e-9 * step ? 0 : value);
        add_y_line(html, a, value, text);
    }
}

static void add_x_axis(page *html, const axes *a)
{
    double step = plot_step(a->x1 - a->x0, 8);
    int base = HEIGHT - BOTTOM;
    page_add(html, "<line class=\"axis\" x1=\"%d\" x2=\"%d\" y1=\"%d\" y2=\"%d\"/>\n", LEFT, WIDTH - RIGHT, base, base);
    for (double k = ceil(a->x0 / step - 1e-9) + 0.0; k * step <= a->x1 + 1e-9 * step; k++) {
        double x = x_of(a, k * step);
        page_add(html, "<line class=\"axis\" x1=\"%.1f\" x2=\"%.1f\" y1=\"%d\" y2=\"%d\"/>", x, x, base, base + 4);
        page_add(html, "<text class=\"tick\" text-anchor=\"middle\" x=\"%.1f\" y=\"%d\">%.6g</text>\n", x, base + 17,
                 k * step);
    }
    page_add(html, "<text class=\"tick\" text-anchor=\"end\" x=\"%d\" y=\"%d\">simulated time, s</text>\n",
             WIDTH - RIGHT, HEIGHT - 3);
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

static void add_line(page *html, const plot *p, const axes *a, int32_t series)
{
    int32_t group = 1 + (p->n - 1) / MOST_POINTS;
    bool pen_down = false;
    page_add(html, "<path class=\"line c%d\" d=\"", p->series[series].color);
    for (int32_t from = 0; from < p->n; from += group) {
        int32_t i = highest_of(p, series, from, from + group < p->n ? from + group : p->n);
        double v = height_of(p, series, i);
        if (is_drawn(p, v))
            page_add(html, "%s%.1f %.1f", pen_down ? " " : "M", x_of(a, p->times[i]), y_of(a, v));
        pen_down = is_drawn(p, v);
    }
    page_add(html, "\"/>\n");
}

static double zero_if_unknown(double v)
{
    return isfinite(v) ? v : 0;
}

/* Between a series and the one below it. Groups are those of the topmost series, so areas do not overlap. */
static void add_area(page *html, const plot *p, const axes *a, int32_t series)
{
    int32_t group = 1 + (p->n - 1) / MOST_POINTS, n_groups = (p->n + group - 1) / group;
    page_add(html, "<path class=\"area c%d\" d=\"M", p->series[series].color);
    for (int32_t g = 0; g < 2 * n_groups; g++) {
        bool is_top = g < n_groups;
        int32_t from = (is_top ? g : 2 * n_groups - 1 - g) * group;
        int32_t i = highest_of(p, p->n_series - 1, from, from + group < p->n ? from + group : p->n);
        double v = is_top ? height_of(p, series, i) : series > 0 ? height_of(p, series - 1, i) : 0;
        page_add(html, "%.1f %.1f ", x_of(a, p->times[i]), y_of(a, zero_if_unknown(v)));
    }
    page_add(html, "Z\"/>\n");
}

static void add_mark(page *html, const plot *p, const axes *a)
{
    if (!isfinite(p->mark))
        return;
    double y = y_of(a, p->mark);
    page_add(html, "<line class=\"mark\" x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\"/>", LEFT, WIDTH - RIGHT, y, y);
    page_add(html, "<text class=\"tick\" text-anchor=\"end\" x=\"%d\" y=\"%.1f\">", WIDTH - RIGHT - 4, y + 14);
    page_add_html(html, p->mark_name);
    page_add(html, "</text>\n");
}

static void add_strip(page *html, const plot *p, const axes *a, int32_t from, int32_t to)
{
    int32_t i = to < p->n ? to : p->n - 1;
    double x = x_of(a, p->times[from]), end = x_of(a, p->times[i]);
    page_add(html, "<rect class=\"strip\" x=\"%.1f\" y=\"%d\" width=\"%.1f\" height=\"%d\"><title>frame %d, %.4g s", x,
             TOP, fmax(end - x, 1), HEIGHT - TOP - BOTTOM, i, p->times[i]);
    for (int32_t s = 0; s < p->n_series; s++) {
        page_add(html, "\n");
        page_add_html(html, p->series[s].name);
        page_add(html, p->whole ? ": %.10g %s" : ": %.4g %s", p->series[s].values[i], p->unit);
    }
    page_add(html, "</title></rect>");
}

static void add_key(page *html, const plot *p)
{
    page_add(html, "<figcaption><b>");
    page_add_html(html, p->title);
    page_add(html, "</b>");
    if (*p->unit) {
        page_add(html, ", ");
        page_add_html(html, p->unit);
    }
    for (int32_t s = 0; s < p->n_series && p->n_series > 1; s++) {
        page_add(html, " <span class=\"key\"><i class=\"k%d\"></i>", p->series[s].color);
        page_add_html(html, p->series[s].name);
        page_add(html, "</span>");
    }
    page_add(html, "</figcaption>\n");
}

void plot_add(page *html, const plot *p)
{
    if (p->n < 1)
        return;
    axes a = find_axes(p);
    page_add(html, "<figure>");
    add_key(html, p);
    page_add(html, "<svg viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"", WIDTH, HEIGHT);
    page_add_html(html, p->title);
    page_add(html, "\">\n");
    add_y_axis(html, &a);
    for (int32_t s = 0; s < p->n_series; s++)
        if (p->stacked)
            add_area(html, p, &a, s);
        else
            add_line(html, p, &a, s);
    add_x_axis(html, &a);
    add_mark(html, p, &a);
    int32_t group = 1 + (p->n - 1) / MOST_STRIPS;
    for (int32_t i = 0; i < p->n; i += group)
        add_strip(html, p, &a, i, i + group);
    page_add(html, "</svg></figure>\n");
}
