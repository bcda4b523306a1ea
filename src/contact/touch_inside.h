/* SPDX-License-Identifier: MIT */
/* Between touch.c and touch_near.c. */
#ifndef WEFT_CONTACT_TOUCH_INSIDE_H
#define WEFT_CONTACT_TOUCH_INSIDE_H

#include "contact/touch.h"

#define PIECE 256

/* Nodes and faces against t->current, at t->x: who is near, with how many in each of the pieces; they have slots then.
 * False without memory. */
bool touch_seek(touch *t);

/* Into t->moved, how far nodes at t->x are from where the solve started; TOUCH_START: that is here. */
void touch_move(touch *t);

static inline int32_t pieces(int32_t n)
{
    return (n + PIECE - 1) / PIECE;
}

static inline int32_t piece_end(int32_t i, int32_t n)
{
    return (i + 1) * PIECE < n ? (i + 1) * PIECE : n;
}

static inline int32_t index_of(const touch *t)
{
    return (int32_t)(t->current - t->colliders);
}

static inline vec3 weighted(const vec3 x[3], const double b[3])
{
    return v3_madd(v3_madd(v3_scale(b[0], x[0]), b[1], x[1]), b[2], x[2]);
}

#endif
