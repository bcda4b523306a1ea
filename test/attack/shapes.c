/* SPDX-License-Identifier: MIT */
/* Meshes of the attack's cloths and colliders. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "attack/scene.h"

static const double pi = 3.14159265358979323846;

void *attack_need(size_t size)
{
    void *p = calloc(1, size ? size : 1);
    if (!p) {
        fprintf(stderr, "attack: out of memory\n");
        exit(2);
    }
    return p;
}

static attack_mesh room(int32_t n_nodes, int32_t n_triangles, int32_t n_quads)
{
    attack_mesh m = {.n_nodes = n_nodes};
    m.x = attack_need((size_t)n_nodes * sizeof *m.x);
    m.uv = attack_need((size_t)n_nodes * sizeof *m.uv);
    m.triangles = attack_need((size_t)n_triangles * 3 * sizeof *m.triangles);
    m.quads = attack_need((size_t)n_quads * 4 * sizeof *m.quads);
    return m;
}

void attack_mesh_free(attack_mesh *m)
{
    free(m->x);
    free(m->uv);
    free(m->triangles);
    free(m->quads);
    *m = (attack_mesh){.n_nodes = 0};
}

static void add_triangle(attack_mesh *m, int32_t a, int32_t b, int32_t c)
{
    int32_t *t = &m->triangles[3 * m->n_triangles++];
    t[0] = a, t[1] = b, t[2] = c;
}

static void add_quad(attack_mesh *m, const int32_t q[4])
{
    for (int k = 0; k < 4; k++)
        m->quads[4 * m->n_quads + k] = q[k];
    m->n_quads++;
}

static void add_halves(attack_mesh *m, const int32_t q[4], bool other)
{
    if (other) {
        add_triangle(m, q[1], q[2], q[3]);
        add_triangle(m, q[1], q[3], q[0]);
    } else {
        add_triangle(m, q[0], q[1], q[2]);
        add_triangle(m, q[0], q[2], q[3]);
    }
}

/* ---- cloths ------------------------------------------------------------------------------------------------------ */

/* Two to four layers, each slanted into the next: heights grow along u, so that nothing starts inside of anything. */
static weft_vec3 fold(const attack_cloth *c, double u)
{
    double layers = 2 + fmod(floor(c->su * 100), 3), part = c->su / layers, k = fmin(floor(u / part), layers - 1);
    double w = u - k * part;
    bool back = fmod(k, 2) != 0;
    return (weft_vec3){(back ? part - w : w) - 0.5 * part, c->gap * (u / part - 0.5 * layers), 0};
}

/* A point of a sheet in its own frame: warp along x, weft along -z, the front upward. */
static weft_vec3 bent(const attack_cloth *c, weft_vec2 uv)
{
    weft_vec3 x = {uv.u - 0.5 * c->su, 0, 0};
    if (c->kind == ATTACK_FOLDED)
        x = fold(c, uv.u);
    if (c->kind == ATTACK_TUBE) {
        double r = c->su / (2 * pi), angle = 2 * pi * uv.u / c->su;
        x = (weft_vec3){r * cos(angle), fmin(1, c->gap / 0.01) * r * sin(angle), 0};
    }
    x.z = 0.5 * c->sv - uv.v;
    return x;
}

static weft_vec3 turned(weft_vec3 x, double yaw, double tilt)
{
    weft_vec3 t = {x.x, cos(tilt) * x.y - sin(tilt) * x.z, sin(tilt) * x.y + cos(tilt) * x.z};
    return (weft_vec3){cos(yaw) * t.x + sin(yaw) * t.z, t.y, cos(yaw) * t.z - sin(yaw) * t.x};
}

/* Nodes moved by less than a quarter of a cell leave its quads convex. */
static void put_nodes(attack_mesh *m, const attack_cloth *c, attack_dice *dice)
{
    int nu = (int)c->nu, nv = (int)c->nv, cells = c->kind == ATTACK_TUBE ? nu : nu - 1;
    double du = c->su / cells, dv = c->sv / (nv - 1);
    for (int32_t i = 0; i < m->n_nodes; i++) {
        int iu = i % nu, iv = i / nu;
        weft_vec2 uv = {du * iu, dv * iv};
        if (c->kind == ATTACK_IRREGULAR) {
            uv.u += iu > 0 && iu < nu - 1 ? attack_dice_in(dice, -0.24, 0.24) * du : 0;
            uv.v += iv > 0 && iv < nv - 1 ? attack_dice_in(dice, -0.24, 0.24) * dv : 0;
        }
        weft_vec3 x = turned(bent(c, uv), c->yaw, c->tilt);
        m->uv[i] = uv;
        m->x[i] = (weft_vec3){x.x + c->x, x.y + c->y, x.z + c->z};
    }
}

static void cut_cell(attack_mesh *m, const attack_cloth *c, int iu, int iv, attack_dice *dice)
{
    int nu = (int)c->nu, next = (iu + 1) % nu;
    const int32_t q[4] = {iu + nu * iv, next + nu * iv, next + nu * (iv + 1), iu + nu * (iv + 1)};
    if (c->kind == ATTACK_QUADS || (c->kind == ATTACK_IRREGULAR && attack_dice_chance(dice, 0.1)))
        add_quad(m, q);
    else if (c->kind == ATTACK_IRREGULAR)
        add_halves(m, q, attack_dice_chance(dice, 0.5));
    else
        add_halves(m, q, (iu + iv) % 2 != 0);
}

