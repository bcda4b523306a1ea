/* SPDX-License-Identifier: MIT */
/* Values of a scene: numbers, vectors, rotations, colours, names, and the messages about them. */
#include "io/scene/nearest.h"
#include "io/scene/scene_number.h"
#include "io/scene/scene_read.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static bool is_number(const tree_node *n)
{
    double number;
    return n->kind == TREE_SCALAR && number_read(n->text, &number);
}

/* "0,2": commas part values, they stand in no number. */
static bool has_decimal_comma(const tree_node *n)
{
    size_t whole = n->kind == TREE_SCALAR ? strspn(n->text, "+-0123456789") : 0;
    return whole > 0 && n->text[whole] == ',' && n->text[whole + 1] &&
           n->text[whole + 1 + strspn(n->text + whole + 1, "0123456789")] == '\0';
}

/* "density is 300 kg/m²: expected a number in (0, 100]"; or, if it is no number at all, the unit with the range. */
static weft_result value_is_wrong(scene_reader *r, const schema_field *f, const char *label, const tree_node *n,
                                  weft_result code)
{
    char shown[TREE_SHOWN], kind[SCHEMA_TEXT_SIZE], range[SCHEMA_TEXT_SIZE];
    const char *unit = f->unit ? f->unit : "", *blank = f->unit ? " " : "";
    bool has_unit = is_number(n) && n->is_plain, is_one = f->kind <= SCHEMA_BITS;
    schema_kind_text(f, kind);
    schema_range_text(f, range);
    if (!is_one)
        snprintf(range, sizeof range, "%s", f->unit && !has_unit ? "in" : "");
    const char *in = !*range ? "" : !is_one ? " " : range[0] == '[' || range[0] == '(' ? " in " : ", ";
    return tree_fault(r->source, n->mark, r->error, code, "%s is %s%s%s%s: expected %s%s%s%s%s%s", label,
                      tree_show(n, shown), is_number(n) && !n->is_plain ? " in quotes" : "", has_unit ? blank : "",
                      has_unit ? unit : "", kind, in, range, has_unit ? "" : blank, has_unit ? "" : unit,
                      has_decimal_comma(n) ? ", with a decimal point" : "");
}

static bool is_in_range(const schema_field *f, double x)
{
    if (f->range == RANGE_OR_ZERO && x == 0)
        return true;
    if (f->range >= RANGE_LENGTH)
        return isfinite(x);
    return (f->range == RANGE_OPEN ? x > f->min : x >= f->min) && x <= f->max;
}

/* A single number, with a message about a field of a single number. */
static weft_result value_read_number(scene_reader *r, const schema_field *f, const char *label, const tree_node *n,
                                     bool is_whole, double *out)
{
    schema_field one = *f;
    one.kind = is_whole ? SCHEMA_INTEGER : SCHEMA_NUMBER;
    if (f->range >= RANGE_LENGTH) {
        one.range = RANGE_CLOSED;
        one.max = f->range == RANGE_LENGTH ? f->max : 1e100;
        one.min = -one.max;
    }
    if (n->kind != TREE_SCALAR || !n->is_plain || !number_read(n->text, out))
        return value_is_wrong(r, &one, label, n, WEFT_ERROR_FORMAT);
    if (is_whole && floor(*out) != *out)
        return value_is_wrong(r, &one, label, n, WEFT_ERROR_FORMAT);
    return is_in_range(&one, *out) ? WEFT_OK : value_is_wrong(r, &one, label, n, WEFT_ERROR_RANGE);
}

/* "size.1": a part of a value, named as in --set. */
static const char *part_label(const char *label, int32_t i, char out[TREE_SHOWN])
{
    snprintf(out, TREE_SHOWN, "%.80s.%d", label, i);
    return out;
}

