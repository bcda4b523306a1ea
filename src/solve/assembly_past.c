/* SPDX-License-Identifier: MIT */
/* What a step needs to know of its start, and energies without damping. */
#include <string.h>

#include "solve/assembly_inside.h"

/* ---- damping and air --------------------------------------------------------------------------------------------- */

typedef struct prepare_run {
    assembly *a;
    const vec3 *x[2]; /* node positions; x[1] may be NULL */
    double weight[2], rate;
} prepare_run;

static void prepare_hinge(const prepare_run *r, hinge_element *e)
{
    vec3 x[4];
    gather_nodes(r->x[0], e->node, 4, x);
    e->par.past = r->weight[0] * dihedral_angle(x);
    if (r->x[1]) {
        gather_nodes(r->x[1], e->node, 4, x);
        e->par.past += r->weight[1] * dihedral_angle(x);
    }
    e->par.drag = e->time * r->rate;
}

static void prepare_springs(const prepare_run *r, const int32_t *items, int32_t n)
{
    spring_element *all = r->a->forces->list[FORCE_SPRING].items;
    for (int32_t i = 0; i < n; i += 4) {
        int32_t at[4];
        double s[4], t[4] = {0};
        int m = pack_of(items + i, n - i, at);
        const spring_element *const e[4] = {&all[at[0]], &all[at[1]], &all[at[2]], &all[at[3]]};
        r->a->four->lengths(r->x[0], e, s);
        if (r->x[1])
            r->a->four->lengths(r->x[1], e, t);
        for (int k = 0; k < m; k++)
            all[at[k]].past = r->weight[0] * s[k] + r->weight[1] * t[k];
    }
}

static void prepare_membranes(const prepare_run *r, const int32_t *items, int32_t n)
{
    membrane_element *all = r->a->forces->list[FORCE_MEMBRANE].items;
    for (int32_t i = 0; i < n; i += 4) {
        int32_t at[4];
        double s[4][3], t[4][3] = {{0}};
        int m = pack_of(items + i, n - i, at);
        const membrane_element *const e[4] = {&all[at[0]], &all[at[1]], &all[at[2]], &all[at[3]]};
        r->a->four->strains(r->x[0], e, s);
        if (r->x[1])
            r->a->four->strains(r->x[1], e, t);
        for (int k = 0; k < m; k++) {
            membrane_par *p = &all[at[k]].par;
            p->drag = e[k]->time * r->rate;
            for (int j = 0; j < 3; j++)
                p->past[j] = r->weight[0] * s[k][j] + r->weight[1] * t[k][j];
        }
    }
}

static void prepare_beams(const prepare_run *r, const int32_t *items, int32_t n)
{
    beam_element *all = r->a->forces->list[FORCE_BEAM].items;
    for (int32_t i = 0; i < n; i += 4) {
        int32_t at[4];
        double s[4], t[4] = {0};
        int m = pack_of(items + i, n - i, at);
        const beam_element *const e[4] = {&all[at[0]], &all[at[1]], &all[at[2]], &all[at[3]]};
        r->a->four->angles(r->x[0], e, s);
        if (r->x[1])
            r->a->four->angles(r->x[1], e, t);
        for (int k = 0; k < m; k++) {
            double past = r->weight[0] * s[k] + r->weight[1] * t[k];
            all[at[k]].past = max_of(0.0, past); /* the angle has no sign */
        }
    }
}

static void prepare_bends(const prepare_run *r, const int32_t *items, int32_t n)
{
    bend_element *all = r->a->forces->list[FORCE_BEND].items;
    if (!r->a->has_angles)
        assembly_find_angles(r->a, items, n);
    for (int32_t i = 0; i < n; i += 4) {
        int32_t at[4];
        double t[4][3] = {{0}};
        int m = pack_of(items + i, n - i, at);
        const bend_element *const e[4] = {&all[at[0]], &all[at[1]], &all[at[2]], &all[at[3]]};
        if (r->x[1])
            r->a->four->bend_angles(r->x[1], e, t);
        for (int k = 0; k < m; k++) {
            bend_par *p = &all[at[k]].par;
            p->drag = e[k]->time * r->rate;
            for (int j = 0; j < 3; j++)
                p->past[j] = r->weight[0] * e[k]->theta[j] + r->weight[1] * t[k][j];
        }
    }
}

