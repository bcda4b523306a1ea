/* SPDX-License-Identifier: MIT */
/* Colliders given as meshes: their vertices as part of the state, and their way through a substep.
 *
 * Vertices have a place of their own beside the collider's pose, on the grid of the cloth's positions, because what
 * prevention has tested must be what is stored: a substep begins where the last one ended, also if it was cut short on
 * the way. Within a substep each vertex goes straight from x0 to x1, whatever its pose turns.
 *
 * Invariants: 1. x, start and goal are on the grid and in the world; 2. x changes only when a substep is committed,
 * when a step fails, and by the calls that say so. */
#include <string.h>

#include "sim/check.h"
#include "sim/phases.h"
#include "sim/sim.h"

/* ---- places ------------------------------------------------------------------------------------------------------ */

static double clamp_to(double x, double most)
{
    return x > most ? most : x < -most ? -most : x;
}

/* What keys carry out of the world is drawn to its wall. */
static vec3 vertex_to_grid(const weft_sim_def *def, vec3 x)
{
    double most = 256.0 * (double)(1 << def->world_scale);
    return grid_snap(v3(clamp_to(x.x, most), clamp_to(x.y, most), clamp_to(x.z, most)), def->world_scale);
}

static void pose_vertices(const weft_sim_def *def, const collider_mesh *m, const pose *p, vec3 *out)
{
    for (int32_t vi = 0; vi < m->n_vertices; vi++)
        out[vi] = vertex_to_grid(def, pose_apply(p, m->local[vi]));
}

void sim_mesh_place(const weft_sim *s, sim_collider *c)
{
    pose now = sim_collider_pose(c, s->state.time);
    pose_vertices(&s->def, c->mesh, &now, c->mesh->x);
    c->mesh->measured = false;
}

/* What another build of the keys' times may change by rounding, and no more. */
#define SAME_PLACE 1e-6

bool sim_mesh_is_placed(const weft_sim *s, const sim_collider *c, const vec3 *x)
{
    pose now = sim_collider_pose(c, s->state.time);
    double most = SAME_PLACE * (double)(1 << s->def.world_scale);
    for (int32_t vi = 0; vi < c->mesh->n_vertices; vi++)
        if (v3_max_abs(v3_sub(vertex_to_grid(&s->def, pose_apply(&now, c->mesh->local[vi])), x[vi])) > most)
            return false;
    return true;
}

/* ---- the model --------------------------------------------------------------------------------------------------- */

bool model_mesh_make(model *m)
{
    model_mesh *g = &m->mesh;
    g->n_meshes = m->n_colliders - m->n_analytic;
    for (int32_t i = m->n_analytic; i < m->n_colliders; i++) {
        g->n_nodes += m->collider_owner[i]->mesh->n_vertices;
        g->n_triangles += m->collider_owner[i]->mesh->n_triangles;
    }
    if (!MEM_MAKE(m->mem, g->x0, g->n_nodes) || !MEM_MAKE(m->mem, g->x1, g->n_nodes) ||
        !MEM_MAKE(m->mem, g->node_owner, g->n_nodes) || !MEM_MAKE(m->mem, g->triangles, g->n_triangles) ||
        !MEM_MAKE(m->mem, g->owner, g->n_triangles))
        return false;
    int32_t node = 0, n = 0;
    for (int32_t i = m->n_analytic; i < m->n_colliders; i++) {
        const collider_mesh *c = m->collider_owner[i]->mesh;
        for (int32_t ti = 0; ti < c->n_triangles; ti++, n++) {
            for (int k = 0; k < 3; k++)
                g->triangles[n][k] = node + c->triangles[ti][k];
            g->owner[n] = i;
        }
        for (int32_t vi = 0; vi < c->n_vertices; vi++, node++) {
            g->x0[node] = g->x1[node] = c->x[vi];
            g->node_owner[node] = i;
        }
    }
    return true;
}

void model_mesh_free(model *m)
{
    model_mesh *g = &m->mesh;
    MEM_FREE(m->mem, g->x0, g->n_nodes);
    MEM_FREE(m->mem, g->x1, g->n_nodes);
    MEM_FREE(m->mem, g->node_owner, g->n_nodes);
    MEM_FREE(m->mem, g->triangles, g->n_triangles);
    MEM_FREE(m->mem, g->owner, g->n_triangles);
    *g = (model_mesh){0};
}

