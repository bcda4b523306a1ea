/* SPDX-License-Identifier: MIT */
/* The last word on thickness: sweeps over nodes and faces that move what is too near straight out. Pushes go outward
 * from convex solids, so against one collider they do not undo each other; between several a few sweeps settle it, or
 * there is no room, which is counted. */
#include "contact/touch.h"

#define SWEEPS 30
/* Snapping to the grid of positions may take back half a diagonal of its cell (2⁻³² m, times world_scale ≤ 2^12 in
 * large worlds); the promise is thickness − 1e-9 m. */
#define SNAP_ROOM 2.5e-10
#define PROMISE 1e-9

/* How far a node goes if all free ends of its edge go by 1: ½ if one end of two is fixed, 0 if it cannot move. */
static double looseness(const filter *filters, const node_row *rows, int32_t vi)
{
    const node_row *r = &rows[vi];
    double sum = 0;
    for (int d = 0; d < 2 && r->dof[d] >= 0; d++)
        sum += filters[r->dof[d]].kind == FREEDOM_ALL ? r->weight[d] : 0;
    return sum;
}

typedef struct enforcement {
    touch *t;
    vec3 *x, *moved;
    const filter *filters;
    const node_row *rows;
    touch_report *report;
    bool any;
} enforcement;

/* A node that hangs moves with the ends of its edge. */
static void push_node(enforcement *en, int32_t vi, vec3 normal, double by)
{
    const node_row *r = &en->rows[vi];
    double loose = looseness(en->filters, en->rows, vi);
    if (loose == 0)
        return;
    for (int d = 0; d < 2 && r->dof[d] >= 0; d++) {
        if (en->filters[r->dof[d]].kind != FREEDOM_ALL)
            continue;
        en->x[r->dof[d]] = v3_madd(en->x[r->dof[d]], by / loose, normal);
        en->moved[r->dof[d]] = normal;
        en->t->pushed_by[r->dof[d]] = (int32_t)(en->t->current - en->t->colliders);
        en->t->distance[r->dof[d]] = collider_distance(en->t->current, en->x[r->dof[d]]);
    }
    if (r->dof[1] >= 0) {
        en->x[vi] = v3_madd(en->x[vi], by, normal);
        en->t->distance[vi] = collider_distance(en->t->current, en->x[vi]);
    }
    en->report->corrections++;
    en->report->largest = max_of(en->report->largest, by);
    en->any = true;
}

static void follow(const enforcement *en)
{
    for (int32_t vi = 0; vi < en->t->n_nodes; vi++) {
        const node_row *r = &en->rows[vi];
        if (r->dof[1] >= 0)
            en->x[vi] = v3_scale(0.5, v3_add(en->x[r->dof[0]], en->x[r->dof[1]]));
    }
}

static void enforce_node(enforcement *en, int32_t vi)
{
    touch *t = en->t;
    half_space keep;
    double margin = t->nodes[vi].thickness + SNAP_ROOM, gap = t->distance[vi] - margin;
    /* Farther away than it went: it met nothing on its way. */
    vec3 way = v3_sub(pose_unapply(&t->current->to, en->x[vi]), pose_unapply(&t->current->from, t->x0[vi]));
    if (gap > 0 && gap * gap >= v3_len_sq(way))
        return;
    if (!collider_keep_out(t->current, margin, 0, t->x0[vi], en->x[vi], &keep))
        return;
    double by = keep.reach - v3_dot(keep.normal, en->x[vi]);
    if (by > 0)
        push_node(en, vi, keep.normal, by);
}

static void enforce_face(enforcement *en, int32_t fi)
{
    touch *t = en->t;
    const face_element *f = &t->faces[fi];
    vec3 x[3] = {en->x[f->node[0]], en->x[f->node[1]], en->x[f->node[2]]};
    double wanted = touch_face_thickness(t, f) + SNAP_ROOM;
    if (!touch_face_may(t, f, x, wanted))
        return;
    shape_deepest d = collider_deepest(t->current, x);
    double missing = wanted - d.distance, share = 0;
    if (missing <= 0)
        return;
    for (int j = 0; j < 3; j++)
        share += looseness(en->filters, en->rows, f->node[j]) > 0 ? d.b[j] * d.b[j] : 0;
    for (int j = 0; share > 0 && j < 3; j++)
        if (d.b[j] > 0)
            push_node(en, f->node[j], d.normal, missing * d.b[j] / share);
}

void touch_enforce(touch *t, vec3 *x, const filter *filters, const node_row *rows, vec3 *moved, touch_report *report)
{
    enforcement en = {t, x, moved, filters, rows, report, true};
    for (int32_t vi = 0; vi < t->n_nodes; vi++)
        t->pushed_by[vi] = OWNER_NONE;
    for (int sweep = 0; sweep < SWEEPS && en.any; sweep++) {
        en.any = false;
        for (int32_t ci = 0; ci < t->n_colliders; ci++) {
            t->current = &t->colliders[ci];
            touch_measure(t, x);
            for (int32_t vi = 0; vi < t->n_nodes; vi++)
                enforce_node(&en, vi);
            for (int32_t fi = 0; fi < t->n_faces; fi++)
                enforce_face(&en, fi);
        }
        follow(&en);
    }
}

int32_t touch_count_squeezed(touch *t, const vec3 *x)
{
    int32_t n = 0;
    for (int32_t ci = 0; ci < t->n_colliders; ci++) {
        t->current = &t->colliders[ci];
        touch_measure(t, x);
        for (int32_t fi = 0; fi < t->n_faces; fi++) {
            const face_element *f = &t->faces[fi];
            vec3 y[3] = {x[f->node[0]], x[f->node[1]], x[f->node[2]]};
            double least = touch_face_thickness(t, f) - PROMISE;
            if (touch_face_may(t, f, y, least) && collider_deepest(t->current, y).lower < least)
                n++;
        }
    }
    return n;
}
