/* SPDX-License-Identifier: MIT */
/* A cloth of a scene as the library wants it, and back: which face of the file each face of the library is. */
#ifndef WEFT_IO_SCENE_STAGE_CLOTH_H
#define WEFT_IO_SCENE_STAGE_CLOTH_H

#include "io/scene/scene_inside.h"

/* "scene:line:column: …" */
weft_result stage_fault(const weft_scene *s, weft_scene_place place, weft_error *e, weft_result code,
                        const char *format, ...);

weft_result stage_create_cloth(const weft_scene *s, int32_t cloth, weft_sim *sim, weft_cloth_id *out, weft_error *e);

#endif
