/* SPDX-License-Identifier: MIT */
/* report.html of a run: what it did. */
#ifndef TOOL_RUN_REPORT_H
#define TOOL_RUN_REPORT_H

#include "page.h"
#include "player/clip.h"
#include "stats.h"
#include "warnings.h"

#include <weft/io.h>

typedef struct run_report_def {
    const char *name;        /* of the scene */
    const char *folder;      /* of the run, for the commands */
    const weft_scene *scene; /* or NULL */
    weft_cache *cache;
    const stats_table *table;
    const warnings *warnings;    /* NULL: none */
    const page *preview, *sheet; /* PNG files; empty: none */
    clip *clip;                  /* for the player; NULL: none */
    size_t clip_budget;          /* bytes; 0: the default */
    clip_summary *clip_summary;  /* filled in */
} run_report_def;

weft_result run_report_make(const run_report_def *def, page *html, weft_error *error);

#endif
