/* SPDX-License-Identifier: MIT */
/* Walking and encoding the forest, stitches, what is at a node, and whether the validity predicate sees mistakes. */
#include "mesh/forest_inside.h"
#include "mesh/forest_kit.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static bool is_long(void)
{
    return getenv("WEFT_LONG") != NULL;
}

/* ---- walking, encoding ------------------------------------------------------------------------------------------- */

/* Same leaves in the same order, at the same places. */
static void assert_same_walk(const forest_kit *a, const forest_kit *b)
{
    int32_t ea = forest_next_leaf(&a->f, -1), eb = forest_next_leaf(&b->f, -1);
    while (ea >= 0 && eb >= 0) {
        const forest_element *la = &a->f.elements[ea], *lb = &b->f.elements[eb];
        assert_int_equal(la->root, lb->root);
        assert_int_equal(la->level, lb->level);
        for (int i = 0; i < la->n; i++)
            assert_memory_equal(&a->x[la->node[i]], &b->x[lb->node[i]], sizeof(vec3));
        int32_t drawn_a[FOREST_MOST_DRAWN][3], drawn_b[FOREST_MOST_DRAWN][3];
        int32_t n = forest_draw(&a->f, ea, drawn_a);
        assert_int_equal(n, forest_draw(&b->f, eb, drawn_b));
        for (int32_t i = 0; i < 3 * n; i++)
            assert_memory_equal(&a->x[drawn_a[i / 3][i % 3]], &b->x[drawn_b[i / 3][i % 3]], sizeof(vec3));
        ea = forest_next_leaf(&a->f, ea);
        eb = forest_next_leaf(&b->f, eb);
    }
    assert_int_equal(ea, -1);
    assert_int_equal(eb, -1);
}

static void decoding_gives_the_same_forest_and_walk(void **state)
{
    (void)state;
    for (int shape = 0; shape < SHAPE_COUNT; shape++) {
        for (uint64_t seed = 0; seed < 10; seed++) {
            forest_kit a, b;
            forest_kit_start(&a, (forest_shape)shape, 3);
            forest_kit_start(&b, (forest_shape)shape, 3);
            uint64_t random = 1000 * seed + (uint64_t)shape;
            for (int i = 0; i < 200; i++)
                forest_kit_operate(&a, 120, 7, &random);
            int64_t n, n_again;
            uint8_t *bits = forest_kit_encode(&a.f, &n);
            assert_true(forest_decode(&b.f, bits, n));
            assert_true(forest_is_valid(&b.f));
            uint8_t *again = forest_kit_encode(&b.f, &n_again);
            assert_int_equal(n, n_again);
            assert_memory_equal(bits, again, (size_t)n);
            assert_same_walk(&a, &b);
            if (b.f.n_leaves != b.f.n_roots)
                assert_false(forest_decode(&b.f, bits, n)); /* it has split already */
            free(bits);
            free(again);
            forest_kit_end(&a);
            forest_kit_end(&b);
        }
    }
}

static void decoding_refuses_bits_that_do_not_fit(void **state)
{
    (void)state;
    kit_mesh m = kit_patch(3, 2, 2, 1, 1.5, 0, 1);
    static const struct {
        uint8_t bits[4];
        int64_t n;
    } wrong[] = {
        {{0}, 0},                      /* too short */
        {{0, 0}, 2},                   /* too long */
        {{0x04}, 1},                   /* a bit behind the last */
        {{0x03}, 1},                   /* ends within the tree */
        {{0x05, 0}, 2},                /* root 1 would have to split for the balance, after root 0 */
        {{0x06, 0}, 2},                /* root 0 would have to, before */
        {{0xff, 0xff, 0xff, 0xff}, 4}, /* below the last level */
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        forest_kit k;
        forest_kit_start_mesh(&k, &m, 2, 1);
        assert_false(forest_decode(&k.f, wrong[i].bits, wrong[i].n));
        assert_true(forest_is_valid(&k.f));
        forest_kit_end(&k);
    }
    kit_mesh_free(&m);
}

static void decoding_any_bytes_leaves_a_valid_forest(void **state)
{
    (void)state;
    uint64_t random = 21;
    for (int i = 0; i < 200; i++) {
        forest_kit k;
        forest_kit_start(&k, (forest_shape)(i % SHAPE_COUNT), 1);
        uint8_t bits[24];
        for (int j = 0; j < 24; j++)
            bits[j] = (uint8_t)(kit_random(&random) & kit_random(&random));
        forest_decode(&k.f, bits, 1 + kit_random_below(&random, 24));
        assert_true(forest_is_valid(&k.f));
        forest_kit_end(&k);
    }
}

