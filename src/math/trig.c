/* SPDX-License-Identifier: MIT */
/* sin, cos, atan2 and exp from additions, multiplications and divisions alone, which IEEE 754 defines to the last bit.
 * C libraries differ in these functions; with them the same scene would drape differently on two machines.
 *
 * The idea, for each: reduce the argument to a short interval with an error far below the last bit, sum the Taylor
 * series there, and put the large part of the result back last, so that its rounding is nearly the only error.
 * Reduction after Cody and Waite (Software Manual for the Elementary Functions, 1980): a constant is cut into parts so
 * short that k times a part is exact. Taylor series rather than minimax polynomials: one or two terms longer, and
 * anyone can check the coefficients.
 *
 * Invariants
 * 1. Odd and even symmetry is exact: the work is done on |x|, the sign is put on last.
 * 2. Contraction is off (-ffp-contract=off): a fused multiply-add would give other bits. */
#include "math/trig.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "math/trig_table.h"

/* a − b with its rounding error, for any a and b (Knuth, TAOCP 2, §4.2.2). */
static sum2 exact_difference(double a, double b)
{
    double d = a - b;
    double b_used = a - d;
    double a_used = d + b_used;
    return (sum2){d, (a - a_used) - (b - b_used)};
}

/* π/2 in three parts of 33 bits and a rest. k < 2²⁰ for x ≤ 1e6, so k times a part of 33 bits fits 53 bits. No double
 * up to 1e6 is closer than 2⁻⁶¹ to a multiple of π/2 (all were tried); the rest's rounding, k · 2⁻¹⁵⁷ ≤ 2⁻¹³⁷, is still
 * below the last bit of that. */
#define HALF_PI_1 0x1.921fb544p+0
#define HALF_PI_2 0x1.0b4611a6p-34
#define HALF_PI_3 0x1.3198a2ep-69
#define HALF_PI_4 0x1.b839a252049c1p-104

/* x = k π/2 + r with |r| ≤ π/4 (and a hair), 0 ≤ x ≤ 1e6; returns r and *quadrant = k mod 4. */
static sum2 reduced_angle(double x, int *quadrant)
{
    double k = floor(x * (2.0 / WEFT_PI) + 0.5);
    *quadrant = (int)(k - 4.0 * floor(0.25 * k));
    double r1 = x - k * HALF_PI_1; /* exact: both are multiples of 2⁻⁵³ and the result is below 1 */
    sum2 r2 = exact_difference(r1, k * HALF_PI_2);
    sum2 r3 = exact_difference(r2.high, k * HALF_PI_3);
    double low = r2.low + r3.low - k * HALF_PI_4;
    sum2 r = {r3.high + low, 0.0};
    r.low = low - (r.high - r3.high);
    return r;
}

/* sin(r.high + r.low) = sin r.high + r.low cos r.high. The first term left out is below 1e-19 of the result. */
static double sin_series(sum2 r)
{
    double x = r.high, z = x * x;
    double s = 1.0 / 355687428096000.0;
    s = s * z - 1.0 / 1307674368000.0;
    s = s * z + 1.0 / 6227020800.0;
    s = s * z - 1.0 / 39916800.0;
    s = s * z + 1.0 / 362880.0;
    s = s * z - 1.0 / 5040.0;
    s = s * z + 1.0 / 120.0;
    s = s * z - 1.0 / 6.0;
    return x + (x * z * s + r.low * (1.0 - 0.5 * z));
}

/* cos(r.high + r.low) = cos r.high − r.low sin r.high. 1 − z/2 is rounded; what it lost goes to the small terms. The
 * first term left out is below 3e-18. */
static double cos_series(sum2 r)
{
    double z = r.high * r.high;
    double c = 1.0 / 20922789888000.0;
    c = c * z - 1.0 / 87178291200.0;
    c = c * z + 1.0 / 479001600.0;
    c = c * z - 1.0 / 3628800.0;
    c = c * z + 1.0 / 40320.0;
    c = c * z - 1.0 / 720.0;
    c = c * z + 1.0 / 24.0;
    double half_z = 0.5 * z;
    double large = 1.0 - half_z;
    double lost = (1.0 - large) - half_z;
    return large + (lost + (z * z * c - r.high * r.low));
}

