/* SPDX-License-Identifier: MIT */
/* Parts of edges that are due, beside a look at every edge. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sim/dirty_set.h"

enum { NODES = 5000, EDGES = 9001, SWEEPS = 40 };

static edge_element edges[EDGES];
static node_row rows[NODES];
static int32_t moved[NODES];
static uint32_t seed = 1;

static int32_t any_below(int32_t n)
{
    seed = seed * 1664525u + 1013904223u;
    return (int32_t)((uint64_t)seed * (uint64_t)n >> 32);
}

/* Neighbours in the list are neighbours in the mesh, but for one in fifty; a tenth of the nodes hang between others. */
static void make_mesh(void)
{
    for (int32_t vi = 0; vi < NODES; vi++)
        rows[vi] = any_below(10) == 0 ? (node_row){{any_below(NODES), any_below(NODES)}} : (node_row){{vi, -1}};
    for (int32_t i = 0; i < EDGES; i++) {
        int32_t a = i / 2, b = any_below(50) == 0 ? any_below(NODES) : (a + 1) % NODES;
        edges[i] = (edge_element){.node = {a, b}};
    }
}

static bool edge_is_due(const edge_element *e, int32_t sweep)
{
    for (int k = 0; k < 4; k++) {
        int32_t dof = rows[e->node[k / 2]].dof[k % 2];
        if (dof >= 0 && moved[dof] >= sweep - 1)
            return true;
    }
    return false;
}

static void a_part_that_is_not_due_has_no_edge_that_is(void **state)
{
    (void)state;
    mem m;
    mem_init(&m, NULL, NULL);
    dirty_set d = {0};
    make_mesh();
    assert_true(dirty_set_make(&d, &m, &(force_array){.items = edges, .n = EDGES, .room = EDGES}, rows, NODES));
    dirty_set_begin(&d);
    int32_t n_left = 0;
    for (int32_t sweep = 1; sweep <= SWEEPS; sweep++) {
        for (int32_t k = 0; k < 3; k++) { /* somewhere, then beside it */
            int32_t dof = sweep % 8 == 0 ? any_below(NODES) : (sweep * 37 + k) % NODES;
            dirty_set_mark(&d, dof, sweep);
            moved[dof] = sweep;
        }
        for (int32_t i = 0; i < EDGES; i++)
            assert_true(dirty_set_is(&d, i / DIRTY_SET_PART, sweep) || !edge_is_due(&edges[i], sweep));
        for (int32_t part = 0; part < d.n_parts; part++)
            n_left += !dirty_set_is(&d, part, sweep);
    }
    print_message("%d of %d parts need not be looked at\n", n_left, d.n_parts * SWEEPS);
    assert_true(n_left > d.n_parts * SWEEPS / 4); /* else it would be of no use */
    dirty_set_free(&d, &m);
    assert_int_equal(m.in_use, 0);
}

static void no_edges_have_no_parts(void **state)
{
    (void)state;
    mem m;
    mem_init(&m, NULL, NULL);
    dirty_set d = {0};
    assert_true(dirty_set_make(&d, &m, &(force_array){0}, rows, 0));
    assert_int_equal(d.n_parts, 0);
    dirty_set_free(&d, &m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_part_that_is_not_due_has_no_edge_that_is),
        cmocka_unit_test(no_edges_have_no_parts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
