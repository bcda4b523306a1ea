/* SPDX-License-Identifier: MIT */
/* Cloths: reading their data and setting it. */
#include <assert.h>
#include <string.h>

#include "mesh/corner_area.h"
#include "sim/check.h"
#include "sim/adapt.h"
#include "sim/phases.h"
#include "sim/sim.h"

weft_result weft_cloth_get_info(const weft_sim *s, weft_cloth_id id, weft_cloth_info *out, weft_error *e)
{
    weft_result r = sim_may_read(s, __func__, e);
    if (r < 0)
        return r;
    const cloth *c = sim_get_cloth(s, id, e);
    if (!c)
        return sim_missing(s, NULL);
    if (!out)
        return error_set(e, WEFT_ERROR_ARGUMENT, -1, "nowhere to write to");
    const surface *f = c->surface;
    *out = (weft_cloth_info){
        .n_nodes = f->n_nodes, .n_triangles = f->n_triangles, .n_faces = f->n_elements, .revision = f->revision};
    for (int32_t vi = 0; vi < f->n_nodes; vi++)
        out->n_active += f->rows[vi].dof[1] < 0;
    for (int32_t ei = 0; ei < f->n_elements; ei++)
        out->level = f->elements[ei].level > out->level ? f->elements[ei].level : out->level;
    for (int32_t ti = 0; ti < f->n_triangles; ti++) {
        double area = surface_area(f, ti);
        out->area += area;
        out->mass += area * c->fabrics[f->elements[f->triangles[ti].element].fabric].density;
    }
    for (int32_t vi = 0; c->node_mass && vi < f->n_nodes; vi++)
        out->mass += c->node_mass[vi];
    for (int32_t i = 0; i < f->n_edges; i++)
        out->edge_length += surface_rest_length(f, f->edges[i].node[0], f->edges[i].node[1]) / f->n_edges;
    if (f->n_elements > 0)
        forces_poisson(f, &c->material, 0, &out->poisson_warp, &out->poisson_weft);
    return WEFT_OK;
}

/* The cloth, if `function` may read now, it is there and `n` places are enough for `wanted` items. */
static const cloth *readable(const weft_sim *s, const char *function, weft_cloth_id id, const void *out, int32_t n,
                             bool triangles, weft_result *r, weft_error *e)
{
    *r = sim_may_read(s, function, e);
    if (*r < 0)
        return NULL;
    const cloth *c = sim_get_cloth(s, id, e);
    *r = c ? WEFT_OK : sim_missing(s, NULL);
    if (!c)
        return NULL;
    int32_t wanted = triangles ? c->surface->n_triangles : c->surface->n_nodes;
    if (!out || n < wanted) {
        *r = error_set(e, WEFT_ERROR_ARGUMENT, -1, "room for %d items is needed, there is %d", wanted, out ? n : 0);
        return NULL;
    }
    return c;
}

/* The same for vectors at a stride. */
static const cloth *readable_vectors(const weft_sim *s, const char *function, weft_cloth_id id, const vec3 *out,
                                     int32_t n, size_t stride, weft_result *r, weft_error *e)
{
    const cloth *c = readable(s, function, id, out, n, false, r, e);
    if (!c || stride == 0 || stride >= sizeof *out)
        return c;
    *r = error_set(e, WEFT_ERROR_ARGUMENT, -1, "the stride of %llu bytes is less than an item's %llu",
                   (unsigned long long)stride, (unsigned long long)sizeof *out);
    return NULL;
}

static void copy_strided(vec3 *out, size_t stride, const vec3 *in, int32_t n)
{
    for (int32_t i = 0; i < n; i++)
        memcpy((char *)out + (size_t)i * (stride ? stride : sizeof *out), &in[i], sizeof *in);
}

weft_result weft_cloth_get_positions(const weft_sim *s, weft_cloth_id id, weft_vec3 *out, int32_t n, size_t stride,
                                     weft_error *e)
{
    weft_result r;
    const cloth *c = readable_vectors(s, __func__, id, out, n, stride, &r, e);
    if (c)
        copy_strided(out, stride, s->state.q + c->offset, c->surface->n_nodes);
    return r;
}

weft_result weft_cloth_get_velocities(const weft_sim *s, weft_cloth_id id, weft_vec3 *out, int32_t n, size_t stride,
                                      weft_error *e)
{
    weft_result r;
    const cloth *c = readable_vectors(s, __func__, id, out, n, stride, &r, e);
    if (c)
        copy_strided(out, stride, s->state.v + c->offset, c->surface->n_nodes);
    return r;
}

