/* SPDX-License-Identifier: MIT */
#include "player/found_clip.h"

#include <stdlib.h>

typedef struct ranked {
    int32_t contour, n_pairs;
} ranked;

static int compare_ranked(const void *a, const void *b)
{
    const ranked *p = a, *q = b;
    if (p->n_pairs != q->n_pairs)
        return p->n_pairs > q->n_pairs ? -1 : 1;
    return (p->contour > q->contour) - (p->contour < q->contour);
}

/* Of contours, the place in a list that begins with the largest. NULL: out of memory. malloc'ed. */
static int32_t *rank_contours(const weft_audit_found *found)
{
    size_t n = (size_t)found->n_contours;
    ranked *order = malloc((n + 1) * sizeof *order);
    int32_t *rank = malloc((n + 1) * sizeof *rank);
    for (size_t i = 0; order && i < n; i++)
        order[i] = (ranked){(int32_t)i, found->contours[i].n_pairs};
    if (order && n > 1)
        qsort(order, n, sizeof *order, compare_ranked);
    for (size_t i = 0; order && rank && i < n; i++)
        rank[order[i].contour] = (int32_t)i;
    if (!order) {
        free(rank);
        rank = NULL;
    }
    free(order);
    return rank;
}

bool found_clip_add(clip *c, const weft_audit_found *found)
{
    int32_t *rank = rank_contours(found);
    bool fine = rank != NULL;
    for (int32_t i = 0; fine && i < found->n_lines; i++) {
        const weft_audit_line *line = &found->lines[i];
        fine = clip_add_line(c, found->points + line->first_point, line->n_points, line->closed, rank[line->contour]);
    }
    /* Those that touch, or lie in a plane, have no line: a point says where they are. */
    for (int32_t i = 0; fine && i < found->n_contours; i++)
        if (found->contours[i].n_lines == 0)
            fine = clip_add_line(c, &found->contours[i].centre, 1, false, rank[i]);
    free(rank);
    return fine;
}
