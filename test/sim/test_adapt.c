/* SPDX-License-Identifier: MIT */
/* ctest: timeout=200 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/kit_scenes.h"

#include <cmocka.h>

/* ---- reading a cloth --------------------------------------------------------------------------------------------- */

typedef struct view {
    weft_cloth_info info;
    weft_vec3 *x;
    weft_vec2 *uv;
    int32_t *triangles;
} view;

static view look(const weft_sim *sim, weft_cloth_id id)
{
    view v = {.info = kit_info(sim, id)};
    int32_t n = v.info.n_nodes, t = v.info.n_triangles;
    v.x = malloc((size_t)n * sizeof *v.x);
    v.uv = malloc((size_t)n * sizeof *v.uv);
    v.triangles = malloc((size_t)t * 3 * sizeof *v.triangles);
    assert_true(v.x && v.uv && v.triangles);
    kit_must(weft_cloth_get_positions(sim, id, v.x, n, 0, NULL), NULL);
    kit_must(weft_cloth_get_uv(sim, id, v.uv, n, NULL), NULL);
    kit_must(weft_cloth_get_triangles(sim, id, v.triangles, t, NULL), NULL);
    return v;
}

static void view_free(view *v)
{
    free(v->x);
    free(v->uv);
    free(v->triangles);
}

static int32_t node_at(const view *v, weft_vec2 uv)
{
    for (int32_t i = 0; i < v->info.n_nodes; i++)
        if (v->uv[i].u == uv.u && v->uv[i].v == uv.v)
            return i;
    return -1;
}

