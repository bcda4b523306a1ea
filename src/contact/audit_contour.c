/* SPDX-License-Identifier: MIT */
/* Contours of an audit: the segments that pairs of triangles share, linked at their ends.
 *
 * Idea: two triangles in different planes share a segment, or a point. An end of it is where a vertex or an edge of
 * one meets a vertex, an edge or the inside of the other: that pair of features names the end. The exact
 * classification of hits (math/intersect.h) gives the same name to it from whichever of the triangles around it is
 * looked from, degenerate positions included, so contours are linked by comparing names, never places. Vertices are
 * named by place, so meshes whose vertices are doubled link as well.
 *
 * The segments, each once though several pairs may share one (an edge that lies in a plane), make a graph. Lines
 * run from one point that has not two segments to the next, or round. A contour is a connected part of the graph.
 * Pairs that overlap in a plane or have no area share no segment; they join pairs of the same triangle with one
 * that has a common vertex with the other.
 *
 * Invariants:
 * 1. Every pair has a contour, and 0 to 2 named ends; with 0, it is coplanar or degenerate.
 * 2. Every segment is in one line, and every end of a segment is a point of it.
 * 3. Contours stand in the order of their first pair, lines in the order of contours. The order is a function of
 *    pairs and positions alone. */
#include "contact/audit_contour.h"

#include <string.h>

#include "base/union_find.h"
#include "base/sort.h"
#include "math/intersect.h"

/* A vertex (place, -1), an edge (lower place, higher place) or the inside of a triangle (-2, triangle). */
typedef struct feature {
    int32_t a, b;
} feature;

/* The lower feature first. */
typedef struct end_name {
    feature f[2];
} end_name;

/* One end of what a pair shares; in the graph, `node` numbers the names. */
typedef struct pair_end {
    end_name name;
    vec3 at;
    int64_t pair;
    int32_t which; /* 0 or 1, of the pair's ends */
} pair_end;

typedef struct segment {
    int64_t pair;
    int32_t node[2]; /* the lower first */
} segment;

typedef struct linking {
    mem *m;
    const int32_t (*triangles)[3];
    const vec3 *x;
    weft_audit_pair *pairs;
    int64_t n_pairs;
    int32_t *place;   /* per pair and corner, 6 a pair */
    int32_t *parent;  /* of pairs, to the lowest pair of the contour in the end */
    pair_end *ends;   /* 2 a pair while they are found, then packed and sorted by name */
    int8_t *n_ends;   /* per pair */
    int32_t *node_of; /* 2 a pair; -1: none */
    vec3 *node_at;
    segment *segments;
    int64_t *start; /* of each node's segments in `around` */
    int32_t *around;
    bool *walked; /* per segment */
    int64_t n_all_ends, n_segments;
    int32_t n_nodes;
} linking;

static vec3 lowest(vec3 a, vec3 b)
{
    return v3(min_of(a.x, b.x), min_of(a.y, b.y), min_of(a.z, b.z));
}

static vec3 highest(vec3 a, vec3 b)
{
    return v3(max_of(a.x, b.x), max_of(a.y, b.y), max_of(a.z, b.z));
}

/* ---- places: nodes at the same place get the same number ------------------------------------------------------- */

typedef struct corner {
    vec3 x;
    int64_t slot;
} corner;

static int compare_doubles(double a, double b)
{
    return a < b ? -1 : a > b;
}

static int order_corners(const void *a, const void *b)
{
    const corner *p = a, *q = b;
    int c = compare_doubles(p->x.x, q->x.x);
    if (c == 0)
        c = compare_doubles(p->x.y, q->x.y);
    return c != 0 ? c : compare_doubles(p->x.z, q->x.z);
}

