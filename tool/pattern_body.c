/* SPDX-License-Identifier: MIT */
#include "pattern_body.h"

#include "disk.h"
#include "three_views.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <weft/io/body.h>

static weft_result no_memory(weft_error *error)
{
    *error = (weft_error){.code = WEFT_ERROR_MEMORY, .element = -1, .text = "out of memory"};
    return WEFT_ERROR_MEMORY;
}

static int32_t *triangles_of(const weft_mesh *m, int32_t *n)
{
    int32_t most = m->face_start[m->n_faces] - 2 * m->n_faces;
    int32_t *triangles = malloc((3 * (size_t)most + 1) * sizeof *triangles);
    *n = triangles ? weft_mesh_triangulate(m, triangles, NULL) : 0;
    return triangles;
}

weft_result pattern_body_read(const char *path, const char *landmarks, weft_body **out, weft_mesh *mesh,
                              weft_error *error)
{
    weft_result r = weft_mesh_read(path, mesh, error);
    if (r < 0)
        return r;
    weft_body_def def = weft_body_def_default();
    int32_t *triangles = triangles_of(mesh, &def.n_triangles);
    def.triangles = triangles;
    def.vertices = mesh->positions;
    def.n_vertices = mesh->n_nodes;
    r = triangles ? weft_body_create(&def, out, error) : no_memory(error);
    free(triangles);
    weft_landmarks marks;
    if (r == WEFT_OK && landmarks) {
        marks = *weft_body_landmarks(*out);
        r = weft_landmarks_read(landmarks, &marks, error);
        r = r < 0 ? r : weft_body_set_landmarks(*out, &marks, error);
    } else if (r < 0 && r != WEFT_ERROR_MEMORY) {
        char text[sizeof error->text];
        memcpy(text, error->text, sizeof text);
        snprintf(error->text, sizeof error->text, "%.200s: %.280s", path, text);
    }
    if (r < 0) {
        weft_body_destroy(*out);
        *out = NULL;
        weft_mesh_free(mesh);
    }
    return r;
}

void facts_add_fit(facts *f, const weft_pattern *p, const weft_panel_fit *fits)
{
    facts_open_list(f, "fits");
    for (int32_t i = 0; i < weft_pattern_panel_count(p); i++) {
        char text[200];
        const weft_panel_fit *fit = &fits[i];
        if (f->json) {
            facts_open_item(f, "fit", weft_pattern_panel(p, i)->name);
            facts_bool(f, "from_hint", "from hint", fit->from_hint);
            facts_number(f, "clearance", "clearance", fit->clearance, "m");
            facts_number(f, "apart", "apart", fit->apart, "m");
            facts_number(f, "moved", "moved", fit->moved, "m");
            facts_number(f, "stretch", "stretch", fit->stretch, "");
            facts_close_item(f);
            continue;
        }
        snprintf(text, sizeof text, "%-16.40s %s, %.1f mm from the body, %s%.1f mm from other panels",
                 weft_pattern_panel(p, i)->name, fit->from_hint ? "as the pattern says" : "by its name and the body",
                 1e3 * fit->clearance, fit->apart >= 0.1 ? "more than " : "", 1e3 * fit->apart);
        facts_text(f, "fit", i == 0 ? "placed" : "", text);
        if (fit->moved > 0 || fit->stretch > 1.001) {
            snprintf(text, sizeof text, "%-16s moved by %.0f mm, stretched by %.1f %%", "", 1e3 * fit->moved,
                     100 * (fit->stretch - 1));
            facts_text(f, "fit", "", text);
        }
    }
    facts_close_list(f);
}

/* ---- files ------------------------------------------------------------------------------------------------------- */

