/* SPDX-License-Identifier: MIT */
#include "stats.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const stats_names[STATS_COUNT] = {
    [STATS_NODES] = "nodes",
    [STATS_ACTIVE] = "active_nodes",
    [STATS_SPLIT] = "split_faces",
    [STATS_MERGED] = "merged_faces",
    [STATS_JUMP] = "energy_jump_j",
    [STATS_STEPS] = "steps",
    [STATS_HALVINGS] = "halvings",
    [STATS_NEWTON] = "newton_iterations",
    [STATS_LINEAR] = "linear_iterations",
    [STATS_RESIDUAL] = "residual_m",
    [STATS_CONTACTS] = "contacts",
    [STATS_CORRECTIONS] = "corrections",
    [STATS_CORRECTION] = "correction_m",
    [STATS_SQUEEZED] = "squeezed",
    [STATS_NEAR_PAIRS] = "pairs",
    [STATS_CANDIDATES] = "candidates",
    [STATS_SETTLED] = "settled_pairs",
    [STATS_TESTS] = "continuous_tests",
    [STATS_HITS] = "hits",
    [STATS_SWEEPS] = "sweeps",
    [STATS_INELASTIC] = "inelastic_rounds",
    [STATS_ZONES] = "zones",
    [STATS_LARGEST_ZONE] = "largest_zone",
    [STATS_RIGID] = "rigid_zones",
    [STATS_FAILSAFES] = "failsafes",
    [STATS_CUTS] = "cuts",
    [STATS_SQUEEZED_PAIRS] = "squeezed_pairs",
    [STATS_TANGLED] = "tangled_pairs",
    [STATS_TANGLE_LENGTH] = "tangle_length_m",
    [STATS_CAUGHT] = "caught_nodes",
    [STATS_GAP] = "smallest_gap_m",
    [STATS_STRETCH] = "stretch",
    [STATS_SPEED] = "max_speed_m_s",
    [STATS_KINETIC] = "energy_kinetic_j",
    [STATS_STRETCHING] = "energy_stretch_j",
    [STATS_BENDING] = "energy_bending_j",
    [STATS_GRAVITY] = "energy_gravity_j",
    [STATS_PAIRS] = "intersecting_pairs",
    [STATS_CONTOURS] = "contours",
    [STATS_TOO_NEAR] = "too_near",
    [STATS_RESULT] = "result",
    [STATS_THREADS] = "threads",
    [STATS_ADAPT] = "seconds_adapt",
    [STATS_TOUCH] = "seconds_touch",
    [STATS_MEET] = "seconds_meet",
    [STATS_WALK] = "seconds_walk",
    [STATS_TEST] = "seconds_test",
    [STATS_RESPOND] = "seconds_respond",
    [STATS_ASSEMBLE] = "seconds_assemble",
    [STATS_SOLVE] = "seconds_solve",
    [STATS_TOTAL] = "seconds_total",
    [STATS_AUDIT] = "seconds_audit",
    [STATS_STORE] = "seconds_store_before",
};

void stats_fill(const weft_step_stats *s, weft_result result, int32_t n_threads, double store_seconds,
                double out[STATS_COUNT])
{
    out[STATS_NODES] = s->n_nodes;
    out[STATS_ACTIVE] = s->n_active;
    out[STATS_SPLIT] = s->split;
    out[STATS_MERGED] = s->merged;
    out[STATS_JUMP] = s->energy_jump;
    out[STATS_STEPS] = s->n_steps;
    out[STATS_HALVINGS] = s->halvings;
    out[STATS_NEWTON] = s->newton_iterations;
    out[STATS_LINEAR] = s->linear_iterations;
    out[STATS_RESIDUAL] = s->residual;
    out[STATS_CONTACTS] = s->contacts;
    out[STATS_CORRECTIONS] = s->corrections;
    out[STATS_CORRECTION] = s->correction;
    out[STATS_SQUEEZED] = s->squeezed;
    out[STATS_NEAR_PAIRS] = s->pairs;
    out[STATS_CANDIDATES] = (double)s->candidates;
    out[STATS_SETTLED] = (double)s->settled;
    out[STATS_TESTS] = (double)s->tests;
    out[STATS_HITS] = (double)s->hits;
    out[STATS_SWEEPS] = s->sweeps;
    out[STATS_INELASTIC] = s->inelastic;
    out[STATS_ZONES] = s->zones;
    out[STATS_LARGEST_ZONE] = s->largest_zone;
    out[STATS_RIGID] = s->rigid;
    out[STATS_FAILSAFES] = s->failsafes;
    out[STATS_CUTS] = s->cuts;
    out[STATS_SQUEEZED_PAIRS] = s->squeezed_pairs;
    out[STATS_TANGLED] = s->tangled;
    out[STATS_TANGLE_LENGTH] = s->contour_length;
    out[STATS_CAUGHT] = s->caught;
    out[STATS_GAP] = s->smallest_gap;
    out[STATS_STRETCH] = s->stretch;
    out[STATS_SPEED] = s->max_speed;
    out[STATS_KINETIC] = s->energy_kinetic;
    out[STATS_STRETCHING] = s->energy_stretch;
    out[STATS_BENDING] = s->energy_bending;
    out[STATS_GRAVITY] = s->energy_gravity;
    out[STATS_PAIRS] = out[STATS_CONTOURS] = out[STATS_TOO_NEAR] = out[STATS_AUDIT] = (double)NAN; /* unless audited */
    out[STATS_RESULT] = result;
    out[STATS_THREADS] = n_threads;
    out[STATS_ADAPT] = s->seconds_adapt;
    out[STATS_TOUCH] = s->seconds_touch;
    out[STATS_MEET] = s->seconds_meet;
    out[STATS_WALK] = s->seconds_walk;
    out[STATS_TEST] = s->seconds_test;
    out[STATS_RESPOND] = s->seconds_respond;
    out[STATS_ASSEMBLE] = s->seconds_assemble;
    out[STATS_SOLVE] = s->seconds_solve;
    out[STATS_TOTAL] = s->seconds_total;
    out[STATS_STORE] = store_seconds;
}