static weft_result value_read_numbers(scene_reader *r, const schema_field *f, const char *label, const tree_node *n,
                                      int32_t wanted, double *out)
{
    char part[TREE_SHOWN];
    if (n->kind != TREE_LIST || n->n != wanted)
        return value_is_wrong(r, f, label, n, WEFT_ERROR_FORMAT);
    weft_result result = WEFT_OK;
    for (int32_t i = 0; result == WEFT_OK && i < wanted; i++)
        result = value_read_number(r, f, part_label(label, i, part), n->items[i], f->kind == SCHEMA_INTEGER2, &out[i]);
    return result;
}

static weft_result value_read_integers2(scene_reader *r, const schema_field *f, const char *label, const tree_node *n,
                                        int32_t *out)
{
    double x[2] = {0};
    weft_result result = value_read_numbers(r, f, label, n, 2, x);
    for (int i = 0; result == WEFT_OK && i < 2; i++)
        out[i] = (int32_t)x[i];
    return result;
}

static weft_result value_read_vec3(scene_reader *r, const schema_field *f, const char *label, const tree_node *n,
                                   weft_vec3 *out)
{
    double x[3] = {0};
    weft_result result = value_read_numbers(r, f, label, n, 3, x);
    if (result < 0)
        return result;
    double length = sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]);
    if (f->range == RANGE_LENGTH && length > f->max)
        return tree_fault(r->source, n->mark, r->error, WEFT_ERROR_RANGE, "%s is %g%s%s long: expected at most %g",
                          label, length, f->unit ? " " : "", f->unit ? f->unit : "", f->max);
    if (f->range == RANGE_DIRECTION && !(length > 1e-100))
        return tree_fault(r->source, n->mark, r->error, WEFT_ERROR_RANGE,
                          "%s is zero: expected a vector with a direction", label);
    *out = (weft_vec3){x[0], x[1], x[2]};
    return WEFT_OK;
}

/* ---- rotations, colours ------------------------------------------------------------------------------------------ */

static const schema_field axis_field = {.kind = SCHEMA_VEC3, .range = RANGE_DIRECTION},
                          angle_field = {.kind = SCHEMA_NUMBER, .unit = "degrees", .min = -1e6, .max = 1e6},
                          part_field = {.kind = SCHEMA_NUMBER, .min = -1e6, .max = 1e6},
                          shade_field = {.kind = SCHEMA_NUMBER, .min = 0, .max = 1};

static weft_result value_read_axis_angle(scene_reader *r, const char *label, const tree_node *axis,
                                         const tree_node *angle, weft_quat *out)
{
    char part[TREE_SHOWN];
    weft_vec3 a = {0};
    double degrees = 0;
    snprintf(part, sizeof part, "%.80s.axis", label);
    weft_result result = value_read_vec3(r, &axis_field, part, axis, &a);
    snprintf(part, sizeof part, "%.80s.angle", label);
    if (result == WEFT_OK)
        result = value_read_number(r, &angle_field, part, angle, false, &degrees);
    if (result < 0)
        return result;
    double s = sine_degrees(0.5 * degrees) / sqrt(a.x * a.x + a.y * a.y + a.z * a.z);
    *out = (weft_quat){s * a.x, s * a.y, s * a.z, cosine_degrees(0.5 * degrees)};
    return WEFT_OK;
}

static weft_result value_read_rotation(scene_reader *r, const schema_field *f, const char *label, const tree_node *n,
                                       weft_quat *out)
{
    char part[TREE_SHOWN];
    const tree_node *axis = tree_find(n, "axis"), *angle = tree_find(n, "angle");
    if (n->kind == TREE_MAP && axis && angle && n->n == 2)
        return value_read_axis_angle(r, label, axis, angle, out);
    if (n->kind != TREE_LIST || n->n != 4)
        return value_is_wrong(r, f, label, n, WEFT_ERROR_FORMAT);
    double q[4] = {0};
    for (int32_t i = 0; i < 4; i++) {
        weft_result result = value_read_number(r, &part_field, part_label(label, i, part), n->items[i], false, &q[i]);
        if (result < 0)
            return result;
    }
    if (!(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3] > 1e-100))
        return tree_fault(r->source, n->mark, r->error, WEFT_ERROR_RANGE,
                          "%s is zero: expected a quaternion, [0, 0, 0, 1] for no rotation", label);
    *out = (weft_quat){q[0], q[1], q[2], q[3]};
    return WEFT_OK;
}

