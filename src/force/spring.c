/* SPDX-License-Identifier: MIT */
/* A spring's energy is a function W(ℓ) of its length alone, so with the unit vector u along it
 *     gradient  W' u,    Hessian  W'' u uᵀ + (W'/ℓ) (I − u uᵀ).
 * W'' > 0 always; W'/ℓ is negative where the spring is shorter than at rest, and then the psd Hessian leaves
 * it out: that is the exact projection, since the two parts have orthogonal ranges.
 *
 * Where ℓ vanishes u has no direction. A spring of rest length 0 (a tie, a soft pin) is regular there: W'/ℓ = W'' at
 * every length, E = ½ k |d|² and the Hessian is k I. Any other spring has the tip of a cone; it gets gradient 0, the
 * mean of what its neighbourhood has, and the Hessian W'' I, so that its nodes stay coupled and nothing is NAN. */
#include "force/spring.h"

#include "force/limit.h"
#include "force/params.h"

/* along · u uᵀ + across (I − u uᵀ). Written out: symmetric to the last bit, and quick. */
static inline mat3 along_and_across(double along, double across, vec3 u)
{
    vec3 s = v3_scale(along - across, u);
    double xy = s.x * u.y, xz = s.x * u.z, yz = s.y * u.z;
    return (mat3){{across + s.x * u.x, xy, xz, xy, across + s.y * u.y, yz, xz, yz, across + s.z * u.z}};
}

double spring_block(const vec3 x[2], const spring_par *p, bool psd, vec3 *g, mat3 *b)
{
    vec3 d = v3_sub(x[1], x[0]);
    double l = v3_len(d), rest = p->length;
    limit_term stiffening = {0.0, 0.0, 0.0};
    if (p->limit > 0.0 && rest > 0.0)
        stiffening = limit_eval(l / rest, p->limit);
    double strain = l - rest, moved = l - p->past;

    /* W'' and W'/ℓ, per k */
    double along = 1.0 + p->drag + stiffening.curvature;
    double across = l > FORCE_SHORTEST ? (strain + p->drag * moved + rest * stiffening.slope) / l : along;
    if (g)
        *g = v3_scale(p->k * across, d);
    if (b) {
        if (psd)
            across = across > 0.0 ? across : 0.0;
        vec3 u = v3_scale(l > FORCE_SHORTEST ? 1.0 / l : 0.0, d);
        *b = along_and_across(p->k * along, p->k * across, u);
    }
    return p->k * (0.5 * (strain * strain + p->drag * moved * moved) + rest * rest * stiffening.value);
}

double spring_eval(const vec3 x[2], const spring_par *p, bool psd, vec3 *g, mat3 *h)
{
    double e = spring_block(x, p, psd, g ? &g[1] : NULL, h);
    if (g)
        g[0] = v3_neg(g[1]);
    if (h) {
        h[1] = m3_scale(-1.0, h[0]);
        h[2] = h[0];
    }
    return e;
}

/* A lattice of warp edges e₁ b/a, weft edges e₂ a/b and two diagonals G d²/(2ab) per a×b cell has, for uniform
 * strains (ε₁, ε₂, γ), the energy per area ½ (C₁₁ ε₁² + 2 C₁₂ ε₁ ε₂ + C₂₂ ε₂² + G γ²) with
 *     p = C₁₁ = e₁ + r G,   C₁₂ = G,   q = C₂₂ = e₂ + G/r.
 * A pull with free sides then has the moduli p − G²/q = E₁ and q − G²/p = E₂, which are the two equations of the header
 * in other words. Multiplied by q and p both left sides are p q − G², so E₁ q = E₂ p; with that in the first,
 *     p² − E₁ p − G² E₁/E₂ = 0,
 * which has exactly one positive root, and q = p E₂/E₁. No iteration is needed. */
bool spring_law_consistent(double e_warp, double e_weft, double shear, double a, double b, spring_law *out)
{
    if (!(e_warp > 0.0 && e_weft > 0.0 && shear >= 0.0 && a > 0.0 && b > 0.0))
        return false;
    double r = (a / b) * (a / b);
    double p = 0.5 * (e_warp + sqrt(e_warp * e_warp + 4.0 * shear * shear * (e_warp / e_weft)));
    double q = p * (e_weft / e_warp);
    double e1 = p - r * shear, e2 = q - shear / r;
    if (!(e1 >= 0.0 && e2 >= 0.0))
        return false;
    *out = (spring_law){
        .k_warp = e1 * b / a,
        .k_weft = e2 * a / b,
        .k_diagonal = shear * (a * a + b * b) / (2.0 * a * b),
        .poisson_warp = shear / q,
        .poisson_weft = shear / p,
    };
    return true;
}

/* The law knows no cell; the Poisson numbers are those of a square one: C₁₁ = K₁ + K₃, C₁₂ = K₃, C₂₂ = K₂ + K₃. */
spring_law spring_law_villard(double e_warp, double e_weft, double shear, int level)
{
    double scale = ldexp(1.0, level);
    return (spring_law){
        .k_warp = e_warp * scale,
        .k_weft = e_weft * scale,
        .k_diagonal = shear * scale,
        .poisson_warp = shear / (e_weft + shear),
        .poisson_weft = shear / (e_warp + shear),
    };
}
