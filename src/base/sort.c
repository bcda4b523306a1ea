/* SPDX-License-Identifier: MIT */
/* Merge sort from the bottom up: runs of 1, 2, 4 … items are merged from one array into the other. */
#include "base/sort.h"

#include <stdbool.h>
#include <string.h>

typedef struct run {
    const char *at, *end;
} run;

static void sort_merge(run a, run b, char *out, size_t size, sort_order order)
{
    while (a.at < a.end && b.at < b.end) {
        run *next = order(b.at, a.at) < 0 ? &b : &a;
        memcpy(out, next->at, size);
        next->at += size;
        out += size;
    }
    run *left = a.at < a.end ? &a : &b;
    if (left->at < left->end)
        memcpy(out, left->at, (size_t)(left->end - left->at));
}

static void sort_merge_all(const char *from, char *to, int64_t n, int64_t width, size_t size, sort_order order)
{
    for (int64_t i = 0; i < n; i += 2 * width) {
        int64_t middle = i + width < n ? i + width : n, end = i + 2 * width < n ? i + 2 * width : n;
        sort_merge((run){from + i * (int64_t)size, from + middle * (int64_t)size},
                   (run){from + middle * (int64_t)size, from + end * (int64_t)size}, to + i * (int64_t)size, size,
                   order);
    }
}

void sort_items(void *items, void *scratch, int64_t n, size_t size, sort_order order)
{
    char *from = items, *to = scratch;
    for (int64_t width = 1; width < n; width *= 2) {
        sort_merge_all(from, to, n, width, size, order);
        char *swap = from;
        from = to;
        to = swap;
    }
    if (from != (char *)items && n > 0)
        memcpy(items, from, (size_t)n * size);
}
