/* SPDX-License-Identifier: MIT */
/* Tangles that come out clean by the exact audit, and bad input. */
/* ctest: labels=slow timeout=300 */
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
#include <weft/untangle.h>

#include "math/trig.h"
#include "untangle/tangle_kit.h"

static int64_t audit_pairs(const tangle *t, const vec3 *x)
{
    weft_audit_def d = weft_audit_def_default();
    weft_audit *a;
    weft_error e;
    d.n_nodes = t->n_nodes;
    d.positions = x;
    d.n_triangles = t->n_triangles;
    d.triangles = &t->t[0][0];
    d.objects = t->object;
    d.n_objects = t->n_objects;
    assert_int_equal(weft_audit_create(&d, &a, &e), WEFT_OK);
    assert_int_equal(weft_audit_run(a, NULL, 0, &e), WEFT_OK);
    int64_t n = weft_audit_get(a).n_pairs;
    weft_audit_destroy(a);
    return n;
}

static void say(const char *name, const weft_untangle_report *r)
{
    printf("%-24s pairs %4d -> %d, contours %d (%d closed, %d border, %d loop; %d undecided), %d iterations (sides %d, "
           "plain %d, averaged %d, smoothed %d, touching %d), moved %d by %.4f, at most %.4f m\n",
           name, (int)r->pairs_before, (int)r->pairs_after, r->contours_before, r->n_closed, r->n_border, r->n_loop,
           r->n_undecided, r->n_iterations, r->iterations[0], r->iterations[1], r->iterations[2], r->iterations[3],
           r->iterations[4], r->n_moved, r->mean_move, r->max_move);
}

static weft_untangle_report untangle(const char *name, const tangle *t, const weft_untangle_def *d, vec3 **out)
{
    weft_untangle_report r;
    weft_error e = {0};
    vec3 *x = malloc((size_t)t->n_nodes * sizeof *x);
    assert_non_null(x);
    assert_int_equal(weft_untangle(d, x, &r, &e), WEFT_OK);
    say(name, &r);
    assert_int_equal(audit_pairs(t, t->x), r.pairs_before);
    assert_int_equal(audit_pairs(t, x), r.pairs_after);
    if (out)
        *out = x;
    else
        free(x);
    return r;
}

static void unit_meshes_come_out_clean(void **state)
{
    (void)state;
    for (int i = 0; i < 7; i++) {
        char name[64];
        tangle t = {0};
        snprintf(name, sizeof name, "untangle/unit_%s.obj", tangle_units[i]);
        if (!tangle_read(&t, name))
            skip();
        for (int k = 0; k < 3; k++)
            tangle_split(&t);
        weft_untangle_def d = tangle_def(&t);
        weft_untangle_report r = untangle(tangle_units[i], &t, &d, NULL);
        assert_true(r.pairs_before > 0);
        assert_int_equal(r.pairs_after, 0);
        tangle_free(&t);
    }
}

/* A ball that dips into a sheet, and a ribbon that pokes through it. */
static void sheets_and_solids_come_out_clean(void **state)
{
    (void)state;
    tangle t = {0};
    tangle_sheet(&t, v3(-2, -2, 0.7), v3(4, 0, 0), v3(0, 4, 0), 40, 40);
    tangle_octahedron(&t, v3(0.013, 0.007, 0), 1, 4);
    weft_untangle_def d = tangle_def(&t);
    assert_int_equal(untangle("octahedron in sheet", &t, &d, NULL).pairs_after, 0);
    tangle_free(&t);

    tangle_sheet(&t, v3(-1, -1, 0), v3(2, 0, 0), v3(0, 2, 0), 20, 20);
    tangle_sheet(&t, v3(0.03, -0.2, -0.23), v3(0, 0.4, 0), v3(0.1, 0, 1.2), 4, 12);
    d = tangle_def(&t);
    assert_int_equal(untangle("ribbon through sheet", &t, &d, NULL).pairs_after, 0);
    tangle_free(&t);
}

/* ---- random tangles ---------------------------------------------------------------------------------------------- */

