/* SPDX-License-Identifier: MIT */
/* What people are told about wrong scenes: each fault has its exact message, with its place. */
#define _POSIX_C_SOURCE 200809L
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <weft/io/scene.h>

#define SHEET "cloths:\n  sheet:\n    grid: {size: [1, 1], nodes: [3, 3]}\n"
#define BODY "colliders: {body: {shape: mesh, file: square.obj, motion: {file: still_#.obj}}}\n"

typedef struct fault_case {
    const char *scene, *set, *message;
} fault_case;

static const char *const folder_files[][2] = {
    {"square.obj", "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nvt 0 0\nvt 1 0\nvt 1 1\nvt 0 1\nvt 5 5\n"
                   "g left\nf 1/1 2/2 3/3\ng right\nf 1/5 3/3 4/4\n"},
    {"still_1.obj", "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3\n"},
    {"empty.obj", "# nothing\nv 0 0 0\n"},
    {"bad.obj", "v 0 0 0\nv 1 0 0\nv 1 1 0\nf 1 2 7\n"},
    {"flat.obj", "v 0 0 0\nv 1 0 0\nv 2 0 0\nv 0 1 0\n\nf 1 2 4\nf 2 3 1\n"},
    {"fan.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 -1 0\nv 0 0 1\nf 1 2 3\nf 2 1 4\nf 1 2 5\n"},
};

