/* SPDX-License-Identifier: MIT */
/* Assembly, block matrix and conjugate gradients together, on a scene with virtual and sewn nodes in T: gradient and
 * Hessian by degrees of freedom against differences, the solve against a dense one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "solve/assembly.h"
#include "solve/cg.h"

enum { NODES = 12, DOFS = 10 };

typedef struct scene {
    mem mem;
    arena scratch;
    pool *pool;
    forces forces;
    node_row rows[NODES];
    assembly assembly;
    vec3 q[DOFS];
} scene;

static double noise(uint32_t *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return (double)(*seed >> 8) / (1 << 24) - 0.5;
}

/* Inside, at a border, in a corner, and about the nodes that follow others. */
enum { N_BENDS = 4 };

static bend_element bend_of(int i)
{
    static const struct {
        int32_t node[6], present;
    } bends[N_BENDS] = {
        {{0, 1, 2, 3, 4, 5}, 7}, {{6, 3, 1, 6, 8, 9}, 6}, {{2, 7, 5, 2, 2, 9}, 4}, {{8, 10, 6, 11, 1, 7}, 7}};
    bend_element e = {.par = {.present = bends[i].present}};
    memcpy(e.node, bends[i].node, sizeof e.node);
    for (int j = 0; j < 3; j++)
        for (int k = 0; k < 3; k++)
            if (e.par.present >> j & e.par.present >> k & 1)
                e.par.q[j][k] = j == k ? 0.3 : 0.1;
    return e;
}

/* A fan of springs, membranes, beams and some bends over nodes 0 … 11; node 10 hangs between 2 and 3, node 11 is sewn
 * to 4. */
static void set_up(scene *s, int32_t n_threads)
{
    uint32_t seed = 7;
    memset(s, 0, sizeof *s);
    mem_init(&s->mem, NULL, NULL);
    arena_init(&s->scratch, &s->mem);
    s->pool = pool_create(&s->mem, n_threads, NULL, NULL);
    forces_init(&s->forces, &s->mem);
    assert_true(forces_set_nodes(&s->forces, NODES));
    for (int32_t i = 0; i < NODES; i++)
        s->rows[i] = (node_row){{i, -1}};
    s->rows[10] = (node_row){{2, 3}};
    s->rows[11] = (node_row){{4, -1}};
    for (int32_t i = 0; i < NODES; i++)
        for (int32_t j = i + 1; j < NODES; j += 2) {
            if (i == 4 && j == 11)
                continue; /* the same point */
            spring_element *sp = forces_push(&s->forces, FORCE_SPRING);
            int32_t common = forces_common(&s->forces, &(common_par){.k = 50, .length = 0.3}, false);
            *sp = (spring_element){.node = {i, j}, .common = common};
        }
    for (int32_t i = 0; i + 2 < NODES; i++) {
        beam_element *b = forces_push(&s->forces, FORCE_BEAM);
        *b = (beam_element){{i, i + 1, i + 2}, forces_common(&s->forces, &(common_par){.k = 0.3}, false), 0};
    }
    for (int32_t i = 0; i < N_BENDS; i++)
        *(bend_element *)forces_push(&s->forces, FORCE_BEND) = bend_of(i);
    for (int32_t i = 0; i < DOFS; i++)
        s->q[i] = v3(0.1 * i + 0.05 * noise(&seed), noise(&seed), noise(&seed));
    assert_true(assembly_create(&s->assembly, &s->mem, &s->scratch, s->pool, &s->forces, s->rows, NODES, DOFS));
    assert_true(blockmat_take(&s->assembly.hessian, &s->scratch));
}

static void tear_down(scene *s)
{
    assembly_destroy(&s->assembly);
    arena_destroy(&s->scratch);
    forces_destroy(&s->forces);
    pool_destroy(s->pool);
    assert_int_equal(s->mem.in_use, 0);
}

