/* SPDX-License-Identifier: MIT */
/* OBJ files with other numbers in them, and nothing else changed. */
#include "untangle.h"

#include "disk.h"

#include <string.h>

static bool is_vertex_line(const char *line)
{
    return line[0] == 'v' && (line[1] == ' ' || line[1] == '\t');
}

static const char *skip_word(const char *p, const char *end)
{
    while (p < end && (*p == ' ' || *p == '\t'))
        p++;
    while (p < end && *p != ' ' && *p != '\t' && *p != '\r')
        p++;
    return p;
}

/* The line with other coordinates; what stands behind them (weights, colours, comments) is kept. */
static void add_vertex(page *out, const char *line, const char *end, weft_vec3 x)
{
    const char *rest = line + 1;
    for (int i = 0; i < 3; i++)
        rest = skip_word(rest, end);
    page_add(out, "v %.17g %.17g %.17g", x.x, x.y, x.z);
    page_add_bytes(out, rest, (size_t)(end - rest));
}

static bool is_same_place(weft_vec3 a, weft_vec3 b)
{
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

/* False: the file has not one line a vertex (lines that go on on the next). */
static bool change_obj(const page *in, const weft_mesh *mesh, const weft_vec3 *x, page *out)
{
    int32_t vi = 0;
    const char *p = in->bytes, *last = in->bytes + in->n;
    while (p < last) {
        const char *end = memchr(p, '\n', (size_t)(last - p));
        end = end ? end : last;
        if (end > p && end[-1] == '\\')
            return false;
        const char *word = p;
        while (word < end && (*word == ' ' || *word == '\t'))
            word++;
        bool vertex = end - word > 2 && is_vertex_line(word);
        if (vertex && vi < mesh->n_nodes && !is_same_place(x[vi], mesh->positions[vi]))
            add_vertex(out, word, end, x[vi]);
        else
            page_add_bytes(out, p, (size_t)(end - p));
        vi += vertex;
        if (end < last)
            page_add_bytes(out, "\n", 1);
        p = end + 1;
    }
    return vi == mesh->n_nodes && !out->failed;
}

static weft_result write_anew(const char *to, const weft_mesh *mesh, const weft_vec3 *x, weft_error *error)
{
    weft_mesh moved = *mesh;
    weft_mesh_format format = disk_ending_is(to, "ply")   ? WEFT_MESH_PLY
                              : disk_ending_is(to, "stl") ? WEFT_MESH_STL
                                                          : WEFT_MESH_OBJ;
    moved.positions = (weft_vec3 *)x; /* only read */
    return weft_mesh_write(to, format, &moved, error);
}

weft_result untangle_write(const char *from, const char *to, const weft_mesh *mesh, const weft_vec3 *positions,
                           bool force, weft_error *error)
{
    page in = {0}, out = {0};
    weft_result r = disk_make_parent(to, error);
    bool verbatim = disk_ending_is(from, "obj") && disk_ending_is(to, "obj");
    if (r >= 0 && verbatim)
        r = disk_read(from, &in, error);
    if (r >= 0 && verbatim && in.bytes && change_obj(&in, mesh, positions, &out))
        r = disk_write(to, out.bytes, out.n, force, error);
    else if (r >= 0)
        r = write_anew(to, mesh, positions, error);
    page_free(&in);
    page_free(&out);
    return r;
}
