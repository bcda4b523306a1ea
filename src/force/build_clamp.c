/* SPDX-License-Identifier: MIT */
/* Clamped borders as elements: where threads of quads end at one, a beam's half at each end of the side (clamp.c); else
 * the angle φ between a triangle and the clamped plane.
 *
 * By plain hinges that is the hinge with the mirror image. By the curvature tensor the triangle's energy is bend.h's
 * with bent = −2φ at the border (it counts the other way round), where it was free of moments:
 *     ½ Σ q_ij b_i b_j = [½ q_kk (2φ)² − 2φ Σ q_kj b_j] + ½ Σ q_ij b_i b_j,   i, j ≠ k on the right.
 * The bracket is the clamp element's, with b_j as they were at the last sweep of the tilts, the rest the bend
 * element's, with φ as it was then, as its tilt: coupled as tilts are, from one Newton step to the next
 * (assembly_tilt.c). A border that takes part by its own energy alone, the other angles free of it, is too soft by 0.65
 * of the spacing over the length. */
#include "force/build.h"

static clamp_element *push_clamp(forces *f, const int32_t node[3], int32_t offset, double k, double foot, double time)
{
    clamp_element *e = forces_push(f, FORCE_CLAMP);
    if (e)
        *e = (clamp_element){.node = {offset + node[0], offset + node[1], offset + node[2]},
                             .k = k,
                             .time = time,
                             .bend = -1,
                             .par = {.foot = foot}};
    return e;
}

/* K/ℓ with K = 2 B w, w half of the quad's area over the length ℓ of the side that leads away from the border. */
static bool clamp_side(forces *f, const surface *s, const cloth_material *m, int32_t offset, int32_t ei, int side)
{
    const element *el = &s->elements[ei];
    const weft_fabric *fb = &m->fabrics[el->fabric];
    int next = (side + 1) % 4;
    bool along_warp = (next % 2 == 0) == quad_cell(s, el).warp_first;
    double rigidity = along_warp ? fb->bending_warp : fb->bending_weft;
    int32_t a = el->node[side], b = el->node[next], c = el->node[(side + 2) % 4], d = el->node[(side + 3) % 4];
    for (int end = 0; end < 2 && rigidity > 0; end++) {
        double length = end == 0 ? surface_rest_length(s, a, d) : surface_rest_length(s, b, c);
        if (!push_clamp(f, (int32_t[3]){a, b, end == 0 ? d : c}, offset,
                        rigidity * quad_area(s, el) / (length * length), end, fb->damping_bending))
            return false;
    }
    return true;
}

static bool clamp_quads(forces *f, const surface *s, const cloth_material *m, int32_t offset, const bool *held)
{
    for (int32_t ei = 0; ei < s->n_elements; ei++) {
        const element *el = &s->elements[ei];
        for (int i = 0; el->n == 4 && !el->smooth && i < 4; i++)
            if (surface_is_border(s, el->edge[i]) && held[el->node[i]] && held[el->node[(i + 1) % 4]] &&
                !clamp_side(f, s, m, offset, ei, i))
                return false;
    }
    return true;
}

/* The border's row in the tensor. */
static void clamp_bend(forces *f, const surface *s, const cloth_material *m, int32_t bi, int32_t ti, clamp_element *e)
{
    bend_element *b = (bend_element *)f->list[FORCE_BEND].items + bi;
    vec2 uv[6];
    int32_t nodes[6];
    surface_triangle_patch(s, ti, uv, nodes);
    e->bend = bi;
    b->node[3 + e->side] = b->node[(e->side + 1) % 3];
    build_bend_stiffness(s, m, ti, uv, b->par.present | 1 << e->side, &b->par);
    e->k = 4 * b->par.q[e->side][e->side];
}

static bool clamp_triangle(forces *f, const surface *s, const cloth_material *m, int32_t offset, int32_t ti, int side,
                           int32_t bend)
{
    const int32_t *n = s->bent[ti].node;
    vec2 uv[6];
    int32_t nodes[6];
    surface_triangle_patch(s, ti, uv, nodes);
    vec2 a = uv[(side + 1) % 3], b = uv[(side + 2) % 3], c = uv[side], along = {b.u - a.u, b.v - a.v};
    double foot = ((c.u - a.u) * along.u + (c.v - a.v) * along.v) / (along.u * along.u + along.v * along.v);
    double k = 2 * forces_border_hinge(s, m, ti, side);
    if (!(k > 0))
        return true;
    clamp_element *e = push_clamp(f, (int32_t[3]){n[(side + 1) % 3], n[(side + 2) % 3], n[side]}, offset, k, foot,
                                  m->fabrics[s->elements[s->bent[ti].element].fabric].damping_bending);
    if (!e)
        return false;
    e->side = side;
    if (bend >= 0)
        clamp_bend(f, s, m, bend, ti, e);
    return true;
}

/* Bend elements come in the order of the triangles, but not all have one. Returns the element of ti, or -1. */
static int32_t next_bend(const forces *f, const surface *s, int32_t offset, int32_t ti, int32_t *at)
{
    const bend_element *all = f->list[FORCE_BEND].items;
    const int32_t *n = s->bent[ti].node;
    for (int32_t k = *at; k < f->list[FORCE_BEND].n; k++)
        if (all[k].node[0] == offset + n[0] && all[k].node[1] == offset + n[1] && all[k].node[2] == offset + n[2]) {
            *at = k;
            return k;
        }
    return -1;
}

static bool clamp_triangles(forces *f, const surface *s, const cloth_material *m, int32_t offset, const bool *held)
{
    int32_t at = 0;
    for (int32_t ti = 0; ti < s->n_bent; ti++) {
        const triangle *t = &s->bent[ti];
        bool hinges = m->bending == WEFT_BENDING_HINGES;
        for (int k = 0; k < 3 && (hinges || forces_bends(s, m, ti)); k++)
            if (t->neighbour[k] < 0 && held[t->node[(k + 1) % 3]] && held[t->node[(k + 2) % 3]] &&
                !clamp_triangle(f, s, m, offset, ti, k, hinges ? -1 : next_bend(f, s, offset, ti, &at)))
                return false;
    }
    return true;
}

bool forces_add_clamp(forces *f, const surface *s, const cloth_material *m, int32_t offset, const bool *held)
{
    return (m->bending != WEFT_BENDING_BEAMS || clamp_quads(f, s, m, offset, held)) &&
           clamp_triangles(f, s, m, offset, held);
}
