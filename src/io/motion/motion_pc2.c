/* SPDX-License-Identifier: MIT */
/* PC2, the point cache of 3ds Max. Little-endian: "POINTCACHE2\0", int version = 1, int points, float first frame,
 * float frames a sample, int samples; then floats x y z, point after point, sample after sample. */
#include "io/load.h"
#include "io/motion/motion.h"

#include <math.h>
#include <string.h>

enum { PC2_HEAD = 32 };

static weft_result pc2_check_head(const weft_motion *m, const uint8_t *head, weft_error *e)
{
    int32_t version = load_i32(load_u32_little(head + 12));
    if (memcmp(head, "POINTCACHE2", 12) != 0)
        return fault(e, WEFT_ERROR_FORMAT, "%s: byte 0: found something else, expected \"POINTCACHE2\"", m->name);
    if (version != 1)
        return fault(e, WEFT_ERROR_FORMAT, "%s: byte 12: found version %d, expected 1", m->name, version);
    if (m->n_points < 1)
        return fault(e, WEFT_ERROR_FORMAT, "%s: byte 16: found %d points, expected at least 1", m->name, m->n_points);
    if (m->n_frames < 1)
        return fault(e, WEFT_ERROR_FORMAT, "%s: byte 28: found %d frames, expected at least 1", m->name, m->n_frames);
    return WEFT_OK;
}

static weft_result pc2_set_times(weft_motion *m, const uint8_t *head, double fps, weft_error *e)
{
    double first = load_f32_little(head + 20), rate = load_f32_little(head + 24);
    if (!isfinite(first))
        return fault(e, WEFT_ERROR_FORMAT, "%s: byte 20: found %g as the first frame, expected a finite number",
                     m->name, first);
    if (!isfinite(rate) || !(rate > 0))
        return fault(e, WEFT_ERROR_FORMAT, "%s: byte 24: found %g frames a sample, expected more than 0", m->name,
                     rate);
    for (int32_t i = 0; i < m->n_frames; i++)
        m->times[i] = (first + i * rate) / fps;
    if (!isfinite(m->times[0]) || !isfinite(m->times[m->n_frames - 1]))
        return fault(e, WEFT_ERROR_FORMAT, "%s: byte 20: found times that are not finite at %g frames a second",
                     m->name, fps);
    return WEFT_OK;
}

weft_result motion_open_pc2(weft_motion *m, FILE *file, uint64_t size, double fps, weft_error *e)
{
    uint8_t head[PC2_HEAD];
    m->file = file;
    m->data = PC2_HEAD;
    m->load = motion_load_floats;
    m->load_float = load_f32_little;
    if (size < PC2_HEAD)
        return fault(e, WEFT_ERROR_FORMAT, "%s: found %llu bytes, expected a head of %d", m->name,
                     (unsigned long long)size, PC2_HEAD);
    weft_result r = motion_read_at(m, 0, head, PC2_HEAD, e);
    if (r < 0)
        return r;
    m->n_points = load_i32(load_u32_little(head + 16));
    m->n_frames = load_i32(load_u32_little(head + 28));
    r = pc2_check_head(m, head, e);
    r = r < 0 ? r : motion_check_size(m, PC2_HEAD, size, e);
    r = r < 0 ? r : motion_make_room(m, e);
    return r < 0 ? r : pc2_set_times(m, head, fps, e);
}