void stats_add_head(page *csv, const char *const *names, int32_t n)
{
    page_add(csv, "frame,time_s,hash");
    for (int32_t i = 0; i < n; i++)
        page_add(csv, ",%s", names[i]);
    page_add(csv, "\n");
}

void stats_add_row(page *csv, int32_t frame, double time, uint64_t hash, const double *values, int32_t n)
{
    page_add(csv, "%d,", frame);
    page_add_number(csv, time);
    page_add(csv, ",%016" PRIx64, hash);
    for (int32_t i = 0; i < n; i++) {
        page_add(csv, ",");
        if (isfinite(values[i]))
            page_add_number(csv, values[i]);
    }
    page_add(csv, "\n");
}

static weft_result no_memory(weft_error *error)
{
    *error = (weft_error){.code = WEFT_ERROR_MEMORY, .element = -1, .text = "out of memory"};
    return WEFT_ERROR_MEMORY;
}

weft_result stats_read(weft_cache *cache, stats_table *out, weft_error *error)
{
    weft_cache_info info = weft_cache_get_info(cache);
    size_t n = (size_t)info.n_frames, m = (size_t)info.n_columns;
    *out = (stats_table){.n_frames = info.n_frames, .n_columns = info.n_columns};
    out->names = calloc(m + 1, sizeof *out->names);
    out->times = calloc(n + 1, sizeof *out->times);
    out->hashes = calloc(n + 1, sizeof *out->hashes);
    out->values = calloc(n * m + 1, sizeof *out->values);
    weft_result r = out->names && out->times && out->hashes && out->values ? WEFT_OK : no_memory(error);
    for (int32_t i = 0; r >= 0 && i < info.n_columns; i++)
        out->names[i] = weft_cache_column_name(cache, i);
    for (int32_t i = 0; r >= 0 && i < info.n_frames; i++)
        r = weft_cache_read_head(cache, i, &out->times[i], &out->hashes[i], &out->values[(size_t)i * m], error);
    if (r < 0)
        stats_free(out);
    return r;
}

void stats_free(stats_table *table)
{
    free(table->names);
    free(table->times);
    free(table->hashes);
    free(table->values);
    *table = (stats_table){0};
}

int32_t stats_find(const stats_table *table, int32_t column)
{
    for (int32_t i = 0; i < table->n_columns; i++)
        if (strcmp(table->names[i], stats_names[column]) == 0)
            return i;
    return -1;
}

double stats_at(const stats_table *table, int32_t frame, int32_t column)
{
    int32_t i = stats_find(table, column);
    return i < 0 ? (double)NAN : table->values[(size_t)frame * (size_t)table->n_columns + (size_t)i];
}

double stats_sum(const stats_table *table, int32_t column)
{
    double sum = 0;
    for (int32_t i = 1; i < table->n_frames; i++) {
        double value = stats_at(table, i, column);
        sum += isfinite(value) ? value : 0;
    }
    return sum;
}

double stats_max(const stats_table *table, int32_t column)
{
    double most = -HUGE_VAL;
    for (int32_t i = 1; i < table->n_frames; i++) {
        double value = stats_at(table, i, column);
        most = isfinite(value) && value > most ? value : most;
    }
    return isfinite(most) ? most : (double)NAN;
}

void stats_add_table(page *csv, const stats_table *table, int32_t n)
{
    stats_add_head(csv, table->names, table->n_columns);
    for (int32_t i = 0; i < n && i < table->n_frames; i++)
        stats_add_row(csv, i, table->times[i], table->hashes[i], &table->values[(size_t)i * (size_t)table->n_columns],
                      table->n_columns);
}
