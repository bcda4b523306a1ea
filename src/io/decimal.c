/* SPDX-License-Identifier: MIT */
/* Decimal text to the nearest double. strtod would do, but its decimal point is that of the locale, which belongs to
 * the program around the library and may change at any time.
 *
 * A number is w · 10^e with an integer w. Three ways, by growing cost:
 *   1. w <= 2^53 and |e| <= 22: both are exact doubles, and one multiplication or division rounds once (W. D. Clinger,
 *      "How to read floating point numbers accurately", 1990).
 *   2. w < 10^19 and -27 <= e < 0: 5^-e fits 64 bits, and a division gives 64 bits of w / 5^-e and whether something
 *      is left. Numbers printed with 17 digits go this way.
 *   3. all else: the same division with big integers, bit by bit.
 * Ways 2 and 3 end in round_once. */
#include "io/decimal.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* A tie between two doubles has at most 767 digits; what comes after can only tell "more than a tie". */
enum { DECIMAL_DIGITS = 770, DECIMAL_WORDS = 128 };

typedef struct decimal {
    bool negative;
    const char *first, *last; /* of the digits that count, from the first that is not 0; a '.' may lie between */
    int64_t n_digits;         /* in [first, last) */
    int64_t exponent;         /* of the last of n_digits */
    uint64_t leading;         /* the first 19 of them */
    int64_t leading_exponent;
    bool is_leading; /* leading · 10^leading_exponent is all there is */
} decimal;

typedef struct big {
    uint32_t word[DECIMAL_WORDS]; /* the lowest first; zero from n on */
    int n;
} big;

static const double powers_of_ten[23] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                         1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

/* ---- the text ---------------------------------------------------------------------------------------------------- */

static bool is_digit(const char *at, const char *end)
{
    return at < end && *at >= '0' && *at <= '9';
}

static void take_digit(decimal *d, const char *at, bool is_fraction)
{
    int digit = *at - '0';
    d->exponent -= is_fraction;
    if (d->n_digits == 0 && digit == 0)
        return;
    if (d->n_digits == 0)
        d->first = at;
    d->n_digits++;
    d->last = at + 1;
    if (d->n_digits <= 19) {
        d->leading = d->leading * 10 + (uint64_t)digit;
    } else {
        d->leading_exponent++;
        d->is_leading = d->is_leading && digit == 0;
    }
}

static const char *read_mantissa(decimal *d, const char *at, const char *end)
{
    bool any = false;
    for (; is_digit(at, end); at++, any = true)
        take_digit(d, at, false);
    if (at < end && *at == '.') {
        for (at++; is_digit(at, end); at++, any = true)
            take_digit(d, at, true);
    }
    return any ? at : NULL;
}

/* "e5" belongs to the number, "e" and "e+" alone do not. */
static const char *read_exponent(decimal *d, const char *at, const char *end)
{
    if (at == end || (*at != 'e' && *at != 'E'))
        return at;
    const char *p = at + 1;
    bool negative = p < end && *p == '-';
    p += p < end && (*p == '-' || *p == '+');
    if (!is_digit(p, end))
        return at;
    int64_t exponent = 0;
    for (; is_digit(p, end); p++) {
        if (exponent < INT64_MAX / 100) /* far beyond what any count of digits can make good */
            exponent = exponent * 10 + (*p - '0');
    }
    d->exponent += negative ? -exponent : exponent;
    return p;
}

/* ---- rounding ---------------------------------------------------------------------------------------------------- */

/* The double nearest to (q + something below 1 if there is more) · 2^exponent, q >= 2^62. */
static double round_once(uint64_t q, bool more, int exponent)
{
    if (!(q >> 63)) {
        q <<= 1;
        exponent--;
    }
    int below = -1022 - (exponent + 63); /* places lost to a subnormal */
    int drop = 11 + (below > 0 ? below : 0);
    if (drop > 64)
        return 0;
    uint64_t kept = drop == 64 ? 0 : q >> drop;
    uint64_t half = (uint64_t)1 << (drop - 1);
    uint64_t rest = q & (half | (half - 1));
    bool up = rest > half || (rest == half && (more || (kept & 1)));
    return ldexp((double)(kept + up), exponent + drop);
}

static int leading_zeros(uint64_t x)
{
    int n = 0;
    for (int step = 32; step > 0; step /= 2) {
        if (!(x >> (64 - step))) {
            x <<= step;
            n += step;
        }
    }
    return n;
}

/* The next 32 bits of rest / d, where rest < d and d >= 2^63: a guess by the upper half of d, at most 2 too big (D. E.
 * Knuth, The Art of Computer Programming 2, 4.3.1, algorithm D). */
static uint64_t divide_step(uint64_t *rest, uint64_t next, uint64_t d)
{
    uint64_t high = d >> 32, low = d & UINT32_MAX;
    uint64_t q = *rest / high, r = *rest - q * high;
    while (q >> 32 || q * low > (r << 32 | next)) {
        q--;
        r += high;
        if (r >> 32)
            break;
    }
    *rest = (*rest << 32 | next) - q * d; /* the result fits, so what overflows does not matter */
    return q;
}

/* w / 10^k with 0 < k <= 27, w > 0. Both are shifted to their full 64 bits, so that the quotient lies in (1/2, 2). */
static double divide_short(uint64_t w, int k)
{
    uint64_t d = 1, power = 5;
    for (int i = k; i > 0; i /= 2) {
        d *= i & 1 ? power : 1;
        power *= power;
    }
    int shift_w = leading_zeros(w), shift_d = leading_zeros(d);
    w <<= shift_w;
    d <<= shift_d;
    uint64_t rest = w >> 1;
    uint64_t q = divide_step(&rest, w << 63 >> 32, d) << 32;
    q |= divide_step(&rest, 0, d);
    return round_once(q, rest != 0, -63 + shift_d - shift_w - k);
}

