/* SPDX-License-Identifier: MIT */
/* What `weft info` finds out: facts with names, printed as lines for people or as one JSON object. */
#ifndef TOOL_FACTS_H
#define TOOL_FACTS_H

#include "page.h"
#include "warnings.h"

#include <weft/io.h>
#include <weft/io/pattern.h>

typedef struct facts {
    bool json;
    page text;
    int depth; /* JSON: of nesting */
    bool first;
    warnings warnings; /* told at the end: on the standard error, in JSON a list of texts */
} facts;

facts facts_begin(bool json);
/* Ends the object, prints all and frees. */
void facts_print(facts *f);
/* The warnings alone, where the facts end with an error. */
void facts_warn(const facts *f);

/* `key` is for programs, `name` for people. */
void facts_text(facts *f, const char *key, const char *name, const char *value);
void facts_number(facts *f, const char *key, const char *name, double value, const char *unit);
void facts_bool(facts *f, const char *key, const char *name, bool value);
/* The box of points, gathered, and both of its corners told; nothing of no points. */
typedef struct facts_box {
    double low[3], high[3];
} facts_box;
facts_box facts_box_none(void);
void facts_box_add(facts_box *box, const weft_vec3 *points, int32_t n);
void facts_bounds(facts *f, const facts_box *box);
/* A part of its own: people see "name" as a heading, JSON an object in a list. */
void facts_open_list(facts *f, const char *key);
void facts_open_item(facts *f, const char *kind, const char *name);
void facts_close_item(facts *f);
void facts_close_list(facts *f);

/* What is told of each kind of file; error texts name the file. */
weft_result facts_of_scene(facts *f, const char *path, weft_error *error);
weft_result facts_of_mesh(facts *f, const char *path, weft_error *error);
weft_result facts_of_pattern(facts *f, const char *path, weft_error *error);
/* garment NULL: the pattern alone. */
void facts_add_pattern(facts *f, const weft_pattern *pattern, const weft_garment *garment);
weft_result facts_of_motion(facts *f, const char *path, weft_error *error);
/* check: every position of every frame and every restart point is read. */
weft_result facts_of_run(facts *f, const char *path, bool check, weft_error *error);

#endif
