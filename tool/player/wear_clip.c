/* SPDX-License-Identifier: MIT */
/* Parts are the garments, in their order, and the body last. */
#include "player/wear_clip.h"

#include "contacts.h"
#include "player/found_clip.h"

#include <stdlib.h>

static weft_result no_memory(weft_error *error)
{
    *error = (weft_error){.code = WEFT_ERROR_MEMORY, .element = -1, .text = "out of memory for the report's player"};
    return WEFT_ERROR_MEMORY;
}

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
    int32_t n_nodes = m->first_node[i + 1] - m->first_node[i];
    uint8_t *lines = calloc((size_t)n + 1, 1), *levels = calloc((size_t)n + 1, 1);
    weft_vec2 *uv = calloc((size_t)n_nodes + 1, sizeof *uv);
    bool fine = triangles && rest && lines && levels && uv;
    if (fine) {
        for (int32_t k = 0; k < 3 * n; k++)
            triangles[k] = m->triangles[3 * (size_t)first + (size_t)k] - m->first_node[i];
        weft_error ignored;
        bool has_rest = weft_cloth_get_rest_lengths(w->sim, w->garments[i].cloth, rest, n, &ignored) >= 0;
        bool has_levels = weft_cloth_get_levels(w->sim, w->garments[i].cloth, levels, n, &ignored) >= 0;
        bool has_uv = weft_cloth_get_uv(w->sim, w->garments[i].cloth, uv, n_nodes, &ignored) >= 0;
        mark_lines(rest, lines, n);
        clip_mesh mesh = {.n_nodes = n_nodes,
                          .uv = has_uv ? uv : NULL,
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
    free(uv);
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

/* What pressed on garments during the last step, and where the body left them no room. */
static weft_result add_contacts(wear *w, weft_error *error)
{
    weft_cloth_id cloths[WEAR_MOST];
    contacts now;
    for (int32_t i = 0; i < w->n_garments; i++)
        cloths[i] = w->garments[i].cloth;
    weft_result r = contacts_get(w->sim, cloths, w->n_garments, &now, error);
    bool fine = true;
    for (int32_t i = 0; r >= 0 && fine && i < w->n_garments; i++)
        fine = clip_set_pressures(w->clip, i, now.of[i].pressures) &&
               (!now.is_squeezed || clip_add_squeezed(w->clip, i, now.of[i].squeezed));
    contacts_free(&now);
    return fine ? r : no_memory(error);
}

/* ---- what intersects --------------------------------------------------------------------------------------------- */

typedef struct telling {
    const wear *w;
    const wear_mesh *mesh;
    bool failed;
} telling;

static bool add_blame(const telling *t, const weft_audit_found *found, int32_t garment)
{
    int32_t first = t->mesh->first_triangle[garment], n = t->mesh->first_triangle[garment + 1] - first;
    uint8_t *blame = calloc((size_t)n + 1, 1);
    for (int64_t i = 0; blame && i < 2 * found->n_pairs; i++) {
        int32_t triangle = found->pairs[i / 2].triangle[i % 2] - first;
        if (triangle >= 0 && triangle < n)
            blame[triangle] = CLIP_INTERSECTS;
    }
    bool fine = blame && clip_add_blame(t->w->clip, garment, blame, n);
    free(blame);
    return fine;
}

static void tell_found(void *user, const weft_audit_found *found)
{
    telling *t = user;
    t->failed = !found_clip_add(t->w->clip, found);
    for (int32_t i = 0; !t->failed && i < t->w->n_garments; i++)
        t->failed = !add_blame(t, found, i);
}

/* Once more, for the few frames in which the audit has found something. */
static weft_result add_found(const wear *w, const wear_mesh *m, weft_error *error)
{
    wear_audit ignored;
    telling t = {.w = w, .mesh = m};
    weft_result r = wear_look(w, &ignored, tell_found, &t, error);
    return t.failed ? no_memory(error) : r;
}

/* ---- a frame ----------------------------------------------------------------------------------------------------- */

static bool add_wear_frame(wear *w, const wear_mesh *m)
{
    int32_t number = clip_n_frames(w->clip);
    bool fine = clip_begin_frame(w->clip, number, number / w->def.motion_fps);
    for (int32_t i = 0; fine && i < w->n_garments; i++)
        fine = add_garment_frame(w, m, i);
    return fine && clip_set_points(w->clip, w->n_garments, m->positions + m->first_node[w->n_garments]);
}

weft_result wear_clip_frame(wear *w, const wear_audit *audit, weft_error *error)
{
    wear_mesh m;
    if (w->def.player_mb <= 0)
        return WEFT_OK;
    weft_result r = wear_mesh_get(w, &m, error);
    if (r < 0)
        return r;
    if (!(w->clip || begin(w)) || !add_wear_frame(w, &m))
        r = no_memory(error);
    if (r >= 0 && audit->n_cloth + audit->n_body > 0)
        r = add_found(w, &m, error);
    r = r < 0 ? r : add_contacts(w, error);
    wear_mesh_free(&m);
    return r;
}
