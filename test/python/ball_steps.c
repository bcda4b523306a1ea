/* SPDX-License-Identifier: MIT */
/* As many steps of a cloth on a ball as it is told, for test_cost.py: what Python costs more. Prints the hash. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <weft/weft.h>

int main(int argc, char **argv)
{
    weft_error e;
    weft_sim *sim;
    weft_sim_def def = weft_sim_def_default();
    weft_collider_def ball = weft_collider_def_default();
    weft_grid_def grid = weft_grid_def_default();
    weft_fabric cotton;
    weft_collider_id collider;
    weft_cloth_id cloth;
    ball.kind = WEFT_COLLIDER_SPHERE;
    ball.radius = 0.2;
    grid.n_warp = grid.n_weft = 15;
    grid.size_warp = grid.size_weft = 0.72;
    grid.corner = (weft_vec3){-0.36, 0.25, 0.36};
    grid.model.fabrics = &cotton;
    grid.model.n_fabrics = 1;
    if (argc != 2 || weft_sim_create(&def, &sim, &e) < 0 || weft_collider_create(sim, &ball, &collider, &e) < 0 ||
        weft_fabric_find("cotton", &cotton, &e) < 0 || weft_cloth_create_grid(sim, &grid, &cloth, &e) < 0)
        return EXIT_FAILURE;
    for (int i = atoi(argv[1]); i > 0; i--)
        if (weft_sim_step(sim, 1.0 / 60, NULL, &e) < 0)
            return EXIT_FAILURE;
    printf("%" PRIu64 "\n", weft_sim_hash(sim));
    weft_sim_destroy(sim);
    return EXIT_SUCCESS;
}
