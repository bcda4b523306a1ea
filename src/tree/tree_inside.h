/* SPDX-License-Identifier: MIT */
/* What the files of src/tree share.
 *
 * Triangles stand in tree order: a zone's triangles are a range, and "which zone is this triangle in" is two
 * comparisons. Zones stand by depth, the root first, children of a zone in a row. Side k of a triangle runs from its
 * corner k to the next; side 3 · ti + k of all triangles is a half-edge, and `twin` the half-edge of the neighbour that
 * runs the other way, or -1: a border, or an edge that is not of exactly two triangles in opposite directions. */
#ifndef WEFT_TREE_TREE_INSIDE_H
#define WEFT_TREE_TREE_INSIDE_H

#include "tree/tree.h"

enum {
    TREE_LEAF = 4,     /* a zone of so many triangles or fewer is not divided */
    TREE_BLOCK = 2048, /* pairs that a task takes at once */
    TREE_MOST_TASKS = 1024,
};

typedef struct zone {
    int32_t first_child, n_children; /* n_children 0: a leaf */
    int32_t first, n;                /* triangles */
    int32_t depth;
    int32_t object; /* -1: of several */
    bool fixed;     /* all of it */
} zone;

typedef struct tree_pair {
    int32_t a, b;
} tree_pair;

/* A list of pairs that grows by blocks out of a common store, so that no task asks for memory. */
typedef struct pair_store {
    tree_pair *pairs;    /* n_blocks · TREE_BLOCK */
    int32_t *next;       /* of each block in its list; -1: the last */
    int32_t n_blocks;    /* there are */
    int64_t n_wanted;    /* blocks asked for in this walk, those that were not there included */
    tree_pair *all;      /* the lists one after the other */
    int64_t capacity, n; /* of all */
} pair_store;

typedef struct pair_list {
    int32_t first, last; /* blocks; -1: none */
    int32_t n_in_last;   /* pairs */
    int64_t n;           /* pairs, those without room included */
} pair_list;

typedef struct task {
    int32_t a, b;  /* zones; b -1: within a */
    bool adjacent; /* a and b may have a common vertex */
    pair_list lists[2];
    int64_t start[2]; /* place of its pairs among all */
    tree_counters counters;
} task;

struct tree {
    mem *mem;
    int32_t n_nodes, n_triangles, n_edges, n_zones, depth, n_objects;

    /* by triangle, in tree order */
    int32_t *id;          /* number that the user knows it by */
    int32_t (*node)[3];   /* the user's nodes */
    int32_t (*common)[3]; /* their `same` */
    int32_t (*edge)[3];   /* unique edges */
    int32_t (*twin)[3];
    uint8_t *owns; /* bits 0 to 2: vertices, 3 to 5: edges */
    box *triangle_box;

    tree_edge *edges;
    box *node_box;
    zone *zones;
    box *zone_box;
    int32_t *depth_start; /* depth + 1: zones of depth i are [depth_start[i], depth_start[i + 1]) */

    /* of the last refit */
    const vec3 *x0, *x1;
    double inflate;
    float slack;
    bool fitted;

    pair_store stores[2];
    task *tasks, *spare_tasks;
    int32_t n_tasks;
};

/* Half-edges and edges of triangles as the user numbers them. */
typedef struct sides {
    int32_t n_edges;
    tree_edge *edges;
    int32_t (*edge)[3];
    int32_t (*twin)[3];
    uint8_t *owns;
} sides;

bool tree_sides_create(sides *s, mem *m, const tree_input *in);
void tree_sides_destroy(sides *s, mem *m, int32_t n_triangles);

/* The tree as a parent per thing: triangles first, then zones; the last is the root. */
typedef struct draft {
    int32_t n, capacity;
    int32_t *parent; /* -1: the root, or not joined yet */
} draft;

bool draft_create(draft *d, mem *m, const tree_input *in, const sides *s);
void draft_destroy(draft *d, mem *m);

bool tree_lay_out(tree *t, const tree_input *in, const sides *s, const draft *d);

/* Whether half-edges' triangles lie in a zone. */
static inline bool zone_has(const zone *z, int32_t ti)
{
    return ti >= z->first && ti < z->first + z->n;
}

static inline int32_t common_of(const tree_input *in, int32_t vi)
{
    return in->same ? in->same[vi] : vi;
}

/* What a walk does with two triangles whose boxes overlap. */
typedef struct walk walk;
typedef void (*walk_visit_fn)(walk *w, int32_t a, int32_t b);

struct walk {
    const tree *t;
    const tree_query *query;
    walk_visit_fn visit;
    tree *sink;
    task *task;
    _Atomic int64_t *n_blocks; /* asked for, per store */
    int64_t limit;             /* in blocks */
    bool stopped;
};

/* Walks within a zone (b -1) or between two, whose boxes are known to overlap. */
void walk_run(walk *w, int32_t a, int32_t b, bool adjacent);
/* What walk_run would call next, as tasks; at most `room`, -1: would be more. */
int32_t walk_expand(walk *w, const task *from, task *out, int32_t room);

/* Appends to a task's list. */
void walk_emit(walk *w, int store, int32_t a, int32_t b);

void visit_primitives(walk *w, int32_t a, int32_t b);
void visit_triangles(walk *w, int32_t a, int32_t b);

/* Runs a whole query into the stores. */
weft_result walk_all(tree *t, pool *p, const tree_query *q, walk_visit_fn visit, tree_counters *counters,
                     weft_error *e);

#endif
