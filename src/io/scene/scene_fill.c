/* SPDX-License-Identifier: MIT */
/* From a draft to a scene: names become indices, lists become arrays, and what no single value can tell is checked. */
#include "io/scene/scene_inside.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct filler {
    scene_reader *r;
    scene_inside *in;
    draft_scene *draft;
    weft_scene *scene;
} filler;

static weft_scene_place scene_place_of(const tree_node *n)
{
    return n && n->mark.set == 0 ? (weft_scene_place){n->mark.line, n->mark.column} : (weft_scene_place){0, 0};
}

static weft_result fill_no_memory(const filler *f)
{
    return fault_memory(f->r->error);
}

/* Where a key of the scene stands, for messages on what follows from several. */
static tree_mark place_mark(const tree_node *n, const char *key)
{
    const tree_node *found = n ? tree_find(n, key) : NULL;
    return found ? found->mark : n ? n->mark : (tree_mark){1, 1, 0};
}

/* ---- fabrics ----------------------------------------------------------------------------------------------------- */

static bool has_fabric(const draft_fabric *all, int32_t n, const char *name)
{
    for (int32_t i = 0; i < n; i++)
        if (strcmp(all[i].head.name, name) == 0)
            return true;
    return false;
}

/* A fabric of the library that is used becomes one of the scene's, so that a resolved scene stands for itself. */
static weft_result use_fabric(filler *f, draft_fabric *all, int32_t *n, const draft_text *name)
{
    if (has_fabric(all, *n, name->text))
        return WEFT_OK;
    weft_fabric found;
    weft_result result = scene_find_fabric(f->r, name, f->draft->fabrics.n, &found);
    if (result == WEFT_OK)
        all[(*n)++] = (draft_fabric){.head = {.name = name->text}, .fabric = found};
    return result;
}

static weft_result use_fabrics(filler *f, draft_fabric *all, int32_t *n)
{
    const draft_cloth *cloths = f->draft->cloths.items;
    weft_result result = WEFT_OK;
    for (int32_t i = 0; result == WEFT_OK && i < f->draft->cloths.n; i++) {
        const draft_pair *pairs = cloths[i].group_fabrics.items;
        result = use_fabric(f, all, n, &cloths[i].fabric);
        for (int32_t k = 0; result == WEFT_OK && k < cloths[i].group_fabrics.n; k++)
            result = use_fabric(f, all, n, &pairs[k].value);
    }
    return result;
}

static weft_result fill_fabrics(filler *f)
{
    const draft_list *own = &f->draft->fabrics;
    const draft_cloth *cloths = f->draft->cloths.items;
    size_t most = (size_t)own->n;
    for (int32_t i = 0; i < f->draft->cloths.n; i++)
        most += 1 + (size_t)cloths[i].group_fabrics.n;
    draft_fabric *all = scene_arena_make(&f->in->arena, most, sizeof *all);
    weft_scene_fabric *out = scene_arena_make(&f->in->arena, most, sizeof *out);
    if (!all || !out)
        return fill_no_memory(f);
    int32_t n = own->n;
    if (n > 0)
        memcpy(all, own->items, (size_t)n * sizeof *all);
    weft_result result = use_fabrics(f, all, &n);
    f->draft->fabrics = (draft_list){all, n, own->node};
    for (int32_t i = 0; i < n; i++)
        out[i] = (weft_scene_fabric){all[i].head.name, scene_place_of(all[i].head.node), all[i].fabric};
    f->scene->fabrics = out;
    f->scene->n_fabrics = n;
    return result;
}

static weft_untangle_side side_of(int32_t draft)
{
    return draft == DRAFT_SIDE_OUT     ? WEFT_SIDE_OUT
           : draft == DRAFT_SIDE_IN    ? WEFT_SIDE_IN
           : draft == DRAFT_SIDE_PLAIN ? WEFT_SIDE_PLAIN
                                       : WEFT_SIDE_DYNAMIC;
}

/* ---- cloths ------------------------------------------------------------------------------------------------------ */

