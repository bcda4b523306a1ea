/* SPDX-License-Identifier: MIT */
/* The plan lists, for every chunk of rows, the contacts that act on one of them. Then contacts are evaluated side by
 * side, each into a share of its own, and chunks add up their rows side by side. */
#include "solve/contact_sum.h"

#include "base/array.h"

#include "solve/assembly_inside.h"
#include "solve/contact_simd4.h"
#include "solve/block3.h"

#define CONTACT_DOFS 8 /* four nodes, each of which may hang between two */

void contact_sum_destroy(contact_sum *s, mem *m)
{
    if (s->place_room > 0)
        MEM_FREE(m, s->places, s->place_room);
    if (s->start_room > 0)
        MEM_FREE(m, s->chunk_start, s->start_room);
    if (s->item_room > 0)
        MEM_FREE(m, s->chunk_items, s->item_room);
    if (s->piece_room > 0)
        MEM_FREE(m, s->piece_chunks, s->piece_room);
    *s = (contact_sum){0};
}

/* A contact by degrees of freedom: p = Σ w q. */
typedef struct dof_point {
    int32_t n, dof[CONTACT_DOFS];
    double w[CONTACT_DOFS];
} dof_point;

static void by_dofs(const assembly *a, const contact_term *c, dof_point *out)
{
    out->n = 0;
    for (int i = 0; i < c->n; i++) {
        const node_row *r = &a->rows[c->node[i]];
        for (int d = 0; d < 2 && r->dof[d] >= 0; d++) {
            out->dof[out->n] = r->dof[d];
            out->w[out->n++] = c->w[i] * row_weight(r);
        }
    }
}

/* ---- the plan ---------------------------------------------------------------------------------------------------- */

/* The chunks of a contact's rows, each once. */
static int32_t chunks_of(const assembly *a, const contact_term *c, int32_t out[CONTACT_DOFS])
{
    int32_t n = 0;
    for (int i = 0; i < c->n; i++)
        for (int d = 0; d < 2 && a->rows[c->node[i]].dof[d] >= 0; d++) {
            int32_t chunk = a->rows[c->node[i]].dof[d] / CONTACT_CHUNK, k = 0;
            while (k < n && out[k] != chunk)
                k++;
            if (k == n)
                out[n++] = chunk;
        }
    return n;
}

typedef struct plan_run {
    contact_sum *s;
    const assembly *a;
    const contact_term *terms;
    int32_t n, piece;
} plan_run;

static int32_t plan_end(const plan_run *r, int32_t piece)
{
    return (piece + 1) * r->piece < r->n ? (piece + 1) * r->piece : r->n;
}

static void count_contacts(void *context, int32_t piece)
{
    const plan_run *r = context;
    int32_t chunk[CONTACT_DOFS], *n = r->s->piece_chunks + (int64_t)piece * r->s->n_chunks;
    for (int32_t k = 0; k < r->s->n_chunks; k++)
        n[k] = 0;
    for (int32_t i = piece * r->piece; i < plan_end(r, piece); i++)
        for (int32_t k = chunks_of(r->a, &r->terms[i], chunk) - 1; k >= 0; k--)
            n[chunk[k]]++;
}

static void list_contacts(void *context, int32_t piece)
{
    const plan_run *r = context;
    int32_t chunk[CONTACT_DOFS], *at = r->s->piece_chunks + (int64_t)piece * r->s->n_chunks;
    for (int32_t i = piece * r->piece; i < plan_end(r, piece); i++)
        for (int32_t k = chunks_of(r->a, &r->terms[i], chunk) - 1; k >= 0; k--)
            r->s->chunk_items[at[chunk[k]]++] = i;
}

/* Turns numbers of items of each piece into where they begin: by chunk, then by piece. */
static void place_pieces(contact_sum *s, int32_t n_pieces)
{
    int32_t at = 0;
    for (int32_t k = 0; k < s->n_chunks; k++) {
        s->chunk_start[k] = at;
        for (int32_t i = 0; i < n_pieces; i++) {
            int32_t *place = &s->piece_chunks[(int64_t)i * s->n_chunks + k], n = *place;
            *place = at;
            at += n;
        }
    }
    s->chunk_start[s->n_chunks] = at;
}

