/* SPDX-License-Identifier: MIT */
/* What is wrong with a frame, or between two: all pairs that come near, by sweeping boxes along x. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "attack/judge.h"

/* ---- boxes ------------------------------------------------------------------------------------------------------- */

static int by_low(const void *a, const void *b)
{
    const attack_box *p = a, *q = b;
    if (p->low[0] != q->low[0])
        return p->low[0] < q->low[0] ? -1 : 1;
    return (p->item > q->item) - (p->item < q->item);
}

void attack_sweep(attack_box *boxes, int32_t n, void (*ask)(void *user, int32_t i, int32_t j), void *user)
{
    qsort(boxes, (size_t)n, sizeof *boxes, by_low);
    for (int32_t i = 0; i < n; i++) {
        const attack_box *a = &boxes[i];
        for (int32_t j = i + 1; j < n && boxes[j].low[0] <= a->high[0]; j++) {
            const attack_box *b = &boxes[j];
            if (a->low[1] <= b->high[1] && b->low[1] <= a->high[1] && a->low[2] <= b->high[2] &&
                b->low[2] <= a->high[2])
                ask(user, a->item, b->item);
        }
    }
}

static void grow(attack_box *box, const double x[3])
{
    for (int k = 0; k < 3; k++) {
        box->low[k] = fmin(box->low[k], x[k]);
        box->high[k] = fmax(box->high[k], x[k]);
    }
}

/* Of each triangle's corners in one frame, or in two. */
static attack_box *boxes_of(const attack_frame *f, const attack_frame *also)
{
    attack_box *boxes = attack_need((size_t)f->n_triangles * sizeof *boxes);
    for (int32_t i = 0; i < f->n_triangles; i++) {
        boxes[i] = (attack_box){{HUGE_VAL, HUGE_VAL, HUGE_VAL}, {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL}, i};
        for (int k = 0; k < 3; k++) {
            grow(&boxes[i], f->x[f->triangles[i][k]]);
            if (also)
                grow(&boxes[i], also->x[f->triangles[i][k]]);
        }
    }
    return boxes;
}

typedef struct hunt {
    const attack_frame *from, *to;
    attack_found found;
} hunt;

static void tell(hunt *h, int32_t i, int32_t j)
{
    int32_t a = h->from->object[i], b = h->from->object[j];
    if (h->found.count++ == 0) {
        h->found.a = i;
        h->found.b = j;
    }
    h->found.between[a][b] = h->found.between[b][a] = true;
}

/* Two triangles that are not both colliders', and not the two sides of a pulled seam. */
static bool counts(const attack_frame *f, int32_t i, int32_t j)
{
    const int32_t *a = f->triangles[i], *b = f->triangles[j];
    if (a[0] >= f->n_cloth_nodes && b[0] >= f->n_cloth_nodes)
        return false;
    for (int p = 0; p < 3; p++)
        for (int q = 0; q < 3; q++)
            if (a[p] != b[q] && f->same[a[p]] == f->same[b[q]])
                return false;
    return true;
}

/* ---- intersections ----------------------------------------------------------------------------------------------- */

static void ask_meet(void *user, int32_t i, int32_t j)
{
    hunt *h = user;
    int64_t a[3][3], b[3][3];
    if (!counts(h->from, i, j))
        return;
    for (int k = 0; k < 3; k++) {
        memcpy(a[k], h->from->grid[h->from->triangles[i][k]], sizeof a[k]);
        memcpy(b[k], h->from->grid[h->from->triangles[j][k]], sizeof b[k]);
    }
    if (attack_triangles_meet(a, b))
        tell(h, i, j);
}

attack_found attack_find_intersections(const attack_frame *f)
{
    hunt h = {.from = f};
    attack_box *boxes = boxes_of(f, NULL);
    attack_sweep(boxes, f->n_triangles, ask_meet, &h);
    free(boxes);
    return h.found;
}

/* ---- passages ---------------------------------------------------------------------------------------------------- */

