/* SPDX-License-Identifier: MIT */
#include "mesh/surface.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "sim/kit.h"

#include <cmocka.h>

/* Not for NAN either. */
#define assert_close(a, b, tolerance) assert_true(fabs((a) - (b)) <= (tolerance))

/* ---- making surfaces --------------------------------------------------------------------------------------------- */

typedef struct test_mem {
    kit_memory kit;
    mem mem;
} test_mem;

static void test_mem_start(test_mem *t)
{
    t->kit = (kit_memory){0};
    mem_init(&t->mem, kit_alloc, &t->kit);
}

static void test_mem_end(test_mem *t)
{
    assert_int_equal(t->kit.n_bytes, 0);
    assert_int_equal(t->kit.n_blocks, 0);
    assert_int_equal(t->kit.n_mistakes, 0);
}

static surface_input input_of(const kit_mesh *m)
{
    return (surface_input){.n_nodes = m->n_nodes,
                           .n_triangles = m->n_triangles,
                           .n_quads = m->n_quads,
                           .triangles = m->triangles,
                           .quads = m->quads,
                           .uv = m->uv,
                           .rest = m->uv ? NULL : m->x};
}

static surface *make(test_mem *t, const surface_input *in)
{
    surface *s = NULL;
    weft_error e = {0};
    kit_must(surface_create(&t->mem, in, &s, &e), &e);
    return s;
}

/* All quads, so the patch is a grid. */
static surface *make_grid(test_mem *t, int32_t n_u, int32_t n_v, double size_u, double size_v)
{
    kit_mesh m = kit_patch(n_u, n_v, size_u, size_v, 1.5, 0, 1);
    surface_input in = input_of(&m);
    in.grid_columns = n_u - 1;
    surface *s = make(t, &in);
    kit_mesh_free(&m);
    return s;
}

/* ---- what every surface must be ---------------------------------------------------------------------------------- */

static int32_t euler(const surface *s)
{
    return s->n_nodes - s->n_edges + s->n_elements;
}

static int32_t n_borders(const surface *s)
{
    int32_t n = 0;
    for (int32_t i = 0; i < s->n_edges; i++)
        n += s->edges[i].element[1] < 0;
    return n;
}

/* The triangle that runs from b to a, by looking at all of them. */
static int32_t find_across(const surface *s, int32_t a, int32_t b)
{
    for (int32_t ti = 0; ti < s->n_triangles; ti++)
        for (int i = 0; i < 3; i++)
            if (s->triangles[ti].node[i] == b && s->triangles[ti].node[(i + 1) % 3] == a)
                return ti;
    return -1;
}

static void assert_neighbours(const surface *s)
{
    for (int32_t ti = 0; ti < s->n_triangles; ti++)
        for (int i = 0; i < 3; i++) {
            const triangle *t = &s->triangles[ti];
            assert_int_equal(t->neighbour[i], find_across(s, t->node[(i + 1) % 3], t->node[(i + 2) % 3]));
        }
}

/* Inner edges and diagonals join two triangles, borders one: 3 T = 2 (E + Q) − B. */
static void assert_counts(const surface *s, int32_t n_quads)
{
    assert_int_equal(s->n_triangles, s->n_elements + n_quads);
    assert_int_equal(3 * s->n_triangles, 2 * (s->n_edges + n_quads) - n_borders(s));
    assert_int_equal(s->n_dofs, s->n_nodes);
}

static double total_area(const surface *s)
{
    double sum = 0;
    for (int32_t ti = 0; ti < s->n_triangles; ti++)
        sum += surface_area(s, ti);
    return sum;
}

static double signed_area(vec2 a, vec2 b, vec2 c)
{
    return 0.5 * ((b.u - a.u) * (c.v - a.v) - (c.u - a.u) * (b.v - a.v));
}

static double distance(vec2 a, vec2 b)
{
    return sqrt((a.u - b.u) * (a.u - b.u) + (a.v - b.v) * (a.v - b.v));
}

/* A triangle laid flat keeps its sides and area and turns counter-clockwise; an unfolded apex keeps its distances to
 * the common side and lies beyond it. Coordinates are of size 1: a dozen roundings are 1e-14. */
