/* SPDX-License-Identifier: MIT */
#include "facts.h"

#include "plausible.h"

#include <stdio.h>

static const char *const shapes[] = {"plane", "sphere", "capsule", "cylinder", "box", "mesh"};
static const char *const integrators[] = {"bdf2", "implicit", "explicit"};

static void add_cloth(facts *f, const weft_stage *stage, int32_t i)
{
    const weft_scene_cloth *c = &stage->scene->cloths[i];
    weft_cloth_info info;
    weft_error error;
    facts_open_item(f, "cloth", c->name);
    if (c->file)
        facts_text(f, "file", "file", c->file);
    if (weft_cloth_get_info(stage->sim, stage->cloths[i], &info, &error) >= 0) {
        facts_number(f, "nodes", "nodes", info.n_nodes, "");
        facts_number(f, "triangles", "triangles", info.n_triangles, "");
        facts_number(f, "mass", "mass", info.mass, "kg");
        facts_number(f, "area", "area", info.area, "m²");
        facts_number(f, "edge_length", "edge length", info.edge_length, "m");
    }
    facts_close_item(f);
}

/* What is odd only where it is. */
static void add_count(facts *f, const char *key, const char *name, int32_t n)
{
    if (n > 0)
        facts_number(f, key, name, n, "");
}

static void add_mesh(facts *f, const weft_collider_info *m)
{
    facts_number(f, "nodes", "nodes", m->n_vertices, "");
    facts_number(f, "triangles", "triangles", m->n_triangles, "");
    facts_bool(f, "closed", "closed", m->closed);
    if (m->closed)
        facts_number(f, "volume", "volume", m->volume, "m³");
    add_count(f, "border_edges", "border edges", m->n_border_edges);
    add_count(f, "non_manifold_edges", "edges of three or more", m->n_non_manifold_edges);
    add_count(f, "flipped_edges", "edges where it turns over", m->n_flipped_edges);
    add_count(f, "degenerate", "triangles without area", m->n_degenerate);
}

static void add_collider(facts *f, const weft_stage *stage, int32_t i)
{
    const weft_scene_collider *c = &stage->scene->colliders[i];
    weft_collider_info info;
    weft_error error;
    facts_open_item(f, "collider", c->name);
    facts_text(f, "shape", "shape", shapes[c->def.kind]);
    if (c->is_mesh)
        facts_text(f, "file", "file", c->file);
    if (c->is_mesh && weft_collider_get_info(stage->sim, stage->colliders[i], &info, &error) >= 0)
        add_mesh(f, &info);
    facts_bool(f, "moves", "moves", c->def.n_keys > 1 || c->motion_file);
    facts_close_item(f);
}

static void add_scene(facts *f, const weft_stage *stage)
{
    const weft_scene *s = stage->scene;
    char text[96];
    double seconds = s->output.frames / s->output.fps;
    facts_text(f, "kind", "kind", "scene");
    facts_text(f, "scene", "name", s->name);
    if (f->json) {
        facts_number(f, "frames", "", s->output.frames, "");
        facts_number(f, "fps", "", s->output.fps, "");
        facts_number(f, "duration", "", seconds, "");
    } else {
        snprintf(text, sizeof text, "%d at %g a second: %.4g s, %d step%s each", s->output.frames, s->output.fps,
                 seconds, s->output.steps_per_frame, s->output.steps_per_frame == 1 ? "" : "s");
        facts_text(f, "frames", "frames", text);
    }
    facts_text(f, "integrator", "integrator", integrators[s->sim.integrator]);
    facts_number(f, "attachments", "attachments", s->n_attachments, "");
    facts_number(f, "ties", "ties", s->n_ties, "");
    facts_open_list(f, "cloths");
    for (int32_t i = 0; i < s->n_cloths; i++)
        add_cloth(f, stage, i);
    facts_close_list(f);
    facts_open_list(f, "colliders");
    for (int32_t i = 0; i < s->n_colliders; i++)
        add_collider(f, stage, i);
    facts_close_list(f);
}

weft_result facts_of_scene(facts *f, const char *path, weft_error *error)
{
    weft_scene *scene = NULL;
    weft_stage *stage = NULL;
    weft_result r = weft_scene_load(path, NULL, 0, &scene, error);
    if (r >= 0)
        plausible_scene(scene, &f->warnings);
    r = r < 0 ? r : weft_stage_create(scene, NULL, &stage, error);
    if (r >= 0)
        add_scene(f, stage);
    weft_stage_destroy(stage);
    weft_scene_free(scene);
    return r;
}
