/* SPDX-License-Identifier: MIT */
/* The body of a PLY file: text, or binary in either order. Elements and properties that a mesh has no use for are
 * passed over. Faces may come before the vertices, so their indices are checked at the end. */
#include "io/load.h"
#include "io/mesh/mesh_build.h"
#include "io/mesh/mesh_ply.h"

#include <math.h>
#include <stdio.h>

typedef struct ply_body {
    mesh_scan scan; /* binary: only `at` and `end` matter */
    const char *bytes;
    ply_head head;
    mesh_build *build;
    const ply_element *element; /* where we are */
    uint64_t item;
} ply_body;

static bool ply_is_text(const ply_body *p)
{
    return p->head.form == PLY_ASCII;
}

/* "file:line: " or "file: byte 123: face 12: ". */
static weft_result body_fault(const ply_body *p, const char *what)
{
    if (ply_is_text(p))
        return mesh_scan_fault(&p->scan, "%s", what);
    return fault(p->scan.error, WEFT_ERROR_FORMAT, "%s: byte %zu: %s %llu: %s", p->scan.name,
                 (size_t)(p->scan.at - p->bytes), p->element->name, (unsigned long long)p->item, what);
}

static weft_result value_fault(const ply_body *p, double value, const char *expected)
{
    char what[128];
    snprintf(what, sizeof what, "found %.17g, expected %s", value, expected);
    return body_fault(p, what);
}

/* ---- single values ----------------------------------------------------------------------------------------------- */

static double load_value(const uint8_t *b, ply_type type, bool is_big)
{
    uint8_t order[8] = {0}; /* the lowest byte first */
    size_t size = ply_type_size(type);
    for (size_t i = 0; i < size; i++)
        order[i] = b[is_big ? size - 1 - i : i];
    uint32_t low16 = size > 1 ? (uint32_t)order[0] | (uint32_t)order[1] << 8 : 0;
    switch (type) {
    case PLY_INT8: return order[0] < 128 ? order[0] : order[0] - 256;
    case PLY_UINT8: return order[0];
    case PLY_INT16: return low16 < 32768 ? (double)low16 : (double)low16 - 65536;
    case PLY_UINT16: return low16;
    case PLY_INT32: return load_i32(load_u32_little(order));
    case PLY_UINT32: return load_u32_little(order);
    case PLY_FLOAT32: return load_f32_little(order);
    default: return load_f64(load_u32_little(order), load_u32_little(order + 4));
    }
}

static weft_result need_bytes(const ply_body *p, uint64_t n)
{
    size_t left = (size_t)(p->scan.end - p->scan.at);
    if (n <= left)
        return WEFT_OK;
    char what[128];
    snprintf(what, sizeof what, "found the end of the file after %zu bytes, expected %llu", left,
             (unsigned long long)n);
    return body_fault(p, what);
}

/* A finite number. */
static weft_result ply_read_value(ply_body *p, ply_type type, const char *what, double *out)
{
    if (ply_is_text(p))
        return mesh_scan_number(&p->scan, what, out);
    size_t size = ply_type_size(type);
    weft_result r = need_bytes(p, size);
    if (r < 0)
        return r;
    *out = load_value((const uint8_t *)p->scan.at, type, p->head.form == PLY_BIG);
    if (!isfinite(*out))
        return value_fault(p, *out, "a finite number");
    p->scan.at += size;
    return WEFT_OK;
}

static weft_result ply_read_whole(ply_body *p, ply_type type, const char *what, double most, double *out)
{
    weft_result r = ply_read_value(p, type, what, out);
    if (r == WEFT_OK && (*out < 0 || *out > most || *out != floor(*out)))
        r = value_fault(p, *out, what);
    return r;
}

static weft_result skip_values(ply_body *p, ply_type type, uint64_t n)
{
    if (!ply_is_text(p)) {
        weft_result r = need_bytes(p, n * ply_type_size(type));
        p->scan.at += r == WEFT_OK ? n * ply_type_size(type) : 0;
        return r;
    }
    for (uint64_t i = 0; i < n; i++) {
        const char *word;
        size_t length = mesh_scan_peek(&p->scan, &word);
        if (length == 0)
            return mesh_scan_expected(&p->scan, "a value");
        p->scan.at = word + length;
    }
    return WEFT_OK;
}

/* ---- items ------------------------------------------------------------------------------------------------------- */

static weft_result ply_read_corners(ply_body *p, const ply_property *property, uint64_t n)
{
    char what[64];
    if (n < 3) {
        snprintf(what, sizeof what, "found a face of %llu corner%s, expected at least 3", (unsigned long long)n,
                 n == 1 ? "" : "s");
        return body_fault(p, what);
    }
    for (uint64_t i = 0; i < n; i++) {
        double index;
        weft_result r = ply_read_whole(p, property->type, "the index of a vertex, from 0", INT32_MAX, &index);
        if (r < 0)
            return r;
        if (!mesh_build_corner(p->build, (int32_t)index, (int32_t)index))
            return mesh_build_fault(p->build, p->scan.error);
    }
    return WEFT_OK;
}

static weft_result ply_read_list(ply_body *p, const ply_property *property)
{
    double n;
    weft_result r = ply_read_whole(p, property->count_type, "the length of a list", UINT32_MAX, &n);
    if (r < 0)
        return r;
    return property->role == PLY_CORNERS ? ply_read_corners(p, property, (uint64_t)n)
                                         : skip_values(p, property->type, (uint64_t)n);
}

