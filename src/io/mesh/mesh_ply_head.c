/* SPDX-License-Identifier: MIT */
/* The head of a PLY file. It is text in all three forms. */
#include "base/array.h"
#include "io/mesh/mesh_ply.h"

#include <stdlib.h>
#include <string.h>

typedef struct ply_type_name {
    const char *old, *sized;
    ply_type type;
    size_t size;
} ply_type_name;

/* In the order of ply_type. */
static const ply_type_name type_names[] = {
    {"char", "int8", PLY_INT8, 1},        {"uchar", "uint8", PLY_UINT8, 1},      {"short", "int16", PLY_INT16, 2},
    {"ushort", "uint16", PLY_UINT16, 2},  {"int", "int32", PLY_INT32, 4},        {"uint", "uint32", PLY_UINT32, 4},
    {"float", "float32", PLY_FLOAT32, 4}, {"double", "float64", PLY_FLOAT64, 8},
};

static const struct {
    const char *name;
    ply_role role;
} vertex_roles[] = {{"x", PLY_X},         {"y", PLY_Y}, {"z", PLY_Z}, {"s", PLY_U},        {"u", PLY_U},
                    {"texture_u", PLY_U}, {"t", PLY_V}, {"v", PLY_V}, {"texture_v", PLY_V}};

#define TABLE_LENGTH(table) (sizeof(table) / sizeof *(table))

size_t ply_type_size(ply_type type)
{
    return type_names[type].size;
}

static weft_result ply_end_line(mesh_scan *s)
{
    if (!mesh_scan_line_ends(s))
        return mesh_scan_expected(s, "the end of the line");
    mesh_scan_next_line(s);
    return WEFT_OK;
}

static weft_result ply_read_format(mesh_scan *s, ply_form *out)
{
    if (!mesh_scan_skip_empty(s) || !mesh_scan_take(s, "format"))
        return mesh_scan_expected(s, "\"format\"");
    if (mesh_scan_take(s, "ascii"))
        *out = PLY_ASCII;
    else if (mesh_scan_take(s, "binary_little_endian"))
        *out = PLY_LITTLE;
    else if (mesh_scan_take(s, "binary_big_endian"))
        *out = PLY_BIG;
    else
        return mesh_scan_expected(s, "ascii, binary_little_endian or binary_big_endian");
    return mesh_scan_take(s, "1.0") ? ply_end_line(s) : mesh_scan_expected(s, "\"1.0\"");
}

static weft_result ply_read_count(mesh_scan *s, uint64_t *out)
{
    const char *word;
    size_t n = mesh_scan_peek(s, &word);
    uint64_t value = 0;
    bool is_count = n > 0 && n <= 18;
    for (size_t i = 0; i < n && is_count; i++) {
        is_count = word[i] >= '0' && word[i] <= '9';
        value = value * 10 + (uint64_t)(word[i] - '0');
    }
    if (!is_count)
        return mesh_scan_expected(s, "a number of elements");
    s->at = word + n;
    *out = value;
    return WEFT_OK;
}

static bool has_kind(const ply_head *head, ply_kind kind)
{
    for (size_t i = 0; i < head->n_elements; i++) {
        if (head->elements[i].kind == kind)
            return true;
    }
    return false;
}

static weft_result ply_read_element(mesh_scan *s, ply_head *head)
{
    const char *word;
    size_t n = mesh_scan_peek(s, &word);
    if (n == 0)
        return mesh_scan_expected(s, "the name of an element");
    ply_element element = {.kind = PLY_OTHER, .first = head->n_properties};
    size_t shown = n < sizeof element.name ? n : sizeof element.name - 1;
    for (size_t i = 0; i < shown; i++)
        element.name[i] = word[i] < ' ' || word[i] > '~' ? '?' : word[i];
    if (n == 6 && memcmp(word, "vertex", 6) == 0)
        element.kind = PLY_VERTEX;
    else if (n == 4 && memcmp(word, "face", 4) == 0)
        element.kind = PLY_FACE;
    if (element.kind != PLY_OTHER && has_kind(head, element.kind))
        return mesh_scan_fault(s, "found a second element %s, expected one", element.name);
    s->at = word + n;
    weft_result r = ply_read_count(s, &element.n);
    r = r < 0 ? r : ply_end_line(s);
    if (r < 0)
        return r;
    return ARRAY_PUSH(NULL, head->elements, head->n_elements, head->room_elements, element) ? WEFT_OK
                                                                                            : fault_memory(s->error);
}

static weft_result ply_read_type(mesh_scan *s, bool is_integer, ply_type *out)
{
    for (size_t i = 0; i < TABLE_LENGTH(type_names); i++) {
        if (is_integer && type_names[i].type >= PLY_FLOAT32)
            continue;
        if (mesh_scan_take(s, type_names[i].old) || mesh_scan_take(s, type_names[i].sized)) {
            *out = type_names[i].type;
            return WEFT_OK;
        }
    }
    return mesh_scan_expected(s, is_integer ? "an integer type (char, uchar, short, ushort, int, uint)"
                                            : "a type (char, uchar, short, ushort, int, uint, float, double)");
}

