/* SPDX-License-Identifier: MIT */
/* What a step needs to know of its start, and energies without damping. */
#include <string.h>

#include "mechanics/pull.h"
#include "solve/assembly_inside.h"

/* ---- damping and air --------------------------------------------------------------------------------------------- */

typedef struct prepare_run {
    assembly *a;
    const vec3 *x[2]; /* node positions; x[1] may be NULL */
    double weight[2], rate;
} prepare_run;

static int strains(force_kind kind, const void *item, const vec3 *x, double s[3])
{
    switch (kind) {
    case FORCE_SPRING: s[0] = v3_len(v3_sub(x[1], x[0])); return 1;
    case FORCE_MEMBRANE: membrane_strain(x, &((const membrane_element *)item)->par, s); return 3;
    case FORCE_BEAM: s[0] = beam_angle(x); return 1;
    case FORCE_BEND: bend_angles(x, ((const bend_element *)item)->par.present, s); return 3;
    case FORCE_HINGE: s[0] = dihedral_angle(x); return 1;
    default: return 0;
    }
}

static void past_strains(const prepare_run *r, force_kind kind, const void *item, double past[3])
{
    vec3 x[6];
    double s[3] = {0}, t[3] = {0};
    const int32_t *node = item;
    gather_nodes(r->x[0], node, force_n_nodes(kind), x);
    int n = strains(kind, item, x, s);
    if (r->x[1]) {
        gather_nodes(r->x[1], node, force_n_nodes(kind), x);
        strains(kind, item, x, t);
    }
    for (int i = 0; i < n; i++)
        past[i] = r->weight[0] * s[i] + r->weight[1] * t[i];
}

static void prepare_element(const prepare_run *r, force_kind kind, void *item)
{
    double past[3] = {0};
    switch (kind) {
    case FORCE_SPRING: {
        spring_element *e = item;
        past_strains(r, kind, item, past);
        e->par.drag = e->time * r->rate;
        e->par.past = past[0];
        break;
    }
    case FORCE_MEMBRANE: {
        membrane_element *e = item;
        past_strains(r, kind, item, e->par.past);
        e->par.drag = e->time * r->rate;
        break;
    }
    case FORCE_BEAM: {
        beam_element *e = item;
        past_strains(r, kind, item, past);
        e->par.drag = e->time * r->rate;
        e->par.past = max_of(0.0, past[0]); /* the angle has no sign */
        break;
    }
    case FORCE_BEND: {
        bend_element *e = item;
        past_strains(r, kind, item, e->par.past);
        e->par.drag = e->time * r->rate;
        break;
    }
    case FORCE_HINGE: {
        hinge_element *e = item;
        past_strains(r, kind, item, past);
        e->par.drag = e->time * r->rate;
        e->par.past = past[0];
        break;
    }
    case FORCE_FACE: {
        face_element *e = item;
        vec3 x[3];
        gather_nodes(r->x[0], e->node, 3, x);
        e->area = v3_scale(0.5, v3_cross(v3_sub(x[1], x[0]), v3_sub(x[2], x[0])));
        break;
    }
    case FORCE_SOFT: break;
    }
}

static void prepare_batch(void *run, const batch *b, double energy[FORCE_KINDS])
{
    prepare_run *r = run;
    (void)energy;
    for (int k = 0; k < FORCE_KINDS; k++)
        for (int32_t i = b->begin[k]; i < b->begin[k + 1]; i++)
            prepare_element(r, (force_kind)k, force_item(r->a->forces, (force_kind)k, r->a->items[i]));
}

void assembly_prepare(assembly *a, const vec3 *q[2], const double weight[2], double rate, const air_par *air)
{
    prepare_run r = {a, {a->x, NULL}, {weight[0], weight[1]}, rate};
    a->air = *air;
    assembly_expand(a, q[0], a->x);
    a->has_angles = false;
    if (q[1]) {
        assembly_expand(a, q[1], a->speed);
        r.x[1] = a->speed;
    }
    assembly_run(a, false, prepare_batch, &r);
}

/* ---- elastic energies -------------------------------------------------------------------------------------------- */

static double elastic_element(force_kind kind, const void *item, const vec3 *x)
{
    switch (kind) {
    case FORCE_SPRING: return spring_stored(v3_sub(x[1], x[0]), &((const spring_element *)item)->par);
    case FORCE_MEMBRANE: {
        membrane_par p = ((const membrane_element *)item)->par;
        p.drag = 0;
        return membrane_eval(x, &p, true, NULL, NULL);
    }
    case FORCE_BEAM: return beam_stored(v3_sub(x[1], x[0]), v3_sub(x[2], x[1]), &((const beam_element *)item)->par);
    case FORCE_BEND: {
        bend_par p = ((const bend_element *)item)->par;
        p.drag = 0;
        return bend_eval(x, &p, true, NULL, NULL);
    }
    case FORCE_HINGE: {
        hinge_par p = ((const hinge_element *)item)->par;
        p.drag = 0;
        return hinge_eval(x, &p, true, NULL, NULL);
    }
    default: return 0;
    }
}

static void elastic_batch(void *run, const batch *b, double energy[FORCE_KINDS])
{
    const assembly *a = run;
    for (int k = 0; k < FORCE_KINDS; k++)
        for (int32_t i = b->begin[k]; i < b->begin[k + 1]; i++) {
            const int32_t *node = force_nodes(a->forces, (force_kind)k, a->items[i]);
            vec3 x[6];
            gather_nodes(a->x, node, force_n_nodes((force_kind)k), x);
            energy[k] += elastic_element((force_kind)k, node, x);
        }
}

void assembly_elastic(assembly *a, const vec3 *q, double out[FORCE_KINDS])
{
    assembly_expand(a, q, a->x);
    a->has_angles = false;
    assembly_run(a, false, elastic_batch, a);
    memset(out, 0, FORCE_KINDS * sizeof *out);
    for (int32_t i = 0; i < a->n_batches; i++)
        for (int k = 0; k < FORCE_KINDS; k++)
            out[k] += a->energy[i][k];
}
