/* SPDX-License-Identifier: MIT */
/* The state: making, copying, and the backup of a step. */
#include "sim/state.h"

#include <string.h>

bool state_create(state *s, mem *m, int32_t n, int32_t n_tilts)
{
    *s = (state){.n = n, .n_tilts = n_tilts};
    return MEM_MAKE(m, s->q, n) && MEM_MAKE(m, s->v, n) && MEM_MAKE(m, s->q_past, n) && MEM_MAKE(m, s->v_past, n) &&
           MEM_MAKE(m, s->accel, n) && MEM_MAKE(m, s->memory, n) && MEM_MAKE(m, s->restart, n) &&
           MEM_MAKE(m, s->pair_radius, n) && MEM_MAKE(m, s->tilt, n_tilts);
}

void state_destroy(state *s, mem *m)
{
    MEM_FREE(m, s->q, s->n);
    MEM_FREE(m, s->v, s->n);
    MEM_FREE(m, s->q_past, s->n);
    MEM_FREE(m, s->v_past, s->n);
    MEM_FREE(m, s->accel, s->n);
    MEM_FREE(m, s->memory, s->n);
    MEM_FREE(m, s->restart, s->n);
    MEM_FREE(m, s->pair_radius, s->n);
    MEM_FREE(m, s->tilt, s->n_tilts);
    pair_memories_destroy(&s->pairs, m);
    group_memory_free(&s->groups, m);
    *s = (state){0};
}

void state_copy_range(state *dst, int32_t to, const state *src, int32_t from, int32_t n)
{
    if (n <= 0)
        return;
    size_t bytes = (size_t)n * sizeof(vec3);
    memcpy(dst->q + to, src->q + from, bytes);
    memcpy(dst->v + to, src->v + from, bytes);
    memcpy(dst->q_past + to, src->q_past + from, bytes);
    memcpy(dst->v_past + to, src->v_past + from, bytes);
    memcpy(dst->accel + to, src->accel + from, bytes);
    memcpy(dst->memory + to, src->memory + from, (size_t)n * sizeof *dst->memory);
    memcpy(dst->restart + to, src->restart + from, (size_t)n * sizeof *dst->restart);
    memcpy(dst->pair_radius + to, src->pair_radius + from, (size_t)n * sizeof *dst->pair_radius);
}

void state_copy_tilts(state *dst, int32_t to, const state *src, int32_t from, int32_t n)
{
    if (n > 0)
        memcpy(dst->tilt + to, src->tilt + from, (size_t)n * sizeof *dst->tilt);
}

void state_copy_nodes(state *dst, const state *src)
{
    dst->time = src->time;
    dst->last_h = src->last_h;
    state_copy_range(dst, 0, src, 0, src->n);
    state_copy_tilts(dst, 0, src, 0, src->n_tilts);
}

bool state_copy(state *dst, mem *m, const state *src)
{
    if (!pair_memories_copy(&dst->pairs, m, &src->pairs) || !group_memory_copy(&dst->groups, m, &src->groups))
        return false;
    state_copy_nodes(dst, src);
    return true;
}

/* ---- the backup -------------------------------------------------------------------------------------------------- */

void backup_forget(backup *b)
{
    b->kept = false;
}

bool backup_keep(backup *b, mem *m, const state *st)
{
    if (b->kept)
        return true;
    if (b->state.n != st->n || b->state.n_tilts != st->n_tilts) {
        state_destroy(&b->state, m);
        if (!state_create(&b->state, m, st->n, st->n_tilts)) {
            state_destroy(&b->state, m);
            return false;
        }
    }
    b->kept = state_copy(&b->state, m, st);
    return b->kept;
}

void backup_restore(const backup *b, mem *m, state *st)
{
    if (b->kept)
        state_copy(st, m, &b->state);
}

void backup_trim(backup *b, mem *m)
{
    if (!b->kept)
        state_destroy(&b->state, m);
}

void backup_destroy(backup *b, mem *m)
{
    state_destroy(&b->state, m);
    b->kept = false;
}
