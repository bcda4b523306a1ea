/* SPDX-License-Identifier: MIT */
/* The pairs of a step and what happens to them: they begin with what they remember from the step before, get stiffer
 * when they are hit, have closest points and friction renewed between Newton steps, and leave memories behind.
 * pair_set.h has the ideas, pair_find.c which pairs there are, pair_term.c the terms.
 *
 * Invariants: 1. pairs stand in the order of their primitives' numbers, hits that join behind them; 2. sums are made in
 * pieces of PAIR_PIECE pairs: the same bits for any number of threads; 3. four pairs at a time and one by one give the
 * same bits. */
#include <stddef.h>
#include <string.h>

#include "base/array.h"
#include "contact/pair/pair_inside.h"
#include "contact/pair/pair_term.h"

/* Pairs that one thread takes at once. */
#define PAIR_PIECE 128

void pair_set_destroy(pair_set *s)
{
    if (!s->mem)
        return;
    MEM_FREE(s->mem, s->terms, s->term_room);
    MEM_FREE(s->mem, s->states, s->state_room);
    MEM_FREE(s->mem, s->chosen, s->chosen_room);
    MEM_FREE(s->mem, s->pieces, s->piece_room);
    MEM_FREE(s->mem, s->node_force, s->node_room);
    MEM_FREE(s->mem, s->node_ratio, s->ratio_room);
    MEM_FREE(s->mem, s->node_way, s->way_room);
    MEM_FREE(s->mem, s->table.place, s->table.room);
    *s = (pair_set){0};
}

static double pair_longest_side(const pair_set *s, const contact_pair *p)
{
    double most = 0;
    for (int i = p->edges ? 0 : 1; i < 4; i++)
        for (int j = i + 1; j < 4; j++)
            if (!p->edges || (i < 2) == (j < 2))
                most = max_of(most, v3_len_sq(v3_sub(s->nodes[p->node[i]].rest, s->nodes[p->node[j]].rest)));
    return sqrt(most);
}

/* Whether two nodes of the two sides belong to one piece and lie within reach of each other at rest: twice what the
 * pair feels and twice its longest side. Most pairs of a heap are told by the longest of all. */
static bool is_near_at_rest(const pair_set *s, const contact_pair *p, double full)
{
    const pair_node *a = &s->nodes[p->node[0]], *b = &s->nodes[p->node[p->edges ? 2 : 1]];
    if (a->piece < 0 || a->piece != b->piece)
        return false;
    double far_sq = v3_len_sq(v3_sub(a->rest, b->rest)), most = 2 * full + 2 * s->longest;
    if (far_sq >= most * most)
        return false;
    double within = 2 * full + 2 * pair_longest_side(s, p);
    return far_sq < within * within;
}

double pair_rest_distance(const pair_set *s, const contact_pair *p)
{
    vec3 y[4];
    for (int i = 0; i < 4; i++)
        y[i] = s->nodes[p->node[i]].rest;
    return p->edges ? gap_edge_edge(y).distance : gap_vertex_triangle(y).distance;
}

double pair_reach_of(const pair_set *s, const contact_pair *p, const gap *g, double *thickness, double *radius)
{
    *thickness = CLOTH_MEAN(s, p, g->w, thickness);
    *radius = CLOTH_MEAN(s, p, g->w, radius);
    double full = *thickness + *radius, rest = HUGE_VAL;
    if (is_near_at_rest(s, p, full)) {
        rest = pair_rest_distance(s, p);
        *thickness = min_of(*thickness, PAIR_OF_REST * rest);
        *radius = min_of(*radius, PAIR_OF_REST * rest);
    }
    return rest;
}

vec3 pair_relative_way(const pair_set *s, const contact_pair *p, const gap *g, const vec3 *x1)
{
    vec3 way[4];
    for (int i = 0; i < 4; i++)
        way[i] = v3_sub(x1[p->node[i]], s->x0[p->node[i]]);
    return gap_weigh(g->w, way);
}

/* For n pairs; pieces for sums over them too. */
static bool pair_set_reserve(pair_set *s, int64_t n)
{
    return n <= INT32_MAX && ARRAY_RESERVE_STEADY(s->mem, s->pieces, s->piece_room, n / PAIR_PIECE + 1) &&
           ARRAY_RESERVE_STEADY(s->mem, s->terms, s->term_room, n) &&
           ARRAY_RESERVE_STEADY(s->mem, s->states, s->state_room, n);
}