/* Four nodes are four places in both frames; else they touch by right. */
static bool are_apart(const hunt *h, const int32_t n[4], int first_of_second)
{
    for (int i = 0; i < first_of_second; i++)
        for (int j = first_of_second; j < 4; j++)
            if (n[i] == n[j] || memcmp(h->from->x[n[i]], h->from->x[n[j]], sizeof *h->from->x) == 0 ||
                memcmp(h->to->x[n[i]], h->to->x[n[j]], sizeof *h->to->x) == 0)
                return false;
    return true;
}

static bool nodes_pass(const hunt *h, const int32_t n[4], bool edges)
{
    double from[4][3], to[4][3];
    if (!are_apart(h, n, edges ? 2 : 1))
        return false;
    for (int k = 0; k < 4; k++) {
        memcpy(from[k], h->from->x[n[k]], sizeof from[k]);
        memcpy(to[k], h->to->x[n[k]], sizeof to[k]);
    }
    return edges ? attack_edges_pass(from, to) : attack_vertex_passes(from, to);
}

static void ask_pass(void *user, int32_t i, int32_t j)
{
    hunt *h = user;
    const int32_t *a = h->from->triangles[i], *b = h->from->triangles[j];
    if (!counts(h->from, i, j))
        return;
    for (int p = 0; p < 3; p++) {
        const int32_t va[4] = {a[p], b[0], b[1], b[2]}, vb[4] = {b[p], a[0], a[1], a[2]};
        if (nodes_pass(h, va, false) || nodes_pass(h, vb, false)) {
            tell(h, i, j);
            return;
        }
        for (int q = 0; q < 3; q++) {
            const int32_t e[4] = {a[p], a[(p + 1) % 3], b[q], b[(q + 1) % 3]};
            if (nodes_pass(h, e, true)) {
                tell(h, i, j);
                return;
            }
        }
    }
}

attack_found attack_find_passages(const attack_frame *from, const attack_frame *to)
{
    hunt h = {.from = from, .to = to};
    attack_box *boxes = boxes_of(from, to);
    attack_sweep(boxes, from->n_triangles, ask_pass, &h);
    free(boxes);
    return h.found;
}

/* ---- closed meshes ----------------------------------------------------------------------------------------------- */

/* Solid angle of a triangle seen from x (van Oosterom, Strackee 1983). */
static double solid_angle(const attack_frame *f, const int32_t t[3], const double x[3])
{
    double d[3][3], l[3];
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++)
            d[i][k] = f->x[t[i]][k] - x[k];
        l[i] = sqrt(d[i][0] * d[i][0] + d[i][1] * d[i][1] + d[i][2] * d[i][2]);
    }
    double volume = d[0][0] * (d[1][1] * d[2][2] - d[1][2] * d[2][1]) +
                    d[0][1] * (d[1][2] * d[2][0] - d[1][0] * d[2][2]) +
                    d[0][2] * (d[1][0] * d[2][1] - d[1][1] * d[2][0]);
    double below = l[0] * l[1] * l[2];
    for (int i = 0; i < 3; i++) {
        const double *a = d[i], *b = d[(i + 1) % 3];
        below += (a[0] * b[0] + a[1] * b[1] + a[2] * b[2]) * l[(i + 2) % 3];
    }
    return 2 * atan2(volume, below);
}

bool attack_is_inside(const attack_frame *f, int32_t cloth, int32_t object)
{
    double sum = 0;
    for (int32_t i = 0; i < f->n_triangles; i++)
        if (f->object[i] == object)
            sum += solid_angle(f, f->triangles[i], f->x[f->first_node[cloth]]);
    return fabs(sum) > 6.28;
}

/* ---- analytic colliders ------------------------------------------------------------------------------------------ */

