/* SPDX-License-Identifier: MIT */
#include "bvh/bvh_shapes.h"

#include <math.h>

#define PI 3.14159265358979323846

typedef struct maker {
    bvh_mesh m;
    uint64_t seed;
} maker;

static double any(maker *k, double lo, double hi)
{
    return lo + (hi - lo) * bvh_random(&k->seed);
}

static vec3 jitter(maker *k, double size)
{
    double x = any(k, -size, size), y = any(k, -size, size);
    return v3(x, y, any(k, -size, size));
}

/* Squares between rows of nodes, each cut one way or the other. skip: this square is left out. */
static void fill(maker *k, int32_t first, int32_t columns, int32_t rows, int32_t skip_i, int32_t skip_j)
{
    for (int32_t j = 0; j + 1 < rows; j++)
        for (int32_t i = 0; i + 1 < columns; i++) {
            int32_t a = first + j * columns + i, b = a + 1, c = b + columns, d = a + columns;
            if (i == skip_i && j == skip_j)
                continue;
            if (bvh_random(&k->seed) < 0.5) {
                bvh_mesh_triangle(&k->m, a, b, c);
                bvh_mesh_triangle(&k->m, a, c, d);
            } else {
                bvh_mesh_triangle(&k->m, a, b, d);
                bvh_mesh_triangle(&k->m, b, c, d);
            }
        }
}

/* A strip along a curve in the plane with a height: at angle a0 + s (a1 − a0), radius r0 + s (r1 − r0). */
typedef struct curve {
    double a0, a1, r0, r1, z0, z1;
} curve;

static vec3 along(const curve *c, double s, double out)
{
    double a = c->a0 + s * (c->a1 - c->a0), r = c->r0 + s * (c->r1 - c->r0) + out;
    return v3(r * cos(a), r * sin(a), c->z0 + s * (c->z1 - c->z0));
}

static int32_t add_strip(maker *k, const curve *before, const curve *after, double width, int32_t n, double noise)
{
    int32_t first = k->m.n_nodes;
    for (int32_t j = 0; j <= n; j++)
        for (int32_t i = 0; i < 3; i++) {
            double s = (double)j / n, out = width * (1 - i);
            vec3 e = jitter(k, noise);
            bvh_mesh_node(&k->m, v3_add(along(before, s, out), e), v3_add(along(after, s, out), e));
        }
    fill(k, first, 3, n + 1, -1, -1);
    return first;
}

static void add_sheet(maker *k, int32_t side, double z0, double z1, double noise0, double noise1, bool flat, bool hole)
{
    int32_t first = k->m.n_nodes;
    for (int32_t i = 0; i < side * side; i++) {
        vec3 x = v3((double)(i % side) / (side - 1), (double)(i / side) / (side - 1), 0);
        vec3 a = jitter(k, noise0), b = jitter(k, noise1);
        if (flat)
            a.z = b.z = 0;
        bvh_mesh_node(&k->m, v3_add(v3_add(x, a), v3(0, 0, z0)), v3_add(v3_add(x, b), v3(0, 0, z1)));
    }
    fill(k, first, side, side, hole ? side / 2 - 1 : -1, hole ? side / 2 - 1 : -1);
}

static void make_clasp(maker *k)
{
    double turn = any(k, 1.5, 1.9) * PI, more = any(k, 2.0, 2.3) * PI, w = any(k, 0.05, 0.2);
    double rise = bvh_random(&k->seed) < 0.5 ? 0 : any(k, -0.05, 0.05);
    curve before = {0, turn, 1, 1, 0, rise}, after = {0, more, 1, 1, 0, -rise};
    add_strip(k, &before, &after, w, 24, bvh_random(&k->seed) < 0.5 ? 0 : 0.01);
}

static void make_spiral(maker *k)
{
    double turn = any(k, 3, 5) * PI, w = any(k, 0.05, 0.12), tight = any(k, 0.02, 0.5);
    curve before = {0, turn, 0.6, 2, 0, 0}, after = {0, turn, 0.6, 0.6 + tight, 0, any(k, -0.02, 0.02)};
    add_strip(k, &before, &after, w, 40, bvh_random(&k->seed) < 0.5 ? 0 : 0.005);
}

