/* SPDX-License-Identifier: MIT */
#include <float.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "mesh/forest_kit.h"
#include "mesh/leaves.h"

#include <cmocka.h>

/* Shapes without stitches: a surface knows none. */
static const forest_shape shapes[] = {SHAPE_GRID, SHAPE_MIXED, SHAPE_TORUS, SHAPE_SPHERE, SHAPE_DISC};
enum { N_SHAPES = sizeof shapes / sizeof *shapes };

static double total_area(const surface *s)
{
    double sum = 0;
    for (int32_t ti = 0; ti < s->n_triangles; ti++)
        sum += surface_area(s, ti);
    return sum;
}

static vec3 bent_area(const surface *s, const triangle *t)
{
    vec3 p[3];
    for (int i = 0; i < 3; i++)
        p[i] = s->rest ? s->rest[t->node[i]] : v3(s->uv[t->node[i]].u, s->uv[t->node[i]].v, 0);
    return v3_scale(0.5, v3_cross(v3_sub(p[1], p[0]), v3_sub(p[2], p[0])));
}

static bool lies_between(const surface *s, int32_t vi, int32_t a, int32_t b)
{
    if (s->uv)
        return s->uv[vi].u == 0.5 * (s->uv[a].u + s->uv[b].u) && s->uv[vi].v == 0.5 * (s->uv[a].v + s->uv[b].v);
    vec3 m = v3_scale(0.5, v3_add(s->rest[a], s->rest[b]));
    return memcmp(&m, &s->rest[vi], sizeof m) == 0;
}

static void check_rows(const surface *s, const forest *f)
{
    int32_t n_hanging = 0;
    for (int32_t vi = 0; vi < s->n_nodes; vi++) {
        const node_row *r = &s->rows[vi];
        assert_int_equal(r->dof[1] >= 0, forest_hangs(f, s->origin[vi]));
        if (r->dof[1] < 0) {
            assert_int_equal(r->dof[0], vi);
            continue;
        }
        n_hanging++;
        assert_true(s->rows[r->dof[0]].dof[1] < 0 && s->rows[r->dof[1]].dof[1] < 0); /* its parents are active */
        assert_true(lies_between(s, vi, r->dof[0], r->dof[1]));
    }
    for (int32_t i = 0; i < s->n_edges; i++)
        n_hanging -= surface_split(s, i).middle >= 0;
    assert_int_equal(n_hanging, 0);
}

/* Sides of drawn triangles that have no neighbour, as edges of the roots: as many as the halves of borders. */
static int32_t n_open(const triangle *t, int32_t n)
{
    int32_t open = 0;
    for (int32_t ti = 0; ti < n; ti++)
        for (int i = 0; i < 3; i++)
            open += t[ti].neighbour[i] < 0;
    return open;
}

static int32_t n_borders(const surface *s)
{
    int32_t n = 0;
    for (int32_t i = 0; i < s->n_edges; i++)
        n += surface_is_border(s, i);
    return n;
}

/* Children of a quad that is not plane lie in its two planes, and so do triangles for bending but where they join
 * pieces of both: only there may their area differ. */
static void check_surface(const surface *s, const forest *f, const surface *roots)
{
    double area = total_area(roots), bent = 0;
    assert_true(surface_is_valid(s));
    assert_int_equal(s->n_elements, f->n_leaves);
    assert_int_equal(s->n_nodes, f->n_live_nodes);
    assert_true(fabs(total_area(s) - area) <= 1e-12 * area);
    assert_int_equal(n_open(s->triangles, s->n_triangles), n_borders(s));
    assert_int_equal(n_open(s->bent, s->n_bent), n_borders(s));
    for (int32_t ti = 0; ti < s->n_bent; ti++)
        bent += v3_len(bent_area(s, &s->bent[ti]));
    for (int32_t ti = 0; ti < s->n_bent && s->uv; ti++) /* nothing is turned over, nothing has no area */
        assert_true(bent_area(s, &s->bent[ti]).z * bent_area(s, &s->bent[0]).z > 0);
    if (s->uv)
        assert_true(fabs(bent - area) <= 1e-12 * area);
    check_rows(s, f);
    for (int32_t vi = 0; vi < roots->n_nodes; vi++)
        assert_int_equal(s->origin[vi], vi);
}

static void random_forests_have_valid_surfaces(void **state)
{
    (void)state;
    int n_forests = getenv("WEFT_LONG") ? 400 : 40;
    for (int k = 0; k < N_SHAPES; k++) {
        forest_kit kit;
        uint64_t random = 5;
        forest_kit_start(&kit, shapes[k], 1);
        for (int i = 0; i < n_forests; i++) {
            for (int j = 0; j < 30; j++)
                forest_kit_operate(&kit, 200, 6, &random);
            surface *s = surface_of_leaves(&kit.f, kit.roots);
            assert_non_null(s);
            check_surface(s, &kit.f, kit.roots);
            surface_destroy(s);
        }
        forest_kit_end(&kit);
    }
}

