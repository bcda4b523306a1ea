/* SPDX-License-Identifier: MIT */
/* One direction for contours that belong together.
 *
 * Idea: what a contour says at each of its crossings is local: it knows no way out of a deep fold, nor of a tube that
 * pierces another. So the surfaces around it are looked at as wholes. From the triangles along the contour on either
 * side patches A and B are grown, ring by ring, a vertex to the side that reaches it first; contours whose triangles
 * are on the patches' first rings belong to the same group. Of many directions the one is taken along which A has to go
 * least until it is past B (overlap_depth.h), and kept as long as the patches are about the same. Then A and B go apart
 * along it, a little at a time, each by its share of their masses; what holds them together takes the rest along.
 *
 * Where surfaces lie in each other alongside (strands of a knot), the contour is long and one direction does not do for
 * all of it: then it is cut into windows, with groups of their own, if most of them have a way out that is short beside
 * their patches.
 *
 * Sources: Type-Free Global Intersection Analysis (2026) looks for directions of least displacement like this; grown
 * patches, windows, depth by a grid and what is done with the direction are ours.
 *
 * Invariants:
 * 1. A vertex is on one side of a group at most. One that is of both surfaces (where they join) is on none.
 * 2. The result depends on the order of lines, crossings and edges, and on the groups before, only. */
#include "untangle/group.h"

#include <string.h>

#include "base/array.h"
#include "math/trig.h"
#include "untangle/params.h"

bool groups_make(groups *g, mem *m, int32_t n_vertices)
{
    *g = (groups){.m = m, .rings = GROUP_RINGS, .n_vertices = n_vertices};
    bool good = MEM_MAKE(m, g->side, n_vertices);
    good = MEM_MAKE(m, g->queue, n_vertices) && good;
    return overlap_depth_make(&g->depth, m, n_vertices) && good;
}

static void free_list(mem *m, group_list *l)
{
    MEM_FREE(m, l->items, l->room);
    MEM_FREE(m, l->vertices, l->vertex_room);
    MEM_FREE(m, l->triangles, l->triangle_room);
}

void groups_free(groups *g)
{
    if (!g->m)
        return;
    free_list(g->m, &g->now);
    free_list(g->m, &g->past);
    overlap_depth_free(&g->depth);
    MEM_FREE(g->m, g->side, g->n_vertices);
    MEM_FREE(g->m, g->queue, g->n_vertices);
    MEM_FREE(g->m, g->used, g->used_room);
    MEM_FREE(g->m, g->chain, g->chain_room);
}

void groups_forget(groups *g)
{
    g->now.n = 0;
}

/* ---- patches ----------------------------------------------------------------------------------------------------- */

typedef struct growing {
    groups *g;
    const mesh_adjacency *w;
    const contours *c;
    const intruders *s;
    const vec3 *x;
    double edge;
    int32_t n, done, core; /* of the queue */
    int32_t n_lines;       /* seeded */
} growing;

enum { SIDE_A = 1, SIDE_B = 2, SIDE_BOTH = 3 };

static void seed_vertex(growing *f, int32_t vi, int side)
{
    int8_t *at = &f->g->side[vi];
    if (*at == 0)
        f->g->queue[f->n++] = vi;
    *at = (int8_t)(*at | side);
}

/* The edge of a crossing is of one surface, its triangle of the other. `turned`: A is the line's sheet 1. */
static void seed_crossing_sides(growing *f, int32_t ci, bool turned)
{
    const crossing *k = &f->c->crossings[ci];
    if (k->tri < 0)
        return;
    int side = (f->s->sheet[ci] != 0) != turned ? SIDE_B : SIDE_A;
    for (int i = 0; i < 2; i++)
        seed_vertex(f, f->w->edges[k->edge].v[i], side);
    for (int i = 0; i < 3; i++)
        seed_vertex(f, f->w->tri[k->tri][i], SIDE_A + SIDE_B - side);
}

static void grow_ring(growing *f)
{
    const mesh_adjacency *w = f->w;
    int8_t *side = f->g->side;
    for (int32_t end = f->n; f->done < end; f->done++) {
        int32_t vi = f->g->queue[f->done];
        for (int32_t i = w->next_start[vi]; i < w->next_start[vi + 1] && side[vi] != SIDE_BOTH; i++) {
            const mesh_adjacency_edge *e = &w->edges[w->next_edge[i]];
            int32_t to = e->v[e->v[0] == vi];
            if (side[to] == 0)
                seed_vertex(f, to, side[vi]);
        }
    }
}

