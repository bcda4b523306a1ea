/* SPDX-License-Identifier: MIT */
/* What a pattern must be to be cut and sewn, checked on the outlines' chords.
 *
 * Chords are sorted by their left end; each is compared with those that begin before it ends. Whether two cross is told
 * by exact orientation; touching counts as crossing. */
#include "garment/outline.h"
#include "garment/params.h"
#include "garment/pattern.h"
#include "math/predicate.h"

#include <stdlib.h>

typedef struct chord {
    vec2 a, b;
    double low, high;          /* of u */
    int32_t edge, loop, index; /* index: within the loop */
    bool is_last;              /* of the loop: its end is the loop's start */
} chord;

typedef struct panel_check {
    const weft_pattern *pattern;
    int32_t panel;
    outline outline;
    chord *chords;
    int32_t n_chords;
    weft_error *error;
} panel_check;

static const char *edge_name(const panel_check *c, int32_t edge)
{
    return c->pattern->panels[c->panel].edges[edge].name;
}

static int compare_chords(const void *p, const void *q)
{
    const chord *a = p, *b = q;
    if (a->low != b->low)
        return a->low < b->low ? -1 : 1;
    if (a->loop != b->loop)
        return a->loop < b->loop ? -1 : 1;
    return a->index < b->index ? -1 : a->index > b->index;
}

static void gather_chords(panel_check *c)
{
    const outline *o = &c->outline;
    for (int32_t loop = 0; loop < o->n_loops; loop++) {
        int32_t index = 0;
        for (int32_t e = o->loop_start[loop]; e < o->loop_start[loop + 1]; e++)
            for (int32_t i = o->edge_start[e]; i + 1 < o->edge_start[e + 1]; i++) {
                vec2 a = o->points[i], b = o->points[i + 1];
                c->chords[c->n_chords++] = (chord){a, b, min_of(a.u, b.u), max_of(a.u, b.u), e, loop, index++, false};
            }
        if (index > 0)
            c->chords[c->n_chords - 1].is_last = true;
    }
    qsort(c->chords, (size_t)c->n_chords, sizeof *c->chords, compare_chords);
}

static bool point_is_in_box(vec2 p, vec2 a, vec2 b)
{
    return p.u >= min_of(a.u, b.u) && p.u <= max_of(a.u, b.u) && p.v >= min_of(a.v, b.v) && p.v <= max_of(a.v, b.v);
}

/* Whether two segments have a point in common. */
static bool segments_meet(vec2 a, vec2 b, vec2 c, vec2 d)
{
    int abc = predicate_orient2d(a, b, c), abd = predicate_orient2d(a, b, d);
    int cda = predicate_orient2d(c, d, a), cdb = predicate_orient2d(c, d, b);
    if (abc * abd < 0 && cda * cdb < 0)
        return true;
    return (abc == 0 && point_is_in_box(c, a, b)) || (abd == 0 && point_is_in_box(d, a, b)) ||
           (cda == 0 && point_is_in_box(a, c, d)) || (cdb == 0 && point_is_in_box(b, c, d));
}

/* Neighbours have an end in common; they cross if one goes back over the other. */
static bool neighbours_cross(const chord *p, const chord *q)
{
    return predicate_orient2d(p->a, p->b, q->b) == 0 && v2_dot(v2_sub(p->b, p->a), v2_sub(q->b, q->a)) < 0;
}

static bool chord_follows(const chord *p, const chord *q)
{
    return p->loop == q->loop && (q->index == p->index + 1 || (p->is_last && q->index == 0));
}

static bool outline_chords_cross(const chord *p, const chord *q)
{
    if (max_of(p->a.v, p->b.v) < min_of(q->a.v, q->b.v) || max_of(q->a.v, q->b.v) < min_of(p->a.v, p->b.v))
        return false;
    bool pq = chord_follows(p, q), qp = chord_follows(q, p);
    if (pq && qp) /* a loop of two chords has no inside */
        return true;
    if (pq)
        return neighbours_cross(p, q);
    return qp ? neighbours_cross(q, p) : segments_meet(p->a, p->b, q->a, q->b);
}