/* Nodes that are held may be put anywhere; with adaptivity their numbers change, and none of the cloth is judged. */
static bool *held_nodes(const attack_scene *s, const attack_frame *f)
{
    bool *held = attack_need((size_t)f->n_nodes + 1);
    for (int i = 0; i < s->recipe.n_holds; i++) {
        const attack_hold *h = &s->recipe.holds[i];
        const attack_cloth *c = &s->recipe.cloths[(int)h->cloth];
        int32_t *nodes = attack_need((size_t)(2 * c->nu + 2) * sizeof *nodes), first = f->first_node[(int)h->cloth];
        int32_t n = attack_hold_nodes(&s->recipe, h, nodes);
        for (int32_t k = 0; k < n; k++)
            held[first + nodes[k]] = true;
        for (int32_t k = first; c->level > 0 && k < f->first_node[(int)h->cloth + 1]; k++)
            held[k] = true;
        free(nodes);
    }
    return held;
}

/* The least distance of corners and middles of a triangle. */
static double near_triangle(const attack_frame *f, int32_t ti, const attack_collider *c, const attack_pose *p)
{
    static const double share[7][3] = {{1, 0, 0},   {0, 1, 0},   {0, 0, 1},     {.5, .5, 0},
                                       {0, .5, .5}, {.5, 0, .5}, {.25, .25, .5}};
    double least = HUGE_VAL;
    for (int i = 0; i < 7; i++) {
        double x[3] = {0, 0, 0};
        for (int k = 0; k < 9; k++)
            x[k % 3] += share[i][k / 3] * f->x[f->triangles[ti][k / 3]][k % 3];
        least = fmin(least, attack_distance(c, p, x));
    }
    return least;
}

attack_found attack_find_near(const attack_scene *s, const attack_frame *f, double slack)
{
    attack_found found = {.count = 0};
    bool *held = held_nodes(s, f);
    for (int ci = 0; ci < s->recipe.n_colliders; ci++) {
        const attack_collider *c = &s->recipe.colliders[ci];
        attack_pose p = attack_pose_at(c, f->time);
        for (int32_t ti = 0; f->collider_object[ci] < 0 && ti < f->n_triangles; ti++) {
            const int32_t *t = f->triangles[ti], cloth = f->object[ti];
            if (cloth >= s->recipe.n_cloths || held[t[0]] || held[t[1]] || held[t[2]])
                continue;
            double d = near_triangle(f, ti, c, &p) - s->thickness[cloth];
            if (d >= -slack)
                continue;
            if (found.count++ == 0 || d < found.size)
                found.a = ti, found.b = ci, found.size = d;
        }
    }
    free(held);
    return found;
}

static bool goes_through(const attack_collider *c, const double a[3], const double b[3], double from, double to)
{
    enum { SAMPLES = 32 };
    double deepest = HUGE_VAL;
    for (int i = 0; i <= SAMPLES; i++) {
        double t = (double)i / SAMPLES, x[3];
        attack_pose p = attack_pose_at(c, from + t * (to - from));
        for (int k = 0; k < 3; k++)
            x[k] = a[k] + t * (b[k] - a[k]);
        double d = attack_distance(c, &p, x);
        if ((i == 0 || i == SAMPLES) && d < 0)
            return false;
        deepest = fmin(deepest, d);
    }
    /* Slightly deep on the way is a grazed edge; a quarter of it is a way through. */
    return deepest < -0.25 * fmin(c->size, c->kind == WEFT_COLLIDER_SPHERE ? c->size : c->high);
}

attack_found attack_find_analytic_passages(const attack_scene *s, const attack_frame *from, const attack_frame *to)
{
    attack_found found = {.count = 0};
    bool *held = held_nodes(s, from);
    for (int ci = 0; ci < s->recipe.n_colliders; ci++) {
        const attack_collider *c = &s->recipe.colliders[ci];
        if (from->collider_object[ci] >= 0 || c->kind == WEFT_COLLIDER_PLANE)
            continue;
        for (int32_t i = 0; i < from->n_cloth_nodes; i++)
            if (!held[i] && goes_through(c, from->x[i], to->x[i], from->time, to->time)) {
                found.count++;
                found.a = i;
                found.b = ci;
            }
    }
    free(held);
    return found;
}
