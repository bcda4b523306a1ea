/* SPDX-License-Identifier: MIT */
/* DXF in the layering of AAMA and ASTM D6673: every piece is a block; layers tell boundary, turn points, notches,
 * mirror line, grain, internal lines, cut-outs and sew lines apart. Read are POLYLINE with VERTEX, LWPOLYLINE, LINE,
 * POINT and TEXT; other entities, and what stands outside of blocks but texts, are passed over. A text "UNITS:
 * METRIC" means millimetres, "ENGLISH" inches; else the header's $INSUNITS or $MEASUREMENT tells, else millimetres. */
#include "io/pattern/pattern_dxf.h"

#include "base/array.h"
#include "io/params.h"
#include "io/pattern/pattern_tree.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef enum dxf_kind { DXF_OTHER, DXF_POLYLINE, DXF_VERTEX, DXF_LWPOLYLINE, DXF_LINE, DXF_POINT, DXF_TEXT } dxf_kind;

/* The entity whose groups are being read. */
typedef struct dxf_entity {
    dxf_kind kind;
    int32_t layer, line;
    double x[2], y[2];
    bool has_x, has_y, is_closed;
    const char *text;
    size_t text_length;
} dxf_entity;

typedef struct dxf_reader {
    dxf_scan scan;
    double scale; /* metres a unit; 0: not told yet */
    double header_scale;
    char header[24]; /* the variable whose value comes next */
    bool in_block, in_polyline, expects_name, at_end;
    dxf_piece piece; /* of the block being read */
    dxf_shape polyline;
    dxf_entity entity;
    dxf_piece *pieces;
    size_t n_pieces;
    int64_t room_pieces;
} dxf_reader;

static void piece_free(dxf_piece *p)
{
    free(p->points);
    free(p->shapes);
    *p = (dxf_piece){0};
}

static weft_result dxf_no_memory(const dxf_reader *r)
{
    return fault_memory(r->scan.error);
}

static void dxf_copy_name(char *out, size_t room, const char *from, size_t n)
{
    while (n > 0 && (*from == ' ' || *from == '\t')) {
        from++;
        n--;
    }
    n = n < room - 1 ? n : room - 1;
    memcpy(out, from, n);
    out[n] = '\0';
}

/* ---- entities ---------------------------------------------------------------------------------------------------- */

static weft_result dxf_add_point(dxf_reader *r, double x, double y)
{
    if (r->piece.n_points >= DXF_MOST_POINTS)
        return dxf_fault(&r->scan, "a piece of more than %d points", DXF_MOST_POINTS);
    weft_vec2 p = {x, y};
    return ARRAY_PUSH(NULL, r->piece.points, r->piece.n_points, r->piece.room_points, p) ? WEFT_OK : dxf_no_memory(r);
}

static weft_result dxf_add_shape(dxf_reader *r, dxf_shape shape)
{
    shape.n = (int32_t)r->piece.n_points - shape.first;
    if (shape.n == 0)
        return WEFT_OK;
    return ARRAY_PUSH(NULL, r->piece.shapes, r->piece.n_shapes, r->piece.room_shapes, shape) ? WEFT_OK
                                                                                             : dxf_no_memory(r);
}

static bool words_tell(const char *words, size_t n, const char *word, const char **rest, size_t *n_rest)
{
    dxf_scan probe = {.value = words, .length = n};
    if (!dxf_value_begins(&probe, word))
        return false;
    *rest = words + strlen(word);
    *n_rest = n - strlen(word);
    return true;
}

static void dxf_end_text(dxf_reader *r)
{
    const dxf_entity *e = &r->entity;
    const char *rest = NULL;
    size_t n = 0;
    if (r->in_block && words_tell(e->text, e->text_length, "PIECE NAME:", &rest, &n))
        dxf_copy_name(r->piece.name, sizeof r->piece.name, rest, n);
    if (!words_tell(e->text, e->text_length, "UNITS:", &rest, &n))
        return;
    char unit[16];
    dxf_copy_name(unit, sizeof unit, rest, n);
    dxf_scan probe = {.value = unit, .length = strlen(unit)};
    r->scale = dxf_value_begins(&probe, "METRIC") ? 0.001 : dxf_value_begins(&probe, "ENGLISH") ? 0.0254 : r->scale;
}