static bool number_places(linking *l)
{
    int64_t n = 6 * l->n_pairs;
    corner *corners, *scratch;
    bool good = MEM_MAKE(l->m, corners, n);
    good = MEM_MAKE(l->m, scratch, n) && good;
    for (int64_t i = 0; good && i < n; i++) {
        int32_t ti = l->pairs[i / 6].triangle[i % 6 / 3];
        corners[i] = (corner){l->x[l->triangles[ti][i % 3]], i};
    }
    if (good)
        sort_items(corners, scratch, n, sizeof *corners, order_corners);
    int32_t place = -1;
    for (int64_t i = 0; good && i < n; i++) {
        place += i == 0 || order_corners(&corners[i - 1], &corners[i]) != 0;
        l->place[corners[i].slot] = place;
    }
    MEM_FREE(l->m, corners, n);
    MEM_FREE(l->m, scratch, n);
    return good;
}

/* ---- ends ------------------------------------------------------------------------------------------------------ */

static feature vertex_feature(const int32_t place[3], int i)
{
    return (feature){place[i], -1};
}

static feature edge_feature(const int32_t place[3], int i)
{
    int32_t a = place[i], b = place[(i + 1) % 3];
    return a < b ? (feature){a, b} : (feature){b, a};
}

static int order_features(feature a, feature b)
{
    if (a.a != b.a)
        return a.a < b.a ? -1 : 1;
    return a.b < b.b ? -1 : a.b > b.b;
}

static end_name end_name_of(feature a, feature b)
{
    return order_features(a, b) <= 0 ? (end_name){{a, b}} : (end_name){{b, a}};
}

static int order_end_names(const end_name *a, const end_name *b)
{
    int c = order_features(a->f[0], b->f[0]);
    return c != 0 ? c : order_features(a->f[1], b->f[1]);
}

/* Where the segment p q goes through the plane of t, rounded. */
static vec3 through_plane(vec3 p, vec3 q, const vec3 t[3])
{
    vec3 n = v3_cross(v3_sub(t[1], t[0]), v3_sub(t[2], t[0]));
    double from = v3_dot(n, v3_sub(p, t[0])), to = v3_dot(n, v3_sub(q, t[0])), way = from - to;
    double s = way != 0.0 ? from / way : 0.5;
    s = s >= 0.0 ? min_of(s, 1.0) : s < 0.0 ? 0.0 : 0.5; /* the last: not a number */
    return v3_madd(p, s, v3_sub(q, p));
}

typedef struct side {
    vec3 x[3];
    const int32_t *place;
    int32_t ti;
} side;

/* Names the end where edge i of a meets b. False: it does not, or lies in b's plane, and then the other edges tell. */
static bool find_end(const side *a, int i, const side *b, pair_end *out)
{
    vec3 p = a->x[i], q = a->x[(i + 1) % 3];
    segment_hit hit = intersect_segment_triangle(p, q, b->x);
    if (hit.kind == HIT_NONE || hit.kind == HIT_COPLANAR)
        return false;
    feature of_a = hit.end >= 0 ? vertex_feature(a->place, (i + hit.end) % 3) : edge_feature(a->place, i);
    feature of_b = hit.kind == HIT_VERTEX ? vertex_feature(b->place, hit.feature)
                   : hit.kind == HIT_EDGE ? edge_feature(b->place, hit.feature)
                                          : (feature){-2, b->ti};
    out->name = end_name_of(of_a, of_b);
    out->at = hit.kind == HIT_VERTEX ? b->x[hit.feature]
              : hit.end >= 0         ? a->x[(i + hit.end) % 3]
                                     : through_plane(p, q, b->x);
    return true;
}

static bool has_end(const pair_end *ends, int n, const pair_end *end)
{
    for (int i = 0; i < n; i++)
        if (order_end_names(&ends[i].name, &end->name) == 0)
            return true;
    return false;
}

/* The middle of what the boxes of both have in common. */
static vec3 rough_place(const side *a, const side *b)
{
    vec3 lower_a = lowest(lowest(a->x[0], a->x[1]), a->x[2]), upper_a = highest(highest(a->x[0], a->x[1]), a->x[2]);
    vec3 lower_b = lowest(lowest(b->x[0], b->x[1]), b->x[2]), upper_b = highest(highest(b->x[0], b->x[1]), b->x[2]);
    vec3 lower = highest(lower_a, lower_b), upper = lowest(upper_a, upper_b);
    return v3_madd(lower, 0.5, v3_sub(upper, lower));
}

