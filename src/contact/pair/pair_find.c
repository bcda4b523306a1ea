/* SPDX-License-Identifier: MIT */
/* Which pairs of a list are near. Nine of ten are far, which four at a time are told by signs and squares; closest
 * points are measured for the rest, again four at a time. Chosen pairs are then put in the order of their primitives'
 * numbers.
 *
 * Invariant: whether a pair is near depends on its nodes' positions alone, and on those of none but its
 * nodes but for the farthest way that any goes: never on the list. */
#include <string.h>

#include "base/array.h"
#include "contact/pair/pair_inside.h"

/* Pairs of a list that one thread takes at once. */
#define PAIR_FIND_PIECE 1024

typedef struct find_run {
    pair_set *s;
    const verlet_list *list;
    pair_motion motion;
    double far; /* pairs that are farther apart are not near, m */
    const pair_kernel *kernel;
} find_run;

/* Whether closest points g of a pair with a mesh, or of cloth that lies, which come nearer by `nearer`, may touch
 * within `near` of the thickness. */
static bool firm_is_near(const pair_set *s, const contact_pair *p, const gap *g, double nearer, double near)
{
    double thickness, radius;
    if (!(g->distance > 0) || (p->edges && !g->inside))
        return false;
    pair_reach_of(s, p, g, &thickness, &radius);
    return g->distance < PAIR_HORIZON * (thickness + radius) &&
           g->distance - 2 * nearer < thickness + min_of(near, radius);
}

/* nearer: by how much its points come nearer, if they do. */
static bool pair_is_near(const pair_set *s, const contact_pair *p, const gap *g, double nearer)
{
    double thickness, radius;
    if (!(g->distance > 0) || (p->edges && !g->inside))
        return false;
    double most = 0;
    for (int i = 0; i < 4; i++)
        most = max_of(most, pair_par_of(s, p->node[i])->thickness + pair_par_of(s, p->node[i])->radius);
    if (g->distance >= PAIR_HORIZON * most)
        return false;
    double rest = pair_reach_of(s, p, g, &thickness, &radius), reach = thickness + radius;
    return g->distance < min_of(PAIR_FOLDED * rest, PAIR_HORIZON * reach) && g->distance - nearer < reach;
}

/* Half of the distance at rest, or less: where pair_reach_of has not looked at that, two nodes of the pair are apart by
 * twice what it feels and two of its longest sides or more, so the pair itself is by twice what it feels. */
double pair_set_reach(const void *set, const contact_pair *p)
{
    const pair_set *s = set;
    const pair_node *a = &s->nodes[p->node[0]], *b = &s->nodes[p->node[p->edges ? 2 : 1]];
    double most = 2 * s->reach + 2 * s->longest;
    if (a->piece < 0 || a->piece != b->piece || v3_len_sq(v3_sub(a->rest, b->rest)) >= most * most)
        return s->reach;
    return min_of(s->reach, 0.5 * pair_rest_distance(s, p));
}

static bool is_tangled(const pair_set *s, const contact_pair *p)
{
    uint64_t in[2] = {0, 0};
    for (int i = 0; s->tangled && i < 4; i++)
        in[p->edges ? i / 2 : i > 0] |= s->tangled[p->node[i]];
    return patches_may_pass(in[0], in[1]);
}

/* Pairs on their way through the tests, of one kind: each takes four at once, whichever they are. */
typedef struct batch {
    contact_pair pair[4];
    int64_t at[4];
    int n;
} batch;

/* Adds a pair; whether there are four now. */
static bool fill_batch(batch *b, const contact_pair *p, int64_t at)
{
    b->pair[b->n] = *p;
    b->at[b->n] = at;
    return ++b->n == 4;
}

static void fill_up(batch *b)
{
    for (int k = b->n; k < 4; k++)
        b->pair[k] = b->pair[0];
}

static bool lies_in_list(const find_run *r, const contact_pair *p, int64_t at, const gap *g)
{
    int32_t beside[4];
    if (!pair_set_is_fine(r->s))
        return false;
    pair_beside(r->s, r->list, at, beside);
    return pair_lies(r->s, p, beside, g, r->motion.x1);
}

