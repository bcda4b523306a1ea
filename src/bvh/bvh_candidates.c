/* SPDX-License-Identifier: MIT */
/* A query: the walk cut into tasks, their pairs put in order.
 *
 * The walk from the root is unrolled, breadth first, into a list of a few hundred tasks, which depends on the tree and
 * its boxes only. Each task has a list of its own, of blocks from a common store; lists are then copied one after the
 * other. So the order is that of the tasks, whoever did them. When the store runs out, tasks go on counting; the store
 * is made larger and the walk done once more: a steady step has room from the last one. */
#include "bvh/bvh_inside.h"

#include <stdatomic.h>
#include <string.h>

typedef struct run {
    bvh *t;
    const bvh_query *query;
    walk_visit_fn visit;
    int64_t limit;  /* blocks */
    bool in_a_row;  /* one task after the other; then … */
    uint32_t first; /* when tasks were made */
    _Atomic int64_t n_blocks[2];
    _Atomic int32_t over_limit;
} run;

/* ---- lists ------------------------------------------------------------------------------------------------------- */

void walk_next_block(walk *w, int store)
{
    pair_store *s = &w->sink->stores[store];
    pair_list *l = &w->task->lists[store];
    int64_t i = atomic_fetch_add_explicit(&w->n_blocks[store], 1, memory_order_relaxed);
    w->stopped = w->stopped || i >= w->limit;
    l->left = BVH_BLOCK;
    l->n += BVH_BLOCK;
    l->at = NULL;
    if (i >= s->n_blocks || w->stopped)
        return;
    if (l->first < 0)
        l->first = (int32_t)i;
    else
        s->next[l->last] = (int32_t)i;
    s->next[i] = -1;
    l->last = (int32_t)i;
    l->at = s->pairs + i * BVH_BLOCK;
}

static void forget_leaves(kept_leaves *kept)
{
    for (int s = 0; s < 2; s++)
        for (int j = 0; j < BVH_KEPT_LEAVES; j++)
            kept->leaf[s][j] = -1;
}

/* ---- memory ------------------------------------------------------------------------------------------------------ */

static bool take_tasks(bvh *t)
{
    bool ok = ARENA_TAKE(t->scratch, t->tasks, 2 * BVH_MOST_TASKS);
    t->spare_tasks = ok ? t->tasks + BVH_MOST_TASKS : NULL;
    return ok;
}

/* For who walks alone, one leaf after the other. */
static bool take_kept(bvh *t)
{
    if (!ARENA_TAKE(t->scratch, t->kept, 1))
        return false;
    forget_leaves(t->kept);
    return true;
}

/* Room for n_blocks in either store. What was there is lost. */
static bool take_blocks(bvh *t)
{
    arena_release(t->scratch, t->by_tasks);
    for (int k = 0; k < 2; k++) {
        pair_store *s = &t->stores[k];
        if (!ARENA_TAKE(t->scratch, s->pairs, (int64_t)s->n_blocks * BVH_BLOCK) ||
            !ARENA_TAKE(t->scratch, s->next, s->n_blocks)) {
            s->n_blocks = 0;
            return false;
        }
    }
    return true;
}

static bool grow_blocks(pair_store *s, int64_t n_wanted)
{
    if (n_wanted <= s->n_blocks)
        return true;
    int64_t n = n_wanted + n_wanted / 8 + 1;
    s->n_blocks = n <= INT32_MAX ? (int32_t)n : 0;
    return n <= INT32_MAX;
}

/* ---- tasks ------------------------------------------------------------------------------------------------------- */

/* With one thread, tasks come in order and so do blocks: a task goes on where the last one ended, and the store is
 * the list of all pairs. */
static void go_on(pair_list *l, const pair_list *past)
{
    l->left = past->left;
    l->at = past->at;
    l->n = past->left;
}

static void run_with(run *r, int32_t i, kept_leaves *kept)
{
    task *k = &r->t->tasks[i];
    walk w = {.kept = kept,
              .t = r->t,
              .query = r->query,
              .visit = r->visit,
              .sink = r->t,
              .first = r->first,
              .now = r->t->now,
              .within = k->b < 0,
              .task = k,
              .n_blocks = r->n_blocks,
              .limit = r->limit};
    for (int s = 0; s < 2; s++) {
        k->lists[s] = (pair_list){.first = -1, .last = -1};
        if (r->in_a_row && i > 0)
            go_on(&k->lists[s], &k[-1].lists[s]);
    }
    k->counters = (bvh_counters){0};
    if (!atomic_load_explicit(&r->over_limit, memory_order_relaxed))
        walk_run(&w, k->a, k->b, k->kin);
    for (int s = 0; s < 2; s++)
        k->lists[s].n -= k->lists[s].left;
    if (w.stopped)
        atomic_store_explicit(&r->over_limit, 1, memory_order_relaxed);
}

