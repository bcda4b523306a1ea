/* SPDX-License-Identifier: MIT */
/* Where rays of the picture's points start and go. */
#ifndef PICTURE_CAMERA_H
#define PICTURE_CAMERA_H

#include "picture/stage.h"

typedef struct camera {
    float3 eye;
    float3 right, up, ahead;     /* unit, perpendicular */
    float width_tan, height_tan; /* tangents of half the angles of view */
} camera;

camera camera_make(const picture_camera *def, const stage *s, float aspect);

/* x, y in [-1, 1] across the picture, y up. */
static inline float3 camera_ray(const camera *c, float x, float y)
{
    float3 d = f3_mad(f3_mad(c->ahead, x * c->width_tan, c->right), y * c->height_tan, c->up);
    return f3_unit_or(d, c->ahead);
}

#endif
