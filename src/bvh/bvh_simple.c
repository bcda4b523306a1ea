/* SPDX-License-Identifier: MIT */
/* Zones that cannot collide with themselves: the contour condition of volino1994 §2.1, which the papers drop, for a
 * zone or the union of two, through a motion.
 *
 * Look along a direction d that every triangle of S is positive against. How many triangles lie over a point p of
 * the plane? Each is an oriented triangle, so it is its own winding number about p; sides shared by two triangles of
 * S run both ways and cancel; what is left is the winding number of the contour, summed over its loops:
 *
 * number of triangles over p  =  Σ over loops  winding number of the loop about p          (for p on no side)
 *
 * (A) Let all contour edges be disjoint but for common vertices, and let passes of the contour through one vertex
 *    have sectors that do not overlap. Then each loop, moved a little at such vertices, is a Jordan curve: its
 *    winding number is 0 or 1 (a positive loop, counter-clockwise), or 0 or −1 (a negative one, a hole), and
 *    different loops are disjoint.
 * (B) Let there be one positive loop only, or several of which no one lies within another. Then the sum is at most
 *    1.
 *
 * With (A) and (B) the insides of two triangles of S never lie over each other. Nor can two points a ≠ b of S lie
 * over one point: around an inner point of S the triangles cover a whole neighbourhood, around a contour point a
 * part of it that has area, and two such overlap unless both points are of the contour, where (A) forbids it. So
 * there is no collision within S, and none between two parts of it. If (A) holds all through a motion, (B) need be
 * seen at one time only, for curves that never meet keep their order.
 *
 * Where this differs. Volino asks for the first part of (A) for one area, and for two areas only that their contours
 * do not cross each other, which is not enough: one may leave the other's edge, go round and cover it. Here the
 * contour of the *union* is taken. No clean start is assumed: vertex rings that wind twice, non-orientable pieces,
 * edges of three sheets all show up in the contour or in the count. So audits may use it too. That there is just one
 * loop makes it positive: the sum is never negative and not 0 everywhere. With several loops, areas tell their
 * signs; two positive ones pass if they touch in a vertex where their sectors do not overlap, for then neither lies
 * within the other.
 *
 * How (A) is shown. "Disjoint through the motion": there is one axis along which the one edge lies above the other
 * at x0 and at x1; the gap, least minus greatest of linear functions, is concave in time, so it is positive in
 * between. Edges are taken in blocks. A block and the next are simple together if all their edges go forward along
 * some line, at both ends of the motion: forward is linear in time, and a path that goes forward does not meet itself.
 * There is such a line if the directions of the edges, of both times together, lie in a sector below a half turn; it is
 * looked for along the way from the first point to the last, then in the middle of that sector, and each time every
 * edge is asked. Blocks are small, so that a window of two does not turn far, and has few pairs where it fails. Other
 * blocks must have boxes apart, on one axis at both ends. Only where this fails do edges meet edges. A contour of
 * one loop is first tried as a star, after dents were filled by positive triangles, which only adds to the number of
 * triangles over a point: all edges turn left about the middle, by the three Bernstein coefficients of the (quadratic)
 * area, once round in all. Whatever cannot be shown within the rounding margin counts as not simple, and the walk goes
 * on downward.
 *
 * Where an edge ends the next one begins: over a seam these are two nodes, but in one place, or no direction would be
 * positive (bvh_refit.c). So a contour is the list of the nodes where its edges begin.
 *
 * Thickness d. Let the slope against d have cosine ≥ c = BVH_LEVEL everywhere, and (A), (B) hold with edges that do
 * not meet ≥ d apart. Let a and b of S be nearer than d. If the way from a to b in the plane stays over S, its lift
 * is not longer than d/c. If not, it leaves S at a contour point q1 and comes back at q2, on edges less than d
 * apart, so on one edge, or on two that meet in a vertex v with the outer angle φ. The way by v is at most |q1 q2| /
 * sin(φ/2), its lift at most 1/c of this: 2 d if sin(φ/2) ≥ 1/(2c) = 0.625, cos φ ≤ 0.21875. If one triangle outside
 * S has both edges, the straight way lies in it; it rises by at most tan of the slope (3/4) times the way by v: 2 d
 * if √(1 + (0.75 / sin(φ/2))²) ≤ 2, cos φ ≤ 0.625. So pairs that are skipped have a way on the surface of 2 d or
 * less. */
