/* SPDX-License-Identifier: MIT */
/* The numbers of a run, frame by frame: which there are, and as a table. They are stored with each frame of the cache;
 * stats.csv has the same for spreadsheets. */
#ifndef TOOL_STATS_H
#define TOOL_STATS_H

#include "page.h"

#include <weft/io.h>

enum {
    STATS_NODES,
    STATS_ACTIVE,
    STATS_SPLIT,
    STATS_MERGED,
    STATS_JUMP,
    STATS_STEPS,
    STATS_HALVINGS,
    STATS_NEWTON,
    STATS_LINEAR,
    STATS_RESIDUAL,
    STATS_CONTACTS,
    STATS_CORRECTIONS,
    STATS_CORRECTION,
    STATS_SQUEEZED,
    STATS_NEAR_PAIRS,
    STATS_CANDIDATES,
    STATS_SETTLED,
    STATS_TESTS,
    STATS_HITS,
    STATS_SWEEPS,
    STATS_INELASTIC,
    STATS_ZONES,
    STATS_LARGEST_ZONE,
    STATS_RIGID,
    STATS_FAILSAFES,
    STATS_CUTS,
    STATS_SQUEEZED_PAIRS,
    STATS_TANGLED,
    STATS_TANGLE_LENGTH,
    STATS_CAUGHT,
    STATS_GAP,
    STATS_STRETCH,
    STATS_SPEED,
    STATS_KINETIC,
    STATS_STRETCHING,
    STATS_BENDING,
    STATS_GRAVITY,
    STATS_PAIRS,
    STATS_CONTOURS,
    STATS_TOO_NEAR,
    STATS_RESULT,
    STATS_THREADS,
    STATS_ADAPT,
    STATS_TOUCH,
    STATS_MEET,
    STATS_WALK,
    STATS_TEST,
    STATS_RESPOND,
    STATS_ASSEMBLE,
    STATS_SOLVE,
    STATS_TOTAL,
    STATS_AUDIT,
    STATS_STORE,
    STATS_COUNT
};

/* "energy_kinetic"; the unit is part of the name where there is one: "energy_kinetic_j". */
extern const char *const stats_names[STATS_COUNT];

/* store_seconds: what it took to store the frame before. */
void stats_fill(const weft_step_stats *stats, weft_result result, int32_t n_threads, double store_seconds,
                double out[STATS_COUNT]);

/* The lines of stats.csv. What is not known is left empty. */
void stats_add_head(page *csv, const char *const *names, int32_t n);
void stats_add_row(page *csv, int32_t frame, double time, uint64_t hash, const double *values, int32_t n);

/* All frames of a cache. */
typedef struct stats_table {
    int32_t n_frames, n_columns;
    const char **names; /* belong to the cache */
    double *times;
    uint64_t *hashes;
    double *values; /* n_columns a frame */
} stats_table;

weft_result stats_read(weft_cache *cache, stats_table *out, weft_error *error);
void stats_free(stats_table *table);
/* Index of a column, -1: this cache has none of that name. */
int32_t stats_find(const stats_table *table, int32_t column);
/* NaN if there is no such column. */
double stats_at(const stats_table *table, int32_t frame, int32_t column);
/* Over all frames but the first, of what is known. */
double stats_sum(const stats_table *table, int32_t column);
double stats_max(const stats_table *table, int32_t column);
/* The first n frames as stats.csv. */
void stats_add_table(page *csv, const stats_table *table, int32_t n);

#endif
