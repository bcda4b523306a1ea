/* SPDX-License-Identifier: MIT */
/* Puts panels round a body so that none starts in it, or in another panel.
 *
 * Each panel in turn gets its placement; then its distance from the body, and from the panels before it, is measured on
 * triangles, and for points inside by the sign of the distance. One that is too near is moved: a flat one along its
 * outer normal, a cylinder is widened and, if that does not help (a sleeve in the trunk), drawn out along its axis. The
 * first of a fixed list of moves, from the least on, that leaves enough room is taken, so the result is the same
 * everywhere.
 *
 * Invariants: 1. distances told are those of the triangles as placed; 2. panels are not bent but by their cylinder. */
#include "garment/body.h"
#include "garment/params.h"
#include "garment/place.h"
#include "garment/place_self.h"
#include "math/trig.h"

#include <string.h>

typedef struct placed_panel {
    collider_mesh *mesh;
} placed_panel;

typedef struct fitter {
    weft_garment *g;
    const weft_pattern *pattern;
    const weft_body *body;
    const weft_fit_def *def;
    mem *mem;
    collider_mesh *worn;  /* NULL: nothing */
    placed_panel *panels; /* NULL mesh: not placed yet */
    vec3 shift;           /* of the pattern's origin */
    weft_error *error;
} fitter;

weft_fit_def weft_fit_def_default(void)
{
    return (weft_fit_def){.struct_size = sizeof(weft_fit_def), .clearance = 0.005, .gap = 0.03};
}

/* ---- distances --------------------------------------------------------------------------------------------------- */

/* Least distance of a panel's faces from a mesh; quads as two triangles. Stops below `enough`, which may be -1. */
static double faces_distance(const weft_garment *g, int32_t panel, collider_mesh *mesh, double enough)
{
    const weft_garment_panel *p = &g->panels[panel];
    double least = PLACE_FARTHEST;
    for (int32_t i = 0; i < p->n_triangles + p->n_quads && least > enough; i++) {
        bool quad = i >= p->n_triangles;
        const int32_t *v = quad ? g->quads + 4 * (int64_t)(p->first_quad + i - p->n_triangles)
                                : g->triangles + 3 * (int64_t)(p->first_triangle + i);
        for (int half = 0; half <= quad; half++) {
            const vec3 x[3] = {g->positions[v[0]], g->positions[v[1 + half]], g->positions[v[2 + half]]};
            least = min_of(least, collider_mesh_triangle_distance(mesh, x, least));
        }
    }
    return least;
}

/* From the body; negative if a node is inside. */
static double body_clearance(const fitter *f, int32_t panel, double enough)
{
    const weft_garment_panel *p = &f->g->panels[panel];
    double least = PLACE_FARTHEST;
    for (int32_t i = p->first_node; i < p->first_node + p->n_nodes && least > enough; i++)
        least = min_of(least, collider_mesh_distance(f->body->mesh, f->g->positions[i]));
    return least < 0 || least <= enough ? least : min_of(least, faces_distance(f->g, panel, f->body->mesh, enough));
}

static double panels_clearance(const fitter *f, int32_t panel, double enough)
{
    double least = PLACE_FARTHEST;
    for (int32_t i = 0; i < f->g->n_panels && least > enough; i++)
        if (i != panel && f->panels[i].mesh)
            least = min_of(least, faces_distance(f->g, panel, f->panels[i].mesh, enough));
    return least;
}

static bool panel_is_clear(const fitter *f, int32_t panel)
{
    double wanted = f->def->clearance, between = min_of(wanted, PLACE_PANELS_APART);
    if (f->worn && faces_distance(f->g, panel, f->worn, 0.999 * wanted) < wanted)
        return false;
    return body_clearance(f, panel, 0.999 * wanted) >= wanted && panels_clearance(f, panel, 0.999 * between) >= between;
}

/* ---- moves ------------------------------------------------------------------------------------------------------- */

static vec3 rotation_column(const weft_placement *p, int k)
{
    return v3(p->rotation[k], p->rotation[3 + k], p->rotation[6 + k]);
}

/* Round the trunk, not round a limb. */
static bool placement_is_ring(const weft_placement *p)
{
    return p->kind == WEFT_PLACEMENT_CYLINDER && rotation_column(p, 1).y > 0.99;
}

