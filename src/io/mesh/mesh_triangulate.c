/* SPDX-License-Identifier: MIT */
/* Polygons to triangles, by cutting ears: a corner is an ear if it is convex and no other corner lies in the triangle
 * with its neighbours (G. H. Meisters, "Polygons have ears", 1975). Only corners that are not convex can lie there.
 *
 * The corners are seen along Newell's normal, the mean over the polygon for those that are not flat. First the fan
 * from corner 0 is tried, which is right for nearly all faces there are. Then ears are cut on a walk round the
 * polygon: first fat ones only, so that corners in the middle of a straight side end in no triangle without area; thin
 * ones when there is no fat one; and any corner when the polygon crosses itself and has no ear at all.
 *
 * Whether a corner is an ear changes only when a neighbour is cut, so n corners cost n times those that are not
 * convex. Very long polygons that are still too expensive end in a fan: n - 2 triangles come out always. */
#include <weft/io/mesh.h>

#include "io/heap.h"
#include "io/params.h"

#include <math.h>
#include <stdlib.h>

/* CLOSE: free, but a nearly straight corner lies on the cut, so that what is left there may have no area. */
typedef enum ear_state { EAR_UNKNOWN, EAR_FREE, EAR_CLOSE, EAR_BLOCKED, EAR_CUT } ear_state;

typedef struct point {
    double x, y;
} point;

typedef struct corner {
    point p;
    int32_t previous, next;
    uint8_t state;
} corner;

/* A corner that was not convex, or nearly straight, at the beginning: no other can lie in an ear, for cutting makes no
 * angle larger. They stand side by side in memory, as looking at them is what costs the time. */
typedef struct blocker {
    point p;
    int32_t corner;
} blocker;

typedef struct ring {
    corner *corners;
    blocker *blockers;
    int32_t n_blockers;
    int32_t n;     /* still there */
    int32_t at;    /* one of them */
    int64_t steps; /* left before the fan */
    double fat;
    const int32_t *nodes;
    int32_t *out; /* the next triangle */
} ring;

/* ---- the plane --------------------------------------------------------------------------------------------------- */

static double largest_magnitude(double a, double b)
{
    return fabs(b) > a ? fabs(b) : a;
}

/* Positions relative to the first corner. */
static weft_vec3 relative_position(const weft_mesh *mesh, const int32_t *nodes, int32_t i, double scale)
{
    const weft_vec3 *p = &mesh->positions[nodes[i]], *o = &mesh->positions[nodes[0]];
    return (weft_vec3){p->x * scale - o->x * scale, p->y * scale - o->y * scale, p->z * scale - o->z * scale};
}

/* A power of two, which rounds nothing, that brings the coordinates to about 1, so that no product over- or
 * underflows. */
static double polygon_scale(const weft_mesh *mesh, const int32_t *nodes, int32_t n)
{
    double size = 0;
    for (int32_t i = 0; i < n; i++) {
        const weft_vec3 *p = &mesh->positions[nodes[i]];
        size = largest_magnitude(largest_magnitude(largest_magnitude(size, p->x), p->y), p->z);
    }
    int exponent;
    frexp(size, &exponent);
    return ldexp(1, exponent < -1000 ? 1000 : -exponent);
}

