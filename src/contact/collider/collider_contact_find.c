/* SPDX-License-Identifier: MIT */
/* Which nodes and faces are near a collider, and where on it.
 *
 * Idea: most of the cloth is far away, so each node and face has a room: how far it can go from where the solve started
 * before it could be near. A signed distance changes by at most the way gone, so a bound taken once spares the rest of
 * the solve a closer look. What may be near is found first, without memory of its own; then all that need a slot get
 * one; then it is measured.
 *
 * Invariants: 1. nothing that is near is left out (bounds err to the safe side by COLLIDER_CONTACT_ROUNDING); 2. slots
 * go by the number of node or face, so they do not depend on the number of threads. */
#include "contact/collider/collider_contact_inside.h"

#include <assert.h>
#include <string.h>

#include "base/array.h"

typedef struct distance_run {
    collider_contacts *t;
    const vec3 *x;
} distance_run;

static void distance_piece(void *context, int32_t i)
{
    distance_run *r = context;
    for (int32_t vi = i * COLLIDER_CONTACT_PIECE; vi < contact_piece_end(i, r->t->n_nodes); vi++)
        r->t->distance[vi] = collider_distance(r->t->current, r->x[vi]);
}

void collider_contact_measure(collider_contacts *t, const vec3 *x)
{
    distance_run r = {t, x};
    pool_for(t->pool, contact_pieces(t->n_nodes), distance_piece, &r);
}

typedef struct corners {
    vec3 x[3];
} corners;

static corners corners_of(const collider_contacts *t, const face_element *f)
{
    return (corners){{t->x[f->node[0]], t->x[f->node[1]], t->x[f->node[2]]}};
}

static double longest_sq(const vec3 x[3])
{
    return max_of(v3_len_sq(v3_sub(x[1], x[0])), max_of(v3_len_sq(v3_sub(x[2], x[1])), v3_len_sq(v3_sub(x[0], x[2]))));
}

static double nearest_corner(const collider_contacts *t, const face_element *f)
{
    return min_of(t->distance[f->node[0]], min_of(t->distance[f->node[1]], t->distance[f->node[2]]));
}

/* No point of a triangle is farther from its nearest corner than the longest side over √3. */
bool collider_contact_face_may(const collider_contacts *t, const face_element *f, const vec3 x[3], double within)
{
    double away = nearest_corner(t, f) - within;
    if (away <= 0)
        return true;
    return 3 * away * away <= longest_sq(x);
}

/* A face is near where its point is nearer than this. */
static double face_within(const collider_contacts *t, const face_element *f)
{
    return collider_contact_face_margin(t, current_collider(t), f) + collider_contact_radius(t, f->node[0]);
}

/* ---- what is far away -------------------------------------------------------------------------------------------- */

/* Where nodes were when the solve started is kept in single precision: at the start they have already moved by what
 * that rounds. */

static void moved_piece(void *context, int32_t i)
{
    collider_contacts *t = context;
    for (int32_t vi = i * COLLIDER_CONTACT_PIECE; vi < contact_piece_end(i, t->n_nodes); vi++) {
        vec3 x = t->x[vi];
        collider_contact_start *start = &t->start[vi];
        if (t->mode == COLLIDER_CONTACT_START)
            *start = (collider_contact_start){(float)x.x, (float)x.y, (float)x.z};
        t->moved[vi] = v3_len(v3_sub(x, v3((double)start->x, (double)start->y, (double)start->z)));
    }
}

void collider_contact_measure_moves(collider_contacts *t)
{
    pool_for(t->pool, contact_pieces(t->n_nodes), moved_piece, t);
}

/* collider_keep_out finds nothing while the distance is more than margin and radius, and more than margin and way. */
static double room_of_node(const collider_contacts *t, int32_t vi)
{
    double far = t->distance[vi] - collider_contact_margin(t, current_collider(t), vi);
    vec3 a = pose_unapply(&t->current->from, t->x0[vi]), b = pose_unapply(&t->current->to, t->x[vi]);
    return min_of(far - collider_contact_radius(t, vi), 0.5 * (far - v3_len(v3_sub(b, a)))) - COLLIDER_CONTACT_ROUNDING;
}

static double room_of_face(const collider_contacts *t, const face_element *f)
{
    corners c = corners_of(t, f);
    return nearest_corner(t, f) - sqrt(longest_sq(c.x) / 3) - face_within(t, f) - COLLIDER_CONTACT_ROUNDING;
}

