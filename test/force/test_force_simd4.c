/* SPDX-License-Identifier: MIT */
#include "force/force_simd4.h"
#include "force/pull.h"

#include <float.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "contact/dice.h"
#include "math/trig.h"

#include <cmocka.h>

/* Kernels of one and of four differ in the order of at most some ten operations: by so many roundings of the largest
 * number that goes into a result. */
#define ROUNDINGS (32 * DBL_EPSILON)
/* Blocks of bends are sums of three products of floats, with five roundings each: two factors, the product, two sums.
 * Those of the diagonal are sums of five of them. */
#define FLOAT_ROUNDINGS (15 * (double)FLT_EPSILON / 2)

enum { PACKS = 20000, NODES = 12 };

static void assert_within(const double *a, const double *b, int n, double most)
{
    for (int i = 0; i < n; i++)
        if (!(fabs(a[i] - b[i]) <= most))
            fail_msg("%.17g and %.17g, within %g", a[i], b[i], most);
}

static void assert_near(const double *a, const double *b, int n, double scale)
{
    assert_within(a, b, n, ROUNDINGS * scale);
}

/* Some nodes lie on others, some in a row with others. */
static void place_nodes(vec3 x[NODES])
{
    for (int i = 0; i < NODES; i++)
        x[i] = in_cube(0.05);
    if (uniform(0, 1) < 0.2)
        x[3] = x[4];
    if (uniform(0, 1) < 0.2)
        x[2] = v3_sub(v3_scale(2, x[1]), x[0]);
    if (uniform(0, 1) < 0.1)
        x[5] = x[3] = x[4];
    if (uniform(0, 1) < 0.2)
        x[8] = v3_madd(x[7], uniform(0.01, 0.9), v3_sub(x[6], x[7]));
}

static double some_or_none(double most)
{
    return uniform(0, 1) < 0.3 ? 0 : uniform(0, most);
}

static spring_element spring_of(int k, common_par *common)
{
    double limit = uniform(0, 1) < 0.3 ? 0 : uniform(1.01, 2), drag = some_or_none(3), stiffness = uniform(1, 500);
    *common = (common_par){.k = stiffness, .length = some_or_none(0.1), .limit = limit, .drag = drag};
    return (spring_element){.node = {3 * k, 3 * k + 1}, .past = some_or_none(0.1), .common = k};
}

static void springs_are_those_of_one(void **state)
{
    (void)state;
    for (int n = 0; n < PACKS; n++) {
        vec3 x[NODES];
        spring_element s[4];
        common_par commons[4];
        const spring_element *const e[4] = {&s[0], &s[1], &s[2], &s[3]};
        spring_simd4 out, plain;
        place_nodes(x);
        for (int k = 0; k < 4; k++)
            s[k] = spring_of(k, &commons[k]);
        force_kernel_best()->springs(x, e, commons, FORCE_PART_HESSIAN, &out);
        force_kernel_plain.springs(x, e, commons, FORCE_PART_HESSIAN, &plain);
        assert_memory_equal(&out, &plain, sizeof out);
        for (int k = 0; k < 4; k++) {
            vec3 two[2] = {x[3 * k], x[3 * k + 1]}, g;
            mat3 b;
            spring_par par = spring_par_of(commons, &s[k]);
            double energy = spring_block(two, &par, true, &g, &b), stiff = 0, l = v3_len(v3_sub(two[1], two[0]));
            for (int i = 0; i < 9; i++)
                stiff = max_of(stiff, fabs(b.m[i]));
            double most = max_of(l, max_of(par.length, par.past));
            stiff = max_of(stiff, par.k * (1 + par.drag) * max_of(1, l > 0 ? most / l : 1));
            assert_near(&out.energy[k], &energy, 1, stiff * most * most);
            assert_near(&out.g[k].x, &g.x, 3, stiff * most);
            assert_near(out.b[k].m, b.m, 9, stiff);
        }
    }
}

