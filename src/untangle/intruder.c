/* SPDX-License-Identifier: MIT */
/* "The smaller side is the intruder" (ye2012 §6, after Baraff et al.).
 *
 * Idea: along a contour line two sheets cross. On each the line cuts edges; a cut edge has an end on either side of
 * the other sheet's triangle. From the ends on both sides the sheet is filled along its uncut edges, one vertex here,
 * one there, so that the cost is that of the smaller part. If the fills meet, the line does not cut the sheet in two,
 * and nothing is decided; but for a line that cuts neither sheet (a slit), where they go on, ring by ring, and the
 * smaller side is it. The part that is full first is the intruder.
 *
 * Where we differ: the paper leaves it open. A part that is held somewhere is no intruder if the other is not, however
 * small it is: two sheets that hang crossed near their pins could only part through these. Both sheets are judged, each
 * by itself, so self-intersections work as well; an edge that is cut several times is judged at each end by the
 * crossing next to that end.
 *
 * Invariants:
 * 1. Along a line the sheets do not change places: of two successive segments one triangle is common.
 * 2. The result depends on the order of lines, crossings and edges only. */
#include "untangle/intruder.h"

#include <string.h>

#include "untangle/params.h"

bool intruders_make(intruders *s, mem *m, const mesh_adjacency *w)
{
    *s = (intruders){.m = m, .n_vertices = w->n_vertices, .n_edges = w->n_edges};
    bool good = MEM_MAKE(m, s->cut, w->n_edges);
    good = MEM_MAKE(m, s->seen, w->n_vertices) && good;
    good = MEM_MAKE(m, s->near, w->n_vertices) && good;
    good = MEM_MAKE(m, s->queue[0], w->n_vertices) && good;
    return MEM_MAKE(m, s->queue[1], w->n_vertices) && good;
}

void intruders_free(intruders *s)
{
    if (!s->m)
        return;
    MEM_FREE(s->m, s->lines, s->line_room);
    MEM_FREE(s->m, s->sheet, s->crossing_room);
    MEM_FREE(s->m, s->cut, s->n_edges);
    MEM_FREE(s->m, s->seen, s->n_vertices);
    MEM_FREE(s->m, s->near, s->n_vertices);
    MEM_FREE(s->m, s->queue[0], s->n_vertices);
    MEM_FREE(s->m, s->queue[1], s->n_vertices);
}

static bool reserve_intruders(intruders *s, const contours *c)
{
    if (c->n_lines > s->line_room) {
        MEM_FREE(s->m, s->lines, s->line_room);
        s->line_room = 2 * (int64_t)c->n_lines;
        if (!MEM_MAKE(s->m, s->lines, s->line_room))
            return s->line_room = 0, false;
    }
    if (c->n_crossings > s->crossing_room) {
        MEM_FREE(s->m, s->sheet, s->crossing_room);
        s->crossing_room = 2 * c->n_crossings;
        if (!MEM_MAKE(s->m, s->sheet, s->crossing_room))
            return s->crossing_room = 0, false;
    }
    return true;
}

static uint64_t patch_bit(int32_t li, int sheet)
{
    return UINT64_C(1) << (2 * (li % INTRUDER_LINES) + sheet);
}

static void add_to_patch(intruders *s, const mesh_adjacency *w, int32_t ti, uint64_t bit)
{
    for (int i = 0; s->patch && i < 3; i++)
        s->patch[w->tri[ti][i]] |= bit;
}

/* Goes along a line; `first` is the segment's triangle of sheet 0. */
static void label_sheets(intruders *s, const mesh_adjacency *w, const contours *c, int32_t li)
{
    const contour_line *line = &c->lines[li];
    int32_t first = c->segments[c->order[line->first]].tri[0], last = -1;
    for (int32_t i = 0; i < line->n_segments; i++) {
        const contour_segment *g = &c->segments[c->order[line->first + i]];
        if (i > 0 && g->tri[0] != first && g->tri[1] != first) /* then sheet 1 has the common triangle */
            first = g->tri[0] == last ? g->tri[1] : g->tri[0];
        last = g->tri[0] == first ? g->tri[1] : g->tri[0];
        for (int k = 0; k < 2; k++)
            s->sheet[g->end[k]] = c->crossings[g->end[k]].tri == first;
        add_to_patch(s, w, first, patch_bit(li, 0));
        add_to_patch(s, w, last, patch_bit(li, 1));
    }
}

