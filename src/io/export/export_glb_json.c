/* SPDX-License-Identifier: MIT */
/* The JSON of a GLB file (glTF 2.0, section 5).
 *
 * Accessors: for each part its triangles, its uv if there are any, then positions and normals of each frame; at the end
 * the times and the weights of the animation. */
#include "io/decimal.h"
#include "io/export/export_glb.h"

/* Numbers of glTF, which are those of OpenGL. */
enum { GLTF_FLOAT = 5126, GLTF_UNSIGNED_INT = 5125, GLTF_ARRAY_BUFFER = 34962, GLTF_ELEMENT_ARRAY_BUFFER = 34963 };
enum { GLB_VIEW_VECTORS = 0, GLB_VIEW_TRIANGLES = 1, GLB_VIEW_ANIMATION = 2 };

static int32_t view_of_uv(const glb *g)
{
    return g->job->n_frames > 1 ? 3 : 2;
}

/* The first accessor of a part. */
static int32_t accessor_of(const glb *g, int32_t part)
{
    int32_t n = 0;
    for (int32_t p = 0; p < part; p++)
        n += 1 + (g->parts[p].uv ? 1 : 0) + 2 * g->job->n_frames;
    return n;
}

static int32_t accessor_of_frame(const glb *g, int32_t part, int32_t i)
{
    return accessor_of(g, part) + 1 + (g->parts[part].uv ? 1 : 0) + 2 * i;
}

/* ---- values ------------------------------------------------------------------------------------------------------ */

/* Bytes of the UTF-8 character at c, 0: it is none. */
static int character_length(const unsigned char *c)
{
    int n = c[0] < 0x80 ? 1 : c[0] >= 0xC2 && c[0] < 0xE0 ? 2 : c[0] >= 0xE0 && c[0] < 0xF0 ? 3 : c[0] >= 0xF0 ? 4 : 0;
    for (int k = 1; k < n; k++)
        if ((c[k] & 0xC0) != 0x80)
            return 0;
    bool is_surrogate = c[0] == 0xED && c[1] >= 0xA0;
    bool is_long = (c[0] == 0xE0 && c[1] < 0xA0) || (c[0] == 0xF0 && c[1] < 0x90);
    bool is_beyond = c[0] > 0xF4 || (c[0] == 0xF4 && c[1] >= 0x90);
    return is_surrogate || is_long || is_beyond ? 0 : n;
}

static void add_json_string(text *t, const char *string)
{
    text_add(t, "\"");
    for (const unsigned char *c = (const unsigned char *)(string ? string : ""); *c;) {
        int n = character_length(c);
        if (n == 0)
            text_add(t, "?");
        else if (*c == '"' || *c == '\\')
            text_add(t, "\\%c", *c);
        else if (*c < 0x20)
            text_add(t, "\\u%04x", *c);
        else
            text_add_bytes(t, c, (size_t)n);
        c += n ? n : 1;
    }
    text_add(t, "\"");
}

/* A float to its last bit, always as wide. */
static void add_wide(text *t, float x)
{
    char digits[DECIMAL_ROOM];
    int n = (int)decimal_write(digits, (double)x);
    text_add(t, "%*s%.*s", 25 - n, "", n, digits);
}

static void add_limits(text *t, const char *name, const float *x, int n)
{
    text_add(t, ",\"%s\":[", name);
    for (int k = 0; k < n; k++) {
        text_add(t, k ? "," : "");
        add_wide(t, x[k]);
    }
    text_add(t, "]");
}

static void add_accessor(text *t, int32_t view, uint64_t offset, int type, const char *shape, int64_t count)
{
    text_add(t, "{\"bufferView\":%d,\"byteOffset\":%llu,\"componentType\":%d,\"type\":\"%s\",\"count\":%lld", view,
             (unsigned long long)offset, type, shape, (long long)count);
}

/* ---- accessors --------------------------------------------------------------------------------------------------- */

static void add_frame_accessors(const glb *g, text *t, int32_t part, int32_t i)
{
    const glb_part *p = &g->parts[part];
    const glb_bounds *b = &g->bounds[(int64_t)i * g->n_parts + part];
    uint64_t at = 24 * ((uint64_t)i * (uint64_t)g->n_nodes + (uint64_t)p->first_node);
    text_add(t, ",\n");
    add_accessor(t, GLB_VIEW_VECTORS, at, GLTF_FLOAT, "VEC3", p->mesh.n_nodes);
    add_limits(t, "min", b->low, 3);
    add_limits(t, "max", b->high, 3);
    text_add(t, "},\n");
    add_accessor(t, GLB_VIEW_VECTORS, at + 12 * (uint64_t)p->mesh.n_nodes, GLTF_FLOAT, "VEC3", p->mesh.n_nodes);
    text_add(t, "}");
}

static void add_part_accessors(const glb *g, text *t, int32_t part)
{
    const glb_part *p = &g->parts[part];
    text_add(t, part ? ",\n" : "");
    add_accessor(t, GLB_VIEW_TRIANGLES, 12 * (uint64_t)p->first_triangle, GLTF_UNSIGNED_INT, "SCALAR",
                 3 * (int64_t)p->mesh.n_faces);
    text_add(t, "}");
    if (p->uv) {
        text_add(t, ",\n");
        add_accessor(t, view_of_uv(g), 8 * (uint64_t)p->first_uv, GLTF_FLOAT, "VEC2", p->mesh.n_nodes);
        text_add(t, "}");
    }
    for (int32_t i = 0; i < g->job->n_frames; i++)
        add_frame_accessors(g, t, part, i);
}

