/* SPDX-License-Identifier: MIT */
/* Panels of a pattern round a body: placed, told of, written as a mesh or drawn. */
#ifndef TOOL_PATTERN_BODY_H
#define TOOL_PATTERN_BODY_H

#include "facts.h"

#include <weft/body.h>

/* A body from a mesh file; with landmarks from a file if that is not NULL. */
weft_result pattern_body_read(const char *path, const char *landmarks, weft_body **out, weft_mesh *mesh,
                              weft_error *error);

void facts_add_fit(facts *f, const weft_pattern *p, const weft_panel_fit *fits);

/* Pictures from the front, the left and the back, side by side, as PNG. */
weft_result pattern_body_picture(const char *path, const weft_mesh *body, const weft_garment *garment,
                                 weft_error *error);
/* All panels in one OBJ or PLY file, a group each, material coordinates as uv. */
weft_result pattern_mesh_write(const char *path, const weft_pattern *p, const weft_garment *garment, weft_error *error);

#endif
