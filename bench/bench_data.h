/* SPDX-License-Identifier: MIT */
/* The folder of data: bodies, colliders, patterns, motions and queries that are not part of the repository. Its place
 * is said by --data or WEFT_DATA; what needs a file that is not there is left out, with a line that says so. */
#ifndef BENCH_DATA_H
#define BENCH_DATA_H

#include "bench.h"

/* The path of a file or folder in it, to be freed; NULL: it is not there. */
char *bench_data(const bench_options *o, const char *name);
bool bench_has_data(const bench_options *o, const char *name);
/* Prints the line: `what` (or NULL) is left out for want of `name`. */
void bench_left_out(const bench_options *o, const char *what, const char *name);

#endif
