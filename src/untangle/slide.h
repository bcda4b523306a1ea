/* SPDX-License-Identifier: MIT */
/* Sheets that a limb goes right through. */
#ifndef WEFT_UNTANGLE_SLIDE_H
#define WEFT_UNTANGLE_SLIDE_H

#include "untangle/intruder.h"

typedef struct slides {
    mem *m;
    const bool *is_solid; /* per object: a collider with an outside; NULL: none */
    const int32_t *object;
    vec3 *way; /* per line: where the sheet is to go, of unit length; 0: it is not pierced */
    int64_t room;
    int32_t longest; /* of the lines that pierce; -1: there is none */
} slides;

void slides_init(slides *l, mem *m, const int32_t *object, const bool *is_solid);
void slides_free(slides *l);
/* False: out of memory. */
bool slides_find(slides *l, const contours *c, const intruders *s);

#endif
