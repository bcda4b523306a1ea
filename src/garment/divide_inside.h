/* SPDX-License-Identifier: MIT */
/* What the files of the division share. */
#ifndef WEFT_GARMENT_DIVIDE_INSIDE_H
#define WEFT_GARMENT_DIVIDE_INSIDE_H

#include "garment/divide.h"

/* A break at length s, unless there is one within `apart`. False: out of memory. */
bool cut_edge_add(division *d, cut_edge *e, double s, double apart);

/* Carries breaks over a seam, so that both sides have as many; *changed is set if some were added. */
bool seam_agree(division *d, int32_t seam, double tolerance, bool *changed);

/* Adds the pairs of pieces of a seam whose sides agree. False: out of memory. */
bool seam_pair(division *d, int32_t seam);

/* Divides more finely where a loop would have fewer than three parts, or chords that cross. */
weft_result division_mend(division *d, weft_error *error);

#endif
