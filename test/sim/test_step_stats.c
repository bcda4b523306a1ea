/* SPDX-License-Identifier: MIT */
/* The table of statistics: what it says of each field, and how steps add up. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "sim/kit.h"
#include "sim/step_stats.h"

#include <cmocka.h>
#include <math.h>

/* Steps in which each field has the number of its line, and these numbers times a factor. */
static weft_step_stats steps_of(int factor)
{
    weft_step_stats s;
    int i = 0;
#define NUMBER(type, name, adds, column, unit, text) s.name = (type)(factor * ++i);
    WEFT_STEP_STATS(NUMBER)
    return s;
}

static void every_field_is_a_line_of_the_list(void **state)
{
    (void)state;
    int32_t n;
    size_t bytes = 0;
    const weft_stat *list = weft_step_stats_list(&n);
    weft_step_stats s = steps_of(1);
    for (int32_t i = 0; i < n; i++)
        assert_true(weft_step_stats_get(&s, i) == i + 1);
    assert_true(isnan(weft_step_stats_get(&s, -1)) && isnan(weft_step_stats_get(&s, n)));
#define BYTES(type, name, adds, column, unit, text) bytes += sizeof s.name;
    WEFT_STEP_STATS(BYTES)
    assert_true(bytes <= sizeof s && sizeof s - bytes < 8 * (size_t)n);
    assert_string_equal(list[0].name, "time");
    assert_ptr_equal(weft_step_stats_list(NULL), list);
}

static bool ends_with(const char *text, const char *end)
{
    size_t n = strlen(text), m = strlen(end);
    return n >= m && strcmp(text + n - m, end) == 0;
}

/* A column ends with its unit, "_j" or "_m_s", or begins with it, "seconds_". */
static bool tells_unit(const weft_stat *s)
{
    if (strcmp(s->unit, "m/s") == 0)
        return ends_with(s->column, "_m_s");
    if (strcmp(s->unit, "s") == 0)
        return strncmp(s->column, "seconds_", 8) == 0 || ends_with(s->column, "_s");
    if (strncmp(s->unit, "kg m", 4) == 0)
        return ends_with(s->column, s->unit[4] == '/' ? "_kg_m_s" : "_kg_m2_s");
    return strcmp(s->unit, "J") == 0 ? ends_with(s->column, "_j") : ends_with(s->column, "_m");
}

static void columns_differ_and_tell_their_units(void **state)
{
    (void)state;
    int32_t n;
    const weft_stat *list = weft_step_stats_list(&n);
    for (int32_t i = 0; i < n; i++) {
        assert_true(strlen(list[i].text) > 0);
        assert_null(strpbrk(list[i].column, ",\"\n |"));
        assert_null(strpbrk(list[i].text, "|\n"));
        if (strlen(list[i].unit) > 0 && !tells_unit(&list[i]))
            fail_msg("%s is in %s", list[i].column, list[i].unit);
        for (int32_t k = 0; k < i; k++) {
            assert_string_not_equal(list[i].name, list[k].name);
            assert_string_not_equal(list[i].column, list[k].column);
        }
    }
}

static double expected(weft_stat_adds adds, double first, double second)
{
    switch (adds) {
    case WEFT_STAT_SUM: return first + second;
    case WEFT_STAT_MAX: return fmax(first, second);
    case WEFT_STAT_MIN: return fmin(first, second);
    default: return second;
    }
}

static void steps_add_up_as_the_list_says(void **state)
{
    (void)state;
    int32_t n;
    const weft_stat *list = weft_step_stats_list(&n);
    static const int factors[][2] = {{1, 3}, {3, 1}};
    for (int k = 0; k < 2; k++) {
        weft_step_stats first = steps_of(factors[k][0]), second = steps_of(factors[k][1]), total = first;
        weft_step_stats_add(&total, &second);
        for (int32_t i = 0; i < n; i++)
            assert_true(weft_step_stats_get(&total, i) ==
                        expected(list[i].adds, weft_step_stats_get(&first, i), weft_step_stats_get(&second, i)));
    }
}

