/* SPDX-License-Identifier: MIT */
/* Recipes as simulations. */
#include <math.h>
#include <stdlib.h>

#include "attack/scene.h"

enum { MOST_KEYS = 20000 };

static void *allocate(void *user, void *ptr, size_t old_size, size_t new_size)
{
    attack_memory *m = user;
    if (new_size == 0) {
        m->live -= (int64_t)old_size;
        free(ptr);
        return NULL;
    }
    m->calls++;
    if (m->fail_at > 0 && (m->calls == m->fail_at || (m->all && m->calls > m->fail_at)))
        return NULL;
    void *p = realloc(ptr, new_size);
    if (p)
        m->live += (int64_t)new_size - (ptr ? (int64_t)old_size : 0);
    return p;
}

static weft_result make_sim(attack_scene *s, int n_threads, weft_error *e)
{
    const attack_sim *r = &s->recipe.sim;
    weft_sim_def def = weft_sim_def_default();
    def.gravity = (weft_vec3){r->gx, r->gy, r->gz};
    def.wind = (weft_vec3){r->wx, r->wy, r->wz};
    def.integrator = (weft_integrator)r->integrator;
    def.response = (weft_response)r->response;
    def.n_threads = n_threads;
    def.newton_limit = (int32_t)r->newton_limit;
    def.linear_limit = (int32_t)r->linear_limit;
    def.halving_limit = (int32_t)r->halving_limit;
    def.pair_radius = r->pair_radius;
    def.contact_radius = r->contact_radius;
    def.alloc = allocate;
    def.alloc_user = &s->memory;
    return weft_sim_create(&def, &s->sim, e);
}

/* ---- cloths ------------------------------------------------------------------------------------------------------ */

static weft_fabric random_fabric(uint64_t seed)
{
    attack_dice d = attack_dice_of(seed);
    weft_fabric f = weft_fabric_default();
    f.density = attack_dice_ratio(&d, 0.02, 1);
    f.stretch_warp = attack_dice_ratio(&d, 20, 2e4);
    f.stretch_weft = f.stretch_warp * attack_dice_ratio(&d, 0.2, 5);
    f.shear = f.stretch_warp * attack_dice_ratio(&d, 0.01, 0.5);
    f.poisson = attack_dice_chance(&d, 0.3) ? attack_dice_in(&d, 0, 0.5) : 0;
    f.bending_warp = attack_dice_ratio(&d, 1e-8, 1e-3);
    f.bending_weft = f.bending_warp * attack_dice_ratio(&d, 0.3, 3);
    f.damping_stretch = attack_dice_chance(&d, 0.2) ? 0 : attack_dice_ratio(&d, 1e-4, 0.05);
    f.damping_bending = attack_dice_chance(&d, 0.2) ? 0 : attack_dice_ratio(&d, 1e-4, 0.05);
    f.thickness = attack_dice_ratio(&d, 1e-4, 4e-3);
    f.friction = attack_dice_chance(&d, 0.2) ? 0 : attack_dice_in(&d, 0, 1.5);
    f.dissipation = attack_dice_chance(&d, 0.7) ? 0 : attack_dice_in(&d, 0, 1);
    f.stretch_limit = attack_dice_chance(&d, 0.3) ? 0 : 1 + attack_dice_ratio(&d, 0.01, 0.5);
    return f;
}

static weft_fabric fabric_of(const attack_scene *s, int i)
{
    const attack_cloth *c = &s->recipe.cloths[i];
    weft_fabric f = weft_fabric_default();
    if (c->fabric < 0)
        f = random_fabric((uint64_t)s->recipe.sim.seed * 7 + (uint64_t)i);
    else
        weft_fabric_find(weft_fabric_name((int32_t)c->fabric % weft_fabric_count()), &f, NULL);
    if (c->thickness > 0)
        f.thickness = c->thickness;
    return f;
}

static weft_cloth_model model_of(const attack_cloth *c, const weft_fabric *f)
{
    weft_cloth_model m = {.stretch = (weft_stretch_model)c->stretch,
                          .bending = (weft_bending_model)c->bending,
                          .limit = (weft_limit_method)c->limit,
                          .fabrics = f,
                          .n_fabrics = 1};
    if (c->level > 0) {
        m.adapt = weft_adapt_default();
        m.adapt.max_level = (int32_t)c->level;
        m.adapt.node_limit = (int32_t)(2 * c->nu * c->nv);
    }
    return m;
}

