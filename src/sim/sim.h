/* SPDX-License-Identifier: MIT */
/* The inside of a simulation: definitions (cloths, colliders, attachments, ties) behind ids; the state; and the model,
 * which is made from the definitions when they have changed and holds everything that a step needs, so that a steady
 * step calls no allocator. */
#ifndef WEFT_SIM_SIM_H
#define WEFT_SIM_SIM_H

#include <stdatomic.h>
#include <weft/weft.h>

#include "contact/collider/collider_mesh.h"
#include "contact/collider/collider_contact.h"
#include "sim/dirty_set.h"
#include "sim/keys.h"
#include "sim/cloth_contact.h"
#include "sim/slots.h"
#include "sim/state.h"
#include "solve/newton.h"
#include "mesh/forest.h"

#if defined(__GNUC__)
#define SIM_LIKE_PRINTF __attribute__((format(printf, 3, 4)))
#else
#define SIM_LIKE_PRINTF
#endif

/* What a look at a cloth needs, to see where it should split or merge (adapt.c). */
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
    int32_t offset;    /* of its nodes in the state */
    int32_t n_shares;  /* of its bending (forces.h) */
    int32_t share_offset;
    int32_t model_shares; /* where they begin in the model */
} cloth;

typedef struct sim_collider {
    weft_collider_kind kind;
    shape shape;         /* not of meshes */
    collider_mesh *mesh; /* NULL: analytic */
    pose still;
    keys keys; /* n = 0: stands still */
    double friction, dissipation;
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
    keys keys;
    vec3 rod_point, rod_axis;
    double rod_friction;
    vec3 *force; /* by the cloth, over the last step */
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

/* A node between two neighbours of one attachment is held with them. */
typedef struct held_between {
    int32_t node, end[2]; /* in the state */
    int32_t rod;          /* attachment; -1: not a rod */
} held_between;

/* The meshes among the colliders during a substep, one after the other: immovable nodes, each on its straight way. */
typedef struct model_mesh {
    int32_t n_meshes, n_nodes, n_triangles;
    vec3 *x0, *x1;           /* at the substep's start and at its end, on the grid */
    int32_t (*triangles)[3]; /* nodes count from 0 over all meshes */
    int32_t *owner;          /* of each triangle: its collider in the model */
    int32_t *node_owner;     /* of each node */
} model_mesh;

/* Made by model_build, valid while `dirty` is false. */
typedef struct model {
    bool dirty;
    int32_t n;
    forces forces;
    node_row *rows;
    assembly assembly;
    newton_work newton;
    collider_contacts collider_contacts;
    cloth_contact cloth_contact;
    filter *filters;
    double *mass;
    double gamma[2];        /* γ of the step, and of nodes that start anew in it (newton.h) */
    assembly_motion motion; /* of the step's formula, for damping and air */
    vec3 *target;
    vec3 *external;    /* accelerations by gravity and the user's forces; NULL: gravity alone (external_at) */
    vec3 *q1, *x0, *x; /* of cloth, then, where these meet it, of meshes */
    int64_t n_placed;  /* counts changes of x, of cloth */
    vec3 *own_x0;      /* x0, if that is not the state, which stops to be the start once a substep is accepted */
    /* Of the state being made, in scratch memory from model_take_next to the end of the substep. */
    vec3 *v1;
    contact_memory *next_memory;
    int32_t *next_restart;
    int32_t *shortened;  /* sweep of limit_edges that last moved it; NULL: no edge has a limit */
    dirty_set dirty_set; /* edges that such a sweep has to look at */
    double mean_edge;    /* m; 1 cm where there are no edges */
    double way;          /* that free flight would take the fastest node in this step, m */
    collider *colliders; /* analytic ones first; then meshes, which have a pose but no shape */
    sim_collider **collider_owner;
    int32_t n_colliders, n_analytic;
    model_mesh mesh;
    rod_term *rods;
    int32_t n_rods;
    held_between *between; /* the ends of each are nodes of an attachment, or come before it */
    int32_t n_between;
} model;

struct weft_sim {
    mem mem;
    arena scratch; /* that phases of a step take of; nothing is taken between steps, nor kept from model to model */
    weft_sim_def def;
    pool *pool;
    slots cloths, colliders, attachments, ties;
    state state;
    state backup; /* what it was when the step began, made when a part of the step becomes the state … */
    bool kept;    /* … and it has, in this step; after one that it has not there is no backup */
    model model;
    struct directions *bvh_spare; /* what a model that goes leaves to the next */
    atomic_bool cancel;
    void (*watch)(void *watcher); /* newton_problem's, for benches; or NULL */
    void *watcher;
    weft_step_stats stats;
    int32_t n_enclosed; /* cloths wholly in closed meshes, as was told last (tangled.c) */
};

/* ---- definitions (sim_cloth.c, sim_collider.c, sim_attachment.c) ------------------------------------------------- */

/* The code for what could not be got: no such id, or (then *e is filled in) no simulation. */
weft_result sim_missing(const weft_sim *s, weft_error *e);

/* Farthest coordinate that is accepted from outside, m. */
double sim_world_limit(const weft_sim *s);

cloth *sim_get_cloth(const weft_sim *s, weft_cloth_id id, weft_error *e);
/* Number of its id; how many there are if it is none of them. */
int32_t sim_collider_index(const weft_sim *s, const sim_collider *c);
sim_collider *sim_get_collider(const weft_sim *s, weft_collider_id id, weft_error *e);
void cloth_destroy(weft_sim *s, cloth *c);
void sim_collider_destroy(weft_sim *s, sim_collider *c);
void attachment_destroy(weft_sim *s, attachment *a);
void tie_destroy(weft_sim *s, tie *t);
pose sim_collider_pose(const sim_collider *c, double time);
/* All of a definition but what is of meshes; and the shape of one that is not a mesh. */
weft_result collider_def_check(const weft_collider_def *d, weft_error *e);
shape collider_def_shape(const weft_collider_def *d);

/* Of a mesh: puts the vertices where the pose has them now; whether x is there already, but for rounding; how far a
 * cloth is from it (weft_collider_get_clearance). */
void sim_mesh_place(const weft_sim *s, sim_collider *c);
bool sim_mesh_is_placed(const weft_sim *s, const sim_collider *c, const vec3 *x);
double sim_mesh_clearance(const weft_sim *s, const sim_collider *c, const cloth *cl);

/* Removes attachments and ties that name the cloth (or collider). */
void attachments_drop_cloth(weft_sim *s, weft_cloth_id id);
void attachments_drop_collider(weft_sim *s, weft_collider_id id);

/* Through the user's log callback, if there is one. */
void sim_log(const weft_sim *s, weft_log_level level, const char *format, ...) SIM_LIKE_PRINTF;

/* ---- adapting (adapt.c, reshape.c) ------------------------------------------------------------------------------- */

weft_result adapt_check(const weft_adapt *a, weft_error *e);
void look_space_destroy(look_space *w, mem *m);

/* A node's part of the state, while the mesh changes; indexed by node of the forest. */
typedef struct carrier {
    vec3 q, v, q_past, v_past, accel;
    contact_memory memory;
    int32_t restart;
    double mass;   /* of its degree of freedom, kg */
    vec3 momentum; /* kg m/s; counts where `gained` */
    bool known;    /* false: it is the middle of its parents */
    bool gained;
    bool stayed; /* the place held the same node before */
} carrier;

/* A change of a cloth's mesh: begun, made on a copy of the forest, then committed or dropped; once committed, kept or
 * undone. `forest` and the fields below `nodes` are what the cloth has not got: before the commit what it will have,
 * after it what it had. */
typedef struct reshape {
    weft_sim *sim;
    cloth *cloth;
    forest forest;
    carrier *nodes;
    int32_t n_nodes;
    surface *surface;
    state state;
    double *node_mass;
    int32_t n_shares;
    int32_t *number; /* by node of the forest: in the surface that comes */
    int32_t n_number;
} reshape;

weft_result reshape_begin(reshape *r, weft_sim *s, cloth *c, weft_error *e);
/* Moves nodes onto the coarse element, hands their momentum to its corners, and merges; forest_can_merge must hold. */
void reshape_merge(reshape *r, int32_t ei);
/* A failure changes nothing and drops the reshape. */
weft_result reshape_commit(reshape *r, weft_error *e);
void reshape_undo(reshape *r); /* the last one first */
void reshape_drop(reshape *r); /* also of one that is to be kept */

/* Whether attachments or ties name nodes that are not of the first mesh: another one may lack them. */
bool reshape_names_new_nodes(const weft_sim *s, const cloth *c);

/* A forest of a cloth's roots, with the borders that welded ties join stitched to each other (stitch.c). A failure
 * leaves it empty. */
weft_result stitch_forest(weft_sim *s, const cloth *c, forest *out, weft_error *e);
/* When its welded ties have changed, if it adapts; refused, with nothing done, when something has split. */
weft_result stitch_again(weft_sim *s, cloth *c, weft_error *e);

/* What adapting has changed, until the step has come to its end. */
typedef struct adaptation {
    reshape *changes;
    int32_t n, capacity;
    double time; /* when it looked, s */
} adaptation;

/* Splits and merges elements where that is due. Also after a failure it must be ended: kept, or undone. */
weft_result adapt_cloths(weft_sim *s, adaptation *a, bool split_only, weft_step_stats *stats, weft_error *e);
void adapt_end(weft_sim *s, adaptation *a, bool keep);
/* Of all that the looks have found, takes out what cannot merge without coming too near to something on its way. */
weft_result merges_try(weft_sim *s, weft_step_stats *stats, weft_error *e);

/* Nodes that hang take the mean of their edge's ends, welded ones are where the first of them is. */
void follow_parents(const weft_sim *s, vec3 *a);

/* ---- model (model.c) --------------------------------------------------------------------------------------------- */

weft_result model_build(weft_sim *s, weft_error *e);
void model_destroy(weft_sim *s);
/* The definitions have changed. */
void model_invalidate(weft_sim *s);
/* After a solve: takes scratch for what the state being made has beside q1, and for corrections at colliders. False
 * without memory. */
bool model_take_next(weft_sim *s);

/* With the rows of cloths made: those of welded nodes become one (weld.c). */
void weld_rows(const weft_sim *s, node_row *rows, int32_t n);
/* With the rows: bending across welded seams (seam_bending.c). False without memory. */
bool seam_bending(weft_sim *s, model *m);
/* a[i] of each welded node becomes that of its degree of freedom. */
void weld_follow(const weft_sim *s, vec3 *a);

/* With the colliders made: the nodes and triangles of meshes (sim_mesh.c). False without memory. */
bool model_mesh_make(weft_sim *s, model *m);
void model_mesh_free(weft_sim *s, model *m);

/* ---- the step (step.c, implicit.c, explicit.c, hold.c) ----------------------------------------------------------- */

/* Outcome of one attempt at a substep of length h from the present state. On STEP_DONE the state is the new one. */
typedef enum step_end {
    STEP_DONE,
    STEP_SHORTER, /* nothing was done: cloths pass each other so fast that more halvings are less work */
    STEP_LONGER,  /* nothing was done: so slowly that a part of twice the length, if one is allowed, would do */
    STEP_CUT,     /* the new state is that at a part of the substep */
    STEP_AGAIN,   /* something would pass through: as asked for, nothing was done about it */
    STEP_FAILED,
    STEP_CANCELLED
} step_end;

/* The substep [time, time + h] is part of a step of length `whole`, `done` of which lies behind (for targets set by
 * hand). */
typedef struct substep {
    double h, whole, done;
    int32_t level; /* h is whole/2^level, or what is left */
    bool last;     /* it cannot be halved any more */
    bool rest;     /* the step ends with it, unless it is cut */
    bool guessed;  /* the level is that of the last step, and may be too high */
    bool ask;      /* what would pass through is to be told, not mended */
} substep;

step_end implicit_step(weft_sim *s, const substep *sub, weft_step_stats *stats);
step_end explicit_step(weft_sim *s, const substep *sub, weft_step_stats *stats);

/* Sets filters, and q1 of held nodes to where they are at the substep's end; places colliders; fills rods. */
void hold_nodes(weft_sim *s, const substep *sub);
/* Vertices of mesh colliders (sim_mesh.c): their way through the substep into model.mesh, called by hold_nodes; its end
 * moved forward to `share` of the way; its end becomes where they are. Where they are when a step begins is kept, and
 * comes back if it fails. */
void move_meshes(weft_sim *s, const substep *sub);
void cut_meshes(weft_sim *s, double share);
void commit_meshes(weft_sim *s);
void keep_meshes(weft_sim *s);
void return_meshes(weft_sim *s);
/* Gravity and the user's forces per mass, m/s². */
void external_accelerations(weft_sim *s);
vec3 external_at(const weft_sim *s, int32_t dof);
air_par air_now(const weft_sim *s);

/* Adds to the forces that attachments and colliders have felt: `reaction` is what holds each node, N; that of nodes
 * held between others is added to theirs. */
void record_reactions(weft_sim *s, vec3 *reaction, const vec3 *q, double share);
void record_contact(weft_sim *s, int32_t collider, vec3 point, vec3 force, double share);

/* Thickness, prevention, grid, finiteness; then q1, v1 become the state. STEP_FAILED leaves the state alone. */
step_end commit_step(weft_sim *s, const substep *sub, weft_step_stats *stats);

/* ---- cloth against cloth and meshes (cloth_contact.c) ------------------------------------------------------------ */

weft_result cloth_contact_create(weft_sim *s, weft_error *e);
void cloth_contact_destroy(weft_sim *s);
/* Which patches intersect others at x, all nodes (tangled.c). What does is let pass until it is free. */
weft_result tangled_find(weft_sim *s, const vec3 *x, weft_error *e);
bool tangled_exempts(void *context, const int32_t node[4], bool edges);
/* Things were put elsewhere by hand: they may intersect. */
void tangled_suspect(weft_sim *s);
/* All nodes: cloth from q by T, meshes as they are at the start or the end of the substep. */
void cloth_contact_place(weft_sim *s, const vec3 *q, const vec3 *mesh, vec3 *out);
/* Phase 5 (untangling.c). Looks at what intersects at x, with unravel.pairs filled in, and marks intruders as tangled;
 * then moves q1; then, when the substep has become the state up to `share` of it, the history. False without memory. */
bool untangling_look(weft_sim *s, const vec3 *x);
bool untangling_step(weft_sim *s, const substep *sub, weft_step_stats *stats);
void untangling_commit(weft_sim *s, double share);
void untangling_free(weft_sim *s);

/* Pairs for the solve, from the state and the guess q1. False without memory. */
bool cloth_contact_begin(weft_sim *s, double h, weft_step_stats *stats);
/* Room for them in the matrix, once it is sure that they will be solved for. False without memory. */
bool cloth_contact_couple(weft_sim *s, weft_step_stats *stats);
/* By how many halvings the substep should be shorter, by the speed at which cloths pass each other; −1: it could be
 * twice as long. */
int32_t cloth_contact_hurry(const weft_sim *s);
#define MOST_HURRY 2 /* levels that are gone down to for that */
/* Whether much of what the cloth weighs slid, before the last Newton step, on cloth or on a mesh. */
bool cloth_contact_slides(const weft_sim *s);
/* New closest points at q, if `renew`. Returns whether friction has settled. */
bool cloth_contact_refresh(weft_sim *s, const vec3 *q, newton_moment moment);
/* Puts pairs to where they touch at q, before the solve begins there. */
void cloth_contact_measure(weft_sim *s, const vec3 *q);
/* What pairs remember of the solution, for the commit. False without memory. */
bool cloth_contact_remember(weft_sim *s);
/* Makes q1 and v1 safe. STEP_CUT: they are what is reached at the part *cut of the substep. */
step_end cloth_contact_prevent(weft_sim *s, const substep *sub, double *cut, weft_step_stats *stats);
/* Whether everything can go from where it is to q1, meshes staying where they are; PREVENT_HITS: prevent_get_hit tells
 * what is in the way. */
prevent_end cloth_contact_ask(weft_sim *s, const vec3 *q1);
/* After STEP_AGAIN: the solve feels what was hit. False without memory. */
bool cloth_contact_again(weft_sim *s, weft_step_stats *stats);
/* Pairs that colliders left no room (squeezed.c): forgotten when a step begins; those of the last prevention added. */
void squeezed_clear(weft_sim *s);
void squeezed_note(weft_sim *s);
void squeezed_free(weft_sim *s);
/* Adds what cloth exerted on meshes to their forces. */
void cloth_contact_record(weft_sim *s, const vec3 *q, double share);

/* Provot 1995: shortens edges that exceed their limit. */
void limit_edges(weft_sim *s, double h);
/* Draws a trial of Newton's method out of contacts, and edges in it back from their limit, if they have one; else
 * false. context: the simulation. */
bool retract_trial(void *context, vec3 *q);
/* Whether so many edges are near the limit by stiffening that Newton's method should go on from q; `last`: how its last
 * step has moved degrees of freedom. Then: shortens those that are left in q1. */
bool edges_are_taut(weft_sim *s, const vec3 *q, const vec3 *last);
void loosen_edges(weft_sim *s, const vec3 *last);

#endif
