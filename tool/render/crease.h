/* SPDX-License-Identifier: MIT */
/* Normals of solid meshes: smooth, but not across creases. */
#ifndef PICTURE_CREASE_H
#define PICTURE_CREASE_H

#include "render/float3.h"
#include "render/picture.h"

/* One normal per corner of each triangle, unit or zero. False if out of memory. */
bool crease_normals(const picture_mesh *mesh, float3 *normals);

#endif
