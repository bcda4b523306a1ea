/* SPDX-License-Identifier: MIT */
/* The exact audit of triangles at a moment: which of them intersect (math/intersect.h has the definition), and the
 * contours along which they do. Judged by exact predicates on the numbers given. */
#ifndef WEFT_CONTACT_AUDIT_H
#define WEFT_CONTACT_AUDIT_H

#include <weft/audit.h>

#include "base/error.h"
#include "base/pool.h"
#include "math/vec.h"

typedef struct audit audit;

/* All arrays are copied. */
typedef struct audit_input {
    int32_t n_nodes, n_triangles;
    const int32_t (*triangles)[3];
    const vec3 *x;         /* the shape by which the tree is formed */
    const int32_t *object; /* per triangle, in [0, n_objects); NULL: all 0 */
    int32_t n_objects;
    const bool *fixed;   /* per object: a collider; two of them are not tested against each other; NULL: none is */
    const int32_t *same; /* per node, the node at whose place it is taken; NULL: itself */
    const weft_filter *filters; /* per object: pairs of others are not looked at; NULL: all are */
} audit_input;

/* What was found, valid until the next run. */
typedef struct audit_found {
    const weft_audit_pair *pairs; /* by the first triangle, then the second */
    int64_t n_pairs;
    const weft_audit_contour *contours;
    int32_t n_contours;
    const weft_audit_line *lines;
    int32_t n_lines;
    const vec3 *points;
    int64_t n_points;
    const int32_t *degenerate; /* triangles without area */
    int32_t n_degenerate;
    int64_t n_candidates; /* pairs of triangles that were tested exactly */
} audit_found;

weft_result audit_create(mem *m, const audit_input *in, audit **out, weft_error *e);
void audit_destroy(audit *a);

/* Judges positions x. More than `limit` pairs: WEFT_ERROR_LIMIT, and nothing is found. */
weft_result audit_run(audit *a, pool *p, const vec3 *x, int64_t limit, weft_error *e);
audit_found audit_get(const audit *a);

#endif
