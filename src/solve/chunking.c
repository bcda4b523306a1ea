/* SPDX-License-Identifier: MIT */
/* Chunks of rows and their colours: no two chunks of one colour are coupled. */
#include "solve/chunking.h"
#include "solve/params.h"

void chunking_destroy(chunking *c, mem *m)
{
    MEM_FREE(m, c->colour, c->n_chunks);
    MEM_FREE(m, c->order, c->n_chunks);
    MEM_FREE(m, c->used, c->n_chunks + 1);
    MEM_FREE(m, c->colour_start, c->n_chunks + 1);
    *c = (chunking){0};
}

/* used[colour] == chunk + 1 marks the colours of earlier chunks that are coupled to this one. */
static void mark_used(chunking *c, int32_t chunk, const sparsity *p)
{
    for (int32_t k = p->start[chunk_begin(c, chunk)]; k < p->start[chunk_end(c, chunk, p->n)]; k++) {
        int32_t other = p->col[k] >> c->bits;
        if (other < chunk)
            c->used[c->colour[other]] = chunk + 1;
    }
}

static void sort_chunks(chunking *c)
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
    while (bits < CHUNKING_MOST_BITS && n >> (bits + 1) >= CHUNKING_CHUNKS_WANTED)
        bits++;
    return bits;
}

bool chunking_create(chunking *c, mem *m, int32_t n, int32_t least_bits)
{
    int32_t bits = chunk_bits(n, least_bits);
    *c = (chunking){.bits = bits, .n_chunks = (int32_t)(((int64_t)n + (1 << bits) - 1) >> bits)};
    return MEM_MAKE(m, c->colour, c->n_chunks) && MEM_MAKE(m, c->order, c->n_chunks) &&
           MEM_MAKE(m, c->colour_start, c->n_chunks + 1) && MEM_MAKE(m, c->used, c->n_chunks + 1);
}

/* Each chunk in turn gets the lowest colour that no chunk coupled to it has. */
void chunking_colour(chunking *c, const sparsity *p, const sparsity *extra)
{
    c->n_colours = 0;
    for (int32_t i = 0; i <= c->n_chunks; i++)
        c->used[i] = 0;
    for (int32_t i = 0; i < c->n_chunks; i++) {
        int32_t colour = 0;
        mark_used(c, i, p);
        if (extra)
            mark_used(c, i, extra);
        while (c->used[colour] == i + 1)
            colour++;
        c->colour[i] = colour;
        c->n_colours = colour >= c->n_colours ? colour + 1 : c->n_colours;
    }
    sort_chunks(c);
}

/* ---- order in memory --------------------------------------------------------------------------------------------- */

typedef struct split_run {
    const chunking *c;
    const sparsity *p, *extra;
    int32_t *before, *after, *cols;
} split_run;

static int32_t split_piece_end(const split_run *r, int32_t piece)
{
    return (piece + 1) * CHUNKING_PIECE < r->p->n ? (piece + 1) * CHUNKING_PIECE : r->p->n;
}

static int32_t count_before(const chunking *c, const sparsity *p, int32_t i)
{
    int32_t n = 0;
    for (int32_t k = p->start[i]; k < p->start[i + 1]; k++)
        n += p->col[k] != i && chunk_precedes(c, p->col[k], i);
    return n;
}

/* Before and after this row, into the next places of `before` and `after`. */
static void count_row(const split_run *r, int32_t i)
{
    int32_t n_before = count_before(r->c, r->p, i), n_all = r->p->start[i + 1] - r->p->start[i] - 1;
    if (r->extra) {
        n_before += count_before(r->c, r->extra, i);
        n_all += r->extra->start[i + 1] - r->extra->start[i];
    }
    r->before[i + 1] = n_before;
    r->after[i + 1] = n_all - n_before;
}

static void count_split_rows(void *context, int32_t piece)
{
    const split_run *r = context;
    for (int32_t i = piece * CHUNKING_PIECE; i < split_piece_end(r, piece); i++)
        count_row(r, i);
}

static void fill_split_rows(void *context, int32_t piece)
{
    const split_run *r = context;
    for (int32_t i = piece * CHUNKING_PIECE; i < split_piece_end(r, piece); i++) {
        int32_t b = r->before[i], a = r->after[i];
        sparsity_walk w = sparsity_row(r->p, r->extra, i);
        for (int32_t j = sparsity_next(&w); j >= 0; j = sparsity_next(&w))
            if (j != i)
                r->cols[chunk_precedes(r->c, j, i) ? b++ : a++] = j;
    }
}

