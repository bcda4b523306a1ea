/* SPDX-License-Identifier: MIT */
/* ctest: labels=threads,determinism */
/* The multilevel preconditioner on a wavy sheet of springs: symmetric, positive, true to filters, the same for any
 * number of threads, and worth its work. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "solve/cg.h"
#include "solve/multigrid_inside.h"

typedef struct sheet {
    mem mem;
    arena scratch;
    pool *pool;
    int32_t side, n; /* n = side², and one row more that is coupled to nothing */
    double taut;     /* how many times as stiff springs are in the middle of the sheet */
    blockmat a;
    filter *f;
    vec3 *x;
} sheet;

static double noise(uint32_t *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return (double)(*seed >> 8) / (1 << 24) - 0.5;
}

/* Triangles of the sheet, two a square. */
static void next_triangle(const void *context, int32_t i, clique *c)
{
    int32_t side = *(const int32_t *)context, square = i / 2;
    int32_t at = square / (side - 1) * side + square % (side - 1);
    c->n = 3;
    c->row[0] = at;
    c->row[1] = at + side + 1;
    c->row[2] = i % 2 ? at + 1 : at + side;
}

static vec3 place(const sheet *s, int32_t i)
{
    double x = (double)(i % s->side), y = (double)(i / s->side), u = x / 10 - 1, v = y / 10 - 1;
    return v3(x, y, 3 * u * v * v - 2 * u * u);
}

static bool is_in_the_middle(const sheet *s, int32_t i)
{
    return abs(i % s->side - s->side / 2) < 3 && abs(i / s->side - s->side / 2) < 3;
}

/* Along the edge as stiff as a thread, a thousand times softer across. */
static void add_spring(sheet *s, int32_t i, int32_t j)
{
    vec3 d = v3_sub(place(s, j), place(s, i)), e = v3_unit_or(d, v3(1, 0, 0));
    double along = is_in_the_middle(s, i) && is_in_the_middle(s, j) ? 500 * s->taut : 500;
    mat3 k = m3_madd(m3_scaled_identity(0.5), along, m3_outer(e, e));
    blockmat_add(&s->a, i, i, 1, &k);
    blockmat_add(&s->a, j, j, 1, &k);
    blockmat_add(&s->a, i, j, -1, &k);
}

static void fill(sheet *s)
{
    int32_t side = s->side;
    for (int32_t i = 0; i < side * side; i++) {
        mat3 mass = m3_scaled_identity(0.05);
        blockmat_add(&s->a, i, i, 1, &mass);
        if (i % side + 1 < side)
            add_spring(s, i, i + 1);
        if (i + side < side * side)
            add_spring(s, i, i + side);
        if (i % side + 1 < side && i + side < side * side)
            add_spring(s, i, i + side + 1);
    }
    blockmat_finish(&s->a, s->pool);
}

/* Two corners held, a line of nodes on a rod, and the last row empty. */
static void set_up_taut(sheet *s, int32_t side, int32_t n_threads, double taut)
{
    *s = (sheet){.side = side, .n = side * side + 1, .taut = taut};
    mem_init(&s->mem, NULL, NULL);
    s->pool = pool_create(&s->mem, n_threads, NULL, NULL);
    assert_non_null(s->pool);
    arena_init(&s->scratch, &s->mem);
    assert_true(blockmat_create(&s->a, &s->mem, s->n, 2 * (side - 1) * (side - 1), next_triangle, &s->side));
    assert_true(blockmat_take(&s->a, &s->scratch));
    blockmat_clear(&s->a, s->pool);
    fill(s);
    s->f = mem_array(&s->mem, s->n, sizeof *s->f);
    s->f[0].kind = s->f[side - 1].kind = s->f[s->n - 1].kind = FREEDOM_NONE;
    static const vec3 axis = {0.6, 0, 0.8};
    for (int32_t i = 0; i < side; i++)
        s->f[side * (side / 2) + i] = (filter){FREEDOM_LINE, &axis};
    s->x = mem_array(&s->mem, s->n, sizeof *s->x);
    assert_non_null(s->x);
    for (int32_t i = 0; i < s->n; i++)
        s->x[i] = place(s, i);
}

