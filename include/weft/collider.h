/* SPDX-License-Identifier: MIT */
/* Colliders: what cloth collides with and does not move by it; and the keys that move them. */
#ifndef WEFT_COLLIDER_H
#define WEFT_COLLIDER_H

#include <weft/cloth.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Where something is at a time. Between two keys the position moves in a straight line and the rotation the shortest
 * way about one axis, both at constant speed (slerp); q and −q are the same rotation, and of half a turn either way may
 * be taken. Before the first and after the last key it stands still. */
typedef struct weft_key {
    double time; /* s; increasing */
    weft_vec3 position;
    weft_quat rotation;
} weft_key;

/* Where keys put a thing at a time; the rotation by rows. Either output may be NULL. */
WEFT_API weft_result weft_keys_at(const weft_key *keys, int32_t n_keys, double time, weft_vec3 *position,
                                  double rotation[9], weft_error *error);

typedef enum weft_collider_kind {
    WEFT_COLLIDER_PLANE = 0,    /* solid below the local plane y = 0 */
    WEFT_COLLIDER_SPHERE = 1,   /* radius, centre at the origin */
    WEFT_COLLIDER_CAPSULE = 2,  /* radius, from y = -½ height to ½ height, round ends beyond */
    WEFT_COLLIDER_CYLINDER = 3, /* radius, from y = -½ height to ½ height: a round table with an edge */
    WEFT_COLLIDER_BOX = 4,      /* size along x, y, z */
    WEFT_COLLIDER_MESH = 5      /* vertices and triangles; open or closed, one-sided nowhere */
} weft_collider_kind;

typedef struct weft_collider_def {
    size_t struct_size;
    weft_collider_kind kind;
    double radius;        /* m; [1e-4, 1e3]; 0.5 */
    double height;        /* m; [0, 1e3]; 1 */
    weft_vec3 size;       /* m; each [1e-4, 1e3]; (1, 1, 1) */
    weft_vec3 position;   /* m; (0, 0, 0) */
    weft_quat rotation;   /* (0, 0, 0, 1) */
    const weft_key *keys; /* instead of position and rotation; read during the call only; NULL: stands still */
    int32_t n_keys;
    double friction;    /* times the fabric's k_f; [0, 100]; 1 */
    double dissipation; /* times the fabric's k_d; [0, 1]; 1 */
    /* MESH, read during the call only. Vertices are in the collider's frame, m. What is odd about a mesh (holes, edges
     * of three triangles, triangles without area) is not refused: weft_collider_get_info tells of it. */
    const weft_vec3 *vertices;
    int32_t n_vertices;       /* at least 3 */
    const int32_t *triangles; /* three vertices each */
    int32_t n_triangles;      /* at least 1 that names three different vertices */
} weft_collider_def;

/* Vertices at bitwise the same place count as one here. All but the first two are of meshes. */
typedef struct weft_collider_info {
    weft_collider_kind kind;
    bool moved_by_vertices; /* weft_collider_set_vertices was the last to move it */
    bool closed;            /* every edge has two triangles, which run through it in opposite directions */
    int32_t n_vertices;
    int32_t n_triangles;  /* that name three different vertices: others are left out */
    int32_t n_degenerate; /* triangles without area, those left out included */
    int32_t n_edges;
    int32_t n_border_edges;       /* of one triangle */
    int32_t n_non_manifold_edges; /* of three or more */
    int32_t n_flipped_edges;      /* of two that run through it in the same direction */
    double volume; /* of a closed mesh now, m³; negative: triangles run clockwise, seen from outside; open: 0 */
} weft_collider_info;

WEFT_API weft_collider_def weft_collider_def_default(void);
WEFT_API weft_result weft_collider_create(weft_sim *sim, const weft_collider_def *def, weft_collider_id *out,
                                          weft_error *error);
/* Also removes the attachments that name it. */
WEFT_API weft_result weft_collider_remove(weft_sim *sim, weft_collider_id id, weft_error *error);
/* New keys, from now on; for bodies whose motion is known only step by step. A mesh goes straight from where it is to
 * where they put it at the end of the next step. */
