/* SPDX-License-Identifier: MIT */
/* Meshes of the scenes of contact: rectangles of quads or triangles, tubes and balls; as cloth or as colliders; and a
 * cloth's nodes as they are now. */
#ifndef CONTACT_MESHES_H
#define CONTACT_MESHES_H

#include <weft/sim.h>

typedef enum contact_weave { CONTACT_QUADS, CONTACT_TRIANGLES, CONTACT_IRREGULAR } contact_weave;

/* All arrays are its own; a failed one is empty. */
typedef struct contact_mesh {
    weft_vec3 *x;
    weft_vec2 *uv; /* of rectangles */
    int32_t *triangles, *quads;
    int32_t n_nodes, n_triangles, n_quads;
    int32_t n_u, n_v; /* nodes of a rectangle along u and v: node (i, j) is i + n_u · j */
} contact_mesh;

void contact_mesh_free(contact_mesh *m);

/* u from 0 to size_u, v from 0 to size_v, x = (u, v, 0). Irregular: nodes within are moved by up to a quarter of an
 * edge, and the shorter diagonals taken. */
weft_result contact_mesh_rectangle(contact_mesh *out, contact_weave weave, double size_u, double size_v, double edge);
/* x = origin + u axis_u + v axis_v. */
void contact_mesh_place(contact_mesh *m, weft_vec3 origin, weft_vec3 axis_u, weft_vec3 axis_v);
/* Takes away the faces whose middle is within ±half of the middle of the rectangle, and the nodes only they have. */
void contact_mesh_cut(contact_mesh *m, double half);

/* About the z axis, open at its ends; vertices are on the radius. */
weft_result contact_mesh_tube(contact_mesh *out, double radius, double length, int32_t sides, double edge);
/* About the origin; vertices are on the radius. */
weft_result contact_mesh_ball(contact_mesh *out, double radius, int32_t around, int32_t rings);

/* One fabric and one velocity for all of it. */
weft_result contact_mesh_weave(weft_sim *sim, const contact_mesh *m, const weft_fabric *fabric, weft_vec3 velocity,
                               weft_cloth_id *out, weft_error *e);
weft_result contact_mesh_collide(weft_sim *sim, const contact_mesh *m, weft_collider_id *out, weft_error *e);

/* A cloth as it is now. */
typedef struct contact_nodes {
    int32_t n, n_triangles;
    weft_vec3 *x, *v;
    weft_vec2 *uv;
    double *mass;
    int32_t *triangles;
} contact_nodes;

weft_result contact_nodes_read(contact_nodes *out, const weft_sim *sim, weft_cloth_id cloth, weft_error *e);
void contact_nodes_free(contact_nodes *n);

#endif
