/* SPDX-License-Identifier: MIT */
/* The correction that keeps the thickness exactly, after the solve: sweeps over nodes and faces that move what is too
 * near straight out. Pushes go outward from convex solids, so against one collider they do not undo each other; between
 * several a few sweeps settle it, or there is no room, which is counted.
 *
 * The first sweep looks at everything: at nodes by their distance and their way, at faces only where a corner is nearer
 * than the longest side of any face could bridge. A later one looks only at what the last or the present one has moved:
 * all else was found to be fine, and stands where it stood. */
#include <string.h>

#include "base/ranges.h"
#include "contact/collider/collider_contact_inside.h"

/* Snapping to the grid of positions may take back half a diagonal of its cell (2⁻³² m, times world_scale ≤ 2^12 in
 * large worlds); the promise is thickness − 1e-9 m. */
#define ENFORCE_SNAP_ROOM 2.5e-10
#define ENFORCE_PROMISE 1e-9
/* What lacks less than this part of the grid's cell is left: it fits into ENFORCE_SNAP_ROOM beside half a diagonal
 * (0.87 cells of 1.07), and pushes that rounding swallows would go on for all sweeps. Four faces on a small sphere
 * lacked 6e-18 m in each of 300 sweeps of nearly every step. */
#define ENFORCE_LEAST_PUSH 0.04

/* How far a node goes if all free ends of its edge go by 1: ½ if one end of two is fixed, 0 if it cannot move. */
static double node_looseness(const filter *filters, const node_row *rows, int32_t vi)
{
    const node_row *r = &rows[vi];
    double sum = 0;
    for (int d = 0; d < 2 && r->dof[d] >= 0; d++)
        sum += filters[r->dof[d]].kind == FREEDOM_ALL ? row_weight(r) : 0;
    return sum;
}

typedef struct enforcement {
    collider_contacts *t;
    vec3 *x;
    const filter *filters;
    const node_row *rows;
    collider_contact_correction *report;
    int32_t sweep; /* from 1 on */
    double side;   /* no side of a face is longer, m */
    double thickest;
    bool any;        /* something was moved in this sweep … */
    double farthest; /* … by so much at most, m */
    bool stuck;      /* something that ought to move could not */
} enforcement;

/* Whether a sweep must look at a node, or at what has it. */
static bool node_is_dirty(const enforcement *en, int32_t vi)
{
    return en->t->pushed_in[vi] >= en->sweep - 1;
}

/* After the first sweep distances are found where they are needed. */
static void measure_node(const enforcement *en, int32_t vi)
{
    if (en->sweep > 1)
        en->t->distance[vi] = collider_distance(en->t->current, en->x[vi]);
}

static void move_dof(enforcement *en, int32_t dof, vec3 normal, double by)
{
    en->x[dof] = v3_madd(en->x[dof], by, normal);
    en->t->push_normal[dof] = normal;
    en->t->pushed_by[dof] = current_collider(en->t);
    en->t->pushed_in[dof] = en->sweep;
    en->t->distance[dof] = collider_distance(en->t->current, en->x[dof]);
    en->side += 2 * by;
}

/* A node that hangs moves with the ends of its edge. */
static void push_node(enforcement *en, int32_t vi, vec3 normal, double by)
{
    const node_row *r = &en->rows[vi];
    double loose = node_looseness(en->filters, en->rows, vi);
    en->stuck = en->stuck || loose == 0;
    if (loose == 0)
        return;
    for (int d = 0; d < 2 && r->dof[d] >= 0; d++)
        if (en->filters[r->dof[d]].kind == FREEDOM_ALL)
            move_dof(en, r->dof[d], normal, by / loose);
    if (r->dof[0] != vi) {
        en->x[vi] = v3_madd(en->x[vi], by, normal);
        en->t->pushed_in[vi] = en->sweep;
        en->t->distance[vi] = collider_distance(en->t->current, en->x[vi]);
    }
    en->report->corrections++;
    en->report->largest = max_of(en->report->largest, by);
    en->farthest = max_of(en->farthest, by);
    en->any = true;
}

