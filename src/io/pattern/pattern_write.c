/* SPDX-License-Identifier: MIT */
/* Writes panel-outline/1, as pattern_outline.c reads it. */
#include "io/decimal.h"
#include "io/file.h"
#include "io/heap.h"
#include "io/params.h"
#include "io/text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <weft/io/pattern.h>

static void write_pattern_text(text *t, const char *s)
{
    text_add(t, "\"");
    for (; *s; s++) {
        if (*s == '"' || *s == '\\')
            text_add(t, "\\%c", *s);
        else if ((unsigned char)*s < ' ')
            text_add(t, "\\u%04x", (unsigned)(unsigned char)*s);
        else
            text_add_bytes(t, s, 1);
    }
    text_add(t, "\"");
}

static void write_pattern_number(text *t, double value)
{
    char digits[DECIMAL_ROOM];
    /* A hundredth of a micrometre is enough for cloth, and files stay readable. */
    double rounded = floor(value * 1e8 + 0.5) / 1e8;
    size_t n = decimal_write(digits, rounded);
    char shorter[DECIMAL_ROOM];
    int length = snprintf(shorter, sizeof shorter, "%.8f", rounded);
    while (length > 1 && shorter[length - 1] == '0')
        length--;
    if (length > 0 && (shorter[length - 1] == '.' || shorter[length - 1] == ','))
        length--;
    double back = 0;
    for (int i = 0; i < length; i++)
        shorter[i] = shorter[i] == ',' ? '.' : shorter[i];
    if (length > 0 && decimal_read(shorter, shorter + length, &back) == shorter + length && back == rounded)
        text_add_bytes(t, shorter, (size_t)length);
    else
        text_add_bytes(t, digits, n);
}

static void write_pattern_pair(text *t, weft_vec2 p)
{
    text_add(t, "[");
    write_pattern_number(t, p.u);
    text_add(t, ", ");
    write_pattern_number(t, p.v);
    text_add(t, "]");
}

/* Whether all points between i and j are within the tolerance of the chord. */
static bool chord_serves(const weft_vec2 *p, int32_t i, int32_t j)
{
    double x = p[j].u - p[i].u, y = p[j].v - p[i].v, l = hypot(x, y);
    for (int32_t k = i + 1; k < j; k++) {
        double du = p[k].u - p[i].u, dv = p[k].v - p[i].v;
        if (l == 0 || fabs(x * dv - y * du) > PATTERN_WRITE_TOLERANCE * l)
            return false;
    }
    return true;
}

/* Thins a polyline; the last point is left out, it is the next edge's first. Returns how many are left. */
static int32_t thin_points(weft_vec2 *p, int32_t n)
{
    int32_t kept = 0, i = 0;
    while (i + 1 < n) {
        int32_t j = i + 1;
        while (j + 1 < n && j - i < 64 && chord_serves(p, i, j + 1))
            j++;
        p[kept++] = p[i];
        i = j;
    }
    return kept;
}

typedef struct panel_text {
    text outline, edges;
    int32_t n_points, n_loops;
} panel_text;

static weft_result write_pattern_edge(panel_text *out, const weft_pattern *pattern, int32_t panel, int32_t e,
                                      bool is_first, weft_error *error)
{
    int32_t n = 0;
    weft_result r = weft_pattern_edge_points(pattern, panel, e, NULL, &n, error);
    if (r < 0)
        return r;
    weft_vec2 *p = heap_array((size_t)n, sizeof *p);
    if (!p)
        return fault_memory(error);
    r = weft_pattern_edge_points(pattern, panel, e, p, &n, error);
    const weft_edge *edge = &weft_pattern_panel(pattern, panel)->edges[e];
    int32_t kept = r < 0 ? 0 : thin_points(p, n);
    for (int32_t i = 0; i < kept; i++) {
        text_add(&out->outline, is_first && i == 0 ? "\n    " : i % 6 == 0 ? ",\n    " : ", ");
        write_pattern_pair(&out->outline, p[i]);
    }
    text_add(&out->edges, "%s\n    {\"name\": ", e == 0 ? "" : ",");
    write_pattern_text(&out->edges, edge->name);
    text_add(&out->edges, ", \"first\": %d, \"segments\": %d", out->n_points, kept);
    if (edge->elastic != 1) {
        text_add(&out->edges, ", \"elastic\": ");
        write_pattern_number(&out->edges, edge->elastic);
    }
    text_add(&out->edges, "}");
    out->n_points += kept;
    free(p);
    return r;
}

