/* SPDX-License-Identifier: MIT */
/* report.html: what a run did, in one file that needs no other. */
#ifndef TOOL_REPORT_H
#define TOOL_REPORT_H

#include "page.h"
#include "stats.h"

#include <weft/io.h>

typedef struct report_def {
    const char *name;        /* of the scene */
    const char *folder;      /* of the run, for the commands */
    const weft_scene *scene; /* or NULL */
    weft_cache *cache;
    const stats_table *table;
    const page *preview, *sheet; /* PNG files; empty: none */
} report_def;

void report_make(const report_def *def, page *html);

/* ---- plots (report_plot.c) --------------------------------------------------------------------------------------- */

typedef struct plot_series {
    const char *name;
    double *values; /* NaN: a gap; only read */
    int color;      /* 1 … 6: a colour of the page's style */
} plot_series;

typedef struct plot {
    const char *title, *unit; /* unit "": none */
    int32_t n;
    const double *times; /* s; frame i is at times[i] */
    const plot_series *series;
    int32_t n_series;
    bool stacked;
    bool logarithmic; /* at most 6 decades */
    bool whole;       /* numbers are counts */
    double mark;      /* a dashed line across; NaN: none */
    const char *mark_name;
} plot;

/* A <figure> with inline SVG. */
void plot_add(page *html, const plot *p);
/* A step of 1, 2 or 5 times a power of ten that cuts a length into at most n parts. */
double plot_step(double length, int n);

#endif
