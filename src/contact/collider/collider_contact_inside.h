/* SPDX-License-Identifier: MIT */
/* What collider_contact.c, collider_contact_find.c and enforce.c share. */
#ifndef WEFT_CONTACT_COLLIDER_COLLIDER_CONTACT_INSIDE_H
#define WEFT_CONTACT_COLLIDER_COLLIDER_CONTACT_INSIDE_H

#include "contact/collider/collider_contact.h"

/* Nodes or faces that one thread takes at once. Sums are made piece by piece, so it is part of the result. */
#define COLLIDER_CONTACT_PIECE 256
/* Bounds are this much on the safe side, m: more than rounding makes at coordinates of up to 1e3 m. */
#define COLLIDER_CONTACT_ROUNDING 1e-9

/* Nodes and faces against t->current, at t->x: who is near, with how many in each of the pieces; they have slots then.
 * False without memory. */
bool collider_contact_find_near(collider_contacts *t);

/* Into t->moved, how far nodes at t->x are from where the solve started; COLLIDER_CONTACT_START: that is here. */
void collider_contact_measure_moves(collider_contacts *t);

static inline int32_t contact_pieces(int32_t n)
{
    return (n + COLLIDER_CONTACT_PIECE - 1) / COLLIDER_CONTACT_PIECE;
}

static inline int32_t contact_piece_end(int32_t i, int32_t n)
{
    return (i + 1) * COLLIDER_CONTACT_PIECE < n ? (i + 1) * COLLIDER_CONTACT_PIECE : n;
}

/* The number of t->current. */
static inline int32_t current_collider(const collider_contacts *t)
{
    return (int32_t)(t->current - t->colliders);
}

/* The point of a face with weights b. */
static inline vec3 face_point(const vec3 x[3], const double b[3])
{
    return v3_madd(v3_madd(v3_scale(b[0], x[0]), b[1], x[1]), b[2], x[2]);
}

#endif
