/* SPDX-License-Identifier: MIT */
/* What an exact audit looks at: objects (cloths first, then mesh colliders) put together to one list of triangles, and
 * analytic colliders. The topology is given once, positions for every moment. */
#ifndef TOOL_SUBJECT_H
#define TOOL_SUBJECT_H

#include <weft/io.h>

typedef struct subject_object {
    char *name;
    bool is_collider;
    int32_t first_node, n_nodes;
    int32_t first_triangle, n_triangles;
} subject_object;

typedef struct subject {
    subject_object *objects;
    int32_t n_objects;
    int32_t n_nodes, n_triangles;
    weft_vec3 *x;
    int32_t *triangles; /* 3 each, nodes of all objects counted together */
    int32_t *triangle_object;
    double *thickness;         /* per object */
    bool *is_collider;         /* per object */
    weft_filter *filters;      /* per object */
    weft_collider_def *solids; /* their keys are the scene's */
    weft_filter *solid_filters;
    const char **solid_names; /* the scene's */
    int32_t n_solids;
    weft_audit *audit; /* NULL: not made yet */
} subject;

/* What to add: its triangles count its own nodes. */
typedef struct subject_part {
    const char *name;
    bool is_collider;
    int32_t n_nodes, n_triangles;
    const int32_t *triangles;
    double thickness;
    weft_filter filter;
} subject_part;

weft_result subject_add(subject *s, const subject_part *part, weft_error *error);
/* The colliders of a scene that are no meshes; and, if wanted, those that are, as objects. */
weft_result subject_add_colliders(subject *s, const weft_scene *scene, bool meshes, weft_error *error);
/* Mesh colliders where the scene has them at a time, rounded to the grid of the simulation's positions. */
weft_result subject_pose_colliders(subject *s, const weft_scene *scene, double time, weft_error *error);
/* A mesh of a file as an object, at the places it has there. faces (or NULL) gets the polygon of each triangle,
 * malloc'ed. */
weft_result subject_add_mesh(subject *s, const char *name, bool is_collider, const weft_mesh *mesh, int32_t **faces,
                             weft_error *error);
/* Where the nodes of an object are to be put. */
weft_vec3 *subject_points(subject *s, int32_t object);
/* Of the nodes where they are now. n_threads 0: one a core. */
weft_result subject_judge(subject *s, double time, int32_t n_threads, weft_audit_found *out, weft_error *error);
void subject_free(subject *s);

/* How many of what was found is to be blamed: 0 is clean. */
int64_t subject_faults(const weft_audit_found *f);
/* The least thickness of a cloth's fabrics, which all of it keeps from colliders. */
double subject_thickness(const weft_cloth_model *model);

#endif
