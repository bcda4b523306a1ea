/* SPDX-License-Identifier: MIT */
/* Which format a file of a pattern has, and its reader. */
#include "io/file.h"
#include "io/pattern/pattern_tree.h"

#include <stdlib.h>
#include <string.h>

static bool find_word(const char *bytes, size_t size, const char *word)
{
    size_t n = strlen(word);
    for (size_t i = 0; i + n <= size; i++)
        if (bytes[i] == word[0] && memcmp(bytes + i, word, n) == 0)
            return true;
    return false;
}

bool weft_pattern_detect(const void *bytes, size_t size, weft_pattern_format *out)
{
    if (!bytes || !out)
        return false;
    bool outline = find_word(bytes, size, "\"panel-outline/1\"") || find_word(bytes, size, "panel-outline/1");
    bool code = find_word(bytes, size, "\"pattern\"") && find_word(bytes, size, "\"panels\"");
    *out = outline ? WEFT_PATTERN_OUTLINE : WEFT_PATTERN_GARMENTCODE;
    return outline || code;
}

static weft_result parse_json(weft_pattern *pattern, weft_pattern_format format, const char *name, const void *bytes,
                              size_t size, weft_error *error)
{
    pattern_reader r = {.source = {.name = name}, .error = error, .pattern = pattern};
    tree_node *root = NULL;
    weft_result result = tree_parse(&r.arena, &r.source, 0, bytes, size, &root, error);
    if (result == WEFT_OK && (!root || root->kind != TREE_MAP))
        result = fault(error, WEFT_ERROR_FORMAT, "%s:1: found no JSON object", name);
    if (result == WEFT_OK)
        result = format == WEFT_PATTERN_OUTLINE ? pattern_outline_read(&r, root) : pattern_garmentcode_read(&r, root);
    scene_arena_free(&r.arena);
    return result;
}

weft_result weft_pattern_parse(weft_pattern_format format, const char *name, const void *bytes, size_t size,
                               weft_pattern **out, weft_error *error)
{
    if (!out || !name || (!bytes && size > 0))
        return fault(error, WEFT_ERROR_ARGUMENT, "name, bytes or out is NULL");
    *out = NULL;
    weft_pattern *pattern = NULL;
    weft_result r = weft_pattern_create(NULL, NULL, &pattern, error);
    if (r < 0)
        return r;
    r = format == WEFT_PATTERN_DXF ? pattern_dxf_parse(pattern, name, bytes, size, error)
                                   : parse_json(pattern, format, name, bytes, size, error);
    if (r == WEFT_OK && weft_pattern_panel_count(pattern) == 0)
        r = fault(error, WEFT_ERROR_FORMAT, "%s: there is no panel in it", name);
    if (r < 0)
        weft_pattern_destroy(pattern);
    else
        *out = pattern;
    return r;
}

weft_result weft_pattern_read(const char *path, weft_pattern **out, weft_error *error)
{
    if (!path || !out)
        return fault(error, WEFT_ERROR_ARGUMENT, "path or out is NULL");
    char *bytes = NULL;
    size_t size = 0;
    *out = NULL;
    weft_pattern_format format = WEFT_PATTERN_DXF;
    bool is_dxf = file_ending_is(path, "dxf");
    if (!is_dxf && !file_ending_is(path, "json"))
        return fault(error, WEFT_ERROR_FORMAT, "%s: a pattern is expected to end with .json or .dxf", path);
    weft_result r = file_read(path, &bytes, &size, error);
    if (r == WEFT_OK && !is_dxf && !weft_pattern_detect(bytes, size, &format))
        r = fault(error, WEFT_ERROR_FORMAT, "%s: neither panel-outline/1 nor a GarmentCode specification", path);
    r = r < 0 ? r : weft_pattern_parse(format, path, bytes, size, out, error);
    free(bytes);
    return r;
}
