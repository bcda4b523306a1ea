/* SPDX-License-Identifier: MIT */
/* Scenes of contact whose answer is known, made and measured by the public API alone, so that benches and tests share
 * them. Each run function makes its scene, steps it, measures, and destroys it. Settings are those of
 * weft_sim_def_default unless a definition brings others; what else is changed is said at each scene. */
#ifndef CONTACT_SCENES_H
#define CONTACT_SCENES_H

#include "contact_meshes.h"

#define CONTACT_GRAVITY 9.81 /* m/s², of weft_sim_def_default */

/* ---- a sheet on a slope (contact_slope.c) ------------------------------------------------------------------------ */

typedef enum contact_surface {
    CONTACT_ON_PLANE,
    CONTACT_ON_BOX,
    CONTACT_ON_MESH,           /* flat, of squares of 25 mm cut in two */
    CONTACT_ON_IRREGULAR_MESH, /* flat, of irregular triangles of 25 mm */
    CONTACT_ON_PINNED_CLOTH,   /* flat, each node is held; squares of 20 mm */
    CONTACT_ON_HUNG_CLOTH,     /* lies on a plane, held by its upper edge; squares of 20 mm */
    CONTACT_SURFACES
} contact_surface;

typedef struct contact_slope_def {
    contact_surface surface;
    contact_weave weave;
    const char *fabric;
    double tangent;  /* of the slope */
    double friction; /* k_f of the fabric, and of the cloth under it */
    double speed;    /* down the slope at the start, m/s */
    double edge;     /* of the sheet, which is 0.12 m wide; m */
    double turn;     /* of the sheet on the slope, rad */
    double h;        /* of a step, s */
    double way;      /* that it may go, m: how long the surface is made */
    bool undamped;   /* no air, no damping in the fabric */
    /* s that it lies there first, with weight across the slope alone and no speed; 0: it starts at once. Then it hovers
     * where the law of contact puts it, and what is measured is friction, not the way there. */
    double settle;
    const weft_sim_def *sim; /* NULL: the default */
} contact_slope_def;

typedef struct contact_slope {
    weft_sim *sim;
    weft_cloth_id sheet;
    weft_vec3 down; /* unit, along the slope */
} contact_slope;

/* The sheet is its thickness above the surface, or where it has settled. Empty after a failure. */
weft_result contact_slope_create(contact_slope *out, const contact_slope_def *def, weft_error *e);
void contact_slope_destroy(contact_slope *s);

typedef struct contact_slide {
    double acceleration; /* m/s², of the centre of mass along the slope: the parabola nearest to its places */
    double speed;        /* of that parabola at its end, m/s */
    double known, known_speed;
} contact_slide;

/* g (sin a − k_f cos a). */
double contact_slide_known(const contact_slope_def *def);
/* Fits from 0.1 s to 0.4 s after the start. */
weft_result contact_slide_run(const contact_slope_def *def, contact_slide *out, weft_error *e);

typedef struct contact_creep {
    double mean, most; /* way down the slope of the nodes since t = 1 s, m; most: without regard to direction */
} contact_creep;

weft_result contact_creep_run(const contact_slope_def *def, double seconds, contact_creep *out, weft_error *e);

/* ---- a strip drawn over a cylinder (contact_capstan.c) ----------------------------------------------------------- */

typedef struct contact_capstan_def {
    bool is_mesh; /* 64 sides */
    double friction, edge, h;
    int32_t n_threads;
} contact_capstan_def;

typedef struct contact_capstan {
    double load, hold; /* N; hold: the mean over the last second of four */
    double least, most;
    double ratio, known; /* hold over load; exp(k_f π) */
} contact_capstan;

/* 20 mm wide, half round a cylinder of 50 mm, without weight. One end is pulled with 0.1 N, the other held by pins that
 * go on at 2 mm/s. */
weft_result contact_capstan_run(const contact_capstan_def *def, contact_capstan *out, weft_error *e);

/* ---- five sheets on a plane (contact_layers.c) ------------------------------------------------------------------- */

enum { CONTACT_LAYERS = 5 };

