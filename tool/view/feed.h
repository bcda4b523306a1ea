/* SPDX-License-Identifier: MIT */
/* What a page of `weft view` is sent: packets of a stream (player/clip_stream.c), one at a time, of a run that may
 * still be going or of a mesh with what an audit finds in it. */
#ifndef TOOL_VIEW_FEED_H
#define TOOL_VIEW_FEED_H

#include "page.h"

#include <weft/io.h>

typedef struct feed_def {
    const char *path;           /* of a run, or a mesh */
    const char *const *against; /* meshes that stand still, for a mesh */
    int32_t n_against;
    int32_t n_threads;
    double budget; /* bytes of all frames, about: of more every second one is left out, again and again */
} feed_def;

/* What is shown, and all pages share. */
typedef struct feed_source feed_source;
/* Reads it once, so that what is wrong is said before anyone looks. The def must outlive it. */
weft_result feed_source_open(const feed_def *def, feed_source **out, weft_error *error);
void feed_source_close(feed_source *s); /* NULL is fine */
/* For the title of the page. */
const char *feed_source_name(const feed_source *s);
/* A line for the terminal. */
const char *feed_source_about(const feed_source *s);

/* For one page. */
typedef struct feed feed;
typedef enum feed_state {
    FEED_MORE, /* ask again; what there is was added, which may be nothing */
    FEED_WAIT, /* nothing new yet */
    FEED_END,  /* nothing will come */
    FEED_LOST  /* the run can no longer be read, or out of memory */
} feed_state;

feed *feed_open(const feed_source *s); /* NULL: out of memory, or the run can no longer be read */
void feed_close(feed *f);
feed_state feed_next(feed *f, page *out);

#endif