/* Crossings of a line from its one end to the other, each once. */
static int32_t chain_line(growing *f, int32_t li)
{
    groups *g = f->g;
    const contour_line *line = &f->c->lines[li];
    int32_t n = 0, last = -1;
    if (!ARRAY_RESERVE(g->m, g->chain, g->chain_room, 2 * (int64_t)line->n_segments + 2))
        return -1;
    for (int32_t i = 0; i < line->n_segments; i++)
        for (int k = 0; k < 2; k++) {
            int32_t ci = f->c->segments[f->c->order[line->first + i]].end[k];
            if (ci != last && (n < 2 || ci != g->chain[n - 2]))
                g->chain[n++] = last = ci;
        }
    return n;
}

/* Whether a line is one of the group that grows: half of its vertices on either side are on the patches. 2: turned. */
static int line_belongs(const growing *f, int32_t li)
{
    const contour_line *line = &f->c->lines[li];
    int32_t n = 0, same = 0, turned = 0;
    for (int32_t i = 0; i < line->n_segments; i++)
        for (int k = 0; k < 2; k++) {
            int32_t ci = f->c->segments[f->c->order[line->first + i]].end[k];
            const crossing *q = &f->c->crossings[ci];
            if (q->tri < 0)
                continue;
            int a = f->g->side[f->w->edges[q->edge].v[0]], b = f->g->side[f->w->tri[q->tri][0]];
            int first = f->s->sheet[ci] ? SIDE_B : SIDE_A;
            n++;
            same += a == first && b == SIDE_A + SIDE_B - first;
            turned += b == first && a == SIDE_A + SIDE_B - first;
        }
    return 2 * same > n ? 1 : 2 * turned > n ? 2 : 0;
}

static void seed_whole_line(growing *f, int32_t li, bool turned)
{
    const contour_line *line = &f->c->lines[li];
    f->g->used[li] = f->g->now.n + 1;
    f->n_lines++;
    for (int32_t i = 0; i < line->n_segments; i++)
        for (int k = 0; k < 2; k++)
            seed_crossing_sides(f, f->c->segments[f->c->order[line->first + i]].end[k], turned);
}

/* Lines that belong to line li, and the first rings of patches. */
static void seed_related_lines(growing *f, int32_t li)
{
    seed_whole_line(f, li, false);
    for (bool more = true; more;) {
        for (int ring = 0; ring < GROUP_NEAR_RINGS; ring++)
            grow_ring(f);
        more = false;
        for (int32_t other = 0; other < f->c->n_lines; other++) {
            int belongs = f->g->used[other] ? 0 : line_belongs(f, other);
            if (belongs == 0)
                continue;
            seed_whole_line(f, other, belongs == 2);
            more = true;
        }
        f->done = 0; /* those that were reached by growing have neighbours that were not; seeds come first */
    }
}

/* Triangles of which all vertices are on one side, each from its lowest vertex. */
static bool list_patch_triangles(growing *f, line_group *q, int side)
{
    group_list *l = &f->g->now;
    const mesh_adjacency *w = f->w;
    int32_t from = q->first_vertex + (side == SIDE_B ? q->n_vertices[0] : 0), n = q->n_vertices[side - 1];
    for (int32_t i = from; i < from + n; i++) {
        int32_t vi = l->vertices[i];
        for (int32_t j = w->next_start[vi]; j < w->next_start[vi + 1]; j++) {
            const mesh_adjacency_edge *e = &w->edges[w->next_edge[j]];
            for (int k = 0; k < 2 && e->tri[k] >= 0 && e->v[0] == vi; k++) {
                const int32_t *t = w->tri[e->tri[k]];
                int32_t third = t[0] + t[1] + t[2] - e->v[0] - e->v[1];
                if (third < e->v[1] || f->g->side[e->v[1]] != side || f->g->side[third] != side)
                    continue;
                if (!ARRAY_RESERVE_MORE(f->g->m, l->triangles, l->n_triangles, l->triangle_room, 1))
                    return false;
                memcpy(l->triangles[l->n_triangles++], t, sizeof *l->triangles);
                q->n_triangles[side - 1]++;
            }
        }
    }
    return true;
}

/* What was grown becomes a group, and its marks are wiped. */
static line_group *take_patches(growing *f)
{
    groups *g = f->g;
    group_list *l = &g->now;
    if (!ARRAY_RESERVE_MORE(g->m, l->items, l->n, l->room, 1) ||
        !ARRAY_RESERVE_MORE(g->m, l->vertices, l->n_vertices, l->vertex_room, f->n) ||
        !overlap_depth_reserve(&g->depth, f->n))
        return NULL;
    line_group *q = &l->items[l->n++];
    *q = (line_group){.first_vertex = l->n_vertices, .first_triangle = l->n_triangles};
    for (int side = SIDE_A; side <= SIDE_B; side++)
        for (int32_t i = 0; i < f->n; i++)
            if (g->side[g->queue[i]] == side) {
                l->vertices[l->n_vertices++] = g->queue[i];
                q->n_vertices[side - 1]++;
                q->n_core[side - 1] += i < f->core;
            }
    bool good = list_patch_triangles(f, q, SIDE_A) && list_patch_triangles(f, q, SIDE_B);
    return good ? q : NULL;
}

