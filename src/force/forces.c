/* SPDX-License-Identifier: MIT */
/* The arrays of elements: how they grow, what a cloth adds to them (stretch and bending in build_stretch.c and
 * build_bending.c), the properties of nodes, and what is refused beforehand. */
#include "force/build.h"

#include <assert.h>

#include "base/array.h"
#include "force/params.h"
#include "mesh/corner_area.h"

static const struct {
    size_t size;
    int32_t n_nodes;
} kinds[FORCE_KINDS] = {
    [FORCE_SPRING] = {sizeof(spring_element), 2}, [FORCE_MEMBRANE] = {sizeof(membrane_element), 3},
    [FORCE_BEAM] = {sizeof(beam_element), 3},     [FORCE_BEND] = {sizeof(bend_element), 6},
    [FORCE_HINGE] = {sizeof(hinge_element), 4},   [FORCE_FACE] = {sizeof(face_element), 3},
    [FORCE_SOFT] = {sizeof(soft_element), 1},     [FORCE_CLAMP] = {sizeof(clamp_element), 3},
};

int32_t force_n_nodes(force_kind kind)
{
    return kinds[kind].n_nodes;
}

size_t force_size(force_kind kind)
{
    return kinds[kind].size;
}

void forces_init(forces *f, mem *m)
{
    *f = (forces){.mem = m};
}

void forces_destroy(forces *f)
{
    for (int k = 0; k < FORCE_KINDS; k++)
        mem_free(f->mem, f->list[k].items, f->list[k].room, kinds[k].size);
    mem_free(f->mem, f->edges.items, f->edges.room, sizeof(edge_element));
    mem_free(f->mem, f->tilts.items, f->tilts.room, sizeof(tilt_edge));
    mem_free(f->mem, f->pressures.items, f->pressures.room, sizeof(double));
    mem_free(f->mem, f->face_cloth.items, f->face_cloth.room, sizeof(int32_t));
    MEM_FREE(f->mem, f->nodes, f->n_nodes);
    intern_destroy(&f->commons, f->mem, sizeof(common_par));
    intern_destroy(&f->edge_pars, f->mem, sizeof(edge_par));
    intern_destroy(&f->node_pars, f->mem, sizeof(node_par));
    forces_init(f, f->mem);
}

bool forces_set_nodes(forces *f, int32_t n_nodes)
{
    f->n_nodes = n_nodes;
    return MEM_MAKE(f->mem, f->nodes, n_nodes);
}

void *forces_push_item(forces *f, force_array *a, size_t size)
{
    a->items = array_reserve(f->mem, a->items, &a->room, (int64_t)a->n + 1, size);
    return a->room > a->n && a->n < INT32_MAX ? (char *)a->items + (size_t)a->n++ * size : NULL;
}

void *forces_push(forces *f, force_kind kind)
{
    return forces_push_item(f, &f->list[kind], kinds[kind].size);
}

int32_t forces_common(forces *f, const common_par *par, bool own)
{
    return (own ? intern_add : intern_find)(&f->commons, f->mem, par, sizeof *par);
}

static bool trim_array(forces *f, force_array *a, size_t size)
{
    return array_trim(f->mem, &a->items, &a->room, a->n, size);
}

bool forces_trim(forces *f)
{
    for (int k = 0; k < FORCE_KINDS; k++)
        if (!trim_array(f, &f->list[k], kinds[k].size))
            return false;
    return trim_array(f, &f->edges, sizeof(edge_element)) && trim_array(f, &f->tilts, sizeof(tilt_edge)) &&
           trim_array(f, &f->pressures, sizeof(double)) && trim_array(f, &f->face_cloth, sizeof(int32_t)) &&
           intern_seal(&f->commons, f->mem, sizeof(common_par)) &&
           intern_seal(&f->edge_pars, f->mem, sizeof(edge_par)) && intern_seal(&f->node_pars, f->mem, sizeof(node_par));
}

static bool add_faces(forces *f, const surface *s, const cloth_material *m, int32_t offset)
{
    double *pressure = forces_push_item(f, &f->pressures, sizeof *pressure);
    if (!pressure)
        return false;
    *pressure = m->pressure;
    for (int32_t ti = 0; ti < s->n_triangles; ti++) {
        int32_t *cloth = forces_push_item(f, &f->face_cloth, sizeof *cloth);
        face_element *fe = cloth ? forces_push(f, FORCE_FACE) : NULL;
        if (!fe)
            return false;
        *cloth = f->pressures.n - 1;
        for (int i = 0; i < 3; i++)
            fe->node[i] = offset + s->triangles[ti].node[i];
    }
    return true;
}

