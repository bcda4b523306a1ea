/* SPDX-License-Identifier: MIT */
/* From the draft to arrays: zones by depth, triangles in tree order.
 *
 * A zone of BVH_LEAF triangles or fewer of one object is a leaf, whatever the draft has below it, and a zone with
 * one child is replaced by it. */
#include "bvh/bvh_inside.h"

#include <string.h>

typedef struct layout {
    const draft *d;
    int32_t *start, *child; /* children of a thing of the draft, by number */
    int32_t *n_below;       /* triangles */
    int32_t *source;        /* per zone, its thing of the draft */
    int32_t *place;         /* per triangle, its place in tree order */
} layout;

static bool layout_create(layout *l, mem *m, const draft *d, int32_t n_triangles)
{
    *l = (layout){.d = d};
    return MEM_MAKE(m, l->start, d->n + 1) && MEM_MAKE(m, l->child, d->n) && MEM_MAKE(m, l->n_below, d->n) &&
           MEM_MAKE(m, l->source, d->n) && MEM_MAKE(m, l->place, n_triangles);
}

static void layout_destroy(layout *l, mem *m, int32_t n_triangles)
{
    MEM_FREE(m, l->start, l->d->n + 1);
    MEM_FREE(m, l->child, l->d->n);
    MEM_FREE(m, l->n_below, l->d->n);
    MEM_FREE(m, l->source, l->d->n);
    MEM_FREE(m, l->place, n_triangles);
}

static void find_children(layout *l)
{
    const draft *d = l->d;
    for (int32_t i = 0; i < d->n; i++)
        if (d->parent[i] >= 0)
            l->start[d->parent[i] + 1]++;
    for (int32_t i = 0; i < d->n; i++)
        l->start[i + 1] += l->start[i];
    for (int32_t i = 0; i < d->n; i++)
        if (d->parent[i] >= 0)
            l->child[l->start[d->parent[i]]++] = i;
    for (int32_t i = d->n; i > 0; i--)
        l->start[i] = l->start[i - 1];
    l->start[0] = 0;
}

/* Elements may have greater numbers than their parents, so each triangle climbs by itself: O(n · depth). */
static void count_below(layout *l, int32_t n_triangles)
{
    for (int32_t ti = 0; ti < n_triangles; ti++)
        for (int32_t i = ti; i >= 0; i = l->d->parent[i])
            l->n_below[i]++;
}

static int32_t without_only_children(const layout *l, int32_t i)
{
    while (l->start[i + 1] - l->start[i] == 1)
        i = l->child[l->start[i]];
    return i;
}

/* Triangles below a thing, children in order. */
static int32_t list_zone_triangles(const layout *l, int32_t i, int32_t n_triangles, int32_t *out)
{
    if (i < n_triangles) {
        out[0] = i;
        return 1;
    }
    int32_t n = 0;
    for (int32_t c = l->start[i]; c < l->start[i + 1]; c++)
        n += list_zone_triangles(l, l->child[c], n_triangles, out + n);
    return n;
}

static bool is_leaf(bvh *t, const layout *l, const bvh_input *in, int32_t zi)
{
    const zone *z = &t->zones[zi];
    if (z->n > BVH_LEAF)
        return false;
    int32_t *ids = t->id + z->first;
    list_zone_triangles(l, l->source[zi], t->n_triangles, ids);
    for (int32_t i = 1; in->object && i < z->n; i++)
        if (in->object[ids[i]] != in->object[ids[0]])
            return false;
    return true;
}

static void add_children(bvh *t, layout *l, int32_t zi)
{
    zone *z = &t->zones[zi];
    int32_t first = z->first, i = l->source[zi];
    z->first_child = t->n_zones;
    for (int32_t c = l->start[i]; c < l->start[i + 1]; c++) {
        int32_t source = without_only_children(l, l->child[c]), n = l->n_below[source];
        if (n == 0)
            continue;
        l->source[t->n_zones] = source;
        bool connected = source < l->d->n_connected;
        t->zones[t->n_zones++] =
            (zone){.first = first, .n = n, .parent = zi, .depth = z->depth + 1, .connected = connected};
        first += n;
        z->n_children++;
    }
}

static void list_zones(bvh *t, layout *l, const bvh_input *in, int32_t root)
{
    t->n_zones = 1;
    l->source[0] = without_only_children(l, root);
    t->zones[0] = (zone){.n = t->n_triangles, .parent = -1, .connected = l->source[0] < l->d->n_connected};
    for (int32_t zi = 0; zi < t->n_zones; zi++) {
        if (!is_leaf(t, l, in, zi))
            add_children(t, l, zi);
        t->depth = t->zones[zi].depth + 1;
    }
}