static int32_t pair_piece_end(const pair_set *s, int32_t piece)
{
    int32_t end = (piece + 1) * PAIR_PIECE;
    return end < s->n ? end : s->n;
}

static int32_t n_pair_pieces(const pair_set *s)
{
    return (s->n + PAIR_PIECE - 1) / PAIR_PIECE;
}

/* ---- pairs by their nodes ---------------------------------------------------------------------------------------- */

static uint32_t hash_pair(const contact_pair *p)
{
    uint32_t h = p->edges ? 7u : 3u;
    for (int i = 0; i < 4; i++)
        h = (h ^ (uint32_t)p->node[i]) * 0x9e3779b1u, h ^= h >> 15;
    return h;
}

static bool same_pair(const contact_pair *a, const contact_pair *b)
{
    return a->edges == b->edges && a->node[0] == b->node[0] && a->node[1] == b->node[1] && a->node[2] == b->node[2] &&
           a->node[3] == b->node[3];
}

static const contact_pair *indexed_pair(const void *items, size_t stride, int32_t i)
{
    return (const contact_pair *)((const char *)items + stride * (size_t)i);
}

/* The place of a pair in the table: where it is, or the empty one where it belongs. */
static int64_t find_place(const pair_index *t, const void *items, size_t stride, const contact_pair *p)
{
    int64_t mask = t->room - 1, at = hash_pair(p) & mask;
    while (t->place[at] >= 0 && !same_pair(indexed_pair(items, stride, t->place[at]), p))
        at = (at + 1) & mask;
    return at;
}

/* A table of n items, with room for `most`. */
static bool make_table(pair_index *t, mem *m, const void *items, size_t stride, int64_t n, int64_t most)
{
    int64_t room = 64;
    while (room < 2 * most)
        room *= 2;
    if (room > t->room) {
        MEM_FREE(m, t->place, t->room);
        t->room = 0;
        if (!MEM_MAKE(m, t->place, room))
            return false;
        t->room = room;
    }
    for (int64_t i = 0; i < t->room; i++)
        t->place[i] = -1;
    for (int32_t i = 0; i < n; i++)
        t->place[find_place(t, items, stride, indexed_pair(items, stride, i))] = i;
    return true;
}

/* ---- from step to step ------------------------------------------------------------------------------------------- */

bool pair_memories_reserve(pair_memories *m, mem *from, int64_t n)
{
    return ARRAY_RESERVE_STEADY(from, m->items, m->room, n);
}

bool pair_memories_copy(pair_memories *to, mem *from, const pair_memories *m)
{
    if (!pair_memories_reserve(to, from, m->n))
        return false;
    if (m->n > 0)
        memcpy(to->items, m->items, (size_t)m->n * sizeof *m->items);
    to->n = m->n;
    return true;
}

void pair_memories_destroy(pair_memories *m, mem *from)
{
    MEM_FREE(from, m->items, m->room);
    *m = (pair_memories){0};
}

typedef struct remember_run {
    pair_set *s;
    const vec3 *x;
    pair_memories *out;
} remember_run;

/* A piece's memories go to where they lie if all pairs before have one. */
static void remember_piece(void *context, int32_t piece)
{
    const remember_run *r = context;
    pair_set *s = r->s;
    pair_memory *first = r->out->items + (int64_t)piece * PAIR_PIECE, *next = first;
    for (int32_t i = piece * PAIR_PIECE; i < pair_piece_end(s, piece); i++) {
        double force = contact_force(&s->terms[i], r->x);
        vec3 friction_ratio = contact_friction_ratio(&s->terms[i], force, r->x);
        double stiffer = PAIR_HIT_KEPT * s->states[i].stiffer;
        if (v3_len_sq(friction_ratio) == 0 && stiffer <= 1)
            continue;
        pair_memory *m = next++;
        memset(m, 0, sizeof *m); /* what lies between members is written to snapshots too */
        m->pair = s->states[i].pair;
        m->friction_ratio = friction_ratio;
        m->stiffer = max_of(1.0, stiffer);
        m->force = force;
    }
    s->pieces[piece].n = (int32_t)(next - first);
}

bool pair_set_remember(pair_set *s, const vec3 *x, pair_memories *out)
{
    remember_run r = {s, x, out};
    out->n = 0;
    if (!pair_memories_reserve(out, s->mem, s->n))
        return false;
    pool_for(s->pool, n_pair_pieces(s), remember_piece, &r);
    for (int32_t i = 0; i < n_pair_pieces(s); i++) { /* close ranks */
        const pair_memory *from = out->items + (int64_t)i * PAIR_PIECE;
        if (out->n != (int64_t)i * PAIR_PIECE)
            memmove(out->items + out->n, from, (size_t)s->pieces[i].n * sizeof *from);
        out->n += s->pieces[i].n;
    }
    return true;
}

