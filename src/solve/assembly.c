/* SPDX-License-Identifier: MIT */
#include "solve/assembly.h"

#include <string.h>

#include "mechanics/pull.h"

#define BATCH 128
#define NODE_PIECE 1024

/* ---- batches and colours ----------------------------------------------------------------------------------------- */

static int32_t count_batches(const forces *f)
{
    int32_t n = 0;
    for (int k = 0; k < FORCE_KINDS; k++)
        n += (f->list[k].n + BATCH - 1) / BATCH;
    return n;
}

static void cut_batches(const forces *f, batch *out)
{
    for (int k = 0; k < FORCE_KINDS; k++)
        for (int32_t i = 0; i < f->list[k].n; i += BATCH)
            *out++ = (batch){(force_kind)k, i, i + BATCH < f->list[k].n ? i + BATCH : f->list[k].n};
}

/* The colours in use at any degree of freedom of the batch; adds `set` to each of them. */
static uint64_t batch_mask(const assembly *a, const batch *b, uint64_t *masks, uint64_t set)
{
    uint64_t used = 0;
    for (int32_t i = b->begin; i < b->end; i++) {
        const int32_t *node = force_nodes(a->forces, b->kind, i);
        for (int j = 0; j < force_n_nodes(b->kind); j++)
            for (int d = 0; d < 2; d++) {
                int32_t dof = a->rows[node[j]].dof[d];
                if (dof < 0)
                    continue;
                used |= masks[dof];
                masks[dof] |= set;
            }
    }
    return used;
}

/* Lowest colour that no batch sharing a degree of freedom has; the last one collects what finds none and is run by one
 * thread (assembly_run). */
static int lowest_free(uint64_t used)
{
    int c = 0;
    while (c < MAX_COLOURS - 1 && (used >> c & 1))
        c++;
    return c;
}

static void sort_by_colour(assembly *a, const batch *unsorted, const uint8_t *colour)
{
    int32_t at = 0;
    for (int c = 0; c < MAX_COLOURS; c++) {
        a->colour_start[c] = at;
        for (int32_t i = 0; i < a->n_batches; i++)
            if (colour[i] == c)
                a->batches[at++] = unsorted[i];
        if (at > a->colour_start[c])
            a->n_colours = c + 1;
    }
    a->colour_start[MAX_COLOURS] = at;
}

static bool colour_batches(assembly *a)
{
    uint64_t *masks = mem_array(a->mem, a->n_dofs, sizeof *masks);
    uint8_t *colour = mem_array(a->mem, a->n_batches, sizeof *colour);
    batch *unsorted = mem_array(a->mem, a->n_batches, sizeof *unsorted);
    bool ok = (masks || a->n_dofs == 0) && ((colour && unsorted) || a->n_batches == 0);
    if (ok && a->n_batches > 0) {
        cut_batches(a->forces, unsorted);
        for (int32_t i = 0; i < a->n_batches; i++) {
            int c = lowest_free(batch_mask(a, &unsorted[i], masks, 0));
            colour[i] = (uint8_t)c;
            batch_mask(a, &unsorted[i], masks, UINT64_C(1) << c);
        }
        sort_by_colour(a, unsorted, colour);
    }
    mem_free(a->mem, unsorted, a->n_batches, sizeof *unsorted);
    mem_free(a->mem, colour, a->n_batches, sizeof *colour);
    mem_free(a->mem, masks, a->n_dofs, sizeof *masks);
    return ok;
}

/* ---- pattern ----------------------------------------------------------------------------------------------------- */

static void add_to_clique(const assembly *a, int32_t node, clique *c)
{
    for (int d = 0; d < 2; d++) {
        int32_t dof = a->rows[node].dof[d];
        bool known = dof < 0;
        for (int i = 0; i < c->n; i++)
            known = known || c->row[i] == dof;
        if (!known)
            c->row[c->n++] = dof;
    }
}