static bool list_depths(bvh *t)
{
    if (!MEM_MAKE(t->mem, t->depth_start, t->depth + 1))
        return false;
    for (int32_t zi = 0; zi < t->n_zones; zi++)
        t->depth_start[t->zones[zi].depth + 1]++;
    for (int32_t i = 0; i < t->depth; i++)
        t->depth_start[i + 1] += t->depth_start[i];
    return true;
}

static void mark_objects(bvh *t, const bvh_input *in)
{
    for (int32_t zi = t->n_zones - 1; zi >= 0; zi--) {
        zone *z = &t->zones[zi];
        bool leaf = z->n_children == 0;
        int32_t first = leaf ? z->first : z->first_child, end = first + (leaf ? z->n : z->n_children);
        z->fixed = true;
        for (int32_t i = first; i < end; i++) {
            int32_t object = !leaf ? t->zones[i].object : in->object ? in->object[t->id[i]] : 0;
            bool fixed = !leaf ? t->zones[i].fixed : in->fixed && in->fixed[object];
            z->object = i == first || z->object == object ? object : -1;
            z->fixed = z->fixed && fixed;
        }
    }
}

static void order_triangles(bvh *t, const bvh_input *in, const half_edges *s, layout *l)
{
    for (int32_t i = 0; i < t->n_triangles; i++)
        l->place[t->id[i]] = i;
    for (int32_t i = 0; i < t->n_triangles; i++) {
        int32_t ti = t->id[i];
        t->owns[i] = s->owns[ti];
        for (int k = 0; k < 3; k++) {
            int32_t twin = s->twin[3 * ti + k];
            t->node[3 * i + k] = in->triangles[ti][k];
            t->common[3 * i + k] = common_of(in, in->triangles[ti][k]);
            if (t->common[3 * i + k] != t->node[3 * i + k])
                t->owns[i] |= 64;
            t->twin[3 * i + k] = twin < 0 ? -1 : 3 * l->place[twin / 3] + twin % 3;
        }
    }
}

static void own_vertex(bvh *t, int32_t i, int32_t he)
{
    t->vertices[i] = t->node[he];
    if (t->vertex_common)
        t->vertex_common[i] = t->common[he];
}

static void own_edge(bvh *t, int32_t i, int32_t he, int32_t id)
{
    t->edge_id[i] = id;
    if (!t->edge_common)
        return;
    t->edge_common[i][0] = t->common[he];
    t->edge_common[i][1] = t->common[next_side(he)];
}

/* Vertices and edges, leaf by leaf. */
static void list_owned(bvh *t, const half_edges *s)
{
    int32_t n_vertices = 0, n_edges = 0;
    for (int32_t zi = 0; zi < t->n_zones; zi++) {
        zone *z = &t->zones[zi];
        const uint8_t *at = t->corner_at;
        z->first_vertex = n_vertices;
        z->first_edge = n_edges;
        for (int32_t he = 3 * z->first; z->n_children == 0 && he < 3 * (z->first + z->n); he++) {
            if (t->owns[he / 3] & 1 << he % 3) {
                t->vertex_at[n_vertices] = at[corner_place(z, he)];
                own_vertex(t, n_vertices++, he);
            }
            if (t->owns[he / 3] & 8 << he % 3) {
                t->edge_at[n_edges][0] = at[corner_place(z, he)];
                t->edge_at[n_edges][1] = at[corner_place(z, next_side(he))];
                own_edge(t, n_edges++, he, s->edge[3 * t->id[he / 3] + he % 3]);
            }
        }
        z->n_vertices = (int16_t)(n_vertices - z->first_vertex);
        z->n_edges = (int16_t)(n_edges - z->first_edge);
    }
    t->n_vertices = n_vertices;
}

/* Some triangles of a leaf: their nodes, each once, and by n first, n second and n third corners which of them these
 * are. */
typedef struct leaf_part {
    int32_t nodes[3 * BVH_LEAF];
    uint8_t corners[3 * BVH_LEAF];
    int n, n_nodes;
} leaf_part;

static leaf_part part_of_zone(const bvh *t, const zone *z, int from, int to)
{
    leaf_part p = {.n = to - from};
    for (int k = 0; k < 3 * p.n; k++) {
        int32_t vi = t->node[3 * (z->first + from) + k];
        int i = 0;
        while (i < p.n_nodes && p.nodes[i] != vi)
            i++;
        p.nodes[i] = vi;
        p.n_nodes += i == p.n_nodes;
        p.corners[k % 3 * p.n + k / 3] = (uint8_t)i;
    }
    return p;
}