static void lengths_and_stored_energies_are_those_of_one(void **state)
{
    (void)state;
    for (int n = 0; n < PACKS; n++) {
        vec3 x[NODES];
        spring_element s[4];
        common_par commons[4];
        const spring_element *const e[4] = {&s[0], &s[1], &s[2], &s[3]};
        double length[4], stored[4], plain[4];
        place_nodes(x);
        for (int k = 0; k < 4; k++)
            s[k] = spring_of(k, &commons[k]);
        force_kernel_best()->lengths(x, e, length);
        force_kernel_plain.lengths(x, e, plain);
        assert_memory_equal(length, plain, sizeof length);
        force_kernel_best()->stored(x, e, commons, stored);
        force_kernel_plain.stored(x, e, commons, plain);
        assert_memory_equal(stored, plain, sizeof stored);
        for (int k = 0; k < 4; k++) {
            spring_par par = spring_par_of(commons, &s[k]);
            vec3 d = v3_sub(x[3 * k + 1], x[3 * k]);
            double one = spring_stored(d, &par), l = v3_len(d), most = max_of(l, par.length);
            assert_memory_equal(&length[k], &l, sizeof l);
            assert_near(&stored[k], &one, 1, max_of(one, par.k * most * most));
        }
    }
}

static membrane_element membrane_of(int k)
{
    membrane_element e = {.node = {3 * k, 3 * k + 1, 3 * k + 2}};
    vec2 uv[3] = {{0, 0}, {uniform(0.02, 0.1), uniform(-0.01, 0.01)}, {uniform(-0.01, 0.05), uniform(0.02, 0.1)}};
    assert_true(membrane_rest(uv, &e.par));
    membrane_moduli(uniform(1, 500), uniform(1, 500), uniform(1, 100), some_or_none(0.4), &e.par);
    e.par.limit = uniform(0, 1) < 0.3 ? 0 : uniform(1.01, 2);
    e.par.drag = some_or_none(3);
    for (int i = 0; i < 3; i++)
        e.par.past[i] = some_or_none(0.1);
    return e;
}

/* The largest stretch, at least 1; and over the smallest, at least 1. */
static double stretch_of(const vec3 x[3], const membrane_par *p, double *over)
{
    double s[3];
    membrane_strain(x, p, s);
    double least = min_of(s[0], s[1]) + 1;
    *over = least > 0 && least < 1 ? 1 / least : 1;
    return max_of(1, max_of(s[0], s[1]) + 1);
}

static void membranes_are_those_of_one(void **state)
{
    (void)state;
    for (int n = 0; n < PACKS; n++) {
        vec3 x[NODES];
        membrane_element s[4];
        const membrane_element *const e[4] = {&s[0], &s[1], &s[2], &s[3]};
        membrane_simd4 out, plain;
        double strain[4][3], stored[4], same[4][3];
        place_nodes(x);
        for (int k = 0; k < 4; k++)
            s[k] = membrane_of(k);
        force_kernel_best()->membranes(x, e, FORCE_PART_HESSIAN, &out);
        force_kernel_plain.membranes(x, e, FORCE_PART_HESSIAN, &plain);
        assert_memory_equal(&out, &plain, sizeof out);
        force_kernel_best()->strains(x, e, strain);
        force_kernel_plain.strains(x, e, same);
        assert_memory_equal(strain, same, sizeof same);
        force_kernel_best()->membranes_stored(x, e, stored);
        force_kernel_plain.membranes_stored(x, e, same[0]);
        assert_memory_equal(stored, same, sizeof stored);
        for (int k = 0; k < 4; k++) {
            const membrane_par *p = &s[k].par;
            vec3 g[3];
            mat3 h[BLOCKS(3)], all[BLOCKS(3)];
            double energy = membrane_eval(&x[3 * k], p, true, g, h), b = 0, over;
            double f = stretch_of(&x[3 * k], p, &over), c = p->c11 + p->c12 + p->c22 + p->c33;
            for (int i = 0; i < 3; i++)
                b = max_of(b, max_of(fabs(p->bu[i]), fabs(p->bv[i])));
            double stiff = p->area * b * b * c * (1 + p->drag) * f * f * over;
            for (int i = 0; i < 9 * BLOCKS(3); i++)
                stiff = max_of(stiff, fabs(h[i / 9].m[i % 9]));
            assert_near(&out.energy[k], &energy, 1, stiff / (b * b) * f * f);
            membrane_par undamped = *p;
            double one[3];
            undamped.drag = 0;
            energy = membrane_eval(&x[3 * k], &undamped, true, NULL, NULL);
            assert_near(&stored[k], &energy, 1, stiff / (b * b) * f * f);
            membrane_strain(&x[3 * k], p, one);
            assert_near(strain[k], one, 3, f * f);
            assert_near(&out.g[k][0].x, &g[0].x, 9, stiff / b * f);
            three_all_blocks(&out.h[k], all);
            assert_within(all[0].m, h[0].m, 9 * BLOCKS(3), FLOAT_ROUNDINGS * stiff);
        }
    }
}

