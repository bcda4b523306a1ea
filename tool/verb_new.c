/* SPDX-License-Identifier: MIT */
#include "args.h"
#include "disk.h"
#include "say.h"
#include "verbs.h"

#include <stdio.h>

static const char examples[] =
    "  weft new drape               writes drape.yaml: a cotton sheet above a ball, with comments\n"
    "  weft new scenes/drape.yaml   the same, in a folder\n"
    "  weft run drape.yaml          and look at out/drape/preview.png\n";

static const char starter[] =
    "# A cotton sheet falls on a ball that lies on the ground.\n"
    "#   weft run %s            simulates it and ends with the path of a picture\n"
    "#   weft schema --markdown       tells every key, with its unit, range and default\n"
    "# Lengths are metres, masses kilograms, times seconds; y is up.\n"
    "weft: 1 # version of the format\n"
    "\n"
    "cloths:\n"
    "  sheet: # any name; there may be several cloths\n"
    "    grid:\n"
    "      size: [0.72, 0.72] # along warp and weft\n"
    "      nodes: [61, 61] # more nodes: finer folds, longer runs\n"
    "      centre: [0, 0.45, 0] # 5 cm above the ball\n"
    "    fabric: cotton # silk, wool, denim, jersey …\n"
    "    # adapt: {max_level: 2} # splits faces where the cloth bends; then fewer nodes above will do\n"
    "    front: \"#bd3b38\"\n"
    "    back: \"#edc78c\"\n"
    "\n"
    "# A fabric of your own, like another one but for some numbers; then write fabric: heavy above.\n"
    "# fabrics:\n"
    "#   heavy: {like: cotton, density: 0.4, bending_warp: 5e-5, bending_weft: 5e-5}\n"
    "\n"
    "colliders:\n"
    "  ball: {shape: sphere, radius: 0.2, position: [0, 0.2, 0], color: \"#52758f\"}\n"
    "  ground: {shape: plane}\n"
    "\n"
    "# Hold the sheet by its corners instead of letting it fall.\n"
    "# attachments:\n"
    "#   - {cloth: sheet, kind: pin, select: corners}\n"
    "\n"
    "forces:\n"
    "  gravity: [0, -9.81, 0]\n"
    "  wind: [0, 0, 0] # try [2, 0, 0]\n"
    "\n"
    "output:\n"
    "  fps: 60\n"
    "  frames: 120 # two seconds\n"
    "\n"
    "picture:\n"
    "  width: 960\n"
    "  height: 720\n"
    "  color: sides # or stretch, or level\n";

int verb_new(int argc, char **argv)
{
    bool force = false;
    const args_option options[] = {
        {"force", 0, ARGS_FLAG, &force, NULL, "replace a file of that name", 0, 0},
    };
    const args_spec spec = {.verb = "new",
                            .usage = "NAME",
                            .about = "Writes NAME.yaml: a commented scene that runs as it is.",
                            .examples = examples,
                            .options = options,
                            .n_options = 1,
                            .least_words = 1,
                            .most_words = 1,
                            .words_shown = "a name"};
    args_words words;
    int code;
    if (!args_begin(&spec, argc, argv, &words, &code))
        return code;
    const char *name = words.items[0];
    if (disk_ending_is(name, "json"))
        return say_wrong("%s: the starter scene has comments, so it is YAML: give a name without .json", name);
    page path = {0}, command = {0}, text = {0};
    page_add(&path, "%s%s", name, disk_ending_is(name, "yaml") || disk_ending_is(name, "yml") ? "" : ".yaml");
    page_add_shell(&command, page_text(&path));
    page_add(&text, starter, page_text(&command));
    weft_error error;
    weft_result r = disk_make_parent(page_text(&path), &error);
    r = r < 0 ? r : disk_write(page_text(&path), page_text(&text), text.n, force, &error);
    if (r == WEFT_ERROR_EXISTS)
        code = say_wrong("%s; replace it with --force", error.text);
    else if (r < 0)
        code = say_wrong("%s", error.text);
    else {
        printf("wrote %s; now: weft run %s\n", page_text(&path), page_text(&command));
        code = EXIT_FINE;
    }
    page_free(&path);
    page_free(&command);
    page_free(&text);
    return code;
}
