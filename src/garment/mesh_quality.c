/* SPDX-License-Identifier: MIT */
/* Angles, lengths and aspect of the elements of a mesh. The aspect of a triangle is its longest side over the diameter
 * of its inner circle, such that the equilateral one has 1. */
#include "garment/curve.h"
#include "garment/panel_mesh.h"
#include "math/trig.h"

static double angle_between(vec2 a, vec2 b)
{
    return fabs(weft_atan2(v2_cross(a, b), v2_dot(a, b)));
}

static double measure_triangle(weft_mesh_quality *q, vec2 a, vec2 b, vec2 c)
{
    vec2 side[3] = {v2_sub(b, a), v2_sub(c, b), v2_sub(a, c)};
    double area = 0.5 * v2_cross(side[0], v2_sub(c, a)), around = 0, longest = 0;
    for (int i = 0; i < 3; i++) {
        double length = v2_len(side[i]), angle = WEFT_PI - angle_between(side[i], side[(i + 1) % 3]);
        q->least_angle = min_of(q->least_angle, angle);
        q->most_angle = max_of(q->most_angle, angle);
        q->shortest = min_of(q->shortest, length);
        longest = max_of(longest, length);
        around += length;
    }
    q->longest = max_of(q->longest, longest);
    /* The inner circle's radius is 2 area / perimeter. */
    q->largest_aspect = max_of(q->largest_aspect, area > 0 ? longest * around / (4 * area * sqrt(3.0)) : HUGE_VAL);
    return area;
}

static double measure_quad(weft_mesh_quality *q, const vec2 *nodes, const int32_t *v)
{
    for (int i = 0; i < 4; i++) {
        double length = v2_distance(nodes[v[i]], nodes[v[(i + 1) % 4]]);
        q->shortest = min_of(q->shortest, length);
        q->longest = max_of(q->longest, length);
    }
    return 0.5 * v2_cross(v2_sub(nodes[v[2]], nodes[v[0]]), v2_sub(nodes[v[3]], nodes[v[1]]));
}

weft_mesh_quality mesh_quality(const vec2 *nodes, const int32_t *triangles, int32_t n_triangles, const int32_t *quads,
                               int32_t n_quads)
{
    weft_mesh_quality q = {.least_angle = WEFT_PI / 2, .largest_aspect = 1, .shortest = HUGE_VAL};
    double in_triangles = 0, in_quads = 0;
    for (int32_t i = 0; i < n_triangles; i++) {
        const int32_t *v = triangles + 3 * (int64_t)i;
        in_triangles += measure_triangle(&q, nodes[v[0]], nodes[v[1]], nodes[v[2]]);
    }
    for (int32_t i = 0; i < n_quads; i++)
        in_quads += measure_quad(&q, nodes, quads + 4 * (int64_t)i);
    q.quad_share = in_triangles + in_quads > 0 ? in_quads / (in_triangles + in_quads) : 0;
    return q;
}

weft_mesh_quality mesh_quality_join(weft_mesh_quality a, double area_a, weft_mesh_quality b, double area_b)
{
    double area = area_a + area_b;
    return (weft_mesh_quality){.least_angle = min_of(a.least_angle, b.least_angle),
                               .most_angle = max_of(a.most_angle, b.most_angle),
                               .largest_aspect = max_of(a.largest_aspect, b.largest_aspect),
                               .shortest = min_of(a.shortest, b.shortest),
                               .longest = max_of(a.longest, b.longest),
                               .quad_share = area > 0 ? (area_a * a.quad_share + area_b * b.quad_share) / area : 0};
}
