/* SPDX-License-Identifier: MIT */
/* Scenes: what a file says is what the scene holds; resolved, it says the same; schema and page know every key. */
#define _POSIX_C_SOURCE 200809L
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "data_file.h"
#include "io/scene/schema.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <weft/io/scene.h>

static weft_scene *parse_with(const char *text_of_scene, const char *const *sets, int32_t n)
{
    weft_error e = {.text = ""};
    weft_scene *s = NULL;
    if (weft_scene_parse("folder/test.yaml", NULL, text_of_scene, strlen(text_of_scene), sets, n, &s, &e) < 0)
        fail_msg("%s", e.text);
    return s;
}

static weft_scene *parse(const char *text_of_scene)
{
    return parse_with(text_of_scene, NULL, 0);
}

static char *resolve(const weft_scene *s)
{
    weft_error e;
    char *out = NULL;
    assert_int_equal(weft_scene_resolve(s, &out, &e), WEFT_OK);
    return out;
}

static const char sheet[] = "cloths: {sheet: {grid: {size: [2, 1], nodes: [5, 3]}}}\n";

/* Everything that can be said, once. */
static const char full[] =
    "weft: 1\nname: \"quoted: \\\"name\\\" \\u00e9\"\n"
    "fabrics:\n  mine: {like: silk, density: 0.123456789012345678, bending_warp: 3e-7}\n  other: {like: mine, shear: "
    "7}\n"
    "cloths:\n"
    "  sheet:\n"
    "    grid: {size: [0.7, 0.3], nodes: [8, 4], centre: [0.1, 0.2, 0.3], warp: [1, 2, 3], weft: [0, 1, 0]}\n"
    "    fabric: other\n    stretch: membrane\n    law: villard\n    bending: tensor\n    limit: provot\n"
    "    filter: {category: 6, mask: 4294967293, itself: false}\n"
    "    velocity: [1, 2, 3]\n    front: \"#12aBff\"\n    back: [0.1, 0.2, 0.3]\n"
    "  shirt:\n"
    "    mesh: {file: some/shirt.obj, scale: 0.01, z_up: true, position: [1, 2, 3], rotation: {axis: [1, 1, 0], angle: "
    "33}, rest: uv, uv_scale: 0.001}\n"
    "    fabric: linen\n    group_fabrics: {left sleeve: mine, right: canvas}\n    pressure: 3.25\n"
    "colliders:\n"
    "  ground: {shape: plane, friction: 2}\n"
    "  ball: {shape: sphere, radius: 0.3, dissipation: 0.5, color: [0, 0, 1], visible: false, filter: {category: 2}}\n"
    "  stick: {shape: capsule, radius: 0.1, height: 0.9, position: [0, 1, 0], rotation: [1, 2, 3, 4]}\n"
    "  table: {shape: cylinder, radius: 0.1, height: 0.9}\n"
    "  box: {shape: box, size: [1, 2, 3], keys: [{time: 0}, {time: 0.1, position: [1, 1, 1], rotation: {axis: [0, 0, "
    "2], "
    "angle: 90}}]}\n"
    "  body: {shape: mesh, file: /abs/body.ply, scale: 2, motion: {file: body.pc2, fps: 25}}\n"
    "attachments:\n"
    "  - {cloth: sheet, nodes: [1, 2, 3], targets: [[0, 0, 0], [1, 0, 0], [2, 0, 0.1]], keys: [{time: 1}, {time: 2}]}\n"
    "  - {cloth: sheet, kind: rod, select: warp_end, rod: {point: [0, 1, 0], direction: [0, 0, 1], friction: 0.7}}\n"
    "  - {cloth: sheet, kind: soft, select: corners, stiffness: 3, weights: [1, 2, 3, 4]}\n"
    "  - {cloth: sheet, kind: collider, collider: ball, near: {point: [0.1, 0.2, 0.3], radius: 0.1}}\n"
    "  - {cloth: sheet, kind: soft, box: {min: [-9, -9, -9], max: [9, 9, 9]}}\n"
    "  - {cloth: shirt, group: collar}\n"
    "ties: [{cloth_a: sheet, nodes_a: [0], cloth_b: shirt, nodes_b: [5], stiffness: 1, length: 0.1, damping: 0.2},\n"
    "       {cloth_a: sheet, nodes_a: [0, 1], nodes_b: [4, 5]}]\n"
    "forces: {gravity: [0, -1, 0], wind: [1, 2, 3], gust: {strength: 0.3, period: 7}, air_density: 1, drag_normal: 2,\n"
    "  drag_tangential: 0.1, air_viscosity: 0.01}\n"
    "solver: {integrator: explicit, newton_tolerance: 1e-6, newton_limit: 5, linear_tolerance: 0.1, linear_limit: 7,\n"
    "  halving_limit: 2, velocity_bound: 0.5, contact_radius: 0.001, contact_stiffness: 2, threads: 3, world_scale: "
    "2}\n"
    "output: {fps: 30, frames: 7, steps_per_frame: 4, restart_every: 3, compression: 9, contacts: false}\n"
    "picture: {width: 64, height: 48, samples: 2, camera: {eye: [1, 2, 3], target: [0, 0, 0]}, direction: [0, 0, 1],\n"
    "  view_angle: 50, color: stretch, wire: true, ground: false, background: \"#000000\"}\n";

