/* SPDX-License-Identifier: MIT */
/* With θ the angle below the level, s from the clamp and w the weight, the balance of moments is
 *     B θ'' = −w (L − s) cos θ,   θ(0) = 0,   θ'(L) = 0.
 * Integrated from the free end by Runge's and Kutta's fourth-order method; the angle there is found by bisection: θ at
 * the clamp rises with it as long as no part hangs beyond the vertical. */
#include "physics/elastica.h"

#include <math.h>

#define PARTS 2000

typedef struct point {
    double theta, slope, drop, reach;
} point;

/* By σ = L − s, from the free end. */
static point rate(const point *p, double sigma, double load)
{
    return (point){p->slope, -load * sigma * cos(p->theta), sin(p->theta), cos(p->theta)};
}

static point ahead(const point *p, double h, const point *k)
{
    return (point){p->theta + h * k->theta, p->slope + h * k->slope, p->drop + h * k->drop, p->reach + h * k->reach};
}

/* From the free end at angle θ to the clamp. */
static point shoot(double theta, double length, double load)
{
    point p = {theta, 0, 0, 0};
    double h = length / PARTS;
    for (int i = 0; i < PARTS; i++) {
        double s = i * h;
        point k1 = rate(&p, s, load), p2 = ahead(&p, 0.5 * h, &k1);
        point k2 = rate(&p2, s + 0.5 * h, load), p3 = ahead(&p, 0.5 * h, &k2);
        point k3 = rate(&p3, s + 0.5 * h, load), p4 = ahead(&p, h, &k3);
        point k4 = rate(&p4, s + h, load);
        p = ahead(&p, h / 6, &k1);
        p = ahead(&p, h / 3, &k2);
        p = ahead(&p, h / 3, &k3);
        p = ahead(&p, h / 6, &k4);
    }
    return p;
}

elastica elastica_tip(double length, double weight, double rigidity)
{
    double low = 0, high = 1.5707963267948966, load = weight / rigidity;
    for (int i = 0; i < 60; i++) {
        double mid = 0.5 * (low + high);
        if (shoot(mid, length, load).theta < 0)
            low = mid;
        else
            high = mid;
    }
    point p = shoot(0.5 * (low + high), length, load);
    return (elastica){p.drop, p.reach};
}
