/* SPDX-License-Identifier: MIT */
/* A scene run for some time, and what it took. */
#ifndef BENCH_RUN_H
#define BENCH_RUN_H

#include "bench_scene.h"

typedef struct bench_figures {
    int32_t nodes, steps, halvings; /* nodes: at the end */
    double cloth;                   /* s that were simulated */
    double cpu, wall;               /* s, of steps alone; cpu: of all threads of this process */
    double touch, meet, assemble, solve, walk, test, respond, adapt; /* s */
    int64_t newton, linear;                                          /* iterations */
    double stretch;                                                  /* largest length over rest length of the run */
    double speed;                                                    /* at the end, m/s */
    size_t bytes;
    int64_t audits, found; /* exact audits, and what they found */
} bench_figures;

/* `first` steps go before and are not counted; an exact audit every `audit` steps, 0: none. */
weft_result bench_run(const bench_scene_def *def, int32_t first, int32_t steps, int32_t audit, bench_figures *out,
                      weft_error *e);
void bench_add(bench_figures *f, const weft_step_stats *st);

#endif
