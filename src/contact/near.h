/* SPDX-License-Identifier: MIT */
/* Cloth near cloth, and near meshes: pairs of a vertex and a triangle, or of two edges, as contact terms for the solve.
 *
 * Which pairs there are is settled once a step, from where the nodes are and where they are about to go. Where on its
 * primitives a pair touches, and along which normal, is found anew between Newton steps, but never in a line search,
 * and never so that the pair changes sides: one that has passed through keeps the normal it had before, and is pushed
 * back.
 *
 * A pair is felt within its thickness plus a radius. Both give way where the mesh itself is as fine as that: half of
 * the distance that the two have at rest, so that cloth at rest feels nothing of itself; and the thickness is nine
 * tenths of the distance at the step's start, if that is less, so that what has come close is pushed away gently.
 *
 * Stiffness rises as the gap closes, with the factor radius over distance at the step's start, at most STIFFEST: a soft
 * spring is crushed. Two edges have less of it where they meet with an end or lie along each other, unless they were
 * hit. */
#ifndef WEFT_CONTACT_NEAR_H
#define WEFT_CONTACT_NEAR_H

#include "base/pool.h"
#include "contact/friction.h"
#include "contact/gap.h"
#include "contact/near_list.h"

/* What nodes that are alike have in common. */
typedef struct near_par {
    double thickness;             /* m */
    double radius;                /* felt beyond it, m */
    double guard;                 /* contact radius of prevention, m */
    double friction, dissipation; /* of a collider: factors on the fabric's */
    double stiffness;             /* N/m; 0: of a collider */
    double lightness;             /* 1/mass, 1/kg; 0: of a collider */
} near_par;

/* A node that can touch: of a cloth, or of a collider's mesh. */
typedef struct near_node {
    vec3 rest;      /* in its piece, m */
    int32_t common; /* its near_par */
    int32_t piece;  /* nodes of different pieces are far from each other at rest; −1: of a collider */
} near_node;

/* What a pair carries from Newton step to Newton step. */
typedef struct near_state {
    near_pair pair; /* first, as in near_memory */
    vec3 hold;      /* friction at the step's start, over the cone */
    double force;   /* normal, N: then, and what friction goes by in the last Newton step */
    double stiffer; /* by hits */
    double thickness, radius;
    double depth; /* where the last Newton step started, m */
    friction_state friction;
} near_state;

/* What a pair carries from step to step: friction over the cone (contact_hold), so that cloth that lies on cloth does
 * not creep; and how much stiffer it got by hits, so that what presses on it does not hit it again in every step. */
typedef struct near_memory {
    near_pair pair;
    vec3 hold;
    double force;   /* normal, N */
    double stiffer; /* than it would be without the hits so far */
} near_memory;

typedef struct near_memories {
    near_memory *items;
    int64_t n, room;
} near_memories;

/* Pairs by their nodes, in any array whose items begin with a near_pair. */
typedef struct near_table {
    int32_t *place; /* 2^k of them; −1: empty */
    int64_t room;
} near_table;

#define NEAR_HURRIES 4

/* Bits 2 i and 2 i + 1 are the two sides of the i-th pair of patches that intersect, and so may pass each other. */
static inline bool near_patches_meet(uint64_t a, uint64_t b)
{
    const uint64_t first = UINT64_C(0x5555555555555555);
    return ((((a & first) << 1) & b) | (((b & first) << 1) & a)) != 0;
}

/* What a piece of the pairs adds up to. */
typedef struct near_piece {
    int32_t n, at; /* pairs chosen, and where the first goes; or those whose friction switched */
    int32_t hurry[NEAR_HURRIES];
    double least, force, force_was, sliding;
} near_piece;

typedef struct near_set {
    mem *mem;
    pool *pool;
    const near_node *nodes;
    const near_par *pars;
    int32_t n_cloth;         /* nodes [0, n_cloth) move in the solve; the others are where x1 says */
    const uint64_t *tangled; /* per node, which patches it is of: pairs of two that meet are left out; NULL: none */
    double stiffness;        /* factor on the fabric's */
    double reach;            /* most thickness plus radius of any node, m */
    double longest;          /* side of any triangle at rest, m */
    double h;                /* of the substep, s */
    const vec3 *x0;          /* all nodes at the step's start */
    contact_term *terms;
    near_state *states;
    int32_t n;
    int64_t term_room, state_room;
    loan loan; /* the caller's, for near_find; or … */
    own_room own_keep, own_bucket;
    uint8_t *keep;   /* per pair of the list, while they are chosen */
    int32_t *chosen; /* of them, in their order */
    int64_t chosen_room;
    int32_t *bucket; /* likewise; of the first primitive's number: where its pairs begin */
    near_piece *pieces;
    int64_t piece_room;
    near_table table; /* of states while hits are looked up, of memories while pairs begin */
    const near_memories *memory;
    int32_t n_switched;
    int32_t hurry[NEAR_HURRIES]; /* pairs that pass each other by more than 2^(i − 1) of what a substep should have */
    double force, force_was, sliding; /* sums of normal forces, N: now, before, and now of pairs that slide */
    double least;                     /* smallest distance of any pair at the step's start, m */
} near_set;

static inline const near_par *near_par_of(const near_set *s, int32_t vi)
{
    return &s->pars[s->nodes[vi].common];
}

void near_destroy(near_set *s);

/* The list's reach_of, with the set as its context. */
double near_pair_reach(const void *set, const near_pair *p);

/* Chooses, of the pairs of a list that holds for the way from x0 to x1 (all nodes), those that are near or come near on
 * it: in the order of their nodes, and the same ones from any such list. False without memory. */
bool near_find(near_set *s, const near_list *list, const vec3 *x1);

/* Pairs that were hit all the same, with their weights and normal: new ones join, those that are known get stiffer.
 * False without memory. */
typedef struct near_hit {
    near_pair pair;
    double w[4];
    vec3 normal;
} near_hit;

bool near_strike(near_set *s, int32_t n, near_hit (*get)(const void *context, int32_t i), const void *context,
                 const vec3 *x1);

/* Closest points and normals at x (all nodes), friction as it is. */
void near_measure(near_set *s, const vec3 *x);

/* A solve's first Newton step starts at x (all nodes). */
void near_note(near_set *s, const vec3 *x);

/* Terms and friction at x (all nodes), where the last Newton step has led. */
void near_update(near_set *s, const vec3 *x, const vec3 *x1);

/* What to carry over from here; x: cloth nodes at the solution. False without memory. */
bool near_remember(near_set *s, const vec3 *x, near_memories *out);

bool near_memories_reserve(near_memories *m, mem *from, int64_t n);
bool near_memories_copy(near_memories *to, mem *from, const near_memories *m);
void near_memories_destroy(near_memories *m, mem *from);

/* Whether the last near_update left friction as it was. */
bool near_is_settled(const near_set *s);

#endif
