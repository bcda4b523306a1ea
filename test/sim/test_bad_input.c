/* SPDX-License-Identifier: MIT */
/* Wrong numbers, simulations, ids and forces. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include "sim/wrong.h"

#include <cmocka.h>

/* ---- numbers out of range, field by field ------------------------------------------------------------------------ */

typedef struct number_field {
    const char *name;
    size_t offset;
    double below, above;
} number_field;

#define FIELD(type, name, below, above)                                                                                \
    {                                                                                                                  \
#name, offsetof(type, name), below, above                                                                      \
    }

/* Takes a definition with one number changed; returns what the library says. */
typedef weft_result (*number_call)(world *w, size_t offset, double value, weft_error *e);

static void put_number(void *def, size_t offset, double value)
{
    memcpy((char *)def + offset, &value, sizeof value);
}

static bool check_number_once(world *w, number_call call, const number_field *f, double value)
{
    weft_error e = {0};
    weft_result wanted = isfinite(value) ? WEFT_ERROR_RANGE : WEFT_ERROR_NOT_FINITE;
    kit_fingerprint before = kit_fingerprint_of(w->sim);
    weft_result found = call(w, f->offset, value, &e), again = call(w, f->offset, value, NULL);
    kit_fingerprint after = kit_fingerprint_of(w->sim);
    bool ok = found == wanted && again == wanted && e.code == wanted && strstr(e.text, f->name) &&
              kit_same_fingerprint(&before, &after) && nothing_given_out(w);
    if (!ok)
        print_message("%s = %g: %d, wanted %d: \"%s\"\n", f->name, value, found, wanted, e.text);
    return ok;
}

static void check_numbers(number_call call, const number_field *fields, size_t n)
{
    world w;
    int32_t n_bad = 0;
    world_make(&w);
    kit_steps(w.sim, 2, 1.0 / 60);
    for (size_t i = 0; i < n; i++) {
        n_bad += !check_number_once(&w, call, &fields[i], KIT_NAN);
        n_bad += !check_number_once(&w, call, &fields[i], KIT_INFINITE);
        n_bad += !check_number_once(&w, call, &fields[i], -KIT_INFINITE);
        n_bad += !check_number_once(&w, call, &fields[i], fields[i].below);
        n_bad += !check_number_once(&w, call, &fields[i], fields[i].above);
    }
    kit_steps(w.sim, 1, 1.0 / 60);
    weft_sim_destroy(w.sim);
    assert_int_equal(n_bad, 0);
}

static weft_result sim_number(world *w, size_t offset, double value, weft_error *e)
{
    (void)w;
    weft_sim_def d = weft_sim_def_default();
    weft_sim *out = NULL;
    put_number(&d, offset, value);
    weft_result r = weft_sim_create(&d, &out, e);
    weft_sim_destroy(out);
    return r;
}

static void sim_numbers_are_checked(void **state)
{
    (void)state;
    static const number_field fields[] = {
        FIELD(weft_sim_def, newton_tolerance, 0, 1.1),
        FIELD(weft_sim_def, linear_tolerance, 0, 0.6),
        FIELD(weft_sim_def, velocity_bound, 0, 11),
        FIELD(weft_sim_def, contact_radius, -1e-9, 0.11),
        FIELD(weft_sim_def, contact_stiffness, 0, 1001),
        FIELD(weft_sim_def, pair_radius, -1e-9, 0.11),
        FIELD(weft_sim_def, air_density, -1e-9, 101),
        FIELD(weft_sim_def, drag_normal, -1e-9, 11),
        FIELD(weft_sim_def, drag_tangential, -1e-9, 11),
        FIELD(weft_sim_def, air_viscosity, -1e-9, 10001),
        {"gravity", offsetof(weft_sim_def, gravity.y), -2e4, 2e4},
        {"wind", offsetof(weft_sim_def, wind.z), -2e3, 2e3},
    };
    check_numbers(sim_number, fields, COUNT(fields));
}

static weft_result fabric_number(world *w, size_t offset, double value, weft_error *e)
{
    weft_grid_def d = kit_grid_def(3, 0.3, 0, 0);
    weft_fabric fabrics[2] = {weft_fabric_default(), weft_fabric_default()};
    put_number(&fabrics[1], offset, value);
    d.model.fabrics = fabrics;
    d.model.n_fabrics = 2;
    weft_result r = weft_cloth_create_grid(w->sim, &d, &w->new_cloth, e);
    if (e)
        assert_int_equal(e->element, 1);
    return r;
}