static void next_clique(const void *context, int32_t i, clique *c)
{
    const assembly *a = context;
    int k = 0;
    while (i >= a->forces->list[k].n)
        i -= a->forces->list[k++].n;
    const int32_t *node = force_nodes(a->forces, (force_kind)k, i);
    c->n = 0;
    for (int j = 0; j < force_n_nodes((force_kind)k); j++)
        add_to_clique(a, node[j], c);
}

static bool make_pattern(assembly *a)
{
    int32_t n = 0;
    for (int k = 0; k < FORCE_KINDS; k++)
        n += a->forces->list[k].n;
    return blockmat_create(&a->hessian, a->mem, a->n_dofs, n, next_clique, a);
}

bool assembly_create(assembly *a, mem *m, pool *p, forces *f, const node_row *rows, int32_t n_nodes, int32_t n_dofs)
{
    *a = (assembly){.mem = m, .pool = p, .forces = f, .rows = rows, .n_nodes = n_nodes, .n_dofs = n_dofs};
    a->n_batches = count_batches(f);
    return MEM_MAKE(m, a->batches, a->n_batches) && MEM_MAKE(m, a->energy, a->n_batches) &&
           MEM_MAKE(m, a->x, n_nodes) && MEM_MAKE(m, a->speed, n_nodes) && MEM_MAKE(m, a->pull, n_nodes) &&
           colour_batches(a) && make_pattern(a);
}

void assembly_destroy(assembly *a)
{
    if (!a->mem)
        return;
    MEM_FREE(a->mem, a->batches, a->n_batches);
    MEM_FREE(a->mem, a->energy, a->n_batches);
    MEM_FREE(a->mem, a->x, a->n_nodes);
    MEM_FREE(a->mem, a->speed, a->n_nodes);
    MEM_FREE(a->mem, a->pull, a->n_nodes);
    blockmat_destroy(&a->hessian, a->mem);
    *a = (assembly){0};
}

/* ---- T ----------------------------------------------------------------------------------------------------------- */

typedef struct expand_run {
    const assembly *a;
    const vec3 *q;
    vec3 *x;
} expand_run;

static vec3 expand_row(const node_row *r, const vec3 *q)
{
    if (r->dof[1] < 0)
        return q[r->dof[0]];
    return v3_add(v3_scale(r->weight[0], q[r->dof[0]]), v3_scale(r->weight[1], q[r->dof[1]]));
}

static void expand_piece(void *context, int32_t i)
{
    const expand_run *r = context;
    int32_t end = (i + 1) * NODE_PIECE < r->a->n_nodes ? (i + 1) * NODE_PIECE : r->a->n_nodes;
    for (int32_t vi = i * NODE_PIECE; vi < end; vi++)
        r->x[vi] = expand_row(&r->a->rows[vi], r->q);
}

void assembly_expand(const assembly *a, const vec3 *q, vec3 *x)
{
    expand_run r = {a, q, x};
    pool_for(a->pool, (a->n_nodes + NODE_PIECE - 1) / NODE_PIECE, expand_piece, &r);
}

static void add_gradient(const node_row *r, double w, vec3 g, vec3 *gradient)
{
    for (int d = 0; d < 2 && r->dof[d] >= 0; d++)
        gradient[r->dof[d]] = v3_madd(gradient[r->dof[d]], w * r->weight[d], g);
}

/* Block (i, j) of two nodes of an element, whose rows are r and t, and its mirror image. Nodes that share a degree of
 * freedom (sewn, or one the parent of the other) meet on the diagonal, where both images count. */