/* Contours that turn back and forth at every edge. */
static void make_teeth(maker *k)
{
    enum { TEETH = 14 };
    double turn = any(k, 0.2, 1.8) * PI, base = turn / TEETH, tall = any(k, 0.3, 3) * base,
           lean = any(k, 0.3, 2.5) * base;
    curve c = {0, turn, 1, 1, 0, 0};
    int32_t first = add_strip(k, &c, &c, any(k, 0.05, 0.3), TEETH, 0);
    for (int32_t j = 0; j < TEETH; j++) {
        int32_t a = first + 3 * j, b = first + 3 * (j + 1);
        vec3 middle = v3_scale(0.5, v3_add(k->m.x0[a], k->m.x0[b])), side = v3_sub(k->m.x0[b], k->m.x0[a]);
        vec3 out = v3_scale(tall / v3_len(side), v3(side.y, -side.x, 0));
        double by0 = any(k, -0.2, 0.2), by1 = any(k, -1, 1) * lean / v3_len(side);
        int32_t tip = bvh_mesh_node(&k->m, v3_add(v3_add(middle, out), v3_scale(by0, side)),
                                    v3_add(v3_add(middle, out), v3_scale(by1, side)));
        bvh_mesh_triangle(&k->m, a, b, tip);
    }
}

static void make_ramp(maker *k)
{
    double turn = any(k, 2.2, 3.5) * PI, w = any(k, 0.1, 0.5);
    curve before = {0, turn, 1, 1, 0, any(k, 0.2, 0.6)}, after = {0, turn, 1, 1, 0, any(k, -0.1, 0.05)};
    add_strip(k, &before, &after, w, 30, 0.01);
}

/* Zones with a flap have no direction, so that those without are the topmost that have; together they go round. */
static void make_flaps(maker *k)
{
    enum { STEPS = 24 };
    double turn = any(k, 2.1, 4.5) * PI, w = any(k, 0.1, 0.4), often = any(k, 0, 0.06);
    curve before = {0, turn, 1, any(k, 1, 2), 0, any(k, 0.2, 0.6)};
    curve after = {0, turn, 1, any(k, 0.9, 1.2), 0, any(k, -0.1, 0.05)};
    int32_t first = add_strip(k, &before, &after, w, STEPS, 0.005);
    for (int32_t j = 0; j < STEPS; j++) {
        int32_t a = first + 3 * j, b = a + 3, inner = a + 1;
        if (j > 0 && bvh_random(&k->seed) >= often)
            continue;
        vec3 under = v3(0, 0, any(k, -0.1, -0.02));
        int32_t tip = bvh_mesh_node(&k->m, v3_add(k->m.x0[inner], under), v3_add(k->m.x1[inner], under));
        bvh_mesh_triangle(&k->m, a, b, tip);
    }
}

static void make_tongue(maker *k)
{
    add_sheet(k, 5, 0, 0, 0.01, 0.01, false, false);
    double z = any(k, 0.05, 0.2), w = 0.125, below = any(k, -0.1, 0.02);
    /* Leaves at the right edge, makes a turn of 180° upward in the plane, and comes back over the sheet. */
    int32_t n = 10, first = k->m.n_nodes;
    for (int32_t j = 0; j <= 2 * n; j++)
        for (int32_t i = 0; i < 3; i++) {
            double s = (double)j / n, a = s < 1 ? PI * s : PI, r = 0.3 + w * (i - 1);
            vec3 x = v3(1 + r * sin(a), 0.2 + 0.3 - r * cos(a), 0.1 * z * s);
            if (s >= 1)
                x = v3(1 - 0.8 * (s - 1), 0.5 + r, 0.1 * z + z * (s - 1));
            bvh_mesh_node(&k->m, x, v3(x.x, x.y, s >= 1 ? below : x.z));
        }
    fill(k, first, 3, 2 * n + 1, -1, -1);
    /* Sewn on by two triangles, turned as the others are. */
    bvh_mesh_triangle(&k->m, 4, first, 9);
    bvh_mesh_triangle(&k->m, 9, first, first + 1);
}

