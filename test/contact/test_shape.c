/* SPDX-License-Identifier: MIT */
/* Rounding: coordinates here are below 2 m, so a distance carries an error below 16 ulp(2) < 1e-14 (ROUND). */
#include "contact/collider/shape.h"

#include <float.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "dice.h"

#define ROUND 1e-14
#define COUNT(a) ((int)(sizeof(a) / sizeof((a)[0])))

static const shape SHAPES[] = {
    {SHAPE_PLANE, 0, 0, {0, 0, 0}},      {SHAPE_SPHERE, 0.1, 0, {0, 0, 0}},      {SHAPE_CAPSULE, 0.05, 0.1, {0, 0, 0}},
    {SHAPE_CAPSULE, 0.08, 0, {0, 0, 0}}, {SHAPE_CYLINDER, 0.07, 0.1, {0, 0, 0}}, {SHAPE_CYLINDER, 0.2, 0.01, {0, 0, 0}},
    {SHAPE_CYLINDER, 0.1, 0, {0, 0, 0}}, {SHAPE_CYLINDER, 0, 0.1, {0, 0, 0}},    {SHAPE_BOX, 0, 0, {0.1, 0.07, 0.05}},
    {SHAPE_BOX, 0, 0, {0.1, 0.1, 0.1}},  {SHAPE_BOX, 0, 0, {0.1, 0, 0.2}},
};

static vec3 direction(void)
{
    return v3_unit_or(in_cube(1), v3(0, 0, 1));
}

static double decade(double low, double high)
{
    int n = (int)uniform(low, high + 1);
    double r = uniform(1, 10);
    for (; n < 0; n++)
        r /= 10;
    return r;
}

/* ---- distance ---- */

static double sd(const shape *s, vec3 x)
{
    return shape_distance(s, x).distance;
}

/* Near the surface, inside, outside, and on the solids' planes and axes of symmetry. */
static vec3 some_point(const shape *s, int i)
{
    vec3 x = in_cube(0.3);
    if (i % 3 == 1) {
        shape_near near = shape_distance(s, x);
        x = v3_madd(x, -near.distance + uniform(-0.01, 0.01), near.normal);
    }
    if (i % 5 == 1)
        x.x = 0;
    if (i % 7 == 1)
        x.z = 0;
    if (i % 11 == 1)
        x.y = 0;
    return x;
}

/* A point of the surface, (u, v) in [0, 1]² of one of six patches; patches cover the surface, some more than once. */
static vec3 surface_point(const shape *s, int patch, double u, double v)
{
    double up = patch % 2 ? -1 : 1, a = 2 * u - 1, b = 2 * v - 1;
    vec3 n = v3(a, up, b);
    n = patch / 2 == 0 ? v3(up, a, b) : patch / 2 == 1 ? n : v3(a, b, up);
    vec3 flat = v3_unit_or(v3(n.x, 0, n.z), v3(1, 0, 0));
    switch (s->kind) {
    case SHAPE_PLANE: return v3(a, 0, b);
    case SHAPE_SPHERE: return v3_scale(s->radius, v3_unit_or(n, n));
    case SHAPE_CAPSULE:
        if (s->half_height == 0)
            return v3_scale(s->radius, v3_unit_or(n, n));
        if (patch / 2 == 1) { /* ends: squares to domes */
            vec3 p = v3_scale(s->radius, v3_unit_or(v3(2 * a, up, 2 * b), n));
            return v3(p.x, p.y + up * s->half_height, p.z);
        }
        if (fabs(n.y) > 0.5) { /* the rest of the domes */
            vec3 p = v3_scale(s->radius, v3_unit_or(v3(n.x, 4 * n.y - (n.y < 0 ? -2 : 2), n.z), n));
            return v3(p.x, p.y + (n.y < 0 ? -1 : 1) * s->half_height, p.z);
        }
        return v3(s->radius * flat.x, 2 * n.y * s->half_height, s->radius * flat.z);
    case SHAPE_CYLINDER:
        if (patch / 2 == 1) { /* square to disc: scale by the largest coordinate */
            double reach = s->radius * fmax(fabs(a), fabs(b));
            return v3(reach * flat.x, up * s->half_height, reach * flat.z);
        }
        return v3(s->radius * flat.x, n.y * s->half_height, s->radius * flat.z);
    case SHAPE_BOX: return v3(n.x * s->half.x, n.y * s->half.y, n.z * s->half.z);
    }
    return n;
}

