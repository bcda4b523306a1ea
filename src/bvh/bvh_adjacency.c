/* SPDX-License-Identifier: MIT */
/* Which zones have a common vertex (volino1994 §2.3.3).
 *
 * The paper keeps a few vertices for each zone, where its neighbours change, and looks for the other zone's
 * triangles at them. That finds neighbours over edges; two zones that meet in one vertex may have it in neither
 * list. Weft goes down in pairs of one depth instead, and keeps for each zone the list of its neighbours of the same
 * depth (where the tree ends higher up, the leaf there). On a surface there are about six. The test is exact, in
 * O(log of that).
 *
 * Lists are made from the deepest zones up: a vertex knows the zones around it, these are replaced by their parents,
 * and vertices that are left with one zone are dropped, so the work falls geometrically. A vertex with more than
 * BVH_RING_ZONES zones around it tells nothing: zones that meet only there count as strangers, which is never wrong,
 * only slow. */
#include "bvh/bvh_inside.h"

#include <stdlib.h>
#include <string.h>

typedef struct rings {
    int32_t n;      /* vertices */
    int32_t *start; /* n + 1 */
    int32_t *zones;
} rings;

typedef struct builder {
    bvh *t;
    rings r;
    int32_t *count; /* per zone */
    int32_t *entries;
    int64_t capacity; /* of entries */
    int64_t room;     /* of t->neighbours */
} builder;

/* Sorts a short list and drops what is there twice; its new length. */
static int32_t tidy(int32_t *list, int32_t n)
{
    int32_t n_kept = 0;
    for (int32_t i = 0; i < n; i++) {
        int32_t z = list[i], j = n_kept;
        while (j > 0 && list[j - 1] > z)
            j--;
        if (j > 0 && list[j - 1] == z)
            continue;
        memmove(list + j + 1, list + j, (size_t)(n_kept - j) * sizeof *list);
        list[j] = z;
        n_kept++;
    }
    return n_kept;
}

static int compare_numbers(const void *a, const void *b)
{
    const int32_t *p = a, *q = b;
    return (*p > *q) - (*p < *q);
}

static int32_t tidy_any(int32_t *list, int32_t n)
{
    if (n <= 64)
        return tidy(list, n);
    qsort(list, (size_t)n, sizeof *list, compare_numbers);
    int32_t n_kept = 1;
    for (int32_t i = 1; i < n; i++)
        if (list[i] != list[n_kept - 1])
            list[n_kept++] = list[i];
    return n_kept;
}

/* Leaves around each vertex; vertices with one leaf are left out at once. */
static bool rings_create(rings *r, bvh *t)
{
    int32_t n = t->n_nodes;
    if (!MEM_MAKE(t->mem, r->start, n + 1) || !MEM_MAKE(t->mem, r->zones, 3 * (int64_t)t->n_triangles))
        return false;
    r->n = n;
    for (int32_t ti = 0; ti < t->n_triangles; ti++)
        for (int k = 0; k < 3; k++)
            r->start[t->common[3 * ti + k] + 1]++;
    for (int32_t vi = 0; vi < n; vi++)
        r->start[vi + 1] += r->start[vi];
    for (int32_t zi = 0; zi < t->n_zones; zi++) {
        const zone *z = &t->zones[zi];
        for (int32_t ti = z->first; z->n_children == 0 && ti < z->first + z->n; ti++)
            for (int k = 0; k < 3; k++)
                r->zones[r->start[t->common[3 * ti + k]]++] = zi;
    }
    for (int32_t vi = n; vi > 0; vi--)
        r->start[vi] = r->start[vi - 1];
    r->start[0] = 0;
    return true;
}

/* Zones of this depth or deeper give way to their parents (depth < 0: none does); vertices with one zone are
 * dropped. */
static void rings_climb(rings *r, const bvh *t, int32_t depth)
{
    int32_t n_kept = 0, at = 0, first = 0;
    for (int32_t i = 0; i < r->n; i++) {
        int32_t end = r->start[i + 1], n = end - first;
        int32_t *list = r->zones + first;
        for (int32_t j = 0; j < n; j++)
            if (t->zones[list[j]].depth == depth)
                list[j] = t->zones[list[j]].parent;
        n = tidy_any(list, n);
        if (n > 1) {
            memmove(r->zones + at, list, (size_t)n * sizeof *list);
            r->start[n_kept++] = at;
            at += n;
        }
        first = end;
    }
    r->start[n_kept] = at;
    r->n = n_kept;
}

static bool make_neighbour_room(builder *b, int64_t n)
{
    if (n <= b->room)
        return true;
    int64_t room = n + b->room / 2 + 1024;
    int32_t *more = mem_resized(b->t->mem, b->t->neighbours, b->room, room, sizeof *more);
    if (!more)
        return false;
    b->t->neighbours = more;
    b->room = b->t->n_neighbours = room;
    return true;
}

