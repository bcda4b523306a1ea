/* SPDX-License-Identifier: MIT */
/* ctest: labels=slow timeout=1800 */
/* links: gmp */
/* All pairs of a cloth on a ball (in the folder of data) whose boxes over two frames meet: the kernel finds every
 * contact. With WEFT_LONG in the environment each candidate is decided by exact arithmetic as well. */
#include "ccd_pairs.h"
#include "contact/ccd_exact.h"
#include "data_file.h"
#include "inclusion.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <cmocka.h>

static ccd_frames frames;

static int read_frames(void **state)
{
    (void)state;
    char before[PATH_ROOM], after[PATH_ROOM];
    weft_error e;
    if (!data_file("ccd/cloth_ball92.ply", before) || !data_file("ccd/cloth_ball93.ply", after))
        return 0;
    if (ccd_frames_read(before, after, &frames, &e) < 0)
        fail_msg("%s", e.text);
    return 0;
}

static int free_frames(void **state)
{
    (void)state;
    ccd_frames_free(&frames);
    return 0;
}

static bool ask(bool edges, const weft_vec3 x0[4], const weft_vec3 x1[4], weft_ccd_hit *hit)
{
    return edges ? weft_ccd_edge_edge(x0, x1, 0, hit) : weft_ccd_vertex_triangle(x0, x1, 0, hit);
}

static void check_exactly(bool edges, const ccd_pairs *pairs, int n_meet)
{
    int meet = 0, misses = 0, late = 0;
    for (int64_t i = 0; i < pairs->n; i++) {
        weft_vec3 x0[4], x1[4];
        weft_ccd_hit hit = {.time_lower = 0};
        ccd_pairs_corners(&frames, edges, pairs->items[i], x0, x1);
        bool answer = ask(edges, x0, x1, &hit);
        if (!answer && ccd_exact_is_apart(edges, x0, x1))
            continue;
        ccd_exact_answer exact = ccd_exact(edges, x0, x1, hit.time_lower);
        meet += exact.meet;
        misses += exact.meet && !answer;
        late += exact.before;
    }
    printf("exactly %d meet; %d missed, %d before time_lower\n", meet, misses, late);
    assert_int_equal(meet, n_meet);
    assert_int_equal(misses, 0);
    assert_int_equal(late, 0);
}

static void check_pairs(bool edges, int64_t n_candidates, int n_meet)
{
    if (frames.n_nodes == 0)
        skip();
    ccd_pairs pairs;
    assert_true(ccd_pairs_find(&frames, edges, &pairs));
    assert_int_equal(pairs.n, n_candidates);
    int hits = 0;
    clock_t start = clock();
    for (int64_t i = 0; i < pairs.n; i++) {
        weft_vec3 x0[4], x1[4];
        weft_ccd_hit hit;
        ccd_pairs_corners(&frames, edges, pairs.items[i], x0, x1);
        hits += ask(edges, x0, x1, &hit);
    }
    double us = 1e6 * (double)(clock() - start) / CLOCKS_PER_SEC / (double)pairs.n;
    printf("%lld candidates, %d hits, %.3f us each\n", (long long)pairs.n, hits, us);
    /* Without misses the hits are those that meet and the false alarms: 0 and 2. */
    assert_in_range(hits, n_meet, n_meet + 20);
#ifdef NDEBUG
    assert_true(us <= 0.5);
#endif
    if (getenv("WEFT_LONG"))
        check_exactly(edges, &pairs, n_meet);
    ccd_pairs_free(&pairs);
}

static void vertices_meet_triangles_of_a_cloth_on_a_ball(void **state)
{
    (void)state;
    check_pairs(false, 1655541, 19032);
}

static void edges_meet_in_a_cloth_on_a_ball(void **state)
{
    (void)state;
    check_pairs(true, 5197332, 94822);
}

/* What the bench compares with has to be right as well. */
static void plain_inclusion_finds_what_meets(void **state)
{
    (void)state;
    const weft_vec3 fall[8] = {{0.25, 0.25, 1},  {0, 0, 0}, {1, 0, 0}, {0, 1, 0},
                               {0.25, 0.25, -3}, {0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    const weft_vec3 pass[8] = {{0.51, 0.51, 1},  {0, 0, 0}, {1, 0, 0}, {0, 1, 0},
                               {0.51, 0.51, -3}, {0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    const weft_vec3 cross[8] = {{-1, 0, -1}, {3, 0, -1}, {0, -1, 0}, {0, 3, 0},
                                {-1, 0, 1},  {3, 0, 1},  {0, -1, 0}, {0, 3, 0}};
    double time;
    assert_true(inclusion_meet(false, fall, fall + 4, 1e-6, &time));
    assert_true(time <= 0.25 && time >= 0.25 - 1e-6);
    assert_false(inclusion_meet(false, pass, pass + 4, 1e-6, &time));
    assert_true(inclusion_meet(true, cross, cross + 4, 1e-6, &time));
    assert_true(time <= 0.5 && time >= 0.5 - 1e-6);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plain_inclusion_finds_what_meets),
        cmocka_unit_test(vertices_meet_triangles_of_a_cloth_on_a_ball),
        cmocka_unit_test(edges_meet_in_a_cloth_on_a_ball),
    };
    return cmocka_run_group_tests(tests, read_frames, free_frames);
}
