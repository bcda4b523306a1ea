/* SPDX-License-Identifier: MIT */
/* The surface of a forest's leaves: compact, numbered by the shape of the forest alone, with everything that forces,
 * contact and drawing want to know. The forest changes in place, at the price of what changes; this view of it is made
 * anew, in time linear in the leaves, as is one evaluation of the forces. */
#include "mesh/leaves.h"

#include <assert.h>

#include "mesh/drawing.h"

/* Numbers of the forest's nodes and edges in the view; -1: not there. */
typedef struct numbering {
    mem *mem;
    const forest *f;
    int32_t n_nodes, n_edges, n_triangles;
    int32_t *node, *edge;
} numbering;

static void number_destroy(numbering *nb)
{
    MEM_FREE(nb->mem, nb->node, nb->f->n_nodes);
    MEM_FREE(nb->mem, nb->edge, nb->f->n_edges);
}

static void number_leaves(numbering *nb)
{
    const forest *f = nb->f;
    for (int32_t ei = forest_next_leaf(f, -1); ei >= 0; ei = forest_next_leaf(f, ei)) {
        const forest_element *el = &f->elements[ei];
        nb->n_triangles += el->n - 2;
        for (int i = 0; i < el->n; i++) {
            if (nb->node[el->node[i]] < 0)
                nb->node[el->node[i]] = nb->n_nodes++;
            if (nb->edge[el->edge[i]] < 0)
                nb->edge[el->edge[i]] = nb->n_edges++;
            int32_t middle = f->edges[el->edge[i]].middle;
            nb->n_triangles += middle >= 0;
            if (middle >= 0 && nb->node[middle] < 0)
                nb->node[middle] = nb->n_nodes++;
        }
    }
}

/* Nothing has split, or all has merged again. Then the view is that of the roots, whose edges have numbers and
 * directions by another rule: the sums of forces over edges have the same order, and so the same bits, whether a cloth
 * never split or has merged, as a snapshot cannot tell. */
static bool is_unsplit(const forest *f)
{
    return f->n_leaves == f->n_roots;
}

static bool number_create(numbering *nb, const forest *f)
{
    *nb = (numbering){.mem = f->mem, .f = f};
    if (!MEM_MAKE(f->mem, nb->node, f->n_nodes) || !MEM_MAKE(f->mem, nb->edge, f->n_edges))
        return false;
    for (int32_t vi = 0; vi < f->n_nodes; vi++)
        nb->node[vi] = vi < f->n_root_nodes ? vi : -1;
    nb->n_nodes = f->n_root_nodes;
    nb->n_edges = is_unsplit(f) ? f->n_root_edges : 0;
    for (int32_t i = 0; i < f->n_edges; i++)
        nb->edge[i] = i < nb->n_edges ? i : -1;
    number_leaves(nb);
    return true;
}

static bool allocate_leaves(surface *s, const numbering *nb, const surface *roots)
{
    s->n_nodes = s->n_dofs = nb->n_nodes;
    s->n_elements = nb->f->n_leaves;
    s->capacity_edges = nb->n_edges;
    s->capacity_triangles = nb->n_triangles;
    bool rest = roots->uv ? MEM_MAKE(s->mem, s->uv, s->n_nodes) : MEM_MAKE(s->mem, s->rest, s->n_nodes);
    return rest && MEM_MAKE(s->mem, s->elements, s->n_elements) && MEM_MAKE(s->mem, s->edges, s->capacity_edges) &&
           MEM_MAKE(s->mem, s->splits, s->capacity_edges) && MEM_MAKE(s->mem, s->triangles, s->capacity_triangles) &&
           MEM_MAKE(s->mem, s->rows, s->n_nodes) && MEM_MAKE(s->mem, s->origin, s->n_nodes) &&
           (!nb->f->closed || MEM_MAKE(s->mem, s->partner, s->n_nodes));
}

/* ---- rest -------------------------------------------------------------------------------------------------------- */

/* Parents are older but may have higher numbers. A node is filled in when it has an origin; the way up is as long as
 * there are levels. */
static void fill_node_rest(surface *s, const numbering *nb, const surface *roots, int32_t id)
{
    int32_t vi = nb->node[id];
    if (s->origin[vi] >= 0)
        return;
    s->origin[vi] = id;
    const int32_t *p = nb->f->nodes[id].parent;
    if (p[0] < 0) {
        if (s->uv)
            s->uv[vi] = roots->uv[id];
        else
            s->rest[vi] = roots->rest[id];
        return;
    }
    fill_node_rest(s, nb, roots, p[0]);
    fill_node_rest(s, nb, roots, p[1]);
    int32_t a = nb->node[p[0]], b = nb->node[p[1]];
    if (s->uv)
        s->uv[vi] = (vec2){0.5 * (s->uv[a].u + s->uv[b].u), 0.5 * (s->uv[a].v + s->uv[b].v)};
    else
        s->rest[vi] = v3_scale(0.5, v3_add(s->rest[a], s->rest[b]));
}

static void fill_nodes(surface *s, const numbering *nb, const surface *roots)
{
    for (int32_t vi = 0; vi < s->n_nodes; vi++)
        s->origin[vi] = -1;
    for (int32_t id = 0; id < nb->f->n_nodes; id++)
        if (nb->node[id] >= 0)
            fill_node_rest(s, nb, roots, id);
    for (int32_t vi = 0; vi < s->n_nodes; vi++) {
        int32_t id = s->origin[vi];
        const int32_t *p = nb->f->nodes[id].parent;
        if (forest_hangs(nb->f, id))
            s->rows[vi] = (node_row){{nb->node[p[0]], nb->node[p[1]]}};
        else
            s->rows[vi] = (node_row){{vi, -1}};
        if (s->partner) /* has a number, too: the leaf beside a stitched edge has its middle as a corner or on a side */
            s->partner[vi] = nb->node[nb->f->nodes[id].partner];
    }
}

