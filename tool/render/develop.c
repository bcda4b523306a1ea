/* SPDX-License-Identifier: MIT */
/* Makes light fit for a screen: 8 bits a colour. */
#include "render/color.h"

#include <stdlib.h>

/* Linear up to the shoulder, beyond it ever slower towards 1: colours stay as they are, highlights do not clip. */
static float toned(float x)
{
    const float shoulder = 0.7f, rest = 1 - shoulder;
    if (!(x > 0))
        return 0;
    if (x < shoulder)
        return x;
    float t = (x - shoulder) / rest;
    return shoulder + rest * t / (1 + t);
}

/* Rounds up or down by a fixed 4 × 4 pattern of thresholds, so that slow gradients have no bands. */
static uint8_t byte_from(float x, size_t px, size_t py)
{
    static const uint8_t pattern[4][4] = {{0, 8, 2, 10}, {12, 4, 14, 6}, {3, 11, 1, 9}, {15, 7, 13, 5}};
    float threshold = ((float)pattern[py & 3][px & 3] + 0.5f) / 16;
    return (uint8_t)fminf(255 * srgb_from_linear(toned(x)) + threshold, 255);
}

static bool reserve(int32_t width, int32_t height, picture_bytes *out)
{
    *out = (picture_bytes){.width = width, .height = height, .rgb = malloc(3 * (size_t)width * (size_t)height)};
    if (!out->rgb)
        *out = (picture_bytes){.width = 0};
    return out->rgb;
}

const char *picture_develop(const picture_image *image, picture_bytes *out)
{
    if (!reserve(image->width, image->height, out))
        return "out of memory";
    size_t width = (size_t)image->width, n = 3 * width * (size_t)image->height;
    for (size_t i = 0; i < n; i++)
        out->rgb[i] = byte_from(image->rgb[i], i / 3 % width, i / 3 / width);
    return NULL;
}

const char *picture_take(const picture_scene *scene, const picture_size *size, picture_bytes *out)
{
    picture_image image = {0};
    const char *trouble = picture_render(scene, size, &image);
    trouble = trouble ? trouble : picture_develop(&image, out);
    picture_image_free(&image);
    return trouble;
}

const char *picture_bytes_make(int32_t width, int32_t height, picture_color color, picture_bytes *out)
{
    *out = (picture_bytes){.width = 0};
    if (width < 1 || height < 1)
        return "a picture must have pixels";
    if (!reserve(width, height, out))
        return "out of memory";
    const float c[3] = {color.r, color.g, color.b};
    size_t n = 3 * (size_t)width * (size_t)height;
    for (size_t i = 0; i < n; i++)
        out->rgb[i] = (uint8_t)(255 * fminf(fmaxf(c[i % 3], 0), 1) + 0.5f);
    return NULL;
}

void picture_bytes_free(picture_bytes *bytes)
{
    free(bytes->rgb);
    *bytes = (picture_bytes){.width = 0};
}
