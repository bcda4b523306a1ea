/* SPDX-License-Identifier: MIT */
#include "check.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINES_TOLD = 20, CONTOURS_TOLD = 10, CONTOURS_IN_JSON = 1000 };

/* ---- JSON ------------------------------------------------------------------------------------------------------ */

static void add_vector(page *p, const char *name, weft_vec3 v)
{
    const double c[3] = {v.x, v.y, v.z};
    page_add(p, ",\"%s\":", name);
    for (int i = 0; i < 3; i++) {
        page_add(p, i ? "," : "[");
        page_add_number(p, c[i]);
    }
    page_add(p, "]");
}

static void add_number(page *p, const char *name, double value)
{
    page_add(p, ",\"%s\":", name);
    page_add_number(p, value);
}

/* A triangle as its object and, there, its number and that of the polygon it is of. */
static void add_triangle(page *p, const check_moment *m, int32_t ti)
{
    int32_t object = m->subject->triangle_object[ti], own = ti - m->subject->objects[object].first_triangle;
    page_add(p, "{\"object\":%d,\"triangle\":%d", object, own);
    if (m->faces && object == 0)
        page_add(p, ",\"face\":%d", m->faces[own]);
    page_add(p, "}");
}

static void add_contours(page *p, const weft_audit_found *f)
{
    int32_t n = f->n_contours < CONTOURS_IN_JSON ? f->n_contours : CONTOURS_IN_JSON;
    page_add(p, ",\"contours\":%d,\"contour_list\":[", f->n_contours);
    for (int32_t i = 0; i < n; i++) {
        const weft_audit_contour *c = &f->contours[i];
        page_add(p, "%s{\"pairs\":%d,\"objects\":[%d,%d],\"collider\":%s,\"closed\":%s", i ? "," : "", c->n_pairs,
                 c->object[0], c->object[1], c->collider ? "true" : "false", c->closed ? "true" : "false");
        add_number(p, "length", c->length);
        add_vector(p, "centre", c->centre);
        add_vector(p, "lower", c->lower);
        add_vector(p, "upper", c->upper);
        page_add(p, "}");
    }
    page_add(p, "]");
}

static void add_pairs(page *p, const check_moment *m, const weft_audit_found *f)
{
    static const char *const kinds[] = {"", "cross", "coplanar", "degenerate"};
    page_add(p, ",\"pair_list\":[");
    for (int64_t i = 0; i < f->n_pairs; i++) {
        page_add(p, "%s{\"kind\":\"%s\",\"contour\":%d,\"triangles\":[", i ? "," : "", kinds[f->pairs[i].kind],
                 f->pairs[i].contour);
        add_triangle(p, m, f->pairs[i].triangle[0]);
        page_add(p, ",");
        add_triangle(p, m, f->pairs[i].triangle[1]);
        page_add(p, "]");
        add_vector(p, "from", f->pairs[i].ends[0]);
        add_vector(p, "to", f->pairs[i].ends[1]);
        page_add(p, "}");
    }
    page_add(p, "]");
}

/* How many triangles are too near each collider, and how near. */
static void add_near(page *p, const check_moment *m, const weft_audit_found *f)
{
    page_add(p, ",\"too_near\":%lld,\"near_list\":[", (long long)f->n_near_triangles);
    bool first = true;
    for (int32_t k = 0; k < m->subject->n_solids; k++) {
        int64_t n = 0;
        double least = HUGE_VAL;
        for (int64_t i = 0; i < f->n_near_triangles; i++)
            if (f->near_triangles[i].collider == k) {
                n++;
                least = fmin(least, f->near_triangles[i].distance);
            }
        if (n == 0)
            continue;
        page_add(p, "%s{\"collider\":", first ? "" : ",");
        page_add_json(p, m->subject->solid_names[k]);
        page_add(p, ",\"triangles\":%lld", (long long)n);
        add_number(p, "least_distance", least);
        page_add(p, "}");
        first = false;
    }
    page_add(p, "]");
}

static void add_moment(check *c, const check_moment *m, const weft_audit_found *f)
{
    page *p = &c->moments;
    page_add(p, "%s{\"frame\":%d", c->n_moments ? "," : "", m->frame);
    add_number(p, "time", m->time);
    page_add(p, ",\"triangles\":%d,\"tested\":%lld,\"degenerate\":%d", m->subject->n_triangles, (long long)f->n_tested,
             f->n_degenerate);
    page_add(p, ",\"pairs\":%lld,\"cloth_pairs\":%lld,\"collider_pairs\":%lld", (long long)f->n_pairs,
             (long long)f->n_cloth_pairs, (long long)f->n_collider_pairs);
    add_contours(p, f);
    if (c->o->pairs)
        add_pairs(p, m, f);
    add_near(p, m, f);
    page_add(p, "}");
}

