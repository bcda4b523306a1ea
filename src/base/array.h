/* SPDX-License-Identifier: MIT */
/* Growable arrays. One is three variables,
 *
 *     T *items;
 *     int32_t n;      or int64_t, size_t: how many there are
 *     int64_t room;   for how many there is memory
 *
 * all zero at first, and given back by MEM_FREE(m, items, room). `m` is the memory it grows in, as in mem.h: NULL is
 * the C library's heap, and free() does as well then. What grows is zeroed. Where there is no memory, or the size is
 * none that an object can have, the macros give false, and the three variables are as they were.
 *
 * The macros look at their arguments more than once. The functions are for items whose size is known at run time only:
 * they return the items, which may have moved, and `room` tells whether that worked. */
#ifndef WEFT_BASE_ARRAY_H
#define WEFT_BASE_ARRAY_H

#include <assert.h>

#include "base/mem.h"

/* Room for n items in all. An array that has to grow becomes larger by half at least, so that appending one by one
 * moves each item a few times only. */
#define ARRAY_RESERVE(m, items, room, n)                                                                               \
    (array_holds((room), (int64_t)(n)) ||                                                                              \
     ((items) = array_reserve((m), (items), &(room), (int64_t)(n), sizeof *(items)),                                   \
      array_holds((room), (int64_t)(n))))

/* The same with an eighth and 256 items to spare, and no more than that: for arrays that are filled anew in each step
 * with about as many items as before, so that steady steps ask for no memory. */
#define ARRAY_RESERVE_STEADY(m, items, room, n)                                                                        \
    (array_holds((room), (int64_t)(n)) ||                                                                              \
     ((items) = array_reserve_steady((m), (items), &(room), (int64_t)(n), sizeof *(items)),                            \
      array_holds((room), (int64_t)(n))))

/* Room for `more` items behind those that are there, of which n must be able to count all. */
#define ARRAY_RESERVE_MORE(m, items, n, room, more)                                                                    \
    ((int64_t)(n) <= ARRAY_MOST(n) - (more) && ARRAY_RESERVE((m), (items), (room), (int64_t)(n) + (more)))
#define ARRAY_MOST(n) (sizeof(n) < sizeof(int64_t) ? (int64_t)INT32_MAX : INT64_MAX)

/* Appends a value. */
#define ARRAY_PUSH(m, items, n, room, value)                                                                           \
    (ARRAY_RESERVE_MORE((m), (items), (n), (room), 1) && (assert(items), (items)[(n)++] = (value), true))

void *array_reserve(mem *m, void *items, int64_t *room, int64_t n, size_t item_size);
void *array_reserve_steady(mem *m, void *items, int64_t *room, int64_t n, size_t item_size);

/* Gives back the memory behind the first n items (if n is 0: nothing). False if they would have to move and cannot. */
bool array_trim(mem *m, void **items, int64_t *room, int64_t n, size_t item_size);

static inline bool array_holds(int64_t room, int64_t n)
{
    return n >= 0 && n <= room;
}

#endif
