/* SPDX-License-Identifier: MIT */
/* Stretch and shear of a surface as elements: springs on quads (per element, half the width on each side, so
 * that the two elements of an inner edge add up; where levels meet, each side has springs of its own length), membrane
 * on the drawn triangles of the rest, and of quads whose fabric springs cannot have. */
#include "force/build.h"

#include "force/params.h"
#include "mesh/params.h"

static vec2 side_direction(const surface *s, const element *el)
{
    if (s->uv) {
        vec2 p = s->uv[el->node[0]], q = s->uv[el->node[1]];
        return (vec2){q.u - p.u, q.v - p.v};
    }
    vec3 d = v3_sub(s->rest[el->node[1]], s->rest[el->node[0]]);
    vec3 n = v3_cross(d, v3_sub(s->rest[el->node[2]], s->rest[el->node[0]]));
    bool across = n.x * n.x > REST_ACROSS * REST_ACROSS * v3_len_sq(n); /* the rule of rest.c */
    double u = across ? d.y : d.x;
    return (vec2){u, sqrt(max_of(0.0, v3_len_sq(d) - u * u))};
}

static double quad_side_length(const surface *s, const element *el, int i)
{
    return surface_rest_length(s, el->node[i], el->node[(i + 1) % 4]);
}

/* Of a quad, from its diagonals: exact for plane quads. */
double quad_area(const surface *s, const element *el)
{
    vec3 p[4];
    for (int i = 0; i < 4; i++)
        p[i] = s->rest ? s->rest[el->node[i]] : v3(s->uv[el->node[i]].u, s->uv[el->node[i]].v, 0);
    return 0.5 * v3_len(v3_cross(v3_sub(p[2], p[0]), v3_sub(p[3], p[1])));
}

cell quad_cell(const surface *s, const element *el)
{
    vec2 d = side_direction(s, el);
    cell c = {.warp_first = fabs(d.u) >= fabs(d.v)};
    int first = c.warp_first ? 0 : 1;
    c.a = 0.5 * (quad_side_length(s, el, first) + quad_side_length(s, el, first + 2));
    c.b = quad_area(s, el) / c.a;
    return c;
}

/* By u,v; faces without them have their threads along their sides. */
bool quad_is_askew(const surface *s, int32_t ei)
{
    vec2 d = side_direction(s, &s->elements[ei]);
    double across = fabs(d.u) < fabs(d.v) ? fabs(d.u) : fabs(d.v);
    return s->uv && across * across > QUAD_ASKEW * QUAD_ASKEW * (d.u * d.u + d.v * d.v);
}

bool quad_law(const surface *s, const cloth_material *m, int32_t ei, cell *c, spring_law *law)
{
    const element *el = &s->elements[ei];
    const weft_fabric *fb = &m->fabrics[el->fabric];
    *c = quad_cell(s, el);
    if (m->law == WEFT_LAW_VILLARD) {
        *law = spring_law_villard(fb->stretch_warp, fb->stretch_weft, fb->shear, el->level);
        return true;
    }
    return !quad_is_askew(s, ei) &&
           spring_law_consistent(fb->stretch_warp, fb->stretch_weft, fb->shear, c->a, c->b, law);
}

bool stretches_by_springs(const surface *s, const cloth_material *m, int32_t ei)
{
    cell c;
    spring_law law;
    return m->stretch == WEFT_STRETCH_SPRINGS && s->elements[ei].n == 4 && quad_law(s, m, ei, &c, &law);
}

static bool add_spring(forces *f, int32_t a, int32_t b, const spring_par *par, double time)
{
    common_par all = {.k = par->k, .length = par->length, .limit = par->limit, .time = time};
    int32_t common = forces_common(f, &all, false);
    spring_element *sp = common >= 0 ? forces_push(f, FORCE_SPRING) : NULL;
    if (!sp)
        return false;
    *sp = (spring_element){.node = {a, b}, .common = common};
    return true;
}

