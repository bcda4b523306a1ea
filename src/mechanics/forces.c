/* SPDX-License-Identifier: MIT */
#include "mechanics/forces.h"

static const struct {
    size_t size;
    int32_t n_nodes;
} kinds[FORCE_KINDS] = {
    [FORCE_SPRING] = {sizeof(spring_element), 2}, [FORCE_MEMBRANE] = {sizeof(membrane_element), 3},
    [FORCE_BEAM] = {sizeof(beam_element), 3},     [FORCE_BEND] = {sizeof(bend_element), 6},
    [FORCE_HINGE] = {sizeof(hinge_element), 4},   [FORCE_FACE] = {sizeof(face_element), 3},
    [FORCE_SOFT] = {sizeof(soft_element), 1},
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
        mem_free(f->mem, f->list[k].items, f->list[k].capacity, kinds[k].size);
    mem_free(f->mem, f->edges.items, f->edges.capacity, sizeof(edge_element));
    MEM_FREE(f->mem, f->nodes, f->n_nodes);
    forces_init(f, f->mem);
}

bool forces_set_nodes(forces *f, int32_t n_nodes)
{
    f->n_nodes = n_nodes;
    return MEM_MAKE(f->mem, f->nodes, n_nodes);
}

static void *push(mem *m, force_array *a, size_t size)
{
    if (a->n == a->capacity) {
        int32_t capacity = a->capacity ? 2 * a->capacity : 256;
        void *items = mem_resized(m, a->items, a->capacity, capacity, size);
        if (!items)
            return NULL;
        a->items = items;
        a->capacity = capacity;
    }
    return (char *)a->items + (size_t)a->n++ * size;
}

void *forces_push(forces *f, force_kind kind)
{
    return push(f->mem, &f->list[kind], kinds[kind].size);
}

/* ---- stretch: springs -------------------------------------------------------------------------------------------- */

/* An a×b cell that stands for a quad: a along warp, b such that a b is its area. warp_first: sides 0 and 2 run along
 * warp. */
typedef struct cell {
    double a, b;
    bool warp_first;
} cell;

static vec2 side_direction(const surface *s, const element *el)
{
    if (s->uv) {
        vec2 p = s->uv[el->node[0]], q = s->uv[el->node[1]];
        return (vec2){q.u - p.u, q.v - p.v};
    }
    vec3 d = v3_sub(s->rest[el->node[1]], s->rest[el->node[0]]);
    vec3 n = v3_cross(d, v3_sub(s->rest[el->node[2]], s->rest[el->node[0]]));
    bool across = n.x * n.x > 0.81 * v3_len_sq(n); /* the rule of rest.c */
    double u = across ? d.y : d.x;
    return (vec2){u, sqrt(fmax(0.0, v3_len_sq(d) - u * u))};
}

static double side_length(const surface *s, const element *el, int i)
{
    return surface_rest_length(s, el->node[i], el->node[(i + 1) % 4]);
}

/* Of a quad, from its diagonals: exact for plane quads. */
static double quad_area(const surface *s, const element *el)
{
    vec3 p[4];
    for (int i = 0; i < 4; i++)
        p[i] = s->rest ? s->rest[el->node[i]] : v3(s->uv[el->node[i]].u, s->uv[el->node[i]].v, 0);
    return 0.5 * v3_len(v3_cross(v3_sub(p[2], p[0]), v3_sub(p[3], p[1])));
}

static cell quad_cell(const surface *s, const element *el)
{
    vec2 d = side_direction(s, el);
    cell c = {.warp_first = fabs(d.u) >= fabs(d.v)};
    int first = c.warp_first ? 0 : 1;
    c.a = 0.5 * (side_length(s, el, first) + side_length(s, el, first + 2));
    c.b = quad_area(s, el) / c.a;
    return c;
}

