/* SPDX-License-Identifier: MIT */
/* Groups as objects; what the user says of their sides and layers. */
#include "untangle.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static weft_result trouble(weft_error *error, const char *format, const char *a, size_t n)
{
    *error = (weft_error){.code = WEFT_ERROR_ARGUMENT, .element = -1};
    snprintf(error->text, sizeof error->text, format, (int)(n < 200 ? n : 200), a);
    return WEFT_ERROR_ARGUMENT;
}

static weft_result no_memory(weft_error *error)
{
    *error = (weft_error){.code = WEFT_ERROR_MEMORY, .element = -1, .text = "out of memory"};
    return WEFT_ERROR_MEMORY;
}

/* The number of a group, or of a collider by its file's name; -1: there is none. */
static int32_t find_object(const subject *s, const weft_mesh *mesh, const untangle_parts *p, const char *name, size_t n)
{
    for (int32_t i = 0; i < mesh->n_groups; i++)
        if (strlen(mesh->group_names[i]) == n && memcmp(mesh->group_names[i], name, n) == 0)
            return i;
    for (int32_t i = 1; i < s->n_objects; i++)
        if (strlen(s->objects[i].name) == n && memcmp(s->objects[i].name, name, n) == 0)
            return p->n_groups + i - 1;
    return -1;
}

static bool read_side(const char *word, weft_untangle_side *out)
{
    static const char *const words[] = {"in", "found", "out", "plain"};
    for (int i = 0; i < 4; i++)
        if (strcmp(word, words[i]) == 0) {
            *out = (weft_untangle_side)(i - 1);
            return true;
        }
    return false;
}

static weft_result read_sides(untangle_parts *p, const subject *s, const weft_mesh *mesh, const args_list *sides,
                              weft_error *error)
{
    for (int32_t i = 0; i < sides->n; i++) {
        const char *text = sides->items[i], *equals = strrchr(text, '=');
        weft_untangle_side side;
        if (!read_side(equals ? equals + 1 : text, &side))
            return trouble(error, "--side %.*s: a side is out, in, found or plain", text, strlen(text));
        if (!equals) {
            for (int32_t k = 0; k < p->n_objects; k++)
                p->sides[k] = side;
            continue;
        }
        int32_t object = find_object(s, mesh, p, text, (size_t)(equals - text));
        if (object < 0)
            return trouble(error, "--side: there is no group or collider '%.*s'", text, (size_t)(equals - text));
        p->sides[object] = side;
    }
    return WEFT_OK;
}

/* They have an outside, where others belong; it may be said otherwise. */
static weft_result read_rigid(untangle_parts *p, const subject *s, const weft_mesh *mesh, const args_list *rigid,
                              weft_error *error)
{
    for (int32_t i = 0; i < rigid->n; i++) {
        int32_t object = find_object(s, mesh, p, rigid->items[i], strlen(rigid->items[i]));
        if (object < 0 || object >= p->n_groups)
            return trouble(error, "--rigid: there is no group '%.*s'", rigid->items[i], strlen(rigid->items[i]));
        p->is_rigid[object] = true;
        p->sides[object] = WEFT_SIDE_OUT;
    }
    return WEFT_OK;
}

/* Each is over all that stand before it. */
static weft_result read_layers(untangle_parts *p, const subject *s, const weft_mesh *mesh, const char *layers,
                               weft_error *error)
{
    size_t room = strlen(layers) + 1, n_names = 0;
    int32_t *names = calloc(room, sizeof *names);
    weft_result r = names ? WEFT_OK : no_memory(error);
    for (const char *at = layers; r >= 0;) {
        size_t n = strcspn(at, ",");
        names[n_names] = find_object(s, mesh, p, at, n);
        if (names[n_names] < 0)
            r = trouble(error, "--layers: there is no group or collider '%.*s'", at, n);
        for (size_t k = 0; k < n_names && r >= 0; k++)
            if (names[k] == names[n_names])
                r = trouble(error, "--layers: '%.*s' stands there twice", at, n);
        n_names++;
        if (at[n] == '\0')
            break;
        at += n + 1;
    }
    if (r >= 0 && !(p->layers = calloc(n_names * n_names + 1, sizeof *p->layers)))
        r = no_memory(error);
    for (size_t i = 0; i < n_names && r >= 0; i++)
        for (size_t k = 0; k < i; k++)
            p->layers[p->n_layers++] = (weft_untangle_layer){names[k], names[i]};
    free(names);
    return r;
}

weft_result untangle_parts_make(untangle_parts *p, const subject *s, const weft_mesh *mesh, const int32_t *face,
                                const args_list *sides, const args_list *rigid, const char *layers, weft_error *error)
{
    bool groups = mesh->n_groups > 0 && mesh->face_group;
    /* With groups, one more for faces that are in none. */
    *p = (untangle_parts){.n_groups = groups ? mesh->n_groups + 1 : 1};
    p->n_objects = p->n_groups + s->n_objects - 1;
    p->objects = calloc((size_t)s->n_triangles + 1, sizeof *p->objects);
    p->is_collider = calloc((size_t)p->n_objects, sizeof *p->is_collider);
    p->is_rigid = calloc((size_t)p->n_objects, sizeof *p->is_rigid);
    p->sides = calloc((size_t)p->n_objects, sizeof *p->sides);
    if (!p->objects || !p->is_collider || !p->is_rigid || !p->sides)
        return no_memory(error);
    for (int32_t i = 0; i < s->n_triangles; i++) {
        int32_t object = s->triangle_object[i];
        if (object > 0)
            p->objects[i] = p->n_groups + object - 1;
        else if (groups)
            p->objects[i] = mesh->face_group[face[i]] >= 0 ? mesh->face_group[face[i]] : mesh->n_groups;
    }
    for (int32_t i = p->n_groups; i < p->n_objects; i++) {
        p->is_collider[i] = true;
        p->sides[i] = WEFT_SIDE_OUT;
    }
    weft_result r = read_rigid(p, s, mesh, rigid, error);
    r = r < 0 ? r : read_sides(p, s, mesh, sides, error);
    return r >= 0 && layers ? read_layers(p, s, mesh, layers, error) : r;
}

void untangle_parts_free(untangle_parts *p)
{
    free(p->objects);
    free(p->is_collider);
    free(p->is_rigid);
    free(p->sides);
    free(p->layers);
}
