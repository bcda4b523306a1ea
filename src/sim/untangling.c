/* SPDX-License-Identifier: MIT */
/* Untangling inside the step.
 *
 * Idea: while surfaces intersect, the end positions of every substep are moved so that contours get shorter
 * (untangle/minimise.h), a little at a time; mechanics smooths out what that does to the cloth. Pairs of patches that
 * intersect are let alone by contact and prevention meanwhile (tangled.c); once exact tests find nothing between them
 * they are kept apart like all others.
 *
 * Source: ye2012 §3, §5 ("geometric corrections of position distributed on mesh vertices"). Where we differ: the paper
 * corrects positions and leaves open what becomes of velocities. Here the history of a node moves with it, so that no
 * formula of the integrator takes the correction for motion.
 *
 * Invariants:
 * 1. Only end positions change, never those at the start, nor velocities.
 * 2. No node is moved by more than UNTANGLING_EDGES of its edges, nor faster than twice UNTANGLING_SPEED, whatever
 *    the step.
 * 3. What is done depends on positions, time, the length of the substep and what the state remembers of groups: a
 *    state that is restored goes on bit for bit. Sums are taken in the order of crossings: the number of threads does
 *    not matter. */
#include <math.h>
#include <string.h>

#include "sim/params.h"
#include "sim/phases.h"
#include "untangle/params.h"

/* ---- making ------------------------------------------------------------------------------------------------------ */

static void find_sewn(const model *m, untangling *u)
{
    int32_t at = u->n_cloth;
    for (int32_t vi = 0; vi < u->n_cloth; vi++)
        u->sewn[vi] = m->rows[vi].dof[1] < 0 ? m->rows[vi].dof[0] : vi;
    for (int32_t i = m->n_analytic; i < m->n_colliders; i++) {
        const collider_mesh *c = m->collider_owner[i]->mesh;
        for (int32_t vi = 0; vi < c->n_vertices; vi++)
            u->sewn[at + vi] = at + c->same[vi];
        at += c->n_vertices;
    }
}

static vec3 rest_of(const model *m, int32_t vi)
{
    if (vi < m->cloth_contact.n_cloth)
        return m->cloth_contact.nodes[vi].rest;
    vi -= m->cloth_contact.n_cloth;
    int32_t i = m->n_analytic;
    while (vi >= m->collider_owner[i]->mesh->n_vertices)
        vi -= m->collider_owner[i++]->mesh->n_vertices;
    return m->collider_owner[i]->mesh->local[vi];
}

/* Mean length at rest of the edges at each vertex, each as often as it has triangles. */
static void measure_rest_edges(const model *m, untangling *u)
{
    const cloth_contact *cc = &m->cloth_contact;
    double *sum = u->k.edge, *n = u->k.weight;
    memset(sum, 0, (size_t)cc->n_nodes * sizeof *sum);
    memset(n, 0, (size_t)cc->n_nodes * sizeof *n);
    for (int32_t ti = 0; ti < cc->n_triangles; ti++) {
        const int32_t *t = cc->triangles[ti];
        vec3 x[3] = {rest_of(m, t[0]), rest_of(m, t[1]), rest_of(m, t[2])};
        for (int i = 0; i < 3; i++) {
            double length = v3_len(v3_sub(x[i], x[(i + 1) % 3]));
            for (int k = 0; k < 2; k++) {
                sum[u->sewn[t[(i + k) % 3]]] += length;
                n[u->sewn[t[(i + k) % 3]]] += 1;
            }
        }
    }
    for (int32_t vi = 0; vi < cc->n_nodes; vi++)
        sum[vi] = n[vi] > 0 ? sum[vi] / n[vi] : m->mean_edge;
}

/* As the tool has it, if it does. */
static void take_way(const model *m, untangling *u)
{
    if (!m->untangling_way.is_told)
        return;
    u->by_groups = m->untangling_way.rings > 0;
    u->groups.rings = m->untangling_way.rings;
}

/* Of cloths and colliders. */
static int64_t n_entered(const untangling *u)
{
    return (int64_t)(u->n_objects - u->n_colliders) * u->n_colliders;
}

