/* SPDX-License-Identifier: MIT */
/* Collision detection by itself: which vertices and triangles, and which edges, of some triangle meshes may touch,
 * at a moment or on the way from one set of positions to another. For programs that have their own cloth, and for
 * measuring.
 *
 * weft_detector_create      once, from triangles weft_detector_fit         each step, to new positions
 * weft_detector_find        candidate pairs, as often as wanted
 *
 * Pairs come out once each, in an order that does not depend on the number of threads. Units are those of the
 * positions; metres are meant. */
#ifndef WEFT_DETECT_H
#define WEFT_DETECT_H

#include <weft/base.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct weft_detector weft_detector;

/* All arrays are copied. */
typedef struct weft_detector_def {
    size_t struct_size;
    int32_t n_nodes;                   /* [0, 2^28] */
    const weft_vec3 *positions;        /* some shape of the surfaces, finite; zones are formed by it */
    int32_t n_triangles;               /* [0, 2^28] */
    const int32_t *triangles;          /* 3 nodes each */
    int32_t n_objects;                 /* ≥ 1; 1 */
    const int32_t *object;             /* per triangle, [0, n_objects); NULL: all 0 */
    const bool *fixed;                 /* per object: pairs of two fixed objects are left out; NULL: none is fixed */
    const int32_t *same;               /* per node, the node that it counts as one with; NULL: itself */
    uint32_t seed;                     /* another seed forms other zones; 0 */
    int32_t n_threads;                 /* [0, 256]; 0: one a core; 0 */
    weft_parallel_for_fn parallel_for; /* NULL: threads of the library's own */
    void *parallel_user;
    weft_alloc_fn alloc; /* NULL: the C library's */
    void *alloc_user;
} weft_detector_def;

WEFT_API weft_detector_def weft_detector_def_default(void);
/* WEFT_ERROR_INDEX, WEFT_ERROR_NOT_FINITE: the text names the triangle or node. Degenerate triangles are fine. */
WEFT_API weft_result weft_detector_create(const weft_detector_def *def, weft_detector **out, weft_error *error);
WEFT_API void weft_detector_destroy(weft_detector *detector); /* NULL is fine */

/* To nodes at x0, or, x1 not NULL, on their straight way from x0 to x1. Boxes are enlarged by `inflate` to every
 * side; [0, 1e30]. The arrays must stay as they are until pairs have been found. */
WEFT_API weft_result weft_detector_fit(weft_detector *detector, const weft_vec3 *x0, const weft_vec3 *x1,
                                       double inflate, weft_error *error);

/* How smooth parts of a surface are told from those that may touch themselves. */
typedef enum weft_detect_mode {
    WEFT_DETECT_PROVEN = 0,   /* by normals and contours: no pair that touches is lacking */
    WEFT_DETECT_FAST = 1,     /* by normals (Volino and Magnenat-Thalmann 1994): may lack some */
    WEFT_DETECT_CONES = 2,    /* by cones of normals (Provot 1997): may lack some */
    WEFT_DETECT_CLASSICAL = 3 /* not at all: just the pairs whose boxes overlap */
} weft_detect_mode;

typedef struct weft_vertex_triangle {
    int32_t vi, ti;
} weft_vertex_triangle;

typedef struct weft_edge_edge {
    int32_t ei, ej; /* of weft_detector_edges */
} weft_edge_edge;

typedef struct weft_triangle_pair {
    int32_t ti, tj;
} weft_triangle_pair;

typedef struct weft_detect_edge {
    int32_t node[2];
} weft_detect_edge;

/* What a search took, in the terms of Volino and Magnenat-Thalmann's tables. */
typedef struct weft_detect_counters {
    int64_t calls;           /* of the procedures for a zone and for two zones or triangles: a pair of boxes each */
    int64_t elementary;      /* pairs of triangles whose boxes overlap */
    int64_t zones_skipped;   /* zones and pairs of zones that were skipped by their normals */
    int64_t contour_tests;   /* contours looked at, */
    int64_t contour_edges;   /* their edges, */
    int64_t contour_refused; /* and those contours that proved nothing */
    int64_t degenerate;      /* triangles without a usable normal */
} weft_detect_counters;

typedef struct weft_detect_query {
    size_t struct_size;
    weft_detect_mode mode; /* proven */
    /* 0: what may touch. d > 0: what may be nearer than d at x0, but for pairs with a way on the surface between
     * them of 2 d or less. Needs a fit without x1 and with inflate ≥ d / 2. [0, 2 · inflate]; 0 */
    double thickness;
    int64_t limit;       /* pairs of a kind at most, else WEFT_ERROR_LIMIT; 0: 2^30; 0 */
    bool triangle_pairs; /* pairs of triangles, with common vertices and edges too, in place of primitives; false */
} weft_detect_query;

WEFT_API weft_detect_query weft_detect_query_default(void);

/* Arrays belong to the detector, until its next call. */
typedef struct weft_detected {
    int64_t n_vertex_triangle, n_edge_edge, n_triangle_pairs;
    const weft_vertex_triangle *vertex_triangle; /* none where the vertex is one of the triangle's */
    const weft_edge_edge *edge_edge;             /* none with a common vertex */
    const weft_triangle_pair *triangle_pairs;    /* ti < tj */
    weft_detect_counters counters;
} weft_detected;

WEFT_API weft_result weft_detector_find(weft_detector *detector, const weft_detect_query *query, weft_detected *out,
                                        weft_error *error);

typedef struct weft_detector_info {
    int32_t n_edges, n_zones, depth;
    int64_t memory;    /* bytes held */
    int64_t fit_bytes; /* bytes that the last fit had to read and write */
} weft_detector_info;

WEFT_API weft_detector_info weft_detector_get_info(const weft_detector *detector);
/* n_edges of them, each edge of the triangles once. */
WEFT_API const weft_detect_edge *weft_detector_edges(const weft_detector *detector);

#ifdef __cplusplus
}
#endif
#endif