/* ---- stitches, neighbourhood ------------------------------------------------------------------------------------- */

static void only_two_free_borders_can_be_stitched(void **state)
{
    (void)state;
    forest_kit k;
    forest_kit_start(&k, SHAPE_GRID, 1);
    int32_t left = forest_kit_edge(&k.f, 0, 4), right = forest_kit_edge(&k.f, 3, 7),
            inside = forest_kit_edge(&k.f, 1, 5), other = forest_kit_edge(&k.f, 4, 8);
    assert_false(forest_stitch(&k.f, left, left, false));
    assert_false(forest_stitch(&k.f, left, inside, false));
    assert_false(forest_stitch(&k.f, left, -1, false));
    assert_false(forest_stitch(&k.f, left, k.f.n_root_edges, false));
    assert_true(forest_stitch(&k.f, left, right, true));
    assert_false(forest_stitch(&k.f, other, right, true));
    assert_true(forest_refine(&k.f, 4));
    assert_false(forest_stitch(&k.f, other, forest_kit_edge(&k.f, 7, 11), true));
    assert_true(forest_is_valid(&k.f));
    forest_kit_end(&k);
}

static void a_stitched_middle_hangs_on_the_side_that_is_not_split(void **state)
{
    (void)state;
    forest_kit k;
    forest_kit_start(&k, SHAPE_TUBE, 1);
    int32_t left = forest_kit_edge(&k.f, 0, 4), right = forest_kit_edge(&k.f, 3, 7);
    assert_true(forest_refine(&k.f, 0));
    int32_t m_left = k.f.edges[left].middle, m_right = k.f.edges[right].middle;
    assert_true(m_left >= 0 && m_right >= 0);
    assert_false(forest_hangs(&k.f, m_left));
    assert_true(forest_hangs_closed(&k.f, m_left));
    assert_true(forest_hangs(&k.f, m_right));
    assert_true(forest_refine(&k.f, 2)); /* now the other side splits too */
    assert_false(forest_hangs_closed(&k.f, m_right));
    forest_merge(&k.f, 0);
    assert_int_equal(k.f.edges[left].middle, m_left); /* kept for its partner */
    assert_true(forest_hangs(&k.f, m_left));
    forest_merge(&k.f, 2);
    assert_int_equal(k.f.n_live_nodes, k.f.n_root_nodes);
    forest_kit_end(&k);
}

typedef struct visits {
    int32_t n, leaf[64];
} visits;

static void note_visit(void *user, int32_t leaf)
{
    visits *v = user;
    assert_true(v->n < 64);
    v->leaf[v->n++] = leaf;
}

static bool is_at(const forest *f, int32_t leaf, int32_t vi)
{
    const forest_element *el = &f->elements[leaf];
    for (int k = 0; k < el->n; k++) {
        int32_t m = f->edges[el->edge[k]].middle;
        if (forest_in_ring(f, vi, el->node[k]) || (m >= 0 && forest_in_ring(f, vi, m)))
            return true;
    }
    return false;
}

static void around_visits_each_leaf_at_a_node_once(void **state)
{
    (void)state;
    for (int shape = 0; shape < SHAPE_COUNT; shape++) {
        forest_kit k;
        forest_kit_start(&k, (forest_shape)shape, 15);
        uint64_t random = 31 + (uint64_t)shape;
        for (int i = 0; i < 60; i++)
            forest_kit_operate(&k, 60, 5, &random);
        for (int32_t vi = 0; vi < k.f.n_nodes; vi++) {
            visits v = {0};
            if (k.f.nodes[vi].partner < 0)
                continue;
            forest_around(&k.f, vi, note_visit, &v);
            int32_t n = 0, least = FOREST_MAX_LEVEL + 1;
            for (int32_t ei = forest_next_leaf(&k.f, -1); ei >= 0; ei = forest_next_leaf(&k.f, ei))
                if (is_at(&k.f, ei, vi)) {
                    n++;
                    least = k.f.elements[ei].level < least ? k.f.elements[ei].level : least;
                }
            assert_int_equal(v.n, n);
            assert_int_equal(forest_least_level(&k.f, vi), least);
            for (int32_t i = 0; i < v.n; i++) {
                assert_true(forest_is_leaf(&k.f, v.leaf[i]) && is_at(&k.f, v.leaf[i], vi));
                for (int32_t j = 0; j < i; j++)
                    assert_true(v.leaf[i] != v.leaf[j]);
            }
        }
        forest_kit_end(&k);
    }
}