static weft_result fill_model(filler *f, const draft_cloth *d, weft_scene_cloth *c)
{
    const draft_pair *pairs = d->group_fabrics.items;
    weft_fabric *fabrics = scene_arena_make(&f->in->arena, (size_t)d->group_fabrics.n + 1, sizeof *fabrics);
    if (!fabrics)
        return fill_no_memory(f);
    weft_result result = scene_find_fabric(f->r, &d->fabric, f->draft->fabrics.n, &fabrics[0]);
    for (int32_t i = 0; result == WEFT_OK && i < d->group_fabrics.n; i++)
        result = scene_find_fabric(f->r, &pairs[i].value, f->draft->fabrics.n, &fabrics[i + 1]);
    c->model.fabrics = fabrics;
    c->model.n_fabrics = d->group_fabrics.n + 1;
    return result;
}

static weft_result fill_grid(filler *f, draft_cloth *d, weft_scene_cloth *c)
{
    char shown[TREE_SHOWN];
    weft_grid_def *g = &c->grid;
    tree_quote(c->name, shown);
    if ((int64_t)g->n_warp * g->n_weft > 1 << 24)
        return tree_fault(f->r->source, d->head.node->mark, f->r->error, WEFT_ERROR_RANGE,
                          "cloth %s has %d · %d nodes: expected at most 2^24", shown, g->n_warp, g->n_weft);
    if (d->group_fabrics.n > 0)
        return tree_fault(f->r->source, d->group_fabrics.node->mark, f->r->error, WEFT_ERROR_FORMAT,
                          "'group_fabrics' makes no sense in cloth %s: it is a grid, and only meshes have groups",
                          shown);
    weft_vec3 a, b, *corner = &g->corner;
    if (!scene_grid_axes(g, &a, &b))
        return tree_fault(f->r->source, d->head.node->mark, f->r->error, WEFT_ERROR_DEGENERATE,
                          "'warp' and 'weft' of cloth %s are parallel", shown);
    double u = 0.5 * g->size_warp, v = 0.5 * g->size_weft;
    if (d->has_centre)
        *corner = (weft_vec3){d->centre.x - u * a.x - v * b.x, d->centre.y - u * a.y - v * b.y,
                              d->centre.z - u * a.z - v * b.z};
    d->cloth.grid.corner = *corner; /* what a resolved scene says */
    g->velocity = c->velocity;
    g->model = c->model;
    return WEFT_OK;
}

static weft_result fill_cloth(filler *f, draft_cloth *d, weft_scene_cloth *c, scene_shape *shape)
{
    *c = d->cloth;
    c->side = side_of(d->side);
    c->name = d->head.name;
    c->place = scene_place_of(d->head.node);
    c->is_grid = d->has_grid;
    weft_result result = fill_model(f, d, c);
    if (result < 0)
        return result;
    if (c->is_grid)
        return fill_grid(f, d, c);
    c->file = d->file.text;
    return f->in->folder ? scene_fill_cloth_mesh(f->r, f->in, d, c, shape) : WEFT_OK;
}

static weft_result fill_cloths(filler *f)
{
    const draft_list *l = &f->draft->cloths;
    weft_scene *s = f->scene;
    if (l->n == 0)
        return tree_fault(f->r->source, (tree_mark){1, 1, 0}, f->r->error, WEFT_ERROR_FORMAT,
                          "the scene has no cloth: expected at least one in 'cloths'");
    s->cloths = scene_arena_make(&f->in->arena, (size_t)l->n, sizeof *s->cloths);
    f->in->shapes = scene_arena_make(&f->in->arena, (size_t)l->n, sizeof *f->in->shapes);
    if (!s->cloths || !f->in->shapes)
        return fill_no_memory(f);
    s->n_cloths = l->n; /* before they are filled: what is half made is freed, too */
    weft_result result = WEFT_OK;
    for (int32_t i = 0; result == WEFT_OK && i < l->n; i++)
        result = fill_cloth(f, (draft_cloth *)l->items + i, &s->cloths[i], &f->in->shapes[i]);
    return result;
}

/* ---- keys, colliders --------------------------------------------------------------------------------------------- */

