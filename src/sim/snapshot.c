/* SPDX-License-Identifier: MIT */
/* Snapshots: a header, records of the definitions that the state belongs to, the shape of each cloth's forest, the
 * vertices of mesh colliders, the state's arrays one after the other, and a check sum. Byte order and sizes are the
 * machine's; the header says which. Going on bit for bit takes the code that made the bits, so a snapshot is for the
 * version of the library that wrote it.
 *
 * The meshes of adaptive cloths are part of the state: restoring makes them anew from the roots, before anything is
 * changed. */
#include <stdio.h>
#include <string.h>

#include "base/hash.h"
#include "sim/adapt.h"
#include "sim/phases.h"
#include "sim/sim.h"
#include "sim/snapshot_definitions.h"
#include "sim/snapshot_mesh.h"
#include "mesh/leaves.h"

typedef struct header {
    char magic[8];
    uint32_t version;
    uint32_t order;   /* SNAPSHOT_ORDER */
    char library[24]; /* weft_version() of the writer. Up to here all versions from 6 on are the same. */
    uint32_t sizes;   /* hash of those of what is stored */
    uint32_t n, n_tilts, n_cloths, n_meshes, n_pairs, n_definitions, n_groups;
    int32_t world_scale;
    double time, last_h;
} header;

/* Before the shape of a cloth. */
typedef struct shape_head {
    double next_look, few_from;
    uint64_t size; /* bytes; 0: the mesh stays as it is */
} shape_head;

#define SNAPSHOT_MAGIC "weftsnap"
#define SNAPSHOT_VERSION 8
/* No number of nodes, which is what was there before version 6, in either byte order. */
#define SNAPSHOT_ORDER 0xF1E2D3C4u
#define SNAPSHOT_OTHER_ORDER 0xC4D3E2F1u

static uint32_t stored_sizes(void)
{
    const state *st = NULL;
    const uint32_t sizes[] = {sizeof(header),   sizeof(shape_head),  (uint32_t)snapshot_definitions_size(1),
                              sizeof *st->q,    sizeof *st->restart, sizeof *st->memory,
                              sizeof *st->tilt, sizeof *st->accel,   sizeof *st->pairs.items};
    return (uint32_t)hash_bytes(HASH_START, sizes, sizeof sizes);
}

typedef struct part {
    void *data;
    size_t size;
} part;

#define SNAPSHOT_PARTS 11
#define SNAPSHOT_PAIRS 9 /* of which */
#define SNAPSHOT_GROUPS 10

static void parts_of(const state *st, part out[SNAPSHOT_PARTS])
{
    size_t n = (size_t)st->n;
    out[0] = (part){st->q, n * sizeof *st->q};
    out[1] = (part){st->v, n * sizeof *st->v};
    out[2] = (part){st->q_past, n * sizeof *st->q_past};
    out[3] = (part){st->v_past, n * sizeof *st->v_past};
    out[4] = (part){st->accel, n * sizeof *st->accel};
    out[5] = (part){st->memory, n * sizeof *st->memory};
    out[6] = (part){st->restart, n * sizeof *st->restart};
    out[7] = (part){st->pair_radius, n * sizeof *st->pair_radius};
    out[8] = (part){st->tilt, (size_t)st->n_tilts * sizeof *st->tilt};
    out[SNAPSHOT_PAIRS] = (part){st->pairs.items, (size_t)st->pairs.n * sizeof *st->pairs.items};
    out[SNAPSHOT_GROUPS] = (part){st->groups.items, (size_t)st->groups.n * sizeof *st->groups.items};
}

static size_t shape_bytes(const cloth *c)
{
    return c->forest.mem ? (size_t)forest_encode(&c->forest, NULL) : 0;
}

static uint32_t count_cloths(const weft_sim *s)
{
    uint32_t n = 0;
    for (int32_t i = 0; i < s->defs.cloths.n; i++)
        n += s->defs.cloths.items[i].item != NULL;
    return n;
}

static size_t snapshot_size(const weft_sim *s, const part parts[SNAPSHOT_PARTS])
{
    size_t size = sizeof(header) + snapshot_definitions_size(snapshot_count_definitions(s)) + snapshot_meshes_size(s) +
                  sizeof(uint64_t);
    for (int32_t i = 0; i < s->defs.cloths.n; i++)
        if (s->defs.cloths.items[i].item)
            size += sizeof(shape_head) + shape_bytes(s->defs.cloths.items[i].item);
    for (int i = 0; i < SNAPSHOT_PARTS; i++)
        size += parts[i].size;
    return size;
}

