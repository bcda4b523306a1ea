/* SPDX-License-Identifier: MIT */
/* ctest: labels=slow timeout=300 */
/* Strips between clamps, on every mesh: bent as a heavy elastica, pulled, sheared, twisted, turned by keys. Pinning two
 * rows in place of a clamp begins to bend half a cell too late. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "physics/elastica.h"
#include "physics/strip.h"

#include <cmocka.h>

#define PI 3.14159265358979323846

static weft_attachment_id clamp_row(const strip *p, weft_sim *sim, int i, const weft_key *keys, int n_keys)
{
    int32_t nodes[128];
    weft_attachment_def d = weft_attachment_def_default();
    weft_attachment_id id;
    weft_error e;
    for (int j = 0; j <= p->def.n_width; j++)
        nodes[j] = strip_node(p, i, j);
    d.kind = WEFT_ATTACH_CLAMP;
    d.cloth = p->cloth;
    d.nodes = nodes;
    d.n_nodes = p->def.n_width + 1;
    d.keys = keys;
    d.n_keys = n_keys;
    lab_ok(weft_attachment_create(sim, &d, &id, &e), &e);
    return id;
}

/* ---- bent -------------------------------------------------------------------------------------------------------- */

static elastica hang_out(const strip_def *d, bool pinned)
{
    weft_sim_def sd = lab_def(WEFT_INTEGRATOR_IMPLICIT);
    sd.newton_tolerance = 1e-6;
    sd.linear_tolerance = 1e-2;
    weft_sim *sim = lab_create(&sd);
    strip p;
    strip_create(&p, sim, d);
    if (pinned) {
        strip_pin_row(&p, sim, 0);
        strip_pin_row(&p, sim, 1);
    } else {
        clamp_row(&p, sim, 0, NULL, 0);
    }
    lab_settle(sim, 0.1, 1e-5, 3, 500);
    strip_look(&p, sim);
    weft_vec3 end = strip_row(&p, d->n_length);
    strip_destroy(&p);
    weft_sim_destroy(sim);
    return (elastica){-end.y, end.x};
}

static strip_def cantilever_def(const strip_model *m, int n, double rigidity)
{
    strip_def d = {.mesh = m->mesh, .stretch = m->stretch, .x = {1, 0, 0}, .y = {0, 0, -1}};
    d.length = 0.2;
    d.width = 4 * d.length / n;
    d.n_length = n;
    d.n_width = 4;
    d.fabric = weft_fabric_default();
    d.fabric.bending_warp = d.fabric.bending_weft = rigidity;
    return d;
}

/* Discrete turning angles err by about 1.6 (spacing/length)²: 0.3 % with 24 cells, and the strip's own stretch adds
 * less than w L/2E = 0.03 %. */
static void a_clamped_strip_is_the_heavy_elastica(void **state)
{
    (void)state;
    static const double rigidity[] = {5e-3, 1e-3, 2e-4};
    printf(
        "\ncantilever, 0.2 m, 24 cells, clamped at its end row: end below and beyond the clamp, mm; two pinned rows\n"
        "  model                wL³/B     drop  elastica            reach  elastica          two rows\n");
    for (int k = 0; k < STRIP_MODELS; k++)
        for (size_t i = 0; i < sizeof rigidity / sizeof *rigidity; i++) {
            strip_def d = cantilever_def(&strip_models[k], 24, rigidity[i]);
            double weight = d.fabric.density * LAB_G;
            elastica el = elastica_tip(d.length, weight, rigidity[i]), got = hang_out(&d, false);
            elastica rows = hang_out(&d, true);
            printf("  %-20s %5.1f  %7.3f  %8.3f (%+.2f %%)  %7.3f  %8.3f (%+.2f %%)  %+.1f %%\n", strip_models[k].name,
                   weight * pow(d.length, 3) / rigidity[i], 1e3 * got.drop, 1e3 * el.drop,
                   100 * (got.drop / el.drop - 1), 1e3 * got.reach, 1e3 * el.reach, 100 * (got.reach / el.reach - 1),
                   100 * (rows.drop / el.drop - 1));
            assert_true(fabs(got.drop / el.drop - 1) <= 0.02);
            assert_true(fabs(got.reach / el.reach - 1) <= 0.02);
        }
}

