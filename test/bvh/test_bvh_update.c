/* SPDX-License-Identifier: MIT */
/* The tree follows a forest that splits and merges, and keeps the zones above its roots. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "mesh/forest_kit.h"
#include "mesh/leaves.h"
#include "bvh/bvh_kit.h"

typedef struct follower {
    forest_kit kit;
    bvh_mesh mesh;
    int32_t *element, *parent;
    bvh_input in;
} follower;

/* The leaves as they are now. */
static void draw(follower *f)
{
    surface *s = surface_of_leaves(&f->kit.f, f->kit.roots);
    assert_non_null(s);
    bvh_mesh_free(&f->mesh);
    free(f->element);
    free(f->parent);
    for (int32_t i = 0; i < s->n_nodes; i++) {
        vec3 x = f->kit.x[s->origin ? s->origin[i] : i];
        bvh_mesh_node(&f->mesh, x, v3_add(x, v3(1, 2, 3)));
    }
    f->element = malloc((size_t)s->n_triangles * sizeof *f->element);
    for (int32_t i = 0; i < s->n_triangles; i++) {
        const triangle *t = &s->triangles[i];
        bvh_mesh_triangle(&f->mesh, t->node[0], t->node[1], t->node[2]);
        f->element[i] = s->elements[t->element].leaf;
    }
    int32_t n = f->kit.f.n_elements;
    f->parent = malloc((size_t)n * sizeof *f->parent);
    for (int32_t i = 0; i < n; i++)
        f->parent[i] = f->kit.f.elements[i].n == 0 ? -1 : f->kit.f.elements[i].parent;
    f->in = bvh_mesh_input(&f->mesh);
    f->in.element = f->element;
    f->in.element_parent = f->parent;
    f->in.n_elements = n;
    surface_destroy(s);
}

static void expect_all_boxes(const follower *f, bvh *t, pool *p)
{
    assert_true(bvh_is_valid(t));
    assert_int_equal(bvh_refit(t, p, f->mesh.x0, f->mesh.x1, 0, NULL), WEFT_OK);
    bvh_query q = {.mode = BVH_CLASSICAL};
    bvh_pairs out;
    assert_int_equal(bvh_candidates(t, p, &q, &out, NULL), WEFT_OK);
    bvh_found found = bvh_found_copy(&out), wanted = bvh_found_boxes(&f->mesh, t, NULL, 0);
    assert_true(bvh_found_same(&found, &wanted));
    bvh_found_free(&found);
    bvh_found_free(&wanted);
}

static void follow(forest_shape shape)
{
    follower f = {0};
    forest_kit_start(&f.kit, shape, 7);
    draw(&f);
    mem memory;
    mem_init(&memory, NULL, NULL);
    pool *p = pool_create(&memory, 1, NULL, NULL);
    bvh *t;
    f.in.updates = true;
    assert_int_equal(bvh_create(&memory, &f.in, &t, NULL), WEFT_OK);
    uint64_t random = 11;
    for (int round = 0; round < 12; round++) {
        for (int i = 0; i < 6; i++)
            forest_kit_operate(&f.kit, 60, 4, &random);
        draw(&f);
        assert_int_equal(bvh_update(t, &f.in, NULL), WEFT_OK);
        expect_all_boxes(&f, t, p);
    }
    /* Of another forest it wants to know nothing, and stays as it is. */
    bvh_input other = f.in;
    other.element_parent = NULL;
    weft_error e;
    if (f.kit.f.n_leaves > f.kit.f.n_roots) {
        assert_int_equal(bvh_update(t, &other, &e), WEFT_ERROR_ARGUMENT);
        expect_all_boxes(&f, t, p);
    }
    bvh_destroy(t);
    pool_destroy(p);
    assert_int_equal(memory.in_use, 0);
    bvh_mesh_free(&f.mesh);
    free(f.element);
    free(f.parent);
    forest_kit_end(&f.kit);
}

static void the_tree_follows_quads_and_triangles(void **state)
{
    (void)state;
    static const forest_shape shapes[] = {SHAPE_GRID, SHAPE_MIXED, SHAPE_TORUS, SHAPE_SPHERE, SHAPE_DISC};
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
        follow(shapes[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_tree_follows_quads_and_triangles)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
