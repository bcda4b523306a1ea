/* SPDX-License-Identifier: MIT */
/* Loops that are too coarse: with fewer than three chords, or with chords that cross where the curves do not (a narrow
 * dart between far nodes). The pieces concerned are divided twice as finely, with all they are sewn to, until it is
 * good. */
#include "base/array.h"
#include "garment/divide_inside.h"
#include "garment/params.h"
#include "math/predicate.h"

typedef struct chord {
    vec2 a, b;
    int32_t piece, loop;
} chord;

typedef struct chords {
    chord *items;
    int32_t n;
    int64_t room;
} chords;

static bool add_piece_chords(division *d, chords *c, int32_t edge, int32_t k, int32_t loop)
{
    const cut_edge *e = &d->edges[edge];
    int32_t piece = e->first_piece + k, n = division_count(d, piece);
    double from = e->breaks[k], span = e->breaks[k + 1] - from;
    for (int32_t i = 0; i < n; i++) {
        chord q = {.a = outline_at(&d->outlines[e->panel], e->edge, from + span * i / n), .piece = piece, .loop = loop};
        if (!ARRAY_PUSH(d->mem, c->items, c->n, c->room, q))
            return false;
    }
    return true;
}

/* Loops with too few chords are marked at once. */
static bool gather_panel_chords(division *d, int32_t panel, chords *c, bool *finer, bool *few)
{
    const outline *o = &d->outlines[panel];
    c->n = 0;
    *few = false;
    for (int32_t loop = 0; loop < o->n_loops; loop++) {
        int32_t first = c->n;
        for (int32_t e = o->loop_start[loop]; e < o->loop_start[loop + 1]; e++)
            for (int32_t k = 0; k + 1 < d->edges[d->first_edge[panel] + e].n_breaks; k++)
                if (!add_piece_chords(d, c, d->first_edge[panel] + e, k, loop))
                    return false;
        for (int32_t i = first; i < c->n; i++)
            c->items[i].b = c->items[i + 1 < c->n ? i + 1 : first].a;
        if (c->n - first >= 3)
            continue;
        *few = true;
        const cut_edge *begin = &d->edges[d->first_edge[panel] + o->loop_start[loop]];
        const cut_edge *end = &d->edges[d->first_edge[panel] + o->loop_start[loop + 1] - 1];
        for (int32_t piece = begin->first_piece; piece < end->first_piece + end->n_breaks - 1; piece++)
            finer[d->group[piece]] = true;
    }
    return true;
}

static bool chord_boxes_meet(const chord *p, const chord *q)
{
    return max_of(p->a.u, p->b.u) >= min_of(q->a.u, q->b.u) && max_of(q->a.u, q->b.u) >= min_of(p->a.u, p->b.u) &&
           max_of(p->a.v, p->b.v) >= min_of(q->a.v, q->b.v) && max_of(q->a.v, q->b.v) >= min_of(p->a.v, p->b.v);
}

static bool is_same_point(vec2 a, vec2 b)
{
    return a.u == b.u && a.v == b.v;
}

/* Chords with a common end cross if they lie on each other; others if they have a point in common. */
static bool piece_chords_cross(const chord *p, const chord *q)
{
    if (!chord_boxes_meet(p, q))
        return false;
    int pa = predicate_orient2d(p->a, p->b, q->a), pb = predicate_orient2d(p->a, p->b, q->b);
    int qa = predicate_orient2d(q->a, q->b, p->a), qb = predicate_orient2d(q->a, q->b, p->b);
    bool next = is_same_point(p->b, q->a), before = is_same_point(p->a, q->b);
    if (next && before)
        return true;
    if (next || before)
        return pa == 0 && pb == 0 && v2_dot(v2_sub(p->b, p->a), v2_sub(q->b, q->a)) < 0;
    return pa * pb <= 0 && qa * qb <= 0;
}

/* Marks groups that must be finer; whether there are some. */
static bool find_crossings(const division *d, const chords *c, bool *finer)
{
    bool found = false;
    for (int32_t i = 0; i < c->n; i++)
        for (int32_t j = i + 1; j < c->n; j++)
            if (piece_chords_cross(&c->items[i], &c->items[j])) {
                finer[d->group[c->items[i].piece]] = finer[d->group[c->items[j].piece]] = true;
                found = true;
            }
    return found;
}

static weft_result mend_once(division *d, bool *finer, bool *found, weft_error *error)
{
    chords c = {0};
    weft_result r = WEFT_OK;
    *found = false;
    for (int32_t panel = 0; r == WEFT_OK && panel < d->pattern->n_panels; panel++) {
        bool few = false;
        if (!gather_panel_chords(d, panel, &c, finer, &few))
            r = error_memory(error);
        else if (few || find_crossings(d, &c, finer)) {
            *found = true;
            error_set(error, WEFT_ERROR_DEGENERATE, panel,
                      "panel '%.100s': its outline is too narrow somewhere to be divided at a size of %g m",
                      panel_name(d->pattern, panel), d->size);
        }
    }
    MEM_FREE(d->mem, c.items, c.room);
    return r;
}

weft_result division_mend(division *d, weft_error *error)
{
    bool *finer, found = true;
    if (!MEM_MAKE(d->mem, finer, d->n_pieces))
        return error_memory(error);
    weft_result r = WEFT_OK;
    for (int round = 0; r == WEFT_OK && found && round < DIVIDE_MENDS; round++) {
        r = mend_once(d, finer, &found, error);
        for (int32_t i = 0; i < d->n_pieces; i++) {
            d->count[i] = finer[i] ? (d->count[i] > 0 ? 2 * d->count[i] : 1) : d->count[i];
            finer[i] = false;
        }
    }
    MEM_FREE(d->mem, finer, d->n_pieces);
    return r < 0 ? r : found ? WEFT_ERROR_DEGENERATE : WEFT_OK;
}