#define CLEAR_BETWEEN(d, a, b)                                                                                         \
    memset((char *)(d) + offsetof(weft_sim_def, a) + sizeof(d)->a, 0,                                                  \
           offsetof(weft_sim_def, b) - offsetof(weft_sim_def, a) - sizeof(d)->a)

/* What lies between members is as compilers leave it. */
static void clear_gaps(weft_sim_def *d)
{
    CLEAR_BETWEEN(d, newton_limit, linear_tolerance);
    CLEAR_BETWEEN(d, response, wind);
    CLEAR_BETWEEN(d, world_scale, alloc);
}

static void defaults_are_the_library_s(void **state)
{
    (void)state;
    weft_scene *s = parse(sheet);
    weft_sim_def sim = weft_sim_def_default();
    weft_grid_def grid = weft_grid_def_default();
    weft_fabric fabric = weft_fabric_default();
    sim.n_threads = 0;
    clear_gaps(&s->sim);
    clear_gaps(&sim);
    assert_memory_equal(&s->sim, &sim, sizeof sim);
    assert_memory_equal(&s->cloths[0].grid.axis_warp, &grid.axis_warp, sizeof grid.axis_warp);
    assert_memory_equal(s->cloths[0].model.fabrics, &fabric, sizeof fabric);
    assert_string_equal(s->name, "test");
    assert_int_equal(s->output.frames, 120);
    assert_string_equal(s->fabrics[0].name, "default");
    assert_int_equal(s->cloths[0].place.line, 1);
    assert_int_equal(s->cloths[0].place.column, 10);
    weft_scene_free(s);
}

