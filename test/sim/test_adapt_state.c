/* SPDX-License-Identifier: MIT */
/* ctest: timeout=200 */
/* What becomes of mass, momentum, energy and positions when the mesh changes; seen from inside, between two steps.
 *
 * Tolerances. A mass is the sum of at most some 30 parts of areas, each with an error of a few eps; so each mass and
 * momentum has a relative error of less than 64 eps, and a sum of n of them adds n eps of the sum of magnitudes. */
#include <float.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/kit.h"
#include "sim/adapt.h"
#include "sim/sim.h"

#include <cmocka.h>

/* ---- a cloth whose mesh changes by lot --------------------------------------------------------------------------- */

typedef struct lottery {
    uint32_t seed;
    double cell;
    int32_t finest;
} lottery;

static uint32_t mix(uint32_t h, int32_t v)
{
    h = (h ^ (uint32_t)v) * 2246822519u;
    return h ^ h >> 15;
}

static double drawn_size(void *user, weft_vec3 position, weft_vec2 uv)
{
    const lottery *l = user;
    (void)position;
    uint32_t h = mix(mix(l->seed * 2654435761u + 1, (int32_t)floor(uv.u / l->cell)), (int32_t)floor(uv.v / l->cell));
    return 1.3 * l->cell / (1 << h % (uint32_t)(l->finest + 1));
}

typedef struct bench {
    weft_sim *sim;
    weft_cloth_id id;
    cloth *cloth;
    lottery lots;
    uint64_t random;
} bench;

/* Of squares; of squares and triangles; of quads that are no parallelograms. */
enum { GRID, MIXED, SKEW, KINDS };
static const char *const kind_names[KINDS] = {"grid", "mixed", "skew"};

static void bench_start(bench *b, int kind, int32_t max_level)
{
    weft_sim_def sd = weft_sim_def_default();
    *b = (bench){.sim = kit_sim(&sd), .lots = {1, 0.1, max_level}, .random = 77};
    weft_adapt a = {.max_level = max_level, .refine_angle = 3, .coarsen_angle = 1.5, .coarsen_way = 1};
    a.size = drawn_size;
    a.size_user = &b->lots;
    if (kind == GRID) {
        weft_grid_def d = kit_grid_def(6, 0.5, 0, 0);
        d.model.adapt = a;
        kit_must(weft_cloth_create_grid(b->sim, &d, &b->id, NULL), NULL);
    } else {
        kit_mesh m = kit_patch(6, 5, 0.5, 0.4, kind == MIXED ? 0.5 : 1, 0.2, 3);
        double mass[30] = {0};
        mass[7] = mass[20] = 0.01;
        weft_mesh_def d = kit_mesh_def(&m);
        d.node_mass = mass;
        d.model.adapt = a;
        b->id = kit_cloth(b->sim, &d);
        kit_mesh_free(&m);
    }
    b->cloth = sim_get_cloth(b->sim, b->id, NULL);
}

static void bench_end(bench *b)
{
    weft_sim_destroy(b->sim);
}

/* One look, between steps. */
static weft_step_stats look_once(bench *b)
{
    weft_error e = {0};
    weft_step_stats st = {0};
    adaptation a;
    kit_must(adapt_cloths(b->sim, &a, false, &st, &e), &e);
    adapt_end(b->sim, &a, true);
    kit_must(model_build(&b->sim->model, &b->sim->state, &e), &e);
    return st;
}

/* Bumps, and velocities by lot; hanging nodes follow. */
static void shake(bench *b)
{
    int32_t n = b->cloth->surface->n_nodes;
    weft_vec3 *v = malloc((size_t)n * sizeof *v), *x = malloc((size_t)n * sizeof *x);
    assert_true(v && x);
    for (int32_t i = 0; i < n; i++) {
        v[i] = (weft_vec3){kit_random_unit(&b->random), 3 * kit_random_unit(&b->random), kit_random_unit(&b->random)};
        x[i] = b->sim->state.q[i];
        x[i].y += 0.002 * kit_random_unit(&b->random);
    }
    kit_must(weft_cloth_set_positions(b->sim, b->id, x, n, NULL), NULL);
    kit_must(weft_cloth_set_velocities(b->sim, b->id, v, n, NULL), NULL);
    free(v);
    free(x);
}