/* ---- writing ----------------------------------------------------------------------------------------------------- */

static char *put_bytes(char *at, const void *bytes, size_t n)
{
    if (n > 0)
        memcpy(at, bytes, n);
    return at + n;
}

static char *put_shapes(const weft_sim *s, char *at)
{
    for (int32_t i = 0; i < s->defs.cloths.n; i++) {
        const cloth *c = s->defs.cloths.items[i].item;
        if (!c)
            continue;
        shape_head h = {c->next_look, c->few_from, shape_bytes(c)};
        at = put_bytes(at, &h, sizeof h);
        if (h.size > 0)
            forest_encode(&c->forest, (uint8_t *)at);
        at += h.size;
    }
    return at;
}

weft_result weft_sim_snapshot(const weft_sim *s, void *out, size_t *size, weft_error *e)
{
    weft_result r = sim_may_read(s, __func__, e);
    if (r < 0)
        return r;
    if (!s || !size)
        return error_set(e, WEFT_ERROR_ARGUMENT, -1, "weft_sim_snapshot needs a simulation and a size");
    part parts[SNAPSHOT_PARTS];
    parts_of(&s->state, parts);
    size_t wanted = snapshot_size(s, parts);
    if (out && *size < wanted)
        return error_set(e, WEFT_ERROR_ARGUMENT, -1, "the snapshot has %llu bytes, there is room for %llu",
                         (unsigned long long)wanted, (unsigned long long)*size);
    *size = wanted;
    if (!out)
        return WEFT_OK;
    header h = {.version = SNAPSHOT_VERSION,
                .order = SNAPSHOT_ORDER,
                .sizes = stored_sizes(),
                .n = (uint32_t)s->state.n,
                .n_tilts = (uint32_t)s->state.n_tilts,
                .n_cloths = count_cloths(s),
                .n_meshes = snapshot_count_meshes(s),
                .n_pairs = (uint32_t)s->state.pairs.n,
                .n_groups = (uint32_t)s->state.groups.n,
                .n_definitions = snapshot_count_definitions(s),
                .world_scale = s->def.world_scale,
                .time = s->state.time,
                .last_h = s->state.last_h};
    memcpy(h.magic, SNAPSHOT_MAGIC, sizeof h.magic);
    snprintf(h.library, sizeof h.library, "%s", weft_version());
    char *at = snapshot_put_definitions(s, put_bytes(out, &h, sizeof h));
    at = snapshot_put_meshes(s, put_shapes(s, at));
    for (int i = 0; i < SNAPSHOT_PARTS; i++)
        at = put_bytes(at, parts[i].data, parts[i].size);
    uint64_t sum = hash_bytes(HASH_START, out, wanted - sizeof(uint64_t));
    memcpy(at, &sum, sizeof sum);
    return WEFT_OK;
}

/* ---- restoring --------------------------------------------------------------------------------------------------- */

static weft_result damaged(weft_error *e, const char *what)
{
    return error_set(e, WEFT_ERROR_SNAPSHOT, -1, "not a snapshot of this simulation: %s", what);
}

/* Which build wrote it, and which this is. */
static weft_result check_build(const header *h, weft_error *e)
{
    char library[sizeof h->library + 1] = "";
    memcpy(library, h->library, sizeof h->library);
    const char *here = weft_version();
    if (h->order == SNAPSHOT_OTHER_ORDER)
        return error_set(e, WEFT_ERROR_VERSION, -1, "the snapshot was written on a machine of the other byte order");
    if (h->order != SNAPSHOT_ORDER)
        return error_set(
            e, WEFT_ERROR_VERSION, -1,
            "the snapshot was written by an older Weft (version %u of snapshots); this is Weft %s (version %u)",
            (unsigned)h->version, here, SNAPSHOT_VERSION);
    if (h->version != SNAPSHOT_VERSION || strcmp(library, here) != 0)
        return error_set(e, WEFT_ERROR_VERSION, -1,
                         "the snapshot was written by Weft %s (version %u of snapshots); this is Weft %s (version %u)",
                         library, (unsigned)h->version, here, SNAPSHOT_VERSION);
    if (h->sizes != stored_sizes())
        return error_set(e, WEFT_ERROR_VERSION, -1,
                         "the snapshot was written by a build of Weft %s whose numbers have other sizes in memory",
                         library);
    return WEFT_OK;
}

