/* SPDX-License-Identifier: MIT */
/* Between collider_contact.c and collider_contact_near.c. */
#ifndef WEFT_CONTACT_COLLIDER_COLLIDER_CONTACT_INSIDE_H
#define WEFT_CONTACT_COLLIDER_COLLIDER_CONTACT_INSIDE_H

#include "contact/collider/collider_contact.h"

#define PIECE 256

/* Nodes and faces against t->current, at t->x: who is near, with how many in each of the pieces; they have slots then.
 * False without memory. */
bool collider_contact_seek(collider_contacts *t);

/* Into t->moved, how far nodes at t->x are from where the solve started; COLLIDER_CONTACT_START: that is here. */
void collider_contact_move(collider_contacts *t);

static inline int32_t pieces(int32_t n)
{
    return (n + PIECE - 1) / PIECE;
}

static inline int32_t piece_end(int32_t i, int32_t n)
{
    return (i + 1) * PIECE < n ? (i + 1) * PIECE : n;
}

static inline int32_t index_of(const collider_contacts *t)
{
    return (int32_t)(t->current - t->colliders);
}

static inline vec3 weighted(const vec3 x[3], const double b[3])
{
    return v3_madd(v3_madd(v3_scale(b[0], x[0]), b[1], x[1]), b[2], x[2]);
}

#endif
