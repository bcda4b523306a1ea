/* SPDX-License-Identifier: MIT */
/* NPZ: numpy's arrays in a zip, little-endian. The points are written frame after frame, as the cache has them. */
#include "io/export/export_bytes.h"
#include "io/export/export_job.h"
#include "io/export/export_zip.h"
#include "io/heap.h"

#include <errno.h>
#include <stdlib.h>

enum { NPY_HEAD = 128 }; /* of each array: a multiple of 64 that holds any shape */

/* An array of `size` bytes begins (NumPy's format 1.0). shape is as Python prints a tuple. */
static void npz_begin_array(zip_writer *z, const char *name, const char *type, const char *shape, uint64_t size)
{
    unsigned char head[NPY_HEAD];
    memcpy(head, "\x93NUMPY\x01\x00", 8);
    put_u16_le(head + 8, NPY_HEAD - 10);
    char *words = (char *)head + 10;
    int n = snprintf(words, NPY_HEAD - 10, "{'descr': '%s', 'fortran_order': False, 'shape': (%s), }", type, shape);
    memset(words + n, ' ', (size_t)(NPY_HEAD - 10 - n));
    head[NPY_HEAD - 1] = '\n';
    zip_begin_entry(z, name, NPY_HEAD + size);
    zip_add(z, head, NPY_HEAD);
}

/* ---- arrays ------------------------------------------------------------------------------------------------------ */

static weft_result npz_write_points(const export_job *job, zip_writer *z, weft_mesh *m)
{
    char shape[64];
    weft_result r = WEFT_OK;
    unsigned char *room = heap_array((size_t)m->n_nodes, 24);
    if (!room)
        return fault_memory(job->error);
    snprintf(shape, sizeof shape, "%d, %d, 3", job->n_frames, m->n_nodes);
    npz_begin_array(z, "vertices_seq.npy", "<f8", shape, 24 * (uint64_t)job->n_frames * (uint64_t)m->n_nodes);
    for (int32_t i = 0; i < job->n_frames && r >= 0 && !ferror(z->file); i++) {
        r = export_mesh_move(job, i, job->first_cloth, job->end_cloth, m);
        for (int32_t vi = 0; vi < m->n_nodes && r >= 0; vi++) {
            put_u64_le(room + 24 * (size_t)vi, double_bits(m->positions[vi].x));
            put_u64_le(room + 24 * (size_t)vi + 8, double_bits(m->positions[vi].y));
            put_u64_le(room + 24 * (size_t)vi + 16, double_bits(m->positions[vi].z));
        }
        zip_add(z, room, 24 * (size_t)m->n_nodes);
        r = r < 0 ? r : export_progress(job, i + 1);
    }
    zip_end_entry(z);
    free(room);
    return r;
}

/* n_faces rows of `width` indices; index NULL: all -1. */
static void npz_write_faces(zip_writer *z, const char *name, int32_t n_faces, int32_t width, const int32_t *index)
{
    char shape[64];
    snprintf(shape, sizeof shape, "%d, %d", n_faces, width);
    npz_begin_array(z, name, "<i4", shape, 4 * (uint64_t)n_faces * (uint64_t)width);
    for (int64_t c = 0; c < (int64_t)n_faces * width; c++) {
        unsigned char b[4];
        put_u32_le(b, index ? (uint32_t)index[c] : UINT32_MAX);
        zip_add(z, b, sizeof b);
    }
    zip_end_entry(z);
}

static void npz_write_uv(zip_writer *z, const weft_mesh *m)
{
    char shape[64];
    snprintf(shape, sizeof shape, "%d, 2", m->n_uv);
    npz_begin_array(z, "vertices_uv.npy", "<f8", shape, 16 * (uint64_t)m->n_uv);
    for (int32_t k = 0; k < m->n_uv; k++) {
        unsigned char b[16];
        put_u64_le(b, double_bits(m->uv[k].u));
        put_u64_le(b + 8, double_bits(m->uv[k].v));
        zip_add(z, b, sizeof b);
    }
    zip_end_entry(z);
}

static void npz_write_fps(zip_writer *z, double fps)
{
    unsigned char b[8];
    put_u64_le(b, double_bits(fps));
    npz_begin_array(z, "fps.npy", "<f8", "", sizeof b);
    zip_add(z, b, sizeof b);
    zip_end_entry(z);
}

/* ---- the file ---------------------------------------------------------------------------------------------------- */

/* Corners of every face, 0 if they differ. */
static int32_t common_width(const weft_mesh *m)
{
    int32_t width = m->n_faces > 0 ? m->face_start[1] : 3;
    for (int32_t face = 0; face < m->n_faces; face++)
        if (m->face_start[face + 1] - m->face_start[face] != width)
            return 0;
    return width;
}

/* Rows of one width: triangles or quads as they are; any other mixture as triangles. */
static weft_result npz_make_mesh(const export_job *job, weft_mesh *m, int32_t *width)
{
    weft_result r = export_mesh_make(job, 0, job->first_cloth, job->end_cloth, job->def->as_triangles, m);
    if (r < 0)
        return r;
    *width = common_width(m);
    if (*width == 3 || *width == 4)
        return WEFT_OK;
    weft_mesh_free(m);
    *width = 3;
    export_note(job, "faces are triangles, because not all are triangles or quads");
    return export_mesh_make(job, 0, job->first_cloth, job->end_cloth, true, m);
}

weft_result export_npz(const export_job *job)
{
    weft_mesh m;
    int32_t width;
    file_writer w;
    zip_writer z;
    weft_result r = npz_make_mesh(job, &m, &width);
    if (r < 0)
        return r;
    r = file_begin(&w, job->def->path, job->def->force, job->error);
    if (r >= 0) {
        zip_begin(&z, w.file);
        r = npz_write_points(job, &z, &m);
        npz_write_faces(&z, "faces.npy", m.n_faces, width, m.corners);
        npz_write_uv(&z, &m);
        npz_write_faces(&z, "faces_uv.npy", m.n_faces, width, m.corner_uv);
        npz_write_fps(&z, job->fps);
        errno = 0;
        if (!zip_end(&z) && r >= 0 && !ferror(w.file))
            r = fault_errno(job->error, job->def->path);
        r = export_finish(job, &w, r);
    }
    weft_mesh_free(&m);
    return r;
}
