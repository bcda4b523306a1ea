/* SPDX-License-Identifier: MIT */
/* Pictures of reports as JPEG, which take a tenth of the bytes. */
#include "render/picture.h"

#include <stdlib.h>
#include <string.h>

enum { JPEG_QUALITY = 88 };

#ifndef __clang_analyzer__
#define STB_IMAGE_IMPLEMENTATION
#define STBI_ONLY_PNG
#define STBI_NO_STDIO
#define STBI_NO_LINEAR
#define STBI_NO_HDR
#include <stb/stb_image.h>
#define STB_IMAGE_WRITE_IMPLEMENTATION
#define STB_IMAGE_WRITE_STATIC
#include <stb/stb_image_write.h>
#else
unsigned char *stbi_load_from_memory(const unsigned char *bytes, int n, int *x, int *y, int *channels, int wanted);
void stbi_image_free(void *pixels);
int stbi_write_jpg_to_func(void (*put)(void *, void *, int), void *to, int x, int y, int n, const void *p, int quality);
#endif

typedef struct jpeg_bytes {
    uint8_t *bytes;
    size_t n, capacity;
    bool failed;
} jpeg_bytes;

static void put_bytes(void *to, void *bytes, int n)
{
    jpeg_bytes *out = to;
    if (out->n + (size_t)n > out->capacity && !out->failed) {
        size_t wanted = 2 * out->capacity + (size_t)n + 4096;
        uint8_t *grown = realloc(out->bytes, wanted);
        out->failed = !grown;
        out->bytes = grown ? grown : out->bytes;
        out->capacity = grown ? wanted : out->capacity;
    }
    if (out->failed)
        return;
    memcpy(out->bytes + out->n, bytes, (size_t)n);
    out->n += (size_t)n;
}

const char *picture_jpeg_of_png(const void *png, size_t n, uint8_t **out, size_t *n_out)
{
    int width, height, channels;
    *out = NULL;
    *n_out = 0;
    unsigned char *pixels = stbi_load_from_memory(png, (int)n, &width, &height, &channels, 3);
    if (!pixels)
        return "the picture cannot be read";
    jpeg_bytes to = {0};
    bool fine = stbi_write_jpg_to_func(put_bytes, &to, width, height, 3, pixels, JPEG_QUALITY) && !to.failed;
    stbi_image_free(pixels);
    if (!fine) {
        free(to.bytes);
        return "out of memory";
    }
    *out = to.bytes;
    *n_out = to.n;
    return NULL;
}