/* ---- filling ----------------------------------------------------------------------------------------------------- */

typedef struct fill {
    intruders *s;
    const mesh_adjacency *w;
    int32_t id[2]; /* stamps of the two sides in `seen` */
    int32_t n[2], done[2];
    int32_t held[2]; /* of them, those that do not move */
} fill;

static void enqueue(fill *f, int32_t vi, int side)
{
    f->s->queue[side][f->n[side]++] = vi;
    f->held[side] += f->s->held && f->s->held[vi];
}

static void seed_end(fill *f, int32_t vi, double distance, int side)
{
    intruders *s = f->s;
    bool seen = s->seen[vi] == f->id[0] || s->seen[vi] == f->id[1];
    if (seen && s->near[vi] <= distance)
        return;
    s->seen[vi] = f->id[side];
    s->near[vi] = distance;
}

/* Side 0: where the normals of the other sheet point. */
static void seed_crossing(fill *f, const contours *c, int32_t ci, const vec3 *x)
{
    const crossing *k = &c->crossings[ci];
    const mesh_adjacency_edge *e = &f->w->edges[k->edge];
    f->s->cut[k->edge] = f->id[0];
    for (int i = 0; i < 2; i++)
        seed_end(f, e->v[i], v3_len(v3_sub(k->at, x[e->v[i]])), (k->sign > 0) == (i == 1));
}

static void queue_seeds(fill *f, const contours *c, int32_t ci)
{
    const mesh_adjacency_edge *e = &f->w->edges[c->crossings[ci].edge];
    for (int i = 0; i < 2; i++) {
        int32_t vi = e->v[i];
        if (f->s->near[vi] < 0)
            continue;
        f->s->near[vi] = -1;
        int side = f->s->seen[vi] == f->id[1];
        enqueue(f, vi, side);
    }
}

/* One vertex more of a side. False: it meets the other. */
static bool fill_one(fill *f, int side)
{
    const mesh_adjacency *w = f->w;
    intruders *s = f->s;
    int32_t vi = s->queue[side][f->done[side]++];
    bool met = false;
    for (int32_t i = w->next_start[vi]; i < w->next_start[vi + 1]; i++) {
        int32_t ei = w->next_edge[i];
        int32_t to = w->edges[ei].v[0] == vi ? w->edges[ei].v[1] : w->edges[ei].v[0];
        if (s->cut[ei] == f->id[0] || s->seen[to] == f->id[side])
            continue;
        met = met || s->seen[to] == f->id[1 - side];
        if (s->seen[to] == f->id[1 - side])
            continue;
        s->seen[to] = f->id[side];
        enqueue(f, to, side);
    }
    return !met;
}

/* The side that is full first; -1: they meet, which leaves it where it was: filling may go on. */
static int fill_both(fill *f)
{
    if (f->n[0] == 0 || f->n[1] == 0)
        return -1;
    for (;;)
        for (int side = 0; side < 2; side++) {
            if (f->done[side] == f->n[side])
                return side;
            if (!fill_one(f, side))
                return -1;
        }
}

/* Ring by ring, to the end: each vertex belongs to the side from which it is fewer edges away. */
static void fill_remaining(fill *f)
{
    for (int side = 0; f->done[0] < f->n[0] || f->done[1] < f->n[1]; side = 1 - side)
        for (int32_t end = f->n[side]; f->done[side] < end;)
            fill_one(f, side);
}

static void seed_line(fill *f, const contours *c, int32_t li, int sheet, const vec3 *x)
{
    const contour_line *line = &c->lines[li];
    for (int pass = 0; pass < 2; pass++)
        for (int32_t i = 0; i < line->n_segments; i++) {
            const contour_segment *g = &c->segments[c->order[line->first + i]];
            for (int k = 0; k < 2; k++) {
                int32_t ci = g->end[k];
                if (c->crossings[ci].tri < 0 || f->s->sheet[ci] != sheet)
                    continue;
                if (pass == 0)
                    seed_crossing(f, c, ci, x);
                else
                    queue_seeds(f, c, ci);
            }
        }
}

