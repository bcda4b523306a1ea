/* SPDX-License-Identifier: MIT */
/* Contact terms of nodes and faces that are near an analytic collider.
 *
 * Idea: what is near (collider_contact_find.c) has a slot, which carries from Newton step to Newton step what stays as
 * it is during a solve: the depth at the step's start and the anchor of friction, both set when the contact is first
 * seen. A term is made from its slot at each call; only friction's normal force and whether it slides are renewed, and
 * only between Newton steps. The anchor lies where the collider has carried the point to, less the slip that friction
 * held in the last step (contact_memory), so cloth at rest does not creep.
 *
 * Invariants: 1. a contact that appears during the solve starts without friction; 2. terms stand by collider, then
 * nodes, then faces, each by number; 3. sums are made piece by piece: the same bits for any number of threads. */
#include "contact/collider/collider_contact_inside.h"

#include <string.h>

#include "base/array.h"

static int32_t n_marks(const collider_contacts *t)
{
    return t->n_nodes > t->n_faces ? t->n_nodes : t->n_faces;
}

bool collider_contact_create(collider_contacts *t, mem *m, arena *scratch, pool *p, const forces *f,
                             int32_t n_colliders)
{
    *t =
        (collider_contacts){.mem = m, .scratch = scratch, .pool = p, .forces = f, .found_at = COLLIDER_CONTACT_NOWHERE};
    t->faces = f->list[FORCE_FACE].items;
    if (n_colliders == 0)
        return true;
    t->suspect = true;
    t->n_colliders = n_colliders;
    t->n_nodes = f->n_nodes;
    t->n_faces = f->list[FORCE_FACE].n;
    int64_t nodes = (int64_t)n_colliders * t->n_nodes, faces = (int64_t)n_colliders * t->n_faces;
    return MEM_MAKE(m, t->pieces, contact_pieces(t->n_nodes) + contact_pieces(t->n_faces)) &&
           MEM_MAKE(m, t->marks, n_marks(t)) && MEM_MAKE(m, t->node_slot, nodes) && MEM_MAKE(m, t->face_slot, faces) &&
           MEM_MAKE(m, t->node_room, nodes) && MEM_MAKE(m, t->face_room, faces) && MEM_MAKE(m, t->start, t->n_nodes) &&
           (n_colliders == 1 || MEM_MAKE(m, t->before, t->n_nodes));
}

bool collider_contact_ready(collider_contacts *t)
{
    return ARENA_TAKE(t->scratch, t->distance, t->n_nodes) && ARENA_TAKE(t->scratch, t->pushed_by, t->n_nodes) &&
           ARENA_TAKE(t->scratch, t->push_normal, t->n_nodes) && ARENA_TAKE(t->scratch, t->pushed_in, t->n_nodes);
}

void collider_contact_destroy(collider_contacts *t)
{
    if (!t->mem)
        return;
    MEM_FREE(t->mem, t->pieces, contact_pieces(t->n_nodes) + contact_pieces(t->n_faces));
    MEM_FREE(t->mem, t->marks, n_marks(t));
    int64_t nodes = (int64_t)t->n_colliders * t->n_nodes, faces = (int64_t)t->n_colliders * t->n_faces;
    MEM_FREE(t->mem, t->node_slot, nodes);
    MEM_FREE(t->mem, t->face_slot, faces);
    MEM_FREE(t->mem, t->node_room, nodes);
    MEM_FREE(t->mem, t->face_room, faces);
    MEM_FREE(t->mem, t->slots, t->slot_room);
    MEM_FREE(t->mem, t->start, t->n_nodes);
    MEM_FREE(t->mem, t->tolerated, nodes);
    MEM_FREE(t->mem, t->unfelt, nodes);
    MEM_FREE(t->mem, t->before, t->n_nodes);
    *t = (collider_contacts){0};
}

static double distance_at_start(const collider_contacts *t, vec3 x0)
{
    return shape_distance(&t->current->shape, pose_unapply(&t->current->from, x0)).distance;
}

/* Friction goes by the force that the Newton step reckoned with, not by that of the contact at its end: the spring is
 * soft at first, and a step from too deep ends half as deep, with a quarter of the force, however small the one that
 * holds the cloth out is. (A cloth of 341 k nodes that lands on a ball then has 83 N in place of 2, and sticks.) What
 * the step has not reckoned with had the force of before, if it is in touch: none where it is new. */
