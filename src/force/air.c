/* SPDX-License-Identifier: MIT */
/* The triangle moves as its mean velocity: every node carries a third, and all blocks of the Hessian are alike. By w,
 *     ∂D/∂w   = a [ drag |w_n| w_n n + skin |w_t| w_t + viscosity w ]
 *     ∂²D/∂w² = a [ 2 drag |w_n| n nᵀ + skin (|w_t| (I − n nᵀ) + w_t w_tᵀ/|w_t|) + viscosity I ],
 * a sum of positive semi-definite parts. |w|³ is twice differentiable at 0; only w_t/|w_t| must be kept from 0/0. */
#include "force/air.h"

#include "force/params.h"

double air_push(const vec3 v[3], const air_par *p, vec3 *g, mat3 *h)
{
    double area = v3_len(p->area);
    vec3 n = v3_scale(area > FORCE_SHORTEST ? 1.0 / area : 0.0, p->area);
    vec3 w = v3_sub(v3_scale(1.0 / 3.0, v3_add(v3_add(v[0], v[1]), v[2])), p->wind);
    double wn = v3_dot(w, n), speed_n = fabs(wn);
    vec3 wt = v3_madd(w, -wn, n);
    double speed_t = v3_len(wt);
    if (g) {
        vec3 by_w = v3_madd(v3_scale(p->drag * speed_n * wn, n), p->skin * speed_t, wt);
        *g = v3_scale(area / 3.0, v3_madd(by_w, p->viscosity, w));
    }
    if (h) {
        double flow = p->skin * speed_t, turn = speed_t > FORCE_SHORTEST ? p->skin / speed_t : 0.0;
        mat3 b = m3_madd(m3_scaled_identity(flow + p->viscosity), 2.0 * p->drag * speed_n - flow, m3_outer(n, n));
        *h = m3_scale(area / 9.0, m3_madd(b, turn, m3_outer(wt, wt)));
    }
    return area * ((p->drag * speed_n * speed_n * speed_n + p->skin * speed_t * speed_t * speed_t) / 3.0 +
                   0.5 * p->viscosity * v3_len_sq(w));
}

double air_eval(const vec3 v[3], const air_par *p, vec3 *g, mat3 *h)
{
    double e = air_push(v, p, g, h);
    for (int i = 1; g && i < 3; i++)
        g[i] = g[0];
    for (int i = 1; h && i < BLOCKS(3); i++)
        h[i] = h[0];
    return e;
}