/* The properties of one item; scalars of vertices go to values[role]. */
static weft_result ply_read_item(ply_body *p, double values[5])
{
    static const char *const names[] = {"the x of a vertex", "the y of a vertex", "the z of a vertex",
                                        "the u of a vertex", "the v of a vertex"};
    weft_result r = WEFT_OK;
    for (size_t i = 0; i < p->element->n_properties && r == WEFT_OK; i++) {
        const ply_property *property = &p->head.properties[p->element->first + i];
        if (property->is_list)
            r = ply_read_list(p, property);
        else if (property->role == PLY_UNUSED)
            r = skip_values(p, property->type, 1);
        else
            r = ply_read_value(p, property->type, names[property->role], &values[property->role]);
    }
    return r;
}

static bool element_has_uv(const ply_body *p)
{
    unsigned roles = 0;
    for (size_t i = 0; i < p->element->n_properties; i++)
        roles |= 1u << p->head.properties[p->element->first + i].role;
    return roles >> PLY_U & roles >> PLY_V & 1;
}

static bool ply_keep_item(ply_body *p, const double values[5], bool has_uv, int32_t line)
{
    if (p->element->kind == PLY_FACE)
        return mesh_build_face(p->build, ply_is_text(p) ? line : 0);
    if (p->element->kind != PLY_VERTEX)
        return true;
    return mesh_build_node(p->build, (weft_vec3){values[PLY_X], values[PLY_Y], values[PLY_Z]}) &&
           (!has_uv || mesh_build_uv(p->build, (weft_vec2){values[PLY_U], values[PLY_V]}));
}

/* In text each item has a line of its own. */
static weft_result ply_begin_item(ply_body *p)
{
    if (!ply_is_text(p) || mesh_scan_skip_empty(&p->scan))
        return WEFT_OK;
    char what[128];
    snprintf(what, sizeof what, "found the end of the file, expected %s %llu of %llu", p->element->name,
             (unsigned long long)p->item, (unsigned long long)p->element->n);
    return body_fault(p, what);
}

static weft_result ply_end_item(ply_body *p)
{
    if (!ply_is_text(p))
        return WEFT_OK;
    if (!mesh_scan_line_ends(&p->scan))
        return mesh_scan_expected(&p->scan, "the end of the line");
    mesh_scan_next_line(&p->scan);
    return WEFT_OK;
}

/* Bytes that the items take at least, so that a wrong count is told before all of them are read. */
static weft_result ply_check_size(const ply_body *p)
{
    uint64_t least = 0;
    for (size_t i = 0; i < p->element->n_properties; i++) {
        const ply_property *property = &p->head.properties[p->element->first + i];
        least += ply_type_size(property->is_list ? property->count_type : property->type);
    }
    size_t left = (size_t)(p->scan.end - p->scan.at);
    if (ply_is_text(p) || least == 0 || p->element->n <= left / least)
        return WEFT_OK;
    return fault(p->scan.error, WEFT_ERROR_FORMAT,
                 "%s: byte %zu: found %zu bytes, expected at least %llu for each of %llu items of element %s",
                 p->scan.name, (size_t)(p->scan.at - p->bytes), left, (unsigned long long)least,
                 (unsigned long long)p->element->n, p->element->name);
}

static weft_result read_element_items(ply_body *p)
{
    bool has_uv = p->element->kind == PLY_VERTEX && element_has_uv(p);
    weft_result r = ply_check_size(p);
    for (p->item = 0; p->item < p->element->n && r == WEFT_OK; p->item++) {
        r = ply_begin_item(p);
        double values[5] = {0};
        int32_t line = p->scan.line;
        r = r < 0 ? r : ply_read_item(p, values);
        r = r < 0 ? r : ply_end_item(p);
        if (r == WEFT_OK && !ply_keep_item(p, values, has_uv, line))
            r = mesh_build_fault(p->build, p->scan.error);
        if (r < 0)
            break; /* without counting: messages name the item */
    }
    return r;
}

static weft_result ply_read_body(ply_body *p)
{
    weft_result r = WEFT_OK;
    for (size_t i = 0; i < p->head.n_elements && r == WEFT_OK; i++) {
        p->element = &p->head.elements[i];
        if (p->element->n_properties > 0)
            r = read_element_items(p);
    }
    if (r < 0)
        return r;
    if (ply_is_text(p))
        return mesh_scan_skip_empty(&p->scan) ? mesh_scan_expected(&p->scan, "the end of the file") : WEFT_OK;
    if (p->scan.at < p->scan.end)
        return fault(p->scan.error, WEFT_ERROR_FORMAT,
                     "%s: byte %zu: found %zu more bytes, expected the end of the file", p->scan.name,
                     (size_t)(p->scan.at - p->bytes), (size_t)(p->scan.end - p->scan.at));
    return WEFT_OK;
}

/* The uv of PLY belong to vertices: a corner has that of its vertex, or none. */
static void ply_settle_uv(mesh_build *b)
{
    if (b->n_uv > 0)
        return;
    for (size_t i = 0; i < b->n_corner_uv; i++)
        b->corner_uv[i] = -1;
}

weft_result mesh_ply_parse(mesh_build *b, const char *bytes, size_t size, weft_error *e)
{
    ply_body p = {.scan = mesh_scan_begin(b->name, bytes, size, e), .bytes = bytes, .build = b};
    weft_result r = ply_head_read(&p.scan, &p.head);
    r = r < 0 ? r : ply_read_body(&p);
    ply_head_free(&p.head);
    ply_settle_uv(b);
    return r;
}
