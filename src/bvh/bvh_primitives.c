/* SPDX-License-Identifier: MIT */
/* Two leaves whose boxes overlap: their vertices, edges and triangles, each with its own box.
 *
 * A vertex or edge is looked at only with the triangle that owns it. Its box lies in that triangle's, so if the
 * boxes of a pair of primitives overlap, those of the owners do, and the walk has come by. Boxes of floats decide,
 * but where they overlap by no more than rounding may have added; there doubles decide. So what comes out is exact. */
#include "bvh/bvh_inside.h"

#include <assert.h>

static bool overlap_in(double lo_a, double hi_a, double lo_b, double hi_b, double r)
{
    return lo_a - r <= hi_b + r && lo_b - r <= hi_a + r;
}

/* lo and hi of some nodes at x0 and, if there is one, at x1. */
static void bounds(const vec3 *x0, const vec3 *x1, const int32_t *nodes, int n, vec3 *lo, vec3 *hi)
{
    *lo = *hi = x0[nodes[0]];
    for (int i = 0; i < 2 * n; i++) {
        if (i >= n && !x1)
            break;
        vec3 p = i < n ? x0[nodes[i]] : x1[nodes[i - n]];
        *lo = v3(min_of(lo->x, p.x), min_of(lo->y, p.y), min_of(lo->z, p.z));
        *hi = v3(max_of(hi->x, p.x), max_of(hi->y, p.y), max_of(hi->z, p.z));
    }
}

/* Of each axis whether b lies beyond a (bits 0 to 2), or a beyond b (3 to 5). */
static unsigned sides_apart(const vec3 *x, const int32_t *a, int n_a, const int32_t *b, int n_b, double r)
{
    vec3 a_lo, a_hi, b_lo, b_hi;
    bounds(x, NULL, a, n_a, &a_lo, &a_hi);
    bounds(x, NULL, b, n_b, &b_lo, &b_hi);
    return (unsigned)(b_lo.x - r > a_hi.x + r) | (unsigned)(b_lo.y - r > a_hi.y + r) << 1 |
           (unsigned)(b_lo.z - r > a_hi.z + r) << 2 | (unsigned)(a_lo.x - r > b_hi.x + r) << 3 |
           (unsigned)(a_lo.y - r > b_hi.y + r) << 4 | (unsigned)(a_lo.z - r > b_hi.z + r) << 5;
}

static bool really_overlap(const bvh *t, const int32_t *a, int n_a, const int32_t *b, int n_b)
{
    vec3 a_lo, a_hi, b_lo, b_hi;
    double r = t->inflate;
    if (t->ends)
        return (sides_apart(t->x0, a, n_a, b, n_b, r) & sides_apart(t->x1, a, n_a, b, n_b, r)) == 0;
    bounds(t->x0, t->x1, a, n_a, &a_lo, &a_hi);
    bounds(t->x0, t->x1, b, n_b, &b_lo, &b_hi);
    return overlap_in(a_lo.x, a_hi.x, b_lo.x, b_hi.x, r) && overlap_in(a_lo.y, a_hi.y, b_lo.y, b_hi.y, r) &&
           overlap_in(a_lo.z, a_hi.z, b_lo.z, b_hi.z, r);
}

/* The kinds of boxes in a leaf's row. */
enum { ROW_TRIANGLES, ROW_VERTICES, ROW_EDGES };

static_assert((int)BVH_LEAF == BOX_FACES && 3 * (int)BVH_LEAF == BOX_KIND, "a leaf fits a row");

/* n boxes into a row, by fours; lanes that are left over hold the last once more. There is room for three pointers
 * behind the n. */
static void fill_lanes(box_row *row, int kind, const box **boxes, int n)
{
    row->n[kind] = n;
    for (int i = n; i > 0 && i % 4 != 0; i++)
        boxes[i] = boxes[n - 1];
    for (int i = 0; i < n; i += 4)
        box_row_set_simd4(row, row->start[kind] + i, boxes + i);
}

static void find_nodes(const bvh *t, const zone *z, const box **nodes)
{
    for (int i = 0; i < z->n_nodes; i++)
        nodes[i] = &t->node_box[t->leaf_nodes[z->first_node + i]];
}

/* Boxes of nodes at the end of a way, which nobody has made before: few leaves are looked at. */
static void make_ends(const bvh *t, const zone *z, box *ends, const box **nodes)
{
    vec3 d = v3(t->inflate, t->inflate, t->inflate);
    for (int i = 0; i < z->n_nodes; i++) {
        vec3 x = t->x1[t->leaf_nodes[z->first_node + i]];
        ends[i] = box_of(v3_sub(x, d), v3_add(x, d));
        nodes[i] = &ends[i];
    }
}

