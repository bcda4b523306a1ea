/* SPDX-License-Identifier: MIT */
/* The policy of substeps: into which parts a step is cut, and what becomes of one that fails. It knows nothing of
 * cloth.
 *
 * A step of length h is taken in substeps of h/2^level:
 *
 *  1. It begins with the level of the last step's last substep, STEP_CONTROL_LEVELS at most: where folds turn, one
 *     step after the other is taken in parts, and finding the pairs for the whole of it only to learn that again was a
 *     third of what finding pairs took. What step control can tell is not needed it takes back at once.
 *  2. Step control: before a substep is solved, the speed at which cloths pass each other wishes for a level. Up to
 *     STEP_CONTROL_LEVELS it is followed at once, with nothing done yet.
 *  3. Violence: what is held asks for a level before the substep is solved (held_motion.c), and a substep that has
 *     stretched cloth far beyond its limit is halved (overstretch.c), both down to the user's halving_limit,
 *     which counts from VIOLENT_STEP on where steps are longer.
 *  4. A substep that fails is halved, up to the user's halving_limit; then the step fails.
 *  5. Two substeps of one level in a row that are whole and slow double the length again; after one that stretched
 *     cloth it takes OVERSTRETCH_PATIENCE.
 *  6. A substep may end early (prevention cuts it short): the next goes on from there. */
#ifndef WEFT_SIM_SUBSTEP_H
#define WEFT_SIM_SUBSTEP_H

#include <stdbool.h>
#include <stdint.h>

/* The substep [time, time + h] of a step of length `whole`, `done` of which lies behind. */
typedef struct substep {
    double h, whole, done;
    int32_t level; /* h is whole/2^level, or what is left */
    bool last;     /* it cannot be halved any more */
    bool rest;     /* the step ends with it, unless it is cut short */
    bool violent;  /* it is so short for violence: one of many, which a rough solve each will do */
} substep;

typedef enum substep_end {
    SUBSTEP_DONE,          /* the state is that at its end, or, if it was cut short, at a moment before */
    SUBSTEP_RESIZED,       /* nothing was done: step control wants another length */
    SUBSTEP_FAILED,        /* nothing was done */
    SUBSTEP_OVERSTRETCHED, /* nor here: an edge would be far longer than its limit */
    SUBSTEP_CANCELLED,
} substep_end;

/* The most that users may allow (halving_limit). */
#define STEP_CONTROL_DEEPEST 10

typedef struct step_control {
    double h, done;
    int32_t level, limit; /* limit: the user's, of levels */
    int32_t n_good;       /* whole substeps in a row at this level */
    int32_t patience;     /* so many before it is doubled */
    int32_t held;         /* what held nodes wished for last */
    bool violent;         /* violence has made a substep of this step shorter */
    bool guessed;         /* the level is that of the last step, and may be too high */
} step_control;

/* For a step of length h, after one whose last substep had the length last_h (0: there was none). limit: of halvings;
 * controlled: step control is asked before each substep. */
step_control step_control_begin(double h, double last_h, int32_t limit, bool controlled);

static inline bool step_control_goes_on(const step_control *c)
{
    return c->done < c->h;
}

substep step_control_next(const step_control *c);

/* `wish` is by how many halvings the substep should be shorter; −1: it could be twice as long. Returns whether the
 * length has changed: the substep is to be begun anew. */
bool step_control_resize(step_control *c, const substep *sub, int32_t wish);

/* The same, of what is held; to any level that the user allows. */
bool step_control_shorten(step_control *c, const substep *sub, int32_t wish);

/* The substep has failed. False: so has the step. */
bool step_control_halve(step_control *c, const substep *sub);

/* The substep would stretch cloth far beyond its limit. False: it is taken all the same, since nothing shorter is
 * allowed. */
bool step_control_overstretched(step_control *c, const substep *sub);

/* The substep has become the state, which has gone `gone` s since the step began; whole: it was not cut short. wish: as
 * above, of the substep. */
void step_control_accept(step_control *c, const substep *sub, bool whole, double gone, int32_t wish);

#endif
