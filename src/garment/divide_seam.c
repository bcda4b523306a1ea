/* SPDX-License-Identifier: MIT */
/* The two sides of a seam as paths of pieces, and how breaks are carried from one to the other. */
#include "garment/divide_inside.h"
#include "base/array.h"

/* A piece on the path of one side, in the path's order. */
typedef struct step {
    int32_t edge, piece; /* piece: k-th of the edge */
    double from, to;     /* along the path */
} step;

typedef struct path {
    step *steps;
    int32_t n;
    int64_t room;
    double length;
    bool turned; /* runs against its edges */
} path;

static void path_free(division *d, path *p)
{
    MEM_FREE(d->mem, p->steps, p->room);
}

static bool path_add_part(division *d, path *p, const weft_seam_part *q)
{
    int32_t edge = d->first_edge[q->panel] + q->edge;
    const cut_edge *e = &d->edges[edge];
    double low = q->from * e->length - 1e-8, high = q->to * e->length + 1e-8;
    for (int32_t i = 0; i + 1 < e->n_breaks; i++) {
        int32_t k = p->turned ? e->n_breaks - 2 - i : i;
        if (e->breaks[k] < low || e->breaks[k + 1] > high)
            continue;
        double to = p->length + (e->breaks[k + 1] - e->breaks[k]);
        if (!ARRAY_PUSH(d->mem, p->steps, p->n, p->room, ((step){edge, k, p->length, to})))
            return false;
        p->length = to;
    }
    return true;
}

/* Turned paths begin at the end of the last part. */
static bool path_make(division *d, path *p, const weft_seam_part *parts, int32_t n, bool turned)
{
    *p = (path){.turned = turned};
    for (int32_t i = 0; i < n; i++)
        if (!path_add_part(d, p, &parts[turned ? n - 1 - i : i]))
            return false;
    return true;
}

static bool paths_make(division *d, int32_t seam, path *a, path *b)
{
    const weft_seam *s = &d->pattern->seams[seam];
    *b = (path){0};
    return path_make(d, a, s->a, s->n_a, false) && path_make(d, b, s->b, s->n_b, !s->same_direction);
}

/* Breaks to come, gathered before any edge changes: steps name pieces by number. */
typedef struct new_break {
    int32_t edge;
    double s;
} new_break;

typedef struct break_list {
    new_break *items;
    int32_t n;
    int64_t room;
} break_list;

static bool plan_break(division *d, const path *p, double at, break_list *out)
{
    int32_t i = 0;
    while (i + 1 < p->n && p->steps[i].to < at)
        i++;
    const step *s = &p->steps[i];
    const double *breaks = d->edges[s->edge].breaks;
    double where = p->turned ? breaks[s->piece + 1] - (at - s->from) : breaks[s->piece] + (at - s->from);
    return ARRAY_PUSH(d->mem, out->items, out->n, out->room, ((new_break){s->edge, where}));
}

/* Inner breaks of both paths; b's are scaled to the length of a. */
typedef struct matching {
    const path *a, *b;
    double scale; /* length of a over that of b */
    break_list planned;
} matching;

static double place_a(const matching *m, int32_t i)
{
    return i >= m->a->n ? m->a->length : m->a->steps[i].from;
}

static double place_b(const matching *m, int32_t j)
{
    return (j >= m->b->n ? m->b->length : m->b->steps[j].from) * m->scale;
}

static bool breaks_agree(const matching *m, double tolerance)
{
    if (m->a->n != m->b->n)
        return false;
    for (int32_t i = 1; i < m->a->n; i++)
        if (fabs(place_a(m, i) - place_b(m, i)) > tolerance)
            return false;
    return true;
}

/* The breaks between two that match, (i0, j0) and (i1, j1), are carried over in proportion. */
static bool carry_breaks(division *d, matching *m, int32_t i0, int32_t j0, int32_t i1, int32_t j1)
{
    double a0 = place_a(m, i0), a1 = place_a(m, i1), b0 = place_b(m, j0), b1 = place_b(m, j1);
    bool good = true;
    for (int32_t i = i0 + 1; good && i < i1; i++)
        good = plan_break(d, m->b, (b0 + (place_a(m, i) - a0) / (a1 - a0) * (b1 - b0)) / m->scale, &m->planned);
    for (int32_t j = j0 + 1; good && j < j1; j++)
        good = plan_break(d, m->a, a0 + (place_b(m, j) - b0) / (b1 - b0) * (a1 - a0), &m->planned);
    return good;
}

static bool match_breaks(division *d, matching *m, double tolerance)
{
    int32_t i0 = 0, j0 = 0, i = 1, j = 1;
    bool good = true;
    while (good && (i < m->a->n || j < m->b->n)) {
        double x = place_a(m, i), y = place_b(m, j);
        if (i < m->a->n && j < m->b->n && fabs(x - y) <= tolerance) {
            good = carry_breaks(d, m, i0, j0, i, j);
            i0 = i++;
            j0 = j++;
        } else if (j >= m->b->n || (i < m->a->n && x < y))
            i++;
        else
            j++;
    }
    return good && carry_breaks(d, m, i0, j0, m->a->n, m->b->n);
}

bool seam_agree(division *d, int32_t seam, double tolerance, bool *changed)
{
    path a = {0}, b = {0};
    bool good = paths_make(d, seam, &a, &b);
    matching m = {.a = &a, .b = &b, .scale = good && b.length > 0 ? a.length / b.length : 1};
    if (good && !breaks_agree(&m, tolerance * (1 + 1e-9) + 1e-12)) {
        good = match_breaks(d, &m, tolerance);
        for (int32_t i = 0; good && i < m.planned.n; i++)
            good = cut_edge_add(d, &d->edges[m.planned.items[i].edge], m.planned.items[i].s, 0);
        *changed = *changed || m.planned.n > 0;
    }
    MEM_FREE(d->mem, m.planned.items, m.planned.room);
    path_free(d, &a);
    path_free(d, &b);
    return good;
}

bool seam_pair(division *d, int32_t seam)
{
    path a = {0}, b = {0};
    bool good = paths_make(d, seam, &a, &b);
    for (int32_t i = 0; good && i < a.n && i < b.n; i++) {
        piece_pair pair = {d->edges[a.steps[i].edge].first_piece + a.steps[i].piece,
                           d->edges[b.steps[i].edge].first_piece + b.steps[i].piece, b.turned, seam};
        good = ARRAY_PUSH(d->mem, d->pairs, d->n_pairs, d->room_pairs, pair);
    }
    path_free(d, &a);
    path_free(d, &b);
    return good;
}
