/* SPDX-License-Identifier: MIT */
/* Snapshots: a header, the state's arrays one after the other, and a check sum. Byte order is the machine's. */
#include <string.h>

#include "base/hash.h"
#include "sim/sim.h"

typedef struct header {
    char magic[8];
    uint32_t version, n;
    uint64_t topology; /* hash of what the state belongs to */
    double time, last_h;
} header;

#define MAGIC "weftsnap"
#define SNAPSHOT_VERSION 1

static uint64_t topology_hash(const weft_sim *s)
{
    uint64_t h = hash_bytes(HASH_START, &s->def.world_scale, sizeof s->def.world_scale);
    for (int32_t i = 0; i < s->cloths.n; i++) {
        const cloth *c = s->cloths.items[i].item;
        if (!c)
            continue;
        const surface *f = c->surface;
        int32_t counts[4] = {c->offset, f->n_nodes, f->n_elements, f->n_triangles};
        h = hash_bytes(h, counts, sizeof counts);
        h = hash_bytes(h, f->triangles, (size_t)f->n_triangles * sizeof *f->triangles);
    }
    return h;
}

typedef struct part {
    void *data;
    size_t size;
} part;

#define PARTS 8

static void parts_of(const state *st, part out[PARTS])
{
    size_t n = (size_t)st->n;
    out[0] = (part){st->q, n * sizeof *st->q};
    out[1] = (part){st->v, n * sizeof *st->v};
    out[2] = (part){st->q_past, n * sizeof *st->q_past};
    out[3] = (part){st->v_past, n * sizeof *st->v_past};
    out[4] = (part){st->accel, n * sizeof *st->accel};
    out[5] = (part){st->memory, n * sizeof *st->memory};
    out[6] = (part){st->restart, n * sizeof *st->restart};
    out[7] = (part){st->share, (size_t)st->n_shares * sizeof *st->share};
}

static size_t snapshot_size(const part parts[PARTS])
{
    size_t size = sizeof(header) + sizeof(uint64_t);
    for (int i = 0; i < PARTS; i++)
        size += parts[i].size;
    return size;
}

weft_result weft_sim_snapshot(const weft_sim *s, void *out, size_t *size, weft_error *e)
{
    if (!s || !size)
        return error_set(e, WEFT_ERROR_ARGUMENT, -1, "weft_sim_snapshot needs a simulation and a size");
    part parts[PARTS];
    parts_of(&s->state, parts);
    size_t wanted = snapshot_size(parts);
    if (out && *size < wanted)
        return error_set(e, WEFT_ERROR_ARGUMENT, -1, "the snapshot has %llu bytes, there is room for %llu",
                         (unsigned long long)wanted, (unsigned long long)*size);
    *size = wanted;
    if (!out)
        return WEFT_OK;
    header h = {.version = SNAPSHOT_VERSION,
                .n = (uint32_t)s->state.n,
                .topology = topology_hash(s),
                .time = s->state.time,
                .last_h = s->state.last_h};
    memcpy(h.magic, MAGIC, sizeof h.magic);
    char *at = out;
    memcpy(at, &h, sizeof h);
    at += sizeof h;
    for (int i = 0; i < PARTS; i++) {
        if (parts[i].size > 0)
            memcpy(at, parts[i].data, parts[i].size);
        at += parts[i].size;
    }
    uint64_t sum = hash_bytes(HASH_START, out, wanted - sizeof(uint64_t));
    memcpy(at, &sum, sizeof sum);
    return WEFT_OK;
}

weft_result weft_sim_restore(weft_sim *s, const void *bytes, size_t size, weft_error *e)
{
    if (!s || !bytes)
        return error_set(e, WEFT_ERROR_ARGUMENT, -1, "weft_sim_restore needs a simulation and a snapshot");
    part parts[PARTS];
    parts_of(&s->state, parts);
    header h;
    uint64_t sum;
    if (size < sizeof h + sizeof sum || size != snapshot_size(parts))
        return error_set(e, WEFT_ERROR_SNAPSHOT, -1, "a snapshot of this simulation has %llu bytes, not %llu",
                         (unsigned long long)snapshot_size(parts), (unsigned long long)size);
    memcpy(&h, bytes, sizeof h);
    memcpy(&sum, (const char *)bytes + size - sizeof sum, sizeof sum);
    if (memcmp(h.magic, MAGIC, sizeof h.magic) != 0 || h.version != SNAPSHOT_VERSION)
        return error_set(e, WEFT_ERROR_SNAPSHOT, -1, "not a snapshot of this version");
    if (sum != hash_bytes(HASH_START, bytes, size - sizeof sum))
        return error_set(e, WEFT_ERROR_SNAPSHOT, -1, "the snapshot is damaged: its check sum is wrong");
    if (h.n != (uint32_t)s->state.n || h.topology != topology_hash(s))
        return error_set(e, WEFT_ERROR_SNAPSHOT, -1, "the snapshot belongs to other cloths");
    const char *at = (const char *)bytes + sizeof h;
    for (int i = 0; i < PARTS; i++) {
        if (parts[i].size > 0)
            memcpy(parts[i].data, at, parts[i].size);
        at += parts[i].size;
    }
    s->state.time = h.time;
    s->state.last_h = h.last_h;
    return WEFT_OK;
}
