/* SPDX-License-Identifier: MIT */
/* Keeps copies of what people give, once it was checked item by item. */
#include "garment/pattern.h"

#include "base/array.h"
#include "garment/curve.h"
#include "garment/params.h"

#include <string.h>

/* A block that lives as long as the pattern. */
typedef struct keep {
    struct keep *next;
    int64_t size;
} keep;

static void *keep_bytes(weft_pattern *p, int64_t size)
{
    int64_t head = (int64_t)((sizeof(keep) + 15) / 16 * 16);
    char *block = mem_array(&p->mem, head + (size > 0 ? size : 1), 1);
    if (!block)
        return NULL;
    keep *k = (keep *)(void *)block;
    *k = (keep){p->kept, head + (size > 0 ? size : 1)};
    p->kept = k;
    return block + head;
}

static void *keep_copy(weft_pattern *p, const void *from, int64_t n, size_t size)
{
    void *copy = keep_bytes(p, n * (int64_t)size);
    if (copy && n > 0)
        memcpy(copy, from, (size_t)n * size);
    return copy;
}

static const char *keep_text(weft_pattern *p, const char *text)
{
    return keep_copy(p, text, (int64_t)strlen(text) + 1, 1);
}

weft_panel weft_panel_default(void)
{
    return (weft_panel){.struct_size = sizeof(weft_panel), .grain = {0, 1}};
}

weft_seam weft_seam_default(void)
{
    return (weft_seam){.struct_size = sizeof(weft_seam)};
}

weft_result weft_pattern_create(weft_alloc_fn alloc, void *user, weft_pattern **out, weft_error *error)
{
    if (!out)
        return error_set(error, WEFT_ERROR_ARGUMENT, -1, "out is NULL");
    mem m;
    mem_init(&m, alloc, user);
    *out = mem_array(&m, 1, sizeof **out);
    if (!*out)
        return error_memory(error);
    (*out)->mem = m;
    return WEFT_OK;
}

void weft_pattern_destroy(weft_pattern *p)
{
    if (!p)
        return;
    for (keep *k = p->kept, *next; k; k = next) {
        next = k->next;
        mem_free(&p->mem, k, k->size, 1);
    }
    MEM_FREE(&p->mem, p->panels, p->room_panels);
    MEM_FREE(&p->mem, p->seams, p->room_seams);
    mem m = p->mem;
    mem_free(&m, p, 1, sizeof *p);
}

/* ---- checks of one panel ----------------------------------------------------------------------------------------- */

typedef struct check {
    const weft_pattern *pattern;
    const weft_panel *panel;
    weft_error *error;
} check;

static weft_result panel_fault(const check *c, weft_result code, const char *what, int32_t number, const char *problem)
{
    return error_set(c->error, code, c->pattern->n_panels, "panel '%.100s': %s %d %s", c->panel->name, what, number,
                     problem);
}

static bool is_panel_point(vec2 p)
{
    return isfinite(p.u) && isfinite(p.v) && fabs(p.u) <= PATTERN_MOST_METRES && fabs(p.v) <= PATTERN_MOST_METRES;
}

static weft_result check_panel_counts(const check *c)
{
    const weft_panel *p = c->panel;
    const struct {
        const char *what;
        int32_t n;
        const void *items;
    } lists[] = {{"loops", p->n_loops, p->loop_sizes},
                 {"curves", p->n_curves, p->curves},
                 {"edges", p->n_edges, p->edges},
                 {"lines", p->n_lines, p->lines},
                 {"notches", p->n_notches, p->notches}};
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        if (lists[i].n < 0 || lists[i].n > PATTERN_MOST_ITEMS || (lists[i].n > 0 && !lists[i].items))
            return error_set(c->error, WEFT_ERROR_RANGE, -1, "panel '%.100s': %d %s: expected 0 to %d, and an array",
                             p->name, lists[i].n, lists[i].what, PATTERN_MOST_ITEMS);
    int64_t sum = 0;
    for (int32_t i = 0; i < p->n_loops; i++) {
        if (p->loop_sizes[i] < 1)
            return panel_fault(c, WEFT_ERROR_RANGE, "loop", i, "has no curve");
        sum += p->loop_sizes[i];
    }
    if (p->n_loops < 1 || sum != p->n_curves)
        return error_set(c->error, WEFT_ERROR_RANGE, -1, "panel '%.100s': %d loops of %lld curves, but %d curves",
                         p->name, p->n_loops, (long long)sum, p->n_curves);
    return WEFT_OK;
}

