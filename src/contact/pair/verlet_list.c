/* SPDX-License-Identifier: MIT */
/* Makes and checks a Verlet list; verlet_list.h has the idea and the proof. The tree gives all pairs whose boxes about
 * the nodes' ways overlap; of a list that is to be kept, those too far apart to matter before it is made anew are left
 * out, by lower bounds of their distance that rounding cannot spoil (VERLET_PAD, certificate_gap). */
#include "contact/pair/verlet_list.h"

#include <string.h>

#include "base/array.h"
#include "contact/ccd/certificate.h"
#include "contact/pair/pair_simd4.h"

/* Nodes or pairs that one thread takes at once, and most pieces of nodes. */
#define VERLET_PIECE 1024
#define VERLET_MOST_PIECES 64
#define VERLET_TINY 1e-12 /* m; more than the rounding of a middle */
/* On what is rounded to floats: more than that may change it by (2⁻²⁴ each way), and more than sums of three do. */
#define VERLET_PAD 1e-6

void verlet_list_destroy(verlet_list *l)
{
    if (!l->mem)
        return;
    MEM_FREE(l->mem, l->vertex_triangle, l->vertex_room);
    MEM_FREE(l->mem, l->edge_edge, l->edge_room);
    MEM_FREE(l->mem, l->least, l->least_room);
    MEM_FREE(l->mem, l->ways, l->n_nodes);
    MEM_FREE(l->mem, l->gone, l->n_nodes);
    *l = (verlet_list){0};
}

static contact_pair of_triangle(const verlet_list *l, bvh_vertex_triangle p)
{
    const int32_t *t = l->triangles[p.ti];
    return (contact_pair){{p.vi, t[0], t[1], t[2]}, false};
}

static contact_pair of_edges(const verlet_list *l, bvh_edge_edge p)
{
    const bvh_edge *edges = bvh_edges(l->bvh);
    return (contact_pair){{edges[p.ei].node[0], edges[p.ei].node[1], edges[p.ej].node[0], edges[p.ej].node[1]}, true};
}

contact_pair verlet_list_pair(const verlet_list *l, int64_t i)
{
    int64_t n = l->pairs.n_vertex_triangle;
    return i < n ? of_triangle(l, l->pairs.vertex_triangle[i]) : of_edges(l, l->pairs.edge_edge[i - n]);
}

static int64_t n_pairs(const verlet_list *l)
{
    return l->pairs.n_vertex_triangle + l->pairs.n_edge_edge;
}

/* ---- motion ------------------------------------------------------------------------------------------------------ */

typedef struct motion {
    verlet_list *list;
    const vec3 *x0, *x1;
    bool of_list;  /* against what the list was made for */
    int32_t piece; /* nodes in each */
    bool left[VERLET_MOST_PIECES];
    double most[VERLET_MOST_PIECES]; /* way */
    float gone[VERLET_MOST_PIECES];  /* most of it */
    int32_t n_quick[VERLET_MOST_PIECES];
} motion;

static bool is_in_interval(double x, double a, double b, double slack)
{
    return x >= min_of(a, b) - slack && x <= max_of(a, b) + slack;
}

static bool in_box(vec3 x, vec3 a, vec3 b, double slack)
{
    return is_in_interval(x.x, a.x, b.x, slack) && is_in_interval(x.y, a.y, b.y, slack) &&
           is_in_interval(x.z, a.z, b.z, slack);
}

static vec3 way_corner(const float at[3])
{
    return v3((double)at[0], (double)at[1], (double)at[2]);
}

/* Corners may be off by `rounding` each, and so may half the way between them. */
static bool has_left(const verlet_list *l, int32_t i, vec3 x0, vec3 x1, double gone)
{
    vec3 from = way_corner(l->ways[i].from), to = way_corner(l->ways[i].to);
    double slack = l->slack - l->rounding;
    return !in_box(x0, from, to, slack) || !in_box(x1, from, to, slack) ||
           !(gone <= 0.5 * v3_len(v3_sub(to, from)) + slack);
}

