/* SPDX-License-Identifier: MIT */
/* Idea: space is filled with the tetrahedra of the body-centred cubic lattice. Where an end of a lattice edge is
 * inside and the other outside, the surface cuts it. A lattice point that a cut comes too near to is moved onto the
 * cut; the rest of the surface is then put together tetrahedron by tetrahedron (Labelle and Shewchuk 2007, Isosurface
 * stuffing, section 3: their step of warping, with their bounds; we keep the surface only).
 *
 * Two cubes that share a face have their centres joined; the four edges of that face make four tetrahedra with them.
 *
 * Invariants:
 * 1. moved points leave every tetrahedron with its orientation (the paper's bounds are safe), so the tetrahedra still
 *    fill space without overlap;
 * 2. the surface in a tetrahedron is flat or two triangles over a quad, within it: so the whole does not cross
 *    itself;
 * 3. every edge of the surface is in a face of two tetrahedra, which see the same of it: so the whole is closed. */
#include "garment/isosurface.h"

#include "base/array.h"
#include "garment/params.h"

#include <stdlib.h>
#include <string.h>

typedef struct lattice {
    mem *mem;
    isosurface_fn f;
    const void *shape;
    isosurface *out;
    vec3 low;
    double size;
    int32_t n[3];     /* cubes along x, y, z, and as many corners less the last layer */
    int64_t n_points; /* corners, then centres */
    double *value;
    vec3 *at;
    int16_t *sign;      /* of the value; 0: moved onto the surface */
    int32_t *vertex;    /* of a point with sign 0 */
    int32_t *cut;       /* vertex on each edge: LATTICE_EDGES a point, those that begin at it */
    int32_t (*flat)[3]; /* triangles that are faces of tetrahedra, to be looked at for pairs */
    int32_t n_flat;
    int64_t room_flat;
} lattice;

/* Edges that begin at a corner: three along the axes, eight to centres; at a centre: three along the axes. */
enum { LATTICE_EDGES = 11 };

static const int steps[8][3] = {{-1, -1, -1}, {0, -1, -1}, {-1, 0, -1}, {0, 0, -1},
                                {-1, -1, 0},  {0, -1, 0},  {-1, 0, 0},  {0, 0, 0}};

typedef struct place {
    int32_t i, j, k;
    int centre;
} place;

static int64_t lattice_index(const lattice *l, place p)
{
    int64_t cell = ((int64_t)p.k * l->n[1] + p.j) * l->n[0] + p.i;
    return p.centre ? l->n_points / 2 + cell : cell;
}

static bool lattice_has(const lattice *l, place p)
{
    return p.i >= 0 && p.j >= 0 && p.k >= 0 && p.i < l->n[0] && p.j < l->n[1] && p.k < l->n[2];
}

/* The other end of edge e of a corner or a centre. */
static place other_end(place p, int e)
{
    if (e < 3)
        return (place){p.i + (e == 0), p.j + (e == 1), p.k + (e == 2), p.centre};
    return (place){p.i + steps[e - 3][0], p.j + steps[e - 3][1], p.k + steps[e - 3][2], 1};
}

static int edge_count(place p)
{
    return p.centre ? 3 : LATTICE_EDGES;
}

/* ---- values and cuts --------------------------------------------------------------------------------------------- */

static bool lattice_sample(lattice *l)
{
    mem *m = l->mem;
    if (!MEM_MAKE(m, l->value, l->n_points) || !MEM_MAKE(m, l->at, l->n_points) || !MEM_MAKE(m, l->sign, l->n_points) ||
        !MEM_MAKE(m, l->vertex, l->n_points) || !MEM_MAKE(m, l->cut, LATTICE_EDGES * l->n_points))
        return false;
    for (int c = 0; c < 2; c++)
        for (int32_t k = 0; k < l->n[2]; k++)
            for (int32_t j = 0; j < l->n[1]; j++)
                for (int32_t i = 0; i < l->n[0]; i++) {
                    int64_t p = lattice_index(l, (place){i, j, k, c});
                    l->at[p] = v3(l->low.x + (i + 0.5 * c) * l->size, l->low.y + (j + 0.5 * c) * l->size,
                                  l->low.z + (k + 0.5 * c) * l->size);
                    l->value[p] = l->f(l->shape, l->at[p]);
                    l->sign[p] = l->value[p] < 0 ? -1 : 1;
                    l->vertex[p] = -1;
                }
    for (int64_t i = 0; i < LATTICE_EDGES * l->n_points; i++)
        l->cut[i] = -1;
    return true;
}

