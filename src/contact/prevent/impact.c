/* SPDX-License-Identifier: MIT */
/* Impulses at the point and time of contact (impact.h has the formulas), with friction and dissipation as in provot1997
 * §3.3 eq. 4:
 *
 *     v' = v_T − k_f |v_N| v_T/|v_T| − k_d v_N, or −k_d v_N where that would turn v_T round
 *
 * Where we differ: the paper applies eq. 4 to each node's velocity relative to the mean of the four, which with
 * friction does not keep momentum. Here v is the relative velocity of the two points that meet; stopping v_N takes
 * the impulse |v_N|/yield, and friction's is at most k_f times it. That is eq. 4 for the point of contact, and
 * momentum is kept whatever the masses. Positions and velocities get impulses of their own: the former open the gap
 * to what is aimed at, and must not be felt as speed in the next step; the latter stop the approach.
 *
 * Invariants:
 *  1. an impulse changes no momentum but that of what is held;
 *  2. over a step a pair's tangential impulses sum up to at most k_f times its normal ones; it bounces once. */
#include "contact/prevent/impact.h"

#include <string.h>

#include "contact/gap.h"
#include "contact/params.h"

/* ---- ledger ------------------------------------------------------------------------------------------------------ */

static uint64_t pair_hash(const int32_t node[4], int32_t edges)
{
    uint64_t h = (uint64_t)edges + 0x9E3779B97F4A7C15u;
    for (int i = 0; i < 4; i++) {
        h = (h ^ (uint32_t)node[i]) * 0xFF51AFD7ED558CCDu;
        h ^= h >> 32;
    }
    return h;
}

/* The pair's place, or the empty one where it belongs. */
static int64_t ledger_place(const ledger *l, const int32_t node[4], int32_t edges)
{
    int64_t at = (int64_t)(pair_hash(node, edges) & (uint64_t)(l->room - 1));
    while (l->entries[at].edges >= 0 &&
           (l->entries[at].edges != edges || memcmp(l->entries[at].node, node, sizeof l->entries[at].node) != 0))
        at = (at + 1) & (l->room - 1);
    return at;
}

static void empty_entries(ledger_entry *entries, int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        entries[i] = (ledger_entry){.edges = -1};
}

static bool enlarge_ledger(ledger *l, mem *m, int64_t room)
{
    ledger old = *l;
    ledger_entry *entries = mem_array(m, room, sizeof *entries);
    if (!entries)
        return false;
    empty_entries(entries, room);
    *l = (ledger){entries, room, old.n};
    for (int64_t i = 0; i < old.room; i++)
        if (old.entries[i].edges >= 0)
            entries[ledger_place(l, old.entries[i].node, old.entries[i].edges)] = old.entries[i];
    MEM_FREE(m, old.entries, old.room);
    return true;
}

bool ledger_reset(ledger *l, mem *m, int64_t n_expected)
{
    int64_t room = 64;
    empty_entries(l->entries, l->room);
    l->n = 0;
    while (room < 4 * n_expected)
        room *= 2;
    return room <= l->room || enlarge_ledger(l, m, room);
}

ledger_entry *ledger_find(ledger *l, mem *m, const impact *c)
{
    if (2 * (l->n + 1) > l->room && !enlarge_ledger(l, m, 2 * l->room))
        return NULL;
    ledger_entry *e = &l->entries[ledger_place(l, c->node, c->edges)];
    if (e->edges < 0) {
        memcpy(e->node, c->node, sizeof e->node);
        e->edges = c->edges;
        l->n++;
    }
    return e;
}

void ledger_destroy(ledger *l, mem *m)
{
    MEM_FREE(m, l->entries, l->room);
    *l = (ledger){0};
}

/* ---- the constraint ---------------------------------------------------------------------------------------------- */

