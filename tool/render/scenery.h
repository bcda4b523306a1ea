/* SPDX-License-Identifier: MIT */
/* The scene as rays see it. */
#ifndef PICTURE_SCENERY_H
#define PICTURE_SCENERY_H

#include "render/color.h"

#include <embree3/rtcore.h>

/* What a surface is made of; colours are linear light. */
typedef struct material {
    float3 front, back;
    float through; /* share of the sun that cloth lets through, scattered */
    float shine;   /* strength of highlights */
} material;

typedef struct scenery_mesh {
    const float3 *positions;
    const uint32_t *triangles;
    float3 *normals;         /* unit or zero; per node, or per corner of each triangle */
    bool corner_normals;     /* which of both */
    float3 *colors;          /* per node, or NULL */
    float3 *triangle_colors; /* or NULL */
    const uint8_t *lines;    /* as in picture_mesh */
    float line_width;        /* pixels */
    material material;
} scenery_mesh;

typedef struct scenery_plane {
    float3 point, normal;
    material material;
} scenery_plane;

/* Coordinates are relative to `centre`. */
typedef struct scenery {
    RTCDevice device;
    RTCScene scene;
    scenery_mesh *meshes; /* by Embree's geometry id */
    int32_t n_meshes;
    scenery_plane *planes;
    int32_t n_planes;
    weft_vec3 centre;
} scenery;

/* A point of a surface, as seen along a ray. */
typedef struct surface_point {
    float3 position;
    float3 lifted; /* position moved out to the curved surface that the normals describe: shadows are cast on that */
    float3 flat;   /* normal of the triangle, towards where the ray came from */
    float3 normal; /* interpolated, towards where the ray came from */
    float3 albedo;
    const material *material;
    const scenery_mesh *mesh; /* NULL: on a plane */
    uint32_t triangle;
} surface_point;

/* NULL, or what is wrong; then too, free it. */
const char *scenery_make(const picture_scene *scene, weft_vec3 centre, scenery *out);
void scenery_free(scenery *s);
/* What is wrong with a scene's meshes and solids, or NULL. */
const char *scene_fault(const picture_scene *scene);

/* The nearest point along a ray; false: none. */
bool scenery_look(const scenery *s, float3 origin, float3 direction, surface_point *out);
/* Whether nothing is in the way along a ray from the surface at p. Planes do not count: sunlight comes from above
 * them. */
bool scenery_is_free(const scenery *s, const surface_point *p, float3 origin, float3 direction);

#endif
