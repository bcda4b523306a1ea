/* SPDX-License-Identifier: MIT */
/* Building a surface: elements are copied and checked, edges found by sorting element sides into buckets by their lower
 * node (linear time, no comparison sort), drawn triangles cut and linked over their sides. */
#include "mesh/surface.h"

#include <assert.h>
#include <string.h>

#include "mesh/crack.h"
#include "mesh/drawing.h"
#include "mesh/params.h"

static const char *element_word(const surface_input *in, int32_t ei)
{
    return ei < in->n_triangles ? "triangle" : "quad";
}

/* The index a caller knows: triangles and quads are counted apart. */
static int32_t element_number(const surface_input *in, int32_t ei)
{
    return ei < in->n_triangles ? ei : ei - in->n_triangles;
}

static weft_result copy_element(surface *s, const surface_input *in, int32_t ei, weft_error *e)
{
    element *el = &s->elements[ei];
    bool quad = ei >= in->n_triangles;
    const int32_t *src = quad ? in->quads + 4 * (int64_t)(ei - in->n_triangles) : in->triangles + 3 * (int64_t)ei;
    *el = (element){.n = quad ? 4 : 3, .leaf = ei};
    el->fabric = in->fabric ? in->fabric[ei] : 0;
    el->panel = in->panel ? in->panel[ei] : 0;
    if (quad && in->grid_columns > 0)
        el->diagonal = (int8_t)((ei % in->grid_columns + ei / in->grid_columns) % 2);
    for (int i = 0; i < el->n; i++) {
        el->node[i] = src[i];
        if (src[i] < 0 || src[i] >= in->n_nodes)
            return error_set(e, WEFT_ERROR_INDEX, ei, "%s %d names node %d, but there are %d nodes",
                             element_word(in, ei), element_number(in, ei), src[i], in->n_nodes);
        for (int j = 0; j < i; j++)
            if (src[j] == src[i])
                return error_set(e, WEFT_ERROR_DEGENERATE, ei, "%s %d names node %d twice", element_word(in, ei),
                                 element_number(in, ei), src[i]);
    }
    return WEFT_OK;
}

static vec3 rest_point(const surface *s, int32_t vi)
{
    return s->rest ? s->rest[vi] : v3(s->uv[vi].u, s->uv[vi].v, 0);
}

double surface_rest_length(const surface *s, int32_t vi, int32_t vj)
{
    return v3_len(v3_sub(rest_point(s, vj), rest_point(s, vi)));
}

vec3 rest_area_vector(const surface *s, int32_t a, int32_t b, int32_t c)
{
    vec3 p = rest_point(s, a);
    return v3_scale(0.5, v3_cross(v3_sub(rest_point(s, b), p), v3_sub(rest_point(s, c), p)));
}

/* The two cuts of a quad, by diagonal. */
static const int cut[2][2][3] = {{{0, 1, 2}, {0, 2, 3}}, {{0, 1, 3}, {1, 2, 3}}};

void surface_cut(const element *el, int k, int32_t out[3])
{
    for (int i = 0; i < 3; i++)
        out[i] = el->node[el->n == 3 ? i : cut[el->diagonal][k][i]];
}

/* Both drawn triangles must have area, and on a quad turn the same way. */
static weft_result check_shape(const surface *s, const surface_input *in, int32_t ei, weft_error *e)
{
    const element *el = &s->elements[ei];
    double longest_sq = 0;
    vec3 first = v3_zero();
    for (int i = 0; i < el->n; i++) {
        double l = surface_rest_length(s, el->node[i], el->node[(i + 1) % el->n]);
        longest_sq = max_of(longest_sq, l * l);
    }
    for (int k = 0; k < el->n - 2; k++) {
        int32_t t[3];
        surface_cut(el, k, t);
        vec3 a = rest_area_vector(s, t[0], t[1], t[2]);
        bool flips = k == 1 && v3_dot(first, a) <= 0;
        if (!(v3_len(a) > SURFACE_LEAST_SHAPE * longest_sq) || flips)
            return error_set(e, WEFT_ERROR_DEGENERATE, ei, "%s %d has no area at rest%s", element_word(in, ei),
                             element_number(in, ei), flips ? " or is not convex" : "");
        first = a;
    }
    return WEFT_OK;
}