static int hex_digit(char c)
{
    static const char digits[] = "0123456789abcdef";
    const char *at = c ? strchr(digits, c >= 'A' && c <= 'F' ? c - 'A' + 'a' : c) : NULL;
    return at ? (int)(at - digits) : -1;
}

static bool value_read_hex_color(const char *s, double out[3])
{
    if (s[0] != '#' || strlen(s) != 7)
        return false;
    for (int i = 0; i < 3; i++) {
        int high = hex_digit(s[1 + 2 * i]), low = hex_digit(s[2 + 2 * i]);
        if (high < 0 || low < 0)
            return false;
        out[i] = (16 * high + low) / 255.0;
    }
    return true;
}

static weft_result value_read_color(scene_reader *r, const schema_field *f, const char *label, const tree_node *n,
                                    weft_color *out)
{
    char part[TREE_SHOWN];
    double x[3] = {0};
    weft_result result = WEFT_OK;
    bool is_list = n->kind == TREE_LIST && n->n == 3;
    if (!is_list && !(n->kind == TREE_SCALAR && value_read_hex_color(n->text, x)))
        return value_is_wrong(r, f, label, n, WEFT_ERROR_FORMAT);
    for (int32_t i = 0; is_list && result == WEFT_OK && i < 3; i++)
        result = value_read_number(r, &shade_field, part_label(label, i, part), n->items[i], false, &x[i]);
    *out = (weft_color){x[0], x[1], x[2]};
    return result;
}

/* ---- texts and choices ------------------------------------------------------------------------------------------- */

static weft_result value_read_text(scene_reader *r, const schema_field *f, const char *label, const tree_node *n,
                                   draft_text *out)
{
    if (n->kind != TREE_SCALAR || tree_is_null(n) || n->text[0] == '\0')
        return value_is_wrong(r, f, label, n, WEFT_ERROR_FORMAT);
    *out = (draft_text){n->text, n};
    return WEFT_OK;
}

static weft_result value_read_boolean(scene_reader *r, const schema_field *f, const char *label, const tree_node *n,
                                      bool *out)
{
    bool is_true = n->kind == TREE_SCALAR && strcmp(n->text, "true") == 0;
    if (!is_true && !(n->kind == TREE_SCALAR && strcmp(n->text, "false") == 0))
        return value_is_wrong(r, f, label, n, WEFT_ERROR_FORMAT);
    *out = is_true;
    return WEFT_OK;
}

static weft_result value_read_choice(scene_reader *r, const schema_field *f, const char *label, const tree_node *n,
                                     void *to)
{
    char shown[TREE_SHOWN], kind[SCHEMA_TEXT_SIZE];
    nearest near = nearest_to(n->text);
    for (int32_t i = 0; n->kind == TREE_SCALAR && f->choices[i]; i++) {
        nearest_offer(&near, f->choices[i]);
        if (strcmp(n->text, f->choices[i]) == 0) {
            memcpy(to, &i, sizeof i);
            return WEFT_OK;
        }
    }
    return tree_fault(r->source, n->mark, r->error, WEFT_ERROR_FORMAT, "%s is %s: expected %s%s%s%s", label,
                      tree_show(n, shown), schema_kind_text(f, kind), near.best ? "; did you mean '" : "",
                      near.best ? near.best : "", near.best ? "'?" : "");
}

/* ---- lists of values --------------------------------------------------------------------------------------------- */

