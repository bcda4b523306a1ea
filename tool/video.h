/* SPDX-License-Identifier: MIT */
/* A video, made by ffmpeg as a child process that is given raw pictures. */
#ifndef TOOL_VIDEO_H
#define TOOL_VIDEO_H

#include "render/picture.h"

#include <weft/base.h>

typedef struct video video;

/* Whether there is an ffmpeg to call. */
bool video_is_possible(void);

/* WEFT_ERROR_NOT_FOUND: there is no ffmpeg. The file appears when it is complete. */
weft_result video_open(const char *path, int32_t width, int32_t height, double fps, video **out, weft_error *error);
weft_result video_add(video *v, const picture_bytes *bytes, weft_error *error);
/* Ends ffmpeg; false: leaves no file. Frees in any case; NULL is fine. */
weft_result video_close(video *v, bool keep, weft_error *error);

#endif
