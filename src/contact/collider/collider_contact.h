/* SPDX-License-Identifier: MIT */
/* Cloth against analytic colliders: which nodes and faces touch, as contact terms for the solve; and, after it, the
 * correction that keeps the thickness exactly.
 *
 * Every point of every triangle must stay `thickness` away. Nodes have a contact of their own, and so has one point of
 * each face; what still comes too near between them the correction after the solve moves out.
 *
 * The stiffness does not rise as the gap closes, as it must between two cloths: colliders do not give way, their gap is
 * restored exactly after the solve, and the rise (to 300 times) made Newton's method stall.
 *
 * Scratch memory: collider_contact_find takes the contacts, and what it works with; collider_contact_ready what
 * corrections need. Both stay taken until the caller releases them. */
#ifndef WEFT_CONTACT_COLLIDER_COLLIDER_CONTACT_H
#define WEFT_CONTACT_COLLIDER_COLLIDER_CONTACT_H

#include "base/arena.h"
#include "base/pool.h"
#include "contact/collider/collider.h"
#include "contact/friction.h"
#include "contact/params.h"
#include "force/forces.h"
#include "solve/filter.h"

/* What a node remembers of its contact from step to step. */
typedef struct contact_memory {
    vec3 friction_ratio; /* friction over the cone (contact_term.h), in the world */
    double force;        /* normal: of a rod, N; of a collider, over that of its spring */
    int32_t owner;       /* collider, or one of the two below */
    int32_t zero;        /* snapshots of equal states are equal to the byte */
} contact_memory;

#define CONTACT_OWNER_NONE (-1)
#define CONTACT_OWNER_ROD (-2)

/* A node or a face that has come near a collider in this step. Most never do: those that do get a slot, and so does a
 * face that may be deeper elsewhere than in its middle.
 *
 * Where on a face its contact is: in the middle, or, where that would miss the collider (a small one under a large
 * face, a rim), at the deepest point when the face first came near in this step. It does not move during the step: were
 * it to follow the deepest point, each Newton step would tilt the face about the wrong place, and none would
 * converge. */
typedef struct collider_contact_slot {
    friction_state friction;
    double depth;    /* of the contact where the last Newton step started, m; 0: there was none */
    vec3 way;        /* from its anchor, along the plane, in the last Newton step, m */
    double b[3];     /* faces: its point */
    vec3 normal;     /* while near … */
    double distance; /* … of a face, at its point, m; of a node: n·x where it just touches */
    bool known;      /* the three below are set, which stay as they are in a solve */
    bool may;        /* it may be near now, by its bound */
    bool near;       /* it is */
    double past;     /* depth when the step started, m */
    vec3 anchor;     /* of its friction */
    double radius;   /* where it begins, beyond the thickness, m */
} collider_contact_slot;

/* In place of a slot's number, for nodes and faces without one. */
#define COLLIDER_SLOT_NONE (-1)
#define COLLIDER_SLOT_MIDDLE (-2) /* a face that has been measured: its point is the middle, which was not near */
#define COLLIDER_SLOT_WANTED (-3) /* during the search: a node that is near, or a face whose middle is */
#define COLLIDER_SLOT_CHOICE (-4) /* likewise: a face whose point may be its deepest one, near or not */

/* Where a node was when the solve started, m. */
typedef struct collider_contact_start {
    float x, y, z;
} collider_contact_start;

/* What a piece of the nodes or faces adds up to. */
typedef struct collider_contact_piece {
    int32_t n, at;                     /* how many are near, and where the contact of the first goes */
    int32_t n_new, first_new;          /* how many need a slot, and which the first of them gets */
    double force, force_was, switched; /* as in collider_contacts */
} collider_contact_piece;

/* How friction's normal forces and states come about. */
typedef enum collider_contact_mode {
    COLLIDER_CONTACT_START, /* from the step's start */
    COLLIDER_CONTACT_KEEP,  /* as they are */
    COLLIDER_CONTACT_NOTE,  /* as they are; a Newton step starts here */
    COLLIDER_CONTACT_UPDATE /* renewed, by the Newton step that led here from where the last one started */
} collider_contact_mode;

typedef struct collider_contacts {
    mem *mem;
    arena *scratch;
    pool *pool;
    int32_t n_nodes, n_faces, n_contacts;
    const forces *forces;
    const face_element *faces;
    const collider *colliders;
    int32_t n_colliders;
    double radius;    /* 0: by edge length */
    bool fine;        /* less where the gap is less (WEFT_CONTACT_FINE) */
    double stiffness; /* factor on the fabric's */
    double slack;     /* way that friction of what is slow gives at least, m */
    double h;         /* of the substep, s */
    const vec3 *x0;   /* nodes at the step's start */
    const vec3 *x;    /* nodes now */
    const contact_memory *memory;
    collider_contact_mode mode;
    int64_t found_at;        /* number of the places that contacts were found at; COLLIDER_CONTACT_NOWHERE: anew */
    double force, force_was; /* sums of normal forces, N … */
    double switched;         /* … of contacts that changed between sticking and sliding */
    int32_t *pushed_by;      /* per node, of collider_contact_ready: collider of the last correction, -1: none … */
    vec3 *push_normal;       /* … and, if there is one, its unit direction */
    int32_t *pushed_in;      /* likewise: sweep of the last correction, 0: none */
    uint8_t *marks;          /* per node or face: the correction's first sweep has something to do there */
    double grid;             /* of positions, m */
    bool fits;               /* the last correction left nothing too near */
    int32_t *node_slot, *face_slot; /* by collider, then node or face */
    float *node_room, *face_room;   /* likewise: what does not move farther from where it started is not near, m */
    collider_contact_slot *slots;
    int32_t n_slots;
    int64_t slot_room;
    collider_contact_start *start;
    double *moved;      /* how far each is from there, m; while contacts are found */
    double *tolerated;  /* by collider, then node: depth that is left to it (embedded.c), m; NULL: all 0 so far */
    bool *unfelt;       /* by collider, then node: it does not feel that one, by their filters; NULL: all feel all */
    int32_t n_embedded; /* of them, those that are not 0: embedded nodes */
    int32_t n_leaving;  /* of these, those that are deeper than they go in this substep, and not released */
    bool suspect;       /* nodes may be embedded: they are looked for when the next step starts */
    vec3 *before;       /* per node: where the correction found it; NULL with one collider, which always leaves room */
    const collider *current;
    double *distance;               /* per node, of whoever measures: find, look, or ready */
    collider_contact_piece *pieces; /* of nodes, then of faces */
    contact_term *contacts;         /* of the last find */
    bool lacking;                   /* there was no memory: what was found counts for nothing */
} collider_contacts;

