/* SPDX-License-Identifier: MIT */
/* ctest: labels=threads */
#include <math.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "math/vec.h"
#include "sim/kit.h"

#include <cmocka.h>

/* Not for NAN either. */
#define assert_close(a, b, tolerance) assert_true(fabs((a) - (b)) <= (tolerance))

#define GRID_STEP 0x1p-32

/* ---- ids, removal ------------------------------------------------------------------------------------------------ */

static void ids_are_unique_over_reuse(void **state)
{
    (void)state;
    enum { N = 200 };
    weft_sim *sim = kit_sim_with(WEFT_INTEGRATOR_BDF2);
    weft_cloth_id all[N];
    int32_t n = 0;
    uint64_t random = 5;
    bool there[N] = {false};
    for (int k = 0; k < N; k++) {
        all[n] = kit_grid(sim, 2, 0.1, 0, 0);
        for (int32_t i = 0; i < n; i++)
            assert_false(all[i].index == all[n].index && all[i].generation == all[n].generation);
        there[n++] = true;
        int32_t victim = kit_random_below(&random, n);
        if (there[victim])
            kit_must(weft_cloth_remove(sim, all[victim], NULL), NULL);
        there[victim] = false;
        for (int32_t i = 0; i < n; i++) {
            weft_cloth_info info;
            assert_int_equal(weft_cloth_get_info(sim, all[i], &info, NULL), there[i] ? WEFT_OK : WEFT_ERROR_STALE_ID);
        }
    }
    weft_sim_destroy(sim);
}

/* Collider, attachment and tie ids alike. */
static void other_ids_are_unique_over_reuse(void **state)
{
    (void)state;
    weft_sim *sim = kit_sim_with(WEFT_INTEGRATOR_BDF2);
    weft_cloth_id sheet = kit_grid(sim, 3, 0.1, 0, 0);
    weft_attachment_id last_pin = {0};
    weft_collider_id last_ball = {0};
    weft_tie_id last_tie = {0};
    int32_t node = 0, other = 8;
    weft_tie_def tie = weft_tie_def_default();
    tie.cloth_a = tie.cloth_b = sheet;
    tie.nodes_a = &node;
    tie.nodes_b = &other;
    tie.n_pairs = 1;
    for (int k = 0; k < 5; k++) {
        weft_attachment_id pin = kit_pin(sim, sheet, 1, &node);
        weft_collider_id ball = kit_sphere(sim, 0.1, (vec3){9, 9, 9});
        weft_tie_id tied;
        kit_must(weft_tie_create(sim, &tie, &tied, NULL), NULL);
        assert_true(pin.index == 0 && pin.generation > last_pin.generation);
        assert_true(ball.index == 0 && ball.generation > last_ball.generation);
        assert_true(tied.index == 0 && tied.generation > last_tie.generation);
        kit_must(weft_attachment_remove(sim, pin, NULL), NULL);
        kit_must(weft_collider_remove(sim, ball, NULL), NULL);
        kit_must(weft_tie_remove(sim, tied, NULL), NULL);
        assert_int_equal(weft_tie_remove(sim, tied, NULL), WEFT_ERROR_STALE_ID);
        last_pin = pin;
        last_ball = ball;
        last_tie = tied;
    }
    weft_sim_destroy(sim);
}

/* Three sheets far from each other; with and without the middle one the outer two do the same. With the middle one gone
 * the solver's sums are made in another order, so the comparison after more steps is by tolerance, not by bits. */
