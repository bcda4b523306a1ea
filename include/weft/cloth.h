/* SPDX-License-Identifier: MIT */
/* Cloth: a piece of fabric, made from a grid or from a mesh of triangles and quads. */
#ifndef WEFT_CLOTH_H
#define WEFT_CLOTH_H

#include <weft/fabric.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct weft_sim weft_sim;

typedef enum weft_stretch_model {
    WEFT_STRETCH_SPRINGS = 0, /* quads: springs along warp, weft and both diagonals; triangles: membrane */
    WEFT_STRETCH_MEMBRANE = 1 /* everything is an anisotropic membrane; quads by their two drawn triangles */
} weft_stretch_model;

typedef enum weft_spring_law {
    WEFT_LAW_CONSISTENT = 0, /* stiffness from the moduli and the shape of the cell: does not depend on the mesh */
    WEFT_LAW_VILLARD = 1     /* K · 2^level, K the modulus read as N/m (Villard 2002 eq. 3): depends on the mesh */
} weft_spring_law;

typedef enum weft_bending_model {
    WEFT_BENDING_AUTO = 0,   /* beams for flat grids and pure quad meshes at flat rest, else the curvature tensor */
    WEFT_BENDING_BEAMS = 1,  /* threads of quads as beams (Villard 2002 eq. 5); needs quads only, flat at rest */
    WEFT_BENDING_TENSOR = 2, /* curvature tensor of each triangle */
    WEFT_BENDING_HINGES = 3  /* plain hinges, for comparison: they do not converge on irregular meshes */
} weft_bending_model;

typedef enum weft_limit_method {
    WEFT_LIMIT_STIFFEN = 0, /* the fabric's stretch limit as stiffening inside the solve */
    WEFT_LIMIT_PROVOT = 1,  /* edges longer than the limit are shortened after the step (Provot 1995) */
    WEFT_LIMIT_NONE = 2
} weft_limit_method;

/* What grids and meshes have in common. */
typedef struct weft_cloth_model {
    weft_stretch_model stretch;
    weft_spring_law law;
    weft_bending_model bending;
    weft_limit_method limit;
    double pressure; /* overpressure inside a closed piece whose normals point outward, Pa; [-1e6, 1e6]; 0 */
    /* Fabric per cloth, panel or face. fabrics[0] serves all unless face_fabric or panel_fabric say otherwise; NULL:
     * the default fabric. The arrays are read during the call only. */
    const weft_fabric *fabrics;
    int32_t n_fabrics;
    const int32_t *face_panel;   /* per face, in [0, n_panels); NULL: all 0 */
    const int32_t *panel_fabric; /* per panel, in [0, n_fabrics); NULL: all 0 */
    int32_t n_panels;
    const int32_t *face_fabric; /* per face, in [0, n_fabrics); goes before panel_fabric; NULL: by panel */
} weft_cloth_model;

/* A flat rectangle of quads. Node (i, j), i along warp, has the index i + n_warp · j; face (i, j) is i + (n_warp − 1) ·
 * j. The front, where normals point, is axis_warp × axis_weft. */
typedef struct weft_grid_def {
    size_t struct_size;
    int32_t n_warp;      /* nodes along warp; [2, 8192]; 2 */
    int32_t n_weft;      /* nodes along weft; [2, 8192]; 2 */
    double size_warp;    /* m; [1e-4, 250]; 1 */
    double size_weft;    /* m; [1e-4, 250]; 1 */
    weft_vec3 corner;    /* where node (0, 0) is, m; (0, 0, 0) */
    weft_vec3 axis_warp; /* direction, need not be a unit vector; (1, 0, 0) */
    weft_vec3 axis_weft; /* direction, made perpendicular to the other; (0, 0, -1) */
    weft_vec3 velocity;  /* m/s; |v| ≤ 1e4; (0, 0, 0) */
    weft_cloth_model model;
} weft_grid_def;

/* Faces are the triangles first, then the quads; each lists its nodes counter-clockwise seen from the front. An edge
 * has one or two faces, which agree in orientation. */
