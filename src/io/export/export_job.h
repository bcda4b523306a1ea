/* SPDX-License-Identifier: MIT */
/* What the writers of all formats share: which frames and cloths go out, how points are turned and scaled, and names.
 *
 * Writers never hold more than one frame's points (GLB: two). The frames of a job are numbered from 0 here;
 * export_frame tells their number in the run. */
#ifndef WEFT_IO_EXPORT_EXPORT_JOB_H
#define WEFT_IO_EXPORT_EXPORT_JOB_H

#include "io/file.h"
#include "io/text.h"

#include <weft/io/export.h>
#include <weft/io/mesh.h>

typedef struct export_job {
    weft_cache *cache;
    const weft_export_def *def;
    const char *format;
    int32_t first_cloth, end_cloth; /* [first, end) */
    int32_t n_frames;
    double fps; /* never 0 */
    weft_export_result *result;
    weft_error *error;
} export_job;

/* One for each format. */
weft_result export_obj(const export_job *job);
weft_result export_ply(const export_job *job);
weft_result export_pc2(const export_job *job);
weft_result export_mdd(const export_job *job);
weft_result export_glb(const export_job *job);
weft_result export_usda(const export_job *job);
weft_result export_npz(const export_job *job);

int32_t export_frame(const export_job *job, int32_t i);
/* Tells the caller that n_done frames are done; WEFT_ERROR_CANCELLED if it wants no more. */
weft_result export_progress(const export_job *job, int32_t n_done);
/* Counts a file that is complete. */
void export_wrote(const export_job *job, const char *path);
/* What people should know about the files; several are joined. */
void export_note(const export_job *job, const char *format, ...);
/* Commits and counts the file if r is WEFT_OK, abandons it if not. */
weft_result export_finish(const export_job *job, file_writer *w, weft_result r);

/* Names; malloc'ed, NULL: out of memory. "out.obj" and 7 → "out_0007.obj"; "out.pc2" and "obj" → "out.obj". */
char *export_numbered_path(const char *path, int32_t number);
char *export_path_with_ending(const char *path, const char *ending);
bool export_file_exists(const char *path);

/* The faces of cloths [first, end) at frame i, joined in order, and room for their points. The arrays belong to the
 * mesh; corner_uv is NULL if no cloth has uv. */
weft_result export_mesh_make(const export_job *job, int32_t i, int32_t first, int32_t end, bool as_triangles,
                             weft_mesh *out);
/* Fills in the points of frame i: turned, scaled, and all of them numbers that fit a float. */
weft_result export_mesh_move(const export_job *job, int32_t i, int32_t first, int32_t end, weft_mesh *mesh);
/* Is a cloth's topology at frame i the one it had at frame j? */
weft_result export_topology_same(const export_job *job, int32_t cloth, int32_t i, int32_t j, bool *same);

/* Seventeen digits. */
void export_put_number(FILE *file, double x);

/* An OBJ file's text: each cloth of frame i an object, or all joined in one. */
weft_result export_obj_text(const export_job *job, int32_t i, bool joined, text *out);

#endif
