/* SPDX-License-Identifier: MIT */
/* libyaml gives events; a node is built from each, with its children gathered first and then moved into the arena.
 * Bounds are checked on the way, so that a small file cannot take much (io/params.h). */
#include "io/scene/yaml_tree.h"

#include "base/array.h"
#include "io/params.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <yaml.h>

typedef struct anchor {
    const char *name;
    const tree_node *node;
} anchor;

typedef struct builder {
    scene_arena *arena;
    const tree_source *source;
    weft_error *error;
    int32_t set, n_nodes, n_copies;
    yaml_parser_t parser;
    const char *bytes;
    anchor *anchors;
    size_t n_anchors;
    int64_t room_anchors;
} builder;

/* A list or map that is being read. */
typedef struct gathered {
    tree_node **keys, **items;
    size_t n_keys, n;
    int64_t room_keys, room;
} gathered;

static tree_mark event_mark(const builder *b, yaml_mark_t m)
{
    if (b->set > 0)
        return (tree_mark){.set = b->set};
    return (tree_mark){(int32_t)m.line + 1, (int32_t)m.column + 1, 0};
}

static weft_result build_node(builder *b, yaml_event_t *event, int depth, tree_node **out);

static weft_result tree_no_memory(builder *b)
{
    return fault_memory(b->error);
}

/* ---- events ------------------------------------------------------------------------------------------------------ */

/* Where a byte is that is no text at all: then the parser has no line of its own. */
static yaml_mark_t mark_of_byte(const builder *b, size_t offset)
{
    yaml_mark_t m = {0};
    for (size_t i = 0; i < offset; i++) {
        bool line = b->bytes[i] == '\n', part = ((unsigned char)b->bytes[i] & 0xC0) == 0x80;
        m.line += line;
        m.column = line ? 0 : m.column + !part;
    }
    return m;
}

static weft_result next_event(builder *b, yaml_event_t *event)
{
    if (yaml_parser_parse(&b->parser, event))
        return WEFT_OK;
    const yaml_parser_t *p = &b->parser;
    if (p->error == YAML_MEMORY_ERROR)
        return tree_no_memory(b);
    yaml_mark_t m = p->error == YAML_READER_ERROR ? mark_of_byte(b, p->problem_offset) : p->problem_mark;
    return tree_fault(b->source, event_mark(b, m), b->error, WEFT_ERROR_FORMAT, "no valid YAML: %s%s%s%s",
                      p->problem ? p->problem : "unknown reason", p->context ? " (" : "", p->context ? p->context : "",
                      p->context ? ")" : "");
}

static weft_result event_fault(builder *b, yaml_mark_t m, const char *what, const char *about)
{
    char shown[TREE_SHOWN];
    return tree_fault(b->source, event_mark(b, m), b->error, WEFT_ERROR_FORMAT, "%s %s", what,
                      about ? tree_quote(about, shown) : "");
}

static tree_node *make_node(builder *b, tree_kind kind, tree_mark mark)
{
    b->n_nodes++;
    return tree_make(b->arena, kind, mark);
}

/* ---- anchors ----------------------------------------------------------------------------------------------------- */

static weft_result remember_anchor(builder *b, const char *name, const tree_node *node, yaml_mark_t at)
{
    if (!name)
        return WEFT_OK;
    if (b->n_anchors >= TREE_MOST_ANCHORS)
        return event_fault(b, at, "too many anchors: at most 1000 can be, this is", name);
    char *copy = scene_arena_text(b->arena, name, strlen(name));
    if (!copy || !ARRAY_PUSH(NULL, b->anchors, b->n_anchors, b->room_anchors, ((anchor){copy, node})))
        return tree_no_memory(b);
    return WEFT_OK;
}