/* T row by row, so that it is right between changes of x1 and the next time that hanging nodes follow. */
static vec3 node_value(const prevent_world *w, const vec3 *a, int32_t vi)
{
    if (vi >= w->n_dofs)
        return a[vi];
    const node_row *r = &w->rows[vi];
    if (r->dof[1] < 0)
        return a[r->dof[0]];
    return v3_madd(v3_scale(row_weight(r), a[r->dof[0]]), row_weight(r), a[r->dof[1]]);
}

vec3 impact_position(const impact_world *w, const impact *c)
{
    /* Relative to one corner: the weights sum up to zero only but for rounding. */
    vec3 origin = w->x0[c->node[3]], p = v3_zero();
    for (int i = 0; i < 4; i++)
        p = v3_madd(p, c->w[i], v3_sub(node_value(w->world, w->x1, c->node[i]), origin));
    return p;
}

static vec3 start_position(const impact_world *w, const impact *c)
{
    vec3 origin = w->x0[c->node[3]], p = v3_zero();
    for (int i = 0; i < 4; i++)
        p = v3_madd(p, c->w[i], v3_sub(w->x0[c->node[i]], origin));
    return p;
}

vec3 impact_velocity(const impact_world *w, const impact *c)
{
    vec3 v = v3_zero();
    for (int i = 0; i < 4; i++) {
        int32_t vi = c->node[i];
        vec3 u = vi < w->world->n_dofs ? node_value(w->world, w->v1, vi)
                                       : v3_scale(1 / w->world->h, v3_sub(w->x1[vi], w->x0[vi]));
        v = v3_madd(v, c->w[i], u);
    }
    return v;
}

double impact_missing(const impact_world *w, const impact *c)
{
    return c->bound - v3_dot(c->normal, impact_position(w, c));
}

void impact_place(impact *c, const vec3 x0[4], const vec3 x1[4], const weft_ccd_hit *hit)
{
    vec3 x[4];
    c->time = hit->time_lower;
    for (int i = 0; i < 4; i++)
        x[i] = v3_madd(x0[i], c->time, v3_sub(x1[i], x0[i]));
    gap g = c->edges ? gap_edge_edge(x) : gap_vertex_triangle(x);
    memcpy(c->w, g.w, sizeof c->w);
    c->normal = v3_unit_or(g.vector, hit->normal);
}

void impact_bind(const impact_world *w, impact *c)
{
    vec3 from = start_position(w, c), to = impact_position(w, c);
    double g0 = v3_dot(c->normal, from), g1 = v3_dot(c->normal, to);
    double t = max_of(c->time, IMPACT_EARLIEST), way = v3_len(v3_sub(to, from));
    c->bound = max_of(c->aim_end, (c->aim - (1 - t) * g0) / t);
    /* Where the normal has turned since the start, g0 says little: no more than some times the way that they went. */
    c->bound = min_of(c->bound, max_of(g1, c->aim_end) + IMPACT_MOST_WAYS * way);
    c->push = c->push_v = 0;
}

/* ---- what gives way ---------------------------------------------------------------------------------------------- */

static obstacle obstacle_of(const impact_world *w, int32_t dof)
{
    return w->obstacle ? w->obstacle[dof] : (obstacle){0};
}

bool impact_dof_is_free(const impact_world *w, int32_t dof)
{
    return w->world->filters[dof].kind != FREEDOM_NONE && obstacle_of(w, dof).n < 2 && w->world->mass[dof] > 0;
}

/* P f / m */
static vec3 dof_mobility(const impact_world *w, int32_t dof, vec3 f)
{
    obstacle o = obstacle_of(w, dof);
    vec3 step = filter_apply(&w->world->filters[dof], f);
    double inward = o.n == 1 ? v3_dot(o.normal, step) : 0;
    if (inward < 0) {
        if (w->world->filters[dof].kind == FREEDOM_LINE)
            return v3_zero();
        step = v3_madd(step, -inward, o.normal);
    }
    return v3_scale(1 / w->world->mass[dof], step);
}

static void add_weight(impact_reach *r, int32_t dof, double weight)
{
    int32_t i = 0;
    while (i < r->n && r->dof[i] != dof)
        i++;
    if (i == r->n) {
        r->dof[r->n++] = dof;
        r->w[i] = 0;
    }
    r->w[i] += weight;
}