/* For the message: where their lines cross, or an end if they have one direction. */
static vec2 meeting_point(const chord *p, const chord *q)
{
    vec2 d = v2_sub(p->b, p->a), e = v2_sub(q->b, q->a);
    double across = v2_cross(d, e);
    return across != 0 ? v2_madd(p->a, v2_cross(v2_sub(q->a, p->a), e) / across, d) : q->a;
}

static weft_result check_chord_crossings(panel_check *c)
{
    for (int32_t i = 0; i < c->n_chords; i++)
        for (int32_t j = i + 1; j < c->n_chords && c->chords[j].low <= c->chords[i].high; j++) {
            const chord *p = &c->chords[i], *q = &c->chords[j];
            if (!outline_chords_cross(p, q))
                continue;
            vec2 at = meeting_point(p, q);
            if (p->edge == q->edge)
                return error_set(c->error, WEFT_ERROR_DEGENERATE, c->panel,
                                 "panel '%.100s': edge '%.100s' crosses or touches itself near (%.4g, %.4g) m",
                                 panel_name(c->pattern, c->panel), edge_name(c, p->edge), at.u, at.v);
            return error_set(c->error, WEFT_ERROR_DEGENERATE, c->panel,
                             "panel '%.100s': edges '%.100s' and '%.100s' cross or touch near (%.4g, %.4g) m",
                             panel_name(c->pattern, c->panel), edge_name(c, p->edge < q->edge ? p->edge : q->edge),
                             edge_name(c, p->edge < q->edge ? q->edge : p->edge), at.u, at.v);
        }
    return WEFT_OK;
}

static weft_result check_edge_lengths(panel_check *c)
{
    for (int32_t e = 0; e < c->outline.n_edges; e++)
        if (!(outline_length(&c->outline, e) > 1e-6))
            return error_set(c->error, WEFT_ERROR_DEGENERATE, c->panel, "panel '%.100s': edge '%.100s' has no length",
                             panel_name(c->pattern, c->panel), edge_name(c, e));
    return WEFT_OK;
}

/* No loop crosses another by now, so one point of a cut-out tells of all. */
static weft_result check_loop_turns(panel_check *c)
{
    const outline *o = &c->outline;
    for (int32_t loop = 0; loop < o->n_loops; loop++) {
        double area = outline_area(o, loop);
        if (loop == 0 ? area <= 0 : area >= 0)
            return error_set(c->error, WEFT_ERROR_DEGENERATE, c->panel, "panel '%.100s': loop %d runs %s",
                             panel_name(c->pattern, c->panel), loop,
                             loop == 0 ? "clockwise, expected counter-clockwise"
                                       : "counter-clockwise, but is a cut-out");
        vec2 p = o->points[o->edge_start[o->loop_start[loop]]];
        outline rim = *o;
        rim.n_edges = o->loop_start[1];
        if (loop > 0 && !outline_contains(&rim, p))
            return error_set(c->error, WEFT_ERROR_DEGENERATE, c->panel,
                             "panel '%.100s': the cut-out with edge '%.100s' is not inside the outline",
                             panel_name(c->pattern, c->panel), edge_name(c, o->loop_start[loop]));
    }
    return WEFT_OK;
}

static bool line_point_is_inside(const outline *o, vec2 p)
{
    return outline_contains(o, p) || outline_nearest(o, p).distance <= OUTLINE_NEAR;
}

static weft_result check_mark_places(panel_check *c)
{
    const weft_panel *p = &c->pattern->panels[c->panel];
    for (int32_t i = 0; i < p->n_lines; i++)
        for (int32_t k = 0; p->lines[i].kind != WEFT_LINE_MARK && k < p->lines[i].n_points; k++)
            if (!line_point_is_inside(&c->outline, p->lines[i].points[k]))
                return error_set(c->error, WEFT_ERROR_RANGE, c->panel,
                                 "panel '%.100s': line '%.100s' leaves the panel at (%.4g, %.4g) m", p->name,
                                 p->lines[i].name, p->lines[i].points[k].u, p->lines[i].points[k].v);
    for (int32_t i = 0; i < p->n_notches; i++) {
        outline_place at = outline_nearest(&c->outline, p->notches[i].at);
        if (at.distance > OUTLINE_NEAR)
            return error_set(c->error, WEFT_ERROR_RANGE, c->panel,
                             "panel '%.100s': notch '%.100s' is %.1f mm away from the outline (edge '%.100s')", p->name,
                             p->notches[i].name, 1e3 * at.distance, edge_name(c, at.edge));
    }
    return WEFT_OK;
}

