/* SPDX-License-Identifier: MIT */
/* labels: threads */
/* Repair that keeps the cloth, and pieces of cloth out of meshes that are none. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "math/trig.h"
#include "repair/pieces.h"
#include "untangle/tangle_kit.h"

static weft_untangle_report repaired(const tangle *t, weft_untangle_def *d, vec3 *out)
{
    weft_untangle_report r;
    weft_error e = {0};
    d->method = WEFT_UNTANGLE_CLOTH;
    assert_int_equal(weft_untangle(d, out, &r, &e), WEFT_OK);
    assert_true(t->n_nodes > 0);
    return r;
}

static void make_crossed_pair(tangle *t)
{
    tangle_sheet(t, v3(0, 0, 0), v3(0.3, 0, 0.01), v3(0, 0.3, 0.02), 20, 20);
    tangle_sheet(t, v3(0.05, 0.1, -0.04), v3(0.3, 0.02, 0.1), v3(0.01, 0.3, 0), 20, 20);
}

/* The bounds are those that `weft_untangle_report` promises. */
static void crossed_sheets_part_and_are_the_same_cloth(void **state)
{
    (void)state;
    tangle t = {0};
    make_crossed_pair(&t);
    weft_untangle_def d = tangle_def(&t);
    vec3 *x = malloc((size_t)t.n_nodes * sizeof *x);
    assert_non_null(x);
    const bool rigid[2] = {false, false}; /* as the command hands it on: none is */
    d.object_is_rigid = rigid;
    weft_untangle_report r = repaired(&t, &d, x);
    assert_true(r.pairs_before > 0);
    assert_int_equal(r.pairs_after, 0);
    assert_int_equal(r.method, WEFT_UNTANGLE_CLOTH);
    assert_int_equal(r.verdict, WEFT_UNTANGLE_REPAIRED);
    assert_true(r.area > 0.98 && r.area < 1.02);
    assert_true(r.edge[0] >= 0.6 && r.edge[1] >= 0.92 && r.edge[2] <= 1.08 && r.edge[3] <= 1.5);
    free(x);
    tangle_free(&t);
}

/* A strip that is rolled up by a turn and a quarter, and goes through itself along a line from border to border: both
 * ends are a third of it. No end can be pulled out, the loop cannot be closed: it has to give way to the side. */
static void a_loop_gives_way_to_the_side(void **state)
{
    (void)state;
    enum { LONG = 60, WIDE = 7 };
    tangle t = {0};
    double angle = -1.2, x = 0, y = 0;
    for (int i = 0; i <= LONG; i++) {
        for (int j = 0; j <= WIDE; j++)
            tangle_node(&t, v3(x, y, 0.01 * j));
        angle += i > LONG / 3 && i < 2 * LONG / 3 ? 5.4 / (LONG / 3) : 0;
        x += 0.01 * weft_cos(angle);
        y += 0.01 * weft_sin(angle);
    }
    for (int i = 0; i < LONG; i++)
        for (int j = 0; j < WIDE; j++) {
            int32_t a = i * (WIDE + 1) + j, b = a + 1, c = a + WIDE + 1, d = c + 1;
            tangle_triangle(&t, a, b, d);
            tangle_triangle(&t, a, d, c);
        }
    t.n_objects = 1;
    weft_untangle_def d = tangle_def(&t);
    vec3 *out = malloc((size_t)t.n_nodes * sizeof *out);
    assert_non_null(out);
    weft_untangle_report r = repaired(&t, &d, out);
    assert_true(r.pairs_before > 0);
    assert_int_equal(r.verdict, WEFT_UNTANGLE_REPAIRED);
    assert_true(r.mean_move < 0.06);
    free(out);
    tangle_free(&t);
}

