/* SPDX-License-Identifier: MIT */
/* A scene as YAML or JSON with every value in it, as the schema says. Numbers are read back bit for bit. */
#include "io/scene/scene_inside.h"

#include <stdlib.h>
#include <string.h>

typedef struct writer {
    text out;
    const scene_inside *in;
    bool is_item; /* the next key is the first of an item of a list */
    bool json;
} writer;

static void scene_write_object(writer *w, const schema_object *o, const void *draft, int depth);

static void scene_indent(writer *w, int depth)
{
    text_add(&w->out, "%*s%s", 2 * (w->is_item ? depth - 1 : depth), "", w->is_item ? "- " : "");
    w->is_item = false;
}

/* What is written: values that mean something here and are not the source of another. */
static bool is_written(const schema_object *o, const schema_field *f, const void *draft)
{
    if (f->is_input || !schema_applies(o, f, draft))
        return false;
    for (const schema_field *g = o->fields; g->key; g++)
        if (schema_has_word(f->not_with, g->key) && schema_is_given(g, draft))
            return false;
    return schema_is_given(f, draft);
}

static void scene_write_file(writer *w, const schema_field *f, const void *draft)
{
    const char *file = ((const draft_text *)(const void *)((const char *)draft + f->offset))->text;
    char *path = scene_path(w->in, file);
    w->out.failed = w->out.failed || !path;
    if (path)
        schema_write_text(&w->out, path, w->json);
    free(path);
}

/* ---- YAML -------------------------------------------------------------------------------------------------------- */

static void scene_write_items(writer *w, const schema_field *f, const draft_list *l, int depth)
{
    for (int32_t i = 0; i < l->n; i++) {
        const void *item = (const char *)l->items + (size_t)i * f->object->size;
        w->is_item = f->kind == SCHEMA_LIST;
        if (f->kind == SCHEMA_MAP) {
            scene_indent(w, depth);
            schema_write_text(&w->out, ((const draft_head *)item)->name, false);
            text_add(&w->out, ":\n");
        }
        scene_write_object(w, f->object, item, depth + 1);
    }
}

static void scene_write_field(writer *w, const schema_field *f, const void *draft, int depth)
{
    scene_indent(w, depth);
    text_add(&w->out, "%s:", f->key);
    switch (f->kind) {
    case SCHEMA_OBJECT:
        text_add(&w->out, "\n");
        scene_write_object(w, f->object, draft, depth + 1);
        return;
    case SCHEMA_LIST:
    case SCHEMA_MAP:
        text_add(&w->out, "\n");
        scene_write_items(w, f, (const void *)((const char *)draft + f->offset), depth + 1);
        return;
    case SCHEMA_FILE:
        text_add(&w->out, " ");
        scene_write_file(w, f, draft);
        break;
    default: text_add(&w->out, " "); schema_write_value(&w->out, f, draft, false);
    }
    text_add(&w->out, "\n");
}

static void scene_write_object(writer *w, const schema_object *o, const void *draft, int depth)
{
    for (const schema_field *f = o->fields; f->key; f++)
        if (is_written(o, f, draft))
            scene_write_field(w, f, draft, depth);
}

/* ---- JSON -------------------------------------------------------------------------------------------------------- */

static void json_write_fields(writer *w, const schema_object *o, const void *draft);

static void json_write_items(writer *w, const schema_field *f, const draft_list *l)
{
    bool is_map = f->kind == SCHEMA_MAP;
    text_add(&w->out, is_map ? "{" : "[");
    for (int32_t i = 0; i < l->n; i++) {
        const void *item = (const char *)l->items + (size_t)i * f->object->size;
        text_add(&w->out, i ? ", " : "");
        if (is_map) {
            schema_write_quoted(&w->out, ((const draft_head *)item)->name);
            text_add(&w->out, ": ");
        }
        json_write_fields(w, f->object, item);
    }
    text_add(&w->out, is_map ? "}" : "]");
}

static void json_write_field(writer *w, const schema_field *f, const void *draft)
{
    switch (f->kind) {
    case SCHEMA_OBJECT: json_write_fields(w, f->object, draft); break;
    case SCHEMA_LIST:
    case SCHEMA_MAP: json_write_items(w, f, (const void *)((const char *)draft + f->offset)); break;
    case SCHEMA_FILE: scene_write_file(w, f, draft); break;
    default: schema_write_value(&w->out, f, draft, true);
    }
}

static void json_write_fields(writer *w, const schema_object *o, const void *draft)
{
    bool is_first = true;
    text_add(&w->out, "{");
    for (const schema_field *f = o->fields; f->key; f++) {
        if (!is_written(o, f, draft))
            continue;
        text_add(&w->out, "%s\"%s\": ", is_first ? "" : ", ", f->key);
        json_write_field(w, f, draft);
        is_first = false;
    }
    text_add(&w->out, "}");
}

weft_result scene_write(const weft_scene *s, bool json, char **out, weft_error *e)
{
    writer w = {.in = s->inside, .json = json};
    if (json)
        json_write_fields(&w, &schema_scene, &w.in->draft);
    else
        scene_write_object(&w, &schema_scene, &w.in->draft, 0);
    if (w.out.failed) {
        text_free(&w.out);
        return fault_memory(e);
    }
    *out = w.out.bytes;
    return WEFT_OK;
}
