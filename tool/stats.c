/* SPDX-License-Identifier: MIT */
#include "stats.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define STEP_NAME(type, field, adds, column, unit, text) [STATS_OF_##field] = column,
#define RUN_NAME(id, column, unit, text) [STATS_##id] = column,
#define NOTHING(id, field)

const char *const stats_names[STATS_COUNT + 1] = {WEFT_STEP_STATS(STEP_NAME) STATS_COLUMNS(NOTHING, RUN_NAME)};

#define STEP_VALUE(id, field) [STATS_##id] = (double)s->field,
#define RUN_VALUE(id, column, unit, text) [STATS_##id] = (double)NAN,

void stats_fill(const weft_step_stats *s, weft_result result, int32_t n_threads, double store_seconds,
                double out[STATS_COUNT])
{
    const double values[STATS_COUNT] = {STATS_COLUMNS(STEP_VALUE, RUN_VALUE)};
    memcpy(out, values, sizeof values);
    out[STATS_RESULT] = result;
    out[STATS_THREADS] = n_threads;
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

weft_result stats_read_first(weft_cache *cache, int32_t n_frames, stats_table *out, weft_error *error)
{
    weft_cache_info info = weft_cache_get_info(cache);
    size_t n = (size_t)n_frames, m = (size_t)info.n_columns;
    *out = (stats_table){.n_frames = n_frames, .n_columns = info.n_columns};
    out->names = calloc(m + 1, sizeof *out->names);
    out->times = calloc(n + 1, sizeof *out->times);
    out->hashes = calloc(n + 1, sizeof *out->hashes);
    out->values = calloc(n * m + 1, sizeof *out->values);
    weft_result r = out->names && out->times && out->hashes && out->values ? WEFT_OK : no_memory(error);
    for (int32_t i = 0; r >= 0 && i < info.n_columns; i++)
        out->names[i] = weft_cache_column_name(cache, i);
    for (int32_t i = 0; r >= 0 && i < n_frames; i++)
        r = weft_cache_read_head(cache, i, &out->times[i], &out->hashes[i], &out->values[(size_t)i * m], error);
    if (r < 0)
        stats_free(out);
    return r;
}

weft_result stats_read(weft_cache *cache, stats_table *out, weft_error *error)
{
    return stats_read_first(cache, weft_cache_get_info(cache).n_frames, out, error);
}

void stats_free(stats_table *table)
{
    free(table->names);
    free(table->times);
    free(table->hashes);
    free(table->values);
    *table = (stats_table){0};
}

bool stats_match(const weft_cache *cache)
{
    int32_t n = weft_cache_get_info(cache).n_columns;
    bool same = n <= STATS_COUNT;
    for (int32_t i = 0; i < n && same; i++)
        same = strcmp(weft_cache_column_name(cache, i), stats_names[i]) == 0;
    return same;
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
