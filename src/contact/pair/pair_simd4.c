/* SPDX-License-Identifier: MIT */
/* Closest points of one pair, and of any four. */
#include "contact/pair/pair_simd4.h"

gap contact_pair_gap(const vec3 *x, const contact_pair *p)
{
    vec3 y[4];
    for (int i = 0; i < 4; i++)
        y[i] = x[p->node[i]];
    return p->edges ? gap_edge_edge(y) : gap_vertex_triangle(y);
}

void contact_pair_gaps(const pair_kernel *k, const vec3 *x, const contact_pair p[4], gap out[4])
{
    bool alike = p[0].edges == p[1].edges && p[0].edges == p[2].edges && p[0].edges == p[3].edges;
    unsigned left = !alike ? 15 : p[0].edges ? k->edge_gaps(x, p, out) : k->triangle_gaps(x, p, out);
    for (int i = 0; left != 0 && i < 4; i++)
        if (left >> i & 1)
            out[i] = contact_pair_gap(x, &p[i]);
}
