/* SPDX-License-Identifier: MIT */
/* Going on with a damaged cache: what is lost is computed again, if that gives what it was. */
#ifndef TOOL_REPAIR_H
#define TOOL_REPAIR_H

#include "session.h"

/* Refuses, or says what is damaged. The frames behind `kept` (-1: all) will be computed again. from: as of
 * session_resume. cache NULL: nothing of it can be read. */
weft_result repair_allowed(session *s, weft_cache *cache, const weft_cache_damage *damage, int32_t from, int32_t kept,
                           weft_error *error);

#endif
