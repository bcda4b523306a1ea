/* SPDX-License-Identifier: MIT */
/* Plots of a report: where lines, numbers and areas lie. How they look is in plot.html and run.css. */
#ifndef TOOL_REPORT_PLOT_H
#define TOOL_REPORT_PLOT_H

#include "report/record.h"

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

/* Adds to the list "plot" what plot.html needs. */
void plot_add(record *to, const plot *p);
/* A step of 1, 2 or 5 times a power of ten that cuts a length into at most n parts. */
double plot_step(double length, int n);

#endif
