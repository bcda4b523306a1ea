/* SPDX-License-Identifier: MIT */
/* What is probably a mistake of units or axes: a garment in inches round a body in metres, a body that lies because
 * its file has z up, gravity in cm/s². It is only told, with the likely unit and what cures it; nothing is changed. */
#ifndef TOOL_PLAUSIBLE_H
#define TOOL_PLAUSIBLE_H

#include "warnings.h"

#include <weft/io/pattern.h>

void plausible_scene(const weft_scene *scene, warnings *out);
/* A mesh file by itself, of which nothing is known. */
void plausible_mesh(const weft_vec3 *points, int32_t n, warnings *out);
/* The body of `weft sew`, scale being --body-scale. */
void plausible_body(const char *path, const weft_vec3 *points, int32_t n, double scale, warnings *out);
/* A pattern to be worn by a body of this height, m. */
void plausible_pattern(const char *path, const weft_pattern *pattern, double height, warnings *out);

#endif