typedef struct weft_mesh_def {
    size_t struct_size;
    int32_t n_nodes;
    const weft_vec3 *positions;  /* m, within ±250 m times world_scale */
    const weft_vec3 *velocities; /* m/s; NULL: at rest */
    const weft_vec2 *uv;         /* material coordinates, u along warp, m; NULL: from the rest shape */
    /* Without uv: the shape at rest, m; NULL: positions. Warp is then where x (for faces across it, y) points on each
     * face. With uv, rest is flat and this must be NULL. */
    const weft_vec3 *rest_positions;
    /* Mass added at each node (beads, buttons), kg; [0, 1e6]; NULL: none. Nodes of no face may be if they have some. */
    const double *node_mass;
    int32_t n_triangles;
    const int32_t *triangles; /* 3 a triangle */
    int32_t n_quads;
    const int32_t *quads; /* 4 a quad */
    weft_cloth_model model;
} weft_mesh_def;

WEFT_API weft_grid_def weft_grid_def_default(void);
WEFT_API weft_mesh_def weft_mesh_def_default(void);

WEFT_API weft_result weft_cloth_create_grid(weft_sim *sim, const weft_grid_def *def, weft_cloth_id *out,
                                            weft_error *error);
WEFT_API weft_result weft_cloth_create_mesh(weft_sim *sim, const weft_mesh_def *def, weft_cloth_id *out,
                                            weft_error *error);

/* Also removes the attachments and ties that name it. */
WEFT_API weft_result weft_cloth_remove(weft_sim *sim, weft_cloth_id id, weft_error *error);

typedef struct weft_cloth_info {
    int32_t n_nodes;
    int32_t n_triangles; /* as drawn: a quad is two */
    int32_t n_faces;
    uint32_t revision;                 /* changes when nodes or triangles do: indices are valid for one revision */
    double mass;                       /* kg */
    double area;                       /* at rest, m² */
    double edge_length;                /* mean at rest, m */
    double poisson_warp, poisson_weft; /* of the springs' lattice, or of the membrane; of the first face */
} weft_cloth_info;

WEFT_API weft_result weft_cloth_get_info(const weft_sim *sim, weft_cloth_id id, weft_cloth_info *out,
                                         weft_error *error);

/* Copies out. n is the number of items that `out` has room for and must be at least what get_info says; stride is the
 * distance between items in bytes, 0: packed. Normals are unit, zero where undefined. */
WEFT_API weft_result weft_cloth_get_positions(const weft_sim *sim, weft_cloth_id id, weft_vec3 *out, int32_t n,
                                              size_t stride, weft_error *error);
WEFT_API weft_result weft_cloth_get_velocities(const weft_sim *sim, weft_cloth_id id, weft_vec3 *out, int32_t n,
                                               size_t stride, weft_error *error);
WEFT_API weft_result weft_cloth_get_normals(const weft_sim *sim, weft_cloth_id id, weft_vec3 *out, int32_t n,
                                            size_t stride, weft_error *error);
WEFT_API weft_result weft_cloth_get_masses(const weft_sim *sim, weft_cloth_id id, double *out, int32_t n,
                                           weft_error *error);
WEFT_API weft_result weft_cloth_get_uv(const weft_sim *sim, weft_cloth_id id, weft_vec2 *out, int32_t n,
                                       weft_error *error);
/* Three node indices a triangle; n counts triangles. */
WEFT_API weft_result weft_cloth_get_triangles(const weft_sim *sim, weft_cloth_id id, int32_t *out, int32_t n,
                                              weft_error *error);

/* Puts nodes elsewhere (snapped to the grid of positions), or changes their speed. History of the integrator is
 * dropped. */
WEFT_API weft_result weft_cloth_set_positions(weft_sim *sim, weft_cloth_id id, const weft_vec3 *in, int32_t n,
                                              weft_error *error);
WEFT_API weft_result weft_cloth_set_velocities(weft_sim *sim, weft_cloth_id id, const weft_vec3 *in, int32_t n,
                                               weft_error *error);

#ifdef __cplusplus
}
#endif
#endif
