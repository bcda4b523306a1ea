/* SPDX-License-Identifier: MIT */
/* The tree gives pairs whose swept boxes overlap; certificates settle most of them; the others take a continuous test
 * with a distance to keep, the floor: a part of the contact radius, but never more than a part of the distance that
 * the pair has at the start, so that what is close may stay close.
 *
 * Invariants:
 *  1. a pair that is not a hit keeps more than its floor all through the step, or moves as one;
 *  2. a hit stays a hit until its pair has been looked at again: nodes of hits count as moved, whether or not anything
 *     gave way; and a pair without hits whose nodes have not moved has been tested as it is, or its boxes were apart;
 *  3. what is found depends on the positions alone: pairs are cut into blocks by number, hits come by time, then
 *     number. */
#include "contact/prevent/detect.h"

#include <string.h>

#include "base/clock.h"
#include "contact/ccd/certificate.h"
#include "contact/gap.h"
#include "contact/params.h"
#include "math/grid.h"

/* Pairs that one thread takes at once. */
#define DETECT_BLOCK 1024

typedef enum verdict { VERDICT_UNMOVED, VERDICT_SETTLED, VERDICT_TESTED, VERDICT_HIT } verdict;

/* What a block of pairs adds up to. */
typedef struct detect_block {
    int32_t settled, tested, hits;
    double least;
} detect_block;

/* A pair with what its test needs. */
typedef struct pair_view {
    int32_t node[4];
    bool edges;
    vec3 x0[4], x1[4];
    double radius;
    gap start;
    double floor;
} pair_view;

typedef struct detection {
    prevent_job *job;
    bvh_pairs pairs;
    bool moved_only;
    double beyond; /* of pairs of the list: no pair's floor is greater, m */
} detection;

static void name_pair_nodes(const detection *d, int64_t i, pair_view *p)
{
    const prevent_world *w = d->job->world;
    p->edges = i >= d->pairs.n_vertex_triangle;
    if (p->edges) {
        const bvh_edge *edges = bvh_edges(w->bvh);
        bvh_edge_edge e = d->pairs.edge_edge[i - d->pairs.n_vertex_triangle];
        memcpy(p->node, edges[e.ei].node, sizeof edges[e.ei].node);
        memcpy(p->node + 2, edges[e.ej].node, sizeof edges[e.ej].node);
    } else {
        bvh_vertex_triangle v = d->pairs.vertex_triangle[i];
        p->node[0] = v.vi;
        memcpy(p->node + 1, w->triangles[v.ti], sizeof w->triangles[v.ti]);
    }
}

static void view_pair(const detection *d, pair_view *p)
{
    double least = PREVENT_RADIUS_LEAST * grid_cell(d->job->world->world_scale);
    p->radius = HUGE_VAL;
    for (int k = 0; k < 4; k++) {
        p->x0[k] = d->job->x0[p->node[k]];
        p->x1[k] = d->job->x1[p->node[k]];
        p->radius = min_of(p->radius, max_of(least, prevent_of_node(d->job->world, d->job->world->radius, p->node[k])));
    }
}

static bool is_settled(pair_view *p)
{
    int n_first = p->edges ? 2 : 1;
    double floor = PREVENT_HIT_OF_RADIUS * p->radius;
    p->start.distance = HUGE_VAL;
    if (certificate_axes(p->x0, p->x1, n_first, floor))
        return true;
    p->start = p->edges ? gap_edge_edge(p->x0) : gap_vertex_triangle(p->x0);
    p->floor = min_of(floor, PREVENT_HIT_OF_GAP * p->start.distance);
    vec3 normal = v3_unit_or(p->start.vector, v3_zero());
    return certificate_plane(p->x0, p->x1, n_first, normal, p->floor) || certificate_together(p->x0, p->x1);
}

static bool pair_hits(const pair_view *p, weft_ccd_hit *hit)
{
    return p->edges ? weft_ccd_edge_edge(p->x0, p->x1, p->floor, hit)
                    : weft_ccd_vertex_triangle(p->x0, p->x1, p->floor, hit);
}

static bool is_exempt(const detection *d, const pair_view *p)
{
    const prevent_world *w = d->job->world;
    return w->exempt && w->exempt(w->context, p->node, p->edges);
}

