/* SPDX-License-Identifier: MIT */
/* The validity predicate of surface.h, checked before and after every operation in test builds. */
#include "mesh/surface.h"

static bool index_is_valid(int32_t i, int32_t n)
{
    return i >= 0 && i < n;
}

/* Runs the side from node a to node b along edge ed, which lists the element? */
static bool runs_along(const edge *ed, int32_t ei, int32_t a, int32_t b)
{
    bool forth = ed->element[0] == ei && ed->node[0] == a && ed->node[1] == b;
    bool back = ed->element[1] == ei && ed->node[0] == b && ed->node[1] == a;
    return forth || back;
}

static bool surface_element_is_valid(const surface *s, int32_t ei)
{
    const element *el = &s->elements[ei];
    if ((el->n != 3 && el->n != 4) || el->diagonal < 0 || el->diagonal > 1)
        return false;
    for (int i = 0; i < el->n; i++) {
        int32_t a = el->node[i], b = el->node[(i + 1) % el->n];
        if (!index_is_valid(a, s->n_nodes) || a == b || a == el->node[(i + 2) % el->n] ||
            !index_is_valid(el->edge[i], s->n_edges))
            return false;
        if (!runs_along(&s->edges[el->edge[i]], ei, a, b))
            return false;
    }
    return true;
}

/* The halves of an edge lie on its other side, end to end. */
static bool surface_halves_are_valid(const surface *s, int32_t i)
{
    const edge *ed = &s->edges[i];
    edge_split p = surface_split(s, i);
    if (p.middle < 0)
        return p.half[0] == -1 && p.half[1] == -1;
    if (!index_is_valid(p.middle, s->n_nodes) || ed->element[1] >= 0 || p.whole >= 0)
        return false;
    for (int k = 0; k < 2; k++) {
        if (p.half[k] == -1) /* stitched to something finer that is not joined yet */
            continue;
        if (!index_is_valid(p.half[k], s->n_edges))
            return false;
        const edge *h = &s->edges[p.half[k]];
        int32_t from = k == 0 ? p.middle : ed->node[1], to = k == 0 ? ed->node[0] : p.middle;
        if (surface_split(s, p.half[k]).whole != i || h->node[0] != from || h->node[1] != to)
            return false;
    }
    return true;
}

static bool surface_edge_is_valid(const surface *s, int32_t i)
{
    const edge *ed = &s->edges[i];
    bool ends = index_is_valid(ed->node[0], s->n_nodes) && index_is_valid(ed->node[1], s->n_nodes) &&
                ed->node[0] != ed->node[1];
    bool elements = index_is_valid(ed->element[0], s->n_elements) &&
                    (ed->element[1] == -1 || index_is_valid(ed->element[1], s->n_elements)) &&
                    ed->element[0] != ed->element[1];
    int32_t whole = surface_split(s, i).whole;
    bool half = whole == -1 || (index_is_valid(whole, s->n_edges) && ed->element[1] < 0 &&
                                (surface_split(s, whole).half[0] == i || surface_split(s, whole).half[1] == i));
    return ends && elements && half && surface_halves_are_valid(s, i);
}

/* A side without a neighbour is a border of the element (or half of one), not a diagonal. */
static bool side_is_border(const surface *s, int32_t ei, int32_t from, int32_t to)
{
    const element *el = &s->elements[ei];
    for (int i = 0; i < el->n; i++) {
        int32_t a = el->node[i], b = el->node[(i + 1) % el->n], middle = surface_split(s, el->edge[i]).middle;
        bool whole = a == from && b == to;
        bool half = middle >= 0 && ((a == from && middle == to) || (middle == from && b == to));
        if (whole || half)
            return surface_is_border(s, el->edge[i]);
    }
    return false;
}

static bool triangle_is_valid(const surface *s, int32_t ti)
{
    const triangle *t = &s->triangles[ti];
    if (!index_is_valid(t->element, s->n_elements))
        return false;
    for (int i = 0; i < 3; i++) {
        int32_t nb = t->neighbour[i], from = t->node[(i + 1) % 3], to = t->node[(i + 2) % 3];
        if (!index_is_valid(t->node[i], s->n_nodes) || nb < -1 || nb >= s->n_triangles || nb == ti)
            return false;
        bool linked = nb == -1 && side_is_border(s, t->element, from, to);
        for (int j = 0; nb >= 0 && j < 3; j++) {
            const triangle *o = &s->triangles[nb];
            linked = linked || (o->neighbour[j] == ti && o->node[(j + 1) % 3] == to && o->node[(j + 2) % 3] == from);
        }
        if (!linked)
            return false;
    }
    return (s->uv || s->rest) && surface_area(s, ti) > 0;
}

