/* SPDX-License-Identifier: MIT */
/* `weft check`: the exact audit of a mesh, a motion or a run, moment by moment, and what is told of it. */
#ifndef TOOL_CHECK_H
#define TOOL_CHECK_H

#include "args.h"
#include "marks.h"
#include "page.h"
#include "player/subject_clip.h"
#include "progress.h"
#include "report/record.h"
#include "subject.h"

typedef struct check_options {
    const char *path, *mesh, *out, *report;
    args_list against;
    args_range frames;
    int32_t every, threads;
    double fps, player_mb;
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
    bool torn;            /* frames that were to be judged are lost … */
    int32_t n_lost;       /* … and so many of them are there, but damaged */
    evidence evidence;    /* of the worst moment */
    page contours;        /* text of the worst moment */
    subject_clip clip;    /* of the report's player; clip.c NULL: none is wanted */
    record *bad_moments;  /* of the report; NULL: none is wanted */
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

/* What the report needs is gathered from now on. False: out of memory. */
bool check_begin_report(check *c);
/* Gathers what the report has of a moment. False: out of memory. */
bool check_note(check *c, const check_moment *m, const weft_audit_found *found);
/* Writes it. */
weft_result check_write_report(check *c, weft_error *error);

/* Prints what was found; picture is the path of one, or NULL. */
void check_tell(const check *c, const char *picture);
void check_free(check *c);

#endif