void impact_reach_along(const impact_world *w, const impact *c, vec3 e, impact_reach *out)
{
    out->n = 0;
    out->yield = 0;
    for (int i = 0; i < 4; i++) {
        if (c->node[i] >= w->world->n_dofs)
            continue;
        const node_row *r = &w->world->rows[c->node[i]];
        for (int k = 0; k < 2 && r->dof[k] >= 0; k++)
            if (impact_dof_is_free(w, r->dof[k]))
                add_weight(out, r->dof[k], c->w[i] * row_weight(r));
    }
    double unhindered = 0;
    for (int32_t i = 0; i < out->n; i++) {
        out->step[i] = dof_mobility(w, out->dof[i], v3_scale(out->w[i], e));
        out->yield += out->w[i] * v3_dot(e, out->step[i]);
        unhindered += out->w[i] * out->w[i] / w->world->mass[out->dof[i]];
    }
    if (out->yield < IMPACT_STIFF * unhindered)
        out->yield = 0;
}

void impact_push(const impact_reach *r, double lambda, vec3 *a)
{
    for (int32_t i = 0; i < r->n; i++)
        a[r->dof[i]] = v3_madd(a[r->dof[i]], lambda, r->step[i]);
}

double impact_coefficient(const impact_world *w, const impact *c, const double *of_node)
{
    double sum[2] = {0, 0}, weight[2] = {0, 0}; /* cloth, colliders */
    for (int i = 0; i < 4; i++) {
        int of = c->node[i] >= w->world->n_dofs;
        sum[of] += fabs(c->w[i]) * prevent_of_node(w->world, of_node, c->node[i]);
        weight[of] += fabs(c->w[i]);
    }
    double cloth = weight[0] > 0 ? sum[0] / weight[0] : 0;
    return weight[1] > 0 ? cloth * sum[1] / weight[1] : cloth;
}

/* ---- the response ------------------------------------------------------------------------------------------------ */

/* Takes from the slide, a tangential way or velocity, what friction still may: returns the impulse. */
static double apply_friction(const impact_world *w, const impact *c, vec3 relative, double may, vec3 *a)
{
    vec3 along = v3_madd(relative, -v3_dot(c->normal, relative), c->normal);
    double slide = v3_len(along);
    if (!(slide > 0) || !(may > 0))
        return 0;
    impact_reach r;
    impact_reach_along(w, c, v3_scale(-1 / slide, along), &r);
    if (!(r.yield > 0))
        return 0;
    double impulse = min_of(slide / r.yield, may);
    impact_push(&r, impulse, a);
    return impulse;
}

static void stop_approach(const impact_world *w, const impact *c, const impact_reach *r, double k_f,
                          ledger_entry *entry)
{
    double approach = -v3_dot(c->normal, impact_velocity(w, c));
    if (!(approach > 0))
        return;
    double k_d = entry->normal_v > 0 ? 0 : impact_coefficient(w, c, w->world->dissipation);
    impact_push(r, (1 + k_d) * approach / r->yield, w->v1);
    entry->normal_v += approach / r->yield;
    entry->tangential_v +=
        apply_friction(w, c, impact_velocity(w, c), k_f * entry->normal_v - entry->tangential_v, w->v1);
}

bool impact_respond(const impact_world *w, const impact *c, ledger_entry *entry)
{
    double missing = impact_missing(w, c), k_f = impact_coefficient(w, c, w->world->friction);
    impact_reach r;
    if (!(missing > 0))
        return false;
    impact_reach_along(w, c, c->normal, &r);
    if (!(r.yield > 0))
        return false;
    impact_push(&r, missing / r.yield, w->x1);
    entry->normal += missing / r.yield;
    vec3 way = v3_sub(impact_position(w, c), start_position(w, c));
    entry->tangential += apply_friction(w, c, way, k_f * entry->normal - entry->tangential, w->x1);
    stop_approach(w, c, &r, k_f, entry);
    return true;
}
