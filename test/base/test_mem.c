/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/error.h"
#include "base/mem.h"

/* An allocator that writes down its calls, fills new memory with rubbish, and can refuse. */
typedef struct ledger {
    size_t bytes;
    size_t last_old, last_new;
    int n_calls;
    bool refuse;
} ledger;

static void *ledger_alloc(void *user, void *ptr, size_t old_size, size_t new_size)
{
    ledger *l = user;
    l->n_calls++;
    l->last_old = old_size;
    l->last_new = new_size;
    if (new_size == 0) {
        l->bytes -= old_size;
        free(ptr);
        return NULL;
    }
    if (l->refuse)
        return NULL;
    char *p = realloc(ptr, new_size);
    if (p && new_size > old_size)
        memset(p + old_size, 0xA5, new_size - old_size);
    if (p)
        l->bytes += new_size - old_size;
    return p;
}

static void arrays_are_zeroed(void **state)
{
    (void)state;
    ledger l = {0};
    mem m;
    mem_init(&m, ledger_alloc, &l);
    int32_t *a;
    assert_true(MEM_MAKE(&m, a, 1000));
    for (int i = 0; i < 1000; i++)
        assert_int_equal(a[i], 0);
    MEM_FREE(&m, a, 1000);
    assert_null(a);
    assert_int_equal(l.bytes, 0);
}

static void default_allocator_works(void **state)
{
    (void)state;
    mem m;
    mem_init(&m, NULL, NULL);
    double *a;
    assert_true(MEM_MAKE(&m, a, 10));
    a[9] = 3.0;
    double *b = mem_resized(&m, a, 10, 20, sizeof *b);
    assert_non_null(b);
    assert_true(b[9] == 3.0 && b[10] == 0.0 && b[19] == 0.0);
    MEM_FREE(&m, b, 20);
    assert_int_equal(m.in_use, 0);
    assert_int_equal(m.peak, 160);
    assert_int_equal(m.n_calls, 2);
}

static void an_array_of_nothing_is_null_but_no_failure(void **state)
{
    (void)state;
    ledger l = {0};
    mem m;
    mem_init(&m, ledger_alloc, &l);
    double *a;
    assert_true(MEM_MAKE(&m, a, 0));
    assert_null(a);
    MEM_FREE(&m, a, 0);
    assert_int_equal(l.n_calls, 0);
}

static void sizes_that_overflow_are_refused_without_asking(void **state)
{
    (void)state;
    ledger l = {0};
    mem m;
    mem_init(&m, ledger_alloc, &l);
    assert_null(mem_array(&m, -1, 8));
    assert_null(mem_array(&m, INT64_MIN, 8));
    assert_null(mem_array(&m, INT64_MAX, 8));
    assert_null(mem_array(&m, (int64_t)1 << 61, 8)); /* the product is 2⁶⁴, 0 in size_t */
    assert_null(mem_array(&m, ((int64_t)1 << 61) + 1, 8));
    assert_null(mem_array(&m, 2, SIZE_MAX));
    assert_null(mem_array(&m, 2, SIZE_MAX / 2 + 1));
    assert_null(mem_array(&m, 1, (size_t)PTRDIFF_MAX + 1));
    assert_null(mem_array(&m, 1, 0));
    assert_int_equal(l.n_calls, 0);
    assert_int_equal(m.n_calls, 0);
    assert_int_equal(m.in_use, 0);
}

static void resizing_keeps_what_fits_and_zeroes_the_rest(void **state)
{
    (void)state;
    ledger l = {0};
    mem m;
    mem_init(&m, ledger_alloc, &l);
    int32_t *a;
    assert_true(MEM_MAKE(&m, a, 3));
    for (int i = 0; i < 3; i++)
        a[i] = i + 1;
    a = mem_resized(&m, a, 3, 6, sizeof *a);
    assert_non_null(a);
    const int32_t grown[] = {1, 2, 3, 0, 0, 0};
    assert_memory_equal(a, grown, sizeof grown);
    a = mem_resized(&m, a, 6, 2, sizeof *a);
    assert_non_null(a);
    assert_true(a[0] == 1 && a[1] == 2);
    assert_int_equal(l.bytes, 8);
    assert_int_equal(m.in_use, 8);
    MEM_FREE(&m, a, 2);
    assert_int_equal(l.bytes, 0);
}

static void a_failed_resize_leaves_the_block(void **state)
{
    (void)state;
    ledger l = {0};
    mem m;
    mem_init(&m, ledger_alloc, &l);
    int32_t *a;
    assert_true(MEM_MAKE(&m, a, 2));
    a[1] = 7;
    l.refuse = true;
    assert_null(mem_resized(&m, a, 2, 4, sizeof *a));
    assert_null(mem_resized(&m, a, 2, INT64_MAX, sizeof *a));
    assert_null(mem_resized(&m, a, 2, 0, sizeof *a)); /* would free it */
    assert_null(mem_resized(&m, a, 2, -1, sizeof *a));
    assert_int_equal(a[1], 7);
    assert_int_equal(m.in_use, 8);
    MEM_FREE(&m, a, 2);
}

