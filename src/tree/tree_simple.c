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
 * the way from the first point to the last, at both ends of the motion: forward is linear in time. Other blocks must
 * have boxes apart, on one axis at both ends. Only where this fails do edges meet edges. Small contours are first
 * tried as stars: all edges turn left about the middle, by the three Bernstein coefficients of the (quadratic) area,
 * once round in all. Whatever cannot be shown within the rounding margin counts as not simple, and the walk goes on
 * downward.
 *
 * Thickness d. Let the slope against d have cosine ≥ c = TREE_LEVEL everywhere, and (A), (B) hold with edges that do
 * not meet ≥ d apart. Let a and b of S be nearer than d. If the way from a to b in the plane stays over S, its lift
 * is not longer than d/c. If not, it leaves S at a contour point q1 and comes back at q2, on edges less than d
 * apart, so on one edge, or on two that meet in a vertex v with the outer angle φ. The way by v is at most |q1 q2| /
 * sin(φ/2), its lift at most 1/c of this: 2 d if sin(φ/2) ≥ 1/(2c) = 0.625, cos φ ≤ 0.21875. If one triangle outside
 * S has both edges, the straight way lies in it; it rises by at most tan of the slope (3/4) times the way by v: 2 d
 * if √(1 + (0.75 / sin(φ/2))²) ≤ 2, cos φ ≤ 0.625. So pairs that are skipped have a way on the surface of 2 d or
 * less. */
#include "tree/tree_inside.h"

#include <string.h>

enum {
    STAR = 48,     /* edges of contours that are tried as stars */
    FEW = 4,       /* edges of a block, or more where there would be more than BLOCKS blocks */
    BLOCK = 64,    /* edges of a block at most */
    BLOCKS = 1024, /* of a contour; more edges than BLOCK · BLOCKS prove nothing */
    ROW = 16,      /* blocks in a row */
    SEGMENTS = 32, /* stretches of two contours that make up that of the union */
    LOOPS = 8,
};

#define OPEN_COS 0.21875
#define FILLED_COS 0.625

/* A node in the plane at x0 and x1. */
typedef struct spot {
    double x[2], y[2];
} spot;

typedef struct segment {
    const int32_t *list; /* half-edges; a first of a loop may be a complement */
    int32_t n;
    int32_t next; /* the segment that follows */
    int32_t loop; /* -1: not known yet */
} segment;

typedef struct block {
    const int32_t *list;
    int32_t n, loop;
} block;

/* A contour edge. */
typedef struct rim {
    spot tail, head;
    int32_t from, to; /* common nodes */
    int32_t he;
    int32_t loop;
} rim;

typedef struct contour {
    const tree *t;
    const zone *p, *q;
    vec3 a, b;     /* the plane's axes */
    int n_times;   /* 1: no motion */
    double margin; /* a length in the plane that rounding cannot make up */
    double thickness;
    int32_t n_edges, n_segments, n_loops, n_blocks;
    segment segments[SEGMENTS];
    int32_t loop_first[LOOPS + 1]; /* blocks */
    double area[LOOPS], area_error[LOOPS];
    uint32_t touches[LOOPS]; /* bits of loops that touch this one in a vertex, sectors apart */
    block blocks[BLOCKS];
    box boxes[BLOCKS], rows[BLOCKS / ROW];
} contour;

static int32_t decode(int32_t entry)
{
    return entry < 0 ? ~entry : entry;
}

static spot project(const contour *c, int32_t vi)
{
    const tree *t = c->t;
    spot s;
    vec3 x = t->x0[vi];
    s.x[0] = v3_dot(c->a, x);
    s.y[0] = v3_dot(c->b, x);
    if (c->n_times == 2)
        x = t->x1[vi];
    s.x[1] = c->n_times == 2 ? v3_dot(c->a, x) : s.x[0];
    s.y[1] = c->n_times == 2 ? v3_dot(c->b, x) : s.y[0];
    return s;
}

static int32_t tail_node(const tree *t, int32_t he)
{
    return t->node[0][he];
}

