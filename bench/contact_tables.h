/* SPDX-License-Identifier: MIT */
/* The parts of weft-bench contact: each prints a table. An exit code; *missed counts rows that miss their bar. */
#ifndef CONTACT_TABLES_H
#define CONTACT_TABLES_H

#include "bench.h"

int contact_table_slide(const bench_options *o, int *missed);
int contact_table_creep(const bench_options *o, int *missed);
int contact_table_capstan(const bench_options *o, int *missed);
int contact_table_layers(const bench_options *o, int *missed);
int contact_table_bodies(const bench_options *o, int *missed);
int contact_table_sums(const bench_options *o, int *missed);
int contact_table_converged(const bench_options *o, int *missed);

#endif
