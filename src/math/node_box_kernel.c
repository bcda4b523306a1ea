/* SPDX-License-Identifier: MIT */
/* The kernel of node_box.h: lanes are x, y, z, and one that does not count. */
#include "math/node_box.h"

#include "math/box_lanes.h"
#include "math/kernel.h"

/* n places behind each of which a number can be read; lanes of `fine` that are bad are cleared. */
LANE_INLINE void make_boxes(const vec3 *x0, const vec3 *x1, int32_t n, double inflate, box *out, lane_mask *fine)
{
    for (int32_t i = 0; i < n; i++) {
        lanes lo = lane_load(&x0[i].x), hi = lo;
        *fine &= (lane_mask)(lane_abs(lo) <= BOX_MOST);
        if (x1) {
            lanes to = lane_load(&x1[i].x);
            *fine &= (lane_mask)(lane_abs(to) <= BOX_MOST);
            lo = lane_min(lo, to);
            hi = lane_max(hi, to);
        }
        box_store(&out[i], lo, hi, inflate);
    }
}

/* The last place has nothing behind it: it is read from a copy. */
LANE_INLINE bool make_all_boxes(const vec3 *x0, const vec3 *x1, int32_t n, double inflate, box *out)
{
    lane_mask fine = {-1, -1, -1, -1};
    if (n == 0)
        return true;
    vec3 last0[2] = {x0[n - 1]}, last1[2] = {x1 ? x1[n - 1] : v3_zero()};
    make_boxes(x0, x1, n - 1, inflate, out, &fine);
    make_boxes(last0, x1 ? last1 : NULL, 1, inflate, out + n - 1, &fine);
    return (lane_bits(fine) & 7) == 7;
}

/* Two versions, so that what does not move is not asked whether it does. */
bool KERNEL(node_boxes)(const vec3 *x0, const vec3 *x1, int32_t n, double inflate, box *out)
{
    return x1 ? make_all_boxes(x0, x1, n, inflate, out) : make_all_boxes(x0, NULL, n, inflate, out);
}

#if KERNEL_ONCE
bool node_boxes(const vec3 *x0, const vec3 *x1, int32_t n, double inflate, box *out)
{
    return KERNEL_BEST(node_boxes)(x0, x1, n, inflate, out);
}
#endif