static void wipe_sides(growing *f)
{
    for (int32_t i = 0; i < f->n; i++)
        f->g->side[f->g->queue[i]] = 0;
    f->n = f->done = f->core = f->n_lines = 0;
}

static void drop_groups(group_list *l, int32_t n)
{
    if (n >= l->n)
        return;
    l->n_vertices = l->items[n].first_vertex;
    l->n_triangles = l->items[n].first_triangle;
    l->n = n;
}

/* ---- directions -------------------------------------------------------------------------------------------------- */

static patch_pair pair_of(const group_list *l, const line_group *q, double edge)
{
    return (patch_pair){.vertices = l->vertices + q->first_vertex,
                        .triangles = (const int32_t(*)[3])(l->triangles + q->first_triangle),
                        .n_vertices = {q->n_vertices[0], q->n_vertices[1]},
                        .n_triangles = {q->n_triangles[0], q->n_triangles[1]},
                        .edge = edge};
}

/* What the group before knew that had half of these vertices on the same, or the other, sides. */
static bool remember_way(growing *f, line_group *q)
{
    const group_list *l = &f->g->past;
    int32_t n = q->n_vertices[0] + q->n_vertices[1];
    for (int32_t i = 0; i < l->n; i++) {
        const line_group *p = &l->items[i];
        int32_t same = 0, turned = 0, end = p->n_vertices[0] + p->n_vertices[1];
        for (int32_t j = 0; j < end; j++) {
            int side = f->g->side[l->vertices[p->first_vertex + j]], was = j < p->n_vertices[0] ? SIDE_A : SIDE_B;
            same += side == was;
            turned += side == SIDE_A + SIDE_B - was;
        }
        int32_t most = end > n ? end : n;
        if (2 * same <= most && 2 * turned <= most)
            continue;
        double sign = 2 * same > most ? 1 : -1;
        q->way = v3_scale(sign, p->way);
        q->least = p->least;
        q->waited = p->waited;
        q->local = p->local;
        q->split = p->split;
        q->n_failed = p->n_failed;
        for (int k = 0; k < p->n_failed; k++)
            q->failed[k] = v3_scale(sign, p->failed[k]);
        return true;
    }
    return false;
}

static vec3 patch_normal(const growing *f, const line_group *q, int side)
{
    const group_list *l = &f->g->now;
    vec3 sum = v3_zero();
    int32_t from = q->first_triangle + (side ? q->n_triangles[0] : 0);
    for (int32_t i = from; i < from + q->n_triangles[side]; i++) {
        const int32_t *t = l->triangles[i];
        sum = v3_add(sum, v3_cross(v3_sub(f->x[t[1]], f->x[t[0]]), v3_sub(f->x[t[2]], f->x[t[0]])));
    }
    return v3_unit_or(sum, v3_zero());
}

enum { WAYS_ROUND = 80, WAYS = WAYS_ROUND + 8 };

/* Spread over the sphere, and both patches' normals and the line where they cross. */
static int list_ways(const growing *f, const line_group *q, vec3 *out)
{
    int n = 0;
    for (int i = 0; i < WAYS_ROUND; i++) {
        double z = 1 - (2 * i + 1.0) / WAYS_ROUND, r = sqrt(1 - z * z), t = 2.399963229728653 * i;
        out[n++] = v3(r * weft_cos(t), r * weft_sin(t), z);
    }
    vec3 a = patch_normal(f, q, 0), b = patch_normal(f, q, 1), c = v3_unit_or(v3_cross(a, b), v3_zero());
    const vec3 more[] = {a, b, c};
    for (int i = 0; i < 3; i++)
        if (v3_len_sq(more[i]) > 0) {
            out[n++] = more[i];
            out[n++] = v3_neg(more[i]);
        }
    return n;
}

static bool way_has_failed(const line_group *q, vec3 way)
{
    for (int k = 0; k < q->n_failed; k++)
        if (v3_dot(q->failed[k], way) > GROUP_NEAR_WAYS)
            return true;
    return false;
}

