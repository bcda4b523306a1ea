/* SPDX-License-Identifier: MIT */
/* Builds Embree's scene of meshes and tessellated solids, and asks it for hits. Planes are endless, intersected here.
 *
 * Embree's builder runs on one thread: with more, the order of triangles in its tree, and with it which of two
 * triangles a ray through their common edge hits, depends on timing. */
#include "picture/stage.h"
#include "picture/solid_mesh.h"

#include <stdlib.h>
#include <string.h>

static float linear_from_srgb(float c)
{
    return c <= 0.04045f ? c / 12.92f : powf((c + 0.055f) / 1.055f, 2.4f);
}

float3 linear_color(picture_color c)
{
    return f3(linear_from_srgb(c.r), linear_from_srgb(c.g), linear_from_srgb(c.b));
}

/* ---- what is wrong with a scene ---------------------------------------------------------------------------------- */

static bool is_finite(weft_vec3 a)
{
    return isfinite(a.x) && isfinite(a.y) && isfinite(a.z);
}

static const char *mesh_fault(const picture_mesh *m)
{
    if (m->n_nodes < 0 || m->n_triangles < 0 || (m->n_nodes > 0 && !m->positions) ||
        (m->n_triangles > 0 && !m->triangles))
        return "a mesh lacks an array";
    for (int32_t i = 0; i < m->n_nodes; i++)
        if (!is_finite(m->positions[i]) || (m->normals && !is_finite(m->normals[i])))
            return "a mesh has a node that is not finite";
    for (int64_t i = 0; i < 3 * (int64_t)m->n_triangles; i++)
        if (m->triangles[i] < 0 || m->triangles[i] >= m->n_nodes)
            return "a triangle names a node that is not there";
    return NULL;
}

static const char *solid_fault(const picture_solid *s)
{
    bool fine = is_finite(s->position) && is_finite(s->size) && isfinite(s->radius) && isfinite(s->height);
    for (int i = 0; i < 9; i++)
        fine = fine && isfinite(s->rotation[i]);
    return fine ? NULL : "a solid has a number that is not finite";
}

static const char *scene_fault(const picture_scene *scene)
{
    const char *fault = NULL;
    for (int32_t i = 0; i < scene->n_meshes && !fault; i++)
        fault = mesh_fault(&scene->meshes[i]);
    for (int32_t i = 0; i < scene->n_solids && !fault; i++)
        fault = solid_fault(&scene->solids[i]);
    return fault;
}

/* ---- building ---------------------------------------------------------------------------------------------------- */

/* The bounding box so far, lo > hi while empty. */
typedef struct bounds {
    weft_vec3 lo, hi;
} bounds;

static void bounds_add(bounds *b, const weft_vec3 *x, int32_t n)
{
    for (int32_t i = 0; i < n; i++) {
        b->lo = (weft_vec3){fmin(b->lo.x, x[i].x), fmin(b->lo.y, x[i].y), fmin(b->lo.z, x[i].z)};
        b->hi = (weft_vec3){fmax(b->hi.x, x[i].x), fmax(b->hi.y, x[i].y), fmax(b->hi.z, x[i].z)};
    }
}

static void take_extent(stage *s, const picture_scene *scene, const solid_mesh *solids)
{
    bounds b = {{HUGE_VAL, HUGE_VAL, HUGE_VAL}, {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL}};
    for (int32_t i = 0; i < scene->n_meshes; i++)
        bounds_add(&b, scene->meshes[i].positions, scene->meshes[i].n_nodes);
    for (int32_t i = 0; i < scene->n_solids; i++)
        bounds_add(&b, solids[i].positions, solids[i].n_nodes);
    if (b.lo.x > b.hi.x)
        b = (bounds){{-1, 0, -1}, {1, 1, 1}};
    s->centre = (weft_vec3){0.5 * (b.lo.x + b.hi.x), 0.5 * (b.lo.y + b.hi.y), 0.5 * (b.lo.z + b.hi.z)};
    weft_vec3 half = {b.hi.x - s->centre.x, b.hi.y - s->centre.y, b.hi.z - s->centre.z};
    s->radius = (float)fmax(sqrt(half.x * half.x + half.y * half.y + half.z * half.z), 1e-4);
}

static float3 relative(const stage *s, weft_vec3 x)
{
    return f3((float)(x.x - s->centre.x), (float)(x.y - s->centre.y), (float)(x.z - s->centre.z));
}

/* Weighted by area, as the cross products are. */
static void make_normals(const float3 *x, const int32_t *triangles, int32_t n_triangles, float3 *normals)
{
    for (int32_t ti = 0; ti < n_triangles; ti++) {
        const int32_t *t = &triangles[3 * (int64_t)ti];
        float3 n = f3_cross(f3_sub(x[t[1]], x[t[0]]), f3_sub(x[t[2]], x[t[0]]));
        for (int k = 0; k < 3; k++)
            normals[t[k]] = f3_add(normals[t[k]], n);
    }
}

