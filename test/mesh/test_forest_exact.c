/* SPDX-License-Identifier: MIT */
/* ctest: timeout=300 */
/* Refinement leaves the surface where it is, exactly: in whole numbers, without rounding.
 *
 * Every node is known as a combination of its root's nodes with weights in 1/4096, and a drawn triangle as its three
 * combinations. If these name no more than the three corners of one drawn triangle of the root, it lies in that plane;
 * the determinant of its weights is its share of the area, in 4096^-3. All shares positive, their sum exactly one for
 * each triangle of the roots, and sides that match in pairs: the drawn triangles tile the roots'. Positions must be
 * that combination of the roots' positions, bit for bit. WEFT_LONG: checked after each refinement. */
#include "mesh/forest_inside.h"
#include "mesh/forest_kit.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "mesh/sides.h"

#include <cmocka.h>

#define ONE 4096 /* 2^12: a weight of 1 after up to twelve halvings */

static bool is_long(void)
{
    return getenv("WEFT_LONG") != NULL;
}

/* ---- nodes as combinations of root nodes ------------------------------------------------------------------------- */

typedef struct mix {
    int32_t n, node[3], weight[3];
} mix;

static void mix_add(mix *m, int32_t node, int32_t weight)
{
    for (int32_t i = 0; i < m->n; i++)
        if (m->node[i] == node) {
            m->weight[i] += weight;
            return;
        }
    assert_true(m->n < 3); /* never beyond one triangle */
    m->node[m->n] = node;
    m->weight[m->n++] = weight;
}

/* The combinations of all nodes, made when they are first asked for. */
typedef struct mixes {
    const forest *f;
    mix *of;
} mixes;

static mixes mixes_start(const forest *f)
{
    mixes all = {f, calloc((size_t)f->n_nodes, sizeof *all.of)};
    assert_non_null(all.of);
    return all;
}

static mix mix_of(const mixes *all, int32_t vi)
{
    mix m = all->of[vi];
    if (m.n > 0)
        return m;
    if (vi < all->f->n_root_nodes)
        mix_add(&m, vi, ONE);
    for (int p = 0; p < 2 && vi >= all->f->n_root_nodes; p++) {
        mix half = mix_of(all, all->f->nodes[vi].parent[p]);
        for (int32_t i = 0; i < half.n; i++) {
            assert_int_equal(half.weight[i] % 2, 0);
            mix_add(&m, half.node[i], half.weight[i] / 2);
        }
    }
    all->of[vi] = m;
    return m;
}

static int32_t weight_on(const mix *m, int32_t node)
{
    for (int32_t i = 0; i < m->n; i++)
        if (m->node[i] == node)
            return m->weight[i];
    return 0;
}

/* x in units of 2^-44 m, as two parts that products with weights do not overflow. */
typedef struct wide {
    int64_t high, low;
} wide;

static wide wide_of(double x)
{
    double scaled = x * 0x1p44;
    int64_t whole = (int64_t)scaled;
    assert_true((double)whole == scaled); /* x is on the grid */
    int64_t low = whole & 0x3ffffff;
    return (wide){(whole - low) / (INT64_C(1) << 26), low};
}

static double along(vec3 x, int axis)
{
    return axis == 0 ? x.x : axis == 1 ? x.y : x.z;
}

/* Σ weight · corner − 4096 · x = 0, with carries. */
static void assert_position(const mix *m, const forest_kit *k, int32_t vi)
{
    for (int axis = 0; axis < 3; axis++) {
        wide sum = wide_of(along(k->x[vi], axis));
        sum.high *= -ONE;
        sum.low *= -ONE;
        for (int32_t i = 0; i < m->n; i++) {
            wide corner = wide_of(along(k->x[m->node[i]], axis));
            sum.high += m->weight[i] * corner.high;
            sum.low += m->weight[i] * corner.low;
        }
        assert_true(sum.low % (INT64_C(1) << 26) == 0 && sum.high + sum.low / (INT64_C(1) << 26) == 0);
    }
}

/* ---- shares of the roots' triangles ------------------------------------------------------------------------------ */

/* The share of a drawn triangle in a triangle of its root; 0 if it is not within its plane. */
static int64_t share(const mix v[3], const int32_t corner[3])
{
    int64_t w[3][3];
    for (int i = 0; i < 3; i++) {
        int64_t sum = 0;
        for (int j = 0; j < 3; j++)
            sum += w[i][j] = weight_on(&v[i], corner[j]);
        if (sum != ONE)
            return 0;
    }
    return w[0][0] * (w[1][1] * w[2][2] - w[1][2] * w[2][1]) - w[0][1] * (w[1][0] * w[2][2] - w[1][2] * w[2][0]) +
           w[0][2] * (w[1][0] * w[2][1] - w[1][1] * w[2][0]);
}