static verdict test_pair(const detection *d, pair_view *p)
{
    view_pair(d, p);
    if (is_settled(p))
        return VERDICT_SETTLED;
    return pair_hits(p, NULL) && !is_exempt(d, p) ? VERDICT_HIT : VERDICT_TESTED;
}

static void test_pair_block(void *context, int32_t bi)
{
    const detection *d = context;
    const uint8_t *moved = d->job->work->moved;
    uint8_t *verdicts = d->job->work->verdict;
    detect_block sum = {.least = HUGE_VAL};
    int64_t from = (int64_t)bi * DETECT_BLOCK,
            to = from + DETECT_BLOCK < d->job->n_pairs ? from + DETECT_BLOCK : d->job->n_pairs;
    for (int64_t i = from; i < to; i++) {
        pair_view p;
        name_pair_nodes(d, i, &p);
        if (!d->moved_only || moved[p.node[0]] || moved[p.node[1]] || moved[p.node[2]] || moved[p.node[3]]) {
            verdicts[i] = (uint8_t)test_pair(d, &p);
            sum.settled += verdicts[i] == VERDICT_SETTLED;
            sum.tested += verdicts[i] != VERDICT_SETTLED;
            sum.least = min_of(sum.least, p.start.distance);
        } else {
            verdicts[i] = VERDICT_UNMOVED;
        }
        sum.hits += verdicts[i] == VERDICT_HIT;
    }
    d->job->work->blocks[bi] = sum;
}

static void make_impact(void *context, int32_t hi)
{
    const detection *d = context;
    prevent_job *j = d->job;
    impact *c = &j->work->hits[hi];
    pair_view p;
    weft_ccd_hit hit = {0};
    name_pair_nodes(d, j->work->hit_pair[hi], &p);
    view_pair(d, &p);
    is_settled(&p); /* it is not: fills in the floor */
    pair_hits(&p, &hit);
    *c = (impact){.edges = p.edges};
    memcpy(c->node, p.node, sizeof c->node);
    impact_place(c, p.x0, p.x1, &hit);
    c->floor = p.floor;
    c->aim = min_of(PREVENT_AIM_OF_RADIUS * p.radius, PREVENT_AIM_OF_GAP * p.start.distance);
    c->aim_end = max_of(c->aim, PREVENT_AIM_LEAST * p.radius);
    impact_bind(&(impact_world){j->world, j->work->obstacle, j->x0, j->x1, j->v1}, c);
}

/* ---- the order of hits ------------------------------------------------------------------------------------------- */

static bool comes_later(const impact *hits, int32_t a, int32_t b)
{
    return hits[a].time != hits[b].time ? hits[a].time > hits[b].time : a > b;
}

static void sift_down(int32_t *order, const impact *hits, int32_t at, int32_t n)
{
    for (int32_t child = 2 * at + 1; child < n; child = 2 * at + 1) {
        if (child + 1 < n && comes_later(hits, order[child + 1], order[child]))
            child++;
        if (!comes_later(hits, order[child], order[at]))
            return;
        int32_t swap = order[at];
        order[at] = order[child];
        order[child] = swap;
        at = child;
    }
}

/* A heap sort: qsort may call the allocator. */
static void sort_hits(prevent_work *k, int32_t n)
{
    for (int32_t i = 0; i < n; i++)
        k->order[i] = i;
    for (int32_t i = n / 2 - 1; i >= 0; i--)
        sift_down(k->order, k->hits, i, n);
    for (int32_t last = n - 1; last > 0; last--) {
        int32_t swap = k->order[0];
        k->order[0] = k->order[last];
        k->order[last] = swap;
        sift_down(k->order, k->hits, 0, last);
    }
}

/* ---- tests of all pairs ------------------------------------------------------------------------------------------ */

static int32_t n_detect_blocks(const prevent_job *j)
{
    return (int32_t)((j->n_pairs + DETECT_BLOCK - 1) / DETECT_BLOCK);
}