static weft_result make_elements(surface *s, const surface_input *in, weft_error *e)
{
    for (int32_t ei = 0; ei < s->n_elements; ei++) {
        weft_result r = copy_element(s, in, ei, e);
        if (r == WEFT_OK)
            r = check_shape(s, in, ei, e);
        if (r != WEFT_OK)
            return r;
    }
    return WEFT_OK;
}

/* Two elements with the same nodes share all their edges, in either direction. */
static bool same_nodes(const element *a, const element *b)
{
    if (a->n != b->n)
        return false;
    for (int i = 0; i < a->n; i++) {
        bool found = false;
        for (int j = 0; j < b->n; j++)
            found = found || a->node[i] == b->node[j];
        if (!found)
            return false;
    }
    return true;
}

static weft_result edge_error(const surface *s, const surface_input *in, const side *g, int32_t n, weft_error *e)
{
    for (int32_t i = 0; i < n; i++)
        for (int32_t j = i + 1; j < n; j++)
            if (same_nodes(&s->elements[g[i].owner], &s->elements[g[j].owner]))
                return error_set(e, WEFT_ERROR_DUPLICATE, g[j].owner, "%s %d has the same nodes as %s %d",
                                 element_word(in, g[j].owner), element_number(in, g[j].owner),
                                 element_word(in, g[i].owner), element_number(in, g[i].owner));
    if (n > 2)
        return error_set(e, WEFT_ERROR_NON_MANIFOLD, g[2].owner,
                         "the edge between nodes %d and %d has %d faces, at most 2 can be", g[0].from, g[0].to, n);
    return error_set(e, WEFT_ERROR_NON_MANIFOLD, g[1].owner,
                     "%s %d and %s %d run the same way along the edge between nodes %d and %d: one is turned over",
                     element_word(in, g[0].owner), element_number(in, g[0].owner), element_word(in, g[1].owner),
                     element_number(in, g[1].owner), g[0].from, g[0].to);
}

static weft_result make_element_edges(surface *s, const surface_input *in, sides *all, weft_error *e)
{
    for (int32_t ei = 0; ei < s->n_elements; ei++) {
        const element *el = &s->elements[ei];
        for (int i = 0; i < el->n; i++)
            sides_add(all, el->node[i], el->node[(i + 1) % el->n], ei, i);
    }
    sides_sort(all);
    int32_t n = 0;
    for (const side *g = NULL; (g = sides_next(all, g, &n));) {
        if (n > 2 ||
            (n == 2 && (g[0].from == g[1].from || same_nodes(&s->elements[g[0].owner], &s->elements[g[1].owner]))))
            return edge_error(s, in, g, n, e);
        edge *ed = &s->edges[s->n_edges];
        *ed = (edge){{g[0].from, g[0].to}, {g[0].owner, n == 2 ? g[1].owner : -1}};
        for (int32_t i = 0; i < n; i++)
            s->elements[g[i].owner].edge[g[i].index] = s->n_edges;
        s->n_edges++;
    }
    return WEFT_OK;
}

void drawing_add(surface *s, int32_t ei, const int32_t node[3])
{
    s->triangles[s->n_triangles++] = (triangle){{node[0], node[1], node[2]}, {-1, -1, -1}, ei};
}

double surface_area(const surface *s, int32_t ti)
{
    const int32_t *node = s->triangles[ti].node;
    return v3_len(rest_area_vector(s, node[0], node[1], node[2]));
}