static const fault_case cases[] = {
    /* ---- YAML */
    {"", NULL, "s.yaml:1:1: the scene is empty: expected keys such as 'cloths'"},
    {"# only a comment\n", NULL, "s.yaml:1:1: the scene is empty: expected keys such as 'cloths'"},
    {"- 1\n- 2\n", NULL, "s.yaml:1:1: the scene is a list of 2: expected keys such as 'cloths'"},
    {"name: a: b\n", NULL, "s.yaml:1:8: no valid YAML: mapping values are not allowed in this context"},
    {"cloths: {sheet: [\n", NULL,
     "s.yaml:2:1: no valid YAML: did not find expected node content (while parsing a flow node)"},
    {"name: \"\xff\"\n", NULL, "s.yaml:1:8: no valid YAML: invalid leading UTF-8 octet"},
    {SHEET "name: a\nname: b\n", NULL,
     "s.yaml:5:1: the key 'name' is here for the second time, it was in line 4 already"},
    {SHEET "name: *nobody\n", NULL, "s.yaml:4:7: there is no anchor before this with the name 'nobody'"},
    {SHEET "---\nname: x\n", NULL, "s.yaml:4:1: a second document begins here: expected one scene a file"},
    {SHEET "name: !color x\n", NULL, "s.yaml:4:7: tags are not used in scenes, found '!color'"},
    {"weft: 2\nfuture: [1]\n", NULL, "s.yaml:1:7: weft is 2: this program reads scenes of version 1"},
    /* ---- keys */
    {SHEET "    fabrik: silk\n", NULL, "s.yaml:4:5: unknown key 'fabrik' in cloth 'sheet': did you mean 'fabric'?"},
    {SHEET "solver: {newton_tolerence: 1}\n", NULL,
     "s.yaml:4:10: unknown key 'newton_tolerence' in solver: did you mean 'newton_tolerance'?"},
    {"cloth: {}\n", NULL, "s.yaml:1:1: unknown key 'cloth' in the scene: did you mean 'cloths'?"},
    {SHEET "output: {qwerty: 1}\n", NULL,
     "s.yaml:4:10: unknown key 'qwerty' in output: expected one of fps, frames, steps_per_frame, restart_every, "
     "compression, contacts"},
    {"name: empty\n", NULL, "s.yaml:1:1: 'cloths' is missing in the scene: expected names with objects"},
    {"cloths: {}\n", NULL, "s.yaml:1:1: the scene has no cloth: expected at least one in 'cloths'"},
    {"cloths: [1]\n", NULL, "s.yaml:1:9: cloths is a list of 1: expected names with objects"},
    {"cloths: {sheet: 5}\n", NULL, "s.yaml:1:17: cloth 'sheet' is 5: expected an object with keys"},
    {"cloths: {a/b: {}}\n", NULL,
     "s.yaml:1:10: 'a/b' cannot be the name of a cloth: expected 1 to 64 letters without . / \\ = : ' \""},
    {"cloths: {sheet: {}}\n", NULL, "s.yaml:1:10: cloth 'sheet' has neither 'grid' nor 'mesh': expected one of them"},
    {SHEET "    mesh: {file: square.obj}\n", NULL,
     "s.yaml:4:5: cloth 'sheet' has both 'grid' and 'mesh': expected one of them"},
    {"cloths: {sheet: {grid: {size: [1, 1]}}}\n", NULL,
     "s.yaml:1:18: 'nodes' is missing in grid of cloth 'sheet': expected [n, m]"},
    {"cloths: {s: {grid: {size: [1, 1], nodes: [3, 3], corner: [0, 0, 0], centre: [0, 0, 0]}}}\n", NULL,
     "s.yaml:1:69: grid of cloth 's' has both 'centre' and 'corner': expected one of them"},
    {SHEET "colliders:\n  b:\n    shape: box\n    radius: 1\n", NULL,
     "s.yaml:7:5: 'radius' makes no sense in collider 'b': its shape is box, and only sphere, capsule and cylinder "
     "have "
     "it"},
    {SHEET "colliders: {b: {shape: sphere, file: x.obj}}\n", NULL,
     "s.yaml:4:32: 'file' makes no sense in collider 'b': its shape is sphere, and only mesh has it"},
    {SHEET "colliders: {b: {radius: 1}}\n", NULL,
     "s.yaml:4:13: 'shape' is missing in collider 'b': expected plane, sphere, capsule, cylinder, box or mesh"},
    {SHEET "colliders: {b: {shape: plane, position: [0, 0, 0], keys: [{time: 0}]}}\n", NULL,
     "s.yaml:4:31: collider 'b' has both 'position' and 'keys': expected one of them"},
    {SHEET "colliders: {b: {shape: plane, keys: [{tme: 0}]}}\n", NULL,
     "s.yaml:4:39: unknown key 'tme' in keys.0 of collider 'b': did you mean 'time'?"},
    /* ---- values */
    {SHEET "fabrics:\n  a:\n    density: 300\n", NULL,
     "s.yaml:6:14: density is 300 kg/m²: expected a number in (0, 100]"},
    {SHEET "fabrics: {a: {density: 0}}\n", NULL, "s.yaml:4:24: density is 0 kg/m²: expected a number in (0, 100]"},
    {SHEET "fabrics: {a: {density: heavy}}\n", NULL,
     "s.yaml:4:24: density is 'heavy': expected a number in (0, 100] kg/m²"},
    {SHEET "fabrics: {a: {density: \"0.2\"}}\n", NULL,
     "s.yaml:4:24: density is '0.2' in quotes: expected a number in (0, 100] kg/m²"},
    {SHEET "fabrics: {a: {density: .nan}}\n", NULL,
     "s.yaml:4:24: density is '.nan': expected a number in (0, 100] kg/m²"},
    {SHEET "fabrics: {a: {shear: 1e999}}\n", NULL, "s.yaml:4:22: shear is 1e999 N/m: expected a number in [0, 1e7]"},
    {SHEET "fabrics: {a: {stretch_limit: 0.5}}\n", NULL,
     "s.yaml:4:30: stretch_limit is 0.5: expected a number, 0 or in [1.001, 10]"},
    {SHEET "    filter: {mask: -1}\n", NULL, "s.yaml:4:20: mask is -1: expected a whole number in [0, 4294967295]"},
    {SHEET "    filter: {category: 1.5}\n", NULL,
     "s.yaml:4:24: category is 1.5: expected a whole number in [0, 4294967295]"},
    {SHEET "    filter: {mask: 4294967296}\n", NULL,
     "s.yaml:4:20: mask is 4294967296: expected a whole number in [0, 4294967295]"},
    {SHEET "colliders: {b: {shape: plane, filter: {itself: true}}}\n", NULL,
     "s.yaml:4:40: unknown key 'itself' in filter of collider 'b': expected one of category, mask"},
    {SHEET "output: {frames: 1.5}\n", NULL, "s.yaml:4:18: frames is 1.5: expected a whole number in [0, 1e6]"},
    {SHEET "output: {fps: 1}\n", NULL,
     "s.yaml:4:15: a step of 1 / (fps · steps_per_frame) is 1 s: expected [1e-7, 0.5] s"},
    {SHEET "picture: {wire: yes}\n", NULL, "s.yaml:4:17: wire is 'yes': expected true or false"},
    {SHEET "picture: {background: \"#12345\"}\n", NULL,
     "s.yaml:4:23: background is '#12345': expected [r, g, b], each in [0, 1], or \"#rrggbb\""},
    {SHEET "picture: {background: [0, 2, 0]}\n", NULL, "s.yaml:4:27: background.1 is 2: expected a number in [0, 1]"},
    {SHEET "forces: {gravity: 9.81}\n", NULL, "s.yaml:4:19: gravity is 9.81 m/s²: expected [x, y, z]"},
    {SHEET "forces: {gravity: [0, -9.81]}\n", NULL, "s.yaml:4:19: gravity is a list of 2: expected [x, y, z] in m/s²"},
    {SHEET "forces: {wind: [900, 900, 0]}\n", NULL, "s.yaml:4:16: wind is 1272.79 m/s long: expected at most 1000"},
    {SHEET "forces: {wind: [900, 0, 0], gust: {strength: 1}}\n", NULL,
     "s.yaml:4:35: wind in gusts is 1800 m/s: expected at most 1000"},
    {SHEET "picture: {direction: [0, 0, 0]}\n", NULL,
     "s.yaml:4:22: direction is zero: expected a vector with a direction"},
    {SHEET "colliders: {b: {shape: box, rotation: [0, 0, 0, 0]}}\n", NULL,
     "s.yaml:4:39: rotation is zero: expected a quaternion, [0, 0, 0, 1] for no rotation"},
    {SHEET "colliders: {b: {shape: box, rotation: {axis: [0, 1, 0]}}}\n", NULL,
     "s.yaml:4:39: rotation is an object: expected a quaternion [x, y, z, w] or {axis: [x, y, z], angle: degrees}"},
    {SHEET "colliders: {b: {shape: spher}}\n", NULL,
     "s.yaml:4:24: shape is 'spher': expected plane, sphere, capsule, cylinder, box or mesh; did you mean 'sphere'?"},
    {"cloths: {s: {grid: {size: [1, 0], nodes: [3, 3]}}}\n", NULL,
     "s.yaml:1:31: size.1 is 0 m: expected a number in [0.0001, 250]"},
    {"cloths: {s: {grid: {size: [1, 1], nodes: [8000, 8000]}}}\n", NULL,
     "s.yaml:1:10: cloth 's' has 8000 · 8000 nodes: expected at most 2^24"},
    {"cloths: {s: {grid: {size: [1, 1], nodes: [3, 3], warp: [0, 1, 0], weft: [0, -2, 0]}}}\n", NULL,
     "s.yaml:1:10: 'warp' and 'weft' of cloth 's' are parallel"},
    {SHEET "picture: {camera: {eye: [1, 1, 1], target: [1, 1, 1]}}\n", NULL,
     "s.yaml:4:19: eye and target of the camera are the same point"},
    {SHEET "colliders: {b: {shape: plane, keys: [{time: 1}, {time: 0.5}]}}\n", NULL,
     "s.yaml:4:56: time is 0.5 s: expected more than 1 s, the time of the key before"},
    /* ---- names */
    {SHEET "    fabric: coton\n", NULL, "s.yaml:4:13: no fabric 'coton': did you mean 'cotton'?"},
    {SHEET "    fabric:\n", NULL, "s.yaml:4:12: fabric is empty: expected the name of a fabric"},
    {SHEET "fabrics: {a: {like: b}, b: {}}\n", NULL,
     "s.yaml:4:21: no fabric 'b': expected one of default, cotton, wool, wool_lycra, polyester, fine_cotton, "
     "heavy_wool, canvas, silk, denim, linen, jersey, rib, felt, leather, paper"},
    {SHEET "attachments: [{cloth: shet, nodes: [0]}]\n", NULL, "s.yaml:4:23: no cloth 'shet': did you mean 'sheet'?"},
    {SHEET "attachments: [{cloth: sheet, nodes: [0], kind: collider, collider: ball}]\n", NULL,
     "s.yaml:4:68: no collider 'ball': expected some in the scene"},
    {SHEET BODY "attachments: [{cloth: sheet, nodes: [0], kind: collider, collider: body}]\n", NULL,
     "s.yaml:5:68: collider 'body' is a mesh with a motion: cloth can be attached to what moves as a whole"},
    /* ---- nodes */
    {SHEET "attachments: [{cloth: sheet}]\n", NULL,
     "s.yaml:4:15: attachments.0 has none of 'nodes', 'select', 'group', 'near' and 'box': expected one of them"},
    {SHEET "attachments: [{cloth: sheet, nodes: [0], select: all}]\n", NULL,
     "s.yaml:4:42: attachments.0 has both 'nodes' and 'select': expected one of them"},
    {SHEET "attachments: [{cloth: sheet, nodes: [0, 9]}]\n", NULL,
     "s.yaml:4:41: node 9: cloth 'sheet' has nodes 0 to 8"},
    {SHEET "attachments: [{cloth: sheet, near: {point: [9, 9, 9], radius: 1}}]\n", NULL,
     "s.yaml:4:36: cloth 'sheet' has no node there: expected at least one"},
    {SHEET "attachments: [{cloth: sheet, group: left}]\n", NULL,
     "s.yaml:4:37: cloth 'sheet' is a grid and has no groups: expected another way to name nodes"},
    {SHEET "attachments: [{cloth: sheet, kind: soft, nodes: [0, 1], weights: [1]}]\n", NULL,
     "s.yaml:4:66: weights is a list of 1: expected 2, one for each node"},
    {SHEET "attachments: [{cloth: sheet, nodes: [0], stiffness: 3}]\n", NULL,
     "s.yaml:4:42: 'stiffness' makes no sense in attachments.0: its kind is pin, and only soft has it"},
    {SHEET "ties: [{cloth_a: sheet, nodes_a: [0, 1], nodes_b: [2]}]\n", NULL,
     "s.yaml:4:51: nodes_b is a list of 1: expected 2, as many as nodes_a"},
    /* ---- files */
    {"cloths:\n  s:\n    mesh:\n      file: none.obj\n", NULL, "s.yaml:4:13: $none.obj: No such file or directory"},
    {"cloths: {s: {mesh: {file: empty.obj}}}\n", NULL,
     "s.yaml:1:27: $empty.obj: has 1 vertices and 0 faces: expected a mesh with at least one face"},
    {"cloths: {s: {mesh: {file: square.obj, rest: uv}}}\n", NULL,
     "s.yaml:1:27: $square.obj:13: node 0 has two texture coordinates, a seam: expected one for each node with 'rest: "
     "uv'; 'rest: shape' needs none"},
    {"cloths: {s: {mesh: {file: square.obj}, group_fabrics: {lft: silk}}}\n", NULL,
     "s.yaml:1:56: no group 'lft': did you mean 'left'?"},
    {SHEET "    group_fabrics: {left: silk}\n", NULL,
     "s.yaml:4:20: 'group_fabrics' makes no sense in cloth 'sheet': it is a grid, and only meshes have groups"},
    {SHEET "colliders: {b: {shape: mesh, file: square.obj, motion: {file: none.pc2}}}\n", NULL,
     "s.yaml:4:63: $none.pc2: No such file or directory"},
    /* ---- what only the library can tell */
    {"cloths:\n  s:\n    mesh: {file: fan.obj}\n", NULL,
     "s.yaml:2:3: cloth 's': $fan.obj:8: the edge between nodes 0 and 1 has 3 faces, at most 2 can be"},
    {SHEET "    pressure: 5\n", NULL,
     "s.yaml:2:3: cloth 'sheet': pressure needs a closed piece, but the edge between nodes 0 and 1 is a border"},
    {SHEET "attachments: [{cloth: sheet, select: corners}, {cloth: sheet, nodes: [0]}]\n", NULL,
     "s.yaml:4:48: attachments.1 on cloth 'sheet': node 0 is attached twice"},
    /* ---- --set */
    {SHEET, "cloths.sheet.fabrik=silk",
     "--set cloths.sheet.fabrik=silk: unknown key 'fabrik' in cloth 'sheet': did you mean 'fabric'?"},
    {SHEET, "cloths.sheet.fabric=coton", "--set cloths.sheet.fabric=coton: no fabric 'coton': did you mean 'cotton'?"},
    {SHEET, "output.frames=-1", "--set output.frames=-1: frames is -1: expected a whole number in [0, 1e6]"},
    {SHEET, "output.frames", "--set output.frames: expected path=value, as in output.frames=10"},
    {SHEET, "output..fps=1", "--set output..fps=1: a name is missing in the path"},
    {SHEET, "cloths.sheet.grid.size.2=1",
     "--set cloths.sheet.grid.size.2=1: size is a list of 3: expected [u, v] in m"},
    {SHEET, "cloths.sheet.grid.size.9=1",
     "--set cloths.sheet.grid.size.9=1: '9' is no place in this list: it has 2 items, counted from 0"},
    {SHEET, "weft.x=1", "--set weft.x=1: weft is an object: expected a whole number in [1, 1]"},
    {SHEET "name: a\n", "name.x=1", "--set name.x=1: 'x' stands below a value that has no keys"},
    {SHEET, "output=[",
     "--set output=[: no valid YAML: did not find expected node content (while parsing a flow node)"},
};