static side pair_side(const linking *l, int64_t pair, int k)
{
    int32_t ti = l->pairs[pair].triangle[k];
    const int32_t *t = l->triangles[ti];
    return (side){{l->x[t[0]], l->x[t[1]], l->x[t[2]]}, &l->place[6 * pair + 3 * k], ti};
}

static void find_pair_ends(const linking *l, int64_t pair)
{
    weft_audit_pair *w = &l->pairs[pair];
    side a = pair_side(l, pair, 0), b = pair_side(l, pair, 1);
    pair_end *ends = &l->ends[2 * pair], end = {.pair = pair};
    int n = 0;
    for (int i = 0; i < 6 && n < 2 && w->kind == WEFT_PAIR_CROSS; i++)
        if (find_end(i < 3 ? &a : &b, i % 3, i < 3 ? &b : &a, &end) && !has_end(ends, n, &end)) {
            end.which = n;
            ends[n++] = end;
        }
    l->n_ends[pair] = (int8_t)n;
    w->ends[0] = n > 0 ? ends[0].at : rough_place(&a, &b);
    w->ends[1] = n > 1 ? ends[1].at : w->ends[0];
}

/* Pairs that one thread takes at once. */
enum { AUDIT_END_BLOCK = 1024 };

static void find_block_ends(void *context, int32_t block)
{
    const linking *l = context;
    int64_t end = (int64_t)(block + 1) * AUDIT_END_BLOCK;
    for (int64_t i = (int64_t)block * AUDIT_END_BLOCK; i < end && i < l->n_pairs; i++)
        find_pair_ends(l, i);
}

static int order_ends(const void *a, const void *b)
{
    return order_end_names(&((const pair_end *)a)->name, &((const pair_end *)b)->name);
}

/* Packs and sorts the ends, numbers the names and joins the pairs at each. */
static bool number_ends(linking *l)
{
    pair_end *scratch;
    int64_t n = 0;
    for (int64_t i = 0; i < l->n_pairs; i++)
        for (int k = 0; k < l->n_ends[i]; k++)
            l->ends[n++] = l->ends[2 * i + k];
    if (!MEM_MAKE(l->m, scratch, n))
        return false;
    sort_items(l->ends, scratch, n, sizeof *l->ends, order_ends);
    MEM_FREE(l->m, scratch, n);
    l->n_all_ends = n;
    l->n_nodes = 0;
    for (int64_t i = 0; i < n; i++) {
        if (i == 0 || order_ends(&l->ends[i - 1], &l->ends[i]) != 0)
            l->node_at[l->n_nodes++] = l->ends[i].at;
        else
            union_find_join(l->parent, (int32_t)l->ends[i - 1].pair, (int32_t)l->ends[i].pair);
        l->node_of[2 * l->ends[i].pair + l->ends[i].which] = l->n_nodes - 1;
    }
    return true;
}

/* ---- pairs without ends ---------------------------------------------------------------------------------------- */

/* A pair with a triangle, and a place that is a vertex of the other. */
typedef struct neighbour {
    int32_t ti, place;
    int64_t pair;
} neighbour;

static int order_neighbours(const void *a, const void *b)
{
    const neighbour *p = a, *q = b;
    if (p->ti != q->ti)
        return p->ti < q->ti ? -1 : 1;
    return p->place < q->place ? -1 : p->place > q->place;
}

/* Joins pairs of one triangle and one place if one of them has no ends. */
static void join_flat(linking *l, const neighbour *all, int64_t n)
{
    for (int64_t i = 0, end; i < n; i = end) {
        int64_t flat = -1;
        for (end = i; end < n && order_neighbours(&all[i], &all[end]) == 0; end++)
            if (l->n_ends[all[end].pair] == 0)
                flat = all[end].pair;
        for (int64_t k = i; flat >= 0 && k < end; k++)
            union_find_join(l->parent, (int32_t)flat, (int32_t)all[k].pair);
    }
}

