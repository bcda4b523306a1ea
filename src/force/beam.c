/* SPDX-License-Identifier: MIT */
/* Beam bending: E = W(θ), θ the turning angle between e1 = P − A and e2 = B − P.
 *
 * villard2002 §5.1.1, eq. 5 gives forces of size Kθ/(ℓA+ℓB)/ℓ across the two segments; here they are the exact gradient
 * of the energy, with the rest lengths in k. With n the unit vector along e1 × e2 and t = n × ê (across a segment, in
 * the plane of the bend)
 *
 *          P            ∂θ/∂e1 = −t1/ℓ1,  ∂θ/∂e2 = t2/ℓ2.
 *      e1 / \ e2
 *        A   B
 *
 * θ itself has a cusp at 0, so second derivatives go by c = cos θ = ê1·ê2, which is smooth:
 *     E_c = −W'/sin θ =: −r,   E_cc ∇c∇cᵀ = (W'' − W' cot θ) ∇θ∇θᵀ,
 *     ∂²c/∂e1² = −(ê1 pᵀ + p ê1ᵀ + c P1)/ℓ1² with p = P1 ê2 = sin θ t1,   ∂²c/∂e1∂e2 = P1 P2/(ℓ1ℓ2),   P = I − êêᵀ.
 * At θ = 0, where n is undefined, W' and W'' − W' cot θ vanish and r = W'/θ. At θ = π the force has a magnitude but no
 * direction: it is taken as 0, an unstable balance, and r is bounded.
 *
 * psd: the turn ê2 − ê1 has the derivative D = (−P1/ℓ1, P2/ℓ2); we take (W'/θ) DᵀD + (W'' − W'/θ) ∇θ∇θᵀ, with W'/θ
 * raised to 0 where damping makes it negative. It is exact at θ = 0. Keeping W'/θ and W'' apart matters with damping,
 * which to first order acts in the plane of the bend only: for a chain bent by up to 1.2 rad, drag 3, one
 * implicit step took 19 Newton steps to 1e-12, and 43 with k (1 + drag) DᵀD (5 with the exact Hessian). */
#include "force/beam.h"

#include "force/params.h"
#include "math/trig.h"

typedef struct bend_frame {
    double len1, len2; /* of the segments */
    double sine, cosine, theta;
    vec3 u1, u2;    /* unit vectors along them */
    vec3 n, t1, t2; /* zero where straight or folded */
} bend_frame;

static bool beam_frame_of(const vec3 x[3], bend_frame *f)
{
    vec3 e1 = v3_sub(x[1], x[0]), e2 = v3_sub(x[2], x[1]);
    f->len1 = v3_len(e1);
    f->len2 = v3_len(e2);
    if (!(f->len1 > FORCE_SHORTEST && f->len2 > FORCE_SHORTEST))
        return false;
    f->u1 = v3_scale(1.0 / f->len1, e1);
    f->u2 = v3_scale(1.0 / f->len2, e2);
    vec3 cross = v3_cross(f->u1, f->u2);
    f->sine = v3_len(cross);
    f->cosine = v3_dot(f->u1, f->u2);
    f->theta = weft_atan2(f->sine, f->cosine);
    f->n = v3_unit_or(cross, v3_zero());
    f->t1 = v3_cross(f->n, f->u1);
    f->t2 = v3_cross(f->n, f->u2);
    return true;
}

/* W with its derivatives; `ratio` = W'/θ, regular at 0. Below `past` the damping's slope is k drag θ (θ/past − 1),
 * whose integral and first two derivatives agree at θ = past with those of ½ k drag (θ − past)². */
typedef struct profile {
    double w, ratio, second;
} profile;

static profile profile_at(const beam_par *p, double theta)
{
    double past = p->past, square = 0.5 * theta * theta;
    if (theta >= past) {
        double turned = theta - past, of_turn = theta > 0.0 ? turned / theta : 1.0;
        return (profile){p->k * (square + 0.5 * p->drag * turned * turned), p->k * (1.0 + p->drag * of_turn),
                         p->k * (1.0 + p->drag)};
    }
    double part = theta / past;
    double loss = past * past / 6.0 + square * (part * (2.0 / 3.0) - 1.0);
    return (profile){p->k * (square + p->drag * loss), p->k * (1.0 + p->drag * (part - 1.0)),
                     p->k * (1.0 + p->drag * (2.0 * part - 1.0))};
}

