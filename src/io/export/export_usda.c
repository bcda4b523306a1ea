/* SPDX-License-Identifier: MIT */
/* USDA: the text form of USD. A mesh prim a cloth, its points as time samples; time code 0 is the first frame.
 *
 * Faces are time samples only if they change. Each topology is then given at its first and its last frame, so that
 * nothing is interpolated across a change. */
#include "io/export/export_job.h"

#include "io/heap.h"

#include <stdlib.h>
#include <string.h>

typedef struct extent {
    weft_vec3 low, high;
} extent;

typedef struct usda {
    const export_job *job;
    FILE *file;
    int32_t cloth;
    bool changes; /* the cloth's topology does */
    weft_mesh mesh;
    int32_t mesh_at; /* the frame whose faces the mesh has */
    extent *extents; /* per frame */
} usda;

static void usda_put(usda *u, const char *words)
{
    fputs(words, u->file);
}

static void usda_put_integers(usda *u, const int32_t *x, int32_t n)
{
    usda_put(u, "[");
    for (int32_t k = 0; k < n; k++)
        fprintf(u->file, "%s%d", k ? ", " : "", x[k]);
    usda_put(u, "]");
}

static void usda_put_point(usda *u, weft_vec3 x)
{
    usda_put(u, "(");
    export_put_number(u->file, x.x);
    usda_put(u, ", ");
    export_put_number(u->file, x.y);
    usda_put(u, ", ");
    export_put_number(u->file, x.z);
    usda_put(u, ")");
}

/* ---- faces ------------------------------------------------------------------------------------------------------- */

static void usda_put_counts(usda *u)
{
    usda_put(u, "[");
    for (int32_t face = 0; face < u->mesh.n_faces; face++)
        fprintf(u->file, "%s%d", face ? ", " : "", u->mesh.face_start[face + 1] - u->mesh.face_start[face]);
    usda_put(u, "]");
}

static void usda_put_indices(usda *u)
{
    usda_put_integers(u, u->mesh.corners, u->mesh.face_start[u->mesh.n_faces]);
}

static void usda_put_uv(usda *u)
{
    usda_put(u, "[");
    for (int32_t k = 0; k < u->mesh.n_uv; k++) {
        usda_put(u, k ? ", (" : "(");
        export_put_number(u->file, u->mesh.uv[k].u);
        usda_put(u, ", ");
        export_put_number(u->file, u->mesh.uv[k].v);
        usda_put(u, ")");
    }
    usda_put(u, "]");
}

static void usda_put_uv_indices(usda *u)
{
    usda_put_integers(u, u->mesh.corner_uv, u->mesh.face_start[u->mesh.n_faces]);
}

static weft_result usda_take_faces(usda *u, int32_t i)
{
    bool same = false;
    weft_result r = WEFT_OK;
    if (u->mesh_at >= 0)
        r = export_topology_same(u->job, u->cloth, u->mesh_at, i, &same);
    if (r < 0 || same)
        return r;
    weft_mesh_free(&u->mesh);
    u->mesh_at = -1;
    r = export_mesh_make(u->job, i, u->cloth, u->cloth + 1, u->job->def->as_triangles, &u->mesh);
    if (r >= 0)
        u->mesh_at = i;
    return r;
}

/* Is frame i the first or the last of a topology? */
static weft_result side_is_border(const usda *u, int32_t i, bool *border)
{
    bool before = false, behind = false;
    weft_result r = WEFT_OK;
    if (i > 0)
        r = export_topology_same(u->job, u->cloth, i - 1, i, &before);
    if (r >= 0 && i + 1 < u->job->n_frames)
        r = export_topology_same(u->job, u->cloth, i, i + 1, &behind);
    *border = !before || !behind;
    return r;
}

/* An attribute of the faces: one value, or time samples. */
static weft_result usda_put_attribute(usda *u, const char *name, void (*put_value)(usda *), const char *more)
{
    weft_result r = u->changes ? WEFT_OK : usda_take_faces(u, 0);
    fprintf(u->file, u->changes ? "        %s.timeSamples = {\n" : "        %s = ", name);
    if (!u->changes && r >= 0)
        put_value(u);
    for (int32_t i = 0; u->changes && i < u->job->n_frames && r >= 0; i++) {
        bool border;
        r = side_is_border(u, i, &border);
        if (r < 0 || !border)
            continue;
        r = usda_take_faces(u, i);
        if (r < 0)
            break;
        fprintf(u->file, "            %d: ", i);
        put_value(u);
        usda_put(u, ",\n");
    }
    fprintf(u->file, "%s%s\n", u->changes ? "        }" : "", more);
    return r;
}

