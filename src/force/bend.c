/* SPDX-License-Identifier: MIT */
/* Bending by the curvature tensor.
 *
 * A triangle sees a part φ_i of the angle θ_i over each of its edges, from its own plane to the normal at the middle
 * of the edge. With ℓ_i the edge's length, m_i the unit vector across it in the material and A the area, its curvature
 * is
 *
 *     Λ = Σ φ_i ℓ_i/A m_i m_iᵀ                    (the part of the surface's distributional curvature that it gets)
 *     E = ½ A (B₁ Λ_uu² + B₂ Λ_vv² + 2 √(B₁B₂) Λ_uv²)
 *
 * which is A/2 times the square of √B Λ √B with √B = diag(B₁^¼, B₂^¼) on both sides; and with φ_i = θ_i/2
 *
 *     q_ij = ℓ_i ℓ_j/(4A) (√B₁ m_iu m_ju + √B₂ m_iv m_jv)²
 *
 * At a border no moment acts: the angle there takes the value of least energy (release_border). Poisson's ratio is 0.
 * Source: Grinspun, Gingold, Reisman & Zorin 2006, "Computing discrete shape operators on general meshes", mid-edge
 * normals; as a plate element it is Morley's, or that of Hellan, Herrmann and Johnson with constant moments.
 *
 * Halves are right on regular meshes only. In general the normal at the middle of an edge is tilted, by an unknown of
 * each edge: φ = (θ − tilt)/2 with a tilt of one sign in each of its two triangles, and takes the value of least
 * energy: where both have the same moment across the edge. We keep θ/2 in the kernel and let the tilt move, by
 * bend_imbalance, outside of Newton's system; one sweep over all edges at a time is a step of Jacobi's method for a
 * matrix like a mass matrix: the 3×3 matrices q, scaled to a unit diagonal, have eigenvalues ≤ 3, so a factor below 2/3
 * lowers the energy on any mesh. Halves give the stiffer energy, a safe Hessian.
 *
 * Measured: deflection over that of the plate, linear, B₁ = B₂; strip 0.3 × 0.1 m under its weight clamped at one end
 * (wL⁴/8B), square under a corner load on three corners (twist: Pa²/2B), square simply supported under its weight; n
 * edges over 0.1 m (for the squares at most 18). Meshes, one each: jittered by 0.28 of the spacing, random diagonals;
 * jittered by 0.45, Delaunay; union jack.
 *                         jittered             Delaunay             union jack
 *               n     strip twist plate    strip twist plate    strip twist plate
 *   tilted      4     1.011 1.000 1.002    1.010 1.000 1.017    1.010 1.000 1.001
 *               8     1.003 1.000 1.003    1.003 1.000 1.003    1.002 1.000 1.000
 *              24     1.000 1.000 1.000    1.000 1.000 1.001    1.000 1.000 1.000
 *   halves     24     0.876 0.620 0.718    0.786 0.724 0.780    1.000 0.507 0.683     too stiff
 *   by height  24     0.906 0.628 0.740    0.870 0.777 0.847    1.000 0.507 0.683     θ h_A/(h_A + h_B) to A
 *   quadric    24     1.111 1.024 1.101    1.067 1.034 1.062    1.418 1.000 1.332     too soft (Delaunay: n = 16)
 *   hinges     24     0.983 0.415 0.598    0.958 0.588 0.810    1.222 0.500 0.752
 *
 * Quadric: the curvature for which the piecewise linear interpolant of a quadratic function shows the three angles. It
 * has the exact energy for every quadratic function on every mesh (halves: 1.2 to 1.8 times, jittered; 2, union jack),
 * and yet is too soft, as the minimiser does not stay with the interpolant: its moments are not in balance. It is also
 * singular where the six nodes lie on a conic; damping that (towards halves) made it softer still. Halves are in
 * balance but have the wrong energy. With the right tilts both hold. Starting from halves with one sweep per solve,
 * factor 0.6, the deflection lacks 11 to 49 % at first, then 5–23, 2–11 and 1–3 % after 2, 4 and 8 solves (union jack
 * twisted: 34, 17, 4). */
#include "force/bend.h"

#include "force/dihedral.h"
#include "force/params.h"

/* The nodes of angle i, in dihedral.h's order: the edge opposite node i, its triangle's apex and its neighbour's. */
static const int corner[3][4] = {{1, 2, 0, 3}, {2, 0, 1, 4}, {0, 1, 2, 5}};

static double angle_at(const vec3 x[6], int i, vec3 *g, mat3 *h)
{
    vec3 y[4] = {x[corner[i][0]], x[corner[i][1]], x[corner[i][2]], x[corner[i][3]]};
    return dihedral_eval(y, g, h);
}