static void fabric_numbers_are_checked(void **state)
{
    (void)state;
    static const number_field fields[] = {
        FIELD(weft_fabric, density, 0, 101),           FIELD(weft_fabric, stretch_warp, 0, 1.1e7),
        FIELD(weft_fabric, stretch_weft, -1, 1.1e7),   FIELD(weft_fabric, shear, -1, 1.1e7),
        FIELD(weft_fabric, poisson, -0.1, 0.96),       FIELD(weft_fabric, bending_warp, -1e-9, 1001),
        FIELD(weft_fabric, bending_weft, -1e-9, 1001), FIELD(weft_fabric, damping_stretch, -1e-9, 11),
        FIELD(weft_fabric, damping_bending, -1, 11),   FIELD(weft_fabric, thickness, -1e-9, 0.11),
        FIELD(weft_fabric, friction, -1e-9, 11),       FIELD(weft_fabric, dissipation, -1e-9, 1.1),
        FIELD(weft_fabric, stretch_limit, 1, 11),      FIELD(weft_fabric, density, -1, 1e9),
    };
    check_numbers(fabric_number, fields, COUNT(fields));
}

static weft_result grid_number(world *w, size_t offset, double value, weft_error *e)
{
    weft_grid_def d = kit_grid_def(3, 0.3, 0, 0);
    put_number(&d, offset, value);
    return weft_cloth_create_grid(w->sim, &d, &w->new_cloth, e);
}

static void grid_numbers_are_checked(void **state)
{
    (void)state;
    static const number_field fields[] = {
        FIELD(weft_grid_def, size_warp, 0, 251),
        FIELD(weft_grid_def, size_weft, 1e-5, 251),
        {"corner", offsetof(weft_grid_def, corner.x), -251, 251},
        {"velocity", offsetof(weft_grid_def, velocity.x), -2e4, 2e4},
        {"pressure", offsetof(weft_grid_def, model.pressure), -2e6, 2e6},
    };
    check_numbers(grid_number, fields, COUNT(fields));
}

static weft_result collider_number(world *w, size_t offset, double value, weft_error *e)
{
    weft_collider_def d = weft_collider_def_default();
    put_number(&d, offset, value);
    return weft_collider_create(w->sim, &d, &w->new_collider, e);
}

static void collider_numbers_are_checked(void **state)
{
    (void)state;
    static const number_field fields[] = {
        FIELD(weft_collider_def, radius, 0, 1001),         FIELD(weft_collider_def, height, -1e-9, 1001),
        FIELD(weft_collider_def, size.x, 0, 1001),         FIELD(weft_collider_def, size.y, 0, 1001),
        FIELD(weft_collider_def, size.z, -1, 1001),        FIELD(weft_collider_def, friction, -1e-9, 101),
        FIELD(weft_collider_def, dissipation, -1e-9, 1.1),
    };
    check_numbers(collider_number, fields, COUNT(fields));
}

static weft_result soft_number(world *w, size_t offset, double value, weft_error *e)
{
    int32_t node = 7;
    weft_attachment_def d = attachment_def(w->sheet, &node, 1);
    d.kind = WEFT_ATTACH_SOFT;
    put_number(&d, offset, value);
    return weft_attachment_create(w->sim, &d, &w->new_attachment, e);
}

static weft_result rod_number(world *w, size_t offset, double value, weft_error *e)
{
    int32_t node = 7;
    weft_attachment_def d = attachment_def(w->sheet, &node, 1);
    d.kind = WEFT_ATTACH_ROD;
    put_number(&d, offset, value);
    return weft_attachment_create(w->sim, &d, &w->new_attachment, e);
}

static weft_result tie_number(world *w, size_t offset, double value, weft_error *e)
{
    int32_t a = 1, b = 1;
    weft_tie_def d = tie_def(w, &a, &b, 1);
    put_number(&d, offset, value);
    return weft_tie_create(w->sim, &d, &w->new_tie, e);
}

static void attachment_and_tie_numbers_are_checked(void **state)
{
    (void)state;
    static const number_field soft[] = {FIELD(weft_attachment_def, stiffness, 0, 1.1e7)};
    static const number_field rod[] = {FIELD(weft_attachment_def, rod_friction, -1e-9, 11),
                                       {"rod_point", offsetof(weft_attachment_def, rod_point.y), -1e7, 1e7}};
    static const number_field tie[] = {FIELD(weft_tie_def, stiffness, 0, 1.1e7),
                                       FIELD(weft_tie_def, length, -1e-9, 1001),
                                       FIELD(weft_tie_def, damping, -1e-9, 11)};
    check_numbers(soft_number, soft, COUNT(soft));
    check_numbers(rod_number, rod, COUNT(rod));
    check_numbers(tie_number, tie, COUNT(tie));
}