/* ---- uv ---------------------------------------------------------------------------------------------------------- */

static bool mesh_has_uv(const weft_mesh *m)
{
    for (int32_t c = 0; c < m->face_start[m->n_faces]; c++)
        if (!m->corner_uv || m->corner_uv[c] < 0)
            return false;
    return m->n_faces > 0;
}

/* At every corner, at all frames? Corners without cannot be said in USD. */
static weft_result cloth_has_uv(usda *u, bool *all)
{
    weft_result r = WEFT_OK;
    bool some = false;
    *all = true;
    for (int32_t i = 0; i < (u->changes ? u->job->n_frames : 1) && r >= 0; i++) {
        r = usda_take_faces(u, i);
        *all = *all && r >= 0 && mesh_has_uv(&u->mesh);
        some = some || (r >= 0 && u->mesh.n_uv > 0);
    }
    if (r >= 0 && some && !*all)
        export_note(u->job, "uv of cloth \"%s\" left out: some faces have none, and usda holds all or nothing",
                    weft_cache_cloth_name(u->job->cache, u->cloth));
    return r;
}

static weft_result usda_put_all_uv(usda *u)
{
    bool all;
    weft_result r = cloth_has_uv(u, &all);
    if (r < 0 || !all)
        return r;
    /* Metadata stand behind the value or, where there are only samples, at a declaration of their own. */
    const char *metadata = " (\n            interpolation = \"faceVarying\"\n        )";
    if (u->changes)
        fprintf(u->file, "        texCoord2f[] primvars:st%s\n", metadata);
    r = usda_put_attribute(u, "texCoord2f[] primvars:st", usda_put_uv, u->changes ? "" : metadata);
    return r < 0 ? r : usda_put_attribute(u, "int[] primvars:st:indices", usda_put_uv_indices, "");
}

/* ---- points ------------------------------------------------------------------------------------------------------ */

static extent find_extent(const weft_mesh *m)
{
    extent e = {0};
    for (int32_t vi = 0; vi < m->n_nodes; vi++) {
        weft_vec3 x = m->positions[vi];
        e.low.x = vi == 0 || x.x < e.low.x ? x.x : e.low.x;
        e.low.y = vi == 0 || x.y < e.low.y ? x.y : e.low.y;
        e.low.z = vi == 0 || x.z < e.low.z ? x.z : e.low.z;
        e.high.x = vi == 0 || x.x > e.high.x ? x.x : e.high.x;
        e.high.y = vi == 0 || x.y > e.high.y ? x.y : e.high.y;
        e.high.z = vi == 0 || x.z > e.high.z ? x.z : e.high.z;
    }
    return e;
}

static weft_result usda_put_points(usda *u, int32_t i)
{
    weft_result r = usda_take_faces(u, i);
    r = r < 0 ? r : export_mesh_move(u->job, i, u->cloth, u->cloth + 1, &u->mesh);
    if (r < 0)
        return r;
    u->extents[i] = find_extent(&u->mesh);
    fprintf(u->file, "            %d: [", i);
    for (int32_t vi = 0; vi < u->mesh.n_nodes; vi++) {
        usda_put(u, vi ? ", " : "");
        usda_put_point(u, u->mesh.positions[vi]);
    }
    usda_put(u, "],\n");
    return WEFT_OK;
}

/* Frames of the last cloth count as done: before it, progress only asks whether to go on. */
static weft_result usda_put_samples(usda *u)
{
    weft_result r = WEFT_OK;
    bool is_last = u->cloth == u->job->end_cloth - 1;
    usda_put(u, "        point3f[] points.timeSamples = {\n");
    for (int32_t i = 0; i < u->job->n_frames && r >= 0 && !ferror(u->file); i++) {
        r = usda_put_points(u, i);
        r = r < 0 ? r : export_progress(u->job, is_last ? i + 1 : 0);
    }
    usda_put(u, "        }\n        float3[] extent.timeSamples = {\n");
    for (int32_t i = 0; i < u->job->n_frames && r >= 0; i++) {
        fprintf(u->file, "            %d: [", i);
        usda_put_point(u, u->extents[i].low);
        usda_put(u, ", ");
        usda_put_point(u, u->extents[i].high);
        usda_put(u, "],\n");
    }
    usda_put(u, "        }\n");
    return r;
}

