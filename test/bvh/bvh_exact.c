/* SPDX-License-Identifier: MIT */
#include "bvh/bvh_exact.h"

#include <math.h>

__extension__ typedef __int128 wide;

enum { TICKS = 1 << BVH_CLOCK, COARSE = 16 };

typedef struct whole {
    int64_t c[3];
} whole;

static double snapped(double x)
{
    return floor(x * (1 << BVH_GRID) + 0.5) / (1 << BVH_GRID);
}

void bvh_exact_snap(bvh_mesh *m)
{
    for (int32_t i = 0; i < m->n_nodes; i++) {
        m->x0[i] = v3(snapped(m->x0[i].x), snapped(m->x0[i].y), snapped(m->x0[i].z));
        m->x1[i] = v3(snapped(m->x1[i].x), snapped(m->x1[i].y), snapped(m->x1[i].z));
    }
}

static int64_t place(double x0, double x1, int32_t k)
{
    const double grid = 1 << BVH_GRID;
    return (int64_t)(x0 * grid) * (TICKS - k) + (int64_t)(x1 * grid) * k;
}

static whole at(const bvh_mesh *m, int32_t vi, int32_t k)
{
    vec3 a = m->x0[vi], b = m->x1[vi];
    return (whole){{place(a.x, b.x, k), place(a.y, b.y, k), place(a.z, b.z, k)}};
}

static int sign(wide x)
{
    return (x > 0) - (x < 0);
}

/* Sign of the volume of a, b, c, d. */
static int side(const whole *a, const whole *b, const whole *c, const whole *d)
{
    wide r[3][3];
    const whole *p[3] = {b, c, d};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            r[i][j] = p[i]->c[j] - a->c[j];
    return sign(r[0][0] * (r[1][1] * r[2][2] - r[1][2] * r[2][1]) - r[0][1] * (r[1][0] * r[2][2] - r[1][2] * r[2][0]) +
                r[0][2] * (r[1][0] * r[2][1] - r[1][1] * r[2][0]));
}

/* Sign of the area of a, b, c seen along an axis. */
static int turn(const whole *a, const whole *b, const whole *c, int axis)
{
    int i = (axis + 1) % 3, j = (axis + 2) % 3;
    return sign((wide)(b->c[i] - a->c[i]) * (c->c[j] - a->c[j]) - (wide)(b->c[j] - a->c[j]) * (c->c[i] - a->c[i]));
}

/* An axis along which the triangle has area; -1: none. */
static int open_axis(const whole t[3])
{
    for (int axis = 0; axis < 3; axis++)
        if (turn(&t[0], &t[1], &t[2], axis) != 0)
            return axis;
    return -1;
}

static bool in_box(const whole *p, const whole *a, const whole *b, int i)
{
    return (p->c[i] >= a->c[i] && p->c[i] <= b->c[i]) || (p->c[i] >= b->c[i] && p->c[i] <= a->c[i]);
}

static bool segments_meet(const whole *a, const whole *b, const whole *c, const whole *d, int axis)
{
    int ac = turn(a, b, c, axis), ad = turn(a, b, d, axis), ca = turn(c, d, a, axis), cb = turn(c, d, b, axis);
    int i = (axis + 1) % 3, j = (axis + 2) % 3;
    if (ac * ad < 0 && ca * cb < 0)
        return true;
    return (ac == 0 && in_box(c, a, b, i) && in_box(c, a, b, j)) ||
           (ad == 0 && in_box(d, a, b, i) && in_box(d, a, b, j)) ||
           (ca == 0 && in_box(a, c, d, i) && in_box(a, c, d, j)) ||
           (cb == 0 && in_box(b, c, d, i) && in_box(b, c, d, j));
}

static bool covers(const whole t[3], const whole *p, int axis)
{
    int a = turn(&t[0], &t[1], p, axis), b = turn(&t[1], &t[2], p, axis), c = turn(&t[2], &t[0], p, axis);
    return (a >= 0 && b >= 0 && c >= 0) || (a <= 0 && b <= 0 && c <= 0);
}

static bool meets_in_plane(const whole *p, const whole *q, const whole t[3])
{
    int axis = open_axis(t);
    if (covers(t, p, axis) || covers(t, q, axis))
        return true;
    for (int k = 0; k < 3; k++)
        if (segments_meet(p, q, &t[k], &t[(k + 1) % 3], axis))
            return true;
    return false;
}

static bool segment_meets(const whole *p, const whole *q, const whole t[3])
{
    int a = side(&t[0], &t[1], &t[2], p), b = side(&t[0], &t[1], &t[2], q);
    if (a == 0 && b == 0)
        return meets_in_plane(p, q, t);
    if (a * b > 0)
        return false;
    int c = side(p, q, &t[0], &t[1]), d = side(p, q, &t[1], &t[2]), e = side(p, q, &t[2], &t[0]);
    return (c >= 0 && d >= 0 && e >= 0) || (c <= 0 && d <= 0 && e <= 0);
}

