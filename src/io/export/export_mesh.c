/* SPDX-License-Identifier: MIT */
/* Meshes to be written: cloths joined in order, polygons or triangles, points turned and scaled.
 *
 * Triangles as drawn carry no uv of their own. The uv of a triangle's corner is that of the same node in the polygon
 * that holds all three nodes of the triangle; a triangle that lies in no polygon gets none (-1). */
#include "io/export/export_job.h"

#include "io/heap.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static weft_result get_topology(const export_job *job, int32_t i, int32_t cloth, const weft_topology **out)
{
    return weft_cache_get_topology(job->cache, export_frame(job, i), cloth, out, job->error);
}

/* With room for the difference of two. NaN does not fit. */
static bool fits_float(double x)
{
    return fabs(x) <= (double)FLT_MAX / 4;
}

static bool topology_has_uv(const weft_topology *t)
{
    return t->uv && t->corner_uv && t->n_uv > 0;
}

static bool takes_triangles(const weft_topology *t, bool as_triangles)
{
    return as_triangles || t->n_faces == 0;
}

/* ---- is it the same? --------------------------------------------------------------------------------------------- */

static bool same_bytes(const void *a, const void *b, size_t n)
{
    return a == b || n == 0 || (a && b && memcmp(a, b, n) == 0);
}

static bool same_counts(const weft_topology *a, const weft_topology *b)
{
    return a->n_nodes == b->n_nodes && a->n_triangles == b->n_triangles && a->n_faces == b->n_faces &&
           a->n_uv == b->n_uv;
}

static bool same_topology(const weft_topology *a, const weft_topology *b)
{
    if (a == b)
        return true;
    if (!same_counts(a, b) || topology_has_uv(a) != topology_has_uv(b) ||
        !same_bytes(a->triangles, b->triangles, 3 * (size_t)a->n_triangles * sizeof *a->triangles))
        return false;
    if (a->n_faces == 0)
        return true;
    size_t n_corners = (size_t)a->face_start[a->n_faces];
    return same_bytes(a->face_start, b->face_start, ((size_t)a->n_faces + 1) * sizeof *a->face_start) &&
           same_bytes(a->corners, b->corners, n_corners * sizeof *a->corners) &&
           (!topology_has_uv(a) || (same_bytes(a->uv, b->uv, (size_t)a->n_uv * sizeof *a->uv) &&
                                    same_bytes(a->corner_uv, b->corner_uv, n_corners * sizeof *a->corner_uv)));
}

weft_result export_topology_same(const export_job *job, int32_t cloth, int32_t i, int32_t j, bool *same)
{
    const weft_topology *a, *b;
    weft_result r = get_topology(job, i, cloth, &a);
    r = r < 0 ? r : get_topology(job, j, cloth, &b);
    if (r >= 0)
        *same = same_topology(a, b);
    return r;
}

/* ---- room -------------------------------------------------------------------------------------------------------- */

typedef struct counts {
    int64_t nodes, faces, corners, uv;
    bool has_uv;
} counts;

static void count_export(counts *c, const weft_topology *t, bool as_triangles)
{
    bool triangles = takes_triangles(t, as_triangles);
    c->nodes += t->n_nodes;
    c->faces += triangles ? t->n_triangles : t->n_faces;
    c->corners += triangles ? 3 * (int64_t)t->n_triangles : t->face_start[t->n_faces];
    c->uv += topology_has_uv(t) ? t->n_uv : 0;
    c->has_uv = c->has_uv || topology_has_uv(t);
}

static weft_result reserve_export(const export_job *job, const counts *c, weft_mesh *m)
{
    if (c->nodes > INT32_MAX || c->faces >= INT32_MAX || c->corners > INT32_MAX || c->uv > INT32_MAX)
        return fault(job->error, WEFT_ERROR_RANGE, "%s: too many nodes or faces for one mesh; export one cloth a file",
                     job->def->path);
    m->positions = heap_array((size_t)c->nodes, sizeof *m->positions);
    m->face_start = heap_array((size_t)c->faces + 1, sizeof *m->face_start);
    m->corners = heap_array((size_t)c->corners, sizeof *m->corners);
    m->uv = heap_array((size_t)c->uv, sizeof *m->uv);
    m->corner_uv = c->has_uv ? heap_array((size_t)c->corners, sizeof *m->corner_uv) : NULL;
    bool done = m->positions && m->face_start && m->corners && m->uv && (m->corner_uv || !c->has_uv);
    return done ? WEFT_OK : fault_memory(job->error);
}

