/* SPDX-License-Identifier: MIT */
#ifndef WEFT_CONTACT_PREVENT_PROVOT_H
#define WEFT_CONTACT_PREVENT_PROVOT_H

#include "contact/prevent/prevent_work.h"

/* Provot's own response to the hits of a job, for comparison. */
prevent_end provot_respond(prevent_job *j);

#endif
