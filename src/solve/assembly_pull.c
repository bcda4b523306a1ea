/* SPDX-License-Identifier: MIT */
/* The gradient alone, for explicit steps: sums go to nodes, in batches by colour as in assembly.c, and from the nodes
 * that hang to their parents at the end. Springs, beams and air have loops of their own (force/pull.h); what else
 * there is takes its kernel, with the strains of q − h v as those of the past. Tilts of edges are balanced once in each
 * evaluation, as Newton's method has it once in each of its steps. */
#include "force/pull.h"

#include <string.h>

#include "solve/assembly_inside.h"

typedef struct pull_run {
    assembly *a;
    vec3 *g; /* by node */
    double h;
    air_par air;
} pull_run;

static void pull_springs(const pull_run *r, const batch *b)
{
    const spring_element *all = r->a->forces->list[FORCE_SPRING].items;
    const common_par *commons = forces_commons(r->a->forces);
    const vec3 *x = r->a->x, *v = r->a->speed;
    for (int32_t i = b->begin[FORCE_SPRING]; i < b->begin[FORCE_SPRING + 1]; i++) {
        const spring_element *e = &all[r->a->items[i]];
        int32_t p = e->node[0], q = e->node[1];
        spring_par par = spring_par_of(commons, e);
        vec3 f = spring_pull(v3_sub(x[q], x[p]), v3_sub(v[q], v[p]), &par, commons[e->common].time);
        r->g[p] = v3_sub(r->g[p], f);
        r->g[q] = v3_add(r->g[q], f);
    }
}

static void pull_beams(const pull_run *r, const batch *b)
{
    const beam_element *all = r->a->forces->list[FORCE_BEAM].items;
    const common_par *commons = forces_commons(r->a->forces);
    const vec3 *x = r->a->x, *v = r->a->speed;
    for (int32_t i = b->begin[FORCE_BEAM]; i < b->begin[FORCE_BEAM + 1]; i++) {
        const beam_element *e = &all[r->a->items[i]];
        int32_t p = e->node[0], q = e->node[1], t = e->node[2];
        vec3 f[2];
        beam_par par = beam_par_of(commons, e);
        beam_pull(v3_sub(x[q], x[p]), v3_sub(x[t], x[q]), v3_sub(v[q], v[p]), v3_sub(v[t], v[q]), &par,
                  commons[e->common].time, r->h, f);
        r->g[p] = v3_add(r->g[p], f[0]);
        r->g[q] = v3_sub(r->g[q], v3_add(f[0], f[1]));
        r->g[t] = v3_add(r->g[t], f[1]);
    }
}

static void pull_faces(const pull_run *r, const batch *b)
{
    const face_element *all = r->a->forces->list[FORCE_FACE].items;
    const vec3 *v = r->a->speed;
    for (int32_t i = b->begin[FORCE_FACE]; i < b->begin[FORCE_FACE + 1]; i++) {
        const face_element *e = &all[r->a->items[i]];
        const int32_t *node = e->node;
        vec3 x[3] = {r->a->x[node[0]], r->a->x[node[1]], r->a->x[node[2]]}, by_pressure[3];
        vec3 area = v3_scale(0.5, v3_cross(v3_sub(x[1], x[0]), v3_sub(x[2], x[0])));
        vec3 mean = v3_scale(1.0 / 3.0, v3_add(v3_add(v[node[0]], v[node[1]]), v[node[2]]));
        vec3 f = air_pull(area, mean, &r->air);
        for (int j = 0; j < 3; j++)
            r->g[node[j]] = v3_add(r->g[node[j]], f);
        double pressure = forces_pressure(r->a->forces, e);
        if (pressure != 0)
            pressure_eval(x, pressure, true, by_pressure, NULL);
        for (int j = 0; pressure != 0 && j < 3; j++)
            r->g[node[j]] = v3_add(r->g[node[j]], by_pressure[j]);
    }
}

