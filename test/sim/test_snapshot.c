/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "sim/kit_scenes.h"

#include <cmocka.h>

typedef struct snapshot {
    unsigned char *bytes;
    size_t size;
} snapshot;

static snapshot take(const weft_sim *sim)
{
    weft_error e = {0};
    snapshot s = {0};
    kit_must(weft_sim_snapshot(sim, NULL, &s.size, &e), &e);
    s.bytes = malloc(s.size);
    assert_non_null(s.bytes);
    size_t before = s.size;
    kit_must(weft_sim_snapshot(sim, s.bytes, &s.size, &e), &e);
    assert_int_equal(s.size, before);
    return s;
}

static void restore(weft_sim *sim, const snapshot *s)
{
    weft_error e = {0};
    kit_must(weft_sim_restore(sim, s->bytes, s->size, &e), &e);
}

static weft_sim *make(const kit_scene *scene, int integrator)
{
    weft_sim_def d = weft_sim_def_default();
    d.integrator = (weft_integrator)integrator;
    d.newton_limit = 2; /* bits are compared, not quality */
    return kit_scene_sim(scene, &d);
}

enum { BEFORE = 10, AFTER = 5 };

/* Hash after each of the next steps. */
static void run_on(weft_sim *sim, int integrator, uint64_t hashes[AFTER])
{
    for (int k = 0; k < AFTER; k++) {
        kit_steps(sim, 1, kit_scene_step((weft_integrator)integrator));
        hashes[k] = weft_sim_hash(sim);
    }
}

static int compare(const char *what, const kit_scene *scene, int integrator, const uint64_t a[AFTER],
                   const uint64_t b[AFTER])
{
    for (int k = 0; k < AFTER; k++)
        if (a[k] != b[k]) {
            print_message("%s, integrator %d, restored %s: differs in step %d\n", scene->name, integrator, what, k + 1);
            return 1;
        }
    return 0;
}

/* Into the same simulation, into a new one, and into one that has been somewhere else: nothing outside the snapshot may
 * tell them apart. */
static int check_continues(const kit_scene *scene, int integrator)
{
    double h = kit_scene_step((weft_integrator)integrator);
    uint64_t wanted[AFTER], found[AFTER];
    int n_bad = 0;
    weft_sim *sim = make(scene, integrator), *fresh = make(scene, integrator), *used = make(scene, integrator);
    kit_steps(sim, BEFORE, h);
    snapshot s = take(sim);
    uint64_t hash = weft_sim_hash(sim);
    double time = weft_sim_time(sim);
    run_on(sim, integrator, wanted);
    restore(sim, &s);
    assert_int_equal(weft_sim_hash(sim), hash);
    assert_true(weft_sim_time(sim) == time);
    run_on(sim, integrator, found);
    n_bad += compare("after more steps", scene, integrator, wanted, found);
    restore(fresh, &s);
    assert_int_equal(weft_sim_hash(fresh), hash);
    run_on(fresh, integrator, found);
    n_bad += compare("into a new simulation", scene, integrator, wanted, found);
    kit_steps(used, 8, 0.6 * h);
    restore(used, &s);
    run_on(used, integrator, found);
    n_bad += compare("from another time", scene, integrator, wanted, found);
    weft_sim_destroy(sim);
    weft_sim_destroy(fresh);
    weft_sim_destroy(used);
    free(s.bytes);
    return n_bad;
}

static void restored_simulations_continue_bit_for_bit(void **state)
{
    (void)state;
    int n_bad = 0;
    for (int integrator = 0; integrator < 3; integrator++)
        for (int k = 0; k < KIT_SCENES; k++)
            n_bad += check_continues(&kit_scenes[k], integrator);
    assert_int_equal(n_bad, 0);
}

static void snapshots_of_the_start_bring_it_back(void **state)
{
    (void)state;
    weft_sim *sim = make(&kit_scenes[0], WEFT_INTEGRATOR_BDF2);
    uint64_t hash = weft_sim_hash(sim), first, again;
    snapshot s = take(sim);
    kit_steps(sim, 5, 1.0 / 60);
    first = weft_sim_hash(sim);
    restore(sim, &s);
    assert_int_equal(weft_sim_hash(sim), hash);
    kit_steps(sim, 5, 1.0 / 60);
    again = weft_sim_hash(sim);
    assert_int_equal(first, again);
    free(s.bytes);
    weft_sim_destroy(sim);
}

