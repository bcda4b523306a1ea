/* SPDX-License-Identifier: MIT */
/* Untangling as a tool: positions in, positions out.
 *
 * Idea: find contours, take a step that shortens them, and again. Repulsive normals come first, given or found by
 * flood fill. If the number of crossing triangles has not fallen for a while, another strategy is taken up: plain
 * minimisation, one vector a contour, a smoother patch; then from the start, with a larger patch. When no contour is
 * left, the exact audit judges, and what merely touches is moved apart. The best state seen is what comes out.
 *
 * Source: ye2012; which strategy when is ours (the paper leaves it to the user).
 *
 * Invariants:
 * 1. Colliders and nodes without mobility keep their bits; nodes at one place at the start stay at one place.
 * 2. By the exact audit the result has no more intersecting pairs than the start.
 * 3. The result is the same for any number of threads. */
#include "untangle/untangle.h"

#include <assert.h>
#include <string.h>

#include "contact/audit.h"
#include "untangle/outside.h"
#include "untangle/params.h"

typedef struct work {
    const weft_untangle_def *def;
    mem m;
    pool *pool;
    mesh_adjacency w;
    bvh *bvh;
    audit *audit;
    contours c;
    intruders s;
    minimise k;
    bodies bodies;
    slides slides;
    bool *is_solid; /* per object */
    uint8_t *held;  /* per node */
    outside o;
    int64_t n_inside;          /* at x */
    weft_untangle_side *sides; /* per object */
    vec3 *x, *best;
    int64_t best_pairs; /* crossing pairs under the perturbation */
    double best_length;
    int32_t (*touching)[2];
    int64_t touching_room;
    weft_untangle_report *report;
    weft_untangle_strategy strategy;
    int32_t waited, cycle;
} work;

weft_untangle_def weft_untangle_def_default(void)
{
    return (weft_untangle_def){.struct_size = sizeof(weft_untangle_def),
                               .n_objects = 1,
                               .step = 0.35,
                               .max_iterations = 1500,
                               .pair_limit = INT64_C(1) << 22,
                               .n_threads = 1};
}

/* ---- checks ------------------------------------------------------------------------------------------------------ */

static weft_result check_untangle_numbers(const weft_untangle_def *d, weft_error *e)
{
    if (d->struct_size != sizeof *d)
        return error_set(e, WEFT_ERROR_STRUCT_SIZE, -1, "weft_untangle_def has %zu bytes, not %zu", sizeof *d,
                         d->struct_size);
    if (d->n_nodes < 0 || d->n_triangles < 0 || (d->n_nodes > 0 && !d->positions) ||
        (d->n_triangles > 0 && !d->triangles))
        return error_set(e, WEFT_ERROR_ARGUMENT, -1, "%d nodes and %d triangles need their arrays", d->n_nodes,
                         d->n_triangles);
    if (d->n_objects < 1 || d->n_objects > 1000000)
        return error_set(e, WEFT_ERROR_RANGE, -1, "n_objects is %d, outside [1, 1000000]", d->n_objects);
    if (!(d->gap >= 0 && d->gap <= 1))
        return error_set(e, WEFT_ERROR_RANGE, -1, "gap is %g m, outside [0, 1]", d->gap);
    if (!(d->thickness >= 0 && d->thickness <= 1))
        return error_set(e, WEFT_ERROR_RANGE, -1, "thickness is %g m, outside [0, 1]", d->thickness);
    if (d->n_colliders < 0 || d->n_colliders > 100000 || (d->n_colliders > 0 && !d->colliders))
        return error_set(e, WEFT_ERROR_RANGE, -1, "%d colliders, outside [0, 100000]", d->n_colliders);
    if (!(d->step > 0 && d->step <= 1))
        return error_set(e, WEFT_ERROR_RANGE, -1, "step is %g, outside (0, 1]", d->step);
    if (!(d->rigid_step >= 0 && d->rigid_step <= 1))
        return error_set(e, WEFT_ERROR_RANGE, -1, "rigid_step is %g m, outside [0, 1]", d->rigid_step);
    if (d->max_iterations < 1 || d->max_iterations > 100000)
        return error_set(e, WEFT_ERROR_RANGE, -1, "max_iterations is %d, outside [1, 100000]", d->max_iterations);
    if (d->pair_limit < 1 || d->pair_limit > INT64_C(1) << 28)
        return error_set(e, WEFT_ERROR_RANGE, -1, "pair_limit is outside [1, 2^28]");
    if (d->n_threads < 0 || d->n_threads > 256)
        return error_set(e, WEFT_ERROR_RANGE, -1, "n_threads is %d, outside [0, 256]", d->n_threads);
    return WEFT_OK;
}

