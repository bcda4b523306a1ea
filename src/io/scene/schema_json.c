/* SPDX-License-Identifier: MIT */
/* The schema as JSON Schema (draft 2020-12), with which editors complete keys and mark mistakes. */
#include "io/heap.h"
#include "io/scene/scene_number.h"
#include "io/scene/schema.h"

#include <stdlib.h>
#include <string.h>

static void json_write_object(text *t, const schema_object *o, int depth);

static void json_line(text *t, int depth)
{
    text_add(t, "\n%*s", 2 * depth, "");
}

static void json_write_bounds(text *t, const schema_field *f)
{
    char number[NUMBER_TEXT];
    if (f->range > RANGE_OR_ZERO)
        return;
    text_add(t, ", \"%s\": %s", f->range == RANGE_OPEN ? "exclusiveMinimum" : "minimum", number_write(f->min, number));
    text_add(t, ", \"maximum\": %s", number_write(f->max, number));
}

static void json_write_number(text *t, const schema_field *f, bool is_whole)
{
    const char *type = is_whole ? "integer" : "number";
    if (f->range == RANGE_OR_ZERO)
        text_add(t, "\"anyOf\": [{\"const\": 0}, {");
    text_add(t, "\"type\": \"%s\"", type);
    json_write_bounds(t, f);
    if (f->range == RANGE_OR_ZERO)
        text_add(t, "}]");
}

static void json_write_vector(text *t, const schema_field *f, int n, bool is_whole)
{
    text_add(t, "\"type\": \"array\", \"minItems\": %d, \"maxItems\": %d, \"items\": {", n, n);
    json_write_number(t, f, is_whole);
    text_add(t, "}");
}

static void json_write_choices(text *t, const schema_field *f)
{
    text_add(t, "\"enum\": [");
    for (int32_t i = 0; f->choices[i]; i++)
        text_add(t, "%s\"%s\"", i ? ", " : "", f->choices[i]);
    text_add(t, "]");
}

static void json_write_name(text *t, const schema_field *f)
{
    text_add(t, "\"type\": \"string\", \"minLength\": 1");
    if (!f->of || strcmp(f->of, "fabric") != 0)
        return;
    text_add(t, ", \"examples\": [");
    for (int32_t i = -1; schema_fabric_name(i); i++)
        text_add(t, "%s\"%s\"", i < 0 ? "" : ", ", schema_fabric_name(i));
    text_add(t, "]");
}

#define JSON_FOUR_NUMBERS "{\"type\": \"array\", \"minItems\": 4, \"maxItems\": 4, \"items\": {\"type\": \"number\"}}"
#define JSON_THREE_NUMBERS "{\"type\": \"array\", \"minItems\": 3, \"maxItems\": 3, \"items\": {\"type\": \"number\"}}"
#define JSON_AXIS_ANGLE                                                                                                \
    "{\"type\": \"object\", \"additionalProperties\": false, \"required\": [\"axis\", \"angle\"], \"properties\": "    \
    "{\"axis\": " JSON_THREE_NUMBERS ", \"angle\": {\"type\": \"number\", \"description\": \"degrees\"}}}"
#define JSON_SHADES                                                                                                    \
    "{\"type\": \"array\", \"minItems\": 3, \"maxItems\": 3, \"items\": {\"type\": \"number\", \"minimum\": 0, "       \
    "\"maximum\": 1}}"

static void json_write_map(text *t, const schema_field *f, int depth)
{
    text_add(t, "\"type\": [\"object\", \"null\"], ");
    if (f->required)
        text_add(t, "\"minProperties\": 1, ");
    text_add(t, "\"additionalProperties\": ");
    json_write_object(t, f->object, depth + 1);
}

