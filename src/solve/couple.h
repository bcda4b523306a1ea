/* SPDX-License-Identifier: MIT */
/* The matrix's pattern follows the contacts between cloths: each step may couple other nodes.
 *
 * The pattern is that of the forces and, beside it, the couplings of the present contacts; both it and the levels of
 * the preconditioner are laid out anew when the couplings differ from those before. The aggregates stay those of the
 * forces alone. So pattern and preconditioner depend on the mesh and the present contacts, not on what came before: a
 * state that is restored goes on bit for bit. */
#ifndef WEFT_SOLVE_COUPLE_H
#define WEFT_SOLVE_COUPLE_H

#include "solve/newton.h"

typedef struct couple {
    pattern plain;     /* of the forces; made when first needed */
    coupling *present; /* what the matrix has beside it */
    coupling *wanted;
    int32_t n_present;
    int64_t present_room, wanted_room;
    int32_t *row_start, *n_cols, *cols; /* while they are sorted: by row */
    int32_t n_rows;
    int64_t col_room;
} couple;

void couple_destroy(couple *c, mem *m);

/* Contacts of four nodes each, which lie `stride` bytes apart; nodes beyond those of the assembly do not count. */
typedef struct couple_list {
    const int32_t *node;
    size_t stride;
    int32_t n;
} couple_list;

/* Couples the nodes of each contact with each other; *changed: something was laid out anew. False without memory:
 * matrix and preconditioner are then to be made anew. */
bool couple_contacts(couple *c, assembly *a, newton_work *w, const couple_list *contacts, bool *changed);

#endif