/* Where the function is zero between two points of different sign: false position, kept within by halving. */
static vec3 zero_between(const lattice *l, int64_t p, int64_t q)
{
    double a = 0, b = 1, fa = l->value[p], fb = l->value[q];
    vec3 d = v3_sub(l->at[q], l->at[p]), x = l->at[p];
    for (int i = 0; i < ISOSURFACE_STEPS; i++) {
        double t = i % 3 == 2 ? 0.5 * (a + b) : a + (b - a) * fa / (fa - fb);
        x = v3_madd(l->at[p], t, d);
        double fx = l->f(l->shape, x);
        if (fabs(fx) < ISOSURFACE_ZERO)
            break;
        if ((fx < 0) == (fa < 0)) {
            a = t;
            fa = fx;
        } else {
            b = t;
            fb = fx;
        }
    }
    return x;
}

static int32_t add_vertex(lattice *l, vec3 x)
{
    isosurface *s = l->out;
    return ARRAY_PUSH(s->mem, s->vertices, s->n_vertices, s->room_vertices, x) ? s->n_vertices - 1 : -1;
}

/* How near to each of its ends an edge is cut; the nearest cut of each point. */
typedef struct nearest_cut {
    double share; /* of the edge, over the bound; < 1: too near */
    vec3 at;
} nearest_cut;

static void offer_cut(nearest_cut *n, double share, double bound, vec3 at)
{
    if (share / bound < n->share) {
        n->share = share / bound;
        n->at = at;
    }
}

static void look_for_cut(lattice *l, place p, int e, nearest_cut *nearest)
{
    place r = other_end(p, e);
    if (!lattice_has(l, r))
        return;
    int64_t a = lattice_index(l, p), b = lattice_index(l, r);
    if (l->sign[a] == l->sign[b])
        return;
    vec3 x = zero_between(l, a, b);
    double length = v3_len(v3_sub(l->at[b], l->at[a])), from = v3_len(v3_sub(x, l->at[a])) / length;
    double bound = e < 3 ? ISOSURFACE_NEAR_LONG : ISOSURFACE_NEAR_SHORT;
    offer_cut(&nearest[a], from, bound, x);
    offer_cut(&nearest[b], 1 - from, bound, x);
}

static void lattice_each_edge(lattice *l, void (*visit)(lattice *l, place p, int e, nearest_cut *n), nearest_cut *n)
{
    for (int c = 0; c < 2; c++)
        for (int32_t k = 0; k < l->n[2]; k++)
            for (int32_t j = 0; j < l->n[1]; j++)
                for (int32_t i = 0; i < l->n[0]; i++) {
                    place p = {i, j, k, c};
                    for (int e = 0; e < edge_count(p); e++)
                        visit(l, p, e, n);
                }
}

static void make_cut_vertex(lattice *l, place p, int e, nearest_cut *unused)
{
    (void)unused;
    place r = other_end(p, e);
    if (!lattice_has(l, r))
        return;
    int64_t a = lattice_index(l, p), b = lattice_index(l, r);
    if (l->sign[a] * l->sign[b] < 0)
        l->cut[LATTICE_EDGES * a + e] = add_vertex(l, zero_between(l, a, b));
}

/* Moves points onto cuts that are too near, then makes the vertices on the edges that are still cut. */
static bool lattice_warp(lattice *l)
{
    nearest_cut *nearest;
    if (!MEM_MAKE(l->mem, nearest, l->n_points))
        return false;
    for (int64_t i = 0; i < l->n_points; i++)
        nearest[i].share = 1;
    lattice_each_edge(l, look_for_cut, nearest);
    bool good = true;
    for (int64_t i = 0; good && i < l->n_points; i++) {
        if (nearest[i].share >= 1)
            continue;
        l->at[i] = nearest[i].at;
        l->sign[i] = 0;
        l->vertex[i] = add_vertex(l, nearest[i].at);
        good = l->vertex[i] >= 0;
    }
    if (good)
        lattice_each_edge(l, make_cut_vertex,
                          NULL); /* a vertex that there is no memory for is missed by its triangles */
    MEM_FREE(l->mem, nearest, l->n_points);
    return good;
}

/* ---- tetrahedra -------------------------------------------------------------------------------------------------- */