/* ---- elements and edges ------------------------------------------------------------------------------------------ */

static void fill_element(surface *s, const numbering *nb, const surface *roots, int32_t leaf, int32_t ei)
{
    const forest_element *fe = &nb->f->elements[leaf];
    element *el = &s->elements[ei];
    *el = (element){.n = (int8_t)fe->n,
                    .fabric = roots->elements[fe->root].fabric,
                    .panel = roots->elements[fe->root].panel,
                    .level = (int8_t)fe->level,
                    .leaf = leaf,
                    .diagonal = (int8_t)fe->diagonal};
    for (int i = 0; i < fe->n; i++) {
        el->node[i] = nb->node[fe->node[i]];
        el->edge[i] = nb->edge[fe->edge[i]];
    }
}

/* The first leaf that has an edge gives it its direction. */
static void add_leaf_side(surface *s, const numbering *nb, int32_t ei, int i)
{
    const element *el = &s->elements[ei];
    int32_t id = nb->f->elements[el->leaf].edge[i], k = el->edge[i];
    edge *ed = &s->edges[k];
    if (k < s->n_edges) {
        ed->element[1] = ei;
        return;
    }
    int32_t middle = nb->f->edges[id].middle;
    *ed = (edge){{el->node[i], el->node[(i + 1) % el->n]}, {ei, -1}};
    s->splits[k] = (edge_split){middle >= 0 ? nb->node[middle] : -1, {-1, -1}, -1};
    s->n_edges++;
}

static void copy_edges(surface *s, const surface *roots)
{
    for (int32_t i = 0; i < roots->n_edges; i++) {
        s->edges[i] = roots->edges[i];
        s->splits[i] = (edge_split){-1, {-1, -1}, -1};
    }
    s->n_edges = roots->n_edges;
}

/* Joins a half, on the finer side, with its whole. */
static void link_halves(surface *s, const numbering *nb)
{
    for (int32_t id = 0; id < nb->f->n_edges; id++) {
        int32_t k = nb->edge[id], parent = k >= 0 ? nb->f->edges[id].parent : -1;
        int32_t w = parent >= 0 ? nb->edge[parent] : -1;
        if (w < 0)
            continue;
        const edge *half = &s->edges[k], *whole = &s->edges[w];
        s->splits[k].whole = w;
        s->splits[w].half[half->node[0] == whole->node[1] || half->node[1] == whole->node[1]] = k;
    }
}

static void fill_elements(surface *s, const numbering *nb, const surface *roots)
{
    const forest *f = nb->f;
    bool unsplit = is_unsplit(f);
    int32_t ei = 0;
    if (unsplit)
        copy_edges(s, roots);
    for (int32_t leaf = forest_next_leaf(f, -1); leaf >= 0; leaf = forest_next_leaf(f, leaf), ei++) {
        fill_element(s, nb, roots, leaf, ei);
        for (int i = 0; !unsplit && i < s->elements[ei].n; i++)
            add_leaf_side(s, nb, ei, i);
        int32_t drawn[FOREST_MOST_DRAWN][3];
        int32_t n = forest_draw(f, leaf, drawn);
        for (int32_t k = 0; k < n; k++) {
            int32_t node[3] = {nb->node[drawn[k][0]], nb->node[drawn[k][1]], nb->node[drawn[k][2]]};
            drawing_add(s, ei, node);
        }
    }
    link_halves(s, nb);
}

static bool has_hanging_corner(const surface *s, int32_t ei)
{
    for (int i = 0; i < s->elements[ei].n; i++)
        if (s->rows[s->elements[ei].node[i]].dof[1] >= 0)
            return true;
    return false;
}

static void mark_smooth(surface *s)
{
    for (int32_t i = 0; i < s->n_edges; i++) {
        const int32_t *el = s->edges[i].element;
        if (s->splits[i].middle >= 0 || has_hanging_corner(s, el[0]) || (el[1] >= 0 && has_hanging_corner(s, el[1])))
            for (int k = 0; k < 2 && el[k] >= 0; k++)
                s->elements[el[k]].smooth = true;
    }
}

surface *surface_of_leaves(const forest *f, const surface *roots)
{
    numbering nb = {.f = f};
    sides all = {0};
    surface *s = mem_array(f->mem, 1, sizeof *s);
    if (!s)
        return NULL;
    s->mem = f->mem;
    bool ok = number_create(&nb, f) && allocate_leaves(s, &nb, roots) &&
              sides_create(&all, f->mem, nb.n_nodes, 3 * nb.n_triangles);
    if (ok) {
        fill_nodes(s, &nb, roots);
        fill_elements(s, &nb, roots);
        mark_smooth(s);
        const side *bad = drawing_link(s, &all);
        assert(!bad);
        (void)bad;
        ok = drawing_bend(s, &all);
        s->revision = roots->revision + f->revision;
    }
    sides_destroy(&all);
    number_destroy(&nb);
    if (!ok) {
        surface_destroy(s);
        return NULL;
    }
    assert(surface_is_valid(s));
    return s;
}