/* Hanging nodes go back to the middle of their edge. */
static void move_hanging_nodes(const enforcement *en)
{
    for (int32_t vi = 0; vi < en->t->n_nodes; vi++) {
        const node_row *r = &en->rows[vi];
        if (r->dof[0] == vi)
            continue;
        en->x[vi] = r->dof[1] < 0 ? en->x[r->dof[0]] : v3_scale(0.5, v3_add(en->x[r->dof[0]], en->x[r->dof[1]]));
        for (int d = 0; d < 2 && r->dof[d] >= 0; d++)
            if (en->t->pushed_in[r->dof[d]] == en->sweep)
                en->t->pushed_in[vi] = en->sweep;
    }
}

/* How far it went, seen from the collider. */
static double way_sq(const enforcement *en, int32_t vi, bool still)
{
    const collider_contacts *t = en->t;
    if (still)
        return v3_len_sq(v3_sub(en->x[vi], t->x0[vi]));
    return v3_len_sq(v3_sub(pose_unapply(&t->current->to, en->x[vi]), pose_unapply(&t->current->from, t->x0[vi])));
}

/* How far out a node has to go, 0: not at all; and which way. */
static double node_lacks(const enforcement *en, int32_t vi, bool still, vec3 *normal)
{
    const collider_contacts *t = en->t;
    half_space keep;
    double margin = collider_contact_margin(t, current_collider(t), vi) + ENFORCE_SNAP_ROOM,
           gap = t->distance[vi] - margin;
    /* Farther away than it went: it met nothing on its way. */
    if (gap > 0 && gap * gap >= way_sq(en, vi, still))
        return 0;
    if (!collider_keep_out(t->current, margin, 0, t->x0[vi], en->x[vi], &keep))
        return 0;
    double by = keep.reach - v3_dot(keep.normal, en->x[vi]);
    *normal = keep.normal;
    return by > ENFORCE_LEAST_PUSH * t->grid ? by : 0;
}

static void enforce_node(enforcement *en, int32_t vi, bool still)
{
    vec3 normal = v3_zero();
    measure_node(en, vi);
    double by = node_lacks(en, vi, still, &normal);
    if (by > 0)
        push_node(en, vi, normal, by);
}

/* No point of a triangle is farther from its nearest corner than the longest side over √3. */
static bool face_is_far(const enforcement *en, const face_element *f)
{
    const double *d = en->t->distance;
    double away = min_of(d[f->node[0]], min_of(d[f->node[1]], d[f->node[2]])) - en->thickest;
    return away > 0 && 3 * away * away > en->side * en->side;
}

/* The same for the deepest point of a face. */
static double face_lacks(const enforcement *en, const face_element *f, shape_deepest *d)
{
    const collider_contacts *t = en->t;
    if (face_is_far(en, f))
        return 0;
    vec3 x[3] = {en->x[f->node[0]], en->x[f->node[1]], en->x[f->node[2]]};
    const double d0[3] = {t->distance[f->node[0]], t->distance[f->node[1]], t->distance[f->node[2]]};
    double wanted = collider_contact_face_margin(t, current_collider(t), f) + ENFORCE_SNAP_ROOM;
    if (!collider_contact_face_may(t, f, x, wanted) ||
        collider_bound(t->current, x, d0) > wanted + COLLIDER_CONTACT_ROUNDING)
        return 0;
    *d = collider_deepest(t->current, x);
    double missing = wanted - d->distance;
    return missing > ENFORCE_LEAST_PUSH * t->grid ? missing : 0;
}

/* Whether a corner is held where it lacks distance itself, and the deepest point is so near to it that the others would
 * have to go far: there no push makes room, each asks for a larger one, and the last leads out of the world. */
static bool face_is_held_inside(const enforcement *en, const face_element *f, const shape_deepest *d, double weight_sq)
{
    const collider_contacts *t = en->t;
    double wanted = collider_contact_face_margin(t, current_collider(t), f);
    if (weight_sq * ENFORCE_MOST_LEVER * ENFORCE_MOST_LEVER > 1)
        return false;
    for (int j = 0; j < 3; j++)
        if (d->b[j] > 0 && t->distance[f->node[j]] < wanted && node_looseness(en->filters, en->rows, f->node[j]) == 0)
            return true;
    return false;
}

