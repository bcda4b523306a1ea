/* SPDX-License-Identifier: MIT */
/* What the files of src/tree share.
 *
 * Triangles stand in tree order: a zone's triangles are a range, and "which zone is this triangle in" is two
 * comparisons. Zones stand by depth, the root first, children of a zone in a row. Side k of a triangle runs from its
 * corner k to the next; side 3 · ti + k of all triangles is a half-edge, and `twin` the half-edge of the neighbour that
 * runs the other way, or -1: a border, or an edge that is not of exactly two triangles in opposite directions. */
#ifndef WEFT_BVH_BVH_INSIDE_H
#define WEFT_BVH_BVH_INSIDE_H

#include "math/box_row.h"
#include "math/normal_pair.h"
#include "math/pair_pack.h"
#include "bvh/bvh.h"
#include "bvh/params.h"

typedef struct zone {
    int32_t first_child, n_children; /* n_children 0: a leaf */
    int32_t first, n;                /* triangles */
    int32_t parent, depth;
    int32_t object;                   /* -1: of several */
    int32_t first_vertex, first_edge; /* leaves: what it owns … */
    int16_t n_vertices, n_edges;
    int32_t first_node; /* … and the nodes of its triangles, each once */
    uint8_t n_nodes;
    bool fixed;     /* all of it */
    bool connected; /* over edges */
} zone;

/* 64 directions, and which of them are positive against a normal. */
enum { N_DIRECTIONS = 64, DIRECTION_CELLS = NORMAL_CELLS };

typedef struct directions {
    vec3 d[N_DIRECTIONS];
    vec3 a[N_DIRECTIONS], b[N_DIRECTIONS]; /* a × b = d: what is positive against d turns left in (a, b) */
    /* Per cell of normals the directions that are positive against all of them, or at least BVH_LEVEL. */
    normal_table positive, level;
    /* For the middle of a mask: by each of its bytes the sum of directions; by cell the direction in its middle. */
    float sums[8][256][4];
    uint8_t nearest[2 * DIRECTION_CELLS * DIRECTION_CELLS];
    pair_table packed; /* not of directions, but likewise the same for all trees */
} directions;

void directions_fill(directions *d);
/* Of a mask that is not 0, the direction nearest to the middle of all its directions. */
int directions_middle(const directions *d, uint64_t mask);

typedef struct bvh_pair {
    int32_t a, b;
} bvh_pair;

/* A list of pairs that grows by blocks out of a common store, so that no task asks for memory. */
typedef struct pair_store {
    int32_t n_blocks; /* that a query takes: as many as any has needed so far. In scratch memory: … */
    bvh_pair *pairs;  /* … n_blocks · BVH_BLOCK */
    int32_t *next;    /* of each block in its list; -1: the last */
    bvh_pair *all;    /* the lists one after the other, where the blocks are not already so */
    bvh_pair *found;  /* pairs or all */
    int64_t n;
} pair_store;

typedef struct pair_list {
    int32_t first, last; /* blocks; -1: none */
    int32_t left;        /* pairs that the last block has room for */
    bvh_pair *at;        /* the next goes here; NULL: there is no room, pairs are only counted */
    int64_t n;           /* pairs in blocks, those without room and what is left in the last one included */
} pair_list;

/* What two zones are to each other, as far as a walk knows. Of those that are not adjacent no children are. */
typedef enum kinship {
    STRANGERS, /* not adjacent; only boxes tell them apart */
    KINDRED,   /* not adjacent, but of zones that were, and a proof has not been tried */
    ADJACENT,  /* may have a common vertex */
} kinship;

typedef struct task {
    int32_t a, b; /* zones; b -1: within a */
    kinship kin;
    pair_list lists[2];
    int64_t start[2]; /* place of its pairs among all */
    bvh_counters counters;
} task;

/* What of a zone's list of contours does not border on another zone: `n` from `start` on, the list going on at its
 * start where it ends. n below 0, which STRETCH_… says: there is no such stretch, or the list is longer than this. */
