/* SPDX-License-Identifier: MIT */
/* A point is lit by the sun (one ray to a point of its disc) and by one ray over the hemisphere, chosen by the cosine:
 * where it leaves the scene it brings the sky's light, where it hits something that thing's, lit by the sun and by an
 * even light in place of further bounces. Over the samples of a pixel this averages to soft shadows, ambient occlusion
 * and the colour that surfaces throw on each other. */
#include "picture/light.h"

/* The sun is 2.2 times as bright as the sky on a face that looks at it: clear shadows that are not black. */
static const float3 sun_light = {2.05f, 1.92f, 1.72f};
static const float3 sky_top = {0.74f, 0.84f, 1.0f};
static const float3 sky_edge = {0.98f, 0.97f, 0.95f};
static const float even_light = 0.35f;

light light_make(const picture_scene *scene, const stage *s)
{
    light l = {.to_sun = f3_unit_or(f3_from_double(scene->sun), f3(0, 1, 0)),
               .sun_spread = (float)tan(scene->sun_size * 0.5 * 3.14159265358979324 / 180),
               .lift = 2e-5f * s->radius};
    f3_frame(l.to_sun, &l.across_sun, &l.along_sun);
    l.background = f3_scale(linear_color(scene->background), 1 / (float)scene->exposure); /* seen as it is given */
    return l;
}

/* From the unit square to the unit disc, equal areas to equal areas. */
static void disc(float u, float v, float *x, float *y)
{
    float r = sqrtf(u), a = 6.2831853f * v;
    *x = r * cosf(a);
    *y = r * sinf(a);
}

static float3 to_sun_disc(const light *l, const chance *c)
{
    float x, y;
    disc(c->sun_u, c->sun_v, &x, &y);
    float3 d = f3_mad(f3_mad(l->to_sun, l->sun_spread * x, l->across_sun), l->sun_spread * y, l->along_sun);
    return f3_unit_or(d, l->to_sun);
}

static float3 over_hemisphere(float3 n, const chance *c)
{
    float x, y;
    float3 a, b;
    disc(c->sky_u, c->sky_v, &x, &y);
    f3_frame(n, &a, &b);
    return f3_mad(f3_mad(f3_scale(n, sqrtf(fmaxf(0, 1 - x * x - y * y))), x, a), y, b);
}

static float3 sky(float3 d)
{
    return f3_mix(sky_edge, sky_top, sqrtf(fmaxf(0, d.y)));
}

/* Sunlight on a point, from its side or scattered through it. */
static float3 sun_on(const light *l, const stage *s, const surface_point *p, const chance *c)
{
    float3 d = to_sun_disc(l, c);
    float facing = f3_dot(p->normal, d);
    float share = facing > 0 ? facing : -facing * p->material->through;
    if (share <= 0)
        return f3(0, 0, 0);
    float3 start = f3_mad(facing > 0 ? p->lifted : p->position, facing > 0 ? l->lift : -l->lift, p->flat);
    return stage_is_free(s, start, d) ? f3_scale(sun_light, share) : f3(0, 0, 0);
}

static float3 sky_on(const light *l, const stage *s, const surface_point *p, const chance *c)
{
    float3 d = over_hemisphere(p->normal, c);
    surface_point q;
    if (f3_dot(d, p->flat) <= 0)
        return f3_scale(p->albedo, even_light);
    if (!stage_look(s, f3_mad(p->position, l->lift, p->flat), d, &q))
        return sky(d);
    float3 lit = sun_on(l, s, &q, c);
    return f3_mul(q.albedo, f3_add(lit, f3(even_light, even_light, even_light)));
}

/* A soft highlight for solids, and the light rim of fibres seen from the side for cloth. */
static float3 gloss(const light *l, const surface_point *p, float3 direction, float3 sun)
{
    if (p->material->shine > 0) {
        float3 middle = f3_unit_or(f3_sub(l->to_sun, direction), p->normal);
        return f3_scale(sun, p->material->shine * powf(fmaxf(0, f3_dot(middle, p->normal)), 60));
    }
    if (p->on_plane)
        return f3(0, 0, 0);
    float side = 1 - fabsf(f3_dot(p->normal, direction));
    return f3_scale(f3_mix(p->albedo, f3(1, 1, 1), 0.5f), 0.25f * side * side * side * side);
}

/* Share of the background in a plane that far away. */
static float fade(const stage *s, float3 position)
{
    float far = (f3_length(position) / s->radius - 2.0f) / 9.0f;
    far = fminf(fmaxf(far, 0), 1);
    return far * far * (3 - 2 * far);
}

float3 light_along(const light *l, const stage *s, float3 origin, float3 direction, const chance *c)
{
    surface_point p;
    float haze = 0;
    if (!stage_look(s, origin, direction, &p) || (p.on_plane && (haze = fade(s, p.position)) >= 1))
        return l->background;
    float3 sun = sun_on(l, s, &p, c);
    float3 seen = f3_mul(p.albedo, f3_add(sun, sky_on(l, s, &p, c)));
    seen = f3_add(seen, gloss(l, &p, direction, sun));
    return f3_mix(seen, l->background, haze);
}