static bool apart(const whole *a, int n_a, const whole *b, int n_b)
{
    for (int axis = 0; axis < 3; axis++) {
        int64_t lo[2] = {INT64_MAX, INT64_MAX}, hi[2] = {INT64_MIN, INT64_MIN};
        for (int i = 0; i < n_a + n_b; i++) {
            int64_t c = i < n_a ? a[i].c[axis] : b[i - n_a].c[axis];
            int s = i >= n_a;
            lo[s] = c < lo[s] ? c : lo[s];
            hi[s] = c > hi[s] ? c : hi[s];
        }
        if (lo[0] > hi[1] || lo[1] > hi[0])
            return true;
    }
    return false;
}

static bool is_one_of(const int32_t t[3], int32_t vi)
{
    return t[0] == vi || t[1] == vi || t[2] == vi;
}

bool bvh_exact_meet(const bvh_mesh *m, int32_t ti, int32_t tj, int32_t k)
{
    const int32_t *t[2] = {m->triangles[ti], m->triangles[tj]};
    whole p[2][3];
    for (int i = 0; i < 6; i++)
        p[i / 3][i % 3] = at(m, t[i / 3][i % 3], k);
    if (apart(p[0], 3, p[1], 3))
        return false;
    int n_common = 0;
    for (int i = 0; i < 3; i++)
        n_common += is_one_of(t[1], t[0][i]);
    if (n_common > 1 || open_axis(p[0]) < 0 || open_axis(p[1]) < 0)
        return false;
    for (int i = 0; i < 6; i++) {
        int s = i / 3, a = i % 3, b = (a + 1) % 3;
        if (is_one_of(t[1 - s], t[s][a]) || is_one_of(t[1 - s], t[s][b]))
            continue;
        if (segment_meets(&p[s][a], &p[s][b], p[1 - s]))
            return true;
    }
    return false;
}

typedef struct four {
    const bvh_mesh *m;
    int32_t v[4];
    bool is_vertex; /* v[0] against the others, or v[0] v[1] against v[2] v[3] */
} four;

static int volume(const four *f, int32_t k)
{
    whole p[4];
    for (int i = 0; i < 4; i++)
        p[i] = at(f->m, f->v[i], k);
    return side(&p[0], &p[1], &p[2], &p[3]);
}

/* Strictly, seen along some axis. */
static bool cover_each_other(const four *f, int32_t k)
{
    whole p[4];
    for (int i = 0; i < 4; i++)
        p[i] = at(f->m, f->v[i], k);
    for (int axis = 0; axis < 3; axis++) {
        if (f->is_vertex) {
            int a = turn(&p[1], &p[2], &p[0], axis), b = turn(&p[2], &p[3], &p[0], axis),
                c = turn(&p[3], &p[1], &p[0], axis);
            if (open_axis(p + 1) < 0 || a == 0 || a != b || b != c)
                return false;
        } else if (turn(&p[0], &p[1], &p[2], axis) * turn(&p[0], &p[1], &p[3], axis) >= 0 ||
                   turn(&p[2], &p[3], &p[0], axis) * turn(&p[2], &p[3], &p[1], axis) >= 0)
            return false;
    }
    return true;
}

/* Between coarse ticks with volumes of different signs, down to neighbouring ticks. */
static bool passes(const four *f)
{
    int past = volume(f, 0);
    for (int i = 1; i <= COARSE; i++) {
        int32_t lo = (i - 1) * (TICKS / COARSE), hi = i * (TICKS / COARSE);
        int now = volume(f, hi);
        if (past * now < 0) {
            while (hi - lo > 1) {
                int32_t middle = (lo + hi) / 2;
                if (volume(f, middle) == past)
                    lo = middle;
                else
                    hi = middle;
            }
            if (cover_each_other(f, lo) && cover_each_other(f, hi))
                return true;
        }
        past = now;
    }
    return false;
}

bool bvh_exact_vertex_passes(const bvh_mesh *m, int32_t vi, int32_t ti)
{
    const int32_t *t = m->triangles[ti];
    four f = {m, {vi, t[0], t[1], t[2]}, true};
    return !is_one_of(t, vi) && passes(&f);
}

bool bvh_exact_edge_passes(const bvh_mesh *m, bvh_edge e, bvh_edge f)
{
    four g = {m, {e.node[0], e.node[1], f.node[0], f.node[1]}, false};
    if (e.node[0] == f.node[0] || e.node[0] == f.node[1] || e.node[1] == f.node[0] || e.node[1] == f.node[1])
        return false;
    return passes(&g);
}