static int edge_between(place p, place q)
{
    if (p.centre == q.centre)
        return q.i != p.i ? 0 : q.j != p.j ? 1 : 2;
    for (int e = 3; e < LATTICE_EDGES; e++) {
        place r = other_end(p, e);
        if (r.i == q.i && r.j == q.j && r.k == q.k)
            return e;
    }
    return 0;
}

static int32_t cut_vertex(const lattice *l, place p, place q)
{
    bool turned = p.centre != q.centre ? p.centre == 1 : p.i > q.i || p.j > q.j || p.k > q.k;
    place a = turned ? q : p, b = turned ? p : q;
    return l->cut[LATTICE_EDGES * lattice_index(l, a) + edge_between(a, b)];
}

/* Adds a triangle with its front away from a point inside. False: out of memory. */
static bool add_surface_triangle(lattice *l, int32_t a, int32_t b, int32_t c, vec3 inside, bool is_face)
{
    const vec3 *x = l->out->vertices;
    if (a < 0 || b < 0 || c < 0)
        return false;
    vec3 n = v3_cross(v3_sub(x[b], x[a]), v3_sub(x[c], x[a]));
    bool turned = v3_dot(n, v3_sub(x[a], inside)) < 0;
    int32_t t[3] = {a, turned ? c : b, turned ? b : c};
    int32_t(**list)[3] = is_face ? &l->flat : &l->out->triangles;
    int32_t *count = is_face ? &l->n_flat : &l->out->n_triangles;
    int64_t *room = is_face ? &l->room_flat : &l->out->room_triangles;
    if (!ARRAY_RESERVE_MORE(l->mem, *list, *count, *room, 1))
        return false;
    memcpy((*list)[(*count)++], t, sizeof t);
    return true;
}

/* The corners of a tetrahedron by sign: inside first, then on, then outside. */
static bool add_tetrahedron(lattice *l, const place corner[4])
{
    place in[4], on[4], out[4];
    int n_in = 0, n_on = 0, n_out = 0;
    for (int i = 0; i < 4; i++) {
        int sign = l->sign[lattice_index(l, corner[i])];
        if (sign < 0)
            in[n_in++] = corner[i];
        else if (sign == 0)
            on[n_on++] = corner[i];
        else
            out[n_out++] = corner[i];
    }
    if (n_in == 0 || n_in == 4 || (n_out == 0 && n_on < 3))
        return true;
    vec3 inside = l->at[lattice_index(l, in[0])];
    int32_t zero[4] = {-1, -1, -1, -1};
    for (int i = 0; i < n_on; i++)
        zero[i] = l->vertex[lattice_index(l, on[i])];
    if (n_on == 3)
        return add_surface_triangle(l, zero[0], zero[1], zero[2], inside, true);
    if (n_on == 2)
        return add_surface_triangle(l, zero[0], zero[1], cut_vertex(l, in[0], out[0]), inside, false);
    if (n_on == 1 && n_in == 1)
        return add_surface_triangle(l, zero[0], cut_vertex(l, in[0], out[0]), cut_vertex(l, in[0], out[1]), inside,
                                    false);
    if (n_on == 1)
        return add_surface_triangle(l, zero[0], cut_vertex(l, in[0], out[0]), cut_vertex(l, in[1], out[0]), inside,
                                    false);
    if (n_in == 1)
        return add_surface_triangle(l, cut_vertex(l, in[0], out[0]), cut_vertex(l, in[0], out[1]),
                                    cut_vertex(l, in[0], out[2]), inside, false);
    if (n_in == 3)
        return add_surface_triangle(l, cut_vertex(l, in[0], out[0]), cut_vertex(l, in[1], out[0]),
                                    cut_vertex(l, in[2], out[0]), inside, false);
    int32_t a = cut_vertex(l, in[0], out[0]), b = cut_vertex(l, in[0], out[1]), c = cut_vertex(l, in[1], out[1]),
            d = cut_vertex(l, in[1], out[0]);
    return add_surface_triangle(l, a, b, c, inside, false) && add_surface_triangle(l, a, c, d, inside, false);
}