static void write_text(const char *folder, const char *name, const char *content)
{
    char path[512];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *f = fopen(path, "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(content, 1, strlen(content), f), strlen(content));
    assert_int_equal(fclose(f), 0);
}

/* "$" in what is expected stands for the folder. */
static void expand(const char *message, const char *folder, char *out, size_t size)
{
    const char *dollar = strchr(message, '$');
    if (dollar)
        snprintf(out, size, "%.*s%s/%s", (int)(dollar - message), message, folder, dollar + 1);
    else
        snprintf(out, size, "%s", message);
}

/* Loads and, if that works, builds. The message's "s.yaml" is the name that the scene is given. */
static bool message_is_right(const fault_case *c, const char *folder)
{
    weft_error e = {.text = ""};
    weft_scene *scene = NULL;
    weft_stage *stage = NULL;
    char expected[1024];
    weft_result r = weft_scene_parse("s.yaml", folder, c->scene, strlen(c->scene), c->set ? &c->set : NULL,
                                     c->set ? 1 : 0, &scene, &e);
    if (r == WEFT_OK)
        r = weft_stage_create(scene, NULL, &stage, &e);
    weft_stage_destroy(stage);
    weft_scene_free(scene);
    expand(c->message, folder, expected, sizeof expected);
    if (r < 0 && r == e.code && strcmp(e.text, expected) == 0)
        return true;
    print_error("scene:\n%s\nexpected: %s\nfound:    %s (%d)\n\n", c->scene, expected, e.text, r);
    return false;
}

static void every_wrong_scene_gets_its_message(void **state)
{
    (void)state;
    const char *tmp = getenv("TMPDIR");
    char folder[256], path[512];
    snprintf(folder, sizeof folder, "%s/weft_scene_XXXXXX", tmp ? tmp : "/tmp");
    assert_non_null(mkdtemp(folder));
    size_t n_files = sizeof folder_files / sizeof *folder_files, n_cases = sizeof cases / sizeof *cases, n_wrong = 0;
    for (size_t i = 0; i < n_files; i++)
        write_text(folder, folder_files[i][0], folder_files[i][1]);
    for (size_t i = 0; i < n_cases; i++)
        n_wrong += !message_is_right(&cases[i], folder);
    for (size_t i = 0; i < n_files; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, folder_files[i][0]);
        unlink(path);
    }
    rmdir(folder);
    assert_true(n_cases >= 30);
    assert_int_equal(n_wrong, 0);
}