static bool element_law(const surface *s, const cloth_material *m, int32_t ei, cell *c, spring_law *law)
{
    const element *el = &s->elements[ei];
    const weft_fabric *fb = &m->fabrics[el->fabric];
    *c = quad_cell(s, el);
    if (m->law == WEFT_LAW_VILLARD) {
        *law = spring_law_villard(fb->stretch_warp, fb->stretch_weft, fb->shear, el->level);
        return true;
    }
    return spring_law_consistent(fb->stretch_warp, fb->stretch_weft, fb->shear, c->a, c->b, law);
}

static bool add_spring(forces *f, int32_t a, int32_t b, const spring_par *par, double time)
{
    spring_element *sp = forces_push(f, FORCE_SPRING);
    if (!sp)
        return false;
    *sp = (spring_element){{a, b}, *par, time};
    return true;
}

static double limit_of(const cloth_material *m, const weft_fabric *fb, weft_limit_method method)
{
    return m->limit == method ? fb->stretch_limit : 0;
}

/* What one element gives to the spring on one of its edges: half, except under the villard law, which knows no width
 * and gives everything once. */
static double edge_share(const surface *s, const cloth_material *m, int32_t ei, int32_t edge_index, bool first)
{
    const element *el = &s->elements[ei];
    cell c;
    spring_law law;
    if (el->n != 4 || !element_law(s, m, ei, &c, &law))
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
        double k = edge_share(s, m, ed->element[0], i, true);
        if (ed->element[1] >= 0)
            k += edge_share(s, m, ed->element[1], i, k == 0);
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
        if (el->n != 4 || !element_law(s, m, ei, &c, &law) || law.k_diagonal <= 0)
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

static bool add_membrane(forces *f, const surface *s, const cloth_material *m, int32_t offset)
{
    for (int32_t ti = 0; ti < s->n_triangles; ti++) {
        const triangle *t = &s->triangles[ti];
        const element *el = &s->elements[t->element];
        if (m->stretch == WEFT_STRETCH_SPRINGS && el->n == 4)
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

/* ---- bending ----------------------------------------------------------------------------------------------------- */

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
    *warp = fmax(fb->bending_warp, 1e-3 * fb->bending_weft);
    *weft = fmax(fb->bending_weft, 1e-3 * fb->bending_warp);
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
        bend_angles(x, present, b->par.rest);
    }
    return true;
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

static bool add_bending(forces *f, const surface *s, const cloth_material *m, int32_t offset)
{
    if (m->bending == WEFT_BENDING_BEAMS)
        return add_beams(f, s, m, offset);
    for (int32_t ti = 0; ti < s->n_triangles; ti++) {
        bool ok =
            m->bending == WEFT_BENDING_TENSOR ? add_bend(f, s, m, offset, ti) : add_hinges_of(f, s, m, offset, ti);
        if (!ok)
            return false;
    }
    return true;
}

/* ---- faces, edges, nodes ----------------------------------------------------------------------------------------- */

static bool add_faces(forces *f, const surface *s, const cloth_material *m, int32_t offset)
{
    for (int32_t ti = 0; ti < s->n_triangles; ti++) {
        face_element *fe = forces_push(f, FORCE_FACE);
        if (!fe)
            return false;
        fe->pressure = m->pressure;
        for (int i = 0; i < 3; i++)
            fe->node[i] = offset + s->triangles[ti].node[i];
    }
    return true;
}

static bool add_edges(forces *f, const surface *s, const cloth_material *m, int32_t offset)
{
    for (int32_t i = 0; i < s->n_edges; i++) {
        const edge *ed = &s->edges[i];
        edge_element *ee = push(f->mem, &f->edges, sizeof *ee);
        if (!ee)
            return false;
        *ee = (edge_element){{offset + ed->node[0], offset + ed->node[1]},
                             surface_rest_length(s, ed->node[0], ed->node[1]),
                             limit_of(m, &m->fabrics[s->elements[ed->element[0]].fabric], WEFT_LIMIT_PROVOT)};
    }
    return true;
}

/* Mass is lumped by the drawn triangles, a third each; the rest are means by area or extremes. */
static void add_face_to_node(node_par *n, const weft_fabric *fb, double area)
{
    n->mass += fb->density * area;
    n->thickness = fmax(n->thickness, fb->thickness);
    n->friction += fb->friction * area;
    n->dissipation += fb->dissipation * area;
    n->stiffness += 0.5 * (fb->stretch_warp + fb->stretch_weft) * area;
    n->area += area;
}

static void fill_nodes(node_par *nodes, const surface *s, const cloth_material *m)
{
    for (int32_t ti = 0; ti < s->n_triangles; ti++)
        for (int i = 0; i < 3; i++)
            add_face_to_node(&nodes[s->triangles[ti].node[i]],
                             &m->fabrics[s->elements[s->triangles[ti].element].fabric], s->area[ti] / 3);
    for (int32_t i = 0; i < s->n_edges; i++)
        for (int k = 0; k < 2; k++) {
            node_par *n = &nodes[s->edges[i].node[k]];
            double l = surface_rest_length(s, s->edges[i].node[0], s->edges[i].node[1]);
            n->edge_length = n->edge_length > 0 ? fmin(n->edge_length, l) : l;
        }
    for (int32_t vi = 0; vi < s->n_nodes; vi++) {
        node_par *n = &nodes[vi];
        if (n->area > 0) {
            n->friction /= n->area;
            n->dissipation /= n->area;
            n->stiffness /= n->area;
        } else { /* a node of no face takes the first fabric's surface, and an edge length of 1 cm */
            const weft_fabric *fb = &m->fabrics[0];
            *n = (node_par){
                0, fb->thickness, fb->friction, fb->dissipation, 0.5 * (fb->stretch_warp + fb->stretch_weft), 0.01, 0};
        }
        n->mass += m->node_mass ? m->node_mass[vi] : 0;
    }
}

bool forces_add_cloth(forces *f, const surface *s, const cloth_material *m, int32_t offset)
{
    fill_nodes(f->nodes + offset, s, m);
    if (m->stretch == WEFT_STRETCH_SPRINGS &&
        !(add_edge_springs(f, s, m, offset) && add_diagonal_springs(f, s, m, offset)))
        return false;
    return add_membrane(f, s, m, offset) && add_bending(f, s, m, offset) && add_faces(f, s, m, offset) &&
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

static weft_result check_springs(const surface *s, const cloth_material *m, weft_error *e)
{
    for (int32_t ei = 0; ei < s->n_elements && m->stretch == WEFT_STRETCH_SPRINGS; ei++) {
        cell c;
        spring_law law;
        if (s->elements[ei].n == 4 && !element_law(s, m, ei, &c, &law))
            return error_set(
                e, WEFT_ERROR_RANGE, ei,
                "face %d: shear stiffness %g N/m is too large beside stretch %g and %g N/m for springs in cells of "
                "%g × %g m; use the membrane",
                ei, m->fabrics[s->elements[ei].fabric].shear, m->fabrics[s->elements[ei].fabric].stretch_warp,
                m->fabrics[s->elements[ei].fabric].stretch_weft, c.a, c.b);
    }
    return WEFT_OK;
}

static weft_result check_closed(const surface *s, const cloth_material *m, weft_error *e)
{
    for (int32_t i = 0; i < s->n_edges && m->pressure != 0; i++)
        if (s->edges[i].element[1] < 0)
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
        r = check_springs(s, m, e);
    if (r == WEFT_OK)
        r = check_closed(s, m, e);
    return r;
}

void forces_poisson(const surface *s, const cloth_material *m, int32_t ei, double *warp, double *weft)
{
    const element *el = &s->elements[ei];
    const weft_fabric *fb = &m->fabrics[el->fabric];
    cell c;
    spring_law law;
    *warp = fb->poisson * sqrt(fb->stretch_warp / fb->stretch_weft);
    *weft = fb->poisson * sqrt(fb->stretch_weft / fb->stretch_warp);
    if (m->stretch == WEFT_STRETCH_SPRINGS && el->n == 4 && element_law(s, m, ei, &c, &law)) {
        *warp = law.poisson_warp;
        *weft = law.poisson_weft;
    }
}