static void recall_pair(const pair_set *s, pair_state *st)
{
    if (!s->memory || s->memory->n == 0)
        return;
    int32_t i = s->table.place[find_place(&s->table, s->memory->items, sizeof *s->memory->items, &st->pair)];
    if (i < 0) {
        firm_recall(s, st);
        return;
    }
    st->friction_ratio = s->memory->items[i].friction_ratio;
    st->force = s->memory->items[i].force;
    st->stiffer = s->memory->items[i].stiffer;
}

/* ---- terms ------------------------------------------------------------------------------------------------------- */

/* Smoothly from 0 at 0 to 1 at 1 and beyond. */
static double smooth_step(double t)
{
    t = min_of(t, 1.0);
    return t * t * (3 - 2 * t);
}

/* The factor on the stiffness of two edges with closest points g at x, in [0, 1]. */
static double edge_stiffness_factor(const vec3 *x, const contact_pair *p, const gap *g)
{
    vec3 a = v3_sub(x[p->node[1]], x[p->node[0]]), b = v3_sub(x[p->node[3]], x[p->node[2]]);
    double sides = v3_len_sq(a) * v3_len_sq(b);
    double factor = sides > 0 ? smooth_step(sqrt(v3_len_sq(v3_cross(a, b)) / sides) / PAIR_EDGE_SINE) : 0;
    for (int i = 0; i < 4; i++)
        factor *= smooth_step(fabs(g->w[i]) / PAIR_EDGE_END);
    return factor;
}

/* Of a pair with closest points g at x0 that has all of it. */
static double stiffness_of(const pair_set *s, const pair_state *st, const gap *g)
{
    double k = st->stiffer * PAIR_STIFFNESS * s->stiffness * CLOTH_MEAN(s, &st->pair, g->w, stiffness);
    return k * min_of(PAIR_STIFFEST, max_of(1.0, st->radius / max_of(g->distance, 1e-9)));
}

/* With fine contact it shrinks as nodes come to rest. */
static double soft_radius(const pair_set *s, const pair_state *st, const gap *g)
{
    if (!pair_set_is_fine(s))
        return st->radius;
    double least = max_of(PAIR_REST_LEAST, pair_rest_radius(s, &st->pair, g->w));
    return min_of(st->radius, max_of(least, PAIR_REST_OF_GAP * (g->distance - st->thickness)));
}

static pair_firm firm_of(const pair_set *s, const contact_pair *p)
{
    return p->node[0] >= s->n_cloth ? PAIR_FIRM_FIRST : p->node[3] >= s->n_cloth ? PAIR_FIRM_SECOND : PAIR_FIRM_NONE;
}

/* most: that it should move past each other in a substep. */
static void count_passing(const pair_set *s, const contact_pair *p, const gap *g, const vec3 *x1, double most,
                          pair_piece *sums)
{
    double way = 2 * v3_len(pair_relative_way(s, p, g, x1)) / most;
    for (int level = 0; level < PAIR_PASSING_LEVELS; level++, way *= 0.5)
        sums->passing[level] += way > 1;
}

/* The pair at place i, g of x0: all but what goes by its closest points. beside: NULL where that is not known, of what
 * was hit unforeseen. */
static void begin_state(pair_set *s, int32_t i, const contact_pair *p, const gap *g, const int32_t *beside,
                        const vec3 *x1, pair_piece *sums)
{
    pair_state *st = &s->states[i];
    *st = (pair_state){.pair = *p, .stiffer = 1, .sides.firm = firm_of(s, p)};
    for (int k = 0; k < 4; k++)
        st->sides.beside[k] = PAIR_BESIDE_UNKNOWN;
    if (beside) {
        memcpy(st->sides.beside, beside, sizeof st->sides.beside);
        st->sides.lies = pair_lies(s, p, beside, g, x1);
    }
    recall_pair(s, st);
    if (pair_is_firm(st)) {
        firm_begin(s, st, g);
        s->terms[i] = (contact_term){.radius = st->radius, .owner = -1, .reach = PAIR_FAR_AWAY};
        sums->least = min_of(sums->least, g->distance);
        count_passing(s, p, g, x1, FIRM_PASSING_LIMIT * s->longest, sums);
        return;
    }
    st->corner = -1;
    pair_reach_of(s, p, g, &st->thickness, &st->radius);
    st->thickness = min_of(st->thickness, PAIR_OF_START * g->distance);
    st->radius = soft_radius(s, st, g);
    double factor = p->edges && st->stiffer <= 1 ? edge_stiffness_factor(s->x0, p, g) : 1;
    s->terms[i] = (contact_term){.radius = st->radius, .owner = -1, .k = factor * stiffness_of(s, st, g)};
    sums->least = min_of(sums->least, g->distance);
    count_passing(s, p, g, x1, PAIR_PASSING_LIMIT * (st->thickness + st->radius), sums);
}