static void *strided(vec3 *out, size_t stride, int32_t i)
{
    return (char *)out + (size_t)i * (stride ? stride : sizeof *out);
}

/* By memcpy, since a stride need not keep vectors aligned. */
static void add_strided(void *at, vec3 a)
{
    vec3 sum;
    memcpy(&sum, at, sizeof sum);
    sum = v3_add(sum, a);
    memcpy(at, &sum, sizeof sum);
}

static void make_unit(void *at)
{
    vec3 v;
    memcpy(&v, at, sizeof v);
    v = v3_unit_or(v, v3_zero());
    memcpy(at, &v, sizeof v);
}

weft_result weft_cloth_get_normals(const weft_sim *s, weft_cloth_id id, weft_vec3 *out, int32_t n, size_t stride,
                                   weft_error *e)
{
    weft_result r;
    const cloth *c = readable_vectors(s, __func__, id, out, n, stride, &r, e);
    if (!c)
        return r;
    const vec3 *x = s->state.q + c->offset;
    for (int32_t i = 0; i < c->surface->n_nodes; i++)
        memset(strided(out, stride, i), 0, sizeof *out);
    for (int32_t ti = 0; ti < c->surface->n_triangles; ti++) {
        const int32_t *t = c->surface->triangles[ti].node;
        vec3 a = v3_cross(v3_sub(x[t[1]], x[t[0]]), v3_sub(x[t[2]], x[t[0]]));
        for (int j = 0; j < 3; j++)
            add_strided(strided(out, stride, t[j]), a);
    }
    for (int32_t i = 0; i < c->surface->n_nodes; i++)
        make_unit(strided(out, stride, i));
    return WEFT_OK;
}

/* ---- the same as floats ------------------------------------------------------------------------------------------ */

static const cloth *readable_floats(const weft_sim *s, const char *function, weft_cloth_id id, const float *out,
                                    int32_t n, size_t stride, weft_result *r, weft_error *e)
{
    const cloth *c = readable(s, function, id, out, n, false, r, e);
    if (!c || stride == 0 || stride >= 3 * sizeof *out)
        return c;
    *r = error_set(e, WEFT_ERROR_ARGUMENT, -1, "the stride of %llu bytes is less than an item's %llu",
                   (unsigned long long)stride, (unsigned long long)(3 * sizeof *out));
    return NULL;
}

static void put_float(float *out, size_t stride, int32_t i, vec3 v)
{
    const float f[3] = {(float)v.x, (float)v.y, (float)v.z};
    memcpy((char *)out + (size_t)i * (stride ? stride : sizeof f), f, sizeof f);
}

weft_result weft_cloth_get_positions_float(const weft_sim *s, weft_cloth_id id, float *out, int32_t n, size_t stride,
                                           weft_error *e)
{
    weft_result r;
    const cloth *c = readable_floats(s, __func__, id, out, n, stride, &r, e);
    for (int32_t i = 0; c && i < c->surface->n_nodes; i++)
        put_float(out, stride, i, s->state.q[c->offset + i]);
    return r;
}

weft_result weft_cloth_get_velocities_float(const weft_sim *s, weft_cloth_id id, float *out, int32_t n, size_t stride,
                                            weft_error *e)
{
    weft_result r;
    const cloth *c = readable_floats(s, __func__, id, out, n, stride, &r, e);
    for (int32_t i = 0; c && i < c->surface->n_nodes; i++)
        put_float(out, stride, i, s->state.v[c->offset + i]);
    return r;
}

/* Areas are summed as floats, relative to 1 m² of the largest: normals are directions, good to some 1e-6. */
weft_result weft_cloth_get_normals_float(const weft_sim *s, weft_cloth_id id, float *out, int32_t n, size_t stride,
                                         weft_error *e)
{
    weft_result r;
    const cloth *c = readable_floats(s, __func__, id, out, n, stride, &r, e);
    if (!c)
        return r;
    const vec3 *x = s->state.q + c->offset;
    size_t step = stride ? stride : 3 * sizeof *out;
    for (int32_t i = 0; i < c->surface->n_nodes; i++)
        put_float(out, stride, i, v3_zero());
    for (int32_t ti = 0; ti < c->surface->n_triangles; ti++) {
        const int32_t *t = c->surface->triangles[ti].node;
        vec3 a = v3_cross(v3_sub(x[t[1]], x[t[0]]), v3_sub(x[t[2]], x[t[0]]));
        for (int j = 0; j < 3; j++) {
            float f[3];
            memcpy(f, (char *)out + (size_t)t[j] * step, sizeof f);
            put_float(out, stride, t[j], v3_add(v3((double)f[0], (double)f[1], (double)f[2]), a));
        }
    }
    for (int32_t i = 0; i < c->surface->n_nodes; i++) {
        float f[3];
        memcpy(f, (char *)out + (size_t)i * step, sizeof f);
        put_float(out, stride, i, v3_unit_or(v3((double)f[0], (double)f[1], (double)f[2]), v3_zero()));
    }
    return WEFT_OK;
}