/* How far a corner has gone. No point of the face has gone farther. */
static double face_moved(const collider_contacts *t, const face_element *f)
{
    return max_of(t->moved[f->node[0]], max_of(t->moved[f->node[1]], t->moved[f->node[2]]));
}

/* A little less than that, in single precision. */
static float round_down(double room)
{
    return (float)(room - 0x1p-23 * fabs(room));
}

/* ---- what is near ------------------------------------------------------------------------------------------------ */

/* A face that has been measured has a point, and that alone counts from then on: where it was and how far its corners
 * were from where they started bound how near it can be elsewhere. Of those that may be near few are: they are measured
 * twice when they get a slot. */

static const double middle[3] = {1.0 / 3, 1.0 / 3, 1.0 / 3};

/* The contact of a face is at its deepest point if that is no farther away than this: deeper than the middle and the
 * corners by a part of the radius. */
static double deep_enough(const collider_contacts *t, const face_element *f, const vec3 x[3])
{
    double covered = min_of(nearest_corner(t, f), collider_distance(t->current, face_point(x, middle)));
    return covered - COLLIDER_CONTACT_DEEPER * collider_contact_radius(t, f->node[0]);
}

static bool may_be_deep(const collider_contacts *t, const face_element *f, const vec3 x[3])
{
    const double d0[3] = {t->distance[f->node[0]], t->distance[f->node[1]], t->distance[f->node[2]]};
    return collider_bound(t->current, x, d0) <= deep_enough(t, f, x) + COLLIDER_CONTACT_ROUNDING;
}

static void choose_point(const collider_contacts *t, const face_element *f, double b[3])
{
    corners c = corners_of(t, f);
    shape_deepest d = collider_deepest(t->current, c.x);
    if (d.distance <= deep_enough(t, f, c.x))
        memcpy(b, d.b, sizeof d.b);
}

/* Normal and distance at the point of a face, and how far it may move before it is near. */
static void measure_near_face(const collider_contacts *t, const face_element *f, collider_contact_slot *slot,
                              float *room)
{
    corners c = corners_of(t, f);
    double within = face_within(t, f);
    shape_near n = shape_distance(&t->current->shape, pose_unapply(&t->current->to, face_point(c.x, slot->b)));
    slot->distance = n.distance;
    slot->normal = m3_mul_v(t->current->to.r, n.normal);
    slot->near = n.distance < within;
    float more = round_down(n.distance - within - face_moved(t, f) - COLLIDER_CONTACT_ROUNDING);
    *room = more > *room ? more : *room;
}

/* What the slot of a face without one becomes. */
static int32_t want_face(const collider_contacts *t, const face_element *f, int32_t slot, float *room)
{
    corners c = corners_of(t, f);
    collider_contact_slot at = {.b = {middle[0], middle[1], middle[2]}};
    if (slot == COLLIDER_SLOT_NONE && !collider_contact_face_may(t, f, c.x, face_within(t, f)))
        return COLLIDER_SLOT_NONE;
    if (slot == COLLIDER_SLOT_NONE && may_be_deep(t, f, c.x))
        return COLLIDER_SLOT_CHOICE;
    measure_near_face(t, f, &at, room);
    return at.near ? COLLIDER_SLOT_WANTED : COLLIDER_SLOT_MIDDLE;
}

static void find_near_faces(void *context, int32_t i)
{
    collider_contacts *t = context;
    collider_contact_piece *piece = &t->pieces[contact_pieces(t->n_nodes) + i];
    int64_t first = (int64_t)current_collider(t) * t->n_faces;
    *piece = (collider_contact_piece){0};
    for (int32_t fi = i * COLLIDER_CONTACT_PIECE; fi < contact_piece_end(i, t->n_faces); fi++) {
        const face_element *f = &t->faces[fi];
        float *room = &t->face_room[first + fi];
        int32_t *slot = &t->face_slot[first + fi];
        if (t->mode == COLLIDER_CONTACT_START) {
            *room = round_down(room_of_face(t, f) - face_moved(t, f));
            *slot = COLLIDER_SLOT_NONE;
        }
        bool may = !(face_moved(t, f) < (double)*room);
        if (*slot >= 0)
            t->slots[*slot].may = may;
        else if (may)
            *slot = want_face(t, f, *slot, room);
        piece->n_new += *slot <= COLLIDER_SLOT_WANTED;
    }
}

static inline bool has_slot(int32_t slot)
{
    return slot >= 0 || slot <= COLLIDER_SLOT_WANTED;
}