static void add_accessors(const glb *g, text *t)
{
    int32_t n = g->job->n_frames;
    text_add(t, ",\n\"accessors\":[");
    for (int32_t part = 0; part < g->n_parts; part++)
        add_part_accessors(g, t, part);
    if (n > 1) {
        float start = 0, end = (float)((n - 1) / g->job->fps);
        text_add(t, ",\n");
        add_accessor(t, GLB_VIEW_ANIMATION, 0, GLTF_FLOAT, "SCALAR", n);
        add_limits(t, "min", &start, 1);
        add_limits(t, "max", &end, 1);
        text_add(t, "},\n");
        add_accessor(t, GLB_VIEW_ANIMATION, 4 * (uint64_t)n, GLTF_FLOAT, "SCALAR", (int64_t)n * (n - 1));
        text_add(t, "}");
    }
    text_add(t, "]");
}

/* ---- the rest ---------------------------------------------------------------------------------------------------- */

static void add_json_nodes(const glb *g, text *t)
{
    text_add(t, ",\n\"scene\":0,\"scenes\":[{\"nodes\":[");
    for (int32_t part = 0; part < g->n_parts; part++)
        text_add(t, "%s%d", part ? "," : "", part);
    text_add(t, "]}],\n\"nodes\":[");
    for (int32_t part = 0; part < g->n_parts; part++) {
        text_add(t, "%s{\"mesh\":%d,\"name\":", part ? "," : "", part);
        add_json_string(t, weft_cache_cloth_name(g->job->cache, g->parts[part].cloth));
        text_add(t, "}");
    }
    text_add(t, "],\n\"materials\":[{\"name\":\"cloth\",\"doubleSided\":true,\"pbrMetallicRoughness\":"
                "{\"baseColorFactor\":[0.6,0.25,0.2,1],\"metallicFactor\":0,\"roughnessFactor\":0.9}}]");
}

/* Targets are named by their frame in the run; Blender shows the names. */
static void add_targets(const glb *g, text *t, int32_t part)
{
    text_add(t, ",\"targets\":[");
    for (int32_t i = 1; i < g->job->n_frames; i++) {
        int32_t accessor = accessor_of_frame(g, part, i);
        text_add(t, "%s{\"POSITION\":%d,\"NORMAL\":%d}", i > 1 ? "," : "", accessor, accessor + 1);
    }
    text_add(t, "]}],\"extras\":{\"targetNames\":[");
    for (int32_t i = 1; i < g->job->n_frames; i++)
        text_add(t, "%s\"frame %d\"", i > 1 ? "," : "", export_frame(g->job, i));
    text_add(t, "]}}");
}

static void add_meshes(const glb *g, text *t)
{
    text_add(t, ",\n\"meshes\":[");
    for (int32_t part = 0; part < g->n_parts; part++) {
        int32_t accessor = accessor_of_frame(g, part, 0);
        text_add(t, "%s{\"name\":", part ? ",\n" : "");
        add_json_string(t, weft_cache_cloth_name(g->job->cache, g->parts[part].cloth));
        text_add(t, ",\"primitives\":[{\"material\":0,\"indices\":%d,\"attributes\":{\"POSITION\":%d,\"NORMAL\":%d",
                 accessor_of(g, part), accessor, accessor + 1);
        if (g->parts[part].uv)
            text_add(t, ",\"TEXCOORD_0\":%d", accessor_of(g, part) + 1);
        text_add(t, "}");
        if (g->job->n_frames > 1)
            add_targets(g, t, part);
        else
            text_add(t, "}]}");
    }
    text_add(t, "]");
}

static void add_animation(const glb *g, text *t)
{
    if (g->job->n_frames < 2)
        return;
    int32_t accessor = accessor_of(g, g->n_parts);
    text_add(t,
             ",\n\"animations\":[{\"name\":\"run\",\"samplers\":[{\"input\":%d,\"output\":%d,\"interpolation\":"
             "\"LINEAR\"}],\"channels\":[",
             accessor, accessor + 1);
    for (int32_t part = 0; part < g->n_parts; part++)
        text_add(t, "%s{\"sampler\":0,\"target\":{\"node\":%d,\"path\":\"weights\"}}", part ? "," : "", part);
    text_add(t, "]}]");
}

static void add_view(text *t, uint64_t *offset, uint64_t size, const char *more)
{
    text_add(t, "%s{\"buffer\":0,\"byteOffset\":%llu,\"byteLength\":%llu%s}", *offset ? ",\n" : "",
             (unsigned long long)*offset, (unsigned long long)size, more);
    *offset += size;
}

static void add_views(const glb *g, text *t)
{
    glb_sizes s = glb_count_bytes(g);
    uint64_t offset = 0;
    text_add(t, ",\n\"bufferViews\":[");
    add_view(t, &offset, s.vectors, ",\"byteStride\":12,\"target\":34962");
    add_view(t, &offset, s.triangles, ",\"target\":34963");
    if (s.animation)
        add_view(t, &offset, s.animation, "");
    if (s.uv)
        add_view(t, &offset, s.uv, ",\"byteStride\":8,\"target\":34962");
    text_add(t, "],\n\"buffers\":[{\"byteLength\":%llu}]}", (unsigned long long)offset);
}

void glb_write_json(const glb *g, text *out)
{
    text_add(out, "{\"asset\":{\"version\":\"2.0\",\"generator\":\"Weft %s\"}", weft_version());
    add_json_nodes(g, out);
    add_meshes(g, out);
    add_animation(g, out);
    add_accessors(g, out);
    add_views(g, out);
    while (out->n % 4 != 0 && !out->failed)
        text_add(out, " ");
}
