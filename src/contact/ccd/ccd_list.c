/* SPDX-License-Identifier: MIT */
/* Lists of pairs go through ccd_simd8 in blocks that fit into the nearest cache; what is open after that does so once
 * more, with places that are finer; what is open then is told one by one. A proof of either kind is true, and so is the
 * kernel's: they cannot differ but where the kernel gives a false alarm. */
#include "contact/ccd/ccd_simd8.h"
#include "contact/params.h"
#include "math/vec.h"

#include <float.h>
#include <string.h>

/* Pairs that take the finer test together. */
enum { CCD_FINE_BLOCK = 64 };

/* ---- places ------------------------------------------------------------------------------------------------------ */

static void extend_box(vec3 *lo, vec3 *hi, vec3 x)
{
    *lo = v3(min_of(lo->x, x.x), min_of(lo->y, x.y), min_of(lo->z, x.z));
    *hi = v3(max_of(hi->x, x.x), max_of(hi->y, x.y), max_of(hi->z, x.z));
}

/* A power of two that brings a size to [1/2, 1]. */
static double power_below(double size)
{
    int exponent;
    if (!(size > 1e-90 && size < 1e110))
        return 0;
    frexp(size, &exponent);
    return ldexp(1, -exponent);
}

/* A power of two that brings the largest coordinate from the middle on to [1/2, 1]; 0 if there is none. */
static double motion_scale(int32_t n, const vec3 *x0, const vec3 *x1, vec3 *middle)
{
    if (n <= 0)
        return 0;
    vec3 lo = x0[0], hi = x0[0];
    double finite = 0; /* becomes NaN with any that is not */
    for (int32_t i = 0; i < n; i++) {
        extend_box(&lo, &hi, x0[i]);
        extend_box(&lo, &hi, x1[i]);
        finite += 0 * (((x0[i].x + x0[i].y) + (x0[i].z + x1[i].x)) + (x1[i].y + x1[i].z));
    }
    *middle = v3_scale(0.5, v3_add(lo, hi));
    double size = max_of(v3_max_abs(v3_sub(hi, *middle)), v3_max_abs(v3_sub(lo, *middle)));
    return finite == 0 ? power_below(size) : 0;
}

static weft_ccd_place scaled_place(vec3 x0, vec3 x1, vec3 middle, double scale)
{
    vec3 a = v3_scale(scale, v3_sub(x0, middle)), b = v3_scale(scale, v3_sub(x1, middle));
    return (weft_ccd_place){{(float)a.x, (float)a.y, (float)a.z, 0, (float)b.x, (float)b.y, (float)b.z, 0}};
}

weft_ccd_motion weft_ccd_motion_of(int32_t n_nodes, const weft_vec3 *x0, const weft_vec3 *x1, weft_ccd_place *places)
{
    vec3 middle = v3_zero();
    double scale = motion_scale(n_nodes, x0, x1, &middle);
    for (int32_t i = 0; i < n_nodes && scale > 0; i++)
        places[i] = scaled_place(x0[i], x1[i], middle, scale);
    return (weft_ccd_motion){x0, x1, places, scale};
}

/* ---- one by one -------------------------------------------------------------------------------------------------- */

static bool test_one(const weft_ccd_motion *m, bool edges, const int32_t node[4], double thickness)
{
    vec3 x0[4], x1[4];
    for (int k = 0; k < 4; k++) {
        x0[k] = m->x0[node[k]];
        x1[k] = m->x1[node[k]];
    }
    return edges ? weft_ccd_edge_edge(x0, x1, thickness, NULL) : weft_ccd_vertex_triangle(x0, x1, thickness, NULL);
}

static void get_pair_nodes(bool edges, const int32_t *primitives, const int32_t *pair, int32_t node[4])
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

/* One by one, where floats are of no use. */
static int64_t find_slowly(const weft_ccd_motion *m, bool edges, const ccd_list *l, double thickness, int64_t *found)
{
    int64_t n_found = 0;
    for (int64_t i = 0; i < l->n; i++) {
        int32_t node[4];
        get_pair_nodes(edges, l->primitives, l->pairs + 2 * i, node);
        if (test_one(m, edges, node, thickness))
            found[n_found++] = i;
    }
    return n_found;
}

/* ---- a finer test ------------------------------------------------------------------------------------------------ */

/* Some pairs, each with places about its first corner: errors of floats, which go by the size of what is scaled to 1,
 * are smaller there. */