static bool same_place(weft_vec3 a, weft_vec3 b)
{
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

/* ---- scenes ------------------------------------------------------------------------------------------------------ */

typedef struct spot {
    double u, v, radius, size; /* within the radius, faces of this size */
} spot;

static double size_in_spot(void *user, weft_vec3 position, weft_vec2 uv)
{
    const spot *s = user;
    (void)position;
    double du = uv.u - s->u, dv = uv.v - s->v;
    return du * du + dv * dv <= s->radius * s->radius ? s->size : 10;
}

static weft_adapt adapt_often(int32_t max_level, spot *s)
{
    weft_adapt a = weft_adapt_default();
    a.max_level = max_level;
    a.interval = 0;
    a.size = s ? size_in_spot : NULL;
    a.size_user = s;
    return a;
}

static weft_cloth_id sheet(weft_sim *sim, int32_t n, double side, double y, const weft_adapt *a)
{
    weft_grid_def d = kit_grid_def(n, side, 0, y);
    d.model.adapt = *a;
    weft_cloth_id id;
    weft_error e = {0};
    kit_must(weft_cloth_create_grid(sim, &d, &id, &e), &e);
    return id;
}

static weft_sim *plain_sim(bool gravity)
{
    weft_sim_def d = weft_sim_def_default();
    if (!gravity)
        d.gravity = (weft_vec3){0, 0, 0};
    return kit_sim(&d);
}

static weft_step_stats step(weft_sim *sim, double h)
{
    weft_step_stats st;
    weft_error e = {0};
    kit_must(weft_sim_step(sim, h, &st, &e), &e);
    return st;
}

/* ---- every step -------------------------------------------------------------------------------------------------- */

static void on_a_ball_it_splits_keeps_clear_and_hanging_nodes_hang(void **test)
{
    (void)test;
    weft_sim *sim = plain_sim(true);
    weft_adapt a = adapt_often(2, NULL);
    weft_cloth_id id = sheet(sim, 9, 0.5, 0.16, &a);
    weft_collider_id ball = kit_sphere(sim, 0.15, (weft_vec3){0.25, 0, -0.25});
    double thickness = weft_fabric_default().thickness, least = 1;
    int32_t first = kit_info(sim, id).n_nodes, hung = 0, split = 0;
    for (int k = 0; k < 40; k++) {
        weft_step_stats st = step(sim, 1.0 / 60);
        double clear;
        kit_must(weft_collider_get_clearance(sim, ball, id, &clear, NULL), NULL);
        least = clear < least ? clear : least;
        assert_true(clear >= thickness - 1e-9);
        assert_true(isfinite(st.energy_kinetic + st.energy_stretch + st.energy_bending + st.energy_jump));
        assert_int_equal(st.n_nodes, kit_info(sim, id).n_nodes);
        assert_true(st.seconds_layout >= 0 && st.seconds_layout <= st.seconds_adapt);
        hung += kit_hanging(sim, id);
        split += st.split;
    }
    print_message("%d to %d nodes; least clearance %.3g m beyond the thickness\n", first, kit_info(sim, id).n_nodes,
                  least - thickness);
    assert_true(split > 20 && hung > 100 && kit_info(sim, id).level == 2);
    weft_sim_destroy(sim);
}

static void explicit_steps_adapt_too(void **test)
{
    (void)test;
    weft_sim_def d = weft_sim_def_default();
    d.integrator = WEFT_INTEGRATOR_EXPLICIT;
    weft_sim *sim = kit_sim(&d);
    weft_fabric f = weft_fabric_default();
    f.damping_stretch = 1e-4;
    weft_grid_def g = kit_grid_def(7, 0.4, 0, 0.153);
    g.velocity = (weft_vec3){0, -2, 0};
    g.model.fabrics = &f;
    g.model.n_fabrics = 1;
    g.model.law = WEFT_LAW_VILLARD;
    g.model.adapt = adapt_often(2, NULL);
    weft_cloth_id id;
    kit_must(weft_cloth_create_grid(sim, &g, &id, NULL), NULL);
    weft_collider_id ball = kit_sphere(sim, 0.15, (weft_vec3){0.2, 0, -0.2});
    int32_t split = 0;
    for (int k = 0; k < 1600; k++) { /* the finest faces bear no longer steps */
        weft_step_stats st = step(sim, 1.0 / 80000);
        assert_true(isfinite(st.energy_kinetic + st.energy_stretch + st.energy_bending) && st.max_speed < 50);
        split += st.split;
    }
    double clear;
    kit_must(weft_collider_get_clearance(sim, ball, id, &clear, NULL), NULL);
    print_message("%d splits, %d nodes\n", split, kit_info(sim, id).n_nodes);
    assert_true(split > 5 && clear >= f.thickness - 1e-9);
    weft_sim_destroy(sim);
}

static uint64_t hash_with(int32_t n_threads)
{
    weft_sim_def d = weft_sim_def_default();
    d.n_threads = n_threads;
    d.newton_limit = 2;
    weft_sim *sim = kit_sim(&d);
    weft_adapt a = adapt_often(3, NULL);
    sheet(sim, 5, 0.5, 0.16, &a);
    kit_sphere(sim, 0.15, (weft_vec3){0.25, 0, -0.25});
    kit_steps(sim, 15, 1.0 / 60);
    uint64_t h = weft_sim_hash(sim);
    weft_sim_destroy(sim);
    return h;
}

static void hashes_do_not_depend_on_threads(void **test)
{
    (void)test;
    uint64_t alone = hash_with(1);
    for (int32_t n = 2; n <= 4; n++)
        assert_int_equal(hash_with(n), alone);
}

/* ---- there and back ---------------------------------------------------------------------------------------------- */

/* Two borders are pushed together, which makes folds, and drawn apart again. */
static void crumpled_then_pulled_flat_it_has_its_first_nodes_again(void **test)
{
    (void)test;
    enum { N = 9 };
    weft_sim_def sd = weft_sim_def_default();
    sd.gravity = (weft_vec3){0, -1, 0};
    weft_sim *sim = kit_sim(&sd);
    weft_adapt a = adapt_often(2, NULL);
    weft_cloth_id id = sheet(sim, N, 0.3, 0, &a);
    int32_t left[N], right[N];
    for (int32_t j = 0; j < N; j++) {
        left[j] = N * j;
        right[j] = N * j + N - 1;
    }
    kit_pin(sim, id, N, left);
    static const weft_key keys[4] = {{0, {0, 0, 0}, {0, 0, 0, 1}},
                                     {0.5, {-0.12, 0, 0}, {0, 0, 0, 1}},
                                     {1, {0.003, 0, 0}, {0, 0, 0, 1}},
                                     {9, {0.003, 0, 0}, {0, 0, 0, 1}}};
    weft_attachment_def d = weft_attachment_def_default();
    d.cloth = id;
    d.nodes = right;
    d.n_nodes = N;
    d.keys = keys;
    d.n_keys = 4;
    weft_attachment_id pin;
    kit_must(weft_attachment_create(sim, &d, &pin, NULL), NULL);
    int32_t first = kit_info(sim, id).n_nodes, most = 0;
    for (int k = 0; k < 120; k++) {
        weft_step_stats st = step(sim, 1.0 / 60);
        most = st.n_nodes > most ? st.n_nodes : most;
    }
    int32_t last = kit_info(sim, id).n_nodes;
    print_message("%d nodes, crumpled %d, flat again %d\n", first, most, last);
    assert_true(most > 2 * first && 10 * last <= 11 * first);
    weft_sim_destroy(sim);
}

/* ---- attachments and ties ---------------------------------------------------------------------------------------- */

static void nodes_between_pins_stay_exactly_between(void **test)
{
    (void)test;
    weft_sim *sim = plain_sim(true);
    spot s = {0, 0, 0.2, 0.02};
    weft_adapt a = adapt_often(2, &s);
    weft_cloth_id id = sheet(sim, 6, 0.5, 0, &a);
    int32_t border[6] = {0, 1, 2, 3, 4, 5}, n_between = 0;
    weft_attachment_id pin = kit_pin(sim, id, 6, border);
    double weight = 0;
    for (int k = 0; k < 30; k++) {
        step(sim, 1.0 / 60);
        view v = look(sim, id);
        n_between = 0;
        for (int32_t i = 0; i < v.info.n_nodes; i++)
            if (v.uv[i].v == 0) {
                n_between += i >= 36;
                assert_true(v.x[i].y == 0 && v.x[i].z == 0 && fabs(v.x[i].x - v.uv[i].u) < 1e-9);
            }
        weight = 9.81 * v.info.mass;
        view_free(&v);
    }
    assert_true(n_between >= 6);
    for (int k = 0; k < 60; k++)
        step(sim, 0.2); /* to rest */
    weft_vec3 f;
    kit_must(weft_attachment_get_force(sim, pin, &f, NULL, 0, NULL), NULL);
    print_message("%d nodes between the pins; they carry %.6f of the weight\n", n_between, -f.y / weight);
    assert_true(fabs(-f.y / weight - 1) < 1e-3); /* what the solver's tolerance leaves */
    weft_sim_destroy(sim);
}

static void nodes_between_rings_slide_on_the_rod(void **test)
{
    (void)test;
    weft_sim *sim = plain_sim(true);
    spot s = {0.2, 0, 0.2, 0.03};
    weft_adapt a = adapt_often(2, &s);
    weft_cloth_id id = sheet(sim, 6, 0.5, 0, &a);
    int32_t border[6] = {0, 1, 2, 3, 4, 5}, n_between = 0;
    weft_attachment_def d = weft_attachment_def_default();
    d.kind = WEFT_ATTACH_ROD;
    d.cloth = id;
    d.nodes = border;
    d.n_nodes = 6;
    weft_attachment_id rod;
    kit_must(weft_attachment_create(sim, &d, &rod, NULL), NULL);
    for (int k = 0; k < 30; k++)
        step(sim, 1.0 / 60);
    view v = look(sim, id);
    for (int32_t i = 0; i < v.info.n_nodes; i++)
        if (v.uv[i].v == 0) {
            n_between += i >= 36;
            assert_true(fabs(v.x[i].y) < 1e-9 && fabs(v.x[i].z) < 1e-9);
        }
    assert_true(n_between >= 5);
    view_free(&v);
    weft_sim_destroy(sim);
}

/* A node of the second level is pinned, another tied; then nobody wants fine faces there any more. */
static void attached_and_tied_nodes_stay_and_keep_their_hold(void **test)
{
    (void)test;
    weft_sim *sim = plain_sim(false);
    spot s = {0.25, 0.25, 0.08, 0.02};
    weft_adapt a = adapt_often(2, &s);
    weft_cloth_id id = sheet(sim, 6, 0.5, 0, &a), other = kit_grid(sim, 4, 0.2, 0, 0.3);
    for (int k = 0; k < 4; k++)
        step(sim, 1e-3);
    view v = look(sim, id);
    weft_vec2 pinned_at = {0.225, 0.25}, tied_at = {0.275, 0.25};
    int32_t pinned = -1, tied = -1, hanging = -1;
    for (int32_t i = 0; i < v.info.n_nodes; i++) {
        pinned = fabs(v.uv[i].u - pinned_at.u) + fabs(v.uv[i].v - pinned_at.v) < 1e-9 ? i : pinned;
        tied = fabs(v.uv[i].u - tied_at.u) + fabs(v.uv[i].v - tied_at.v) < 1e-9 ? i : tied;
    }
    assert_true(pinned >= 36 && tied >= 36);
    pinned_at = v.uv[pinned];
    tied_at = v.uv[tied];
    weft_vec3 held_at = v.x[pinned];
    int32_t fine = v.info.n_nodes;
    view_free(&v);
    weft_attachment_id pin = kit_pin(sim, id, 1, &pinned);
    weft_tie_def t = weft_tie_def_default();
    t.cloth_a = other;
    t.cloth_b = id;
    t.nodes_a = &(int32_t){5};
    t.nodes_b = &tied;
    t.n_pairs = 1;
    t.stiffness = 1e-4; /* bends nothing */
    weft_tie_id tie;
    kit_must(weft_tie_create(sim, &t, &tie, NULL), NULL);
    s.u = -10; /* somewhere else */
    for (int k = 0; k < 6; k++)
        step(sim, 1e-3);
    v = look(sim, id);
    int32_t kept = node_at(&v, pinned_at);
    assert_true(kept >= 0 && node_at(&v, tied_at) >= 0);
    assert_true(v.info.n_nodes < fine && v.info.level == 2);
    assert_true(same_place(v.x[kept], held_at));
    /* What hangs cannot be held. */
    for (int32_t i = 36; i < v.info.n_nodes && hanging < 0; i++) {
        weft_attachment_def d = weft_attachment_def_default();
        weft_attachment_id try;
        weft_error e = {0};
        d.cloth = id;
        d.nodes = &i;
        d.n_nodes = 1;
        if (i == kept)
            continue;
        weft_result r = weft_attachment_create(sim, &d, &try, &e);
        if (r == WEFT_OK)
            kit_must(weft_attachment_remove(sim, try, NULL), NULL);
        else if (strstr(e.text, "hangs"))
            hanging = i;
    }
    assert_true(hanging >= 0);
    /* Nor can the mesh be changed to one that may lack these nodes. */
    unsigned char bytes[256];
    size_t size = sizeof bytes;
    weft_error e = {0};
    kit_must(weft_cloth_get_shape(sim, id, bytes, &size, NULL), NULL);
    uint64_t hash = weft_sim_hash(sim);
    assert_int_equal(weft_cloth_set_shape(sim, id, bytes, size, &e), WEFT_ERROR_ARGUMENT);
    assert_int_equal(weft_sim_hash(sim), hash);
    view_free(&v);
    /* Set free, everything merges. */
    kit_must(weft_tie_remove(sim, tie, NULL), NULL);
    kit_must(weft_attachment_remove(sim, pin, NULL), NULL);
    for (int k = 0; k < 6; k++)
        step(sim, 1e-3);
    assert_int_equal(kit_info(sim, id).n_nodes, 36);
    weft_sim_destroy(sim);
}

/* ---- what can be asked, and what is refused ---------------------------------------------------------------------- */

static void shapes_go_there_and_back(void **test)
{
    (void)test;
    weft_sim *sim = plain_sim(false), *twin = plain_sim(false);
    spot s = {0.2, 0.3, 0.1, 0.02}, none = {-10, 0, 0, 1};
    weft_adapt a = adapt_often(3, &s), b = adapt_often(3, &none);
    weft_cloth_id id = sheet(sim, 6, 0.5, 0, &a), to = sheet(twin, 6, 0.5, 0, &b), still = kit_grid(sim, 3, 1, 0, 1);
    kit_steps(sim, 4, 1e-3);
    unsigned char bytes[1024];
    size_t size = 1, empty = sizeof bytes;
    assert_int_equal(weft_cloth_get_shape(sim, id, bytes, &size, NULL), WEFT_ERROR_ARGUMENT);
    kit_must(weft_cloth_get_shape(sim, still, bytes, &empty, NULL), NULL);
    assert_int_equal(empty, 0);
    size = sizeof bytes;
    kit_must(weft_cloth_get_shape(sim, id, bytes, &size, NULL), NULL);
    kit_must(weft_cloth_set_shape(twin, to, bytes, size, NULL), NULL);
    view v = look(sim, id), w = look(twin, to);
    assert_int_equal(v.info.n_nodes, w.info.n_nodes);
    assert_int_equal(v.info.n_triangles, w.info.n_triangles);
    assert_true(w.info.revision > 1 && w.info.level == 3);
    assert_memory_equal(v.triangles, w.triangles, (size_t)v.info.n_triangles * 12);
    assert_memory_equal(v.uv, w.uv, (size_t)v.info.n_nodes * sizeof *v.uv);
    for (int32_t i = 0; i < v.info.n_nodes; i++) /* flat and at rest, but for the grid of positions */
        assert_true(fabs(v.x[i].x - w.x[i].x) + fabs(v.x[i].y - w.x[i].y) + fabs(v.x[i].z - w.x[i].z) < 1e-8);
    view_free(&v);
    view_free(&w);
    /* One bit of it changed: no shape, or another; never a crash, and a refusal changes nothing. */
    for (size_t i = 0; i < 8 * size; i++) {
        bytes[i / 8] ^= (unsigned char)(1 << i % 8);
        uint64_t hash = weft_sim_hash(twin);
        weft_result r = weft_cloth_set_shape(twin, to, bytes, size, NULL);
        assert_true(r == WEFT_OK || (r == WEFT_ERROR_ARGUMENT && weft_sim_hash(twin) == hash));
        bytes[i / 8] ^= (unsigned char)(1 << i % 8);
    }
    assert_int_equal(weft_cloth_set_shape(twin, to, bytes, size - 1, NULL), WEFT_ERROR_ARGUMENT);
    assert_int_equal(weft_cloth_set_shape(sim, still, bytes, size, NULL), WEFT_ERROR_ARGUMENT);
    weft_sim_destroy(sim);
    weft_sim_destroy(twin);
}

static void at_the_limit_of_nodes_it_warns_and_goes_on(void **test)
{
    (void)test;
    weft_sim *sim = plain_sim(false);
    spot s = {0.25, 0.25, 1, 0.01};
    weft_adapt a = adapt_often(3, &s);
    a.node_limit = 100;
    weft_cloth_id id = sheet(sim, 6, 0.5, 0, &a);
    for (int k = 0; k < 5; k++) {
        weft_step_stats st;
        assert_int_equal(weft_sim_step(sim, 1e-3, &st, NULL), WEFT_WARNING_NODE_LIMIT);
        assert_true(kit_info(sim, id).n_nodes <= 100);
    }
    assert_true(kit_info(sim, id).n_nodes > 90);
    weft_sim_destroy(sim);
}

typedef struct fault {
    const char *name;
    weft_adapt adapt;
} fault;

static void bad_numbers_are_named(void **test)
{
    (void)test;
    weft_adapt good = weft_adapt_default();
    good.max_level = 2;
    fault faults[12];
    int n = 0;
#define FAULT(field, value)                                                                                            \
    do {                                                                                                               \
        faults[n] = (fault){"adapt." #field, good};                                                                    \
        faults[n++].adapt.field = (value);                                                                             \
    } while (0)
    FAULT(max_level, 13);
    FAULT(max_level, -1);
    FAULT(refine_angle, 0);
    FAULT(refine_angle, KIT_NAN);
    FAULT(coarsen_angle, 0.11); /* more than half of 0.2 */
    FAULT(coarsen_angle, -0.1);
    FAULT(coarsen_way, -1e-3);
    FAULT(min_size, -1);
    FAULT(min_size, KIT_INFINITE);
    FAULT(node_limit, -1);
    FAULT(interval, -1);
    FAULT(interval, KIT_NAN);
    weft_sim *sim = plain_sim(true);
    kit_fingerprint before = kit_fingerprint_of(sim);
    for (int k = 0; k < n; k++) {
        weft_grid_def d = kit_grid_def(4, 0.3, 0, 0);
        weft_cloth_id id;
        weft_error e = {0};
        d.model.adapt = faults[k].adapt;
        assert_true(weft_cloth_create_grid(sim, &d, &id, &e) < 0);
        if (!strstr(e.text, faults[k].name))
            fail_msg("%s: %s", faults[k].name, e.text);
        kit_fingerprint after = kit_fingerprint_of(sim);
        assert_true(kit_same_fingerprint(&before, &after));
    }
    weft_sim_destroy(sim);
}

static void faces_do_not_get_smaller_than_wanted(void **test)
{
    (void)test;
    weft_sim *sim = plain_sim(false);
    spot s = {0.25, 0.25, 1, 1e-3};
    weft_adapt a = adapt_often(5, &s);
    a.min_size = 0.025; /* two levels of 0.1 m */
    weft_cloth_id id = sheet(sim, 6, 0.5, 0, &a);
    kit_steps(sim, 5, 1e-3);
    assert_int_equal(kit_info(sim, id).level, 2);
    assert_int_equal(kit_info(sim, id).n_nodes, 21 * 21);
    weft_sim_destroy(sim);
}

static int32_t changes(weft_sim *sim)
{
    weft_step_stats st = step(sim, 1.0 / 60);
    return st.split + st.merged;
}

/* Of 900 elements one is to split, another to merge: both wait for four looks, also when the state is restored
 * meanwhile. A hundred do not wait. */
static void a_few_that_should_change_wait_and_many_do_not(void **test)
{
    (void)test;
    weft_sim *sim = plain_sim(false);
    spot s = {0, 0, 1e-3, 0.011};
    weft_adapt a = adapt_often(1, &s);
    a.interval = 1.0 / 60;
    sheet(sim, 31, 0.6, 0, &a);
    assert_int_equal(changes(sim), 1);
    s.u = s.v = 0.6;
    assert_int_equal(changes(sim), 0);
    size_t size = 0;
    kit_must(weft_sim_snapshot(sim, NULL, &size, NULL), NULL);
    void *kept = malloc(size);
    kit_must(weft_sim_snapshot(sim, kept, &size, NULL), NULL);
    for (int k = 0; k < 2; k++) {
        assert_int_equal(changes(sim), 0);
        assert_int_equal(changes(sim), 0);
        assert_int_equal(changes(sim), 2);
        if (k == 0)
            kit_must(weft_sim_restore(sim, kept, size, NULL), NULL);
    }
    s.radius = 0.1;
    assert_in_range(changes(sim), 8, 900);
    free(kept);
    weft_sim_destroy(sim);
}

/* ---- steps that come to nothing, cloths that go ------------------------------------------------------------------ */

static void a_cancelled_step_leaves_the_mesh_as_it_was(void **test)
{
    (void)test;
    weft_sim *sim[2];
    uint64_t hash[2];
    for (int k = 0; k < 2; k++) {
        sim[k] = kit_scene_sim(&kit_scenes[KIT_SCENES - 1], NULL);
        kit_steps(sim[k], 1, 1.0 / 60);
        for (int i = 0; i < 4; i++) {
            kit_fingerprint before = kit_fingerprint_of(sim[k]);
            if (k == 1) {
                weft_sim_cancel(sim[k]);
                assert_int_equal(weft_sim_step(sim[k], 1.0 / 60, NULL, NULL), WEFT_ERROR_CANCELLED);
                kit_fingerprint after = kit_fingerprint_of(sim[k]);
                assert_int_equal(before.hash, after.hash);
                assert_int_equal(before.n_nodes, after.n_nodes);
            }
            kit_steps(sim[k], 1, 1.0 / 60);
        }
        hash[k] = weft_sim_hash(sim[k]);
    }
    assert_int_equal(hash[0], hash[1]);
    weft_sim_destroy(sim[0]);
    weft_sim_destroy(sim[1]);
}

/* Three cloths, the middle one split; what is left goes on as if it had been alone. */
static void a_split_cloth_can_be_removed(void **test)
{
    (void)test;
    weft_sim *sim = plain_sim(true), *alone = plain_sim(true);
    spot s = {0.25, 0.25, 0.2, 0.03};
    weft_adapt a = adapt_often(2, &s);
    weft_cloth_id first = sheet(sim, 6, 0.5, 0, &a), gone = sheet(sim, 5, 0.5, 1, &a), last = sheet(sim, 6, 0.5, 2, &a);
    int32_t corners[2] = {0, 5};
    weft_cloth_id alone_first = sheet(alone, 6, 0.5, 0, &a), alone_last = sheet(alone, 6, 0.5, 2, &a);
    weft_attachment_id pin = kit_pin(sim, last, 2, corners), alone_pin = kit_pin(alone, alone_last, 2, corners);
    kit_must(weft_cloth_remove(sim, gone, NULL), NULL);
    gone = sheet(sim, 5, 0.5, 1, &a);
    kit_must(weft_cloth_remove(sim, gone, NULL), NULL);
    for (int k = 0; k < 3; k++) {
        step(sim, 1.0 / 60);
        step(alone, 1.0 / 60);
    }
    gone = sheet(sim, 5, 0.5, 1, &a);
    kit_must(weft_cloth_remove(sim, gone, NULL), NULL);
    kit_must(weft_cloth_remove(sim, first, NULL), NULL);
    kit_must(weft_cloth_remove(alone, alone_first, NULL), NULL);
    for (int k = 0; k < 3; k++) {
        step(sim, 1.0 / 60);
        step(alone, 1.0 / 60);
    }
    assert_int_equal(weft_sim_hash(sim), weft_sim_hash(alone));
    weft_vec3 f, g;
    kit_must(weft_attachment_get_force(sim, pin, &f, NULL, 0, NULL), NULL);
    kit_must(weft_attachment_get_force(alone, alone_pin, &g, NULL, 0, NULL), NULL);
    assert_true(same_place(f, g));
    weft_sim_destroy(sim);
    weft_sim_destroy(alone);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(on_a_ball_it_splits_keeps_clear_and_hanging_nodes_hang),
        cmocka_unit_test(explicit_steps_adapt_too),
        cmocka_unit_test(hashes_do_not_depend_on_threads),
        cmocka_unit_test(crumpled_then_pulled_flat_it_has_its_first_nodes_again),
        cmocka_unit_test(nodes_between_pins_stay_exactly_between),
        cmocka_unit_test(nodes_between_rings_slide_on_the_rod),
        cmocka_unit_test(attached_and_tied_nodes_stay_and_keep_their_hold),
        cmocka_unit_test(shapes_go_there_and_back),
        cmocka_unit_test(at_the_limit_of_nodes_it_warns_and_goes_on),
        cmocka_unit_test(a_few_that_should_change_wait_and_many_do_not),
        cmocka_unit_test(bad_numbers_are_named),
        cmocka_unit_test(faces_do_not_get_smaller_than_wanted),
        cmocka_unit_test(a_cancelled_step_leaves_the_mesh_as_it_was),
        cmocka_unit_test(a_split_cloth_can_be_removed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
