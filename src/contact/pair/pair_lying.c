/* SPDX-License-Identifier: MIT */
/* Which pairs of cloth lie on each other, or are about to: those that come nearer or part slowly on the predicted way,
 * by what weight does in a step (PAIR_LYING_SPEED), of nodes that rest (pair_rest.c). They touch by the rules of meshes
 * (pair_touch.h): at their thickness, with one normal at each point, so that layers lie close and slide by Coulomb's
 * law. What closes in fast, as folds do, is felt from afar and softly as before (pair_set.h): contacts that begin a
 * tenth of a millimetre away surprise Newton's method.
 *
 * Slow is measured across the surfaces: along the triangle's normal; of two edges along the mean normals of the
 * triangles beside each, since their own normal is noise where they lie along each other. */
#include <string.h>

#include "contact/pair/pair_inside.h"

/* The mean normal of an edge's triangles, of unit length, or 0. */
static vec3 edge_normal(const vec3 *x, int32_t a, int32_t b, const int32_t opposite[2])
{
    vec3 n = v3_zero(), e = v3_sub(x[b], x[a]);
    for (int k = 0; k < 2; k++)
        if (opposite[k] >= 0) {
            vec3 m = v3_unit_or(v3_cross(e, v3_sub(x[opposite[k]], x[a])), v3_zero());
            n = v3_dot(n, m) < 0 ? v3_sub(n, m) : v3_add(n, m);
        }
    return v3_unit_or(n, v3_zero());
}

bool pair_lies(const pair_set *s, const contact_pair *p, const int32_t beside[4], const gap *g, const vec3 *x1)
{
    if (!pair_set_is_fine(s) || p->node[0] >= s->n_cloth || p->node[3] >= s->n_cloth ||
        pair_rest_radius(s, p, g->w) > PAIR_LYING_RADIUS)
        return false;
    vec3 way = pair_relative_way(s, p, g, x1);
    if (!p->edges)
        return fabs(v3_dot(pair_normal(s->x0, p), way)) <= s->slow;
    return fabs(v3_dot(edge_normal(s->x0, p->node[0], p->node[1], beside), way)) <= s->slow &&
           fabs(v3_dot(edge_normal(s->x0, p->node[2], p->node[3], beside + 2), way)) <= s->slow;
}

void pair_beside(const pair_set *s, const verlet_list *list, int64_t at, int32_t beside[4])
{
    const bvh_pairs *all = &list->pairs;
    const pair_ring *ring = s->ring;
    if (at < all->n_vertex_triangle) {
        memcpy(beside, ring->triangle[all->vertex_triangle[at].ti], sizeof ring->triangle[0]);
        return;
    }
    bvh_edge_edge p = all->edge_edge[at - all->n_vertex_triangle];
    memcpy(beside, ring->edge[p.ei], sizeof ring->edge[0]);
    memcpy(beside + 2, ring->edge[p.ej], sizeof ring->edge[0]);
}
