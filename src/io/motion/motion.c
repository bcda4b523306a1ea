/* SPDX-License-Identifier: MIT */
/* Points that move: which frames a time lies between, and the few frames that are kept. */
#define _POSIX_C_SOURCE 200809L
#include "io/motion/motion.h"

#include "io/file.h"
#include "io/heap.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>

/* ---- opening and closing ----------------------------------------------------------------------------------------- */

weft_motion *motion_make(const char *name)
{
    weft_motion *m = heap_array(1, sizeof *m);
    size_t n = strlen(name) + 1;
    char *copy = heap_array(n, 1);
    if (!m || !copy) {
        free(m);
        free(copy);
        return NULL;
    }
    memcpy(copy, name, n);
    m->name = copy;
    for (int i = 0; i < MOTION_KEPT; i++)
        m->kept[i].frame = -1;
    return m;
}

void weft_motion_close(weft_motion *motion)
{
    if (!motion)
        return;
    for (int i = 0; i < MOTION_KEPT; i++)
        free(motion->kept[i].points);
    for (int32_t i = 0; motion->files && i < motion->n_frames; i++)
        free(motion->files[i]);
    if (motion->file)
        fclose(motion->file);
    free(motion->files);
    free(motion->buffer);
    free(motion->times);
    free(motion->name);
    free(motion);
}

static weft_result open_motion_file(const char *path, FILE **file, uint64_t *size, weft_error *e)
{
    errno = 0;
    FILE *f = fopen(path, "rb");
    struct stat info;
    if (!f || fstat(fileno(f), &info) != 0) {
        weft_result r = fault_errno(e, path);
        if (f)
            fclose(f);
        return r;
    }
    if (!S_ISREG(info.st_mode)) {
        fclose(f);
        return fault(e, WEFT_ERROR_FILE, "%s: found a folder or a device, expected a file", path);
    }
    *file = f;
    *size = (uint64_t)info.st_size;
    return WEFT_OK;
}

static weft_result open_motion_as(weft_motion *m, const char *path, double fps, weft_error *e)
{
    bool is_pc2 = file_ending_is(path, "pc2"), is_mdd = file_ending_is(path, "mdd");
    if (!is_mdd && !(fps > 0 && isfinite(fps)))
        return fault(e, WEFT_ERROR_ARGUMENT, "%s: found %g frames a second, expected more than 0", path, fps);
    if (!is_pc2 && !is_mdd)
        return motion_open_sequence(m, path, fps, e);
    FILE *file = NULL;
    uint64_t size = 0;
    weft_result r = open_motion_file(path, &file, &size, e);
    if (r < 0)
        return r;
    return is_pc2 ? motion_open_pc2(m, file, size, fps, e) : motion_open_mdd(m, file, size, e);
}

weft_result weft_motion_open(const char *path, double fps, weft_motion **out, weft_error *error)
{
    if (!path || !out)
        return fault(error, WEFT_ERROR_ARGUMENT, "weft_motion_open: path and out must not be NULL");
    *out = NULL;
    weft_motion *m = motion_make(path);
    if (!m)
        return fault_memory(error);
    weft_result r = open_motion_as(m, path, fps, error);
    if (r < 0)
        weft_motion_close(m);
    else
        *out = m;
    return r;
}

weft_motion_info weft_motion_get_info(const weft_motion *motion)
{
    return (weft_motion_info){.n_points = motion->n_points,
                              .n_frames = motion->n_frames,
                              .start = motion->times[0],
                              .duration = motion->times[motion->n_frames - 1] - motion->times[0]};
}

/* ---- files of floats --------------------------------------------------------------------------------------------- */

weft_result motion_check_size(const weft_motion *m, uint64_t head, uint64_t size, weft_error *e)
{
    uint64_t points = (uint64_t)m->n_points, frames = (uint64_t)m->n_frames;
    uint64_t left = size - (size < head ? size : head);
    if (size >= head && left / 12 / points == frames && left == 12 * points * frames)
        return WEFT_OK;
    return fault(e, WEFT_ERROR_FORMAT,
                 "%s: found %llu bytes, expected %llu and 12 for each of %d points in each of %d frames", m->name,
                 (unsigned long long)size, (unsigned long long)head, m->n_points, m->n_frames);
}

weft_result motion_read_at(weft_motion *m, uint64_t offset, void *out, size_t n, weft_error *e)
{
    errno = 0;
    if (fseeko(m->file, (off_t)offset, SEEK_SET) == 0 && fread(out, 1, n, m->file) == n)
        return WEFT_OK;
    if (errno)
        return fault_errno(e, m->name);
    return fault(e, WEFT_ERROR_FORMAT, "%s: byte %llu: found the end of the file, expected %zu bytes", m->name,
                 (unsigned long long)offset, n);
}

weft_result motion_make_room(weft_motion *m, weft_error *e)
{
    m->times = heap_array((size_t)m->n_frames, sizeof *m->times);
    m->buffer = heap_array((size_t)m->n_points, 12);
    return m->times && m->buffer ? WEFT_OK : fault_memory(e);
}

