/* SPDX-License-Identifier: MIT */
/* Colours of the paint program and of light. */
#ifndef PICTURE_COLOR_H
#define PICTURE_COLOR_H

#include "render/float3.h"
#include "render/picture.h"

float3 linear_color(picture_color c);
float srgb_from_linear(float x);

#endif