static bool join_pairs_without_ends(linking *l)
{
    bool any = false;
    for (int64_t i = 0; i < l->n_pairs; i++)
        any = any || l->n_ends[i] == 0;
    if (!any)
        return true;
    int64_t n = 6 * l->n_pairs;
    neighbour *all, *scratch;
    bool good = MEM_MAKE(l->m, all, n);
    good = MEM_MAKE(l->m, scratch, n) && good;
    for (int64_t i = 0; good && i < n; i++)
        all[i] = (neighbour){l->pairs[i / 6].triangle[1 - i % 6 / 3], l->place[i], i / 6};
    if (good) {
        sort_items(all, scratch, n, sizeof *all, order_neighbours);
        join_flat(l, all, n);
    }
    MEM_FREE(l->m, all, n);
    MEM_FREE(l->m, scratch, n);
    return good;
}

/* ---- the graph ------------------------------------------------------------------------------------------------- */

static int order_segments(const void *a, const void *b)
{
    const segment *p = a, *q = b;
    if (p->node[0] != q->node[0])
        return p->node[0] < q->node[0] ? -1 : 1;
    return p->node[1] < q->node[1] ? -1 : p->node[1] > q->node[1];
}

/* Segments of pairs with two ends, each once. */
static bool list_shared_segments(linking *l)
{
    segment *scratch;
    int64_t n = 0;
    for (int64_t i = 0; i < l->n_pairs; i++)
        if (l->n_ends[i] == 2) {
            int32_t a = l->node_of[2 * i], b = l->node_of[2 * i + 1];
            l->segments[n++] = (segment){i, {a < b ? a : b, a < b ? b : a}};
        }
    if (!MEM_MAKE(l->m, scratch, n))
        return false;
    sort_items(l->segments, scratch, n, sizeof *l->segments, order_segments);
    MEM_FREE(l->m, scratch, n);
    l->n_segments = 0;
    for (int64_t i = 0; i < n; i++)
        if (i == 0 || order_segments(&l->segments[l->n_segments - 1], &l->segments[i]) != 0)
            l->segments[l->n_segments++] = l->segments[i];
    return true;
}

static void list_node_segments(linking *l)
{
    memset(l->start, 0, (size_t)(l->n_nodes + 1) * sizeof *l->start);
    for (int64_t i = 0; i < l->n_segments; i++)
        for (int k = 0; k < 2; k++)
            l->start[l->segments[i].node[k] + 1]++;
    for (int32_t i = 0; i < l->n_nodes; i++)
        l->start[i + 1] += l->start[i];
    for (int64_t i = l->n_segments - 1; i >= 0; i--) /* from behind: in order */
        for (int k = 0; k < 2; k++)
            l->around[--l->start[l->segments[i].node[k] + 1]] = (int32_t)i;
    /* Now start[i + 1] is where node i begins. */
    memmove(l->start, l->start + 1, (size_t)l->n_nodes * sizeof *l->start);
    l->start[l->n_nodes] = 2 * l->n_segments;
}

static int64_t degree(const linking *l, int32_t node)
{
    return l->start[node + 1] - l->start[node];
}

/* A segment at the node that no line has yet; -1: none. */
static int32_t next_unwalked(const linking *l, int32_t node)
{
    for (int64_t i = l->start[node]; i < l->start[node + 1]; i++)
        if (!l->walked[l->around[i]])
            return l->around[i];
    return -1;
}

/* ---- lines ----------------------------------------------------------------------------------------------------- */

