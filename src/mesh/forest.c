/* SPDX-License-Identifier: MIT */
/* The forest's slots, lists of corners and stitches; made from a surface of roots. */
#include "mesh/forest_inside.h"

#include <assert.h>

/* A corner is 4 · element + k, an int32. */
#define FOREST_MOST_SLOTS (1 << 29)

/* ---- slots ------------------------------------------------------------------------------------------------------- */

/* An array with room for `need` items: p itself, or p grown by doubling; NULL: out of memory, p is as it was. */
static void *with_room(mem *m, void *p, int32_t *capacity, int64_t need, size_t size)
{
    if (need <= *capacity)
        return p;
    int64_t n = 2 * (int64_t)*capacity;
    if (n > FOREST_MOST_SLOTS)
        n = FOREST_MOST_SLOTS;
    if (n < need)
        n = need;
    void *q = n > FOREST_MOST_SLOTS ? NULL : mem_resized(m, p, *capacity, n, size);
    if (q)
        *capacity = (int32_t)n;
    return q;
}

/* Slots behind those in use that are wanted once the free ones are taken. */
static int64_t slots_wanted(int32_t n_used, int32_t wanted, int32_t n_free, int32_t pack)
{
    return n_used + (wanted > n_free ? (int64_t)pack * (wanted - n_free) : 0);
}

bool forest_reserve(forest *f, int32_t nodes, int32_t edge_twos, int32_t element_fours)
{
    int64_t n_nodes = slots_wanted(f->n_nodes, nodes, f->n_nodes - f->n_live_nodes, 1);
    int64_t n_edges = slots_wanted(f->n_edges, edge_twos, f->n_free_edges, 2);
    int64_t n_elements = slots_wanted(f->n_elements, element_fours, f->n_free_elements, 4);
    void *p = with_room(f->mem, f->nodes, &f->capacity_nodes, n_nodes, sizeof *f->nodes);
    if (!p)
        return false;
    f->nodes = p;
    if (!(p = with_room(f->mem, f->edges, &f->capacity_edges, n_edges, sizeof *f->edges)))
        return false;
    f->edges = p;
    if (!(p = with_room(f->mem, f->elements, &f->capacity_elements, n_elements, sizeof *f->elements)))
        return false;
    f->elements = p;
    return true;
}

int32_t forest_take_node(forest *f, int32_t parent_0, int32_t parent_1, int32_t middle_of)
{
    int32_t vi = f->free_node;
    if (vi >= 0)
        f->free_node = f->nodes[vi].edge;
    else
        vi = f->n_nodes++;
    assert(vi < f->capacity_nodes);
    f->nodes[vi] = (forest_node){{parent_0, parent_1}, middle_of, -1, vi};
    f->n_live_nodes++;
    return vi;
}

int32_t forest_take_edges(forest *f)
{
    int32_t first = f->free_edges;
    if (first >= 0) {
        f->free_edges = f->edges[first].parent;
        f->n_free_edges--;
    } else {
        first = f->n_edges;
        f->n_edges += 2;
    }
    assert(first + 2 <= f->capacity_edges);
    f->edges[first].node[0] = f->edges[first + 1].node[0] = -1;
    return first;
}

int32_t forest_take_elements(forest *f)
{
    int32_t first = f->free_elements;
    if (first >= 0) {
        f->free_elements = f->elements[first].parent;
        f->n_free_elements--;
    } else {
        first = f->n_elements;
        f->n_elements += 4;
    }
    assert(first + 4 <= f->capacity_elements);
    return first;
}

/* The parents stay readable for the replace callback. */
void forest_give_node(forest *f, int32_t vi)
{
    assert(f->nodes[vi].corner < 0);
    f->nodes[vi].edge = f->free_node;
    f->nodes[vi].partner = -1;
    f->free_node = vi;
    f->n_live_nodes--;
}

void forest_give_edges(forest *f, int32_t first)
{
    f->edges[first].node[0] = f->edges[first + 1].node[0] = -1;
    f->edges[first].parent = f->free_edges;
    f->free_edges = first;
    f->n_free_edges++;
}

void forest_give_elements(forest *f, int32_t first)
{
    for (int k = 0; k < 4; k++)
        f->elements[first + k].n = 0;
    f->elements[first].parent = f->free_elements;
    f->free_elements = first;
    f->n_free_elements++;
}

/* ---- lists of corners -------------------------------------------------------------------------------------------- */

