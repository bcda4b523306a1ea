/* SPDX-License-Identifier: MIT */
/* Trials: a recipe is run, judged and sent through round trips, in a process of its own. */
#ifndef WEFT_TEST_ATTACK_TRIAL_H
#define WEFT_TEST_ATTACK_TRIAL_H

#include <stddef.h>

#include "attack/recipe.h"

/* clang-format off */
#define ATTACK_KINDS(X) \
    X(CRASH,          "crash",           "the process died by a signal") \
    X(HANG,           "hang",            "a step took more than its seconds or Newton steps, or did not end") \
    X(REFUSED,        "refused",         "a function of the API refused part of the scene") \
    X(DIVERGED,       "diverged",        "a step found nothing acceptable, though all was free so far") \
    X(STUCK,          "stuck",           "a step found nothing acceptable, from a tangle or after a squeeze") \
    X(ERROR,          "error",           "a step failed in another way") \
    X(NAN,            "nan",             "a position that is no number") \
    X(OFF_GRID,       "off-grid",        "a position that is no multiple of the grid's unit") \
    X(INTERSECTS,     "intersects",      "free before, triangles intersect now, and the step did not tell") \
    X(PASSED,         "passed",          "something went through on the straight way of a step") \
    X(SWALLOWED,      "swallowed",       "a cloth is on the other side of a closed mesh") \
    X(TANGLED_MORE,   "tangled-more",    "tangled at the start, and objects intersect now that did not") \
    X(NEAR,           "near",            "nearer to a solid than the thickness, and the step did not tell") \
    X(PASSED_SOLID,   "passed-solid",    "a node went through an analytic collider") \
    X(FLUNG,          "flung",           "a node is more than 64 m away") \
    X(STRETCHED,      "stretched",       "an edge is more than three times its length") \
    X(FAILED_CHANGED, "failed-changed",  "a step failed, and the state is not that from before") \
    X(RESTORE,        "restore-refused", "a snapshot was refused by a simulation that was set up the same way") \
    X(DIFFERS,        "snapshot-differs", "after a snapshot, other bits") \
    X(STARVED,        "starved",         "without memory a step failed in another way, or the next did not work") \
    X(STARVED_DIFFERS, "starved-differs", "after a step that had no memory, other bits than without it") \
    X(LEAK,           "leak",            "memory that was not given back") \
    X(DAMAGED,        "damaged-changed", "a damaged snapshot was refused, and the state is another")
/* clang-format on */

#define ATTACK_KIND_ENUM(id, name, text) ATTACK_##id,
typedef enum attack_kind { ATTACK_KINDS(ATTACK_KIND_ENUM) N_ATTACK_KINDS } attack_kind;
const char *attack_kind_name(int kind);
const char *attack_kind_text(int kind);
int attack_kind_find(const char *name, size_t length); /* -1: none */

/* What a trial found; in memory that a child shares with its parent. */
typedef struct attack_report {
    uint32_t kinds;               /* bits */
    int32_t step[N_ATTACK_KINDS]; /* the first at which it was seen; 0: before the first */
    char text[N_ATTACK_KINDS][120];
    int32_t n_nodes, steps_done, touching; /* pairs and contacts at most */
    int32_t squeezed_steps, parted_steps, judged_ways;
    bool tangled_start;
    char phase[40];               /* what it was at, for crashes */
    double seconds, slowest_step; /* of processor time */
} attack_report;

typedef struct attack_limits {
    double seconds; /* of processor time, in one step */
} attack_limits;

/* In this process; the report is kept up to date, so that what a crash leaves of it tells where it was. */
void attack_try(const attack_recipe *r, attack_report *report);
/* In a child. */
attack_report attack_try_apart(const attack_recipe *r, attack_limits limits);

/* Runs many, n_jobs at a time; `next` gives recipes until it returns false, `done` is told in any order. */
typedef struct attack_queue {
    bool (*next)(void *user, attack_recipe *r, uint64_t *label);
    void (*done)(void *user, const attack_recipe *r, uint64_t label, const attack_report *report);
    void *user;
} attack_queue;
void attack_try_many(const attack_queue *q, int n_jobs, attack_limits limits);

/* The smallest recipe found that still fails in the same way. */
attack_recipe attack_minimise(const attack_recipe *r, int kind, attack_limits limits, bool verbose);

#endif