/* Least distance to a grid of surface points, refined where it is least: the patches are smooth or nearly so. */
static double sampled_distance(const shape *s, vec3 x)
{
    enum { N = 12 };
    double least = DBL_MAX;
    for (int patch = 0; patch < 6; patch++) {
        double u0 = 0, v0 = 0, size = 1;
        for (int level = 0; level < 12; level++) {
            double bu = 0, bv = 0, here = DBL_MAX;
            for (int k = 0; k <= N * (N + 2); k++) {
                double u = fmin(fmax(u0 + size * (k % (N + 1)) / N, 0), 1);
                double v = fmin(fmax(v0 + size * (k / (N + 1)) / N, 0), 1);
                double d = v3_len(v3_sub(x, surface_point(s, patch, u, v)));
                if (d < here) {
                    here = d;
                    bu = u;
                    bv = v;
                }
            }
            least = fmin(least, here);
            size *= 0.4;
            u0 = bu - size / 2;
            v0 = bv - size / 2;
        }
    }
    return least;
}

/* Sampling can only overestimate. Cells of the last level are 0.4¹¹/12 = 3.5e-6 wide, a patch is stretched to at most
 * 2 m: a sample within 5e-6 m of the nearest point (half a cell each way). */
static void distance_is_that_of_the_nearest_surface_sample(void **state)
{
    (void)state;
    for (int k = 0; k < COUNT(SHAPES); k++)
        for (int i = 0; i < 40; i++) {
            vec3 x = some_point(&SHAPES[k], i);
            double d = fabs(sd(&SHAPES[k], x)), sampled = sampled_distance(&SHAPES[k], x);
            assert_true(d <= sampled + ROUND);
            assert_true(sampled <= d + 5e-6);
        }
}

static bool is_inside(const shape *s, vec3 x)
{
    double rho = sqrt(x.x * x.x + x.z * x.z);
    switch (s->kind) {
    case SHAPE_PLANE: return x.y < 0;
    case SHAPE_SPHERE: return v3_len(x) < s->radius;
    case SHAPE_CAPSULE: return v3_len(v3(x.x, fmax(fabs(x.y) - s->half_height, 0), x.z)) < s->radius;
    case SHAPE_CYLINDER: return rho < s->radius && fabs(x.y) < s->half_height;
    case SHAPE_BOX: return fabs(x.x) < s->half.x && fabs(x.y) < s->half.y && fabs(x.z) < s->half.z;
    }
    return false;
}

static void sign_tells_inside_from_outside_and_the_foot_is_on_the_surface(void **state)
{
    (void)state;
    for (int k = 0; k < COUNT(SHAPES); k++)
        for (int i = 0; i < 20000; i++) {
            vec3 x = some_point(&SHAPES[k], i);
            shape_near near = shape_distance(&SHAPES[k], x);
            assert_true((near.distance < 0) == is_inside(&SHAPES[k], x) || fabs(near.distance) < ROUND);
            assert_true(fabs(v3_len(near.normal) - 1) < 1e-15);
            assert_true(fabs(sd(&SHAPES[k], v3_madd(x, -near.distance, near.normal))) < ROUND);
        }
}

/* For a convex function every subgradient lies between the backward and the forward difference, kinks or not. Rounding
 * of the difference: ROUND / step. Where both agree it is the gradient: almost everywhere. */