/* A Klein bottle of 24 × 12: closed, of one side. The neck goes through the wall, as it must. */
static void what_cannot_be_repaired_is_left_as_it_was(void **state)
{
    (void)state;
    enum { N = 24, W = 12 };
    tangle t = {0};
    for (int j = 0; j < N; j++)
        for (int i = 0; i < W; i++) {
            double u = 6.283185307179586 * j / N, v = 6.283185307179586 * i / W, r = 4 * (1 - weft_cos(u) / 2);
            bool body = 2 * j < N;
            double x = 6 * weft_cos(u) * (1 + weft_sin(u)), y = 16 * weft_sin(u);
            x += body ? r * weft_cos(u) * weft_cos(v) : -r * weft_cos(v);
            y += body ? r * weft_sin(u) * weft_cos(v) : 0;
            tangle_node(&t, v3(0.01 * x, 0.01 * y, 0.01 * r * weft_sin(v)));
        }
    for (int j = 0; j < N; j++)
        for (int i = 0; i < W; i++) {
            int k = (i + 1) % W;
            int32_t a = j * W + i, b = j * W + k;
            int32_t p = j + 1 < N ? a + W : (W + W / 2 - i) % W, q = j + 1 < N ? b + W : (W + W / 2 - k) % W;
            tangle_triangle(&t, a, b, q);
            tangle_triangle(&t, a, q, p);
        }
    t.n_objects = 1;
    weft_untangle_def d = tangle_def(&t);
    vec3 x[N * W];
    weft_untangle_report r = repaired(&t, &d, x);
    assert_true(r.pairs_before > 0);
    assert_int_equal(r.verdict, WEFT_UNTANGLE_NOT_REPAIRABLE);
    assert_int_equal(r.pairs_after, r.pairs_before);
    assert_memory_equal(x, t.x, sizeof x);
    tangle_free(&t);
}

/* Two tubes, the inner one bulging through the outer: said to be worn over it, the outer one ends outside all round. */
static void layers_are_kept(void **state)
{
    (void)state;
    enum { N = 40, H = 16 };
    tangle t = {0};
    for (int k = 0; k < 2; k++)
        for (int j = 0; j < H; j++)
            for (int i = 0; i < N; i++) {
                double a = 6.283185307179586 * i / N, y = 0.012 * j, c = remainder(a - 1, 6.283185307179586);
                double d = 0.07 * 0.07 * c * c + (y - 0.1) * (y - 0.1);
                double r = k == 0 ? 0.07 + 0.03 * weft_exp(-d / 0.0016) : 0.08;
                tangle_node(&t, v3(r * weft_cos(a), y, -r * weft_sin(a)));
            }
    for (int k = 0; k < 2; k++, t.n_objects++)
        for (int j = 0; j + 1 < H; j++)
            for (int i = 0; i < N; i++) {
                int32_t a = (k * H + j) * N + i, b = (k * H + j) * N + (i + 1) % N;
                tangle_triangle(&t, a, b, b + N);
                tangle_triangle(&t, a, b + N, a + N);
            }
    weft_untangle_layer layer = {0, 1};
    weft_untangle_def d = tangle_def(&t);
    d.layers = &layer;
    d.n_layers = 1;
    vec3 x[2 * N * H];
    weft_untangle_report r = repaired(&t, &d, x);
    assert_true(r.pairs_before > 0);
    assert_int_equal(r.method, WEFT_UNTANGLE_CLOTH);
    assert_int_equal(r.verdict, WEFT_UNTANGLE_REPAIRED);
    assert_true(r.mean_move < 0.01);
    for (int i = 0; i < N * H; i++) /* as far round, as high: the inner vertex is nearer to the axis, or about there */
        assert_true(hypot(x[i].x, x[i].z) < hypot(x[i + N * H].x, x[i + N * H].z) + 0.003);
    tangle_free(&t);
}