static void set_up(sheet *s, int32_t side, int32_t n_threads)
{
    set_up_taut(s, side, n_threads, 1);
}

static void tear_down(sheet *s)
{
    MEM_FREE(&s->mem, s->f, s->n);
    MEM_FREE(&s->mem, s->x, s->n);
    blockmat_destroy(&s->a, &s->mem);
    arena_destroy(&s->scratch);
    pool_destroy(s->pool);
    assert_int_equal(s->mem.in_use, 0);
}

static vec3 *make_vector(sheet *s, uint32_t seed)
{
    vec3 *v = mem_array(&s->mem, s->n, sizeof *v);
    assert_non_null(v);
    for (int32_t i = 0; seed && i < s->n; i++)
        v[i] = filter_apply(&s->f[i], v3(noise(&seed), noise(&seed), noise(&seed)));
    return v;
}

static double dot(const sheet *s, const vec3 *a, const vec3 *b)
{
    double sum = 0;
    for (int32_t i = 0; i < s->n; i++)
        sum += v3_dot(a[i], b[i]);
    return sum;
}

static void cycle_is_symmetric_and_positive(void **state)
{
    (void)state;
    sheet s;
    multigrid g;
    set_up(&s, 30, 1);
    assert_true(multigrid_create(&g, &s.mem, &s.a, s.x) && multigrid_take(&g, &s.scratch));
    multigrid_build(&g, s.pool, &s.a, s.f, s.x);
    vec3 *mx = make_vector(&s, 0), *my = make_vector(&s, 0);
    for (uint32_t k = 1; k <= 20; k++) {
        vec3 *x = make_vector(&s, k), *y = make_vector(&s, 100 + k);
        multigrid_apply(&g, s.pool, s.f, 1, x, mx);
        multigrid_apply(&g, s.pool, s.f, 1, y, my);
        double xmx = dot(&s, x, mx), ymy = dot(&s, y, my);
        assert_true(xmx > 0 && ymy > 0);
        /* Residuals have a rounding error δ ≤ ε |A| |x|, ε = 6e-8: terms cancel where x is smooth, so that is up to
         * ε λ_most |x|, and |x| ≤ |x|_A/√λ_least. |y·Mδ| ≤ |y|_M |δ|/√λ_least: together ε κ. λ_least is the mass, 0.05,
         * λ_most < 12 · 500. In double precision the same code is symmetric to 1e-13. */
        assert_true(fabs(dot(&s, x, my) - dot(&s, y, mx)) < 6e-8 * (12 * 500 / 0.05) * sqrt(xmx * ymy));
        MEM_FREE(&s.mem, x, s.n);
        MEM_FREE(&s.mem, y, s.n);
    }
    MEM_FREE(&s.mem, mx, s.n);
    MEM_FREE(&s.mem, my, s.n);
    multigrid_destroy(&g, &s.mem);
    tear_down(&s);
}

static void held_directions_stay_zero(void **state)
{
    (void)state;
    sheet s;
    multigrid g;
    set_up(&s, 30, 1);
    assert_true(multigrid_create(&g, &s.mem, &s.a, s.x) && multigrid_take(&g, &s.scratch));
    multigrid_build(&g, s.pool, &s.a, s.f, s.x);
    vec3 *r = make_vector(&s, 5), *z = make_vector(&s, 0);
    multigrid_apply(&g, s.pool, s.f, 1, r, z);
    for (int32_t i = 0; i < s.n; i++) {
        vec3 off = v3_sub(z[i], filter_apply(&s.f[i], z[i]));
        assert_true(v3_is_finite(z[i]));
        assert_true(v3_len(off) <= (s.f[i].kind == FREEDOM_LINE ? 1e-6 * v3_len(z[i]) : 0));
    }
    MEM_FREE(&s.mem, r, s.n);
    MEM_FREE(&s.mem, z, s.n);
    multigrid_destroy(&g, &s.mem);
    tear_down(&s);
}