/* ---- the step ---------------------------------------------------------------------------------------------------- */

/* Goals are reached at the end of the whole step, in equal parts. */
static void drive_vertices(const weft_sim_def *def, const collider_mesh *c, const substep *sub, vec3 *out)
{
    double fraction = sub->h / (sub->whole - sub->done);
    for (int32_t vi = 0; vi < c->n_vertices; vi++)
        out[vi] = fraction >= 1 ? c->goal[vi]
                                : vertex_to_grid(def, v3_madd(c->x[vi], fraction, v3_sub(c->goal[vi], c->x[vi])));
}

void find_meshes(model *m)
{
    int32_t node = 0;
    for (int32_t i = m->n_analytic; i < m->n_colliders; i++) {
        const collider_mesh *c = m->collider_owner[i]->mesh;
        memcpy(m->mesh.x0 + node, c->x, (size_t)c->n_vertices * sizeof *m->mesh.x0);
        node += c->n_vertices;
    }
}

void move_meshes(model *m, const state *st, const substep *sub)
{
    int32_t node = 0;
    find_meshes(m);
    for (int32_t i = m->n_analytic; i < m->n_colliders; i++) {
        const sim_collider *c = m->collider_owner[i];
        if (c->mesh->driven) {
            drive_vertices(m->def, c->mesh, sub, m->mesh.x1 + node);
        } else {
            pose end = sim_collider_pose(c, st->time + sub->h);
            pose_vertices(m->def, c->mesh, &end, m->mesh.x1 + node);
        }
        node += c->mesh->n_vertices;
    }
}

void commit_meshes(model *m)
{
    int32_t node = 0;
    for (int32_t i = m->n_analytic; i < m->n_colliders; i++) {
        collider_mesh *c = m->collider_owner[i]->mesh;
        memcpy(c->x, m->mesh.x1 + node, (size_t)c->n_vertices * sizeof *c->x);
        c->measured = false;
        node += c->n_vertices;
    }
}

void keep_meshes(model *m)
{
    for (int32_t i = m->n_analytic; i < m->n_colliders; i++) {
        collider_mesh *c = m->collider_owner[i]->mesh;
        memcpy(c->start, c->x, (size_t)c->n_vertices * sizeof *c->x);
    }
}

void return_meshes(model *m)
{
    for (int32_t i = m->n_analytic; i < m->n_colliders; i++) {
        collider_mesh *c = m->collider_owner[i]->mesh;
        memcpy(c->x, c->start, (size_t)c->n_vertices * sizeof *c->x);
        c->measured = false;
    }
}

/* ---- from outside ------------------------------------------------------------------------------------------------ */

/* NULL, and the code for why, if the id is not that of a mesh. */
static collider_mesh *get_mesh(const weft_sim *s, weft_collider_id id, weft_result *r, weft_error *e)
{
    const sim_collider *c = sim_get_collider(s, id, e);
    if (!c)
        *r = sim_missing(s, NULL);
    else if (!c->mesh)
        *r = error_set(e, WEFT_ERROR_ARGUMENT, id.index, "the collider is no mesh and has no vertices");
    return c ? c->mesh : NULL;
}

static weft_result check_array(const char *what, int32_t wanted, const void *array, int32_t n, weft_error *e)
{
    if (array && n == wanted)
        return WEFT_OK;
    return error_set(e, WEFT_ERROR_ARGUMENT, -1, "the mesh has %d %s, there is an array of %d", wanted, what,
                     array ? n : 0);
}

static weft_result check_vertex_positions(const weft_sim *s, const vec3 *x, int32_t n, weft_error *e)
{
    for (int32_t vi = 0; vi < n; vi++) {
        if (!v3_is_finite(x[vi]))
            return error_set(e, WEFT_ERROR_NOT_FINITE, vi, "vertex %d is not finite", vi);
        if (v3_max_abs(x[vi]) > sim_world_limit(s))
            return error_set(e, WEFT_ERROR_RANGE, vi, "vertex %d is (%g, %g, %g), beyond ±%g", vi, x[vi].x, x[vi].y,
                             x[vi].z, sim_world_limit(s));
    }
    return WEFT_OK;
}

