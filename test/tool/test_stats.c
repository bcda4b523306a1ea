/* SPDX-License-Identifier: MIT */
#include "stats.h"
#include "stats_file.h"

#include "data_file.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* The head of stats.csv before refused merges and others were in it: what programs may have learnt to count on. */
static const char old_head[] =
    "frame,time_s,hash,nodes,active_nodes,split_faces,merged_faces,energy_jump_j,steps,halvings,newton_iterations,"
    "linear_iterations,residual_m,contacts,corrections,correction_m,squeezed,pairs,candidates,settled_pairs,"
    "continuous_tests,hits,sweeps,inelastic_rounds,zones,largest_zone,rigid_zones,failsafes,cuts,squeezed_pairs,"
    "tangled_pairs,tangle_length_m,caught_nodes,smallest_gap_m,stretch,max_speed_m_s,energy_kinetic_j,"
    "energy_stretch_j,energy_bending_j,energy_gravity_j,intersecting_pairs,contours,too_near,result,threads,"
    "seconds_adapt,seconds_touch,seconds_meet,seconds_walk,seconds_test,seconds_respond,seconds_assemble,"
    "seconds_solve,seconds_total,seconds_audit,seconds_store_before";

static int count(const char *text, char c)
{
    int n = 0;
    for (; *text; text++)
        n += *text == c;
    return n;
}

static void every_column_has_a_name_of_its_own(void **state)
{
    (void)state;
    for (int i = 0; i < STATS_COUNT; i++) {
        assert_non_null(stats_names[i]);
        assert_null(strpbrk(stats_names[i], ",\"\n "));
        for (int j = 0; j < i; j++)
            assert_string_not_equal(stats_names[i], stats_names[j]);
    }
}

static void columns_stay_where_they_are(void **state)
{
    (void)state;
    page head = {0};
    stats_add_head(&head, stats_names, STATS_COUNT);
    assert_memory_equal(page_text(&head), old_head, strlen(old_head));
    page_free(&head);
}

/* Place of a column; -1: there is none. */
static int place_of(const char *name)
{
    int found = -1;
    for (int i = 0; i < STATS_COUNT; i++)
        found = strcmp(stats_names[i], name) == 0 ? i : found;
    return found;
}

static void every_statistic_of_a_step_reaches_its_column(void **state)
{
    (void)state;
    int32_t n, k = 0;
    const weft_stat *list = weft_step_stats_list(&n);
    weft_step_stats stats;
#define NUMBER(type, name, adds, column, unit, text) stats.name = (type)(1000 + k++);
    WEFT_STEP_STATS(NUMBER)
    double values[STATS_COUNT];
    stats_fill(&stats, WEFT_OK, 1, 0, values);
    for (int32_t i = 0; i < n; i++) {
        int place = place_of(list[i].column);
        if (strcmp(list[i].name, "time") == 0)
            assert_int_equal(place, -1); /* that of the row, in front */
        else
            assert_true(place >= 0 && values[place] == 1000 + i);
    }
}

static void rows_have_as_many_fields_as_the_head(void **state)
{
    (void)state;
    page head = {0}, row = {0};
    weft_step_stats stats = {.time = 0.1, .n_nodes = 64};
    double values[STATS_COUNT];
    stats_fill(&stats, WEFT_WARNING_HALVED, 2, 0.5, values);
    stats_add_head(&head, stats_names, STATS_COUNT);
    stats_add_row(&row, 3, 0.1, 0xabcdefu, values, STATS_COUNT);
    assert_int_equal(count(page_text(&head), ','), count(page_text(&row), ','));
    assert_int_equal(count(page_text(&head), ','), STATS_COUNT + 2);
    assert_memory_equal(page_text(&head), "frame,time_s,hash,nodes,", 24);
    assert_memory_equal(page_text(&row), "3,0.1,0000000000abcdef,64,", 26);
    assert_true(values[STATS_RESULT] == 1 && values[STATS_THREADS] == 2 && values[STATS_STORE] == 0.5);
    page_free(&head);
    page_free(&row);
}

static void unknown_numbers_are_empty_fields(void **state)
{
    (void)state;
    page row = {0};
    const double values[] = {(double)NAN, 1.5, (double)INFINITY};
    stats_add_row(&row, 0, 0, 1, values, 3);
    assert_string_equal(page_text(&row), "0,0,0000000000000001,,1.5,\n");
    page_free(&row);
}