weft_result weft_cloth_get_masses(const weft_sim *s, weft_cloth_id id, double *out, int32_t n, weft_error *e)
{
    weft_result r;
    const cloth *c = readable(s, __func__, id, out, n, false, &r, e);
    if (!c)
        return r;
    const surface *f = c->surface;
    for (int32_t i = 0; i < f->n_nodes; i++)
        out[i] = c->node_mass ? c->node_mass[i] : 0;
    for (int32_t ei = 0; ei < f->n_elements; ei++) {
        double area[4];
        surface_corner_areas(f, ei, area);
        for (int j = 0; j < f->elements[ei].n; j++)
            out[f->elements[ei].node[j]] += area[j] * c->fabrics[f->elements[ei].fabric].density;
    }
    return WEFT_OK;
}

weft_result weft_cloth_get_uv(const weft_sim *s, weft_cloth_id id, weft_vec2 *out, int32_t n, weft_error *e)
{
    weft_result r;
    const cloth *c = readable(s, __func__, id, out, n, false, &r, e);
    if (c && !c->surface->uv)
        return error_set(e, WEFT_ERROR_NOT_FOUND, -1,
                         "this cloth has no material coordinates: its rest shape is a 3D mesh");
    if (c)
        memcpy(out, c->surface->uv, (size_t)c->surface->n_nodes * sizeof *out);
    return r;
}

weft_result weft_cloth_get_triangles(const weft_sim *s, weft_cloth_id id, int32_t *out, int32_t n, weft_error *e)
{
    weft_result r;
    const cloth *c = readable(s, __func__, id, out, n, true, &r, e);
    for (int32_t ti = 0; c && ti < c->surface->n_triangles; ti++)
        memcpy(out + 3 * (int64_t)ti, c->surface->triangles[ti].node, 3 * sizeof *out);
    return r;
}

weft_result weft_cloth_get_levels(const weft_sim *s, weft_cloth_id id, uint8_t *out, int32_t n, weft_error *e)
{
    weft_result r;
    const cloth *c = readable(s, __func__, id, out, n, true, &r, e);
    for (int32_t ti = 0; c && ti < c->surface->n_triangles; ti++)
        out[ti] = (uint8_t)c->surface->elements[c->surface->triangles[ti].element].level;
    return r;
}

weft_result weft_cloth_get_panels(const weft_sim *s, weft_cloth_id id, int32_t *out, int32_t n, weft_error *e)
{
    weft_result r;
    const cloth *c = readable(s, __func__, id, out, n, true, &r, e);
    for (int32_t ti = 0; c && ti < c->surface->n_triangles; ti++)
        out[ti] = c->surface->elements[c->surface->triangles[ti].element].panel;
    return r;
}

/* Diagonals are drawn only: the springs along them are no edges. */
weft_result weft_cloth_get_rest_lengths(const weft_sim *s, weft_cloth_id id, double *out, int32_t n, weft_error *e)
{
    weft_result r;
    const cloth *c = readable(s, __func__, id, out, n, true, &r, e);
    for (int32_t ti = 0; c && ti < c->surface->n_triangles; ti++) {
        const triangle *t = &c->surface->triangles[ti];
        for (int j = 0; j < 3; j++) {
            int32_t over = t->neighbour[(j + 2) % 3];
            bool drawn_only = over >= 0 && c->surface->triangles[over].element == t->element;
            out[3 * (int64_t)ti + j] =
                drawn_only ? 0 : surface_rest_length(c->surface, t->node[j], t->node[(j + 1) % 3]);
        }
    }
    return r;
}

static weft_result writable(weft_sim *s, weft_cloth_id id, const char *what, const vec3 *in, int32_t n, double most,
                            cloth **c, weft_error *e)
{
    *c = sim_get_cloth(s, id, e);
    if (!*c)
        return sim_missing(s, NULL);
    if (!in || n != (*c)->surface->n_nodes)
        return error_set(e, WEFT_ERROR_ARGUMENT, -1, "%d items are needed, one a node, there are %d",
                         (*c)->surface->n_nodes, in ? n : 0);
    return check_vectors(what, in, n, most, e);
}