static void plain_code_has_the_same_bits(void **state)
{
    (void)state;
    sheet s;
    multigrid g;
    set_up(&s, 40, 1);
    assert_true(multigrid_create(&g, &s.mem, &s.a, s.x) && multigrid_take(&g, &s.scratch));
    multigrid_build(&g, s.pool, &s.a, s.f, s.x);
    vec3 *r = make_vector(&s, 7), *z = make_vector(&s, 0), *plain = make_vector(&s, 0);
    multigrid_apply(&g, s.pool, s.f, 1, r, z);
    g.finest = &sweeps_finest_plain;
    g.coarse = &sweeps_coarse_plain;
    g.make = &builds_plain;
    for (int32_t k = 0; k < g.n_levels; k++)
        memset(g.levels[k].inverse, 0, (size_t)g.levels[k].n * sizeof *g.levels[k].inverse);
    multigrid_build(&g, s.pool, &s.a, s.f, s.x);
    multigrid_apply(&g, s.pool, s.f, 1, r, plain);
    assert_memory_equal(z, plain, (size_t)s.n * sizeof *z);
    blockmat_multiply_rows(&s.a, r, z, 0, s.n);
    s.a.kernel = &blockmat_plain;
    blockmat_multiply_rows(&s.a, r, plain, 0, s.n);
    assert_memory_equal(z, plain, (size_t)s.n * sizeof *z);
    MEM_FREE(&s.mem, r, s.n);
    MEM_FREE(&s.mem, z, s.n);
    MEM_FREE(&s.mem, plain, s.n);
    multigrid_destroy(&g, &s.mem);
    tear_down(&s);
}

/* The error of d in the energy norm, relative to the solution. */
static double true_error(sheet *s, const vec3 *d, const vec3 *exact)
{
    vec3 *e = make_vector(s, 0), *ae = make_vector(s, 0);
    for (int32_t i = 0; i < s->n; i++)
        e[i] = v3_sub(d[i], exact[i]);
    blockmat_multiply_rows(&s->a, e, ae, 0, s->n);
    double error = dot(s, e, ae);
    blockmat_multiply_rows(&s->a, exact, ae, 0, s->n);
    error = sqrt(error / dot(s, exact, ae));
    MEM_FREE(&s->mem, e, s->n);
    MEM_FREE(&s->mem, ae, s->n);
    return error;
}

typedef struct outcome {
    int32_t jacobi, multigrid;
    double error, estimate, shift;
} outcome;

/* g: or NULL. */
static cg_result solve_load(sheet *s, multigrid *g, double tolerance, vec3 *d)
{
    cg_problem p = {.a = &s->a,
                    .filters = s->f,
                    .pool = s->pool,
                    .multigrid = g,
                    .position = s->x,
                    .tolerance = tolerance,
                    .limit = 20000};
    vec3 *b = make_vector(s, 0);
    for (int32_t i = 0; i < s->n; i++)
        b[i] = v3(0.3, -1, 0.2);
    cg_result r = cg_solve(&p, &s->scratch, b, d);
    assert_false(r.lacking);
    MEM_FREE(&s->mem, b, s->n);
    return r;
}

/* Solves for a load in one direction everywhere, which is the hardest. */
static outcome compare_taut(int32_t side, double tolerance, double taut)
{
    sheet s;
    multigrid g;
    outcome o;
    set_up_taut(&s, side, 1, taut);
    assert_true(multigrid_create(&g, &s.mem, &s.a, s.x));
    vec3 *d = make_vector(&s, 0), *exact = make_vector(&s, 0);
    assert_true(solve_load(&s, NULL, 1e-11, exact).error <= 1e-11);
    o.jacobi = solve_load(&s, NULL, tolerance, d).iterations;
    cg_result r = solve_load(&s, &g, tolerance, d);
    o.multigrid = r.iterations;
    o.error = true_error(&s, d, exact);
    o.estimate = r.error;
    o.shift = g.shift;
    MEM_FREE(&s.mem, d, s.n);
    MEM_FREE(&s.mem, exact, s.n);
    multigrid_destroy(&g, &s.mem);
    tear_down(&s);
    return o;
}

static outcome compare(int32_t side, double tolerance)
{
    return compare_taut(side, tolerance, 1);
}

