/* SPDX-License-Identifier: MIT */
/* Batches, tasks and colours; where blocks go.
 *
 * Nodes are numbered along the cloth, so elements with the same highest node but for its last bits lie together. One
 * batch of them adds to some 64 rows of the matrix and a few beside them: kinds follow each other while these are in
 * cache. Without that (batches of one kind, coloured one by one) every row came from memory once for each kind and
 * colour. */
#include <string.h>

#include "solve/assembly_inside.h"
#include "solve/params.h"

/* ---- batches ----------------------------------------------------------------------------------------------------- */

static int32_t batch_of(const assembly *a, force_kind kind, int32_t i)
{
    const int32_t *node = force_nodes(a->forces, kind, i);
    int32_t most = 0;
    for (int j = 0; j < force_n_nodes(kind); j++)
        most = node[j] > most ? node[j] : most;
    return most >> ASSEMBLY_BATCH_BITS;
}

/* begin[k] of each batch: how many of kind k it has, then where they begin. */
static void count_items(assembly *a)
{
    int32_t at = 0;
    for (int k = 0; k < FORCE_KINDS; k++)
        for (int32_t i = 0; i < a->forces->list[k].n; i++)
            a->batches[batch_of(a, (force_kind)k, i)].begin[k]++;
    for (int32_t b = 0; b < a->n_batches; b++) {
        a->batches[b].place = a->n_places;
        for (int k = 0; k < FORCE_KINDS; k++) {
            int32_t n = a->batches[b].begin[k];
            a->batches[b].begin[k] = at;
            at += n;
            a->n_places += (int64_t)n * places_of((force_kind)k);
        }
        a->batches[b].begin[FORCE_KINDS] = at;
    }
}

/* By kind and index, so each batch gets its elements in order. Moves every begin[k] to the end of its kind, which is
 * where the next one begins, and back. */
static void sort_elements(assembly *a)
{
    for (int k = 0; k < FORCE_KINDS; k++)
        for (int32_t i = 0; i < a->forces->list[k].n; i++)
            a->items[a->batches[batch_of(a, (force_kind)k, i)].begin[k]++] = i;
    int32_t end = 0;
    for (int32_t b = 0; b < a->n_batches; b++)
        for (int k = 0; k < FORCE_KINDS; k++) {
            int32_t begin = end;
            end = a->batches[b].begin[k];
            a->batches[b].begin[k] = begin;
        }
}

/* ---- tasks and colours ------------------------------------------------------------------------------------------- */

static int32_t task_end(const assembly *a, int32_t task)
{
    int64_t end = (int64_t)(task + 1) * a->per_task;
    return end < a->n_batches ? (int32_t)end : a->n_batches;
}

/* The colours in use at any degree of freedom of the batch; adds `set` to each of them. */
static uint64_t batch_mask(const assembly *a, const batch *b, uint64_t *masks, uint64_t set)
{
    uint64_t used = 0;
    for (int k = 0; k < FORCE_KINDS; k++)
        for (int32_t i = b->begin[k]; i < b->begin[k + 1]; i++) {
            const int32_t *node = force_nodes(a->forces, (force_kind)k, a->items[i]);
            for (int j = 0; j < force_n_nodes((force_kind)k); j++)
                for (int d = 0; d < 2 && a->rows[node[j]].dof[d] >= 0; d++) {
                    used |= masks[a->rows[node[j]].dof[d]];
                    masks[a->rows[node[j]].dof[d]] |= set;
                }
        }
    return used;
}

static uint64_t task_mask(const assembly *a, int32_t task, uint64_t *masks, uint64_t set)
{
    uint64_t used = 0;
    for (int32_t b = task * a->per_task; b < task_end(a, task); b++)
        used |= batch_mask(a, &a->batches[b], masks, set);
    return used;
}

/* Lowest colour that no task sharing a degree of freedom has; the last one collects what finds none and is run by one
 * thread (assembly_run). */
static int lowest_free(uint64_t used)
{
    int c = 0;
    while (c < ASSEMBLY_COLOURS - 1 && (used >> c & 1))
        c++;
    return c;
}

static void sort_tasks(assembly *a, const uint8_t *colour)
{
    int32_t at = 0;
    for (int c = 0; c < ASSEMBLY_COLOURS; c++) {
        a->colour_start[c] = at;
        for (int32_t i = 0; i < a->n_tasks; i++)
            if (colour[i] == c)
                a->tasks[at++] = i;
        if (at > a->colour_start[c])
            a->n_colours = c + 1;
    }
    a->colour_start[ASSEMBLY_COLOURS] = at;
}

static bool colour_tasks(assembly *a)
{
    uint64_t *masks = NULL;
    uint8_t *colour = NULL;
    bool ok = MEM_MAKE(a->mem, masks, a->n_dofs) && MEM_MAKE(a->mem, colour, a->n_tasks);
    for (int32_t i = 0; ok && i < a->n_tasks; i++) {
        int c = lowest_free(task_mask(a, i, masks, 0));
        colour[i] = (uint8_t)c;
        task_mask(a, i, masks, UINT64_C(1) << c);
    }
    if (ok)
        sort_tasks(a, colour);
    MEM_FREE(a->mem, colour, a->n_tasks);
    MEM_FREE(a->mem, masks, a->n_dofs);
    return ok;
}

static int32_t batches_per_task(int32_t n_batches)
{
    int32_t n = n_batches / ASSEMBLY_TASKS_WANTED;
    return n < 1 ? 1 : n > ASSEMBLY_MOST_PER_TASK ? ASSEMBLY_MOST_PER_TASK : n;
}

