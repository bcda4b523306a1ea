/* SPDX-License-Identifier: MIT */
/* What is tangled is slow while it is parted: within a step cloth takes back whatever stretches it, and deep dents and
 * folds would not come free. So nodes of patches feel a drag against the mean velocity of all such nodes of their
 * cloth, and that alone: what falls, or goes with a body, goes on as it did, and is parted meanwhile. Once they are
 * free the drag fades, over UNTANGLING_FADING substeps, or what was stretched would snap back.
 *
 *     m/γ² |q − q̃|²/2 + m/(τ h) |q − q0 − h v̄|²/2
 *
 * is the inertia of another mass about another target, which is what the solve is given. τ is UNTANGLING_DRAG, and
 * UNTANGLING_FADES times as long with every substep since the node was tangled: its age, which the state remembers. */
#include <math.h>
#include <string.h>

#include "sim/params.h"
#include "sim/phases.h"

int32_t untangling_wish(const model *m, int32_t wish)
{
    const cloth_contact *cc = &m->cloth_contact;
    const untangling *u = &cc->untangling;
    double h = m->collider_contacts.h;
    if (m->untangling_way.is_told || ((!cc->parting || !u->by_groups) && m->collider_contacts.n_leaving == 0))
        return wish;
    return h > UNTANGLING_STEP ? wish > 1 ? wish : 1 : 2 * h > UNTANGLING_STEP && wish < 0 ? 0 : wish;
}

static bool drags(const model *m, const state *st)
{
    return !m->untangling_way.is_told && (m->cloth_contact.parting || st->groups.n > 0);
}

/* Nodes within so many rings of what is tangled, into queue; returns how many. ring: scratch per contact node. */
static int32_t list_tangled(const cloth_contact *cc, uint8_t *ring, int32_t *queue)
{
    const mesh_adjacency *w = &cc->untangling.w;
    int32_t n = 0;
    memset(ring, 0, (size_t)cc->n_nodes);
    for (int32_t i = 0; i < cc->n_cloth; i++)
        if (cc->tangled[i]) {
            ring[i] = 1;
            queue[n++] = i;
        }
    for (int32_t i = 0; i < n && ring[queue[i]] <= UNTANGLING_DRAG_RINGS; i++) {
        int32_t vi = cc->untangling.sewn[queue[i]];
        for (int32_t j = w->next_start[vi]; j < w->next_start[vi + 1]; j++) {
            const mesh_adjacency_edge *e = &w->edges[w->next_edge[j]];
            int32_t to = e->v[e->v[0] == vi];
            if (to >= cc->n_cloth || ring[to] > 0)
                continue;
            ring[to] = (uint8_t)(ring[queue[i]] + 1);
            queue[n++] = to;
        }
    }
    return n;
}

/* Ages in this substep: 1 where nodes are tangled, 0 where they were not of late. False without memory. */
static bool find_ages(const model *m, const state *st, uint8_t *age)
{
    const cloth_contact *cc = &m->cloth_contact;
    uint8_t *ring;
    int32_t *queue;
    group_memory_ages(&st->groups, age, m->n);
    if (!cc->parting)
        return true;
    arena_mark before = arena_mark_of(m->scratch);
    if (!ARENA_TAKE(m->scratch, ring, cc->n_nodes) || !ARENA_TAKE(m->scratch, queue, cc->n_nodes))
        return false;
    int32_t n = list_tangled(cc, ring, queue);
    for (int32_t i = 0; i < n; i++)
        age[queue[i]] = 1;
    arena_release(m->scratch, before);
    return true;
}

/* Mean velocity of what is marked of a cloth, by mass. */
static vec3 mean_velocity(const model *m, const state *st, const uint8_t *age, int32_t from, int32_t n)
{
    vec3 sum = v3_zero();
    double mass = 0;
    for (int32_t i = from; i < from + n; i++)
        if (age[i] > 0 && m->filters[i].kind == FREEDOM_ALL) {
            sum = v3_madd(sum, m->mass[i], st->v[i]);
            mass += m->mass[i];
        }
    return mass > 0 ? v3_scale(1 / mass, sum) : sum;
}

static void drag_cloth(const model *m, const state *st, const cloth *c, double h, const uint8_t *age, double *mass,
                       vec3 *target)
{
    vec3 v = mean_velocity(m, st, age, c->offset, c->surface->n_nodes);
    for (int32_t i = c->offset; i < c->offset + c->surface->n_nodes; i++) {
        if (age[i] == 0 || m->filters[i].kind != FREEDOM_ALL)
            continue;
        double tau = UNTANGLING_DRAG;
        for (int k = 1; k < age[i]; k++)
            tau *= UNTANGLING_FADES;
        double gamma = gamma_of(m, st, i), drag = gamma * gamma / (tau * h);
        target[i] = v3_scale(1 / (1 + drag), v3_madd(target[i], drag, v3_madd(st->q[i], h, v)));
        mass[i] *= 1 + drag;
    }
}

bool untangling_drag(const model *m, const state *st, double h, const double **mass, const vec3 **target)
{
    double *masses;
    vec3 *targets;
    uint8_t *age;
    if (!drags(m, st))
        return true;
    if (!ARENA_TAKE(m->scratch, masses, m->n) || !ARENA_TAKE(m->scratch, targets, m->n) ||
        !ARENA_TAKE(m->scratch, age, m->n))
        return false;
    memcpy(masses, m->mass, (size_t)m->n * sizeof *masses);
    memcpy(targets, m->target, (size_t)m->n * sizeof *targets);
    if (!find_ages(m, st, age))
        return false;
    for (int32_t k = 0; k < m->defs->cloths.n; k++)
        if (m->defs->cloths.items[k].item)
            drag_cloth(m, st, m->defs->cloths.items[k].item, h, age, masses, targets);
    *mass = masses;
    *target = targets;
    return true;
}

bool untangling_remember(const model *m, state *st)
{
    const untangling *u = &m->cloth_contact.untangling;
    uint8_t *age;
    int32_t n_aged = 0;
    if (!drags(m, st)) {
        st->groups.n = 0;
        return true;
    }
    bool tangled = m->cloth_contact.parting;
    double n = st->groups.n > 0 ? st->groups.items[0] : 0;
    arena_mark before = arena_mark_of(m->scratch);
    if (!ARENA_TAKE(m->scratch, age, m->n))
        return false;
    if (!find_ages(m, st, age))
        return false;
    for (int32_t i = 0; i < m->n; i++) {
        age[i] = age[i] == 0 || age[i] >= UNTANGLING_FADING ? 0 : (uint8_t)(age[i] + 1);
        n_aged += age[i] > 0;
    }
    bool good = true;
    if (tangled || n_aged > 0)
        good = group_memory_take(&st->groups, m->mem, tangled && u->groups_made ? &u->groups : NULL,
                                 tangled ? n + 1 : 0, age, m->n);
    else
        st->groups.n = 0;
    arena_release(m->scratch, before);
    return good;
}
