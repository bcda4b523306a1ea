/* SPDX-License-Identifier: MIT */
/* Which nodes an attachment means: those it lists, a part of a grid, a group of a mesh, those in a ball or a box. */
#include "io/scene/scene_inside.h"

#include "io/heap.h"
#include "io/params.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static double length_of(weft_vec3 a)
{
    return sqrt(a.x * a.x + a.y * a.y + a.z * a.z);
}

static weft_vec3 grid_point(weft_vec3 a, double by)
{
    return (weft_vec3){a.x / by, a.y / by, a.z / by};
}

bool scene_grid_axes(const weft_grid_def *g, weft_vec3 *warp, weft_vec3 *weft)
{
    weft_vec3 a = grid_point(g->axis_warp, length_of(g->axis_warp)),
              b = grid_point(g->axis_weft, length_of(g->axis_weft));
    double along = a.x * b.x + a.y * b.y + a.z * b.z;
    b = (weft_vec3){b.x - along * a.x, b.y - along * a.y, b.z - along * a.z};
    double sine = length_of(b);
    *warp = a;
    *weft = sine > 0 ? grid_point(b, sine) : b;
    return sine > 1e-9;
}

static int32_t n_nodes_of(const weft_scene_cloth *c)
{
    return c->is_grid ? c->grid.n_warp * c->grid.n_weft : c->mesh.n_nodes;
}

/* ---- a part of a grid -------------------------------------------------------------------------------------------- */

static bool is_selected(const weft_grid_def *g, draft_select what, int32_t k)
{
    int32_t i = k % g->n_warp, j = k / g->n_warp;
    bool warp_end = i == g->n_warp - 1, weft_end = j == g->n_weft - 1;
    switch (what) {
    case SELECT_CORNERS: return (i == 0 || warp_end) && (j == 0 || weft_end);
    case SELECT_WARP_START: return i == 0;
    case SELECT_WARP_END: return warp_end;
    case SELECT_WEFT_START: return j == 0;
    case SELECT_WEFT_END: return weft_end;
    case SELECT_BORDER: return i == 0 || warp_end || j == 0 || weft_end;
    case SELECT_ALL: return true;
    }
    return false;
}

/* ---- places in space --------------------------------------------------------------------------------------------- */

typedef struct points {
    const weft_scene_cloth *cloth;
    weft_vec3 warp, weft;
} points;

static weft_vec3 cloth_point_at(const points *p, int32_t k)
{
    const weft_scene_cloth *c = p->cloth;
    if (!c->is_grid)
        return c->mesh.positions[k];
    const weft_grid_def *g = &c->grid;
    int32_t row = k / g->n_warp, column = k % g->n_warp;
    double u = g->size_warp * column / (g->n_warp - 1), v = g->size_weft * row / (g->n_weft - 1);
    return (weft_vec3){g->corner.x + u * p->warp.x + v * p->weft.x, g->corner.y + u * p->warp.y + v * p->weft.y,
                       g->corner.z + u * p->warp.z + v * p->weft.z};
}

/* A node on the rim counts, whatever its position was rounded to. */
static bool is_in_space(const draft_attachment *d, weft_vec3 x)
{
    const double slack = 1e-9;
    if (d->has_near) {
        double a = x.x - d->near_point.x, b = x.y - d->near_point.y, c = x.z - d->near_point.z;
        return sqrt(a * a + b * b + c * c) <= d->near_radius + slack;
    }
    return x.x >= d->box_min.x - slack && x.y >= d->box_min.y - slack && x.z >= d->box_min.z - slack &&
           x.x <= d->box_max.x + slack && x.y <= d->box_max.y + slack && x.z <= d->box_max.z + slack;
}

/* ---- groups ------------------------------------------------------------------------------------------------------ */

static weft_result mark_group(scene_reader *r, const draft_attachment *d, const weft_mesh *m, bool *is_in)
{
    const char **names = scene_arena_make(r->arena, (size_t)m->n_groups + 1, sizeof *names);
    int32_t group = -1;
    for (int32_t i = 0; names && i < m->n_groups; i++) {
        names[i] = m->group_names[i];
        if (strcmp(names[i], d->group.text) == 0)
            group = i;
    }
    if (group < 0)
        return names ? scene_no_such(r, "group", &d->group, names) : fault_memory(r->error);
    for (int32_t i = 0; m->face_group && i < m->n_faces; i++)
        for (int32_t k = m->face_start[i]; m->face_group[i] == group && k < m->face_start[i + 1]; k++)
            is_in[m->corners[k]] = true;
    return WEFT_OK;
}

