/* SPDX-License-Identifier: MIT */
/* Impact zones that move as one (provot1997 §4.2–4.4), and what makes the method end where that is not enough.
 *
 * Hits link degrees of freedom to impact zones, which only grow. A zone
 *   - that touches nothing immovable takes the rigid motion that has its momentum (rigid.h);
 *   - that touches things at rest, or whose rigid motion was not safe, takes a fraction of its own step: up to where
 *     its first hit was, then half as much each time it hits itself again, then none;
 *   - that touches things that move takes their motion, the rigid one nearest to it.
 * After each round everything is tested again. The motion of a zone with itself is safe: rigid ones keep all distances
 * but for the grid's rounding, and a zone that stays where it is, or shifts by one vector, is apart as it was, to the
 * last bit. So each round a zone grows, or takes less of its step, until nothing hits, or until something that moves
 * leaves no room. Then the whole scene, colliders too, is cut at a time before the first hit: on the same straight
 * lines nothing has met until then. If that is at once, or the grid's rounding does not allow it, the pairs that hit
 * are named.
 *
 * Where we differ from the paper: masses and pseudo-inverse (rigid.c); it says nothing of obstacles in a zone, and its
 * zones take no friction and no fraction of the step.
 *
 * Invariants:
 *  1. x1 of what is held, and of colliders, changes only by a cut;
 *  2. rigid zones keep momentum and angular momentum; the others give it to what they touch, or lose it;
 *  3. at most FAILSAFE_ROUNDS rounds and FAILSAFE_CUTS cuts. */
#include "contact/prevent/failsafe.h"

#include <string.h>

#include "base/clock.h"
#include "contact/params.h"
#include "contact/prevent/detect.h"
#include "contact/prevent/rigid.h"
#include "contact/prevent/impact_zone.h"
#include "math/grid.h"

typedef enum motion_kind { MOTION_RIGID, MOTION_FRACTION, MOTION_CARRIED } motion_kind;

typedef struct impact_zone_motion {
    motion_kind kind;
    rigid own, own_v, carrier;
    int32_t n_fixed, n_moving; /* immovable members, and those of them that move */
    bool sliding;              /* a member is held to a line */
    double fraction;
} impact_zone_motion;

static impact_world world_of(prevent_job *j)
{
    return (impact_world){j->world, j->work->obstacle, j->x0, j->x1, j->v1};
}

/* ---- zones grow -------------------------------------------------------------------------------------------------- */

/* Calls `visit` for the degrees of freedom of an impact, and for its nodes of colliders. */
typedef void (*member_fn)(prevent_job *j, int32_t node, bool is_free, void *context);

static void for_members(prevent_job *j, const impact *c, member_fn visit, void *context)
{
    impact_world w = world_of(j);
    for (int i = 0; i < 4; i++) {
        if (c->node[i] >= j->world->n_dofs) {
            visit(j, c->node[i], false, context);
            continue;
        }
        const node_row *r = &j->world->rows[c->node[i]];
        for (int d = 0; d < 2 && r->dof[d] >= 0; d++)
            visit(j, r->dof[d], impact_dof_is_free(&w, r->dof[d]), context);
    }
}

typedef struct member_sum {
    int32_t root;      /* of its free members: −1 none, −2 several or in no zone yet */
    double fraction;   /* the least of the zones it touches */
    int32_t self_hits; /* the most */
} member_sum;

static void sum_member(prevent_job *j, int32_t node, bool is_free, void *context)
{
    member_sum *sum = context;
    if (!is_free)
        return;
    int32_t root = impact_zone_find(j->work, node);
    if (root >= 0) {
        sum->fraction = min_of(sum->fraction, j->work->impact_zone_fraction[root]);
        sum->self_hits = j->work->self_hits[root] > sum->self_hits ? j->work->self_hits[root] : sum->self_hits;
    }
    sum->root = root >= 0 && (sum->root == -1 || sum->root == root) ? root : -2;
}

