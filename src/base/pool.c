/* SPDX-License-Identifier: MIT */
/* Worker threads, made once, and one parallel loop at a time.
 *
 * The idea: each thread, the caller's too, has a share of the pieces, a range. It takes them from its front, and when
 * it has none left from the end of another's. To take one is to make a range shorter by one, with compare-and-swap.
 * Shares are the same parts of every loop: what a thread has written in one loop it mostly reads in the next, out of
 * its own cache. `unfinished` counts the pieces whose work is not over; the caller returns when it is 0. The solver
 * makes thousands of loops of some 2–200 µs per step, so both sides look for a while (POOL_SPINS) before they sleep.
 *
 * Invariants
 * 1. run and context are written only while unfinished = 0, so all ranges are empty: nobody can take a piece then. They
 *    are read only by one who has taken a piece and not yet reported it. So they need not be atomic, and a worker that
 *    comes late cannot mix up two loops: whatever it manages to take belongs to the loop that is running.
 * 2. A worker reports its pieces of a loop together, when it finds none left; the next loop cannot start before that.
 * 3. No work depends on a worker's waking: the caller would do it all. Sleep is safe by the order of two pairs of
 *    sequentially consistent accesses: the sleeper writes "I sleep" and then reads the counter (of loops, or of what is
 *    unfinished), the other side changes the counter and then reads "sleeps". One of them sees the other. */
#if !defined(_WIN32) && !defined(_POSIX_C_SOURCE)
#define _POSIX_C_SOURCE 200809L
#define _DARWIN_C_SOURCE /* else macOS hides _SC_NPROCESSORS_ONLN */
#endif

#if defined(_WIN32) && !defined(WEFT_NO_THREADS)
#define WIN32_LEAN_AND_MEAN
#include <windows.h>
#undef MEM_FREE /* also a macro of ours */
#endif

#include "base/pool.h"

static void run_all(int32_t n, pool_fn run, void *context)
{
    for (int32_t i = 0; i < n; i++)
        run(context, i);
}

#ifdef WEFT_NO_THREADS

struct pool {
    mem *m;
    weft_parallel_for_fn user_for;
    void *user;
};

static bool start_workers(pool *p, int32_t n_threads)
{
    (void)p;
    (void)n_threads;
    return true;
}

static void stop_workers(pool *p)
{
    (void)p;
}

int32_t pool_n_threads(const pool *p)
{
    (void)p;
    return 1;
}

static void run_shared(pool *p, int32_t n, pool_fn run, void *context)
{
    (void)p;
    run_all(n, run, context);
}

#else

#include <pthread.h>
#include <stdatomic.h>

#ifndef _WIN32
#include <signal.h>
#include <unistd.h>
#endif

enum {
    POOL_MOST_THREADS = 256,
    POOL_CACHE_LINE = 64, /* bytes of a cache line: counters that different threads write are kept this far apart */
    /* Looks before sleeping. A pause is 5 to 50 ns, so this is 20 to 200 µs: about one loop of the solver, which is
     * also what falling asleep and being woken costs. */
    POOL_SPINS = 4000
};

/* Of one thread: pieces [range >> 32, range & 0xffffffff). */
typedef struct share {
    struct pool *pool;
    _Atomic uint64_t range;
    char apart[POOL_CACHE_LINE - sizeof(void *) - sizeof(uint64_t)];
} share;

struct pool {
    mem *m;
    weft_parallel_for_fn user_for;
    void *user;
    pthread_t *threads;
    share *shares;              /* n_asked + 1; the first is the caller's */
    int32_t n_asked, n_workers; /* length of threads; how many of them run */
    bool has_locks;
    pthread_mutex_t lock;
    pthread_cond_t work_came, work_done;

    pool_fn run;
    void *context;
    char apart_1[POOL_CACHE_LINE];
    _Atomic uint32_t n_loops; /* that were started */
    char apart_2[POOL_CACHE_LINE];
    _Atomic int32_t unfinished;
    char apart_3[POOL_CACHE_LINE];
    _Atomic int32_t n_sleeping;    /* workers; changed under lock */
    _Atomic int32_t caller_sleeps; /* changed under lock */
    _Atomic int32_t quit;
};

static void pause_briefly(void)
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__) || defined(__arm__)
    __asm__ volatile("yield");
#endif
}

static uint64_t range_of(int32_t begin, int32_t end)
{
    return (uint64_t)(uint32_t)begin << 32 | (uint32_t)end;
}

