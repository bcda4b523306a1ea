/* SPDX-License-Identifier: MIT */
/* Mesh colliders as data: what is found out about a mesh, and distances against brute force and winding numbers. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "contact/collider/collider_mesh.h"
#include "math/closest.h"
#include "math/trig.h"
#include "sim/kit.h"

#include <cmocka.h>

static mem memory;

static weft_collider_def def_of(const kit_mesh *m)
{
    weft_collider_def d = weft_collider_def_default();
    d.kind = WEFT_COLLIDER_MESH;
    d.vertices = m->x;
    d.n_vertices = m->n_nodes;
    d.triangles = m->triangles;
    d.n_triangles = m->n_triangles;
    return d;
}

static collider_mesh *make(const weft_collider_def *d)
{
    weft_error e = {0};
    kit_must(collider_mesh_check(d, 250, &e), &e);
    mem_init(&memory, NULL, NULL);
    collider_mesh *c = collider_mesh_create(&memory, d);
    assert_non_null(c);
    memcpy(c->x, c->local, (size_t)c->n_vertices * sizeof *c->x);
    return c;
}

static void done(collider_mesh *c)
{
    collider_mesh_destroy(c);
    assert_int_equal(memory.in_use, 0);
}

static weft_collider_info info_of(const weft_collider_def *d)
{
    collider_mesh *c = make(d);
    weft_collider_info info = c->info;
    info.volume = collider_mesh_volume(c);
    done(c);
    return info;
}

static void swap_corners(int32_t *t)
{
    int32_t first = t[0];
    t[0] = t[1];
    t[1] = first;
}

/* ---- facts ------------------------------------------------------------------------------------------------------- */

static void a_ball_is_closed_whichever_way_its_triangles_run(void **state)
{
    (void)state;
    kit_mesh ball = kit_icosphere(2, 0.5);
    weft_collider_def d = def_of(&ball);
    weft_collider_info info = info_of(&d);
    assert_true(info.closed);
    assert_int_equal(info.n_edges, 3 * ball.n_triangles / 2);
    assert_int_equal(info.n_degenerate, 0);
    assert_int_equal(info.n_vertices - info.n_edges + info.n_triangles, 2);
    double full = 4 * WEFT_PI / 3 * 0.125;
    assert_true(info.volume < full && info.volume > 0.95 * full);
    for (int32_t ti = 0; ti < ball.n_triangles; ti++)
        swap_corners(ball.triangles + 3 * ti);
    weft_collider_info turned = info_of(&d);
    assert_true(turned.closed);
    assert_true(fabs(turned.volume + info.volume) < 1e-15);
    kit_mesh_free(&ball);
}

static void holes_fins_and_turned_triangles_are_counted(void **state)
{
    (void)state;
    kit_mesh ball = kit_icosphere(1, 0.5);
    weft_collider_def d = def_of(&ball);
    d.n_triangles--;
    weft_collider_info hole = info_of(&d);
    assert_false(hole.closed);
    assert_int_equal(hole.n_border_edges, 3);
    assert_int_equal(hole.n_flipped_edges + hole.n_non_manifold_edges, 0);
    d.n_triangles++;
    swap_corners(ball.triangles);
    weft_collider_info turned = info_of(&d);
    assert_false(turned.closed);
    assert_int_equal(turned.n_flipped_edges, 3);
    assert_int_equal(turned.n_border_edges + turned.n_non_manifold_edges, 0);
    swap_corners(ball.triangles);
    /* A fin: from the first edge to the farthest vertex, and one that names a vertex twice. */
    int32_t *more = malloc(sizeof *more * 3 * (size_t)(ball.n_triangles + 2));
    memcpy(more, ball.triangles, sizeof *more * 3 * (size_t)ball.n_triangles);
    int32_t fin[6] = {more[0], more[1], ball.n_nodes - 1, more[0], more[0], more[1]};
    memcpy(more + 3 * ball.n_triangles, fin, sizeof fin);
    d.triangles = more;
    d.n_triangles += 2;
    weft_collider_info finned = info_of(&d);
    assert_false(finned.closed);
    assert_int_equal(finned.n_non_manifold_edges, 1);
    assert_int_equal(finned.n_border_edges, 2);
    assert_int_equal(finned.n_degenerate, 1);
    assert_int_equal(finned.n_triangles, d.n_triangles - 1);
    free(more);
    kit_mesh_free(&ball);
}

/* As in STL files: each triangle with its own three vertices. */
static void a_soup_of_triangles_is_closed_where_their_corners_coincide(void **state)
{
    (void)state;
    kit_mesh ball = kit_icosphere(2, 0.5);
    int32_t n = 3 * ball.n_triangles;
    weft_vec3 *x = malloc(sizeof *x * (size_t)n);
    int32_t *t = malloc(sizeof *t * (size_t)n);
    for (int32_t i = 0; i < n; i++) {
        x[i] = ball.x[ball.triangles[i]];
        x[i].x = x[i].x == 0 && i % 2 ? -0.0 : x[i].x;
        t[i] = i;
    }
    weft_collider_def d = def_of(&ball);
    weft_collider_info wanted = info_of(&d);
    d.vertices = x;
    d.triangles = t;
    d.n_vertices = n;
    weft_collider_info info = info_of(&d);
    assert_true(info.closed);
    assert_int_equal(info.n_edges, wanted.n_edges);
    assert_true(info.volume == wanted.volume);
    free(x);
    free(t);
    kit_mesh_free(&ball);
}

/* ---- distances --------------------------------------------------------------------------------------------------- */

/* Solid angle over 4π: 1 inside a closed surface that runs counter-clockwise, 0 outside (van Oosterom & Strackee
 * 1983). */
