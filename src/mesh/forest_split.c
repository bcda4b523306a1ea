/* SPDX-License-Identifier: MIT */
/* Splitting one leaf into four, and back (villard2002 §4).
 *
 *     v3 ── m2 ── v2              v2
 *     │  3  I2 2  │             /  2 \           Corner k of the parent is corner k of child k, whose sides k and k − 1
 *     m3─I3─c──I1─m1           m2─J2─m1          are halves of the parent's. Edges inside: I_k from m_k to the centre,
 *     │  0  I0 1  │           / J0  J1 \         J_k from m_k to m_{k−1}, both along child k.
 *     v0 ── m0 ── v1         v0 ─ m0 ── v1
 *
 * An edge is split by the first element beside it or its partner that splits, and made whole by the last to merge. */
#include "mesh/forest_inside.h"

#include <assert.h>

/* Four sides, their partners, and the centre. */
#define FOREST_MOST_NEW_NODES 9

/* Nodes that came or went, for the replace callback. */
typedef struct node_list {
    int32_t n;
    int32_t node[FOREST_MOST_NEW_NODES];
} node_list;

static void tell_replaced(const forest *f, const forest_change *change)
{
    if (f->replace)
        f->replace(f->replace_user, change);
}

/* ---- edges ------------------------------------------------------------------------------------------------------- */

static void halve(forest *f, int32_t i, node_list *came)
{
    int32_t half = forest_take_edges(f);
    forest_edge *ed = &f->edges[i];
    ed->half = half;
    ed->middle = forest_take_node(f, ed->node[0], ed->node[1], i);
    f->edges[half] = (forest_edge){{ed->node[0], ed->middle}, {-1, -1}, -1, -1, i, -1, false};
    f->edges[half + 1] = (forest_edge){{ed->middle, ed->node[1]}, {-1, -1}, -1, -1, i, -1, false};
    came->node[came->n++] = ed->middle;
}

static void make_partners(forest *f, int32_t a, int32_t b, bool turned)
{
    f->edges[a].partner = b;
    f->edges[b].partner = a;
    f->edges[a].partner_turned = f->edges[b].partner_turned = turned;
}

static void split_edge(forest *f, int32_t i, node_list *came)
{
    if (f->edges[i].middle >= 0)
        return;
    halve(f, i, came);
    int32_t p = f->edges[i].partner;
    if (p < 0)
        return;
    halve(f, p, came);
    const forest_edge *a = &f->edges[i], *b = &f->edges[p];
    int turned = a->partner_turned;
    make_partners(f, a->half, b->half + turned, turned);
    make_partners(f, a->half + 1, b->half + 1 - turned, turned);
    f->nodes[a->middle].partner = b->middle;
    f->nodes[b->middle].partner = a->middle;
}

static bool side_is_split(const forest *f, const forest_edge *ed)
{
    return forest_is_split(f, ed->element[0]) || forest_is_split(f, ed->element[1]);
}

static void make_whole(forest *f, forest_edge *ed, node_list *went)
{
    went->node[went->n++] = ed->middle;
    forest_give_edges(f, ed->half);
    forest_give_node(f, ed->middle);
    ed->half = ed->middle = -1;
}

/* Unless another element still needs the middle. */
static void merge_edge(forest *f, int32_t i, node_list *went)
{
    forest_edge *ed = &f->edges[i], *partner = ed->partner >= 0 ? &f->edges[ed->partner] : NULL;
    if (ed->middle < 0 || side_is_split(f, ed) || (partner && side_is_split(f, partner)))
        return;
    make_whole(f, ed, went);
    if (partner)
        make_whole(f, partner, went);
}

/* ---- splitting --------------------------------------------------------------------------------------------------- */

static bool room_to_split(forest *f, const forest_element *el)
{
    int32_t n_new = 0; /* edges that split; a partner twice on a tube of one element, which only costs room */
    for (int i = 0; i < el->n; i++) {
        const forest_edge *ed = &f->edges[el->edge[i]];
        if (ed->middle < 0)
            n_new += ed->partner >= 0 ? 2 : 1;
    }
    return forest_reserve(f, n_new + (el->n == 4), n_new + 2, 1);
}

/* The half of side k next to corner k, or behind it the one next to corner k + 1; it gets its new element. */
static int32_t hand_half(forest *f, int32_t ei, int k, bool behind, int32_t child)
{
    const forest_edge *ed = &f->edges[f->elements[ei].edge[k]];
    int side = forest_side_of(ed, ei);
    int32_t half = ed->half + (side == 0 ? behind : !behind);
    f->edges[half].element[side] = child;
    return half;
}

static int32_t make_inner(forest *f, int32_t i, int32_t from, int32_t to, int32_t along, int32_t against)
{
    f->edges[i] = (forest_edge){{from, to}, {along, against}, -1, -1, -1, -1, false};
    return i;
}

