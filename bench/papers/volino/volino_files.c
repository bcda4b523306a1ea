/* SPDX-License-Identifier: MIT */
/* Meshes that bench_volino.c reads from files: frames of a cloth on a ball, and a body with a cloth over it.
 *
 * The cloth is a connected part of the body, from the chest outward, cut finer, moved off along the normals and
 * folded by formula. */
#include "volino.h"

#include <weft/io/mesh.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

static bool read_triangles(volino_mesh *m, const char *folder, const char *name, weft_error *e)
{
    char path[2048];
    weft_mesh file;
    snprintf(path, sizeof path, "%s/%s", folder, name);
    if (weft_mesh_read(path, &file, e) < 0)
        return false;
    int32_t n_corners = file.face_start[file.n_faces], room = n_corners - 2 * file.n_faces;
    bool ok = volino_make(m, file.n_nodes, room, false);
    if (ok) {
        memcpy(m->x0, file.positions, (size_t)file.n_nodes * sizeof *m->x0);
        m->n_triangles = weft_mesh_triangulate(&file, m->triangles, NULL);
    } else
        *e = (weft_error){.code = WEFT_ERROR_MEMORY, .element = -1, .text = "out of memory"};
    weft_mesh_free(&file);
    return ok;
}

bool volino_ball(volino_mesh *m, const char *folder, weft_error *e)
{
    volino_mesh next;
    *m = (volino_mesh){0};
    if (!read_triangles(m, folder, "ccd/cloth_ball92.ply", e))
        return false;
    if (!read_triangles(&next, folder, "ccd/cloth_ball93.ply", e)) {
        volino_free(m);
        return false;
    }
    m->x1 = next.x0;
    next.x0 = NULL;
    volino_free(&next);
    return true;
}

/* ---- parts of meshes --------------------------------------------------------------------------------------------- */

static weft_vec3 centre(const volino_mesh *m, int32_t ti)
{
    weft_vec3 c = {0, 0, 0};
    for (int k = 0; k < 3; k++) {
        weft_vec3 p = m->x0[m->triangles[3 * ti + k]];
        c = (weft_vec3){c.x + p.x / 3, c.y + p.y / 3, c.z + p.z / 3};
    }
    return c;
}

/* Keeps the triangles that are marked, and their nodes. */
static bool cut_out(const volino_mesh *m, const bool *keep, volino_mesh *out)
{
    int32_t *number = calloc((size_t)m->n_nodes + 1, sizeof *number), n_nodes = 0, n = 0;
    for (int32_t i = 0; number && i < 3 * m->n_triangles; i++)
        if (keep[i / 3]) {
            n += i % 3 == 0;
            if (number[m->triangles[i]] == 0)
                number[m->triangles[i]] = ++n_nodes;
        }
    bool ok = number && volino_make(out, n_nodes, n, m->x1 != NULL);
    for (int32_t i = 0; ok && i < m->n_nodes; i++)
        if (number[i] > 0) {
            out->x0[number[i] - 1] = m->x0[i];
            if (m->x1)
                out->x1[number[i] - 1] = m->x1[i];
        }
    for (int32_t i = 0, at = 0; ok && i < 3 * m->n_triangles; i++)
        if (keep[i / 3])
            out->triangles[at++] = number[m->triangles[i]] - 1;
    free(number);
    return ok;
}

bool volino_only(const volino_mesh *m, int32_t object, volino_mesh *out)
{
    bool *keep = calloc((size_t)m->n_triangles + 1, sizeof *keep);
    for (int32_t ti = 0; keep && ti < m->n_triangles; ti++)
        keep[ti] = m->object[ti] == object;
    bool ok = keep && cut_out(m, keep, out);
    free(keep);
    return ok;
}

/* Where a part of a mesh lies. */
typedef struct region {
    weft_vec3 from;   /* it begins at the triangle nearest to this */
    double low, high; /* and keeps between these heights */
} region;

