/* SPDX-License-Identifier: MIT */
/* Checks that every energy must pass: derivatives against central differences with the slope of convergence, rotation
 * invariance, zero net force and torque, symmetric Hessian, and the psd Hessian without negative eigenvalues. */
#ifndef TEST_CHECK_ENERGY_H
#define TEST_CHECK_ENERGY_H

#include "force/energy.h"

typedef double (*energy_fn)(const vec3 *x, const void *par, bool psd, vec3 *g, mat3 *h);

typedef struct energy_report {
    double gradient_error, gradient_slope; /* relative to the largest entry, at the best step; order of convergence */
    double hessian_error, hessian_slope;
    double rotation_error;        /* relative change of energy, and of the rotated gradient */
    double net_force, net_torque; /* relative to Σ|g| and Σ|g||x − mean| */
    double psd_lowest;            /* lowest eigenvalue of the psd Hessian over its largest */
} energy_report;

/* n ≤ 6 nodes. `length` is the size of the element, the unit of difference steps. */
energy_report energy_check(energy_fn fn, const void *par, const vec3 *x, int n, double length);

/* cmocka assertions on a report, and a printed line: gradient and Hessian ≤ 1e-7, slopes in [1.8, 2.2] where the error
 * is resolved (else NAN), rotation, net force and torque ≤ 1e-12, psd_lowest ≥ −1e-12. internal: whether net force and
 * torque must vanish and energy is rotation invariant. */
void energy_assert(const char *name, const energy_report *r, bool internal);

#endif