static bool add_edges(forces *f, const surface *s, const cloth_material *m, int32_t offset)
{
    for (int32_t i = 0; i < s->n_edges; i++) {
        const edge *ed = &s->edges[i];
        if (surface_split(s, i).whole >= 0) /* as long as half of the whole, always */
            continue;
        const weft_fabric *fb = &m->fabrics[s->elements[ed->element[0]].fabric];
        bool thread = stretches_by_springs(s, m, ed->element[0]);
        double stiffened = thread ? limit_of(m, fb, WEFT_LIMIT_STIFFEN) : 0; /* else it may run across, and shear */
        edge_par par = {.length = surface_rest_length(s, ed->node[0], ed->node[1]),
                        .limit = limit_of(m, fb, WEFT_LIMIT_PROVOT),
                        .taut = stiffened > 0 ? 1 + FORCES_TAUT * (stiffened - 1) : 0};
        int32_t common = intern_find(&f->edge_pars, f->mem, &par, sizeof par);
        edge_element *ee = common >= 0 ? forces_push_item(f, &f->edges, sizeof *ee) : NULL;
        if (!ee)
            return false;
        *ee = (edge_element){{offset + ed->node[0], offset + ed->node[1]}, common};
        f->limited = f->limited || par.limit > 0;
        f->stiffened = f->stiffened || par.taut > 0;
    }
    return true;
}

/* Mass is what corners have of elements (mesh/corner_area.h); the rest are means by area or extremes. */
typedef struct node_sum {
    node_par par;
    double area; /* m² */
} node_sum;

static void add_face_to_node(node_sum *sum, const weft_fabric *fb, double area)
{
    node_par *n = &sum->par;
    n->thickness = max_of(n->thickness, fb->thickness);
    n->friction += fb->friction * area;
    n->dissipation += fb->dissipation * area;
    n->stiffness += 0.5 * (fb->stretch_warp + fb->stretch_weft) * area;
    sum->area += area;
}

static void sum_masses(node_sum *nodes, const surface *s, const cloth_material *m)
{
    for (int32_t ei = 0; ei < s->n_elements; ei++) {
        const element *el = &s->elements[ei];
        double area[4];
        surface_corner_areas(s, ei, area);
        for (int i = 0; i < el->n; i++)
            nodes[el->node[i]].par.mass += m->fabrics[el->fabric].density * area[i];
    }
}

static void sum_node_pars(node_sum *nodes, const surface *s, const cloth_material *m)
{
    sum_masses(nodes, s, m);
    for (int32_t ti = 0; ti < s->n_triangles; ti++)
        for (int i = 0; i < 3; i++)
            add_face_to_node(&nodes[s->triangles[ti].node[i]],
                             &m->fabrics[s->elements[s->triangles[ti].element].fabric], surface_area(s, ti) / 3);
    for (int32_t i = 0; i < s->n_edges; i++)
        for (int k = 0; k < 2; k++) {
            node_par *n = &nodes[s->edges[i].node[k]].par;
            double l = surface_rest_length(s, s->edges[i].node[0], s->edges[i].node[1]);
            n->edge_length = n->edge_length > 0 ? min_of(n->edge_length, l) : l;
        }
    for (int32_t vi = 0; vi < s->n_nodes; vi++) {
        node_par *n = &nodes[vi].par;
        double area = nodes[vi].area;
        if (area > 0) {
            n->friction /= area;
            n->dissipation /= area;
            n->stiffness /= area;
        } else { /* a node of no face takes the first fabric's surface */
            const weft_fabric *fb = &m->fabrics[0];
            *n = (node_par){0,
                            fb->thickness,
                            fb->friction,
                            fb->dissipation,
                            0.5 * (fb->stretch_warp + fb->stretch_weft),
                            NODE_ALONE_EDGE_LENGTH};
        }
        n->mass += m->node_mass ? m->node_mass[vi] : 0;
    }
}