/* The n triangles of a region that a walk over common nodes reaches first. */
static bool grow(const volino_mesh *m, const region *r, int32_t n, bool *keep)
{
    weft_vec3 from = r->from;
    bool *node = calloc((size_t)m->n_nodes + 1, sizeof *node);
    int32_t best = 0, n_kept = 0;
    double least = 1e300;
    for (int32_t ti = 0; ti < m->n_triangles; ti++) {
        weft_vec3 c = centre(m, ti);
        double d = (c.x - from.x) * (c.x - from.x) + (c.y - from.y) * (c.y - from.y) + (c.z - from.z) * (c.z - from.z);
        if (d < least) {
            least = d;
            best = ti;
        }
    }
    if (!node)
        return false;
    node[m->triangles[3 * best]] = true;
    for (bool more = true; more && n_kept < n;) {
        more = false;
        bool *was = malloc((size_t)m->n_nodes + 1);
        if (!was)
            break;
        memcpy(was, node, (size_t)m->n_nodes);
        for (int32_t ti = 0; ti < m->n_triangles && n_kept < n; ti++) {
            const int32_t *v = m->triangles + 3 * ti;
            double y = centre(m, ti).y;
            if (keep[ti] || !(was[v[0]] || was[v[1]] || was[v[2]]) || y < r->low || y > r->high)
                continue;
            keep[ti] = more = true;
            n_kept++;
            node[v[0]] = node[v[1]] = node[v[2]] = true;
        }
        free(was);
    }
    free(node);
    return n_kept == n;
}

typedef struct side {
    int32_t a, b, he;
} side;

static int compare_sides(const void *p, const void *q)
{
    const side *a = p, *b = q;
    if (a->a != b->a)
        return a->a - b->a;
    return a->b != b->b ? a->b - b->b : a->he - b->he;
}

static void list_sides(const volino_mesh *m, side *sides)
{
    int32_t n = 3 * m->n_triangles;
    for (int32_t he = 0; he < n; he++) {
        int32_t a = m->triangles[he], b = m->triangles[he % 3 == 2 ? he - 2 : he + 1];
        sides[he] = (side){a < b ? a : b, a < b ? b : a, he};
    }
    if (n > 0)
        qsort(sides, (size_t)n, sizeof *sides, compare_sides);
}

/* Each triangle in four. */
static bool divide(volino_mesh *m)
{
    int32_t n = 3 * m->n_triangles, n_nodes = m->n_nodes;
    side *sides = malloc((size_t)n * sizeof *sides + 1);
    int32_t *middle = malloc((size_t)n * sizeof *middle + 1);
    volino_mesh fine;
    bool ok = sides && middle && volino_make(&fine, m->n_nodes + n, 4 * m->n_triangles, false);
    if (ok)
        list_sides(m, sides);
    for (int32_t i = 0; ok && i < n; i++) {
        bool again = i > 0 && sides[i].a == sides[i - 1].a && sides[i].b == sides[i - 1].b;
        weft_vec3 p = m->x0[sides[i].a], q = m->x0[sides[i].b];
        if (!again)
            fine.x0[n_nodes++] = (weft_vec3){(p.x + q.x) / 2, (p.y + q.y) / 2, (p.z + q.z) / 2};
        middle[sides[i].he] = n_nodes - 1;
    }
    for (int32_t ti = 0; ok && ti < m->n_triangles; ti++) {
        const int32_t *v = m->triangles + 3 * ti, *e = middle + 3 * ti;
        const int32_t four[12] = {v[0], e[0], e[2], v[1], e[1], e[0], v[2], e[2], e[1], e[0], e[1], e[2]};
        memcpy(fine.triangles + 12 * ti, four, sizeof four);
    }
    if (ok) {
        memcpy(fine.x0, m->x0, (size_t)m->n_nodes * sizeof *m->x0);
        fine.n_nodes = n_nodes;
        volino_free(m);
        *m = fine;
    }
    free(sides);
    free(middle);
    return ok;
}

