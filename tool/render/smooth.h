/* SPDX-License-Identifier: MIT */
/* Smooths the noise of few samples. */
#ifndef PICTURE_SMOOTH_H
#define PICTURE_SMOOTH_H

#include "render/light.h"

typedef struct smooth_field {
    seen *cells; /* means per pixel, rows from the top */
    float3 *sky; /* per pixel: the sky's light after the first round */
    int32_t width, height;
    float footprint; /* of a pixel, m */
} smooth_field;

/* Whether a pixel sees more than one surface, or none: it is not smoothed. */
bool smooth_is_edge(const seen *cell);
/* The first round: over pixels near; makes `sky`, and the sun's part of the cell's light. */
void smooth_near(const smooth_field *f, int32_t px, int32_t py);
/* The second round, over pixels farther away; returns the pixel's light. */
float3 smooth_far(const smooth_field *f, int32_t px, int32_t py);

#endif