static void add_share(const forest_kit *k, const mixes *all, int32_t ei, const int32_t drawn[3], int64_t *shares)
{
    int32_t root = k->f.elements[ei].root;
    const element *el = &k->roots->elements[root];
    mix v[3];
    for (int i = 0; i < 3; i++) {
        v[i] = mix_of(all, drawn[i]);
        assert_position(&v[i], k, drawn[i]);
    }
    for (int t = 0; t < el->n - 2; t++) {
        int32_t corner[3];
        surface_cut(el, t, corner);
        int64_t s = share(v, corner);
        assert_true(s >= 0);
        shares[2 * root + t] += s;
        if (s > 0)
            return;
    }
    fail_msg("a drawn triangle of element %d is in none of its root's planes, or has no area", ei);
}

static void assert_surface_is_where_it_was(const forest_kit *k)
{
    mixes all = mixes_start(&k->f);
    int64_t *shares = calloc(2 * (size_t)k->f.n_roots, sizeof *shares);
    assert_non_null(shares);
    for (int32_t ei = forest_next_leaf(&k->f, -1); ei >= 0; ei = forest_next_leaf(&k->f, ei)) {
        int32_t drawn[FOREST_MOST_DRAWN][3], n = forest_draw(&k->f, ei, drawn);
        assert_true(n >= k->f.elements[ei].n - 2 && n <= FOREST_MOST_DRAWN);
        for (int32_t i = 0; i < n; i++)
            add_share(k, &all, ei, drawn[i], shares);
    }
    for (int32_t ei = 0; ei < k->f.n_roots; ei++)
        for (int t = 0; t < k->f.elements[ei].n - 2; t++)
            assert_true(shares[2 * ei + t] == (int64_t)ONE * ONE * ONE);
    free(shares);
    free(all.of);
}

/* ---- sides of drawn triangles ------------------------------------------------------------------------------------ */

static sides drawn_sides(forest_kit *k)
{
    sides s;
    assert_true(sides_create(&s, &k->mem, k->f.n_nodes, 3 * FOREST_MOST_DRAWN * k->f.n_leaves));
    for (int32_t ei = forest_next_leaf(&k->f, -1); ei >= 0; ei = forest_next_leaf(&k->f, ei)) {
        int32_t drawn[FOREST_MOST_DRAWN][3], n = forest_draw(&k->f, ei, drawn);
        for (int32_t i = 0; i < 3 * n; i++)
            sides_add(&s, drawn[i / 3][i % 3], drawn[i / 3][(i + 1) % 3], ei, i);
    }
    sides_sort(&s);
    return s;
}

static bool is_on_edge(const mix *m, const int32_t node[2])
{
    return weight_on(m, node[0]) + weight_on(m, node[1]) == ONE;
}

static bool on_root_border(const mixes *all, int32_t a, int32_t b)
{
    mix m[2] = {mix_of(all, a), mix_of(all, b)};
    for (int32_t i = 0; i < all->f->n_root_edges; i++) {
        const forest_edge *ed = &all->f->edges[i];
        if (ed->element[1] < 0 && is_on_edge(&m[0], ed->node) && is_on_edge(&m[1], ed->node))
            return true;
    }
    return false;
}

/* Two and two, in opposite directions; alone only on a border. */
static void assert_drawing_conforms(forest_kit *k)
{
    sides s = drawn_sides(k);
    mixes all = mixes_start(&k->f);
    int32_t n = 0;
    for (const side *g = NULL; (g = sides_next(&s, g, &n));) {
        assert_true(n <= 2);
        if (n == 2)
            assert_true(g[0].from == g[1].to && g[0].to == g[1].from);
        else
            assert_true(on_root_border(&all, g->from, g->to));
    }
    free(all.of);
    sides_destroy(&s);
}

/* ---- the claims -------------------------------------------------------------------------------------------------- */

/* Half of the time deeper where it is deepest, else anywhere. */
static void refine_somewhere(forest_kit *k, int32_t *deep, uint64_t *random)
{
    int32_t ei = *deep;
    while (!forest_is_leaf(&k->f, ei))
        ei = k->f.elements[ei].child + kit_random_below(random, 4);
    if (kit_random_below(random, 2) == 0 || k->f.elements[ei].level == FOREST_MAX_LEVEL)
        ei = forest_kit_leaf(k, FOREST_MAX_LEVEL, random);
    assert_true(forest_refine(&k->f, ei));
    *deep = k->f.elements[ei].level >= k->f.elements[*deep].level ? ei : *deep;
    forest_kit_forget(k);
}

static void refinement_leaves_the_surface_where_it_is_exactly(void **state)
{
    (void)state;
    const int n_shapes = 50, n_refinements = 200; /* 10,000 in all */
    int32_t deepest = 0;
    for (int i = 0; i < n_shapes; i++) {
        forest_kit k;
        forest_kit_start(&k, (forest_shape)(i % SHAPE_COUNT), 100 + (uint64_t)i);
        uint64_t random = 200 + (uint64_t)i;
        int32_t deep = kit_random_below(&random, k.f.n_roots);
        for (int j = 0; j < n_refinements; j++) {
            refine_somewhere(&k, &deep, &random);
            if (is_long() || j % 40 == 39) {
                assert_surface_is_where_it_was(&k);
                assert_drawing_conforms(&k);
            }
        }
        deepest = k.f.elements[deep].level > deepest ? k.f.elements[deep].level : deepest;
        forest_kit_end(&k);
    }
    assert_int_equal(deepest, FOREST_MAX_LEVEL - 1); /* which has split */
}