/* ---- sums -------------------------------------------------------------------------------------------------------- */

typedef struct sums {
    int32_t n;
    double mass, kinetic, elastic, size; /* size: Σ m |v| */
    vec3 momentum;
} sums;

static sums sums_of(bench *b)
{
    weft_error e = {0};
    kit_must(model_build(&b->sim->model, &b->sim->state, &e), &e);
    const model *m = &b->sim->model;
    sums s = {.n = m->n};
    for (int32_t i = 0; i < m->n; i++) {
        vec3 v = b->sim->state.v[i];
        assert_true(m->rows[i].dof[1] < 0 || m->mass[i] == 0); /* what hangs has no mass of its own */
        s.mass += m->mass[i];
        s.momentum = v3_madd(s.momentum, m->mass[i], v);
        s.kinetic += 0.5 * m->mass[i] * v3_len_sq(v);
        s.size += m->mass[i] * v3_len(v);
    }
    double elastic[FORCE_KINDS];
    assembly_elastic(&b->sim->model.assembly, b->sim->state.q, elastic);
    for (int k = 0; k < FORCE_KINDS; k++)
        s.elastic += elastic[k];
    return s;
}

static void assert_kept(const sums *a, const sums *b)
{
    double eps = (64 + (a->n > b->n ? a->n : b->n)) * DBL_EPSILON;
    assert_true(fabs(b->mass - a->mass) <= eps * a->mass);
    assert_true(v3_max_abs(v3_sub(b->momentum, a->momentum)) <= eps * a->size);
    assert_true(b->kinetic <= a->kinetic * (1 + eps));
    assert_true(isfinite(b->elastic));
}

static void mass_and_momentum_are_kept_and_kinetic_energy_does_not_grow(void **test)
{
    (void)test;
    int n_rounds = getenv("WEFT_LONG") ? 2000 : 60;
    for (int kind = 0; kind < KINDS; kind++) {
        bench b;
        bench_start(&b, kind, 3);
        int32_t split = 0, merged = 0;
        double lost = 0, up = 0, down = 0;
        for (int k = 0; k < n_rounds; k++) {
            b.lots.seed = (uint32_t)k;
            for (int again = 0; again < 4; again++) {
                shake(&b);
                sums before = sums_of(&b);
                weft_step_stats st = look_once(&b);
                sums after = sums_of(&b);
                assert_kept(&before, &after);
                split += st.split;
                merged += st.merged;
                lost = fmax(lost, 1 - after.kinetic / before.kinetic);
                up = fmax(up, after.elastic / before.elastic - 1);
                down = fmin(down, after.elastic / before.elastic - 1);
            }
        }
        print_message("%s: %d splits, %d merges; kinetic energy lost at most %.1f %%, elastic energy jumps by %+.1f to "
                      "%+.1f %% (bumps of 2 mm by lot)\n",
                      kind_names[kind], split, merged, 100 * lost, 100 * down, 100 * up);
        assert_true(split > 500 && merged > 300);
        bench_end(&b);
    }
}

/* Any shape to any other, through the first mesh. */
static void set_shape_keeps_mass_and_momentum(void **test)
{
    (void)test;
    bench b;
    bench_start(&b, MIXED, 3);
    unsigned char *shapes[6];
    size_t sizes[6];
    for (int k = 0; k < 6; k++) {
        b.lots.seed = (uint32_t)k + 100;
        for (int again = 0; again < 4; again++)
            look_once(&b);
        kit_must(weft_cloth_get_shape(b.sim, b.id, NULL, &sizes[k], NULL), NULL);
        shapes[k] = malloc(sizes[k]);
        assert_non_null(shapes[k]);
        kit_must(weft_cloth_get_shape(b.sim, b.id, shapes[k], &sizes[k], NULL), NULL);
    }
    for (int k = 0; k < 30; k++) {
        int to = k % 6;
        shake(&b);
        sums before = sums_of(&b);
        weft_error e = {0};
        kit_must(weft_cloth_set_shape(b.sim, b.id, shapes[to], sizes[to], &e), &e);
        sums after = sums_of(&b);
        assert_kept(&before, &after);
        unsigned char found[4096];
        size_t size = sizeof found;
        kit_must(weft_cloth_get_shape(b.sim, b.id, found, &size, NULL), NULL);
        assert_int_equal(size, sizes[to]);
        assert_memory_equal(found, shapes[to], size);
    }
    for (int k = 0; k < 6; k++)
        free(shapes[k]);
    bench_end(&b);
}