bool assembly_plan(assembly *a)
{
    for (int k = 0; k < FORCE_KINDS; k++)
        a->n_items += a->forces->list[k].n;
    a->n_batches = (a->n_nodes + (1 << ASSEMBLY_BATCH_BITS) - 1) >> ASSEMBLY_BATCH_BITS;
    a->per_task = batches_per_task(a->n_batches);
    a->n_tasks = (a->n_batches + a->per_task - 1) / a->per_task;
    if (!MEM_MAKE(a->mem, a->batches, a->n_batches) || !MEM_MAKE(a->mem, a->energy, a->n_batches) ||
        !MEM_MAKE(a->mem, a->items, a->n_items) || !MEM_MAKE(a->mem, a->tasks, a->n_tasks))
        return false;
    count_items(a);
    sort_elements(a);
    a->n_places += a->n_places == 0; /* springs alone keep their own, but batches have places that begin somewhere */
    return MEM_MAKE(a->mem, a->places, a->n_places) && colour_tasks(a);
}

void assembly_forget_plan(assembly *a)
{
    MEM_FREE(a->mem, a->batches, a->n_batches);
    MEM_FREE(a->mem, a->energy, a->n_batches);
    MEM_FREE(a->mem, a->items, a->n_items);
    MEM_FREE(a->mem, a->tasks, a->n_tasks);
    MEM_FREE(a->mem, a->places, a->n_places);
}

/* ---- running ----------------------------------------------------------------------------------------------------- */

typedef struct task_run {
    assembly *a;
    batch_fn body;
    void *run;
    bool goes_on;         /* energies are not zero before */
    const int32_t *tasks; /* of the present colour, or NULL: all, in order */
} task_run;

static void run_task(void *context, int32_t i)
{
    const task_run *r = context;
    assembly *a = r->a;
    int32_t task = r->tasks ? r->tasks[i] : i;
    for (int32_t b = task * a->per_task; b < task_end(a, task); b++) {
        if (!r->goes_on)
            memset(a->energy[b], 0, sizeof a->energy[b]);
        r->body(r->run, &a->batches[b], a->energy[b]);
    }
}

static double sum_of_energies(const assembly *a)
{
    double sum = 0;
    for (int32_t b = 0; b < a->n_batches; b++)
        for (int k = 0; k < FORCE_KINDS; k++)
            sum += a->energy[b][k];
    return sum;
}

double assembly_run_on(assembly *a, batch_fn body, void *run)
{
    task_run r = {a, body, run, true, NULL};
    pool_for(a->pool, a->n_tasks, run_task, &r);
    return sum_of_energies(a);
}

double assembly_run(assembly *a, bool by_colour, batch_fn body, void *run)
{
    task_run r = {a, body, run, false, NULL};
    if (!by_colour)
        pool_for(a->pool, a->n_tasks, run_task, &r);
    for (int c = 0; by_colour && c < a->n_colours; c++) {
        int32_t n = a->colour_start[c + 1] - a->colour_start[c];
        r.tasks = a->tasks + a->colour_start[c];
        if (c < ASSEMBLY_COLOURS - 1)
            pool_for(a->pool, n, run_task, &r);
        else
            for (int32_t i = 0; i < n; i++)
                run_task(&r, i);
    }
    return sum_of_energies(a);
}

/* ---- places ------------------------------------------------------------------------------------------------------ */

/* Which of its nodes an element has, a bit each: bends at a border lack neighbours. */
static uint32_t nodes_there(const int32_t *node, force_kind kind)
{
    const bend_element *bend = (const bend_element *)node; /* nodes come first */
    return kind == FORCE_BEND ? 7U | (uint32_t)bend->par.present << 3 : ~0U;
}

static bool is_plain_element(const assembly *a, const int32_t *node, int n, uint32_t there)
{
    for (int i = 0; i < n; i++) {
        if (!(there >> i & 1))
            continue;
        const node_row *r = &a->rows[node[i]];
        if (r->dof[0] != node[i] || r->dof[1] >= 0)
            return false;
        for (int j = 0; j < i; j++)
            if (there >> j & 1 && node[j] == node[i])
                return false;
    }
    return true;
}

/* Blocks of a node that is not there are zero: they may go anywhere. */
static void place_element(const assembly *a, const int32_t *node, force_kind kind, int32_t *place)
{
    int n = force_n_nodes(kind);
    uint32_t there = nodes_there(node, kind);
    if (!is_plain_element(a, node, n, there)) {
        *place = PLACE_NONE;
        return;
    }
    int32_t first = blockmat_place(&a->hessian, node[0], node[1]);
    for (int i = 0; i < n; i++)
        for (int j = i + 1; j < n; j++)
            *place++ = there >> i & there >> j & 1 ? blockmat_place(&a->hessian, node[i], node[j]) : first;
}

static void place_batch(void *run, const batch *b, double energy[FORCE_KINDS])
{
    assembly *a = run;
    int32_t *place = a->places + b->place;
    spring_element *springs = a->forces->list[FORCE_SPRING].items;
    (void)energy;
    for (int32_t i = b->begin[FORCE_SPRING]; i < b->begin[FORCE_SPRING + 1]; i++)
        place_element(a, springs[a->items[i]].node, FORCE_SPRING, &springs[a->items[i]].place);
    for (int k = 0; k < FORCE_KINDS; k++) {
        int n_places = places_of((force_kind)k);
        for (int32_t i = b->begin[k]; n_places > 0 && i < b->begin[k + 1]; i++, place += n_places)
            place_element(a, force_nodes(a->forces, (force_kind)k, a->items[i]), (force_kind)k, place);
    }
}

void assembly_place(assembly *a)
{
    assembly_run(a, false, place_batch, a);
    a->placed = a->hessian.revision;
}