static void assert_patch(const surface *s, int32_t ti)
{
    vec2 p[6], own[3];
    int32_t nodes[6];
    int32_t present = surface_triangle_patch(s, ti, p, nodes);
    surface_triangle_rest(s, ti, own);
    assert_memory_equal(own, p, sizeof own);
    assert_close(signed_area(p[0], p[1], p[2]), surface_area(s, ti), 1e-14);
    for (int i = 0; i < 3; i++) {
        int a = (i + 1) % 3, b = (i + 2) % 3;
        assert_int_equal(nodes[i], s->triangles[ti].node[i]);
        assert_close(distance(p[a], p[b]), surface_rest_length(s, nodes[a], nodes[b]), 1e-14);
        assert_int_equal(present >> i & 1, s->triangles[ti].neighbour[i] >= 0);
        assert_int_equal(nodes[3 + i] >= 0, present >> i & 1);
        if (nodes[3 + i] < 0)
            continue;
        assert_close(distance(p[a], p[3 + i]), surface_rest_length(s, nodes[a], nodes[3 + i]), 1e-14);
        assert_close(distance(p[b], p[3 + i]), surface_rest_length(s, nodes[b], nodes[3 + i]), 1e-14);
        assert_close(signed_area(p[b], p[a], p[3 + i]), surface_area(s, s->triangles[ti].neighbour[i]), 1e-14);
    }
}

/* ---- grids ------------------------------------------------------------------------------------------------------- */

static void grid_has_the_counts_of_a_disc(void **state)
{
    (void)state;
    static const int32_t sizes[][2] = {{2, 2}, {2, 7}, {3, 4}, {17, 5}, {30, 31}};
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        int32_t u = sizes[k][0], v = sizes[k][1];
        test_mem t;
        test_mem_start(&t);
        surface *s = make_grid(&t, u, v, 0.3, 0.7);
        assert_true(surface_is_valid(s));
        assert_int_equal(s->n_nodes, u * v);
        assert_int_equal(s->n_elements, (u - 1) * (v - 1));
        assert_int_equal(s->n_edges, 2 * u * v - u - v);
        assert_int_equal(n_borders(s), 2 * (u - 1) + 2 * (v - 1));
        assert_int_equal(euler(s), 1);
        assert_counts(s, s->n_elements);
        assert_true(surface_is_flat(s));
        surface_destroy(s);
        test_mem_end(&t);
    }
}

/* Where i + j is even all four diagonals meet, elsewhere none: eight triangles or four. */
static void grid_diagonals_form_union_jacks(void **state)
{
    (void)state;
    enum { U = 9, V = 6 };
    test_mem t;
    test_mem_start(&t);
    surface *s = make_grid(&t, U, V, 1, 1);
    int32_t n_around[U * V] = {0};
    for (int32_t ti = 0; ti < s->n_triangles; ti++)
        for (int i = 0; i < 3; i++)
            n_around[s->triangles[ti].node[i]]++;
    for (int32_t j = 1; j < V - 1; j++)
        for (int32_t i = 1; i < U - 1; i++)
            assert_int_equal(n_around[i + U * j], (i + j) % 2 == 0 ? 8 : 4);
    surface_destroy(s);
    test_mem_end(&t);
}

static void grid_triangles_know_their_neighbours_and_areas(void **state)
{
    (void)state;
    test_mem t;
    test_mem_start(&t);
    surface *s = make_grid(&t, 9, 5, 0.8, 0.2);
    assert_neighbours(s);
    for (int32_t ti = 0; ti < s->n_triangles; ti++) {
        assert_close(surface_area(s, ti), 0.5 * 0.1 * 0.05, 1e-17); /* a few units in the last place of 0.0025 */
        assert_patch(s, ti);
    }
    surface_destroy(s);
    test_mem_end(&t);
}

/* ---- the rest shape of a triangle and its neighbours ------------------------------------------------------------- */

static const int32_t square_triangles[] = {0, 1, 2, 0, 2, 3};

static void assert_square_patch(const vec2 uv[4])
{
    test_mem t;
    test_mem_start(&t);
    surface_input in = {.n_nodes = 4, .n_triangles = 2, .triangles = square_triangles, .uv = uv};
    surface *s = make(&t, &in);
    vec2 p[6];
    int32_t nodes[6];
    assert_int_equal(surface_triangle_patch(s, 0, p, nodes), 2);
    static const vec2 expected[3] = {{0, 0}, {1, 0}, {1, 2}};
    for (int i = 0; i < 3; i++) {
        assert_true(p[i].u == expected[i].u && p[i].v == expected[i].v);
        assert_int_equal(nodes[i], i);
    }
    assert_true(p[4].u == 0 && p[4].v == 2);
    assert_int_equal(nodes[3], -1);
    assert_int_equal(nodes[4], 3);
    assert_int_equal(nodes[5], -1);
    surface_destroy(s);
    test_mem_end(&t);
}