/* ---- positions --------------------------------------------------------------------------------------------------- */

typedef struct placed {
    vec2 uv;
    vec3 x;
    bool active;
} placed;

static int by_uv(const void *a, const void *b)
{
    const placed *p = a, *q = b;
    if (p->uv.u != q->uv.u)
        return p->uv.u < q->uv.u ? -1 : 1;
    return p->uv.v < q->uv.v ? -1 : p->uv.v > q->uv.v;
}

static placed *places(const bench *b, int32_t *n)
{
    const surface *s = b->cloth->surface;
    placed *p = malloc((size_t)s->n_nodes * sizeof *p);
    assert_non_null(p);
    for (int32_t i = 0; i < s->n_nodes; i++)
        p[i] = (placed){s->uv[i], b->sim->state.q[b->cloth->offset + i], s->rows[i].dof[1] < 0};
    qsort(p, (size_t)s->n_nodes, sizeof *p, by_uv);
    *n = s->n_nodes;
    return p;
}

/* Material coordinates name a node whatever its number. */
static void nodes_that_stay_active_do_not_move(void **test)
{
    (void)test;
    int32_t n_same = 0;
    for (int kind = 0; kind < KINDS; kind++) {
        bench b;
        bench_start(&b, kind, 3);
        for (int k = 0; k < 40; k++) {
            b.lots.seed = (uint32_t)k;
            shake(&b);
            int32_t n, m;
            placed *before = places(&b, &n);
            look_once(&b);
            placed *after = places(&b, &m);
            for (int32_t i = 0; i < m; i++) {
                const placed *old = bsearch(&after[i], before, (size_t)n, sizeof *before, by_uv);
                if (!old || !old->active || !after[i].active)
                    continue;
                assert_memory_equal(&old->x, &after[i].x, sizeof old->x);
                n_same++;
            }
            free(before);
            free(after);
        }
        bench_end(&b);
    }
    assert_true(n_same > 5000);
}

static weft_uniform uniform_of(const bench *b, int32_t level)
{
    weft_uniform u = {0};
    weft_error e = {0};
    kit_must(weft_cloth_get_uniform(b->sim, b->id, level, &u, &e), &e);
    u.positions = malloc((size_t)u.n_nodes * sizeof *u.positions);
    u.triangles = malloc((size_t)u.n_triangles * 3 * sizeof *u.triangles);
    u.faces = malloc((size_t)u.n_faces * 4 * sizeof *u.faces);
    u.uv = malloc((size_t)u.n_nodes * sizeof *u.uv);
    assert_true(u.positions && u.triangles && u.faces && u.uv);
    kit_must(weft_cloth_get_uniform(b->sim, b->id, level, &u, &e), &e);
    return u;
}

static void uniform_free(weft_uniform *u)
{
    free(u->positions);
    free(u->triangles);
    free(u->faces);
    free(u->uv);
}

static void splitting_leaves_the_surface_where_it_is_bit_for_bit(void **test)
{
    (void)test;
    int32_t split = 0;
    for (int kind = 0; kind < KINDS; kind++)
        for (uint32_t seed = 0; seed < 10; seed++) {
            bench b;
            bench_start(&b, kind, 3);
            b.lots.seed = seed;
            weft_step_stats st = {.split = 1};
            while (st.split > 0) {
                shake(&b);
                weft_uniform before = uniform_of(&b, 3);
                st = look_once(&b);
                assert_int_equal(st.merged, 0);
                weft_uniform after = uniform_of(&b, 3);
                assert_int_equal(before.n_nodes, after.n_nodes);
                assert_memory_equal(before.positions, after.positions, (size_t)before.n_nodes * sizeof(vec3));
                assert_memory_equal(before.triangles, after.triangles, (size_t)before.n_triangles * 12);
                uniform_free(&before);
                uniform_free(&after);
                split += st.split;
            }
            bench_end(&b);
        }
    assert_true(split > 500);
}

