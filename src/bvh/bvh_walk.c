/* SPDX-License-Identifier: MIT */
/* The walk (volino1994 §2.3.2): within a zone, its children each by themselves and in pairs; between two zones, their
 * children, as far as boxes overlap. */
#include "bvh/bvh_inside.h"

/* Whether pairs of the two are wanted; zones of several objects are looked into. */
static bool zones_meet(const bvh *t, int32_t zi, int32_t zj)
{
    int32_t a = t->zones[zi].object, b = t->zones[zj].object;
    if (a < 0 || b < 0)
        return true;
    return a == b ? t->filters[a].itself : filters_meet(&t->filters[a], &t->filters[b]);
}

/* Rule I: whether a zone need not be looked into. */
static bool skips_within(walk *w, int32_t zi)
{
    const bvh *t = w->t;
    const zone *z = &t->zones[zi];
    bool skips = false;
    if (z->fixed || (t->filters && !zones_meet(t, zi, zi)))
        return true;
    switch (w->query->mode) {
    case BVH_CLASSICAL: return false;
    case BVH_CONES: skips = z->connected && cone_is_valid(t, zi); break;
    case BVH_FAST: skips = z->connected && t->zone_mask[zi] != 0; break;
    case BVH_PROVEN:
        skips = t->proven_at[zi] == w->first || t->proven_at[zi] == w->now ||
                (t->zone_mask[zi] != 0 &&
                 (patch_has(t, zi, -1) || simple_from(t, z, NULL, t->zone_mask[zi], w->query->thickness,
                                                      &w->task->counters) != SIMPLE_UNKNOWN));
        break;
    }
    w->task->counters.zones_skipped += skips;
    return skips;
}

/* Two zones that are proven to be simple together need not be looked into one by one; but only the task that walks
 * within them may know, for others come sooner or later, as it happens. */
static bool union_is_proven(walk *w, int32_t zi, int32_t zj, uint64_t mask)
{
    const bvh *t = w->t;
    simple known = simple_from(t, &t->zones[zi], &t->zones[zj], mask, w->query->thickness, &w->task->counters);
    if (known == SIMPLE_UNION && w->within)
        w->sink->proven_at[zi] = w->sink->proven_at[zj] = w->now;
    return known != SIMPLE_UNKNOWN;
}

/* Rule II: the same for two that are adjacent. */
static bool skips_between(walk *w, int32_t zi, int32_t zj)
{
    const bvh *t = w->t;
    const zone *p = &t->zones[zi], *q = &t->zones[zj];
    uint64_t mask = t->zone_mask[zi] & t->zone_mask[zj];
    bool skips = false;
    switch (w->query->mode) {
    case BVH_CLASSICAL: return false;
    case BVH_CONES: skips = p->connected && q->connected && cone_is_valid_for_both(t, zi, zj); break;
    case BVH_FAST: skips = p->connected && q->connected && mask != 0; break;
    case BVH_PROVEN: skips = mask != 0 && (patch_has(t, zi, zj) || union_is_proven(w, zi, zj, mask)); break;
    }
    w->task->counters.zones_skipped += skips;
    return skips;
}

/* Whether two zones have a common direction and boxes that hardly overlap along an axis across it; else they lie over
 * each other, and contours would prove nothing. A guess, made to be cheap. */
static bool lie_side_by_side(const bvh *t, int32_t a, int32_t b)
{
    uint64_t mask = t->zone_mask[a] & t->zone_mask[b];
    const box *p = &t->zone_box[a], *q = &t->zone_box[b];
    bool hardly[3];
    for (int k = 0; k < 3; k++) {
        float lo = p->lo[k] > q->lo[k] ? p->lo[k] : q->lo[k], hi = -(p->top[k] > q->top[k] ? p->top[k] : q->top[k]);
        float size_p = -p->top[k] - p->lo[k], size_q = -q->top[k] - q->lo[k], size = size_p < size_q ? size_p : size_q;
        hardly[k] = hi - lo < BVH_SIDE_OVERLAP * size;
    }
    if (mask == 0 || !(hardly[0] || hardly[1] || hardly[2]))
        return false;
    vec3 d = t->directions->d[directions_middle(t->directions, mask)];
    return (hardly[0] && fabs(d.x) < BVH_SIDE_COS) || (hardly[1] && fabs(d.y) < BVH_SIDE_COS) ||
           (hardly[2] && fabs(d.z) < BVH_SIDE_COS);
}

/* Whether the walk has to go between two zones whose boxes overlap. */
static bool has_to_enter(walk *w, int32_t a, int32_t b, kinship *kin)
{
    if (w->t->zones[a].fixed && w->t->zones[b].fixed)
        return false;
    if (w->t->filters && !zones_meet(w->t, a, b))
        return false;
    if (*kin == STRANGERS || w->query->mode == BVH_CLASSICAL)
        return true;
    if (*kin == ADJACENT) {
        if (adjacency_of(w->t, a, b))
            return !skips_between(w, a, b);
        *kin = KINDRED;
    }
    /* The proof needs no adjacency. Where two zones of one surface have lost it but lie side by side, it is worth a
     * try, once, before there is nothing left but triangles; most pairs have been told apart by their boxes until
     * then. */
    const zone *p = &w->t->zones[a], *q = &w->t->zones[b];
    bool late = p->n <= BVH_KIN_LEAST || q->n <= BVH_KIN_LEAST, early = p->n > BVH_KIN_MOST || q->n > BVH_KIN_MOST;
    if (w->query->mode != BVH_PROVEN || p->object != q->object || late) {
        *kin = STRANGERS;
        return true;
    }
    if (early || !lie_side_by_side(w->t, a, b))
        return true;
    *kin = STRANGERS;
    return !skips_between(w, a, b);
}

