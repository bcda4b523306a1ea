/* SPDX-License-Identifier: MIT */
/* The contact term of one pair: its closest points and normal, with stiffness, damper and friction as means over the
 * nodes by their weights. Nodes of colliders are no unknowns: where they will be goes into the term's constants. The
 * kernel beside it does the same for four pairs at a time, with the same bits. */
#include "contact/pair/pair_inside.h"
#include "contact/pair/pair_term.h"

#include <stddef.h>

double pair_mean(const pair_set *s, const contact_pair *p, const double w[4], bool of_cloth, size_t offset)
{
    double sum = 0, weight = 0;
    for (int i = 0; i < 4; i++) {
        if ((p->node[i] < s->n_cloth) != of_cloth)
            continue;
        sum += fabs(w[i]) * *(const double *)((const char *)pair_par_of(s, p->node[i]) + offset);
        weight += fabs(w[i]);
    }
    return weight > 0 ? sum / weight : 0;
}

static double pair_inverse_mass(const pair_set *s, const contact_pair *p, const double w[4])
{
    double sum = 0; /* Σ w²/m */
    for (int i = 0; i < 4; i++)
        sum += w[i] * w[i] * pair_par_of(s, p->node[i])->lightness;
    return sum;
}

/* Colliders' factors are on the fabric's coefficient. */
static double pair_friction(const pair_set *s, const contact_pair *p, const double w[4])
{
    double friction = CLOTH_MEAN(s, p, w, friction);
    bool collider = p->node[0] >= s->n_cloth || p->node[3] >= s->n_cloth;
    return collider ? friction * pair_mean(s, p, w, false, offsetof(pair_par, friction)) : friction;
}

/* Nodes, normal and the parts that do not move; returns where the points were at the step's start. */
static vec3 place_term(const pair_set *s, const pair_state *st, contact_term *c, const double w[4], vec3 normal,
                       const vec3 *x1, vec3 *fixed)
{
    vec3 start = v3_zero();
    *fixed = v3_zero();
    c->n = 0;
    for (int i = 0; i < 4; i++) {
        int32_t vi = st->pair.node[i];
        start = v3_madd(start, w[i], s->x0[vi]);
        if (vi >= s->n_cloth) {
            *fixed = v3_madd(*fixed, w[i], x1[vi]);
        } else { /* one without weight too: the nodes stay those of the plan (contact_sum.h) */
            c->node[c->n] = vi;
            c->w[c->n++] = w[i];
        }
    }
    c->normal = normal;
    c->reach = st->thickness - v3_dot(normal, *fixed);
    c->slack = PAIR_SLACK;
    c->slides = st->friction.slides;
    return start;
}

void pair_term_clear(contact_term *c)
{
    c->reach = PAIR_FAR_AWAY;
    c->friction = 0;
}

void pair_term_set(const pair_set *s, const pair_state *st, contact_term *c, const double w[4], vec3 normal,
                   const vec3 *x1)
{
    vec3 fixed, start = place_term(s, st, c, w, normal, x1, &fixed);
    c->past = max_of(0.0, st->thickness + st->radius - v3_dot(normal, start));
    double weight = pair_inverse_mass(s, &st->pair, w);
    bool border = w[0] == 0 || w[1] == 0 || w[2] == 0 || w[3] == 0;
    c->drag = weight > 0 && !border ? CONTACT_DAMPER / (weight * s->h * s->h) : 0;
    contact_ready(c);
    c->friction = pair_friction(s, &st->pair, w);
    c->force = contact_resting_force(c);
    c->anchor = v3_sub(v3_sub(start, fixed), contact_slip(c, st->friction_ratio));
    c->force = st->friction.force;
    if (c->n == 0)
        pair_term_clear(c);
}

void pair_term_touch(const pair_set *s, const pair_state *st, contact_term *c, const pair_touch *t, const vec3 *x1)
{
    vec3 fixed, start = place_term(s, st, c, t->w, t->normal, x1, &fixed);
    double weight = pair_inverse_mass(s, &st->pair, t->w);
    c->radius = st->radius;
    c->k = t->share *
           (pair_set_is_fine(s) && weight > 0 ? min_of(st->k, PAIR_LYING_STIFFNESS / (weight * s->h * s->h)) : st->k);
    c->past = st->past;
    c->drag = weight > 0 ? t->damp * CONTACT_DAMPER / (weight * s->h * s->h) : 0;
    contact_ready(c);
    c->friction = pair_friction(s, &st->pair, t->w);
    c->force = st->friction.force;
    c->anchor = v3_sub(v3_sub(start, fixed), contact_slip(c, st->friction_ratio));
    if (t->share == 0)
        pair_term_clear(c);
}
