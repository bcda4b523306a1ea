/* SPDX-License-Identifier: MIT */
/* How far cloth feels cloth, with fine contact: from afar while it moves, at its thickness once it rests.
 *
 * A contact that begins a tenth of a millimetre away surprises Newton's method where cloth falls into folds or lands on
 * cloth; one that begins millimetres away carries layers that far apart. Motion needs the one, rest the other. So each
 * node remembers from how far beyond its thickness it feels cloth. While it is pressed and nothing moves across the
 * surfaces, this shrinks slowly (PAIR_REST_TIME), and layers sink to their thickness; what is pressed and moves keeps
 * it; what is free feels cloth from all of the gap. Of two sides the one that rests more counts: what slides onto cloth
 * that has met none yet goes on as it did. What was hit, as at folds that press on each other from the side, is felt
 * from a little farther again.
 *
 * A contact must not begin a step with more force than it ended the last one with, or it would drive what it should
 * hold: the radius of a pressed node does not grow unless it was hit, and a free one's is less than its gap. */
#include "contact/pair/pair_inside.h"

double pair_rest_radius(const pair_set *s, const contact_pair *p, const double w[4])
{
    double sum[2] = {0, 0}, weight[2] = {0, 0};
    for (int i = 0; i < 4; i++) {
        int side = p->edges ? i >= 2 : i >= 1;
        sum[side] += fabs(w[i]) * s->rest_radius[p->node[i]];
        weight[side] += fabs(w[i]);
    }
    return min_of(weight[0] > 0 ? sum[0] / weight[0] : 0, weight[1] > 0 ? sum[1] / weight[1] : 0);
}

/* What its pairs say of a node. */
typedef enum node_press { PRESS_NONE, PRESS_QUIET, PRESS_MOVES } node_press;

typedef struct node_rest {
    double gap; /* least beyond its thickness, m */
    node_press press;
    bool hit; /* prevention had to hold what this law should have */
} node_rest;

/* Whether the points of a term hardly come nearer or part on the way to x. */
static bool is_quiet(const pair_set *s, const contact_term *c, const vec3 *x)
{
    vec3 way = v3_zero();
    for (int k = 0; k < c->n; k++)
        way = v3_madd(way, c->w[k], v3_sub(x[c->node[k]], s->x0[c->node[k]]));
    return fabs(v3_dot(way, c->normal)) <= PAIR_REST_SPEED / PAIR_LYING_SPEED * s->slow;
}

static void note_pair(const pair_set *s, int32_t i, const vec3 *x, node_rest *rest)
{
    const pair_state *st = &s->states[i];
    const contact_term *c = &s->terms[i];
    bool acts = st->touches || !st->sides.lies;
    bool pressed = acts && contact_force(c, x) > 0;
    double beyond = acts ? st->radius - contact_depth(c, x) : st->distance - st->thickness;
    node_press press = !pressed ? PRESS_NONE : is_quiet(s, c, x) ? PRESS_QUIET : PRESS_MOVES;
    for (int k = 0; k < 4; k++) {
        node_rest *r = &rest[st->pair.node[k]];
        r->gap = min_of(r->gap, beyond);
        r->press = press > r->press ? press : r->press;
        r->hit = r->hit || st->was_hit;
    }
}

bool pair_set_rest(pair_set *s, const vec3 *x, double *radius)
{
    node_rest *rest;
    arena_mark before = arena_mark_of(s->scratch);
    if (!pair_set_is_fine(s))
        return true;
    if (!ARENA_TAKE(s->scratch, rest, s->n_cloth))
        return false;
    for (int32_t vi = 0; vi < s->n_cloth; vi++)
        rest[vi] = (node_rest){.gap = HUGE_VAL, .press = PRESS_NONE};
    for (int32_t i = 0; i < s->n; i++)
        if (s->states[i].pair.node[0] < s->n_cloth && s->states[i].pair.node[3] < s->n_cloth)
            note_pair(s, i, x, rest);
    double shrinks = 1 / (1 + s->h / PAIR_REST_TIME);
    for (int32_t vi = 0; vi < s->n_cloth; vi++) {
        if (rest[vi].hit)
            radius[vi] = max_of(radius[vi], PAIR_HIT_RADIUS);
        else if (rest[vi].press == PRESS_QUIET)
            radius[vi] = max_of(FIRM_RADIUS_LEAST, shrinks * radius[vi]);
        else if (rest[vi].press == PRESS_NONE)
            radius[vi] = min_of(pair_par_of(s, vi)->radius, max_of(radius[vi], PAIR_REST_OF_GAP * rest[vi].gap));
    }
    arena_release(s->scratch, before);
    return true;
}