static void begin_term(pair_set *s, int32_t i, const gap *g, const vec3 *x1)
{
    pair_term_set(s, &s->states[i], &s->terms[i], g->w, v3_unit_or(g->vector, v3(0, 1, 0)), x1);
}

static void begin_force(pair_set *s, int32_t i)
{
    contact_term *c = &s->terms[i];
    s->states[i].friction.force = c->force = c->n > 0 ? contact_resting_force(c) : 0;
}

static bool is_cloth(const pair_set *s, const contact_pair *p)
{
    return p->node[0] < s->n_cloth && p->node[1] < s->n_cloth && p->node[2] < s->n_cloth && p->node[3] < s->n_cloth;
}

/* Whether terms of four pairs can be set at once from these closest points. */
static bool are_alike(const pair_set *s, const pair_state *st, const gap g[4])
{
    bool alike = true;
    for (int k = 0; k < 4; k++)
        alike = alike && is_cloth(s, &st[k].pair) && !st[k].sides.lies && g[k].distance > 1e-150;
    return alike;
}

static void add_pair_piece(pair_set *s, const pair_piece *p)
{
    s->least = min_of(s->least, p->least);
    for (int k = 0; k < PAIR_PASSING_LEVELS; k++)
        s->passing[k] += p->passing[k];
}

typedef struct begin_run {
    pair_set *s;
    const verlet_list *list;
    const vec3 *x1;
    const pair_kernel *kernel;
    const pair_term_kernel *terms;
} begin_run;

static void begin_piece(void *context, int32_t piece)
{
    const begin_run *r = context;
    pair_set *s = r->s;
    pair_piece sums = {.least = HUGE_VAL};
    int32_t end = pair_piece_end(s, piece);
    for (int32_t i = piece * PAIR_PIECE; i < end; i += 4) {
        int32_t n = end - i < 4 ? end - i : 4;
        contact_pair p[4];
        gap g[4];
        for (int32_t k = 0; k < 4; k++)
            p[k] = verlet_list_pair(r->list, s->chosen[i + (k < n ? k : 0)]);
        contact_pair_gaps(r->kernel, s->x0, p, g);
        for (int32_t k = 0; k < n; k++) {
            int32_t beside[4];
            pair_beside(s, r->list, s->chosen[i + k], beside);
            begin_state(s, i + k, &p[k], &g[k], beside, r->x1, &sums);
        }
        bool four = n == 4 && are_alike(s, &s->states[i], g);
        if (four)
            r->terms->set(s, &s->states[i], g, &s->terms[i]);
        for (int32_t k = 0; k < n; k++) {
            if (pair_is_firm(&s->states[i + k]))
                continue;
            if (!four)
                begin_term(s, i + k, &g[k], r->x1);
            begin_force(s, i + k);
        }
    }
    s->pieces[piece] = sums;
}

bool pair_set_find(pair_set *s, const verlet_list *list, const vec3 *x1)
{
    begin_run r = {s, list, x1, pair_kernel_best(), pair_term_best()};
    int32_t n = 0;
    s->n = 0;
    s->least = HUGE_VAL;
    s->sliding = 0;
    s->begun = false;
    s->firm = 0;
    memset(s->passing, 0, sizeof s->passing);
    if (!pair_choose(s, list, x1, &n) || !pair_set_reserve(s, n) || !firm_sum_memories(s) ||
        (s->memory &&
         !make_table(&s->table, s->mem, s->memory->items, sizeof *s->memory->items, s->memory->n, s->memory->n)))
        return false;
    s->n = n;
    pool_for(s->pool, n_pair_pieces(s), begin_piece, &r);
    for (int32_t i = 0; i < n_pair_pieces(s); i++)
        add_pair_piece(s, &s->pieces[i]);
    firm_find_sides(s);
    firm_measure(s, s->x0, s->x0);
    return true;
}

