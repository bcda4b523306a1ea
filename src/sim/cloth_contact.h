/* SPDX-License-Identifier: MIT */
/* Cloth meets cloth, itself and meshes: the one list of colliding triangles, and what stands on it: the tree, the pairs
 * that the solve feels, and prevention.
 *
 * Nodes are those of the state, then those of collider meshes; triangles are those drawn of all cloths, then those of
 * the meshes. All of it is made with the model. */
#ifndef WEFT_SIM_CLOTH_CONTACT_H
#define WEFT_SIM_CLOTH_CONTACT_H

#include "contact/pair/pair_set.h"
#include "contact/prevent/prevent.h"
#include "sim/untangling.h"
#include "solve/couple.h"
#include "solve/newton.h"

typedef struct cloth_contact {
    int32_t n_nodes, n_cloth, n_triangles, n_objects;
    const int32_t (*triangles)[3]; /* those of forces, and their cloths, where there are no meshes; else … */
    const int32_t *object;         /* per triangle */
    int32_t (*own_triangles)[3], *own_object; /* … these, for all */
    bool *fixed;                              /* per object */
    weft_filter *filters;                     /* per object; NULL: all collide */
    int32_t *same;                            /* per node */
    pair_node *nodes;
    intern_table pars; /* pair_par */
    vec3 *x0, *x1, *x; /* all nodes: at the start, where they are going, during the solve: the model's */
    double reach;      /* farthest that any pair is felt, m */
    uint64_t *tangled; /* per node: the patches that intersect others which it is on (patches_may_pass); NULL: never */
    int32_t n_tangled; /* pairs of triangles that intersect; more than 0: they are looked for at the next start */
    bool parting;      /* what intersected at the substep's start is known, and pulled apart in it */
    untangling untangling;
    bvh *bvh;         /* NULL: cloth passes through */
    verlet_list list; /* what the solve and prevention look at, where it holds */
    pair_ring ring;
    pair_set pairs;
    pair_memories next; /* what its pairs will remember of this substep */
    couple couple;
    prevent_world prevent;
    prevent_pair *squeezed; /* of the step's substeps so far */
    int32_t n_squeezed;
    int64_t squeezed_room;
    bool solves_in_vain; /* a substep of this step was solved again for its hits, to no end (SOLVE_CROWD) */
} cloth_contact;

struct model;
struct state;

/* Of the model and the state; makes and frees model.cloth_contact. */
weft_result cloth_contact_create(struct model *m, const struct state *st, weft_error *e);
void cloth_contact_destroy(struct model *m);
/* Parts of making the model, by what collides with what (sim_filter.c). False without memory. */
bool cloth_contact_filter(struct model *m, cloth_contact *cc);
bool collider_contact_filter(struct model *m);

/* All nodes: cloth from q by T, meshes as they are at the start or the end of the substep. */
void cloth_contact_place(struct model *m, const vec3 *q, const vec3 *mesh, vec3 *out);

/* Pairs for the solve, from the state and the guess q1. False without memory. */
bool cloth_contact_begin(struct model *m, const struct state *st, double h, weft_step_stats *stats);
/* By how many halvings the substep should be shorter, by the speed at which cloths pass each other; −1: it could be
 * twice as long (step control, substep.h). */
int32_t cloth_contact_wish(const struct model *m);
/* Room for the pairs in the matrix, once it is sure that they will be solved for. False without memory. */
bool cloth_contact_couple(struct model *m, weft_step_stats *stats);
/* The same after PREVENT_HITS: the solve feels what was hit. False without memory. */
bool cloth_contact_again(struct model *m, weft_step_stats *stats);
/* Puts pairs to where they touch at q, before the solve begins there. */
void cloth_contact_measure(struct model *m, const vec3 *q);
/* New closest points at q, where a Newton step begins. Returns whether friction has settled. */
bool cloth_contact_refresh(struct model *m, const vec3 *q, newton_moment moment);
/* Whether much of what the cloth weighs slid, before the last Newton step, on cloth or on a mesh. */
bool cloth_contact_slides(const struct model *m);
/* What pairs remember of the solution, for the commit. False without memory. */
bool cloth_contact_remember(struct model *m);
/* Adds `fraction` of what cloth exerted on meshes to their forces. */
void cloth_contact_record(struct model *m, const vec3 *q, double fraction);

#endif
