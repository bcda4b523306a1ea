/* SPDX-License-Identifier: MIT */
/* The cache of a run, cache.weft: topologies, frames and restart points, one after the other, each with a check sum.
 * Part of libweft-io.
 *
 * A frame is complete once it is in the file; whatever happens then, it stays readable. Frames are numbered from 0, the
 * state before the first step, without gaps. Positions are stored without loss. docs/cache.md describes the bytes. */
#ifndef WEFT_IO_CACHE_H
#define WEFT_IO_CACHE_H

#include <weft/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What the points of a cloth are. It holds from one frame on, until the next one for the same cloth. */
typedef struct weft_topology {
    int32_t cloth;
    uint32_t revision;
    int32_t n_nodes;
    int32_t n_triangles;
    const int32_t *triangles; /* as drawn, 3 a triangle */
    /* Rest lengths of the sides from corner 0 to 1, 1 to 2, 2 to 0 of each triangle, m; 0 for a side that is drawn only
     * (the diagonal of a quad). NULL: unknown. */
    const double *rest_lengths;
    const uint8_t *levels; /* refinement level of each triangle; NULL: all 0 */
    /* Which faces have split (weft_cloth_get_shape), at most 256 MB; NULL: none. */
    const uint8_t *shape;
    size_t shape_size;
    /* The faces that people gave, for export: polygons. */
    int32_t n_faces;
    const int32_t *face_start; /* n_faces + 1 */
    const int32_t *corners;
    int32_t n_uv;
    const weft_vec2 *uv;      /* NULL: none */
    const int32_t *corner_uv; /* per corner, -1: none; NULL: none */
} weft_topology;

typedef struct weft_cache_def {
    size_t struct_size;
    double fps;
    int32_t n_cloths;
    const char *const *cloth_names;
    int32_t n_columns; /* statistics of a frame */
    const char *const *column_names;
    const char *scene; /* text of the scene as resolved */
    int32_t level;     /* zstd's; [1, 19]; 1 */
} weft_cache_def;

WEFT_API weft_cache_def weft_cache_def_default(void);

typedef struct weft_cache_writer weft_cache_writer;

/* WEFT_ERROR_EXISTS if there is such a file. */
WEFT_API weft_result weft_cache_create(const char *path, const weft_cache_def *def, weft_cache_writer **out,
                                       weft_error *error);
/* Opens a cache to go on after its frame `frame` (-1: from the start): frames and restart points behind it are dropped
 * (from the file, too). def may have another scene text; fps, cloths and columns must be the same. The topologies that
 * hold at that frame hold on; giving them again is fine. Nothing is dropped before all this was checked. */
WEFT_API weft_result weft_cache_reopen(const char *path, const weft_cache_def *def, int32_t frame,
                                       weft_cache_writer **out, weft_error *error);

/* Before the first frame that uses it. One that says the same as that of the frame before is not stored again. */
WEFT_API weft_result weft_cache_add_topology(weft_cache_writer *writer, const weft_topology *topology,
                                             weft_error *error);
/* Of a cloth in a frame. A pressure is stored rounded to 0.4 %. */
typedef struct weft_cache_contacts {
    const double *pressures; /* per node, Pa (weft_cloth_get_pressures); NULL: all 0 */
    const uint8_t *squeezed; /* per node, 1: colliders left it no room (weft_sim_get_squeezed); NULL: none */
} weft_cache_contacts;

typedef struct weft_cache_frame {
    double time;
    uint64_t hash;                       /* weft_sim_hash at that time */
    const double *columns;               /* n_columns */
    const weft_vec3 *const *positions;   /* per cloth, as many as its topology has nodes */
    const weft_cache_contacts *contacts; /* per cloth; NULL: nobody knows, and nothing is stored */
} weft_cache_frame;
/* After a failure (a full disk) the file ends with the last complete frame again, and the writer can only be closed. */
WEFT_API weft_result weft_cache_add_frame(weft_cache_writer *writer, const weft_cache_frame *frame, weft_error *error);
/* A snapshot of the state at the last frame added. */
WEFT_API weft_result weft_cache_add_restart(weft_cache_writer *writer, const void *bytes, size_t size,
                                            weft_error *error);
