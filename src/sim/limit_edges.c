/* SPDX-License-Identifier: MIT */
/* Edges that are too long are shortened, both ends by their mobility, in sweeps over all edges (Provot 1995). What a
 * sweep corrects the next may undo, so the length holds only nearly. After the first sweep only edges count that the
 * last or the present one has moved an end of.
 *
 * Provot's own use of it is beside the stiffening that is the default: after the step, to the stretch limit,
 * velocities follow the positions (limit_edges). With stiffening it helps Newton's method in three places:
 *
 * 1. Its directions are straight: what turns by an angle φ gets longer by φ²/2, and beyond the limit that is more
 *    energy than all the rest of the step has. One fold would shorten the step for all of the cloth. So would nodes
 *    that go into a contact which did not act where the step began. The trial is drawn back to where neither is
 *    (retract_trial): on a ball of 146² nodes, steps 8 to 21, nearly all steps that had been rejected are then taken
 *    whole.
 * 2. A guess of where a step ends, by what nodes felt in the last one, is good but for edges that turn or whip, which
 * get
 *    longer (keep_edges).
 * 3. Cloth that folds fast has edges left near the limit in most steps, a handful in a mesh of any size, and each
 *    would ask for more steps over the whole of it. Only a fraction of all edges does ask (edges_are_taut), and fewer
 *    are shortened when it has ended (loosen_edges). */
#include <string.h>

#include "base/ranges.h"
#include "force/params.h"
#include "sim/params.h"
#include "sim/phases.h"

typedef struct edge_run {
    model *m;
    vec3 *q, *v;            /* v: or NULL */
    const int32_t *restart; /* velocities follow by the model's γ of each degree of freedom, … */
    double all;             /* … or, where this is NULL, by this */
    int32_t sweep;
    const vec3 *by; /* how the last Newton step has moved nodes, where it is asked */
} edge_run;

/* Of a node, by its degrees of freedom. */
static double mobility(const model *m, int32_t vi)
{
    const node_row *r = &m->rows[vi];
    double w = 0;
    for (int d = 0; d < 2 && r->dof[d] >= 0; d++)
        if (m->filters[r->dof[d]].kind == FREEDOM_ALL)
            w += row_weight(r) * row_weight(r) / m->mass[r->dof[d]];
    return w;
}

static vec3 place_at(const model *m, const vec3 *q, int32_t vi)
{
    const node_row *row = &m->rows[vi];
    return row->dof[1] < 0 ? q[row->dof[0]] : v3_scale(0.5, v3_add(q[row->dof[0]], q[row->dof[1]]));
}

static vec3 node_place(const edge_run *r, int32_t vi)
{
    return place_at(r->m, r->q, vi);
}

/* An impulse at a node. */
static void push(const edge_run *r, int32_t vi, vec3 impulse)
{
    model *m = r->m;
    const node_row *row = &m->rows[vi];
    for (int d = 0; d < 2 && row->dof[d] >= 0; d++) {
        int32_t dof = row->dof[d];
        if (m->filters[dof].kind != FREEDOM_ALL)
            continue;
        double w = row_weight(row) / m->mass[dof];
        r->q[dof] = v3_madd(r->q[dof], w, impulse);
        if (r->v)
            r->v[dof] = v3_madd(r->v[dof], w / (r->restart ? m->gamma[r->restart[dof] != 0] : r->all), impulse);
        m->shortened[dof] = r->sweep;
        dirty_set_mark(&m->dirty_set, dof, r->sweep);
    }
}

/* Whether one of these has moved since it was looked at. */
static bool is_dirty(const edge_run *r, const int32_t *node, int32_t n)
{
    for (int32_t k = 0; k < n; k++) {
        const node_row *row = &r->m->rows[node[k]];
        if (r->m->shortened[row->dof[0]] >= r->sweep - 1 ||
            (row->dof[1] >= 0 && r->m->shortened[row->dof[1]] >= r->sweep - 1))
            return true;
    }
    return false;
}