static void beams_are_those_of_one(void **state)
{
    (void)state;
    for (int n = 0; n < PACKS; n++) {
        vec3 x[NODES];
        beam_element s[4];
        common_par commons[4];
        const beam_element *const e[4] = {&s[0], &s[1], &s[2], &s[3]};
        beam_simd4 out, plain;
        double theta[4];
        place_nodes(x);
        for (int k = 0; k < 4; k++) {
            double drag = some_or_none(3), stiffness = uniform(1e-6, 1e-3);
            commons[k] = (common_par){.k = stiffness, .drag = drag};
            s[k] = (beam_element){.node = {3 * k, 3 * k + 1, 3 * k + 2}, .past = some_or_none(3), .common = k};
        }
        force_kernel_best()->beams(x, e, commons, FORCE_PART_HESSIAN, &out);
        force_kernel_plain.beams(x, e, commons, FORCE_PART_HESSIAN, &plain);
        force_kernel_best()->angles(x, e, theta);
        assert_memory_equal(&out, &plain, sizeof out);
        for (int k = 0; k < 4; k++) {
            vec3 g[3];
            mat3 h[BLOCKS(3)], all[BLOCKS(3)];
            beam_par par = beam_par_of(commons, &s[k]);
            double energy = beam_eval(&x[3 * k], &par, true, g, h);
            double least = min_of(v3_len(v3_sub(x[3 * k + 1], x[3 * k])), v3_len(v3_sub(x[3 * k + 2], x[3 * k + 1])));
            double k_all = 10 * par.k * (1 + par.drag), per = least > 0 ? 1 / least : 0;
            assert_near(&out.energy[k], &energy, 1, k_all);
            assert_near(&out.g[k][0].x, &g[0].x, 9, k_all * per);
            three_all_blocks(&out.h[k], all);
            assert_within(all[0].m, h[0].m, 9 * BLOCKS(3), FLOAT_ROUNDINGS * k_all * per * per);
            double angle = beam_angle(&x[3 * k]);
            assert_near(&theta[k], &angle, 1, 1);
        }
    }
}

/* Gradients of an angle are as large as one over the triangles' heights, which take a rounding of their own each: the
 * scale is that of the thinnest triangle, whose digits are lost first. */
static double steepest(const vec3 x[6], int32_t present)
{
    static const int corner[4][3] = {{0, 1, 2}, {1, 2, 3}, {2, 0, 4}, {0, 1, 5}};
    double most = 0;
    for (int i = 0; i < 4; i++) {
        if (i > 0 && !(present >> (i - 1) & 1))
            continue;
        vec3 a = x[corner[i][0]], b = v3_sub(x[corner[i][1]], a), c = v3_sub(x[corner[i][2]], a);
        double area = v3_len(v3_cross(b, c)), side = max_of(v3_len(b), max_of(v3_len(c), v3_len(v3_sub(b, c))));
        if (area > 0)
            most = max_of(most, side * side * side / (area * area));
    }
    return most;
}

static bend_element bend_of(int32_t first, int32_t nodes)
{
    bend_element e = {.par = {.drag = some_or_none(3), .present = (int32_t)uniform(0, 7.999)}};
    for (int i = 0; i < 6; i++)
        e.node[i] = (first + i) % nodes;
    for (int i = 0; i < 3; i++) {
        e.par.rest[i] = uniform(-4, 4);
        e.par.tilt[i] = uniform(-6, 6);
        e.par.past[i] = uniform(-4, 4);
        for (int j = 0; j <= i; j++)
            e.par.q[i][j] = e.par.q[j][i] = uniform(-1e-5, 1e-5);
    }
    return e;
}

