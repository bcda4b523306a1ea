/* SPDX-License-Identifier: MIT */
/* MDD, the point cache of LightWave. Big-endian: int frames, int points, a float time in seconds for each frame; then
 * floats x y z, point after point, frame after frame. */
#include "io/heap.h"
#include "io/load.h"
#include "io/motion/motion.h"

#include <math.h>
#include <stdlib.h>

enum { MDD_HEAD = 8 };

static weft_result mdd_set_times(weft_motion *m, const uint8_t *bytes, weft_error *e)
{
    for (int32_t i = 0; i < m->n_frames; i++) {
        double time = load_f32_big(bytes + 4 * (size_t)i);
        bool is_later = i == 0 || time >= m->times[i - 1];
        if (!isfinite(time) || !is_later)
            return fault(e, WEFT_ERROR_FORMAT, "%s: byte %lld: frame %d: found time %g, expected %s", m->name,
                         MDD_HEAD + 4 * (long long)i, i, time,
                         isfinite(time) ? "one not before that of the last frame" : "a finite number");
        m->times[i] = time;
    }
    return WEFT_OK;
}

static weft_result mdd_read_times(weft_motion *m, weft_error *e)
{
    size_t size = 4 * (size_t)m->n_frames;
    uint8_t *bytes = heap_array(size, 1);
    weft_result r = bytes ? motion_read_at(m, MDD_HEAD, bytes, size, e) : fault_memory(e);
    r = r < 0 ? r : mdd_set_times(m, bytes, e);
    free(bytes);
    return r;
}

weft_result motion_open_mdd(weft_motion *m, FILE *file, uint64_t size, weft_error *e)
{
    uint8_t head[MDD_HEAD];
    m->file = file;
    m->load = motion_load_floats;
    m->load_float = load_f32_big;
    if (size < MDD_HEAD)
        return fault(e, WEFT_ERROR_FORMAT, "%s: found %llu bytes, expected a head of %d", m->name,
                     (unsigned long long)size, MDD_HEAD);
    weft_result r = motion_read_at(m, 0, head, MDD_HEAD, e);
    if (r < 0)
        return r;
    m->n_frames = load_i32(load_u32_big(head));
    m->n_points = load_i32(load_u32_big(head + 4));
    if (m->n_frames < 1 || m->n_points < 1)
        return fault(e, WEFT_ERROR_FORMAT, "%s: byte 0: found %d frames of %d points, expected at least 1 of each",
                     m->name, m->n_frames, m->n_points);
    m->data = MDD_HEAD + 4 * (uint64_t)m->n_frames;
    r = motion_check_size(m, m->data, size, e);
    r = r < 0 ? r : motion_make_room(m, e);
    return r < 0 ? r : mdd_read_times(m, e);
}
