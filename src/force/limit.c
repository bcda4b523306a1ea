/* SPDX-License-Identifier: MIT */
/* The stiffening term of limit.h with its first two derivatives. */
#include "force/limit.h"

#include "force/params.h"

/* With r = 1/(1 − t):  g = t³ r/3,  g' = t² (3 − 2t) r²/3,  g'' = 2 (r³ − 1)/3.
 * Written by t, g'' = 2t (3 − 3t + t²) r³/3, which keeps its digits where t is small. */
limit_term limit_eval(double s, double limit)
{
    double delta = (1.0 - LIMIT_ONSET) * (limit - 1.0);
    double t = s - (1.0 + LIMIT_ONSET * (limit - 1.0));
    if (!(delta > 0.0) || !(t > 0.0))
        return (limit_term){0.0, 0.0, 0.0};
    t /= delta;
    double beyond = t > LIMIT_KNEE ? t - LIMIT_KNEE : 0.0;
    t = t > LIMIT_KNEE ? LIMIT_KNEE : t;
    double r = 1.0 / (1.0 - t), third = 1.0 / 3.0;
    double value = third * t * t * t * r;
    double slope = third * t * t * (3.0 - 2.0 * t) * r * r;
    double curvature = third * 2.0 * t * (3.0 - 3.0 * t + t * t) * r * r * r;
    return (limit_term){delta * delta * (value + beyond * (slope + 0.5 * beyond * curvature)),
                        delta * (slope + beyond * curvature), curvature};
}
