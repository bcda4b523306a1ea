/* SPDX-License-Identifier: MIT */
/* Pictures of the frames of a run: cloth from the cache, colliders from the scene, one camera for all of them,
 * or one that goes along. */
#ifndef TOOL_PICTURES_H
#define TOOL_PICTURES_H

#include "render/picture.h"

#include <weft/io.h>

/* How pictures look; a scene has its own wishes, options of the command go before them. */
typedef struct pictures_look {
    weft_scene_picture picture;
    int32_t n_threads;    /* 0: one a core */
    double stretch_limit; /* length over rest length that is red; 1.05 if no fabric has a limit */
    int32_t max_level;    /* that is dark when levels are shown */
    bool follow;          /* each frame in the middle of its picture, all from the same distance */
    double turn;          /* with follow: the camera goes round by this a frame, degrees */
} pictures_look;

/* NULL scene: defaults. */
pictures_look pictures_look_of(const weft_scene *scene);

typedef struct pictures pictures;

/* cache and scene (or NULL: cloth alone) must outlive it. Looks through the frames to find a camera that sees all. */
weft_result pictures_open(weft_cache *cache, const weft_scene *scene, const pictures_look *look, pictures **out,
                          weft_error *error);
void pictures_close(pictures *p);
/* Mesh colliders that cannot be drawn, because their file is missing: the name of the i-th; NULL: no more. */
const char *pictures_missing(const pictures *p, int32_t i);

weft_result pictures_take(pictures *p, int32_t frame, picture_bytes *out, weft_error *error);
/* Frames spread evenly over from … to, small, with their numbers and times. */
weft_result pictures_take_sheet(pictures *p, int32_t from, int32_t to, picture_bytes *out, weft_error *error);
/* Takes one and writes it as PNG. */
weft_result pictures_write(pictures *p, int32_t frame, const char *path, weft_error *error);
weft_result pictures_write_sheet(pictures *p, int32_t from, int32_t to, const char *path, weft_error *error);

#endif