static void values_are_those_of_the_file(void **state)
{
    (void)state;
    weft_scene *s = parse(full);
    const weft_scene_cloth *c = s->cloths;
    assert_string_equal(s->name, "quoted: \"name\" é");
    assert_true(c[0].grid.size_weft == 0.3 && c[0].grid.n_weft == 4 && c[0].velocity.z == 3 &&
                c[0].grid.velocity.z == 3);
    assert_int_equal(c[0].model.bending, WEFT_BENDING_TENSOR);
    assert_true(c[0].front.g == 171 / 255.0 && c[0].model.fabrics[0].shear == 7);
    assert_int_equal(c[1].rest, WEFT_REST_UV);
    assert_int_equal(c[1].model.n_fabrics, 3);
    assert_true(c[1].model.fabrics[1].bending_warp == 3e-7);
    assert_int_equal(s->n_fabrics, 4); /* mine, other, and linen and canvas of the library */
    assert_true(s->colliders[4].def.n_keys == 2 && s->colliders[4].def.kind == WEFT_COLLIDER_BOX);
    assert_true(s->colliders[5].is_mesh && s->colliders[5].motion_fps == 25);
    assert_int_equal(s->attachments[1].def.n_nodes, 4);
    assert_int_equal(s->attachments[1].def.nodes[3], 31);
    assert_int_equal(s->attachments[2].def.nodes[2], 24);
    assert_int_equal(s->attachments[4].def.n_nodes, 32);
    assert_int_equal(s->attachments[3].collider, 1);
    assert_int_equal(s->ties[1].cloth_b, 0);
    assert_true(c[0].filter.category == 6 && c[0].filter.mask == 4294967293u && !c[0].filter.itself);
    assert_true(c[1].filter.category == 1 && c[1].filter.mask == UINT32_MAX && c[1].filter.itself);
    assert_true(s->colliders[1].filter.category == 2 && s->colliders[1].filter.mask == UINT32_MAX);
    assert_true(s->picture.has_camera && s->gust.period == 7 && s->sim.n_threads == 3);
    weft_scene_free(s);
}

/* The middle of the grid is where it was said to be, to rounding: 4 sums of numbers below 1. */
static void a_grid_s_centre_is_its_middle(void **state)
{
    (void)state;
    weft_scene *s = parse(full);
    const weft_grid_def *g = &s->cloths[0].grid;
    double length = sqrt(14), along = 2 / length, wx = 1 / length, wy = 2 / length;
    double fx = -along * wx, fy = 1 - along * wy, fz = -along * 3 / length, fl = sqrt(fx * fx + fy * fy + fz * fz);
    assert_true(fabs(g->corner.x + 0.35 * wx + 0.15 * fx / fl - 0.1) < 4 * 2.3e-16);
    assert_true(fabs(g->corner.y + 0.35 * wy + 0.15 * fy / fl - 0.2) < 4 * 2.3e-16);
    weft_scene_free(s);
}

/* Member by member: what lies between them is anything. */
static void assert_same_sim(const weft_sim_def *a, const weft_sim_def *b)
{
#define SAME(member) assert_memory_equal(&a->member, &b->member, sizeof a->member)
    SAME(struct_size), SAME(gravity), SAME(integrator), SAME(n_threads), SAME(newton_tolerance), SAME(newton_limit);
    SAME(linear_tolerance), SAME(linear_limit), SAME(halving_limit), SAME(velocity_bound), SAME(contact_radius);
    SAME(contact_stiffness), SAME(pair_radius), SAME(response), SAME(wind), SAME(air_density), SAME(drag_normal);
    SAME(drag_tangential), SAME(air_viscosity), SAME(world_scale);
#undef SAME
}

static void a_resolved_scene_loads_to_the_same(void **state)
{
    (void)state;
    const char *const scenes[] = {full, sheet};
    for (int i = 0; i < 2; i++) {
        weft_scene *a = parse(scenes[i]);
        char *once = resolve(a);
        weft_scene *b = parse(once);
        char *twice = resolve(b);
        assert_string_equal(once, twice);
        assert_same_sim(&a->sim, &b->sim);
        assert_memory_equal(&a->output, &b->output, sizeof a->output);
        assert_memory_equal(&a->cloths[0].grid.corner, &b->cloths[0].grid.corner, sizeof(weft_vec3));
        assert_memory_equal(a->cloths[0].model.fabrics, b->cloths[0].model.fabrics, sizeof(weft_fabric));
        assert_memory_equal(&a->cloths[0].filter, &b->cloths[0].filter, offsetof(weft_filter, itself) + 1);
        assert_int_equal(a->n_fabrics, b->n_fabrics);
        for (int32_t k = 0; k < a->n_fabrics; k++)
            assert_memory_equal(&a->fabrics[k].fabric, &b->fabrics[k].fabric, sizeof(weft_fabric));
        for (int32_t k = 0; k < a->n_attachments; k++) {
            assert_int_equal(a->attachments[k].def.n_nodes, b->attachments[k].def.n_nodes);
            assert_memory_equal(a->attachments[k].def.nodes, b->attachments[k].def.nodes,
                                (size_t)a->attachments[k].def.n_nodes * sizeof(int32_t));
        }
        for (int32_t k = 0; k < a->n_colliders; k++)
            assert_memory_equal(&a->colliders[k].def.rotation, &b->colliders[k].def.rotation, sizeof(weft_quat));
        weft_text_free(once);
        weft_text_free(twice);
        weft_scene_free(a);
        weft_scene_free(b);
    }
}

