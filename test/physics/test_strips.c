/* SPDX-License-Identifier: MIT */
/* ctest: labels=slow timeout=300 */
/* The same strip of fabric, 0.3 × 0.1 m, pulled, hung and bent: the answer must not depend on the mesh, nor, for the
 * pull, on the model.
 *
 * Tolerances. Pulled between its ends the strip is in uniform strain, which every mesh of membrane or springs holds
 * exactly (the patch test), so a difference of 1 % would be an error in a modulus. Hung from its top edge, free to
 * contract, the strain is linear along the strip, and linear elements with the weight lumped at nodes have the exact
 * displacement at nodes on regular meshes. Bent, the discrete turning angles err by about 1.6 (spacing/length)²: with 9
 * cells over the half-strip 2 %, and less with more; 3 % between meshes leaves room for nothing else, 5 % on irregular
 * ones. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "physics/elastica.h"
#include "physics/strip.h"

#include <cmocka.h>

#define RESOLUTIONS 3

static const char *direction(bool along_weft)
{
    return along_weft ? "weft" : "warp";
}

static strip_def strip_of(const strip_model *m, int n_width, bool along_weft)
{
    return (strip_def){.mesh = m->mesh,
                       .stretch = m->stretch,
                       .length = STRIP_LENGTH,
                       .width = STRIP_WIDTH,
                       .n_length = 3 * n_width,
                       .n_width = n_width,
                       .along_weft = along_weft,
                       .x = {1, 0, 0},
                       .y = {0, 0, -1},
                       .fabric = strip_fabric()};
}

static double spread(const double *v, int n)
{
    double low = v[0], high = v[0];
    for (int i = 1; i < n; i++) {
        low = fmin(low, v[i]);
        high = fmax(high, v[i]);
    }
    return (high - low) / fabs(0.5 * (high + low));
}

/* ---- pulled ------------------------------------------------------------------------------------------------------ */

typedef struct pull {
    const strip *p;
    double force;
} pull;

/* A traction on both ends. */
static void pull_ends(void *user, weft_cloth_id cloth, double time, int32_t n, const weft_vec3 *x, const weft_vec3 *v,
                      const double *masses, weft_vec3 *forces)
{
    const pull *q = user;
    const strip *p = q->p;
    (void)cloth, (void)time, (void)n, (void)x, (void)v, (void)masses;
    int end = p->def.n_length;
    for (int j = 0; j <= p->def.n_width; j++) {
        forces[strip_node(p, 0, j)].x -= q->force * strip_share(p, 0, j);
        forces[strip_node(p, end, j)].x += q->force * strip_share(p, end, j);
    }
}

typedef struct pulled {
    double modulus, poisson;
} pulled;

/* Held by its middle node only; the pull is in balance. */
static pulled settle_pulled(strip *p, weft_sim *sim, double force)
{
    const strip_def *d = &p->def;
    int32_t centre = strip_node(p, d->n_length / 2, d->n_width / 2);
    lab_pin(sim, p->cloth, &centre, 1);
    lab_settle(sim, 0.5, 1e-9, 1, 100);
    strip_look(p, sim);
    double strain = (strip_row(p, d->n_length).x - strip_row(p, 0).x) / STRIP_LENGTH - 1;
    double width = p->at[strip_node(p, d->n_length / 2, 0)].z - p->at[strip_node(p, d->n_length / 2, d->n_width)].z;
    return (pulled){force / (STRIP_WIDTH * strain), (1 - width / STRIP_WIDTH) / strain};
}

static pulled pull_strip(const strip_model *m, int n_width, bool along_weft, weft_cloth_info *info)
{
    strip p;
    pull q = {&p, STRIP_STRAIN * STRIP_WIDTH * strip_modulus(along_weft)};
    weft_sim_def sd = lab_def(WEFT_INTEGRATOR_IMPLICIT);
    sd.gravity = (weft_vec3){0, 0, 0};
    sd.force = pull_ends;
    sd.force_user = &q;
    weft_sim *sim = lab_create(&sd);
    strip_def d = strip_of(m, n_width, along_weft);
    strip_create(&p, sim, &d);
    weft_error e;
    lab_ok(weft_cloth_get_info(sim, p.cloth, info, &e), &e);
    pulled r = settle_pulled(&p, sim, q.force);
    strip_destroy(&p);
    weft_sim_destroy(sim);
    return r;
}

