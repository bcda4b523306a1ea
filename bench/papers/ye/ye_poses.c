/* SPDX-License-Identifier: MIT */
/* Measures ye2012 figure 3 over random poses: a cup set 3 to 20 mm into a teapot from any side, turned at random. The
 * paper shows one pose: 53 steps without repulsive normals, 8 with them. Steps of 0.4 mm; for each column how many
 * poses are free within 150, and quartiles of the steps. */
#include "say.h"
#include "ye.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { POSES = 64, FEW_POSES = 8, MOST = 150 };

static double drawn(uint64_t *state, double a, double b)
{
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    z ^= z >> 31;
    return a + (b - a) * (double)(z >> 11) * 0x1p-53;
}

static weft_quat drawn_turn(uint64_t *state)
{
    for (;;) {
        weft_quat q = {drawn(state, -1, 1), drawn(state, -1, 1), drawn(state, -1, 1), drawn(state, -1, 1)};
        double n = sqrt(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w);
        if (n > 0.1 && n <= 1)
            return (weft_quat){q.x / n, q.y / n, q.z / n, q.w / n};
    }
}

static bool make(heap *h, weft_quat q, weft_vec3 at, const bench_options *o)
{
    if (!heap_read(h, o, "colliders/teacup.obj"))
        return false;
    rigid_place(h, 0, q, at);
    return heap_read(h, o, "colliders/teapot_solid.obj");
}

static int64_t pairs_of(const heap *h)
{
    bool is_collider[2] = {false, true};
    weft_audit_def d = weft_audit_def_default();
    weft_audit *a = NULL;
    int64_t n = -1;
    d.n_nodes = h->n_nodes;
    d.positions = h->x;
    d.n_triangles = h->n_triangles;
    d.triangles = h->triangles;
    d.objects = h->objects;
    d.n_objects = h->n_objects;
    d.object_is_collider = is_collider;
    if (weft_audit_create(&d, &a, NULL) >= 0 && weft_audit_run(a, NULL, 0, NULL) >= 0)
        n = weft_audit_get(a).n_collider_pairs;
    weft_audit_destroy(a);
    return n;
}

/* Comes from far along a line through a place in the pot, until it touches, and goes on. 1: made; 0: it passes by; -1:
 * a file cannot be read. */
static int make_pose(heap *h, uint64_t *state, const bench_options *o)
{
    weft_quat q = drawn_turn(state);
    double z = drawn(state, -1, 1), t = drawn(state, 0, 6.283185307179586), r = sqrt(1 - z * z);
    weft_vec3 d = {r * cos(t), z, r * sin(t)},
              aim = {drawn(state, -0.03, 0.03), 0.07 + drawn(state, -0.03, 0.03), drawn(state, -0.03, 0.03)};
    double deeper = drawn(state, 0.003, 0.02);
    for (double away = 0.4; away > 0; away -= 0.005) {
        weft_vec3 at = {aim.x + away * d.x, aim.y + away * d.y, aim.z + away * d.z};
        heap_free(h);
        if (!make(h, q, at, o))
            return -1;
        if (pairs_of(h) == 0)
            continue;
        at = (weft_vec3){at.x - deeper * d.x, at.y - deeper * d.y, at.z - deeper * d.z};
        heap_free(h);
        return make(h, q, at, o) && pairs_of(h) > 0 ? 1 : 0;
    }
    return 0;
}

static int by_size(const void *a, const void *b)
{
    int p = *(const int *)a, q = *(const int *)b;
    return (p > q) - (p < q);
}

static void print_column(const char *name, int *steps, int n)
{
    int n_free = 0;
    qsort(steps, (size_t)n, sizeof *steps, by_size);
    for (int i = 0; i < n; i++)
        n_free += steps[i] < MOST;
    printf("%-26s %-30s %4d of %4d %6d %6d %6d %6d\n", name, "fig. 3: 53 and 8, one pose", n_free, n, steps[n / 4],
           steps[n / 2], steps[3 * n / 4], steps[n - 1]);
}

/* With ours all are free, and the worst takes no more steps than with eq. 2. */
bool ye_poses(const bench_options *o)
{
    static int steps[YE_COLUMNS][POSES];
    uint64_t state = 2012;
    int n = 0, most = o->quick ? FEW_POSES : POSES;
    for (int tried = 0; n < most && tried < 4 * POSES; tried++) {
        heap h = {0};
        int made = make_pose(&h, &state, o);
        bool good = made == 1;
        for (int k = 0; k < YE_COLUMNS && good; k++) {
            rigid_outcome r = {0};
            good = rigid_part(&h, 4e-4, WEFT_SIDE_OUT, WEFT_SIDE_OUT, (ye_column)k, MOST, o, &r);
            steps[k][n] = r.steps;
            free(r.x);
        }
        n += good;
        heap_free(&h);
        if (made < 0)
            return true; /* which was said */
    }
    printf("%-26s %-30s %12s %6s %6s %6s %6s\n", "random poses of the cup", "the paper", "free", "25 %", "50 %", "75 %",
           "most");
    for (int k = 0; k < YE_COLUMNS; k++)
        print_column(ye_column_names[k], steps[k], n);
    return n == most && steps[YE_OURS][n - 1] < MOST && steps[YE_OURS][n - 1] <= steps[YE_EQ2][n - 1];
}