static bool make_untangling(model *m, untangling *u)
{
    const cloth_contact *cc = &m->cloth_contact;
    mem *a = m->mem;
    u->made = true;
    u->n_cloth = cc->n_cloth;
    u->n_nodes = cc->n_nodes;
    u->n_objects = cc->n_objects;
    u->n_layers = m->defs->n_layers;
    u->n_colliders = m->n_colliders;
    contours_init(&u->c, a);
    bool good = MEM_MAKE(a, u->sewn, cc->n_nodes);
    good = MEM_MAKE(a, u->sides, cc->n_objects) && good;
    good = MEM_MAKE(a, u->layers, u->n_layers) && good;
    good = MEM_MAKE(a, u->held, cc->n_nodes) && good;
    good = MEM_MAKE(a, u->entered, n_entered(u)) && good;
    good = MEM_MAKE(a, u->pierced, cc->n_objects) && good;
    good = MEM_MAKE(a, u->way, cc->n_cloth) && good;
    good = MEM_MAKE(a, u->n_in, cc->n_cloth) && good;
    good = MEM_MAKE(a, u->total, cc->n_cloth) && good;
    good = MEM_MAKE(a, u->grown, cc->n_nodes) && good;
    if (!good)
        return false;
    take_way(m, u);
    find_sewn(m, u);
    untangling_find_sides(m, u->sides);
    untangling_find_layers(m, u->layers);
    if (!mesh_adjacency_make_sewn(&u->w, a, cc->n_nodes, u->sewn, cc->n_triangles, cc->triangles) ||
        !intruders_make(&u->s, a, &u->w) || !minimise_make(&u->k, a, &u->w, cc->x0))
        return false;
    measure_rest_edges(m, u);
    u->c.tied = cc->same;
    u->s.patch = cc->tangled;
    u->s.slits = true;
    u->s.held = u->held;
    u->k.object = cc->object;
    u->k.object_side = u->sides;
    u->k.layers = u->layers;
    u->k.n_layers = u->n_layers;
    u->k.gap = UNTANGLING_GAP * m->mean_edge;
    u->k.step = 0.35;
    u->k.weigh = true;
    u->k.blend = UNTANGLING_BLEND;
    u->k.rings = UNTANGLING_FOLLOWERS;
    u->k.follow = UNTANGLING_FOLLOW;
    return true;
}

void untangling_free(model *m)
{
    untangling *u = &m->cloth_contact.untangling;
    mem *a = m->mem;
    MEM_FREE(a, u->pairs, u->room);
    if (!u->made)
        return;
    contours_free(&u->c);
    intruders_free(&u->s);
    minimise_free(&u->k);
    mesh_adjacency_free(&u->w);
    if (u->groups_made)
        groups_free(&u->groups);
    MEM_FREE(a, u->sewn, u->n_nodes);
    MEM_FREE(a, u->sides, u->n_objects);
    MEM_FREE(a, u->layers, u->n_layers);
    MEM_FREE(a, u->held, u->n_nodes);
    MEM_FREE(a, u->entered, n_entered(u));
    MEM_FREE(a, u->pierced, u->n_objects);
    MEM_FREE(a, u->way, u->n_cloth);
    MEM_FREE(a, u->n_in, u->n_cloth);
    MEM_FREE(a, u->total, u->n_cloth);
    MEM_FREE(a, u->grown, u->n_nodes);
    *u = (untangling){0};
}

/* ---- where things are -------------------------------------------------------------------------------------------- */

/* Which cloths intersect which meshes. */
static void find_entered(model *m, untangling *u)
{
    const int32_t *object = m->cloth_contact.object;
    int32_t n_cloths = u->n_objects - u->n_colliders;
    if (n_entered(u) > 0)
        memset(u->entered, 0, (size_t)n_entered(u) * sizeof *u->entered);
    for (int64_t i = 0; i < u->n_pairs; i++) {
        int32_t a = object[u->pairs[i][0]], b = object[u->pairs[i][1]], first = a < b ? a : b, second = a < b ? b : a;
        if (first < n_cloths && second >= n_cloths)
            u->entered[(int64_t)first * u->n_colliders + second - n_cloths] = true;
    }
}

/* Nodes of a cloth that are in a closed mesh; returns how many. */
static int32_t find_inside_mesh(model *m, untangling *u, const cloth *c, collider_mesh *mesh, const vec3 *x)
{
    int32_t n = 0;
    for (int32_t vi = c->offset; vi < c->offset + c->surface->n_nodes; vi++) {
        collider_mesh_place at = collider_mesh_nearest(mesh, x[vi]);
        if (!at.behind)
            continue;
        vec3 out = v3_unit_or(v3_sub(at.point, x[vi]), at.normal);
        u->way[vi] = v3_madd(u->way[vi], at.distance + u->k.gap, out);
        u->n_in[vi]++;
        m->cloth_contact.tangled[vi] |= TANGLED_INSIDE;
        n++;
    }
    return n;
}

/* Nodes of cloths that intersect a closed mesh, and are in it. What does not touch its surface is left there, whatever
 * else it or the mesh intersects: a cloth in a drum is where it should be. */
