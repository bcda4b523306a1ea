/* SPDX-License-Identifier: MIT */
#include "bvh/bvh_kit.h"

#include <stdlib.h>
#include <string.h>

void bvh_mesh_free(bvh_mesh *m)
{
    free(m->x0);
    free(m->x1);
    free(m->triangles);
    free(m->object);
    *m = (bvh_mesh){0};
}

int32_t bvh_mesh_node(bvh_mesh *m, vec3 x0, vec3 x1)
{
    if (m->n_nodes == m->room_nodes) {
        m->room_nodes = 2 * m->room_nodes + 64;
        m->x0 = realloc(m->x0, (size_t)m->room_nodes * sizeof *m->x0);
        m->x1 = realloc(m->x1, (size_t)m->room_nodes * sizeof *m->x1);
    }
    m->x0[m->n_nodes] = x0;
    m->x1[m->n_nodes] = x1;
    return m->n_nodes++;
}

void bvh_mesh_triangle(bvh_mesh *m, int32_t a, int32_t b, int32_t c)
{
    if (m->n_triangles == m->room_triangles) {
        m->room_triangles = 2 * m->room_triangles + 64;
        m->triangles = realloc(m->triangles, (size_t)m->room_triangles * sizeof *m->triangles);
        m->object = realloc(m->object, (size_t)m->room_triangles * sizeof *m->object);
    }
    int32_t *t = m->triangles[m->n_triangles];
    t[0] = a;
    t[1] = b;
    t[2] = c;
    m->object[m->n_triangles++] = m->n_objects > 0 ? m->n_objects - 1 : 0;
}

double bvh_random(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (double)(*state >> 11) * 0x1p-53;
}

bvh_input bvh_mesh_input(const bvh_mesh *m)
{
    return (bvh_input){.n_nodes = m->n_nodes,
                       .n_triangles = m->n_triangles,
                       .triangles = (const int32_t(*)[3])m->triangles,
                       .x = m->x0,
                       .object = m->object,
                       .n_objects = m->n_objects > 0 ? m->n_objects : 1};
}

void bvh_found_free(bvh_found *f)
{
    free(f->vt);
    free(f->ee);
    *f = (bvh_found){0};
}

static int compare_pairs(const void *a, const void *b)
{
    const int32_t *p = a, *q = b;
    if (p[0] != q[0])
        return p[0] < q[0] ? -1 : 1;
    return (p[1] > q[1]) - (p[1] < q[1]);
}

static void sort_found(bvh_found *f)
{
    for (int64_t i = 0; i < f->n_ee; i++)
        if (f->ee[i].ei > f->ee[i].ej)
            f->ee[i] = (bvh_edge_edge){f->ee[i].ej, f->ee[i].ei};
    if (f->n_vt > 0)
        qsort(f->vt, (size_t)f->n_vt, sizeof *f->vt, compare_pairs);
    if (f->n_ee > 0)
        qsort(f->ee, (size_t)f->n_ee, sizeof *f->ee, compare_pairs);
}

bvh_found bvh_found_copy(const bvh_pairs *p)
{
    bvh_found f = {p->n_vertex_triangle, p->n_edge_edge, NULL, NULL};
    f.vt = malloc((size_t)f.n_vt * sizeof *f.vt + 1);
    f.ee = malloc((size_t)f.n_ee * sizeof *f.ee + 1);
    if (f.n_vt > 0)
        memcpy(f.vt, p->vertex_triangle, (size_t)f.n_vt * sizeof *f.vt);
    if (f.n_ee > 0)
        memcpy(f.ee, p->edge_edge, (size_t)f.n_ee * sizeof *f.ee);
    sort_found(&f);
    return f;
}

static bool boxes_meet(const bvh_mesh *m, const int32_t *a, int n_a, const int32_t *b, int n_b, double r)
{
    for (int axis = 0; axis < 3; axis++) {
        double lo[2] = {1e300, 1e300}, hi[2] = {-1e300, -1e300};
        for (int i = 0; i < 2 * (n_a + n_b); i++) {
            int32_t vi = i / 2 < n_a ? a[i / 2] : b[i / 2 - n_a];
            const vec3 *x = i % 2 ? &m->x1[vi] : &m->x0[vi];
            double c = axis == 0 ? x->x : axis == 1 ? x->y : x->z;
            int side = i / 2 >= n_a;
            lo[side] = c < lo[side] ? c : lo[side];
            hi[side] = c > hi[side] ? c : hi[side];
        }
        if (lo[0] - r > hi[1] + r || lo[1] - r > hi[0] + r)
            return false;
    }
    return true;
}

static int32_t alias(const int32_t *same, int32_t vi)
{
    return same ? same[vi] : vi;
}

static bool share(const int32_t *same, const int32_t *a, int n_a, const int32_t *b, int n_b)
{
    for (int i = 0; i < n_a; i++)
        for (int j = 0; j < n_b; j++)
            if (alias(same, a[i]) == alias(same, b[j]))
                return true;
    return false;
}

bvh_found bvh_found_boxes(const bvh_mesh *m, const bvh *t, const int32_t *same, double inflate)
{
    return bvh_found_where(m, t, same, boxes_meet, inflate);
}

bvh_found bvh_found_where(const bvh_mesh *m, const bvh *t, const int32_t *same, bvh_meet_fn meet, double inflate)
{
    bvh_found f = {0};
    int64_t room_vt = 1024, room_ee = 1024;
    f.vt = malloc((size_t)room_vt * sizeof *f.vt);
    f.ee = malloc((size_t)room_ee * sizeof *f.ee);
    bool *used = calloc((size_t)m->n_nodes + 1, 1);
    for (int32_t ti = 0; ti < m->n_triangles; ti++)
        for (int k = 0; k < 3; k++)
            used[m->triangles[ti][k]] = true;
    for (int32_t vi = 0; vi < m->n_nodes; vi++)
        for (int32_t ti = 0; used[vi] && ti < m->n_triangles; ti++)
            if (!share(same, &vi, 1, m->triangles[ti], 3) && meet(m, &vi, 1, m->triangles[ti], 3, inflate)) {
                if (f.n_vt == room_vt)
                    f.vt = realloc(f.vt, (size_t)(room_vt *= 2) * sizeof *f.vt);
                f.vt[f.n_vt++] = (bvh_vertex_triangle){vi, ti};
            }
    const bvh_edge *e = bvh_edges(t);
    for (int32_t i = 0; i < bvh_n_edges(t); i++)
        for (int32_t j = i + 1; j < bvh_n_edges(t); j++)
            if (!share(same, e[i].node, 2, e[j].node, 2) && meet(m, e[i].node, 2, e[j].node, 2, inflate)) {
                if (f.n_ee == room_ee)
                    f.ee = realloc(f.ee, (size_t)(room_ee *= 2) * sizeof *f.ee);
                f.ee[f.n_ee++] = (bvh_edge_edge){i, j};
            }
    free(used);
    sort_found(&f);
    return f;
}

bool bvh_found_same(const bvh_found *a, const bvh_found *b)
{
    return a->n_vt == b->n_vt && a->n_ee == b->n_ee && memcmp(a->vt, b->vt, (size_t)a->n_vt * sizeof *a->vt) == 0 &&
           memcmp(a->ee, b->ee, (size_t)a->n_ee * sizeof *a->ee) == 0;
}
