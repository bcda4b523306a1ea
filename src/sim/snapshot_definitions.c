/* SPDX-License-Identifier: MIT */
/* Records of definitions in snapshots.
 *
 * A record has what cannot be set once the thing is made and gives the state its meaning: meshes of cloths, kinds and
 * shapes of colliders (what contacts remember goes by their numbers), which nodes attachments and ties name, where rods
 * are, what is welded. What may be set from step to step (targets, keys, vertices, pulls, wind) is not in it: a state
 * is often restored in order to go on differently; nor are the numbers of laws (fabrics, stiffnesses, frictions). */
#include "sim/snapshot_definitions.h"

#include <string.h>

#include "base/hash.h"

typedef enum record_type { OF_CLOTH, OF_COLLIDER, OF_ATTACHMENT, OF_TIE, N_RECORD_TYPES } record_type;

typedef struct record {
    int32_t type, place; /* place: number of its id */
    int32_t kind;        /* of collider or attachment; tie: whether it is welded; cloth: whether it adapts */
    int32_t n;           /* nodes of a cloth or attachment, vertices of a collider, pairs of a tie */
    int32_t of[2];       /* cloths, or cloth and collider, that it names; -1: none */
    uint64_t hash;       /* of its faces, shape, or nodes */
} record;

static record cloth_record(const cloth *c, int32_t place)
{
    const surface *f = c->roots;
    const int32_t counts[2] = {f->n_elements, f->n_triangles};
    uint64_t h = hash_bytes(HASH_START, counts, sizeof counts);
    h = hash_bytes(h, f->triangles, (size_t)f->n_triangles * sizeof *f->triangles);
    return (record){OF_CLOTH, place, c->forest.mem != NULL, f->n_nodes, {-1, -1}, h};
}

static record collider_record(const sim_collider *c, int32_t place)
{
    const shape *p = &c->shape;
    const double numbers[] = {p->radius, p->half_height, p->half.x, p->half.y, p->half.z};
    uint64_t h = c->mesh ? collider_mesh_hash(c->mesh) : hash_bytes(HASH_START, numbers, sizeof numbers);
    return (record){OF_COLLIDER, place, (int32_t)c->kind, c->mesh ? c->mesh->n_vertices : 0, {-1, -1}, h};
}

/* Nodes of the first mesh keep their numbers; others, which a cloth got by adapting, count as any. */
static uint64_t hash_of_nodes(uint64_t h, const weft_sim *s, weft_cloth_id id, const int32_t *nodes, int32_t n)
{
    const cloth *c = sim_get_cloth(s, id, NULL);
    for (int32_t i = 0; i < n; i++) {
        int32_t node = c && nodes[i] < c->roots->n_nodes ? nodes[i] : -1;
        h = hash_bytes(h, &node, sizeof node);
    }
    return h;
}

static record attachment_record(const weft_sim *s, const attachment *a, int32_t place)
{
    uint64_t h = hash_of_nodes(HASH_START, s, a->cloth, a->nodes, a->n);
    if (a->kind == WEFT_ATTACH_ROD) {
        const vec3 rod[2] = {a->rod_point, a->rod_axis};
        h = hash_bytes(h, rod, sizeof rod);
    }
    int32_t moved_by = a->kind == WEFT_ATTACH_COLLIDER ? a->collider.index : -1;
    return (record){OF_ATTACHMENT, place, (int32_t)a->kind, a->n, {a->cloth.index, moved_by}, h};
}

static record tie_record(const weft_sim *s, const tie *t, int32_t place)
{
    uint64_t h = hash_of_nodes(HASH_START, s, t->cloth_a, t->a, t->n);
    h = hash_of_nodes(h, s, t->cloth_b, t->b, t->n);
    return (record){OF_TIE, place, t->welded, t->n, {t->cloth_a.index, t->cloth_b.index}, h};
}

static const slots *slots_of(const weft_sim *s, record_type type)
{
    const slots *all[N_RECORD_TYPES] = {&s->defs.cloths, &s->defs.colliders, &s->defs.attachments, &s->defs.ties};
    return all[type];
}

/* False: there is nothing at this place. */
static bool record_at(const weft_sim *s, record_type type, int32_t place, record *out)
{
    const void *item = slots_of(s, type)->items[place].item;
    if (!item)
        return false;
    switch (type) {
    case OF_CLOTH: *out = cloth_record(item, place); break;
    case OF_COLLIDER: *out = collider_record(item, place); break;
    case OF_ATTACHMENT: *out = attachment_record(s, item, place); break;
    case OF_TIE:
    case N_RECORD_TYPES: *out = tie_record(s, item, place); break;
    }
    return true;
}

uint32_t snapshot_count_definitions(const weft_sim *s)
{
    uint32_t n = 0;
    for (int type = 0; type < N_RECORD_TYPES; type++)
        for (int32_t i = 0; i < slots_of(s, (record_type)type)->n; i++)
            n += slots_of(s, (record_type)type)->items[i].item != NULL;
    return n;
}

