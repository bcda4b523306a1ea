/* SPDX-License-Identifier: MIT */
/* The validity predicate of forest.h, checked before and after operations in tests. It trusts no index before it has
 * been checked: slots first, then what they say of each other. */
#include "mesh/forest_inside.h"

static bool node_lives(const forest *f, int32_t vi)
{
    return vi >= 0 && vi < f->n_nodes && f->nodes[vi].partner >= 0;
}

static bool edge_lives(const forest *f, int32_t i)
{
    return i >= 0 && i < f->n_edges && f->edges[i].node[0] >= 0;
}

static bool element_lives(const forest *f, int32_t ei)
{
    return ei >= 0 && ei < f->n_elements && f->elements[ei].n > 0;
}

/* Edges taken as two and elements as four stand in steps behind the roots. */
static bool starts_pack(int32_t i, int32_t n, int32_t n_roots, int32_t pack)
{
    return i >= n_roots && i <= n - pack && (i - n_roots) % pack == 0;
}

/* ---- slots ------------------------------------------------------------------------------------------------------- */

static bool free_nodes_are_valid(const forest *f)
{
    int32_t n = f->n_nodes - f->n_live_nodes;
    for (int32_t vi = f->free_node; vi >= 0; vi = f->nodes[vi].edge)
        if (n-- <= 0 || vi >= f->n_nodes || vi < f->n_root_nodes || f->nodes[vi].partner >= 0 ||
            f->nodes[vi].corner >= 0)
            return false;
    for (int32_t vi = 0; vi < f->n_nodes; vi++)
        n += f->nodes[vi].partner >= 0;
    return n == f->n_live_nodes;
}

/* One slot of the two twos inside a triangle stays unused. */
static bool free_edges_are_valid(const forest *f)
{
    int32_t n = f->n_free_edges, n_unused = 2 * f->n_free_edges;
    for (int32_t i = f->free_edges; i >= 0; i = f->edges[i].parent)
        if (n-- <= 0 || !starts_pack(i, f->n_edges, f->n_root_edges, 2) || edge_lives(f, i) || edge_lives(f, i + 1))
            return false;
    for (int32_t ei = 0; ei < f->n_elements; ei++)
        n_unused += f->elements[ei].n == 3 && f->elements[ei].child >= 0;
    for (int32_t i = 0; i < f->n_edges; i++)
        n_unused -= !edge_lives(f, i);
    return n == 0 && n_unused == 0;
}

static bool free_elements_are_valid(const forest *f)
{
    int32_t n = f->n_free_elements, n_unused = 4 * f->n_free_elements, n_leaves = 0;
    for (int32_t ei = f->free_elements; ei >= 0; ei = f->elements[ei].parent)
        if (n-- <= 0 || !starts_pack(ei, f->n_elements, f->n_roots, 4) || element_lives(f, ei))
            return false;
    for (int32_t ei = 0; ei < f->n_elements; ei++) {
        n_unused -= f->elements[ei].n == 0;
        n_leaves += f->elements[ei].n > 0 && f->elements[ei].child < 0;
    }
    return n == 0 && n_unused == 0 && n_leaves == f->n_leaves;
}

static bool forest_counts_are_valid(const forest *f)
{
    return f->n_nodes <= f->capacity_nodes && f->n_edges <= f->capacity_edges &&
           f->n_elements <= f->capacity_elements && f->n_root_nodes <= f->n_nodes && f->n_root_edges <= f->n_edges &&
           f->n_roots <= f->n_elements && free_nodes_are_valid(f) && free_edges_are_valid(f) &&
           free_elements_are_valid(f);
}

/* ---- elements ---------------------------------------------------------------------------------------------------- */

static bool family_is_valid(const forest *f, int32_t ei)
{
    const forest_element *el = &f->elements[ei];
    if (ei < f->n_roots) {
        if (el->parent != -1 || el->level != 0 || el->root != ei)
            return false;
    } else {
        const forest_element *up = element_lives(f, el->parent) ? &f->elements[el->parent] : NULL;
        if (!up || up->child < 0 || ei - up->child < 0 || ei - up->child > 3 || el->level != up->level + 1 ||
            el->root != up->root || el->n != up->n || (el->n == 4 && el->diagonal != (ei - up->child) % 2))
            return false;
    }
    if (el->child < 0)
        return el->child == -1;
    if (!starts_pack(el->child, f->n_elements, f->n_roots, 4))
        return false;
    for (int k = 0; k < 4; k++)
        if (!element_lives(f, el->child + k) || f->elements[el->child + k].parent != ei)
            return false;
    return true;
}

static bool sides_are_valid(const forest *f, int32_t ei)
{
    const forest_element *el = &f->elements[ei];
    for (int i = 0; i < el->n; i++) {
        int32_t a = el->node[i], b = el->node[(i + 1) % el->n];
        if (!node_lives(f, a) || a == b || a == el->node[(i + 2) % el->n] || !edge_lives(f, el->edge[i]))
            return false;
        const forest_edge *ed = &f->edges[el->edge[i]];
        bool forth = ed->element[0] == ei && ed->node[0] == a && ed->node[1] == b;
        bool back = ed->element[1] == ei && ed->node[0] == b && ed->node[1] == a;
        if (forth == back || (el->child >= 0 && ed->middle < 0))
            return false;
    }
    return true;
}

