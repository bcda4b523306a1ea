/* SPDX-License-Identifier: MIT */
/* Steps a scene of the benches, with the clock and the processor time of each step, and adds up its statistics. */
#include "bench_run.h"
#include "bench_table.h"

#include <math.h>

static const double step = 1.0 / 60;

void bench_add(bench_figures *f, const weft_step_stats *st)
{
    f->steps++;
    f->nodes = st->n_nodes;
    f->halvings += st->halvings;
    f->touch += st->seconds_touch;
    f->meet += st->seconds_meet;
    f->assemble += st->seconds_assemble;
    f->solve += st->seconds_solve;
    f->walk += st->seconds_walk;
    f->test += st->seconds_test;
    f->respond += st->seconds_respond;
    f->adapt += st->seconds_adapt;
    f->newton += st->newton_iterations;
    f->linear += st->linear_iterations;
    f->stretch = fmax(f->stretch, st->stretch);
    f->speed = st->max_speed;
}

static weft_result go(bench_scene *s, int32_t first, int32_t steps, int32_t audit, bench_figures *f, weft_error *e)
{
    weft_result r = WEFT_OK;
    for (int32_t k = 0; k < first && r >= 0; k++)
        r = weft_sim_step(s->sim, step, NULL, e);
    for (int32_t k = 1; k <= steps && r >= 0; k++) {
        weft_step_stats st;
        double cpu = bench_cpu(), wall = bench_clock();
        r = weft_sim_step(s->sim, step, &st, e);
        f->cpu += bench_cpu() - cpu;
        f->wall += bench_clock() - wall;
        if (r < 0)
            break;
        f->cloth += step;
        bench_add(f, &st);
        if (audit > 0 && (k % audit == 0 || k == steps)) {
            int64_t found = 0;
            r = bench_scene_audit(s, &found, e);
            f->audits++;
            f->found += found;
        }
    }
    f->bytes = s->bytes;
    return r;
}

weft_result bench_run(const bench_scene_def *def, int32_t first, int32_t steps, int32_t audit, bench_figures *out,
                      weft_error *e)
{
    bench_scene s;
    *out = (bench_figures){0};
    weft_result r = bench_scene_create(&s, def, e);
    if (r < 0)
        return r;
    r = go(&s, first, steps, audit, out, e);
    bench_scene_destroy(&s);
    return r;
}