static weft_result write_pattern_loops(text *t, const weft_pattern *pattern, int32_t panel, weft_error *error)
{
    const weft_panel *p = weft_pattern_panel(pattern, panel);
    panel_text out = {0};
    weft_result r = WEFT_OK;
    int32_t e = 0, end = 0;
    for (int32_t loop = 0; r == WEFT_OK && loop < p->n_loops; loop++) {
        end += p->loop_sizes[loop];
        text_add(&out.outline, loop == 0 ? "   \"outline\": [" : loop == 1 ? ",\n   \"cutouts\": [[" : ", [");
        for (bool first = true; r == WEFT_OK && e < p->n_edges && p->edges[e].first < end; e++, first = false)
            r = write_pattern_edge(&out, pattern, panel, e, first, error);
        text_add(&out.outline, "]");
    }
    text_add(&out.outline, p->n_loops > 1 ? "]" : "");
    if (r == WEFT_OK && (out.outline.failed || out.edges.failed))
        r = fault_memory(error);
    if (r == WEFT_OK)
        text_add(t, "%s,\n   \"edges\": [%s]", out.outline.bytes, out.edges.bytes);
    text_free(&out.outline);
    text_free(&out.edges);
    return r;
}

static void write_pattern_marks(text *t, const weft_panel *p)
{
    static const char *const kinds[] = {"mark", "fold", "elastic"};
    text_add(t, ",\n   \"grainline\": [[0, 0], ");
    write_pattern_pair(t, p->grain);
    text_add(t, "]");
    for (int32_t i = 0; i < p->n_notches; i++) {
        text_add(t, i == 0 ? ",\n   \"notches\": [{\"name\": " : ", {\"name\": ");
        write_pattern_text(t, p->notches[i].name);
        text_add(t, ", \"at\": ");
        write_pattern_pair(t, p->notches[i].at);
        text_add(t, i + 1 == p->n_notches ? "}]" : "}");
    }
    for (int32_t i = 0; i < p->n_lines; i++) {
        text_add(t, i == 0 ? ",\n   \"lines\": [{\"name\": " : ", {\"name\": ");
        write_pattern_text(t, p->lines[i].name);
        text_add(t, ", \"kind\": \"%s\", \"value\": ", kinds[p->lines[i].kind]);
        write_pattern_number(t, p->lines[i].value);
        text_add(t, ", \"points\": [");
        for (int32_t k = 0; k < p->lines[i].n_points; k++) {
            text_add(t, k ? ", " : "");
            write_pattern_pair(t, p->lines[i].points[k]);
        }
        text_add(t, i + 1 == p->n_lines ? "]}]" : "]}");
    }
}

static void write_pattern_vec3(text *t, const char *key, weft_vec3 v)
{
    text_add(t, ", \"%s\": [", key);
    write_pattern_number(t, v.x);
    text_add(t, ", ");
    write_pattern_number(t, v.y);
    text_add(t, ", ");
    write_pattern_number(t, v.z);
    text_add(t, "]");
}

static void write_pattern_value(text *t, const char *key, double value)
{
    char digits[DECIMAL_ROOM];
    size_t n = decimal_write(digits, value);
    text_add(t, ", \"%s\": ", key);
    text_add_bytes(t, digits, n);
}

