/* SPDX-License-Identifier: MIT */
/* Detection with plain box trees, which bench_volino.c measures ours beside, and tests of what either found. */
#include "volino.h"

#include <weft/ccd.h>

#include <stdlib.h>
#include <time.h>

double volino_seconds(void)
{
    return (double)clock() / CLOCKS_PER_SEC;
}

static void cover(const volino_mesh *m, const int32_t *nodes, int n, double out[6])
{
    for (int k = 0; k < 3; k++) {
        out[k] = 1e300;
        out[k + 3] = -1e300;
    }
    for (int i = 0; i < 2 * n; i++) {
        const weft_vec3 *x = i < n ? &m->x0[nodes[i]] : &m->x1[nodes[i - n]];
        const double c[3] = {x->x, x->y, x->z};
        for (int k = 0; k < 3; k++) {
            out[k] = c[k] < out[k] ? c[k] : out[k];
            out[k + 3] = c[k] > out[k + 3] ? c[k] : out[k + 3];
        }
    }
}

static void plain_boxes(volino_plain *p)
{
    for (int32_t i = 0; i < p->m->n_nodes; i++)
        cover(p->m, &i, 1, p->vertex[i]);
    for (int32_t i = 0; i < p->n_edges; i++)
        cover(p->m, p->edges[i].node, 2, p->edge[i]);
    for (int32_t i = 0; i < p->m->n_triangles; i++)
        cover(p->m, p->m->triangles + 3 * i, 3, p->triangle[i]);
}

static bool not_of_triangle(const void *user, int32_t vi, int32_t ti)
{
    const int32_t *t = ((const volino_plain *)user)->m->triangles + 3 * ti;
    return t[0] != vi && t[1] != vi && t[2] != vi;
}

static bool no_common_node(const void *user, int32_t ei, int32_t ej)
{
    const weft_detect_edge *e = ((const volino_plain *)user)->edges, *a = e + ei, *b = e + ej;
    return a->node[0] != b->node[0] && a->node[0] != b->node[1] && a->node[1] != b->node[0] && a->node[1] != b->node[1];
}

bool volino_plain_make(volino_plain *p, const volino_mesh *m, const weft_detect_edge *edges, int32_t n_edges)
{
    *p = (volino_plain){.m = m, .edges = edges, .n_edges = n_edges};
    p->vertex = malloc((size_t)m->n_nodes * sizeof *p->vertex);
    p->edge = malloc((size_t)n_edges * sizeof *p->edge);
    p->triangle = malloc((size_t)m->n_triangles * sizeof *p->triangle);
    if (!p->vertex || !p->edge || !p->triangle)
        return false;
    plain_boxes(p);
    p->vertices = median_build((const double(*)[6])p->vertex, m->n_nodes);
    p->of_edges = median_build((const double(*)[6])p->edge, n_edges);
    p->triangles = median_build((const double(*)[6])p->triangle, m->n_triangles);
    return p->vertices && p->of_edges && p->triangles;
}

void volino_plain_free(volino_plain *p)
{
    free(p->vertex);
    free(p->edge);
    free(p->triangle);
    median_destroy(p->vertices);
    median_destroy(p->of_edges);
    median_destroy(p->triangles);
}

double volino_plain_run(volino_plain *p, median_pairs *vt, median_pairs *ee, double *refit)
{
    double start = volino_seconds();
    plain_boxes(p);
    median_refit(p->vertices, (const double(*)[6])p->vertex);
    median_refit(p->of_edges, (const double(*)[6])p->edge);
    median_refit(p->triangles, (const double(*)[6])p->triangle);
    *refit = volino_seconds() - start;
    median_find(p->vertices, p->triangles, not_of_triangle, p, vt);
    median_find(p->of_edges, p->of_edges, no_common_node, p, ee);
    return volino_seconds() - start;
}

static bool vertex_meets(const volino_mesh *m, int32_t vi, int32_t ti)
{
    const int32_t v[4] = {vi, m->triangles[3 * ti], m->triangles[3 * ti + 1], m->triangles[3 * ti + 2]};
    weft_vec3 x0[4], x1[4];
    for (int k = 0; k < 4; k++) {
        x0[k] = m->x0[v[k]];
        x1[k] = m->x1[v[k]];
    }
    return weft_ccd_vertex_triangle(x0, x1, 0, NULL);
}

static bool edges_meet(const volino_mesh *m, const weft_detect_edge *e, const weft_detect_edge *f)
{
    const int32_t v[4] = {e->node[0], e->node[1], f->node[0], f->node[1]};
    weft_vec3 x0[4], x1[4];
    for (int k = 0; k < 4; k++) {
        x0[k] = m->x0[v[k]];
        x1[k] = m->x1[v[k]];
    }
    return weft_ccd_edge_edge(x0, x1, 0, NULL);
}

volino_tested volino_test(const volino_mesh *m, const weft_detect_edge *edges, const median_pairs *vt,
                          const median_pairs *ee)
{
    volino_tested t = {volino_seconds(), 0};
    for (int64_t i = 0; i < vt->n; i++)
        t.hits += vertex_meets(m, vt->pairs[i][0], vt->pairs[i][1]);
    for (int64_t i = 0; i < ee->n; i++)
        t.hits += edges_meet(m, &edges[ee->pairs[i][0]], &edges[ee->pairs[i][1]]);
    t.time = volino_seconds() - t.time;
    return t;
}

volino_tested volino_test_lists(const volino_mesh *m, const weft_detect_edge *edges, const weft_detected *found)
{
    int64_t room = found->n_vertex_triangle > found->n_edge_edge ? found->n_vertex_triangle : found->n_edge_edge;
    weft_ccd_place *places = malloc((size_t)m->n_nodes * sizeof *places + 1);
    int64_t *hits = malloc((size_t)room * sizeof *hits + 1);
    volino_tested t = {volino_seconds(), -1};
    if (places && hits) {
        weft_ccd_motion motion = weft_ccd_motion_of(m->n_nodes, m->x0, m->x1, places);
        t.hits = weft_ccd_find_vertex_triangle(&motion, m->triangles, &found->vertex_triangle->vi,
                                               found->n_vertex_triangle, 0, hits);
        t.hits += weft_ccd_find_edge_edge(&motion, edges->node, &found->edge_edge->ei, found->n_edge_edge, 0, hits);
    }
    t.time = volino_seconds() - t.time;
    free(places);
    free(hits);
    return t;
}
