/* SPDX-License-Identifier: MIT */
/* Scratch memory with marks: who works for a while takes what it needs, and gives it all back by going back to a mark.
 *
 *     arena_mark before = arena_mark_of(a);
 *     vec3 *x = arena_take(a, n * sizeof *x);
 *     ...
 *     arena_release(a, before);
 *
 * A simulation has one. What its phases take one after the other lies in the same place, so it is no larger than the
 * phase that needs the most: the solve, with the values of the matrix and of the preconditioner. A function that takes
 * something for a caller says so, and until when: until the caller goes back to a mark from before.
 *
 * Memory comes in blocks. When one is full the next is used, or made; what was taken never moves. Blocks stay when what
 * is in them is released: a steady step takes from those that there are, and calls no allocator.
 *
 * One thread takes and releases; others may use what was taken. */
#ifndef WEFT_BASE_ARENA_H
#define WEFT_BASE_ARENA_H

#include "base/mem.h"

struct arena_block;

typedef struct arena {
    mem *mem;
    struct arena_block *first, *top; /* all blocks; the last that something was taken of, NULL: nothing is taken */
    int64_t in_use, most;            /* bytes taken now; the most that ever were */
    int64_t size;                    /* of all blocks together, bytes */
} arena;

typedef struct arena_mark {
    struct arena_block *top;
    int64_t used; /* bytes of that block */
    int64_t in_use;
} arena_mark;

void arena_init(arena *a, mem *m);
/* Gives all blocks back to the allocator, taken or not. It may be used again. */
void arena_destroy(arena *a);

/* So many bytes, aligned to a line of the cache, of any content. NULL: there is no memory, or nothing is asked for. */
void *arena_take(arena *a, int64_t bytes);

/* p, which was taken last and has n_old bytes, with room for n_new; it may move, and keeps what it has. NULL without
 * memory: p is as it was. p NULL: as arena_take. */
void *arena_extend(arena *a, void *p, int64_t n_old, int64_t n_new);

arena_mark arena_mark_of(const arena *a);
/* All that was taken since the mark goes back. */
void arena_release(arena *a, arena_mark m);

/* One block of at least so many bytes, where nothing is taken: who knows what it will take spares the arena a second
 * block, with what is left of the first in vain. False without memory. */
bool arena_reserve(arena *a, int64_t bytes);

/* What arena_take makes of a size: for sums that are to be reserved. */
int64_t arena_rounded(int64_t bytes);

/* p = array of n items, of any content; true if that worked or n is 0. */
#define ARENA_TAKE(a, p, n) (((p) = arena_take((a), (int64_t)(n) * (int64_t)sizeof *(p))) != NULL || (n) == 0)

#endif