static void enforce_face(enforcement *en, int32_t fi)
{
    collider_contacts *t = en->t;
    const face_element *f = &t->faces[fi];
    shape_deepest d = {0};
    for (int j = 0; j < 3; j++)
        measure_node(en, f->node[j]);
    double missing = face_lacks(en, f, &d), weight_sq = 0; /* Σ b² over what can move */
    if (missing == 0)
        return;
    for (int j = 0; j < 3; j++)
        weight_sq += node_looseness(en->filters, en->rows, f->node[j]) > 0 ? d.b[j] * d.b[j] : 0;
    bool stuck = weight_sq == 0 || face_is_held_inside(en, f, &d, weight_sq);
    en->stuck = en->stuck || stuck;
    for (int j = 0; !stuck && j < 3; j++)
        if (d.b[j] > 0)
            push_node(en, f->node[j], d.normal, missing * d.b[j] / weight_sq);
}

/* ---- the first sweep --------------------------------------------------------------------------------------------- */

/* All nodes, then all faces, are tested in parallel, and those that lack distance are marked. The sweep itself then
 * goes, in order, to what is marked and to what it has moved itself: all others still stand as they were tested. */
typedef struct lacking_run {
    const enforcement *en;
    const ranges *ranges;
    uint8_t *marks;
    bool still;
} lacking_run;

static void mark_lacking_nodes(void *context, int32_t range)
{
    const lacking_run *r = context;
    vec3 unused;
    for (int32_t vi = ranges_begin(r->ranges, range); vi < ranges_end(r->ranges, range); vi++)
        r->marks[vi] = node_lacks(r->en, vi, r->still, &unused) > 0;
}

static void mark_lacking_faces(void *context, int32_t range)
{
    const lacking_run *r = context;
    shape_deepest unused;
    for (int32_t fi = ranges_begin(r->ranges, range); fi < ranges_end(r->ranges, range); fi++)
        r->marks[fi] = face_lacks(r->en, &r->en->t->faces[fi], &unused) > 0;
}

static bool was_just_pushed(const enforcement *en, int32_t vi)
{
    return en->t->pushed_in[vi] == en->sweep;
}

static void enforce_first_sweep(enforcement *en, bool still)
{
    collider_contacts *t = en->t;
    ranges of_nodes = ranges_of(t->n_nodes), of_faces = ranges_of(t->n_faces);
    lacking_run r = {.en = en, .ranges = &of_nodes, .marks = t->marks, .still = still};
    collider_contact_measure(t, en->x);
    pool_for(t->pool, of_nodes.n, mark_lacking_nodes, &r);
    for (int32_t vi = 0; vi < t->n_nodes; vi++)
        if (t->marks[vi] || was_just_pushed(en, vi))
            enforce_node(en, vi, still);
    r.ranges = &of_faces;
    pool_for(t->pool, of_faces.n, mark_lacking_faces, &r);
    for (int32_t fi = 0; fi < t->n_faces; fi++) {
        const int32_t *node = t->faces[fi].node;
        if (t->marks[fi] || was_just_pushed(en, node[0]) || was_just_pushed(en, node[1]) ||
            was_just_pushed(en, node[2]))
            enforce_face(en, fi);
    }
}

/* ---- all --------------------------------------------------------------------------------------------------------- */

static void enforce_against(enforcement *en, const collider *c)
{
    collider_contacts *t = en->t;
    bool still = memcmp(&c->from, &c->to, sizeof c->to) == 0;
    t->current = c;
    if (en->sweep == 1) {
        enforce_first_sweep(en, still);
        return;
    }
    for (int32_t vi = 0; vi < t->n_nodes; vi++)
        if (node_is_dirty(en, vi))
            enforce_node(en, vi, still);
    for (int32_t fi = 0; fi < t->n_faces; fi++) {
        const int32_t *node = t->faces[fi].node;
        if (node_is_dirty(en, node[0]) || node_is_dirty(en, node[1]) || node_is_dirty(en, node[2]))
            enforce_face(en, fi);
    }
}

typedef struct side_run {
    const enforcement *en;
    const ranges *ranges;
    double side_sq[RANGES_MOST], thickest[RANGES_MOST];
} side_run;

static void longest_side_range(void *context, int32_t range)
{
    side_run *r = context;
    const collider_contacts *t = r->en->t;
    double side_sq = 0, thickest = 0;
    for (int32_t fi = ranges_begin(r->ranges, range); fi < ranges_end(r->ranges, range); fi++) {
        const int32_t *node = t->faces[fi].node;
        vec3 x[3] = {r->en->x[node[0]], r->en->x[node[1]], r->en->x[node[2]]};
        side_sq = max_of(max_of(side_sq, v3_len_sq(v3_sub(x[1], x[0]))),
                         max_of(v3_len_sq(v3_sub(x[2], x[1])), v3_len_sq(v3_sub(x[0], x[2]))));
        thickest = max_of(thickest, collider_contact_face_thickness(t, &t->faces[fi]) + ENFORCE_SNAP_ROOM);
    }
    r->side_sq[range] = side_sq;
    r->thickest[range] = thickest;
}