typedef struct stretch {
    int16_t start, n;
} stretch;

enum {
    STRETCH_NONE = -1,  /* they have no common edge */
    STRETCH_OTHER = -2, /* it is not one stretch of one loop */
};

/* The zones above the roots, to be kept when what is below changes: parents of the roots, then of the zones, as numbers
 * in this same list; -1: the top. */
typedef struct upper_zones {
    int32_t n_roots, n, n_connected;
    int32_t *parent;
} upper_zones;

typedef struct kept_leaves kept_leaves;

/* A zone in a patch: bvh_patches.c. */
typedef struct patch {
    uint64_t mask;   /* of a root: directions that all zones of its patch have */
    int32_t next;    /* zone of the patch, in a circle */
    int32_t n_edges; /* of a root: of all contours; in the end of the patch's */
} patch;

struct bvh {
    mem *mem;
    arena *scratch; /* the caller's, or … */
    arena own_scratch;
    arena_mark by_boxes, by_tasks; /* with boxes taken; and with all else of a query but pairs */
    upper_zones upper_zones;
    int32_t n_nodes, n_triangles, n_edges, n_zones, depth, n_objects;

    /* by triangle, in tree order; node to twin: three for each */
    int32_t *id;     /* number that the user knows it by */
    int32_t *node;   /* the user's nodes */
    int32_t *common; /* their `same`; the same array where no two nodes are one */
    int32_t *twin;
    uint8_t *owns;      /* bits 0 to 2: vertices, 3 to 5: edges, 6: a corner is one with another node */
    uint8_t *corner_at; /* of each leaf first, second and third corners: places in its list of nodes */

    int32_t *vertices;                 /* of leaves, in tree order */
    int32_t *edge_id;                  /* likewise: numbers of edges */
    int32_t *vertex_common;            /* what their nodes are one with … */
    int32_t (*edge_common)[2];         /* … NULL, both, where none are */
    int32_t n_vertices;                /* that triangles have */
    uint8_t *vertex_at, (*edge_at)[2]; /* places of their nodes in the leaf's list */
    int32_t *leaf_nodes;               /* lists of nodes */
    int64_t n_leaf_nodes;

    /* leaves in the order of triangles, so that nodes are met once: by twos; which of these are halves of one leaf; and
     * zones of leaves that stand apart */
    normal_pair *pairs;
    int32_t *halved, *apart;
    int32_t n_pairs, n_halved, n_apart;

    bvh_edge *edges;
    zone *zones;
    weft_filter *filters; /* per object; NULL: none */
    int32_t n_fitted;     /* zones, then the second halves of leaves */
    box *node_box;        /* all of the last fit, in scratch memory: */
    box *zone_box;        /* n_fitted */
    box *zone_end;        /* likewise, at the end of a way (bvh_refit_ends); else NULL */
    uint64_t *zone_mask;
    directions *directions;
    struct cone *cones;                                      /* NULL: not asked for yet */
    int32_t *neighbour_start, *neighbour_count, *neighbours; /* per zone: bvh_adjacency.c */
    int32_t *contour_start, *contour_count, *contours;       /* per zone: bvh_contours.c */
    uint8_t *contour_loops;                                  /* per zone; 255: so many or more */
    int32_t *rim_node;                                       /* for each of contours: where it begins */
    stretch *stretches; /* for each of neighbours: what of the zone does not border on it */
    int64_t n_neighbours, n_contours, n_sides;
    bool has_hubs;        /* vertices with so many zones that their neighbours were not listed */
    int32_t *depth_start; /* depth + 1: zones of depth i are [depth_start[i], depth_start[i + 1]) */

    /* of the last refit */
    const vec3 *x0, *x1;
    double inflate;
    float slack;
    double size; /* no coordinate is larger */
    bool fitted;
    bool level; /* masks are of the stricter table */
    bool ends;  /* boxes are of x0, and zone_end of x1: masks are of neither */
    bool has_cones;
    int64_t n_degenerate;