static member_sum members_of(prevent_job *j, const impact *c)
{
    member_sum sum = {-1, 1, 0};
    for_members(j, c, sum_member, &sum);
    return sum;
}

/* A zone that hits itself takes half of its fraction from then on; that counts once a round. */
static void count_self_hit(prevent_job *j, int32_t root, int32_t round)
{
    prevent_work *k = j->work;
    if (k->self_hit_round[root] == round + 1)
        return;
    k->self_hit_round[root] = round + 1;
    k->self_hits[root]++;
    k->impact_zone_fraction[root] =
        k->impact_zone_fraction[root] > FAILSAFE_LEAST_FRACTION ? 0.5 * k->impact_zone_fraction[root] : 0;
}

static void link_hit(prevent_job *j, const impact *c, int32_t round)
{
    member_sum sum = members_of(j, c);
    bool grew;
    int32_t root = impact_zone_link(j, c, &grew);
    if (root < 0)
        return;
    j->work->self_hits[root] = sum.self_hits;
    /* In the first round hits are those of the zone's own step. */
    j->work->impact_zone_fraction[root] =
        round == 0 ? min_of(sum.fraction, FAILSAFE_SAFE_TIME * c->time) : sum.fraction;
}

/* Whether any hit has something that can move. */
static bool absorb_hits(prevent_job *j, int32_t round)
{
    prevent_work *k = j->work;
    int64_t n = k->n_constraints;
    bool any = false;
    if (!WORK_ROOM(j->world->mem, k->constraints, k->constraint_room, n + j->n_hits))
        return false;
    for (int32_t i = 0; i < j->n_hits; i++) {
        impact *c = &k->hits[k->order[i]];
        int32_t root = members_of(j, c).root;
        k->constraints[n + i] = *c;
        k->hit_pair[i] = root; /* until all are linked: −2 if it joins what was not joined */
        any |= root != -1;
    }
    for (int32_t i = 0; i < j->n_hits; i++)
        link_hit(j, &k->constraints[n + i], round);
    for (int32_t i = 0; i < j->n_hits; i++)
        if (k->hit_pair[i] >= 0)
            count_self_hit(j, impact_zone_find(k, (int32_t)k->hit_pair[i]), round);
    k->n_constraints += j->n_hits;
    return any;
}

/* ---- zones move -------------------------------------------------------------------------------------------------- */

typedef struct obstacle_pass {
    impact_zone_motion *motion;
    bool spin;
} obstacle_pass;

static void add_obstacle(prevent_job *j, int32_t node, bool is_free, void *context)
{
    obstacle_pass *p = context;
    impact_zone_motion *m = p->motion;
    if (is_free)
        return;
    vec3 x = j->x0[node], d = v3_sub(j->x1[node], x);
    if (p->spin) {
        rigid_add_spin(&m->carrier, 1, x, d);
        return;
    }
    rigid_add_mass(&m->carrier, 1, x, d);
    m->n_fixed++;
    m->n_moving += v3_max_abs(d) > 0;
}

static void add_obstacles(prevent_job *j, bool spin)
{
    prevent_work *k = j->work;
    for (int64_t i = 0; i < k->n_constraints; i++) {
        int32_t root = members_of(j, &k->constraints[i]).root;
        if (root < 0)
            continue;
        obstacle_pass p = {&k->motions[k->impact_zone_of[root]], spin};
        for_members(j, &k->constraints[i], add_obstacle, &p);
    }
}

static void add_members(prevent_job *j, bool spin)
{
    prevent_work *k = j->work;
    for (int32_t i = 0; i < j->world->n_dofs; i++) {
        int32_t root = impact_zone_find(k, i);
        if (root < 0)
            continue;
        impact_zone_motion *m = &k->motions[k->impact_zone_of[root]];
        double mass = j->world->mass[i];
        vec3 x = j->x0[i], d = v3_sub(k->x_base[i], x);
        void (*add)(rigid *, double, vec3, vec3) = spin ? rigid_add_spin : rigid_add_mass;
        add(&m->own, mass, x, d);
        add(&m->own_v, mass, x, k->v_base[i]);
        m->sliding |= j->world->filters[i].kind == FREEDOM_LINE;
    }
}

