/* SPDX-License-Identifier: MIT */
/* What the tables say, as words and numbers: ranges, kinds, choices and values as text. */
#include "io/scene/schema.h"

#include "io/scene/nearest.h"
#include "io/scene/scene_number.h"

#include <stdio.h>
#include <string.h>

const schema_field *schema_find(const schema_object *o, const char *key)
{
    for (const schema_field *f = o->fields; key && f->key; f++)
        if (strcmp(f->key, key) == 0)
            return f;
    return NULL;
}

bool schema_has_word(const char *words, const char *word)
{
    size_t n = strlen(word);
    for (const char *s = words; s && *s;) {
        const char *end = strchr(s, ' ');
        size_t length = end ? (size_t)(end - s) : strlen(s);
        if (length == n && memcmp(s, word, n) == 0)
            return true;
        s = end ? end + 1 : NULL;
    }
    return false;
}

const char *schema_fabric_name(int32_t index)
{
    return index < 0 ? "default" : weft_fabric_name(index);
}

static const void *value_at(const void *draft, const schema_field *f)
{
    return (const char *)draft + f->offset;
}

int32_t schema_selected(const schema_object *o, const void *draft)
{
    const schema_field *f = schema_find(o, o->selector);
    int32_t value = -1;
    if (f)
        memcpy(&value, value_at(draft, f), sizeof value);
    return value;
}

bool schema_applies(const schema_object *o, const schema_field *f, const void *draft)
{
    int32_t selected = f->only ? schema_selected(o, draft) : -1;
    return selected < 0 || (f->only >> selected & 1u);
}

static bool kind_is_text(schema_kind k)
{
    return k == SCHEMA_TEXT || k == SCHEMA_NAME || k == SCHEMA_FILE;
}

bool schema_is_given(const schema_field *f, const void *draft)
{
    if (f->given) {
        bool given;
        memcpy(&given, (const char *)draft + f->given, sizeof given);
        return given;
    }
    if (kind_is_text(f->kind))
        return ((const draft_text *)value_at(draft, f))->text != NULL;
    if (f->kind >= SCHEMA_LIST)
        return ((const draft_list *)value_at(draft, f))->n > 0;
    return true;
}

/* ---- texts for people -------------------------------------------------------------------------------------------- */

const char *schema_range_text(const schema_field *f, char out[SCHEMA_TEXT_SIZE])
{
    char min[NUMBER_TEXT], max[NUMBER_TEXT];
    bool has_numbers = f->kind <= SCHEMA_BITS || f->kind == SCHEMA_INTEGER2 || f->kind == SCHEMA_VEC2 ||
                       f->kind == SCHEMA_VEC3 || f->kind >= SCHEMA_INTEGERS;
    number_show(f->min, min);
    number_show(f->max, max);
    out[0] = '\0';
    if (!has_numbers || f->range == RANGE_NONE)
        return out;
    if (f->range == RANGE_DIRECTION)
        snprintf(out, SCHEMA_TEXT_SIZE, "not 0");
    else if (f->range == RANGE_LENGTH)
        snprintf(out, SCHEMA_TEXT_SIZE, "at most %s long", max);
    else if (f->max == INT32_MAX)
        snprintf(out, SCHEMA_TEXT_SIZE, "%s or more", min);
    else
        snprintf(out, SCHEMA_TEXT_SIZE, "%s%s%s, %s]", f->range == RANGE_OR_ZERO ? "0 or in " : "",
                 f->range == RANGE_OPEN ? "(" : "[", min, max);
    return out;
}

/* Adds a word to a text of words: "a, b" and, for the last one, "a, b or c". */
static void add_word(char out[SCHEMA_TEXT_SIZE], const char *word, bool is_last, const char *last)
{
    size_t n = strlen(out);
    const char *between = n == 0 ? "" : is_last ? last : ", ";
    snprintf(out + n, SCHEMA_TEXT_SIZE - n, "%s%s", between, word);
}