static void bends_are_those_of_one(void **state)
{
    (void)state;
    for (int n = 0; n < PACKS; n++) {
        vec3 x[NODES];
        bend_element s[4];
        const bend_element *const e[4] = {&s[0], &s[1], &s[2], &s[3]};
        bend_simd4 out, plain, known;
        double alone[4][3];
        place_nodes(x);
        for (int k = 0; k < 4; k++)
            s[k] = bend_of(3 * k, NODES);
        force_kernel_best()->bends(x, e, false, FORCE_PART_HESSIAN, &out);
        force_kernel_plain.bends(x, e, false, FORCE_PART_HESSIAN, &plain);
        assert_memory_equal(&out, &plain, sizeof out);
        for (int k = 0; k < 4; k++)
            memcpy(s[k].theta, out.theta[k], sizeof s[k].theta);
        force_kernel_best()->bends(x, e, true, FORCE_PART_HESSIAN, &known);
        assert_memory_equal(&out, &known, sizeof out);
        force_kernel_best()->bend_angles(x, e, alone);
        for (int k = 0; k < 4; k++) {
            vec3 y[6], g[6];
            mat3 h[BLOCKS(6)], blocks[BLOCKS(6)];
            double theta[3];
            for (int i = 0; i < 6; i++)
                y[i] = x[s[k].node[i]];
            double energy = bend_eval_at(y, &s[k].par, false, theta, g, h);
            double stiff = 100 * 1e-5 * (1 + s[k].par.drag), steep = steepest(y, s[k].par.present);
            assert_memory_equal(theta, out.theta[k], sizeof theta);
            assert_memory_equal(theta, alone[k], sizeof theta);
            assert_near(&out.energy[k], &energy, 1, 10 * stiff);
            assert_near(&out.g[k][0].x, &g[0].x, 18, 10 * stiff * steep);
            bend_all_blocks(&out.h[k], blocks);
            assert_within(blocks[0].m, h[0].m, 9 * BLOCKS(6), 5 * FLOAT_ROUNDINGS * stiff * steep * steep);
        }
    }
}

/* (0, 1), (0, 2) … (4, 5), in any order and either way round, each other one transposed. */
static void bends_are_added_where_their_places_say(void **state)
{
    (void)state;
    enum { PAIRS = 15 };
    for (int n = 0; n < PACKS; n++) {
        bend_factors f;
        mat3 h[BLOCKS(6)];
        float sum[9 * PAIRS], plain[9 * PAIRS];
        int32_t place[PAIRS];
        for (size_t i = 0; i < sizeof f / sizeof(float); i++)
            ((float *)&f)[i] = i % 4 == 3 ? 0 : (float)uniform(-1, 1);
        for (int i = 0; i < PAIRS; i++)
            place[i] = n & 1 << i % 8 ? ~((7 * i + n) % PAIRS) : (7 * i + n) % PAIRS;
        for (int i = 0; i < 9 * PAIRS; i++)
            sum[i] = plain[i] = 1;
        force_kernel_best()->add_bend(&f, place, sum);
        force_kernel_plain.add_bend(&f, place, plain);
        assert_memory_equal(sum, plain, sizeof sum);
        bend_all_blocks(&f, h);
        for (int i = 0, at = 0; i < 6; i++)
            for (int j = i + 1; j < 6; j++, at++) {
                mat3 b = h[block_of(6, i, j)], there;
                bool turned = place[at] < 0;
                for (int k = 0; k < 9; k++)
                    there.m[k] = (double)sum[9 * (turned ? ~place[at] : place[at]) + k] - 1;
                b = turned ? m3_transpose(b) : b;
                assert_within(there.m, b.m, 9, 4 * FLOAT_ROUNDINGS); /* of 3 and a 1 */
            }
    }
}

static void blocks_are_added_where_their_places_say(void **state)
{
    (void)state;
    for (int n = 0; n < PACKS; n++) {
        three_blocks t;
        float sum[27] = {0}, plain[27] = {0};
        int32_t place[3];
        for (int i = 0; i < 27; i++)
            t.b[i / 9][i % 9] = (float)uniform(-1, 1);
        for (int i = 0; i < 3; i++)
            place[i] = n >> i & 1 ? ~((i + n) % 3) : (i + n) % 3;
        force_kernel_best()->add_three(&t, place, sum);
        force_kernel_plain.add_three(&t, place, plain);
        assert_memory_equal(sum, plain, sizeof sum);
        for (int i = 0; i < 27; i++) {
            int k = i % 9;
            bool turned = place[i / 9] < 0;
            float there = sum[9 * (turned ? ~place[i / 9] : place[i / 9]) + (turned ? 3 * (k % 3) + k / 3 : k)];
            assert_true(there == t.b[i / 9][k]);
        }
    }
}