static void choose_motion(const prevent_work *k, int32_t root)
{
    impact_zone_motion *m = &k->motions[k->impact_zone_of[root]];
    rigid_finish(&m->own);
    rigid_finish(&m->own_v);
    rigid_finish(&m->carrier);
    m->fraction = k->impact_zone_fraction[root];
    if (m->n_moving > 0 && !m->sliding)
        m->kind = MOTION_CARRIED;
    else if (m->n_fixed == 0 && !m->sliding && k->self_hits[root] == 0)
        m->kind = MOTION_RIGID;
    else
        m->kind = MOTION_FRACTION;
}

static void move_member(prevent_job *j, int32_t dof, const impact_zone_motion *m)
{
    vec3 x = j->x0[dof], d;
    switch (m->kind) {
    case MOTION_RIGID:
        j->x1[dof] = v3_add(x, rigid_velocity(&m->own, x));
        j->v1[dof] = rigid_velocity(&m->own_v, x);
        return;
    case MOTION_CARRIED: d = rigid_velocity(&m->carrier, x); break;
    default: d = v3_scale(m->fraction, v3_sub(j->work->x_base[dof], x)); break;
    }
    j->x1[dof] = v3_add(x, d);
    j->v1[dof] = v3_scale(1 / j->world->h, d);
}

static bool measure_impact_zones(prevent_job *j)
{
    prevent_work *k = j->work;
    int32_t n = impact_zone_count(j);
    if (!WORK_ROOM(j->world->mem, k->motions, k->motion_room, n))
        return false;
    memset(k->motions, 0, (size_t)n * sizeof *k->motions);
    k->n_motions = n;
    for (int spin = 0; spin < 2; spin++) {
        add_members(j, spin);
        add_obstacles(j, spin);
    }
    for (int32_t i = 0; i < j->world->n_dofs; i++)
        if (k->parent[i] == i)
            choose_motion(k, i);
    return true;
}

static bool move_impact_zones(prevent_job *j)
{
    prevent_work *k = j->work;
    impact_world w = world_of(j);
    if (!measure_impact_zones(j))
        return false;
    for (int32_t i = 0; i < j->world->n_dofs; i++) {
        int32_t root = impact_zone_find(k, i);
        if (root >= 0 && impact_dof_is_free(&w, i))
            move_member(j, i, &k->motions[k->impact_zone_of[root]]);
    }
    return true;
}

/* ---- the end ----------------------------------------------------------------------------------------------------- */

static bool is_stuck(const prevent_job *j)
{
    const prevent_work *k = j->work;
    for (int32_t i = 0; i < j->world->n_dofs; i++)
        if (k->parent[i] == i && k->motions[k->impact_zone_of[i]].kind == MOTION_CARRIED &&
            k->self_hits[i] > FAILSAFE_PATIENCE)
            return true;
    return false;
}

static void count_impact_zones(prevent_job *j)
{
    const prevent_work *k = j->work;
    for (int32_t zi = 0; zi < k->n_motions; zi++)
        if (k->motions[zi].kind == MOTION_RIGID)
            j->stats->rigid++;
        else
            j->stats->failsafes++;
}

/* Nothing else moves: then staying where all is, is safe. */
static bool stop_all(prevent_job *j)
{
    impact_world w = world_of(j);
    for (int32_t i = 0; i < j->world->n_nodes; i++) {
        vec3 d = v3_sub(j->x1[i], j->x0[i]);
        if ((i >= j->world->n_dofs || j->world->filters[i].kind == FREEDOM_NONE) && v3_max_abs(d) > 0 &&
            (i >= j->world->n_dofs || j->world->rows[i].dof[0] == i))
            return true;
    }
    for (int32_t i = 0; i < j->world->n_dofs; i++) {
        if (!impact_dof_is_free(&w, i))
            continue;
        j->x1[i] = j->x0[i];
        j->v1[i] = v3_zero();
    }
    j->stats->failsafes++;
    return prevent_test_again(j);
}

