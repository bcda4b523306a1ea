/* SPDX-License-Identifier: MIT */
/* Air on a triangle: drag, wind, viscous drag and pressure.
 *
 * Drag and viscosity are functions of the velocity: they come from a dissipation potential D(v), newtons being ∂D/∂v,
 * with the triangle's normal and area frozen at the step's start. The integrator has v = (x − x̂)/γ, so γ D is
 * their part of the incremental potential. Pressure is a true energy. */
#ifndef WEFT_FORCE_AIR_H
#define WEFT_FORCE_AIR_H

#include "force/energy.h"

typedef struct air_par {
    vec3 area;        /* normal times area at the step's start, m² */
    vec3 wind;        /* velocity of the air, m/s */
    double drag;      /* ½ ρ C_n, kg/m³: pressure from flow along the normal, on either side */
    double skin;      /* ½ ρ C_t, kg/m³: traction from flow along the surface */
    double viscosity; /* C per area, N·s/m³: −C (v − wind) */
} air_par;

/* v: the velocities of the three nodes; w = mean of v − wind, n the unit normal, a the area, w_n = w·n, w_t the rest.
 *     D = a [ drag |w_n|³/3 + skin |w_t|³/3 + ½ viscosity |w|² ]
 * g[3] = ∂D/∂v and h (upper blocks of 3 nodes), always positive semi-definite. */
double air_eval(const vec3 v[3], const air_par *p, vec3 *g, mat3 *h);

/* The same; all three gradients are *g, all six blocks *b. */
double air_push(const vec3 v[3], const air_par *p, vec3 *g, mat3 *h);

/* Energy −pressure · volume of the cone from the origin over the triangle; summed over a closed surface whose normals
 * point outward that is −p V. pressure in Pa. psd: the Hessian is left out (zero), being indefinite. */
double pressure_eval(const vec3 x[3], double pressure, bool psd, vec3 *g, mat3 *h);

#endif