static void iterations_are_few_and_hardly_grow(void **state)
{
    (void)state;
    outcome small = compare(24, 1e-3), large = compare(72, 1e-3);
    print_message("24²: %d for %d by blocks; 72²: %d for %d\n", small.multigrid, small.jacobi, large.multigrid,
                  large.jacobi);
    assert_true(small.multigrid <= 20 && large.multigrid <= 25);
    assert_true(3 * small.multigrid < small.jacobi && 8 * large.multigrid < large.jacobi);
}

/* 5e5 N/m, of which rounding is 0.03, beside a mass of 0.05: the cycle is not positive any more. Blocks alone, which
 * took over before, need 15 times the iterations. */
static void rounding_makes_levels_firmer_before_blocks_take_over(void **state)
{
    (void)state;
    outcome o = compare_taut(40, 1e-3, 1000);
    print_message("%d for %d by blocks, error %.2g, firm by %g\n", o.multigrid, o.jacobi, o.error, o.shift);
    assert_true(o.shift > 0 && o.shift < 1e-2);
    assert_true(8 * o.multigrid < o.jacobi && o.error < 2e-3);
}

static void estimate_is_near_the_true_error(void **state)
{
    (void)state;
    static const double tolerance[] = {0.1, 1e-2, 1e-3, 1e-5};
    for (size_t i = 0; i < sizeof tolerance / sizeof *tolerance; i++) {
        outcome o = compare(40, tolerance[i]);
        print_message("tolerance %g: %d iterations, error %.2g, estimate %.2g\n", tolerance[i], o.multigrid, o.error,
                      o.estimate);
        assert_true(o.estimate <= tolerance[i]);
        assert_true(o.error < 2 * tolerance[i] && o.error > 0.02 * tolerance[i]);
    }
}

static void threads_do_not_change_a_bit(void **state)
{
    (void)state;
    vec3 *first = NULL;
    const int32_t side = 48, n = side * side + 1; /* several chunks of both colours */
    for (int32_t t = 1; t <= 4; t++) {
        sheet s;
        multigrid g;
        set_up(&s, side, t);
        assert_true(multigrid_create(&g, &s.mem, &s.a, s.x));
        assert_true(g.levels[0].chunks.n_chunks > 4 && g.levels[0].chunks.n_colours > 1);
        cg_problem p = {.a = &s.a,
                        .filters = s.f,
                        .pool = s.pool,
                        .multigrid = &g,
                        .position = s.x,
                        .tolerance = 1e-6,
                        .limit = 1000};
        vec3 *b = make_vector(&s, 3), *d = make_vector(&s, 0);
        arena room;
        arena_init(&room, &s.mem);
        assert_true(arena_reserve(&room, cg_bytes(s.n, &g)));
        int64_t n_calls = s.mem.n_calls;
        assert_false(cg_solve(&p, &room, b, d).lacking);
        assert_int_equal(s.mem.n_calls, n_calls); /* and nothing is allocated beyond what was said */
        assert_true(room.in_use == 0 && room.most == cg_bytes(s.n, &g));
        arena_destroy(&room);
        if (t == 1) {
            first = malloc((size_t)n * sizeof *first);
            assert_non_null(first);
            memcpy(first, d, (size_t)n * sizeof *first);
        }
        assert_memory_equal(d, first, (size_t)n * sizeof *first);
        MEM_FREE(&s.mem, b, s.n);
        MEM_FREE(&s.mem, d, s.n);
        multigrid_destroy(&g, &s.mem);
        tear_down(&s);
    }
    free(first);
}

static void check_half(const multigrid_level *l, int32_t i, int32_t begin, int32_t end)
{
    const chunking *c = &l->chunks;
    for (int32_t k = begin; k < end; k++) {
        int32_t a = i >> c->bits, b = l->col[k] >> c->bits;
        assert_true(a == b || c->colour[a] != c->colour[b]);
        assert_true(l->col[k] != i && (k == begin || l->col[k] > l->col[k - 1]));
        assert_true(!l->mirror || l->col[level_place(l, l->col[k], i, l->mirror[k])] == i);
    }
}

enum { SPOKES = 3000 };

/* A wheel: all rows are coupled to the first. */
static void next_spoke(const void *context, int32_t i, clique *c)
{
    (void)context;
    *c = (clique){3, {0, i + 1, (i + 1) % SPOKES + 1}};
}