static int32_t piece_of(int32_t n)
{
    return n <= CONTACT_PIECE * CONTACT_MOST_PIECES ? CONTACT_PIECE
                                                    : (n + CONTACT_MOST_PIECES - 1) / CONTACT_MOST_PIECES;
}

#define PLAN_ROOM(items, room, n)                                                                                      \
    (scratch ? ARENA_TAKE(scratch, items, n) : ARRAY_RESERVE_STEADY(a->mem, items, room, n))

bool contact_sum_plan(contact_sum *s, const assembly *a, const contact_term *terms, int32_t n, arena *scratch)
{
    plan_run r = {s, a, terms, n, piece_of(n)};
    int32_t n_pieces = (n + r.piece - 1) / r.piece;
    s->n = 0;
    s->placed = -1;
    s->n_chunks = (a->n_dofs + CONTACT_CHUNK - 1) / CONTACT_CHUNK;
    if (!PLAN_ROOM(s->places, s->place_room, n) || !PLAN_ROOM(s->chunk_start, s->start_room, s->n_chunks + 1) ||
        !PLAN_ROOM(s->piece_chunks, s->piece_room, (int64_t)n_pieces * s->n_chunks))
        return false;
    pool_for(a->pool, n_pieces, count_contacts, &r);
    place_pieces(s, n_pieces);
    if (!PLAN_ROOM(s->chunk_items, s->item_room, s->chunk_start[s->n_chunks]))
        return false;
    s->n = n;
    pool_for(a->pool, n_pieces, list_contacts, &r);
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
    contact_simd4_fn *four;
    double energy[CONTACT_MOST_PIECES];
} sum_run;

static int32_t contact_place(const blockmat *a, int32_t i, int32_t j)
{
    int32_t place = blockmat_place(a, i, j);
    return place < 0 ? ~place : place; /* the Hessian of a contact is symmetric */
}

/* Of a contact of up to four nodes that are degrees of freedom, each another. */
static void place_blocks(const assembly *a, const contact_term *c, int32_t *out)
{
    int at = 0;
    out[0] = 0;
    for (int i = 0; i < c->n; i++) {
        const node_row *r = &a->rows[c->node[i]];
        bool plain = r->dof[1] < 0;
        for (int j = 0; j < i; j++)
            plain = plain && a->rows[c->node[j]].dof[0] != r->dof[0];
        for (int j = 0; plain && j < i; j++)
            out[at++] = contact_place(&a->hessian, a->rows[c->node[j]].dof[0], r->dof[0]);
        if (!plain) {
            out[0] = PLACE_NONE;
            return;
        }
    }
}

/* Terms [i, i + 4), four at a time where they are alike; returns how many of them. */
static int32_t eval_some(sum_run *r, int32_t i, int32_t end, double energy[4])
{
    const contact_term *c = &r->terms[i];
    contact_share *to = r->gradient ? &r->s->shares[i] : NULL;
    bool four = i + 4 <= end;
    for (int k = 0; four && k < 4; k++)
        four = c[k].n == 4 && c[k].slack > 0;
    if (four) {
        r->four(c, r->a->x, energy, to, r->with_hessian);
        return 4;
    }
    energy[0] = contact_eval(c, r->a->x, to ? &to->g : NULL, r->with_hessian ? &to->h : NULL);
    if (to) /* friction that sticks where it stuck has no energy, but a stiffness */
        to->acts = energy[0] != 0 || c->friction * c->force > 0;
    return 1;
}

static void eval_piece(void *context, int32_t piece)
{
    sum_run *r = context;
    int32_t begin = piece * r->piece, end = begin + r->piece < r->n ? begin + r->piece : r->n;
    bool place = r->with_hessian && r->s->placed != r->a->hessian.revision;
    double e = 0, own[4];
    for (int32_t i = begin, n = 1; i < end; i += n) {
        n = eval_some(r, i, end, own);
        for (int32_t k = 0; k < n; k++)
            e += own[k];
        for (int32_t k = i; place && k < i + n; k++)
            place_blocks(r->a, &r->terms[k], r->s->places[k]);
    }
    r->energy[piece] = e;
}

