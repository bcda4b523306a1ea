/* SPDX-License-Identifier: MIT */
/* The audit against all pairs, its contours against what is known of them, and what it says to bad input. */
/* ctest: labels=threads timeout=300 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <weft/audit.h>

#include "math/intersect.h"
#include "math/point_kit.h"
#include "math/trig.h"
#include "sim/kit.h"

#define PI 3.141592653589793

enum { MOST_NODES = 60000, MOST_TRIANGLES = 60000 };

typedef struct soup {
    int32_t n_nodes, n_triangles;
    vec3 x[MOST_NODES];
    int32_t t[MOST_TRIANGLES][3];
    int32_t object[MOST_TRIANGLES];
} soup;

static soup *soup_new(void)
{
    soup *s = calloc(1, sizeof *s);
    assert_non_null(s);
    return s;
}

static void add_triangle(soup *s, int32_t a, int32_t b, int32_t c, int32_t object)
{
    assert_true(s->n_triangles < MOST_TRIANGLES);
    s->t[s->n_triangles][0] = a, s->t[s->n_triangles][1] = b, s->t[s->n_triangles][2] = c;
    s->object[s->n_triangles++] = object;
}

/* A sheet of nu × nv quads from `corner` along u and v. */
static void add_sheet(soup *s, vec3 corner, vec3 u, vec3 v, int nu, int nv, int32_t object)
{
    int32_t first = s->n_nodes;
    for (int j = 0; j <= nv; j++)
        for (int i = 0; i <= nu; i++)
            s->x[s->n_nodes++] = v3_madd(v3_madd(corner, i, u), j, v);
    for (int j = 0; j < nv; j++)
        for (int i = 0; i < nu; i++) {
            int32_t a = first + i + (nu + 1) * j, b = a + 1, c = a + nu + 1, d = c + 1;
            add_triangle(s, a, b, d, object);
            add_triangle(s, a, d, c, object);
        }
}

static void add_sphere(soup *s, vec3 centre, double radius, int n, int32_t object)
{
    int32_t first = s->n_nodes;
    for (int j = 0; j <= n; j++)
        for (int i = 0; i < 2 * n; i++) {
            double theta = PI * j / n, phi = PI * i / n, ring = j == 0 || j == n ? 0.0 : weft_sin(theta);
            double height = j == 0 ? 1.0 : j == n ? -1.0 : weft_cos(theta);
            vec3 way = v3(ring * weft_cos(phi), ring * weft_sin(phi), height);
            s->x[s->n_nodes++] = v3_madd(centre, radius, way);
        }
    for (int j = 0; j < n; j++)
        for (int i = 0; i < 2 * n; i++) {
            int32_t a = first + i + 2 * n * j, b = first + (i + 1) % (2 * n) + 2 * n * j;
            if (j > 0) /* else the pole, many times */
                add_triangle(s, a, a + 2 * n, b, object);
            if (j < n - 1)
                add_triangle(s, b, a + 2 * n, b + 2 * n, object);
        }
}

static weft_audit_def def_of(const soup *s, int32_t n_objects)
{
    weft_audit_def d = weft_audit_def_default();
    d.n_nodes = s->n_nodes, d.positions = s->x;
    d.n_triangles = s->n_triangles, d.triangles = s->t[0];
    d.objects = s->object, d.n_objects = n_objects;
    return d;
}

static weft_audit *run(const weft_audit_def *d)
{
    weft_audit *a;
    weft_error e = {0};
    if (weft_audit_create(d, &a, &e) != WEFT_OK || weft_audit_run(a, NULL, 0.0, &e) != WEFT_OK)
        fail_msg("%s", e.text);
    return a;
}

static weft_audit *run_soup(const soup *s, int32_t n_objects)
{
    weft_audit_def d = def_of(s, n_objects);
    return run(&d);
}

/* ---- pairs ----------------------------------------------------------------------------------------------------- */

static int64_t compare_with_all_pairs(const soup *s, const weft_audit_found *f)
{
    int64_t n = 0;
    for (int32_t i = 0; i < s->n_triangles; i++)
        for (int32_t j = i + 1; j < s->n_triangles; j++) {
            vec3 a[3], b[3];
            for (int k = 0; k < 3; k++)
                a[k] = s->x[s->t[i][k]], b[k] = s->x[s->t[j][k]];
            triangle_intersection m = intersect_triangles(a, b);
            if (m == INTERSECT_NONE)
                continue;
            assert_true(n < f->n_pairs);
            const weft_audit_pair *p = &f->pairs[n++];
            assert_int_equal(p->triangle[0], i);
            assert_int_equal(p->triangle[1], j);
            assert_int_equal(p->kind, m);
            assert_true(p->contour >= 0 && p->contour < f->n_contours);
        }
    assert_int_equal(n, f->n_pairs);
    return n;
}

