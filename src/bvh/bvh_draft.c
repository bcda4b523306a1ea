/* SPDX-License-Identifier: MIT */
/* Forming zones: neighbours are grouped bottom-up, round by round, until each connected piece is one zone
 * (volino1994 §2.3.1).
 *
 * In a round all pairs of neighbours are put in order of the shape factor √S/D that they would have together, S the
 * area and D the perimeter, and joined from the best down, as long as both are free. What is left over joins the
 * neighbouring group that it fits best. So groups have two members or three, and there are O(log n) rounds. The
 * paper has about three; with two the walk over a sphere takes half the calls, and with the best pair first rather
 * than zone after zone a fifth less again.
 *
 * Triangles of one element, and elements of one parent, are joined first: root elements are what the rounds begin
 * with. Pieces of one object that do not hang together, and then the objects, are joined by halving them at the
 * median of their centres. */
#include "bvh/bvh_inside.h"

#include <stdlib.h>
#include <string.h>

/* What is to be grouped in a round, with its neighbours. */
typedef struct graph {
    int32_t n, n_links;
    int32_t *id; /* in the draft */
    int32_t *object;
    double *area, *rim;
    vec3 *centre;   /* weighted by area */
    int32_t *start; /* n + 1 */
    int32_t *to;
    double *length; /* of the common border, per link */
} graph;

/* Two neighbours that might become one. */
typedef struct match {
    double shape;
    int32_t i, j;
} match;

typedef struct grouping {
    mem *m;
    draft *d;
    graph now, next;
    int32_t n_most, n_most_links;
    int32_t *group;   /* per thing of `now`; -1: free */
    int32_t *members; /* per group */
    double *area, *rim;
    match *matches;
    int32_t *first, *chain; /* members of a group as a list */
    int32_t *seen;          /* per group: place of the link to it, plus 1 */
} grouping;

static bool border_graph_create(graph *g, mem *m, int32_t n, int32_t n_links)
{
    *g = (graph){0};
    return MEM_MAKE(m, g->id, n) && MEM_MAKE(m, g->object, n) && MEM_MAKE(m, g->area, n) && MEM_MAKE(m, g->rim, n) &&
           MEM_MAKE(m, g->centre, n) && MEM_MAKE(m, g->start, n + 1) && MEM_MAKE(m, g->to, n_links) &&
           MEM_MAKE(m, g->length, n_links);
}

static void border_graph_destroy(graph *g, mem *m, int32_t n, int32_t n_links)
{
    MEM_FREE(m, g->id, n);
    MEM_FREE(m, g->object, n);
    MEM_FREE(m, g->area, n);
    MEM_FREE(m, g->rim, n);
    MEM_FREE(m, g->centre, n);
    MEM_FREE(m, g->start, n + 1);
    MEM_FREE(m, g->to, n_links);
    MEM_FREE(m, g->length, n_links);
}

/* √S/D squared: the same order without the root. */
static double shape(double area, double rim)
{
    return area / (rim * rim + 1e-300);
}

/* The border that thing i has with a group. */
static double border_with(const grouping *g, int32_t i, int32_t group)
{
    double sum = 0;
    for (int32_t l = g->now.start[i]; l < g->now.start[i + 1]; l++)
        if (g->group[g->now.to[l]] == group)
            sum += g->now.length[l];
    return sum;
}

static double shape_with(const grouping *g, int32_t group, int32_t j)
{
    return shape(g->area[group] + g->now.area[j], g->rim[group] + g->now.rim[j] - 2 * border_with(g, j, group));
}

static void join_matches(grouping *g, int32_t group, int32_t j)
{
    double border = border_with(g, j, group);
    g->area[group] += g->now.area[j];
    g->rim[group] += g->now.rim[j] - 2 * border;
    g->group[j] = group;
    g->members[group]++;
    g->chain[j] = g->first[group];
    g->first[group] = j;
}

static int32_t best_group_beside(const grouping *g, int32_t i)
{
    int32_t best = -1;
    double most = -1;
    for (int32_t l = g->now.start[i]; l < g->now.start[i + 1]; l++) {
        int32_t group = g->group[g->now.to[l]];
        if (group < 0 || g->members[group] >= BVH_MOST_MEMBERS)
            continue;
        double s = shape_with(g, group, i);
        if (s > most) {
            most = s;
            best = group;
        }
    }
    return best;
}

