/* SPDX-License-Identifier: MIT */
#include "sim/wrong.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#define NOWHERE_ID                                                                                                     \
    {                                                                                                                  \
        77, 77                                                                                                         \
    }

weft_attachment_def attachment_def(weft_cloth_id sheet, const int32_t *nodes, int32_t n)
{
    weft_attachment_def d = weft_attachment_def_default();
    d.cloth = sheet;
    d.nodes = nodes;
    d.n_nodes = n;
    return d;
}

static weft_attachment_id attach(world *w, weft_attachment_kind kind, int32_t node)
{
    weft_attachment_def d = attachment_def(w->sheet, &node, 1);
    weft_error e = {0};
    weft_attachment_id id = {0};
    d.kind = kind;
    d.rod_point = (weft_vec3){0, 0.5, 0};
    kit_must(weft_attachment_create(w->sim, &d, &id, &e), &e);
    return id;
}

weft_tie_def tie_def(const world *w, const int32_t *a, const int32_t *b, int32_t n)
{
    weft_tie_def d = weft_tie_def_default();
    d.cloth_a = w->sheet;
    d.cloth_b = w->bag;
    d.nodes_a = a;
    d.nodes_b = b;
    d.n_pairs = n;
    return d;
}

static weft_tie_id tie_once(world *w)
{
    int32_t a = 15, b = 0;
    weft_tie_def d = tie_def(w, &a, &b, 1);
    weft_error e = {0};
    weft_tie_id id = {0};
    kit_must(weft_tie_create(w->sim, &d, &id, &e), &e);
    return id;
}

static weft_collider_id add_stone(weft_sim *sim)
{
    kit_mesh ball = kit_icosphere(0, 0.1);
    weft_collider_def d = weft_collider_def_default();
    weft_collider_id id = {0};
    d.kind = WEFT_COLLIDER_MESH;
    d.vertices = ball.x;
    d.n_vertices = ball.n_nodes;
    d.triangles = ball.triangles;
    d.n_triangles = ball.n_triangles;
    d.position.x = -3;
    kit_must(weft_collider_create(sim, &d, &id, NULL), NULL);
    kit_mesh_free(&ball);
    return id;
}

void world_make(world *w)
{
    weft_sim_def d = weft_sim_def_default();
    *w = (world){
        .new_cloth = NOWHERE_ID, .new_collider = NOWHERE_ID, .new_attachment = NOWHERE_ID, .new_tie = NOWHERE_ID};
    w->sim = kit_sim(&d);
    w->sheet = kit_grid(w->sim, 4, 0.3, 0, 0.5);
    w->gone = kit_grid(w->sim, 2, 0.1, 3, 3);
    kit_must(weft_cloth_remove(w->sim, w->gone, NULL), NULL);
    kit_mesh bag = kit_icosphere(0, 0.1);
    weft_mesh_def m = kit_mesh_def(&bag);
    w->bag = kit_cloth(w->sim, &m);
    kit_mesh_free(&bag);
    w->gone_ball = kit_sphere(w->sim, 0.1, (weft_vec3){5, 5, 5});
    kit_must(weft_collider_remove(w->sim, w->gone_ball, NULL), NULL);
    w->ball = kit_sphere(w->sim, 0.1, (weft_vec3){0.15, 0.38, -0.15});
    w->stone = add_stone(w->sim);
    w->gone_pin = attach(w, WEFT_ATTACH_PIN, 5);
    kit_must(weft_attachment_remove(w->sim, w->gone_pin, NULL), NULL);
    w->pin = attach(w, WEFT_ATTACH_PIN, 0);
    w->rod = attach(w, WEFT_ATTACH_ROD, 3);
    w->soft = attach(w, WEFT_ATTACH_SOFT, 12);
    w->gone_tie = tie_once(w);
    kit_must(weft_tie_remove(w->sim, w->gone_tie, NULL), NULL);
    w->tie = tie_once(w);
}

bool nothing_given_out(const world *w)
{
    return w->new_cloth.index == 77 && w->new_collider.index == 77 && w->new_attachment.index == 77 &&
           w->new_tie.index == 77;
}

/* With an error and without; then the step of both worlds. Returns false, with a message, if something is amiss. */
static bool check_row(world *w, world *twin, const wrong_row *r)
{
    weft_error e = {.code = WEFT_OK, .element = -2, .text = "?"};
    kit_fingerprint before = kit_fingerprint_of(w->sim);
    weft_result found = r->call(w, &e), again = r->call(w, NULL);
    kit_fingerprint after = kit_fingerprint_of(w->sim);
    bool ok = found == r->code && again == r->code && e.code == r->code && e.element >= -1 && strstr(e.text, r->text);
    if (!ok)
        print_message("%s: %d (%d without an error), wanted %d and \"%s\": \"%s\"\n", r->name, found, again, r->code,
                      r->text, e.text);
    if (!kit_same_fingerprint(&before, &after) || !nothing_given_out(w)) {
        print_message("%s: something has changed\n", r->name);
        ok = false;
    }
    weft_result stepped = weft_sim_step(w->sim, 1.0 / 60, NULL, NULL);
    if (stepped != weft_sim_step(twin->sim, 1.0 / 60, NULL, NULL) ||
        weft_sim_hash(w->sim) != weft_sim_hash(twin->sim)) {
        print_message("%s: the next step differs\n", r->name);
        ok = false;
    }
    return ok;
}

static void make_both(world *w, world *twin)
{
    world_make(w);
    world_make(twin);
    kit_steps(w->sim, 3, 1.0 / 60);
    kit_steps(twin->sim, 3, 1.0 / 60);
}

static void destroy_both(world *w, world *twin)
{
    weft_sim_destroy(w->sim);
    weft_sim_destroy(twin->sim);
}

/* After a row that went wrong the next one starts in a new world. */
void check_rows(const wrong_row *rows, size_t n)
{
    world w, twin;
    int32_t n_bad = 0;
    make_both(&w, &twin);
    for (size_t i = 0; i < n; i++) {
        if (check_row(&w, &twin, &rows[i]))
            continue;
        n_bad++;
        destroy_both(&w, &twin);
        make_both(&w, &twin);
    }
    destroy_both(&w, &twin);
    assert_int_equal(n_bad, 0);
}
