/* SPDX-License-Identifier: MIT */
/* Which pairs come too near on their way: all of them from fresh boxes, or those that have moved since. */
#ifndef WEFT_CONTACT_PREVENT_DETECT_H
#define WEFT_CONTACT_PREVENT_DETECT_H

#include "contact/prevent/prevent_work.h"

/* The share of the radius, and of the distance at the start, below which a pair hits; and to which it is sent. With a
 * response that may halve the gap again and again, gaps shrink until nothing moves any more: measured on a ribbon that
 * rumples, where these four kept it from doing so. A gap of less than AIM_LEAST of the radius is opened to it by the
 * step's end: within it not even sliding is possible, since surfaces are not flat (three sheets 1 nm apart went into
 * the fail-safe in half of their steps, and did not get out of it). */
#define HIT_OF_RADIUS 0.05
#define HIT_OF_GAP 0.2
#define AIM_OF_RADIUS 0.2
#define AIM_OF_GAP 0.9
#define AIM_LEAST 0.02
/* A radius of less than this counts as this, in cells of the grid (9.5 um in worlds of usual size). */
#define RADIUS_LEAST 40960

/* Tests x1, which must be settled, against everything, from fresh boxes; hits come in the order of their times. False:
 * no memory, or too many pairs. */
bool detect_all(prevent_job *j);

/* The same, but pairs of which nothing has moved since the last test keep their answer; boxes are renewed only where
 * nodes have left them, and not between sweeps: what these miss for that the check after them finds. (Ten sheets of 441
 * nodes, one struck: 100 instead of 170 ms. In zones, too, it costs more rigid motions than it saves.)
 * prevent_job.complete is false afterwards. */
bool detect_moved(prevent_job *j);

void detect_destroy(prevent_work *k, mem *m);

#endif