static weft_result check_untangle_nodes(const weft_untangle_def *d, weft_error *e)
{
    for (int32_t vi = 0; vi < d->n_nodes; vi++) {
        if (!v3_is_finite(d->positions[vi]))
            return error_set(e, WEFT_ERROR_NOT_FINITE, vi, "node %d is not at a finite place", vi);
        if (v3_max_abs(d->positions[vi]) > 1e30)
            return error_set(e, WEFT_ERROR_RANGE, vi, "node %d is farther off than 1e30 m", vi);
        if (d->masses && !(d->masses[vi] >= 0 && d->masses[vi] <= 1e30))
            return error_set(e, WEFT_ERROR_MASS, vi, "node %d has a mass of %g kg", vi, d->masses[vi]);
    }
    return WEFT_OK;
}

static weft_result check_untangle_elements(const weft_untangle_def *d, weft_error *e)
{
    for (int32_t ti = 0; ti < d->n_triangles; ti++) {
        for (int i = 0; i < 3; i++)
            if (d->triangles[3 * ti + i] < 0 || d->triangles[3 * ti + i] >= d->n_nodes)
                return error_set(e, WEFT_ERROR_INDEX, ti, "triangle %d names node %d of %d", ti,
                                 d->triangles[3 * ti + i], d->n_nodes);
        if (d->objects && (d->objects[ti] < 0 || d->objects[ti] >= d->n_objects))
            return error_set(e, WEFT_ERROR_INDEX, ti, "triangle %d is of object %d of %d", ti, d->objects[ti],
                             d->n_objects);
    }
    for (int32_t i = 0; i < d->n_layers; i++) {
        weft_untangle_layer l = d->layers[i];
        if (l.inner < 0 || l.outer < 0 || l.inner >= d->n_objects || l.outer >= d->n_objects || l.inner == l.outer)
            return error_set(e, WEFT_ERROR_INDEX, i, "layer %d has object %d over %d of %d", i, l.outer, l.inner,
                             d->n_objects);
    }
    for (int32_t i = 0; d->object_side && i < d->n_objects; i++)
        if (d->object_side[i] < WEFT_SIDE_IN || d->object_side[i] > WEFT_SIDE_PLAIN)
            return error_set(e, WEFT_ERROR_RANGE, i, "object %d has no such side as %d", i, d->object_side[i]);
    return WEFT_OK;
}

/* ---- making ------------------------------------------------------------------------------------------------------ */

/* The first node at a place stands for all of them: it is as heavy as the heaviest, and fixed if one of them is. */
static void set_node_mobility(work *k)
{
    const weft_untangle_def *d = k->def;
    double *out = k->k.mobility;
    for (int32_t vi = 0; vi < d->n_nodes && d->masses; vi++) {
        double *mobility = &out[k->w.same[vi]];
        double own = d->masses[vi] > 0 ? 1 / max_of(d->masses[vi], 1e-30) : 0;
        *mobility = k->w.same[vi] == vi ? own : min_of(own, *mobility);
    }
    for (int32_t ti = 0; ti < d->n_triangles && d->object_is_collider; ti++)
        if (d->object_is_collider[d->objects ? d->objects[ti] : 0])
            for (int i = 0; i < 3; i++)
                out[k->w.tri[ti][i]] = 0;
    for (int32_t vi = 0; vi < d->n_nodes; vi++)
        if (k->bodies.of[vi] >= 0)
            out[vi] = 0;
}

