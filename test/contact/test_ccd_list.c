/* SPDX-License-Identifier: MIT */
/* links: gmp */
/* Lists of pairs against the kernel for one pair, and where they differ against exact arithmetic. */
#include "contact/ccd/ccd_simd8.h"
#include "contact/ccd_exact.h"
#include "contact/dice.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { PAIRS = 4001, NODES = 4 * PAIRS };

/* Pairs of their own nodes, all small and somewhere in a cube. */
typedef struct list {
    bool edges;
    vec3 x0[NODES], x1[NODES];
    weft_ccd_place places[NODES];
    int32_t primitives[3 * NODES], pairs[2 * PAIRS];
    int64_t found[PAIRS];
} list;

typedef enum kind { ANY, FLAT, PARALLEL, STILL, WHOLE, TOUCHING, N_KINDS } kind;

/* The first point of the first primitive ends where one of the second does. */
static void collider_contacts(list *l, int i)
{
    l->x1[4 * i] = l->x1[4 * i + 2];
}

static void degenerate(list *l, int i, kind k)
{
    vec3 *x0 = &l->x0[4 * i], *x1 = &l->x1[4 * i];
    for (int c = 0; c < 4; c++) {
        if (k == FLAT)
            x0[c].z = x1[c].z = x0[0].z;
        else if (k == STILL)
            x1[c] = x0[c];
        else if (k == WHOLE)
            x0[c] = v3(rint(x0[c].x), rint(x0[c].y), rint(x0[c].z)),
            x1[c] = v3(rint(x1[c].x), rint(x1[c].y), rint(x1[c].z));
    }
    if (k == PARALLEL) {
        x0[3] = v3_add(x0[2], v3_sub(x0[1], x0[0]));
        x1[3] = v3_add(x1[2], v3_sub(x1[1], x1[0]));
    } else if (k == TOUCHING) {
        collider_contacts(l, i);
    }
}

static list *make(bool edges, double way)
{
    list *l = calloc(1, sizeof *l);
    assert_non_null(l);
    l->edges = edges;
    for (int i = 0; i < PAIRS; i++) {
        vec3 at = in_cube(100), shift = in_cube(way);
        for (int c = 0; c < 4; c++) {
            l->x0[4 * i + c] = v3_add(at, in_cube(2));
            l->x1[4 * i + c] = v3_add(v3_add(l->x0[4 * i + c], in_cube(way)), c < 2 ? shift : v3_zero());
            if (edges || c > 0)
                l->primitives[edges ? 4 * i + c : 3 * i + c - 1] = 4 * i + c;
        }
        l->pairs[2 * i] = edges ? 2 * i : 4 * i;
        l->pairs[2 * i + 1] = edges ? 2 * i + 1 : i;
        degenerate(l, i, (kind)(i % N_KINDS));
    }
    return l;
}

static bool ask(const list *l, int i, double thickness)
{
    return l->edges ? weft_ccd_edge_edge(&l->x0[4 * i], &l->x1[4 * i], thickness, NULL)
                    : weft_ccd_vertex_triangle(&l->x0[4 * i], &l->x1[4 * i], thickness, NULL);
}

static int64_t find(list *l, double thickness)
{
    weft_ccd_motion m = weft_ccd_motion_of(NODES, l->x0, l->x1, l->places);
    return l->edges ? weft_ccd_find_edge_edge(&m, l->primitives, l->pairs, PAIRS, thickness, l->found)
                    : weft_ccd_find_vertex_triangle(&m, l->primitives, l->pairs, PAIRS, thickness, l->found);
}

/* The answers are the kernel's; a hit that the list lacks would have to be a false alarm by exact arithmetic. */
static int64_t compare(list *l, double thickness)
{
    int64_t n = find(l, thickness), at = 0;
    for (int i = 0; i < PAIRS; i++) {
        bool found = at < n && l->found[at] == i, hit = ask(l, i, thickness);
        at += found;
        if (found != hit) {
            assert_true(hit);
            assert_true(thickness == 0 && !ccd_exact(l->edges, &l->x0[4 * i], &l->x1[4 * i], 0).meet);
        }
    }
    assert_int_equal(at, n);
    return n;
}

static void lists_answer_as_the_kernel_does(void **state)
{
    (void)state;
    static const double ways[] = {0.01, 0.3, 2, 20}, thick[] = {0, 1e-9, 1e-3, 0.2, 50};
    for (int k = 0; k < 2 * 4; k++) {
        list *l = make(k % 2, ways[k / 2]);
        for (int t = 0; t < 5; t++) {
            int64_t n = compare(l, thick[t]);
            assert_true(n > PAIRS / 20);
        }
        free(l);
    }
}

static void what_lists_leave_out_does_not_meet_exactly(void **state)
{
    (void)state;
    for (int k = 0; k < 4; k++) {
        list *l = make(k % 2, k < 2 ? 0.3 : 2);
        int64_t n = find(l, 0), at = 0, false_alarms = 0;
        for (int i = 0; i < PAIRS; i++) {
            bool found = at < n && l->found[at] == i;
            at += found;
            bool meet = ccd_exact(l->edges, &l->x0[4 * i], &l->x1[4 * i], 0).meet;
            assert_true(found || !meet);
            false_alarms += found && !meet;
        }
        assert_true(false_alarms <= PAIRS / 100);
        free(l);
    }
}

