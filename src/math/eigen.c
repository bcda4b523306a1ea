/* SPDX-License-Identifier: MIT */
/* Rotations in the planes (0,1), (0,2), (1,2) in turn, each of which makes one off-diagonal entry zero; they converge
 * quadratically (Golub and Van Loan, Matrix Computations, §8.5), 6 sweeps are plenty for 3×3 in double. */
#include "math/eigen.h"

#include "math/params.h"

/* cos and sin of the rotation that makes a_pq zero: of the two the one by 45° at most. */
static void rotation(double app, double aqq, double apq, double *c, double *s)
{
    double tau = (aqq - app) / (2 * apq);
    double t = (tau >= 0 ? 1.0 : -1.0) / (fabs(tau) + sqrt(1 + tau * tau));
    *c = 1 / sqrt(1 + t * t);
    *s = t * *c;
}

/* a ← Jᵀ a J, v ← v J */
static void rotate(double a[3][3], double v[3][3], int p, int q)
{
    double c, s;
    if (a[p][q] == 0)
        return;
    rotation(a[p][p], a[q][q], a[p][q], &c, &s);
    for (int k = 0; k < 3; k++) {
        double kp = a[k][p], kq = a[k][q], vp = v[k][p], vq = v[k][q];
        a[k][p] = c * kp - s * kq;
        a[k][q] = s * kp + c * kq;
        v[k][p] = c * vp - s * vq;
        v[k][q] = s * vp + c * vq;
    }
    for (int k = 0; k < 3; k++) {
        double pk = a[p][k], qk = a[q][k];
        a[p][k] = c * pk - s * qk;
        a[q][k] = s * pk + c * qk;
    }
    a[p][q] = a[q][p] = 0;
}

eigen3 eigen3_symmetric(mat3 m)
{
    double a[3][3], v[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    for (int i = 0; i < 9; i++)
        a[i / 3][i % 3] = m.m[i];
    for (int sweep = 0; sweep < EIGEN_SWEEPS; sweep++) {
        rotate(a, v, 0, 1);
        rotate(a, v, 0, 2);
        rotate(a, v, 1, 2);
    }
    eigen3 e;
    for (int k = 0; k < 3; k++) {
        e.value[k] = a[k][k];
        e.vector[k] = v3(v[0][k], v[1][k], v[2][k]);
    }
    return e;
}

vec3 eigen3_pseudo_solve(mat3 a, vec3 v, double cut)
{
    eigen3 e = eigen3_symmetric(a);
    double largest = max_of(fabs(e.value[0]), max_of(fabs(e.value[1]), fabs(e.value[2])));
    vec3 x = v3_zero();
    for (int k = 0; k < 3; k++)
        if (fabs(e.value[k]) > cut * largest)
            x = v3_madd(x, v3_dot(e.vector[k], v) / e.value[k], e.vector[k]);
    return x;
}
