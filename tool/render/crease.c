/* SPDX-License-Identifier: MIT */
/* A corner's normal is the mean, by area, of the triangles at its node that are turned less than 40° from its own: so
 * round parts look round and edges stay edges. Nodes at one place count as one, as files often give every triangle its
 * own. */
#include "render/crease.h"

#include <stdlib.h>

enum { MAX_AROUND = 512 }; /* corners at one node; beyond, as at the tip of a cone, a corner takes its triangle's */

typedef struct corner {
    weft_vec3 position;
    int64_t index; /* 3 × triangle + corner */
} corner;

static int compare(double a, double b)
{
    return (a > b) - (a < b);
}

static int by_position(const void *pa, const void *pb)
{
    const corner *a = pa, *b = pb;
    int c = compare(a->position.x, b->position.x);
    c = c ? c : compare(a->position.y, b->position.y);
    c = c ? c : compare(a->position.z, b->position.z);
    return c ? c : (a->index > b->index) - (a->index < b->index);
}

static bool same_place(const corner *a, const corner *b)
{
    return a->position.x == b->position.x && a->position.y == b->position.y && a->position.z == b->position.z;
}

/* As long as twice the triangle's area. */
static float3 triangle_normal(const picture_mesh *m, int64_t ti)
{
    const int32_t *t = &m->triangles[3 * ti];
    weft_vec3 o = m->positions[t[0]], a = m->positions[t[1]], b = m->positions[t[2]];
    return f3_cross(f3_from_double((weft_vec3){a.x - o.x, a.y - o.y, a.z - o.z}),
                    f3_from_double((weft_vec3){b.x - o.x, b.y - o.y, b.z - o.z}));
}

static void smooth_around(const corner *corners, int64_t n, const float3 *of_triangle, float3 *normals)
{
    const float cos_sharp = 0.766f; /* 40° */
    for (int64_t i = 0; i < n; i++) {
        float3 own = of_triangle[corners[i].index / 3], sum = own;
        float length = f3_length(own);
        for (int64_t k = 0; k < n && n <= MAX_AROUND; k++) {
            float3 other = of_triangle[corners[k].index / 3];
            if (k != i && f3_dot(own, other) > cos_sharp * length * f3_length(other))
                sum = f3_add(sum, other);
        }
        normals[corners[i].index] = f3_unit_or(sum, f3(0, 0, 0));
    }
}

bool crease_normals(const picture_mesh *m, float3 *normals)
{
    int64_t n = 3 * (int64_t)m->n_triangles;
    corner *corners = malloc((size_t)n * sizeof *corners + 1);
    float3 *of_triangle = malloc((size_t)m->n_triangles * sizeof *of_triangle + 1);
    bool done = corners && of_triangle;
    if (done) {
        for (int64_t i = 0; i < n; i++)
            corners[i] = (corner){m->positions[m->triangles[i]], i};
        for (int64_t ti = 0; ti < m->n_triangles; ti++)
            of_triangle[ti] = triangle_normal(m, ti);
        qsort(corners, (size_t)n, sizeof *corners, by_position);
        for (int64_t first = 0, end; first < n; first = end) {
            for (end = first + 1; end < n && same_place(&corners[first], &corners[end]);)
                end++;
            smooth_around(&corners[first], end - first, of_triangle, normals);
        }
    }
    free(corners);
    free(of_triangle);
    return done;
}
