/* SPDX-License-Identifier: MIT */
/* Of some valid names, the one that a wrong name was probably meant to be. */
#ifndef WEFT_IO_SCENE_NEAREST_H
#define WEFT_IO_SCENE_NEAREST_H

#include <stddef.h>

typedef struct nearest {
    const char *wanted;
    const char *best; /* NULL: none offered so far is near */
    int distance;
} nearest;

nearest nearest_to(const char *wanted);
void nearest_offer(nearest *n, const char *name);

/* Least number of letters to put in, take out, change or swap with their neighbour, capitals being the same as small
 * letters; -1 for texts longer than 63 bytes. */
int nearest_distance(const char *a, const char *b);

#endif
