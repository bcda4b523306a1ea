/* SPDX-License-Identifier: MIT */
/* Landmarks as JSON. */
#include "io/file.h"
#include "io/pattern/pattern_tree.h"
#include "io/text.h"

#include <stdlib.h>
#include <weft/io/body.h>

static weft_result read_optional_number(const pattern_reader *r, const tree_node *map, const char *key, double *out)
{
    const tree_node *n = map ? tree_find(map, key) : NULL;
    return n ? pattern_number(r, n, out) : WEFT_OK;
}

static weft_result read_section(const pattern_reader *r, const tree_node *map, const char *girth, const char *y,
                                weft_section *out)
{
    weft_result result = read_optional_number(r, map, girth, &out->girth);
    result = result < 0 ? result : read_optional_number(r, map, y, &out->y);
    out->centre.y = out->y;
    return result;
}

static weft_result read_joint(const pattern_reader *r, const tree_node *joints, const char *name, weft_vec3 *out)
{
    const tree_node *joint = joints ? tree_find(joints, name) : NULL, *head = NULL;
    double x[3];
    if (!joint)
        return WEFT_OK;
    weft_result result = pattern_need(r, joint, "head", TREE_LIST, &head);
    result = result < 0 ? result : pattern_numbers(r, head, x, 3);
    if (result == WEFT_OK)
        *out = (weft_vec3){x[0], x[1], x[2]};
    return result;
}

static weft_result read_landmarks(const pattern_reader *r, const tree_node *root, weft_landmarks *m)
{
    static const char *const names[2][3] = {{"LeftArm", "LeftForeArm", "LeftHand"},
                                            {"RightArm", "RightForeArm", "RightHand"}};
    const tree_node *measured = tree_find(root, "measured_m"), *joints = tree_find(root, "joints_rest_m");
    weft_vec3 neck = {0, m->neck_base, 0};
    if ((measured && measured->kind != TREE_MAP) || (joints && joints->kind != TREE_MAP))
        return pattern_fault(r, measured && measured->kind != TREE_MAP ? measured : joints, "expected an object");
    if (!measured && !joints)
        return pattern_fault(r, root, "there is neither 'measured_m' nor 'joints_rest_m' here");
    weft_result result = read_section(r, measured, "chest", "chest_y", &m->bust);
    result = result < 0 ? result : read_section(r, measured, "waist", "waist_y", &m->waist);
    result = result < 0 ? result : read_section(r, measured, "seat", "seat_y", &m->hip);
    result = result < 0 ? result : read_joint(r, joints, "Neck", &neck);
    m->neck_base = neck.y;
    for (int side = 0; side < 2; side++) {
        weft_vec3 *to[3] = {&m->shoulder[side], &m->elbow[side], &m->wrist[side]};
        for (int i = 0; result == WEFT_OK && i < 3; i++)
            result = read_joint(r, joints, names[side][i], to[i]);
    }
    return result;
}

weft_result weft_landmarks_parse(const char *name, const void *bytes, size_t size, weft_landmarks *landmarks,
                                 weft_error *error)
{
    if (!name || !landmarks || (!bytes && size > 0))
        return fault(error, WEFT_ERROR_ARGUMENT, "name, bytes or landmarks is NULL");
    pattern_reader r = {.source = {.name = name}, .error = error};
    tree_node *root = NULL;
    weft_landmarks read = *landmarks;
    weft_result result = tree_parse(&r.arena, &r.source, 0, bytes, size, &root, error);
    if (result == WEFT_OK && (!root || root->kind != TREE_MAP))
        result = fault(error, WEFT_ERROR_FORMAT, "%s:1: found no JSON object", name);
    result = result < 0 ? result : read_landmarks(&r, root, &read);
    scene_arena_free(&r.arena);
    if (result == WEFT_OK)
        *landmarks = read;
    return result;
}

weft_result weft_landmarks_read(const char *path, weft_landmarks *landmarks, weft_error *error)
{
    char *bytes = NULL;
    size_t size = 0;
    if (!path)
        return fault(error, WEFT_ERROR_ARGUMENT, "path is NULL");
    weft_result r = file_read(path, &bytes, &size, error);
    r = r < 0 ? r : weft_landmarks_parse(path, bytes, size, landmarks, error);
    free(bytes);
    return r;
}

static void add_joint(text *t, const char *name, weft_vec3 head, weft_vec3 tail, bool is_last)
{
    text_add(t, "  \"%s\": {\"head\": [%.5f, %.5f, %.5f], \"tail\": [%.5f, %.5f, %.5f]}%s\n", name, head.x, head.y,
             head.z, tail.x, tail.y, tail.z, is_last ? "" : ",");
}

weft_result weft_landmarks_write(const char *path, const weft_landmarks *m, bool force, weft_error *error)
{
    if (!path || !m)
        return fault(error, WEFT_ERROR_ARGUMENT, "path or landmarks is NULL");
    text t = {0};
    weft_vec3 neck = {m->neck.centre.x, m->neck_base, m->neck.centre.z};
    text_add(&t,
             "{\n \"height\": %.5f,\n \"measured_m\": {\"chest\": %.5f, \"chest_y\": %.5f, \"waist\": %.5f, "
             "\"waist_y\": %.5f, ",
             m->high - m->low, m->bust.girth, m->bust.y, m->waist.girth, m->waist.y);
    text_add(&t,
             "\"seat\": %.5f, \"seat_y\": %.5f, \"neck\": %.5f, \"neck_y\": %.5f, \"crotch_y\": %.5f, \"armpit_y\": "
             "%.5f},\n",
             m->hip.girth, m->hip.y, m->neck.girth, m->neck.y, m->crotch, m->armpit);
    text_add(&t, " \"joints_rest_m\": {\n");
    add_joint(&t, "Neck", neck, m->neck.centre, !m->has_arms);
    if (m->has_arms) {
        for (int side = 0; side < 2; side++) {
            const char *const names[2][3] = {{"LeftArm", "LeftForeArm", "LeftHand"},
                                             {"RightArm", "RightForeArm", "RightHand"}};
            add_joint(&t, names[side][0], m->shoulder[side], m->elbow[side], false);
            add_joint(&t, names[side][1], m->elbow[side], m->wrist[side], false);
            add_joint(&t, names[side][2], m->wrist[side], m->wrist[side], side == 1);
        }
    }
    text_add(&t, " }\n}\n");
    weft_result r = t.failed ? fault_memory(error) : file_write(path, t.bytes, t.n, force, error);
    text_free(&t);
    return r;
}
