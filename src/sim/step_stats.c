/* SPDX-License-Identifier: MIT */
/* What the table of statistics (weft/step_stats.h) makes: their sum over steps, and the table for programs. */
#include "sim/step_stats.h"

#include <math.h>

#define NONE_LAST 0
#define NONE_SUM 0
#define NONE_MAX 0 /* nothing of which the largest is kept is below */
#define NONE_MIN HUGE_VAL
#define NONE(type, name, adds, column, unit, text) .name = NONE_##adds,

weft_step_stats weft_step_stats_none(void)
{
    return (weft_step_stats){WEFT_STEP_STATS(NONE)};
}

void weft_step_stats_add(weft_step_stats *total, const weft_step_stats *more)
{
    WEFT_STEP_STATS(STATS_ADD)
}

#define LINE(type, name, adds, column, unit, text) {#name, column, unit, text, WEFT_STAT_##adds},
static const weft_stat lines[] = {WEFT_STEP_STATS(LINE)};

#define N_LINES ((int32_t)(sizeof lines / sizeof *lines))

const weft_stat *weft_step_stats_list(int32_t *n)
{
    if (n)
        *n = N_LINES;
    return lines;
}

#define VALUE(type, name, adds, column, unit, text) (double)stats->name,

double weft_step_stats_get(const weft_step_stats *stats, int32_t i)
{
    const double values[] = {WEFT_STEP_STATS(VALUE)};
    return i >= 0 && i < N_LINES ? values[i] : (double)NAN;
}
