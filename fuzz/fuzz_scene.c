/* SPDX-License-Identifier: MIT */
/* Scenes from memory. A first line "#set path=value" is a --set. What loads must load again as it was resolved. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <weft/io/scene.h>

static char *take_set(const uint8_t *data, size_t size)
{
    const uint8_t *end = size > 5 && memcmp(data, "#set ", 5) == 0 ? memchr(data, '\n', size) : NULL;
    char *set = end ? calloc((size_t)(end - data), 1) : NULL;
    if (set)
        memcpy(set, data + 5, (size_t)(end - data) - 5);
    return set;
}

typedef weft_result write_fn(const weft_scene *scene, char **out, weft_error *error);

/* Written by this, and read again, it resolves to the same. */
static void load_again(const weft_scene *scene, write_fn *write)
{
    weft_error error;
    weft_scene *again = NULL;
    char *written = NULL, *resolved = NULL, *twice = NULL;
    if (write(scene, &written, &error) != WEFT_OK || weft_scene_resolve(scene, &resolved, &error) != WEFT_OK ||
        weft_scene_parse("resolved", NULL, written, strlen(written), NULL, 0, &again, &error) != WEFT_OK ||
        weft_scene_resolve(again, &twice, &error) != WEFT_OK || strcmp(resolved, twice) != 0)
        abort();
    weft_text_free(written);
    weft_text_free(resolved);
    weft_text_free(twice);
    weft_scene_free(again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    weft_error error;
    weft_scene *scene = NULL;
    char *set = take_set(data, size);
    const char *sets[] = {set};
    if (weft_scene_parse("fuzz.yaml", NULL, data, size, sets, set ? 1 : 0, &scene, &error) == WEFT_OK) {
        load_again(scene, weft_scene_resolve);
        load_again(scene, weft_scene_resolve_json);
    }
    weft_scene_free(scene);
    free(set);
    return 0;
}
