/* SPDX-License-Identifier: MIT */
/* OBJ: a file a frame, each cloth an object of its own. Numbers of vertices run on over the objects of a file. */
#include "io/decimal.h"
#include "io/export/export_job.h"

#include <stdlib.h>
#include <string.h>

static void obj_add_number(text *t, double x, char behind)
{
    char digits[DECIMAL_ROOM];
    text_add_bytes(t, digits, decimal_write(digits, x));
    text_add_bytes(t, &behind, 1);
}

/* Much faster than printing, and a file has more indices than anything else. */
static void obj_add_index(text *t, char before, int32_t x)
{
    char digits[16], *at = digits + sizeof digits;
    do {
        *--at = (char)('0' + x % 10);
        x /= 10;
    } while (x > 0);
    *--at = before;
    text_add_bytes(t, at, (size_t)(digits + sizeof digits - at));
}

static void obj_add_name(text *t, const char *name)
{
    text_add(t, "o ");
    for (const char *c = name && *name ? name : "cloth"; *c; c++) {
        bool is_plain = (unsigned char)*c > ' ' && *c != 127 && *c != '\\' && *c != '#';
        text_add_bytes(t, is_plain ? c : "_", 1);
    }
    text_add(t, "\n");
}

/* Within a face either all corners have uv or none: half a one is not OBJ. */
static bool face_has_uv(const weft_mesh *m, int32_t face)
{
    for (int32_t c = m->face_start[face]; c < m->face_start[face + 1]; c++)
        if (!m->corner_uv || m->corner_uv[c] < 0)
            return false;
    return true;
}

static void obj_add_mesh(text *t, const weft_mesh *m, int32_t first_node, int32_t first_uv)
{
    for (int32_t vi = 0; vi < m->n_nodes; vi++) {
        text_add_bytes(t, "v ", 2);
        obj_add_number(t, m->positions[vi].x, ' ');
        obj_add_number(t, m->positions[vi].y, ' ');
        obj_add_number(t, m->positions[vi].z, '\n');
    }
    for (int32_t k = 0; k < m->n_uv; k++) {
        text_add_bytes(t, "vt ", 3);
        obj_add_number(t, m->uv[k].u, ' ');
        obj_add_number(t, m->uv[k].v, '\n');
    }
    for (int32_t face = 0; face < m->n_faces; face++) {
        bool with_uv = face_has_uv(m, face);
        text_add_bytes(t, "f", 1);
        for (int32_t c = m->face_start[face]; c < m->face_start[face + 1]; c++) {
            obj_add_index(t, ' ', first_node + m->corners[c] + 1);
            if (with_uv)
                obj_add_index(t, '/', first_uv + m->corner_uv[c] + 1);
        }
        text_add_bytes(t, "\n", 1);
    }
}

static weft_result obj_add_object(const export_job *job, int32_t i, int32_t first, int32_t end, int32_t *n_nodes,
                                  int32_t *n_uv, text *out)
{
    weft_mesh m;
    weft_result r = export_mesh_make(job, i, first, end, job->def->as_triangles, &m);
    if (r < 0)
        return r;
    r = export_mesh_move(job, i, first, end, &m);
    if (r >= 0) {
        obj_add_name(out, end - first > 1 ? "cloths" : weft_cache_cloth_name(job->cache, first));
        obj_add_mesh(out, &m, *n_nodes, *n_uv);
        *n_nodes += m.n_nodes;
        *n_uv += m.n_uv;
    }
    weft_mesh_free(&m);
    return r;
}

weft_result export_obj_text(const export_job *job, int32_t i, bool joined, text *out)
{
    int32_t n_nodes = 0, n_uv = 0, step = joined ? job->end_cloth - job->first_cloth : 1;
    weft_result r = WEFT_OK;
    text_add(out, "# Weft %s, frame %d\n", weft_version(), export_frame(job, i));
    for (int32_t cloth = job->first_cloth; cloth < job->end_cloth && r >= 0; cloth += step)
        r = obj_add_object(job, i, cloth, cloth + step, &n_nodes, &n_uv, out);
    return r < 0 ? r : out->failed ? fault_memory(job->error) : WEFT_OK;
}

static weft_result obj_write_frame(const export_job *job, int32_t i)
{
    text t = {0};
    char *path = export_numbered_path(job->def->path, export_frame(job, i));
    weft_result r = path ? export_obj_text(job, i, false, &t) : fault_memory(job->error);
    r = r < 0 ? r : file_write(path, t.bytes, t.n, job->def->force, job->error);
    if (r >= 0)
        export_wrote(job, path);
    text_free(&t);
    free(path);
    return r;
}

weft_result export_obj(const export_job *job)
{
    weft_result r = WEFT_OK;
    for (int32_t i = 0; i < job->n_frames && r >= 0; i++) {
        r = obj_write_frame(job, i);
        r = r < 0 ? r : export_progress(job, i + 1);
    }
    return r;
}
