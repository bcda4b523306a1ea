/* SPDX-License-Identifier: MIT */
/* What the readers of patterns in JSON share: values with messages that say where. */
#ifndef WEFT_IO_PATTERN_PATTERN_TREE_H
#define WEFT_IO_PATTERN_PATTERN_TREE_H

#include "io/scene/yaml_tree.h"

#include <weft/io/pattern.h>

typedef struct pattern_reader {
    scene_arena arena;
    tree_source source;
    weft_error *error;
    weft_pattern *pattern;
} pattern_reader;

/* "file:line:column: …", WEFT_ERROR_FORMAT. */
weft_result pattern_fault(const pattern_reader *r, const tree_node *at, const char *format, ...);
/* What the core said, with the place in front. */
weft_result pattern_pass_on(const pattern_reader *r, const tree_node *at, weft_result result);
weft_result pattern_memory(const pattern_reader *r);

/* The value of a key that must be there, of a kind; `what` names it in messages. */
weft_result pattern_need(const pattern_reader *r, const tree_node *map, const char *key, tree_kind kind,
                         const tree_node **out);
weft_result pattern_number(const pattern_reader *r, const tree_node *n, double *out);
weft_result pattern_integer(const pattern_reader *r, const tree_node *n, int32_t *out);
weft_result pattern_numbers(const pattern_reader *r, const tree_node *list, double *out, int32_t n);
weft_result pattern_text(const pattern_reader *r, const tree_node *map, const char *key, const char **out);
/* Lists of two numbers. */
weft_result pattern_point(const pattern_reader *r, const tree_node *n, weft_vec2 *out);
weft_result pattern_points(pattern_reader *r, const tree_node *list, weft_vec2 **out);

/* The readers: fill r->pattern from the root of a file. */
weft_result pattern_outline_read(pattern_reader *r, const tree_node *root);
weft_result pattern_garmentcode_read(pattern_reader *r, const tree_node *root);
weft_result pattern_dxf_parse(weft_pattern *pattern, const char *name, const char *bytes, size_t size,
                              weft_error *error);

#endif
