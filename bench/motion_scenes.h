/* SPDX-License-Identifier: MIT */
/* Scenes of motion whose energy or momentum is known, made and measured by the public API alone, so that benches and
 * tests share them. Settings are those of weft_sim_def_default, but for what is said. */
#ifndef MOTION_SCENES_H
#define MOTION_SCENES_H

#include "contact_meshes.h"

/* ---- a sheet that swings (motion_swing.c) ------------------------------------------------------------------------ */

typedef struct motion_swing_def {
    contact_weave weave;
    int32_t cells; /* along a side */
    const char *fabric;
    double h;
    double seconds;
    bool converged; /* by contact_converged_def */
    int32_t n_threads;
} motion_swing_def;

/* Energies over m g L/2, what falling from level to hanging sets free. */
typedef struct motion_swing {
    double most_growth; /* of all energy in a step */
    double loss;        /* from the start to the end */
    double stretch;     /* largest length over rest length of an edge in any step */
    int32_t steps, newton, most_newton;
    double cpu; /* of the steps, s */
} motion_swing;

/* The sheet alone: air and damping in the fabric are none, what else there is of settings is d's. Empty after a
 * failure. */
weft_result motion_swing_create(weft_sim **out, weft_sim_def *d, contact_weave weave, int32_t cells, const char *fabric,
                                weft_error *e);
/* A square of 0.5 m, level at first, pinned along one edge: it falls and swings. No air, no damping in the fabric. */
weft_result motion_swing_run(const motion_swing_def *def, motion_swing *out, weft_error *e);

/* ---- sheets that meet in empty space (motion_space.c) ------------------------------------------------------------ */

typedef struct motion_meeting_def {
    contact_weave weave;
    int32_t cells; /* along a side */
    const char *fabric;
    double h, seconds;
    bool spins;     /* both turn at 6.7 rad/s, too */
    bool converged; /* by contact_converged_def */
    int32_t n_threads;
} motion_meeting_def;

typedef struct motion_meeting {
    double momentum; /* largest change of all, over the sum of the sheets' |p| at the start */
    double angular;  /* likewise, over what there was of it */
    double kept;     /* energy at the end over that at the start */
    int32_t touched; /* steps with pairs */
    int32_t steps, newton;
} motion_meeting;

/* Two squares of 0.2 m at 2 m/s towards each other, one slanting and off the middle of the other; no air, no weight. */
weft_result motion_meeting_run(const motion_meeting_def *def, motion_meeting *out, weft_error *e);

/* ---- Newton steps to a micrometre (motion_newton.c) -------------------------------------------------------------- */

enum { MOTION_NEWTON_SCENES = 3, MOTION_NEWTON_STEPS = 45 };
extern const char *const motion_newton_names[MOTION_NEWTON_SCENES];

typedef struct motion_newton {
    int64_t newton, linear, most, median; /* steps of Newton's method, of a step; iterations of the inner solve */
    int32_t steps, unsolved;              /* steps that ended with moves of more than that */
    double cpu;
} motion_newton;

/* 0.75 s by steps of 1/60 s, with newton_tolerance 1e-6 m and up to 300 Newton steps: a sheet of 38² cells on a ball,
 * the ribbon of weft-bench torture with half the nodes a side, the swinging sheet of 38² cells. */
weft_result motion_newton_run(int scene, int32_t n_threads, motion_newton *out, weft_error *e);

/* ---- a flag (motion_flag.c) -------------------------------------------------------------------------------------- */

typedef struct motion_flag_def {
    contact_weave weave;
    const char *fabric;
    double wind; /* m/s, along the flag */
    double h;    /* s, a whole part of 1/60 */
    double seconds;
    double settle;   /* s that are not looked at */
    bool weightless; /* no gravity */
    int32_t start;   /* number of the wave that it starts with */
    int32_t n_threads;
} motion_flag_def;

/* Of its lower free corner across the wind. */
typedef struct motion_flag {
    double frequency; /* peak of the power spectrum, 1/s */
    double amplitude; /* √2 times the standard deviation, m */
    int32_t steps, newton;
    double cpu; /* s */
} motion_flag;

/* 0.6 by 0.4 m, cells of 25 mm, held along its luff; air as by default. */
weft_result motion_flag_run(const motion_flag_def *def, motion_flag *out, weft_error *e);

#endif
