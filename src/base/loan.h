/* SPDX-License-Identifier: MIT */
/* Memory that somebody else does not need for a while, and memory of our own where it does not do. */
#ifndef WEFT_BASE_LOAN_H
#define WEFT_BASE_LOAN_H

#include "base/mem.h"

enum { LOAN_PARTS = 2 };

typedef struct loan_taken {
    int64_t of[LOAN_PARTS];
} loan_taken;

typedef struct loan {
    char *at[LOAN_PARTS];
    int64_t n[LOAN_PARTS]; /* bytes */
    loan_taken taken;      /* what is taken goes back by setting this to what it was */
} loan;

/* Of our own, in place of what may be lent. */
typedef struct own_room {
    char *at;
    int64_t n;
} own_room;

/* Adds what begins at `at`, of which there may be LOAN_PARTS; NULL: nothing. */
void loan_add(loan *l, void *at, size_t bytes);

/* So many bytes of what is lent, or else of our own; aligned for anything. NULL: there is no memory, or nothing is
 * asked for. Own memory that is large enough stays in use: so a steady step asks for none, whatever is lent to it. */
void *loan_take(loan *l, mem *m, int64_t bytes, own_room *own);
/* The same for what is a little more or less every time. */
void *loan_take_some(loan *l, mem *m, int64_t bytes, own_room *own);

void own_room_free(own_room *own, mem *m);

#endif