static weft_result step_number(world *w, size_t offset, double value, weft_error *e)
{
    (void)offset;
    return weft_sim_step(w->sim, value, NULL, e);
}

static weft_result wind_number(world *w, size_t offset, double value, weft_error *e)
{
    weft_vec3 v = {0, 0, 0};
    put_number(&v, offset, value);
    return weft_sim_set_wind(w->sim, v, e);
}

static weft_result gravity_number(world *w, size_t offset, double value, weft_error *e)
{
    weft_vec3 v = {0, 0, 0};
    put_number(&v, offset, value);
    return weft_sim_set_gravity(w->sim, v, e);
}

static void step_wind_and_gravity_are_checked(void **state)
{
    (void)state;
    static const number_field h[] = {{"h", 0, 0, 0.51}, {"h", 0, -1.0 / 60, 1e300}, {"h", 0, 0.9e-7, 1}};
    static const number_field wind[] = {{"wind", 0, -1001, 1001}, {"wind", 16, -1e300, 1e300}};
    static const number_field gravity[] = {{"gravity", 8, -10001, 10001}, {"gravity", 0, -1e200, 1e200}};
    check_numbers(step_number, h, COUNT(h));
    check_numbers(wind_number, wind, COUNT(wind));
    check_numbers(gravity_number, gravity, COUNT(gravity));
}

/* ---- simulations ------------------------------------------------------------------------------------------------- */

#define SIM(name, change)                                                                                              \
    static weft_result name(world *w, weft_error *e)                                                                   \
    {                                                                                                                  \
        weft_sim_def d = weft_sim_def_default();                                                                       \
        weft_sim *out = NULL;                                                                                          \
        (void)w;                                                                                                       \
        change;                                                                                                        \
        weft_result r = weft_sim_create(&d, &out, e);                                                                  \
        assert_null(out);                                                                                              \
        return r;                                                                                                      \
    }

SIM(sim_size_zero, d.struct_size = 0)
SIM(sim_size_larger, d.struct_size += 8)
SIM(sim_integrator_3, d.integrator = (weft_integrator)3)
SIM(sim_integrator_minus, d.integrator = (weft_integrator)-1)
SIM(sim_threads_minus, d.n_threads = -1)
SIM(sim_threads_many, d.n_threads = 257)
SIM(sim_newton_none, d.newton_limit = 0)
SIM(sim_newton_many, d.newton_limit = 1001)
SIM(sim_linear_none, d.linear_limit = 0)
SIM(sim_linear_many, d.linear_limit = 1000001)
SIM(sim_halving_minus, d.halving_limit = -1)
SIM(sim_halving_many, d.halving_limit = 11)
SIM(sim_scale_minus, d.world_scale = -1)
SIM(sim_scale_much, d.world_scale = 13)

static weft_result sim_no_def(world *w, weft_error *e)
{
    weft_sim *out = NULL;
    (void)w;
    return weft_sim_create(NULL, &out, e);
}

static weft_result sim_no_out(world *w, weft_error *e)
{
    weft_sim_def d = weft_sim_def_default();
    (void)w;
    return weft_sim_create(&d, NULL, e);
}

static weft_result no_sim_to_step(world *w, weft_error *e)
{
    (void)w;
    return weft_sim_step(NULL, 0.01, NULL, e);
}

static weft_result no_sim_for_wind(world *w, weft_error *e)
{
    (void)w;
    return weft_sim_set_wind(NULL, (weft_vec3){0, 0, 0}, e);
}

static weft_result no_sim_for_gravity(world *w, weft_error *e)
{
    (void)w;
    return weft_sim_set_gravity(NULL, (weft_vec3){0, 0, 0}, e);
}

static weft_result no_sim_for_grid(world *w, weft_error *e)
{
    weft_grid_def d = kit_grid_def(3, 1, 0, 0);
    return weft_cloth_create_grid(NULL, &d, &w->new_cloth, e);
}

static weft_result no_sim_for_info(world *w, weft_error *e)
{
    weft_cloth_info info;
    return weft_cloth_get_info(NULL, w->sheet, &info, e);
}

static weft_result no_sim_for_cloth_remove(world *w, weft_error *e)
{
    return weft_cloth_remove(NULL, w->sheet, e);
}

