/* SPDX-License-Identifier: MIT */
/* Parts of the bench of Villard and Borouchaki that have a file of their own. */
#ifndef BENCH_VILLARD_H
#define BENCH_VILLARD_H

#include "bench.h"

/* Figures 7 and 8. An exit code. */
int villard_tablecloth(const bench_options *o);

#endif
