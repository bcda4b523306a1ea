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
 * Stiffness rises as the gap closes, with the factor radius over distance at the step's start, at most PAIR_STIFFEST: a
 * soft spring is crushed. Two edges have less of it where they meet with an end or lie along each other, unless they
 * were hit. */
#ifndef WEFT_CONTACT_PAIR_PAIR_SET_H
#define WEFT_CONTACT_PAIR_PAIR_SET_H

#include "base/pool.h"
#include "contact/friction.h"
#include "contact/gap.h"
#include "contact/params.h"
#include "contact/pair/pair_ring.h"
#include "contact/pair/pair_touch.h"
#include "contact/pair/verlet_list.h"

/* What nodes that are alike have in common. */
typedef struct pair_par {
    double thickness;             /* m */
    double radius;                /* felt beyond it, m */
    double guard;                 /* contact radius of prevention, m */
    double friction, dissipation; /* of a collider: factors on the fabric's */
    double stiffness;             /* N/m; 0: of a collider */
    double lightness;             /* 1/mass, 1/kg; 0: of a collider */
} pair_par;

/* A node that can touch: of a cloth, or of a collider's mesh. */
typedef struct pair_node {
    vec3 rest;      /* in its piece, m */
    int32_t common; /* its pair_par */
    int32_t piece;  /* nodes of different pieces are far from each other at rest; −1: of a collider */
} pair_node;

/* What a pair carries from Newton step to Newton step. */
typedef struct pair_state {
    contact_pair pair;   /* first, as in pair_memory */
    vec3 friction_ratio; /* friction at the step's start, over the cone */
    double force;        /* normal, N: then, and what friction goes by in the last Newton step */
    double stiffer;      /* by hits */
    double thickness, radius;
    double depth; /* where the last Newton step started, m */
    friction_state friction;
    /* Of a pair with a mesh of a collider alone: */
    pair_sides sides;
    double k;        /* N/m, of all of it */
    double apart;    /* at the step's start, m */
    double past;     /* depth at the step's start, m; ≥ 0 */
    double distance; /* of the closest points, m */
    int32_t corner;  /* node that is its triangle's closest point, if all triangles there have it as theirs; −1 */
    bool above;      /* the closest points are inside of both when the step starts */
    bool touches;    /* it has closest points that count */
    bool was_hit;    /* in this substep */
} pair_state;

/* What a pair carries from step to step: friction over the cone (contact_friction_ratio), so that cloth that lies on
 * cloth does not creep; and how much stiffer it got by hits, so that what presses on it does not hit it again in every
 * step. */
typedef struct pair_memory {
    contact_pair pair;
    vec3 friction_ratio;
    double force;   /* normal, N */
    double stiffer; /* than it would be without the hits so far */
} pair_memory;

typedef struct pair_memories {
    pair_memory *items;
    int64_t n, room;
} pair_memories;

/* Pairs by their nodes, in any array whose items begin with a contact_pair. */
typedef struct pair_index {
    int32_t *place; /* 2^k of them; −1: empty */
    int64_t room;
} pair_index;

#define PAIR_PASSING_LEVELS 4

/* Bits 2 i and 2 i + 1 are the two sides of the i-th pair of patches that intersect, and so may pass each other. */
static inline bool patches_may_pass(uint64_t a, uint64_t b)
{
    const uint64_t first = UINT64_C(0x5555555555555555);
    return ((((a & first) << 1) & b) | (((b & first) << 1) & a)) != 0;
}

/* What a piece of the pairs adds up to. */
typedef struct pair_piece {
    int32_t n, at; /* pairs chosen, and where the first goes; or those whose friction switched */
    int32_t passing[PAIR_PASSING_LEVELS];
    double least, force, force_was, sliding;
    double firm, firm_sliding, firm_was; /* of pairs with meshes, likewise */
    bool changed;                        /* which of these touch */
} pair_piece;