/* Two points come nearer by no more than the longest of their nodes' ways together. And boxes of the two must not be
 * beyond the reach of each other along one axis, in one direction, at the start and at the end, and so all the way: a
 * list has all such pairs, and may have more. A bit less, so that where rounding decides it no list lacks what another
 * has. */
static void measure_batch(const find_run *r, batch *b, pair_piece *sums)
{
    gap g[4], end[4];
    double nearer[4];
    if (b->n == 0)
        return;
    fill_up(b);
    contact_pair_gaps(r->kernel, r->s->x0, b->pair, g);
    if (pair_set_has_firm(r->s))
        contact_pair_gaps(r->kernel, r->motion.x1, b->pair, end);
    unsigned may = r->kernel->come_near(&r->motion, b->pair, g, nearer);
    for (int k = 0; k < b->n; k++) {
        const contact_pair *p = &b->pair[k];
        bool comes = may >> k & 1, firm = p->node[0] >= r->s->n_cloth || p->node[3] >= r->s->n_cloth;
        bool near = !firm && comes && pair_is_near(r->s, p, &g[k], nearer[k]);
        if (!near && (firm || lies_in_list(r, p, b->at[k], &g[k])))
            near = (comes && firm_is_near(r->s, p, &g[k], nearer[k], FIRM_NEAR_START)) ||
                   firm_is_near(r->s, p, &end[k], 0, FIRM_NEAR_END);
        near = near && !is_tangled(r->s, p);
        r->s->keep[b->at[k]] = near;
        sums->n += near;
    }
    b->n = 0;
}

/* Nine of ten pairs are far, which four of them are told at once. */
static void sift_batch(const find_run *r, batch *b, batch *next, pair_piece *sums)
{
    if (b->n == 0)
        return;
    fill_up(b);
    unsigned may = b->pair[0].edges ? r->kernel->edges(r->s->x0, b->pair, r->far)
                                    : r->kernel->triangles(r->s->x0, b->pair, r->far);
    if (pair_set_has_firm(r->s))
        may |= b->pair[0].edges ? r->kernel->edges(r->motion.x1, b->pair, r->s->reach)
                                : r->kernel->triangles(r->motion.x1, b->pair, r->s->reach);
    for (int k = 0; k < b->n; k++)
        if ((may >> k & 1) && fill_batch(next, &b->pair[k], b->at[k]))
            measure_batch(r, next, sums);
    b->n = 0;
}

/* Pairs [begin, end) of piece i: of one kind. */
static void pair_find_range(const verlet_list *l, int32_t i, int64_t *begin, int64_t *end)
{
    int64_t n = l->pairs.n_vertex_triangle, n_first = (n + PAIR_FIND_PIECE - 1) / PAIR_FIND_PIECE;
    bool edges = i >= n_first;
    *begin = edges ? n + (i - n_first) * PAIR_FIND_PIECE : (int64_t)i * PAIR_FIND_PIECE;
    *end = edges ? n + l->pairs.n_edge_edge : n;
    *end = *begin + PAIR_FIND_PIECE < *end ? *begin + PAIR_FIND_PIECE : *end;
}

static void find_near_pairs(void *context, int32_t piece)
{
    const find_run *r = context;
    const verlet_list *l = r->list;
    pair_piece *sums = &r->s->pieces[piece];
    batch far = {.n = 0}, near = {.n = 0};
    int64_t begin, end;
    double always = r->motion.most + 2 * l->most_gone; /* apart wherever it is */
    pair_find_range(l, piece, &begin, &end);
    *sums = (pair_piece){.least = HUGE_VAL};
    memset(r->s->keep + begin, 0, (size_t)(end - begin));
    for (int64_t i = begin; i < end; i++) {
        if (l->kept && (double)l->least[i] > always)
            continue;
        contact_pair p = verlet_list_pair(l, i);
        if ((!l->kept || !verlet_list_is_apart(l, i, &p, r->motion.most)) && fill_batch(&far, &p, i))
            sift_batch(r, &far, &near, sums);
    }
    sift_batch(r, &far, &near, sums);
    measure_batch(r, &near, sums);
}

/* ---- their order ------------------------------------------------------------------------------------------------- */

