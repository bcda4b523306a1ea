/* SPDX-License-Identifier: MIT */
/* Values of a tree by their keys. Each function says what it found, where, and what it expected. */
#include "io/pattern/pattern_tree.h"

#include "io/decimal.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

weft_result pattern_fault(const pattern_reader *r, const tree_node *at, const char *format, ...)
{
    char text[400];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    return tree_fault(&r->source, at->mark, r->error, WEFT_ERROR_FORMAT, "%s", text);
}

weft_result pattern_pass_on(const pattern_reader *r, const tree_node *at, weft_result result)
{
    if (result >= 0 || result == WEFT_ERROR_MEMORY || !r->error)
        return result;
    weft_error told = *r->error;
    tree_fault(&r->source, at->mark, r->error, result, "%s", told.text);
    return result;
}

weft_result pattern_memory(const pattern_reader *r)
{
    return fault_memory(r->error);
}

static const char *kind_name(tree_kind kind)
{
    return kind == TREE_MAP ? "an object" : kind == TREE_LIST ? "a list" : "a text or a number";
}

weft_result pattern_need(const pattern_reader *r, const tree_node *map, const char *key, tree_kind kind,
                         const tree_node **out)
{
    char shown[TREE_SHOWN];
    if (map->kind != TREE_MAP)
        return pattern_fault(r, map, "found %s, expected an object with '%s'", tree_show(map, shown), key);
    *out = tree_find(map, key);
    if (!*out)
        return pattern_fault(r, map, "there is no '%s' here", key);
    if ((*out)->kind != kind)
        return pattern_fault(r, *out, "'%s' is %s, expected %s", key, tree_show(*out, shown), kind_name(kind));
    return WEFT_OK;
}

weft_result pattern_number(const pattern_reader *r, const tree_node *n, double *out)
{
    char shown[TREE_SHOWN];
    const char *text = n->kind == TREE_SCALAR && n->is_plain ? n->text : "";
    const char *end = text + strlen(text);
    if (*text == '\0' || decimal_read(text, end, out) != end || !isfinite(*out))
        return pattern_fault(r, n, "found %s, expected a number", tree_show(n, shown));
    return WEFT_OK;
}

weft_result pattern_integer(const pattern_reader *r, const tree_node *n, int32_t *out)
{
    double value = 0;
    char shown[TREE_SHOWN];
    weft_result result = pattern_number(r, n, &value);
    if (result == WEFT_OK && (value != floor(value) || fabs(value) > 1e9))
        return pattern_fault(r, n, "found %s, expected a whole number", tree_show(n, shown));
    *out = result == WEFT_OK ? (int32_t)value : 0;
    return result;
}

weft_result pattern_numbers(const pattern_reader *r, const tree_node *list, double *out, int32_t n)
{
    char shown[TREE_SHOWN];
    if (list->kind != TREE_LIST || list->n != n)
        return pattern_fault(r, list, "found %s, expected a list of %d numbers", tree_show(list, shown), n);
    weft_result result = WEFT_OK;
    for (int32_t i = 0; result == WEFT_OK && i < n; i++)
        result = pattern_number(r, list->items[i], &out[i]);
    return result;
}

weft_result pattern_text(const pattern_reader *r, const tree_node *map, const char *key, const char **out)
{
    const tree_node *n = NULL;
    weft_result result = pattern_need(r, map, key, TREE_SCALAR, &n);
    *out = "";
    if (result < 0 || !n)
        return result;
    *out = n->text;
    return **out ? WEFT_OK : pattern_fault(r, n, "'%s' is empty, expected a name", key);
}

weft_result pattern_point(const pattern_reader *r, const tree_node *n, weft_vec2 *out)
{
    double x[2] = {0, 0};
    weft_result result = pattern_numbers(r, n, x, 2);
    *out = (weft_vec2){x[0], x[1]};
    return result;
}

weft_result pattern_points(pattern_reader *r, const tree_node *list, weft_vec2 **out)
{
    *out = scene_arena_make(&r->arena, (size_t)list->n, sizeof **out);
    if (!*out)
        return pattern_memory(r);
    weft_result result = WEFT_OK;
    for (int32_t i = 0; result == WEFT_OK && i < list->n; i++)
        result = pattern_point(r, list->items[i], &(*out)[i]);
    return result;
}