void forest_link_leaf(forest *f, int32_t ei)
{
    forest_element *el = &f->elements[ei];
    for (int k = 0; k < el->n; k++) {
        forest_node *v = &f->nodes[el->node[k]];
        el->corner_past[k] = -1;
        el->corner_next[k] = v->corner;
        if (v->corner >= 0)
            f->elements[v->corner / 4].corner_past[v->corner % 4] = 4 * ei + k;
        v->corner = 4 * ei + k;
    }
    f->n_leaves++;
    f->work += el->n;
}

void forest_unlink_leaf(forest *f, int32_t ei)
{
    const forest_element *el = &f->elements[ei];
    for (int k = 0; k < el->n; k++) {
        int32_t past = el->corner_past[k], next = el->corner_next[k];
        if (past >= 0)
            f->elements[past / 4].corner_next[past % 4] = next;
        else
            f->nodes[el->node[k]].corner = next;
        if (next >= 0)
            f->elements[next / 4].corner_past[next % 4] = past;
    }
    f->n_leaves--;
    f->work += el->n;
}

/* ---- making, stitching ------------------------------------------------------------------------------------------- */

static void copy_root(forest *f, const element *src, int32_t ei)
{
    forest_element *el = &f->elements[ei];
    *el = (forest_element){.n = src->n, .parent = -1, .child = -1, .root = ei, .diagonal = src->diagonal};
    for (int i = 0; i < src->n; i++) {
        el->node[i] = src->node[i];
        el->edge[i] = src->edge[i];
    }
}

bool forest_create(forest *f, mem *m, const surface *roots)
{
    *f = (forest){.mem = m, .free_node = -1, .free_edges = -1, .free_elements = -1, .revision = 1};
    f->n_nodes = f->n_root_nodes = f->n_live_nodes = f->capacity_nodes = roots->n_nodes;
    f->n_edges = f->n_root_edges = f->capacity_edges = roots->n_edges;
    f->n_elements = f->n_roots = f->capacity_elements = roots->n_elements;
    if (!MEM_MAKE(m, f->nodes, f->n_nodes) || !MEM_MAKE(m, f->edges, f->n_edges) ||
        !MEM_MAKE(m, f->elements, f->n_elements)) {
        forest_destroy(f);
        return false;
    }
    for (int32_t vi = 0; vi < f->n_nodes; vi++)
        f->nodes[vi] = (forest_node){{-1, -1}, -1, -1, vi};
    for (int32_t i = 0; i < f->n_edges; i++) {
        const edge *src = &roots->edges[i];
        f->edges[i] =
            (forest_edge){{src->node[0], src->node[1]}, {src->element[0], src->element[1]}, -1, -1, -1, -1, false};
    }
    for (int32_t ei = 0; ei < f->n_roots; ei++) {
        copy_root(f, &roots->elements[ei], ei);
        forest_link_leaf(f, ei);
    }
    f->work = 0;
    return true;
}

void forest_destroy(forest *f)
{
    if (!f->mem)
        return;
    MEM_FREE(f->mem, f->nodes, f->capacity_nodes);
    MEM_FREE(f->mem, f->edges, f->capacity_edges);
    MEM_FREE(f->mem, f->elements, f->capacity_elements);
    *f = (forest){0};
}

bool forest_in_ring(const forest *f, int32_t vi, int32_t vj)
{
    int32_t v = vi;
    do {
        if (v == vj)
            return true;
        v = f->nodes[v].partner;
    } while (v != vi);
    return false;
}

/* Swapping the successors of two rings makes one of them; of one ring it would make two. */
static void join_rings(forest *f, int32_t vi, int32_t vj)
{
    if (forest_in_ring(f, vi, vj))
        return;
    int32_t next = f->nodes[vi].partner;
    f->nodes[vi].partner = f->nodes[vj].partner;
    f->nodes[vj].partner = next;
}

static bool is_free_border(const forest *f, int32_t i)
{
    return i >= 0 && i < f->n_root_edges && f->edges[i].element[1] < 0 && f->edges[i].partner < 0;
}

void forest_join(forest *f, int32_t vi, int32_t vj)
{
    assert(f->n_leaves == f->n_roots);
    join_rings(f, vi, vj);
}

bool forest_stitch(forest *f, int32_t a, int32_t b, bool turned)
{
    if (a == b || !is_free_border(f, a) || !is_free_border(f, b) || f->n_leaves != f->n_roots)
        return false;
    forest_edge *ea = &f->edges[a], *eb = &f->edges[b];
    ea->partner = b;
    eb->partner = a;
    ea->partner_turned = eb->partner_turned = turned;
    join_rings(f, ea->node[0], eb->node[turned]);
    join_rings(f, ea->node[1], eb->node[!turned]);
    return true;
}
