/* SPDX-License-Identifier: MIT */
/* Idea: a node's normal is the mean of those of the triangles around it, and the surface bends there as far as one of
 * them departs from it (villard2002 §4.1). Two passes over the elements: the first sums normals up, the second
 * compares. */
#include "mesh/criterion.h"

/* The two triangles at corner k of an element with the centre c; false: one has no area. */
static bool corner_normals(const element *el, const vec3 *x, vec3 c, int k, vec3 out[2])
{
    vec3 p = x[el->node[k]], to_c = v3_sub(c, p);
    vec3 next = v3_sub(x[el->node[(k + 1) % el->n]], p), past = v3_sub(x[el->node[(k + el->n - 1) % el->n]], p);
    vec3 a = v3_cross(next, to_c), b = v3_cross(to_c, past);
    double la = v3_len(a), lb = v3_len(b);
    if (!(la > 0) || !(lb > 0))
        return false;
    out[0] = v3_scale(1 / la, a);
    out[1] = v3_scale(1 / lb, b);
    return true;
}

static vec3 element_centre(const element *el, const vec3 *x)
{
    vec3 sum = v3_zero();
    for (int i = 0; i < el->n; i++)
        sum = v3_add(sum, x[el->node[i]]);
    return v3_scale(1.0 / el->n, sum);
}

static void add_element_normals(const element *el, const vec3 *x, vec3 *normal, double *cosine)
{
    vec3 c = element_centre(el, x), n[2];
    for (int k = 0; k < el->n; k++) {
        int32_t vi = el->node[k];
        if (corner_normals(el, x, c, k, n))
            normal[vi] = v3_add(normal[vi], v3_add(n[0], n[1]));
        else
            cosine[vi] = -1;
    }
}

static void compare_normals(const element *el, const vec3 *x, const vec3 *normal, double *cosine)
{
    vec3 c = element_centre(el, x), n[2];
    for (int k = 0; k < el->n; k++) {
        int32_t vi = el->node[k];
        if (!corner_normals(el, x, c, k, n))
            continue;
        double least = min_of(v3_dot(normal[vi], n[0]), v3_dot(normal[vi], n[1]));
        cosine[vi] = min_of(cosine[vi], least);
    }
}

void criterion_cosines(const surface *s, const vec3 *x, vec3 *normal, double *cosine)
{
    for (int32_t vi = 0; vi < s->n_nodes; vi++) {
        normal[vi] = v3_zero();
        cosine[vi] = 1;
    }
    for (int32_t ei = 0; ei < s->n_elements; ei++)
        add_element_normals(&s->elements[ei], x, normal, cosine);
    for (int32_t vi = 0; vi < s->n_nodes; vi++)
        normal[vi] = v3_unit_or(normal[vi], v3_zero());
    for (int32_t ei = 0; ei < s->n_elements; ei++)
        compare_normals(&s->elements[ei], x, normal, cosine);
}
