/* SPDX-License-Identifier: MIT */
/* Round trips of a trial. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "attack/trips.h"

enum { TWIN_STEPS = 4, DAMAGED_STEPS = 3 };

void attack_note(attack_report *r, attack_kind kind, int step, const char *format, ...)
{
    if (r->kinds >> kind & 1)
        return;
    va_list list;
    va_start(list, format);
    vsnprintf(r->text[kind], sizeof r->text[kind], format, list);
    va_end(list);
    r->step[kind] = step;
    r->kinds |= 1u << kind;
}

void attack_phase(attack_report *r, const char *phase, int step)
{
    snprintf(r->phase, sizeof r->phase, "%s, step %d", phase, step);
}

void attack_scene_close(attack_scene *s, int step, attack_report *r)
{
    attack_scene_destroy(s);
    if (s->memory.live != 0)
        attack_note(r, ATTACK_LEAK, step, "%lld bytes", (long long)s->memory.live);
}

static void *snapshot_of(const attack_scene *s, size_t *size)
{
    weft_sim_snapshot(s->sim, NULL, size, NULL);
    void *bytes = attack_need(*size);
    weft_sim_snapshot(s->sim, bytes, size, NULL);
    return bytes;
}

attack_twin attack_twin_make(const attack_scene *s, attack_kind kind, int step, attack_report *r)
{
    weft_error e = {.text = ""};
    size_t size = 0;
    attack_phase(r, "restoring a snapshot", step);
    void *bytes = snapshot_of(s, &size);
    attack_twin t = {attack_need(sizeof *t.scene), TWIN_STEPS, kind};
    weft_result result = attack_scene_make(t.scene, &s->recipe, s->recipe.sim.threads > 1 ? 1 : 2, 0, &e);
    if (result >= 0)
        result = weft_sim_restore(t.scene->sim, bytes, size, &e);
    if (result < 0)
        attack_note(r, ATTACK_RESTORE, step, "%s", e.text);
    else if (weft_sim_hash(t.scene->sim) != weft_sim_hash(s->sim))
        attack_note(r, kind, step, "the hash differs at once");
    if (result < 0)
        attack_twin_end(&t, step, r);
    free(bytes);
    return t;
}

void attack_twin_follow(attack_twin *t, const attack_scene *s, weft_result result, int step, attack_report *r)
{
    weft_error e;
    if (!t->scene)
        return;
    attack_phase(r, "step of the twin", step);
    weft_result own = attack_scene_step(t->scene, NULL, &e);
    bool same = weft_sim_hash(t->scene->sim) == weft_sim_hash(s->sim);
    if (own != result || !same)
        attack_note(r, t->kind, step, "results %d and %d, hash %s", result, own, same ? "the same" : "another");
    if (--t->steps_left == 0 || own != result || !same)
        attack_twin_end(t, step, r);
}

void attack_twin_end(attack_twin *t, int step, attack_report *r)
{
    if (t->scene)
        attack_scene_close(t->scene, step, r);
    free(t->scene);
    t->scene = NULL;
}

bool attack_starve(attack_scene *s, int step, attack_report *r, weft_step_stats *stats, weft_result *result)
{
    attack_dice d = attack_dice_of((uint64_t)s->recipe.sim.seed + 77);
    weft_error e = {.text = ""};
    attack_phase(r, "step without memory", step);
    if (attack_scene_send(s, &e) < 0)
        return false;
    uint64_t before = weft_sim_hash(s->sim);
    s->memory = (attack_memory){.live = s->memory.live,
                                .fail_at = (int64_t)attack_dice_ratio(&d, 1, step == 1 ? 1500 : 40),
                                .all = attack_dice_chance(&d, 0.5)};
    *result = weft_sim_step(s->sim, s->recipe.sim.h, stats, &e);
    s->memory.fail_at = 0;
    if (*result >= 0)
        return true;
    if (weft_sim_hash(s->sim) != before)
        attack_note(r, ATTACK_FAILED_CHANGED, step, "without memory: %s", weft_result_name(*result));
    if (*result != WEFT_ERROR_MEMORY)
        attack_note(r, ATTACK_STARVED, step, "%s: %.90s", weft_result_name(*result), e.text);
    return false;
}

void attack_starve_making(const attack_recipe *recipe, attack_report *r)
{
    attack_dice d = attack_dice_of((uint64_t)recipe->sim.seed + 99);
    weft_error e = {.text = ""};
    attack_scene *s = attack_need(sizeof *s);
    attack_phase(r, "making without memory", 0);
    weft_result result = attack_scene_make(s, recipe, 1, (int64_t)attack_dice_ratio(&d, 1, 300), &e);
    if (result < 0 && result != WEFT_ERROR_MEMORY)
        attack_note(r, ATTACK_STARVED, 0, "making: %s: %.80s", weft_result_name(result), e.text);
    attack_scene_close(s, 0, r);
    free(s);
}

/* A damaged snapshot that is taken may do anything but harm. */
static void try_damaged(attack_scene *s, const unsigned char *bytes, size_t size, int step, attack_report *r)
{
    weft_error e;
    uint64_t before = weft_sim_hash(s->sim);
    if (weft_sim_restore(s->sim, bytes, size, &e) < 0) {
        if (weft_sim_hash(s->sim) != before)
            attack_note(r, ATTACK_DAMAGED, step, "%.110s", e.text);
        return;
    }
    attack_phase(r, "step after a damaged snapshot", step);
    for (int i = 0; i < DAMAGED_STEPS; i++)
        if (attack_scene_step(s, NULL, &e) < 0)
            break;
}

void attack_damage(const attack_scene *s, int step, attack_report *r)
{
    attack_dice d = attack_dice_of((uint64_t)s->recipe.sim.seed + 55);
    weft_error e;
    size_t size = 0;
    unsigned char *bytes = snapshot_of(s, &size);
    attack_scene *other = attack_need(sizeof *other);
    attack_phase(r, "restoring a damaged snapshot", step);
    for (int i = attack_dice_int(&d, 1, 8); i > 0; i--) {
        /* Half of the time near its beginning, where counts and shapes are. */
        size_t room = attack_dice_chance(&d, 0.5) && size > 256 ? 256 : size;
        bytes[attack_dice_bits(&d) % room] ^= (unsigned char)(1u << attack_dice_int(&d, 0, 7));
    }
    if (attack_dice_chance(&d, 0.2))
        size = (size_t)(attack_dice_bits(&d) % (size + 1));
    if (attack_scene_make(other, &s->recipe, 1, 0, &e) >= 0)
        try_damaged(other, bytes, size, step, r);
    attack_scene_close(other, step, r);
    free(other);
    free(bytes);
}