static void json_write_kind(text *t, const schema_field *f, int depth)
{
    switch (f->kind) {
    case SCHEMA_NUMBER: json_write_number(t, f, false); break;
    case SCHEMA_INTEGER:
    case SCHEMA_BITS: json_write_number(t, f, true); break;
    case SCHEMA_BOOLEAN: text_add(t, "\"type\": \"boolean\""); break;
    case SCHEMA_TEXT:
    case SCHEMA_FILE:
    case SCHEMA_NAME: json_write_name(t, f); break;
    case SCHEMA_CHOICE: json_write_choices(t, f); break;
    case SCHEMA_INTEGER2: json_write_vector(t, f, 2, true); break;
    case SCHEMA_VEC2: json_write_vector(t, f, 2, false); break;
    case SCHEMA_VEC3: json_write_vector(t, f, 3, false); break;
    case SCHEMA_ROTATION: text_add(t, "\"anyOf\": [" JSON_FOUR_NUMBERS ", " JSON_AXIS_ANGLE "]"); break;
    case SCHEMA_COLOR:
        text_add(t, "\"anyOf\": [" JSON_SHADES ", {\"type\": \"string\", \"pattern\": \"^#[0-9a-fA-F]{6}$\"}]");
        break;
    case SCHEMA_LIST:
        text_add(t, "\"type\": [\"array\", \"null\"], \"items\": ");
        json_write_object(t, f->object, depth + 1);
        break;
    case SCHEMA_MAP: json_write_map(t, f, depth); break;
    case SCHEMA_NAMES: text_add(t, "\"type\": \"object\", \"additionalProperties\": {\"type\": \"string\"}"); break;
    case SCHEMA_INTEGERS:
    case SCHEMA_NUMBERS:
        text_add(t, "\"type\": \"array\", \"minItems\": 1, \"items\": {");
        json_write_number(t, f, f->kind == SCHEMA_INTEGERS);
        text_add(t, "}");
        break;
    case SCHEMA_VEC3S: text_add(t, "\"type\": \"array\", \"minItems\": 1, \"items\": " JSON_THREE_NUMBERS); break;
    case SCHEMA_OBJECT: break;
    }
}

/* "mass per area, kg/m²; only with sphere" */
static void json_write_description(text *t, const schema_object *o, const schema_field *f)
{
    char only[SCHEMA_TEXT_SIZE];
    text words = {0};
    text_add(&words, "%s", f->text);
    if (f->unit)
        text_add(&words, ", %s", f->unit);
    if (f->only)
        text_add(&words, "; only with %s: %s", o->selector, schema_only_text(o, f, " or ", only));
    t->failed = t->failed || words.failed;
    text_add(t, "\"description\": ");
    schema_write_quoted(t, words.bytes ? words.bytes : "");
    text_free(&words);
}

/* A value that the default draft has; objects and lists have none of their own. */
static void json_write_default(text *t, const schema_field *f, const void *draft)
{
    if (f->required || f->otherwise || f->kind == SCHEMA_OBJECT || f->kind >= SCHEMA_LIST || !schema_is_given(f, draft))
        return;
    text_add(t, ", \"default\": ");
    schema_write_value(t, f, draft, true);
}

static void json_write_properties(text *t, const schema_object *o, const void *draft, int depth);

static void json_write_field(text *t, const schema_object *o, const schema_field *f, const void *draft, int depth)
{
    json_line(t, depth);
    text_add(t, "\"%s\": {", f->key);
    json_write_description(t, o, f);
    text_add(t, ", ");
    if (f->kind == SCHEMA_OBJECT)
        json_write_properties(t, f->object, draft, depth + 1);
    else
        json_write_kind(t, f, depth);
    json_write_default(t, f, draft);
    text_add(t, "}");
}

static bool has_required(const schema_object *o)
{
    for (const schema_field *f = o->fields; f->key; f++)
        if (f->required && !f->only)
            return true;
    return false;
}

/* The keys that must be: those of every choice (UINT32_MAX), or those of one choice only. */
static void json_write_required(text *t, const schema_object *o, uint32_t choice)
{
    int n = 0;
    text_add(t, "[");
    for (const schema_field *f = o->fields; f->key; f++)
        if (f->required && (choice == UINT32_MAX ? !f->only : f->only >> choice & 1u))
            text_add(t, "%s\"%s\"", n++ ? ", " : "", f->key);
    text_add(t, "]");
}