/* The element's own kernel, its damping by the strains that its positions had h earlier. */
static void pull_by_kernel(const pull_run *r, force_kind kind, void *item, const vec3 *x, const vec3 *v, vec3 *g)
{
    vec3 past[4];
    for (int j = 0; j < force_n_nodes(kind) && j < 4; j++)
        past[j] = v3_madd(x[j], -r->h, v[j]);
    switch (kind) {
    case FORCE_MEMBRANE: {
        membrane_element *e = item;
        membrane_strain(past, &e->par, e->par.past);
        e->par.drag = e->time / r->h;
        membrane_eval(x, &e->par, true, g, NULL);
        break;
    }
    case FORCE_BEND: {
        bend_element *e = item;
        e->par.drag = e->time / r->h;
        bend_pull(x, v, &e->par, r->h, e->theta, g);
        break;
    }
    case FORCE_HINGE: {
        hinge_element *e = item;
        e->par.past = dihedral_angle(past);
        e->par.drag = e->time / r->h;
        hinge_eval(x, &e->par, true, g, NULL);
        break;
    }
    case FORCE_SOFT: {
        const soft_element *e = item;
        g[0] = v3_scale(e->k, v3_sub(x[0], e->target));
        break;
    }
    case FORCE_CLAMP: {
        clamp_element *e = item;
        e->par.past = clamp_angle(past, &e->par);
        e->par.drag = e->time / r->h;
        clamp_eval(x, &e->par, true, g, NULL);
        break;
    }
    default: break;
    }
}

static void pull_others(const pull_run *r, const batch *b, force_kind kind)
{
    assembly *a = r->a;
    int n = force_n_nodes(kind);
    for (int32_t i = b->begin[kind]; i < b->begin[kind + 1]; i++) {
        void *item = force_item(a->forces, kind, a->items[i]);
        const int32_t *node = item;
        vec3 x[6], v[6], g[6];
        for (int j = 0; j < n; j++) {
            x[j] = a->x[node[j]];
            v[j] = a->speed[node[j]];
        }
        pull_by_kernel(r, kind, item, x, v, g);
        for (int j = 0; j < n; j++)
            r->g[node[j]] = v3_add(r->g[node[j]], g[j]);
    }
}

static void pull_batch(void *run, const batch *b, double energy[FORCE_KINDS])
{
    (void)energy;
    pull_springs(run, b);
    pull_others(run, b, FORCE_MEMBRANE);
    pull_beams(run, b);
    pull_others(run, b, FORCE_BEND);
    pull_others(run, b, FORCE_HINGE);
    pull_faces(run, b);
    pull_others(run, b, FORCE_SOFT);
    pull_others(run, b, FORCE_CLAMP);
}

bool assembly_pull(assembly *a, const vec3 *q, const vec3 *v, double h, const air_par *air, vec3 *gradient)
{
    arena_mark before;
    vec3 *pull; /* gradient by node */
    if (!assembly_take_speed(a, &before) || !ARENA_TAKE(a->scratch, pull, a->n_nodes)) {
        assembly_release_speed(a, before);
        return false;
    }
    pull_run r = {a, pull, h, *air};
    assembly_expand(a, q, a->x);
    a->has_angles = false;
    assembly_expand(a, v, a->speed);
    memset(pull, 0, (size_t)a->n_nodes * sizeof *pull);
    assembly_run(a, true, pull_batch, &r);
    for (int32_t vi = 0; vi < a->n_nodes; vi++) {
        const node_row *row = &a->rows[vi];
        for (int d = 0; d < 2 && row->dof[d] >= 0; d++)
            gradient[row->dof[d]] = v3_madd(gradient[row->dof[d]], row_weight(row), pull[vi]);
    }
    assembly_release_speed(a, before);
    assembly_sweep_tilts_by_angles(a); /* which are at hand now: for the next step */
    return true;
}