static void normal_lies_between_one_sided_differences(void **state)
{
    (void)state;
    const double step = 1e-6;
    int n = 0, n_smooth = 0;
    for (int k = 0; k < COUNT(SHAPES); k++)
        for (int i = 0; i < 5000; i++) {
            vec3 x = some_point(&SHAPES[k], i), e = direction();
            shape_near near = shape_distance(&SHAPES[k], x);
            double forward = (sd(&SHAPES[k], v3_madd(x, step, e)) - near.distance) / step;
            double backward = (near.distance - sd(&SHAPES[k], v3_madd(x, -step, e))) / step;
            double slope = v3_dot(near.normal, e);
            assert_true(slope <= forward + ROUND / step && slope >= backward - ROUND / step);
            n++;
            n_smooth += forward - backward < 1e-3;
        }
    assert_true(n_smooth > n * 9 / 10);
}

static void distance_is_convex_and_lipschitz(void **state)
{
    (void)state;
    for (int k = 0; k < COUNT(SHAPES); k++)
        for (int i = 0; i < 20000; i++) {
            vec3 a = some_point(&SHAPES[k], i), b = some_point(&SHAPES[k], i / 3);
            double t = uniform(0, 1), fa = sd(&SHAPES[k], a), fb = sd(&SHAPES[k], b);
            double f = sd(&SHAPES[k], v3_madd(a, t, v3_sub(b, a)));
            assert_true(f <= (1 - t) * fa + t * fb + ROUND);
            assert_true(fabs(fa - fb) <= v3_len(v3_sub(a, b)) + ROUND);
        }
}

static void support_planes_touch_the_solid(void **state)
{
    (void)state;
    for (int k = 1; k < COUNT(SHAPES); k++)
        for (int i = 0; i < 500; i++) {
            vec3 n = direction();
            double reach = -DBL_MAX, h = shape_support(&SHAPES[k], n);
            for (int j = 0; j < 6 * 31 * 31; j++)
                reach = fmax(reach, v3_dot(n, surface_point(&SHAPES[k], j % 6, j / 6 % 31 / 30.0, j / 186 / 30.0)));
            /* cells: at most 4 × 0.2 m / 30 wide */
            assert_true(reach <= h + ROUND && h <= reach + 0.027);
            assert_true(h <= 2 * shape_size(&SHAPES[k]));
        }
}

static void singular_points_get_a_fixed_unit_normal(void **state)
{
    (void)state;
    static const struct {
        int k;
        vec3 x;
        double distance;
        vec3 normal;
    } cases[] = {
        {1, {0, 0, 0}, -0.1, {0, 1, 0}},  {2, {0, 0.03, 0}, -0.05, {1, 0, 0}},   {2, {0, 0.1, 0}, -0.05, {1, 0, 0}},
        {4, {0, 0, 0}, -0.07, {1, 0, 0}}, {4, {0, 0.1, 0}, 0, {0, 1, 0}},        {4, {0.07, 0.1, 0}, 0, {0, 1, 0}},
        {6, {0.01, 0, 0}, 0, {0, 1, 0}},  {7, {0, 0.05, 0}, 0, {1, 0, 0}},       {8, {0, 0, 0}, -0.05, {0, 0, 1}},
        {9, {0, 0, 0}, -0.1, {1, 0, 0}},  {9, {-0.1, 0.1, -0.1}, 0, {-1, 0, 0}}, {10, {0, 0, 0}, 0, {0, 1, 0}},
    };
    for (int i = 0; i < COUNT(cases); i++) {
        shape_near near = shape_distance(&SHAPES[cases[i].k], cases[i].x);
        assert_true(near.distance == cases[i].distance);
        assert_true(v3_len(v3_sub(near.normal, cases[i].normal)) == 0);
    }
    shape_near tiny = shape_distance(&SHAPES[9], v3(0.1, 0.1, 0.1 + 1e-17));
    assert_true(fabs(v3_len(tiny.normal) - 1) < 1e-15);
}

/* ---- triangles ---- */

static vec3 point_of(const vec3 x[3], const double b[3])
{
    return v3_add(v3_scale(b[0], x[0]), v3_madd(v3_scale(b[1], x[1]), b[2], x[2]));
}

