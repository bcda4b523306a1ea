/* SPDX-License-Identifier: MIT */
/* Trials in processes of their own: what crashes or hangs takes none with it. */
#define _DEFAULT_SOURCE
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "attack/trial.h"
#include "attack/trips.h"

enum { MOST_JOBS = 64 };

typedef struct child {
    pid_t pid; /* 0: idle */
    attack_report *report;
    attack_recipe recipe;
    uint64_t label;
} child;

static attack_report *shared_report(void)
{
    void *p = mmap(NULL, sizeof(attack_report), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (p == MAP_FAILED) {
        perror("attack: mmap");
        exit(2);
    }
    return p;
}

/* A trial may take this many times what a step may: there are many, and the judge is slow where much moves far. */
#define CHILD_SECONDS 20
/* Of the clock, over those of the processor: other programs run as well. */
#define CHILD_CLOCK 20

/* Processor time stands for time: other programs do not make a hang. */
static void limit_child(double seconds)
{
    rlim_t limit = (rlim_t)(seconds + 0.999);
    struct rlimit time = {limit, limit + 5}, none = {0, 0};
    setrlimit(RLIMIT_CPU, &time);
    alarm((unsigned)(CHILD_CLOCK * seconds)); /* what waits for itself takes no processor time */
    setrlimit(RLIMIT_CORE, &none);
}

static void start(child *c, attack_limits limits)
{
    memset(c->report, 0, sizeof *c->report);
    fflush(NULL);
    c->pid = fork();
    if (c->pid < 0) {
        perror("attack: fork");
        exit(2);
    }
    if (c->pid > 0)
        return;
    limit_child(CHILD_SECONDS * limits.seconds);
    attack_try(&c->recipe, c->report);
    c->report->seconds = (double)clock() / CLOCKS_PER_SEC;
    /* exit rather than _exit: AddressSanitizer looks for leaks there. */
    exit(0);
}

static void finish(child *c, int status, attack_limits limits)
{
    attack_report *r = c->report;
    bool signalled = WIFSIGNALED(status);
    if (signalled && (WTERMSIG(status) == SIGXCPU || WTERMSIG(status) == SIGALRM))
        attack_note(r, ATTACK_HANG, r->steps_done + 1, "%s", r->phase);
    else if (signalled)
        attack_note(r, ATTACK_CRASH, r->steps_done + 1, "signal %d, %s", WTERMSIG(status), r->phase);
    else if (WEXITSTATUS(status) != 0)
        attack_note(r, ATTACK_CRASH, r->steps_done + 1, "exit code %d, %s", WEXITSTATUS(status), r->phase);
    else if (r->slowest_step > limits.seconds)
        attack_note(r, ATTACK_HANG, r->steps_done, "%.0f s", r->slowest_step);
    c->pid = 0;
}

attack_report attack_try_apart(const attack_recipe *r, attack_limits limits)
{
    child c = {.report = shared_report(), .recipe = *r};
    int status = 0;
    start(&c, limits);
    waitpid(c.pid, &status, 0);
    finish(&c, status, limits);
    attack_report report = *c.report;
    munmap(c.report, sizeof *c.report);
    return report;
}

static child *child_of(child *list, int n, pid_t pid)
{
    for (int i = 0; i < n; i++)
        if (list[i].pid == pid)
            return &list[i];
    return NULL;
}

void attack_try_many(const attack_queue *q, int n_jobs, attack_limits limits)
{
    static child list[MOST_JOBS];
    int n = n_jobs < 1 ? 1 : n_jobs > MOST_JOBS ? MOST_JOBS : n_jobs, running = 0;
    bool more = true;
    for (int i = 0; i < n; i++)
        list[i] = (child){.report = shared_report()};
    while (more || running > 0) {
        child *idle = more && running < n ? child_of(list, n, 0) : NULL;
        if (idle && (more = q->next(q->user, &idle->recipe, &idle->label))) {
            start(idle, limits);
            running++;
            continue;
        }
        int status = 0;
        child *c = running > 0 ? child_of(list, n, waitpid(-1, &status, 0)) : NULL;
        if (!c)
            continue;
        finish(c, status, limits);
        running--;
        q->done(q->user, &c->recipe, c->label, c->report);
    }
    for (int i = 0; i < n; i++)
        munmap(list[i].report, sizeof *list[i].report);
}
