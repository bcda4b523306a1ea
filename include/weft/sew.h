/* SPDX-License-Identifier: MIT */
/* Sewing: a garment's panels, placed round a body, are pulled together along their seams, welded, and settle.
 *
 * A sewing works on a simulation of its user's, which has the body as a collider. It adds one cloth, and then makes the
 * steps: while seams are pulled shut there is no weight and much air; then seams are welded, weight comes on, and the
 * cloth comes to rest. What was sewn is the cloth; the sewing itself may go when it is done. Several garments are sewn
 * one after the other, the inner before the outer. */
#ifndef WEFT_SEW_H
#define WEFT_SEW_H

#include <weft/garment.h>
#include <weft/sim.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct weft_sew weft_sew;

/* The garment and the pattern are read while the sewing is made; stages and fabrics too. */
typedef struct weft_sew_def {
    size_t struct_size;
    const weft_garment *garment; /* placed: positions are where the sewing begins */
    const weft_pattern *pattern; /* the one it was made from */
    weft_cloth_model model; /* fabrics, bending …; face_panel and n_panels are the garment's. With `adapt`, elements
                                    split and merge from settling on, on both sides of seams alike, if all are welded */
    weft_collider_id body;  /* has no friction while seams are pulled, and then what it had */
    bool has_body;          /* false: there is none */
    const int32_t *seam_stage; /* a seam a number, [0, 1000]: lower ones are pulled first; NULL: by the panels' names:
                                    trunk, legs, what makes a ring of a sleeve or band, and cuffs to sleeves 0,
                                    others of sleeves 1, of bands, collars and hoods 2; the next stage is drawn
                                    along with little force */
    double speed;              /* at which the two sides of a seam come together at most, m/s; [0.01, 100]; 1 */
    double tension;            /* with which they are pulled at most, N a metre of seam; [0.1, 1e5]; 200 */
    double within;             /* nodes nearer than this are welded, m; [1e-6, 0.01]; 5e-4 */
    double at_last;            /* when the time for sewing is over, those nearer than this are, and what then
                                    intersects is untangled; pulling ends, too, when all have been nearer than half
                                    of it for 0.2 s; m; [0, 0.1]; 0.04 */
    /* Width of hems and of seam allowances, whose layers strengthen the edges of panels but bands, m; [0, 0.1]; 0.01 */
    double hem;
    double step;             /* s; [1e-4, 0.1]; 1/60 */
    double sew_time;         /* at most, s; [0, 1000]; 3 */
    double relax_time;       /* welded, but without weight or friction yet, s; [0, 1000]; 0.25 */
    double settle_time;      /* at most, s; [0, 1000]; 2 */
    double still;            /* at rest when the speed's mean by mass is below, m/s; [0, 10]; 0.02 */
    weft_vec3 gravity;       /* after sewing, m/s²; (0, -9.81, 0) */
    double sew_viscosity;    /* of the air, N·s/m³ (weft_sim_def.air_viscosity): while sewing; [0, 1e4]; 2 */
    double settle_viscosity; /* while settling; [0, 1e4]; 1 */
    double end_viscosity;    /* that is left; [0, 1e4]; 0 */
} weft_sew_def;

WEFT_API weft_sew_def weft_sew_def_default(void);

/* Adds the cloth to the simulation. The simulation must live as long as the sewing. */
WEFT_API weft_result weft_sew_create(weft_sim *sim, const weft_sew_def *def, weft_sew **out, weft_error *error);
/* NULL is fine; what was sewn stays. Before the end of pulling it gives gravity and the body's friction back. From
 * within a callback of the simulation it does nothing, and the log is told so. */
WEFT_API void weft_sew_destroy(weft_sew *sew);
WEFT_API weft_cloth_id weft_sew_cloth(const weft_sew *sew);

typedef enum weft_sew_phase {
    WEFT_SEW_PULL = 0,
    WEFT_SEW_RELAX = 1,
    WEFT_SEW_SETTLE = 2,
    WEFT_SEW_DONE = 3
} weft_sew_phase;

typedef struct weft_sew_state {
    weft_sew_phase phase;
    int32_t stage, n_stages;   /* of seams that are pulled */
    int32_t n_seams, n_welded; /* seams, and those that are welded */
    double gap;                /* largest of the seams not welded, m */
    double gap_mean;           /* of all pairs of nodes, welded ones included, m */
    double time;               /* in this phase, s */
    double speed;              /* mean by mass of the last step, m/s */
    int32_t n_steps;           /* so far */
    int32_t n_mended;          /* pairs of triangles that intersected after welding and were untangled */
    int32_t n_tangled;         /* that were left */
} weft_sew_state;

/* One step of the simulation, with what sewing does before and after it. In WEFT_SEW_DONE nothing happens. stats and
 * state may be NULL. A failed or cancelled step can be made again. */
WEFT_API weft_result weft_sew_step(weft_sew *sew, weft_step_stats *stats, weft_sew_state *state, weft_error *error);

typedef struct weft_sew_seam {
    const char *name; /* as in the pattern, or NULL; valid as long as the sewing */
    int32_t seam;     /* in the pattern */
    int32_t n_pairs;
    double length_a, length_b; /* of its sides at rest, as meshed, m */
    double gap;                /* largest distance of two nodes that it joins, m */
    double gap_pulled;         /* what pulling had left of it, before its nodes were drawn together and welded, m */
    bool welded;
} weft_sew_seam;

WEFT_API weft_result weft_sew_get_seam(const weft_sew *sew, int32_t seam, weft_sew_seam *out, weft_error *error);

/* Per node of the sewn cloth, the node of lowest number that seams join it to (itself without): for weft_audit_def.same
 * and for whoever wants one mesh. n is at least the number of the garment's nodes. */
WEFT_API weft_result weft_sew_same(const weft_sew *sew, int32_t *out, int32_t n, weft_error *error);

#ifdef __cplusplus
}
#endif
#endif