/* The one along which A has to go least; those near one that has failed are left out. */
static void choose_way(growing *f, line_group *q)
{
    vec3 ways[WAYS];
    patch_pair p = pair_of(&f->g->now, q, f->edge);
    int n = list_ways(f, q, ways), best = -1;
    double least = 0;
    for (int i = 0; i < n; i++) {
        if (way_has_failed(q, ways[i]))
            continue;
        double depth = overlap_depth_along(&f->g->depth, &p, f->x, ways[i]), along = v3_dot(q->axis, ways[i]);
        double cost = depth * (v3_len_sq(q->axis) > 0 ? 1 + GROUP_ACROSS * (1 - along * along) : 1);
        if (best < 0 || cost < least) {
            best = i;
            least = cost;
            q->depth = depth;
        }
    }
    q->way = best >= 0 ? ways[best] : v3(0, 0, 1);
    q->least = q->depth;
    q->waited = 0;
}

/* Goes on along the way that is known; if that gets no shorter, another is chosen. */
static void direct_group(growing *f, line_group *q)
{
    patch_pair p = pair_of(&f->g->now, q, f->edge);
    q->depth = overlap_depth_along(&f->g->depth, &p, f->x, q->way);
    q->waited++;
    if (q->depth < GROUP_PROGRESS * q->least) {
        q->least = q->depth;
        q->waited = 0;
    }
    if (q->waited <= GROUP_PATIENCE)
        return;
    if (q->n_failed == GROUP_WAYS_FAILED)
        q->n_failed = 0;
    q->failed[q->n_failed++] = q->way;
    choose_way(f, q);
}

/* ---- groups ------------------------------------------------------------------------------------------------------ */

/* A loop that crosses itself along a line from border to border keeps its turning number if its ends go across the line
 * and nothing is pulled through as a whole: there is a way along the line only. */
static vec3 find_axis(const growing *f, int32_t li)
{
    const contour_line *line = &f->c->lines[li];
    const int32_t *order = f->c->order + line->first;
    const contour_segment *from = &f->c->segments[order[0]], *to = &f->c->segments[order[line->n_segments - 1]];
    vec3 most = v3_zero();
    if (line->kind != CONTOUR_BORDER)
        return most;
    for (int i = 0; i < 4; i++) {
        vec3 way = v3_sub(f->c->crossings[to->end[i & 1]].at, f->c->crossings[from->end[i / 2]].at);
        most = v3_len_sq(way) > v3_len_sq(most) ? way : most;
    }
    return v3_len(most) > GROUP_STRAIGHT * line->length ? v3_unit_or(most, v3_zero()) : v3_zero();
}

/* Whether patches A and B meet: some vertex has neighbours of both. */
static bool patches_meet(const growing *f)
{
    for (int32_t i = 0; i < f->n; i++) {
        int32_t vi = f->g->queue[i];
        for (int32_t j = f->w->next_start[vi]; j < f->w->next_start[vi + 1]; j++) {
            const mesh_adjacency_edge *e = &f->w->edges[f->w->next_edge[j]];
            int a = f->g->side[e->v[0]], b = f->g->side[e->v[1]];
            if (a + b == SIDE_A + SIDE_B && a != 0 && b != 0)
                return true;
        }
    }
    return false;
}

/* A group of a whole line and those that belong to it, unless it is known that windows do better. */
static bool form_whole(growing *f, int32_t li)
{
    seed_related_lines(f, li);
    for (int ring = 0; ring < f->g->rings; ring++) {
        f->core = ring == GROUP_CORE_RINGS ? f->n : f->core;
        grow_ring(f);
    }
    line_group *q = take_patches(f);
    if (q) {
        q->n_lines = f->n_lines;
        q->axis = f->n_lines == 1 && patches_meet(f) ? find_axis(f, li) : v3_zero();
        if (!remember_way(f, q))
            choose_way(f, q);
        else if (!q->split)
            direct_group(f, q);
    }
    wipe_sides(f);
    return q != NULL;
}

/* A group of crossings of the chain. */
static bool form_window(growing *f, int32_t from, int32_t to)
{
    for (int32_t i = from; i < to; i++)
        seed_crossing_sides(f, f->g->chain[i], false);
    for (int ring = 0; ring < GROUP_WINDOW_RINGS; ring++) {
        f->core = ring == GROUP_WINDOW_RINGS / 2 ? f->n : f->core;
        grow_ring(f);
    }
    line_group *q = take_patches(f);
    if (q && remember_way(f, q) && q->local)
        direct_group(f, q);
    else if (q)
        choose_way(f, q);
    wipe_sides(f);
    if (q)
        q->local = q->depth < GROUP_LOCAL * GROUP_WINDOW_RINGS * f->edge;
    return q != NULL;
}

