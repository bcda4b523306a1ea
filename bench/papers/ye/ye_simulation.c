/* SPDX-License-Identifier: MIT */
/* Measures untangling while the simulation runs: ribbons and sheets that start through each other (ye2012 figure 8 and
 * its like), and a sheet between two balls that overlap for a while. */
#include "ye.h"
#include "say.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double STEP = 1.0 / 60;
static const weft_vec3 RIGHT = {1, 0, 0}, FRONT = {0, 0, 1}, DOWN = {0, -1, 0};

static bool hang(weft_sim *sim, int32_t n_warp, int32_t n_weft, weft_vec3 size, weft_vec3 corner, weft_vec3 warp,
                 weft_vec3 weft, bool pinned, weft_error *e)
{
    weft_grid_def g = weft_grid_def_default();
    weft_cloth_id cloth;
    g.n_warp = n_warp;
    g.n_weft = n_weft;
    g.size_warp = size.x;
    g.size_weft = size.y;
    g.corner = corner;
    g.axis_warp = warp;
    g.axis_weft = weft;
    if (weft_cloth_create_grid(sim, &g, &cloth, e) < 0)
        return false;
    int32_t nodes[64];
    weft_attachment_def a = weft_attachment_def_default();
    weft_attachment_id id;
    for (int32_t i = 0; i < n_warp && i < 64; i++)
        nodes[i] = i;
    a.cloth = cloth;
    a.nodes = nodes;
    a.n_nodes = n_warp;
    return !pinned || weft_attachment_create(sim, &a, &id, e) >= 0;
}

static bool make_ribbons(weft_sim *sim, weft_error *e)
{
    weft_vec3 size = {0.1, 0.6, 0};
    return hang(sim, 9, 49, size, (weft_vec3){0, 0, 0}, FRONT, DOWN, true, e) &&
           hang(sim, 9, 49, size, (weft_vec3){0.2, 0, -0.03}, FRONT, (weft_vec3){-0.7, -1, 0.1}, true, e) &&
           hang(sim, 9, 49, size, (weft_vec3){-0.2, 0, 0.02}, FRONT, (weft_vec3){0.6, -1, -0.03}, true, e);
}

static bool make_sheets(weft_sim *sim, weft_error *e)
{
    weft_vec3 size = {0.5, 0.5, 0};
    return hang(sim, 33, 33, size, (weft_vec3){0, 0, 0}, RIGHT, (weft_vec3){0, -1, 0.02}, true, e) &&
           hang(sim, 33, 33, size, (weft_vec3){0.1, 0.01, 0.1}, RIGHT, (weft_vec3){0.1, -1, -0.5}, true, e);
}

static bool make_fall(weft_sim *sim, weft_error *e)
{
    weft_vec3 size = {0.5, 0.5, 0};
    weft_collider_def d = weft_collider_def_default();
    weft_collider_id id;
    d.position.y = -0.3;
    return weft_collider_create(sim, &d, &id, e) >= 0 &&
           hang(sim, 33, 33, size, (weft_vec3){0, 0, 0}, RIGHT, (weft_vec3){0, 0.05, 1}, false, e) &&
           hang(sim, 33, 33, size, (weft_vec3){0.1, -0.06, 0.07}, (weft_vec3){1, 0.22, 0.1}, (weft_vec3){-0.1, 0.1, 1},
                false, e);
}

/* Balls of 12 cm come as near as 10 cm, and are 24 cm apart again at 0.7 s. */
static bool add_ball(weft_sim *sim, double side, weft_error *e)
{
    static const double times[] = {0, 0.3, 0.5, 0.7, 0.9}, places[] = {0.2, 0.05, 0.05, 0.12, 0.3};
    weft_key keys[5];
    weft_collider_def d = weft_collider_def_default();
    weft_collider_id id;
    for (int i = 0; i < 5; i++)
        keys[i] = (weft_key){times[i], {side * places[i], 0, 0}, {0, 0, 0, 1}};
    d.kind = WEFT_COLLIDER_SPHERE;
    d.radius = 0.12;
    d.keys = keys;
    d.n_keys = 5;
    return weft_collider_create(sim, &d, &id, e) >= 0;
}

static bool make_pinch(weft_sim *sim, weft_error *e)
{
    return hang(sim, 33, 33, (weft_vec3){0.5, 0.5, 0}, (weft_vec3){0, 0.25, -0.25}, FRONT, DOWN, true, e) &&
           add_ball(sim, -1, e) && add_ball(sim, 1, e);
}

typedef struct course {
    int32_t most; /* pairs that intersect, and triangles without room */
    double last;  /* when there were any, s; 0: never */
    double speed;
    uint64_t hash;
} course;

static bool run(bool (*make)(weft_sim *, weft_error *), int32_t n_steps, int32_t n_threads, course *c)
{
    weft_sim_def d = weft_sim_def_default();
    weft_sim *sim = NULL;
    weft_error e;
    d.n_threads = n_threads;
    *c = (course){0};
    bool good = weft_sim_create(&d, &sim, &e) >= 0 && make(sim, &e);
    for (int32_t i = 0; good && i < n_steps; i++) {
        weft_step_stats st;
        good = weft_sim_step(sim, STEP, &st, &e) >= 0;
        int32_t bad = good ? st.tangled + st.squeezed + st.squeezed_pairs : 0;
        c->most = bad > c->most ? bad : c->most;
        c->last = bad > 0 ? st.time : c->last;
        c->speed = good ? fmax(c->speed, st.max_speed) : 0;
    }
    if (!good)
        say_wrong("%s", e.text);
    c->hash = good ? weft_sim_hash(sim) : 0;
    weft_sim_destroy(sim);
    return good;
}

bool ye_simulation(const bench_options *o)
{
    static const struct {
        const char *name;
        bool (*make)(weft_sim *, weft_error *);
        double by; /* clean from this time on, s */
    } scenes[] = {{"three ribbons", make_ribbons, 1},
                  {"two sheets", make_sheets, 1},
                  {"crossed sheets, falling", make_fall, 1},
                  {"pinched, parted at 0.7 s", make_pinch, 1.7}};
    bool good = true;
    printf("%-26s %6s %10s %9s %18s\n", "in the simulation", "most", "clean at s", "max m/s", "hash, 1 and 4 threads");
    for (int i = 0; i < 4; i++) {
        course one, four;
        int32_t n = o->quick && i < 3 ? 60 : 120;
        if (!run(scenes[i].make, n, 1, &one) || !run(scenes[i].make, n, 4, &four))
            return false;
        printf("%-26s %6d %10.2f %9.2f %016llx %s\n", scenes[i].name, one.most, one.last, one.speed,
               (unsigned long long)one.hash, one.hash == four.hash ? "the same" : "differ");
        good = good && one.most > 0 && one.last < scenes[i].by && one.speed < 10 && one.hash == four.hash;
    }
    return good;
}
