/* SPDX-License-Identifier: MIT */
/* All of Weft's API. */
#ifndef WEFT_WEFT_H
#define WEFT_WEFT_H

#include <weft/detect.h>
#include <weft/sim.h>

#endif
