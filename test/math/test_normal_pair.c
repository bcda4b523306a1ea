/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "math/normal_pair.h"

enum { PAIRS = 37, NODES = 2 * PAIRS * NORMAL_NODES + 1, RUNS = 400 };

static uint64_t state = 7;

static double any(double lo, double hi)
{
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return lo + (hi - lo) * (double)(state >> 11) * 0x1p-53;
}

/* Pairs with nodes of their own, and where these are. */
typedef struct leaves {
    vec3 x0[NODES], x1[NODES];
    normal_pair pairs[PAIRS];
    uint8_t corners[PAIRS][2][3 * NORMAL_TRIANGLES];
    int n[PAIRS][2], n_nodes[PAIRS][2];
    int32_t nodes[PAIRS][2][NORMAL_NODES];
} leaves;

/* What came out. */
typedef struct fit {
    box boxes[2 * PAIRS];
    uint64_t masks[2 * PAIRS];
    int32_t left[2 * PAIRS], n_left;
} fit;

/* Places that lie close together somewhere, or far apart; some in one place, some in a plane. */
static void throw_places(vec3 *x, const int32_t *nodes, int n)
{
    const double sizes[] = {1e-18, 1e-5, 1e-3, 1, 1, 1e19, 1e29};
    double size = sizes[(int)any(0, 7)], flat = any(0, 1) < 0.3 ? 0 : size;
    vec3 middle = v3(any(-1, 1), any(-1, 1), any(-1, 1));
    for (int i = 0; i < n; i++) {
        x[nodes[i]] = v3_add(middle, v3(any(-size, size), any(-size, size), any(-flat, flat)));
        if (i > 0 && any(0, 1) < 0.02)
            x[nodes[i]] = x[nodes[i - 1]];
    }
}

static void throw_leaf(leaves *l, int i, int half, int run)
{
    int n = l->n[i][half] = 1 + (int)any(0, NORMAL_TRIANGLES);
    int n_nodes = l->n_nodes[i][half] = 3 + (int)any(0, NORMAL_NODES - 2);
    int32_t *nodes = l->nodes[i][half];
    for (int k = 0; k < n_nodes; k++)
        nodes[k] = (2 * i + half) * NORMAL_NODES + (k + run) % n_nodes;
    for (int k = 0; k < n; k++)
        for (int c = 0, a = (int)any(0, n_nodes); c < 3; c++)
            l->corners[i][half][c * n + k] = (uint8_t)((a + c) % n_nodes);
    throw_places(l->x0, nodes, n_nodes);
    throw_places(l->x1, nodes, n_nodes);
    if (run % 5 == 0 && any(0, 1) < 0.1) /* a corner of the first triangle is not a number */
        l->x0[nodes[l->corners[i][half][(int)any(0, 3) * n]]].y = any(0, 1) < 0.5 ? (double)NAN : -(double)INFINITY;
    normal_pair_set(&l->pairs[i], half, 2 * i + half, nodes, n_nodes, l->corners[i][half], n);
}

static void throw_leaves(leaves *l, int run)
{
    memset(l, 0, sizeof *l);
    for (int i = 0; i < PAIRS; i++)
        for (int half = 0; half < 2; half++)
            throw_leaf(l, i, half, run);
}

/* With bits by which each cell has its own mask, so that another cell is seen in the mask of all. */
static void fill_table(normal_table t)
{
    for (int i = 0; i < NORMAL_NONE; i++)
        t[i] = ~(UINT64_C(1) << i % 61 | UINT64_C(1) << (i / 64 * 7) % 63);
    t[NORMAL_NONE] = 0;
    t[NORMAL_ANY] = ~UINT64_C(0);
}

static bool is_left(const fit *f, int32_t leaf)
{
    for (int32_t i = 0; i < f->n_left; i++)
        if (f->left[i] == leaf)
            return true;
    return false;
}

static void all_ways_give_the_same_bits(void **unused)
{
    (void)unused;
    static normal_table table;
    static leaves l;
    static fit f[NORMAL_WAYS];
    int64_t n_left = 0;
    fill_table(table);
    for (int run = 0; run < RUNS; run++) {
        const vec3 *x1 = run % 2 ? l.x1 : NULL;
        double inflate = run % 3 ? 0.01 : 0;
        throw_leaves(&l, run);
        for (normal_way way = NORMAL_PLAIN; way < NORMAL_WAYS; way++) {
            memset(&f[way], 0, sizeof f[way]);
            if (!normal_way_works(way))
                continue;
            f[way].n_left = normal_pairs_fit_by(way, l.x0, x1, l.pairs, PAIRS, table, inflate, f[way].boxes,
                                                f[way].masks, f[way].left);
            assert_int_equal(f[way].n_left, f[0].n_left);
            assert_memory_equal(f[way].left, f[0].left, sizeof f[0].left);
            assert_memory_equal(f[way].masks, f[0].masks, sizeof f[0].masks);
            for (int32_t i = 0; i < 2 * PAIRS; i++)
                if (!is_left(&f[0], i))
                    assert_memory_equal(&f[way].boxes[i], &f[0].boxes[i], sizeof(box));
        }
        n_left += f[0].n_left;
    }
    assert_true(n_left > RUNS * PAIRS / 5 && n_left < RUNS * PAIRS * 9 / 5);
}

