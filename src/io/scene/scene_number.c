/* SPDX-License-Identifier: MIT */
/* The shortest text that is read back as the same bits is found by trying 15, 16 and 17 digits. Sines come from their
 * series, as those of libm are not the same on every machine. */
#include "io/scene/scene_number.h"

#include "io/decimal.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

bool number_read(const char *from, double *out)
{
    const char *end = from + strlen(from);
    return decimal_read(from, end, out) == end && end > from;
}

/* snprintf's text with a point that is a point in every locale, even if it was several bytes. */
static void print_digits(double x, int digits, char out[NUMBER_TEXT])
{
    char local[NUMBER_TEXT];
    size_t n = 0;
    snprintf(local, sizeof local, "%.*g", digits, x);
    for (const char *s = local; *s; s++) {
        bool is_point = !strchr("+-0123456789e", *s);
        if (!is_point || n == 0 || out[n - 1] != '.')
            out[n++] = is_point ? '.' : *s;
    }
    out[n] = '\0';
}

/* 1e-05 gets a point: many YAML readers would take it for a text. */
static void add_decimal_point(char out[NUMBER_TEXT])
{
    char *power = strchr(out, 'e');
    size_t n = strlen(out);
    if (!power || strchr(out, '.') || n + 3 > NUMBER_TEXT)
        return;
    memmove(power + 2, power, strlen(power) + 1);
    memcpy(power, ".0", 2);
}

const char *number_write(double x, char out[NUMBER_TEXT])
{
    for (int digits = 15; digits <= 17; digits++) {
        double back = 0;
        print_digits(x, digits, out);
        add_decimal_point(out);
        if (number_read(out, &back) && memcmp(&back, &x, sizeof x) == 0)
            break;
    }
    return out;
}

const char *number_show(double x, char out[NUMBER_TEXT])
{
    bool is_round = false;
    double power = 1e4;
    int zeros = 4;
    for (; zeros < 12 && !is_round; zeros++, power *= 10)
        is_round = fabs(x) == power;
    if (is_round) {
        snprintf(out, NUMBER_TEXT, "%s1e%d", x < 0 ? "-" : "", zeros - 1);
        return out;
    }
    print_digits(x, 10, out);
    char *small = strstr(out, "e-0");
    if (small)
        memmove(small + 2, small + 3, strlen(small + 3) + 1);
    return out;
}

/* Taylor's series on [0, π/4]; the first term left out is below 1e-17. */
static double sine_series(double x, double first, int from)
{
    double terms[10], sum = 0;
    int n = 0;
    for (int k = from; n < 10; n++, k += 2)
        terms[n] = n == 0 ? first : -terms[n - 1] * x * x / ((k - 1) * k);
    while (n > 0)
        sum += terms[--n];
    return sum;
}

/* sine of an angle in [0, 90] degrees. */
static double sine_of_quarter(double a)
{
    const double radian = 0.017453292519943295769;
    return a > 45 ? sine_series((90 - a) * radian, 1, 0) : sine_series(a * radian, a * radian, 1);
}

double sine_degrees(double angle)
{
    double a = fmod(angle, 360), sign = 1;
    if (a < 0) {
        a = -a;
        sign = -1;
    }
    if (a >= 180) {
        a -= 180;
        sign = -sign;
    }
    return sign * sine_of_quarter(a > 90 ? 180 - a : a);
}

double cosine_degrees(double angle)
{
    return sine_degrees(90 - fabs(fmod(angle, 360)));
}