static weft_result check_panel_curves(const check *c)
{
    for (int32_t i = 0; i < c->panel->n_curves; i++) {
        const weft_curve *k = &c->panel->curves[i];
        if (k->kind < WEFT_CURVE_LINE || k->kind > WEFT_CURVE_ARC)
            return panel_fault(c, WEFT_ERROR_RANGE, "curve", i, "is of no known kind");
        bool controls = k->kind == WEFT_CURVE_QUADRATIC || k->kind == WEFT_CURVE_CUBIC;
        if (!is_panel_point(k->from) || (controls && !is_panel_point(k->control[0])) ||
            (k->kind == WEFT_CURVE_CUBIC && !is_panel_point(k->control[1])))
            return panel_fault(c, WEFT_ERROR_RANGE, "curve", i, "has a point that is not within 250 m");
        if (k->kind == WEFT_CURVE_ARC && !(k->radius > 0 && k->radius <= 1e6))
            return panel_fault(c, WEFT_ERROR_RANGE, "curve", i, "is an arc whose radius is not within (0, 1e6] m");
    }
    return WEFT_OK;
}

/* Edges cover each loop, from its first curve to its last. */
static weft_result check_panel_edges(const check *c)
{
    const weft_panel *p = c->panel;
    int32_t next = 0, loop = 0, end = p->loop_sizes[0];
    for (int32_t i = 0; i < p->n_edges; i++) {
        const weft_edge *e = &p->edges[i];
        if (!e->name || strlen(e->name) > PATTERN_MOST_TEXT)
            return panel_fault(c, WEFT_ERROR_ARGUMENT, "edge", i, "has no name, or one of more than 1000 letters");
        if (e->first != next || e->n < 1 || e->n > end - next)
            return error_set(c->error, WEFT_ERROR_INDEX, c->pattern->n_panels,
                             "panel '%.100s', edge '%.100s': it should begin at curve %d and end within its loop",
                             p->name, e->name, next);
        if (!(e->elastic > 0 && e->elastic <= 4))
            return error_set(c->error, WEFT_ERROR_RANGE, c->pattern->n_panels,
                             "panel '%.100s', edge '%.100s': elastic is %g, expected (0, 4]", p->name, e->name,
                             e->elastic);
        for (int32_t j = 0; j < i; j++)
            if (strcmp(p->edges[j].name, e->name) == 0)
                return error_set(c->error, WEFT_ERROR_DUPLICATE, c->pattern->n_panels,
                                 "panel '%.100s': two edges are called '%.100s'", p->name, e->name);
        next += e->n;
        if (next == end && loop + 1 < p->n_loops)
            end += p->loop_sizes[++loop];
    }
    if (next != p->n_curves)
        return error_set(c->error, WEFT_ERROR_INDEX, c->pattern->n_panels, "panel '%.100s': no edge has curve %d of %d",
                         p->name, next, p->n_curves);
    return WEFT_OK;
}

static weft_result check_panel_marks(const check *c)
{
    const weft_panel *p = c->panel;
    for (int32_t i = 0; i < p->n_lines; i++) {
        const weft_line *l = &p->lines[i];
        if (l->kind < WEFT_LINE_MARK || l->kind > WEFT_LINE_ELASTIC || !l->name || strlen(l->name) > PATTERN_MOST_TEXT)
            return panel_fault(c, WEFT_ERROR_RANGE, "line", i, "is of no known kind, or has no name");
        if (l->n_points < 2 || l->n_points > PATTERN_MOST_ITEMS || !l->points)
            return panel_fault(c, WEFT_ERROR_RANGE, "line", i, "has fewer than 2 points or more than 100000");
        for (int32_t k = 0; k < l->n_points; k++)
            if (!is_panel_point(l->points[k]))
                return panel_fault(c, WEFT_ERROR_RANGE, "line", i, "has a point that is not within 250 m");
        if (!isfinite(l->value) || (l->kind == WEFT_LINE_ELASTIC && !(l->value > 0 && l->value <= 4)))
            return panel_fault(c, WEFT_ERROR_RANGE, "line", i, "has a value out of range");
    }
    for (int32_t i = 0; i < p->n_notches; i++)
        if (!p->notches[i].name || strlen(p->notches[i].name) > PATTERN_MOST_TEXT || !is_panel_point(p->notches[i].at))
            return panel_fault(c, WEFT_ERROR_RANGE, "notch", i, "has no name, or is not within 250 m");
    return WEFT_OK;
}

