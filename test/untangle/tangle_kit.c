/* SPDX-License-Identifier: MIT */
#include "untangle/tangle_kit.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "data_file.h"
#include "math/trig.h"

#define PI 3.141592653589793

const char *const tangle_units[7] = {"BBII", "BIBI", "BLI", "Closed", "Cross", "Eight", "LL"};

void tangle_free(tangle *t)
{
    free(t->x);
    free(t->t);
    free(t->object);
    *t = (tangle){0};
}

int32_t tangle_node(tangle *t, vec3 x)
{
    if (t->n_nodes == t->node_room) {
        t->node_room = 2 * t->node_room + 64;
        t->x = realloc(t->x, (size_t)t->node_room * sizeof *t->x);
        assert_non_null(t->x);
    }
    t->x[t->n_nodes] = x;
    return t->n_nodes++;
}

void tangle_triangle(tangle *t, int32_t a, int32_t b, int32_t c)
{
    if (t->n_triangles == t->triangle_room) {
        t->triangle_room = 2 * t->triangle_room + 64;
        t->t = realloc(t->t, (size_t)t->triangle_room * sizeof *t->t);
        t->object = realloc(t->object, (size_t)t->triangle_room * sizeof *t->object);
        assert_true(t->t && t->object);
    }
    int32_t *k = t->t[t->n_triangles];
    k[0] = a, k[1] = b, k[2] = c;
    t->object[t->n_triangles++] = t->n_objects;
}

int32_t tangle_sheet(tangle *t, vec3 corner, vec3 u, vec3 v, int nu, int nv)
{
    int32_t first = t->n_nodes;
    for (int j = 0; j <= nv; j++)
        for (int i = 0; i <= nu; i++)
            tangle_node(t, v3_madd(v3_madd(corner, (double)i / nu, u), (double)j / nv, v));
    for (int j = 0; j < nv; j++)
        for (int i = 0; i < nu; i++) {
            int32_t a = first + j * (nu + 1) + i, b = a + nu + 1;
            tangle_triangle(t, a, a + 1, b + 1);
            tangle_triangle(t, a, b + 1, b);
        }
    t->n_objects++;
    return first;
}

int32_t tangle_tube(tangle *t, vec3 a, vec3 b, double radius, int n_around, int n_along)
{
    int32_t first = t->n_nodes;
    vec3 along = v3_sub(b, a), axis = v3_unit_or(along, v3(0, 1, 0));
    vec3 p = v3_unit_or(v3_cross(axis, fabs(axis.x) < 0.7 ? v3(1, 0, 0) : v3(0, 1, 0)), v3(0, 0, 1));
    vec3 q = v3_cross(axis, p);
    for (int j = 0; j <= n_along; j++)
        for (int i = 0; i < n_around; i++) {
            double angle = 2 * PI * i / n_around;
            vec3 c = v3_madd(a, (double)j / n_along, along);
            tangle_node(t, v3_madd(v3_madd(c, radius * weft_cos(angle), p), radius * weft_sin(angle), q));
        }
    for (int j = 0; j < n_along; j++)
        for (int i = 0; i < n_around; i++) {
            int32_t k = first + j * n_around, n = (i + 1) % n_around;
            tangle_triangle(t, k + i, k + n, k + n_around + n);
            tangle_triangle(t, k + i, k + n_around + n, k + n_around + i);
        }
    t->n_objects++;
    return first;
}