static const side *link_triangles(triangle *t, int32_t n_triangles, sides *all)
{
    sides_clear(all);
    for (int32_t ti = 0; ti < n_triangles; ti++)
        for (int i = 0; i < 3; i++)
            sides_add(all, t[ti].node[(i + 1) % 3], t[ti].node[(i + 2) % 3], ti, i);
    sides_sort(all);
    int32_t n = 0;
    for (const side *g = NULL; (g = sides_next(all, g, &n));) {
        if (n > 2)
            return g;
        for (int32_t i = 0; n == 2 && i < 2; i++)
            t[g[i].owner].neighbour[g[i].index] = g[1 - i].owner;
    }
    return NULL;
}

const side *drawing_link(surface *s, sides *all)
{
    return link_triangles(s->triangles, s->n_triangles, all);
}

static bool is_parent(const node_row *r, int32_t vi)
{
    return r->dof[1] >= 0 && (r->dof[0] == vi || r->dof[1] == vi);
}

/* Which end of its edge each node that hangs is drawn into: any, but where both sides at a corner of a split triangle
 * have one, that corner, or a triangle would be left with three nodes in a row. */
static void choose_bent_ends(const surface *s, int32_t *to)
{
    for (int32_t vi = 0; vi < s->n_nodes; vi++)
        to[vi] = s->rows[vi].dof[0];
    for (int32_t ei = 0; ei < s->n_elements; ei++)
        for (int i = 0; i < 3 && s->elements[ei].n == 3; i++) {
            int32_t corner = s->elements[ei].node[i], a = s->elements[ei].node[(i + 1) % 3],
                    b = s->elements[ei].node[(i + 2) % 3];
            if (is_parent(&s->rows[a], corner) && is_parent(&s->rows[b], corner))
                to[a] = to[b] = corner;
        }
}

static void bend_triangles(surface *s, const int32_t *to)
{
    s->n_bent = 0;
    for (int32_t ti = 0; ti < s->n_triangles; ti++) {
        const triangle *t = &s->triangles[ti];
        int32_t a = to[t->node[0]], b = to[t->node[1]], c = to[t->node[2]];
        if (a != b && b != c && c != a)
            s->bent[s->n_bent++] = (triangle){{a, b, c}, {-1, -1, -1}, t->element};
    }
}

bool drawing_bend(surface *s, sides *all)
{
    bool any = false;
    for (int32_t vi = 0; vi < s->n_nodes && !any; vi++)
        any = s->rows[vi].dof[1] >= 0;
    s->bent = s->triangles;
    s->n_bent = s->n_triangles;
    if (!any)
        return true;
    int32_t *to = mem_array(s->mem, s->n_nodes, sizeof *to);
    bool ok = to && MEM_MAKE(s->mem, s->bent, s->capacity_triangles);
    if (ok) {
        choose_bent_ends(s, to);
        bend_triangles(s, to);
        const side *bad = link_triangles(s->bent, s->n_bent, all);
        assert(!bad);
        (void)bad;
    }
    mem_free(s->mem, to, s->n_nodes, sizeof *to);
    return ok;
}

static weft_result draw_elements(surface *s, sides *all, weft_error *e)
{
    for (int32_t ei = 0; ei < s->n_elements; ei++)
        for (int k = 0; k < s->elements[ei].n - 2; k++) {
            int32_t node[3];
            surface_cut(&s->elements[ei], k, node);
            drawing_add(s, ei, node);
        }
    const side *g = drawing_link(s, all);
    if (g)
        return error_set(e, WEFT_ERROR_NON_MANIFOLD, s->triangles[g->owner].element,
                         "nodes %d and %d are joined by an edge and by the diagonal of a quad", g->from, g->to);
    return WEFT_OK;
}

static bool copy_rest(surface *s, const surface_input *in)
{
    if (in->uv) {
        if (!MEM_MAKE(s->mem, s->uv, s->n_nodes))
            return false;
        if (s->n_nodes > 0)
            memcpy(s->uv, in->uv, (size_t)s->n_nodes * sizeof *s->uv);
    } else {
        if (!MEM_MAKE(s->mem, s->rest, s->n_nodes))
            return false;
        if (s->n_nodes > 0)
            memcpy(s->rest, in->rest, (size_t)s->n_nodes * sizeof *s->rest);
    }
    return true;
}