const char *schema_only_text(const schema_object *o, const schema_field *f, const char *last,
                             char out[SCHEMA_TEXT_SIZE])
{
    const schema_field *selector = schema_find(o, o->selector);
    out[0] = '\0';
    for (uint32_t i = 0; selector && selector->choices[i]; i++)
        if (f->only >> i & 1u)
            add_word(out, selector->choices[i], f->only >> i == 1, last);
    return out;
}

const char *schema_kind_text(const schema_field *f, char out[SCHEMA_TEXT_SIZE])
{
    static const char *const texts[] = {
        [SCHEMA_NUMBER] = "a number",
        [SCHEMA_INTEGER] = "a whole number",
        [SCHEMA_BITS] = "a whole number",
        [SCHEMA_BOOLEAN] = "true or false",
        [SCHEMA_TEXT] = "a text",
        [SCHEMA_NAME] = "the name of a ",
        [SCHEMA_FILE] = "the path of a file",
        [SCHEMA_CHOICE] = "",
        [SCHEMA_INTEGER2] = "[n, m]",
        [SCHEMA_VEC2] = "[u, v]",
        [SCHEMA_VEC3] = "[x, y, z]",
        [SCHEMA_ROTATION] = "a quaternion [x, y, z, w] or {axis: [x, y, z], angle: degrees}",
        [SCHEMA_COLOR] = "[r, g, b], each in [0, 1], or \"#rrggbb\"",
        [SCHEMA_OBJECT] = "an object",
        [SCHEMA_LIST] = "a list of objects",
        [SCHEMA_MAP] = "names with objects",
        [SCHEMA_NAMES] = "names with names",
        [SCHEMA_INTEGERS] = "a list of whole numbers",
        [SCHEMA_NUMBERS] = "a list of numbers",
        [SCHEMA_VEC3S] = "a list of [x, y, z]",
    };
    snprintf(out, SCHEMA_TEXT_SIZE, "%s%s", texts[f->kind], f->kind == SCHEMA_NAME ? f->of : "");
    for (int32_t i = 0; f->kind == SCHEMA_CHOICE && f->choices[i]; i++)
        add_word(out, f->choices[i], !f->choices[i + 1], " or ");
    return out;
}

/* ---- values as text ---------------------------------------------------------------------------------------------- */

/* The UTF-8 character that a text begins with, and its bytes; a byte that begins none is a '?'. */
static int next_character(const char *s, uint32_t *code)
{
    const unsigned char *u = (const unsigned char *)s;
    int n = u[0] < 0x80 ? 1 : u[0] >= 0xC2 && u[0] < 0xE0 ? 2 : u[0] >= 0xE0 && u[0] < 0xF0 ? 3 : 4;
    *code = n == 1 ? u[0] : n == 2 ? u[0] & 31u : n == 3 ? u[0] & 15u : u[0] & 7u;
    bool is_valid = u[0] < 0x80 || (u[0] >= 0xC2 && u[0] < 0xF5);
    for (int i = 1; is_valid && i < n; i++) {
        is_valid = (u[i] & 0xC0) == 0x80;
        *code = *code << 6 | (u[i] & 63u);
    }
    if (!is_valid)
        *code = '?';
    return is_valid ? n : 1;
}

/* Characters that YAML does not take as they are, or takes for the end of a line. */
static bool needs_escape(uint32_t c)
{
    return c < 32 || (c >= 127 && c < 0xA0) || c == 0x2028 || c == 0x2029 || c == 0xFEFF || c == 0xFFFE || c == 0xFFFF;
}

void schema_write_quoted(text *t, const char *s)
{
    uint32_t code;
    text_add(t, "\"");
    for (int n; *s; s += n) {
        n = next_character(s, &code);
        if (code == '"' || code == '\\')
            text_add(t, "\\%c", (int)code);
        else if (needs_escape(code))
            text_add(t, "\\u%04x", (unsigned)code);
        else if (code == '?')
            text_add(t, "?");
        else
            text_add_bytes(t, s, (size_t)n);
    }
    text_add(t, "\"");
}