static weft_result fill_keys(filler *f, const draft_list *l, const weft_key **out, int32_t *n)
{
    const draft_key *d = l->items;
    weft_key *keys = l->n > 0 ? scene_arena_make(&f->in->arena, (size_t)l->n, sizeof *keys) : NULL;
    if (l->n > 0 && !keys)
        return fill_no_memory(f);
    for (int32_t i = 0; i < l->n; i++) {
        keys[i] = d[i].key;
        if (i > 0 && !(keys[i].time > keys[i - 1].time))
            return tree_fault(f->r->source, place_mark(d[i].head.node, "time"), f->r->error, WEFT_ERROR_RANGE,
                              "time is %g s: expected more than %g s, the time of the key before", keys[i].time,
                              keys[i - 1].time);
    }
    *out = keys;
    *n = l->n;
    return WEFT_OK;
}

static weft_result fill_collider(filler *f, const draft_collider *d, weft_scene_collider *c)
{
    *c = d->collider;
    c->side = side_of(d->side);
    c->name = d->head.name;
    c->place = scene_place_of(d->head.node);
    c->is_mesh = d->shape == WEFT_COLLIDER_MESH;
    c->def.kind = (weft_collider_kind)d->shape;
    c->transform.position = c->def.position;
    c->transform.rotation = c->def.rotation;
    c->file = d->file.text;
    c->motion_file = d->motion_file.text;
    weft_result result = fill_keys(f, &d->keys, &c->def.keys, &c->def.n_keys);
    return result == WEFT_OK && c->is_mesh && f->in->folder ? scene_fill_collider_mesh(f->r, f->in, d, c) : result;
}

static weft_result fill_colliders(filler *f)
{
    const draft_list *l = &f->draft->colliders;
    weft_scene *s = f->scene;
    s->colliders = scene_arena_make(&f->in->arena, (size_t)l->n, sizeof *s->colliders);
    if (!s->colliders)
        return fill_no_memory(f);
    s->n_colliders = l->n;
    weft_result result = WEFT_OK;
    for (int32_t i = 0; result == WEFT_OK && i < l->n; i++)
        result = fill_collider(f, (const draft_collider *)l->items + i, &s->colliders[i]);
    return result;
}

/* ---- attachments, ties ------------------------------------------------------------------------------------------- */

static weft_result find_scene_cloth(filler *f, const draft_text *name, int32_t *out)
{
    const weft_scene *s = f->scene;
    for (*out = 0; *out < s->n_cloths; ++*out)
        if (strcmp(s->cloths[*out].name, name->text) == 0)
            return WEFT_OK;
    const char **names = scene_arena_make(&f->in->arena, (size_t)s->n_cloths + 1, sizeof *names);
    for (int32_t i = 0; names && i < s->n_cloths; i++)
        names[i] = s->cloths[i].name;
    return names ? scene_no_such(f->r, "cloth", name, names) : fill_no_memory(f);
}

static weft_result find_scene_collider(filler *f, const draft_text *name, int32_t *out)
{
    char shown[TREE_SHOWN];
    const weft_scene *s = f->scene;
    for (*out = 0; *out < s->n_colliders && strcmp(s->colliders[*out].name, name->text) != 0; ++*out)
        ;
    if (*out < s->n_colliders && s->colliders[*out].motion_file)
        return tree_fault(f->r->source, name->node->mark, f->r->error, WEFT_ERROR_FORMAT,
                          "collider %s is a mesh with a motion: cloth can be attached to what moves as a whole",
                          tree_quote(name->text, shown));
    if (*out < s->n_colliders)
        return WEFT_OK;
    const char **names = scene_arena_make(&f->in->arena, (size_t)s->n_colliders + 1, sizeof *names);
    for (int32_t i = 0; names && i < s->n_colliders; i++)
        names[i] = s->colliders[i].name;
    return names ? scene_no_such(f->r, "collider", name, names) : fill_no_memory(f);
}

/* One each of the nodes. */
static weft_result check_count(filler *f, const draft_list *l, const char *key, int32_t n)
{
    if (l->n == 0 || n == 0 || l->n == n)
        return WEFT_OK;
    return tree_fault(f->r->source, l->node->mark, f->r->error, WEFT_ERROR_FORMAT,
                      "%s is a list of %d: expected %d, one for each node", key, l->n, n);
}