#include "bvh/bvh_simple.h"

#include <assert.h>
#include <string.h>

/* ---- small contours as stars ------------------------------------------------------------------------------------- */

static bool is_star_contour(const contour *c)
{
    spot spots[BVH_STAR_EDGES], middle = {{0, 0}, {0, 0}};
    int32_t n = 0, s = 0;
    if (c->n_loops != 1 || c->n_edges > (c->q ? BVH_STAR_EDGES / 2 : BVH_STAR_EDGES))
        return false;
    do {
        for (int32_t i = 0; i < c->segments[s].n; i++)
            spots[n++] = project_place(c, c->segments[s].first + i);
        s = c->segments[s].next;
    } while (s != 0);
    assert(n > 0);
    for (int32_t i = 0; i < n; i++)
        for (int k = 0; k < 2; k++) {
            middle.x[k] += spots[i].x[k] / n;
            middle.y[k] += spots[i].y[k] / n;
        }
    int32_t n_round = 0;
    /* Coordinates in the plane are below 2 sizes, so distances from the middle below 4. */
    double least = 32 * c->margin * c->t->size;
    spot past = spot_from(&middle, &spots[n - 1]);
    for (int32_t i = 0; i < n; i++) {
        spot now = spot_from(&middle, &spots[i]);
        if (!turns_left(c, &past, &now, least))
            return false;
        n_round += past.y[0] < 0 && now.y[0] >= 0;
        past = now;
    }
    return n_round == 1;
}

/* ---- blocks ------------------------------------------------------------------------------------------------------ */

/* Blocks of one loop, from a segment on. */
static void cut_loop(contour *c, int32_t loop, int32_t first, int32_t size, int32_t *n_spots)
{
    int32_t i = first;
    c->loop_first[loop] = c->n_blocks;
    do {
        const segment *s = &c->segments[i];
        for (int32_t at = 0; at < s->n; at += size)
            c->blocks[c->n_blocks++] = (block){.first = s->first + at,
                                               .n = s->n - at < size ? s->n - at : size,
                                               .end = s->first + at + size,
                                               .loop = loop,
                                               .at = *n_spots + at};
        c->blocks[c->n_blocks - 1].end = c->segments[s->next].first;
        for (int32_t j = 0; c->keeps && j < s->n; j++)
            c->spots[*n_spots + j] = project_place(c, s->first + j);
        *n_spots += s->n;
        i = s->next;
    } while (i != first);
    if (c->keeps)
        c->spots[*n_spots] = c->spots[c->blocks[c->loop_first[loop]].at];
    ++*n_spots;
}

static bool cut_blocks(contour *c)
{
    int32_t size = c->n_edges <= BVH_SHORT_CONTOUR ? BVH_SHORT_BLOCK : BVH_LONG_BLOCK, n_spots = 0;
    while ((int64_t)size * (SIMPLE_BLOCKS - c->n_segments) < c->n_edges)
        size++;
    if (size > BVH_MOST_BLOCK)
        return false;
    c->keeps = c->n_edges + c->n_loops <= SIMPLE_SPOTS;
    for (int32_t loop = 0; loop < c->n_loops; loop++) {
        int32_t first = 0;
        while (c->segments[first].loop != loop)
            first++;
        cut_loop(c, loop, first, size, &n_spots);
    }
    c->loop_first[c->n_loops] = c->n_blocks;
    return true;
}

/* The points of a block, the last one's head included: where they are kept, or in the buffer. */
static const spot *spots_of(const contour *c, const block *b, spot *buffer)
{
    if (c->keeps)
        return &c->spots[b->at];
    for (int32_t j = 0; j < b->n; j++)
        buffer[j] = project_place(c, b->first + j);
    buffer[b->n] = project_place(c, b->end);
    return buffer;
}

