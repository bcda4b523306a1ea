/* SPDX-License-Identifier: MIT */
/* What a run leaves behind for people, made from its cache: preview, contact sheet, report, video. */
#ifndef TOOL_FINISH_H
#define TOOL_FINISH_H

#include "pictures.h"
#include "progress.h"
#include "run_folder.h"
#include "warnings.h"

typedef struct finish_def {
    const run_folder *folder;
    progress *progress;
    const warnings *warnings; /* for the report; NULL: none */
    bool pictures, video;
    bool only_missing; /* what is there stays */
    int32_t n_threads; /* 0: one a core */
    double player_mb;  /* of the report's frames, at most; 0: no player */
} finish_def;

weft_result finish_run(const finish_def *def, weft_error *error);
/* Warns of colliders that cannot be drawn, and of a scene that could not be read. */
void finish_warn(progress *p, const run_view *view, const pictures *taken);
/* Frames from … to, every one, as a video. */
weft_result finish_video(pictures *taken, progress *p, const char *path, const pictures_look *look, int32_t from,
                         int32_t to, double fps, weft_error *error);

#endif
