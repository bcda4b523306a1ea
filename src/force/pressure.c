/* SPDX-License-Identifier: MIT */
/* E = −p V, V = x₀ · (x₁ × x₂) / 6: linear in each node, so the diagonal blocks vanish and the others are
 * cross-product matrices. A matrix with a zero diagonal has no definite part worth keeping: psd gives zero. */
#include "force/air.h"

double pressure_eval(const vec3 x[3], double pressure, bool psd, vec3 *g, mat3 *h)
{
    double s = -pressure / 6.0;
    vec3 c = v3_cross(x[1], x[2]);
    if (g) {
        g[0] = v3_scale(s, c);
        g[1] = v3_scale(s, v3_cross(x[2], x[0]));
        g[2] = v3_scale(s, v3_cross(x[0], x[1]));
    }
    if (h) {
        double t = psd ? 0.0 : s;
        h[0] = h[3] = h[5] = m3_zero();
        h[1] = m3_scale(-t, m3_skew(x[2]));
        h[2] = m3_scale(t, m3_skew(x[1]));
        h[4] = m3_scale(-t, m3_skew(x[0]));
    }
    return s * v3_dot(x[0], c);
}
