/* SPDX-License-Identifier: MIT */
/* Patches: zones with a common direction that are proven to be simple together, before the walk.
 *
 * The walk meets zones by twos, and would prove one pair of neighbours at a time. Where a surface is smooth over many
 * zones, though no one zone of the tree has them all, this is a contour for each pair, and nearly all of its edges are
 * looked at again for other pairs. So the topmost zones that have a direction are joined with their neighbours for as
 * long as there is one that all of them have, and the contour of the whole is tested once. What lies within a proven
 * patch does not collide: bvh_simple.c shows it for any set of triangles. Pairs of different patches, and those of a
 * patch whose contour does not show that it is simple, are asked by the walk as ever.
 *
 * The contour of a patch is what of its zones' contours does not border on another of its zones: half-edges whose
 * triangle beyond does not carry the patch's stamp. It comes in pieces, which are put in a row so that each begins
 * where the last one ends. Several may begin there; which is taken does not matter, for what the ring tells is how
 * often all edges together go round a point. Where they are more than one ring, nothing is told.
 *
 * Zones are joined in the order of the tree, and proofs do not depend on each other, so that patches are the same
 * whatever the number of threads. */
#include "bvh/bvh_simple.h"

#include <string.h>

#include "base/union_find.h"

enum {
    PATCH_EDGES = PLANAR_LOOP, /* of a patch's contour; longer rings have one way less to be told simple */
};

/* A part of a contour's list. */
typedef struct piece {
    int32_t place, n;
    int32_t from, to; /* common nodes */
} piece;

/* The topmost zone with a direction over one that has, or itself. */
static int32_t top_of(const bvh *t, int32_t zi)
{
    while (zi > 0 && t->zone_mask[t->zones[zi].parent] != 0)
        zi = t->zones[zi].parent;
    return zi;
}

bool patch_has(const bvh *t, int32_t zi, int32_t zj)
{
    if (!t->has_patches)
        return false;
    int32_t root = t->patch_root[top_of(t, zi)];
    return root >= 0 && (zj < 0 || t->patch_root[top_of(t, zj)] == root);
}

/* ---- joining zones ----------------------------------------------------------------------------------------------- */

/* Each topmost zone with a direction as a patch of its own. Fixed ones are not walked within, nor among each other. */
static void list_tops(bvh *t, int32_t zi)
{
    const zone *z = &t->zones[zi];
    if (z->fixed)
        return;
    if (t->zone_mask[zi] == 0) {
        for (int32_t c = z->first_child; c < z->first_child + z->n_children; c++)
            list_tops(t, c);
        return;
    }
    t->patches[zi] = (patch){.mask = t->zone_mask[zi], .next = zi, .n_edges = t->contour_count[zi]};
    t->patch_root[zi] = zi;
    t->patch_list[t->n_patches++] = zi;
}

/* Two zones that have so many common edges. */
static void join_patches(bvh *t, int32_t zi, int32_t zj, int32_t n_common)
{
    int32_t root = union_find_root(t->patch_root, zi), other = union_find_root(t->patch_root, zj);
    patch *p = &t->patches[root], *q = &t->patches[other];
    uint64_t mask = p->mask & q->mask;
    int32_t n_edges = p->n_edges + (root != other ? q->n_edges : 0) - 2 * n_common;
    if (root == other)
        p->n_edges = n_edges;
    if (root == other || mask == 0 || n_edges > PATCH_EDGES)
        return;
    /* Two circles become one if their successors are exchanged. */
    int32_t next = t->patches[zi].next;
    t->patches[zi].next = t->patches[zj].next;
    t->patches[zj].next = next;
    p = &t->patches[union_find_join(t->patch_root, root, other)];
    p->mask = mask;
    p->n_edges = n_edges;
}

/* Over edges only: zones that meet in a vertex have no one ring. A zone knows neighbours of its depth, and what lies
 * deeper knows it; two of one depth know each other, so the latter of them asks. */
static void join_neighbour_patches(bvh *t, int32_t zi)
{
    const uint64_t *masks = t->zone_mask, mask = masks[zi];
    for (int32_t i = t->neighbour_start[zi], end = i + t->neighbour_count[zi]; i < end; i++) {
        int32_t zj = t->neighbours[i];
        if ((mask & masks[zj]) == 0 || t->stretches[i].n < 0)
            continue;
        int32_t other = top_of(t, zj);
        if ((other != zj || zj < zi) && t->patch_root[other] >= 0 && t->contour_loops[other] == 1)
            join_patches(t, zi, other, t->contour_count[zi] - t->stretches[i].n);
    }
}

/* ---- contours ---------------------------------------------------------------------------------------------------- */

/* A zone's triangles that lie along its contour, or, where this is sooner done, all of them. */
static void stamp_zone(const bvh *t, int32_t zi, int32_t stamp)
{
    const int32_t first = t->zones[zi].first, n = t->zones[zi].n, start = t->contour_start[zi];
    const int32_t n_rim = t->contour_count[zi];
    int32_t *at = t->patch_at;
    if (n <= BVH_STAMP_ALL * n_rim)
        for (int32_t ti = first; ti < first + n; ti++)
            at[ti] = stamp;
    else
        for (int32_t i = start; i < start + n_rim; i++)
            at[contour_entry(t, i) / 3] = stamp;
}

