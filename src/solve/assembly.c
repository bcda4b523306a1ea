/* SPDX-License-Identifier: MIT */
/* Evaluation: nodes are placed by T, each batch evaluates its elements four at a time and adds what they give to the
 * rows of their nodes. Elements whose nodes are all degrees of freedom know where their blocks go; those with a node
 * that follows others look for them. */
#include "solve/assembly.h"

#include <stdatomic.h>
#include <string.h>

#include "math/lanes.h"
#include "solve/assembly_inside.h"
#include "solve/block3.h"
#include "solve/params.h"

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

bool assembly_create(assembly *a, mem *m, arena *scratch, pool *p, forces *f, const node_row *rows, int32_t n_nodes,
                     int32_t n_dofs)
{
    *a = (assembly){.mem = m, .scratch = scratch, .pool = p, .forces = f, .rows = rows};
    a->n_nodes = n_nodes;
    a->n_dofs = n_dofs;
    a->four = force_kernel_best();
    return forces_trim(f) && MEM_MAKE(m, a->x, n_nodes) && assembly_plan(a) && make_pattern(a);
}

void assembly_destroy(assembly *a)
{
    if (!a->mem)
        return;
    assembly_forget_plan(a);
    MEM_FREE(a->mem, a->x, a->n_nodes);
    blockmat_destroy(&a->hessian, a->mem);
    *a = (assembly){0};
}

/* ---- T ----------------------------------------------------------------------------------------------------------- */

typedef struct expand_run {
    const assembly *a;
    const vec3 *q;
    vec3 *x;
    atomic_bool moved;
} expand_run;

static vec3 expand_row(const node_row *r, const vec3 *q)
{
    if (r->dof[1] < 0)
        return q[r->dof[0]];
    return v3_add(v3_scale(row_weight(r), q[r->dof[0]]), v3_scale(row_weight(r), q[r->dof[1]]));
}

static void expand_piece(void *context, int32_t i)
{
    expand_run *r = context;
    int32_t end = (i + 1) * ASSEMBLY_NODE_PIECE < r->a->n_nodes ? (i + 1) * ASSEMBLY_NODE_PIECE : r->a->n_nodes;
    bool moved = false;
    for (int32_t vi = i * ASSEMBLY_NODE_PIECE; vi < end; vi++) {
        vec3 x = expand_row(&r->a->rows[vi], r->q);
        if (memcmp(&x, &r->x[vi], sizeof x) == 0) /* in place, others may read it just now */
            continue;
        r->x[vi] = x;
        moved = true;
    }
    if (moved)
        atomic_store_explicit(&r->moved, true, memory_order_relaxed);
}

bool assembly_expand(const assembly *a, const vec3 *q, vec3 *x)
{
    expand_run r = {.a = a, .q = q, .x = x, .moved = false};
    pool_for(a->pool, (a->n_nodes + ASSEMBLY_NODE_PIECE - 1) / ASSEMBLY_NODE_PIECE, expand_piece, &r);
    return atomic_load_explicit(&r.moved, memory_order_relaxed);
}

static void add_gradient(const node_row *r, double w, vec3 g, vec3 *gradient)
{
    for (int d = 0; d < 2 && r->dof[d] >= 0; d++)
        gradient[r->dof[d]] = v3_madd(gradient[r->dof[d]], w * row_weight(r), g);
}

/* Block (i, j) of two nodes of an element, whose rows are r and t, and its mirror image. Nodes that share a degree of
 * freedom (sewn, or one the parent of the other) meet on the diagonal, where both images count. */
