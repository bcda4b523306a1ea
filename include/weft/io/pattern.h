/* SPDX-License-Identifier: MIT */
/* Sewing patterns in files. Part of libweft-io. */
#ifndef WEFT_IO_PATTERN_H
#define WEFT_IO_PATTERN_H

#include <weft/garment.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum weft_pattern_format {
    WEFT_PATTERN_OUTLINE = 0,     /* JSON "panel-outline/1": points, edges, seams, placements; metres */
    WEFT_PATTERN_GARMENTCODE = 1, /* JSON specification of GarmentCode and its predecessor */
    WEFT_PATTERN_DXF = 2          /* AAMA/ASTM: pieces are blocks, layers tell lines apart; no seams */
} weft_pattern_format;

/* By the name's ending, .json or .dxf, and what a JSON file says of itself. Messages name file, line and, for what is
 * wrong with the pattern itself, panel and edge. The pattern is not yet checked as a whole (weft_pattern_check). */
WEFT_API weft_result weft_pattern_read(const char *path, weft_pattern **out, weft_error *error);
/* `name` stands for the file's name in messages. */
WEFT_API weft_result weft_pattern_parse(weft_pattern_format format, const char *name, const void *bytes, size_t size,
                                        weft_pattern **out, weft_error *error);
/* Which of the two JSON formats a text is; false if neither. */
WEFT_API bool weft_pattern_detect(const void *bytes, size_t size, weft_pattern_format *out);

/* As panel-outline/1: outlines as points within 0.05 mm of the curves. WEFT_ERROR_EXISTS: the file is there, and not
 * force. */
WEFT_API weft_result weft_pattern_write(const char *path, const weft_pattern *pattern, bool force, weft_error *error);

typedef struct weft_svg_def {
    size_t struct_size;
    const weft_garment *garment; /* its mesh is drawn too; NULL: outlines only */
    double width;                /* of the picture, pixels; [100, 20000]; 1600 */
    bool force;                  /* overwrite what exists; false */
} weft_svg_def;

WEFT_API weft_svg_def weft_svg_def_default(void);
/* A drawing of all panels side by side in their own size, one unit a millimetre: outlines, edges with names and
 * lengths, seams by colours, notches, lines, grain. */
WEFT_API weft_result weft_pattern_write_svg(const char *path, const weft_pattern *pattern, const weft_svg_def *def,
                                            weft_error *error);

#ifdef __cplusplus
}
#endif
#endif
