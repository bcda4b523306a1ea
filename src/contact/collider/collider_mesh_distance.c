/* SPDX-License-Identifier: MIT */
/* Distances from a mesh collider. Triangles are sorted once, by halves, into a hierarchy of boxes; the boxes are fitted
 * anew when vertices have moved and somebody asks.
 *
 * Which side of a closed mesh a point is on tells the pseudo-normal where it is nearest: of a face the normal, of an
 * edge the sum of its two faces' unit normals, of a vertex the sum of its faces' weighted by their angles there
 * (Bærentzen & Aanæs 2005). That is right for surfaces that do not cross themselves.
 *
 * Invariants: 1. order is a permutation of the triangles, and leaves cut it into runs; 2. the left child of a box
 * follows it, the right one comes later; 3. while `measured`, every box holds its triangles at x. */
#include "contact/collider/collider_mesh.h"
#include "contact/params.h"
#include "math/closest.h"
#include "math/trig.h"

#define COLLIDER_MESH_DEPTH 64 /* halves of 2^31 triangles end before that */

/* ---- boxes ------------------------------------------------------------------------------------------------------- */

static double axis_coordinate(vec3 p, int axis)
{
    return axis == 0 ? p.x : axis == 1 ? p.y : p.z;
}

static double key_of(const collider_mesh *c, int32_t ti, int axis)
{
    const int32_t *t = c->triangles[ti];
    return axis_coordinate(c->local[t[0]], axis) + axis_coordinate(c->local[t[1]], axis) +
           axis_coordinate(c->local[t[2]], axis);
}

static int widest_axis(const collider_mesh *c, int32_t first, int32_t n)
{
    int best = 0;
    double most = -1;
    for (int axis = 0; axis < 3; axis++) {
        double lo = HUGE_VAL, hi = -HUGE_VAL;
        for (int32_t i = first; i < first + n; i++) {
            double k = key_of(c, c->order[i], axis);
            lo = min_of(lo, k);
            hi = max_of(hi, k);
        }
        if (hi - lo > most) {
            most = hi - lo;
            best = axis;
        }
    }
    return best;
}

/* Hoare's selection: order[first + n/2] gets what belongs there, what is smaller comes before it. */
static void split_at_median(collider_mesh *c, int32_t first, int32_t n, int axis)
{
    int32_t lo = first, hi = first + n - 1, middle = first + n / 2;
    while (lo < hi) {
        double pivot = key_of(c, c->order[lo + (hi - lo) / 2], axis);
        int32_t i = lo, j = hi;
        while (i <= j) {
            while (key_of(c, c->order[i], axis) < pivot)
                i++;
            while (key_of(c, c->order[j], axis) > pivot)
                j--;
            if (i <= j) {
                int32_t t = c->order[i];
                c->order[i++] = c->order[j];
                c->order[j--] = t;
            }
        }
        if (middle <= j)
            hi = j;
        else if (middle >= i)
            lo = i;
        else
            return;
    }
}

static void make_box(collider_mesh *c, int32_t first, int32_t n)
{
    int32_t me = c->n_boxes++;
    if (n <= COLLIDER_MESH_LEAF) {
        c->boxes[me] = (mesh_box){.first = first, .n = n};
        return;
    }
    split_at_median(c, first, n, widest_axis(c, first, n));
    make_box(c, first, n / 2);
    c->boxes[me].right = c->n_boxes;
    make_box(c, first + n / 2, n - n / 2);
}

bool collider_mesh_make_boxes(collider_mesh *c)
{
    /* Leaves have two triangles at least, where there are more than COLLIDER_MESH_LEAF. */
    c->capacity_boxes = c->n_triangles;
    if (!MEM_MAKE(c->mem, c->boxes, c->capacity_boxes))
        return false;
    for (int32_t ti = 0; ti < c->n_triangles; ti++)
        c->order[ti] = ti;
    make_box(c, 0, c->n_triangles);
    return true;
}

static void grow_box(mesh_box *b, vec3 lo, vec3 hi)
{
    b->lo = v3(min_of(b->lo.x, lo.x), min_of(b->lo.y, lo.y), min_of(b->lo.z, lo.z));
    b->hi = v3(max_of(b->hi.x, hi.x), max_of(b->hi.y, hi.y), max_of(b->hi.z, hi.z));
}

static void fit_boxes(collider_mesh *c)
{
    for (int32_t bi = c->n_boxes - 1; bi >= 0; bi--) { /* children come after their parent */
        mesh_box *b = &c->boxes[bi];
        b->lo = v3(HUGE_VAL, HUGE_VAL, HUGE_VAL);
        b->hi = v3_neg(b->lo);
        for (int32_t i = b->first; i < b->first + b->n; i++)
            for (int k = 0; k < 3; k++)
                grow_box(b, c->x[c->triangles[c->order[i]][k]], c->x[c->triangles[c->order[i]][k]]);
        if (b->n == 0) {
            grow_box(b, b[1].lo, b[1].hi);
            grow_box(b, c->boxes[b->right].lo, c->boxes[b->right].hi);
        }
    }
}

/* ---- normals ----------------------------------------------------------------------------------------------------- */

static void get_mesh_triangle(const collider_mesh *c, int32_t ti, vec3 out[3])
{
    for (int i = 0; i < 3; i++)
        out[i] = c->x[c->triangles[ti][i]];
}

static vec3 face_normal(const collider_mesh *c, int32_t ti)
{
    vec3 x[3];
    get_mesh_triangle(c, ti, x);
    return v3_unit_or(v3_cross(v3_sub(x[1], x[0]), v3_sub(x[2], x[0])), v3_zero());
}

