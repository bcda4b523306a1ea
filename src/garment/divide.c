/* SPDX-License-Identifier: MIT */
/* Idea: every edge is cut at breaks: its ends, its sharp corners, the ends of seams that take a part of it, notches,
 * ends of lines. A seam carries the breaks of one side to the other, in proportion to the lengths between those that
 * match already; a break within some share of the mesh's size from one on the other side is taken to mean it. This is
 * repeated until nothing changes, as an edge may be in several seams. Then pieces between breaks correspond one to
 * one, and all pieces that are sewn together, directly or by way of others, are divided into equally many parts.
 *
 * Invariants of the result:
 * 1. both sides of a seam have equally many pieces, in the same order;
 * 2. pieces of a pair have equally many divisions;
 * 3. every loop has at least three divisions, and its chords do not cross each other. */
#include "garment/divide.h"

#include "base/array.h"
#include "base/union_find.h"
#include "garment/divide_inside.h"
#include "garment/params.h"
#include "math/predicate.h"
#include "math/trig.h"

/* ---- breaks ------------------------------------------------------------------------------------------------------ */

bool cut_edge_add(division *d, cut_edge *e, double s, double apart)
{
    int32_t i = 0;
    while (i < e->n_breaks && e->breaks[i] < s)
        i++;
    if ((i < e->n_breaks && e->breaks[i] - s <= apart) || (i > 0 && s - e->breaks[i - 1] <= apart))
        return true;
    if (!ARRAY_RESERVE_MORE(d->mem, e->breaks, e->n_breaks, e->room_breaks, 1))
        return false;
    for (int32_t k = e->n_breaks++; k > i; k--)
        e->breaks[k] = e->breaks[k - 1];
    e->breaks[i] = s;
    return true;
}

/* The angle between the chords before and after a point. */
static double turn_at(const vec2 *p)
{
    vec2 a = v2_sub(p[0], p[-1]), b = v2_sub(p[1], p[0]);
    return fabs(weft_atan2(v2_cross(a, b), v2_dot(a, b)));
}

static bool add_corner_breaks(division *d, cut_edge *e)
{
    const outline *o = &d->outlines[e->panel];
    bool good = cut_edge_add(d, e, 0, 0) && cut_edge_add(d, e, e->length, 0);
    for (int32_t i = o->edge_start[e->edge] + 1; good && i + 1 < o->edge_start[e->edge + 1]; i++)
        if (turn_at(&o->points[i]) > DIVIDE_SHARP_TURN)
            good = cut_edge_add(d, e, o->along[i], 1e-9);
    return good;
}

static bool add_seam_breaks(division *d, const weft_seam_part *parts, int32_t n)
{
    bool good = true;
    for (int32_t i = 0; good && i < n; i++) {
        cut_edge *e = &d->edges[d->first_edge[parts[i].panel] + parts[i].edge];
        good = cut_edge_add(d, e, parts[i].from * e->length, 1e-9) && cut_edge_add(d, e, parts[i].to * e->length, 1e-9);
    }
    return good;
}

static bool add_mark_breaks(division *d, int32_t panel)
{
    const weft_panel *p = &d->pattern->panels[panel];
    bool good = true;
    for (int32_t i = 0; good && i < p->n_lines; i++)
        for (int end = 0; good && p->lines[i].kind != WEFT_LINE_MARK && end < 2; end++) {
            vec2 at = p->lines[i].points[end ? p->lines[i].n_points - 1 : 0];
            outline_place place = outline_nearest(&d->outlines[panel], at);
            if (place.distance <= OUTLINE_NEAR)
                good = cut_edge_add(d, &d->edges[d->first_edge[panel] + place.edge], place.s, 1e-4);
        }
    for (int32_t i = 0; good && i < p->n_notches; i++) {
        outline_place place = outline_nearest(&d->outlines[panel], p->notches[i].at);
        good = cut_edge_add(d, &d->edges[d->first_edge[panel] + place.edge], place.s, DIVIDE_SAME_PLACE * d->size);
    }
    return good;
}

static bool add_edge_breaks(division *d)
{
    const weft_pattern *p = d->pattern;
    bool good = true;
    for (int32_t i = 0; good && i < d->n_edges; i++)
        good = add_corner_breaks(d, &d->edges[i]);
    for (int32_t i = 0; good && i < p->n_seams; i++)
        good = add_seam_breaks(d, p->seams[i].a, p->seams[i].n_a) && add_seam_breaks(d, p->seams[i].b, p->seams[i].n_b);
    for (int32_t i = 0; good && i < p->n_panels; i++)
        good = add_mark_breaks(d, i);
    return good;
}

static weft_result agree_on_breaks(division *d, weft_error *error)
{
    for (int round = 0; round < DIVIDE_ROUNDS; round++) {
        bool changed = false;
        for (int32_t i = 0; i < d->pattern->n_seams; i++)
            if (!seam_agree(d, i, DIVIDE_SAME_PLACE * d->size, &changed))
                return error_memory(error);
        if (!changed)
            return WEFT_OK;
    }
    return error_set(error, WEFT_ERROR_DEGENERATE, -1,
                     "the seams lead round in circles: their edges cannot be divided so that all sides match");
}

/* ---- pieces and their divisions ---------------------------------------------------------------------------------- */

/* How much an edge turns between two lengths. */
static double turn_between(const division *d, const cut_edge *e, double from, double to)
{
    const outline *o = &d->outlines[e->panel];
    double sum = 0;
    for (int32_t i = o->edge_start[e->edge] + 1; i + 1 < o->edge_start[e->edge + 1]; i++)
        if (o->along[i] > from + 1e-9 && o->along[i] < to - 1e-9)
            sum += turn_at(&o->points[i]);
    return sum;
}

