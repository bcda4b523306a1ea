/* SPDX-License-Identifier: MIT */
/* Meshes and motions. Edges are counted by sorting them: once is border, twice is inside, more often is a fault. */
#include "facts.h"

#include "plausible.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct edge {
    int32_t a, b; /* a < b */
    bool turned;  /* the face goes from b to a */
} edge;

typedef struct shape {
    int32_t n_edges, n_border, n_bad, n_turned;
    int32_t n_components, n_loose;
    int32_t n_triangles, n_quads, n_polygons;
} shape;

static int compare_edges(const void *p, const void *q)
{
    const edge *a = p, *b = q;
    if (a->a != b->a)
        return a->a < b->a ? -1 : 1;
    return a->b < b->b ? -1 : a->b > b->b;
}

/* The name of a node's component: the least index, found by following links. */
static int32_t root_of(int32_t *link, int32_t i)
{
    while (link[i] != i) {
        link[i] = link[link[i]];
        i = link[i];
    }
    return i;
}

static void count_edges(edge *edges, int64_t n, shape *s)
{
    qsort(edges, (size_t)n, sizeof *edges, compare_edges);
    for (int64_t i = 0, end; i < n; i = end) {
        for (end = i + 1; end < n && compare_edges(&edges[i], &edges[end]) == 0;)
            end++;
        s->n_edges++;
        s->n_border += end - i == 1;
        s->n_bad += end - i > 2;
        s->n_turned += end - i == 2 && edges[i].turned == edges[i + 1].turned;
    }
}

static void count_components(const weft_mesh *m, int32_t *link, bool *used, shape *s)
{
    for (int32_t i = 0; i < m->n_nodes; i++)
        link[i] = i;
    for (int32_t face = 0; face < m->n_faces; face++)
        for (int32_t k = m->face_start[face]; k < m->face_start[face + 1]; k++) {
            int32_t a = root_of(link, m->corners[m->face_start[face]]), b = root_of(link, m->corners[k]);
            used[m->corners[k]] = true;
            link[a > b ? a : b] = a > b ? b : a;
        }
    for (int32_t i = 0; i < m->n_nodes; i++) {
        s->n_components += used[i] && link[i] == i;
        s->n_loose += !used[i];
    }
}

static bool measure(const weft_mesh *m, shape *s)
{
    int64_t n_corners = m->face_start[m->n_faces], n = 0;
    edge *edges = calloc((size_t)n_corners + 1, sizeof *edges);
    int32_t *link = calloc((size_t)m->n_nodes + 1, sizeof *link);
    bool *used = calloc((size_t)m->n_nodes + 1, sizeof *used);
    bool done = edges && link && used;
    *s = (shape){0};
    for (int32_t face = 0; done && face < m->n_faces; face++) {
        int32_t start = m->face_start[face], count = m->face_start[face + 1] - start;
        s->n_triangles += count == 3;
        s->n_quads += count == 4;
        s->n_polygons += count > 4;
        for (int32_t k = 0; k < count; k++) {
            int32_t a = m->corners[start + k], b = m->corners[start + (k + 1) % count];
            edges[n++] = (edge){a < b ? a : b, a < b ? b : a, a > b};
        }
    }
    if (done) {
        count_edges(edges, n, s);
        count_components(m, link, used, s);
    }
    free(edges);
    free(link);
    free(used);
    return done;
}

static void add_mesh(facts *f, const weft_mesh *m, const shape *s)
{
    facts_text(f, "kind", "kind", "mesh");
    facts_number(f, "vertices", "vertices", m->n_nodes, m->was_stl ? "(equal ones merged: STL shares none)" : "");
    facts_number(f, "faces", "faces", m->n_faces, "");
    facts_number(f, "triangles", "  triangles", s->n_triangles, "");
    facts_number(f, "quads", "  quads", s->n_quads, "");
    facts_number(f, "polygons", "  polygons", s->n_polygons, "");
    facts_number(f, "edges", "edges", s->n_edges, "");
    facts_number(f, "border_edges", "  at the border", s->n_border, "");
    facts_bool(f, "closed", "closed", s->n_border == 0 && m->n_faces > 0);
    facts_bool(f, "manifold", "manifold", s->n_bad == 0);
    if (s->n_bad > 0 || f->json)
        facts_number(f, "bad_edges", "  edges of 3 faces or more", s->n_bad, "");
    facts_bool(f, "oriented", "oriented", s->n_turned == 0);
    facts_number(f, "components", "components", s->n_components, "");
    if (s->n_loose > 0 || f->json)
        facts_number(f, "loose_vertices", "loose vertices", s->n_loose, "");
    facts_number(f, "uv", "uv", m->n_uv, "");
    facts_number(f, "groups", "groups", m->n_groups, "");
    facts_box box = facts_box_none();
    facts_box_add(&box, m->positions, m->n_nodes);
    facts_bounds(f, &box);
    plausible_mesh(m->positions, m->n_nodes, &f->warnings);
}

weft_result facts_of_mesh(facts *f, const char *path, weft_error *error)
{
    weft_mesh mesh;
    shape s;
    weft_result r = weft_mesh_read(path, &mesh, error);
    if (r < 0)
        return r;
    if (measure(&mesh, &s))
        add_mesh(f, &mesh, &s);
    else {
        *error = (weft_error){.code = WEFT_ERROR_MEMORY, .element = -1, .text = "out of memory"};
        r = WEFT_ERROR_MEMORY;
    }
    weft_mesh_free(&mesh);
    return r;
}

/* Of all frames: what is big enough for the first may not be for what comes. */
static weft_result add_motion_bounds(facts *f, weft_motion *motion, const weft_motion_info *info, weft_error *error)
{
    weft_vec3 *points = calloc((size_t)info->n_points + 1, sizeof *points);
    facts_box box = facts_box_none();
    if (!points) {
        *error = (weft_error){.code = WEFT_ERROR_MEMORY, .element = -1, .text = "out of memory"};
        return WEFT_ERROR_MEMORY;
    }
    weft_result r = WEFT_OK;
    for (int32_t i = 0; i < info->n_frames && r >= 0; i++) {
        r = weft_motion_read_frame(motion, i, NULL, points, info->n_points, error);
        if (r >= 0)
            facts_box_add(&box, points, info->n_points);
    }
    free(points);
    if (r >= 0)
        facts_bounds(f, &box);
    return r;
}

weft_result facts_of_motion(facts *f, const char *path, weft_error *error)
{
    weft_motion *motion = NULL;
    weft_result r = weft_motion_open(path, 24, &motion, error);
    if (r < 0)
        return r;
    weft_motion_info info = weft_motion_get_info(motion);
    facts_text(f, "kind", "kind", "motion");
    facts_number(f, "points", "points", info.n_points, "");
    facts_number(f, "frames", "frames", info.n_frames, "");
    facts_number(f, "start", "start", info.start, "s, at 24 frames a second where the file does not say");
    facts_number(f, "duration", "duration", info.duration, "s");
    r = add_motion_bounds(f, motion, &info, error);
    weft_motion_close(motion);
    return r;
}
