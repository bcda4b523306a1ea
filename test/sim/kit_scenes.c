/* SPDX-License-Identifier: MIT */
#include "sim/kit_scenes.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

/* Damping that explicit steps can bear. */
static weft_fabric plain(void)
{
    weft_fabric f = weft_fabric_default();
    f.damping_stretch = 1e-4;
    f.dissipation = 0.3;
    return f;
}

static weft_attachment_def attachment(weft_cloth_id id, weft_attachment_kind kind, const int32_t *nodes, int32_t n)
{
    weft_attachment_def d = weft_attachment_def_default();
    d.kind = kind;
    d.cloth = id;
    d.nodes = nodes;
    d.n_nodes = n;
    return d;
}

static weft_attachment_id attach(weft_sim *sim, const weft_attachment_def *d)
{
    weft_error e = {0};
    weft_attachment_id id = {0};
    kit_must(weft_attachment_create(sim, d, &id, &e), &e);
    return id;
}

static weft_collider_id collide(weft_sim *sim, const weft_collider_def *d)
{
    weft_error e = {0};
    weft_collider_id id = {0};
    kit_must(weft_collider_create(sim, d, &id, &e), &e);
    return id;
}

static weft_cloth_id sheet(weft_sim *sim, const weft_grid_def *d)
{
    weft_error e = {0};
    weft_cloth_id id = {0};
    kit_must(weft_cloth_create_grid(sim, d, &id, &e), &e);
    return id;
}

/* Springs and beams, falling onto a ball off its centre and onto the floor. */
static void build_ball(weft_sim *sim)
{
    weft_fabric f = plain();
    weft_grid_def d = kit_grid_def(18, 0.4, 0, 0.151);
    d.velocity = (weft_vec3){0, -1, 0};
    d.model.fabrics = &f;
    d.model.n_fabrics = 1;
    sheet(sim, &d);
    kit_sphere(sim, 0.15, (weft_vec3){0.18, 0, -0.21});
    weft_collider_def floor = weft_collider_def_default();
    floor.position.y = 0.05;
    collide(sim, &floor);
}

/* Membrane and curvature tensor on triangles at random, two corners pinned, in a wind. */
static void build_flag(weft_sim *sim)
{
    kit_mesh m = kit_patch(15, 18, 0.3, 0.36, 0, 0.2, 4);
    weft_fabric f = plain();
    weft_mesh_def d = kit_mesh_def(&m);
    d.model.stretch = WEFT_STRETCH_MEMBRANE;
    d.model.fabrics = &f;
    d.model.n_fabrics = 1;
    f.poisson = 0.3;
    f.bending_warp = 2e-5;
    weft_cloth_id id = kit_cloth(sim, &d);
    int32_t corners[2] = {0, 14};
    kit_pin(sim, id, 2, corners);
    kit_must(weft_sim_set_wind(sim, (weft_vec3){1, 0.5, 3}, NULL), NULL);
    kit_mesh_free(&m);
}

/* A row of nodes slides along a steep rod with friction; quads by membrane, plain hinges. */
static void build_rod(weft_sim *sim)
{
    weft_fabric f = plain();
    weft_grid_def d = kit_grid_def(16, 0.3, 0, 0.3);
    d.axis_warp = (weft_vec3){2, 1, 0};
    d.model.fabrics = &f;
    d.model.n_fabrics = 1;
    d.model.stretch = WEFT_STRETCH_MEMBRANE;
    d.model.bending = WEFT_BENDING_HINGES;
    weft_cloth_id id = sheet(sim, &d);
    int32_t nodes[4] = {0, 5, 10, 15};
    weft_attachment_def rod = attachment(id, WEFT_ATTACH_ROD, nodes, 4);
    rod.rod_point = (weft_vec3){0, 0.3, 0};
    rod.rod_direction = (weft_vec3){2, 1, 0};
    rod.rod_friction = 0.3;
    attach(sim, &rod);
    kit_sphere(sim, 0.1, (weft_vec3){0.15, 0.2, -0.15});
}

