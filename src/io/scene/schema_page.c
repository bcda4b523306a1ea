/* SPDX-License-Identifier: MIT */
/* The schema as a page for people, docs/scene.md. */
#include "io/scene/schema.h"

#include "io/heap.h"

#include <stdlib.h>
#include <string.h>

/* It is a scene that works: a test loads it. */
static const char example[] =
    "weft: 1                         # version of the format\n"
    "name: a sheet on a ball\n"
    "\n"
    "fabrics:\n"
    "  stiff cotton:                 # like cotton of the library, but stiffer against bending\n"
    "    like: cotton\n"
    "    bending_warp: 2.0e-5        # N·m\n"
    "    bending_weft: 2.0e-5\n"
    "\n"
    "cloths:\n"
    "  sheet:\n"
    "    grid:\n"
    "      size: [0.72, 0.72]        # m\n"
    "      nodes: [37, 37]\n"
    "      centre: [0, 0.45, 0]      # lies flat, as warp is +x and weft −z\n"
    "    fabric: stiff cotton        # a name from above, or from the library\n"
    "    front: \"#b8322a\"\n"
    "\n"
    "colliders:\n"
    "  ground: {shape: plane}\n"
    "  ball:\n"
    "    shape: sphere\n"
    "    radius: 0.2\n"
    "    keys:                       # stands for a second, then rolls away\n"
    "      - {time: 1, position: [0, 0.2, 0]}\n"
    "      - {time: 3, position: [0.4, 0.2, 0], rotation: {axis: [0, 0, 1], angle: -115}}\n"
    "\n"
    "attachments:\n"
    "  - cloth: sheet\n"
    "    kind: soft                  # two corners on rubber bands\n"
    "    nodes: [0, 36]\n"
    "    stiffness: 2                # N/m\n"
    "\n"
    "forces:\n"
    "  wind: [2, 0, 0]               # m/s\n"
    "  gust: {strength: 0.5, period: 1.5}\n"
    "\n"
    "output:\n"
    "  fps: 60\n"
    "  frames: 180\n";

static const char intro[] =
    "# Scene files\n"
    "\n"
    "<!-- Made by weft_scene_reference from the schema. A test compares; WEFT_UPDATE=1 writes it anew. -->\n"
    "\n"
    "A scene is one YAML or JSON file that describes a run: `weft run scene.yaml`. All quantities are SI: metres,\n"
    "kilograms, seconds, newtons. y is up. Every key that is left out has the default given below; a key that is not\n"
    "known is an error, as is the same key twice. `weft schema` prints the same as a JSON Schema, with which editors\n"
    "complete keys and mark mistakes. A whole scene:\n"
    "\n"
    "```yaml\n";

static const char rules[] =
    "```\n"
    "\n"
    "**Changing a value from outside.** `--set path=value`, as often as needed, changes the scene before it is "
    "checked:\n"
    "\n"
    "    weft run ball.yaml --set cloths.sheet.fabric=silk --set output.frames=10 --set attachments.0.nodes=[0]\n"
    "\n"
    "The path is made of keys with dots between; items of lists are counted from 0, and the number behind the last "
    "one\n"
    "adds an item. The value is YAML. Keys that are not there are made.\n"
    "\n"
    "**Vectors** are lists: `[x, y, z]`. **Rotations** are quaternions `[x, y, z, w]`, of any length but 0, or\n"
    "`{axis: [x, y, z], angle: degrees}`. **Colours** are sRGB, `[r, g, b]`, each from 0 to 1, or `\"#rrggbb\"`.\n"
    "**Files** are looked for from the folder that the scene is in. **Names** (of fabrics, cloths, colliders) have 1 "
    "to 64\n"
    "letters, none of them `. / \\ = : ' \"`.\n"
    "\n"
    "**Repeating.** YAML's anchors (`&name`), aliases (`*name`) and merge keys (`<<: *name`) can be used.\n"
    "\n"
    "**Fabrics of the library**, for `fabric` and `like`:\n";

static void page_write_fabrics(text *t)
{
    for (int32_t i = -1; schema_fabric_name(i); i++)
        text_add(t, "%s`%s`", i < 0 ? "" : i % 9 == 8 ? ",\n" : ", ", schema_fabric_name(i));
    text_add(t, ".\n");
}