/* Rows of n nodes, the last of a row beside its first; `closed`: the last row beside the first, too. */
static void join_rings(tangle *t, int n_rows, int n, bool closed)
{
    for (int j = 0; j + !closed < n_rows; j++)
        for (int i = 0; i < n; i++) {
            int32_t a = j * n + i, b = j * n + (i + 1) % n, up = j + 1 < n_rows ? n : -j * n;
            tangle_triangle(t, a, b, b + up);
            tangle_triangle(t, a, b + up, a + up);
        }
    t->n_objects = 1;
}

/* A sleeve whose turned part, 7 cm of it, goes through one side of its wall at the cuff. It comes back in: groups of
 * contours would draw all of it out of the wall lengthwise. */
static void a_sleeve_through_itself_keeps_its_turn(void **state)
{
    (void)state;
    enum { AROUND = 22, ALONG = 26 };
    const double radius = 0.01 * AROUND / 6.283185307179586, fold = 0.008, up = 0.155, half = 3.141592653589793;
    tangle t = {0};
    for (int j = 0; j < ALONG; j++)
        for (int i = 0; i < AROUND; i++) {
            double s = 0.01 * j, a = 6.283185307179586 * (i + 0.5 * (j % 2)) / AROUND;
            double turn = min_of(half, max_of(0, (s - up) / fold)), past = max_of(0, s - up - half * fold);
            double r = radius - fold * (1 - weft_cos(turn)), y = min_of(s, up) + fold * weft_sin(turn) - past;
            tangle_node(&t, v3(r * weft_cos(a) + 0.36 * past, y, r * weft_sin(a)));
        }
    join_rings(&t, ALONG, AROUND, false);
    weft_untangle_def d = tangle_def(&t);
    vec3 x[AROUND * ALONG];
    weft_untangle_report r = repaired(&t, &d, x);
    assert_true(r.pairs_before > 0);
    assert_int_equal(r.verdict, WEFT_UNTANGLE_REPAIRED);
    assert_true(r.angles >= 0.9 && r.mean_move < 0.005);
    tangle_free(&t);
}

/* A trefoil of 80 cm as a tube of 8 cm: pulled tight it would need 16.4 diameters, 131 cm. */
static void a_knot_too_thick_for_its_length_is_left_as_it_was(void **state)
{
    (void)state;
    enum { AROUND = 8, ALONG = 48 };
    tangle t = {0};
    vec3 p[ALONG];
    for (int j = 0; j < ALONG; j++) {
        double w = 6.283185307179586 * j / ALONG, r = 0.06 + 0.03 * weft_cos(3 * w);
        p[j] = v3(r * weft_cos(2 * w), r * weft_sin(2 * w), 0.03 * weft_sin(3 * w));
    }
    for (int j = 0; j < ALONG; j++) {
        vec3 way = v3_unit_or(v3_sub(p[(j + 1) % ALONG], p[(j + ALONG - 1) % ALONG]), v3(1, 0, 0));
        vec3 a = v3_unit_or(v3_cross(way, v3(0, 0, 1)), v3(1, 0, 0)), b = v3_cross(way, a);
        for (int i = 0; i < AROUND; i++) {
            double w = 6.283185307179586 * i / AROUND;
            tangle_node(&t, v3_madd(v3_madd(p[j], 0.04 * weft_cos(w), a), 0.04 * weft_sin(w), b));
        }
    }
    join_rings(&t, ALONG, AROUND, true);
    weft_untangle_def d = tangle_def(&t);
    d.max_iterations = 100;
    vec3 x[AROUND * ALONG];
    weft_untangle_report r = repaired(&t, &d, x);
    assert_true(r.pairs_before > 0);
    assert_int_equal(r.verdict, WEFT_UNTANGLE_NOT_REPAIRABLE);
    assert_memory_equal(x, t.x, sizeof x);
    tangle_free(&t);
}