/* Colliders and rigid objects have sides of their own. */
static void find_held_nodes(work *k)
{
    const weft_untangle_def *d = k->def;
    for (int32_t ti = 0; ti < d->n_triangles; ti++) {
        int32_t object = d->objects ? d->objects[ti] : 0;
        bool solid = (d->object_is_collider && d->object_is_collider[object]) ||
                     (d->object_is_rigid && d->object_is_rigid[object]);
        for (int i = 0; i < 3; i++)
            k->held[k->w.tri[ti][i]] = !solid && k->k.mobility[k->w.tri[ti][i]] == 0;
    }
    k->s.held = k->held;
}

static bool set_sides(work *k)
{
    const weft_untangle_def *d = k->def;
    if (!MEM_MAKE(&k->m, k->sides, d->n_objects) || !MEM_MAKE(&k->m, k->is_solid, d->n_objects))
        return false;
    for (int32_t i = 0; i < d->n_objects; i++) {
        bool fixed = d->object_is_collider && d->object_is_collider[i];
        bool solid = fixed || (d->object_is_rigid && d->object_is_rigid[i]);
        k->sides[i] = d->object_side ? d->object_side[i] : solid ? WEFT_SIDE_OUT : WEFT_SIDE_DYNAMIC;
        k->is_solid[i] = fixed && k->sides[i] == WEFT_SIDE_OUT;
    }
    k->k.object_side = k->sides;
    k->k.object = d->objects;
    k->k.layers = d->layers;
    k->k.n_layers = d->n_layers;
    slides_init(&k->slides, &k->m, d->objects, d->keep_shape ? NULL : k->is_solid); /* slipping moves all of it */
    k->k.slides = &k->slides;
    return true;
}

static double mean_edge_length(const mesh_adjacency *w, const vec3 *x)
{
    double sum = 0;
    for (int32_t i = 0; i < w->n_edges; i++)
        sum += v3_len(v3_sub(x[w->edges[i].v[0]], x[w->edges[i].v[1]])) / w->n_edges;
    return sum;
}

static weft_result make_judges(work *k, weft_error *e)
{
    const weft_untangle_def *d = k->def;
    bvh_input t = {.n_nodes = d->n_nodes,
                   .n_triangles = d->n_triangles,
                   .triangles = (const int32_t(*)[3])k->w.tri,
                   .x = k->x,
                   .object = d->objects,
                   .n_objects = d->n_objects,
                   .fixed = d->object_is_collider};
    audit_input a = {.n_nodes = d->n_nodes,
                     .n_triangles = d->n_triangles,
                     .triangles = (const int32_t(*)[3])k->w.tri,
                     .x = k->x,
                     .object = d->objects,
                     .n_objects = d->n_objects,
                     .fixed = d->object_is_collider};
    weft_result r = bvh_create(&k->m, &t, &k->bvh, e);
    return r < 0 ? r : audit_create(&k->m, &a, &k->audit, e);
}

static weft_result make_untangle_work(work *k, weft_error *e)
{
    const weft_untangle_def *d = k->def;
    int32_t n = d->n_nodes;
    k->pool = pool_create(&k->m, d->n_threads, NULL, NULL);
    bool good = k->pool != NULL;
    good = MEM_MAKE(&k->m, k->x, n) && good;
    good = MEM_MAKE(&k->m, k->best, n) && good;
    good = MEM_MAKE(&k->m, k->held, n) && good;
    if (good && n > 0)
        memcpy(k->x, d->positions, (size_t)n * sizeof *k->x);
    contours_init(&k->c, &k->m);
    good = good && mesh_adjacency_make(&k->w, &k->m, n, k->x, d->n_triangles, (const int32_t(*)[3])d->triangles) &&
           intruders_make(&k->s, &k->m, &k->w) && minimise_make(&k->k, &k->m, &k->w, k->x) &&
           bodies_make(&k->bodies, &k->m, d, &k->w) && set_sides(k);
    if (!good)
        return error_memory(e);
    set_node_mobility(k);
    find_held_nodes(k);
    k->k.bodies = d->object_is_rigid ? &k->bodies : NULL;
    k->k.gap = d->gap > 0 ? d->gap : UNTANGLE_GAP_OF_EDGE * mean_edge_length(&k->w, k->x);
    k->k.step = d->step;
    k->k.weigh = true;
    k->s.slits = true;
    weft_result r = outside_make(&k->o, &k->m, d, &k->w, k->sides, e);
    k->o.lengths = &k->k;
    return r < 0 ? r : make_judges(k, e);
}

