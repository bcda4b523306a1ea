/* SPDX-License-Identifier: MIT */
/* What is known of a tangle before it is parted: what is far from it and has no part in it, what is where it does not
 * belong, and whether it is so shallow that contours know the way out. */
#include "repair/repair.h"

#include "base/error.h"
#include "repair/params.h"
#include "untangle/untangle.h"

/* Rings from what is tangled, of vertices that are within REPAIR_NEAR_RINGS of it, into ring; 0: farther. */
static void count_rings(const repair *k, const uint8_t *at, uint8_t *ring, int32_t *queue)
{
    int32_t n = 0;
    for (int32_t vi = 0; vi < k->w.n_vertices; vi++)
        if ((at[vi] & UNTANGLE_MARK_HERE) && !ring[k->w.same[vi]]) {
            ring[k->w.same[vi]] = 1;
            queue[n++] = k->w.same[vi];
        }
    for (int32_t i = 0; i < n && ring[queue[i]] <= REPAIR_NEAR_RINGS; i++)
        for (int32_t j = k->w.next_start[queue[i]]; j < k->w.next_start[queue[i] + 1]; j++) {
            const mesh_adjacency_edge *e = &k->w.edges[k->w.next_edge[j]];
            int32_t to = e->v[e->v[0] == queue[i]];
            if (ring[to] > 0)
                continue;
            ring[to] = (uint8_t)(ring[queue[i]] + 1);
            queue[n++] = to;
        }
}

static bool is_near_tangle(const repair *k, const uint8_t *at, int32_t vi)
{
    for (int32_t to = 0; to < k->w.n_vertices; to++)
        if ((at[to] & UNTANGLE_MARK_HERE) && v3_len_sq(v3_sub(k->x[vi], k->x[to])) <= REPAIR_NEAR * REPAIR_NEAR)
            return true;
    return false;
}

/* Of what is in colliders: what is far from all that is tangled stays where it is: it has no part in it. */
static void choose_far(repair *k, const uint8_t *at, uint8_t *ring, int32_t *queue)
{
    count_rings(k, at, ring, queue);
    for (int32_t vi = 0; vi < k->w.n_vertices; vi++)
        k->holds_far |= k->far[vi] = ring[k->w.same[vi]] == 0 && !is_near_tangle(k, at, vi);
}

weft_result repair_look(repair *k, weft_error *e)
{
    untangle_marks marks = {.at = k->at};
    uint8_t *ring = NULL;
    int32_t *queue = NULL, n = k->w.n_vertices;
    bool good = MEM_MAKE(&k->m, ring, n);
    good = MEM_MAKE(&k->m, queue, n) && good;
    weft_result r = good ? untangle_mark(k->def, &marks, e) : error_memory(e);
    if (r >= 0 && marks.in_colliders)
        choose_far(k, k->at, ring, queue);
    k->sided = marks.sided && marks.agreed;
    k->shallow = !marks.sided && marks.n_cut_off == marks.n_lines && marks.n_vertices <= REPAIR_SHALLOW * n;
    MEM_FREE(&k->m, ring, n);
    MEM_FREE(&k->m, queue, n);
    return r;
}
