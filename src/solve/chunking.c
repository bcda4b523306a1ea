/* SPDX-License-Identifier: MIT */
/* Chunks of rows and their colours: no two chunks of one colour are coupled. */
#include "solve/chunking.h"

/* Small chunks leave work for many threads, large ones have fewer rows that look at another chunk's colour. */
#define MOST_BITS 10
#define CHUNKS_WANTED 32

void chunking_destroy(chunking *c, mem *m)
{
    MEM_FREE(m, c->colour, c->n_chunks);
    MEM_FREE(m, c->order, c->n_chunks);
    MEM_FREE(m, c->colour_start, c->n_chunks + 1);
    *c = (chunking){0};
}

/* The lowest colour that no chunk coupled to this one has. used[colour] == chunk + 1 marks those that are taken. */
static int32_t lowest_free(const chunking *c, int32_t chunk, int32_t n, const int32_t *start, const int32_t *col,
                           int32_t *used)
{
    for (int32_t k = start[chunk_begin(c, chunk)]; k < start[chunk_end(c, chunk, n)]; k++) {
        int32_t other = col[k] >> c->bits;
        if (other < chunk)
            used[c->colour[other]] = chunk + 1;
    }
    int32_t colour = 0;
    while (used[colour] == chunk + 1)
        colour++;
    return colour;
}

static void sort_by_colour(chunking *c)
{
    int32_t at = 0;
    for (int32_t colour = 0; colour < c->n_colours; colour++) {
        c->colour_start[colour] = at;
        for (int32_t i = 0; i < c->n_chunks; i++)
            if (c->colour[i] == colour)
                c->order[at++] = i;
    }
    c->colour_start[c->n_colours] = at;
}

static int32_t chunk_bits(int32_t n, int32_t least_bits)
{
    int32_t bits = least_bits;
    while (bits < MOST_BITS && n >> (bits + 1) >= CHUNKS_WANTED)
        bits++;
    return bits;
}

bool chunking_create(chunking *c, mem *m, int32_t n, const int32_t *start, const int32_t *col, int32_t least_bits)
{
    int32_t *used = NULL, bits = chunk_bits(n, least_bits);
    *c = (chunking){.bits = bits, .n_chunks = (int32_t)(((int64_t)n + (1 << bits) - 1) >> bits)};
    bool ok = MEM_MAKE(m, c->colour, c->n_chunks) && MEM_MAKE(m, c->order, c->n_chunks) &&
              MEM_MAKE(m, c->colour_start, c->n_chunks + 1) && MEM_MAKE(m, used, c->n_chunks + 1);
    for (int32_t i = 0; ok && i < c->n_chunks; i++) {
        c->colour[i] = lowest_free(c, i, n, start, col, used);
        c->n_colours = c->colour[i] >= c->n_colours ? c->colour[i] + 1 : c->n_colours;
    }
    if (ok)
        sort_by_colour(c);
    MEM_FREE(m, used, c->n_chunks + 1);
    return ok;
}

void chunking_split(const chunking *c, int32_t n, const int32_t *start, const int32_t *col, int32_t *before,
                    int32_t *after, int32_t *cols)
{
    for (int32_t i = 0; i < n; i++) {
        before[i + 1] = before[i];
        for (int32_t k = start[i]; k < start[i + 1]; k++)
            before[i + 1] += col[k] != i && chunk_precedes(c, col[k], i);
    }
    after[0] = before[n];
    for (int32_t i = 0; i < n; i++)
        after[i + 1] = after[i] + (start[i + 1] - start[i] - 1) - (before[i + 1] - before[i]);
    for (int32_t i = 0; i < n; i++) {
        int32_t b = before[i], a = after[i];
        for (int32_t k = start[i]; k < start[i + 1]; k++)
            if (col[k] != i)
                cols[chunk_precedes(c, col[k], i) ? b++ : a++] = col[k];
    }
}

typedef struct colour_run {
    const int32_t *chunk;
    pool_fn run;
    void *context;
} colour_run;

static void run_chunk(void *context, int32_t i)
{
    const colour_run *r = context;
    r->run(r->context, r->chunk[i]);
}

void chunking_run(const chunking *c, pool *p, bool backward, pool_fn run, void *context)
{
    for (int32_t k = 0; k < c->n_colours; k++) {
        int32_t colour = backward ? c->n_colours - 1 - k : k, begin = c->colour_start[colour];
        colour_run r = {c->order + begin, run, context};
        pool_for(p, c->colour_start[colour + 1] - begin, run_chunk, &r);
    }
}