    pair_store stores[2];
    double *distances[2]; /* bvh_clearance.c */
    int64_t n_distances[2];
    int32_t (*by_id)[3]; /* nodes of triangles in the user's order; NULL: not asked for yet */
    /* Per zone the last time that a union with it was proven; times go on from query to query. */
    uint32_t *proven_at;
    /* Of this query, if it is by contours, in scratch memory. By zone, of topmost ones with a direction; by triangle,
     * of those along contours, 1 + the patch; roots. */
    patch *patches;
    int32_t *patch_root; /* a zone that stands for its patch; -1: in none that is proven */
    int32_t *patch_at;
    int32_t *patch_list, n_patches;
    bool has_patches;
    uint32_t now;
    task *tasks, *spare_tasks; /* of this query, likewise */
    kept_leaves *kept;         /* likewise: from task to task where these run in a row */
    int32_t n_tasks;
};

/* It takes of its own arena, and releases what the last fit or query took. */
bool bvh_owns_scratch(const bvh *t);

/* Half-edges and edges of triangles as the user numbers them. */
typedef struct half_edges {
    int32_t n_edges;
    bvh_edge *edges;
    int32_t *edge;
    int32_t *twin;
    uint8_t *owns;
} half_edges;

bool half_edges_create(half_edges *s, mem *m, const bvh_input *in);
void half_edges_destroy(half_edges *s, mem *m, int32_t n_triangles);

/* The tree as a parent per thing: triangles first, then zones; the last is the root. */
typedef struct draft {
    int32_t n, capacity;
    int32_t n_connected; /* things before this are connected over edges */
    int32_t n_roots;     /* root elements, or triangles, which the zones above are formed of … */
    int32_t first_root;  /* … things in a row … */
    int32_t first_above; /* … and these zones, to the last */
    int32_t *parent;     /* -1: the root, or not joined yet */
} draft;

bool draft_create(draft *d, mem *m, const bvh_input *in, const half_edges *s);
/* With the zones of a crown in place of new ones. WEFT_ERROR_ARGUMENT: there are not as many roots. */
weft_result draft_under(draft *d, mem *m, const bvh_input *in, const upper_zones *c);
bool upper_zones_create(upper_zones *c, mem *m, const draft *d);
void upper_zones_destroy(upper_zones *c, mem *m);
void draft_destroy(draft *d, mem *m);

bool bvh_lay_out(bvh *t, const bvh_input *in, const half_edges *s, const draft *d);

bool adjacency_create(bvh *t);
/* Whether two zones have a common vertex: of one depth, or one a leaf that is not deeper than the other. With has_hubs,
 * there may be one where this says no. */
bool adjacency_of(const bvh *t, int32_t zi, int32_t zj);
/* Where zj is among the neighbours of zi; -1: it is not. Those of zi are of its depth, or leaves above. */
int32_t adjacency_place(const bvh *t, int32_t zi, int32_t zj);

bool contours_create(bvh *t);
/* The half-edge at a place of the contours. */
static inline int32_t contour_entry(const bvh *t, int32_t place)
{
    int32_t he = t->contours[place];
    return he < 0 ? ~he : he;
}

/* The triangle beyond it; -1: none. */
static inline int32_t contour_beyond(const bvh *t, int32_t place)
{
    int32_t twin = t->twin[contour_entry(t, place)];
    return twin < 0 ? -1 : twin / 3;
}

/* What of zi's contour does not border on zj. */
stretch contour_stretch(const bvh *t, int32_t zi, int32_t zj);
/* The half-edge of the contour of zones that follows one of theirs. q may be NULL. */
int32_t contour_next(const bvh *t, const zone *p, const zone *q, int32_t he);
int32_t contour_past(const bvh *t, const zone *p, const zone *q, int32_t he);

/* What is known of a zone p, or of two zones p and q, all through the motion. */
typedef enum simple {
    SIMPLE_UNKNOWN,
    SIMPLE_APART, /* p and q have no common point but what they may have as neighbours; each by itself is not known */
    SIMPLE_UNION, /* neither p nor q nor their union has two points over one in some direction of the mask */
} simple;

