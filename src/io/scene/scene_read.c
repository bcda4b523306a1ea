/* SPDX-License-Identifier: MIT */
/* Objects of a scene: their keys, which of them belong together, and names of other objects. */
#include "io/scene/scene_read.h"

#include "io/scene/nearest.h"
#include "io/scene/scene_number.h"

#include <stdio.h>
#include <string.h>

/* Where in the scene we are: an object that a key holds, an item of a list, an item of a map. */
typedef struct scope {
    const struct scope *above; /* NULL: the scene itself */
    const char *key;           /* of the object, or of the list */
    int32_t index;             /* in a list; -1: no list */
    const char *kind, *name;   /* of an item of a map; NULL */
    tree_mark mark;
} scope;

enum { SCOPE_TEXT = 256 };

/* "grid of cloth 'sheet'", "keys.1 of attachments.0", "forces", "the scene". */
static const char *scope_text(const scope *s, char out[SCOPE_TEXT])
{
    char shown[TREE_SHOWN];
    size_t n = 0;
    if (!s->above)
        snprintf(out, SCOPE_TEXT, "the scene");
    for (; s->above && n < SCOPE_TEXT; s = s->above) {
        const char *of = n > 0 ? " of " : "";
        int more;
        if (s->name)
            more = snprintf(out + n, SCOPE_TEXT - n, "%s%s %s", of, s->kind, tree_quote(s->name, shown));
        else if (s->index >= 0)
            more = snprintf(out + n, SCOPE_TEXT - n, "%s%s.%d", of, s->key, s->index);
        else
            more = snprintf(out + n, SCOPE_TEXT - n, "%s%s", of, s->key);
        n += more > 0 ? (size_t)more : 0;
    }
    return out;
}

static weft_result read_object(scene_reader *r, const schema_object *o, const tree_node *n, const scope *in,
                               void *draft);

/* ---- keys -------------------------------------------------------------------------------------------------------- */

static void add_keys(const schema_object *o, char out[SCOPE_TEXT])
{
    out[0] = '\0';
    for (const schema_field *f = o->fields; f->key; f++) {
        size_t n = strlen(out);
        snprintf(out + n, SCOPE_TEXT - n, "%s%s", n > 0 ? ", " : "", f->key);
    }
}

static bool is_digits(const char *s)
{
    return *s && s[strspn(s, "0123456789")] == '\0';
}

/* In {radius: 0,2} YAML sees radius: 0 and a key 2. */
static bool is_after_comma(const tree_node *n, int32_t i)
{
    const tree_node *before = i > 0 ? n->items[i - 1] : NULL;
    return before && before->kind == TREE_SCALAR && before->is_plain &&
           is_digits(before->text + (*before->text == '-')) && is_digits(n->keys[i]->text) && tree_is_null(n->items[i]);
}

static weft_result decimal_comma(scene_reader *r, const tree_node *n, int32_t i)
{
    char whole[TREE_SHOWN], part[TREE_SHOWN], key[TREE_SHOWN];
    snprintf(whole, sizeof whole, "%s", n->items[i - 1]->text);
    snprintf(part, sizeof part, "%s", n->keys[i]->text);
    return tree_fault(r->source, n->items[i - 1]->mark, r->error, WEFT_ERROR_FORMAT,
                      "%s is %s,%s: numbers have a decimal point, %s.%s", tree_quote(n->keys[i - 1]->text, key), whole,
                      part, whole, part);
}

static weft_result unknown_key(scene_reader *r, const schema_object *o, const tree_node *n, int32_t i, const scope *in)
{
    const tree_node *key = n->keys[i];
    if (is_after_comma(n, i))
        return decimal_comma(r, n, i);
    char shown[TREE_SHOWN], where[SCOPE_TEXT], keys[SCOPE_TEXT];
    nearest near = nearest_to(key->text);
    for (const schema_field *f = o->fields; f->key; f++)
        nearest_offer(&near, f->key);
    tree_quote(key->text, shown);
    scope_text(in, where);
    if (near.best)
        return tree_fault(r->source, key->mark, r->error, WEFT_ERROR_FORMAT, "unknown key %s in %s: did you mean '%s'?",
                          shown, where, near.best);
    add_keys(o, keys);
    return tree_fault(r->source, key->mark, r->error, WEFT_ERROR_FORMAT, "unknown key %s in %s: expected one of %s",
                      shown, where, keys);
}

