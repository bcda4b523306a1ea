/* SPDX-License-Identifier: MIT */
/* Certificates against the continuous test, which never misses: whatever is certified to keep a distance must not come
 * nearer than it. (The kernel may raise false alarms within 1e-12 of the coordinates: the distance asked for is less by
 * that.) */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <weft/ccd.h>

#include "contact/ccd/certificate.h"
#include "contact/gap.h"
#include "math/grid.h"
#include "math/long_sum.h"
#include "sim/kit.h"

#include <cmocka.h>

typedef struct motion {
    vec3 x0[4], x1[4];
    bool edges;
} motion;

static vec3 random_vec(uint64_t *random, double half)
{
    double x = kit_random_unit(random), y = kit_random_unit(random), z = kit_random_unit(random);
    return grid_snap(v3(half * x, half * y, half * z), 0);
}

static motion random_motion(uint64_t *random, double way)
{
    motion m = {.edges = kit_random_below(random, 2)};
    for (int i = 0; i < 4; i++) {
        m.x0[i] = random_vec(random, 1);
        m.x1[i] = v3_add(m.x0[i], random_vec(random, way));
    }
    return m;
}

static bool comes_within(const motion *m, double distance)
{
    return m->edges ? weft_ccd_edge_edge(m->x0, m->x1, distance, NULL)
                    : weft_ccd_vertex_triangle(m->x0, m->x1, distance, NULL);
}

static void what_is_certified_never_comes_nearer(void **state)
{
    (void)state;
    uint64_t random = 1;
    int n_axes = 0, n_plane = 0, n_free = 0;
    for (int i = 0; i < 40000; i++) {
        double beyond = i % 3 == 0 ? 0 : 0.05 * (i % 7), way = i % 2 ? 0.3 : 1.5;
        motion m = random_motion(&random, way);
        gap start = m.edges ? gap_edge_edge(m.x0) : gap_vertex_triangle(m.x0);
        vec3 normal = v3_unit_or(start.vector, v3_zero());
        bool axes = certificate_axes(m.x0, m.x1, m.edges ? 2 : 1, beyond);
        bool plane = certificate_plane(m.x0, m.x1, m.edges ? 2 : 1, normal, beyond);
        bool near = comes_within(&m, max_of(0, beyond - 1e-12));
        assert_false((axes || plane) && near);
        n_axes += axes;
        n_plane += plane;
        n_free += !near;
    }
    print_message("of %d free pairs the axes settle %d, the plane of the closest points %d\n", n_free, n_axes, n_plane);
    assert_true(n_plane > n_free / 2);
}

/* n·(a − b) > 0, exactly. */
static bool is_above(vec3 n, vec3 a, vec3 b)
{
    long_sum s;
    long_sum_start(&s);
    long_sum_add(&s, 1, n.x, a.x, 1);
    long_sum_add(&s, 1, n.y, a.y, 1);
    long_sum_add(&s, 1, n.z, a.z, 1);
    long_sum_add(&s, -1, n.x, b.x, 1);
    long_sum_add(&s, -1, n.y, b.y, 1);
    long_sum_add(&s, -1, n.z, b.z, 1);
    return long_sum_sign(&s) > 0;
}

static bool is_separated(const vec3 x[4], int n_first, vec3 n)
{
    for (int i = 0; i < n_first; i++)
        for (int k = n_first; k < 4; k++)
            if (!is_above(n, x[i], x[k]))
                return false;
    return true;
}

/* One primitive is on either side of a plane by a few cells of the grid: rounding decides, and must decide safely. */
static void the_last_bits_are_on_the_safe_side(void **state)
{
    (void)state;
    uint64_t random = 2;
    int n_settled = 0, n_true = 0;
    for (int i = 0; i < 20000; i++) {
        motion m = {.edges = i % 2};
        int n_first = m.edges ? 2 : 1;
        vec3 normal = v3_unit_or(random_vec(&random, 1), v3(0, 0, 1)), at = random_vec(&random, 200);
        for (int c = 0; c < 4; c++)
            for (int end = 0; end < 2; end++) {
                vec3 d = random_vec(&random, 1);
                d = v3_madd(d, -v3_dot(d, normal), normal);
                double off = (c < n_first ? 0x1p-33 : -0x1p-33) * kit_random_below(&random, 4);
                (end ? m.x1 : m.x0)[c] = grid_snap(v3_add(at, v3_madd(d, off, normal)), 0);
            }
        bool settled = certificate_plane(m.x0, m.x1, n_first, normal, 0);
        bool truly = is_separated(m.x0, n_first, normal) && is_separated(m.x1, n_first, normal);
        assert_false(settled && !truly);
        n_settled += settled;
        n_true += truly;
    }
    print_message("within a few cells %d of %d are settled\n", n_settled, n_true);
    assert_true(n_settled > n_true * 9 / 10 && n_true > 1000);
}

static void a_common_shift_is_seen_to_the_last_bit(void **state)
{
    (void)state;
    uint64_t random = 3;
    for (int i = 0; i < 1000; i++) {
        motion m = random_motion(&random, 1);
        vec3 d = random_vec(&random, 100);
        for (int c = 0; c < 4; c++)
            m.x1[c] = v3_add(m.x0[c], d);
        assert_true(certificate_together(m.x0, m.x1));
        m.x1[i % 4].y += 0x1p-32;
        assert_false(certificate_together(m.x0, m.x1));
    }
}

static void nothing_is_settled_without_a_normal(void **state)
{
    (void)state;
    motion m = {.edges = true};
    assert_false(certificate_plane(m.x0, m.x1, 2, v3_zero(), 0));
    assert_false(certificate_axes(m.x0, m.x1, 2, 0));
    assert_true(certificate_together(m.x0, m.x1));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_certified_never_comes_nearer),
        cmocka_unit_test(the_last_bits_are_on_the_safe_side),
        cmocka_unit_test(a_common_shift_is_seen_to_the_last_bit),
        cmocka_unit_test(nothing_is_settled_without_a_normal),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
