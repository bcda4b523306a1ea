/* SPDX-License-Identifier: MIT */
/* Trees: making and looking up nodes, texts for messages, and --set path=value. */
#include "io/scene/scene_number.h"
#include "io/scene/yaml_tree.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- messages ---------------------------------------------------------------------------------------------------- */

/* The end of a long path tells more than its beginning. */
static const char *path_end(const char *path)
{
    size_t n = strlen(path), most = 200;
    return n > most ? path + n - most : path;
}

weft_result tree_fault(const tree_source *s, tree_mark mark, weft_error *e, weft_result code, const char *format, ...)
{
    char text[1024], shown[TREE_SHOWN];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    for (size_t n = strlen(text); n > 0 && text[n - 1] == ' '; n--)
        text[n - 1] = '\0';
    if (mark.set > 0 && mark.set <= s->n_sets) {
        tree_quote(s->sets[mark.set - 1], shown);
        return fault(e, code, "--set %.*s: %s", (int)strlen(shown) - 2, shown + 1, text);
    }
    if (mark.line > 0)
        return fault(e, code, "%s:%d:%d: %s", path_end(s->name), mark.line, mark.column, text);
    return fault(e, code, "%s: %s", path_end(s->name), text);
}

const char *tree_quote(const char *text, char out[TREE_SHOWN])
{
    const size_t most = 64;
    size_t n = strlen(text), i = 0, k = n > most ? most : n;
    while (n > most && k > 0 && ((unsigned char)text[k] & 0xC0) == 0x80)
        k--;
    out[i++] = '\'';
    for (size_t j = 0; j < k; j++)
        out[i++] = (unsigned char)text[j] < 32 || text[j] == 127 ? ' ' : text[j];
    snprintf(out + i, TREE_SHOWN - i, "%s'", n > most ? "…" : "");
    return out;
}

const char *tree_show(const tree_node *n, char out[TREE_SHOWN])
{
    double number;
    if (n->kind == TREE_LIST)
        snprintf(out, TREE_SHOWN, n->n == 0 ? "an empty list" : "a list of %d", n->n);
    else if (n->kind == TREE_MAP)
        snprintf(out, TREE_SHOWN, "an object");
    else if (tree_is_null(n))
        snprintf(out, TREE_SHOWN, "empty");
    else if (n->is_plain && strlen(n->text) < 64 && number_read(n->text, &number))
        snprintf(out, TREE_SHOWN, "%s", n->text);
    else
        tree_quote(n->text, out);
    return out;
}

/* ---- nodes ------------------------------------------------------------------------------------------------------- */

bool tree_is_null(const tree_node *n)
{
    return n->kind == TREE_SCALAR && n->is_plain &&
           (n->text[0] == '\0' || strcmp(n->text, "~") == 0 || strcmp(n->text, "null") == 0);
}

tree_node *tree_find(const tree_node *map, const char *key)
{
    for (int32_t i = 0; map->kind == TREE_MAP && i < map->n; i++)
        if (strcmp(map->keys[i]->text, key) == 0)
            return map->items[i];
    return NULL;
}

tree_node *tree_make(scene_arena *a, tree_kind kind, tree_mark mark)
{
    tree_node *n = scene_arena_make(a, 1, sizeof *n);
    if (n)
        *n = (tree_node){.kind = kind, .mark = mark, .text = ""};
    return n;
}

static tree_node **list_with(scene_arena *a, tree_node **items, int32_t n, tree_node *more)
{
    tree_node **out = scene_arena_make(a, (size_t)n + 1, sizeof *out);
    if (!out)
        return NULL;
    if (n > 0)
        memcpy(out, items, (size_t)n * sizeof *out);
    out[n] = more;
    return out;
}

bool tree_add(scene_arena *a, tree_node *to, tree_node *key, tree_node *value)
{
    tree_node **keys = key ? list_with(a, to->keys, to->n, key) : NULL, **items = list_with(a, to->items, to->n, value);
    if (!items || (key && !keys))
        return false;
    to->keys = keys;
    to->items = items;
    to->n++;
    return true;
}