/* What an entity was is known when the next begins. */
static weft_result dxf_end_entity(dxf_reader *r)
{
    dxf_entity *e = &r->entity;
    weft_result result = WEFT_OK;
    dxf_shape shape = {
        .layer = e->layer, .line = e->line, .first = (int32_t)r->piece.n_points, .is_closed = e->is_closed};
    if (e->kind == DXF_TEXT && e->text)
        dxf_end_text(r);
    if (!r->in_block) {
        e->kind = DXF_OTHER;
        return WEFT_OK;
    }
    if (e->kind == DXF_POLYLINE) {
        r->polyline = shape;
        r->in_polyline = true;
    } else if (e->kind == DXF_VERTEX && r->in_polyline && e->has_x)
        result = dxf_add_point(r, e->x[0], e->y[0]);
    else if (e->kind == DXF_POINT && e->has_x) {
        result = dxf_add_point(r, e->x[0], e->y[0]);
        shape.is_point = true;
        result = result < 0 ? result : dxf_add_shape(r, shape);
    } else if (e->kind == DXF_LINE && e->has_x) {
        result = dxf_add_point(r, e->x[0], e->y[0]);
        result = result < 0 ? result : dxf_add_point(r, e->x[1], e->y[1]);
        result = result < 0 ? result : dxf_add_shape(r, shape);
    } else if (e->kind == DXF_LWPOLYLINE) {
        r->polyline.is_closed = e->is_closed;
        r->polyline.layer = e->layer;
        result = dxf_add_shape(r, r->polyline);
    }
    e->kind = DXF_OTHER;
    return result;
}

static weft_result dxf_end_polyline(dxf_reader *r)
{
    r->in_polyline = false;
    return dxf_add_shape(r, r->polyline);
}

static weft_result dxf_end_block(dxf_reader *r)
{
    weft_result result = r->in_polyline ? dxf_end_polyline(r) : WEFT_OK;
    bool has_rim = false;
    for (size_t i = 0; i < r->piece.n_shapes; i++)
        has_rim = has_rim || r->piece.shapes[i].layer == DXF_BOUNDARY || r->piece.shapes[i].layer == DXF_SEW;
    r->in_block = false;
    if (result == WEFT_OK && has_rim) {
        if (!ARRAY_PUSH(NULL, r->pieces, r->n_pieces, r->room_pieces, r->piece))
            return dxf_no_memory(r);
        r->piece = (dxf_piece){0};
    }
    piece_free(&r->piece);
    return result;
}

static dxf_kind dxf_kind_of(const dxf_scan *s)
{
    static const char *const names[] = {"", "POLYLINE", "VERTEX", "LWPOLYLINE", "LINE", "POINT", "TEXT"};
    for (int i = DXF_POLYLINE; i <= DXF_TEXT; i++)
        if (dxf_value_is(s, names[i]))
            return (dxf_kind)i;
    return DXF_OTHER;
}

static weft_result dxf_begin_entity(dxf_reader *r)
{
    const dxf_scan *s = &r->scan;
    weft_result result = dxf_end_entity(r);
    r->header[0] = '\0';
    r->expects_name = false;
    if (result == WEFT_OK && r->in_polyline && !dxf_value_is(s, "VERTEX"))
        result = dxf_end_polyline(r);
    if (result < 0)
        return result;
    if (dxf_value_is(s, "BLOCK")) {
        r->in_block = r->expects_name = true;
        r->piece.line = s->line;
    } else if (dxf_value_is(s, "ENDBLK") && r->in_block)
        return dxf_end_block(r);
    r->at_end = dxf_value_is(s, "EOF");
    r->entity = (dxf_entity){.kind = dxf_kind_of(s), .layer = -1, .line = s->line};
    if (r->entity.kind == DXF_LWPOLYLINE)
        r->polyline = (dxf_shape){.layer = -1, .line = s->line, .first = (int32_t)r->piece.n_points};
    return WEFT_OK;
}

/* ---- groups ------------------------------------------------------------------------------------------------------ */

static weft_result dxf_read_layer(dxf_reader *r)
{
    double layer;
    const dxf_scan *s = &r->scan;
    dxf_scan quiet = *s;
    quiet.error = NULL;
    r->entity.layer = dxf_number(&quiet, &layer) == WEFT_OK && layer >= 0 && layer < 1000 ? (int32_t)layer : -1;
    return WEFT_OK;
}

