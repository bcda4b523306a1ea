/* SPDX-License-Identifier: MIT */
/* Lists of pairs go through ccd_eight in blocks that fit into the nearest cache; what is open after that is told one by
 * one. A proof of either kind is true, and so is the kernel's: they cannot differ but where the kernel gives a false
 * alarm. */
#include "contact/ccd_eight.h"
#include "math/vec.h"

#include <float.h>
#include <string.h>

/* ---- places ------------------------------------------------------------------------------------------------------ */

static void extend(vec3 *lo, vec3 *hi, vec3 x)
{
    *lo = v3(min_of(lo->x, x.x), min_of(lo->y, x.y), min_of(lo->z, x.z));
    *hi = v3(max_of(hi->x, x.x), max_of(hi->y, x.y), max_of(hi->z, x.z));
}

/* A power of two that brings the largest coordinate from the middle on to [1/2, 1]; 0 if there is none. */
static double scale_of(int32_t n, const vec3 *x0, const vec3 *x1, vec3 *middle)
{
    if (n <= 0)
        return 0;
    vec3 lo = x0[0], hi = x0[0];
    double finite = 0; /* becomes NaN with any that is not */
    for (int32_t i = 0; i < n; i++) {
        extend(&lo, &hi, x0[i]);
        extend(&lo, &hi, x1[i]);
        finite += 0 * (((x0[i].x + x0[i].y) + (x0[i].z + x1[i].x)) + (x1[i].y + x1[i].z));
    }
    *middle = v3_scale(0.5, v3_add(lo, hi));
    double size = max_of(v3_max_abs(v3_sub(hi, *middle)), v3_max_abs(v3_sub(lo, *middle)));
    if (!(finite == 0 && size > 1e-90 && size < 1e110))
        return 0;
    int exponent;
    frexp(size, &exponent);
    return ldexp(1, -exponent);
}

weft_ccd_motion weft_ccd_motion_of(int32_t n_nodes, const weft_vec3 *x0, const weft_vec3 *x1, weft_ccd_place *places)
{
    vec3 middle = v3_zero();
    double scale = scale_of(n_nodes, x0, x1, &middle);
    for (int32_t i = 0; i < n_nodes && scale > 0; i++) {
        vec3 a = v3_scale(scale, v3_sub(x0[i], middle)), b = v3_scale(scale, v3_sub(x1[i], middle));
        places[i] = (weft_ccd_place){{(float)a.x, (float)a.y, (float)a.z, 0, (float)b.x, (float)b.y, (float)b.z, 0}};
    }
    return (weft_ccd_motion){x0, x1, places, scale};
}

/* ---- lists ------------------------------------------------------------------------------------------------------- */

static bool ask(const weft_ccd_motion *m, bool edges, const int32_t node[4], double thickness)
{
    vec3 x0[4], x1[4];
    for (int k = 0; k < 4; k++) {
        x0[k] = m->x0[node[k]];
        x1[k] = m->x1[node[k]];
    }
    return edges ? weft_ccd_edge_edge(x0, x1, thickness, NULL) : weft_ccd_vertex_triangle(x0, x1, thickness, NULL);
}

static void name_nodes(bool edges, const int32_t *primitives, const int32_t *pair, int32_t node[4])
{
    if (edges) {
        memcpy(node, primitives + 2 * (int64_t)pair[0], 2 * sizeof *node);
        memcpy(node + 2, primitives + 2 * (int64_t)pair[1], 2 * sizeof *node);
    } else {
        node[0] = pair[0];
        memcpy(node + 1, primitives + 3 * (int64_t)pair[1], 3 * sizeof *node);
    }
}

/* Of the scaled places, not less than it is. */
static float scaled_thickness(const weft_ccd_motion *m, double thickness)
{
    return thickness > 0 ? (float)min_of(thickness * m->scale, 1e30) * (1 + 0x1p-22f) + FLT_MIN : 0;
}

static int64_t find(const weft_ccd_motion *m, bool edges, const int32_t *primitives, const int32_t *pairs, int64_t n,
                    double thickness, int64_t *found)
{
    const ccd_eight *kernel = ccd_eight_best();
    int64_t n_found = 0;
    ccd_block b;
    b.places = m->places;
    b.thickness = scaled_thickness(m, thickness);
    for (int64_t from = 0; from < n; from += CCD_BLOCK) {
        b.n = n - from < CCD_BLOCK ? (int)(n - from) : CCD_BLOCK;
        for (int i = 0; i < b.n; i++)
            name_nodes(edges, primitives, pairs + 2 * (from + i), b.node[i]);
        if (m->scale > 0)
            (edges ? kernel->edges : kernel->triangles)(&b);
        else
            memset(b.verdict, CCD_OPEN, (size_t)b.n);
        for (int i = 0; i < b.n; i++)
            if (b.verdict[i] == CCD_MEET || (b.verdict[i] == CCD_OPEN && ask(m, edges, b.node[i], thickness)))
                found[n_found++] = from + i;
    }
    return n_found;
}

int64_t weft_ccd_find_vertex_triangle(const weft_ccd_motion *motion, const int32_t *triangles, const int32_t *pairs,
                                      int64_t n, double thickness, int64_t *found)
{
    return find(motion, false, triangles, pairs, n, thickness, found);
}

int64_t weft_ccd_find_edge_edge(const weft_ccd_motion *motion, const int32_t *edges, const int32_t *pairs, int64_t n,
                                double thickness, int64_t *found)
{
    return find(motion, true, edges, pairs, n, thickness, found);
}