static void frees_tell_the_size(void **state)
{
    (void)state;
    ledger l = {0};
    mem m;
    mem_init(&m, ledger_alloc, &l);
    double *a;
    assert_true(MEM_MAKE(&m, a, 5));
    MEM_FREE(&m, a, 5);
    assert_int_equal(l.last_old, 40);
    assert_int_equal(l.last_new, 0);
    assert_int_equal(m.n_calls, 1); /* frees do not count */
}

static void peak_is_the_largest_use(void **state)
{
    (void)state;
    mem m;
    mem_init(&m, NULL, NULL);
    char *a, *b;
    assert_true(MEM_MAKE(&m, a, 100));
    assert_true(MEM_MAKE(&m, b, 50));
    MEM_FREE(&m, a, 100);
    assert_int_equal(m.in_use, 50);
    assert_int_equal(m.peak, 150);
    MEM_FREE(&m, b, 50);
}

static void error_set_fills_the_error_and_returns_the_code(void **state)
{
    (void)state;
    weft_error e;
    assert_int_equal(error_set(&e, WEFT_ERROR_INDEX, 3, "face %d of %s", 3, "sheet"), WEFT_ERROR_INDEX);
    assert_int_equal(e.code, WEFT_ERROR_INDEX);
    assert_int_equal(e.element, 3);
    assert_string_equal(e.text, "face 3 of sheet");
    assert_int_equal(error_set(NULL, WEFT_ERROR_MASS, 3, "nobody reads this"), WEFT_ERROR_MASS);
    assert_int_equal(error_memory(&e), WEFT_ERROR_MEMORY);
    assert_string_equal(e.text, "out of memory");
    assert_int_equal(e.element, -1);
}

static void error_texts_may_be_wrapped(void **state)
{
    (void)state;
    weft_error e;
    error_set(&e, WEFT_ERROR_RANGE, -1, "inner");
    error_set(&e, e.code, e.element, "outer: %s", e.text);
    assert_string_equal(e.text, "outer: inner");
}

static void long_error_texts_are_cut_between_characters(void **state)
{
    (void)state;
    char euros[800]; /* longer than a text may be */
    weft_error e;
    for (size_t lead = 0; lead < 4; lead++) {
        size_t n = 0;
        while (n < lead)
            euros[n++] = 'x';
        while (n + 4 < sizeof euros) {
            memcpy(euros + n, "€", 3);
            n += 3;
        }
        euros[n] = '\0';
        error_set(&e, WEFT_ERROR_ARGUMENT, -1, "%s", euros);
        size_t length = strlen(e.text);
        assert_int_equal((length - lead) % 3, 0);
        assert_true(length > sizeof e.text - 4 && length < sizeof e.text);
    }
    memset(euros, 'a', sizeof euros - 1);
    euros[sizeof euros - 1] = '\0';
    error_set(&e, WEFT_ERROR_ARGUMENT, -1, "%s", euros);
    assert_int_equal(strlen(e.text), sizeof e.text - 1);
}

static void every_result_has_its_own_name(void **state)
{
    (void)state;
    for (int a = WEFT_ERROR_BUSY; a <= WEFT_WARNING_STRETCHED; a++) {
        assert_string_not_equal(weft_result_name((weft_result)a), "unknown result");
        for (int b = WEFT_ERROR_BUSY; b < a; b++)
            assert_string_not_equal(weft_result_name((weft_result)a), weft_result_name((weft_result)b));
    }
    assert_string_equal(weft_result_name((weft_result)12), "unknown result");
    assert_string_equal(weft_result_name(WEFT_ERROR_INDEX), "index out of range");
}

static void version_is_that_of_the_header(void **state)
{
    (void)state;
    weft_error e;
    error_set(&e, WEFT_OK, -1, "%d.%d.%d", WEFT_VERSION_MAJOR, WEFT_VERSION_MINOR, WEFT_VERSION_PATCH);
    assert_string_equal(weft_version(), e.text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arrays_are_zeroed),
        cmocka_unit_test(default_allocator_works),
        cmocka_unit_test(an_array_of_nothing_is_null_but_no_failure),
        cmocka_unit_test(sizes_that_overflow_are_refused_without_asking),
        cmocka_unit_test(resizing_keeps_what_fits_and_zeroes_the_rest),
        cmocka_unit_test(a_failed_resize_leaves_the_block),
        cmocka_unit_test(frees_tell_the_size),
        cmocka_unit_test(peak_is_the_largest_use),
        cmocka_unit_test(error_set_fills_the_error_and_returns_the_code),
        cmocka_unit_test(error_texts_may_be_wrapped),
        cmocka_unit_test(long_error_texts_are_cut_between_characters),
        cmocka_unit_test(every_result_has_its_own_name),
        cmocka_unit_test(version_is_that_of_the_header),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
