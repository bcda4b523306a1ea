/* SPDX-License-Identifier: MIT */
/* The numbers of force/ that somebody chose: what each does, its unit, what was tried, and what shows it. Fabrics,
 * which are data, have theirs in fabric.c. */
#ifndef WEFT_FORCE_PARAMS_H
#define WEFT_FORCE_PARAMS_H

/* ---- the stretch limit (limit.h) --------------------------------------------------------------------------------- */

/* Part of the way to the limit where stiffening begins. A tenth: fabrics stiffen early. From half of the way on, the
 * point load of a pin stretched cotton (limit 6.1 %) by more than 5 % up to 29 mm away from the pin on 76² nodes; from
 * a fifth on, up to 10 mm on 146². Test force/limit. */
#define LIMIT_ONSET 0.1

/* Part of the way from there to the limit where the energy goes on as a quadratic. At 0.95 the force rises 5.3e3 times
 * as steeply as by the plain stiffness: the load that would pass the limit is beyond any cloth's. */
#define LIMIT_KNEE 0.95

/* Part of the way to the limit beyond which an edge counts as taut. Equilibria hardly come near the limit, but beside a
 * pin; three quarters of the way to it only a solve that has not converged leaves an edge. */
#define FORCES_TAUT 0.75

/* ---- stretch --------------------------------------------------------------------------------------------------- */

/* Sine of the angle between a quad's sides and its threads beyond which it is membrane: springs along its sides
 * would be as stiff as threads there, which cloth on the bias is not. At this angle they are off by some 2 %: its
 * square times the ratio of stretch to shear, which is about 50 in fabrics that hardly shear. Test physics/clamps. */
#define QUAD_ASKEW 0.02

/* ---- bending ----------------------------------------------------------------------------------------------------- */

/* Part of the imbalance of an edge's two moments that one sweep takes away (bend_imbalance), all edges at once. Below
 * 2/3 the energy falls with every sweep, whatever the mesh: proof and measurements in bend.c, test force/bend. */
#define BEND_TILT_FACTOR 0.6

/* Part of the twist's energy in the tensor that stands for threads, where levels meet. Threads bend but do not resist
 * twist, so neither should it; but with none at all it is too soft, as triangles askew to the threads then find ways to
 * give. Sag of a strip bent over a ridge, mixed levels nearly everywhere, over that of the uniform mesh: 1.03–1.05 (0),
 * 1.014 (0.1), 1.009 (0.2), 1.007 (0.3), 1.003 (1); energy on a cylinder at 45°, 0.46 by beams alone: 0.49 (0),
 * 0.53 (0.1), 0.62 (0.3), 0.89 (1). Test physics/mixed. */
#define BEND_THREAD_TWIST 0.2

/* The tensor needs both rigidities: one that is less than this part of the other is taken as that. */
#define BEND_LEAST_RIGIDITY 1e-3

/* ---- where numbers have no digits left --------------------------------------------------------------------------- */

/* Length, m, area, m², or speed, m/s, below which its square is denormal and a direction has no digits. */
#define FORCE_SHORTEST 1e-150

/* Sine of a beam's angle below which rounding decides where the plane of the bend is. */
#define BEAM_LEAST_SINE 1e-12

/* Sine of a triangle's angle at an edge below which it has no normal worth having: its dihedral angle pulls at
 * nothing. */
#define DIHEDRAL_FLAT_SINE 1e-12

/* Height over longest side below which a triangle at rest has no shape: rounding of its coordinates decides. */
#define MEMBRANE_FLATTEST 1e-12

/* The same of the sine of an angle, for bending. */
#define BEND_FLATTEST 1e-12

/* ---- nodes ------------------------------------------------------------------------------------------------------- */

/* Edge length, m, of a node that belongs to no face. Contact asks for one. */
#define NODE_ALONE_EDGE_LENGTH 0.01

#endif