static void pulled_strip_has_the_fabrics_modulus_on_every_mesh(void **state)
{
    (void)state;
    static const int n_width[RESOLUTIONS] = {4, 8, 16};
    printf("\npulled by %g %%: force over width and strain, N/m; contraction across over strain\n"
           "  model                along     4 cells    8 cells   16 cells   fabric    spread   Poisson  said\n",
           100 * STRIP_STRAIN);
    for (int along_weft = 0; along_weft < 2; along_weft++)
        for (int k = 0; k < STRIP_MODELS; k++) {
            double e[RESOLUTIONS];
            weft_cloth_info info;
            pulled r = {0, 0};
            for (int i = 0; i < RESOLUTIONS; i++) {
                r = pull_strip(&strip_models[k], n_width[i], along_weft, &info);
                e[i] = r.modulus;
            }
            double said = along_weft ? info.poisson_weft : info.poisson_warp;
            printf("  %-20s %s   %9.4f  %9.4f  %9.4f  %7.2f  %6.4f %%   %.4f  %.4f\n", strip_models[k].name,
                   direction(along_weft), e[0], e[1], e[2], strip_modulus(along_weft), 100 * spread(e, RESOLUTIONS),
                   r.poisson, said);
            /* The membrane's strain is linear in the stretch: exact up to what the solver leaves, 1e-9 of 3e-3 m. The
             * diagonals of springs turn with the strain. */
            double tolerance = strip_models[k].stretch == WEFT_STRETCH_MEMBRANE ? 1e-6 : 0.01;
            assert_true(spread(e, RESOLUTIONS) <= tolerance);
            for (int i = 0; i < RESOLUTIONS; i++)
                assert_true(fabs(e[i] / strip_modulus(along_weft) - 1) <= tolerance);
            /* A contraction of second order in the strain is not in the ratio. */
            assert_true(fabs(r.poisson - said) <= 2 * STRIP_STRAIN * said);
        }
}

/* Cells that are not square: the springs' law has their shape in it. */
static void pulled_springs_know_the_shape_of_their_cells(void **state)
{
    (void)state;
    static const int shape[][2] = {{24, 4}, {12, 8}, {16, 8}};
    strip p;
    printf("\npulled springs in cells that are not square: N/m\n");
    for (int along_weft = 0; along_weft < 2; along_weft++)
        for (size_t i = 0; i < sizeof shape / sizeof *shape; i++) {
            pull q = {&p, STRIP_STRAIN * STRIP_WIDTH * strip_modulus(along_weft)};
            weft_sim_def sd = lab_def(WEFT_INTEGRATOR_IMPLICIT);
            sd.gravity = (weft_vec3){0, 0, 0};
            sd.force = pull_ends;
            sd.force_user = &q;
            weft_sim *sim = lab_create(&sd);
            strip_def d = strip_of(&strip_models[0], 4, along_weft);
            d.n_length = shape[i][0];
            d.n_width = shape[i][1];
            strip_create(&p, sim, &d);
            pulled r = settle_pulled(&p, sim, q.force);
            printf("  %4.1f × %4.1f mm, %s  %9.4f  fabric %.2f\n", 1e3 * STRIP_LENGTH / d.n_length,
                   1e3 * STRIP_WIDTH / d.n_width, direction(along_weft), r.modulus, strip_modulus(along_weft));
            assert_true(fabs(r.modulus / strip_modulus(along_weft) - 1) <= 0.01);
            strip_destroy(&p);
            weft_sim_destroy(sim);
        }
}

/* ---- gripped ----------------------------------------------------------------------------------------------------- */

/* Both ends held and drawn apart; the force is read from the pins. Returns force / (width · strain). */
static double grip_strip(const strip_model *m, int n_width, bool along_weft)
{
    strip p;
    weft_error e;
    weft_sim_def sd = lab_def(WEFT_INTEGRATOR_IMPLICIT);
    sd.gravity = (weft_vec3){0, 0, 0};
    weft_sim *sim = lab_create(&sd);
    strip_def d = strip_of(m, n_width, along_weft);
    strip_create(&p, sim, &d);
    weft_attachment_id left = strip_pin_row(&p, sim, 0), right = strip_pin_row(&p, sim, d.n_length);
    weft_vec3 to[64], f, g;
    for (int j = 0; j <= n_width; j++) {
        to[j] = p.at[strip_node(&p, d.n_length, j)];
        to[j].x += STRIP_STRAIN * STRIP_LENGTH;
    }
    lab_ok(weft_attachment_set_targets(sim, right, to, n_width + 1, &e), &e);
    lab_step(sim, 0.5);
    lab_settle(sim, 0.5, 1e-9, 1, 100);
    lab_ok(weft_attachment_get_force(sim, left, &f, NULL, 0, &e), &e);
    lab_ok(weft_attachment_get_force(sim, right, &g, NULL, 0, &e), &e);
    strip_destroy(&p);
    weft_sim_destroy(sim);
    /* What the cloth exerts: towards each other, and in balance up to the solver's tolerance: a node that would still
     * move by 1e-10 m against ~40 N/m. */
    assert_true(f.x > 0 && fabs(f.x + g.x) <= 1e-7 * f.x);
    return f.x / (STRIP_WIDTH * STRIP_STRAIN);
}

