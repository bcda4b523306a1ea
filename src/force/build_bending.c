/* SPDX-License-Identifier: MIT */
/* Bending of a surface as elements: beams along the threads of quads, the curvature tensor or plain hinges on the
 * triangles between active nodes (surface.h). */
#include "force/build.h"

#include "force/params.h"

/* ---- beams ------------------------------------------------------------------------------------------------------- */

/* A beam runs through a node P along a thread, from one quad beside it into the next: A ── P ── B. Two quads that share
 * an edge give one half-beam at each of its ends, of half the width of each quad; the two pairs on both sides of a
 * thread give two, which are one beam where they have the same ends. So each quad gives, along warp as along weft, a
 * quarter of its area at each of four nodes.
 *
 *     ┌───┬───┬───┬───┐      Where levels meet, M hangs on a chord of the curved surface. A thread along PQ goes from
 *     ├───┼───C───┼───┤      P to Q, beside the coarse quad's own. But threads across end at M: a beam through C to M
 *     │   │ f │ g │   │      sees curvature along PQ that it should not (10 % too stiff on meshes of mixed levels);
 *     ├───P───M───Q───┤      without it, its weight given to its neighbours, moments are not in balance (5 % too
 *     │       │       │      soft). So quads where levels meet bend by the curvature tensor instead (element.smooth).
 */
typedef struct half_beam {
    int32_t start, finish;
    double k;
    int32_t fabric;
} half_beam;

typedef struct node_edges {
    int32_t *start;   /* of a node's edges, n_nodes + 2 */
    int32_t *edges;   /* at each node, those that end there */
    int32_t *corners; /* how many elements have a corner at the node */
    bool *border;
    int32_t n_nodes, n_edges;
} node_edges;

static void node_edges_destroy(node_edges *ne, mem *m)
{
    MEM_FREE(m, ne->start, ne->n_nodes + 2);
    MEM_FREE(m, ne->edges, 2 * (int64_t)ne->n_edges);
    MEM_FREE(m, ne->corners, ne->n_nodes);
    MEM_FREE(m, ne->border, ne->n_nodes);
}

static bool node_edges_create(node_edges *ne, mem *m, const surface *s)
{
    *ne = (node_edges){.n_nodes = s->n_nodes, .n_edges = s->n_edges};
    if (!MEM_MAKE(m, ne->start, s->n_nodes + 2) || !MEM_MAKE(m, ne->edges, 2 * (int64_t)s->n_edges) ||
        !MEM_MAKE(m, ne->corners, s->n_nodes) || !MEM_MAKE(m, ne->border, s->n_nodes))
        return false;
    for (int32_t i = 0; i < s->n_edges; i++)
        for (int k = 0; k < 2; k++) {
            int32_t vi = s->edges[i].node[k];
            ne->start[vi + 2]++;
            ne->border[vi] = ne->border[vi] || surface_is_border(s, i);
        }
    for (int32_t vi = 0; vi < s->n_nodes; vi++)
        ne->start[vi + 2] += ne->start[vi + 1];
    /* start[vi + 1] walks from the beginning of its bucket to its end, where it is the beginning of the next. */
    for (int32_t i = 0; i < s->n_edges; i++)
        for (int k = 0; k < 2; k++)
            ne->edges[ne->start[s->edges[i].node[k] + 1]++] = i;
    for (int32_t ei = 0; ei < s->n_elements; ei++)
        for (int i = 0; i < s->elements[ei].n; i++)
            ne->corners[s->elements[ei].node[i]]++;
    return true;
}

/* The side of quad el, other than `not_edge`, that ends at node vi. */
static int other_side(const element *el, int32_t not_edge, int32_t vi)
{
    for (int i = 0; i < el->n; i++)
        if (el->edge[i] != not_edge && (el->node[i] == vi || el->node[(i + 1) % el->n] == vi))
            return i;
    return -1;
}

static int32_t far_end(const element *el, int side, int32_t vi)
{
    return el->node[side] == vi ? el->node[(side + 1) % el->n] : el->node[side];
}

static bool side_runs_along_warp(const surface *s, const element *el, int side)
{
    return (side % 2 == 0) == quad_cell(s, el).warp_first;
}

/* Threads run straight through nodes of four quads, and along a border through nodes of two. */
static bool threads_pass(const node_edges *ne, int32_t vi)
{
    return ne->corners[vi] == (ne->border[vi] ? 2 : 4);
}

static bool node_hangs(const surface *s, int32_t vi)
{
    return s->rows[vi].dof[1] >= 0;
}

/* The end of a beam from vi towards a neighbour: a node that hangs leads on to the end of the edge it hangs in, if that
 * begins at vi; else -1. */