/* The verdicts of a kernel on all pairs of a list. */
static void judge(const list *l, const weft_ccd_motion *m, const ccd_simd8 *kernel, uint8_t verdicts[PAIRS])
{
    static ccd_block b;
    const ccd_list in = {m->places, 0, 1.0f / 256, l->primitives, l->pairs, PAIRS};
    memset(verdicts, CCD_APART, PAIRS);
    b.list = &in;
    for (int64_t from = 0; from < PAIRS;) {
        int64_t end = kernel->sift[l->edges](&b, from);
        kernel->judge[l->edges](&b);
        assert_true(end > from && end <= PAIRS);
        for (int i = 0; i < b.n; i++) {
            assert_in_range(b.pair[i], from, end - 1);
            verdicts[b.pair[i]] = b.verdict[i];
        }
        from = end;
    }
}

/* What is proven to meet does; most of what is apart is told by floats. */
static void floats_tell_most_pairs_and_none_wrongly(void **state)
{
    (void)state;
    static uint8_t plain[PAIRS], best[PAIRS];
    for (int k = 0; k < 4; k++) {
        list *l = make(k % 2, k < 2 ? 2 : 5);
        int told = 0, meet = 0;
        weft_ccd_motion m = weft_ccd_motion_of(NODES, l->x0, l->x1, l->places);
        assert_true(m.scale > 0);
        judge(l, &m, &ccd_simd8_plain, plain);
        judge(l, &m, ccd_simd8_best(), best);
        assert_memory_equal(plain, best, sizeof plain);
        for (int i = 0; i < PAIRS; i++) {
            told += plain[i] != CCD_OPEN;
            meet += plain[i] == CCD_MEET;
            if (plain[i] != CCD_OPEN)
                assert_int_equal(ccd_exact(l->edges, &l->x0[4 * i], &l->x1[4 * i], 0).meet, plain[i] == CCD_MEET);
        }
        printf("%s: %d of %d told, of them %d meet\n", l->edges ? "edges" : "triangles", told, PAIRS, meet);
        assert_true(2 * told > PAIRS);
        assert_true(meet > 0);
        free(l);
    }
}

/* A block is not cleared: what stands behind its last pair is of nobody, and would lead far out of the places. */
static void fewer_than_eight_pairs_are_judged_without_reading_behind_them(void **state)
{
    (void)state;
    static ccd_block b;
    list *l = make(false, 5);
    weft_ccd_motion m = weft_ccd_motion_of(NODES, l->x0, l->x1, l->places);
    for (int n = 1; n < 8; n++) {
        const ccd_list in = {m.places, 0, 1.0f / 256, l->primitives, l->pairs, PAIRS};
        memset(&b, 0x5f, sizeof b);
        b.list = &in;
        b.n = n;
        for (int i = 0; i < n; i++)
            for (int k = 0; k < 4; k++)
                b.node[i][k] = 4 * i + k;
        ccd_simd8_best()->judge[0](&b);
        for (int i = 0; i < n; i++)
            assert_true(b.verdict[i] <= CCD_OPEN);
    }
    free(l);
}

static void what_is_not_finite_or_has_no_size_is_left_to_the_kernel(void **state)
{
    (void)state;
    static const double odd[] = {(double)NAN, HUGE_VAL, -HUGE_VAL, 1e200};
    list *l = make(true, 0.3);
    for (int i = 0; i < 4; i++) {
        l->x1[4 * 17 + 1].y = odd[i];
        assert_true(weft_ccd_motion_of(NODES, l->x0, l->x1, l->places).scale == 0);
    }
    l->x1[4 * 17 + 1].y = (double)NAN;
    compare(l, 0);
    memset(l->x0, 0, sizeof l->x0);
    memset(l->x1, 0, sizeof l->x1);
    assert_int_equal(compare(l, 0), PAIRS);
    assert_true(weft_ccd_motion_of(0, NULL, NULL, NULL).scale == 0);
    free(l);
}

static void scale_and_place_of_the_world_do_not_matter(void **state)
{
    (void)state;
    list *l = make(true, 0.3);
    for (int i = 0; i < NODES; i++) {
        l->x0[i] = v3_add(v3_scale(0x1p-40, l->x0[i]), v3(1, -3, 2));
        l->x1[i] = v3_add(v3_scale(0x1p-40, l->x1[i]), v3(1, -3, 2));
    }
    compare(l, 0);
    for (int i = 0; i < NODES; i++) {
        l->x0[i] = v3_scale(1e60, l->x0[i]);
        l->x1[i] = v3_scale(1e60, l->x1[i]);
    }
    compare(l, 0);
    free(l);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(lists_answer_as_the_kernel_does, start_dice),
        cmocka_unit_test_setup(what_lists_leave_out_does_not_meet_exactly, start_dice),
        cmocka_unit_test_setup(floats_tell_most_pairs_and_none_wrongly, start_dice),
        cmocka_unit_test_setup(fewer_than_eight_pairs_are_judged_without_reading_behind_them, start_dice),
        cmocka_unit_test_setup(what_is_not_finite_or_has_no_size_is_left_to_the_kernel, start_dice),
        cmocka_unit_test_setup(scale_and_place_of_the_world_do_not_matter, start_dice),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