static void removing_a_cloth_leaves_the_others_and_their_pins(void **state)
{
    (void)state;
    weft_sim *sim = kit_sim_with(WEFT_INTEGRATOR_BDF2);
    weft_cloth_id id[3];
    weft_attachment_id pin[3];
    int32_t corner = 0;
    for (int k = 0; k < 3; k++) {
        id[k] = kit_grid(sim, 4 + k, 0.3, 2.0 * k, 1);
        pin[k] = kit_pin(sim, id[k], 1, &corner);
    }
    kit_steps(sim, 10, 1.0 / 60);
    vec3 before[3][36], after[36];
    for (int k = 0; k < 3; k++)
        kit_positions(sim, id[k], before[k], 36);
    kit_must(weft_cloth_remove(sim, id[1], NULL), NULL);
    assert_int_equal(weft_attachment_get_force(sim, pin[1], NULL, NULL, 0, NULL), WEFT_ERROR_STALE_ID);
    kit_positions(sim, id[0], after, 36);
    assert_memory_equal(after, before[0], 16 * sizeof *after);
    kit_positions(sim, id[2], after, 36);
    assert_memory_equal(after, before[2], 36 * sizeof *after);
    kit_steps(sim, 10, 1.0 / 60);
    for (int k = 0; k < 3; k += 2) {
        weft_vec3 force;
        kit_must(weft_attachment_get_force(sim, pin[k], &force, NULL, 0, NULL), NULL);
        assert_true(force.y < 0);
        kit_positions(sim, id[k], after, 36);
        assert_memory_equal(&after[0], &before[k][0], sizeof *after); /* still held */
        assert_true(v3_len(v3_sub(after[15], before[k][15])) > 0.01); /* still falling */
    }
    weft_sim_destroy(sim);
}

static void removing_drops_ties_and_collider_attachments(void **state)
{
    (void)state;
    weft_sim *sim = kit_sim_with(WEFT_INTEGRATOR_BDF2);
    weft_cloth_id a = kit_grid(sim, 3, 0.1, 0, 0), b = kit_grid(sim, 3, 0.1, 1, 0);
    weft_collider_id ball = kit_sphere(sim, 0.01, (vec3){5, 5, 5});
    int32_t node = 4;
    weft_tie_def t = weft_tie_def_default();
    t.cloth_a = a;
    t.cloth_b = b;
    t.nodes_a = t.nodes_b = &node;
    t.n_pairs = 1;
    weft_tie_id tie;
    kit_must(weft_tie_create(sim, &t, &tie, NULL), NULL);
    weft_attachment_def d = weft_attachment_def_default();
    d.kind = WEFT_ATTACH_COLLIDER;
    d.cloth = a;
    d.nodes = &node;
    d.n_nodes = 1;
    d.collider = ball;
    weft_attachment_id hold;
    kit_must(weft_attachment_create(sim, &d, &hold, NULL), NULL);
    kit_steps(sim, 2, 1.0 / 60);
    kit_must(weft_collider_remove(sim, ball, NULL), NULL);
    assert_int_equal(weft_attachment_remove(sim, hold, NULL), WEFT_ERROR_STALE_ID);
    kit_steps(sim, 2, 1.0 / 60);
    kit_must(weft_cloth_remove(sim, b, NULL), NULL);
    assert_int_equal(weft_tie_remove(sim, tie, NULL), WEFT_ERROR_STALE_ID);
    kit_steps(sim, 2, 1.0 / 60);
    weft_sim_destroy(sim);
}

static void an_empty_simulation_steps(void **state)
{
    (void)state;
    for (int integrator = 0; integrator < 3; integrator++) {
        weft_sim *sim = kit_sim_with(integrator);
        kit_sphere(sim, 0.1, (vec3){0, 0, 0});
        kit_steps(sim, 4, 0.125);
        assert_true(weft_sim_time(sim) == 0.5);
        kit_must(weft_cloth_remove(sim, kit_grid(sim, 3, 0.1, 0, 0), NULL), NULL);
        kit_steps(sim, 4, 0.125);
        assert_true(weft_sim_time(sim) == 1);
        weft_sim_destroy(sim);
    }
}

/* ---- reading and setting ----------------------------------------------------------------------------------------- */

static double on_grid(double x)
{
    return nearbyint(x * 0x1p32) * GRID_STEP;
}

static void what_is_set_can_be_read(void **state)
{
    (void)state;
    enum { N = 25 };
    weft_sim *sim = kit_sim_with(WEFT_INTEGRATOR_BDF2);
    weft_cloth_id id = kit_grid(sim, 5, 0.3, 0, 0);
    uint64_t random = 3;
    vec3 x[N], v[N], got[N];
    for (int i = 0; i < N; i++) {
        x[i] = (vec3){200 * kit_random_unit(&random), kit_random_unit(&random), 1e-9 * kit_random_unit(&random)};
        v[i] = (vec3){kit_random_unit(&random), 1e3 * kit_random_unit(&random), 1e-12 * kit_random_unit(&random)};
    }
    kit_must(weft_cloth_set_positions(sim, id, x, N, NULL), NULL);
    kit_must(weft_cloth_set_velocities(sim, id, v, N, NULL), NULL);
    kit_positions(sim, id, got, N);
    for (int i = 0; i < N; i++)
        assert_true(got[i].x == on_grid(x[i].x) && got[i].y == on_grid(x[i].y) && got[i].z == on_grid(x[i].z));
    kit_must(weft_cloth_get_velocities(sim, id, got, N, 0, NULL), NULL);
    assert_memory_equal(got, v, sizeof v);
    weft_sim_destroy(sim);
}

