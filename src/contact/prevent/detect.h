/* SPDX-License-Identifier: MIT */
/* Which pairs come too near on their way: all of them from fresh boxes, or those that have moved since. */
#ifndef WEFT_CONTACT_PREVENT_DETECT_H
#define WEFT_CONTACT_PREVENT_DETECT_H

#include "contact/prevent/prevent_work.h"

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
