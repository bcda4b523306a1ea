/* SPDX-License-Identifier: MIT */
/* Streams: frames in full precision, as packets that a page reads one after the other. A packet is u32 bytes, and so
 * many bytes of records: those of contours (3) and blame (4) in clip_pack.c, and
 *
 *   u8 5, u8 part, u8 0, u8 part / 256, u32 frame, u32 nodes; f64 coordinates, x y z of each node, as they were given
 *   u8 6, u8 part, u8 flags, u8 part / 256, u32 nodes, u32 triangles; a mesh
 *       i32 corners, u8 marks, then those whose flag is set: 1 rest lengths, f32, 2 u and v of each node, f32
 *   u8 9, u8 part, u8 0, u8 part / 256, u32 frame, u32 nodes; f32 of each: contact pressure, Pa
 *   u8 7, u8 0, u8 0, u8 0, u32 bytes; JSON: "head" (clip_head.c), or of a frame its number, time, poses, ground, notes
 *
 * Numbers have their least byte first, and stand at any place. */
#include "player/clip_inside.h"
#include "player/params.h"

#include <stdlib.h>
#include <string.h>

static void put_u32s(page *p, const int32_t *v, size_t n)
{
    for (size_t i = 0; i < n; i++)
        clip_put_u32(p, (uint32_t)v[i]);
}

static void put_floats(page *p, const float *v, size_t n)
{
    for (size_t i = 0; i < n; i++)
        clip_put_float(p, v[i]);
}

static void put_double(page *p, double value)
{
    uint64_t bits;
    memcpy(&bits, &value, 8);
    clip_put_u32(p, (uint32_t)bits);
    clip_put_u32(p, (uint32_t)(bits >> 32));
}

static void put_whole_mesh(page *p, int32_t part, const clip_form *f)
{
    clip_put_record(p, 6, part, (f->rest ? 1 : 0) | (f->uv ? 2 : 0));
    clip_put_u32(p, (uint32_t)f->n_nodes);
    clip_put_u32(p, (uint32_t)f->n_triangles);
    put_u32s(p, f->triangles, 3 * (size_t)f->n_triangles);
    page_add_bytes(p, f->marks, (size_t)f->n_triangles);
    if (f->rest)
        put_floats(p, f->rest, 3 * (size_t)f->n_triangles);
    if (f->uv)
        put_floats(p, f->uv, 2 * (size_t)f->n_nodes);
}

void clip_stream_points(clip *c, int32_t part, const weft_vec3 *points)
{
    clip_form *f = &c->forms[c->parts[part].form];
    page *p = &c->packet;
    if (!f->is_told)
        put_whole_mesh(p, part, f);
    f->is_told = true;
    clip_put_record(p, 5, part, 0);
    clip_put_u32(p, (uint32_t)(c->n_given - 1));
    clip_put_u32(p, (uint32_t)f->n_nodes);
    for (size_t i = 0; i < (size_t)f->n_nodes; i++) {
        const weft_vec3 *x = &points[f->kept ? (size_t)f->kept[i] : i];
        put_double(p, x->x);
        put_double(p, x->y);
        put_double(p, x->z);
    }
}

void clip_stream_pressures(clip *c, int32_t part, const double *pressures)
{
    const clip_form *f = &c->forms[c->parts[part].form];
    page *p = &c->packet;
    clip_put_record(p, 9, part, 0);
    clip_put_u32(p, (uint32_t)(c->n_given - 1));
    clip_put_u32(p, (uint32_t)f->n_nodes);
    for (int32_t i = 0; i < f->n_nodes; i++)
        clip_put_float(p, (float)pressures[f->kept ? f->kept[i] : i]);
}

static void put_json(page *p, const page *json)
{
    clip_put_record(p, 7, 0, 0);
    clip_put_u32(p, (uint32_t)json->n);
    page_add_bytes(p, json->bytes, json->n);
    p->failed = p->failed || json->failed;
}

/* What is told of the frame beside its points. */
static void put_facts(clip *c, page *p)
{
    const clip_frame *f = &c->frames[c->n_frames - 1];
    page json = {0};
    page_add(&json, "{\"frame\":[%d,%.9g],\"poses\":[", f->number, f->time);
    for (int32_t i = 0; i < c->n_solids; i++) {
        page_add(&json, i ? "," : "");
        clip_put_pose(&json, &f->solids[i]);
    }
    page_add(&json, "]");
    if (c->has_ground)
        page_add(&json, ",\"ground\":%.9g", c->ground);
    if (c->notes.n > c->n_noted)
        page_add(&json, ",\"notes\":[%s]", page_text(&c->notes));
    c->n_noted = c->notes.n;
    page_add(&json, "}");
    put_json(p, &json);
    page_free(&json);
}

/* Records as a packet. */
static bool put_packet(page *out, const page *records)
{
    clip_put_u32(out, (uint32_t)records->n);
    page_add_bytes(out, records->bytes, records->n);
    return !out->failed && !records->failed;
}

bool clip_stream_frame(clip *c, page *out)
{
    clip_put_faults(c, &c->packet, c->n_given - 1, &c->frames[c->n_frames - 1]);
    put_facts(c, &c->packet);
    bool fine = put_packet(out, &c->packet);
    c->packet.n = 0;
    return fine;
}

static bool put_told(page *out, page *json)
{
    page records = {0};
    put_json(&records, json);
    bool fine = put_packet(out, &records);
    page_free(json);
    page_free(&records);
    return fine;
}

bool clip_stream_head(const clip *c, page *out)
{
    const double origin[3] = {0, 0, 0};
    const clip_summary exact = {.step = 1};
    page head = {0};
    page_add(&head, "{\"head\":");
    clip_put_head(c, 1, origin, &exact, &head);
    page_add(&head, "}");
    return put_told(out, &head);
}

bool clip_stream_end(const clip *c, int32_t n_given, page *out)
{
    page json = {0};
    page_add(&json, "{\"end\":true,\"given\":%d,\"notes\":[%s]}", n_given, page_text(&c->notes));
    return put_told(out, &json);
}

bool clip_stream_wait(int32_t n_expected, page *out)
{
    page json = {0};
    page_add(&json, "{\"live\":%d}", n_expected);
    return put_told(out, &json);
}
