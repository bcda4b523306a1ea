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

typedef struct cloth_contact {
    int32_t n_nodes, n_cloth, n_triangles, n_objects;
    const int32_t (*triangles)[3]; /* those of forces, and their cloths, where there are no meshes; else … */
    const int32_t *object;         /* per triangle */
    int32_t (*own_triangles)[3], *own_object; /* … these, for all */
    bool *fixed;                              /* per object */
    int32_t *same;                            /* per node */
    pair_node *nodes;
    intern_table pars; /* pair_par */
    vec3 *x0, *x1, *x; /* all nodes: at the start, where they are going, during the solve: the model's */
    double reach;      /* farthest that any pair is felt, m */
    uint64_t *tangled; /* per node: the patches that intersect others which it is on (patches_may_pass); NULL: never */
    int32_t n_tangled; /* pairs of triangles that intersect; more than 0: they are looked for at the next start */
    untangling untangling;
    bvh *bvh;         /* NULL: cloth passes through */
    verlet_list list; /* what the solve and prevention look at, where it holds */
    pair_set pairs;
    pair_memories next; /* what its pairs will remember of this substep */
    couple couple;
    prevent_world prevent;
    prevent_pair *squeezed; /* of the step's substeps so far */
    int32_t n_squeezed;
    int64_t squeezed_room;
} cloth_contact;

#endif
