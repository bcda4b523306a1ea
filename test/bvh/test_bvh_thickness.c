/* SPDX-License-Identifier: MIT */
/* ctest: timeout=300 */
/* Pairs nearer than a thickness: none is lacking but those with a short way between them on the surface; clearance
 * is what brute force finds. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "math/nearest_pair.h"
#include "bvh/bvh_kit.h"
#include "bvh/bvh_shapes.h"

typedef struct stage {
    mem memory;
    pool *pool;
    bvh_mesh mesh;
    bvh *bvh;
} stage;

static void start(stage *s, bvh_mesh m, uint32_t seed)
{
    mem_init(&s->memory, NULL, NULL);
    s->pool = pool_create(&s->memory, 2, NULL, NULL);
    s->mesh = m;
    bvh_input in = bvh_mesh_input(&s->mesh);
    in.seed = seed;
    assert_int_equal(bvh_create(&s->memory, &in, &s->bvh, NULL), WEFT_OK);
}

static void end(stage *s)
{
    bvh_destroy(s->bvh);
    pool_destroy(s->pool);
    bvh_mesh_free(&s->mesh);
    assert_int_equal(s->memory.in_use, 0);
}

/* A sheet in the plane of n × n squares of size h from which squares are cut out, laid on z = height · f(x, y). */
typedef bool (*cut_fn)(int32_t i, int32_t j, int32_t n);

static bool cut_nothing(int32_t i, int32_t j, int32_t n)
{
    (void)i, (void)j, (void)n;
    return false;
}

/* Teeth, one square wide, one apart. */
static bool cut_comb(int32_t i, int32_t j, int32_t n)
{
    return j > n / 4 && i % 2 == 1;
}

/* x narrows the slit between two flanks: see make_sheet. */
static bool cut_v(int32_t i, int32_t j, int32_t n)
{
    return i == n / 2 && j > n / 4;
}

static bvh_mesh make_sheet(int32_t n, cut_fn cut, double squeeze, double height)
{
    bvh_mesh m = {0};
    for (int32_t j = 0; j <= n; j++)
        for (int32_t i = 0; i <= n; i++) {
            double x = i, y = j, z = height * sin(0.7 * x) * cos(0.4 * y);
            /* Odd columns of squares, where combs and slits have their gaps, are squeezed to a part of their width. */
            x = (i / 2) * (1 + squeeze) + (i % 2);
            bvh_mesh_node(&m, v3(x, y, z), v3(x, y, z));
        }
    for (int32_t j = 0; j < n; j++)
        for (int32_t i = 0; i < n; i++) {
            int32_t a = j * (n + 1) + i, b = a + 1, c = b + n + 1, d = a + n + 1;
            if (cut(i, j, n))
                continue;
            bvh_mesh_triangle(&m, a, b, (i + j) % 2 ? c : d);
            bvh_mesh_triangle(&m, (i + j) % 2 ? a : b, c, d);
        }
    return m;
}

/* Shortest ways along edges from a node, which are never shorter than those on the surface. */
static void ways_from(const bvh_mesh *m, const bvh *t, int32_t from, double *way)
{
    const bvh_edge *e = bvh_edges(t);
    for (int32_t i = 0; i < m->n_nodes; i++)
        way[i] = i == from ? 0 : 1e9;
    for (bool changed = true; changed;) {
        changed = false;
        for (int32_t i = 0; i < bvh_n_edges(t); i++)
            for (int k = 0; k < 2; k++) {
                int32_t a = e[i].node[k], b = e[i].node[1 - k];
                double w = way[a] + v3_len(v3_sub(m->x0[a], m->x0[b]));
                if (w < way[b] - 1e-12) {
                    way[b] = w;
                    changed = true;
                }
            }
    }
}

static bool has_pair(const bvh_found *f, int32_t vi, int32_t ti)
{
    for (int64_t i = 0; i < f->n_vt; i++)
        if (f->vt[i].vi == vi && f->vt[i].ti == ti)
            return true;
    return false;
}

/* On these sheets a way along edges is at most twice the shortest on the surface, and ends a triangle's size off it: if
 * it is longer than 4 d + 4 sizes, the shortest is longer than 2 d. Counts the pairs that must be there. */
static int64_t expect_near_pairs(bvh_mesh mesh, double d, uint32_t seed, int64_t *n_found)
{
    stage s;
    start(&s, mesh, seed);
    bvh_mesh *m = &s.mesh;
    assert_int_equal(bvh_refit(s.bvh, s.pool, m->x0, NULL, d / 2, NULL), WEFT_OK);
    bvh_query q = {.mode = BVH_PROVEN, .thickness = d};
    bvh_pairs out;
    assert_int_equal(bvh_candidates(s.bvh, s.pool, &q, &out, NULL), WEFT_OK);
    bvh_found found = bvh_found_copy(&out);
    double *way = malloc((size_t)m->n_nodes * sizeof *way);
    int64_t n = 0;
    bool *used = calloc((size_t)m->n_nodes, 1);
    for (int32_t i = 0; i < 3 * m->n_triangles; i++)
        used[m->triangles[i / 3][i % 3]] = true;
    for (int32_t vi = 0; vi < m->n_nodes; vi++) {
        if (!used[vi])
            continue;
        ways_from(m, s.bvh, vi, way);
        for (int32_t ti = 0; ti < m->n_triangles; ti++) {
            const int32_t *v = m->triangles[ti];
            double least = min_of(way[v[0]], min_of(way[v[1]], way[v[2]]));
            if (nearest_point_triangle(m->x0[vi], m->x0[v[0]], m->x0[v[1]], m->x0[v[2]]) >= d || least < 4 * d + 4)
                continue;
            n++;
            assert_true(has_pair(&found, vi, ti));
        }
    }
    *n_found = found.n_vt;
    free(used);
    free(way);
    bvh_found_free(&found);
    end(&s);
    return n;
}

