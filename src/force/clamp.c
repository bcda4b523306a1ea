/* SPDX-License-Identifier: MIT */
/* A clamped border is the middle of a strip that bends alike on both sides: what the strip's mirror image adds is
 * known, so nodes beyond the border are not needed. A beam A ─ P ─ B with A the mirror image of B turns by 2θ at P, and
 * half of its energy is ours: ½ · ½ K (2θ)²/(2ℓ) = ½ (K/ℓ) θ² (villard2002 eq. 5, K = 2 B w). A hinge between a
 * triangle and its mirror image likewise: half of ½ k (2θ)² = ½ (2k) θ². Pinning two rows in place of this clamps half
 * a cell outside of them.
 *
 * θ depends on d alone, and on u = d · along and w = d · normal there:
 *     ∇θ = (u n − w a)/ρ²,   ∇²θ = [2uw (a aᵀ − n nᵀ) + (w² − u²)(a nᵀ + n aᵀ)]/ρ⁴,   ρ² = u² + w².
 * The psd Hessian leaves the second out. */
#include "force/clamp.h"

#include "force/dihedral.h"
#include "force/params.h"

static vec3 arm_of(const vec3 x[3], const clamp_par *p)
{
    vec3 from_0 = v3_sub(x[2], x[0]), from_1 = v3_sub(x[2], x[1]);
    return v3_madd(v3_scale(1 - p->foot, from_0), p->foot, from_1);
}

double clamp_angle(const vec3 x[3], const clamp_par *p)
{
    vec3 d = arm_of(x, p);
    return weft_atan2(v3_dot(d, p->normal), v3_dot(d, p->along));
}

static mat3 angle_hessian(const clamp_par *p, double u, double w, double q)
{
    mat3 aa = m3_outer(p->along, p->along), nn = m3_outer(p->normal, p->normal);
    mat3 an = m3_outer(p->along, p->normal), both = m3_add(an, m3_transpose(an));
    mat3 sum = m3_scale(2 * u * w, m3_add(aa, m3_scale(-1.0, nn)));
    return m3_scale(q * q, m3_madd(sum, w * w - u * u, both));
}

double clamp_eval(const vec3 x[3], const clamp_par *p, bool psd, vec3 *g, mat3 *h)
{
    vec3 d = arm_of(x, p);
    double u = v3_dot(d, p->along), w = v3_dot(d, p->normal), rho_sq = u * u + w * w;
    double theta = weft_atan2(w, u), bent = angle_difference(theta, p->rest), turned = angle_difference(theta, p->past);
    double q = rho_sq > FORCE_SHORTEST * FORCE_SHORTEST ? 1 / rho_sq : 0; /* no direction: no force */
    double part[3] = {p->foot - 1, -p->foot, 1}, slope = p->k * (bent + p->drag * turned);
    vec3 by = v3_scale(q, v3_madd(v3_scale(u, p->normal), -w, p->along));
    for (int i = 0; g && i < 3; i++)
        g[i] = v3_scale(part[i] * slope, by);
    if (h) {
        mat3 one = m3_outer(v3_scale(p->k * (1 + p->drag), by), by);
        if (!psd)
            one = m3_madd(one, slope, angle_hessian(p, u, w, q));
        for (int i = 0; i < 3; i++)
            for (int j = i; j < 3; j++)
                h[block_of(3, i, j)] = m3_scale(part[i] * part[j], one);
    }
    return 0.5 * p->k * (bent * bent + p->drag * turned * turned);
}