static double energy(scene *s, const vec3 *q, vec3 *g, bool hessian)
{
    assembly_motion m = {s->q, NULL, 1};
    if (g)
        memset(g, 0, DOFS * sizeof *g);
    if (hessian)
        blockmat_clear(&s->assembly.hessian, s->pool);
    double e = assembly_eval(&s->assembly, q, &m, g, hessian);
    if (hessian)
        blockmat_finish(&s->assembly.hessian, s->pool);
    return e;
}

static double *component(vec3 *v, int i)
{
    return i % 3 == 0 ? &v[i / 3].x : i % 3 == 1 ? &v[i / 3].y : &v[i / 3].z;
}

static void gradient_by_degrees_of_freedom_matches_differences(void **state)
{
    (void)state;
    scene s;
    set_up(&s, 1);
    vec3 g[DOFS], q[DOFS];
    double eps = 1e-6, largest = 0, worst = 0;
    energy(&s, s.q, g, false);
    memcpy(q, s.q, sizeof q);
    for (int i = 0; i < 3 * DOFS; i++) {
        double keep = *component(q, i);
        *component(q, i) = keep + eps;
        double up = energy(&s, q, NULL, false);
        *component(q, i) = keep - eps;
        double down = energy(&s, q, NULL, false);
        *component(q, i) = keep;
        largest = fmax(largest, fabs(*component(g, i)));
        worst = fmax(worst, fabs((up - down) / (2 * eps) - *component(g, i)));
    }
    /* Central differences: truncation E''' eps² ~ 1e3 · 1e-12, rounding 1e-16 · E/eps ~ 1e-9 of the largest. */
    assert_true(worst < 1e-8 * largest);
    tear_down(&s);
}

static void dense_half(const blockmat *h, int32_t i, int32_t begin, int32_t end, double a[3 * DOFS][3 * DOFS])
{
    for (int32_t k = begin; k < end; k++)
        for (int c = 0; c < 9; c++)
            a[3 * i + c % 3][3 * h->col[k] + c / 3] = (double)h->val[9 * k + c];
}

static void dense(scene *s, double a[3 * DOFS][3 * DOFS])
{
    const blockmat *h = &s->assembly.hessian;
    memset(a, 0, sizeof(double) * 9 * DOFS * DOFS);
    for (int32_t i = 0; i < h->n; i++) {
        for (int c = 0; c < 9; c++)
            a[3 * i + c / 3][3 * i + c % 3] = h->diagonal[i].m[c];
        dense_half(h, i, h->before[i], h->before[i + 1], a);
        dense_half(h, i, h->after[i], h->after[i + 1], a);
    }
}

static void hessian_is_symmetric_and_keeps_translations(void **state)
{
    (void)state;
    scene s;
    set_up(&s, 1);
    vec3 g[DOFS];
    double a[3 * DOFS][3 * DOFS];
    energy(&s, s.q, g, true);
    dense(&s, a);
    for (int i = 0; i < 3 * DOFS; i++) {
        double row = 0, size = 0;
        for (int j = 0; j < 3 * DOFS; j++) {
            assert_true(fabs(a[i][j] - a[j][i]) <= 1e-12 * (fabs(a[i][i]) + fabs(a[j][j])));
            row += j % 3 == i % 3 ? a[i][j] : 0;
            size += fabs(a[i][j]);
        }
        /* Blocks off the diagonal are rounded to 2⁻²⁴ once for each of some ten elements that add to them. What that
         * makes of the sum is taken from the diagonal, but for its antisymmetric part. */
        assert_true(fabs(row) <= 10 * ldexp(1.0, -24) * size);
    }
    tear_down(&s);
}

/* Adds w · h at nodes i and j, by their degrees of freedom. */
static void add_dense(const scene *s, int32_t i, int32_t j, const mat3 *h, double a[3 * DOFS][3 * DOFS])
{
    const node_row *r = &s->rows[i], *t = &s->rows[j];
    for (int c = 0; c < 2 && r->dof[c] >= 0; c++)
        for (int d = 0; d < 2 && t->dof[d] >= 0; d++)
            for (int k = 0; k < 9; k++)
                a[3 * r->dof[c] + k / 3][3 * t->dof[d] + k % 3] += row_weight(r) * row_weight(t) * h->m[k];
}