static void run_row_pieces(pool *threads, split_run *r, pool_fn run)
{
    int32_t n = (r->p->n + CHUNKING_PIECE - 1) / CHUNKING_PIECE;
    if (threads)
        pool_for(threads, n, run, r);
    for (int32_t i = 0; !threads && i < n; i++)
        run(r, i);
}

void chunking_split(const chunking *c, pool *threads, const sparsity *p, const sparsity *extra, int32_t *before,
                    int32_t *after, int32_t *cols)
{
    split_run r = {c, p, extra, before, after, cols};
    run_row_pieces(threads, &r, count_split_rows);
    before[0] = 0;
    for (int32_t i = 0; i < p->n; i++)
        before[i + 1] += before[i];
    after[0] = before[p->n];
    for (int32_t i = 0; i < p->n; i++)
        after[i + 1] += after[i];
    run_row_pieces(threads, &r, fill_split_rows);
}

typedef struct join_run {
    sparsity *p;
    const sparsity *less;
    const int32_t *before, *after, *cols;
} join_run;

static int32_t n_less(const join_run *r, int32_t i)
{
    return r->less ? r->less->start[i + 1] - r->less->start[i] : 0;
}

/* Both halves of a row, which increase, to where its diagonal is, or to the end. */
typedef struct join_walk {
    const int32_t *b, *b_end, *a, *a_end, *less, *less_end;
} join_walk;

static int32_t *join_up_to(join_walk *w, int32_t end, int32_t *out)
{
    for (;;) {
        bool is_b = w->b < w->b_end && (w->a == w->a_end || *w->b < *w->a);
        if (!is_b && w->a == w->a_end)
            return out;
        int32_t least = is_b ? *w->b : *w->a;
        if (least > end)
            return out;
        w->b += is_b;
        w->a += !is_b;
        if (w->less < w->less_end && *w->less == least)
            w->less++;
        else
            *out++ = least;
    }
}

static void join_row(const join_run *r, int32_t i)
{
    const int32_t *cols = r->cols;
    join_walk w = {0};
    if (cols) /* else there are only diagonals */
        w = (join_walk){.b = cols + r->before[i],
                        .b_end = cols + r->before[i + 1],
                        .a = cols + r->after[i],
                        .a_end = cols + r->after[i + 1]};
    if (n_less(r, i) > 0) {
        w.less = r->less->col + r->less->start[i];
        w.less_end = w.less + n_less(r, i);
    }
    int32_t *out = join_up_to(&w, i, r->p->col + r->p->start[i]);
    *out++ = i;
    join_up_to(&w, INT32_MAX, out);
}

static void join_piece(void *context, int32_t piece)
{
    const join_run *r = context;
    int32_t end = (piece + 1) * CHUNKING_PIECE < r->p->n ? (piece + 1) * CHUNKING_PIECE : r->p->n;
    for (int32_t i = piece * CHUNKING_PIECE; i < end; i++)
        join_row(r, i);
}

void chunking_join(sparsity *p, pool *threads, const int32_t *before, const int32_t *after, const int32_t *cols,
                   const sparsity *less)
{
    join_run r = {p, less, before, after, cols};
    int32_t n = (p->n + CHUNKING_PIECE - 1) / CHUNKING_PIECE;
    p->start[0] = 0;
    for (int32_t i = 0; i < p->n; i++)
        p->start[i + 1] = p->start[i] + 1 + before[i + 1] - before[i] + after[i + 1] - after[i] - n_less(&r, i);
    if (threads)
        pool_for(threads, n, join_piece, &r);
    for (int32_t i = 0; !threads && i < n; i++)
        join_piece(&r, i);
}

bool chunking_pattern(sparsity *p, mem *m, int32_t n, const int32_t *before, const int32_t *after, const int32_t *cols)
{
    *p = (sparsity){.n = n};
    if (!MEM_MAKE(m, p->start, n + 1))
        return false;
    if (!MEM_MAKE(m, p->col, n + after[n])) {
        MEM_FREE(m, p->start, n + 1);
        return false;
    }
    chunking_join(p, NULL, before, after, cols, NULL);
    return true;
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
