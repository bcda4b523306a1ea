/* SPDX-License-Identifier: MIT */
/* What the physics tests have in common: a simulation solved to the last digits, and ways to run it. */
#ifndef WEFT_TEST_PHYSICS_LAB_H
#define WEFT_TEST_PHYSICS_LAB_H

#include <weft/weft.h>

#define LAB_G 9.81

/* Fails the test, with the library's words, on a failure; warnings pass. */
void lab_ok(weft_result r, const weft_error *e);

/* No air, one thread, and tolerances so tight that what is measured is the model, not the solver. */
weft_sim_def lab_def(weft_integrator integrator);
weft_sim *lab_create(const weft_sim_def *def);

weft_step_stats lab_step(weft_sim *s, double h);

/* Steps of h until no node is faster than `speed` (m/s) for `calm` steps in a row; fails the test after `limit` steps.
 * Returns the last statistics. */
weft_step_stats lab_settle(weft_sim *s, double h, double speed, int calm, int limit);

/* Nodes without faces: beads. */
weft_cloth_id lab_beads(weft_sim *s, const weft_fabric *f, int n, const weft_vec3 *x, const weft_vec3 *v, double mass);
weft_vec3 lab_position(const weft_sim *s, weft_cloth_id c, int node);
weft_vec3 lab_velocity(const weft_sim *s, weft_cloth_id c, int node);

weft_attachment_id lab_pin(weft_sim *s, weft_cloth_id c, const int32_t *nodes, int n);

/* Slope of log |error| by log h: least squares. */
double lab_order(int n, const double *h, const double *error);

#endif
