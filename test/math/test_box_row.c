/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "math/box_row.h"

static uint64_t state = 12345;

/* In [0, 1), a multiple of 1/64 so that boxes often just touch. */
static double random_step(void)
{
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (double)(state >> 58) / 64;
}

/* At the start and at the end. */
typedef struct filled {
    box_row row[2];
    box boxes[3][BOX_KIND][2], whole[2];
    int n_times;
} filled;

/* Boxes of exact floats, for touching to be touching. */
static box random_box(double size)
{
    float lo[3], hi[3];
    for (int k = 0; k < 3; k++) {
        lo[k] = (float)random_step();
        hi[k] = lo[k] + (float)(size * random_step());
    }
    return (box){{lo[0], lo[1], lo[2], 0}, {-hi[0], -hi[1], -hi[2], -BOX_FAR}};
}

static void fill_time(filled *f, int time, const int n[3], double size)
{
    box_row *row = &f->row[time];
    f->whole[time] = box_empty();
    row->start[0] = 0;
    for (int kind = 0; kind < 3; kind++) {
        row->n[kind] = n[kind];
        if (kind > 0)
            row->start[kind] = row->start[kind - 1] + ((n[kind - 1] + 7) & ~7);
        for (int i = 0; i < n[kind]; i++) {
            f->boxes[kind][i][time] = random_box(size);
            f->whole[time] = box_union(&f->whole[time], &f->boxes[kind][i][time]);
        }
        for (int i = 0; i < n[kind]; i += 4) {
            const box *four[4];
            for (int j = 0; j < 4; j++)
                four[j] = &f->boxes[kind][i + j < n[kind] ? i + j : n[kind] - 1][time];
            box_row_set_simd4(row, row->start[kind] + i, four);
        }
    }
}

static void fill(filled *f, int n_times, double size)
{
    int n[3];
    for (int kind = 0; kind < 3; kind++)
        n[kind] = (int)(random_step() * ((kind == 0 ? BOX_FACES : BOX_KIND) + 1));
    f->n_times = n_times;
    for (int time = 0; time < n_times; time++)
        fill_time(f, time, n, size);
}

static box_side side_of(const filled *f)
{
    if (f->n_times == 1)
        return (box_side){&f->row[0], NULL, &f->whole[0], NULL};
    return (box_side){&f->row[0], &f->row[1], &f->whole[0], &f->whole[1]};
}

/* As box_overlap_by: by the axis along which they are apart most, at the time when they are so less. */
static int overlap_by(const box *a, const box *b, int n_times, float slack)
{
    float most = -1;
    for (int k = 0; k < 3; k++)
        for (int side = 0; side < 2; side++) {
            float least = 10;
            for (int time = 0; time < n_times; time++) {
                float gap = side ? a[time].lo[k] + b[time].top[k] : b[time].lo[k] + a[time].top[k];
                least = gap < least ? gap : least;
            }
            most = least > most ? least : most;
        }
    return most > 0 ? 0 : most > -slack ? 1 : 2;
}

static uint32_t near_by_hand(const filled *f, int kind, const box *whole)
{
    uint32_t bits = 0;
    for (int i = 0; i < f->row[0].n[kind]; i++)
        bits |= (uint32_t)(overlap_by(f->boxes[kind][i], whole, f->n_times, 0) > 0) << i;
    return bits;
}

static void expect_kinds(const filled *p, int p_kind, uint32_t p_near, const filled *q, int q_kind, uint32_t q_near,
                         float slack, const uint32_t *hits, const uint32_t *sure)
{
    for (int i = 0; i < p->row[0].n[p_kind]; i++) {
        if (!(p_near >> i & 1))
            continue;
        for (int j = 0; j < q->row[0].n[q_kind]; j++) {
            int how = overlap_by(p->boxes[p_kind][i], q->boxes[q_kind][j], p->n_times, slack);
            if (p->n_times == 1)
                assert_int_equal(how, box_overlap_by(p->boxes[p_kind][i], q->boxes[q_kind][j], slack));
            else
                assert_int_equal(how > 0, box_ends_overlap(&p->boxes[p_kind][i][0], &p->boxes[p_kind][i][1],
                                                           &q->boxes[q_kind][j][0], &q->boxes[q_kind][j][1]));
            assert_int_equal(hits[i] >> j & 1, how > 0 && q_near >> j & 1);
            if (how > 0)
                assert_int_equal(sure[i] >> j & 1, how == 2);
        }
        assert_int_equal(hits[i] >> q->row[0].n[q_kind], 0);
    }
}

static void expect_overlaps(const filled *p, const filled *q, float slack, const box_overlaps *m)
{
    uint64_t faces = 0;
    for (int kind = 0; kind < 3; kind++) {
        assert_int_equal(m->near_p[kind], near_by_hand(p, kind, q->whole));
        assert_int_equal(m->near_q[kind], near_by_hand(q, kind, p->whole));
    }
    for (int i = 0; i < p->row[0].n[0]; i++)
        for (int j = 0; j < q->row[0].n[0]; j++)
            faces |= (uint64_t)(overlap_by(p->boxes[0][i], q->boxes[0][j], p->n_times, 0) > 0) << (BOX_FACES * i + j);
    assert_true(m->faces == faces);
    if (faces == 0)
        return;
    expect_kinds(p, 1, m->near_p[1], q, 0, m->near_q[0], slack, m->hits[0], m->sure[0]);
    expect_kinds(q, 1, m->near_q[1], p, 0, m->near_p[0], slack, m->hits[1], m->sure[1]);
    expect_kinds(p, 2, m->near_p[2], q, 2, m->near_q[2], slack, m->hits[2], m->sure[2]);
}

static void rows_meet_where_their_boxes_overlap(void **unused)
{
    (void)unused;
    filled p, q;
    box_overlaps m;
    memset(&p, 0, sizeof p);
    memset(&q, 0, sizeof q);
    for (int run = 0; run < 5000; run++) {
        double size = run % 3 == 0 ? 1 : 0.25;
        float slack = run % 2 ? 0.03125f : 0;
        fill(&p, 1 + run % 4 / 2, size);
        fill(&q, 1 + run % 4 / 2, size);
        const box_side p_side = side_of(&p), q_side = side_of(&q);
        box_rows_overlap(&p_side, &q_side, slack, &m);
        expect_overlaps(&p, &q, slack, &m);
        box_rows_overlap_plain(&p_side, &q_side, slack, &m);
        expect_overlaps(&p, &q, slack, &m);
    }
}

static void boxes_that_just_touch_meet(void **unused)
{
    (void)unused;
    box a = {{0, 0, 0, 0}, {-1, -1, -1, -BOX_FAR}}, b = {{1, 0, 0, 0}, {-2, -1, -1, -BOX_FAR}};
    box_row p = {.n = {1}, .start = {0, 8, 8}}, q = p;
    box_overlaps m;
    box_row_set_simd4(&p, 0, (const box *const[4]){&a, &a, &a, &a});
    box_row_set_simd4(&q, 0, (const box *const[4]){&b, &b, &b, &b});
    box_rows_overlap(&(box_side){.row = &p, .whole = &a}, &(box_side){.row = &q, .whole = &b}, 0, &m);
    assert_true(m.faces == 1);
    box_rows_overlap_plain(&(box_side){.row = &p, .whole = &a}, &(box_side){.row = &q, .whole = &b}, 0, &m);
    assert_true(m.faces == 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_meet_where_their_boxes_overlap),
        cmocka_unit_test(boxes_that_just_touch_meet),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