/* Walks from a node along a segment until a node that has not two of them, or round. */
static void walk_contour_line(linking *l, audit_contours *c, int32_t from, int32_t si)
{
    int32_t group = union_find_root(l->parent, (int32_t)l->segments[si].pair), at = from;
    weft_audit_line *line = &c->lines[c->n_lines++];
    *line = (weft_audit_line){.contour = group, .first_point = c->n_points};
    c->points[c->n_points++] = l->node_at[at];
    while (si >= 0) {
        l->walked[si] = true;
        const segment *s = &l->segments[si];
        at = s->node[0] == at ? s->node[1] : s->node[0];
        if (at == from)
            break;
        c->points[c->n_points++] = l->node_at[at];
        si = degree(l, at) == 2 ? next_unwalked(l, at) : -1;
    }
    line->n_points = (int32_t)(c->n_points - line->first_point);
    line->closed = at == from;
}

static void walk_contour_lines(linking *l, audit_contours *c)
{
    for (int32_t i = 0; i < l->n_nodes; i++)
        for (int32_t si; degree(l, i) != 2 && (si = next_unwalked(l, i)) >= 0;)
            walk_contour_line(l, c, i, si);
    for (int32_t i = 0; i < l->n_nodes; i++) {
        int32_t si = next_unwalked(l, i);
        if (si >= 0)
            walk_contour_line(l, c, i, si);
    }
}

static int order_lines(const void *a, const void *b)
{
    const weft_audit_line *p = a, *q = b;
    return p->contour < q->contour ? -1 : p->contour > q->contour;
}

/* ---- contours -------------------------------------------------------------------------------------------------- */

static void enlarge_contour(weft_audit_contour *c, vec3 x)
{
    c->lower = lowest(c->lower, x);
    c->upper = highest(c->upper, x);
}

/* Contours in the order of their first pairs; pairs and lines get their numbers. */
static void number_contours(linking *l, audit_contours *c)
{
    for (int64_t i = 0; i < l->n_pairs; i++) {
        weft_audit_pair *w = &l->pairs[i];
        int32_t lead = union_find_root(l->parent, (int32_t)i);
        if (lead == i) {
            w->contour = c->n_contours;
            c->contours[c->n_contours++] = (weft_audit_contour){.lower = w->ends[0], .upper = w->ends[0]};
        } else {
            w->contour = l->pairs[lead].contour;
        }
        weft_audit_contour *contour = &c->contours[w->contour];
        contour->n_pairs++;
        enlarge_contour(contour, w->ends[0]);
        enlarge_contour(contour, w->ends[1]);
        vec3 middle = v3_madd(w->ends[0], 0.5, v3_sub(w->ends[1], w->ends[0]));
        contour->centre = v3_madd(contour->centre, 1.0 / contour->n_pairs, v3_sub(middle, contour->centre));
    }
    for (int32_t i = 0; i < c->n_lines; i++)
        c->lines[i].contour = l->pairs[c->lines[i].contour].contour;
}

/* Length of a line and its middle, times its length. */
static double measure_line(const audit_contours *c, const weft_audit_line *line, vec3 *moment)
{
    const vec3 *x = c->points + line->first_point;
    double length = 0.0;
    for (int32_t i = 0; i < line->n_points - !line->closed; i++) {
        vec3 a = x[i], way = v3_sub(x[(i + 1) % line->n_points], a);
        double piece = v3_len(way);
        *moment = v3_madd(*moment, piece, v3_madd(a, 0.5, way));
        length += piece;
    }
    return length;
}

static void measure_contours(audit_contours *c)
{
    int32_t li = 0;
    for (int32_t i = 0; i < c->n_contours; i++) {
        weft_audit_contour *contour = &c->contours[i];
        vec3 moment = v3_zero();
        contour->first_line = li;
        for (; li < c->n_lines && c->lines[li].contour == i; li++)
            contour->length += measure_line(c, &c->lines[li], &moment);
        contour->n_lines = li - contour->first_line;
        contour->closed = contour->n_lines == 1 && c->lines[contour->first_line].closed;
        if (contour->length > 0.0)
            contour->centre = v3_scale(1.0 / contour->length, moment);
    }
}

