/* SPDX-License-Identifier: MIT */
/* Contours of one loop, quickly: most are, and most of those that are simple show it at once. bvh_simple.c has the
 * idea. Nearly all become stars when dents are filled (math/planar_ring.h). For others points of the loop stand in rows
 * (math/planar_loop.h), so that four windows are looked at together.
 *
 * The loop of one zone is its list. For the union of two zones of one loop each that border on each other along one
 * stretch, it is what is left of the one list and then of the other. This order is taken without turning about the
 * vertices where the lists are joined. That does no harm: what is proven here is that edges have no common point but
 * that each ends where the next begins. Then the edges of the contour are one Jordan curve in whatever order they were
 * found. If other edges have a common vertex, they are not apart, and this file has no answer; nor has it one for more
 * loops, nor for thickness. */
#include "bvh/bvh_simple.h"

#include <assert.h>
#include <string.h>

typedef struct quick {
    const contour *c;
    planar_loop loop;
} quick;

/* The nodes of a stretch of a zone's list. */
static void copy_stretch(const bvh *t, int32_t zi, stretch s, int32_t *node)
{
    const int32_t *list = t->rim_node + t->contour_start[zi];
    int32_t n_all = t->contour_count[zi], n = s.start + s.n < n_all ? s.n : n_all - s.start;
    assert(n > 0);
    for (int32_t i = 0; i < n; i++)
        node[i] = list[s.start + i];
    for (int32_t i = n; i < s.n; i++)
        node[i] = list[i - n];
}

static int32_t end_node(const bvh *t, int32_t zi, stretch s)
{
    int32_t i = s.start + s.n, n_all = t->contour_count[zi];
    return t->rim_node[t->contour_start[zi] + (i < n_all ? i : i - n_all)];
}

/* Whether the contour is one loop: its nodes and their number. *joined: two zones have a common edge. */
static bool find_loop(const contour *c, int32_t *node, int *n, bool *joined)
{
    const bvh *t = c->t;
    int32_t p = (int32_t)(c->p - t->zones), q = c->q ? (int32_t)(c->q - t->zones) : -1;
    *joined = true;
    if (q < 0) {
        *n = t->contour_count[p];
        if (t->contour_loops[p] != 1 || *n > PLANAR_RING)
            return false;
        memcpy(node, t->rim_node + t->contour_start[p], (size_t)*n * sizeof *node);
        return true;
    }
    stretch s = contour_stretch(t, p, q);
    *joined = s.n != STRETCH_NONE;
    if (s.n < 0)
        return false;
    stretch r = contour_stretch(t, q, p);
    *n = s.n + r.n;
    if (r.n < 0 || *n > PLANAR_RING)
        return false;
    copy_stretch(t, p, s, node);
    copy_stretch(t, q, r, node + s.n);
    return end_node(t, p, s) == node[s.n] && end_node(t, q, r) == node[0];
}

/* ---- where blocks do not tell ------------------------------------------------------------------------------------ */

static spot spot_at(const planar_loop *l, int32_t place, int32_t bi)
{
    int second = l->n_times == 2 ? 2 : 0;
    const double(*p)[PLANAR_STRIDE] = l->point[place];
    return (spot){{p[0][bi], p[second][bi]}, {p[1][bi], p[second + 1][bi]}};
}

/* Appends the edges of a block to a list; their number. */
static int32_t list_loop_edges(const planar_loop *l, int32_t bi, rim *rims)
{
    int32_t left = l->n - bi * l->size, n = left < l->size ? left : l->size;
    for (int32_t i = 0; i < n; i++) {
        rims[i].he = -1;
        rims[i].tail = spot_at(l, i, bi);
        rims[i].head = i + 1 < l->size ? spot_at(l, i + 1, bi) : spot_at(l, 0, bi + 1);
    }
    return n;
}

/* The edges of a block, each with those behind it in the block and with those of the next. */
static bool is_simple_around(const quick *k, int32_t bi)
{
    rim rims[2 * PLANAR_EDGES];
    int32_t n_own = list_loop_edges(&k->loop, bi, rims);
    int32_t n = n_own + list_loop_edges(&k->loop, bi + 1 < k->loop.n_blocks ? bi + 1 : 0, rims + n_own);
    for (int32_t i = 0; i < n_own; i++)
        for (int32_t j = i + 1; j < n; j++)
            if (!(j == i + 1 ? contour_followers_apart(k->c, &rims[i], &rims[j])
                             : contour_strangers_apart(k->c, &rims[i], &rims[j])))
                return false;
    return true;
}