static void equal_states_have_equal_snapshots(void **state)
{
    (void)state;
    weft_sim *a = make(&kit_scenes[0], WEFT_INTEGRATOR_BDF2), *b = make(&kit_scenes[0], WEFT_INTEGRATOR_BDF2);
    kit_steps(a, 8, 1.0 / 60);
    kit_steps(b, 8, 1.0 / 60);
    snapshot sa = take(a), sb = take(b);
    assert_int_equal(sa.size, sb.size);
    assert_memory_equal(sa.bytes, sb.bytes, sa.size);
    free(sa.bytes);
    free(sb.bytes);
    weft_sim_destroy(a);
    weft_sim_destroy(b);
}

static void the_size_can_be_asked_for(void **state)
{
    (void)state;
    weft_sim *sim = make(&kit_scenes[5], WEFT_INTEGRATOR_BDF2);
    snapshot s = take(sim);
    weft_error e = {0};
    size_t less = s.size - 1;
    unsigned char *copy = malloc(s.size);
    assert_non_null(copy);
    memset(copy, 0x55, s.size);
    assert_int_equal(weft_sim_snapshot(sim, copy, &less, &e), WEFT_ERROR_ARGUMENT);
    assert_int_equal(e.code, WEFT_ERROR_ARGUMENT);
    for (size_t i = 0; i < s.size; i++)
        assert_int_equal(copy[i], 0x55);
    assert_int_equal(weft_sim_snapshot(sim, copy, NULL, &e), WEFT_ERROR_ARGUMENT);
    assert_int_equal(weft_sim_snapshot(NULL, copy, &less, &e), WEFT_ERROR_ARGUMENT);
    assert_int_equal(weft_sim_restore(NULL, s.bytes, s.size, &e), WEFT_ERROR_ARGUMENT);
    assert_int_equal(weft_sim_restore(sim, NULL, s.size, &e), WEFT_ERROR_ARGUMENT);
    free(copy);
    free(s.bytes);
    weft_sim_destroy(sim);
}

/* ---- what is refused --------------------------------------------------------------------------------------------- */

static void assert_refused(weft_sim *sim, const unsigned char *bytes, size_t size)
{
    weft_error e = {0};
    uint64_t before = weft_sim_hash(sim);
    assert_int_equal(weft_sim_restore(sim, bytes, size, &e), WEFT_ERROR_SNAPSHOT);
    assert_int_equal(e.code, WEFT_ERROR_SNAPSHOT);
    assert_true(strlen(e.text) > 0);
    assert_int_equal(weft_sim_restore(sim, bytes, size, NULL), WEFT_ERROR_SNAPSHOT);
    assert_int_equal(weft_sim_hash(sim), before);
}

/* Every byte of the header and the check sum, and many between them, one bit each. After all that the simulation goes
 * on like one that was never bothered. */
static void a_damaged_snapshot_is_refused(void **state)
{
    (void)state;
    weft_sim *sim = make(&kit_scenes[5], WEFT_INTEGRATOR_BDF2), *twin = make(&kit_scenes[5], WEFT_INTEGRATOR_BDF2);
    kit_steps(sim, 3, 1.0 / 60);
    kit_steps(twin, 3, 1.0 / 60);
    snapshot s = take(sim);
    kit_steps(sim, 4, 1.0 / 60);
    kit_steps(twin, 4, 1.0 / 60);
    for (size_t i = 0; i < s.size; i += i < 96 || i + 16 > s.size ? 1 : 97) {
        s.bytes[i] ^= (unsigned char)(1 << i % 8);
        assert_refused(sim, s.bytes, s.size);
        s.bytes[i] ^= (unsigned char)(1 << i % 8);
    }
    for (size_t size = 0; size < s.size; size += size < 64 ? 1 : 997) {
        unsigned char *shorter = malloc(size + 1); /* exactly, so that reading beyond is found */
        assert_non_null(shorter);
        memcpy(shorter, s.bytes, size);
        assert_refused(sim, shorter, size);
        free(shorter);
    }
    unsigned char *longer = calloc(s.size + 8, 1);
    assert_non_null(longer);
    assert_refused(sim, longer, s.size);
    memcpy(longer, s.bytes, s.size);
    assert_refused(sim, longer, s.size + 8);
    free(longer);
    kit_steps(sim, 3, 1.0 / 60);
    kit_steps(twin, 3, 1.0 / 60);
    assert_int_equal(weft_sim_hash(sim), weft_sim_hash(twin));
    free(s.bytes);
    weft_sim_destroy(sim);
    weft_sim_destroy(twin);
}