/* ---- the predicate itself ---------------------------------------------------------------------------------------- */

/* Replaces one number by others and asks that the predicate sees it. */
static void assert_noticed(forest *f, int32_t *number, const char *what)
{
    const int32_t old = *number, wrong[] = {-1, 0, 1, old - 1, old + 1, old + 2, old + 4, 1 << 20, -7};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        *number = wrong[i];
        if (wrong[i] != old && forest_is_valid(f))
            fail_msg("%s: %d instead of %d goes unnoticed", what, wrong[i], old);
    }
    *number = old;
}

static void spoil_nodes(forest *f)
{
    for (int32_t vi = 0; vi < f->n_nodes; vi++) {
        forest_node *v = &f->nodes[vi];
        if (v->partner < 0)
            continue;
        assert_noticed(f, &v->parent[0], "parent of a node");
        assert_noticed(f, &v->edge, "edge of a node");
        assert_noticed(f, &v->corner, "corner of a node");
        assert_noticed(f, &v->partner, "partner of a node");
    }
}

static void spoil_edges(forest *f)
{
    for (int32_t i = 0; i < f->n_edges; i++) {
        forest_edge *ed = &f->edges[i];
        if (ed->node[0] < 0)
            continue;
        assert_noticed(f, &ed->node[0], "node of an edge");
        assert_noticed(f, &ed->node[1], "node of an edge");
        assert_noticed(f, &ed->element[0], "element of an edge");
        assert_noticed(f, &ed->element[1], "element of an edge");
        assert_noticed(f, &ed->middle, "middle of an edge");
        assert_noticed(f, &ed->half, "half of an edge");
        assert_noticed(f, &ed->parent, "parent of an edge");
        assert_noticed(f, &ed->partner, "partner of an edge");
        if (ed->partner >= 0) {
            ed->partner_turned = !ed->partner_turned;
            assert_false(forest_is_valid(f));
            ed->partner_turned = !ed->partner_turned;
        }
    }
}

static void spoil_elements(forest *f)
{
    for (int32_t ei = 0; ei < f->n_elements; ei++) {
        forest_element *el = &f->elements[ei];
        for (int k = 0; k < el->n; k++) {
            assert_noticed(f, &el->node[k], "node of an element");
            assert_noticed(f, &el->edge[k], "edge of an element");
            if (el->child < 0) {
                assert_noticed(f, &el->corner_next[k], "next corner");
                assert_noticed(f, &el->corner_past[k], "past corner");
            }
        }
        if (el->n == 0)
            continue;
        assert_noticed(f, &el->n, "sides of an element");
        assert_noticed(f, &el->level, "level of an element");
        assert_noticed(f, &el->parent, "parent of an element");
        assert_noticed(f, &el->child, "child of an element");
        assert_noticed(f, &el->root, "root of an element");
        if (el->parent >= 0 || el->child >= 0)
            assert_noticed(f, &el->diagonal, "diagonal of an element");
    }
}

static void validity_notices_every_wrong_number(void **state)
{
    (void)state;
    static const forest_shape shapes[] = {SHAPE_MIXED, SHAPE_MIXED_TUBE, SHAPE_ONE_TORUS, SHAPE_PILLOW};
    for (int i = 0; i < 4; i++) {
        forest_kit k;
        forest_kit_start(&k, shapes[i], 23);
        uint64_t random = 61 + (uint64_t)i;
        for (int j = 0; j < (is_long() ? 40 : 12); j++)
            forest_kit_operate(&k, 40, 3, &random);
        assert_true(forest_is_valid(&k.f));
        spoil_nodes(&k.f);
        spoil_edges(&k.f);
        spoil_elements(&k.f);
        assert_noticed(&k.f, &k.f.n_leaves, "number of leaves");
        assert_noticed(&k.f, &k.f.n_live_nodes, "number of nodes");
        assert_noticed(&k.f, &k.f.n_free_edges, "number of free edges");
        assert_noticed(&k.f, &k.f.n_free_elements, "number of free elements");
        assert_true(forest_is_valid(&k.f));
        forest_kit_end(&k);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(decoding_gives_the_same_forest_and_walk),
        cmocka_unit_test(decoding_refuses_bits_that_do_not_fit),
        cmocka_unit_test(decoding_any_bytes_leaves_a_valid_forest),
        cmocka_unit_test(only_two_free_borders_can_be_stitched),
        cmocka_unit_test(a_stitched_middle_hangs_on_the_side_that_is_not_split),
        cmocka_unit_test(around_visits_each_leaf_at_a_node_once),
        cmocka_unit_test(validity_notices_every_wrong_number),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