/* Each item where the stride says, nothing between them touched; strides need not be multiples of eight. */
static void strides_are_kept(void **state)
{
    (void)state;
    enum { N = 9 };
    weft_sim *sim = kit_sim_with(WEFT_INTEGRATOR_BDF2);
    weft_grid_def d = kit_grid_def(3, 0.3, 0, 0);
    d.velocity = (vec3){1, 2, 3};
    weft_cloth_id id;
    kit_must(weft_cloth_create_grid(sim, &d, &id, NULL), NULL);
    static const size_t strides[] = {0, 24, 32, 25, 28, 100};
    for (size_t k = 0; k < sizeof strides / sizeof *strides; k++) {
        size_t stride = strides[k] ? strides[k] : sizeof(vec3);
        vec3 packed[3][N];
        kit_must(weft_cloth_get_positions(sim, id, packed[0], N, 0, NULL), NULL);
        kit_must(weft_cloth_get_velocities(sim, id, packed[1], N, 0, NULL), NULL);
        kit_must(weft_cloth_get_normals(sim, id, packed[2], N, 0, NULL), NULL);
        for (int what = 0; what < 3; what++) {
            size_t size = stride * (N - 1) + sizeof(vec3);
            unsigned char *room = malloc(size); /* exactly, so that a write beyond is found */
            assert_non_null(room);
            memset(room, 0xab, size);
            void *p = room;
            kit_must(what == 0   ? weft_cloth_get_positions(sim, id, p, N, strides[k], NULL)
                     : what == 1 ? weft_cloth_get_velocities(sim, id, p, N, strides[k], NULL)
                                 : weft_cloth_get_normals(sim, id, p, N, strides[k], NULL),
                     NULL);
            for (size_t b = 0; b < size; b++) {
                size_t i = b / stride, within = b % stride;
                unsigned char wanted = within < sizeof(vec3) ? ((unsigned char *)&packed[what][i])[within] : 0xab;
                assert_int_equal(room[b], wanted);
            }
            free(room);
        }
    }
    weft_sim_destroy(sim);
}

/* A grid of 4 × 3 nodes and 0.6 × 0.2 m: cells of 0.2 × 0.1. */
static void info_tells_the_numbers(void **state)
{
    (void)state;
    weft_sim *sim = kit_sim_with(WEFT_INTEGRATOR_BDF2);
    weft_grid_def d = weft_grid_def_default();
    d.n_warp = 4;
    d.n_weft = 3;
    d.size_warp = 0.6;
    d.size_weft = 0.2;
    weft_fabric fabrics[2] = {weft_fabric_default(), weft_fabric_default()};
    fabrics[0].density = 0.1;
    fabrics[1].density = 0.3;
    static const int32_t face_fabric[6] = {0, 0, 0, 1, 1, 1};
    d.model.fabrics = fabrics;
    d.model.n_fabrics = 2;
    d.model.face_fabric = face_fabric;
    weft_cloth_id id;
    kit_must(weft_cloth_create_grid(sim, &d, &id, NULL), NULL);
    weft_cloth_info info = kit_info(sim, id);
    assert_int_equal(info.n_nodes, 12);
    assert_int_equal(info.n_faces, 6);
    assert_int_equal(info.n_triangles, 12);
    assert_close(info.area, 0.12, 1e-16);
    assert_close(info.mass, 0.06 * 0.1 + 0.06 * 0.3, 1e-16);
    assert_close(info.edge_length, (9 * 0.2 + 8 * 0.1) / 17, 1e-15);
    assert_true(info.poisson_warp > 0 && info.poisson_warp < 1 && info.poisson_warp == info.poisson_weft);
    double mass[12], sum = 0;
    kit_must(weft_cloth_get_masses(sim, id, mass, 12, NULL), NULL);
    for (int i = 0; i < 12; i++)
        sum += mass[i];
    assert_close(sum, info.mass, 1e-16);
    weft_vec2 uv[12];
    kit_must(weft_cloth_get_uv(sim, id, uv, 12, NULL), NULL);
    assert_true(uv[7].u == 0.6 && uv[7].v == 0.1 && uv[8].u == 0);
    uint32_t revision = info.revision;
    kit_steps(sim, 3, 0.01);
    assert_int_equal(kit_info(sim, id).revision, revision);
    weft_sim_destroy(sim);
}