/* Least value over the triangle by two nested searches of a convex function. Never below the truth. */
static double along(const shape *s, vec3 a, vec3 b)
{
    double low = 0, high = 1, least = fmin(sd(s, a), sd(s, b));
    for (int k = 0; k < 50; k++) {
        double t0 = low + 0.382 * (high - low), t1 = low + 0.618 * (high - low);
        double f0 = sd(s, v3_madd(a, t0, v3_sub(b, a))), f1 = sd(s, v3_madd(a, t1, v3_sub(b, a)));
        least = fmin(least, fmin(f0, f1));
        if (f0 < f1)
            high = t1;
        else
            low = t0;
    }
    return least;
}

static double nested_minimum(const shape *s, const vec3 x[3])
{
    double low = 0, high = 1, least = fmin(along(s, x[0], x[1]), sd(s, x[2]));
    for (int k = 0; k < 50; k++) {
        double t[2] = {low + 0.382 * (high - low), low + 0.618 * (high - low)}, f[2];
        for (int i = 0; i < 2; i++) {
            vec3 a = v3_madd(x[0], t[i], v3_sub(x[2], x[0])), b = v3_madd(x[1], t[i], v3_sub(x[2], x[1]));
            f[i] = along(s, a, b);
        }
        least = fmin(least, fmin(f[0], f[1]));
        if (f[0] < f[1])
            high = t[1];
        else
            low = t[0];
    }
    return least;
}

static double grid_minimum(const shape *s, const vec3 x[3], int n)
{
    double least = DBL_MAX;
    for (int i = 0; i <= n; i++)
        for (int j = 0; i + j <= n; j++) {
            double b[3] = {(double)i / n, (double)j / n, (double)(n - i - j) / n};
            least = fmin(least, sd(s, point_of(x, b)));
        }
    return least;
}

static void round_to(vec3 *x, double unit)
{
    *x = v3(floor(x->x / unit) * unit, floor(x->y / unit) * unit, floor(x->z / unit) * unit);
}

enum { N_MODES = 9 };

/* Triangles as they occur, and as they do harm. */
static void some_triangle(const shape *s, int mode, vec3 x[3])
{
    vec3 c = in_cube(0.3);
    shape_near near = shape_distance(s, c);
    double gap = mode == 4 ? decade(-14, -4) * (uniform(-1, 1) < 0 ? -1 : 1) : uniform(-0.01, 0.01);
    if (mode != 1)
        c = v3_madd(c, gap - near.distance, near.normal);
    double size = mode == 1 ? 0.4 : mode == 2 ? 1e-3 : mode == 8 ? 0.6 : 0.03;
    for (int v = 0; v < 3; v++) {
        vec3 d = in_cube(size);
        if (mode == 3 || mode == 4) /* parallel to the surface, touching or nearly so */
            d = v3_madd(d, -v3_dot(d, near.normal), near.normal);
        x[v] = v3_add(c, d);
        if (mode == 5)
            round_to(&x[v], 0.01); /* ties */
    }
    if (mode == 6) { /* slivers */
        double t = uniform(-0.2, 1.2);
        x[2] = v3_madd(v3_madd(x[0], t, v3_sub(x[1], x[0])), decade(-16, -3), direction());
    }
    if (mode == 7) { /* through the middle, or almost */
        double b[3] = {0.2, 0.5, 0.3};
        vec3 p = v3_sub(point_of(x, b), v3_scale(uniform(0, 1) < 0.5 ? 0 : decade(-16, -4), direction()));
        for (int v = 0; v < 3; v++)
            x[v] = v3_sub(x[v], p);
    }
}

static void assert_deepest(const shape *s, const vec3 x[3], const shape_deepest *d)
{
    assert_true(d->b[0] >= 0 && d->b[1] >= 0 && d->b[2] >= 0);
    assert_true(fabs(d->b[0] + d->b[1] + d->b[2] - 1) < 1e-15);
    assert_true(fabs(sd(s, point_of(x, d->b)) - d->distance) < ROUND);
    assert_true(fabs(v3_len(d->normal) - 1) < 1e-15);
    assert_true(d->lower <= d->distance);
    if (!(d->distance - d->lower <= 1e-10))
        print_message("gap %g\n", d->distance - d->lower);
    assert_true(d->distance - d->lower <= 1e-10);
}

