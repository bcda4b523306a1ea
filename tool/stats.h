/* SPDX-License-Identifier: MIT */
/* The numbers of a run, frame by frame: which there are, and as a table. They are stored with each frame of the cache;
 * stats.csv has the same for spreadsheets. */
#ifndef TOOL_STATS_H
#define TOOL_STATS_H

#include "page.h"

#include <weft/io.h>

/* The columns of stats.csv and of caches, in their order. STEP: a field of weft_step_stats; the table in
 * weft/step_stats.h has its column, unit and meaning. RUN: what the command adds to them.
 *
 * Each column is where it has always been: programs may count them, and a cache of an older program has the first so
 * many of them. So new ones go to the end. A statistic that has no place here does not compile. */
/* clang-format off */
#define STATS_COLUMNS(STEP, RUN) \
    STEP(NODES, n_nodes) \
    STEP(ACTIVE, n_active) \
    STEP(SPLIT, split) \
    STEP(MERGED, merged) \
    STEP(JUMP, energy_jump) \
    STEP(STEPS, n_steps) \
    STEP(HALVINGS, halvings) \
    STEP(NEWTON, newton_iterations) \
    STEP(LINEAR, linear_iterations) \
    STEP(RESIDUAL, residual) \
    STEP(CONTACTS, contacts) \
    STEP(CORRECTIONS, corrections) \
    STEP(CORRECTION, correction) \
    STEP(SQUEEZED, squeezed) \
    STEP(NEAR_PAIRS, pairs) \
    STEP(CANDIDATES, candidates) \
    STEP(SETTLED, settled) \
    STEP(TESTS, tests) \
    STEP(HITS, hits) \
    STEP(SWEEPS, sweeps) \
    STEP(INELASTIC, inelastic) \
    STEP(ZONES, zones) \
    STEP(LARGEST_ZONE, largest_zone) \
    STEP(RIGID, rigid) \
    STEP(FAILSAFES, failsafes) \
    STEP(CUTS, cuts) \
    STEP(SQUEEZED_PAIRS, squeezed_pairs) \
    STEP(TANGLED, tangled) \
    STEP(TANGLE_LENGTH, contour_length) \
    STEP(CAUGHT, caught) \
    STEP(GAP, smallest_gap) \
    STEP(STRETCH, stretch) \
    STEP(SPEED, max_speed) \
    STEP(KINETIC, energy_kinetic) \
    STEP(STRETCHING, energy_stretch) \
    STEP(BENDING, energy_bending) \
    STEP(GRAVITY, energy_gravity) \
    RUN(PAIRS, "intersecting_pairs", "", "pairs of triangles that intersect; with `--audit`") \
    RUN(CONTOURS, "contours", "", "lines along which they do; with `--audit`") \
    RUN(TOO_NEAR, "too_near", "", "triangles nearer to a collider than is allowed; with `--audit`") \
    RUN(RESULT, "result", "", "the gravest warning of the steps, a `weft_result`; 0: none") \
    RUN(THREADS, "threads", "", "threads that computed the frame") \
    STEP(ADAPT, seconds_adapt) \
    STEP(TOUCH, seconds_touch) \
    STEP(MEET, seconds_meet) \
    STEP(WALK, seconds_walk) \
    STEP(TEST, seconds_test) \
    STEP(RESPOND, seconds_respond) \
    STEP(ASSEMBLE, seconds_assemble) \
    STEP(SOLVE, seconds_solve) \
    STEP(TOTAL, seconds_total) \
    RUN(AUDIT, "seconds_audit", "s", "the audit; with `--audit`") \
    RUN(STORE, "seconds_store_before", "s", "storing the frame before") \
    STEP(REFUSED, refused) \
    STEP(NEIGHBOURS, neighbours) \
    STEP(RECOUPLINGS, recouplings) \
    STEP(ALLOCATIONS, allocations) \
    STEP(LAYOUT, seconds_layout) \
    STEP(MOMENTUM_X, momentum_x) \
    STEP(MOMENTUM_Y, momentum_y) \
    STEP(MOMENTUM_Z, momentum_z) \
    STEP(ANGULAR_X, angular_x) \
    STEP(ANGULAR_Y, angular_y) \
    STEP(ANGULAR_Z, angular_z)
/* clang-format on */

#define STATS_STEP_ID(id, field) STATS_##id, STATS_OF_##field = STATS_##id,
#define STATS_RUN_ID(id, column, unit, text) STATS_##id,

/* STATS_NODES, and by the name of its field STATS_OF_n_nodes. The time is not among the columns: it stands before them,
 * with the frame and its hash. */
enum { STATS_COLUMNS(STATS_STEP_ID, STATS_RUN_ID) STATS_COUNT, STATS_OF_time = STATS_COUNT };

/* The unit is part of the name where there is one: "energy_kinetic_j". The last is that of the time. */
extern const char *const stats_names[STATS_COUNT + 1];

/* store_seconds: what it took to store the frame before. What an audit finds is not known yet. */
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
/* Of the first n frames only. */
weft_result stats_read_first(weft_cache *cache, int32_t n, stats_table *out, weft_error *error);
void stats_free(stats_table *table);
/* Whether the columns of a cache are the first ones of ours, as those of older programs are. */
bool stats_match(const weft_cache *cache);
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