static void open_group(grouping *g, int32_t group, int32_t i)
{
    g->area[group] = g->rim[group] = 0;
    g->members[group] = 0;
    g->first[group] = -1;
    join_matches(g, group, i);
}

static uint32_t scramble(uint32_t x)
{
    x = (x ^ x >> 16) * 0x7feb352du;
    x = (x ^ x >> 15) * 0x846ca68bu;
    return x ^ x >> 16;
}

/* A factor that tells seeds apart. */
static double noise(uint32_t seed, int32_t i, int32_t j)
{
    return seed == 0 ? 1 : 1 + 0.3 * (scramble(seed * 77777u + (uint32_t)i * 31u + (uint32_t)j) / 4294967296.0);
}

static int compare_matches(const void *a, const void *b)
{
    const match *p = a, *q = b;
    if (p->shape != q->shape)
        return p->shape > q->shape ? -1 : 1;
    return p->i != q->i ? p->i - q->i : p->j - q->j;
}

static int32_t list_matches(grouping *g, uint32_t seed)
{
    const graph *now = &g->now;
    int32_t n = 0;
    for (int32_t i = 0; i < now->n; i++)
        for (int32_t l = now->start[i]; l < now->start[i + 1]; l++) {
            int32_t j = now->to[l];
            if (j <= i)
                continue;
            double together = shape(now->area[i] + now->area[j], now->rim[i] + now->rim[j] - 2 * now->length[l]);
            g->matches[n++] = (match){together * noise(seed, i, j), i, j};
        }
    if (n > 0)
        qsort(g->matches, (size_t)n, sizeof *g->matches, compare_matches);
    return n;
}

static int32_t form_groups(grouping *g, uint32_t seed)
{
    int32_t n_groups = 0, n = g->now.n, n_matches = list_matches(g, seed);
    for (int32_t i = 0; i < n; i++)
        g->group[i] = -1;
    for (int32_t k = 0; k < n_matches; k++) {
        const match *m = &g->matches[k];
        if (g->group[m->i] >= 0 || g->group[m->j] >= 0)
            continue;
        open_group(g, n_groups, m->i);
        join_matches(g, n_groups++, m->j);
    }
    for (int32_t i = 0; i < n; i++) {
        int32_t group = g->group[i] < 0 ? best_group_beside(g, i) : -1;
        if (group >= 0)
            join_matches(g, group, i);
        else if (g->group[i] < 0)
            open_group(g, n_groups++, i);
    }
    return n_groups;
}

static void add_links(grouping *g, int32_t group, int32_t from)
{
    for (int32_t l = g->now.start[from]; l < g->now.start[from + 1]; l++) {
        int32_t to = g->group[g->now.to[l]];
        if (to == group)
            continue;
        if (g->seen[to] <= g->next.start[group]) {
            g->next.to[g->next.n_links] = to;
            g->next.length[g->next.n_links] = 0;
            g->seen[to] = ++g->next.n_links;
        }
        g->next.length[g->seen[to] - 1] += g->now.length[l];
    }
}

static void add_group(grouping *g, int32_t group)
{
    graph *next = &g->next;
    next->area[group] = g->area[group];
    next->rim[group] = g->rim[group];
    next->centre[group] = v3_zero();
    next->start[group] = next->n_links;
    next->object[group] = g->now.object[g->first[group]];
    bool alone = g->members[group] == 1;
    next->id[group] = alone ? g->now.id[g->first[group]] : g->d->n++;
    for (int32_t i = g->first[group]; i >= 0; i = g->chain[i]) {
        if (!alone)
            g->d->parent[g->now.id[i]] = next->id[group];
        next->centre[group] = v3_add(next->centre[group], g->now.centre[i]);
        add_links(g, group, i);
    }
}

/* One round; false: nothing could be joined any more. */
static bool group_round(grouping *g, uint32_t seed)
{
    int32_t n_groups = form_groups(g, seed);
    if (n_groups == g->now.n)
        return false;
    memset(g->seen, 0, (size_t)n_groups * sizeof *g->seen);
    g->next.n_links = 0;
    g->next.n = n_groups;
    for (int32_t i = 0; i < n_groups; i++)
        add_group(g, i);
    g->next.start[n_groups] = g->next.n_links;
    graph swap = g->now;
    g->now = g->next;
    g->next = swap;
    return true;
}

