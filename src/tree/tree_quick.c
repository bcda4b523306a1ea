/* SPDX-License-Identifier: MIT */
/* Contours of one loop, quickly: most are, and most of those that are simple show it at once. tree_simple.c has the
 * idea; here points of the loop stand in rows (math/planar_loop.h), so that four windows are looked at together.
 *
 * The loop of one zone is its list. For the union of two zones of one loop each that border on each other along one
 * stretch, it is what is left of the one list and then of the other. This order is taken without turning about the
 * vertices where the lists are joined. That does no harm: what is proven here is that edges have no common point but
 * that each ends where the next begins. Then the edges of the contour are one Jordan curve in whatever order they were
 * found. If other edges have a common vertex, they are not apart, and this file has no answer; nor has it one for more
 * loops, nor for thickness. */
#include "tree/tree_simple.h"

#include <string.h>

enum {
    STAR = 16,       /* edges of loops that are tried as stars; larger ones hardly ever are */
    SHORT = 48,      /* edges of a loop … */
    FEW = 2,         /* … that is cut into blocks of so many; few, for a window should not turn far */
    MORE = 3,        /* edges of blocks of others */
    MOST_NEAR = 256, /* pairs of blocks that are near each other */
};

/* A stretch of a zone's list of contours, which goes on at its start where it ends. */
typedef struct stretch {
    int32_t first, n_all; /* the list */
    int32_t start, n;     /* the stretch, `start` from first on */
} stretch;

typedef struct quick {
    const contour *c;
    planar_loop loop;
} quick;

/* What of a zone's list does not border on q; false: that is not one stretch. *joined: some of it does. */
static bool find_stretch(const tree *t, const zone *p, const zone *q, stretch *s, bool *joined)
{
    int32_t zi = (int32_t)(p - t->zones), n = t->contour_count[zi], n_changes = 0, at[PLANAR_LOOP + 1];
    const rim_side *sides = t->sides + t->contour_start[zi];
    if (n > PLANAR_LOOP || n == 0)
        return false;
    uint32_t from = (uint32_t)q->first, count = (uint32_t)q->n;
    bool past = (uint32_t)sides[n - 1].beyond - from < count;
    for (int32_t i = 0; i < n; i++) {
        bool now = (uint32_t)sides[i].beyond - from < count;
        at[n_changes] = i;
        n_changes += now != past;
        past = now;
    }
    *joined = n_changes != 0 || past;
    if (n_changes != 2)
        return false;
    bool begins = (uint32_t)sides[at[0]].beyond - from >= count;
    s->first = t->contour_start[zi];
    s->n_all = n;
    s->start = begins ? at[0] : at[1];
    s->n = begins ? at[1] - at[0] : n - at[1] + at[0];
    return true;
}

static stretch whole_list(const tree *t, const zone *p)
{
    int32_t zi = (int32_t)(p - t->zones);
    return (stretch){t->contour_start[zi], t->contour_count[zi], 0, t->contour_count[zi]};
}

static void copy_stretch(const tree *t, const stretch *s, int32_t *node)
{
    const rim_side *sides = t->sides + s->first;
    int32_t end = s->start + s->n < s->n_all ? s->start + s->n : s->n_all;
    for (int32_t i = s->start; i < end; i++)
        *node++ = sides[i].node;
    for (int32_t i = 0; i < s->start + s->n - s->n_all; i++)
        *node++ = sides[i].node;
}

/* Where the stretch ends. */
static int32_t end_node(const tree *t, const stretch *s)
{
    int32_t i = s->start + s->n;
    return t->sides[s->first + (i < s->n_all ? i : i - s->n_all)].node;
}

/* Whether the contour is one loop. *joined: two zones have a common edge. */
static bool find_loop(quick *k, bool *joined)
{
    const contour *c = k->c;
    const tree *t = c->t;
    stretch s[2];
    *joined = true;
    if (c->q && !find_stretch(t, c->p, c->q, &s[0], joined))
        return false;
    if (t->contour_loops[c->p - t->zones] != 1)
        return false;
    if (!c->q) {
        s[0] = whole_list(t, c->p);
        s[1] = (stretch){0};
    } else if (t->contour_loops[c->q - t->zones] != 1 || !find_stretch(t, c->q, c->p, &s[1], joined))
        return false;
    k->loop.n = s[0].n + s[1].n;
    if (k->loop.n > PLANAR_LOOP)
        return false;
    copy_stretch(t, &s[0], k->loop.node);
    if (c->q)
        copy_stretch(t, &s[1], k->loop.node + s[0].n);
    return !c->q || (end_node(t, &s[0]) == k->loop.node[s[0].n] && end_node(t, &s[1]) == k->loop.node[0]);
}

/* ---- where blocks do not tell ------------------------------------------------------------------------------------ */

static spot spot_at(const planar_loop *l, int32_t place, int32_t bi)
{
    int second = l->n_times == 2 ? 2 : 0;
    const double(*p)[PLANAR_STRIDE] = l->point[place];
    return (spot){{p[0][bi], p[second][bi]}, {p[1][bi], p[second + 1][bi]}};
}

/* Appends the edges of a block to a list; their number. */
static int32_t list_edges(const planar_loop *l, int32_t bi, rim *rims)
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
    int32_t n_own = list_edges(&k->loop, bi, rims);
    int32_t n = n_own + list_edges(&k->loop, bi + 1 < k->loop.n_blocks ? bi + 1 : 0, rims + n_own);
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
    int32_t n = list_edges(&k->loop, bi, rims), n_others = list_edges(&k->loop, bj, others);
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
    planar_near near[MOST_NEAR];
    int n = planar_loop_near(&k->loop, -box_below(-2 * k->c->margin), near, MOST_NEAR);
    bool apart = n <= MOST_NEAR;
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

static void widen(sector *s, double x, double y)
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
    sector s = {way_x[0][0], way_y[0][0], way_x[0][0], way_y[0][0]};
    for (int t = 0; t < l->n_times; t++)
        for (int32_t i = 0; i < n; i++)
            widen(&s, way_x[t][i], way_y[t][i]);
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
    const stretch p = whole_list(c->t, c->p), q = whole_list(c->t, c->q);
    int32_t at_p, at_q;
    l->n = p.n + q.n;
    l->size = 1;
    if (l->n > PLANAR_BLOCKS || p.n == 0 || q.n == 0)
        return false;
    copy_stretch(c->t, &p, l->node);
    copy_stretch(c->t, &q, l->node + p.n);
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

bool contour_is_simple_at_once(contour *c)
{
    quick k;
    bool joined;
    planar_loop *l = &k.loop;
    k.c = c;
    if (c->thickness != 0)
        return false;
    if (!find_loop(&k, &joined)) {
        bool apart = !joined && lie_apart(&k);
        if (apart)
            c->n_edges = l->n;
        return apart;
    }
    l->size = l->n <= SHORT ? FEW : MORE;
    planar_loop_project(l, c->t->x0, c->t->x1, c->a, c->b);
    c->n_edges = l->n;
    /* Coordinates in the plane are below 2 sizes, so distances from the middle below 4. */
    if (l->n <= (c->q ? STAR / 2 : STAR) && planar_loop_is_star(l, 32 * c->margin * c->t->size))
        return true;
    if (l->n_blocks < 3)
        return false;
    planar_loop_bound(l, 4 * c->margin);
    return windows_are_simple(&k) && far_blocks_are_apart(&k);
}