bool collider_contact_create(collider_contacts *t, mem *m, arena *scratch, pool *p, const forces *f,
                             int32_t n_colliders);
void collider_contact_destroy(collider_contacts *t);

/* Fills contacts for nodes that went from x0 to x; they stay taken. Without memory there are none, and t->lacking
 * tells. placed: x is what it was if this number is, and what was measured there is not measured again. */
#define COLLIDER_CONTACT_NOWHERE (-1)
void collider_contact_find(collider_contacts *t, collider_contact_mode mode, int64_t placed);

/* Whether the last COLLIDER_CONTACT_UPDATE left friction as it was: the sum of normal forces is within a hundredth, and
 * contacts with no more than a hundredth of it changed between sticking and sliding. */
bool collider_contact_is_settled(const collider_contacts *t);

/* Distances of all nodes at x from the collider t->current, into t->distance. */
void collider_contact_measure(collider_contacts *t, const vec3 *x);

static inline const node_par *collider_contact_node_par(const collider_contacts *t, int32_t vi)
{
    return forces_node(t->forces, vi);
}

/* Radius within which node vi feels a collider, beyond the thickness. */
static inline double collider_contact_radius(const collider_contacts *t, int32_t vi)
{
    return t->radius > 0 ? t->radius
                         : min_of(COLLIDER_CONTACT_RADIUS_MOST,
                                  COLLIDER_CONTACT_RADIUS_OF_EDGE * collider_contact_node_par(t, vi)->edge_length);
}

/* The largest thickness of a face's nodes. */
static inline double collider_contact_face_thickness(const collider_contacts *t, const face_element *f)
{
    return max_of(collider_contact_node_par(t, f->node[0])->thickness,
                  max_of(collider_contact_node_par(t, f->node[1])->thickness,
                         collider_contact_node_par(t, f->node[2])->thickness));
}

/* Whether any point of a face may be nearer than `within`, judged by t->distance at its nodes; never wrongly false. */
bool collider_contact_face_may(const collider_contacts *t, const face_element *f, const vec3 x[3], double within);

/* Embedded nodes (embedded.c): finds those that are inside colliders at x, when a substep of t->h begins, and sets by
 * how much each may be nearer than its thickness. COLLIDER_CONTACT_RELEASED: it does not feel that collider. */
#define COLLIDER_CONTACT_RELEASED 1e9
void collider_contact_find_embedded(collider_contacts *t, const vec3 *x, const filter *filters, const node_row *rows);
/* Collider ci leaves node vi alone up to this depth, m, at least. */
void collider_contact_tolerate(collider_contacts *t, int32_t ci, int32_t vi, double depth);

static inline bool collider_contact_is_unfelt(const collider_contacts *t, int32_t ci, int32_t vi)
{
    return t->unfelt && t->unfelt[(int64_t)ci * t->n_nodes + vi];
}

/* How far nodes and faces have to stay from a collider: the thickness, less what is tolerated. */
static inline double collider_contact_margin(const collider_contacts *t, int32_t ci, int32_t vi)
{
    if (collider_contact_is_unfelt(t, ci, vi))
        return -COLLIDER_CONTACT_RELEASED;
    return collider_contact_node_par(t, vi)->thickness -
           (t->n_embedded > 0 ? t->tolerated[(int64_t)ci * t->n_nodes + vi] : 0);
}

static inline double collider_contact_face_margin(const collider_contacts *t, int32_t ci, const face_element *f)
{
    double most = collider_contact_is_unfelt(t, ci, f->node[0]) ? COLLIDER_CONTACT_RELEASED : 0;
    for (int k = 0; k < 3 && t->n_embedded > 0; k++)
        most = max_of(most, t->tolerated[(int64_t)ci * t->n_nodes + f->node[k]]);
    return collider_contact_face_thickness(t, f) - most;
}

typedef struct collider_contact_correction {
    int32_t corrections, squeezed;
    double largest;
} collider_contact_correction;

/* Room for corrections, which stays taken: the next two calls need it. False without memory. */
bool collider_contact_ready(collider_contacts *t);

/* Moves nodes of x, as little as may be, until every triangle keeps its thickness from every collider; fixed nodes
 * (filter kind NONE) stay. What finds no room is released from then on, and stays where it was. pushed_by and
 * push_normal tell of what was moved. */
void collider_contact_enforce(collider_contacts *t, vec3 *x, const filter *filters, const node_row *rows,
                              collider_contact_correction *report);

/* Triangles that are nearer to a collider than their thickness by more than 1e-9 m; x is what collider_contact_enforce
 * left, snapped to the grid. */
int32_t collider_contact_count_squeezed(collider_contacts *t, const vec3 *x);

#endif