/* ---- what the rounds begin with ---------------------------------------------------------------------------------- */

static vec3 draft_corner(const bvh_input *in, int32_t ti, int k)
{
    return in->x[in->triangles[ti][k]];
}

static void add_to_draft(grouping *g, const bvh_input *in, const half_edges *s, const int32_t *root, int32_t ti)
{
    graph *now = &g->now;
    int32_t i = root[ti];
    vec3 a = draft_corner(in, ti, 0), b = draft_corner(in, ti, 1), c = draft_corner(in, ti, 2);
    double area = 0.5 * v3_len(v3_cross(v3_sub(b, a), v3_sub(c, a)));
    now->area[i] += area;
    now->centre[i] = v3_madd(now->centre[i], (area + 1e-300) / 3, v3_add(a, v3_add(b, c)));
    now->object[i] = in->object ? in->object[ti] : 0;
    for (int k = 0; k < 3; k++) {
        int32_t twin = s->twin[3 * ti + k];
        if (twin < 0 || root[twin / 3] != i)
            now->rim[i] += v3_len(v3_sub(draft_corner(in, ti, (k + 1) % 3), draft_corner(in, ti, k)));
    }
}

static bool links(const bvh_input *in, const half_edges *s, const int32_t *root, int32_t ti, int k)
{
    int32_t twin = s->twin[3 * ti + k];
    if (twin < 0 || root[twin / 3] == root[ti])
        return false;
    return !in->object || in->object[twin / 3] == in->object[ti];
}

static void add_neighbours(grouping *g, const bvh_input *in, const half_edges *s, const int32_t *root)
{
    graph *now = &g->now;
    for (int32_t ti = 0; ti < in->n_triangles; ti++)
        for (int k = 0; k < 3; k++)
            now->start[root[ti] + 1] += links(in, s, root, ti, k);
    for (int32_t i = 0; i < now->n; i++)
        now->start[i + 1] += now->start[i];
    now->n_links = now->start[now->n];
    for (int32_t ti = 0; ti < in->n_triangles; ti++)
        for (int k = 0; k < 3; k++)
            if (links(in, s, root, ti, k)) {
                int32_t l = now->start[root[ti]]++;
                now->to[l] = root[s->twin[3 * ti + k] / 3];
                now->length[l] = v3_len(v3_sub(draft_corner(in, ti, (k + 1) % 3), draft_corner(in, ti, k)));
            }
    for (int32_t i = now->n; i > 0; i--)
        now->start[i] = now->start[i - 1];
    now->start[0] = 0;
}

/* The root above an element, and how deep it lies under it. */
static int32_t climb(const bvh_input *in, int32_t element)
{
    for (int32_t up; in->element_parent && (up = in->element_parent[element]) >= 0;)
        element = up;
    return element;
}

/* Zones for the elements that have triangles below them, and for each triangle the number of its root element among
 * those that have some. Returns how many there are. slot: per element, -1. */
static int32_t join_elements(draft *d, const bvh_input *in, int32_t *root, int32_t *slot)
{
    int32_t n = 0;
    for (int32_t ti = 0; ti < in->n_triangles; ti++)
        slot[climb(in, in->element[ti])] = 0;
    for (int32_t i = 0; i < in->n_elements; i++)
        if (slot[i] == 0) {
            slot[i] = d->n++;
            n++;
        }
    int32_t first = in->n_triangles;
    for (int32_t ti = 0; ti < in->n_triangles; ti++) {
        int32_t below = ti, element = in->element[ti];
        root[ti] = slot[climb(in, element)] - first;
        for (;;) {
            bool known = slot[element] >= 0;
            if (!known)
                slot[element] = d->n++;
            d->parent[below] = slot[element];
            int32_t up = in->element_parent ? in->element_parent[element] : -1;
            if (known || up < 0)
                break;
            below = slot[element];
            element = up;
        }
    }
    return n;
}

