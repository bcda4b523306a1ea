/* SPDX-License-Identifier: MIT */
/* Bending of a surface as elements: beams along the threads of quads, the curvature tensor or plain hinges on drawn
 * triangles. */
#include "mechanics/build.h"

/* The side of quad el, other than `not_edge`, that ends at node vi. */
static int other_side(const element *el, int32_t not_edge, int32_t vi)
{
    for (int i = 0; i < el->n; i++)
        if (el->edge[i] != not_edge && (el->node[i] == vi || el->node[(i + 1) % el->n] == vi))
            return i;
    return -1;
}

static int32_t across(const edge *ed, int32_t ei)
{
    return ed->element[0] == ei ? ed->element[1] : ed->element[0];
}

/* Goes round node vi from edge i through element ei and the next one: the edge that continues the thread on this side,
 * or -1. Adds the areas of the two quads. */
static int32_t continue_thread(const surface *s, int32_t i, int32_t ei, int32_t vi, double *area)
{
    int side = other_side(&s->elements[ei], i, vi);
    int32_t between = s->elements[ei].edge[side];
    int32_t next = across(&s->edges[between], ei);
    if (next < 0)
        return -1;
    *area += quad_area(s, &s->elements[ei]) + quad_area(s, &s->elements[next]);
    return s->elements[next].edge[other_side(&s->elements[next], between, vi)];
}

/* The edge on the other side of vi along the thread of edge i, by both ways round; on a border, along the border. */
static int32_t opposite_edge(const surface *s, int32_t i, int32_t vi, double *area)
{
    const edge *ed = &s->edges[i];
    *area = 0;
    int32_t one = continue_thread(s, i, ed->element[0], vi, area);
    if (ed->element[1] < 0)
        return one >= 0 && s->edges[one].element[1] < 0 ? one : -1;
    int32_t two = continue_thread(s, i, ed->element[1], vi, area);
    return one == two ? one : -1;
}

static bool runs_along_warp(const surface *s, int32_t i)
{
    const element *el = &s->elements[s->edges[i].element[0]];
    cell c = quad_cell(s, el);
    int side = 0;
    while (el->edge[side] != i)
        side++;
    return (side % 2 == 0) == c.warp_first;
}

static bool add_beam(forces *f, const surface *s, const cloth_material *m, int32_t offset, int32_t i, int end)
{
    int32_t vi = s->edges[i].node[end], start = s->edges[i].node[1 - end];
    double area;
    int32_t o = opposite_edge(s, i, vi, &area);
    if (o <= i) /* none, or found from the other edge */
        return true;
    int32_t finish = s->edges[o].node[0] == vi ? s->edges[o].node[1] : s->edges[o].node[0];
    const weft_fabric *fb = &m->fabrics[s->elements[s->edges[i].element[0]].fabric];
    double rigidity = runs_along_warp(s, i) ? fb->bending_warp : fb->bending_weft;
    double length = surface_rest_length(s, start, vi) + surface_rest_length(s, vi, finish);
    if (rigidity == 0)
        return true;
    beam_element *b = forces_push(f, FORCE_BEAM);
    if (!b)
        return false;
    /* K = 2 B w with w = half of the quads' area over the length: half the width of each quad beside the thread. */
    *b = (beam_element){{offset + start, offset + vi, offset + finish},
                        {.k = rigidity * area / (length * length)},
                        fb->damping_bending};
    return true;
}

static bool add_beams(forces *f, const surface *s, const cloth_material *m, int32_t offset)
{
    for (int32_t i = 0; i < s->n_edges; i++)
        for (int end = 0; end < 2; end++)
            if (!add_beam(f, s, m, offset, i, end))
                return false;
    return true;
}

/* The tensor needs both rigidities: one that is zero gets a thousandth of the other. */
static void rigidities(const weft_fabric *fb, double *warp, double *weft)
{
    *warp = max_of(fb->bending_warp, 1e-3 * fb->bending_weft);
    *weft = max_of(fb->bending_weft, 1e-3 * fb->bending_warp);
}