static weft_result dxf_read_coordinate(dxf_reader *r)
{
    dxf_entity *e = &r->entity;
    double value = 0;
    weft_result result = dxf_number(&r->scan, &value);
    if (result == WEFT_OK && fabs(value) > DXF_MOST_COORDINATE)
        result = dxf_fault(&r->scan, "a coordinate is %g, too far away", value);
    if (result < 0)
        return result;
    int k = r->scan.code % 10;
    if (k > 1)
        return WEFT_OK;
    if (r->scan.code < 20) {
        e->x[k] = value;
        e->has_x = true;
        return WEFT_OK;
    }
    e->y[k] = value;
    if (e->kind == DXF_LWPOLYLINE && k == 0 && r->in_block)
        return dxf_add_point(r, e->x[0], value);
    return WEFT_OK;
}

static weft_result dxf_read_header(dxf_reader *r)
{
    double value;
    bool units = strcmp(r->header, "$INSUNITS") == 0, measurement = strcmp(r->header, "$MEASUREMENT") == 0;
    r->header[0] = '\0';
    if (!units && !measurement)
        return WEFT_OK;
    weft_result result = dxf_number(&r->scan, &value);
    if (result < 0)
        return result;
    if (measurement)
        r->header_scale = r->header_scale > 0 ? r->header_scale : value == 0 ? 0.0254 : 0.001;
    else
        r->header_scale = value == 1   ? 0.0254
                          : value == 4 ? 0.001
                          : value == 5 ? 0.01
                          : value == 6 ? 1
                                       : r->header_scale;
    return WEFT_OK;
}

static weft_result dxf_read_group(dxf_reader *r)
{
    const dxf_scan *s = &r->scan;
    if (s->code == 0)
        return dxf_begin_entity(r);
    if (s->code == 9) {
        dxf_copy_name(r->header, sizeof r->header, s->value, s->length);
        return WEFT_OK;
    }
    if (r->header[0] != '\0')
        return dxf_read_header(r);
    if (s->code == 2 && r->expects_name) {
        dxf_copy_name(r->piece.name, sizeof r->piece.name, s->value, s->length);
        r->expects_name = false;
    }
    if (r->entity.kind == DXF_OTHER)
        return WEFT_OK;
    if (s->code == 8)
        return dxf_read_layer(r);
    if (s->code == 70 && (r->entity.kind == DXF_POLYLINE || r->entity.kind == DXF_LWPOLYLINE)) {
        double flags = 0;
        weft_result result = dxf_number(s, &flags);
        r->entity.is_closed = flags >= 0 && flags < 1e6 && (int32_t)flags % 2 == 1;
        return result;
    }
    if (s->code == 1 && r->entity.kind == DXF_TEXT) {
        r->entity.text = s->value;
        r->entity.text_length = s->length;
    }
    if (s->code == 10 || s->code == 11 || s->code == 20 || s->code == 21)
        return dxf_read_coordinate(r);
    return WEFT_OK;
}

weft_result pattern_dxf_parse(weft_pattern *pattern, const char *name, const char *bytes, size_t size,
                              weft_error *error)
{
    dxf_reader r = {.scan = dxf_scan_begin(name, size ? bytes : "", size, error)};
    weft_result result = WEFT_OK;
    while (result == WEFT_OK && !r.at_end && dxf_scan_next(&r.scan, &result))
        result = dxf_read_group(&r);
    if (result == WEFT_OK && r.in_block)
        result = dxf_fault(&r.scan, "the file ends within the block '%s'", r.piece.name);
    double scale = r.scale > 0 ? r.scale : r.header_scale > 0 ? r.header_scale : 0.001;
    for (size_t i = 0; result == WEFT_OK && i < r.n_pieces; i++)
        result = dxf_piece_add(pattern, &r.pieces[i], scale, name, error);
    if (result == WEFT_OK && r.n_pieces == 0)
        result =
            fault(error, WEFT_ERROR_FORMAT, "%s: no block has a boundary (layer 1) or a sew line (layer 14)", name);
    for (size_t i = 0; i < r.n_pieces; i++)
        piece_free(&r.pieces[i]);
    piece_free(&r.piece);
    free(r.pieces);
    return result;
}