/* ---- smoothing --------------------------------------------------------------------------------------------------- */

typedef struct mean {
    double x, y, z, n;
} mean;

static void add_to(mean *a, const weft_vec3 *p)
{
    a->x += p->x;
    a->y += p->y;
    a->z += p->z;
    a->n++;
}

/* Each node half way to the mean of its neighbours. sides: sorted, each edge once or twice. */
static void smooth_once(volino_mesh *m, const side *sides, int32_t n, mean *means)
{
    for (int32_t i = 0; i < m->n_nodes; i++)
        means[i] = (mean){0};
    for (int32_t i = 0; i < n; i++) {
        int32_t a = sides[i].a, b = sides[i].b;
        if (i > 0 && sides[i - 1].a == a && sides[i - 1].b == b)
            continue;
        add_to(&means[a], &m->x0[b]);
        add_to(&means[b], &m->x0[a]);
    }
    for (int32_t i = 0; i < m->n_nodes; i++) {
        const mean *a = &means[i];
        weft_vec3 *p = &m->x0[i];
        if (a->n > 0)
            *p = (weft_vec3){(p->x + a->x / a->n) / 2, (p->y + a->y / a->n) / 2, (p->z + a->z / a->n) / 2};
    }
}

static bool smooth(volino_mesh *m, int n_rounds)
{
    int32_t n = 3 * m->n_triangles;
    side *sides = malloc((size_t)n * sizeof *sides + 1);
    mean *means = calloc((size_t)m->n_nodes + 1, sizeof *means);
    bool ok = sides && means;
    if (ok)
        list_sides(m, sides);
    for (int round = 0; ok && round < n_rounds; round++)
        smooth_once(m, sides, n, means);
    free(sides);
    free(means);
    return ok;
}

/* ---- the cloth over the body ------------------------------------------------------------------------------------- */

static bool add_normals(const volino_mesh *m, weft_vec3 *normal)
{
    for (int32_t ti = 0; ti < m->n_triangles; ti++) {
        const int32_t *v = m->triangles + 3 * ti;
        weft_vec3 a = m->x0[v[0]], b = m->x0[v[1]], c = m->x0[v[2]];
        double ux = b.x - a.x, uy = b.y - a.y, uz = b.z - a.z, wx = c.x - a.x, wy = c.y - a.y, wz = c.z - a.z;
        weft_vec3 n = {uy * wz - uz * wy, uz * wx - ux * wz, ux * wy - uy * wx};
        for (int k = 0; k < 3; k++) {
            weft_vec3 *s = &normal[v[k]];
            *s = (weft_vec3){s->x + n.x, s->y + n.y, s->z + n.z};
        }
    }
    return true;
}

/* 1 in the middle of [-1, 1], 0 outside, smooth. */
static double bump(double u)
{
    return fabs(u) < 1 ? (1 - u * u) * (1 - u * u) : 0;
}

/* Off the body by 15 mm, in wide folds that grow downward, as a garment hangs: smooth nearly everywhere. In front, two
 * pleats a hand long lean over until the cloth lies on itself. */
static bool drape(volino_mesh *m, weft_vec3 middle)
{
    weft_vec3 *normal = calloc((size_t)m->n_nodes + 1, sizeof *normal);
    if (!normal)
        return false;
    add_normals(m, normal);
    for (int32_t i = 0; i < m->n_nodes; i++) {
        weft_vec3 n = normal[i], *p = &m->x0[i];
        double length = sqrt(n.x * n.x + n.y * n.y + n.z * n.z) + 1e-30, a = atan2(p->z - middle.z, p->x - middle.x);
        double below = fmax(middle.y - p->y, 0), wave = 0.03 * fmin(below, 0.3) * sin(9 * a + 3 * p->y);
        double u = (a - pi / 2) / 0.16, v = (p->y - middle.y + 0.15) / 0.1, pleat = bump(u / 2) * bump(v);
        double lean = 0.016 * pleat * sin(pi * u), off = 0.015 + wave + 0.008 * pleat * cos(pi * u);
        p->x += off * n.x / length + lean * sin(a);
        p->y += off * n.y / length;
        p->z += off * n.z / length - lean * cos(a);
    }
    free(normal);
    return true;
}