static void find_inside(model *m, untangling *u, const vec3 *x)
{
    int32_t object = 0;
    memset(u->way, 0, (size_t)u->n_cloth * sizeof *u->way);
    memset(u->n_in, 0, (size_t)u->n_cloth * sizeof *u->n_in);
    u->n_inside = 0;
    for (int32_t k = 0; k < m->defs->cloths.n; k++) {
        const cloth *c = m->defs->cloths.items[k].item;
        if (!c)
            continue;
        int64_t row = (int64_t)object++ * u->n_colliders;
        for (int32_t i = m->n_analytic; i < m->n_colliders; i++) {
            collider_mesh *mesh = m->collider_owner[i]->mesh;
            bool may = u->entered[row + i] && mesh->info.closed && collides_with(c, m->collider_owner[i]);
            int32_t n = may ? find_inside_mesh(m, u, c, mesh, x) : 0;
            u->entered[row + i] = n > 0;
            u->n_inside += n;
        }
    }
}

/* The triangles of meshes that cloth is in. */
static void mark_entered(const model *m, const untangling *u)
{
    const cloth_contact *cc = &m->cloth_contact;
    int32_t n_cloths = u->n_objects - u->n_colliders;
    for (int32_t ti = cc->n_triangles - m->mesh.n_triangles; u->n_inside > 0 && ti < cc->n_triangles; ti++) {
        bool any = false;
        for (int32_t i = 0; i < n_cloths; i++)
            any = any || u->entered[(int64_t)i * u->n_colliders + cc->object[ti] - n_cloths];
        for (int k = 0; any && k < 3; k++)
            cc->tangled[cc->triangles[ti][k]] |= TANGLED_INSIDE << 1;
    }
}

/* What is inside goes one way, if the nearest ways agree well enough: each by its own they would pull the cloth apart,
 * and it would take all of that back. If they do not, a limb goes right through the cloth, which is not inside. */
static void join_ways_out(untangling *u, const cloth *c, bool *pierced)
{
    vec3 sum = v3_zero();
    double all = 0, most = 0;
    for (int32_t vi = c->offset; vi < c->offset + c->surface->n_nodes; vi++) {
        double length = v3_len(u->way[vi]);
        sum = v3_add(sum, u->way[vi]);
        all += length;
        most = max_of(most, length);
    }
    *pierced = v3_len(sum) < UNTANGLING_AGREED * all;
    vec3 way = v3_scale(most, v3_unit_or(sum, v3_zero()));
    for (int32_t vi = c->offset; vi < c->offset + c->surface->n_nodes; vi++) {
        if (u->n_in[vi] == 1)
            u->way[vi] = way;
        u->n_inside -= *pierced && u->n_in[vi] > 0 ? u->n_in[vi] : 0;
        u->n_in[vi] = *pierced ? 0 : u->n_in[vi];
    }
}

static void judge_inside(const model *m, untangling *u)
{
    int32_t object = 0;
    for (int32_t k = 0; k < m->defs->cloths.n; k++) {
        const cloth *c = m->defs->cloths.items[k].item;
        if (c)
            join_ways_out(u, c, &u->pierced[object++]);
    }
}

/* Pins; colliders have sides of their own. */
static void find_held(const model *m, untangling *u)
{
    for (int32_t vi = 0; vi < u->n_cloth; vi++) {
        const node_row *r = &m->rows[vi];
        u->held[u->sewn[vi]] = r->dof[1] < 0 && m->filters[r->dof[0]].kind == FREEDOM_NONE;
    }
}

void untangling_use_groups(model *m, int rings, bool plain)
{
    untangling *u = &m->cloth_contact.untangling;
    if (u->groups_made && rings > 0)
        groups_forget(&u->groups);
    m->untangling_way.is_told = true;
    m->untangling_way.rings = rings;
    m->untangling_way.plain = plain;
    take_way(m, u);
}

/* Whether every line is of one cloth with itself, and cuts off a little of it: a cuff through its sleeve. */
static bool is_shallow(const model *m, const untangling *u)
{
    const int32_t *object = m->cloth_contact.object;
    for (int32_t li = 0; li < u->c.n_lines; li++) {
        const contour_segment *g = &u->c.segments[u->c.order[u->c.lines[li].first]];
        const intruder *in = &u->s.lines[li];
        int32_t least = in->n[0] > 0 && (in->n[1] == 0 || in->n[0] <= in->n[1]) ? in->n[0] : in->n[1];
        if (object[g->tri[0]] != object[g->tri[1]] || (in->side[0] == 0 && in->side[1] == 0) ||
            least > UNTANGLING_SHALLOW * u->n_cloth)
            return false;
    }
    return u->c.n_lines > 0;
}