static void random_soup(soup *s, int class, uint64_t seed)
{
    uint64_t random = seed;
    s->n_nodes = 150, s->n_triangles = 0;
    for (int32_t i = 0; i < s->n_nodes; i += 5) /* far points of all sizes are beyond what boxes take */
        points_make(&random, class == POINTS_MANY_SIZES || class == POINTS_EXTREME ? POINTS_RANDOM : class, s->x + i,
                    5);
    for (int32_t i = 0; i < 120; i++) {
        int32_t a = point_below(&random, s->n_nodes), b = point_below(&random, s->n_nodes);
        add_triangle(s, a, b, point_below(&random, s->n_nodes), 0);
    }
}

static void pairs_are_those_of_all_against_all(void **state)
{
    (void)state;
    soup *s = soup_new();
    int64_t total = 0;
    for (int class = 0; class < POINTS_CLASSES; class ++)
        for (uint64_t seed = 1; seed <= 4; seed++) {
            random_soup(s, class, seed + 100 * (uint64_t) class);
            weft_audit *a = run_soup(s, 1);
            weft_audit_found f = weft_audit_get(a);
            total += compare_with_all_pairs(s, &f);
            weft_audit_destroy(a);
        }
    printf("%lld pairs\n", (long long)total);
    assert_true(total > 10000);
    free(s);
}

static void clean_meshes_have_no_pairs(void **state)
{
    (void)state;
    soup *s = soup_new();
    add_sphere(s, v3(0.1, 0.2, 0.3), 1.0, 40, 0);
    add_sheet(s, v3(-2, -2, 1.5), v3(0.1, 0, 0), v3(0, 0.1, 0), 40, 40, 1);
    weft_audit *a = run_soup(s, 2);
    weft_audit_found f = weft_audit_get(a);
    assert_int_equal(f.n_pairs, 0);
    assert_int_equal(f.n_contours, 0);
    assert_int_equal(f.n_degenerate, 0);
    assert_true(f.n_tested > s->n_triangles);
    weft_audit_destroy(a);
    free(s);
}

static void colliders_are_not_tested_against_each_other(void **state)
{
    (void)state;
    soup *s = soup_new();
    static const bool is_collider[3] = {false, true, true};
    vec3 u = v3(0.1, 0, 0), v = v3(0, 0.1, 0), w = v3(0, 0, 0.1);
    add_sheet(s, v3(0, 0, 0.013), u, v, 10, 10, 0);               /* cloth */
    add_sheet(s, v3(0.25, 0.017, -0.5), v, w, 9, 10, 1);          /* crosses it, and … */
    add_sheet(s, v3(0.0, 0.51, -0.5), u, w, 10, 10, 2);           /* … this, which crosses all */
    add_sheet(s, v3(0.033, 0.04, 0.0), v3_add(u, w), v, 3, 3, 0); /* cloth through cloth */
    weft_audit_def d = def_of(s, 3);
    weft_audit *all = run(&d);
    d.object_is_collider = is_collider;
    weft_audit *a = run(&d);
    weft_audit_found f = weft_audit_get(a), g = weft_audit_get(all);
    int64_t with = 0, without = 0, between = 0;
    for (int64_t i = 0; i < g.n_pairs; i++) {
        int n = is_collider[s->object[g.pairs[i].triangle[0]]] + is_collider[s->object[g.pairs[i].triangle[1]]];
        without += n == 0, with += n == 1, between += n == 2;
    }
    assert_true(with > 0 && without > 0 && between > 0);
    assert_int_equal(f.n_pairs, with + without);
    assert_int_equal(f.n_collider_pairs, with);
    assert_int_equal(f.n_cloth_pairs, without);
    for (int32_t i = 0; i < f.n_contours; i++)
        assert_int_equal(f.contours[i].collider,
                         is_collider[f.contours[i].object[0]] || is_collider[f.contours[i].object[1]]);
    weft_audit_destroy(a);
    weft_audit_destroy(all);
    free(s);
}