/* By its own function; node (0, 0) and the axes are those of the mesh. */
static weft_result make_grid(attack_scene *s, int i, const attack_mesh *m, weft_cloth_model model, weft_error *e)
{
    const attack_cloth *c = &s->recipe.cloths[i];
    weft_grid_def def = weft_grid_def_default();
    weft_vec3 o = m->x[0], u = m->x[(int)c->nu - 1], v = m->x[(int)c->nu * ((int)c->nv - 1)];
    def.n_warp = (int32_t)c->nu;
    def.n_weft = (int32_t)c->nv;
    def.size_warp = c->su;
    def.size_weft = c->sv;
    def.corner = o;
    def.axis_warp = (weft_vec3){u.x - o.x, u.y - o.y, u.z - o.z};
    def.axis_weft = (weft_vec3){v.x - o.x, v.y - o.y, v.z - o.z};
    def.velocity = (weft_vec3){c->vx, c->vy, c->vz};
    def.model = model;
    return weft_cloth_create_grid(s->sim, &def, &s->cloths[i], e);
}

static weft_result make_mesh(attack_scene *s, int i, const attack_mesh *m, weft_cloth_model model, weft_error *e)
{
    const attack_cloth *c = &s->recipe.cloths[i];
    weft_mesh_def def = weft_mesh_def_default();
    weft_vec3 *v = attack_need((size_t)m->n_nodes * sizeof *v);
    for (int32_t k = 0; k < m->n_nodes; k++)
        v[k] = (weft_vec3){c->vx, c->vy, c->vz};
    def.n_nodes = m->n_nodes;
    def.positions = m->x;
    def.velocities = v;
    def.uv = c->kind == ATTACK_TUBE ? NULL : m->uv;
    def.n_triangles = m->n_triangles;
    def.triangles = m->triangles;
    def.n_quads = m->n_quads;
    def.quads = m->quads;
    def.model = model;
    weft_result result = weft_cloth_create_mesh(s->sim, &def, &s->cloths[i], e);
    free(v);
    return result;
}

static weft_result make_cloth(attack_scene *s, int i, weft_error *e)
{
    const attack_cloth *c = &s->recipe.cloths[i];
    weft_fabric f = fabric_of(s, i);
    attack_mesh m = attack_mesh_cloth(c, (uint64_t)s->recipe.sim.seed + (uint64_t)i);
    s->thickness[i] = f.thickness;
    weft_cloth_model model = model_of(c, &f);
    weft_result (*make)(attack_scene *, int, const attack_mesh *, weft_cloth_model, weft_error *) =
        c->kind == ATTACK_GRID ? make_grid : make_mesh;
    weft_result result = make(s, i, &m, model, e);
    /* Springs cannot have every shear in every cell; a membrane can. */
    if (result < 0 && result != WEFT_ERROR_MEMORY && model.stretch == WEFT_STRETCH_SPRINGS) {
        model.stretch = WEFT_STRETCH_MEMBRANE;
        result = make(s, i, &m, model, e);
    }
    attack_mesh_free(&m);
    return result;
}

/* ---- colliders --------------------------------------------------------------------------------------------------- */

static weft_quat quat_of(const attack_collider *c, double time)
{
    double y = 0.5 * c->yaw, t = 0.5 * c->tilt, s = 0.5 * c->spin * time;
    /* yaw about y, then tilt about x, then spin about y, as products from the left */
    weft_quat a = {cos(y) * sin(t), sin(y) * cos(t), -sin(y) * sin(t), cos(y) * cos(t)};
    return (weft_quat){a.x * cos(s) - a.z * sin(s), a.y * cos(s) + a.w * sin(s), a.z * cos(s) + a.x * sin(s),
                       a.w * cos(s) - a.y * sin(s)};
}

