/* SPDX-License-Identifier: MIT */
/* The dihedral angle and its first two derivatives.
 *
 * θ depends on e = x1 − x0, a = x2 − x0 and b = x3 − x0. Each side of the edge is described by its unit normal n, the
 * unit vector m across the edge towards the apex, the apex's height h over the edge and the foot s of that height, so
 * that a = s e + h m:
 *
 *          x2          lifting x2 by n δ turns its triangle by δ/h about the edge: ∂θ/∂a = −n/h,
 *          |  h        lifting the foot, at s, does the opposite: ∂θ/∂e = s n/h (summed over both sides)
 *     x0 --s---- x1
 *
 * Differentiating once more with dn = −m (n·da)/h, dh = m·da under da, and dn = (n·de)(s m/h − ê/ℓ), dh = −s m·de,
 * ds = (h m − s ℓ ê)·de/ℓ² under de gives, with S = n mᵀ + m nᵀ, for each side
 *
 *     θ_aa = S/h²      θ_ea = n êᵀ/(ℓh) − s S/h²      θ_ee = (1/(2ℓ²) + s²/h²) S − s (n êᵀ + ê nᵀ)/(ℓh)
 *
 * and θ_ab = 0. (One side alone has n mᵀ/ℓ² in θ_ee; its skew part is a constant of the plane across the edge and
 * cancels the other side's, hence the half of S.) Tamstorf & Grinspun 2013, "Discrete bending forces and their
 * Jacobians", have the same derivatives in terms of the triangles' angles; the derivation here is our own.
 *
 * The angle is atan2(−|e| N_A·b, N_A·N_B): the first equals (N_A × N_B)·ê, without its second cancellation. */
#include "force/dihedral.h"

#include "force/params.h"

/* One side of the edge, see above. */
typedef struct side {
    vec3 n, m;
    double inv_h, s;
} side;

/* `normal` as long as twice the area; apex relative to x0. */
static bool hinge_side_of(vec3 e, double len_sq, vec3 apex, vec3 normal, side *out)
{
    double area_sq = v3_len_sq(normal);
    if (!(area_sq > DIHEDRAL_FLAT_SINE * DIHEDRAL_FLAT_SINE * len_sq * v3_len_sq(apex)))
        return false;
    double inv_area = 1.0 / sqrt(area_sq);
    out->n = v3_scale(inv_area, normal);
    out->inv_h = sqrt(len_sq) * inv_area;
    out->s = v3_dot(apex, e) / len_sq;
    out->m = v3_scale(out->inv_h, v3_madd(apex, -out->s, e));
    return true;
}

static mat3 symmetric_outer(vec3 a, vec3 b)
{
    mat3 r = m3_outer(a, b);
    return m3_add(r, m3_transpose(r));
}

/* Adds one side's second derivatives; its apex is node k. */
static void add_side_hessian(const side *sd, vec3 unit, double inv_len, int k, mat3 *h)
{
    double s = sd->s, r = 1.0 - s, hh = sd->inv_h * sd->inv_h, ll = 0.5 * inv_len * inv_len;
    mat3 curl = symmetric_outer(sd->n, sd->m);
    mat3 ne = m3_scale(inv_len * sd->inv_h, m3_outer(sd->n, unit)), en = m3_transpose(ne);
    mat3 *h00 = &h[block_of(4, 0, 0)], *h01 = &h[block_of(4, 0, 1)], *h11 = &h[block_of(4, 1, 1)];
    /* e = x1 − x0 and a = x_k − x0: node 1 has θ_ee, node k θ_aa, and node 0 what makes each row sum vanish. */
    *h00 = m3_madd(m3_madd(m3_madd(*h00, ll + r * r * hh, curl), r, ne), r, en);
    *h01 = m3_madd(m3_madd(m3_madd(*h01, s * r * hh - ll, curl), s, ne), -r, en);
    *h11 = m3_madd(m3_madd(m3_madd(*h11, ll + s * s * hh, curl), -s, ne), -s, en);
    h[block_of(4, 0, k)] = m3_madd(m3_scale(-r * hh, curl), -1.0, ne);
    h[block_of(4, 1, k)] = m3_madd(m3_scale(-s * hh, curl), 1.0, ne);
    h[block_of(4, k, k)] = m3_scale(hh, curl);
}

static void dihedral_gradient(const side *a, const side *b, vec3 g[4])
{
    g[2] = v3_scale(-a->inv_h, a->n);
    g[3] = v3_scale(-b->inv_h, b->n);
    g[1] = v3_madd(v3_scale(-a->s, g[2]), -b->s, g[3]);
    g[0] = v3_neg(v3_add(g[1], v3_add(g[2], g[3])));
}

static void clear_dihedral(vec3 *g, mat3 *h)
{
    for (int i = 0; g && i < 4; i++)
        g[i] = v3_zero();
    for (int i = 0; h && i < BLOCKS(4); i++)
        h[i] = m3_zero();
}

/* What angle and derivatives are made of. */
typedef struct hinge_frame {
    vec3 e, a, b, normal_a, normal_b;
    double len_sq;
} hinge_frame;

static hinge_frame hinge_frame_of(const vec3 x[4])
{
    hinge_frame f = {.e = v3_sub(x[1], x[0]), .a = v3_sub(x[2], x[0]), .b = v3_sub(x[3], x[0])};
    f.normal_a = v3_cross(f.e, f.a);
    f.normal_b = v3_cross(f.b, f.e);
    f.len_sq = v3_len_sq(f.e);
    return f;
}

static void hinge_slopes_of(const hinge_frame *f, vec3 *g, mat3 *h)
{
    side sa, sb;
    if (!hinge_side_of(f->e, f->len_sq, f->a, f->normal_a, &sa) ||
        !hinge_side_of(f->e, f->len_sq, f->b, f->normal_b, &sb)) {
        clear_dihedral(g, h);
        return;
    }
    if (g)
        dihedral_gradient(&sa, &sb, g);
    if (h) {
        double len = sqrt(f->len_sq);
        clear_dihedral(NULL, h);
        add_side_hessian(&sa, v3_scale(1.0 / len, f->e), 1.0 / len, 2, h);
        add_side_hessian(&sb, v3_scale(1.0 / len, f->e), 1.0 / len, 3, h);
    }
}

double dihedral_eval(const vec3 x[4], vec3 g[4], mat3 *h)
{
    hinge_frame f = hinge_frame_of(x);
    double theta = weft_atan2(-sqrt(f.len_sq) * v3_dot(f.normal_a, f.b), v3_dot(f.normal_a, f.normal_b));
    if (g || h)
        hinge_slopes_of(&f, g, h);
    return theta;
}

void dihedral_slopes(const vec3 x[4], vec3 g[4])
{
    hinge_frame f = hinge_frame_of(x);
    hinge_slopes_of(&f, g, NULL);
}

double dihedral_angle(const vec3 x[4])
{
    return dihedral_eval(x, NULL, NULL);
}
