/* SPDX-License-Identifier: MIT */
#include "contact/prevent_kit.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "math/grid.h"
#include "math/intersect.h"

#include <cmocka.h>

prevent_kit *prevent_kit_new(uint64_t seed)
{
    prevent_kit *k = calloc(1, sizeof *k);
    assert_non_null(k);
    mem_init(&k->mem, kit_alloc, &k->memory);
    arena_init(&k->scratch, &k->mem);
    k->random = seed;
    k->options.last_chance = true;
    k->w = (prevent_world){.mem = &k->mem,
                           .scratch = &k->scratch,
                           .triangles = (const int32_t(*)[3])k->triangles,
                           .mode = BVH_CLASSICAL,
                           .n_dofs = -1,
                           .rows = k->rows,
                           .mass = k->mass,
                           .filters = k->filters,
                           .radius = k->radius,
                           .friction = k->friction,
                           .dissipation = k->dissipation,
                           .stride = 1,
                           .h = 1.0 / 60};
    return k;
}

void prevent_kit_free(prevent_kit *k)
{
    prevent_destroy(&k->w);
    bvh_destroy(k->w.bvh);
    arena_destroy(&k->scratch);
    pool_destroy(k->w.pool);
    assert_int_equal(k->memory.n_blocks, 0);
    assert_int_equal(k->memory.n_mistakes, 0);
    free(k);
}

int32_t prevent_kit_node(prevent_kit *k, vec3 x, double mass, double radius)
{
    int32_t vi = k->w.n_nodes++;
    assert_true(vi < KIT_ROOM);
    k->x0[vi] = x;
    k->mass[vi] = mass;
    k->radius[vi] = radius;
    k->rows[vi] = (node_row){{vi, -1}};
    k->friction[vi] = k->w.n_dofs >= 0; /* a collider's factor */
    k->dissipation[vi] = k->w.n_dofs >= 0;
    return vi;
}

void prevent_kit_triangle(prevent_kit *k, int32_t a, int32_t b, int32_t c, int32_t object)
{
    int32_t ti = k->n_triangles++;
    assert_true(ti < 2 * KIT_ROOM);
    k->triangles[ti][0] = a;
    k->triangles[ti][1] = b;
    k->triangles[ti][2] = c;
    k->object[ti] = object;
}

int32_t prevent_kit_object(prevent_kit *k, bool fixed)
{
    assert_true(k->n_objects < 64);
    k->fixed[k->n_objects] = fixed;
    return k->n_objects++;
}

void prevent_kit_colliders(prevent_kit *k)
{
    k->w.n_dofs = k->w.n_nodes;
}

void prevent_kit_hang(prevent_kit *k, int32_t vi, int32_t a, int32_t b)
{
    k->rows[vi] = (node_row){{a, b}};
    k->filters[vi].kind = FREEDOM_NONE;
}

int32_t prevent_kit_sheet(prevent_kit *k, int32_t n_u, int32_t n_v, vec3 corner, vec3 side_u, vec3 side_v)
{
    int32_t first = k->w.n_nodes, object = prevent_kit_object(k, k->w.n_dofs >= 0);
    double radius = 0.3 * min_of(v3_len(side_u) / (n_u - 1), v3_len(side_v) / (n_v - 1));
    for (int32_t j = 0; j < n_v; j++)
        for (int32_t i = 0; i < n_u; i++)
            prevent_kit_node(k, v3_madd(v3_madd(corner, (double)i / (n_u - 1), side_u), (double)j / (n_v - 1), side_v),
                             1e-4, radius);
    for (int32_t j = 0; j + 1 < n_v; j++)
        for (int32_t i = 0; i + 1 < n_u; i++) {
            int32_t a = first + j * n_u + i, b = a + 1, c = a + n_u + 1, d = a + n_u;
            bool other = (i + j) % 2;
            prevent_kit_triangle(k, a, b, other ? d : c, object);
            prevent_kit_triangle(k, other ? b : a, c, d, object);
        }
    return first;
}