static weft_result no_sim_for_collider_remove(world *w, weft_error *e)
{
    return weft_collider_remove(NULL, w->ball, e);
}

static weft_result no_sim_for_attachment_remove(world *w, weft_error *e)
{
    return weft_attachment_remove(NULL, w->pin, e);
}

static weft_result no_sim_for_tie_remove(world *w, weft_error *e)
{
    return weft_tie_remove(NULL, w->tie, e);
}

static void wrong_simulations_are_refused(void **state)
{
    (void)state;
    static const wrong_row rows[] = {
        {"struct_size 0", WEFT_ERROR_STRUCT_SIZE, "weft_sim_def", sim_size_zero},
        {"struct_size larger", WEFT_ERROR_STRUCT_SIZE, "weft_sim_def", sim_size_larger},
        {"integrator 3", WEFT_ERROR_RANGE, "integrator", sim_integrator_3},
        {"integrator -1", WEFT_ERROR_RANGE, "integrator", sim_integrator_minus},
        {"n_threads -1", WEFT_ERROR_RANGE, "n_threads", sim_threads_minus},
        {"n_threads 257", WEFT_ERROR_RANGE, "n_threads", sim_threads_many},
        {"newton_limit 0", WEFT_ERROR_RANGE, "newton_limit", sim_newton_none},
        {"newton_limit 1001", WEFT_ERROR_RANGE, "newton_limit", sim_newton_many},
        {"linear_limit 0", WEFT_ERROR_RANGE, "linear_limit", sim_linear_none},
        {"linear_limit 1e6 + 1", WEFT_ERROR_RANGE, "linear_limit", sim_linear_many},
        {"halving_limit -1", WEFT_ERROR_RANGE, "halving_limit", sim_halving_minus},
        {"halving_limit 11", WEFT_ERROR_RANGE, "halving_limit", sim_halving_many},
        {"world_scale -1", WEFT_ERROR_RANGE, "world_scale", sim_scale_minus},
        {"world_scale 13", WEFT_ERROR_RANGE, "world_scale", sim_scale_much},
        {"no definition", WEFT_ERROR_ARGUMENT, "definition", sim_no_def},
        {"no place", WEFT_ERROR_ARGUMENT, "place", sim_no_out},
        {"step NULL", WEFT_ERROR_ARGUMENT, "simulation", no_sim_to_step},
        {"wind of NULL", WEFT_ERROR_ARGUMENT, "simulation", no_sim_for_wind},
        {"gravity of NULL", WEFT_ERROR_ARGUMENT, "simulation", no_sim_for_gravity},
        {"grid in NULL", WEFT_ERROR_ARGUMENT, "simulation", no_sim_for_grid},
        {"info of NULL", WEFT_ERROR_ARGUMENT, "simulation", no_sim_for_info},
        {"remove cloth of NULL", WEFT_ERROR_ARGUMENT, "simulation", no_sim_for_cloth_remove},
        {"remove collider of NULL", WEFT_ERROR_ARGUMENT, "simulation", no_sim_for_collider_remove},
        {"remove attachment of NULL", WEFT_ERROR_ARGUMENT, "simulation", no_sim_for_attachment_remove},
        {"remove tie of NULL", WEFT_ERROR_ARGUMENT, "simulation", no_sim_for_tie_remove},
    };
    check_rows(rows, COUNT(rows));
    weft_sim_destroy(NULL);
    weft_sim_cancel(NULL);
    assert_true(weft_sim_time(NULL) == 0);
    assert_int_equal(weft_sim_hash(NULL), 0);
}

static const weft_quat upright = {0, 0, 0, 1};

/* ---- stale ids --------------------------------------------------------------------------------------------------- */

#define NUMBER_OF_WRONG_IDS 6

/* From a removed one whose place was taken again to ones that never were. */
#define WRONG_IDS(type, gone)                                                                                          \
    {                                                                                                                  \
        gone, (type){0, 0}, (type){-1, 1}, (type){1 << 20, 1}, (type){INT32_MIN, UINT32_MAX}, (type)                   \
        {                                                                                                              \
            (gone).index, (gone).generation + 5                                                                        \
        }                                                                                                              \
    }

static bool refused(weft_result r, const weft_error *e, const char *text)
{
    bool ok = r == WEFT_ERROR_STALE_ID && e->code == r && strstr(e->text, text);
    if (!ok)
        print_message("%d \"%s\"\n", r, e->text);
    return ok;
}

