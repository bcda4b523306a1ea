/* SPDX-License-Identifier: MIT */
/* Embedded nodes: cloth that is inside a collider when a step begins, since it was put there, or since colliders that
 * overlap have left it no room.
 *
 * Idea: a contact would throw such a node out within the step, or, between two colliders, tear at it from both sides.
 * So each collider tolerates a depth for each node: as deep as the node is, less the way that it can go at a bounded
 * speed. For this node the collider's surface is moved inward by that much. A node inside two colliders at once is
 * released by both, and waits until they part. Source: ours.
 *
 * Invariants: 1. held nodes are never embedded; 2. the tolerated depth depends on where things are at the step's start
 * alone, and on what the correction of this substep could not move out. */
#include <string.h>

#include "contact/collider/collider_contact.h"

void collider_contact_tolerate(collider_contacts *t, int32_t ci, int32_t vi, double depth)
{
    if (collider_contact_is_unfelt(t, ci, vi))
        return;
    t->lacking = t->lacking || (!t->tolerated && !MEM_MAKE(t->mem, t->tolerated, (int64_t)t->n_colliders * t->n_nodes));
    if (!t->tolerated)
        return;
    double *tolerated = &t->tolerated[(int64_t)ci * t->n_nodes + vi];
    t->n_embedded += *tolerated == 0;
    *tolerated = max_of(*tolerated, depth);
}

static bool is_free(const filter *filters, const node_row *rows, int32_t vi)
{
    const node_row *r = &rows[vi];
    return filters[r->dof[0]].kind == FREEDOM_ALL && (r->dof[1] < 0 || filters[r->dof[1]].kind == FREEDOM_ALL);
}

/* Faces that are too near though their corners are not. */
static void find_embedded_faces(collider_contacts *t, int32_t ci, const vec3 *x, const filter *filters,
                                const node_row *rows)
{
    for (int32_t fi = 0; fi < t->n_faces; fi++) {
        const face_element *f = &t->faces[fi];
        vec3 y[3] = {x[f->node[0]], x[f->node[1]], x[f->node[2]]};
        if (!collider_contact_face_may(t, f, y, collider_contact_face_margin(t, ci, f) - EMBEDDED_LEAST_DEPTH) ||
            !is_free(filters, rows, f->node[0]) || !is_free(filters, rows, f->node[1]) ||
            !is_free(filters, rows, f->node[2]))
            continue;
        double depth = collider_contact_face_thickness(t, f) - collider_deepest(t->current, y).distance;
        for (int k = 0; k < 3 && depth > EMBEDDED_LEAST_DEPTH; k++)
            collider_contact_tolerate(t, ci, f->node[k], depth);
    }
}

/* Turns how deep a node is in each collider, in t->tolerated, into what may stay of that. Of a node inside two at once
 * all of it may. */
static void limit_depths(collider_contacts *t, int32_t vi)
{
    double edge_length = collider_contact_node_par(t, vi)->edge_length;
    double exit_way =
        max_of(EMBEDDED_CORRECTABLE, min_of(EMBEDDED_EXIT_EDGES * edge_length, EMBEDDED_EXIT_SPEED * t->h));
    double sum = 0;
    int n = 0;
    for (int32_t ci = 0; ci < t->n_colliders; ci++) {
        double depth = t->tolerated[(int64_t)ci * t->n_nodes + vi];
        n += depth > 0;
        sum += depth;
    }
    for (int32_t ci = 0; n > 0 && ci < t->n_colliders; ci++) {
        double *depth = &t->tolerated[(int64_t)ci * t->n_nodes + vi];
        *depth = *depth == 0                           ? 0
                 : n > 1 && sum > EMBEDDED_CORRECTABLE ? COLLIDER_CONTACT_RELEASED
                                                       : max_of(0, *depth - exit_way);
        t->n_embedded += *depth > 0;
        t->n_leaving += *depth > 0 && *depth < COLLIDER_CONTACT_RELEASED;
    }
}

void collider_contact_find_embedded(collider_contacts *t, const vec3 *x, const filter *filters, const node_row *rows)
{
    arena_mark before = arena_mark_of(t->scratch);
    if (t->n_colliders == 0 || (!t->suspect && t->n_embedded == 0)) {
        t->n_leaving = 0;
        return;
    }
    t->lacking = t->lacking || !ARENA_TAKE(t->scratch, t->distance, t->n_nodes);
    if (t->lacking)
        return;
    if (t->tolerated)
        memset(t->tolerated, 0, (size_t)t->n_colliders * (size_t)t->n_nodes * sizeof *t->tolerated);
    t->n_embedded = 0;
    t->suspect = false;
    for (int32_t ci = 0; ci < t->n_colliders; ci++) {
        collider at_start = t->colliders[ci];
        at_start.to = at_start.from;
        t->current = &at_start;
        collider_contact_measure(t, x);
        for (int32_t vi = 0; vi < t->n_nodes; vi++) {
            double depth = collider_contact_node_par(t, vi)->thickness - t->distance[vi];
            if (depth > EMBEDDED_LEAST_DEPTH && is_free(filters, rows, vi))
                collider_contact_tolerate(t, ci, vi, depth);
        }
        find_embedded_faces(t, ci, x, filters, rows);
    }
    t->current = NULL;
    arena_release(t->scratch, before);
    t->n_leaving = 0;
    if (t->n_embedded == 0)
        return;
    t->n_embedded = 0;
    for (int32_t vi = 0; vi < t->n_nodes; vi++)
        limit_depths(t, vi);
}