/* A sleeve that would reach beyond the last joint, where cuffs and hands are, is pushed together. */
static double limb_length(const weft_limb *l)
{
    double limb = v3_len(v3_sub(l->joint[1], l->joint[0])) + v3_len(v3_sub(l->joint[2], l->joint[1]));
    double whole = l->top - l->hem, room = limb - PLACE_LIMB_END - l->start;
    return room >= whole || whole < PLACE_LIMB_LEAST ? 1 : max_of(room / whole, PLACE_LIMB_SHORTEST);
}

/* The k-th move of a placement; false if there are no more. *by is how far it is. */
static bool nth_move(const weft_placement *from, int k, weft_placement *to, double *by)
{
    *to = *from;
    if (from->kind == WEFT_PLACEMENT_FLAT || from->kind == WEFT_PLACEMENT_NONE) {
        *by = PLACE_STEP * k;
        to->translation = v3_madd(from->translation, *by, rotation_column(from, 2));
        return k < PLACE_MOVES_FLAT;
    }
    if (from->kind == WEFT_PLACEMENT_CONE) { /* a cone is let down, where it is wider */
        *by = PLACE_STEP_WIDER * k;
        to->translation.y -= *by;
        return k < PLACE_MOVES_FLAT;
    }
    if (from->kind == WEFT_PLACEMENT_LIMB) { /* out along the limb, wider above, wider below */
        const int first = k / PLACE_MOVES_ALONG,
                  times[3] = {k % PLACE_MOVES_ALONG, first % PLACE_MOVES_LIMB, first / PLACE_MOVES_LIMB};
        const double by_each[3] = {PLACE_STEP * times[0], PLACE_STEP * times[1], PLACE_STEP * times[2]};
        to->limb.start += by_each[0];
        to->limb.length = limb_length(&to->limb);
        to->limb.radius[0] += by_each[1];
        to->limb.radius[1] += by_each[2];
        *by = by_each[0] + by_each[1] + by_each[2];
        return k < PLACE_MOVES_ALONG * PLACE_MOVES_LIMB * PLACE_MOVES_LIMB;
    }
    int out = k % PLACE_MOVES_ALONG, wider = k / PLACE_MOVES_ALONG;
    bool keeps = fabs(from->rate * from->radius - 1) < 1e-9; /* a sleeve: it opens rather than stretch */
    double r = from->radius + PLACE_STEP_WIDER * wider, along = -PLACE_STEP * out;
    if (placement_is_ring(from)) /* down and up in turns */
        along = PLACE_STEP * (out % 2 ? -(out + 1) / 2 : out / 2);
    to->radius = r;
    to->rate = keeps ? 1 / r : from->rate;
    to->translation = v3_madd(from->translation, along, rotation_column(from, 1));
    *by = PLACE_STEP_WIDER * wider + fabs(along);
    return k < PLACE_MOVES_ALONG * PLACE_MOVES_WIDER;
}

static weft_result move_clear(fitter *f, int32_t panel, weft_panel_fit *fit)
{
    const weft_placement from = fit->placement;
    weft_placement best = from;
    double least = HUGE_VAL, by = 0;
    for (int k = 0; nth_move(&from, k, &fit->placement, &by); k++) {
        if (by >= least)
            continue;
        garment_place(f->g, panel, &fit->placement);
        if (!panel_is_clear(f, panel))
            continue;
        best = fit->placement;
        least = by;
        if (from.kind != WEFT_PLACEMENT_CYLINDER && from.kind != WEFT_PLACEMENT_LIMB)
            break;
    }
    fit->placement = best;
    fit->moved = least;
    garment_place(f->g, panel, &best);
    if (least < HUGE_VAL)
        return WEFT_OK;
    return error_set(f->error, WEFT_ERROR_DEGENERATE, panel,
                     "panel '%.100s' starts %s, and no move outward by up to half a metre leaves %.1f mm of room",
                     weft_pattern_panel(f->pattern, panel)->name,
                     body_clearance(f, panel, -1) <= 0 ? "in the body" : "too near to the body or another panel",
                     1e3 * f->def->clearance);
}

/* ---- one panel --------------------------------------------------------------------------------------------------- */

/* A sleeve in one piece, told to lie flat: its edges would be drawn together above the arm, not round it. And a cuff
 * told to be at the hand, where there is no room for it. */
