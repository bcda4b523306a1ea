/* SPDX-License-Identifier: MIT */
/* Orientation of points, exactly: the sign of a determinant of the very numbers given.
 *
 * For all finite doubles. A floating-point filter decides almost always (inline, some 30 operations); the rest goes to
 * expansions where every coordinate is 0 or within [2⁻²⁵⁰, 2³⁰⁰] by size, and else to integers of 6400 bits.
 * NaN and infinities: the caller's to keep out; the answer is then some sign. */
#ifndef WEFT_MATH_PREDICATE_H
#define WEFT_MATH_PREDICATE_H

#include "math/vec.h"

#define PREDICATE_UNSURE 2

/* > 0: a, b, c turn left, seen with u to the right and v up. 0: on a line. */
static inline int predicate_orient2d(vec2 a, vec2 b, vec2 c);
/* > 0: d is on the side of the triangle a, b, c where its normal (b − a) × (c − a) points. 0: in its plane. */
static inline int predicate_orient3d(vec3 a, vec3 b, vec3 c, vec3 d);

/* The sign of orient3d after an infinitesimal shift of all points that depends on their indices alone, so all
 * answers together are those of one set of points in general position: never 0. The indices are distinct and ≥ 0. */
int predicate_orient3d_sos(const vec3 x[4], const int32_t index[4]);
/* Whether the segment x[0] x[1] crosses the triangle x[2] x[3] x[4] after the same shift: then it does so in its
 * inside. The indices are distinct. 1: from the side of the normal to the other, -1: the other way, 0: not. */
int predicate_crosses_sos(const vec3 x[5], const int32_t index[5]);

/* Whether the points are on a line (or at a point); if not, *axis is the coordinate (0, 1, 2) without which they
 * are not on one either. */
bool predicate_is_collinear(vec3 a, vec3 b, vec3 c, int *axis);

/* x without coordinate `axis`: (y, z), (z, x) or (x, y). */
static inline vec2 predicate_drop(vec3 x, int axis)
{
    return axis == 0 ? (vec2){x.y, x.z} : axis == 1 ? (vec2){x.z, x.x} : (vec2){x.x, x.y};
}

/* The filters alone: the sign, or PREDICATE_UNSURE.
 *
 * With u = 2⁻⁵³, 2D: each difference has one rounding, then product and difference: the error is at most ((1 + u)⁴
 * − 1) times the sum of the sizes of both products. 3D: two differences, product, difference, the third difference,
 * product, two sums: (1 + u)⁸ − 1 times the same with absolute values. Those sums have such errors themselves, so 5
 * u and 10 u are bounds. Products that underflow add 2⁻¹⁰⁷⁵ each, times one more factor in 3D. An overflow makes
 * the bound infinite or the comparison one with NaN: unsure. */
static inline int predicate_filter2d(vec2 a, vec2 b, vec2 c)
{
    double left = (b.u - a.u) * (c.v - a.v), right = (b.v - a.v) * (c.u - a.u);
    double det = left - right, bound = 5 * 0x1p-53 * (fabs(left) + fabs(right)) + 0x1p-1000;
    return det > bound ? 1 : det < -bound ? -1 : PREDICATE_UNSURE;
}

static inline int predicate_filter3d(vec3 a, vec3 b, vec3 c, vec3 d)
{
    double bx = b.x - a.x, by = b.y - a.y, bz = b.z - a.z;
    double cx = c.x - a.x, cy = c.y - a.y, cz = c.z - a.z;
    double dx = d.x - a.x, dy = d.y - a.y, dz = d.z - a.z;
    double by_cz = by * cz, bz_cy = bz * cy, bz_cx = bz * cx, bx_cz = bx * cz, bx_cy = bx * cy, by_cx = by * cx;
    double det = dx * (by_cz - bz_cy) + dy * (bz_cx - bx_cz) + dz * (bx_cy - by_cx);
    double size = fabs(dx) * (fabs(by_cz) + fabs(bz_cy)) + fabs(dy) * (fabs(bz_cx) + fabs(bx_cz)) +
                  fabs(dz) * (fabs(bx_cy) + fabs(by_cx));
    double tiny = 0x1p-1000 * (fabs(dx) + fabs(dy) + fabs(dz) + 1.0);
    double bound = 10 * 0x1p-53 * size + tiny;
    return det > bound ? 1 : det < -bound ? -1 : PREDICATE_UNSURE;
}

/* Without the filters. */
int predicate_exact2d(vec2 a, vec2 b, vec2 c);
int predicate_exact3d(vec3 a, vec3 b, vec3 c, vec3 d);

static inline int predicate_orient2d(vec2 a, vec2 b, vec2 c)
{
    int sign = predicate_filter2d(a, b, c);
    return sign == PREDICATE_UNSURE ? predicate_exact2d(a, b, c) : sign;
}

static inline int predicate_orient3d(vec3 a, vec3 b, vec3 c, vec3 d)
{
    int sign = predicate_filter3d(a, b, c, d);
    return sign == PREDICATE_UNSURE ? predicate_exact3d(a, b, c, d) : sign;
}

#endif
