/* SPDX-License-Identifier: MIT */
#include "args.h"
#include "say.h"
#include "verbs.h"

#include <stdio.h>
#include <weft/io.h>

static const char examples[] =
    "  weft schema > weft.schema.json   JSON Schema; in a scene's first line, editors are told by\n"
    "                                   # yaml-language-server: $schema=weft.schema.json\n"
    "  weft schema --markdown | less    every key with its unit, range and default, for people\n";

int verb_schema(int argc, char **argv)
{
    bool markdown = false;
    const args_option options[] = {
        {"markdown", 0, ARGS_FLAG, &markdown, NULL, "the reference page in place of JSON Schema", 0, 0},
    };
    const args_spec spec = {.verb = "schema",
                            .usage = "[--markdown]",
                            .about = "Prints what may stand in a scene file.",
                            .examples = examples,
                            .options = options,
                            .n_options = 1};
    args_words words;
    int code;
    if (!args_begin(&spec, argc, argv, &words, &code))
        return code;
    char *text = NULL;
    weft_error error;
    weft_result r = markdown ? weft_scene_reference(&text, &error) : weft_scene_schema(&text, &error);
    if (r < 0)
        return say_wrong("%s", error.text);
    fputs(text, stdout);
    weft_text_free(text);
    return EXIT_FINE;
}
