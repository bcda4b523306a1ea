/* SPDX-License-Identifier: MIT */
/* Which pairs come too near on their way: all of them from fresh boxes, or those that have moved since. */
#ifndef WEFT_CONTACT_DETECT_H
#define WEFT_CONTACT_DETECT_H

#include "contact/prevent_work.h"

/* The share of the radius, and of the distance at the start, below which a pair hits; and to which it is sent. With a
 * response that may halve the gap again and again, gaps shrink until nothing moves any more: measured on a ribbon that
 * rumples, where these four kept it from doing so. */
#define HIT_OF_RADIUS 0.05
#define HIT_OF_GAP 0.2
#define AIM_OF_RADIUS 0.2
#define AIM_OF_GAP 0.9

/* Tests x1, which must be settled, against everything; hits come in the order of their times. False: no memory, or too
 * many pairs. */
bool detect_all(prevent_job *j);

/* The same, but pairs of which nothing has moved since the last test keep their answer. Pairs that were not near enough
 * for a look are not found: prevent_job.complete is false. Needs nodes within the boxes (detect_is_boxed). */
bool detect_moved(prevent_job *j);

/* Whether x1 has not left the boxes of the last detect_all. */
bool detect_is_boxed(const prevent_job *j);

void detect_destroy(prevent_work *k, mem *m);

#endif