/* Which of a kind a batch has; returns how many. */
static int32_t items_of(const assembly *a, const batch *b, force_kind kind, const int32_t **out)
{
    *out = a->items + b->begin[kind];
    return b->begin[kind + 1] - b->begin[kind];
}

static void prepare_batch(void *run, const batch *b, double energy[FORCE_KINDS])
{
    prepare_run *r = run;
    (void)energy;
    const int32_t *items;
    int32_t n = items_of(r->a, b, FORCE_SPRING, &items);
    prepare_springs(r, items, n);
    n = items_of(r->a, b, FORCE_MEMBRANE, &items);
    prepare_membranes(r, items, n);
    n = items_of(r->a, b, FORCE_BEAM, &items);
    prepare_beams(r, items, n);
    n = items_of(r->a, b, FORCE_BEND, &items);
    prepare_bends(r, items, n);
    n = items_of(r->a, b, FORCE_HINGE, &items);
    for (int32_t i = 0; i < n; i++)
        prepare_hinge(r, (hinge_element *)r->a->forces->list[FORCE_HINGE].items + items[i]);
}

bool assembly_prepare(assembly *a, const vec3 *q[2], const double weight[2], double rate, const air_par *air,
                      vec3 *start)
{
    prepare_run r = {a, {a->x, NULL}, {weight[0], weight[1]}, rate};
    arena_mark before = arena_mark_of(a->scratch);
    vec3 *past = NULL;
    if (q[1] && !ARENA_TAKE(a->scratch, past, a->n_nodes))
        return false;
    a->air = *air;
    a->start = start;
    assembly_expand(a, q[0], start);
    common_par *commons = a->forces->commons.items;
    for (int32_t i = 0; i < a->forces->commons.n; i++)
        commons[i].drag = commons[i].time * rate;
    if (assembly_expand(a, q[0], a->x))
        a->has_angles = false;
    if (q[1]) {
        assembly_expand(a, q[1], past);
        r.x[1] = past;
    }
    assembly_run(a, false, prepare_batch, &r);
    a->has_angles = true;
    assembly_couple_clamps(a);
    arena_release(a->scratch, before);
    return true;
}

/* ---- elastic energies -------------------------------------------------------------------------------------------- */

static double elastic_springs(const assembly *a, const int32_t *items, int32_t n)
{
    const spring_element *all = a->forces->list[FORCE_SPRING].items;
    double sum = 0;
    for (int32_t i = 0; i < n; i += 4) {
        int32_t at[4];
        double energy[4];
        int m = pack_of(items + i, n - i, at);
        const spring_element *const e[4] = {&all[at[0]], &all[at[1]], &all[at[2]], &all[at[3]]};
        a->four->stored(a->x, e, forces_commons(a->forces), energy);
        for (int k = 0; k < m; k++)
            sum += energy[k];
    }
    return sum;
}

static double elastic_membranes(const assembly *a, const int32_t *items, int32_t n)
{
    const membrane_element *all = a->forces->list[FORCE_MEMBRANE].items;
    double sum = 0;
    for (int32_t i = 0; i < n; i += 4) {
        int32_t at[4];
        double energy[4];
        int m = pack_of(items + i, n - i, at);
        const membrane_element *const e[4] = {&all[at[0]], &all[at[1]], &all[at[2]], &all[at[3]]};
        a->four->membranes_stored(a->x, e, energy);
        for (int k = 0; k < m; k++)
            sum += energy[k];
    }
    return sum;
}

