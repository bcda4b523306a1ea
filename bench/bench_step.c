/* SPDX-License-Identifier: MIT */
/* ms, conjugate-gradient iterations and nodes for a cotton sheet of 38², 76² and 146² nodes, on a ball and hung by two
 * corners: one readable table and a CSV. Columns of time are means over the run; compare them within one run only.
 *
 *     bench_step [--seconds S] [--threads N] [--csv FILE] [--sizes 38,76,146] */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <weft/weft.h>

typedef struct options {
    double seconds;
    int threads;
    const char *csv;
    int sizes[8];
    int n_sizes;
} options;

typedef struct row {
    const char *scene;
    int n;
    int nodes, steps, halvings;
    double ms, ms_solve, ms_assemble, ms_touch;
    double newton, cg;
    double stretch_most, stretch_end, speed_end, clearance;
} row;

static void stop_on(weft_result r, const weft_error *e)
{
    if (r >= 0)
        return;
    fprintf(stderr, "bench_step: %s\n", e->text);
    exit(2);
}

static options parse(int argc, char **argv)
{
    options o = {2.0, 2, NULL, {38, 76, 146}, 3};
    for (int i = 1; i < argc; i += 2) {
        const char *value = i + 1 < argc ? argv[i + 1] : NULL;
        if (value && strcmp(argv[i], "--seconds") == 0)
            o.seconds = atof(value);
        else if (value && strcmp(argv[i], "--threads") == 0)
            o.threads = atoi(value);
        else if (value && strcmp(argv[i], "--csv") == 0)
            o.csv = value;
        else if (value && strcmp(argv[i], "--sizes") == 0) {
            o.n_sizes = 0;
            for (const char *p = value; p && o.n_sizes < 8; p = strchr(p, ',') ? strchr(p, ',') + 1 : NULL)
                o.sizes[o.n_sizes++] = atoi(p);
        } else {
            fprintf(stderr, "usage: bench_step [--seconds S] [--threads N] [--csv FILE] [--sizes 38,76,146]\n");
            exit(2);
        }
    }
    return o;
}

/* The sheet of the ball and hanging scenes: cotton, 0.72 m, 5 cm above a ball of radius 0.2 m, or held at two
 * corners. */
static weft_sim *make_scene(const row *r, int threads, weft_cloth_id *cloth, weft_collider_id *ball)
{
    weft_error e = {0};
    weft_sim *sim = NULL;
    weft_sim_def sd = weft_sim_def_default();
    sd.n_threads = threads;
    stop_on(weft_sim_create(&sd, &sim, &e), &e);
    weft_fabric cotton;
    stop_on(weft_fabric_find("cotton", &cotton, &e), &e);
    weft_grid_def g = weft_grid_def_default();
    g.n_warp = g.n_weft = r->n;
    g.size_warp = g.size_weft = 0.72;
    g.corner = (weft_vec3){-0.36, 0.25 + cotton.thickness, 0.36};
    g.model.fabrics = &cotton;
    g.model.n_fabrics = 1;
    stop_on(weft_cloth_create_grid(sim, &g, cloth, &e), &e);
    if (strcmp(r->scene, "ball") == 0) {
        weft_collider_def c = weft_collider_def_default();
        c.kind = WEFT_COLLIDER_SPHERE;
        c.radius = 0.2;
        stop_on(weft_collider_create(sim, &c, ball, &e), &e);
    } else {
        weft_attachment_def a = weft_attachment_def_default();
        weft_attachment_id id;
        int32_t corners[2] = {0, r->n - 1};
        a.cloth = *cloth;
        a.nodes = corners;
        a.n_nodes = 2;
        stop_on(weft_attachment_create(sim, &a, &id, &e), &e);
    }
    return sim;
}

static void run(row *r, const options *o)
{
    weft_error e = {0};
    weft_cloth_id cloth;
    weft_collider_id ball = {0, 0};
    weft_sim *sim = make_scene(r, o->threads, &cloth, &ball);
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
    printf("%-8s %4d² %7d %6d %9.1f %8.1f %8.1f %7.1f %8.2f %8.1f %5d %9.4f %9.4f %9.3f", r->scene, r->n, r->nodes,
           r->steps, r->ms, r->ms_solve, r->ms_assemble, r->ms_touch, r->newton, r->cg, r->halvings, r->stretch_most,
           r->stretch_end, r->speed_end);
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
    options o = parse(argc, argv);
    FILE *csv = o.csv ? fopen(o.csv, "w") : NULL;
    if (o.csv && !csv) {
        fprintf(stderr, "bench_step: cannot write %s\n", o.csv);
        return 2;
    }
    if (csv)
        fprintf(csv, "scene,n,nodes,steps,ms,ms_solve,ms_assemble,ms_touch,newton,cg,halvings,stretch_most,stretch_end,"
                     "speed_end,clearance\n");
    printf("cotton sheet, 0.72 m, BDF2, h = 1/60 s, %g s, %d threads; per step (means)\n\n", o.seconds, o.threads);
    printf("%-8s %5s %7s %6s %9s %8s %8s %7s %8s %8s %5s %9s %9s %9s %8s\n", "scene", "mesh", "nodes", "steps", "ms",
           "solve", "assemble", "touch", "Newton", "CG", "halv", "stretch", "at end", "m/s end", "mm clear");
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