typedef struct told {
    int n[3];
    char last[3][256];
} told;

static void hear(void *user, weft_log_level level, const char *text)
{
    told *t = user;
    t->n[level]++;
    snprintf(t->last[level], sizeof t->last[level], "%s", text);
}

/* Springs cannot have this shear in these cells; membrane can, and has the fabric's Poisson ratio. */
static void quads_that_springs_cannot_have_are_membrane_and_the_log_says_so(void **state)
{
    (void)state;
    told t = {.n = {0}};
    weft_sim_def sd = weft_sim_def_default();
    sd.log = hear;
    sd.log_user = &t;
    weft_sim *sim = kit_sim(&sd);
    weft_grid_def d = kit_grid_def(4, 0.3, 0, 0);
    weft_fabric f = weft_fabric_default();
    d.model.fabrics = &f;
    d.model.n_fabrics = 1;
    weft_cloth_id id;
    kit_must(weft_cloth_create_grid(sim, &d, &id, NULL), NULL);
    assert_int_equal(t.n[WEFT_LOG_WARNING], 0);
    assert_non_null(strstr(t.last[WEFT_LOG_INFO], "quads stretch by springs, with Poisson ratios of 0.1"));
    f.stretch_warp = 5;
    f.shear = 500;
    f.poisson = 0.2;
    kit_must(weft_cloth_create_grid(sim, &d, &id, NULL), NULL);
    assert_int_equal(t.n[WEFT_LOG_WARNING], 1);
    assert_non_null(strstr(t.last[WEFT_LOG_WARNING], "cloth 1: 9 quads are membrane, not springs: face 0"));
    weft_cloth_info info = kit_info(sim, id);
    assert_close(info.poisson_warp, 0.2 * sqrt(5 / f.stretch_weft), 1e-15);
    kit_steps(sim, 3, 0.01);
    f = weft_fabric_default();
    kit_must(weft_cloth_set_fabric(sim, id, 0, &f, NULL), NULL);
    assert_true(kit_info(sim, id).poisson_warp > 0.1 && kit_info(sim, id).poisson_warp < 0.13);
    kit_steps(sim, 3, 0.01);
    f.shear = 5000;
    kit_must(weft_cloth_set_fabric(sim, id, 0, &f, NULL), NULL);
    assert_int_equal(t.n[WEFT_LOG_WARNING], 2);
    kit_steps(sim, 3, 0.01);
    weft_sim_destroy(sim);
}

/* A bead of 5 g on one node, a loose weight of 7 g on another, which falls by itself. */
static void added_masses_count(void **state)
{
    (void)state;
    static const vec3 x[4] = {{0, 0, 0}, {1, 0, 0}, {0, 0, -1}, {5, 0, 0}};
    static const double added[4] = {0, 0.005, 0, 0.007};
    weft_mesh_def d = weft_mesh_def_default();
    d.n_nodes = 4;
    d.positions = x;
    d.node_mass = added;
    d.n_triangles = 1;
    d.triangles = (int32_t[]){0, 1, 2};
    for (int integrator = 0; integrator < 3; integrator++) {
        weft_sim *sim = kit_sim_with(integrator);
        weft_cloth_id id = kit_cloth(sim, &d);
        double m[4], third = 0.5 / 3 * weft_fabric_default().density, h = kit_step_of(integrator);
        kit_must(weft_cloth_get_masses(sim, id, m, 4, NULL), NULL);
        for (int i = 0; i < 4; i++)
            assert_close(m[i], added[i] + (i < 3 ? third : 0), 1e-17);
        assert_close(kit_info(sim, id).mass, 3 * third + 0.012, 1e-16);
        kit_steps(sim, 10, h);
        vec3 v[4];
        kit_must(weft_cloth_get_velocities(sim, id, v, 4, 0, NULL), NULL);
        /* A step's end is found to linear_tolerance · newton_tolerance = 1e-7 m, its velocity to that over 2h/3. */
        assert_close(v[3].y, -9.81 * 10 * h, 10 * 1e-7 / (2 * h / 3));
        weft_sim_destroy(sim);
    }
}