int32_t tangle_octahedron(tangle *t, vec3 centre, double radius, int level)
{
    tangle o = {0};
    int32_t first = t->n_nodes;
    const double s[6][3] = {{1, 0, 0}, {0, 1, 0}, {-1, 0, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
    for (int i = 0; i < 6; i++)
        tangle_node(&o, v3_madd(centre, radius, v3(s[i][0], s[i][1], s[i][2])));
    for (int i = 0; i < 4; i++) {
        tangle_triangle(&o, i, (i + 1) % 4, 4);
        tangle_triangle(&o, (i + 1) % 4, i, 5);
    }
    for (int i = 0; i < level; i++)
        tangle_split(&o);
    for (int32_t i = 0; i < o.n_nodes; i++)
        tangle_node(t, o.x[i]);
    for (int32_t i = 0; i < o.n_triangles; i++)
        tangle_triangle(t, first + o.t[i][0], first + o.t[i][1], first + o.t[i][2]);
    t->n_objects++;
    tangle_free(&o);
    return first;
}

/* The middle of an edge: made when it is first asked for. */
static int32_t middle(tangle *t, const mesh_adjacency *w, int32_t *of_edge, int32_t ti, int i)
{
    int32_t ei = w->tri_edge[ti][i];
    if (of_edge[ei] < 0) {
        vec3 a = t->x[w->edges[ei].v[0]], b = t->x[w->edges[ei].v[1]];
        of_edge[ei] = tangle_node(t, v3_scale(0.5, v3_add(a, b)));
    }
    return of_edge[ei];
}

void tangle_split(tangle *t)
{
    mem m;
    mesh_adjacency w;
    mem_init(&m, NULL, NULL);
    assert_true(mesh_adjacency_make(&w, &m, t->n_nodes, t->x, t->n_triangles, (const int32_t(*)[3])t->t));
    int32_t *of_edge = malloc(((size_t)w.n_edges + 1) * sizeof *of_edge), n = t->n_triangles;
    assert_non_null(of_edge);
    for (int32_t i = 0; i < w.n_edges; i++)
        of_edge[i] = -1;
    int32_t n_objects = t->n_objects;
    for (int32_t ti = 0; ti < n; ti++) {
        int32_t a = t->t[ti][0], b = t->t[ti][1], c = t->t[ti][2];
        int32_t ab = middle(t, &w, of_edge, ti, 0), bc = middle(t, &w, of_edge, ti, 1),
                ca = middle(t, &w, of_edge, ti, 2);
        t->n_objects = t->object[ti];
        tangle_triangle(t, a, ab, ca);
        tangle_triangle(t, ab, b, bc);
        tangle_triangle(t, ca, bc, c);
        t->t[ti][0] = ab, t->t[ti][1] = bc, t->t[ti][2] = ca;
    }
    t->n_objects = n_objects;
    free(of_edge);
    mesh_adjacency_free(&w);
}

bool tangle_read(tangle *t, const char *name)
{
    char path[PATH_ROOM], line[256];
    if (!data_file(name, path))
        return false;
    FILE *f = fopen(path, "r");
    assert_non_null(f);
    int32_t first = t->n_nodes;
    while (fgets(line, sizeof line, f)) {
        double x, y, z;
        int a, b, c;
        if (sscanf(line, "v %lf %lf %lf", &x, &y, &z) == 3)
            tangle_node(t, v3(x, y, z));
        else if (sscanf(line, "f %d %d %d", &a, &b, &c) == 3)
            tangle_triangle(t, first + a - 1, first + b - 1, first + c - 1);
    }
    fclose(f);
    t->n_objects++;
    return true;
}

void tangle_rig_make(tangle_rig *r, const tangle *t, int32_t n_threads)
{
    mem_init(&r->m, NULL, NULL);
    r->p = pool_create(&r->m, n_threads, NULL, NULL);
    assert_non_null(r->p);
    assert_true(mesh_adjacency_make(&r->w, &r->m, t->n_nodes, t->x, t->n_triangles, (const int32_t(*)[3])t->t));
    bvh_input in = {.n_nodes = t->n_nodes,
                    .n_triangles = t->n_triangles,
                    .triangles = (const int32_t(*)[3])r->w.tri,
                    .x = t->x,
                    .object = t->object,
                    .n_objects = t->n_objects};
    weft_error e;
    assert_int_equal(bvh_create(&r->m, &in, &r->bvh, &e), WEFT_OK);
    contours_init(&r->c, &r->m);
}

void tangle_rig_find(tangle_rig *r, const vec3 *x)
{
    weft_error e;
    assert_int_equal(contours_find(&r->c, &r->w, r->bvh, r->p, x, &e), WEFT_OK);
}

void tangle_rig_free(tangle_rig *r)
{
    contours_free(&r->c);
    bvh_destroy(r->bvh);
    mesh_adjacency_free(&r->w);
    pool_destroy(r->p);
    assert_int_equal(r->m.in_use, 0);
}

weft_untangle_def tangle_def(const tangle *t)
{
    weft_untangle_def d = weft_untangle_def_default();
    d.method = WEFT_UNTANGLE_CONTOURS;
    d.n_nodes = t->n_nodes;
    d.positions = t->x;
    d.n_triangles = t->n_triangles;
    d.triangles = &t->t[0][0];
    d.objects = t->object;
    d.n_objects = t->n_objects;
    return d;
}
