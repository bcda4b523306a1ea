/* SPDX-License-Identifier: MIT */
/* Gathering: frames as they come. Where they take too much memory every other one is dropped and only each second one
 * is taken from then on, so that a run of any length fits, evenly thinned. */
#include "player/clip_inside.h"
#include "player/params.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* ---- making ------------------------------------------------------------------------------------------------------ */

static char *copy_text(const char *text)
{
    size_t n = strlen(text) + 1;
    char *copy = malloc(n);
    return copy ? memcpy(copy, text, n) : NULL;
}

static void *copy_items(const void *from, size_t n, size_t size)
{
    void *copy = malloc(n * size + 1);
    if (copy && n > 0)
        memcpy(copy, from, n * size);
    return copy;
}

/* One more item at the end; NULL: out of memory, and the array is as it was. */
static void *grow(void *array, int32_t n, size_t size)
{
    return realloc(array, ((size_t)n + 1) * size);
}

clip *clip_new(const char *title, double fps)
{
    clip *c = calloc(1, sizeof *c);
    char *copy = copy_text(title);
    if (!c || !copy) {
        free(c);
        free(copy);
        return NULL;
    }
    c->title = copy;
    c->fps = fps;
    c->stride = 1;
    c->stretch = 0.05;
    c->max_level = 1;
    return c;
}

clip *clip_new_stream(const char *title, double fps)
{
    clip *c = clip_new(title, fps);
    if (c)
        c->is_stream = true;
    return c;
}

int32_t clip_most_triangles(const clip *c)
{
    return c->is_stream ? CLIP_STREAM_TRIANGLES : CLIP_TRIANGLES;
}

int32_t clip_most_points(const clip *c)
{
    return c->is_stream ? CLIP_STREAM_POINTS : CLIP_LINE_POINTS;
}

static void free_frame(const clip *c, clip_frame *f)
{
    for (int32_t i = 0; f->poses && i < c->n_parts; i++) {
        if (!f->poses[i].same)
            free(f->poses[i].points);
        free(f->poses[i].blame);
        free(f->poses[i].pressed);
    }
    free(f->poses);
    free(f->solids);
    free(f->lines);
    free(f->ends);
    free(f->contours);
}

static void free_form(clip_form *f)
{
    free(f->kept);
    free(f->triangles);
    free(f->marks);
    free(f->rest);
    free(f->uv);
}

void clip_free(clip *c)
{
    if (!c)
        return;
    for (int32_t i = 0; i < c->n_frames; i++)
        free_frame(c, &c->frames[i]);
    for (int32_t i = 0; i < c->n_forms; i++)
        free_form(&c->forms[i]);
    for (int32_t i = 0; i < c->n_parts; i++)
        free(c->parts[i].name);
    for (int32_t i = 0; i < c->n_solids; i++)
        free(c->solid_names[i]);
    free(c->frames);
    free(c->forms);
    free(c->parts);
    free(c->solids);
    free(c->solid_names);
    page_free(&c->notes);
    page_free(&c->packet);
    free(c->title);
    free(c);
}

int32_t clip_add_part(clip *c, const clip_part *part)
{
    clip_piece *parts = c->n_parts < CLIP_PARTS ? grow(c->parts, c->n_parts, sizeof *parts) : NULL;
    if (!parts)
        return -1;
    c->parts = parts;
    char *name = copy_text(part->name);
    if (!name)
        return -1;
    parts[c->n_parts] = (clip_piece){name, part->is_collider, part->front, part->back, -1};
    return c->n_parts++;
}

int32_t clip_add_solid(clip *c, const char *name, const picture_solid *solid)
{
    picture_solid *solids = grow(c->solids, c->n_solids, sizeof *solids);
    c->solids = solids ? solids : c->solids;
    char **names = grow(c->solid_names, c->n_solids, sizeof *names);
    c->solid_names = names ? names : c->solid_names;
    char *copy = copy_text(name);
    if (!solids || !names || !copy) {
        free(copy);
        return -1;
    }
    solids[c->n_solids] = *solid;
    names[c->n_solids] = copy;
    return c->n_solids++;
}

void clip_set_ground(clip *c, double height)
{
    c->has_ground = true;
    c->ground = height;
}

void clip_set_states(clip *c, const char *const *names)
{
    c->states = names;
}

void clip_add_note(clip *c, const char *format, ...)
{
    page text = {0};
    va_list args;
    va_start(args, format);
    page_add_list(&text, format, args);
    va_end(args);
    if (c->notes.n > 0)
        page_add(&c->notes, ",");
    page_add_json(&c->notes, page_text(&text));
    page_free(&text);
}

void clip_set_scales(clip *c, double stretch, int32_t max_level)
{
    c->stretch = stretch;
    c->max_level = max_level;
}

int32_t clip_n_frames(const clip *c)
{
    return c->n_given;
}

/* ---- frames ------------------------------------------------------------------------------------------------------ */