static int32_t head_node(const tree *t, int32_t he)
{
    return t->node[0][next_side(he)];
}

static rim make_rim(const contour *c, int32_t he, int32_t loop)
{
    const tree *t = c->t;
    return (rim){project(c, tail_node(t, he)),
                 project(c, head_node(t, he)),
                 t->common[0][he],
                 t->common[0][next_side(he)],
                 he,
                 loop};
}

/* ---- the loops of a contour -------------------------------------------------------------------------------------- */

/* Stretches of p's contour that do not border on q. */
static bool add_segments(contour *c, const zone *p, const zone *q)
{
    const tree *t = c->t;
    int32_t zi = (int32_t)(p - t->zones), n = t->contour_count[zi];
    const int32_t *list = t->contours + t->contour_start[zi];
    bool open = false;
    for (int32_t i = 0; i < n; i++) {
        int32_t twin = t->twin[0][decode(list[i])];
        if (twin >= 0 && zone_has(q, twin / 3)) {
            open = false;
            continue;
        }
        if (!open || list[i] < 0) {
            if (c->n_segments == SEGMENTS)
                return false;
            c->segments[c->n_segments++] = (segment){list + i, 0, -1, -1};
            open = true;
        }
        c->segments[c->n_segments - 1].n++;
        c->n_edges++;
    }
    return true;
}

static int32_t segment_from(const contour *c, int32_t he)
{
    for (int32_t i = 0; i < c->n_segments; i++)
        if (decode(c->segments[i].list[0]) == he)
            return i;
    return -1;
}

static bool link_segments(contour *c)
{
    for (int32_t i = 0; i < c->n_segments; i++) {
        segment *s = &c->segments[i];
        s->next = segment_from(c, contour_next(c->t, c->p, c->q, decode(s->list[s->n - 1])));
        if (s->next < 0)
            return false;
    }
    for (int32_t i = 0; i < c->n_segments; i++) {
        if (c->segments[i].loop >= 0)
            continue;
        if (c->n_loops == LOOPS)
            return false;
        for (int32_t s = i; c->segments[s].loop < 0; s = c->segments[s].next)
            c->segments[s].loop = c->n_loops;
        c->n_loops++;
    }
    return true;
}

/* The loops of one zone are in its list as they are. */
static bool find_loops_of_one(contour *c)
{
    const tree *t = c->t;
    int32_t zi = (int32_t)(c->p - t->zones), n = t->contour_count[zi];
    const int32_t *list = t->contours + t->contour_start[zi];
    for (int32_t i = 0; i < n; i++) {
        if (list[i] < 0) {
            if (c->n_loops == LOOPS)
                return false;
            c->segments[c->n_loops] = (segment){list + i, 0, c->n_loops, c->n_loops};
            c->n_loops++;
        }
        c->segments[c->n_loops - 1].n++;
    }
    c->n_segments = c->n_loops;
    c->n_edges = n;
    return n > 0;
}

static bool find_loops(contour *c)
{
    if (!c->q)
        return find_loops_of_one(c);
    if (!add_segments(c, c->p, c->q) || !add_segments(c, c->q, c->p))
        return false;
    return c->n_edges > 0 && link_segments(c);
}

/* ---- small contours as stars ------------------------------------------------------------------------------------- */

static double cross_at(const spot *r, int i, const spot *s, int j)
{
    return r->x[i] * s->y[j] - r->y[i] * s->x[j];
}

static double dot_at(const spot *r, int i, const spot *s, int j)
{
    return r->x[i] * s->x[j] + r->y[i] * s->y[j];
}

static spot spot_from(const spot *origin, const spot *to)
{
    spot r;
    for (int k = 0; k < 2; k++) {
        r.x[k] = to->x[k] - origin->x[k];
        r.y[k] = to->y[k] - origin->y[k];
    }
    return r;
}

static double extent(const spot *r)
{
    return max_of(fabs(r->x[0]), fabs(r->x[1])) + max_of(fabs(r->y[0]), fabs(r->y[1]));
}