static void deepest_point_meets_its_proof(void **state)
{
    (void)state;
    double most = 0;
    for (int k = 0; k < COUNT(SHAPES); k++)
        for (int i = 0; i < 18000; i++) {
            vec3 x[3];
            some_triangle(&SHAPES[k], i % N_MODES, x);
            shape_deepest d = shape_triangle(&SHAPES[k], x);
            assert_deepest(&SHAPES[k], x, &d);
            most = fmax(most, d.distance - d.lower);
        }
    print_message("largest gap between point and proof: %.2g m\n", most);
}

/* The samples are points of the triangle, so a valid bound is below all of them, up to their own rounding. */
static void proof_holds_against_brute_force(void **state)
{
    (void)state;
    for (int k = 0; k < COUNT(SHAPES); k++)
        for (int i = 0; i < 40 * N_MODES; i++) {
            vec3 x[3];
            some_triangle(&SHAPES[k], i % N_MODES, x);
            shape_deepest d = shape_triangle(&SHAPES[k], x);
            double sampled = fmin(grid_minimum(&SHAPES[k], x, 30), nested_minimum(&SHAPES[k], x));
            assert_true(d.lower <= sampled + ROUND);
            assert_true(d.distance <= sampled + 1e-10);
        }
}

static void order_of_corners_does_not_matter(void **state)
{
    (void)state;
    for (int k = 0; k < COUNT(SHAPES); k++)
        for (int i = 0; i < 2000; i++) {
            vec3 x[3];
            some_triangle(&SHAPES[k], i % N_MODES, x);
            double d = shape_triangle(&SHAPES[k], x).distance;
            double turned = shape_triangle(&SHAPES[k], (vec3[3]){x[1], x[2], x[0]}).distance;
            double flipped = shape_triangle(&SHAPES[k], (vec3[3]){x[1], x[0], x[2]}).distance;
            assert_true(fabs(d - turned) <= 1e-10 && fabs(d - flipped) <= 1e-10);
        }
}