static void bends_add_up_to_their_hessians_wherever_they_are(void **state)
{
    (void)state;
    scene s;
    set_up(&s, 1);
    vec3 g[DOFS];
    double with[3 * DOFS][3 * DOFS], without[3 * DOFS][3 * DOFS], bends[3 * DOFS][3 * DOFS] = {{0}}, most = 0;
    energy(&s, s.q, g, true);
    dense(&s, with);
    for (int i = 0; i < N_BENDS; i++) {
        bend_element *e = (bend_element *)s.forces.list[FORCE_BEND].items + i;
        vec3 x[6];
        mat3 h[BLOCKS(6)];
        for (int k = 0; k < 6; k++)
            x[k] = s.assembly.x[e->node[k]];
        bend_eval(x, &e->par, true, NULL, h);
        for (int n = 0; n < 6; n++)
            for (int m = n; m < 6; m++) {
                mat3 t = m3_transpose(h[block_of(6, n, m)]);
                add_dense(&s, e->node[n], e->node[m], &h[block_of(6, n, m)], bends);
                if (m > n)
                    add_dense(&s, e->node[m], e->node[n], &t, bends);
            }
        memset(e->par.q, 0, sizeof e->par.q);
    }
    energy(&s, s.q, g, true);
    dense(&s, without);
    for (int i = 0; i < 3 * DOFS; i++)
        most = fmax(most, fmax(fabs(bends[i][i]), fabs(with[i][i])));
    /* Each block has ten roundings of single precision or so, a row ten blocks. */
    for (int i = 0; i < 9 * DOFS * DOFS; i++)
        assert_true(fabs((&with[0][0])[i] - (&without[0][0])[i] - (&bends[0][0])[i]) <= 100 * ldexp(1.0, -24) * most);
    tear_down(&s);
}

static void energies_are_given_up_only_where_they_are_more(void **state)
{
    (void)state;
    scene s;
    set_up(&s, 1);
    vec3 q[DOFS];
    double before = energy(&s, s.q, NULL, false), least = assembly_least(&s.assembly, s.q);
    assert_true(least > 0 && least <= before);
    for (int i = 0; i < DOFS; i++)
        q[i] = v3_scale(2, s.q[i]);
    assert_true(assembly_least(&s.assembly, q) <= energy(&s, q, NULL, false));
    assert_true(energy(&s, s.q, NULL, false) == before);
    /* In two parts, with the same bits, or the first alone. */
    assembly_motion m = {s.q, NULL, 1};
    assert_true(assembly_energy(&s.assembly, s.q, &m, HUGE_VAL) == before);
    assert_true(assembly_energy(&s.assembly, s.q, &m, 0.99 * least) == HUGE_VAL);
    assert_true(assembly_energy(&s.assembly, s.q, &m, before) == before);
    tear_down(&s);
}

/* Gaussian elimination with pivoting. */
static void solve_dense(double a[3 * DOFS][3 * DOFS], double *b)
{
    const int n = 3 * DOFS;
    for (int k = 0; k < n; k++) {
        int p = k;
        for (int i = k + 1; i < n; i++)
            p = fabs(a[i][k]) > fabs(a[p][k]) ? i : p;
        for (int j = 0; j < n; j++) {
            double t = a[k][j];
            a[k][j] = a[p][j];
            a[p][j] = t;
        }
        double t = b[k];
        b[k] = b[p];
        b[p] = t;
        for (int i = k + 1; i < n; i++) {
            double f = a[i][k] / a[k][k];
            for (int j = k; j < n; j++)
                a[i][j] -= f * a[k][j];
            b[i] -= f * b[k];
        }
    }
    for (int k = n - 1; k >= 0; k--) {
        for (int j = k + 1; j < n; j++)
            b[k] -= a[k][j] * b[j];
        b[k] /= a[k][k];
    }
}

