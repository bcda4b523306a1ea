/* SPDX-License-Identifier: MIT */
/* Products and sums of doubles as integers of 6400 bits.
 *
 * Idea: a double is a whole number of 53 bits times a power of two, so a product of three is one of 159 bits, shifted;
 * it is added to the positive or to the negative sum, 32 bits at a time. The sign of the whole is that of the first
 * limb, from above, where the two sums differ. Nothing is ever rounded, and nothing can overflow. */
#include "math/long_sum.h"

#include <math.h>
#include <string.h>

enum { LONG_SUM_LOWEST_EXPONENT = -1074 };

void long_sum_start(long_sum *s)
{
    memset(s, 0, sizeof *s);
}

/* |a| = mantissa · 2^(LONG_SUM_LOWEST_EXPONENT + shift) */
static uint64_t mantissa_of(double a, int *shift)
{
    uint64_t bits;
    memcpy(&bits, &a, sizeof bits);
    int exponent = (int)(bits >> 52 & 0x7ff);
    uint64_t fraction = bits & ((UINT64_C(1) << 52) - 1);
    *shift = exponent == 0 ? 0 : exponent - 1;
    return exponent == 0 ? fraction : fraction | UINT64_C(1) << 52;
}

/* limbs[0 .. n + 1] = limbs[0 .. n - 1] · factor */
static void multiply_limbs(uint32_t *limbs, int n, uint64_t factor)
{
    uint32_t product[8] = {0};
    uint32_t parts[2] = {(uint32_t)factor, (uint32_t)(factor >> 32)};
    for (int i = 0; i < n; i++) {
        uint64_t carry = 0;
        for (int j = 0; j < 2; j++) {
            carry += (uint64_t)limbs[i] * parts[j] + product[i + j];
            product[i + j] = (uint32_t)carry;
            carry >>= 32;
        }
        product[i + 2] = (uint32_t)carry;
    }
    memcpy(limbs, product, (size_t)(n + 2) * sizeof *limbs);
}

static void add_shifted(uint32_t *sum, const uint32_t *limbs, int n, int shift)
{
    int i = shift / 32, bits = shift % 32;
    uint64_t carry = 0, below = 0;
    for (int k = 0; k < n || carry || below; k++, i++) {
        uint64_t wide = (k < n ? (uint64_t)limbs[k] << bits : 0) | below;
        carry += (uint64_t)sum[i] + (uint32_t)wide;
        below = wide >> 32;
        sum[i] = (uint32_t)carry;
        carry >>= 32;
    }
}

void long_sum_add(long_sum *s, int sign, double a, double b, double c)
{
    if (a == 0.0 || b == 0.0 || c == 0.0)
        return;
    int shift_a, shift_b, shift_c;
    uint64_t first = mantissa_of(a, &shift_a);
    uint32_t limbs[6] = {(uint32_t)first, (uint32_t)(first >> 32)};
    multiply_limbs(limbs, 2, mantissa_of(b, &shift_b));
    multiply_limbs(limbs, 4, mantissa_of(c, &shift_c));
    int negative = (sign < 0) ^ (signbit(a) != 0) ^ (signbit(b) != 0) ^ (signbit(c) != 0);
    add_shifted(s->limbs[negative], limbs, 6, shift_a + shift_b + shift_c);
}

int long_sum_sign(const long_sum *s)
{
    for (int i = LONG_SUM_LIMBS - 1; i >= 0; i--)
        if (s->limbs[0][i] != s->limbs[1][i])
            return s->limbs[0][i] > s->limbs[1][i] ? 1 : -1;
    return 0;
}