static void make_hinge(maker *k)
{
    double turn = any(k, 0, 2 * PI), tilt = any(k, -0.2, 0.2), apart = any(k, 0, 0.3);
    int32_t centre = bvh_mesh_node(&k->m, v3(0, 0, 0), v3(0, 0, 0));
    for (int fan = 0; fan < 2; fan++) {
        int32_t first = k->m.n_nodes;
        double start = fan * (PI + apart), open = any(k, 0.6, 0.9) * PI;
        for (int32_t j = 0; j <= 6; j++)
            for (int32_t i = 1; i <= 3; i++) {
                double a = start + open * j / 6, b = a + fan * turn, r = 0.3 * i;
                bvh_mesh_node(&k->m, v3(r * cos(a), r * sin(a), 0),
                              v3(r * cos(b), r * sin(b), fan * tilt * r * cos(b)));
            }
        for (int32_t j = 0; j < 6; j++) {
            int32_t a = first + 3 * j, b = a + 3;
            bvh_mesh_triangle(&k->m, centre, a, b);
            for (int32_t i = 0; i < 2; i++) {
                bvh_mesh_triangle(&k->m, a + i, a + i + 1, b + i + 1);
                bvh_mesh_triangle(&k->m, a + i, b + i + 1, b + i);
            }
        }
    }
}

static void make_twice(maker *k)
{
    int32_t centre = bvh_mesh_node(&k->m, v3(0, 0, 0), v3(0, 0, 0)), n = 14;
    double steep = any(k, 0, 0.4), more = any(k, -0.3, 0.3);
    for (int32_t j = 0; j < n; j++)
        for (int32_t i = 1; i <= 2; i++) {
            double a = 4 * PI * j / n, r = 0.4 * i, z = steep * r * cos(0.5 * a);
            vec3 x = v3(r * cos(a), r * sin(a), z);
            bvh_mesh_node(&k->m, x, v3(x.x, x.y, z + more * r));
        }
    for (int32_t j = 0; j < n; j++) {
        int32_t a = 1 + 2 * j, b = 1 + 2 * ((j + 1) % n);
        bvh_mesh_triangle(&k->m, centre, a, b);
        bvh_mesh_triangle(&k->m, a, a + 1, b + 1);
        bvh_mesh_triangle(&k->m, a, b + 1, b);
    }
}

static void make_moebius(maker *k)
{
    int32_t n = 24;
    double flat = any(k, 0, 0.2), w = any(k, 0.1, 0.4), wild = any(k, 0, 0.4);
    for (int32_t j = 0; j < n; j++)
        for (int32_t i = -1; i <= 1; i++) {
            double a = 2 * PI * j / n, r = 1 + w * i * cos(0.5 * a), z = w * i * sin(0.5 * a);
            vec3 x = v3(r * cos(a), r * sin(a), flat * z), e = jitter(k, wild);
            bvh_mesh_node(&k->m, v3(x.x, x.y, z), v3_add(x, e));
        }
    for (int32_t j = 0; j < n; j++)
        for (int32_t i = 0; i < 2; i++) {
            bool last = j == n - 1;
            int32_t a = 3 * j + i, b = a + 1, c = last ? 2 - i - 1 : a + 4, d = last ? 2 - i : a + 3;
            bvh_mesh_triangle(&k->m, a, b, c);
            bvh_mesh_triangle(&k->m, a, c, d);
        }
}

static void make_flipped(maker *k)
{
    add_sheet(k, 6, 0, 0, 0.05, 0.25, false, false);
    for (int32_t ti = 0; ti < k->m.n_triangles; ti++)
        if (bvh_random(&k->seed) < 0.3) {
            int32_t *t = k->m.triangles[ti], swap = t[1];
            t[1] = t[2];
            t[2] = swap;
        }
}

