/* SPDX-License-Identifier: MIT */
/* From trees to drafts, as the schema says. */
#ifndef WEFT_IO_SCENE_SCENE_READ_H
#define WEFT_IO_SCENE_SCENE_READ_H

#include "io/scene/schema.h"

typedef struct scene_reader {
    scene_arena *arena;
    const tree_source *source;
    draft_scene *draft;
    weft_error *error;
} scene_reader;

weft_result scene_read(scene_reader *r, const tree_node *root);

/* One value of a kind that is not an object, a list of objects or a map; `label` is what messages call it. */
weft_result scene_read_value(scene_reader *r, const schema_field *f, const char *label, const tree_node *n, void *to);

/* "no fabric 'coton': did you mean 'cotton'?" at the text's place. Offers names[i], up to NULL, and then those of the
 * library if `of` is fabric. */
weft_result scene_no_such(scene_reader *r, const char *of, const draft_text *wanted, const char *const *names);

/* A draft fabric's or the library's numbers by name; only the first n of the scene's are looked at. */
weft_result scene_find_fabric(scene_reader *r, const draft_text *wanted, int32_t n, weft_fabric *out);

#endif
