/* SPDX-License-Identifier: MIT */
/* Pictures of a body and what it wears, from the front, the left and the back. */
#include "three_views.h"
#include "wear.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

picture_color wear_color(int32_t i)
{
    static const picture_color colors[WEAR_MOST] = {{0.33f, 0.50f, 0.72f}, {0.80f, 0.45f, 0.30f}, {0.42f, 0.62f, 0.44f},
                                                    {0.70f, 0.58f, 0.28f}, {0.55f, 0.42f, 0.66f}, {0.30f, 0.62f, 0.64f},
                                                    {0.75f, 0.42f, 0.55f}, {0.50f, 0.50f, 0.52f}};
    return colors[i % WEAR_MOST];
}

/* Per triangle, by its most stretched side. */
static picture_color *stretch_colors(const wear *w, const wear_mesh *m, int32_t i)
{
    int32_t t = m->first_triangle[i], n = m->first_triangle[i + 1] - t;
    double *rest = malloc(3 * (size_t)n * sizeof *rest);
    picture_color *colors = malloc((size_t)n * sizeof *colors);
    if (!rest || !colors || weft_cloth_get_rest_lengths(w->sim, w->garments[i].cloth, rest, n, NULL) < 0) {
        free(rest);
        free(colors);
        return NULL;
    }
    for (int32_t k = 0; k < n; k++) {
        double most = -1;
        const int32_t *v = m->triangles + 3 * (size_t)(t + k);
        for (int c = 0; c < 3; c++) {
            weft_vec3 a = m->positions[v[c]], b = m->positions[v[(c + 1) % 3]];
            double l = sqrt((a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y) + (a.z - b.z) * (a.z - b.z));
            if (rest[3 * (size_t)k + (size_t)c] > 0)
                most = fmax(most, l / rest[3 * (size_t)k + (size_t)c] - 1);
        }
        colors[k] = picture_diverging(most / WEAR_RED_STRETCH);
    }
    free(rest);
    return colors;
}

/* Triangles of object i with nodes counted from its first. */
static void set_mesh(const wear_mesh *m, int32_t i, int32_t first_node, int32_t n_nodes, int32_t *room,
                     picture_mesh *out)
{
    int32_t t = m->first_triangle[i], n = m->first_triangle[i + 1] - t;
    for (int32_t k = 0; k < 3 * n; k++)
        room[3 * (size_t)t + (size_t)k] = m->triangles[3 * (size_t)t + (size_t)k] - first_node;
    out->positions = m->positions + first_node;
    out->n_nodes = n_nodes;
    out->triangles = room + 3 * (size_t)t;
    out->n_triangles = n;
}

weft_result wear_picture(const wear *w, const char *path, bool stretch, weft_error *error)
{
    static const picture_legend legend = {picture_diverging, -1, 1, "stretch", "-8 %", "0", "8 %"};
    wear_mesh m;
    weft_result r = wear_mesh_get(w, &m, error);
    if (r < 0)
        return r;
    picture_mesh meshes[WEAR_MOST + 1];
    memset(meshes, 0, sizeof meshes);
    picture_color *colors[WEAR_MOST] = {0};
    int32_t *room = malloc(3 * (size_t)m.n_triangles * sizeof *room);
    const char *wrong = room ? NULL : "out of memory";
    for (int32_t i = 0; !wrong && i < w->n_garments; i++) {
        set_mesh(&m, i, m.first_node[i], m.first_node[i + 1] - m.first_node[i], room, &meshes[i]);
        meshes[i].front = wear_color(i);
        meshes[i].back = (picture_color){0.62f, 0.60f, 0.58f};
        colors[i] = stretch ? stretch_colors(w, &m, i) : NULL;
        meshes[i].triangle_colors = colors[i];
    }
    if (!wrong) {
        set_mesh(&m, w->n_garments, m.first_node[w->n_garments], w->skin.n_nodes, room, &meshes[w->n_garments]);
        meshes[w->n_garments].is_solid = true;
        meshes[w->n_garments].front = (picture_color){0.80f, 0.72f, 0.66f};
        wrong = three_views(path, meshes, w->n_garments + 1, stretch ? &legend : NULL);
    }
    for (int32_t i = 0; i < w->n_garments; i++)
        free(colors[i]);
    free(room);
    wear_mesh_free(&m);
    if (!wrong)
        return WEFT_OK;
    *error = (weft_error){.code = WEFT_ERROR_FILE, .element = -1};
    snprintf(error->text, sizeof error->text, "%.200s: %.280s", path, wrong);
    return WEFT_ERROR_FILE;
}