/* Splits of edges are left out: the roots have none. */
static void assert_same_mesh(const surface *a, const surface *b)
{
    assert_int_equal(a->n_nodes, b->n_nodes);
    assert_int_equal(a->n_edges, b->n_edges);
    assert_int_equal(a->n_triangles, b->n_triangles);
    assert_int_equal(a->n_bent, b->n_bent);
    assert_memory_equal(a->triangles, b->triangles, (size_t)a->n_triangles * sizeof *a->triangles);
    assert_memory_equal(a->bent, b->bent, (size_t)a->n_bent * sizeof *a->bent);
    assert_memory_equal(a->edges, b->edges, (size_t)a->n_edges * sizeof *a->edges);
    for (int32_t i = 0; i < a->n_nodes; i++)
        assert_memory_equal(a->rows[i].dof, b->rows[i].dof, sizeof a->rows[i].dof);
    for (int32_t i = 0; i < a->n_elements; i++) {
        const element *p = &a->elements[i], *q = &b->elements[i];
        assert_int_equal(p->n, q->n);
        assert_memory_equal(p->node, q->node, (size_t)p->n * sizeof *p->node);
        assert_memory_equal(p->edge, q->edge, (size_t)p->n * sizeof *p->edge);
        assert_true(p->level == q->level && p->diagonal == q->diagonal && p->smooth == q->smooth);
    }
}

static void assert_same_surface(const surface *a, const surface *b)
{
    assert_same_mesh(a, b);
    assert_memory_equal(a->splits, b->splits, (size_t)a->n_edges * sizeof *a->splits);
}

static void split_and_merge_all(forest *f)
{
    for (int32_t ei = 0; ei < f->n_roots; ei++)
        assert_true(forest_refine(f, ei));
    for (int32_t ei = 0; ei < f->n_roots; ei++) {
        assert_true(forest_can_merge(f, ei));
        forest_merge(f, ei);
    }
}

static void what_has_merged_again_is_as_the_roots_were(void **state)
{
    (void)state;
    for (int k = 0; k < N_SHAPES; k++) {
        forest_kit kit;
        forest_kit_start(&kit, shapes[k], 1);
        split_and_merge_all(&kit.f);
        surface *s = surface_of_leaves(&kit.f, kit.roots);
        assert_non_null(s);
        assert_same_mesh(s, kit.roots);
        surface_destroy(s);
        forest_kit_end(&kit);
    }
}

static void numbers_depend_on_the_shape_alone(void **state)
{
    (void)state;
    for (int k = 0; k < N_SHAPES; k++) {
        forest_kit old, fresh;
        uint64_t random = 8;
        forest_kit_start(&old, shapes[k], 1);
        for (int i = 0; i < 10; i++) {
            for (int j = 0; j < 100; j++)
                forest_kit_operate(&old, 150, 5, &random);
            forest_kit_start(&fresh, shapes[k], 1);
            int64_t n_bytes;
            uint8_t *bits = forest_kit_encode(&old.f, &n_bytes);
            assert_true(forest_decode(&fresh.f, bits, n_bytes));
            surface *a = surface_of_leaves(&old.f, old.roots), *b = surface_of_leaves(&fresh.f, fresh.roots);
            assert_true(a && b);
            assert_same_surface(a, b);
            surface_destroy(a);
            surface_destroy(b);
            free(bits);
            forest_kit_end(&fresh);
        }
        forest_kit_end(&old);
    }
}

static void any_allocation_may_fail(void **state)
{
    (void)state;
    forest_kit kit;
    uint64_t random = 3;
    forest_kit_start(&kit, SHAPE_MIXED, 1);
    for (int j = 0; j < 50; j++)
        forest_kit_operate(&kit, 60, 4, &random);
    for (int64_t n = 1;; n++) {
        int64_t blocks = kit.kit.n_blocks;
        kit.kit.fail_at = kit.kit.n_calls + n;
        surface *s = surface_of_leaves(&kit.f, kit.roots);
        kit.kit.fail_at = 0;
        if (s) {
            assert_true(n > 8);
            surface_destroy(s);
            break;
        }
        assert_int_equal(kit.kit.n_blocks, blocks);
    }
    forest_kit_end(&kit);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_forests_have_valid_surfaces),
        cmocka_unit_test(numbers_depend_on_the_shape_alone),
        cmocka_unit_test(what_has_merged_again_is_as_the_roots_were),
        cmocka_unit_test(any_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