static void free_untangle_work(work *k)
{
    int32_t n = k->def->n_nodes;
    bvh_destroy(k->bvh);
    audit_destroy(k->audit);
    contours_free(&k->c);
    intruders_free(&k->s);
    outside_free(&k->o);
    minimise_free(&k->k);
    bodies_free(&k->bodies);
    mesh_adjacency_free(&k->w);
    MEM_FREE(&k->m, k->sides, k->def->n_objects);
    MEM_FREE(&k->m, k->is_solid, k->def->n_objects);
    slides_free(&k->slides);
    MEM_FREE(&k->m, k->x, n);
    MEM_FREE(&k->m, k->best, n);
    MEM_FREE(&k->m, k->held, n);
    MEM_FREE(&k->m, k->touching, k->touching_room);
    pool_destroy(k->pool);
}

/* ---- steps ------------------------------------------------------------------------------------------------------- */

static weft_result find_tangles(work *k, weft_error *e)
{
    weft_result r = contours_find(&k->c, &k->w, k->bvh, k->pool, k->x, e);
    if (r >= 0 && (!intruders_find(&k->s, &k->w, &k->c, k->x) || !slides_find(&k->slides, &k->c, &k->s)))
        r = error_memory(e);
    if (r >= 0)
        k->n_inside = outside_push(&k->o, NULL, &k->w, k->x);
    return r;
}

static void move_vertices(work *k)
{
    for (int32_t vi = 0; vi < k->w.n_vertices; vi++)
        if (k->k.mobility[vi] > 0)
            k->x[vi] = v3_add(k->x[vi], k->k.d[vi]);
        else if (k->bodies.of[vi] >= 0)
            k->x[vi] = v3_add(k->x[vi], bodies_move(&k->bodies, k->bodies.of[vi]));
    k->report->n_iterations++;
    k->report->iterations[k->strategy]++;
}

/* Better: fewer pairs cross; or as many, on shorter contours. */
static void keep_best(work *k)
{
    int64_t pairs = k->c.n_segments + k->n_inside;
    k->waited++;
    if (pairs > k->best_pairs || (pairs == k->best_pairs && k->c.length >= k->best_length))
        return;
    if (pairs < k->best_pairs || k->c.length < UNTANGLE_SHORTER * k->best_length)
        k->waited = 0;
    k->best_pairs = pairs;
    k->best_length = k->c.length;
    memcpy(k->best, k->x, (size_t)k->w.n_vertices * sizeof *k->x);
}

static void change_strategy(work *k)
{
    bool last = k->strategy >= WEFT_UNTANGLE_SMOOTHED;
    k->strategy = last ? WEFT_UNTANGLE_SIDES : (weft_untangle_strategy)(k->strategy + 1);
    k->cycle += last;
    k->waited = 0;
    k->report->n_switched++;
}

/* How far smoothing reaches: farther each time, unless the shape is to be kept. */
static int smooth_rings(const work *k)
{
    return UNTANGLE_SMOOTH_RINGS * (k->def->keep_shape ? 1 : 1 + k->cycle);
}

