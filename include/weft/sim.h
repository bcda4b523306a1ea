/* SPDX-License-Identifier: MIT */
/* The simulation: everything that moves together. One simulation is used by one thread at a time; several are
 * independent of each other. */
#ifndef WEFT_SIM_H
#define WEFT_SIM_H

#include <weft/attachment.h>
#include <weft/step_stats.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum weft_integrator {
    WEFT_INTEGRATOR_BDF2 = 0,     /* second order, little damping; starts and restarts with implicit Euler */
    WEFT_INTEGRATOR_IMPLICIT = 1, /* implicit Euler: first order, damps */
    WEFT_INTEGRATOR_EXPLICIT = 2  /* Villard 2002 eq. 7 with its bound on velocities; needs small steps */
} weft_integrator;

/* Adds forces (N) to the nodes of a cloth, at the start of a step; they stay constant through it. May read the
 * simulation, not change it: WEFT_ERROR_BUSY (weft/base.h, callbacks). */
typedef void (*weft_force_fn)(void *user, weft_cloth_id cloth, double time, int32_t n_nodes, const weft_vec3 *positions,
                              const weft_vec3 *velocities, const double *masses, weft_vec3 *forces);

/* What is done about cloth that would pass through cloth, itself included, or through a mesh during a step. */
typedef enum weft_response {
    WEFT_RESPONSE_WEFT = 0,   /* impulses, inelastic zones, shorter steps; rigid zones only if these do not help */
    WEFT_RESPONSE_PROVOT = 1, /* Provot 1997: impulses, then rigid zones of impact; for comparison */
    WEFT_RESPONSE_NONE = 2    /* nothing, nor do cloths feel each other: it passes through */
} weft_response;

/* How the solve feels contact of cloth with cloth, and with analytic colliders. Nothing passes through with either.
 * Cloth on meshes of colliders is fine in any case. */
typedef enum weft_contact {
    WEFT_CONTACT_COARSE = 0, /* from pair_radius away: quick, but layers hover, and fast sliding over cloth is braked */
    /* At the thickness: layers lie on each other, cloth slides on all surfaces by Coulomb's law. 1.0 to
     * 1.4 times the time while cloth moves, three times where rumpled cloth rests on itself. */
    WEFT_CONTACT_FINE = 1
} weft_contact;

typedef struct weft_sim_def {
    size_t struct_size;
    weft_vec3 gravity;          /* m/s²; |g| ≤ 1e4; (0, -9.81, 0) */
    weft_integrator integrator; /* BDF2 */
    int32_t n_threads;          /* [0, 256]; 0: one a core; 1 */
    double newton_tolerance;    /* solve until no node would move more than this, m; [1e-12, 1]; 1e-5 */
    /* Newton steps a time step at most; [1, 1000]; 2. Up to six times as many where the cloth is far from solved: nodes
     * still move by more than half an edge and an eighth of the fastest node's way (such a step would not be taken, but
     * halved), many edges are near their limit, folds have shortened the steps, or it begins to slide; four times as
     * many where it lies on meshes, until it is solved to a hundredth of g h², or, with fine contact, on anything, to a
     * fiftieth of what forces do in the step; twice where much of it slides on cloth. */
    int32_t newton_limit;
    double linear_tolerance; /* error of the inner solve in the energy norm; [1e-12, 0.5]; 0.15 */
    int32_t linear_limit;    /* conjugate-gradient iterations a Newton step at most; [1, 1000000]; 5000 */
    int32_t halving_limit;   /* how often a step that fails is halved; [0, 10]; 5 */
    double velocity_bound;   /* explicit: most way a step over the shortest edge at the node; [1e-6, 10]; 0.25 */
    /* Contact with colliders begins this much beyond the thickness, m; [0, 0.1]; 0: a tenth of the edge length, at most
     * 5e-4. Cloth at rest hovers about that much. */
    double contact_radius;
    double contact_stiffness; /* times the fabric's mean stretch stiffness; [1e-3, 1e3]; 1 */
    /* Contact of cloth with cloth and with meshes begins this much beyond the thickness, m; [0, 0.1]; 0: a quarter of
     * the edge length, at most 4e-3. */
    double pair_radius;
    weft_contact contact;   /* WEFT_CONTACT_COARSE */
    weft_response response; /* WEFT_RESPONSE_WEFT: what is free of intersections stays free of them */
    weft_vec3 wind;         /* velocity of the air, m/s; |v| ≤ 1e3; (0, 0, 0) */
    double air_density;     /* kg/m³; [0, 100]; 1.2 */
    double drag_normal;     /* drag coefficient of flow along the normal; [0, 10]; 1 */
    double drag_tangential; /* drag coefficient of flow along the surface; [0, 10]; 0.02 */
    double air_viscosity;   /* C of Villard 2002 §5.1.2 per area: force −C v, N·s/m³; [0, 1e4]; 0 */
    /* Positions are multiples of 2^(world_scale − 32) m within ±256 · 2^world_scale m; [0, 12]; 0. */
    int32_t world_scale;
    weft_alloc_fn alloc; /* NULL: the C library's */
    void *alloc_user;
    weft_log_fn log; /* NULL: none */
    void *log_user;
    weft_parallel_for_fn parallel_for; /* NULL: own threads */
    void *parallel_for_user;
    weft_force_fn force; /* NULL: none */
    void *force_user;
} weft_sim_def;

