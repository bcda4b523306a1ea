/* SPDX-License-Identifier: MIT */
/* What light comes along a ray. */
#ifndef PICTURE_LIGHT_H
#define PICTURE_LIGHT_H

#include "render/camera.h"
#include "render/scenery.h"

typedef struct light {
    float3 to_sun, across_sun, along_sun; /* unit, perpendicular */
    float3 to_fill;                       /* the middle of the sky's bright side */
    float sun_spread;                     /* tangent of half the sun's diameter */
    float3 background;
    float lift;  /* how far rays start above a surface, m */
    float reach; /* planes fade at many times this, m */
} light;

/* Random numbers in [0, 1) of one sample of a pixel. */
typedef struct chance {
    float sun_u, sun_v;
    float sky_u, sky_v;
} chance;

/* The light along a ray, and what it is made of: light = albedo × (sun_light × sun_got + sky) + the rest. Of several
 * samples, sums or means of all that. */
typedef struct seen {
    float3 light;
    float3 albedo;           /* less the haze; zero: no surface */
    float3 sky;              /* light of the sky and of other surfaces */
    float sun_due, sun_got;  /* share of the sun's light by the angle to it; and what of that is not in shadow */
    float3 position, normal; /* of the surface */
    float n_surface;         /* how many of the samples hit one */
} seen;

extern const float3 sun_light;

light light_make(const picture_scene *scene, const camera *c);
/* Through the place x, y of the picture, in pixels. If `last` is not NULL and saw nearly the same place, its sky's
 * light is taken: that halves the cost, and costs little, as neighbours are averaged later. */
seen light_at(const light *l, const scenery *s, const camera *eye, float x, float y, const chance *c, const seen *last);

#endif
