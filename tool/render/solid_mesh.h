/* SPDX-License-Identifier: MIT */
/* Colliders as triangles. */
#ifndef PICTURE_SOLID_MESH_H
#define PICTURE_SOLID_MESH_H

#include "render/picture.h"

typedef struct solid_mesh {
    weft_vec3 *positions;
    weft_vec3 *normals;
    int32_t *triangles;
    int32_t n_nodes, n_triangles;
} solid_mesh;

/* False if out of memory. A plane has no triangles. */
bool solid_mesh_make(const picture_solid *solid, solid_mesh *out);
void solid_mesh_free(solid_mesh *mesh);

#endif