void bend_angles(const vec3 x[6], int32_t present, double theta[3])
{
    for (int i = 0; i < 3; i++)
        theta[i] = present >> i & 1 ? angle_at(x, i, NULL, NULL) : 0.0;
}

/* What the angles say: their gradients d[node][angle], the moments ∂E/∂θ, and E. */
typedef struct bend_state {
    double energy;
    double moment[3];
    vec3 d[6][3];
} bend_state;

static void q_times(const double q[3][3], const double v[3], double out[3])
{
    for (int i = 0; i < 3; i++)
        out[i] = q[i][0] * v[0] + q[i][1] * v[1] + q[i][2] * v[2];
}

double bend_bent(const bend_par *p, const double theta[3], int i)
{
    return p->present >> i & 1 ? angle_difference(theta[i], p->rest[i]) - p->tilt[i] : 0.0;
}

static void bend_moments(const bend_par *p, const double theta[3], bend_state *s)
{
    double bent[3], turned[3], qb[3], qt[3];
    for (int i = 0; i < 3; i++) {
        bool here = p->present >> i & 1;
        bent[i] = bend_bent(p, theta, i);
        turned[i] = here ? angle_difference(theta[i], p->past[i]) : 0.0;
    }
    q_times(p->q, bent, qb);
    q_times(p->q, turned, qt);
    s->energy = 0.0;
    for (int i = 0; i < 3; i++) {
        s->moment[i] = qb[i] + p->drag * qt[i];
        s->energy += 0.5 * (bent[i] * qb[i] + p->drag * turned[i] * qt[i]);
    }
}

static void bend_gradient(const bend_state *s, vec3 *g)
{
    for (int n = 0; n < 3; n++) {
        g[n] = v3_scale(s->moment[0], s->d[n][0]);
        g[n] = v3_madd(g[n], s->moment[1], s->d[n][1]);
        g[n] = v3_madd(g[n], s->moment[2], s->d[n][2]);
        g[3 + n] = v3_scale(s->moment[n], s->d[3 + n][n]);
    }
}

/* Σ a_i b_iᵀ */
static mat3 outer_sum(const vec3 a[3], const vec3 b[3])
{
    vec3 rows[3] = {v3_scale(a[0].x, b[0]), v3_scale(a[0].y, b[0]), v3_scale(a[0].z, b[0])};
    for (int i = 1; i < 3; i++) {
        rows[0] = v3_madd(rows[0], a[i].x, b[i]);
        rows[1] = v3_madd(rows[1], a[i].y, b[i]);
        rows[2] = v3_madd(rows[2], a[i].z, b[i]);
    }
    return (mat3){{rows[0].x, rows[0].y, rows[0].z, rows[1].x, rows[1].y, rows[1].z, rows[2].x, rows[2].y, rows[2].z}};
}

/* (1 + drag) Σ q_ij ∇θ_i ∇θ_jᵀ. An outer node has one angle, so most blocks are a single product. */
static void hessian_of_moments(const bend_state *s, const bend_par *p, mat3 *h)
{
    for (int n = 0; n < 3; n++) {
        vec3 r[3]; /* row n of ∇θ q */
        for (int j = 0; j < 3; j++) {
            const double *q = p->q[j];
            vec3 sum = v3_madd(v3_madd(v3_scale(q[0], s->d[n][0]), q[1], s->d[n][1]), q[2], s->d[n][2]);
            r[j] = v3_scale(1.0 + p->drag, sum);
        }
        for (int m = n; m < 3; m++)
            h[block_of(6, n, m)] = outer_sum(r, s->d[m]);
        for (int j = 0; j < 3; j++)
            h[block_of(6, n, 3 + j)] = m3_outer(r[j], s->d[3 + j][j]);
    }
    for (int i = 0; i < 3; i++)
        for (int j = i; j < 3; j++)
            h[block_of(6, 3 + i, 3 + j)] =
                m3_outer(v3_scale((1.0 + p->drag) * p->q[i][j], s->d[3 + i][i]), s->d[3 + j][j]);
}

/* Adds moment ∇²θ_i. */
static void add_angle_hessian(const mat3 *of_angle, int i, double moment, mat3 *h)
{
    for (int a = 0; a < 4; a++) {
        for (int b = a; b < 4; b++) {
            int n = corner[i][a], m = corner[i][b];
            mat3 block = of_angle[block_of(4, a, b)];
            mat3 *to = &h[n <= m ? block_of(6, n, m) : block_of(6, m, n)];
            *to = m3_madd(*to, moment, n <= m ? block : m3_transpose(block));
        }
    }
}

