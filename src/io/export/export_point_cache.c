/* SPDX-License-Identifier: MIT */
/* Point caches: the points of every frame as floats, in the order of an OBJ's vertices. The OBJ is written beside.
 *
 * PC2, little-endian: "POINTCACHE2\0", int32 version 1, int32 points, float start frame, float frames a sample, int32
 * samples; then x, y, z of each point, sample after sample.
 * MDD, big-endian: int32 frames, int32 points, a float time in seconds for each frame; then the points likewise. */
#include "io/export/export_bytes.h"
#include "io/export/export_job.h"
#include "io/heap.h"

#include <stdlib.h>
#include <string.h>

typedef void (*put_u32)(unsigned char *out, uint32_t x);

static void write_cache_u32(FILE *file, put_u32 put, uint32_t x)
{
    unsigned char b[4];
    put(b, x);
    fwrite(b, 1, sizeof b, file);
}

static void write_cache_points(FILE *file, put_u32 put, const weft_mesh *m, unsigned char *room)
{
    unsigned char *b = room;
    for (int32_t vi = 0; vi < m->n_nodes; vi++) {
        put(b, float_bits((float)m->positions[vi].x));
        put(b + 4, float_bits((float)m->positions[vi].y));
        put(b + 8, float_bits((float)m->positions[vi].z));
        b += 12;
    }
    fwrite(room, 12, (size_t)m->n_nodes, file);
}

static weft_result write_cache_frames(const export_job *job, FILE *file, put_u32 put, weft_mesh *m)
{
    weft_result r = WEFT_OK;
    unsigned char *room = heap_array((size_t)m->n_nodes, 12);
    if (!room)
        return fault_memory(job->error);
    for (int32_t i = 0; i < job->n_frames && r >= 0 && !ferror(file); i++) {
        r = export_mesh_move(job, i, job->first_cloth, job->end_cloth, m);
        if (r < 0)
            break;
        write_cache_points(file, put, m, room);
        r = export_progress(job, i + 1);
    }
    free(room);
    return r;
}

/* ---- the OBJ beside ---------------------------------------------------------------------------------------------- */

static bool is_there_already(const char *path, const text *t)
{
    char *bytes;
    size_t n;
    bool same = file_read(path, &bytes, &n, NULL) >= 0 && n == t->n && memcmp(bytes, t->bytes, n) == 0;
    free(bytes);
    return same;
}

/* The same file as is there already is fine: PC2 and MDD of one run share it. */
static weft_result write_obj(const export_job *job, const char *path, const text *t)
{
    if (is_there_already(path, t))
        return WEFT_OK;
    weft_result r = file_write(path, t->bytes, t->n, job->def->force, job->error);
    if (r >= 0)
        export_wrote(job, path);
    return r;
}

/* Before the long work: would it overwrite anything? */
static weft_result check_obj(const export_job *job, const char *path, const text *t)
{
    if (job->def->force || !export_file_exists(path) || is_there_already(path, t))
        return WEFT_OK;
    return fault(job->error, WEFT_ERROR_EXISTS,
                 "%s: exists already and is not the OBJ of this run; it is overwritten only with --force", path);
}

/* ---- both -------------------------------------------------------------------------------------------------------- */

typedef void (*write_head)(const export_job *job, FILE *file, int32_t n_points);

static weft_result write_cache(const export_job *job, write_head head, put_u32 put, const char *obj_path, const text *t)
{
    weft_mesh m;
    file_writer w;
    weft_result r = export_mesh_make(job, 0, job->first_cloth, job->end_cloth, true, &m);
    if (r < 0)
        return r;
    r = file_begin(&w, job->def->path, job->def->force, job->error);
    if (r >= 0) {
        head(job, w.file, m.n_nodes);
        r = write_cache_frames(job, w.file, put, &m);
        r = r < 0 ? r : write_obj(job, obj_path, t);
        r = export_finish(job, &w, r);
    }
    weft_mesh_free(&m);
    return r;
}

static weft_result export_points(const export_job *job, write_head head, put_u32 put)
{
    text t = {0};
    char *obj_path = export_path_with_ending(job->def->path, "obj");
    weft_result r = obj_path ? export_obj_text(job, 0, true, &t) : fault_memory(job->error);
    r = r < 0 ? r : check_obj(job, obj_path, &t);
    r = r < 0 ? r : write_cache(job, head, put, obj_path, &t);
    text_free(&t);
    free(obj_path);
    return r;
}

static void write_pc2_head(const export_job *job, FILE *file, int32_t n_points)
{
    fwrite("POINTCACHE2", 1, 12, file);
    write_cache_u32(file, put_u32_le, 1);
    write_cache_u32(file, put_u32_le, (uint32_t)n_points);
    write_cache_u32(file, put_u32_le, float_bits(0.0f));
    write_cache_u32(file, put_u32_le, float_bits(1.0f));
    write_cache_u32(file, put_u32_le, (uint32_t)job->n_frames);
}

static void write_mdd_head(const export_job *job, FILE *file, int32_t n_points)
{
    write_cache_u32(file, put_u32_be, (uint32_t)job->n_frames);
    write_cache_u32(file, put_u32_be, (uint32_t)n_points);
    for (int32_t i = 0; i < job->n_frames; i++)
        write_cache_u32(file, put_u32_be, float_bits((float)(i / job->fps)));
}

weft_result export_pc2(const export_job *job)
{
    return export_points(job, write_pc2_head, put_u32_le);
}

weft_result export_mdd(const export_job *job)
{
    return export_points(job, write_mdd_head, put_u32_be);
}