static bool allocate_surface(surface *s, const surface_input *in)
{
    s->n_nodes = s->n_dofs = in->n_nodes;
    s->n_elements = in->n_triangles + in->n_quads;
    s->capacity_edges = 3 * in->n_triangles + 4 * in->n_quads;
    s->capacity_triangles = in->n_triangles + 2 * in->n_quads;
    return copy_rest(s, in) && MEM_MAKE(s->mem, s->elements, s->n_elements) &&
           MEM_MAKE(s->mem, s->edges, s->capacity_edges) && MEM_MAKE(s->mem, s->triangles, s->capacity_triangles) &&
           MEM_MAKE(s->mem, s->rows, s->n_nodes);
}

/* Most edges are sides of two elements. */
static bool trim_edges(surface *s)
{
    if (s->n_edges == s->capacity_edges || s->n_edges == 0)
        return true;
    edge *less = mem_resized(s->mem, s->edges, s->capacity_edges, s->n_edges, sizeof *less);
    if (!less)
        return false;
    s->edges = less;
    s->capacity_edges = s->n_edges;
    return true;
}

static weft_result check_input_counts(const surface_input *in, weft_error *e)
{
    const int32_t most = 1 << 27; /* sides of elements and triangles stay within int32 */
    if (in->n_nodes < 0 || in->n_triangles < 0 || in->n_quads < 0 || in->n_nodes > most || in->n_triangles > most ||
        in->n_quads > most)
        return error_set(e, WEFT_ERROR_RANGE, -1, "%d nodes, %d triangles, %d quads: each must be in [0, %d]",
                         in->n_nodes, in->n_triangles, in->n_quads, most);
    return WEFT_OK;
}

weft_result surface_create(mem *m, const surface_input *in, surface **out, weft_error *e)
{
    weft_result r = check_input_counts(in, e);
    if (r != WEFT_OK)
        return r;
    surface *s = mem_array(m, 1, sizeof *s);
    if (!s)
        return error_memory(e);
    s->mem = m;
    sides all = {0};
    if (!allocate_surface(s, in) || !sides_create(&all, m, in->n_nodes, 3 * in->n_triangles + 6 * in->n_quads))
        r = error_memory(e);
    if (r == WEFT_OK)
        r = make_elements(s, in, e);
    if (r == WEFT_OK)
        r = make_element_edges(s, in, &all, e);
    if (r == WEFT_OK && !trim_edges(s))
        r = error_memory(e);
    if (r == WEFT_OK)
        r = crack_check(s, e);
    if (r == WEFT_OK)
        r = draw_elements(s, &all, e);
    if (r == WEFT_OK) {
        for (int32_t vi = 0; vi < s->n_nodes; vi++)
            s->rows[vi] = (node_row){{vi, -1}};
        drawing_bend(s, &all); /* none hangs: needs no memory */
        s->revision = 1;
        assert(surface_is_valid(s));
    }
    sides_destroy(&all);
    if (r != WEFT_OK) {
        surface_destroy(s);
        return r;
    }
    *out = s;
    return WEFT_OK;
}

void surface_destroy(surface *s)
{
    if (!s)
        return;
    mem *m = s->mem;
    MEM_FREE(m, s->uv, s->n_nodes);
    MEM_FREE(m, s->rest, s->n_nodes);
    MEM_FREE(m, s->elements, s->n_elements);
    MEM_FREE(m, s->edges, s->capacity_edges);
    MEM_FREE(m, s->splits, s->capacity_edges);
    if (s->bent != s->triangles)
        MEM_FREE(m, s->bent, s->capacity_triangles);
    MEM_FREE(m, s->triangles, s->capacity_triangles);
    MEM_FREE(m, s->rows, s->n_nodes);
    MEM_FREE(m, s->origin, s->n_nodes);
    MEM_FREE(m, s->partner, s->n_nodes);
    mem_free(m, s, 1, sizeof *s);
}