static weft_result shorten_contours(work *k, weft_error *e)
{
    int32_t patience =
        k->strategy == WEFT_UNTANGLE_SMOOTHED ? UNTANGLE_SMOOTH_PATIENCE * (1 + k->cycle) : UNTANGLE_PATIENCE;
    if (!k->def->fixed_strategy && !k->def->as_published && k->waited >= patience)
        change_strategy(k);
    if (k->strategy == WEFT_UNTANGLE_SMOOTHED)
        minimise_smooth(&k->k, &k->c, k->x, smooth_rings(k));
    else {
        minimise_begin(&k->k);
        if (!minimise_crossings(&k->k, &k->c, &k->s, k->x, k->strategy))
            return error_memory(e);
        bool pierced = k->slides.longest >= 0;
        k->o.slide = pierced ? k->slides.way[k->slides.longest] : v3_zero();
        k->k.rings = pierced ? UNTANGLE_SLIDE_RINGS : UNTANGLE_FOLLOW_RINGS;
        k->k.follow = pierced ? UNTANGLE_SLIDE_FOLLOW : UNTANGLE_FOLLOW;
        k->o.chords_alone = k->def->fixed_strategy || k->def->as_published || k->strategy == WEFT_UNTANGLE_PLAIN;
        outside_push(&k->o, &k->k, &k->w, k->x);
        minimise_end(&k->k);
    }
    move_vertices(k);
    return WEFT_OK;
}

/* ---- what touches ------------------------------------------------------------------------------------------------ */

static weft_result list_touching(work *k, int64_t *n, weft_error *e)
{
    weft_result r = audit_run(k->audit, k->pool, k->x, k->def->pair_limit, e);
    if (r < 0)
        return r;
    audit_found f = audit_get(k->audit);
    *n = f.n_pairs;
    if (f.n_pairs > k->touching_room) {
        MEM_FREE(&k->m, k->touching, k->touching_room);
        k->touching_room = 2 * f.n_pairs;
        if (!MEM_MAKE(&k->m, k->touching, k->touching_room))
            return k->touching_room = 0, error_memory(e);
    }
    assert(k->touching || f.n_pairs == 0);
    for (int64_t i = 0; i < f.n_pairs; i++)
        memcpy(k->touching[i], f.pairs[i].triangle, sizeof k->touching[i]);
    return r;
}

/* No contour is left: the audit's turn. *clean tells whether it finds nothing. */
static weft_result part_touching_pairs(work *k, int round, bool *clean, weft_error *e)
{
    int64_t n = 0;
    weft_result r = list_touching(k, &n, e);
    *clean = r >= 0 && n == 0;
    if (r < 0 || *clean)
        return r;
    weft_untangle_strategy before = k->strategy;
    minimise_part(&k->k, (const int32_t(*)[2])k->touching, n, k->x,
                  k->k.gap * (UNTANGLE_PART_FIRST + UNTANGLE_PART_MORE * round));
    k->strategy = WEFT_UNTANGLE_TOUCHING;
    move_vertices(k);
    k->strategy = before;
    return r;
}

static weft_result run_untangle(work *k, weft_error *e)
{
    bool clean = false;
    int parted = 0;
    weft_result r = find_tangles(k, e);
    while (r >= 0) {
        keep_best(k);
        k->report->length_last = k->c.length;
        if (k->report->n_iterations >= k->def->max_iterations)
            break;
        if (k->c.n_segments + k->n_inside > 0)
            r = shorten_contours(k, e);
        else
            r = parted < UNTANGLE_PART_ROUNDS ? part_touching_pairs(k, parted++, &clean, e) : WEFT_OK;
        if (r < 0 || clean || (k->c.n_segments + k->n_inside == 0 && parted >= UNTANGLE_PART_ROUNDS))
            break;
        r = find_tangles(k, e);
    }
    if (clean)
        memcpy(k->best, k->x, (size_t)k->w.n_vertices * sizeof *k->x);
    return r;
}

/* ---- reports ----------------------------------------------------------------------------------------------------- */

static weft_result audit_count(work *k, const vec3 *x, int64_t *pairs, double *length, int32_t *n_contours,
                               weft_error *e)
{
    weft_result r = audit_run(k->audit, k->pool, x, k->def->pair_limit, e);
    audit_found f = audit_get(k->audit);
    *pairs = f.n_pairs;
    *n_contours = f.n_contours;
    *length = 0;
    for (int32_t i = 0; i < f.n_contours; i++)
        *length += f.contours[i].length;
    return r;
}