static void run_in_a_row(void *context, int32_t i)
{
    run *r = context;
    run_with(r, i, r->t->kept);
}

/* On threads of its own: 384 kB of stack. Where there is one thread, stacks may be small, and the tree has the room. */
static void run_apart(void *context, int32_t i)
{
    kept_leaves own;
    forget_leaves(&own);
    run_with(context, i, &own);
}

static int64_t weight(const bvh *t, const task *k)
{
    return t->zones[k->a].n + (k->b < 0 ? 0 : t->zones[k->b].n);
}

static bool can_expand(const bvh *t, const task *k)
{
    const zone *a = &t->zones[k->a];
    return weight(t, k) > BVH_SMALL_TASK && (a->n_children > 0 || (k->b >= 0 && t->zones[k->b].n_children > 0));
}

/* Unrolls each task once; false: there is no more to gain, or no room. */
static bool unroll(walk *w, bvh *t)
{
    int32_t n = 0;
    bool any = false;
    for (int32_t i = 0; i < t->n_tasks; i++) {
        int32_t room = BVH_MOST_TASKS - n - (t->n_tasks - i - 1), more = -1;
        if (can_expand(t, &t->tasks[i]))
            more = walk_expand(w, &t->tasks[i], t->spare_tasks + n, room);
        if (more < 0)
            t->spare_tasks[n++] = t->tasks[i];
        else {
            n += more;
            any = true;
        }
    }
    task *swap = t->tasks;
    t->tasks = t->spare_tasks;
    t->spare_tasks = swap;
    t->n_tasks = n;
    return any;
}

static void make_tasks(run *r, task *top)
{
    bvh *t = r->t;
    walk w = {.t = t, .query = r->query, .task = top, .sink = t, .first = r->first, .now = r->first, .within = true};
    t->n_tasks = 1;
    t->tasks[0] = (task){.a = 0, .b = -1};
    while (t->n_tasks < BVH_ENOUGH_TASKS && unroll(&w, t))
        ;
}

static void add_counters(bvh_counters *sum, const bvh_counters *c)
{
    sum->calls += c->calls;
    sum->elementary += c->elementary;
    sum->zones_skipped += c->zones_skipped;
    sum->contour_tests += c->contour_tests;
    sum->contour_edges += c->contour_edges;
    sum->contour_refused += c->contour_refused;
}

/* ---- putting lists in order -------------------------------------------------------------------------------------- */

static void copy_lists(void *context, int32_t i)
{
    bvh *t = context;
    task *k = &t->tasks[i];
    for (int store = 0; store < 2; store++) {
        pair_store *s = &t->stores[store];
        int64_t left = k->lists[store].n, at = k->start[store];
        for (int32_t b = k->lists[store].first; left > 0; b = s->next[b]) {
            int64_t n = left < BVH_BLOCK ? left : BVH_BLOCK;
            memcpy(s->all + at, s->pairs + (int64_t)b * BVH_BLOCK, (size_t)n * sizeof *s->all);
            at += n;
            left -= n;
        }
    }
}

static bool gather_lists(bvh *t, pool *p, bool in_a_row)
{
    for (int store = 0; store < 2; store++) {
        pair_store *s = &t->stores[store];
        s->n = 0;
        for (int32_t i = 0; i < t->n_tasks; i++) {
            t->tasks[i].start[store] = s->n;
            s->n += t->tasks[i].lists[store].n;
        }
        s->found = s->pairs;
        if (in_a_row)
            continue;
        if (!ARENA_TAKE(t->scratch, s->all, s->n))
            return false;
        s->found = s->all;
    }
    if (in_a_row)
        return true;
    pool_for(p, t->n_tasks, copy_lists, t);
    return true;
}

static weft_result say_limit(const bvh_query *q, weft_error *e)
{
    return error_set(e, WEFT_ERROR_LIMIT, -1, "more than %lld pairs may collide", (long long)q->limit);
}

