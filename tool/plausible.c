/* SPDX-License-Identifier: MIT */
#include "plausible.h"

#include <math.h>
#include <stdlib.h>

/* What is larger is suspect, m. Inches taken for metres make a garment 25 to 60, a body 67; ships have sails of 20. */
static const double largest_cloth = 20, largest_mesh = 40, largest_solid = 50;
/* Beside a body (a mesh of a size that people and furniture have) cloth is suspect from so much on, and times it. */
static const double smallest_body = 0.3, largest_body = 3, large_beside_body = 8, times_body = 5;
static const double smallest = 0.02;                    /* m: a mesh that is smaller is suspect */
static const double person = 1.7, garment = 1;          /* m, across: what units are guessed by */
static const double strongest_gravity = 200;            /* m/s²: inches make it 386 */
static const double panel_most = 3, panel_least = 0.08; /* largest panel of a pattern over the body's height */

typedef struct unit {
    const char *name, *short_name;
    double metres;
} unit;

static const unit units[] = {{"inches", "in", 0.0254}, {"centimetres", "cm", 0.01}, {"millimetres", "mm", 0.001}};

/* The unit in which a length of so many is nearest to what is expected in metres, by its factor. */
static const unit *guess_unit(double length, double expected)
{
    const unit *best = &units[0];
    for (size_t i = 1; i < sizeof units / sizeof *units; i++)
        if (fabs(log(length * units[i].metres / expected)) < fabs(log(length * best->metres / expected)))
            best = &units[i];
    return best;
}

/* ---- boxes ------------------------------------------------------------------------------------------------------- */

typedef struct span {
    double low[3], high[3];
    double largest; /* 0: nothing is known */
} span;

static span span_of(const weft_vec3 *x, int32_t n)
{
    span s = {{HUGE_VAL, HUGE_VAL, HUGE_VAL}, {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL}, 0};
    for (int32_t i = 0; i < n; i++) {
        const double p[3] = {x[i].x, x[i].y, x[i].z};
        for (int k = 0; k < 3; k++) {
            s.low[k] = fmin(s.low[k], p[k]);
            s.high[k] = fmax(s.high[k], p[k]);
            s.largest = fmax(s.largest, s.high[k] - s.low[k]);
        }
    }
    return s;
}

static span span_of_collider(const weft_scene *s, int32_t i)
{
    const weft_scene_collider *c = &s->colliders[i];
    weft_error ignored;
    span out = {.largest = 0};
    if (!c->is_mesh || c->mesh.n_nodes == 0)
        return out;
    weft_vec3 *x = calloc((size_t)c->mesh.n_nodes, sizeof *x);
    if (x && weft_scene_collider_points(s, i, 0, x, c->mesh.n_nodes, &ignored) >= 0)
        out = span_of(x, c->mesh.n_nodes);
    free(x);
    return out;
}

/* The axis along which something of a person's size stands on 0 though up is y; -1: it stands, or who knows. A body
 * that faces its depth to the sky lies; a floor or a table is centred along what is long. */
static int lying_axis(const span *s, double size)
{
    const double depth = s->high[1] - s->low[1];
    if (!(s->largest > 0.6 * size && s->largest < 1.6 * size) || depth > 0.6 * s->largest)
        return -1;
    for (int k = 0; k < 3; k += 2) {
        double length = s->high[k] - s->low[k];
        bool stands = fmin(fabs(s->low[k]), fabs(s->high[k])) < 0.06 * length;
        if (stands && length > 0.8 * s->largest && s->low[1] < -0.15 * depth && s->high[1] > 0.15 * depth)
            return k;
    }
    return -1;
}

/* ---- scenes ------------------------------------------------------------------------------------------------------ */

/* What the sizes of a scene are judged by. */
typedef struct surroundings {
    const char *body;     /* name of a mesh collider that may be worn or sat on; NULL: none */
    double body_size;     /* m */
    const unit *of_solid; /* that of a collider which is too large; NULL: none is */
} surroundings;

static void add_beside(page *p, const surroundings *around)
{
    if (around->body)
        page_add(p, ", and '%s' %.3g m", around->body, around->body_size);
}

static void look_at_collider(const weft_scene *s, int32_t i, surroundings *around, warnings *out)
{
    static const char axes[] = "xyz";
    const weft_scene_collider *c = &s->colliders[i];
    span box = span_of_collider(s, i);
    double scale = c->transform.scale;
    if (box.largest > largest_solid) {
        around->of_solid = guess_unit(box.largest, person);
        warnings_add_plain(out,
                           "collider '%s' is %.4g m across: if its file is in %s, give it 'scale: %g' (--set "
                           "colliders.%s.scale=%g)",
                           c->name, box.largest, around->of_solid->name, scale * around->of_solid->metres, c->name,
                           scale * around->of_solid->metres);
    } else if (box.largest > 0 && box.largest < smallest)
        warnings_add_plain(out, "collider '%s' is %.3g mm across: its 'scale', now %g, is metres a unit of the file",
                           c->name, 1e3 * box.largest, scale);
    int axis = lying_axis(&box, person);
    if (axis >= 0)
        warnings_add_plain(
            out, "collider '%s' lies: it is %.3g m along %c and %.3g m along y, which is up; %s%s.%s", c->name,
            box.high[axis] - box.low[axis], axes[axis], box.high[1] - box.low[1],
            axis == 2 ? "if its file has another axis up, say so: --set colliders." : "turn it: colliders.", c->name,
            axis != 2           ? "rotation"
            : c->transform.z_up ? "z_up=false"
                                : "z_up=true");
    if (box.largest >= smallest_body && box.largest <= largest_body && box.largest > around->body_size) {
        around->body = c->name;
        around->body_size = box.largest;
    }
}

