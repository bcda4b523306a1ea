/* SPDX-License-Identifier: MIT */
/* The audit of real meshes against brute force in exact arithmetic: all pairs of triangles whose boxes overlap
 * (which doubles can tell without error), each judged by GMP. Quick: the open teapot and one body; WEFT_LONG=1: all
 * of them. */
/* ctest: labels=slow timeout=900 */
/* links: gmp */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include <weft/audit.h>
#include <weft/io/mesh.h>

#include "data_file.h"
#include "math/rational.h"

typedef struct bounds {
    double lower[3], upper[3];
    int32_t ti;
} bounds;

static bounds bounds_of(const weft_vec3 *x, const int32_t *t, int32_t ti)
{
    bounds b = {{HUGE_VAL, HUGE_VAL, HUGE_VAL}, {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL}, ti};
    for (int i = 0; i < 3; i++) {
        const double c[3] = {x[t[i]].x, x[t[i]].y, x[t[i]].z};
        for (int k = 0; k < 3; k++) {
            b.lower[k] = c[k] < b.lower[k] ? c[k] : b.lower[k];
            b.upper[k] = c[k] > b.upper[k] ? c[k] : b.upper[k];
        }
    }
    return b;
}

static int by_lower_x(const void *a, const void *b)
{
    double d = ((const bounds *)a)->lower[0] - ((const bounds *)b)->lower[0];
    return d < 0 ? -1 : d > 0;
}

static bool overlap(const bounds *a, const bounds *b)
{
    for (int k = 0; k < 3; k++)
        if (a->upper[k] < b->lower[k] || b->upper[k] < a->lower[k])
            return false;
    return true;
}

static bool same(vec3 a, vec3 b)
{
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

/* A short cut, exact as well: if the corners of b that are in the plane of a are common vertices, and all others
 * strictly on one side of it, then b meets that plane in common vertices and edges only. */
static bool beside(const vec3 a[3], const vec3 b[3])
{
    rational3 r[4];
    int side = 0;
    bool is_beside = true;
    for (int i = 0; i < 4; i++)
        r3_init(&r[i]);
    for (int i = 0; i < 3; i++)
        r3_set(&r[i], a[i]);
    for (int i = 0; i < 3 && is_beside; i++) {
        if (same(b[i], a[0]) || same(b[i], a[1]) || same(b[i], a[2]))
            continue;
        r3_set(&r[3], b[i]);
        int s = r3_orient(&r[0], &r[1], &r[2], &r[3]);
        is_beside = s != 0 && s != -side;
        side = s;
    }
    for (int i = 0; i < 4; i++)
        r3_clear(&r[i]);
    return is_beside && side != 0;
}

static bool meet(const weft_vec3 *x, const int32_t *t, int32_t ti, int32_t tj)
{
    vec3 a[3], b[3];
    for (int i = 0; i < 3; i++)
        a[i] = x[t[3 * ti + i]], b[i] = x[t[3 * tj + i]];
    return !beside(a, b) && !beside(b, a) && rational_triangles_meet(a, b);
}

/* The number of pairs that meet; each is looked up in what the audit found. */
static int64_t brute_force(const weft_vec3 *x, const int32_t *t, int32_t n, const weft_audit_found *f,
                           int64_t *n_tested)
{
    bounds *all = malloc((size_t)n * sizeof *all);
    assert_non_null(all);
    for (int32_t ti = 0; ti < n; ti++)
        all[ti] = bounds_of(x, t + 3 * ti, ti);
    qsort(all, (size_t)n, sizeof *all, by_lower_x);
    int64_t n_meet = 0;
    for (int32_t i = 0; i < n; i++)
        for (int32_t j = i + 1; j < n && all[j].lower[0] <= all[i].upper[0]; j++) {
            if (!overlap(&all[i], &all[j]))
                continue;
            ++*n_tested;
            int32_t ti = all[i].ti < all[j].ti ? all[i].ti : all[j].ti, tj = all[i].ti + all[j].ti - ti;
            bool expected = meet(x, t, ti, tj), found = false;
            for (int64_t k = 0; k < f->n_pairs && !found; k++)
                found = f->pairs[k].triangle[0] == ti && f->pairs[k].triangle[1] == tj;
            if (found != expected)
                fail_msg("triangles %d and %d: %s, the audit says otherwise", ti, tj, expected ? "meet" : "apart");
            n_meet += expected;
        }
    free(all);
    return n_meet;
}

static double seconds(void)
{
    return (double)clock() / CLOCKS_PER_SEC;
}

static void compare_file(const char *name)
{
    char path[PATH_ROOM];
    if (!data_file(name, path))
        return;
    weft_mesh mesh;
    weft_error e;
    weft_audit *a;
    if (weft_mesh_read(path, &mesh, &e) != WEFT_OK)
        fail_msg("%s", e.text);
    int32_t *t = malloc(3 * sizeof *t * (size_t)(mesh.face_start[mesh.n_faces] - 2 * mesh.n_faces + 1));
    assert_non_null(t);
    weft_audit_def d = weft_audit_def_default();
    d.n_nodes = mesh.n_nodes, d.positions = mesh.positions;
    d.n_triangles = weft_mesh_triangulate(&mesh, t, NULL), d.triangles = t;
    double start = seconds();
    if (weft_audit_create(&d, &a, &e) != WEFT_OK || weft_audit_run(a, NULL, 0.0, &e) != WEFT_OK)
        fail_msg("%s", e.text);
    double middle = seconds();
    weft_audit_found f = weft_audit_get(a);
    int64_t n_tested = 0, n_meet = brute_force(mesh.positions, t, d.n_triangles, &f, &n_tested);
    printf("%-34s %6d triangles, %7lld pairs of boxes, %5lld intersect in %3d contours, %2d degenerate; %.3f s, GMP "
           "%.1f s\n",
           name, d.n_triangles, (long long)n_tested, (long long)f.n_pairs, f.n_contours, f.n_degenerate, middle - start,
           seconds() - middle);
    assert_int_equal(n_meet, f.n_pairs);
    assert_true(f.n_tested >= n_tested);
    weft_audit_destroy(a);
    weft_mesh_free(&mesh);
    free(t);
}

static void the_open_teapot_agrees_with_brute_force(void **state)
{
    (void)state;
    compare_file("colliders/teapot_open_newell.obj");
}

static void bodies_agree_with_brute_force(void **state)
{
    (void)state;
    if (!getenv("WEFT_LONG")) {
        printf("with WEFT_LONG=1\n");
        return;
    }
    compare_file("bodies/mh_female_apose.obj");
    compare_file("bodies/mh_female_tpose.obj");
    compare_file("bodies/mh_male_apose.obj");
    compare_file("bodies/mh_male_tpose.obj");
    compare_file("colliders/teapot_solid.obj");
    compare_file("colliders/teacup.obj");
    compare_file("colliders/saucer.obj");
    compare_file("colliders/spot.obj");
}

static void tangled_samples_agree_with_brute_force(void **state)
{
    (void)state;
    compare_file("untangle/unit_Closed.obj");
    compare_file("untangle/unit_Cross.obj");
    compare_file("untangle/unit_Eight.obj");
    compare_file("untangle/unit_LL.obj");
    compare_file("untangle/unit_BLI.obj");
    compare_file("untangle/unit_BIBI.obj");
    compare_file("untangle/unit_BBII.obj");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_open_teapot_agrees_with_brute_force),
        cmocka_unit_test(bodies_agree_with_brute_force),
        cmocka_unit_test(tangled_samples_agree_with_brute_force),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