/* Takes a piece of a share, the first or the last: its number, or -1 if none is left. */
static int32_t claim_piece(share *s, bool first)
{
    uint64_t range = atomic_load_explicit(&s->range, memory_order_relaxed);
    for (;;) {
        int32_t begin = (int32_t)(range >> 32), end = (int32_t)(range & UINT32_MAX);
        if (begin >= end)
            return -1;
        uint64_t less = first ? range_of(begin + 1, end) : range_of(begin, end - 1);
        if (atomic_compare_exchange_weak_explicit(&s->range, &range, less, memory_order_acquire, memory_order_relaxed))
            return first ? begin : end - 1;
    }
}

/* All that is left of a share. Returns how many that were. */
static int32_t run_share(pool *p, share *s, bool own)
{
    int32_t n_done = 0;
    for (int32_t i = claim_piece(s, own); i >= 0; i = claim_piece(s, own)) {
        p->run(p->context, i);
        n_done++;
    }
    return n_done;
}

/* The own share, then those of the others, from the next one on. */
static int32_t run_claimed(pool *p, int32_t own)
{
    int32_t n_done = run_share(p, &p->shares[own], true);
    for (int32_t k = 1; k <= p->n_workers; k++)
        n_done += run_share(p, &p->shares[(own + k) % (p->n_workers + 1)], false);
    return n_done;
}

/* Invariants 2 and 3. */
static void report_done(pool *p, int32_t n_done)
{
    if (atomic_fetch_sub(&p->unfinished, n_done) != n_done || !atomic_load(&p->caller_sleeps))
        return;
    pthread_mutex_lock(&p->lock);
    pthread_cond_signal(&p->work_done);
    pthread_mutex_unlock(&p->lock);
}

static bool is_called(pool *p, uint32_t n_seen)
{
    return atomic_load(&p->n_loops) != n_seen || atomic_load(&p->quit);
}

/* For a loop that has started since n_seen was read. */
static void await_work(pool *p, uint32_t n_seen)
{
    for (int spin = 0; spin < POOL_SPINS; spin++) {
        if (is_called(p, n_seen))
            return;
        pause_briefly();
    }
    pthread_mutex_lock(&p->lock);
    atomic_fetch_add(&p->n_sleeping, 1);
    while (!is_called(p, n_seen))
        pthread_cond_wait(&p->work_came, &p->lock);
    atomic_fetch_sub(&p->n_sleeping, 1);
    pthread_mutex_unlock(&p->lock);
}

static void *run_worker(void *argument)
{
    share *own = argument;
    pool *p = own->pool;
    uint32_t n_seen = 0;
    while (!atomic_load(&p->quit)) {
        await_work(p, n_seen);
        n_seen = atomic_load(&p->n_loops);
        int32_t n_done = run_claimed(p, (int32_t)(own - p->shares));
        if (n_done > 0)
            report_done(p, n_done);
    }
    return NULL;
}

/* n_wanted: more would find nothing to do. */
static void wake_workers(pool *p, int32_t n_wanted)
{
    if (atomic_load(&p->n_sleeping) == 0)
        return;
    pthread_mutex_lock(&p->lock);
    if (n_wanted >= atomic_load(&p->n_sleeping))
        pthread_cond_broadcast(&p->work_came);
    else
        for (int32_t i = 0; i < n_wanted; i++)
            pthread_cond_signal(&p->work_came);
    pthread_mutex_unlock(&p->lock);
}

static void await_done(pool *p)
{
    for (int spin = 0; spin < POOL_SPINS; spin++) {
        if (atomic_load(&p->unfinished) == 0)
            return;
        pause_briefly();
    }
    pthread_mutex_lock(&p->lock);
    atomic_store(&p->caller_sleeps, 1);
    while (atomic_load(&p->unfinished) > 0)
        pthread_cond_wait(&p->work_done, &p->lock);
    atomic_store(&p->caller_sleeps, 0);
    pthread_mutex_unlock(&p->lock);
}

/* Where part i of n_parts begins; the first are the longest, the caller's, who is there at once. */
static int32_t part_begin(int32_t n, int32_t i, int32_t n_parts)
{
    return (int32_t)(((int64_t)n * i + n_parts - 1) / n_parts);
}

static void run_shared(pool *p, int32_t n, pool_fn run, void *context)
{
    if (p->n_workers == 0 || n == 1) {
        run_all(n, run, context);
        return;
    }
    int32_t n_threads = p->n_workers + 1;
    p->run = run;
    p->context = context;
    atomic_store_explicit(&p->unfinished, n, memory_order_relaxed);
    for (int32_t i = n_threads - 1; i >= 0; i--) { /* each publishes the writes above */
        int32_t begin = part_begin(n, i, n_threads), end = part_begin(n, i + 1, n_threads);
        atomic_store_explicit(&p->shares[i].range, range_of(begin, end), memory_order_release);
    }
    atomic_fetch_add(&p->n_loops, 1);
    wake_workers(p, n - 1);
    int32_t n_done = run_claimed(p, 0);
    if (atomic_fetch_sub(&p->unfinished, n_done) != n_done)
        await_done(p);
}