/* How a leaf is fitted: by twos; as two halves, since it has too many nodes; or apart, since halves have, too, or a
 * corner is one with another node, or there is no node behind one (math/normal_pair.h). */
typedef enum leaf_kind { LEAF_PAIRED, LEAF_HALVED, LEAF_APART } leaf_kind;

static leaf_kind layout_kind(const bvh *t, const zone *z)
{
    bool apart = false;
    for (int32_t ti = z->first; ti < z->first + z->n; ti++)
        apart = apart || (t->owns[ti] & 64) != 0;
    for (int32_t i = z->first_node; i < z->first_node + z->n_nodes; i++)
        apart = apart || t->leaf_nodes[i] == t->n_nodes - 1;
    if (!apart && z->n_nodes <= NORMAL_NODES)
        return LEAF_PAIRED;
    apart = apart || part_of_zone(t, z, 0, z->n / 2).n_nodes > NORMAL_NODES ||
            part_of_zone(t, z, z->n / 2, z->n).n_nodes > NORMAL_NODES;
    return apart ? LEAF_APART : LEAF_HALVED;
}

/* The leaf that follows in the order of triangles: from the root down, each zone's children are in a row. */
static int32_t next_leaf(const bvh *t, int32_t zi)
{
    while (zi > 0 && zi + 1 == t->zones[t->zones[zi].parent].first_child + t->zones[t->zones[zi].parent].n_children)
        zi = t->zones[zi].parent;
    zi++;
    while (zi < t->n_zones && t->zones[zi].n_children > 0)
        zi = t->zones[zi].first_child;
    return zi;
}

static int32_t first_leaf(const bvh *t)
{
    int32_t zi = 0;
    while (t->zones[zi].n_children > 0)
        zi = t->zones[zi].first_child;
    return zi;
}

static void put_part(normal_pair *pair, int half, int32_t zi, const leaf_part *p)
{
    normal_pair_set(pair, half, zi, p->nodes, p->n_nodes, p->corners, p->n);
}

/* Two parts of a leaf, which may be the same; what the second gives goes behind all zones. Pairs are listed in order of
 * their numbers. */
static void put_halves(bvh *t, int32_t i, int32_t zi, const leaf_part *a, const leaf_part *b)
{
    put_part(&t->pairs[i], 0, zi, a);
    put_part(&t->pairs[i], 1, t->n_zones + t->n_halved, b);
    int32_t at = t->n_halved++;
    for (; at > 0 && t->halved[at - 1] > i; at--)
        t->halved[at] = t->halved[at - 1];
    t->halved[at] = i;
}

/* Of an odd number of leaves that go by twos, the last stands for itself. */
static void fill_pairs(bvh *t, int32_t n_leaves)
{
    int32_t n = 0, n_apart = 0, open = -1;
    for (int32_t zi = first_leaf(t), i = 0; i < n_leaves; i++, zi = next_leaf(t, zi)) {
        const zone *z = &t->zones[zi];
        leaf_kind kind = layout_kind(t, z);
        leaf_part all = part_of_zone(t, z, 0, kind == LEAF_HALVED ? z->n / 2 : z->n);
        if (kind == LEAF_APART)
            t->apart[n_apart++] = zi;
        else if (kind == LEAF_HALVED) {
            leaf_part rest = part_of_zone(t, z, z->n / 2, z->n);
            put_halves(t, n++, zi, &all, &rest);
        } else {
            put_part(&t->pairs[open < 0 ? n : open], open >= 0, zi, &all);
            open = open < 0 ? n++ : -1;
        }
    }
    if (open >= 0) {
        leaf_part all = part_of_zone(t, &t->zones[t->pairs[open].zone[0]], 0, t->zones[t->pairs[open].zone[0]].n);
        put_halves(t, open, t->pairs[open].zone[0], &all, &all);
    }
}

/* Leaves for fitting. */
static bool list_leaves(bvh *t)
{
    int32_t n[3] = {0};
    for (int32_t zi = 0; zi < t->n_zones; zi++)
        if (t->zones[zi].n_children == 0)
            n[layout_kind(t, &t->zones[zi])]++;
    int32_t n_halved = n[LEAF_HALVED] + n[LEAF_PAIRED] % 2;
    t->n_pairs = n[LEAF_PAIRED] / 2 + n_halved;
    t->n_apart = n[LEAF_APART];
    t->n_fitted = t->n_zones + n_halved;
    mem *m = t->mem;
    if (!MEM_MAKE(m, t->pairs, t->n_pairs) || !MEM_MAKE(m, t->apart, t->n_apart) || !MEM_MAKE(m, t->halved, n_halved))
        return false;
    fill_pairs(t, n[LEAF_PAIRED] + n[LEAF_HALVED] + n[LEAF_APART]);
    return true;
}