/* How far it is from the middle of its way. */
static double off_middle(const verlet_list *l, int32_t i, vec3 x)
{
    vec3 middle = v3_scale(0.5, v3_add(way_corner(l->ways[i].from), way_corner(l->ways[i].to)));
    return v3_len(v3_sub(x, middle)) + l->rounding;
}

static void measure_ways_piece(void *context, int32_t piece)
{
    motion *m = context;
    verlet_list *l = m->list;
    int32_t end = (piece + 1) * m->piece < l->n_nodes ? (piece + 1) * m->piece : l->n_nodes;
    for (int32_t i = piece * m->piece; i < end; i++) {
        double way = v3_len(v3_sub(m->x1[i], m->x0[i])), gone = way;
        if (m->of_list) {
            gone += off_middle(l, i, m->x0[i]);
            m->left[piece] = m->left[piece] || has_left(l, i, m->x0[i], m->x1[i], gone);
        }
        l->gone[i] = (float)(gone * (1 + VERLET_PAD) + VERLET_TINY);
        m->gone[piece] = l->gone[i] > m->gone[piece] ? l->gone[i] : m->gone[piece];
        m->most[piece] = max_of(m->most[piece], way);
        m->n_quick[piece] += way > VERLET_QUICK * l->reach;
    }
}

/* What all nodes have gone; returns whether they have kept to their bounds. */
static bool measure_ways(verlet_list *l, const vec3 *x0, const vec3 *x1, bool of_list)
{
    motion m = {.list = l, .x0 = x0, .x1 = x1, .of_list = of_list};
    m.piece = l->n_nodes <= VERLET_PIECE * VERLET_MOST_PIECES
                  ? VERLET_PIECE
                  : (l->n_nodes + VERLET_MOST_PIECES - 1) / VERLET_MOST_PIECES;
    int32_t n = (l->n_nodes + m.piece - 1) / m.piece;
    bool left = false;
    pool_for(l->pool, n, measure_ways_piece, &m);
    l->most_way = l->most_gone = 0;
    l->n_quick = 0;
    for (int32_t i = 0; i < n; i++) {
        left = left || m.left[i];
        l->most_way = max_of(l->most_way, m.most[i]);
        l->most_gone = max_of(l->most_gone, (double)m.gone[i]);
        l->n_quick += m.n_quick[i];
    }
    return !left;
}

bool verlet_list_is_valid(verlet_list *l, const vec3 *x0, const vec3 *x1)
{
    return l->kept && measure_ways(l, x0, x1, true);
}

/* ---- making a list ----------------------------------------------------------------------------------------------- */

typedef struct making {
    verlet_list *list;
    const vec3 *x; /* all nodes, at X */
    const pair_kernel *kernel;
    float *least; /* per pair of the tree: the lower bound of D, m; HUGE_VALF: it does not matter */
} making;

/* A pair that is farther apart at X does not matter, however far its nodes go before the list is made anew; `gone` is
 * half of the ways that it is for. */
static double most_far(const verlet_list *l, const contact_pair *p, double reach)
{
    return (1 + 4 * VERLET_PAD) * (reach + verlet_list_gone(l, p) + 2 * l->slack);
}

static bool pair_matters(const verlet_list *l, const contact_pair *p, double least)
{
    if (least > most_far(l, p, l->reach))
        return false;
    return !l->reach_of ||
           least <= most_far(l, p, max_of(l->reach_of(l->reach_context, p), VERLET_LEAST_REACH * l->reach));
}

/* A distance that the two are not nearer than, whatever rounding has done to their closest points. */
static double least_distance(const vec3 *x, const contact_pair *p, const gap *g)
{
    vec3 y[4];
    for (int i = 0; i < 4; i++)
        y[i] = x[p->node[i]];
    return certificate_gap(y, p->edges ? 2 : 1, v3_unit_or(g->vector, v3_zero()));
}

