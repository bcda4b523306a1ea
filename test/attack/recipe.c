/* SPDX-License-Identifier: MIT */
/* Recipes as text, and parts of recipes as rows of numbers. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "attack/recipe.h"

#define NAME_OF(name, least) #name,
#define LEAST_OF(name, least) least,
static const char *const sim_names[] = {ATTACK_SIM_FIELDS(NAME_OF)};
static const double sim_least[] = {ATTACK_SIM_FIELDS(LEAST_OF)};
static const char *const cloth_names[] = {ATTACK_CLOTH_FIELDS(NAME_OF)};
static const double cloth_least[] = {ATTACK_CLOTH_FIELDS(LEAST_OF)};
static const char *const collider_names[] = {ATTACK_COLLIDER_FIELDS(NAME_OF)};
static const double collider_least[] = {ATTACK_COLLIDER_FIELDS(LEAST_OF)};
static const char *const hold_names[] = {ATTACK_HOLD_FIELDS(NAME_OF)};
static const double hold_least[] = {ATTACK_HOLD_FIELDS(LEAST_OF)};
static const char *const tie_names[] = {ATTACK_TIE_FIELDS(NAME_OF)};
static const double tie_least[] = {ATTACK_TIE_FIELDS(LEAST_OF)};

#define PART(name, names, most, least)                                                                                 \
    {                                                                                                                  \
        name, (int)(sizeof(names) / sizeof *(names)), most, names, least                                               \
    }
const attack_part_kind attack_parts[N_ATTACK_PARTS] = {
    PART("sim", sim_names, 1, sim_least),
    PART("cloth", cloth_names, ATTACK_MOST_CLOTHS, cloth_least),
    PART("collider", collider_names, ATTACK_MOST_COLLIDERS, collider_least),
    PART("hold", hold_names, ATTACK_MOST_HOLDS, hold_least),
    PART("tie", tie_names, ATTACK_MOST_TIES, tie_least),
};

double *attack_part(attack_recipe *r, int kind, int i)
{
    switch (kind) {
    case ATTACK_PART_CLOTH: return (double *)&r->cloths[i];
    case ATTACK_PART_COLLIDER: return (double *)&r->colliders[i];
    case ATTACK_PART_HOLD: return (double *)&r->holds[i];
    case ATTACK_PART_TIE: return (double *)&r->ties[i];
    default: return (double *)&r->sim;
    }
}

static int part_count(const attack_recipe *r, int kind)
{
    const int counts[N_ATTACK_PARTS] = {1, r->n_cloths, r->n_colliders, r->n_holds, r->n_ties};
    return counts[kind];
}

int *attack_part_count(attack_recipe *r, int kind)
{
    int *counts[N_ATTACK_PARTS] = {NULL, &r->n_cloths, &r->n_colliders, &r->n_holds, &r->n_ties};
    return counts[kind];
}

double *attack_part_add(attack_recipe *r, int kind)
{
    int *n = attack_part_count(r, kind);
    if (!n || *n >= attack_parts[kind].most)
        return NULL;
    double *part = attack_part(r, kind, (*n)++);
    memcpy(part, attack_parts[kind].least, (size_t)attack_parts[kind].n_fields * sizeof *part);
    return part;
}

static void part_drop(attack_recipe *r, int kind, int i)
{
    int *n = attack_part_count(r, kind);
    size_t size = (size_t)attack_parts[kind].n_fields * sizeof(double);
    for (int k = i; k + 1 < *n; k++)
        memcpy(attack_part(r, kind, k), attack_part(r, kind, k + 1), size);
    (*n)--;
}

/* A number of a part that may name part i: true if it does; later ones move down. */
static bool names_part(double *field, int i)
{
    if (*field > i)
        *field -= 1;
    else if (*field == i)
        return true;
    return false;
}