weft_result pattern_mesh_write(const char *path, const weft_pattern *p, const weft_garment *garment, weft_error *error)
{
    const weft_garment_data *d = weft_garment_get(garment);
    size_t n_faces = (size_t)d->n_triangles + (size_t)d->n_quads,
           n_corners = 3 * (size_t)d->n_triangles + 4 * (size_t)d->n_quads;
    weft_mesh m = {.n_nodes = d->n_nodes,
                   .positions = (weft_vec3 *)d->positions,
                   .n_faces = (int32_t)n_faces,
                   .n_uv = d->n_nodes,
                   .uv = (weft_vec2 *)d->uv,
                   .n_groups = d->n_panels,
                   .face_group = (int32_t *)d->face_panel};
    m.face_start = malloc((n_faces + 1) * sizeof *m.face_start);
    m.corners = malloc(n_corners * sizeof *m.corners);
    m.group_names = malloc((size_t)d->n_panels * sizeof *m.group_names);
    weft_result r = WEFT_OK;
    if (m.face_start && m.corners && m.group_names) {
        memcpy(m.corners, d->triangles, 3 * (size_t)d->n_triangles * sizeof *m.corners);
        memcpy(m.corners + 3 * (size_t)d->n_triangles, d->quads, 4 * (size_t)d->n_quads * sizeof *m.corners);
        for (int32_t i = 0; i <= m.n_faces; i++)
            m.face_start[i] = i <= d->n_triangles ? 3 * i : 3 * d->n_triangles + 4 * (i - d->n_triangles);
        for (int32_t i = 0; i < d->n_panels; i++)
            m.group_names[i] = (char *)weft_pattern_panel(p, i)->name;
        m.corner_uv = m.corners;
        r = weft_mesh_write(path, disk_ending_is(path, "ply") ? WEFT_MESH_PLY : WEFT_MESH_OBJ, &m, error);
    } else
        r = no_memory(error);
    free(m.face_start);
    free(m.corners);
    free(m.group_names);
    return r;
}

/* ---- pictures ---------------------------------------------------------------------------------------------------- */

static int32_t *panel_triangles(const weft_garment_data *d, picture_color *colors, int32_t *n)
{
    *n = d->n_triangles + 2 * d->n_quads;
    int32_t *t = malloc(3 * (size_t)*n * sizeof *t), k = 0;
    for (int32_t i = 0; t && i < d->n_triangles + d->n_quads; i++) {
        bool quad = i >= d->n_triangles;
        const int32_t *v = quad ? d->quads + 4 * (size_t)(i - d->n_triangles) : d->triangles + 3 * (size_t)i;
        int hue = d->face_panel[i] * 5 % 12;
        for (int half = 0; half <= quad; half++) {
            colors[k / 3] = picture_sequential(0.1 + 0.06 * hue);
            t[k++] = v[0];
            t[k++] = v[1 + half];
            t[k++] = v[2 + half];
        }
    }
    return t;
}

weft_result pattern_body_picture(const char *path, const weft_mesh *body, const weft_garment *garment,
                                 weft_error *error)
{
    const weft_garment_data *d = weft_garment_get(garment);
    picture_mesh meshes[2] = {
        {.positions = body->positions, .n_nodes = body->n_nodes, .is_solid = true, .front = {0.72f, 0.72f, 0.74f}},
        {0}};
    int32_t *skin = triangles_of(body, &meshes[0].n_triangles), *cloth = NULL;
    picture_color *colors = d ? malloc(((size_t)d->n_triangles + 2 * (size_t)d->n_quads) * sizeof *colors) : NULL;
    meshes[0].triangles = skin;
    if (d && colors) {
        cloth = panel_triangles(d, colors, &meshes[1].n_triangles);
        meshes[1].positions = d->positions;
        meshes[1].n_nodes = d->n_nodes;
        meshes[1].triangles = cloth;
        meshes[1].triangle_colors = colors;
    }
    weft_result r = skin && (!d || (cloth && colors)) ? WEFT_OK : no_memory(error);
    const char *wrong = r == WEFT_OK ? three_views(path, meshes, d ? 2 : 1, NULL) : NULL;
    if (wrong) {
        *error = (weft_error){.code = WEFT_ERROR_FILE, .element = -1};
        snprintf(error->text, sizeof error->text, "%.200s: %.280s", path, wrong);
        r = WEFT_ERROR_FILE;
    }
    free(skin);
    free(cloth);
    free(colors);
    return r;
}