/* In millimetres, and far from the origin: lengths are those of the mesh, whatever its unit. */
static void units_do_not_matter(void **state)
{
    (void)state;
    tangle t = {0};
    make_crossed_pair(&t);
    for (int32_t i = 0; i < t.n_nodes; i++)
        t.x[i] = v3_add(v3(40000, -3000, 500), v3_scale(1000, t.x[i]));
    weft_untangle_def d = tangle_def(&t);
    vec3 *x = malloc((size_t)t.n_nodes * sizeof *x);
    assert_non_null(x);
    assert_int_equal(repaired(&t, &d, x).verdict, WEFT_UNTANGLE_REPAIRED);
    free(x);
    tangle_free(&t);
}

static void threads_and_repetition_give_the_same_bits(void **state)
{
    (void)state;
    tangle t = {0};
    make_crossed_pair(&t);
    size_t size = (size_t)t.n_nodes * sizeof(vec3);
    vec3 *x[3];
    for (int i = 0; i < 3; i++) {
        weft_untangle_def d = tangle_def(&t);
        d.n_threads = i == 2 ? 4 : 1;
        x[i] = malloc(size);
        assert_non_null(x[i]);
        repaired(&t, &d, x[i]);
    }
    assert_memory_equal(x[0], x[1], size);
    assert_memory_equal(x[0], x[2], size);
    for (int i = 0; i < 3; i++)
        free(x[i]);
    tangle_free(&t);
}

static void what_is_clean_and_what_is_held_keeps_its_bits(void **state)
{
    (void)state;
    tangle t = {0};
    tangle_sheet(&t, v3(0, 0, 0), v3(0.3, 0, 0.01), v3(0, 0.3, 0.02), 10, 10);
    weft_untangle_def d = tangle_def(&t);
    vec3 x[800];
    assert_true(t.n_nodes < 400);
    assert_int_equal(repaired(&t, &d, x).n_moved, 0);
    assert_memory_equal(x, t.x, (size_t)t.n_nodes * sizeof *x);

    int32_t first = tangle_sheet(&t, v3(0.05, 0.1, -0.04), v3(0.3, 0.02, 0.1), v3(0.01, 0.3, 0), 10, 10);
    double masses[800];
    for (int32_t i = 0; i < t.n_nodes; i++)
        masses[i] = i >= first;
    d = tangle_def(&t);
    d.masses = masses;
    assert_int_equal(repaired(&t, &d, x).pairs_after, 0);
    assert_memory_equal(x, t.x, (size_t)first * sizeof *x);
    tangle_free(&t);
}

/* Corners of files: a face twice, one without area, one that names a node twice, three at an edge, one alone. */
static void odd_meshes_do_no_harm(void **state)
{
    (void)state;
    tangle t = {0};
    make_crossed_pair(&t);
    int32_t a = tangle_node(&t, v3(0.1, 0.1, 0.4)), b = tangle_node(&t, v3(0.12, 0.1, 0.4));
    int32_t c = tangle_node(&t, v3(0.14, 0.1, 0.4)), e = tangle_node(&t, v3(0.1, 0.13, 0.41));
    int32_t f = tangle_node(&t, v3(0.1, 0.07, 0.42)), g = tangle_node(&t, v3(0.11, 0.1, 0.45));
    tangle_triangle(&t, a, b, c);
    tangle_triangle(&t, a, a, b);
    tangle_triangle(&t, a, b, e);
    tangle_triangle(&t, a, b, f);
    tangle_triangle(&t, a, b, g);
    t.n_objects++;
    weft_untangle_def d = tangle_def(&t);
    vec3 *x = malloc((size_t)t.n_nodes * sizeof *x);
    assert_non_null(x);
    weft_untangle_report r = repaired(&t, &d, x);
    assert_true(r.pairs_after <= r.pairs_before);
    for (int32_t i = 0; i < t.n_nodes; i++)
        assert_true(v3_is_finite(x[i]));
    free(x);
    tangle_free(&t);
}

