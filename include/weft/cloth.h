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
    /* Quads: springs along warp, weft and both diagonals, where these can have the fabric's moduli (a large shear
     * stiffness in oblong cells they cannot: such quads are membrane, and the log says so); triangles: membrane. */
    WEFT_STRETCH_SPRINGS = 0,
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

/* How long the sides of elements may be at a point of the cloth, m: where they are longer, elements split. May read the
 * simulation, not change it: WEFT_ERROR_BUSY (weft/base.h, callbacks). The same for the same arguments, or results
 * depend on more than the scene. uv is (0, 0) where the cloth has no material coordinates. */
typedef double (*weft_size_fn)(void *user, weft_vec3 position, weft_vec2 uv);

/* Detail where the cloth bends: elements split into four and merge again (Villard 2002 §4). Neighbours differ by one
 * level at most. Splitting does not move the surface; merging does, by no more than is said here. */
typedef struct weft_adapt {
    int32_t max_level; /* how often an element may split; [0, 12]; 0: the mesh stays as it is */
    /* The biggest elements at a node split where a normal beside it is off the node's by more than this, rad; (0, 3];
     * 0.2. */
    double refine_angle;
    double coarsen_angle; /* four merge where all are off by less, rad; [0, ½ refine_angle]; 0.06 */
    double coarsen_way;   /* and no point moves by more than this, m; [0, 1]; 5e-4 */
    double min_size;      /* sides do not get shorter than this, m; [0, 1e3]; 0 */
    int32_t node_limit;   /* of this cloth; [0, 100000000]; 0: none. Beyond, elements no longer split: a warning */
    /* Least time between two looks, s; [0, 10]; 1/60. Fewer than one in 128 elements wait for up to four of them. */
    double interval;
    weft_size_fn size; /* NULL: none */
    void *size_user;
} weft_adapt;

WEFT_API weft_adapt weft_adapt_default(void);

