/* SPDX-License-Identifier: MIT */
/* A small run to export: a grid of quads with one uv a node, and a patch of a pentagon, a quad and a triangle with uv
 * of their own at each corner. Points are numbers that no float holds exactly. */
#ifndef WEFT_TEST_IO_EXPORT_KIT_H
#define WEFT_TEST_IO_EXPORT_KIT_H

#include <weft/io/export.h>

enum {
    KIT_SHEET = 0,
    KIT_PATCH = 1,
    KIT_FRAMES = 5,
    KIT_SHEET_NODES = 20,
    KIT_PATCH_NODES = 7,
    KIT_NODES = KIT_SHEET_NODES + KIT_PATCH_NODES,
    KIT_CHANGE = 2 /* the frame at which the sheet gets other faces, if it does */
};

typedef struct export_kit {
    char folder[128]; /* a new one, for all the files of a test */
    weft_cache *cache;
    bool changes;
    char path[512]; /* room of export_kit_path */
} export_kit;

/* changes: the sheet has other nodes and faces from KIT_CHANGE on. */
void export_kit_make(export_kit *kit, bool changes);
void export_kit_free(export_kit *kit); /* and removes the folder */

/* A file in the folder; valid until the next call. */
const char *export_kit_path(export_kit *kit, const char *name);
/* An export of all to a file in the folder. */
weft_export_def export_kit_def(export_kit *kit, weft_export_format format, const char *name);

int32_t export_kit_nodes(const export_kit *kit, int32_t frame, int32_t cloth);
weft_vec3 export_kit_point(int32_t frame, int32_t cloth, int32_t node);
/* How many files the folder has, the cache not counted. */
int export_kit_count_files(const export_kit *kit);
/* All that the files should hold, as JSON, for scripts: truth.json in the folder. */
void export_kit_write_truth(export_kit *kit);

#endif