/* ---- big integers ------------------------------------------------------------------------------------------------ */

/* x = x · factor + more. The callers' bounds keep it below 2^(32 · DECIMAL_WORDS). */
static void big_multiply(big *x, uint32_t factor, uint32_t more)
{
    uint64_t carry = more;
    for (int i = 0; i < x->n; i++) {
        carry += (uint64_t)x->word[i] * factor;
        x->word[i] = (uint32_t)carry;
        carry >>= 32;
    }
    if (carry)
        x->word[x->n++] = (uint32_t)carry;
}

static void big_multiply_power(big *x, int64_t power_of_ten)
{
    for (; power_of_ten >= 9; power_of_ten -= 9)
        big_multiply(x, 1000000000, 0);
    for (; power_of_ten > 0; power_of_ten--)
        big_multiply(x, 10, 0);
}

static int big_bits(const big *x)
{
    return x->n == 0 ? 0 : 32 * x->n + 32 - leading_zeros(x->word[x->n - 1]);
}

static void big_shift(big *x, int bits)
{
    for (; bits >= 31; bits -= 31)
        big_multiply(x, (uint32_t)1 << 31, 0);
    big_multiply(x, (uint32_t)1 << bits, 0);
}

static bool big_is_less(const big *a, const big *b)
{
    if (a->n != b->n)
        return a->n < b->n;
    int i = a->n - 1;
    while (i > 0 && a->word[i] == b->word[i])
        i--;
    return i >= 0 && a->word[i] < b->word[i];
}

/* a -= b; a >= b. */
static void big_subtract(big *a, const big *b)
{
    uint64_t borrow = 0;
    for (int i = 0; i < a->n; i++) {
        uint64_t difference = (uint64_t)a->word[i] - (i < b->n ? b->word[i] : 0) - borrow;
        a->word[i] = (uint32_t)difference;
        borrow = difference >> 63;
    }
    while (a->n > 0 && a->word[a->n - 1] == 0)
        a->n--;
}

/* All digits, or the first DECIMAL_DIGITS and a 1 for the rest if that is not 0. Returns the power of ten of the
 * last. */
static int64_t big_from_digits(big *x, const decimal *d)
{
    int64_t n = 0;
    const char *at = d->first;
    for (; at < d->last && n < DECIMAL_DIGITS; at++) {
        if (*at != '.') {
            big_multiply(x, 10, (uint32_t)(*at - '0'));
            n++;
        }
    }
    while (at < d->last && (*at == '0' || *at == '.'))
        at++;
    if (at == d->last)
        return d->exponent + d->n_digits - n;
    big_multiply(x, 10, 1);
    return d->exponent + d->n_digits - n - 1;
}

static double divide_long(const decimal *d)
{
    big a = {{0}, 0}, b = {{1}, 1};
    int64_t exponent = big_from_digits(&a, d);
    big_multiply_power(exponent > 0 ? &a : &b, exponent > 0 ? exponent : -exponent);
    int shift = big_bits(&b) - big_bits(&a);
    big_shift(shift > 0 ? &a : &b, shift > 0 ? shift : -shift);
    uint64_t q = 0;
    for (int i = 0; i < 64; i++) {
        bool bit = !big_is_less(&a, &b);
        q = q << 1 | bit;
        if (bit)
            big_subtract(&a, &b);
        if (i < 63)
            big_shift(&a, 1);
    }
    return round_once(q, a.n != 0, -63 - shift);
}

/* ---- all together ------------------------------------------------------------------------------------------------ */

static double magnitude(const decimal *d)
{
    int64_t top = d->n_digits + d->exponent; /* below 10^top, at least 10^(top - 1) */
    if (d->leading == 0 || top < -330)
        return 0;
    if (top > 310)
        return HUGE_VAL;
    int64_t e = d->leading_exponent;
    if (d->is_leading && d->leading <= (uint64_t)1 << 53 && e >= -22 && e <= 22)
        return e < 0 ? (double)d->leading / powers_of_ten[-e] : (double)d->leading * powers_of_ten[e];
    if (d->is_leading && e < 0 && e >= -27)
        return divide_short(d->leading, (int)-e);
    return divide_long(d);
}

const char *decimal_read(const char *at, const char *end, double *out)
{
    decimal d = {.is_leading = true};
    d.negative = at < end && *at == '-';
    at += at < end && (*at == '-' || *at == '+');
    at = read_mantissa(&d, at, end);
    if (!at)
        return NULL;
    at = read_exponent(&d, at, end);
    d.leading_exponent += d.exponent;
    double value = magnitude(&d);
    *out = d.negative ? -value : value;
    return at;
}

size_t decimal_write(char out[DECIMAL_ROOM], double value)
{
    char printed[DECIMAL_ROOM];
    int length = snprintf(printed, sizeof printed, "%.17g", value);
    size_t n = 0;
    bool in_point = false;
    for (int i = 0; i < length && i < DECIMAL_ROOM - 1; i++) {
        bool is_ours = printed[i] != '\0' && strchr("0123456789+-e", printed[i]);
        if (is_ours)
            out[n++] = printed[i];
        else if (!in_point)
            out[n++] = '.'; /* the locale's point may be several bytes */
        in_point = !is_ours;
    }
    out[n] = '\0';
    return n;
}
