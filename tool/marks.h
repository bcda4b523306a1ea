/* SPDX-License-Identifier: MIT */
/* A picture of where surfaces intersect: all of it, with the contours drawn over it and numbered, and the largest of
 * them from near. */
#ifndef TOOL_MARKS_H
#define TOOL_MARKS_H

#include "render/picture.h"
#include "subject.h"

/* What was found at a moment, kept. */
typedef struct evidence {
    subject_object *objects; /* names are not kept */
    int32_t n_objects, n_nodes, n_triangles, n_contours, n_lines, n_solids;
    int64_t n_points;
    weft_vec3 *x;
    int32_t *triangles;
    uint8_t *blame; /* per triangle: 0 none, 1 intersects, 2 too near a collider */
    weft_audit_contour *contours;
    weft_audit_line *lines;
    weft_vec3 *points;
    weft_vec3 *views; /* per contour, the direction to look at it from */
    int32_t *order;   /* of contours: the one of most pairs first */
    picture_solid *solids;
} evidence;

/* scene (or NULL) has the analytic colliders, at `time`. False: out of memory. */
bool evidence_keep(evidence *e, const subject *s, const weft_audit_found *f, const weft_scene *scene, double time);
void evidence_free(evidence *e);

/* Colours of triangles by what they are blamed for; 3: they were left no room. */
picture_color marks_color(int blame);
/* blame[i] for the triangles of a subject. */
void marks_blame(const subject *s, const weft_audit_found *f, uint8_t *blame);

/* Writes a PNG. */
weft_result marks_write(const evidence *e, int32_t n_threads, const char *path, weft_error *error);

#endif