static void count_kinds(work *k)
{
    weft_untangle_report *p = k->report;
    int32_t *of[] = {&p->n_closed, &p->n_border, &p->n_loop, &p->n_branch};
    for (int32_t i = 0; i < k->c.n_lines; i++) {
        (*of[k->c.lines[i].kind])++;
        p->n_undecided += k->s.lines[i].side[0] == 0 && k->s.lines[i].side[1] == 0;
    }
}

static void measure_moves(work *k)
{
    weft_untangle_report *p = k->report;
    for (int32_t vi = 0; vi < k->w.n_vertices; vi++) {
        double way = v3_len(v3_sub(k->best[k->w.same[vi]], k->def->positions[vi]));
        p->n_moved += way > 0;
        p->mean_move += way;
        p->max_move = max_of(p->max_move, way);
    }
    p->mean_move = p->n_moved > 0 ? p->mean_move / p->n_moved : 0;
}

static weft_result start_untangle(work *k, weft_error *e)
{
    weft_untangle_report *p = k->report;
    weft_result r = audit_count(k, k->x, &p->pairs_before, &p->length_before, &p->contours_before, e);
    r = r < 0 ? r : find_tangles(k, e);
    if (r < 0)
        return r;
    count_kinds(k);
    p->inside_before = k->n_inside;
    for (int i = 0; i < 3; i++)
        p->n_cut[i] = k->o.n_cut[i];
    p->n_open_edges = k->o.n_open_edges;
    p->n_non_manifold_edges = k->o.n_non_manifold_edges;
    p->n_flipped_edges = k->o.n_flipped_edges;
    k->best_pairs = INT64_MAX;
    k->k.bare = k->def->as_published;
    k->strategy = k->def->average ? WEFT_UNTANGLE_AVERAGED : WEFT_UNTANGLE_SIDES;
    return WEFT_OK;
}

/* The result may not be worse than the start. */
static weft_result finish_untangle(work *k, vec3 *out, weft_error *e)
{
    weft_untangle_report *p = k->report;
    weft_result r = audit_count(k, k->best, &p->pairs_after, &p->length_after, &p->contours_after, e);
    if (r < 0)
        return r;
    if (p->pairs_after > p->pairs_before) {
        memcpy(k->best, k->def->positions, (size_t)k->w.n_vertices * sizeof *k->best);
        p->pairs_after = p->pairs_before;
        p->length_after = p->length_before;
        p->contours_after = p->contours_before;
    }
    p->inside_after = outside_push(&k->o, NULL, &k->w, k->best);
    measure_moves(k);
    for (int32_t vi = 0; vi < k->w.n_vertices; vi++) /* best is not read at vi any more once it is written */
        out[vi] = k->best[k->w.same[vi]];
    return WEFT_OK;
}

weft_result untangle_check(const weft_untangle_def *def, weft_error *e)
{
    weft_result r = check_untangle_numbers(def, e);
    r = r < 0 ? r : check_untangle_nodes(def, e);
    return r < 0 ? r : check_untangle_elements(def, e);
}

weft_result untangle_survey(const weft_untangle_def *def, weft_untangle_report *report, weft_error *error)
{
    work k = {.def = def, .report = report};
    *report = (weft_untangle_report){0};
    mem_init(&k.m, def->alloc, def->alloc_user);
    weft_result r = make_untangle_work(&k, error);
    r = r < 0 ? r : start_untangle(&k, error);
    free_untangle_work(&k);
    return r;
}

/* Of nodes in colliders: whether the nearest ways out agree. */
static bool mark_inside(work *k, uint8_t *at)
{
    vec3 sum = v3_zero();
    double all = 0;
    minimise_begin(&k->k);
    outside_push(&k->o, &k->k, &k->w, k->x);
    for (int32_t vi = 0; vi < k->w.n_vertices; vi++)
        if (k->k.weight[vi] > 0) {
            at[vi] |= UNTANGLE_MARK_HERE;
            sum = v3_add(sum, v3_unit_or(k->k.d[vi], v3_zero()));
            all++;
        }
    return v3_len(sum) >= UNTANGLE_AGREED * all && v3_len_sq(k->o.slide) == 0 && k->slides.longest < 0;
}