static bool add_node_pars(forces *f, const surface *s, const cloth_material *m, int32_t offset)
{
    node_sum *nodes = mem_array(f->mem, s->n_nodes, sizeof *nodes);
    if (!nodes)
        return s->n_nodes == 0;
    sum_node_pars(nodes, s, m);
    bool ok = true;
    for (int32_t vi = 0; ok && vi < s->n_nodes; vi++) {
        int32_t common = intern_find(&f->node_pars, f->mem, &nodes[vi].par, sizeof nodes->par);
        f->nodes[offset + vi] = common;
        ok = common >= 0;
    }
    mem_free(f->mem, nodes, s->n_nodes, sizeof *nodes);
    return ok;
}

bool forces_add_cloth(forces *f, const surface *s, const cloth_material *m, int32_t offset)
{
    if (!add_node_pars(f, s, m, offset))
        return false;
    if (m->stretch == WEFT_STRETCH_SPRINGS && !build_springs(f, s, m, offset))
        return false;
    return build_membrane(f, s, m, offset) && build_bending(f, s, m, offset) && add_faces(f, s, m, offset) &&
           add_edges(f, s, m, offset);
}

/* ---- checks ------------------------------------------------------------------------------------------------------ */

bool forces_beams_fit(const surface *s)
{
    for (int32_t ei = 0; ei < s->n_elements; ei++)
        if (s->elements[ei].n != 4)
            return false;
    return surface_is_flat(s);
}

static weft_result check_masses(const surface *s, const cloth_material *m, weft_error *e)
{
    for (int32_t vi = 0; vi < s->n_nodes; vi++)
        if (m->node_mass && !(m->node_mass[vi] >= 0 && m->node_mass[vi] <= 1e6))
            return error_set(e, WEFT_ERROR_MASS, vi, "the mass added at node %d is %g kg, it must be in [0, 1e6]", vi,
                             m->node_mass[vi]);
    bool *used = mem_array(s->mem, s->n_nodes, sizeof *used);
    if (!used && s->n_nodes > 0)
        return error_memory(e);
    assert(used || s->n_triangles == 0);
    for (int32_t ti = 0; ti < s->n_triangles; ti++)
        for (int i = 0; i < 3; i++)
            used[s->triangles[ti].node[i]] = true;
    int32_t bad = -1;
    for (int32_t vi = 0; vi < s->n_nodes && bad < 0; vi++)
        if (!used[vi] && !(m->node_mass && m->node_mass[vi] > 0))
            bad = vi;
    mem_free(s->mem, used, s->n_nodes, sizeof *used);
    if (bad >= 0)
        return error_set(e, WEFT_ERROR_MASS, bad, "node %d belongs to no face and has no mass of its own", bad);
    return WEFT_OK;
}

static weft_result check_pressure(const surface *s, const cloth_material *m, weft_error *e)
{
    for (int32_t i = 0; i < s->n_edges && m->pressure != 0; i++)
        if (surface_is_border(s, i))
            return error_set(e, WEFT_ERROR_ARGUMENT, i,
                             "pressure needs a closed piece, but the edge between nodes %d and %d is a border",
                             s->edges[i].node[0], s->edges[i].node[1]);
    return WEFT_OK;
}

weft_result forces_check(const surface *s, const cloth_material *m, weft_error *e)
{
    if (m->bending == WEFT_BENDING_BEAMS && !forces_beams_fit(s))
        return error_set(e, WEFT_ERROR_ARGUMENT, -1, "beam bending needs quads only, flat at rest");
    weft_result r = check_masses(s, m, e);
    if (r == WEFT_OK)
        r = check_pressure(s, m, e);
    return r;
}

int32_t forces_without_springs(const surface *s, const cloth_material *m, int32_t *first)
{
    int32_t n = 0;
    for (int32_t ei = 0; m->stretch == WEFT_STRETCH_SPRINGS && ei < s->n_elements; ei++)
        if (s->elements[ei].n == 4 && !stretches_by_springs(s, m, ei) && n++ == 0)
            *first = ei;
    return n;
}

void forces_poisson(const surface *s, const cloth_material *m, int32_t ei, double *warp, double *weft)
{
    const element *el = &s->elements[ei];
    const weft_fabric *fb = &m->fabrics[el->fabric];
    cell c;
    spring_law law;
    *warp = fb->poisson * sqrt(fb->stretch_warp / fb->stretch_weft);
    *weft = fb->poisson * sqrt(fb->stretch_weft / fb->stretch_warp);
    if (stretches_by_springs(s, m, ei) && quad_law(s, m, ei, &c, &law)) {
        *warp = law.poisson_warp;
        *weft = law.poisson_weft;
    }
}