static tree_node *copy_tree(builder *b, const tree_node *n)
{
    if (++b->n_copies > TREE_MOST_COPIES)
        return NULL;
    tree_node *c = tree_make(b->arena, n->kind, n->mark);
    if (!c)
        return NULL;
    *c = *n;
    if (n->n == 0)
        return c;
    c->keys = n->keys; /* keys are never changed */
    c->items = scene_arena_make(b->arena, (size_t)n->n, sizeof *c->items);
    for (int32_t i = 0; c->items && i < n->n; i++) {
        c->items[i] = copy_tree(b, n->items[i]);
        if (!c->items[i])
            return NULL;
    }
    return c->items ? c : NULL;
}

static weft_result follow_alias(builder *b, const yaml_event_t *event, int depth, tree_node **out)
{
    const char *name = (const char *)event->data.alias.anchor;
    const tree_node *found = NULL;
    for (size_t i = 0; i < b->n_anchors; i++)
        if (strcmp(b->anchors[i].name, name) == 0)
            found = b->anchors[i].node;
    if (!found)
        return event_fault(b, event->start_mark, "there is no anchor before this with the name", name);
    if (depth + found->height > TREE_MOST_DEPTH)
        return event_fault(b, event->start_mark, "nested more than 32 deep with", name);
    *out = copy_tree(b, found);
    if (!*out && b->n_copies > TREE_MOST_COPIES)
        return event_fault(b, event->start_mark, "aliases stand for more than 100000 values with", name);
    return *out ? WEFT_OK : tree_no_memory(b);
}

/* ---- nodes ------------------------------------------------------------------------------------------------------- */

/* Tags would say what the schema says already. Only !!str means something here: quotes. */
static weft_result check_tag(builder *b, const yaml_event_t *event, const char *tag)
{
    static const char *const known[] = {"!",          YAML_STR_TAG, YAML_INT_TAG, YAML_FLOAT_TAG,
                                        YAML_MAP_TAG, YAML_SEQ_TAG, YAML_BOOL_TAG};
    for (size_t i = 0; tag && i < sizeof known / sizeof *known; i++)
        if (strcmp(tag, known[i]) == 0)
            return WEFT_OK;
    return tag ? event_fault(b, event->start_mark, "tags are not used in scenes, found", tag) : WEFT_OK;
}

static weft_result build_scalar(builder *b, const yaml_event_t *event, tree_node **out)
{
    const char *value = (const char *)event->data.scalar.value, *tag = (const char *)event->data.scalar.tag;
    size_t n = event->data.scalar.length;
    weft_result r = check_tag(b, event, tag);
    if (r < 0)
        return r;
    if (memchr(value, '\0', n))
        return event_fault(b, event->start_mark, "a zero byte is in the text", value);
    tree_node *s = *out = make_node(b, TREE_SCALAR, event_mark(b, event->start_mark));
    if (!s)
        return tree_no_memory(b);
    s->is_plain = event->data.scalar.style == YAML_PLAIN_SCALAR_STYLE && !(tag && strcmp(tag, YAML_STR_TAG) == 0);
    s->text = scene_arena_text(b->arena, value, n);
    return s->text ? remember_anchor(b, (const char *)event->data.scalar.anchor, s, event->start_mark)
                   : tree_no_memory(b);
}

static weft_result check_new_key(builder *b, const gathered *g, const tree_node *key)
{
    char shown[TREE_SHOWN];
    if (key->kind != TREE_SCALAR)
        return tree_fault(b->source, key->mark, b->error, WEFT_ERROR_FORMAT, "a key is %s: expected a name",
                          tree_show(key, shown));
    if (g->n_keys >= TREE_MOST_KEYS)
        return tree_fault(b->source, key->mark, b->error, WEFT_ERROR_FORMAT, "more than %d keys in one place",
                          TREE_MOST_KEYS);
    for (size_t i = 0; i < g->n_keys; i++)
        if (strcmp(g->keys[i]->text, key->text) == 0 && strcmp(key->text, "<<") != 0)
            return tree_fault(b->source, key->mark, b->error, WEFT_ERROR_FORMAT,
                              "the key %s is here for the second time, it was in line %d already%s",
                              tree_quote(key->text, shown), g->keys[i]->mark.line,
                              key->text[strspn(key->text, "0123456789")] ? "" : "; numbers have a decimal point");
    return WEFT_OK;
}