/* Whether the walk has to go between two zones, and what they are to each other, given what their parents are. */
static inline bool enters(walk *w, int32_t a, int32_t b, kinship *kin)
{
    const bvh *t = w->t;
    bool overlap = t->ends ? box_ends_overlap(&t->zone_box[a], &t->zone_end[a], &t->zone_box[b], &t->zone_end[b])
                           : box_overlap(&t->zone_box[a], &t->zone_box[b]);
    w->task->counters.calls++;
    return overlap && has_to_enter(w, a, b, kin);
}

static void walk_within(walk *w, int32_t zi);
static void walk_between(walk *w, int32_t zi, int32_t zj, kinship kin);

/* Which of two zones to divide: 1 the first, 2 the second, 3 both. Adjacency is known for zones of one depth, so pairs
 * that may be adjacent go down together. */
static int divide(const zone *p, const zone *q, kinship kin)
{
    if (p->n_children == 0 || q->n_children == 0)
        return (p->n_children > 0 ? 1 : 0) | (q->n_children > 0 ? 2 : 0);
    if (kin != STRANGERS)
        return p->depth == q->depth ? 3 : p->depth < q->depth ? 1 : 2;
    return p->n > 2 * q->n ? 1 : q->n > 2 * p->n ? 2 : 3;
}

static void walk_between(walk *w, int32_t zi, int32_t zj, kinship kin)
{
    const zone *p = &w->t->zones[zi], *q = &w->t->zones[zj];
    int which = divide(p, q, kin);
    if (which == 0) {
        w->visit(w, zi, zj);
        return;
    }
    int32_t a_first = which & 1 ? p->first_child : zi, a_end = which & 1 ? a_first + p->n_children : zi + 1;
    int32_t b_first = which & 2 ? q->first_child : zj, b_end = which & 2 ? b_first + q->n_children : zj + 1;
    for (int32_t a = a_first; a < a_end && !w->stopped; a++)
        for (int32_t b = b_first; b < b_end; b++) {
            kinship still = kin;
            if (enters(w, a, b, &still))
                walk_between(w, a, b, still);
        }
}

static void walk_within(walk *w, int32_t zi)
{
    const zone *z = &w->t->zones[zi];
    w->task->counters.calls++;
    if (skips_within(w, zi))
        return;
    if (z->n_children == 0) {
        w->visit(w, zi, zi);
        return;
    }
    int32_t end = z->first_child + z->n_children;
    for (int32_t a = z->first_child; a < end && !w->stopped; a++)
        for (int32_t b = a + 1; b < end; b++) {
            kinship kin = ADJACENT;
            if (enters(w, a, b, &kin))
                walk_between(w, a, b, kin);
        }
    for (int32_t a = z->first_child; a < end && !w->stopped; a++)
        walk_within(w, a);
}

void walk_run(walk *w, int32_t a, int32_t b, kinship kin)
{
    if (b < 0)
        walk_within(w, a);
    else
        walk_between(w, a, b, kin);
}

static int32_t expand_within(walk *w, int32_t zi, task *out, int32_t room)
{
    const zone *z = &w->t->zones[zi];
    int32_t n = 0, end = z->first_child + z->n_children;
    if ((int64_t)z->n_children * (z->n_children + 1) / 2 > room)
        return -1;
    w->task->counters.calls++;
    if (skips_within(w, zi))
        return 0;
    for (int32_t a = z->first_child; a < end; a++) {
        out[n++] = (task){.a = a, .b = -1};
        for (int32_t b = a + 1; b < end; b++) {
            kinship kin = ADJACENT;
            if (enters(w, a, b, &kin))
                out[n++] = (task){.a = a, .b = b, .kin = kin};
        }
    }
    return n;
}

static int32_t expand_between(walk *w, const task *from, task *out, int32_t room)
{
    const zone *p = &w->t->zones[from->a], *q = &w->t->zones[from->b];
    int which = divide(p, q, from->kin);
    int32_t a_first = which & 1 ? p->first_child : from->a, a_end = which & 1 ? a_first + p->n_children : from->a + 1;
    int32_t b_first = which & 2 ? q->first_child : from->b, b_end = which & 2 ? b_first + q->n_children : from->b + 1;
    int32_t n = 0;
    if ((int64_t)(a_end - a_first) * (b_end - b_first) > room)
        return -1;
    for (int32_t a = a_first; a < a_end; a++)
        for (int32_t b = b_first; b < b_end; b++) {
            kinship kin = from->kin;
            if (enters(w, a, b, &kin))
                out[n++] = (task){.a = a, .b = b, .kin = kin};
        }
    return n;
}

int32_t walk_expand(walk *w, const task *from, task *out, int32_t room)
{
    if (from->b < 0)
        return expand_within(w, from->a, out, room);
    return expand_between(w, from, out, room);
}
