/* SPDX-License-Identifier: MIT */
/* A table that is printed row by row and kept as CSV: cells come one after the other, and the last of a row ends it. */
#ifndef BENCH_TABLE_H
#define BENCH_TABLE_H

#include "bench.h"
#include "page.h"

typedef struct bench_column {
    const char *head; /* as printed */
    const char *name; /* in the CSV file, with its unit */
    int width;        /* negative: to the left */
} bench_column;

typedef struct bench_table {
    const bench_column *columns;
    int n, at;
    page csv;
} bench_table;

/* Prints the head. `columns` has to stay. */
void table_begin(bench_table *t, const bench_column *columns, int n);
void table_text(bench_table *t, const char *text);
void table_count(bench_table *t, int64_t value);
void table_number(bench_table *t, int digits, double value); /* behind the point; not finite: left empty */
/* Writes o->folder/name.csv if there is a folder, and frees the table. An exit code. */
int table_end(bench_table *t, const bench_options *o, const char *name);

/* Processor time of all threads, and the clock, s. */
double bench_cpu(void);
double bench_clock(void);

#endif