/* To `stretch`; 0: it has none. */
static bool shorten_edge(const edge_run *r, const edge_element *ed, double stretch)
{
    double length = forces_edge(&r->m->forces, ed)->length;
    if (stretch == 0 || !is_dirty(r, ed->node, 2))
        return false;
    int32_t a = ed->node[0], b = ed->node[1];
    vec3 d = v3_sub(node_place(r, b), node_place(r, a));
    double most = stretch * length, l_sq = v3_len_sq(d);
    if (l_sq <= most * most)
        return false;
    double l = sqrt(l_sq), over = l - most, w = mobility(r->m, a) + mobility(r->m, b);
    if (over <= 1e-9 * length || w == 0)
        return false;
    vec3 u = v3_scale(over / (l * w), d);
    push(r, a, u);
    push(r, b, v3_neg(u));
    return true;
}

static void begin_sweeps(const edge_run *r)
{
    memset(r->m->shortened, 0, (size_t)r->m->n * sizeof *r->m->shortened);
    dirty_set_begin(&r->m->dirty_set);
}

/* To `fraction` of what counts as taut; 0: it has no limit. */
static double part_of_taut(const edge_par *e, double fraction)
{
    return e->taut > 0 ? 1 + fraction * (e->taut - 1) : 0;
}

/* What edges are shortened to. */
typedef enum shorten_to { TO_LIMIT, TO_TAUT, TO_FRACTION } shorten_to;

/* Over all edges once, in their order. */
static bool sweep_edges(const edge_run *r, shorten_to to, double fraction)
{
    const force_array *edges = &r->m->forces.edges;
    const edge_element *all = edges->items;
    bool any = false;
    for (int32_t part = 0; part < r->m->dirty_set.n_parts; part++)
        if (dirty_set_is(&r->m->dirty_set, part, r->sweep))
            for (int32_t i = part * DIRTY_SET_PART; i < (part + 1) * DIRTY_SET_PART && i < edges->n; i++) {
                const edge_par *e = forces_edge(&r->m->forces, &all[i]);
                any = shorten_edge(r, &all[i],
                                   to == TO_LIMIT  ? e->limit
                                   : to == TO_TAUT ? e->taut
                                                   : part_of_taut(e, fraction)) ||
                      any;
            }
    return any;
}

void limit_edges(model *m, double h)
{
    edge_run r = {.m = m, .q = m->q1, .v = m->v1, .all = h};
    bool any = m->forces.limited;
    if (any)
        begin_sweeps(&r);
    for (r.sweep = 1; any && r.sweep <= LIMIT_SWEEPS; r.sweep++)
        any = sweep_edges(&r, TO_LIMIT, 0);
}

/* ---- the first guess --------------------------------------------------------------------------------------------- */

/* To the length that it had at q0, if it was stretched there, else to that at rest. */
static bool keep_edge(const edge_run *r, const edge_element *ed, const vec3 *q0)
{
    if (!is_dirty(r, ed->node, 2))
        return false;
    int32_t a = ed->node[0], b = ed->node[1];
    vec3 d = v3_sub(node_place(r, b), node_place(r, a));
    double most = forces_edge(&r->m->forces, ed)->length, l_sq = v3_len_sq(d);
    if (l_sq <= most * most)
        return false;
    most = max_of(most, v3_len(v3_sub(place_at(r->m, q0, b), place_at(r->m, q0, a))));
    double l = sqrt(l_sq), over = l - most, w = mobility(r->m, a) + mobility(r->m, b);
    if (over <= GUESS_SLACK * most || w == 0)
        return false;
    vec3 u = v3_scale(over / (l * w), d);
    push(r, a, u);
    push(r, b, v3_neg(u));
    return true;
}

void keep_edges(model *m, const vec3 *q0, vec3 *q)
{
    edge_run r = {.m = m, .q = q};
    const edge_element *all = m->forces.edges.items;
    bool any = true;
    begin_sweeps(&r);
    for (r.sweep = 1; any && r.sweep <= GUESS_SWEEPS; r.sweep++) {
        any = false;
        for (int32_t part = 0; part < m->dirty_set.n_parts; part++)
            if (dirty_set_is(&m->dirty_set, part, r.sweep))
                for (int32_t i = part * DIRTY_SET_PART; i < (part + 1) * DIRTY_SET_PART && i < m->forces.edges.n; i++)
                    any = keep_edge(&r, &all[i], q0) || any;
    }
}