WEFT_API weft_sim_def weft_sim_def_default(void);
WEFT_API weft_result weft_sim_create(const weft_sim_def *def, weft_sim **out, weft_error *error);
/* NULL is fine. From within a callback it does nothing, and the log is told so. */
WEFT_API void weft_sim_destroy(weft_sim *sim);

/* Moves everything on by h seconds, [1e-7, 0.5]. A failed step leaves the last good state. stats, what the step did
 * (weft/step_stats.h), may be NULL. */
WEFT_API weft_result weft_sim_step(weft_sim *sim, double h, weft_step_stats *stats, weft_error *error);

/* Makes the step that is running (or else the next one) return WEFT_ERROR_CANCELLED soon. From any thread, callback or
 * signal handler. */
WEFT_API void weft_sim_cancel(weft_sim *sim);

WEFT_API double weft_sim_time(const weft_sim *sim);

/* The same for the same build, input and number of steps, whatever the number of threads. */
WEFT_API uint64_t weft_sim_hash(const weft_sim *sim);

/* A node of a cloth or a vertex of a collider's mesh; `index` is that of the id. */
typedef struct weft_squeezed_node {
    bool of_collider;
    int32_t index, node;
} weft_squeezed_node;

/* A vertex and a triangle, or (edges) the ends of two edges, that could not be kept apart. */
typedef struct weft_squeezed {
    bool edges;
    weft_squeezed_node node[4];
} weft_squeezed;

/* The pairs of the last step (weft_step_stats.squeezed_pairs), as many as there is room for; *n: how many there are. A
 * pair is there once for each part of the step in which it had no room. None after definitions have changed. */
WEFT_API weft_result weft_sim_get_squeezed(const weft_sim *sim, weft_squeezed *out, int32_t room, int32_t *n,
                                           weft_error *error);

/* Bytes that hold the state: positions, velocities, history, time, where mesh colliders' vertices are and go.
 * Definitions are not in it: restore needs a simulation that was set up the same way, and continues bit for bit. One
 * with other cloths, colliders (kind, shape), attachments (kind, nodes, rod, collider) or ties (nodes, welded or not)
 * is refused, and the text names the first of them. What may be set from step to step (targets, keys, vertices, pulls,
 * wind) and the numbers of laws (fabrics, stiffness, friction) are the caller's: they are not looked at. out NULL asks
 * for the size. A snapshot is for the version of the library that wrote it, on machines of the same byte order and
 * sizes. Restoring another one fails as WEFT_ERROR_VERSION; the text says who wrote it. */
WEFT_API weft_result weft_sim_snapshot(const weft_sim *sim, void *out, size_t *size, weft_error *error);
WEFT_API weft_result weft_sim_restore(weft_sim *sim, const void *bytes, size_t size, weft_error *error);
/* The same where only cloths, and welded ties, must be those of the snapshot: to go on from it with other colliders and
 * attachments. What contacts and rods remember of friction is dropped; meshes that it does not know stand at their
 * pose. */
WEFT_API weft_result weft_sim_restore_cloths(weft_sim *sim, const void *bytes, size_t size, weft_error *error);
/* Whether it is whole, and of this version of the library: what restore looks at first. */
WEFT_API weft_result weft_snapshot_check(const void *bytes, size_t size, weft_error *error);

/* One cloth is worn over another: what of them intersects goes so that `outer` is on the outside of `inner` (where its
 * normals point), and `inner` on the inside of `outer`. */
typedef struct weft_layer {
    weft_cloth_id inner, outer;
} weft_layer;

/* In place of those before; n: [0, 4096]. Removing a cloth takes its layers along. */
WEFT_API weft_result weft_sim_set_layers(weft_sim *sim, const weft_layer *layers, int32_t n, weft_error *error);
/* As many as there is room for; *n: how many there are. */
WEFT_API weft_result weft_sim_get_layers(const weft_sim *sim, weft_layer *out, int32_t room, int32_t *n,
                                         weft_error *error);

WEFT_API weft_result weft_sim_set_wind(weft_sim *sim, weft_vec3 wind, weft_error *error);
WEFT_API weft_result weft_sim_set_gravity(weft_sim *sim, weft_vec3 gravity, weft_error *error);
WEFT_API weft_result weft_sim_set_air_viscosity(weft_sim *sim, double viscosity, weft_error *error);

#ifdef __cplusplus
}
#endif
#endif
