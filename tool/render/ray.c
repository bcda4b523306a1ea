/* SPDX-License-Identifier: MIT */
/* Asks Embree for hits, and turns them into points of surfaces. Planes are endless, intersected here. */
#include "render/scenery.h"

static struct RTCRay make_ray(float3 o, float3 d)
{
    return (struct RTCRay){.org_x = o.x,
                           .org_y = o.y,
                           .org_z = o.z,
                           .dir_x = d.x,
                           .dir_y = d.y,
                           .dir_z = d.z,
                           .tnear = 0,
                           .tfar = INFINITY,
                           .mask = 0xffffffffu};
}

/* The plane that a ray enters from above at the least distance below *t; NULL if none. */
static const scenery_plane *look_at_planes(const scenery *s, float3 origin, float3 direction, float *t)
{
    const scenery_plane *found = NULL;
    for (int32_t i = 0; i < s->n_planes; i++) {
        const scenery_plane *p = &s->planes[i];
        float down = -f3_dot(p->normal, direction);
        float way = f3_dot(p->normal, f3_sub(origin, p->point));
        if (down > 1e-6f && way > 0 && way < *t * down) {
            *t = way / down;
            found = p;
        }
    }
    return found;
}

/* Smooth normals pretend a curved surface, but its shadow falls on flat triangles, which show where light grazes them.
 * So the point from which the sun is looked for is lifted to where the tangent planes of the three nodes meet above it
 * (J. Hanika, "Hacking the shadow terminator", Ray Tracing Gems II, 2021). */
static float3 lifted(const float3 x[3], const float3 n[3], const float weights[3], float3 p, float sign)
{
    float3 sum = p;
    for (int k = 0; k < 3; k++) {
        float below = least_of(0, sign * f3_dot(f3_sub(p, x[k]), n[k]));
        sum = f3_mad(sum, -below * weights[k] * sign, n[k]);
    }
    return sum;
}

static float3 weighted(const float3 a[3], const float weights[3])
{
    return f3_mad(f3_mad(f3_scale(a[0], weights[0]), weights[1], a[1]), weights[2], a[2]);
}

static float3 albedo_at(const scenery_mesh *m, uint32_t ti, const float weights[3], bool front)
{
    if (m->triangle_colors)
        return m->triangle_colors[ti];
    if (!m->colors)
        return front ? m->material.front : m->material.back;
    const uint32_t *t = &m->triangles[3 * (size_t)ti];
    return weighted((float3[]){m->colors[t[0]], m->colors[t[1]], m->colors[t[2]]}, weights);
}

/* Turns a mesh's hit into a point of the surface. A face seen from behind has its normals turned round. */
static void take_hit(const scenery *s, const struct RTCRayHit *rh, float3 origin, float3 direction, surface_point *out)
{
    const scenery_mesh *m = &s->meshes[rh->hit.geomID];
    const uint32_t ti = rh->hit.primID, *t = &m->triangles[3 * (size_t)ti];
    const float weights[3] = {1 - rh->hit.u - rh->hit.v, rh->hit.u, rh->hit.v};
    float3 x[3], normals[3];
    for (size_t k = 0; k < 3; k++) {
        x[k] = m->positions[t[k]];
        normals[k] = m->normals[m->corner_normals ? 3 * (size_t)ti + k : t[k]];
    }
    float3 flat = f3_unit_or(f3(rh->hit.Ng_x, rh->hit.Ng_y, rh->hit.Ng_z), f3(0, 1, 0));
    bool front = f3_dot(flat, direction) < 0;
    float sign = front ? 1.0f : -1.0f;
    out->position = f3_mad(origin, rh->ray.tfar, direction);
    out->material = &m->material;
    out->mesh = m;
    out->triangle = ti;
    out->albedo = albedo_at(m, ti, weights, front);
    out->flat = f3_scale(flat, sign);
    out->normal = f3_scale(f3_unit_or(weighted(normals, weights), flat), sign);
    /* Near an outline the interpolated normal may look away: bent back until it is seen from the side. */
    float away = f3_dot(out->normal, direction);
    if (away > 0)
        out->normal = f3_unit_or(f3_mad(out->normal, -1.001f * away, direction), out->flat);
    out->lifted = lifted(x, normals, weights, out->position, sign);
}

bool scenery_look(const scenery *s, float3 origin, float3 direction, surface_point *out)
{
    struct RTCIntersectContext context;
    struct RTCRayHit rh = {.ray = make_ray(origin, direction)};
    rtcInitIntersectContext(&context);
    rh.hit.geomID = RTC_INVALID_GEOMETRY_ID;
    rtcIntersect1(s->scene, &context, &rh);
    float t = rh.ray.tfar;
    const scenery_plane *plane = look_at_planes(s, origin, direction, &t);
    if (plane)
        *out = (surface_point){.flat = plane->normal,
                               .normal = plane->normal,
                               .albedo = plane->material.front,
                               .material = &plane->material,
                               .position = f3_mad(origin, t, direction),
                               .lifted = f3_mad(origin, t, direction)};
    else if (rh.hit.geomID != RTC_INVALID_GEOMETRY_ID)
        take_hit(s, &rh, origin, direction, out);
    else
        return false;
    return true;
}

/* What Embree hands on to the filter below. */
typedef struct shadow_context {
    struct RTCIntersectContext base; /* first: Embree knows this part */
    const scenery_mesh *mesh;
    uint32_t triangle;
    unsigned geometry;
    float3 flat;
} shadow_context;

static bool share_a_node(const uint32_t *a, const uint32_t *b)
{
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            if (a[i] == b[k])
                return true;
    return false;
}

/* A triangle casts no shadow on itself and on those beside it, unless there is a sharp edge between: under grazing
 * light the triangles would show as teeth. */
static void pass_neighbours(const struct RTCFilterFunctionNArguments *a)
{
    const shadow_context *c = (const shadow_context *)a->context;
    const struct RTCHit *hit = (const struct RTCHit *)a->hit;
    if (hit->geomID != c->geometry)
        return;
    const uint32_t *t = c->mesh->triangles;
    float3 flat = f3(hit->Ng_x, hit->Ng_y, hit->Ng_z);
    bool is_straight = fabsf(f3_dot(flat, c->flat)) > 0.5f * f3_length(flat);
    if (is_straight && share_a_node(&t[3 * (size_t)c->triangle], &t[3 * (size_t)hit->primID]))
        a->valid[0] = 0;
}

bool scenery_is_free(const scenery *s, const surface_point *p, float3 origin, float3 direction)
{
    shadow_context context;
    struct RTCRay ray = make_ray(origin, direction);
    rtcInitIntersectContext(&context.base);
    if (p->mesh) {
        context.base.filter = pass_neighbours;
        context.mesh = p->mesh;
        context.triangle = p->triangle;
        context.geometry = (unsigned)(p->mesh - s->meshes);
        context.flat = p->flat;
    }
    rtcOccluded1(s->scene, &context.base, &ray);
    return ray.tfar >= 0; /* Embree sets it to −∞ when something is hit */
}