static void known_triangles_get_known_answers(void **state)
{
    (void)state;
    static const struct {
        const char *what;
        int k;
        vec3 x[3];
        double distance;
    } cases[] = {
        {"plane, corner below", 0, {{0, 1, 0}, {1, -0.5, 0}, {0, 1, 1}}, -0.5},
        {"sphere under the middle", 1, {{-1, 0.15, -1}, {1, 0.15, -1}, {0, 0.15, 1}}, 0.05},
        {"sphere cut through its centre", 1, {{-1, -1, 0}, {1, -1, 0}, {0, 1, 0}}, -0.1},
        {"capsule pierced by its axis", 2, {{-1, 0.05, -1}, {1, 0.05, -1}, {0, 0.05, 1}}, -0.05},
        {"capsule below an edge", 2, {{-1, 0.25, 0}, {1, 0.25, 0}, {0, 1, 0}}, 0.1},
        {"capsule beside a long edge", 2, {{0.1, -1, 0}, {0.1, 1, 0}, {1, 0, 0}}, 0.05},
        {"cylinder, flat on its end, corners far out", 4, {{-1, 0.12, -1}, {1, 0.12, -1}, {0, 0.12, 1}}, 0.02},
        {"cylinder, plane through its axis", 4, {{-1, -1, 0}, {1, -1, 0}, {0, 1, 0}}, -0.07},
        {"cylinder, cut across the axis", 4, {{-1, 0.06, -1}, {1, 0.06, -1}, {0, 0.06, 1}}, -0.04},
        {"cylinder, rim 3-4-5 away", 4, {{0.10, 0.14, -1}, {0.10, 0.14, 1}, {1, 0.14, 0}}, 0.05},
        {"box, flat over a face, corners far out", 8, {{-1, 0.09, -1}, {1, 0.09, -1}, {0, 0.09, 1}}, 0.02},
        {"box, through the middle, along x and z", 8, {{-1, 0, -1}, {1, 0, -1}, {0, 0, 1}}, -0.05},
        {"box, along its edge, 3-4-5 away", 8, {{0.13, 0.11, -1}, {0.13, 0.11, 1}, {1, 1, 0}}, 0.05},
        {"box, corner 1-2-2 away", 8, {{0.11, 0.09, 0.07}, {1, 0.09, 1}, {1, 1, 0.07}}, 0.03},
        {"disc pierced", 6, {{-1, -1, 0}, {1, -1, 0}, {0, 1, 0}}, 0},
        {"plate pierced", 10, {{-1, -1, 0}, {1, -1, 0}, {0, 1, 0}}, 0},
        {"box, edge cut off at 45 degrees, 0.02 deep",
         9,
         {{0.2 - 0.02828427124746190, 0, 0.5}, {0.2 - 0.02828427124746190, 0, -0.5}, {0, 0.2 - 0.02828427124746190, 0}},
         -0.01414213562373095}, /* both faces are 0.02/√2 away */
    };
    for (int i = 0; i < COUNT(cases); i++) {
        shape_deepest d = shape_triangle(&SHAPES[cases[i].k], cases[i].x);
        assert_deepest(&SHAPES[cases[i].k], cases[i].x, &d);
        if (fabs(d.distance - cases[i].distance) > 1e-10)
            print_message("%s: %.12f, not %.12f\n", cases[i].what, d.distance, cases[i].distance);
        assert_true(fabs(d.distance - cases[i].distance) <= 1e-10);
    }
}

/* Found by long random runs: zero multipliers made the search for the best mixture of planes go in circles, a nearly
 * flat row sent it far outside the triangle, nearly dependent rows (a needle in the triangle's plane) drowned it in
 * rounding. */
static void triangles_that_once_failed_keep_the_promise(void **state)
{
    (void)state;
    static const struct {
        shape s;
        vec3 x[3];
    } cases[] = {
        {{SHAPE_CYLINDER, 0.07, 0.1, {0, 0, 0}},
         {{0.27518379933945281, -0.13272653014446148, 0.036248694819238703},
          {-0.060010162021576136, -0.011226532534179573, 0.15085683231909852},
          {-0.22008997864100976, -0.23237692262148371, -0.29067352114960437}}},
        {{SHAPE_BOX, 0, 0, {0.1, 0.07, 0.05}},
         {{-0.098755524268151706, -0.0048845856693917056, -0.20612903322383164},
          {0.4276557490487326, -0.30856109949142052, -0.16761090672600865},
          {-0.14464352149565218, -0.070008880098906767, 0.1575278295831215}}},
        {{SHAPE_CYLINDER, 0.022978799557315618, 0.006693755986072256, {0, 0, 0}},
         {{-0.02, -0.02, -0.01}, {-0.02, 0, 0.01}, {0.02, 0, 0.04}}},
        {{SHAPE_BOX, 0, 0, {0, 0, 2.60879}},
         {{-0.024589641245947588, -0.027376114445677332, 0.0085130978404567292},
          {0.0030942055120172689, 0.0034438730571905102, 0.00093482353966772846},
          {0.011235920052501711, 0.012511040980643533, -0.0072333346737218918}}},
    };
    for (int i = 0; i < COUNT(cases); i++) {
        shape_deepest d = shape_triangle(&cases[i].s, cases[i].x);
        assert_deepest(&cases[i].s, cases[i].x, &d);
        assert_true(d.lower <= nested_minimum(&cases[i].s, cases[i].x) + ROUND);
    }
}

