/* SPDX-License-Identifier: MIT */
/* GLB, glTF 2.0 in one binary file: a mesh a cloth, a morph target a frame after the first, and one animation that
 * gives each target its weight. Times between frames are linear between the two.
 *
 * Targets move normals as well as positions: viewers do not compute them anew, and cloth lit as it lay flat looks
 * wrong. Bounds of positions stand in the JSON, ahead of the positions, and are known only after the last frame; so the
 * JSON is written twice, at the same length. */
#include "io/export/export_glb.h"

#include "io/export/export_bytes.h"
#include "io/heap.h"
#include "io/params.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

/* ---- parts ------------------------------------------------------------------------------------------------------- */

/* One uv for each node, or NULL with a reason. */
static weft_result find_node_uv(const export_job *job, const weft_mesh *m, weft_vec2 **out, const char **why)
{
    int32_t *uv_at = heap_array((size_t)m->n_nodes, sizeof *uv_at); /* 0: none yet */
    *out = heap_array((size_t)m->n_nodes, sizeof **out);
    bool done = uv_at && *out;
    *why = NULL;
    for (int32_t c = 0; done && !*why && c < m->face_start[m->n_faces]; c++) {
        int32_t vi = m->corners[c], uv = m->corner_uv[c];
        weft_vec2 at = uv < 0 ? (weft_vec2){0} : m->uv[uv];
        if (uv < 0)
            *why = "some faces have none";
        else if (uv_at[vi] &&
                 ((*out)[vi].u < at.u || (*out)[vi].u > at.u || (*out)[vi].v < at.v || (*out)[vi].v > at.v))
            *why = "some nodes have several";
        uv_at[vi] = 1;
        (*out)[vi] = at;
    }
    free(uv_at);
    if (!done || *why) {
        free(*out);
        *out = NULL;
    }
    return done ? WEFT_OK : fault_memory(job->error);
}

static weft_result make_part_uv(const glb *g, glb_part *p)
{
    const export_job *job = g->job;
    const char *why = NULL;
    weft_mesh faces;
    weft_result r = export_mesh_make(job, 0, p->cloth, p->cloth + 1, false, &faces);
    if (r >= 0 && faces.corner_uv)
        r = find_node_uv(job, &faces, &p->uv, &why);
    if (r >= 0 && why)
        export_note(job, "uv of cloth \"%s\" left out: %s, and glb holds one a node",
                    weft_cache_cloth_name(job->cache, p->cloth), why);
    weft_mesh_free(&faces);
    return r;
}

static weft_result make_part(glb *g, glb_part *p)
{
    weft_result r = export_mesh_make(g->job, 0, p->cloth, p->cloth + 1, true, &p->mesh);
    r = r < 0 ? r : make_part_uv(g, p);
    if (r < 0)
        return r;
    if (p->mesh.n_nodes < 1 || p->mesh.n_faces < 1)
        return fault(g->job->error, WEFT_ERROR_ARGUMENT, "cloth \"%s\" is empty, and glb holds no empty meshes",
                     weft_cache_cloth_name(g->job->cache, p->cloth));
    p->first_node = g->n_nodes;
    p->first_triangle = g->n_triangles;
    p->first_uv = g->n_uv;
    g->n_nodes += p->mesh.n_nodes;
    g->n_triangles += p->mesh.n_faces;
    g->n_uv += p->uv ? p->mesh.n_nodes : 0;
    p->base = heap_array((size_t)p->mesh.n_nodes, 6 * sizeof *p->base);
    p->vector = heap_array((size_t)p->mesh.n_nodes, 6 * sizeof *p->vector);
    return p->base && p->vector ? WEFT_OK : fault_memory(g->job->error);
}

static void glb_free(glb *g)
{
    for (int32_t part = 0; part < g->n_parts && g->parts; part++) {
        glb_part *p = &g->parts[part];
        weft_mesh_free(&p->mesh);
        free(p->uv);
        free(p->base);
        free(p->vector);
    }
    free(g->parts);
    free(g->bounds);
    free(g->room);
}

static weft_result glb_make(glb *g, const export_job *job)
{
    weft_result r = WEFT_OK;
    *g = (glb){.job = job, .n_parts = job->end_cloth - job->first_cloth};
    g->parts = heap_array((size_t)g->n_parts, sizeof *g->parts);
    g->bounds = heap_array((size_t)g->n_parts * (size_t)job->n_frames, sizeof *g->bounds);
    if (!g->parts || !g->bounds)
        return fault_memory(job->error);
    for (int32_t part = 0; part < g->n_parts && r >= 0; part++) {
        g->parts[part].cloth = job->first_cloth + part;
        r = make_part(g, &g->parts[part]);
    }
    g->room = heap_array((size_t)g->n_nodes, 24);
    return r >= 0 && !g->room ? fault_memory(job->error) : r;
}

