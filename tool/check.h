/* SPDX-License-Identifier: MIT */
/* `weft check`: the exact audit of a mesh, a motion or a run, moment by moment, and what is told of it. */
#ifndef TOOL_CHECK_H
#define TOOL_CHECK_H

#include "args.h"
#include "marks.h"
#include "page.h"
#include "progress.h"
#include "subject.h"

typedef struct check_options {
    const char *path, *mesh, *out;
    args_list against;
    args_range frames;
    int32_t every, threads;
    double fps;
    bool json, quiet, pairs, force;
} check_options;

/* A check on its way. */
typedef struct check {
    const check_options *o;
    progress progress;
    const char *kind; /* "mesh", "motion", "sequence" or "run" */
    page moments;     /* JSON: objects so far; else lines */
    int32_t n_moments, n_bad, first_bad, worst;
    int64_t worst_faults;
    int32_t n_triangles;  /* of the last moment */
    int64_t n_tested;     /* in all */
    int32_t n_degenerate; /* most of any moment */
    int32_t n_told;       /* lines of bad moments */
    bool has_frames;      /* of more than one moment */
    bool torn;            /* frames that were to be judged are lost */
    evidence evidence;    /* of the worst moment */
    page contours;        /* text of the worst moment */
} check;

/* A moment to judge: the subject's nodes are in place. */
typedef struct check_moment {
    subject *subject;
    const int32_t *faces;    /* of the first object's triangles, the polygon each is of; NULL: none */
    const int32_t *lines;    /* of polygons, the line in the file; NULL: unknown */
    const weft_scene *scene; /* of analytic colliders; or NULL */
    int32_t frame;
    double time;
} check_moment;

/* Judges it and tells of it. */
weft_result check_judge(check *c, const check_moment *m, weft_error *error);
/* Whether a frame is asked for, of n. */
bool check_wants(const check *c, int32_t frame, int32_t n);

/* All moments of a file or a run. WEFT_ERROR_CANCELLED: a signal came. */
weft_result check_mesh(check *c, const char *path, weft_error *error);
weft_result check_motion(check *c, const char *path, weft_error *error);
weft_result check_run(check *c, const char *path, weft_error *error);

/* Prints what was found; picture is the path of one, or NULL. */
void check_tell(const check *c, const char *picture);
void check_free(check *c);

#endif
