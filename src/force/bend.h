/* SPDX-License-Identifier: MIT */
/* Bending of triangles by the curvature tensor, with warp and weft rigidities. */
#ifndef WEFT_FORCE_BEND_H
#define WEFT_FORCE_BEND_H

#include "force/energy.h"

/* Six nodes: the triangle x0 x1 x2 and, across its edges, x3 (opposite x0, over edge x1x2), x4 (opposite x1, over
 * x2x0), x5 (opposite x2, over x0x1). angle i is the dihedral angle over the edge opposite node i. An edge without a
 * neighbour has q = 0 in its row and column, and its x is not read. An edge on a clamp has a neighbour without area,
 * its own first node: θ = 0 without slopes; its tilt is twice the angle to the clamped plane (build_clamp.c).
 *     E = ½ Σ q_ij bent_i bent_j + drag · ½ Σ q_ij (θ_i − past_i)(θ_j − past_j),   bent_i = θ_i − rest_i − tilt_i
 * Differences of angles are taken within (−π, π], a tilt is not: it is no angle of the surface, and may be more
 * than π beside a sliver. Were bent_i turned into (−π, π], E would jump there, and no step of Newton's method lead past
 * it. */
typedef struct bend_par {
    double q[3][3];  /* J, symmetric positive semi-definite */
    double rest[3];  /* rad */
    double tilt[3];  /* of the normal at the middle of edge i, twice its angle to the bisector of both triangles, rad */
    double drag;     /* energy.h */
    double past[3];  /* angles at the step's start, rad */
    int32_t present; /* bit i: the neighbour over edge i exists */
} bend_par;

double bend_eval(const vec3 x[6], const bend_par *p, bool psd, vec3 *g, mat3 *h);

/* The same with the psd Hessian, and the angles: known, of just these x, or to be written. */
double bend_eval_at(const vec3 x[6], const bend_par *p, bool known, double theta[3], vec3 *g, mat3 *h);

/* The gradient alone where nodes move with v, which gives the angles of a time h ago, p->past. Also the angles. */
void bend_pull(const vec3 x[6], const vec3 v[6], bend_par *p, double h, double theta[3], vec3 g[6]);

/* bent_i, 0 without a neighbour there. */
double bend_bent(const bend_par *p, const double theta[3], int i);

void bend_angles(const vec3 x[6], int32_t present, double theta[3]);

/* q and present from the material coordinates of the triangle; those of the neighbours are not read, so they may lie in
 * another panel. b_warp, b_weft in N·m, > 0. `twist` is the part of the twist's energy, that of Λ_uv, that counts; a
 * plate has 1. False if the triangle has no area. */
bool bend_stiffness(const vec2 uv[6], int32_t present, double b_warp, double b_weft, double twist, bend_par *p);

/* Each of the two triangles of an edge sees half its angle, unless a's tilt[i] and b's tilt[j], which is minus that,
 * say otherwise. The tilt is right where both triangles have the same moment. This returns the d for which tilt_a[i] +=
 * d, tilt_b[j] −= d makes that so, all else held; doing it now and then (each Newton step, say), for all edges together
 * with BEND_TILT_FACTOR · d (params.h), makes bending independent of the mesh: bend.c. theta_a, theta_b from
 * bend_angles. */
double bend_imbalance(const bend_par *a, const double theta_a[3], int i, const bend_par *b, const double theta_b[3],
                      int j);

#endif
