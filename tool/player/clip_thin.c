/* SPDX-License-Identifier: MIT */
/* A mesh that is too large for a page: its nodes are put together by the cells of a grid, each cell shown at its first
 * node, and triangles with corners in fewer than three cells vanish. Crude, and the same for all frames; the edge of a
 * cell grows until few enough triangles are left. */
#include "player/clip_inside.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct thin_cell {
    int64_t key;
    int32_t node;
} thin_cell;

static int compare_cells(const void *a, const void *b)
{
    const thin_cell *p = a, *q = b;
    if (p->key != q->key)
        return p->key < q->key ? -1 : 1;
    return (p->node > q->node) - (p->node < q->node);
}

static void find_box(const weft_vec3 *x, int32_t n, weft_vec3 *low, double *extent)
{
    weft_vec3 high = n > 0 ? x[0] : (weft_vec3){0};
    *low = high;
    for (int32_t i = 0; i < n; i++) {
        *low = (weft_vec3){fmin(low->x, x[i].x), fmin(low->y, x[i].y), fmin(low->z, x[i].z)};
        high = (weft_vec3){fmax(high.x, x[i].x), fmax(high.y, x[i].y), fmax(high.z, x[i].z)};
    }
    *extent = fmax(fmax(high.x - low->x, high.y - low->y), fmax(high.z - low->z, 1e-9));
}

/* group[i]: which of the cells node i is in, counted by their first nodes; kept[g]: that node. */
static int32_t group_nodes(const weft_vec3 *x, int32_t n, double edge, thin_cell *cells, int32_t *group, int32_t *kept)
{
    weft_vec3 low;
    double extent;
    find_box(x, n, &low, &extent);
    for (int32_t i = 0; i < n; i++) {
        int64_t a = (int64_t)((x[i].x - low.x) / edge), b = (int64_t)((x[i].y - low.y) / edge);
        cells[i] = (thin_cell){(a << 20 | b) << 20 | (int64_t)((x[i].z - low.z) / edge), i};
    }
    qsort(cells, (size_t)n, sizeof *cells, compare_cells);
    int32_t n_groups = 0;
    for (int32_t i = 0; i < n; i++) {
        if (i == 0 || cells[i].key != cells[i - 1].key)
            kept[n_groups++] = cells[i].node;
        group[cells[i].node] = n_groups - 1;
    }
    return n_groups;
}

static int32_t count_left(const clip_form *f, const int32_t *group)
{
    int32_t n = 0;
    for (int32_t i = 0; i < f->n_triangles; i++) {
        const int32_t *t = f->triangles + 3 * (size_t)i;
        n += group[t[0]] != group[t[1]] && group[t[1]] != group[t[2]] && group[t[2]] != group[t[0]];
    }
    return n;
}

/* What was known of sides and directions goes: it is of other triangles. */
static void take_groups(clip_form *f, const int32_t *group, int32_t *kept, int32_t n_groups)
{
    int32_t n = 0;
    for (int32_t i = 0; i < f->n_triangles; i++) {
        const int32_t *t = f->triangles + 3 * (size_t)i;
        int32_t a = group[t[0]], b = group[t[1]], c = group[t[2]];
        if (a == b || b == c || c == a)
            continue;
        int32_t *out = f->triangles + 3 * (size_t)n;
        out[0] = a;
        out[1] = b;
        out[2] = c;
        f->marks[n++] = f->marks[i] | 7;
    }
    f->n_triangles = n;
    f->n_nodes = n_groups;
    f->kept = kept;
    free(f->rest);
    free(f->uv);
    f->rest = f->uv = NULL;
}

bool clip_thin(clip_form *f, const weft_vec3 *points, int32_t most)
{
    size_t n = (size_t)f->n_given;
    thin_cell *cells = malloc((n + 1) * sizeof *cells);
    int32_t *group = malloc((n + 1) * sizeof *group), *kept = malloc((n + 1) * sizeof *kept);
    bool fine = cells && group && kept;
    weft_vec3 low;
    double extent;
    find_box(points, f->n_given, &low, &extent);
    int32_t n_groups = 0;
    for (double edge = extent / 1024; fine && edge < 2 * extent; edge *= 1.25) {
        n_groups = group_nodes(points, f->n_given, edge, cells, group, kept);
        if (count_left(f, group) <= most)
            break;
    }
    if (fine)
        take_groups(f, group, kept, n_groups);
    else
        free(kept);
    free(cells);
    free(group);
    return fine;
}