/* ---- the file ---------------------------------------------------------------------------------------------------- */

/* Letters, digits and _, not beginning with a digit: what USD takes as a name. */
static void make_name(const char *from, char *out, size_t room)
{
    size_t n = 0;
    from = from && *from ? from : "cloth";
    if (*from >= '0' && *from <= '9')
        out[n++] = '_';
    for (; *from && n + 1 < room; from++) {
        bool is_letter = (*from >= 'a' && *from <= 'z') || (*from >= 'A' && *from <= 'Z');
        out[n++] = is_letter || (*from >= '0' && *from <= '9') ? *from : '_';
    }
    out[n] = '\0';
}

/* Two cloths must not be called the same once their names are made valid. */
static void make_own_name(const export_job *job, int32_t cloth, char *out, size_t room)
{
    char other[96];
    make_name(weft_cache_cloth_name(job->cache, cloth), out, room - 16);
    for (int32_t c = job->first_cloth; c < job->end_cloth; c++) {
        make_name(weft_cache_cloth_name(job->cache, c), other, sizeof other - 16);
        if (c == cloth || strcmp(other, out) != 0)
            continue;
        size_t n = strlen(out);
        snprintf(out + n, room - n, "_%d", cloth);
        return;
    }
}

static void usda_put_file_head(usda *u)
{
    const export_job *job = u->job;
    fprintf(u->file, "#usda 1.0\n(\n    defaultPrim = \"weft\"\n    doc = \"Weft %s\"\n", weft_version());
    usda_put(u, "    framesPerSecond = ");
    export_put_number(u->file, job->fps);
    usda_put(u, "\n    metersPerUnit = ");
    export_put_number(u->file, 1 / job->def->scale);
    fprintf(u->file, "\n    startTimeCode = 0\n    endTimeCode = %d\n    timeCodesPerSecond = ", job->n_frames - 1);
    export_put_number(u->file, job->fps);
    fprintf(u->file, "\n    upAxis = \"%s\"\n)\n\ndef Xform \"weft\"\n{\n",
            job->def->axes == WEFT_AXES_Z_UP ? "Z" : "Y");
}

static weft_result find_changes(usda *u)
{
    weft_result r = WEFT_OK;
    u->changes = false;
    for (int32_t i = 1; i < u->job->n_frames && r >= 0 && !u->changes; i++) {
        bool same;
        r = export_topology_same(u->job, u->cloth, i - 1, i, &same);
        u->changes = r >= 0 && !same;
    }
    return r;
}

static weft_result usda_put_cloth(usda *u, int32_t cloth)
{
    char name[96];
    u->cloth = cloth;
    u->mesh_at = -1;
    make_own_name(u->job, cloth, name, sizeof name);
    weft_result r = find_changes(u);
    fprintf(u->file, "    def Mesh \"%s\"\n    {\n", name);
    usda_put(u, "        uniform token subdivisionScheme = \"none\"\n        uniform bool doubleSided = 1\n");
    r = r < 0 ? r : usda_put_attribute(u, "int[] faceVertexCounts", usda_put_counts, "");
    r = r < 0 ? r : usda_put_attribute(u, "int[] faceVertexIndices", usda_put_indices, "");
    r = r < 0 ? r : usda_put_all_uv(u);
    r = r < 0 ? r : usda_put_samples(u);
    usda_put(u, "    }\n");
    weft_mesh_free(&u->mesh);
    return r;
}

weft_result export_usda(const export_job *job)
{
    file_writer w;
    usda u = {.job = job};
    weft_result r = WEFT_OK;
    u.extents = heap_array((size_t)job->n_frames, sizeof *u.extents);
    if (!u.extents)
        return fault_memory(job->error);
    r = file_begin(&w, job->def->path, job->def->force, job->error);
    if (r >= 0) {
        u.file = w.file;
        usda_put_file_head(&u);
        for (int32_t cloth = job->first_cloth; cloth < job->end_cloth && r >= 0; cloth++)
            r = usda_put_cloth(&u, cloth);
        usda_put(&u, "}\n");
        r = export_finish(job, &w, r);
    }
    free(u.extents);
    return r;
}
