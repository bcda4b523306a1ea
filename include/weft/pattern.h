/* SPDX-License-Identifier: MIT */
/* Sewing patterns as data: flat panels with outlines of curves, and the seams that join their edges.
 *
 * A panel is drawn seen from the outside of the garment: u to the right, v up, metres. Its outline runs
 * counter-clockwise, cut-outs clockwise, so that fabric is always to the left. Each loop is cut into edges, and a seam
 * joins the edges of one side, one after the other, to those of the other side.
 *
 * Everything given is copied. What is wrong with a pattern as a whole (outlines that cross themselves, seams of edges
 * that differ too much in length) is found by weft_pattern_check. */
#ifndef WEFT_PATTERN_H
#define WEFT_PATTERN_H

#include <weft/base.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct weft_pattern weft_pattern;

typedef enum weft_curve_kind {
    WEFT_CURVE_LINE = 0,
    WEFT_CURVE_QUADRATIC = 1, /* Bézier with control[0] */
    WEFT_CURVE_CUBIC = 2,     /* Bézier with control[0] and control[1] */
    WEFT_CURVE_ARC = 3        /* of a circle */
} weft_curve_kind;

/* It ends where the next curve of its loop begins. */
typedef struct weft_curve {
    weft_curve_kind kind;
    weft_vec2 from;
    weft_vec2 control[2];
    double radius; /* arc: m; less than half the chord is taken as half the chord */
    bool is_large; /* arc: more than half of the circle */
    bool is_left;  /* arc: turns to the left, counter-clockwise */
} weft_curve;

/* A stretch of a loop: n curves from the one numbered `first` on. Edges follow each other in the order of the curves
 * and leave none out. */
typedef struct weft_edge {
    const char *name; /* unique within the panel */
    int32_t first, n;
    double elastic; /* length at rest over length as drawn; (0, 4]; 1: fabric alone */
} weft_edge;

typedef enum weft_line_kind {
    WEFT_LINE_MARK = 0,   /* for people only */
    WEFT_LINE_FOLD = 1,   /* the mesh has edges along it; value: angle of the fold at rest, radians; 0: none */
    WEFT_LINE_ELASTIC = 2 /* likewise; value: length at rest over length as drawn, (0, 4] */
} weft_line_kind;

/* A polyline inside a panel; its ends may lie on the outline. */
typedef struct weft_line {
    weft_line_kind kind;
    const char *name;
    int32_t n_points;
    const weft_vec2 *points;
    double value;
} weft_line;

/* A point on the outline, where the mesh gets a node. Those of two edges that are sewn together meet, if they are
 * nearly at the same place along the seam. */
typedef struct weft_notch {
    const char *name;
    weft_vec2 at;
} weft_notch;

typedef enum weft_placement_kind {
    WEFT_PLACEMENT_NONE = 0,
    WEFT_PLACEMENT_FLAT = 1,     /* p = (u, v, 0) */
    WEFT_PLACEMENT_CYLINDER = 2, /* p = (r sin θ, v − centre.v, r cos θ), θ = angle + rate (u − centre.u) */
    WEFT_PLACEMENT_LIMB = 4,     /* round a bent limb, see weft_limb; world = p */
    WEFT_PLACEMENT_CONE = 3 /* p = (k ρ sin θ, −(ρ − rho) √(1 − k²), k ρ cos θ), ρ and φ polar coordinates round
                                    centre, θ = (φ − angle) / k, |φ − angle| ≤ π */
} weft_placement_kind;

/* A tube that goes with a limb: along its axis from joint[0] by joint[1] to joint[2], straight beyond them, round at
 * the middle one. Between the heights `top` and `hem` of the drawing the radius, the panel's middle and its width go
 * linearly, above and below they stay; the width has the angle `span` round the axis. */
typedef struct weft_limb {
    weft_vec3 joint[3];
    weft_vec3 outside;                     /* direction of the panel's middle, seen from the axis */
    double start;                          /* way along the axis from joint[0] to the panel's `top`, m */
    double length;                         /* way along the axis over length in the drawing, below `top`; (0, 1] */
    double top, hem;                       /* v */
    double radius[2], middle[2], width[2]; /* at top and hem; m */
    double span;                           /* radians */
} weft_limb;

/* Where a panel is before it is sewn: p as above, then world = rotation · p + translation. y is up, the body faces +z
 * and has its left at +x. */
typedef struct weft_placement {
    weft_placement_kind kind;
    double rotation[9]; /* by rows */
    weft_vec3 translation;
    weft_vec2 centre;
    double radius, angle, rate, k, rho;
    weft_limb limb;
    const char *joint; /* cylinder: of the body's limb that it is put round, e.g. "LeftHand"; NULL: as given above */
} weft_placement;

typedef struct weft_panel {
    size_t struct_size;
    const char *name;  /* unique within the pattern */
    const char *label; /* what it covers: "body", "arm", "leg" …; NULL: unknown */
    int32_t n_loops;   /* the outline, then cut-outs */
    const int32_t *loop_sizes;
    int32_t n_curves; /* of all loops */
    const weft_curve *curves;
    int32_t n_edges;
    const weft_edge *edges;
    int32_t n_lines;
    const weft_line *lines;
    int32_t n_notches;
    const weft_notch *notches;
    weft_vec2 grain; /* direction of warp in the drawing, of any length but 0; (0, 1) */
    weft_placement placement;
} weft_panel;