static void bound_block(contour *c, int32_t i, const spot *spots)
{
    const block *b = &c->blocks[i];
    assert(c->n_times <= 2);
    double x_lo[2], x_hi[2], y_lo[2], y_hi[2];
    for (int k = 0; k < 2; k++) {
        x_lo[k] = x_hi[k] = spots[0].x[k];
        y_lo[k] = y_hi[k] = spots[0].y[k];
    }
    for (int32_t j = 1; j <= b->n; j++)
        for (int k = 0; k < c->n_times; k++) {
            x_lo[k] = min_of(x_lo[k], spots[j].x[k]);
            x_hi[k] = max_of(x_hi[k], spots[j].x[k]);
            y_lo[k] = min_of(y_lo[k], spots[j].y[k]);
            y_hi[k] = max_of(y_hi[k], spots[j].y[k]);
        }
    if (c->n_times == 1) {
        x_lo[1] = x_lo[0];
        x_hi[1] = x_hi[0];
        y_lo[1] = y_lo[0];
        y_hi[1] = y_hi[0];
    }
    c->boxes[i] = box_of_planar(x_lo, x_hi, y_lo, y_hi);
    planar_row_set(&c->rows[i / PLANAR_ROW], i % PLANAR_ROW, &c->boxes[i]);
}

/* Twice the area about the loop's first point, and what rounding may have done to it. */
static void add_area(contour *c, int32_t loop, const spot *origin, const spot *spots, int32_t n)
{
    for (int32_t i = 0; i < n; i++) {
        spot r = spot_from(origin, &spots[i]), s = spot_from(origin, &spots[i + 1]);
        c->area[loop] += spot_cross(&r, 0, &s, 0);
        c->area_error[loop] += 4 * c->margin * (spot_extent(&r) + spot_extent(&s));
    }
}

static bool goes_forward(const contour *c, const spot *spots, int32_t n, double x, double y)
{
    double least = 4 * c->margin * (fabs(x) + fabs(y));
    bool forward = true;
    for (int k = 0; k < c->n_times; k++)
        for (int32_t i = 0; i < n; i++) {
            double way = x * (spots[i + 1].x[k] - spots[i].x[k]) + y * (spots[i + 1].y[k] - spots[i].y[k]);
            forward = forward & (way > least);
        }
    return forward;
}

/* A sector of directions, below a half turn, from the rightmost (x[0], y[0]) to the leftmost. */
typedef struct sector {
    double x[2], y[2];
} sector;

/* Opens a sector for all edges of a block; false: it would be a half turn or more. */
static bool widen_sector(const contour *c, sector *s, const spot *spots, int32_t n)
{
    for (int k = 0; k < c->n_times; k++)
        for (int32_t i = 0; i < n; i++) {
            double x = spots[i + 1].x[k] - spots[i].x[k], y = spots[i + 1].y[k] - spots[i].y[k];
            bool left_of_right = s->x[0] * y - s->y[0] * x >= 0, left_of_left = s->x[1] * y - s->y[1] * x > 0;
            if (left_of_left && !left_of_right)
                return false;
            if (left_of_left == left_of_right) {
                s->x[left_of_left] = x;
                s->y[left_of_left] = y;
            }
        }
    return true;
}

/* Whether the edges of two blocks that follow each other all go forward along some line: the middle of the sector of
 * their directions. That sector is found without regard to rounding; the line is then looked at with it. */
static bool go_one_way(const contour *c, const spot *now, int32_t n_now, const spot *next, int32_t n_next)
{
    double x = next[n_next].x[0] - now[0].x[0], y = next[n_next].y[0] - now[0].y[0];
    if (goes_forward(c, now, n_now, x, y) && goes_forward(c, next, n_next, x, y))
        return true;
    x = now[1].x[0] - now[0].x[0];
    y = now[1].y[0] - now[0].y[0];
    sector s = {{x, x}, {y, y}};
    if (!widen_sector(c, &s, now, n_now) || !widen_sector(c, &s, next, n_next))
        return false;
    bool narrow = s.x[0] * s.x[1] + s.y[0] * s.y[1] > 0;
    x = narrow ? s.x[0] + s.x[1] : s.y[1] - s.y[0];
    y = narrow ? s.y[0] + s.y[1] : s.x[0] - s.x[1];
    return goes_forward(c, now, n_now, x, y) && goes_forward(c, next, n_next, x, y);
}