double limit_of(const cloth_material *m, const weft_fabric *fb, weft_limit_method method)
{
    return m->limit == method ? fb->stretch_limit : 0;
}

/* What one element gives to the spring on one of its edges: half, except under the villard law, which knows no width
 * and gives everything once. */
static double edge_stiffness_of(const surface *s, const cloth_material *m, int32_t ei, int32_t edge_index, bool first)
{
    const element *el = &s->elements[ei];
    cell c;
    spring_law law;
    if (el->n != 4 || !quad_law(s, m, ei, &c, &law))
        return 0;
    int side = 0;
    while (el->edge[side] != edge_index)
        side++;
    double k = (side % 2 == 0) == c.warp_first ? law.k_warp : law.k_weft;
    if (m->law == WEFT_LAW_VILLARD)
        return first ? k : 0;
    return 0.5 * k;
}

static bool add_edge_springs(forces *f, const surface *s, const cloth_material *m, int32_t offset)
{
    for (int32_t i = 0; i < s->n_edges; i++) {
        const edge *ed = &s->edges[i];
        const weft_fabric *fb = &m->fabrics[s->elements[ed->element[0]].fabric];
        if (m->law == WEFT_LAW_VILLARD && surface_split(s, i).half[0] >= 0)
            continue; /* his springs join neighbours on a thread: the halves */
        double k = edge_stiffness_of(s, m, ed->element[0], i, true);
        if (ed->element[1] >= 0)
            k += edge_stiffness_of(s, m, ed->element[1], i, k == 0);
        spring_par par = {.k = k,
                          .length = surface_rest_length(s, ed->node[0], ed->node[1]),
                          .limit = limit_of(m, fb, WEFT_LIMIT_STIFFEN)};
        if (k > 0 && !add_spring(f, offset + ed->node[0], offset + ed->node[1], &par, fb->damping_stretch))
            return false;
    }
    return true;
}

static bool add_diagonal_springs(forces *f, const surface *s, const cloth_material *m, int32_t offset)
{
    for (int32_t ei = 0; ei < s->n_elements; ei++) {
        const element *el = &s->elements[ei];
        cell c;
        spring_law law;
        if (el->n != 4 || !quad_law(s, m, ei, &c, &law) || law.k_diagonal <= 0)
            continue;
        for (int i = 0; i < 2; i++) {
            int32_t a = el->node[i], b = el->node[i + 2];
            spring_par par = {.k = law.k_diagonal, .length = surface_rest_length(s, a, b)};
            if (!add_spring(f, offset + a, offset + b, &par, m->fabrics[el->fabric].damping_stretch))
                return false;
        }
    }
    return true;
}

/* ---- stretch: membrane ------------------------------------------------------------------------------------------- */

bool build_springs(forces *f, const surface *s, const cloth_material *m, int32_t offset)
{
    return add_edge_springs(f, s, m, offset) && add_diagonal_springs(f, s, m, offset);
}

bool build_membrane(forces *f, const surface *s, const cloth_material *m, int32_t offset)
{
    for (int32_t ti = 0; ti < s->n_triangles; ti++) {
        const triangle *t = &s->triangles[ti];
        const element *el = &s->elements[t->element];
        if (stretches_by_springs(s, m, t->element))
            continue;
        membrane_element *me = forces_push(f, FORCE_MEMBRANE);
        if (!me)
            return false;
        const weft_fabric *fb = &m->fabrics[el->fabric];
        vec2 uv[3];
        surface_triangle_rest(s, ti, uv);
        membrane_rest(uv, &me->par);
        membrane_moduli(fb->stretch_warp, fb->stretch_weft, fb->shear, fb->poisson, &me->par);
        me->par.limit = limit_of(m, fb, WEFT_LIMIT_STIFFEN);
        me->time = fb->damping_stretch;
        for (int i = 0; i < 3; i++)
            me->node[i] = offset + t->node[i];
    }
    return true;
}
