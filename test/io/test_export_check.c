/* SPDX-License-Identifier: MIT */
/* Exported files as other programs see them. A program that is not there is named, and its test skipped.
 *
 * python3 with numpy; node with the packages gltf-validator and tinyusdz in $WEFT_NPM/node_modules, else in
 * $WEFT_ROOT/build/npm/node_modules; Blender if WEFT_LONG is set. */
#define _POSIX_C_SOURCE 200809L
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "data_file.h"
#include "io/export_kit.h"
#include "io/export/export_zip.h"

static const char *npm(void)
{
    static char folder[1024];
    const char *given = getenv("WEFT_NPM");
    snprintf(folder, sizeof folder, "%s%s", given ? given : project_root(), given ? "" : "/build/npm");
    return folder;
}

/* Runs a command, keeps what it says. */
static int run(char *said, size_t room, const char *format, ...)
{
    char command[4096];
    va_list args;
    va_start(args, format);
    int n = vsnprintf(command, sizeof command - 8, format, args);
    va_end(args);
    assert_true(n > 0 && n < (int)sizeof command - 8);
    strcat(command, " 2>&1");
    FILE *p = popen(command, "r");
    assert_non_null(p);
    size_t length = fread(said, 1, room - 1, p);
    said[length] = '\0';
    while (fgetc(p) != EOF) {
    }
    return pclose(p);
}

static void need(const char *command, const char *what)
{
    char said[256];
    if (run(said, sizeof said, "%s", command) == 0)
        return;
    print_message("skipped: no %s here\n", what);
    skip();
}

static void need_package(const char *name)
{
    char command[2048];
    need("node --version", "node");
    snprintf(command, sizeof command, "test -f '%s/node_modules/%s/package.json'", npm(), name);
    need(command, name);
}

/* The system's Python, because that is the one with the system's numpy. */
static const char *python(void)
{
    return access("/usr/bin/python3", 0) == 0 ? "/usr/bin/python3" : "python3";
}

static void need_python(const char *module)
{
    char command[256], what[64];
    snprintf(command, sizeof command, "%s -c 'import %s'", python(), module);
    snprintf(what, sizeof what, "python3 with %s", module);
    need(command, what);
}

/* The script must end well, and say so in lines that begin with "ok: ". */
static void check(const char *program, const char *arguments)
{
    static char said[20000];
    int code = run(said, sizeof said, "%s %s", program, arguments), n_ok = 0;
    for (char *line = said, *end; code == 0 && (end = strchr(line, '\n')); line = end + 1) {
        bool is_ok = strncmp(line, "ok: ", 4) == 0;
        if (is_ok)
            print_message("%.*s\n", (int)(end - line), line);
        n_ok += is_ok;
    }
    if (code != 0 || n_ok == 0)
        fail_msg("%s", said);
}

static void export_to(export_kit *kit, weft_export_format format, const char *name, int32_t cloth, const char *note)
{
    weft_export_def d = export_kit_def(kit, format, name);
    weft_export_result r;
    weft_error e = {0};
    d.cloth = cloth;
    if (weft_export(kit->cache, &d, &r, &e) < 0)
        fail_msg("%s", e.text);
    if (note ? !strstr(r.note, note) : r.note[0])
        fail_msg("note: \"%s\"", r.note);
}

static void begin(export_kit *kit, bool changes)
{
    export_kit_make(kit, changes);
    export_kit_write_truth(kit);
}

/* ---- the tests --------------------------------------------------------------------------------------------------- */

static void npz_opens_in_numpy_to_the_bit(void **state)
{
    (void)state;
    export_kit kit;
    char arguments[1024];
    need_python("numpy");
    begin(&kit, false);
    export_to(&kit, WEFT_EXPORT_NPZ, "all.npz", -1, "triangles");
    export_to(&kit, WEFT_EXPORT_NPZ, "sheet.npz", KIT_SHEET, NULL);
    snprintf(arguments, sizeof arguments, "'%s/test/io/export_check/npz.py' '%s/truth.json' '%s/all.npz'",
             project_root(), kit.folder, kit.folder);
    check(python(), arguments);
    snprintf(arguments, sizeof arguments, "'%s/test/io/export_check/npz.py' '%s/truth.json' '%s/sheet.npz' 0",
             project_root(), kit.folder, kit.folder);
    check(python(), arguments);
    export_kit_free(&kit);
}

