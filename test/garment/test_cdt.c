/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "garment/cdt.h"
#include "math/incircle.h"
#include "math/predicate.h"
#include "math/trig.h"

static uint64_t next(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return *state >> 33;
}

static double uniform(uint64_t *state)
{
    return (double)next(state) * 0x1p-31;
}

/* Random points; with `lattice` on a grid of so many, where most decisions are ties. */
static vec2 random_point(uint64_t *state, int lattice)
{
    if (lattice > 0)
        return (vec2){(double)(next(state) % (unsigned)lattice) / lattice,
                      (double)(next(state) % (unsigned)lattice) / lattice};
    return (vec2){uniform(state), uniform(state)};
}

static void fill(cdt *c, mem *m, int n, int lattice, uint64_t *state)
{
    assert_int_equal(cdt_create(c, m, (vec2){0, 0}, (vec2){1, 1}), CDT_OK);
    for (int i = 0; i < n; i++) {
        int32_t vi;
        assert_int_equal(cdt_insert(c, cdt_snap(random_point(state, lattice)), &vi), CDT_OK);
    }
}

/* Whether the open segment from x to y meets the segment of points a, b but for common ends. */
static bool blocks(const cdt *c, vec2 x, vec2 y, int32_t a, int32_t b)
{
    vec2 p = c->points[a], q = c->points[b];
    return predicate_orient2d(x, y, p) * predicate_orient2d(x, y, q) < 0 &&
           predicate_orient2d(p, q, x) * predicate_orient2d(p, q, y) < 0;
}

/* Whether a triangle sees a point: from its inner third points; the circle's inside is open, so small changes of the
 * eye do not matter for points in general position. */
static bool sees(const cdt *c, const cdt_triangle *t, vec2 p)
{
    vec2 a = c->points[t->v[0]], b = c->points[t->v[1]], d = c->points[t->v[2]];
    vec2 eye = {(a.u + b.u + d.u) / 3, (a.v + b.v + d.v) / 3};
    for (int32_t ti = 0; ti < c->n_triangles; ti++)
        for (int i = 0; i < 3; i++)
            if (c->triangles[ti].is_fixed[i] &&
                blocks(c, eye, p, c->triangles[ti].v[(i + 1) % 3], c->triangles[ti].v[(i + 2) % 3]))
                return false;
    return true;
}

/* Every triangle against every point. */
static void assert_delaunay(const cdt *c, bool constrained)
{
    for (int32_t ti = 0; ti < c->n_triangles; ti++) {
        const cdt_triangle *t = &c->triangles[ti];
        for (int32_t vi = 0; vi < c->n_points; vi++) {
            if (vi == t->v[0] || vi == t->v[1] || vi == t->v[2])
                continue;
            if (predicate_incircle(c->points[t->v[0]], c->points[t->v[1]], c->points[t->v[2]], c->points[vi]) > 0 &&
                (!constrained || sees(c, t, c->points[vi])))
                fail_msg("point %d is in the circle of triangle %d, which sees it", vi, ti);
        }
    }
}

static void no_point_is_in_a_circle(void **unused)
{
    (void)unused;
    uint64_t state = 1;
    const int lattices[] = {0, 4, 16, 33};
    for (int round = 0; round < 24; round++) {
        mem m;
        cdt c;
        mem_init(&m, NULL, NULL);
        fill(&c, &m, 5 + 9 * round, lattices[round % 4], &state);
        assert_true(cdt_is_valid(&c));
        assert_delaunay(&c, false);
        cdt_destroy(&c);
        assert_int_equal(m.in_use, 0);
    }
}

/* A star of n random radii round the middle is a simple polygon. */
static int star(vec2 *out, int n, double least, uint64_t *state)
{
    for (int i = 0; i < n; i++) {
        double angle = 2 * WEFT_PI * (i + 0.8 * uniform(state)) / n, r = least + (0.48 - least) * uniform(state);
        out[i] = cdt_snap((vec2){0.5 + r * weft_cos(angle), 0.5 + r * weft_sin(angle)});
    }
    return n;
}

static double polygon_area(const vec2 *p, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += (p[i].u - p[0].u) * (p[(i + 1) % n].v - p[0].v) - (p[i].v - p[0].v) * (p[(i + 1) % n].u - p[0].u);
    return 0.5 * sum;
}

static double inside_area(cdt *c)
{
    double sum = 0;
    bool *inside = calloc((size_t)c->n_triangles, 1);
    assert_int_equal(cdt_inside(c, inside), CDT_OK);
    for (int32_t ti = 0; ti < c->n_triangles; ti++)
        if (inside[ti]) {
            vec2 p[3] = {c->points[c->triangles[ti].v[0]], c->points[c->triangles[ti].v[1]],
                         c->points[c->triangles[ti].v[2]]};
            sum += polygon_area(p, 3);
        }
    free(inside);
    return sum;
}