static void normals_are_unit_and_outward(void **state)
{
    (void)state;
    weft_sim *sim = kit_sim_with(WEFT_INTEGRATOR_BDF2);
    weft_cloth_id sheet = kit_grid(sim, 6, 0.3, 0, 0);
    kit_mesh ball = kit_icosphere(2, 0.5);
    weft_mesh_def d = kit_mesh_def(&ball);
    weft_cloth_id id = kit_cloth(sim, &d);
    vec3 *n = calloc((size_t)ball.n_nodes, sizeof *n);
    assert_non_null(n);
    kit_must(weft_cloth_get_normals(sim, sheet, n, 36, 0, NULL), NULL);
    for (int i = 0; i < 36; i++)
        assert_close(v3_len(v3_sub(n[i], v3(0, 1, 0))), 0, 1e-15);
    kit_must(weft_cloth_get_normals(sim, id, n, ball.n_nodes, 0, NULL), NULL);
    for (int32_t i = 0; i < ball.n_nodes; i++) {
        assert_close(v3_len(n[i]), 1, 1e-15);
        assert_true(v3_dot(n[i], ball.x[i]) > 0.49); /* of 0.5: within 12°, the angle an edge spans here is 17° */
    }
    free(n);
    kit_mesh_free(&ball);
    weft_sim_destroy(sim);
}

static void triangles_are_those_drawn(void **state)
{
    (void)state;
    weft_sim *sim = kit_sim_with(WEFT_INTEGRATOR_BDF2);
    weft_cloth_id id = kit_grid(sim, 3, 0.3, 0, 0);
    static const int32_t expected[24] = {0, 1, 4, 0, 4, 3, 1, 2, 4, 2, 5, 4, 3, 4, 6, 4, 7, 6, 4, 5, 8, 4, 8, 7};
    int32_t found[24];
    kit_must(weft_cloth_get_triangles(sim, id, found, 8, NULL), NULL);
    assert_memory_equal(found, expected, sizeof found);
    weft_sim_destroy(sim);
}

static bool all_on_grid(const vec3 *x, int32_t n, double step)
{
    for (int32_t i = 0; i < n; i++)
        if (fmod(x[i].x, step) != 0 || fmod(x[i].y, step) != 0 || fmod(x[i].z, step) != 0)
            return false;
    return true;
}

static void positions_stay_on_the_grid(void **state)
{
    (void)state;
    for (int integrator = 0; integrator < 3; integrator++)
        for (int scale = 0; scale < 13; scale += 6) {
            enum { N = 49 };
            weft_sim_def d = weft_sim_def_default();
            d.integrator = (weft_integrator)integrator;
            d.world_scale = scale;
            weft_sim *sim = kit_sim(&d);
            weft_cloth_id id = kit_grid(sim, 7, 0.31, 0.123456789, 0.2);
            kit_sphere(sim, 0.1, (vec3){0.25, 0.09, -0.1});
            int32_t corners[2] = {0, 6};
            kit_pin(sim, id, 2, corners);
            for (int k = 0; k < 12; k++) {
                vec3 x[N];
                kit_steps(sim, 1, kit_step_of(integrator));
                kit_positions(sim, id, x, N);
                assert_true(all_on_grid(x, N, ldexp(GRID_STEP, scale)));
            }
            weft_sim_destroy(sim);
        }
}

/* ---- callbacks --------------------------------------------------------------------------------------------------- */

typedef struct force_record {
    int32_t n_calls, n_nodes;
    double last_time;
    weft_cloth_id last_cloth;
    double lift; /* times the weight */
} force_record;

static void lift(void *user, weft_cloth_id id, double time, int32_t n, const weft_vec3 *x, const weft_vec3 *v,
                 const double *m, weft_vec3 *f)
{
    force_record *r = user;
    r->n_calls++;
    r->n_nodes = n;
    r->last_time = time;
    r->last_cloth = id;
    for (int32_t i = 0; i < n; i++) {
        assert_true(isfinite(x[i].y) && isfinite(v[i].y) && f[i].y == 0);
        f[i].y = r->lift * 9.81 * m[i];
    }
}