static void a_scene_as_json_loads_to_the_same(void **state)
{
    (void)state;
    const char *const scenes[] = {full, sheet};
    for (int i = 0; i < 2; i++) {
        weft_error e;
        weft_scene *a = parse(scenes[i]);
        char *json = NULL, *yaml = resolve(a);
        assert_int_equal(weft_scene_resolve_json(a, &json, &e), WEFT_OK);
        assert_true(json[0] == '{' && !strchr(json, '\'') && !strstr(json, ": ,"));
        weft_scene *b = parse(json);
        char *again = resolve(b);
        assert_string_equal(again, yaml);
        weft_text_free(json);
        weft_text_free(yaml);
        weft_text_free(again);
        weft_scene_free(a);
        weft_scene_free(b);
    }
    assert_int_equal(weft_scene_resolve_json(NULL, NULL, NULL), WEFT_ERROR_ARGUMENT);
}

static void any_text_resolves_to_itself(void **state)
{
    (void)state;
    static const char *const names[] = {"\\u2028",     "\\x85",  "\\ufeff x", "\\uffff", "\\n\\t\\\\ \\\"",
                                        "\\U0001f9f5", "# true", "Yes",       "- a: b",  "\\x80\\x7f"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char scene[256];
        snprintf(scene, sizeof scene, "name: \"%s\"\n%s", names[i], sheet);
        weft_scene *a = parse(scene);
        char *once = resolve(a);
        weft_scene *b = parse(once);
        assert_string_equal(a->name, b->name);
        weft_text_free(once);
        weft_scene_free(a);
        weft_scene_free(b);
    }
}

static void long_lists_resolve_over_several_lines(void **state)
{
    (void)state;
    weft_scene *s =
        parse("cloths: {s: {grid: {size: [1, 1], nodes: [100, 100]}}}\nattachments: [{cloth: s, nodes: "
              "[0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31,32]}]");
    char *once = resolve(s);
    weft_scene *again = parse(once);
    assert_int_equal(again->attachments[0].def.n_nodes, 33);
    assert_int_equal(again->attachments[0].def.nodes[32], 32);
    weft_text_free(once);
    weft_scene_free(s);
    weft_scene_free(again);
}

static void same_resolved(weft_scene *a, weft_scene *b)
{
    char *x = resolve(a), *y = resolve(b);
    assert_string_equal(x, y);
    weft_text_free(x);
    weft_text_free(y);
    weft_scene_free(a);
    weft_scene_free(b);
}

static void json_is_as_good_as_yaml(void **state)
{
    (void)state;
    same_resolved(
        parse("name: x/y\ncloths:\n  s:\n    grid:\n      size: [1, 2.5]\n      nodes: [3, 4]\n    fabric: silk\n"
              "output:\n  fps: 1e2\npicture:\n  wire: true\n"),
        parse("{\"name\":\"x\\/y\",\n\t\"cloths\": {\"s\": {\"grid\": {\"size\": [1,2.5], \"nodes\":[3,4]},\n"
              "\t\"fabric\":\"silk\"}}, \"output\": {\"fps\":1e2}, \"picture\":{\"wire\":true}}\n"));
}