static void make_rims(const contour *c, const block *b, const spot *spots, rim *rims)
{
    const bvh *t = c->t;
    for (int32_t i = 0; i < b->n; i++) {
        int32_t he = contour_entry(t, b->first + i);
        rims[i] = (rim){spots[i], spots[i + 1], t->common[he], t->common[next_side(he)], he, b->loop};
    }
}

static void load_rims(const contour *c, const block *b, rim *rims)
{
    spot buffer[BVH_MOST_BLOCK + 1];
    make_rims(c, b, spots_of(c, b, buffer), rims);
}

static bool between_blocks(contour *c, const block *p, const block *q)
{
    rim rims[BVH_MOST_BLOCK], others[BVH_MOST_BLOCK];
    load_rims(c, p, rims);
    load_rims(c, q, others);
    for (int32_t j = 0; j < q->n; j++)
        for (int32_t i = 0; i < p->n; i++)
            if (!contour_edges_apart(c, &rims[i], &others[j]))
                return false;
    return true;
}

/* Block p within itself and against the next one, q; q NULL: within itself only. */
static bool around_block(contour *c, const block *p, const spot *p_spots, const block *q, const spot *q_spots)
{
    rim rims[2 * BVH_MOST_BLOCK];
    int32_t n = p->n;
    make_rims(c, p, p_spots, rims);
    if (q) {
        make_rims(c, q, q_spots, rims + n);
        n += q->n;
    }
    for (int32_t i = 0; i < p->n; i++)
        for (int32_t j = i + 1; j < n; j++) {
            const rim *e = &rims[i], *f = &rims[j];
            bool follows = j == i + 1 && e->to == f->from && e->from != f->to;
            if (!(follows ? contour_followers_apart(c, e, f) : contour_edges_apart(c, e, f)))
                return false;
        }
    return true;
}

/* Each block with itself and the next of its loop. */
static bool loop_goes_on(contour *c, int32_t loop)
{
    int32_t first = c->loop_first[loop], n = c->loop_first[loop + 1] - first;
    spot buffers[2][BVH_MOST_BLOCK + 1];
    const spot *now = spots_of(c, &c->blocks[first], buffers[0]);
    spot origin = now[0];
    for (int32_t i = 0; i < n; i++) {
        const block *b = &c->blocks[first + i], *then = &c->blocks[i + 1 < n ? first + i + 1 : first];
        const spot *next = spots_of(c, then, buffers[(i + 1) % 2]);
        bound_block(c, first + i, now);
        if (c->n_loops > 1)
            add_area(c, loop, &origin, now, b->n);
        bool forward = n > 2 && c->thickness == 0 && go_one_way(c, now, b->n, next, then->n);
        /* With two blocks, each is the other's next: once is enough. */
        bool alone = n == 1 || (n == 2 && i == 1);
        if (!forward && !around_block(c, b, now, alone ? NULL : then, next))
            return false;
        now = next;
    }
    return true;
}

static bool follow_each_other(const contour *c, int32_t i, int32_t j)
{
    int32_t loop = c->blocks[i].loop;
    if (c->blocks[j].loop != loop)
        return false;
    return j == i + 1 || (i == c->loop_first[loop] && j == c->loop_first[loop + 1] - 1);
}

static bool rows_apart(contour *c, int32_t row, int32_t other, float least)
{
    int32_t end = (row + 1) * PLANAR_ROW < c->n_blocks ? (row + 1) * PLANAR_ROW : c->n_blocks;
    int32_t n_other = c->n_blocks - other * PLANAR_ROW;
    uint32_t all = n_other < PLANAR_ROW ? (1u << n_other) - 1 : 0xffff;
    for (int32_t i = row * PLANAR_ROW; i < end; i++) {
        uint32_t near = all & planar_row_near(&c->rows[other], &c->boxes[i], least, c->n_times);
        if (row == other)
            near &= ~((2u << i % PLANAR_ROW) - 1);
        for (; near != 0; near &= near - 1) {
            int32_t j = other * PLANAR_ROW + box_lowest_bit(near);
            if (!follow_each_other(c, i, j) && !between_blocks(c, &c->blocks[i], &c->blocks[j]))
                return false;
        }
    }
    return true;
}