static weft_result check_applies(scene_reader *r, const schema_object *o, const schema_field *f, const tree_node *key,
                                 const scope *in, const void *draft)
{
    char only[SCHEMA_TEXT_SIZE], where[SCOPE_TEXT];
    if (schema_applies(o, f, draft))
        return WEFT_OK;
    const schema_field *selector = schema_find(o, o->selector);
    schema_only_text(o, f, " and ", only);
    return tree_fault(r->source, key->mark, r->error, WEFT_ERROR_FORMAT,
                      "'%s' makes no sense in %s: its %s is %s, and only %s %s it", f->key, scope_text(in, where),
                      selector->key, selector->choices[schema_selected(o, draft)], only,
                      strchr(only, ' ') ? "have" : "has");
}

static weft_result check_rivals(scene_reader *r, const schema_object *o, const schema_field *f, const tree_node *n,
                                const tree_node *key, const scope *in)
{
    char where[SCOPE_TEXT];
    for (const schema_field *g = o->fields; g->key; g++)
        if (schema_has_word(f->not_with, g->key) && tree_find(n, g->key))
            return tree_fault(r->source, key->mark, r->error, WEFT_ERROR_FORMAT,
                              "%s has both '%s' and '%s': expected one of them", scope_text(in, where), f->key, g->key);
    return WEFT_OK;
}

static weft_result check_required(scene_reader *r, const schema_object *o, const tree_node *n, const scope *in,
                                  const void *draft)
{
    char where[SCOPE_TEXT], kind[SCHEMA_TEXT_SIZE];
    for (const schema_field *f = o->fields; f->key; f++) {
        if (!f->required || tree_find(n, f->key) || !schema_applies(o, f, draft))
            continue;
        return tree_fault(r->source, in->mark, r->error, WEFT_ERROR_FORMAT, "'%s' is missing in %s: expected %s",
                          f->key, scope_text(in, where), schema_kind_text(f, kind));
    }
    return WEFT_OK;
}

/* "grid mesh" → "'grid' nor 'mesh'". */
static void quote_words(const char *words, const char *last, char out[SCOPE_TEXT])
{
    size_t n = 0;
    for (const char *s = words; *s && n < SCOPE_TEXT;) {
        size_t length = strcspn(s, " ");
        bool is_last = s[length] == '\0';
        int more = snprintf(out + n, SCOPE_TEXT - n, "%s'%.*s'", n == 0 ? "" : is_last ? last : ", ", (int)length, s);
        n += more > 0 ? (size_t)more : 0;
        s += length + !is_last;
    }
}

static weft_result check_one_of(scene_reader *r, const schema_object *o, const tree_node *n, const scope *in)
{
    char where[SCOPE_TEXT], words[SCOPE_TEXT];
    const char *first = NULL;
    for (int32_t i = 0; o->one_of && i < n->n; i++) {
        const char *key = n->keys[i]->text;
        if (!schema_has_word(o->one_of, key))
            continue;
        if (first)
            return tree_fault(r->source, n->keys[i]->mark, r->error, WEFT_ERROR_FORMAT,
                              "%s has both '%s' and '%s': expected one of them", scope_text(in, where), first, key);
        first = key;
    }
    if (first || !o->one_of)
        return WEFT_OK;
    bool are_two = strchr(o->one_of, ' ') == strrchr(o->one_of, ' ');
    quote_words(o->one_of, are_two ? " nor " : " and ", words);
    return tree_fault(r->source, in->mark, r->error, WEFT_ERROR_FORMAT, "%s has %s %s: expected one of them",
                      scope_text(in, where), are_two ? "neither" : "none of", words);
}

/* ---- objects in objects ------------------------------------------------------------------------------------------ */

static weft_result fault_not_a(scene_reader *r, const schema_field *f, const tree_node *n)
{
    char shown[TREE_SHOWN], kind[SCHEMA_TEXT_SIZE];
    return tree_fault(r->source, n->mark, r->error, WEFT_ERROR_FORMAT, "%s is %s: expected %s", f->key,
                      tree_show(n, shown), schema_kind_text(f, kind));
}

/* Names stand in messages, in paths of --set and in names of files. */
static weft_result check_name(scene_reader *r, const schema_field *f, const tree_node *key)
{
    char shown[TREE_SHOWN];
    const char *s = key->text;
    bool bad = *s == '\0' || strlen(s) > 64 || *s == ' ' || s[strlen(s) - 1] == ' ';
    for (; *s && !bad; s++)
        bad = (unsigned char)*s < 32 || *s == 127 || strchr("./\\=:'\"", *s);
    if (!bad)
        return WEFT_OK;
    return tree_fault(r->source, key->mark, r->error, WEFT_ERROR_FORMAT,
                      "%s cannot be the name of a %s: expected 1 to 64 letters without . / \\ = : ' \"",
                      tree_quote(key->text, shown), f->object->name);
}