static void patch_from_uv_is_uv(void **state)
{
    (void)state;
    assert_square_patch((const vec2[4]){{0, 0}, {1, 0}, {1, 2}, {0, 2}});
}

static void patch_from_mirrored_uv_is_turned_over(void **state)
{
    (void)state;
    assert_square_patch((const vec2[4]){{0, 0}, {-1, 0}, {-1, 2}, {0, 2}});
}

/* Triangle 0 lies in z = 0; triangle 1 hangs from its side 0–1, folded by a right angle. */
static const vec3 corner_nodes[4] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0.25, 0, -0.5}};
static const int32_t corner_triangles[] = {0, 1, 2, 1, 0, 3};

static void patch_from_3d_unfolds_neighbours(void **state)
{
    (void)state;
    test_mem t;
    test_mem_start(&t);
    surface_input in = {.n_nodes = 4, .n_triangles = 2, .triangles = corner_triangles, .rest = corner_nodes};
    surface *s = make(&t, &in);
    static const vec2 expected[2][4] = {{{0, 0}, {1, 0}, {0, 1}, {0.25, -0.5}},
                                        {{0, 0}, {-1, 0}, {-0.75, -0.5}, {-1, 1}}};
    for (int32_t ti = 0; ti < 2; ti++) {
        vec2 p[6];
        int32_t nodes[6];
        assert_int_equal(surface_triangle_patch(s, ti, p, nodes), 4); /* the side opposite node 2 */
        for (int i = 0; i < 4; i++) {
            int k = i < 3 ? i : 5;
            assert_close(p[k].u, expected[ti][i].u, 1e-15);
            assert_close(p[k].v, expected[ti][i].v, 1e-15);
        }
        assert_int_equal(nodes[5], ti == 0 ? 3 : 2);
        assert_patch(s, ti);
    }
    assert_false(surface_is_flat(s));
    surface_destroy(s);
    test_mem_end(&t);
}

/* Warp is where x points on the triangle; on one that stands across x, where y does. The side from node 0 to node 1 is
 * told by its length along warp and across it. */
static void patch_from_3d_takes_warp_from_x_or_y(void **state)
{
    (void)state;
    static const struct {
        vec3 x[3];
        double along_sq, across_sq;
    } rows[] = {
        {{{2, 3, 1}, {2, 3, 0}, {3, 3, 1}}, 0, 1},  /* level, the side along z */
        {{{0, 0, 0}, {0, 1, 0}, {0, 0, 1}}, 1, 0},  /* across x, the side along y */
        {{{0, 0, 0}, {2, 2, 0}, {0, 0, -1}}, 8, 0}, /* upright at 45° to x, the side level */
    };
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        test_mem t;
        test_mem_start(&t);
        surface_input in = {.n_nodes = 3, .n_triangles = 1, .triangles = (int32_t[]){0, 1, 2}, .rest = rows[k].x};
        surface *s = make(&t, &in);
        vec2 p[3];
        surface_triangle_rest(s, 0, p);
        assert_close(p[1].u - p[0].u, sqrt(rows[k].along_sq), 1e-15);
        assert_close(fabs(p[1].v - p[0].v), sqrt(rows[k].across_sq), 1e-15);
        assert_patch(s, 0);
        surface_destroy(s);
        test_mem_end(&t);
    }
}

static void fold_is_not_flat_and_a_flat_mesh_is(void **state)
{
    (void)state;
    static const struct {
        vec3 apex;
        bool flat;
    } rows[] = {{{0.5, -1, 0}, true}, {{0.5, -1, 1e-8}, true}, {{0.5, -1, 1e-4}, false}, {{0.4, 1, 0}, false}};
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        test_mem t;
        test_mem_start(&t);
        vec3 x[4] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, rows[k].apex};
        surface_input in = {.n_nodes = 4, .n_triangles = 2, .triangles = corner_triangles, .rest = x};
        surface *s = make(&t, &in);
        assert_int_equal(surface_is_flat(s), rows[k].flat);
        surface_destroy(s);
        test_mem_end(&t);
    }
}

/* ---- random meshes ----------------------------------------------------------------------------------------------- */

