/* SPDX-License-Identifier: MIT */
/* Sides and layers in scenes: they come to the simulation, resolve to themselves, and wrong ones are told with their
 * place. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <weft/io.h>

#include <cmocka.h>

#define CLOTHS                                                                                                         \
    "cloths:\n"                                                                                                        \
    "  shirt: {grid: {size: [0.2, 0.2], nodes: [5, 5]}, side: in}\n"                                                   \
    "  coat: {grid: {size: [0.2, 0.2], nodes: [5, 5], corner: [0, 0.1, 0]}}\n"

static weft_scene *parse(const char *text)
{
    weft_scene *s = NULL;
    weft_error e = {0};
    if (weft_scene_parse("s.yaml", NULL, text, strlen(text), NULL, 0, &s, &e) < 0)
        fail_msg("%s", e.text);
    return s;
}

static void sides_and_layers_come_to_the_simulation(void **test)
{
    (void)test;
    weft_scene *s = parse(CLOTHS "layers: [{inner: shirt, outer: coat}]\n");
    weft_stage *st = NULL;
    weft_error e = {0};
    weft_layer got;
    weft_untangle_side sides[2];
    int32_t n = 0;
    assert_int_equal(weft_stage_create(s, NULL, &st, &e), WEFT_OK);
    assert_int_equal(weft_sim_get_layers(st->sim, &got, 1, &n, &e), WEFT_OK);
    assert_int_equal(n, 1);
    assert_int_equal(got.inner.index, st->cloths[0].index);
    assert_int_equal(got.outer.index, st->cloths[1].index);
    for (int i = 0; i < 2; i++)
        assert_int_equal(weft_cloth_get_side(st->sim, st->cloths[i], &sides[i], &e), WEFT_OK);
    assert_int_equal(sides[0], WEFT_SIDE_IN);
    assert_int_equal(sides[1], WEFT_SIDE_DYNAMIC);
    weft_stage_destroy(st);
    weft_scene_free(s);
}

static void they_resolve_to_themselves(void **test)
{
    (void)test;
    weft_scene *s = parse(CLOTHS "layers: [{inner: shirt, outer: coat}]\n");
    weft_error e = {0};
    char *text = NULL;
    assert_int_equal(weft_scene_resolve(s, &text, &e), WEFT_OK);
    weft_scene *again = parse(text);
    assert_int_equal(again->n_layers, 1);
    assert_int_equal(again->layers[0].inner, 0);
    assert_int_equal(again->layers[0].outer, 1);
    assert_int_equal(again->cloths[0].side, WEFT_SIDE_IN);
    weft_text_free(text);
    weft_scene_free(again);
    weft_scene_free(s);
}

static void expect_told(const char *text, const char *part)
{
    weft_scene *s = NULL;
    weft_error e = {0};
    assert_true(weft_scene_parse("s.yaml", NULL, text, strlen(text), NULL, 0, &s, &e) < 0);
    if (!strstr(e.text, part))
        fail_msg("'%s' does not say '%s'", e.text, part);
}

static void wrong_ones_are_told_with_their_place(void **test)
{
    (void)test;
    expect_told(CLOTHS "layers: [{inner: shirt, outer: cote}]\n", "s.yaml:4:");
    expect_told(CLOTHS "layers: [{inner: shirt, outer: cote}]\n", "expected one of shirt, coat");
    expect_told(CLOTHS "layers: [{inner: shirt}]\n", "outer");
    expect_told(CLOTHS "layers: [{inner: coat, outer: coat}]\n", "cannot be worn over itself");
    expect_told(CLOTHS "layers: [{inner: coat, outer: shirt}, {inner: shirt, outer: coat}]\n",
                "layers.1 is the other way round than layers.0");
    expect_told("cloths: {a: {grid: {size: [1, 1], nodes: [3, 3]}, side: above}}\n", "dynamic, out, in or plain");
    expect_told(CLOTHS "colliders: {b: {shape: sphere, radius: 1, side: out}}\n", "side");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sides_and_layers_come_to_the_simulation),
        cmocka_unit_test(they_resolve_to_themselves),
        cmocka_unit_test(wrong_ones_are_told_with_their_place),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
