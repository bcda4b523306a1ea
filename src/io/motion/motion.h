/* SPDX-License-Identifier: MIT */
/* What the readers of moving points have in common: frames with times, each of which can be read by itself. */
#ifndef WEFT_IO_MOTION_MOTION_H
#define WEFT_IO_MOTION_MOTION_H

#include "io/fault.h"
#include "io/params.h"

#include <weft/io/mesh.h>

#include <stdio.h>

typedef struct motion_kept {
    int32_t frame; /* -1: none */
    uint64_t used; /* when last */
    weft_vec3 *points;
} motion_kept;

struct weft_motion {
    char *name;
    int32_t n_points, n_frames;
    double *times; /* s, of each frame, not decreasing */
    weft_result (*load)(weft_motion *m, int32_t frame, weft_vec3 *out, weft_error *e);
    /* PC2 and MDD. */
    FILE *file;
    uint64_t data;   /* where the first frame begins */
    uint8_t *buffer; /* of one frame */
    double (*load_float)(const uint8_t *bytes);
    /* Sequences. */
    char **files;
    motion_kept kept[MOTION_KEPT];
    uint64_t uses;
};

/* An empty motion; NULL: out of memory. */
weft_motion *motion_make(const char *name);

/* Each fills an empty motion; it is closed by the caller in any case. The first two take the stream. */
weft_result motion_open_pc2(weft_motion *m, FILE *file, uint64_t size, double fps, weft_error *e);
weft_result motion_open_mdd(weft_motion *m, FILE *file, uint64_t size, weft_error *e);
weft_result motion_open_sequence(weft_motion *m, const char *path, double fps, weft_error *e);

/* ---- for files of floats, frame after frame ---------------------------------------------------------------------- */

/* WEFT_ERROR_FORMAT if the file is not head + n_frames frames long. */
weft_result motion_check_size(const weft_motion *m, uint64_t head, uint64_t size, weft_error *e);
weft_result motion_read_at(weft_motion *m, uint64_t offset, void *out, size_t n, weft_error *e);
/* Makes the times and the buffer, once the counts are known and checked. */
weft_result motion_make_room(weft_motion *m, weft_error *e);
weft_result motion_load_floats(weft_motion *m, int32_t frame, weft_vec3 *out, weft_error *e);

#endif
