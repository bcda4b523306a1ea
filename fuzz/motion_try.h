/* SPDX-License-Identifier: MIT */
/* Gives bytes, as a stream, to a reader of moving points, and samples what it accepts. */
#ifndef WEFT_FUZZ_MOTION_TRY_H
#define WEFT_FUZZ_MOTION_TRY_H

#include "io/motion/motion.h"

#include <math.h>
#include <stdlib.h>

static inline void motion_must(bool holds)
{
    if (!holds)
        abort();
}

static inline void motion_sample_all(weft_motion *m)
{
    weft_error error;
    weft_motion_info info = weft_motion_get_info(m);
    weft_vec3 *points = malloc(sizeof *points * (size_t)info.n_points);
    motion_must(points != NULL && info.n_frames > 0 && info.duration >= 0);
    for (int i = -1; i <= 9; i++) {
        double time = info.start + info.duration * i / 8;
        if (!isfinite(time) || weft_motion_sample(m, time, points, info.n_points, &error) < 0)
            continue;
        motion_must(isfinite(points[0].x));
    }
    free(points);
}

/* The bytes are not written to: the stream is opened for reading. */
static inline void motion_try(bool is_pc2, const uint8_t *data, size_t size)
{
    FILE *file = size > 0 ? fmemopen((void *)(uintptr_t)data, size, "rb") : NULL;
    weft_motion *m = file ? motion_make("input") : NULL;
    if (!m) {
        if (file)
            fclose(file);
        return;
    }
    weft_error error;
    weft_result r = is_pc2 ? motion_open_pc2(m, file, size, 25, &error) : motion_open_mdd(m, file, size, &error);
    if (r == WEFT_OK)
        motion_sample_all(m);
    else
        motion_must(error.text[0] != '\0');
    weft_motion_close(m);
}

#endif
