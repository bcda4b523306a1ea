/* SPDX-License-Identifier: MIT */
/* Whether a tree is what it says, for tests:
 *  1. triangles are a permutation; twins are mutual and have the same ends;
 *  2. children are in a row, of the next depth, and share out their parent's triangles;
 *  3. contours have just the half-edges whose twin is outside, each followed by the one that contour_next tells;
 *  4. neighbours are mutual where both are of one depth. */
#include "bvh/bvh_inside.h"

static bool triangles_are_valid(const bvh *t, uint8_t *seen)
{
    for (int32_t ti = 0; ti < t->n_triangles; ti++) {
        if (t->id[ti] < 0 || t->id[ti] >= t->n_triangles || seen[t->id[ti]]++)
            return false;
        for (int k = 0; k < 3; k++) {
            int32_t he = 3 * ti + k, twin = t->twin[3 * ti + k];
            if (twin >= 0 && (t->twin[twin] != he || t->common[twin] != t->common[next_side(he)] ||
                              t->common[next_side(twin)] != t->common[he]))
                return false;
        }
    }
    return true;
}

static bool zone_is_valid(const bvh *t, int32_t zi)
{
    const zone *z = &t->zones[zi];
    int32_t at = z->first;
    if (z->n_children == 0)
        return z->n > 0 && z->n <= BVH_LEAF;
    if (z->n_children == 1 || z->first_child <= zi || z->first_child + z->n_children > t->n_zones)
        return false;
    for (int32_t c = z->first_child; c < z->first_child + z->n_children; c++) {
        const zone *y = &t->zones[c];
        if (y->first != at || y->parent != zi || y->depth != z->depth + 1)
            return false;
        at += y->n;
    }
    return at == z->first + z->n;
}

static int32_t length_of_contour(const bvh *t, const zone *z)
{
    int32_t n = 0;
    for (int32_t he = 3 * z->first; he < 3 * (z->first + z->n); he++)
        n += t->twin[he] < 0 || !zone_has(z, t->twin[he] / 3);
    return n;
}

static bool contour_is_valid(const bvh *t, int32_t zi)
{
    const zone *z = &t->zones[zi];
    const int32_t *list = t->contours + t->contour_start[zi];
    int32_t n = t->contour_count[zi], first = -1;
    if (n != length_of_contour(t, z))
        return false;
    for (int32_t i = 0; i < n; i++) {
        int32_t he = list[i] < 0 ? ~list[i] : list[i], twin = t->twin[he];
        first = list[i] < 0 ? he : first;
        bool last = i + 1 == n || list[i + 1] < 0;
        if (!zone_has(z, he / 3) || (twin >= 0 && zone_has(z, twin / 3)) ||
            contour_next(t, z, NULL, he) != (last ? first : list[i + 1]))
            return false;
    }
    return true;
}

static bool neighbours_are_valid(const bvh *t, int32_t zi)
{
    for (int32_t i = 0; i < t->neighbour_count[zi]; i++) {
        int32_t zj = t->neighbours[t->neighbour_start[zi] + i];
        const zone *z = &t->zones[zj];
        if (zj == zi || z->depth > t->zones[zi].depth || (z->depth < t->zones[zi].depth && z->n_children > 0) ||
            !adjacency_of(t, zi, zj) || !adjacency_of(t, zj, zi))
            return false;
    }
    return true;
}

bool bvh_is_valid(const bvh *t)
{
    uint8_t *seen;
    if (t->n_triangles == 0)
        return t->n_zones == 0;
    if (!MEM_MAKE(t->mem, seen, t->n_triangles))
        return false;
    bool ok = triangles_are_valid(t, seen) && t->zones[0].n == t->n_triangles;
    for (int32_t zi = 0; ok && zi < t->n_zones; zi++)
        ok = zone_is_valid(t, zi) && contour_is_valid(t, zi) && neighbours_are_valid(t, zi);
    MEM_FREE(t->mem, seen, t->n_triangles);
    return ok;
}
