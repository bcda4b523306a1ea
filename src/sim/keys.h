/* SPDX-License-Identifier: MIT */
/* Keyframes: times and placements, for colliders and attachments alike. */
#ifndef WEFT_SIM_KEYS_H
#define WEFT_SIM_KEYS_H

#include <weft/collider.h>

#include "base/error.h"
#include "base/mem.h"
#include "math/pose.h"

typedef struct keys {
    weft_key *items;
    int32_t n;
} keys;

/* Checks times (finite, increasing), positions (finite) and rotations (finite, not zero). */
weft_result keys_check(const weft_key *in, int32_t n, weft_error *e);
bool keys_copy(keys *k, mem *m, const weft_key *in, int32_t n);
void keys_destroy(keys *k, mem *m);
/* n > 0 */
pose keys_at(const keys *k, double time);

#endif