weft_result weft_snapshot_check(const void *bytes, size_t size, weft_error *e)
{
    header h;
    uint64_t sum;
    if (!bytes)
        return error_set(e, WEFT_ERROR_ARGUMENT, -1, "weft_snapshot_check needs a snapshot");
    if (size < sizeof h + sizeof sum)
        return error_set(e, WEFT_ERROR_SNAPSHOT, -1, "a snapshot has more than %llu bytes", (unsigned long long)size);
    memcpy(&h, bytes, sizeof h);
    memcpy(&sum, (const char *)bytes + size - sizeof sum, sizeof sum);
    if (memcmp(h.magic, SNAPSHOT_MAGIC, sizeof h.magic) != 0)
        return error_set(e, WEFT_ERROR_SNAPSHOT, -1, "not a snapshot: it begins with other bytes");
    if (h.order != SNAPSHOT_OTHER_ORDER && sum != hash_bytes(HASH_START, bytes, size - sizeof sum))
        return error_set(e, WEFT_ERROR_SNAPSHOT, -1, "the snapshot is damaged: its check sum is wrong");
    return check_build(&h, e);
}

static weft_result check_header(const weft_sim *s, const void *bytes, size_t size, header *h, weft_error *e)
{
    weft_result r = weft_snapshot_check(bytes, size, e);
    if (r != WEFT_OK)
        return r;
    memcpy(h, bytes, sizeof *h);
    if (h->world_scale != s->def.world_scale)
        return error_set(e, WEFT_ERROR_SNAPSHOT, -1, "the snapshot has a world_scale of %d, this simulation one of %d",
                         h->world_scale, s->def.world_scale);
    if (snapshot_definitions_size(h->n_definitions) > size - sizeof *h - sizeof(uint64_t))
        return damaged(e, "it is too short");
    return WEFT_OK;
}

/* The definitions are those of the snapshot; `cloths_only`: as far as cloths and welds go. */
static weft_result check_definitions(const weft_sim *s, const header *h, const char *at, bool cloths_only,
                                     weft_error *e)
{
    weft_result r = snapshot_compare_definitions(s, at, h->n_definitions, cloths_only, e);
    if (r == WEFT_OK && h->n_cloths != count_cloths(s))
        return damaged(e, "its number of cloths is wrong");
    return r;
}

/* What is remembered goes by the numbers of colliders and by rods: without these it is nobody's. */
static void forget_contact_memory(state *st)
{
    for (int32_t i = 0; i < st->n; i++)
        st->memory[i] = (contact_memory){.owner = CONTACT_OWNER_NONE};
    st->pairs.n = 0;
    st->groups.n = 0;
}

/* The mesh that a cloth will have. */
typedef struct mesh_plan {
    cloth *cloth;
    double next_look, few_from;
    bool changes; /* else it has the mesh already */
    forest forest;
    surface *surface;
    double *node_mass;
    int32_t n_nodes, n_tilts;
    int32_t offset, tilt_offset;
} mesh_plan;

static void drop_plans(weft_sim *s, mesh_plan *plans, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        if (plans[i].changes && plans[i].surface)
            MEM_FREE(&s->mem, plans[i].node_mass, plans[i].surface->n_nodes);
        surface_destroy(plans[i].surface);
        if (plans[i].forest.mem)
            forest_destroy(&plans[i].forest);
    }
    MEM_FREE(&s->mem, plans, (int64_t)n + 1);
}

static bool has_shape(const cloth *c, const uint8_t *bits, size_t size, bool *memory)
{
    if (shape_bytes(c) != size)
        return false;
    uint8_t *now = mem_array(c->forest.mem, (int64_t)size, 1);
    *memory = *memory && now;
    if (now)
        forest_encode(&c->forest, now);
    bool same = now && memcmp(now, bits, size) == 0;
    mem_free(c->forest.mem, now, (int64_t)size, 1);
    return same;
}