static void add_block(blockmat *m, const node_row *r, const node_row *t, double w, const mat3 *h)
{
    for (int c = 0; c < 2 && r->dof[c] >= 0; c++)
        for (int d = 0; d < 2 && t->dof[d] >= 0; d++) {
            double ww = w * r->weight[c] * t->weight[d];
            if (r->dof[c] != t->dof[d]) {
                blockmat_add(m, r->dof[c], t->dof[d], ww, h);
                continue;
            }
            mat3 both = m3_add(*h, m3_transpose(*h));
            blockmat_add(m, r->dof[c], t->dof[d], ww, &both);
        }
}

/* The same for one node with itself: each pair of its degrees of freedom once. */
static void add_diagonal(blockmat *m, const node_row *r, double w, const mat3 *h)
{
    for (int c = 0; c < 2 && r->dof[c] >= 0; c++)
        for (int d = c; d < 2 && r->dof[d] >= 0; d++)
            blockmat_add(m, r->dof[c], r->dof[d], w * r->weight[c] * r->weight[d], h);
}

static void scatter(assembly *a, int n, const int32_t *node, const vec3 *g, const mat3 *h, vec3 *gradient)
{
    for (int i = 0; gradient && i < n; i++)
        add_gradient(&a->rows[node[i]], 1.0, g[i], gradient);
    for (int i = 0; h && i < n; i++) {
        add_diagonal(&a->hessian, &a->rows[node[i]], 1.0, &h[block_of(n, i, i)]);
        for (int j = i + 1; j < n; j++)
            add_block(&a->hessian, &a->rows[node[i]], &a->rows[node[j]], 1.0, &h[block_of(n, i, j)]);
    }
}

void assembly_add_point(assembly *a, int32_t n, const int32_t *node, const double *w, const vec3 *g, const mat3 *h,
                        vec3 *gradient)
{
    for (int32_t i = 0; g && i < n; i++)
        add_gradient(&a->rows[node[i]], w[i], *g, gradient);
    for (int32_t i = 0; h && i < n; i++) {
        add_diagonal(&a->hessian, &a->rows[node[i]], w[i] * w[i], h);
        for (int32_t j = i + 1; j < n; j++)
            add_block(&a->hessian, &a->rows[node[i]], &a->rows[node[j]], w[i] * w[j], h);
    }
}

/* ---- running batches --------------------------------------------------------------------------------------------- */

typedef struct batch_run {
    assembly *a;
    void (*body)(void *run, const batch *b, double *energy);
    void *run;
    int32_t first; /* batch of the present colour */
} batch_run;

static void run_batch(void *context, int32_t i)
{
    batch_run *r = context;
    r->body(r->run, &r->a->batches[r->first + i], &r->a->energy[r->first + i]);
}

double assembly_run(assembly *a, bool by_colour, void (*body)(void *run, const batch *b, double *energy), void *run)
{
    batch_run r = {a, body, run, 0};
    if (!by_colour)
        pool_for(a->pool, a->n_batches, run_batch, &r);
    for (int c = 0; by_colour && c < a->n_colours; c++) {
        r.first = a->colour_start[c];
        int32_t n = a->colour_start[c + 1] - r.first;
        if (c < MAX_COLOURS - 1)
            pool_for(a->pool, n, run_batch, &r);
        else
            for (int32_t i = 0; i < n; i++)
                run_batch(&r, i);
    }
    double sum = 0;
    for (int32_t i = 0; i < a->n_batches; i++)
        sum += a->energy[i];
    return sum;
}

/* ---- evaluation -------------------------------------------------------------------------------------------------- */

typedef struct eval_run {
    assembly *a;
    vec3 *gradient; /* or NULL */
    bool with_hessian;
    double air_time; /* of assembly_motion; 0: no air */
} eval_run;

/* The local positions of an element, then its kernel. One switch, so that each force stays one file without a table of
 * function pointers in the hot loop. */
