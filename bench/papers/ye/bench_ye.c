/* SPDX-License-Identifier: MIT */
/* Measures untangling beside what Ye and Zhao (2012) report: the unit meshes, two sheets with either side (figure 6), a
 * sheet on a capsule (figure 7), rigid bodies (figures 3 and 4), ribbons (figure 8); beyond the paper, garments in
 * bodies, random tangles, simulations. Plain minimisation has 150 steps. Each line is judged by the exact audit inside
 * weft_untangle. */
#include "ye.h"
#include "progress.h"
#include "say.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <weft/io.h>

/* The node in the middle of a side, made once: sides are few, a search does. */
static int32_t middle(heap *h, int32_t first_new, int32_t a, int32_t b)
{
    weft_vec3 p = h->x[a], q = h->x[b];
    weft_vec3 m = {0.5 * (p.x + q.x), 0.5 * (p.y + q.y), 0.5 * (p.z + q.z)};
    for (int32_t i = first_new; i < h->n_nodes; i++)
        if (memcmp(&h->x[i], &m, sizeof m) == 0)
            return i;
    h->x[h->n_nodes] = m;
    return h->n_nodes++;
}

static bool split(heap *h)
{
    int32_t n = h->n_triangles, first = h->n_nodes;
    if (!heap_grow(h, 3 * n, 3 * n))
        return false;
    for (int32_t i = 0; i < n; i++) {
        int32_t *t = h->triangles + 3 * (size_t)i, a = t[0], b = t[1], c = t[2];
        int32_t ab = middle(h, first, a, b), bc = middle(h, first, b, c), ca = middle(h, first, c, a);
        heap_triangle(h, a, ab, ca);
        heap_triangle(h, ab, b, bc);
        heap_triangle(h, ca, bc, c);
        t[0] = ab, t[1] = bc, t[2] = ca;
    }
    return true;
}

/* ---- the unit meshes --------------------------------------------------------------------------------------------- */

static bool read_unit(const bench_options *o, const char *name, heap *h)
{
    char file[64];
    weft_mesh mesh;
    snprintf(file, sizeof file, "untangle/unit_%s.obj", name);
    if (!heap_file(o, file, &mesh))
        return false;
    bool good = heap_grow(h, mesh.n_nodes, mesh.n_faces);
    for (int32_t i = 0; i < mesh.n_nodes && good; i++)
        h->x[h->n_nodes++] = mesh.positions[i];
    for (int32_t i = 0; i < mesh.n_faces && good; i++) {
        const int32_t *c = mesh.corners + mesh.face_start[i];
        heap_triangle(h, c[0], c[1], c[2]);
    }
    h->n_objects = 1;
    weft_mesh_free(&mesh);
    for (int i = 0; i < 3 && good; i++)
        good = split(h);
    for (int32_t i = 0; i < h->n_triangles; i++)
        h->objects[i] = 0;
    return good;
}

static bool bench_units(const bench_options *o)
{
    static const char *const names[] = {"BBII", "BIBI", "BLI", "Closed", "Cross", "Eight", "LL"};
    bool good = true;
    for (int i = 0; i < 7; i++) {
        heap h = {0};
        weft_untangle_report r;
        if (read_unit(o, names[i], &h)) {
            weft_untangle_def d = heap_def(&h, o);
            good = heap_solve(&h, &d, names[i], "-", &r) && r.pairs_after == 0 && good;
        }
        heap_free(&h);
    }
    return good;
}

/* ---- figure 6 ---------------------------------------------------------------------------------------------------- */

/* Which share of the second sheet is above the node of the first that is nearest in the plane. */
static double share_above(const heap *h, int32_t n_first)
{
    int32_t above = 0;
    for (int32_t i = n_first; i < h->n_nodes; i++) {
        int32_t nearest = 0;
        double least = HUGE_VAL;
        for (int32_t k = 0; k < n_first; k++) {
            double dx = h->x[k].x - h->x[i].x, dz = h->x[k].z - h->x[i].z;
            if (dx * dx + dz * dz < least) {
                least = dx * dx + dz * dz;
                nearest = k;
            }
        }
        above += h->x[i].y > h->x[nearest].y;
    }
    return (double)above / (h->n_nodes - n_first);
}

