/* SPDX-License-Identifier: MIT */
/* ctest: labels=slow timeout=3600 */
/* links: gmp */
/* The kernel against exact arithmetic: 10^7 random, 10^6 nearly degenerate and 10^6 rounded queries with WEFT_LONG in
 * the environment, else some hundredths of that. A "no" of the kernel is held against the exact answer unless whole
 * numbers plainly show it; a "yes" is looked at for its time, and is counted where the exact answer is no. */
#include "contact/ccd_exact.h"

#include "data_file.h"

#include <weft/ccd.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* ---- random numbers ---------------------------------------------------------------------------------------------- */

static uint64_t seed;

static uint64_t next_bits(void)
{
    seed += 0x9e3779b97f4a7c15u; /* splitmix64: Steele, Lea, Flood 2014 */
    uint64_t z = seed;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

static int below(int n)
{
    return (int)(next_bits() % (uint64_t)n);
}

/* Whole, of magnitude up to `most`. */
static double some_whole(int most)
{
    return (double)(below(2 * most + 1) - most);
}

static vec3 some_point(int most)
{
    double x = some_whole(most), y = some_whole(most);
    return v3(x, y, some_whole(most));
}

/* ---- queries ----------------------------------------------------------------------------------------------------- */

/* x[0..3] at 0, x[4..7] at 1; whole coordinates. */
typedef struct query {
    bool edges;
    vec3 x[8];
    int most; /* of the coordinates' magnitude, if it is up to 2^16 */
} query;

static void random_query(query *q)
{
    static const int sizes[] = {3, 7, 30, 1000, 58000};
    q->edges = below(2);
    q->most = sizes[below(5)];
    for (int i = 0; i < 8; i++)
        q->x[i] = some_point(q->most);
    /* Half of them move little. */
    for (int i = 0; i < 4 && next_bits() % 2; i++)
        q->x[4 + i] = v3_add(q->x[i], some_point(q->most / 8 + 1));
    q->most += q->most / 8 + 1;
}

static void make_flat(query *q)
{
    vec3 slope = some_point(2);
    for (int i = 0; i < 8; i++)
        q->x[i].z = slope.x * q->x[i].x + slope.y * q->x[i].y + slope.z;
}

static void make_parallel(query *q)
{
    for (int end = 0; end < 8; end += 4)
        q->x[end + 3] = v3_madd(q->x[end + 2], some_whole(2), v3_sub(q->x[end + 1], q->x[end]));
}

static void make_equal(query *q)
{
    for (int k = below(3); k >= 0; k--)
        q->x[below(8)] = q->x[below(8)];
}

static void make_still(query *q)
{
    for (int i = 0; i < 4; i++)
        if (below(4) > 0)
            q->x[4 + i] = q->x[i];
}

/* In touch at ½, at a point of either primitive, and then moved a little at the ends: ±1 where all else is in
 * hundreds or much more. */
static void make_touching(query *q)
{
    vec3 c[4], d[4];
    for (int i = 0; i < 4; i++) {
        c[i] = v3_scale(4, some_point(20));
        d[i] = some_point(40);
    }
    double s = below(5), r = q->edges ? below(5) : below(5 - (int)s);
    if (q->edges)
        c[3] = v3_zero();
    vec3 first = q->edges ? v3_madd(v3_scale((4 - s) / 4, c[0]), s / 4, c[1]) : c[0];
    vec3 second = q->edges ? v3_scale((4 - r) / 4, c[2])
                           : v3_madd(v3_madd(v3_scale((4 - s - r) / 4, c[1]), s / 4, c[2]), r / 4, c[3]);
    vec3 shift = v3_sub(first, second);
    for (int i = q->edges ? 2 : 1; i < 4; i++)
        c[i] = v3_add(c[i], shift);
    double unit = below(2) ? 1 : (double)(1ull << (1 + below(30)));
    int jitter = below(3);
    for (int i = 0; i < 4; i++) {
        q->x[i] = v3_add(v3_scale(unit, v3_sub(c[i], d[i])), some_point(jitter));
        q->x[4 + i] = v3_add(v3_scale(unit, v3_add(c[i], d[i])), some_point(jitter));
    }
    q->most = unit > 1 ? INT32_MAX : 400;
}

static void degenerate_query(query *q)
{
    q->edges = below(2);
    q->most = 1 + below(4);
    for (int i = 0; i < 8; i++)
        q->x[i] = some_point(q->most);
    int kind = below(8);
    if (kind == 0 || kind == 5)
        make_flat(q);
    if (kind == 1 || kind == 6)
        make_parallel(q);
    if (kind == 2 || kind == 5 || kind == 6)
        make_equal(q);
    if (kind == 3)
        make_still(q);
    if (kind == 4 || kind == 7)
        make_touching(q);
    else
        q->most = 100;
}

static vec3 some_vector(double half)
{
    double x[3];
    for (int k = 0; k < 3; k++)
        x[k] = half * ((double)(next_bits() >> 11) * 0x1p-52 - 1);
    return v3(x[0], x[1], x[2]);
}

/* Any doubles, made to touch at a random time in a corner, on an edge or inside: what rounding leaves of that is a
 * contact or a near miss by some 1e-16, as chance will have it. Some are small and far from the origin. */
static void rounded_query(query *q)
{
    q->edges = below(2);
    q->most = INT32_MAX;
    for (int i = 0; i < 8; i++)
        q->x[i] = some_vector(1);
    double t = some_vector(0.5).x + 0.5, s = below(3) * 0.5,
           r = q->edges ? below(3) * 0.5 : below(3 - (int)(2 * s)) * 0.5;
    if (below(2))
        s *= 0.7;
    vec3 p[4];
    for (int i = 0; i < 4; i++)
        p[i] = v3_madd(v3_scale(1 - t, q->x[i]), t, q->x[4 + i]);
    vec3 first = q->edges ? v3_madd(v3_scale(1 - s, p[0]), s, p[1]) : p[0];
    vec3 second = q->edges ? v3_madd(v3_scale(1 - r, p[2]), r, p[3])
                           : v3_madd(v3_madd(v3_scale(1 - s - r, p[1]), s, p[2]), r, p[3]);
    vec3 shift = v3_sub(second, first), far = some_vector(below(2) ? 0 : 4000);
    double size = below(2) ? 1 : 0x1p-7;
    for (int i = 0; i < 8; i++) {
        vec3 x = i % 4 < (q->edges ? 2 : 1) ? v3_add(q->x[i], shift) : q->x[i];
        q->x[i] = v3_madd(far, size, x);
    }
}

/* ---- comparing --------------------------------------------------------------------------------------------------- */

typedef struct tally {
    int64_t n, hits, exact, misses, late, false_alarms;
} tally;

static bool ask(const query *q, double scale, weft_ccd_hit *hit)
{
    vec3 x[8];
    for (int i = 0; i < 8; i++)
        x[i] = v3_scale(scale, q->x[i]);
    return q->edges ? weft_ccd_edge_edge(x, x + 4, 0, hit) : weft_ccd_vertex_triangle(x, x + 4, 0, hit);
}

static void complain(const char *what, const query *q)
{
    printf("%s, %s:", what, q->edges ? "edges" : "vertex and triangle");
    for (int i = 0; i < 8; i++)
        printf(" (%.17g, %.17g, %.17g)", q->x[i].x, q->x[i].y, q->x[i].z);
    printf("\n");
}

/* Answers do not depend on a power of two that all coordinates are multiplied with. */
static void check_query(const query *q, bool check_hits, tally *t)
{
    weft_ccd_hit hit = {.time_lower = 0};
    bool answer = ask(q, 0x1p-20, &hit);
    t->n++;
    t->hits += answer;
    if (answer && !check_hits)
        return;
    if (!answer && q->most <= 65536 && ccd_exact_is_plainly_apart(q->edges, q->x, q->x + 4))
        return;
    ccd_exact_answer exact = ccd_exact(q->edges, q->x, q->x + 4, hit.time_lower);
    t->exact++;
    if (exact.meet && !answer) {
        t->misses++;
        complain("missed", q);
    }
    if (answer && exact.before) {
        t->late++;
        complain("met before time_lower", q);
    }
    t->false_alarms += answer && !exact.meet;
}

static void report(const char *name, const tally *t)
{
    printf("%s: %lld queries, %lld hits, %lld compared exactly: %lld misses, %lld too late, %lld false alarms\n", name,
           (long long)t->n, (long long)t->hits, (long long)t->exact, (long long)t->misses, (long long)t->late,
           (long long)t->false_alarms);
    assert_int_equal(t->misses, 0);
    assert_int_equal(t->late, 0);
}

static int64_t many(int64_t in_long_tests, int64_t else_one_in)
{
    return getenv("WEFT_LONG") ? in_long_tests : in_long_tests / else_one_in;
}

static void random_motion_is_never_missed(void **state)
{
    (void)state;
    tally t = {0};
    query q;
    seed = 1;
    for (int64_t i = many(10000000, 200); i > 0; i--) {
        random_query(&q);
        check_query(&q, i % 16 == 0, &t);
    }
    report("random", &t);
    assert_true(t.hits > t.n / 100);
    assert_true(t.false_alarms * 1000 <= t.hits);
}

static void degenerate_motion_is_never_missed(void **state)
{
    (void)state;
    tally t = {0};
    query q;
    seed = 2;
    for (int64_t i = many(1000000, 200); i > 0; i--) {
        degenerate_query(&q);
        check_query(&q, true, &t);
    }
    report("degenerate", &t);
    assert_true(t.hits > t.n / 20);
}

static void rounded_contacts_are_never_missed(void **state)
{
    (void)state;
    tally t = {0};
    query q;
    seed = 3;
    for (int64_t i = many(1000000, 250); i > 0; i--) {
        rounded_query(&q);
        check_query(&q, i % 4 == 0, &t);
    }
    report("rounded", &t);
    assert_true(t.hits > t.n / 2);
}

/* ---- the handcrafted queries ------------------------------------------------------------------------------------- */

static void exact_answers_are_those_of_the_handcrafted_sets(void **state)
{
    (void)state;
    for (int edges = 0; edges < 2; edges++) {
        char path[PATH_ROOM];
        if (!data_file(edges ? "ccd/handcrafted_ee.bin" : "ccd/handcrafted_vf.bin", path))
            skip();
        FILE *file = fopen(path, "rb");
        assert_non_null(file);
        unsigned char record[200];
        int step = getenv("WEFT_LONG") ? 1 : 8, wrong = 0;
        for (int i = 0; fread(record, sizeof record, 1, file) == 1; i++) {
            vec3 x[8];
            memcpy(x, record, sizeof x);
            if (i % step == 0)
                wrong += ccd_exact(edges, x, x + 4, 0).meet != (record[192] == 1);
        }
        fclose(file);
        assert_int_equal(wrong, 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(exact_answers_are_those_of_the_handcrafted_sets),
        cmocka_unit_test(random_motion_is_never_missed),
        cmocka_unit_test(degenerate_motion_is_never_missed),
        cmocka_unit_test(rounded_contacts_are_never_missed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
