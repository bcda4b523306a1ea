/* SPDX-License-Identifier: MIT */
/* The schema of scene files: one table of fields for each object. Everything that must know what a scene may hold
 * reads these tables: the reader, the messages, the resolved scene, the JSON Schema and the reference page. Defaults
 * are not in them: they are what an object's `defaults` fills in, which asks the library. */
#ifndef WEFT_IO_SCENE_SCHEMA_H
#define WEFT_IO_SCENE_SCHEMA_H

#include "io/scene/scene_draft.h"
#include "io/text.h"

typedef enum schema_kind {
    SCHEMA_NUMBER,   /* double */
    SCHEMA_INTEGER,  /* int32_t */
    SCHEMA_BITS,     /* uint32_t */
    SCHEMA_BOOLEAN,  /* bool */
    SCHEMA_TEXT,     /* draft_text, as the next three */
    SCHEMA_NAME,     /* of something else in the scene */
    SCHEMA_FILE,     /* a path */
    SCHEMA_CHOICE,   /* an enum, of the size of int */
    SCHEMA_INTEGER2, /* int32_t[2] */
    SCHEMA_VEC2,     /* double[2] */
    SCHEMA_VEC3,     /* weft_vec3 */
    SCHEMA_ROTATION, /* weft_quat */
    SCHEMA_COLOR,    /* weft_color */
    SCHEMA_OBJECT,   /* its fields lie in the same draft */
    SCHEMA_LIST,     /* draft_list of objects, as the next one */
    SCHEMA_MAP,      /* from names to objects */
    SCHEMA_NAMES,    /* draft_list of draft_pair: from names to names */
    SCHEMA_INTEGERS, /* draft_list of int32_t */
    SCHEMA_NUMBERS,  /* draft_list of double */
    SCHEMA_VEC3S     /* draft_list of weft_vec3 */
} schema_kind;

typedef enum schema_range {
    RANGE_CLOSED,    /* [min, max], for each of several numbers */
    RANGE_OPEN,      /* (min, max] */
    RANGE_OR_ZERO,   /* 0 or [min, max] */
    RANGE_LENGTH,    /* a vector of at most this length */
    RANGE_DIRECTION, /* a vector of any length but 0 */
    RANGE_NONE
} schema_range;

typedef struct schema_object schema_object;

typedef struct schema_field {
    const char *key;
    schema_kind kind;
    size_t offset; /* in the draft */
    size_t given;  /* of a bool that says whether the key was there; 0: none */
    const char *unit;
    schema_range range;
    double min, max;
    uint32_t only; /* bit v: the field has a meaning if the object's selector is v; 0: always */
    bool required;
    bool is_input;              /* resolved scenes have its result instead */
    const char *not_with;       /* keys that exclude it, with blanks between */
    const char *const *choices; /* ends with NULL */
    const schema_object *object;
    const char *of;        /* NAME: of what */
    const char *otherwise; /* what holds if it is not given, where that is no value */
    const char *text;      /* for people */
} schema_field;

struct schema_object {
    const char *name;  /* for messages: cloth, attachment … */
    const char *title; /* in the reference */
    const char *text;
    size_t size; /* of the draft */
    void (*defaults)(void *draft);
    const schema_field *fields; /* ends with key NULL */
    const char *selector;       /* key of the choice that `only` means */
    const char *base;           /* key that names a fabric whose values are the defaults */
    const char *one_of;         /* keys of which exactly one must be, with blanks between */
};

/* The table; schema_table.c. */
extern const schema_object schema_scene;

/* Names that stand for a fabric beside the scene's own: "default" at -1, then the library's. NULL: no more. */
const char *schema_fabric_name(int32_t index);

const schema_field *schema_find(const schema_object *o, const char *key);
/* Whether a word is among words with blanks between. */
bool schema_has_word(const char *words, const char *word);
/* The choice made by an object's selector, -1 if it has none. */
int32_t schema_selected(const schema_object *o, const void *draft);
bool schema_applies(const schema_object *o, const schema_field *f, const void *draft);
/* The file, a --set or a default gave it a value. */
bool schema_is_given(const schema_field *f, const void *draft);

/* "(0, 100]", "0 or in [1.001, 10]", "" if there is none. */
enum { SCHEMA_TEXT_SIZE = 120 };
const char *schema_range_text(const schema_field *f, char out[SCHEMA_TEXT_SIZE]);
/* "a number", "[x, y, z]", "plane, sphere or box" … */
const char *schema_kind_text(const schema_field *f, char out[SCHEMA_TEXT_SIZE]);
/* The values of the selector with which a field has a meaning: "sphere, capsule and cylinder". */
const char *schema_only_text(const schema_object *o, const schema_field *f, const char *last,
                             char out[SCHEMA_TEXT_SIZE]);
/* A field's value as JSON, or as YAML, where simple texts need no quotes. Not for objects, their lists and maps. */
void schema_write_value(text *t, const schema_field *f, const void *draft, bool json);
void schema_write_text(text *t, const char *s, bool json);
/* With the quotes and escapes that JSON wants. */
void schema_write_quoted(text *t, const char *s);

weft_result schema_json(char **out, weft_error *e);
weft_result schema_page(char **out, weft_error *e);

#endif
