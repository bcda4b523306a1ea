/* SPDX-License-Identifier: MIT */
/* Checks what is asked for, looks whether anything would be overwritten, and calls the writer of the format. */
#define _POSIX_C_SOURCE 200809L
#include "io/decimal.h"
#include "io/export/export_job.h"
#include "io/heap.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

typedef struct format_row {
    const char *name, *about;
    weft_result (*write)(const export_job *job);
    bool is_sequence;  /* a file a frame */
    bool one_topology; /* a mesh that changes does not fit in */
} format_row;

static const format_row formats[] = {
    [WEFT_EXPORT_OBJ] = {"obj", "a numbered file a frame: polygons, uv, text with 17 digits", export_obj, true, false},
    [WEFT_EXPORT_PLY] = {"ply", "a numbered file a frame: polygons, binary doubles", export_ply, true, false},
    [WEFT_EXPORT_PC2] = {"pc2", "point cache over an OBJ that is written beside it (Blender, 3ds Max)", export_pc2,
                         false, true},
    [WEFT_EXPORT_MDD] = {"mdd", "point cache with times over an OBJ that is written beside it (Blender, Houdini)",
                         export_mdd, false, true},
    [WEFT_EXPORT_GLB] = {"glb", "glTF 2.0 with a morph target a frame (browsers, three.js, Blender)", export_glb, false,
                         true},
    [WEFT_EXPORT_USDA] = {"usda", "USD text with time samples: polygons, uv, 17 digits (usdview, Houdini)", export_usda,
                          false, false},
    [WEFT_EXPORT_NPZ] = {"npz", "numpy arrays: vertices_seq, faces, vertices_uv, faces_uv, fps", export_npz, false,
                         true},
};
enum { N_FORMATS = sizeof formats / sizeof formats[0] };

weft_export_def weft_export_def_default(void)
{
    return (weft_export_def){
        .struct_size = sizeof(weft_export_def), .cloth = -1, .to = -1, .every = 1, .axes = WEFT_AXES_Y_UP, .scale = 1};
}

int32_t weft_export_format_count(void)
{
    return N_FORMATS;
}

const char *weft_export_format_name(int32_t i)
{
    return i >= 0 && i < N_FORMATS ? formats[i].name : NULL;
}

const char *weft_export_format_about(int32_t i)
{
    return i >= 0 && i < N_FORMATS ? formats[i].about : NULL;
}

/* ---- what writers use -------------------------------------------------------------------------------------------- */

int32_t export_frame(const export_job *job, int32_t i)
{
    return job->def->from + i * job->def->every;
}

weft_result export_progress(const export_job *job, int32_t n_done)
{
    if (!job->def->progress || job->def->progress(job->def->progress_user, n_done, job->n_frames))
        return WEFT_OK;
    return fault(job->error, WEFT_ERROR_CANCELLED, "%s: stopped after %d of %d frames", job->def->path, n_done,
                 job->n_frames);
}

void export_wrote(const export_job *job, const char *path)
{
    weft_export_result *r = job->result;
    if (r->n_files++ == 0)
        snprintf(r->first, sizeof r->first, "%s", path);
    snprintf(r->last, sizeof r->last, "%s", path);
}

void export_note(const export_job *job, const char *format, ...)
{
    char *note = job->result->note;
    size_t n = strlen(note), room = sizeof job->result->note;
    if (n > 0 && n + 3 < room)
        n += (size_t)snprintf(note + n, room - n, "; ");
    va_list args;
    va_start(args, format);
    vsnprintf(note + n, room - n, format, args);
    va_end(args);
}

weft_result export_finish(const export_job *job, file_writer *w, weft_result r)
{
    char path[sizeof job->result->last];
    if (r < 0) {
        file_abandon(w);
        return r;
    }
    snprintf(path, sizeof path, "%s", w->path);
    r = file_commit(w, job->error);
    if (r >= 0)
        export_wrote(job, path);
    return r;
}

void export_put_number(FILE *file, double x)
{
    char digits[DECIMAL_ROOM];
    fwrite(digits, 1, decimal_write(digits, x), file);
}

/* ---- names ------------------------------------------------------------------------------------------------------- */

/* The part of a path before its ending's dot. */
static size_t stem_length(const char *path)
{
    const char *ending = file_ending(path);
    return *ending ? (size_t)(ending - path) - 1 : strlen(path);
}

char *export_numbered_path(const char *path, int32_t number)
{
    size_t room = strlen(path) + 16;
    char *out = heap_array(room, 1);
    if (out)
        snprintf(out, room, "%.*s_%04d.%s", (int)stem_length(path), path, number, file_ending(path));
    return out;
}

char *export_path_with_ending(const char *path, const char *ending)
{
    size_t room = strlen(path) + strlen(ending) + 2;
    char *out = heap_array(room, 1);
    if (out)
        snprintf(out, room, "%.*s.%s", (int)stem_length(path), path, ending);
    return out;
}

bool export_file_exists(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0;
}

/* ---- checks ------------------------------------------------------------------------------------------------------ */

