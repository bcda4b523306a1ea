/* SPDX-License-Identifier: MIT */
/* Small patterns for tests. Include after cmocka.h. */
#ifndef WEFT_TEST_GARMENT_PATTERN_KIT_H
#define WEFT_TEST_GARMENT_PATTERN_KIT_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <weft/garment.h>

/* A panel of straight edges "0", "1" …, one loop. */
typedef struct kit_polygon {
    const char *name;
    const weft_vec2 *points;
    int32_t n;
} kit_polygon;

static inline weft_result kit_try_polygon(weft_pattern *p, kit_polygon q, weft_error *e)
{
    enum { MOST = 64 };
    static const char *const names[] = {"0", "1", "2",  "3",  "4",  "5",  "6",  "7",
                                        "8", "9", "10", "11", "12", "13", "14", "15"};
    weft_curve curves[MOST] = {{0}};
    weft_edge edges[MOST] = {{0}};
    assert_true(q.n <= 16);
    for (int32_t i = 0; i < q.n; i++) {
        curves[i].from = q.points[i];
        edges[i] = (weft_edge){names[i], i, 1, 1};
    }
    weft_panel panel = weft_panel_default();
    panel.name = q.name;
    panel.n_loops = 1;
    panel.loop_sizes = &q.n;
    panel.n_curves = panel.n_edges = q.n;
    panel.curves = curves;
    panel.edges = edges;
    return weft_pattern_add_panel(p, &panel, NULL, e);
}

static inline void kit_add_polygon(weft_pattern *p, kit_polygon q)
{
    weft_error e = {0};
    if (kit_try_polygon(p, q, &e) != WEFT_OK)
        fail_msg("%s", e.text);
}

/* A rectangle with its lower left corner at the origin. */
static inline void kit_add_rectangle(weft_pattern *p, const char *name, double width, double height)
{
    const weft_vec2 points[] = {{0, 0}, {width, 0}, {width, height}, {0, height}};
    kit_add_polygon(p, (kit_polygon){name, points, 4});
}

static inline void kit_add_seam(weft_pattern *p, int32_t panel_a, int32_t edge_a, int32_t panel_b, int32_t edge_b)
{
    weft_error e = {0};
    weft_seam_part a = {panel_a, edge_a, 0, 1}, b = {panel_b, edge_b, 0, 1};
    weft_seam seam = weft_seam_default();
    seam.a = &a;
    seam.b = &b;
    seam.n_a = seam.n_b = 1;
    if (weft_pattern_add_seam(p, &seam, NULL, &e) != WEFT_OK)
        fail_msg("%s", e.text);
}

static inline weft_pattern *kit_pattern(void)
{
    weft_pattern *p = NULL;
    assert_int_equal(weft_pattern_create(NULL, NULL, &p, NULL), WEFT_OK);
    return p;
}

static inline weft_garment *kit_garment(const weft_pattern *p, double size)
{
    weft_garment *g = NULL;
    weft_error e = {0};
    weft_garment_def def = weft_garment_def_default();
    def.size = size;
    if (weft_garment_create(p, &def, &g, &e) != WEFT_OK)
        fail_msg("%s", e.text);
    return g;
}

static inline double kit_cross(weft_vec2 a, weft_vec2 b, weft_vec2 c)
{
    return (b.u - a.u) * (c.v - a.v) - (b.v - a.v) * (c.u - a.u);
}

/* The area that the rim's nodes enclose, edge after edge. */
static inline double kit_rim_area(const weft_garment_data *d, int32_t panel)
{
    const weft_garment_panel *p = &d->panels[panel];
    double sum = 0;
    weft_vec2 o = d->drawn[d->edge_nodes[d->edge_start[p->first_edge]]];
    for (int32_t e = p->first_edge; e < p->first_edge + p->n_edges; e++)
        for (int32_t i = d->edge_start[e]; i + 1 < d->edge_start[e + 1]; i++)
            sum += 0.5 * kit_cross(o, d->drawn[d->edge_nodes[i]], d->drawn[d->edge_nodes[i + 1]]);
    return sum;
}

typedef struct kit_side {
    int32_t a, b;
} kit_side;

static inline int kit_compare_sides(const void *p, const void *q)
{
    const kit_side *a = p, *b = q;
    return a->a != b->a ? (a->a < b->a ? -1 : 1) : a->b < b->b ? -1 : a->b > b->b;
}

/* Every element turns left; every side is had once in each direction, but those of the rim, which are the edges'. The
 * elements' areas sum up to what the rim encloses. So they tile the panel. */
static inline void kit_check_mesh(const weft_garment_data *d)
{
    int64_t n_most = 3 * (int64_t)d->n_triangles + 4 * (int64_t)d->n_quads, n = 0;
    kit_side *sides = malloc((size_t)n_most * sizeof *sides);
    assert_non_null(sides);
    for (int32_t i = 0; i < d->n_triangles + d->n_quads; i++) {
        bool quad = i >= d->n_triangles;
        const int32_t *v = quad ? d->quads + 4 * (int64_t)(i - d->n_triangles) : d->triangles + 3 * (int64_t)i;
        int k = quad ? 4 : 3;
        for (int c = 0; c < k; c++) {
            assert_true(v[c] >= 0 && v[c] < d->n_nodes);
            assert_true(kit_cross(d->uv[v[c]], d->uv[v[(c + 1) % k]], d->uv[v[(c + 2) % k]]) > 0);
            sides[n++] = (kit_side){v[c], v[(c + 1) % k]};
        }
    }
    qsort(sides, (size_t)n, sizeof *sides, kit_compare_sides);
    int64_t n_rim = 0, n_edge_sides = 0;
    for (int64_t i = 0; i < n; i++) {
        assert_true(i == 0 || kit_compare_sides(&sides[i - 1], &sides[i]) != 0);
        kit_side back = {sides[i].b, sides[i].a};
        n_rim += bsearch(&back, sides, (size_t)n, sizeof *sides, kit_compare_sides) == NULL;
    }
    for (int32_t e = 0; e < d->n_edges; e++)
        for (int32_t i = d->edge_start[e]; i + 1 < d->edge_start[e + 1]; i++, n_edge_sides++) {
            kit_side side = {d->edge_nodes[i], d->edge_nodes[i + 1]}, back = {side.b, side.a};
            assert_non_null(bsearch(&side, sides, (size_t)n, sizeof *sides, kit_compare_sides));
            assert_null(bsearch(&back, sides, (size_t)n, sizeof *sides, kit_compare_sides));
        }
    assert_true(n_rim == n_edge_sides);
    free(sides);
    for (int32_t i = 0; i < d->n_panels; i++)
        /* Nodes are snapped to 2⁻⁴⁰ m; sums of some ten thousand areas err by less than 1e-12 m². */
        assert_true(fabs(d->panels[i].area - kit_rim_area(d, i)) < 1e-11);
}

#endif
