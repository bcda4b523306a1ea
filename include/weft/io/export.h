/* SPDX-License-Identifier: MIT */
/* Runs as files for other programs. Part of libweft-io. */
#ifndef WEFT_IO_EXPORT_H
#define WEFT_IO_EXPORT_H

#include <weft/io/cache.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum weft_export_format {
    WEFT_EXPORT_OBJ = 0,  /* a numbered file a frame: text, 17 digits, polygons, uv */
    WEFT_EXPORT_PLY = 1,  /* a numbered file a frame: binary doubles, polygons */
    WEFT_EXPORT_PC2 = 2,  /* one file of floats, and an OBJ of the first frame beside it to apply it to */
    WEFT_EXPORT_MDD = 3,  /* likewise */
    WEFT_EXPORT_GLB = 4,  /* triangles, a morph target a frame, floats */
    WEFT_EXPORT_USDA = 5, /* text, polygons, time samples, 17 digits */
    WEFT_EXPORT_NPZ = 6   /* vertices_seq, faces, vertices_uv, faces_uv, fps */
} weft_export_format;

typedef enum weft_axes {
    WEFT_AXES_Y_UP = 0, /* as simulated */
    WEFT_AXES_Z_UP = 1  /* (x, −z, y): Blender, CAD */
} weft_axes;

typedef struct weft_export_def {
    size_t struct_size;
    weft_export_format format;
    const char *path;  /* of the file; a sequence puts the frame's number (4 digits or more) before the ending */
    int32_t cloth;     /* [-1, n_cloths); -1: all; formats of one mesh (PC2, MDD, NPZ) join them in order */
    int32_t from, to;  /* frames, both included; to −1: the last */
    int32_t every;     /* every n-th frame; [1, 1000000]; 1 */
    weft_axes axes;    /* y up */
    double scale;      /* file units a metre; (0, 1e9]; 1. 100: centimetres */
    double fps;        /* frames a second the file claims; 0: the run's over `every` */
    bool force;        /* overwrite what exists; false */
    bool as_triangles; /* triangles as drawn in place of polygons; GLB always; false */
    /* Called after each frame, if not NULL; false stops, leaving no half file. */
    bool (*progress)(void *user, int32_t done, int32_t n);
    void *progress_user;
} weft_export_def;

typedef struct weft_export_result {
    int32_t n_files;
    int32_t n_frames;
    char first[1024], last[1024]; /* names of the first and the last file written */
    char note[512];               /* what the format could not hold, for people; mostly "" */
} weft_export_result;

WEFT_API weft_export_def weft_export_def_default(void);
WEFT_API int32_t weft_export_format_count(void);
WEFT_API const char *weft_export_format_name(int32_t format);  /* "obj" …; NULL outside */
WEFT_API const char *weft_export_format_about(int32_t format); /* a line for people; NULL outside */
/* A format of one topology refuses a run whose topology changes. result may be NULL. WEFT_ERROR_CANCELLED: progress
 * said so. */
WEFT_API weft_result weft_export(weft_cache *cache, const weft_export_def *def, weft_export_result *result,
                                 weft_error *error);

#ifdef __cplusplus
}
#endif
#endif
