/* SPDX-License-Identifier: MIT */
/* Pairs with meshes of colliders, and of cloth that lies on cloth (pair_lying.c): what is theirs alone (pair_touch.h
 * has the rules by which they touch).
 *
 * A vertex is on one side of a surface, whichever of its triangles it is above when the step starts or gets to: that of
 * the nearest that it is above. Its force is handed on from triangle to triangle while it slides. Pairs of one vertex
 * stand side by side, those of cloth and those with meshes in rows of their own (pair_set.c, invariant 1): a run. */
#include <string.h>

#include "base/array.h"
#include "contact/pair/pair_inside.h"
#include "contact/pair/pair_term.h"

static double sign_of(double a)
{
    return a < 0 ? -1 : 1;
}

/* Of a pair with a mesh, what goes by how far the two are apart at the step's start. */
static void set_apart(const pair_set *s, pair_state *st, const gap *g, double apart)
{
    pair_reach_of(s, &st->pair, g, &st->thickness, &st->radius);
    st->apart = apart;
    st->thickness = min_of(st->thickness, apart + FIRM_PUSH);
    double least = max_of(FIRM_RADIUS_OF_THICKNESS * st->thickness, FIRM_RADIUS_LEAST);
    if (st->sides.lies)
        least = max_of(least, pair_rest_radius(s, &st->pair, g->w));
    st->radius = min_of(st->radius, max_of(FIRM_RADIUS_OF_GAP * (apart - st->thickness), least));
    st->past = max_of(0.0, st->thickness + st->radius - apart);
    double closer = (st->thickness + st->radius) / max_of(apart, 1e-9);
    st->k = st->stiffer * FIRM_STIFFNESS * s->stiffness * CLOTH_MEAN(s, &st->pair, g->w, stiffness) *
            min_of(PAIR_STIFFEST, max_of(1.0, closer));
}

/* And what it is besides. */
void firm_begin(pair_set *s, pair_state *st, const gap *g)
{
    st->sides.share = -1;
    st->sides.hit = st->stiffer > 1;
    st->above = g->inside;
    st->sides.side = g->inside ? sign_of(pair_height(s->x0, &st->pair)) : 0; /* or find_sides */
    st->distance = g->distance;
    st->corner = -1;
    st->friction.force = st->force;
    set_apart(s, st, g, g->distance);
}

/* A vertex that meets another triangle of a mesh than in the last step goes on with the friction that it had there. */
void firm_recall(const pair_set *s, pair_state *st)
{
    int32_t vi = st->pair.node[0];
    if (pair_is_firm(st) && !st->pair.edges && s->node_force[vi] > 0)
        st->friction_ratio = v3_scale(1 / s->node_force[vi], s->node_ratio[vi]);
}

/* What pressed on each vertex in the last step. */
bool firm_sum_memories(pair_set *s)
{
    if (!pair_set_has_firm(s))
        return true;
    if (!ARRAY_RESERVE_STEADY(s->mem, s->node_force, s->node_room, s->n_nodes) ||
        !ARRAY_RESERVE_STEADY(s->mem, s->node_ratio, s->ratio_room, s->n_nodes) ||
        !ARRAY_RESERVE_STEADY(s->mem, s->node_way, s->way_room, s->n_nodes))
        return false;
    memset(s->node_way, 0, (size_t)s->n_nodes * sizeof *s->node_way);
    memset(s->node_force, 0, (size_t)s->n_nodes * sizeof *s->node_force);
    memset(s->node_ratio, 0, (size_t)s->n_nodes * sizeof *s->node_ratio);
    for (int64_t i = 0; s->memory && i < s->memory->n; i++) {
        const pair_memory *m = &s->memory->items[i];
        int32_t vi = m->pair.node[0];
        if (m->pair.edges || vi >= s->n_nodes)
            continue;
        s->node_force[vi] += m->force;
        s->node_ratio[vi] = v3_madd(s->node_ratio[vi], m->force, m->friction_ratio);
    }
    return true;
}

static bool is_vertex_of(const pair_set *s, int32_t i, int32_t vi)
{
    return i < s->n && !s->states[i].pair.edges && s->states[i].pair.node[0] == vi;
}