static weft_result check_placement(const weft_placement *p, const char *name, int32_t panel, weft_error *error)
{
    double sum = 0;
    for (int i = 0; i < 9; i++)
        sum += fabs(p->rotation[i]);
    sum += fabs(p->translation.x) + fabs(p->translation.y) + fabs(p->translation.z) + fabs(p->centre.u) +
           fabs(p->centre.v) + fabs(p->radius) + fabs(p->angle) + fabs(p->rate) + fabs(p->k) + fabs(p->rho);
    bool is_known = p->kind >= WEFT_PLACEMENT_NONE && p->kind <= WEFT_PLACEMENT_CONE;
    bool is_cone = p->kind != WEFT_PLACEMENT_CONE || (p->k > 0 && p->k <= 1);
    if (is_known && is_cone && isfinite(sum) && sum <= 1e6)
        return WEFT_OK;
    return error_set(error, WEFT_ERROR_RANGE, panel, "panel '%.100s': its placement has a number out of range", name);
}

static weft_result check_new_panel(const weft_pattern *pattern, const weft_panel *p, weft_error *error)
{
    if (p->struct_size != sizeof *p)
        return error_set(error, WEFT_ERROR_STRUCT_SIZE, -1, "weft_panel: struct_size is %zu, expected %zu",
                         p->struct_size, sizeof *p);
    if (!p->name || !*p->name || strlen(p->name) > PATTERN_MOST_TEXT ||
        (p->label && strlen(p->label) > PATTERN_MOST_TEXT))
        return error_set(error, WEFT_ERROR_ARGUMENT, -1, "a panel has no name, or one of more than 1000 letters");
    if (weft_pattern_find_panel(pattern, p->name) >= 0)
        return error_set(error, WEFT_ERROR_DUPLICATE, -1, "two panels are called '%.100s'", p->name);
    if (pattern->n_panels >= PATTERN_MOST_PANELS)
        return error_set(error, WEFT_ERROR_RANGE, -1, "more than %d panels", PATTERN_MOST_PANELS);
    check c = {pattern, p, error};
    weft_result r = check_panel_counts(&c);
    r = r < 0 ? r : check_panel_curves(&c);
    r = r < 0 ? r : check_panel_edges(&c);
    r = r < 0 ? r : check_panel_marks(&c);
    r = r < 0 ? r : check_placement(&p->placement, p->name, pattern->n_panels, error);
    if (r == WEFT_OK && !(is_panel_point(p->grain) && v2_len(p->grain) > 1e-9))
        r = error_set(error, WEFT_ERROR_RANGE, pattern->n_panels, "panel '%.100s': its grain has no direction",
                      p->name);
    return r;
}

/* ---- copies ------------------------------------------------------------------------------------------------------ */

static bool copy_texts(weft_pattern *p, weft_panel *to, weft_edge *edges, weft_line *lines, weft_notch *notches)
{
    bool good = true;
    for (int32_t i = 0; good && i < to->n_edges; i++)
        good = (edges[i].name = keep_text(p, edges[i].name)) != NULL;
    for (int32_t i = 0; good && i < to->n_lines; i++)
        good = (lines[i].name = keep_text(p, lines[i].name)) != NULL &&
               (lines[i].points = keep_copy(p, lines[i].points, lines[i].n_points, sizeof(vec2))) != NULL;
    for (int32_t i = 0; good && i < to->n_notches; i++)
        good = (notches[i].name = keep_text(p, notches[i].name)) != NULL;
    return good;
}

static bool copy_panel(weft_pattern *p, const weft_panel *from, weft_panel *to)
{
    *to = *from;
    to->name = keep_text(p, from->name);
    to->label = keep_text(p, from->label ? from->label : "");
    to->loop_sizes = keep_copy(p, from->loop_sizes, from->n_loops, sizeof *from->loop_sizes);
    to->curves = keep_copy(p, from->curves, from->n_curves, sizeof *from->curves);
    weft_edge *edges = keep_copy(p, from->edges, from->n_edges, sizeof *edges);
    weft_line *lines = keep_copy(p, from->lines, from->n_lines, sizeof *lines);
    weft_notch *notches = keep_copy(p, from->notches, from->n_notches, sizeof *notches);
    to->edges = edges;
    to->lines = lines;
    to->notches = notches;
    if (from->placement.joint)
        to->placement.joint = keep_text(p, from->placement.joint);
    bool joint = !from->placement.joint || to->placement.joint;
    return to->name && to->label && to->loop_sizes && to->curves && edges && lines && notches && joint &&
           copy_texts(p, to, edges, lines, notches);
}