WEFT_API weft_result weft_collider_set_keys(weft_sim *sim, weft_collider_id id, const weft_key *keys, int32_t n_keys,
                                            weft_error *error);
/* Where it is at the end of the next step: it goes there from where it is, in a straight line and about one axis, and
 * stays until it is sent on. Drops keys. To be elsewhere at once, set one key. */
WEFT_API weft_result weft_collider_set_pose(weft_sim *sim, weft_collider_id id, weft_vec3 position, weft_quat rotation,
                                            weft_error *error);
/* Other factors of the fabric's k_f, [0, 100], and k_d, [0, 1]. */
WEFT_API weft_result weft_collider_set_friction(weft_sim *sim, weft_collider_id id, double friction, double dissipation,
                                                weft_error *error);
WEFT_API weft_result weft_collider_get_friction(const weft_sim *sim, weft_collider_id id, double *friction,
                                                double *dissipation, weft_error *error);
/* Which cloths collide with it (weft/base.h), from the next step on. */
WEFT_API weft_result weft_collider_set_filter(weft_sim *sim, weft_collider_id id, weft_filter filter,
                                              weft_error *error);
WEFT_API weft_result weft_collider_get_filter(const weft_sim *sim, weft_collider_id id, weft_filter *out,
                                              weft_error *error);

/* Meshes: on which side of its surface cloth belongs that intersects it; DYNAMIC: of a closed mesh, the outside. */
WEFT_API weft_result weft_collider_set_side(weft_sim *sim, weft_collider_id id, weft_untangle_side side,
                                            weft_error *error);
WEFT_API weft_result weft_collider_get_side(const weft_sim *sim, weft_collider_id id, weft_untangle_side *out,
                                            weft_error *error);
/* Where it is at the present time. Any of the outputs may be NULL. */
WEFT_API weft_result weft_collider_get_pose(const weft_sim *sim, weft_collider_id id, weft_vec3 *position,
                                            double rotation[9], weft_error *error);
/* Meshes that change their shape: where the n = n_vertices vertices are at the end of the next step, in the world, m.
 * They go there in straight lines, and stay until they are sent on. Keys no longer count, until weft_collider_set_keys;
 * the pose, and what is attached to it, stays as it is. Positions are rounded to the grid of the cloth's. */
WEFT_API weft_result weft_collider_set_vertices(weft_sim *sim, weft_collider_id id, const weft_vec3 *positions,
                                                int32_t n, weft_error *error);
/* The same without a way: the vertices are there at once, whatever cloth is in between. */
WEFT_API weft_result weft_collider_place_vertices(weft_sim *sim, weft_collider_id id, const weft_vec3 *positions,
                                                  int32_t n, weft_error *error);
/* Where a mesh's vertices are at the present time. */
WEFT_API weft_result weft_collider_get_vertices(const weft_sim *sim, weft_collider_id id, weft_vec3 *out, int32_t n,
                                                weft_error *error);
/* Its triangles, n = n_triangles of its info, three vertices each. */
WEFT_API weft_result weft_collider_get_triangles(const weft_sim *sim, weft_collider_id id, int32_t *out, int32_t n,
                                                 weft_error *error);
WEFT_API weft_result weft_collider_get_info(const weft_sim *sim, weft_collider_id id, weft_collider_info *out,
                                            weft_error *error);
/* What all cloth together exerted on it during the last step: force in N, torque about its position in N·m. */
WEFT_API weft_result weft_collider_get_force(const weft_sim *sim, weft_collider_id id, weft_vec3 *force,
                                             weft_vec3 *torque, weft_error *error);
/* Least distance of any point of any triangle of the cloth from the collider's surface, m; negative inside. Of a mesh:
 * if it is closed and nodes of the cloth are inside, minus the depth of the deepest; else 0 where surfaces cross. */
WEFT_API weft_result weft_collider_get_clearance(const weft_sim *sim, weft_collider_id id, weft_cloth_id cloth,
                                                 double *out, weft_error *error);

#ifdef __cplusplus
}
#endif
#endif