/* The slot of what has or wants one, if it may be near now, or NULL. */
static collider_contact_slot *claim_slot(const collider_contacts *t, int32_t *slot, collider_contact_piece *piece,
                                         const face_element *f)
{
    int32_t wanted = *slot;
    if (wanted <= COLLIDER_SLOT_WANTED) {
        *slot = piece->first_new++;
        t->slots[*slot] = (collider_contact_slot){.b = {middle[0], middle[1], middle[2]}, .may = true};
        if (wanted == COLLIDER_SLOT_CHOICE) {
            assert(f); /* nodes have no choice */
            choose_point(t, f, t->slots[*slot].b);
        }
    }
    t->slots[*slot].near = false;
    return t->slots[*slot].may ? &t->slots[*slot] : NULL;
}

static void measure_near_faces(void *context, int32_t i)
{
    collider_contacts *t = context;
    collider_contact_piece *piece = &t->pieces[contact_pieces(t->n_nodes) + i];
    int64_t first = (int64_t)current_collider(t) * t->n_faces;
    for (int32_t fi = i * COLLIDER_CONTACT_PIECE; fi < contact_piece_end(i, t->n_faces); fi++) {
        int32_t *place = &t->face_slot[first + fi];
        collider_contact_slot *slot = has_slot(*place) ? claim_slot(t, place, piece, &t->faces[fi]) : NULL;
        if (!slot)
            continue;
        measure_near_face(t, &t->faces[fi], slot, &t->face_room[first + fi]);
        piece->n += slot->near;
    }
}

static bool keep_node_out(const collider_contacts *t, int32_t vi, half_space *keep)
{
    double margin = collider_contact_margin(t, current_collider(t), vi);
    return collider_keep_out(t->current, margin, collider_contact_radius(t, vi), t->x0[vi], t->x[vi], keep);
}

static void find_near_nodes(void *context, int32_t i)
{
    collider_contacts *t = context;
    collider_contact_piece *piece = &t->pieces[i];
    int64_t first = (int64_t)current_collider(t) * t->n_nodes;
    *piece = (collider_contact_piece){0};
    for (int32_t vi = i * COLLIDER_CONTACT_PIECE; vi < contact_piece_end(i, t->n_nodes); vi++) {
        float *room = &t->node_room[first + vi];
        int32_t *slot = &t->node_slot[first + vi];
        half_space keep;
        if (t->mode == COLLIDER_CONTACT_START) {
            *room = round_down(room_of_node(t, vi) - t->moved[vi]);
            *slot = COLLIDER_SLOT_NONE;
        }
        bool near = !(t->moved[vi] < (double)*room) && keep_node_out(t, vi, &keep);
        if (*slot >= 0)
            t->slots[*slot].may = near;
        else if (near)
            *slot = COLLIDER_SLOT_WANTED;
        piece->n_new += *slot == COLLIDER_SLOT_WANTED;
    }
}

static void measure_near_nodes(void *context, int32_t i)
{
    collider_contacts *t = context;
    int64_t first = (int64_t)current_collider(t) * t->n_nodes;
    for (int32_t vi = i * COLLIDER_CONTACT_PIECE; vi < contact_piece_end(i, t->n_nodes); vi++) {
        int32_t *place = &t->node_slot[first + vi];
        collider_contact_slot *slot = has_slot(*place) ? claim_slot(t, place, &t->pieces[i], NULL) : NULL;
        half_space keep;
        if (!slot || !keep_node_out(t, vi, &keep))
            continue;
        slot->near = true;
        slot->normal = keep.normal;
        slot->distance = keep.reach;
        t->pieces[i].n++;
    }
}

static bool give_slots(collider_contacts *t)
{
    for (int32_t i = 0; i < contact_pieces(t->n_nodes) + contact_pieces(t->n_faces); i++) {
        t->pieces[i].first_new = t->n_slots;
        t->n_slots += t->pieces[i].n_new;
    }
    t->lacking = t->lacking || !ARRAY_RESERVE_STEADY(t->mem, t->slots, t->slot_room, t->n_slots);
    if (t->lacking)
        t->n_slots = 0;
    return !t->lacking;
}

bool collider_contact_find_near(collider_contacts *t)
{
    collider_contact_measure(t, t->x);
    pool_for(t->pool, contact_pieces(t->n_faces), find_near_faces, t);
    pool_for(t->pool, contact_pieces(t->n_nodes), find_near_nodes, t);
    if (!give_slots(t))
        return false;
    pool_for(t->pool, contact_pieces(t->n_faces), measure_near_faces, t);
    pool_for(t->pool, contact_pieces(t->n_nodes), measure_near_nodes, t);
    return true;
}
