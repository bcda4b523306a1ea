/* SPDX-License-Identifier: MIT */
/* Heaps, the meshes of several objects that the parts of bench_ye.c untangle: made by formula or read, and a row of the
 * table for each. */
#include "ye.h"
#include "bench_data.h"
#include "progress.h"
#include "say.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

void heap_free(heap *h)
{
    free(h->x);
    free(h->triangles);
    free(h->objects);
    *h = (heap){0};
}

bool heap_grow(heap *h, int32_t n_nodes, int32_t n_triangles)
{
    weft_vec3 *x = realloc(h->x, (size_t)(h->n_nodes + n_nodes + 1) * sizeof *x);
    h->x = x ? x : h->x;
    int32_t *t = realloc(h->triangles, (size_t)(h->n_triangles + n_triangles + 1) * 3 * sizeof *t);
    h->triangles = t ? t : h->triangles;
    int32_t *o = realloc(h->objects, (size_t)(h->n_triangles + n_triangles + 1) * sizeof *o);
    h->objects = o ? o : h->objects;
    return x && t && o;
}

void heap_triangle(heap *h, int32_t a, int32_t b, int32_t c)
{
    int32_t *t = h->triangles + 3 * (size_t)h->n_triangles;
    t[0] = a, t[1] = b, t[2] = c;
    h->objects[h->n_triangles++] = h->n_objects;
}

bool heap_sheet(heap *h, weft_vec3 at, weft_vec3 u, weft_vec3 v, int nu, int nv)
{
    int32_t first = h->n_nodes;
    if (!heap_grow(h, nu * nv, 2 * (nu - 1) * (nv - 1)))
        return false;
    for (int j = 0; j < nv; j++)
        for (int i = 0; i < nu; i++) {
            double a = (double)i / (nu - 1), b = (double)j / (nv - 1);
            h->x[h->n_nodes++] =
                (weft_vec3){at.x + a * u.x + b * v.x, at.y + a * u.y + b * v.y, at.z + a * u.z + b * v.z};
        }
    for (int j = 0; j + 1 < nv; j++)
        for (int i = 0; i + 1 < nu; i++) {
            int32_t k = first + j * nu + i;
            heap_triangle(h, k, k + 1, k + nu + 1);
            heap_triangle(h, k, k + nu + 1, k + nu);
        }
    h->n_objects++;
    return true;
}

bool heap_tube(heap *h, weft_vec3 a, weft_vec3 b, double radius, int n_around, int n_along)
{
    int32_t first = h->n_nodes;
    weft_vec3 way = {b.x - a.x, b.y - a.y, b.z - a.z};
    double length = sqrt(way.x * way.x + way.y * way.y + way.z * way.z);
    weft_vec3 axis = {way.x / length, way.y / length, way.z / length};
    weft_vec3 p = fabs(axis.x) < 0.7 ? (weft_vec3){0, axis.z, -axis.y} : (weft_vec3){-axis.z, 0, axis.x};
    double size = sqrt(p.x * p.x + p.y * p.y + p.z * p.z);
    p = (weft_vec3){p.x / size, p.y / size, p.z / size};
    weft_vec3 q = {axis.y * p.z - axis.z * p.y, axis.z * p.x - axis.x * p.z, axis.x * p.y - axis.y * p.x};
    if (!heap_grow(h, n_around * (n_along + 1), 2 * n_around * n_along))
        return false;
    for (int j = 0; j <= n_along; j++)
        for (int i = 0; i < n_around; i++) {
            double angle = 6.283185307179586 * i / n_around, t = (double)j / n_along;
            double c = radius * cos(angle), s = radius * sin(angle);
            h->x[h->n_nodes++] = (weft_vec3){a.x + t * way.x + c * p.x + s * q.x, a.y + t * way.y + c * p.y + s * q.y,
                                             a.z + t * way.z + c * p.z + s * q.z};
        }
    for (int j = 0; j < n_along; j++)
        for (int i = 0; i < n_around; i++) {
            int32_t k = first + j * n_around, n = (i + 1) % n_around;
            heap_triangle(h, k + i, k + n, k + n_around + n);
            heap_triangle(h, k + i, k + n_around + n, k + n_around + i);
        }
    h->n_objects++;
    return true;
}

bool heap_file(const bench_options *o, const char *name, weft_mesh *out)
{
    weft_error error;
    char *path = bench_data(o, name);
    bool good = path && weft_mesh_read(path, out, &error) >= 0;
    if (path && !good)
        printf("left out: %s\n", error.text);
    else if (!path)
        bench_left_out(o, NULL, name);
    free(path);
    return good;
}

bool heap_read(heap *h, const bench_options *o, const char *name)
{
    weft_mesh mesh;
    if (!heap_file(o, name, &mesh))
        return false;
    int32_t first = h->n_nodes, n_corners = mesh.face_start[mesh.n_faces];
    bool good = heap_grow(h, mesh.n_nodes, n_corners);
    for (int32_t i = 0; i < mesh.n_nodes && good; i++)
        h->x[h->n_nodes++] = mesh.positions[i];
    for (int32_t i = 0; i < mesh.n_faces && good; i++) {
        const int32_t *k = mesh.corners + mesh.face_start[i];
        for (int32_t j = 2; j < mesh.face_start[i + 1] - mesh.face_start[i]; j++)
            heap_triangle(h, first + k[0], first + k[j - 1], first + k[j]);
    }
    h->n_objects += good;
    weft_mesh_free(&mesh);
    return good;
}

weft_untangle_def heap_def(const heap *h, const bench_options *o)
{
    weft_untangle_def d = weft_untangle_def_default();
    d.method = WEFT_UNTANGLE_CONTOURS;
    d.n_nodes = h->n_nodes;
    d.positions = h->x;
    d.n_triangles = h->n_triangles;
    d.triangles = h->triangles;
    d.objects = h->objects;
    d.n_objects = h->n_objects;
    d.n_threads = o->n_threads;
    return d;
}

bool heap_solve(heap *h, const weft_untangle_def *d, const char *name, const char *paper, weft_untangle_report *r)
{
    weft_error error;
    double start = progress_now();
    if (weft_untangle(d, h->x, r, &error) < 0) {
        say_wrong("%s: %s", name, error.text);
        return false;
    }
    printf("%-26s %-30s %6lld %6lld %6lld %6lld %7d %9.1f\n", name, paper, (long long)r->pairs_before,
           (long long)r->pairs_after, (long long)r->inside_before, (long long)r->inside_after, r->n_iterations,
           1e3 * (progress_now() - start));
    return true;
}

void heap_print_head(void)
{
    printf("%-26s %-30s %6s %6s %6s %6s %7s %9s\n", "case", "the paper", "pairs", "after", "inside", "after", "steps",
           "ms");
}