int32_t prevent_kit_mixed_sheet(prevent_kit *k, int32_t n_u, int32_t n_v, vec3 corner, vec3 side_u, vec3 side_v)
{
    int32_t first = k->w.n_nodes, object = prevent_kit_object(k, false), half = (n_u - 1) / 2;
    int32_t *number = calloc((size_t)n_u * n_v, sizeof *number);
    assert_non_null(number);
    for (int32_t j = 0; j < n_v; j++)
        for (int32_t i = 0; i < n_u; i++)
            if (i <= half || (i % 2 == 0 && j % 2 == 0))
                number[j * n_u + i] = prevent_kit_node(
                    k, v3_madd(v3_madd(corner, (double)i / (n_u - 1), side_u), (double)j / (n_v - 1), side_v), 1e-4,
                    0.3 * v3_len(side_u) / (n_u - 1));
    for (int32_t j = 1; j < n_v; j += 2)
        prevent_kit_hang(k, number[j * n_u + half], number[(j - 1) * n_u + half], number[(j + 1) * n_u + half]);
    for (int32_t j = 0; j + 1 < n_v; j++)
        for (int32_t i = 0; i < half; i++) {
            const int32_t *at = &number[j * n_u + i];
            prevent_kit_triangle(k, at[0], at[1], at[n_u + 1], object);
            prevent_kit_triangle(k, at[0], at[n_u + 1], at[n_u], object);
        }
    for (int32_t j = 0; j + 2 < n_v; j += 2)
        for (int32_t i = half; i + 2 < n_u; i += 2) {
            const int32_t *at = &number[j * n_u + i];
            if (i == half) {
                prevent_kit_triangle(k, at[0], at[2], at[n_u], object);
                prevent_kit_triangle(k, at[n_u], at[2], at[2 * n_u], object);
            } else {
                prevent_kit_triangle(k, at[0], at[2], at[2 * n_u], object);
            }
            prevent_kit_triangle(k, at[2], at[2 * n_u + 2], at[2 * n_u], object);
        }
    free(number);
    return first;
}

int32_t prevent_kit_box(prevent_kit *k, vec3 corner, vec3 sides)
{
    static const int32_t quads[6][4] = {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4},
                                        {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}};
    int32_t first = k->w.n_nodes, object = prevent_kit_object(k, k->w.n_dofs >= 0);
    for (int i = 0; i < 8; i++)
        prevent_kit_node(k, v3_add(corner, v3(i & 1 ? sides.x : 0, i & 2 ? sides.y : 0, i & 4 ? sides.z : 0)), 1e-4,
                         0.003);
    for (int i = 0; i < 6; i++) {
        const int32_t *q = quads[i];
        prevent_kit_triangle(k, first + q[0], first + q[1], first + q[2], object);
        prevent_kit_triangle(k, first + q[0], first + q[2], first + q[3], object);
    }
    return first;
}

void prevent_kit_ready(prevent_kit *k, int32_t n_threads)
{
    weft_error e;
    if (k->w.n_dofs < 0)
        k->w.n_dofs = k->w.n_nodes;
    for (int32_t i = 0; i < k->w.n_nodes; i++)
        k->x0[i] = grid_snap(k->x0[i], k->w.world_scale);
    for (int32_t i = 0; i < k->w.n_dofs; i++)
        if (k->rows[i].dof[1] >= 0)
            k->x0[i] = v3_scale(0.5, v3_add(k->x0[k->rows[i].dof[0]], k->x0[k->rows[i].dof[1]]));
    memcpy(k->x1, k->x0, sizeof k->x0);
    memset(k->v1, 0, sizeof k->v1);
    k->w.pool = pool_create(&k->mem, n_threads, NULL, NULL);
    bvh_input in = {.n_nodes = k->w.n_nodes,
                    .n_triangles = k->n_triangles,
                    .triangles = (const int32_t(*)[3])k->triangles,
                    .x = k->x0,
                    .object = k->object,
                    .n_objects = k->n_objects,
                    .fixed = k->fixed};
    kit_must(bvh_create(&k->mem, &in, &k->w.bvh, &e), &e);
    assert_non_null(k->w.pool);
}

