/* SPDX-License-Identifier: MIT */
/* Contours: for each zone the half-edges whose neighbour lies outside, loop by loop, in the order in which they
 * follow each other with the zone on their left.
 *
 * Where a zone touches itself in a vertex, several passes of the contour go through it. Which half-edge follows
 * which is found by turning about the vertex through the zone's own triangles, so each pass stays with its sector. A
 * parent's contour is made of what is left of its children's. Lengths fall like the root of a zone's size, so that
 * all lists together are a few numbers for each triangle. The first half-edge of a loop is stored as its complement. */
#include "bvh/bvh_inside.h"

static bool inside(const zone *p, const zone *q, int32_t he)
{
    return he >= 0 && (zone_has(p, he / 3) || (q && zone_has(q, he / 3)));
}

int32_t contour_next(const bvh *t, const zone *p, const zone *q, int32_t he)
{
    const int32_t *twin = t->twin;
    int32_t h = next_side(he);
    while (inside(p, q, twin[h]))
        h = next_side(twin[h]);
    return h;
}

int32_t contour_past(const bvh *t, const zone *p, const zone *q, int32_t he)
{
    const int32_t *twin = t->twin;
    int32_t h = past_side(he);
    while (inside(p, q, twin[h]))
        h = past_side(twin[h]);
    return h;
}

typedef struct builder {
    bvh *t;
    int32_t *seen; /* per half-edge: 1 + the last zone whose contour has it */
    int64_t n, room;
} builder;

static bool make_contour_room(builder *b, int64_t n)
{
    if (b->n + n <= b->room)
        return true;
    int64_t room = b->n + n + b->room / 2 + 1024;
    int32_t *more = mem_resized(b->t->mem, b->t->contours, b->room, room, sizeof *more);
    if (!more)
        return false;
    b->t->contours = more;
    b->room = b->t->n_contours = room;
    return true;
}

static bool trim_contours(builder *b)
{
    bvh *t = b->t;
    if (b->n == b->room || b->n == 0)
        return true;
    int32_t *less = mem_resized(t->mem, t->contours, b->room, b->n, sizeof *less);
    if (!less)
        return false;
    t->contours = less;
    t->n_contours = b->n;
    return true;
}

static void add_contour_loop(builder *b, int32_t zi, int32_t he)
{
    const zone *z = &b->t->zones[zi];
    if (b->seen[he] == zi + 1 || inside(z, NULL, b->t->twin[he]))
        return;
    int32_t h = he;
    uint8_t *n_loops = &b->t->contour_loops[zi];
    *n_loops = (uint8_t)(*n_loops + (*n_loops < UINT8_MAX));
    do {
        b->seen[h] = zi + 1;
        b->t->contours[b->n++] = h == he ? ~h : h;
        h = contour_next(b->t, z, NULL, h);
    } while (h != he);
}

static bool add_zone(builder *b, int32_t zi)
{
    bvh *t = b->t;
    const zone *z = &t->zones[zi];
    int64_t most = 0;
    if (z->n_children == 0)
        most = 3 * z->n;
    for (int32_t c = z->first_child; c < z->first_child + z->n_children; c++)
        most += t->contour_count[c];
    if (!make_contour_room(b, most))
        return false;
    t->contour_start[zi] = (int32_t)b->n;
    for (int32_t he = 3 * z->first; z->n_children == 0 && he < 3 * (z->first + z->n); he++)
        add_contour_loop(b, zi, he);
    for (int32_t c = z->first_child; c < z->first_child + z->n_children; c++)
        for (int32_t i = 0; i < t->contour_count[c]; i++) {
            int32_t he = t->contours[t->contour_start[c] + i];
            add_contour_loop(b, zi, he < 0 ? ~he : he);
        }
    t->contour_count[zi] = (int32_t)(b->n - t->contour_start[zi]);
    return b->n <= INT32_MAX;
}

static bool list_contour_sides(bvh *t, int64_t n)
{
    t->n_sides = n;
    if (!MEM_MAKE(t->mem, t->rim_node, n))
        return false;
    for (int32_t i = 0; i < n; i++)
        t->rim_node[i] = t->node[contour_entry(t, i)];
    return true;
}

static bool borders_on(const bvh *t, int32_t place, int32_t zj)
{
    int32_t beyond = contour_beyond(t, place);
    return beyond >= 0 && zone_has(&t->zones[zj], beyond);
}

static stretch find_stretch(const bvh *t, int32_t zi, int32_t zj)
{
    int32_t first = t->contour_start[zi], n = t->contour_count[zi], n_changes = 0, at[2] = {0, 0};
    if (n == 0)
        return (stretch){0, STRETCH_NONE};
    bool past = borders_on(t, first + n - 1, zj), begins = past;
    for (int32_t i = 0; i < n; i++) {
        bool now = borders_on(t, first + i, zj);
        if (now != past && n_changes++ < 2)
            at[n_changes - 1] = i;
        past = now;
    }
    if (n_changes == 0 && !past)
        return (stretch){0, STRETCH_NONE};
    if (n_changes != 2 || t->contour_loops[zi] != 1 || n > INT16_MAX)
        return (stretch){0, STRETCH_OTHER};
    return begins ? (stretch){(int16_t)at[0], (int16_t)(at[1] - at[0])}
                  : (stretch){(int16_t)at[1], (int16_t)(n - at[1] + at[0])};
}

/* For each neighbour of each zone, so that the contour of a union need not be looked for. */
static bool list_stretches(bvh *t)
{
    if (!MEM_MAKE(t->mem, t->stretches, t->n_neighbours))
        return false;
    for (int32_t zi = 0; zi < t->n_zones; zi++)
        for (int32_t i = t->neighbour_start[zi], k = 0; k < t->neighbour_count[zi]; i++, k++)
            t->stretches[i] = find_stretch(t, zi, t->neighbours[i]);
    return true;
}

stretch contour_stretch(const bvh *t, int32_t zi, int32_t zj)
{
    const zone *p = &t->zones[zi], *q = &t->zones[zj];
    int32_t place = adjacency_place(t, zi, zj);
    if (place >= 0)
        return t->stretches[place];
    bool is_known = !t->has_hubs && (p->depth == q->depth || (p->depth > q->depth && q->n_children == 0));
    return is_known ? (stretch){0, STRETCH_NONE} : find_stretch(t, zi, zj);
}

bool contours_create(bvh *t)
{
    builder b = {.t = t};
    bool ok = MEM_MAKE(t->mem, t->contour_start, t->n_zones) && MEM_MAKE(t->mem, t->contour_count, t->n_zones) &&
              MEM_MAKE(t->mem, t->contour_loops, t->n_zones) && MEM_MAKE(t->mem, b.seen, 3 * (int64_t)t->n_triangles);
    for (int32_t zi = t->n_zones - 1; ok && zi >= 0; zi--)
        ok = add_zone(&b, zi);
    ok = ok && trim_contours(&b) && list_contour_sides(t, b.n) && list_stretches(t);
    MEM_FREE(t->mem, b.seen, 3 * (int64_t)t->n_triangles);
    return ok;
}
