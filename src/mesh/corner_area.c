/* SPDX-License-Identifier: MIT */
/* What each corner of a face has of its area: a third of a triangle; of a quad what villard2002 §5.2 gives it, with the
 * sum of the two triangles that are drawn. */
#include "mesh/corner_area.h"

static double area_of(vec3 a, vec3 b, vec3 c)
{
    return 0.5 * v3_len(v3_cross(v3_sub(b, a), v3_sub(c, a)));
}

void corner_areas(const vec3 p[4], int n, int diagonal, double out[4])
{
    if (n == 3) {
        out[0] = out[1] = out[2] = area_of(p[0], p[1], p[2]) / 3;
        out[3] = 0;
        return;
    }
    double at[4], drawn, mean;
    for (int i = 0; i < 4; i++)
        at[i] = area_of(p[(i + 3) % 4], p[i], p[(i + 1) % 4]);
    mean = 0.5 * ((at[0] + at[2]) + (at[1] + at[3])); /* a bent quad has not the same area by both cuts */
    drawn = diagonal == 0 ? at[1] + at[3] : at[0] + at[2];
    for (int i = 0; i < 4; i++)
        out[i] = drawn * (mean + at[i]) / (6 * mean);
}

void surface_corner_areas(const surface *s, int32_t ei, double out[4])
{
    const element *el = &s->elements[ei];
    vec3 p[4] = {{0}};
    for (int i = 0; i < el->n; i++)
        p[i] = s->rest ? s->rest[el->node[i]] : v3(s->uv[el->node[i]].u, s->uv[el->node[i]].v, 0);
    corner_areas(p, el->n, el->diagonal, out);
}

static vec3 middle_of(vec3 a, vec3 b)
{
    return v3_scale(0.5, v3_add(a, b));
}

void corner_centre_weights(const vec3 p[4], int diagonal, double out[4])
{
    vec3 m[4], c = middle_of(p[diagonal], p[diagonal + 2]);
    for (int i = 0; i < 4; i++)
        m[i] = middle_of(p[i], p[(i + 1) % 4]);
    double centre = 0;
    corner_areas(p, 4, diagonal, out);
    for (int k = 0; k < 4; k++) { /* child k: p_k, m_k, c, m_k−1, turned to begin at its corner k (forest.h) */
        vec3 child[4];
        int before = (k + 3) % 4, after = (k + 1) % 4;
        child[k] = p[k];
        child[after] = m[k];
        child[(k + 2) % 4] = c;
        child[before] = m[before];
        double own[4];
        corner_areas(child, 4, k % 2, own);
        out[k] -= own[k] + 0.5 * (own[after] + own[before]);
        out[after] -= 0.5 * own[after];
        out[before] -= 0.5 * own[before];
        centre += own[(k + 2) % 4];
    }
    for (int i = 0; i < 4; i++)
        out[i] /= centre;
}
