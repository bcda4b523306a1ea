/* SPDX-License-Identifier: MIT */
/* Threads: one parallel_for. What is computed may not depend on how many there are: callers cut the work into pieces
 * by size alone, and no piece writes what another reads or writes. */
#ifndef WEFT_BASE_POOL_H
#define WEFT_BASE_POOL_H

#include "base/mem.h"

typedef struct pool pool;

typedef void (*pool_fn)(void *context, int32_t i);

/* n_threads ≥ 1, the caller's included; 0: as many as the machine has cores. user_for not NULL: it runs the work, and
 * no thread is made. NULL if there is no memory. A thread that cannot be made is done without. */
pool *pool_create(mem *m, int32_t n_threads, weft_parallel_for_fn user_for, void *user);
void pool_destroy(pool *p);
int32_t pool_n_threads(const pool *p);
/* Whether pool_for goes from 0 to n − 1, one after the other. */
bool pool_is_in_order(const pool *p);

/* run(context, i) for every i in [0, n); returns when all are done. Not to be called from within run. */
void pool_for(pool *p, int32_t n, pool_fn run, void *context);

#endif