static bool are_layers(const weft_untangle_def *d, int32_t a, int32_t b)
{
    for (int32_t i = 0; i < d->n_layers; i++)
        if ((d->layers[i].inner == a && d->layers[i].outer == b) ||
            (d->layers[i].inner == b && d->layers[i].outer == a))
            return true;
    return false;
}

static void mark_crossings(const work *k, untangle_marks *out)
{
    const bool *fixed = k->def->object_is_collider;
    const int32_t *object = k->def->objects;
    out->in_colliders = out->sided = true;
    for (int64_t i = 0; i < k->c.n_crossings; i++) {
        const crossing *c = &k->c.crossings[i];
        if (c->tri < 0)
            continue;
        for (int j = 0; j < 5; j++)
            out->at[j < 3 ? k->w.tri[c->tri][j] : k->w.edges[c->edge].v[j - 3]] |= UNTANGLE_MARK_HERE;
        int32_t a = object ? object[c->tri] : 0, b = object ? object[k->w.edges[c->edge].tri[0]] : 0;
        bool solid = fixed && object && (fixed[a] || fixed[b]);
        out->in_colliders = out->in_colliders && solid;
        out->sided = out->sided && (solid || are_layers(k->def, a, b));
    }
}

/* False: out of memory. */
static bool mark_intruders(work *k, untangle_marks *out)
{
    uint64_t *patch = NULL;
    if (!MEM_MAKE(&k->m, patch, k->w.n_vertices))
        return false;
    k->s.patch = patch;
    bool good = intruders_find(&k->s, &k->w, &k->c, k->x);
    k->s.patch = NULL;
    for (int32_t vi = 0; vi < k->w.n_vertices; vi++)
        out->at[vi] |= patch[vi] ? UNTANGLE_MARK_INTRUDES : 0;
    out->n_lines = k->c.n_lines;
    for (int32_t li = 0; li < k->c.n_lines && good; li++) {
        const int32_t *n = k->s.lines[li].n;
        int32_t least = n[0] > 0 && (n[1] == 0 || n[0] <= n[1]) ? n[0] : n[1];
        out->n_cut_off += k->s.lines[li].side[0] != 0 || k->s.lines[li].side[1] != 0;
        out->n_vertices = least > out->n_vertices ? least : out->n_vertices;
    }
    MEM_FREE(&k->m, patch, k->w.n_vertices);
    return good;
}

weft_result untangle_mark(const weft_untangle_def *def, untangle_marks *out, weft_error *error)
{
    weft_untangle_report unused = {0};
    work k = {.def = def, .report = &unused};
    mem_init(&k.m, def->alloc, def->alloc_user);
    weft_result r = make_untangle_work(&k, error);
    r = r < 0 ? r : start_untangle(&k, error);
    if (r >= 0) {
        mark_crossings(&k, out);
        out->agreed = mark_inside(&k, out->at);
        out->in_colliders = out->in_colliders && out->agreed;
        r = mark_intruders(&k, out) ? r : error_memory(error);
    }
    free_untangle_work(&k);
    return r;
}

weft_result untangle_contours(const weft_untangle_def *def, weft_vec3 *out, weft_untangle_report *report,
                              weft_error *error)
{
    weft_untangle_report own;
    work k = {.def = def, .report = report ? report : &own};
    *k.report = (weft_untangle_report){0};
    if (def->n_nodes == 0)
        return WEFT_OK;
    mem_init(&k.m, def->alloc, def->alloc_user);
    weft_result r = make_untangle_work(&k, error);
    r = r < 0 ? r : start_untangle(&k, error);
    if (r >= 0 && (k.report->pairs_before > 0 || k.n_inside > 0))
        r = run_untangle(&k, error);
    else if (r >= 0)
        memcpy(k.best, k.x, (size_t)def->n_nodes * sizeof *k.best);
    r = r < 0 ? r : finish_untangle(&k, out, error);
    free_untangle_work(&k);
    return r;
}