/* ---- --set ------------------------------------------------------------------------------------------------------- */

typedef struct setter {
    scene_arena *arena;
    const tree_source *source;
    weft_error *error;
    tree_mark mark;
} setter;

static weft_result set_fault(setter *s, const char *what, const char *name)
{
    char shown[TREE_SHOWN];
    return tree_fault(s->source, s->mark, s->error, WEFT_ERROR_FORMAT, "%s%s%s", name ? tree_quote(name, shown) : "",
                      name ? " " : "", what);
}

/* Where in a list a step of the path leads: an item, or the place behind the last. */
static bool list_index(const tree_node *list, const char *step, int32_t *out)
{
    double number;
    if (step[0] < '0' || step[0] > '9' || !number_read(step, &number) || !(number <= list->n) ||
        number != (int32_t)number)
        return false;
    *out = (int32_t)number;
    return true;
}

/* One step down; what is not there is made. *slot is where the next node hangs. */
static weft_result step_down(setter *s, tree_node ***slot, const char *step)
{
    char shown[TREE_SHOWN];
    tree_node *at = **slot;
    if (!at || tree_is_null(at))
        at = **slot = tree_make(s->arena, step[0] >= '0' && step[0] <= '9' ? TREE_LIST : TREE_MAP, s->mark);
    if (!at)
        return fault_memory(s->error);
    int32_t i = 0;
    if (at->kind == TREE_SCALAR)
        return set_fault(s, "stands below a value that has no keys", step);
    if (at->kind == TREE_LIST && !list_index(at, step, &i))
        return tree_fault(s->source, s->mark, s->error, WEFT_ERROR_INDEX,
                          "%s is no place in this list: it has %d items, counted from 0", tree_quote(step, shown),
                          at->n);
    while (at->kind == TREE_MAP && i < at->n && strcmp(at->keys[i]->text, step) != 0)
        i++;
    if (i == at->n) {
        tree_node *key = tree_make(s->arena, TREE_SCALAR, s->mark), *value = tree_make(s->arena, TREE_SCALAR, s->mark);
        if (!key || !value || !(key->text = scene_arena_text(s->arena, step, strlen(step))))
            return fault_memory(s->error);
        value->is_plain = true;
        if (!tree_add(s->arena, at, at->kind == TREE_MAP ? key : NULL, value))
            return fault_memory(s->error);
        if (at->kind == TREE_LIST)
            at->mark = s->mark; /* if it is too long now, that is why */
    }
    assert(at->items);
    *slot = &at->items[i];
    return WEFT_OK;
}

weft_result tree_set(scene_arena *a, const tree_source *source, int32_t set, tree_node **root, weft_error *e)
{
    setter s = {a, source, e, {.set = set}};
    const char *all = source->sets[set - 1], *equals = strchr(all, '=');
    if (!equals || equals == all)
        return set_fault(&s, "expected path=value, as in output.frames=10", NULL);
    char *path = scene_arena_text(a, all, (size_t)(equals - all));
    if (!path)
        return fault_memory(e);
    tree_node **slot = root;
    for (char *step = path, *dot; step; step = dot ? dot + 1 : NULL) {
        dot = strchr(step, '.');
        if (dot)
            *dot = '\0';
        if (*step == '\0')
            return set_fault(&s, "a name is missing in the path", NULL);
        weft_result r = step_down(&s, &slot, step);
        if (r < 0)
            return r;
    }
    tree_node *value = NULL;
    weft_result r = tree_parse(a, source, set, equals + 1, strlen(equals + 1), &value, e);
    if (r < 0)
        return r;
    if (!value && (value = tree_make(a, TREE_SCALAR, s.mark)))
        value->is_plain = true;
    *slot = value;
    return value ? WEFT_OK : fault_memory(e);
}