weft_result weft_pattern_add_panel(weft_pattern *pattern, const weft_panel *panel, int32_t *out, weft_error *error)
{
    if (!pattern || !panel)
        return error_set(error, WEFT_ERROR_ARGUMENT, -1, "pattern or panel is NULL");
    weft_result r = check_new_panel(pattern, panel, error);
    if (r < 0)
        return r;
    if (weft_curves_turn(panel->curves, panel->loop_sizes[0]) < 0)
        return error_set(error, WEFT_ERROR_DEGENERATE, pattern->n_panels,
                         "panel '%.100s': its outline runs clockwise, expected counter-clockwise", panel->name);
    weft_panel copy;
    if (!copy_panel(pattern, panel, &copy) ||
        !ARRAY_PUSH(&pattern->mem, pattern->panels, pattern->n_panels, pattern->room_panels, copy))
        return error_memory(error);
    if (out)
        *out = pattern->n_panels - 1;
    return WEFT_OK;
}

/* ---- seams ------------------------------------------------------------------------------------------------------- */

static weft_result check_seam_parts(const weft_pattern *p, const weft_seam_part *parts, int32_t n, char side,
                                    weft_error *e)
{
    if (n < 1 || n > PATTERN_MOST_ITEMS || !parts)
        return error_set(e, WEFT_ERROR_RANGE, -1, "seam %d: side %c has %d edges, expected 1 to %d", p->n_seams, side,
                         n, PATTERN_MOST_ITEMS);
    for (int32_t i = 0; i < n; i++) {
        const weft_seam_part *q = &parts[i];
        if (q->panel < 0 || q->panel >= p->n_panels)
            return error_set(e, WEFT_ERROR_INDEX, -1, "seam %d, side %c: there is no panel %d, there are %d",
                             p->n_seams, side, q->panel, p->n_panels);
        if (q->edge < 0 || q->edge >= p->panels[q->panel].n_edges)
            return error_set(e, WEFT_ERROR_INDEX, q->panel,
                             "seam %d, side %c: panel '%.100s' has no edge %d, it has %d", p->n_seams, side,
                             panel_name(p, q->panel), q->edge, p->panels[q->panel].n_edges);
        if (!(q->from >= 0 && q->from < q->to && q->to <= 1))
            return error_set(e, WEFT_ERROR_RANGE, q->panel,
                             "seam %d, side %c: the part %g to %g of edge '%.100s' of panel '%.100s' is none",
                             p->n_seams, side, q->from, q->to, p->panels[q->panel].edges[q->edge].name,
                             panel_name(p, q->panel));
    }
    return WEFT_OK;
}

weft_result weft_pattern_add_seam(weft_pattern *pattern, const weft_seam *seam, int32_t *out, weft_error *error)
{
    if (!pattern || !seam)
        return error_set(error, WEFT_ERROR_ARGUMENT, -1, "pattern or seam is NULL");
    if (seam->struct_size != sizeof *seam)
        return error_set(error, WEFT_ERROR_STRUCT_SIZE, -1, "weft_seam: struct_size is %zu, expected %zu",
                         seam->struct_size, sizeof *seam);
    if (seam->name && strlen(seam->name) > PATTERN_MOST_TEXT)
        return error_set(error, WEFT_ERROR_RANGE, -1, "seam %d: its name has more than 1000 letters", pattern->n_seams);
    weft_result r = check_seam_parts(pattern, seam->a, seam->n_a, 'a', error);
    r = r < 0 ? r : check_seam_parts(pattern, seam->b, seam->n_b, 'b', error);
    if (r < 0)
        return r;
    weft_seam copy = *seam;
    copy.name = keep_text(pattern, seam->name ? seam->name : "");
    copy.a = keep_copy(pattern, seam->a, seam->n_a, sizeof *seam->a);
    copy.b = keep_copy(pattern, seam->b, seam->n_b, sizeof *seam->b);
    if (!copy.name || !copy.a || !copy.b ||
        !ARRAY_PUSH(&pattern->mem, pattern->seams, pattern->n_seams, pattern->room_seams, copy))
        return error_memory(error);
    if (out)
        *out = pattern->n_seams - 1;
    return WEFT_OK;
}

/* ---- looking ----------------------------------------------------------------------------------------------------- */

