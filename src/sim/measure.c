/* SPDX-License-Identifier: MIT */
/* What is measured at the end of a step: energies, momentum, the largest stretch and speed. Sums over ranges of nodes
 * and edges, added up in their order, so that the number of threads does not matter. */
#include "base/ranges.h"
#include "sim/phases.h"

typedef struct measure_run {
    const model *m;
    const state *st;
    const ranges *ranges;
    double kinetic[RANGES_MOST], gravity[RANGES_MOST], speed_sq[RANGES_MOST]; /* sums, and the largest */
    double stretch_sq[RANGES_MOST];
    vec3 momentum[RANGES_MOST], angular[RANGES_MOST];
    int32_t n_active[RANGES_MOST];
} measure_run;

static void measure_range(void *context, int32_t range)
{
    measure_run *r = context;
    const model *m = r->m;
    const state *st = r->st;
    for (int32_t i = ranges_begin(r->ranges, range); i < ranges_end(r->ranges, range); i++) {
        double v_sq = v3_len_sq(st->v[i]);
        r->kinetic[range] += 0.5 * m->mass[i] * v_sq;
        r->gravity[range] -= m->mass[i] * v3_dot(r->m->def->gravity, st->q[i]);
        r->momentum[range] = v3_madd(r->momentum[range], m->mass[i], st->v[i]);
        r->angular[range] = v3_madd(r->angular[range], m->mass[i], v3_cross(st->q[i], st->v[i]));
        r->speed_sq[range] = max_of(r->speed_sq[range], v_sq);
        r->n_active[range] += m->rows[i].dof[0] == i;
    }
}

static void stretch_range(void *context, int32_t range)
{
    measure_run *r = context;
    const vec3 *q = r->st->q;
    const edge_element *edges = r->m->forces.edges.items;
    double most = 0;
    for (int32_t i = ranges_begin(r->ranges, range); i < ranges_end(r->ranges, range); i++) {
        const edge_element *e = &edges[i];
        double length = forces_edge(&r->m->forces, e)->length;
        most = max_of(most, v3_len_sq(v3_sub(q[e->node[1]], q[e->node[0]])) / (length * length));
    }
    r->stretch_sq[range] = most;
}

static void put_momentum(const measure_run *r, weft_step_stats *out)
{
    vec3 p = v3_zero(), l = v3_zero();
    for (int32_t i = 0; i < r->ranges->n; i++) {
        p = v3_add(p, r->momentum[i]);
        l = v3_add(l, r->angular[i]);
    }
    out->momentum_x = p.x;
    out->momentum_y = p.y;
    out->momentum_z = p.z;
    out->angular_x = l.x;
    out->angular_y = l.y;
    out->angular_z = l.z;
}

void measure(model *m, const state *st, weft_step_stats *out)
{
    ranges of_nodes = ranges_of(m->n), of_edges = ranges_of(m->forces.edges.n);
    measure_run r = {.m = m, .st = st, .ranges = &of_nodes};
    double elastic[FORCE_KINDS], stretch_sq = 0;
    assembly_elastic(&m->assembly, st->q, elastic);
    out->energy_stretch = elastic[FORCE_SPRING] + elastic[FORCE_MEMBRANE];
    out->energy_bending = elastic[FORCE_BEAM] + elastic[FORCE_BEND] + elastic[FORCE_HINGE] + elastic[FORCE_CLAMP];
    pool_for(m->pool, of_nodes.n, measure_range, &r);
    for (int32_t i = 0; i < of_nodes.n; i++) {
        out->energy_kinetic += r.kinetic[i];
        out->energy_gravity += r.gravity[i];
        out->max_speed = max_of(out->max_speed, r.speed_sq[i]);
        out->n_active += r.n_active[i];
    }
    out->max_speed = sqrt(out->max_speed);
    put_momentum(&r, out);
    r.ranges = &of_edges;
    pool_for(m->pool, of_edges.n, stretch_range, &r);
    for (int32_t i = 0; i < of_edges.n; i++)
        stretch_sq = max_of(stretch_sq, r.stretch_sq[i]);
    out->stretch = sqrt(stretch_sq);
    out->time = st->time;
    out->n_nodes = m->n;
}

double elastic_energy(model *m, const state *st)
{
    double elastic[FORCE_KINDS];
    tilts_into_model(m, st);
    assembly_elastic(&m->assembly, st->q, elastic);
    return elastic[FORCE_SPRING] + elastic[FORCE_MEMBRANE] + elastic[FORCE_BEAM] + elastic[FORCE_BEND] +
           elastic[FORCE_HINGE] + elastic[FORCE_CLAMP];
}