/* The mesh's own line and the scene's place, whatever the words of the two are. */
static void faults_of_meshes_name_both_places(void **state)
{
    (void)state;
    static const struct {
        const char *file, *line;
    } meshes[] = {{"bad.obj", "bad.obj:4:"}, {"flat.obj", "flat.obj:7:"}};
    const char *tmp = getenv("TMPDIR");
    char folder[256], path[512], scene[128];
    snprintf(folder, sizeof folder, "%s/weft_scene_XXXXXX", tmp ? tmp : "/tmp");
    assert_non_null(mkdtemp(folder));
    for (size_t i = 0; i < sizeof folder_files / sizeof *folder_files; i++)
        write_text(folder, folder_files[i][0], folder_files[i][1]);
    for (size_t i = 0; i < 2; i++) {
        weft_error e = {.text = ""};
        weft_scene *s = NULL;
        weft_stage *stage = NULL;
        snprintf(scene, sizeof scene, "cloths:\n  s:\n    mesh:\n      file: %s\n", meshes[i].file);
        weft_result r = weft_scene_parse("s.yaml", folder, scene, strlen(scene), NULL, 0, &s, &e);
        if (r == WEFT_OK)
            r = weft_stage_create(s, NULL, &stage, &e);
        assert_true(r < 0);
        assert_true(strncmp(e.text, i == 0 ? "s.yaml:4:13: " : "s.yaml:2:3: cloth 's': ", 13) == 0);
        assert_non_null(strstr(e.text, meshes[i].line));
        weft_scene_free(s);
    }
    for (size_t i = 0; i < sizeof folder_files / sizeof *folder_files; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, folder_files[i][0]);
        unlink(path);
    }
    rmdir(folder);
}

/* Texts of people's own can be long, and yet the message has its beginning and its end. */
static void long_names_are_cut_in_messages(void **state)
{
    (void)state;
    char scene[1200], name[1001];
    memset(name, 'x', 1000);
    name[1000] = '\0';
    snprintf(scene, sizeof scene, SHEET "%s: 1\n", name);
    weft_error e;
    weft_scene *s;
    assert_int_equal(weft_scene_parse("s.yaml", NULL, scene, strlen(scene), NULL, 0, &s, &e), WEFT_ERROR_FORMAT);
    assert_non_null(strstr(e.text, "…' in the scene: expected one of weft, name"));
    assert_null(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_wrong_scene_gets_its_message),
                                       cmocka_unit_test(faults_of_meshes_name_both_places),
                                       cmocka_unit_test(long_names_are_cut_in_messages)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