/* The same with ever fewer cells. */
static void a_few_cells_are_enough(void **state)
{
    (void)state;
    static const int cells[] = {6, 8, 12, 16};
    printf("\nthe same, wL³/B = 11.8: drop over that of the elastica, by number of cells\n");
    for (int k = 0; k < STRIP_MODELS; k++) {
        printf("  %-20s", strip_models[k].name);
        for (int i = 0; i < 4; i++) {
            strip_def d = cantilever_def(&strip_models[k], cells[i], 1e-3);
            elastica el = elastica_tip(d.length, d.fabric.density * LAB_G, 1e-3), got = hang_out(&d, false);
            printf("  %d: %.4f", cells[i], got.drop / el.drop);
            assert_true(fabs(got.drop / el.drop - 1) <= 0.02 + 1.6 / (cells[i] * cells[i]));
        }
        printf("\n");
    }
}

/* Levels differ along the line: nodes that come between clamped ones are clamped with them. */
static double fine_at_one_corner(void *user, weft_vec3 position, weft_vec2 uv)
{
    (void)user, (void)position;
    return uv.u < 0.06 && uv.v < 0.03 ? 0.005 : 1;
}

static void a_line_that_splits_stays_clamped(void **state)
{
    (void)state;
    printf("\nthe same, one corner of the clamped line twice as fine\n");
    for (int k = 0; k < STRIP_MODELS; k++) {
        strip_def d = cantilever_def(&strip_models[k], 24, 1e-3);
        d.adapt = (weft_adapt){.max_level = 1, .refine_angle = 3, .coarsen_angle = 1.5, .coarsen_way = 1};
        d.adapt.size = fine_at_one_corner;
        elastica el = elastica_tip(d.length, d.fabric.density * LAB_G, 1e-3), got = hang_out(&d, false);
        printf("  %-20s %.4f\n", strip_models[k].name, got.drop / el.drop);
        assert_true(fabs(got.drop / el.drop - 1) <= 0.03);
    }
}

/* ---- turned ------------------------------------------------------------------------------------------------------ */

/* A quarter turn about the clamped line: what stood out level hangs down along the turned direction; without gravity it
 * goes with the clamp, undeformed. */
static void a_clamp_turns_the_cloth_with_its_keys(void **state)
{
    (void)state;
    for (int k = 0; k < STRIP_MODELS; k++) {
        weft_sim_def sd = lab_def(WEFT_INTEGRATOR_BDF2);
        sd.gravity = (weft_vec3){0, 0, 0};
        sd.newton_tolerance = 1e-7;
        sd.linear_tolerance = 1e-3;
        weft_sim *sim = lab_create(&sd);
        strip_def d = cantilever_def(&strip_models[k], 12, 1e-3);
        d.fabric.damping_bending = 0.05;
        strip p;
        strip_create(&p, sim, &d);
        weft_key keys[2] = {{.time = 0, .rotation = {0, 0, 0, 1}},
                            {.time = 1, .rotation = {0, 0, sqrt(0.5), sqrt(0.5)}}};
        clamp_row(&p, sim, 0, keys, 2);
        for (int i = 0; i < 400; i++)
            lab_step(sim, 0.02);
        strip_look(&p, sim);
        weft_vec3 end = strip_row(&p, d.n_length);
        printf("turned by 90 degrees: %-20s end at (%.5f, %.5f)\n", strip_models[k].name, end.x, end.y);
        assert_true(fabs(end.x) <= 1e-3 && fabs(end.y - d.length) <= 1e-3);
        strip_destroy(&p);
        weft_sim_destroy(sim);
    }
}

/* ---- pulled, sheared, twisted ------------------------------------------------------------------------------------ */

typedef enum way { PULLED, SHEARED, TWISTED, BIASED, WAYS } way;
static const char *const way_names[WAYS] = {"pulled by 1 %", "sheared by 3 mm", "twisted by 60 degrees",
                                            "cut on the bias, pulled by 1 %"};

typedef struct reaction {
    double force, torque;
} reaction;

/* Bends little: beams of quads would resist a bend of threads in the strip's plane, too, and 1e-3 N m is 1.5 % of what
 * stretch has there.
 *
 * What the strip exerts on the clamp at its far end: along the way it is moved, and about its axis. */