static int32_t n_cores(void)
{
#ifdef _WIN32
    SYSTEM_INFO info;
    GetSystemInfo(&info);
    long n = (long)info.dwNumberOfProcessors;
#else
    long n = sysconf(_SC_NPROCESSORS_ONLN);
#endif
    return n < 1 ? 1 : n > POOL_MOST_THREADS ? POOL_MOST_THREADS : (int32_t)n;
}

static bool make_locks(pool *p)
{
    if (pthread_mutex_init(&p->lock, NULL) != 0)
        return false;
    if (pthread_cond_init(&p->work_came, NULL) != 0)
        goto no_work_came;
    if (pthread_cond_init(&p->work_done, NULL) != 0)
        goto no_work_done;
    p->has_locks = true;
    return true;
no_work_done:
    pthread_cond_destroy(&p->work_came);
no_work_came:
    pthread_mutex_destroy(&p->lock);
    return false;
}

/* The host's signal handlers expect the host's threads: workers, which inherit the mask, get no signals but those of
 * their own faults, which would else end the program without the host's crash handler. */
static void make_threads(pool *p)
{
#ifndef _WIN32
    static const int faults[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL};
    sigset_t blocked, before;
    sigfillset(&blocked);
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++)
        sigdelset(&blocked, faults[i]);
    bool masked = pthread_sigmask(SIG_SETMASK, &blocked, &before) == 0;
#endif
    /* Workers look at n_workers once a loop has started, not before. */
    while (p->n_workers < p->n_asked &&
           pthread_create(&p->threads[p->n_workers], NULL, run_worker, &p->shares[p->n_workers + 1]) == 0)
        p->n_workers++;
#ifndef _WIN32
    if (masked)
        pthread_sigmask(SIG_SETMASK, &before, NULL);
#endif
}

/* False only if there is no memory. */
static bool start_workers(pool *p, int32_t n_threads)
{
    if (n_threads == 0)
        n_threads = n_cores();
    if (n_threads > POOL_MOST_THREADS)
        n_threads = POOL_MOST_THREADS;
    if (p->user_for || n_threads <= 1)
        return true;
    p->n_asked = n_threads - 1;
    if (!MEM_MAKE(p->m, p->threads, p->n_asked) || !MEM_MAKE(p->m, p->shares, p->n_asked + 1)) {
        MEM_FREE(p->m, p->threads, p->n_asked);
        return false;
    }
    for (int32_t i = 0; i <= p->n_asked; i++)
        p->shares[i].pool = p;
    if (make_locks(p))
        make_threads(p);
    return true;
}

static void stop_workers(pool *p)
{
    if (p->has_locks) {
        atomic_store(&p->quit, 1);
        pthread_mutex_lock(&p->lock);
        pthread_cond_broadcast(&p->work_came);
        pthread_mutex_unlock(&p->lock);
        for (int32_t i = 0; i < p->n_workers; i++)
            pthread_join(p->threads[i], NULL);
        pthread_cond_destroy(&p->work_done);
        pthread_cond_destroy(&p->work_came);
        pthread_mutex_destroy(&p->lock);
    }
    MEM_FREE(p->m, p->threads, p->n_asked);
    MEM_FREE(p->m, p->shares, p->n_asked + 1);
}

int32_t pool_n_threads(const pool *p)
{
    return p->n_workers + 1;
}

#endif

bool pool_is_in_order(const pool *p)
{
    return !p->user_for && pool_n_threads(p) == 1;
}

pool *pool_create(mem *m, int32_t n_threads, weft_parallel_for_fn user_for, void *user)
{
    pool *p;
    if (!MEM_MAKE(m, p, 1))
        return NULL;
    p->m = m;
    p->user_for = user_for;
    p->user = user;
    if (!start_workers(p, n_threads)) {
        MEM_FREE(m, p, 1);
        return NULL;
    }
    return p;
}

void pool_destroy(pool *p)
{
    if (!p)
        return;
    mem *m = p->m;
    stop_workers(p);
    MEM_FREE(m, p, 1);
}

void pool_for(pool *p, int32_t n, pool_fn run, void *context)
{
    if (n <= 0)
        return;
    if (p->user_for && n > 1)
        p->user_for(p->user, n, run, context);
    else
        run_shared(p, n, run, context);
}
