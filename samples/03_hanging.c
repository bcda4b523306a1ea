/* SPDX-License-Identifier: MIT */
/* ctest: labels=slow */
/* A sheet hangs from two rings that slide along a rod with friction (the scene of Villard 2002 §6.1): its weight pulls
 * the rings together until friction holds them. Then wind blows. Shows
 *   - attachments: the rings, and how to take one away and pin its node instead;
 *   - wind that changes while the simulation runs;
 *   - the forces that the cloth exerts on what holds it, node by node.
 * Writes the sheet at rest and in the wind to hanging_rest.obj and hanging_wind.obj. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <weft/weft.h>

enum { SIDE = 21, N_NODES = SIDE * SIDE, N_TRIANGLES = 2 * (SIDE - 1) * (SIDE - 1), PER_SECOND = 60 };
static const double size = 0.6, rod_height = 0.7, friction = 0.3;
static const int32_t corners[2] = {0, SIDE - 1};

typedef struct hanging {
    weft_sim *sim;
    weft_cloth_id cloth;
    weft_attachment_id held; /* the two corners, by rings or pins */
} hanging;

static void must(weft_result result, const weft_error *error)
{
    if (result < 0) {
        fprintf(stderr, "%s: %s\n", weft_result_name(result), error->text);
        exit(EXIT_FAILURE);
    }
}

/* Warp along the rod, weft down: the upper edge is nodes 0 … SIDE − 1. */
static void make_cloth(hanging *h)
{
    weft_error error;
    weft_fabric fabric;
    must(weft_fabric_find("linen", &fabric, &error), &error);
    weft_grid_def grid = weft_grid_def_default();
    grid.n_warp = grid.n_weft = SIDE;
    grid.size_warp = grid.size_weft = size;
    grid.corner = (weft_vec3){-0.5 * size, rod_height, 0};
    grid.axis_weft = (weft_vec3){0, -1, 0};
    grid.model.fabrics = &fabric;
    grid.model.n_fabrics = 1;
    must(weft_cloth_create_grid(h->sim, &grid, &h->cloth, &error), &error);
}

static void hold(hanging *h, weft_attachment_kind kind)
{
    weft_error error;
    weft_attachment_def def = weft_attachment_def_default();
    def.kind = kind;
    def.cloth = h->cloth;
    def.nodes = corners;
    def.n_nodes = 2;
    def.rod_point.y = rod_height; /* along x, as by default; of no meaning for pins */
    def.rod_friction = friction;
    must(weft_attachment_create(h->sim, &def, &h->held, &error), &error);
}

/* Steps for some time, with a line every fifth of a second. Leaves the last forces on the two corners. */
static void run(hanging *h, double seconds, weft_vec3 force[2])
{
    weft_error error;
    weft_step_stats stats;
    weft_vec3 sum, x[N_NODES];
    for (int i = 1, n = (int)(seconds * PER_SECOND + 0.5); i <= n; i++) {
        must(weft_sim_step(h->sim, 1.0 / PER_SECOND, &stats, &error), &error);
        must(weft_attachment_get_force(h->sim, h->held, &sum, force, 2, &error), &error);
        if (i % (PER_SECOND / 5) != 0)
            continue;
        must(weft_cloth_get_positions(h->sim, h->cloth, x, N_NODES, 0, &error), &error);
        printf("%5.2f s   apart %.3f m   down %.3f N   along the rod %6.3f and %6.3f N   with the wind %6.3f N\n",
               stats.time, x[corners[1]].x - x[corners[0]].x, -sum.y, force[0].x, force[1].x, sum.z);
    }
}

static void write_obj(const hanging *h, const char *path)
{
    weft_error error;
    weft_vec3 x[N_NODES];
    int32_t t[N_TRIANGLES][3];
    must(weft_cloth_get_positions(h->sim, h->cloth, x, N_NODES, 0, &error), &error);
    must(weft_cloth_get_triangles(h->sim, h->cloth, t[0], N_TRIANGLES, &error), &error);
    FILE *f = fopen(path, "w");
    for (int i = 0; f && i < N_NODES; i++)
        fprintf(f, "v %.17g %.17g %.17g\n", x[i].x, x[i].y, x[i].z);
    for (int i = 0; f && i < N_TRIANGLES; i++)
        fprintf(f, "f %d %d %d\n", t[i][0] + 1, t[i][1] + 1, t[i][2] + 1);
    if (!f || fclose(f) != 0) {
        fprintf(stderr, "%s cannot be written\n", path);
        exit(EXIT_FAILURE);
    }
}

int main(void)
{
    weft_error error;
    weft_vec3 force[2] = {{0, 0, 0}};
    hanging h = {.sim = NULL};
    weft_sim_def def = weft_sim_def_default();
    def.wind = (weft_vec3){0, 0, 0.1}; /* a breath: a flat sheet would not know to which side to fold */
    def.newton_limit = 12;             /* more exact than by default: forces are to be read */
    must(weft_sim_create(&def, &h.sim, &error), &error);
    make_cloth(&h);
    weft_cloth_info info;
    must(weft_cloth_get_info(h.sim, h.cloth, &info, &error), &error);
    printf("a sheet of %.3f N hangs from two rings\n", 9.81 * info.mass);

    hold(&h, WEFT_ATTACH_ROD);
    run(&h, 2, force);
    for (int i = 0; i < 2; i++)
        printf("ring %d: along the rod / across it %.2f, friction allows %.2f\n", i,
               fabs(force[i].x) / hypot(force[i].y, force[i].z), friction);
    write_obj(&h, "hanging_rest.obj");

    printf("pins hold them there, and wind blows\n");
    must(weft_attachment_remove(h.sim, h.held, &error), &error);
    hold(&h, WEFT_ATTACH_PIN);
    must(weft_sim_set_wind(h.sim, (weft_vec3){0, 0, 2}, &error), &error);
    run(&h, 1, force);
    write_obj(&h, "hanging_wind.obj");
    weft_sim_destroy(h.sim);
    return EXIT_SUCCESS;
}