/* The diagonal has the sum of its row, w_i H Σ w: nothing where all nodes of a pair are unknowns, as Σ w is 0. */
static void add_contact_row(const sum_run *r, const contact_share *from, int32_t dof, double w, double sum)
{
    r->gradient[dof] = v3_madd(r->gradient[dof], w, from->g);
    if (r->with_hessian && sum != 0)
        r->a->hessian.diagonal[dof] = m3_madd(r->a->hessian.diagonal[dof], w * sum, from->h);
}

static void add_contact_block(const sum_run *r, const contact_share *from, int32_t place, double w)
{
    block3_add(r->a->hessian.val + 9 * (int64_t)place, block3_scaled(w, from->h.m));
}

static bool is_mine(int32_t row, int32_t begin, int32_t end)
{
    return row >= begin && row < end;
}

/* A block is its lower row's to add. */
static void add_plain(const sum_run *r, int32_t i, int32_t begin, int32_t end)
{
    const contact_term *c = &r->terms[i];
    const contact_share *from = &r->s->shares[i];
    const int32_t *place = r->s->places[i];
    int32_t dof[4];
    double sum = 0;
    for (int j = 0; j < c->n; j++) {
        dof[j] = r->a->rows[c->node[j]].dof[0];
        sum += c->n < 4 ? c->w[j] : 0;
    }
    for (int j = 0; j < c->n; j++) {
        if (is_mine(dof[j], begin, end))
            add_contact_row(r, from, dof[j], c->w[j], sum);
        for (int k = 0; r->with_hessian && k < j; k++, place++)
            if (is_mine(dof[j] < dof[k] ? dof[j] : dof[k], begin, end) && c->w[j] != 0 && c->w[k] != 0)
                add_contact_block(r, from, *place, c->w[j] * c->w[k]);
    }
}

/* Nodes that hang between two, or share a degree of freedom, where both images of a block count. */
static void add_hanging(const sum_run *r, int32_t i, int32_t begin, int32_t end)
{
    const contact_share *from = &r->s->shares[i];
    double sum = 0;
    dof_point p;
    by_dofs(r->a, &r->terms[i], &p);
    for (int j = 0; j < p.n; j++)
        sum += p.w[j];
    for (int j = 0; j < p.n; j++) {
        if (is_mine(p.dof[j], begin, end))
            add_contact_row(r, from, p.dof[j], p.w[j], sum);
        for (int k = 0; r->with_hessian && k < j; k++)
            if (p.dof[j] != p.dof[k] && is_mine(p.dof[j] < p.dof[k] ? p.dof[j] : p.dof[k], begin, end) && p.w[j] != 0 &&
                p.w[k] != 0)
                add_contact_block(r, from, contact_place(&r->a->hessian, p.dof[k], p.dof[j]), p.w[j] * p.w[k]);
    }
}

static bool is_plain_contact(const sum_run *r, int32_t i)
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
    int32_t begin = chunk * CONTACT_CHUNK,
            end = begin + CONTACT_CHUNK < r->a->n_dofs ? begin + CONTACT_CHUNK : r->a->n_dofs;
    for (int32_t k = r->s->chunk_start[chunk]; k < r->s->chunk_start[chunk + 1]; k++) {
        int32_t i = r->s->chunk_items[k];
        if (!r->s->shares[i].acts)
            continue;
        if (is_plain_contact(r, i))
            add_plain(r, i, begin, end);
        else
            add_hanging(r, i, begin, end);
    }
}

double contact_sum_eval(contact_sum *s, assembly *a, const contact_term *terms, int32_t n, vec3 *gradient,
                        bool with_hessian, arena *scratch)
{
    sum_run r = {.s = s, .a = a, .terms = terms, .n = n, .gradient = gradient, .with_hessian = with_hessian};
    arena_mark before = arena_mark_of(scratch);
    r.four = contact_simd4_best();
    double e = 0;
    r.piece = piece_of(n);
    int32_t n_pieces = (n + r.piece - 1) / r.piece;
    if (gradient && !ARENA_TAKE(scratch, s->shares, n))
        return (double)NAN;
    pool_for(a->pool, n_pieces, eval_piece, &r);
    if (gradient && n > 0)
        pool_for(a->pool, s->n_chunks, add_chunk, &r);
    if (with_hessian)
        s->placed = a->hessian.revision;
    for (int32_t i = 0; i < n_pieces; i++)
        e += r.energy[i];
    arena_release(scratch, before);
    return e;
}