static void name_squeezed(prevent_job *j)
{
    prevent_work *k = j->work;
    k->n_squeezed = 0;
    for (int32_t i = 0; i < j->n_hits; i++) {
        const impact *c = &k->hits[k->order[i]];
        prevent_pair *p = &k->squeezed[k->n_squeezed++];
        *p = (prevent_pair){.edges = c->edges, .held = members_of(j, c).root == -1};
        memcpy(p->node, c->node, sizeof p->node);
    }
    j->stats->squeezed_pairs += k->n_squeezed;
}

/* Puts everything where it is at this fraction of the way to x_base. */
static bool go_to_fraction(prevent_job *j, double fraction)
{
    for (int32_t i = 0; i < j->world->n_nodes; i++)
        j->x1[i] = grid_snap(v3_madd(j->x0[i], fraction, v3_sub(j->work->x_base[i], j->x0[i])), j->world->world_scale);
    return prevent_settle(j) && detect_all(j);
}

static prevent_end cut_step(prevent_job *j)
{
    prevent_work *k = j->work;
    double fraction = 1;
    for (int32_t i = 0; i < j->n_hits; i++)
        fraction = min_of(fraction, FAILSAFE_SAFE_TIME * k->hits[i].time);
    memcpy(k->x_base, j->x1, (size_t)j->world->n_nodes * sizeof *j->x1);
    for (int n = 0; n < FAILSAFE_CUTS && fraction >= FAILSAFE_LEAST_FRACTION; n++, fraction *= 0.5) {
        if (!go_to_fraction(j, fraction))
            return PREVENT_FAILED;
        if (j->n_hits == 0) {
            j->stats->cuts++;
            j->stats->cut = fraction;
            return PREVENT_CUT;
        }
    }
    memcpy(j->x1, k->x_base, (size_t)j->world->n_nodes * sizeof *j->x1);
    if (!detect_all(j) || !WORK_ROOM(j->world->mem, k->squeezed, k->squeezed_room, j->n_hits))
        return PREVENT_FAILED;
    name_squeezed(j);
    return PREVENT_SQUEEZED;
}

static void failsafe_begin(prevent_job *j)
{
    prevent_work *k = j->work;
    memcpy(k->x_base, j->x1, (size_t)j->world->n_nodes * sizeof *j->x1);
    memcpy(k->v_base, j->v1, (size_t)j->world->n_dofs * sizeof *j->v1);
    impact_zone_reset(j);
    k->n_constraints = 0;
    k->n_motions = 0;
    for (int32_t i = 0; i < j->world->n_dofs; i++) {
        k->obstacle[i] = (obstacle){0};
        k->impact_zone_fraction[i] = 1;
        k->self_hits[i] = k->self_hit_round[i] = 0;
    }
    j->in_failsafe = true;
}

prevent_end failsafe(prevent_job *j)
{
    failsafe_begin(j);
    for (int32_t round = 0; round < FAILSAFE_ROUNDS && j->n_hits > 0; round++) {
        double t0 = clock_seconds();
        if (!absorb_hits(j, round))
            break; /* what hits is all held */
        if (!move_impact_zones(j))
            return PREVENT_FAILED;
        j->stats->seconds_respond += clock_seconds() - t0;
        if (!prevent_test_again(j))
            return PREVENT_FAILED;
        if (j->n_hits > 0 && is_stuck(j))
            break;
    }
    count_impact_zones(j);
    j->stats->zones += j->options->response == PREVENT_PROVOT ? j->work->n_motions : 0;
    if (j->n_hits > 0 && !stop_all(j))
        return PREVENT_FAILED;
    return j->n_hits > 0 ? cut_step(j) : PREVENT_FREE;
}

void failsafe_destroy(prevent_work *k, mem *m)
{
    MEM_FREE(m, k->motions, k->motion_room);
}