static double winding(const collider_mesh *c, vec3 p)
{
    double sum = 0;
    for (int32_t ti = 0; ti < c->n_triangles; ti++) {
        const int32_t *t = c->triangles[ti];
        vec3 a = v3_sub(c->x[t[0]], p), b = v3_sub(c->x[t[1]], p), d = v3_sub(c->x[t[2]], p);
        double la = v3_len(a), lb = v3_len(b), ld = v3_len(d);
        sum += weft_atan2(v3_dot(a, v3_cross(b, d)),
                          la * lb * ld + v3_dot(a, b) * ld + v3_dot(b, d) * la + v3_dot(d, a) * lb);
    }
    return sum / (2 * WEFT_PI);
}

static double brute_force(const collider_mesh *c, vec3 p)
{
    double least = HUGE_VAL;
    for (int32_t ti = 0; ti < c->n_triangles; ti++) {
        const int32_t *t = c->triangles[ti];
        vec3 x[3] = {c->x[t[0]], c->x[t[1]], c->x[t[2]]};
        least = fmin(least, closest_point_triangle(p, x).distance_sq);
    }
    return sqrt(least);
}

/* A star with spikes: most points are nearest to an edge or a vertex. */
static void make_spiky(kit_mesh *m, uint64_t *random)
{
    for (int32_t vi = 0; vi < m->n_nodes; vi++) {
        double r = 0.6 + 0.35 * kit_random_unit(random);
        m->x[vi] = v3_scale(r, m->x[vi]);
    }
}

static void check_distances(kit_mesh *m, bool inside_out, uint64_t *random)
{
    for (int32_t ti = 0; inside_out && ti < m->n_triangles; ti++)
        swap_corners(m->triangles + 3 * ti);
    weft_collider_def d = def_of(m);
    collider_mesh *c = make(&d);
    assert_true(c->info.closed);
    int32_t n_inside = 0;
    for (int k = 0; k < 4000; k++) {
        vec3 p = v3(0.7 * kit_random_unit(random), 0.7 * kit_random_unit(random), 0.7 * kit_random_unit(random));
        if (k % 8 == 0) /* right beside a vertex */
            p = v3_madd(m->x[kit_random_below(random, m->n_nodes)], 1e-6, p);
        double found = collider_mesh_distance(c, p), wanted = brute_force(c, p);
        bool inside = fabs(winding(c, p)) > 0.5;
        assert_true(fabs(fabs(found) - wanted) <= 1e-15);
        assert_true((found < 0) == inside || wanted < 1e-12);
        n_inside += inside;
    }
    assert_true(n_inside > 200);
    done(c);
}

static void distances_are_those_of_all_triangles_and_signs_those_of_winding_numbers(void **state)
{
    (void)state;
    uint64_t random = 5;
    for (int k = 0; k < 4; k++) {
        kit_mesh ball = kit_icosphere(k % 2 + 1, 1.0);
        make_spiky(&ball, &random);
        check_distances(&ball, k >= 2, &random);
        kit_mesh_free(&ball);
    }
}

static void triangles_are_as_far_as_the_nearest_of_all(void **state)
{
    (void)state;
    uint64_t random = 6;
    kit_mesh ball = kit_icosphere(2, 1.0);
    make_spiky(&ball, &random);
    weft_collider_def d = def_of(&ball);
    collider_mesh *c = make(&d);
    int32_t n_crossing = 0;
    for (int k = 0; k < 500; k++) {
        vec3 x[3], at = v3(kit_random_unit(&random), kit_random_unit(&random), kit_random_unit(&random));
        double least = HUGE_VAL;
        for (int i = 0; i < 3; i++)
            x[i] = v3_add(
                at, v3(0.2 * kit_random_unit(&random), 0.2 * kit_random_unit(&random), 0.2 * kit_random_unit(&random)));
        for (int32_t ti = 0; ti < c->n_triangles; ti++) {
            const int32_t *t = c->triangles[ti];
            least = fmin(least, closest_triangles(x, (vec3[3]){c->x[t[0]], c->x[t[1]], c->x[t[2]]}));
        }
        assert_true(collider_mesh_triangle_distance(c, x, HUGE_VAL) == least);
        assert_true(collider_mesh_triangle_distance(c, x, 0.05) == fmin(least, 0.05));
        n_crossing += least == 0;
    }
    assert_true(n_crossing > 20 && n_crossing < 480);
    done(c);
    kit_mesh_free(&ball);
}

static void without_memory_nothing_is_made_and_nothing_lost(void **state)
{
    (void)state;
    kit_mesh ball = kit_icosphere(1, 0.5);
    weft_collider_def d = def_of(&ball);
    for (int64_t n = 1;; n++) {
        kit_memory checked = {.fail_at = n};
        mem_init(&memory, kit_alloc, &checked);
        collider_mesh *c = collider_mesh_create(&memory, &d);
        assert_true((c == NULL) == (checked.n_failed > 0));
        collider_mesh_destroy(c);
        assert_int_equal(checked.n_blocks, 0);
        assert_int_equal(checked.n_mistakes, 0);
        if (c)
            break;
        assert_true(n < 100);
    }
    kit_mesh_free(&ball);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_ball_is_closed_whichever_way_its_triangles_run),
        cmocka_unit_test(holes_fins_and_turned_triangles_are_counted),
        cmocka_unit_test(a_soup_of_triangles_is_closed_where_their_corners_coincide),
        cmocka_unit_test(distances_are_those_of_all_triangles_and_signs_those_of_winding_numbers),
        cmocka_unit_test(triangles_are_as_far_as_the_nearest_of_all),
        cmocka_unit_test(without_memory_nothing_is_made_and_nothing_lost),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