static void gripped_strip_pulls_alike_on_every_mesh(void **state)
{
    (void)state;
    static const int n_width[RESOLUTIONS] = {4, 8, 16};
    printf("\ndrawn apart by %g %% between grips: force over width and strain, N/m, from the pins\n"
           "  model                along     4 cells    8 cells   16 cells   spread\n",
           100 * STRIP_STRAIN);
    for (int along_weft = 0; along_weft < 2; along_weft++) {
        double finest[STRIP_MODELS];
        for (int k = 0; k < STRIP_MODELS; k++) {
            double e[RESOLUTIONS];
            for (int i = 0; i < RESOLUTIONS; i++)
                e[i] = grip_strip(&strip_models[k], n_width[i], along_weft);
            finest[k] = e[RESOLUTIONS - 1];
            printf("  %-20s %s   %9.4f  %9.4f  %9.4f  %6.4f %%\n", strip_models[k].name, direction(along_weft), e[0],
                   e[1], e[2], 100 * spread(e, RESOLUTIONS));
            assert_true(spread(e, RESOLUTIONS) <= 0.01);
        }
        printf("  between the models   %s   %.4f %%\n", direction(along_weft), 100 * spread(finest, STRIP_MODELS));
        assert_true(spread(finest, STRIP_MODELS) <= 0.01);
    }
}

/* ---- hung -------------------------------------------------------------------------------------------------------- */

/* The top edge is held by its middle node and slides without friction along a rod: free to contract. */
static void hold_top(const strip *p, weft_sim *sim)
{
    int32_t middle = strip_node(p, 0, p->def.n_width / 2), others[64];
    int n = 0;
    weft_attachment_def d = weft_attachment_def_default();
    weft_attachment_id id;
    weft_error e;
    for (int j = 0; j <= p->def.n_width; j++)
        if (2 * j != p->def.n_width)
            others[n++] = strip_node(p, 0, j);
    lab_pin(sim, p->cloth, &middle, 1);
    d.kind = WEFT_ATTACH_ROD;
    d.cloth = p->cloth;
    d.nodes = others;
    d.n_nodes = n;
    d.rod_point = p->def.start;
    d.rod_direction = p->def.y;
    d.rod_friction = 0;
    lab_ok(weft_attachment_create(sim, &d, &id, &e), &e);
}

static double hang_strip(const strip_model *m, int n_width, bool along_weft)
{
    strip p;
    weft_sim_def sd = lab_def(WEFT_INTEGRATOR_IMPLICIT);
    weft_sim *sim = lab_create(&sd);
    strip_def d = strip_of(m, n_width, along_weft);
    d.x = (weft_vec3){0, -1, 0};
    strip_create(&p, sim, &d);
    hold_top(&p, sim);
    lab_settle(sim, 0.5, 1e-9, 1, 100);
    strip_look(&p, sim);
    double longer = -strip_row(&p, d.n_length).y - STRIP_LENGTH;
    strip_destroy(&p);
    weft_sim_destroy(sim);
    return longer;
}

static void hung_strip_stretches_by_its_weight(void **state)
{
    (void)state;
    static const int n_width[RESOLUTIONS] = {4, 8, 16};
    printf("\nhung from its top edge: stretch at the lower end, mm\n"
           "  model                along     4 cells    8 cells   16 cells   ρgL²/2E   spread\n");
    for (int along_weft = 0; along_weft < 2; along_weft++)
        for (int k = 0; k < STRIP_MODELS; k++) {
            double u[RESOLUTIONS],
                known = strip_fabric().density * LAB_G * STRIP_LENGTH * STRIP_LENGTH / (2 * strip_modulus(along_weft));
            for (int i = 0; i < RESOLUTIONS; i++)
                u[i] = hang_strip(&strip_models[k], n_width[i], along_weft);
            printf("  %-20s %s   %9.5f  %9.5f  %9.5f  %8.5f  %6.4f %%\n", strip_models[k].name, direction(along_weft),
                   1e3 * u[0], 1e3 * u[1], 1e3 * u[2], 1e3 * known, 100 * spread(u, RESOLUTIONS));
            assert_true(spread(u, RESOLUTIONS) <= 0.01);
            for (int i = 0; i < RESOLUTIONS; i++)
                assert_true(fabs(u[i] / known - 1) <= 0.01);
        }
}

