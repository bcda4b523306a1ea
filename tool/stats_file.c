/* SPDX-License-Identifier: MIT */
#include "stats_file.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool is_of_audit(const char *name)
{
    static const int32_t columns[] = {STATS_PAIRS, STATS_CONTOURS, STATS_TOO_NEAR, STATS_AUDIT};
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++)
        if (strcmp(name, stats_names[columns[i]]) == 0)
            return true;
    return false;
}

/* The text behind a beginning; NULL if it begins otherwise. */
static const char *behind(const char *text, const page *beginning)
{
    size_t n = beginning->n;
    return !beginning->failed && strncmp(text, page_text(beginning), n) == 0 ? text + n : NULL;
}

/* The fields of a line behind the hash, each with a comma before it. A line that was torn is passed over. */
static void recall_fields(stats_table *t, int32_t frame, const char *fields, const char *end)
{
    double *values = &t->values[(size_t)frame * (size_t)t->n_columns];
    int32_t n = 0;
    for (const char *c = fields; c < end; c++)
        n += *c == ',';
    if (n != t->n_columns)
        return;
    for (int32_t i = 0; i < n; i++) {
        fields++;
        bool is_known = *fields != ',' && *fields != '\n';
        if (is_known && isnan(values[i]) && is_of_audit(t->names[i]))
            values[i] = strtod(fields, NULL);
        fields += strcspn(fields, ",\n");
    }
}

static void recall_line(stats_table *t, int32_t frame, const char *line, const char *end)
{
    page start = {0};
    stats_add_row(&start, frame, t->times[frame], t->hashes[frame], NULL, 0);
    start.n -= !start.failed; /* without the end of the line */
    const char *fields = behind(line, &start);
    page_free(&start);
    if (fields && fields < end)
        recall_fields(t, frame, fields, end);
}

void stats_recall(stats_table *table, const char *csv)
{
    page head = {0};
    stats_add_head(&head, table->names, table->n_columns);
    const char *line = behind(csv, &head), *end;
    page_free(&head);
    for (int32_t i = 0; line && i < table->n_frames && (end = strchr(line, '\n')); i++, line = end + 1)
        recall_line(table, i, line, end);
}

void stats_recall_file(stats_table *table, const run_folder *folder)
{
    page csv = {0};
    weft_error ignored;
    if (disk_exists(folder->stats) && disk_read(folder->stats, &csv, &ignored) >= 0)
        stats_recall(table, page_text(&csv));
    page_free(&csv);
}

bool stats_file_is(const run_folder *folder, const page *csv)
{
    page file = {0};
    weft_error ignored;
    bool same = disk_exists(folder->stats) && disk_read(folder->stats, &file, &ignored) >= 0 && file.n == csv->n &&
                memcmp(page_text(&file), page_text(csv), csv->n) == 0;
    page_free(&file);
    return same;
}
