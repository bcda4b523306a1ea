/* SPDX-License-Identifier: MIT */
/* Which half-edges make up the contour of a zone, or of the union of two, and in which order. */
#include "bvh/bvh_simple.h"

/* Stretches of p's contour that do not border on q. */
static bool add_segments(contour *c, const zone *p, const zone *q)
{
    const bvh *t = c->t;
    int32_t zi = (int32_t)(p - t->zones), first = t->contour_start[zi], end = first + t->contour_count[zi];
    bool open = false;
    for (int32_t i = first; i < end; i++) {
        int32_t beyond = contour_beyond(t, i);
        if (beyond >= 0 && zone_has(q, beyond)) {
            open = false;
            continue;
        }
        if (!open || t->contours[i] < 0) {
            if (c->n_segments == SIMPLE_SEGMENTS)
                return false;
            c->segments[c->n_segments++] = (segment){i, 0, -1, -1};
            open = true;
        }
        c->segments[c->n_segments - 1].n++;
        c->n_edges++;
    }
    return true;
}

static int32_t segment_from(const contour *c, int32_t he)
{
    for (int32_t i = 0; i < c->n_segments; i++)
        if (contour_entry(c->t, c->segments[i].first) == he)
            return i;
    return -1;
}

static bool link_segments(contour *c)
{
    for (int32_t i = 0; i < c->n_segments; i++) {
        segment *s = &c->segments[i];
        s->next = segment_from(c, contour_next(c->t, c->p, c->q, contour_entry(c->t, s->first + s->n - 1)));
        if (s->next < 0)
            return false;
    }
    for (int32_t i = 0; i < c->n_segments; i++) {
        if (c->segments[i].loop >= 0)
            continue;
        if (c->n_loops == SIMPLE_LOOPS)
            return false;
        for (int32_t s = i; c->segments[s].loop < 0; s = c->segments[s].next)
            c->segments[s].loop = c->n_loops;
        c->n_loops++;
    }
    return true;
}

/* The loops of one zone are in its list as they are. */
static bool find_loops_of_one(contour *c)
{
    const bvh *t = c->t;
    int32_t zi = (int32_t)(c->p - t->zones), first = t->contour_start[zi], n = t->contour_count[zi];
    for (int32_t i = first; i < first + n; i++) {
        if (t->contours[i] < 0) {
            if (c->n_loops == SIMPLE_LOOPS)
                return false;
            c->segments[c->n_loops] = (segment){i, 0, c->n_loops, c->n_loops};
            c->n_loops++;
        }
        c->segments[c->n_loops - 1].n++;
    }
    c->n_segments = c->n_loops;
    c->n_edges = n;
    return n > 0;
}

bool contour_find_loops(contour *c)
{
    if (!c->q)
        return find_loops_of_one(c);
    if (!add_segments(c, c->p, c->q) || !add_segments(c, c->q, c->p))
        return false;
    return c->n_edges > 0 && link_segments(c);
}