static void check_random(kit_mesh *m, uint64_t *random, int32_t characteristic, double area)
{
    test_mem t;
    test_mem_start(&t);
    kit_shuffle(m, random);
    surface_input in = input_of(m);
    surface *s = make(&t, &in);
    assert_true(surface_is_valid(s));
    assert_int_equal(euler(s), characteristic);
    assert_int_equal(n_borders(s) == 0, characteristic != 1);
    assert_counts(s, m->n_quads);
    assert_neighbours(s);
    if (area > 0)
        assert_close(total_area(s), area, 1e-13);
    for (int32_t ti = 0; ti < s->n_triangles; ti++)
        assert_patch(s, ti);
    surface_destroy(s);
    test_mem_end(&t);
    kit_mesh_free(m);
}

static void random_patches_are_valid(void **state)
{
    (void)state;
    uint64_t random = 7;
    for (int k = 0; k < 150; k++) {
        int32_t u = 2 + kit_random_below(&random, 8), v = 2 + kit_random_below(&random, 8);
        double quads = 0.5 + 0.8 * kit_random_unit(&random);
        kit_mesh m = kit_patch(u, v, 0.9, 0.4, quads, 0.2, kit_random(&random));
        check_random(&m, &random, 1, 0.9 * 0.4);
    }
}

/* Without uv, rest is the 3D shape; bumps make the quads skew. */
static void random_bumpy_patches_are_valid(void **state)
{
    (void)state;
    uint64_t random = 8;
    for (int k = 0; k < 50; k++) {
        kit_mesh m = kit_patch(7, 6, 0.9, 0.7, 0.5, 0.2, kit_random(&random));
        free(m.uv);
        m.uv = NULL;
        for (int32_t i = 0; i < m.n_nodes; i++)
            m.x[i].y = 0.05 * kit_random_unit(&random);
        check_random(&m, &random, 1, 0);
    }
}

static void closed_surfaces_have_their_characteristic(void **state)
{
    (void)state;
    uint64_t random = 9;
    for (int level = 0; level < 3; level++) {
        kit_mesh sphere = kit_icosphere(level, 0.5);
        assert_int_equal(sphere.n_nodes, 2 + (10 << 2 * level));
        check_random(&sphere, &random, 2, 0);
    }
    kit_mesh torus = kit_torus(13, 7, 0.7, 0.2);
    check_random(&torus, &random, 0, 0);
}

/* ---- wrong input ------------------------------------------------------------------------------------------------- */

typedef struct wrong_row {
    const char *what;
    int32_t n_triangles, n_quads;
    int32_t triangles[12], quads[8];
    weft_result code;
    int32_t element;
    const char *text;
} wrong_row;