/* Children have their corner, the middles beside it and, on quads, one and the same centre. */
static bool children_fit(const forest *f, int32_t ei)
{
    const forest_element *el = &f->elements[ei], *c = &f->elements[el->child];
    int n = el->n;
    for (int k = 0; k < n; k++) {
        int before = (k + n - 1) % n;
        int32_t m_k = f->edges[el->edge[k]].middle, m_before = f->edges[el->edge[before]].middle;
        if (c[k].node[k] != el->node[k] || c[k].node[(k + 1) % n] != m_k || c[k].node[before] != m_before)
            return false;
        if (n == 3 && c[3].node[before] != m_k)
            return false;
        if (n == 4 && c[k].node[(k + 2) % n] != c[0].node[2])
            return false;
    }
    if (n == 3)
        return true;
    const forest_node *centre = &f->nodes[c[0].node[2]];
    return centre->edge == -1 && centre->parent[0] == el->node[el->diagonal] &&
           centre->parent[1] == el->node[el->diagonal + 2] && centre->partner == c[0].node[2];
}

static bool forest_element_is_valid(const forest *f, int32_t ei)
{
    const forest_element *el = &f->elements[ei];
    if (el->n == 0)
        return ei >= f->n_roots;
    return (el->n == 3 || el->n == 4) && el->diagonal >= 0 && el->diagonal <= el->n - 3 && el->level >= 0 &&
           el->level <= FOREST_MAX_LEVEL && family_is_valid(f, ei) && sides_are_valid(f, ei);
}

/* ---- edges ------------------------------------------------------------------------------------------------------- */

/* Whether an element runs along edge i from its node `from` on. */
static bool runs_from(const forest *f, int32_t ei, int32_t i, int32_t from)
{
    if (!element_lives(f, ei))
        return false;
    for (int k = 0; k < f->elements[ei].n; k++)
        if (f->elements[ei].edge[k] == i)
            return f->elements[ei].node[k] == from;
    return false;
}

static bool forest_halves_are_valid(const forest *f, int32_t i)
{
    const forest_edge *ed = &f->edges[i];
    if (ed->middle < 0)
        return ed->middle == -1 && ed->half == -1;
    if (!node_lives(f, ed->middle) || !starts_pack(ed->half, f->n_edges, f->n_root_edges, 2))
        return false;
    const forest_node *m = &f->nodes[ed->middle];
    const forest_edge *h = &f->edges[ed->half];
    bool nodes_fit = m->edge == i && m->parent[0] == ed->node[0] && m->parent[1] == ed->node[1];
    bool halves_fit = h[0].node[0] == ed->node[0] && h[0].node[1] == ed->middle && h[1].node[0] == ed->middle &&
                      h[1].node[1] == ed->node[1] && h[0].parent == i && h[1].parent == i;
    for (int side = 0; side < 2; side++)
        for (int k = 0; k < 2; k++)
            if ((h[k].element[side] >= 0) != forest_is_split(f, ed->element[side]))
                return false;
    return nodes_fit && halves_fit;
}

static bool has_split_element(const forest *f, const forest_edge *ed)
{
    return forest_is_split(f, ed->element[0]) || forest_is_split(f, ed->element[1]);
}

static bool forest_partner_is_valid(const forest *f, int32_t i)
{
    const forest_edge *a = &f->edges[i];
    if (a->partner < 0)
        return a->partner == -1 && (a->middle < 0 || f->nodes[a->middle].partner == a->middle);
    if (!edge_lives(f, a->partner) || a->partner == i || a->element[1] >= 0)
        return false;
    const forest_edge *b = &f->edges[a->partner];
    int turned = a->partner_turned;
    if (b->partner != i || b->partner_turned != a->partner_turned || (a->middle < 0) != (b->middle < 0) ||
        !forest_in_ring(f, a->node[0], b->node[turned]) || !forest_in_ring(f, a->node[1], b->node[!turned]))
        return false;
    return a->middle < 0 ||
           (f->nodes[a->middle].partner == b->middle && f->edges[a->half].partner == b->half + turned &&
            f->edges[a->half + 1].partner == b->half + 1 - turned &&
            f->edges[a->half].partner_turned == a->partner_turned);
}