static bool blocks_are_apart(const quick *k, int32_t bi, int32_t bj)
{
    rim rims[PLANAR_EDGES], others[PLANAR_EDGES];
    int32_t n = list_loop_edges(&k->loop, bi, rims), n_others = list_loop_edges(&k->loop, bj, others);
    for (int32_t i = 0; i < n; i++)
        for (int32_t j = 0; j < n_others; j++)
            if (!contour_strangers_apart(k->c, &rims[i], &others[j]))
                return false;
    return true;
}

static bool windows_are_simple(const quick *k)
{
    for (int32_t i = 0; i <= k->loop.n_blocks / 32; i++)
        for (uint32_t bent = k->loop.bent[i]; bent != 0; bent &= bent - 1)
            if (!is_simple_around(k, 32 * i + box_lowest_bit(bent)))
                return false;
    return true;
}

static bool far_blocks_are_apart(const quick *k)
{
    planar_near near[BVH_NEAR_BLOCKS];
    int n = planar_loop_near(&k->loop, -box_below(-2 * k->c->margin), near, BVH_NEAR_BLOCKS);
    bool apart = n <= BVH_NEAR_BLOCKS;
    for (int i = 0; apart && i < n; i++)
        apart = blocks_are_apart(k, near[i].i, near[i].j);
    return apart;
}

/* ---- two zones without a common edge ----------------------------------------------------------------------------- */

/* The point that both lists have, as places in them; false: they have more. -1: none. */
static bool find_common(const planar_loop *l, int32_t n_p, int32_t *at_p, int32_t *at_q)
{
    int n_found = 0;
    *at_p = *at_q = -1;
    for (int32_t i = 0; i < n_p; i++)
        for (int32_t j = n_p; j < l->n; j++)
            if (l->node[i] == l->node[j]) {
                *at_p = i;
                *at_q = j;
                n_found++;
            }
    return n_found <= 1;
}

/* A sector of directions in the plane, from the rightmost to the leftmost. */
typedef struct sector {
    double right_x, right_y, left_x, left_y;
} sector;

static void widen_window(sector *s, double x, double y)
{
    if (x * s->right_y - y * s->right_x > 0) {
        s->right_x = x;
        s->right_y = y;
    }
    if (s->left_x * y - s->left_y * x > 0) {
        s->left_x = x;
        s->left_y = y;
    }
}

/* Ways from p's points to the common one, and from there to q's. */
static bool lie_apart_about(const quick *k, int32_t n_p, int32_t at_p, int32_t at_q)
{
    const planar_loop *l = &k->loop;
    double way_x[2][PLANAR_BLOCKS], way_y[2][PLANAR_BLOCKS];
    int32_t n = 0;
    for (int32_t i = 0; i < l->n; i++) {
        if (i == at_p || i == at_q)
            continue;
        for (int t = 0; t < l->n_times; t++) {
            const double *x = l->point[0][2 * t], *y = l->point[0][2 * t + 1];
            way_x[t][n] = i < n_p ? x[at_p] - x[i] : x[i] - x[at_p];
            way_y[t][n] = i < n_p ? y[at_p] - y[i] : y[i] - y[at_p];
        }
        n++;
    }
    assert(n > 0 && l->n_times > 0);
    sector s = {way_x[0][0], way_y[0][0], way_x[0][0], way_y[0][0]};
    for (int t = 0; t < l->n_times; t++)
        for (int32_t i = 0; i < n; i++)
            widen_window(&s, way_x[t][i], way_y[t][i]);
    bool narrow = s.right_x * s.left_x + s.right_y * s.left_y > 0;
    double x = narrow ? s.right_x + s.left_x : s.left_y - s.right_y;
    double y = narrow ? s.right_y + s.left_y : s.right_x - s.left_x;
    double least = 1e300;
    for (int t = 0; t < l->n_times; t++)
        for (int32_t i = 0; i < n; i++)
            least = min_of(least, x * way_x[t][i] + y * way_y[t][i]);
    return least > 4 * k->c->margin * (fabs(x) + fabs(y));
}