static weft_result set_mesh_vertices(weft_sim *s, weft_collider_id id, const weft_vec3 *x, int32_t n, weft_error *e)
{
    weft_result r = WEFT_OK;
    collider_mesh *m = get_mesh(s, id, &r, e);
    if (!m)
        return r;
    r = check_array("vertices", m->n_vertices, x, n, e);
    if (r == WEFT_OK)
        r = check_vertex_positions(s, x, n, e);
    if (r != WEFT_OK)
        return r;
    for (int32_t vi = 0; vi < n; vi++)
        m->goal[vi] = vertex_to_grid(&s->def, x[vi]);
    m->driven = true;
    return WEFT_OK;
}

weft_result weft_collider_set_vertices(weft_sim *s, weft_collider_id id, const weft_vec3 *x, int32_t n, weft_error *e)
{
    weft_result r = sim_enter(s, __func__, e);
    return r < 0 ? r : sim_leave(s, set_mesh_vertices(s, id, x, n, e));
}

static weft_result place_mesh_vertices(weft_sim *s, weft_collider_id id, const weft_vec3 *x, int32_t n, weft_error *e)
{
    weft_result r = set_mesh_vertices(s, id, x, n, e);
    collider_mesh *m = r == WEFT_OK ? get_mesh(s, id, &r, e) : NULL;
    if (!m)
        return r;
    memcpy(m->x, m->goal, (size_t)n * sizeof *m->x);
    m->measured = false;
    tangled_suspect(&s->model);
    return WEFT_OK;
}

weft_result weft_collider_place_vertices(weft_sim *s, weft_collider_id id, const weft_vec3 *x, int32_t n, weft_error *e)
{
    weft_result r = sim_enter(s, __func__, e);
    return r < 0 ? r : sim_leave(s, place_mesh_vertices(s, id, x, n, e));
}

weft_result weft_collider_get_vertices(const weft_sim *s, weft_collider_id id, weft_vec3 *out, int32_t n, weft_error *e)
{
    weft_result r = sim_may_read(s, __func__, e);
    if (r < 0)
        return r;
    const collider_mesh *m = get_mesh(s, id, &r, e);
    if (!m)
        return r;
    r = check_array("vertices", m->n_vertices, out, n, e);
    if (r == WEFT_OK)
        memcpy(out, m->x, (size_t)n * sizeof *out);
    return r;
}

weft_result weft_collider_get_triangles(const weft_sim *s, weft_collider_id id, int32_t *out, int32_t n, weft_error *e)
{
    weft_result r = sim_may_read(s, __func__, e);
    if (r < 0)
        return r;
    const collider_mesh *m = get_mesh(s, id, &r, e);
    if (!m)
        return r;
    r = check_array("triangles", m->n_triangles, out, n, e);
    if (r == WEFT_OK)
        memcpy(out, m->triangles, (size_t)n * sizeof *m->triangles);
    return r;
}

weft_result weft_collider_get_info(const weft_sim *s, weft_collider_id id, weft_collider_info *out, weft_error *e)
{
    weft_result r = sim_may_read(s, __func__, e);
    if (r < 0)
        return r;
    const sim_collider *c = sim_get_collider(s, id, e);
    if (!c)
        return sim_missing(s, NULL);
    if (!out)
        return error_set(e, WEFT_ERROR_ARGUMENT, -1, "nowhere to write to");
    *out = c->mesh ? c->mesh->info : (weft_collider_info){.kind = c->kind};
    if (!c->mesh)
        return WEFT_OK;
    out->moved_by_vertices = c->mesh->driven;
    out->volume = out->closed ? collider_mesh_volume(c->mesh) : 0;
    return WEFT_OK;
}

double sim_mesh_clearance(const weft_sim *s, const sim_collider *c, const cloth *cl)
{
    const vec3 *x = s->state.q + cl->offset;
    double least = HUGE_VAL;
    for (int32_t vi = 0; vi < cl->surface->n_nodes; vi++)
        least = min_of(least, collider_mesh_distance(c->mesh, x[vi]));
    for (int32_t ti = 0; ti < cl->surface->n_triangles && least > 0; ti++) {
        const int32_t *t = cl->surface->triangles[ti].node;
        least = collider_mesh_triangle_distance(c->mesh, (vec3[3]){x[t[0]], x[t[1]], x[t[2]]}, least);
    }
    return least;
}
