/* SPDX-License-Identifier: MIT */
#include "solve/contact_sum.h"

#include "solve/assembly_inside.h"

#define CHUNK 64 /* rows */
#define PIECE 256
/* Energies are summed by piece, and there are no more pieces than this, whatever the number of threads. */
#define MOST_PIECES 64
#define MOST_DOFS 8 /* four nodes, each of which may hang between two */

void contact_sum_destroy(contact_sum *s, mem *m)
{
    MEM_FREE(m, s->shares, s->share_room);
    MEM_FREE(m, s->places, s->place_room);
    MEM_FREE(m, s->chunk_start, s->start_room);
    MEM_FREE(m, s->chunk_items, s->item_room);
    *s = (contact_sum){0};
}

/* Room for n items, and some more, so that steady contact asks for memory no more. What was there is lost. */
static bool make_room(mem *m, void **items, int64_t *room, int64_t n, size_t item_size)
{
    if (n <= *room)
        return true;
    int64_t more = n + n / 2 + 256;
    mem_free(m, *items, *room, item_size);
    *room = 0;
    *items = mem_array(m, more, item_size);
    if (!*items)
        return false;
    *room = more;
    return true;
}

#define ROOM(m, items, room, n) make_room((m), (void **)&(items), &(room), (n), sizeof *(items))

/* A contact by degrees of freedom: p = Σ w q. */
typedef struct dof_point {
    int32_t n, dof[MOST_DOFS];
    double w[MOST_DOFS];
} dof_point;

static void by_dofs(const assembly *a, const contact_term *c, dof_point *out)
{
    out->n = 0;
    for (int i = 0; i < c->n; i++) {
        const node_row *r = &a->rows[c->node[i]];
        for (int d = 0; d < 2 && r->dof[d] >= 0; d++) {
            out->dof[out->n] = r->dof[d];
            out->w[out->n++] = c->w[i] * r->weight[d];
        }
    }
}

/* ---- the plan ---------------------------------------------------------------------------------------------------- */

/* The chunks of a contact's rows, each once. */
static int32_t chunks_of(const assembly *a, const contact_term *c, int32_t out[MOST_DOFS])
{
    int32_t n = 0;
    for (int i = 0; i < c->n; i++)
        for (int d = 0; d < 2 && a->rows[c->node[i]].dof[d] >= 0; d++) {
            int32_t chunk = a->rows[c->node[i]].dof[d] / CHUNK, k = 0;
            while (k < n && out[k] != chunk)
                k++;
            if (k == n)
                out[n++] = chunk;
        }
    return n;
}

static void fill_chunks(contact_sum *s, const assembly *a, const contact_term *terms)
{
    int32_t chunk[MOST_DOFS];
    for (int32_t i = 0; i < s->n; i++)
        for (int32_t k = chunks_of(a, &terms[i], chunk) - 1; k >= 0; k--)
            s->chunk_items[s->chunk_start[chunk[k]]++] = i;
    for (int32_t k = s->n_chunks; k > 0; k--)
        s->chunk_start[k] = s->chunk_start[k - 1];
    s->chunk_start[0] = 0;
}

bool contact_sum_plan(contact_sum *s, const assembly *a, const contact_term *terms, int32_t n)
{
    int32_t chunk[MOST_DOFS];
    s->n = 0;
    s->placed = -1;
    s->n_chunks = (a->n_dofs + CHUNK - 1) / CHUNK;
    if (!ROOM(a->mem, s->shares, s->share_room, n) || !ROOM(a->mem, s->places, s->place_room, n) ||
        !ROOM(a->mem, s->chunk_start, s->start_room, s->n_chunks + 1))
        return false;
    for (int32_t k = 0; k <= s->n_chunks; k++)
        s->chunk_start[k] = 0;
    for (int32_t i = 0; i < n; i++)
        for (int32_t k = chunks_of(a, &terms[i], chunk) - 1; k >= 0; k--)
            s->chunk_start[chunk[k] + 1]++;
    for (int32_t k = 0; k < s->n_chunks; k++)
        s->chunk_start[k + 1] += s->chunk_start[k];
    if (!ROOM(a->mem, s->chunk_items, s->item_room, s->chunk_start[s->n_chunks]))
        return false;
    s->n = n;
    fill_chunks(s, a, terms);
    return true;
}

/* ---- evaluation -------------------------------------------------------------------------------------------------- */

typedef struct sum_run {
    contact_sum *s;
    assembly *a;
    const contact_term *terms;
    int32_t n, piece;
    vec3 *gradient;
    bool with_hessian;
    double energy[MOST_PIECES];
} sum_run;

static int32_t block_at(const assembly *a, int32_t i, int32_t j)
{
    int32_t place = blockmat_place(&a->hessian, i, j);
    return place < 0 ? ~place : place;
}

/* Of a contact of up to four nodes that are degrees of freedom, each another: off the diagonal. */
static void place_blocks(const assembly *a, const contact_term *c, int32_t *out)
{
    int at = 0;
    for (int i = 0; i < c->n; i++)
        if (a->rows[c->node[i]].dof[1] >= 0) {
            out[0] = PLACE_NONE;
            return;
        }
    out[0] = 0; /* a contact of one node has none */
    for (int i = 0; i < c->n; i++)
        for (int j = i + 1; j < c->n; j++) {
            int32_t k = a->rows[c->node[i]].dof[0], l = a->rows[c->node[j]].dof[0];
            if (k == l) {
                out[0] = PLACE_NONE;
                return;
            }
            out[at++] = block_at(a, k, l);
        }
}

