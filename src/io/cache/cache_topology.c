/* SPDX-License-Identifier: MIT */
/* A topology is a row of counts and up to eight columns, listed once in topology_fields: sums, writing and reading go
 * over that list. */
#include "io/cache/cache_topology.h"

#include "io/heap.h"
#include "io/params.h"

#include <stdlib.h>
#include <string.h>

enum {
    TOPOLOGY_HAS_REST_LENGTHS = 1,
    TOPOLOGY_HAS_LEVELS = 2,
    TOPOLOGY_HAS_UV = 4,
    TOPOLOGY_HAS_CORNER_UV = 8,
    TOPOLOGY_HAS_SHAPE = 16
};

/* ---- checks ----------------------------------------------------------------------------------------------------- */

static bool indices_are_within(const int32_t *indices, size_t n, int32_t least, int32_t end)
{
    for (size_t i = 0; i < n; i++)
        if (indices[i] < least || indices[i] >= end)
            return false;
    return true;
}

static bool starts_are_right(const weft_topology *t)
{
    if (t->n_faces > 0 && (!t->face_start || t->face_start[0] != 0))
        return false;
    for (int32_t i = 0; i < t->n_faces; i++)
        if (t->face_start[i] > t->face_start[i + 1])
            return false;
    return true;
}

static size_t topology_corners(const weft_topology *t)
{
    return t->n_faces > 0 ? (size_t)t->face_start[t->n_faces] : 0;
}

const char *cache_topology_wrong(const weft_topology *t)
{
    if (t->n_nodes < 0 || t->n_triangles < 0 || t->n_faces < 0 || t->n_uv < 0)
        return "has a count below 0";
    if (t->n_triangles > 0 && !t->triangles)
        return "has no triangles where it says it has";
    if (!indices_are_within(t->triangles, (size_t)t->n_triangles * 3, 0, t->n_nodes))
        return "has a triangle of a node that is not there";
    if (!starts_are_right(t))
        return "has faces that do not begin at 0 or run backwards";
    size_t n_corners = topology_corners(t);
    if (n_corners > 0 && (!t->corners || !indices_are_within(t->corners, n_corners, 0, t->n_nodes)))
        return "has a face of a node that is not there";
    if (t->uv && t->corner_uv && !indices_are_within(t->corner_uv, n_corners, -1, t->n_uv))
        return "has a corner with a uv that is not there";
    if (t->shape && t->shape_size > CACHE_MOST_SHAPE)
        return "has a shape of more than 256 MB";
    return NULL;
}

/* ---- arrays ----------------------------------------------------------------------------------------------------- */

/* The arrays of a topology in the order in which they are stored; what is absent has n 0. */
typedef struct field {
    const void *items;
    size_t n;
    enum { FIELD_I32, FIELD_F64, FIELD_U8 } kind;
} field;

#define TOPOLOGY_FIELDS 8

static uint32_t topology_flags(const weft_topology *t)
{
    bool has_uv = t->uv && t->n_uv > 0;
    return (t->rest_lengths ? TOPOLOGY_HAS_REST_LENGTHS : 0) | (t->levels ? TOPOLOGY_HAS_LEVELS : 0) |
           (has_uv ? TOPOLOGY_HAS_UV : 0) | (has_uv && t->corner_uv ? TOPOLOGY_HAS_CORNER_UV : 0) |
           (t->shape && t->shape_size > 0 ? TOPOLOGY_HAS_SHAPE : 0);
}

static void topology_fields(const weft_topology *t, size_t n_corners, uint32_t flags, field out[TOPOLOGY_FIELDS])
{
    size_t n_triangles = (size_t)t->n_triangles;
    size_t n_starts = t->n_faces > 0 ? (size_t)t->n_faces + 1 : 0;
    out[0] = (field){t->triangles, 3 * n_triangles, FIELD_I32};
    out[1] = (field){t->rest_lengths, flags & TOPOLOGY_HAS_REST_LENGTHS ? 3 * n_triangles : 0, FIELD_F64};
    out[2] = (field){t->levels, flags & TOPOLOGY_HAS_LEVELS ? n_triangles : 0, FIELD_U8};
    out[3] = (field){t->face_start, n_starts, FIELD_I32};
    out[4] = (field){t->corners, n_corners, FIELD_I32};
    out[5] = (field){t->uv, flags & TOPOLOGY_HAS_UV ? 2 * (size_t)t->n_uv : 0, FIELD_F64};
    out[6] = (field){t->corner_uv, flags & TOPOLOGY_HAS_CORNER_UV ? n_corners : 0, FIELD_I32};
    out[7] = (field){t->shape, flags & TOPOLOGY_HAS_SHAPE ? t->shape_size : 0, FIELD_U8};
}

static uint64_t field_word(const field *f, size_t i)
{
    if (f->kind == FIELD_I32)
        return (uint64_t)(int64_t)((const int32_t *)f->items)[i];
    if (f->kind == FIELD_F64)
        return cache_bits(((const double *)f->items)[i]);
    return ((const uint8_t *)f->items)[i];
}

static void put_topology_counts(text *out, const weft_topology *t)
{
    uint32_t flags = topology_flags(t);
    cache_put_u32(out, (uint32_t)t->cloth);
    cache_put_u32(out, t->revision);
    cache_put_u32(out, (uint32_t)t->n_nodes);
    cache_put_u32(out, (uint32_t)t->n_triangles);
    cache_put_u32(out, (uint32_t)t->n_faces);
    cache_put_u32(out, (uint32_t)topology_corners(t));
    cache_put_u32(out, flags & TOPOLOGY_HAS_UV ? (uint32_t)t->n_uv : 0);
    cache_put_u32(out, flags);
    if (flags & TOPOLOGY_HAS_SHAPE)
        cache_put_u32(out, (uint32_t)t->shape_size);
}

