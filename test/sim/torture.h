/* SPDX-License-Identifier: MIT */
/* Scenes that are hard on collisions, for tests and benches alike. They use the public API and no function of libm but
 * sqrt, so they are the same on every machine.
 *
 *   ribbon   on end onto a table, where it rumples; from 6 s on pulled up by one end until it hangs straight
 *   sheets   ten of them, each turned a little, fall on a ball and on the ground
 *   mat      twisted by two turns between its ends, which come nearer
 *   funnel   a sheet is pulled through a funnel, an open mesh, by its middle
 *   pinch    two spheres close on a hanging sheet, leave room for its thickness, and go on together
 *   bullet   a sphere of 5 cm flies into a free sheet at 200 m/s for 1/60 s, then stops
 *   stack    five sheets on a table that jerks to and fro
 *
 * And two whose held nodes are moved at a speed that is asked for (torture_violent.c):
 *
 *   ring       a sheet is pulled through a ring by its middle
 *   propeller  a sheet hangs along a blade that spins about a vertical axis, from rest at once */
#ifndef TEST_SIM_TORTURE_H
#define TEST_SIM_TORTURE_H

#include <weft/weft.h>

enum { TORTURE_SCENES = 7, TORTURE_CLOTHS = 10, TORTURE_COLLIDERS = 2 };
extern const char *const torture_names[TORTURE_SCENES];
enum { TORTURE_VIOLENT = 2 };
extern const char *const torture_violent[TORTURE_VIOLENT];

typedef struct torture_options {
    bool adaptive;     /* meshes begin with half the nodes a side, and split once where they bend */
    bool meshes;       /* spheres are meshes of triangles */
    double thickness;  /* of the cloth, m; negative: cotton's */
    double h;          /* s, a step; 0: 1/60 */
    double size;       /* times the number of nodes a side; 0: 1, for which the ribbon has 4000 triangles */
    double turns;      /* of the mat; 0: 2 */
    double speed;      /* of the ring's pins, m/s, or of the propeller, turns a second; 0: 3 */
    weft_sim_def *sim; /* NULL: the default */
} torture_options;

typedef struct torture {
    const char *name;
    weft_sim *sim;
    double h, seconds; /* a step; how long the scene is */
    double pull;       /* when the ribbon's end is taken hold of, s; negative: never, or it has been */
    int32_t n_cloths, n_colliders;
    weft_cloth_id cloths[TORTURE_CLOTHS];
    weft_collider_id colliders[TORTURE_COLLIDERS];
    int32_t n_warp, n_weft; /* nodes of each cloth at first */
    double width, length;   /* along warp and weft, m */
    double thickness;
    weft_collider_def solids[TORTURE_COLLIDERS]; /* as they were made, without what was read during the call */
} torture;

/* *out is empty after a failure. */
weft_result torture_create(torture *out, const char *name, const torture_options *o, weft_error *e);
/* One step of t->h, and what has to be done before it; stats may be NULL. */
weft_result torture_step(torture *t, weft_step_stats *stats, weft_error *e);
/* Steps until t->seconds. */
int32_t torture_n_steps(const torture *t);
void torture_destroy(torture *t);

/* What an exact audit of the present state finds. */
typedef struct torture_found {
    int64_t n_pairs;       /* triangles that intersect, of cloth and cloth or of cloth and a mesh */
    int64_t n_near;        /* triangles nearer to a solid than the thickness, less 1e-9 m */
    weft_audit_pair first; /* of the pairs, if there are any */
    int32_t object[2];     /* of it: cloths, then colliders */
} torture_found;

weft_result torture_audit(const torture *t, torture_found *out, weft_error *e);

#endif