/* ---- contours -------------------------------------------------------------------------------------------------- */

/* Two sheets cross at x = 0.52 for y in [0.1137, 0.9137]: from border to border of the second, 0.8 m. Lengths add
 * at most one rounding of 1e-16 or so a segment. */
static void sheets_cross_along_one_line(void **state)
{
    (void)state;
    soup *s = soup_new();
    add_sheet(s, v3(0, 0, 0), v3(0.1, 0, 0), v3(0, 0.1, 0), 10, 10, 0);
    add_sheet(s, v3(0.52, 0.1137, -0.33), v3(0, 0.08, 0), v3(0, 0, 0.07), 10, 10, 1);
    weft_audit *a = run_soup(s, 2);
    weft_audit_found f = weft_audit_get(a);
    assert_int_equal(f.n_contours, 1);
    assert_int_equal(f.n_lines, 1);
    assert_false(f.contours[0].closed);
    assert_true(fabs(f.contours[0].length - 0.8) < 1e-13);
    assert_true(fabs(f.contours[0].centre.y - 0.5137) < 1e-13 && fabs(f.contours[0].centre.x - 0.52) < 1e-13);
    assert_int_equal(f.lines[0].n_points, f.n_pairs + 1);
    assert_int_equal(f.n_points, f.n_pairs + 1);
    weft_audit_destroy(a);
    free(s);
}

/* The same where the line runs along edges of both, through their vertices: each segment is that of up to four pairs,
 * and some pairs touch at a point. */
static void contours_along_edges_are_one_line(void **state)
{
    (void)state;
    soup *s = soup_new();
    add_sheet(s, v3(0, 0, 0), v3(1, 0, 0), v3(0, 1, 0), 8, 8, 0);
    add_sheet(s, v3(4, 2, -4), v3(0, 1, 0), v3(0, 0, 1), 4, 8, 1);
    weft_audit *a = run_soup(s, 2);
    weft_audit_found f = weft_audit_get(a);
    compare_with_all_pairs(s, &f);
    assert_int_equal(f.n_contours, 0); /* the edges are common: vertices at the same place */
    weft_audit_destroy(a);
    for (int32_t vi = 81; vi < s->n_nodes;
         vi++) /* half a quad along: vertices of one in the middle of the other's edges */
        s->x[vi].y += 0.5;
    a = run_soup(s, 2);
    f = weft_audit_get(a);
    compare_with_all_pairs(s, &f);
    assert_int_equal(f.n_contours, 1);
    assert_int_equal(f.n_lines, 1);
    assert_true(f.contours[0].length == 4.0);
    assert_int_equal(f.lines[0].n_points, 9);
    weft_audit_destroy(a);
    free(s);
}

/* Unit spheres 1 apart cross at a circle of radius √¾; chords of triangles with sides up to h = π/60 are shorter by a
 * share of h²/8 at most, and lie inside by as much. */
static void spheres_cross_along_a_closed_circle(void **state)
{
    (void)state;
    soup *s = soup_new();
    add_sphere(s, v3(0, 0, 0), 1.0, 60, 0);
    add_sphere(s, v3(0.6, 0.0, 0.8), 1.0, 60, 1);
    weft_audit *a = run_soup(s, 2);
    weft_audit_found f = weft_audit_get(a);
    assert_int_equal(f.n_contours, 1);
    assert_true(f.contours[0].closed);
    double round = 2.0 * PI * sqrt(0.75), h = PI / 60;
    printf("circle: %.6f, %.6f by the triangles, %lld pairs\n", round, f.contours[0].length, (long long)f.n_pairs);
    assert_true(f.contours[0].length < round * (1 + h * h) && f.contours[0].length > round * (1 - 2 * h * h));
    assert_true(v3_len(v3_sub(f.contours[0].centre, v3(0.3, 0, 0.4))) < h * h);
    weft_audit_destroy(a);
    free(s);
}