static bool own_place_is_better(const fitter *f, int32_t panel)
{
    const weft_panel *p = weft_pattern_panel(f->pattern, panel);
    panel_role role = role_of(p);
    bool closes = false;
    for (int32_t i = 0; i < weft_pattern_seam_count(f->pattern); i++) {
        const weft_seam *s = weft_pattern_seam(f->pattern, i);
        closes = closes || (s->kind == WEFT_SEAM_PLAIN && s->a[0].panel == panel && s->b[0].panel == panel);
    }
    bool sleeve = role.part == ROLE_SLEEVE && !role.is_half && p->placement.kind == WEFT_PLACEMENT_FLAT;
    bool cuff = role.part == ROLE_CUFF && p->placement.joint;
    return closes && (sleeve || cuff) && role.side != ROLE_BOTH && f->body->landmarks.has_arms;
}

static weft_result choose_placement(fitter *f, int32_t panel, weft_panel_fit *fit)
{
    const weft_panel *p = weft_pattern_panel(f->pattern, panel);
    weft_panel_info info;
    weft_result r = weft_pattern_panel_info(f->pattern, panel, &info, f->error);
    if (r < 0)
        return r;
    *fit = (weft_panel_fit){.placement = p->placement, .stretch = 1};
    fit->from_hint =
        p->placement.kind != WEFT_PLACEMENT_NONE && !f->def->ignore_hints && !own_place_is_better(f, panel);
    if (fit->from_hint && p->placement.joint && !place_on_joint(f->body, &info, &fit->placement))
        return error_set(f->error, WEFT_ERROR_NOT_FOUND, panel,
                         "panel '%.100s' is to be put round '%.60s': no such joint", p->name, p->placement.joint);
    if (fit->from_hint && !p->placement.joint)
        fit->placement.translation = v3_add(fit->placement.translation, f->shift);
    if (!fit->from_hint && !place_self(f->body, f->pattern, panel, &info, f->def->gap, &fit->placement))
        return error_set(f->error, WEFT_ERROR_NOT_FOUND, panel,
                         "panel '%.100s': neither its name nor its edges tell where it goes; give it a placement",
                         p->name);
    return WEFT_OK;
}

/* The panel as a mesh that later ones keep away from. */
static bool keep_panel_mesh(fitter *f, int32_t panel)
{
    const weft_garment *g = f->g;
    const weft_garment_panel *p = &g->panels[panel];
    int32_t n = p->n_triangles + 2 * p->n_quads, *corners, k = 0;
    if (!MEM_MAKE(f->mem, corners, 3 * (int64_t)n))
        return false;
    for (int32_t i = 0; i < p->n_triangles + p->n_quads; i++) {
        bool quad = i >= p->n_triangles;
        const int32_t *v = quad ? g->quads + 4 * (int64_t)(p->first_quad + i - p->n_triangles)
                                : g->triangles + 3 * (int64_t)(p->first_triangle + i);
        for (int half = 0; half <= quad; half++) {
            corners[k++] = v[0] - p->first_node;
            corners[k++] = v[1 + half] - p->first_node;
            corners[k++] = v[2 + half] - p->first_node;
        }
    }
    weft_collider_def def = {.kind = WEFT_COLLIDER_MESH,
                             .vertices = g->positions + p->first_node,
                             .n_vertices = p->n_nodes,
                             .triangles = corners,
                             .n_triangles = n};
    collider_mesh *mesh = f->panels[panel].mesh = collider_mesh_create(f->mem, &def);
    if (mesh)
        memcpy(mesh->x, mesh->local, (size_t)p->n_nodes * sizeof(vec3));
    MEM_FREE(f->mem, corners, 3 * (int64_t)n);
    return mesh != NULL;
}

static bool make_worn_mesh(fitter *f)
{
    weft_collider_def def = {.kind = WEFT_COLLIDER_MESH,
                             .vertices = f->def->worn_vertices,
                             .n_vertices = f->def->n_worn_vertices,
                             .triangles = f->def->worn_triangles,
                             .n_triangles = f->def->n_worn_triangles};
    if (def.n_triangles == 0)
        return true;
    f->worn = collider_mesh_create(f->mem, &def);
    if (f->worn)
        memcpy(f->worn->x, f->worn->local, (size_t)def.n_vertices * sizeof(vec3));
    return f->worn != NULL;
}

/* Placements are made for a body that stands at the origin, or for one whose waist is there: garments hang from the
 * waist or from above it, so one that does not reach half the body's height is of the second kind. */