static bool join(const volino_mesh *a, const volino_mesh *b, volino_mesh *out)
{
    if (!volino_make(out, a->n_nodes + b->n_nodes, a->n_triangles + b->n_triangles, false))
        return false;
    out->n_objects = 2;
    memcpy(out->x0, a->x0, (size_t)a->n_nodes * sizeof *a->x0);
    memcpy(out->x0 + a->n_nodes, b->x0, (size_t)b->n_nodes * sizeof *b->x0);
    memcpy(out->triangles, a->triangles, 3 * (size_t)a->n_triangles * sizeof *a->triangles);
    for (int32_t i = 0; i < 3 * b->n_triangles; i++)
        out->triangles[3 * a->n_triangles + i] = b->triangles[i] + a->n_nodes;
    for (int32_t ti = a->n_triangles; ti < out->n_triangles; ti++)
        out->object[ti] = 1;
    return true;
}

/* n triangles from a point on, each then cut in four n_divisions times. */
static bool part(const volino_mesh *whole, const region *r, int32_t n, int n_divisions, volino_mesh *out)
{
    bool *keep = calloc((size_t)whole->n_triangles + 1, sizeof *keep);
    bool ok = keep && grow(whole, r, n, keep) && cut_out(whole, keep, out);
    free(keep);
    for (int i = 0; ok && i < n_divisions; i++)
        ok = divide(out);
    return ok;
}

/* A smoothed piece of the body that is larger than wanted, and of it what is away from the border, where smoothing
 * draws triangles together. */
static bool garment(const volino_mesh *whole, const region *r, bool large, volino_mesh *out)
{
    volino_mesh piece = {0};
    double rim = 0.06 * (r->high - r->low);
    const region inner = {r->from, r->low + rim, r->high - rim};
    bool ok = part(whole, r, 4800, 0, &piece) && smooth(&piece, 30);
    for (int i = 0; ok && large && i < 2; i++)
        ok = divide(&piece) && smooth(&piece, 4);
    ok = ok && part(&piece, &inner, large ? 56400 : 3800, 0, out);
    volino_free(&piece);
    return ok;
}

bool volino_body(volino_mesh *m, const char *folder, bool large, weft_error *e)
{
    volino_mesh whole = {0}, cloth = {0}, body = {0};
    *m = (volino_mesh){0};
    if (!read_triangles(&whole, folder, "bodies/mh_female_apose.obj", e))
        return false;
    weft_vec3 lo = whole.x0[0], hi = lo;
    for (int32_t i = 0; i < whole.n_nodes; i++) {
        lo.y = fmin(lo.y, whole.x0[i].y);
        hi.y = fmax(hi.y, whole.x0[i].y);
        lo.z = fmin(lo.z, whole.x0[i].z);
        hi.z = fmax(hi.z, whole.x0[i].z);
    }
    double size = hi.y - lo.y;
    weft_vec3 chest = {0, lo.y + 0.68 * size, hi.z}, middle = {0, chest.y, (lo.z + hi.z) / 2};
    const region all = {chest, -1e300, 1e300}, trunk = {chest, lo.y + 0.5 * size, lo.y + 0.86 * size};
    /* 3800 or 56,400 triangles of cloth, 17,200 or 107,024 of body. */
    bool ok = garment(&whole, &trunk, large, &cloth) &&
              part(&whole, &all, large ? whole.n_triangles : 17200, large ? 1 : 0, &body) && drape(&cloth, middle) &&
              join(&cloth, &body, m);
    if (!ok)
        *e = (weft_error){.code = WEFT_ERROR_MEMORY, .element = -1, .text = "out of memory"};
    volino_free(&whole);
    volino_free(&cloth);
    volino_free(&body);
    return ok;
}