static int32_t n_middles(const surface *s, const element *el)
{
    int32_t n = 0;
    for (int i = 0; i < el->n; i++)
        n += surface_split(s, el->edge[i]).middle >= 0;
    return n;
}

/* Every side is in one edge, and no edge counts a side that is not there. */
static bool surface_counts_are_valid(const surface *s)
{
    int64_t sides = 0, edge_sides = 0;
    for (int32_t ei = 0; ei < s->n_elements; ei++)
        sides += s->elements[ei].n;
    for (int32_t i = 0; i < s->n_edges; i++)
        edge_sides += s->edges[i].element[1] < 0 ? 1 : 2;
    return sides == edge_sides;
}

static bool belongs(const surface *s, const element *el, int32_t vi)
{
    for (int i = 0; i < el->n; i++)
        if (el->node[i] == vi || surface_split(s, el->edge[i]).middle == vi)
            return true;
    return false;
}

static bool has_node(const triangle *t, int32_t vi)
{
    return t->node[0] == vi || t->node[1] == vi || t->node[2] == vi;
}

/* A quad is cut along its diagonal: two of its triangles, [from, to), have both ends of it. */
static bool cut_is_valid(const surface *s, const element *el, int32_t from, int32_t to)
{
    int32_t n = 0;
    for (int32_t ti = from; ti < to; ti++)
        n += has_node(&s->triangles[ti], el->node[el->diagonal]) &&
             has_node(&s->triangles[ti], el->node[el->diagonal + 2]);
    return el->n == 3 || n == 2;
}

/* n corners and m middles are covered by n + m − 2 triangles. */
static bool drawing_is_valid(const surface *s)
{
    int32_t ti = 0;
    for (int32_t ei = 0; ei < s->n_elements; ei++) {
        const element *el = &s->elements[ei];
        int32_t from = ti;
        for (int32_t k = 0; k < el->n - 2 + n_middles(s, el); k++, ti++) {
            if (ti >= s->n_triangles || s->triangles[ti].element != ei)
                return false;
            for (int i = 0; i < 3; i++)
                if (!belongs(s, el, s->triangles[ti].node[i]))
                    return false;
        }
        if (!cut_is_valid(s, el, from, ti))
            return false;
    }
    return ti == s->n_triangles;
}

static bool bent_is_valid(const surface *s, int32_t ti)
{
    const triangle *t = &s->bent[ti];
    for (int i = 0; i < 3; i++) {
        int32_t vi = t->node[i], nb = t->neighbour[i];
        if (!index_is_valid(vi, s->n_nodes) || s->rows[vi].dof[1] >= 0 || vi == t->node[(i + 1) % 3] || nb >= s->n_bent)
            return false;
        if (nb >= 0 && s->bent[nb].neighbour[0] != ti && s->bent[nb].neighbour[1] != ti &&
            s->bent[nb].neighbour[2] != ti)
            return false;
    }
    return index_is_valid(t->element, s->n_elements);
}

static bool surface_partner_is_valid(const surface *s, int32_t vi)
{
    int32_t p = s->partner ? s->partner[vi] : vi;
    return index_is_valid(p, s->n_nodes) && (s->rows[p].dof[1] >= 0) == (s->rows[vi].dof[1] >= 0);
}

static bool row_is_valid(const surface *s, const node_row *r)
{
    if (!index_is_valid(r->dof[0], s->n_dofs))
        return false;
    return r->dof[1] < 0 || (index_is_valid(r->dof[1], s->n_dofs) && r->dof[1] != r->dof[0]);
}

bool surface_is_valid(const surface *s)
{
    bool ok = surface_counts_are_valid(s) && (s->n_nodes == 0 || (s->uv != NULL) != (s->rest != NULL));
    for (int32_t i = 0; ok && i < s->n_elements; i++)
        ok = surface_element_is_valid(s, i);
    for (int32_t i = 0; ok && i < s->n_edges; i++)
        ok = surface_edge_is_valid(s, i);
    ok = ok && drawing_is_valid(s);
    for (int32_t i = 0; ok && i < s->n_triangles; i++)
        ok = triangle_is_valid(s, i);
    for (int32_t i = 0; ok && i < s->n_nodes; i++)
        ok = row_is_valid(s, &s->rows[i]) && surface_partner_is_valid(s, i);
    for (int32_t i = 0; ok && i < s->n_bent; i++)
        ok = bent_is_valid(s, i);
    return ok;
}