/* ---- a frame ----------------------------------------------------------------------------------------------------- */

/* Twice the area of a triangle, as a vector along its normal. */
static weft_vec3 triangle_area_vector(const weft_vec3 *x, const int32_t *node)
{
    weft_vec3 o = x[node[0]], p = x[node[1]], q = x[node[2]];
    weft_vec3 a = {p.x - o.x, p.y - o.y, p.z - o.z}, b = {q.x - o.x, q.y - o.y, q.z - o.z};
    return (weft_vec3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

/* Weighted by area; a node of no area gets some direction, because a normal must have length 1. */
static bool glb_add_normals(const weft_mesh *m, float *out)
{
    weft_vec3 *sum = heap_array((size_t)m->n_nodes, sizeof *sum);
    if (!sum)
        return false;
    for (int32_t ti = 0; ti < m->n_faces; ti++) {
        weft_vec3 a = triangle_area_vector(m->positions, m->corners + 3 * ti);
        for (int k = 0; k < 3; k++) {
            weft_vec3 *s = &sum[m->corners[3 * ti + k]];
            *s = (weft_vec3){s->x + a.x, s->y + a.y, s->z + a.z};
        }
    }
    for (int32_t vi = 0; vi < m->n_nodes; vi++) {
        weft_vec3 s = sum[vi];
        double length = sqrt(s.x * s.x + s.y * s.y + s.z * s.z);
        bool has_length = length > DBL_MIN && length <= DBL_MAX;
        out[3 * vi] = has_length ? (float)(s.x / length) : 0.0f;
        out[3 * vi + 1] = has_length ? (float)(s.y / length) : 1.0f;
        out[3 * vi + 2] = has_length ? (float)(s.z / length) : 0.0f;
    }
    free(sum);
    return true;
}

static weft_result glb_read_part(glb *g, int32_t part, int32_t i)
{
    glb_part *p = &g->parts[part];
    int32_t n = p->mesh.n_nodes;
    weft_result r = export_mesh_move(g->job, i, p->cloth, p->cloth + 1, &p->mesh);
    if (r < 0)
        return r;
    float *to = i == 0 ? p->base : p->vector;
    for (int32_t vi = 0; vi < n; vi++) {
        const weft_vec3 *x = &p->mesh.positions[vi];
        const float *b = p->base + 3 * vi;
        bool is_target = i > 0;
        to[3 * vi] = (float)(x->x - (is_target ? (double)b[0] : 0));
        to[3 * vi + 1] = (float)(x->y - (is_target ? (double)b[1] : 0));
        to[3 * vi + 2] = (float)(x->z - (is_target ? (double)b[2] : 0));
    }
    if (!glb_add_normals(&p->mesh, to + 3 * (size_t)n))
        return fault_memory(g->job->error);
    for (int64_t k = 3 * (int64_t)n; k < 6 * (int64_t)n && i > 0; k++)
        to[k] -= p->base[k];
    return WEFT_OK;
}

static glb_bounds find_bounds(const float *x, int32_t n)
{
    glb_bounds b = {{x[0], x[1], x[2]}, {x[0], x[1], x[2]}};
    for (int64_t k = 3; k < 3 * (int64_t)n; k++) {
        b.low[k % 3] = fminf(b.low[k % 3], x[k]);
        b.high[k % 3] = fmaxf(b.high[k % 3], x[k]);
    }
    return b;
}

static void glb_write_floats(glb *g, FILE *file, const float *x, size_t n)
{
    for (size_t k = 0; k < n; k++)
        put_u32_le(g->room + 4 * k, float_bits(x[k]));
    fwrite(g->room, 4, n, file);
}

static weft_result glb_write_frames(glb *g, FILE *file)
{
    weft_result r = WEFT_OK;
    for (int32_t i = 0; i < g->job->n_frames && r >= 0 && !ferror(file); i++) {
        for (int32_t part = 0; part < g->n_parts && r >= 0; part++) {
            glb_part *p = &g->parts[part];
            const float *x = i == 0 ? p->base : p->vector;
            r = glb_read_part(g, part, i);
            if (r < 0)
                break;
            g->bounds[(int64_t)i * g->n_parts + part] = find_bounds(x, p->mesh.n_nodes);
            glb_write_floats(g, file, x, 6 * (size_t)p->mesh.n_nodes);
        }
        r = r < 0 ? r : export_progress(g->job, i + 1);
    }
    return r;
}

/* ---- the file ---------------------------------------------------------------------------------------------------- */

glb_sizes glb_count_bytes(const glb *g)
{
    uint64_t n = (uint64_t)g->job->n_frames;
    return (glb_sizes){24 * n * (uint64_t)g->n_nodes, 12 * (uint64_t)g->n_triangles, n > 1 ? 4 * n * n : 0,
                       8 * (uint64_t)g->n_uv};
}

static void glb_write_u32(FILE *file, uint32_t x)
{
    unsigned char b[4];
    put_u32_le(b, x);
    fwrite(b, 1, sizeof b, file);
}

static void glb_write_triangles(const glb *g, FILE *file)
{
    for (int32_t part = 0; part < g->n_parts; part++) {
        const weft_mesh *m = &g->parts[part].mesh;
        for (int64_t c = 0; c < 3 * (int64_t)m->n_faces; c++)
            glb_write_u32(file, (uint32_t)m->corners[c]);
    }
}

/* n times; then n rows of n − 1 weights: in row i target i − 1, that of frame i, has weight 1. */
static void glb_write_animation(const glb *g, FILE *file)
{
    int32_t n = g->job->n_frames;
    for (int32_t i = 0; i < n && n > 1; i++)
        glb_write_u32(file, float_bits((float)(i / g->job->fps)));
    for (int32_t i = 0; i < n; i++)
        for (int32_t target = 1; target < n; target++)
            glb_write_u32(file, float_bits(target == i ? 1.0f : 0.0f));
}

/* v counts from the top in glTF, from the bottom elsewhere. */
static void glb_write_uv(const glb *g, FILE *file)
{
    for (int32_t part = 0; part < g->n_parts; part++)
        for (int32_t vi = 0; g->parts[part].uv && vi < g->parts[part].mesh.n_nodes; vi++) {
            glb_write_u32(file, float_bits((float)g->parts[part].uv[vi].u));
            glb_write_u32(file, float_bits((float)(1 - g->parts[part].uv[vi].v)));
        }
}

static weft_result glb_write_head(const glb *g, FILE *file)
{
    text json = {0};
    glb_sizes s = glb_count_bytes(g);
    uint64_t n_binary = s.vectors + s.triangles + s.animation + s.uv;
    glb_write_json(g, &json);
    uint64_t n = 12 + 8 + json.n + 8 + n_binary;
    weft_result r = json.failed ? fault_memory(g->job->error) : WEFT_OK;
    if (r >= 0 && n > UINT32_MAX)
        r = fault(g->job->error, WEFT_ERROR_ARGUMENT,
                  "%s: would have %.1f GB, and glb holds 4 GiB; export fewer frames (--every %d)", g->job->def->path,
                  (double)n / 1e9, (int)(n / UINT32_MAX + 1) * g->job->def->every);
    if (r >= 0) {
        fwrite("glTF", 1, 4, file);
        glb_write_u32(file, 2);
        glb_write_u32(file, (uint32_t)n);
        glb_write_u32(file, (uint32_t)json.n);
        fwrite("JSON", 1, 4, file);
        fwrite(json.bytes, 1, json.n, file);
        glb_write_u32(file, (uint32_t)n_binary);
        fwrite("BIN", 1, 4, file);
    }
    text_free(&json);
    return r;
}

static weft_result glb_write_file(glb *g, FILE *file)
{
    weft_result r = glb_write_head(g, file);
    r = r < 0 ? r : glb_write_frames(g, file);
    if (r < 0 || ferror(file))
        return r;
    glb_write_triangles(g, file);
    glb_write_animation(g, file);
    glb_write_uv(g, file);
    if (fseek(file, 0, SEEK_SET) != 0)
        return fault_errno(g->job->error, g->job->def->path);
    return glb_write_head(g, file); /* now with the bounds */
}

weft_result export_glb(const export_job *job)
{
    if (job->n_frames > GLB_MOST_FRAMES)
        return fault(job->error, WEFT_ERROR_ARGUMENT,
                     "%s: %d frames are too many for glb, which takes %d; export fewer (--every %d)", job->def->path,
                     job->n_frames, (int)GLB_MOST_FRAMES,
                     ((job->n_frames - 1) / GLB_MOST_FRAMES + 1) * job->def->every);
    glb g;
    file_writer w;
    weft_result r = glb_make(&g, job);
    r = r < 0 ? r : file_begin(&w, job->def->path, job->def->force, job->error);
    if (r >= 0)
        r = export_finish(job, &w, glb_write_file(&g, w.file));
    glb_free(&g);
    return r;
}
