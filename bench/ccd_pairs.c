/* SPDX-License-Identifier: MIT */
/* Reads two frames of a mesh, and finds all pairs whose boxes over both meet: sorted along one axis, then swept. */
#include "ccd_pairs.h"

#include <weft/io.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- frames ------------------------------------------------------------------------------------------------------ */

static int by_pair(const void *a, const void *b)
{
    const int32_t *p = a, *q = b;
    return p[0] != q[0] ? (p[0] > q[0]) - (p[0] < q[0]) : (p[1] > q[1]) - (p[1] < q[1]);
}

/* Each edge once, ascending. */
static bool make_edges(ccd_frames *f)
{
    int32_t n = 3 * f->n_triangles;
    int32_t *e = malloc((size_t)n * 2 * sizeof *e + 1);
    if (!e)
        return false;
    for (int32_t i = 0; i < n; i++) {
        int32_t a = f->triangles[i], b = f->triangles[i % 3 == 2 ? i - 2 : i + 1];
        e[2 * i] = a < b ? a : b;
        e[2 * i + 1] = a < b ? b : a;
    }
    qsort(e, (size_t)n, 2 * sizeof *e, by_pair);
    int32_t kept = 0;
    for (int32_t i = 0; i < n; i++)
        if (i == 0 || by_pair(&e[2 * i], &e[2 * (i - 1)]) != 0) {
            memmove(&e[2 * kept], &e[2 * i], 2 * sizeof *e);
            kept++;
        }
    f->edges = e;
    f->n_edges = kept;
    return true;
}

static bool same_topology(const weft_mesh *a, const weft_mesh *b)
{
    size_t faces = (size_t)a->n_faces;
    return a->n_nodes == b->n_nodes && a->n_faces == b->n_faces &&
           memcmp(a->face_start, b->face_start, (faces + 1) * sizeof *a->face_start) == 0 &&
           memcmp(a->corners, b->corners, (size_t)a->face_start[faces] * sizeof *a->corners) == 0;
}

static weft_result fill(ccd_frames *f, const weft_mesh *a, const weft_mesh *b, weft_error *error)
{
    size_t bytes = (size_t)a->n_nodes * sizeof *f->x0, corners = (size_t)a->face_start[a->n_faces];
    f->n_nodes = a->n_nodes;
    f->x0 = malloc(bytes + 1);
    f->x1 = malloc(bytes + 1);
    f->triangles = malloc(3 * corners * sizeof *f->triangles + 1);
    if (f->x0 && f->x1 && f->triangles) {
        memcpy(f->x0, a->positions, bytes);
        memcpy(f->x1, b->positions, bytes);
        f->n_triangles = weft_mesh_triangulate(a, f->triangles, NULL);
        if (make_edges(f))
            return WEFT_OK;
    }
    *error = (weft_error){.code = WEFT_ERROR_MEMORY, .element = -1, .text = "out of memory"};
    return WEFT_ERROR_MEMORY;
}

weft_result ccd_frames_read(const char *before, const char *after, ccd_frames *out, weft_error *error)
{
    weft_mesh a = {0}, b = {0};
    *out = (ccd_frames){0};
    weft_result r = weft_mesh_read(before, &a, error);
    r = r < 0 ? r : weft_mesh_read(after, &b, error);
    if (r >= 0 && !same_topology(&a, &b)) {
        *error = (weft_error){.code = r = WEFT_ERROR_FORMAT, .element = -1};
        snprintf(error->text, sizeof error->text, "%s: not the nodes and faces of %s", after, before);
    }
    r = r < 0 ? r : fill(out, &a, &b, error);
    if (r < 0)
        ccd_frames_free(out);
    weft_mesh_free(&a);
    weft_mesh_free(&b);
    return r;
}

void ccd_frames_free(ccd_frames *f)
{
    free(f->x0);
    free(f->x1);
    free(f->triangles);
    free(f->edges);
    *f = (ccd_frames){0};
}

/* ---- boxes ------------------------------------------------------------------------------------------------------- */

typedef struct box {
    weft_vec3 low, high;
    int32_t index;
    bool second; /* a triangle, where the other is a vertex */
} box;

static void grow(box *b, weft_vec3 x)
{
    b->low.x = x.x < b->low.x ? x.x : b->low.x;
    b->low.y = x.y < b->low.y ? x.y : b->low.y;
    b->low.z = x.z < b->low.z ? x.z : b->low.z;
    b->high.x = x.x > b->high.x ? x.x : b->high.x;
    b->high.y = x.y > b->high.y ? x.y : b->high.y;
    b->high.z = x.z > b->high.z ? x.z : b->high.z;
}

