/* SPDX-License-Identifier: MIT */
/* Numbers as bytes of a given order, on any machine. */
#ifndef WEFT_IO_EXPORT_EXPORT_BYTES_H
#define WEFT_IO_EXPORT_EXPORT_BYTES_H

#include <stdint.h>
#include <string.h>

static inline void put_u16_le(unsigned char *out, uint32_t x)
{
    out[0] = (unsigned char)(x & 255u);
    out[1] = (unsigned char)(x >> 8 & 255u);
}

static inline void put_u32_le(unsigned char *out, uint32_t x)
{
    put_u16_le(out, x & 0xFFFFu);
    put_u16_le(out + 2, x >> 16);
}

static inline void put_u64_le(unsigned char *out, uint64_t x)
{
    put_u32_le(out, (uint32_t)(x & 0xFFFFFFFFu));
    put_u32_le(out + 4, (uint32_t)(x >> 32));
}

static inline void put_u32_be(unsigned char *out, uint32_t x)
{
    for (int k = 0; k < 4; k++)
        out[k] = (unsigned char)(x >> (24 - 8 * k) & 255u);
}

static inline uint32_t float_bits(float x)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static inline uint64_t double_bits(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

#endif
