/* SPDX-License-Identifier: MIT */
/* The part of a snapshot that mesh colliders are in: where their vertices are, and where they go. */
#include "sim/snapshot_mesh.h"

#include <string.h>

typedef struct mesh_head {
    int32_t place; /* among the simulation's colliders */
    uint32_t n_vertices, driven, unused;
    uint64_t hash; /* of its triangles */
} mesh_head;

static sim_collider *mesh_at(const weft_sim *s, int32_t place)
{
    sim_collider *c = place >= 0 && place < s->defs.colliders.n ? s->defs.colliders.items[place].item : NULL;
    return c && c->mesh ? c : NULL;
}

uint32_t snapshot_count_meshes(const weft_sim *s)
{
    uint32_t n = 0;
    for (int32_t i = 0; i < s->defs.colliders.n; i++)
        n += mesh_at(s, i) != NULL;
    return n;
}

/* Where the vertices are, and where they go. */
static size_t vertex_bytes(uint32_t n_vertices)
{
    return 2 * (size_t)n_vertices * sizeof(vec3);
}

size_t snapshot_meshes_size(const weft_sim *s)
{
    size_t size = 0;
    for (int32_t i = 0; i < s->defs.colliders.n; i++)
        if (mesh_at(s, i))
            size += sizeof(mesh_head) + vertex_bytes((uint32_t)mesh_at(s, i)->mesh->n_vertices);
    return size;
}

char *snapshot_put_meshes(const weft_sim *s, char *at)
{
    for (int32_t i = 0; i < s->defs.colliders.n; i++) {
        const sim_collider *c = mesh_at(s, i);
        if (!c)
            continue;
        const collider_mesh *m = c->mesh;
        mesh_head h = {i, (uint32_t)m->n_vertices, m->driven, 0, collider_mesh_hash(m)};
        size_t half = vertex_bytes(h.n_vertices) / 2;
        memcpy(at, &h, sizeof h);
        memcpy(at + sizeof h, m->x, half);
        memcpy(at + sizeof h + half, m->goal, half);
        at += sizeof h + 2 * half;
    }
    return at;
}

const char *snapshot_skip_meshes(const char *at, const char *end, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        mesh_head h;
        if ((size_t)(end - at) < sizeof h)
            return NULL;
        memcpy(&h, at, sizeof h);
        at += sizeof h;
        if ((size_t)(end - at) < vertex_bytes(h.n_vertices))
            return NULL;
        at += vertex_bytes(h.n_vertices);
    }
    return at;
}

void snapshot_take_meshes(weft_sim *s, const char *at, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        mesh_head h;
        memcpy(&h, at, sizeof h);
        size_t half = vertex_bytes(h.n_vertices) / 2;
        sim_collider *c = mesh_at(s, h.place);
        collider_mesh *m = c ? c->mesh : NULL;
        if (m && h.n_vertices == (uint32_t)m->n_vertices && h.hash == collider_mesh_hash(m)) {
            memcpy(m->x, at + sizeof h, half);
            memcpy(m->goal, at + sizeof h + half, half);
            m->driven = h.driven != 0;
            m->measured = false;
        }
        at += sizeof h + 2 * half;
    }
    for (int32_t i = 0; i < s->defs.colliders.n; i++) {
        sim_collider *c = mesh_at(s, i);
        if (c && !c->mesh->driven && !sim_mesh_is_placed(s, c, c->mesh->x))
            sim_mesh_place(s, c);
    }
}
