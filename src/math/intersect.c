/* SPDX-License-Identifier: MIT */
/* Intersection of segments and triangles by signs of orientation determinants alone.
 *
 * Idea: every answer is a finite set of exact signs, so there are no tolerances. Where all lies in one plane a
 * coordinate is dropped in which the plane does not become a line, and the signs are those of two dimensions; on
 * one line the lexicographic order of points serves.
 *
 * Two triangles a, b with common vertices C (by place), K = a ∩ b, which is convex:
 *   |C| = 0  they intersect if K is not empty: then an edge of one intersects the other.
 *   |C| = 1  the common vertex v is in K. If K has another point, it holds a segment from v, whose far end is on
 *            the edge opposite v of a or of b. So they intersect if the edge opposite v of one intersects the
 *            other.
 *   |C| = 2  the common edge is in K, and is all of it unless both are in one plane, on the same side of it.
 *   |C| = 3  the same triangle twice.
 * Triangles without area are cut at v into segments that end there, and the same holds with far ends in place of
 * edges. With |C| = 2 they intersect if both are on one line and go on beyond the same end of the common edge; with
 * |C| = 3 all of them is common edges.
 *
 * Invariants:
 * 1. Symmetric: swapping the triangles, or turning the vertices of one, does not change the answer.
 * 2. -0 and 0 are the same place. */
#include "math/intersect.h"