/* Nodes 0–8 are a square of 3 × 3 (row by row), 9 and 10 stand above 0 and 1. */
static const wrong_row wrong_rows[] = {
    {"index = n", 2, 0, {0, 1, 3, 1, 4, 11}, {0}, WEFT_ERROR_INDEX, 1, "triangle 1 names node 11"},
    {"index < 0", 1, 1, {0, 1, 3}, {1, 2, 5, -1}, WEFT_ERROR_INDEX, 1, "quad 0 names node -1"},
    {"index far out", 1, 0, {0, 1, INT32_MAX}, {0}, WEFT_ERROR_INDEX, 0, "triangle 0"},
    {"node twice in a triangle", 2, 0, {0, 1, 3, 4, 3, 4}, {0}, WEFT_ERROR_DEGENERATE, 1, "names node 4 twice"},
    {"node twice in a quad", 0, 1, {0}, {0, 1, 4, 1}, WEFT_ERROR_DEGENERATE, 0, "quad 0 names node 1 twice"},
    {"no area", 2, 0, {0, 1, 3, 0, 2, 1}, {0}, WEFT_ERROR_DEGENERATE, 1, "triangle 1 has no area"},
    {"a quad without area", 0, 1, {0}, {0, 1, 2, 9}, WEFT_ERROR_DEGENERATE, 0, "quad 0"},
    {"a quad that crosses itself", 0, 1, {0}, {0, 1, 3, 4}, WEFT_ERROR_DEGENERATE, 0, "not convex"},
    {"the same triangle",
     3,
     0,
     {0, 1, 3, 1, 4, 3, 3, 0, 1},
     {0},
     WEFT_ERROR_DUPLICATE,
     2,
     "triangle 2 has the same nodes as triangle 0"},
    {"the same triangle turned over", 2, 0, {0, 1, 3, 1, 0, 3}, {0}, WEFT_ERROR_DUPLICATE, 1, "triangle 1"},
    {"the same quad", 1, 2, {0, 3, 1}, {1, 2, 5, 4, 5, 4, 1, 2}, WEFT_ERROR_DUPLICATE, 2, "quad 1"},
    {"the same quad turned over", 0, 2, {0}, {0, 1, 4, 3, 0, 3, 4, 1}, WEFT_ERROR_DUPLICATE, 1, "quad 1"},
    {"three faces at an edge",
     3,
     0,
     {0, 1, 3, 1, 0, 9, 1, 0, 10},
     {0},
     WEFT_ERROR_NON_MANIFOLD,
     2,
     "between nodes 0 and 1 has 3 faces"},
    {"one turned over", 2, 0, {0, 1, 3, 1, 3, 4}, {0}, WEFT_ERROR_NON_MANIFOLD, 1, "turned over"},
    {"triangle against quad", 1, 1, {4, 5, 1}, {0, 1, 4, 3}, WEFT_ERROR_NON_MANIFOLD, 1, "quad 0"},
    {"an edge on a diagonal",
     2,
     1,
     {0, 4, 9, 4, 0, 10},
     {0, 1, 4, 3},
     WEFT_ERROR_NON_MANIFOLD,
     0,
     "nodes 0 and 4 are joined by an edge and by the diagonal"},
    {"a node in an edge",
     3,
     0,
     {2, 0, 3, 0, 1, 9, 1, 2, 9},
     {0},
     WEFT_ERROR_NON_MANIFOLD,
     0,
     "node 1 lies in the edge between nodes 2 and 0"},
};

static void wrong_meshes_are_refused_by_element(void **state)
{
    (void)state;
    static const vec3 x[11] = {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {0, 1, 0}, {1, 1, 0}, {2, 1, 0},
                               {0, 2, 0}, {1, 2, 0}, {2, 2, 0}, {0, 0, 1}, {1, 0, 1}};
    for (size_t k = 0; k < sizeof wrong_rows / sizeof *wrong_rows; k++) {
        const wrong_row *r = &wrong_rows[k];
        test_mem t;
        test_mem_start(&t);
        surface_input in = {.n_nodes = 11,
                            .n_triangles = r->n_triangles,
                            .n_quads = r->n_quads,
                            .triangles = r->triangles,
                            .quads = r->quads,
                            .rest = x};
        surface *s = NULL;
        weft_error e = {0};
        weft_result found = surface_create(&t.mem, &in, &s, &e);
        if (found != r->code || e.code != r->code || e.element != r->element || !strstr(e.text, r->text))
            fail_msg("%s: %d, element %d, \"%s\"", r->what, found, e.element, e.text);
        assert_null(s);
        assert_int_equal(surface_create(&t.mem, &in, &s, NULL), r->code);
        test_mem_end(&t);
    }
}

/* One element has the edge from 0 to 4, the others have nodes 1, 2 and 3 in it: all the way it is a crack, as far as 3
 * it is the mouth of a bag that lies flat, or cloth that is folded. */
static void borders_along_each_other_are_refused_only_from_end_to_end(void **state)
{
    (void)state;
    static const vec3 rest[7] = {{0, 0, 0}, {1, 0, 0}, {2, 0, 5e-5}, {3, 0, 0}, {4, 0, 0}, {2, 1, 0}, {2, -1, 0}};
    static const vec2 uv[7] = {{0, 0}, {1, 0}, {2, 5e-5}, {3, 0}, {4, 0}, {2, 1}, {2, -1}};
    static const int32_t triangles[] = {4, 0, 6, 0, 1, 5, 1, 2, 5, 2, 3, 5, 3, 4, 5};
    for (int k = 0; k < 4; k++) {
        test_mem t;
        test_mem_start(&t);
        surface_input in = {.n_nodes = 7, .n_triangles = k % 2 ? 5 : 4, .triangles = triangles};
        in.uv = k / 2 ? uv : NULL;
        in.rest = k / 2 ? NULL : rest;
        surface *s = NULL;
        weft_error e = {0};
        assert_int_equal(surface_create(&t.mem, &in, &s, &e), k % 2 ? WEFT_ERROR_NON_MANIFOLD : WEFT_OK);
        if (s)
            surface_destroy(s);
        test_mem_end(&t);
    }
}