static box box_of(const ccd_frames *f, const int32_t *nodes, int n, int32_t index, bool second)
{
    box b = {.low = f->x0[nodes[0]], .high = f->x0[nodes[0]], .index = index, .second = second};
    for (int i = 0; i < n; i++) {
        grow(&b, f->x0[nodes[i]]);
        grow(&b, f->x1[nodes[i]]);
    }
    return b;
}

static int by_low(const void *a, const void *b)
{
    const box *p = a, *q = b;
    if (p->low.x != q->low.x)
        return p->low.x < q->low.x ? -1 : 1;
    if (p->second != q->second)
        return p->second ? 1 : -1;
    return (p->index > q->index) - (p->index < q->index);
}

static int by_indices(const void *a, const void *b)
{
    const ccd_pair *p = a, *q = b;
    return p->a != q->a ? (p->a > q->a) - (p->a < q->a) : (p->b > q->b) - (p->b < q->b);
}

static bool add_pair(ccd_pairs *p, int32_t a, int32_t b)
{
    if (p->n == p->room) {
        int64_t room = 2 * p->room + 1024;
        ccd_pair *items = realloc(p->items, (size_t)room * sizeof *items);
        if (!items)
            return false;
        p->items = items;
        p->room = room;
    }
    p->items[p->n++] = (ccd_pair){a, b};
    return true;
}

static bool shares_node(const ccd_frames *f, bool edges, int32_t a, int32_t b)
{
    if (edges) {
        const int32_t *p = &f->edges[2 * a], *q = &f->edges[2 * b];
        return p[0] == q[0] || p[0] == q[1] || p[1] == q[0] || p[1] == q[1];
    }
    const int32_t *t = &f->triangles[3 * b];
    return a == t[0] || a == t[1] || a == t[2];
}

static bool sweep(const ccd_frames *f, bool edges, const box *boxes, int32_t n, ccd_pairs *out)
{
    for (int32_t i = 0; i < n; i++)
        for (int32_t j = i + 1; j < n && boxes[j].low.x <= boxes[i].high.x; j++) {
            const box *p = &boxes[i], *q = &boxes[j];
            if (p->low.y > q->high.y || q->low.y > p->high.y || p->low.z > q->high.z || q->low.z > p->high.z)
                continue;
            if (!edges && p->second == q->second)
                continue;
            bool swap = edges ? p->index > q->index : p->second;
            int32_t a = swap ? q->index : p->index, b = swap ? p->index : q->index;
            if (!shares_node(f, edges, a, b) && !add_pair(out, a, b))
                return false;
        }
    return true;
}

bool ccd_pairs_find(const ccd_frames *f, bool edges, ccd_pairs *out)
{
    int32_t n = edges ? f->n_edges : f->n_nodes + f->n_triangles, k = 0;
    box *boxes = malloc((size_t)n * sizeof *boxes + 1);
    *out = (ccd_pairs){0};
    if (!boxes)
        return false;
    for (int32_t ei = 0; edges && ei < f->n_edges; ei++)
        boxes[k++] = box_of(f, &f->edges[2 * ei], 2, ei, false);
    for (int32_t vi = 0; !edges && vi < f->n_nodes; vi++)
        boxes[k++] = box_of(f, &vi, 1, vi, false);
    for (int32_t ti = 0; !edges && ti < f->n_triangles; ti++)
        boxes[k++] = box_of(f, &f->triangles[3 * ti], 3, ti, true);
    qsort(boxes, (size_t)n, sizeof *boxes, by_low);
    bool fine = sweep(f, edges, boxes, n, out);
    free(boxes);
    if (fine)
        qsort(out->items, (size_t)out->n, sizeof *out->items, by_indices);
    else
        ccd_pairs_free(out);
    return fine;
}

void ccd_pairs_free(ccd_pairs *p)
{
    free(p->items);
    *p = (ccd_pairs){0};
}

void ccd_pairs_corners(const ccd_frames *f, bool edges, ccd_pair p, weft_vec3 x0[4], weft_vec3 x1[4])
{
    int32_t nodes[4];
    if (edges) {
        memcpy(nodes, &f->edges[2 * p.a], 2 * sizeof *nodes);
        memcpy(nodes + 2, &f->edges[2 * p.b], 2 * sizeof *nodes);
    } else {
        nodes[0] = p.a;
        memcpy(nodes + 1, &f->triangles[3 * p.b], 3 * sizeof *nodes);
    }
    for (int i = 0; i < 4; i++) {
        x0[i] = f->x0[nodes[i]];
        x1[i] = f->x1[nodes[i]];
    }
}