weft_result motion_load_floats(weft_motion *m, int32_t frame, weft_vec3 *out, weft_error *e)
{
    size_t size = 12 * (size_t)m->n_points;
    uint64_t offset = m->data + (uint64_t)frame * size;
    weft_result r = motion_read_at(m, offset, m->buffer, size, e);
    for (int32_t i = 0; i < m->n_points && r == WEFT_OK; i++) {
        const uint8_t *at = m->buffer + 12 * (size_t)i;
        out[i] = (weft_vec3){m->load_float(at), m->load_float(at + 4), m->load_float(at + 8)};
        if (!isfinite(out[i].x) || !isfinite(out[i].y) || !isfinite(out[i].z))
            r = fault(e, WEFT_ERROR_FORMAT,
                      "%s: byte %llu: frame %d: point %d: found (%g, %g, %g), expected finite numbers", m->name,
                      (unsigned long long)offset + 12 * (unsigned long long)i, frame, i, out[i].x, out[i].y, out[i].z);
    }
    return r;
}

/* ---- sampling ---------------------------------------------------------------------------------------------------- */

static motion_kept *oldest_kept(weft_motion *m)
{
    motion_kept *best = &m->kept[0];
    for (int i = 1; i < MOTION_KEPT; i++) {
        if (m->kept[i].used < best->used)
            best = &m->kept[i];
    }
    return best;
}

/* The frame, kept or read now. The last two asked for stay. */
static weft_result motion_get_frame(weft_motion *m, int32_t frame, const weft_vec3 **out, weft_error *e)
{
    motion_kept *k = NULL;
    for (int i = 0; i < MOTION_KEPT; i++) {
        if (m->kept[i].frame == frame)
            k = &m->kept[i];
    }
    if (!k) {
        k = oldest_kept(m);
        k->frame = -1;
        k->points = k->points ? k->points : heap_array((size_t)m->n_points, sizeof *k->points);
        weft_result r = k->points ? m->load(m, frame, k->points, e) : fault_memory(e);
        if (r < 0)
            return r;
        k->frame = frame;
    }
    k->used = ++m->uses;
    *out = k->points;
    return WEFT_OK;
}

/* The last frame at or before this time; the first one if there is none. */
static int32_t motion_frame_at(const weft_motion *m, double time)
{
    int32_t low = 0, high = m->n_frames;
    while (high - low > 1) {
        int32_t middle = low + (high - low) / 2;
        if (m->times[middle] <= time)
            low = middle;
        else
            high = middle;
    }
    return low;
}

weft_result weft_motion_sample(weft_motion *motion, double time, weft_vec3 *out, int32_t n, weft_error *error)
{
    if (!motion || !out || !isfinite(time))
        return fault(error, WEFT_ERROR_ARGUMENT, "weft_motion_sample: found a NULL or a time that is not finite");
    if (n != motion->n_points)
        return fault(error, WEFT_ERROR_ARGUMENT, "%s: found %d points, expected %d", motion->name, motion->n_points, n);
    int32_t i = motion_frame_at(motion, time);
    const double *t = motion->times;
    const weft_vec3 *a = NULL;
    weft_result r = motion_get_frame(motion, i, &a, error);
    if (r < 0)
        return r;
    const weft_vec3 *b = a;
    bool stands = time <= t[i] || i + 1 == motion->n_frames;
    double s = stands ? 0 : (time - t[i]) / (t[i + 1] - t[i]);
    r = s > MOTION_SAME_FRAME ? motion_get_frame(motion, i + 1, &b, error) : WEFT_OK;
    if (r < 0)
        return r;
    if (s <= MOTION_SAME_FRAME || s >= 1 - MOTION_SAME_FRAME) {
        memcpy(out, b, (size_t)n * sizeof *out);
        return WEFT_OK;
    }
    for (int32_t k = 0; k < n; k++)
        out[k] =
            (weft_vec3){a[k].x + s * (b[k].x - a[k].x), a[k].y + s * (b[k].y - a[k].y), a[k].z + s * (b[k].z - a[k].z)};
    return WEFT_OK;
}

weft_result weft_motion_read_frame(weft_motion *motion, int32_t frame, double *time, weft_vec3 *out, int32_t n,
                                   weft_error *error)
{
    if (!motion || !out || frame < 0 || frame >= motion->n_frames)
        return fault(error, WEFT_ERROR_ARGUMENT, "weft_motion_read_frame: found a NULL or no frame %d", frame);
    if (n != motion->n_points)
        return fault(error, WEFT_ERROR_ARGUMENT, "%s: found %d points, expected %d", motion->name, motion->n_points, n);
    const weft_vec3 *points;
    weft_result r = motion_get_frame(motion, frame, &points, error);
    if (r < 0)
        return r;
    memcpy(out, points, (size_t)n * sizeof *out);
    if (time)
        *time = motion->times[frame];
    return WEFT_OK;
}

const char *weft_motion_file(const weft_motion *motion, int32_t frame)
{
    return motion && motion->files && frame >= 0 && frame < motion->n_frames ? motion->files[frame] : NULL;
}
