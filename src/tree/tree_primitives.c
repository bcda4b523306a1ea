/* SPDX-License-Identifier: MIT */
/* Two leaves whose boxes overlap: their vertices, edges and triangles, each with its own box.
 *
 * A vertex or edge is looked at only with the triangle that owns it. Its box lies in that triangle's, so if the
 * boxes of a pair of primitives overlap, those of the owners do, and the walk has come by. Boxes of floats decide,
 * but where they overlap by no more than rounding may have added; there doubles decide. So what comes out is exact. */
#include "tree/tree_inside.h"

#include <assert.h>

static bool overlap_in(double lo_a, double hi_a, double lo_b, double hi_b, double r)
{
    return lo_a - r <= hi_b + r && lo_b - r <= hi_a + r;
}

/* lo and hi of some nodes on their way. */
static void bounds(const tree *t, const int32_t *nodes, int n, vec3 *lo, vec3 *hi)
{
    *lo = *hi = t->x0[nodes[0]];
    for (int i = 0; i < 2 * n; i++) {
        if (i >= n && !t->x1)
            break;
        vec3 p = i < n ? t->x0[nodes[i]] : t->x1[nodes[i - n]];
        *lo = v3(min_of(lo->x, p.x), min_of(lo->y, p.y), min_of(lo->z, p.z));
        *hi = v3(max_of(hi->x, p.x), max_of(hi->y, p.y), max_of(hi->z, p.z));
    }
}

static bool really_overlap(const tree *t, const int32_t *a, int n_a, const int32_t *b, int n_b)
{
    vec3 a_lo, a_hi, b_lo, b_hi;
    double r = t->inflate;
    bounds(t, a, n_a, &a_lo, &a_hi);
    bounds(t, b, n_b, &b_lo, &b_hi);
    return overlap_in(a_lo.x, a_hi.x, b_lo.x, b_hi.x, r) && overlap_in(a_lo.y, a_hi.y, b_lo.y, b_hi.y, r) &&
           overlap_in(a_lo.z, a_hi.z, b_lo.z, b_hi.z, r);
}

static_assert(3 * TREE_LEAF <= BOXES, "a leaf's vertices and edges fit in a list");

static void fill_leaf(const tree *t, int32_t zi, leaf_boxes *l)
{
    const zone *z = &t->zones[zi];
    l->leaf = zi;
    for (int32_t i = 0; i < z->n; i++)
        box_list_set(&l->triangles, i, &t->triangle_box[z->first + i]);
    for (int32_t i = 0; i < z->n_vertices; i++)
        box_list_set(&l->vertices, i, &t->node_box[t->vertices[z->first_vertex + i].id]);
    for (int32_t i = 0; i < z->n_edges; i++) {
        const owned *e = &t->own_edges[z->first_edge + i];
        box b = box_union(&t->node_box[e->node[0]], &t->node_box[e->node[1]]);
        box_list_set(&l->edges, i, &b);
    }
}

/* The boxes of a leaf's parts. A walk comes by the same leaves again and again, so a task keeps those of the last
 * few. */
static const leaf_boxes *boxes_of(walk *w, int side, int32_t zi)
{
    leaf_boxes *l = &w->kept[side][zi % KEPT_LEAVES];
    if (l->leaf != zi)
        fill_leaf(w->t, zi, l);
    return l;
}

/* Bits of the boxes from `first` to `n` of a list that overlap a. */
static inline int overlapping(const box *a, const box_list *l, int first, int n, float slack, int *sure)
{
    int all = 0;
    *sure = 0;
    for (int i = 0; i < n; i += 4) {
        int more, bits = box_overlap_four(a, l, i, slack, &more);
        all |= bits << i;
        *sure |= more << i;
    }
    return all & ((1 << n) - (1 << first));
}

static bool has(const int32_t common[3], int32_t vi)
{
    return common[0] == vi || common[1] == vi || common[2] == vi;
}

/* A leaf, the boxes of its parts, and which of them are near another leaf, as bits. */
typedef struct near_part {
    const zone *z;
    const leaf_boxes *boxes;
    int triangles, vertices, edges;
} near_part;

static near_part find_near(walk *w, int side, int32_t zi, const box *other)
{
    near_part p = {.z = &w->t->zones[zi], .boxes = boxes_of(w, side, zi)};
    int sure;
    p.triangles = overlapping(other, &p.boxes->triangles, 0, p.z->n, 0, &sure);
    p.vertices = overlapping(other, &p.boxes->vertices, 0, p.z->n_vertices, 0, &sure);
    p.edges = overlapping(other, &p.boxes->edges, 0, p.z->n_edges, 0, &sure);
    return p;
}