/* ---- Newton's trial ---------------------------------------------------------------------------------------------- */

/* How deep a contact is that stops in one step what has come the way that cloth goes in it. */
static double stopping_depth(const model *m, const contact_term *c)
{
    double force = c->drag / CONTACT_DAMPER * m->way;
    return min_of(RETRACT_DEPTH * c->radius, sqrt(force * c->radius / c->k));
}

/* A contact with a collider that is pressed in by more than at the step's start, and more than stops it, is pushed
 * out. */
static bool lift(const edge_run *r, const contact_term *c)
{
    double w = 0;
    vec3 p = v3_zero();
    if (!is_dirty(r, c->node, c->n))
        return false;
    for (int k = 0; k < c->n; k++) {
        p = v3_madd(p, c->w[k], node_place(r, c->node[k]));
        w += c->w[k] * c->w[k] * mobility(r->m, c->node[k]);
    }
    double over = c->reach + c->radius - v3_dot(c->normal, p) - max_of(c->past, stopping_depth(r->m, c));
    if (!(over > 0) || w == 0)
        return false;
    for (int k = 0; k < c->n; k++)
        push(r, c->node[k], v3_scale(c->w[k] * over / w, c->normal));
    return true;
}

static int32_t retract_sweeps(const model *m)
{
    double n_edges = m->way / m->mean_edge;
    return (int32_t)min_of(RETRACT_MOST, max_of(RETRACT_LEAST, RETRACT_FACTOR * n_edges * n_edges));
}

/* Pushed out of contacts alone, edges would be stretched; those of triangles have no bound, as they may shear. And
 * where cloth is near cloth it is left out: a ribbon that falls on end gives way too easily, its top is at 0.85 m
 * after 0.5 s, at 0.89 without it and with steps of 1/960 s. */
bool retract_trial(void *context, vec3 *q)
{
    model *m = context;
    edge_run r = {.m = m, .q = q};
    bool any = m->forces.stiffened && m->cloth_contact.pairs.n <= RETRACT_FEW_PAIRS * m->n;
    int32_t n_sweeps = retract_sweeps(m);
    if (!any)
        return false;
    begin_sweeps(&r);
    for (r.sweep = 1; any && r.sweep <= n_sweeps; r.sweep++) {
        any = false;
        for (int32_t i = 0; i < m->collider_contacts.n_contacts; i++)
            any = lift(&r, &m->collider_contacts.contacts[i]) || any;
        any = sweep_edges(&r, TO_TAUT, 0) || any;
    }
    return true;
}

/* ---- its end ----------------------------------------------------------------------------------------------------- */

/* x: where nodes are; by: how the last Newton step has moved them. */
static bool is_left_taut(const edge_element *e, const edge_par *p, const vec3 *x, const vec3 *by)
{
    double most = p->taut * p->length, tight = p->length * (1 + TAUT_TIGHT * (p->taut - 1));
    vec3 d = v3_sub(x[e->node[1]], x[e->node[0]]);
    double l_sq = v3_len_sq(d);
    if (!(most > 0) || l_sq <= most * most)
        return false;
    double change = v3_dot(v3_sub(by[e->node[1]], by[e->node[0]]), d);
    return fabs(change) > (l_sq > tight * tight ? TAUT_SETTLED_TIGHT : TAUT_SETTLED) * l_sq;
}

/* Into x, and into what is taken of scratch: NULL without memory, which the end of the solve notices. */
static const vec3 *expand_last(model *m, const vec3 *q, const vec3 *last)
{
    vec3 *by;
    m->n_placed += assembly_expand(&m->assembly, q, m->x);
    if (!ARENA_TAKE(m->scratch, by, m->n))
        return NULL;
    assembly_expand(&m->assembly, last, by);
    return by;
}