static uint64_t next_bits(uint64_t *state)
{
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

static double uniform(uint64_t *state, double a, double b)
{
    return a + (b - a) * (double)(next_bits(state) >> 11) * 0x1p-53;
}

/* Waves in every direction added to nodes from `first` on. */
static void crumple(tangle *t, int32_t first, double size, uint64_t *seed)
{
    for (int wave = 0; wave < 5; wave++) {
        vec3 k = v3(uniform(seed, -9, 9), uniform(seed, -9, 9), uniform(seed, -9, 9));
        vec3 way = v3(uniform(seed, -1, 1), uniform(seed, -1, 1), uniform(seed, -1, 1));
        double phase = uniform(seed, 0, 6);
        for (int32_t vi = first; vi < t->n_nodes; vi++)
            t->x[vi] = v3_madd(t->x[vi], size * weft_sin(v3_dot(k, t->x[vi]) + phase), way);
    }
}

static void make_random(tangle *t, int kind, uint64_t seed)
{
    double u = uniform(&seed, -0.2, 0.2), v = uniform(&seed, -0.2, 0.2), w = uniform(&seed, -0.05, 0.05);
    if (kind == 0) { /* a sheet crumpled through itself */
        crumple(t, tangle_sheet(t, v3(0, 0, 0), v3(1, 0, 0), v3(0, 1, 0), 24, 24), uniform(&seed, 0.15, 0.3), &seed);
    } else if (kind == 1) { /* sheets through each other */
        for (int i = 0; i < 3; i++)
            crumple(t, tangle_sheet(t, v3(u * i, v * i, 0.04 * i + w), v3(1, 0, 0.05 * i), v3(0, 1, 0.03), 20, 20),
                    uniform(&seed, 0.03, 0.12), &seed);
    } else if (kind == 2) { /* tubes */
        tangle_tube(t, v3(0, 0, 0), v3(0, 1, 0), 0.2, 20, 20);
        tangle_tube(t, v3(0.3 + u / 2, v, w), v3(0.3 + w, v + 1, u), 0.15, 18, 20);
    } else { /* a ribbon through a tube */
        tangle_tube(t, v3(0, 0, 0), v3(0, 1, 0), 0.2, 20, 20);
        crumple(t, tangle_sheet(t, v3(0.1 + w, 0.3 + u, -0.2), v3(0.9, 0.1, 0), v3(0, v, 0.4), 24, 10), 0.02, &seed);
    }
}

/* At least 95 of 100 end clean; none ends with more than it had. */
static void random_tangles_come_out_clean(void **state)
{
    (void)state;
    int n_clean = 0, n = 0, n_each = getenv("WEFT_LONG") ? 50 : 1;
    for (int kind = 0; kind < 4; kind += getenv("WEFT_LONG") ? 1 : 3)
        for (int i = 0; i < n_each; i++) {
            char name[64];
            tangle t = {0};
            make_random(&t, kind, (uint64_t)(1000 * kind + i));
            weft_untangle_def d = tangle_def(&t);
            snprintf(name, sizeof name, "kind %d, number %d", kind, i);
            weft_untangle_report r = untangle(name, &t, &d, NULL);
            assert_true(r.pairs_after <= r.pairs_before);
            tangle_free(&t);
            if (r.pairs_before == 0)
                continue;
            n_clean += r.pairs_after == 0;
            n++;
        }
    printf("%d of %d clean\n", n_clean, n);
    assert_true(100 * n_clean >= 95 * n);
}

/* ---- colliders ------------------------------------------------------------------------------------------------- */

/* A sheet half in each solid, and one wholly in it: all of it keeps its distance in the end. */
static void sheets_leave_solids(void **state)
{
    (void)state;
    const weft_collider_kind kinds[] = {WEFT_COLLIDER_PLANE, WEFT_COLLIDER_SPHERE, WEFT_COLLIDER_CAPSULE,
                                        WEFT_COLLIDER_CYLINDER, WEFT_COLLIDER_BOX};
    for (int i = 0; i < 5; i++)
        for (int deep = 0; deep < 2; deep++) {
            tangle t = {0};
            double size = deep ? 0.05 : 1;
            tangle_sheet(&t, v3(-0.4 * size, deep ? -0.013 : -0.04, -0.37 * size), v3(size, 0.02, 0), v3(0, 0.03, size),
                         14, 14);
            weft_collider_def c = weft_collider_def_default();
            c.kind = kinds[i];
            c.radius = 0.12;
            c.height = 0.2;
            c.size = v3(0.2, 0.3, 0.2);
            weft_untangle_def d = tangle_def(&t);
            d.colliders = &c;
            d.n_colliders = 1;
            d.thickness = 0.002;
            weft_untangle_report r = untangle(deep ? "deep in a solid" : "half in a solid", &t, &d, NULL);
            printf("kind %d: too near %d -> %d\n", i, (int)r.inside_before, (int)r.inside_after);
            assert_true(r.inside_before > 0);
            assert_int_equal(r.inside_after, 0);
            assert_int_equal(r.pairs_after, 0);
            tangle_free(&t);
        }
}

/* A sheet that dips into a closed mesh, and one deep inside of it that touches nothing. */
static void sheets_leave_closed_meshes(void **state)
{
    (void)state;
    for (int deep = 0; deep < 2; deep++) {
        tangle t = {0};
        bool is_collider[2] = {false, true};
        if (deep)
            tangle_sheet(&t, v3(0.1, 0.11, 0.3), v3(0.2, 0, 0.01), v3(0, 0.2, 0.02), 8, 8);
        else
            tangle_sheet(&t, v3(-1, -1, 0.83), v3(2, 0.01, 0), v3(0.02, 2, 0.03), 40, 40);
        int32_t first = tangle_octahedron(&t, v3(0, 0, 0), 1, 4);
        weft_untangle_def d = tangle_def(&t);
        d.object_is_collider = is_collider;
        vec3 *x;
        weft_untangle_report r = untangle(deep ? "deep in a mesh" : "half in a mesh", &t, &d, &x);
        printf("inside %d -> %d\n", (int)r.inside_before, (int)r.inside_after);
        assert_true(r.inside_before > 0);
        assert_int_equal(r.inside_after, 0);
        assert_int_equal(r.pairs_after, 0);
        assert_memory_equal(x + first, t.x + first, (size_t)(t.n_nodes - first) * sizeof *x);
        for (int32_t vi = 0; vi < first; vi++)
            assert_true(fabs(x[vi].x) + fabs(x[vi].y) + fabs(x[vi].z) > 1);
        free(x);
        tangle_free(&t);
    }
}

/* A limb goes right through the middle of a sheet: that slips off over its nearer end. */
static void sheets_slip_off_limbs(void **state)
{
    (void)state;
    tangle t = {0};
    bool is_collider[2] = {false, true};
    tangle_sheet(&t, v3(0.45, -0.3, -0.33), v3(0.06, 0.6, 0), v3(0.04, 0, 0.6), 20, 20);
    int32_t first = tangle_octahedron(&t, v3(0, 0, 0), 0.12, 3);
    for (int32_t vi = first; vi < t.n_nodes; vi++)
        t.x[vi].x *= 7; /* 1.7 m long */
    weft_untangle_def d = tangle_def(&t);
    d.object_is_collider = is_collider;
    vec3 *x;
    weft_untangle_report r = untangle("limb through a sheet", &t, &d, &x);
    assert_int_equal(r.n_closed, 1);
    assert_int_equal(r.pairs_after, 0);
    assert_int_equal(r.inside_after, 0);
    assert_true(r.n_iterations < 100);
    assert_true(x[10 * 21 + 10].x > 7 * 0.12); /* the sheet's middle is beyond the tip */
    free(x);
    tangle_free(&t);
}

/* Two sheets cross nearer to the borders at which they are pinned than to those that are free: these let go. */
static void held_parts_are_no_intruders(void **state)
{
    (void)state;
    tangle t = {0};
    tangle_sheet(&t, v3(0, 0, 0), v3(0.5, 0, 0), v3(0, -0.5, 0.01), 12, 12);
    int32_t second = tangle_sheet(&t, v3(0.1, 0.01, 0.1), v3(0.5, 0, 0), v3(0.05, -0.45, -0.3), 12, 12);
    double *masses = malloc((size_t)t.n_nodes * sizeof *masses);
    assert_non_null(masses);
    for (int32_t vi = 0; vi < t.n_nodes; vi++)
        masses[vi] = vi % second < 13 ? 0 : 1e-3;
    weft_untangle_def d = tangle_def(&t);
    d.masses = masses;
    vec3 *x;
    weft_untangle_report r = untangle("pinned sheets", &t, &d, &x);
    assert_int_equal(r.pairs_after, 0);
    for (int32_t vi = 0; vi < t.n_nodes; vi++)
        assert_true(masses[vi] > 0 || memcmp(&x[vi], &t.x[vi], sizeof *x) == 0);
    free(masses);
    free(x);
    tangle_free(&t);
}

/* ---- promises --------------------------------------------------------------------------------------------------- */

static void threads_give_the_same_bits(void **state)
{
    (void)state;
    tangle t = {0};
    vec3 *x[3];
    make_random(&t, 3, 7);
    for (int i = 0; i < 3; i++) {
        weft_untangle_def d = tangle_def(&t);
        d.n_threads = 1 + 2 * i;
        untangle("threads", &t, &d, &x[i]);
        assert_memory_equal(x[i], x[0], (size_t)t.n_nodes * sizeof *x[i]);
    }
    for (int i = 0; i < 3; i++)
        free(x[i]);
    tangle_free(&t);
}

typedef struct short_memory {
    int left;
    int64_t in_use;
} short_memory;

static void *short_alloc(void *user, void *p, size_t old_size, size_t new_size)
{
    short_memory *s = user;
    if (new_size > 0 && s->left-- <= 0)
        return NULL;
    s->in_use += (int64_t)new_size - (int64_t)old_size;
    if (new_size == 0) {
        free(p);
        return NULL;
    }
    return realloc(p, new_size);
}

static void without_memory_it_fails_and_loses_nothing(void **state)
{
    (void)state;
    tangle t = {0};
    bool is_collider[2] = {false, true};
    tangle_sheet(&t, v3(-1, -1, 0.83), v3(2, 0.01, 0), v3(0.02, 2, 0.03), 9, 9);
    tangle_octahedron(&t, v3(0, 0, 0), 1, 2);
    weft_result r = WEFT_ERROR_MEMORY;
    vec3 *x = malloc((size_t)t.n_nodes * sizeof *x);
    assert_non_null(x);
    for (int n = 0; r == WEFT_ERROR_MEMORY; n = n < 120 ? n + 1 : n + 37) {
        short_memory s = {.left = n};
        weft_untangle_def d = tangle_def(&t);
        d.object_is_collider = is_collider;
        d.alloc = short_alloc;
        d.alloc_user = &s;
        weft_error e;
        r = weft_untangle(&d, x, NULL, &e);
        assert_true(r == WEFT_ERROR_MEMORY || r == WEFT_OK);
        assert_int_equal(s.in_use, 0);
    }
    free(x);
    tangle_free(&t);
}

static void bad_input_is_named(void **state)
{
    (void)state;
    tangle t = {0};
    weft_error e;
    tangle_sheet(&t, v3(0, 0, 0), v3(1, 0, 0), v3(0, 1, 0), 2, 2);
    vec3 out[9];
    weft_untangle_def d = tangle_def(&t);
    d.struct_size = 1;
    assert_int_equal(weft_untangle(&d, out, NULL, &e), WEFT_ERROR_STRUCT_SIZE);
    d = tangle_def(&t);
    d.gap = (double)NAN;
    assert_int_equal(weft_untangle(&d, out, NULL, &e), WEFT_ERROR_RANGE);
    d = tangle_def(&t);
    d.step = 0;
    assert_int_equal(weft_untangle(&d, out, NULL, &e), WEFT_ERROR_RANGE);
    weft_untangle_layer layer = {0, 1};
    d = tangle_def(&t);
    d.layers = &layer;
    d.n_layers = 1;
    assert_int_equal(weft_untangle(&d, out, NULL, &e), WEFT_ERROR_INDEX);
    t.x[4].y = HUGE_VAL;
    d = tangle_def(&t);
    assert_int_equal(weft_untangle(&d, out, NULL, &e), WEFT_ERROR_NOT_FINITE);
    assert_int_equal(e.element, 4);
    t.x[4].y = 0.5;
    t.t[3][1] = 9;
    assert_int_equal(weft_untangle(&d, out, NULL, &e), WEFT_ERROR_INDEX);
    assert_int_equal(e.element, 3);
    tangle_free(&t);
}

/* The paper's own equations, a vector a contour: no push of ours, no strategy in turn, to the side that is said. */
static void as_published_sheets_part_by_the_equations_alone(void **state)
{
    (void)state;
    for (int above = 0; above < 2; above++) {
        tangle t = {0};
        tangle_sheet(&t, v3(0, 0, 0), v3(0, 0, 0.3), v3(0.3, 0, 0), 14, 14);
        int32_t n = tangle_sheet(&t, v3(0.06, -0.018, 0.05), v3(0, 0.04, 0.2), v3(0.2, 0.003, 0.01), 14, 14);
        weft_untangle_side sides[2] = {WEFT_SIDE_PLAIN, WEFT_SIDE_PLAIN};
        weft_untangle_layer layer = above ? (weft_untangle_layer){0, 1} : (weft_untangle_layer){1, 0};
        weft_untangle_def d = tangle_def(&t);
        weft_untangle_report r;
        vec3 x[2 * 15 * 15];
        assert_true(t.n_nodes == 2 * n);
        d.method = WEFT_UNTANGLE_CONTOURS;
        d.object_side = sides;
        d.layers = &layer;
        d.n_layers = 1;
        d.as_published = d.average = true;
        assert_int_equal(weft_untangle(&d, x, &r, NULL), WEFT_OK);
        assert_true(r.pairs_before > 0);
        assert_int_equal(r.pairs_after, 0);
        assert_int_equal(r.n_switched, 0);
        double height = 0;
        for (int32_t i = 0; i < t.n_nodes; i++)
            height += (i < n ? -1 : 1) * x[i].y / n;
        assert_true(above ? height > 0 : height < 0);
        tangle_free(&t);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(as_published_sheets_part_by_the_equations_alone),
        cmocka_unit_test(unit_meshes_come_out_clean),
        cmocka_unit_test(sheets_and_solids_come_out_clean),
        cmocka_unit_test(random_tangles_come_out_clean),
        cmocka_unit_test(sheets_leave_solids),
        cmocka_unit_test(sheets_leave_closed_meshes),
        cmocka_unit_test(sheets_slip_off_limbs),
        cmocka_unit_test(held_parts_are_no_intruders),
        cmocka_unit_test(threads_give_the_same_bits),
        cmocka_unit_test(without_memory_it_fails_and_loses_nothing),
        cmocka_unit_test(bad_input_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
