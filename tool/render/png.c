/* SPDX-License-Identifier: MIT */
/* Pictures as files: PNG, and raw bytes for a video encoder. */
#define _POSIX_C_SOURCE 200809L
#include "render/picture.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifndef __clang_analyzer__
#define STB_IMAGE_WRITE_IMPLEMENTATION
#define STB_IMAGE_WRITE_STATIC
#include <stb/stb_image_write.h>
#else /* a library's code is not for our analyzer */
unsigned char *stbi_write_png_to_mem(const unsigned char *pixels, int stride, int x, int y, int n, int *n_out);
#endif

const char *picture_encode_png(const picture_bytes *bytes, uint8_t **out, size_t *n_out)
{
    int n = 0;
    *out = NULL;
    *n_out = 0;
    if ((3 * (int64_t)bytes->width + 1) * bytes->height > INT32_MAX / 2) /* stb counts in int */
        return "the picture is too large for a PNG file";
    *out = stbi_write_png_to_mem(bytes->rgb, 3 * bytes->width, bytes->width, bytes->height, 3, &n);
    if (!*out)
        return "out of memory";
    *n_out = (size_t)n;
    return NULL;
}

static const char *write_file(const char *path, const uint8_t *data, size_t n)
{
    FILE *file = fopen(path, "wb");
    if (!file)
        return "the file cannot be opened for writing";
    bool written = fwrite(data, 1, n, file) == n;
    written = fclose(file) == 0 && written;
    return written ? NULL : "the file cannot be written";
}

/* "PATH.NUMBER.part", by the process's number: two that write the same do not meet. */
static char *beside(const char *path)
{
    size_t room = strlen(path) + 32;
    char *name = malloc(room);
    if (name)
        snprintf(name, room, "%s.%ld.part", path, (long)getpid());
    return name;
}

const char *picture_write_png(const picture_bytes *bytes, const char *path)
{
    uint8_t *data = NULL;
    size_t n;
    char *name = beside(path);
    const char *fault = name ? picture_encode_png(bytes, &data, &n) : "out of memory";
    if (!fault) {
        fault = write_file(name, data, n);
        if (!fault && rename(name, path) != 0)
            fault = "the file cannot be put in its place";
        if (fault)
            remove(name);
    }
    free(name);
    free(data);
    return fault;
}

const char *picture_write_raw(const picture_bytes *bytes, FILE *file)
{
    size_t row = 3 * (size_t)bytes->width;
    bool written = true;
    for (int32_t y = 0; y < picture_even(bytes->height) && written; y++) {
        const uint8_t *start = &bytes->rgb[row * (size_t)(y < bytes->height ? y : bytes->height - 1)];
        written = fwrite(start, 1, row, file) == row;
        if (bytes->width & 1)
            written = written && fwrite(start + row - 3, 1, 3, file) == 3;
    }
    return written ? NULL : "the picture cannot be written";
}
