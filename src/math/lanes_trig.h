/* SPDX-License-Identifier: MIT */
/* weft_atan2 four at a time; bit for bit the same (trig.c has the argument). */
#ifndef WEFT_MATH_LANES_TRIG_H
#define WEFT_MATH_LANES_TRIG_H

#include "math/lanes.h"
#include "math/trig_table.h"

/* atan s − s */
LANE_INLINE lanes lane_atan_series(lanes s)
{
    lanes z = s * s;
    lanes p = lane_all(1.0 / 21.0);
    p = p * z - 1.0 / 19.0;
    p = p * z + 1.0 / 17.0;
    p = p * z - 1.0 / 15.0;
    p = p * z + 1.0 / 13.0;
    p = p * z - 1.0 / 11.0;
    p = p * z + 1.0 / 9.0;
    p = p * z - 1.0 / 7.0;
    p = p * z + 1.0 / 5.0;
    p = p * z - 1.0 / 3.0;
    return s * z * p;
}

/* a − (high + low) where m is set, a = (above, below) the larger. */
LANE_INLINE void lane_minus(lane_mask m, double above, double below, lanes *high, lanes *low)
{
    lanes h = above - *high;
    lanes l = (above - h) - *high + (below - *low);
    *high = lane_select(m, h, *high);
    *low = lane_select(m, l, *low);
}

LANE_INLINE lanes lane_atan2(lanes y, lanes x)
{
    lanes ax = lane_abs(x), ay = lane_abs(y);
    lane_mask steep = (lane_mask)(ay > ax);
    lanes large = lane_select(steep, ay, ax), small = lane_select(steep, ax, ay);
    lane_mask is_zero = (lane_mask)(large == 0.0);
    lanes t = small / lane_select(is_zero, lane_all(1.0), large);
    lanes c, table_high, table_low;
    for (int k = 0; k < 4; k++) {
        int i = t[k] >= 0.1875 ? (int)(8.0 * t[k] + 0.5) : 0; /* NaN: 0, and stays NaN */
        c[k] = 0.125 * i;
        table_high[k] = atan_eighths[i].high;
        table_low[k] = atan_eighths[i].low;
    }
    lanes s = (t - c) / (1.0 + t * c);
    lanes high = table_high + s;
    lanes lost = (table_high - high) + s;
    lanes low = lost + (lane_atan_series(s) + table_low);
    lane_minus(steep, 0x1.921fb54442d18p+0, 0x1.1a62633145c07p-54, &high, &low);
    lane_minus((lane_mask)x < 0, 0x1.921fb54442d18p+1, 0x1.1a62633145c07p-53, &high, &low); /* its sign bit */
    return lane_select(is_zero, y, (lanes)((lane_mask)(high + low) ^ ((lane_mask)y & INT64_MIN)));
}

#endif