static void eval_piece(void *context, int32_t piece)
{
    sum_run *r = context;
    int32_t begin = piece * r->piece, end = begin + r->piece < r->n ? begin + r->piece : r->n;
    bool place = r->with_hessian && r->s->placed != r->a->hessian.revision;
    double e = 0;
    for (int32_t i = begin; i < end; i++) {
        contact_share *to = r->gradient ? &r->s->shares[i] : NULL;
        double own = contact_eval(&r->terms[i], r->a->x, to ? &to->g : NULL, r->with_hessian ? &to->h : NULL);
        if (to) /* friction that sticks where it stuck has no energy, but a stiffness */
            to->acts = own != 0 || r->terms[i].friction * r->terms[i].force > 0;
        if (place)
            place_blocks(r->a, &r->terms[i], r->s->places[i]);
        e += own;
    }
    r->energy[piece] = e;
}

/* Until blockmat_finish the diagonal has the sums of rows. */
static inline void add_to_row(blockmat *a, int32_t row, double s, const mat3 *h)
{
    for (int k = 0; k < 9; k++)
        a->diagonal[row].m[k] += s * h->m[k];
}

/* The Hessian of a contact is symmetric: a block and its transpose are the same. */
static inline void add_to_block(blockmat *a, int32_t place, double s, const mat3 *h)
{
    for (int k = 0; k < 9; k++)
        a->val[9 * (int64_t)place + k] += (float)(s * h->m[k]);
}

static void add_plain(const sum_run *r, int32_t i, int32_t begin, int32_t end)
{
    const contact_term *c = &r->terms[i];
    const contact_share *from = &r->s->shares[i];
    int32_t dof[4];
    double all = 0;
    for (int j = 0; j < c->n; j++) {
        dof[j] = r->a->rows[c->node[j]].dof[0];
        all += c->w[j];
    }
    for (int j = 0, at = 0; j < c->n; j++) {
        if (dof[j] >= begin && dof[j] < end) {
            r->gradient[dof[j]] = v3_madd(r->gradient[dof[j]], c->w[j], from->g);
            if (r->with_hessian)
                add_to_row(&r->a->hessian, dof[j], c->w[j] * all, &from->h);
        }
        for (int k = j + 1; r->with_hessian && k < c->n; k++, at++) {
            int32_t row = dof[j] < dof[k] ? dof[j] : dof[k];
            if (row >= begin && row < end && c->w[j] != 0 && c->w[k] != 0)
                add_to_block(&r->a->hessian, r->s->places[i][at], c->w[j] * c->w[k], &from->h);
        }
    }
}

/* Nodes that hang between two, or share a degree of freedom. */
static void add_hanging(const sum_run *r, int32_t i, int32_t begin, int32_t end)
{
    const contact_share *from = &r->s->shares[i];
    dof_point p;
    double all = 0;
    by_dofs(r->a, &r->terms[i], &p);
    for (int j = 0; j < p.n; j++)
        all += p.w[j];
    for (int j = 0; j < p.n; j++) {
        if (p.dof[j] >= begin && p.dof[j] < end) {
            r->gradient[p.dof[j]] = v3_madd(r->gradient[p.dof[j]], p.w[j], from->g);
            if (r->with_hessian)
                add_to_row(&r->a->hessian, p.dof[j], p.w[j] * all, &from->h);
        }
        for (int k = j + 1; r->with_hessian && k < p.n; k++) {
            int32_t row = p.dof[j] < p.dof[k] ? p.dof[j] : p.dof[k];
            if (p.dof[j] != p.dof[k] && row >= begin && row < end && p.w[j] != 0 && p.w[k] != 0)
                add_to_block(&r->a->hessian, block_at(r->a, p.dof[j], p.dof[k]), p.w[j] * p.w[k], &from->h);
        }
    }
}

static bool is_plain(const sum_run *r, int32_t i)
{
    const contact_term *c = &r->terms[i];
    if (r->with_hessian)
        return c->n > 0 && r->s->places[i][0] != PLACE_NONE;
    for (int j = 0; j < c->n; j++)
        if (r->a->rows[c->node[j]].dof[1] >= 0)
            return false;
    return true;
}

static void add_chunk(void *context, int32_t chunk)
{
    const sum_run *r = context;
    int32_t begin = chunk * CHUNK, end = begin + CHUNK < r->a->n_dofs ? begin + CHUNK : r->a->n_dofs;
    for (int32_t k = r->s->chunk_start[chunk]; k < r->s->chunk_start[chunk + 1]; k++) {
        int32_t i = r->s->chunk_items[k];
        if (!r->s->shares[i].acts)
            continue;
        if (is_plain(r, i))
            add_plain(r, i, begin, end);
        else
            add_hanging(r, i, begin, end);
    }
}

double contact_sum_eval(contact_sum *s, assembly *a, const contact_term *terms, int32_t n, vec3 *gradient,
                        bool with_hessian)
{
    sum_run r = {.s = s, .a = a, .terms = terms, .n = n, .gradient = gradient, .with_hessian = with_hessian};
    double e = 0;
    r.piece = n <= PIECE * MOST_PIECES ? PIECE : (n + MOST_PIECES - 1) / MOST_PIECES;
    int32_t n_pieces = (n + r.piece - 1) / r.piece;
    pool_for(a->pool, n_pieces, eval_piece, &r);
    if (gradient && n > 0)
        pool_for(a->pool, s->n_chunks, add_chunk, &r);
    if (with_hessian)
        s->placed = a->hessian.revision;
    for (int32_t i = 0; i < n_pieces; i++)
        e += r.energy[i];
    return e;
}
