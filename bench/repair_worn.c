/* SPDX-License-Identifier: MIT */
/* Measures a repair of what is worn: whether every ring of a tube still goes once round its limb, the y axis; and how
 * far vertices were moved that are more than five rings and 50 mm from all contours, and were not in the limb. */
#include "repair_measure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double TURN = 6.283185307179586, FAR = 0.05;
enum { FAR_RINGS = 5 };

/* ---- rings ------------------------------------------------------------------------------------------------------- */

static double turns_of_ring(const weft_vec3 *x, int32_t n)
{
    double sum = 0;
    for (int32_t i = 0; i < n; i++) {
        weft_vec3 a = x[i], b = x[(i + 1) % n];
        sum += remainder(atan2(b.z, b.x) - atan2(a.z, a.x), TURN);
    }
    return sum / TURN;
}

bool repair_rings_are_round(const tangle_case *c, const weft_vec3 *x)
{
    for (int k = 0; k < c->n_tubes; k++)
        for (int32_t j = 0; j < c->tube[k].n_along; j++) {
            const weft_vec3 *ring = x + c->tube[k].first + j * c->tube[k].n_around;
            if (fabs(fabs(turns_of_ring(ring, c->tube[k].n_around)) - 1) > 0.5)
                return false;
        }
    return true;
}

/* ---- what is far ------------------------------------------------------------------------------------------------- */

/* Vertices of what intersects at the start: ring 1. */
static bool mark_start(const tangle_case *c, uint8_t *ring)
{
    weft_audit_def d = repair_audit_def(c);
    weft_audit *audit = NULL;
    bool good = weft_audit_create(&d, &audit, NULL) >= 0 && weft_audit_run(audit, NULL, 0, NULL) >= 0;
    if (good) {
        weft_audit_found f = weft_audit_get(audit);
        for (int64_t i = 0; i < f.n_pairs; i++)
            for (int k = 0; k < 6; k++)
                ring[c->h.triangles[3 * (size_t)f.pairs[i].triangle[k / 3] + (size_t)(k % 3)]] = 1;
        for (int64_t i = 0; i < f.n_near_triangles; i++)
            for (int k = 0; k < 3; k++)
                ring[c->h.triangles[3 * (size_t)f.near_triangles[i].triangle + (size_t)k]] = 1;
    }
    weft_audit_destroy(audit);
    return good;
}

static void grow_rings(const tangle_case *c, uint8_t *ring)
{
    for (int n = 1; n <= FAR_RINGS; n++)
        for (int32_t ti = 0; ti < c->h.n_triangles; ti++) {
            const int32_t *t = c->h.triangles + 3 * (size_t)ti;
            bool any = ring[t[0]] == n || ring[t[1]] == n || ring[t[2]] == n;
            for (int k = 0; k < 3 && any; k++)
                ring[t[k]] = ring[t[k]] == 0 ? (uint8_t)(n + 1) : ring[t[k]];
        }
}

static double distance(weft_vec3 a, weft_vec3 b)
{
    return sqrt((a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y) + (a.z - b.z) * (a.z - b.z));
}

static bool is_far(const tangle_case *c, const uint8_t *ring, int32_t vi)
{
    weft_vec3 x = c->h.x[vi];
    if (x.x * x.x + x.z * x.z < c->limb * c->limb)
        return false;
    for (int32_t to = 0; to < c->h.n_nodes; to++)
        if (ring[to] == 1 && distance(c->h.x[vi], c->h.x[to]) <= FAR)
            return false;
    return ring[vi] == 0;
}

double repair_far_move(const tangle_case *c, const weft_vec3 *x)
{
    uint8_t *ring = calloc((size_t)c->h.n_nodes, 1);
    double most = 0;
    if (!ring || !mark_start(c, ring)) {
        free(ring);
        return (double)NAN;
    }
    grow_rings(c, ring);
    for (int32_t i = 0; i < c->h.n_nodes; i++)
        if (distance(x[i], c->h.x[i]) > most && is_far(c, ring, i))
            most = distance(x[i], c->h.x[i]);
    free(ring);
    return most;
}