/* ---- bent -------------------------------------------------------------------------------------------------------- */

/* Laid over a ridge along its middle line, both halves sag. The ridge is a clamp by symmetry, exact on every mesh; a
 * clamp of two pinned rows would begin at a place that depends on the spacing. */
static double bend_strip(const strip_model *m, weft_bending_model bending, int n_width, bool along_weft)
{
    strip p;
    weft_sim_def sd = lab_def(WEFT_INTEGRATOR_IMPLICIT);
    /* A tenth of a percent of the sag is 7e-5 m. */
    sd.newton_tolerance = 1e-6;
    sd.linear_tolerance = 1e-2;
    weft_sim *sim = lab_create(&sd);
    strip_def d = strip_of(m, n_width, along_weft);
    d.bending = bending;
    strip_create(&p, sim, &d);
    strip_pin_row(&p, sim, d.n_length / 2);
    lab_settle(sim, 0.1, 1e-5, 3, 200);
    strip_look(&p, sim);
    double drop = -0.5 * (strip_row(&p, 0).y + strip_row(&p, d.n_length).y);
    strip_destroy(&p);
    weft_sim_destroy(sim);
    return drop;
}

static double sagged(bool along_weft)
{
    weft_fabric f = strip_fabric();
    return elastica_tip(0.5 * STRIP_LENGTH, f.density * LAB_G, along_weft ? f.bending_weft : f.bending_warp).drop;
}

static void print_bent(const char *name, const char *bending, bool along_weft, const double *drop)
{
    printf("  %-20s %-7s %s   %9.4f  %9.4f  %9.4f  %8.4f  %6.3f %%\n", name, bending, direction(along_weft),
           1e3 * drop[0], 1e3 * drop[1], 1e3 * drop[2], 1e3 * sagged(along_weft), 100 * spread(drop, RESOLUTIONS));
}

static void bent_strip_sags_alike_on_every_mesh(void **state)
{
    (void)state;
    static const int n_width[RESOLUTIONS] = {6, 8, 12};
    printf("\nbent over a ridge by its weight: how far the ends hang below it, mm\n"
           "  model                bending along     6 cells    8 cells   12 cells  elastica   spread\n");
    for (int along_weft = 0; along_weft < 2; along_weft++)
        for (int k = 0; k < STRIP_MODELS; k++) {
            const strip_model *m = &strip_models[k];
            double drop[RESOLUTIONS];
            for (int i = 0; i < RESOLUTIONS; i++)
                drop[i] = bend_strip(m, WEFT_BENDING_AUTO, n_width[i], along_weft);
            print_bent(m->name, m->mesh == STRIP_QUADS ? "beams" : "tensor", along_weft, drop);
            assert_true(spread(drop, RESOLUTIONS) <= (m->mesh == STRIP_IRREGULAR ? 0.05 : 0.03));
        }
}

static void plain_hinges_beside(void **state)
{
    (void)state;
    static const int n_width[RESOLUTIONS] = {6, 8, 12};
    printf("\nthe same with plain hinges, for comparison\n");
    for (int along_weft = 0; along_weft < 2; along_weft++)
        for (int k = 0; k < STRIP_MODELS; k++) {
            const strip_model *m = &strip_models[k];
            double drop[RESOLUTIONS];
            if (m->mesh == STRIP_QUADS)
                continue;
            for (int i = 0; i < RESOLUTIONS; i++)
                drop[i] = bend_strip(m, WEFT_BENDING_HINGES, n_width[i], along_weft);
            print_bent(m->name, "hinges", along_weft, drop);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pulled_strip_has_the_fabrics_modulus_on_every_mesh),
        cmocka_unit_test(pulled_springs_know_the_shape_of_their_cells),
        cmocka_unit_test(gripped_strip_pulls_alike_on_every_mesh),
        cmocka_unit_test(hung_strip_stretches_by_its_weight),
        cmocka_unit_test(bent_strip_sags_alike_on_every_mesh),
        cmocka_unit_test(plain_hinges_beside),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