/* What grids and meshes have in common. */
typedef struct weft_cloth_model {
    weft_stretch_model stretch;
    weft_spring_law law;
    weft_bending_model bending;
    weft_limit_method limit;
    weft_adapt adapt; /* all zero: the mesh stays as it is */
    double pressure;  /* overpressure inside a closed piece whose normals point outward, Pa; [-1e6, 1e6]; 0 */
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
    int32_t n_active;    /* nodes that move by themselves; the others hang in the middle of a side and follow it */
    int32_t n_triangles; /* as drawn: a quad is two, and more where nodes hang in its sides */
    int32_t n_faces;
    int32_t level;                     /* of the finest face; 0: as it was made */
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
/* The same as floats, three an item, for vertex buffers; a stride of 0: packed, 12 bytes. What is free of intersections
 * need not be so when rounded. */
WEFT_API weft_result weft_cloth_get_positions_float(const weft_sim *sim, weft_cloth_id id, float *out, int32_t n,
                                                    size_t stride, weft_error *error);
WEFT_API weft_result weft_cloth_get_velocities_float(const weft_sim *sim, weft_cloth_id id, float *out, int32_t n,
                                                     size_t stride, weft_error *error);
WEFT_API weft_result weft_cloth_get_normals_float(const weft_sim *sim, weft_cloth_id id, float *out, int32_t n,
                                                  size_t stride, weft_error *error);
WEFT_API weft_result weft_cloth_get_masses(const weft_sim *sim, weft_cloth_id id, double *out, int32_t n,
                                           weft_error *error);
/* What contacts with colliders and with cloth pressed on the nodes, from both sides together: normal force over area at
 * rest, mean of the last step, Pa. Forces are those of the solve, as in weft_collider_get_force: over a cloth's area
 * they add up to them. 0 before the first step, and once definitions have changed, until the next. */
WEFT_API weft_result weft_cloth_get_pressures(const weft_sim *sim, weft_cloth_id id, double *out, int32_t n,
                                              weft_error *error);
WEFT_API weft_result weft_cloth_get_uv(const weft_sim *sim, weft_cloth_id id, weft_vec2 *out, int32_t n,
                                       weft_error *error);
/* Three node indices a triangle; n counts triangles. */
WEFT_API weft_result weft_cloth_get_triangles(const weft_sim *sim, weft_cloth_id id, int32_t *out, int32_t n,
                                              weft_error *error);

/* Rest lengths of the sides from corner 0 to 1, 1 to 2 and 2 to 0 of each triangle, m; 0 for a side that is drawn only,
 * the diagonal of a quad. n counts triangles. */
WEFT_API weft_result weft_cloth_get_rest_lengths(const weft_sim *sim, weft_cloth_id id, double *out, int32_t n,
                                                 weft_error *error);

/* Level of the face that each triangle is part of. */
WEFT_API weft_result weft_cloth_get_levels(const weft_sim *sim, weft_cloth_id id, uint8_t *out, int32_t n,
                                           weft_error *error);

/* Panel of the face that each triangle is part of (weft_cloth_model.face_panel). */
WEFT_API weft_result weft_cloth_get_panels(const weft_sim *sim, weft_cloth_id id, int32_t *out, int32_t n,
                                           weft_error *error);

/* Another adaptivity from the next step on; max_level 0: the mesh stays as it is now. Welded seams (weft_tie_weld) of
 * the cloth split and merge on both sides alike. Refused for a cloth that is welded to another one, and where more than
 * two borders are welded along the same nodes. */
WEFT_API weft_result weft_cloth_set_adapt(weft_sim *sim, weft_cloth_id id, const weft_adapt *adapt, weft_error *error);

/* Which faces have split, as bytes; none where the mesh stays as it is. A cloth that was made the same way takes them
 * and then has the same nodes; those it had not got from its first mesh are put in the middle of their parents. out
 * NULL asks for the size. */
WEFT_API weft_result weft_cloth_get_shape(const weft_sim *sim, weft_cloth_id id, void *out, size_t *size,
                                          weft_error *error);
WEFT_API weft_result weft_cloth_set_shape(weft_sim *sim, weft_cloth_id id, const void *bytes, size_t size,
                                          weft_error *error);

/* The surface as it is now on the uniform mesh of one level, [0, 12] and no less than its finest face's: the same mesh
 * at any time, for formats and programs that want one topology. With all outputs NULL only the counts are set; else
 * they say how much room there is. Faces are the elements' corners, 4 each, the fourth -1 on a triangle. */
typedef struct weft_uniform {
    int32_t n_nodes, n_triangles, n_faces;
    weft_vec3 *positions;
    weft_vec2 *uv;      /* not touched where the cloth has none */
    int32_t *triangles; /* 3 a triangle */
    int32_t *faces;     /* 4 a face */
} weft_uniform;
WEFT_API weft_result weft_cloth_get_uniform(const weft_sim *sim, weft_cloth_id id, int32_t level, weft_uniform *out,
                                            weft_error *error);

/* Another fabric from the next step on, in place of number `fabric` of those that the cloth was made with ([0,
 * n_fabrics), 0 where there were none); positions and velocities stay. */
WEFT_API weft_result weft_cloth_set_fabric(weft_sim *sim, weft_cloth_id id, int32_t fabric, const weft_fabric *in,
                                           weft_error *error);
WEFT_API weft_result weft_cloth_get_fabric(const weft_sim *sim, weft_cloth_id id, int32_t fabric, weft_fabric *out,
                                           weft_error *error);

/* What it collides with (weft/base.h), from the next step on. Where it has passed through something that it collides
 * with again, the two are pulled apart as what starts tangled. */
WEFT_API weft_result weft_cloth_set_filter(weft_sim *sim, weft_cloth_id id, weft_filter filter, weft_error *error);
WEFT_API weft_result weft_cloth_get_filter(const weft_sim *sim, weft_cloth_id id, weft_filter *out, weft_error *error);

/* On which side of it other things belong that intersect it; DYNAMIC. Layers (weft/sim.h) go before it. */
WEFT_API weft_result weft_cloth_set_side(weft_sim *sim, weft_cloth_id id, weft_untangle_side side, weft_error *error);
WEFT_API weft_result weft_cloth_get_side(const weft_sim *sim, weft_cloth_id id, weft_untangle_side *out,
                                         weft_error *error);

/* Puts nodes elsewhere (snapped to the grid of positions), or changes their speed. Nodes that hang follow the others.
 * History of the integrator is dropped. */
WEFT_API weft_result weft_cloth_set_positions(weft_sim *sim, weft_cloth_id id, const weft_vec3 *in, int32_t n,
                                              weft_error *error);
WEFT_API weft_result weft_cloth_set_velocities(weft_sim *sim, weft_cloth_id id, const weft_vec3 *in, int32_t n,
                                               weft_error *error);

#ifdef __cplusplus
}
#endif
#endif
