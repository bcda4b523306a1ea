/* SPDX-License-Identifier: MIT */
/* Slices of a closed mesh. A plane that passes through a vertex is taken to pass just above it, so every triangle has
 * two corners on one side and one on the other, or all on one; the crossed sides of a closed mesh then form closed
 * loops, which are followed from triangle to triangle by their neighbours. */
#include "garment/body.h"
#include "garment/curve.h"

#include <stdlib.h>

typedef struct slicer {
    const weft_body *body;
    mem *mem;
    double *height; /* of each vertex above the plane */
    bool *done;     /* per triangle: is not cut, or is in a loop already */
    weft_slice *out;
} slicer;

static bool vertex_is_above(const slicer *s, int32_t vi)
{
    return s->height[vi] > 0;
}

static bool triangle_is_cut(const slicer *s, int32_t ti)
{
    const int32_t *t = s->body->mesh->triangles[ti];
    bool a = vertex_is_above(s, t[0]);
    return vertex_is_above(s, t[1]) != a || vertex_is_above(s, t[2]) != a;
}

static vec3 side_crossing(const slicer *s, int32_t a, int32_t b)
{
    const vec3 *x = s->body->mesh->x;
    double ha = s->height[a], hb = s->height[b];
    return v3_madd(x[a], ha / (ha - hb), v3_sub(x[b], x[a]));
}

/* The side of a triangle that goes from below to above: loops leave by it. */
static int leaving_side(const slicer *s, int32_t ti)
{
    const int32_t *t = s->body->mesh->triangles[ti];
    for (int i = 0; i < 3; i++)
        if (!vertex_is_above(s, t[i]) && vertex_is_above(s, t[(i + 1) % 3]))
            return i;
    return 0;
}

/* The loop through a triangle that is cut. */
static void slice_add_loop(slicer *s, int32_t first)
{
    int32_t ti = first;
    s->out->loop_start[s->out->n_loops++] = s->out->n_points;
    while (ti >= 0 && !s->done[ti]) {
        s->done[ti] = true;
        int i = leaving_side(s, ti);
        const int32_t *t = s->body->mesh->triangles[ti];
        s->out->points[s->out->n_points++] = side_crossing(s, t[i], t[(i + 1) % 3]);
        ti = s->body->mesh->neighbour[ti][i];
    }
}

static void fill_heights(slicer *s, vec3 point, vec3 normal)
{
    const collider_mesh *m = s->body->mesh;
    for (int32_t i = 0; i < m->n_vertices; i++)
        s->height[i] = v3_dot(normal, v3_sub(m->x[i], point));
}

/* Every triangle that is cut adds one point; loops have one at least, and there is an end behind the last one. */
static bool reserve_loops(slicer *s)
{
    int32_t n_cut = 0;
    for (int32_t ti = 0; ti < s->body->mesh->n_triangles; ti++) {
        s->done[ti] = !triangle_is_cut(s, ti);
        n_cut += !s->done[ti];
    }
    s->out->room_points = n_cut;
    s->out->room_loops = n_cut + 1;
    return MEM_MAKE(s->mem, s->out->points, s->out->room_points) &&
           MEM_MAKE(s->mem, s->out->loop_start, s->out->room_loops);
}

weft_result weft_body_slice(const weft_body *body, weft_vec3 point, weft_vec3 normal, weft_slice *out,
                            weft_error *error)
{
    if (!body || !out || !(v3_len(normal) > 0))
        return error_set(error, WEFT_ERROR_ARGUMENT, -1, "body or out is NULL, or the normal has no length");
    *out = (weft_slice){0};
    mem m = body->mem;
    slicer s = {.body = body, .mem = &m, .out = out};
    const collider_mesh *c = body->mesh;
    bool good = MEM_MAKE(&m, s.height, c->n_vertices) && MEM_MAKE(&m, s.done, c->n_triangles);
    if (good)
        fill_heights(&s, point, v3_scale(1 / v3_len(normal), normal));
    good = good && reserve_loops(&s);
    for (int32_t ti = 0; good && ti < c->n_triangles; ti++)
        if (!s.done[ti])
            slice_add_loop(&s, ti);
    if (good)
        out->loop_start[out->n_loops] = out->n_points;
    MEM_FREE(&m, s.height, c->n_vertices);
    MEM_FREE(&m, s.done, c->n_triangles);
    if (good)
        return WEFT_OK;
    weft_body_slice_free(body, out);
    return error_memory(error);
}

void weft_body_slice_free(const weft_body *body, weft_slice *slice)
{
    if (!body || !slice)
        return;
    mem m = body->mem;
    mem_free(&m, slice->loop_start, slice->room_loops, sizeof *slice->loop_start);
    mem_free(&m, slice->points, slice->room_points, sizeof *slice->points);
    *slice = (weft_slice){0};
}

/* ---- measures of loops ------------------------------------------------------------------------------------------- */

static int compare_points(const void *p, const void *q)
{
    const vec2 *a = p, *b = q;
    return a->u != b->u ? (a->u < b->u ? -1 : 1) : a->v < b->v ? -1 : a->v > b->v;
}

/* Length of the convex hull of sorted points (Andrew 1979), which are overwritten by the lower half's stack. */
static double hull_length(const vec2 *sorted, int32_t n, vec2 *stack)
{
    double sum = 0;
    for (int half = 0; half < 2; half++) {
        int32_t k = 0;
        for (int32_t i = 0; i < n; i++) {
            vec2 p = sorted[half ? n - 1 - i : i];
            while (k >= 2 && v2_cross(v2_sub(stack[k - 1], stack[k - 2]), v2_sub(p, stack[k - 2])) <= 0)
                k--;
            stack[k++] = p;
        }
        for (int32_t i = 1; i < k; i++)
            sum += v2_distance(stack[i - 1], stack[i]);
    }
    return sum;
}

loop_measure loop_measure_of(const vec3 *points, int32_t n, vec3 axis_u, vec3 axis_v, vec2 *work)
{
    loop_measure m = {.low = {HUGE_VAL, HUGE_VAL}, .high = {-HUGE_VAL, -HUGE_VAL}};
    for (int32_t i = 0; i < n; i++) {
        work[i] = v2(v3_dot(points[i], axis_u), v3_dot(points[i], axis_v));
        m.low[0] = min_of(m.low[0], work[i].u);
        m.high[0] = max_of(m.high[0], work[i].u);
        m.low[1] = min_of(m.low[1], work[i].v);
        m.high[1] = max_of(m.high[1], work[i].v);
    }
    for (int32_t i = 0; i < n; i++)
        m.area += 0.5 * v2_cross(v2_sub(work[i], work[0]), v2_sub(work[(i + 1) % n], work[0]));
    m.area = fabs(m.area);
    qsort(work, (size_t)n, sizeof *work, compare_points);
    m.girth = hull_length(work, n, work + n);
    return m;
}
