/* SPDX-License-Identifier: MIT */
/* What contacts did to cloth in the last step, as caches and clips take it. */
#ifndef TOOL_CONTACTS_H
#define TOOL_CONTACTS_H

#include <weft/io.h>
#include <weft/weft.h>

typedef struct contacts {
    weft_cache_contacts *of; /* per cloth */
    double *pressures;       /* of all, one cloth after the other … */
    uint8_t *squeezed;       /* … likewise */
    bool is_squeezed;        /* any is */
} contacts;

weft_result contacts_get(const weft_sim *sim, const weft_cloth_id *cloths, int32_t n_cloths, contacts *out,
                         weft_error *error);
void contacts_free(contacts *c);

#endif