/* The part of a draft below the roots. root: per triangle, the number of its root. */
static bool begin_draft(draft *d, mem *m, const bvh_input *in, int32_t *root)
{
    int32_t n = in->n_triangles, *slot;
    /* A zone has two children at least, but for elements: each of these may be one more. */
    *d = (draft){.n = n, .capacity = 2 * n + (in->element ? in->n_elements : 0) + 1};
    if (!MEM_MAKE(m, d->parent, d->capacity))
        return false;
    if (!MEM_MAKE(m, slot, in->n_elements)) {
        draft_destroy(d, m);
        return false;
    }
    for (int32_t i = 0; i < d->capacity; i++)
        d->parent[i] = -1;
    for (int32_t i = 0; i < in->n_elements; i++)
        slot[i] = -1;
    for (int32_t ti = 0; ti < n; ti++)
        root[ti] = ti;
    d->first_root = in->element ? n : 0;
    d->n_roots = in->element ? join_elements(d, in, root, slot) : n;
    d->first_above = d->n;
    MEM_FREE(m, slot, in->n_elements);
    return true;
}

static void begin_graph(grouping *g, const bvh_input *in, const half_edges *s, const int32_t *root)
{
    g->now.n = g->d->n_roots;
    for (int32_t i = 0; i < g->now.n; i++)
        g->now.id[i] = g->d->first_root + i;
    for (int32_t ti = 0; ti < in->n_triangles; ti++)
        add_to_draft(g, in, s, root, ti);
    add_neighbours(g, in, s, root);
}

/* ---- pieces and objects ------------------------------------------------------------------------------------------ */

typedef struct piece {
    vec3 centre;
    int32_t id, object;
} piece;

static int compare_objects(const void *a, const void *b)
{
    const piece *p = a, *q = b;
    if (p->object != q->object)
        return p->object < q->object ? -1 : 1;
    return (p->id > q->id) - (p->id < q->id);
}

static double coordinate_along(const piece *p, int axis)
{
    return axis == 0 ? p->centre.x : axis == 1 ? p->centre.y : p->centre.z;
}

#define COMPARE_BY(name, axis)                                                                                         \
    static int name(const void *a, const void *b)                                                                      \
    {                                                                                                                  \
        double p = coordinate_along(a, axis), q = coordinate_along(b, axis);                                           \
        return p != q ? (p < q ? -1 : 1) : compare_objects(a, b);                                                      \
    }
COMPARE_BY(compare_x, 0)
COMPARE_BY(compare_y, 1)
COMPARE_BY(compare_z, 2)

static int longest_axis(const piece *pieces, int32_t n)
{
    int best = 0;
    double most = -1;
    for (int axis = 0; axis < 3; axis++) {
        double lo = coordinate_along(&pieces[0], axis), hi = lo;
        for (int32_t i = 1; i < n; i++) {
            lo = min_of(lo, coordinate_along(&pieces[i], axis));
            hi = max_of(hi, coordinate_along(&pieces[i], axis));
        }
        if (hi - lo > most) {
            most = hi - lo;
            best = axis;
        }
    }
    return best;
}

/* Joins pieces to one zone; its number. Depth is log2 of their number. */
static int32_t join_pieces(draft *d, piece *pieces, int32_t n)
{
    static int (*const compare[3])(const void *, const void *) = {compare_x, compare_y, compare_z};
    if (n == 1)
        return pieces[0].id;
    qsort(pieces, (size_t)n, sizeof *pieces, compare[longest_axis(pieces, n)]);
    int32_t left = join_pieces(d, pieces, n / 2), right = join_pieces(d, pieces + n / 2, n - n / 2);
    int32_t up = d->n++;
    d->parent[left] = d->parent[right] = up;
    return up;
}

static bool join_rest(grouping *g)
{
    piece *pieces;
    int32_t n = g->now.n, n_objects = 0;
    if (!MEM_MAKE(g->m, pieces, n))
        return false;
    for (int32_t i = 0; i < n; i++) {
        vec3 centre = v3_scale(1 / (g->now.area[i] + 1e-300), g->now.centre[i]);
        pieces[i] = (piece){centre, g->now.id[i], g->now.object[i]};
    }
    if (n > 0)
        qsort(pieces, (size_t)n, sizeof *pieces, compare_objects);
    for (int32_t i = 0, end; i < n; i = end) {
        for (end = i + 1; end < n && pieces[end].object == pieces[i].object; end++)
            ;
        piece of_all = pieces[i];
        of_all.id = join_pieces(g->d, pieces + i, end - i);
        pieces[n_objects++] = of_all;
    }
    if (n_objects > 0)
        join_pieces(g->d, pieces, n_objects);
    MEM_FREE(g->m, pieces, n);
    return true;
}