static void write_pattern_placement(text *t, const weft_placement *p)
{
    if (p->kind == WEFT_PLACEMENT_NONE)
        return;
    if (p->kind == WEFT_PLACEMENT_FLAT) {
        text_add(t, ",\n   \"placement\": {\"kind\": \"flat\", \"rotation_rows\": [");
        for (int i = 0; i < 9; i++) {
            char digits[DECIMAL_ROOM];
            size_t n = decimal_write(digits, p->rotation[i]);
            text_add(t, "%s", i == 0 ? "[" : i % 3 == 0 ? "], [" : ", ");
            text_add_bytes(t, digits, n);
        }
        text_add(t, "]]");
        write_pattern_vec3(t, "translation", p->translation);
    } else if (p->kind == WEFT_PLACEMENT_CYLINDER) {
        text_add(t, ",\n   \"placement\": {\"kind\": \"%s\"", p->joint ? "cylinder-on-arm" : "cylinder");
        if (p->joint) {
            text_add(t, ", \"joint\": ");
            write_pattern_text(t, p->joint);
        } else
            write_pattern_vec3(t, "origin", p->translation);
        write_pattern_value(t, "radius", p->radius);
        write_pattern_value(t, "theta0_rad", p->angle - p->rate * p->centre.u);
    } else {
        text_add(t, ",\n   \"placement\": {\"kind\": \"cone\", \"centre_local\": ");
        write_pattern_pair(t, p->centre);
        write_pattern_value(t, "phi0_rad", p->angle);
        write_pattern_value(t, "k", p->k);
        write_pattern_value(t, "rho0", p->rho);
        write_pattern_vec3(t, "origin", p->translation);
    }
    text_add(t, "}");
}

static void write_pattern_side(text *t, const weft_pattern *pattern, const char *key, const weft_seam_part *parts,
                               int32_t n)
{
    text_add(t, "\"%s\": [", key);
    for (int32_t i = 0; i < n; i++) {
        const weft_panel *p = weft_pattern_panel(pattern, parts[i].panel);
        text_add(t, "%s{\"panel\": ", i ? ", " : "");
        write_pattern_text(t, p->name);
        text_add(t, ", \"edge\": ");
        write_pattern_text(t, p->edges[parts[i].edge].name);
        if (parts[i].from != 0)
            write_pattern_value(t, "from", parts[i].from);
        if (parts[i].to != 1)
            write_pattern_value(t, "to", parts[i].to);
        text_add(t, "}");
    }
    text_add(t, "]");
}

static void write_pattern_seam(text *t, const weft_pattern *pattern, const weft_seam *s)
{
    text_add(t, "  {");
    if (s->name && *s->name) {
        text_add(t, "\"name\": ");
        write_pattern_text(t, s->name);
        text_add(t, ", ");
    }
    write_pattern_side(t, pattern, "a", s->a, s->n_a);
    text_add(t, ", ");
    write_pattern_side(t, pattern, "b", s->b, s->n_b);
    text_add(t, ", \"reversed\": %s%s}", s->same_direction ? "false" : "true",
             s->kind == WEFT_SEAM_DART ? ", \"kind\": \"dart\"" : "");
}

weft_result weft_pattern_write(const char *path, const weft_pattern *pattern, bool force, weft_error *error)
{
    if (!path || !pattern)
        return fault(error, WEFT_ERROR_ARGUMENT, "path or pattern is NULL");
    text t = {0};
    weft_result r = WEFT_OK;
    text_add(&t, "{\n \"format\": \"panel-outline/1\",\n \"units\": \"m\",\n \"panels\": [");
    for (int32_t i = 0; r == WEFT_OK && i < weft_pattern_panel_count(pattern); i++) {
        const weft_panel *p = weft_pattern_panel(pattern, i);
        text_add(&t, "%s\n  {\"name\": ", i ? "," : "");
        write_pattern_text(&t, p->name);
        if (p->label && *p->label) {
            text_add(&t, ", \"part\": ");
            write_pattern_text(&t, p->label);
        }
        text_add(&t, ",\n");
        r = write_pattern_loops(&t, pattern, i, error);
        write_pattern_marks(&t, p);
        write_pattern_placement(&t, &p->placement);
        text_add(&t, "}");
    }
    text_add(&t, "\n ],\n \"stitches\": [");
    for (int32_t i = 0; i < weft_pattern_seam_count(pattern); i++) {
        text_add(&t, i ? ",\n" : "\n");
        write_pattern_seam(&t, pattern, weft_pattern_seam(pattern, i));
    }
    text_add(&t, "\n ]\n}\n");
    if (r == WEFT_OK && t.failed)
        r = fault_memory(error);
    r = r < 0 ? r : file_write(path, t.bytes, t.n, force, error);
    text_free(&t);
    return r;
}