/* Until all pairs had room: twice at most, for the second time knows how many there are. */
static weft_result run_tasks(run *r, pool *p, weft_error *e)
{
    bvh *t = r->t;
    for (;;) {
        t->now++;
        for (int s = 0; s < 2; s++)
            atomic_store(&r->n_blocks[s], 0);
        pool_for(p, t->n_tasks, r->in_a_row ? run_in_a_row : run_apart, r);
        if (atomic_load(&r->over_limit))
            return say_limit(r->query, e);
        bool enough = true;
        for (int s = 0; s < 2; s++) {
            int64_t n = atomic_load(&r->n_blocks[s]);
            enough = enough && n <= t->stores[s].n_blocks;
            if (!grow_blocks(&t->stores[s], n))
                return error_memory(e);
        }
        if (enough)
            return WEFT_OK;
        if (!take_blocks(t))
            return error_memory(e);
    }
}

weft_result walk_all(bvh *t, pool *p, const bvh_query *q, walk_visit_fn visit, bvh_counters *counters, weft_error *e)
{
    *counters = (bvh_counters){0};
    for (int s = 0; s < 2; s++)
        t->stores[s].n = 0;
    if (q->thickness != 0 && (!t->level || !(q->thickness > 0 && q->thickness <= 2 * t->inflate)))
        return error_set(e, WEFT_ERROR_ARGUMENT, -1, "thickness %g m, but boxes were enlarged by %g m%s", q->thickness,
                         t->inflate, t->x1 ? " over a motion" : "");
    if (!t->fitted)
        return error_set(e, WEFT_ERROR_ARGUMENT, -1, "the tree has not been fitted to positions");
    if (t->ends && q->mode != BVH_CLASSICAL)
        return error_set(e, WEFT_ERROR_ARGUMENT, -1, "the tree has boxes of two ends, and no normals between");
    if (t->n_triangles == 0)
        return WEFT_OK;
    bvh_query query = *q;
    if (query.limit <= 0)
        query.limit = (int64_t)1 << 30;
    if (q->mode == BVH_CONES && !cones_fit(t, p))
        return error_memory(e);
    task top = {0};
    /* Every task may leave one block unfilled. */
    run r = {.t = t,
             .query = &query,
             .visit = visit,
             .limit = query.limit / BVH_BLOCK + 2 * BVH_MOST_TASKS,
             .in_a_row = pool_is_in_order(p),
             .first = ++t->now};
    t->has_patches = q->mode == BVH_PROVEN && q->thickness == 0;
    if (bvh_owns_scratch(t))
        arena_release(t->scratch, t->by_boxes); /* pairs of the last query */
    if ((t->has_patches && !patches_make(t, p, &top.counters)) || !take_tasks(t) || (r.in_a_row && !take_kept(t)))
        return error_memory(e);
    make_tasks(&r, &top);
    t->by_tasks = arena_mark_of(t->scratch);
    if (!take_blocks(t))
        return error_memory(e);
    weft_result result = run_tasks(&r, p, e);
    if (result != WEFT_OK)
        return result;
    *counters = top.counters;
    for (int32_t i = 0; i < t->n_tasks; i++)
        add_counters(counters, &t->tasks[i].counters);
    counters->degenerate = t->n_degenerate;
    if (!gather_lists(t, p, r.in_a_row))
        return error_memory(e);
    if (t->stores[0].n > query.limit || t->stores[1].n > query.limit)
        return say_limit(&query, e);
    return WEFT_OK;
}

weft_result bvh_candidates(bvh *t, pool *p, const bvh_query *q, bvh_pairs *out, weft_error *e)
{
    *out = (bvh_pairs){0};
    weft_result r = walk_all(t, p, q, visit_primitives, &out->counters, e);
    if (r != WEFT_OK)
        return r;
    out->vertex_triangle = (const void *)t->stores[0].found;
    out->edge_edge = (const void *)t->stores[1].found;
    out->n_vertex_triangle = t->stores[0].n;
    out->n_edge_edge = t->stores[1].n;
    return WEFT_OK;
}

weft_result bvh_triangle_pairs(bvh *t, pool *p, const bvh_query *q, bvh_triangles *out, weft_error *e)
{
    *out = (bvh_triangles){0};
    weft_result r = walk_all(t, p, q, visit_triangles, &out->counters, e);
    if (r != WEFT_OK)
        return r;
    out->pairs = (const void *)t->stores[0].found;
    out->n = t->stores[0].n;
    return WEFT_OK;
}