/* A part of an edge, as shares of its length. */
typedef struct weft_seam_part {
    int32_t panel, edge;
    double from, to; /* 0 ≤ from < to ≤ 1 */
} weft_seam_part;

typedef enum weft_seam_kind { WEFT_SEAM_PLAIN = 0, WEFT_SEAM_DART = 1 } weft_seam_kind;

/* Sews the parts of a, one after the other and each in its own direction, to those of b. As outlines run
 * counter-clockwise, edges that meet run in opposite directions: the start of a's first part meets the end of b's
 * last. */
typedef struct weft_seam {
    size_t struct_size;
    const char *name; /* NULL: none */
    weft_seam_kind kind;
    int32_t n_a, n_b;
    const weft_seam_part *a, *b;
    bool same_direction; /* the start of a's first part meets the start of b's first */
} weft_seam;

WEFT_API weft_panel weft_panel_default(void);
WEFT_API weft_seam weft_seam_default(void);

/* alloc NULL: the C library's. */
WEFT_API weft_result weft_pattern_create(weft_alloc_fn alloc, void *user, weft_pattern **out, weft_error *error);
WEFT_API void weft_pattern_destroy(weft_pattern *pattern); /* NULL is fine */

/* Indices, counts, names and numbers are checked here; *out (may be NULL) is the number of the panel or seam. An
 * outline that runs clockwise is refused: weft_panel_turn. */
WEFT_API weft_result weft_pattern_add_panel(weft_pattern *pattern, const weft_panel *panel, int32_t *out,
                                            weft_error *error);
WEFT_API weft_result weft_pattern_add_seam(weft_pattern *pattern, const weft_seam *seam, int32_t *out,
                                           weft_error *error);

WEFT_API int32_t weft_pattern_panel_count(const weft_pattern *pattern);
WEFT_API int32_t weft_pattern_seam_count(const weft_pattern *pattern);
/* Valid as long as the pattern, until the next panel or seam is added. NULL outside. */
WEFT_API const weft_panel *weft_pattern_panel(const weft_pattern *pattern, int32_t panel);
WEFT_API const weft_seam *weft_pattern_seam(const weft_pattern *pattern, int32_t seam);
WEFT_API int32_t weft_pattern_find_panel(const weft_pattern *pattern, const char *name);               /* -1: none */
WEFT_API int32_t weft_pattern_find_edge(const weft_pattern *pattern, int32_t panel, const char *name); /* -1: none */

/* Puts another placement in place of the one a panel has. */
WEFT_API weft_result weft_pattern_set_placement(weft_pattern *pattern, int32_t panel, const weft_placement *placement,
                                                weft_error *error);

/* Puts an elastic into an edge: length at rest over length as drawn, (0, 4]; 1: none. */
WEFT_API weft_result weft_pattern_set_elastic(weft_pattern *pattern, int32_t panel, int32_t edge, double elastic,
                                              weft_error *error);

/* Twice the area that the curves' ends enclose, counted positive if counter-clockwise: for readers of formats in which
 * outlines may run either way. */
WEFT_API double weft_curves_turn(const weft_curve *curves, int32_t n);
/* A panel that was drawn seen from its inside, seen from its outside: curves, lines, notches and grain with u → −u, and
 * the placement such that nothing moves in space (flat and none; others are left). The curves run the other way round
 * then; their order stays. The arrays are changed in place. */
WEFT_API void weft_panel_turn(weft_panel *panel, weft_curve *curves, weft_vec2 *line_points, int32_t n_line_points,
                              weft_notch *notches);

/* All of the pattern: no outline may cross or touch itself or a cut-out, cut-outs lie inside, lines and notches too;
 * the two sides of a seam may differ in length by a factor `ratio` at most ([1, 1000]); no part of an edge is sewn to
 * itself. error->element is the number of the panel (of the first part, for seams). */
WEFT_API weft_result weft_pattern_check(const weft_pattern *pattern, double ratio, weft_error *error);

typedef struct weft_panel_info {
    double area;      /* without cut-outs, m² */
    double perimeter; /* of all loops, m */
    weft_vec2 low, high;
} weft_panel_info;
WEFT_API weft_result weft_pattern_panel_info(const weft_pattern *pattern, int32_t panel, weft_panel_info *out,
                                             weft_error *error);
/* m; 0 if there is no such edge, or no memory. */
WEFT_API double weft_pattern_edge_length(const weft_pattern *pattern, int32_t panel, int32_t edge);
WEFT_API weft_result weft_pattern_seam_lengths(const weft_pattern *pattern, int32_t seam, double *a, double *b,
                                               weft_error *error);
/* Whether a panel is a rib, to be cut of cloth that stretches: a band by its name (cuff, waistband, collar) that is
 * shorter than what it is sewn to by 5 to 30 %. */
WEFT_API bool weft_pattern_is_rib(const weft_pattern *pattern, int32_t panel);
/* An edge as a polyline within 1 µm of it, both ends included. out NULL asks for the count. */
WEFT_API weft_result weft_pattern_edge_points(const weft_pattern *pattern, int32_t panel, int32_t edge, weft_vec2 *out,
                                              int32_t *n, weft_error *error);

#ifdef __cplusplus
}
#endif
#endif
