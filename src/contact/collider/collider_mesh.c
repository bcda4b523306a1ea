/* SPDX-License-Identifier: MIT */
/* A collider mesh is made: its definition is checked, triangles are copied, vertices at bitwise the same place are
 * found (soups of triangles have each vertex several times), and edges are counted by how many triangles have them. A
 * mesh without borders, edges of three triangles and edges that both triangles run along the same way is closed: it has
 * an inside. Distances from it are in collider_mesh_distance.c. */
#include "contact/collider/collider_mesh.h"

#include <string.h>

#include "base/hash.h"
#include "contact/params.h"
#include "mesh/sides.h"

/* The number of their sides, three each, fits into an int32_t. */
#define COLLIDER_MESH_MOST_TRIANGLES 500000000

/* ---- checks ------------------------------------------------------------------------------------------------------ */

static bool names_three(const int32_t t[3])
{
    return t[0] != t[1] && t[1] != t[2] && t[2] != t[0];
}

static weft_result check_collider_triangles(const weft_collider_def *d, weft_error *e)
{
    bool any = false;
    for (int32_t ti = 0; ti < d->n_triangles; ti++) {
        const int32_t *t = d->triangles + 3 * (size_t)ti;
        for (int i = 0; i < 3; i++)
            if (t[i] < 0 || t[i] >= d->n_vertices)
                return error_set(e, WEFT_ERROR_INDEX, ti, "triangle %d names vertex %d, there are %d", ti, t[i],
                                 d->n_vertices);
        any = any || names_three(t);
    }
    if (!any)
        return error_set(e, WEFT_ERROR_DEGENERATE, -1, "no triangle names three different vertices");
    return WEFT_OK;
}

weft_result collider_mesh_check(const weft_collider_def *d, double most, weft_error *e)
{
    if (!d->vertices || d->n_vertices < 3 || !d->triangles || d->n_triangles < 1)
        return error_set(e, WEFT_ERROR_ARGUMENT, -1,
                         "a mesh needs at least 3 vertices and a triangle; there are %d and %d",
                         d->vertices ? d->n_vertices : 0, d->triangles ? d->n_triangles : 0);
    if (d->n_triangles > COLLIDER_MESH_MOST_TRIANGLES)
        return error_set(e, WEFT_ERROR_RANGE, -1, "n_triangles is %d, at most %d can be", d->n_triangles,
                         COLLIDER_MESH_MOST_TRIANGLES);
    for (int32_t vi = 0; vi < d->n_vertices; vi++) {
        vec3 x = d->vertices[vi];
        if (!v3_is_finite(x))
            return error_set(e, WEFT_ERROR_NOT_FINITE, vi, "vertex %d is not finite", vi);
        if (v3_max_abs(x) > most)
            return error_set(e, WEFT_ERROR_RANGE, vi, "vertex %d is (%g, %g, %g), beyond ±%g", vi, x.x, x.y, x.z, most);
    }
    return check_collider_triangles(d, e);
}

/* ---- creation ---------------------------------------------------------------------------------------------------- */

void collider_mesh_destroy(collider_mesh *c)
{
    if (!c)
        return;
    MEM_FREE(c->mem, c->triangles, c->capacity);
    MEM_FREE(c->mem, c->neighbour, c->capacity);
    MEM_FREE(c->mem, c->order, c->capacity);
    MEM_FREE(c->mem, c->same, c->n_vertices);
    MEM_FREE(c->mem, c->local, c->n_vertices);
    MEM_FREE(c->mem, c->x, c->n_vertices);
    MEM_FREE(c->mem, c->start, c->n_vertices);
    MEM_FREE(c->mem, c->goal, c->n_vertices);
    MEM_FREE(c->mem, c->normal, c->n_vertices);
    MEM_FREE(c->mem, c->boxes, c->capacity_boxes);
    mem_free(c->mem, c, 1, sizeof *c);
}

static bool make_mesh_arrays(collider_mesh *c)
{
    mem *m = c->mem;
    return MEM_MAKE(m, c->triangles, c->capacity) && MEM_MAKE(m, c->neighbour, c->capacity) &&
           MEM_MAKE(m, c->order, c->capacity) && MEM_MAKE(m, c->same, c->n_vertices) &&
           MEM_MAKE(m, c->local, c->n_vertices) && MEM_MAKE(m, c->x, c->n_vertices) &&
           MEM_MAKE(m, c->start, c->n_vertices) && MEM_MAKE(m, c->goal, c->n_vertices) &&
           MEM_MAKE(m, c->normal, c->n_vertices);
}

static bool has_area(const vec3 *x, const int32_t t[3])
{
    vec3 a = v3_sub(x[t[1]], x[t[0]]), b = v3_sub(x[t[2]], x[t[0]]), d = v3_sub(x[t[2]], x[t[1]]);
    double longest_sq = max_of(v3_len_sq(a), max_of(v3_len_sq(b), v3_len_sq(d)));
    return v3_len(v3_cross(a, b)) > COLLIDER_MESH_FLAT * longest_sq;
}

