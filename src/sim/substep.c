/* SPDX-License-Identifier: MIT */
/* The policy of substeps (substep.h): a few integers and comparisons. */
#include "sim/substep.h"

#include <math.h>

#include "sim/params.h"

/* Lengths that should be equal may differ by rounding. */
#define SUBSTEP_SLACK 1e-9

/* By the lengths alone, so that a state that is restored goes on in the same way. */
static int32_t first_level(double h, double last_h, int32_t limit)
{
    int32_t level = 0;
    double last = last_h * (1 + SUBSTEP_SLACK);
    if (last <= 0)
        return 0;
    while (level < STEP_CONTROL_LEVELS && level < limit && ldexp(h, -level) > last)
        level++;
    return level;
}

step_control step_control_begin(double h, double last_h, int32_t limit, bool controlled)
{
    int32_t level = controlled ? first_level(h, last_h, limit) : 0;
    return (step_control){
        .h = h, .level = level, .limit = limit, .patience = SUBSTEP_PATIENCE, .held = -1, .guessed = true};
}

/* Levels for violence: with steps longer than VIOLENT_STEP those that lead from there as far as the user allows. */
static int32_t violent_limit(double h, int32_t limit)
{
    int32_t deepest = limit;
    for (double part = h; limit > 0 && deepest < STEP_CONTROL_DEEPEST && part > VIOLENT_STEP * (1 + SUBSTEP_SLACK);
         part *= 0.5)
        deepest++;
    return deepest;
}

static int32_t deepest_level(const step_control *c)
{
    return c->violent ? violent_limit(c->h, c->limit) : c->limit;
}

substep step_control_next(const step_control *c)
{
    double part = ldexp(c->h, -c->level), left = c->h - c->done;
    bool rest = left <= part * (1 + SUBSTEP_SLACK);
    return (substep){.h = rest ? left : part,
                     .whole = c->h,
                     .done = c->done,
                     .level = c->level,
                     .last = c->level >= deepest_level(c),
                     .rest = rest,
                     .violent = c->violent && c->level > STEP_CONTROL_LEVELS};
}

bool step_control_resize(step_control *c, const substep *sub, int32_t wish)
{
    if (wish > 0 && c->level < STEP_CONTROL_LEVELS && !sub->last) {
        c->level = c->level + wish < STEP_CONTROL_LEVELS ? c->level + wish : STEP_CONTROL_LEVELS;
        c->guessed = false;
        return true;
    }
    if (wish < 0 && c->held < 0 && c->guessed && c->level > 0 && !sub->violent) {
        c->level--;
        return true;
    }
    return false;
}

bool step_control_shorten(step_control *c, const substep *sub, int32_t wish)
{
    c->held = wish;
    if (wish <= 0 || sub->last)
        return false;
    c->violent = true;
    c->level = c->level + wish < deepest_level(c) ? c->level + wish : deepest_level(c);
    c->guessed = false;
    c->n_good = 0;
    return true;
}

bool step_control_halve(step_control *c, const substep *sub)
{
    c->guessed = false;
    c->n_good = 0;
    if (sub->last)
        return false;
    c->level++;
    return true;
}

bool step_control_overstretched(step_control *c, const substep *sub)
{
    c->violent = true;
    if (sub->level >= deepest_level(c))
        return false;
    c->patience = OVERSTRETCH_PATIENCE;
    c->guessed = false;
    c->n_good = 0;
    c->level++;
    return true;
}

void step_control_accept(step_control *c, const substep *sub, bool whole, double gone, int32_t wish)
{
    c->guessed = false;
    c->done = sub->rest && whole ? c->h : gone;
    c->n_good = whole ? c->n_good + 1 : 0;
    if (c->level > 0 && c->n_good >= c->patience && wish < 0 && c->held < 0) {
        c->level--;
        c->n_good = 0;
    }
}
