/* SPDX-License-Identifier: MIT */
/* Constant strain on a triangle: F = [F_u F_v] is linear in the positions, the energy a function of F alone.
 * With the stresses σ_i = ∂ψ/∂s_i (per area), û = F_u/|F_u|, v̂ = F_v/|F_v|:
 *     ∂ψ/∂F_u = σ₁ û + σ₃ F_v,    ∂ψ/∂F_v = σ₂ v̂ + σ₃ F_u,
 * and the second derivatives, 2×2 blocks of 3×3 by (F_u, F_v), are
 *     Σ_ij (∂σ_i/∂s_j) ∇s_i ∇s_jᵀ  +  σ₁ (I − ûûᵀ)/|F_u|  +  σ₂ (I − v̂v̂ᵀ)/|F_v|  +  σ₃ [0 I; I 0].
 * The strains are those of Baraff and Witkin (1998, §4.2 and 4.3), coupled by c12; their energy goes with the area
 * squared and so depends on the mesh, ours goes with the area.
 *
 * The psd Hessian keeps the first sum (the moduli are positive definite) and the positive part of each of the
 * others: σ₁ and σ₂ where they pull, and ½ [|σ₃| I, σ₃ I; σ₃ I, |σ₃| I] of the shear, whose eigenvalues are ±σ₃.
 *
 * Where |F_u| vanishes û has no direction; it is taken as zero, and the Hessian there as the modulus times I, as in
 * spring.c.
 *
 * Only differences of positions enter (bu and bv sum to zero): far from the origin no digits are lost, and
 * node 0 gets what makes the sums zero. */
#include "force/membrane.h"

#include "force/limit.h"
#include "force/params.h"

typedef struct frame {
    vec3 fu, fv; /* images of the unit vectors along warp and weft */
    double lu, lv;
    double s[3];
} frame;

static inline frame membrane_frame_of(const vec3 x[3], const membrane_par *p)
{
    frame f;
    vec3 d1 = v3_sub(x[1], x[0]), d2 = v3_sub(x[2], x[0]);
    f.fu = v3_madd(v3_scale(p->bu[1], d1), p->bu[2], d2);
    f.fv = v3_madd(v3_scale(p->bv[1], d1), p->bv[2], d2);
    f.lu = v3_len(f.fu);
    f.lv = v3_len(f.fv);
    f.s[0] = f.lu - 1.0;
    f.s[1] = f.lv - 1.0;
    f.s[2] = v3_dot(f.fu, f.fv);
    return f;
}

void membrane_strain(const vec3 x[3], const membrane_par *p, double s[3])
{
    frame f = membrane_frame_of(x, p);
    for (int i = 0; i < 3; i++)
        s[i] = f.s[i];
}

/* What the frame does per area. */
typedef struct response {
    double energy;
    double stress[3];
    double k11, k12, k22, k33; /* ∂σ_i/∂s_j */
} response;

static inline double quadratic_form(const membrane_par *p, const double s[3])
{
    return 0.5 * (p->c11 * s[0] * s[0] + 2.0 * p->c12 * s[0] * s[1] + p->c22 * s[1] * s[1] + p->c33 * s[2] * s[2]);
}

static inline response response_of(const membrane_par *p, const frame *f)
{
    response r;
    limit_term warp = {0.0, 0.0, 0.0}, weft = {0.0, 0.0, 0.0};
    if (p->limit > 0.0) {
        warp = limit_eval(f->lu, p->limit);
        weft = limit_eval(f->lv, p->limit);
    }
    double moved[3], t[3], rise = 1.0 + p->drag;
    for (int i = 0; i < 3; i++) {
        moved[i] = f->s[i] - p->past[i];
        t[i] = f->s[i] + p->drag * moved[i];
    }
    r.energy = quadratic_form(p, f->s) + p->drag * quadratic_form(p, moved) + p->c11 * warp.value + p->c22 * weft.value;
    r.stress[0] = p->c11 * (t[0] + warp.slope) + p->c12 * t[1];
    r.stress[1] = p->c22 * (t[1] + weft.slope) + p->c12 * t[0];
    r.stress[2] = p->c33 * t[2];
    r.k11 = p->c11 * (rise + warp.curvature);
    r.k12 = p->c12 * rise;
    r.k22 = p->c22 * (rise + weft.curvature);
    r.k33 = p->c33 * rise;
    return r;
}

/* along · u uᵀ + across (I − u uᵀ) + shear · f fᵀ. Written out: symmetric to the last bit, and quick. */
static inline mat3 diagonal_block(double along, double across, vec3 u, double shear, vec3 f)
{
    vec3 s = v3_scale(along - across, u), t = v3_scale(shear, f);
    double xy = s.x * u.y + t.x * f.y, xz = s.x * u.z + t.x * f.z, yz = s.y * u.z + t.y * f.z;
    double xx = s.x * u.x + t.x * f.x, yy = s.y * u.y + t.y * f.y, zz = s.z * u.z + t.z * f.z;
    return (mat3){{across + xx, xy, xz, xy, across + yy, yz, xz, yz, across + zz}};
}

/* a · u vᵀ + b · f gᵀ + c I */
static inline mat3 cross_block(double a, vec3 u, vec3 v, double b, vec3 f, vec3 g, double c)
{
    vec3 s = v3_scale(a, u), t = v3_scale(b, f);
    return (mat3){{s.x * v.x + t.x * g.x + c, s.x * v.y + t.x * g.y, s.x * v.z + t.x * g.z, s.y * v.x + t.y * g.x,
                   s.y * v.y + t.y * g.y + c, s.y * v.z + t.y * g.z, s.z * v.x + t.z * g.x, s.z * v.y + t.z * g.y,
                   s.z * v.z + t.z * g.z + c}};
}