static int32_t active_end(const surface *s, int32_t vi, int32_t end)
{
    const int32_t *dof = s->rows[end].dof;
    if (dof[1] < 0)
        return end;
    return dof[0] == vi ? dof[1] : dof[1] == vi ? dof[0] : -1;
}

/* The two quads at edge i, each with its own edge there; where levels meet the finer edge knows both. */
static bool quads_at(const surface *s, int32_t i, int32_t quad[2], int32_t between[2])
{
    const edge *ed = &s->edges[i];
    int32_t whole = surface_split(s, i).whole;
    quad[0] = ed->element[0];
    quad[1] = whole >= 0 ? s->edges[whole].element[0] : ed->element[1];
    between[0] = i;
    between[1] = whole >= 0 ? whole : i;
    return quad[1] >= 0;
}

/* k = 2 B w / length with w = half of the quads' area over the length: half the width of each quad beside the thread.
 * Quads that bend by the tensor count no more. */
static bool half_beam_at(const surface *s, const cloth_material *m, int32_t i, int32_t vi, half_beam *out)
{
    int32_t quad[2], between[2], end[2];
    double area = 0;
    if (!quads_at(s, i, quad, between))
        return false;
    for (int k = 0; k < 2; k++) {
        const element *el = &s->elements[quad[k]];
        end[k] = active_end(s, vi, far_end(el, other_side(el, between[k], vi), vi));
        area += el->smooth ? 0 : quad_area(s, el);
        if (end[k] < 0)
            return false;
    }
    const element *a = &s->elements[quad[0]];
    const weft_fabric *fb = &m->fabrics[a->fabric];
    double rigidity = side_runs_along_warp(s, a, other_side(a, between[0], vi)) ? fb->bending_warp : fb->bending_weft;
    *out = (half_beam){.start = end[0], .finish = end[1], .fabric = a->fabric};
    double length = surface_rest_length(s, out->start, vi) + surface_rest_length(s, vi, out->finish);
    out->k = rigidity * area / (length * length);
    return out->k > 0;
}

static bool same_ends(const half_beam *a, const half_beam *b)
{
    return (a->start == b->start && a->finish == b->finish) || (a->start == b->finish && a->finish == b->start);
}

static bool add_beams_at(forces *f, const surface *s, const cloth_material *m, const node_edges *ne, int32_t offset,
                         int32_t vi)
{
    half_beam found[8];
    int n = 0;
    for (int32_t j = ne->start[vi]; j < ne->start[vi + 1] && n < 8; j++) {
        half_beam one;
        if (!half_beam_at(s, m, ne->edges[j], vi, &one))
            continue;
        int k = 0;
        while (k < n && !same_ends(&found[k], &one))
            k++;
        if (k < n)
            found[k].k += one.k;
        else
            found[n++] = one;
    }
    for (int k = 0; k < n; k++) {
        common_par par = {.k = found[k].k, .time = m->fabrics[found[k].fabric].damping_bending};
        int32_t common = forces_common(f, &par, false);
        beam_element *b = common >= 0 ? forces_push(f, FORCE_BEAM) : NULL;
        if (!b)
            return false;
        *b = (beam_element){.node = {offset + found[k].start, offset + vi, offset + found[k].finish}, .common = common};
    }
    return true;
}

static bool add_beams(forces *f, const surface *s, const cloth_material *m, int32_t offset)
{
    node_edges ne;
    bool ok = node_edges_create(&ne, f->mem, s);
    for (int32_t vi = 0; ok && vi < s->n_nodes; vi++)
        if (!node_hangs(s, vi) && threads_pass(&ne, vi))
            ok = add_beams_at(f, s, m, &ne, offset, vi);
    node_edges_destroy(&ne, f->mem);
    return ok;
}

/* ---- the curvature tensor ---------------------------------------------------------------------------------------- */

/* The tensor needs both: one that is zero gets a part of the other. */
static void tensor_rigidities(const weft_fabric *fb, double *warp, double *weft)
{
    *warp = max_of(fb->bending_warp, BEND_LEAST_RIGIDITY * fb->bending_weft);
    *weft = max_of(fb->bending_weft, BEND_LEAST_RIGIDITY * fb->bending_warp);
}

bool forces_bends(const surface *s, const cloth_material *m, int32_t ti)
{
    return m->bending == WEFT_BENDING_TENSOR ||
           (m->bending == WEFT_BENDING_BEAMS && s->elements[s->bent[ti].element].smooth);
}

bool forces_have_tilt(const surface *s, const cloth_material *m, int32_t ti, int side)
{
    int32_t tj = s->bent[ti].neighbour[side];
    return tj > ti && forces_bends(s, m, ti) && forces_bends(s, m, tj);
}

