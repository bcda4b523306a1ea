/* SPDX-License-Identifier: MIT */
/* Creation, destruction and the simulation's own parameters. */
#include "sim/sim.h"

#include <stdarg.h>
#include <stdio.h>

#include "base/hash.h"
#include "sim/check.h"

weft_sim_def weft_sim_def_default(void)
{
    return (weft_sim_def){
        .struct_size = sizeof(weft_sim_def),
        .gravity = {0, -9.81, 0},
        .integrator = WEFT_INTEGRATOR_BDF2,
        .n_threads = 1,
        .newton_tolerance = 1e-5,
        .newton_limit = 2,
        .linear_tolerance = 0.15,
        .linear_limit = 5000,
        .halving_limit = 5,
        .velocity_bound = 0.25,
        .contact_stiffness = 1,
        .air_density = 1.2,
        .drag_normal = 1,
        .drag_tangential = 0.02,
    };
}

static weft_result check_sim_def(const weft_sim_def *d, weft_error *e)
{
    weft_result r = check_struct_size("weft_sim_def", d->struct_size, sizeof *d, e);
    const struct {
        const char *name;
        double value, lo, hi;
    } numbers[] = {
        {"newton_tolerance", d->newton_tolerance, 1e-12, 1},
        {"linear_tolerance", d->linear_tolerance, 1e-12, 0.5},
        {"velocity_bound", d->velocity_bound, 1e-6, 10},
        {"contact_radius", d->contact_radius, 0, 0.1},
        {"contact_stiffness", d->contact_stiffness, 1e-3, 1e3},
        {"pair_radius", d->pair_radius, 0, 0.1},
        {"air_density", d->air_density, 0, 100},
        {"drag_normal", d->drag_normal, 0, 10},
        {"drag_tangential", d->drag_tangential, 0, 10},
        {"air_viscosity", d->air_viscosity, 0, 1e4},
    };
    const struct {
        const char *name;
        int64_t value, lo, hi;
    } integers[] = {
        {"integrator", d->integrator, 0, 2},
        {"n_threads", d->n_threads, 0, 256},
        {"newton_limit", d->newton_limit, 1, 1000},
        {"linear_limit", d->linear_limit, 1, 1000000},
        {"halving_limit", d->halving_limit, 0, 10},
        {"world_scale", d->world_scale, 0, 12},
        {"contact", d->contact, 0, 1},
        {"response", d->response, 0, 2},
    };
    for (size_t i = 0; r == WEFT_OK && i < sizeof numbers / sizeof *numbers; i++)
        r = check_number(numbers[i].name, numbers[i].value, numbers[i].lo, numbers[i].hi, e);
    for (size_t i = 0; r == WEFT_OK && i < sizeof integers / sizeof *integers; i++)
        r = check_integer(integers[i].name, integers[i].value, integers[i].lo, integers[i].hi, e);
    if (r == WEFT_OK)
        r = check_vector("gravity", d->gravity, 1e4, e);
    if (r == WEFT_OK)
        r = check_vector("wind", d->wind, 1e3, e);
    return r;
}

static void free_sim(weft_sim *s)
{
    model_destroy(&s->model);
    bvh_spare_destroy(&s->mem, s->model.bvh_spare);
    for (int32_t i = 0; i < s->defs.ties.n; i++)
        tie_destroy(s, s->defs.ties.items[i].item);
    for (int32_t i = 0; i < s->defs.attachments.n; i++)
        attachment_destroy(s, s->defs.attachments.items[i].item);
    for (int32_t i = 0; i < s->defs.colliders.n; i++)
        sim_collider_destroy(s, s->defs.colliders.items[i].item);
    for (int32_t i = 0; i < s->defs.cloths.n; i++)
        cloth_destroy(s, s->defs.cloths.items[i].item);
    MEM_FREE(&s->mem, s->defs.layers, s->defs.layer_room);
    slots_destroy(&s->defs.ties, &s->mem);
    slots_destroy(&s->defs.attachments, &s->mem);
    slots_destroy(&s->defs.colliders, &s->mem);
    slots_destroy(&s->defs.cloths, &s->mem);
    state_destroy(&s->state, &s->mem);
    backup_destroy(&s->backup, &s->mem);
    if (s->pool)
        pool_destroy(s->pool);
    mem m = s->mem;
    mem_free(&m, s, 1, sizeof *s);
}