static void stamp_patch(bvh *t, int32_t root)
{
    int32_t zi = root;
    do {
        t->patch_root[zi] = root;
        stamp_zone(t, zi, 1 + root);
        zi = t->patches[zi].next;
    } while (zi != root);
}

static int32_t common_at(const bvh *t, int32_t place)
{
    return t->common[contour_entry(t, place)];
}

/* Appends the pieces of a zone's contour; their number with those before, -1: too many. */
static int32_t add_pieces(const bvh *t, int32_t zi, int32_t stamp, piece *pieces, int32_t n)
{
    int32_t first = t->contour_start[zi], end = first + t->contour_count[zi];
    bool open = false;
    for (int32_t i = first; i < end; i++) {
        int32_t beyond = contour_beyond(t, i);
        bool within = beyond >= 0 && t->patch_at[beyond] == stamp;
        if (within && open)
            pieces[n - 1].to = common_at(t, i);
        if (!within && !open) {
            if (n == BVH_PATCH_PIECES)
                return -1;
            pieces[n++] = (piece){.place = i, .from = common_at(t, i)};
        }
        open = !within;
        if (open)
            pieces[n - 1].n++;
    }
    if (open)
        pieces[n - 1].to = common_at(t, first);
    return n;
}

static int32_t find_contour_piece(const piece *pieces, int32_t n, int32_t from)
{
    int32_t i = 0;
    while (i < n && (pieces[i].n == 0 || pieces[i].from != from))
        i++;
    return i < n ? i : -1;
}

/* Puts all pieces in a row; false: they are not one ring. */
static bool link_pieces(const bvh *t, piece *pieces, int32_t n, planar_ring *r)
{
    int32_t at = 0;
    r->n = 0;
    for (int32_t k = 0; k < n; k++) {
        piece *s = &pieces[at];
        if (at < 0 || r->n + s->n > PLANAR_RING)
            return false;
        memcpy(r->node + r->n, t->rim_node + s->place, (size_t)s->n * sizeof *r->node);
        r->n += s->n;
        s->n = 0;
        at = k + 1 < n ? find_contour_piece(pieces, n, s->to) : at;
    }
    return n > 0 && pieces[at].to == pieces[0].from;
}

static bool is_simple_patch(const bvh *t, int32_t root, int32_t *n_edges)
{
    piece pieces[BVH_PATCH_PIECES];
    planar_ring r;
    contour c;
    int32_t n = 0, zi = root;
    do {
        n = add_pieces(t, zi, 1 + root, pieces, n);
        zi = t->patches[zi].next;
    } while (n >= 0 && zi != root);
    *n_edges = 0;
    if (n < 0 || !link_pieces(t, pieces, n, &r))
        return false;
    *n_edges = r.n;
    contour_prepare(&c, t, t->patches[root].mask);
    return r.n >= 3 && contour_ring_is_simple(&c, &r);
}

/* Takes a patch apart. */
static void drop(bvh *t, int32_t root)
{
    int32_t zi = root;
    do {
        t->patch_root[zi] = -1;
        zi = t->patches[zi].next;
    } while (zi != root);
}

static void prove(void *context, int32_t i)
{
    bvh *t = context;
    int32_t root = t->patch_list[i];
    if (!is_simple_patch(t, root, &t->patches[root].n_edges))
        drop(t, root);
}

/* ---- all of them ------------------------------------------------------------------------------------------------- */

/* All that a query needs, with no zone in a patch and no triangle of one. */
static bool take_patches(bvh *t)
{
    int64_t n = t->n_zones;
    if (!ARENA_TAKE(t->scratch, t->patches, n) || !ARENA_TAKE(t->scratch, t->patch_root, n) ||
        !ARENA_TAKE(t->scratch, t->patch_list, n) || !ARENA_TAKE(t->scratch, t->patch_at, t->n_triangles))
        return false;
    memset(t->patch_root, -1, (size_t)n * sizeof *t->patch_root);
    memset(t->patch_at, 0, (size_t)t->n_triangles * sizeof *t->patch_at);
    return true;
}

/* Roots of patches, in place of the list of all zones. One zone or two by themselves are left to the walk. */
static void list_patches(bvh *t)
{
    int32_t n = 0;
    for (int32_t i = 0; i < t->n_patches; i++) {
        int32_t zi = t->patch_list[i];
        if (t->patch_root[zi] != zi)
            continue;
        if (t->patches[t->patches[zi].next].next == zi)
            drop(t, zi);
        else {
            stamp_patch(t, zi);
            t->patch_list[n++] = zi;
        }
    }
    t->n_patches = n;
}

bool patches_make(bvh *t, pool *p, bvh_counters *counters)
{
    if (!take_patches(t))
        return false;
    t->n_patches = 0;
    list_tops(t, 0);
    for (int32_t i = 0; i < t->n_patches; i++)
        if (t->contour_loops[t->patch_list[i]] == 1)
            join_neighbour_patches(t, t->patch_list[i]);
    list_patches(t);
    pool_for(p, t->n_patches, prove, t);
    for (int32_t i = 0; i < t->n_patches; i++) {
        counters->contour_tests++;
        counters->contour_edges += t->patches[t->patch_list[i]].n_edges;
        counters->contour_refused += t->patch_root[t->patch_list[i]] < 0;
    }
    return true;
}