size_t snapshot_definitions_size(uint32_t n)
{
    return n * sizeof(record);
}

char *snapshot_put_definitions(const weft_sim *s, char *at)
{
    record r;
    for (int type = 0; type < N_RECORD_TYPES; type++)
        for (int32_t i = 0; i < slots_of(s, (record_type)type)->n; i++)
            if (record_at(s, (record_type)type, i, &r)) {
                memcpy(at, &r, sizeof r);
                at += sizeof r;
            }
    return at;
}

/* ---- comparing --------------------------------------------------------------------------------------------------- */

static const char *const type_names[N_RECORD_TYPES] = {"cloth", "collider", "attachment", "tie"};

static const char *kind_name(const record *r)
{
    static const char *const names[N_RECORD_TYPES][6] = {
        {"a mesh that stays", "a mesh that adapts"},
        {"a plane", "a sphere", "a capsule", "a cylinder", "a box", "a mesh"},
        {"a pin", "a rod", "held by a collider", "a soft pin"},
        {"not welded", "welded"},
    };
    const char *name = r->kind >= 0 && r->kind < 6 ? names[r->type][r->kind] : NULL;
    return name ? name : "of an unknown kind";
}

static weft_result differ(const record *was, const record *is, const char *what, weft_error *e)
{
    static const char *const counted[N_RECORD_TYPES] = {"nodes", "vertices", "nodes", "pairs"};
    return error_set(e, WEFT_ERROR_SNAPSHOT, is->place,
                     "the snapshot is not of this simulation: %s %d has %s (in the snapshot it is %s with %d %s, here "
                     "%s with %d)",
                     type_names[is->type], is->place, what, kind_name(was), was->n, counted[was->type], kind_name(is),
                     is->n);
}

static weft_result compare_records(const record *was, const record *is, weft_error *e)
{
    static const char *const hashed[N_RECORD_TYPES] = {"other faces", "another shape", "other nodes, or another rod",
                                                       "other nodes"};
    if (was->kind != is->kind)
        return differ(was, is, "another kind", e);
    if (was->n != is->n)
        return differ(was, is, "another number", e);
    if (was->of[0] != is->of[0] || was->of[1] != is->of[1])
        return differ(was, is, "another cloth or collider that it names", e);
    return was->hash == is->hash ? WEFT_OK : differ(was, is, hashed[is->type], e);
}

/* The record of the same thing; false: there is none. */
static bool find_record(const char *at, uint32_t n, record_type type, int32_t place, record *out)
{
    for (uint32_t i = 0; i < n; i++) {
        memcpy(out, at + i * sizeof *out, sizeof *out);
        if (out->type == (int32_t)type && out->place == place)
            return true;
    }
    return false;
}

static bool counts(const record *r, bool cloths_only)
{
    return !cloths_only || r->type == OF_CLOTH || (r->type == OF_TIE && r->kind);
}

static weft_result lacks(const record *r, const char *where, weft_error *e)
{
    return error_set(e, WEFT_ERROR_SNAPSHOT, r->place, "the snapshot is not of this simulation: %s has no %s %d (%s)",
                     where, type_names[r->type], r->place, kind_name(r));
}

/* What the snapshot has and the simulation has not. */
static weft_result find_missing(const weft_sim *s, const char *at, uint32_t n, bool cloths_only, weft_error *e)
{
    for (uint32_t i = 0; i < n; i++) {
        record was, is;
        memcpy(&was, at + i * sizeof was, sizeof was);
        if (was.type < 0 || was.type >= N_RECORD_TYPES || was.place < 0)
            return error_set(e, WEFT_ERROR_SNAPSHOT, -1, "the snapshot is damaged: it names an unknown thing");
        bool there =
            was.place < slots_of(s, (record_type)was.type)->n && record_at(s, (record_type)was.type, was.place, &is);
        if (!there && counts(&was, cloths_only))
            return lacks(&was, "this simulation", e);
    }
    return WEFT_OK;
}

weft_result snapshot_compare_definitions(const weft_sim *s, const char *at, uint32_t n, bool cloths_only, weft_error *e)
{
    weft_result r = find_missing(s, at, n, cloths_only, e);
    for (int type = 0; type < N_RECORD_TYPES; type++)
        for (int32_t i = 0; r == WEFT_OK && i < slots_of(s, (record_type)type)->n; i++) {
            record was, is;
            if (!record_at(s, (record_type)type, i, &is))
                continue;
            bool known = find_record(at, n, (record_type)type, i, &was);
            if (!counts(&is, cloths_only) && !(known && counts(&was, cloths_only)))
                continue;
            r = known ? compare_records(&was, &is, e) : lacks(&is, "the snapshot", e);
        }
    return r;
}
