/* SPDX-License-Identifier: MIT */
/* Intersection contour minimisation with repulsive normals.
 *
 * Idea: at a crossing, edge E goes through a triangle with normal N; R points along the contour to both sides, into
 * the triangles at E. Moving E along G = R + T, T = −(E·R)/(E·N) N, against the triangle shortens the contour best
 * (ye2012 eq. 2). A repulsive normal forbids a T against it (eq. 3). Where the intruding end of the edge is known, it
 * is also sent back through the triangle's plane, and a gap beyond: a flat hinge has R = 0 and no G at all, and the
 * contour moves a whole row of triangles at once, where G alone takes as many steps as there are rows, squared.
 *
 * A relative move of edge and triangle is distributed by barycentric weights and masses. What several crossings ask of
 * a vertex is averaged, and bounded by the length of its edges.
 *
 * Where we differ: |T| ≤ UNTANGLE_VECTOR_BOUND, for G grows without bound as E becomes perpendicular to N; the push
 * above; vertices next to the moved ones follow half as far, which keeps triangles in shape. What is asked of a vertex
 * counts by its length: a flat hinge asks for nothing, and would halve what others ask.
 *
 * Invariants: without pinned nodes Σ m d over the moves that a crossing asks for is 0; fixed vertices do not move. */
#include "untangle/minimise.h"

#include <string.h>

#include "untangle/params.h"

bool minimise_make(minimise *k, mem *m, const mesh_adjacency *w, const vec3 *x)
{
    int32_t n = w->n_vertices;
    k->m = m;
    k->w = w;
    k->rings = UNTANGLE_FOLLOW_RINGS;
    k->follow = UNTANGLE_FOLLOW;
    bool good = MEM_MAKE(m, k->mobility, n);
    good = MEM_MAKE(m, k->edge, n) && good;
    good = MEM_MAKE(m, k->d, n) && good;
    good = MEM_MAKE(m, k->weight, n) && good;
    good = MEM_MAKE(m, k->blended, n) && good;
    good = MEM_MAKE(m, k->ring, n) && good;
    for (int32_t vi = 0; good && vi < n; vi++) {
        int32_t first = w->next_start[vi], end = w->next_start[vi + 1];
        for (int32_t i = first; i < end; i++) {
            const mesh_adjacency_edge *e = &w->edges[w->next_edge[i]];
            k->edge[vi] += v3_len(v3_sub(x[e->v[0]], x[e->v[1]])) / (end - first);
        }
        k->mobility[vi] = 1;
    }
    return good;
}

void minimise_free(minimise *k)
{
    if (!k->w)
        return;
    int32_t n = k->w->n_vertices;
    MEM_FREE(k->m, k->mobility, n);
    MEM_FREE(k->m, k->edge, n);
    MEM_FREE(k->m, k->d, n);
    MEM_FREE(k->m, k->weight, n);
    MEM_FREE(k->m, k->blended, n);
    MEM_FREE(k->m, k->ring, n);
    MEM_FREE(k->m, k->mean, k->mean_room);
}

static vec3 face_unit_normal(const mesh_adjacency *w, const vec3 *x, int32_t ti)
{
    const int32_t *t = w->tri[ti];
    return v3_unit_or(v3_cross(v3_sub(x[t[1]], x[t[0]]), v3_sub(x[t[2]], x[t[0]])), v3_zero());
}

vec3 minimise_vector(const mesh_adjacency *w, const vec3 *x, const crossing *c, int side)
{
    const mesh_adjacency_edge *e = &w->edges[c->edge];
    vec3 n = face_unit_normal(w, x, c->tri), along = v3_unit_or(v3_sub(x[e->v[1]], x[e->v[0]]), v3_zero());
    double up = v3_dot(along, n), flat = v3_dot(along, c->inward), t = 0;
    if (up != 0)
        t = max_of(-UNTANGLE_VECTOR_BOUND, min_of(UNTANGLE_VECTOR_BOUND, -flat / up));
    if (side * t < 0) /* against the repulsive normal */
        t = 0;
    return v3_madd(c->inward, t, n);
}