static bool fill_geometry(stage *s, const picture_mesh *m, RTCGeometry g, stage_mesh *out)
{
    float3 *x =
        rtcSetNewGeometryBuffer(g, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT3, sizeof(float3), (size_t)m->n_nodes);
    uint32_t *t = rtcSetNewGeometryBuffer(g, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3, 3 * sizeof(uint32_t),
                                          (size_t)m->n_triangles);
    out->normals = calloc((size_t)m->n_nodes, sizeof *out->normals);
    out->positions = x;
    out->triangles = t;
    if (!x || !t || !out->normals)
        return false;
    for (int32_t i = 0; i < m->n_nodes; i++)
        s->outline[s->n_outline++] = x[i] = relative(s, m->positions[i]);
    for (int64_t i = 0; i < 3 * (int64_t)m->n_triangles; i++)
        t[i] = (uint32_t)m->triangles[i];
    if (!m->normals)
        make_normals(x, m->triangles, m->n_triangles, out->normals);
    for (int32_t i = 0; i < m->n_nodes; i++)
        out->normals[i] = f3_unit_or(m->normals ? f3_from_double(m->normals[i]) : out->normals[i], f3(0, 0, 0));
    return true;
}

static bool add_mesh(stage *s, const picture_mesh *m, material made_of)
{
    if (m->n_nodes == 0 || m->n_triangles == 0)
        return true;
    RTCGeometry g = rtcNewGeometry(s->device, RTC_GEOMETRY_TYPE_TRIANGLE);
    stage_mesh *out = &s->meshes[s->n_meshes];
    out->material = made_of;
    bool done = g && fill_geometry(s, m, g, out);
    if (done) {
        rtcCommitGeometry(g);
        rtcAttachGeometryByID(s->scene, g, (unsigned)s->n_meshes);
    }
    s->n_meshes++;
    if (g)
        rtcReleaseGeometry(g); /* the scene keeps it */
    return done;
}

static void add_plane(stage *s, weft_vec3 point, float3 normal, picture_color color)
{
    float3 c = linear_color(color);
    s->planes[s->n_planes++] = (stage_plane){
        relative(s, point), f3_unit_or(normal, f3(0, 1, 0)), {.front = c, .back = c, .through = 0, .shine = 0}};
}

static bool add_solid(stage *s, const picture_solid *solid, const solid_mesh *m)
{
    if (solid->kind == WEFT_COLLIDER_PLANE) {
        const double *r = solid->rotation;
        add_plane(s, solid->position, f3((float)r[1], (float)r[4], (float)r[7]), solid->color);
        return true;
    }
    float3 c = linear_color(solid->color);
    picture_mesh mesh = {.positions = m->positions,
                         .n_nodes = m->n_nodes,
                         .triangles = m->triangles,
                         .n_triangles = m->n_triangles,
                         .normals = m->normals};
    return add_mesh(s, &mesh, (material){.front = c, .back = c, .through = 0, .shine = 0.25f});
}

static bool reserve(stage *s, const picture_scene *scene, const solid_mesh *solids)
{
    size_t n_outline = 1;
    for (int32_t i = 0; i < scene->n_meshes; i++)
        n_outline += (size_t)scene->meshes[i].n_nodes;
    for (int32_t i = 0; i < scene->n_solids; i++)
        n_outline += (size_t)solids[i].n_nodes;
    s->outline = malloc(n_outline * sizeof *s->outline);
    s->meshes = calloc((size_t)scene->n_meshes + (size_t)scene->n_solids + 1, sizeof *s->meshes);
    s->planes = calloc((size_t)scene->n_solids + 1, sizeof *s->planes);
    return s->outline && s->meshes && s->planes;
}

static bool add_all(stage *s, const picture_scene *scene, const solid_mesh *solids)
{
    for (int32_t i = 0; i < scene->n_meshes; i++) {
        const picture_mesh *m = &scene->meshes[i];
        material cloth = {linear_color(m->front), linear_color(m->back), .through = 0.12f, .shine = 0};
        if (!add_mesh(s, m, cloth))
            return false;
    }
    for (int32_t i = 0; i < scene->n_solids; i++)
        if (!add_solid(s, &scene->solids[i], &solids[i]))
            return false;
    if (scene->has_ground)
        add_plane(s, (weft_vec3){s->centre.x, scene->ground_height, s->centre.z}, f3(0, 1, 0), scene->ground);
    return true;
}

static const char *build(stage *s, const picture_scene *scene, const solid_mesh *solids)
{
    s->device = rtcNewDevice("threads=1,set_affinity=0");
    s->scene = s->device ? rtcNewScene(s->device) : NULL;
    if (!s->scene)
        return "Embree does not start";
    take_extent(s, scene, solids);
    if (!reserve(s, scene, solids) || !add_all(s, scene, solids))
        return "out of memory";
    rtcSetSceneFlags(s->scene, RTC_SCENE_FLAG_ROBUST);
    rtcCommitScene(s->scene);
    return rtcGetDeviceError(s->device) == RTC_ERROR_NONE ? NULL : "Embree cannot build the scene";
}