/* A closed balloon under pressure, softly pinned, tied to a sheet, in a wind. */
static void build_balloon(weft_sim *sim)
{
    kit_mesh m = kit_icosphere(2, 0.1);
    weft_fabric f = plain();
    weft_mesh_def d = kit_mesh_def(&m);
    d.model.fabrics = &f;
    d.model.n_fabrics = 1;
    d.model.pressure = 40;
    weft_cloth_id balloon = kit_cloth(sim, &d);
    weft_grid_def g = kit_grid_def(13, 0.2, -0.1, -0.15);
    g.model.fabrics = &f;
    g.model.n_fabrics = 1;
    weft_cloth_id below = sheet(sim, &g);
    int32_t held[3] = {0, 1, 7}, a[2] = {2, 3}, b[2] = {0, 168};
    weft_attachment_def soft = attachment(balloon, WEFT_ATTACH_SOFT, held, 3);
    soft.stiffness = 5;
    soft.weights = (double[3]){1, 2, 0.5};
    attach(sim, &soft);
    weft_tie_def t = weft_tie_def_default();
    t.cloth_a = balloon;
    t.cloth_b = below;
    t.nodes_a = a;
    t.nodes_b = b;
    t.n_pairs = 2;
    t.stiffness = 0.5;
    t.length = 0.05;
    t.damping = 1e-3;
    weft_tie_id tie;
    kit_must(weft_tie_create(sim, &t, &tie, NULL), NULL);
    kit_must(weft_sim_set_wind(sim, (weft_vec3){2, 0, 0.3}, NULL), NULL);
    kit_mesh_free(&m);
}

/* Quads and triangles mixed, Provot's limit, on a turning box and a capsule, one corner carried by the box, one moved
 * by keys. */
static void build_carried(weft_sim *sim)
{
    static const weft_key keys[3] = {{0, {0.15, 0, -0.1}, {0, 0, 0, 1}},
                                     {0.3, {0.16, 0.02, -0.1}, {0, 0.3, 0, 1}},
                                     {1, {0.1, 0.02, -0.12}, {0.1, -0.3, 0, 1}}};
    kit_mesh m = kit_patch(17, 14, 0.34, 0.26, 0.6, 0.15, 11);
    weft_fabric f = plain();
    weft_mesh_def d = kit_mesh_def(&m);
    for (int32_t i = 0; i < m.n_nodes; i++)
        m.x[i].y = 0.055;
    d.model.fabrics = &f;
    d.model.n_fabrics = 1;
    d.model.limit = WEFT_LIMIT_PROVOT;
    weft_cloth_id id = kit_cloth(sim, &d);
    weft_collider_def box = weft_collider_def_default();
    box.kind = WEFT_COLLIDER_BOX;
    box.size = (weft_vec3){0.2, 0.1, 0.15};
    box.keys = keys;
    box.n_keys = 3;
    weft_collider_id carrier = collide(sim, &box);
    weft_collider_def capsule = weft_collider_def_default();
    capsule.kind = WEFT_COLLIDER_CAPSULE;
    capsule.radius = 0.04;
    capsule.height = 0.2;
    capsule.position = (weft_vec3){0.3, 0, -0.1};
    capsule.rotation = (weft_quat){1, 0, 0, 1};
    collide(sim, &capsule);
    int32_t carried = 0, moved = 16;
    weft_attachment_def on_box = attachment(id, WEFT_ATTACH_COLLIDER, &carried, 1);
    on_box.collider = carrier;
    attach(sim, &on_box);
    weft_attachment_def pin = attachment(id, WEFT_ATTACH_PIN, &moved, 1);
    static const weft_key path[2] = {{0, {0, 0, 0}, {0, 0, 0, 1}}, {0.5, {-0.02, 0.05, 0}, {0, 0.1, 0, 1}}};
    pin.keys = path;
    pin.n_keys = 2;
    attach(sim, &pin);
    kit_mesh_free(&m);
}

/* Stripes of two fabrics, falling askew on a tilted round table; Villard's law. */
static void build_table(weft_sim *sim)
{
    weft_fabric f[2] = {plain(), plain()};
    int32_t face_fabric[15 * 15];
    for (int32_t i = 0; i < 15 * 15; i++)
        face_fabric[i] = i / 15 % 2;
    f[1].stretch_warp = 200;
    f[1].friction = 0.1;
    f[1].density = 0.3;
    weft_grid_def d = kit_grid_def(16, 0.3, -0.15, 0.1);
    d.corner.z = 0.15;
    d.velocity = (weft_vec3){0.5, -1, 0};
    d.model.fabrics = f;
    d.model.n_fabrics = 2;
    d.model.face_fabric = face_fabric;
    d.model.law = WEFT_LAW_VILLARD;
    sheet(sim, &d);
    weft_collider_def table = weft_collider_def_default();
    table.kind = WEFT_COLLIDER_CYLINDER;
    table.radius = 0.1;
    table.height = 0.05;
    table.position.y = 0.05;
    table.rotation = (weft_quat){0.05, 0, 0, 1};
    collide(sim, &table);
}

