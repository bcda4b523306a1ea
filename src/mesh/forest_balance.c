/* SPDX-License-Identifier: MIT */
/* The balance: leaves that share a point differ by one level at most (villard2002 §4.2, and over vertices too).
 *
 * A leaf of level l may split once no leaf at its corners is coarser than l: a coarser one across a side has a corner
 * of the small leaf in the middle of that side, so that corners are all there is to look at. What is coarser splits
 * first, by the same rule; the level falls with each such demand, so a stack of levels is enough. Which leaves split
 * does not depend on the order. */
#include "mesh/forest_inside.h"

/* Calls look for the leaves at a node, some perhaps twice, until one returns true: that leaf, or -1. */
typedef bool (*look_fn)(const forest_element *el, int32_t level);

static int32_t find_on_sides(const forest *f, int32_t vi, look_fn look, int32_t level)
{
    int32_t i = f->nodes[vi].edge;
    for (int side = 0; i >= 0 && side < 2; side++) {
        int32_t ei = f->edges[i].element[side];
        if (ei >= 0 && forest_is_leaf(f, ei) && look(&f->elements[ei], level))
            return ei;
    }
    return -1;
}

/* *work, if any, counts the leaves looked at. */
static int32_t find_around(const forest *f, int32_t vi, look_fn look, int32_t level, int64_t *work)
{
    int32_t v = vi;
    do {
        for (int32_t c = f->nodes[v].corner; c >= 0; c = f->elements[c / 4].corner_next[c % 4]) {
            if (work)
                ++*work;
            if (look(&f->elements[c / 4], level))
                return c / 4;
        }
        int32_t ei = find_on_sides(f, v, look, level);
        if (ei >= 0)
            return ei;
        v = f->nodes[v].partner;
    } while (v != vi);
    return -1;
}

static bool is_coarser(const forest_element *el, int32_t level)
{
    return el->level < level;
}

static bool is_finer(const forest_element *el, int32_t level)
{
    return el->level > level;
}

static int32_t find_coarser(forest *f, int32_t ei)
{
    const forest_element *el = &f->elements[ei];
    int32_t found = -1;
    for (int k = 0; k < el->n && found < 0 && el->level > 0; k++)
        found = find_around(f, el->node[k], is_coarser, el->level, &f->work);
    return found;
}

bool forest_refine(forest *f, int32_t ei)
{
    if (!forest_is_leaf(f, ei))
        return true;
    if (f->elements[ei].level >= FOREST_MAX_LEVEL)
        return false;
    int32_t stack[FOREST_MAX_LEVEL + 1] = {ei};
    for (int n = 1; n > 0;) {
        int32_t coarser = find_coarser(f, stack[n - 1]);
        if (coarser >= 0)
            stack[n++] = coarser;
        else if (!forest_split(f, stack[--n]))
            return false;
    }
    return true;
}

int32_t forest_least_level(const forest *f, int32_t vi)
{
    int32_t level = FOREST_MAX_LEVEL + 1, ei;
    while ((ei = find_around(f, vi, is_coarser, level, NULL)) >= 0)
        level = f->elements[ei].level;
    return level;
}

bool forest_refine_at(forest *f, int32_t vi)
{
    int32_t level = forest_least_level(f, vi), ei;
    while ((ei = find_around(f, vi, is_coarser, level + 1, &f->work)) >= 0)
        if (!forest_refine(f, ei))
            return false;
    return true;
}

/* The children's corners are the element's, its sides' middles, and a centre where only they meet. */
bool forest_can_merge(const forest *f, int32_t ei)
{
    const forest_element *el = &f->elements[ei];
    if (el->n == 0 || el->child < 0)
        return false;
    for (int k = 0; k < 4; k++)
        if (!forest_is_leaf(f, el->child + k))
            return false;
    for (int k = 0; k < el->n; k++)
        if (find_around(f, el->node[k], is_finer, el->level + 1, NULL) >= 0 ||
            find_around(f, f->edges[el->edge[k]].middle, is_finer, el->level + 1, NULL) >= 0)
            return false;
    return true;
}

/* ---- what is at a node ------------------------------------------------------------------------------------------- */

static bool hangs_alone(const forest *f, int32_t vi)
{
    if (f->nodes[vi].edge < 0)
        return false;
    const forest_edge *ed = &f->edges[f->nodes[vi].edge];
    return (ed->element[0] >= 0 && forest_is_leaf(f, ed->element[0])) ||
           (ed->element[1] >= 0 && forest_is_leaf(f, ed->element[1]));
}

bool forest_hangs_closed(const forest *f, int32_t vi)
{
    int32_t v = vi;
    do {
        if (hangs_alone(f, v))
            return true;
        v = f->nodes[v].partner;
    } while (v != vi);
    return false;
}

bool forest_hangs(const forest *f, int32_t vi)
{
    return f->closed ? forest_hangs_closed(f, vi) : hangs_alone(f, vi);
}

/* Whether v is the first of a leaf's corners, then middles of sides, that are in its ring: on a tube a leaf may be
 * there several times. */
static bool is_first(const forest *f, const forest_element *el, int32_t v)
{
    if (f->nodes[v].partner == v)
        return true;
    for (int k = 0; k < 2 * el->n; k++) {
        int32_t w = k < el->n ? el->node[k] : f->edges[el->edge[k - el->n]].middle;
        if (w == v)
            return true;
        if (w >= 0 && forest_in_ring(f, v, w))
            return false;
    }
    return true;
}

void forest_around(const forest *f, int32_t vi, void (*visit)(void *user, int32_t leaf), void *user)
{
    int32_t v = vi;
    do {
        for (int32_t c = f->nodes[v].corner; c >= 0; c = f->elements[c / 4].corner_next[c % 4])
            if (is_first(f, &f->elements[c / 4], v))
                visit(user, c / 4);
        int32_t i = f->nodes[v].edge;
        for (int side = 0; i >= 0 && side < 2; side++) {
            int32_t ei = f->edges[i].element[side];
            if (ei >= 0 && forest_is_leaf(f, ei) && is_first(f, &f->elements[ei], v))
                visit(user, ei);
        }
        v = f->nodes[v].partner;
    } while (v != vi);
}
