/* SPDX-License-Identifier: MIT */
/* Which definitions the state of a snapshot belongs to: a record of each, to tell what differs in the simulation that
 * it is restored into. */
#ifndef WEFT_SIM_SNAPSHOT_DEFINITIONS_H
#define WEFT_SIM_SNAPSHOT_DEFINITIONS_H

#include "sim/sim.h"

uint32_t snapshot_count_definitions(const weft_sim *s);
size_t snapshot_definitions_size(uint32_t n);
char *snapshot_put_definitions(const weft_sim *s, char *at);

/* `at` has n records. Differences are named in *e. `cloths_only`: those of cloths and of welded ties, which the numbers
 * and places of nodes depend on; others may be. */
weft_result snapshot_compare_definitions(const weft_sim *s, const char *at, uint32_t n, bool cloths_only,
                                         weft_error *e);

#endif
