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

/* The nearest eighth to each t in [3/16, 1], else 0 (NaN: 0, and stays NaN), and its arc tangent. */
LANE_INLINE lanes lane_atan_eighth(lanes t, lanes *high, lanes *low)
{
    lanes4_int i = lane_truncate(lane_select((lane_mask)(t >= 0.1875), 8.0 * t + 0.5, lane_all(0.0)));
    const sum2 a = atan_eighths[i[0]], b = atan_eighths[i[1]], c = atan_eighths[i[2]], d = atan_eighths[i[3]];
    *high = (lanes){a.high, b.high, c.high, d.high};
    *low = (lanes){a.low, b.low, c.low, d.low};
    return 0.125 * __builtin_convertvector(i, lanes);
}

/* What most arguments do without is behind branches: eighths up to 3/16, and both reflections. */
LANE_INLINE lanes lane_atan2(lanes y, lanes x)
{
    lanes ax = lane_abs(x), ay = lane_abs(y);
    lane_mask steep = (lane_mask)(ay > ax), is_back = (lane_mask)x < 0; /* its sign bit */
    lanes large = lane_select(steep, ay, ax), small = lane_select(steep, ax, ay);
    lane_mask is_zero = (lane_mask)(large == 0.0);
    lanes s = small / lane_select(is_zero, lane_all(1.0), large), high = s, low;
    if (lane_any((lane_mask)(s >= 0.1875))) {
        lanes table_high, table_low, c = lane_atan_eighth(s, &table_high, &table_low);
        s = (s - c) / (1.0 + s * c);
        high = table_high + s;
        lanes lost = (table_high - high) + s;
        low = lost + (lane_atan_series(s) + table_low);
    } else {
        low = lane_atan_series(s);
    }
    if (lane_any(steep))
        lane_minus(steep, 0x1.921fb54442d18p+0, 0x1.1a62633145c07p-54, &high, &low);
    if (lane_any(is_back))
        lane_minus(is_back, 0x1.921fb54442d18p+1, 0x1.1a62633145c07p-53, &high, &low);
    return lane_select(is_zero, y, (lanes)((lane_mask)(high + low) ^ ((lane_mask)y & INT64_MIN)));
}

#endif