/* A fan around a vertex, one blade of which goes through another: the contour begins at the vertex they share. */
static void a_contour_may_end_at_a_shared_vertex(void **state)
{
    (void)state;
    soup *s = soup_new();
    const vec3 x[] = {{0, 0, 0}, {1, -0.5, 0}, {1, 0.5, 0}, {1, 0.2, -0.5}, {1, 0.1, 0.5}};
    memcpy(s->x, x, sizeof x);
    s->n_nodes = 5;
    add_triangle(s, 0, 1, 2, 0);
    add_triangle(s, 0, 3, 4, 0);
    weft_audit *a = run_soup(s, 1);
    weft_audit_found f = weft_audit_get(a);
    assert_int_equal(f.n_pairs, 1);
    assert_int_equal(f.n_lines, 1);
    vec3 first = f.points[0], last = f.points[1];
    vec3 vertex = v3_len(first) < v3_len(last) ? first : last, far = v3_len(first) < v3_len(last) ? last : first;
    assert_true(v3_len(vertex) == 0.0);
    assert_true(v3_len(v3_sub(far, v3(1, 0.15, 0))) < 1e-15);
    weft_audit_destroy(a);
    free(s);
}

static void coplanar_overlap_is_one_contour_without_lines(void **state)
{
    (void)state;
    soup *s = soup_new();
    add_sheet(s, v3(0, 0, 0), v3(1, 0, 0), v3(0, 1, 0), 8, 8, 0);
    add_sheet(s, v3(2.25, 2.25, 0), v3(1, 0, 0), v3(0, 1, 0), 3, 3, 1);
    weft_audit *a = run_soup(s, 2);
    weft_audit_found f = weft_audit_get(a);
    compare_with_all_pairs(s, &f);
    assert_int_equal(f.n_contours, 1);
    assert_int_equal(f.n_lines, 0);
    assert_true(f.contours[0].length == 0.0);
    assert_true(v3_len(v3_sub(f.contours[0].centre, v3(3.75, 3.75, 0))) < 0.5);
    for (int64_t i = 0; i < f.n_pairs; i++)
        assert_int_equal(f.pairs[i].kind, WEFT_PAIR_COPLANAR);
    weft_audit_destroy(a);
    free(s);
}

/* Points of a line lie, to rounding, on both triangles of a pair; lines of a random mesh hang together. */
static void every_pair_that_crosses_is_on_a_line(void **state)
{
    (void)state;
    soup *s = soup_new();
    for (uint64_t seed = 1; seed < 20; seed++) {
        random_soup(s, seed % 2 ? POINTS_RANDOM : POINTS_SMALL_GRID, seed);
        weft_audit *a = run_soup(s, 1);
        weft_audit_found f = weft_audit_get(a);
        int64_t pairs = 0, points = 0;
        for (int32_t i = 0; i < f.n_contours; i++)
            pairs += f.contours[i].n_pairs;
        for (int32_t i = 0; i < f.n_lines; i++) {
            const weft_audit_contour *c = &f.contours[f.lines[i].contour];
            assert_true(i >= c->first_line && i < c->first_line + c->n_lines);
            assert_true(f.lines[i].n_points >= (f.lines[i].closed ? 3 : 2));
            points += f.lines[i].n_points;
        }
        assert_int_equal(pairs, f.n_pairs);
        assert_int_equal(points, f.n_points);
        weft_audit_destroy(a);
    }
    free(s);
}

static bool same_found(const weft_audit_found *f, const weft_audit_found *g)
{
    return f->n_pairs == g->n_pairs && f->n_contours == g->n_contours && f->n_lines == g->n_lines &&
           f->n_points == g->n_points && f->n_near_triangles == g->n_near_triangles && f->n_tested == g->n_tested &&
           memcmp(f->pairs, g->pairs, (size_t)f->n_pairs * sizeof *f->pairs) == 0 &&
           memcmp(f->points, g->points, (size_t)f->n_points * sizeof *f->points) == 0 &&
           memcmp(f->contours, g->contours, (size_t)f->n_contours * sizeof *f->contours) == 0 &&
           memcmp(f->lines, g->lines, (size_t)f->n_lines * sizeof *f->lines) == 0 &&
           memcmp(f->near_triangles, g->near_triangles, (size_t)f->n_near_triangles * sizeof *f->near_triangles) == 0;
}

static void threads_change_nothing(void **state)
{
    (void)state;
    soup *s = soup_new();
    add_sphere(s, v3(0, 0, 0), 1.0, 60, 0);
    add_sphere(s, v3(0.6, 0.0, 0.8), 1.0, 60, 1);
    weft_collider_def ball = weft_collider_def_default();
    ball.kind = WEFT_COLLIDER_SPHERE, ball.radius = 0.99;
    static const double thickness[2] = {0.02, 0.0};
    weft_audit_def d = def_of(s, 2);
    d.colliders = &ball, d.n_colliders = 1, d.thickness = thickness;
    weft_audit *one = run(&d);
    weft_audit_found f = weft_audit_get(one);
    assert_true(f.n_pairs > 100 && f.n_near_triangles > 1000);
    for (int n = 2; n <= 5; n++) {
        d.n_threads = n;
        weft_audit *many = run(&d);
        weft_audit_found g = weft_audit_get(many);
        assert_true(same_found(&f, &g));
        weft_audit_destroy(many);
    }
    weft_audit_destroy(one);
    free(s);
}