static vec3 placement_origin(const fitter *f)
{
    const weft_landmarks *m = &f->body->landmarks;
    double top = -HUGE_VAL;
    for (int32_t i = 0; i < f->g->n_panels; i++) {
        const weft_placement *p = &weft_pattern_panel(f->pattern, i)->placement;
        const weft_garment_panel *q = &f->g->panels[i];
        for (int32_t k = q->first_node; k < q->first_node + q->n_nodes && p->kind != WEFT_PLACEMENT_NONE && !p->joint;
             k++)
            top = max_of(top, weft_placement_at(p, f->g->drawn[k]).y);
    }
    bool low = top > -HUGE_VAL && top < m->low + 0.5 * (m->high - m->low);
    return v3(0, low ? m->waist.y : 0, 0);
}

static weft_result fit_panel(fitter *f, int32_t panel, weft_panel_fit *fit)
{
    weft_result r = choose_placement(f, panel, fit);
    r = r < 0 ? r : move_clear(f, panel, fit);
    if (r < 0)
        return r;
    fit->clearance = body_clearance(f, panel, -1);
    fit->apart = panels_clearance(f, panel, -1);
    if (fit->placement.kind == WEFT_PLACEMENT_CYLINDER)
        fit->stretch = fit->placement.rate * fit->placement.radius;
    for (int i = 0; i < 2 && fit->placement.kind == WEFT_PLACEMENT_LIMB; i++) {
        const weft_limb *l = &fit->placement.limb;
        fit->stretch = max_of(fit->stretch, l->span * l->radius[i] / l->width[i]);
    }
    return keep_panel_mesh(f, panel) ? WEFT_OK : error_memory(f->error);
}

static weft_result check_arguments(const weft_garment *g, const weft_pattern *p, const weft_fit_def *def,
                                   weft_error *error)
{
    if (def->struct_size != sizeof *def)
        return error_set(error, WEFT_ERROR_STRUCT_SIZE, -1, "weft_fit_def: struct_size is %zu, expected %zu",
                         def->struct_size, sizeof *def);
    if (!(def->clearance >= 0 && def->clearance <= 0.5 && def->gap >= 0 && def->gap <= 1))
        return error_set(error, WEFT_ERROR_RANGE, -1,
                         "clearance is %g m, expected [0, 0.5]; gap is %g m, expected [0, 1]", def->clearance,
                         def->gap);
    for (int32_t i = 0; i < 3 * def->n_worn_triangles; i++)
        if (def->worn_triangles[i] < 0 || def->worn_triangles[i] >= def->n_worn_vertices)
            return error_set(error, WEFT_ERROR_INDEX, i, "worn_triangles[%d] is %d, there are %d vertices", i,
                             def->worn_triangles[i], def->n_worn_vertices);
    if (weft_pattern_panel_count(p) != g->n_panels)
        return error_set(error, WEFT_ERROR_ARGUMENT, -1, "the garment was not made from this pattern");
    return WEFT_OK;
}

weft_result weft_garment_fit(weft_garment *garment, const weft_pattern *pattern, const weft_body *body,
                             const weft_fit_def *def, weft_panel_fit *fits, weft_error *error)
{
    if (!garment || !pattern || !body || !def)
        return error_set(error, WEFT_ERROR_ARGUMENT, -1, "garment, pattern, body or def is NULL");
    weft_result r = check_arguments(garment, pattern, def, error);
    if (r < 0)
        return r;
    fitter f = {.g = garment, .pattern = pattern, .body = body, .def = def, .mem = &garment->mem, .error = error};
    f.shift = placement_origin(&f);
    vec3 *before = NULL; /* a failure leaves all where it was */
    if (!make_worn_mesh(&f) || !MEM_MAKE(f.mem, f.panels, garment->n_panels) ||
        !MEM_MAKE(f.mem, before, garment->n_nodes))
        r = error_memory(error);
    else
        memcpy(before, garment->positions, (size_t)garment->n_nodes * sizeof *before);
    for (int32_t i = 0; r == WEFT_OK && i < garment->n_panels; i++) {
        weft_panel_fit fit;
        r = fit_panel(&f, i, &fit);
        if (r == WEFT_OK && fits)
            fits[i] = fit;
    }
    if (r < 0 && before)
        memcpy(garment->positions, before, (size_t)garment->n_nodes * sizeof *before);
    collider_mesh_destroy(f.worn);
    for (int32_t i = 0; f.panels && i < garment->n_panels; i++)
        collider_mesh_destroy(f.panels[i].mesh);
    MEM_FREE(f.mem, f.panels, garment->n_panels);
    MEM_FREE(f.mem, before, garment->n_nodes);
    return r;
}
