/* SPDX-License-Identifier: MIT */
/* How statistics add up, for every struct that is made of lines of the table in weft/step_stats.h. */
#ifndef WEFT_SIM_STEP_STATS_H
#define WEFT_SIM_STEP_STATS_H

#include <weft/step_stats.h>

#define STATS_LAST(total, more) (more)
#define STATS_SUM(total, more) ((total) + (more))
#define STATS_MAX(total, more) ((total) > (more) ? (total) : (more))
#define STATS_MIN(total, more) ((total) < (more) ? (total) : (more))

/* Adds a field of *more to that of *total: WEFT_STEP_STATS(STATS_ADD) does so for all. */
#define STATS_ADD(type, name, adds, column, unit, text) total->name = STATS_##adds(total->name, more->name);

#endif
