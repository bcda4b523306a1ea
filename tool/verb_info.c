/* SPDX-License-Identifier: MIT */
#include "args.h"
#include "disk.h"
#include "facts.h"
#include "say.h"
#include "verbs.h"

#include <string.h>

static const char examples[] = "  weft info drape.yaml       a scene: cloths, colliders, duration\n"
                               "  weft info shirt.obj        a mesh (obj, ply, stl): counts, border, faults\n"
                               "  weft info shirt.json       a pattern (json, dxf): panels, seams\n"
                               "  weft info walk.pc2         a motion (pc2, mdd, name_####.obj)\n"
                               "  weft info out/drape        a run: frames, sizes, restart points, hash\n"
                               "  weft info out/drape --check   the same, and every byte of it is read\n"
                               "  weft info out/drape --json | jq .hash\n";

static bool ending_is_one_of(const char *path, const char *const *endings)
{
    for (; *endings; endings++)
        if (disk_ending_is(path, *endings))
            return true;
    return false;
}

/* Scenes and patterns may both be JSON. */
static bool is_pattern(const char *path)
{
    page text = {0};
    weft_error error;
    weft_pattern_format format;
    bool is = disk_read(path, &text, &error) == WEFT_OK && weft_pattern_detect(text.bytes, text.n, &format);
    page_free(&text);
    return is;
}

static weft_result find_facts(facts *f, const char *path, bool check, weft_error *error)
{
    static const char *const scenes[] = {"yaml", "yml", "json", NULL};
    static const char *const meshes[] = {"obj", "ply", "stl", NULL};
    static const char *const motions[] = {"pc2", "mdd", NULL};
    bool sequence = strstr(path, "##") && !disk_exists(path);
    if (!sequence && !disk_exists(path)) {
        *error = (weft_error){.code = WEFT_ERROR_NOT_FOUND, .element = -1};
        snprintf(error->text, sizeof error->text, "%.400s: there is no such file or folder", path);
        return WEFT_ERROR_NOT_FOUND;
    }
    if (disk_is_folder(path) || disk_ending_is(path, "weft"))
        return facts_of_run(f, path, check, error);
    if (disk_ending_is(path, "dxf") || (disk_ending_is(path, "json") && is_pattern(path)))
        return facts_of_pattern(f, path, error);
    if (ending_is_one_of(path, scenes))
        return facts_of_scene(f, path, error);
    if (sequence || ending_is_one_of(path, motions))
        return facts_of_motion(f, path, error);
    if (ending_is_one_of(path, meshes))
        return facts_of_mesh(f, path, error);
    *error = (weft_error){.code = WEFT_ERROR_FORMAT, .element = -1};
    snprintf(
        error->text, sizeof error->text,
        "%.300s: the ending tells nothing; expected a folder or .weft, .yaml, .yml, .json, .obj, .ply, .stl, .pc2, "
        ".mdd",
        path);
    return WEFT_ERROR_FORMAT;
}

int verb_info(int argc, char **argv)
{
    bool json = false, check = false;
    const args_option options[] = {
        {"json", 0, ARGS_FLAG, &json, NULL, "one JSON object", 0, 0},
        {"check", 0, ARGS_FLAG, &check, NULL, "of a run: read every frame and restart point", 0, 0},
    };
    const args_spec spec = {.verb = "info",
                            .usage = "FILE|DIR [--json] [--check]",
                            .about = "Says what a scene, a mesh, a motion file or a run is.",
                            .examples = examples,
                            .options = options,
                            .n_options = 2,
                            .least_words = 1,
                            .most_words = 1,
                            .words_shown = "a file or the folder of a run"};
    args_words words;
    weft_error error;
    int code;
    if (!args_begin(&spec, argc, argv, &words, &code))
        return code;
    facts f = facts_begin(json);
    if (find_facts(&f, words.items[0], check, &error) < 0) {
        facts_warn(&f);
        page_free(&f.text);
        return say_wrong("%s", error.text);
    }
    facts_print(&f);
    return EXIT_FINE;
}