/* The nodes of leaves' triangles, each once, and at each corner which of them it is. */
static bool list_nodes(bvh *t)
{
    for (int32_t zi = 0; zi < t->n_zones; zi++) {
        zone *z = &t->zones[zi];
        if (z->n_children > 0)
            continue;
        leaf_part all = part_of_zone(t, z, 0, z->n);
        memcpy(t->corner_at + 3 * (int64_t)z->first, all.corners, 3 * (size_t)z->n);
        z->n_nodes = (uint8_t)all.n_nodes;
        z->first_node = (int32_t)t->n_leaf_nodes;
        t->n_leaf_nodes += all.n_nodes;
    }
    if (!MEM_MAKE(t->mem, t->leaf_nodes, t->n_leaf_nodes))
        return false;
    for (int32_t zi = 0; zi < t->n_zones; zi++) {
        const zone *z = &t->zones[zi];
        if (z->n_children == 0)
            memcpy(t->leaf_nodes + z->first_node, part_of_zone(t, z, 0, z->n).nodes,
                   z->n_nodes * sizeof *t->leaf_nodes);
    }
    return true;
}

/* Whether two nodes are one. */
static bool joins(const bvh_input *in)
{
    bool any = false;
    for (int32_t vi = 0; vi < in->n_nodes && !any; vi++)
        any = common_of(in, vi) != vi;
    return any;
}

static bool make_commons(bvh *t, const bvh_input *in)
{
    if (joins(in))
        return MEM_MAKE(t->mem, t->common, 3 * (int64_t)t->n_triangles) &&
               MEM_MAKE(t->mem, t->vertex_common, t->n_nodes) && MEM_MAKE(t->mem, t->edge_common, t->n_edges);
    t->common = t->node;
    return true;
}

static bool make_tree_arrays(bvh *t, const bvh_input *in)
{
    mem *m = t->mem;
    int32_t n = t->n_triangles;
    return MEM_MAKE(m, t->id, n) && MEM_MAKE(m, t->node, 3 * (int64_t)n) && make_commons(t, in) &&
           MEM_MAKE(m, t->twin, 3 * (int64_t)n) && MEM_MAKE(m, t->owns, n) &&
           MEM_MAKE(m, t->corner_at, 3 * (int64_t)n) && MEM_MAKE(m, t->vertex_at, t->n_nodes) &&
           MEM_MAKE(m, t->edge_at, t->n_edges) && MEM_MAKE(m, t->vertices, t->n_nodes) &&
           MEM_MAKE(m, t->edge_id, t->n_edges);
}

/* The zones so far have room for everything in the draft. */
static bool trim_zones(bvh *t, int32_t n_made)
{
    zone *z = mem_resized(t->mem, t->zones, n_made, t->n_zones, sizeof *z);
    if (!z) {
        MEM_FREE(t->mem, t->zones, n_made);
        return false;
    }
    t->zones = z;
    return MEM_MAKE(t->mem, t->proven_at, t->n_zones);
}

bool bvh_lay_out(bvh *t, const bvh_input *in, const half_edges *s, const draft *d)
{
    t->n_nodes = in->n_nodes;
    t->n_triangles = in->n_triangles;
    t->n_objects = in->n_objects;
    if (in->n_triangles == 0)
        return true;
    layout l;
    bool ok =
        layout_create(&l, t->mem, d, t->n_triangles) && make_tree_arrays(t, in) && MEM_MAKE(t->mem, t->zones, d->n);
    if (ok) {
        find_children(&l);
        count_below(&l, t->n_triangles);
        int32_t root = 0;
        while (d->parent[root] >= 0)
            root = d->parent[root];
        list_zones(t, &l, in, root);
        ok = trim_zones(t, d->n);
    }
    if (ok) {
        mark_objects(t, in);
        order_triangles(t, in, s, &l);
        ok = list_nodes(t) && list_leaves(t);
        list_owned(t, s);
        ok = ok && list_depths(t) && adjacency_create(t) && contours_create(t);
    }
    layout_destroy(&l, t->mem, t->n_triangles);
    return ok;
}
