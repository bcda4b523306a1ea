/* SPDX-License-Identifier: MIT */
/* ctest: labels=threads */
#if !defined(_WIN32) && !defined(_POSIX_C_SOURCE)
#define _POSIX_C_SOURCE 200809L
#endif
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/clock.h"
#include "base/pool.h"

#if !defined(_WIN32) && !defined(WEFT_NO_THREADS)
#define HAVE_SIGNALS 1
#include <pthread.h>
#include <signal.h>
#else
#define HAVE_SIGNALS 0
#endif

enum { N_MAX = 1000 };

/* Plain, not atomic: two threads at one piece, or a caller that returns too early, are races the sanitizer sees. */
typedef struct tally {
    int32_t count[N_MAX];
    int32_t loop;
} tally;

static void tally_piece(void *context, int32_t i)
{
    tally *t = context;
    t->count[i] += t->loop;
}

static void expect_each_once(const tally *t, int32_t n, int32_t sum)
{
    for (int32_t i = 0; i < N_MAX; i++)
        assert_int_equal(t->count[i], i < n ? sum : 0);
}

static void busy(double seconds)
{
    double end = clock_seconds() + seconds;
    while (clock_seconds() < end) {
    }
}

static void every_piece_runs_once(void **state)
{
    (void)state;
    static const int32_t sizes[] = {0, 1, 2, 3, 7, 64, N_MAX};
    mem m;
    mem_init(&m, NULL, NULL);
    for (int32_t n_threads = 1; n_threads <= 5; n_threads++) {
        pool *p = pool_create(&m, n_threads, NULL, NULL);
        assert_non_null(p);
        for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
            tally t = {.loop = 1};
            pool_for(p, sizes[s], tally_piece, &t);
            expect_each_once(&t, sizes[s], 1);
        }
        pool_destroy(p);
    }
    assert_int_equal(m.in_use, 0);
}

/* A worker late from one loop must not take a piece of the next with the old function, context or count. Each loop has
 * its own context and count, so a mix-up would leave a wrong sum. */
static void loops_back_to_back_do_not_mix(void **state)
{
    (void)state;
    mem m;
    mem_init(&m, NULL, NULL);
    static tally t[2];
    memset(t, 0, sizeof t);
    static int32_t expected[2][N_MAX];
    memset(expected, 0, sizeof expected);
    pool *p = pool_create(&m, 4, NULL, NULL);
    assert_non_null(p);
    for (int32_t loop = 1; loop <= 20000; loop++) {
        int32_t n = 2 + loop * 7 % 11;
        t[loop & 1].loop = loop % 5;
        pool_for(p, n, tally_piece, &t[loop & 1]);
        for (int32_t i = 0; i < n; i++)
            expected[loop & 1][i] += loop % 5;
    }
    for (int k = 0; k < 2; k++)
        assert_memory_equal(t[k].count, expected[k], sizeof expected[k]);
    pool_destroy(p);
}

/* Pauses longer than the spinning, so that workers fall asleep now and then, at ever other moments. */
static void sleeping_workers_miss_nothing(void **state)
{
    (void)state;
    mem m;
    mem_init(&m, NULL, NULL);
    pool *p = pool_create(&m, 3, NULL, NULL);
    assert_non_null(p);
    tally t = {.loop = 1};
    for (int loop = 0; loop < 300; loop++) {
        busy(1e-6 * (double)(loop * 37 % 700));
        pool_for(p, 3, tally_piece, &t);
    }
    expect_each_once(&t, 3, 300);
    pool_destroy(p);
}

typedef struct handshake {
    _Atomic int32_t n_inside, most_inside;
} handshake;

/* Each piece waits until another one runs beside it, or a tenth of a second. */
static void meet(void *context, int32_t i)
{
    (void)i;
    handshake *h = context;
    int32_t inside = atomic_fetch_add(&h->n_inside, 1) + 1;
    if (inside > atomic_load(&h->most_inside))
        atomic_store(&h->most_inside, inside);
    double end = clock_seconds() + 0.1;
    while (atomic_load(&h->most_inside) < 2 && clock_seconds() < end) {
    }
    atomic_fetch_sub(&h->n_inside, 1);
}