static weft_result plan_mesh(weft_sim *s, mesh_plan *p, const uint8_t *bits, size_t size, weft_error *e)
{
    cloth *c = p->cloth;
    bool memory = true;
    p->n_nodes = c->surface->n_nodes;
    p->n_tilts = c->n_tilts;
    if ((c->forest.mem == NULL) != (size == 0))
        return damaged(e, "a cloth that adapts in one does not in the other");
    if (size == 0 || has_shape(c, bits, size, &memory))
        return WEFT_OK;
    if (!memory)
        return error_memory(e);
    if (reshape_names_new_nodes(s, c))
        return error_set(
            e, WEFT_ERROR_SNAPSHOT, -1,
            "the mesh of the snapshot is another one, and attachments or ties name nodes that it may lack");
    p->changes = true;
    weft_result made = stitch_forest(s, c, &p->forest, e);
    if (made != WEFT_OK)
        return made;
    int64_t n_failed = s->mem.n_failed;
    if (!forest_decode(&p->forest, bits, (int64_t)size))
        return s->mem.n_failed > n_failed ? error_memory(e) : damaged(e, "its mesh cannot be made");
    p->forest.revision = c->forest.revision + 1;
    p->surface = surface_of_leaves(&p->forest, c->roots);
    if (!p->surface || (c->node_mass && !MEM_MAKE(&s->mem, p->node_mass, p->surface->n_nodes)))
        return error_memory(e);
    p->n_nodes = p->surface->n_nodes;
    p->n_tilts = forces_n_tilts(p->surface, &c->material);
    return WEFT_OK;
}

static weft_result plan_meshes(weft_sim *s, mesh_plan *plans, const char **at, const char *end, weft_error *e)
{
    for (int32_t i = 0; i < s->defs.cloths.n; i++) {
        shape_head h;
        if (!s->defs.cloths.items[i].item)
            continue;
        if ((size_t)(end - *at) < sizeof h)
            return damaged(e, "it is too short");
        memcpy(&h, *at, sizeof h);
        *at += sizeof h;
        if ((uint64_t)(end - *at) < h.size)
            return damaged(e, "it is too short");
        plans->cloth = s->defs.cloths.items[i].item;
        plans->next_look = h.next_look;
        plans->few_from = h.few_from;
        weft_result r = plan_mesh(s, plans, (const uint8_t *)*at, (size_t)h.size, e);
        if (r != WEFT_OK)
            return r;
        *at += h.size;
        plans++;
    }
    return WEFT_OK;
}

static void take_mesh(weft_sim *s, mesh_plan *p)
{
    cloth *c = p->cloth;
    c->next_look = p->next_look;
    c->few_from = p->few_from;
    c->offset = p->offset;
    c->tilt_offset = p->tilt_offset;
    if (!p->changes)
        return;
    if (c->node_mass) {
        memcpy(p->node_mass, c->node_mass, (size_t)c->roots->n_nodes * sizeof *p->node_mass);
        MEM_FREE(&s->mem, c->node_mass, c->surface->n_nodes);
        c->node_mass = p->node_mass;
        c->material.node_mass = p->node_mass;
    }
    if (c->surface != c->roots)
        surface_destroy(c->surface);
    forest_destroy(&c->forest);
    c->forest = p->forest;
    c->surface = p->surface;
    c->n_tilts = p->n_tilts;
    p->forest = (forest){0};
    p->surface = NULL;
    p->node_mass = NULL;
    model_invalidate(&s->model);
}

/* Cloths follow each other in the state in the order of their offsets, which stays. */
static void plan_offsets(mesh_plan *plans, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t j = 0; j < n; j++)
            if (plans[j].cloth->offset < plans[i].cloth->offset) {
                plans[i].offset += plans[j].n_nodes;
                plans[i].tilt_offset += plans[j].n_tilts;
            }
}

static bool any_changes(const mesh_plan *plans, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        if (plans[i].changes)
            return true;
    return false;
}

