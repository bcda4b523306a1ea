/* SPDX-License-Identifier: MIT */
/* Memory of one simulation: the user's allocator with checked sizes. Growable arrays in it are in array.h.
 *
 * Where the functions below take a mem, NULL is the C library's heap without counts: memory that belongs to no
 * simulation, as in libweft-io. */
#ifndef WEFT_BASE_MEM_H
#define WEFT_BASE_MEM_H

#include <weft/base.h>

typedef struct mem {
    weft_alloc_fn fn;
    void *user;
    int64_t n_calls;  /* calls that asked for memory, for the test of steady steps */
    int64_t n_failed; /* of them, those that got none */
    int64_t in_use;   /* bytes handed out and not yet returned */
    int64_t peak;
} mem;

/* fn NULL: the C library's allocator. */
void mem_init(mem *m, weft_alloc_fn fn, void *user);

/* Zeroed array of n items; NULL if n is 0 or there is no memory (MEM_MAKE tells the two apart). */
void *mem_array(mem *m, int64_t n, size_t item_size);

/* p resized from n_old to n_new > 0 items, keeping what fits and zeroing the rest. NULL on failure: p is then as it
 * was. */
void *mem_resized(mem *m, void *p, int64_t n_old, int64_t n_new, size_t item_size);

void mem_free(mem *m, void *p, int64_t n, size_t item_size);

/* p = zeroed array of n items; true if that worked or n is 0. */
#define MEM_MAKE(m, p, n) (((p) = mem_array((m), (n), sizeof *(p))) != NULL || (n) == 0)
#define MEM_FREE(m, p, n) (mem_free((m), (p), (n), sizeof *(p)), (p) = NULL)

#endif