/* ---- hits -------------------------------------------------------------------------------------------------------- */

static void add_hit(pair_set *s, const pair_hit *hit, const vec3 *x1)
{
    int64_t at = find_place(&s->table, s->states, sizeof *s->states, &hit->pair);
    int32_t i = s->table.place[at];
    gap g = contact_pair_gap(s->x0, &hit->pair);
    if (i < 0) {
        pair_piece sums = {.least = HUGE_VAL};
        i = s->table.place[at] = s->n++;
        begin_state(s, i, &hit->pair, &g, NULL, x1, &sums);
        if (!pair_is_firm(&s->states[i])) {
            begin_term(s, i, &g, x1);
            begin_force(s, i);
        }
        add_pair_piece(s, &sums);
    } else if (pair_is_firm(&s->states[i])) {
        s->states[i].k *= PAIR_HIT_STIFFER;
        s->states[i].stiffer = min_of(PAIR_STIFFEST, PAIR_HIT_STIFFER * s->states[i].stiffer);
    } else {
        s->terms[i].k = PAIR_HIT_STIFFER * max_of(s->terms[i].k, stiffness_of(s, &s->states[i], &g));
        s->states[i].stiffer = min_of(PAIR_STIFFEST, PAIR_HIT_STIFFER * s->states[i].stiffer);
    }
    s->states[i].was_hit = true;
    if (pair_is_firm(&s->states[i]))
        firm_hit(s, i, hit, x1);
    else
        pair_term_set(s, &s->states[i], &s->terms[i], hit->w, hit->normal, x1);
}

bool pair_set_add_hits(pair_set *s, int32_t n, pair_hit (*get)(const void *context, int32_t i), const void *context,
                       const vec3 *x1)
{
    int64_t most = (int64_t)s->n + n;
    s->memory = NULL; /* what hits it was not near before */
    if (!pair_set_reserve(s, most) || !make_table(&s->table, s->mem, s->states, sizeof *s->states, s->n, most))
        return false;
    for (int32_t i = 0; i < n; i++) {
        pair_hit hit = get(context, i);
        add_hit(s, &hit, x1);
    }
    return true;
}

/* ---- between Newton steps ---------------------------------------------------------------------------------------- */

typedef struct update_run {
    pair_set *s;
    const vec3 *x, *x1;
    bool renew; /* friction */
    const pair_kernel *kernel;
    const pair_term_kernel *terms;
} update_run;

/* Whether a pair with closest points g is on the side where it was. */
static bool keeps_side(const pair_state *st, const gap *g, const contact_term *c)
{
    return !pair_is_firm(st) && g->distance > 0 && c->n > 0 && v3_dot(g->vector, c->normal) > 0;
}

static void update_pairs_simd4(const update_run *r, int32_t i, int32_t n, const gap g[4])
{
    pair_set *s = r->s;
    bool four = n == 4 && are_alike(s, &s->states[i], g);
    for (int32_t k = 0; four && k < n; k++)
        four = keeps_side(&s->states[i + k], &g[k], &s->terms[i + k]);
    if (four)
        r->terms->set(s, &s->states[i], g, &s->terms[i]);
    for (int32_t k = 0; !four && k < n; k++)
        if (keeps_side(&s->states[i + k], &g[k], &s->terms[i + k]))
            pair_term_set(s, &s->states[i + k], &s->terms[i + k], g[k].w, v3_scale(1.0 / g[k].distance, g[k].vector),
                          r->x1);
}

/* What friction f of a pair's present place means for the next Newton step. */
static void renew_pair(pair_set *s, int32_t i, const friction_state *f, pair_piece *sums)
{
    pair_state *st = &s->states[i];
    contact_term *c = &s->terms[i];
    if (pair_is_firm(st)) {
        firm_renew(st, c, f, sums);
        return;
    }
    sums->force_was += st->friction.force;
    sums->n += c->friction > 0 && f->slides != st->friction.slides;
    st->friction = *f;
    st->force = min_of(st->friction.force, 0.5 * (st->friction.force + st->force));
    st->friction.force = st->force;
    sums->force += st->friction.force;
    c->force = st->friction.force;
    c->slides = st->friction.slides;
    sums->sliding += c->slides ? c->force : 0;
}

/* What friction goes by in the next Newton step, where the last one led from `depth` to x (collider_normal_force
 * in collider_contact.c). */