static inline double over_length(double stress, double length, double modulus, bool psd)
{
    double q = length > FORCE_SHORTEST ? stress / length : modulus;
    return psd && q < 0.0 ? 0.0 : q;
}

/* From the blocks by F to those by x: F_u = Σ bu_i x_i and F_v = Σ bv_i x_i, node 0 by the zero sums. */
static inline void hessian_by_nodes(const membrane_par *p, const mat3 *uu, const mat3 *uv, const mat3 *vv,
                                    mat3 *restrict h)
{
    double a = p->area, u1 = p->bu[1], u2 = p->bu[2], v1 = p->bv[1], v2 = p->bv[2];
    double uu11 = a * u1 * u1, uv11 = a * u1 * v1, vv11 = a * v1 * v1;
    double uu22 = a * u2 * u2, uv22 = a * u2 * v2, vv22 = a * v2 * v2;
    double uu12 = a * u1 * u2, uv12 = a * u1 * v2, uv21 = a * u2 * v1, vv12 = a * v1 * v2;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            int k = 3 * i + j;
            double m = uu->m[k], n = uv->m[k], nt = uv->m[3 * j + i], o = vv->m[k];
            double h11 = uu11 * m + uv11 * (n + nt) + vv11 * o;
            double h22 = uu22 * m + uv22 * (n + nt) + vv22 * o;
            double even = uu12 * m + vv12 * o;
            double h12 = even + (uv12 * n + uv21 * nt), h21 = even + (uv12 * nt + uv21 * n);
            h[0].m[k] = (h11 + h22) + (h12 + h21);
            h[1].m[k] = -(h11 + h21);
            h[2].m[k] = -(h12 + h22);
            h[3].m[k] = h11;
            h[4].m[k] = h12;
            h[5].m[k] = h22;
        }
    }
}

static inline void membrane_hessian(const membrane_par *p, const frame *f, const response *r, vec3 u, vec3 v, bool psd,
                                    mat3 *h)
{
    double across_u = over_length(r->stress[0], f->lu, r->k11, psd);
    double across_v = over_length(r->stress[1], f->lv, r->k22, psd);
    double cross = psd ? 0.5 * r->stress[2] : r->stress[2], twist = psd ? fabs(cross) : 0.0;
    mat3 uu = diagonal_block(r->k11 + twist, across_u + twist, u, r->k33, f->fv);
    mat3 vv = diagonal_block(r->k22 + twist, across_v + twist, v, r->k33, f->fu);
    mat3 uv = cross_block(r->k12, u, v, r->k33, f->fv, f->fu, cross);
    hessian_by_nodes(p, &uu, &uv, &vv, h);
}

double membrane_eval(const vec3 x[3], const membrane_par *p, bool psd, vec3 *g, mat3 *h)
{
    frame f = membrane_frame_of(x, p);
    response r = response_of(p, &f);
    vec3 u = v3_scale(f.lu > FORCE_SHORTEST ? 1.0 / f.lu : 0.0, f.fu);
    vec3 v = v3_scale(f.lv > FORCE_SHORTEST ? 1.0 / f.lv : 0.0, f.fv);
    if (g) {
        vec3 by_u = v3_scale(p->area, v3_madd(v3_scale(r.stress[0], u), r.stress[2], f.fv));
        vec3 by_v = v3_scale(p->area, v3_madd(v3_scale(r.stress[1], v), r.stress[2], f.fu));
        g[1] = v3_madd(v3_scale(p->bu[1], by_u), p->bv[1], by_v);
        g[2] = v3_madd(v3_scale(p->bu[2], by_u), p->bv[2], by_v);
        g[0] = v3_neg(v3_add(g[1], g[2]));
    }
    if (h)
        membrane_hessian(p, &f, &r, u, v, psd, h);
    return p->area * r.energy;
}

bool membrane_rest(const vec2 uv[3], membrane_par *p)
{
    double u1 = uv[1].u - uv[0].u, u2 = uv[2].u - uv[0].u;
    double v1 = uv[1].v - uv[0].v, v2 = uv[2].v - uv[0].v;
    double det = u1 * v2 - u2 * v1;
    double longest_sq =
        max_of(max_of(u1 * u1 + v1 * v1, u2 * u2 + v2 * v2), (u2 - u1) * (u2 - u1) + (v2 - v1) * (v2 - v1));
    if (!(fabs(det) > MEMBRANE_FLATTEST * longest_sq))
        return false;
    p->bu[1] = v2 / det;
    p->bu[2] = -v1 / det;
    p->bu[0] = -(p->bu[1] + p->bu[2]);
    p->bv[1] = -u2 / det;
    p->bv[2] = u1 / det;
    p->bv[0] = -(p->bv[1] + p->bv[2]);
    p->area = 0.5 * fabs(det);
    return true;
}

void membrane_moduli(double e_warp, double e_weft, double shear, double poisson, membrane_par *p)
{
    double s = 1.0 / (1.0 - poisson * poisson);
    p->c11 = s * e_warp;
    p->c22 = s * e_weft;
    p->c12 = s * poisson * sqrt(e_warp * e_weft);
    p->c33 = shear;
}
