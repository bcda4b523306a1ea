/* SPDX-License-Identifier: MIT */
/* Round trips of a trial: snapshots into another simulation, memory that fails, snapshots that are damaged. */
#ifndef WEFT_TEST_ATTACK_TRIPS_H
#define WEFT_TEST_ATTACK_TRIPS_H

#include "attack/scene.h"
#include "attack/trial.h"

/* A second simulation that has to give the same bits for some steps. */
typedef struct attack_twin {
    attack_scene *scene; /* NULL: there is none */
    int steps_left;
    attack_kind kind; /* of what it tells if it does not */
} attack_twin;

/* Notes a kind at a step, if it is the first of its kind. */
void attack_note(attack_report *r, attack_kind kind, int step, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
void attack_phase(attack_report *r, const char *phase, int step);

attack_twin attack_twin_make(const attack_scene *s, attack_kind kind, int step, attack_report *r);
/* After the scene's step, whose result is given: takes the same one and compares. */
void attack_twin_follow(attack_twin *t, const attack_scene *s, weft_result result, int step, attack_report *r);
void attack_twin_end(attack_twin *t, int step, attack_report *r);

/* Steps without memory: true if that step was done all the same, with this result. */
bool attack_starve(attack_scene *s, int step, attack_report *r, weft_step_stats *stats, weft_result *result);
void attack_starve_making(const attack_recipe *recipe, attack_report *r);
void attack_damage(const attack_scene *s, int step, attack_report *r);
/* Destroys it and looks whether all memory came back. */
void attack_scene_close(attack_scene *s, int step, attack_report *r);

#endif
