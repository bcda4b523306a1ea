/* SPDX-License-Identifier: MIT */
/* What every force has in common.
 *
 * A kernel takes the positions of its n nodes and returns its energy in joules; it writes the gradient g (n vectors)
 * and the Hessian h (upper blocks, packed) where these are not NULL. The force on node i is −g[i].
 *
 *     h[block_of(n, i, j)] = ∂²E / ∂x_i ∂x_j     for i ≤ j, rows by x_i, columns by x_j
 *
 * psd false: the exact Hessian. psd true: a positive semi-definite stand-in, equal to the exact one where that is
 * positive semi-definite at rest; Newton's method uses it.
 *
 * Damping needs no kernel of its own. Kelvin–Voigt: stress = stiffness · (s − rest + time · ds/dt) for a strain s. With
 * ds/dt = rate · (s − s_past) (implicit Euler: rate = 1/h and s_past the strain at the step's start), the damping
 * is the gradient of ½ stiffness · time · rate · (s − s_past)²; so a kernel takes, beside stiffness and rest, the
 * factor drag = time · rate and the strain s_past. Being functions of strains, these forces also have neither net
 * force nor net torque, and rigid motion is not damped. */
#ifndef WEFT_FORCE_ENERGY_H
#define WEFT_FORCE_ENERGY_H

#include "math/vec.h"

/* Index of the upper block (i, j), i ≤ j, among n nodes, row by row. */
static inline int block_of(int n, int i, int j)
{
    return i * n - i * (i - 1) / 2 + (j - i);
}

#define BLOCKS(n) ((n) * ((n) + 1) / 2)

#endif
