/* SPDX-License-Identifier: MIT */
/* A program that uses libweft-io: the schema must be there, and a scene load. */
#include <stdio.h>
#include <string.h>
#include <weft/io.h>

int main(void)
{
    static const char text[] = "cloths: {sheet: {grid: {size: [1, 1], nodes: [4, 4]}}}\n";
    weft_error error;
    weft_scene *scene = NULL;
    char *schema = NULL;
    if (weft_scene_schema(&schema, &error) < 0 ||
        weft_scene_parse("text", NULL, text, strlen(text), NULL, 0, &scene, &error) < 0) {
        fprintf(stderr, "%s\n", error.text);
        return 1;
    }
    int fine = strlen(schema) > 1000 && scene->n_cloths == 1;
    weft_text_free(schema);
    weft_scene_free(scene);
    return fine ? 0 : 1;
}