/* One item, after the event that begins it; for maps, a key and the event of its value. */
static weft_result gather_item(builder *b, gathered *g, bool is_map, yaml_event_t *event, int depth)
{
    tree_node *item = NULL;
    weft_result r = build_node(b, event, depth, &item);
    if (r == WEFT_OK && is_map) {
        assert(item);
        r = check_new_key(b, g, item);
        if (r == WEFT_OK && !ARRAY_PUSH(NULL, g->keys, g->n_keys, g->room_keys, item))
            r = tree_no_memory(b);
        yaml_event_t value;
        if (r == WEFT_OK)
            r = next_event(b, &value);
        if (r != WEFT_OK)
            return r;
        r = build_node(b, &value, depth, &item);
        yaml_event_delete(&value);
    }
    if (r == WEFT_OK && !ARRAY_PUSH(NULL, g->items, g->n, g->room, item))
        r = tree_no_memory(b);
    return r;
}

static weft_result gather_items(builder *b, gathered *g, bool is_map, int depth)
{
    for (;;) {
        yaml_event_t event;
        weft_result r = next_event(b, &event);
        if (r < 0)
            return r;
        bool is_end = event.type == YAML_SEQUENCE_END_EVENT || event.type == YAML_MAPPING_END_EVENT;
        if (!is_end)
            r = gather_item(b, g, is_map, &event, depth);
        yaml_event_delete(&event);
        if (is_end || r < 0)
            return r;
    }
}

/* Into the arena, where it stays. */
static bool keep_gathered(builder *b, const gathered *g, tree_node *n)
{
    n->n = (int32_t)g->n;
    n->items = scene_arena_make(b->arena, g->n, sizeof *n->items);
    n->keys = g->keys ? scene_arena_make(b->arena, g->n, sizeof *n->keys) : NULL;
    if (!n->items || (g->keys && !n->keys))
        return false;
    if (g->n > 0)
        memcpy(n->items, g->items, g->n * sizeof *n->items);
    if (g->keys)
        memcpy(n->keys, g->keys, g->n * sizeof *n->keys);
    for (size_t i = 0; i < g->n; i++)
        n->height = n->height > g->items[i]->height ? n->height : g->items[i]->height + 1;
    return true;
}

/* ---- merge keys -------------------------------------------------------------------------------------------------- */

static bool merge_map(builder *b, tree_node *to, const tree_node *from)
{
    size_t most = (size_t)to->n + (size_t)from->n;
    tree_node **keys = scene_arena_make(b->arena, most, sizeof *keys),
              **items = scene_arena_make(b->arena, most, sizeof *items);
    if (!keys || !items)
        return false;
    if (to->n > 0) {
        memcpy(keys, to->keys, (size_t)to->n * sizeof *keys);
        memcpy(items, to->items, (size_t)to->n * sizeof *items);
    }
    to->keys = keys;
    to->items = items;
    for (int32_t i = 0; i < from->n; i++) {
        if (tree_find(to, from->keys[i]->text))
            continue;
        keys[to->n] = from->keys[i];
        items[to->n++] = from->items[i];
    }
    return true;
}

static weft_result merge_value(builder *b, tree_node *to, const tree_node *value)
{
    char shown[TREE_SHOWN];
    if (value->kind == TREE_MAP && to->n + value->n <= TREE_MOST_KEYS)
        return merge_map(b, to, value) ? WEFT_OK : tree_no_memory(b);
    return tree_fault(b->source, value->mark, b->error, WEFT_ERROR_FORMAT, "<< is %s: expected %s",
                      tree_show(value, shown), value->kind == TREE_MAP ? "fewer keys" : "an object, as *name");
}