static bool are_same_place(vec3 a, vec3 b)
{
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

/* Lexicographic: on a line it is the order along it. */
static bool is_before(vec3 a, vec3 b)
{
    if (a.x != b.x)
        return a.x < b.x;
    return a.y != b.y ? a.y < b.y : a.z < b.z;
}

/* ---- in one plane ---------------------------------------------------------------------------------------------- */

static bool ranges_overlap(double p, double q, double r, double s)
{
    return max_of(min_of(p, q), min_of(r, s)) <= min_of(max_of(p, q), max_of(r, s));
}

static bool boxes_overlap_flat(vec2 p, vec2 q, vec2 r, vec2 s)
{
    return ranges_overlap(p.u, q.u, r.u, s.u) && ranges_overlap(p.v, q.v, r.v, s.v);
}

static bool segments_cross_flat(vec2 p, vec2 q, vec2 r, vec2 s)
{
    if (!boxes_overlap_flat(p, q, r, s))
        return false;
    int pr = predicate_orient2d(p, q, r), ps = predicate_orient2d(p, q, s);
    int rp = predicate_orient2d(r, s, p), rq = predicate_orient2d(r, s, q);
    return pr * ps <= 0 && rp * rq <= 0;
}

/* t has an area. */
static bool point_in_flat(vec2 p, const vec2 t[3])
{
    int around = predicate_orient2d(t[0], t[1], t[2]);
    for (int i = 0; i < 3; i++)
        if (predicate_orient2d(t[i], t[(i + 1) % 3], p) == -around)
            return false;
    return true;
}

static bool segment_crosses_flat(vec2 p, vec2 q, const vec2 t[3])
{
    if (point_in_flat(p, t))
        return true;
    for (int i = 0; i < 3; i++)
        if (segments_cross_flat(p, q, t[i], t[(i + 1) % 3]))
            return true;
    return false;
}

/* ---- segments -------------------------------------------------------------------------------------------------- */

/* All four on one line. */
static bool segments_overlap_on_line(vec3 p, vec3 q, vec3 r, vec3 s)
{
    vec3 low0 = is_before(p, q) ? p : q, high0 = is_before(p, q) ? q : p;
    vec3 low1 = is_before(r, s) ? r : s, high1 = is_before(r, s) ? s : r;
    return !is_before(high0, low1) && !is_before(high1, low0);
}

bool intersect_segments(vec3 p, vec3 q, vec3 r, vec3 s)
{
    if (!ranges_overlap(p.x, q.x, r.x, s.x) || !ranges_overlap(p.y, q.y, r.y, s.y) ||
        !ranges_overlap(p.z, q.z, r.z, s.z))
        return false;
    if (predicate_orient3d(p, q, r, s) != 0)
        return false;
    int axis;
    if (predicate_is_collinear(p, q, r, &axis) && predicate_is_collinear(p, q, s, &axis) &&
        predicate_is_collinear(r, s, p, &axis) && predicate_is_collinear(r, s, q, &axis))
        return segments_overlap_on_line(p, q, r, s);
    return segments_cross_flat(predicate_drop(p, axis), predicate_drop(q, axis), predicate_drop(r, axis),
                               predicate_drop(s, axis));
}

/* ---- segment and triangle -------------------------------------------------------------------------------------- */

/* The ends of what a triangle on a line covers. */
static void line_ends(const vec3 t[3], vec3 ends[2])
{
    ends[0] = ends[1] = t[0];
    for (int i = 1; i < 3; i++) {
        if (is_before(t[i], ends[0]))
            ends[0] = t[i];
        if (is_before(ends[1], t[i]))
            ends[1] = t[i];
    }
}

static segment_hit hit_of(hit_kind kind, int feature, int end)
{
    return (segment_hit){kind, feature, end};
}

static segment_hit coplanar_hit(vec3 p, vec3 q, const vec3 t[3], int axis)
{
    const vec2 flat[3] = {predicate_drop(t[0], axis), predicate_drop(t[1], axis), predicate_drop(t[2], axis)};
    bool crosses = segment_crosses_flat(predicate_drop(p, axis), predicate_drop(q, axis), flat);
    return hit_of(crosses ? HIT_COPLANAR : HIT_NONE, -1, -1);
}

/* All orientations of p and q by the triangle are 0: in its plane, or it has none. */
static segment_hit flat_hit(vec3 p, vec3 q, const vec3 t[3])
{
    int axis;
    if (!predicate_is_collinear(t[0], t[1], t[2], &axis))
        return coplanar_hit(p, q, t, axis);
    vec3 ends[2];
    line_ends(t, ends);
    return hit_of(intersect_segments(p, q, ends[0], ends[1]) ? HIT_COPLANAR : HIT_NONE, -1, -1);
}

/* Where the line p q, which is not in the triangle's plane nor along it, goes through the triangle: by the sides on
 * which it passes the edges. */
static segment_hit through_hit(vec3 p, vec3 q, const vec3 t[3], int end)
{
    int n_zero = 0, zero = 0, other = 0, side = 0;
    for (int i = 0; i < 3; i++) {
        int s = predicate_orient3d(p, q, t[i], t[(i + 1) % 3]);
        if (s == 0) {
            n_zero++;
            zero = i;
        } else if (side == -s) {
            return hit_of(HIT_NONE, -1, -1);
        } else {
            side = s;
            other = i;
        }
    }
    if (n_zero == 0)
        return hit_of(HIT_INSIDE, -1, end);
    /* Through two edges: their common vertex, the one opposite the third. */
    return n_zero == 1 ? hit_of(HIT_EDGE, zero, end) : hit_of(HIT_VERTEX, (other + 2) % 3, end);
}

segment_hit intersect_segment_triangle(vec3 p, vec3 q, const vec3 t[3])
{
    int from = predicate_orient3d(t[0], t[1], t[2], p), to = predicate_orient3d(t[0], t[1], t[2], q);
    if (from * to > 0)
        return hit_of(HIT_NONE, -1, -1);
    if (from == 0 && to == 0)
        return flat_hit(p, q, t);
    return through_hit(p, q, t, from == 0 ? 0 : to == 0 ? 1 : -1);
}

/* ---- two triangles --------------------------------------------------------------------------------------------- */

static bool edge_intersects(vec3 p, vec3 q, const vec3 t[3])
{
    return intersect_segment_triangle(p, q, t).kind != HIT_NONE;
}

static bool any_edge_intersects(const vec3 a[3], const vec3 b[3])
{
    for (int i = 0; i < 3; i++)
        if (edge_intersects(a[i], a[(i + 1) % 3], b) || edge_intersects(b[i], b[(i + 1) % 3], a))
            return true;
    return false;
}

/* A triangle, cut at one of its places: what is in it from there to an opposite edge; or, without area, to an end. */
typedef struct sector {
    vec3 far[2]; /* the same twice: a segment */
} sector;

static int cut_at(vec3 v, const vec3 t[3], sector out[2])
{
    int axis, n = 0;
    if (!predicate_is_collinear(t[0], t[1], t[2], &axis)) {
        int i = are_same_place(t[0], v) ? 0 : are_same_place(t[1], v) ? 1 : 2;
        out[0] = (sector){{t[(i + 1) % 3], t[(i + 2) % 3]}};
        return 1;
    }
    vec3 ends[2];
    line_ends(t, ends);
    for (int i = 0; i < 2; i++)
        if (!are_same_place(ends[i], v))
            out[n++] = (sector){{ends[i], ends[i]}};
    return n;
}

/* Whether the far side of s intersects the sector t at v. */
static bool far_side_intersects(const sector *s, const sector *t, vec3 v)
{
    const vec3 triangle[3] = {v, t->far[0], t->far[1]};
    return edge_intersects(s->far[0], s->far[1], triangle);
}

static bool intersect_beyond(vec3 v, const vec3 a[3], const vec3 b[3])
{
    sector of_a[2], of_b[2];
    int n_a = cut_at(v, a, of_a), n_b = cut_at(v, b, of_b);
    for (int i = 0; i < n_a; i++)
        for (int j = 0; j < n_b; j++)
            if (far_side_intersects(&of_a[i], &of_b[j], v) || far_side_intersects(&of_b[j], &of_a[i], v))
                return true;
    return false;
}

/* The place of t that is neither u nor v; u if there is none. */
static vec3 third_place(const vec3 t[3], vec3 u, vec3 v)
{
    for (int i = 0; i < 3; i++)
        if (!are_same_place(t[i], u) && !are_same_place(t[i], v))
            return t[i];
    return u;
}

/* p and q beyond the same end of the edge u v, all on one line */
static bool beyond_same_end(vec3 u, vec3 v, vec3 p, vec3 q)
{
    vec3 low = is_before(u, v) ? u : v, high = is_before(u, v) ? v : u;
    return (is_before(p, low) && is_before(q, low)) || (is_before(high, p) && is_before(high, q));
}

/* Common edge u v. */
static bool intersect_beside(vec3 u, vec3 v, const vec3 a[3], const vec3 b[3])
{
    vec3 p = third_place(a, u, v), q = third_place(b, u, v);
    if (predicate_orient3d(u, v, p, q) != 0)
        return false;
    int axis, unused;
    bool flat_a = predicate_is_collinear(u, v, p, &axis), flat_b = predicate_is_collinear(u, v, q, &unused);
    if (flat_a || flat_b) /* one of them alone on the line of the edge: beyond the edge the other is not on that line */
        return flat_a && flat_b && beyond_same_end(u, v, p, q);
    vec2 flat_u = predicate_drop(u, axis), flat_v = predicate_drop(v, axis);
    return predicate_orient2d(flat_u, flat_v, predicate_drop(p, axis)) ==
           predicate_orient2d(flat_u, flat_v, predicate_drop(q, axis));
}

/* The places where both have a vertex, each once. */
static int common_places(const vec3 a[3], const vec3 b[3], vec3 out[3])
{
    int n = 0;
    for (int i = 0; i < 3; i++) {
        bool is_common = are_same_place(a[i], b[0]) || are_same_place(a[i], b[1]) || are_same_place(a[i], b[2]);
        for (int k = 0; k < n; k++)
            is_common = is_common && !are_same_place(a[i], out[k]);
        if (is_common)
            out[n++] = a[i];
    }
    return n;
}

static triangle_intersection kind_of_intersection(const vec3 a[3], const vec3 b[3])
{
    int axis;
    if (predicate_is_collinear(a[0], a[1], a[2], &axis) || predicate_is_collinear(b[0], b[1], b[2], &axis))
        return INTERSECT_DEGENERATE;
    for (int i = 0; i < 3; i++)
        if (predicate_orient3d(a[0], a[1], a[2], b[i]) != 0)
            return INTERSECT_CROSS;
    return INTERSECT_COPLANAR;
}

/* All of b strictly on one side of a. */
static bool is_beside(const vec3 a[3], const vec3 b[3])
{
    int first = predicate_orient3d(a[0], a[1], a[2], b[0]);
    return first != 0 && predicate_orient3d(a[0], a[1], a[2], b[1]) == first &&
           predicate_orient3d(a[0], a[1], a[2], b[2]) == first;
}

triangle_intersection intersect_triangles(const vec3 a[3], const vec3 b[3])
{
    vec3 common[3];
    bool intersect;
    int axis, n_common = common_places(a, b, common);
    if (n_common == 0)
        intersect = !is_beside(a, b) && !is_beside(b, a) && any_edge_intersects(a, b);
    else if (n_common == 1)
        intersect = intersect_beyond(common[0], a, b);
    else if (n_common == 2)
        intersect = intersect_beside(common[0], common[1], a, b);
    else
        intersect = !predicate_is_collinear(a[0], a[1], a[2], &axis);
    return intersect ? kind_of_intersection(a, b) : INTERSECT_NONE;
}