static bool lie_apart_along(const quick *k, int32_t n_p, double x, double y)
{
    const planar_loop *l = &k->loop;
    for (int t = 0; t < l->n_times; t++) {
        double most = -1e300, least = 1e300;
        for (int32_t i = 0; i < l->n; i++) {
            double at = x * l->point[0][2 * t][i] + y * l->point[0][2 * t + 1][i];
            most = i < n_p ? max_of(most, at) : most;
            least = i < n_p ? least : min_of(least, at);
        }
        if (!(least - most > 4 * k->c->margin * (fabs(x) + fabs(y))))
            return false;
    }
    return true;
}

/* All of a zone lies over the convex hull of its contour, for where the contour does not wind there is no triangle. So
 * two zones have no common point if there is a line in the plane between their contours, at both times, with p on one
 * side and q on the other; or one through the only vertex that both have, with no other point on it. Neither zone need
 * be simple for this. */
static bool lie_apart(quick *k)
{
    const contour *c = k->c;
    planar_loop *l = &k->loop;
    const bvh *t = c->t;
    int32_t zi = (int32_t)(c->p - t->zones), zj = (int32_t)(c->q - t->zones);
    int32_t n_p = t->contour_count[zi], n_q = t->contour_count[zj], at_p, at_q;
    l->n = n_p + n_q;
    l->size = 1;
    if (l->n > PLANAR_BLOCKS || n_p == 0 || n_q == 0)
        return false;
    const stretch p = {0, (int16_t)n_p}, q = {0, (int16_t)n_q};
    copy_stretch(t, zi, p, l->node);
    copy_stretch(t, zj, q, l->node + p.n);
    if (!find_common(l, p.n, &at_p, &at_q))
        return false;
    planar_loop_project(l, c->t->x0, c->t->x1, c->a, c->b);
    if (at_p >= 0)
        return lie_apart_about(k, p.n, at_p, at_q);
    double x = 0, y = 0;
    for (int32_t i = 0; i < l->n; i++) {
        double weight = i < p.n ? -1.0 / p.n : 1.0 / q.n;
        x += weight * l->point[0][0][i];
        y += weight * l->point[0][1][i];
    }
    return lie_apart_along(k, p.n, x, y);
}

/* Two zones side by side; false also if that is not known. */
static bool zones_lie_apart(contour *c)
{
    quick k;
    k.c = c;
    bool apart = lie_apart(&k);
    if (apart)
        c->n_edges = k.loop.n;
    return apart;
}

/* A loop that is not simple by its dents alone. */
static bool windows_tell(const contour *c, const int32_t *node, int n)
{
    quick k;
    planar_loop *l = &k.loop;
    if (n > PLANAR_LOOP)
        return false;
    k.c = c;
    l->n = n;
    l->size = n <= BVH_SHORT_CONTOUR ? BVH_SHORT_BLOCK : BVH_LONG_BLOCK;
    memcpy(l->node, node, (size_t)n * sizeof *node);
    planar_loop_project(l, c->t->x0, c->t->x1, c->a, c->b);
    if (l->n_blocks < 3)
        return false;
    planar_loop_bound(l, 4 * c->margin);
    return windows_are_simple(&k) && far_blocks_are_apart(&k);
}

bool contour_ring_is_simple(const contour *c, planar_ring *r)
{
    int n = r->n;
    /* Coordinates in the plane are below 2 sizes, so distances in it below 4. */
    return planar_ring_is_simple(r, c->t->x0, c->t->x1, c->a, c->b, 32 * c->margin * c->t->size) ||
           windows_tell(c, r->node, n);
}

simple contour_is_simple_at_once(contour *c)
{
    planar_ring r;
    bool joined;
    if (c->thickness != 0)
        return SIMPLE_UNKNOWN;
    if (!find_loop(c, r.node, &r.n, &joined))
        return !joined && zones_lie_apart(c) ? SIMPLE_APART : SIMPLE_UNKNOWN;
    c->n_edges = r.n;
    return contour_ring_is_simple(c, &r) ? SIMPLE_UNION : SIMPLE_UNKNOWN;
}