/* Of rows with so many blocks that small numbers cannot name them, mirror images and the blocks that finer ones are
 * summed to: the coarse matrix has the sums of all rows and columns of the finest one, by translations. */
static void check_sums(const multigrid *g, const blockmat *a)
{
    const multigrid_level *l = &g->levels[1];
    double sum[2] = {0}, each = 0;
    for (int64_t k = 0; k < a->n_blocks; k++)
        sum[0] += (double)a->val[9 * k];
    for (int32_t i = 0; i < a->n; i++)
        each += a->diagonal[i].m[0];
    for (int64_t k = 0; k < l->n_blocks; k++)
        sum[1] += (double)l->val[36 * k];
    /* Within aggregates: Σ of blocks that are not between two. */
    for (int32_t i = 0; i < a->n; i++)
        for (int half = 0; half < 2; half++) {
            const int32_t *start = half ? a->after : a->before;
            for (int32_t k = start[i]; k < start[i + 1]; k++)
                if (g->levels->to_coarse.parent[i] == g->levels->to_coarse.parent[a->col[k]])
                    sum[0] -= (double)a->val[9 * (int64_t)k];
        }
    assert_true(each > 0 && fabs(sum[0] - sum[1]) < 1e-5 * each); /* 2⁻²⁴ for each of a few sums a block */
}

static void rows_of_many_blocks_are_linked(void **state)
{
    (void)state;
    mem m;
    blockmat a;
    multigrid g;
    mem_init(&m, NULL, NULL);
    pool *p = pool_create(&m, 1, NULL, NULL);
    filter *f = mem_array(&m, SPOKES + 1, sizeof *f);
    vec3 *x = mem_array(&m, SPOKES + 1, sizeof *x);
    arena scratch;
    arena_init(&scratch, &m);
    assert_true(p && f && x && blockmat_create(&a, &m, SPOKES + 1, SPOKES, next_spoke, NULL));
    assert_true(blockmat_take(&a, &scratch));
    blockmat_clear(&a, p);
    for (int32_t i = 1; i <= SPOKES; i++) {
        double at = 6.283185307179586 * i / SPOKES;
        mat3 k = m3_scaled_identity(1 + 0.001 * i);
        x[i] = v3(cos(at), sin(at), 0);
        f[i].kind = FREEDOM_ALL;
        blockmat_add(&a, 0, i, -1, &k);
        blockmat_add(&a, i, i % SPOKES + 1, -1, &k);
        k = m3_scaled_identity(1);
        blockmat_add(&a, i, i, 1, &k);
    }
    f[0].kind = FREEDOM_ALL;
    blockmat_finish(&a, p);
    assert_true(multigrid_create(&g, &m, &a, x));
    const multigrid_level *l = &g.levels[1];
    bool far = false;
    for (int64_t k = 0; k < l->n_blocks; k++)
        far = far || l->mirror[k] == BLOCK_FAR;
    assert_true(far);
    for (int32_t i = 0; i < l->n; i++) {
        check_half(l, i, l->before[i], l->before[i + 1]);
        check_half(l, i, l->after[i], l->after[i + 1]);
    }
    assert_true(multigrid_take(&g, &scratch));
    multigrid_build(&g, p, &a, f, x);
    check_sums(&g, &a);
    multigrid_destroy(&g, &m);
    arena_destroy(&scratch);
    blockmat_destroy(&a, &m);
    MEM_FREE(&m, f, SPOKES + 1);
    MEM_FREE(&m, x, SPOKES + 1);
    pool_destroy(p);
    assert_int_equal(m.in_use, 0);
}

/* No two coupled chunks have one colour; every row has a parent or no neighbour; aggregates are of about eight, then of
 * four. */