static bool collect_hits(detection *d)
{
    prevent_job *j = d->job;
    prevent_work *k = j->work;
    int64_t n = 0;
    for (int32_t bi = 0; bi < n_detect_blocks(j); bi++) {
        n += k->blocks[bi].hits;
        j->stats->settled += k->blocks[bi].settled;
        j->stats->tests += k->blocks[bi].tested;
        j->stats->smallest_gap = min_of(j->stats->smallest_gap, k->blocks[bi].least);
    }
    if (n > INT32_MAX / 2 || !WORK_ROOM(j->world->mem, k->hit_pair, k->hit_pair_room, n) ||
        !WORK_ROOM(j->world->mem, k->hits, k->hit_room, n) || !WORK_ROOM(j->world->mem, k->order, k->order_room, n))
        return false;
    j->n_hits = 0;
    for (int64_t i = 0; j->n_hits < n; i++)
        if (k->verdict[i] == VERDICT_HIT)
            k->hit_pair[j->n_hits++] = i;
    return true;
}

static bool test_pairs(detection *d)
{
    prevent_job *j = d->job;
    prevent_work *k = j->work;
    double t0 = clock_seconds();
    pool_for(j->world->pool, n_detect_blocks(j), test_pair_block, d);
    bool ok = collect_hits(d);
    if (ok) {
        pool_for(j->world->pool, j->n_hits, make_impact, d);
        sort_hits(k, j->n_hits);
        memcpy(k->x_tested, j->x1, (size_t)j->world->n_nodes * sizeof *j->x1);
    }
    j->stats->seconds_test += clock_seconds() - t0;
    return ok;
}

static double largest_radius(const prevent_world *w)
{
    double radius = PREVENT_RADIUS_LEAST * grid_cell(w->world_scale);
    for (int32_t vi = 0; vi < w->n_nodes; vi++)
        radius = max_of(radius, prevent_of_node(w, w->radius, vi));
    return radius;
}

/* Half of what two boxes must have between them; the rest is slack. */
static double box_inflation(prevent_job *j)
{
    double radius = largest_radius(j->world);
    j->slack = PREVENT_BOX_SLACK * radius;
    return 0.5 * PREVENT_HIT_OF_RADIUS * radius + j->slack;
}

/* Fresh boxes, and the pairs that overlap. */
static bool walk_tree(prevent_job *j)
{
    prevent_world *w = j->world;
    prevent_work *k = j->work;
    bvh_query query = {.mode = w->mode};
    double t0 = clock_seconds();
    j->walked = true;
    bvh_release(w->bvh, j->before_walk);
    memcpy(k->x_boxed, j->x1, (size_t)w->n_nodes * sizeof *j->x1);
    bool ok = bvh_refit(w->bvh, w->pool, j->x0, k->x_boxed, box_inflation(j), NULL) >= 0 &&
              bvh_candidates(w->bvh, w->pool, &query, &k->pairs, NULL) >= 0;
    j->stats->seconds_walk += clock_seconds() - t0;
    if (!ok)
        return false;
    j->n_pairs = k->pairs.n_vertex_triangle + k->pairs.n_edge_edge;
    int64_t blocks = j->n_pairs / DETECT_BLOCK + 1;
    return blocks <= INT32_MAX / 2 && WORK_ROOM(w->mem, k->verdict, k->verdict_room, j->n_pairs) &&
           WORK_ROOM(w->mem, k->blocks, k->block_room, blocks);
}

/* ---- tests of a kept list ---------------------------------------------------------------------------------------- */

static void test_listed_pairs(void *context, int32_t bi)
{
    const detection *d = context;
    const verlet_list *l = d->job->world->list;
    int64_t n = d->pairs.n_vertex_triangle + d->pairs.n_edge_edge, from = (int64_t)bi * DETECT_BLOCK;
    detect_block sum = {.least = HUGE_VAL};
    for (int64_t i = from; i < from + DETECT_BLOCK && i < n && sum.hits == 0; i++) {
        contact_pair listed = verlet_list_pair(l, i);
        if (verlet_list_is_apart(l, i, &listed, d->beyond))
            continue;
        pair_view p = {.edges = listed.edges};
        memcpy(p.node, listed.node, sizeof p.node);
        verdict v = test_pair(d, &p);
        sum.settled += v == VERDICT_SETTLED;
        sum.tested += v != VERDICT_SETTLED;
        sum.hits += v == VERDICT_HIT;
        sum.least = min_of(sum.least, p.start.distance);
    }
    d->job->work->blocks[bi] = sum;
}