/* Writes the index. A cache that was not closed is as readable, opening takes a little longer. NULL is fine. */
WEFT_API weft_result weft_cache_close(weft_cache_writer *writer, weft_error *error);

typedef struct weft_cache weft_cache; /* for reading */

/* Reads a file that is being written, too. WEFT_ERROR_VERSION, WEFT_ERROR_CHECKSUM (a damaged head; damaged frames are
 * told when they are read), WEFT_ERROR_FORMAT (no cache at all). */
WEFT_API weft_result weft_cache_open(const char *path, weft_cache **out, weft_error *error);
WEFT_API void weft_cache_free(weft_cache *cache); /* NULL is fine */

typedef struct weft_cache_info {
    double fps;
    int32_t n_cloths;
    int32_t n_frames;
    int32_t n_restarts;
    int32_t n_columns;
    bool was_closed;        /* false: interrupted, or being written */
    bool torn;              /* the file ends with what no interrupted writer leaves: bytes were changed or lost */
    uint64_t lost_bytes;    /* behind the last complete part: a frame that was being written; of a torn file, all */
    uint64_t size;          /* of the file, bytes */
    uint64_t frame_bytes;   /* of its frames */
    uint64_t restart_bytes; /* of its restart points */
    const char *scene;      /* the last one; "" if its text is damaged */
} weft_cache_info;

WEFT_API weft_cache_info weft_cache_get_info(const weft_cache *cache);
WEFT_API const char *weft_cache_cloth_name(const weft_cache *cache, int32_t cloth);   /* NULL outside */
WEFT_API const char *weft_cache_column_name(const weft_cache *cache, int32_t column); /* NULL outside */

/* The topology of a cloth at a frame. It stays valid as long as the cache; equal pointers mean nothing changed. */
WEFT_API weft_result weft_cache_get_topology(weft_cache *cache, int32_t frame, int32_t cloth, const weft_topology **out,
                                             weft_error *error);
/* Any of the outputs may be NULL. columns has room for n_columns. */
WEFT_API weft_result weft_cache_read_head(weft_cache *cache, int32_t frame, double *time, uint64_t *hash,
                                          double *columns, weft_error *error);
WEFT_API weft_result weft_cache_read_positions(weft_cache *cache, int32_t frame, int32_t cloth, weft_vec3 *out,
                                               int32_t n, weft_error *error);
/* What a frame's writer has said of contacts; either of the outputs may be NULL. Where it has said nothing pressures
 * are NaN, and squeezed is 0. */
WEFT_API weft_result weft_cache_read_contacts(weft_cache *cache, int32_t frame, int32_t cloth, double *pressures,
                                              uint8_t *squeezed, int32_t n, weft_error *error);
/* The last restart point at or before a frame: *at is its frame, -1 if there is none. bytes NULL asks for the size.
 * *at is set also if that point turns out to be damaged: one before *at may be whole. */
WEFT_API weft_result weft_cache_read_restart(weft_cache *cache, int32_t frame, int32_t *at, void *bytes, size_t *size,
                                             weft_error *error);

/* The text of the scene that made a frame, to be given back to weft_text_free; *first is the first frame that it
 * made. */
WEFT_API weft_result weft_cache_read_scene(weft_cache *cache, int32_t frame, int32_t *first, char **out,
                                           weft_error *error);

typedef struct weft_cache_damage {
    bool found;
    int32_t n_frames; /* that can be kept: they and their restart points come before the damage */
    weft_error what;  /* the first part that is damaged */
} weft_cache_damage;

/* Reads the whole file: every part must be what was written. Fails only for lack of memory; all else, also what the
 * disk cannot read, is damage. weft_cache_reopen after a frame that can be kept drops it. */
WEFT_API weft_result weft_cache_check(weft_cache *cache, weft_cache_damage *out, weft_error *error);

#ifdef __cplusplus
}
#endif
#endif
