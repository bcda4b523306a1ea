/* SPDX-License-Identifier: MIT */
/* What a clip holds; for clip.c and clip_pack.c. */
#ifndef TOOL_PLAYER_CLIP_INSIDE_H
#define TOOL_PLAYER_CLIP_INSIDE_H

#include "player/clip.h"

/* A topology of a part, thinned already. */
typedef struct clip_form {
    int32_t n_nodes, n_triangles; /* in the clip */
    int32_t n_given;              /* nodes that points are given for */
    int32_t *kept;                /* node of the given mesh for each; NULL: all */
    int32_t *triangles;
    uint8_t *marks; /* per triangle: level << 3 | lines */
    float *rest;    /* NULL: unknown */
    float *uv;      /* NULL: unknown */
    bool is_told;   /* of a stream: its record has been written */
} clip_form;

/* A part in a frame. */
typedef struct clip_pose {
    int32_t form;  /* -1: not there */
    float *points; /* 3 each; shared with the frame before where `same` */
    bool same;
    uint8_t *blame;   /* per triangle; NULL: none */
    uint8_t *pressed; /* per node, clip_pressure_number; NULL: unknown */
} clip_pose;

typedef struct clip_frame {
    int32_t number;
    double time;
    clip_pose *poses;      /* per part */
    picture_solid *solids; /* per solid */
    float *lines;          /* points of all lines, 3 each */
    int32_t *ends;         /* per line: behind its last point; negative: closed */
    int32_t *contours;     /* per line: its contour */
    int32_t n_lines, n_points;
    bool lines_left; /* more lines than are shown */
} clip_frame;

typedef struct clip_piece {
    char *name;
    bool is_collider;
    picture_color front, back;
    int32_t form; /* that holds now; -1: none */
} clip_piece;

struct clip {
    char *title;
    double fps;
    clip_piece *parts;
    int32_t n_parts;
    char **solid_names;
    picture_solid *solids;
    int32_t n_solids;
    clip_form *forms;
    int32_t n_forms;
    clip_frame *frames;
    int32_t n_frames, frame_capacity;
    int32_t stride, n_given; /* frames are kept each `stride` of those given */
    size_t bytes;            /* of all points */
    bool has_ground;
    double ground, stretch;
    int32_t max_level;
    page notes;                /* JSON texts, comma before each but the first */
    const char *const *states; /* names of frames; NULL: they are moments */
    bool is_stream;
    page packet;    /* of a stream: records of the frame */
    size_t n_noted; /* of a stream: bytes of the notes that have been told */
};

/* Records as clip_pack.c describes them; numbers with the least byte first. */
void clip_put_record(page *p, int kind, int32_t part, int flags);
void clip_put_u32(page *p, uint32_t value);
void clip_put_float(page *p, float value);
/* Contours, and triangles to blame. */
void clip_put_faults(const clip *c, page *p, int32_t frame, const clip_frame *f);
/* 0: none; k: so many factors of CLIP_PRESSURE_FACTOR above CLIP_LEAST_PRESSURE, less 1. */
uint8_t clip_pressure_number(double pressure);
void clip_put_pose(page *p, const picture_solid *s);

/* What a stream writes for a part that has got its points. */
void clip_stream_points(clip *c, int32_t part, const weft_vec3 *points);
void clip_stream_pressures(clip *c, int32_t part, const double *pressures);
/* How many triangles of a part, and points of lines in a frame, are shown at most. */
int32_t clip_most_triangles(const clip *c);
int32_t clip_most_points(const clip *c);

/* Puts nodes of a cell together until no more than so many triangles are left; points are those of the given mesh.
 * False: out of memory. */
bool clip_thin(clip_form *form, const weft_vec3 *points, int32_t most);

/* What is told beside the chunks, as JSON: parts, solids, and of every so many frames the number, time and poses. */
void clip_put_head(const clip *c, int32_t every, const double origin[3], const clip_summary *s, page *p);

#endif
