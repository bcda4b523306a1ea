/* SPDX-License-Identifier: MIT */
/* The exact audit of frames that were computed without it, from the cache: each against the colliders of the scene that
 * made it. */
#ifndef TOOL_LATE_AUDIT_H
#define TOOL_LATE_AUDIT_H

#include "progress.h"
#include "stats.h"

/* Fills in what is not known in the table of all frames; the cache stays as it is. Frames are left unknown where
 * nothing can be said: the scene cannot be read, or a mesh of it, or the cache has no such columns. n_threads 0: one a
 * core. */
weft_result late_audit(weft_cache *cache, stats_table *table, int32_t n_threads, progress *p, weft_error *error);

#endif