/* By groups; what does not come free so, by contours alone for a while, and so on;
 * what is shallow begins with those. */
static void choose_method(const model *m, untangling *u, const state *st)
{
    double n = st->groups.n > 0 ? st->groups.items[0] : 0;
    int at = (int)fmod(n, UNTANGLING_GROUP_STEPS + UNTANGLING_CONTOUR_STEPS);
    u->by_groups = at < UNTANGLING_GROUP_STEPS && !(n < UNTANGLING_CONTOUR_STEPS && is_shallow(m, u));
    u->groups.rings = GROUP_RINGS;
}

/* Patches of groups in place of those of lines. */
static bool look_at_groups(model *m, untangling *u, const state *st, const vec3 *x)
{
    cloth_contact *cc = &m->cloth_contact;
    if (!u->groups_made) {
        int32_t rings = u->groups.rings;
        u->groups_made = true;
        if (!groups_make(&u->groups, m->mem, cc->n_nodes))
            return false;
        u->groups.rings = rings;
    }
    if (!m->untangling_way.is_told && !group_memory_give(&st->groups, &u->groups))
        return false;
    int32_t *left_out = groups_begin(&u->groups, &u->c);
    u->sided = false;
    u->k.unsided = u->pierced;
    for (int64_t i = 0; left_out && i < u->c.n_crossings; i++)
        if (minimise_is_sided(&u->k, &u->c.crossings[i])) {
            left_out[u->c.crossings[i].line] = 1;
            u->sided = true;
        }
    if (!left_out || !groups_find(&u->groups, &u->w, &u->c, &u->s, x, m->mean_edge))
        return false;
    for (int32_t vi = 0; vi < cc->n_nodes && !u->sided; vi++)
        cc->tangled[vi] &= TANGLED_INSIDE | TANGLED_INSIDE << 1;
    groups_mark(&u->groups, cc->tangled);
    return true;
}

bool untangling_look(model *m, const state *st, const vec3 *x)
{
    cloth_contact *cc = &m->cloth_contact;
    untangling *u = &cc->untangling;
    if (!u->made && !make_untangling(m, u))
        return false;
    find_held(m, u);
    if (contours_find(&u->c, &u->w, cc->bvh, m->pool, x, NULL) < 0 || !intruders_find(&u->s, &u->w, &u->c, x))
        return false;
    find_entered(m, u);
    find_inside(m, u, x);
    if (!m->untangling_way.is_told)
        choose_method(m, u, st);
    if (u->by_groups) {
        judge_inside(m, u);
        if (!look_at_groups(m, u, st, x))
            return false;
    }
    for (int32_t vi = 0; vi < cc->n_nodes; vi++)
        cc->tangled[vi] |= cc->tangled[u->sewn[vi]];
    mark_entered(m, u);
    return true;
}

/* ---- moving ------------------------------------------------------------------------------------------------------ */

/* What is in two meshes at once has nowhere to go: it waits until they part. */
static void set_mobility(const model *m, untangling *u)
{
    memset(u->k.mobility, 0, (size_t)u->n_nodes * sizeof *u->k.mobility);
    for (int32_t vi = 0; vi < u->n_cloth; vi++) {
        const node_row *r = &m->rows[vi];
        for (int d = 0; d < 2 && r->dof[d] >= 0 && u->n_in[vi] < 2; d++)
            if (m->filters[r->dof[d]].kind != FREEDOM_NONE)
                u->k.mobility[vi] += row_weight(r) / m->mass[r->dof[d]];
    }
}

/* What is asked of a node that hangs is asked of the ends of its edge. */
static void hand_on(const model *m, untangling *u)
{
    for (int32_t vi = 0; vi < u->n_cloth; vi++) {
        const node_row *r = &m->rows[vi];
        if (r->dof[1] < 0 || u->k.weight[vi] == 0)
            continue;
        for (int d = 0; d < 2; d++) {
            u->k.d[r->dof[d]] = v3_add(u->k.d[r->dof[d]], u->k.d[vi]);
            u->k.weight[r->dof[d]] += u->k.weight[vi];
        }
    }
}

