/* SPDX-License-Identifier: MIT */
/* Checks a scene, and builds Embree's of its meshes and tessellated solids.
 *
 * Embree's builder runs on one thread: with more, the order of triangles in its tree, and with it which of two
 * triangles a ray through their common edge hits, depends on timing. */
#include "render/scenery.h"
#include "render/crease.h"
#include "render/solid_mesh.h"

#include <stdlib.h>

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
    if (m->lines && !(m->line_width >= 0 && m->line_width <= 32))
        return "line_width must be in [0, 32] pixels";
    return NULL;
}

static const char *solid_fault(const picture_solid *s)
{
    bool fine = is_finite(s->position) && is_finite(s->size) && isfinite(s->radius) && isfinite(s->height);
    for (int i = 0; i < 9; i++)
        fine = fine && isfinite(s->rotation[i]);
    return fine ? NULL : "a solid has a number that is not finite";
}

const char *scene_fault(const picture_scene *scene)
{
    const char *fault = NULL;
    if (scene->n_meshes < 0 || scene->n_solids < 0 || (scene->n_meshes > 0 && !scene->meshes) ||
        (scene->n_solids > 0 && !scene->solids))
        return "the scene lacks an array";
    for (int32_t i = 0; i < scene->n_meshes && !fault; i++)
        fault = mesh_fault(&scene->meshes[i]);
    for (int32_t i = 0; i < scene->n_solids && !fault; i++)
        fault = solid_fault(&scene->solids[i]);
    return fault;
}

/* ---- building ---------------------------------------------------------------------------------------------------- */

static float3 relative(const scenery *s, weft_vec3 x)
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

static bool fill_normals(const picture_mesh *m, scenery_mesh *out)
{
    out->corner_normals = m->is_solid && !m->normals;
    out->normals = calloc(out->corner_normals ? 3 * (size_t)m->n_triangles : (size_t)m->n_nodes, sizeof *out->normals);
    if (!out->normals || out->corner_normals)
        return out->normals && crease_normals(m, out->normals);
    if (!m->normals)
        make_normals(out->positions, m->triangles, m->n_triangles, out->normals);
    for (int32_t i = 0; i < m->n_nodes; i++)
        out->normals[i] = f3_unit_or(m->normals ? f3_from_double(m->normals[i]) : out->normals[i], f3(0, 0, 0));
    return true;
}

/* True without colours too. */
static bool fill_colors(const picture_color *colors, int32_t n, float3 **out)
{
    *out = colors ? malloc((size_t)n * sizeof **out) : NULL;
    for (int32_t i = 0; i < n && *out; i++)
        (*out)[i] = linear_color(colors[i]);
    return !colors || *out;
}

static bool fill_geometry(scenery *s, const picture_mesh *m, RTCGeometry g, scenery_mesh *out)
{
    float3 *x =
        rtcSetNewGeometryBuffer(g, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT3, sizeof(float3), (size_t)m->n_nodes);
    uint32_t *t = rtcSetNewGeometryBuffer(g, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3, 3 * sizeof(uint32_t),
                                          (size_t)m->n_triangles);
    out->positions = x;
    out->triangles = t;
    if (!x || !t)
        return false;
    for (int32_t i = 0; i < m->n_nodes; i++)
        x[i] = relative(s, m->positions[i]);
    for (int64_t i = 0; i < 3 * (int64_t)m->n_triangles; i++)
        t[i] = (uint32_t)m->triangles[i];
    out->lines = m->lines;
    out->line_width = m->line_width > 0 ? (float)m->line_width : 1.1f;
    return fill_normals(m, out) && fill_colors(m->colors, m->n_nodes, &out->colors) &&
           fill_colors(m->triangle_colors, m->n_triangles, &out->triangle_colors);
}

