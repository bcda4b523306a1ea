/* SPDX-License-Identifier: MIT */
/* PLY: a file a frame, all cloths joined. */
#include "io/export/export_job.h"

#include <stdlib.h>

static weft_result ply_write_frame(const export_job *job, int32_t i)
{
    weft_mesh m;
    int32_t first = job->first_cloth, end = job->end_cloth;
    weft_result r = export_mesh_make(job, i, first, end, job->def->as_triangles, &m);
    if (r < 0)
        return r;
    char *path = export_numbered_path(job->def->path, export_frame(job, i));
    r = path ? export_mesh_move(job, i, first, end, &m) : fault_memory(job->error);
    r = r < 0 ? r : weft_mesh_write(path, WEFT_MESH_PLY, &m, job->error);
    if (r >= 0)
        export_wrote(job, path);
    free(path);
    weft_mesh_free(&m);
    return r;
}

weft_result export_ply(const export_job *job)
{
    weft_result r = WEFT_OK;
    for (int32_t i = 0; i < job->n_frames && r >= 0; i++) {
        r = ply_write_frame(job, i);
        r = r < 0 ? r : export_progress(job, i + 1);
    }
    return r;
}