static void hierarchy_is_sound(void **state)
{
    (void)state;
    sheet s;
    multigrid g;
    set_up(&s, 60, 1);
    assert_true(multigrid_create(&g, &s.mem, &s.a, s.x));
    assert_true(g.dense && g.n_levels >= 4);
    for (int32_t k = 0; k < g.n_levels; k++) {
        const multigrid_level *l = &g.levels[k];
        for (int32_t i = 0; i < l->n; i++) {
            check_half(l, i, l->before[i], l->before[i + 1]);
            check_half(l, i, l->after[i], l->after[i + 1]);
        }
        for (int32_t i = 0; k + 1 < g.n_levels && i < l->n; i++)
            assert_true(l->to_coarse.parent[i] >= 0 ||
                        l->before[i + 1] + l->after[i + 1] == l->before[i] + l->after[i]);
        if (k + 1 < g.n_levels)
            assert_true(l->to_coarse.n_coarse < (k == 0 ? 0.17 : 0.35) * l->n + 2);
    }
    multigrid_destroy(&g, &s.mem);
    tear_down(&s);
}

/* Also at borders, where folds begin and strips or zigzags would cost iterations. */
static void groups_of_a_grid_are_squares(void **state)
{
    (void)state;
    sheet s;
    multigrid g;
    set_up(&s, 72, 1);
    for (int32_t i = 0; i < s.n; i++)
        s.x[i].z = 0;
    assert_true(multigrid_create(&g, &s.mem, &s.a, s.x));
    const aggregation *t = &g.levels[0].to_coarse;
    assert_int_equal(t->n_coarse, 36 * 36);
    for (int32_t i = 0; i + 1 < s.n; i++) {
        int32_t corner = t->child[t->child_start[t->parent[i]]], dx = i % 72 - corner % 72, dy = i / 72 - corner / 72;
        assert_true(corner % 72 % 2 == 0 && corner / 72 % 2 == 0 && dx < 2 && dy < 2);
    }
    multigrid_destroy(&g, &s.mem);
    tear_down(&s);
}

/* A pattern that has (i, j) and (j, i) for n couplings, each once, i < j and sorted. */
static sparsity both_ways(sheet *s, int32_t n, const int32_t (*pairs)[2])
{
    sparsity p = {.n = s->n};
    p.start = mem_array(&s->mem, s->n + 1, sizeof *p.start);
    p.col = mem_array(&s->mem, 2 * n, sizeof *p.col);
    for (int32_t i = 0, at = 0; i < s->n; i++) {
        for (int32_t k = 0; k < n; k++)
            if (pairs[k][1] == i)
                p.col[at++] = pairs[k][0];
        for (int32_t k = 0; k < n; k++)
            if (pairs[k][0] == i)
                p.col[at++] = pairs[k][1];
        p.start[i + 1] = at;
    }
    return p;
}

static bool level_has(const multigrid_level *l, int32_t i, int32_t j)
{
    bool has = i == j;
    for (int32_t k = l->before[i]; k < l->before[i + 1]; k++)
        has = has || l->col[k] == j;
    for (int32_t k = l->after[i]; k < l->after[i + 1]; k++)
        has = has || l->col[k] == j;
    return has;
}

/* Each block of a level is summed to the block of its rows' parents, and each of those has a block that is. */
static void check_links(const multigrid_level *fine, const multigrid_level *coarse)
{
    const aggregation *t = &fine->to_coarse;
    bool *reached = calloc((size_t)coarse->n_blocks + 1, sizeof *reached);
    assert_non_null(reached);
    for (int32_t i = 0; i < fine->n; i++)
        for (int32_t h = 0; h < 2; h++)
            for (int32_t k = (h ? fine->after : fine->before)[i]; k < (h ? fine->after : fine->before)[i + 1]; k++) {
                int32_t a = t->parent[i], b = t->parent[fine->col[k]];
                assert_true(a < 0 || b < 0 || level_has(coarse, a, b));
                if (t->to[k] == TO_NOWHERE || t->to[k] == TO_DIAGONAL)
                    continue;
                int32_t place = level_place(coarse, a, b, t->to[k]);
                assert_true(a < b && coarse->col[place] == b);
                reached[place] = reached[level_place(coarse, b, a, coarse->mirror[place])] = true;
            }
    for (int64_t k = 0; k < coarse->n_blocks; k++)
        assert_true(reached[k]);
    free(reached);
}

/* Levels for contacts far off in the sheet, and then for none again: these have the bits of those that never had
 * any. */