/* Whether r × s > least all through the motion. */
static bool turns_left(const contour *c, const spot *r, const spot *s, double least)
{
    if (!(cross_at(r, 0, s, 0) > least))
        return false;
    return c->n_times == 1 || (cross_at(r, 1, s, 1) > least && cross_at(r, 0, s, 1) + cross_at(r, 1, s, 0) > 2 * least);
}

static bool is_star(const contour *c)
{
    spot spots[STAR], middle = {{0, 0}, {0, 0}};
    int32_t n = 0, s = 0;
    if (c->n_loops != 1 || c->n_edges > STAR)
        return false;
    do {
        for (int32_t i = 0; i < c->segments[s].n; i++)
            spots[n++] = project(c, tail_node(c->t, decode(c->segments[s].list[i])));
        s = c->segments[s].next;
    } while (s != 0);
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

/* ---- two edges --------------------------------------------------------------------------------------------------- */

/* Whether f lies beyond e along (x, y), or e beyond f, by `least` at both times. */
static bool apart_along(const contour *c, const rim *e, const rim *f, double x, double y, double least)
{
    bool up = true, down = true;
    for (int k = 0; k < c->n_times; k++) {
        double e0 = x * e->tail.x[k] + y * e->tail.y[k], e1 = x * e->head.x[k] + y * e->head.y[k];
        double f0 = x * f->tail.x[k] + y * f->tail.y[k], f1 = x * f->head.x[k] + y * f->head.y[k];
        up = up && min_of(f0, f1) - max_of(e0, e1) > least;
        down = down && min_of(e0, e1) - max_of(f0, f1) > least;
    }
    return up || down;
}

static bool apart_across(const contour *c, const rim *e, const rim *f, double x, double y, double least)
{
    double length = sqrt(x * x + y * y);
    return length > 0 && apart_along(c, e, f, x / length, y / length, least);
}

/* Edges without a common vertex. Of two segments that are disjoint at one time, the normal of one, or the line through
 * both, tells it; the line between the middles tells of distance. */
static bool strangers_apart(const contour *c, const rim *e, const rim *f)
{
    double least = c->thickness + 2 * c->margin;
    if (apart_along(c, e, f, 1, 0, least) || apart_along(c, e, f, 0, 1, least))
        return true;
    double x = f->tail.x[0] + f->head.x[0] - e->tail.x[0] - e->head.x[0];
    double y = f->tail.y[0] + f->head.y[0] - e->tail.y[0] - e->head.y[0];
    if (apart_across(c, e, f, x, y, least))
        return true;
    for (int k = 0; k < c->n_times; k++)
        if (apart_across(c, e, f, e->tail.y[k] - e->head.y[k], e->head.x[k] - e->tail.x[k], least) ||
            apart_across(c, e, f, f->tail.y[k] - f->head.y[k], f->head.x[k] - f->tail.x[k], least))
            return true;
    return false;
}

/* Whether two rays from one point never fall together: their cross product keeps its sign, or they look apart. */
static bool rays_apart(const contour *c, const spot *r, const spot *s)
{
    double least = 8 * c->margin * (extent(r) + extent(s));
    if (turns_left(c, r, s, least) || turns_left(c, s, r, least))
        return true;
    if (!(dot_at(r, 0, s, 0) < -least))
        return false;
    return c->n_times == 1 || (dot_at(r, 1, s, 1) < -least && dot_at(r, 0, s, 1) + dot_at(r, 1, s, 0) < -2 * least);
}

/* A pass of the contour through a vertex, and where it comes from and goes to, seen from there. */
typedef struct pass {
    int32_t in, out; /* half-edges */
    spot back, forth;
} pass;

static pass find_pass(const contour *c, const rim *e, bool at_head)
{
    const tree *t = c->t;
    pass p;
    p.in = at_head ? e->he : contour_past(t, c->p, c->q, e->he);
    p.out = at_head ? contour_next(t, c->p, c->q, e->he) : e->he;
    spot v = project(c, head_node(t, p.in)), back = project(c, tail_node(t, p.in)),
         forth = project(c, head_node(t, p.out));
    p.back = spot_from(&v, &back);
    p.forth = spot_from(&v, &forth);
    return p;
}

/* Whether, turning left from `from` at x0, `a` comes before `b` for certain. */
static bool comes_before(const contour *c, const spot *from, const spot *a, const spot *b)
{
    double least = 8 * c->margin * (extent(from) + extent(a) + extent(b));
    double at_a = cross_at(from, 0, a, 0), at_b = cross_at(from, 0, b, 0);
    bool a_unclear = fabs(at_a) <= least, b_unclear = fabs(at_b) <= least;
    if ((a_unclear && b_unclear) || (a_unclear && !(dot_at(from, 0, a, 0) < 0)) ||
        (b_unclear && !(dot_at(from, 0, b, 0) < 0)))
        return false;
    if ((at_a > 0) != (at_b > 0))
        return at_a > 0;
    return cross_at(a, 0, b, 0) > least;
}

/* S lies to the left of forth and to the right of back. */
static bool sectors_apart(const contour *c, const pass *p, const pass *q)
{
    return comes_before(c, &p->forth, &p->back, &q->forth) && comes_before(c, &p->forth, &q->forth, &q->back);
}

static bool angle_is_wide(const spot *r, const spot *s, double most_cos)
{
    double length = sqrt(dot_at(r, 0, r, 0) * dot_at(s, 0, s, 0));
    return dot_at(r, 0, s, 0) <= (most_cos - 1e-9) * length;
}

/* The outer angle where one edge follows another, for thickness. */
static bool corner_is_wide(const contour *c, const pass *p)
{
    if (!(cross_at(&p->back, 0, &p->forth, 0) > 0))
        return true;
    int32_t in = c->t->twin[0][p->in], out = c->t->twin[0][p->out];
    bool filled = in >= 0 && out >= 0 && in / 3 == out / 3;
    return angle_is_wide(&p->back, &p->forth, filled ? FILLED_COS : OPEN_COS);
}

/* Where f follows e in a list of half-edges. */
static bool followers_apart(const contour *c, const rim *e, const rim *f)
{
    pass p = {.in = e->he, .out = f->he, .back = spot_from(&e->head, &e->tail), .forth = spot_from(&f->tail, &f->head)};
    return rays_apart(c, &p.back, &p.forth) && (c->thickness == 0 || corner_is_wide(c, &p));
}

static bool neighbours_apart(contour *c, const rim *e, const rim *f)
{
    bool e_head = e->to == f->from || e->to == f->to, f_head = f->to == e->from || f->to == e->to;
    pass p = find_pass(c, e, e_head), q = find_pass(c, f, f_head);
    const spot *r = e_head ? &p.back : &p.forth, *s = f_head ? &q.back : &q.forth;
    if (!rays_apart(c, r, s))
        return false;
    if (p.in == q.in)
        return c->thickness == 0 || corner_is_wide(c, &p);
    if (!sectors_apart(c, &p, &q) || (c->thickness > 0 && !angle_is_wide(r, s, OPEN_COS)))
        return false;
    c->touches[e->loop] |= 1u << f->loop;
    c->touches[f->loop] |= 1u << e->loop;
    return true;
}

static bool edges_apart(contour *c, const rim *e, const rim *f)
{
    int n_common = (e->from == f->from) + (e->from == f->to) + (e->to == f->from) + (e->to == f->to);
    if (n_common == 0)
        return strangers_apart(c, e, f);
    return n_common == 1 && neighbours_apart(c, e, f);
}

/* ---- blocks ------------------------------------------------------------------------------------------------------ */

static bool cut_blocks(contour *c)
{
    int32_t size = FEW;
    while ((int64_t)size * (BLOCKS - c->n_segments) < c->n_edges)
        size++;
    if (size > BLOCK)
        return false;
    for (int32_t loop = 0; loop < c->n_loops; loop++) {
        int32_t first = 0;
        while (c->segments[first].loop != loop)
            first++;
        c->loop_first[loop] = c->n_blocks;
        int32_t i = first;
        do {
            const segment *s = &c->segments[i];
            for (int32_t at = 0; at < s->n; at += size)
                c->blocks[c->n_blocks++] =
                    (block){.list = s->list + at, .n = s->n - at < size ? s->n - at : size, .loop = loop};
            i = s->next;
        } while (i != first);
    }
    c->loop_first[c->n_loops] = c->n_blocks;
    return true;
}

/* The points of a block, the last one's head included; their box. */
static void load_block(contour *c, int32_t i, spot *spots)
{
    const block *b = &c->blocks[i];
    double x_lo[2], x_hi[2], y_lo[2], y_hi[2];
    for (int32_t j = 0; j < b->n; j++)
        spots[j] = project(c, tail_node(c->t, decode(b->list[j])));
    spots[b->n] = project(c, head_node(c->t, decode(b->list[b->n - 1])));
    for (int k = 0; k < 2; k++) {
        x_lo[k] = x_hi[k] = spots[0].x[k];
        y_lo[k] = y_hi[k] = spots[0].y[k];
        for (int32_t j = 1; j <= b->n; j++) {
            x_lo[k] = min_of(x_lo[k], spots[j].x[k]);
            x_hi[k] = max_of(x_hi[k], spots[j].x[k]);
            y_lo[k] = min_of(y_lo[k], spots[j].y[k]);
            y_hi[k] = max_of(y_hi[k], spots[j].y[k]);
        }
    }
    c->boxes[i] = box_of_planar(x_lo, x_hi, y_lo, y_hi);
}

/* Twice the area about the loop's first point, and what rounding may have done to it. */
static void add_area(contour *c, int32_t loop, const spot *origin, const spot *spots, int32_t n)
{
    for (int32_t i = 0; i < n; i++) {
        spot r = spot_from(origin, &spots[i]), s = spot_from(origin, &spots[i + 1]);
        c->area[loop] += cross_at(&r, 0, &s, 0);
        c->area_error[loop] += 4 * c->margin * (extent(&r) + extent(&s));
    }
}

static bool goes_forward(const contour *c, const spot *spots, int32_t n, double x, double y)
{
    double least = 4 * c->margin * (fabs(x) + fabs(y));
    bool forward = true;
    for (int k = 0; k < c->n_times; k++)
        for (int32_t i = 0; i < n; i++) {
            double way = x * (spots[i + 1].x[k] - spots[i].x[k]) + y * (spots[i + 1].y[k] - spots[i].y[k]);
            forward = forward && way > least;
        }
    return forward;
}

static int32_t load_rims(const contour *c, const block *b, rim *rims)
{
    for (int32_t i = 0; i < b->n; i++)
        rims[i] = make_rim(c, decode(b->list[i]), b->loop);
    return b->n;
}

/* The same from points that are there already. */
static void rims_from_spots(const contour *c, const block *b, const spot *spots, rim *rims)
{
    const int32_t *common = c->t->common[0];
    for (int32_t i = 0; i < b->n; i++) {
        int32_t he = decode(b->list[i]);
        rims[i] = (rim){spots[i], spots[i + 1], common[he], common[next_side(he)], he, b->loop};
    }
}

static bool between_blocks(contour *c, const block *p, const block *q)
{
    rim rims[BLOCK];
    int32_t n = load_rims(c, p, rims);
    for (int32_t j = 0; j < q->n; j++) {
        rim f = make_rim(c, decode(q->list[j]), q->loop);
        for (int32_t i = 0; i < n; i++)
            if (!edges_apart(c, &rims[i], &f))
                return false;
    }
    return true;
}

/* Block p within itself and against the next one, q; q NULL: within itself only. */
static bool around_block(contour *c, const block *p, const spot *p_spots, const block *q, const spot *q_spots)
{
    rim rims[2 * BLOCK];
    int32_t n = p->n;
    rims_from_spots(c, p, p_spots, rims);
    if (q) {
        rims_from_spots(c, q, q_spots, rims + n);
        n += q->n;
    }
    for (int32_t i = 0; i < p->n; i++)
        for (int32_t j = i + 1; j < n; j++) {
            bool follows = j == i + 1 && rims[i].to == rims[j].from && rims[i].from != rims[j].to;
            if (!(follows ? followers_apart(c, &rims[i], &rims[j]) : edges_apart(c, &rims[i], &rims[j])))
                return false;
        }
    return true;
}

/* Each block with itself and the next of its loop. */
static bool loop_goes_on(contour *c, int32_t loop)
{
    int32_t first = c->loop_first[loop], n = c->loop_first[loop + 1] - first;
    spot store[2][BLOCK + 1], *now = store[0], *next = store[1], origin;
    load_block(c, first, now);
    origin = now[0];
    for (int32_t i = 0; i < n; i++) {
        int32_t next_block = i + 1 < n ? first + i + 1 : first;
        const block *b = &c->blocks[first + i], *then = &c->blocks[next_block];
        if (c->n_loops > 1)
            add_area(c, loop, &origin, now, b->n);
        load_block(c, next_block, next);
        double x = next[then->n].x[0] - now[0].x[0], y = next[then->n].y[0] - now[0].y[0];
        bool forward =
            n > 2 && c->thickness == 0 && goes_forward(c, now, b->n, x, y) && goes_forward(c, next, then->n, x, y);
        /* With two blocks, each is the other's next: once is enough. */
        bool alone = n == 1 || (n == 2 && i == 1);
        if (!forward && !around_block(c, b, now, alone ? NULL : then, next))
            return false;
        spot *swap = now;
        now = next;
        next = swap;
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
    int32_t end = (row + 1) * ROW < c->n_blocks ? (row + 1) * ROW : c->n_blocks;
    int32_t last = (other + 1) * ROW < c->n_blocks ? (other + 1) * ROW : c->n_blocks;
    for (int32_t i = row * ROW; i < end; i++)
        for (int32_t j = row == other ? i + 1 : other * ROW; j < last; j++)
            if (!box_planar_apart(&c->boxes[i], &c->boxes[j], least) && !follow_each_other(c, i, j) &&
                !between_blocks(c, &c->blocks[i], &c->blocks[j]))
                return false;
    return true;
}

/* Boxes are rounded outward, so that the margin for rounding in the plane is all there is to add. */
static bool far_blocks_apart(contour *c)
{
    float least = -box_below(-(c->thickness + 2 * c->margin));
    int32_t n_rows = (c->n_blocks + ROW - 1) / ROW;
    for (int32_t row = 0; row < n_rows; row++) {
        c->rows[row] = c->boxes[row * ROW];
        for (int32_t i = row * ROW + 1; i < (row + 1) * ROW && i < c->n_blocks; i++)
            c->rows[row] = box_union(&c->rows[row], &c->boxes[i]);
        for (int32_t other = 0; other <= row; other++)
            if ((other == row || !box_planar_apart(&c->rows[row], &c->rows[other], least)) &&
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
    box boxes[LOOPS];
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

static bool is_simple(contour *c)
{
    if (!find_loops(c))
        return false;
    if (c->thickness == 0 && is_star(c))
        return true;
    if (!cut_blocks(c))
        return false;
    for (int32_t loop = 0; loop < c->n_loops; loop++)
        if (!loop_goes_on(c, loop))
            return false;
    return far_blocks_apart(c) && loops_are_side_by_side(c);
}

bool simple_from(const tree *t, const zone *p, const zone *q, uint64_t mask, double thickness, tree_counters *counters)
{
    contour c;
    int k = directions_middle(t->directions, mask);
    c.t = t;
    c.p = p;
    c.q = q;
    c.a = t->directions->a[k];
    c.b = t->directions->b[k];
    c.n_times = t->x1 ? 2 : 1;
    c.margin = 0x1p-47 * t->size;
    c.thickness = thickness;
    c.n_edges = c.n_segments = c.n_loops = c.n_blocks = 0;
    memset(c.area, 0, sizeof c.area);
    memset(c.area_error, 0, sizeof c.area_error);
    memset(c.touches, 0, sizeof c.touches);
    bool simple = is_simple(&c);
    counters->contour_tests++;
    counters->contour_edges += c.n_edges;
    counters->contour_refused += !simple;
    return simple;
}