static void numbers_read_back_as_the_same_doubles(void **state)
{
    (void)state;
    const double values[] = {0.1, 1.0 / 3, 1e-300, 123456789.123456789, -0.0, 5e-324, 1.7976931348623157e308};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        page p = {0};
        page_add_number(&p, values[i]);
        assert_true(strtod(page_text(&p), NULL) == values[i]);
        page_free(&p);
    }
    page p = {0};
    page_add_number(&p, (double)NAN);
    assert_string_equal(page_text(&p), "null");
    page_free(&p);
}

static void sums_leave_out_the_start_and_what_is_unknown(void **state)
{
    (void)state;
    const char *names[] = {"contacts", "nodes"};
    double times[] = {0, 1, 2, 3}, values[] = {100, 1, 2, 1, (double)NAN, 1, 5, 1};
    uint64_t hashes[] = {0, 1, 2, 3};
    stats_table t = {.n_frames = 4, .n_columns = 2, .names = names, .times = times, .hashes = hashes, .values = values};
    assert_true(stats_sum(&t, STATS_CONTACTS) == 7);
    assert_true(stats_max(&t, STATS_CONTACTS) == 5);
    assert_int_equal(stats_find(&t, STATS_NODES), 1);
    assert_int_equal(stats_find(&t, STATS_STRETCH), -1);
    assert_true(isnan(stats_at(&t, 1, STATS_STRETCH)));
    page csv = {0};
    stats_add_table(&csv, &t, 2);
    assert_string_equal(page_text(&csv), "frame,time_s,hash,contacts,nodes\n0,0,0000000000000000,100,1\n"
                                         "1,1,0000000000000001,2,1\n");
    page_free(&csv);
}

/* ---- stats.csv, read back ---------------------------------------------------------------------------------------- */

#define AUDIT_HEAD "frame,time_s,hash,contacts,intersecting_pairs\n"

/* What two frames know of contacts and intersections (unknown, unknown; 4, 0) after a text was recalled. */
static void recall(const char *csv, double out[4])
{
    const char *names[] = {"contacts", "intersecting_pairs"};
    double times[] = {0, 0.5}, values[] = {(double)NAN, (double)NAN, 4, 0};
    uint64_t hashes[] = {0xa, 0xb};
    stats_table t = {.n_frames = 2, .n_columns = 2, .names = names, .times = times, .hashes = hashes, .values = values};
    stats_recall(&t, csv);
    memcpy(out, values, sizeof values);
}

static void a_late_audit_is_recalled_from_the_file_and_nothing_else_is(void **state)
{
    (void)state;
    double v[4];
    recall(AUDIT_HEAD "0,0,000000000000000a,7,3\n1,0.5,000000000000000b,9,8\n", v);
    assert_true(v[1] == 3);                             /* was unknown */
    assert_true(isnan(v[0]) && v[2] == 4 && v[3] == 0); /* not of the audit; known already */
}

static void lines_of_other_frames_and_torn_ones_are_passed_over(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "",
        "frame,time_s,hash,contacts\n0,0,000000000000000a,7\n", /* other columns */
        AUDIT_HEAD,
        AUDIT_HEAD "0,0,000000000000000a,7,3",     /* no end */
        AUDIT_HEAD "0,0,000000000000000a,7\n",     /* too few fields */
        AUDIT_HEAD "0,0,000000000000000a,7,3,3\n", /* too many */
        AUDIT_HEAD "0,0,000000000000000c,7,3\n",   /* another state */
        AUDIT_HEAD "1,0,000000000000000a,7,3\n",   /* another frame */
        AUDIT_HEAD "0,0,000000000000000a,7,\n",    /* not known there, either */
        AUDIT_HEAD "0,0,0000",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        double v[4];
        recall(texts[i], v);
        assert_true(isnan(v[0]) && isnan(v[1]) && v[2] == 4 && v[3] == 0);
    }
}

/* ---- caches of older programs ------------------------------------------------------------------------------------ */

/* Whether a cache with these columns, and no frames, has the first ones of ours. */
static bool matches(const char *const *names, int32_t n)
{
    const char *tmp = getenv("TMPDIR");
    char path[PATH_ROOM];
    weft_error e = {.text = ""};
    weft_cache_writer *writer = NULL;
    weft_cache *cache = NULL;
    weft_cache_def def = weft_cache_def_default();
    def.fps = 60;
    def.n_columns = n;
    def.column_names = names;
    snprintf(path, sizeof path, "%s/weft_test_stats.weft", tmp ? tmp : "/tmp");
    if (weft_cache_create(path, &def, &writer, &e) < 0 || weft_cache_close(writer, &e) < 0 ||
        weft_cache_open(path, &cache, &e) < 0)
        fail_msg("%s", e.text);
    bool same = stats_match(cache);
    weft_cache_free(cache);
    remove(path);
    return same;
}