static void outlines_are_kept_and_the_rest_is_delaunay(void **unused)
{
    (void)unused;
    uint64_t state = 7;
    enum { MOST = 60 };
    for (int round = 0; round < 40; round++) {
        mem m;
        cdt c;
        vec2 rim[MOST];
        int32_t vi[MOST];
        mem_init(&m, NULL, NULL);
        int n = star(rim, 4 + round, 0.1, &state);
        assert_int_equal(cdt_create(&c, &m, (vec2){0, 0}, (vec2){1, 1}), CDT_OK);
        for (int i = 0; i < n; i++)
            assert_int_equal(cdt_insert(&c, rim[i], &vi[i]), CDT_OK);
        for (int i = 0; i < 3 * round; i++) { /* before the constraints */
            int32_t other;
            assert_int_equal(cdt_insert(&c, cdt_snap(random_point(&state, 0)), &other), CDT_OK);
        }
        for (int i = 0; i < n; i++)
            assert_int_equal(cdt_constrain(&c, vi[i], vi[(i + 1) % n], true), CDT_OK);
        for (int i = 0; i < 3 * round; i++) { /* and after */
            int32_t other;
            assert_int_equal(cdt_insert(&c, cdt_snap(random_point(&state, 0)), &other), CDT_OK);
        }
        assert_true(cdt_is_valid(&c));
        for (int i = 0; i < n; i++) {
            int corner;
            int32_t ti = cdt_find_side(&c, vi[i], vi[(i + 1) % n], &corner);
            assert_true(ti >= 0 && c.triangles[ti].is_fixed[corner] && c.triangles[ti].is_rim[corner]);
        }
        assert_delaunay(&c, true);
        /* Sums of some hundred areas, each with an error of a few units in the last place. */
        assert_true(fabs(inside_area(&c) - polygon_area(rim, n)) < 1e-12);
        cdt_destroy(&c);
        assert_int_equal(m.in_use, 0);
    }
}

static void constraints_through_points_become_chains(void **unused)
{
    (void)unused;
    mem m;
    cdt c;
    mem_init(&m, NULL, NULL);
    assert_int_equal(cdt_create(&c, &m, (vec2){0, 0}, (vec2){1, 1}), CDT_OK);
    int32_t grid[25];
    for (int i = 0; i < 25; i++)
        assert_int_equal(cdt_insert(&c, (vec2){0.25 * (i % 5), 0.25 * (i / 5)}, &grid[i]), CDT_OK);
    assert_int_equal(cdt_constrain(&c, grid[0], grid[24], false), CDT_OK);
    for (int i = 0; i < 4; i++) {
        int corner;
        int32_t ti = cdt_find_side(&c, grid[6 * i], grid[6 * i + 6], &corner);
        assert_true(ti >= 0 && c.triangles[ti].is_fixed[corner]);
    }
    assert_true(cdt_is_valid(&c));
    cdt_destroy(&c);
}

static void crossing_constraints_are_told(void **unused)
{
    (void)unused;
    mem m;
    cdt c;
    mem_init(&m, NULL, NULL);
    assert_int_equal(cdt_create(&c, &m, (vec2){0, 0}, (vec2){1, 1}), CDT_OK);
    int32_t v[4];
    const vec2 p[4] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};
    for (int i = 0; i < 4; i++)
        assert_int_equal(cdt_insert(&c, p[i], &v[i]), CDT_OK);
    assert_int_equal(cdt_constrain(&c, v[0], v[2], false), CDT_OK);
    assert_int_equal(cdt_constrain(&c, v[1], v[3], false), CDT_CROSSING);
    cdt_destroy(&c);
}

static void equal_points_are_one(void **unused)
{
    (void)unused;
    mem m;
    cdt c;
    int32_t a, b;
    mem_init(&m, NULL, NULL);
    assert_int_equal(cdt_create(&c, &m, (vec2){0, 0}, (vec2){1, 1}), CDT_OK);
    assert_int_equal(cdt_insert(&c, (vec2){0.5, 0.5}, &a), CDT_OK);
    assert_int_equal(cdt_insert(&c, (vec2){0.5, 0.5}, &b), CDT_OK);
    assert_int_equal(a, b);
    assert_int_equal(c.n_points, CDT_FIRST + 1);
    cdt_destroy(&c);
}

static void *failing(void *user, void *ptr, size_t old_size, size_t new_size)
{
    int *left = user;
    (void)old_size;
    if (new_size == 0) {
        free(ptr);
        return NULL;
    }
    return --*left < 0 ? NULL : realloc(ptr, new_size);
}

static void every_failed_allocation_is_survived(void **unused)
{
    (void)unused;
    for (int k = 0, done = 0; !done; k++) {
        int left = k;
        uint64_t state = 3;
        mem m;
        cdt c;
        mem_init(&m, failing, &left);
        cdt_result r = cdt_create(&c, &m, (vec2){0, 0}, (vec2){1, 1});
        for (int i = 0; r == CDT_OK && i < 100; i++) {
            int32_t vi;
            r = cdt_insert(&c, cdt_snap(random_point(&state, 0)), &vi);
        }
        r = r == CDT_OK ? cdt_constrain(&c, 4, 50, false) : r;
        done = r == CDT_OK;
        assert_true(done || r == CDT_MEMORY);
        cdt_destroy(&c);
        assert_int_equal(m.in_use, 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_point_is_in_a_circle),
        cmocka_unit_test(outlines_are_kept_and_the_rest_is_delaunay),
        cmocka_unit_test(constraints_through_points_become_chains),
        cmocka_unit_test(crossing_constraints_are_told),
        cmocka_unit_test(equal_points_are_one),
        cmocka_unit_test(every_failed_allocation_is_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