static void teeth_of_a_comb_are_near_each_other(void **state)
{
    (void)state;
    for (uint32_t seed = 0; seed < 4; seed++) {
        int64_t found, n = expect_near_pairs(make_sheet(16, cut_comb, 0.2, 0.1), 0.3, seed, &found);
        printf("comb: %lld must be there, %lld are\n", (long long)n, (long long)found);
        assert_true(n > 50);
    }
}

static void flanks_of_a_slit_are_near_each_other(void **state)
{
    (void)state;
    for (uint32_t seed = 0; seed < 4; seed++) {
        int64_t found, n = expect_near_pairs(make_sheet(15, cut_v, 0.1, 0.2), 0.15, seed, &found);
        printf("slit: %lld must be there, %lld are\n", (long long)n, (long long)found);
        assert_true(n > 3);
    }
}

static void a_smooth_sheet_is_near_nothing(void **state)
{
    (void)state;
    int64_t found;
    expect_near_pairs(make_sheet(24, cut_nothing, 1, 0.05), 0.3, 1, &found);
    assert_int_equal(found, 0);
}

/* One flank of a V laid over the other. */
static void flanks_of_a_fold_are_near_each_other(void **state)
{
    (void)state;
    int32_t n = 16;
    bvh_mesh m = make_sheet(n, cut_nothing, 1, 0);
    for (int32_t i = 0; i < m.n_nodes; i++)
        if (m.x0[i].x > 8)
            m.x0[i] = v3(16 - m.x0[i].x, m.x0[i].y, 0.02 * (m.x0[i].x - 8));
    int64_t found;
    assert_true(expect_near_pairs(m, 0.3, 2, &found) > 100);
}

static void clearance_is_what_brute_force_finds(void **state)
{
    (void)state;
    double radius = 0.1;
    for (int shape = 0; shape < BVH_N_SHAPES; shape++) {
        stage s;
        start(&s, bvh_shape_make((bvh_shape)shape, 3), 0);
        bvh_mesh *m = &s.mesh;
        memcpy(m->x1, m->x0, (size_t)m->n_nodes * sizeof *m->x0);
        double *found = malloc((size_t)m->n_nodes * sizeof *found),
               *wanted = malloc((size_t)m->n_nodes * sizeof *wanted);
        assert_int_equal(bvh_refit(s.bvh, s.pool, m->x0, NULL, radius / 2, NULL), WEFT_OK);
        assert_int_equal(bvh_clearance(s.bvh, s.pool, radius, 0, found, NULL), WEFT_OK);
        for (int32_t i = 0; i < m->n_nodes; i++)
            wanted[i] = radius;
        bvh_found all = bvh_found_boxes(m, s.bvh, NULL, radius);
        for (int64_t i = 0; i < all.n_vt; i++) {
            const int32_t *v = m->triangles[all.vt[i].ti];
            double d = nearest_point_triangle(m->x0[all.vt[i].vi], m->x0[v[0]], m->x0[v[1]], m->x0[v[2]]);
            int32_t nodes[4] = {all.vt[i].vi, v[0], v[1], v[2]};
            for (int k = 0; k < 4; k++)
                wanted[nodes[k]] = min_of(wanted[nodes[k]], d);
        }
        for (int64_t i = 0; i < all.n_ee; i++) {
            const int32_t *a = bvh_edges(s.bvh)[all.ee[i].ei].node, *b = bvh_edges(s.bvh)[all.ee[i].ej].node;
            int32_t nodes[4] = {a[0], a[1], b[0], b[1]};
            double d = nearest_edges(m->x0[a[0]], m->x0[a[1]], m->x0[b[0]], m->x0[b[1]]);
            for (int k = 0; k < 4; k++)
                wanted[nodes[k]] = min_of(wanted[nodes[k]], d);
        }
        for (int32_t i = 0; i < m->n_nodes; i++)
            assert_true(fabs(found[i] - wanted[i]) <= 1e-12);
        bvh_found_free(&all);
        free(found);
        free(wanted);
        end(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(teeth_of_a_comb_are_near_each_other), cmocka_unit_test(flanks_of_a_slit_are_near_each_other),
        cmocka_unit_test(a_smooth_sheet_is_near_nothing),      cmocka_unit_test(flanks_of_a_fold_are_near_each_other),
        cmocka_unit_test(clearance_is_what_brute_force_finds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