void build_bend_stiffness(const surface *s, const cloth_material *m, int32_t ti, const vec2 uv[6], int32_t present,
                          bend_par *out)
{
    double warp, weft;
    tensor_rigidities(&m->fabrics[s->elements[s->bent[ti].element].fabric], &warp, &weft);
    bend_stiffness(uv, present, warp, weft, m->bending == WEFT_BENDING_TENSOR ? 1 : BEND_THREAD_TWIST, out);
}

static bool add_bend_element(forces *f, const surface *s, const cloth_material *m, int32_t offset, int32_t ti)
{
    const weft_fabric *fb = &m->fabrics[s->elements[s->bent[ti].element].fabric];
    vec2 uv[6];
    int32_t nodes[6];
    double warp, weft;
    int32_t present = surface_triangle_patch(s, ti, uv, nodes);
    tensor_rigidities(fb, &warp, &weft);
    if (present == 0 || warp == 0)
        return true;
    bend_element *b = forces_push(f, FORCE_BEND);
    if (!b)
        return false;
    build_bend_stiffness(s, m, ti, uv, present, &b->par);
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

static int side_towards(const triangle *t, int32_t neighbour)
{
    int i = 0;
    while (t->neighbour[i] != neighbour)
        i++;
    return i;
}

/* bend_of: the bend element of each triangle, -1 where it has none. */
static bool add_edge_tilts(forces *f, const surface *s, const cloth_material *m, const int32_t *bend_of)
{
    for (int32_t ti = 0; ti < s->n_bent; ti++)
        for (int i = 0; i < 3; i++) {
            int32_t tj = s->bent[ti].neighbour[i];
            if (!forces_have_tilt(s, m, ti, i))
                continue;
            tilt_edge *sh = forces_push_item(f, &f->tilts, sizeof *sh);
            if (!sh)
                return false;
            bool both = bend_of[ti] >= 0 && bend_of[tj] >= 0;
            *sh = (tilt_edge){both ? bend_of[ti] : -1, i, bend_of[tj], side_towards(&s->bent[tj], ti), 0, 0};
        }
    return true;
}

static bool add_bends(forces *f, const surface *s, const cloth_material *m, int32_t offset)
{
    int32_t *bend_of = mem_array(f->mem, s->n_bent, sizeof *bend_of);
    bool ok = bend_of || s->n_bent == 0;
    for (int32_t ti = 0; ok && ti < s->n_bent; ti++) {
        int32_t before = f->list[FORCE_BEND].n;
        ok = !forces_bends(s, m, ti) || add_bend_element(f, s, m, offset, ti);
        bend_of[ti] = f->list[FORCE_BEND].n > before ? before : -1;
    }
    ok = ok && (s->n_bent == 0 || add_edge_tilts(f, s, m, bend_of));
    mem_free(f->mem, bend_of, s->n_bent, sizeof *bend_of);
    return ok;
}

int32_t forces_n_tilts(const surface *s, const cloth_material *m)
{
    int32_t n = 0;
    for (int32_t ti = 0; ti < s->n_bent; ti++)
        for (int i = 0; i < 3; i++)
            n += forces_have_tilt(s, m, ti, i);
    return n;
}

/* ---- hinges ------------------------------------------------------------------------------------------------------ */

double forces_border_hinge(const surface *s, const cloth_material *m, int32_t ti, int side)
{
    const weft_fabric *fb = &m->fabrics[s->elements[s->bent[ti].element].fabric];
    vec2 uv[6];
    int32_t nodes[6];
    surface_triangle_patch(s, ti, uv, nodes);
    vec2 a = uv[(side + 1) % 3], b = uv[(side + 2) % 3], c = uv[side], along = {b.u - a.u, b.v - a.v};
    double t = ((c.u - a.u) * along.u + (c.v - a.v) * along.v) / (along.u * along.u + along.v * along.v);
    vec2 foot = {a.u + t * along.u, a.v + t * along.v}, mirror = {2 * foot.u - c.u, 2 * foot.v - c.v};
    return hinge_stiffness((vec2[4]){a, b, c, mirror}, fb->bending_warp, fb->bending_weft);
}

static bool add_hinges_of(forces *f, const surface *s, const cloth_material *m, int32_t offset, int32_t ti)
{
    const triangle *t = &s->bent[ti];
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
    for (int32_t ti = 0; ti < s->n_bent; ti++)
        if (!add_hinges_of(f, s, m, offset, ti))
            return false;
    return true;
}

bool build_bending(forces *f, const surface *s, const cloth_material *m, int32_t offset)
{
    if (m->bending == WEFT_BENDING_HINGES)
        return add_hinges(f, s, m, offset);
    return (m->bending == WEFT_BENDING_TENSOR || add_beams(f, s, m, offset)) && add_bends(f, s, m, offset);
}