/* Letters first, nothing that YAML could take for something else than a text. */
static bool word_is_simple(const char *s)
{
    static const char *const words[] = {"null", "true", "false", "yes", "no", "on", "off", "y", "n"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (nearest_distance(s, words[i]) == 0)
            return false;
    bool letter = (s[0] >= 'a' && s[0] <= 'z') || (s[0] >= 'A' && s[0] <= 'Z') || s[0] == '/';
    return letter && s[strspn(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./")] == '\0';
}

void schema_write_text(text *t, const char *s, bool json)
{
    if (!json && word_is_simple(s))
        text_add(t, "%s", s);
    else
        schema_write_quoted(t, s);
}

static void write_numbers(text *t, const double *x, int n)
{
    char number[NUMBER_TEXT];
    text_add(t, "[");
    for (int i = 0; i < n; i++)
        text_add(t, "%s%s", i ? ", " : "", number_write(x[i], number));
    text_add(t, "]");
}

/* Long lists go over several lines. */
static void write_break(text *t, int32_t i, int32_t per_line)
{
    text_add(t, i == 0 ? "" : i % per_line == 0 ? ",\n      " : ", ");
}

static void write_list(text *t, const schema_field *f, const draft_list *l)
{
    char number[NUMBER_TEXT];
    text_add(t, "[");
    for (int32_t i = 0; i < l->n; i++) {
        write_break(t, i, f->kind == SCHEMA_VEC3S ? 2 : f->kind == SCHEMA_NUMBERS ? 5 : 16);
        if (f->kind == SCHEMA_INTEGERS)
            text_add(t, "%d", ((const int32_t *)l->items)[i]);
        else if (f->kind == SCHEMA_NUMBERS)
            text_add(t, "%s", number_write(((const double *)l->items)[i], number));
        else
            write_numbers(t, (const double *)l->items + 3 * (size_t)i, 3);
    }
    text_add(t, "]");
}

static void write_names(text *t, const draft_list *l, bool json)
{
    text_add(t, "{");
    for (int32_t i = 0; i < l->n; i++) {
        const draft_pair *p = (const draft_pair *)l->items + i;
        write_break(t, i, 8);
        schema_write_text(t, p->name.text, json);
        text_add(t, ": ");
        schema_write_text(t, p->value.text, json);
    }
    text_add(t, "}");
}

void schema_write_value(text *t, const schema_field *f, const void *draft, bool json)
{
    const void *p = value_at(draft, f);
    const int32_t *i = p;
    const double *x = p;
    char number[NUMBER_TEXT];
    switch (f->kind) {
    case SCHEMA_NUMBER: text_add(t, "%s", number_write(*x, number)); break;
    case SCHEMA_INTEGER: text_add(t, "%d", *i); break;
    case SCHEMA_BITS: text_add(t, "%lu", (unsigned long)*(const uint32_t *)p); break;
    case SCHEMA_BOOLEAN: text_add(t, *(const bool *)p ? "true" : "false"); break;
    case SCHEMA_TEXT:
    case SCHEMA_NAME:
    case SCHEMA_FILE: schema_write_text(t, ((const draft_text *)p)->text, json); break;
    case SCHEMA_CHOICE: schema_write_text(t, f->choices[*i], json); break;
    case SCHEMA_INTEGER2: text_add(t, "[%d, %d]", i[0], i[1]); break;
    case SCHEMA_VEC2: write_numbers(t, x, 2); break;
    case SCHEMA_VEC3:
    case SCHEMA_COLOR: write_numbers(t, x, 3); break;
    case SCHEMA_ROTATION: write_numbers(t, x, 4); break;
    case SCHEMA_INTEGERS:
    case SCHEMA_NUMBERS:
    case SCHEMA_VEC3S: write_list(t, f, p); break;
    case SCHEMA_NAMES: write_names(t, p, json); break;
    case SCHEMA_OBJECT:
    case SCHEMA_LIST:
    case SCHEMA_MAP: break;
    }
}
