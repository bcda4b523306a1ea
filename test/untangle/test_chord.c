/* SPDX-License-Identifier: MIT */
/* Chords on analytic solids: how many points, and that moving along G shortens them as eq. 4 of ye2012 says. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "untangle/chord.h"
#include "untangle/tangle_kit.h"

static const uint8_t all[16] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};

static collider ball(vec3 at, double radius)
{
    pose p = {mat3_from_quat((weft_quat){0, 0, 0, 1}), at};
    return (collider){.shape = {SHAPE_SPHERE, radius, 0, v3(0, 0, 0)}, .from = p, .to = p};
}

static void triangles_are_cut_at_two_four_or_six_points(void **state)
{
    (void)state;
    const struct {
        vec3 at;
        double radius;
        int which;
    } cases[] = {{{0, 0.05, 0}, 0.2, 1},       /* round a corner */
                 {{0.5, 0.05, -0.1}, 0.2, 1},  /* over one edge, twice */
                 {{0.26, 0.05, 0.15}, 0.2, 2}, /* over two edges */
                 {{0.5, 0.05, 0.29}, 0.32, 3}, /* over all three */
                 {{0.5, 0.2, 0.29}, 0.25, 0},  /* the middle alone */
                 {{0.5, 0.05, 0.29}, 2.0, 0}}; /* all of it inside */
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        mem m;
        mesh_adjacency w;
        chords c;
        tangle t = {0};
        tangle_triangle(&t, tangle_node(&t, v3(0, 0, 0)), tangle_node(&t, v3(1, 0, 0)),
                        tangle_node(&t, v3(0.5, 0, 0.866)));
        mem_init(&m, NULL, NULL);
        assert_true(mesh_adjacency_make(&w, &m, 3, t.x, 1, (const int32_t(*)[3])t.t));
        assert_true(chords_make(&c, &m, &w));
        collider solid = ball(cases[i].at, cases[i].radius);
        chords_find(&c, &w, t.x, all, &solid, 0);
        for (int k = 0; k < 4; k++)
            assert_int_equal(c.n_triangles[k], k == cases[i].which);
        assert_int_equal(chords_cut(&c, &w, 0), cases[i].which > 0);
        for (int32_t ei = 0; ei < w.n_edges; ei++)
            for (int k = 0; k < c.hits[ei].n; k++) {
                vec3 p = t.x[w.edges[ei].v[0]], q = t.x[w.edges[ei].v[1]];
                vec3 at = v3_madd(p, c.hits[ei].s[k], v3_sub(q, p));
                assert_true(fabs(collider_distance(&solid, at)) < 1e-12);
                assert_true(fabs(v3_len(c.hits[ei].inward[k]) - 1) < 1e-12); /* one triangle: one chord */
            }
        chords_free(&c);
        mesh_adjacency_free(&w);
        tangle_free(&t);
    }
}

/* The point where a line meets a sphere about 0, the nearer one to a. */
static vec3 meet(vec3 a, vec3 way, double radius)
{
    double A = v3_len_sq(way), B = v3_dot(a, way), C = v3_len_sq(a) - radius * radius;
    return v3_madd(a, (-B - sqrt(B * B - A * C)) / A, way);
}

/* Edge from p outside to q inside goes by D; the chord to a fixed point s of the sphere gets shorter by G·D, to first
 * order. The second order is D²/length of the chord, D = 1e-6. */
static void moving_along_g_shortens_chords(void **state)
{
    (void)state;
    mem m;
    mesh_adjacency w;
    chords c;
    tangle t = {0};
    const double radius = 0.3, tiny = 1e-6;
    tangle_triangle(&t, tangle_node(&t, v3(0.5, 0.2, 0)), tangle_node(&t, v3(0.05, 0.1, 0.02)),
                    tangle_node(&t, v3(0.1, 0.9, 0.1)));
    mem_init(&m, NULL, NULL);
    assert_true(mesh_adjacency_make(&w, &m, 3, t.x, 1, (const int32_t(*)[3])t.t));
    assert_true(chords_make(&c, &m, &w));
    collider solid = ball(v3(0, 0, 0), radius);
    chords_find(&c, &w, t.x, all, &solid, 0);
    assert_int_equal(c.n_triangles[1], 1);
    vec3 e = v3_sub(t.x[1], t.x[0]), f = v3_sub(t.x[1], t.x[2]);
    vec3 p = meet(t.x[0], e, radius), q = meet(t.x[2], f, radius);
    const chord_hits *h = NULL;
    for (int32_t ei = 0; ei < w.n_edges; ei++)
        if (w.edges[ei].v[0] == 0 && w.edges[ei].v[1] == 1)
            h = &c.hits[ei];
    assert_non_null(h);
    assert_int_equal(h->n, 1);
    vec3 n = h->normal[0], r = h->inward[0];
    assert_true(v3_len(v3_sub(n, v3_scale(1 / radius, p))) < 1e-12);
    vec3 g = v3_madd(r, -v3_dot(e, r) / v3_dot(e, n), n);
    const vec3 ways[] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0.6, -0.3, 0.2}};
    for (int i = 0; i < 4; i++) {
        vec3 moved = meet(v3_madd(t.x[0], tiny, ways[i]), e, radius);
        double shorter = v3_len(v3_sub(p, q)) - v3_len(v3_sub(moved, q));
        assert_true(fabs(shorter - tiny * v3_dot(g, ways[i])) < 100 * tiny * tiny);
    }
    chords_free(&c);
    mesh_adjacency_free(&w);
    tangle_free(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(triangles_are_cut_at_two_four_or_six_points),
        cmocka_unit_test(moving_along_g_shortens_chords),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