static void stale_cloths_are_refused(void **state)
{
    (void)state;
    world w;
    world_make(&w);
    const weft_cloth_id ids[NUMBER_OF_WRONG_IDS] = WRONG_IDS(weft_cloth_id, w.gone);
    kit_fingerprint before = kit_fingerprint_of(w.sim);
    for (int i = 0; i < NUMBER_OF_WRONG_IDS; i++) {
        weft_error e = {0};
        weft_cloth_info info;
        weft_vec3 v[16] = {{0, 0, 0}};
        weft_vec2 uv[16];
        double d[16];
        int32_t t[54];
        assert_true(refused(weft_cloth_remove(w.sim, ids[i], &e), &e, "no cloth"));
        assert_true(refused(weft_cloth_get_info(w.sim, ids[i], &info, &e), &e, "no cloth"));
        assert_true(refused(weft_cloth_get_positions(w.sim, ids[i], v, 16, 0, &e), &e, "no cloth"));
        assert_true(refused(weft_cloth_get_velocities(w.sim, ids[i], v, 16, 0, &e), &e, "no cloth"));
        assert_true(refused(weft_cloth_get_normals(w.sim, ids[i], v, 16, 0, &e), &e, "no cloth"));
        assert_true(refused(weft_cloth_get_masses(w.sim, ids[i], d, 16, &e), &e, "no cloth"));
        assert_true(refused(weft_cloth_get_pressures(w.sim, ids[i], d, 16, &e), &e, "no cloth"));
        assert_true(refused(weft_cloth_get_uv(w.sim, ids[i], uv, 16, &e), &e, "no cloth"));
        assert_true(refused(weft_cloth_get_triangles(w.sim, ids[i], t, 18, &e), &e, "no cloth"));
        assert_true(refused(weft_cloth_set_positions(w.sim, ids[i], v, 16, &e), &e, "no cloth"));
        assert_true(refused(weft_cloth_set_velocities(w.sim, ids[i], v, 16, &e), &e, "no cloth"));
        assert_true(refused(weft_collider_get_clearance(w.sim, w.ball, ids[i], d, &e), &e, "no cloth"));
    }
    kit_fingerprint after = kit_fingerprint_of(w.sim);
    assert_true(kit_same_fingerprint(&before, &after));
    weft_sim_destroy(w.sim);
}

static void stale_colliders_attachments_and_ties_are_refused(void **state)
{
    (void)state;
    world w;
    world_make(&w);
    const weft_collider_id balls[NUMBER_OF_WRONG_IDS] = WRONG_IDS(weft_collider_id, w.gone_ball);
    const weft_attachment_id pins[NUMBER_OF_WRONG_IDS] = WRONG_IDS(weft_attachment_id, w.gone_pin);
    const weft_tie_id ties[NUMBER_OF_WRONG_IDS] = WRONG_IDS(weft_tie_id, w.gone_tie);
    kit_fingerprint before = kit_fingerprint_of(w.sim);
    for (int i = 0; i < NUMBER_OF_WRONG_IDS; i++) {
        weft_error e = {0};
        weft_vec3 v = {0, 0, 0};
        weft_key k = {0, {0, 0, 0}, upright};
        double d;
        assert_true(refused(weft_collider_remove(w.sim, balls[i], &e), &e, "no collider"));
        assert_true(refused(weft_collider_set_keys(w.sim, balls[i], &k, 1, &e), &e, "no collider"));
        assert_true(refused(weft_collider_get_pose(w.sim, balls[i], &v, NULL, &e), &e, "no collider"));
        assert_true(refused(weft_collider_get_force(w.sim, balls[i], &v, NULL, &e), &e, "no collider"));
        assert_true(refused(weft_collider_get_clearance(w.sim, balls[i], w.sheet, &d, &e), &e, "no collider"));
        weft_collider_info info;
        assert_true(refused(weft_collider_get_info(w.sim, balls[i], &info, &e), &e, "no collider"));
        assert_true(refused(weft_collider_set_vertices(w.sim, balls[i], &v, 1, &e), &e, "no collider"));
        assert_true(refused(weft_collider_place_vertices(w.sim, balls[i], &v, 1, &e), &e, "no collider"));
        assert_true(refused(weft_collider_get_vertices(w.sim, balls[i], &v, 1, &e), &e, "no collider"));
        int32_t t[3];
        assert_true(refused(weft_collider_get_triangles(w.sim, balls[i], t, 1, &e), &e, "no collider"));
        assert_true(refused(weft_attachment_remove(w.sim, pins[i], &e), &e, "no attachment"));
        assert_true(refused(weft_attachment_set_targets(w.sim, pins[i], &v, 1, &e), &e, "no attachment"));
        assert_true(refused(weft_attachment_get_force(w.sim, pins[i], &v, NULL, 0, &e), &e, "no attachment"));
        assert_true(refused(weft_tie_remove(w.sim, ties[i], &e), &e, "no tie"));
    }
    kit_fingerprint after = kit_fingerprint_of(w.sim);
    assert_true(kit_same_fingerprint(&before, &after));
    weft_sim_destroy(w.sim);
}