static double size_of_cloth(const weft_scene_cloth *c)
{
    return c->is_grid ? fmax(c->grid.size_warp, c->grid.size_weft)
                      : span_of(c->mesh.positions, c->mesh.n_nodes).largest;
}

static void tell_large_cloth(const weft_scene_cloth *c, double size, const surroundings *around, warnings *out)
{
    const unit *u = around->of_solid ? around->of_solid : guess_unit(size, around->body ? around->body_size : garment);
    double scale = c->transform.scale * u->metres;
    page beside = {0};
    add_beside(&beside, around);
    if (c->is_grid)
        warnings_add_plain(out,
                           "cloth '%s' is %.4g m across%s: cloths.%s.grid.size is in metres; %.3g %s would be %.3g",
                           c->name, size, page_text(&beside), c->name, size, u->short_name, size * u->metres);
    else
        warnings_add_plain(out,
                           "cloth '%s' is %.4g m across%s: if its file is in %s, give it 'scale: %g' (--set "
                           "cloths.%s.mesh.scale=%g)",
                           c->name, size, page_text(&beside), u->name, scale, c->name, scale);
    page_free(&beside);
}

static void look_at_cloth(const weft_scene_cloth *c, const surroundings *around, warnings *out)
{
    double size = size_of_cloth(c);
    bool too_large_here = around->body && size > large_beside_body && size > times_body * around->body_size;
    if (size > largest_cloth || too_large_here)
        tell_large_cloth(c, size, around, out);
    else if (!c->is_grid && size > 0 && size < smallest)
        warnings_add_plain(out, "cloth '%s' is %.3g mm across: its 'scale', now %g, is metres a unit of the file",
                           c->name, 1e3 * size, c->transform.scale);
}

static void look_at_gravity(weft_vec3 g, warnings *out)
{
    double size = sqrt(g.x * g.x + g.y * g.y + g.z * g.z);
    if (size > strongest_gravity)
        warnings_add_plain(out, "gravity is %.4g m/s², on earth it is 9.81: forces.gravity is in metres, %.4g is in %s",
                           size, size, guess_unit(size, 9.81)->name);
    if (size > 0 && g.y > 0.5 * size)
        warnings_add_plain(out, "gravity points up, along +y: on earth forces.gravity is [0, -9.81, 0]");
    else if (size > 0 && g.y > -0.5 * size)
        warnings_add_plain(
            out,
            "gravity points along %s, but y is up for planes and pictures: on earth forces.gravity is [0, "
            "-9.81, 0]; a mesh file with z up has 'z_up: true'",
            fabs(g.x) > fabs(g.z) ? "x" : "z");
}

void plausible_scene(const weft_scene *s, warnings *out)
{
    surroundings around = {.body = NULL};
    for (int32_t i = 0; i < s->n_colliders; i++)
        look_at_collider(s, i, &around, out);
    for (int32_t i = 0; i < s->n_cloths; i++)
        look_at_cloth(&s->cloths[i], &around, out);
    look_at_gravity(s->sim.gravity, out);
}

/* ---- files ------------------------------------------------------------------------------------------------------- */

void plausible_mesh(const weft_vec3 *points, int32_t n, warnings *out)
{
    span box = span_of(points, n);
    const unit *u = guess_unit(fmax(box.largest, 1e-9), person);
    if (box.largest > largest_mesh)
        warnings_add_plain(out, "in metres it is %.4g m across: if it is in %s, a scene gives it 'scale: %g'",
                           box.largest, u->name, u->metres);
}

void plausible_body(const char *path, const weft_vec3 *points, int32_t n, double scale, warnings *out)
{
    span box = span_of(points, n);
    const unit *u = guess_unit(fmax(box.largest, 1e-9), person);
    if (box.largest > large_beside_body)
        warnings_add_plain(out, "%s: the body is %.4g m tall or wide: if it is in %s, give --body-scale %g", path,
                           box.largest, u->name, scale * u->metres);
    else if (box.largest > 0 && box.largest < 0.1)
        warnings_add_plain(out,
                           "%s: the body is %.3g mm tall or wide: --body-scale, now %g, is metres a unit of the file",
                           path, 1e3 * box.largest, scale);
    if (lying_axis(&box, box.largest) >= 0)
        warnings_add_plain(out, "%s: the body lies: y has to be up, and it is longest along %s; turn the mesh", path,
                           lying_axis(&box, box.largest) == 0 ? "x" : "z");
}

void plausible_pattern(const char *path, const weft_pattern *pattern, double height, warnings *out)
{
    double size = 0;
    for (int32_t i = 0; i < weft_pattern_panel_count(pattern); i++) {
        weft_panel_info info;
        if (weft_pattern_panel_info(pattern, i, &info, NULL) >= 0)
            size = fmax(size, fmax(info.high.u - info.low.u, info.high.v - info.low.v));
    }
    if (size > panel_most * height)
        warnings_add_plain(out,
                           "%s: the largest panel is %.3g m long, and the body %.3g m: probably it is in %s, and the "
                           "file is read as metres",
                           path, size, height, guess_unit(size, 0.4 * height)->name);
    else if (size > 0 && size < panel_least * height)
        warnings_add_plain(out,
                           "%s: the largest panel is %.3g mm long, and the body %.3g m: probably the file is in "
                           "a larger unit than it says",
                           path, 1e3 * size, height);
}