static bool forest_edge_is_valid(const forest *f, int32_t i)
{
    const forest_edge *ed = &f->edges[i];
    if (!edge_lives(f, i))
        return i >= f->n_root_edges;
    if (!node_lives(f, ed->node[0]) || !node_lives(f, ed->node[1]) || ed->node[0] == ed->node[1])
        return false;
    for (int side = 0; side < 2; side++)
        if (ed->element[side] != -1 && !runs_from(f, ed->element[side], i, ed->node[side]))
            return false;
    bool half = edge_lives(f, ed->parent) && i - f->edges[ed->parent].half >= 0 && i - f->edges[ed->parent].half <= 1;
    if (ed->parent != -1 ? !half : (ed->element[0] < 0 || (i >= f->n_root_edges && ed->element[1] < 0)))
        return false;
    return forest_halves_are_valid(f, i);
}

/* After every edge by itself is known to be sound. */
static bool edge_is_needed(const forest *f, int32_t i)
{
    const forest_edge *ed = &f->edges[i];
    if (!forest_partner_is_valid(f, i))
        return false;
    bool needed = has_split_element(f, ed) || (ed->partner >= 0 && has_split_element(f, &f->edges[ed->partner]));
    return needed == (ed->middle >= 0);
}

/* ---- nodes ------------------------------------------------------------------------------------------------------- */

/* Corners in the list of a node; -1: the list is broken. */
static int32_t count_leaf_corners(const forest *f, int32_t vi)
{
    int32_t n = 0, past = -1;
    for (int32_t c = f->nodes[vi].corner; c != -1; c = f->elements[c / 4].corner_next[c % 4]) {
        if (c < 0 || !element_lives(f, c / 4) || !forest_is_leaf(f, c / 4) || c % 4 >= f->elements[c / 4].n)
            return -1;
        const forest_element *el = &f->elements[c / 4];
        if (el->node[c % 4] != vi || el->corner_past[c % 4] != past)
            return -1;
        past = c;
        n++;
    }
    return n;
}

static bool lists_are_valid(const forest *f)
{
    int64_t n = 0;
    for (int32_t vi = 0; vi < f->n_nodes; vi++) {
        if (!node_lives(f, vi))
            continue;
        int32_t here = count_leaf_corners(f, vi);
        if (here < 0 || (here == 0 && vi >= f->n_root_nodes && !forest_hangs(f, vi)))
            return false;
        n += here;
    }
    for (int32_t ei = 0; ei < f->n_elements; ei++)
        if (element_lives(f, ei) && forest_is_leaf(f, ei))
            n -= f->elements[ei].n;
    return n == 0;
}

static bool ring_is_valid(const forest *f, int32_t vi)
{
    int32_t v = vi;
    for (int32_t n = 0; n <= f->n_nodes; n++) {
        v = f->nodes[v].partner;
        if (!node_lives(f, v))
            return false;
        if (v == vi)
            return true;
    }
    return false;
}

/* The middle of its edge, or the centre that children_fit knows, or a root's. */
static bool node_is_valid(const forest *f, int32_t vi)
{
    const forest_node *v = &f->nodes[vi];
    if (!node_lives(f, vi))
        return true;
    if (!ring_is_valid(f, vi))
        return false;
    if (vi < f->n_root_nodes)
        return v->parent[0] == -1 && v->parent[1] == -1 && v->edge == -1;
    bool parents = node_lives(f, v->parent[0]) && node_lives(f, v->parent[1]) && v->parent[0] != v->parent[1];
    return parents && (v->edge == -1 || (edge_lives(f, v->edge) && f->edges[v->edge].middle == vi));
}

typedef struct levels {
    const forest *f;
    int32_t least, most;
} levels;

static void note_level(void *user, int32_t leaf)
{
    levels *l = user;
    int32_t level = l->f->elements[leaf].level;
    l->least = level < l->least ? level : l->least;
    l->most = level > l->most ? level : l->most;
}

static bool is_balanced_at(const forest *f, int32_t vi)
{
    if (!node_lives(f, vi))
        return true;
    levels l = {f, FOREST_MAX_LEVEL, 0};
    forest_around(f, vi, note_level, &l);
    if (l.most > l.least + 1)
        return false;
    const forest_node *v = &f->nodes[vi];
    return !forest_hangs(f, vi) || (!forest_hangs_closed(f, v->parent[0]) && !forest_hangs_closed(f, v->parent[1]));
}

bool forest_is_valid(const forest *f)
{
    bool ok = forest_counts_are_valid(f);
    for (int32_t vi = 0; ok && vi < f->n_nodes; vi++)
        ok = node_is_valid(f, vi);
    for (int32_t ei = 0; ok && ei < f->n_elements; ei++)
        ok = forest_element_is_valid(f, ei);
    for (int32_t i = 0; ok && i < f->n_edges; i++)
        ok = forest_edge_is_valid(f, i);
    for (int32_t i = 0; ok && i < f->n_edges; i++)
        ok = !edge_lives(f, i) || edge_is_needed(f, i);
    for (int32_t ei = 0; ok && ei < f->n_elements; ei++)
        ok = !forest_is_split(f, ei) || !element_lives(f, ei) || children_fit(f, ei);
    ok = ok && lists_are_valid(f);
    for (int32_t vi = 0; ok && vi < f->n_nodes; vi++)
        ok = is_balanced_at(f, vi);
    return ok;
}
