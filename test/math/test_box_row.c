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

typedef struct filled {
    box_row row;
    box boxes[3][BOX_KIND], whole;
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

static void fill(filled *f, double size)
{
    f->whole = box_empty();
    f->row.start[0] = 0;
    for (int kind = 0; kind < 3; kind++) {
        int most = kind == 0 ? BOX_FACES : BOX_KIND, n = (int)(random_step() * (most + 1));
        f->row.n[kind] = n;
        if (kind > 0)
            f->row.start[kind] = f->row.start[kind - 1] + ((f->row.n[kind - 1] + 7) & ~7);
        for (int i = 0; i < n; i++) {
            f->boxes[kind][i] = random_box(size);
            f->whole = box_union(&f->whole, &f->boxes[kind][i]);
        }
        for (int i = 0; i < n; i += 4) {
            const box *four[4];
            for (int j = 0; j < 4; j++)
                four[j] = &f->boxes[kind][i + j < n ? i + j : n - 1];
            box_row_set_four(&f->row, f->row.start[kind] + i, four);
        }
    }
}

static uint32_t near_by_hand(const filled *f, int kind, const box *whole)
{
    uint32_t bits = 0;
    for (int i = 0; i < f->row.n[kind]; i++)
        bits |= (uint32_t)box_overlap(&f->boxes[kind][i], whole) << i;
    return bits;
}

static void expect_kinds(const filled *p, int p_kind, uint32_t p_near, const filled *q, int q_kind, uint32_t q_near,
                         float slack, const uint32_t *hits, const uint32_t *sure)
{
    for (int i = 0; i < p->row.n[p_kind]; i++) {
        if (!(p_near >> i & 1))
            continue;
        for (int j = 0; j < q->row.n[q_kind]; j++) {
            int how = box_overlap_by(&p->boxes[p_kind][i], &q->boxes[q_kind][j], slack);
            assert_int_equal(hits[i] >> j & 1, how > 0 && q_near >> j & 1);
            if (how > 0)
                assert_int_equal(sure[i] >> j & 1, how == 2);
        }
        assert_int_equal(hits[i] >> q->row.n[q_kind], 0);
    }
}

static void expect_meetings(const filled *p, const filled *q, float slack, const box_meetings *m)
{
    uint64_t faces = 0;
    for (int kind = 0; kind < 3; kind++) {
        assert_int_equal(m->near_p[kind], near_by_hand(p, kind, &q->whole));
        assert_int_equal(m->near_q[kind], near_by_hand(q, kind, &p->whole));
    }
    for (int i = 0; i < p->row.n[0]; i++)
        for (int j = 0; j < q->row.n[0]; j++)
            faces |= (uint64_t)box_overlap(&p->boxes[0][i], &q->boxes[0][j]) << (BOX_FACES * i + j);
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
    box_meetings m;
    memset(&p, 0, sizeof p);
    memset(&q, 0, sizeof q);
    for (int run = 0; run < 5000; run++) {
        double size = run % 3 == 0 ? 1 : 0.25;
        float slack = run % 2 ? 0.03125f : 0;
        fill(&p, size);
        fill(&q, size);
        box_rows_meet(&p.row, &p.whole, &q.row, &q.whole, slack, &m);
        expect_meetings(&p, &q, slack, &m);
        box_rows_meet_plain(&p.row, &p.whole, &q.row, &q.whole, slack, &m);
        expect_meetings(&p, &q, slack, &m);
    }
}

static void boxes_that_just_touch_meet(void **unused)
{
    (void)unused;
    box a = {{0, 0, 0, 0}, {-1, -1, -1, -BOX_FAR}}, b = {{1, 0, 0, 0}, {-2, -1, -1, -BOX_FAR}};
    filled p = {0}, q = {0};
    box_meetings m;
    p.row.n[0] = q.row.n[0] = 1;
    p.row.start[1] = p.row.start[2] = q.row.start[1] = q.row.start[2] = 8;
    box_row_set_four(&p.row, 0, (const box *const[4]){&a, &a, &a, &a});
    box_row_set_four(&q.row, 0, (const box *const[4]){&b, &b, &b, &b});
    box_rows_meet(&p.row, &a, &q.row, &b, 0, &m);
    assert_true(m.faces == 1);
    box_rows_meet_plain(&p.row, &a, &q.row, &b, 0, &m);
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