/* Edges of each piece that are left taut, or longer than their limit. */
typedef struct long_edges {
    const edge_run *r;
    const ranges *ranges;
    double fraction; /* of what counts as taut: the limit; 0: those that are left taut */
    int32_t n[RANGES_MOST];
} long_edges;

static void find_long_in_range(void *context, int32_t range)
{
    long_edges *l = context;
    const model *m = l->r->m;
    const edge_element *edges = m->forces.edges.items;
    for (int32_t i = ranges_begin(l->ranges, range); i < ranges_end(l->ranges, range); i++) {
        const edge_par *p = forces_edge(&m->forces, &edges[i]);
        double most = part_of_taut(p, l->fraction) * p->length;
        l->n[range] += l->fraction == 0
                           ? is_left_taut(&edges[i], p, m->x, l->r->by)
                           : most > 0 && v3_len_sq(v3_sub(node_place(l->r, edges[i].node[1]),
                                                          node_place(l->r, edges[i].node[0]))) > most * most;
    }
}

static long_edges find_long_edges(const edge_run *r, pool *p, const ranges *of_edges, double fraction)
{
    long_edges l = {.r = r, .ranges = of_edges, .fraction = fraction};
    pool_for(p, of_edges->n, find_long_in_range, &l);
    return l;
}

bool edges_are_taut(model *m, const vec3 *q, const vec3 *last)
{
    ranges p = ranges_of(m->forces.edges.n);
    int32_t n = 0;
    if (!m->forces.stiffened)
        return false;
    arena_mark before = arena_mark_of(m->scratch);
    edge_run r = {.m = m, .by = expand_last(m, q, last)};
    long_edges l = {0};
    if (r.by)
        l = find_long_edges(&r, m->pool, &p, 0);
    for (int32_t i = 0; i < p.n; i++)
        n += l.n[i];
    arena_release(m->scratch, before);
    return n > TAUT_EDGES * m->forces.edges.n;
}

/* Sweeps from the second on, to `fraction` of what counts as taut: what the first has moved drags its neighbours. */
static void go_on_shortening(edge_run *r, bool any, double fraction)
{
    for (r->sweep = 2; any && r->sweep <= LOOSEN_SWEEPS; r->sweep++)
        any = sweep_edges(r, TO_FRACTION, fraction);
}

/* The first sweep. What a look at all edges at once has not found comes to be too long only if one before it moves. */
static bool shorten_found(const edge_run *r, const long_edges *l)
{
    const edge_element *edges = r->m->forces.edges.items;
    bool any = false;
    for (int32_t range = 0; range < l->ranges->n; range++)
        for (int32_t i = ranges_begin(l->ranges, range); (any || l->n[range] > 0) && i < ranges_end(l->ranges, range);
             i++) {
            const edge_par *p = forces_edge(&r->m->forces, &edges[i]);
            if (l->fraction > 0)
                any = shorten_edge(r, &edges[i], part_of_taut(p, l->fraction)) || any;
            else if (is_left_taut(&edges[i], p, r->m->x, r->by))
                any = shorten_edge(r, &edges[i], p->taut) || any;
        }
    return any;
}

void loosen_edges(model *m, const state *st, const vec3 *last)
{
    edge_run r = {.m = m, .q = m->q1, .v = m->v1, .restart = st->restart, .sweep = 1};
    ranges p = ranges_of(m->forces.edges.n);
    if (!m->forces.stiffened)
        return;
    arena_mark before = arena_mark_of(m->scratch);
    r.by = expand_last(m, m->q1, last);
    if (!r.by)
        return;
    begin_sweeps(&r);
    long_edges l = find_long_edges(&r, m->pool, &p, 0);
    go_on_shortening(&r, shorten_found(&r, &l), 1);
    begin_sweeps(&r);
    r.sweep = 1;
    l = find_long_edges(&r, m->pool, &p, LOOSEN_TO_LIMIT / FORCES_TAUT);
    go_on_shortening(&r, shorten_found(&r, &l), LOOSEN_TO_LIMIT / FORCES_TAUT);
    arena_release(m->scratch, before);
}