/* GitHub's anchors: small letters, blanks become lines. */
static void page_write_link(text *t, const schema_object *o)
{
    text_add(t, "[%s](#", o->name);
    for (const char *s = o->title; *s; s++)
        text_add(t, "%c", *s == ' ' ? '-' : *s >= 'A' && *s <= 'Z' ? *s - 'A' + 'a' : *s);
    text_add(t, ")");
}

static void page_write_type(text *t, const schema_field *f)
{
    static const char *const types[] = {
        [SCHEMA_NUMBER] = "number",
        [SCHEMA_INTEGER] = "whole number",
        [SCHEMA_BITS] = "whole number",
        [SCHEMA_BOOLEAN] = "true, false",
        [SCHEMA_TEXT] = "text",
        [SCHEMA_NAME] = "name",
        [SCHEMA_FILE] = "file",
        [SCHEMA_INTEGER2] = "[n, m]",
        [SCHEMA_VEC2] = "[u, v]",
        [SCHEMA_VEC3] = "[x, y, z]",
        [SCHEMA_ROTATION] = "rotation",
        [SCHEMA_COLOR] = "colour",
        [SCHEMA_NAMES] = "names: names",
        [SCHEMA_INTEGERS] = "list of whole numbers",
        [SCHEMA_NUMBERS] = "list of numbers",
        [SCHEMA_VEC3S] = "list of [x, y, z]",
    };
    if (f->kind == SCHEMA_CHOICE) {
        for (int32_t i = 0; f->choices[i]; i++)
            text_add(t, "%s`%s`", i ? ", " : "", f->choices[i]);
    } else if (f->object) {
        text_add(t, f->kind == SCHEMA_LIST ? "list of " : f->kind == SCHEMA_MAP ? "names: " : "");
        page_write_link(t, f->object);
    } else {
        text_add(t, "%s", types[f->kind]);
    }
}

static void page_write_default(text *t, const schema_field *f, const void *draft)
{
    if (f->required) {
        text_add(t, "*needed*");
    } else if (f->otherwise) {
        text_add(t, "%s", f->otherwise);
    } else if (f->kind == SCHEMA_OBJECT) {
        text_add(t, f->given ? "none" : "");
    } else {
        text_add(t, "`");
        schema_write_value(t, f, draft, false);
        text_add(t, "`");
    }
}

static void page_write_row(text *t, const schema_object *o, const schema_field *f, const void *draft)
{
    char range[SCHEMA_TEXT_SIZE], only[SCHEMA_TEXT_SIZE];
    text_add(t, "| `%s` | ", f->key);
    page_write_type(t, f);
    text_add(t, " | %s | %s | ", f->unit ? f->unit : "", schema_range_text(f, range));
    page_write_default(t, f, draft);
    text_add(t, " | %s", f->text);
    if (f->only)
        text_add(t, " (with `%s`: %s)", o->selector, schema_only_text(o, f, ", ", only));
    text_add(t, " |\n");
}

/* A table of the object, then those of the objects in it, each once. */
static void page_write_object(text *t, const schema_object *o, const void *draft, int depth)
{
    text heading = {0};
    text_add(&heading, "\n## %s\n", o->title);
    bool is_new = heading.bytes && !(t->bytes && strstr(t->bytes, heading.bytes));
    t->failed = t->failed || heading.failed;
    if (is_new) {
        text_add(t, "%s\n%s\n\n", heading.bytes, o->text);
        text_add(t, "| key | type | unit | range | default | meaning |\n|---|---|---|---|---|---|\n");
        for (const schema_field *f = o->fields; f->key; f++)
            page_write_row(t, o, f, draft);
    }
    text_free(&heading);
    for (const schema_field *f = o->fields; is_new && depth < 8 && f->key; f++) {
        void *own = f->object && f->object->defaults ? heap_array(1, f->object->size) : NULL;
        if (own)
            f->object->defaults(own);
        if (f->object && (own || !f->object->defaults))
            page_write_object(t, f->object, own ? own : draft, depth + 1);
        t->failed = t->failed || (f->object && f->object->defaults && !own);
        free(own);
    }
}

weft_result schema_page(char **out, weft_error *e)
{
    text t = {0};
    draft_scene draft;
    schema_scene.defaults(&draft);
    text_add(&t, "%s%s%s", intro, example, rules);
    page_write_fabrics(&t);
    page_write_object(&t, &schema_scene, &draft, 0);
    if (t.failed) {
        text_free(&t);
        return fault_memory(e);
    }
    *out = t.bytes;
    return WEFT_OK;
}