typedef struct finer_test {
    const weft_ccd_motion *motion;
    bool edges;
    double thickness;
    int32_t node[CCD_FINE_BLOCK][4]; /* of the motion */
    weft_ccd_place places[4 * CCD_FINE_BLOCK];
    ccd_block *block;
} finer_test;

/* A power of two that brings the largest difference to the first corner of its pair to [1/2, 1]; 0 if there is none. */
static double fine_scale(const finer_test *s)
{
    const weft_ccd_motion *m = s->motion;
    double size = 0;
    for (int i = 0; i < s->block->n; i++)
        for (int k = 0; k < 4; k++) {
            vec3 first = m->x0[s->node[i][0]], a = m->x0[s->node[i][k]], b = m->x1[s->node[i][k]];
            size = max_of(size, max_of(v3_max_abs(v3_sub(a, first)), v3_max_abs(v3_sub(b, first))));
        }
    return power_below(size);
}

static void test_finer(finer_test *s)
{
    ccd_block *b = s->block;
    weft_ccd_motion m = *s->motion;
    m.scale = fine_scale(s);
    if (m.scale == 0) {
        memset(b->verdict, CCD_OPEN, (size_t)b->n);
        return;
    }
    for (int i = 0; i < b->n; i++)
        for (int k = 0; k < 4; k++) {
            const int32_t *node = s->node[i];
            s->places[4 * i + k] = scaled_place(m.x0[node[k]], m.x1[node[k]], m.x0[node[0]], m.scale);
            b->node[i][k] = 4 * i + k;
        }
    const ccd_list fine = {s->places, scaled_thickness(&m, s->thickness), CCD_LIST_SHORTEST_FINE, NULL, NULL, 0};
    b->list = &fine;
    ccd_simd8_best()->judge[s->edges](b);
    b->list = NULL;
}

static bool pair_meets(const finer_test *s, int i)
{
    uint8_t verdict = s->block->verdict[i];
    return verdict == CCD_MEET || (verdict == CCD_OPEN && test_one(s->motion, s->edges, s->node[i], s->thickness));
}

/* Of found pairs of a list, those that are open being ~ of their numbers, keeps those that meet. */
static int64_t settle_open(finer_test *s, const ccd_list *l, int64_t *found, int64_t n)
{
    int64_t kept = 0, end = 0;
    for (int64_t i = 0; i < n;) {
        int n_open = 0, at = 0;
        for (; end < n && n_open < CCD_FINE_BLOCK; end++)
            if (found[end] < 0)
                get_pair_nodes(s->edges, l->primitives, l->pairs + 2 * ~found[end], s->node[n_open++]);
        s->block->n = n_open;
        test_finer(s);
        for (; i < end; i++) {
            bool open = found[i] < 0, meets = !open || pair_meets(s, at++);
            found[kept] = open ? ~found[i] : found[i];
            kept += meets;
        }
    }
    return kept;
}

/* ---- lists ------------------------------------------------------------------------------------------------------- */

static int64_t find_list_contacts(const weft_ccd_motion *m, bool edges, const ccd_list *l, double thickness,
                                  int64_t *found)
{
    const ccd_simd8 *kernel = ccd_simd8_best();
    int64_t n_found = 0;
    ccd_block b;
    if (!(m->scale > 0))
        return find_slowly(m, edges, l, thickness, found);
    b.list = l;
    for (int64_t from = 0; from < l->n;) {
        from = kernel->sift[edges](&b, from);
        kernel->judge[edges](&b);
        for (int i = 0; i < b.n; i++)
            if (b.verdict[i] != CCD_APART)
                found[n_found++] = b.verdict[i] == CCD_MEET ? b.pair[i] : ~b.pair[i];
    }
    finer_test s;
    s.motion = m;
    s.edges = edges;
    s.thickness = thickness;
    s.block = &b;
    return settle_open(&s, l, found, n_found);
}

int64_t weft_ccd_find_vertex_triangle(const weft_ccd_motion *motion, const int32_t *triangles, const int32_t *pairs,
                                      int64_t n, double thickness, int64_t *found)
{
    const ccd_list l = {motion->places, scaled_thickness(motion, thickness), CCD_LIST_SHORTEST, triangles, pairs, n};
    return find_list_contacts(motion, false, &l, thickness, found);
}

int64_t weft_ccd_find_edge_edge(const weft_ccd_motion *motion, const int32_t *edges, const int32_t *pairs, int64_t n,
                                double thickness, int64_t *found)
{
    const ccd_list l = {motion->places, scaled_thickness(motion, thickness), CCD_LIST_SHORTEST, edges, pairs, n};
    return find_list_contacts(motion, true, &l, thickness, found);
}
