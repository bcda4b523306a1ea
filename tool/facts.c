/* SPDX-License-Identifier: MIT */
#include "facts.h"

#include "say.h"

#include <math.h>
#include <stdio.h>

facts facts_begin(bool json)
{
    facts f = {.json = json, .first = true};
    if (json)
        page_add(&f.text, "{");
    return f;
}

void facts_warn(const facts *f)
{
    for (int32_t i = 0; i < f->warnings.n; i++)
        say_warning("%s", f->warnings.items[i].text);
}

static void add_warnings(facts *f)
{
    for (int32_t i = 0; i < f->warnings.n; i++) {
        page_add(&f->text, i == 0 ? ",\"warnings\":[" : ",");
        page_add_json(&f->text, f->warnings.items[i].text);
    }
    page_add(&f->text, f->warnings.n > 0 ? "]}\n" : "}\n");
}

void facts_print(facts *f)
{
    if (f->json)
        add_warnings(f);
    fputs(page_text(&f->text), stdout);
    if (!f->json)
        facts_warn(f);
    page_free(&f->text);
}

static void json_key(facts *f, const char *key)
{
    page_add(&f->text, "%s\"%s\":", f->first ? "" : ",", key);
    f->first = false;
}

static void line_head(facts *f, const char *name)
{
    page_add(&f->text, "%*s%-*s ", 2 * f->depth, "", 16 - 2 * f->depth, name);
}

void facts_text(facts *f, const char *key, const char *name, const char *value)
{
    if (f->json) {
        json_key(f, key);
        page_add_json(&f->text, value);
        return;
    }
    line_head(f, name);
    page_add(&f->text, "%s\n", value);
}

void facts_number(facts *f, const char *key, const char *name, double value, const char *unit)
{
    if (f->json) {
        json_key(f, key);
        page_add_number(&f->text, value);
        return;
    }
    line_head(f, name);
    page_add(&f->text, value == floor(value) && fabs(value) < 1e15 ? "%.0f" : "%.6g", value);
    page_add(&f->text, "%s%s\n", *unit ? " " : "", unit);
}

void facts_bool(facts *f, const char *key, const char *name, bool value)
{
    if (f->json) {
        json_key(f, key);
        page_add(&f->text, value ? "true" : "false");
        return;
    }
    line_head(f, name);
    page_add(&f->text, "%s\n", value ? "yes" : "no");
}

static void json_vector(facts *f, const char *key, const double *x)
{
    json_key(f, key);
    for (int i = 0; i < 3; i++) {
        page_add(&f->text, i ? "," : "[");
        page_add_number(&f->text, x[i]);
    }
    page_add(&f->text, "]");
}

facts_box facts_box_none(void)
{
    return (facts_box){{HUGE_VAL, HUGE_VAL, HUGE_VAL}, {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL}};
}

void facts_box_add(facts_box *box, const weft_vec3 *points, int32_t n)
{
    for (int32_t i = 0; i < n; i++) {
        const double x[3] = {points[i].x, points[i].y, points[i].z};
        for (int k = 0; k < 3; k++) {
            box->low[k] = fmin(box->low[k], x[k]);
            box->high[k] = fmax(box->high[k], x[k]);
        }
    }
}

void facts_bounds(facts *f, const facts_box *box)
{
    const double *low = box->low, *high = box->high;
    if (!(low[0] <= high[0]))
        return;
    if (f->json) {
        json_vector(f, "bounds_low", low);
        json_vector(f, "bounds_high", high);
        return;
    }
    line_head(f, "bounds");
    page_add(&f->text, "x %.4g … %.4g, y %.4g … %.4g, z %.4g … %.4g\n", low[0], high[0], low[1], high[1], low[2],
             high[2]);
}

void facts_open_list(facts *f, const char *key)
{
    if (!f->json)
        return;
    json_key(f, key);
    page_add(&f->text, "[");
    f->first = true;
}

void facts_close_list(facts *f)
{
    if (f->json)
        page_add(&f->text, "]");
    f->first = false;
}

void facts_open_item(facts *f, const char *kind, const char *name)
{
    if (f->json) {
        page_add(&f->text, "%s{\"name\":", f->first ? "" : ",");
        page_add_json(&f->text, name);
        f->first = false;
    } else
        page_add(&f->text, "%*s%s '%s'\n", 2 * f->depth, "", kind, name);
    f->depth++;
}

void facts_close_item(facts *f)
{
    if (f->json)
        page_add(&f->text, "}");
    f->first = false;
    f->depth--;
}