double weft_sin(double x)
{
    double a = fabs(x);
    if (!(a <= 1e6))
        return (double)NAN;
    int quadrant;
    sum2 r = reduced_angle(a, &quadrant);
    double s = quadrant & 1 ? cos_series(r) : sin_series(r);
    return (quadrant & 2 ? -1.0 : 1.0) * copysign(1.0, x) * s;
}

double weft_cos(double x)
{
    double a = fabs(x);
    if (!(a <= 1e6))
        return (double)NAN;
    int quadrant;
    sum2 r = reduced_angle(a, &quadrant);
    double c = quadrant & 1 ? sin_series(r) : cos_series(r);
    return quadrant == 1 || quadrant == 2 ? -c : c;
}

/* atan s − s for |s| ≤ 3/16; the first term left out is below 2⁻⁵⁷ s. */
static double atan_series(double s)
{
    double z = s * s;
    double p = 1.0 / 21.0;
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

/* atan t for 0 ≤ t ≤ 1: the series itself up to 3/16, then atan c + atan((t − c)/(1 + t c)) with the nearest c = i/8.
 * t − c is exact. (With c = 1/8 too the series could be shorter, but its argument, a rounded quotient, would be as
 * large as the result: 2.1 ulp.) */
static sum2 atan_unit(double t)
{
    if (t < 0.1875)
        return (sum2){t, atan_series(t)};
    int i = (int)floor(8.0 * t + 0.5);
    double c = 0.125 * i;
    double s = (t - c) / (1.0 + t * c);
    double high = atan_eighths[i].high + s; /* the table's part is the larger one */
    double lost = (atan_eighths[i].high - high) + s;
    return (sum2){high, lost + (atan_series(s) + atan_eighths[i].low)};
}

/* a − b.high − b.low, a the larger */
static sum2 sum2_minus(sum2 a, sum2 b)
{
    double high = a.high - b.high;
    return (sum2){high, (a.high - high) - b.high + (a.low - b.low)};
}

double weft_atan2(double y, double x)
{
    static const sum2 half_pi = {0x1.921fb54442d18p+0, 0x1.1a62633145c07p-54};
    static const sum2 pi = {0x1.921fb54442d18p+1, 0x1.1a62633145c07p-53};
    if (isnan(x) || isnan(y))
        return (double)NAN;
    double ax = fabs(x), ay = fabs(y);
    if (ax == 0.0 && ay == 0.0)
        return y;
    double t = ax == ay ? 1.0 : ay < ax ? ay / ax : ax / ay; /* ax = ay: also for two infinities */
    sum2 a = atan_unit(t);
    if (ay > ax)
        a = sum2_minus(half_pi, a);
    if (signbit(x))
        a = sum2_minus(pi, a);
    return copysign(1.0, y) * (a.high + a.low);
}

/* 2^k for −1022 ≤ k ≤ 1023 */
static double power_of_two(int k)
{
    uint64_t bits = (uint64_t)(k + 1023) << 52;
    double p;
    memcpy(&p, &bits, sizeof p);
    return p;
}

/* x = k ln 2 + r, |r| ≤ ln 2 / 2; the first term left out is below 5e-18. ln 2's first part has 41 bits, k at most
 * 11. */
double weft_exp(double x)
{
    if (isnan(x) || x > 710.0)
        return x + HUGE_VAL; /* NaN stays NaN */
    if (x < -746.0)
        return 0.0;
    double k = floor(x * 0x1.71547652b82fep+0 + 0.5);
    double r_high = x - k * 0x1.62e42fefa3p-1;
    double r_low = k * 0x1.3de6af278ece6p-42;
    double r = r_high - r_low;
    r_low = (r_high - r) - r_low;
    double p = 1.0 / 6227020800.0;
    p = p * r + 1.0 / 479001600.0;
    p = p * r + 1.0 / 39916800.0;
    p = p * r + 1.0 / 3628800.0;
    p = p * r + 1.0 / 362880.0;
    p = p * r + 1.0 / 40320.0;
    p = p * r + 1.0 / 5040.0;
    p = p * r + 1.0 / 720.0;
    p = p * r + 1.0 / 120.0;
    p = p * r + 1.0 / 24.0;
    p = p * r + 1.0 / 6.0;
    p = p * r + 0.5;
    double e = 1.0 + (r + (r * r * p + (r_low + r * r_low)));
    /* In two factors: k goes from −1076 to 1024. */
    int half = (int)floor(0.5 * k);
    return e * power_of_two(half) * power_of_two((int)k - half);
}