/* The vertex of pair i, and the end of its pairs, which stand side by side; −1: of edges, or none touches by these
 * rules. */
static int32_t vertex_run(const pair_set *s, int32_t i, int32_t *end)
{
    int32_t vi = s->states[i].pair.node[0];
    *end = i + 1;
    bool any = pair_is_firm(&s->states[i]);
    if (s->states[i].pair.edges)
        return -1;
    for (; is_vertex_of(s, *end, vi); ++*end)
        any = any || pair_is_firm(&s->states[*end]);
    return any ? vi : -1;
}

/* Of a mesh's vertex and a triangle of the cloth that comes from where the vertex is not: cloth is on the side of the
 * mesh to which its corners know the way. Far away planes say nothing. */
static double side_by_directions(const pair_set *s, const pair_state *st, double height)
{
    vec3 way = v3_zero();
    if (st->sides.firm != PAIR_FIRM_FIRST)
        return sign_of(height);
    for (int k = 1; k < 4; k++)
        way = v3_add(way, s->node_way[st->pair.node[k]]);
    double along = v3_dot(pair_normal(s->x0, &st->pair), way);
    return along != 0 ? -sign_of(along) : sign_of(height);
}

/* Whether two nodes are of one surface: as near along it as through space. */
static bool is_beside(const pair_set *s, int32_t a, int32_t b)
{
    const pair_node *m = &s->nodes[a], *n = &s->nodes[b];
    if (m->piece != n->piece || m->piece < 0)
        return m->piece == n->piece;
    return v3_len(v3_sub(m->rest, n->rest)) <= PAIR_SAME_SURFACE * v3_len(v3_sub(s->x0[a], s->x0[b]));
}

/* A vertex that is not above a triangle when the step starts, but may get there, is on the side of its surface on which
 * it is where it is above one: that which is nearest. Surfaces are oriented alike all over. */
static void find_sides(pair_set *s, int32_t begin, int32_t end)
{
    for (int32_t i = begin; i < end; i++) {
        pair_state *st = &s->states[i];
        const pair_state *nearest = NULL;
        if (st->sides.side != 0 || !pair_is_firm(st))
            continue;
        for (int32_t j = begin; j < end; j++) {
            const pair_state *other = &s->states[j];
            if (other->above && is_beside(s, st->pair.node[1], other->pair.node[1]) &&
                (!nearest || other->distance < nearest->distance))
                nearest = other;
        }
        double height = pair_height(s->x0, &st->pair), thickness, radius;
        gap g = contact_pair_gap(s->x0, &st->pair);
        st->sides.side = nearest ? nearest->sides.side : side_by_directions(s, st, height);
        pair_reach_of(s, &st->pair, &g, &thickness, &radius);
        set_apart(s, st, &g, max_of(thickness, st->sides.side * height));
    }
}

void firm_find_sides(pair_set *s)
{
    if (!pair_set_has_firm(s))
        return;
    for (int32_t i = 0; i < s->n; i++) {
        const pair_state *st = &s->states[i];
        int32_t vi = st->pair.node[0];
        if (!st->pair.edges && st->above && st->sides.firm == PAIR_FIRM_SECOND)
            s->node_way[vi] =
                v3_madd(s->node_way[vi], st->sides.side / (st->distance * st->distance), pair_normal(s->x0, &st->pair));
    }
    for (int32_t i = 0, end; i < s->n; i = end)
        if (vertex_run(s, i, &end) >= 0)
            find_sides(s, i, end);
}

/* The term of pair i, closest points g of x, if it is one; whether it has begun to touch, or ended. */
bool firm_set(pair_set *s, int32_t i, const vec3 *x, const vec3 *x1, const gap *g)
{
    pair_state *st = &s->states[i];
    bool touched = st->touches;
    if (!pair_is_firm(st))
        return false;
    pair_touch t = pair_touch_at(x, &st->pair, &st->sides, g);
    st->touches = t.share > 0;
    st->corner = t.corner >= 0 ? st->pair.node[1 + t.corner] : -1;
    st->distance = g->distance;
    pair_term_touch(s, st, &s->terms[i], &t, x1);
    return touched != st->touches;
}