/* With the check sum made right again. */
static void assert_other_build(weft_sim *sim, const snapshot *s, size_t at, const void *bytes, size_t n,
                               const char *part)
{
    unsigned char *other = malloc(s->size);
    assert_non_null(other);
    memcpy(other, s->bytes, s->size);
    memcpy(other + at, bytes, n);
    uint64_t sum = hash_bytes(HASH_START, other, s->size - sizeof sum), before = weft_sim_hash(sim);
    memcpy(other + s->size - sizeof sum, &sum, sizeof sum);
    weft_error e, f;
    assert_int_equal(weft_sim_restore(sim, other, s->size, &e), WEFT_ERROR_VERSION);
    assert_int_equal(weft_snapshot_check(other, s->size, &f), WEFT_ERROR_VERSION);
    assert_string_equal(e.text, f.text);
    if (!strstr(e.text, part))
        fail_msg("'%s' does not say '%s'", e.text, part);
    assert_int_equal(weft_sim_hash(sim), before);
    free(other);
}

static void a_snapshot_of_another_build_is_refused_and_says_which(void **state)
{
    (void)state;
    enum { VERSION = 8, ORDER = 12, LIBRARY = 16, SIZES = 40 }; /* where they are in the header */
    weft_sim *sim = make(&kit_scenes[5], WEFT_INTEGRATOR_BDF2);
    kit_steps(sim, 3, 1.0 / 60);
    snapshot s = take(sim);
    weft_error e;
    kit_must(weft_snapshot_check(s.bytes, s.size, &e), &e);
    assert_int_equal(weft_snapshot_check(NULL, 0, &e), WEFT_ERROR_ARGUMENT);
    uint32_t version = 1000, n_nodes = 300, sizes = 1;
    char here[64];
    snprintf(here, sizeof here, "this is Weft %s", weft_version());
    assert_other_build(sim, &s, VERSION, &version, sizeof version, "(version 1000 of snapshots)");
    assert_other_build(sim, &s, ORDER, &n_nodes, sizeof n_nodes, "by an older Weft");
    assert_other_build(sim, &s, ORDER, &n_nodes, sizeof n_nodes, here);
    assert_other_build(sim, &s, LIBRARY, "98.7.6", 7, "written by Weft 98.7.6");
    assert_other_build(sim, &s, LIBRARY, "98.7.6", 7, here);
    assert_other_build(sim, &s, SIZES, &sizes, sizeof sizes, "other sizes");
    unsigned char swapped[4];
    for (int i = 0; i < 4; i++)
        swapped[i] = s.bytes[ORDER + 3 - i];
    assert_other_build(sim, &s, ORDER, swapped, 4, "the other byte order");
    free(s.bytes);
    weft_sim_destroy(sim);
}

static void a_snapshot_of_other_cloths_is_refused(void **state)
{
    (void)state;
    weft_sim_def d = weft_sim_def_default();
    weft_sim *a = kit_sim(&d), *b = kit_sim(&d), *c = kit_sim(&d), *large = NULL;
    kit_grid(a, 4, 0.3, 0, 0);
    kit_grid(b, 5, 0.3, 0, 0); /* another number of nodes */
    weft_grid_def oblong = kit_grid_def(2, 0.3, 0, 0);
    oblong.n_weft = 8; /* as many nodes, other faces */
    oblong.model.stretch = WEFT_STRETCH_MEMBRANE;
    weft_cloth_id id;
    kit_must(weft_cloth_create_grid(c, &oblong, &id, NULL), NULL);
    d.world_scale = 5; /* the same cloth on a coarser grid of positions */
    large = kit_sim(&d);
    kit_grid(large, 4, 0.3, 0, 0);
    kit_steps(a, 3, 1.0 / 60);
    snapshot s = take(a);
    assert_refused(b, s.bytes, s.size);
    assert_refused(c, s.bytes, s.size);
    assert_refused(large, s.bytes, s.size);
    kit_grid(a, 2, 0.1, 5, 5);
    assert_refused(a, s.bytes, s.size);
    free(s.bytes);
    weft_sim_destroy(a);
    weft_sim_destroy(b);
    weft_sim_destroy(c);
    weft_sim_destroy(large);
}