/* The frame at i goes; what it shares with the next becomes the next one's. */
static void drop_frame(clip *c, int32_t i)
{
    clip_frame *f = &c->frames[i];
    for (int32_t k = 0; i + 1 < c->n_frames && k < c->n_parts; k++) {
        clip_pose *own = &f->poses[k], *next = &c->frames[i + 1].poses[k];
        if (!next->same)
            continue;
        next->same = own->same;
        own->same = true;
    }
    for (int32_t k = 0; k < c->n_parts; k++) {
        const clip_pose *p = &f->poses[k];
        if (p->points)
            c->bytes -= ((p->same ? 0 : 12) + (p->pressed ? 1 : 0)) * (size_t)c->forms[p->form].n_nodes;
    }
    free_frame(c, f);
}

/* Keeps every other frame. */
static void halve(clip *c)
{
    int32_t n = 0;
    for (int32_t i = 0; i < c->n_frames; i++) {
        if (i % 2 == 1)
            drop_frame(c, i);
        else
            c->frames[n++] = c->frames[i];
    }
    c->n_frames = n;
    c->stride *= 2;
}

static bool allocate_frame(clip *c, clip_frame *f)
{
    f->poses = calloc((size_t)c->n_parts + 1, sizeof *f->poses);
    f->solids = copy_items(c->solids, (size_t)c->n_solids, sizeof *f->solids);
    if (f->poses && f->solids)
        return true;
    free(f->poses);
    free(f->solids);
    return false;
}

bool clip_begin_frame(clip *c, int32_t number, double time)
{
    if (c->is_stream && c->n_frames > 0)
        free_frame(c, &c->frames[--c->n_frames]);
    /* The frame before is of no use if it was between those that are kept: the last one always is. */
    if (c->n_frames > 1 && (c->n_given - 1) % c->stride != 0)
        drop_frame(c, --c->n_frames);
    while (c->bytes > CLIP_MEMORY && c->n_frames > 2)
        halve(c);
    clip_frame *frames = grow(c->frames, c->n_frames, sizeof *frames);
    if (!frames)
        return false;
    c->frames = frames;
    clip_frame f = {.number = number, .time = time};
    if (!allocate_frame(c, &f))
        return false;
    for (int32_t i = 0; i < c->n_parts; i++)
        f.poses[i].form = -1;
    frames[c->n_frames++] = f;
    c->n_given++;
    return true;
}

static uint8_t *marks_of(const clip_mesh *m)
{
    uint8_t *marks = malloc((size_t)m->n_triangles + 1);
    for (int32_t i = 0; marks && i < m->n_triangles; i++) {
        int level = m->levels ? m->levels[i] : 0, lines = m->lines ? m->lines[i] & 7 : 7;
        marks[i] = (uint8_t)((level < 31 ? level : 31) << 3 | lines);
    }
    return marks;
}

static float *floats_of(const double *values, size_t n)
{
    float *out = malloc(n * sizeof *out + 1);
    for (size_t i = 0; out && i < n; i++)
        out[i] = (float)values[i];
    return out;
}

static bool copy_form(const clip_mesh *m, clip_form *f)
{
    *f = (clip_form){.n_nodes = m->n_nodes, .n_triangles = m->n_triangles, .n_given = m->n_nodes};
    f->triangles = copy_items(m->triangles, 3 * (size_t)m->n_triangles, sizeof *f->triangles);
    f->marks = marks_of(m);
    f->rest = m->rest ? floats_of(m->rest, 3 * (size_t)m->n_triangles) : NULL;
    f->uv = m->uv ? floats_of(&m->uv->u, 2 * (size_t)m->n_nodes) : NULL;
    if (f->triangles && f->marks && (!m->rest || f->rest) && (!m->uv || f->uv))
        return true;
    free_form(f);
    return false;
}

bool clip_set_mesh(clip *c, int32_t part, const clip_mesh *m)
{
    clip_form f;
    if (!copy_form(m, &f))
        return false;
    if (c->is_stream && c->parts[part].form >= 0) { /* the one before is gone for good */
        free_form(&c->forms[c->parts[part].form]);
        c->forms[c->parts[part].form] = f;
        return true;
    }
    clip_form *forms = grow(c->forms, c->n_forms, sizeof *forms);
    if (!forms) {
        free_form(&f);
        return false;
    }
    c->forms = forms;
    forms[c->n_forms] = f;
    c->parts[part].form = c->n_forms++;
    return true;
}

/* The points of the part in the frame before, if they are of the same mesh. */
static float *points_before(const clip *c, int32_t part, int32_t form)
{
    if (c->n_frames < 2)
        return NULL;
    const clip_pose *before = &c->frames[c->n_frames - 2].poses[part];
    return before->form == form ? before->points : NULL;
}

/* Points of the mesh as it is shown. NULL: out of memory. */
static float *shown_points(const clip_form *f, const weft_vec3 *points)
{
    float *x = malloc(3 * (size_t)f->n_nodes * sizeof *x + 1);
    for (size_t i = 0; x && i < (size_t)f->n_nodes; i++) {
        const weft_vec3 *p = &points[f->kept ? (size_t)f->kept[i] : i];
        x[3 * i] = (float)p->x;
        x[3 * i + 1] = (float)p->y;
        x[3 * i + 2] = (float)p->z;
    }
    return x;
}