attack_mesh attack_mesh_cloth(const attack_cloth *c, uint64_t seed)
{
    int nu = (int)c->nu, nv = (int)c->nv, cells = c->kind == ATTACK_TUBE ? nu : nu - 1;
    attack_dice dice = attack_dice_of(seed);
    attack_mesh m = room(nu * nv, 2 * cells * (nv - 1), cells * (nv - 1));
    put_nodes(&m, c, &dice);
    for (int iv = 0; iv + 1 < nv; iv++)
        for (int iu = 0; iu < cells; iu++)
            cut_cell(&m, c, iu, iv, &dice);
    return m;
}

/* ---- colliders --------------------------------------------------------------------------------------------------- */

/* A surface of revolution about y: n rows of angles from `from` (the south) to `to`, as the unit sphere's. */
static attack_mesh round_mesh(const attack_collider *c, int n, double from, double to, bool pointed)
{
    int around = 2 * n;
    attack_mesh m = room((n + 1) * around, 2 * n * around, 0);
    for (int i = 0; i <= n; i++)
        for (int k = 0; k < around; k++) {
            double a = from + (to - from) * i / n, b = 2 * pi * k / around;
            /* A cone: out along the base, then up along the side. */
            double y = pointed ? (2 * i <= n ? -1 : 4.0 * i / n - 3) : sin(a);
            double r = pointed ? (2 * i <= n ? 2.0 * i / n : 2 - 2.0 * i / n) : cos(a);
            bool pole = (i == 0 && from < -1.5) || (i == n && to > 1.5);
            r = pole ? 0 : r;
            y = pole && !pointed ? (i == 0 ? -1 : 1) : y;
            m.x[i * around + k] = (weft_vec3){c->size * r * cos(b), c->high * y, -c->size * r * sin(b)};
        }
    for (int i = 0; i < n; i++)
        for (int k = 0; k < around; k++) {
            int32_t q[4] = {i * around + k, i * around + (k + 1) % around, (i + 1) * around + (k + 1) % around,
                            (i + 1) * around + k};
            bool low = m.x[q[0]].x == m.x[q[1]].x && m.x[q[0]].z == m.x[q[1]].z;
            bool top = m.x[q[2]].x == m.x[q[3]].x && m.x[q[2]].z == m.x[q[3]].z;
            if (low)
                add_triangle(&m, q[0], q[2], q[3]);
            else if (top)
                add_triangle(&m, q[0], q[1], q[2]);
            else
                add_halves(&m, q, false);
        }
    return m;
}

/* One side of the box: coordinate `axis` at its end `sign`. */
static void box_side(attack_mesh *m, const attack_collider *c, int axis, int sign, int n)
{
    const double half[3] = {c->size, c->high, c->size};
    int32_t first = m->n_nodes;
    for (int i = 0; i <= n; i++)
        for (int k = 0; k <= n; k++) {
            double x[3];
            x[axis] = sign * half[axis];
            x[(axis + 1) % 3] = half[(axis + 1) % 3] * (2.0 * k / n - 1);
            x[(axis + 2) % 3] = half[(axis + 2) % 3] * (2.0 * i / n - 1);
            m->x[m->n_nodes++] = (weft_vec3){x[0], x[1], x[2]};
        }
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++) {
            int32_t a = first + i * (n + 1) + k, b = a + n + 1;
            const int32_t out[4] = {a, a + 1, b + 1, b}, in[4] = {a, b, b + 1, a + 1};
            add_halves(m, sign > 0 ? out : in, false);
        }
}

static attack_mesh box_mesh(const attack_collider *c, int n, bool plate)
{
    attack_mesh m = room(6 * (n + 1) * (n + 1), 12 * n * n, 0);
    m.n_nodes = 0;
    attack_collider flat = *c;
    flat.high = plate ? 0 : c->high;
    for (int axis = 0; axis < 3; axis++)
        for (int sign = -1; sign <= 1; sign += 2)
            if (!plate || (axis == 1 && sign == 1))
                box_side(&m, &flat, axis, sign, n);
    return m;
}

attack_mesh attack_mesh_collider(const attack_collider *c)
{
    int n = (int)c->detail;
    switch ((attack_mesh_kind)c->kind) {
    case ATTACK_MESH_BOX: return box_mesh(c, n, false);
    case ATTACK_MESH_PLATE: return box_mesh(c, n, true);
    case ATTACK_MESH_CONE: return round_mesh(c, 2 * ((n + 1) / 2), -0.5 * pi, 0.5 * pi, true);
    case ATTACK_MESH_CUP: return round_mesh(c, n, -0.5 * pi, 0, false);
    default: return round_mesh(c, n, -0.5 * pi, 0.5 * pi, false);
    }
}

bool attack_collider_is_mesh(const attack_collider *c)
{
    return c->kind >= ATTACK_MESH_SPHERE;
}

bool attack_collider_is_closed(const attack_collider *c)
{
    return c->kind == ATTACK_MESH_SPHERE || c->kind == ATTACK_MESH_BOX || c->kind == ATTACK_MESH_CONE;
}
