/* SPDX-License-Identifier: MIT */
/* Clamps: which nodes a line of a border may hold, and in which direction the cloth leaves it from step to step. */
#include "sim/clamp.h"

#include "sim/keys.h"
#include "sim/sim.h"

static bool is_of_cloth(const attachment *a, weft_cloth_id id)
{
    return a->cloth.index == id.index && a->cloth.generation == id.generation;
}

/* ---- which nodes may be clamped ---------------------------------------------------------------------------------- */

static bool is_sewn(const definitions *d, weft_cloth_id id, int32_t node)
{
    for (int32_t i = 0; i < d->ties.n; i++) {
        const tie *t = d->ties.items[i].item;
        for (int side = 0; t && t->welded && side < 2; side++) {
            weft_cloth_id of = side == 0 ? t->cloth_a : t->cloth_b;
            const int32_t *nodes = side == 0 ? t->a : t->b;
            for (int32_t k = 0; of.index == id.index && of.generation == id.generation && k < t->n; k++)
                if (nodes[k] == node)
                    return true;
        }
    }
    return false;
}

bool clamp_holds_node(const definitions *d, weft_cloth_id id, int32_t node)
{
    for (int32_t i = 0; i < d->attachments.n; i++) {
        const attachment *a = d->attachments.items[i].item;
        for (int32_t k = 0; a && a->kind == WEFT_ATTACH_CLAMP && is_of_cloth(a, id) && k < a->n; k++)
            if (a->nodes[k] == node)
                return true;
    }
    return false;
}

/* What is known of a node of the cloth. */
enum { CLAMP_NAMED = 1, CLAMP_BORDER = 2, CLAMP_LINE = 4 };

static void mark_lines(const surface *f, uint8_t *marks)
{
    for (int32_t i = 0; i < f->n_edges; i++) {
        int32_t a = f->edges[i].node[0], b = f->edges[i].node[1];
        if (!surface_is_border(f, i))
            continue;
        uint8_t line = marks[a] & marks[b] & CLAMP_NAMED ? CLAMP_BORDER | CLAMP_LINE : CLAMP_BORDER;
        marks[a] |= line;
        marks[b] |= line;
    }
}

static vec3 normal_sum(const surface *f, const vec3 *q, int32_t node)
{
    vec3 sum = v3_zero();
    for (int32_t ti = 0; ti < f->n_triangles; ti++) {
        const int32_t *n = f->triangles[ti].node;
        if (n[0] == node || n[1] == node || n[2] == node)
            sum = v3_add(sum, v3_cross(v3_sub(q[n[1]], q[n[0]]), v3_sub(q[n[2]], q[n[0]])));
    }
    return sum;
}

static weft_result check_line(const weft_sim *s, weft_cloth_id id, const uint8_t *marks, const int32_t *nodes,
                              int32_t n, weft_error *e)
{
    const cloth *c = sim_get_cloth(s, id, NULL);
    for (int32_t i = 0; i < n; i++) {
        int32_t vi = nodes[i];
        if (!(marks[vi] & CLAMP_BORDER))
            return error_set(e, WEFT_ERROR_ARGUMENT, vi,
                             "node %d is not on the cloth's border: a clamp holds a line of border nodes, a pin any",
                             vi);
        if (!(marks[vi] & CLAMP_LINE))
            return error_set(e, WEFT_ERROR_ARGUMENT, vi,
                             "node %d is alone: a clamp holds a line of border nodes, and none of its neighbours along "
                             "the border is among them; use a pin",
                             vi);
        if (is_sewn(&s->defs, id, vi))
            return error_set(e, WEFT_ERROR_ARGUMENT, vi,
                             "node %d is sewn to another: a clamp holds a free border; use a pin", vi);
        if (!(v3_len_sq(normal_sum(c->surface, s->state.q + c->offset, vi)) > 0))
            return error_set(e, WEFT_ERROR_DEGENERATE, vi,
                             "node %d: the faces there have no area now, and so no direction to hold", vi);
    }
    return WEFT_OK;
}

weft_result clamp_check(const weft_sim *s, weft_cloth_id id, const int32_t *nodes, int32_t n, weft_error *e)
{
    const surface *f = sim_get_cloth(s, id, NULL)->surface;
    mem *m = f->mem;
    uint8_t *marks = mem_array(m, f->n_nodes, sizeof *marks);
    if (!marks)
        return error_memory(e);
    for (int32_t i = 0; i < n; i++)
        marks[nodes[i]] = CLAMP_NAMED;
    mark_lines(f, marks);
    weft_result r = check_line(s, id, marks, nodes, n, e);
    mem_free(m, marks, f->n_nodes, sizeof *marks);
    return r;
}

/* ---- directions -------------------------------------------------------------------------------------------------- */

static vec3 turned_by_keys(const attachment *a, vec3 n, double time)
{
    if (a->keys.n == 0)
        return n;
    pose first = keys_at(&a->keys, a->keys.items[0].time), now = keys_at(&a->keys, time);
    return m3_mul_v(now.r, pose_unrotate(&first, n));
}

