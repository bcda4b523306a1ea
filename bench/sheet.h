/* SPDX-License-Identifier: MIT */
/* What the benches share: their options, and a cotton sheet on a ball or hung by two corners. */
#ifndef BENCH_SHEET_H
#define BENCH_SHEET_H

#include <weft/weft.h>

typedef struct sheet_options {
    double seconds;
    int threads;
    const char *csv;
    int sizes[8];
    int n_sizes;
} sheet_options;

/* --seconds S, --threads N, --csv FILE, --sizes 38,76: what is not given stays as it is in *o. Ends the program with a
 * usage line that names the bench if it is given anything else. */
void sheet_parse(int argc, char **argv, const char *bench, sheet_options *o);

/* Ends the program with the error's text if r is one. */
void stop_on(weft_result r, const weft_error *e);

/* 0.72 m and n nodes a side, 5 cm above a ball of radius 0.2 m ("ball") or held at two corners ("hanging"). ball is {0,
 * 0} where there is none; both ids may be NULL. */
weft_sim *sheet_scene(const char *scene, int n, int threads, weft_cloth_id *cloth, weft_collider_id *ball);

#endif