/* Finer towards one point (x, z) of the material, which moves along warp as the cloth falls from y. */
static double finer_at(void *user, weft_vec3 position, weft_vec2 uv)
{
    const weft_vec3 *at = user;
    double moved = 20 * (at->y - position.y);
    moved = moved < 0 ? 0 : moved > 0.3 ? 0.3 : moved;
    double du = uv.u - at->x - moved, dv = uv.v - at->z;
    return 0.02 + 0.4 * sqrt(du * du + dv * dv);
}

static weft_adapt adapt_at(const weft_vec3 *at)
{
    weft_adapt a = weft_adapt_default();
    a.max_level = 2;
    a.interval = 0;
    a.size = finer_at;
    a.size_user = (void *)(uintptr_t)at;
    return a;
}

/* Held along a border, quads and triangles, beads at some nodes. */
static weft_cloth_id build_held(weft_sim *sim, const weft_fabric *f, const weft_adapt *a)
{
    kit_mesh m = kit_patch(6, 5, 0.4, 0.32, 0.5, 0.1, 5);
    double mass[30] = {0};
    mass[3] = mass[17] = mass[29] = 1e-3;
    weft_mesh_def d = kit_mesh_def(&m);
    for (int32_t i = 0; i < m.n_nodes; i++)
        m.x[i].z -= 0.6;
    d.node_mass = mass;
    d.model.fabrics = f;
    d.model.n_fabrics = 1;
    d.model.stretch = WEFT_STRETCH_MEMBRANE;
    d.model.bending = WEFT_BENDING_TENSOR;
    d.model.adapt = *a;
    weft_cloth_id id = kit_cloth(sim, &d);
    int32_t border[4] = {0, 1, 2, 4};
    kit_pin(sim, id, 4, border);
    kit_mesh_free(&m);
    return id;
}

/* Two sheets that split and merge: one falls fast onto a ball, the other hangs from its border; a tie between them. */
static void build_adaptive(weft_sim *sim)
{
    static const weft_vec3 corner = {0.06, 0.151, 0.09}, held = {0.1, 0, 0};
    weft_fabric f = plain();
    f.friction = 0.4;
    weft_grid_def d = kit_grid_def(7, 0.48, 0, 0.151);
    d.velocity = (weft_vec3){0, -3, 0};
    d.model.fabrics = &f;
    d.model.n_fabrics = 1;
    d.model.adapt = adapt_at(&corner);
    weft_cloth_id falling = sheet(sim, &d);
    weft_adapt a = adapt_at(&held);
    weft_cloth_id hung = build_held(sim, &f, &a);
    kit_sphere(sim, 0.15, (weft_vec3){0.22, 0, -0.25});
    int32_t pair[2] = {48, 2};
    weft_tie_def t = weft_tie_def_default();
    t.cloth_a = falling;
    t.cloth_b = hung;
    t.nodes_a = &pair[0];
    t.nodes_b = &pair[1];
    t.n_pairs = 1;
    t.stiffness = 0.5;
    t.length = 0.1;
    t.damping = 1e-3;
    weft_tie_id tie;
    kit_must(weft_tie_create(sim, &t, &tie, NULL), NULL);
}

const kit_scene kit_scenes[KIT_SCENES] = {
    {"ball", build_ball},       {"flag", build_flag},   {"rod", build_rod},           {"balloon", build_balloon},
    {"carried", build_carried}, {"table", build_table}, {"adaptive", build_adaptive},
};

weft_sim *kit_scene_sim(const kit_scene *scene, const weft_sim_def *def)
{
    weft_sim_def standard = weft_sim_def_default();
    weft_sim *sim = kit_sim(def ? def : &standard);
    scene->build(sim);
    return sim;
}

double kit_scene_step(weft_integrator integrator)
{
    return integrator == WEFT_INTEGRATOR_EXPLICIT ? 1.0 / 12000 : 1.0 / 60;
}
