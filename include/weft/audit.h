/* SPDX-License-Identifier: MIT */
/* The exact audit: where do surfaces intersect? For any triangles, with or without a simulation.
 *
 * Two triangles intersect if they share a point outside their common vertices and edges; touching counts. Vertices are
 * common if they are at the same place, bit for bit. The answer is exact: there is no tolerance in it. Triangles keep
 * their thickness from analytic colliders if no point of them is nearer than that, less 1e-9 m. */
#ifndef WEFT_AUDIT_H
#define WEFT_AUDIT_H

#include <weft/collider.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct weft_audit weft_audit;

/* The arrays are read by weft_audit_create only. */
typedef struct weft_audit_def {
    size_t struct_size;
    int32_t n_nodes;
    const weft_vec3 *positions; /* m; finite, each coordinate within ±1e30 */
    int32_t n_triangles;
    const int32_t *triangles; /* 3 a triangle; those without area, or that name a node twice, are what they cover */
    const int32_t *objects;   /* which object each triangle is of, [0, n_objects); NULL: all 0 */
    int32_t n_objects;        /* [1, 1000000]; 1 */
    /* Per object whether it is a collider: two colliders are not tested against each other, nor one against itself.
     * NULL: none is. */
    const bool *object_is_collider;
    /* Per node, a node that it is sewn to and at whose place it is taken; that one is its own. NULL: itself. */
    const int32_t *same;
    /* Analytic colliders, and how far from them triangles of each object have to stay, m; [0, 1]; NULL: 0. */
    const weft_collider_def *colliders;
    int32_t n_colliders; /* [0, 100000]; 0 */
    const double *thickness;
    /* What collides, per object and per analytic collider: pairs that do not are not looked at. NULL: all do. */
    const weft_filter *object_filters;
    const weft_filter *collider_filters;
    int64_t pair_limit;  /* intersecting pairs at most, else WEFT_ERROR_LIMIT; [1, 2^28]; 2^22 */
    int32_t n_threads;   /* [0, 256]; 0: one a core; 1 */
    weft_alloc_fn alloc; /* NULL: the C library's */
    void *alloc_user;
    weft_parallel_for_fn parallel_for; /* NULL: own threads */
    void *parallel_for_user;
} weft_audit_def;

WEFT_API weft_audit_def weft_audit_def_default(void);
WEFT_API weft_result weft_audit_create(const weft_audit_def *def, weft_audit **out, weft_error *error);
WEFT_API void weft_audit_destroy(weft_audit *audit); /* NULL is fine */

/* Judges the triangles with these positions (NULL: those of the definition) and colliders where they are at `time`,
 * s. WEFT_OK whether anything was found or not. What was found before is forgotten; so also after a failure. */
WEFT_API weft_result weft_audit_run(weft_audit *audit, const weft_vec3 *positions, double time, weft_error *error);

typedef enum weft_pair_kind {
    WEFT_PAIR_CROSS = 1,     /* in different planes: they cross or touch, along a segment or at a point */
    WEFT_PAIR_COPLANAR = 2,  /* in one plane: they overlap or touch */
    WEFT_PAIR_DEGENERATE = 3 /* one of them or both have no area */
} weft_pair_kind;

typedef struct weft_audit_pair {
    int32_t triangle[2]; /* the lower number first */
    weft_pair_kind kind;
    int32_t contour;
    weft_vec3 ends[2]; /* of the segment they share, rounded; coplanar or degenerate: a point about there, twice */
} weft_audit_pair;

/* Pairs that hang together. In general it is one line: closed, or from border to border, or to a vertex that both
 * sheets have. Places where surfaces overlap in a plane have pairs, but no lines of their own. */
typedef struct weft_audit_contour {
    int32_t n_pairs;
    int32_t n_lines, first_line;
    double length;          /* of its lines, m */
    weft_vec3 centre;       /* of its lines; without, of its pairs */
    weft_vec3 lower, upper; /* box around it */
    int32_t object[2];      /* of its first pair */
    bool closed;            /* one closed line */
    bool collider;          /* object[0] or object[1] is a collider */
} weft_audit_contour;

typedef struct weft_audit_line {
    int32_t contour;
    int32_t n_points;
    int64_t first_point;
    bool closed; /* the first point is not repeated at the end */
} weft_audit_line;

/* A triangle nearer to an analytic collider than its thickness. */
typedef struct weft_audit_near {
    int32_t triangle, collider;
    double distance; /* m; negative: inside */
    weft_vec3 place; /* the deepest point of the triangle */
} weft_audit_near;

/* All arrays are the audit's, valid until it runs again. */
typedef struct weft_audit_found {
    const weft_audit_pair *pairs; /* in the order of triangles */
    int64_t n_pairs;
    int64_t n_cloth_pairs;    /* of them, those of no collider … */
    int64_t n_collider_pairs; /* … and those of cloth and a collider */
    const weft_audit_contour *contours;
    int32_t n_contours;
    const weft_audit_line *lines;
    int32_t n_lines;
    const weft_vec3 *points;
    int64_t n_points;
    const weft_audit_near *near_triangles; /* in the order of triangles, then colliders */
    int64_t n_near_triangles;
    const int32_t *degenerate; /* triangles without area: no fault by themselves, but hardly meant */
    int32_t n_degenerate;
    int64_t n_tested; /* pairs of triangles that were tested exactly: their boxes overlap */
} weft_audit_found;

/* Before the first run, all is 0. */
WEFT_API weft_audit_found weft_audit_get(const weft_audit *audit);

#ifdef __cplusplus
}
#endif
#endif