/* A lift of the weight leaves the sheet where it is, one of twice the weight makes it fall upwards. (No drag.) */
static void the_force_callback_acts(void **state)
{
    (void)state;
    for (int integrator = 0; integrator < 3; integrator++)
        for (int times = 1; times <= 2; times++) {
            force_record record = {.lift = times};
            weft_sim_def d = weft_sim_def_default();
            d.integrator = (weft_integrator)integrator;
            d.air_density = 0;
            d.force = lift;
            d.force_user = &record;
            weft_sim *sim = kit_sim(&d);
            weft_cloth_id id = kit_grid(sim, 4, 0.3, 0, 0);
            double h = kit_step_of(integrator);
            kit_steps(sim, 6, h);
            assert_int_equal(record.n_calls, 6);
            assert_int_equal(record.n_nodes, 16);
            assert_true(record.last_cloth.index == id.index && record.last_cloth.generation == id.generation);
            assert_close(record.last_time, 5 * h, 1e-12);
            vec3 v[16];
            kit_must(weft_cloth_get_velocities(sim, id, v, 16, 0, NULL), NULL);
            for (int i = 0; i < 16; i++) /* the solver may leave newton_tolerance of way in each step: 1e-5 m */
                assert_close(v[i].y, (times - 1) * 9.81 * 6 * h, 6 * 1e-5 / h * 1e-2);
            weft_sim_destroy(sim);
        }
}

static uint64_t hash_with(int32_t n_threads, weft_parallel_for_fn parallel_for, void *user)
{
    weft_sim_def d = weft_sim_def_default();
    d.n_threads = n_threads;
    d.parallel_for = parallel_for;
    d.parallel_for_user = user;
    weft_sim *sim = kit_sim(&d);
    kit_grid(sim, 24, 0.5, 0, 0.25);
    kit_sphere(sim, 0.2, (vec3){0.25, 0, -0.25});
    kit_steps(sim, 12, 1.0 / 60);
    uint64_t hash = weft_sim_hash(sim);
    weft_sim_destroy(sim);
    return hash;
}

static void a_parallel_for_of_ones_own_changes_nothing(void **state)
{
    (void)state;
    int64_t n_calls = 0;
    uint64_t alone = hash_with(1, NULL, NULL);
    assert_int_equal(hash_with(3, NULL, NULL), alone);
    assert_int_equal(hash_with(1, kit_backwards, &n_calls), alone);
    assert_true(n_calls > 0);
}

/* ---- cancellation ------------------------------------------------------------------------------------------------ */

/* The callback wakes the other thread and waits until it has cancelled: so that comes during the step, always. */
typedef struct canceller {
    weft_sim *sim;
    atomic_int wanted, done;
    bool from_here; /* without another thread */
} canceller;

static void *cancel_when_wanted(void *argument)
{
    canceller *c = argument;
    while (!atomic_load(&c->wanted))
        ;
    weft_sim_cancel(c->sim);
    atomic_store(&c->done, 1);
    return NULL;
}

static void ask_to_cancel(void *user, weft_cloth_id id, double time, int32_t n, const weft_vec3 *x, const weft_vec3 *v,
                          const double *m, weft_vec3 *f)
{
    canceller *c = user;
    (void)id;
    (void)time;
    (void)n;
    (void)x;
    (void)v;
    (void)m;
    (void)f;
    if (atomic_load(&c->wanted) < 0 || atomic_load(&c->done))
        return;
    if (c->from_here) {
        weft_sim_cancel(c->sim);
        atomic_store(&c->done, 1);
    }
    atomic_store(&c->wanted, 1);
    while (!atomic_load(&c->done))
        ;
}

static weft_sim *sim_to_cancel(int integrator, canceller *c)
{
    weft_sim_def d = weft_sim_def_default();
    d.integrator = (weft_integrator)integrator;
    d.force = ask_to_cancel;
    d.force_user = c;
    d.n_threads = 2;
    weft_sim *sim = kit_sim(&d);
    kit_grid(sim, 12, 0.5, 0, 0.25);
    kit_sphere(sim, 0.2, (vec3){0.25, 0.03, -0.25});
    c->sim = sim;
    atomic_store(&c->wanted, -1);
    kit_steps(sim, 5, kit_step_of(integrator));
    atomic_store(&c->wanted, 0);
    return sim;
}