static double pair_normal_force(const pair_set *s, int32_t i, const vec3 *x)
{
    const contact_term *c = &s->terms[i];
    const pair_state *st = &s->states[i];
    return st->depth > 0 ? contact_reckoned(c, st->depth, x) : min_of(st->friction.force, contact_force(c, x));
}

static void renew_pairs_simd4(const update_run *r, int32_t i, int32_t n, const double force[4], pair_piece *sums)
{
    pair_set *s = r->s;
    friction_state f[4];
    const contact_term *c = &s->terms[i];
    bool four = n == 4 && c[0].n == 4 && c[1].n == 4 && c[2].n == 4 && c[3].n == 4;
    if (four)
        r->terms->renew(c, r->x, force, f);
    for (int32_t k = 0; k < n; k++) {
        if (!four) {
            f[k] = s->states[i + k].friction;
            friction_renew(&c[k], r->x, force[k], &f[k], NULL);
        }
        renew_pair(s, i + k, &f[k], sums);
        s->states[i + k].depth = contact_depth(&c[k], r->x);
    }
}

static void update_piece(void *context, int32_t piece)
{
    const update_run *r = context;
    pair_set *s = r->s;
    int32_t end = pair_piece_end(s, piece);
    pair_piece sums = {0};
    for (int32_t i = piece * PAIR_PIECE; i < end; i += 4) {
        int32_t n = end - i < 4 ? end - i : 4;
        contact_pair p[4];
        gap g[4];
        for (int32_t k = 0; k < 4; k++)
            p[k] = s->states[i + (k < n ? k : 0)].pair;
        contact_pair_gaps(r->kernel, r->x, p, g);
        double force[4] = {0};
        for (int32_t k = 0; r->renew && k < n; k++)
            force[k] = pair_normal_force(s, i + k, r->x);
        update_pairs_simd4(r, i, n, g);
        for (int32_t k = 0; k < n; k++)
            sums.changed = firm_set(s, i + k, r->x, r->x1, &g[k]) || sums.changed;
        if (r->renew)
            renew_pairs_simd4(r, i, n, force, &sums);
    }
    if (r->renew)
        s->pieces[piece] = sums;
}

static void note_piece(void *context, int32_t piece)
{
    const update_run *r = context;
    for (int32_t i = piece * PAIR_PIECE; i < pair_piece_end(r->s, piece); i++)
        r->s->states[i].depth = contact_depth(&r->s->terms[i], r->x);
}

void pair_set_note(pair_set *s, const vec3 *x)
{
    update_run r = {.s = s, .x = x};
    if (!s->begun && pair_set_has_firm(s)) {
        pair_set_measure(s, x);
        firm_share_forces(s, true);
        s->firm = 0;
        for (int32_t i = 0; i < s->n; i++)
            s->firm += pair_is_firm(&s->states[i]) ? s->states[i].friction.force : 0;
    }
    s->begun = true;
    pool_for(s->pool, n_pair_pieces(s), note_piece, &r);
}

void pair_set_measure(pair_set *s, const vec3 *x)
{
    update_run r = {s, x, x, false, pair_kernel_best(), pair_term_best()};
    pool_for(s->pool, n_pair_pieces(s), update_piece, &r);
    firm_share_corners(s);
}

void pair_set_update(pair_set *s, const vec3 *x, const vec3 *x1)
{
    update_run r = {s, x, x1, true, pair_kernel_best(), pair_term_best()};
    s->n_switched = 0;
    bool changed = false;
    s->force = s->force_was = s->sliding = 0;
    s->firm = s->firm_sliding = s->firm_was = 0;
    pool_for(s->pool, n_pair_pieces(s), update_piece, &r);
    for (int32_t i = 0; i < n_pair_pieces(s); i++) {
        s->n_switched += s->pieces[i].n;
        s->force_was += s->pieces[i].force_was;
        s->force += s->pieces[i].force;
        s->sliding += s->pieces[i].sliding;
        s->firm += s->pieces[i].firm;
        s->firm_sliding += s->pieces[i].firm_sliding;
        s->firm_was += s->pieces[i].firm_was;
        changed = changed || s->pieces[i].changed;
    }
    firm_share_corners(s);
    if (changed)
        firm_share_forces(s, false);
}

bool pair_set_is_settled(const pair_set *s)
{
    return fabs(s->force - s->force_was) <= PAIR_SETTLED * s->force &&
           fabs(s->firm_sliding - s->firm_was) <= FIRM_SETTLED * s->firm_sliding;
}
