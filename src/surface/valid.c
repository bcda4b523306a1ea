/* SPDX-License-Identifier: MIT */
/* The validity predicate of surface.h, checked before and after every operation in test builds. */
#include "surface/surface.h"

static bool in_range(int32_t i, int32_t n)
{
    return i >= 0 && i < n;
}

static bool element_is_valid(const surface *s, int32_t ei)
{
    const element *el = &s->elements[ei];
    if ((el->n != 3 && el->n != 4) || el->diagonal < 0 || el->diagonal > 1)
        return false;
    for (int i = 0; i < el->n; i++) {
        int32_t a = el->node[i], b = el->node[(i + 1) % el->n];
        if (!in_range(a, s->n_nodes) || a == b || a == el->node[(i + 2) % el->n] || !in_range(el->edge[i], s->n_edges))
            return false;
        const edge *ed = &s->edges[el->edge[i]];
        bool forth = ed->element[0] == ei && ed->node[0] == a && ed->node[1] == b;
        bool back = ed->element[1] == ei && ed->node[0] == b && ed->node[1] == a;
        if (!forth && !back)
            return false;
    }
    return true;
}

static bool edge_is_valid(const surface *s, const edge *ed)
{
    return in_range(ed->node[0], s->n_nodes) && in_range(ed->node[1], s->n_nodes) && ed->node[0] != ed->node[1] &&
           in_range(ed->element[0], s->n_elements) &&
           (ed->element[1] == -1 || in_range(ed->element[1], s->n_elements)) && ed->element[0] != ed->element[1];
}

/* A side without a neighbour is a border of the element, not a diagonal. */
static bool is_border(const surface *s, int32_t ei, int32_t from, int32_t to)
{
    const element *el = &s->elements[ei];
    for (int i = 0; i < el->n; i++)
        if (el->node[i] == from && el->node[(i + 1) % el->n] == to)
            return s->edges[el->edge[i]].element[1] < 0;
    return false;
}

static bool triangle_is_valid(const surface *s, int32_t ti)
{
    const triangle *t = &s->triangles[ti];
    if (!in_range(t->element, s->n_elements) || !(s->area[ti] > 0))
        return false;
    for (int i = 0; i < 3; i++) {
        int32_t nb = t->neighbour[i], from = t->node[(i + 1) % 3], to = t->node[(i + 2) % 3];
        if (!in_range(t->node[i], s->n_nodes) || nb < -1 || nb >= s->n_triangles || nb == ti)
            return false;
        bool linked = nb == -1 && is_border(s, t->element, from, to);
        for (int j = 0; nb >= 0 && j < 3; j++) {
            const triangle *o = &s->triangles[nb];
            linked = linked || (o->neighbour[j] == ti && o->node[(j + 1) % 3] == to && o->node[(j + 2) % 3] == from);
        }
        if (!linked)
            return false;
    }
    return true;
}

/* Drawn triangles and element sides must agree in number: n − 2 triangles for n sides, and each outer side once. */
static bool counts_are_valid(const surface *s)
{
    int64_t sides = 0, drawn = 0, edge_sides = 0;
    for (int32_t ei = 0; ei < s->n_elements; ei++) {
        sides += s->elements[ei].n;
        drawn += s->elements[ei].n - 2;
    }
    for (int32_t i = 0; i < s->n_edges; i++)
        edge_sides += s->edges[i].element[1] < 0 ? 1 : 2;
    return sides == edge_sides && drawn == s->n_triangles;
}

/* The triangles of an element stand together, in the order of elements, and are its two halves or itself. */
static bool drawing_is_valid(const surface *s)
{
    int32_t ti = 0;
    for (int32_t ei = 0; ei < s->n_elements; ei++)
        for (int k = 0; k < s->elements[ei].n - 2; k++, ti++) {
            int32_t node[3];
            surface_cut(&s->elements[ei], k, node);
            const triangle *t = &s->triangles[ti];
            if (t->element != ei || t->node[0] != node[0] || t->node[1] != node[1] || t->node[2] != node[2])
                return false;
        }
    return true;
}

static bool row_is_valid(const surface *s, const node_row *r)
{
    if (!in_range(r->dof[0], s->n_dofs))
        return false;
    if (r->dof[1] < 0)
        return r->weight[0] == 1.0;
    return in_range(r->dof[1], s->n_dofs) && r->dof[1] != r->dof[0] && r->weight[0] == 0.5 && r->weight[1] == 0.5;
}

bool surface_is_valid(const surface *s)
{
    bool ok = counts_are_valid(s) && (s->n_nodes == 0 || (s->uv != NULL) != (s->rest != NULL));
    for (int32_t i = 0; ok && i < s->n_elements; i++)
        ok = element_is_valid(s, i);
    for (int32_t i = 0; ok && i < s->n_edges; i++)
        ok = edge_is_valid(s, &s->edges[i]);
    ok = ok && drawing_is_valid(s);
    for (int32_t i = 0; ok && i < s->n_triangles; i++)
        ok = triangle_is_valid(s, i);
    for (int32_t i = 0; ok && i < s->n_nodes; i++)
        ok = row_is_valid(s, &s->rows[i]);
    return ok;
}
