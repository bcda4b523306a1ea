/* SPDX-License-Identifier: MIT */
/* One pair that comes too near, as a constraint on the step's end; and the impulse that satisfies it.
 *
 * With the weights w and the normal n of the contact the gap is g(τ) = n·Σ w_i x_i(τ), linear in time. It must be
 * `aim` at the contact's time t and at the end of the step, and g(t) = (1 − t) g(0) + t g(1), so both together are
 *
 *     n·Σ w_i x1_i ≥ bound = max(aim, (aim − (1 − t) g(0)) / t).
 *
 * An impulse λ n moves the degree of freedom j by λ P_j W_j n / m_j, W = Tᵀ w, P_j what it is free to do. Σ w = 0, so
 * it adds no momentum; and Σ w_i x_i(t) is along n, so it adds no angular momentum. */
#ifndef WEFT_CONTACT_PREVENT_IMPACT_H
#define WEFT_CONTACT_PREVENT_IMPACT_H

#include <weft/ccd.h>

#include "contact/prevent/prevent.h"

/* What a degree of freedom has been pushed away from by something that is not among the pairs: it does not go back. */
typedef struct obstacle {
    vec3 normal; /* out of it */
    int32_t n;   /* 0: none; 1: one; 2: in several directions, it does not move at all */
} obstacle;

typedef struct impact {
    int32_t node[4];
    double w[4];
    vec3 normal;
    double time;         /* proven: no contact before */
    double floor;        /* it hits below this, m … */
    double aim, aim_end; /* … and is sent to these */
    double bound;
    double push, push_v; /* impulses of the inelastic solve so far */
    bool edges;
} impact;

/* The degrees of freedom of an impact that can move, and how each goes by a unit of impulse along the normal. */
typedef struct impact_reach {
    int32_t n;
    int32_t dof[8];
    double w[8];  /* Tᵀ w */
    vec3 step[8]; /* P W n / m */
    double yield; /* Σ W n·step: by how much the gap opens; 0: nothing gives way */
} impact_reach;

typedef struct impact_world {
    const prevent_world *world;
    const obstacle *obstacle; /* per dof; NULL: none */
    const vec3 *x0;
    vec3 *x1, *v1;
} impact_world;

/* What a pair has got in this step: friction is clamped by the sum, and there is one bounce. */
typedef struct ledger_entry {
    int32_t node[4];
    int32_t edges;                 /* 0, 1; −1: empty */
    double normal, tangential;     /* of positions, kg m */
    double normal_v, tangential_v; /* of velocities, kg m/s */
    int32_t constraint;            /* the last one of this pair, plus one; 0: none */
} ledger_entry;

typedef struct ledger {
    ledger_entry *entries; /* a table with 2^k places */
    int64_t room, n;
} ledger;

bool ledger_reset(ledger *l, mem *m, int64_t n_expected);
/* The pair's entry; NULL without memory. Valid until the next call. */
ledger_entry *ledger_find(ledger *l, mem *m, const impact *c);
void ledger_destroy(ledger *l, mem *m);

/* Fills w, normal and time: of the closest points just before contact, at the latest time that is proven free. There
 * the two are still apart, so that the normal is sure to have the right sign and to be along the gap, which keeps
 * angular momentum. */
void impact_place(impact *c, const vec3 x0[4], const vec3 x1[4], const weft_ccd_hit *hit);

/* Fills bound from node, w, normal, time, aim. */
void impact_bind(const impact_world *w, impact *c);

/* Along the direction e of unit length (the normal, or friction's). */
void impact_reach_along(const impact_world *w, const impact *c, vec3 e, impact_reach *out);

/* Σ w_i a_i, where a is x1 or v1 (moving obstacles: the mean velocity of the step). */
vec3 impact_position(const impact_world *w, const impact *c);
vec3 impact_velocity(const impact_world *w, const impact *c);

/* How much is missing: > 0 where the constraint does not hold. */
double impact_missing(const impact_world *w, const impact *c);

/* The impulse with friction and bounce (provot1997 eq. 4). True if it moved something. */
bool impact_respond(const impact_world *w, const impact *c, ledger_entry *entry);

/* a_j += λ step_j */
void impact_push(const impact_reach *r, double lambda, vec3 *a);

/* Whether a degree of freedom can move otherwise than as prescribed. */
bool impact_dof_is_free(const impact_world *w, int32_t dof);

/* k_f or k_d of a pair: each primitive's by its weights; the factor of a collider times the cloth's, the mean of two
 * cloths. */
double impact_coefficient(const impact_world *w, const impact *c, const double *of_node);

#endif