static bool make_figure_6(heap *h)
{
    return heap_sheet(h, (weft_vec3){0, 0, 0}, (weft_vec3){0, 0, 0.4}, (weft_vec3){0.6, 0, 0}, 20, 30) &&
           heap_sheet(h, (weft_vec3){0.11, -0.021, 0.07}, (weft_vec3){0, 0.043, 0.25}, (weft_vec3){0.41, 0.003, 0.01},
                      20, 30);
}

/* Set-up 0: no side; 1, 2: the second sheet above, below. */
static bool solve_figure_6(const bench_options *o, int setup, bool published, bool average, const char *name,
                           const char *paper, double *above, weft_untangle_report *r)
{
    heap h = {0};
    bool made = make_figure_6(&h);
    weft_untangle_side sides[2] = {WEFT_SIDE_PLAIN, WEFT_SIDE_PLAIN};
    weft_untangle_layer layer = setup == 1 ? (weft_untangle_layer){0, 1} : (weft_untangle_layer){1, 0};
    weft_untangle_def d = heap_def(&h, o);
    d.object_side = sides;
    d.layers = &layer;
    d.n_layers = setup > 0;
    d.fixed_strategy = setup == 0;
    d.as_published = published;
    d.average = average;
    d.max_iterations = setup == 0 || published ? 150 : d.max_iterations;
    made = made && heap_solve(&h, &d, name, paper, r);
    *above = made ? share_above(&h, 600) : 0.5;
    printf("  %.0f %% of the second sheet is above the first\n", 100 * *above);
    heap_free(&h);
    return made;
}

/* The paper's set-ups by what we do; then by its equations alone, a vector a crossing or a contour, 150 steps at
 * most. */
static bool bench_sheets(const bench_options *o)
{
    static const char *const names[3][3] = {{"sheets, plain", "sheets, eq. 2", "sheets, eq. 2 mean"},
                                            {"sheets, second above", "above, eq. 3", "above, eq. 3 mean"},
                                            {"sheets, second below", "below, eq. 3", "below, eq. 3 mean"}};
    static const char *const paper[] = {"fig. 6: not solved", "fig. 6: solved", "fig. 6: solved, other side"};
    bool good = true;
    for (int way = 0; way < 3; way++)
        for (int i = 0; i < 3; i++) {
            weft_untangle_report r = {0};
            double above;
            bool made = solve_figure_6(o, i, way > 0, way == 2, names[i][way], paper[i], &above, &r);
            bool solved = r.pairs_after == 0 && (i == 1 ? above > 0.99 : above < 0.01);
            good = good && made && (i == 0 || way > 0 || solved);
        }
    return good;
}

int bench_ye(const bench_options *o)
{
    static const struct {
        const char *name;
        bool (*run)(const bench_options *o);
    } parts[] = {{"units", bench_units},  {"sheets", bench_sheets},      {"capsule", ye_capsule},
                 {"rigid", ye_rigid},     {"poses", ye_poses},           {"ribbons", ye_ribbons},
                 {"garment", ye_garment}, {"simulation", ye_simulation}, {"random", ye_random}};
    enum { N_PARTS = sizeof parts / sizeof *parts };
    bool good = true, any = false;
    heap_print_head();
    for (int i = 0; i < N_PARTS; i++)
        if (!o->only || strcmp(o->only, parts[i].name) == 0) {
            any = true;
            good = parts[i].run(o) && good;
        }
    if (!any)
        return say_wrong(
            "there is no part '%s' of this bench: there are units, sheets, capsule, rigid, poses, ribbons, "
            "garment, simulation, random",
            o->only);
    puts(good ? "all as promised" : "not all as promised");
    return good ? EXIT_FINE : EXIT_NO;
}
