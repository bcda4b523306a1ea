/* SPDX-License-Identifier: MIT */
/* Contours by exact tests under one consistent perturbation.
 *
 * Idea: every vertex is shifted by an infinitesimal amount that depends on its number alone (math/predicate.h), so no
 * three edges meet, no vertex lies in a triangle, no two triangles in a plane. Then two triangles without a common
 * vertex share nothing or a segment with two ends, each where an edge of one crosses the other; with one common
 * vertex, nothing or a segment from it to such a crossing; with a common edge, nothing beside it. An end is named by
 * (edge, triangle), so segments are linked by names, never by places: an edge of two triangles hands the line on from
 * one to the other (ye2012 §2.1, "a polygonal line, and the edge-triangle intersections define the vertices").
 *
 * Where we differ: Volino and Ye test edges and triangles in floating point and lose lines at degenerate places.
 *
 * Invariants:
 * 1. Every segment has two ends. A crossing on an edge of n triangles has n segments.
 * 2. A line ends at a border, at a vertex of both sheets or at an edge of three triangles or more, else it is closed.
 * 3. Segments stand in the order of pairs, crossings in the order of names. */
#include "untangle/contour.h"

#include <string.h>

#include "base/sort.h"
#include "math/predicate.h"
#include "untangle/params.h"

typedef struct end_name {
    int32_t edge, tri;
    int64_t segment;
    int8_t which, sign;
} end_name;

static int order_crossing_names(const void *a, const void *b)
{
    const end_name *p = a, *q = b;
    if (p->tri != q->tri)
        return p->tri < q->tri ? -1 : 1;
    return p->edge < q->edge ? -1 : p->edge > q->edge;
}

void contours_init(contours *c, mem *m)
{
    *c = (contours){.m = m};
}

static void free_crossings(contours *c)
{
    int64_t n = c->segment_room;
    MEM_FREE(c->m, c->segments, n);
    MEM_FREE(c->m, c->order, n);
    MEM_FREE(c->m, c->lines, n);
    MEM_FREE(c->m, c->crossings, 2 * n);
    MEM_FREE(c->m, c->start, 2 * n + 2);
    MEM_FREE(c->m, c->around, 2 * n);
    mem_free(c->m, c->names, 2 * n, sizeof(end_name));
    mem_free(c->m, c->names_scratch, 2 * n, sizeof(end_name));
    c->names = c->names_scratch = NULL;
    c->segment_room = 0;
}

void contours_free(contours *c)
{
    if (c->m)
        free_crossings(c);
}

/* Room for so many segments, and half as many again; contents are lost. */
static bool reserve_segments(contours *c, int64_t n)
{
    if (n <= c->segment_room)
        return true;
    free_crossings(c);
    n += n / 2;
    c->segment_room = n;
    bool good = MEM_MAKE(c->m, c->segments, n);
    good = MEM_MAKE(c->m, c->order, n) && good;
    good = MEM_MAKE(c->m, c->lines, n) && good;
    good = MEM_MAKE(c->m, c->crossings, 2 * n) && good;
    good = MEM_MAKE(c->m, c->start, 2 * n + 2) && good;
    good = MEM_MAKE(c->m, c->around, 2 * n) && good;
    good = (c->names = mem_array(c->m, 2 * n, sizeof(end_name))) != NULL && good;
    good = (c->names_scratch = mem_array(c->m, 2 * n, sizeof(end_name))) != NULL && good;
    return good;
}

/* ---- pairs ----------------------------------------------------------------------------------------------------- */

static int common_vertices(const int32_t a[3], const int32_t b[3], int32_t *shared)
{
    int n = 0;
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            if (a[i] == b[k]) {
                *shared = a[i];
                n++;
            }
    return n;
}

/* Whether edge i of triangle ti crosses tj: 0, or the sign, seen from the edge's lower vertex. */
static int edge_crosses(const mesh_adjacency *w, const vec3 *x, int32_t ti, int i, int32_t tj)
{
    const mesh_adjacency_edge *e = &w->edges[w->tri_edge[ti][i]];
    const int32_t *t = w->tri[tj];
    int32_t index[5] = {e->v[0], e->v[1], t[0], t[1], t[2]};
    vec3 y[5];
    for (int k = 0; k < 5; k++)
        y[k] = x[index[k]];
    return predicate_crosses_sos(y, index);
}

/* Names the ends of what ti and tj share; false: nothing. */
static bool find_segment_ends(const mesh_adjacency *w, const vec3 *x, int32_t ti, int32_t tj, end_name out[2])
{
    const int32_t *a = w->tri[ti], *b = w->tri[tj];
    int32_t shared = -1;
    int n = 0, n_common = common_vertices(a, b, &shared);
    if (n_common > 1 || w->tri_edge[ti][0] < 0 || w->tri_edge[tj][0] < 0)
        return false;
    for (int i = 0; i < 6 && n < 2; i++) {
        int32_t from = i < 3 ? ti : tj, to = i < 3 ? tj : ti;
        int32_t ei = w->tri_edge[from][i % 3];
        if (n_common == 1 && (w->edges[ei].v[0] == shared || w->edges[ei].v[1] == shared))
            continue;
        int sign = edge_crosses(w, x, from, i % 3, to);
        if (sign != 0)
            out[n++] = (end_name){.edge = ei, .tri = to, .sign = (int8_t)sign};
    }
    if (n == 1 && n_common == 1)
        out[n++] = (end_name){.edge = shared, .tri = -1};
    return n == 2;
}