static void sets_change_and_add(void **state)
{
    (void)state;
    static const char *const sets[] = {"cloths.sheet.fabric=silk",
                                       "output.frames=10",
                                       "forces.wind=[1, 0, 0]",
                                       "attachments.0={cloth: sheet, nodes: [0]}",
                                       "attachments.0.nodes.1=4",
                                       "cloths.sheet.grid.size.0=3",
                                       "name=a=b"};
    same_resolved(
        parse_with(sheet, sets, 7),
        parse("name: a=b\ncloths: {sheet: {grid: {size: [3, 1], nodes: [5, 3]}, fabric: silk}}\n"
              "output: {frames: 10}\nforces: {wind: [1, 0, 0]}\nattachments: [{cloth: sheet, nodes: [0, 4]}]"));
}

static void anchors_and_merge_keys_are_followed(void **state)
{
    (void)state;
    static const char *const set = "cloths.b.grid.size=[2, 2]";
    same_resolved(
        parse_with("cloths:\n  a: &a\n    grid: &g {size: [1, 1], nodes: [3, 3]}\n    pressure: 0\n"
                   "  b: {<<: *a, fabric: silk}\n  c: {<<: [*a], grid: *g, fabric: wool}\n",
                   &set, 1),
        parse("cloths:\n  a: {grid: {size: [1, 1], nodes: [3, 3]}}\n  b: {grid: {size: [2, 2], nodes: [3, 3]}, "
              "fabric: silk}\n  c: {grid: {size: [1, 1], nodes: [3, 3]}, fabric: wool}\n"));
}

/* 10 aliases of 10 aliases of …: a short text must not become a long tree. */
static void aliases_that_explode_are_refused(void **state)
{
    (void)state;
    text t = {0};
    text_add(&t, "a0: &a0 [x]\n");
    for (int i = 1; i < 20; i++) {
        text_add(&t, "a%d: &a%d [", i, i);
        for (int k = 0; k < 10; k++)
            text_add(&t, "%s*a%d", k ? ", " : "", i - 1);
        text_add(&t, "]\n");
    }
    weft_scene *s = NULL;
    weft_error e;
    assert_int_equal(weft_scene_parse("s", NULL, t.bytes, t.n, NULL, 0, &s, &e), WEFT_ERROR_FORMAT);
    assert_non_null(strstr(e.text, "aliases stand for more than 100000 values"));
    text_free(&t);
    for (int i = 0; i < 100; i++)
        text_add(&t, "[");
    assert_int_equal(weft_scene_parse("s", NULL, t.bytes, t.n, NULL, 0, &s, &e), WEFT_ERROR_FORMAT);
    assert_string_equal(e.text, "s:1:34: nested more than 32 deep");
    text_free(&t);
}

static void empty_sections_are_allowed(void **state)
{
    (void)state;
    weft_scene *s =
        parse("cloths:\n  s:\n    grid: {size: [1, 1], nodes: [2, 2]}\ncolliders:\nattachments: []\nforces:\n"
              "fabrics: {}\noutput: ~\n");
    assert_int_equal(s->n_colliders, 0);
    weft_scene_free(s);
}

static void rotations_may_be_given_by_axis_and_angle(void **state)
{
    (void)state;
    weft_scene *s = parse(full);
    double m[9];
    weft_vec3 p;
    weft_scene_collider_pose(s, 4, 0.1, &p, m); /* 90° about z: x goes to y */
    assert_true(fabs(m[3] - 1) < 4e-16 && fabs(m[0]) < 4e-16 && p.x == 1);
    weft_scene_free(s);
}

/* ---- the schema -------------------------------------------------------------------------------------------------- */