/* By contours. With thickness > 0, see bvh_simple.c. */
simple simple_from(const bvh *t, const zone *p, const zone *q, uint64_t mask, double thickness, bvh_counters *c);

/* Proves zones in patches; false: no memory. */
bool patches_make(bvh *t, pool *p, bvh_counters *counters);
/* Whether two zones that have directions (zj -1: one) are of one proven patch. */
bool patch_has(const bvh *t, int32_t zi, int32_t zj);

/* provot1997's cones; false: no memory. */
bool cones_fit(bvh *t, pool *p);
void cones_destroy(bvh *t);
bool cone_is_valid(const bvh *t, int32_t zi);
bool cone_is_valid_for_both(const bvh *t, int32_t zi, int32_t zj);

static inline int32_t next_side(int32_t he)
{
    return he % 3 == 2 ? he - 2 : he + 1;
}

static inline int32_t past_side(int32_t he)
{
    return he % 3 == 0 ? he + 2 : he - 1;
}

/* Where corner_at has the corner that a half-edge of a leaf begins at. */
static inline int32_t corner_place(const zone *z, int32_t he)
{
    return 3 * z->first + he % 3 * z->n + he / 3 - z->first;
}

/* Whether a triangle lies in a zone. */
static inline bool zone_has(const zone *z, int32_t ti)
{
    return ti >= z->first && ti < z->first + z->n;
}

static inline int32_t common_of(const bvh_input *in, int32_t vi)
{
    return in->same ? in->same[vi] : vi;
}

/* What a walk does with two leaves whose boxes overlap, or with one and itself (b = a). */
typedef struct walk walk;
typedef void (*walk_visit_fn)(walk *w, int32_t a, int32_t b);

/* Boxes of the triangles, vertices and edges of a leaf, side by side, and their numbers; of a way also those at its
 * end. */
typedef struct leaf_boxes {
    union {
        box_row row;
        box triangles[BVH_LEAF]; /* for who wants nothing else, one by one */
    };
    union {
        box_row end;
        box triangles_end[BVH_LEAF];
    };
    int32_t id[3][BOX_KIND];
} leaf_boxes;

/* Those of the last few leaves, for either side of a pair. */
struct kept_leaves {
    int32_t leaf[2][BVH_KEPT_LEAVES]; /* -1: none yet */
    leaf_boxes boxes[2][BVH_KEPT_LEAVES];
};

struct walk {
    kept_leaves *kept; /* NULL: leaves are not visited */
    const bvh *t;
    const bvh_query *query;
    walk_visit_fn visit;
    bvh *sink;
    uint32_t first, now; /* times: when tasks were made, and of this run of them */
    bool within;         /* all zones are of one, and no other task walks within that */
    task *task;
    _Atomic int64_t *n_blocks; /* asked for, per store */
    int64_t limit;             /* in blocks */
    bool stopped;
};

/* Walks within a zone (b -1) or between two, whose boxes are known to overlap. */
void walk_run(walk *w, int32_t a, int32_t b, kinship kin);
/* What walk_run would call next, as tasks; at most `room`, -1: would be more. */
int32_t walk_expand(walk *w, const task *from, task *out, int32_t room);

/* Takes a new block for a task's list. */
void walk_next_block(walk *w, int store);

/* Appends to a task's list. */
static inline void walk_emit(walk *w, int store, int32_t a, int32_t b)
{
    pair_list *l = &w->task->lists[store];
    if (l->left == 0)
        walk_next_block(w, store);
    l->left--;
    if (l->at)
        *l->at++ = (bvh_pair){a, b};
}

void visit_primitives(walk *w, int32_t a, int32_t b);
void visit_triangles(walk *w, int32_t a, int32_t b);

/* Runs a whole query into the stores. */
weft_result walk_all(bvh *t, pool *p, const bvh_query *q, walk_visit_fn visit, bvh_counters *counters, weft_error *e);

#endif
