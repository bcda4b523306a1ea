/* SPDX-License-Identifier: MIT */
/* Frames: all positions of a moment as the API tells them. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "attack/judge.h"

static void count_parts(const attack_scene *s, attack_frame *f)
{
    weft_cloth_info info = {.n_nodes = 0};
    weft_collider_info solid = {.n_vertices = 0};
    for (int i = 0; i < s->recipe.n_cloths; i++) {
        weft_cloth_get_info(s->sim, s->cloths[i], &info, NULL);
        f->first_node[f->n_objects++] = f->n_nodes;
        f->n_nodes += info.n_nodes;
        f->n_triangles += info.n_triangles;
        f->revision = f->revision * 31 + info.revision;
    }
    f->n_cloth_nodes = f->n_nodes;
    for (int i = 0; i < s->recipe.n_colliders; i++) {
        f->collider_object[i] = -1;
        if (!attack_collider_is_mesh(&s->recipe.colliders[i]))
            continue;
        weft_collider_get_info(s->sim, s->colliders[i], &solid, NULL);
        f->collider_object[i] = f->n_objects;
        f->first_node[f->n_objects++] = f->n_nodes;
        f->n_nodes += solid.n_vertices;
        f->n_triangles += solid.n_triangles;
    }
    f->first_node[f->n_objects] = f->n_nodes;
}

static void own_triangles(attack_frame *f, int32_t object, int32_t first, int32_t n)
{
    for (int32_t i = first; i < first + n; i++) {
        f->object[i] = object;
        for (int k = 0; k < 3; k++)
            f->triangles[i][k] += f->first_node[object];
    }
}

static void read_parts(const attack_scene *s, attack_frame *f)
{
    int32_t at = 0;
    weft_vec3 *x = (weft_vec3 *)f->x;
    for (int i = 0; i < s->recipe.n_cloths; i++) {
        weft_cloth_info info = {.n_nodes = 0};
        weft_cloth_get_info(s->sim, s->cloths[i], &info, NULL);
        weft_cloth_get_positions(s->sim, s->cloths[i], &x[f->first_node[i]], info.n_nodes, 0, NULL);
        weft_cloth_get_triangles(s->sim, s->cloths[i], f->triangles[at], info.n_triangles, NULL);
        own_triangles(f, i, at, info.n_triangles);
        at += info.n_triangles;
    }
    for (int i = 0; i < s->recipe.n_colliders; i++) {
        int32_t object = f->collider_object[i];
        if (object < 0)
            continue;
        weft_collider_info info = {.n_vertices = 0};
        weft_collider_get_info(s->sim, s->colliders[i], &info, NULL);
        weft_collider_get_vertices(s->sim, s->colliders[i], &x[f->first_node[object]], info.n_vertices, NULL);
        weft_collider_get_triangles(s->sim, s->colliders[i], f->triangles[at], info.n_triangles, NULL);
        own_triangles(f, object, at, info.n_triangles);
        at += info.n_triangles;
    }
}

/* Multiples of 2^-34 m below 2^40 of them: positions are multiples of 2^-32 m, nodes that hang lie between two. */
static void put_on_grid(attack_frame *f)
{
    f->finite = f->on_grid = f->in_sight = true;
    for (int32_t i = 0; i < f->n_nodes; i++)
        for (int k = 0; k < 3; k++) {
            double scaled = f->x[i][k] * 0x1p34;
            bool finite = isfinite(scaled), near = finite && fabs(scaled) < 0x1p40;
            f->grid[i][k] = near ? (int64_t)scaled : 0;
            bool on = !near || (double)f->grid[i][k] == scaled;
            if (!finite || !on)
                f->bad_node = i;
            f->finite = f->finite && finite;
            f->in_sight = f->in_sight && near;
            f->on_grid = f->on_grid && on;
        }
}

static void join_ties(const attack_scene *s, attack_frame *f)
{
    for (int32_t i = 0; i < f->n_nodes; i++)
        f->same[i] = i;
    for (int t = 0; t < s->recipe.n_ties; t++) {
        int32_t a = f->first_node[(int)s->recipe.ties[t].a] + s->tie_nodes[t][0];
        int32_t b = f->first_node[(int)s->recipe.ties[t].b] + s->tie_nodes[t][1];
        for (int32_t k = 0; k < s->tie_pairs[t]; k++) {
            int32_t from = f->same[a + k], into = f->same[b + k];
            for (int32_t i = 0; i < f->n_cloth_nodes; i++)
                f->same[i] = f->same[i] == from ? into : f->same[i];
        }
    }
}

attack_frame attack_frame_take(const attack_scene *s)
{
    attack_frame f;
    memset(&f, 0, sizeof f);
    count_parts(s, &f);
    f.x = attack_need((size_t)f.n_nodes * sizeof *f.x);
    f.grid = attack_need((size_t)f.n_nodes * sizeof *f.grid);
    f.same = attack_need((size_t)f.n_nodes * sizeof *f.same);
    f.triangles = attack_need((size_t)f.n_triangles * sizeof *f.triangles);
    f.object = attack_need((size_t)f.n_triangles * sizeof *f.object);
    f.time = weft_sim_time(s->sim);
    read_parts(s, &f);
    put_on_grid(&f);
    join_ties(s, &f);
    return f;
}

void attack_frame_free(attack_frame *f)
{
    free(f->x);
    free(f->grid);
    free(f->same);
    free(f->triangles);
    free(f->object);
    memset(f, 0, sizeof *f);
}
