/* SPDX-License-Identifier: MIT */
/* STL, text and binary. Each triangle brings its own three corners; those with equal coordinates (0 and -0 are equal)
 * become one vertex, in the order in which they appear first. Normals are passed over: the corners tell them, and in
 * many files they are wrong. */
#include "io/load.h"
#include "io/mesh/mesh_build.h"
#include "io/mesh/mesh_scan.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { STL_HEAD = 84, STL_RECORD = 50 }; /* bytes, in binary files */

/* ---- equal vertices become one ----------------------------------------------------------------------------------- */

typedef struct stl_merge {
    mesh_build *build;
    mesh_table table;
} stl_merge;

typedef struct stl_key {
    const mesh_build *build;
    weft_vec3 p;
} stl_key;

static bool is_same_vertex(const void *context, int32_t index)
{
    const stl_key *key = context;
    const weft_vec3 *q = &key->build->positions[index];
    return q->x == key->p.x && q->y == key->p.y && q->z == key->p.z;
}

static bool stl_add_corner(stl_merge *m, weft_vec3 p)
{
    mesh_build *b = m->build;
    stl_key key = {b, p};
    double plus[3] = {p.x + 0.0, p.y + 0.0, p.z + 0.0}; /* -0 becomes 0 */
    int32_t *slot = mesh_table_slot(&m->table, mesh_table_hash(plus, sizeof plus), is_same_vertex, &key);
    if (!slot)
        return false;
    if (*slot < 0) {
        if (!mesh_build_node(b, p))
            return false;
        *slot = (int32_t)b->n_positions - 1;
    }
    return mesh_build_corner(b, *slot, -1);
}

/* ---- text -------------------------------------------------------------------------------------------------------- */

static weft_result stl_expect_word(mesh_scan *s, const char *word)
{
    mesh_scan_skip_empty(s);
    char quoted[32];
    snprintf(quoted, sizeof quoted, "\"%s\"", word);
    return mesh_scan_take_any_case(s, word) ? WEFT_OK : mesh_scan_expected(s, quoted);
}

static weft_result stl_skip_normal(mesh_scan *s)
{
    weft_result r = stl_expect_word(s, "normal");
    for (int i = 0; i < 3 && r == WEFT_OK; i++) {
        const char *word; /* any word: normals of nan are common */
        mesh_scan_skip_empty(s);
        size_t n = mesh_scan_peek(s, &word);
        s->at = word + n;
        r = n ? WEFT_OK : mesh_scan_expected(s, "a component of a normal");
    }
    return r;
}

static weft_result stl_read_text_vertex(stl_merge *m, mesh_scan *s)
{
    double x[3];
    weft_result r = stl_expect_word(s, "vertex");
    for (int i = 0; i < 3 && r == WEFT_OK; i++) {
        mesh_scan_skip_empty(s);
        r = mesh_scan_number(s, "a coordinate of a vertex", &x[i]);
    }
    if (r != WEFT_OK)
        return r;
    return stl_add_corner(m, (weft_vec3){x[0], x[1], x[2]}) ? WEFT_OK : mesh_build_fault(m->build, s->error);
}

static weft_result stl_read_text_facet(stl_merge *m, mesh_scan *s)
{
    int32_t line = s->line;
    weft_result r = stl_skip_normal(s);
    r = r < 0 ? r : stl_expect_word(s, "outer");
    r = r < 0 ? r : stl_expect_word(s, "loop");
    for (int i = 0; i < 3 && r == WEFT_OK; i++)
        r = stl_read_text_vertex(m, s);
    r = r < 0 ? r : stl_expect_word(s, "endloop");
    r = r < 0 ? r : stl_expect_word(s, "endfacet");
    if (r < 0)
        return r;
    return mesh_build_face(m->build, line) ? WEFT_OK : mesh_build_fault(m->build, s->error);
}

/* solid NAME, facets, endsolid NAME; there may be several. */
static weft_result stl_read_text(stl_merge *m, mesh_scan *s)
{
    do {
        weft_result r = stl_expect_word(s, "solid");
        if (r < 0)
            return r;
        mesh_scan_next_line(s);
        while (mesh_scan_skip_empty(s) && mesh_scan_take_any_case(s, "facet")) {
            r = stl_read_text_facet(m, s);
            if (r < 0)
                return r;
        }
        if (!mesh_scan_take_any_case(s, "endsolid"))
            return mesh_scan_expected(s, "\"facet\" or \"endsolid\"");
        mesh_scan_next_line(s);
    } while (mesh_scan_skip_empty(s));
    return WEFT_OK;
}

/* ---- binary ------------------------------------------------------------------------------------------------------ */

static weft_result stl_read_triangle(stl_merge *m, const uint8_t *record, size_t byte, weft_error *e)
{
    mesh_build *b = m->build;
    for (int i = 0; i < 3; i++) {
        const uint8_t *at = record + 12 + 12 * i;
        weft_vec3 p = {load_f32_little(at), load_f32_little(at + 4), load_f32_little(at + 8)};
        if (!isfinite(p.x) || !isfinite(p.y) || !isfinite(p.z))
            return fault(e, WEFT_ERROR_FORMAT, "%s: byte %zu: face %zu: found (%g, %g, %g), expected finite numbers",
                         b->name, byte + 12 + 12 * (size_t)i, b->n_faces, p.x, p.y, p.z);
        if (!stl_add_corner(m, p))
            return mesh_build_fault(b, e);
    }
    return mesh_build_face(b, 0) ? WEFT_OK : mesh_build_fault(b, e);
}

static weft_result stl_read_binary(stl_merge *m, const uint8_t *bytes, size_t size, weft_error *e)
{
    const char *name = m->build->name;
    if (size < STL_HEAD)
        return fault(e, WEFT_ERROR_FORMAT, "%s: found %zu bytes, expected \"solid\" or at least %d bytes", name, size,
                     STL_HEAD);
    uint64_t n = load_u32_little(bytes + 80);
    if (STL_HEAD + STL_RECORD * n != size)
        return fault(e, WEFT_ERROR_FORMAT, "%s: byte 80: found %llu triangles, which take %llu bytes, expected %zu",
                     name, (unsigned long long)n, STL_HEAD + STL_RECORD * (unsigned long long)n, size);
    weft_result r = WEFT_OK;
    for (size_t at = STL_HEAD; at < size && r == WEFT_OK; at += STL_RECORD)
        r = stl_read_triangle(m, bytes + at, at, e);
    return r;
}

/* Binary files may begin with "solid" as well: a size that fits the count, or a zero in the head, tells. */
static bool stl_is_binary(const uint8_t *bytes, size_t size)
{
    if (size >= STL_HEAD && STL_HEAD + STL_RECORD * (uint64_t)load_u32_little(bytes + 80) == size)
        return true;
    mesh_scan s = mesh_scan_begin("", (const char *)bytes, size, NULL);
    mesh_scan_skip_empty(&s);
    return !mesh_scan_take_any_case(&s, "solid") || memchr(bytes, 0, size < STL_HEAD ? size : STL_HEAD);
}

weft_result mesh_stl_parse(mesh_build *b, const char *bytes, size_t size, weft_error *e)
{
    stl_merge m = {.build = b};
    b->was_stl = true;
    weft_result r;
    if (stl_is_binary((const uint8_t *)bytes, size)) {
        r = stl_read_binary(&m, (const uint8_t *)bytes, size, e);
    } else {
        mesh_scan s = mesh_scan_begin(b->name, bytes, size, e);
        r = stl_read_text(&m, &s);
    }
    mesh_table_free(&m.table);
    return r;
}
