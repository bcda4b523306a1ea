/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/arena.h"

typedef struct scarce {
    int64_t left; /* calls until there is no memory */
} scarce;

static void *scarce_alloc(void *user, void *ptr, size_t old_size, size_t new_size)
{
    scarce *s = user;
    (void)old_size;
    if (new_size == 0) {
        free(ptr);
        return NULL;
    }
    return s->left-- > 0 ? realloc(ptr, new_size) : NULL;
}

typedef struct bench {
    scarce scarce;
    mem mem;
    arena arena;
} bench;

static void set_up(bench *b, int64_t calls)
{
    b->scarce.left = calls;
    mem_init(&b->mem, scarce_alloc, &b->scarce);
    arena_init(&b->arena, &b->mem);
}

static void tear_down(bench *b)
{
    arena_destroy(&b->arena);
    assert_int_equal(b->mem.in_use, 0);
}

static void fill(void *p, int value, int64_t bytes)
{
    assert_non_null(p);
    assert_int_equal((uintptr_t)p % 64, 0);
    memset(p, value, (size_t)bytes);
}

static void assert_filled(const void *p, int value, int64_t bytes)
{
    for (int64_t i = 0; i < bytes; i++)
        assert_int_equal(((const unsigned char *)p)[i], value);
}

static void what_was_taken_stays_while_more_is(void **state)
{
    (void)state;
    enum { N = 200 };
    bench b;
    char *p[N];
    set_up(&b, INT64_MAX);
    for (int i = 0; i < N; i++) {
        p[i] = arena_take(&b.arena, 1 + 37 * i);
        fill(p[i], i, 1 + 37 * i);
    }
    for (int i = 0; i < N; i++)
        assert_filled(p[i], i, 1 + 37 * i);
    assert_null(arena_take(&b.arena, 0));
    tear_down(&b);
}

static void released_memory_is_taken_again(void **state)
{
    (void)state;
    bench b;
    set_up(&b, INT64_MAX);
    char *below = arena_take(&b.arena, 100);
    arena_mark m = arena_mark_of(&b.arena);
    char *first = arena_take(&b.arena, 1000);
    arena_take(&b.arena, 100000);
    arena_release(&b.arena, m);
    assert_ptr_equal(arena_take(&b.arena, 1000), first);
    fill(below, 1, 100);
    fill(first, 2, 1000);
    assert_filled(below, 1, 100);
    tear_down(&b);
}

/* Phases of random sizes: those that have been seen once call no allocator. */
static void the_same_takes_again_call_no_allocator(void **state)
{
    (void)state;
    bench b;
    set_up(&b, INT64_MAX);
    for (uint32_t seed = 1; seed <= 100; seed++) {
        int64_t n_calls = 0, size = 0;
        for (int round = 0; round < 3; round++) {
            uint32_t random = seed;
            arena_mark start = arena_mark_of(&b.arena), middle = start;
            for (int i = 0; i < 40; i++) {
                random = random * 1664525u + 1013904223u;
                fill(arena_take(&b.arena, 1 + random % 5000), i, 1 + random % 5000);
                if (i == 10)
                    middle = arena_mark_of(&b.arena);
                if (i > 10 && random >> 30 == 0)
                    arena_release(&b.arena, middle);
            }
            arena_release(&b.arena, start);
            if (round > 0)
                assert_true(b.mem.n_calls == n_calls && b.mem.in_use == size);
            n_calls = b.mem.n_calls;
            size = b.mem.in_use;
        }
    }
    tear_down(&b);
}

static void a_reserve_is_one_block_that_takes_fit_into(void **state)
{
    (void)state;
    bench b;
    set_up(&b, INT64_MAX);
    fill(arena_take(&b.arena, 500), 1, 500); /* another block, which goes */
    arena_release(&b.arena, (arena_mark){0});
    assert_true(arena_reserve(&b.arena, arena_rounded(1000) + arena_rounded(77)));
    int64_t n_calls = b.mem.n_calls;
    for (int round = 0; round < 2; round++) {
        char *p = arena_take(&b.arena, 1000);
        fill(p, 1, 1000);
        assert_ptr_equal(arena_take(&b.arena, 77), p + arena_rounded(1000));
        arena_release(&b.arena, (arena_mark){0});
    }
    assert_true(arena_reserve(&b.arena, 900));
    assert_int_equal(b.mem.n_calls, n_calls);
    assert_true(b.mem.in_use < 1024 + 128 + 200);
    tear_down(&b);
}

static void the_last_that_was_taken_may_grow(void **state)
{
    (void)state;
    bench b;
    set_up(&b, INT64_MAX);
    char *p = arena_extend(&b.arena, NULL, 0, 10);
    fill(p, 7, 10);
    for (int64_t n = 10; n < 100000; n *= 3) {
        p = arena_extend(&b.arena, p, n, 3 * n);
        assert_filled(p, 7, n);
        fill(p, 7, 3 * n);
    }
    tear_down(&b);
}

static void without_memory_nothing_is_lost(void **state)
{
    (void)state;
    bench b;
    set_up(&b, 1);
    char *p = arena_take(&b.arena, 100);
    fill(p, 3, 100);
    assert_null(arena_take(&b.arena, 1000));
    assert_null(arena_extend(&b.arena, p, 100, 1000));
    assert_filled(p, 3, 100);
    arena_release(&b.arena, (arena_mark){0});
    assert_ptr_equal(arena_take(&b.arena, 100), p);
    arena_release(&b.arena, (arena_mark){0});
    assert_false(arena_reserve(&b.arena, 1000));
    assert_null(arena_take(&b.arena, 1));
    assert_null(arena_take(&b.arena, INT64_MAX));
    tear_down(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_was_taken_stays_while_more_is),
        cmocka_unit_test(released_memory_is_taken_again),
        cmocka_unit_test(the_same_takes_again_call_no_allocator),
        cmocka_unit_test(a_reserve_is_one_block_that_takes_fit_into),
        cmocka_unit_test(the_last_that_was_taken_may_grow),
        cmocka_unit_test(without_memory_nothing_is_lost),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
