/* SPDX-License-Identifier: MIT */
/* Points that try exact predicates: random, on small grids, nearly or exactly degenerate, of all sizes. */
#ifndef TEST_MATH_POINT_KIT_H
#define TEST_MATH_POINT_KIT_H

#include <math.h>
#include <stdint.h>

#include "math/vec.h"

static inline uint64_t point_bits(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state * UINT64_C(0x9e3779b97f4a7c15) >> 8;
}

/* In [-1, 1), all 53 bits. */
static inline double point_uniform(uint64_t *state)
{
    return (double)(int64_t)(point_bits(state) >> 3) * 0x1p-52 - 1.0;
}

static inline int point_below(uint64_t *state, int n)
{
    return (int)(point_bits(state) % (uint64_t)n);
}

static inline vec3 point_random(uint64_t *state)
{
    double x = point_uniform(state), y = point_uniform(state), z = point_uniform(state);
    return v3(x, y, z);
}

/* Integers within ±half. */
static inline vec3 point_grid(uint64_t *state, int half)
{
    double x = point_below(state, 2 * half + 1) - half, y = point_below(state, 2 * half + 1) - half;
    double z = point_below(state, 2 * half + 1) - half;
    return v3(x, y, z);
}

/* Multiples of 2⁻³², as stored positions are. */
static inline vec3 point_stored(vec3 a)
{
    return v3(floor(a.x * 0x1p32) * 0x1p-32, floor(a.y * 0x1p32) * 0x1p-32, floor(a.z * 0x1p32) * 0x1p-32);
}

/* On the plane of a, b, c as well as rounding lets it, and up to two last digits off. */
static inline vec3 point_near_plane(uint64_t *state, vec3 a, vec3 b, vec3 c)
{
    double s = point_uniform(state), t = point_uniform(state);
    vec3 p = v3_madd(v3_madd(a, s, v3_sub(b, a)), t, v3_sub(c, a));
    double *x = &p.x;
    for (int i = point_below(state, 3); i > 0; i--)
        *x = nextafter(*x, point_uniform(state) < 0 ? -10.0 : 10.0);
    return p;
}

static inline double point_any_size(uint64_t *state, int lowest, int highest)
{
    if (point_below(state, 8) == 0)
        return 0.0;
    return ldexp(point_uniform(state), lowest + point_below(state, highest - lowest + 1));
}

enum {
    POINTS_RANDOM,
    POINTS_SMALL_GRID,
    POINTS_NEAR_PLANE,
    POINTS_FAR_OFF,
    POINTS_STORED,
    POINTS_ON_LINE,
    POINTS_REPEATED,
    POINTS_MANY_SIZES,
    POINTS_EXTREME,
    POINTS_CLASSES
};

static inline const char *points_name(int class)
{
    static const char *const names[POINTS_CLASSES] = {"random",        "small grid",   "near a plane",
                                                      "far off",       "stored grid",  "on a line",
                                                      "a point twice", "sizes 2^±100", "the whole range"};
    return names[class];
}

static inline vec3 point_sized(uint64_t *state, int lowest, int highest)
{
    double x = point_any_size(state, lowest, highest), y = point_any_size(state, lowest, highest);
    double z = point_any_size(state, lowest, highest);
    return v3(x, y, z);
}

/* Four points or more of a class; those from the fourth on are the odd ones. */
static inline void points_make(uint64_t *state, int class, vec3 *x, int n)
{
    for (int i = 0; i < n; i++)
        x[i] = class == POINTS_SMALL_GRID   ? point_grid(state, 2)
               : class == POINTS_MANY_SIZES ? point_sized(state, -100, 100)
               : class == POINTS_EXTREME    ? point_sized(state, -1074, 1023)
                                            : point_random(state);
    for (int i = 3; i < n && (class == POINTS_NEAR_PLANE || class == POINTS_FAR_OFF || class == POINTS_STORED); i++)
        x[i] = point_near_plane(state, x[0], x[1], x[2]);
    for (int i = 0; i < n && class == POINTS_FAR_OFF; i++) /* cancels: differences keep few bits */
        x[i] = v3_add(v3_scale(1e-7, x[i]), v3(1000.1, -77.7, 3.3));
    for (int i = 0; i < n && class == POINTS_STORED; i++)
        x[i] = point_stored(x[i]);
    for (int i = 2; i < n && class == POINTS_ON_LINE; i++) {
        x[0] = point_stored(x[0]), x[1] = point_stored(x[1]);
        x[i] = v3_madd(x[0], point_below(state, 9) - 4, v3_sub(x[1], x[0]));
    }
    if (class == POINTS_REPEATED)
        x[point_below(state, n - 1) + 1] = x[0];
}

#endif
