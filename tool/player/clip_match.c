/* SPDX-License-Identifier: MIT */
/* An adaptive mesh numbers its nodes anew when it splits. The player predicts a node from where its like was in the
 * frames before: the one that follows the match of the node before it, if that is near, since most runs of numbers
 * stay; else the nearest in a hashed grid. A poor match costs some bytes and nothing else. */
#include "player/clip_match.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct match_grid {
    int32_t *first, *next;
    uint32_t mask;
    float edge;
    const float *x;
} match_grid;

static uint32_t cell_hash(int32_t a, int32_t b, int32_t c)
{
    return (uint32_t)a * 73856093u ^ (uint32_t)b * 19349663u ^ (uint32_t)c * 83492791u;
}

static void cell_of(const match_grid *g, const float *p, int32_t cell[3])
{
    for (int k = 0; k < 3; k++)
        cell[k] = (int32_t)floorf(p[k] / g->edge);
}

static float square_distance(const float *p, const float *q)
{
    float a = p[0] - q[0], b = p[1] - q[1], c = p[2] - q[2];
    return a * a + b * b + c * c;
}

/* About two nodes a cell, of a surface that fills its box. */
static float edge_of(const float *x, int32_t n)
{
    float low[3] = {x[0], x[1], x[2]}, high[3] = {x[0], x[1], x[2]}, extent = 1e-6f;
    for (int32_t i = 0; i < n; i++)
        for (int k = 0; k < 3; k++) {
            low[k] = fminf(low[k], x[3 * (size_t)i + (size_t)k]);
            high[k] = fmaxf(high[k], x[3 * (size_t)i + (size_t)k]);
        }
    for (int k = 0; k < 3; k++)
        extent = fmaxf(extent, high[k] - low[k]);
    return 1.5f * extent / sqrtf((float)n);
}

static bool grid_make(match_grid *g, const float *x, int32_t n)
{
    uint32_t size = 1024;
    while (size < (uint32_t)n)
        size *= 2;
    *g = (match_grid){.mask = size - 1, .edge = edge_of(x, n), .x = x};
    g->first = malloc(size * sizeof *g->first);
    g->next = malloc(((size_t)n + 1) * sizeof *g->next);
    if (!g->first || !g->next)
        return false;
    memset(g->first, 0xFF, size * sizeof *g->first);
    for (int32_t i = n - 1; i >= 0; i--) {
        int32_t c[3];
        cell_of(g, x + 3 * (size_t)i, c);
        uint32_t h = cell_hash(c[0], c[1], c[2]) & g->mask;
        g->next[i] = g->first[h];
        g->first[h] = i;
    }
    return true;
}

static void look_in_cell(const match_grid *g, uint32_t hash, const float *p, int32_t *best, float *least)
{
    for (int32_t i = g->first[hash & g->mask]; i >= 0; i = g->next[i]) {
        float d = square_distance(p, g->x + 3 * (size_t)i);
        if (d < *least) {
            *least = d;
            *best = i;
        }
    }
}

static int32_t nearest(const match_grid *g, const float *p, int32_t guess)
{
    int32_t c[3], best = guess;
    float least = square_distance(p, g->x + 3 * (size_t)guess);
    cell_of(g, p, c);
    for (int32_t k = 0; k < 27; k++)
        look_in_cell(g, cell_hash(c[0] + k % 3 - 1, c[1] + k / 3 % 3 - 1, c[2] + k / 9 - 1), p, &best, &least);
    return best;
}

bool clip_match(const float *old, int32_t n_old, const float *now, int32_t n_now, int32_t *match)
{
    match_grid g = {0};
    bool fine = n_old > 0 && grid_make(&g, old, n_old);
    for (int32_t i = 0; fine && i < n_now; i++) {
        int32_t guess = i > 0 && match[i - 1] + 1 < n_old ? match[i - 1] + 1 : 0;
        match[i] = nearest(&g, now + 3 * (size_t)i, guess);
    }
    free(g.first);
    free(g.next);
    return fine;
}