/* Goes on as if it had not been cancelled. */
static void assert_goes_on(weft_sim *sim, int integrator)
{
    canceller none = {.from_here = true};
    weft_sim *twin = sim_to_cancel(integrator, &none);
    atomic_store(&none.wanted, -1);
    kit_steps(sim, 3, kit_step_of(integrator));
    kit_steps(twin, 3, kit_step_of(integrator));
    assert_int_equal(weft_sim_hash(sim), weft_sim_hash(twin));
    weft_sim_destroy(twin);
}

static void cancelling_during_a_step_keeps_the_state(void **state)
{
    (void)state;
    for (int integrator = 0; integrator < 2; integrator++) {
        canceller c = {.from_here = false};
        weft_sim *sim = sim_to_cancel(integrator, &c);
        uint64_t before = weft_sim_hash(sim);
        double time = weft_sim_time(sim);
        pthread_t thread;
        assert_int_equal(pthread_create(&thread, NULL, cancel_when_wanted, &c), 0);
        weft_error e = {0};
        assert_int_equal(weft_sim_step(sim, kit_step_of(integrator), NULL, &e), WEFT_ERROR_CANCELLED);
        assert_int_equal(pthread_join(thread, NULL), 0);
        assert_int_equal(e.code, WEFT_ERROR_CANCELLED);
        assert_int_equal(weft_sim_hash(sim), before);
        assert_true(weft_sim_time(sim) == time);
        assert_goes_on(sim, integrator);
        weft_sim_destroy(sim);
    }
}

static void cancelling_before_a_step_stops_that_step_only(void **state)
{
    (void)state;
    for (int integrator = 0; integrator < 3; integrator++) {
        canceller c = {.from_here = true};
        weft_sim *sim = sim_to_cancel(integrator, &c);
        atomic_store(&c.wanted, -1);
        uint64_t before = weft_sim_hash(sim);
        weft_sim_cancel(sim);
        weft_sim_cancel(sim);
        assert_int_equal(weft_sim_step(sim, kit_step_of(integrator), NULL, NULL), WEFT_ERROR_CANCELLED);
        assert_int_equal(weft_sim_hash(sim), before);
        assert_goes_on(sim, integrator);
        weft_sim_destroy(sim);
    }
}

/* "The step that is running, or else the next one": a step that is past its last look leaves it to the next. */
static void no_cancellation_is_lost(void **state)
{
    (void)state;
    for (int integrator = 0; integrator < 3; integrator++) {
        canceller c = {.from_here = true};
        weft_sim *sim = sim_to_cancel(integrator, &c);
        int n_cancelled = 0;
        for (int k = 0; k < 4; k++)
            n_cancelled += weft_sim_step(sim, kit_step_of(integrator), NULL, NULL) == WEFT_ERROR_CANCELLED;
        assert_int_equal(n_cancelled, 1);
        weft_sim_destroy(sim);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ids_are_unique_over_reuse),
        cmocka_unit_test(other_ids_are_unique_over_reuse),
        cmocka_unit_test(removing_a_cloth_leaves_the_others_and_their_pins),
        cmocka_unit_test(removing_drops_ties_and_collider_attachments),
        cmocka_unit_test(an_empty_simulation_steps),
        cmocka_unit_test(what_is_set_can_be_read),
        cmocka_unit_test(strides_are_kept),
        cmocka_unit_test(info_tells_the_numbers),
        cmocka_unit_test(quads_that_springs_cannot_have_are_membrane_and_the_log_says_so),
        cmocka_unit_test(added_masses_count),
        cmocka_unit_test(normals_are_unit_and_outward),
        cmocka_unit_test(triangles_are_those_drawn),
        cmocka_unit_test(positions_stay_on_the_grid),
        cmocka_unit_test(the_force_callback_acts),
        cmocka_unit_test(a_parallel_for_of_ones_own_changes_nothing),
        cmocka_unit_test(cancelling_during_a_step_keeps_the_state),
        cmocka_unit_test(cancelling_before_a_step_stops_that_step_only),
        cmocka_unit_test(no_cancellation_is_lost),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
