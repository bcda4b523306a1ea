/* SPDX-License-Identifier: MIT */
/* Tables behind ids: an index and a generation, which tells a reused place from the old one. */
#ifndef WEFT_SIM_SLOTS_H
#define WEFT_SIM_SLOTS_H

#include "base/mem.h"

typedef struct slot {
    uint32_t generation; /* of the item, or of the last one; 0: never used */
    void *item;          /* NULL: free */
} slot;

typedef struct slots {
    slot *items;
    int32_t n;
    int64_t room;
} slots;

/* Room for one more; false without memory. */
bool slots_reserve(slots *s, mem *m);
/* After slots_reserve. The lowest free place. */
void slots_add(slots *s, void *item, int32_t *index, uint32_t *generation);
void *slots_get(const slots *s, int32_t index, uint32_t generation);
void slots_remove(slots *s, int32_t index);
void slots_destroy(slots *s, mem *m);

#endif
