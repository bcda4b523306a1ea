/* SPDX-License-Identifier: MIT */
/* Parts are the garments, in their order, and the body last. Nodes that seams have joined have several places in warp
 * and weft, so that stretch is told by sides only. */
#include "player/wear_clip.h"

#include <stdlib.h>

static bool begin(wear *w)
{
    w->clip = clip_new(w->garments[0].name, w->def.motion_fps);
    bool fine = w->clip != NULL;
    for (int32_t i = 0; fine && i < w->n_garments; i++) {
        clip_part part = {w->garments[i].name, false, wear_color(i), {0.62f, 0.60f, 0.58f}};
        fine = clip_add_part(w->clip, &part) == i;
        w->shown[i] = UINT32_MAX;
    }
    const clip_part body = {"body", true, {0.80f, 0.72f, 0.66f}, {0.80f, 0.72f, 0.66f}};
    const clip_mesh skin = {
        .n_nodes = w->skin.n_nodes, .n_triangles = w->n_skin_triangles, .triangles = w->skin_triangles};
    if (fine)
        clip_set_scales(w->clip, WEAR_RED_STRETCH, w->def.adapt > 0 ? w->def.adapt : 1);
    return fine && clip_add_part(w->clip, &body) == w->n_garments && clip_set_mesh(w->clip, w->n_garments, &skin);
}

/* Sides without a rest length are diagonals of quads. */
static void mark_lines(const double *rest, uint8_t *lines, int32_t n_triangles)
{
    for (int32_t i = 0; i < 3 * n_triangles; i++)
        lines[i / 3] = (uint8_t)(lines[i / 3] | (rest[i] > 0) << i % 3);
}

static bool set_garment_mesh(wear *w, const wear_mesh *m, int32_t i)
{
    int32_t first = m->first_triangle[i], n = m->first_triangle[i + 1] - first;
    int32_t *triangles = calloc(3 * (size_t)n + 1, sizeof *triangles);
    double *rest = calloc(3 * (size_t)n + 1, sizeof *rest);
    uint8_t *lines = calloc((size_t)n + 1, 1), *levels = calloc((size_t)n + 1, 1);
    bool fine = triangles && rest && lines && levels;
    if (fine) {
        for (int32_t k = 0; k < 3 * n; k++)
            triangles[k] = m->triangles[3 * (size_t)first + (size_t)k] - m->first_node[i];
        weft_error ignored;
        bool has_rest = weft_cloth_get_rest_lengths(w->sim, w->garments[i].cloth, rest, n, &ignored) >= 0;
        bool has_levels = weft_cloth_get_levels(w->sim, w->garments[i].cloth, levels, n, &ignored) >= 0;
        mark_lines(rest, lines, n);
        clip_mesh mesh = {.n_nodes = m->first_node[i + 1] - m->first_node[i],
                          .n_triangles = n,
                          .triangles = triangles,
                          .levels = has_levels ? levels : NULL,
                          .lines = has_rest ? lines : NULL,
                          .rest = has_rest ? rest : NULL};
        fine = clip_set_mesh(w->clip, i, &mesh);
    }
    free(triangles);
    free(rest);
    free(lines);
    free(levels);
    return fine;
}

static bool add_garment_frame(wear *w, const wear_mesh *m, int32_t i)
{
    weft_cloth_info info;
    weft_error ignored;
    if (weft_cloth_get_info(w->sim, w->garments[i].cloth, &info, &ignored) < 0)
        return false;
    if (info.revision != w->shown[i] && !set_garment_mesh(w, m, i))
        return false;
    w->shown[i] = info.revision;
    return clip_set_points(w->clip, i, m->positions + m->first_node[i]);
}

/* Triangles of a garment with a node in a pair that was left no room during the last step are to blame. */
static bool blame_squeezed(wear *w, const wear_mesh *m, int32_t i, const weft_squeezed *pairs, int32_t n_pairs)
{
    int32_t first = m->first_triangle[i], n = m->first_triangle[i + 1] - first, n_hit = 0;
    uint8_t *nodes = calloc((size_t)(m->first_node[i + 1] - m->first_node[i]) + 1, 1);
    uint8_t *blame = calloc((size_t)n + 1, 1);
    bool fine = nodes && blame;
    for (int32_t k = 0; fine && k < 4 * n_pairs; k++) {
        weft_squeezed_node node = pairs[k / 4].node[k % 4];
        if (!node.of_collider && node.index == w->garments[i].cloth.index)
            nodes[node.node] = 1;
    }
    for (int32_t k = 0; fine && k < 3 * n; k++)
        if (nodes[m->triangles[3 * (size_t)first + (size_t)k] - m->first_node[i]]) {
            blame[k / 3] = CLIP_SQUEEZED;
            n_hit++;
        }
    fine = fine && (n_hit == 0 || clip_add_blame(w->clip, i, blame, n));
    free(nodes);
    free(blame);
    return fine;
}

static bool add_squeezed(wear *w, const wear_mesh *m)
{
    int32_t n = 0;
    weft_error ignored;
    if (weft_sim_get_squeezed(w->sim, NULL, 0, &n, &ignored) < 0 || n == 0)
        return true;
    weft_squeezed *pairs = calloc((size_t)n, sizeof *pairs);
    bool fine = pairs && weft_sim_get_squeezed(w->sim, pairs, n, &n, &ignored) >= 0;
    for (int32_t i = 0; fine && i < w->n_garments; i++)
        fine = blame_squeezed(w, m, i, pairs, n);
    free(pairs);
    return fine;
}

static bool add_wear_frame(wear *w, const wear_mesh *m)
{
    int32_t number = clip_n_frames(w->clip);
    bool fine = clip_begin_frame(w->clip, number, number / w->def.motion_fps);
    for (int32_t i = 0; fine && i < w->n_garments; i++)
        fine = add_garment_frame(w, m, i);
    fine = fine && clip_set_points(w->clip, w->n_garments, m->positions + m->first_node[w->n_garments]);
    return fine && add_squeezed(w, m);
}

weft_result wear_clip_frame(wear *w, weft_error *error)
{
    wear_mesh m;
    if (w->def.player_mb <= 0)
        return WEFT_OK;
    weft_result r = wear_mesh_get(w, &m, error);
    if (r < 0)
        return r;
    bool fine = (w->clip || begin(w)) && add_wear_frame(w, &m);
    wear_mesh_free(&m);
    if (fine)
        return WEFT_OK;
    *error = (weft_error){.code = WEFT_ERROR_MEMORY, .element = -1, .text = "out of memory for the report's player"};
    return WEFT_ERROR_MEMORY;
}