/* Boxes are rounded outward, so that the margin for rounding in the plane is all there is to add. */
static bool far_blocks_apart(contour *c)
{
    float least = -box_below(-(c->thickness + 2 * c->margin));
    int32_t n_rows = (c->n_blocks + PLANAR_ROW - 1) / PLANAR_ROW;
    for (int32_t row = 0; row < n_rows; row++) {
        c->row_boxes[row] = c->boxes[row * PLANAR_ROW];
        for (int32_t i = row * PLANAR_ROW + 1; i < (row + 1) * PLANAR_ROW && i < c->n_blocks; i++)
            c->row_boxes[row] = box_union(&c->row_boxes[row], &c->boxes[i]);
        for (int32_t other = 0; other <= row; other++)
            if ((other == row || !box_planar_apart(&c->row_boxes[row], &c->row_boxes[other], least)) &&
                !rows_apart(c, other, row, least))
                return false;
    }
    return true;
}

/* ---- (B) --------------------------------------------------------------------------------------------------------- */

/* Whether one loop may lie within the other: then its box does, at x0. */
static bool may_hold(const box *outer, const box *inner)
{
    return outer->lo[0] <= inner->lo[0] && outer->lo[1] <= inner->lo[1] && outer->top[0] <= inner->top[0] &&
           outer->top[1] <= inner->top[1];
}

static box box_of_loop(const contour *c, int32_t loop)
{
    box all = c->boxes[c->loop_first[loop]];
    for (int32_t i = c->loop_first[loop] + 1; i < c->loop_first[loop + 1]; i++)
        all = box_union(&all, &c->boxes[i]);
    return all;
}

static bool loops_are_side_by_side(const contour *c)
{
    uint32_t positive = 0;
    box boxes[SIMPLE_LOOPS];
    for (int32_t i = 0; c->n_loops > 1 && i < c->n_loops; i++) {
        if (!(fabs(c->area[i]) > c->area_error[i]))
            return false;
        positive |= (uint32_t)(c->area[i] > 0) << i;
        boxes[i] = box_of_loop(c, i);
    }
    for (int32_t i = 0; i < c->n_loops; i++)
        for (int32_t j = 0; j < c->n_loops; j++)
            if (i != j && positive >> i & 1 && positive >> j & 1 && !(c->touches[i] >> j & 1) &&
                may_hold(&boxes[i], &boxes[j]))
                return false;
    return true;
}

static bool is_simple_contour(contour *c)
{
    c->n_edges = c->n_segments = c->n_loops = c->n_blocks = 0;
    memset(c->area, 0, sizeof c->area);
    memset(c->area_error, 0, sizeof c->area_error);
    memset(c->touches, 0, sizeof c->touches);
    if (!contour_find_loops(c))
        return false;
    if (c->thickness == 0 && is_star_contour(c))
        return true;
    if (!cut_blocks(c))
        return false;
    for (int32_t loop = 0; loop < c->n_loops; loop++)
        if (!loop_goes_on(c, loop))
            return false;
    return far_blocks_apart(c) && loops_are_side_by_side(c);
}

void contour_prepare(contour *c, const bvh *t, uint64_t mask)
{
    int k = directions_middle(t->directions, mask);
    c->t = t;
    c->p = c->q = NULL;
    c->a = t->directions->a[k];
    c->b = t->directions->b[k];
    c->n_times = t->x1 ? 2 : 1;
    c->margin = 0x1p-47 * t->size;
    c->thickness = 0;
}

simple simple_from(const bvh *t, const zone *p, const zone *q, uint64_t mask, double thickness, bvh_counters *counters)
{
    contour c;
    contour_prepare(&c, t, mask);
    c.p = p;
    c.q = q;
    c.thickness = thickness;
    simple known = contour_is_simple_at_once(&c);
    if (known == SIMPLE_UNKNOWN && is_simple_contour(&c))
        known = SIMPLE_UNION;
    counters->contour_tests++;
    counters->contour_edges += c.n_edges;
    counters->contour_refused += known == SIMPLE_UNKNOWN;
    return known;
}