static int32_t make_keys(const attack_collider *c, double end, weft_key *keys)
{
    double between = attack_key_time(c);
    int32_t n = 0;
    while (n < MOST_KEYS) {
        double t = between * n;
        attack_pose p = attack_pose_at(c, t);
        keys[n++] = (weft_key){t, {p.position[0], p.position[1], p.position[2]}, quat_of(c, t)};
        if (t >= end || between <= 0)
            break;
    }
    return n;
}

static weft_result make_collider(attack_scene *s, int i, weft_error *e)
{
    const attack_collider *c = &s->recipe.colliders[i];
    weft_collider_def def = weft_collider_def_default();
    attack_mesh m = {.n_nodes = 0};
    weft_key *keys = attack_need(MOST_KEYS * sizeof *keys);
    def.kind = attack_collider_is_mesh(c) ? WEFT_COLLIDER_MESH : (weft_collider_kind)c->kind;
    def.radius = c->size;
    def.height = 2 * c->high;
    def.size = (weft_vec3){2 * c->size, 2 * c->high, 2 * c->size};
    def.position = (weft_vec3){c->x, c->y, c->z};
    def.rotation = quat_of(c, 0);
    def.friction = c->friction;
    if (def.kind == WEFT_COLLIDER_MESH) {
        m = attack_mesh_collider(c);
        def.vertices = m.x;
        def.n_vertices = m.n_nodes;
        def.triangles = m.triangles;
        def.n_triangles = m.n_triangles;
    }
    if (c->motion != ATTACK_STILL && (c->motion == ATTACK_KEYED || def.kind != WEFT_COLLIDER_MESH)) {
        def.keys = keys;
        def.n_keys = make_keys(c, s->recipe.sim.h * (s->recipe.sim.steps + 20), keys);
    }
    weft_result result = weft_collider_create(s->sim, &def, &s->colliders[i], e);
    attack_mesh_free(&m);
    free(keys);
    return result;
}

/* Where vertices are sent: the collider's way, and it breathes. */
static weft_result send_vertices(attack_scene *s, int i, double time, weft_error *e)
{
    const attack_collider *c = &s->recipe.colliders[i];
    attack_mesh m = attack_mesh_collider(c);
    attack_pose p = attack_pose_at(c, time);
    double breath = 1 + 0.1 * sin(6 * time);
    for (int32_t k = 0; k < m.n_nodes; k++)
        m.x[k] = attack_pose_put(&p, (weft_vec3){breath * m.x[k].x, m.x[k].y, breath * m.x[k].z});
    weft_result result = weft_collider_set_vertices(s->sim, s->colliders[i], m.x, m.n_nodes, e);
    attack_mesh_free(&m);
    return result;
}

/* ---- holds and ties ---------------------------------------------------------------------------------------------- */

int32_t attack_hold_nodes(const attack_recipe *r, const attack_hold *h, int32_t *out)
{
    const attack_cloth *c = &r->cloths[(int)h->cloth];
    int32_t nu = (int32_t)c->nu, nv = (int32_t)c->nv, n = 0;
    if (h->nodes == 0 || h->nodes == 2)
        out[n++] = 0;
    if (h->nodes == 2)
        out[n++] = nu - 1;
    for (int32_t i = 0; i < nu && (h->nodes == 1 || h->nodes == 3); i++)
        out[n++] = i;
    for (int32_t i = 0; i < nu && h->nodes == 3; i++)
        out[n++] = nu * (nv - 1) + i;
    return n;
}

static void set_rod(attack_scene *s, const attack_hold *h, weft_attachment_def *def)
{
    attack_mesh m = attack_mesh_cloth(&s->recipe.cloths[(int)h->cloth], 0);
    weft_vec3 a = m.x[0], b = m.x[1];
    def->rod_point = a;
    def->rod_direction = (weft_vec3){b.x - a.x, b.y - a.y, b.z - a.z};
    attack_mesh_free(&m);
}

