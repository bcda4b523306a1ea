/* SPDX-License-Identifier: MIT */
/* Prints a table row by row and keeps it as CSV; and the two clocks that benches read. */
#include "bench_table.h"
#include "disk.h"
#include "say.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

double bench_cpu(void)
{
    return (double)clock() / CLOCKS_PER_SEC;
}

double bench_clock(void)
{
    struct timespec t;
    timespec_get(&t, TIME_UTC);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

void table_begin(bench_table *t, const bench_column *columns, int n)
{
    *t = (bench_table){.columns = columns, .n = n};
    for (int i = 0; i < n; i++) {
        printf("%s%*s", i > 0 ? " " : "", columns[i].width, columns[i].head);
        page_add(&t->csv, "%s%s", i > 0 ? "," : "", columns[i].name);
    }
    puts("");
    page_add(&t->csv, "\n");
    fflush(stdout);
}

static void add_cell(bench_table *t, const char *shown, const char *kept)
{
    printf("%s%*s", t->at > 0 ? " " : "", t->columns[t->at].width, shown);
    page_add(&t->csv, "%s%s", t->at > 0 ? "," : "", kept);
    t->at = (t->at + 1) % t->n;
    if (t->at != 0)
        return;
    puts("");
    page_add(&t->csv, "\n");
    fflush(stdout);
}

void table_text(bench_table *t, const char *text)
{
    char quoted[256];
    snprintf(quoted, sizeof quoted, strchr(text, ',') ? "\"%s\"" : "%s", text);
    add_cell(t, text, quoted);
}

void table_count(bench_table *t, int64_t value)
{
    char text[24];
    snprintf(text, sizeof text, "%lld", (long long)value);
    add_cell(t, text, text);
}

void table_number(bench_table *t, int digits, double value)
{
    char shown[40], kept[40];
    snprintf(shown, sizeof shown, "%.*f", digits, value);
    snprintf(kept, sizeof kept, "%.6g", value);
    if (isfinite(value))
        add_cell(t, shown, kept);
    else
        add_cell(t, "", "");
}

int table_end(bench_table *t, const bench_options *o, const char *name)
{
    weft_error e;
    weft_result r = t->csv.failed ? WEFT_ERROR_MEMORY : WEFT_OK;
    if (o->folder && r >= 0) {
        page file = {0};
        page_add(&file, "%s.csv", name);
        char *path = disk_join(o->folder, page_text(&file));
        r = disk_make_folder(o->folder, &e);
        r = r < 0 ? r : disk_write(path, t->csv.bytes, t->csv.n, true, &e);
        free(path);
        page_free(&file);
    }
    page_free(&t->csv);
    return r >= 0 ? EXIT_FINE : say_wrong("%s", r == WEFT_ERROR_MEMORY ? "out of memory" : e.text);
}
