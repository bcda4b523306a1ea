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

/* What of a leaf is near the other one. */
typedef struct near_part {
    int n_triangles, n_vertices, n_edges;
    int32_t triangles[TREE_LEAF];
    const owned *vertices[BOXES], *edges[BOXES];
    box edge_boxes[BOXES];
    box_list triangle_list, edge_list;
} near_part;

static_assert(3 * TREE_LEAF <= BOXES, "a leaf's edges fit in a list");

static void find_near(const tree *t, const zone *z, const box *other, near_part *p)
{
    p->n_triangles = p->n_vertices = p->n_edges = 0;
    for (int32_t ti = z->first; ti < z->first + z->n; ti++) {
        p->triangles[p->n_triangles] = ti;
        box_list_set(&p->triangle_list, p->n_triangles, &t->triangle_box[ti]);
        p->n_triangles += box_overlap(&t->triangle_box[ti], other);
    }
    if (p->n_triangles == 0)
        return;
    for (int32_t i = z->first_vertex; i < z->first_vertex + z->n_vertices; i++) {
        p->vertices[p->n_vertices] = &t->vertices[i];
        p->n_vertices += box_overlap(&t->node_box[t->vertices[i].id], other);
    }
    for (int32_t i = z->first_edge; i < z->first_edge + z->n_edges; i++) {
        const owned *e = &t->own_edges[i];
        box b = box_union(&t->node_box[e->node[0]], &t->node_box[e->node[1]]);
        p->edges[p->n_edges] = e;
        p->edge_boxes[p->n_edges] = b;
        box_list_set(&p->edge_list, p->n_edges, &b);
        p->n_edges += box_overlap(&b, other);
    }
}

/* Bits of the boxes from `first` to `n` of a list that overlap a. */
static int overlapping(const box *a, const box_list *l, int first, int n, float slack, int *sure)
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

static void pair_vertices(walk *w, const near_part *p, const near_part *q)
{
    const tree *t = w->t;
    for (int i = 0; i < p->n_vertices; i++) {
        const owned *v = p->vertices[i];
        int sure, bits = overlapping(&t->node_box[v->id], &q->triangle_list, 0, q->n_triangles, t->slack, &sure);
        for (; bits != 0; bits &= bits - 1) {
            int j = box_lowest_bit(bits);
            int32_t ti = q->triangles[j];
            if (!has(t->common[ti], v->common[0]) && (sure >> j & 1 || really_overlap(t, &v->id, 1, t->node[ti], 3)))
                walk_emit(w, 0, v->id, t->id[ti]);
        }
    }
}

static bool have_common(const owned *e, const owned *f)
{
    return (e->common[0] == f->common[0]) | (e->common[0] == f->common[1]) | (e->common[1] == f->common[0]) |
           (e->common[1] == f->common[1]);
}

/* first: of q's edges. */
static void pair_edge(walk *w, const owned *e, const box *own, const near_part *q, int first)
{
    const tree *t = w->t;
    int sure, bits = overlapping(own, &q->edge_list, first, q->n_edges, t->slack, &sure);
    for (; bits != 0; bits &= bits - 1) {
        int j = box_lowest_bit(bits);
        const owned *f = q->edges[j];
        if (!have_common(e, f) && (sure >> j & 1 || really_overlap(t, e->node, 2, f->node, 2)))
            walk_emit(w, 1, e->id, f->id);
    }
}

static int64_t n_overlapping(const tree *t, const near_part *p, const near_part *q, bool same)
{
    int64_t n = 0;
    for (int i = 0; i < p->n_triangles; i++) {
        int sure, first = same ? i + 1 : 0;
        int bits = overlapping(&t->triangle_box[p->triangles[i]], &q->triangle_list, first, q->n_triangles, 0, &sure);
        for (; bits != 0; bits &= bits - 1)
            n++;
    }
    return n;
}

void visit_primitives(walk *w, int32_t a, int32_t b)
{
    const tree *t = w->t;
    tree_counters *c = &w->task->counters;
    near_part p, q;
    bool same = a == b;
    find_near(t, &t->zones[a], &t->zone_box[b], &p);
    c->calls += same ? 0 : t->zones[a].n + t->zones[b].n;
    if (p.n_triangles == 0)
        return;
    if (!same)
        find_near(t, &t->zones[b], &t->zone_box[a], &q);
    const near_part *other = same ? &p : &q;
    int64_t n = n_overlapping(t, &p, other, same);
    c->calls += same ? p.n_triangles * (p.n_triangles - 1) / 2 : p.n_triangles * other->n_triangles;
    c->elementary += n;
    if (n == 0)
        return;
    pair_vertices(w, &p, other);
    if (!same)
        pair_vertices(w, other, &p);
    for (int i = 0; i < p.n_edges; i++)
        pair_edge(w, p.edges[i], &p.edge_boxes[i], other, same ? i + 1 : 0);
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