/* Every "<<: *name" or "<<: [*a, *b]" is replaced by those keys of the named maps that are not there yet. */
static weft_result merge_keys(builder *b, tree_node *map)
{
    weft_result r = WEFT_OK;
    for (int32_t i = 0; r == WEFT_OK && i < map->n; i++) {
        if (strcmp(map->keys[i]->text, "<<") != 0 || !map->keys[i]->is_plain)
            continue;
        const tree_node *value = map->items[i];
        map->n--;
        memmove(map->keys + i, map->keys + i + 1, (size_t)(map->n - i) * sizeof *map->keys);
        memmove(map->items + i, map->items + i + 1, (size_t)(map->n - i) * sizeof *map->items);
        i--;
        if (value->kind != TREE_LIST)
            r = merge_value(b, map, value);
        for (int32_t k = 0; value->kind == TREE_LIST && r == WEFT_OK && k < value->n; k++)
            r = merge_value(b, map, value->items[k]);
    }
    return r;
}

static weft_result build_collection(builder *b, const yaml_event_t *event, int depth, tree_node **out)
{
    bool is_map = event->type == YAML_MAPPING_START_EVENT;
    const yaml_char_t *tag = is_map ? event->data.mapping_start.tag : event->data.sequence_start.tag;
    const yaml_char_t *name = is_map ? event->data.mapping_start.anchor : event->data.sequence_start.anchor;
    weft_result r = check_tag(b, event, (const char *)tag);
    if (r < 0)
        return r;
    tree_node *n = *out = make_node(b, is_map ? TREE_MAP : TREE_LIST, event_mark(b, event->start_mark));
    if (!n)
        return tree_no_memory(b);
    gathered g = {0};
    r = gather_items(b, &g, is_map, depth + 1);
    if (r == WEFT_OK && !keep_gathered(b, &g, n))
        r = tree_no_memory(b);
    free(g.keys);
    free(g.items);
    if (r == WEFT_OK && is_map)
        r = merge_keys(b, n);
    return r == WEFT_OK ? remember_anchor(b, (const char *)name, n, event->start_mark) : r;
}

static weft_result build_node(builder *b, yaml_event_t *event, int depth, tree_node **out)
{
    if (depth > TREE_MOST_DEPTH)
        return event_fault(b, event->start_mark, "nested more than 32 deep", NULL);
    if (b->n_nodes >= TREE_MOST_NODES)
        return event_fault(b, event->start_mark, "more than 1000000 values in one scene", NULL);
    if (event->type == YAML_ALIAS_EVENT)
        return follow_alias(b, event, depth, out);
    if (event->type == YAML_SCALAR_EVENT)
        return build_scalar(b, event, out);
    return build_collection(b, event, depth, out);
}

/* ---- documents --------------------------------------------------------------------------------------------------- */

static weft_result build_stream(builder *b, tree_node **out)
{
    for (;;) {
        yaml_event_t event;
        weft_result r = next_event(b, &event);
        if (r < 0)
            return r;
        yaml_event_type_t type = event.type;
        if (type == YAML_DOCUMENT_START_EVENT && *out)
            r = event_fault(b, event.start_mark, "a second document begins here: expected one scene a file", NULL);
        else if (type == YAML_SCALAR_EVENT || type == YAML_SEQUENCE_START_EVENT || type == YAML_MAPPING_START_EVENT ||
                 type == YAML_ALIAS_EVENT)
            r = build_node(b, &event, 0, out);
        yaml_event_delete(&event);
        if (r < 0 || type == YAML_STREAM_END_EVENT)
            return r;
    }
}

weft_result tree_parse(scene_arena *a, const tree_source *s, int32_t set, const void *bytes, size_t size,
                       tree_node **out, weft_error *e)
{
    *out = NULL;
    builder b = {.arena = a, .source = s, .error = e, .set = set, .bytes = bytes};
    if (size > TREE_MOST_BYTES)
        return tree_fault(s, (tree_mark){1, 1, set}, e, WEFT_ERROR_FORMAT, "%llu bytes: a scene has at most %d",
                          (unsigned long long)size, TREE_MOST_BYTES);
    if (!yaml_parser_initialize(&b.parser))
        return fault_memory(e);
    yaml_parser_set_input_string(&b.parser, (const unsigned char *)(size ? bytes : ""), size);
    weft_result r = build_stream(&b, out);
    yaml_parser_delete(&b.parser);
    free(b.anchors);
    return r;
}