static void check_keys(const schema_object *o, const tree_node *n, const char *page, int depth)
{
    const tree_node *properties = tree_find(n, "properties");
    assert_non_null(properties);
    assert_int_equal(tree_find(n, "additionalProperties")->kind, TREE_SCALAR);
    int32_t count = 0;
    for (const schema_field *f = o->fields; f->key && depth < 8; f++, count++) {
        char row[64];
        const tree_node *field = tree_find(properties, f->key);
        assert_non_null(field);
        assert_non_null(tree_find(field, "description"));
        snprintf(row, sizeof row, "| `%s` | ", f->key);
        assert_non_null(strstr(page, row));
        if (f->kind == SCHEMA_OBJECT)
            check_keys(f->object, field, page, depth + 1);
        else if (f->object)
            check_keys(f->object, tree_find(field, f->kind == SCHEMA_MAP ? "additionalProperties" : "items"), page,
                       depth + 1);
        if (!f->required && !f->otherwise && f->kind < SCHEMA_OBJECT)
            assert_non_null(tree_find(field, "default"));
    }
    assert_int_equal(count, properties->n);
}

static void schema_and_page_know_every_key(void **state)
{
    (void)state;
    char *json, *page;
    weft_error e = {.text = ""};
    scene_arena a = {0};
    tree_node *root = NULL;
    tree_source source = {.name = "schema"};
    assert_int_equal(weft_scene_schema(&json, &e), WEFT_OK);
    assert_int_equal(weft_scene_reference(&page, &e), WEFT_OK);
    if (tree_parse(&a, &source, 0, json, strlen(json), &root, &e) < 0)
        fail_msg("%s", e.text);
    assert_string_equal(tree_find(root, "$schema")->text, "https://json-schema.org/draft/2020-12/schema");
    check_keys(&schema_scene, root, page, 0);
    scene_arena_free(&a);
    weft_text_free(json);
    weft_text_free(page);
}

/* The table has ranges for people; the library has the last word on them. */
static void ranges_are_those_of_the_library(void **state)
{
    (void)state;
    const schema_object *o = schema_find(&schema_scene, "fabrics")->object;
    for (const schema_field *f = o->fields; f->key; f++) {
        if (f->kind != SCHEMA_NUMBER)
            continue;
        const double values[] = {f->min, f->max, f->min - 1e-9, nextafter(f->max, 1e300)};
        for (int i = 0; i < 4; i++) {
            draft_fabric d;
            o->defaults(&d);
            memcpy((char *)&d + f->offset, &values[i], sizeof values[i]);
            bool ok = weft_fabric_check(&d.fabric, NULL) == WEFT_OK;
            bool expected = i == 1 || (i == 0 && f->range != RANGE_OPEN);
            assert_int_equal(ok, expected);
        }
    }
}

static void the_page_s_example_is_a_scene(void **state)
{
    (void)state;
    char *page;
    weft_error e = {.text = ""};
    assert_int_equal(weft_scene_reference(&page, &e), WEFT_OK);
    char *begin = strstr(page, "```yaml\n") + 8, *end = strstr(begin, "```");
    weft_scene *s = NULL;
    if (weft_scene_parse("example", NULL, begin, (size_t)(end - begin), NULL, 0, &s, &e) < 0)
        fail_msg("%s", e.text);
    assert_int_equal(s->n_attachments, 1);
    weft_scene_free(s);
    weft_text_free(page);
}

static char *read_page(const char *path)
{
    FILE *f = fopen(path, "rb");
    char *bytes = calloc(1, 1 << 20);
    assert_non_null(bytes);
    if (f) {
        assert_true(fread(bytes, 1, (1 << 20) - 1, f) > 0);
        fclose(f);
    }
    return bytes;
}