/* ---- sides ------------------------------------------------------------------------------------------------------- */

static int32_t minimise_object(const minimise *k, int32_t ti)
{
    return k->object && ti >= 0 ? k->object[ti] : 0;
}

/* On which side of a surface another object belongs, as the user says: ±1, 0 to be found out, 2 none. */
static int wanted_side(const minimise *k, int32_t surface, int32_t other)
{
    for (int32_t i = 0; i < k->n_layers; i++) {
        if (k->layers[i].inner == surface && k->layers[i].outer == other)
            return 1;
        if (k->layers[i].outer == surface && k->layers[i].inner == other)
            return -1;
    }
    return k->object_side ? (int)k->object_side[surface] : 0;
}

bool minimise_is_sided(const minimise *k, const crossing *c)
{
    if (c->tri < 0)
        return false;
    int32_t a = minimise_object(k, c->tri), b = minimise_object(k, k->w->edges[c->edge].tri[0]);
    if (k->unsided && (k->unsided[a] || k->unsided[b]))
        return false;
    int side[2] = {wanted_side(k, a, b), wanted_side(k, b, a)};
    return side[0] == 1 || side[0] == -1 || side[1] == 1 || side[1] == -1;
}

/* The side of the crossing's triangle to which the edge is to be sent; 0: not known. */
static int repulsive_side(const minimise *k, const intruders *s, const crossing *c, int64_t ci)
{
    int side = wanted_side(k, minimise_object(k, c->tri), minimise_object(k, k->w->edges[c->edge].tri[0]));
    if (side == 1 || side == -1)
        return side;
    return side == 0 && s && !k->bare ? -s->lines[c->line].side[s->sheet[ci]] : 0;
}

/* ---- what is asked of vertices ----------------------------------------------------------------------------------- */

/* Asks that a vertex goes by `part` of a move. */
static void ask_weighted(minimise *k, int32_t vi, double part, vec3 move)
{
    double weight = k->weigh ? fabs(part) * v3_len(move) : 1;
    k->d[vi] = v3_madd(k->d[vi], part * weight, move);
    k->weight[vi] += weight;
}

/* Point Σ a_i of up to two vertices is to move by `move` against the point of the crossing in its triangle. */
static void distribute_move(minimise *k, const crossing *c, const int32_t v[2], const double a[2], vec3 move)
{
    const int32_t *t = k->w->tri[c->tri];
    double sum = 0;
    for (int i = 0; i < 2; i++)
        sum += k->mobility[v[i]] * a[i] * a[i];
    for (int i = 0; i < 3; i++)
        sum += k->mobility[t[i]] * c->w[i] * c->w[i];
    if (!(sum > 0))
        return;
    for (int i = 0; i < 2; i++)
        if (a[i] > 0)
            ask_weighted(k, v[i], k->mobility[v[i]] * a[i] / sum, move);
    for (int i = 0; i < 3; i++)
        ask_weighted(k, t[i], -k->mobility[t[i]] * c->w[i] / sum, move);
}

static double local_edge(const minimise *k, const crossing *c)
{
    const mesh_adjacency_edge *e = &k->w->edges[c->edge];
    return min_of(k->edge[e->v[0]], k->edge[e->v[1]]);
}

/* The end of the edge on the wrong side goes back through the triangle's plane. */
static void push_end(minimise *k, const crossing *c, const vec3 *x, int side)
{
    const mesh_adjacency_edge *e = &k->w->edges[c->edge];
    vec3 n = v3_scale(side, face_unit_normal(k->w, x, c->tri));
    int wrong = (c->sign > 0) == (side > 0); /* sign 1: the lower vertex is where the normal points */
    double depth = max_of(0, v3_dot(n, v3_sub(c->at, x[e->v[wrong]])));
    double a[2] = {wrong == 0, wrong == 1};
    distribute_move(k, c, e->v, a, v3_scale(min_of(depth, local_edge(k, c)) + k->gap, n));
}