/* ---- all of them ------------------------------------------------------------------------------------------------- */

static weft_result mark_nodes(scene_reader *r, const draft_attachment *d, const weft_scene_cloth *c, bool *is_in)
{
    if (d->group.text)
        return mark_group(r, d, &c->mesh, is_in);
    points p = {.cloth = c};
    if (c->is_grid)
        scene_grid_axes(&c->grid, &p.warp, &p.weft);
    for (int32_t k = 0; k < n_nodes_of(c); k++)
        is_in[k] = d->has_select ? d->select == SELECT_ALL || is_selected(&c->grid, d->select, k)
                                 : is_in_space(d, cloth_point_at(&p, k));
    return WEFT_OK;
}

static weft_result selector_fault(scene_reader *r, const draft_attachment *d, const weft_scene_cloth *c,
                                  const char *what)
{
    char shown[TREE_SHOWN];
    const tree_node *item = d->head.node, *n = NULL;
    static const char *const keys[] = {"select", "group", "near", "box"};
    for (size_t i = 0; !n && i < sizeof keys / sizeof *keys; i++)
        n = tree_find(item, keys[i]);
    return tree_fault(r->source, n ? n->mark : item->mark, r->error, WEFT_ERROR_FORMAT, "cloth %s %s",
                      tree_quote(c->name, shown), what);
}

/* The way a node is found does not fit the way the cloth was made. */
static weft_result check_selector(scene_reader *r, const draft_attachment *d, const weft_scene_cloth *c)
{
    if (d->has_select && d->select != SELECT_ALL && !c->is_grid)
        return selector_fault(r, d, c, "is a mesh: expected 'all', or another way to name nodes");
    if (d->group.text && c->is_grid)
        return selector_fault(r, d, c, "is a grid and has no groups: expected another way to name nodes");
    return WEFT_OK;
}

static weft_result collect_nodes(scene_reader *r, const draft_attachment *d, const weft_scene_cloth *c, bool *is_in,
                                 int32_t **nodes, int32_t *n)
{
    int32_t all = n_nodes_of(c), found = 0;
    weft_result result = mark_nodes(r, d, c, is_in);
    if (result < 0)
        return result;
    for (int32_t k = 0; k < all; k++)
        found += is_in[k];
    if (found == 0)
        return selector_fault(r, d, c, "has no node there: expected at least one");
    *nodes = scene_arena_make(r->arena, (size_t)found, sizeof **nodes);
    if (!*nodes)
        return fault_memory(r->error);
    for (int32_t k = 0; k < all; k++)
        if (is_in[k])
            (*nodes)[(*n)++] = k;
    return WEFT_OK;
}

weft_result scene_check_nodes(scene_reader *r, const draft_list *nodes, const weft_scene_cloth *c)
{
    char shown[TREE_SHOWN];
    const int32_t *items = nodes->items;
    int32_t all = n_nodes_of(c);
    for (int32_t i = 0; i < nodes->n; i++)
        if (items[i] >= all)
            return tree_fault(r->source, nodes->node->items[i]->mark, r->error, WEFT_ERROR_INDEX,
                              "node %d: cloth %s has nodes 0 to %d", items[i], tree_quote(c->name, shown), all - 1);
    return WEFT_OK;
}

weft_result scene_select_nodes(scene_reader *r, scene_inside *in, const draft_attachment *d, const weft_scene_cloth *c,
                               int32_t **nodes, int32_t *n)
{
    *nodes = NULL;
    *n = 0;
    bool is_unread = !c->is_grid && !in->folder;
    if (d->nodes.n > 0) {
        *nodes = d->nodes.items;
        *n = d->nodes.n;
        return is_unread ? WEFT_OK : scene_check_nodes(r, &d->nodes, c);
    }
    weft_result result = check_selector(r, d, c);
    if (result < 0 || is_unread)
        return result;
    in->n_looked_at += n_nodes_of(c);
    if (in->n_looked_at > SELECTOR_MOST_LOOKS)
        return selector_fault(r, d, c, "is too large for so many attachments");
    bool *is_in = heap_array((size_t)n_nodes_of(c), sizeof *is_in);
    result = is_in ? collect_nodes(r, d, c, is_in, nodes, n) : fault_memory(r->error);
    free(is_in);
    return result;
}
