/* SPDX-License-Identifier: MIT */
/* How far a run is, for a person at a terminal (one line that changes), for a log (a line a second) or for a program
 * (JSON lines on stdout). Writes that fail are of no matter: the run goes on. */
#ifndef TOOL_PROGRESS_H
#define TOOL_PROGRESS_H

#include "page.h"

#include <weft/io.h>

typedef enum progress_style { PROGRESS_TERMINAL, PROGRESS_LINES, PROGRESS_JSON, PROGRESS_QUIET } progress_style;

typedef struct progress {
    progress_style style;
    int32_t last;         /* frame */
    double frame_seconds; /* a mean that follows, 0: not known yet */
    double said_at;       /* s: when the last line was printed */
    bool line_is_open;    /* a line on the terminal that will be written over */
} progress;

/* What the progress of a frame is. */
typedef struct progress_frame {
    int32_t frame;
    double seconds; /* of wall time, with storing */
    weft_result result;
    uint64_t hash;
    const weft_step_stats *stats;
    double pairs, too_near; /* of the audit; NaN: there was none */
} progress_frame;

/* Seconds on a clock that does not jump. */
double progress_now(void);
/* JSON, quiet, or else by what stderr is. */
progress_style progress_choose(bool json, bool quiet);
/* Frames first + 1 … last will be done. */
progress progress_begin(progress_style style, int32_t last);
void progress_show_frame(progress *p, const progress_frame *frame);
/* A bar alone, for pictures and exports: "done of n things". */
void progress_show_count(progress *p, const char *what, int32_t done, int32_t n);
/* A line for people on stderr; nothing in JSON. */
void progress_say(progress *p, const char *format, ...) PAGE_FORMAT(2, 3);
void progress_warn(progress *p, const char *format, ...) PAGE_FORMAT(2, 3);
/* "weft: …" on stderr, and the event. Returns EXIT_WRONG. */
int progress_fail(progress *p, const char *format, ...) PAGE_FORMAT(2, 3);
/* One event, if the style is JSON: fields like "\"a\":1,\"b\":2". */
void progress_event(const progress *p, const char *event, const page *fields);
/* Ends the line that is open. */
void progress_end_line(progress *p);

/* "8 s", "3:05", "1:02:03", "2 d 3 h"; "?" if it is not known (negative or not finite). */
void progress_format_time(double seconds, char *out, size_t room);
/* "12 ms", "1.25 s". */
void progress_format_short(double seconds, char *out, size_t room);

#endif