void clamp_catch(const definitions *d, attachment *a, const vec3 *q, double time)
{
    const cloth *c = definitions_cloth(d, a->cloth);
    for (int32_t k = 0; k < a->n; k++) {
        vec3 n = v3_unit_or(normal_sum(c->surface, q + c->offset, a->nodes[k]), v3(0, 1, 0));
        if (a->keys.n > 0 && a->catches) {
            pose first = keys_at(&a->keys, a->keys.items[0].time), now = keys_at(&a->keys, time);
            n = m3_mul_v(first.r, pose_unrotate(&now, n));
        }
        a->normals[k] = n;
    }
}

/* ---- elements ---------------------------------------------------------------------------------------------------- */

/* Nodes of the cloth that a clamp holds, and their normals. */
static void mark_clamped(const model *m, int32_t owner, const cloth *c, bool *held, vec3 *normal)
{
    const attachment *a = m->defs->attachments.items[owner].item;
    for (int32_t k = 0; k < a->n; k++) {
        held[a->nodes[k]] = true;
        normal[a->nodes[k]] = a->normals[k];
    }
    for (int32_t i = 0; i < m->n_between; i++) {
        const held_between *b = &m->between[i];
        if (b->owner != owner)
            continue;
        int32_t p = b->end[0] - c->offset, q = b->end[1] - c->offset;
        held[b->node - c->offset] = true;
        normal[b->node - c->offset] = v3_unit_or(v3_add(normal[p], normal[q]), normal[p]);
    }
}

static void take_normals(model *m, int32_t owner, const cloth *c, const vec3 *normal)
{
    clamp_element *all = m->forces.list[FORCE_CLAMP].items;
    for (int32_t i = 0; i < m->forces.list[FORCE_CLAMP].n; i++) {
        const int32_t *n = all[i].node;
        if (all[i].owner == owner)
            all[i].normal = v3_add(normal[n[0] - c->offset], normal[n[1] - c->offset]);
    }
}

static bool visit_clamp(model *m, int32_t owner, bool make)
{
    const attachment *a = m->defs->attachments.items[owner].item;
    const cloth *c = definitions_cloth(m->defs, a->cloth);
    int32_t n = c->surface->n_nodes, first = m->forces.list[FORCE_CLAMP].n;
    bool *held = mem_array(m->mem, n, sizeof *held);
    vec3 *normal = mem_array(m->mem, n, sizeof *normal);
    bool ok = held && normal;
    if (ok) {
        mark_clamped(m, owner, c, held, normal);
        ok = !make || forces_add_clamp(&m->forces, c->surface, &c->material, c->offset, held);
        clamp_element *all = m->forces.list[FORCE_CLAMP].items;
        for (int32_t i = first; i < m->forces.list[FORCE_CLAMP].n; i++)
            all[i].owner = owner;
        take_normals(m, owner, c, normal);
    }
    mem_free(m->mem, held, n, sizeof *held);
    mem_free(m->mem, normal, n, sizeof *normal);
    return ok;
}

bool clamps_take_normals(model *m, int32_t owner)
{
    return visit_clamp(m, owner, false);
}

bool clamps_make(model *m)
{
    for (int32_t i = 0; i < m->defs->attachments.n; i++) {
        const attachment *a = m->defs->attachments.items[i].item;
        if (a && a->kind == WEFT_ATTACH_CLAMP && !visit_clamp(m, i, true))
            return false;
    }
    return true;
}

/* ---- a substep --------------------------------------------------------------------------------------------------- */

/* Where the line is at q. False: it has no direction there. */
static bool place_frame(const attachment *a, const clamp_element *e, const vec3 *q, double time, clamp_par *out)
{
    vec3 line = v3_unit_or(v3_sub(q[e->node[1]], q[e->node[0]]), v3_zero());
    vec3 n = turned_by_keys(a, e->normal, time);
    out->normal = v3_unit_or(v3_madd(n, -v3_dot(n, line), line), v3_zero());
    out->along = v3_cross(out->normal, line);
    return v3_len_sq(out->along) > 0;
}

void clamps_turn(model *m, double end)
{
    clamp_element *all = m->forces.list[FORCE_CLAMP].items;
    for (int32_t i = 0; i < m->forces.list[FORCE_CLAMP].n; i++) {
        clamp_element *e = &all[i];
        const attachment *a = m->defs->attachments.items[e->owner].item;
        e->par.k = a->holds && place_frame(a, e, m->q1, end, &e->par) ? e->k : 0;
    }
}

static double angle_then(const attachment *a, const clamp_element *e, const vec3 *q, double time)
{
    clamp_par p = e->par;
    vec3 x[3] = {q[e->node[0]], q[e->node[1]], q[e->node[2]]};
    return place_frame(a, e, q, time, &p) ? clamp_angle(x, &p) : 0;
}

void clamps_prepare(model *m, const state *st, bool two, double rate)
{
    clamp_element *all = m->forces.list[FORCE_CLAMP].items;
    for (int32_t i = 0; i < m->forces.list[FORCE_CLAMP].n; i++) {
        clamp_element *e = &all[i];
        const attachment *a = m->defs->attachments.items[e->owner].item;
        double now = angle_then(a, e, st->q, st->time);
        e->par.drag = e->time * rate;
        e->par.past = two ? (4 * now - angle_then(a, e, st->q_past, st->time - st->last_h)) / 3 : now;
    }
}
