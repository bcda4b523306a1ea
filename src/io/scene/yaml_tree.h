/* SPDX-License-Identifier: MIT */
/* YAML (and with it JSON) as a tree whose nodes know where they stand in the file.
 *
 * Anchors are followed by copying, merge keys (<<) are merged, the same key twice is an error. What a file can ask for
 * is bounded: bytes, values, depth, keys a map, values copied by aliases. */
#ifndef WEFT_IO_SCENE_YAML_TREE_H
#define WEFT_IO_SCENE_YAML_TREE_H

#include "io/fault.h"
#include "io/scene/scene_arena.h"

typedef enum tree_kind { TREE_SCALAR, TREE_LIST, TREE_MAP } tree_kind;

/* Where something was written: line and column from 1 in the file, or `set`, the number of a --set, from 1. */
typedef struct tree_mark {
    int32_t line, column, set;
} tree_mark;

typedef struct tree_node {
    tree_kind kind;
    tree_mark mark;
    bool is_plain;    /* a scalar without quotes */
    const char *text; /* of a scalar */
    int32_t height;   /* levels below it */
    int32_t n;        /* items of a list, pairs of a map */
    struct tree_node **keys;
    struct tree_node **items;
} tree_node;

/* What messages begin with. */
typedef struct tree_source {
    const char *name;
    const char *const *sets;
    int32_t n_sets;
} tree_source;

/* "file:line:column: …", or "--set path=value: …". */
weft_result tree_fault(const tree_source *s, tree_mark mark, weft_error *e, weft_result code, const char *format, ...);

/* All of a file (set 0), or the value of a --set. NULL: nothing but comments. */
weft_result tree_parse(scene_arena *a, const tree_source *s, int32_t set, const void *bytes, size_t size,
                       tree_node **out, weft_error *e);

/* A plain scalar that is empty, ~ or null. */
bool tree_is_null(const tree_node *n);
/* The value of a key, or NULL. */
tree_node *tree_find(const tree_node *map, const char *key);
/* Puts a value at the end of a list or, with a key, into a map; false: out of memory. */
bool tree_add(scene_arena *a, tree_node *to, tree_node *key, tree_node *value);
tree_node *tree_make(scene_arena *a, tree_kind kind, tree_mark mark);

/* Changes a tree as a text "path=value" says, the set-th (from 1) of the source. */
weft_result tree_set(scene_arena *a, const tree_source *s, int32_t set, tree_node **root, weft_error *e);

/* A text for a message: in quotes, cut if it is long, without control characters. */
enum { TREE_SHOWN = 100 };
const char *tree_quote(const char *text, char out[TREE_SHOWN]);
/* What a node is: a number as written, 'a text', nothing, a list of 3, an object. */
const char *tree_show(const tree_node *n, char out[TREE_SHOWN]);

#endif
