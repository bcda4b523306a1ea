/* SPDX-License-Identifier: MIT */
/* Energy, gradient and Hessian of many contacts, side by side.
 *
 * Each contact is evaluated by itself; then each chunk of rows adds up what its rows get, contact by contact in their
 * order. So no two threads write to one row, and every sum has the order of a loop over the contacts. */
#ifndef WEFT_SOLVE_CONTACT_SUM_H
#define WEFT_SOLVE_CONTACT_SUM_H

#include "base/loan.h"
#include "solve/assembly.h"
#include "solve/contact_term.h"

#define CONTACT_CHUNK 256 /* rows */
#define CONTACT_BLOCKS 6  /* that four nodes couple, each with its transpose */

typedef struct contact_share {
    vec3 g;
    mat3 h;
    bool acts;
} contact_share;

enum { SUM_SHARES, SUM_PLACES, SUM_START, SUM_ITEMS, SUM_PIECES, SUM_ROOMS };

typedef struct contact_sum {
    contact_share *shares; /* per contact, while it is evaluated */
    int32_t (*places)[CONTACT_BLOCKS];
    int32_t *chunk_start; /* contacts with a degree of freedom among the chunk's rows … */
    int32_t *chunk_items;
    int32_t *piece_chunks; /* per piece of contacts and chunk, while it is planned: how many, or where the next goes */
    int32_t n, n_chunks, placed; /* placed: the matrix's revision; −1: not yet */
    own_room own[SUM_ROOMS];
} contact_sum;

void contact_sum_destroy(contact_sum *s, mem *m);

/* For contacts whose nodes are those of `terms`, until they change, or what it took of `lent` is used by others:
 * evaluations with a gradient need it. False without memory. */
bool contact_sum_plan(contact_sum *s, const assembly *a, const contact_term *terms, int32_t n, loan *lent);

/* Energy at a->x; adds to the gradient, if not NULL, and with_hessian to the assembly's matrix, before
 * blockmat_finish. With a gradient it works in what is lent, and is not a number without memory. */
double contact_sum_eval(contact_sum *s, assembly *a, const contact_term *terms, int32_t n, vec3 *gradient,
                        bool with_hessian, const loan *lent);

#endif