/* The past is no longer that of this state. */
static void forget(weft_sim *s, const cloth *c)
{
    for (int32_t k = c->offset; k < c->offset + c->surface->n_nodes; k++) {
        s->state.q_past[k] = s->state.q[k];
        s->state.v_past[k] = s->state.v[k];
        s->state.accel[k] = v3_zero();
        s->state.memory[k] = (contact_memory){.owner = CONTACT_OWNER_NONE};
        s->state.restart[k] = 1;
    }
    if (c->n_tilts > 0)
        memset(s->state.tilt + c->tilt_offset, 0, (size_t)c->n_tilts * sizeof *s->state.tilt);
    s->state.last_h = 0;
}

static weft_result set_cloth_positions(weft_sim *s, weft_cloth_id id, const weft_vec3 *in, int32_t n, weft_error *e)
{
    cloth *c;
    weft_result r = writable(s, id, "position", in, n, s ? sim_world_limit(s) : 0, &c, e);
    if (r != WEFT_OK)
        return r;
    assert(s);
    for (int32_t i = 0; i < n; i++)
        s->state.q[c->offset + i] = grid_snap(in[i], s->def.world_scale);
    follow_parents(&s->model, s->state.q);
    tangled_suspect(&s->model);
    forget(s, c);
    return WEFT_OK;
}

weft_result weft_cloth_set_positions(weft_sim *s, weft_cloth_id id, const weft_vec3 *in, int32_t n, weft_error *e)
{
    weft_result r = sim_enter(s, __func__, e);
    return r < 0 ? r : sim_leave(s, set_cloth_positions(s, id, in, n, e));
}

static weft_result set_cloth_velocities(weft_sim *s, weft_cloth_id id, const weft_vec3 *in, int32_t n, weft_error *e)
{
    cloth *c;
    weft_result r = writable(s, id, "velocity", in, n, 1e4, &c, e);
    if (r != WEFT_OK)
        return r;
    for (int32_t i = 0; i < n; i++)
        s->state.v[c->offset + i] = in[i];
    follow_parents(&s->model, s->state.v);
    forget(s, c);
    return WEFT_OK;
}

weft_result weft_cloth_set_velocities(weft_sim *s, weft_cloth_id id, const weft_vec3 *in, int32_t n, weft_error *e)
{
    weft_result r = sim_enter(s, __func__, e);
    return r < 0 ? r : sim_leave(s, set_cloth_velocities(s, id, in, n, e));
}

/* ---- fabrics ----------------------------------------------------------------------------------------------------- */

static weft_result check_fabric_number(const cloth *c, int32_t fabric, const void *there, weft_error *e)
{
    if (!there)
        return error_set(e, WEFT_ERROR_ARGUMENT, -1, "there is no fabric: it is NULL");
    if (fabric < 0 || fabric >= c->n_fabrics)
        return error_set(e, WEFT_ERROR_INDEX, fabric, "fabric %d does not exist, the cloth has %d", fabric,
                         c->n_fabrics);
    return WEFT_OK;
}

static weft_result set_cloth_fabric(weft_sim *s, weft_cloth_id id, int32_t fabric, const weft_fabric *in, weft_error *e)
{
    cloth *c = sim_get_cloth(s, id, e);
    if (!c)
        return sim_missing(s, NULL);
    weft_result r = check_fabric_number(c, fabric, in, e);
    if (r == WEFT_OK)
        r = weft_fabric_check(in, e);
    if (r != WEFT_OK)
        return r;
    c->fabrics[fabric] = *in;
    model_invalidate(&s->model);
    sim_tell_model(s, c, id.index);
    return WEFT_OK;
}

weft_result weft_cloth_set_fabric(weft_sim *s, weft_cloth_id id, int32_t fabric, const weft_fabric *in, weft_error *e)
{
    weft_result r = sim_enter(s, __func__, e);
    return r < 0 ? r : sim_leave(s, set_cloth_fabric(s, id, fabric, in, e));
}

weft_result weft_cloth_get_fabric(const weft_sim *s, weft_cloth_id id, int32_t fabric, weft_fabric *out, weft_error *e)
{
    weft_result r = sim_may_read(s, __func__, e);
    if (r < 0)
        return r;
    const cloth *c = sim_get_cloth(s, id, e);
    if (!c)
        return sim_missing(s, NULL);
    r = check_fabric_number(c, fabric, out, e);
    if (r == WEFT_OK)
        *out = c->fabrics[fabric];
    return r;
}