static void air_is_added_to_its_rows(void **state)
{
    (void)state;
    const int32_t row[3] = {2, 0, 3};
    for (int n = 0; n < PACKS; n++) {
        vec3 g = in_cube(1), sum[4] = {{1, 2, 3}}, plain[4] = {{1, 2, 3}};
        mat3 b, to[4] = {{{4}}}, same[4] = {{{4}}};
        for (int i = 0; i < 9; i++)
            b.m[i] = uniform(-1, 1);
        force_kernel_best()->add_air(g, &b, 3.5, row, sum, to);
        force_kernel_plain.add_air(g, &b, 3.5, row, plain, same);
        assert_memory_equal(sum, plain, sizeof sum);
        assert_memory_equal(to, same, sizeof to);
        assert_true(sum[0].y == 2 + g.y && sum[1].y == 0 && sum[2].z == g.z && sum[3].x == g.x);
        for (int i = 0; i < 9; i++)
            assert_true(to[0].m[i] == (i == 0 ? 4 : 0) + 3.5 * b.m[i] && to[1].m[i] == 0 && to[3].m[i] == 3.5 * b.m[i]);
    }
}

static void air_is_that_of_one(void **state)
{
    (void)state;
    for (int n = 0; n < PACKS; n++) {
        vec3 x[NODES], v[NODES];
        face_element s[4];
        const face_element *const f[4] = {&s[0], &s[1], &s[2], &s[3]};
        air_par air = {
            .wind = in_cube(3), .drag = some_or_none(1), .skin = some_or_none(1), .viscosity = some_or_none(9)};
        air_simd4 out, plain;
        for (int i = 0; i < NODES; i++)
            v[i] = uniform(0, 1) < 0.2 ? air.wind : in_cube(3);
        for (int k = 0; k < 4; k++)
            s[k] = (face_element){{3 * k, 3 * k + 1, 3 * k + 2}};
        for (int i = 0; i < NODES; i++) /* one in ten triangles has no area */
            x[i] = i % 3 == 2 && uniform(0, 1) < 0.1 ? x[i - 1] : in_cube(5e-3);
        force_kernel_best()->air(x, v, f, &air, FORCE_PART_HESSIAN, &out);
        force_kernel_plain.air(x, v, f, &air, FORCE_PART_HESSIAN, &plain);
        assert_memory_equal(&out, &plain, sizeof out);
        for (int k = 0; k < 4; k++) {
            air_par own = air;
            vec3 g;
            mat3 b;
            own.area = v3_scale(0.5, v3_cross(v3_sub(x[3 * k + 1], x[3 * k]), v3_sub(x[3 * k + 2], x[3 * k])));
            double energy = air_push(&v[3 * k], &own, &g, &b), most = 1e-4 * 30 * (air.drag + air.skin + air.viscosity);
            assert_near(&out.energy[k], &energy, 1, 100 * most);
            assert_near(&out.g[k].x, &g.x, 3, 10 * most);
            assert_near(b.m, out.b[k].m, 9, most);
        }
    }
}

/* Not only to rounding: trig.c and its twin for four have the same operations. */
static void angles_are_those_of_atan2(void **state)
{
    (void)state;
    for (int n = 0; n < PACKS; n++) {
        vec3 x[NODES] = {{0}};
        beam_element s[4];
        const beam_element *const e[4] = {&s[0], &s[1], &s[2], &s[3]};
        double theta[4], best[4];
        for (int k = 0; k < 4; k++) {
            double angle = n < 8 ? 0.25 * WEFT_PI * (n % 5) : uniform(0, n % 3 ? WEFT_PI : 0.2);
            s[k] = (beam_element){.node = {3 * k, 3 * k + 1, 3 * k + 2}};
            x[3 * k] = v3(-1, 0, 0);
            x[3 * k + 2] = v3(weft_cos(angle), weft_sin(angle), 0);
        }
        force_kernel_plain.angles(x, e, theta);
        force_kernel_best()->angles(x, e, best);
        for (int k = 0; k < 4; k++) {
            vec3 u = v3_scale(1 / v3_len(x[3 * k + 2]), x[3 * k + 2]);
            double known = weft_atan2(v3_len(v3_cross(v3(1, 0, 0), u)), u.x);
            assert_memory_equal(&theta[k], &known, sizeof known);
            assert_memory_equal(&best[k], &known, sizeof known);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(springs_are_those_of_one),
        cmocka_unit_test(lengths_and_stored_energies_are_those_of_one),
        cmocka_unit_test(membranes_are_those_of_one),
        cmocka_unit_test(beams_are_those_of_one),
        cmocka_unit_test(bends_are_those_of_one),
        cmocka_unit_test(bends_are_added_where_their_places_say),
        cmocka_unit_test(blocks_are_added_where_their_places_say),
        cmocka_unit_test(air_is_added_to_its_rows),
        cmocka_unit_test(air_is_that_of_one),
        cmocka_unit_test(angles_are_those_of_atan2),
    };
    return cmocka_run_group_tests(tests, start_dice, NULL);
}
