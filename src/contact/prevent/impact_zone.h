/* SPDX-License-Identifier: MIT */
/* Impact zones (provot1997 §4.2): degrees of freedom that hits link. What is held and what belongs to colliders is
 * a member of the zones it touches, but links none. */
#ifndef WEFT_CONTACT_PREVENT_IMPACT_ZONE_H
#define WEFT_CONTACT_PREVENT_IMPACT_ZONE_H

#include "contact/prevent/prevent_work.h"

void impact_zone_reset(prevent_job *j);

/* The root of its impact zone, or −1 if the degree of freedom is in none. */
int32_t impact_zone_find(prevent_work *k, int32_t dof);

/* Links what can move of an impact; the root, or −1 if nothing of it can. *grew: where two zones became one, or a zone
 * got a new member. */
int32_t impact_zone_link(prevent_job *j, const impact *c, bool *grew);

/* Numbers the zones in prevent_work.impact_zone_of (by root), and counts them and the largest in the statistics. */
int32_t impact_zone_count(prevent_job *j);

/* Inelastic rounds: hits gather as constraints, and all of them are satisfied together by the least change. Ends with
 * no hits, or after IMPACT_ZONE_ROUNDS. False: failed. */
bool impact_zone_respond(prevent_job *j);

/* Hits become constraints; those of a pair that has one much the same replace it. False without memory. */
bool impact_zone_gather(prevent_job *j);

/* Satisfies all constraints as well as it can. False without memory. */
bool impact_zone_solve(prevent_job *j);

#endif