static bool keep_segment(contours *c, int32_t ti, int32_t tj, const end_name ends[2])
{
    end_name *names = c->names;
    int64_t n = c->n_segments++;
    c->segments[n] = (contour_segment){.tri = {ti, tj}, .line = -1};
    for (int k = 0; k < 2; k++) {
        names[2 * n + k] = ends[k];
        names[2 * n + k].segment = n;
        names[2 * n + k].which = (int8_t)k;
    }
    return true;
}

/* Sides of a seam that is being pulled shut. */
static bool triangles_are_tied(const int32_t *tied, const int32_t a[3], const int32_t b[3])
{
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            if (a[i] != b[k] && tied[a[i]] == tied[b[k]])
                return true;
    return false;
}

typedef struct pair_job {
    const mesh_adjacency *w;
    const int32_t *tied;
    const vec3 *x;
    const bvh_triangle_pair *pairs;
    int64_t n;
    bool *hit;
} pair_job;

/* Pairs that one thread takes at once. */
enum { CONTOUR_BLOCK = 1024 };

static void test_contour_pairs(void *context, int32_t block)
{
    pair_job *j = context;
    end_name ends[2];
    int64_t end = (int64_t)(block + 1) * CONTOUR_BLOCK;
    for (int64_t i = (int64_t)block * CONTOUR_BLOCK; i < end && i < j->n; i++) {
        bvh_triangle_pair p = j->pairs[i];
        j->hit[i] = !(j->tied && triangles_are_tied(j->tied, j->w->tri[p.ti], j->w->tri[p.tj])) &&
                    find_segment_ends(j->w, j->x, p.ti, p.tj, ends);
    }
}

static weft_result list_contour_segments(contours *c, const mesh_adjacency *w, pool *p, const vec3 *x,
                                         const bvh_triangles *found, weft_error *e)
{
    pair_job job = {w, c->tied, x, found->pairs, found->n, NULL};
    int64_t n = 0;
    if (!MEM_MAKE(c->m, job.hit, found->n))
        return error_memory(e);
    pool_for(p, (int32_t)((found->n + CONTOUR_BLOCK - 1) / CONTOUR_BLOCK), test_contour_pairs, &job);
    for (int64_t i = 0; i < found->n; i++)
        n += job.hit[i];
    bool good = reserve_segments(c, n);
    end_name ends[2];
    for (int64_t i = 0; good && i < found->n; i++)
        if (job.hit[i] && find_segment_ends(w, x, found->pairs[i].ti, found->pairs[i].tj, ends))
            keep_segment(c, found->pairs[i].ti, found->pairs[i].tj, ends);
    MEM_FREE(c->m, job.hit, found->n);
    return good ? WEFT_OK : error_memory(e);
}

/* ---- crossings ------------------------------------------------------------------------------------------------- */

/* Weights of a point about in the triangle's plane, each in [0, 1] with sum 1. */
static void find_weights(const vec3 t[3], vec3 at, double w[3])
{
    vec3 n = v3_cross(v3_sub(t[1], t[0]), v3_sub(t[2], t[0]));
    double sum = 0;
    for (int i = 0; i < 3; i++) {
        vec3 a = t[(i + 1) % 3], b = t[(i + 2) % 3];
        w[i] = max_of(0, v3_dot(n, v3_cross(v3_sub(a, at), v3_sub(b, at))));
        sum += w[i];
    }
    for (int i = 0; i < 3; i++)
        w[i] = sum > 0 ? w[i] / sum : 1.0 / 3;
}

static void place_crossing(crossing *c, const mesh_adjacency *w, const vec3 *x)
{
    if (c->tri < 0) {
        c->at = x[c->edge];
        return;
    }
    vec3 t[3], p = x[w->edges[c->edge].v[0]], q = x[w->edges[c->edge].v[1]];
    for (int i = 0; i < 3; i++)
        t[i] = x[w->tri[c->tri][i]];
    vec3 n = v3_cross(v3_sub(t[1], t[0]), v3_sub(t[2], t[0]));
    double from = fabs(v3_dot(n, v3_sub(p, t[0]))), to = fabs(v3_dot(n, v3_sub(q, t[0])));
    c->s = from + to > 0 ? from / (from + to) : 0.5;
    c->at = v3_madd(p, c->s, v3_sub(q, p));
    find_weights(t, c->at, c->w);
}