static weft_result fill_attachment(filler *f, const draft_attachment *d, weft_scene_attachment *a)
{
    *a = (weft_scene_attachment){.place = scene_place_of(d->head.node), .collider = -1, .def = d->def};
    weft_result result = find_scene_cloth(f, &d->cloth, &a->cloth);
    if (result == WEFT_OK && d->collider.text)
        result = find_scene_collider(f, &d->collider, &a->collider);
    int32_t *nodes = NULL;
    if (result == WEFT_OK)
        result = scene_select_nodes(f->r, f->in, d, &f->scene->cloths[a->cloth], &nodes, &a->def.n_nodes);
    if (result == WEFT_OK)
        result = fill_keys(f, &d->keys, &a->def.keys, &a->def.n_keys);
    if (result == WEFT_OK)
        result = check_count(f, &d->targets, "targets", a->def.n_nodes);
    if (result == WEFT_OK)
        result = check_count(f, &d->weights, "weights", a->def.n_nodes);
    a->def.nodes = nodes;
    a->def.targets = d->targets.items;
    a->def.weights = d->weights.items;
    return result;
}

static weft_result fill_attachments(filler *f)
{
    const draft_list *l = &f->draft->attachments;
    weft_scene *s = f->scene;
    s->attachments = scene_arena_make(&f->in->arena, (size_t)l->n, sizeof *s->attachments);
    if (!s->attachments)
        return fill_no_memory(f);
    s->n_attachments = l->n;
    weft_result result = WEFT_OK;
    for (int32_t i = 0; result == WEFT_OK && i < l->n; i++)
        result = fill_attachment(f, (const draft_attachment *)l->items + i, &s->attachments[i]);
    return result;
}

/* Nodes of a mesh that was not read are not checked. */
static weft_result check_tied(filler *f, const draft_list *nodes, int32_t cloth)
{
    const weft_scene_cloth *c = &f->scene->cloths[cloth];
    return c->is_grid || f->in->folder ? scene_check_nodes(f->r, nodes, c) : WEFT_OK;
}

static weft_result fill_tie(filler *f, draft_tie *d, weft_scene_tie *t)
{
    *t = (weft_scene_tie){.place = scene_place_of(d->head.node), .def = d->def};
    if (!d->cloth_b.text)
        d->cloth_b = d->cloth_a;
    weft_result result = find_scene_cloth(f, &d->cloth_a, &t->cloth_a);
    if (result == WEFT_OK)
        result = find_scene_cloth(f, &d->cloth_b, &t->cloth_b);
    if (result == WEFT_OK)
        result = check_tied(f, &d->nodes_a, t->cloth_a);
    if (result == WEFT_OK)
        result = check_tied(f, &d->nodes_b, t->cloth_b);
    if (result == WEFT_OK && d->nodes_a.n != d->nodes_b.n)
        result = tree_fault(f->r->source, d->nodes_b.node->mark, f->r->error, WEFT_ERROR_FORMAT,
                            "nodes_b is a list of %d: expected %d, as many as nodes_a", d->nodes_b.n, d->nodes_a.n);
    t->def.nodes_a = d->nodes_a.items;
    t->def.nodes_b = d->nodes_b.items;
    t->def.n_pairs = d->nodes_a.n;
    return result;
}

static weft_result fill_ties(filler *f)
{
    const draft_list *l = &f->draft->ties;
    weft_scene *s = f->scene;
    s->ties = scene_arena_make(&f->in->arena, (size_t)l->n, sizeof *s->ties);
    if (!s->ties)
        return fill_no_memory(f);
    s->n_ties = l->n;
    weft_result result = WEFT_OK;
    for (int32_t i = 0; result == WEFT_OK && i < l->n; i++)
        result = fill_tie(f, (draft_tie *)l->items + i, &s->ties[i]);
    return result;
}