/* The longest side of any face, and the largest thickness. */
static void measure_longest_side(enforcement *en)
{
    ranges p = ranges_of(en->t->n_faces);
    side_run r = {.en = en, .ranges = &p};
    double side_sq = 0;
    pool_for(en->t->pool, p.n, longest_side_range, &r);
    for (int32_t i = 0; i < p.n; i++) {
        side_sq = max_of(side_sq, r.side_sq[i]);
        en->thickest = max_of(en->thickest, r.thickest[i]);
    }
    en->side = sqrt(side_sq);
}

/* Sweeps over all colliders until nothing is pushed. False: nodes are still moved to and fro between colliders. */
static bool sweep_colliders(collider_contacts *t, vec3 *x, const filter *filters, const node_row *rows,
                            collider_contact_correction *report)
{
    enforcement en = {.t = t, .x = x, .filters = filters, .rows = rows, .report = report, .any = true};
    for (int32_t vi = 0; vi < t->n_nodes; vi++) {
        t->pushed_by[vi] = CONTACT_OWNER_NONE;
        t->pushed_in[vi] = 0;
    }
    measure_longest_side(&en);
    for (en.sweep = 1; en.sweep <= ENFORCE_SWEEPS && en.any; en.sweep++) {
        en.any = false;
        en.farthest = 0;
        for (int32_t ci = 0; ci < t->n_colliders; ci++)
            enforce_against(&en, &t->colliders[ci]);
        move_hanging_nodes(&en);
    }
    t->fits = !en.any && !en.stuck;
    return !en.any || en.farthest < ENFORCE_SETTLED_PUSH || t->n_colliders < 2;
}

/* What the last sweeps still moved has no room: no collider moves it any more, and all starts again from where it was.
 * Its neighbours may be next. */
static void release_squeezed(collider_contacts *t, vec3 *x)
{
    for (int32_t vi = 0; vi < t->n_nodes; vi++)
        for (int32_t ci = 0; t->pushed_in[vi] >= ENFORCE_SWEEPS - 1 && ci < t->n_colliders; ci++)
            collider_contact_tolerate(t, ci, vi, COLLIDER_CONTACT_RELEASED);
    memcpy(x, t->before, (size_t)t->n_nodes * sizeof *x);
}

void collider_contact_enforce(collider_contacts *t, vec3 *x, const filter *filters, const node_row *rows,
                              collider_contact_correction *report)
{
    if (t->before)
        memcpy(t->before, x, (size_t)t->n_nodes * sizeof *x);
    collider_contact_correction first = *report;
    for (int round = 0; !sweep_colliders(t, x, filters, rows, report) && round < ENFORCE_RELEASES; round++) {
        release_squeezed(t, x);
        *report = first;
    }
    t->suspect = t->suspect || t->n_embedded > 0;
    t->found_at = COLLIDER_CONTACT_NOWHERE; /* margins may have changed */
    for (int32_t i = 0; t->n_embedded > 0 && i < t->n_slots; i++)
        t->slots[i].known = false;
}

int32_t collider_contact_count_squeezed(collider_contacts *t, const vec3 *x)
{
    int32_t n = 0;
    if (t->fits && t->n_embedded == 0 && t->grid <= ENFORCE_SNAP_ROOM) /* and a half diagonal is shorter still */
        return 0;
    for (int32_t ci = 0; ci < t->n_colliders; ci++) {
        t->current = &t->colliders[ci];
        collider_contact_measure(t, x);
        for (int32_t fi = 0; fi < t->n_faces; fi++) {
            const face_element *f = &t->faces[fi];
            vec3 y[3] = {x[f->node[0]], x[f->node[1]], x[f->node[2]]};
            double least = collider_contact_face_thickness(t, f) - ENFORCE_PROMISE;
            if (!collider_contact_is_unfelt(t, ci, f->node[0]) && collider_contact_face_may(t, f, y, least) &&
                collider_deepest(t->current, y).lower < least)
                n++;
        }
    }
    return n;
}
