/* SPDX-License-Identifier: MIT */
#include "sheet.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void stop_on(weft_result r, const weft_error *e)
{
    if (r >= 0)
        return;
    fprintf(stderr, "bench: %s\n", e->text);
    exit(2);
}

void sheet_parse(int argc, char **argv, const char *bench, sheet_options *o)
{
    for (int i = 1; i < argc; i += 2) {
        const char *value = i + 1 < argc ? argv[i + 1] : NULL;
        if (value && strcmp(argv[i], "--seconds") == 0)
            o->seconds = atof(value);
        else if (value && strcmp(argv[i], "--threads") == 0)
            o->threads = atoi(value);
        else if (value && strcmp(argv[i], "--csv") == 0)
            o->csv = value;
        else if (value && strcmp(argv[i], "--sizes") == 0) {
            o->n_sizes = 0;
            for (const char *p = value; p && o->n_sizes < 8; p = strchr(p, ',') ? strchr(p, ',') + 1 : NULL)
                o->sizes[o->n_sizes++] = atoi(p);
        } else {
            fprintf(stderr, "usage: bench_%s [--seconds S] [--threads N] [--csv FILE] [--sizes 38,76,146]\n", bench);
            exit(2);
        }
    }
}

static weft_cloth_id add_cloth(weft_sim *sim, int n)
{
    weft_error e = {0};
    weft_fabric cotton;
    weft_cloth_id id = {0, 0};
    stop_on(weft_fabric_find("cotton", &cotton, &e), &e);
    weft_grid_def g = weft_grid_def_default();
    g.n_warp = g.n_weft = n;
    g.size_warp = g.size_weft = 0.72;
    g.corner = (weft_vec3){-0.36, 0.25 + cotton.thickness, 0.36};
    g.model.fabrics = &cotton;
    g.model.n_fabrics = 1;
    stop_on(weft_cloth_create_grid(sim, &g, &id, &e), &e);
    return id;
}

static weft_collider_id add_ball(weft_sim *sim)
{
    weft_error e = {0};
    weft_collider_id id = {0, 0};
    weft_collider_def c = weft_collider_def_default();
    c.kind = WEFT_COLLIDER_SPHERE;
    c.radius = 0.2;
    stop_on(weft_collider_create(sim, &c, &id, &e), &e);
    return id;
}

static void hang(weft_sim *sim, weft_cloth_id cloth, int n)
{
    weft_error e = {0};
    weft_attachment_id id;
    int32_t corners[2] = {0, n - 1};
    weft_attachment_def a = weft_attachment_def_default();
    a.cloth = cloth;
    a.nodes = corners;
    a.n_nodes = 2;
    stop_on(weft_attachment_create(sim, &a, &id, &e), &e);
}

weft_sim *sheet_scene(const char *scene, int n, int threads, weft_cloth_id *cloth, weft_collider_id *ball)
{
    weft_error e = {0};
    weft_sim *sim = NULL;
    weft_sim_def sd = weft_sim_def_default();
    sd.n_threads = threads;
    stop_on(weft_sim_create(&sd, &sim, &e), &e);
    weft_cloth_id sheet = add_cloth(sim, n);
    weft_collider_id under = {0, 0};
    if (strcmp(scene, "ball") == 0)
        under = add_ball(sim);
    else
        hang(sim, sheet, n);
    if (cloth)
        *cloth = sheet;
    if (ball)
        *ball = under;
    return sim;
}