/* ---- colliders given as formulas ------------------------------------------------------------------------------- */

static void triangles_keep_their_thickness_from_analytic_colliders(void **state)
{
    (void)state;
    soup *s = soup_new();
    weft_collider_def solids[2] = {weft_collider_def_default(), weft_collider_def_default()};
    solids[0].kind = WEFT_COLLIDER_PLANE; /* y < 0 */
    weft_key keys[2] = {{0, {0, 5, 0}, {0, 0, 0, 1}}, {1, {0.55, 0.3, 0.5}, {0, 0, 0, 1}}};
    solids[1].kind = WEFT_COLLIDER_SPHERE, solids[1].radius = 0.1, solids[1].keys = keys, solids[1].n_keys = 2;
    static const double thickness[1] = {0.01};
    add_sheet(s, v3(0, 0.01, 0), v3(0.1, 0, 0), v3(0, 0, 0.1), 10, 10, 0);
    s->x[0].y = 0.01 - 2e-9; /* the only one too near */
    weft_audit_def d = def_of(s, 1);
    d.colliders = solids, d.n_colliders = 2, d.thickness = thickness;
    weft_audit *a = run(&d);
    weft_audit_found f = weft_audit_get(a);
    assert_int_equal(f.n_near_triangles, 2);
    assert_int_equal(f.near_triangles[0].collider, 0);
    assert_true(v3_len(v3_sub(f.near_triangles[0].place, s->x[0])) < 1e-9);
    weft_error e;
    for (int32_t vi = 0; vi < s->n_nodes; vi++)
        s->x[vi].y = 0.3;
    assert_int_equal(weft_audit_run(a, s->x, 1.0, &e), WEFT_OK);
    f = weft_audit_get(a);
    int64_t inside = 0;
    for (int64_t i = 0; i < f.n_near_triangles; i++) {
        assert_int_equal(f.near_triangles[i].collider, 1);
        inside += f.near_triangles[i].distance < 0.0;
    }
    assert_true(inside > 0 && f.n_near_triangles < 40);
    assert_int_equal(weft_audit_run(a, s->x, 0.0, &e), WEFT_OK); /* the ball is far off then */
    assert_int_equal(weft_audit_get(a).n_near_triangles, 0);
    weft_audit_destroy(a);
    free(s);
}

static void sewn_nodes_are_where_their_partner_is(void **state)
{
    (void)state;
    soup *s = soup_new();
    const vec3 x[] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0.1, 0, -1}, {1, 0, 0}, {0, -1, 0}};
    memcpy(s->x, x, sizeof x);
    s->n_nodes = 6;
    add_triangle(s, 0, 1, 2, 0);
    add_triangle(s, 3, 5, 4, 0);
    s->x[3] = v3(0.1, 0.1, 0); /* inside the first triangle, unless sewn to its corner */
    int32_t same[6] = {0, 1, 2, 0, 4, 5};
    weft_audit_def d = def_of(s, 1);
    weft_audit *a = run(&d);
    assert_int_equal(weft_audit_get(a).n_pairs, 1);
    weft_audit_destroy(a);
    d.same = same;
    a = run(&d);
    assert_int_equal(weft_audit_get(a).n_pairs, 0);
    weft_audit_destroy(a);
    free(s);
}

/* ---- bad input ------------------------------------------------------------------------------------------------- */

static void an_empty_mesh_is_fine(void **state)
{
    (void)state;
    weft_audit_def d = weft_audit_def_default();
    weft_audit *a = run(&d);
    assert_int_equal(weft_audit_get(a).n_pairs, 0);
    weft_audit_destroy(a);
    weft_vec3 lonely = {1, 2, 3};
    d.n_nodes = 1, d.positions = &lonely;
    a = run(&d);
    assert_int_equal(weft_audit_get(a).n_tested, 0);
    weft_audit_destroy(a);
    weft_audit_destroy(NULL);
    assert_int_equal(weft_audit_get(NULL).n_pairs, 0);
}

