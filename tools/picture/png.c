/* SPDX-License-Identifier: MIT */
/* Makes light fit for a screen, and writes PNG. */
#include "picture/picture.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define STB_IMAGE_WRITE_IMPLEMENTATION
#define STB_IMAGE_WRITE_STATIC
#include <stb/stb_image_write.h>

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

static float srgb_from_linear(float x)
{
    return x <= 0.0031308f ? 12.92f * x : 1.055f * powf(x, 1 / 2.4f) - 0.055f;
}

/* Rounds up or down by a fixed 4 × 4 pattern of thresholds, so that slow gradients have no bands. */
static uint8_t byte_from(float x, int32_t px, int32_t py)
{
    static const uint8_t pattern[4][4] = {{0, 8, 2, 10}, {12, 4, 14, 6}, {3, 11, 1, 9}, {15, 7, 13, 5}};
    float threshold = ((float)pattern[py & 3][px & 3] + 0.5f) / 16;
    return (uint8_t)fminf(255 * srgb_from_linear(toned(x)) + threshold, 255);
}

static void write_bytes(void *context, void *data, int size)
{
    fwrite(data, 1, (size_t)size, context); /* ferror tells in the end */
}

const char *picture_write_png(const picture_image *image, const char *path)
{
    size_t n = 3 * (size_t)image->width * (size_t)image->height;
    uint8_t *bytes = malloc(n);
    FILE *file = bytes ? fopen(path, "wb") : NULL;
    const char *fault = !bytes ? "out of memory" : !file ? "the file cannot be opened for writing" : NULL;
    for (size_t i = 0; i < n && !fault; i++) {
        size_t pixel = i / 3, width = (size_t)image->width;
        bytes[i] = byte_from(image->rgb[i], (int32_t)(pixel % width), (int32_t)(pixel / width));
    }
    if (!fault && !stbi_write_png_to_func(write_bytes, file, image->width, image->height, 3, bytes, 0))
        fault = "the picture cannot be encoded";
    bool written = !file || !ferror(file);
    if (file && (fclose(file) != 0 || !written) && !fault)
        fault = "the file cannot be written";
    free(bytes);
    return fault;
}