static double elastic_hinges(const assembly *a, const int32_t *items, int32_t n)
{
    const hinge_element *all = a->forces->list[FORCE_HINGE].items;
    double sum = 0;
    for (int32_t i = 0; i < n; i++) {
        hinge_par p = all[items[i]].par;
        vec3 x[4];
        gather_nodes(a->x, all[items[i]].node, 4, x);
        p.drag = 0;
        sum += hinge_eval(x, &p, true, NULL, NULL);
    }
    return sum;
}

/* Of those beside bends these have the energy. */
static double elastic_clamps(const assembly *a, const int32_t *items, int32_t n)
{
    const clamp_element *all = a->forces->list[FORCE_CLAMP].items;
    double sum = 0;
    for (int32_t i = 0; i < n; i++) {
        vec3 x[3];
        gather_nodes(a->x, all[items[i]].node, 3, x);
        double theta = all[items[i]].bend >= 0 ? 0 : clamp_angle(x, &all[items[i]].par);
        sum += 0.5 * all[items[i]].par.k * theta * theta;
    }
    return sum;
}

static double elastic_beams(const assembly *a, const int32_t *items, int32_t n)
{
    const beam_element *all = a->forces->list[FORCE_BEAM].items;
    double sum = 0;
    for (int32_t i = 0; i < n; i += 4) {
        int32_t at[4];
        double theta[4];
        int m = pack_of(items + i, n - i, at);
        const beam_element *const e[4] = {&all[at[0]], &all[at[1]], &all[at[2]], &all[at[3]]};
        a->four->angles(a->x, e, theta);
        for (int k = 0; k < m; k++)
            sum += 0.5 * forces_commons(a->forces)[e[k]->common].k * theta[k] * theta[k];
    }
    return sum;
}

/* ½ Σ q_ij bent_i bent_j */
static double elastic_bend(const bend_par *p, const double theta[3])
{
    double bent[3], sum = 0;
    for (int i = 0; i < 3; i++)
        bent[i] = bend_bent(p, theta, i);
    for (int i = 0; i < 3; i++)
        sum += bent[i] * (p->q[i][0] * bent[0] + p->q[i][1] * bent[1] + p->q[i][2] * bent[2]);
    return 0.5 * sum;
}

static double elastic_bends(assembly *a, const int32_t *items, int32_t n)
{
    const bend_element *all = a->forces->list[FORCE_BEND].items;
    double sum = 0;
    if (!a->has_angles)
        assembly_find_angles(a, items, n);
    for (int32_t i = 0; i < n; i++)
        sum += elastic_bend(&all[items[i]].par, all[items[i]].theta);
    return sum;
}

static void elastic_batch(void *run, const batch *b, double energy[FORCE_KINDS])
{
    assembly *a = run;
    const int32_t *items;
    int32_t n = items_of(a, b, FORCE_SPRING, &items);
    energy[FORCE_SPRING] = elastic_springs(a, items, n);
    n = items_of(a, b, FORCE_BEAM, &items);
    energy[FORCE_BEAM] = elastic_beams(a, items, n);
    n = items_of(a, b, FORCE_BEND, &items);
    energy[FORCE_BEND] = elastic_bends(a, items, n);
    n = items_of(a, b, FORCE_MEMBRANE, &items);
    energy[FORCE_MEMBRANE] = elastic_membranes(a, items, n);
    n = items_of(a, b, FORCE_HINGE, &items);
    energy[FORCE_HINGE] = elastic_hinges(a, items, n);
    n = items_of(a, b, FORCE_CLAMP, &items);
    energy[FORCE_CLAMP] = elastic_clamps(a, items, n);
}

void assembly_elastic(assembly *a, const vec3 *q, double out[FORCE_KINDS])
{
    if (assembly_expand(a, q, a->x))
        a->has_angles = false;
    assembly_run(a, false, elastic_batch, a);
    a->has_angles = true;
    memset(out, 0, FORCE_KINDS * sizeof *out);
    for (int32_t i = 0; i < a->n_batches; i++)
        for (int k = 0; k < FORCE_KINDS; k++)
            out[k] += a->energy[i][k];
}