static bool add_mesh(scenery *s, const picture_mesh *m)
{
    if (m->n_nodes == 0 || m->n_triangles == 0)
        return true;
    RTCGeometry g = rtcNewGeometry(s->device, RTC_GEOMETRY_TYPE_TRIANGLE);
    scenery_mesh *out = &s->meshes[s->n_meshes];
    out->material = (material){.front = linear_color(m->front),
                               .back = linear_color(m->is_solid ? m->front : m->back),
                               .through = m->is_solid ? 0 : 0.12f,
                               .shine = m->is_solid ? 0.25f : 0};
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

static void add_plane(scenery *s, weft_vec3 point, float3 normal, picture_color color)
{
    float3 c = linear_color(color);
    s->planes[s->n_planes++] = (scenery_plane){
        relative(s, point), f3_unit_or(normal, f3(0, 1, 0)), {.front = c, .back = c, .through = 0, .shine = 0}};
}

static bool add_solid(scenery *s, const picture_solid *solid, const solid_mesh *m)
{
    if (solid->kind == WEFT_COLLIDER_PLANE) {
        const double *r = solid->rotation;
        add_plane(s, solid->position, f3((float)r[1], (float)r[4], (float)r[7]), solid->color);
        return true;
    }
    picture_mesh mesh = {.positions = m->positions,
                         .n_nodes = m->n_nodes,
                         .triangles = m->triangles,
                         .n_triangles = m->n_triangles,
                         .normals = m->normals,
                         .front = solid->color,
                         .is_solid = true};
    return add_mesh(s, &mesh);
}

static bool add_all(scenery *s, const picture_scene *scene, const solid_mesh *solids)
{
    s->meshes = calloc((size_t)scene->n_meshes + (size_t)scene->n_solids + 1, sizeof *s->meshes);
    s->planes = calloc((size_t)scene->n_solids + 1, sizeof *s->planes);
    if (!s->meshes || !s->planes)
        return false;
    for (int32_t i = 0; i < scene->n_meshes; i++)
        if (!add_mesh(s, &scene->meshes[i]))
            return false;
    for (int32_t i = 0; i < scene->n_solids; i++)
        if (!add_solid(s, &scene->solids[i], &solids[i]))
            return false;
    if (scene->has_ground)
        add_plane(s, (weft_vec3){s->centre.x, scene->ground_height, s->centre.z}, f3(0, 1, 0), scene->ground);
    return true;
}

static const char *build(scenery *s, const picture_scene *scene, const solid_mesh *solids)
{
    s->device = rtcNewDevice("threads=1,set_affinity=0");
    s->scene = s->device ? rtcNewScene(s->device) : NULL;
    if (!s->scene)
        return "Embree does not start";
    if (!add_all(s, scene, solids))
        return "out of memory";
    rtcSetSceneFlags(s->scene, RTC_SCENE_FLAG_ROBUST | RTC_SCENE_FLAG_CONTEXT_FILTER_FUNCTION);
    rtcCommitScene(s->scene);
    return rtcGetDeviceError(s->device) == RTC_ERROR_NONE ? NULL : "Embree cannot build the scene";
}

const char *scenery_make(const picture_scene *scene, weft_vec3 centre, scenery *out)
{
    *out = (scenery){.centre = centre};
    solid_mesh *solids = calloc((size_t)scene->n_solids + 1, sizeof *solids);
    bool done = solids != NULL;
    for (int32_t i = 0; i < scene->n_solids && done; i++)
        done = solid_mesh_make(&scene->solids[i], &solids[i]);
    const char *fault = done ? build(out, scene, solids) : "out of memory";
    for (int32_t i = 0; i < scene->n_solids && solids; i++)
        solid_mesh_free(&solids[i]);
    free(solids);
    return fault;
}

void scenery_free(scenery *s)
{
    for (int32_t i = 0; i < s->n_meshes; i++) {
        free(s->meshes[i].normals);
        free(s->meshes[i].colors);
        free(s->meshes[i].triangle_colors);
    }
    free(s->meshes);
    free(s->planes);
    if (s->scene)
        rtcReleaseScene(s->scene);
    if (s->device)
        rtcReleaseDevice(s->device);
    *s = (scenery){.n_meshes = 0};
}