void attack_part_remove(attack_recipe *r, int kind, int i)
{
    part_drop(r, kind, i);
    for (int k = r->n_holds - 1; k >= 0; k--) {
        attack_hold *h = &r->holds[k];
        bool gone = false;
        if (kind == ATTACK_PART_CLOTH)
            gone = names_part(&h->cloth, i);
        else if (kind == ATTACK_PART_COLLIDER)
            gone = names_part(&h->collider, i) && h->kind == 2;
        if (gone)
            part_drop(r, ATTACK_PART_HOLD, k);
    }
    for (int k = r->n_ties - 1; kind == ATTACK_PART_CLOTH && k >= 0; k--) {
        bool a = names_part(&r->ties[k].a, i), b = names_part(&r->ties[k].b, i);
        if (a || b)
            part_drop(r, ATTACK_PART_TIE, k);
    }
}

attack_recipe attack_recipe_least(void)
{
    attack_recipe r;
    memset(&r, 0, sizeof r);
    memcpy(&r.sim, sim_least, sizeof sim_least);
    return r;
}

static void append(char text[ATTACK_TEXT], const char *word)
{
    size_t n = strlen(text);
    snprintf(text + n, ATTACK_TEXT - n, "%s%s", n ? " " : "", word);
}

static void write_part(const double *part, const attack_part_kind *kind, char text[ATTACK_TEXT])
{
    append(text, kind->name);
    for (int f = 0; f < kind->n_fields; f++) {
        char word[64];
        if (part[f] == kind->least[f])
            continue;
        snprintf(word, sizeof word, "%s=%.6g", kind->fields[f], part[f]);
        append(text, word);
    }
}

void attack_recipe_write(const attack_recipe *r, char text[ATTACK_TEXT])
{
    attack_recipe copy = *r;
    text[0] = 0;
    for (int kind = 0; kind < N_ATTACK_PARTS; kind++)
        for (int i = 0; i < part_count(r, kind); i++)
            write_part(attack_part(&copy, kind, i), &attack_parts[kind], text);
}

static int find_name(const char *const *names, int n, const char *word, size_t length)
{
    for (int i = 0; i < n; i++)
        if (strlen(names[i]) == length && memcmp(names[i], word, length) == 0)
            return i;
    return -1;
}

static bool read_field(double *part, const attack_part_kind *kind, const char *word, size_t length)
{
    const char *equals = memchr(word, '=', length);
    int f = equals ? find_name(kind->fields, kind->n_fields, word, (size_t)(equals - word)) : -1;
    if (f < 0)
        return false;
    char *end;
    part[f] = strtod(equals + 1, &end);
    return end == word + length && end > equals + 1 && isfinite(part[f]);
}

static int find_part(const char *word, size_t length)
{
    for (int kind = 0; kind < N_ATTACK_PARTS; kind++)
        if (strlen(attack_parts[kind].name) == length && memcmp(attack_parts[kind].name, word, length) == 0)
            return kind;
    return -1;
}

/* Parts that are named by number have to be there. */
static bool names_are_there(const attack_recipe *r)
{
    bool ok = r->n_cloths > 0;
    for (int i = 0; i < r->n_holds; i++) {
        const attack_hold *h = &r->holds[i];
        ok = ok && h->cloth >= 0 && h->cloth < r->n_cloths;
        ok = ok && (h->kind != 2 || (h->collider >= 0 && h->collider < r->n_colliders));
    }
    for (int i = 0; i < r->n_ties; i++) {
        const attack_tie *t = &r->ties[i];
        ok = ok && t->a >= 0 && t->a < r->n_cloths && t->b >= 0 && t->b < r->n_cloths;
    }
    return ok;
}

bool attack_recipe_read(attack_recipe *r, const char *text, const char **wrong)
{
    *r = attack_recipe_least();
    double *part = NULL;
    int kind = -1;
    for (const char *at = text + strspn(text, " \t\r\n"); *at;) {
        size_t length = strcspn(at, " \t\r\n");
        int next = find_part(at, length);
        *wrong = at;
        if (next >= 0) {
            kind = next;
            part = next == ATTACK_PART_SIM ? (double *)&r->sim : attack_part_add(r, next);
        }
        if (!part || (next < 0 && !read_field(part, &attack_parts[kind], at, length)))
            return false;
        at += length;
        at += strspn(at, " \t\r\n");
    }
    *wrong = "(a part that is named by its number is not there, or there is no cloth)";
    return names_are_there(r);
}