/* The fabric that another one is like must be there before its own keys are read. */
static weft_result start_fabric(scene_reader *r, const schema_object *o, const tree_node *n, draft_fabric *d, int32_t i)
{
    const tree_node *like = tree_find(n, o->base);
    if (!like)
        return WEFT_OK;
    weft_result result = scene_read_value(r, schema_find(o, o->base), o->base, like, &d->like);
    return result == WEFT_OK ? scene_find_fabric(r, &d->like, i, &d->fabric) : result;
}

static weft_result read_object_item(scene_reader *r, const schema_field *f, const tree_node *n, int32_t i,
                                    const scope *in, void *draft)
{
    const schema_object *o = f->object;
    const tree_node *item = n->items[i], *head = f->kind == SCHEMA_MAP ? n->keys[i] : item;
    scope s = {.above = in, .key = f->key, .index = i, .kind = o->name, .mark = head->mark};
    if (f->kind == SCHEMA_MAP) {
        s.name = head->text;
        weft_result named = check_name(r, f, head);
        if (named < 0)
            return named;
    }
    o->defaults(draft);
    *(draft_head *)draft = (draft_head){s.name ? s.name : "", head};
    weft_result result = o->base ? start_fabric(r, o, item, draft, i) : WEFT_OK;
    return result == WEFT_OK ? read_object(r, o, item, &s, draft) : result;
}

static weft_result read_object_items(scene_reader *r, const schema_field *f, const tree_node *n, const scope *in,
                                     draft_list *out)
{
    tree_kind wanted = f->kind == SCHEMA_MAP ? TREE_MAP : TREE_LIST;
    int32_t count = n->kind == wanted ? n->n : 0;
    if (n->kind != wanted && !tree_is_null(n))
        return fault_not_a(r, f, n);
    size_t size = f->object->size;
    char *items = scene_arena_make(r->arena, (size_t)count, size);
    *out = (draft_list){items, 0, n};
    if (!items)
        return fault_memory(r->error);
    weft_result result = WEFT_OK;
    for (int32_t i = 0; result == WEFT_OK && i < count; i++) {
        result = read_object_item(r, f, n, i, in, items + (size_t)i * size);
        out->n = i + 1;
    }
    return result;
}

static weft_result read_field(scene_reader *r, const schema_object *o, const schema_field *f, const tree_node *key,
                              const tree_node *n, const scope *in, void *draft)
{
    void *to = (char *)draft + f->offset;
    weft_result result = check_applies(r, o, f, key, in, draft);
    if (result < 0)
        return result;
    if (f->given)
        memcpy((char *)draft + f->given, &(bool){true}, sizeof(bool));
    scope below = {.above = in, .key = f->key, .index = -1, .mark = key->mark};
    switch (f->kind) {
    case SCHEMA_OBJECT:
        if (n->kind != TREE_MAP && !tree_is_null(n))
            return fault_not_a(r, f, n);
        return read_object(r, f->object, n, &below, draft);
    case SCHEMA_LIST:
    case SCHEMA_MAP: return read_object_items(r, f, n, in, to);
    default: return scene_read_value(r, f, f->key, n, to);
    }
}

/* The selector first, since it tells which other keys may be. */
static weft_result read_object(scene_reader *r, const schema_object *o, const tree_node *n, const scope *in,
                               void *draft)
{
    char shown[TREE_SHOWN], where[SCOPE_TEXT];
    if (n->kind != TREE_MAP && !tree_is_null(n))
        return tree_fault(r->source, n->mark, r->error, WEFT_ERROR_FORMAT, "%s is %s: expected an object with keys",
                          scope_text(in, where), tree_show(n, shown));
    weft_result result = WEFT_OK;
    const tree_node *selected = o->selector ? tree_find(n, o->selector) : NULL;
    if (selected)
        result = read_field(r, o, schema_find(o, o->selector), selected, selected, in, draft);
    bool waits = o->selector && !selected && schema_find(o, o->selector)->required;
    for (int32_t i = 0; result == WEFT_OK && i < n->n; i++)
        if (!schema_find(o, n->keys[i]->text))
            result = unknown_key(r, o, n, i, in);
    if (result == WEFT_OK && waits)
        result = check_required(r, o, n, in, draft);
    for (int32_t i = 0; result == WEFT_OK && i < n->n; i++) {
        const schema_field *f = schema_find(o, n->keys[i]->text);
        result = check_rivals(r, o, f, n, n->keys[i], in);
        if (result == WEFT_OK && n->items[i] != selected)
            result = read_field(r, o, f, n->keys[i], n->items[i], in, draft);
    }
    if (result == WEFT_OK)
        result = check_one_of(r, o, n, in);
    return result == WEFT_OK ? check_required(r, o, n, in, draft) : result;
}