static weft_vec3 cross_product(weft_vec3 a, weft_vec3 b)
{
    return (weft_vec3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static double dot_product(weft_vec3 a, weft_vec3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static weft_vec3 unit_vector(weft_vec3 a)
{
    double m = largest_magnitude(largest_magnitude(fabs(a.x), a.y), a.z);
    a = (weft_vec3){a.x / m, a.y / m, a.z / m};
    double length = sqrt(dot_product(a, a));
    return (weft_vec3){a.x / length, a.y / length, a.z / length};
}

static bool is_zero(weft_vec3 a)
{
    return a.x == 0 && a.y == 0 && a.z == 0;
}

/* Newell's normal, twice the area long: the sum of the triangles with corner 0, which is the origin. */
static weft_vec3 newell_normal(const weft_mesh *mesh, const int32_t *nodes, int32_t n, double scale)
{
    weft_vec3 sum = {0, 0, 0}, a = relative_position(mesh, nodes, 1, scale);
    for (int32_t i = 2; i < n; i++) {
        weft_vec3 b = relative_position(mesh, nodes, i, scale), c = cross_product(a, b);
        sum = (weft_vec3){sum.x + c.x, sum.y + c.y, sum.z + c.z};
        a = b;
    }
    return sum;
}

/* The corners in the plane, seen so that the polygon runs counter-clockwise. False: it has no area, and no plane. */
static bool project_polygon(const weft_mesh *mesh, const int32_t *nodes, int32_t n, corner *out)
{
    double scale = polygon_scale(mesh, nodes, n);
    weft_vec3 normal = newell_normal(mesh, nodes, n, scale);
    if (is_zero(normal))
        return false;
    normal = unit_vector(normal);
    double ax = fabs(normal.x), ay = fabs(normal.y), az = fabs(normal.z);
    weft_vec3 other = {ax <= ay && ax <= az, ay < ax && ay <= az, az < ax && az < ay}; /* the axis most unlike it */
    weft_vec3 u = unit_vector(cross_product(other, normal)), v = cross_product(normal, u);
    for (int32_t i = 0; i < n; i++) {
        weft_vec3 p = relative_position(mesh, nodes, i, scale);
        out[i] = (corner){.p = {dot_product(p, u), dot_product(p, v)},
                          .previous = i > 0 ? i - 1 : n - 1,
                          .next = i + 1 < n ? i + 1 : 0};
    }
    return true;
}

/* ---- ears -------------------------------------------------------------------------------------------------------- */

/* Twice the area of abc; positive if counter-clockwise. */
static double twice_area(point a, point b, point c)
{
    return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

/* The sine of the angle at b is more than s. */
static bool angle_is_convex(point a, point b, point c, double s)
{
    double t = twice_area(a, b, c);
    double ab = (b.x - a.x) * (b.x - a.x) + (b.y - a.y) * (b.y - a.y);
    double bc = (c.x - b.x) * (c.x - b.x) + (c.y - b.y) * (c.y - b.y);
    return t > 0 && t * t > s * s * ab * bc;
}

static bool corner_is_convex(const ring *r, const corner *c, double s)
{
    return angle_is_convex(r->corners[c->previous].p, c->p, r->corners[c->next].p, s);
}

static bool points_are_equal(point a, point b)
{
    return a.x == b.x && a.y == b.y;
}

/* Whether a corner that is not convex lies in the triangle of this one, or on its border. Corners at the place of its
 * neighbours do not count: polygons with holes go twice along a bridge. */
static ear_state ear_state_of(ring *r, const corner *c)
{
    const corner *before = &r->corners[c->previous], *after = &r->corners[c->next];
    point a = before->p, b = c->p, d = after->p;
    double close = -TRIANGULATE_BORDER * ((a.x - d.x) * (a.x - d.x) + (a.y - d.y) * (a.y - d.y));
    ear_state state = EAR_FREE;
    for (int32_t i = 0; i < r->n_blockers; i++, r->steps--) {
        point p = r->blockers[i].p;
        double side = twice_area(d, a, p);
        if (side < close || twice_area(a, b, p) < 0 || twice_area(b, d, p) < 0 || points_are_equal(p, a) ||
            points_are_equal(p, d))
            continue;
        const corner *other = &r->corners[r->blockers[i].corner];
        if (other->state == EAR_CUT || other == c || other == before || other == after)
            continue;
        if (side >= 0 && !corner_is_convex(r, other, TRIANGULATE_THIN))
            return EAR_BLOCKED;
        if (!corner_is_convex(r, other, r->fat))
            state = EAR_CLOSE;
    }
    return state;
}

static bool is_ear(ring *r, corner *c, bool must_be_fat)
{
    if (!corner_is_convex(r, c, must_be_fat ? r->fat : TRIANGULATE_THIN))
        return false;
    if (c->state == EAR_UNKNOWN)
        c->state = (uint8_t)ear_state_of(r, c);
    return c->state == EAR_FREE || (c->state == EAR_CLOSE && !must_be_fat);
}

static void emit_triangle(ring *r, int32_t a, int32_t b, int32_t c)
{
    r->out[0] = r->nodes[a];
    r->out[1] = r->nodes[b];
    r->out[2] = r->nodes[c];
    r->out += 3;
}

static void cut_corner(ring *r, int32_t i)
{
    corner *c = &r->corners[i];
    emit_triangle(r, c->previous, i, c->next);
    c->state = EAR_CUT;
    r->corners[c->previous].next = c->next;
    r->corners[c->next].previous = c->previous;
    r->corners[c->previous].state = r->corners[c->next].state = EAR_UNKNOWN;
    r->at = r->corners[c->next].next; /* not the next one, which would make a fan of thin triangles */
    r->n--;
}

/* Cuts the first ear from `at` on; false if there is none. */
static bool cut_ear(ring *r, bool must_be_fat)
{
    for (int32_t k = 0, i = r->at; k < r->n; k++, i = r->corners[i].next) {
        r->steps--;
        if (is_ear(r, &r->corners[i], must_be_fat)) {
            cut_corner(r, i);
            return true;
        }
    }
    return false;
}

/* The corner with the largest triangle, for polygons that cross themselves. */
static void cut_largest(ring *r)
{
    int32_t best = r->at;
    double most = -HUGE_VAL;
    for (int32_t k = 0, i = r->at; k < r->n; k++, i = r->corners[i].next) {
        const corner *c = &r->corners[i];
        double t = twice_area(r->corners[c->previous].p, c->p, r->corners[c->next].p);
        r->steps--;
        if (t > most) {
            most = t;
            best = i;
        }
    }
    cut_corner(r, best);
}

static void cut_fan(ring *r)
{
    for (int32_t b = r->corners[r->at].next, c = r->corners[b].next; c != r->at; b = c, c = r->corners[c].next)
        emit_triangle(r, r->at, b, c);
}

static void find_blockers(ring *r)
{
    for (int32_t i = 0; i < r->n; i++) {
        if (!corner_is_convex(r, &r->corners[i], r->fat))
            r->blockers[r->n_blockers++] = (blocker){r->corners[i].p, i};
    }
}

static void cut_polygon(ring *r)
{
    find_blockers(r);
    while (r->n > 3 && r->steps > 0) {
        if (!cut_ear(r, true) && !cut_ear(r, false))
            cut_largest(r);
    }
    cut_fan(r);
}

/* ---- polygons ---------------------------------------------------------------------------------------------------- */

/* A round polygon of n corners turns by 2 pi / n at each. */
static double fat_for(int32_t n)
{
    return n * TRIANGULATE_FAT > 1 ? 1 / (double)n : TRIANGULATE_FAT;
}

static bool fan_is_right(const corner *c, int32_t n)
{
    double tip = fat_for(n);
    for (int32_t i = 1; i + 1 < n; i++) {
        if (!angle_is_convex(c[0].p, c[i].p, c[i + 1].p, tip) || !angle_is_convex(c[i + 1].p, c[0].p, c[i].p, tip))
            return false;
    }
    return true;
}

static void write_fan(const int32_t *nodes, int32_t n, int32_t *out)
{
    for (int32_t i = 1; i + 1 < n; i++, out += 3) {
        out[0] = nodes[0];
        out[1] = nodes[i];
        out[2] = nodes[i + 1];
    }
}

static void triangulate_polygon(const weft_mesh *mesh, const int32_t *nodes, int32_t n, int32_t *out)
{
    corner few[TRIANGULATE_SMALL];
    blocker few_blockers[TRIANGULATE_SMALL];
    bool is_small = n <= TRIANGULATE_SMALL;
    corner *corners = is_small ? few : heap_array((size_t)n, sizeof *corners);
    blocker *blockers = is_small ? few_blockers : heap_array((size_t)n, sizeof *blockers);
    /* Without memory, or without area, any triangles are as good as others. */
    if (!corners || !blockers || n == 3 || !project_polygon(mesh, nodes, n, corners) || fan_is_right(corners, n)) {
        write_fan(nodes, n, out);
    } else {
        int64_t steps = n < TRIANGULATE_STEPS_PER_CORNER / 4 ? 4 * (int64_t)n : TRIANGULATE_STEPS_PER_CORNER;
        ring r = {.corners = corners,
                  .blockers = blockers,
                  .n = n,
                  .steps = steps * n,
                  .fat = fat_for(n),
                  .nodes = nodes,
                  .out = out};
        cut_polygon(&r);
    }
    if (!is_small) {
        free(corners);
        free(blockers);
    }
}

int32_t weft_mesh_triangulate(const weft_mesh *mesh, int32_t *triangles, int32_t *face)
{
    int32_t n_triangles = 0;
    for (int32_t i = 0; i < mesh->n_faces; i++) {
        int32_t first = mesh->face_start[i], n = mesh->face_start[i + 1] - first;
        if (n < 3)
            continue;
        triangulate_polygon(mesh, mesh->corners + first, n, triangles + 3 * (size_t)n_triangles);
        for (int32_t k = 0; face && k < n - 2; k++)
            face[n_triangles + k] = i;
        n_triangles += n - 2;
    }
    return n_triangles;
}