static void make_three(maker *k)
{
    int32_t n = 5, first = k->m.n_nodes;
    double close = any(k, -0.3, 0.1);
    for (int32_t i = 0; i < n; i++)
        bvh_mesh_node(&k->m, v3(0, 0.25 * i, 0), v3(0, 0.25 * i, 0));
    for (int sheet = 0; sheet < 3; sheet++) {
        double a = sheet == 0 ? PI : sheet == 1 ? 0.1 : 0.6, b = sheet == 2 ? 0.1 + close : a;
        int32_t past = first;
        for (int32_t j = 1; j <= 3; j++) {
            int32_t row = k->m.n_nodes;
            for (int32_t i = 0; i < n; i++) {
                double r = 0.3 * j + any(k, -0.02, 0.02), y = 0.25 * i;
                bvh_mesh_node(&k->m, v3(r * cos(a), y, r * sin(a)), v3(r * cos(b), y, r * sin(b)));
            }
            for (int32_t i = 0; i + 1 < n; i++) {
                bool left = sheet == 0;
                bvh_mesh_triangle(&k->m, past + i, left ? past + i + 1 : row + i, left ? row + i : past + i + 1);
                bvh_mesh_triangle(&k->m, past + i + 1, left ? row + i + 1 : row + i, left ? row + i : row + i + 1);
            }
            past = row;
        }
    }
}

static void make_hole(maker *k)
{
    add_sheet(k, 6, 0, 0, 0.01, 0.02, bvh_random(&k->seed) < 0.5, true);
    /* The hole's nodes move over each other. */
    for (int32_t j = 2; j <= 3; j++)
        for (int32_t i = 2; i <= 3; i++) {
            vec3 *x = &k->m.x1[j * 6 + i];
            *x = v3_add(*x, v3(any(k, -0.25, 0.25), any(k, -0.25, 0.25), any(k, -0.02, 0.02)));
        }
}

/* Half of the shapes are turned any which way, the other half keep what is exact about them. */
static void turn_about(maker *k)
{
    if (bvh_random(&k->seed) < 0.5)
        return;
    double a = any(k, 0, 2 * PI), b = any(k, 0, 2 * PI);
    for (int32_t i = 0; i < 2 * k->m.n_nodes; i++) {
        vec3 *p = i % 2 ? &k->m.x1[i / 2] : &k->m.x0[i / 2];
        vec3 q = v3(p->x, cos(a) * p->y - sin(a) * p->z, sin(a) * p->y + cos(a) * p->z);
        *p = v3(cos(b) * q.x - sin(b) * q.y, sin(b) * q.x + cos(b) * q.y, q.z);
    }
}

const char *bvh_shape_name(bvh_shape shape)
{
    static const char *const names[BVH_N_SHAPES] = {
        "wild",  "wavy",    "in plane", "clasp", "spiral", "ramp",   "tongue", "hinge",
        "twice", "moebius", "flipped",  "three", "hole",   "layers", "teeth",  "flaps",
    };
    return names[shape];
}

bvh_mesh bvh_shape_make(bvh_shape shape, uint64_t seed)
{
    maker k = {.seed = seed * 7919 + 12345};
    for (int i = 0; i < 8; i++)
        bvh_random(&k.seed);
    switch (shape) {
    case SHAPE_WILD: add_sheet(&k, 6, 0, 0, 0.05, any(&k, 0.1, 1), false, false); break;
    case SHAPE_WAVY: add_sheet(&k, 8, 0, any(&k, -1, 1), 0.02, any(&k, 0.02, 0.15), false, false); break;
    case SHAPE_IN_PLANE: add_sheet(&k, 8, 0, 0, 0.02, any(&k, 0.02, 0.3), true, false); break;
    case SHAPE_CLASP: make_clasp(&k); break;
    case SHAPE_SPIRAL: make_spiral(&k); break;
    case SHAPE_RAMP: make_ramp(&k); break;
    case SHAPE_TONGUE: make_tongue(&k); break;
    case SHAPE_HINGE: make_hinge(&k); break;
    case SHAPE_TWICE: make_twice(&k); break;
    case SHAPE_MOEBIUS: make_moebius(&k); break;
    case SHAPE_FLIPPED: make_flipped(&k); break;
    case SHAPE_THREE: make_three(&k); break;
    case SHAPE_HOLE: make_hole(&k); break;
    case SHAPE_TEETH: make_teeth(&k); break;
    case SHAPE_FLAPS: make_flaps(&k); break;
    default: add_sheet(&k, 6, 0, 0.2, 0.02, 0.05, false, false); add_sheet(&k, 6, 0.1, 0.1, 0.02, 0.05, false, false);
    }
    turn_about(&k);
    return k.m;
}
