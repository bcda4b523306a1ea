/* SPDX-License-Identifier: MIT */
/* Random numbers for the tests of contacts, the same in every run of a test. */
#ifndef WEFT_TEST_CONTACT_DICE_H
#define WEFT_TEST_CONTACT_DICE_H

#include <stdint.h>

#include "math/vec.h"

static uint64_t seed;

static inline double uniform(double low, double high)
{
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return low + (high - low) * (double)(seed >> 11) / 9007199254740992.0;
}

static inline vec3 in_cube(double half)
{
    double x = uniform(-half, half), y = uniform(-half, half);
    return v3(x, y, uniform(-half, half));
}

/* Set-up of a test. */
static inline int start_dice(void **state)
{
    (void)state;
    seed = 88172645463325252u;
    return 0;
}

#endif
