/* SPDX-License-Identifier: MIT */
/* The lines of a mesh. */
#ifndef PICTURE_WIRE_H
#define PICTURE_WIRE_H

#include "render/camera.h"
#include "render/scenery.h"

/* How much of a line covers a point that is seen at x, y in the picture: 0 none … 1. */
float wire_cover(const camera *c, const surface_point *p, float x, float y);

#endif