/* Pairs that may matter, of one kind: they are measured by fours, whichever they are. */
typedef struct sifted {
    contact_pair pair[4];
    int64_t at[4];
    int n;
} sifted;

static void measure_sifted(const making *m, sifted *s)
{
    gap g[4];
    if (s->n == 0)
        return;
    for (int k = s->n; k < 4; k++)
        s->pair[k] = s->pair[0];
    contact_pair_gaps(m->kernel, m->x, s->pair, g);
    for (int k = 0; k < s->n; k++) {
        float least = (float)(least_distance(m->x, &s->pair[k], &g[k]) * (1 - VERLET_PAD));
        m->least[s->at[k]] = pair_matters(m->list, &s->pair[k], (double)least) ? least : HUGE_VALF;
    }
    s->n = 0;
}

/* Pairs [begin, end) of a piece, which are of one kind. */
static void verlet_piece_range(const verlet_list *l, int32_t piece, int64_t *begin, int64_t *end)
{
    int64_t n = l->pairs.n_vertex_triangle, n_first = (n + VERLET_PIECE - 1) / VERLET_PIECE;
    bool edges = piece >= n_first;
    *begin = piece * (int64_t)VERLET_PIECE + (edges ? n - n_first * VERLET_PIECE : 0);
    *end = edges ? n_pairs(l) : n;
    *end = *begin + VERLET_PIECE < *end ? *begin + VERLET_PIECE : *end;
}

static void sift_piece(void *context, int32_t piece)
{
    making *m = context;
    verlet_list *l = m->list;
    sifted some = {.n = 0};
    int64_t begin, end;
    verlet_piece_range(l, piece, &begin, &end);
    for (int64_t i = begin; i < end; i += 4) {
        contact_pair p[4];
        int64_t n = end - i < 4 ? end - i : 4;
        double far = 0;
        for (int64_t k = 0; k < 4; k++)
            p[k] = verlet_list_pair(l, i + (k < n ? k : 0));
        for (int64_t k = 0; k < n; k++)
            far = max_of(far, most_far(l, &p[k], l->reach));
        unsigned may = p[0].edges ? m->kernel->lines(m->x, p, far) : m->kernel->planes(m->x, p, far);
        for (int64_t k = 0; k < n; k++) {
            m->least[i + k] = HUGE_VALF;
            if (!(may >> k & 1))
                continue;
            some.pair[some.n] = p[k];
            some.at[some.n++] = i + k;
            if (some.n == 4)
                measure_sifted(m, &some);
        }
    }
    measure_sifted(m, &some);
}

/* Those that matter become the list's own. */
static bool own_pairs(making *m)
{
    verlet_list *l = m->list;
    const bvh_pairs from = l->pairs;
    int64_t n[2] = {0, 0};
    for (int64_t i = 0; i < n_pairs(l); i++)
        n[i >= from.n_vertex_triangle] += m->least[i] < HUGE_VALF;
    if (!ARRAY_RESERVE_STEADY(l->mem, l->vertex_triangle, l->vertex_room, n[0]) ||
        !ARRAY_RESERVE_STEADY(l->mem, l->edge_edge, l->edge_room, n[1]) ||
        !ARRAY_RESERVE_STEADY(l->mem, l->least, l->least_room, n[0] + n[1]))
        return false;
    n[0] = n[1] = 0;
    for (int64_t i = 0; i < n_pairs(l); i++) {
        if (!(m->least[i] < HUGE_VALF))
            continue;
        l->least[n[0] + n[1]] = m->least[i];
        if (i < from.n_vertex_triangle)
            l->vertex_triangle[n[0]++] = from.vertex_triangle[i];
        else
            l->edge_edge[n[1]++] = from.edge_edge[i - from.n_vertex_triangle];
    }
    l->pairs = (bvh_pairs){l->vertex_triangle, l->edge_edge, n[0], n[1], from.counters};
    return true;
}

static int32_t verlet_pieces(int64_t n)
{
    return (int32_t)((n + VERLET_PIECE - 1) / VERLET_PIECE);
}

