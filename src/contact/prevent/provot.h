/* SPDX-License-Identifier: MIT */
/* Provot's own response to hits, to compare with (provot1997 §3.3, §4.4). */
#ifndef WEFT_CONTACT_PREVENT_PROVOT_H
#define WEFT_CONTACT_PREVENT_PROVOT_H

#include "contact/prevent/prevent_work.h"

/* Responds to the hits of a job; ends as the fail-safe does. */
prevent_end provot_respond(prevent_job *j);

#endif