static void a_cache_with_fewer_columns_is_gone_on_with(void **state)
{
    (void)state;
    const char *other[] = {stats_names[0], stats_names[2]};
    assert_true(matches(stats_names, STATS_COUNT) && matches(stats_names, 53) && matches(stats_names, 0));
    assert_false(matches(other, 2) || matches(stats_names, STATS_COUNT + 1));
}

/* ---- the page ---------------------------------------------------------------------------------------------------- */

static const char intro[] =
    "# Statistics\n"
    "\n"
    "<!-- Made by test/tool/test_stats.c from the tables in weft/step_stats.h and tool/stats.h. It compares;\n"
    "     WEFT_UPDATE=1 writes this page anew. -->\n"
    "\n"
    "`weft_sim_step` tells what a step did in a `weft_step_stats`; `weft_step_stats_add` makes one of several steps,\n"
    "and so a frame has those of all its steps. A run keeps them with each frame of its cache and in `stats.csv`, a\n"
    "line a frame, in this order. Frame 0 is the start, of which little is known: what is not known is an empty\n"
    "field.\n"
    "\n"
    "Columns are best found by their names. They stay where they are, new ones come at the end. A run that an older\n"
    "program began goes on with the columns it has.\n"
    "\n"
    "Over the steps of a frame there is the **sum** of a statistic, its **largest** or **smallest** value, or the\n"
    "**last** one, at the end of the frame. A statistic without a field is the command's own.\n"
    "\n"
    "| column | field | unit | of a frame | meaning |\n"
    "|---|---|---|---|---|\n"
    "| `frame` |  |  |  | number of the frame |\n"
    "| `time_s` | `time` | s | last | of the simulation, at the frame's end |\n"
    "| `hash` |  |  |  | of the state, 16 hexadecimal digits: the same for the same bits |\n";

static void add_step_line(page *out, int32_t column)
{
    static const char *const words[] = {
        [WEFT_STAT_LAST] = "last", [WEFT_STAT_SUM] = "sum", [WEFT_STAT_MAX] = "largest", [WEFT_STAT_MIN] = "smallest"};
    int32_t n;
    const weft_stat *s = weft_step_stats_list(&n);
    while (strcmp(s->column, stats_names[column]) != 0)
        s++;
    page_add(out, "| `%s` | `%s` | %s | %s | %s |\n", s->column, s->name, s->unit, words[s->adds], s->text);
}

static void add_run_line(page *out, const char *column, const char *unit, const char *text)
{
    page_add(out, "| `%s` |  | %s |  | %s |\n", column, unit, text);
}

static void write_page(page *out)
{
#define STEP_LINE(id, field) add_step_line(out, STATS_##id);
#define RUN_LINE(id, column, unit, text) add_run_line(out, column, unit, text);
    page_add(out, "%s", intro);
    STATS_COLUMNS(STEP_LINE, RUN_LINE)
}

static void write_file(const char *path, const page *p)
{
    FILE *f = fopen(path, "wb");
    assert_non_null(f);
    fputs(page_text(p), f);
    assert_int_equal(fclose(f), 0);
}

static void docs_statistics_md_is_up_to_date(void **state)
{
    (void)state;
    static char found[1 << 16];
    char path[PATH_ROOM];
    page wanted = {0};
    write_page(&wanted);
    project_path("docs/statistics.md", path);
    if (getenv("WEFT_UPDATE"))
        write_file(path, &wanted);
    FILE *f = fopen(path, "rb");
    assert_non_null(f);
    found[fread(found, 1, sizeof found - 1, f)] = 0;
    fclose(f);
    if (strcmp(found, page_text(&wanted)) != 0)
        fail_msg("%s differs from the tables: run this test with WEFT_UPDATE=1", path);
    page_free(&wanted);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_column_has_a_name_of_its_own),
        cmocka_unit_test(columns_stay_where_they_are),
        cmocka_unit_test(every_statistic_of_a_step_reaches_its_column),
        cmocka_unit_test(rows_have_as_many_fields_as_the_head),
        cmocka_unit_test(unknown_numbers_are_empty_fields),
        cmocka_unit_test(numbers_read_back_as_the_same_doubles),
        cmocka_unit_test(sums_leave_out_the_start_and_what_is_unknown),
        cmocka_unit_test(a_late_audit_is_recalled_from_the_file_and_nothing_else_is),
        cmocka_unit_test(lines_of_other_frames_and_torn_ones_are_passed_over),
        cmocka_unit_test(a_cache_with_fewer_columns_is_gone_on_with),
        cmocka_unit_test(docs_statistics_md_is_up_to_date),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
