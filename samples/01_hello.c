/* SPDX-License-Identifier: MIT */
/* A cotton cloth falls on a ball. Prints how it goes and writes the last frame to hello.obj. */
#include <stdio.h>
#include <stdlib.h>
#include <weft/weft.h>

static void must(weft_result result, const weft_error *error)
{
    if (result < 0) { /* negative: failed; positive: done, with a warning */
        fprintf(stderr, "%s\n", error->text);
        exit(EXIT_FAILURE);
    }
}

int main(void)
{
    enum { SIDE = 41, N_NODES = SIDE * SIDE, N_TRIANGLES = 2 * (SIDE - 1) * (SIDE - 1) };
    static weft_vec3 x[N_NODES];
    static int32_t corners[N_TRIANGLES][3];
    weft_error error;
    weft_sim *sim;
    weft_sim_def sim_def = weft_sim_def_default();
    must(weft_sim_create(&sim_def, &sim, &error), &error);

    weft_collider_id ball;
    weft_collider_def ball_def = weft_collider_def_default();
    ball_def.kind = WEFT_COLLIDER_SPHERE;
    ball_def.radius = 0.2;
    must(weft_collider_create(sim, &ball_def, &ball, &error), &error);

    weft_fabric cotton;
    must(weft_fabric_find("cotton", &cotton, &error), &error);
    weft_cloth_id cloth;
    weft_grid_def grid = weft_grid_def_default();
    grid.n_warp = grid.n_weft = SIDE;
    grid.size_warp = grid.size_weft = 0.72;                      /* metres, as all lengths */
    grid.corner = (weft_vec3){.x = -0.36, .y = 0.25, .z = 0.36}; /* warp along x, weft along -z */
    grid.model.fabrics = &cotton;
    grid.model.n_fabrics = 1;
    must(weft_cloth_create_grid(sim, &grid, &cloth, &error), &error);

    for (int frame = 1; frame <= 60; frame++) {
        weft_step_stats stats;
        must(weft_sim_step(sim, 1.0 / 60, &stats, &error), &error);
        if (frame % 10 == 0)
            printf("%.2f s  stretch %.3f  %d contacts\n", stats.time, stats.stretch, stats.contacts);
    }

    must(weft_cloth_get_positions(sim, cloth, x, N_NODES, 0, &error), &error);
    must(weft_cloth_get_triangles(sim, cloth, corners[0], N_TRIANGLES, &error), &error);
    FILE *obj = fopen("hello.obj", "w");
    for (int i = 0; obj && i < N_NODES; i++)
        fprintf(obj, "v %.17g %.17g %.17g\n", x[i].x, x[i].y, x[i].z);
    for (int i = 0; obj && i < N_TRIANGLES; i++)
        fprintf(obj, "f %d %d %d\n", corners[i][0] + 1, corners[i][1] + 1, corners[i][2] + 1);
    weft_sim_destroy(sim);
    return obj && fclose(obj) == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