static weft_result fill_state(mem *m, const header *h, state *st, const char *at, const char *end, weft_error *e)
{
    part parts[SNAPSHOT_PARTS];
    size_t wanted = 0;
    parts_of(st, parts);
    parts[SNAPSHOT_PAIRS].size = h->n_pairs * sizeof *st->pairs.items;
    parts[SNAPSHOT_GROUPS].size = h->n_groups * sizeof *st->groups.items;
    for (int i = 0; i < SNAPSHOT_PARTS; i++)
        wanted += parts[i].size;
    if ((size_t)(end - at) != wanted)
        return error_set(e, WEFT_ERROR_SNAPSHOT, -1, "the state in the snapshot has %llu bytes, not %llu",
                         (unsigned long long)(end - at), (unsigned long long)wanted);
    if (!pair_memories_reserve(&st->pairs, m, h->n_pairs) || !group_memory_reserve(&st->groups, m, h->n_groups))
        return error_memory(e);
    st->pairs.n = h->n_pairs;
    parts[SNAPSHOT_PAIRS].data = st->pairs.items;
    st->groups.n = h->n_groups;
    parts[SNAPSHOT_GROUPS].data = st->groups.items;
    for (int i = 0; i < SNAPSHOT_PARTS; i++) {
        if (parts[i].size > 0)
            memcpy(parts[i].data, at, parts[i].size);
        at += parts[i].size;
    }
    st->time = h->time;
    st->last_h = h->last_h;
    return WEFT_OK;
}

/* With the meshes planned: a new state where a mesh changes, else into the one that is there. */
static weft_result take_snapshot_state(weft_sim *s, const header *h, mesh_plan *plans, const char *at, const char *end,
                                       weft_error *e)
{
    state made = {0};
    int64_t n = 0, n_tilts = 0;
    for (uint32_t i = 0; i < h->n_cloths; i++) {
        n += plans[i].n_nodes;
        n_tilts += plans[i].n_tilts;
    }
    if (n != h->n || n_tilts != h->n_tilts)
        return damaged(e, "its number of nodes does not fit its meshes");
    weft_result r = WEFT_OK;
    bool changes = any_changes(plans, h->n_cloths);
    if (changes && !state_create(&made, &s->mem, (int32_t)n, (int32_t)n_tilts))
        r = error_memory(e);
    if (r == WEFT_OK)
        r = fill_state(&s->mem, h, changes ? &made : &s->state, at, end, e);
    if (r != WEFT_OK) {
        state_destroy(&made, &s->mem);
        return r;
    }
    if (changes) {
        state_destroy(&s->state, &s->mem);
        s->state = made;
    }
    plan_offsets(plans, h->n_cloths);
    for (uint32_t i = 0; i < h->n_cloths; i++)
        take_mesh(s, &plans[i]);
    return WEFT_OK;
}

static weft_result restore_snapshot(weft_sim *s, const void *bytes, size_t size, bool cloths_only, weft_error *e)
{
    header h;
    if (!s || !bytes)
        return error_set(e, WEFT_ERROR_ARGUMENT, -1, "weft_sim_restore needs a simulation and a snapshot");
    weft_result r = check_header(s, bytes, size, &h, e);
    const char *at = (const char *)bytes + sizeof h, *end = (const char *)bytes + size - sizeof(uint64_t);
    if (r == WEFT_OK)
        r = check_definitions(s, &h, at, cloths_only, e);
    if (r != WEFT_OK)
        return r;
    at += snapshot_definitions_size(h.n_definitions);
    mesh_plan *plans = mem_array(&s->mem, (int64_t)h.n_cloths + 1, sizeof *plans); /* never none */
    if (!plans)
        return error_memory(e);
    r = plan_meshes(s, plans, &at, end, e);
    const char *meshes = at;
    at = r == WEFT_OK ? snapshot_skip_meshes(at, end, h.n_meshes) : NULL;
    if (r == WEFT_OK)
        r = at ? take_snapshot_state(s, &h, plans, at, end, e) : damaged(e, "it is too short");
    if (r == WEFT_OK)
        snapshot_take_meshes(s, meshes, h.n_meshes);
    if (r == WEFT_OK && cloths_only)
        forget_contact_memory(&s->state);
    if (r == WEFT_OK) {
        squeezed_clear(&s->model.cloth_contact);
        tangled_suspect(&s->model);
    }
    drop_plans(s, plans, h.n_cloths);
    return r;
}

weft_result weft_sim_restore(weft_sim *s, const void *bytes, size_t size, weft_error *e)
{
    weft_result r = sim_enter(s, __func__, e);
    return r < 0 ? r : sim_leave(s, restore_snapshot(s, bytes, size, false, e));
}

weft_result weft_sim_restore_cloths(weft_sim *s, const void *bytes, size_t size, weft_error *e)
{
    weft_result r = sim_enter(s, __func__, e);
    return r < 0 ? r : sim_leave(s, restore_snapshot(s, bytes, size, true, e));
}