typedef struct pair_set {
    mem *mem;
    pool *pool;
    const pair_node *nodes;
    const pair_par *pars;
    int32_t n_cloth; /* nodes [0, n_cloth) move in the solve; the others are where x1 says */
    const pair_ring *ring;
    const uint64_t *tangled; /* per node, which patches it is of: pairs of two that meet are left out; NULL: none */
    double stiffness;        /* factor on the fabric's */
    double reach;            /* most thickness plus radius of any node, m */
    double longest;          /* side of any triangle at rest, m */
    double h;                /* of the substep, s */
    /* Per node of cloth: from how far beyond its thickness it feels cloth, once it has come near to some (pair_rest.c),
     * m. */
    const double *rest_radius;
    double slow;    /* pairs of cloth that come nearer or part by less in it lie (pair_lying.c), m; 0: none does */
    const vec3 *x0; /* all nodes at the step's start */
    contact_term *terms;
    pair_state *states;
    int32_t n;
    int64_t term_room, state_room;
    arena *scratch;  /* for pair_set_find, which leaves nothing taken: … */
    uint8_t *keep;   /* … per pair of the list, while they are chosen */
    int32_t *chosen; /* of them, in their order */
    int64_t chosen_room;
    int32_t *bucket; /* scratch likewise; of the first primitive's number: where its pairs begin */
    pair_piece *pieces;
    int64_t piece_room;
    pair_index table; /* of states while hits are looked up, of memories while pairs begin */
    const pair_memories *memory;
    int32_t n_switched;
    int32_t passing
        [PAIR_PASSING_LEVELS]; /* pairs that pass each other by more than 2^(i − 1) of what a substep should have */
    double force, force_was, sliding; /* sums of normal forces, N: now, before, and now of pairs that slide */
    /* Of pairs with meshes of colliders: normal forces, N; friction's greatest of those that slide, now and before. */
    double firm, firm_sliding, firm_was;
    int32_t n_firm;
    double *node_force; /* per node, of the last step's pairs with it as their vertex: normal, N, and … */
    vec3 *node_ratio;   /* … their friction over the cone, weighed by it */
    vec3 *node_way;     /* per node of cloth that is above a mesh: normals, away from it */
    int64_t node_room, ratio_room, way_room;
    int32_t n_nodes;
    bool begun;   /* forces of the last step have been handed out */
    double least; /* smallest distance of any pair at the step's start, m */
} pair_set;

static inline const pair_par *pair_par_of(const pair_set *s, int32_t vi)
{
    return &s->pars[s->nodes[vi].common];
}

void pair_set_destroy(pair_set *s);

/* The list's reach_of, with the set as its context. */
double pair_set_reach(const void *set, const contact_pair *p);

/* Chooses, of the pairs of a list that holds for the way from x0 to x1 (all nodes), those that are near or come near on
 * it: in the order of their nodes, and the same ones from any such list. False without memory. */
bool pair_set_find(pair_set *s, const verlet_list *list, const vec3 *x1);

/* Pairs that were hit all the same, with their weights and normal: new ones join, those that are known get stiffer.
 * False without memory. */
typedef struct pair_hit {
    contact_pair pair;
    double w[4];
    vec3 normal;
} pair_hit;

bool pair_set_add_hits(pair_set *s, int32_t n, pair_hit (*get)(const void *context, int32_t i), const void *context,
                       const vec3 *x1);

/* Closest points and normals at x (all nodes), friction as it is. */
void pair_set_measure(pair_set *s, const vec3 *x);

/* A solve's first Newton step starts at x (all nodes). Friction with meshes begins by what pressed in the last step:
 * where other pairs of a vertex touch now, these. */
void pair_set_note(pair_set *s, const vec3 *x);

/* Terms and friction at x (all nodes), where the last Newton step has led. */
void pair_set_update(pair_set *s, const vec3 *x, const vec3 *x1);

/* What to carry over from here; x: cloth nodes at the solution. False without memory. */
bool pair_set_remember(pair_set *s, const vec3 *x, pair_memories *out);

/* How far nodes feel cloth in the next step, from `radius`, how far they did in this one; x: cloth nodes at the
 * solution. False without memory. */
bool pair_set_rest(pair_set *s, const vec3 *x, double *radius);

bool pair_memories_reserve(pair_memories *m, mem *from, int64_t n);
bool pair_memories_copy(pair_memories *to, mem *from, const pair_memories *m);
void pair_memories_destroy(pair_memories *m, mem *from);

/* Whether it touches by the rules of meshes: one side is a mesh of a collider, or it is cloth that lies on cloth. */
static inline bool pair_is_firm(const pair_state *st)
{
    return st->sides.firm != PAIR_FIRM_NONE || st->sides.lies;
}

/* Whether the last pair_set_update left friction as it was. */
bool pair_set_is_settled(const pair_set *s);

#endif
