/* SPDX-License-Identifier: MIT */
/* The colour maps are curves in OKLab, where equal steps look equal: lightness falls evenly away from "nothing", so the
 * maps can be read in grey and by the colour-blind; hue and strength of colour only help. The matrices are those of
 * B. Ottosson, "A perceptual color space for image processing", 2020. */
#include "render/color.h"

static float linear_from_srgb(float c)
{
    return c <= 0.04045f ? c / 12.92f : powf((c + 0.055f) / 1.055f, 2.4f);
}

float3 linear_color(picture_color c)
{
    return f3(linear_from_srgb(c.r), linear_from_srgb(c.g), linear_from_srgb(c.b));
}

float srgb_from_linear(float x)
{
    return x <= 0.0031308f ? 12.92f * x : 1.055f * powf(x, 1 / 2.4f) - 0.055f;
}

static float channel(double linear)
{
    return srgb_from_linear((float)fmin(fmax(linear, 0), 1));
}

/* From lightness, strength and hue in degrees. */
static picture_color from_oklch(double lightness, double strength, double hue)
{
    double a = strength * cos(hue * 3.14159265358979324 / 180), b = strength * sin(hue * 3.14159265358979324 / 180);
    double l = lightness + 0.3963377774 * a + 0.2158037573 * b;
    double m = lightness - 0.1055613458 * a - 0.0638541728 * b;
    double s = lightness - 0.0894841775 * a - 1.2914855480 * b;
    l = l * l * l, m = m * m * m, s = s * s * s;
    return (picture_color){channel(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
                           channel(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
                           channel(-0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s)};
}

static const picture_color undefined = {0.5f, 0.5f, 0.5f};

picture_color picture_diverging(double t)
{
    if (isnan(t))
        return undefined;
    double away = fmin(fabs(t), 1);
    return from_oklch(0.965 - 0.465 * away, 0.005 + 0.165 * away, t < 0 ? 258 : 28);
}

picture_color picture_sequential(double t)
{
    if (isnan(t))
        return undefined;
    t = fmin(fmax(t, 0), 1);
    return from_oklch(0.965 - 0.645 * t, 0.05 + 0.05 * t + 0.40 * t * (1 - t), 100 - 140 * t);
}