/* Boxes of a leaf's triangles by those of its nodes. */
static void fill_triangles(const bvh *t, const zone *z, const box *const *nodes, box *triangles)
{
    const uint8_t *at = t->corner_at + 3 * (int64_t)z->first;
    for (int32_t i = 0; i < z->n; i++, at++) {
        box b = box_union(nodes[at[0]], nodes[at[z->n]]);
        triangles[i] = box_union(&b, nodes[at[2 * z->n]]);
    }
}

static void fill_row(const bvh *t, const zone *z, const box *const *nodes, box_row *row)
{
    const box *boxes[3 * BVH_LEAF + 3];
    box triangles[BVH_LEAF], edges[3 * BVH_LEAF];
    fill_triangles(t, z, nodes, triangles);
    row->start[ROW_TRIANGLES] = 0;
    row->start[ROW_VERTICES] = BOX_FACES;
    row->start[ROW_EDGES] = BOX_FACES + ((z->n_vertices + 7) & ~7);
    for (int32_t i = 0; i < z->n; i++)
        boxes[i] = &triangles[i];
    fill_lanes(row, ROW_TRIANGLES, boxes, z->n);
    for (int32_t i = 0; i < z->n_vertices; i++)
        boxes[i] = nodes[t->vertex_at[z->first_vertex + i]];
    fill_lanes(row, ROW_VERTICES, boxes, z->n_vertices);
    for (int32_t i = 0; i < z->n_edges; i++) {
        const uint8_t *at = t->edge_at[z->first_edge + i];
        edges[i] = box_union(nodes[at[0]], nodes[at[1]]);
        boxes[i] = &edges[i];
    }
    fill_lanes(row, ROW_EDGES, boxes, z->n_edges);
}

static void fill_leaf(const bvh *t, const zone *z, leaf_boxes *l)
{
    const box *nodes[3 * BVH_LEAF];
    box ends[3 * BVH_LEAF];
    find_nodes(t, z, nodes);
    fill_row(t, z, nodes, &l->row);
    if (t->ends) {
        make_ends(t, z, ends, nodes);
        fill_row(t, z, nodes, &l->end);
    }
    for (int32_t i = 0; i < z->n; i++)
        l->id[ROW_TRIANGLES][i] = t->id[z->first + i];
    for (int32_t i = 0; i < z->n_vertices; i++)
        l->id[ROW_VERTICES][i] = t->vertices[z->first_vertex + i];
    for (int32_t i = 0; i < z->n_edges; i++)
        l->id[ROW_EDGES][i] = t->edge_id[z->first_edge + i];
}

static void fill_triangles_only(const bvh *t, const zone *z, leaf_boxes *l)
{
    const box *nodes[3 * BVH_LEAF];
    box ends[3 * BVH_LEAF];
    find_nodes(t, z, nodes);
    fill_triangles(t, z, nodes, l->triangles);
    if (t->ends) {
        make_ends(t, z, ends, nodes);
        fill_triangles(t, z, nodes, l->triangles_end);
    }
}

/* The boxes of a leaf's parts, or of its triangles alone. A walk comes by the same leaves again and again, so a task
 * keeps those of the last few. */
static const leaf_boxes *boxes_of_leaf(walk *w, int side, int32_t zi, bool triangles_only)
{
    int32_t place = zi % BVH_KEPT_LEAVES;
    leaf_boxes *l = &w->kept->boxes[side][place];
    if (w->kept->leaf[side][place] == zi)
        return l;
    const zone *z = &w->t->zones[zi];
    if (triangles_only)
        fill_triangles_only(w->t, z, l);
    else
        fill_leaf(w->t, z, l);
    w->kept->leaf[side][place] = zi;
    return l;
}

/* Things of a leaf and of another, which of the first are near the other leaf, and which of the other's each meets. */
typedef struct meeting {
    const zone *p, *q;
    const int32_t *p_id, *q_id;
    uint32_t p_near, q_near;
    uint32_t *hits;
    const uint32_t *sure;
} meeting;

static void emit_slowly(walk *w, int store, const meeting *m)
{
    for (uint32_t left = m->p_near; left != 0; left &= left - 1) {
        int i = box_lowest_bit(left);
        for (uint32_t bits = m->hits[i]; bits != 0; bits &= bits - 1)
            walk_emit(w, store, m->p_id[i], m->q_id[box_lowest_bit(bits)]);
    }
}

