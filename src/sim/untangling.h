/* SPDX-License-Identifier: MIT */
/* Phase 5 of the step: what is tangled is pulled apart while the simulation runs. */
#ifndef WEFT_SIM_UNTANGLING_H
#define WEFT_SIM_UNTANGLING_H

#include "untangle/group.h"
#include "untangle/minimise.h"

/* Patches beside those of lines (INTRUDER_LINES): what is in a closed mesh, with that mesh; and what touches. The bit
 * after each is the other side. */
#define TANGLED_INSIDE (UINT64_C(1) << 60)
#define TANGLED_TOUCH (UINT64_C(1) << 62)

typedef struct untangling {
    bool made;     /* when something is first found to intersect; all arrays below are empty before */
    int32_t *sewn; /* per node: the one that it is always at the same place with */
    mesh_adjacency w;
    contours c;
    intruders s;
    minimise k;
    uint8_t *held;             /* per node: pinned */
    weft_untangle_side *sides; /* per object */
    weft_untangle_layer *layers;
    int32_t n_layers;
    bool *entered;   /* per cloth, then collider: it intersects that mesh, which is closed, and is partly in it */
    bool *pierced;   /* per object, where groups are parted: a limb goes right through it */
    vec3 *way;       /* per cloth node: out of the meshes it is in, m */
    int32_t *n_in;   /* per cloth node: how many meshes it is in */
    uint64_t *grown; /* per node: scratch */
    vec3 *total;     /* per cloth node: how far the present substep moves it, m */
    int32_t n_cloth, n_nodes, n_objects, n_colliders;
    int32_t n_inside;      /* cloth nodes in closed meshes that their cloth intersects */
    int32_t (*pairs)[2];   /* triangles that intersect at the start */
    int64_t n_pairs, room; /* of pairs */
    bool moved;            /* total is not all zero */
    bool by_groups;        /* contours are parted by groups (untangle/group.h), rather than shortened */
    bool groups_made;
    bool sided; /* some contours are of objects that have sides: these are shortened all the same */
    groups groups;
} untangling;

#endif
