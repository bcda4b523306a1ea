/* SPDX-License-Identifier: MIT */
/* Cloth that is in a collider when a step begins: it was put there, or colliders that overlap have left it no room.
 *
 * Idea: a contact would throw it out within the step, or, between two colliders, tear at it from both sides. So a node
 * may stay as deep as it is, less the way that it can go at a bounded speed: the collider's surface is, for this node,
 * moved inward. What is in two colliders at once is let alone by both; it waits until they part.
 *
 * Invariants: 1. held nodes are never caught; 2. what is allowed depends on where things are at the step's start alone,
 * and on what the correction of this substep could not settle. */
#include <string.h>

#include "contact/collider/collider_contact.h"

#define LITTLE 1e-6    /* less than this much too near is no more than rounding, m */
#define SHARED 1e-3    /* less than this, in all colliders together, the correction settles, m */
#define MOST_EDGES 0.5 /* out of a collider in a substep … */
#define MOST_SPEED 1.0 /* … and not faster than this, m/s */

void collider_contact_allow(collider_contacts *t, int32_t ci, int32_t vi, double depth)
{
    t->lacking = t->lacking || (!t->allowed && !MEM_MAKE(t->mem, t->allowed, (int64_t)t->n_colliders * t->n_nodes));
    if (!t->allowed)
        return;
    double *allowed = &t->allowed[(int64_t)ci * t->n_nodes + vi];
    t->n_caught += *allowed == 0;
    *allowed = max_of(*allowed, depth);
}

static bool is_free(const filter *filters, const node_row *rows, int32_t vi)
{
    const node_row *r = &rows[vi];
    return filters[r->dof[0]].kind == FREEDOM_ALL && (r->dof[1] < 0 || filters[r->dof[1]].kind == FREEDOM_ALL);
}

/* Faces that are too near though their corners are not. */
static void look_at_faces(collider_contacts *t, int32_t ci, const vec3 *x, const filter *filters, const node_row *rows)
{
    for (int32_t fi = 0; fi < t->n_faces; fi++) {
        const face_element *f = &t->faces[fi];
        vec3 y[3] = {x[f->node[0]], x[f->node[1]], x[f->node[2]]};
        if (!collider_contact_face_may(t, f, y, collider_contact_face_margin(t, ci, f) - LITTLE) ||
            !is_free(filters, rows, f->node[0]) || !is_free(filters, rows, f->node[1]) ||
            !is_free(filters, rows, f->node[2]))
            continue;
        double depth = collider_contact_face_thickness(t, f) - collider_deepest(t->current, y).distance;
        for (int k = 0; k < 3 && depth > LITTLE; k++)
            collider_contact_allow(t, ci, f->node[k], depth);
    }
}

/* `allowed` holds how deep a node is in each collider: what may stay of that. In two at once, it is in none. */
static void settle_node(collider_contacts *t, int32_t vi)
{
    double most = max_of(SHARED, min_of(MOST_EDGES * collider_contact_node_par(t, vi)->edge_length, MOST_SPEED * t->h)),
           sum = 0;
    int n = 0;
    for (int32_t ci = 0; ci < t->n_colliders; ci++) {
        double depth = t->allowed[(int64_t)ci * t->n_nodes + vi];
        n += depth > 0;
        sum += depth;
    }
    for (int32_t ci = 0; n > 0 && ci < t->n_colliders; ci++) {
        double *depth = &t->allowed[(int64_t)ci * t->n_nodes + vi];
        *depth = *depth == 0 ? 0 : n > 1 && sum > SHARED ? COLLIDER_CONTACT_RELEASED : max_of(0, *depth - most);
        t->n_caught += *depth > 0;
    }
}

void collider_contact_look(collider_contacts *t, const vec3 *x, const filter *filters, const node_row *rows)
{
    arena_mark before = arena_mark_of(t->scratch);
    if (t->n_colliders == 0 || (!t->suspect && t->n_caught == 0))
        return;
    t->lacking = t->lacking || !ARENA_TAKE(t->scratch, t->distance, t->n_nodes);
    if (t->lacking)
        return;
    if (t->allowed)
        memset(t->allowed, 0, (size_t)t->n_colliders * (size_t)t->n_nodes * sizeof *t->allowed);
    t->n_caught = 0;
    t->suspect = false;
    for (int32_t ci = 0; ci < t->n_colliders; ci++) {
        collider at_start = t->colliders[ci];
        at_start.to = at_start.from;
        t->current = &at_start;
        collider_contact_measure(t, x);
        for (int32_t vi = 0; vi < t->n_nodes; vi++) {
            double depth = collider_contact_node_par(t, vi)->thickness - t->distance[vi];
            if (depth > LITTLE && is_free(filters, rows, vi))
                collider_contact_allow(t, ci, vi, depth);
        }
        look_at_faces(t, ci, x, filters, rows);
    }
    t->current = NULL;
    arena_release(t->scratch, before);
    if (t->n_caught == 0)
        return;
    t->n_caught = 0;
    for (int32_t vi = 0; vi < t->n_nodes; vi++)
        settle_node(t, vi);
}
