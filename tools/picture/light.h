/* SPDX-License-Identifier: MIT */
/* What light comes along a ray. */
#ifndef PICTURE_LIGHT_H
#define PICTURE_LIGHT_H

#include "picture/stage.h"

typedef struct light {
    float3 to_sun, across_sun, along_sun; /* unit, perpendicular */
    float sun_spread;                     /* tangent of half the sun's diameter */
    float3 background;
    float lift; /* how far rays start above a surface, m */
} light;

/* Random numbers in [0, 1) of one sample of a pixel. */
typedef struct chance {
    float sun_u, sun_v;
    float sky_u, sky_v;
} chance;

light light_make(const picture_scene *scene, const stage *s);
float3 light_along(const light *l, const stage *s, float3 origin, float3 direction, const chance *c);

#endif