/* ---- the uv of triangles ----------------------------------------------------------------------------------------- */

/* The faces around each node: those of node vi are face[start[vi] .. start[vi + 1]). */
typedef struct fans {
    int32_t *start, *face;
} fans;

static void fans_free(fans *f)
{
    free(f->start);
    free(f->face);
}

static bool fans_make(const weft_topology *t, fans *f)
{
    f->start = heap_array((size_t)t->n_nodes + 2, sizeof *f->start);
    f->face = heap_array((size_t)t->face_start[t->n_faces], sizeof *f->face);
    if (!f->start || !f->face)
        return false;
    for (int32_t c = 0; c < t->face_start[t->n_faces]; c++)
        f->start[t->corners[c] + 2]++;
    for (int32_t vi = 0; vi < t->n_nodes; vi++)
        f->start[vi + 2] += f->start[vi + 1];
    for (int32_t face = 0; face < t->n_faces; face++) /* moves start[vi + 1] from the fan's begin to its end */
        for (int32_t c = t->face_start[face]; c < t->face_start[face + 1]; c++)
            f->face[f->start[t->corners[c] + 1]++] = face;
    return true;
}

/* The corner of a face at a node, -1: none. */
static int32_t corner_at(const weft_topology *t, int32_t face, int32_t node)
{
    for (int32_t c = t->face_start[face]; c < t->face_start[face + 1]; c++)
        if (t->corners[c] == node)
            return c;
    return -1;
}

static void triangle_uv(const weft_topology *t, const fans *f, const int32_t node[3], int32_t out[3])
{
    for (int32_t k = f->start[node[0]]; k < f->start[node[0] + 1]; k++) {
        int32_t c[3];
        for (int j = 0; j < 3; j++)
            c[j] = corner_at(t, f->face[k], node[j]);
        if (c[0] < 0 || c[1] < 0 || c[2] < 0)
            continue;
        for (int j = 0; j < 3; j++)
            out[j] = t->corner_uv[c[j]];
        return;
    }
    out[0] = out[1] = out[2] = -1;
}

static weft_result append_triangle_uv(const export_job *job, const weft_topology *t, int32_t first, weft_mesh *m)
{
    if (!topology_has_uv(t)) {
        for (int32_t c = 0; c < 3 * t->n_triangles; c++)
            m->corner_uv[first + c] = -1;
        return WEFT_OK;
    }
    fans f = {0};
    bool done = fans_make(t, &f);
    for (int32_t ti = 0; ti < t->n_triangles && done; ti++)
        triangle_uv(t, &f, t->triangles + 3 * ti, m->corner_uv + first + 3 * ti);
    fans_free(&f);
    return done ? WEFT_OK : fault_memory(job->error);
}

/* ---- joining ----------------------------------------------------------------------------------------------------- */

static bool indices_fit(const int32_t *index, int32_t n, int32_t lowest, int32_t end)
{
    for (int32_t k = 0; k < n; k++)
        if (index[k] < lowest || index[k] >= end)
            return false;
    return true;
}

static bool uv_fit(const weft_topology *t)
{
    for (int32_t k = 0; k < t->n_uv; k++)
        if (!fits_float(t->uv[k].u) || !fits_float(t->uv[k].v))
            return false;
    return true;
}

static weft_result check_export_topology(const export_job *job, int32_t i, const weft_topology *t)
{
    int32_t n_corners = t->n_faces > 0 ? t->face_start[t->n_faces] : 0, frame = export_frame(job, i);
    if (!indices_fit(t->triangles, 3 * t->n_triangles, 0, t->n_nodes) ||
        !indices_fit(t->corners, n_corners, 0, t->n_nodes) ||
        (topology_has_uv(t) && !indices_fit(t->corner_uv, n_corners, -1, t->n_uv)))
        return fault(job->error, WEFT_ERROR_INDEX, "frame %d, cloth %d: a face names a node or uv that is not there",
                     frame, t->cloth);
    if (topology_has_uv(t) && !uv_fit(t))
        return fault(job->error, WEFT_ERROR_NOT_FINITE, "frame %d, cloth %d: a uv is no number, or too big for a file",
                     frame, t->cloth);
    return WEFT_OK;
}

