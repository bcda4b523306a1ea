/* SPDX-License-Identifier: MIT */
/* Intersection contour minimisation against analytic solids (ye2012 §4).
 *
 * Idea: the contour of a triangle on a curved surface runs from one point of its edges to another; in its stead the
 * chord between them is shortened. At a point P of edge E, with the surface's normal N there and R the sum of the unit
 * vectors along the chords, moving E along G = R − (E·R)/(E·N) N does it best (eq. 5); a part of G against N, which
 * would lead inward, is left out (eq. 3).
 *
 * A triangle's border goes in and out of a convex solid once, twice or three times: at 2, 4 or 6 points. Going round,
 * the chord that begins where the border leaves the solid ends where it next comes in:
 *
 *        /\            leaves at P, comes in at Q
 *     --P--Q--
 *      /    \
 *
 * Where we differ: the paper does not say how points are paired when there are more than two. Triangles that the
 * surface cuts at no edge are left to outside.c.
 *
 * Invariant: every chord has an end where the border leaves, and one where it comes in. */
#include "untangle/chord.h"

#include <string.h>

#include "untangle/params.h"

bool chords_make(chords *c, mem *m, const mesh_adjacency *w)
{
    *c = (chords){.m = m, .n_edges = w->n_edges};
    return MEM_MAKE(m, c->hits, w->n_edges);
}

void chords_free(chords *c)
{
    if (c->m)
        MEM_FREE(c->m, c->hits, c->n_edges);
}

/* ---- points ------------------------------------------------------------------------------------------------------ */

/* Coming from `from`, which is outside. */
static bool find_hit(const collider *solid, double margin, vec3 from, vec3 to, double *s, vec3 *normal)
{
    vec3 a = pose_unapply(&solid->to, from), b = pose_unapply(&solid->to, to), n;
    bool hit = shape_path(&solid->shape, margin, a, b, s, &n);
    *normal = m3_mul_v(solid->to.r, n);
    return hit;
}

static void find_hits(chord_hits *h, const collider *solid, double margin, vec3 p, vec3 q)
{
    double dp = collider_distance(solid, p), dq = collider_distance(solid, q), length = v3_len(v3_sub(p, q));
    h->n = 0;
    if ((dp >= margin && dq >= margin && dp + dq - 2 * margin >= length) || (dp < margin && dq < margin))
        return;
    if (dp >= margin && find_hit(solid, margin, p, q, &h->s[0], &h->normal[0]))
        h->n = 1;
    if (dq >= margin && h->n == (dp >= margin) && find_hit(solid, margin, q, p, &h->s[h->n], &h->normal[h->n])) {
        h->s[h->n] = 1 - h->s[h->n];
        h->n++;
    }
    if (dp >= margin && dq >= margin && (h->n == 1 || h->s[0] >= h->s[1]))
        h->n = 0; /* it only touches */
    h->inward[0] = h->inward[1] = v3_zero();
}

/* ---- chords ------------------------------------------------------------------------------------------------------ */

typedef struct border_point {
    int32_t edge, which;
    vec3 at;
    bool leaves;
} border_point;

/* The points on a triangle's border, in the order of its corners. */
static int walk_border(const chords *c, const mesh_adjacency *w, const vec3 *x, int32_t ti, border_point out[6])
{
    int n = 0;
    for (int i = 0; i < 3; i++) {
        int32_t ei = w->tri_edge[ti][i];
        const mesh_adjacency_edge *e = &w->edges[ei];
        const chord_hits *h = &c->hits[ei];
        bool along = e->v[0] == w->tri[ti][i];
        for (int j = 0; j < h->n; j++) {
            int which = along ? j : h->n - 1 - j;
            vec3 way = v3_sub(x[e->v[1]], x[e->v[0]]);
            bool outward = h->n == 2 ? which == 1 : v3_dot(h->normal[which], way) > 0;
            out[n++] = (border_point){ei, which, v3_madd(x[e->v[0]], h->s[which], way), outward == along};
        }
    }
    return n;
}

static void add_chord(chords *c, const border_point *p, const border_point *q)
{
    vec3 way = v3_unit_or(v3_sub(q->at, p->at), v3_zero());
    vec3 *rp = &c->hits[p->edge].inward[p->which], *rq = &c->hits[q->edge].inward[q->which];
    *rp = v3_add(*rp, way);
    *rq = v3_sub(*rq, way);
}

void chords_find(chords *c, const mesh_adjacency *w, const vec3 *x, const uint8_t *at, const collider *solid,
                 double margin)
{
    border_point p[6];
    memset(c->n_triangles, 0, sizeof c->n_triangles);
    for (int32_t ei = 0; ei < w->n_edges; ei++) {
        const int32_t *v = w->edges[ei].v;
        if (at[v[0]] && at[v[1]])
            find_hits(&c->hits[ei], solid, margin, x[v[0]], x[v[1]]);
        else
            c->hits[ei].n = 0;
    }
    for (int32_t ti = 0; ti < w->n_triangles; ti++) {
        if (w->tri_edge[ti][0] < 0)
            continue;
        int n = walk_border(c, w, x, ti, p);
        c->n_triangles[n / 2]++;
        for (int i = 0; i < n; i++)
            if (p[i].leaves && !p[(i + 1) % n].leaves)
                add_chord(c, &p[i], &p[(i + 1) % n]);
    }
}

bool chords_cut(const chords *c, const mesh_adjacency *w, int32_t ti)
{
    for (int i = 0; i < 3 && w->tri_edge[ti][0] >= 0; i++)
        if (c->hits[w->tri_edge[ti][i]].n > 0)
            return true;
    return false;
}

/* ---- moves ------------------------------------------------------------------------------------------------------- */

/* Eq. 5 with eq. 3. */
static vec3 chord_vector(const chord_hits *h, int i, vec3 along)
{
    double up = v3_dot(along, h->normal[i]), flat = v3_dot(along, h->inward[i]);
    double t = up != 0 ? min_of(UNTANGLE_VECTOR_BOUND, -flat / up) : 0;
    return t > 0 ? v3_madd(h->inward[i], t, h->normal[i]) : h->inward[i];
}

void chords_push(const chords *c, minimise *k, const mesh_adjacency *w, const vec3 *x)
{
    for (int32_t ei = 0; ei < w->n_edges; ei++) {
        const chord_hits *h = &c->hits[ei];
        const int32_t *v = w->edges[ei].v;
        vec3 along = v3_unit_or(v3_sub(x[v[1]], x[v[0]]), v3_zero());
        for (int i = 0; i < h->n; i++)
            minimise_ask_edge(k, ei, h->s[i], chord_vector(h, i, along));
    }
}