/* Adds d to the way of each node, as far as that may go. */
static void add_moves(const model *m, const state *st, untangling *u, double h)
{
    for (int32_t vi = 0; vi < u->n_cloth; vi++) {
        if (m->rows[vi].dof[1] >= 0 || u->sewn[vi] != vi)
            continue;
        vec3 way = v3_add(u->total[vi], filter_apply(&m->filters[vi], u->k.d[vi]));
        double own = v3_len(v3_sub(m->q1[vi], st->q[vi])), length = v3_len(way);
        double most =
            min_of(UNTANGLING_EDGES * u->k.edge[vi], UNTANGLING_SPEED * h + min_of(own, UNTANGLING_SPEED * h));
        u->total[vi] = length > most ? v3_scale(most / length, way) : way;
    }
    for (int32_t vi = 0; vi < u->n_cloth; vi++) {
        const node_row *r = &m->rows[vi];
        if (r->dof[1] >= 0)
            u->total[vi] = v3_scale(0.5, v3_add(u->total[r->dof[0]], u->total[r->dof[1]]));
        else
            u->total[vi] = u->total[r->dof[0]];
    }
}

/* One round at x. False without memory. */
static bool shorten_contours(model *m, untangling *u, const vec3 *x, int round)
{
    minimise_begin(&u->k);
    weft_untangle_strategy by = m->untangling_way.plain ? WEFT_UNTANGLE_PLAIN : WEFT_UNTANGLE_SIDES;
    if (u->c.n_segments > 0 && !minimise_crossings(&u->k, &u->c, &u->s, x, by))
        return false;
    for (int32_t vi = 0; round == 0 && u->n_inside > 0 && vi < u->n_cloth; vi++)
        if (u->n_in[vi] == 1)
            minimise_ask(&u->k, vi, u->way[vi]);
    hand_on(m, u);
    minimise_end(&u->k);
    return true;
}

/* Only touching: no contour, but exact tests say that something is shared. */
static void part_touching(untangling *u, const vec3 *x)
{
    minimise_part(&u->k, (const int32_t(*)[2])u->pairs, u->n_pairs, x, 0.25 * u->k.gap);
}

/* Groups part as they were found at the step's start. */
static void part_groups(model *m, const state *st, untangling *u, double h, weft_step_stats *stats)
{
    stats->contour_length = u->c.length;
    minimise_begin(&u->k);
    groups_ask(&u->groups, &u->k, m->mean_edge);
    hand_on(m, u);
    minimise_end(&u->k);
    add_moves(m, st, u, h);
}

/* Contours at the end of the substep are made shorter. False without memory. */
static bool pull_apart(model *m, const state *st, untangling *u, double h, weft_step_stats *stats)
{
    cloth_contact *cc = &m->cloth_contact;
    set_mobility(m, u);
    bool grouped = u->by_groups && u->groups_made && u->c.n_segments > 0;
    if (grouped)
        part_groups(m, st, u, h, stats);
    if (grouped && !u->sided && u->n_inside == 0)
        return true;
    u->k.only_sided = grouped;
    u->k.unsided = grouped ? u->pierced : NULL;
    for (int round = 0; round < UNTANGLING_ROUNDS; round++) {
        cloth_contact_place(m, m->q1, m->mesh.x1, cc->x);
        for (int32_t vi = 0; vi < u->n_cloth; vi++)
            cc->x[vi] = v3_add(cc->x[vi], u->total[vi]);
        m->n_placed++;
        if (contours_find(&u->c, &u->w, cc->bvh, m->pool, cc->x, NULL) < 0 ||
            !intruders_find(&u->s, &u->w, &u->c, cc->x))
            return false;
        stats->contour_length = round == 0 ? u->c.length : stats->contour_length;
        if (u->c.n_segments == 0 && round > 0)
            break;
        if (u->c.n_segments == 0 && u->n_inside == 0)
            part_touching(u, cc->x);
        else if (!shorten_contours(m, u, cc->x, round))
            return false;
        add_moves(m, st, u, h);
    }
    return true;
}

bool untangling_step(model *m, const state *st, const substep *sub, weft_step_stats *stats)
{
    cloth_contact *cc = &m->cloth_contact;
    untangling *u = &cc->untangling;
    stats->caught = m->collider_contacts.n_embedded;
    u->moved = cc->parting;
    if (!u->moved)
        return true;
    memset(u->total, 0, (size_t)u->n_cloth * sizeof *u->total);
    u->s.patch = NULL; /* patches are those of the start */
    bool good = pull_apart(m, st, u, sub->h, stats);
    u->s.patch = cc->tangled;
    for (int32_t vi = 0; good && vi < u->n_cloth; vi++)
        m->q1[vi] = v3_add(m->q1[vi], u->total[vi]);
    return good;
}

void untangling_commit(model *m, state *st, double fraction)
{
    untangling *u = &m->cloth_contact.untangling;
    for (int32_t vi = 0; u->moved && vi < u->n_cloth; vi++)
        st->q_past[vi] = v3_madd(st->q_past[vi], fraction, u->total[vi]);
    u->moved = false;
}