/* Boxes to the bit; whether masks are those of normals that differ by rounding, the next test tells. */
static void boxes_are_those_of_leaves_by_themselves(void **unused)
{
    (void)unused;
    static normal_table table;
    static leaves l;
    static fit f;
    fill_table(table);
    for (int run = 0; run < RUNS; run++) {
        const vec3 *x1 = run % 2 ? l.x1 : NULL;
        throw_leaves(&l, run);
        f.n_left = normal_pairs_fit(l.x0, x1, l.pairs, PAIRS, table, 0.01, f.boxes, f.masks, f.left);
        for (int32_t i = 0; i < 2 * PAIRS; i++) {
            normal_leaf by_itself;
            int32_t corners[3 * NORMAL_NODES];
            int n = l.n_nodes[i / 2][i % 2];
            if (is_left(&f, i))
                continue;
            for (int k = 0; k < 3 * n; k++)
                corners[k] = l.nodes[i / 2][i % 2][k % n];
            normal_leaf_fit(l.x0, x1, corners, n, table, 0.01, &by_itself);
            assert_memory_equal(&f.boxes[i], &by_itself.bounds, sizeof(box));
        }
    }
}

static void check_cell(vec3 v, int cell)
{
    double sum = fabs(v.x) + fabs(v.y) + fabs(v.z), more = 2 * NORMAL_ERROR + 0x1p-18;
    const double step = 2.0 / NORMAL_CELLS;
    int j = cell % NORMAL_CELLS, i = cell / NORMAL_CELLS % NORMAL_CELLS;
    assert_true(v.x / sum > step * i - 1 - more && v.x / sum < step * (i + 1) - 1 + more);
    assert_true(v.y / sum > step * j - 1 - more && v.y / sum < step * (j + 1) - 1 + more);
    assert_true(cell >= NORMAL_NONE / 2 ? v.z / sum < more : v.z / sum > -more);
}

static vec3 side(const vec3 *x, const int32_t *nodes, const uint8_t *corners, int k)
{
    return v3_sub(x[nodes[corners[k]]], x[nodes[corners[0]]]);
}

/* One triangle a leaf: with the number of each cell as its mask, the cell can be read. */
static void normals_are_as_exact_as_promised(void **unused)
{
    (void)unused;
    static normal_table table;
    static leaves l;
    static fit f;
    int64_t n_told = 0;
    for (int i = 0; i < NORMAL_NONE; i++)
        table[i] = (uint64_t)i | UINT64_C(1) << 62;
    for (int run = 0; run < 4 * RUNS; run++) {
        throw_leaves(&l, run);
        for (int i = 0; i < PAIRS; i++)
            for (int half = 0; half < 2; half++) {
                const uint8_t *c = l.corners[i][half];
                const uint8_t one[3] = {c[0], c[l.n[i][half]], c[2 * l.n[i][half]]};
                memcpy(l.corners[i][half], one, sizeof one);
                normal_pair_set(&l.pairs[i], half, 2 * i + half, l.nodes[i][half], l.n_nodes[i][half], one, 1);
            }
        f.n_left = normal_pairs_fit(l.x0, NULL, l.pairs, PAIRS, table, 0, f.boxes, f.masks, f.left);
        for (int32_t i = 0; i < 2 * PAIRS; i++) {
            const int32_t *nodes = l.nodes[i / 2][i % 2];
            const uint8_t *c = l.corners[i / 2][i % 2];
            if (is_left(&f, i))
                continue;
            n_told++;
            check_cell(v3_cross(side(l.x0, nodes, c, 1), side(l.x0, nodes, c, 2)), (int)(f.masks[i] & 0xffff));
        }
    }
    assert_true(n_told > RUNS * PAIRS);
}

/* A triangle that has the same normal at x0 and x1, turned by half a turn, and the opposite one between. */
static void normals_between_count(void **unused)
{
    (void)unused;
    static normal_table table;
    normal_pair pair;
    vec3 x0[4] = {v3(0, 0, 0), v3(1, 0, 0), v3(0, 1, 0), v3(0, 0, 0)};
    vec3 x1[4] = {v3(0, 0, 0), v3(-1, 0, 0.1), v3(0, -1, 0), v3(0, 0, 0)};
    const int32_t nodes[3] = {0, 1, 2};
    const uint8_t corners[3] = {0, 1, 2};
    for (int i = 0; i < NORMAL_NONE; i++)
        table[i] = i < NORMAL_NONE / 2 ? 3 : 1;
    for (int half = 0; half < 2; half++)
        normal_pair_set(&pair, half, half, nodes, 3, corners, 1);
    for (normal_way way = NORMAL_PLAIN; way < NORMAL_WAYS; way++) {
        box boxes[2];
        uint64_t masks[2];
        int32_t left[2];
        if (!normal_way_works(way))
            continue;
        assert_int_equal(normal_pairs_fit_by(way, x0, NULL, &pair, 1, table, 0, boxes, masks, left), 0);
        assert_true(masks[0] == 3 && masks[1] == 3);
        assert_int_equal(normal_pairs_fit_by(way, x0, x1, &pair, 1, table, 0, boxes, masks, left), 0);
        assert_true(masks[0] == 1 && masks[1] == 1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_ways_give_the_same_bits),
        cmocka_unit_test(boxes_are_those_of_leaves_by_themselves),
        cmocka_unit_test(normals_are_as_exact_as_promised),
        cmocka_unit_test(normals_between_count),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
