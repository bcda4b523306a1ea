/* SPDX-License-Identifier: MIT */
/* The minimiser: parts are taken out and numbers made plainer, one after the other, while the scene still fails in the
 * same way; as long as anything helps. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "attack/trial.h"

typedef struct shrink {
    attack_recipe best;
    int kind;
    attack_limits limits;
    bool verbose;
    int tried;
} shrink;

/* Takes the recipe if it still fails. */
static bool keep_if_fails(shrink *s, const attack_recipe *r)
{
    if (memcmp(r, &s->best, sizeof *r) == 0)
        return false;
    attack_report report = attack_try_apart(r, s->limits);
    s->tried++;
    if (!(report.kinds >> s->kind & 1))
        return false;
    s->best = *r;
    if (report.step[s->kind] > 0 && report.step[s->kind] < r->sim.steps)
        s->best.sim.steps = report.step[s->kind];
    if (s->verbose) {
        char text[ATTACK_TEXT];
        attack_recipe_write(&s->best, text);
        fprintf(stderr, "%4d  %s\n", s->tried, text);
    }
    return true;
}

static bool drop_parts(shrink *s)
{
    bool any = false;
    for (int kind = ATTACK_PART_CLOTH; kind < N_ATTACK_PARTS; kind++)
        for (int i = *attack_part_count(&s->best, kind) - 1; i >= 0; i--) {
            attack_recipe r = s->best;
            if (i >= *attack_part_count(&r, kind) || (kind == ATTACK_PART_CLOTH && r.n_cloths == 1))
                continue;
            attack_part_remove(&r, kind, i);
            any = keep_if_fails(s, &r) || any;
        }
    return any;
}

static bool is_count(const char *name)
{
    return strcmp(name, "nu") == 0 || strcmp(name, "nv") == 0 || strcmp(name, "detail") == 0;
}

/* A field at its least, or counts at half and at one less. */
static bool plain_field(shrink *s, int kind, int i, int f)
{
    const attack_part_kind *part = &attack_parts[kind];
    double now = attack_part(&s->best, kind, i)[f];
    bool count = is_count(part->fields[f]), any = false;
    double tries[3] = {part->least[f], count ? floor(now / 2) : now, count ? now - 1 : now};
    if (strcmp(part->fields[f], "steps") == 0)
        return false;
    for (int k = 0; k < 3 && !any; k++) {
        attack_recipe r = s->best;
        if (count && (tries[k] < 2 || tries[k] >= now))
            continue;
        attack_part(&r, kind, i)[f] = tries[k];
        any = keep_if_fails(s, &r);
    }
    return any;
}

static bool plain_fields(shrink *s)
{
    bool any = false;
    for (int kind = 0; kind < N_ATTACK_PARTS; kind++) {
        int n = kind == ATTACK_PART_SIM ? 1 : *attack_part_count(&s->best, kind);
        for (int i = 0; i < n; i++)
            for (int f = 0; f < attack_parts[kind].n_fields; f++)
                any = plain_field(s, kind, i, f) || any;
    }
    return any;
}

attack_recipe attack_minimise(const attack_recipe *r, int kind, attack_limits limits, bool verbose)
{
    shrink s = {.best = *r, .kind = kind, .limits = limits, .verbose = verbose};
    while (drop_parts(&s) || plain_fields(&s))
        continue;
    return s.best;
}