static void add_element_block(blockmat *m, const node_row *r, const node_row *t, double w, const mat3 *h)
{
    for (int c = 0; c < 2 && r->dof[c] >= 0; c++)
        for (int d = 0; d < 2 && t->dof[d] >= 0; d++) {
            double ww = w * row_weight(r) * row_weight(t);
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
            blockmat_add(m, r->dof[c], r->dof[d], w * row_weight(r) * row_weight(r), h);
}

static void scatter_element(assembly *a, int n, const int32_t *node, const vec3 *g, const mat3 *h, vec3 *gradient)
{
    for (int i = 0; gradient && i < n; i++)
        add_gradient(&a->rows[node[i]], 1.0, g[i], gradient);
    for (int i = 0; h && i < n; i++) {
        add_diagonal(&a->hessian, &a->rows[node[i]], 1.0, &h[block_of(n, i, i)]);
        for (int j = i + 1; j < n; j++)
            add_element_block(&a->hessian, &a->rows[node[i]], &a->rows[node[j]], 1.0, &h[block_of(n, i, j)]);
    }
}

/* ---- evaluation -------------------------------------------------------------------------------------------------- */

typedef struct eval_run {
    assembly *a;
    const vec3 *x;  /* of nodes */
    vec3 *gradient; /* or NULL */
    bool with_hessian;
    double air_time; /* of assembly_motion; 0: no air */
    int first, end;  /* kinds; other than all of them: for the energy alone */
} eval_run;

/* A symmetric block goes to a place and to its mirror image alike. */
static inline float *block_at(const eval_run *r, int32_t place)
{
    return r->a->hessian.val + 9 * (int64_t)(place < 0 ? ~place : place);
}

static void add_gradients(const eval_run *r, int n, const int32_t *node, const vec3 *g)
{
    for (int i = 0; r->gradient && i < n; i++)
        r->gradient[node[i]] = v3_add(r->gradient[node[i]], g[i]);
}

/* The gradient and Hessian of a plain element that does not feel a motion of all its nodes: sums of its rows are zero
 * (blockmat.h). */
static void scatter_plain(const eval_run *r, int n, const int32_t *node, const vec3 *g, const mat3 *h,
                          const int32_t *place)
{
    add_gradients(r, n, node, g);
    for (int i = 0; r->with_hessian && i < n; i++, h += n - i + 1)
        for (int j = 1; j < n - i; j++, place++)
            block3_add(block_at(r, *place), *place < 0 ? block3_transpose(block3_of(h[j].m)) : block3_of(h[j].m));
}

/* The same, plain or not. */
static void scatter_any(const eval_run *r, int n, const int32_t *node, const vec3 *g, const mat3 *h,
                        const int32_t *place)
{
    if (n == 1 || *place == PLACE_NONE)
        scatter_element(r->a, n, node, g, r->with_hessian ? h : NULL, r->gradient);
    else
        scatter_plain(r, n, node, g, h, place);
}

static void scatter_three(const eval_run *r, const int32_t *node, const vec3 *g, const three_blocks *t,
                          const int32_t *place)
{
    if (*place == PLACE_NONE) {
        mat3 h[BLOCKS(3)];
        if (r->with_hessian)
            three_all_blocks(t, h);
        scatter_element(r->a, 3, node, g, r->with_hessian ? h : NULL, r->gradient);
        return;
    }
    add_gradients(r, 3, node, g);
    if (r->with_hessian)
        r->a->four->add_three(t, place, r->a->hessian.val);
}

/* What a run asks of the kernels. */
static force_part kernel_part(const eval_run *r)
{
    return !r->gradient ? FORCE_PART_ENERGY : r->with_hessian ? FORCE_PART_HESSIAN : FORCE_PART_GRADIENT;
}

/* Springs have one block, with two signs. */
static void scatter_spring(const eval_run *r, const spring_element *e, vec3 g, const mat3 *b)
{
    const int32_t *node = e->node;
    if (e->place == PLACE_NONE) {
        vec3 both[2] = {v3_neg(g), g};
        mat3 h[BLOCKS(2)] = {*b, m3_scale(-1.0, *b), *b};
        scatter_element(r->a, 2, node, both, r->with_hessian ? h : NULL, r->gradient);
        return;
    }
    r->gradient[node[0]] = v3_sub(r->gradient[node[0]], g);
    r->gradient[node[1]] = v3_add(r->gradient[node[1]], g);
    if (r->with_hessian) {
        block3 v = block3_of(b->m);
        block3_add(block_at(r, e->place), (block3){-v.first, -v.second, -v.last});
    }
}

static double eval_springs(const eval_run *r, const int32_t *items, int32_t n)
{
    const spring_element *all = r->a->forces->list[FORCE_SPRING].items;
    double sum = 0;
    for (int32_t i = 0; i < n; i += 4) {
        int32_t at[4];
        spring_simd4 out;
        int m = pack_of(items + i, n - i, at);
        const spring_element *const e[4] = {&all[at[0]], &all[at[1]], &all[at[2]], &all[at[3]]};
        r->a->four->springs(r->x, e, forces_commons(r->a->forces), kernel_part(r), &out);
        for (int k = 0; k < m; k++) {
            sum += out.energy[k];
            if (r->gradient)
                scatter_spring(r, e[k], out.g[k], &out.b[k]);
        }
    }
    return sum;
}

/* Returns the energy. */
static double eval_pressure(const eval_run *r, const face_element *f, double pressure)
{
    vec3 x[3], g[3];
    gather_nodes(r->x, f->node, 3, x);
    double e = pressure_eval(x, pressure, true, g, NULL);
    for (int k = 0; r->gradient && k < 3; k++)
        add_gradient(&r->a->rows[f->node[k]], 1.0, g[k], r->gradient);
    return e;
}

/* Faces have one block for all pairs of their nodes. It is put on the diagonal, three times, which is no less for any
 * motion and the same where the nodes move alike: air is a small part of what holds nodes of a face together, and its
 * blocks between them are left out. */
static void scatter_face(const eval_run *r, const int32_t *node, vec3 g, const mat3 *b, double times)
{
    const node_row *rows = r->a->rows;
    if (rows[node[0]].dof[1] < 0 && rows[node[1]].dof[1] < 0 && rows[node[2]].dof[1] < 0) {
        const int32_t row[3] = {rows[node[0]].dof[0], rows[node[1]].dof[0], rows[node[2]].dof[0]};
        r->a->four->add_air(g, b, times, row, r->gradient, r->with_hessian ? r->a->hessian.diagonal : NULL);
        return;
    }
    for (int k = 0; k < 3; k++) {
        add_gradient(&rows[node[k]], 1.0, g, r->gradient);
        if (r->with_hessian)
            add_diagonal(&r->a->hessian, &rows[node[k]], times, b);
    }
}

/* Air's energy is time · D: its derivative by q is ∂D/∂v, and once more by q 1/time of the second. */
static double eval_faces(const eval_run *r, const int32_t *items, int32_t n)
{
    const face_element *all = r->a->forces->list[FORCE_FACE].items;
    double sum = 0, times = 3.0 / r->air_time;
    for (int32_t i = 0; i < n; i += 4) {
        int32_t at[4];
        air_simd4 out;
        int m = pack_of(items + i, n - i, at);
        const face_element *const f[4] = {&all[at[0]], &all[at[1]], &all[at[2]], &all[at[3]]};
        r->a->four->air(r->a->start, r->a->speed, f, &r->a->air, kernel_part(r), &out);
        for (int k = 0; k < m; k++) {
            double pressure = forces_pressure(r->a->forces, f[k]);
            sum += r->air_time * out.energy[k];
            if (r->gradient)
                scatter_face(r, f[k]->node, out.g[k], &out.b[k], times);
            if (pressure != 0)
                sum += eval_pressure(r, f[k], pressure);
        }
    }
    return sum;
}

static double eval_membranes(const eval_run *r, const int32_t *items, int32_t n, const int32_t *place)
{
    const membrane_element *all = r->a->forces->list[FORCE_MEMBRANE].items;
    double sum = 0;
    for (int32_t i = 0; i < n; i += 4) {
        int32_t at[4];
        membrane_simd4 out;
        int m = pack_of(items + i, n - i, at);
        const membrane_element *const e[4] = {&all[at[0]], &all[at[1]], &all[at[2]], &all[at[3]]};
        r->a->four->membranes(r->x, e, kernel_part(r), &out);
        for (int k = 0; k < m; k++, place += ELEMENT_PAIRS(3)) {
            sum += out.energy[k];
            if (r->gradient)
                scatter_three(r, e[k]->node, out.g[k], &out.h[k], place);
        }
    }
    return sum;
}

static double eval_beams(const eval_run *r, const int32_t *items, int32_t n, const int32_t *place)
{
    const beam_element *all = r->a->forces->list[FORCE_BEAM].items;
    double sum = 0;
    for (int32_t i = 0; i < n; i += 4) {
        int32_t at[4];
        beam_simd4 out;
        int m = pack_of(items + i, n - i, at);
        const beam_element *const e[4] = {&all[at[0]], &all[at[1]], &all[at[2]], &all[at[3]]};
        r->a->four->beams(r->x, e, forces_commons(r->a->forces), kernel_part(r), &out);
        for (int k = 0; k < m; k++, place += ELEMENT_PAIRS(3)) {
            sum += out.energy[k];
            if (r->gradient)
                scatter_three(r, e[k]->node, out.g[k], &out.h[k], place);
        }
    }
    return sum;
}

static double eval_soft(const soft_element *s, const vec3 *x, vec3 *g, mat3 *h)
{
    vec3 d = v3_sub(x[0], s->target);
    if (g)
        g[0] = v3_scale(s->k, d);
    if (h)
        h[0] = m3_scaled_identity(s->k);
    return 0.5 * s->k * v3_len_sq(d);
}

/* One switch, so that each force stays one file without a table of function pointers in the hot loop. */
static inline double eval_element(force_kind kind, const void *item, const vec3 *x, vec3 *g, mat3 *h)
{
    switch (kind) {
    case FORCE_HINGE: return hinge_eval(x, &((const hinge_element *)item)->par, true, g, h);
    case FORCE_SOFT: return eval_soft(item, x, g, h);
    case FORCE_CLAMP: return clamp_eval(x, &((const clamp_element *)item)->par, true, g, h);
    default: return 0;
    }
}

static double eval_others(const eval_run *r, force_kind kind, const int32_t *items, int32_t n_items,
                          const int32_t *place)
{
    assembly *a = r->a;
    int n = force_n_nodes(kind);
    double sum = 0;
    for (int32_t i = 0; i < n_items; i++, place += ELEMENT_PAIRS(n)) {
        const int32_t *node = force_nodes(a->forces, kind, items[i]);
        vec3 x[6], g[6];
        mat3 h[BLOCKS(6)];
        gather_nodes(r->x, node, n, x);
        sum += eval_element(kind, node, x, r->gradient ? g : NULL, r->with_hessian ? h : NULL);
        if (r->gradient)
            scatter_any(r, n, node, g, h, place);
    }
    return sum;
}

static void scatter_bend(const eval_run *r, const int32_t *node, const vec3 *g, const bend_factors *f,
                         const int32_t *place)
{
    if (*place == PLACE_NONE) {
        mat3 h[BLOCKS(6)];
        if (r->with_hessian)
            bend_all_blocks(f, h);
        scatter_element(r->a, 6, node, g, r->with_hessian ? h : NULL, r->gradient);
        return;
    }
    add_gradients(r, 6, node, g);
    if (r->with_hessian)
        r->a->four->add_bend(f, place, r->a->hessian.val);
}

/* Elements are long, and there are more of them than fit near the processor. */
static void fetch_bends(const bend_element *all, const int32_t *items, int32_t n)
{
    for (int32_t k = 0; k < n && k < 4; k++)
        for (size_t at = 0; at < sizeof *all; at += 64)
            lane_fetch((const char *)&all[items[k]] + at);
}

/* Their angles are kept: sharing them, and the Hessian where a line search has ended, need the same again. */
static double eval_bends(const eval_run *r, const int32_t *items, int32_t n, const int32_t *place)
{
    bend_element *all = r->a->forces->list[FORCE_BEND].items;
    double sum = 0;
    for (int32_t i = 0; i < n; i += 4) {
        int32_t at[4];
        bend_simd4 out;
        int m = pack_of(items + i, n - i, at);
        const bend_element *const e[4] = {&all[at[0]], &all[at[1]], &all[at[2]], &all[at[3]]};
        fetch_bends(all, items + i + 8, n - i - 8);
        r->a->four->bends(r->x, e, r->a->has_angles, kernel_part(r), &out);
        for (int k = 0; k < m; k++, place += ELEMENT_PAIRS(6)) {
            sum += out.energy[k];
            memcpy(all[at[k]].theta, out.theta[k], sizeof out.theta[k]);
            if (r->gradient)
                scatter_bend(r, e[k]->node, out.g[k], &out.h[k], place);
        }
    }
    return sum;
}

static void eval_batch(void *run, const batch *b, double energy[FORCE_KINDS])
{
    const eval_run *r = run;
    const int32_t *place = r->a->places + b->place;
    for (int k = r->first; k < r->end; k++) {
        const int32_t *items = r->a->items + b->begin[k];
        int32_t n = b->begin[k + 1] - b->begin[k];
        switch ((force_kind)k) {
        case FORCE_SPRING: energy[k] = eval_springs(r, items, n); break;
        case FORCE_MEMBRANE: energy[k] = eval_membranes(r, items, n, place); break;
        case FORCE_FACE: energy[k] = eval_faces(r, items, n); break;
        case FORCE_BEAM: energy[k] = eval_beams(r, items, n, place); break;
        case FORCE_BEND: energy[k] = eval_bends(r, items, n, place); break;
        default: energy[k] = eval_others(r, (force_kind)k, items, n, place); break;
        }
        place += (ptrdiff_t)n * places_of((force_kind)k);
    }
}

typedef struct move_run {
    assembly *a;
    const vec3 *q;
    const assembly_motion *motion; /* NULL: positions only */
    atomic_bool moved;
} move_run;

static vec3 base_of_row(const node_row *r, const assembly_motion *m)
{
    if (r->dof[1] < 0)
        return motion_base(m, r->dof[0]);
    return v3_add(v3_scale(row_weight(r), motion_base(m, r->dof[0])),
                  v3_scale(row_weight(r), motion_base(m, r->dof[1])));
}

/* Positions and velocities of nodes. */
static void move_piece(void *context, int32_t i)
{
    move_run *r = context;
    assembly *a = r->a;
    int32_t end = (i + 1) * ASSEMBLY_NODE_PIECE < a->n_nodes ? (i + 1) * ASSEMBLY_NODE_PIECE : a->n_nodes;
    double over_time = r->motion ? 1.0 / r->motion->time : 0;
    bool moved = false;
    for (int32_t vi = i * ASSEMBLY_NODE_PIECE; vi < end; vi++) {
        vec3 x = expand_row(&a->rows[vi], r->q);
        moved = moved || memcmp(&x, &a->x[vi], sizeof x) != 0;
        a->x[vi] = x;
        if (r->motion)
            a->speed[vi] = v3_scale(over_time, v3_sub(x, base_of_row(&a->rows[vi], r->motion)));
    }
    if (moved)
        atomic_store_explicit(&r->moved, true, memory_order_relaxed);
}

static bool move_nodes(assembly *a, const vec3 *q, const assembly_motion *motion)
{
    move_run r = {.a = a, .q = q, .motion = motion, .moved = false};
    pool_for(a->pool, (a->n_nodes + ASSEMBLY_NODE_PIECE - 1) / ASSEMBLY_NODE_PIECE, move_piece, &r);
    return atomic_load_explicit(&r.moved, memory_order_relaxed);
}

bool assembly_move(assembly *a, const vec3 *q)
{
    return move_nodes(a, q, NULL);
}

bool assembly_take_speed(assembly *a, arena_mark *before)
{
    *before = arena_mark_of(a->scratch);
    return ARENA_TAKE(a->scratch, a->speed, a->n_nodes);
}

void assembly_release_speed(assembly *a, arena_mark before)
{
    arena_release(a->scratch, before);
    a->speed = NULL;
}

double assembly_eval(assembly *a, const vec3 *q, const assembly_motion *motion, vec3 *gradient, bool with_hessian)
{
    eval_run r = {a, a->x, gradient, with_hessian, motion->time, 0, FORCE_KINDS};
    arena_mark before;
    if (!assembly_take_speed(a, &before))
        return (double)NAN;
    if (gradient && a->placed != a->hessian.revision)
        assembly_place(a);
    if (move_nodes(a, q, motion))
        a->has_angles = false;
    double e = assembly_run(a, gradient != NULL, eval_batch, &r);
    a->has_angles = true;
    assembly_release_speed(a, before);
    return e;
}

/* Springs and membranes come first of all kinds. Only pressure has energies below zero. */
enum { STRETCH_END = FORCE_MEMBRANE + 1 };

static bool has_pressure(const assembly *a)
{
    const double *pressure = a->forces->pressures.items;
    bool any = false;
    for (int32_t i = 0; i < a->forces->pressures.n; i++)
        any = any || pressure[i] != 0;
    return any;
}

static double energy_below(assembly *a, const vec3 *q, const assembly_motion *motion, double most)
{
    eval_run r = {a, a->x, NULL, false, motion->time, 0, STRETCH_END};
    if (move_nodes(a, q, motion))
        a->has_angles = false;
    if (assembly_run(a, false, eval_batch, &r) > most && !has_pressure(a))
        return HUGE_VAL;
    r.first = STRETCH_END;
    r.end = FORCE_KINDS;
    double e = assembly_run_on(a, eval_batch, &r);
    a->has_angles = true;
    return e;
}

double assembly_energy(assembly *a, const vec3 *q, const assembly_motion *motion, double most)
{
    arena_mark before;
    if (!assembly_take_speed(a, &before))
        return (double)NAN;
    double e = energy_below(a, q, motion, most);
    assembly_release_speed(a, before);
    return e;
}

/* Nodes are placed apart: the elements' angles stay those at a->x. */
double assembly_least(assembly *a, const vec3 *q)
{
    eval_run r = {.a = a, .end = STRETCH_END};
    arena_mark before = arena_mark_of(a->scratch);
    vec3 *x;
    if (has_pressure(a))
        return -HUGE_VAL;
    if (!ARENA_TAKE(a->scratch, x, a->n_nodes))
        return (double)NAN;
    assembly_expand(a, q, x);
    r.x = x;
    double e = assembly_run(a, false, eval_batch, &r);
    arena_release(a->scratch, before);
    return e;
}
