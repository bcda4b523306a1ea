/* SPDX-License-Identifier: MIT */
/* Warnings of a simulation, gathered to be told once each: what, how often, when first and when last. They come from
 * the library's log, from results of steps, and of a run from the numbers of its frames, which are there after an
 * interruption too. */
#ifndef TOOL_WARNINGS_H
#define TOOL_WARNINGS_H

#include "progress.h"
#include "report/record.h"
#include "stats.h"

typedef struct warning {
    char kind[256]; /* the text without its numbers: what is the same but for them is told once */
    char text[512]; /* as it was said first */
    const char *unit;
    int32_t n; /* of the unit; 0: it has no time */
    double first, last;
    bool is_told;
    bool is_wrong; /* the result is not what it should be: decides the exit code */
} warning;

enum { WARNINGS_MOST = 24 };

typedef struct warnings {
    warning items[WARNINGS_MOST]; /* kinds beyond these are counted */
    int32_t n, n_more;
    int32_t n_frames;        /* of the table … */
    int32_t n_audited;       /* … of them were audited … */
    int32_t n_faulty;        /* … and those in which something was found */
    int32_t n_stretched;     /* and those in which cloth was stretched far beyond its limit */
    const weft_scene *scene; /* names for indices in the log's texts; NULL: as they are */
    bool by_frames;          /* a table of frames will be added: the log's texts about the same are left out */
} warnings;

/* A weft_log_fn; user is the warnings. Takes warnings only. */
void warnings_log(void *user, weft_log_level level, const char *text);
/* A positive result that the library logs no text for. */
void warnings_add_result(warnings *w, weft_result result, double time);
/* A cloth in a closed mesh; once, whether or not the log has told it. */
void warnings_add_enclosed(warnings *w, const char *cloth, const char *collider, double time);
/* Of all frames, whoever computed them. */
void warnings_add_table(warnings *w, const stats_table *table);
/* If not all frames of the table were audited, which leaves the result open. folder: as a shell takes it. */
void warnings_add_unaudited(warnings *w, const char *folder);
/* What is known without a simulation. */
void warnings_add_plain(warnings *w, const char *format, ...) PAGE_FORMAT(2, 3);
/* Adds those of another list, with what is told of them. */
void warnings_take(warnings *w, const warnings *from);
bool warnings_are_wrong(const warnings *w);

/* To a terminal, or as events: those that have not been told yet. */
void warnings_tell(warnings *w, progress *p);
/* The list `warning` of a report: text, times; `wrong` is a flag. */
void warnings_set(const warnings *w, record *to);

#endif
