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

#endif