static void refused(const weft_audit_def *d, weft_result code, const char *part)
{
    weft_audit *a;
    weft_error e = {0};
    assert_int_equal(weft_audit_create(d, &a, &e), code);
    assert_null(a);
    if (!strstr(e.text, part))
        fail_msg("'%s' does not say '%s'", e.text, part);
}

static void bad_input_is_refused_by_name(void **state)
{
    (void)state;
    soup *s = soup_new();
    add_sheet(s, v3(0, 0, 0), v3(1, 0, 0), v3(0, 1, 0), 3, 3, 0);
    weft_audit_def good = def_of(s, 1), d = good;
    d.struct_size = 3;
    refused(&d, WEFT_ERROR_STRUCT_SIZE, "weft_audit_def");
    d = good, d.positions = NULL;
    refused(&d, WEFT_ERROR_ARGUMENT, "positions");
    s->t[4][1] = 99;
    refused(&good, WEFT_ERROR_INDEX, "triangle 4 names node 99 of 16");
    s->t[4][1] = 5;
    s->object[7] = 1;
    refused(&good, WEFT_ERROR_INDEX, "triangle 7 is of object 1 of 1");
    s->object[7] = 0;
    s->x[6].y = (double)NAN;
    refused(&good, WEFT_ERROR_NOT_FINITE, "6");
    s->x[6].y = 1e31;
    refused(&good, WEFT_ERROR_RANGE, "6");
    s->x[6].y = 1;
    int32_t same[16] = {0, 0, 1};
    d = good, d.same = same;
    refused(&d, WEFT_ERROR_INDEX, "node 2 is the same as 1");
    weft_collider_def mesh = weft_collider_def_default();
    mesh.kind = WEFT_COLLIDER_MESH;
    d = good, d.colliders = &mesh, d.n_colliders = 1;
    refused(&d, WEFT_ERROR_ARGUMENT, "collider 0 is a mesh");
    d = good, d.pair_limit = 0;
    refused(&d, WEFT_ERROR_RANGE, "pair_limit");
    assert_int_equal(weft_audit_create(NULL, NULL, NULL), WEFT_ERROR_ARGUMENT);

    weft_audit *a = run(&good);
    weft_error e;
    s->x[9].z = -HUGE_VAL;
    assert_int_equal(weft_audit_run(a, s->x, 0.0, &e), WEFT_ERROR_NOT_FINITE);
    assert_non_null(strstr(e.text, "node 9"));
    assert_int_equal(weft_audit_run(NULL, s->x, 0.0, &e), WEFT_ERROR_ARGUMENT);
    weft_audit_destroy(a);
    free(s);
}

static void degenerate_triangles_are_listed_and_tested(void **state)
{
    (void)state;
    soup *s = soup_new();
    const vec3 x[] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0.2, 0.2, -1}, {0.2, 0.2, 1}, {0.2, 0.2, 3}};
    memcpy(s->x, x, sizeof x);
    s->n_nodes = 6;
    add_triangle(s, 0, 1, 2, 0);
    add_triangle(s, 3, 4, 5, 0); /* a needle through it */
    add_triangle(s, 1, 1, 2, 0); /* one of its edges */
    weft_audit *a = run_soup(s, 1);
    weft_audit_found f = weft_audit_get(a);
    assert_int_equal(f.n_degenerate, 2);
    assert_int_equal(f.degenerate[0], 1);
    assert_int_equal(f.degenerate[1], 2);
    assert_int_equal(f.n_pairs, 1);
    assert_int_equal(f.pairs[0].kind, WEFT_PAIR_DEGENERATE);
    weft_audit_destroy(a);
    free(s);
}

typedef struct meter {
    int64_t now, peak;
} meter;

static void *metered_alloc(void *user, void *ptr, size_t old_size, size_t new_size)
{
    meter *m = user;
    m->now += (int64_t)new_size - (ptr ? (int64_t)old_size : 0);
    m->peak = m->now > m->peak ? m->now : m->peak;
    if (new_size == 0) {
        free(ptr);
        return NULL;
    }
    return realloc(ptr, new_size);
}