/* Whether the list holds, and none of its pairs hits. It has all that could: so no walk would find a hit either. What a
 * walk would find if one does is for the walk to say, as it leaves pairs out that the list has. */
static bool is_free_by_list(prevent_job *j)
{
    verlet_list *l = j->world->list;
    prevent_work *k = j->work;
    double t0 = clock_seconds();
    if (!l || !verlet_list_is_valid(l, j->x0, j->x1))
        return false;
    detection d = {.job = j, .pairs = l->pairs, .beyond = PREVENT_HIT_OF_RADIUS * largest_radius(j->world)};
    int64_t n = (l->pairs.n_vertex_triangle + l->pairs.n_edge_edge + DETECT_BLOCK - 1) / DETECT_BLOCK, settled = 0,
            tested = 0;
    if (d.beyond > VERLET_LEAST_REACH * l->reach || n > INT32_MAX ||
        !WORK_ROOM(j->world->mem, k->blocks, k->block_room, n))
        return false;
    pool_for(j->world->pool, (int32_t)n, test_listed_pairs, &d);
    bool hit = false;
    double least = HUGE_VAL;
    for (int64_t i = 0; i < n; i++) {
        hit = hit || k->blocks[i].hits > 0;
        settled += k->blocks[i].settled;
        tested += k->blocks[i].tested;
        least = min_of(least, k->blocks[i].least);
    }
    j->stats->seconds_test += clock_seconds() - t0;
    if (hit)
        return false;
    j->stats->settled += settled;
    j->stats->tests += tested;
    j->stats->candidates += j->n_checks == 0 ? settled + tested : 0;
    j->stats->smallest_gap = min_of(j->stats->smallest_gap, least);
    return true;
}

/* ---- the two ways to test ---------------------------------------------------------------------------------------- */

bool detect_all(prevent_job *j)
{
    if (is_free_by_list(j)) {
        j->stats->checks++;
        j->n_checks++;
        j->n_hits = 0;
        j->complete = true;
        return true;
    }
    if (!walk_tree(j))
        return false;
    detection d = {.job = j, .pairs = j->work->pairs};
    if (!test_pairs(&d))
        return false;
    j->stats->checks++;
    if (j->n_checks++ == 0) {
        j->stats->candidates += j->n_pairs;
        j->stats->hits += j->n_hits;
    }
    j->complete = true;
    return true;
}

static bool is_between_ends(double x, double a, double b, double slack)
{
    return x >= min_of(a, b) - slack && x <= max_of(a, b) + slack;
}

/* Whether x1 has not left the boxes. */
static bool is_boxed(const prevent_job *j)
{
    for (int32_t vi = 0; vi < j->world->n_nodes; vi++) {
        vec3 x = j->x1[vi], a = j->x0[vi], b = j->work->x_boxed[vi];
        if (!is_between_ends(x.x, a.x, b.x, j->slack) || !is_between_ends(x.y, a.y, b.y, j->slack) ||
            !is_between_ends(x.z, a.z, b.z, j->slack))
            return false;
    }
    return true;
}

static void mark_moved(prevent_job *j)
{
    prevent_work *k = j->work;
    for (int32_t vi = 0; vi < j->world->n_nodes; vi++) {
        vec3 a = j->x1[vi], b = k->x_tested[vi];
        k->moved[vi] = a.x != b.x || a.y != b.y || a.z != b.z;
    }
    for (int32_t i = 0; i < j->n_hits; i++)
        for (int c = 0; c < 4; c++)
            k->moved[k->hits[i].node[c]] = 1;
}

bool detect_moved(prevent_job *j)
{
    j->complete = false;
    if (!j->walked)
        return detect_all(j);
    mark_moved(j);
    if (!j->in_sweeps && !is_boxed(j) && !walk_tree(j))
        return false;
    detection d = {.job = j, .pairs = j->work->pairs, .moved_only = true};
    return test_pairs(&d);
}

void detect_destroy(prevent_work *k, mem *m)
{
    MEM_FREE(m, k->verdict, k->verdict_room);
    MEM_FREE(m, k->blocks, k->block_room);
    MEM_FREE(m, k->hit_pair, k->hit_pair_room);
    MEM_FREE(m, k->hits, k->hit_room);
    MEM_FREE(m, k->order, k->order_room);
}