static bool trim_neighbours(builder *b, int64_t n)
{
    bvh *t = b->t;
    if (n == b->room || n == 0)
        return true;
    int32_t *less = mem_resized(t->mem, t->neighbours, b->room, n, sizeof *less);
    if (!less)
        return false;
    t->neighbours = less;
    t->n_neighbours = n;
    return true;
}

static bool make_entries(builder *b, int64_t n)
{
    if (n <= b->capacity)
        return true;
    MEM_FREE(b->t->mem, b->entries, b->capacity);
    b->capacity = 0;
    if (!MEM_MAKE(b->t->mem, b->entries, n))
        return false;
    b->capacity = n;
    return true;
}

/* Calls for each zone of `depth` with each other zone at a vertex: first to count, then to list. */
static void list_neighbours(builder *b, int32_t depth, bool count)
{
    const rings *r = &b->r;
    for (int32_t i = 0; i < r->n; i++) {
        int32_t first = r->start[i], end = r->start[i + 1];
        if (end - first > BVH_RING_ZONES) {
            b->t->has_hubs = true;
            continue;
        }
        for (int32_t j = first; j < end; j++) {
            int32_t zi = r->zones[j];
            if (b->t->zones[zi].depth != depth)
                continue;
            if (count)
                b->count[zi] += end - first - 1;
            for (int32_t l = first; !count && l < end; l++)
                if (l != j)
                    b->entries[b->count[zi]++] = r->zones[l];
        }
    }
}

static bool list_depth(builder *b, int32_t depth, int64_t *n_all)
{
    bvh *t = b->t;
    int32_t first = t->depth_start[depth], end = t->depth_start[depth + 1];
    int64_t sum = 0;
    list_neighbours(b, depth, true);
    for (int32_t zi = first; zi < end; zi++) {
        int32_t n = b->count[zi];
        b->count[zi] = (int32_t)sum;
        sum += n;
    }
    if (sum > INT32_MAX || !make_entries(b, sum) || !make_neighbour_room(b, *n_all + sum))
        return false;
    list_neighbours(b, depth, false);
    for (int32_t zi = first, at = 0; zi < end; zi++) {
        int32_t n = b->count[zi] == at ? 0 : tidy_any(b->entries + at, b->count[zi] - at);
        if (n > 0)
            memcpy(t->neighbours + *n_all, b->entries + at, (size_t)n * sizeof *t->neighbours);
        at = b->count[zi];
        t->neighbour_start[zi] = (int32_t)*n_all;
        *n_all += n;
        b->count[zi] = n; /* from here on: its length */
    }
    return true;
}

/* Depths come from the deepest up, so lists do not stand in the order of zones: a list's length is in its zone's place
 * behind the starts. */
bool adjacency_create(bvh *t)
{
    builder b = {.t = t};
    int64_t n_all = 0;
    bool ok = MEM_MAKE(t->mem, t->neighbour_start, t->n_zones) && MEM_MAKE(t->mem, b.count, t->n_zones) &&
              rings_create(&b.r, t);
    for (int32_t depth = t->depth - 1; ok && depth > 0; depth--) {
        rings_climb(&b.r, t, depth + 1);
        ok = list_depth(&b, depth, &n_all);
    }
    ok = ok && trim_neighbours(&b, n_all);
    t->neighbour_count = b.count;
    MEM_FREE(t->mem, b.entries, b.capacity);
    MEM_FREE(t->mem, b.r.start, t->n_nodes + 1);
    MEM_FREE(t->mem, b.r.zones, 3 * (int64_t)t->n_triangles);
    return ok;
}

int32_t adjacency_place(const bvh *t, int32_t zi, int32_t zj)
{
    int32_t n = t->neighbour_count[zi], lo = 0, hi = n;
    const int32_t *list = n > 0 ? t->neighbours + t->neighbour_start[zi] : NULL;
    /* Most lists are so short that a processor, who cannot guess how halving goes on, is done sooner without. */
    int32_t found = -1;
    for (int32_t i = 0; n <= BVH_SHORT_LIST && i < n; i++)
        found = list[i] == zj ? i : found;
    while (n > BVH_SHORT_LIST && lo < hi) {
        int32_t middle = (lo + hi) / 2;
        if (list[middle] < zj)
            lo = middle + 1;
        else
            hi = middle;
    }
    if (n > BVH_SHORT_LIST && lo < n && list[lo] == zj)
        found = lo;
    return found < 0 ? -1 : t->neighbour_start[zi] + found;
}

bool adjacency_of(const bvh *t, int32_t zi, int32_t zj)
{
    bool above = t->zones[zi].depth < t->zones[zj].depth;
    return adjacency_place(t, above ? zj : zi, above ? zi : zj) >= 0;
}
