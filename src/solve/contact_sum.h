/* SPDX-License-Identifier: MIT */
/* Energy, gradient and Hessian of many contacts, side by side.
 *
 * Each contact is evaluated by itself; then each chunk of rows adds up what its rows get, contact by contact in their
 * order. So no two threads write to one row, and every sum has the order of a loop over the contacts.
 *
 * A plan for contacts that are found anew at every evaluation lies in scratch memory. That for pairs, which lasts for
 * all inner solves of a step, is the sum's own: beneath the solve it would be in the way of that. */
#ifndef WEFT_SOLVE_CONTACT_SUM_H
#define WEFT_SOLVE_CONTACT_SUM_H

#include "base/arena.h"
#include "solve/assembly.h"
#include "solve/contact_term.h"
#include "solve/params.h"

#define CONTACT_BLOCKS 6 /* that four nodes couple, each with its transpose */

typedef struct contact_share {
    vec3 g;
    mat3 h;
    bool acts;
} contact_share;

typedef struct contact_sum {
    contact_share *shares; /* per contact, in scratch memory while it is evaluated */
    int32_t (*places)[CONTACT_BLOCKS];
    int32_t *chunk_start; /* contacts with a degree of freedom among the chunk's rows … */
    int32_t *chunk_items;
    int32_t *piece_chunks; /* per piece of contacts and chunk, while it is planned: how many, or where the next goes */
    int32_t n, n_chunks, placed;                           /* placed: the matrix's revision; −1: not yet */
    int64_t place_room, start_room, item_room, piece_room; /* of a plan of its own */
} contact_sum;

void contact_sum_destroy(contact_sum *s, mem *m);

/* For contacts whose nodes are those of `terms`, until they change, which evaluations with a gradient need. It is taken
 * of `scratch`, until the caller releases it; NULL: it is the sum's own, and a sum has always the one or the other.
 * False without memory. */
bool contact_sum_plan(contact_sum *s, const assembly *a, const contact_term *terms, int32_t n, arena *scratch);

/* Energy at a->x; adds to the gradient, if not NULL, and with_hessian to the assembly's matrix, before
 * blockmat_finish. With a gradient it takes scratch, leaves nothing taken, and is not a number without memory. */
double contact_sum_eval(contact_sum *s, assembly *a, const contact_term *terms, int32_t n, vec3 *gradient,
                        bool with_hessian, arena *scratch);

#endif
