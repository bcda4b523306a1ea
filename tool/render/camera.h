/* SPDX-License-Identifier: MIT */
/* Where rays of the picture's points start and go. */
#ifndef PICTURE_CAMERA_H
#define PICTURE_CAMERA_H

#include "render/float3.h"
#include "render/picture.h"

/* Coordinates are relative to the target, so that floats serve a scene far from the origin as well. */
typedef struct camera {
    float3 eye;
    float3 right, up, ahead;       /* unit, perpendicular */
    float width_tan, height_tan;   /* tangents of half the angles of view */
    float reach;                   /* half the height that is seen at the target, m: the scale of the scene */
    float half_width, half_height; /* of the picture, pixels */
} camera;

/* The definition must be `given`. */
camera camera_make(const picture_camera *def, int32_t width, int32_t height);

/* x, y in pixels from the top left corner. */
static inline float3 camera_ray(const camera *c, float x, float y)
{
    float side = (x / c->half_width - 1) * c->width_tan, high = (1 - y / c->half_height) * c->height_tan;
    return f3_unit_or(f3_mad(f3_mad(c->ahead, side, c->right), high, c->up), c->ahead);
}

/* Where a point is seen, in pixels; false: it is not in front of the eye. */
static inline bool camera_project(const camera *c, float3 point, float *x, float *y)
{
    float3 d = f3_sub(point, c->eye);
    float depth = f3_dot(d, c->ahead);
    if (!(depth > 1e-4f * c->reach))
        return false;
    *x = c->half_width * (1 + f3_dot(d, c->right) / (depth * c->width_tan));
    *y = c->half_height * (1 - f3_dot(d, c->up) / (depth * c->height_tan));
    return true;
}

#endif
