/* SPDX-License-Identifier: MIT */
/* A clip: the frames of a run, or a mesh, as the player in reports has them (web/src/codec.js reads what is made here).
 *
 * Parts (cloths and meshes of colliders) and frames are given one after the other and kept as floats. clip_pack then
 * rounds all positions to one grid, writes differences in time as planes of bytes, and deflates them. If that is more
 * than the budget, the grid gets coarser, up to CLIP_WORST_ERROR, and then every other frame is left out, again and
 * again; the head says so. Analytic colliders are told by their measures and poses, and drawn by the player itself. */
#ifndef TOOL_PLAYER_CLIP_H
#define TOOL_PLAYER_CLIP_H

#include "page.h"
#include "render/picture.h"

#include <weft/base.h>

typedef struct clip clip;

typedef struct clip_part {
    const char *name;
    bool is_collider;
    picture_color front, back;
} clip_part;

/* What the points of a part are. Arrays are copied. */
typedef struct clip_mesh {
    int32_t n_nodes, n_triangles;
    const int32_t *triangles;
    const uint8_t *levels; /* per triangle; NULL: all 0 */
    const uint8_t *lines;  /* per triangle, bit k: the side from corner k is drawn; NULL: all */
    const double *rest;    /* 3 a triangle, m; 0: none; NULL: unknown */
    const weft_vec2 *uv;   /* per node, m; warp and weft; NULL: unknown */
} clip_mesh;

clip *clip_new(const char *title, double fps); /* NULL: out of memory */
/* A clip that keeps nothing but the frame it is at, and writes it in full precision: for a page that is open and reads
 * on (clip_stream.c). */
clip *clip_new_stream(const char *title, double fps);
void clip_free(clip *c);
/* Its number, or -1: out of memory. */
int32_t clip_add_part(clip *c, const clip_part *part);
/* An analytic collider; its pose comes with each frame. */
int32_t clip_add_solid(clip *c, const char *name, const picture_solid *solid);
/* Height of the ground, m. Without it none is drawn. */
void clip_set_ground(clip *c, double height);
/* Frames that are no moments of a motion, but states such as "before" and "after". Names are literals, with an end of
 * NULL. */
void clip_set_states(clip *c, const char *const *names);
/* A line for the reader: what could not be shown. */
void clip_add_note(clip *c, const char *format, ...) PAGE_FORMAT(2, 3);
/* The stretch that is drawn red, and the levels there are. */
void clip_set_scales(clip *c, double stretch, int32_t max_level);

/* Frames come in order. Each part has to have a mesh before its first points. */
bool clip_begin_frame(clip *c, int32_t number, double time);
bool clip_set_mesh(clip *c, int32_t part, const clip_mesh *mesh);
bool clip_set_points(clip *c, int32_t part, const weft_vec3 *points);
void clip_set_pose(clip *c, int32_t solid, const picture_solid *pose);
/* What triangles are shown for, as colours. */
enum { CLIP_INTERSECTS = 1, CLIP_TOO_NEAR = 2, CLIP_SQUEEZED = 3 };
/* Of the frame: a line where surfaces intersect, and what triangles of a part are to blame for. */
bool clip_add_line(clip *c, const weft_vec3 *points, int64_t n, bool closed, int32_t contour);
bool clip_add_blame(clip *c, int32_t part, const uint8_t *blame, int32_t n);
/* Triangles with such a node, and nothing else to blame for, had no room. */
bool clip_add_squeezed(clip *c, int32_t part, const uint8_t *squeezed);
/* What contacts press on the part's nodes, Pa, as they were given; after its points. Where it is not told nobody knows.
 * A page has it to 7 %, a stream as a float. */
bool clip_set_pressures(clip *c, int32_t part, const double *pressures);

typedef struct clip_summary {
    int32_t n_frames, n_given; /* that are in it; that were given */
    double step, worst_error;  /* m; the error is the largest distance of a point from where it should be */
    size_t size;               /* bytes in the page, base64 */
} clip_summary;

/* head: JSON; chunks: each base64 of deflated records, one after the other, each ended by '\n'. budget: bytes of
 * all, 0: CLIP_BUDGET. Fails for lack of memory only. */
bool clip_pack(clip *c, size_t budget, page *head, page *chunks, clip_summary *summary);
/* Of a stream: a packet with its parts and solids, once these are all there; and one with the frame that it is at.
 * Adds to *out. False: out of memory. */
bool clip_stream_head(const clip *c, page *out);
bool clip_stream_frame(clip *c, page *out);
/* The last packet: of how many frames there were, those it has are all that come. */
bool clip_stream_end(const clip *c, int32_t n_given, page *out);
/* That more frames will come, when they have been computed: so many in all. */
bool clip_stream_wait(int32_t n_expected, page *out);
/* Frames it was given. */
int32_t clip_n_frames(const clip *c);

#endif