/* By length, and more where it turns much. Short pieces are drawn into one node. */
static int32_t divisions_of(const division *d, const cut_edge *e, int32_t k)
{
    double length = e->breaks[k + 1] - e->breaks[k];
    double plain = floor(length / d->size + 0.5),
           turning = ceil(turn_between(d, e, e->breaks[k], e->breaks[k + 1]) / d->turn);
    double n = max_of(plain, min_of(turning, floor(DIVIDE_FINEST * length / d->size)));
    return length < DIVIDE_SHORTEST * d->size ? 0 : n < 1 ? 1 : n > 1e6 ? 1000000 : (int32_t)n;
}

static bool make_pieces(division *d)
{
    for (int32_t i = 0; i < d->n_edges; i++) {
        d->edges[i].first_piece = d->n_pieces;
        d->n_pieces += d->edges[i].n_breaks - 1;
    }
    if (!MEM_MAKE(d->mem, d->group, d->n_pieces) || !MEM_MAKE(d->mem, d->count, d->n_pieces) ||
        !MEM_MAKE(d->mem, d->piece_edge, d->n_pieces))
        return false;
    union_find_begin(d->group, d->n_pieces);
    for (int32_t i = 0; i < d->pattern->n_seams; i++)
        if (!seam_pair(d, i))
            return false;
    for (int32_t i = 0; i < d->n_pairs; i++)
        union_find_join(d->group, d->pairs[i].a, d->pairs[i].b);
    union_find_end(d->group, d->n_pieces);
    for (int32_t i = 0; i < d->n_edges; i++)
        for (int32_t k = 0; k + 1 < d->edges[i].n_breaks; k++) {
            int32_t piece = d->edges[i].first_piece + k, *n = &d->count[d->group[piece]];
            int32_t wanted = divisions_of(d, &d->edges[i], k);
            d->piece_edge[piece] = i;
            *n = *n < wanted ? wanted : *n;
        }
    return true;
}

static void count_edge_nodes(division *d)
{
    for (int32_t i = 0; i < d->n_edges; i++) {
        cut_edge *e = &d->edges[i];
        e->n_nodes = 1;
        for (int32_t k = 0; k + 1 < e->n_breaks; k++)
            e->n_nodes += division_count(d, e->first_piece + k);
    }
}

void division_nodes(const division *d, int32_t edge, double *s)
{
    const cut_edge *e = &d->edges[edge];
    int32_t n = 0;
    for (int32_t k = 0; k + 1 < e->n_breaks; k++) {
        int32_t count = division_count(d, e->first_piece + k);
        for (int32_t i = 0; i < count; i++)
            s[n++] = e->breaks[k] + (e->breaks[k + 1] - e->breaks[k]) * i / count;
    }
    s[n] = e->length;
}

weft_result division_create(division *d, mem *m, const weft_pattern *pattern, const weft_garment_def *def,
                            weft_error *error)
{
    *d = (division){.mem = m, .pattern = pattern, .size = def->size, .turn = def->turn};
    weft_result r = WEFT_OK;
    if (!MEM_MAKE(m, d->outlines, pattern->n_panels) || !MEM_MAKE(m, d->first_edge, (int64_t)pattern->n_panels + 1))
        r = error_memory(error);
    for (int32_t i = 0; r == WEFT_OK && i < pattern->n_panels; i++) {
        if (!outline_create(&d->outlines[i], m, &pattern->panels[i]))
            r = error_memory(error);
        d->first_edge[i + 1] = d->first_edge[i] + pattern->panels[i].n_edges;
    }
    if (r == WEFT_OK) {
        int32_t n = d->first_edge[pattern->n_panels];
        if (MEM_MAKE(m, d->edges, n))
            d->n_edges = n;
        else
            r = error_memory(error);
    }
    for (int32_t i = 0; r == WEFT_OK && i < pattern->n_panels; i++)
        for (int32_t e = d->first_edge[i]; e < d->first_edge[i + 1]; e++)
            d->edges[e] = (cut_edge){.panel = i,
                                     .edge = e - d->first_edge[i],
                                     .length = outline_length(&d->outlines[i], e - d->first_edge[i])};
    if (r == WEFT_OK && !add_edge_breaks(d))
        r = error_memory(error);
    r = r < 0 ? r : agree_on_breaks(d, error);
    if (r == WEFT_OK && !make_pieces(d))
        r = error_memory(error);
    r = r < 0 ? r : division_mend(d, error);
    if (r == WEFT_OK)
        count_edge_nodes(d);
    else
        division_destroy(d);
    return r;
}

void division_destroy(division *d)
{
    for (int32_t i = 0; i < d->n_edges; i++)
        MEM_FREE(d->mem, d->edges[i].breaks, d->edges[i].room_breaks);
    MEM_FREE(d->mem, d->edges, d->n_edges);
    for (int32_t i = 0; d->outlines && i < d->pattern->n_panels; i++)
        if (d->outlines[i].mem)
            outline_destroy(&d->outlines[i]);
    MEM_FREE(d->mem, d->outlines, d->pattern->n_panels);
    MEM_FREE(d->mem, d->first_edge, (int64_t)d->pattern->n_panels + 1);
    MEM_FREE(d->mem, d->piece_edge, d->n_pieces);
    MEM_FREE(d->mem, d->group, d->n_pieces);
    MEM_FREE(d->mem, d->count, d->n_pieces);
    MEM_FREE(d->mem, d->pairs, d->room_pairs);
}