static void find_intruding_side(intruders *s, const mesh_adjacency *w, const contours *c, int32_t li, int sheet,
                                const vec3 *x)
{
    if (s->stamp > INT32_MAX - 4) {
        memset(s->cut, 0, (size_t)s->n_edges * sizeof *s->cut);
        memset(s->seen, 0, (size_t)s->n_vertices * sizeof *s->seen);
        s->stamp = 0;
    }
    fill f = {.s = s, .w = w, .id = {s->stamp + 1, s->stamp + 2}};
    s->stamp += 2;
    seed_line(&f, c, li, sheet, x);
    int side = fill_both(&f);
    if (side >= 0 && f.held[side] > 0) {
        while (f.done[1 - side] < f.n[1 - side])
            fill_one(&f, 1 - side);
        s->lines[li].sure[sheet] = f.held[1 - side] == 0;
        side = f.held[1 - side] == 0 ? 1 - side : side;
    }
    s->lines[li].side[sheet] = (int8_t)(side < 0 ? 0 : side == 0 ? 1 : -1);
    s->lines[li].n[sheet] = side < 0 ? 0 : f.n[side];
    if (side < 0 && s->slits && c->lines[li].kind == CONTOUR_BORDER && f.n[0] > 0 && f.n[1] > 0) {
        fill_remaining(&f);
        int smaller = f.n[0] <= f.n[1] ? 0 : 1;
        if (f.held[smaller] > 0 && f.held[1 - smaller] == 0)
            smaller = 1 - smaller;
        s->lines[li].slit[sheet] = (int8_t)(smaller == 0 ? 1 : -1);
        s->lines[li].n[sheet] = f.n[smaller];
    }
    for (int32_t i = 0; side >= 0 && i < f.n[side]; i++)
        s->lines[li].centre[sheet] = v3_madd(s->lines[li].centre[sheet], 1.0 / f.n[side], x[s->queue[side][i]]);
    for (int32_t i = 0; s->patch && side >= 0 && i < f.n[side]; i++)
        s->patch[s->queue[side][i]] |= patch_bit(li, sheet);
}

static vec3 unit_normal(const mesh_adjacency *w, const vec3 *x, int32_t ti)
{
    const int32_t *t = w->tri[ti];
    return v3_unit_or(v3_cross(v3_sub(x[t[1]], x[t[0]]), v3_sub(x[t[2]], x[t[0]])), v3_zero());
}

/* Sheet 0 is to go along −side[0] n₁ against sheet 1, and that along −side[1] n₀ against sheet 0. Where sheets cross at
 * a flat angle these may be opposite, and the line would stay where it is: then the smaller of the two parts decides,
 * and the line leaves the other sheet by the part that goes with it. */
static void reconcile_sides(intruder *r, const mesh_adjacency *w, const contours *c, const contour_line *line,
                            const vec3 *x)
{
    double alike = 0;
    if (r->side[0] == 0 || r->side[1] == 0)
        return;
    for (int32_t i = 0; i < line->n_segments; i++) {
        const contour_segment *g = &c->segments[c->order[line->first + i]];
        alike += v3_dot(unit_normal(w, x, g->tri[0]), unit_normal(w, x, g->tri[1]));
    }
    if (fabs(alike) < UNTANGLE_FLAT_ANGLE * line->n_segments || r->side[0] * r->side[1] * alike < 0)
        return;
    if (r->sure[0] && r->sure[1])
        return;
    int flipped = r->sure[0] || r->sure[1] ? r->sure[0] : r->n[0] <= r->n[1];
    r->side[flipped] = (int8_t)-r->side[flipped];
}

/* A line from the border of one sheet to that of the other cuts neither in two. */
static void settle_slit(intruder *r)
{
    if (r->side[0] == 0 && r->side[1] == 0)
        memcpy(r->side, r->slit, sizeof r->side);
}

bool intruders_find(intruders *s, const mesh_adjacency *w, const contours *c, const vec3 *x)
{
    if (!reserve_intruders(s, c))
        return false;
    for (int32_t li = 0; li < c->n_lines; li++) {
        s->lines[li] = (intruder){0};
        label_sheets(s, w, c, li);
        if (c->lines[li].kind == CONTOUR_BRANCH)
            continue;
        for (int sheet = 0; sheet < 2; sheet++)
            find_intruding_side(s, w, c, li, sheet, x);
        settle_slit(&s->lines[li]);
        reconcile_sides(&s->lines[li], w, c, &c->lines[li], x);
    }
    return true;
}
