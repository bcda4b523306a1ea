/* SPDX-License-Identifier: MIT */
/* Bodies that wear garments: meshes, what is known of their shape, and panels put round them.
 *
 * A body is a closed mesh in metres, y up, facing +z, its left at +x. */
#ifndef WEFT_BODY_H
#define WEFT_BODY_H

#include <weft/garment.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct weft_body weft_body;

enum { WEFT_LEFT = 0, WEFT_RIGHT = 1 };

/* A horizontal section of the trunk. */
typedef struct weft_section {
    double y;
    double girth;        /* of its convex hull, as a tape measures, m */
    weft_vec3 centre;    /* of its box */
    double width, depth; /* of its box along x and z */
} weft_section;

typedef struct weft_landmarks {
    double low, high; /* y of the lowest and the highest point */
    double crotch;    /* y */
    double armpit;    /* y; where the arms leave the trunk */
    weft_section hip; /* the widest girth below the waist */
    weft_section waist;
    weft_section bust;
    weft_section neck;     /* the narrowest */
    double neck_base;      /* y; where the neck's side meets the shoulder */
    weft_vec3 shoulder[2]; /* joints, left and right */
    weft_vec3 elbow[2];
    weft_vec3 wrist[2];
    double arm_radius[2]; /* of the upper arm, m */
    double wrist_radius[2];
    bool has_arms;
} weft_landmarks;

typedef struct weft_body_def {
    size_t struct_size;
    weft_alloc_fn alloc; /* NULL: the C library's */
    void *alloc_user;
    int32_t n_vertices;
    const weft_vec3 *vertices;
    int32_t n_triangles;
    const int32_t *triangles;
} weft_body_def;

WEFT_API weft_body_def weft_body_def_default(void);

/* Copies the mesh. It must be closed, a hole is told by its edge; its landmarks are found from slices. */
WEFT_API weft_result weft_body_create(const weft_body_def *def, weft_body **out, weft_error *error);
WEFT_API void weft_body_destroy(weft_body *body); /* NULL is fine */

WEFT_API const weft_landmarks *weft_body_landmarks(const weft_body *body);
/* Better known ones, from a file for instance. */
WEFT_API weft_result weft_body_set_landmarks(weft_body *body, const weft_landmarks *landmarks, weft_error *error);

/* Distance from the surface, m; negative inside. */
WEFT_API double weft_body_distance(const weft_body *body, weft_vec3 point);

/* The sections that a plane cuts out of the body: closed polygons. */
typedef struct weft_slice {
    int32_t n_loops, n_points;
    int32_t *loop_start; /* n_loops + 1 */
    weft_vec3 *points;
    int32_t room_loops, room_points; /* what was allocated */
} weft_slice;
WEFT_API weft_result weft_body_slice(const weft_body *body, weft_vec3 point, weft_vec3 normal, weft_slice *out,
                                     weft_error *error);
WEFT_API void weft_body_slice_free(const weft_body *body, weft_slice *slice);

/* ---- panels round a body ----------------------------------------------------------------------------------------- */

typedef struct weft_fit_def {
    size_t struct_size;
    double
        clearance; /* least distance of every panel from the body, and of panels from each other, m; [0, 0.5]; 0.005 */
    double gap;    /* distance from the body that panels without a placement are put at, m; [0, 1]; 0.03 */
    bool ignore_hints; /* as if no panel had a placement; false */
    /* What the body wears already: panels keep away from it, too, and begin outside of it. */
    int32_t n_worn_vertices, n_worn_triangles; /* 0 */
    const weft_vec3 *worn_vertices;
    const int32_t *worn_triangles;
} weft_fit_def;

typedef struct weft_panel_fit {
    weft_placement placement; /* as used */
    bool from_hint;           /* the pattern told; else found from the panel's name, its edges' names and the body */
    double clearance;         /* from the body, m */
    double apart;             /* from the nearest other panel, m; at most 0.1 */
    double moved;             /* how far it was moved, or its radius widened, to be clear, m */
    double stretch;           /* of a cylinder, along its round; 1: none */
} weft_panel_fit;

WEFT_API weft_fit_def weft_fit_def_default(void);

/* Puts every panel of a garment round a body: where its placement says, or by itself. One that would be too near is
 * moved outward, or its cylinder widened. fits has room for the pattern's panels, or is NULL. WEFT_ERROR_NOT_FOUND: a
 * panel whose place nothing tells; WEFT_ERROR_DEGENERATE: one that cannot be put clear of the body. */
WEFT_API weft_result weft_garment_fit(weft_garment *garment, const weft_pattern *pattern, const weft_body *body,
                                      const weft_fit_def *def, weft_panel_fit *fits, weft_error *error);

#ifdef __cplusplus
}
#endif
#endif