static void copy_triangles(collider_mesh *c, const weft_collider_def *d)
{
    for (int32_t ti = 0; ti < d->n_triangles; ti++) {
        const int32_t *t = d->triangles + 3 * (size_t)ti;
        c->info.n_degenerate += !names_three(t) || !has_area(d->vertices, t);
        if (names_three(t))
            memcpy(c->triangles[c->n_triangles++], t, sizeof *c->triangles);
    }
}

/* The first vertex at the same place as each, by a table with open addresses that is at most half full. */
static bool find_same_places(collider_mesh *c)
{
    int64_t size = 16;
    while (size < 2 * (int64_t)c->n_vertices)
        size *= 2;
    int32_t *table = mem_array(c->mem, size, sizeof *table); /* vertex + 1; 0: free */
    if (!table)
        return false;
    for (int32_t vi = 0; vi < c->n_vertices; vi++) {
        vec3 p = v3_add(c->local[vi], v3_zero()); /* −0 becomes 0 */
        int64_t at = (int64_t)(hash_bytes(HASH_START, &p, sizeof p) & (uint64_t)(size - 1));
        while (table[at] > 0) {
            vec3 q = c->local[table[at] - 1];
            if (q.x == p.x && q.y == p.y && q.z == p.z)
                break;
            at = (at + 1) & (size - 1);
        }
        if (table[at] == 0)
            table[at] = vi + 1;
        c->same[vi] = table[at] - 1;
    }
    mem_free(c->mem, table, size, sizeof *table);
    return true;
}

static void count_mesh_edge(collider_mesh *c, const side *s, int32_t n)
{
    weft_collider_info *info = &c->info;
    info->n_edges++;
    if (n == 1)
        info->n_border_edges++;
    else if (n > 2)
        info->n_non_manifold_edges++;
    else if (s[0].from == s[1].from)
        info->n_flipped_edges++;
    else {
        c->neighbour[s[0].owner][s[0].index] = s[1].owner;
        c->neighbour[s[1].owner][s[1].index] = s[0].owner;
    }
}

static bool find_mesh_edges(collider_mesh *c)
{
    sides all = {0};
    bool ok = sides_create(&all, c->mem, c->n_vertices, 3 * c->n_triangles);
    for (int32_t ti = 0; ok && ti < c->n_triangles; ti++) {
        int32_t t[3];
        for (int i = 0; i < 3; i++) {
            t[i] = c->same[c->triangles[ti][i]];
            c->neighbour[ti][i] = -1;
        }
        for (int i = 0; names_three(t) && i < 3; i++)
            sides_add(&all, t[i], t[(i + 1) % 3], ti, i);
    }
    if (ok) {
        int32_t n = 0;
        sides_sort(&all);
        for (const side *s = sides_next(&all, NULL, &n); s; s = sides_next(&all, s, &n))
            count_mesh_edge(c, s, n);
    }
    sides_destroy(&all);
    const weft_collider_info *f = &c->info;
    c->info.closed = f->n_edges > 0 && f->n_border_edges + f->n_non_manifold_edges + f->n_flipped_edges == 0;
    return ok;
}

collider_mesh *collider_mesh_create(mem *m, const weft_collider_def *d)
{
    collider_mesh *c = mem_array(m, 1, sizeof *c);
    if (!c)
        return NULL;
    *c = (collider_mesh){.mem = m, .n_vertices = d->n_vertices, .capacity = d->n_triangles, .outside = 1};
    c->info = (weft_collider_info){.kind = WEFT_COLLIDER_MESH, .n_vertices = d->n_vertices};
    bool ok = make_mesh_arrays(c);
    if (ok) {
        memcpy(c->local, d->vertices, (size_t)c->n_vertices * sizeof *c->local);
        copy_triangles(c, d);
        c->info.n_triangles = c->n_triangles;
        ok = find_same_places(c) && find_mesh_edges(c) && collider_mesh_make_boxes(c);
    }
    if (ok)
        return c;
    collider_mesh_destroy(c);
    return NULL;
}

/* ---- facts ------------------------------------------------------------------------------------------------------- */

uint64_t collider_mesh_hash(const collider_mesh *c)
{
    uint64_t h = hash_bytes(HASH_START, &c->n_vertices, sizeof c->n_vertices);
    return hash_bytes(h, c->triangles, (size_t)c->n_triangles * sizeof *c->triangles);
}

double collider_mesh_volume(const collider_mesh *c)
{
    double sum = 0;
    vec3 origin = c->x[c->triangles[0][0]];
    for (int32_t ti = 0; ti < c->n_triangles; ti++) {
        const int32_t *t = c->triangles[ti];
        vec3 a = v3_sub(c->x[t[0]], origin), b = v3_sub(c->x[t[1]], origin), d = v3_sub(c->x[t[2]], origin);
        sum += v3_dot(a, v3_cross(b, d));
    }
    return sum / 6;
}