static void drawing_conforms_after_merging_too(void **state)
{
    (void)state;
    for (int shape = 0; shape < SHAPE_COUNT; shape++) {
        forest_kit k;
        forest_kit_start(&k, (forest_shape)shape, 300 + (uint64_t)shape);
        uint64_t random = 400 + (uint64_t)shape;
        for (int i = 0; i < 300; i++) {
            forest_kit_operate(&k, 100, 6, &random);
            if (i % 10 == 0) {
                assert_surface_is_where_it_was(&k);
                assert_drawing_conforms(&k);
            }
        }
        forest_kit_end(&k);
    }
}

/* Whether a border side of the drawing has just one counterpart over the stitches. */
static int32_t count_matches(const forest *f, const side *all, int32_t n, int32_t i)
{
    int32_t matches = 0;
    for (int32_t j = 0; j < n; j++) {
        bool forth = forest_in_ring(f, all[i].from, all[j].from) && forest_in_ring(f, all[i].to, all[j].to);
        bool back = forest_in_ring(f, all[i].from, all[j].to) && forest_in_ring(f, all[i].to, all[j].from);
        matches += j != i && (forth || back);
    }
    return matches;
}

static void drawings_match_along_stitches(void **state)
{
    (void)state;
    static const forest_shape closed[] = {SHAPE_ONE_TORUS, SHAPE_PILLOW}; /* all their borders are stitched */
    for (int shape = 0; shape < 2; shape++) {
        forest_kit k;
        forest_kit_start(&k, closed[shape], 500);
        uint64_t random = 600 + (uint64_t)shape;
        assert_true(forest_refine(&k.f, 0) &&
                    forest_refine(&k.f, k.f.elements[0].child)); /* no side from ring to ring */
        for (int i = 0; i < 100; i++)
            forest_kit_operate(&k, 100, 6, &random);
        sides s = drawn_sides(&k);
        side *alone = calloc((size_t)s.n, sizeof *alone);
        assert_non_null(alone);
        int32_t n = 0, n_alone = 0;
        for (const side *g = NULL; (g = sides_next(&s, g, &n));)
            if (n == 1)
                alone[n_alone++] = *g;
        assert_true(n_alone > 0);
        for (int32_t i = 0; i < n_alone; i++)
            assert_int_equal(count_matches(&k.f, alone, n_alone, i), 1);
        free(alone);
        sides_destroy(&s);
        forest_kit_end(&k);
    }
}

/* The three neighbours of a triangle split: it is drawn as four. */
static void a_triangle_with_three_hanging_middles_is_drawn_as_simd4(void **state)
{
    (void)state;
    forest_kit k;
    forest_kit_start(&k, SHAPE_SPHERE, 1);
    const forest_element *el = &k.f.elements[0];
    int32_t drawn[FOREST_MOST_DRAWN][3], around[3];
    assert_int_equal(forest_draw(&k.f, 0, drawn), 1);
    for (int i = 0; i < 3; i++) {
        const forest_edge *ed = &k.f.edges[el->edge[i]];
        around[i] = ed->element[ed->element[0] == 0];
    }
    for (int i = 0; i < 3; i++) {
        assert_true(forest_refine(&k.f, around[i]));
        assert_int_equal(forest_draw(&k.f, 0, drawn), 2 + i);
        assert_surface_is_where_it_was(&k);
        assert_drawing_conforms(&k);
    }
    forest_kit_end(&k);
}

static void roots_are_drawn_as_the_surface_draws_them(void **state)
{
    (void)state;
    for (int shape = 0; shape < SHAPE_COUNT; shape++) {
        forest_kit k;
        forest_kit_start(&k, (forest_shape)shape, 1);
        for (int32_t ei = 0; ei < k.f.n_roots; ei++) {
            int32_t drawn[FOREST_MOST_DRAWN][3], n = forest_draw(&k.f, ei, drawn);
            assert_int_equal(n, k.roots->elements[ei].n - 2);
            for (int t = 0; t < n; t++) {
                int32_t corner[3];
                surface_cut(&k.roots->elements[ei], t, corner);
                assert_memory_equal(corner, drawn[t], sizeof corner);
            }
        }
        forest_kit_end(&k);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(refinement_leaves_the_surface_where_it_is_exactly),
        cmocka_unit_test(drawing_conforms_after_merging_too),
        cmocka_unit_test(drawings_match_along_stitches),
        cmocka_unit_test(a_triangle_with_three_hanging_middles_is_drawn_as_simd4),
        cmocka_unit_test(roots_are_drawn_as_the_surface_draws_them),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