static void pair_vertices(walk *w, const near_part *p, const near_part *q, bool strangers)
{
    const tree *t = w->t;
    for (int left = p->vertices; left != 0; left &= left - 1) {
        const owned *v = &t->vertices[p->z->first_vertex + box_lowest_bit(left)];
        int sure, bits = overlapping(&t->node_box[v->id], &q->boxes->triangles, 0, q->z->n, t->slack, &sure);
        for (bits &= q->triangles; bits != 0; bits &= bits - 1) {
            int j = box_lowest_bit(bits);
            int32_t ti = q->z->first + j;
            if ((strangers || !has(t->common[ti], v->common[0])) &&
                (sure >> j & 1 || really_overlap(t, &v->id, 1, t->node[ti], 3)))
                walk_emit(w, 0, v->id, t->id[ti]);
        }
    }
}

static inline bool have_common(const owned *e, const owned *f)
{
    return (e->common[0] == f->common[0]) | (e->common[0] == f->common[1]) | (e->common[1] == f->common[0]) |
           (e->common[1] == f->common[1]);
}

/* Edge i of p with the edges of q from `first` on. */
static inline void pair_edge(walk *w, const near_part *p, int i, const near_part *q, int first, bool strangers)
{
    const tree *t = w->t;
    const owned *e = &t->own_edges[p->z->first_edge + i], *others = &t->own_edges[q->z->first_edge];
    box own = box_list_get(&p->boxes->edges, i);
    int sure, bits = overlapping(&own, &q->boxes->edges, first, q->z->n_edges, t->slack, &sure);
    for (bits &= q->edges; bits != 0; bits &= bits - 1) {
        int j = box_lowest_bit(bits);
        const owned *f = &others[j];
        if ((strangers || !have_common(e, f)) && (sure >> j & 1 || really_overlap(t, e->node, 2, f->node, 2)))
            walk_emit(w, 1, e->id, f->id);
    }
}

static int n_bits(int bits)
{
    int n = 0;
    for (; bits != 0; bits &= bits - 1)
        n++;
    return n;
}

/* Pairs of triangles whose boxes overlap. */
static int n_overlapping(const tree *t, const near_part *p, const near_part *q, bool same)
{
    int n = 0;
    for (int left = p->triangles; left != 0; left &= left - 1) {
        int sure, i = box_lowest_bit(left), first = same ? i + 1 : 0;
        int bits = overlapping(&t->triangle_box[p->z->first + i], &q->boxes->triangles, first, q->z->n, 0, &sure);
        n += n_bits(bits & q->triangles);
    }
    return n;
}

static void count_tests(tree_counters *c, const near_part *p, const near_part *q, bool same)
{
    int a = n_bits(p->triangles), b = n_bits(q->triangles);
    c->calls += same ? a * (a - 1) / 2 : p->z->n + q->z->n + a * b;
}

void visit_primitives(walk *w, int32_t a, int32_t b)
{
    const tree *t = w->t;
    bool same = a == b;
    near_part p = find_near(w, 0, a, &t->zone_box[b]), q = same ? p : find_near(w, 1, b, &t->zone_box[a]);
    int n = n_overlapping(t, &p, &q, same);
    count_tests(&w->task->counters, &p, &q, same);
    w->task->counters.elementary += n;
    if (n == 0)
        return;
    /* Most pairs of leaves in a contact have no common vertex, and need not look for one. */
    bool strangers = !same && !t->has_hubs && !adjacency_of(t, a, b);
    pair_vertices(w, &p, &q, strangers);
    if (!same)
        pair_vertices(w, &q, &p, strangers);
    for (int left = p.edges; left != 0; left &= left - 1) {
        int i = box_lowest_bit(left);
        pair_edge(w, &p, i, &q, same ? i + 1 : 0, strangers);
    }
}

static void visit_two(walk *w, int32_t a, int32_t b)
{
    const tree *t = w->t;
    int how = box_overlap_by(&t->triangle_box[a], &t->triangle_box[b], t->slack);
    w->task->counters.calls++;
    if (how == 0 || (how == 1 && !really_overlap(t, t->node[a], 3, t->node[b], 3)))
        return;
    w->task->counters.elementary++;
    int32_t ti = t->id[a], tj = t->id[b];
    walk_emit(w, 0, ti < tj ? ti : tj, ti < tj ? tj : ti);
}

void visit_triangles(walk *w, int32_t a, int32_t b)
{
    const tree *t = w->t;
    const zone *p = &t->zones[a], *q = &t->zones[b];
    for (int32_t i = p->first; i < p->first + p->n; i++) {
        w->task->counters.calls += a != b;
        if (a != b && !box_overlap(&t->triangle_box[i], &t->zone_box[b]))
            continue;
        for (int32_t j = a == b ? i + 1 : q->first; j < q->first + q->n; j++)
            visit_two(w, i, j);
    }
}