static reaction strain_strip(const strip_model *m, const weft_fabric *fabric, int n_width, way w)
{
    weft_sim_def sd = lab_def(WEFT_INTEGRATOR_IMPLICIT);
    sd.gravity = (weft_vec3){0, 0, 0};
    sd.newton_tolerance = 1e-8;
    sd.linear_tolerance = 1e-3;
    weft_sim *sim = lab_create(&sd);
    strip_def d = {.mesh = m->mesh, .stretch = m->stretch, .x = {1, 0, 0}, .y = {0, 0, -1}};
    d.length = STRIP_LENGTH;
    d.width = STRIP_WIDTH;
    d.start.z = 0.5 * STRIP_WIDTH;
    d.n_length = 3 * n_width;
    d.n_width = n_width;
    d.biased = w == BIASED;
    d.fabric = *fabric;
    d.fabric.poisson = 0;
    d.fabric.bending_warp = d.fabric.bending_weft = 1e-6;
    strip p;
    weft_error e;
    strip_create(&p, sim, &d);
    clamp_row(&p, sim, 0, NULL, 0);
    weft_key keys[2] = {{.time = 0, .rotation = {0, 0, 0, 1}}, {.time = 1, .rotation = {0, 0, 0, 1}}};
    if (w == PULLED || w == BIASED)
        keys[1].position.x = STRIP_STRAIN * STRIP_LENGTH;
    if (w == SHEARED)
        keys[1].position.z = 3e-3;
    if (w == TWISTED)
        keys[1].rotation = (weft_quat){sin(PI / 6), 0, 0, cos(PI / 6)};
    weft_attachment_id far = clamp_row(&p, sim, d.n_length, keys, 2);
    for (int i = 0; i < 20; i++)
        lab_step(sim, 0.05);
    lab_settle(sim, 0.5, 1e-7, 2, 300);
    weft_vec3 f, each[128];
    lab_ok(weft_attachment_get_force(sim, far, &f, each, 128, &e), &e);
    strip_look(&p, sim);
    reaction r = {w == SHEARED ? -f.z : -f.x, 0};
    for (int j = 0; j <= n_width; j++) {
        const weft_vec3 *x = &p.at[strip_node(&p, d.n_length, j)];
        r.torque -= x->y * each[j].z - x->z * each[j].y;
    }
    strip_destroy(&p);
    weft_sim_destroy(sim);
    return r;
}

/* Of all meshes with 24 cells across, within 2 %. */
static void check_strain(const char *name, const weft_fabric *fabric, way w)
{
    double low = HUGE_VAL, high = -HUGE_VAL;
    printf("\n%s between clamps, %s: %s\n", name, way_names[w], w == TWISTED ? "torque, N m; pull, N" : "force, N");
    for (int k = 0; k < STRIP_MODELS; k++) {
        printf("  %-20s", strip_models[k].name);
        for (int n = 8; n <= 24; n *= 3) {
            reaction r = strain_strip(&strip_models[k], fabric, n, w);
            double v = w == TWISTED ? r.torque : r.force;
            printf("  %d cells: %.6f", n, v);
            if (w == TWISTED)
                printf(" %.5f", r.force);
            low = n == 24 ? fmin(low, fabs(v)) : low;
            high = n == 24 ? fmax(high, fabs(v)) : high;
        }
        printf("\n");
    }
    printf("  between the meshes: %.2f %%\n", 100 * (high / low - 1));
    assert_true(high / low <= 1.02);
}

static void clamped_strips_resist_alike_on_every_mesh(void **state)
{
    (void)state;
    weft_fabric plain = strip_fabric(), silk;
    assert_int_equal(weft_fabric_find("silk", &silk, NULL), WEFT_OK);
    for (int w = 0; w < WAYS; w++)
        check_strain("strip", &plain, (way)w);
    check_strain("silk", &silk, PULLED);
    check_strain("silk", &silk, BIASED);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_clamped_strip_is_the_heavy_elastica),
        cmocka_unit_test(a_few_cells_are_enough),
        cmocka_unit_test(a_line_that_splits_stays_clamped),
        cmocka_unit_test(a_clamp_turns_the_cloth_with_its_keys),
        cmocka_unit_test(clamped_strips_resist_alike_on_every_mesh),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