/* ---- for people ------------------------------------------------------------------------------------------------ */

static void say_counts(page *p, const weft_audit_found *f)
{
    if (f->n_pairs > 0) {
        page_add(p, "%lld pair%s of triangles intersect%s, in %d contour%s", (long long)f->n_pairs,
                 f->n_pairs == 1 ? "" : "s", f->n_pairs == 1 ? "s" : "", f->n_contours, f->n_contours == 1 ? "" : "s");
        if (f->n_collider_pairs > 0)
            page_add(p, " (%lld with colliders)", (long long)f->n_collider_pairs);
    }
    if (f->n_near_triangles > 0)
        page_add(p, "%s%lld triangle%s nearer to a collider than the thickness", f->n_pairs > 0 ? "; " : "",
                 (long long)f->n_near_triangles, f->n_near_triangles == 1 ? " is" : "s are");
    page_add(p, "\n");
}

/* Where a face is, for someone who looks into the file. */
static void say_face(page *p, const check_moment *m, int32_t ti)
{
    int32_t object = m->subject->triangle_object[ti], own = ti - m->subject->objects[object].first_triangle;
    if (!m->faces || object != 0) {
        page_add(p, "triangle %d", own);
        return;
    }
    page_add(p, "face %d", m->faces[own]);
    if (m->lines)
        page_add(p, " (line %d)", m->lines[m->faces[own]]);
}

/* The first pair of a contour. */
static const weft_audit_pair *pair_of(const weft_audit_found *f, int32_t contour)
{
    int64_t i = 0;
    while (f->pairs[i].contour != contour)
        i++;
    return &f->pairs[i];
}

static void say_contour(page *p, const check_moment *m, const weft_audit_found *f, int32_t number, int32_t contour)
{
    const weft_audit_contour *c = &f->contours[contour];
    const weft_audit_pair *pair = pair_of(f, contour);
    page_add(p, "  %2d  %d pair%s, ", number, c->n_pairs, c->n_pairs == 1 ? "" : "s");
    if (c->n_lines > 0)
        page_add(p, "%.4g m%s", c->length, c->closed ? ", closed" : "");
    else
        page_add(p, pair->kind == WEFT_PAIR_CROSS ? "touching" : "overlapping in a plane, or without area");
    page_add(p, ", at (%.4g, %.4g, %.4g): ", c->centre.x, c->centre.y, c->centre.z);
    if (m->subject->n_objects > 1)
        page_add(p, c->object[0] == c->object[1] ? "%s with itself, " : "%s and %s, ",
                 m->subject->objects[c->object[0]].name, m->subject->objects[c->object[1]].name);
    say_face(p, m, pair->triangle[0]);
    page_add(p, " and ");
    say_face(p, m, pair->triangle[1]);
    page_add(p, "\n");
}

static void say_near(page *p, const check_moment *m, const weft_audit_found *f)
{
    for (int32_t k = 0; k < m->subject->n_solids; k++) {
        const weft_audit_near *deepest = NULL;
        int64_t n = 0;
        for (int64_t i = 0; i < f->n_near_triangles; i++)
            if (f->near_triangles[i].collider == k) {
                n++;
                if (!deepest || f->near_triangles[i].distance < deepest->distance)
                    deepest = &f->near_triangles[i];
            }
        if (n > 0)
            page_add(p, "  %s: %lld triangles, the nearest at %.4g m, at (%.4g, %.4g, %.4g)\n",
                     m->subject->solid_names[k], (long long)n, deepest->distance, deepest->place.x, deepest->place.y,
                     deepest->place.z);
    }
}

static void say_worst(check *c, const check_moment *m, const weft_audit_found *f)
{
    const evidence *e = &c->evidence;
    page_free(&c->contours);
    c->contours = (page){0};
    for (int32_t i = 0; i < e->n_contours && i < CONTOURS_TOLD; i++)
        say_contour(&c->contours, m, f, i + 1, e->order[i]);
    if (e->n_contours > CONTOURS_TOLD)
        page_add(&c->contours, "  and %d more, smaller ones\n", e->n_contours - CONTOURS_TOLD);
    say_near(&c->contours, m, f);
}

/* ---- judging --------------------------------------------------------------------------------------------------- */

bool check_wants(const check *c, int32_t frame, int32_t n)
{
    const args_range *r = &c->o->frames;
    int32_t from = r->given ? r->from : 0, to = r->given && r->to >= 0 ? r->to : n - 1;
    return frame >= from && frame <= to && (frame - from) % c->o->every == 0;
}