/* A point three times, two corners the same, all on a line: the answer is that of the point or the segment. */
static void triangles_without_area_are_points_and_segments(void **state)
{
    (void)state;
    for (int k = 0; k < COUNT(SHAPES); k++)
        for (int i = 0; i < 300; i++) {
            const shape *s = &SHAPES[k];
            vec3 a = some_point(s, i), b = i % 4 ? some_point(s, i / 2) : v3_zero();
            shape_deepest point = shape_triangle(s, (vec3[3]){a, a, a});
            assert_true(fabs(point.distance - sd(s, a)) < ROUND && point.distance - point.lower < ROUND);
            shape_deepest edge = shape_triangle(s, (vec3[3]){a, b, b});
            shape_deepest row = shape_triangle(s, (vec3[3]){a, v3_scale(0.5, v3_add(a, b)), b});
            double sampled = along(s, a, b);
            assert_true(edge.lower <= sampled + ROUND && edge.distance <= sampled + 1e-10);
            assert_true(row.lower <= sampled + ROUND && row.distance <= sampled + 1e-10);
        }
}

static void far_large_and_small_triangles_keep_the_promise(void **state)
{
    (void)state;
    static const double scales[] = {1e-6, 1e-3, 30, 1000};
    for (int k = 1; k < COUNT(SHAPES); k++)
        for (int i = 0; i < 4000; i++) {
            vec3 x[3], away = v3_scale(i % 3 ? 0 : 1, in_cube(1));
            double scale = scales[i % 4], most = 0;
            for (int v = 0; v < 3; v++) {
                x[v] = v3_scale(scale, v3_add(away, in_cube(1)));
                most = fmax(most, v3_max_abs(x[v]));
            }
            shape_deepest d = shape_triangle(&SHAPES[k], x);
            assert_true(d.distance - d.lower <= fmax(1e-10, 2e-13 * most));
            assert_true(d.lower <= grid_minimum(&SHAPES[k], x, 6) + 1e-14 * fmax(most, 1));
        }
}

/* ---- paths ---- */

/* First sample within the margin, or 2. */
static double marched(const shape *s, double margin, vec3 a, vec3 b, int n)
{
    for (int i = 0; i <= n; i++)
        if (sd(s, v3_madd(a, (double)i / n, v3_sub(b, a))) <= margin)
            return (double)i / n;
    return 2;
}

/* A hit is on the margin's surface to 1e-13 × size (size < 1), no later than the first sample inside, and nothing
 * before it is inside; no hit: no sample inside. */
static void path_agrees_with_marching(void **state)
{
    (void)state;
    int n_hits = 0, n_misses = 0;
    for (int k = 0; k < COUNT(SHAPES); k++)
        for (int i = 0; i < 1000; i++) {
            const shape *s = &SHAPES[k];
            double margin = i % 2 ? 0.01 : 0, t = -1;
            vec3 a = some_point(s, i), b = some_point(s, i / 3), n;
            if (sd(s, a) <= margin)
                continue;
            bool hit = shape_path(s, margin, a, b, &t, &n);
            double first = marched(s, margin, a, b, 400);
            n_hits += hit;
            n_misses += !hit;
            assert_true(hit || first == 2);
            if (!hit)
                continue;
            assert_true(t >= 0 && t <= 1 && t <= first + 1e-15);
            vec3 p = v3_madd(a, t, v3_sub(b, a));
            assert_true(fabs(sd(s, p) - margin) <= 1e-13);
            assert_true(v3_dot(n, v3_sub(b, a)) < ROUND);
            shape_near near = shape_distance(s, p);
            assert_true(v3_len(v3_sub(n, near.normal)) == 0 || v3_dot(near.normal, v3_sub(b, a)) >= 0);
        }
    assert_true(n_hits > 500 && n_misses > 500);
}

static void path_from_within_hits_only_inward(void **state)
{
    (void)state;
    for (int k = 0; k < COUNT(SHAPES); k++)
        for (int i = 0; i < 3000; i++) {
            const shape *s = &SHAPES[k];
            vec3 a = some_point(s, i), way = v3_scale(0.1, direction()), n;
            double margin = sd(s, a) + uniform(0, 0.02), t = -1;
            shape_near near = shape_distance(s, a);
            bool hit = shape_path(s, margin, a, v3_add(a, way), &t, &n);
            assert_true(hit == (v3_dot(near.normal, way) < 0));
            assert_true(t == 0 && v3_len(v3_sub(n, near.normal)) == 0);
            assert_false(shape_path(s, margin, a, a, &t, &n));
        }
}