/* The edge's own surface has a side: the triangle goes there. */
static void push_crossed_triangle(minimise *k, const crossing *c, const vec3 *x)
{
    const mesh_adjacency_edge *e = &k->w->edges[c->edge];
    int side = wanted_side(k, minimise_object(k, e->tri[0]), minimise_object(k, c->tri));
    if ((side != 1 && side != -1) || minimise_object(k, e->tri[0]) == minimise_object(k, c->tri))
        return;
    vec3 n = face_unit_normal(k->w, x, e->tri[0]);
    if (e->tri[1] >= 0)
        n = v3_add(n, face_unit_normal(k->w, x, e->tri[1]));
    double a[2] = {1 - c->s, c->s};
    distribute_move(k, c, e->v, a, v3_scale(-side * (k->step * local_edge(k, c) + k->gap), v3_unit_or(n, v3_zero())));
}

/* The cloth of a crossing with a limb goes along it. */
static bool slide_along(minimise *k, const crossing *c)
{
    vec3 way = !k->bare && k->slides && k->slides->longest >= 0 ? k->slides->way[c->line] : v3_zero();
    if (v3_len_sq(way) == 0)
        return false;
    const int32_t *t = k->w->tri[c->tri], *v = k->w->edges[c->edge].v;
    for (int i = 0; i < 5; i++) {
        int32_t vi = i < 3 ? t[i] : v[i - 3];
        if (k->mobility[vi] > 0)
            minimise_ask(k, vi, v3_scale(k->edge[vi], way));
    }
    return true;
}

/* ---- crossings --------------------------------------------------------------------------------------------------- */

void minimise_begin(minimise *k)
{
    size_t n = (size_t)k->w->n_vertices;
    if (k->bodies)
        bodies_begin(k->bodies);
    if (n > 0) {
        memset(k->d, 0, n * sizeof *k->d);
        memset(k->weight, 0, n * sizeof *k->weight);
        memset(k->ring, 0, n * sizeof *k->ring);
    }
}

static double most_move(const minimise *k, int32_t vi)
{
    return UNTANGLE_MOST_MOVE * k->edge[vi] + k->gap;
}

static void average_asked(minimise *k)
{
    for (int32_t vi = 0; vi < k->w->n_vertices; vi++) {
        if (k->weight[vi] == 0)
            continue;
        k->d[vi] = v3_scale(1 / k->weight[vi], k->d[vi]);
        double length = v3_len(k->d[vi]), most = most_move(k, vi);
        if (length > most)
            k->d[vi] = v3_scale(most / length, k->d[vi]);
        k->ring[vi] = 1;
    }
}

/* Vertices around those that move go half as far as these in the mean, and the next ones half of that (or as much as
 * the caller wants). */
static void follow_moves(minimise *k)
{
    const mesh_adjacency *w = k->w;
    for (int ring = 1; ring <= k->rings; ring++)
        for (int32_t vi = 0; vi < w->n_vertices; vi++) {
            if (k->ring[vi] != 0 || k->mobility[vi] == 0)
                continue;
            int n = 0;
            vec3 sum = v3_zero();
            for (int32_t i = w->next_start[vi]; i < w->next_start[vi + 1]; i++) {
                const mesh_adjacency_edge *e = &w->edges[w->next_edge[i]];
                int32_t to = e->v[e->v[0] == vi];
                if (k->ring[to] == ring) {
                    sum = v3_add(sum, k->d[to]);
                    n++;
                }
            }
            if (n == 0)
                continue;
            k->d[vi] = v3_scale(k->follow / n, sum);
            k->ring[vi] = (uint8_t)(ring + 1);
        }
}

