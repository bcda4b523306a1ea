/* SPDX-License-Identifier: MIT */
/* What the files of hard scenes (torture.h) have in common. */
#ifndef TEST_SIM_TORTURE_PARTS_H
#define TEST_SIM_TORTURE_PARTS_H

#include "sim/torture.h"

typedef weft_result (*torture_make)(torture *t, const torture_options *o, weft_error *e);
extern const torture_make torture_violent_makers[TORTURE_VIOLENT];

/* g: n_warp and n_weft are nodes of the full size; fabric and adaptivity by the options. */
weft_result torture_add_cloth(torture *t, const torture_options *o, weft_grid_def g, weft_error *e);
/* A square sheet that lies level, its middle at `centre`, turned about the vertical by an angle. */
weft_result torture_add_level(torture *t, const torture_options *o, int32_t n, double side, weft_vec3 centre,
                              double angle, weft_error *e);
weft_result torture_add_collider(torture *t, const weft_collider_def *d, weft_error *e);

#endif