static double collider_normal_force(const collider_contacts *t, const contact_term *c,
                                    const collider_contact_slot *slot)
{
    return slot->depth > 0 ? contact_reckoned(c, slot->depth, t->x)
                           : min_of(slot->friction.force, contact_force(c, t->x));
}

static void renew_friction(const collider_contacts *t, const contact_term *c, collider_contact_slot *slot,
                           collider_contact_piece *sums)
{
    friction_state *f = &slot->friction;
    sums->force_was += f->force;
    sums->switched += friction_renew(c, t->x, collider_normal_force(t, c, slot), f, &slot->way) ? f->force : 0;
    sums->force += f->force;
}

bool collider_contact_is_settled(const collider_contacts *t)
{
    return t->switched <= COLLIDER_CONTACT_SETTLED * t->force &&
           fabs(t->force - t->force_was) <= COLLIDER_CONTACT_SETTLED * t->force;
}

/* Friction gives by what Newton's method resolves, and is no stiffer than the contact itself. */
static double slack_of(const collider_contacts *t, const contact_term *c, const friction_state *f)
{
    return f->gives ? max_of(t->slack, c->friction * f->force / c->k) : 0;
}

/* How it was when the step began: at x0, so much nearer than `margin`, and as it is remembered; expected to go to x1.
 * The anchor lies behind the place that the collider has carried the point to, by what its friction spring held. */
static void start_contact(const collider_contacts *t, contact_term *c, friction_state *f, double margin, vec3 x0,
                          vec3 x1, const contact_memory *memory)
{
    vec3 friction_ratio = memory->friction_ratio;
    vec3 ahead = collider_carry(t->current, x0), way = v3_sub(x1, ahead);
    bool slow = v3_len(v3_madd(way, -v3_dot(way, c->normal), c->normal)) <= COLLIDER_CONTACT_SLOW * t->slack;
    bool slides = !slow && t->n_embedded == 0; /* what is being lifted out of a collider would be thrown along it */
    double distance = distance_at_start(t, x0), from_gap = COLLIDER_CONTACT_OF_GAP * (distance - margin);
    if (t->fine)
        c->radius = min_of(c->radius, max_of(from_gap, COLLIDER_CONTACT_RADIUS_LEAST));
    c->past = max_of(0.0, margin + c->radius - distance);
    contact_ready(c);
    c->force = memory->force * contact_resting_force(c);
    if (t->mode == COLLIDER_CONTACT_START)
        *f = (friction_state){.force = c->force,
                              .slides = slides || v3_len(friction_ratio) > COLLIDER_CONTACT_SLID,
                              .gives = c->force > 0 && slow};
    c->slack = slack_of(t, c, f);
    vec3 carried = m3_mul_v(t->current->to.r, pose_unrotate(&t->current->from, friction_ratio));
    c->anchor = v3_sub(ahead, contact_slip(c, carried));
}

/* Whether a Newton step starts at t->x. */
static bool starts_newton_step(const collider_contacts *t)
{
    return t->mode == COLLIDER_CONTACT_NOTE || t->mode == COLLIDER_CONTACT_UPDATE;
}

static void set_friction(const collider_contacts *t, contact_term *c, collider_contact_slot *slot,
                         collider_contact_piece *sums)
{
    const friction_state *f = &slot->friction;
    c->slack = slack_of(t, c, f);
    if (t->mode == COLLIDER_CONTACT_UPDATE)
        renew_friction(t, c, slot, sums);
    if (starts_newton_step(t))
        slot->depth = contact_depth(c, t->x);
    c->force = f->force;
    c->slides = f->slides;
    c->slack = slack_of(t, c, f);
}

/* Takes from its slot what of a contact stays as it is in a solve. False: the slot does not have it yet. */
static bool recall_contact(const collider_contact_slot *slot, contact_term *c)
{
    if (!slot->known)
        return false;
    c->past = slot->past;
    c->anchor = slot->anchor;
    c->radius = slot->radius;
    contact_ready(c);
    return true;
}

static void store_contact(collider_contact_slot *slot, const contact_term *c)
{
    slot->past = c->past;
    slot->anchor = c->anchor;
    slot->radius = c->radius;
    slot->known = true;
}