static void pieces_run_at_the_same_time(void **state)
{
    (void)state;
    mem m;
    mem_init(&m, NULL, NULL);
    pool *p = pool_create(&m, 2, NULL, NULL);
    assert_non_null(p);
    handshake h = {0};
    for (int tries = 0; tries < 50 && pool_n_threads(p) > 1 && atomic_load(&h.most_inside) < 2; tries++)
        pool_for(p, 4, meet, &h);
    assert_int_equal(atomic_load(&h.most_inside) >= 2, pool_n_threads(p) >= 2);
    pool_destroy(p);
}

/* One piece is long, so that the caller runs out of work and sleeps until the worker is done, or the other way
 * round. */
static void uneven_piece(void *context, int32_t i)
{
    tally *t = context;
    if (i == t->loop % 2)
        busy(0.002);
    t->count[i]++;
}

static void a_caller_that_sleeps_is_woken(void **state)
{
    (void)state;
    mem m;
    mem_init(&m, NULL, NULL);
    pool *p = pool_create(&m, 2, NULL, NULL);
    assert_non_null(p);
    tally t = {.loop = 0};
    for (t.loop = 0; t.loop < 100; t.loop++)
        pool_for(p, 2, uneven_piece, &t);
    expect_each_once(&t, 2, 100);
    pool_destroy(p);
}

static void more_threads_than_cores_work(void **state)
{
    (void)state;
    mem m;
    mem_init(&m, NULL, NULL);
    pool *p = pool_create(&m, 16, NULL, NULL);
    assert_non_null(p);
    tally t = {.loop = 1};
    for (int loop = 0; loop < 200; loop++)
        pool_for(p, 100, tally_piece, &t);
    expect_each_once(&t, 100, 200);
    pool_destroy(p);
}

static void pools_come_and_go(void **state)
{
    (void)state;
    mem m;
    mem_init(&m, NULL, NULL);
    for (int round = 0; round < 200; round++) {
        pool *p = pool_create(&m, 1 + round % 4, NULL, NULL);
        assert_non_null(p);
        tally t = {.loop = 1};
        if (round % 3)
            pool_for(p, round % 9, tally_piece, &t);
        expect_each_once(&t, round % 3 ? round % 9 : 0, 1);
        pool_destroy(p);
    }
    pool_destroy(NULL);
    assert_int_equal(m.in_use, 0);
}

static void thread_counts_are_kept_in_bounds(void **state)
{
    (void)state;
    mem m;
    mem_init(&m, NULL, NULL);
    static const int32_t asked[] = {-3, 0, 1, 2};
    for (int i = 0; i < 4; i++) {
        pool *p = pool_create(&m, asked[i], NULL, NULL);
        assert_non_null(p);
        assert_in_range(pool_n_threads(p), 1, asked[i] == 0 ? 256 : asked[i] < 1 ? 1 : asked[i]);
        pool_destroy(p);
    }
}

static void loops_allocate_nothing(void **state)
{
    (void)state;
    mem m;
    mem_init(&m, NULL, NULL);
    pool *p = pool_create(&m, 2, NULL, NULL);
    assert_non_null(p);
    int64_t n_calls = m.n_calls;
    tally t = {.loop = 1};
    for (int i = 0; i < 100; i++)
        pool_for(p, 10, tally_piece, &t);
    assert_int_equal(m.n_calls, n_calls);
    pool_destroy(p);
}

/* Fails from the n-th request on. */
static void *failing_alloc(void *user, void *ptr, size_t old_size, size_t new_size)
{
    int *n_left = user;
    (void)old_size;
    if (new_size == 0) {
        free(ptr);
        return NULL;
    }
    return (*n_left)-- > 0 ? realloc(ptr, new_size) : NULL;
}

static void no_memory_means_no_pool_and_no_leak(void **state)
{
    (void)state;
    for (int n = 0; n < 5; n++) {
        int n_left = n;
        mem m;
        mem_init(&m, failing_alloc, &n_left);
        pool *p = pool_create(&m, 3, NULL, NULL);
        if (n == 0)
            assert_null(p);
        pool_destroy(p);
        assert_int_equal(m.in_use, 0);
    }
}