static double eval_element(const eval_run *r, force_kind kind, const void *item, const vec3 *x, vec3 *g, mat3 *h)
{
    const assembly *a = r->a;
    switch (kind) {
    case FORCE_SPRING: return spring_eval(x, &((const spring_element *)item)->par, true, g, h);
    case FORCE_MEMBRANE: return membrane_eval(x, &((const membrane_element *)item)->par, true, g, h);
    case FORCE_BEAM: return beam_eval(x, &((const beam_element *)item)->par, true, g, h);
    case FORCE_BEND: return bend_eval(x, &((const bend_element *)item)->par, true, g, h);
    case FORCE_HINGE: return hinge_eval(x, &((const hinge_element *)item)->par, true, g, h);
    case FORCE_SOFT: {
        const soft_element *s = item;
        vec3 d = v3_sub(x[0], s->target);
        if (g)
            g[0] = v3_scale(s->k, d);
        if (h)
            h[0] = m3_scaled_identity(s->k);
        return 0.5 * s->k * v3_len_sq(d);
    }
    case FORCE_FACE: {
        const face_element *f = item;
        vec3 v[3];
        for (int i = 0; i < 3; i++)
            v[i] = a->speed[f->node[i]];
        double e = r->air_time * air_eval(v, &f->air, g, h);
        for (int i = 0; h && i < BLOCKS(3); i++) /* ∂(time · D)/∂q = ∂D/∂v, and once more by q */
            h[i] = m3_scale(1.0 / r->air_time, h[i]);
        if (f->pressure != 0) {
            vec3 gp[3];
            e += pressure_eval(x, f->pressure, true, gp, NULL);
            for (int i = 0; g && i < 3; i++)
                g[i] = v3_add(g[i], gp[i]);
        }
        return e;
    }
    }
    return 0;
}

static void eval_batch(void *run, const batch *b, double *energy)
{
    eval_run *r = run;
    assembly *a = r->a;
    int n = force_n_nodes(b->kind);
    double sum = 0;
    for (int32_t i = b->begin; i < b->end; i++) {
        const int32_t *node = force_nodes(a->forces, b->kind, i);
        vec3 x[6], g[6];
        mat3 h[BLOCKS(6)];
        for (int j = 0; j < n; j++)
            x[j] = a->x[node[j]];
        sum += eval_element(r, b->kind, node, x, r->gradient ? g : NULL, r->with_hessian ? h : NULL);
        scatter(a, n, node, g, r->with_hessian ? h : NULL, r->gradient);
    }
    *energy = sum;
}

static void find_speeds(assembly *a, const vec3 *q, const assembly_motion *m)
{
    for (int32_t vi = 0; vi < a->n_nodes; vi++)
        a->speed[vi] = v3_scale(1.0 / m->time, v3_sub(expand_row(&a->rows[vi], q), expand_row(&a->rows[vi], m->base)));
}

double assembly_eval(assembly *a, const vec3 *q, const assembly_motion *motion, vec3 *gradient, bool with_hessian)
{
    eval_run r = {a, gradient, with_hessian, motion->time};
    assembly_expand(a, q, a->x);
    find_speeds(a, q, motion);
    return assembly_run(a, gradient || with_hessian, eval_batch, &r);
}

/* ---- damping and air --------------------------------------------------------------------------------------------- */

typedef struct prepare_run {
    assembly *a;
    const vec3 *x[2]; /* node positions; x[1] may be NULL */
    double weight[2], rate;
    air_par air;
} prepare_run;

static int strains(force_kind kind, const void *item, const vec3 *x, double s[3])
{
    switch (kind) {
    case FORCE_SPRING: s[0] = v3_len(v3_sub(x[1], x[0])); return 1;
    case FORCE_MEMBRANE: membrane_strain(x, &((const membrane_element *)item)->par, s); return 3;
    case FORCE_BEAM: s[0] = beam_angle(x); return 1;
    case FORCE_BEND: bend_angles(x, ((const bend_element *)item)->par.present, s); return 3;
    case FORCE_HINGE: s[0] = dihedral_angle(x); return 1;
    default: return 0;
    }
}