/* ---- what only the step can find --------------------------------------------------------------------------------- */

static void push_with_nonsense(void *user, weft_cloth_id cloth, double time, int32_t n, const weft_vec3 *x,
                               const weft_vec3 *v, const double *m, weft_vec3 *f)
{
    (void)cloth;
    (void)time;
    (void)n;
    (void)x;
    (void)v;
    (void)m;
    f[3].y = *(double *)user;
}

/* Forces that are NaN, infinite or throw the cloth out of the world: the step fails, the state stays, and without
 * them the simulation goes on like one that never saw them. */
static void nonsense_from_the_force_callback_leaves_the_state(void **state)
{
    (void)state;
    static const double forces[] = {KIT_NAN, KIT_INFINITE, -KIT_INFINITE, 1e12, 1e300};
    for (int integrator = 0; integrator < 3; integrator++) {
        double force = 0;
        weft_sim_def d = weft_sim_def_default();
        d.integrator = (weft_integrator)integrator;
        d.force = push_with_nonsense;
        d.force_user = &force;
        d.velocity_bound = 10;
        weft_sim *a = kit_sim(&d), *b = kit_sim(&d);
        weft_cloth_id cloth = kit_grid(a, 4, 0.3, 0, 1);
        kit_grid(b, 4, 0.3, 0, 1);
        double h = integrator == 2 ? 1e-3 : 1.0 / 60;
        for (size_t i = 0; i < COUNT(forces); i++) {
            kit_steps(a, 2, h);
            kit_steps(b, 2, h);
            assert_int_equal(weft_sim_hash(a), weft_sim_hash(b));
            uint64_t before = weft_sim_hash(a);
            weft_error e = {0};
            force = forces[i];
            weft_result r = weft_sim_step(a, h, NULL, &e);
            force = 0;
            bool bounded = integrator == 2 && isfinite(forces[i]); /* by the velocity bound */
            if (bounded && r >= 0) {
                weft_vec3 x[16];
                kit_must(weft_cloth_get_positions(a, cloth, x, 16, 0, &e), &e);
                for (int k = 0; k < 16; k++)
                    assert_true(isfinite(x[k].x) && isfinite(x[k].y) && isfinite(x[k].z));
                break;
            }
            assert_int_equal(r, WEFT_ERROR_DIVERGED);
            assert_int_equal(e.code, r);
            assert_int_equal(weft_sim_hash(a), before);
        }
        weft_sim_destroy(a);
        weft_sim_destroy(b);
    }
}

static void wrong_fabric_names_are_refused(void **state)
{
    (void)state;
    weft_fabric f = weft_fabric_default(), copy = f;
    weft_error e = {0};
    assert_int_equal(weft_fabric_find("no such cloth", &f, &e), WEFT_ERROR_NOT_FOUND);
    assert_non_null(strstr(e.text, "no such cloth"));
    assert_int_equal(weft_fabric_find(NULL, &f, &e), WEFT_ERROR_ARGUMENT);
    assert_int_equal(weft_fabric_find("cotton", NULL, &e), WEFT_ERROR_ARGUMENT);
    assert_int_equal(weft_fabric_check(NULL, &e), WEFT_ERROR_ARGUMENT);
    assert_memory_equal(&f, &copy, sizeof f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sim_numbers_are_checked),
        cmocka_unit_test(fabric_numbers_are_checked),
        cmocka_unit_test(grid_numbers_are_checked),
        cmocka_unit_test(collider_numbers_are_checked),
        cmocka_unit_test(attachment_and_tie_numbers_are_checked),
        cmocka_unit_test(step_wind_and_gravity_are_checked),
        cmocka_unit_test(wrong_simulations_are_refused),
        cmocka_unit_test(stale_cloths_are_refused),
        cmocka_unit_test(stale_colliders_attachments_and_ties_are_refused),
        cmocka_unit_test(nonsense_from_the_force_callback_leaves_the_state),
        cmocka_unit_test(wrong_fabric_names_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