const char *stage_make(const picture_scene *scene, stage *out)
{
    *out = (stage){.n_meshes = 0};
    const char *fault = scene_fault(scene);
    if (fault)
        return fault;
    solid_mesh *solids = calloc((size_t)scene->n_solids + 1, sizeof *solids);
    bool done = solids != NULL;
    for (int32_t i = 0; i < scene->n_solids && done; i++)
        done = solid_mesh_make(&scene->solids[i], &solids[i]);
    fault = done ? build(out, scene, solids) : "out of memory";
    for (int32_t i = 0; i < scene->n_solids && solids; i++)
        solid_mesh_free(&solids[i]);
    free(solids);
    return fault;
}

void stage_free(stage *s)
{
    for (int32_t i = 0; i < s->n_meshes; i++)
        free(s->meshes[i].normals);
    free(s->meshes);
    free(s->planes);
    free(s->outline);
    if (s->scene)
        rtcReleaseScene(s->scene);
    if (s->device)
        rtcReleaseDevice(s->device);
    *s = (stage){.n_meshes = 0};
}

/* ---- rays -------------------------------------------------------------------------------------------------------- */

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
static const stage_plane *look_at_planes(const stage *s, float3 origin, float3 direction, float *t)
{
    const stage_plane *found = NULL;
    for (int32_t i = 0; i < s->n_planes; i++) {
        const stage_plane *p = &s->planes[i];
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
static float3 lifted(const stage_mesh *m, const uint32_t *t, const float weights[3], float3 p, float sign)
{
    float3 sum = p;
    for (int i = 0; i < 3; i++) {
        float3 n = f3_scale(m->normals[t[i]], sign);
        float below = fminf(0, f3_dot(f3_sub(p, m->positions[t[i]]), n));
        sum = f3_mad(sum, -below * weights[i], n);
    }
    return sum;
}

/* Turns a mesh's hit into a point of the surface. A face seen from behind has its normals turned round. */
static void take_hit(const stage *s, const struct RTCRayHit *rh, float3 origin, float3 direction, surface_point *out)
{
    const stage_mesh *m = &s->meshes[rh->hit.geomID];
    const uint32_t *t = &m->triangles[3 * (size_t)rh->hit.primID];
    float u = rh->hit.u, v = rh->hit.v;
    float3 flat = f3_unit_or(f3(rh->hit.Ng_x, rh->hit.Ng_y, rh->hit.Ng_z), f3(0, 1, 0));
    float3 n = f3_scale(m->normals[t[0]], 1 - u - v);
    n = f3_unit_or(f3_mad(f3_mad(n, u, m->normals[t[1]]), v, m->normals[t[2]]), flat);
    bool front = f3_dot(flat, direction) < 0;
    out->position = f3_mad(origin, rh->ray.tfar, direction);
    out->material = &m->material;
    out->albedo = front ? m->material.front : m->material.back;
    out->flat = front ? flat : f3_scale(flat, -1);
    out->normal = front ? n : f3_scale(n, -1);
    /* Near an outline the interpolated normal may look away: bent back until it is seen from the side. */
    float away = f3_dot(out->normal, direction);
    if (away > 0)
        out->normal = f3_unit_or(f3_mad(out->normal, -1.001f * away, direction), out->flat);
    out->on_plane = false;
    out->lifted = lifted(m, t, (float[]){1 - u - v, u, v}, out->position, front ? 1.0f : -1.0f);
}

bool stage_look(const stage *s, float3 origin, float3 direction, surface_point *out)
{
    struct RTCIntersectContext context;
    struct RTCRayHit rh = {.ray = make_ray(origin, direction)};
    rtcInitIntersectContext(&context);
    rh.hit.geomID = RTC_INVALID_GEOMETRY_ID;
    rtcIntersect1(s->scene, &context, &rh);
    float t = rh.ray.tfar;
    const stage_plane *plane = look_at_planes(s, origin, direction, &t);
    if (plane)
        *out = (surface_point){.flat = plane->normal,
                               .normal = plane->normal,
                               .albedo = plane->material.front,
                               .material = &plane->material,
                               .on_plane = true,
                               .position = f3_mad(origin, t, direction),
                               .lifted = f3_mad(origin, t, direction)};
    else if (rh.hit.geomID != RTC_INVALID_GEOMETRY_ID)
        take_hit(s, &rh, origin, direction, out);
    else
        return false;
    return true;
}

bool stage_is_free(const stage *s, float3 origin, float3 direction)
{
    struct RTCIntersectContext context;
    struct RTCRay ray = make_ray(origin, direction);
    rtcInitIntersectContext(&context);
    rtcOccluded1(s->scene, &context, &ray);
    return ray.tfar >= 0; /* Embree sets it to −∞ when something is hit */
}