static_assert(sizeof(bvh_pair) == 2 * sizeof(int32_t), "a pair is two numbers");

static void emit_meeting(walk *w, int store, const meeting *m)
{
    pair_list *l = &w->task->lists[store];
    int n_q = m->q_near == 0 ? 0 : m->q_near < 1u << 8 ? 8 : m->q_near < 1u << 16 ? 16 : BOX_KIND;
    if (!l->at || l->left <= box_n_bits(m->p_near) * box_n_bits(m->q_near) + PAIR_MORE) {
        emit_slowly(w, store, m);
        return;
    }
    int32_t n = pair_pack((const uint8_t(*)[8])w->t->directions->packed, m->p_id, m->p_near, m->q_id, n_q, m->hits,
                          (int32_t(*)[2])l->at);
    l->left -= n;
    l->at += n;
}

static bool has_common(const int32_t common[3], int32_t vi)
{
    return common[0] == vi || common[1] == vi || common[2] == vi;
}

/* Of what meets vertex i of p, takes out triangles that have the vertex, and those whose boxes meet by rounding. */
static void emit_triangles(const bvh *t, const meeting *m, int i, bool strangers)
{
    const int32_t *v = &t->vertices[m->p->first_vertex + i],
                  *common = t->vertex_common ? &t->vertex_common[m->p->first_vertex + i] : v;
    for (uint32_t bits = m->hits[i] & (strangers ? ~m->sure[i] : ~0u); bits != 0; bits &= bits - 1) {
        int j = box_lowest_bit(bits);
        int32_t ti = m->q->first + j;
        if ((!strangers && has_common(t->common + 3 * ti, *common)) ||
            (!(m->sure[i] >> j & 1) && !really_overlap(t, v, 1, t->node + 3 * ti, 3)))
            m->hits[i] &= ~(1u << j);
    }
}

/* The nodes of an edge that a leaf owns. */
typedef struct edge_ends {
    int32_t node[2];
} edge_ends;

static inline edge_ends ends_of(const bvh *t, const zone *z, int32_t i)
{
    const int32_t *nodes = t->leaf_nodes + z->first_node;
    return (edge_ends){{nodes[t->edge_at[i][0]], nodes[t->edge_at[i][1]]}};
}

static inline bool have_common(const bvh *t, const edge_ends *a, int32_t i, const edge_ends *b, int32_t j)
{
    const int32_t *e = t->edge_common ? t->edge_common[i] : a->node, *f = t->edge_common ? t->edge_common[j] : b->node;
    return (e[0] == f[0]) | (e[0] == f[1]) | (e[1] == f[0]) | (e[1] == f[1]);
}

static void emit_edges(const bvh *t, const meeting *m, int i, bool strangers)
{
    int32_t ei = m->p->first_edge + i;
    edge_ends e = ends_of(t, m->p, ei);
    for (uint32_t bits = m->hits[i] & (strangers ? ~m->sure[i] : ~0u); bits != 0; bits &= bits - 1) {
        int j = box_lowest_bit(bits);
        int32_t ej = m->q->first_edge + j;
        edge_ends f = ends_of(t, m->q, ej);
        if ((!strangers && have_common(t, &e, ei, &f, ej)) ||
            (!(m->sure[i] >> j & 1) && !really_overlap(t, e.node, 2, f.node, 2)))
            m->hits[i] &= ~(1u << j);
    }
}

static void pair_vertices(walk *w, const meeting *m, bool strangers)
{
    for (uint32_t left = m->p_near; left != 0; left &= left - 1) {
        int i = box_lowest_bit(left);
        if (!strangers || (m->hits[i] & ~m->sure[i]) != 0)
            emit_triangles(w->t, m, i, strangers);
    }
    emit_meeting(w, 0, m);
}

/* Of one leaf with itself, each edge with those behind it. */
static void pair_edges(walk *w, const meeting *m, bool strangers)
{
    for (uint32_t left = m->p_near; left != 0; left &= left - 1) {
        int i = box_lowest_bit(left);
        if (m->p == m->q)
            m->hits[i] &= ~((2u << i) - 1);
        if (!strangers || (m->hits[i] & ~m->sure[i]) != 0)
            emit_edges(w->t, m, i, strangers);
    }
    emit_meeting(w, 1, m);
}