static weft_result append_triangles(const export_job *job, const weft_topology *t, weft_mesh *m)
{
    int32_t first = m->face_start[m->n_faces];
    for (int32_t c = 0; c < 3 * t->n_triangles; c++)
        m->corners[first + c] = m->n_nodes + t->triangles[c];
    for (int32_t ti = 0; ti < t->n_triangles; ti++)
        m->face_start[m->n_faces + ti + 1] = first + 3 * (ti + 1);
    return m->corner_uv ? append_triangle_uv(job, t, first, m) : WEFT_OK;
}

static void append_faces(const weft_topology *t, weft_mesh *m)
{
    int32_t first = m->face_start[m->n_faces], n = t->face_start[t->n_faces];
    for (int32_t c = 0; c < n; c++)
        m->corners[first + c] = m->n_nodes + t->corners[c];
    for (int32_t face = 0; face < t->n_faces; face++)
        m->face_start[m->n_faces + face + 1] = first + t->face_start[face + 1];
    for (int32_t c = 0; c < n && m->corner_uv; c++)
        m->corner_uv[first + c] = topology_has_uv(t) ? t->corner_uv[c] : -1;
}

static weft_result append_topology(const export_job *job, int32_t i, const weft_topology *t, bool as_triangles,
                                   weft_mesh *m)
{
    weft_result r = check_export_topology(job, i, t);
    if (r < 0)
        return r;
    bool triangles = takes_triangles(t, as_triangles);
    int32_t first = m->face_start[m->n_faces];
    if (triangles)
        r = append_triangles(job, t, m);
    else
        append_faces(t, m);
    m->n_nodes += t->n_nodes;
    m->n_faces += triangles ? t->n_triangles : t->n_faces;
    if (!topology_has_uv(t))
        return r;
    for (int32_t c = first; c < m->face_start[m->n_faces]; c++)
        m->corner_uv[c] += m->corner_uv[c] < 0 ? 0 : m->n_uv;
    memcpy(m->uv + m->n_uv, t->uv, (size_t)t->n_uv * sizeof *t->uv);
    m->n_uv += t->n_uv;
    return r;
}

weft_result export_mesh_make(const export_job *job, int32_t i, int32_t first, int32_t end, bool as_triangles,
                             weft_mesh *out)
{
    counts c = {0};
    const weft_topology *t;
    weft_result r = WEFT_OK;
    *out = (weft_mesh){0};
    for (int32_t cloth = first; cloth < end && r >= 0; cloth++)
        if ((r = get_topology(job, i, cloth, &t)) >= 0)
            count_export(&c, t, as_triangles);
    r = r < 0 ? r : reserve_export(job, &c, out);
    for (int32_t cloth = first; cloth < end && r >= 0; cloth++)
        if ((r = get_topology(job, i, cloth, &t)) >= 0)
            r = append_topology(job, i, t, as_triangles, out);
    if (r < 0)
        weft_mesh_free(out);
    return r;
}

/* ---- points ------------------------------------------------------------------------------------------------------ */

/* 0 − z and not −z, so that a zero stays +0. */
static weft_vec3 turn_positions(const weft_export_def *d, weft_vec3 x)
{
    x = (weft_vec3){d->scale * x.x, d->scale * x.y, d->scale * x.z};
    return d->axes == WEFT_AXES_Z_UP ? (weft_vec3){x.x, 0.0 - x.z, x.y} : x;
}

weft_result export_mesh_move(const export_job *job, int32_t i, int32_t first, int32_t end, weft_mesh *mesh)
{
    int32_t n = 0, frame = export_frame(job, i);
    for (int32_t cloth = first; cloth < end; cloth++) {
        const weft_topology *t;
        weft_vec3 *x = mesh->positions + n;
        weft_result r = get_topology(job, i, cloth, &t);
        r = r < 0 ? r : weft_cache_read_positions(job->cache, frame, cloth, x, t->n_nodes, job->error);
        if (r < 0)
            return r;
        for (int32_t vi = 0; vi < t->n_nodes; vi++) {
            x[vi] = turn_positions(job->def, x[vi]);
            if (!fits_float(x[vi].x) || !fits_float(x[vi].y) || !fits_float(x[vi].z))
                return fault(job->error, WEFT_ERROR_NOT_FINITE,
                             "frame %d, cloth %d, node %d: its position is no number, or too big for a file", frame,
                             cloth, vi);
        }
        n += t->n_nodes;
    }
    return WEFT_OK;
}