/* As archives beyond 4 GiB are, but small: whatever begins at byte 40 or has 40 bytes gets its 64-bit fields. */
static void wide_zips_open_in_python(void **state)
{
    (void)state;
    static const char words[] = "sixty-four bits for sizes, offsets and the directory";
    export_kit kit;
    zip_writer z;
    char arguments[1024];
    need_python("zipfile");
    begin(&kit, false);
    FILE *f = fopen(export_kit_path(&kit, "wide.zip"), "wb");
    assert_non_null(f);
    zip_begin(&z, f);
    z.wide_from = 40;
    for (int i = 0; i < 3; i++) {
        size_t n = i == 1 ? 5 : sizeof words;
        zip_begin_entry(&z, i == 0 ? "a" : i == 1 ? "b" : "c", n);
        zip_add(&z, words, n);
        zip_end_entry(&z);
    }
    assert_true(zip_end(&z));
    assert_int_equal(fclose(f), 0);
    snprintf(arguments, sizeof arguments,
             "-c 'import sys, zipfile; z = zipfile.ZipFile(sys.argv[1]); print(\"ok:\", z.namelist()); "
             "assert z.testzip() is None and [len(z.read(n)) for n in \"abc\"] == [%zu, 5, %zu]' '%s/wide.zip'",
             sizeof words, sizeof words, kit.folder);
    check(python(), arguments);
    export_kit_free(&kit);
}

static void glb_passes_the_validator_without_a_word(void **state)
{
    (void)state;
    export_kit kit;
    char arguments[2048];
    need_package("gltf-validator");
    begin(&kit, false);
    export_to(&kit, WEFT_EXPORT_GLB, "out.glb", -1, "some nodes have several");
    snprintf(arguments, sizeof arguments, "'%s/test/io/export_check/gltf.mjs' '%s' '%s/truth.json' '%s/out.glb'",
             project_root(), npm(), kit.folder, kit.folder);
    check("node", arguments);
    export_kit_free(&kit);
}

static void usda_holds_the_run_to_the_bit(void **state)
{
    (void)state;
    need_python("json");
    for (int changes = 0; changes < 2; changes++) {
        export_kit kit;
        char arguments[1024];
        begin(&kit, changes);
        export_to(&kit, WEFT_EXPORT_USDA, "out.usda", -1, NULL);
        snprintf(arguments, sizeof arguments, "'%s/test/io/export_check/usda.py' '%s/truth.json' '%s/out.usda'",
                 project_root(), kit.folder, kit.folder);
        check(python(), arguments);
        export_kit_free(&kit);
    }
}

static void usda_is_parsed_by_a_usd_library(void **state)
{
    (void)state;
    need_package("tinyusdz");
    for (int changes = 0; changes < 2; changes++) {
        export_kit kit;
        char arguments[2048];
        begin(&kit, changes);
        export_to(&kit, WEFT_EXPORT_USDA, "out.usda", -1, NULL);
        snprintf(arguments, sizeof arguments, "'%s/test/io/export_check/usda.mjs' '%s' '%s/out.usda'", project_root(),
                 npm(), kit.folder);
        check("node", arguments);
        export_kit_free(&kit);
    }
}

static void blender_plays_all_in_the_order_of_the_run(void **state)
{
    (void)state;
    export_kit kit;
    char arguments[2048];
    if (!getenv("WEFT_LONG")) {
        print_message("skipped: Blender is asked in the long form only\n");
        skip();
    }
    need("blender --version", "blender");
    begin(&kit, false);
    export_to(&kit, WEFT_EXPORT_PC2, "out.pc2", -1, NULL);
    export_to(&kit, WEFT_EXPORT_MDD, "out.mdd", -1, NULL);
    export_to(&kit, WEFT_EXPORT_GLB, "out.glb", -1, "several");
    export_to(&kit, WEFT_EXPORT_OBJ, "out.obj", -1, NULL);
    snprintf(arguments, sizeof arguments,
             "-b --factory-startup --python-exit-code 1 --python '%s/test/io/export_check/blender.py' -- "
             "'%s/truth.json' '%s'",
             project_root(), kit.folder, kit.folder);
    check("blender", arguments);
    export_kit_free(&kit);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(npz_opens_in_numpy_to_the_bit),
        cmocka_unit_test(wide_zips_open_in_python),
        cmocka_unit_test(glb_passes_the_validator_without_a_word),
        cmocka_unit_test(usda_holds_the_run_to_the_bit),
        cmocka_unit_test(usda_is_parsed_by_a_usd_library),
        cmocka_unit_test(blender_plays_all_in_the_order_of_the_run),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