static void set_node_contact(const collider_contacts *t, int32_t vi, collider_contact_slot *slot, contact_term *c,
                             collider_contact_piece *sums)
{
    int32_t owner = current_collider(t);
    *c = (contact_term){.n = 1,
                        .node = {vi},
                        .w = {1},
                        .normal = slot->normal,
                        .reach = slot->distance,
                        .radius = collider_contact_radius(t, vi),
                        .owner = owner};
    const node_par *n = collider_contact_node_par(t, vi);
    c->k = t->stiffness * n->stiffness;
    c->drag = CONTACT_DAMPER * n->mass / (t->h * t->h);
    c->friction = n->friction * t->current->friction;
    if (!recall_contact(slot, c)) {
        static const contact_memory none = {.owner = CONTACT_OWNER_NONE};
        const contact_memory *m = t->memory[vi].owner == owner ? &t->memory[vi] : &none;
        start_contact(t, c, &slot->friction, collider_contact_margin(t, owner, vi), t->x0[vi], t->x[vi], m);
        store_contact(slot, c);
    }
    set_friction(t, c, slot, sums);
}

/* What a face remembers is the mean of its nodes. */
static contact_memory face_memory(const collider_contacts *t, const face_element *f, const double b[3], int32_t owner)
{
    contact_memory mean = {.owner = CONTACT_OWNER_NONE};
    for (int j = 0; j < 3; j++) {
        const contact_memory *m = &t->memory[f->node[j]];
        if (m->owner != owner)
            continue;
        mean.owner = owner;
        mean.friction_ratio = v3_madd(mean.friction_ratio, b[j], m->friction_ratio);
        mean.force += b[j] * m->force;
    }
    return mean;
}

/* Stiffness, damper and friction at a point of a face. */
static void weigh_face(const collider_contacts *t, const face_element *f, const double b[3], contact_term *c)
{
    double weight_sq = 0, inverse_mass = 0, friction = 0; /* Σ b², Σ b²/m */
    for (int j = 0; j < 3; j++) {
        weight_sq += b[j] * b[j];
        inverse_mass += b[j] * b[j] / collider_contact_node_par(t, f->node[j])->mass;
        friction += b[j] * collider_contact_node_par(t, f->node[j])->friction * t->current->friction;
    }
    c->k = t->stiffness * collider_contact_node_par(t, f->node[0])->stiffness / weight_sq;
    c->drag = CONTACT_DAMPER / (inverse_mass * t->h * t->h);
    c->friction = friction;
}

static void set_face_contact(const collider_contacts *t, int32_t fi, collider_contact_slot *slot, contact_term *c,
                             collider_contact_piece *sums)
{
    const face_element *f = &t->faces[fi];
    const double *b = slot->b;
    int32_t owner = current_collider(t);
    const vec3 x[3] = {t->x[f->node[0]], t->x[f->node[1]], t->x[f->node[2]]};
    double margin = collider_contact_face_margin(t, owner, f);
    *c = (contact_term){.n = 3,
                        .node = {f->node[0], f->node[1], f->node[2]},
                        .w = {b[0], b[1], b[2]},
                        .normal = slot->normal,
                        .reach = v3_dot(slot->normal, face_point(x, b)) - slot->distance + margin,
                        .radius = collider_contact_radius(t, f->node[0]),
                        .owner = owner};
    weigh_face(t, f, b, c);
    if (!recall_contact(slot, c)) {
        const vec3 x0[3] = {t->x0[f->node[0]], t->x0[f->node[1]], t->x0[f->node[2]]};
        contact_memory m = face_memory(t, f, b, owner);
        start_contact(t, c, &slot->friction, margin, face_point(x0, b), face_point(x, b), &m);
        store_contact(slot, c);
    }
    set_friction(t, c, slot, sums);
}

static collider_contact_slot *near_slot(const collider_contacts *t, int32_t slot)
{
    return slot >= 0 && t->slots[slot].near ? &t->slots[slot] : NULL;
}

/* The same, to set its contact. What is not near where a Newton step starts has no depth there. */
static collider_contact_slot *slot_to_set(const collider_contacts *t, int32_t slot)
{
    collider_contact_slot *near = near_slot(t, slot);
    if (!near && slot >= 0 && starts_newton_step(t))
        t->slots[slot].depth = 0;
    return near;
}

static void set_node_contacts(void *context, int32_t i)
{
    collider_contacts *t = context;
    collider_contact_piece *piece = &t->pieces[i];
    int32_t at = piece->at;
    const int32_t *slots = t->node_slot + (int64_t)current_collider(t) * t->n_nodes;
    for (int32_t vi = i * COLLIDER_CONTACT_PIECE; vi < contact_piece_end(i, t->n_nodes); vi++) {
        collider_contact_slot *slot = slot_to_set(t, slots[vi]);
        if (slot)
            set_node_contact(t, vi, slot, &t->contacts[at++], piece);
    }
}