/* The child at corner k: all but its edges inside the parent. */
static void make_corner_child(forest *f, int32_t ei, int k, const int32_t middle[4], int32_t centre)
{
    const forest_element *el = &f->elements[ei];
    int n = el->n, before = (k + n - 1) % n;
    int32_t ci = el->child + k;
    forest_element *c = &f->elements[ci];
    *c = (forest_element){.n = n, .level = el->level + 1, .parent = ei, .child = -1, .root = el->root};
    c->diagonal = n == 4 ? k % 2 : 0;
    c->node[k] = el->node[k];
    c->node[(k + 1) % n] = middle[k];
    if (n == 4)
        c->node[(k + 2) % n] = centre;
    c->node[before] = middle[before];
    c->edge[k] = hand_half(f, ei, k, false, ci);
    c->edge[before] = hand_half(f, ei, before, true, ci);
}

static void make_quad_inside(forest *f, int32_t first, const int32_t middle[4], int32_t centre)
{
    int32_t twos[2] = {forest_take_edges(f), forest_take_edges(f)};
    forest_element *c = &f->elements[first];
    for (int k = 0; k < 4; k++) {
        int after = (k + 1) % 4;
        int32_t i = make_inner(f, twos[k / 2] + k % 2, middle[k], centre, first + k, first + after);
        c[k].edge[after] = c[after].edge[(after + 2) % 4] = i;
    }
}

/* The child in the middle starts at m1, so that its corner j faces the child at corner j. One edge slot stays free. */
static void make_triangle_inside(forest *f, int32_t first, const int32_t middle[4])
{
    int32_t twos[2] = {forest_take_edges(f), forest_take_edges(f)};
    forest_element *c = &f->elements[first];
    c[3] = (forest_element){.n = 3, .level = c[0].level, .parent = c[0].parent, .child = -1, .root = c[0].root};
    for (int k = 0; k < 3; k++) {
        int32_t i = make_inner(f, twos[k / 2] + k % 2, middle[k], middle[(k + 2) % 3], first + k, first + 3);
        c[3].node[k] = middle[(k + 1) % 3];
        c[k].edge[(k + 1) % 3] = c[3].edge[(k + 1) % 3] = i;
    }
}

bool forest_split(forest *f, int32_t ei)
{
    if (!room_to_split(f, &f->elements[ei]))
        return false;
    node_list came = {0};
    forest_element *el = &f->elements[ei];
    forest_unlink_leaf(f, ei);
    int32_t first = forest_take_elements(f), middle[4] = {-1, -1, -1, -1}, centre = -1;
    el->child = first;
    for (int i = 0; i < el->n; i++) {
        split_edge(f, el->edge[i], &came);
        middle[i] = f->edges[el->edge[i]].middle;
    }
    if (el->n == 4) {
        centre = forest_take_node(f, el->node[el->diagonal], el->node[el->diagonal + 2], -1);
        came.node[came.n++] = centre;
    }
    for (int k = 0; k < el->n; k++)
        make_corner_child(f, ei, k, middle, centre);
    if (el->n == 4)
        make_quad_inside(f, first, middle, centre);
    else
        make_triangle_inside(f, first, middle);
    for (int k = 0; k < 4; k++)
        forest_link_leaf(f, first + k);
    f->revision++;
    const int32_t in[4] = {first, first + 1, first + 2, first + 3};
    tell_replaced(
        f, &(forest_change){.n_out = 1, .out = &ei, .n_in = 4, .in = in, .n_nodes_in = came.n, .nodes_in = came.node});
    return true;
}

/* ---- merging ----------------------------------------------------------------------------------------------------- */

/* The inner edges were taken as two twos; these are the first of each. */
static void give_inside(forest *f, const forest_element *el)
{
    const forest_element *c = &f->elements[el->child];
    int32_t first = c[0].edge[1], third = c[2].edge[el->n == 4 ? 3 : 0];
    forest_give_edges(f, first);
    forest_give_edges(f, third);
}

static void forget_halves(forest *f, int32_t ei)
{
    const forest_element *el = &f->elements[ei];
    for (int i = 0; i < el->n; i++) {
        const forest_edge *ed = &f->edges[el->edge[i]];
        int side = forest_side_of(ed, ei);
        f->edges[ed->half].element[side] = f->edges[ed->half + 1].element[side] = -1;
    }
}

void forest_merge(forest *f, int32_t ei)
{
    assert(forest_can_merge(f, ei));
    node_list went = {0};
    forest_element *el = &f->elements[ei];
    int32_t first = el->child, centre = el->n == 4 ? f->elements[first].node[2] : -1;
    for (int k = 0; k < 4; k++)
        forest_unlink_leaf(f, first + k);
    give_inside(f, el);
    forget_halves(f, ei);
    forest_give_elements(f, first);
    el->child = -1;
    for (int i = 0; i < el->n; i++)
        merge_edge(f, el->edge[i], &went);
    if (centre >= 0) {
        forest_give_node(f, centre);
        went.node[went.n++] = centre;
    }
    forest_link_leaf(f, ei);
    f->revision++;
    const int32_t out[4] = {first, first + 1, first + 2, first + 3};
    tell_replaced(f, &(forest_change){
                         .n_out = 4, .out = out, .n_in = 1, .in = &ei, .n_nodes_out = went.n, .nodes_out = went.node});
}