/* Pairs of triangles whose boxes overlap. */
static int n_overlapping(const box_overlaps *m, bool same)
{
    uint64_t bits = m->faces & (same ? UINT64_C(0x0080c0e0f0f8fcfe) : ~UINT64_C(0));
    return box_n_bits((uint32_t)bits) + box_n_bits((uint32_t)(bits >> 32));
}

static void count_tests(bvh_counters *c, const zone *p, const zone *q, const box_overlaps *m)
{
    int a = box_n_bits(m->near_p[ROW_TRIANGLES]), b = box_n_bits(m->near_q[ROW_TRIANGLES]);
    c->calls += p == q ? a * (a - 1) / 2 : p->n + q->n + a * b;
}

static box_side swept_side(const bvh *t, int32_t zi, const leaf_boxes *l)
{
    if (t->ends)
        return (box_side){&l->row, &l->end, &t->zone_box[zi], &t->zone_end[zi]};
    return (box_side){&l->row, NULL, &t->zone_box[zi], NULL};
}

void visit_primitives(walk *w, int32_t a, int32_t b)
{
    const bvh *t = w->t;
    const zone *p = &t->zones[a], *q = &t->zones[b];
    bool same = a == b;
    const leaf_boxes *r = boxes_of_leaf(w, 0, a, false), *s = same ? r : boxes_of_leaf(w, 1, b, false);
    box_overlaps m;
    const box_side r_side = swept_side(t, a, r), s_side = swept_side(t, b, s);
    box_rows_overlap(&r_side, &s_side, t->slack, &m);
    int n = n_overlapping(&m, same);
    count_tests(&w->task->counters, p, q, &m);
    w->task->counters.elementary += n;
    if (n == 0)
        return;
    /* Most pairs of leaves in a contact have no common vertex, and need not look for one. */
    bool strangers = !same && !t->has_hubs && !adjacency_of(t, a, b);
    const meeting m0 = {p,
                        q,
                        r->id[ROW_VERTICES],
                        s->id[ROW_TRIANGLES],
                        m.near_p[ROW_VERTICES],
                        m.near_q[ROW_TRIANGLES],
                        m.hits[0],
                        m.sure[0]},
                  m1 = {q,
                        p,
                        s->id[ROW_VERTICES],
                        r->id[ROW_TRIANGLES],
                        m.near_q[ROW_VERTICES],
                        m.near_p[ROW_TRIANGLES],
                        m.hits[1],
                        m.sure[1]},
                  m2 = {
                      p,         q,        r->id[ROW_EDGES], s->id[ROW_EDGES], m.near_p[ROW_EDGES], m.near_q[ROW_EDGES],
                      m.hits[2], m.sure[2]};
    pair_vertices(w, &m0, strangers);
    if (!same)
        pair_vertices(w, &m1, strangers);
    pair_edges(w, &m2, strangers);
}

/* Triangles i of leaf a and j of leaf b, of which the boxes are r and s. */
static void visit_two(walk *w, const zone *p, const leaf_boxes *r, int32_t i, const zone *q, const leaf_boxes *s,
                      int32_t j)
{
    const bvh *t = w->t;
    int32_t a = p->first + i, b = q->first + j;
    int how = box_overlap_by(&r->triangles[i], &s->triangles[j], t->slack);
    if (t->ends && how < 2)
        how = box_ends_overlap(&r->triangles[i], &r->triangles_end[i], &s->triangles[j], &s->triangles_end[j]) ? 1 : 0;
    w->task->counters.calls++;
    if (how == 0 || (how == 1 && !really_overlap(t, t->node + 3 * a, 3, t->node + 3 * b, 3)))
        return;
    w->task->counters.elementary++;
    int32_t ti = t->id[a], tj = t->id[b];
    walk_emit(w, 0, ti < tj ? ti : tj, ti < tj ? tj : ti);
}

void visit_triangles(walk *w, int32_t a, int32_t b)
{
    const bvh *t = w->t;
    const zone *p = &t->zones[a], *q = &t->zones[b];
    const leaf_boxes *r = boxes_of_leaf(w, 0, a, true), *s = a == b ? r : boxes_of_leaf(w, 1, b, true);
    for (int32_t i = 0; i < p->n; i++) {
        w->task->counters.calls += a != b;
        if (a != b && !t->ends && !box_overlap(&r->triangles[i], &t->zone_box[b]))
            continue;
        for (int32_t j = a == b ? i + 1 : 0; j < q->n; j++)
            visit_two(w, p, r, i, q, s, j);
    }
}