/* 8000 times the same triangle: 32 million pairs. And a limit that is given. */
static void too_many_pairs_are_an_error_in_bounded_memory(void **state)
{
    (void)state;
    soup *s = soup_new();
    meter memory = {0};
    const vec3 x[] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    memcpy(s->x, x, sizeof x);
    s->n_nodes = 3;
    while (s->n_triangles < 8000)
        add_triangle(s, 0, 1, 2, 0);
    weft_audit *a;
    weft_error e;
    weft_audit_def d = def_of(s, 1);
    d.alloc = metered_alloc, d.alloc_user = &memory;
    assert_int_equal(weft_audit_create(&d, &a, &e), WEFT_OK);
    assert_int_equal(weft_audit_run(a, NULL, 0.0, &e), WEFT_ERROR_LIMIT);
    printf("%s\n%.0f MB\n", e.text, (double)memory.peak / 1e6);
    assert_non_null(strstr(e.text, "8000 triangles"));
    assert_int_equal(weft_audit_get(a).n_pairs, 0);
    assert_true(memory.peak < 1000000000);
    weft_audit_destroy(a);
    s->n_triangles = 100;
    d = def_of(s, 1), d.pair_limit = 4949;
    assert_int_equal(weft_audit_create(&d, &a, &e), WEFT_OK);
    assert_int_equal(weft_audit_run(a, NULL, 0.0, &e), WEFT_ERROR_LIMIT);
    assert_non_null(strstr(e.text, "4950 pairs"));
    weft_audit_destroy(a);
    free(s);
}

static void any_allocation_may_fail(void **state)
{
    (void)state;
    soup *s = soup_new();
    add_sheet(s, v3(0, 0, 0), v3(0.1, 0, 0), v3(0, 0.1, 0), 10, 10, 0);
    add_sheet(s, v3(0.52, 0.1, -0.33), v3(0, 0.08, 0), v3(0, 0, 0.07), 10, 10, 1);
    add_sheet(s, v3(0.52, 0.13, -0.33), v3(0, 0.08, 0), v3(0, 0, 0.07), 10, 10, 1);
    weft_collider_def plane = weft_collider_def_default();
    int64_t n = 1;
    for (bool failed = true; failed; n++) {
        kit_memory memory = {.fail_at = n};
        weft_audit_def d = def_of(s, 2);
        d.alloc = kit_alloc, d.alloc_user = &memory, d.colliders = &plane, d.n_colliders = 1;
        weft_audit *a;
        weft_error e;
        weft_result r = weft_audit_create(&d, &a, &e);
        if (r == WEFT_OK)
            r = weft_audit_run(a, NULL, 0.0, &e);
        failed = r != WEFT_OK;
        assert_true(r == WEFT_OK || r == WEFT_ERROR_MEMORY);
        if (a && failed) { /* it recovers */
            assert_int_equal(weft_audit_get(a).n_pairs, 0);
            assert_int_equal(weft_audit_run(a, NULL, 0.0, &e), WEFT_OK);
            assert_true(weft_audit_get(a).n_pairs > 0);
        }
        weft_audit_destroy(a);
        assert_int_equal(memory.n_bytes, 0);
        assert_int_equal(memory.n_mistakes, 0);
    }
    printf("%lld allocations, each failed once\n", (long long)n - 2);
    free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pairs_are_those_of_all_against_all),
        cmocka_unit_test(clean_meshes_have_no_pairs),
        cmocka_unit_test(colliders_are_not_tested_against_each_other),
        cmocka_unit_test(sheets_cross_along_one_line),
        cmocka_unit_test(contours_along_edges_are_one_line),
        cmocka_unit_test(spheres_cross_along_a_closed_circle),
        cmocka_unit_test(a_contour_may_end_at_a_shared_vertex),
        cmocka_unit_test(coplanar_overlap_is_one_contour_without_lines),
        cmocka_unit_test(every_pair_that_crosses_is_on_a_line),
        cmocka_unit_test(threads_change_nothing),
        cmocka_unit_test(triangles_keep_their_thickness_from_analytic_colliders),
        cmocka_unit_test(sewn_nodes_are_where_their_partner_is),
        cmocka_unit_test(an_empty_mesh_is_fine),
        cmocka_unit_test(bad_input_is_refused_by_name),
        cmocka_unit_test(degenerate_triangles_are_listed_and_tested),
        cmocka_unit_test(too_many_pairs_are_an_error_in_bounded_memory),
        cmocka_unit_test(any_allocation_may_fail),
    };
#ifdef __SANITIZE_THREAD__ /* slow, and the other cases have one thread */
    cmocka_set_test_filter("*thread*");
#endif
    return cmocka_run_group_tests(tests, NULL, NULL);
}