static weft_result make_hold(attack_scene *s, const attack_hold *h, weft_error *e)
{
    const attack_cloth *c = &s->recipe.cloths[(int)h->cloth];
    weft_attachment_def def = weft_attachment_def_default();
    weft_attachment_id id;
    int32_t *nodes = attack_need((size_t)(2 * c->nu + 2) * sizeof *nodes);
    weft_key *keys = attack_need(MOST_KEYS * sizeof *keys);
    attack_collider way = {.motion = ATTACK_KEYED, .vx = h->vx, .vy = h->vy, .vz = h->vz, .way = h->way};
    def.kind = (weft_attachment_kind)h->kind;
    def.cloth = s->cloths[(int)h->cloth];
    def.nodes = nodes;
    def.n_nodes = attack_hold_nodes(&s->recipe, h, nodes);
    def.stiffness = h->stiffness;
    if (h->kind == WEFT_ATTACH_COLLIDER)
        def.collider = s->colliders[(int)h->collider];
    if (h->kind == WEFT_ATTACH_ROD)
        set_rod(s, h, &def);
    if (h->way > 0 && (h->kind == WEFT_ATTACH_PIN || h->kind == WEFT_ATTACH_SOFT)) {
        def.keys = keys;
        def.n_keys = make_keys(&way, s->recipe.sim.h * (s->recipe.sim.steps + 20), keys);
    }
    weft_result result = weft_attachment_create(s->sim, &def, &id, e);
    free(nodes);
    free(keys);
    return result;
}

static weft_result make_tie(attack_scene *s, int i, weft_error *e)
{
    const attack_tie *t = &s->recipe.ties[i];
    const attack_cloth *a = &s->recipe.cloths[(int)t->a], *b = &s->recipe.cloths[(int)t->b];
    int32_t n = (int32_t)fmin(a->nu, b->nu), first = (int32_t)(a->nu * (a->nv - 1));
    int32_t *rows = attack_need((size_t)n * 2 * sizeof *rows);
    weft_tie_def def = weft_tie_def_default();
    weft_tie_id id;
    for (int32_t k = 0; k < n; k++) {
        rows[k] = first + k;
        rows[n + k] = k;
    }
    def.cloth_a = s->cloths[(int)t->a];
    def.cloth_b = s->cloths[(int)t->b];
    def.nodes_a = rows;
    def.nodes_b = rows + n;
    def.n_pairs = n;
    def.stiffness = t->stiffness;
    def.length = t->length;
    s->tie_nodes[i][0] = first;
    s->tie_nodes[i][1] = 0;
    s->tie_pairs[i] = t->length == 0 ? n : 0;
    weft_result result = weft_tie_create(s->sim, &def, &id, e);
    if (result >= 0 && t->weld != 0)
        result = weft_tie_weld(s->sim, id, 1e-3, e);
    free(rows);
    return result;
}

/* ---- the whole --------------------------------------------------------------------------------------------------- */

weft_result attack_scene_make(attack_scene *s, const attack_recipe *r, int n_threads, int64_t fail_at, weft_error *e)
{
    *s = (attack_scene){.recipe = *r, .memory = {.fail_at = fail_at}};
    weft_result result = make_sim(s, n_threads, e);
    for (int i = 0; result >= 0 && i < r->n_cloths; i++)
        result = make_cloth(s, i, e);
    for (int i = 0; result >= 0 && i < r->n_colliders; i++)
        result = make_collider(s, i, e);
    for (int i = 0; result >= 0 && i < r->n_ties; i++)
        result = make_tie(s, i, e);
    for (int i = 0; result >= 0 && i < r->n_holds; i++)
        result = make_hold(s, &r->holds[i], e);
    return result;
}

void attack_scene_destroy(attack_scene *s)
{
    weft_sim_destroy(s->sim);
    s->sim = NULL;
}

weft_result attack_scene_send(attack_scene *s, weft_error *e)
{
    double end = weft_sim_time(s->sim) + s->recipe.sim.h;
    weft_result result = WEFT_OK;
    for (int i = 0; result >= 0 && i < s->recipe.n_colliders; i++) {
        const attack_collider *c = &s->recipe.colliders[i];
        if (c->motion == ATTACK_VERTICES && attack_collider_is_mesh(c))
            result = send_vertices(s, i, end, e);
    }
    return result;
}

weft_result attack_scene_step(attack_scene *s, weft_step_stats *stats, weft_error *e)
{
    weft_result result = attack_scene_send(s, e);
    return result < 0 ? result : weft_sim_step(s->sim, s->recipe.sim.h, stats, e);
}