static void backwards_for(void *user, int32_t n, void (*run)(void *context, int32_t i), void *context)
{
    ++*(int *)user;
    for (int32_t i = n; i-- > 0;)
        run(context, i);
}

static void the_users_loop_is_used(void **state)
{
    (void)state;
    mem m;
    mem_init(&m, NULL, NULL);
    int n_loops = 0;
    pool *p = pool_create(&m, 8, backwards_for, &n_loops);
    assert_non_null(p);
    assert_int_equal(pool_n_threads(p), 1);
    tally t = {.loop = 1};
    pool_for(p, 50, tally_piece, &t);
    expect_each_once(&t, 50, 1);
    assert_int_equal(n_loops, 1);
    pool_destroy(p);
}

#if HAVE_SIGNALS

typedef struct mask_check {
    pthread_t caller;
    _Atomic int32_t n_workers, n_open;
} mask_check;

static void check_mask(void *context, int32_t i)
{
    (void)i;
    mask_check *c = context;
    busy(1e-4); /* long enough that workers get some */
    sigset_t mask;
    pthread_sigmask(SIG_SETMASK, NULL, &mask);
    if (pthread_equal(pthread_self(), c->caller))
        return;
    atomic_fetch_add(&c->n_workers, 1);
    if (!sigismember(&mask, SIGINT) || !sigismember(&mask, SIGALRM) || sigismember(&mask, SIGSEGV))
        atomic_fetch_add(&c->n_open, 1);
}

static void workers_take_no_signals_but_faults(void **state)
{
    (void)state;
    mem m;
    mem_init(&m, NULL, NULL);
    sigset_t before, after;
    pthread_sigmask(SIG_SETMASK, NULL, &before);
    pool *p = pool_create(&m, 2, NULL, NULL);
    assert_non_null(p);
    pthread_sigmask(SIG_SETMASK, NULL, &after);
    assert_int_equal(sigismember(&before, SIGINT), sigismember(&after, SIGINT));
    mask_check c = {.caller = pthread_self()};
    for (int tries = 0; tries < 100 && atomic_load(&c.n_workers) == 0; tries++)
        pool_for(p, 20, check_mask, &c);
    assert_true(atomic_load(&c.n_workers) > 0);
    assert_int_equal(atomic_load(&c.n_open), 0);
    pool_destroy(p);
}

#endif

static void nothing(void *context, int32_t i)
{
    (void)context;
    (void)i;
}

/* Printed, not judged: times on a shared machine prove nothing. */
static void print_cost_of_an_empty_loop(void **state)
{
    (void)state;
    mem m;
    mem_init(&m, NULL, NULL);
    for (int32_t n_threads = 1; n_threads <= 2; n_threads++) {
        pool *p = pool_create(&m, n_threads, NULL, NULL);
        assert_non_null(p);
        enum { N = 20000 };
        for (double end = clock_seconds() + 0.05; clock_seconds() < end;) /* until the worker is there */
            pool_for(p, 2, nothing, NULL);
        double start = clock_seconds();
        for (int i = 0; i < N; i++)
            pool_for(p, n_threads, nothing, NULL);
        printf("empty loop, %d threads: %.0f ns\n", (int)n_threads, 1e9 * (clock_seconds() - start) / N);
        pool_destroy(p);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_piece_runs_once),
        cmocka_unit_test(loops_back_to_back_do_not_mix),
        cmocka_unit_test(sleeping_workers_miss_nothing),
        cmocka_unit_test(pieces_run_at_the_same_time),
        cmocka_unit_test(a_caller_that_sleeps_is_woken),
        cmocka_unit_test(more_threads_than_cores_work),
        cmocka_unit_test(pools_come_and_go),
        cmocka_unit_test(thread_counts_are_kept_in_bounds),
        cmocka_unit_test(loops_allocate_nothing),
        cmocka_unit_test(no_memory_means_no_pool_and_no_leak),
        cmocka_unit_test(the_users_loop_is_used),
#if HAVE_SIGNALS
        cmocka_unit_test(workers_take_no_signals_but_faults),
#endif
        cmocka_unit_test(print_cost_of_an_empty_loop),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
