/* SPDX-License-Identifier: MIT */
/* A picture of what is worn, from the front, the left and the back. */
#ifndef TOOL_THREE_VIEWS_H
#define TOOL_THREE_VIEWS_H

#include "render/picture.h"

/* Writes a PNG. legend: put into the first view; NULL: none. Returns what went wrong, or NULL. */
const char *three_views(const char *path, const picture_mesh *meshes, int32_t n_meshes, const picture_legend *legend);

#endif
