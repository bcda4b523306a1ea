/* SPDX-License-Identifier: MIT */
/* ms, conjugate-gradient iterations and nodes for a cotton sheet of 38², 76² and 146² nodes, on a ball and hung by two
 * corners: one readable table and a CSV. Columns of time are means over the run; compare them within one run only.
 *
 *     bench_step [--seconds S] [--threads N] [--csv FILE] [--sizes 38,76,146] */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <weft/weft.h>

#include "sheet.h"

typedef struct row {
    const char *scene;
    int n;
    int nodes, steps, halvings;
    double ms, ms_solve, ms_assemble, ms_touch;
    double newton, cg;
    double stretch_most, stretch_end, speed_end, clearance;
} row;

static void run(row *r, const sheet_options *o)
{
    weft_error e = {0};
    weft_cloth_id cloth;
    weft_collider_id ball = {0, 0};
    weft_sim *sim = sheet_scene(r->scene, r->n, o->threads, &cloth, &ball);
    r->steps = (int)(o->seconds * 60 + 0.5);
    for (int k = 0; k < r->steps; k++) {
        weft_step_stats st;
        stop_on(weft_sim_step(sim, 1.0 / 60, &st, &e), &e);
        r->nodes = st.n_nodes;
        r->halvings += st.halvings;
        r->ms += 1e3 * st.seconds_total / r->steps;
        r->ms_solve += 1e3 * st.seconds_solve / r->steps;
        r->ms_assemble += 1e3 * st.seconds_assemble / r->steps;
        r->ms_touch += 1e3 * st.seconds_touch / r->steps;
        r->newton += (double)st.newton_iterations / r->steps;
        r->cg += (double)st.linear_iterations / r->steps;
        r->stretch_end = st.stretch;
        r->stretch_most = st.stretch > r->stretch_most ? st.stretch : r->stretch_most;
        r->speed_end = st.max_speed;
    }
    if (ball.generation)
        stop_on(weft_collider_get_clearance(sim, ball, cloth, &r->clearance, &e), &e);
    weft_sim_destroy(sim);
}

static void print_row(const row *r)
{
    printf("%-8s %4d² %7d %6d %9.1f %8.2f %8.1f %8.1f %7.1f", r->scene, r->n, r->nodes, r->steps, r->ms,
           1e3 * r->ms / r->nodes, r->ms_solve, r->ms_assemble, r->ms_touch);
    printf(" %8.2f %8.1f %5d %9.4f %9.4f %9.3f", r->newton, r->cg, r->halvings, r->stretch_most, r->stretch_end,
           r->speed_end);
    if (r->clearance > 0)
        printf(" %8.3f", 1e3 * r->clearance);
    printf("\n");
    fflush(stdout);
}

static void write_csv(const row *r, FILE *f)
{
    fprintf(f, "%s,%d,%d,%d,%.6g,%.6g,%.6g,%.6g,%.6g,%.6g,%d,%.6g,%.6g,%.6g,%.9g\n", r->scene, r->n, r->nodes, r->steps,
            r->ms, r->ms_solve, r->ms_assemble, r->ms_touch, r->newton, r->cg, r->halvings, r->stretch_most,
            r->stretch_end, r->speed_end, r->clearance);
}

int main(int argc, char **argv)
{
    sheet_options o = {2.0, 2, NULL, {38, 76, 146}, 3};
    sheet_parse(argc, argv, "step", &o);
    FILE *csv = o.csv ? fopen(o.csv, "w") : NULL;
    if (o.csv && !csv) {
        fprintf(stderr, "bench_step: cannot write %s\n", o.csv);
        return 2;
    }
    if (csv)
        fprintf(csv, "scene,n,nodes,steps,ms,ms_solve,ms_assemble,ms_touch,newton,cg,halvings,stretch_most,stretch_end,"
                     "speed_end,clearance\n");
    printf("cotton sheet, 0.72 m, BDF2, h = 1/60 s, %g s, %d threads; per step (means)\n\n", o.seconds, o.threads);
    printf("%-8s %5s %7s %6s %9s %8s %8s %8s %7s %8s %8s %5s %9s %9s %9s %8s\n", "scene", "mesh", "nodes", "steps",
           "ms", "µs/node", "solve", "assemble", "touch", "Newton", "CG", "halv", "stretch", "at end", "m/s end",
           "mm clear");
    static const char *const scenes[] = {"hanging", "ball"};
    for (int s = 0; s < 2; s++)
        for (int i = 0; i < o.n_sizes; i++) {
            row r = {.scene = scenes[s], .n = o.sizes[i]};
            run(&r, &o);
            print_row(&r);
            if (csv)
                write_csv(&r, csv);
        }
    if (csv)
        fclose(csv);
    return 0;
}
