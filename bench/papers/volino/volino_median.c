/* SPDX-License-Identifier: MIT */
/* A plain box tree, which bench_volino.c measures ours beside: halves at the median along the longest side, doubles,
 * one primitive a leaf. */
#include "volino.h"

#include <stdlib.h>
#include <string.h>

typedef struct median_node {
    double lo[3], hi[3];
    int32_t left, right; /* left -1: a leaf, of primitive `right` */
} median_node;

struct median_tree {
    median_node *nodes;
    int32_t n;
};

typedef struct item {
    double centre[3];
    int32_t i;
} item;

static int compare(const item *a, const item *b, int axis)
{
    if (a->centre[axis] != b->centre[axis])
        return a->centre[axis] < b->centre[axis] ? -1 : 1;
    return a->i - b->i;
}

static int compare_x(const void *a, const void *b)
{
    return compare(a, b, 0);
}

static int compare_y(const void *a, const void *b)
{
    return compare(a, b, 1);
}

static int compare_z(const void *a, const void *b)
{
    return compare(a, b, 2);
}

static int longest(const item *items, int32_t n)
{
    int best = 0;
    double most = -1;
    for (int axis = 0; axis < 3; axis++) {
        double lo = 1e300, hi = -1e300;
        for (int32_t i = 0; i < n; i++) {
            lo = items[i].centre[axis] < lo ? items[i].centre[axis] : lo;
            hi = items[i].centre[axis] > hi ? items[i].centre[axis] : hi;
        }
        if (hi - lo > most) {
            most = hi - lo;
            best = axis;
        }
    }
    return best;
}

/* Children stand behind their parents. */
static int32_t build(median_tree *t, item *items, int32_t n)
{
    static int (*const by[3])(const void *, const void *) = {compare_x, compare_y, compare_z};
    int32_t at = t->n++;
    if (n == 1) {
        t->nodes[at] = (median_node){.left = -1, .right = items[0].i};
        return at;
    }
    qsort(items, (size_t)n, sizeof *items, by[longest(items, n)]);
    int32_t left = build(t, items, n / 2), right = build(t, items + n / 2, n - n / 2);
    t->nodes[at].left = left;
    t->nodes[at].right = right;
    return at;
}

median_tree *median_build(const double (*boxes)[6], int32_t n)
{
    median_tree *t = calloc(1, sizeof *t);
    item *items = malloc((size_t)n * sizeof *items + 1);
    if (t)
        t->nodes = malloc(2 * (size_t)n * sizeof *t->nodes + 1);
    if (!t || !items || !t->nodes) {
        median_destroy(t);
        free(items);
        return NULL;
    }
    for (int32_t i = 0; i < n; i++) {
        items[i].i = i;
        for (int k = 0; k < 3; k++)
            items[i].centre[k] = boxes[i][k] + boxes[i][k + 3];
    }
    if (n > 0)
        build(t, items, n);
    free(items);
    median_refit(t, boxes);
    return t;
}

void median_destroy(median_tree *t)
{
    if (t)
        free(t->nodes);
    free(t);
}

void median_refit(median_tree *t, const double (*boxes)[6])
{
    for (int32_t i = t->n - 1; i >= 0; i--) {
        median_node *m = &t->nodes[i];
        if (m->left < 0) {
            memcpy(m->lo, boxes[m->right], sizeof m->lo);
            memcpy(m->hi, boxes[m->right] + 3, sizeof m->hi);
            continue;
        }
        const median_node *a = &t->nodes[m->left], *b = &t->nodes[m->right];
        for (int k = 0; k < 3; k++) {
            m->lo[k] = a->lo[k] < b->lo[k] ? a->lo[k] : b->lo[k];
            m->hi[k] = a->hi[k] > b->hi[k] ? a->hi[k] : b->hi[k];
        }
    }
}

static bool overlap(const median_node *a, const median_node *b)
{
    return a->lo[0] <= b->hi[0] && b->lo[0] <= a->hi[0] && a->lo[1] <= b->hi[1] && b->lo[1] <= a->hi[1] &&
           a->lo[2] <= b->hi[2] && b->lo[2] <= a->hi[2];
}

typedef struct search {
    const median_node *p, *q;
    median_keep_fn keep;
    const void *user;
    median_pairs *out;
    bool failed;
} search;

static void take(search *s, int32_t a, int32_t b)
{
    median_pairs *o = s->out;
    if (!s->keep(s->user, a, b))
        return;
    if (o->n == o->capacity) {
        void *more = realloc(o->pairs, (size_t)(2 * o->capacity + 1024) * sizeof *o->pairs);
        if (!more) {
            s->failed = true;
            return;
        }
        o->pairs = more;
        o->capacity = 2 * o->capacity + 1024;
    }
    o->pairs[o->n][0] = a;
    o->pairs[o->n++][1] = b;
}

static void between(search *s, int32_t i, int32_t j)
{
    const median_node *a = &s->p[i], *b = &s->q[j];
    if (!overlap(a, b) || s->failed)
        return;
    if (a->left < 0 && b->left < 0)
        take(s, a->right, b->right);
    else if (b->left < 0 || (a->left >= 0 && a->hi[0] - a->lo[0] + a->hi[1] - a->lo[1] + a->hi[2] - a->lo[2] >
                                                 b->hi[0] - b->lo[0] + b->hi[1] - b->lo[1] + b->hi[2] - b->lo[2])) {
        between(s, a->left, j);
        between(s, a->right, j);
    } else {
        between(s, i, b->left);
        between(s, i, b->right);
    }
}

static void within(search *s, int32_t i)
{
    const median_node *a = &s->p[i];
    if (a->left < 0)
        return;
    within(s, a->left);
    within(s, a->right);
    between(s, a->left, a->right);
}

bool median_find(const median_tree *p, const median_tree *q, median_keep_fn keep, const void *user, median_pairs *out)
{
    search s = {p->nodes, q->nodes, keep, user, out, false};
    out->n = 0;
    if (p->n == 0 || q->n == 0)
        return true;
    if (p == q)
        within(&s, 0);
    else
        between(&s, 0, 0);
    return !s.failed;
}
