/* SPDX-License-Identifier: MIT */
/* Two triangles whose boxes overlap: their vertices, edges and themselves, each with its own box.
 *
 * A vertex or edge is looked at only with the triangle that owns it. Its box lies in that triangle's, so if the
 * boxes of a pair of primitives overlap, those of the owners do, and the walk has come by. Boxes of floats decide,
 * but where they overlap by no more than rounding may have added; there doubles decide. So what comes out is exact. */
#include "tree/tree_inside.h"

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

static bool has(const int32_t common[3], int32_t vi)
{
    return common[0] == vi || common[1] == vi || common[2] == vi;
}

static void pair_vertices(walk *w, int32_t a, int32_t b)
{
    const tree *t = w->t;
    for (int k = 0; k < 3; k++) {
        if (!(t->owns[a] & 1 << k) || has(t->common[b], t->common[a][k]))
            continue;
        int32_t vi = t->node[a][k];
        int how = box_overlap_by(&t->node_box[vi], &t->triangle_box[b], t->slack);
        if (how == 2 || (how == 1 && really_overlap(t, &vi, 1, t->node[b], 3)))
            walk_emit(w, 0, vi, t->id[b]);
    }
}

static void pair_edge(walk *w, int32_t a, int k, const box *edge_box, int32_t b)
{
    const tree *t = w->t;
    const int32_t *p = t->common[a], *q = t->common[b], *n = t->node[a], *o = t->node[b];
    int k1 = k == 2 ? 0 : k + 1;
    for (int l = 0; l < 3; l++) {
        int l1 = l == 2 ? 0 : l + 1;
        if (!(t->owns[b] & 8 << l) || p[k] == q[l] || p[k] == q[l1] || p[k1] == q[l] || p[k1] == q[l1])
            continue;
        box other = box_union(&t->node_box[o[l]], &t->node_box[o[l1]]);
        int how = box_overlap_by(edge_box, &other, t->slack);
        int32_t ends[2] = {n[k], n[k1]}, others[2] = {o[l], o[l1]};
        if (how == 2 || (how == 1 && really_overlap(t, ends, 2, others, 2)))
            walk_emit(w, 1, t->edge[a][k], t->edge[b][l]);
    }
}

static void pair_edges(walk *w, int32_t a, int32_t b)
{
    const tree *t = w->t;
    for (int k = 0; k < 3; k++) {
        if (!(t->owns[a] & 8 << k))
            continue;
        box e = box_union(&t->node_box[t->node[a][k]], &t->node_box[t->node[a][k == 2 ? 0 : k + 1]]);
        if (box_overlap(&e, &t->triangle_box[b]))
            pair_edge(w, a, k, &e, b);
    }
}

void visit_primitives(walk *w, int32_t a, int32_t b)
{
    w->task->counters.elementary++;
    pair_vertices(w, a, b);
    pair_vertices(w, b, a);
    pair_edges(w, a, b);
}

void visit_triangles(walk *w, int32_t a, int32_t b)
{
    const tree *t = w->t;
    w->task->counters.elementary++;
    int how = box_overlap_by(&t->triangle_box[a], &t->triangle_box[b], t->slack);
    if (how == 1 && !really_overlap(t, t->node[a], 3, t->node[b], 3))
        return;
    int32_t ti = t->id[a], tj = t->id[b];
    walk_emit(w, 0, ti < tj ? ti : tj, ti < tj ? tj : ti);
}
