/* SPDX-License-Identifier: MIT */
/* Wavefront OBJ. Read: v, vt, f, g, o. Lines with other words are passed over; w, colours and normals are not kept.
 * Positive indices may name vertices that come later in the file, so they are checked at the end. */
#include "io/mesh/mesh_build.h"
#include "io/mesh/mesh_scan.h"

typedef struct obj_corner {
    int32_t node, uv; /* from 0; uv -1: none */
} obj_corner;

static weft_result obj_read_vertex(mesh_build *b, mesh_scan *s)
{
    weft_vec3 p;
    weft_result r = mesh_scan_number(s, "the x of a vertex", &p.x);
    r = r < 0 ? r : mesh_scan_number(s, "the y of a vertex", &p.y);
    r = r < 0 ? r : mesh_scan_number(s, "the z of a vertex", &p.z);
    if (r < 0)
        return r;
    return mesh_build_node(b, p) ? WEFT_OK : mesh_build_fault(b, s->error);
}

static weft_result obj_read_uv(mesh_build *b, mesh_scan *s)
{
    weft_vec2 uv = {0, 0};
    weft_result r = mesh_scan_number(s, "the u of a texture vertex", &uv.u);
    if (r == WEFT_OK && !mesh_scan_line_ends(s)) /* v may be left out: 0 */
        r = mesh_scan_number(s, "the v of a texture vertex", &uv.v);
    if (r < 0)
        return r;
    return mesh_build_uv(b, uv) ? WEFT_OK : mesh_build_fault(b, s->error);
}

/* [-]digits that fit int32_t. Returns where they end, NULL if there are none. */
static const char *obj_read_index(const char *at, const char *end, int32_t *out)
{
    bool negative = at < end && *at == '-';
    const char *first = at + negative, *p = first;
    int64_t value = 0;
    for (; p < end && *p >= '0' && *p <= '9'; p++) {
        value = value * 10 + (*p - '0');
        if (value > INT32_MAX)
            return NULL;
    }
    *out = (int32_t)(negative ? -value : value);
    return p == first ? NULL : p;
}

/* An index of the file, from 1 or backwards from -1, as one from 0. */
static weft_result obj_resolve_index(const mesh_scan *s, const char *what, int32_t index, size_t n, int32_t *out)
{
    if (index == 0)
        return mesh_scan_fault(s, "found %s 0, expected an index from 1, or a negative one", what);
    if (index < 0 && (size_t)-index > n)
        return mesh_scan_fault(s, "found %s %d, but there are only %zu before it", what, index, n);
    *out = index < 0 ? (int32_t)n + index : index - 1;
    return WEFT_OK;
}

/* v, v/t, v//n or v/t/n; t and n may be empty. */
static weft_result obj_read_corner(const mesh_build *b, mesh_scan *s, obj_corner *out)
{
    const char *word;
    size_t n = mesh_scan_peek(s, &word);
    const char *end = word + n;
    int32_t part[3] = {0, 0, 0};
    bool has[3] = {true, false, false};
    const char *at = obj_read_index(word, end, &part[0]);
    for (int i = 1; i < 3 && at && at < end && *at == '/'; i++) {
        at++;
        has[i] = at < end && *at != '/';
        at = has[i] ? obj_read_index(at, end, &part[i]) : at;
    }
    if (at != end)
        return mesh_scan_expected(s, "a corner: v, v/t, v//n or v/t/n");
    s->at = end;
    *out = (obj_corner){-1, -1};
    weft_result r = obj_resolve_index(s, "vertex", part[0], b->n_positions, &out->node);
    if (r == WEFT_OK && has[1])
        r = obj_resolve_index(s, "texture vertex", part[1], b->n_uv, &out->uv);
    if (r == WEFT_OK && has[2] && part[2] == 0)
        r = mesh_scan_fault(s, "found normal 0, expected an index from 1, or a negative one");
    return r;
}

static weft_result obj_read_face(mesh_build *b, mesh_scan *s)
{
    int32_t line = s->line;
    while (!mesh_scan_line_ends(s)) {
        obj_corner corner = {-1, -1};
        weft_result r = obj_read_corner(b, s, &corner);
        if (r < 0)
            return r;
        if (!mesh_build_corner(b, corner.node, corner.uv))
            return mesh_build_fault(b, s->error);
    }
    size_t n = mesh_build_open_corners(b);
    if (n < 3)
        return mesh_scan_fault(s, "found a face of %zu corner%s, expected at least 3", n, n == 1 ? "" : "s");
    return mesh_build_face(b, line) ? WEFT_OK : mesh_build_fault(b, s->error);
}

/* The name is all of the line: names with blanks are common. */
static weft_result obj_read_group(mesh_build *b, mesh_scan *s)
{
    while (s->at < s->end && (*s->at == ' ' || *s->at == '\t'))
        s->at++;
    const char *end = s->at;
    while (end < s->end && *end != '\n' && *end != '\r')
        end++;
    const char *last = end;
    while (last > s->at && (last[-1] == ' ' || last[-1] == '\t' || last[-1] == '\\'))
        last--;
    size_t n = (size_t)(last - s->at);
    return mesh_build_group(b, s->at, n) ? WEFT_OK : mesh_build_fault(b, s->error);
}

static weft_result obj_read_line(mesh_build *b, mesh_scan *s)
{
    if (mesh_scan_take(s, "v"))
        return obj_read_vertex(b, s);
    if (mesh_scan_take(s, "f"))
        return obj_read_face(b, s);
    if (mesh_scan_take(s, "vt"))
        return obj_read_uv(b, s);
    if (mesh_scan_take(s, "g") || mesh_scan_take(s, "o"))
        return obj_read_group(b, s);
    return WEFT_OK;
}

weft_result mesh_obj_parse(mesh_build *b, const char *bytes, size_t size, weft_error *e)
{
    mesh_scan s = mesh_scan_begin(b->name, bytes, size, e);
    s.is_obj = true;
    b->first_index = 1;
    while (mesh_scan_skip_empty(&s)) {
        weft_result r = obj_read_line(b, &s);
        if (r < 0)
            return r;
        mesh_scan_next_line(&s);
    }
    return WEFT_OK;
}
