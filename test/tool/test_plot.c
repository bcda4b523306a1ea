/* SPDX-License-Identifier: MIT */
#include "report/plot.h"
#include "report/template.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void steps_of_axes_are_round(void **state)
{
    (void)state;
    assert_true(fabs(plot_step(1, 4) - 0.5) < 1e-12);
    assert_true(fabs(plot_step(7, 4) - 2) < 1e-12);
    assert_true(fabs(plot_step(0.0023, 4) - 0.001) < 1e-12);
    assert_true(plot_step(0, 4) == 1 && plot_step((double)NAN, 4) == 1);
}

/* The plots of a record as the page has them. */
static void draw(page *out, const record *from)
{
    const record_field *plots = record_find(from, "plot", 4);
    weft_error error;
    for (int32_t i = 0; i < plots->n_items; i++)
        if (template_fill(embedded_files, "plot.html", plots->items[i], out, &error) < 0)
            fail_msg("%s", error.text);
}

static void make_plot(page *out, const char *name, double *values, int32_t n, bool stacked, bool logarithmic)
{
    double times[2000];
    for (int32_t i = 0; i < n; i++)
        times[i] = 0.1 * i;
    plot_series series[] = {{name, values, 1}, {"other", values, 2}};
    plot p = {.title = name, .unit = "J", .n = n, .times = times, .series = series, .n_series = 2};
    p.stacked = stacked;
    p.logarithmic = logarithmic;
    p.mark = (double)NAN;
    record *r = record_new();
    plot_add(r, &p);
    draw(out, r);
    record_free(r);
}

static void plots_have_no_nan_and_escape_their_names(void **state)
{
    (void)state;
    double values[2000];
    for (int i = 0; i < 2000; i++)
        values[i] = i % 7 == 3 ? (double)NAN : i % 5 ? 1e-9 * i : 0;
    for (int kind = 0; kind < 3; kind++)
        for (int32_t n = 1; n <= 2000; n += 333) {
            page p = {0};
            make_plot(&p, "<a & b>", values, n, kind == 1, kind == 2);
            assert_null(strstr(page_text(&p), "<a"));
            assert_non_null(strstr(page_text(&p), "&lt;a &amp; b&gt;"));
            const char *path = strstr(page_text(&p), "<path");
            for (; path; path = strstr(path + 1, "<path")) {
                const char *end = strchr(path, '>'), *nan = strstr(path, "nan"), *inf = strstr(path, "inf");
                assert_true((!nan || nan > end) && (!inf || inf > end));
            }
            assert_true(p.n < 200000);
            page_free(&p);
        }
}

static void plots_of_nothing_but_zero_or_unknown_do_not_fail(void **state)
{
    (void)state;
    double zeros[10] = {0}, unknown[10];
    for (int i = 0; i < 10; i++)
        unknown[i] = (double)NAN;
    for (int kind = 0; kind < 3; kind++) {
        page p = {0};
        make_plot(&p, "zeros", zeros, 10, kind == 1, kind == 2);
        make_plot(&p, "unknown", unknown, 10, kind == 1, kind == 2);
        assert_non_null(strstr(page_text(&p), "</svg>"));
        page_free(&p);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steps_of_axes_are_round),
        cmocka_unit_test(plots_have_no_nan_and_escape_their_names),
        cmocka_unit_test(plots_of_nothing_but_zero_or_unknown_do_not_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
