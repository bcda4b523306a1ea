/* SPDX-License-Identifier: MIT */
/* The contact terms of pairs: from closest points, and how friction goes on. One by one, or four pairs of cloth at a
 * time with the same bits, by a kernel (math/kernel.h). */
#ifndef WEFT_CONTACT_PAIR_PAIR_TERM_H
#define WEFT_CONTACT_PAIR_PAIR_TERM_H

#include "contact/pair/pair_set.h"

/* The reach of a pair that does not touch at present. */
#define PAIR_FAR_AWAY (-1e30)

/* Mean of a property over the pair's nodes at the closest points: those of cloth, or those of colliders; 0 without any.
 * offset: of the property in pair_par. */
double pair_mean(const pair_set *s, const contact_pair *p, const double w[4], bool of_cloth, size_t offset);

#define CLOTH_MEAN(s, p, w, field) pair_mean(s, p, w, true, offsetof(pair_par, field))

/* The term for closest points w and a normal: nodes of the cloth are its unknowns, those of colliders are where x1 has
 * them. */
void pair_term_set(const pair_set *s, const pair_state *st, contact_term *c, const double w[4], vec3 normal,
                   const vec3 *x1);

/* The same of a pair with a mesh of a collider, where it touches. */
void pair_term_touch(const pair_set *s, const pair_state *st, contact_term *c, const pair_touch *t, const vec3 *x1);

/* It does not touch. */
void pair_term_clear(contact_term *c);

typedef struct pair_term_kernel {
    /* Terms of four pairs in a row, all nodes cloth's, with closest points g that are apart, normals along them. */
    void (*set)(const pair_set *s, const pair_state *st, const gap *g, contact_term *c);
    /* friction_renew of four terms of four nodes each. */
    void (*renew)(const contact_term *c, const vec3 *x, const double force[4], friction_state f[4]);
} pair_term_kernel;

extern const pair_term_kernel pair_term_plain, pair_term_avx2;
const pair_term_kernel *pair_term_best(void);

#endif