double bend_eval_at(const vec3 x[6], const bend_par *p, bool known, double theta[3], vec3 *g, mat3 *h)
{
    bend_state s;
    bool slopes = g || h;
    for (int i = 0; i < 3; i++) {
        vec3 d[4] = {{0}}, y[4] = {x[corner[i][0]], x[corner[i][1]], x[corner[i][2]], x[corner[i][3]]};
        bool here = p->present >> i & 1;
        if (here && known && slopes)
            dihedral_slopes(y, d);
        if (!known)
            theta[i] = here ? dihedral_eval(y, slopes ? d : NULL, NULL) : 0.0;
        for (int k = 0; slopes && k < 4; k++)
            s.d[corner[i][k]][i] = d[k];
    }
    bend_moments(p, theta, &s);
    if (g)
        bend_gradient(&s, g);
    if (h)
        hessian_of_moments(&s, p, h);
    return s.energy;
}

static double eval_exact(const vec3 x[6], const bend_par *p, vec3 *g, mat3 *h)
{
    bend_state s;
    double theta[3] = {0};
    mat3 of_angle[3][BLOCKS(4)];
    for (int i = 0; i < 3; i++) {
        vec3 d[4] = {{0}};
        if (p->present >> i & 1)
            theta[i] = angle_at(x, i, d, of_angle[i]);
        for (int k = 0; k < 4; k++)
            s.d[corner[i][k]][i] = d[k];
    }
    bend_moments(p, theta, &s);
    if (g)
        bend_gradient(&s, g);
    hessian_of_moments(&s, p, h);
    for (int i = 0; i < 3; i++)
        if (p->present >> i & 1)
            add_angle_hessian(of_angle[i], i, s.moment[i], h);
    return s.energy;
}

double bend_eval(const vec3 x[6], const bend_par *p, bool psd, vec3 *g, mat3 *h)
{
    double theta[3];
    return h && !psd ? eval_exact(x, p, g, h) : bend_eval_at(x, p, false, theta, g, h);
}

void bend_pull(const vec3 x[6], const vec3 v[6], bend_par *p, double h, double theta[3], vec3 g[6])
{
    bend_state s;
    for (int i = 0; i < 3; i++) {
        vec3 d[4] = {{0}};
        double rate = 0.0;
        theta[i] = p->present >> i & 1 ? angle_at(x, i, d, NULL) : 0.0;
        for (int k = 0; k < 4; k++) {
            s.d[corner[i][k]][i] = d[k];
            rate += v3_dot(d[k], v[corner[i][k]]);
        }
        p->past[i] = theta[i] - h * rate;
    }
    bend_moments(p, theta, &s);
    bend_gradient(&s, g);
}

/* Minimises ½ Σ q_ij θ_i θ_j over θ_k, the angle at a border, where no moment acts. */
static void release_border(double q[3][3], int k)
{
    double column[3] = {q[0][k], q[1][k], q[2][k]};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            q[i][j] = i == k || j == k || !(column[k] > 0.0) ? 0.0 : q[i][j] - column[i] * column[j] / column[k];
}

bool bend_stiffness(const vec2 uv[6], int32_t present, double b_warp, double b_weft, double twist, bend_par *p)
{
    double nu[3], nv[3], len[3]; /* ℓ m: each edge turned by a quarter */
    for (int i = 0; i < 3; i++) {
        nu[i] = uv[corner[i][1]].v - uv[corner[i][0]].v;
        nv[i] = uv[corner[i][0]].u - uv[corner[i][1]].u;
        len[i] = sqrt(nu[i] * nu[i] + nv[i] * nv[i]);
    }
    double area = 0.5 * fabs(nu[0] * nv[1] - nv[0] * nu[1]), root1 = sqrt(b_warp), root2 = sqrt(b_weft);
    p->present = present & 7;
    if (!(area > BEND_FLATTEST * len[0] * len[1]))
        return false;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            double u = root1 * nu[i] * nu[j], v = root2 * nv[i] * nv[j];
            p->q[i][j] = (twist * (u + v) * (u + v) + (1 - twist) * (u * u + v * v)) / (4.0 * area * len[i] * len[j]);
        }
    }
    for (int i = 0; i < 3; i++)
        if (!(present >> i & 1))
            release_border(p->q, i);
    return true;
}

double bend_imbalance(const bend_par *a, const double theta_a[3], int i, const bend_par *b, const double theta_b[3],
                      int j)
{
    double sum = a->q[i][i] + b->q[j][j], moment = 0.0;
    for (int k = 0; k < 3; k++) {
        moment += a->q[i][k] * bend_bent(a, theta_a, k);
        moment -= b->q[j][k] * bend_bent(b, theta_b, k);
    }
    return sum > 0.0 ? moment / sum : 0.0;
}