static void gather_nodes(const vec3 *x, const int32_t *node, int n, vec3 *out)
{
    for (int j = 0; j < n; j++)
        out[j] = x[node[j]];
}

static void past_strains(const prepare_run *r, force_kind kind, const void *item, double past[3])
{
    vec3 x[6];
    double s[3] = {0}, t[3] = {0};
    const int32_t *node = item;
    gather_nodes(r->x[0], node, force_n_nodes(kind), x);
    int n = strains(kind, item, x, s);
    if (r->x[1]) {
        gather_nodes(r->x[1], node, force_n_nodes(kind), x);
        strains(kind, item, x, t);
    }
    for (int i = 0; i < n; i++)
        past[i] = r->weight[0] * s[i] + r->weight[1] * t[i];
}

static void prepare_element(const prepare_run *r, force_kind kind, void *item)
{
    double past[3] = {0};
    switch (kind) {
    case FORCE_SPRING: {
        spring_element *e = item;
        past_strains(r, kind, item, past);
        e->par.drag = e->time * r->rate;
        e->par.past = past[0];
        break;
    }
    case FORCE_MEMBRANE: {
        membrane_element *e = item;
        past_strains(r, kind, item, e->par.past);
        e->par.drag = e->time * r->rate;
        break;
    }
    case FORCE_BEAM: {
        beam_element *e = item;
        past_strains(r, kind, item, past);
        e->par.drag = e->time * r->rate;
        e->par.past = max_of(0.0, past[0]); /* the angle has no sign */
        break;
    }
    case FORCE_BEND: {
        bend_element *e = item;
        past_strains(r, kind, item, e->par.past);
        e->par.drag = e->time * r->rate;
        break;
    }
    case FORCE_HINGE: {
        hinge_element *e = item;
        past_strains(r, kind, item, past);
        e->par.drag = e->time * r->rate;
        e->par.past = past[0];
        break;
    }
    case FORCE_FACE: {
        face_element *e = item;
        vec3 x[3];
        gather_nodes(r->x[0], e->node, 3, x);
        e->air = r->air;
        e->air.area = v3_scale(0.5, v3_cross(v3_sub(x[1], x[0]), v3_sub(x[2], x[0])));
        break;
    }
    case FORCE_SOFT: break;
    }
}

static void prepare_batch(void *run, const batch *b, double *energy)
{
    prepare_run *r = run;
    force_array *list = &r->a->forces->list[b->kind];
    for (int32_t i = b->begin; i < b->end; i++)
        prepare_element(r, b->kind, (char *)list->items + (size_t)i * force_size(b->kind));
    *energy = 0;
}

void assembly_prepare(assembly *a, const vec3 *q[2], const double weight[2], double rate, const air_par *air)
{
    prepare_run r = {a, {a->x, NULL}, {weight[0], weight[1]}, rate, *air};
    assembly_expand(a, q[0], a->x);
    if (q[1]) {
        assembly_expand(a, q[1], a->speed);
        r.x[1] = a->speed;
    }
    assembly_run(a, false, prepare_batch, &r);
}

/* ---- elastic energies -------------------------------------------------------------------------------------------- */

static double elastic_element(force_kind kind, const void *item, const vec3 *x)
{
    switch (kind) {
    case FORCE_SPRING: return spring_stored(v3_sub(x[1], x[0]), &((const spring_element *)item)->par);
    case FORCE_MEMBRANE: {
        membrane_par p = ((const membrane_element *)item)->par;
        p.drag = 0;
        return membrane_eval(x, &p, true, NULL, NULL);
    }
    case FORCE_BEAM: return beam_stored(v3_sub(x[1], x[0]), v3_sub(x[2], x[1]), &((const beam_element *)item)->par);
    case FORCE_BEND: {
        bend_par p = ((const bend_element *)item)->par;
        p.drag = 0;
        return bend_eval(x, &p, true, NULL, NULL);
    }
    case FORCE_HINGE: {
        hinge_par p = ((const hinge_element *)item)->par;
        p.drag = 0;
        return hinge_eval(x, &p, true, NULL, NULL);
    }
    default: return 0;
    }
}