static weft_result check_export_values(const weft_export_def *d, weft_error *e)
{
    if (d->struct_size != sizeof *d)
        return fault(e, WEFT_ERROR_STRUCT_SIZE, "struct_size of the export is %zu, this library's is %zu",
                     d->struct_size, sizeof *d);
    if ((int)d->format < 0 || (int)d->format >= N_FORMATS)
        return fault(e, WEFT_ERROR_RANGE, "export format %d: expected 0 to %d", (int)d->format, N_FORMATS - 1);
    if (!d->path || !*d->path)
        return fault(e, WEFT_ERROR_ARGUMENT, "export: no path is given");
    if (!file_ending_is(d->path, formats[d->format].name))
        return fault(e, WEFT_ERROR_ARGUMENT, "%s: the name of a file in this format ends in .%s", d->path,
                     formats[d->format].name);
    if (d->every < 1 || d->every > 1000000)
        return fault(e, WEFT_ERROR_RANGE, "export every %d frames: expected 1 to 1000000", d->every);
    if ((int)d->axes != WEFT_AXES_Y_UP && (int)d->axes != WEFT_AXES_Z_UP)
        return fault(e, WEFT_ERROR_RANGE, "export axes %d: expected 0 (y up) or 1 (z up)", (int)d->axes);
    if (!(d->scale > 0 && d->scale <= 1e9))
        return fault(e, WEFT_ERROR_RANGE, "export scale %g: expected a number above 0, at most 1e9", d->scale);
    if (!(d->fps >= 0 && d->fps <= 1e6))
        return fault(e, WEFT_ERROR_RANGE, "export fps %g: expected 0 (that of the run) to 1e6", d->fps);
    return WEFT_OK;
}

static weft_result check_export_selection(const weft_export_def *d, const weft_cache_info *info, weft_error *e)
{
    if (info->n_frames < 1)
        return fault(e, WEFT_ERROR_ARGUMENT, "the run has no frames yet: there is nothing to export");
    if (info->n_cloths < 1)
        return fault(e, WEFT_ERROR_ARGUMENT, "the run has no cloths: there is nothing to export");
    int32_t last = info->n_frames - 1;
    if (d->from < 0 || d->from > last)
        return fault(e, WEFT_ERROR_RANGE, "export from frame %d: the run has frames 0 to %d", d->from, last);
    if (d->to != -1 && (d->to < d->from || d->to > last))
        return fault(e, WEFT_ERROR_RANGE, "export to frame %d: expected %d to %d, or -1 for the last", d->to, d->from,
                     last);
    if (d->cloth < -1 || d->cloth >= info->n_cloths)
        return fault(e, WEFT_ERROR_INDEX, "export of cloth %d: the run has %d, counted from 0; -1 means all", d->cloth,
                     info->n_cloths);
    if (d->fps <= 0 && !(info->fps > 0 && info->fps <= 1e6))
        return fault(e, WEFT_ERROR_RANGE, "the run claims %g frames a second: give an fps to export", info->fps);
    return WEFT_OK;
}

static weft_result check_export_target(const char *path, weft_error *e)
{
    if (!path)
        return fault_memory(e);
    if (export_file_exists(path))
        return fault(e, WEFT_ERROR_EXISTS, "%s: exists already, and is overwritten only with --force", path);
    return WEFT_OK;
}

/* All of them, before the first is written. The OBJ beside a point cache is looked at when its text is known: the same
 * file again is fine. */
static weft_result check_export_targets(const export_job *job, bool is_sequence)
{
    weft_result r = WEFT_OK;
    if (job->def->force)
        return r;
    if (!is_sequence)
        return check_export_target(job->def->path, job->error);
    for (int32_t i = 0; i < job->n_frames && r >= 0; i++) {
        char *path = export_numbered_path(job->def->path, export_frame(job, i));
        r = check_export_target(path, job->error);
        free(path);
    }
    return r;
}

static weft_result refuse_change(const export_job *job, int32_t cloth, int32_t i)
{
    int32_t frame = export_frame(job, i);
    const char *name = weft_cache_cloth_name(job->cache, cloth);
    return fault(job->error, WEFT_ERROR_ARGUMENT,
                 "%s: the mesh of cloth \"%s\" changes at frame %d, and %s holds one mesh only; export as obj, ply or "
                 "usda, or only frames up to %d or from there on",
                 job->def->path, name ? name : "", frame, job->format, export_frame(job, i - 1));
}

static weft_result check_same_topology(const export_job *job)
{
    for (int32_t cloth = job->first_cloth; cloth < job->end_cloth; cloth++)
        for (int32_t i = 1; i < job->n_frames; i++) {
            bool same;
            weft_result r = export_topology_same(job, cloth, i, i - 1, &same);
            if (r < 0)
                return r;
            if (!same)
                return refuse_change(job, cloth, i);
        }
    return WEFT_OK;
}

weft_result weft_export(weft_cache *cache, const weft_export_def *def, weft_export_result *result, weft_error *error)
{
    weft_export_result own;
    result = result ? result : &own;
    *result = (weft_export_result){0};
    if (!cache || !def)
        return fault(error, WEFT_ERROR_ARGUMENT, "weft_export: cache and def must not be NULL");
    weft_cache_info info = weft_cache_get_info(cache);
    weft_result r = check_export_values(def, error);
    r = r < 0 ? r : check_export_selection(def, &info, error);
    if (r < 0)
        return r;
    const format_row *f = &formats[def->format];
    export_job job = {.cache = cache, .def = def, .format = f->name, .result = result, .error = error};
    job.first_cloth = def->cloth < 0 ? 0 : def->cloth;
    job.end_cloth = def->cloth < 0 ? info.n_cloths : def->cloth + 1;
    job.n_frames = ((def->to < 0 ? info.n_frames - 1 : def->to) - def->from) / def->every + 1;
    job.fps = def->fps > 0 ? def->fps : info.fps / def->every;
    r = f->one_topology ? check_same_topology(&job) : WEFT_OK;
    r = r < 0 ? r : check_export_targets(&job, f->is_sequence);
    r = r < 0 ? r : f->write(&job);
    if (r >= 0)
        result->n_frames = job.n_frames;
    return r;
}