/* ---- other definitions ------------------------------------------------------------------------------------------- */

/* A sheet with one of everything that a snapshot belongs to; `other` makes one of them another. */
typedef enum other_thing {
    ALL_THE_SAME,
    NO_PIN,
    MORE_PINS,
    PIN_IS_SOFT,
    PIN_OF_MORE_NODES,
    PIN_OF_OTHER_NODES,
    ANOTHER_ROD,
    PIN_AT_ANOTHER_COLLIDER,
    BOX_FOR_BALL,
    SMALLER_BALL,
    MORE_COLLIDERS,
    NO_TIE,
    TIE_OF_OTHER_NODES,
    TIE_IS_WELDED,
    N_OTHER_THINGS
} other_thing;

static void attach(weft_sim *sim, weft_cloth_id sheet, weft_attachment_kind kind, int32_t n, int32_t first,
                   weft_collider_id collider, double rod_height)
{
    const int32_t nodes[] = {first, first + 1, first + 2};
    weft_error e = {0};
    weft_attachment_def d = weft_attachment_def_default();
    weft_attachment_id id;
    d.kind = kind;
    d.cloth = sheet;
    d.nodes = nodes;
    d.n_nodes = n;
    d.collider = collider;
    d.rod_point = (weft_vec3){0, rod_height, 0};
    kit_must(weft_attachment_create(sim, &d, &id, &e), &e);
}

static void tie_nodes(weft_sim *sim, weft_cloth_id sheet, int32_t a, bool weld)
{
    const int32_t b = 35;
    weft_error e = {0};
    weft_tie_def d = weft_tie_def_default();
    weft_tie_id id;
    d.cloth_a = d.cloth_b = sheet;
    d.nodes_a = &a;
    d.nodes_b = &b;
    d.n_pairs = 1;
    kit_must(weft_tie_create(sim, &d, &id, &e), &e);
    if (weld)
        kit_must(weft_tie_weld(sim, id, 1, &e), &e);
}

static weft_collider_id add_solid(weft_sim *sim, weft_collider_kind kind, double radius)
{
    weft_collider_def d = weft_collider_def_default();
    weft_collider_id id;
    d.kind = kind;
    d.radius = radius;
    d.position = (weft_vec3){0, -2, 0};
    kit_must(weft_collider_create(sim, &d, &id, NULL), NULL);
    return id;
}

static weft_sim *make_other(other_thing o)
{
    weft_sim_def d = weft_sim_def_default();
    d.response = WEFT_RESPONSE_NONE; /* what is held crosses: it is not motion that is tested */
    weft_sim *sim = kit_sim(&d);
    weft_cloth_id sheet = kit_grid(sim, 6, 0.3, 0, 0);
    weft_collider_id ball =
        add_solid(sim, o == BOX_FOR_BALL ? WEFT_COLLIDER_BOX : WEFT_COLLIDER_SPHERE, o == SMALLER_BALL ? 0.4 : 0.5);
    weft_collider_id second = add_solid(sim, WEFT_COLLIDER_SPHERE, 0.2);
    if (o == MORE_COLLIDERS)
        add_solid(sim, WEFT_COLLIDER_SPHERE, 0.2);
    attach(sim, sheet, WEFT_ATTACH_ROD, 2, 6, ball, o == ANOTHER_ROD ? 0.01 : 0);
    attach(sim, sheet, WEFT_ATTACH_COLLIDER, 1, 12, o == PIN_AT_ANOTHER_COLLIDER ? second : ball, 0);
    if (o != NO_PIN)
        attach(sim, sheet, o == PIN_IS_SOFT ? WEFT_ATTACH_SOFT : WEFT_ATTACH_PIN, o == PIN_OF_MORE_NODES ? 3 : 2,
               o == PIN_OF_OTHER_NODES ? 1 : 0, ball, 0);
    if (o == MORE_PINS)
        attach(sim, sheet, WEFT_ATTACH_PIN, 1, 18, ball, 0);
    if (o != NO_TIE)
        tie_nodes(sim, sheet, o == TIE_OF_OTHER_NODES ? 33 : 34, o == TIE_IS_WELDED);
    return sim;
}