/* One vector for each line, of sheet 0 against sheet 1; a unit vector where there is any. */
static bool average_lines(minimise *k, const contours *c, const intruders *s, const vec3 *x)
{
    if (c->n_lines > k->mean_room) {
        MEM_FREE(k->m, k->mean, k->mean_room);
        k->mean_room = 2 * (int64_t)c->n_lines;
        if (!MEM_MAKE(k->m, k->mean, k->mean_room))
            return k->mean_room = 0, false;
    }
    if (c->n_lines > 0)
        memset(k->mean, 0, (size_t)c->n_lines * sizeof *k->mean);
    for (int64_t i = 0; i < c->n_crossings; i++)
        if (c->crossings[i].tri >= 0) {
            const crossing *q = &c->crossings[i];
            vec3 g = minimise_vector(k->w, x, q, repulsive_side(k, NULL, q, i));
            k->mean[q->line] = v3_madd(k->mean[q->line], s->sheet[i] ? -1 : 1, g);
        }
    for (int32_t li = 0; li < c->n_lines; li++)
        k->mean[li] = v3_unit_or(k->mean[li], v3_zero());
    return true;
}

bool minimise_crossings(minimise *k, const contours *c, const intruders *s, const vec3 *x,
                        weft_untangle_strategy strategy)
{
    bool averaged = strategy == WEFT_UNTANGLE_AVERAGED, sided = strategy == WEFT_UNTANGLE_SIDES;
    if (averaged && !average_lines(k, c, s, x))
        return false;
    for (int64_t i = 0; i < c->n_crossings; i++) {
        const crossing *q = &c->crossings[i];
        if (q->tri < 0 || (k->only_sided && !minimise_is_sided(k, q)) || slide_along(k, q))
            continue;
        int side = sided ? repulsive_side(k, s, q, i) : 0;
        vec3 g = averaged ? v3_scale(s->sheet[i] ? -1 : 1, k->mean[q->line]) : minimise_vector(k->w, x, q, side);
        double a[2] = {1 - q->s, q->s};
        if (k->bodies &&
            bodies_push(k->bodies, minimise_object(k, k->w->edges[q->edge].tri[0]), minimise_object(k, q->tri), g))
            continue;
        distribute_move(k, q, k->w->edges[q->edge].v, a, v3_scale(k->step * local_edge(k, q), g));
        if (side != 0 && !k->bare)
            push_end(k, q, x, side);
        if (sided && !k->bare)
            push_crossed_triangle(k, q, x);
    }
    return true;
}

/* Each of the vertices that move goes half its own way and half the mean way of those beside it. */
static void blend_moves(minimise *k)
{
    const mesh_adjacency *w = k->w;
    for (int32_t vi = 0; vi < w->n_vertices; vi++) {
        vec3 sum = v3_zero();
        int n = 0;
        if (k->ring[vi] != 1)
            continue;
        for (int32_t i = w->next_start[vi]; i < w->next_start[vi + 1]; i++) {
            const mesh_adjacency_edge *e = &w->edges[w->next_edge[i]];
            int32_t to = e->v[e->v[0] == vi];
            if (k->ring[to] == 1 && k->mobility[to] > 0) {
                sum = v3_add(sum, k->d[to]);
                n++;
            }
        }
        k->blended[vi] = n > 0 ? v3_madd(v3_scale(0.5, k->d[vi]), 0.5 / n, sum) : k->d[vi];
    }
    for (int32_t vi = 0; vi < w->n_vertices; vi++)
        if (k->ring[vi] == 1)
            k->d[vi] = k->blended[vi];
}

void minimise_end(minimise *k)
{
    average_asked(k);
    for (int i = 0; i < k->blend; i++)
        blend_moves(k);
    follow_moves(k);
}

bool minimise_moves(const minimise *k, int32_t vi)
{
    return k->mobility[vi] > 0 || (k->bodies && k->bodies->of[vi] >= 0);
}

void minimise_ask(minimise *k, int32_t vi, vec3 move)
{
    if (!k->bodies || !bodies_lift(k->bodies, vi, move))
        ask_weighted(k, vi, 1, move);
}