static bool grouping_create(grouping *g, mem *m, draft *d, int32_t n)
{
    *g = (grouping){.m = m, .d = d, .n_most = n, .n_most_links = 3 * n};
    return border_graph_create(&g->now, m, n, 3 * n) && border_graph_create(&g->next, m, n, 3 * n) &&
           MEM_MAKE(m, g->group, n) && MEM_MAKE(m, g->members, n) && MEM_MAKE(m, g->area, n) &&
           MEM_MAKE(m, g->rim, n) && MEM_MAKE(m, g->matches, 3 * (int64_t)n / 2 + 1) && MEM_MAKE(m, g->first, n) &&
           MEM_MAKE(m, g->chain, n) && MEM_MAKE(m, g->seen, n);
}

static void grouping_destroy(grouping *g)
{
    mem *m = g->m;
    int32_t n = g->n_most;
    border_graph_destroy(&g->now, m, n, g->n_most_links);
    border_graph_destroy(&g->next, m, n, g->n_most_links);
    MEM_FREE(m, g->group, n);
    MEM_FREE(m, g->members, n);
    MEM_FREE(m, g->area, n);
    MEM_FREE(m, g->rim, n);
    MEM_FREE(m, g->matches, 3 * (int64_t)n / 2 + 1);
    MEM_FREE(m, g->first, n);
    MEM_FREE(m, g->chain, n);
    MEM_FREE(m, g->seen, n);
}

bool draft_create(draft *d, mem *m, const bvh_input *in, const half_edges *s)
{
    grouping g = {0};
    int32_t *root;
    *d = (draft){0};
    if (!MEM_MAKE(m, root, in->n_triangles))
        return false;
    bool ok = begin_draft(d, m, in, root) && grouping_create(&g, m, d, in->n_triangles);
    if (ok)
        begin_graph(&g, in, s, root);
    for (uint32_t round = 0; ok && group_round(&g, in->seed ? in->seed + 31 * round : 0); round++)
        ;
    d->n_connected = d->n;
    ok = ok && join_rest(&g);
    if (g.m)
        grouping_destroy(&g);
    MEM_FREE(m, root, in->n_triangles);
    if (!ok)
        draft_destroy(d, m);
    return ok;
}

weft_result draft_under(draft *d, mem *m, const bvh_input *in, const upper_zones *c)
{
    int32_t *root;
    *d = (draft){0};
    if (!MEM_MAKE(m, root, in->n_triangles))
        return WEFT_ERROR_MEMORY;
    bool ok = begin_draft(d, m, in, root);
    MEM_FREE(m, root, in->n_triangles);
    if (!ok)
        return WEFT_ERROR_MEMORY;
    if (d->n_roots != c->n_roots) {
        draft_destroy(d, m);
        return WEFT_ERROR_ARGUMENT;
    }
    for (int32_t i = 0; i < c->n; i++) {
        int32_t up = c->parent[i];
        d->parent[i < c->n_roots ? d->first_root + i : d->first_above + i - c->n_roots] =
            up < 0 ? -1 : d->first_above + up - c->n_roots;
    }
    d->n = d->first_above + c->n - c->n_roots;
    d->n_connected = d->first_above + c->n_connected - c->n_roots;
    return WEFT_OK;
}

bool upper_zones_create(upper_zones *c, mem *m, const draft *d)
{
    *c = (upper_zones){.n_roots = d->n_roots, .n = d->n_roots + d->n - d->first_above};
    c->n_connected = c->n_roots + d->n_connected - d->first_above;
    if (!MEM_MAKE(m, c->parent, c->n))
        return false;
    for (int32_t i = 0; i < c->n; i++) {
        int32_t up = d->parent[i < c->n_roots ? d->first_root + i : d->first_above + i - c->n_roots];
        c->parent[i] = up < 0 ? -1 : c->n_roots + up - d->first_above;
    }
    return true;
}

void upper_zones_destroy(upper_zones *c, mem *m)
{
    MEM_FREE(m, c->parent, c->n);
}

void draft_destroy(draft *d, mem *m)
{
    MEM_FREE(m, d->parent, d->capacity);
}