static const struct {
    const char *text[3]; /* that the error names */
    bool cloths_alone;   /* weft_sim_restore_cloths takes it */
} other_things[N_OTHER_THINGS] = {
    [ALL_THE_SAME] = {{"", "", ""}, true},
    [NO_PIN] = {{"this simulation has no attachment 2", "a pin", ""}, true},
    [MORE_PINS] = {{"the snapshot has no attachment 3", "a pin", ""}, true},
    [PIN_IS_SOFT] = {{"attachment 2", "another kind", "a soft pin"}, true},
    [PIN_OF_MORE_NODES] = {{"attachment 2", "another number", "2 nodes"}, true},
    [PIN_OF_OTHER_NODES] = {{"attachment 2", "other nodes", ""}, true},
    [ANOTHER_ROD] = {{"attachment 0", "another rod", ""}, true},
    [PIN_AT_ANOTHER_COLLIDER] = {{"attachment 1", "collider", ""}, true},
    [BOX_FOR_BALL] = {{"collider 0", "another kind", "a box"}, true},
    [SMALLER_BALL] = {{"collider 0", "another shape", ""}, true},
    [MORE_COLLIDERS] = {{"the snapshot has no collider 2", "a sphere", ""}, true},
    [NO_TIE] = {{"this simulation has no tie 0", "not welded", ""}, true},
    [TIE_OF_OTHER_NODES] = {{"tie 0", "other nodes", ""}, true},
    [TIE_IS_WELDED] = {{"tie 0", "another kind", "welded"}, false},
};

static void other_definitions_are_refused_by_name(void **state)
{
    (void)state;
    weft_sim *sim = make_other(ALL_THE_SAME);
    kit_steps(sim, 3, 1.0 / 60);
    snapshot s = take(sim);
    uint64_t hash = weft_sim_hash(sim);
    for (other_thing o = ALL_THE_SAME; o < N_OTHER_THINGS; o++) {
        weft_error e = {0};
        weft_sim *other = make_other(o);
        uint64_t before = weft_sim_hash(other);
        weft_result r = weft_sim_restore(other, s.bytes, s.size, &e);
        assert_int_equal(r, o == ALL_THE_SAME ? WEFT_OK : WEFT_ERROR_SNAPSHOT);
        for (int k = 0; k < 3; k++)
            if (!strstr(e.text, other_things[o].text[k]))
                fail_msg("'%s' lacks '%s'", e.text, other_things[o].text[k]);
        assert_int_equal(weft_sim_hash(other), o == ALL_THE_SAME ? hash : before);
        r = weft_sim_restore_cloths(other, s.bytes, s.size, &e);
        assert_int_equal(r, other_things[o].cloths_alone ? WEFT_OK : WEFT_ERROR_SNAPSHOT);
        assert_int_equal(weft_sim_hash(other), other_things[o].cloths_alone ? hash : before);
        weft_sim_destroy(other);
    }
    free(s.bytes);
    weft_sim_destroy(sim);
}

static void an_empty_simulation_has_a_snapshot(void **state)
{
    (void)state;
    weft_sim_def d = weft_sim_def_default();
    weft_sim *sim = kit_sim(&d);
    kit_steps(sim, 2, 0.25);
    snapshot s = take(sim);
    kit_steps(sim, 2, 0.25);
    restore(sim, &s);
    assert_true(weft_sim_time(sim) == 0.5);
    kit_grid(sim, 3, 0.1, 0, 0);
    assert_refused(sim, s.bytes, s.size);
    free(s.bytes);
    weft_sim_destroy(sim);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(restored_simulations_continue_bit_for_bit),
        cmocka_unit_test(snapshots_of_the_start_bring_it_back),
        cmocka_unit_test(equal_states_have_equal_snapshots),
        cmocka_unit_test(the_size_can_be_asked_for),
        cmocka_unit_test(a_damaged_snapshot_is_refused),
        cmocka_unit_test(a_snapshot_of_another_build_is_refused_and_says_which),
        cmocka_unit_test(a_snapshot_of_other_cloths_is_refused),
        cmocka_unit_test(other_definitions_are_refused_by_name),
        cmocka_unit_test(an_empty_simulation_has_a_snapshot),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
