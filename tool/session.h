/* SPDX-License-Identifier: MIT */
/* A run in the making: a simulation, and the folder that gets its frames.
 *
 *     create → start or resume → run → close
 *
 * Create looks at the scene only; nothing on the disk changes before start or resume have found all in order. What is
 * in the cache is never worth less after a failure than before. */
#ifndef TOOL_SESSION_H
#define TOOL_SESSION_H

#include "progress.h"
#include "run_folder.h"
#include "stats.h"
#include "subject.h"
#include "warnings.h"

#include <stdio.h>

typedef struct session {
    const weft_scene *scene;
    run_folder *folder;
    progress *progress;
    weft_stage *stage;
    weft_cache_writer *writer;
    char *resolved; /* the scene with all defaults */
    FILE *stats;
    int32_t n_cloths, n_threads;
    int32_t n_columns;      /* of statistics: all, or those that a cache of an older program has */
    weft_cloth_info *infos; /* per cloth, as last stored */
    weft_vec3 **positions;  /* per cloth */
    weft_vec3 *all_positions;
    int32_t frame;         /* the last one stored */
    int32_t first_frame;   /* from which this session goes on */
    int32_t n_stored;      /* frames that the cache had when it was opened */
    int32_t had_frames;    /* that a damaged cache had, and shall have again; 0: none */
    int32_t restart_frame; /* of the last restart point; -1: none */
    uint64_t hash;         /* at `frame` */
    double seconds;        /* of wall time in run */
    double seconds_storing, seconds_stored;
    warnings warnings; /* of the log; those of frames are in their numbers */
    bool audit;        /* every frame */
    subject subject;   /* of the audit */
    uint32_t *audited; /* per cloth, the revision that the subject has */
} session;

typedef enum session_end { SESSION_COMPLETE, SESSION_INTERRUPTED, SESSION_FAILED } session_end;

/* n_threads -1: as the scene says; 0: one a core. */
weft_result session_create(const weft_scene *scene, int32_t n_threads, run_folder *folder, progress *p, session *out,
                           weft_error *error);
/* A new cache with frame 0. */
weft_result session_start(session *s, weft_error *error);
/* Goes on with the cache in the folder, after its frame `from`; -1: after its last restart point. Where there is no
 * restart point at `from`, the frames since the one before are computed again by the scene in the cache. A cache
 * without any restart point is started anew. All of the cache is read first: what is damaged is said, and dropped with
 * what is behind it, unless `from` is behind it or the scene is not the one that made it. */
weft_result session_resume(session *s, int32_t from, weft_error *error);
/* Up to the frame `last`, or a signal. */
session_end session_run(session *s, int32_t last, weft_error *error);
/* Ends the cache with its index. After a failure elsewhere, error may be NULL. */
weft_result session_close(session *s, weft_error *error);
void session_free(session *s);

/* For session_start and session_resume: the parts they share. */
/* Room for the meshes as they are now, in place of what there was. */
weft_result session_make_buffers(session *s, weft_error *error);
weft_cache_def session_cache_def(const session *s, const char **names);
weft_result session_write_scene(session *s, weft_error *error);
weft_result session_open_stats(session *s, const page *rows, weft_error *error);
weft_result session_add_restart(session *s, weft_error *error);
/* The exact audit of the simulation as it is now, into the columns; nothing if it is not wanted. */
weft_result session_audit(session *s, double *columns, weft_error *error);
void session_audit_free(session *s);
weft_result session_fault(weft_error *error, weft_result code, const char *format, ...) PAGE_FORMAT(3, 4);

#endif
