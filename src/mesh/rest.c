/* SPDX-License-Identifier: MIT */
/* The rest shape seen from one triangle: its nodes, and its neighbours' apexes, laid out in its plane with u along
 * warp.
 *
 * With material coordinates that is uv itself, mirrored in u where a panel lies face down, so that the orientation is
 * always the triangle's own: moduli along warp and weft do not tell u from −u. From a 3D rest shape, the triangle is
 * turned into the plane and its neighbours unfolded about the common edge; warp is where x points on it, or y where
 * the triangle stands across x. */
#include "mesh/params.h"
#include "mesh/surface.h"

typedef struct frame {
    vec3 origin, u, v;
} frame;

static frame triangle_frame(const surface *s, const triangle *t)
{
    vec3 o = s->rest[t->node[0]];
    vec3 n = v3_unit_or(v3_cross(v3_sub(s->rest[t->node[1]], o), v3_sub(s->rest[t->node[2]], o)), v3(0, 0, 1));
    vec3 axis = fabs(n.x) > REST_ACROSS ? v3(0, 1, 0) : v3(1, 0, 0);
    vec3 u = v3_unit_or(v3_madd(axis, -v3_dot(axis, n), n), v3(1, 0, 0));
    return (frame){o, u, v3_cross(n, u)};
}

static vec2 in_frame(const frame *f, vec3 x)
{
    vec3 d = v3_sub(x, f->origin);
    return (vec2){v3_dot(d, f->u), v3_dot(d, f->v)};
}

static double signed_area(const vec2 p[3])
{
    return 0.5 * ((p[1].u - p[0].u) * (p[2].v - p[0].v) - (p[2].u - p[0].u) * (p[1].v - p[0].v));
}

/* Returns -1 where uv is mirrored, else 1. */
static double flat_rest(const surface *s, const triangle *t, vec2 out[3])
{
    for (int i = 0; i < 3; i++)
        out[i] = s->uv[t->node[i]];
    double sign = signed_area(out) < 0 ? -1.0 : 1.0;
    for (int i = 0; i < 3; i++)
        out[i].u *= sign;
    return sign;
}

/* The same from the 3D rest shape. */
static void framed_rest(const surface *s, const triangle *t, vec2 out[3])
{
    frame f = triangle_frame(s, t);
    for (int i = 0; i < 3; i++)
        out[i] = in_frame(&f, s->rest[t->node[i]]);
}

void surface_triangle_rest(const surface *s, int32_t ti, vec2 out[3])
{
    if (s->uv)
        flat_rest(s, &s->triangles[ti], out);
    else
        framed_rest(s, &s->triangles[ti], out);
}

static int32_t apex_over(const surface *s, int32_t of, int32_t over)
{
    const triangle *t = &s->bent[of];
    for (int i = 0; i < 3; i++)
        if (t->neighbour[i] == over)
            return t->node[i];
    return -1;
}

/* The apex keeps its distances to the edge a → b, and lies on its right (the triangle itself is on the left). */
static vec2 unfold_apex(const surface *s, int32_t na, int32_t nb, int32_t napex, vec2 a, vec2 b)
{
    vec3 e = v3_sub(s->rest[nb], s->rest[na]), d = v3_sub(s->rest[napex], s->rest[na]);
    double len = v3_len(e), along = v3_dot(d, e) / len;
    double away = v3_len(v3_cross(d, e)) / len;
    double eu = (b.u - a.u) / len, ev = (b.v - a.v) / len;
    return (vec2){a.u + along * eu + away * ev, a.v + along * ev - away * eu};
}

int32_t surface_triangle_patch(const surface *s, int32_t ti, vec2 out[6], int32_t nodes[6])
{
    const triangle *t = &s->bent[ti];
    int32_t present = 0;
    double sign = 1;
    if (s->uv)
        sign = flat_rest(s, t, out);
    else
        framed_rest(s, t, out);
    for (int i = 0; i < 3; i++) {
        int a = (i + 1) % 3, b = (i + 2) % 3;
        nodes[i] = t->node[i];
        nodes[3 + i] = -1;
        out[3 + i] = (vec2){0, 0};
        if (t->neighbour[i] < 0)
            continue;
        int32_t far = apex_over(s, t->neighbour[i], ti);
        nodes[3 + i] = far;
        present |= 1 << i;
        out[3 + i] = s->uv ? (vec2){sign * s->uv[far].u, s->uv[far].v}
                           : unfold_apex(s, t->node[a], t->node[b], far, out[a], out[b]);
    }
    return present;
}

static vec3 rest_normal(const surface *s, int32_t ti)
{
    const int32_t *n = s->triangles[ti].node;
    return v3_unit_or(v3_cross(v3_sub(s->rest[n[1]], s->rest[n[0]]), v3_sub(s->rest[n[2]], s->rest[n[0]])),
                      v3(0, 0, 1));
}

bool surface_is_flat(const surface *s)
{
    if (s->uv)
        return true;
    for (int32_t ti = 0; ti < s->n_triangles; ti++) {
        vec3 n = rest_normal(s, ti);
        for (int i = 0; i < 3; i++) {
            int32_t tj = s->triangles[ti].neighbour[i];
            if (tj > ti &&
                (v3_len(v3_cross(n, rest_normal(s, tj))) > REST_FLAT_SINE || v3_dot(n, rest_normal(s, tj)) < 0))
                return false;
        }
    }
    return true;
}