static void elastic_batch(void *run, const batch *b, double *energy)
{
    const assembly *a = run;
    double sum = 0;
    for (int32_t i = b->begin; i < b->end; i++) {
        const int32_t *node = force_nodes(a->forces, b->kind, i);
        vec3 x[6];
        gather_nodes(a->x, node, force_n_nodes(b->kind), x);
        sum += elastic_element(b->kind, node, x);
    }
    *energy = sum;
}

void assembly_elastic(assembly *a, const vec3 *q, double out[FORCE_KINDS])
{
    assembly_expand(a, q, a->x);
    assembly_run(a, false, elastic_batch, a);
    memset(out, 0, FORCE_KINDS * sizeof *out);
    for (int32_t i = 0; i < a->n_batches; i++)
        out[a->batches[i].kind] += a->energy[i];
}

/* ---- sharing ----------------------------------------------------------------------------------------------------- */

#define SHARE_PIECE 512

static void angle_batch(void *run, const batch *b, double *energy)
{
    assembly *a = run;
    bend_element *bends = a->forces->list[FORCE_BEND].items;
    *energy = 0;
    for (int32_t i = b->begin; b->kind == FORCE_BEND && i < b->end; i++) {
        vec3 x[6];
        gather_nodes(a->x, bends[i].node, 6, x);
        bend_angles(x, bends[i].par.present, bends[i].theta);
    }
}

static void change_piece(void *context, int32_t piece)
{
    assembly *a = context;
    share_edge *shares = a->forces->shares.items;
    const bend_element *bends = a->forces->list[FORCE_BEND].items;
    int32_t begin = piece * SHARE_PIECE, end = begin + SHARE_PIECE;
    for (int32_t k = begin; k < end && k < a->forces->shares.n; k++) {
        share_edge *s = &shares[k];
        if (s->a < 0)
            continue;
        const bend_element *ba = &bends[s->a], *bb = &bends[s->b];
        s->change = BEND_SHARE * bend_imbalance(&ba->par, ba->theta, s->i, &bb->par, bb->theta, s->j);
    }
}

static void apply_share(bend_element *bends, const share_edge *s)
{
    if (s->a < 0)
        return;
    bends[s->a].par.rest[s->i] = bends[s->a].rest[s->i] + s->share;
    bends[s->b].par.rest[s->j] = bends[s->b].rest[s->j] - s->share;
}

void assembly_share(assembly *a, const vec3 *q)
{
    if (a->forces->shares.n == 0)
        return;
    assembly_expand(a, q, a->x);
    assembly_run(a, false, angle_batch, a);
    assembly_share_by_angles(a);
}

void assembly_share_by_angles(assembly *a)
{
    share_edge *shares = a->forces->shares.items;
    pool_for(a->pool, (a->forces->shares.n + SHARE_PIECE - 1) / SHARE_PIECE, change_piece, a);
    for (int32_t k = 0; k < a->forces->shares.n; k++) {
        shares[k].share += shares[k].change;
        apply_share(a->forces->list[FORCE_BEND].items, &shares[k]);
    }
}

void assembly_get_shares(const assembly *a, int32_t begin, int32_t n, double *out)
{
    const share_edge *shares = a->forces->shares.items;
    for (int32_t k = 0; k < n; k++)
        out[k] = shares[begin + k].share;
}

void assembly_set_shares(assembly *a, int32_t begin, int32_t n, const double *in)
{
    share_edge *shares = a->forces->shares.items;
    for (int32_t k = 0; k < n; k++) {
        shares[begin + k].share = in[k];
        apply_share(a->forces->list[FORCE_BEND].items, &shares[begin + k]);
    }
}