/* Windows of a line, after its whole group: kept if most are local, and in the mean less deep than the whole. */
static bool form_windows(growing *f, int32_t li, double whole)
{
    group_list *l = &f->g->now;
    int32_t first = l->n, n_local = 0, n = chain_line(f, li);
    double sum = 0;
    if (n < 0)
        return false;
    int32_t n_windows = n / GROUP_WINDOW;
    for (int32_t i = 0; i < n_windows; i++) {
        int32_t from = (int32_t)((int64_t)n * i / n_windows), to = (int32_t)((int64_t)n * (i + 1) / n_windows);
        if (!form_window(f, from, to))
            return false;
        n_local += l->items[l->n - 1].local;
        sum += l->items[l->n - 1].depth;
    }
    bool good = n_local >= GROUP_MOSTLY * n_windows && sum < GROUP_SHALLOW * whole * n_windows;
    l->items[first - 1].split = good;
    if (!good)
        drop_groups(l, first);
    return true;
}

static bool form_line(growing *f, int32_t li)
{
    if (!form_whole(f, li))
        return false;
    line_group *q = &f->g->now.items[f->g->now.n - 1];
    const contour_line *line = &f->c->lines[li];
    if (line->kind != CONTOUR_CLOSED || line->n_segments < 4 * GROUP_WINDOW || (!q->split && q->waited > 0))
        return q->split = false, true;
    int32_t name = f->g->used[li], at = f->g->now.n - 1;
    if (!form_windows(f, li, q->split ? 1e300 : q->depth))
        return false;
    for (int32_t other = 0; other < f->c->n_lines && f->g->now.items[at].split; other++)
        if (other != li && f->g->used[other] == name)
            f->g->used[other] = 0; /* has windows of its own */
    return true;
}

int32_t *groups_begin(groups *g, const contours *c)
{
    if (!ARRAY_RESERVE(g->m, g->used, g->used_room, c->n_lines + 1))
        return NULL;
    memset(g->used, 0, ((size_t)c->n_lines + 1) * sizeof *g->used);
    return g->used;
}

bool groups_find(groups *g, const mesh_adjacency *w, const contours *c, const intruders *s, const vec3 *x, double edge)
{
    group_list swap = g->past;
    g->past = g->now;
    g->now = swap;
    g->now.n = g->now.n_vertices = g->now.n_triangles = 0;
    growing f = {.g = g, .w = w, .c = c, .s = s, .x = x, .edge = edge};
    for (int32_t li = 0; li < c->n_lines; li++)
        if (!g->used[li] && !form_line(&f, li))
            return false;
    return true;
}

/* ---- moves ------------------------------------------------------------------------------------------------------- */

void groups_mark(const groups *g, uint64_t *patch)
{
    const group_list *l = &g->now;
    for (int32_t i = 0; i < l->n; i++) {
        const line_group *q = &l->items[i];
        for (int32_t j = 0; j < q->n_vertices[0] + q->n_vertices[1]; j++)
            patch[l->vertices[q->first_vertex + j]] |= UINT64_C(1)
                                                       << (2 * (i % INTRUDER_LINES) + (j >= q->n_vertices[0]));
    }
}

/* Mass of what can move of a patch's core. */
static double core_mass(const groups *g, const line_group *q, int side, const double *mobility)
{
    double sum = 0;
    int32_t from = q->first_vertex + (side ? q->n_vertices[0] : 0);
    for (int32_t i = from; i < from + q->n_core[side]; i++)
        sum += mobility[g->now.vertices[i]] > 0 ? 1 / mobility[g->now.vertices[i]] : 0;
    return sum;
}

void groups_ask(const groups *g, minimise *k, double edge)
{
    for (int32_t i = 0; i < g->now.n; i++) {
        const line_group *q = &g->now.items[i];
        double mass[2] = {core_mass(g, q, 0, k->mobility), core_mass(g, q, 1, k->mobility)};
        if (q->split || mass[0] + mass[1] == 0)
            continue;
        double length = min_of(q->depth + GROUP_MORE * edge, GROUP_MOST * edge);
        for (int side = 0; side < 2; side++) {
            double other = mass[1 - side], share = other == 0 ? 1 : mass[side] == 0 ? 0 : other / (mass[0] + mass[1]);
            int32_t from = q->first_vertex + (side ? q->n_vertices[0] : 0);
            for (int32_t j = from; j < from + q->n_core[side]; j++)
                if (k->mobility[g->now.vertices[j]] > 0)
                    minimise_ask(k, g->now.vertices[j], v3_scale((side ? -2 : 2) * share * length, q->way));
        }
    }
}