static ply_role property_role(const ply_property *p, ply_kind kind, const char *name, size_t n)
{
    if (kind == PLY_FACE && p->is_list &&
        ((n == 14 && memcmp(name, "vertex_indices", n) == 0) || (n == 12 && memcmp(name, "vertex_index", n) == 0)))
        return PLY_CORNERS;
    if (kind != PLY_VERTEX || p->is_list)
        return PLY_UNUSED;
    for (size_t i = 0; i < TABLE_LENGTH(vertex_roles); i++) {
        if (strlen(vertex_roles[i].name) == n && memcmp(vertex_roles[i].name, name, n) == 0)
            return vertex_roles[i].role;
    }
    return PLY_UNUSED;
}

static bool has_role(const ply_head *head, const ply_element *element, ply_role role)
{
    for (size_t i = 0; i < element->n_properties; i++) {
        if (head->properties[element->first + i].role == role)
            return true;
    }
    return false;
}

static weft_result ply_read_property(mesh_scan *s, ply_head *head)
{
    if (head->n_elements == 0)
        return mesh_scan_fault(s, "found a property, expected an element before it");
    ply_element *element = &head->elements[head->n_elements - 1];
    ply_property p = {.is_list = mesh_scan_take(s, "list")};
    weft_result r = p.is_list ? ply_read_type(s, true, &p.count_type) : WEFT_OK;
    r = r < 0 ? r : ply_read_type(s, false, &p.type);
    if (r < 0)
        return r;
    const char *name;
    size_t n = mesh_scan_peek(s, &name);
    if (n == 0)
        return mesh_scan_expected(s, "the name of a property");
    p.role = property_role(&p, element->kind, name, n);
    if (p.role == PLY_CORNERS && p.type >= PLY_FLOAT32)
        return mesh_scan_fault(s, "found indices of a floating type, expected an integer type");
    /* A uv that is there twice, as s t and as u v, counts once. */
    bool is_double = p.role != PLY_UNUSED && has_role(head, element, p.role);
    if (is_double && p.role != PLY_U && p.role != PLY_V)
        return mesh_scan_fault(s, "found property \"%.*s\" again, expected it once", (int)n, name);
    p.role = is_double ? PLY_UNUSED : p.role;
    s->at = name + n;
    r = ply_end_line(s);
    if (r < 0)
        return r;
    element->n_properties++;
    return ARRAY_PUSH(NULL, head->properties, head->n_properties, head->room_properties, p) ? WEFT_OK
                                                                                            : fault_memory(s->error);
}

/* The one line end after end_header is that of the head's lines: in a binary file the next byte may look like one. */
static weft_result ply_end_head(mesh_scan *s, const char *first_line_end)
{
    while (s->at < s->end && (*s->at == ' ' || *s->at == '\t'))
        s->at++;
    bool is_pair = first_line_end[0] == '\r' && s->end - first_line_end > 1 && first_line_end[1] == '\n';
    size_t n = is_pair ? 2 : 1;
    if ((size_t)(s->end - s->at) < n)
        return s->at == s->end ? WEFT_OK : mesh_scan_expected(s, "the end of the line");
    if (memcmp(s->at, first_line_end, n) != 0)
        return mesh_scan_expected(s, "the end of the line, as that of the first line");
    s->at += n;
    s->line++;
    return WEFT_OK;
}

/* A vertex without coordinates, or a face without corners, is of no use. */
static weft_result ply_check_head(const mesh_scan *s, const ply_head *head)
{
    if (!has_kind(head, PLY_VERTEX))
        return mesh_scan_fault(s, "found the end of the head, expected an element vertex");
    for (size_t i = 0; i < head->n_elements; i++) {
        const ply_element *element = &head->elements[i];
        for (int role = PLY_X; role <= PLY_Z && element->kind == PLY_VERTEX; role++) {
            if (!has_role(head, element, (ply_role)role))
                return mesh_scan_fault(s, "found an element vertex without property %c, expected x, y and z",
                                       "xyz"[role]);
        }
        if (element->kind == PLY_FACE && !has_role(head, element, PLY_CORNERS))
            return mesh_scan_fault(s, "found an element face without a list vertex_indices, expected one");
    }
    return WEFT_OK;
}

weft_result ply_head_read(mesh_scan *s, ply_head *head)
{
    *head = (ply_head){0};
    if (!mesh_scan_take(s, "ply"))
        return mesh_scan_expected(s, "\"ply\"");
    mesh_scan_line_ends(s);
    const char *first_line_end = s->at;
    weft_result r = ply_end_line(s);
    r = r < 0 ? r : ply_read_format(s, &head->form);
    while (r == WEFT_OK) {
        if (!mesh_scan_skip_empty(s))
            return mesh_scan_expected(s, "\"end_header\"");
        if (mesh_scan_take(s, "end_header"))
            break;
        if (mesh_scan_take(s, "element"))
            r = ply_read_element(s, head);
        else if (mesh_scan_take(s, "property"))
            r = ply_read_property(s, head);
        else if (mesh_scan_take(s, "comment") || mesh_scan_take(s, "obj_info"))
            mesh_scan_next_line(s);
        else
            r = mesh_scan_expected(s, "element, property, comment, obj_info or end_header");
    }
    r = r < 0 ? r : head->form == PLY_ASCII ? ply_end_line(s) : ply_end_head(s, first_line_end);
    return r < 0 ? r : ply_check_head(s, head);
}

void ply_head_free(ply_head *head)
{
    free(head->elements);
    free(head->properties);
    *head = (ply_head){0};
}