static weft_result check_panel_outline(const weft_pattern *pattern, mem *m, int32_t panel, weft_error *error)
{
    panel_check c = {.pattern = pattern, .panel = panel, .error = error};
    if (!outline_create(&c.outline, m, &pattern->panels[panel]))
        return error_memory(error);
    weft_result r = check_edge_lengths(&c);
    int32_t n = c.outline.n_points;
    if (r == WEFT_OK && !MEM_MAKE(m, c.chords, n))
        r = error_memory(error);
    if (r == WEFT_OK) {
        gather_chords(&c);
        r = check_chord_crossings(&c);
    }
    r = r < 0 ? r : check_loop_turns(&c);
    r = r < 0 ? r : check_mark_places(&c);
    MEM_FREE(m, c.chords, n);
    outline_destroy(&c.outline);
    return r;
}

/* ---- seams ------------------------------------------------------------------------------------------------------- */

static const char *part_name(const weft_pattern *p, const weft_seam_part *q)
{
    return p->panels[q->panel].edges[q->edge].name;
}

static weft_result check_seam(const weft_pattern *p, int32_t si, double ratio, weft_error *error)
{
    const weft_seam *s = &p->seams[si];
    double a, b;
    weft_result r = weft_pattern_seam_lengths(p, si, &a, &b, error);
    if (r < 0)
        return r;
    if (max_of(a, b) > ratio * min_of(a, b))
        return error_set(
            error, WEFT_ERROR_RANGE, s->a[0].panel,
            "seam %d: edge '%.80s' of panel '%.80s'%s is %.1f mm long, edge '%.80s' of panel '%.80s'%s %.1f mm: "
            "more than the factor %g",
            si, part_name(p, &s->a[0]), panel_name(p, s->a[0].panel), s->n_a > 1 ? " (with those after it)" : "",
            1e3 * a, part_name(p, &s->b[0]), panel_name(p, s->b[0].panel), s->n_b > 1 ? " (with those after it)" : "",
            1e3 * b, ratio);
    for (int32_t i = 0; i < s->n_a + s->n_b; i++)
        for (int32_t j = i + 1; j < s->n_a + s->n_b; j++) {
            const weft_seam_part *q = i < s->n_a ? &s->a[i] : &s->b[i - s->n_a];
            const weft_seam_part *t = j < s->n_a ? &s->a[j] : &s->b[j - s->n_a];
            if (q->panel == t->panel && q->edge == t->edge && q->from < t->to && t->from < q->to)
                return error_set(error, WEFT_ERROR_DUPLICATE, q->panel,
                                 "seam %d has a part of edge '%.100s' of panel '%.100s' twice", si, part_name(p, q),
                                 panel_name(p, q->panel));
        }
    return WEFT_OK;
}

weft_result weft_pattern_check(const weft_pattern *pattern, double ratio, weft_error *error)
{
    if (!pattern)
        return error_set(error, WEFT_ERROR_ARGUMENT, -1, "pattern is NULL");
    if (!(ratio >= 1 && ratio <= 1000))
        return error_set(error, WEFT_ERROR_RANGE, -1, "ratio is %g, expected [1, 1000]", ratio);
    if (pattern->n_panels == 0)
        return error_set(error, WEFT_ERROR_ARGUMENT, -1, "the pattern has no panel");
    mem m = pattern->mem; /* the counters of a copy: this does not change the pattern */
    weft_result r = WEFT_OK;
    for (int32_t i = 0; r == WEFT_OK && i < pattern->n_panels; i++)
        r = check_panel_outline(pattern, &m, i, error);
    for (int32_t i = 0; r == WEFT_OK && i < pattern->n_seams; i++)
        r = check_seam(pattern, i, ratio, error);
    return r;
}
