/* SPDX-License-Identifier: MIT */
/* Untangling: moves the vertices of surfaces that go through themselves or each other until they do not.
 *
 * There is no guarantee that it succeeds; the report says by the exact audit (weft/audit.h) what was there before and
 * what is left, and the best state that was found is what comes out. It never has more intersections than before. */
#ifndef WEFT_UNTANGLE_H
#define WEFT_UNTANGLE_H

#include <weft/collider.h>

#ifdef __cplusplus
extern "C" {
#endif

/* One object is worn over another: it belongs on the outside of that, and that on the inside of it. */
typedef struct weft_untangle_layer {
    int32_t inner, outer;
} weft_untangle_layer;

/* What moves the vertices. */
typedef enum weft_untangle_method {
    /* The mesh is cloth: what crosses is parted while its own lengths and angles hold it together and what does not
     * cross is kept from crossing; then it relaxes. By contours go rigid objects and what cannot be cloth. */
    WEFT_UNTANGLE_CLOTH = 0,
    WEFT_UNTANGLE_CONTOURS = 1 /* contours are made shorter, and tangled places smoother: lengths are not kept */
} weft_untangle_method;

/* How far a repair has come: where the nodes are after so many iterations. Not to be kept; it must not call back. */
typedef void (*weft_untangle_watch_fn)(void *user, int32_t iteration, const weft_vec3 *positions);

/* Arrays are read during the call only. */
typedef struct weft_untangle_def {
    size_t struct_size;
    weft_untangle_method method; /* CLOTH */
    int32_t n_nodes;
    const weft_vec3 *positions; /* m; finite, each coordinate within ±1e30. Nodes at the same place stay together */
    int32_t n_triangles;
    const int32_t *triangles; /* 3 a triangle */
    const int32_t *objects;   /* which object each triangle is of, [0, n_objects); NULL: all 0 */
    int32_t n_objects;        /* [1, 1000000]; 1 */
    /* Per object: a collider does not move, and is not tested against itself or other colliders. NULL: none is. */
    const bool *object_is_collider;
    /* Per object: it keeps its shape, and goes as a whole, without turning, out of colliders and other rigid objects;
     * all else gives way to it. NULL: none does. And how far, m, where a contour gets shorter by as much as the object
     * goes; [0, 1]; 0: 0.005 of the size of all that is rigid. */
    const bool *object_is_rigid;
    double rigid_step;
    const weft_untangle_side *object_side; /* NULL: OUT for colliders and rigid objects, else DYNAMIC */
    const weft_untangle_layer *layers;     /* go before object_side */
    int32_t n_layers;                      /* 0 */
    /* Analytic colliders where they are at their position and rotation (keys are not read), and how far triangles have
     * to stay from them, m; [0, 1]; 0. */
    const weft_collider_def *colliders;
    int32_t n_colliders; /* [0, 100000]; 0 */
    double thickness;
    /* kg a node; heavier ones move less; 0: does not move. NULL: all equal. Not for rigid objects. */
    const double *masses;
    double gap;          /* m, to be left between surfaces; [0, 1]; 0: 0.02 of the mean edge */
    double step;         /* CONTOURS: how far they move at once, in edges; (0, 1]; 0.35 */
    bool average;        /* one vector for a contour, rather than one for each crossing of it: CONTOURS; false */
    bool fixed_strategy; /* never switch, and leave analytic colliders by chords alone: CONTOURS; false */
    /* CONTOURS: of a crossing nothing is asked but eq. 2, or eq. 3 where the user gives a repulsive side; nothing found
     * out, no other strategy, no sliding: to reproduce the paper. `average` goes with it. false */
    bool as_published;
    bool keep_shape;        /* CONTOURS: smooth no farther than two rings around what is tangled at the time; false */
    int32_t max_iterations; /* by CLOTH steps, 480 at most, while something intersects; [1, 100000]; 1500 */
    int64_t pair_limit;     /* intersecting pairs at most, else WEFT_ERROR_LIMIT; [1, 2^28]; 2^22 */
    int32_t n_threads;      /* [0, 256]; 0: one a core; 1. The result does not depend on it */
    weft_alloc_fn alloc;    /* NULL: the C library's */
    void *alloc_user;
    weft_untangle_watch_fn watch; /* CLOTH: called at the start and now and then; attempts begin anew. NULL: nobody */
    void *watch_user;
} weft_untangle_def;

typedef enum weft_untangle_strategy {
    WEFT_UNTANGLE_SIDES = 0,    /* repulsive normals (ye2012 eq. 3), by the user or found out; plain where unknown */
    WEFT_UNTANGLE_PLAIN = 1,    /* eq. 2 alone */
    WEFT_UNTANGLE_AVERAGED = 2, /* eq. 2, one vector a contour */
    WEFT_UNTANGLE_SMOOTHED = 3, /* the tangled patch made smoother */
    WEFT_UNTANGLE_TOUCHING = 4, /* surfaces that only touch, moved apart */
    WEFT_UNTANGLE_STRATEGIES = 5
} weft_untangle_strategy;

/* What came of a repair. */
typedef enum weft_untangle_verdict {
    WEFT_UNTANGLE_REPAIRED = 0,  /* nothing intersects or is in a collider; by CLOTH, it is also the same cloth */
    WEFT_UNTANGLE_DISTORTED = 1, /* nothing intersects, but area or lengths are not what they were (CLOTH only) */
    WEFT_UNTANGLE_TANGLED = 2,   /* something still intersects: the best state that was found, or the input */
    /* The input as it was (CLOTH only): a closed surface with one side, which goes through itself wherever it is; or
     * everything was tried, and more than a tenth of what intersects is left: there may be no way at these lengths. */
    WEFT_UNTANGLE_NOT_REPAIRABLE = 3
} weft_untangle_verdict;

typedef struct weft_untangle_report {
    weft_untangle_verdict verdict;
    int64_t pairs_before, pairs_after; /* of intersecting triangles, by the exact audit */
    /* Nodes behind the surface of colliders that are meshes, and triangles too near analytic ones. */
    int64_t inside_before, inside_after;
    int64_t
        n_cut[3]; /* triangles that surfaces of analytic colliders cut at 2, 4, 6 points of their edges, at the start */
    /* What is wrong with colliders that are meshes. With edges of one triangle they are open, and sides are known only
     * where a node is nearest to the inside of a triangle. At edges of three triangles, or that two run through in the
     * same direction, it is not known what is outside. */
    int32_t n_open_edges, n_non_manifold_edges, n_flipped_edges;
    double length_before, length_after; /* of contours, m */
    double length_last;                 /* the same at the last iteration, which may be worse than what comes out */
    int32_t contours_before, contours_after;
    int32_t n_closed, n_border, n_loop, n_branch; /* contours at the start, by where they end */
    int32_t n_undecided;                          /* of them, those that cut off no smaller part, at the start */
    int32_t n_iterations;
    int32_t iterations[WEFT_UNTANGLE_STRATEGIES]; /* of them, by what was done */
    int32_t n_switched;                           /* how often another strategy was taken up */
    weft_untangle_method method;                  /* by which the result was found */
    /* By CLOTH, of the result over the input: the area; lengths of edges: the least, 5th and 95th percentile, the
     * greatest. The same cloth: area within 2 %, the percentiles within 8 %, no edge below 0.6 or beyond 1.5. */
    double area, edge[4];
    /* And of the angles at edges, the fraction that is within 20° of the input's; the same cloth: 0.9. */
    double angles;
    int32_t n_moved;            /* nodes */
    double mean_move, max_move; /* of the nodes moved, m */
} weft_untangle_report;

WEFT_API weft_untangle_def weft_untangle_def_default(void);

/* out: n_nodes positions; it may be the same array as def->positions. WEFT_OK whether all was resolved or not:
 * report->verdict tells. After a failure `out` is as it was. */
WEFT_API weft_result weft_untangle(const weft_untangle_def *def, weft_vec3 *out, weft_untangle_report *report,
                                   weft_error *error);

#ifdef __cplusplus
}
#endif
#endif
