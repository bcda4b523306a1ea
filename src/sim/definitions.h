/* SPDX-License-Identifier: MIT */
/* What the user has made: cloths, colliders, attachments and ties, behind ids. They change only by calls of the API and
 * by adapting; the model (model.h) is made from them. */
#ifndef WEFT_SIM_DEFINITIONS_H
#define WEFT_SIM_DEFINITIONS_H

#include <weft/weft.h>

#include "contact/collider/collider_mesh.h"
#include "contact/collider/shape.h"
#include "force/forces.h"
#include "mesh/forest.h"
#include "sim/keys.h"
#include "sim/slots.h"

/* Scratch of a look at a cloth, which tells where it should split or merge (adapt.c). */
typedef struct look_space {
    int32_t n_nodes, n_elements;
    vec3 *normal;
    double *cosine;
    double *wanted; /* size of elements that the user wants at each node, m; NULL: no callback */
    int32_t *least; /* smallest level of the elements at each node */
    bool *named;    /* nodes with an attachment or a tie, which must not go */
    bool *split;    /* elements */
    bool *merge;    /* the first of four elements that are to merge */
    int32_t n_split, n_merge;
    /* While merging is tried as a motion (merge_motion.c), per node: the two whose middle it goes to, -1: it stays; and
     * whether it came too near to something. */
    int32_t (*towards)[2];
    bool *struck;
} look_space;

typedef struct cloth {
    surface *roots;   /* as it was made */
    surface *surface; /* as it is; the same as `roots` until something splits */
    forest forest;    /* empty: the cloth has never adapted */
    weft_adapt adapt;
    double next_look; /* when to look again whether elements should split or merge, s */
    double few_from;  /* until when a few that should are left to wait, s */
    look_space look;
    cloth_material material; /* fabrics and node_mass are the two arrays below */
    weft_fabric *fabrics;
    int32_t n_fabrics;
    double *node_mass; /* one a node of the surface, or NULL */
    weft_filter filter;
    weft_untangle_side side;
    int32_t offset;  /* of its nodes in the state */
    int32_t n_tilts; /* of its bending (forces.h) */
    int32_t tilt_offset;
    int32_t model_tilts; /* where they begin in the model */
} cloth;

typedef struct sim_collider {
    weft_collider_kind kind;
    shape shape;         /* not of meshes */
    collider_mesh *mesh; /* NULL: analytic */
    pose still;
    keys keys;    /* n = 0: stands still */
    bool is_sent; /* by weft_collider_set_pose: the next step sets the times of its two keys */
    double friction, dissipation;
    weft_filter filter;
    weft_untangle_side side;
    int32_t model_index;
    vec3 force, torque; /* by cloth, over the last step */
} sim_collider;

typedef struct attachment {
    weft_attachment_kind kind;
    weft_cloth_id cloth;
    weft_collider_id collider;
    int32_t n;
    int32_t *nodes;    /* of the cloth */
    vec3 *targets;     /* PIN, SOFT: in the world; COLLIDER: in the collider's frame */
    double *stiffness; /* SOFT */
    vec3 *normals;     /* CLAMP: the cloth's when it took hold, as at the first key; else NULL */
    keys keys;
    vec3 rod_point, rod_axis;
    double rod_friction;
    vec3 *force;        /* by the cloth, over the last step */
    double spring;      /* SOFT: stiffness before weights */
    double from, until; /* when it holds, s */
    bool holds;         /* in this substep (constrain.c) */
    bool catches;       /* without targets, from later on: its targets are where nodes are then, … */
    bool has_caught;    /* … which was … */
    double caught_at;   /* … at this time, s */
} attachment;

/* Of one pair of a tie. */
typedef struct spring_pull_par {
    double stiffness, length;
} spring_pull_par;

typedef struct tie {
    weft_cloth_id cloth_a, cloth_b;
    int32_t n;
    int32_t *a, *b;
    double stiffness, length, damping;
    spring_pull_par *each; /* NULL: all as above */
    int32_t model_first;   /* its springs in the model */
    bool welded;           /* each pair is one degree of freedom; there are no springs */
} tie;

typedef struct definitions {
    slots cloths, colliders, attachments, ties;
    weft_layer *layers;
    int32_t n_layers, layer_room;
} definitions;

/* Of an id; NULL: there is none. */
cloth *definitions_cloth(const definitions *d, weft_cloth_id id);
sim_collider *definitions_collider(const definitions *d, weft_collider_id id);

/* The target by which an attachment, with its keys or collider at `time`, has a node at x. */
vec3 attachment_target_at(const definitions *d, const attachment *a, vec3 x, double time);

/* Number of a collider's id; how many there are if it is none of them. */
int32_t definitions_collider_index(const definitions *d, const sim_collider *c);

/* Those that weft_collider_set_pose has sent somewhere get there during the step that begins. */
void colliders_set_off(definitions *d, double now, double h);

/* By their filters (sim_filter.c). */
bool collides_with(const cloth *c, const sim_collider *other);

/* Where a collider's keys have it. */
pose sim_collider_pose(const sim_collider *c, double time);

void look_space_destroy(look_space *w, mem *m);

#endif