static void set_face_contacts(void *context, int32_t i)
{
    collider_contacts *t = context;
    collider_contact_piece *piece = &t->pieces[contact_pieces(t->n_nodes) + i];
    int32_t at = piece->at;
    const int32_t *slots = t->face_slot + (int64_t)current_collider(t) * t->n_faces;
    for (int32_t fi = i * COLLIDER_CONTACT_PIECE; fi < contact_piece_end(i, t->n_faces); fi++) {
        collider_contact_slot *slot = slot_to_set(t, slots[fi]);
        if (slot)
            set_face_contact(t, fi, slot, &t->contacts[at++], piece);
    }
}

/* Room for n contacts; those that there are stay. */
static bool make_room(collider_contacts *t, int32_t n)
{
    int64_t size = sizeof *t->contacts;
    contact_term *all = arena_extend(t->scratch, t->contacts, t->n_contacts * size, n * size);
    t->contacts = all ? all : t->contacts;
    return all || n == 0;
}

/* For what is measured. */
static bool take_distances(collider_contacts *t)
{
    return ARENA_TAKE(t->scratch, t->distance, t->n_nodes) && ARENA_TAKE(t->scratch, t->moved, t->n_nodes);
}

/* Contacts with t->current: those of nodes, then those of faces. */
static bool add_collider_contacts(collider_contacts *t)
{
    int32_t n_pieces = contact_pieces(t->n_nodes) + contact_pieces(t->n_faces), n = t->n_contacts;
    for (int32_t i = 0; i < n_pieces; i++) {
        t->pieces[i].at = n;
        n += t->pieces[i].n;
    }
    t->lacking = t->lacking || !make_room(t, n);
    if (t->lacking)
        return false;
    t->n_contacts = n;
    pool_for(t->pool, contact_pieces(t->n_nodes), set_node_contacts, t);
    pool_for(t->pool, contact_pieces(t->n_faces), set_face_contacts, t);
    for (int32_t i = 0; i < n_pieces; i++) {
        t->switched += t->pieces[i].switched;
        t->force += t->pieces[i].force;
        t->force_was += t->pieces[i].force_was;
    }
    return true;
}

/* Counts what is near without measuring: x is where it was measured last. */
static void count_near_nodes(void *context, int32_t i)
{
    collider_contacts *t = context;
    int64_t first = (int64_t)current_collider(t) * t->n_nodes;
    t->pieces[i] = (collider_contact_piece){0};
    for (int32_t vi = i * COLLIDER_CONTACT_PIECE; vi < contact_piece_end(i, t->n_nodes); vi++)
        t->pieces[i].n += near_slot(t, t->node_slot[first + vi]) != NULL;
}

static void count_near_faces(void *context, int32_t i)
{
    collider_contacts *t = context;
    collider_contact_piece *piece = &t->pieces[contact_pieces(t->n_nodes) + i];
    int64_t first = (int64_t)current_collider(t) * t->n_faces;
    *piece = (collider_contact_piece){0};
    for (int32_t fi = i * COLLIDER_CONTACT_PIECE; fi < contact_piece_end(i, t->n_faces); fi++)
        piece->n += near_slot(t, t->face_slot[first + fi]) != NULL;
}

static bool count_near_contacts(collider_contacts *t)
{
    pool_for(t->pool, contact_pieces(t->n_nodes), count_near_nodes, t);
    pool_for(t->pool, contact_pieces(t->n_faces), count_near_faces, t);
    return true;
}

void collider_contact_find(collider_contacts *t, collider_contact_mode mode, int64_t placed)
{
    bool again = mode != COLLIDER_CONTACT_START && placed == t->found_at;
    t->mode = mode;
    t->switched = t->force = t->force_was = 0;
    t->found_at = placed;
    t->contacts = NULL; /* those that there were may have been released */
    t->n_contacts = 0;
    if (mode == COLLIDER_CONTACT_START) /* a contact that only appears during the solve starts without friction */
        t->n_slots = 0;
    t->lacking = t->lacking || (!again && !take_distances(t));
    if (!again && !t->lacking)
        collider_contact_measure_moves(t);
    for (int32_t ci = 0; ci < t->n_colliders && !t->lacking; ci++) {
        t->current = &t->colliders[ci];
        if (!(again ? count_near_contacts(t) : collider_contact_find_near(t)) || !add_collider_contacts(t)) {
            t->n_contacts = 0;
            t->found_at = COLLIDER_CONTACT_NOWHERE;
        }
    }
}