/* The four around the face that a cube shares with the next along an axis. */
static bool add_face_tetrahedra(lattice *l, place cube, int axis)
{
    place next = {cube.i + (axis == 0), cube.j + (axis == 1), cube.k + (axis == 2), 1};
    if (!lattice_has(l, next))
        return true;
    int u = (axis + 1) % 3, v = (axis + 2) % 3;
    place ring[4];
    for (int c = 0; c < 4; c++) {
        int32_t at[3] = {next.i, next.j, next.k};
        at[u] += c == 1 || c == 2;
        at[v] += c >= 2;
        ring[c] = (place){at[0], at[1], at[2], 0};
    }
    for (int c = 0; c < 4; c++) {
        const place corner[4] = {cube, next, ring[c], ring[(c + 1) % 4]};
        if (!lattice_has(l, corner[2]) || !lattice_has(l, corner[3]))
            continue;
        if (!add_tetrahedron(l, corner))
            return false;
    }
    return true;
}

static int compare_faces(const void *p, const void *q)
{
    const int32_t *a = p, *b = q;
    for (int i = 3; i < 6; i++)
        if (a[i] != b[i])
            return a[i] < b[i] ? -1 : 1;
    return 0;
}

static void sort3(const int32_t *t, int32_t *out)
{
    memcpy(out, t, 3 * sizeof *out);
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2 - i; j++)
            if (out[j] > out[j + 1]) {
                int32_t k = out[j];
                out[j] = out[j + 1];
                out[j + 1] = k;
            }
}

/* Faces that two tetrahedra gave have inside on both sides: no surface. */
static bool keep_single_faces(lattice *l)
{
    int32_t(*keyed)[6];
    if (!MEM_MAKE(l->mem, keyed, l->n_flat))
        return false;
    for (int32_t i = 0; i < l->n_flat; i++) {
        memcpy(keyed[i], l->flat[i], sizeof l->flat[i]);
        sort3(l->flat[i], keyed[i] + 3);
    }
    qsort(keyed, (size_t)l->n_flat, sizeof *keyed, compare_faces);
    bool good = true;
    for (int32_t i = 0, end; good && i < l->n_flat; i = end) {
        for (end = i + 1; end < l->n_flat && compare_faces(keyed[i], keyed[end]) == 0;)
            end++;
        if (end - i != 1)
            continue;
        isosurface *s = l->out;
        good = ARRAY_RESERVE_MORE(l->mem, s->triangles, s->n_triangles, s->room_triangles, 1);
        if (good)
            memcpy(s->triangles[s->n_triangles++], keyed[i], sizeof *s->triangles);
    }
    mem_free(l->mem, keyed, l->n_flat, sizeof *keyed);
    return good;
}

static bool lattice_build(lattice *l)
{
    bool good = lattice_sample(l) && lattice_warp(l);
    for (int32_t k = 0; good && k < l->n[2]; k++)
        for (int32_t j = 0; good && j < l->n[1]; j++)
            for (int32_t i = 0; good && i < l->n[0]; i++)
                for (int axis = 0; good && axis < 3; axis++)
                    good = add_face_tetrahedra(l, (place){i, j, k, 1}, axis);
    return good && keep_single_faces(l);
}

bool isosurface_create(isosurface *s, mem *m, isosurface_fn f, const void *shape, vec3 low, vec3 high, double size)
{
    *s = (isosurface){.mem = m};
    lattice l = {.mem = m, .f = f, .shape = shape, .out = s, .size = size};
    /* Two layers around, so that the surface keeps away from the ends. */
    l.low = v3(low.x - 2 * size, low.y - 2 * size, low.z - 2 * size);
    const double span[3] = {high.x - low.x, high.y - low.y, high.z - low.z};
    for (int i = 0; i < 3; i++)
        l.n[i] = (int32_t)ceil(span[i] / size) + 5;
    l.n_points = 2 * (int64_t)l.n[0] * l.n[1] * l.n[2];
    bool good = lattice_build(&l);
    MEM_FREE(m, l.value, l.n_points);
    MEM_FREE(m, l.at, l.n_points);
    MEM_FREE(m, l.sign, l.n_points);
    MEM_FREE(m, l.vertex, l.n_points);
    MEM_FREE(m, l.cut, LATTICE_EDGES * l.n_points);
    mem_free(m, l.flat, l.room_flat, sizeof *l.flat);
    if (!good)
        isosurface_destroy(s);
    return good;
}

void isosurface_destroy(isosurface *s)
{
    MEM_FREE(s->mem, s->vertices, s->room_vertices);
    mem_free(s->mem, s->triangles, s->room_triangles, sizeof *s->triangles);
    s->triangles = NULL;
}