static void docs_scene_md_is_up_to_date(void **state)
{
    (void)state;
    char path[PATH_ROOM], *page;
    weft_error e;
    project_path("docs/scene.md", path);
    assert_int_equal(weft_scene_reference(&page, &e), WEFT_OK);
    if (getenv("WEFT_UPDATE")) {
        FILE *f = fopen(path, "wb");
        assert_non_null(f);
        fputs(page, f);
        assert_int_equal(fclose(f), 0);
    }
    char *found = read_page(path);
    if (strcmp(found, page) != 0)
        fail_msg("%s differs from the schema: run this test with WEFT_UPDATE=1", path);
    free(found);
    weft_text_free(page);
}

/* ---- files ------------------------------------------------------------------------------------------------------- */

static void files_are_found_beside_the_scene_and_resolve_absolute(void **state)
{
    (void)state;
    const char *tmp = getenv("TMPDIR");
    char folder[256], scene[512], mesh[512];
    snprintf(folder, sizeof folder, "%s/weft_scene_XXXXXX", tmp ? tmp : "/tmp");
    assert_non_null(mkdtemp(folder));
    snprintf(scene, sizeof scene, "%s/s.yaml", folder);
    snprintf(mesh, sizeof mesh, "%s/m.obj", folder);
    FILE *f = fopen(scene, "wb");
    fputs("cloths: {s: {mesh: {file: m.obj, z_up: true, scale: 2, position: [0, 5, 0]}}}\n", f);
    fclose(f);
    f = fopen(mesh, "wb");
    fputs("v 0 0 0\nv 1 0 0\nv 1 1 0.5\nf 1 2 3\n", f);
    fclose(f);
    weft_error e = {.text = ""};
    weft_scene *s = NULL, *again = NULL;
    if (weft_scene_load(scene, NULL, 0, &s, &e) < 0)
        fail_msg("%s", e.text);
    weft_vec3 x = s->cloths[0].mesh.positions[2];
    assert_true(x.x == 2 && x.y == 6 && x.z == -2);
    assert_string_equal(s->cloths[0].file, "m.obj");
    assert_string_equal(s->name, "s");
    char *resolved = resolve(s);
    assert_non_null(strstr(resolved, mesh));
    assert_int_equal(weft_scene_parse("elsewhere.yaml", "/", resolved, strlen(resolved), NULL, 0, &again, &e), WEFT_OK);
    assert_memory_equal(again->cloths[0].mesh.positions, s->cloths[0].mesh.positions, 3 * sizeof(weft_vec3));
    weft_text_free(resolved);
    weft_scene_free(s);
    weft_scene_free(again);
    unlink(scene);
    unlink(mesh);
    rmdir(folder);
    assert_int_equal(weft_scene_load(scene, NULL, 0, &s, &e), WEFT_ERROR_FILE);
    assert_non_null(strstr(e.text, "s.yaml: No such file"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(defaults_are_the_library_s),
        cmocka_unit_test(values_are_those_of_the_file),
        cmocka_unit_test(a_grid_s_centre_is_its_middle),
        cmocka_unit_test(a_resolved_scene_loads_to_the_same),
        cmocka_unit_test(a_scene_as_json_loads_to_the_same),
        cmocka_unit_test(any_text_resolves_to_itself),
        cmocka_unit_test(long_lists_resolve_over_several_lines),
        cmocka_unit_test(json_is_as_good_as_yaml),
        cmocka_unit_test(sets_change_and_add),
        cmocka_unit_test(anchors_and_merge_keys_are_followed),
        cmocka_unit_test(aliases_that_explode_are_refused),
        cmocka_unit_test(empty_sections_are_allowed),
        cmocka_unit_test(rotations_may_be_given_by_axis_and_angle),
        cmocka_unit_test(schema_and_page_know_every_key),
        cmocka_unit_test(ranges_are_those_of_the_library),
        cmocka_unit_test(the_page_s_example_is_a_scene),
        cmocka_unit_test(docs_scene_md_is_up_to_date),
        cmocka_unit_test(files_are_found_beside_the_scene_and_resolve_absolute),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