/* "a b" → {"required": ["a"]}, {"required": ["b"]} */
static void json_write_one_of(text *t, const char *words, int depth)
{
    json_line(t, depth);
    text_add(t, "\"oneOf\": [");
    for (const char *s = words; *s;) {
        size_t n = strcspn(s, " ");
        text_add(t, "%s{\"required\": [\"%.*s\"]}", s == words ? "" : ", ", (int)n, s);
        s += n + (s[n] == ' ');
    }
    text_add(t, "],");
}

/* For each choice the keys that make no sense with it. */
static void json_write_conditions(text *t, const schema_object *o, int depth)
{
    const schema_field *selector = schema_find(o, o->selector);
    json_line(t, depth);
    text_add(t, "\"allOf\": [");
    for (uint32_t v = 0; selector->choices[v]; v++) {
        text_add(t, v ? "," : "");
        json_line(t, depth + 1);
        text_add(t, "{\"if\": {\"required\": [\"%s\"], \"properties\": {\"%s\": {\"const\": \"%s\"}}}, ", o->selector,
                 o->selector, selector->choices[v]);
        text_add(t, "\"then\": {\"properties\": {");
        int n = 0;
        for (const schema_field *f = o->fields; f->key; f++)
            if (f->only && !(f->only >> v & 1u))
                text_add(t, "%s\"%s\": false", n++ ? ", " : "", f->key);
        text_add(t, "}, \"required\": ");
        json_write_required(t, o, v);
        text_add(t, "}}");
    }
    text_add(t, "],");
}

static void json_write_properties(text *t, const schema_object *o, const void *draft, int depth)
{
    text_add(t, has_required(o) || o->one_of ? "\"type\": \"object\"," : "\"type\": [\"object\", \"null\"],");
    json_line(t, depth);
    text_add(t, "\"additionalProperties\": false,");
    if (has_required(o)) {
        json_line(t, depth);
        text_add(t, "\"required\": ");
        json_write_required(t, o, UINT32_MAX);
        text_add(t, ",");
    }
    if (o->one_of)
        json_write_one_of(t, o->one_of, depth);
    if (o->selector)
        json_write_conditions(t, o, depth);
    json_line(t, depth);
    text_add(t, "\"properties\": {");
    for (const schema_field *f = o->fields; f->key; f++) {
        json_write_field(t, o, f, draft, depth + 1);
        text_add(t, f[1].key ? "," : "");
    }
    json_line(t, depth);
    text_add(t, "}");
}

/* An object with a draft of its own. */
static void json_write_object(text *t, const schema_object *o, int depth)
{
    void *draft = heap_array(1, o->size);
    t->failed = t->failed || !draft;
    if (!draft)
        return;
    o->defaults(draft);
    text_add(t, "{");
    json_line(t, depth);
    text_add(t, "\"description\": ");
    schema_write_quoted(t, o->text);
    text_add(t, ",");
    json_line(t, depth);
    json_write_properties(t, o, draft, depth);
    json_line(t, depth - 1);
    text_add(t, "}");
    free(draft);
}

weft_result schema_json(char **out, weft_error *e)
{
    text t = {0};
    draft_scene draft;
    schema_scene.defaults(&draft);
    text_add(&t, "{\n  \"$schema\": \"https://json-schema.org/draft/2020-12/schema\",\n");
    text_add(&t, "  \"title\": \"Weft scene\",\n");
    text_add(&t, "  \"description\": \"A run of the cloth simulation Weft. All quantities are SI, y is up.\",\n  ");
    json_write_properties(&t, &schema_scene, &draft, 1);
    text_add(&t, "\n}\n");
    if (t.failed) {
        text_free(&t);
        return fault_memory(e);
    }
    *out = t.bytes;
    return WEFT_OK;
}