static void sum_normals(collider_mesh *c)
{
    for (int32_t vi = 0; vi < c->n_vertices; vi++)
        c->normal[vi] = v3_zero();
    for (int32_t ti = 0; ti < c->n_triangles; ti++) {
        vec3 x[3], n = face_normal(c, ti);
        get_mesh_triangle(c, ti, x);
        for (int i = 0; i < 3; i++) {
            vec3 u = v3_sub(x[(i + 1) % 3], x[i]), v = v3_sub(x[(i + 2) % 3], x[i]);
            int32_t vi = c->same[c->triangles[ti][i]];
            c->normal[vi] = v3_madd(c->normal[vi], weft_atan2(v3_len(v3_cross(u, v)), v3_dot(u, v)), n);
        }
    }
}

static void measure_mesh(collider_mesh *c)
{
    if (c->measured)
        return;
    fit_boxes(c);
    if (c->info.closed) {
        sum_normals(c);
        c->outside = collider_mesh_volume(c) < 0 ? -1 : 1;
    }
    c->measured = true;
}

/* Of the corner, side or face that a point with these weights lies in. */
static vec3 pseudo_normal(const collider_mesh *c, int32_t ti, const double b[3])
{
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        if (b[j] == 0 && b[k] == 0)
            return c->normal[c->same[c->triangles[ti][i]]];
    }
    vec3 n = face_normal(c, ti);
    for (int i = 0; i < 3; i++)
        if (b[(i + 2) % 3] == 0 && c->neighbour[ti][i] >= 0)
            return v3_add(n, face_normal(c, c->neighbour[ti][i]));
    return n;
}

/* ---- distances --------------------------------------------------------------------------------------------------- */

static double intervals_apart(double lo_a, double hi_a, double lo_b, double hi_b)
{
    return max_of(0.0, max_of(lo_a - hi_b, lo_b - hi_a));
}

static double boxes_apart_sq(const mesh_box *b, vec3 lo, vec3 hi)
{
    vec3 d = v3(intervals_apart(b->lo.x, b->hi.x, lo.x, hi.x), intervals_apart(b->lo.y, b->hi.y, lo.y, hi.y),
                intervals_apart(b->lo.z, b->hi.z, lo.z, hi.z));
    return v3_len_sq(d);
}

/* The nearer child first. */
static int32_t push_children(const collider_mesh *c, int32_t bi, vec3 lo, vec3 hi, int32_t *stack, int32_t n)
{
    int32_t left = bi + 1, right = c->boxes[bi].right;
    bool left_first = boxes_apart_sq(&c->boxes[left], lo, hi) <= boxes_apart_sq(&c->boxes[right], lo, hi);
    stack[n++] = left_first ? right : left;
    stack[n++] = left_first ? left : right;
    return n;
}

collider_mesh_place collider_mesh_nearest(collider_mesh *c, vec3 p)
{
    measure_mesh(c);
    int32_t stack[2 * COLLIDER_MESH_DEPTH] = {0}, n = 1, nearest = -1;
    closest_on_triangle best = {.distance_sq = HUGE_VAL};
    while (n > 0) {
        const mesh_box *b = &c->boxes[stack[--n]];
        if (!(boxes_apart_sq(b, p, p) < best.distance_sq))
            continue;
        if (b->n == 0)
            n = push_children(c, (int32_t)(b - c->boxes), p, p, stack, n);
        for (int32_t i = b->first; i < b->first + b->n; i++) {
            vec3 x[3];
            get_mesh_triangle(c, c->order[i], x);
            closest_on_triangle found = closest_point_triangle(p, x);
            if (found.distance_sq < best.distance_sq) {
                best = found;
                nearest = c->order[i];
            }
        }
    }
    collider_mesh_place at = {.distance = sqrt(best.distance_sq), .point = best.point};
    if (nearest < 0)
        return at;
    bool in_face = best.b[0] > 0 && best.b[1] > 0 && best.b[2] > 0;
    at.has_side = c->info.closed || in_face;
    vec3 normal = c->info.closed ? v3_scale(c->outside, pseudo_normal(c, nearest, best.b)) : face_normal(c, nearest);
    at.normal = v3_unit_or(normal, v3_zero());
    at.behind = v3_dot(normal, v3_sub(p, best.point)) < 0;
    return at;
}

double collider_mesh_distance(collider_mesh *c, vec3 p)
{
    collider_mesh_place at = collider_mesh_nearest(c, p);
    return c->info.closed && at.behind ? -at.distance : at.distance;
}

double collider_mesh_triangle_distance(collider_mesh *c, const vec3 x[3], double within)
{
    measure_mesh(c);
    int32_t stack[2 * COLLIDER_MESH_DEPTH] = {0}, n = 1;
    mesh_box own = {x[0], x[0], 0, 0, 0};
    grow_box(&own, x[1], x[1]);
    grow_box(&own, x[2], x[2]);
    while (n > 0) {
        const mesh_box *b = &c->boxes[stack[--n]];
        if (!(boxes_apart_sq(b, own.lo, own.hi) < within * within))
            continue;
        if (b->n == 0)
            n = push_children(c, (int32_t)(b - c->boxes), own.lo, own.hi, stack, n);
        for (int32_t i = b->first; i < b->first + b->n; i++) {
            vec3 y[3];
            get_mesh_triangle(c, c->order[i], y);
            within = min_of(within, closest_triangles(x, y));
        }
    }
    return within;
}
