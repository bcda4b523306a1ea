/* SPDX-License-Identifier: MIT */
/* Where a pair touches, and along which normal: so that every point of a smooth surface has one contact, and a flat
 * mesh acts as a plane.
 *
 * The closest points of a vertex and a triangle count where the vertex is above the triangle, along the triangle's
 * normal; above a side that two triangles share, where no point of either is nearer, along the way between the two,
 * half for each triangle; above a corner, where no other triangle there is nearer, in equal parts; above a border too,
 * the less the farther beside it. Those of two edges count where one of them is a ridge that faces the other: the
 * flatter it is the less (PAIR_RIDGE), so that the edges of flat meshes do not catch on each other. (The blocks of
 * Offset Geometric Contact, Chen et al. 2025, but for these shares.)
 *
 * Sides do not depend on the closest points: a vertex that a trial has led through a triangle is on the side where it
 * was, and is pushed back there. */
#ifndef WEFT_CONTACT_PAIR_PAIR_TOUCH_H
#define WEFT_CONTACT_PAIR_PAIR_TOUCH_H

#include "contact/gap.h"
#include "contact/pair/verlet_list.h"

/* Which primitives lie beside those of a pair: the corners opposite to the triangle's sides, or those of the first
 * edge's two triangles and the second's (pair_ring.h). */
#define PAIR_BESIDE_UNKNOWN (-2)

/* Which of the two does not give way: a collider's. */
typedef enum pair_firm { PAIR_FIRM_NONE, PAIR_FIRM_FIRST, PAIR_FIRM_SECOND } pair_firm;

/* What a pair is, beside its nodes, while it lasts. */
typedef struct pair_sides {
    int32_t beside[4];
    double side; /* 1 or −1; 0: not known, so it does not touch */
    pair_firm firm;
    /* Of two edges, where they were inside of each other first; not known yet: −1. It does not follow what they do
     * within a step: cloth that gives way a little and is less of a ridge then would swing to and fro. */
    double share, damp;
    bool lies; /* cloth on cloth, slow (pair_lying.c) */
    bool hit;  /* prevention has found that it touches, whatever lies beside */
} pair_sides;

typedef struct pair_touch {
    double w[4];
    vec3 normal;  /* unit, from the second primitive to the first */
    double share; /* of stiffness and friction; 0: it does not touch */
    double damp;  /* of the damper */
    int corner; /* of the triangle, 0 to 2: it is the nearest point, and whether it counts is for all triangles there to
                   * say, which shares are as many for; −1 */
} pair_touch;

/* Of the vertex above the triangle's plane, or of the first edge above the second, along the normal of its corners'
 * order; 0 where that is none. */
double pair_height(const vec3 *x, const contact_pair *p);

/* That normal, of unit length, or 0. */
vec3 pair_normal(const vec3 *x, const contact_pair *p);

/* g: of x. */
pair_touch pair_touch_at(const vec3 *x, const contact_pair *p, pair_sides *s, const gap *g);

#endif