static void conjugate_gradients_agree_with_elimination_under_filters(void **state)
{
    (void)state;
    scene s;
    set_up(&s, 2);
    vec3 g[DOFS], d[DOFS];
    filter f[DOFS] = {{0}};
    f[0].kind = FREEDOM_NONE;
    f[5] = (filter){FREEDOM_LINE, &(vec3){0.6, 0, 0.8}};
    energy(&s, s.q, g, true);
    mat3 mass = m3_scaled_identity(2.0);
    for (int32_t i = 0; i < DOFS; i++)
        blockmat_add(&s.assembly.hessian, i, i, 1.0, &mass);
    cg_problem p = {.a = &s.assembly.hessian, .filters = f, .pool = s.pool, .tolerance = 1e-13, .limit = 1000};
    vec3 residual[DOFS];
    memcpy(residual, g, sizeof g);
    cg_result r = cg_solve(&p, &s.scratch, residual, d);
    assert_true(r.iterations > 3 && r.iterations < 200);

    /* The filtered system: S A S + (I − S) in place of A, S b in place of b. */
    double a[3 * DOFS][3 * DOFS], b[3 * DOFS], sas[3 * DOFS][3 * DOFS];
    dense(&s, a);
    for (int j = 0; j < 3 * DOFS; j++) { /* column j of S A S + I − S */
        vec3 e[DOFS] = {{0}}, col[DOFS], se[DOFS];
        *component(e, j) = 1;
        for (int i = 0; i < DOFS; i++)
            se[i] = filter_apply(&f[i], e[i]);
        for (int i = 0; i < 3 * DOFS; i++) {
            double sum = 0;
            for (int k = 0; k < 3 * DOFS; k++)
                sum += a[i][k] * *component(se, k);
            *component(col, i) = sum;
        }
        for (int i = 0; i < DOFS; i++)
            col[i] = v3_add(filter_apply(&f[i], col[i]), v3_sub(e[i], se[i]));
        for (int i = 0; i < 3 * DOFS; i++)
            sas[i][j] = *component(col, i);
    }
    vec3 sb[DOFS];
    for (int i = 0; i < DOFS; i++)
        sb[i] = filter_apply(&f[i], g[i]);
    for (int i = 0; i < 3 * DOFS; i++)
        b[i] = *component(sb, i);
    solve_dense(sas, b);
    for (int i = 0; i < 3 * DOFS; i++)
        assert_true(fabs(b[i] - *component(d, i)) < 1e-10);
    tear_down(&s);
}

static void threads_do_not_change_a_bit(void **state)
{
    (void)state;
    vec3 g[4][DOFS];
    double e[4];
    for (int t = 0; t < 4; t++) {
        scene s;
        set_up(&s, t + 1);
        e[t] = energy(&s, s.q, g[t], true);
        tear_down(&s);
        assert_memory_equal(g[t], g[0], sizeof g[0]);
        assert_memory_equal(&e[t], &e[0], sizeof e[0]);
    }
}

/* At rest there is no damping, and what is left is the gradient of the energy, by degrees of freedom. */
static void pull_is_the_gradient_where_nothing_moves(void **state)
{
    (void)state;
    scene s;
    vec3 still[DOFS] = {{0}}, pull[DOFS] = {{0}}, gradient[DOFS] = {{0}};
    set_up(&s, 1);
    assembly_eval(&s.assembly, s.q, &(assembly_motion){s.q, NULL, 1}, gradient, false);
    assembly_pull(&s.assembly, s.q, still, 1e-3, &(air_par){.drag = 1}, pull);
    for (int i = 0; i < DOFS; i++) /* sums of some 30 forces of up to 100 N */
        assert_true(v3_max_abs(v3_sub(pull[i], gradient[i])) <= 1e-12 * 100);
    tear_down(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pull_is_the_gradient_where_nothing_moves),
        cmocka_unit_test(gradient_by_degrees_of_freedom_matches_differences),
        cmocka_unit_test(hessian_is_symmetric_and_keeps_translations),
        cmocka_unit_test(bends_add_up_to_their_hessians_wherever_they_are),
        cmocka_unit_test(energies_are_given_up_only_where_they_are_more),
        cmocka_unit_test(conjugate_gradients_agree_with_elimination_under_filters),
        cmocka_unit_test(threads_do_not_change_a_bit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