/* Second derivatives by (e1, e2): to nodes A, P, B. */
static void scatter_segments(mat3 k11, mat3 k12, mat3 k22, mat3 *h)
{
    mat3 k21 = m3_transpose(k12);
    h[block_of(3, 0, 0)] = k11;
    h[block_of(3, 0, 1)] = m3_madd(k12, -1.0, k11);
    h[block_of(3, 0, 2)] = m3_scale(-1.0, k12);
    h[block_of(3, 1, 1)] = m3_madd(m3_add(k11, k22), -1.0, m3_add(k12, k21));
    h[block_of(3, 1, 2)] = m3_madd(k12, -1.0, k22);
    h[block_of(3, 2, 2)] = k22;
}

/* k2 t tᵀ + r (sine (û tᵀ + t ûᵀ) + cosine (I − û ûᵀ)) */
static mat3 own_block(double k2, double r, double sine, double cosine, vec3 u, vec3 t)
{
    mat3 ut = m3_outer(u, t);
    mat3 k = m3_madd(m3_scale(k2, m3_outer(t, t)), r * cosine, m3_project_out(u));
    return m3_madd(k, r * sine, m3_add(ut, m3_transpose(ut)));
}

static void exact_hessian(const bend_frame *f, const profile *w, mat3 *h)
{
    double over_sine = f->cosine > 0.0 && f->sine < BEAM_LEAST_SINE ? 1.0 : f->theta / max_of(f->sine, BEAM_LEAST_SINE);
    double r = w->ratio * over_sine, k2 = w->second - r * f->cosine;
    mat3 k11 = own_block(k2, r, f->sine, f->cosine, f->u1, f->t1);
    mat3 k22 = own_block(k2, r, -f->sine, f->cosine, f->u2, f->t2);
    mat3 k12 = m3_madd(m3_scale(k2, m3_outer(f->t1, f->t2)), r, m3_mul(m3_project_out(f->u1), m3_project_out(f->u2)));
    scatter_segments(m3_scale(1.0 / (f->len1 * f->len1), k11), m3_scale(-1.0 / (f->len1 * f->len2), k12),
                     m3_scale(1.0 / (f->len2 * f->len2), k22), h);
}

static void psd_hessian(const bend_frame *f, const profile *w, mat3 *h)
{
    double all = max_of(w->ratio, 0.0), plane = max_of(w->second - all, 0.0);
    mat3 p1 = m3_project_out(f->u1), p2 = m3_project_out(f->u2);
    mat3 k11 = m3_madd(m3_scale(all, p1), plane, m3_outer(f->t1, f->t1));
    mat3 k22 = m3_madd(m3_scale(all, p2), plane, m3_outer(f->t2, f->t2));
    mat3 k12 = m3_madd(m3_scale(all, m3_mul(p1, p2)), plane, m3_outer(f->t1, f->t2));
    scatter_segments(m3_scale(1.0 / (f->len1 * f->len1), k11), m3_scale(-1.0 / (f->len1 * f->len2), k12),
                     m3_scale(1.0 / (f->len2 * f->len2), k22), h);
}

static void clear_beam(vec3 *g, mat3 *h)
{
    for (int i = 0; g && i < 3; i++)
        g[i] = v3_zero();
    for (int i = 0; h && i < BLOCKS(3); i++)
        h[i] = m3_zero();
}

double beam_eval(const vec3 x[3], const beam_par *p, bool psd, vec3 *g, mat3 *h)
{
    bend_frame f;
    if (!beam_frame_of(x, &f)) {
        clear_beam(g, h);
        return 0.0;
    }
    profile w = profile_at(p, f.theta);
    if (g) {
        double slope = w.ratio * f.theta;
        g[0] = v3_scale(slope / f.len1, f.t1);
        g[2] = v3_scale(slope / f.len2, f.t2);
        g[1] = v3_neg(v3_add(g[0], g[2]));
    }
    if (h && psd)
        psd_hessian(&f, &w, h);
    else if (h)
        exact_hessian(&f, &w, h);
    return w.w;
}

double beam_angle(const vec3 x[3])
{
    bend_frame f;
    return beam_frame_of(x, &f) ? f.theta : 0.0;
}