void prevent_kit_move(prevent_kit *k, int32_t from, int32_t to, vec3 d)
{
    for (int32_t i = from; i < to; i++) {
        k->x1[i] = v3_add(k->x0[i], d);
        k->v1[i] = v3_scale(1 / k->w.h, d);
    }
}

prevent_end prevent_kit_run(prevent_kit *k)
{
    k->stats = (prevent_stats){0};
    return prevent(&k->w, k->x0, k->x1, k->v1, &k->options, &k->stats);
}

void prevent_kit_commit(prevent_kit *k)
{
    memcpy(k->x0, k->x1, sizeof k->x0);
}

typedef struct bounds {
    vec3 low, high;
} bounds;

static bounds bounds_of(const vec3 x[3])
{
    bounds b = {x[0], x[0]};
    for (int i = 1; i < 3; i++) {
        b.low = v3(min_of(b.low.x, x[i].x), min_of(b.low.y, x[i].y), min_of(b.low.z, x[i].z));
        b.high = v3(max_of(b.high.x, x[i].x), max_of(b.high.y, x[i].y), max_of(b.high.z, x[i].z));
    }
    return b;
}

static bool overlap(const bounds *a, const bounds *b)
{
    return a->low.x <= b->high.x && b->low.x <= a->high.x && a->low.y <= b->high.y && b->low.y <= a->high.y &&
           a->low.z <= b->high.z && b->low.z <= a->high.z;
}

int32_t prevent_kit_intersections(const prevent_kit *k, const vec3 *x)
{
    bounds *all = malloc((size_t)k->n_triangles * sizeof *all);
    int32_t n = 0;
    assert_non_null(all);
    for (int32_t i = 0; i < k->n_triangles; i++) {
        vec3 a[3] = {x[k->triangles[i][0]], x[k->triangles[i][1]], x[k->triangles[i][2]]};
        all[i] = bounds_of(a);
        for (int32_t j = 0; j < i; j++) {
            if (!overlap(&all[i], &all[j]) || (k->fixed[k->object[i]] && k->fixed[k->object[j]]))
                continue;
            vec3 b[3] = {x[k->triangles[j][0]], x[k->triangles[j][1]], x[k->triangles[j][2]]};
            n += intersect_triangles(a, b) != INTERSECT_NONE;
        }
    }
    free(all);
    return n;
}

vec3 prevent_kit_momentum(const prevent_kit *k, const vec3 *v)
{
    vec3 sum = v3_zero();
    for (int32_t i = 0; i < k->w.n_dofs; i++)
        if (k->rows[i].dof[0] == i)
            sum = v3_madd(sum, k->mass[i], v[i]);
    return sum;
}

vec3 prevent_kit_spin(const prevent_kit *k, const vec3 *x, const vec3 *v)
{
    vec3 sum = v3_zero();
    for (int32_t i = 0; i < k->w.n_dofs; i++)
        if (k->rows[i].dof[0] == i)
            sum = v3_madd(sum, k->mass[i], v3_cross(x[i], v[i]));
    return sum;
}

vec3 prevent_kit_random(prevent_kit *k, double half)
{
    double x = kit_random_unit(&k->random), y = kit_random_unit(&k->random), z = kit_random_unit(&k->random);
    return v3(half * x, half * y, half * z);
}

uint64_t prevent_kit_hash(const prevent_kit *k)
{
    return hash_bytes(hash_bytes(0, k->x1, (size_t)k->w.n_nodes * sizeof *k->x1), k->v1,
                      (size_t)k->w.n_dofs * sizeof *k->v1);
}
