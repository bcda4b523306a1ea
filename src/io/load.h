/* SPDX-License-Identifier: MIT */
/* Numbers in bytes of either order, on a machine of either order. */
#ifndef WEFT_IO_LOAD_H
#define WEFT_IO_LOAD_H

#include <stdint.h>
#include <string.h>

static inline uint32_t load_u32_little(const uint8_t *b)
{
    return (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

static inline uint32_t load_u32_big(const uint8_t *b)
{
    return (uint32_t)b[3] | (uint32_t)b[2] << 8 | (uint32_t)b[1] << 16 | (uint32_t)b[0] << 24;
}

/* Without a conversion of the bits, which keeps them as they are. */
static inline int32_t load_i32(uint32_t bits)
{
    int32_t value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static inline double load_f32(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    return (double)value;
}

static inline double load_f64(uint32_t low, uint32_t high)
{
    uint64_t bits = (uint64_t)high << 32 | low;
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static inline double load_f32_little(const uint8_t *b)
{
    return load_f32(load_u32_little(b));
}

static inline double load_f32_big(const uint8_t *b)
{
    return load_f32(load_u32_big(b));
}

#endif