bool cache_topology_sum(const weft_topology *t, uint64_t *sum)
{
    text all = {0};
    field fields[TOPOLOGY_FIELDS];
    put_topology_counts(&all, t);
    topology_fields(t, topology_corners(t), topology_flags(t), fields);
    for (int k = 0; k < TOPOLOGY_FIELDS; k++)
        for (size_t i = 0; i < fields[k].n; i++)
            cache_put_u64(&all, field_word(&fields[k], i));
    bool done = !all.failed;
    if (done)
        *sum = cache_hash((const uint8_t *)all.bytes, all.n);
    text_free(&all);
    return done;
}

void cache_put_topology(cache_packer *p, text *out, const weft_topology *t)
{
    field fields[TOPOLOGY_FIELDS];
    put_topology_counts(out, t);
    topology_fields(t, topology_corners(t), topology_flags(t), fields);
    for (int k = 0; k < TOPOLOGY_FIELDS; k++) {
        size_t n = fields[k].n;
        if (n == 0)
            continue;
        if (!cache_packer_words(p, n)) {
            out->failed = true;
            return;
        }
        for (size_t i = 0; i < n; i++)
            p->words[i] = field_word(&fields[k], i);
        cache_pack_words(p, out, n, fields[k].kind == FIELD_I32 ? 1 : 0);
    }
}

/* ---- reading ---------------------------------------------------------------------------------------------------- */

/* A new array of the words that were unpacked; NULL: out of memory. Words too big for their kind lose their upper part;
 * the checks of indices come after. */
static void *field_make(const field *f, const uint64_t *words)
{
    static const size_t sizes[] = {sizeof(int32_t), sizeof(double), sizeof(uint8_t)};
    void *items = heap_array(f->n, sizes[f->kind]);
    if (!items)
        return NULL;
    for (size_t i = 0; i < f->n; i++) {
        if (f->kind == FIELD_I32) {
            uint32_t low = (uint32_t)words[i];
            memcpy((int32_t *)items + i, &low, sizeof low);
        } else if (f->kind == FIELD_F64) {
            ((double *)items)[i] = cache_double(words[i]);
        } else {
            ((uint8_t *)items)[i] = (uint8_t)words[i];
        }
    }
    return items;
}

static void set_field(weft_topology *t, int k, void *items)
{
    switch (k) {
    case 0: t->triangles = items; break;
    case 1: t->rest_lengths = items; break;
    case 2: t->levels = items; break;
    case 3: t->face_start = items; break;
    case 4: t->corners = items; break;
    case 5: t->uv = items; break;
    case 6: t->corner_uv = items; break;
    default: t->shape = items; break;
    }
}

static cache_unpacked take_fields(cache_packer *p, cache_in *in, weft_topology *t, size_t n_corners, uint32_t flags)
{
    field fields[TOPOLOGY_FIELDS];
    topology_fields(t, n_corners, flags, fields);
    for (int k = 0; k < TOPOLOGY_FIELDS; k++) {
        if (fields[k].n == 0)
            continue;
        cache_unpacked r = cache_unpack_words(p, in, fields[k].n);
        if (r != CACHE_UNPACKED)
            return r;
        void *items = field_make(&fields[k], p->words);
        if (!items)
            return CACHE_UNPACK_MEMORY;
        set_field(t, k, items);
    }
    return topology_corners(t) != n_corners || cache_topology_wrong(t) ? CACHE_UNPACK_WRONG : CACHE_UNPACKED;
}

cache_unpacked cache_take_topology(cache_packer *p, cache_in *in, weft_topology *out)
{
    *out = (weft_topology){0};
    uint32_t counts[8];
    for (int i = 0; i < 8; i++)
        counts[i] = cache_take_u32(in);
    for (int i = 0; i < 7; i++)
        if (i != 1 && counts[i] > INT32_MAX)
            return CACHE_UNPACK_WRONG;
    if (in->failed)
        return CACHE_UNPACK_WRONG;
    out->cloth = (int32_t)counts[0];
    out->revision = counts[1];
    out->n_nodes = (int32_t)counts[2];
    out->n_triangles = (int32_t)counts[3];
    out->n_faces = (int32_t)counts[4];
    uint32_t flags = counts[7];
    out->shape_size = flags & TOPOLOGY_HAS_SHAPE ? cache_take_u32(in) : 0;
    if (in->failed || out->shape_size > CACHE_MOST_SHAPE)
        return CACHE_UNPACK_WRONG;
    out->n_uv = flags & TOPOLOGY_HAS_UV ? (int32_t)counts[6] : 0;
    flags = flags & TOPOLOGY_HAS_UV ? flags : flags & ~(uint32_t)TOPOLOGY_HAS_CORNER_UV;
    cache_unpacked r = take_fields(p, in, out, counts[5], flags);
    if (r != CACHE_UNPACKED)
        cache_topology_free(out);
    return r;
}

void cache_topology_free(weft_topology *t)
{
    free((void *)t->triangles);
    free((void *)t->rest_lengths);
    free((void *)t->levels);
    free((void *)t->face_start);
    free((void *)t->corners);
    free((void *)t->uv);
    free((void *)t->corner_uv);
    free((void *)t->shape);
    *t = (weft_topology){0};
}