static weft_result value_read_item(scene_reader *r, const schema_field *f, const char *label, const tree_node *n,
                                   draft_list *l, int32_t i)
{
    double x = 0;
    if (f->kind == SCHEMA_VEC3S)
        return value_read_vec3(r, &(schema_field){.kind = SCHEMA_VEC3, .unit = f->unit, .min = f->min, .max = f->max},
                               label, n, (weft_vec3 *)l->items + i);
    weft_result result = value_read_number(r, f, label, n, f->kind == SCHEMA_INTEGERS, &x);
    if (result == WEFT_OK && f->kind == SCHEMA_INTEGERS)
        ((int32_t *)l->items)[i] = (int32_t)x;
    else if (result == WEFT_OK)
        ((double *)l->items)[i] = x;
    return result;
}

static weft_result value_read_list(scene_reader *r, const schema_field *f, const char *label, const tree_node *n,
                                   draft_list *out)
{
    char part[TREE_SHOWN];
    size_t size = f->kind == SCHEMA_INTEGERS  ? sizeof(int32_t)
                  : f->kind == SCHEMA_NUMBERS ? sizeof(double)
                                              : sizeof(weft_vec3);
    if (n->kind != TREE_LIST || n->n == 0)
        return value_is_wrong(r, f, label, n, WEFT_ERROR_FORMAT);
    *out = (draft_list){scene_arena_make(r->arena, (size_t)n->n, size), n->n, n};
    if (!out->items)
        return fault_memory(r->error);
    weft_result result = WEFT_OK;
    for (int32_t i = 0; result == WEFT_OK && i < n->n; i++)
        result = value_read_item(r, f, part_label(label, i, part), n->items[i], out, i);
    return result;
}

static weft_result value_read_names(scene_reader *r, const schema_field *f, const char *label, const tree_node *n,
                                    draft_list *out)
{
    char part[TREE_SHOWN];
    const schema_field name = {.kind = SCHEMA_NAME, .of = f->of};
    if (n->kind != TREE_MAP)
        return value_is_wrong(r, f, label, n, WEFT_ERROR_FORMAT);
    draft_pair *pairs = scene_arena_make(r->arena, (size_t)n->n, sizeof *pairs);
    *out = (draft_list){pairs, n->n, n};
    weft_result result = pairs ? WEFT_OK : fault_memory(r->error);
    for (int32_t i = 0; result == WEFT_OK && i < n->n; i++) {
        pairs[i].name = (draft_text){n->keys[i]->text, n->keys[i]};
        snprintf(part, sizeof part, "%s.%.60s", label, n->keys[i]->text);
        result = value_read_text(r, &name, part, n->items[i], &pairs[i].value);
    }
    return result;
}

weft_result scene_read_value(scene_reader *r, const schema_field *f, const char *label, const tree_node *n, void *to)
{
    double number = 0;
    weft_result result;
    switch (f->kind) {
    case SCHEMA_NUMBER: return value_read_number(r, f, label, n, false, to);
    case SCHEMA_INTEGER:
        result = value_read_number(r, f, label, n, true, &number);
        if (result == WEFT_OK)
            *(int32_t *)to = (int32_t)number;
        return result;
    case SCHEMA_BITS:
        result = value_read_number(r, f, label, n, true, &number);
        if (result == WEFT_OK)
            *(uint32_t *)to = (uint32_t)number;
        return result;
    case SCHEMA_BOOLEAN: return value_read_boolean(r, f, label, n, to);
    case SCHEMA_CHOICE: return value_read_choice(r, f, label, n, to);
    case SCHEMA_INTEGER2: return value_read_integers2(r, f, label, n, to);
    case SCHEMA_VEC2: return value_read_numbers(r, f, label, n, 2, to);
    case SCHEMA_VEC3: return value_read_vec3(r, f, label, n, to);
    case SCHEMA_ROTATION: return value_read_rotation(r, f, label, n, to);
    case SCHEMA_COLOR: return value_read_color(r, f, label, n, to);
    case SCHEMA_NAMES: return value_read_names(r, f, label, n, to);
    case SCHEMA_INTEGERS:
    case SCHEMA_NUMBERS:
    case SCHEMA_VEC3S: return value_read_list(r, f, label, n, to);
    default: return value_read_text(r, f, label, n, to);
    }
}
