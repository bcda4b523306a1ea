/* SPDX-License-Identifier: MIT */
/* Who may call the API when: the user's callbacks run in the middle of its functions, where a change would pull memory
 * and state away under them.
 *
 * Every public function that changes a simulation enters and leaves; while one is inside, all others are refused. Those
 * that read are let in where everything is whole: between functions that change, and in callbacks that are called with
 * the gate open (forces, sizes, log). Allocators and parallel_for are called amid changes, so it stays closed there.
 * A reader that calls the allocator holds changes off meanwhile. Counters are atomic, since work of a parallel_for may
 * be on any thread. */
#ifndef WEFT_SIM_GUARD_H
#define WEFT_SIM_GUARD_H

#include <stdatomic.h>
#include <weft/sim.h>

typedef struct guard {
    _Atomic(const char *) running; /* the function that is changing the simulation; NULL: none */
    atomic_int n_open;             /* callbacks that may read, one in the other */
    atomic_int n_readers;          /* functions that read and call the allocator */
    atomic_bool telling;           /* the log callback is running: it is not called from within itself */
} guard;

void guard_init(guard *g);

/* Round a callback before and after which everything is whole. */
void guard_open(guard *g);
void guard_close(guard *g);

/* In a function that changes the simulation, first and last. `function` is its name, __func__; refused, it returns what
 * sim_enter has, WEFT_ERROR_BUSY, and leaves nothing. sim_leave hands on the result. A simulation that is NULL may
 * enter: its function has the words for that. */
weft_result sim_enter(weft_sim *s, const char *function, weft_error *e);
weft_result sim_leave(weft_sim *s, weft_result r);

/* The same for one that only reads; sim_read_end only where it calls the allocator, after sim_read_begin. */
weft_result sim_may_read(const weft_sim *s, const char *function, weft_error *e);
weft_result sim_read_begin(const weft_sim *s, const char *function, weft_error *e);
weft_result sim_read_end(const weft_sim *s, weft_result r);

/* Whether a function that changes it could enter now: for those that do so by means of others. */
weft_result sim_may_change(const weft_sim *s, const char *function, weft_error *e);
/* The same for functions that cannot tell their caller: the log is told. */
bool sim_is_busy(const weft_sim *s, const char *function);

#endif
