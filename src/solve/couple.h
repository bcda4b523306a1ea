/* SPDX-License-Identifier: MIT */
/* The matrix's pattern follows the contacts between cloths: each step may couple other nodes.
 *
 * The pattern is that of the forces and, beside it, the couplings of the present contacts; both it and the levels of
 * the preconditioner are laid out anew when the couplings differ from those before. The aggregates stay those of the
 * forces alone. So pattern and preconditioner depend on the mesh and the present contacts, not on what came before: a
 * state that is restored goes on bit for bit.
 *
 * A heap has other couplings in nearly every step. Couplings are gathered chunk by chunk of rows, side by side, by the
 * lower of two rows; those that the forces have not, a tenth of the matrix, are carried through the levels alone. */
#ifndef WEFT_SOLVE_COUPLE_H
#define WEFT_SOLVE_COUPLE_H

#include "solve/newton.h"

typedef struct couple {
    sparsity_extra present;      /* what the matrix has beside the pattern of the forces */
    sparsity plain, wanted;      /* in scratch memory: that, and what it is to have beside it; … */
    int32_t *row_start, *n_cols; /* … while it is gathered, of each row, as the lower of two … */
    int32_t *cols;
    int32_t n_rows;
} couple;

void couple_destroy(couple *c, mem *m);

/* Contacts of a vertex and a triangle, or of two edges: four nodes each, and whether they are edges, `stride` bytes
 * apart. Nodes beyond those of the assembly do not count. The nodes of one triangle are coupled by forces. */
typedef struct couple_list {
    const int32_t *node;
    const bool *edges;
    size_t stride;
    int32_t n;
} couple_list;

/* Couples the nodes of the two sides of each contact, which w->pairs was planned for. *changed: something was laid out
 * anew. Takes of the assembly's scratch arena, and leaves nothing taken. False without memory: matrix and
 * preconditioner are then to be made anew. */
bool couple_contacts(couple *c, assembly *a, newton_work *w, const couple_list *contacts, bool *changed);

#endif
