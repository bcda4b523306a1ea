/* SPDX-License-Identifier: MIT */
/* A pattern widened by couplings is the one that all of it would have made at once; one half mirrors the other. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "solve/blockmat.h"

enum { ROWS = 60, PLAIN = 90, EXTRA = 40 };

typedef struct cliques {
    clique items[PLAIN + EXTRA];
} cliques;

static int32_t roll(uint32_t *seed, int32_t n)
{
    *seed = *seed * 1664525u + 1013904223u;
    return (int32_t)((*seed >> 8) % (uint32_t)n);
}

static void make_cliques(cliques *c, uint32_t seed)
{
    for (int i = 0; i < PLAIN + EXTRA; i++) {
        c->items[i].n = i < PLAIN ? 3 : 2;
        for (int k = 0; k < c->items[i].n; k++) /* neighbours by number; contacts anywhere */
            c->items[i].row[k] = i < PLAIN ? (i + roll(&seed, 5)) % ROWS : roll(&seed, ROWS);
    }
}

static void next_clique(const void *context, int32_t i, clique *c)
{
    *c = ((const cliques *)context)->items[i];
}

static void assert_same_pattern(const blockmat *a, const blockmat *b)
{
    assert_int_equal(a->n, b->n);
    assert_int_equal(a->n_blocks, b->n_blocks);
    assert_memory_equal(a->before, b->before, (ROWS + 1) * sizeof *a->before);
    assert_memory_equal(a->after, b->after, (ROWS + 1) * sizeof *a->after);
    assert_memory_equal(a->col, b->col, (size_t)a->n_blocks * sizeof *a->col);
    assert_memory_equal(a->mirror, b->mirror, (size_t)a->n_blocks / 2 * sizeof *a->mirror);
}

static bool is_extra(const cliques *c, int32_t i, int32_t j)
{
    bool is = false;
    for (int k = PLAIN; k < PLAIN + EXTRA; k++) {
        const int32_t *row = c->items[k].row;
        is = is || (row[0] == i && row[1] == j) || (row[0] == j && row[1] == i);
    }
    return is;
}

/* The extra ones that p lacks, per row. */
static void couplings_of(const cliques *c, const sparsity *p, sparsity *out)
{
    int32_t n = 0;
    for (int32_t i = 0; i < ROWS; i++) {
        out->start[i] = n;
        for (int32_t j = 0; j < ROWS; j++)
            if (i != j && is_extra(c, i, j) && !sparsity_has(p, i, j))
                out->col[n++] = j;
    }
    out->start[ROWS] = n;
}

static void widened_pattern_is_that_of_everything(void **state)
{
    (void)state;
    mem m;
    mem_init(&m, NULL, NULL);
    pool *threads = pool_create(&m, 2, NULL, NULL);
    assert_non_null(threads);
    for (uint32_t seed = 1; seed <= 50; seed++) {
        cliques c;
        blockmat a, whole, plain;
        sparsity p;
        int32_t start[ROWS + 1] = {0}, col[2 * EXTRA], empty[ROWS + 1] = {0};
        sparsity extra = {ROWS, start, col}, none = {ROWS, empty, col};
        make_cliques(&c, seed);
        assert_true(blockmat_create(&a, &m, ROWS, PLAIN, next_clique, &c));
        assert_true(blockmat_create(&plain, &m, ROWS, PLAIN, next_clique, &c));
        assert_true(blockmat_create(&whole, &m, ROWS, PLAIN + EXTRA, next_clique, &c));
        assert_true(blockmat_sparsity(&p, &m, &a));
        couplings_of(&c, &p, &extra);
        assert_true(blockmat_widen(&a, &m, threads, &p, &extra));
        assert_same_pattern(&a, &whole);
        assert_true(blockmat_widen(&a, &m, threads, &p, &none));
        assert_same_pattern(&a, &plain);
        sparsity_destroy(&p, &m);
        blockmat_destroy(&a, &m);
        blockmat_destroy(&whole, &m);
        blockmat_destroy(&plain, &m);
    }
    pool_destroy(threads);
    assert_int_equal(m.in_use, 0);
}

enum { SPOKES = 700 }; /* more than what a small number can name */

static void next_spoke(const void *context, int32_t i, clique *c)
{
    (void)context;
    *c = (clique){2, {0, i + 1}};
}

static void a_row_of_many_blocks_is_mirrored(void **state)
{
    (void)state;
    mem m;
    blockmat a;
    mem_init(&m, NULL, NULL);
    pool *p = pool_create(&m, 1, NULL, NULL);
    arena scratch;
    arena_init(&scratch, &m);
    assert_true(p && blockmat_create(&a, &m, SPOKES + 1, SPOKES, next_spoke, NULL) && blockmat_take(&a, &scratch));
    blockmat_clear(&a, p);
    for (int32_t j = 1; j <= SPOKES; j++) {
        mat3 b;
        for (int k = 0; k < 9; k++)
            b.m[k] = 9 * j + k;
        blockmat_add(&a, 0, j, 1, &b);
    }
    blockmat_finish(&a, p);
    for (int32_t j = 1; j <= SPOKES; j++)
        for (int k = 0; k < 9; k++) { /* column by column */
            assert_true(a.val[9 * blockmat_find(&a, 0, j) + k] == (float)(9 * j + 3 * (k % 3) + k / 3));
            assert_true(a.val[9 * blockmat_find(&a, j, 0) + k] == (float)(9 * j + k));
        }
    blockmat_destroy(&a, &m);
    arena_destroy(&scratch);
    pool_destroy(p);
    assert_int_equal(m.in_use, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(widened_pattern_is_that_of_everything),
        cmocka_unit_test(a_row_of_many_blocks_is_mirrored),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