typedef struct contact_layers_def {
    double edge, thickness, h, seconds; /* m, m, s, s */
    int32_t n_threads;
} contact_layers_def;

/* Heights of nodes above what is under them, over the thickness; nodes nearer to a border than a tenth of the sheet are
 * left out. */
typedef struct contact_layers {
    double mean[CONTACT_LAYERS], least[CONTACT_LAYERS]; /* [0]: above the plane */
    double speed;                                       /* of the fastest node at the end, m/s */
} contact_layers;

/* Squares of 0.1 m, 2 mm and the thickness apart, each turned by 7° more than the one below. */
weft_result contact_layers_run(const contact_layers_def *def, contact_layers *out, weft_error *e);

/* ---- a sheet on a body (contact_bodies.c) ------------------------------------------------------------------------ */

typedef enum contact_body {
    CONTACT_SPHERE,
    CONTACT_MESH_SPHERE,
    CONTACT_CYLINDER,
    CONTACT_MESH_CYLINDER,
    CONTACT_BODY,
    CONTACT_BODIES
} contact_body;

typedef struct contact_body_def {
    contact_body body;
    const contact_mesh *mesh; /* of CONTACT_BODY: a person, y up */
    double edge, h, seconds;
    int32_t n_threads;
} contact_body_def;

/* Distances between triangles of cloth and the collider, less the thickness, m. */
typedef struct contact_gaps {
    int32_t n;
    double least, mean, most_of_95, most;
} contact_gaps;

typedef struct contact_draped {
    double thickness;
    /* Triangles nearer than the thickness and 2 mm; where all of it hovers, than 2 mm more than the nearest. */
    contact_gaps near;
    /* Of them, those at least two rings from any that is not: where cloth leaves a round body it goes through all
     * distances, which is no fault. */
    contact_gaps bearing;
    double speed; /* of the fastest node at the end, m/s */
} contact_draped;

/* A square of cotton of 0.3 m on a sphere or a lying cylinder of radius 0.1 m; or one of 0.6 m, with a hole for the
 * head, on shoulders. It begins 5 mm above. */
weft_result contact_body_run(const contact_body_def *def, contact_draped *out, weft_error *e);

/* ---- sheets in empty space (contact_space.c) --------------------------------------------------------------------- */

typedef struct contact_sums_def {
    bool alone;     /* one sheet, which spins and waves and meets nothing: what the integrator does by itself */
    bool converged; /* by contact_converged_def */
    double edge, h, seconds;
    int32_t n_threads;
} contact_sums_def;

/* Changes over the sums of sizes at the start, Σ m |v| and Σ m |x − centre| |v|. */
typedef struct contact_sums {
    double momentum, angular;         /* the largest of a step */
    double momentum_all, angular_all; /* from the start to the end */
    double energy;                    /* kinetic, end over start */
    int32_t touched;                  /* steps with pairs */
} contact_sums;

/* Two squares of 0.1 m at 2 m/s towards each other, one edge-on and off the middle of the other; no air, no weight. */
weft_result contact_sums_run(const contact_sums_def *def, contact_sums *out, weft_error *e);

/* ---- default settings beside converged ones (contact_space.c) ---------------------------------------------------- */

typedef struct contact_apart {
    double most;      /* distance between the two places of any node, m */
    double way;       /* that any node has gone in the converged run, m */
    int32_t unsolved; /* steps of the converged run that stopped at a limit all the same */
} contact_apart;

/* 100 times tighter tolerances, and as many Newton steps as there may be. */
weft_sim_def contact_converged_def(void);

/* The default, or with the law of contact that was said last, for the whole program. */
weft_sim_def contact_sim_def(void);
void contact_use(weft_contact law);
weft_result contact_slope_compare(const contact_slope_def *def, double seconds, contact_apart *out, weft_error *e);
/* A square of 0.5 m, level at first, held at two corners and in the middle between them. */
weft_result contact_swag_compare(double edge, double h, double seconds, int32_t n_threads, contact_apart *out,
                                 weft_error *e);

#endif
