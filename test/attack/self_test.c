/* SPDX-License-Identifier: MIT */
/* The judge before things with known answers: what it does not see, no attack finds. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "attack/judge.h"
#include "attack/self_test.h"

static int n_wrong;

static void expect(bool is, bool should, const char *what)
{
    if (is == should)
        return;
    printf("wrong: %s\n", what);
    n_wrong++;
}

typedef int64_t corners[3][3];

static void try_meet(corners a, corners b, bool should, const char *what)
{
    /* Both orders, all turns of either. */
    for (int turn = 0; turn < 3; turn++) {
        corners p, q;
        for (int k = 0; k < 3; k++) {
            memcpy(p[k], a[(k + turn) % 3], sizeof p[k]);
            memcpy(q[k], b[k], sizeof q[k]);
        }
        expect(attack_triangles_meet(p, q), should, what);
        expect(attack_triangles_meet(q, p), should, what);
    }
}

static void test_meetings(void)
{
    const int64_t far = (int64_t)1 << 39;
    corners flat = {{0, 0, 0}, {10, 0, 0}, {0, 10, 0}};
    try_meet(flat, (corners){{2, 2, -5}, {2, 2, 5}, {9, 9, 5}}, true, "a triangle through another");
    try_meet(flat, (corners){{2, 2, 1}, {2, 2, 5}, {9, 9, 5}}, false, "one above another");
    try_meet(flat, (corners){{2, 2, 0}, {2, 2, 5}, {9, 9, 5}}, true, "one that stands on another");
    try_meet(flat, (corners){{2, 2, 1}, {3, 2, 1}, {2, 3, 1}}, false, "parallel ones");
    try_meet(flat, (corners){{2, 2, 0}, {3, 2, 0}, {2, 3, 0}}, true, "one within another, in its plane");
    try_meet(flat, (corners){{6, 5, 0}, {9, 9, 0}, {10, 3, 0}}, false, "beside each other in a plane");
    try_meet(flat, (corners){{0, 0, 0}, {10, 0, 0}, {3, -8, 2}}, false, "neighbours");
    try_meet(flat, (corners){{0, 0, 0}, {10, 0, 0}, {3, 8, 0}}, true, "neighbours folded flat");
    try_meet(flat, (corners){{0, 0, 0}, {-3, 1, 5}, {-3, 1, -5}}, false, "a common corner and nothing else");
    try_meet(flat, (corners){{0, 0, 0}, {3, 3, 5}, {3, 3, -5}}, true, "a common corner, and through");
    try_meet((corners){{-far, -far, 0}, {far, -far, 0}, {0, far, 1}},
             (corners){{-far, -far, 1}, {far, -far, 1}, {0, far, 2}}, false, "large ones, the smallest step apart");
    try_meet((corners){{-far, -far, 0}, {far, -far, 0}, {0, far, 0}},
             (corners){{0, 0, 0}, {far, far, far}, {-far, far, far}}, true, "large ones that touch at a point");
}

static void move_point(double from[4][3], double to[4][3], double a, double b)
{
    const double t[3][3] = {{-1, 0, -1}, {1, 0, -1}, {0, 0, 2}};
    for (int k = 0; k < 3; k++) {
        memcpy(from[k + 1], t[k], sizeof t[k]);
        memcpy(to[k + 1], t[k], sizeof t[k]);
    }
    from[0][0] = from[0][2] = to[0][0] = to[0][2] = 0.1;
    from[0][1] = a;
    to[0][1] = b;
}

static void test_passages(void)
{
    double from[4][3], to[4][3];
    move_point(from, to, 1, -1);
    expect(attack_vertex_passes(from, to), true, "a vertex through a triangle");
    move_point(from, to, 1e-7, -1e-7);
    expect(attack_vertex_passes(from, to), true, "a vertex through a triangle, hardly");
    move_point(from, to, 1, 1e-9);
    expect(attack_vertex_passes(from, to), false, "a vertex that comes near");
    to[0][0] = from[0][0] = 3;
    to[0][1] = -1;
    expect(attack_vertex_passes(from, to), false, "a vertex beside a triangle");
    double e[4][3] = {{-1, 1, 0}, {1, 1, 0}, {0, 0, -1}, {0, 0, 1}}, f[4][3];
    memcpy(f, e, sizeof e);
    f[0][1] = f[1][1] = -1;
    expect(attack_edges_pass(e, f), true, "an edge through an edge");
    f[0][1] = f[1][1] = 0.1;
    expect(attack_edges_pass(e, f), false, "an edge above an edge");
    f[0][1] = f[1][1] = -1;
    f[0][0] = e[0][0] = 0.5;
    expect(attack_edges_pass(e, f), false, "an edge beside an edge");
}

/* Signed distances change by no more than the way, and are those of points made to be at a distance. */
static void test_distances(void)
{
    attack_collider c = {.kind = WEFT_COLLIDER_BOX, .size = 0.3, .high = 0.1, .yaw = 0.4, .tilt = 0.7, .x = 1};
    attack_pose p = attack_pose_at(&c, 0);
    weft_vec3 above = attack_pose_put(&p, (weft_vec3){0.1, 0.15, 0.2}), corner = {0.33, 0.14, 0.3};
    corner = attack_pose_put(&p, corner);
    expect(fabs(attack_distance(&c, &p, (double[3]){above.x, above.y, above.z}) - 0.05) < 1e-12, true, "above a box");
    expect(fabs(attack_distance(&c, &p, (double[3]){corner.x, corner.y, corner.z}) - 0.05) < 1e-12, true,
           "beyond an edge of a box");
    expect(fabs(attack_distance(&c, &p, (double[3]){1, 0, 0}) + 0.1) < 1e-12, true, "in the middle of a box");
    c.kind = WEFT_COLLIDER_CAPSULE;
    expect(fabs(attack_distance(&c, &p, (double[3]){1, 0, 0}) + 0.3) < 1e-12, true, "in the middle of a capsule");
}

/* A text that is read and written again is the same; all seeds make texts that can be read. */
static void test_texts(void)
{
    static char one[ATTACK_TEXT], two[ATTACK_TEXT];
    const char *wrong;
    for (uint64_t seed = 1; seed <= 200; seed++) {
        attack_recipe r = attack_recipe_make(seed, 500, 60), again;
        attack_recipe_write(&r, one);
        expect(attack_recipe_read(&again, one, &wrong), true, "a seed's text is understood");
        attack_recipe_write(&again, two);
        expect(strcmp(one, two) == 0, true, "a text goes there and back");
    }
    attack_recipe r;
    expect(attack_recipe_read(&r, "sim h=x cloth", &wrong), false, "a text with a field that is no number");
    expect(attack_recipe_read(&r, "sim cloth hold cloth=1", &wrong), false, "a text with a cloth that is not there");
}

int attack_self_test(void)
{
    n_wrong = 0;
    test_meetings();
    test_passages();
    test_distances();
    test_texts();
    printf("%s\n", n_wrong ? "the judge is wrong" : "the judge judges right");
    return n_wrong > 0;
}
