/* SPDX-License-Identifier: MIT */
/* Calls from within callbacks: what is let in, what is refused. */
#include "sim/guard.h"

#include "sim/sim.h"

void guard_init(guard *g)
{
    atomic_init(&g->running, NULL);
    atomic_init(&g->n_open, 0);
    atomic_init(&g->n_readers, 0);
    atomic_init(&g->telling, false);
}

void guard_open(guard *g)
{
    atomic_fetch_add(&g->n_open, 1);
}

void guard_close(guard *g)
{
    atomic_fetch_sub(&g->n_open, 1);
}

static weft_result refuse_change(const char *function, const char *running, weft_error *e)
{
    return error_set(e, WEFT_ERROR_BUSY, -1,
                     "%s was called from within a callback (or from another thread) while %s works on the same "
                     "simulation: call it when that has returned",
                     function, running ? running : "a function that reads");
}

weft_result sim_may_change(const weft_sim *s, const char *function, weft_error *e)
{
    const char *running = s ? atomic_load(&s->guard.running) : NULL;
    bool free_now = !s || (!running && atomic_load(&s->guard.n_readers) == 0);
    return free_now ? WEFT_OK : refuse_change(function, running, e);
}

bool sim_is_busy(const weft_sim *s, const char *function)
{
    weft_error why;
    if (sim_may_change(s, function, &why) >= 0)
        return false;
    sim_log(&s->model, WEFT_LOG_WARNING, "%s", why.text);
    return true;
}

weft_result sim_enter(weft_sim *s, const char *function, weft_error *e)
{
    const char *running = NULL;
    if (!s)
        return WEFT_OK;
    if (!atomic_compare_exchange_strong(&s->guard.running, &running, function))
        return refuse_change(function, running, e);
    if (atomic_load(&s->guard.n_readers) > 0) {
        atomic_store(&s->guard.running, NULL);
        return refuse_change(function, NULL, e);
    }
    return WEFT_OK;
}

weft_result sim_leave(weft_sim *s, weft_result r)
{
    if (s)
        atomic_store(&s->guard.running, NULL);
    return r;
}

weft_result sim_may_read(const weft_sim *s, const char *function, weft_error *e)
{
    const char *running = s ? atomic_load(&s->guard.running) : NULL;
    if (!running || atomic_load(&s->guard.n_open) > 0)
        return WEFT_OK;
    return error_set(e, WEFT_ERROR_BUSY, -1,
                     "%s was called from within an allocator's or parallel_for's callback (or from another thread) "
                     "while %s works on the same simulation, whose data may be half made: call it when that has "
                     "returned, or from a callback for forces, sizes or the log",
                     function, running);
}

/* The count is no part of what a reader may see change. */
static guard *guard_of_reader(const weft_sim *s)
{
    return &((weft_sim *)s)->guard;
}

weft_result sim_read_begin(const weft_sim *s, const char *function, weft_error *e)
{
    weft_result r = sim_may_read(s, function, e);
    if (s && r >= 0)
        atomic_fetch_add(&guard_of_reader(s)->n_readers, 1);
    return r;
}

weft_result sim_read_end(const weft_sim *s, weft_result r)
{
    if (s)
        atomic_fetch_sub(&guard_of_reader(s)->n_readers, 1);
    return r;
}