/* A Möbius strip is cut across once: one edge's worth of corners is doubled. */
static void a_one_sided_band_is_one_piece_cut_once(void **state)
{
    (void)state;
    enum { N = 24 };
    tangle t = {0};
    for (int j = 0; j < N; j++)
        for (int i = 0; i < 2; i++) {
            double s = 0.2 * (i - 0.5), turn = 6.283185307179586 * j / N;
            double r = 1 + s * weft_cos(turn / 2);
            tangle_node(&t, v3(r * weft_cos(turn), r * weft_sin(turn), s * weft_sin(turn / 2)));
        }
    for (int j = 0; j < N; j++) {
        int32_t a = 2 * j, b = 2 * j + 1, c = j + 1 < N ? a + 2 : 1, e = j + 1 < N ? b + 2 : 0;
        tangle_triangle(&t, a, b, c);
        tangle_triangle(&t, b, e, c);
    }
    mem m;
    mesh_adjacency w;
    pieces p;
    uint8_t wanted[2 * N];
    memset(wanted, 1, sizeof wanted);
    mem_init(&m, NULL, NULL);
    assert_true(mesh_adjacency_make(&w, &m, t.n_nodes, t.x, t.n_triangles, (const int32_t(*)[3])t.t));
    assert_true(pieces_make(&p, &m, &w, NULL, 1, wanted));
    assert_int_equal(p.items[0].n_triangles, 2 * N);
    assert_int_equal(p.items[0].n_nodes, 2 * N + 2);
    pieces_free(&p);
    mesh_adjacency_free(&w);
    assert_int_equal(m.in_use, 0);
    tangle_free(&t);
}

typedef struct scarce {
    int left;
    int64_t in_use;
} scarce;

static void *scarce_alloc(void *user, void *p, size_t old_size, size_t new_size)
{
    scarce *s = user;
    if (new_size > 0 && s->left-- <= 0)
        return NULL;
    s->in_use += (int64_t)new_size - (int64_t)old_size;
    if (new_size > 0)
        return realloc(p, new_size);
    free(p);
    return NULL;
}

static void without_memory_repair_fails_and_loses_nothing(void **state)
{
    (void)state;
    tangle t = {0};
    tangle_sheet(&t, v3(0, 0, 0), v3(0.1, 0, 0.01), v3(0, 0.1, 0.02), 4, 4);
    tangle_sheet(&t, v3(0.02, 0.03, -0.03), v3(0.1, 0.02, 0.04), v3(0.01, 0.1, 0), 4, 4);
    vec3 x[50];
    assert_int_equal(t.n_nodes, 50);
    weft_result r = WEFT_ERROR_MEMORY;
    for (int n = 0; r == WEFT_ERROR_MEMORY; n += 13) {
        scarce s = {.left = n};
        weft_untangle_def d = tangle_def(&t);
        d.method = WEFT_UNTANGLE_CLOTH;
        d.alloc = scarce_alloc;
        d.alloc_user = &s;
        weft_error e;
        r = weft_untangle(&d, x, NULL, &e);
        assert_true(r == WEFT_ERROR_MEMORY || r == WEFT_OK);
        assert_int_equal(s.in_use, 0);
    }
    tangle_free(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(crossed_sheets_part_and_are_the_same_cloth),
        cmocka_unit_test(a_loop_gives_way_to_the_side),
        cmocka_unit_test(what_cannot_be_repaired_is_left_as_it_was),
        cmocka_unit_test(layers_are_kept),
        cmocka_unit_test(a_sleeve_through_itself_keeps_its_turn),
        cmocka_unit_test(a_knot_too_thick_for_its_length_is_left_as_it_was),
        cmocka_unit_test(units_do_not_matter),
        cmocka_unit_test(threads_and_repetition_give_the_same_bits),
        cmocka_unit_test(what_is_clean_and_what_is_held_keeps_its_bits),
        cmocka_unit_test(odd_meshes_do_no_harm),
        cmocka_unit_test(a_one_sided_band_is_one_piece_cut_once),
        cmocka_unit_test(without_memory_repair_fails_and_loses_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
