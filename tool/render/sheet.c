/* SPDX-License-Identifier: MIT */
/* Contact sheets, and legends of colours: 8-bit pictures with captions. */
#include "render/color.h"

#include <string.h>

enum { MAX_SIDE = 32768 };

static const picture_color paper = {0.97f, 0.97f, 0.965f}, ink = {0.22f, 0.22f, 0.24f};

/* ---- sheets ------------------------------------------------------------------------------------------------------ */

typedef struct layout {
    int32_t n_columns, n_rows;
    int32_t gap, scale;    /* pixels, between tiles and around; and of a dot of the captions */
    int32_t caption;       /* height of the strip below a tile */
    int32_t width, height; /* of a tile, without and with its caption */
    int64_t sheet_width, sheet_height;
} layout;

/* About as wide as 4 : 3 for the whole, then no more columns than the rows need. */
static int32_t columns_for(const layout *l, int32_t n)
{
    double shape = (double)(l->height + l->gap) / (double)(l->width + l->gap);
    int32_t most = (int32_t)fmax(1, round(sqrt((double)n * shape * 4 / 3)));
    most = most < n ? most : n;
    int32_t n_rows = (n + most - 1) / most;
    return (n + n_rows - 1) / n_rows;
}

static layout lay_out(const picture_bytes *tile, bool has_captions, int32_t n, int32_t n_columns)
{
    layout l = {.width = tile->width,
                .gap = tile->width / 40 < 4 ? 4 : tile->width / 40,
                .scale = tile->width < 200   ? 1
                         : tile->width < 640 ? 2
                                             : 3};
    l.caption = has_captions ? 12 * l.scale : 0;
    l.height = tile->height + l.caption;
    l.n_columns = n_columns > 0 ? n_columns : columns_for(&l, n);
    l.n_rows = (n + l.n_columns - 1) / l.n_columns;
    l.sheet_width = (int64_t)l.n_columns * (l.width + l.gap) + l.gap;
    l.sheet_height = (int64_t)l.n_rows * (l.height + l.gap) + l.gap;
    return l;
}

/* Copies what of a picture is left of max_width. */
static void paste(picture_bytes *sheet, const picture_bytes *b, int32_t x, int32_t y, int32_t max_width)
{
    size_t row = 3 * (size_t)(b->width < max_width ? b->width : max_width);
    for (int32_t i = 0; i < b->height; i++)
        memcpy(&sheet->rgb[3 * ((size_t)(y + i) * (size_t)sheet->width + (size_t)x)],
               &b->rgb[3 * (size_t)i * (size_t)b->width], row);
}

/* Written on a strip of its own, which cuts it off at the tile's width. */
static const char *add_caption(picture_bytes *sheet, const layout *l, int32_t x, int32_t y, const char *text)
{
    picture_bytes strip;
    const char *fault = picture_bytes_make(l->width, l->caption, paper, &strip);
    if (fault)
        return fault;
    picture_text(&strip, l->scale, 3 * l->scale, l->scale, ink, text);
    paste(sheet, &strip, x, y, l->width);
    picture_bytes_free(&strip);
    return NULL;
}

const char *picture_sheet(const picture_tile *tiles, int32_t n_tiles, int32_t n_columns, picture_bytes *out)
{
    bool has_captions = false;
    *out = (picture_bytes){.width = 0};
    if (n_tiles < 1)
        return "a sheet needs a picture";
    for (int32_t i = 0; i < n_tiles; i++) {
        if (tiles[i].image->width != tiles[0].image->width || tiles[i].image->height != tiles[0].image->height)
            return "a sheet's pictures must be of one size";
        has_captions = has_captions || tiles[i].caption;
    }
    layout l = lay_out(tiles[0].image, has_captions, n_tiles, n_columns);
    if (l.sheet_width > MAX_SIDE || l.sheet_height > MAX_SIDE)
        return "the sheet would be too large";
    const char *fault = picture_bytes_make((int32_t)l.sheet_width, (int32_t)l.sheet_height, paper, out);
    for (int32_t i = 0; i < n_tiles && !fault; i++) {
        int32_t x = l.gap + i % l.n_columns * (l.width + l.gap), y = l.gap + i / l.n_columns * (l.height + l.gap);
        paste(out, tiles[i].image, x, y, l.width);
        if (tiles[i].caption)
            fault = add_caption(out, &l, x, y + tiles[i].image->height, tiles[i].caption);
    }
    if (fault)
        picture_bytes_free(out);
    return fault;
}

/* ---- legends ----------------------------------------------------------------------------------------------------- */

static void set_pixel(picture_bytes *b, int32_t x, int32_t y, picture_color c)
{
    if (x < 0 || x >= b->width || y < 0 || y >= b->height)
        return;
    uint8_t *p = &b->rgb[3 * ((size_t)y * (size_t)b->width + (size_t)x)];
    p[0] = (uint8_t)(255 * c.r + 0.5f), p[1] = (uint8_t)(255 * c.g + 0.5f), p[2] = (uint8_t)(255 * c.b + 0.5f);
}

static void draw_bar(picture_bytes *b, const picture_legend *legend, int32_t x0, int32_t y0, int32_t width,
                     int32_t height)
{
    for (int32_t x = -1; x <= width; x++) {
        double t = ((double)x + 0.5) / (double)width;
        picture_color c = legend->map(legend->low + (legend->high - legend->low) * t);
        bool is_end = x < 0 || x == width;
        for (int32_t y = -1; y <= height; y++)
            set_pixel(b, x0 + x, y0 + y, is_end || y < 0 || y == height ? ink : c);
    }
}

void picture_draw_legend(picture_bytes *bytes, const picture_legend *legend)
{
    int32_t scale = bytes->width < 400 ? 1 : bytes->width < 1400 ? 2 : 3, edge = 8 * scale;
    int32_t width = bytes->width / 4, height = 7 * scale;
    int32_t texts = bytes->height - edge - 8 * scale, bar = texts - height - 4 * scale, title = bar - 12 * scale;
    draw_bar(bytes, legend, edge, bar, width, height);
    if (legend->title)
        picture_text(bytes, edge, title, scale, ink, legend->title);
    const char *text[3] = {legend->low_text, legend->middle_text, legend->high_text};
    for (int k = 0; k < 3; k++)
        if (text[k])
            picture_text(bytes, edge + k * (width - picture_text_width(scale, text[k])) / 2, texts, scale, ink,
                         text[k]);
}