/* ---- all of it ------------------------------------------------------------------------------------------------- */

static bool linking_make(linking *l)
{
    int64_t n = l->n_pairs;
    bool good = MEM_MAKE(l->m, l->place, 6 * n);
    good = MEM_MAKE(l->m, l->parent, n) && good;
    good = MEM_MAKE(l->m, l->ends, 2 * n) && good;
    good = MEM_MAKE(l->m, l->n_ends, n) && good;
    good = MEM_MAKE(l->m, l->node_of, 2 * n) && good;
    good = MEM_MAKE(l->m, l->node_at, 2 * n) && good;
    good = MEM_MAKE(l->m, l->segments, n) && good;
    good = MEM_MAKE(l->m, l->start, 2 * n + 1) && good;
    good = MEM_MAKE(l->m, l->around, 2 * n) && good;
    good = MEM_MAKE(l->m, l->walked, n) && good;
    for (int64_t i = 0; good && i < n; i++)
        l->parent[i] = (int32_t)i;
    return good;
}

static void linking_free(linking *l)
{
    int64_t n = l->n_pairs;
    MEM_FREE(l->m, l->place, 6 * n);
    MEM_FREE(l->m, l->parent, n);
    MEM_FREE(l->m, l->ends, 2 * n);
    MEM_FREE(l->m, l->n_ends, n);
    MEM_FREE(l->m, l->node_of, 2 * n);
    MEM_FREE(l->m, l->node_at, 2 * n);
    MEM_FREE(l->m, l->segments, n);
    MEM_FREE(l->m, l->start, 2 * n + 1);
    MEM_FREE(l->m, l->around, 2 * n);
    MEM_FREE(l->m, l->walked, n);
}

/* A contour has a pair, a line has a segment, and each segment adds one point beside the line's first. */
static bool contours_reserve(audit_contours *c, mem *m, int64_t n_pairs)
{
    audit_contours_free(c, m);
    if (!MEM_MAKE(m, c->contours, n_pairs) || !(c->contour_room = n_pairs, MEM_MAKE(m, c->lines, n_pairs)) ||
        !(c->line_room = n_pairs, MEM_MAKE(m, c->points, 2 * n_pairs)))
        return false;
    c->point_room = 2 * n_pairs;
    return true;
}

static bool sort_lines(audit_contours *c, mem *m)
{
    weft_audit_line *scratch;
    if (!MEM_MAKE(m, scratch, c->n_lines))
        return false;
    sort_items(c->lines, scratch, c->n_lines, sizeof *scratch, order_lines);
    MEM_FREE(m, scratch, c->n_lines);
    return true;
}

bool audit_contours_make(audit_contours *c, mem *m, pool *p, const int32_t (*triangles)[3], const vec3 *x,
                         weft_audit_pair *pairs, int64_t n_pairs)
{
    linking l = {.m = m, .triangles = triangles, .x = x, .pairs = pairs, .n_pairs = n_pairs};
    bool good = contours_reserve(c, m, n_pairs);
    good = linking_make(&l) && good;
    good = good && number_places(&l);
    if (good)
        pool_for(p, (int32_t)((n_pairs + AUDIT_END_BLOCK - 1) / AUDIT_END_BLOCK), find_block_ends, &l);
    good = good && number_ends(&l) && join_pairs_without_ends(&l) && list_shared_segments(&l);
    if (good) {
        list_node_segments(&l);
        walk_contour_lines(&l, c);
        number_contours(&l, c);
        good = sort_lines(c, m);
    }
    if (good)
        measure_contours(c);
    else
        c->n_contours = c->n_lines = 0, c->n_points = 0;
    linking_free(&l);
    return good;
}

void audit_contours_free(audit_contours *c, mem *m)
{
    MEM_FREE(m, c->contours, c->contour_room);
    MEM_FREE(m, c->lines, c->line_room);
    MEM_FREE(m, c->points, c->point_room);
    *c = (audit_contours){0};
}