static void renewed_levels_are_those_of_their_pattern(void **state)
{
    (void)state;
    sheet s;
    multigrid g;
    sparsity plain;
    enum { N = 5 };
    static const int32_t far[N][2] = {{3, 1500}, {3, 1501}, {4, 1500}, {40, 2000}, {700, 2303}};
    set_up(&s, 48, 3);
    assert_true(multigrid_create(&g, &s.mem, &s.a, s.x) && blockmat_sparsity(&plain, &s.mem, &s.a));
    sparsity extra = both_ways(&s, N, far), none = both_ways(&s, 0, far);
    vec3 *r = make_vector(&s, 5), *z = make_vector(&s, 0), *again = make_vector(&s, 0);
    assert_true(multigrid_take(&g, &s.scratch));
    multigrid_build(&g, s.pool, &s.a, s.f, s.x);
    multigrid_apply(&g, s.pool, s.f, 1, r, z);
    assert_true(blockmat_widen(&s.a, &s.mem, s.pool, &plain, &extra));
    assert_true(multigrid_renew(&g, &s.mem, s.pool, &s.a, &extra));
    for (int32_t k = 0; k + 1 < g.n_levels; k++)
        check_links(&g.levels[k], &g.levels[k + 1]);
    assert_true(level_has(&g.levels[0], 2303, 700));
    assert_true(blockmat_widen(&s.a, &s.mem, s.pool, &plain, &none));
    assert_true(multigrid_renew(&g, &s.mem, s.pool, &s.a, &none));
    arena_release(&s.scratch, (arena_mark){0});
    assert_true(blockmat_take(&s.a, &s.scratch) && multigrid_take(&g, &s.scratch));
    blockmat_clear(&s.a, s.pool);
    fill(&s);
    multigrid_build(&g, s.pool, &s.a, s.f, s.x);
    multigrid_apply(&g, s.pool, s.f, 1, r, again);
    assert_memory_equal(z, again, (size_t)s.n * sizeof *z);
    MEM_FREE(&s.mem, r, s.n);
    MEM_FREE(&s.mem, z, s.n);
    MEM_FREE(&s.mem, again, s.n);
    sparsity_destroy(&extra, &s.mem);
    sparsity_destroy(&none, &s.mem);
    sparsity_destroy(&plain, &s.mem);
    multigrid_destroy(&g, &s.mem);
    tear_down(&s);
}

static int32_t until_failure;

static void *failing(void *user, void *p, size_t old_size, size_t new_size)
{
    (void)user;
    (void)old_size;
    if (new_size == 0) {
        free(p);
        return NULL;
    }
    return until_failure-- > 0 ? realloc(p, new_size) : NULL;
}

static void no_memory_leaves_nothing_behind(void **state)
{
    (void)state;
    sheet s;
    set_up(&s, 20, 1);
    bool done = false;
    for (int32_t k = 0; !done; k++) {
        mem m;
        multigrid g;
        mem_init(&m, failing, NULL);
        until_failure = k;
        done = multigrid_create(&g, &m, &s.a, s.x);
        multigrid_destroy(&g, &m);
        assert_int_equal(m.in_use, 0);
        assert_true(k < 1000);
    }
    tear_down(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cycle_is_symmetric_and_positive),
        cmocka_unit_test(held_directions_stay_zero),
        cmocka_unit_test(iterations_are_few_and_hardly_grow),
        cmocka_unit_test(estimate_is_near_the_true_error),
        cmocka_unit_test(threads_do_not_change_a_bit),
        cmocka_unit_test(hierarchy_is_sound),
        cmocka_unit_test(groups_of_a_grid_are_squares),
        cmocka_unit_test(renewed_levels_are_those_of_their_pattern),
        cmocka_unit_test(no_memory_leaves_nothing_behind),
        cmocka_unit_test(plain_code_has_the_same_bits),
        cmocka_unit_test(rounding_makes_levels_firmer_before_blocks_take_over),
        cmocka_unit_test(rows_of_many_blocks_are_linked),
    };
#ifdef __SANITIZE_THREAD__ /* slow, and the other cases have one thread */
    cmocka_set_test_filter("*thread*");
#endif
    return cmocka_run_group_tests(tests, NULL, NULL);
}
