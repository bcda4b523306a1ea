/* SPDX-License-Identifier: MIT */
/* Where panels are before they are sewn. */
#ifndef WEFT_GARMENT_PLACE_H
#define WEFT_GARMENT_PLACE_H

#include "garment/garment.h"

/* Sets the positions of a panel's nodes. */
void garment_place(weft_garment *g, int32_t panel, const weft_placement *placement);

#endif
