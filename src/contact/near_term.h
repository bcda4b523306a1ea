/* SPDX-License-Identifier: MIT */
/* The contact terms of pairs: from closest points, and how friction goes on. One by one, or four pairs of cloth at a
 * time with the same bits, compiled plain and for AVX2 (math/lanes.h). */
#ifndef WEFT_CONTACT_NEAR_TERM_H
#define WEFT_CONTACT_NEAR_TERM_H

#include "contact/near.h"

/* Way that friction gives before it slides, m. The force of a pair in a pile is some 1e-4 N: with the stiffness of the
 * contact itself friction would let go after 1e-7 m, which no Newton step resolves, and a pile never came to rest. */
#define NEAR_SLACK 1e-4

/* Mean of a property over the pair's nodes at the closest points: those of cloth, or those of colliders; 0 without any.
 * offset: of the property in near_par. */
double near_mean(const near_set *s, const near_pair *p, const double w[4], bool of_cloth, size_t offset);

#define CLOTH_MEAN(s, p, w, field) near_mean(s, p, w, true, offsetof(near_par, field))

/* The term for closest points w and a normal: nodes of the cloth are its unknowns, those of colliders are where x1 has
 * them. */
void near_term_set(const near_set *s, const near_state *st, contact_term *c, const double w[4], vec3 normal,
                   const vec3 *x1);

typedef struct near_term_kernel {
    /* Terms of four pairs in a row, all nodes cloth's, with closest points g that are apart, normals along them. */
    void (*set)(const near_set *s, const near_state *st, const gap *g, contact_term *c);
    /* friction_renew of four terms of four nodes each. */
    void (*renew)(const contact_term *c, const vec3 *x, const double force[4], friction_state f[4]);
} near_term_kernel;

extern const near_term_kernel near_term_plain;
extern const near_term_kernel near_term_avx2; /* if LANES_HAVE_AVX2 */
const near_term_kernel *near_term_best(void);

#endif