/* It touches there, whatever lies beside. */
void firm_hit(pair_set *s, int32_t i, const pair_hit *hit, const vec3 *x1)
{
    pair_touch t = {.normal = hit->normal, .share = 1, .damp = 1};
    memcpy(t.w, hit->w, sizeof t.w);
    s->states[i].sides.hit = s->states[i].touches = true;
    s->states[i].sides.side = sign_of(pair_height(s->x0, &hit->pair));
    pair_term_touch(s, &s->states[i], &s->terms[i], &t, x1);
}

static bool has_corner(const pair_state *st, int32_t vi)
{
    return st->pair.node[1] == vi || st->pair.node[2] == vi || st->pair.node[3] == vi;
}

/* Whether a triangle at the corner that is nearest in pair i has a nearer point; *n: how many have none. */
static bool is_above_corner(const pair_set *s, int32_t i, int32_t begin, int32_t end, int32_t *n)
{
    const pair_state *st = &s->states[i];
    *n = 0;
    for (int32_t j = begin; j < end; j++) {
        const pair_state *other = &s->states[j];
        if (!pair_is_firm(other) || !has_corner(other, st->corner))
            continue;
        if (other->corner != st->corner && other->distance < st->distance)
            return false;
        *n += other->corner == st->corner;
    }
    return true;
}

/* Corners of the pairs [begin, end) of a vertex. */
static void share_corners(pair_set *s, int32_t begin, int32_t end)
{
    for (int32_t i = begin; i < end; i++) {
        int32_t n;
        if (s->states[i].corner < 0 || !pair_is_firm(&s->states[i]))
            continue;
        if (is_above_corner(s, i, begin, end, &n)) {
            s->terms[i].k /= n;
        } else {
            s->states[i].touches = false;
            pair_term_clear(&s->terms[i]);
        }
    }
}

void firm_share_corners(pair_set *s)
{
    if (!pair_set_has_firm(s))
        return;
    for (int32_t i = 0, end; i < s->n; i = end)
        if (vertex_run(s, i, &end) >= 0)
            share_corners(s, i, end);
}

/* Of the pairs [begin, end) of a vertex, those that touch but have no force get what those have that do not touch, or
 * what is left of `all`. */
static void share_force(pair_set *s, int32_t begin, int32_t end, double all)
{
    double left = 0, kept = 0;
    int32_t n_new = 0;
    for (int32_t i = begin; i < end; i++) {
        pair_state *st = &s->states[i];
        if (pair_is_firm(st) && !st->touches) {
            left += st->friction.force;
            st->friction.force = st->force = s->terms[i].force = 0;
        } else if (!pair_is_firm(st) || st->friction.force > 0) {
            kept += st->friction.force;
        } else {
            n_new++;
        }
    }
    left = max_of(left, all - kept);
    for (int32_t i = begin; i < end && n_new > 0; i++)
        if (pair_is_firm(&s->states[i]) && s->states[i].touches && !(s->states[i].friction.force > 0))
            s->states[i].friction.force = s->states[i].force = s->terms[i].force = left / n_new;
}

void firm_share_forces(pair_set *s, bool of_memory)
{
    for (int32_t i = 0, end; i < s->n; i = end) {
        int32_t vi = vertex_run(s, i, &end);
        if (vi >= 0)
            share_force(s, i, end, of_memory ? s->node_force[vi] : 0);
    }
}

/* At the step's start. */
void firm_measure(pair_set *s, const vec3 *x, const vec3 *x1)
{
    for (int32_t i = 0; pair_set_has_firm(s) && i < s->n; i++)
        if (pair_is_firm(&s->states[i])) {
            gap g = contact_pair_gap(x, &s->states[i].pair);
            firm_set(s, i, x, x1, &g);
        }
    firm_share_corners(s);
}

void firm_renew(pair_state *st, contact_term *c, const friction_state *f, pair_piece *sums)
{
    double was = c->friction * st->friction.force;
    st->friction = *f;
    st->force = c->force = f->force;
    c->slides = f->slides;
    sums->firm += f->force;
    sums->firm_sliding += f->slides ? c->friction * f->force : 0;
    sums->firm_was += f->slides ? was : 0;
}