void minimise_ask_edge(minimise *k, int32_t ei, double s, vec3 g)
{
    const int32_t *v = k->w->edges[ei].v;
    double a[2] = {1 - s, s}, sum = 0, length = k->step * min_of(k->edge[v[0]], k->edge[v[1]]);
    for (int i = 0; i < 2; i++)
        sum += k->mobility[v[i]] * a[i] * a[i];
    for (int i = 0; i < 2 && sum > 0; i++)
        if (a[i] > 0)
            ask_weighted(k, v[i], k->mobility[v[i]] * a[i] / sum * length, g);
}

/* ---- patches ----------------------------------------------------------------------------------------------------- */

/* ring 1: vertices of triangles on contours. */
static void mark_rings(minimise *k, const contours *c, int rings)
{
    const mesh_adjacency *w = k->w;
    for (int64_t i = 0; i < c->n_segments; i++)
        for (int j = 0; j < 6; j++)
            k->ring[w->tri[c->segments[i].tri[j / 3]][j % 3]] = 1;
    for (int ring = 1; ring < rings; ring++)
        for (int32_t ei = 0; ei < w->n_edges; ei++)
            for (int j = 0; j < 2; j++) {
                const int32_t *v = w->edges[ei].v;
                if (k->ring[v[j]] == ring && k->ring[v[1 - j]] == 0)
                    k->ring[v[1 - j]] = (uint8_t)(ring + 1);
            }
}

static bool vertex_on_border(const mesh_adjacency *w, int32_t vi)
{
    for (int32_t i = w->next_start[vi]; i < w->next_start[vi + 1]; i++)
        if (w->edges[w->next_edge[i]].n_tris != 2)
            return true;
    return false;
}

void minimise_smooth(minimise *k, const contours *c, const vec3 *x, int rings)
{
    const mesh_adjacency *w = k->w;
    minimise_begin(k);
    mark_rings(k, c, rings < 250 ? rings : 250);
    for (int32_t vi = 0; vi < w->n_vertices; vi++) {
        if (k->ring[vi] == 0 || k->mobility[vi] == 0)
            continue;
        bool border = vertex_on_border(w, vi); /* a border is smoothed along itself, or sheets would shrink */
        vec3 sum = v3_zero();
        int n = 0;
        for (int32_t i = w->next_start[vi]; i < w->next_start[vi + 1]; i++) {
            const mesh_adjacency_edge *e = &w->edges[w->next_edge[i]];
            if (border && e->n_tris == 2)
                continue;
            sum = v3_add(sum, v3_sub(x[e->v[e->v[0] == vi]], x[vi]));
            n++;
        }
        if (n > 0)
            k->d[vi] = v3_scale(0.5 / n, sum);
    }
}

void minimise_part(minimise *k, const int32_t (*pairs)[2], int64_t n, const vec3 *x, double distance)
{
    const mesh_adjacency *w = k->w;
    minimise_begin(k);
    for (int64_t i = 0; i < n; i++) {
        const int32_t *a = w->tri[pairs[i][0]], *b = w->tri[pairs[i][1]];
        vec3 na = face_unit_normal(w, x, pairs[i][0]), nb = face_unit_normal(w, x, pairs[i][1]);
        vec3 from = v3_zero();
        for (int j = 0; j < 3; j++)
            from = v3_add(from, v3_scale(1.0 / 3, v3_sub(x[a[j]], x[b[j]])));
        /* The normal along which their middles are farther apart; in a plane, the one of the lower triangle. */
        vec3 way = fabs(v3_dot(na, from)) >= fabs(v3_dot(nb, from)) ? na : nb;
        way = v3_scale(v3_dot(way, from) < 0 ? -1 : 1, way);
        for (int j = 0; j < 3; j++) {
            bool both_a = a[j] == b[0] || a[j] == b[1] || a[j] == b[2];
            bool both_b = b[j] == a[0] || b[j] == a[1] || b[j] == a[2];
            if (!both_a && minimise_moves(k, a[j]))
                minimise_ask(k, a[j], v3_scale(distance, way));
            if (!both_b && minimise_moves(k, b[j]))
                minimise_ask(k, b[j], v3_scale(-distance, way));
        }
    }
    average_asked(k);
}