static void number_crossings(contours *c, const mesh_adjacency *w, const vec3 *x)
{
    end_name *names = c->names;
    int64_t n = 2 * c->n_segments;
    if (n > 0)
        sort_items(names, c->names_scratch, n, sizeof *names, order_crossing_names);
    c->n_crossings = 0;
    for (int64_t i = 0; i < n; i++) {
        if (i == 0 || order_crossing_names(&names[i - 1], &names[i]) != 0) {
            crossing *k = &c->crossings[c->n_crossings++];
            *k = (crossing){.edge = names[i].edge, .tri = names[i].tri, .sign = names[i].sign, .line = -1};
            place_crossing(k, w, x);
        }
        c->crossings[c->n_crossings - 1].n_segments++;
        c->segments[names[i].segment].end[names[i].which] = (int32_t)c->n_crossings - 1;
    }
    for (int64_t i = 0; i < c->n_segments; i++) {
        crossing *a = &c->crossings[c->segments[i].end[0]], *b = &c->crossings[c->segments[i].end[1]];
        vec3 way = v3_unit_or(v3_sub(b->at, a->at), v3_zero());
        a->inward = v3_add(a->inward, way);
        b->inward = v3_sub(b->inward, way);
    }
}

static void list_crossing_segments(contours *c)
{
    memset(c->start, 0, (size_t)(c->n_crossings + 1) * sizeof *c->start);
    for (int64_t i = 0; i < c->n_segments; i++)
        for (int k = 0; k < 2; k++)
            c->start[c->segments[i].end[k] + 1]++;
    for (int64_t i = 0; i < c->n_crossings; i++)
        c->start[i + 1] += c->start[i];
    for (int64_t i = c->n_segments - 1; i >= 0; i--)
        for (int k = 0; k < 2; k++)
            c->around[--c->start[c->segments[i].end[k] + 1]] = (int32_t)i;
    memmove(c->start, c->start + 1, (size_t)c->n_crossings * sizeof *c->start);
    c->start[c->n_crossings] = (int32_t)(2 * c->n_segments);
}

/* ---- lines ----------------------------------------------------------------------------------------------------- */

static int32_t next_free_segment(const contours *c, int32_t at)
{
    for (int32_t i = c->start[at]; i < c->start[at + 1]; i++)
        if (c->segments[c->around[i]].line < 0)
            return c->around[i];
    return -1;
}

/* A vertex of both sheets ends a line, and so does anything but two segments. */
static bool is_end(const crossing *k)
{
    return k->n_segments != 2 || k->tri < 0;
}

static contour_kind line_kind(const crossing *a, const crossing *b)
{
    if (a->tri < 0 || b->tri < 0)
        return CONTOUR_LOOP;
    return a->n_segments > 2 || b->n_segments > 2 ? CONTOUR_BRANCH : CONTOUR_BORDER;
}

static void trace_line(contours *c, int32_t from, int32_t si, int64_t *n_walked)
{
    contour_line *line = &c->lines[c->n_lines];
    *line = (contour_line){.first = *n_walked};
    int32_t at = from;
    while (si >= 0) {
        contour_segment *s = &c->segments[si];
        s->line = c->n_lines;
        c->order[(*n_walked)++] = si;
        line->n_segments++;
        line->length += v3_len(v3_sub(c->crossings[s->end[0]].at, c->crossings[s->end[1]].at));
        c->crossings[at].line = c->n_lines;
        at = s->end[0] == at ? s->end[1] : s->end[0];
        c->crossings[at].line = c->n_lines;
        si = is_end(&c->crossings[at]) ? -1 : next_free_segment(c, at);
    }
    bool closed = at == from && !is_end(&c->crossings[at]);
    line->kind = closed ? CONTOUR_CLOSED : line_kind(&c->crossings[from], &c->crossings[at]);
    c->length += line->length;
    c->n_lines++;
}

static void trace_lines(contours *c)
{
    int64_t n_walked = 0;
    int32_t si;
    c->n_lines = 0;
    c->length = 0;
    for (int32_t i = 0; i < c->n_crossings; i++)
        while (is_end(&c->crossings[i]) && (si = next_free_segment(c, i)) >= 0)
            trace_line(c, i, si, &n_walked);
    for (int32_t i = 0; i < c->n_crossings; i++)
        if ((si = next_free_segment(c, i)) >= 0)
            trace_line(c, i, si, &n_walked);
}

weft_result contours_find(contours *c, const mesh_adjacency *w, bvh *t, pool *p, const vec3 *x, weft_error *e)
{
    c->n_crossings = c->n_segments = 0;
    c->n_lines = 0;
    c->length = 0;
    if (w->n_triangles == 0)
        return WEFT_OK;
    bvh_query query = {.mode = BVH_CLASSICAL,
                       .limit = UNTANGLE_OVERLAPS * (int64_t)w->n_triangles + UNTANGLE_MORE_OVERLAPS};
    bvh_triangles found;
    arena_mark before = bvh_mark(t);
    weft_result r = bvh_refit(t, p, x, NULL, 0.0, e);
    r = r < 0 ? r : bvh_triangle_pairs(t, p, &query, &found, e);
    r = r < 0 ? r : list_contour_segments(c, w, p, x, &found, e);
    bvh_release(t, before);
    if (r < 0 || c->n_segments == 0)
        return r;
    number_crossings(c, w, x);
    list_crossing_segments(c);
    trace_lines(c);
    return WEFT_OK;
}