/* The numbers of a pair's primitives; the first of a vertex, or after all those of an edge. */
static void ids_of(const verlet_list *l, int64_t i, int32_t *first, int32_t *second)
{
    int64_t n = l->pairs.n_vertex_triangle;
    *first = i < n ? l->pairs.vertex_triangle[i].vi : l->n_nodes + l->pairs.edge_edge[i - n].ei;
    *second = i < n ? l->pairs.vertex_triangle[i].ti : l->pairs.edge_edge[i - n].ej;
}

/* Whether pair i belongs behind pair j, both of one bucket. */
static bool comes_behind(const verlet_list *l, int64_t i, int64_t j)
{
    int32_t first[2], second[2];
    ids_of(l, i, &first[0], &second[0]);
    ids_of(l, j, &first[1], &second[1]);
    return first[0] != first[1] || second[0] > second[1];
}

/* The next pair from i on that is kept, or n. */
static int64_t next_kept(const pair_set *s, int64_t i, int64_t n)
{
    const uint8_t *at = i < n ? memchr(s->keep + i, 1, (size_t)(n - i)) : NULL;
    return at ? at - s->keep : n;
}

/* Each pair into the bucket of its first number, there by the second: few share one. */
static void put_in_order(pair_set *s, const verlet_list *l, int64_t n, int32_t n_kept, int32_t n_buckets)
{
    int32_t *start = s->bucket, first, second;
    memset(start, 0, ((size_t)n_buckets + 1) * sizeof *start);
    for (int64_t i = next_kept(s, 0, n); i < n; i = next_kept(s, i + 1, n)) {
        ids_of(l, i, &first, &second);
        start[first + 1]++;
    }
    for (int32_t k = 0; k < n_buckets; k++)
        start[k + 1] += start[k];
    for (int32_t k = 0; k < n_kept; k++)
        s->chosen[k] = -1; /* the end of a bucket that has to be filled yet */
    for (int64_t i = next_kept(s, 0, n); i < n; i = next_kept(s, i + 1, n)) {
        ids_of(l, i, &first, &second);
        int32_t at = start[first]++;
        for (; at > 0 && s->chosen[at - 1] >= 0 && !comes_behind(l, i, s->chosen[at - 1]); at--)
            s->chosen[at] = s->chosen[at - 1];
        s->chosen[at] = (int32_t)i;
    }
}

static bool take_room(pair_set *s, int64_t n_pairs, int64_t n_pieces, int64_t n_buckets)
{
    return ARENA_TAKE(s->scratch, s->keep, n_pairs) && ARENA_TAKE(s->scratch, s->bucket, n_buckets + 1) &&
           ARRAY_RESERVE_STEADY(s->mem, s->pieces, s->piece_room, n_pieces);
}

bool pair_choose(pair_set *s, const verlet_list *list, const vec3 *x1, int32_t *n)
{
    find_run r = {s,
                  list,
                  {s->x0, x1, s->reach},
                  min_of(PAIR_HORIZON * s->reach, s->reach + 2 * list->most_way),
                  pair_kernel_best()};
    int64_t n_all = list->pairs.n_vertex_triangle + list->pairs.n_edge_edge, n_kept = 0;
    int64_t n_pieces = (list->pairs.n_vertex_triangle + PAIR_FIND_PIECE - 1) / PAIR_FIND_PIECE +
                       (list->pairs.n_edge_edge + PAIR_FIND_PIECE - 1) / PAIR_FIND_PIECE;
    int64_t n_buckets = (int64_t)list->n_nodes + bvh_n_edges(list->bvh);
    arena_mark before = arena_mark_of(s->scratch);
    if (n_all > INT32_MAX || n_buckets >= INT32_MAX || !take_room(s, n_all, n_pieces, n_buckets))
        return false;
    pool_for(s->pool, (int32_t)n_pieces, find_near_pairs, &r);
    for (int64_t i = 0; i < n_pieces; i++)
        n_kept += s->pieces[i].n;
    if (!ARRAY_RESERVE_STEADY(s->mem, s->chosen, s->chosen_room, n_kept))
        return false;
    put_in_order(s, list, n_all, (int32_t)n_kept, (int32_t)n_buckets);
    arena_release(s->scratch, before);
    *n = (int32_t)n_kept;
    return true;
}
