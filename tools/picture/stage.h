/* SPDX-License-Identifier: MIT */
/* The scene as rays see it. */
#ifndef PICTURE_STAGE_H
#define PICTURE_STAGE_H

#include "picture/float3.h"
#include "picture/picture.h"

#include <embree3/rtcore.h>

/* What a surface is made of; colours are linear light. */
typedef struct material {
    float3 front, back;
    float through; /* share of the sun that cloth lets through, scattered */
    float shine;   /* strength of highlights */
} material;

float3 linear_color(picture_color c);

typedef struct stage_mesh {
    const float3 *positions;
    float3 *normals; /* per node, unit or zero */
    const uint32_t *triangles;
    material material;
} stage_mesh;

typedef struct stage_plane {
    float3 point, normal;
    material material;
} stage_plane;

/* Coordinates are relative to `centre`, so that floats serve a scene far from the origin as well. */
typedef struct stage {
    RTCDevice device;
    RTCScene scene;
    stage_mesh *meshes; /* by Embree's geometry id */
    int32_t n_meshes;
    stage_plane *planes;
    int32_t n_planes;
    weft_vec3 centre;
    float radius;    /* of everything but the planes */
    float3 *outline; /* points that the camera should see */
    int32_t n_outline;
} stage;

/* A point of a surface, as seen along a ray. */
typedef struct surface_point {
    float3 position;
    float3 lifted; /* position moved out to the curved surface that the normals describe: shadows are cast on that */
    float3 flat;   /* normal of the triangle, towards where the ray came from */
    float3 normal; /* interpolated, towards where the ray came from */
    float3 albedo;
    const material *material;
    bool on_plane;
} surface_point;

/* NULL, or what is wrong; then too, free it. */
const char *stage_make(const picture_scene *scene, stage *out);
void stage_free(stage *s);

/* The nearest point along a ray; false: none. */
bool stage_look(const stage *s, float3 origin, float3 direction, surface_point *out);
/* Whether nothing is in the way along a ray. Planes do not count: sunlight comes from above them. */
bool stage_is_free(const stage *s, float3 origin, float3 direction);

#endif