static bool keep_worst(check *c, const check_moment *m, const weft_audit_found *f)
{
    c->worst = m->frame;
    c->worst_faults = subject_faults(f);
    if (!evidence_keep(&c->evidence, m->subject, f, m->scene, m->time))
        return false;
    say_worst(c, m, f);
    return true;
}

static void say_moment(check *c, const check_moment *m, const weft_audit_found *f)
{
    if (!c->has_frames) {
        say_counts(&c->moments, f);
        return;
    }
    if (c->n_told++ >= LINES_TOLD)
        return;
    page_add(&c->moments, "frame %d, %.4g s: ", m->frame, m->time);
    say_counts(&c->moments, f);
}

weft_result check_judge(check *c, const check_moment *m, weft_error *error)
{
    weft_audit_found f;
    weft_result r = subject_judge(m->subject, m->time, c->o->threads, &f, error);
    if (r < 0)
        return r;
    int64_t faults = subject_faults(&f);
    if (c->o->json)
        add_moment(c, m, &f);
    else if (faults > 0)
        say_moment(c, m, &f);
    if (faults > 0 && c->n_bad++ == 0)
        c->first_bad = m->frame;
    bool kept = (faults <= c->worst_faults || keep_worst(c, m, &f)) && check_note(c, m, &f);
    c->n_moments++;
    c->n_triangles = m->subject->n_triangles;
    c->n_tested += f.n_tested;
    c->n_degenerate = f.n_degenerate > c->n_degenerate ? f.n_degenerate : c->n_degenerate;
    if (kept)
        return WEFT_OK;
    *error = (weft_error){.code = WEFT_ERROR_MEMORY, .element = -1, .text = "out of memory for a picture or report"};
    return WEFT_ERROR_MEMORY;
}

/* ---- the end --------------------------------------------------------------------------------------------------- */

static void add_path(page *p, const char *name, const char *path)
{
    page_add(p, ",\"%s\":", name);
    if (path)
        page_add_json(p, path);
    else
        page_add(p, "null");
}

static void tell_json(const check *c, const char *picture)
{
    page p = {0};
    page_add(&p, "{\"file\":");
    page_add_json(&p, c->o->path);
    page_add(&p, ",\"kind\":\"%s\",\"frames\":%d,\"intersecting_frames\":%d", c->kind, c->n_moments, c->n_bad);
    if (c->n_bad > 0)
        page_add(&p, ",\"first\":%d,\"worst\":%d", c->first_bad, c->worst);
    if (c->torn)
        page_add(&p, ",\"torn\":true");
    add_path(&p, "picture", picture);
    add_path(&p, "report", c->o->report);
    page_add(&p, ",\"moments\":[%s]}\n", page_text(&c->moments));
    fputs(page_text(&p), stdout);
    page_free(&p);
}

static void tell_lines(const check *c, const char *picture)
{
    fputs(page_text(&c->moments), stdout);
    if (c->n_told > LINES_TOLD)
        printf("and %d more frames\n", c->n_told - LINES_TOLD);
    if (c->has_frames && c->n_bad > 0)
        printf("worst, frame %d:\n", c->worst);
    fputs(page_text(&c->contours), stdout);
    if (c->n_degenerate > 0)
        printf("%d triangle%s without area\n", c->n_degenerate, c->n_degenerate == 1 ? "" : "s");
    if (c->has_frames && c->n_bad > 0)
        printf("%d of %d frames have intersections, from frame %d on\n", c->n_bad, c->n_moments, c->first_bad);
    else if (c->has_frames)
        printf("no intersections in %d frame%s, %d triangles, %lld pairs tested exactly\n", c->n_moments,
               c->n_moments == 1 ? "" : "s", c->n_triangles, (long long)c->n_tested);
    else if (c->n_bad == 0)
        printf("no intersections: %d triangles, %lld pairs tested exactly\n", c->n_triangles, (long long)c->n_tested);
    if (picture)
        printf("wrote %s\n", picture);
    if (c->o->report)
        printf("wrote %s\n", c->o->report);
}

void check_tell(const check *c, const char *picture)
{
    if (c->o->quiet)
        return;
    if (c->o->json)
        tell_json(c, picture);
    else
        tell_lines(c, picture);
}

void check_free(check *c)
{
    page_free(&c->moments);
    page_free(&c->contours);
    evidence_free(&c->evidence);
    clip_free(c->clip.c);
    subject_clip_free(&c->clip);
    record_free(c->bad_moments);
}