static void wrong_counts_are_refused(void **state)
{
    (void)state;
    static const int32_t counts[][3] = {{-1, 0, 0},
                                        {1, -1, 0},
                                        {1, 0, -1},
                                        {INT32_MAX, 0, 0},
                                        {1, INT32_MAX, 0},
                                        {1, 0, INT32_MAX},
                                        {1, INT32_MAX, INT32_MAX}};
    for (size_t k = 0; k < sizeof counts / sizeof *counts; k++) {
        test_mem t;
        test_mem_start(&t);
        surface_input in = {.n_nodes = counts[k][0], .n_triangles = counts[k][1], .n_quads = counts[k][2]};
        surface *s = NULL;
        assert_int_equal(surface_create(&t.mem, &in, &s, NULL), WEFT_ERROR_RANGE);
        assert_int_equal(t.kit.n_calls, 0);
        test_mem_end(&t);
    }
}

static void without_memory_nothing_is_left(void **state)
{
    (void)state;
    kit_mesh m = kit_patch(4, 4, 1, 1, 0.5, 0.1, 3);
    surface_input in = input_of(&m);
    for (int64_t n = 1;; n++) {
        test_mem t;
        test_mem_start(&t);
        t.kit.fail_at = n;
        surface *s = NULL;
        weft_result r = surface_create(&t.mem, &in, &s, NULL);
        assert_int_equal(r, t.kit.n_failed > 0 ? WEFT_ERROR_MEMORY : WEFT_OK);
        surface_destroy(s);
        test_mem_end(&t);
        if (r == WEFT_OK) {
            assert_true(n > 5);
            break;
        }
    }
    kit_mesh_free(&m);
}

/* ---- the validity predicate -------------------------------------------------------------------------------------- */

static int inner_side(const surface *s, int32_t ti)
{
    int i = 0;
    while (s->triangles[ti].neighbour[i] < 0)
        i++;
    return i;
}

static void forget_on_both_sides(surface *s, int32_t ti)
{
    int i = inner_side(s, ti);
    triangle *o = &s->triangles[s->triangles[ti].neighbour[i]];
    for (int k = 0; k < 3; k++)
        if (o->neighbour[k] == ti)
            o->neighbour[k] = -1;
    s->triangles[ti].neighbour[i] = -1;
}

static void turn_edge(edge *e)
{
    int32_t a = e->node[0];
    e->node[0] = e->node[1];
    e->node[1] = a;
}

/* Each spoils one thing of a grid of 3 × 3 cells, whose element 4, with the triangle 9, is in the middle. */
#define DAMAGES(X)                                                                                                     \
    X(too_many_sides, s->elements[4].n = 5)                                                                            \
    X(element_node_out_of_range, s->elements[4].node[2] = s->n_nodes)                                                  \
    X(element_node_negative, s->elements[4].node[0] = -1)                                                              \
    X(element_node_twice, s->elements[4].node[0] = s->elements[4].node[2])                                             \
    X(element_of_other_nodes, s->elements[4].node[0] = 15)                                                             \
    X(element_edge_out_of_range, s->elements[4].edge[1] = s->n_edges)                                                  \
    X(element_edge_of_another, s->elements[0].edge[0] = s->elements[8].edge[0])                                        \
    X(element_diagonal_that_is_none, s->elements[4].diagonal = 2)                                                      \
    X(element_diagonal_not_as_drawn, s->elements[4].diagonal = 1 - s->elements[4].diagonal)                            \
    X(edge_turned, turn_edge(&s->edges[s->elements[4].edge[0]]))                                                       \
    X(edge_node_out_of_range, s->edges[0].node[1] = s->n_nodes)                                                        \
    X(edge_without_element, s->edges[0].element[0] = -1)                                                               \
    X(inner_edge_as_border, s->edges[s->elements[4].edge[0]].element[1] = -1)                                          \
    X(border_as_inner_edge, s->edges[s->elements[0].edge[0]].element[1] = 5)                                           \
    X(one_edge_less, s->n_edges--)                                                                                     \
    X(one_triangle_less, s->n_triangles--)                                                                             \
    X(triangle_node_out_of_range, s->triangles[9].node[1] = s->n_nodes)                                                \
    X(triangle_of_other_nodes, s->triangles[0].node[0] = 15)                                                           \
    X(triangle_of_no_element, s->triangles[9].element = s->n_elements)                                                 \
    X(triangle_of_another_element, s->triangles[9].element = 5)                                                        \
    X(triangle_next_to_itself, s->triangles[9].neighbour[0] = 9)                                                       \
    X(neighbour_out_of_range, s->triangles[9].neighbour[0] = s->n_triangles)                                           \
    X(neighbour_forgotten_on_one_side, s->triangles[9].neighbour[inner_side(s, 9)] = -1)                               \
    X(neighbour_forgotten_on_both_sides, forget_on_both_sides(s, 9))                                                   \
    X(neighbour_is_another, s->triangles[9].neighbour[inner_side(s, 9)] = 0)                                           \
    X(triangle_of_no_area, s->uv[5] = s->uv[6])                                                                        \
    X(triangle_area_not_a_number, s->uv[5].u = KIT_NAN)                                                                \
    X(row_of_no_dof, s->rows[5].dof[0] = -1)                                                                           \
    X(row_beyond_dofs, s->rows[5].dof[0] = s->n_dofs)                                                                  \
    X(row_beyond_dofs_in_second_place, (s->rows[5] = (node_row){{1, s->n_dofs}}))                                      \
    X(row_of_one_dof_twice, (s->rows[5] = (node_row){{1, 1}}))                                                         \
    X(two_rest_shapes, s->rest = mem_array(s->mem, s->n_nodes, sizeof *s->rest))                                       \
    X(no_rest_shape, MEM_FREE(s->mem, s->uv, s->n_nodes))