static bool add_bend(forces *f, const surface *s, const cloth_material *m, int32_t offset, int32_t ti)
{
    const weft_fabric *fb = &m->fabrics[s->elements[s->triangles[ti].element].fabric];
    vec2 uv[6];
    int32_t nodes[6];
    double warp, weft;
    int32_t present = surface_triangle_patch(s, ti, uv, nodes);
    rigidities(fb, &warp, &weft);
    if (present == 0 || warp == 0)
        return true;
    bend_element *b = forces_push(f, FORCE_BEND);
    if (!b)
        return false;
    bend_stiffness(uv, present, warp, weft, &b->par);
    b->time = fb->damping_bending;
    for (int i = 0; i < 6; i++)
        b->node[i] = offset + (nodes[i] >= 0 ? nodes[i] : nodes[0]);
    if (s->rest) {
        vec3 x[6];
        for (int i = 0; i < 6; i++)
            x[i] = s->rest[b->node[i] - offset];
        bend_angles(x, present, b->rest);
    }
    for (int i = 0; i < 3; i++)
        b->par.rest[i] = b->rest[i];
    return true;
}

static int side_towards(const triangle *t, int32_t neighbour)
{
    int i = 0;
    while (t->neighbour[i] != neighbour)
        i++;
    return i;
}

/* bend_of: the bend element of each triangle, -1 where it has none. */
static bool add_shares(forces *f, const surface *s, const int32_t *bend_of)
{
    for (int32_t ti = 0; ti < s->n_triangles; ti++)
        for (int i = 0; i < 3; i++) {
            int32_t tj = s->triangles[ti].neighbour[i];
            if (tj < ti)
                continue;
            share_edge *sh = forces_push_item(f, &f->shares, sizeof *sh);
            if (!sh)
                return false;
            bool both = bend_of[ti] >= 0 && bend_of[tj] >= 0;
            *sh = (share_edge){both ? bend_of[ti] : -1, i, bend_of[tj], side_towards(&s->triangles[tj], ti), 0, 0};
        }
    return true;
}

static bool add_bends(forces *f, const surface *s, const cloth_material *m, int32_t offset)
{
    int32_t *bend_of = mem_array(f->mem, s->n_triangles, sizeof *bend_of);
    bool ok = bend_of || s->n_triangles == 0;
    for (int32_t ti = 0; ok && ti < s->n_triangles; ti++) {
        int32_t before = f->list[FORCE_BEND].n;
        ok = add_bend(f, s, m, offset, ti);
        bend_of[ti] = f->list[FORCE_BEND].n > before ? before : -1;
    }
    ok = ok && (s->n_triangles == 0 || add_shares(f, s, bend_of));
    mem_free(f->mem, bend_of, s->n_triangles, sizeof *bend_of);
    return ok;
}

int32_t forces_n_shares(const surface *s, const cloth_material *m)
{
    int32_t n = 0;
    for (int32_t ti = 0; m->bending == WEFT_BENDING_TENSOR && ti < s->n_triangles; ti++)
        for (int i = 0; i < 3; i++)
            n += s->triangles[ti].neighbour[i] > ti;
    return n;
}

static bool add_hinges_of(forces *f, const surface *s, const cloth_material *m, int32_t offset, int32_t ti)
{
    const triangle *t = &s->triangles[ti];
    const weft_fabric *fb = &m->fabrics[s->elements[t->element].fabric];
    vec2 uv[6];
    int32_t nodes[6];
    surface_triangle_patch(s, ti, uv, nodes);
    for (int i = 0; i < 3; i++) {
        if (t->neighbour[i] < ti)
            continue;
        int a = (i + 1) % 3, b = (i + 2) % 3;
        int32_t n[4] = {nodes[a], nodes[b], nodes[i], nodes[3 + i]};
        hinge_element *h = forces_push(f, FORCE_HINGE);
        if (!h)
            return false;
        h->par.k = hinge_stiffness((vec2[4]){uv[a], uv[b], uv[i], uv[3 + i]}, fb->bending_warp, fb->bending_weft);
        h->time = fb->damping_bending;
        for (int j = 0; j < 4; j++)
            h->node[j] = offset + n[j];
        if (s->rest)
            h->par.rest = dihedral_angle((vec3[4]){s->rest[n[0]], s->rest[n[1]], s->rest[n[2]], s->rest[n[3]]});
    }
    return true;
}

static bool add_hinges(forces *f, const surface *s, const cloth_material *m, int32_t offset)
{
    for (int32_t ti = 0; ti < s->n_triangles; ti++)
        if (!add_hinges_of(f, s, m, offset, ti))
            return false;
    return true;
}

bool build_bending(forces *f, const surface *s, const cloth_material *m, int32_t offset)
{
    if (m->bending == WEFT_BENDING_BEAMS)
        return add_beams(f, s, m, offset);
    return m->bending == WEFT_BENDING_TENSOR ? add_bends(f, s, m, offset) : add_hinges(f, s, m, offset);
}