static void a_uniform_mesh_is_its_own_uniform_view(void **test)
{
    (void)test;
    for (int kind = 0; kind < KINDS; kind++) {
        bench b;
        bench_start(&b, kind, 2);
        b.lots.cell = 1e-3; /* everything is too long */
        for (int k = 0; k < 3; k++)
            look_once(&b);
        shake(&b);
        weft_cloth_info info = kit_info(b.sim, b.id);
        weft_uniform u = uniform_of(&b, 2);
        assert_int_equal(info.n_active, info.n_nodes);
        assert_int_equal(u.n_nodes, info.n_nodes);
        assert_int_equal(u.n_triangles, info.n_triangles);
        assert_memory_equal(u.positions, b.sim->state.q, (size_t)u.n_nodes * sizeof(vec3));
        int32_t *t = malloc((size_t)u.n_triangles * 12);
        assert_non_null(t);
        kit_must(weft_cloth_get_triangles(b.sim, b.id, t, u.n_triangles, NULL), NULL);
        assert_memory_equal(t, u.triangles, (size_t)u.n_triangles * 12);
        free(t);
        uniform_free(&u);
        int64_t in_use = b.sim->mem.in_use;
        u = (weft_uniform){0};
        assert_int_equal(weft_cloth_get_uniform(b.sim, b.id, 1, &u, NULL),
                         WEFT_ERROR_ARGUMENT); /* coarser than it is */
        assert_int_equal(weft_cloth_get_uniform(b.sim, b.id, 13, &u, NULL), WEFT_ERROR_ARGUMENT);
        assert_int_equal(weft_cloth_get_uniform(b.sim, b.id, 12, &u, NULL), WEFT_ERROR_RANGE); /* 4^12 times 25 */
        assert_int_equal(b.sim->mem.in_use, in_use);
        bench_end(&b);
    }
}

/* Once the sizes are as wanted nothing changes any more: what merges is not split again. */
static void a_look_at_the_same_thing_again_changes_nothing(void **test)
{
    (void)test;
    for (int kind = 0; kind < KINDS; kind++) {
        bench b;
        bench_start(&b, kind, 3);
        for (uint32_t seed = 0; seed < 20; seed++) {
            b.lots.seed = seed;
            int n = 0;
            for (weft_step_stats st = {.split = 1}; st.split + st.merged > 0 && n < 20; n++)
                st = look_once(&b);
            assert_true(n <= 8); /* at most three levels down, and as many up */
        }
        bench_end(&b);
    }
}

/* ---- bits -------------------------------------------------------------------------------------------------------- */

static uint64_t hash_after(bench *b, int n)
{
    kit_steps(b->sim, n, 1.0 / 60);
    return weft_sim_hash(b->sim);
}

/* What a mesh was before it merged is not in a snapshot, and must not show. */
static void a_cloth_that_has_merged_goes_on_like_one_that_never_split(void **test)
{
    (void)test;
    for (int kind = 0; kind < KINDS; kind++) {
        bench b;
        unsigned char bytes[1 << 16];
        size_t size = sizeof bytes;
        bench_start(&b, kind, 2);
        int32_t n = b.cloth->surface->n_nodes;
        const lottery splits = b.lots, none = {.seed = 1, .cell = 10};
        b.lots = none;
        shake(&b);
        kit_must(weft_sim_snapshot(b.sim, bytes, &size, NULL), NULL);
        uint64_t wanted = hash_after(&b, 5);
        assert_int_equal(b.cloth->surface->n_nodes, n); /* nothing has split so far */
        b.lots = splits;
        look_once(&b);
        assert_true(b.cloth->surface->n_nodes > n);
        b.lots = none;
        kit_must(weft_sim_restore(b.sim, bytes, size, NULL), NULL);
        assert_int_equal(b.cloth->surface->n_nodes, n);
        uint64_t found = hash_after(&b, 5);
        assert_int_equal(found, wanted);
        bench_end(&b);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mass_and_momentum_are_kept_and_kinetic_energy_does_not_grow),
        cmocka_unit_test(set_shape_keeps_mass_and_momentum),
        cmocka_unit_test(nodes_that_stay_active_do_not_move),
        cmocka_unit_test(splitting_leaves_the_surface_where_it_is_bit_for_bit),
        cmocka_unit_test(a_uniform_mesh_is_its_own_uniform_view),
        cmocka_unit_test(a_look_at_the_same_thing_again_changes_nothing),
        cmocka_unit_test(a_cloth_that_has_merged_goes_on_like_one_that_never_split),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