static weft_result fill_layer(filler *f, const draft_layer *d, int32_t i)
{
    weft_scene_layer *l = &f->scene->layers[i];
    char shown[TREE_SHOWN];
    l->place = scene_place_of(d->head.node);
    weft_result result = find_scene_cloth(f, &d->inner, &l->inner);
    if (result == WEFT_OK)
        result = find_scene_cloth(f, &d->outer, &l->outer);
    if (result != WEFT_OK)
        return result;
    if (l->inner == l->outer)
        return tree_fault(f->r->source, d->outer.node->mark, f->r->error, WEFT_ERROR_FORMAT,
                          "cloth %s cannot be worn over itself", tree_quote(d->outer.text, shown));
    for (int32_t k = 0; k < i; k++)
        if (f->scene->layers[k].inner == l->outer && f->scene->layers[k].outer == l->inner)
            return tree_fault(f->r->source, d->head.node->mark, f->r->error, WEFT_ERROR_FORMAT,
                              "layers.%d is the other way round than layers.%d", i, k);
    return WEFT_OK;
}

static weft_result fill_layers(filler *f)
{
    const draft_list *l = &f->draft->layers;
    weft_scene *s = f->scene;
    if (l->n > 4096)
        return tree_fault(f->r->source, l->node->mark, f->r->error, WEFT_ERROR_RANGE,
                          "there are %d layers: expected at most 4096", l->n);
    s->layers = scene_arena_make(&f->in->arena, (size_t)l->n, sizeof *s->layers);
    if (!s->layers)
        return fill_no_memory(f);
    s->n_layers = l->n;
    weft_result result = WEFT_OK;
    for (int32_t i = 0; result == WEFT_OK && i < l->n; i++)
        result = fill_layer(f, (const draft_layer *)l->items + i, i);
    return result;
}

/* ---- the rest ---------------------------------------------------------------------------------------------------- */

static weft_result check_wind(filler *f)
{
    weft_vec3 w = f->draft->sim.wind;
    double most = (1 + f->draft->gust.strength) * sqrt(w.x * w.x + w.y * w.y + w.z * w.z);
    if (most <= 1e3)
        return WEFT_OK;
    const tree_node *forces = tree_find(f->draft->head.node, "forces");
    return tree_fault(f->r->source, place_mark(forces, "gust"), f->r->error, WEFT_ERROR_RANGE,
                      "wind in gusts is %g m/s: expected at most 1000", most);
}

static weft_result check_step(filler *f)
{
    const weft_scene_output *o = &f->draft->output;
    double h = 1 / (o->fps * o->steps_per_frame);
    if (h >= 1e-7 && h <= 0.5)
        return WEFT_OK;
    const tree_node *output = tree_find(f->draft->head.node, "output");
    return tree_fault(f->r->source, place_mark(output, h > 0.5 ? "fps" : "steps_per_frame"), f->r->error,
                      WEFT_ERROR_RANGE, "a step of 1 / (fps · steps_per_frame) is %g s: expected [1e-7, 0.5] s", h);
}

static weft_result check_camera(filler *f)
{
    const weft_scene_picture *p = &f->draft->picture;
    if (!p->has_camera || p->eye.x != p->target.x || p->eye.y != p->target.y || p->eye.z != p->target.z)
        return WEFT_OK;
    return tree_fault(f->r->source, place_mark(tree_find(f->draft->head.node, "picture"), "camera"), f->r->error,
                      WEFT_ERROR_DEGENERATE, "eye and target of the camera are the same point");
}

weft_result scene_fill(scene_reader *r, scene_inside *in, weft_scene *s)
{
    filler f = {r, in, &in->draft, s};
    weft_result (*const steps[])(filler *) = {fill_fabrics, fill_cloths, fill_colliders, fill_attachments, fill_ties,
                                              fill_layers,  check_wind,  check_step,     check_camera};
    weft_result result = WEFT_OK;
    for (size_t i = 0; result == WEFT_OK && i < sizeof steps / sizeof *steps; i++)
        result = steps[i](&f);
    s->sim = in->draft.sim;
    s->gust = in->draft.gust;
    s->output = in->draft.output;
    s->picture = in->draft.picture;
    return result;
}