#define DAMAGE_FUNCTION(name, spoil)                                                                                   \
    static void name(surface *s)                                                                                       \
    {                                                                                                                  \
        spoil;                                                                                                         \
    }
#define DAMAGE_ROW(name, spoil) {#name, name},

DAMAGES(DAMAGE_FUNCTION)

static const struct {
    const char *name;
    void (*spoil)(surface *s);
} damages[] = {DAMAGES(DAMAGE_ROW)};

static void every_kind_of_damage_is_seen(void **state)
{
    (void)state;
    int missed = 0;
    for (size_t k = 0; k < sizeof damages / sizeof *damages; k++) {
        test_mem t;
        test_mem_start(&t);
        surface *s = make_grid(&t, 4, 4, 1, 1);
        assert_true(surface_is_valid(s));
        damages[k].spoil(s);
        if (surface_is_valid(s)) {
            print_message("not seen: %s\n", damages[k].name);
            missed++;
        }
        surface_destroy(s);
        test_mem_end(&t);
    }
    assert_int_equal(missed, 0);
}

/* A lone triangle has no neighbours that would notice. */
static void drawn_triangle_turned_over_is_seen(void **state)
{
    (void)state;
    test_mem t;
    test_mem_start(&t);
    surface_input in = {.n_nodes = 4, .n_triangles = 1, .triangles = square_triangles, .rest = corner_nodes};
    surface *s = make(&t, &in);
    assert_true(surface_is_valid(s));
    s->triangles[0].node[0] = 1;
    s->triangles[0].node[1] = 0;
    assert_false(surface_is_valid(s));
    surface_destroy(s);
    test_mem_end(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(grid_has_the_counts_of_a_disc),
        cmocka_unit_test(grid_diagonals_form_union_jacks),
        cmocka_unit_test(grid_triangles_know_their_neighbours_and_areas),
        cmocka_unit_test(patch_from_uv_is_uv),
        cmocka_unit_test(patch_from_mirrored_uv_is_turned_over),
        cmocka_unit_test(patch_from_3d_unfolds_neighbours),
        cmocka_unit_test(patch_from_3d_takes_warp_from_x_or_y),
        cmocka_unit_test(fold_is_not_flat_and_a_flat_mesh_is),
        cmocka_unit_test(random_patches_are_valid),
        cmocka_unit_test(random_bumpy_patches_are_valid),
        cmocka_unit_test(closed_surfaces_have_their_characteristic),
        cmocka_unit_test(wrong_meshes_are_refused_by_element),
        cmocka_unit_test(borders_along_each_other_are_refused_only_from_end_to_end),
        cmocka_unit_test(wrong_counts_are_refused),
        cmocka_unit_test(without_memory_nothing_is_left),
        cmocka_unit_test(every_kind_of_damage_is_seen),
        cmocka_unit_test(drawn_triangle_turned_over_is_seen),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