static void one_step_alone_is_its_own_sum(void **state)
{
    (void)state;
    int32_t n;
    weft_step_stats_list(&n);
    weft_step_stats total = weft_step_stats_none(), step = steps_of(1);
    weft_step_stats_add(&total, &step);
    for (int32_t i = 0; i < n; i++)
        assert_true(weft_step_stats_get(&total, i) == weft_step_stats_get(&step, i));
}

/* A free sheet that flies and turns: the sums of a step are those of its nodes, and its own forces change neither. */
static void momentum_and_angular_momentum_are_those_of_the_nodes_and_stay(void **state)
{
    (void)state;
    enum { N = 6 };
    weft_sim_def sd = weft_sim_def_default();
    sd.gravity = (weft_vec3){0, 0, 0};
    sd.air_density = 0;
    sd.linear_tolerance = 1e-10;
    sd.newton_tolerance = 1e-12;
    sd.newton_limit = 50;
    weft_sim *sim = kit_sim(&sd);
    weft_cloth_id id = kit_grid(sim, N, 0.3, 0.5, 0.2);
    weft_vec3 x[N * N], v[N * N];
    double m[N * N];
    kit_positions(sim, id, x, N * N);
    for (int i = 0; i < N * N; i++)
        v[i] = (weft_vec3){1 - 2 * x[i].y, 2 * x[i].x, 0.3 * x[i].x};
    kit_must(weft_cloth_set_velocities(sim, id, v, N * N, NULL), NULL);
    kit_must(weft_cloth_get_masses(sim, id, m, N * N, NULL), NULL);
    weft_step_stats first = {0};
    for (int k = 0; k < 20; k++) {
        weft_step_stats s;
        kit_must(weft_sim_step(sim, 0.005, &s, NULL), NULL);
        kit_positions(sim, id, x, N * N);
        kit_must(weft_cloth_get_velocities(sim, id, v, N * N, 0, NULL), NULL);
        weft_vec3 p = {0, 0, 0}, l = {0, 0, 0};
        double size = 0;
        for (int i = 0; i < N * N; i++) {
            p = (weft_vec3){p.x + m[i] * v[i].x, p.y + m[i] * v[i].y, p.z + m[i] * v[i].z};
            l.x += m[i] * (x[i].y * v[i].z - x[i].z * v[i].y);
            l.y += m[i] * (x[i].z * v[i].x - x[i].x * v[i].z);
            l.z += m[i] * (x[i].x * v[i].y - x[i].y * v[i].x);
            size += m[i] * 3; /* of |v|, and of |x| |v| */
        }
        const double found[6] = {s.momentum_x, s.momentum_y, s.momentum_z, s.angular_x, s.angular_y, s.angular_z};
        const double known[6] = {p.x, p.y, p.z, l.x, l.y, l.z};
        for (int i = 0; i < 6; i++)
            assert_true(fabs(found[i] - known[i]) <= 64 * 2.2e-16 * size);
        first = k == 0 ? s : first;
        assert_true(fabs(s.momentum_x - first.momentum_x) <= 1e-9 * size);
        assert_true(fabs(s.momentum_y - first.momentum_y) <= 1e-9 * size);
        assert_true(fabs(s.momentum_z - first.momentum_z) <= 1e-9 * size);
        assert_true(s.momentum_x > 0 && s.angular_z > 0);
    }
    weft_sim_destroy(sim);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_field_is_a_line_of_the_list),
        cmocka_unit_test(columns_differ_and_tell_their_units),
        cmocka_unit_test(steps_add_up_as_the_list_says),
        cmocka_unit_test(one_step_alone_is_its_own_sum),
        cmocka_unit_test(momentum_and_angular_momentum_are_those_of_the_nodes_and_stay),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
