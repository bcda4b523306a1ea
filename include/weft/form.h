/* SPDX-License-Identifier: MIT */
/* A dress form made to measure, and patterns drafted to the same measures.
 *
 * The form stands at the origin, y up, faces +z, its left at +x. It has a trunk, a neck without a head, arms held away
 * from the body down to the wrists, and legs apart down to the ankles: enough to wear shirts, skirts and trousers. */
#ifndef WEFT_FORM_H
#define WEFT_FORM_H

#include <weft/body.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Lengths in metres. */
typedef struct weft_measures {
    size_t struct_size;
    double height;   /* of the whole person, head included; [0.8, 2.5]; 1.68 */
    double chest;    /* girth at the fullest; [0.4, 2]; 0.92 */
    double waist;    /* girth; [0.35, 2]; 0.75 */
    double hips;     /* girth at the fullest; [0.4, 2.2]; 1.0 */
    double neck;     /* girth; [0.2, 0.7]; 0.35 */
    double shoulder; /* from shoulder point to shoulder point; [0.2, 0.7]; 0.39 */
    double arm;      /* from shoulder to wrist; [0.2, 1]; 0.57 */
    double inseam;   /* from the crotch to the floor; [0.3, 1.3]; 0.78 */
} weft_measures;

WEFT_API weft_measures weft_measures_default(void);

typedef struct weft_form_def {
    size_t struct_size;
    weft_alloc_fn alloc; /* NULL: the C library's */
    void *alloc_user;
    weft_measures measures;
    double arm_angle;    /* of the arms below the horizontal, degrees; [0, 70]; 45 */
    int32_t n_triangles; /* about; [2000, 1000000]; 26000 */
} weft_form_def;

WEFT_API weft_form_def weft_form_def_default(void);

typedef struct weft_form weft_form;

typedef struct weft_form_data {
    int32_t n_vertices, n_triangles;
    const weft_vec3 *vertices;
    const int32_t *triangles;        /* three a triangle, counter-clockwise seen from outside */
    const weft_landmarks *landmarks; /* as measured on the mesh */
} weft_form_data;

/* Closed, and free of self-intersections. Girths at chest, waist and hips are within 3 mm of those asked for, or
 * WEFT_ERROR_DEGENERATE: measures that no such body has. */
WEFT_API weft_result weft_form_create(const weft_form_def *def, weft_form **out, weft_error *error);
WEFT_API void weft_form_destroy(weft_form *form); /* NULL is fine */
WEFT_API const weft_form_data *weft_form_get(const weft_form *form);

/* Patterns drafted to measure: "tshirt", "skirt", "trousers". Without placements; weft_garment_fit finds them. */
WEFT_API int32_t weft_draft_count(void);
WEFT_API const char *weft_draft_name(int32_t draft);  /* NULL outside */
WEFT_API const char *weft_draft_about(int32_t draft); /* a line for people; NULL outside */
WEFT_API weft_result weft_draft(const char *name, const weft_measures *measures, weft_pattern **out, weft_error *error);

#ifdef __cplusplus
}
#endif
#endif