int32_t weft_pattern_panel_count(const weft_pattern *pattern)
{
    return pattern ? pattern->n_panels : 0;
}

int32_t weft_pattern_seam_count(const weft_pattern *pattern)
{
    return pattern ? pattern->n_seams : 0;
}

const weft_panel *weft_pattern_panel(const weft_pattern *p, int32_t panel)
{
    return p && panel >= 0 && panel < p->n_panels ? &p->panels[panel] : NULL;
}

const weft_seam *weft_pattern_seam(const weft_pattern *p, int32_t seam)
{
    return p && seam >= 0 && seam < p->n_seams ? &p->seams[seam] : NULL;
}

int32_t weft_pattern_find_panel(const weft_pattern *p, const char *name)
{
    for (int32_t i = 0; p && name && i < p->n_panels; i++)
        if (strcmp(p->panels[i].name, name) == 0)
            return i;
    return -1;
}

int32_t weft_pattern_find_edge(const weft_pattern *p, int32_t panel, const char *name)
{
    const weft_panel *q = weft_pattern_panel(p, panel);
    for (int32_t i = 0; q && name && i < q->n_edges; i++)
        if (strcmp(q->edges[i].name, name) == 0)
            return i;
    return -1;
}

weft_result weft_pattern_set_placement(weft_pattern *pattern, int32_t panel, const weft_placement *placement,
                                       weft_error *error)
{
    if (!weft_pattern_panel(pattern, panel) || !placement)
        return error_set(error, WEFT_ERROR_ARGUMENT, -1, "there is no panel %d, or placement is NULL", panel);
    weft_result r = check_placement(placement, panel_name(pattern, panel), panel, error);
    if (r < 0)
        return r;
    const char *joint = placement->joint ? keep_text(pattern, placement->joint) : NULL;
    if (placement->joint && !joint)
        return error_memory(error);
    pattern->panels[panel].placement = *placement;
    pattern->panels[panel].placement.joint = joint;
    return WEFT_OK;
}

weft_result weft_pattern_set_elastic(weft_pattern *pattern, int32_t panel, int32_t edge, double elastic,
                                     weft_error *error)
{
    const weft_panel *p = weft_pattern_panel(pattern, panel);
    if (!p || edge < 0 || edge >= p->n_edges)
        return error_set(error, WEFT_ERROR_INDEX, panel, "there is no panel %d with an edge %d", panel, edge);
    if (!(elastic > 0 && elastic <= 4))
        return error_set(error, WEFT_ERROR_RANGE, panel,
                         "panel '%.100s', edge '%.100s': elastic is %g, expected (0, 4]", p->name, p->edges[edge].name,
                         elastic);
    weft_edge *edges = (weft_edge *)p->edges; /* the pattern's own copy */
    edges[edge].elastic = elastic;
    return WEFT_OK;
}

double weft_curves_turn(const weft_curve *curves, int32_t n)
{
    double sum = 0;
    for (int32_t i = 0; curves && i < n; i++) {
        vec2 to = curves[(i + 1) % n].from, a = curves[i].from;
        /* Eight chords tell which way even a loop of two arcs runs. */
        for (int k = 0; k < 8; k++) {
            vec2 b = curve_at(&curves[i], to, 0.125 * (k + 1));
            sum += v2_cross(v2_sub(a, curves[0].from), v2_sub(b, curves[0].from));
            a = b;
        }
    }
    return sum;
}

void weft_panel_turn(weft_panel *panel, weft_curve *curves, weft_vec2 *line_points, int32_t n_line_points,
                     weft_notch *notches)
{
    for (int32_t i = 0; i < panel->n_curves; i++) {
        weft_curve *c = &curves[i];
        c->from.u = -c->from.u;
        c->control[0].u = -c->control[0].u;
        c->control[1].u = -c->control[1].u;
        c->is_left = !c->is_left;
    }
    for (int32_t i = 0; i < n_line_points; i++)
        line_points[i].u = -line_points[i].u;
    for (int32_t i = 0; notches && i < panel->n_notches; i++)
        notches[i].at.u = -notches[i].at.u;
    panel->grain.u = -panel->grain.u;
    /* rotation · diag(−1, 1, −1): half a turn about the panel's v. */
    if (panel->placement.kind == WEFT_PLACEMENT_FLAT)
        for (int row = 0; row < 3; row++) {
            panel->placement.rotation[3 * row] *= -1;
            panel->placement.rotation[3 * row + 2] *= -1;
        }
}
