/* SPDX-License-Identifier: MIT */
/* Hinges: E depends on one dihedral angle only.
 *
 * Grinspun, Hirani, Desbrun, Schröder 2003, "Discrete shells", eq. 1, with the rigidity taken across the edge.
 * Differences of angles wrap to (−π, π], so the energy has no jump where a fold passes through θ = π.
 *
 * Factor. On equilateral triangles of height h an edge shows θ = h (κ_mm − κ_tt/3) for curvatures κ across and along
 * it; over the three directions of a cylinder the squares of (κ_mm − κ_tt/3)/κ sum to 1, so that a triangle has
 * ½ B κ² A = ½ · ½ k h² κ², k = 2 B A/h² = B ℓ²/(2A). (Seung & Nelson 1988 have the same, k = 2B/√3.)
 *
 * psd: the exact Hessian is W'' ∇θ∇θᵀ + W' ∇²θ; the first term is psd and all there is at rest. */
#include "force/hinge.h"

#include "force/dihedral.h"

double hinge_eval(const vec3 x[4], const hinge_par *p, bool psd, vec3 *g, mat3 *h)
{
    vec3 d[4];
    double theta = dihedral_eval(x, g || h ? d : NULL, h && !psd ? h : NULL);
    double bent = angle_difference(theta, p->rest), turned = angle_difference(theta, p->past);
    double slope = p->k * (bent + p->drag * turned), curve = p->k * (1.0 + p->drag);
    for (int i = 0; g && i < 4; i++)
        g[i] = v3_scale(slope, d[i]);
    for (int i = 0, b = 0; h && i < 4; i++) {
        vec3 row = v3_scale(curve, d[i]);
        for (int j = i; j < 4; j++, b++)
            h[b] = psd ? m3_outer(row, d[j]) : m3_add(m3_scale(slope, h[b]), m3_outer(row, d[j]));
    }
    return 0.5 * p->k * (bent * bent + p->drag * turned * turned);
}

double hinge_stiffness(const vec2 uv[4], double b_warp, double b_weft)
{
    double eu = uv[1].u - uv[0].u, ev = uv[1].v - uv[0].v;
    double area_a = 0.5 * fabs(eu * (uv[2].v - uv[0].v) - ev * (uv[2].u - uv[0].u));
    double area_b = 0.5 * fabs(eu * (uv[3].v - uv[0].v) - ev * (uv[3].u - uv[0].u));
    if (!(area_a + area_b > 0.0))
        return 0.0;
    /* m = (ev, −eu)/ℓ, so ℓ² B(m) needs no root. */
    return (b_warp * ev * ev + b_weft * eu * eu) / (area_a + area_b);
}