static bool keep_pairs(verlet_list *l, const vec3 *x)
{
    making m = {.list = l, .x = x, .kernel = pair_kernel_best()};
    if (n_pairs(l) / VERLET_PIECE > INT32_MAX / 2 || !ARENA_TAKE(l->scratch, m.least, n_pairs(l)))
        return false;
    pool_for(l->pool, verlet_pieces(l->pairs.n_vertex_triangle) + verlet_pieces(l->pairs.n_edge_edge), sift_piece, &m);
    return own_pairs(&m);
}

static bool is_worth_keeping(const verlet_list *l)
{
    return l->reach > 0 && l->n_quick <= VERLET_FEW_QUICK * l->n_nodes;
}

static void keep_corner(vec3 x, float out[3], double *farthest)
{
    out[0] = (float)x.x;
    out[1] = (float)x.y;
    out[2] = (float)x.z;
    *farthest = max_of(*farthest, v3_max_abs(x));
}

/* What it is to hold for, from `from` to `to`, which the caller makes boxes of. */
static void set_ways(verlet_list *l, const vec3 *x0, const vec3 *x1, vec3 *from, vec3 *to)
{
    double farthest = 0;
    for (int32_t i = 0; i < l->n_nodes; i++) {
        vec3 way = v3_scale(VERLET_WAYS, v3_sub(x1[i], x0[i]));
        from[i] = v3_sub(x0[i], way);
        to[i] = v3_add(x0[i], way);
        keep_corner(from[i], l->ways[i].from, &farthest);
        keep_corner(to[i], l->ways[i].to, &farthest);
    }
    l->rounding = 2 * 0x1p-24 * farthest; /* 2⁻²⁴ along each axis, less than twice that in all */
}

static bool make_ways(verlet_list *l)
{
    return l->gone || (MEM_MAKE(l->mem, l->ways, l->n_nodes) && MEM_MAKE(l->mem, l->gone, l->n_nodes));
}

static bool find_tree_pairs(verlet_list *l)
{
    bvh_query query = {.mode = BVH_CLASSICAL};
    return bvh_candidates(l->bvh, l->pool, &query, &l->pairs, NULL) >= 0;
}

/* Both kinds of boxes have all pairs that can be near. */
static weft_result refit_once(verlet_list *l, const vec3 *x0, const vec3 *x1)
{
    if (l->most_way > VERLET_LONG_WAY * l->reach)
        return bvh_refit_ends(l->bvh, l->pool, x0, x1, 0.5 * l->reach, NULL);
    return bvh_refit(l->bvh, l->pool, x0, x1, 0.5 * l->reach, NULL);
}

static bool make_once(verlet_list *l, const vec3 *x0, const vec3 *x1)
{
    return refit_once(l, x0, x1) >= 0 && find_tree_pairs(l);
}

bool verlet_list_make(verlet_list *l, const vec3 *x0, const vec3 *x1)
{
    l->kept = false;
    l->slack = 0;
    if (!make_ways(l))
        return false;
    measure_ways(l, x0, x1, false);
    if (!is_worth_keeping(l))
        return make_once(l, x0, x1);
    l->slack = VERLET_SLACK * l->reach;
    arena_mark before = arena_mark_of(l->scratch);
    vec3 *from, *to;
    if (!ARENA_TAKE(l->scratch, from, l->n_nodes) || !ARENA_TAKE(l->scratch, to, l->n_nodes))
        return false;
    set_ways(l, x0, x1, from, to);
    bool far = l->rounding > VERLET_ROUNDING * l->slack; /* kilometres from the origin */
    if (!far) {
        measure_ways(l, x0, to, false);
        l->kept = bvh_refit(l->bvh, l->pool, from, to, 0.5 * l->reach + (1 + VERLET_PAD) * l->slack, NULL) >= 0 &&
                  find_tree_pairs(l) && keep_pairs(l, x0);
    }
    arena_release(l->scratch, before);
    return far ? make_once(l, x0, x1) : verlet_list_is_valid(l, x0, x1);
}
