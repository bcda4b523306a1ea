/* SPDX-License-Identifier: MIT */
/* The folder of a run: which files it has. */
#ifndef TOOL_RUN_FOLDER_H
#define TOOL_RUN_FOLDER_H

#include "disk.h"

#include <weft/io.h>

typedef struct run_folder {
    char *path;
    char *cache, *stats, *scene, *preview, *sheet, *report, *video;
    char *lock_path;
    int lock; /* -1: not held */
} run_folder;

run_folder run_folder_name(const char *path);
/* Gives the lock back, too. */
void run_folder_free(run_folder *f);
bool run_folder_has_run(const run_folder *f);
/* Makes the folder if need be; no other weft may write there until it is freed. Files that a blow has
 * left half written are removed. Nothing if it is held already. WEFT_ERROR_EXISTS: another weft has it. */
weft_result run_folder_lock(run_folder *f, weft_error *error);
/* To go on with. WEFT_ERROR_CHECKSUM: damaged so that nothing can be read, which computing again cures; other errors
 * say what does. */
weft_result run_folder_open_cache(const run_folder *f, weft_cache **out, weft_error *error);
/* Removes pictures, report and video: before frames are dropped, since nothing would tell later that they show
 * others. */
void run_folder_drop_pictures(const run_folder *f);
/* Removes the files of a run, and no others. */
weft_result run_folder_clear(const run_folder *f, weft_error *error);

/* A run to look at, given by its folder or its cache. The scene is DIR/scene.yaml; if that is gone or wrong, the text
 * in the cache, without files; then scene_trouble says so. */
typedef struct run_view {
    run_folder folder;
    weft_cache *cache;
    weft_scene *scene; /* NULL: no scene could be read */
    weft_error scene_trouble;
} run_view;

weft_result run_view_open(const char *path, run_view *out, weft_error *error);
/* A warning if the end of the cache is lost: of that nothing else tells where frames are read. Returns whether it is.
 * */
bool run_view_warn_torn(const run_view *view);
void run_view_close(run_view *view);

#endif
