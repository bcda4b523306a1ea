/* SPDX-License-Identifier: MIT */
/* A piece of a DXF pattern while it is read. */
#ifndef WEFT_IO_PATTERN_PATTERN_DXF_H
#define WEFT_IO_PATTERN_PATTERN_DXF_H

#include "io/pattern/dxf_scan.h"

#include <weft/io/pattern.h>

/* Layers of the AAMA and ASTM conventions. */
enum {
    DXF_BOUNDARY = 1,
    DXF_TURN = 2,
    DXF_CURVE = 3,
    DXF_NOTCH = 4,
    DXF_MIRROR = 6,
    DXF_GRAIN = 7,
    DXF_INTERNAL = 8,
    DXF_CUTOUT = 11,
    DXF_DRILL = 13,
    DXF_SEW = 14
};

/* A point, line or polyline of a block, in file units. */
typedef struct dxf_shape {
    int32_t layer, line;
    int32_t first, n; /* in the piece's points */
    bool is_closed, is_point;
} dxf_shape;

typedef struct dxf_piece {
    char name[256];
    int32_t line;
    weft_vec2 *points;
    size_t n_points;
    int64_t room_points;
    dxf_shape *shapes;
    size_t n_shapes;
    int64_t room_shapes;
} dxf_piece;

/* Makes a panel of a piece and adds it; scale is metres a file unit. */
weft_result dxf_piece_add(weft_pattern *pattern, const dxf_piece *piece, double scale, const char *name,
                          weft_error *error);

#endif