/* ---- the scene --------------------------------------------------------------------------------------------------- */

/* Before all else: a file of another version may have any keys. */
static weft_result check_version(scene_reader *r, const tree_node *root)
{
    char shown[TREE_SHOWN];
    const tree_node *n = tree_find(root, "weft");
    double version;
    if (!n || n->kind != TREE_SCALAR || !number_read(n->text, &version) || version == 1)
        return WEFT_OK;
    return tree_fault(r->source, n->mark, r->error, WEFT_ERROR_VERSION,
                      "weft is %s: this program reads scenes of version 1", tree_show(n, shown));
}

weft_result scene_read(scene_reader *r, const tree_node *root)
{
    char shown[TREE_SHOWN];
    scope scene = {.index = -1, .mark = {1, 1, 0}};
    schema_scene.defaults(r->draft);
    r->draft->head.node = root;
    if (!root || tree_is_null(root))
        return tree_fault(r->source, scene.mark, r->error, WEFT_ERROR_FORMAT,
                          "the scene is empty: expected keys such as 'cloths'");
    if (root->kind != TREE_MAP)
        return tree_fault(r->source, root->mark, r->error, WEFT_ERROR_FORMAT,
                          "the scene is %s: expected keys such as 'cloths'", tree_show(root, shown));
    weft_result result = check_version(r, root);
    return result == WEFT_OK ? read_object(r, &schema_scene, root, &scene, r->draft) : result;
}

/* ---- names ------------------------------------------------------------------------------------------------------- */

static void offer_key(nearest *near, const char *name, char list[SCOPE_TEXT])
{
    size_t n = strlen(list);
    nearest_offer(near, name);
    if (n + strlen(name) + 3 < SCOPE_TEXT)
        snprintf(list + n, SCOPE_TEXT - n, "%s%s", n > 0 ? ", " : "", name);
}

weft_result scene_no_such(scene_reader *r, const char *of, const draft_text *wanted, const char *const *names)
{
    char shown[TREE_SHOWN], list[SCOPE_TEXT] = "";
    nearest near = nearest_to(wanted->text);
    for (int32_t i = 0; names[i]; i++)
        offer_key(&near, names[i], list);
    for (int32_t i = -1; strcmp(of, "fabric") == 0 && schema_fabric_name(i); i++)
        offer_key(&near, schema_fabric_name(i), list);
    tree_quote(wanted->text, shown);
    tree_mark mark = wanted->node ? wanted->node->mark : (tree_mark){0};
    if (near.best)
        return tree_fault(r->source, mark, r->error, WEFT_ERROR_NOT_FOUND, "no %s %s: did you mean '%s'?", of, shown,
                          near.best);
    return tree_fault(r->source, mark, r->error, WEFT_ERROR_NOT_FOUND, "no %s %s: expected %s%s", of, shown,
                      *list ? "one of " : "some in the scene", list);
}

weft_result scene_find_fabric(scene_reader *r, const draft_text *wanted, int32_t n, weft_fabric *out)
{
    const draft_fabric *own = r->draft->fabrics.items;
    int32_t found = 0;
    while (found < n && strcmp(own[found].head.name, wanted->text) != 0)
        found++;
    bool is_default = strcmp(wanted->text, "default") == 0;
    if (found < n || is_default)
        *out = found < n ? own[found].fabric : weft_fabric_default();
    if (found < n || is_default || weft_fabric_find(wanted->text, out, NULL) == WEFT_OK)
        return WEFT_OK;
    const char **names = scene_arena_make(r->arena, (size_t)n + 1, sizeof *names);
    for (int32_t i = 0; names && i < n; i++)
        names[i] = own[i].head.name;
    return names ? scene_no_such(r, "fabric", wanted, names) : fault_memory(r->error);
}