static bool thin_if_large(clip *c, int32_t part, const weft_vec3 *points)
{
    clip_form *f = &c->forms[c->parts[part].form];
    int32_t n_given = f->n_triangles, most = clip_most_triangles(c);
    if (n_given <= most)
        return true;
    if (!clip_thin(f, points, most))
        return false;
    clip_add_note(c, "%s: %d triangles, shown with %d", c->parts[part].name, n_given, f->n_triangles);
    return true;
}

bool clip_set_points(clip *c, int32_t part, const weft_vec3 *points)
{
    int32_t form = c->parts[part].form;
    clip_form *f = &c->forms[form];
    if (!thin_if_large(c, part, points))
        return false;
    clip_pose *pose = &c->frames[c->n_frames - 1].poses[part];
    if (c->is_stream) {
        pose->form = form;
        clip_stream_points(c, part, points);
        return !c->packet.failed;
    }
    size_t n = (size_t)f->n_nodes;
    float *x = shown_points(f, points), *before = points_before(c, part, form);
    if (!x)
        return false;
    *pose = (clip_pose){.form = form, .points = x, .blame = pose->blame};
    if (before && memcmp(before, x, 3 * n * sizeof *x) == 0) {
        free(x);
        pose->points = before;
        pose->same = true;
    } else
        c->bytes += 12 * n;
    return true;
}

void clip_set_pose(clip *c, int32_t solid, const picture_solid *pose)
{
    c->frames[c->n_frames - 1].solids[solid] = *pose;
}

bool clip_add_line(clip *c, const weft_vec3 *points, int64_t n, bool closed, int32_t contour)
{
    clip_frame *f = &c->frames[c->n_frames - 1];
    if (n > 0 && f->n_points + n > clip_most_points(c) && !f->lines_left) {
        f->lines_left = true;
        clip_add_note(c, "frame %d: not all contours are drawn", f->number);
    }
    if (n < 1 || f->lines_left)
        return true;
    float *lines = realloc(f->lines, 3 * ((size_t)f->n_points + (size_t)n) * sizeof *lines);
    f->lines = lines ? lines : f->lines;
    int32_t *ends = grow(f->ends, f->n_lines, sizeof *ends);
    f->ends = ends ? ends : f->ends;
    int32_t *contours = grow(f->contours, f->n_lines, sizeof *contours);
    f->contours = contours ? contours : f->contours;
    if (!lines || !ends || !contours)
        return false;
    for (int64_t i = 0; i < n; i++) {
        float *at = lines + 3 * (f->n_points + i);
        at[0] = (float)points[i].x;
        at[1] = (float)points[i].y;
        at[2] = (float)points[i].z;
    }
    f->n_points += (int32_t)n;
    ends[f->n_lines] = closed ? -f->n_points : f->n_points;
    contours[f->n_lines++] = contour;
    return true;
}

bool clip_add_blame(clip *c, int32_t part, const uint8_t *blame, int32_t n)
{
    clip_pose *pose = &c->frames[c->n_frames - 1].poses[part];
    if (pose->form < 0 || c->forms[pose->form].kept)
        return true; /* thinned: its triangles are others */
    pose->blame = copy_items(blame, (size_t)n, 1);
    return pose->blame != NULL;
}

bool clip_add_squeezed(clip *c, int32_t part, const uint8_t *squeezed)
{
    clip_pose *pose = &c->frames[c->n_frames - 1].poses[part];
    const clip_form *f = pose->form >= 0 ? &c->forms[pose->form] : NULL;
    for (size_t i = 0; f && !f->kept && i < 3 * (size_t)f->n_triangles; i++) {
        if (!squeezed[f->triangles[i]])
            continue;
        if (!pose->blame && !(pose->blame = calloc((size_t)f->n_triangles, 1)))
            return false;
        if (pose->blame[i / 3] == 0)
            pose->blame[i / 3] = CLIP_SQUEEZED;
    }
    return true;
}

uint8_t clip_pressure_number(double pressure)
{
    double k = log(pressure / CLIP_LEAST_PRESSURE) / log(CLIP_PRESSURE_FACTOR);
    return pressure > 0 && k >= -0.5 ? (uint8_t)(1 + fmin(254, round(k))) : 0;
}

bool clip_set_pressures(clip *c, int32_t part, const double *pressures)
{
    clip_pose *pose = &c->frames[c->n_frames - 1].poses[part];
    const clip_form *f = pose->form >= 0 ? &c->forms[pose->form] : NULL;
    if (!f || (f->n_nodes > 0 && isnan(pressures[f->kept ? f->kept[0] : 0])))
        return true;
    if (c->is_stream) {
        clip_stream_pressures(c, part, pressures);
        return !c->packet.failed;
    }
    free(pose->pressed);
    pose->pressed = malloc((size_t)f->n_nodes + 1);
    for (int32_t i = 0; pose->pressed && i < f->n_nodes; i++)
        pose->pressed[i] = clip_pressure_number(pressures[f->kept ? f->kept[i] : i]);
    c->bytes += (size_t)f->n_nodes;
    return pose->pressed != NULL;
}