/* Past the sphere at r + ε: a miss by 1e-9 is a miss, a graze deeper than 1e-12 is a hit, however thin the time. */
static void grazing_paths_are_decided_to_the_picometre(void **state)
{
    (void)state;
    for (int k = 1; k <= 5; k++) {
        const shape *s = &SHAPES[k];
        for (int i = 0; i < 200; i++) {
            double eps = decade(-9, -4), t;
            vec3 n, y = v3(s->radius, 0, 0), w = v3(0, 0, uniform(0.1, 1));
            vec3 over = v3(eps, 0, 0), under = v3(-(i % 2 ? 1e-12 : eps), 0, 0);
            assert_false(shape_path(s, 0, v3_add(v3_sub(y, w), over), v3_add(v3_add(y, w), over), &t, &n));
            assert_true(shape_path(s, 0, v3_add(v3_sub(y, w), under), v3_add(v3_add(y, w), under), &t, &n));
            assert_true(t > 0 && t <= 0.5 + 1e-15);
        }
    }
}

static void path_through_thin_solids_is_seen(void **state)
{
    (void)state;
    double t;
    vec3 n;
    assert_true(shape_path(&SHAPES[6], 0, v3(0.03, 5, 0.02), v3(0.03, -5, 0.02), &t, &n));
    assert_true(fabs(t - 0.5) < 1e-13 && n.y == 1);
    assert_true(shape_path(&SHAPES[10], 1e-3, v3(0.03, -4.999, 0.02), v3(0.03, 5.001, 0.02), &t, &n));
    assert_true(fabs(t - 0.4998) < 1e-13 && n.y == -1);
    assert_true(shape_path(&SHAPES[7], 1e-6, v3(1, 0.05, 0), v3(-1, 0.05, 0), &t, &n));
    assert_true(n.x == 1);
    assert_false(shape_path(&SHAPES[7], 1e-6, v3(1, 0.1 + 2e-6, 0), v3(-1, 0.1 + 2e-6, 0), &t, &n));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(distance_is_that_of_the_nearest_surface_sample, start_dice),
        cmocka_unit_test_setup(sign_tells_inside_from_outside_and_the_foot_is_on_the_surface, start_dice),
        cmocka_unit_test_setup(normal_lies_between_one_sided_differences, start_dice),
        cmocka_unit_test_setup(distance_is_convex_and_lipschitz, start_dice),
        cmocka_unit_test_setup(support_planes_touch_the_solid, start_dice),
        cmocka_unit_test_setup(singular_points_get_a_fixed_unit_normal, start_dice),
        cmocka_unit_test_setup(deepest_point_meets_its_proof, start_dice),
        cmocka_unit_test_setup(proof_holds_against_brute_force, start_dice),
        cmocka_unit_test_setup(order_of_corners_does_not_matter, start_dice),
        cmocka_unit_test_setup(known_triangles_get_known_answers, start_dice),
        cmocka_unit_test_setup(triangles_that_once_failed_keep_the_promise, start_dice),
        cmocka_unit_test_setup(triangles_without_area_are_points_and_segments, start_dice),
        cmocka_unit_test_setup(far_large_and_small_triangles_keep_the_promise, start_dice),
        cmocka_unit_test_setup(path_agrees_with_marching, start_dice),
        cmocka_unit_test_setup(path_from_within_hits_only_inward, start_dice),
        cmocka_unit_test_setup(grazing_paths_are_decided_to_the_picometre, start_dice),
        cmocka_unit_test_setup(path_through_thin_solids_is_seen, start_dice),
    };
    return cmocka_run_group_tests_name("shape", tests, NULL, NULL);
}
