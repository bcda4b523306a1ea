/* SPDX-License-Identifier: MIT */
/* Distance of words by Damerau: letters that are missing, added, wrong or in the place of their neighbour count 1 each.
 * In any case. */
#define _POSIX_C_SOURCE 200809L
#include "io/scene/nearest.h"

#include "io/params.h"

#include <string.h>

static char small_letter(char c)
{
    return (char)(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
}

static int smaller_of(int a, int b)
{
    return a < b ? a : b;
}

/* Row by row: d[i][j] is the distance of the first i letters of a from the first j of b; three rows are enough. */
int nearest_distance(const char *a, const char *b)
{
    size_t n = strlen(a), m = strlen(b);
    if (n > NEAREST_LONGEST || m > NEAREST_LONGEST)
        return -1;
    int rows[3][NEAREST_LONGEST + 1], *before = rows[0], *last = rows[1], *now = rows[2];
    for (size_t j = 0; j <= m; j++)
        last[j] = (int)j;
    for (size_t i = 1; i <= n; i++) {
        now[0] = (int)i;
        for (size_t j = 1; j <= m; j++) {
            int same = small_letter(a[i - 1]) == small_letter(b[j - 1]) ? 0 : 1;
            now[j] = smaller_of(last[j - 1] + same, 1 + smaller_of(last[j], now[j - 1]));
            if (i > 1 && j > 1 && small_letter(a[i - 1]) == small_letter(b[j - 2]) &&
                small_letter(a[i - 2]) == small_letter(b[j - 1]))
                now[j] = smaller_of(now[j], before[j - 2] + 1);
        }
        int *free_row = before;
        before = last;
        last = now;
        now = free_row;
    }
    return last[m];
}

/* A third of the letters may be wrong: more would offer names that have nothing to do with it. */
nearest nearest_to(const char *wanted)
{
    int length = (int)smaller_of((int)strnlen(wanted, NEAREST_LONGEST + 1), NEAREST_LONGEST);
    return (nearest){wanted, NULL, 1 + (length < 6 ? 1 : length / 3)};
}

void nearest_offer(nearest *n, const char *name)
{
    int d = nearest_distance(n->wanted, name);
    size_t length = strlen(n->wanted);
    if (d > 1 && length >= 3 && strncmp(n->wanted, name, length) == 0)
        d = 1; /* a name that was cut short */
    if (d >= 0 && d < n->distance) {
        n->distance = d;
        n->best = name;
    }
}