weft_result weft_sim_create(const weft_sim_def *def, weft_sim **out, weft_error *e)
{
    if (!def || !out)
        return error_set(e, WEFT_ERROR_ARGUMENT, -1, "weft_sim_create needs a definition and a place for the result");
    weft_result r = check_sim_def(def, e);
    if (r != WEFT_OK)
        return r;
    mem m;
    mem_init(&m, def->alloc, def->alloc_user);
    weft_sim *s = mem_array(&m, 1, sizeof *s);
    if (!s)
        return error_memory(e);
    s->mem = m;
    arena_init(&s->scratch, &s->mem);
    s->def = *def;
    atomic_init(&s->cancel, false);
    guard_init(&s->guard);
    s->pool = pool_create(&s->mem, def->n_threads, def->parallel_for, def->parallel_for_user);
    s->model = (model){.mem = &s->mem,
                       .scratch = &s->scratch,
                       .pool = s->pool,
                       .def = &s->def,
                       .defs = &s->defs,
                       .cancel = &s->cancel,
                       .guard = &s->guard,
                       .dirty = true};
    if (!s->pool) {
        free_sim(s);
        return error_memory(e);
    }
    *out = s;
    return WEFT_OK;
}

/* Not from within itself: what comes up meanwhile is dropped. */
static void tell_user(const model *m, weft_log_level level, const char *text)
{
    if (!m->def->log || atomic_exchange(&m->guard->telling, true))
        return;
    m->def->log(m->def->log_user, level, text);
    atomic_store(&m->guard->telling, false);
}

void sim_log(const model *m, weft_log_level level, const char *format, ...)
{
    char text[256];
    va_list args;
    if (!m->def->log)
        return;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    guard_open(m->guard);
    tell_user(m, level, text);
    guard_close(m->guard);
}

void weft_sim_destroy(weft_sim *s)
{
    weft_error why;
    if (!s)
        return;
    if (sim_enter(s, __func__, &why) < 0)
        tell_user(&s->model, WEFT_LOG_WARNING, why.text);
    else
        free_sim(s);
}

double sim_world_limit(const weft_sim *s)
{
    return 250.0 * (double)(1 << s->def.world_scale);
}

double weft_sim_time(const weft_sim *s)
{
    return s ? s->state.time : 0;
}

void weft_sim_cancel(weft_sim *s)
{
    if (s)
        atomic_store(&s->cancel, true);
}

uint64_t weft_sim_hash(const weft_sim *s)
{
    if (!s || sim_may_read(s, __func__, NULL) < 0)
        return 0;
    const state *st = &s->state;
    uint64_t h = hash_bytes(HASH_START, &st->time, sizeof st->time);
    h = hash_bytes(h, st->q, (size_t)st->n * sizeof *st->q);
    return hash_bytes(h, st->v, (size_t)st->n * sizeof *st->v);
}

static weft_result set_wind(weft_sim *s, weft_vec3 wind, weft_error *e)
{
    weft_result r =
        s ? check_vector("wind", wind, 1e3, e) : error_set(e, WEFT_ERROR_ARGUMENT, -1, "the simulation is NULL");
    if (r == WEFT_OK)
        s->def.wind = wind;
    return r;
}

weft_result weft_sim_set_wind(weft_sim *s, weft_vec3 wind, weft_error *e)
{
    weft_result r = sim_enter(s, __func__, e);
    return r < 0 ? r : sim_leave(s, set_wind(s, wind, e));
}

static weft_result set_air_viscosity(weft_sim *s, double viscosity, weft_error *e)
{
    weft_result r = s ? check_number("air_viscosity", viscosity, 0, 1e4, e)
                      : error_set(e, WEFT_ERROR_ARGUMENT, -1, "the simulation is NULL");
    if (r == WEFT_OK)
        s->def.air_viscosity = viscosity;
    return r;
}

weft_result weft_sim_set_air_viscosity(weft_sim *s, double viscosity, weft_error *e)
{
    weft_result r = sim_enter(s, __func__, e);
    return r < 0 ? r : sim_leave(s, set_air_viscosity(s, viscosity, e));
}

static weft_result set_gravity(weft_sim *s, weft_vec3 gravity, weft_error *e)
{
    weft_result r =
        s ? check_vector("gravity", gravity, 1e4, e) : error_set(e, WEFT_ERROR_ARGUMENT, -1, "the simulation is NULL");
    if (r == WEFT_OK)
        s->def.gravity = gravity;
    return r;
}

weft_result weft_sim_set_gravity(weft_sim *s, weft_vec3 gravity, weft_error *e)
{
    weft_result r = sim_enter(s, __func__, e);
    return r < 0 ? r : sim_leave(s, set_gravity(s, gravity, e));
}
