/* SPDX-License-Identifier: MIT */
/* Growable arrays: what is in them stays, sizes are checked, failures change nothing. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/array.h"

/* An allocator that can refuse. */
static void *refusing_alloc(void *user, void *ptr, size_t old_size, size_t new_size)
{
    (void)old_size;
    if (new_size == 0) {
        free(ptr);
        return NULL;
    }
    return *(bool *)user ? NULL : realloc(ptr, new_size);
}

static void what_was_pushed_is_there(void **state)
{
    (void)state;
    mem m;
    mem_init(&m, NULL, NULL);
    int32_t *items = NULL, n = 0;
    int64_t room = 0;
    for (int32_t i = 0; i < 10000; i++)
        assert_true(ARRAY_PUSH(&m, items, n, room, 3 * i));
    assert_int_equal(n, 10000);
    for (int32_t i = 0; i < n; i++)
        assert_int_equal(items[i], 3 * i);
    assert_int_equal(m.in_use, room * 4);
    MEM_FREE(&m, items, room);
    assert_int_equal(m.in_use, 0);
}

/* Each growth is by half: to come to n takes log(n / 8) / log 1.5 of them. */
static void pushing_moves_items_seldom(void **state)
{
    (void)state;
    mem m;
    mem_init(&m, NULL, NULL);
    char *items = NULL;
    int64_t n = 0, room = 0;
    for (int32_t i = 0; i < 1000000; i++)
        assert_true(ARRAY_PUSH(&m, items, n, room, 'x'));
    assert_in_range(m.n_calls, 1, 30); /* log(125000) / log 1.5 = 28.9, and the first */
    assert_true(room < 1500001);
    MEM_FREE(&m, items, room);
}

static void room_that_was_never_used_is_zero(void **state)
{
    (void)state;
    mem m;
    mem_init(&m, NULL, NULL);
    double *items = NULL;
    int64_t room = 0;
    assert_true(ARRAY_RESERVE(&m, items, room, 3) && room >= 3);
    for (int64_t i = 0; i < room; i++)
        assert_true(items[i] == 0);
    items[2] = 7;
    int64_t before = room;
    assert_true(ARRAY_RESERVE(&m, items, room, 1000) && room >= 1000);
    assert_true(items[2] == 7);
    for (int64_t i = before; i < room; i++)
        assert_true(items[i] == 0);
    MEM_FREE(&m, items, room);
}

static void what_fits_asks_for_nothing(void **state)
{
    (void)state;
    mem m;
    mem_init(&m, NULL, NULL);
    int32_t *items = NULL;
    int64_t room = 0;
    assert_true(ARRAY_RESERVE(&m, items, room, 0) && !items);
    assert_true(ARRAY_RESERVE_STEADY(&m, items, room, 1000));
    assert_int_equal(room, 1000 + 125 + 256);
    const int32_t *before = items;
    assert_true(ARRAY_RESERVE_STEADY(&m, items, room, 1381) && ARRAY_RESERVE(&m, items, room, 1381));
    assert_ptr_equal(items, before);
    assert_int_equal(m.n_calls, 1);
    MEM_FREE(&m, items, room);
}

static void without_memory_all_is_as_it_was(void **state)
{
    (void)state;
    bool refuse = false;
    mem m;
    mem_init(&m, refusing_alloc, &refuse);
    int32_t *items = NULL, n = 0;
    int64_t room = 0;
    for (int32_t i = 0; i < 8; i++)
        assert_true(ARRAY_PUSH(&m, items, n, room, i));
    refuse = true;
    const int32_t *before = items;
    assert_int_equal(room, 8);
    assert_false(ARRAY_PUSH(&m, items, n, room, 8));
    assert_false(ARRAY_RESERVE(&m, items, room, 9));
    assert_false(ARRAY_RESERVE_STEADY(&m, items, room, 9));
    assert_true(items == before && n == 8 && room == 8 && items[7] == 7);
    assert_int_equal(m.n_failed, 3);
    MEM_FREE(&m, items, room);
}

static void sizes_that_no_object_has_are_refused_without_asking(void **state)
{
    (void)state;
    mem m;
    mem_init(&m, NULL, NULL);
    double *items = NULL;
    int64_t room = 0;
    const int64_t wrong[] = {INT64_MAX, INT64_MAX / 2, INT64_MAX / 8 + 1, -1, INT64_MIN};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        assert_false(ARRAY_RESERVE(&m, items, room, wrong[i]));
        assert_false(ARRAY_RESERVE_STEADY(&m, items, room, wrong[i]));
    }
    assert_false(ARRAY_RESERVE(&m, items, room, SIZE_MAX));
    assert_true(!items && room == 0 && m.n_calls == 0);
}

/* No array of that size is needed to see it: there is room, but n could not count on. */
static void a_count_never_overflows(void **state)
{
    (void)state;
    char two[2] = "", *items = two;
    int32_t n = INT32_MAX;
    int64_t room = INT64_MAX;
    assert_false(ARRAY_PUSH(NULL, items, n, room, 'x'));
    assert_false(ARRAY_RESERVE_MORE(NULL, items, n, room, 1));
    n = INT32_MAX - 1;
    assert_true(ARRAY_RESERVE_MORE(NULL, items, n, room, 1));
    assert_false(ARRAY_RESERVE_MORE(NULL, items, n, room, 2));
    assert_true(items == two && n == INT32_MAX - 1);
}

static void without_a_mem_arrays_are_on_the_heap(void **state)
{
    (void)state;
    char *items = NULL;
    size_t n = 0;
    int64_t room = 0;
    for (int i = 0; i < 100; i++)
        assert_true(ARRAY_PUSH(NULL, items, n, room, (char)i));
    assert_true(n == 100 && items[99] == 99);
    free(items);
    items = NULL;
    assert_true(MEM_MAKE(NULL, items, 5) && items[4] == 0);
    MEM_FREE(NULL, items, 5);
    assert_null(items);
}

static void trimmed_arrays_have_no_room_to_spare(void **state)
{
    (void)state;
    mem m;
    mem_init(&m, NULL, NULL);
    void *items = NULL;
    int64_t room = 0;
    items = array_reserve(&m, items, &room, 100, 8);
    assert_true(items && room == 100);
    assert_true(array_trim(&m, &items, &room, 0, 8) && room == 100);
    assert_true(array_trim(&m, &items, &room, 60, 8) && room == 60);
    assert_int_equal(m.in_use, 480);
    mem_free(&m, items, room, 8);
    assert_int_equal(m.in_use, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_was_pushed_is_there),
        cmocka_unit_test(pushing_moves_items_seldom),
        cmocka_unit_test(room_that_was_never_used_is_zero),
        cmocka_unit_test(what_fits_asks_for_nothing),
        cmocka_unit_test(without_memory_all_is_as_it_was),
        cmocka_unit_test(sizes_that_no_object_has_are_refused_without_asking),
        cmocka_unit_test(a_count_never_overflows),
        cmocka_unit_test(without_a_mem_arrays_are_on_the_heap),
        cmocka_unit_test(trimmed_arrays_have_no_room_to_spare),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
