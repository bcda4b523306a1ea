/* SPDX-License-Identifier: MIT */
/* A point is lit by the sun (one ray to a point of its disc) and by one ray over the hemisphere, chosen by the cosine:
 * where it leaves the scene it brings the sky's light, where it hits something that thing's, lit by the sun and by an
 * even light in place of further bounces. Over the samples of a pixel this averages to soft shadows, ambient occlusion
 * and the colour that surfaces throw on each other. */
#include "render/light.h"
#include "render/wire.h"

/* The sun is 2.2 times as bright as the sky on a face that looks at it: clear shadows that are not black. */
const float3 sun_light = {2.05f, 1.92f, 1.72f};
/* A sky darker at its edge, and one side of it bright across from the sun, so that folds in the shade have shape. */
static const float3 sky_top = {1.0f, 1.06f, 1.16f};
static const float3 sky_edge = {0.60f, 0.60f, 0.60f};
static const float3 fill_light = {0.75f, 0.70f, 0.62f};
static const float even_light = 0.35f;

light light_make(const picture_scene *scene, const camera *c)
{
    light l = {.to_sun = f3_unit_or(f3_from_double(scene->sun), f3(0, 1, 0)),
               .sun_spread = (float)tan(scene->sun_size * 0.5 * 3.14159265358979324 / 180),
               .lift = 2e-5f * c->reach,
               .reach = c->reach};
    l.to_fill = f3_unit_or(f3(-l.to_sun.x, 0.25f, 0.5f * l.to_sun.z), f3(1, 0, 0));
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
    return f3_mad(f3_mad(f3_scale(n, sqrtf(most_of(0, 1 - x * x - y * y))), x, a), y, b);
}

static float3 sky(const light *l, float3 d)
{
    float fill = most_of(0, f3_dot(d, l->to_fill));
    return f3_mad(f3_mix(sky_edge, sky_top, most_of(0, d.y)), fill * fill * fill * fill, fill_light);
}

/* The share of the sun's light on a point that comes from its side or, scattered, through it; and what of it is not in
 * shadow. */
static float sun_on(const light *l, const scenery *s, const surface_point *p, const chance *c, float *due)
{
    float3 d = to_sun_disc(l, c);
    float facing = f3_dot(p->normal, d);
    *due = facing > 0 ? facing : -facing * p->material->through;
    if (*due <= 0)
        return 0;
    float3 start = f3_mad(facing > 0 ? p->lifted : p->position, facing > 0 ? l->lift : -l->lift, p->flat);
    return scenery_is_free(s, p, start, d) ? *due : 0;
}

static float3 sky_on(const light *l, const scenery *s, const surface_point *p, const chance *c)
{
    float3 d = over_hemisphere(p->normal, c);
    surface_point q;
    float due;
    if (f3_dot(d, p->flat) <= 0)
        return f3_scale(p->albedo, even_light);
    if (!scenery_look(s, f3_mad(p->position, l->lift, p->flat), d, &q))
        return sky(l, d);
    float3 lit = f3_scale(sun_light, sun_on(l, s, &q, c, &due));
    return f3_mul(q.albedo, f3_add(lit, f3(even_light, even_light, even_light)));
}

/* A soft highlight for solids, and the light rim of fibres seen from the side for cloth. */
static float3 gloss(const light *l, const surface_point *p, float3 direction, float3 sun, float3 from_sky)
{
    if (!p->mesh)
        return f3(0, 0, 0);
    if (p->material->shine > 0) {
        float3 middle = f3_unit_or(f3_sub(l->to_sun, direction), p->normal);
        return f3_scale(sun, p->material->shine * powf(most_of(0, f3_dot(middle, p->normal)), 60));
    }
    float side = 1 - fabsf(f3_dot(p->normal, direction));
    float3 fibre = f3_mix(p->albedo, f3(1, 1, 1), 0.3f);
    return f3_scale(f3_mul(fibre, f3_add(from_sky, sun)), 0.2f * side * side * side * side);
}

/* Share of the background in a plane that far away. */
static float fade(const light *l, float3 position)
{
    float far = (f3_length(position) / l->reach - 2.0f) / 9.0f;
    far = least_of(most_of(far, 0), 1);
    return far * far * (3 - 2 * far);
}

/* Whether the sky's light on a point may do for another as well. */
static bool is_beside(const light *l, const seen *a, const surface_point *b)
{
    return a->n_surface > 0 && f3_dot(a->normal, b->normal) > 0.99f &&
           f3_length(f3_sub(a->position, b->position)) < 0.01f * l->reach;
}

seen light_at(const light *l, const scenery *s, const camera *eye, float x, float y, const chance *c, const seen *last)
{
    const float line_shade = 0.25f; /* of the surface's own colour */
    float3 direction = camera_ray(eye, x, y);
    surface_point p;
    float haze = 0;
    if (!scenery_look(s, eye->eye, direction, &p) || (!p.mesh && (haze = fade(l, p.position)) >= 1))
        return (seen){.light = l->background};
    p.albedo = f3_scale(p.albedo, 1 - (1 - line_shade) * wire_cover(eye, &p, x, y));
    seen out = {.position = p.position, .normal = p.normal, .n_surface = 1};
    out.sun_got = sun_on(l, s, &p, c, &out.sun_due);
    out.sky = last && is_beside(l, last, &p) ? last->sky : sky_on(l, s, &p, c);
    out.albedo = f3_scale(p.albedo, 1 - haze);
    float3 sun = f3_scale(sun_light, out.sun_got);
    float3 back = f3_add(f3_mul(p.albedo, f3_add(sun, out.sky)), gloss(l, &p, direction, sun, out.sky));
    out.light = f3_mix(back, l->background, haze);
    return out;
}
